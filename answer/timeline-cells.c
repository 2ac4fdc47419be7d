/* SPDX-License-Identifier: BSD-3-Clause */
/* See timeline-cells.h. Spans are added up cell by cell as they arrive. */
#include "answer/timeline-cells.h"

#include "sim/listen/timeline.h"

#include <math.h>
#include <string.h>

/* Cycles that are shown if no window is given. */
#define USUAL_CYCLES 1000

typedef struct {
    gint64 ticks[PS_WAIT_N_KINDS];
} Cell;

/* Fillings of a ring that are in one of two states, in copy and full, by column: those that enter
 * the state less those that leave it, and the ticks of that column that they spend in it. */
typedef struct {
    double *enter, *ticks;
    double before; /* fillings in the state before the first column */
} Fillings;

struct PsTimelineCells {
    const PsAnswer *answer;
    PsTimelineScale scale;
    guint per_group;
    guint n_rows;
    guint *row_of;   /* [warp of the CU]: its row; G_MAXUINT: not shown */
    Cell *cells;     /* row by row */
    gint64 *skipped; /* [column]: ticks */
    GPtrArray *rings;
    Fillings (*fillings)[2];
};

/* ---- which cycles -------------------------------------------------------------------------- */

/* The least of 1, 2, 5, 10, 20 ... that is at least that many cycles. */
static gint64 round_up(gint64 cycles)
{
    gint64 nice = 1;
    for (guint i = 0; nice < cycles && nice < G_MAXINT64 / 4; i++)
        nice = i % 3 == 1 ? nice / 2 * 5 : nice * 2;
    return MAX(nice, cycles);
}

/* Makes columns of that step from its last multiple on; the first and the last may extend beyond
 * the window. */
static void make_columns(PsTimelineScale *scale, gint64 step)
{
    scale->step = step;
    scale->origin = scale->from / step * step;
    scale->columns = (guint)((scale->to - scale->origin - 1) / step + 1);
}

/* Makes as many columns as there is room for. A window within one cycle is one column, however
 * short. */
static void choose_columns(PsTimelineScale *scale, gint64 per_cycle, gint64 cycles, gint64 room)
{
    if (scale->to - scale->from < per_cycle) {
        scale->step = scale->to - scale->from;
        scale->origin = scale->from;
        scale->columns = 1;
        return;
    }
    gint64 step = round_up((cycles - 1) / room + 1);
    make_columns(scale, step * per_cycle);
    while (scale->columns > room) {
        step = round_up(step + 1);
        make_columns(scale, step * per_cycle);
    }
}

static PsTimelineScale choose_scale(const PsAnswer *answer, const PsTimelineAsk *ask)
{
    const gint64 per_cycle = answer->machine->ticks_per_cycle, room = ask->columns;
    PsTimelineScale scale = {.from = ask->from, .to = ask->to};
    gint64 cycles = (scale.to - scale.from - 1) / per_cycle + 1;
    if (ask->usual) {
        cycles = MIN(cycles, MAX(USUAL_CYCLES, room));
        scale.to = MIN(scale.to, room * round_up((cycles - 1) / room + 1) * per_cycle);
    }
    choose_columns(&scale, per_cycle, cycles, room);
    return scale;
}

/* ---- listening ----------------------------------------------------------------------------- */

static void on_span(void *data, const PsTimelineSpan *span)
{
    PsTimelineCells *cells = data;
    const PsTimelineScale *scale = &cells->scale;
    const guint row = cells->row_of[span->place * cells->per_group + span->warp];
    if (row == G_MAXUINT)
        return;
    gint64 at = span->from - scale->origin;
    const gint64 to = span->to - scale->origin;
    while (at < to) {
        const gint64 column = at / scale->step;
        const gint64 end = MIN(to, (column + 1) * scale->step);
        cells->cells[(gsize)row * scale->columns + (gsize)column].ticks[span->kind] += end - at;
        at = end;
    }
}

gint64 ps_timeline_cells_begin(const PsTimelineCells *cells, guint column)
{
    return MAX(cells->scale.origin + column * cells->scale.step, cells->scale.from);
}

static gint64 end_of(const PsTimelineCells *cells, guint column)
{
    return MIN(cells->scale.origin + (column + 1) * cells->scale.step, cells->scale.to);
}

static void on_change(void *data, const PsStageChange *change)
{
    PsTimelineCells *cells = data;
    const PsTimelineScale *scale = &cells->scale;
    if (change->state > PS_STAGE_FULL || change->time >= scale->to)
        return;
    Fillings *of = &cells->fillings[change->ring][change->state];
    if (change->time < scale->from) {
        of->before += change->fillings;
        return;
    }
    const guint column = (guint)((change->time - scale->origin) / scale->step);
    of->enter[column] += change->fillings;
    of->ticks[column] += change->fillings * (double)(end_of(cells, column) - change->time);
}

/* A filling that is there when a column begins is there for all of it, but for what the column
 * itself records. */
static void sum_columns(PsTimelineCells *cells)
{
    for (guint r = 0; r < cells->rings->len; r++)
        for (guint state = PS_STAGE_UNDER_WAY; state <= PS_STAGE_FULL; state++) {
            Fillings *of = &cells->fillings[r][state];
            double there = of->before;
            for (guint c = 0; c < cells->scale.columns; c++) {
                of->ticks[c] +=
                    there * (double)(end_of(cells, c) - ps_timeline_cells_begin(cells, c));
                there += of->enter[c];
            }
        }
}

static void on_skipped(void *data, const PsSkip *skip)
{
    PsTimelineCells *cells = data;
    for (guint c = 0; c < cells->scale.columns; c++) {
        const gint64 from = MAX(skip->from, ps_timeline_cells_begin(cells, c));
        const gint64 to = MIN(skip->to, end_of(cells, c));
        cells->skipped[c] += MAX(to - from, 0);
    }
}

static gboolean simulate(PsTimelineCells *cells, gboolean no_fast_forward, GError **error)
{
    const PsMachine *machine = cells->answer->machine;
    const gint64 from = cells->scale.from, to = cells->scale.to;
    const PsTimelineSink sink = {.data = cells, .span = on_span, .skipped = on_skipped};
    g_autoptr(PsTimeline) timeline = ps_timeline_new(machine, from, to, &sink);
    g_autoptr(PsStages) stages = ps_stages_new(machine, cells->rings);
    const PsListener listeners[] = {ps_timeline_listener(timeline), ps_stages_listener(stages)};
    PsSimOptions options = {.listeners = listeners,
                            .n_listeners = cells->rings->len > 0 ? 2 : 1,
                            .no_fast_forward = no_fast_forward,
                            .precision = cells->answer->precision};
    PsSimResult result;
    ps_window_make_whole(cells->answer, from, to, &options);
    ps_stages_watch(stages, on_change, cells);
    if (!ps_sim_run(machine, &options, &result, error))
        return FALSE;
    sum_columns(cells);
    return TRUE;
}

/* ---- the table ----------------------------------------------------------------------------- */

static void make_fillings(PsTimelineCells *cells)
{
    const PsAnswer *answer = cells->answer;
    cells->rings = ps_rings_new(answer->kernel, answer->machine->launch.warps_per_group);
    cells->fillings = g_malloc0_n(cells->rings->len + 1, sizeof *cells->fillings);
    for (guint r = 0; r < 2 * cells->rings->len; r++) {
        Fillings *of = &cells->fillings[r / 2][r % 2];
        of->enter = g_new0(double, cells->scale.columns);
        of->ticks = g_new0(double, cells->scale.columns);
    }
}

PsTimelineCells *ps_timeline_cells_new(const PsAnswer *answer, const PsTimelineAsk *ask,
                                       GError **error)
{
    const PsLaunch *launch = &answer->machine->launch;
    const gsize n_warps = (gsize)(launch->active_groups * launch->warps_per_group);
    g_autoptr(PsTimelineCells) cells = g_new0(PsTimelineCells, 1);
    cells->answer = answer;
    cells->scale = choose_scale(answer, ask);
    cells->per_group = (guint)launch->warps_per_group;
    cells->n_rows = ask->n_warps;
    cells->row_of = g_new(guint, n_warps);
    memset(cells->row_of, 0xff, n_warps * sizeof *cells->row_of);
    for (guint row = 0; row < ask->n_warps; row++)
        cells->row_of[ask->warps[row]] = row;
    cells->cells = g_new0(Cell, (gsize)cells->scale.columns * ask->n_warps);
    cells->skipped = g_new0(gint64, cells->scale.columns);
    make_fillings(cells);
    return simulate(cells, ask->no_fast_forward, error) ? g_steal_pointer(&cells) : NULL;
}

void ps_timeline_cells_free(PsTimelineCells *cells)
{
    if (!cells)
        return;
    g_free(cells->row_of);
    g_free(cells->cells);
    g_free(cells->skipped);
    for (guint r = 0; cells->rings && r < 2 * cells->rings->len; r++) {
        g_free(cells->fillings[r / 2][r % 2].enter);
        g_free(cells->fillings[r / 2][r % 2].ticks);
    }
    g_free(cells->fillings);
    g_clear_pointer(&cells->rings, g_ptr_array_unref);
    g_free(cells);
}

PsTimelineScale ps_timeline_cells_scale(const PsTimelineCells *cells)
{
    return cells->scale;
}

guint ps_timeline_cells_seen(const PsTimelineCells *cells, guint row, guint column)
{
    const Cell *cell = &cells->cells[(gsize)row * cells->scale.columns + column];
    const gint64 all = end_of(cells, column) - ps_timeline_cells_begin(cells, column);
    gint64 rest = all - cells->skipped[column];
    guint most = 0;
    if (cells->skipped[column] * 2 >= all)
        return PS_CELL_SKIPPED;
    for (guint kind = 0; kind < PS_WAIT_NOT_STARTED; kind++) {
        rest -= cell->ticks[kind];
        if (cell->ticks[kind] > cell->ticks[most])
            most = kind;
    }
    if (rest > cell->ticks[most])
        return PS_WAIT_NOT_STARTED;
    return most == PS_WAIT_DATA && cell->ticks[PS_WAIT_ISSUING] > 0 ? PS_CELL_BUSY_DATA : most;
}

guint ps_timeline_cells_n_rings(const PsTimelineCells *cells)
{
    return cells->rings->len;
}

PsStageMeans ps_timeline_cells_stages(const PsTimelineCells *cells, guint ring, guint column)
{
    const gint64 all = end_of(cells, column) - ps_timeline_cells_begin(cells, column);
    const Fillings *of = cells->fillings[ring];
    const double whole = cells->skipped[column] * 2 >= all ? NAN : (double)all;
    return (PsStageMeans){of[PS_STAGE_UNDER_WAY].ticks[column] / whole,
                          of[PS_STAGE_FULL].ticks[column] / whole, NAN};
}
