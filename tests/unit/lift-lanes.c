/* SPDX-License-Identifier: BSD-3-Clause */
/* Which threads of a warp come to a node, as graphs state it. */
#include "tests/help/graph-text.h"

#include <string.h>

typedef struct {
    const char *name, *lanes; /* of a node; lanes NULL: all */
    guint side;
} Node;

static const PsIdgItem *find(const GPtrArray *body, const char *name)
{
    for (guint i = 0; i < body->len; i++) {
        const PsIdgItem *item = body->pdata[i];
        const PsIdgItem *found = item->kind == PS_IDG_LOOP       ? find(item->body, name)
                                 : strcmp(item->name, name) == 0 ? item
                                                                 : NULL;
        if (found)
            return found;
    }
    return NULL;
}

/* The nodes of the last code of a kernel of one group. */
static void assert_lanes(const char *ptx, guint threads, const Node *nodes, guint n)
{
    const GraphCase graph = {.ptx = ptx,
                             .arguments = "out:4096",
                             .grid = {1, 1, 1},
                             .block = {threads, 1, 1},
                             .without = "all"};
    g_autoptr(PsBuild) build = graph_build(&graph);
    const PsIdgCode *code = build->idg->codes->pdata[build->idg->codes->len - 1];
    for (guint i = 0; i < n; i++) {
        const PsIdgItem *node = find(code->body, nodes[i].name);
        g_assert_nonnull(node);
        g_assert_cmpstr(node->lanes ? ps_expr_text(node->lanes) : NULL, ==, nodes[i].lanes);
        g_assert_cmpuint(node->side, ==, nodes[i].side);
    }
}

#define ASSERT(ptx, threads, ...)                                                                  \
    do {                                                                                           \
        const Node nodes[] = {__VA_ARGS__};                                                        \
        assert_lanes(ptx, threads, nodes, G_N_ELEMENTS(nodes));                                    \
    } while (0)

/* A quarter goes one way and the rest the other; of those that go the first, some go further. */
static void test_sides(void)
{
    ASSERT("mov.u32 %r1, %tid.x; setp.ge.u32 %p1, %r1, 8; @%p1 bra OTHER;\n"
           "add.u32 %r2, %r1, 1; setp.ge.u32 %p2, %r1, 4; @%p2 bra INNER;\n"
           "add.u32 %r3, %r1, 2;\nINNER: add.u32 %r4, %r1, 3; bra MEET;\n"
           "OTHER: add.u32 %r5, %r1, 4;\nMEET: add.u32 %r6, %r1, 5;",
           32, {"r1", NULL, 0}, {"r2", "0.25", 1}, {"r3", "0.125", 2}, {"r4", "0.25", 1},
           {"r5", "0.75", 3}, {"r6", NULL, 0});
}

/* Where all go one way, and threads that a warp never had: nothing. */
static void test_full(void)
{
    ASSERT("mov.u32 %r1, %tid.x; setp.ge.u32 %p1, %r1, 100; @%p1 bra MEET;\n"
           "add.u32 %r2, %r1, 1;\nMEET: add.u32 %r6, %r1, 5;",
           64, {"r2", NULL, 0}, {"r6", NULL, 0});
    ASSERT("mov.u32 %r1, %tid.x; add.u32 %r2, %r1, 1;", 20, {"r2", NULL, 0});
    ASSERT("mov.u32 %r1, %tid.x; setp.ge.u32 %p1, %r1, 10; @%p1 bra MEET;\n"
           "add.u32 %r2, %r1, 1;\nMEET: add.u32 %r6, %r1, 5;",
           20, {"r2", "0.5", 1}, {"r6", NULL, 0});
}

/* Thread i runs i + 1 times: 16.5 of 32 in the mean of the 32 iterations. A loop has no sides. */
static void test_trips(void)
{
    ASSERT("mov.u32 %r1, %tid.x; mov.u32 %r2, 0;\nAGAIN: add.u32 %r2, %r2, 1;\n"
           "setp.le.u32 %p1, %r2, %r1; @%p1 bra AGAIN;\nadd.u32 %r3, %r2, 1;",
           32, {"r2_2", "0.515625", 0}, {"r3", NULL, 0});
}

/* Threads that ended are not there: half of them, and of the other half a part goes on. */
static void test_ended(void)
{
    ASSERT("mov.u32 %r1, %tid.x; setp.ge.u32 %p1, %r1, 16; @%p1 exit;\nadd.u32 %r2, %r1, 1;", 32,
           {"r1", NULL, 0}, {"r2", "0.5", 0});
}

/* The mean over warps that run the same: those of one have 16 threads, of the other 24. */
static void test_warps(void)
{
    ASSERT("mov.u32 %r1, %tid.x; shr.u32 %r2, %r1, 5; and.b32 %r1, %r1, 31;\n"
           "mad.lo.u32 %r2, %r2, 8, 16; setp.ge.u32 %p1, %r1, %r2; @%p1 bra MEET;\n"
           "add.u32 %r3, %r1, 1;\nMEET: add.u32 %r4, %r1, 5;",
           64, {"r3", "0.625", 1}, {"r4", NULL, 0});
}

/* Operations are those of threads whose guard is true: 8 of 32, of a second warp none. What moves
 * or compares counts no operations, so that its guard says nothing. */
static void test_guards(void)
{
    ASSERT("mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 8;\n@%p1 add.u32 %r2, %r1, 1;\n"
           "@%p1 mov.u32 %r4, %r1;\nadd.u32 %r3, %r1, 2;",
           32, {"r2", "0.25", 0}, {"r4", NULL, 0}, {"r3", NULL, 0});
    ASSERT("mov.u32 %r1, %tid.x; setp.ge.u32 %p2, %r1, 16; @%p2 bra MEET;\n"
           "setp.lt.u32 %p1, %r1, 8;\n@%p1 add.u32 %r2, %r1, 1;\nMEET: add.u32 %r3, %r1, 2;",
           32, {"p1", "0.5", 1}, {"r2", "0.25", 1}, {"r3", NULL, 0});
}

/* 104 words by 32 threads: three stores of all threads, and one of 8, which fill a sector. */
static void test_stores(void)
{
    ASSERT("mov.u32 %r1, %tid.x; ld.param.u64 %rd1, [out];\n"
           "AGAIN: mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd1, %rd2;\n"
           "st.global.u32 [%rd3], %r1; add.u32 %r1, %r1, 32;\n"
           "setp.lt.u32 %p1, %r1, 104; @%p1 bra AGAIN;",
           32, {"store", NULL, 0}, {"store_2", "0.25", 0});
}

/* Atomics are like these stores, but where all groups add to one word. */
static void test_atomics(void)
{
    ASSERT("mov.u32 %r1, %tid.x; ld.param.u64 %rd1, [out];\n"
           "AGAIN: mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd1, %rd2;\n"
           "red.global.add.u32 [%rd3], %r1; add.u32 %r1, %r1, 32;\n"
           "setp.lt.u32 %p1, %r1, 104; @%p1 bra AGAIN;",
           32, {"red", NULL, 0}, {"red_2", "0.25", 0});
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/lift/lanes/sides", test_sides);
    g_test_add_func("/lift/lanes/full", test_full);
    g_test_add_func("/lift/lanes/trips", test_trips);
    g_test_add_func("/lift/lanes/ended", test_ended);
    g_test_add_func("/lift/lanes/warps", test_warps);
    g_test_add_func("/lift/lanes/guards", test_guards);
    g_test_add_func("/lift/lanes/stores", test_stores);
    g_test_add_func("/lift/lanes/atomics", test_atomics);
    return g_test_run();
}
