/* SPDX-License-Identifier: BSD-3-Clause */
/* See called.h. */
#include "gpu/called.h"

#include "base/file.h"
#include "gpu/internal.h"
#include "gpu/named.h"
#include "gpu/rows.h"

#include <string.h>

char *ps_gpu_stem(const char *path)
{
    char *stem = g_path_get_basename(path);
    if (g_str_has_suffix(stem, ".xml"))
        stem[strlen(stem) - strlen(".xml")] = '\0';
    return stem;
}

/* The GPUs with a description; names are owned by it. */
typedef struct {
    GPtrArray *paths, *names, *stems;
    GArray *cards; /* PsGpuCard */
} Cards;

static void cards_clear(Cards *cards)
{
    g_ptr_array_unref(cards->paths);
    g_ptr_array_unref(cards->names);
    g_ptr_array_unref(cards->stems);
    g_array_unref(cards->cards);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Cards, cards_clear)

static Cards find_cards(const GPtrArray *all, const char *const *families)
{
    Cards cards = {g_ptr_array_new_with_free_func(g_free), g_ptr_array_new_with_free_func(g_free),
                   g_ptr_array_new_with_free_func(g_free),
                   g_array_new(FALSE, FALSE, sizeof(PsGpuCard))};
    for (guint i = 0; i < all->len; i++) {
        gsize length;
        g_autofree char *text = ps_file_read(all->pdata[i], PS_FILE_MAX_BYTES, &length, NULL);
        PsGpuTitle title;
        if (!text || !ps_gpu_read_title(text, length, all->pdata[i], families, &title))
            continue;
        const PsGpuCard card = {ps_gpu_stem(all->pdata[i]), title.name, title.capability,
                                title.memory};
        g_ptr_array_add(cards.stems, (gpointer)card.file);
        g_ptr_array_add(cards.names, title.name);
        g_ptr_array_add(cards.paths, g_strdup(all->pdata[i]));
        g_array_append_val(cards.cards, card);
    }
    return cards;
}

/* "a40, a4000 and a6000" (g_free), with the cards' own names if these are asked for. */
static char *list_cards(const Cards *cards, const GArray *which, gboolean with_names)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < which->len; i++) {
        const PsGpuCard *card =
            &g_array_index(cards->cards, PsGpuCard, g_array_index(which, guint, i));
        g_string_append_printf(text, "%s%s", i == 0 ? "" : ", ", card->file);
        if (with_names)
            g_string_append_printf(text, " (%s)", card->name);
    }
    return g_string_free(text, FALSE);
}

/* FALSE and *error if the name is that of a part of a card. */
static gboolean check_whole(const char *name, const Cards *cards, GError **error)
{
    const char *what = NULL;
    g_autofree char *whole = ps_gpu_whole_of(name, &what);
    if (!whole)
        return TRUE;
    g_autoptr(GArray) meant =
        ps_gpu_named(whole, (const PsGpuCard *)(void *)cards->cards->data, cards->cards->len);
    g_autofree char *list = list_cards(cards, meant, TRUE);
    g_set_error(error, PS_ERROR, PS_ERROR_READ,
                "\"%s\" is %s, and descriptions are of whole cards, with more compute units and "
                "bandwidth; docs/guide/gpus.md says how to have one made%s%s",
                name, what, meant->len ? "; the whole card is " : "", list);
    return FALSE;
}

/* Refuses a name whose maker's word is misspelt: *error names the card that is meant. */
static void refuse_slips(const char *name, const Cards *cards, GError **error)
{
    g_autofree char *rest = ps_gpu_without_slips(name);
    if (!rest)
        return;
    g_autoptr(GArray) meant =
        ps_gpu_named(rest, (const PsGpuCard *)(void *)cards->cards->data, cards->cards->len);
    g_autofree char *list = list_cards(cards, meant, TRUE);
    if (meant->len)
        g_set_error(error, PS_ERROR, PS_ERROR_READ,
                    "there is no GPU description \"%s\"; did you mean %s?", name, list);
}

char *ps_gpu_called(const char *name, const GPtrArray *paths, const char *const *families,
                    GError **error)
{
    g_auto(Cards) cards = find_cards(paths, families);
    const PsGpuCard *all = (const PsGpuCard *)(void *)cards.cards->data;
    if (!check_whole(name, &cards, error))
        return NULL;
    g_autoptr(GArray) same = NULL, meant = ps_gpu_named(name, all, cards.cards->len);
    if (meant->len == 1)
        return g_strdup(cards.paths->pdata[g_array_index(meant, guint, 0)]);
    if (meant->len > 1) {
        g_autofree char *list = list_cards(&cards, meant, TRUE);
        g_set_error(error, PS_ERROR, PS_ERROR_READ,
                    "\"%s\" fits several GPU descriptions; give one of these: %s", name, list);
        return NULL;
    }
    g_autofree char *family = ps_gpu_family_of(name, all, cards.cards->len, &same);
    g_autofree char *list = list_cards(&cards, same, FALSE);
    g_autoptr(GArray) kind = ps_gpu_of_kind(name, all, cards.cards->len);
    g_autofree char *of_kind = list_cards(&cards, kind, TRUE);
    if (family)
        g_set_error(
            error, PS_ERROR, PS_ERROR_READ,
            "there is no GPU description \"%s\"; %s (%s)%s%s; docs/guide/gpus.md says how to have "
            "one made",
            name, *list ? "nearest of the same family" : "there is none of its family", family,
            *list ? ": " : "", list);
    else if (kind->len)
        g_set_error(
            error, PS_ERROR, PS_ERROR_READ,
            "\"%s\" is an architecture or a chip, which several cards have; give a card: %s", name,
            of_kind);
    else
        refuse_slips(name, &cards, error);
    return NULL;
}

/* ---- ways to run kernels ------------------------------------------------------------------- */

/* TRUE if the text behind a name's colon is a way to run kernels. */
static gboolean is_mode(const char *part)
{
    return g_str_has_prefix(part, "wave") || strcmp(part, "wgp") == 0 || strcmp(part, "cu") == 0;
}

const char *ps_gpu_modes_of(const char *name)
{
    g_auto(GStrv) parts = g_strsplit(name, ":", -1);
    guint first = g_strv_length(parts);
    gsize length = 0;
    while (first > 1 && is_mode(parts[first - 1]))
        first--;
    if (first == 0 || !parts[first] || (first == 1 && !*parts[0]))
        return NULL;
    for (guint i = 0; i < first; i++)
        length += strlen(parts[i]) + 1;
    return name + length - 1;
}

/* Adds the way to run kernels to the name in reports: "Radeon RX 7900 XTX, wave64". */
static void rename_with(PsGpu *gpu, const char *mode)
{
    g_autofree char *name = g_steal_pointer(&gpu->name);
    gpu->name = g_strdup_printf("%s, %s", name, mode);
}

/* FALSE if the GPU has no such way; *error may be NULL. */
static gboolean take_mode(PsGpu *gpu, const char *mode, GError **error)
{
    g_autofree char *own = g_strdup_printf("wave%" G_GINT64_FORMAT, gpu->warp_size);
    g_autofree char *wide = g_strdup_printf("wave%" G_GINT64_FORMAT, 2 * gpu->warp_size);
    const gboolean widens = ps_gpu_has_wide_warps(gpu) && strcmp(mode, wide) == 0;
    if (strcmp(mode, own) == 0)
        return TRUE;
    if (gpu->pairs && strcmp(mode, "cu") == 0) {
        gpu->pairs = FALSE;
        return TRUE;
    }
    if (!widens && !(gpu->pairs && strcmp(mode, "wgp") == 0))
        return FALSE;
    rename_with(gpu, mode);
    return widens ? ps_gpu_widen_warps(gpu, error) : ps_gpu_pair_units(gpu, error);
}

/* ":wave32, :wave64, :cu or :wgp" (g_free). */
static char *list_modes(const PsGpu *gpu)
{
    const gboolean wide = ps_gpu_has_wide_warps(gpu);
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, ":wave%" G_GINT64_FORMAT, gpu->warp_size);
    if (wide)
        g_string_append_printf(text, "%s:wave%" G_GINT64_FORMAT, gpu->pairs ? ", " : " or ",
                               2 * gpu->warp_size);
    if (gpu->pairs)
        g_string_append(text, ", :cu or :wgp");
    return g_string_free(text, FALSE);
}

gboolean ps_gpu_take_modes(PsGpu *gpu, const char *name, GError **error)
{
    const char *modes = ps_gpu_modes_of(name);
    g_auto(GStrv) parts = g_strsplit(modes ? modes + 1 : "", ":", -1);
    g_autofree char *list = list_modes(gpu);
    for (guint i = 0; parts[i]; i++) {
        GError *why = NULL;
        if (take_mode(gpu, parts[i], &why))
            continue;
        if (why)
            g_propagate_error(error, why);
        else
            g_set_error(error, PS_ERROR, PS_ERROR_VALUE, "%s: what may stand behind %.*s is %s",
                        name, (int)(modes - name), name, list);
        return FALSE;
    }
    return TRUE;
}
