/* SPDX-License-Identifier: BSD-3-Clause */
/* Warnings for users of the graph: where it is coarser than the execution, or guessed. */
#include "lift/build-private.h"
#include "lift/groups/varies.h"

#include <string.h>

/* For PTX, how lanes that leave such a loop at different times share its last iterations is known
 * only from code whose lanes stay together. */
static void warn_of_unrolled(const PsFacts *facts, const PsRollItem *item, GHashTable *seen,
                             GPtrArray *warnings)
{
    static const char text[] =
        "from PTX this loop is taken to do several iterations at once, as ptxas makes it; lanes "
        "leave it at different times, and how long their last iterations take then is not known "
        "well: where it was tried, machine code (from sass) took 1.4 times as long";
    if (item->parts == 0 || item->loop == PS_PTX_NOWHERE || facts->unrolled[item->loop] == 0 ||
        !g_hash_table_add(seen, (gpointer)text))
        return;
    g_autofree char *where = ps_ptx_code_where(facts->code, facts->code->loops[item->loop].header);
    g_ptr_array_add(warnings, g_strdup_printf("%s: %s", where, text));
}

static void warn_of_loops(const PsFacts *facts, const PsRollSequence *sequence, GHashTable *seen,
                          GPtrArray *warnings)
{
    const PsPtxCode *code = facts->code;
    static const char *const what[] = {
        [PS_ROLL_NO_ORDER] = "the graph has as many of each, but not in their order",
        [PS_ROLL_MEAN_PATTERNS] = "the graph has their mean access patterns",
        [PS_ROLL_MEAN_TRIPS] = "the graph has mean iterations",
    };
    if (!g_hash_table_add(seen, (gpointer)sequence))
        return;
    for (guint i = 0; i < sequence->n_items; i++) {
        const PsRollItem *item = &sequence->items[i];
        if (item->kind != PS_ROLL_LOOP)
            continue;
        for (guint r = 0; r < item->n_runs; r++)
            warn_of_loops(facts, item->runs[r].body, seen, warnings);
        warn_of_unrolled(facts, item, seen, warnings);
        gpointer key = GUINT_TO_POINTER(item->loop);
        if (item->coarse == PS_ROLL_EXACT || !g_hash_table_add(seen, key))
            continue;
        g_autofree char *where = item->loop == PS_PTX_NOWHERE
                                     ? g_strdup("code outside of loops")
                                     : ps_ptx_code_where(code, code->loops[item->loop].header);
        g_ptr_array_add(warnings,
                        g_strdup_printf("%s: iterations of this loop are of many kinds; %s", where,
                                        what[item->coarse]));
    }
}

/* How far the graph's groups may be from the mean of all before that is told: in instructions, and
 * in what they ask of memory, where groups that are cut by the data's border ask for a little less.
 */
#define FAR_FROM_MEAN 0.02
#define FAR_IN_MEMORY 0.1

/* The load of the graph's groups in the mean. */
static PsLoad mean_of_graph(const PsSamples *samples)
{
    PsLoad sum = {{0}};
    double parts = 0;
    for (guint k = 0; k < samples->chosen->len; k++)
        parts += (double)g_array_index(samples->chosen, PsKind, k).parts;
    for (guint k = 0; k < samples->chosen->len; k++) {
        const PsKind *kind = &g_array_index(samples->chosen, PsKind, k);
        const PsLoad load = ps_load_of(kind->group);
        for (guint i = 0; i < PS_N_LOADS; i++)
            sum.of[i] += (double)kind->parts / parts * load.of[i];
    }
    return sum;
}

static void warn_of_groups(const PsSamples *samples, GPtrArray *warnings)
{
    static const struct {
        const char *differ, *unit;
    } what[PS_N_LOADS] = {
        [PS_LOAD_WORK] = {"execute", "instructions"},
        [PS_LOAD_SECTORS] = {"access", "sectors of global memory"},
        [PS_LOAD_PASSES] = {"access", "passes of local memory"},
    };
    const PsLoad mean = ps_kinds_load(samples->kinds), of_graph = mean_of_graph(samples),
                 scale = ps_load_scale(&mean), slots = ps_load_slots();
    g_autofree char *kinds = ps_kinds_text(samples->kinds);
    g_autofree char *chosen = ps_kinds_names(samples->chosen);
    for (guint i = 0; i < PS_N_LOADS; i++) {
        const double far = i == PS_LOAD_WORK ? FAR_FROM_MEAN : FAR_IN_MEMORY;
        if (ABS(of_graph.of[i] - mean.of[i]) > far * scale.of[i])
            g_ptr_array_add(warnings,
                            g_strdup_printf("groups do not %s the same: %s; %s the graph, with a "
                                            "mean of %.0f %s; the mean of all is %.0f",
                                            what[i].differ, kinds, chosen,
                                            of_graph.of[i] / slots.of[i], what[i].unit,
                                            mean.of[i] / slots.of[i]));
    }
}

/* TRUE if the sequence accesses global memory. */
static gboolean moves_anything(const PsRollSequence *sequence)
{
    for (guint i = 0; i < sequence->n_items; i++) {
        const PsRollItem *item = &sequence->items[i];
        if (item->pattern && item->pattern->space == PS_PTX_GLOBAL)
            return TRUE;
        for (guint r = 0; item->kind == PS_ROLL_LOOP && r < item->n_runs; r++)
            if (moves_anything(item->runs[r].body))
                return TRUE;
    }
    return FALSE;
}

static gboolean could_move(const PsPtxCode *code)
{
    for (guint p = 0; p < code->n_points; p++) {
        const PsPtxMnemonic *mnemonic = code->points[p].instruction->mnemonic;
        static const char *const opcodes[] = {"ld", "st", "atom", "red", NULL};
        if (g_strv_contains(opcodes, mnemonic->opcode) &&
            (mnemonic->space == PS_PTX_GLOBAL || mnemonic->space == PS_PTX_GENERIC))
            return TRUE;
    }
    return FALSE;
}

static gboolean group_moves(const PsRollGroup *group)
{
    for (guint i = 0; i < group->warps->len; i++)
        if (moves_anything(((const PsRollWarps *)group->warps->pdata[i])->sequence))
            return TRUE;
    return FALSE;
}

/* The kind with most work among those that access global memory; NULL: none does. */
static const PsKind *moving_kind(const GArray *kinds)
{
    const PsKind *most = NULL;
    for (guint k = 0; k < kinds->len; k++) {
        const PsKind *kind = &g_array_index(kinds, PsKind, k);
        if (group_moves(kind->group) && (!most || ps_kind_work(kind) > ps_kind_work(most)))
            most = kind;
    }
    return most;
}

/* "; OPTION X,Y,Z makes the graph of that one"; "" if no option can (g_free). */
static char *sample_text(const char *name, const PsKind *kind)
{
    const guint *group = kind->group->group;
    return name ? g_strdup_printf("; %s %u,%u,%u makes the graph of that one", name, group[0],
                                  group[1], group[2])
                : g_strdup("");
}

/* Warns if no group of the graph accesses global memory although the code could: perhaps no thread
 * passed the guard at the kernel's beginning. */
static void warn_of_nothing(const PsSamples *samples, const PsPtxCode *code, GPtrArray *warnings)
{
    const PsKind *typical = &g_array_index(samples->chosen, PsKind, 0);
    const guint *group = typical->group->group;
    const char *name = samples->options->sample_name;
    for (guint k = 0; k < samples->chosen->len; k++)
        if (group_moves(g_array_index(samples->chosen, PsKind, k).group))
            return;
    const PsKind *other = moving_kind(samples->kinds);
    if (other) {
        const guint *at = other->group->group;
        g_autofree char *sample = sample_text(name, other);
        g_ptr_array_add(
            warnings,
            g_strdup_printf("most groups end without an access to global memory, and the graph is "
                            "of one of them, %u,%u,%u (%.0f warp instructions); what few others "
                            "do, such as %u,%u,%u (%.0f), is not in it%s",
                            group[0], group[1], group[2], ps_kind_work(typical), at[0], at[1],
                            at[2], ps_kind_work(other), sample));
    } else if (could_move(code)) {
        g_ptr_array_add(
            warnings,
            g_strdup_printf(
                "the graph is of group %u,%u,%u, which reads and writes no global memory, as if it "
                "had nothing to do%s; have another group executed if others do more%s%s%s",
                group[0], group[1], group[2],
                samples->options->n_samples ? "" : ", and neither does any other that was executed",
                name ? ": " : "", name ? name : "", name ? " X,Y,Z" : ""));
    }
}

/* TRUE if a wait for other warps waits for less in the graph than in the execution. */
static gboolean is_unstated(const PsSamples *samples, const PsLayout *layout, guint point)
{
    for (guint k = 0; k < samples->chosen->len; k++) {
        const PsKind *kind = &g_array_index(samples->chosen, PsKind, k);
        const GArray *unstated = ps_layout_roles(layout, kind->group)->unstated;
        for (guint i = 0; i < unstated->len; i++)
            if (g_array_index(unstated, guint, i) == point)
                return TRUE;
    }
    return FALSE;
}

/* Warns of waits for other warps that the graph lacks; each kind once. */
static void warn_of_waits(const PsSamples *samples, const PsLayout *layout, guint point,
                          GHashTable *seen, GPtrArray *warnings)
{
    const PsFacts *facts = layout->facts;
    static const char words[] = "the graph does not wait for all work of other warps before "
                                "this %s, since that work is not the same each time; the time may "
                                "be too short";
    static const char barrier[] = "barrier of some warps", wait[] = "wait for an mbarrier",
                      fence[] = "product of four warps";
    const char *text = ps_class_is_barrier(ps_facts_instruction(facts, point)) ? barrier
                       : facts->parted[point]                                  ? fence
                                                                               : wait;
    if (!is_unstated(samples, layout, point) || !g_hash_table_add(seen, (gpointer)text))
        return;
    g_autofree char *where = ps_ptx_code_where(facts->code, point);
    g_autofree char *what = g_strdup_printf(words, text);
    g_ptr_array_add(warnings, g_strdup_printf("%s: %s", where, what));
}

/* The graph has groups alone, without clusters. */
static void warn_of_clusters(const PsSamples *samples, const PsFacts *facts, guint point,
                             GHashTable *seen, GPtrArray *warnings)
{
    static const char text[] =
        "groups of a cluster meet here; in the graph no group waits for another, and another "
        "group's shared memory takes the time of its own, so the time may be too short";
    const PsPtxMnemonic *mnemonic = ps_facts_instruction(facts, point)->mnemonic;
    if (ps_ptx_machine_cluster(samples->machine) == 1 || strcmp(mnemonic->opcode, "barrier") != 0 ||
        !ps_ptx_has(mnemonic, "cluster") || !g_hash_table_add(seen, (gpointer)text))
        return;
    g_autofree char *where = ps_ptx_code_where(facts->code, point);
    g_ptr_array_add(warnings, g_strdup_printf("%s: %s", where, text));
}

/* Memory that several GPUs have at one address is accessed through the switch between them. */
static void warn_of_multimem(const PsFacts *facts, guint point, GHashTable *seen,
                             GPtrArray *warnings)
{
    static const char text[] = "memory of several GPUs: this one alone is executed, and what the "
                               "way between them takes is not in the time";
    if (strcmp(ps_facts_instruction(facts, point)->mnemonic->opcode, "multimem") != 0 ||
        !g_hash_table_add(seen, (gpointer)text))
        return;
    g_autofree char *where = ps_ptx_code_where(facts->code, point);
    g_ptr_array_add(warnings, g_strdup_printf("%s: %s", where, text));
}

static void warn_of_point(const PsFacts *facts, guint point, GHashTable *seen, GPtrArray *warnings)
{
    const PsFact *fact = &facts->facts[point];
    const PsPtxInstruction *instruction = ps_facts_instruction(facts, point);
    /* In machine code an instruction without a class was skipped, of which another warning
     * tells. */
    if (!fact->class.known && !facts->machine &&
        g_hash_table_add(seen, (gpointer)instruction->mnemonic->opcode)) {
        g_autofree char *where = ps_ptx_code_where(facts->code, point);
        g_ptr_array_add(warnings, g_strdup_printf("%s: %s is an instruction of the class unknown",
                                                  where, instruction->mnemonic->text));
    }
}

/* Names the line at which few groups may do what no executed group did. */
static void warn_of_picked(const PsSamples *samples, const PsPtxCode *code, GPtrArray *warnings)
{
    const gboolean may = samples->vary && samples->sure.hidden > 0;
    const guint point = may ? ps_groups_pick(code) : PS_PTX_NOWHERE;
    if (point == PS_PTX_NOWHERE)
        return;
    g_autofree char *where = ps_ptx_code_where(code, point);
    const char *name = samples->options->sample_name;
    g_ptr_array_add(
        warnings,
        g_strdup_printf(
            "%s: by their number some groups may do something else, and only %u of "
            "%" G_GUINT64_FORMAT " were executed; what others do is not in the time%s%s%s",
            where, g_hash_table_size(samples->numbers), ps_samples_groups(samples),
            name ? "; " : "", name ? name : "", name ? " X,Y,Z has one of them executed" : ""));
}

void ps_build_warn(const PsSamples *samples, const PsLayout *layout, GPtrArray *warnings)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    const PsPtxCode *code = layout->facts->code;
    for (guint k = 0; k < samples->chosen->len; k++) {
        const GPtrArray *all = g_array_index(samples->chosen, PsKind, k).group->warps;
        for (guint i = 0; i < all->len; i++)
            warn_of_loops(layout->facts, ((const PsRollWarps *)all->pdata[i])->sequence, seen,
                          warnings);
    }
    ps_build_warn_of_code(samples, layout->facts, warnings);
    ps_build_warn_of_queues(samples, layout->facts, warnings);
    ps_build_warn_of_retries(layout->facts, warnings);
    ps_build_warn_of_sleeps(layout->facts, warnings);
    ps_build_warn_of_cancels(layout->facts, warnings);
    ps_build_warn_of_loaded(samples, layout->facts, warnings);
    warn_of_groups(samples, warnings);
    warn_of_picked(samples, code, warnings);
    warn_of_nothing(samples, code, warnings);
    if (samples->left_out)
        g_ptr_array_add(warnings, g_strdup(samples->left_out));
    if (samples->few)
        g_ptr_array_add(warnings, g_strdup(samples->few));
    for (guint p = 0; p < code->n_points; p++) {
        if (layout->facts->facts[p].role == PS_ROLE_ABSENT)
            continue;
        warn_of_point(layout->facts, p, seen, warnings);
        warn_of_waits(samples, layout, p, seen, warnings);
        warn_of_clusters(samples, layout->facts, p, seen, warnings);
        warn_of_multimem(layout->facts, p, seen, warnings);
    }
}
