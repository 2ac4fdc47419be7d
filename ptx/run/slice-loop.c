/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a branch goes by that a loop computes anew each time: numbers that come into it from
 * outside, such as the first and the last value of a counter. Where these are the same in two
 * groups, and the loop loads nothing that it goes by, so is how often it runs. See slice.h.
 */
#include "ptx/run/slice-private.h"

#define MOST_STEPS 64

typedef struct {
    PsPtxSlice *slice;
    guint n;
    struct {
        guint point, reg;
    } seen[MOST_STEPS]; /* registers that points write */
    int *numbers;       /* the caller's */
    guint n_numbers;
    gboolean good;
} Trace;

static void trace_register(Trace *trace, guint point, guint reg);

/* TRUE if the point only computes, and the group's number does not come in by it. */
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

/* What a point writes to the register is gone by. */
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

/* A register that a point reads is gone by: all that write it are, where these are several. */
static void trace_register(Trace *trace, guint point, guint reg)
{
    const PsPtxCode *code = trace->slice->machine->code;
    const guint from = ps_ptx_slice_from(trace->slice, point, reg);
    if (from != PS_PTX_SLICE_SEVERAL && from > 0)
        trace_writer(trace, from - 1, reg);
    for (guint p = 0; from == PS_PTX_SLICE_SEVERAL && trace->good && p < code->n_points; p++) {
        const PsPtxRegisters written = ps_ptx_slice_written(&code->points[p]);
        gboolean writes = FALSE;
        for (guint i = 0; i < written.n; i++)
            writes |= written.list[i] == reg;
        trace->good = !written.more;
        if (writes)
            trace_writer(trace, p, reg);
    }
}

int ps_ptx_slice_loop(PsPtxSlice *slice, guint point, int numbers[PS_PTX_SLICE_OUTPUTS])
{
    const PsPtxPoint *at = &slice->machine->code->points[point];
    Trace trace = {.slice = slice, .numbers = numbers, .good = at->instruction->guard >= 0};
    if (trace.good)
        trace_register(&trace, point, ps_ptx_code_register(at, at->instruction->guard));
    return trace.good ? (int)trace.n_numbers : -1;
}
