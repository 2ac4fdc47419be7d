/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What follows from a thread's place alone, held against what is executed: random code of integers,
 * comparisons, guards and a table, in which a slice must know the guard of the last instruction of
 * each thread; and what it must not claim to know.
 */
#include "ptx/run/slice.h"

#include <string.h>

#define PROGRAMS 1000
#define OPERATIONS 9
#define WORDS 64

static const char head[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                           ".visible .entry k(.param .u64 a, .param .u32 n)\n{\n"
                           ".reg .pred %p<40>; .reg .b32 %r<40>; .reg .b64 %rd<40>;\n"
                           "ld.param.u64 %rd0, [a]; ld.param.u32 %r5, [n];\n"
                           "mov.u32 %r0, %tid.x; mov.u32 %r1, %tid.y; mov.u32 %r2, %tid.z;\n"
                           "mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ctaid.y;\n"
                           "mov.u32 %r38, %ctaid.z; add.u32 %r5, %r5, %r38;\n";

typedef struct {
    PsPtxModule *module;
    PsPtxMachine *machine;
    guint32 words[WORDS];
    guint point; /* the last one with a guard */
} Program;

static void program_clear(Program *program)
{
    ps_ptx_machine_free(program->machine);
    ps_ptx_free(program->module);
}

static const guint grid[3] = {5, 3, 2};

static void program_init(Program *program, const char *body, const guint block[3])
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = g_strconcat(head, body, "END: ret;\n}\n", NULL);
    program->module = ps_ptx_parse(text, strlen(text), "x.ptx", &error);
    g_assert_no_error(error);
    for (guint i = 0; i < WORDS; i++)
        program->words[i] = i * 7 % 23;
    const PsPtxArgument arguments[] = {
        {.data = (guint8 *)program->words, .size = sizeof program->words}, {.bits = 11}};
    PsPtxLaunch launch = {.kernel = ps_ptx_kernel(program->module, "k", NULL),
                          .n_arguments = 2,
                          .arguments = arguments};
    memcpy(launch.grid, grid, sizeof grid);
    memcpy(launch.block, block, sizeof launch.block);
    program->machine = ps_ptx_machine_new(program->module, &launch, &error);
    g_assert_no_error(error);
    const PsPtxCode *code = ps_ptx_machine_code(program->machine);
    for (guint p = 0; p < code->n_points; p++)
        if (code->points[p].instruction->guard >= 0)
            program->point = p;
}

/* ---- random code ---------------------------------------------------------------------------- */

static void add_source(GString *body, GRand *rand, guint n)
{
    if (g_rand_int_range(rand, 0, 4) == 0)
        g_string_append_printf(body, ", %d", g_rand_int_range(rand, 1, 9));
    else
        g_string_append_printf(body, ", %%r%d", g_rand_int_range(rand, 0, (gint32)n));
}

/* Its second result may go nowhere, as in machine code. */
static void add_comparison(GString *body, GRand *rand, guint i, guint n)
{
    static const char *const orders[] = {"eq", "ne", "lt", "le", "gt", "ge"};
    g_string_append_printf(body, "setp.%s.%s %%p%u%s, %%r%d",
                           orders[g_rand_int_range(rand, 0, G_N_ELEMENTS(orders))],
                           g_rand_boolean(rand) ? "s32" : "u32", i,
                           g_rand_boolean(rand) ? "|_" : "", g_rand_int_range(rand, 0, (gint32)n));
    add_source(body, rand, n);
    g_string_append(body, ";\n");
}

/* Writes register n, which is new, or changes another one where a predicate says so. */
static void add_operation(GString *body, GRand *rand, guint n)
{
    static const char *const two[] = {"add.u32",    "sub.s32",    "add.s32", "mul.lo.s32",
                                      "shl.b32",    "shr.u32",    "and.b32", "or.b32",
                                      "xor.b32",    "min.u32",    "max.s32", "div.u32",
                                      "mul.lo.u32", "mul.hi.u32", "rem.u32", "add.u32"};
    switch (g_rand_int_range(rand, 0, 8)) {
    case 0:
        add_comparison(body, rand, n, n);
        g_string_append_printf(body, "selp.b32 %%r%u, %%r%d", n,
                               g_rand_int_range(rand, 0, (gint32)n));
        add_source(body, rand, n);
        g_string_append_printf(body, ", %%p%u;\n", n);
        return;
    case 1:
        g_string_append_printf(body,
                               "and.b32 %%r%u, %%r%d, 63; mul.wide.u32 %%rd%u, %%r%u, 4;\n"
                               "add.u64 %%rd%u, %%rd%u, %%rd0; ld.global.u32 %%r%u, [%%rd%u];\n",
                               n, g_rand_int_range(rand, 0, (gint32)n), n, n, n, n, n, n);
        return;
    case 2:
        add_comparison(body, rand, n, n);
        g_string_append_printf(body, "mov.u32 %%r%u, %%r%d; @%s%%p%u add.u32 %%r%u, %%r%u, 3;\n", n,
                               g_rand_int_range(rand, 0, (gint32)n), n % 2 ? "!" : "", n, n, n);
        return;
    default:
        g_string_append_printf(body, "%s %%r%u, %%r%d", two[g_rand_int_range(rand, 0, 16)], n,
                               g_rand_int_range(rand, 0, (gint32)n));
        add_source(body, rand, n);
        g_string_append(body, ";\n");
    }
}

static char *random_body(GRand *rand)
{
    GString *body = g_string_new(NULL);
    const guint n = 6 + OPERATIONS;
    for (guint i = 6; i < n; i++)
        add_operation(body, rand, i);
    g_string_append_printf(body, "setp.%s.u32 %%p39, %%r%u, %d; @%%p39 add.u32 %%r0, %%r0, 1;\n",
                           g_rand_boolean(rand) ? "eq" : "ge", n - 1,
                           g_rand_int_range(rand, 0, 40));
    return g_string_free(body, FALSE);
}

/* ---- what is executed ----------------------------------------------------------------------- */

typedef struct {
    guint point;
    guint32 masks[32], exist[32]; /* by warp */
} Executed;

static void hear(gpointer data, const PsPtxEvent *event)
{
    Executed *executed = data;
    if (event->point != executed->point)
        return;
    executed->masks[event->warp] = event->mask;
    executed->exist[event->warp] = event->active;
}

static Executed execute(const Program *program, guint64 place)
{
    g_autoptr(GError) error = NULL;
    Executed executed = {.point = program->point};
    const PsPtxListener listener = {.data = &executed, .executed = hear};
    const guint group[3] = {(guint)(place % grid[0]), (guint)(place / grid[0] % grid[1]),
                            (guint)(place / grid[0] / grid[1])};
    ps_ptx_run_group(program->machine, group, &listener, &error);
    g_assert_no_error(error);
    return executed;
}

/* The group by its threads, and by its corners or as a whole, as far as these are sure. */
static guint check_group(const Program *program, PsPtxSlice *slice, guint number, guint64 place,
                         guint warps)
{
    const Executed executed = execute(program, place);
    const guint64 bit = (guint64)1 << number;
    guint32 lanes[PS_PTX_SLICE_OUTPUTS], exist = 0, sure = 1;
    for (guint w = 0; w < warps; w++) {
        g_assert_true(ps_ptx_slice_threads(slice, bit, place, w, lanes, &exist));
        g_assert_cmphex(exist, ==, executed.exist[w]);
        g_assert_cmphex(lanes[number], ==, executed.masks[w]);
    }
    if (!ps_ptx_slice_by_thread(slice, number))
        g_assert_true(ps_ptx_slice_groups(slice, bit, place, 1, lanes));
    else if (ps_ptx_slice_is_ordered(slice, bit))
        g_assert_true(ps_ptx_slice_at_corners(slice, bit, place, 1, lanes, &sure));
    else
        sure = 0;
    for (guint w = 0; sure && w < warps; w++)
        g_assert_cmphex(executed.masks[w], ==, lanes[number] & 1 ? executed.exist[w] : 0);
    return sure;
}

static void test_random(void)
{
    static const guint blocks[][3] = {{40, 1, 1}, {8, 3, 4}, {5, 9, 1}, {64, 1, 1}, {8, 1, 5}};
    guint sure = 0, told = 0;
    for (guint i = 0; i < PROGRAMS; i++) {
        g_autoptr(GRand) rand = g_rand_new_with_seed(i);
        const guint *block = blocks[i % G_N_ELEMENTS(blocks)];
        g_autofree char *body = random_body(rand);
        Program program = {0};
        program_init(&program, body, block);
        PsPtxSlice *slice = ps_ptx_slice_new(program.machine);
        const int number = ps_ptx_slice_guard(slice, program.point);
        g_assert_cmpint(number, >=, 0);
        for (guint64 place = 0; place < grid[0] * grid[1] * grid[2]; place += 1 + i % 3) {
            sure += check_group(&program, slice, (guint)number, place,
                                (block[0] * block[1] * block[2] + 31) / 32);
            told++;
        }
        ps_ptx_slice_free(slice);
        program_clear(&program);
    }
    g_assert_cmpuint(sure, >, told / 4); /* they are not all looked at thread by thread */
}

/* 32 groups at once, across rows, are as each alone. */
static void test_groups(void)
{
    static const guint block[3] = {32, 1, 1};
    Program program = {0};
    program_init(&program,
                 "mad.lo.u32 %r6, %r4, 5, %r3; rem.u32 %r6, %r6, 7; setp.eq.u32 %p0, %r6, 3;\n"
                 "@%p0 add.u32 %r0, %r0, 1;\n",
                 block);
    guint32 lanes[PS_PTX_SLICE_OUTPUTS];
    PsPtxSlice *slice = ps_ptx_slice_new(program.machine);
    const int number = ps_ptx_slice_guard(slice, program.point);
    g_assert_cmpint(number, ==, 0);
    g_assert_false(ps_ptx_slice_by_thread(slice, 0));
    g_assert_true(ps_ptx_slice_groups(slice, 1, 0, 30, lanes));
    for (guint i = 0; i < 30; i++)
        g_assert_cmpuint(lanes[0] >> i & 1, ==, i % 15 % 7 == 3);
    ps_ptx_slice_free(slice);
    program_clear(&program);
}

/* Operations that take one of several ways, which are counted where groups are executed. */
static void test_ways(void)
{
    static const char *const operations[] = {"div.rn.f32 %r6, %r6, %r7", "rcp.rn.f32 %r6, %r6",
                                             "sqrt.rn.f32 %r6, %r6",
                                             "div.rn.ftz.f32 %r6, %r7, %r6"};
    static const guint block[3] = {40, 1, 1};
    for (guint i = 0; i < G_N_ELEMENTS(operations); i++) {
        g_autofree char *body = g_strdup_printf(
            "add.u32 %%r6, %%r3, %%r0; cvt.rn.f32.u32 %%r6, %%r6; cvt.rn.f32.u32 %%r7, %%r5;\n"
            "%s; setp.gt.f32 %%p0, %%r6, 0f3F000000;\n@%%p0 add.u32 %%r0, %%r0, 1;\n",
            operations[i]);
        Program program = {0};
        program_init(&program, body, block);
        PsPtxSlice *slice = ps_ptx_slice_new(program.machine);
        const int number = ps_ptx_slice_guard(slice, program.point);
        g_assert_cmpint(number, >=, 0);
        for (guint64 place = 0; place < 5; place++)
            check_group(&program, slice, (guint)number, place, 2);
        ps_ptx_slice_free(slice);
        program_clear(&program);
    }
}

/* Each direction alone, in blocks that lack some of the others: the corners are where it ends. */
static void test_directions(void)
{
    static const guint blocks[][3] = {{8, 1, 5}, {1, 4, 5}, {1, 1, 9}, {3, 1, 1}, {2, 6, 1}};
    for (guint i = 0; i < G_N_ELEMENTS(blocks); i++)
        for (guint d = 0; d < 3; d++) {
            const guint *block = blocks[i];
            g_autofree char *body = g_strdup_printf(
                "setp.ge.u32 %%p0, %%r%u, %u;\n@%%p0 add.u32 %%r0, %%r0, 1;\n", d, block[d] - 1);
            Program program = {0};
            program_init(&program, body, block);
            PsPtxSlice *slice = ps_ptx_slice_new(program.machine);
            const int number = ps_ptx_slice_guard(slice, program.point);
            g_assert_cmpint(number, >=, 0);
            g_assert_cmpuint(check_group(&program, slice, (guint)number, 0,
                                         (block[0] * block[1] * block[2] + 31) / 32),
                             ==, block[d] == 1);
            ps_ptx_slice_free(slice);
            program_clear(&program);
        }
}

/* What overflows between corners lies on one side at all of them, and on the other in between. */
static void test_overflow(void)
{
    static const guint block[3] = {17, 1, 1};
    static const char *const bodies[] = {
        "mul.lo.u32 %r6, %r0, 0x10000000; setp.ge.u32 %p0, %r6, 5;\n",
        "shl.b32 %r6, %r0, 28; setp.ge.u32 %p0, %r6, 5;\n",
        "mul.lo.u32 %r7, %r0, 0x6000000; add.u32 %r8, %r0, 28;\n"
        "mad.lo.u32 %r6, %r8, 0x4000000, %r7; setp.gt.u32 %p0, %r6, 0x7fffffff;\n",
        "shr.u32 %r7, %r0, 1; mul.lo.u32 %r6, %r7, 0x20000000; setp.ge.u32 %p0, %r6, 5;\n",
        "mul.lo.u32 %r7, %r0, 0x6000000; mul.lo.u32 %r8, %r0, 0x4000000;\n"
        "add.u32 %r8, %r8, 0x30000000; add.u32 %r6, %r8, %r7;\n"
        "setp.gt.u32 %p0, %r6, 0x7fffffff;\n"};
    for (guint i = 0; i < G_N_ELEMENTS(bodies); i++) {
        g_autofree char *body = g_strconcat(bodies[i], "@%p0 add.u32 %r0, %r0, 1;\n", NULL);
        Program program = {0};
        program_init(&program, body, block);
        PsPtxSlice *slice = ps_ptx_slice_new(program.machine);
        const int number = ps_ptx_slice_guard(slice, program.point);
        g_assert_cmpint(number, >=, 0);
        (void)check_group(&program, slice, (guint)number, 0, 1);
        ps_ptx_slice_free(slice);
        program_clear(&program);
    }
}

/* ---- what it does not know ------------------------------------------------------------------ */

static int guard_of(const char *body)
{
    static const guint block[3] = {32, 1, 1};
    Program program = {0};
    program_init(&program, body, block);
    PsPtxSlice *slice = ps_ptx_slice_new(program.machine);
    const int number = ps_ptx_slice_guard(slice, program.point);
    ps_ptx_slice_free(slice);
    program_clear(&program);
    return number;
}

#define LAST "setp.eq.u32 %p0, %r6, 3; @%p0 add.u32 %r0, %r0, 1;\n"

static void test_unknown(void)
{
    g_assert_cmpint(guard_of("ld.global.u32 %r6, [%rd0];" LAST), >=, 0);
    g_assert_cmpint(guard_of("ld.volatile.global.u32 %r6, [%rd0];" LAST), ==, -1);
    g_assert_cmpint(guard_of("mov.u32 %r6, %smid;" LAST), ==, -1);
    g_assert_cmpint(guard_of("mov.u32 %r6, %clock;" LAST), ==, -1);
    g_assert_cmpint(guard_of("atom.global.add.u32 %r6, [%rd0], 1;" LAST), ==, -1);
    g_assert_cmpint(guard_of("add.cc.u32 %r7, %r3, -1; addc.u32 %r6, 0, 0;" LAST), ==, -1);
    g_assert_cmpint(guard_of("shfl.sync.idx.b32 %r6, %r3, 0, 31, -1;" LAST), ==, -1);
    /* one way or the other */
    g_assert_cmpint(guard_of("mov.u32 %r6, 3; setp.eq.u32 %p1, %r3, 2; @%p1 bra JOIN;\n"
                             "mov.u32 %r6, 4; JOIN:" LAST),
                    ==, -1);
    /* what an iteration leaves to the next */
    g_assert_cmpint(guard_of("mov.u32 %r6, 0; LOOP: add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, 9;\n"
                             "@%p1 bra LOOP;" LAST),
                    ==, -1);
}

/* ---- loops ---------------------------------------------------------------------------------- */

/* How many numbers a loop goes by: body has one, the branch back is the last with a guard. */
static int numbers_of_loop(const char *body)
{
    static const guint block[3] = {32, 1, 1};
    int numbers[PS_PTX_SLICE_OUTPUTS];
    Program program = {0};
    program_init(&program, body, block);
    PsPtxSlice *slice = ps_ptx_slice_new(program.machine);
    const int n = ps_ptx_slice_loop(slice, program.point, numbers);
    guint32 lanes[PS_PTX_SLICE_OUTPUTS];
    for (int i = 0; i < n; i++) {
        g_assert_true(ps_ptx_slice_groups(slice, (guint64)1 << numbers[i], 0, 30, lanes));
        const guint64 *values = ps_ptx_slice_values(slice, (guint)numbers[i]);
        for (guint g = 0; g < 30; g++)
            g_assert_cmpuint(values[g], ==, g % 5 == 2 ? 100 : 4);
    }
    ps_ptx_slice_free(slice);
    program_clear(&program);
    return n;
}

#define WORK "setp.eq.u32 %p1, %r3, 2; selp.b32 %r6, 100, 4, %p1; mov.u32 %r7, 0;\n"
#define BACK "setp.lt.u32 %p0, %r7, %r6; @%p0 bra LOOP;\n"

static void test_loops(void)
{
    g_assert_cmpint(numbers_of_loop(WORK "LOOP: add.u32 %r7, %r7, 1;" BACK), ==, 1);
    /* the first value is another one in each thread, but the same in each group */
    g_assert_cmpint(numbers_of_loop(WORK "mov.u32 %r7, %tid.x; LOOP: add.u32 %r7, %r7, 1;" BACK),
                    ==, 1);
    g_assert_cmpint(
        numbers_of_loop("mov.u32 %r6, 9; mov.u32 %r7, 0; LOOP: add.u32 %r7, %r7, 1;" BACK), ==, 0);
    /* the same register holds something else before the loop; and on a way into it */
    g_assert_cmpint(
        numbers_of_loop("ld.volatile.global.u32 %r7, [%rd0]; st.global.u32 [%rd0], %r7;\n" WORK
                        "LOOP: add.u32 %r7, %r7, 1;" BACK),
        ==, 1);
    g_assert_cmpint(numbers_of_loop(WORK "bra IN; OTHER: ld.volatile.global.u32 %r7, [%rd0];\n"
                                         "IN: setp.eq.u32 %p2, %r3, 77; @%p2 bra OTHER;\n"
                                         "LOOP: add.u32 %r7, %r7, 1;" BACK),
                    ==, -1);
    g_assert_cmpint(numbers_of_loop(WORK "setp.eq.u32 %p2, %r3, 77;\n"
                                         "@%p2 ld.volatile.global.u32 %r7, [%rd0];\n"
                                         "LOOP: add.u32 %r7, %r7, 1;" BACK),
                    ==, -1);
    /* steps are the group's number, or come from memory */
    g_assert_cmpint(numbers_of_loop(WORK "LOOP: add.u32 %r7, %r7, %ctaid.x;" BACK), ==, -1);
    g_assert_cmpint(numbers_of_loop(WORK "mov.u64 %rd1, %rd0; LOOP: add.u64 %rd1, %rd1, 4;\n"
                                         "ld.global.u32 %r7, [%rd1];" BACK),
                    ==, -1);
}

/* How often a loop runs that threads decide is no order of threads, though it grows with them. */
static void test_loop_by_thread(void)
{
    static const guint block[3] = {32, 1, 1};
    int numbers[PS_PTX_SLICE_OUTPUTS];
    Program program = {0};
    program_init(&program,
                 "add.u32 %r6, %r0, %r3; mov.u32 %r7, 0; LOOP: add.u32 %r7, %r7, 1;\n" BACK, block);
    PsPtxSlice *slice = ps_ptx_slice_new(program.machine);
    g_assert_cmpint(ps_ptx_slice_loop(slice, program.point, numbers), ==, 1);
    g_assert_true(ps_ptx_slice_by_thread(slice, (guint)numbers[0]));
    g_assert_false(ps_ptx_slice_is_ordered(slice, (guint64)1 << numbers[0]));
    ps_ptx_slice_free(slice);
    program_clear(&program);
}

/* ---- addresses ------------------------------------------------------------------------------ */

/* The buffer has 64 words: thread 24 of the third group is the first that leaves it. */
static void test_addresses(void)
{
    static const guint block[3] = {20, 1, 1};
    Program program = {0};
    program_init(&program,
                 "mad.lo.u32 %r6, %r3, 20, %r0; mul.wide.u32 %rd1, %r6, 4;\n"
                 "add.u64 %rd1, %rd1, %rd0; ld.global.u32 %r7, [%rd1+4];\n",
                 block);
    const PsPtxCode *code = ps_ptx_machine_code(program.machine);
    guint32 lanes[PS_PTX_SLICE_OUTPUTS], exist, sure;
    guint point = 0;
    for (guint p = 0; p < code->n_points; p++)
        if (code->points[p].instruction->mnemonic->space == PS_PTX_GLOBAL)
            point = p;
    PsPtxSlice *slice = ps_ptx_slice_new(program.machine);
    g_assert_cmpint(ps_ptx_slice_address(slice, point), ==, 0);
    g_assert_true(ps_ptx_slice_threads(slice, 1, 2, 0, lanes, &exist));
    g_assert_cmphex(lanes[0], ==, 0xfffff);
    g_assert_true(ps_ptx_slice_threads(slice, 1, 3, 0, lanes, &exist));
    g_assert_cmphex(lanes[0], ==, 0x7);
    g_assert_true(ps_ptx_slice_is_ordered(slice, 1));
    g_assert_true(ps_ptx_slice_at_corners(slice, 1, 0, 5, lanes, &sure));
    g_assert_cmphex(sure & lanes[0], ==, 0x7);
    g_assert_cmphex(sure, ==, 0x7);
    ps_ptx_slice_free(slice);
    program_clear(&program);
}

/* What a group reads outside memory is nothing, and not what a group before it read. */
static void test_outside(void)
{
    static const guint block[3] = {1, 1, 1};
    Program program = {0};
    program_init(
        &program,
        "mad.lo.u32 %r6, %r3, 16, 63; mul.wide.u32 %rd1, %r6, 4; add.u64 %rd1, %rd1, %rd0;\n"
        "ld.global.u32 %r7, [%rd1]; setp.eq.u32 %p0, %r7, 4;\n"
        "@%p0 add.u32 %r0, %r0, 1;\n",
        block);
    guint32 lanes[PS_PTX_SLICE_OUTPUTS];
    PsPtxSlice *slice = ps_ptx_slice_new(program.machine);
    g_assert_cmpint(ps_ptx_slice_guard(slice, program.point), ==, 0);
    for (guint group = 0; group < 3; group++) {
        g_assert_true(ps_ptx_slice_groups(slice, 1, group, 1, lanes));
        g_assert_cmpuint(lanes[0] & 1, ==, group == 0);
    }
    ps_ptx_slice_free(slice);
    program_clear(&program);
}

/* Three groups of 21 threads access the words but for the first, up to the very last; no thread
 * accesses a word that does not begin at a multiple of its bytes. */
static void test_address_ends(void)
{
    static const guint block[3] = {21, 1, 1};
    for (guint offset = 2; offset <= 4; offset += 2) {
        g_autofree char *body =
            g_strdup_printf("mad.lo.u32 %%r6, %%r3, 21, %%r0; mul.wide.u32 %%rd1, %%r6, 4;\n"
                            "add.u64 %%rd1, %%rd1, %%rd0; ld.global.u32 %%r7, [%%rd1+%u];\n",
                            offset);
        Program program = {0};
        program_init(&program, body, block);
        const PsPtxCode *code = ps_ptx_machine_code(program.machine);
        guint32 lanes[PS_PTX_SLICE_OUTPUTS], exist, sure;
        guint point = 0;
        for (guint p = 0; p < code->n_points; p++)
            if (code->points[p].instruction->mnemonic->space == PS_PTX_GLOBAL)
                point = p;
        PsPtxSlice *slice = ps_ptx_slice_new(program.machine);
        g_assert_cmpint(ps_ptx_slice_address(slice, point), ==, 0);
        for (guint group = 0; group < 4; group++) {
            g_assert_true(ps_ptx_slice_threads(slice, 1, group, 0, lanes, &exist));
            g_assert_cmphex(lanes[0], ==, offset == 4 && group < 3 ? 0x1fffff : 0);
        }
        g_assert_true(ps_ptx_slice_at_corners(slice, 1, 0, 4, lanes, &sure));
        g_assert_cmphex(lanes[0] & sure, ==, offset == 4 ? 0x7 : 0);
        if (offset == 4)
            g_assert_cmphex(sure & 0x7, ==, 0x7);
        ps_ptx_slice_free(slice);
        program_clear(&program);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/slice/random", test_random);
    g_test_add_func("/slice/groups", test_groups);
    g_test_add_func("/slice/ways", test_ways);
    g_test_add_func("/slice/directions", test_directions);
    g_test_add_func("/slice/overflow", test_overflow);
    g_test_add_func("/slice/unknown", test_unknown);
    g_test_add_func("/slice/loops", test_loops);
    g_test_add_func("/slice/loop-by-thread", test_loop_by_thread);
    g_test_add_func("/slice/outside", test_outside);
    g_test_add_func("/slice/addresses", test_addresses);
    g_test_add_func("/slice/address-ends", test_address_ends);
    return g_test_run();
}
