/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Branches on values that a loop computes anew each time. Such a value comes from numbers outside
 * of the loop, such as the first and the last value of a counter. Where these are the same in two
 * groups, and the branch depends on nothing that the loop loads, the loop runs as often in both.
 * See slice.h.
 */
#include "ptx/run/slice-private.h"

#include "ptx/code/expand.h"

#define MOST_STEPS 64

typedef struct {
    PsPtxSlice *slice;
    guint n;
    struct {
        guint point, reg;
    } seen[MOST_STEPS]; /* registers, and the points that write them */
    int *numbers;       /* the caller's */
    guint n_numbers;
    guint *jump, *other; /* jump: per point, a jump to it, plus 1; other: per jump, the next to the
                            same point, plus 1 */
    gboolean good;
} Trace;

static void trace_register(Trace *trace, guint point, guint reg);

/* TRUE if the point only computes, and brings in no number of the group. */
static gboolean only_computes(const PsPtxSlice *slice, guint point)
{
    const PsPtxInstruction *instruction = slice->machine->code->points[point].instruction;
    PsPtxStep step;
    guint depends = 0;
    gboolean good = ps_ptx_decode_alone(slice->machine, slice->decoder, point, &step) &&
                    step.straight > 0 && step.n_both == 0;
    for (guint i = 0; good && i < instruction->n_operands; i++)
        good = ps_ptx_slice_by_place(&instruction->operands[i], &depends);
    g_free(step.more);
    g_free(step.both);
    g_free(step.tally);
    return good && (depends & PS_PTX_BY_GROUP) == 0;
}

/* Traces the value that a point writes to the register. */
static void trace_writer(Trace *trace, guint point, guint reg)
{
    PsPtxSlice *slice = trace->slice;
    for (guint i = 0; i < trace->n; i++)
        if (trace->seen[i].point == point && trace->seen[i].reg == reg)
            return;
    trace->good = trace->good && trace->n < MOST_STEPS;
    if (!trace->good)
        return;
    trace->seen[trace->n].point = point;
    trace->seen[trace->n++].reg = reg;
    if (ps_ptx_slice_add(slice, point)) {
        const guint depends = ps_ptx_slice_part(slice, point)->depends;
        if ((depends & PS_PTX_BY_GROUP) == 0)
            return;
        const int number =
            trace->n_numbers < PS_PTX_SLICE_OUTPUTS ? ps_ptx_slice_ask(slice, point, reg) : -1;
        trace->good = number >= 0;
        if (trace->good)
            trace->numbers[trace->n_numbers++] = number;
        return;
    }
    const PsPtxRegisters read = ps_ptx_slice_read(&slice->machine->code->points[point]);
    trace->good = !read.more && only_computes(slice, point);
    for (guint i = 0; trace->good && i < read.n; i++)
        trace_register(trace, point, read.list[i]);
}

/* ---- which instructions a register comes from ----------------------------------------------- */

/* FALSE: a jump has several targets. */
static gboolean note_jumps(Trace *trace)
{
    const PsPtxCode *code = trace->slice->machine->code;
    trace->jump = g_new0(guint, (gsize)code->n_points + 1);
    trace->other = g_new0(guint, (gsize)code->n_points + 1);
    for (guint p = 0; p < code->n_points; p++) {
        const guint target = code->points[p].target;
        if (code->points[p].targets)
            return FALSE;
        if (target >= code->n_points)
            continue;
        trace->other[p] = trace->jump[target];
        trace->jump[target] = p + 1;
    }
    return TRUE;
}

static gboolean goes_on(const PsPtxPoint *at)
{
    return at->instruction->guard >= 0 ||
           (at->target == PS_PTX_NOWHERE && ps_ptx_leaves(at) == PS_PTX_STAYS);
}

/* Appends the points that lead to this one and that were not seen. */
static void append_before(const Trace *trace, guint point, guint8 *seen, GArray *points)
{
    const PsPtxPoint *code = trace->slice->machine->code->points;
    guint before = trace->jump[point];
    if (point > 0 && goes_on(&code[point - 1]) && !seen[point - 1]++) {
        const guint last = point - 1;
        g_array_append_val(points, last);
    }
    for (; before > 0; before = trace->other[before - 1]) {
        const guint from = before - 1;
        if (!seen[from]++)
            g_array_append_val(points, from);
    }
}

/* Traces all writers of the value that the register holds at the point: a compiler has other values
 * in the same register elsewhere. */
static void trace_writers(Trace *trace, guint point, guint reg)
{
    const PsPtxCode *code = trace->slice->machine->code;
    g_autofree guint8 *seen = g_malloc0((gsize)code->n_points + 1);
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(guint));
    append_before(trace, point, seen, points);
    for (guint n = 0; trace->good && n < points->len; n++) {
        const guint p = g_array_index(points, guint, n);
        const PsPtxRegisters written = ps_ptx_slice_written(&code->points[p]);
        gboolean writes = FALSE;
        for (guint i = 0; i < written.n; i++)
            writes |= written.list[i] == reg;
        trace->good = !written.more;
        if (writes)
            trace_writer(trace, p, reg);
        if (!writes || code->points[p].instruction->guard >= 0)
            append_before(trace, p, seen, points);
    }
}

/* Traces a register that a point reads. */
static void trace_register(Trace *trace, guint point, guint reg)
{
    const guint from = ps_ptx_slice_from(trace->slice, point, reg);
    if (from == PS_PTX_SLICE_SEVERAL)
        trace_writers(trace, point, reg);
    else if (from > 0)
        trace_writer(trace, from - 1, reg);
}

int ps_ptx_slice_loop(PsPtxSlice *slice, guint point, int numbers[PS_PTX_SLICE_OUTPUTS])
{
    const PsPtxPoint *at = &slice->machine->code->points[point];
    Trace trace = {.slice = slice, .numbers = numbers, .good = at->instruction->guard >= 0};
    trace.good = trace.good && note_jumps(&trace);
    if (trace.good)
        trace_register(&trace, point, ps_ptx_code_register(at, at->instruction->guard));
    g_free(trace.jump);
    g_free(trace.other);
    return trace.good ? (int)trace.n_numbers : -1;
}
