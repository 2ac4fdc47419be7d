/* SPDX-License-Identifier: BSD-3-Clause */
/* Applies what-ifs to the costs of nodes: see binding.h, and docs/reference/model.md, What-ifs. A
 * what-if that states the present value changes no bit. */
#include "sim/engine/binding.h"

#include "base/class-name.h"

#include <string.h>

/* The what-ifs' figure for one of the two latencies of a class. */
typedef struct {
    PsRational to;     /* 0: no figure */
    PsRational of;     /* the value in whose place the figure was given */
    gsize length;      /* length of the name that gave it */
    PsRational factor; /* product of all factors that cover the class */
} Change;

static gboolean covers(const PsWhatIf *what_if, const char *asked)
{
    return what_if->alone ? strcmp(what_if->class_name, asked) == 0
                          : ps_class_covers(what_if->class_name, asked);
}

/* The latencies that a what-if's figures replace: those of the class of its name, otherwise those
 * of the first class that the name covers; NULL: it covers none. */
static const PsLatency *told_of(const PsMachine *machine, const PsLatency *now,
                                const PsWhatIf *what_if)
{
    const PsLatency *found = NULL;
    for (guint i = 0; i < machine->n_classes; i++) {
        const char *asked = machine->classes[i].asked;
        if (strcmp(asked, what_if->class_name) == 0)
            return &now[i];
        if (!found && covers(what_if, asked))
            found = &now[i];
    }
    return found;
}

/* The longest name that covers a class wins; of equal names, the later one. All factors count. */
static gboolean add_figure(Change *change, PsRational figure, const PsWhatIf *what_if,
                           PsRational of)
{
    const gsize length = strlen(what_if->class_name);
    if (figure.num <= 0)
        return TRUE;
    if (what_if->times)
        return ps_rational_mul(change->factor, figure, &change->factor);
    if (length < change->length)
        return TRUE;
    change->to = figure;
    change->of = of;
    change->length = length;
    return TRUE;
}

/* The changes of each class's lambda, then of its Lambda. */
static gboolean find_changes(const PsMachine *machine, const PsLatency *now,
                             const PsWhatIf *what_if, gboolean *used, Change (*changes)[2])
{
    const PsLatency *of = told_of(machine, now, what_if);
    for (guint i = 0; of && i < machine->n_classes; i++) {
        if (!covers(what_if, machine->classes[i].asked))
            continue;
        *used = TRUE;
        if (!add_figure(&changes[i][0], what_if->issue, what_if, of->issue) ||
            !add_figure(&changes[i][1], what_if->completion, what_if, of->completion))
            return FALSE;
    }
    return TRUE;
}

/* Scales the value by the figure's ratio to the value that it replaces. The result is rounded, so
 * that the tick of a run stays coarse. */
static gboolean in_proportion(PsRational *own, const Change *change)
{
    PsRational parts_of;
    gint64 parts;
    if (ps_what_if_is_present(change->to, change->of))
        return TRUE;
    if (ps_rational_cmp(*own, change->of) == 0) {
        *own = change->to;
        return TRUE;
    }
    return ps_rational_div(change->of, change->to, &parts_of) &&
           ps_in_parts(*own, parts_of, FALSE, &parts) &&
           ps_rational_make(MAX(parts, 1), PS_STOP_WHOLE, own);
}

static gboolean apply(PsRational *own, const Change *change)
{
    return (change->to.num == 0 || in_proportion(own, change)) &&
           ps_rational_mul(*own, change->factor, own);
}

static gboolean apply_both(PsLatency *latency, const Change *changes)
{
    return apply(&latency->issue, &changes[0]) && apply(&latency->completion, &changes[1]);
}

static gboolean change_all(PsMachine *machine, Change (*changes)[2])
{
    for (guint i = 0; i < machine->n_classes; i++)
        if (!apply_both(&machine->classes[i].latency, changes[i]))
            return FALSE;
    for (guint p = 0; p < machine->kernel->n_programs; p++)
        for (guint n = 0; n < machine->kernel->programs[p].n_nodes; n++)
            if (!apply_both(&machine->costs[p][n].latency, changes[machine->class_of[p][n]]))
                return FALSE;
    return TRUE;
}

gboolean ps_what_if_apply(PsMachine *machine, const GPtrArray *what_if, gboolean *used,
                          GError **error)
{
    const guint n = MAX(machine->n_classes, 1);
    g_autofree PsLatency *now = g_new(PsLatency, n);
    g_autofree Change(*changes)[2] = g_malloc_n(n, sizeof *changes);
    gboolean fits = TRUE;
    if (!what_if)
        return TRUE;
    for (guint i = 0; i < machine->n_classes; i++) {
        const Change none = {{0, 1}, {0, 1}, 0, {1, 1}};
        now[i] = machine->classes[i].latency;
        changes[i][0] = changes[i][1] = none;
    }
    for (guint i = 0; fits && i < what_if->len; i++)
        fits = find_changes(machine, now, what_if->pdata[i], &used[i], changes);
    if (fits && change_all(machine, changes))
        return TRUE;
    g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                "what-if: a latency does not fit an exact fraction; use fewer decimals");
    return FALSE;
}
