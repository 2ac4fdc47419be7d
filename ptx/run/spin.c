/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops that wait for a write of another thread. A path spins if one turn of its loop leaves all
 * registers of its lanes and all memory unchanged: then only a write of another thread ends it. How
 * often a GPU executes such a loop depends on when the other thread gets its turn, so the time of a
 * kernel with such a loop is not known; and if all threads of a group spin or wait, the kernel
 * never ends.
 */
#include "ptx/run/watch.h"

#include <string.h>

/* Loops that read memory which no other thread writes are looked at, too: after this many
 * instructions of the warp, and whenever their number has doubled. */
#define FIRST_LOOK (1 << 20)

gboolean ps_ptx_spin_is_due(const PsPtxRunner *runner, guint64 before)
{
    const guint64 now = runner->executed;
    if (!runner->runs || runner->open.error)
        return FALSE;
    if (runner->may_spin && now - before >= PS_PTX_TURN)
        return TRUE;
    return now >= FIRST_LOOK && before > 0 && __builtin_clzll(now) != __builtin_clzll(before);
}

/* TRUE if the step that was executed can only have read memory, or is an atomic operation, which
 * counts its changes. */
static gboolean only_read(const PsPtxRunner *runner, guint point)
{
    static const char *const readers[] = {"ld", "ldu", "atom", NULL};
    const PsPtxCode *code = runner->machine->code;
    return point < code->n_points && !runner->again &&
           (!runner->touched ||
            g_strv_contains(readers, code->points[point].instruction->mnemonic->opcode));
}

static gboolean rows_are_equal(const PsPtxRunner *runner, const guint64 *before)
{
    const guint64(*rows)[PS_PTX_LANES] = (const guint64(*)[PS_PTX_LANES])runner->open.slots;
    for (guint i = 0; i < runner->machine->n_slots; i++)
        for (guint32 rest = runner->open.active; rest != 0; rest &= rest - 1) {
            const guint lane = (guint)__builtin_ctz(rest);
            if (rows[i][lane] != before[(gsize)i * PS_PTX_LANES + lane])
                return FALSE;
        }
    return TRUE;
}

/* Executes until the path is back at its point; FALSE: it does not come back, or something was
 * written. */
static gboolean go_round(PsPtxRunner *runner, guint64 most)
{
    const guint start = runner->pc;
    const guint32 active = runner->open.active;
    const guint64 changes = runner->machine->changes, end = runner->executed + most;
    do {
        const guint point = runner->pc;
        if (point == runner->meet || runner->executed >= end)
            return FALSE;
        ps_ptx_one(runner);
        if (!runner->runs || runner->open.error || !only_read(runner, point))
            return FALSE;
        if (runner->touched) {
            runner->spin.reads = TRUE;
            runner->spin.space = runner->space;
            runner->spin.at = point;
            runner->spin.bytes = runner->bytes;
            memcpy(runner->spin.address, runner->address, sizeof runner->spin.address);
        }
    } while (runner->pc != start);
    return runner->open.active == active && runner->machine->changes == changes;
}

/* Goes one turn where there is compiled code. That code does not write rows that nobody reads;
 * after a turn all rows are as it leaves them. */
static gboolean go_first_round(PsPtxRunner *runner, guint64 most)
{
    const PsPtxMachine *machine = runner->machine;
    return (!machine->native[0].code && !machine->native[1].code) || go_round(runner, most);
}

static gboolean spins(PsPtxRunner *runner, guint64 most)
{
    const guint64 began = runner->executed;
    if (!go_first_round(runner, most) || runner->executed - began >= most)
        return FALSE;
    most -= runner->executed - began;
    const gsize bytes = (gsize)runner->machine->n_slots * sizeof *runner->open.slots;
    g_autofree guint64 *before = g_memdup2(runner->open.slots, bytes);
    const guint32 carry = runner->open.carry;
    runner->spin = (PsPtxSpin){.point = runner->pc, .lanes = runner->open.active};
    return go_round(runner, most) && runner->open.carry == carry && rows_are_equal(runner, before);
}

/* Records meanwhile where lanes' bytes lie. Afterwards most paths go on as before: paths of long
 * loops are compiled. */
gboolean ps_ptx_spins(PsPtxRunner *runner, guint64 most)
{
    PsPtxMachine *machine = runner->machine;
    machine->notes |= PS_PTX_NOTED_SPIN;
    const gboolean so = spins(runner, most);
    machine->notes &= ~(guint)PS_PTX_NOTED_SPIN;
    return so;
}

static gboolean others_run(const PsPtxRunner *runner)
{
    guint n = 0;
    for (guint i = 0; i < runner->n_order; i++)
        n += runner->paths[runner->order[i]].state == PS_PTX_RUNS;
    return n > 1;
}

void ps_ptx_spin_note(PsPtxRunner *runner)
{
    PsPtxMachine *machine = ps_ptx_first(runner->machine);
    if (machine->spun)
        return;
    machine->spun = TRUE;
    machine->spun_at = runner->spin.point;
    machine->spun_inside = others_run(runner);
}

/* ---- other groups ---------------------------------------------------------------------------- */

/* TRUE: the bytes change. */
static gboolean bring(const PsPtxMachine *machine, guint32 mask, const guint64 *address,
                      guint bytes)
{
    const PsPtxOthers *others = machine->launch.others;
    gboolean any = FALSE;
    for (guint32 rest = mask; rest != 0; rest &= rest - 1)
        any |= others->bring(others->data, address[__builtin_ctz(rest)], bytes);
    return any;
}

static gboolean has(const GArray *points, guint point)
{
    for (guint i = 0; i < points->len; i++)
        if (g_array_index(points, guint, i) == point)
            return TRUE;
    return FALSE;
}

static gboolean bring_to(const PsPtxRunner *runner)
{
    const PsPtxSpin *spin = &runner->spin;
    GArray *points = runner->machine->launch.others->points;
    if (runner->live == 0 || !runner->spun || !spin->reads || spin->space != PS_PTX_GLOBAL)
        return FALSE;
    if (!has(points, spin->at))
        g_array_append_val(points, spin->at);
    return bring(runner->machine, spin->lanes, spin->address, spin->bytes);
}

gboolean ps_ptx_spin_bring(PsPtxMachine *machine)
{
    const PsPtxCluster *cluster = machine->cluster;
    gboolean any = FALSE;
    for (guint r = 0; machine->launch.others && r < cluster->n; r++)
        for (guint w = 0; w < cluster->groups[r]->n_warps; w++)
            any |= bring_to(&cluster->groups[r]->warps[w]);
    ps_ptx_first(machine)->spun &= !any;
    return any;
}

/* Brings the bytes that the step reads, before it reads them. */
static void bring_first(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const PsPtxMachine *machine = ps_ptx_runner(warp)->machine;
    const PsPtxPrelude *own = g_hash_table_lookup(machine->bringers, GUINT_TO_POINTER(step->point));
    guint64 address[PS_PTX_LANES];
    ps_ptx_addresses(warp, step, address);
    bring(machine, mask, address, ps_ptx_type_size(step->type) * MAX(step->vector, 1));
    own->execute(warp, step, mask);
}

void ps_ptx_spin_others(PsPtxMachine *machine)
{
    const GArray *points = machine->launch.others ? machine->launch.others->points : NULL;
    if (!points || points->len == 0)
        return;
    machine->bringers = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    for (guint i = 0; i < points->len; i++) {
        PsPtxStep *step = &machine->steps[g_array_index(points, guint, i)];
        PsPtxWatch *watch = machine->watches ? machine->watches[step->point] : NULL;
        PsPtxExecute *execute = watch ? &watch->execute : &step->execute; /* the function that
                                                                             watches call */
        const PsPtxPrelude own = {.execute = *execute};
        g_hash_table_insert(machine->bringers, GUINT_TO_POINTER(step->point),
                            g_memdup2(&own, sizeof own));
        *execute = bring_first;
    }
}

/* ---- messages ------------------------------------------------------------------------------- */

static char *loop_at(const PsPtxCode *code, guint point)
{
    const guint loop = point < code->n_points ? code->points[point].loop : PS_PTX_NOWHERE;
    return ps_ptx_code_where(code, loop == PS_PTX_NOWHERE ? point : code->loops[loop].header);
}

gboolean ps_ptx_machine_check_spins(const PsPtxMachine *machine, GError **error)
{
    if (!machine->spun)
        return TRUE;
    g_autofree char *where = loop_at(machine->code, machine->spun_at);
    g_set_error(error, PS_ERROR, PS_ERROR_VALUE, "%s: threads wait in this loop for what %s", where,
                machine->launch.workspace
                    ? "other groups of the grid do (a grid.sync() of cooperative groups is such a "
                      "loop); how often they go round it nobody knows, so there is no time"
                : machine->spun_inside
                    ? "another thread of their own warp does; GPUs before Volta never get out of "
                      "it, and how often later ones go round it nobody knows, so there is no time; "
                      "let one thread of each warp wait for all"
                    : "another warp of their group does; how often they go round it nobody knows, "
                      "so there is no time; a barrier in its place has one");
    return FALSE;
}

/* The clause about the buffer that is read: ", which reads "f"" (g_free). */
static char *what_is_read(const PsPtxRunner *runner)
{
    const PsPtxMachine *machine = runner->machine;
    const PsPtxSpin *spin = &runner->spin;
    const PsPtxBuffer *buffer =
        spin->space == PS_PTX_GLOBAL
            ? ps_ptx_buffer_at(machine, PS_PTX_GLOBAL, spin->address[__builtin_ctz(spin->lanes)])
            : NULL;
    return buffer && buffer->name ? g_strdup_printf("\"%s\"", buffer->name)
                                  : g_strdup_printf(".%s memory", ps_ptx_space_name(spin->space));
}

/* The first warp of the cluster that spins. */
static const PsPtxRunner *spinning(const PsPtxMachine *machine)
{
    const PsPtxCluster *cluster = machine->cluster;
    for (guint r = 0; r < cluster->n; r++)
        for (guint w = 0; w < cluster->groups[r]->n_warps; w++)
            if (cluster->groups[r]->warps[w].live != 0 && cluster->groups[r]->warps[w].spun)
                return &cluster->groups[r]->warps[w];
    g_assert_not_reached();
}

void ps_ptx_spin_fail(const PsPtxMachine *machine, GError **error)
{
    const PsPtxRunner *runner = spinning(machine);
    const PsPtxSpin *spin = &runner->spin;
    g_autofree char *where = loop_at(machine->code, spin->point);
    g_autofree char *thread = ps_ptx_thread_text(runner, (guint)__builtin_ctz(spin->lanes));
    if (!spin->reads) {
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                    "%s: %s never leaves this loop, in which nothing changes", where, thread);
        return;
    }
    g_autofree char *what = what_is_read(runner);
    g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                "%s: %s waits in this loop for a value in %s that no thread of its group writes; "
                "groups are executed one by one, so that what another group would write is not "
                "there; let what it waits for be there from the start",
                where, thread, what);
}
