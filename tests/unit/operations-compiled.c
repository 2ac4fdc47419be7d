/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations of every launch of the corpus, by type: those of the machine code that ptxas made
 * (tests/sass/corpus, for sm_80) are those of the PTX, but for what is named here. Both are counted
 * where they are executed, in the first group, for each lane: what the assembler unrolls, or guards
 * in place of a branch, lanes do as often as before. Integers are looked at by kind, since
 * addresses, counters and indices are the assembler's own.
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

typedef enum { PRODUCTS, SUMS, SHIFTS, LOGIC, OTHERS, N_KINDS } Kind;

/* What the assembler changes of integers, where no table of instructions can say how often. */
enum {
    WIDE = 1 << 0,       /* each address is a wide multiply-add; PTX has one product for several */
    HALVES = 1 << 1,     /* 64 bits are two instructions, products more */
    OFFSETS = 1 << 2,    /* addresses that differ by numbers are one; unrolled loops count less */
    SCALED = 1 << 3,     /* an access scales its index itself, a shift is done once for all */
    POWERS = 1 << 4,     /* a shift, with a sum or without, is a product, or the other way */
    BITS_APART = 1 << 5, /* bits that are apart are put together by a sum (LEA) */
    LOGIC_OF_THREE = 1 << 6, /* logic, and sums of inverted bits, of three operands are one */
    AGAIN = 1 << 7,          /* computed again rather than kept in a register, or moved by logic */
    FIELDS = 1 << 8,         /* fields of bits are shifts and masks, signs are changed by sums */
    DIVISIONS = 1 << 9,      /* many instructions are one */
};

/* By kind, how many more the first group's lanes do in machine code. */
static const struct {
    const char *launch;
    gint64 more[N_KINDS];
    guint why;
} integers[] = {
    {"saxpy", {256, 0, 0, 0, 0}, WIDE},
    {"saxpy-opencl", {0, 128, 0, 0, 0}, HALVES},
    {"triton-add", {256, -128, 0, -256, 0}, WIDE | BITS_APART},
    {"triton-sum", {-127, -383, -128, 0, 0}, OFFSETS | SCALED},
    {"mmul08", {256, 0, 64, 0, 0}, WIDE | AGAIN},
    {"mmul16", {512, -512, 256, 0, 0}, WIDE | OFFSETS | AGAIN},
    {"mmul16-opencl", {-256, -768, 1024, 0, 0}, OFFSETS | POWERS},
    {"gemm-async", {384, -1280, 256, 512, 0}, WIDE | OFFSETS | POWERS | AGAIN},
    {"gemm-registers", {0, -1088, -128, 0, 0}, OFFSETS | SCALED},
    {"wmma", {448, 1728, 960, 64, 0}, HALVES | WIDE | POWERS | AGAIN},
    {"mma", {128, -64, -160, 0, 0}, WIDE | OFFSETS | POWERS},
    {"gemm-tensor",
     {32768, 10496, 6656, -3072, -512},
     HALVES | WIDE | POWERS | LOGIC_OF_THREE | FIELDS},
    {"transpose-tiled", {768, -512, -768, 0, 0}, WIDE | OFFSETS | SCALED},
    {"transpose-padded", {512, -512, -512, 0, 0}, WIDE | OFFSETS | SCALED},
    {"spmv-thread", {20, 58, 64, 0, 0}, HALVES | WIDE | POWERS},
    {"spmv-warp", {14, 32, 0, 0, 0}, HALVES | WIDE},
    {"reduce-shared", {256, -128, 0, 0, 0}, WIDE | OFFSETS},
    {"reduce-shuffle", {288, -6, -6, 0, 0}, WIDE | POWERS},
    {"scan-tree", {127, -637, -384, -128, 0}, POWERS | OFFSETS | SCALED | BITS_APART},
    {"scan-shuffle", {0, -160, -160, 0, 0}, OFFSETS | SCALED},
    {"histogram-global", {384, 512, 512, 0, 0}, HALVES | WIDE | POWERS},
    {"histogram-shared", {-672, -1280, -512, 0, 0}, OFFSETS | SCALED},
    {"bitonic", {3648, -1664, -1728, 0, 0}, POWERS | OFFSETS},
    {"votes", {387, 0, 0, -32, 0}, WIDE | LOGIC_OF_THREE},
    {"softmax", {0, 309, 900, 0, 0}, HALVES | AGAIN},
    {"sor-red", {128, 0, 0, 0, 0}, WIDE},
    {"sor-black", {128, 0, 0, 0, 0}, WIDE},
    {"stencil7", {640, 3840, 256, 0, -256}, HALVES | WIDE | FIELDS},
    {"convolution", {768, -656, -656, 0, 0}, WIDE | OFFSETS | SCALED},
    {"pathfinder", {320, -64, -192, 0, 0}, WIDE | OFFSETS | SCALED},
    {"nbody", {0, -1664, -1664, 0, 0}, OFFSETS | SCALED},
    {"fft", {2176, -770, -770, 1275, 0}, POWERS | OFFSETS | AGAIN},
    {"black-scholes", {256, 640, 256, 256, 0}, HALVES | WIDE | AGAIN},
    {"trigonometry", {14, 228, 22, -32, -28}, HALVES | LOGIC_OF_THREE | FIELDS},
    {"calls", {588, 2048, 1152, 128, 52}, HALVES | DIVISIONS | POWERS},
    {"wide", {1324, 1670, 96, -32, -32}, HALVES | DIVISIONS | LOGIC_OF_THREE},
    {"table", {-64, -64, 160, 16, -16}, FIELDS | OFFSETS},
};

/* ---- executed ------------------------------------------------------------------------------- */

/* Operations of lanes, and those of warps that come to the instruction, whether a lane executes it
 * or not. */
typedef struct {
    gint64 lanes[N_OPERATION_TYPES], warps[N_OPERATION_TYPES];
    gint64 kinds[N_KINDS]; /* integers of lanes */
} Counts;

typedef struct {
    const PsPtxCode *code;
    const PsPtxFunction *kernel;
    const PsSassCode *machine; /* or NULL: it is PTX */
    Counts done, more;         /* more: in the place of PTX, if the table is right */
} Executed;

/* Counts the integers of an instruction that does so many operations, by how its opcode begins: all
 * are of the first kind, but for one of the second where there are two. */
static void add_kinds(Counts *counts, const char *opcode, guint32 mask, gint64 operations)
{
    static const struct {
        const char *opcode;
        Kind kind, second;
    } list[] = {{"IMAD.IADD", SUMS, SUMS}, {"IMAD.X", SUMS, SUMS},    {"IMAD.SHL", SHIFTS, SUMS},
                {"IMAD", PRODUCTS, SUMS},  {"UIMAD", PRODUCTS, SUMS}, {"IADD", SUMS, SUMS},
                {"UIADD", SUMS, SUMS},     {"LEA", SHIFTS, SUMS},     {"ULEA", SHIFTS, SUMS},
                {"LOP3", LOGIC, LOGIC},    {"ULOP3", LOGIC, LOGIC},   {"SHF", SHIFTS, SHIFTS},
                {"USHF", SHIFTS, SHIFTS},  {"mul", PRODUCTS, SUMS},   {"mad", PRODUCTS, SUMS},
                {"add", SUMS, SUMS},       {"sub", SUMS, SUMS},       {"and", LOGIC, LOGIC},
                {"or", LOGIC, LOGIC},      {"xor", LOGIC, LOGIC},     {"not", LOGIC, LOGIC},
                {"lop3", LOGIC, LOGIC},    {"shl", SHIFTS, SHIFTS},   {"shr", SHIFTS, SHIFTS},
                {"shf", SHIFTS, SHIFTS}};
    Kind kind = OTHERS, second = OTHERS;
    for (guint i = 0; i < G_N_ELEMENTS(list) && kind == OTHERS; i++)
        if (g_str_has_prefix(opcode, list[i].opcode)) {
            kind = list[i].kind;
            second = list[i].second;
        }
    const gint64 lanes = __builtin_popcount(mask), of_second = operations == 2 ? 1 : 0;
    counts->kinds[kind] += lanes * (operations - of_second);
    counts->kinds[second] += lanes * of_second;
}

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
    add_kinds(&all->done, text, mask, (gint64)counts[OF_INT]);
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
    if (g_strcmp0(use->type, operation_names[OF_INT]) == 0)
        add_kinds(
            &all->done,
            g_array_index(all->machine->listing->instructions, PsSassInstruction, origin->machine)
                .opcode,
            mask, use->ops);
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

/* No launch has a row without changes. */
static void compare_integers(const char *launch, const Executed *ptx, const Executed *machine)
{
    static const char *const names[N_KINDS] = {"products", "sums", "shifts", "logic", "others"};
    static const gint64 none[N_KINDS];
    const gint64 *more = none;
    for (guint i = 0; i < G_N_ELEMENTS(integers); i++)
        if (strcmp(launch, integers[i].launch) == 0) {
            more = integers[i].more;
            g_assert_cmpuint(integers[i].why, !=, 0);
        }
    for (guint k = 0; k < N_KINDS; k++) {
        g_test_message("%s: %s of integers", launch, names[k]);
        g_assert_cmpint(machine->done.kinds[k], ==, ptx->done.kinds[k] + more[k]);
    }
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
    compare_integers(launch->name, &of_ptx, &of_machine);
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
