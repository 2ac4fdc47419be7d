/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of warps' roles, and the words of their waits and of stages. See words.h. */
#include "tell/words.h"

#include "tell/format.h"

#include <math.h>

/* Smaller shares are not worth a word. */
#define LEAST_SHARE 0.0005

/* A role that ends within this share of the longest one's time has no waits that matter. */
#define SOON 0.05

/* ---- roles --------------------------------------------------------------------------------- */

const char *ps_deeds_words(guint does)
{
    static const char *const words[] = {
        "others",
        [PS_ROLE_COPIES] = "copies",
        [PS_ROLE_PRODUCTS] = "products",
        [PS_ROLE_EPILOGUE] = "epilogue",
        [PS_ROLE_COPIES | PS_ROLE_PRODUCTS] = "copies and products",
        [PS_ROLE_COPIES | PS_ROLE_EPILOGUE] = "copies and epilogue",
        [PS_ROLE_PRODUCTS | PS_ROLE_EPILOGUE] = "products and epilogue",
        [PS_ROLE_COPIES | PS_ROLE_PRODUCTS | PS_ROLE_EPILOGUE] = "copies, products and epilogue"};
    return words[does];
}

char *ps_role_words(const PsRoleTable *table, guint number)
{
    return g_strdup(ps_deeds_words(((const PsRole *)table->roles->pdata[number])->does));
}

/* "warp 0", "warps 4 to 11", "warps 0, 2 to 5". */
static char *warps_words(const GArray *warps)
{
    GString *out = g_string_new(warps->len == 1 ? "warp " : "warps ");
    for (guint i = 0, last; i < warps->len; i = last + 1) {
        const guint first = g_array_index(warps, guint, i);
        for (last = i; last + 1 < warps->len &&
                       g_array_index(warps, guint, last + 1) == first + last + 1 - i;)
            last++;
        g_string_append_printf(out, "%s%u", i > 0 ? ", " : "", first);
        if (last > i)
            g_string_append_printf(out, " to %u", first + last - i);
    }
    return g_string_free(out, FALSE);
}

/* "61.2 % for an empty stage (products and epilogue)". */
static char *wait_words(const PsRoleTable *table, guint number, const PsRoleWait *wait)
{
    static const char *const what[PS_ROLE_N_FOR] = {[PS_ROLE_FOR_COPIES] = "for a full stage",
                                                    [PS_ROLE_FOR_STAGES] = "for an empty stage",
                                                    [PS_ROLE_FOR_PRODUCTS] = "for its own products",
                                                    [PS_ROLE_FOR_WARPS] = "for each other",
                                                    [PS_ROLE_FOR_BARRIER] =
                                                        "at barriers of the group"};
    g_autofree char *share = ps_format_share(wait->share);
    if (wait->role == G_MAXUINT || wait->role == number)
        return g_strdup_printf("%s %s", share, what[wait->what]);
    g_autofree char *of = ps_role_words(table, wait->role);
    return g_strdup_printf("%s %s (%s)", share,
                           wait->what == PS_ROLE_FOR_WARPS ? "for warps" : what[wait->what], of);
}

static double time_of(const PsRole *role)
{
    return role->ticks / role->warps->len;
}

/* The time of a role's warps as a share of the longest role's. */
static double share_of_time(const PsRoleTable *table, const PsRole *role)
{
    double longest = 0;
    for (guint r = 0; r < table->roles->len; r++)
        longest = fmax(longest, time_of(table->roles->pdata[r]));
    return longest > 0 ? time_of(role) / longest : 0;
}

char *ps_role_name(const PsRoleTable *table, guint number)
{
    g_autofree char *words = ps_role_words(table, number);
    g_autofree char *warps = warps_words(((const PsRole *)table->roles->pdata[number])->warps);
    return g_strdup_printf("%s (%s)", words, warps);
}

char *ps_role_sentence(const PsRoleTable *table, guint number)
{
    const PsRole *role = table->roles->pdata[number];
    const double time = share_of_time(table, role);
    g_autofree char *name = ps_role_name(table, number), *share = ps_format_share(time);
    const char *before = ": waits ";
    if (time < LEAST_SHARE)
        return g_strdup_printf("%s: done at once", name);
    if (time < SOON)
        return g_strdup_printf("%s: done after %s of the time", name, share);
    GString *out = g_string_new(name);
    for (guint i = 0; i < role->waits->len; i++) {
        const PsRoleWait *wait = &g_array_index(role->waits, PsRoleWait, i);
        g_autofree char *words = wait_words(table, number, wait);
        if (wait->share < LEAST_SHARE)
            continue;
        g_string_append_printf(out, "%s%s", before, words);
        before = ", ";
    }
    return g_string_free(out, FALSE);
}

/* ---- stages -------------------------------------------------------------------------------- */

gint64 ps_ring_fill_bytes(const PsAnswer *answer, const PsRing *ring)
{
    return ring->bytes * answer->gpu->warp_size / ring->fills;
}

char *ps_stages_sentence(const PsAnswer *answer, guint number)
{
    const PsRoleStages *stages =
        &g_array_index(answer->explain->roles->stages, PsRoleStages, number);
    const PsRing *ring = stages->ring;
    const PsStageMeans *means = &stages->means;
    g_autofree char *place =
        ps_near_words(answer, ring->producer, g_array_index(ring->copies, PsRingCopy, 0).node);
    g_autofree char *bytes = ps_format_noun(ps_ring_fill_bytes(answer, ring), "byte");
    GString *out = g_string_new(*place ? place : NULL);
    if (*place)
        g_string_append(out, ": ");
    if (ring->stages > 0)
        g_string_append_printf(out, "%" G_GINT64_FORMAT " %s of %s", ring->stages,
                               ring->stages == 1 ? "stage" : "stages", bytes);
    else
        g_string_append_printf(out, "stages of %s", bytes);
    if (ring->ahead > 0)
        g_string_append_printf(out, ", %" G_GINT64_FORMAT " of them begun ahead", ring->ahead);
    g_string_append_printf(out, "; in the mean %.2f under way, %.2f full", means->under_way,
                           means->full);
    if (!isnan(means->in_use))
        g_string_append_printf(out, ", %.2f in use", means->in_use);
    return g_string_free(out, FALSE);
}
