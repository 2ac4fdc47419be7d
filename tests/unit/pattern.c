/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the benchmarks of mmul's accesses go: the kernel's own source, compiled for this machine
 * and run thread by thread, marks what it visits, which must be what the same thread of the matrix
 * multiplication visits.
 */
#include <glib.h>
#include <string.h>

/* Kernels ask their compilers for loops that stay rolled. */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

/* A prelude for one thread of one group. */
typedef guint32 U32;
typedef guint64 U64;
typedef struct {
    U32 thread, group;
} Here;

#define KERNEL(name)                                                                               \
    static void name(Here here, U32 *memory, U32 elements, U32 step, U32 length, U32 *sink)
#define LOCAL_WORDS
#define THREAD here.thread
#define GROUP here.group
#define GROUP_SIZE 64u
#define GROUPS 512u
#define WARP_SIZE 32u
#define BARRIER
#define COUNTER 0
#define STAMP(begin, end)                                                                          \
    (void)(begin);                                                                                 \
    (void)(end);

#include "latency-bench/kernels/common.h"
#define TRIP S16
#define WRITES 1
#define ILP 1
#include "latency-bench/kernels/each.h"

#define NAME walk_a8
#define TILE 8u
#define MATRIX_A 1
#include "latency-bench/kernels/pattern.h"

#include "tests/help/pattern-undef.h"
#define NAME walk_b8
#define TILE 8u
#include "latency-bench/kernels/pattern.h"

#include "tests/help/pattern-undef.h"
#define NAME walk_a16
#define TILE 16u
#define MATRIX_A 1
#include "latency-bench/kernels/pattern.h"

#include "tests/help/pattern-undef.h"
#define NAME walk_b16
#define TILE 16u
#include "latency-bench/kernels/pattern.h"

#define WORDS (ORDER * ORDER)
#define UNTOUCHED G_MAXUINT32

typedef void (*Walk)(Here here, U32 *memory, U32 elements, U32 step, U32 length, U32 *sink);

/* What mmul loads in the loop over tiles, of A or of B, in the `lap`-th tile from its own on: that
 * is of the tile row below, or of the tile column to the right. */
static U32 of_mmul(gboolean is_a, U32 tile, U32 thread, U32 lap, U32 trip)
{
    const U32 tiles = ORDER / tile, block = thread / (tile * tile), inside = thread % (tile * tile);
    const U32 i = inside / tile, j = inside % tile;
    const U32 row = (block / tiles + lap) % tiles * tile + i;
    const U32 column = (block + lap) % tiles * tile + j;
    return is_a ? row * ORDER + trip * tile + j : (trip * tile + i) * ORDER + column;
}

/* Two laps visit what two tiles of mmul do, in that order, and nothing else. */
static void check_walk(Walk walk, gboolean is_a, U32 tile)
{
    static const U32 threads[] = {0, 1, 9, 31, 32, 63, 64, 255, 256, 1000, 8191, 8192, 32767};
    const U32 trips = ORDER / tile;
    U32 sink[1] = {0};
    g_autofree U32 *memory = g_new(U32, WORDS);
    for (guint t = 0; t < G_N_ELEMENTS(threads); t++) {
        const Here here = {threads[t] % GROUP_SIZE, threads[t] / GROUP_SIZE};
        guint visited = 0;
        memset(memory, 0xff, sizeof(U32) * WORDS);
        walk(here, memory, WORDS, 1, 2 * trips / 16, sink);
        for (U32 i = 0; i < WORDS; i++)
            visited += memory[i] != UNTOUCHED;
        g_assert_cmpuint(visited, ==, 2 * trips);
        for (U32 step = 0; step < 2 * trips; step++) {
            const U32 at = of_mmul(is_a, tile, threads[t], step / trips, step % trips);
            g_assert_cmpuint(memory[at], ==, step / 16);
        }
    }
}

static void test_walks(void)
{
    check_walk(walk_a8, TRUE, 8);
    check_walk(walk_b8, FALSE, 8);
    check_walk(walk_a16, TRUE, 16);
    check_walk(walk_b16, FALSE, 16);
}

/* As many laps as a long launch has: it never leaves the matrices. */
static void test_bounds(void)
{
    static const Walk walks[] = {walk_a8, walk_b8, walk_a16, walk_b16};
    const Here last = {GROUP_SIZE - 1, GROUPS - 1};
    U32 sink[1] = {0};
    g_autofree U32 *memory = g_new(U32, WORDS + ORDER);
    for (guint i = 0; i < G_N_ELEMENTS(walks); i++) {
        memset(memory, 0xff, sizeof(U32) * (WORDS + ORDER));
        walks[i](last, memory, WORDS, 1, 300 * 8, sink);
        for (U32 k = WORDS; k < WORDS + ORDER; k++)
            g_assert_cmpuint(memory[k], ==, UNTOUCHED);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/pattern/walks", test_walks);
    g_test_add_func("/pattern/bounds", test_bounds);
    return g_test_run();
}
