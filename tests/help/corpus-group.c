/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Launches of the corpus: threads of a group that work together, through shared memory, shuffles,
 * votes and atomic operations.
 */
#include "tests/help/corpus.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What each thread of a group adds up: elements a grid apart. */
static void thread_sums(const CorpusLaunch *launch, const float *in, guint group, float *sums)
{
    const guint block = launch->block[0];
    const guint n = (guint)corpus_int(launch, 0);
    for (guint thread = 0; thread < block; thread++) {
        sums[thread] = 0.0f;
        for (guint i = group * block + thread; i < n; i += launch->grid[0] * block)
            sums[thread] += in[i];
    }
}

static void expect_reduce_shared(const CorpusLaunch *launch, gpointer const buffers[])
{
    float *out = buffers[2];
    float sums[1024];
    for (guint group = 0; group < launch->grid[0]; group++) {
        thread_sums(launch, buffers[1], group, sums);
        for (guint half = launch->block[0] / 2; half > 0; half /= 2)
            for (guint thread = 0; thread < half; thread++)
                sums[thread] += sums[thread + half];
        out[group] = sums[0];
    }
}

static void expect_reduce_shuffle(const CorpusLaunch *launch, gpointer const buffers[])
{
    float *out = buffers[2];
    float sums[1024];
    for (guint group = 0; group < launch->grid[0]; group++) {
        float warps[32] = {0.0f};
        thread_sums(launch, buffers[1], group, sums);
        for (guint warp = 0; warp < launch->block[0] / 32; warp++)
            warps[warp] = corpus_warp_sum(&sums[warp * 32]);
        out[group] = corpus_warp_sum(warps);
    }
}

/* Prefix sums within groups of `size` elements, with or without the element itself. */
static void scan(const CorpusLaunch *launch, gpointer const buffers[], int size, gboolean inclusive)
{
    const int n = corpus_int(launch, 0);
    const gint32 *in = buffers[1];
    gint32 *out = buffers[2];
    gint32 *sums = buffers[3];
    for (int i = 0; i < n; i++) {
        gint32 *sum = &sums[i / size];
        out[i] = inclusive ? *sum + in[i] : *sum;
        *sum += in[i];
    }
}

static void expect_scan_tree(const CorpusLaunch *launch, gpointer const buffers[])
{
    scan(launch, buffers, 2 * (int)launch->block[0], FALSE);
}

static void expect_scan_shuffle(const CorpusLaunch *launch, gpointer const buffers[])
{
    scan(launch, buffers, (int)launch->block[0], TRUE);
}

static void expect_histogram(const CorpusLaunch *launch, gpointer const buffers[])
{
    const guint8 *in = buffers[1];
    gint32 *bins = buffers[2];
    const gsize bytes = corpus_buffer_size(&launch->arguments[1]);
    for (gsize i = 0; i < bytes; i++)
        bins[in[i]]++;
}

static int compare_ints(const void *a, const void *b)
{
    const gint32 left = *(const gint32 *)a;
    const gint32 right = *(const gint32 *)b;
    return (left > right) - (left < right);
}

static void expect_sorted(const CorpusLaunch *launch, gpointer const buffers[])
{
    const guint size = 2 * launch->block[0];
    for (guint group = 0; group < launch->grid[0]; group++)
        qsort((gint32 *)buffers[0] + group * size, size, sizeof(gint32), compare_ints);
}

/* Few values, mostly zero; nothing else in the second 32. */
static void fill_sparse(gpointer data, guint count, guint32 seed)
{
    gint32 *values = data;
    for (guint i = 0; i < count; i++) {
        const guint32 bits = corpus_random(&seed) >> 8;
        values[i] = i / 32 == 1 || bits % 2 ? 0 : (gint32)(bits / 2 % 5) - 2;
    }
}

static void expect_votes(const CorpusLaunch *launch, gpointer const buffers[])
{
    const int n = corpus_int(launch, 0);
    const gint32 *in = buffers[1];
    gint32 *count = buffers[2];
    gint32 *out = buffers[3];
    gint32 *alike = buffers[4];
    for (int i = 0; i < n; i++) {
        if (in[i] == 0)
            continue;
        out[*count] = in[i];
        for (int j = i / 32 * 32; j < MIN(n, i / 32 * 32 + 32); j++)
            alike[*count] += in[j] == in[i];
        ++*count;
    }
}

/* The kernel's order of sums: a thread's own, its warp's, then the warps one after the other. */
static void softmax_row(const float *from, float *to, int columns, int threads)
{
    float lanes[1024] = {0.0f};
    float largest = -INFINITY;
    for (int i = 0; i < columns; i++)
        largest = fmaxf(largest, from[i]);
    for (int i = 0; i < columns; i++) {
        to[i] = (float)exp((double)(from[i] - largest));
        lanes[i % threads] += to[i];
    }
    float sum = corpus_warp_sum(lanes);
    for (int warp = 1; warp < threads / 32; warp++)
        sum += corpus_warp_sum(&lanes[32 * warp]);
    for (int i = 0; i < columns; i++)
        to[i] /= sum;
}

static void expect_softmax(const CorpusLaunch *launch, gpointer const buffers[])
{
    const int columns = corpus_int(launch, 0);
    for (guint row = 0; row < launch->grid[0]; row++) {
        const float *from = (const float *)buffers[1] + row * (guint)columns;
        softmax_row(from, (float *)buffers[2] + row * (guint)columns, columns,
                    (int)launch->block[0]);
    }
}

/* From -8 to 8, so that exponentials differ by millions. */
static void fill_logits(gpointer data, guint count, guint32 seed)
{
    float *values = data;
    corpus_fill_floats(data, count, seed);
    for (guint i = 0; i < count; i++)
        values[i] *= 8.0f;
}

/* ---- the launches --------------------------------------------------------------------------- */

#define INTS(NAME, COUNT) CORPUS_BUFFER(NAME, CORPUS_I32, COUNT, corpus_fill_ints)
#define INT_RESULT(NAME, COUNT) CORPUS_BUFFER(NAME, CORPUS_I32, COUNT, NULL)
#define REDUCE                                                                                     \
    {                                                                                              \
        CORPUS_INT("n", 1000), CORPUS_BUFFER("in", CORPUS_F32, 1000, corpus_fill_floats),          \
            CORPUS_BUFFER("out", CORPUS_F32, 3, NULL)                                              \
    }
#define SCAN                                                                                       \
    {                                                                                              \
        CORPUS_INT("n", 500), INTS("in", 500), INT_RESULT("out", 500), INT_RESULT("sums", 4)       \
    }

const CorpusLaunch corpus_group[] = {
    {CORPUS_LAUNCH("reduce-shared", "reduction.ptx", "reduce_shared", 3, 1, 128, 1),
     .dynamic_shared = 512, .arguments = REDUCE, .expect = expect_reduce_shared},
    {CORPUS_LAUNCH("reduce-shuffle", "reduction.ptx", "reduce_shuffle", 3, 1, 96, 1),
     .arguments = REDUCE, .expect = expect_reduce_shuffle},
    {CORPUS_LAUNCH("scan-tree", "scan.ptx", "scan_tree", 4, 1, 64, 1), .dynamic_shared = 512,
     .arguments = SCAN, .expect = expect_scan_tree},
    {CORPUS_LAUNCH("scan-shuffle", "scan.ptx", "scan_shuffle", 4, 1, 128, 1), .arguments = SCAN,
     .expect = expect_scan_shuffle},
    {CORPUS_LAUNCH("histogram-global", "histogram.ptx", "histogram_global", 4, 1, 128, 1),
     .arguments = {CORPUS_INT("n", 2004), CORPUS_BUFFER("in", CORPUS_U8, 2004, corpus_fill_bytes),
                   INT_RESULT("bins", 256)},
     .expect = expect_histogram},
    {CORPUS_LAUNCH("histogram-shared", "histogram.ptx", "histogram_shared", 3, 1, 96, 1),
     .arguments = {CORPUS_INT("n", 501), CORPUS_BUFFER("in", CORPUS_U8, 2004, corpus_fill_bytes),
                   INT_RESULT("bins", 256)},
     .expect = expect_histogram},
    {CORPUS_LAUNCH("bitonic", "bitonic.ptx", "bitonic", 3, 1, 64, 1), .dynamic_shared = 512,
     .arguments = {INTS("data", 384)}, .expect = expect_sorted},
    /* one warp, which keeps the elements' order */
    {CORPUS_LAUNCH("votes", "votes.ptx", "votes", 1, 1, 32, 1),
     .arguments = {CORPUS_INT("n", 300), CORPUS_BUFFER("in", CORPUS_I32, 300, fill_sparse),
                   INT_RESULT("count", 1), INT_RESULT("out", 300), INT_RESULT("alike", 300)},
     .expect = expect_votes},
    {CORPUS_LAUNCH("softmax", "softmax.ptx", "softmax", 4, 1, 96, 1),
     .arguments = {CORPUS_INT("columns", 150), CORPUS_BUFFER("in", CORPUS_F32, 600, fill_logits),
                   CORPUS_BUFFER("out", CORPUS_F32, 600, NULL)},
     .expect = expect_softmax, .ulps = 6,
     .why = "expf is within 2 ulps (CUDA's list of errors), above and below the quotient, each of "
            "which is rounded"},
    {.name = NULL}};
