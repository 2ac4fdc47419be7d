/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The executor on random programs of ifs, loops with break and continue, switches, early ends,
 * calls, barriers and atomics: what each thread computes is what an interpreter of the same program
 * computes, thread by thread and without any PTX.
 */
#include "tests/help/compiled.h"
#include "tests/help/ptx-launch.h"
#include "tests/help/seeds.h"

#define VARIABLES 4 /* %v0 to %v3 */
#define MOST_THREADS 96

typedef enum {
    ASSIGN,
    GUARDED, /* an assignment with a guard */
    IF,
    LOOP,
    SWITCH,
    BREAK,
    CONTINUE,
    RETURN,
    CALL,
    COUNT,    /* adds to a counter in global memory */
    EXCHANGE, /* through shared memory with a barrier */
    N_KINDS
} Kind;

typedef struct {
    Kind kind;
    guint a, b, c, operation;
    guint32 constant;
    GPtrArray *blocks; /* of GPtrArray of Statement */
} Statement;

typedef struct {
    GRand *rand;
    guint left;        /* statements that may still be made */
    GPtrArray *callee; /* block; NULL: in it */
} Maker;

/* ---- making --------------------------------------------------------------------------------- */

static void statement_free(gpointer data)
{
    Statement *statement = data;
    g_clear_pointer(&statement->blocks, g_ptr_array_unref);
    g_free(statement);
}

static GPtrArray *make_block(Maker *maker, guint depth, gboolean in_loop, guint most);

static Kind make_kind(Maker *maker, guint depth, gboolean in_loop)
{
    for (;;) {
        Kind kind = (Kind)g_rand_int_range(maker->rand, 0, N_KINDS);
        if ((kind == IF || kind == LOOP || kind == SWITCH) && depth >= 4)
            continue;
        if ((kind == BREAK || kind == CONTINUE) && !in_loop)
            continue;
        if (kind == RETURN && g_rand_int_range(maker->rand, 0, 4) > 0)
            continue;
        if ((kind == CALL || kind == COUNT || kind == EXCHANGE) && !maker->callee)
            continue;
        if (kind == EXCHANGE && depth > 0)
            continue;
        return kind;
    }
}

static Statement *make_statement(Maker *maker, guint depth, gboolean in_loop)
{
    Statement *statement = g_new0(Statement, 1);
    guint n_blocks = 0;
    statement->kind = make_kind(maker, depth, in_loop);
    statement->a = (guint)g_rand_int_range(maker->rand, 0, VARIABLES);
    statement->b = (guint)g_rand_int_range(maker->rand, 0, VARIABLES);
    statement->c = (guint)g_rand_int_range(maker->rand, 0, VARIABLES);
    statement->operation = (guint)g_rand_int_range(maker->rand, 0, 4);
    statement->constant = (guint32)g_rand_int_range(maker->rand, 1, 40);
    if (statement->kind == IF)
        n_blocks = 2;
    else if (statement->kind == LOOP)
        n_blocks = 1;
    else if (statement->kind == SWITCH)
        n_blocks = 4;
    if (n_blocks > 0)
        statement->blocks = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
    for (guint i = 0; i < n_blocks; i++)
        g_ptr_array_add(statement->blocks,
                        make_block(maker, depth + 1, in_loop || statement->kind == LOOP, 4));
    return statement;
}

static GPtrArray *make_block(Maker *maker, guint depth, gboolean in_loop, guint most)
{
    GPtrArray *block = g_ptr_array_new_with_free_func(statement_free);
    guint n = (guint)g_rand_int_range(maker->rand, depth > 0 ? 0 : 1, (gint32)most + 1);
    for (guint i = 0; i < n && maker->left > 0; i++) {
        maker->left--;
        g_ptr_array_add(block, make_statement(maker, depth, in_loop));
    }
    return block;
}

/* ---- interpreting --------------------------------------------------------------------------- */

typedef enum { GOES_ON, BREAKS, CONTINUES, RETURNS } Way;

typedef struct {
    guint32 v[VARIABLES];
    gboolean ended;
} Thread;

typedef struct {
    const GPtrArray *callee;
    guint32 counter;
} World;

static Way interpret(World *world, const GPtrArray *block, Thread *thread);

static guint32 compute(const Statement *s, const guint32 *v)
{
    switch (s->operation) {
    case 0:
        return v[s->b] + v[s->c] + s->constant;
    case 1:
        return v[s->b] * s->constant + v[s->c];
    case 2:
        return v[s->b] ^ (v[s->c] >> (s->constant & 15));
    default:
        return v[s->b] - s->constant;
    }
}

static gboolean is_true(const Statement *s, const guint32 *v)
{
    return s->operation < 2 ? (v[s->b] & s->constant) != 0 : v[s->b] < v[s->c];
}

static Way interpret_loop(World *world, const Statement *s, Thread *thread)
{
    const guint32 times = thread->v[s->b] & 7;
    for (guint32 i = 0; i < times; i++) {
        Way way = interpret(world, s->blocks->pdata[0], thread);
        if (way == BREAKS)
            break;
        if (way == RETURNS)
            return way;
    }
    return GOES_ON;
}

static Way interpret_one(World *world, const Statement *s, Thread *thread)
{
    Thread inner = {.v = {thread->v[s->b], s->constant, 3, 4}};
    switch (s->kind) {
    case GUARDED:
        if (!is_true(s, thread->v))
            return GOES_ON;
        thread->v[s->a] = compute(s, thread->v);
        return GOES_ON;
    case ASSIGN:
        thread->v[s->a] = compute(s, thread->v);
        return GOES_ON;
    case IF:
        return interpret(world, s->blocks->pdata[is_true(s, thread->v) ? 0 : 1], thread);
    case LOOP:
        return interpret_loop(world, s, thread);
    case SWITCH:
        return interpret(world, s->blocks->pdata[thread->v[s->b] & 3], thread);
    case BREAK:
        return is_true(s, thread->v) ? BREAKS : GOES_ON;
    case CONTINUE:
        return is_true(s, thread->v) ? CONTINUES : GOES_ON;
    case RETURN:
        return is_true(s, thread->v) ? RETURNS : GOES_ON;
    case CALL:
        interpret(world, world->callee, &inner);
        thread->v[s->a] = inner.v[0];
        return GOES_ON;
    default:
        world->counter += thread->v[s->b];
        return GOES_ON;
    }
}

static Way interpret(World *world, const GPtrArray *block, Thread *thread)
{
    for (guint i = 0; i < block->len; i++) {
        Way way = interpret_one(world, block->pdata[i], thread);
        if (way != GOES_ON)
            return way;
    }
    return GOES_ON;
}

static void exchange(const Statement *s, Thread *threads, guint n, guint32 *shared)
{
    for (guint t = 0; t < n; t++)
        if (!threads[t].ended)
            shared[t] = threads[t].v[s->b];
    for (guint t = 0; t < n; t++)
        if (!threads[t].ended)
            threads[t].v[s->a] = shared[(t + s->constant) % n];
}

/* The whole program, all threads from barrier to barrier. */
static void interpret_all(World *world, const GPtrArray *block, Thread *threads, guint n)
{
    guint32 shared[MOST_THREADS] = {0};
    for (guint t = 0; t < n; t++)
        threads[t] = (Thread){.v = {t, 2 * t + 1, t * t, 5}};
    for (guint i = 0; i < block->len; i++) {
        const Statement *s = block->pdata[i];
        if (s->kind == EXCHANGE) {
            exchange(s, threads, n, shared);
            continue;
        }
        for (guint t = 0; t < n; t++)
            if (!threads[t].ended)
                threads[t].ended = interpret_one(world, s, &threads[t]) == RETURNS;
    }
}

/* ---- writing -------------------------------------------------------------------------------- */

typedef struct {
    GString *text;
    guint n_labels;
    gboolean callee;
    guint leave; /* label of the innermost loop's end, */
    guint next;  /* and of its next iteration */
    guint depth; /* of loops: each has a counter */
} Writer;

static void write_block(Writer *writer, const GPtrArray *block);

static void write_compute(Writer *writer, const Statement *s, const char *guard)
{
    if (s->operation == 0)
        g_string_append_printf(writer->text,
                               "add.u32 %%t, %%v%u, %%v%u; %sadd.u32 %%v%u, %%t, %u;\n", s->b, s->c,
                               guard, s->a, s->constant);
    else if (s->operation == 1)
        g_string_append_printf(writer->text, "%smad.lo.u32 %%v%u, %%v%u, %u, %%v%u;\n", guard, s->a,
                               s->b, s->constant, s->c);
    else if (s->operation == 2)
        g_string_append_printf(writer->text,
                               "shr.u32 %%t, %%v%u, %u; %sxor.b32 %%v%u, %%v%u, %%t;\n", s->c,
                               s->constant & 15, guard, s->a, s->b);
    else
        g_string_append_printf(writer->text, "%ssub.u32 %%v%u, %%v%u, %u;\n", guard, s->a, s->b,
                               s->constant);
}

static void write_condition(Writer *writer, const Statement *s)
{
    if (s->operation < 2)
        g_string_append_printf(writer->text, "and.b32 %%t, %%v%u, %u; setp.ne.u32 %%q, %%t, 0;\n",
                               s->b, s->constant);
    else
        g_string_append_printf(writer->text, "setp.lt.u32 %%q, %%v%u, %%v%u;\n", s->b, s->c);
}

static void write_if(Writer *writer, const Statement *s)
{
    guint other = writer->n_labels++, end = writer->n_labels++;
    write_condition(writer, s);
    g_string_append_printf(writer->text, "@!%%q bra L%u;\n", other);
    write_block(writer, s->blocks->pdata[0]);
    g_string_append_printf(writer->text, "bra L%u;\nL%u:\n", end, other);
    write_block(writer, s->blocks->pdata[1]);
    g_string_append_printf(writer->text, "L%u:\n", end);
}

/* The test is at the end of every other loop. */
static void write_loop(Writer *writer, const Statement *s)
{
    const guint top = writer->n_labels++, next = writer->n_labels++, end = writer->n_labels++;
    const guint leave = writer->leave, before = writer->next, depth = writer->depth++;
    writer->leave = end;
    writer->next = next;
    g_string_append_printf(writer->text, "and.b32 %%n%u, %%v%u, 7; mov.u32 %%i%u, 0;\n", depth,
                           s->b, depth);
    if (s->operation % 2 == 0)
        g_string_append_printf(writer->text, "L%u: setp.ge.u32 %%q, %%i%u, %%n%u; @%%q bra L%u;\n",
                               top, depth, depth, end);
    else
        g_string_append_printf(writer->text, "setp.eq.u32 %%q, %%n%u, 0; @%%q bra L%u;\nL%u:\n",
                               depth, end, top);
    write_block(writer, s->blocks->pdata[0]);
    g_string_append_printf(writer->text, "L%u: add.u32 %%i%u, %%i%u, 1;\n", next, depth, depth);
    if (s->operation % 2 == 0)
        g_string_append_printf(writer->text, "bra L%u;\n", top);
    else
        g_string_append_printf(writer->text, "setp.lt.u32 %%q, %%i%u, %%n%u; @%%q bra L%u;\n",
                               depth, depth, top);
    g_string_append_printf(writer->text, "L%u:\n", end);
    writer->leave = leave;
    writer->next = before;
    writer->depth--;
}

static void write_switch(Writer *writer, const Statement *s)
{
    const guint first = writer->n_labels;
    writer->n_labels += 6;
    g_string_append_printf(writer->text,
                           "and.b32 %%t, %%v%u, 3;\nT%u: .branchtargets L%u, L%u, L%u, L%u;\n"
                           "brx.idx %%t, T%u;\n",
                           s->b, first, first, first + 1, first + 2, first + 3, first);
    for (guint i = 0; i < 4; i++) {
        g_string_append_printf(writer->text, "L%u:\n", first + i);
        write_block(writer, s->blocks->pdata[i]);
        g_string_append_printf(writer->text, "bra L%u;\n", first + 4);
    }
    g_string_append_printf(writer->text, "L%u:\n", first + 4);
}

static void write_return(Writer *writer, const Statement *s)
{
    /* Were kernels to go on to their END, too, they would wait there for those at barriers. */
    static const char *const ends[] = {
        "@%q st.global.v4.u32 [%rd5], {%v0, %v1, %v2, %v3}; @%q exit;\n", "@%q bra END;\n"};

    write_condition(writer, s);
    if (s->operation % 2 == 0) {
        g_string_append(writer->text, ends[writer->callee]);
        return;
    }
    const guint on = writer->n_labels++;
    g_string_append_printf(writer->text, "@!%%q bra L%u;\n%sret;\nL%u:\n", on,
                           writer->callee ? "st.param.u32 [out], %v0; "
                                          : "st.global.v4.u32 [%rd5], {%v0, %v1, %v2, %v3}; ",
                           on);
}

static void write_exchange(Writer *writer, const Statement *s)
{
    g_string_append_printf(
        writer->text,
        "st.shared.u32 [%%r6], %%v%u; bar.sync 0; add.u32 %%t, %%r1, %u; rem.u32 %%t, %%t, %%r2;\n"
        "shl.b32 %%t, %%t, 2; add.u32 %%t, %%t, %%r5; ld.shared.u32 %%v%u, [%%t]; bar.sync 0;\n",
        s->b, s->constant, s->a);
}

static void write_call(Writer *writer, const Statement *s)
{
    g_string_append_printf(writer->text,
                           "{ .param .b32 p0; .param .b32 p1; .param .b32 q0;"
                           " st.param.b32 [p0], %%v%u; st.param.b32 [p1], %u;"
                           " call (q0), f, (p0, p1); ld.param.b32 %%v%u, [q0]; }\n",
                           s->b, s->constant, s->a);
}

static void write_one(Writer *writer, const Statement *s)
{
    switch (s->kind) {
    case ASSIGN:
        write_compute(writer, s, "");
        break;
    case GUARDED:
        write_condition(writer, s);
        write_compute(writer, s, "@%q ");
        break;
    case IF:
        write_if(writer, s);
        break;
    case LOOP:
        write_loop(writer, s);
        break;
    case SWITCH:
        write_switch(writer, s);
        break;
    case BREAK:
    case CONTINUE:
        write_condition(writer, s);
        g_string_append_printf(writer->text, "@%%q bra L%u;\n",
                               s->kind == BREAK ? writer->leave : writer->next);
        break;
    case RETURN:
        write_return(writer, s);
        break;
    case CALL:
        write_call(writer, s);
        break;
    case EXCHANGE:
        write_exchange(writer, s);
        break;
    default:
        g_string_append_printf(writer->text, "red.global.add.u32 [%%rd1], %%v%u;\n", s->b);
        break;
    }
}

static void write_block(Writer *writer, const GPtrArray *block)
{
    for (guint i = 0; i < block->len; i++)
        write_one(writer, block->pdata[i]);
}

#define REGISTERS                                                                                  \
    ".reg .u32 %v<4>; .reg .u32 %t; .reg .pred %q; .reg .u32 %n<9>; .reg .u32 %i<9>;\n"

static char *write_callee(const GPtrArray *block)
{
    Writer writer = {.text = g_string_new(".func (.param .b32 out) f(.param .b32 a, .param .b32 b)"
                                          " {\n" REGISTERS
                                          "ld.param.u32 %v0, [a]; ld.param.u32 %v1, [b];"
                                          " mov.u32 %v2, 3; mov.u32 %v3, 4;\n"),
                     .callee = TRUE};
    write_block(&writer, block);
    g_string_append(writer.text, "END: st.param.u32 [out], %v0; ret; }\n");
    return g_string_free(writer.text, FALSE);
}

static char *write_kernel(const GPtrArray *block)
{
    Writer writer = {
        .text = g_string_new(REGISTERS
                             ".shared .align 4 .b8 s[384]; mov.u32 %r5, s; shl.b32 %r6, %r1, 2;"
                             "add.u32 %r6, %r6, %r5; mul.wide.u32 %rd5, %r1, 16;"
                             "add.u64 %rd5, %rd5, %rd1; add.u64 %rd5, %rd5, 16;"
                             "mov.u32 %v0, %r1; shl.b32 %v1, %r1, 1; add.u32 %v1, %v1, 1;"
                             "mul.lo.u32 %v2, %r1, %r1; mov.u32 %v3, 5;\n"
                             /* for threads that end before others read what they have there */
                             "st.shared.u32 [%r6], 0; bar.sync 0;\n")};
    write_block(&writer, block);
    g_string_append(writer.text, "END: st.global.v4.u32 [%rd5], {%v0, %v1, %v2, %v3}; ret;\n");
    return g_string_free(writer.text, FALSE);
}

/* ---- comparing ------------------------------------------------------------------------------ */

/* Whether barriers had to do without threads that had ended is a warning that may or may not be. */
static gboolean agrees(const guint32 *out, const Thread *threads, guint n, guint32 counter)
{
    gboolean same = out[0] == counter;
    for (guint t = 0; t < n; t++)
        for (guint i = 0; i < VARIABLES; i++)
            same &= out[4 + t * VARIABLES + i] == threads[t].v[i];
    return same;
}

static gboolean compare(guint32 seed, gpointer data)
{
    static const guint sizes[] = {32, 1, 64, 45, 96, 20};
    g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
    /* To compile takes long, and longer the larger the program is. */
    const gboolean small = compiled_wanted();
    Maker maker = {.rand = rand, .left = small ? 4 : 25};
    g_autoptr(GPtrArray) callee = make_block(&maker, 1, FALSE, 8);
    maker.left = small ? 12 : 80;
    maker.callee = callee;
    g_autoptr(GPtrArray) block = make_block(&maker, 0, FALSE, small ? 6 : 20);
    g_autofree char *before = write_callee(callee);
    g_autofree char *body = write_kernel(block);
    const guint n = sizes[seed % G_N_ELEMENTS(sizes)];
    PtxLaunch launch = {.before = before,
                        .body = body,
                        .n = n,
                        .block = {n},
                        .words = 4 * n + 4,
                        .any_warning = TRUE};
    World world = {.callee = callee};
    Thread threads[MOST_THREADS];
    g_autoptr(GError) error = NULL;

    (void)data;
    interpret_all(&world, block, threads, n);
    g_autofree guint32 *out = ptx_launch(&launch, &error);
    g_assert_no_error(error);
    if (out && agrees(out, threads, n, world.counter))
        return TRUE;
    g_autofree char *text = ptx_text(&launch);
    g_test_message("%s", text);
    return FALSE;
}

static void test_random(void)
{
    seeds_check((SeedCounts){.usual = 1500, .valgrind = 30}, compare, NULL);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-run-random/programs", test_random);
    return g_test_run();
}
