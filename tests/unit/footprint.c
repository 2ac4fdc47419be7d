/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the benchmarks of levels go: the kernels' own sources, compiled for this machine and run
 * thread by thread.
 */
#include <glib.h>
#include <string.h>

/* Kernels ask their compilers for loops that stay rolled. */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Wunused-variable"

/* A prelude for one thread of one group. */
typedef guint32 U32;
typedef guint64 U64;
typedef struct {
    U32 x, y, z, w;
} U32X4;
typedef struct {
    U32 thread, group, groups;
} Here;

#define KERNEL(name)                                                                               \
    static void name(Here here, U32 *memory, U32 elements, U32 step, U32 length, U32 *sink)
#define GLOBAL
#define LOCAL_WORDS
#define THREAD here.thread
#define GROUP here.group
#define GROUP_SIZE 64u
#define GROUPS here.groups
#define WARP_SIZE 32u
#define BARRIER
#define COUNTER 0
#define STAMP(begin, end)                                                                          \
    (void)(begin);                                                                                 \
    (void)(end);
#define OP_link(x) (x) = *(U64 *)((char *)memory + (x));
#define OP_count(at) memory[at] += 1;

#include "latency-bench/kernels/common.h"

#define NAME walk
#define TRIP S16
#include "latency-bench/kernels/walk.h"
#undef NAME

#define ILP 2
#include "latency-bench/kernels/each.h"
#define NAME flow
#include "latency-bench/kernels/flow.h"
#undef NAME
#undef UNIT
#undef UNIT_WORDS
#undef USE
#undef PLACE
#undef PARTS

#define NAME flow_copy
#define COPY 1
#include "latency-bench/kernels/flow.h"
#undef NAME
#undef COPY
#undef UNIT
#undef UNIT_WORDS
#undef USE
#undef PLACE
#undef PARTS

#define NAME flow_apart
#define APART 32u
#include "latency-bench/kernels/flow.h"
#undef NAME
#undef PLACE

#define OP(at) OP_count(at)
#define NAME touch_line
#define PLACE (LANE % 32u)
#define STRIDE 0u
#include "latency-bench/kernels/touch.h"
#undef NAME
#undef PLACE
#undef STRIDE

#define NAME touch_partial
#define PLACE (8u * NUMBER)
#define STRIDE (8u * THREADS)
#include "latency-bench/kernels/touch.h"

/* ---- walks --------------------------------------------------------------------------------- */

#define LINES 1000

static U64 word(const char *memory, gsize at)
{
    U64 value;
    memcpy(&value, memory + at, sizeof value);
    return value;
}

/* A ring through all lines (7 has no divisor in common with their number). */
static char *make_ring(void)
{
    char *memory = g_malloc0(LINES * 128);
    for (U64 i = 0; i < LINES; i++) {
        const U64 next = (i + 7) % LINES * 128;
        memcpy(memory + i * 128, &next, sizeof next);
    }
    return memory;
}

/* A launch goes `step` links, then as many as are timed, and the next one goes on from there. */
static void test_walk(void)
{
    g_autofree char *memory = make_ring();
    U32 sink[64] = {0};
    const Here here = {0, 0, 1};
    walk(here, (U32 *)(void *)memory, LINES * 32, 0, 2, sink);
    g_assert_cmpuint(word(memory, 8), ==, 7 * 32 % LINES * 128);
    walk(here, (U32 *)(void *)memory, LINES * 32, 5, 3, sink);
    g_assert_cmpuint(word(memory, 8), ==, 7 * (32 + 5 + 48) % LINES * 128);
    const Here other = {1, 0, 1};
    walk(other, (U32 *)(void *)memory, LINES * 32, 5, 3, sink);
    g_assert_cmpuint(word(memory, 8), ==, 7 * (32 + 5 + 48) % LINES * 128);
}

/* ---- flows --------------------------------------------------------------------------------- */

/* What a thread says when it has read the one word that is not zero, once. */
#define FOUND 123456789u

typedef void (*Kernel)(Here here, U32 *memory, U32 elements, U32 step, U32 length, U32 *sink);

/* How many threads of the group read that word just once in so many trips. */
static guint readers(Kernel kernel, U32 *memory, U32 elements, Here here, U32 length)
{
    guint n = 0;
    g_autofree U32 *sink = g_new0(U32, GROUP_SIZE * here.groups);
    for (here.thread = 0; here.thread < GROUP_SIZE; here.thread++)
        kernel(here, memory, elements, 1, length, sink);
    for (U32 i = 0; i < GROUP_SIZE * here.groups; i++)
        n += sink[i] != 0;
    return n;
}

/* Each group reads each of so many tiles once before it reads one again: whatever groups there are,
 * alone or not. A tile has 2 vectors of each thread. */
static void check_flow(U32 groups, U32 tiles, U32 span)
{
    const U32 tile = 64 * 2 * 4, elements = tiles * tile + 12;
    g_autofree U32 *memory = g_new0(U32, elements);
    for (U32 t = 0; t < tiles; t++) {
        memory[t * tile + 4 * (t % 128) + t % 4] = FOUND;
        for (U32 group = 0; group < groups; group++)
            g_assert_cmpuint(readers(flow, memory, elements, (Here){0, group, groups}, span), ==,
                             t < span);
        memory[t * tile + 4 * (t % 128) + t % 4] = 0;
    }
}

static void test_flow(void)
{
    check_flow(1, 7, 7);
    check_flow(4, 9, 9);
    check_flow(6, 24, 19);
    check_flow(12, 13, 13);
    check_flow(5, 5, 5); /* no more tiles than groups */
    check_flow(6, 3, 3);
}

/* A buffer that is smaller than a tile: all of it is read. */
static void test_small_flow(void)
{
    const U32 vectors = 50;
    g_autofree U32 *memory = g_new0(U32, vectors * 4);
    for (U32 i = 0; i < vectors; i++) {
        memory[4 * i] = FOUND;
        g_assert_cmpuint(readers(flow, memory, vectors * 4, (Here){0, 3, 4}, 1), >=, 1);
        memory[4 * i] = 0;
    }
}

/* Threads of a warp each ask for a line of their own. */
static void test_apart(void)
{
    const U32 elements = 2048;
    g_autofree U32 *memory = g_new0(U32, elements);
    for (U32 lane = 0; lane < 32; lane++) {
        memory[32 * lane] = FOUND; /* both warps of the group */
        g_assert_cmpuint(readers(flow_apart, memory, elements, (Here){0, 0, 2}, 1), ==, 2);
        memory[32 * lane] = 0;
    }
}

/* The first half is copied to the second, but for tiles that no whole step is left of, and nothing
 * else is written. */
static void check_copy(U32 groups, U32 tiles, U32 span)
{
    const U32 tile = 64 * 2 * 4, half = tiles * tile + 12;
    g_autofree U32 *memory = g_new0(U32, 2 * half), sink[64 * 4] = {0};
    for (U32 i = 0; i < half; i++)
        memory[i] = i + 1;
    for (U32 thread = 0; thread < GROUP_SIZE; thread++)
        flow_copy((Here){thread, 0, groups}, memory, 2 * half, 1, span, sink);
    for (U32 i = 0; i < half; i++) {
        g_assert_cmpuint(memory[i], ==, i + 1);
        g_assert_cmpuint(memory[half + i], ==, i < span * tile ? i + 1 : 0);
    }
}

static void test_copy(void)
{
    check_copy(1, 7, 7);
    check_copy(4, 9, 9);
    check_copy(4, 8, 5);
}

/* ---- what is written ----------------------------------------------------------------------- */

static guint count_touched(Kernel kernel, U32 *memory, U32 elements, U32 length)
{
    U32 sink[256] = {0};
    guint n = 0;
    for (U32 thread = 0; thread < GROUP_SIZE; thread++)
        for (U32 group = 0; group < 2; group++)
            kernel((Here){thread, group, 2}, memory, elements, 1, length, sink);
    for (U32 i = 0; i < elements; i++)
        n += memory[i] != 0;
    return n;
}

/* All in one line, again and again; or a word of each sector of the buffer. */
static void test_touches(void)
{
    const U32 elements = 8 * 128 * 4;
    g_autofree U32 *line = g_new0(U32, elements), *sectors = g_new0(U32, elements);
    g_assert_cmpuint(count_touched(touch_line, line, elements, 3), ==, 32);
    g_assert_cmpuint(line[31], ==, 2 * 2 * 3);
    g_assert_cmpuint(count_touched(touch_partial, sectors, elements, 4), ==, 4 * 128);
    for (U32 i = 0; i < elements; i += 8)
        g_assert_cmpuint(sectors[i], ==, 1);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/footprint/walk", test_walk);
    g_test_add_func("/footprint/flow", test_flow);
    g_test_add_func("/footprint/small-flow", test_small_flow);
    g_test_add_func("/footprint/apart", test_apart);
    g_test_add_func("/footprint/copy", test_copy);
    g_test_add_func("/footprint/touches", test_touches);
    return g_test_run();
}
