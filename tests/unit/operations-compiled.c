/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations on floats of every launch of the corpus, by type: those of the machine code that ptxas
 * made (tests/sass/corpus, for sm_80) are those of the PTX, but for what is named here. Both are
 * counted where they are executed, in the first group, for each lane: what the assembler unrolls,
 * or guards in place of a branch, lanes do as often as before.
 *
 * Of integers nothing is said: addresses, counters and indices are the assembler's own.
 */
#include "ptx/run/run.h"
#include "tests/help/corpus.h"
#include "tests/help/operations.h"
#include "tests/help/sass.h"

#include <string.h>

static const guint first_group[3] = {0, 0, 0};

/* ---- what the assembler changes ------------------------------------------------------------- */

/* Instructions of PTX in whose place others stand: how many operations of that type a lane does
 * more. Of both roots and divisions it is the way that ordinary numbers take. */
static const struct {
    const char *mnemonic;
    OperationType type;
    gint64 more;
    const char *why;
} sequences[] = {
    {"div.rn.f32", OF_FP32, 10, "a reciprocal and five multiply-adds"},
    {"rcp.rn.f32", OF_FP32, 4, "a reciprocal and two multiply-adds"},
    {"sqrt.rn.f32", OF_FP32, 6, "a reciprocal root, two products, two multiply-adds"},
    {"div.rn.f64", OF_FP64, 15, "a reciprocal, seven multiply-adds, a product"},
    {"sqrt.rn.f64", OF_FP64, 13, "a reciprocal root, five multiply-adds, three products"},
    {"div.s32", OF_FP32, 1, "a reciprocal of single precision begins it"},
    {"rem.u32", OF_FP32, 1, "a reciprocal of single precision begins it"},
    {"rem.u64", OF_FP32, 1, "a reciprocal of single precision begins it"},
};

/* Launches of which fewer lanes execute the same instructions: a result that only some lanes need
 * is computed behind their branch, or with a guard in place of a choice. */
static const struct {
    const char *launch;
    OperationType type;
    gint64 ptx, machine;
} by_fewer_lanes[] = {
    {"spmv-warp", OF_FP32, 668, 544},
    {"reduce-shuffle", OF_FP32, 1024, 993},
    {"black-scholes", OF_FP32, 14336, 18443},
};

/* ---- executed ------------------------------------------------------------------------------- */

/* Operations of lanes, and those of warps that come to the instruction, whether a lane executes it
 * or not. */
typedef struct {
    gint64 lanes[N_OPERATION_TYPES], warps[N_OPERATION_TYPES];
} Counts;

typedef struct {
    const PsPtxCode *code;
    const PsPtxFunction *kernel;
    const PsSassCode *machine; /* or NULL: it is PTX */
    Counts done, more;         /* more: in the place of PTX, if the table is right */
} Executed;

static void add(Counts *counts, guint type, guint32 mask, gint64 operations)
{
    counts->lanes[type] += __builtin_popcount(mask) * operations;
    counts->warps[type] += operations;
}

/* Whether the register is one that all of the kernel's code only ever sets to 1 or -1. */
static gboolean is_one(const PsPtxFunction *kernel, const PsPtxOperand *operand)
{
    guint writes = 0, ones = 0;
    if (operand->kind != PS_PTX_OPERAND_REGISTER)
        return FALSE;
    for (guint i = 0; i < kernel->instructions->len; i++) {
        const PsPtxInstruction *other = &g_array_index(kernel->instructions, PsPtxInstruction, i);
        if (ps_ptx_n_destinations(other) == 0 || other->operands[0].reg != operand->reg ||
            other->operands[0].kind != PS_PTX_OPERAND_REGISTER)
            continue;
        writes++;
        ones += strcmp(other->mnemonic->text, "mov.f32") == 0 &&
                (other->operands[1].value & 0x7fffffff) == 0x3f800000;
    }
    return writes > 0 && writes == ones;
}

static void add_ptx(Executed *all, const PsPtxInstruction *instruction, guint32 mask)
{
    const char *text = instruction->mnemonic->text;
    guint64 counts[N_OPERATION_TYPES] = {0};
    operations_add(instruction, counts);
    for (guint t = 0; t < N_OPERATION_TYPES; t++)
        add(&all->done, t, mask, (gint64)counts[t]);
    for (guint i = 0; i < G_N_ELEMENTS(sequences); i++)
        if (strcmp(text, sequences[i].mnemonic) == 0)
            add(&all->more, sequences[i].type, mask, sequences[i].more);
    /* A multiply-add with 1 or -1 is a sum, or a move, and machine code's counts as that. */
    if (strcmp(text, "fma.rn.f32") == 0 && is_one(all->kernel, &instruction->operands[2]))
        add(&all->more, OF_FP32, mask, -1);
}

/* Counts a machine instruction once: one part of the PTX that tells it stands for it. */
static void add_machine(Executed *all, const PsPtxInstruction *instruction, guint32 mask)
{
    const PsPtxInstruction *first = &g_array_index(all->kernel->instructions, PsPtxInstruction, 0);
    const PsSassOrigin *origin =
        &g_array_index(all->machine->origins, PsSassOrigin, (gsize)(instruction - first));
    if (!origin->stands || origin->machine == G_MAXUINT)
        return;
    const PsSassUse *use = &g_array_index(all->machine->uses, PsSassUse, origin->machine);
    for (guint t = 0; t < N_OPERATION_TYPES; t++)
        if (g_strcmp0(use->type, operation_names[t]) == 0)
            add(&all->done, t, mask, use->ops);
}

static void executed(gpointer data, const PsPtxEvent *event)
{
    Executed *all = data;
    const PsPtxInstruction *instruction = all->code->points[event->point].instruction;
    (all->machine ? add_machine : add_ptx)(all, instruction, event->mask);
}

static void execute(const PsPtxModule *module, const CorpusLaunch *launch, Executed *all)
{
    PsPtxArgument arguments[CORPUS_MOST_ARGUMENTS];
    g_autoptr(GError) error = NULL;
    gpointer *buffers = corpus_buffers_new(launch);
    PsPtxLaunch run = {.kernel = ps_ptx_kernel(module, launch->kernel, &error),
                       .dynamic_shared = launch->dynamic_shared,
                       .n_arguments = corpus_fill_arguments(launch, buffers, arguments),
                       .arguments = arguments};
    g_assert_no_error(error);
    memcpy(run.grid, launch->grid, sizeof run.grid);
    memcpy(run.block, launch->block, sizeof run.block);
    PsPtxMachine *machine = ps_ptx_machine_new(module, &run, &error);
    g_assert_no_error(error);
    all->kernel = run.kernel;
    all->code = ps_ptx_machine_code(machine);
    const PsPtxListener listener = {.data = all, .executed = executed};
    g_assert_true(ps_ptx_run_group(machine, first_group, &listener, &error));
    ps_ptx_machine_free(machine);
    corpus_buffers_free(buffers);
}

/* ---- compared ------------------------------------------------------------------------------- */

static void compare(const char *launch, OperationType type, const Executed *ptx,
                    const Executed *machine)
{
    const gint64 before = ptx->done.lanes[type], after = machine->done.lanes[type];
    gint64 wanted = before + ptx->more.lanes[type], of_ptx = before;
    for (guint i = 0; i < G_N_ELEMENTS(by_fewer_lanes); i++)
        if (strcmp(launch, by_fewer_lanes[i].launch) == 0 && type == by_fewer_lanes[i].type) {
            g_assert_cmpint(by_fewer_lanes[i].machine, <, wanted);
            wanted = by_fewer_lanes[i].machine;
            of_ptx = by_fewer_lanes[i].ptx;
            g_assert_cmpint(machine->done.warps[type], >=,
                            ptx->done.warps[type] + ptx->more.warps[type]);
        }
    g_test_message("%s, %s: %" G_GINT64_FORMAT " of PTX, %" G_GINT64_FORMAT
                   " of machine code, %" G_GINT64_FORMAT " wanted",
                   launch, operation_names[type], before, after, wanted);
    g_assert_cmpint(before, ==, of_ptx);
    g_assert_cmpint(after, ==, wanted);
}

static void test_launch(gconstpointer data)
{
    const CorpusLaunch *launch = data;
    g_autofree char *path = g_build_filename("tests/corpus", launch->ptx, NULL);
    g_autofree char *name = g_strndup(launch->ptx, strlen(launch->ptx) - strlen(".ptx"));
    g_autofree char *file = g_strconcat("corpus/", name, NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(PsPtxModule) module = ps_ptx_load(path, &error);
    g_assert_no_error(error);
    PsSassImage *image = NULL;
    PsSassCode *code = sass_code(file, launch->kernel, &image);
    Executed of_ptx = {0}, of_machine = {.machine = code};
    execute(module, launch, &of_ptx);
    execute(code->module, launch, &of_machine);
    for (guint t = 0; t < OF_INT; t++)
        compare(launch->name, t, &of_ptx, &of_machine);
    ps_sass_code_free(code);
    ps_sass_image_free(image);
}

int main(int argc, char **argv)
{
    const CorpusLaunch *launch;
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    for (guint n = 0; (launch = corpus_launch(n)); n++) {
        g_autofree char *path = g_strconcat("/operations-compiled/", launch->name, NULL);
        g_test_add_data_func(path, launch, test_launch);
    }
    return g_test_run();
}
