/* SPDX-License-Identifier: BSD-3-Clause */
/* See access.h. */
#include "advice/access.h"

#include "base/class-name.h"
#include "tell/format.h"

#include <math.h>

double ps_access_path_share(const PsAnswer *answer, guint program, guint node)
{
    const GPtrArray *path = answer->explain ? answer->explain->path : NULL;
    double ticks = 0;
    for (guint i = 0; path && i < path->len; i++) {
        const PsPathRow *row = path->pdata[i];
        if (row->program == program && row->node == node)
            ticks += (double)row->ticks;
    }
    return answer->result.ticks > 0 ? ticks / (double)answer->result.ticks : 0;
}

guint ps_access_loop(const PsProgramNode *node)
{
    return node->n_loops ? node->loops[0].number : G_MAXUINT;
}

/* ---- traffic ------------------------------------------------------------------------------- */

PsAccessTraffic ps_access_traffic(const PsProgramNode *node)
{
    PsAccessTraffic traffic = {.bytes = (double)node->bytes,
                               .wavefronts = ps_rational_to_double(node->wavefronts),
                               .rows = ps_rational_to_double(node->rows)};
    for (guint level = 0; level < PS_N_LEVELS; level++) {
        const double share = ps_rational_to_double(node->share[level]);
        traffic.reach[level] = share < 0 ? -1 : share * traffic.bytes;
    }
    return traffic;
}

static void set_expr(PsExpr **expr, double value)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(text, sizeof text, "%.6f", value);
    ps_expr_free(*expr);
    *expr = ps_expr_new(text, (PsPlace){"traffic", 0}, NULL);
}

void ps_access_set_traffic(PsIdgItem *item, const PsAccessTraffic *traffic)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(text, sizeof text, "%.0f", traffic->bytes);
    ps_expr_free(item->bytes);
    item->bytes = ps_expr_new(text, (PsPlace){"bytes", 0}, NULL);
    for (guint level = 0; level < PS_N_LEVELS; level++)
        if (traffic->reach[level] >= 0)
            set_expr(&item->share[level], traffic->reach[level] / fmax(traffic->bytes, 1));
    g_clear_pointer(&item->partial, ps_expr_free);
    g_clear_pointer(&item->wavefronts, ps_expr_free);
    g_clear_pointer(&item->rows, ps_expr_free);
    if (traffic->wavefronts > 0)
        set_expr(&item->wavefronts, traffic->wavefronts);
    if (traffic->rows > 0)
        set_expr(&item->rows, traffic->rows);
}

void ps_access_leave_global(PsIdgItem *item, const char *class_name)
{
    g_free(item->class_name);
    item->class_name = g_strdup(class_name);
    g_clear_pointer(&item->bytes, ps_expr_free);
    for (guint level = 0; level < PS_N_LEVELS; level++)
        g_clear_pointer(&item->share[level], ps_expr_free);
    g_clear_pointer(&item->lines, ps_expr_free);
    g_clear_pointer(&item->wavefronts, ps_expr_free);
    g_clear_pointer(&item->rows, ps_expr_free);
    g_clear_pointer(&item->partial, ps_expr_free);
    g_clear_pointer(&item->turns, ps_expr_free);
    g_clear_pointer(&item->spot, g_free);
}

/* Suffixes that describe an access are left out of the plain name. */
char *ps_access_class(const char *class_name, const PsClassAccess *access)
{
    g_autofree char *plain = g_strdup(class_name);
    for (;;) {
        const PsClassAccess now = ps_class_access(plain);
        g_autofree char *said = ps_class_with_access("", &now);
        if (!*said || !ps_class_cut_last(plain))
            return ps_class_with_access(plain, access);
    }
}

/* ---- places -------------------------------------------------------------------------------- */

PsAccessPlaces ps_access_places(void)
{
    return (PsAccessPlaces){.node = G_MAXUINT,
                            .lines = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL)};
}

void ps_access_places_clear(PsAccessPlaces *places)
{
    g_hash_table_unref(places->lines);
}

void ps_access_add_place(PsAccessPlaces *places, const PsAnswer *answer, guint program, guint node)
{
    const double share = ps_access_path_share(answer, program, node);
    g_auto(PsNodePlace) place = ps_answer_place(answer, program, node);
    if (place.line)
        g_hash_table_add(places->lines, g_strdup(place.line));
    if (places->node == G_MAXUINT || share > places->largest) {
        places->program = program;
        places->node = node;
        places->largest = share;
    }
    places->share += share;
}

PsAdvice *ps_access_advise(PsAdvicePlan *plan, PsCause cause, const PsAdviceChange *change,
                           PsIdg *idg, const PsAccessPlaces *places)
{
    PsVariant *variant = ps_variant_new(plan->question);
    variant->question.idg = variant->idg = idg;
    variant->share = places->share;
    const guint class_index = plan->answer->machine->class_of[places->program][places->node];
    PsAdvice *advice = ps_advice_add(plan, cause, change, class_index, variant)->advice;
    advice->program = places->program;
    advice->node = places->node;
    ps_advice_data_new(advice, PsMoved)->more_lines = MAX(g_hash_table_size(places->lines), 1) - 1;
    return advice;
}

/* ---- what is said of it -------------------------------------------------------------------- */

void ps_moved_clear(void *data)
{
    PsMoved *moved = data;
    g_free(moved->spot);
}

void ps_moved_tell(const PsAdvice *advice, PsTold *facts)
{
    const PsMoved *moved = advice->data;
    if (moved->now)
        ps_tell_entry_whole(facts, "now", (double)moved->now);
    if (moved->then)
        ps_tell_entry_whole(facts, "then", (double)moved->then);
    if (moved->offset)
        ps_tell_entry_whole(facts, "offset", moved->offset);
    if (moved->spot)
        ps_tell_entry_text(facts, "spot", moved->spot);
    ps_tell_entry_whole(facts, "more_lines", moved->more_lines);
}

char *ps_moved_sentence(const PsAnswer *answer, const PsAdvice *advice, char *what)
{
    const guint more = ((const PsMoved *)advice->data)->more_lines;
    g_autofree char *change = what, *gives = ps_would_give(answer, advice);
    if (!more)
        return g_strdup_printf("%s %s", change, gives);
    g_autofree char *lines = ps_format_noun(more, "more line");
    const gboolean has_comma = g_str_has_suffix(change, ",");
    return g_strdup_printf("%s%s here and on %s%s %s", change, has_comma ? "" : ",", lines,
                           has_comma ? "," : "", gives);
}
