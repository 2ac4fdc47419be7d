/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Launches of the corpus: neighbours on a grid. Stencils, filters, and a dynamic programme with a
 * ghost zone.
 */
#include "tests/help/corpus.h"

#include <math.h>

static void expect_sor(const CorpusLaunch *launch, gpointer const buffers[])
{
    const int n = corpus_int(launch, 0);
    const int colour = corpus_int(launch, 1);
    const float omega = corpus_float_value(launch, 2);
    float *grid = buffers[3];
    for (int y = 1; y < n - 1; y++)
        for (int x = 1 + (y + colour) % 2; x < n - 1; x += 2) {
            float *here = &grid[y * n + x];
            const float mean = 0.25f * (here[-1] + here[1] + here[-n] + here[n]);
            *here = fmaf(mean - *here, omega, *here);
        }
}

static void expect_stencil7(const CorpusLaunch *launch, gpointer const buffers[])
{
    const int nx = corpus_int(launch, 0);
    const int ny = corpus_int(launch, 1);
    const int plane = nx * ny;
    const float centre = corpus_float_value(launch, 3);
    const float side = corpus_float_value(launch, 4);
    const float *in = buffers[5];
    float *out = buffers[6];
    for (int z = 1; z < corpus_int(launch, 2) - 1; z++)
        for (int y = 1; y < ny - 1; y++)
            for (int x = 1; x < nx - 1; x++) {
                const int i = z * plane + y * nx + x;
                const float around = in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx];
                const float all = in[i + plane] + (in[i - plane] + around);
                out[i] = fmaf(in[i], centre, all * side);
            }
}

static void expect_convolution(const CorpusLaunch *launch, gpointer const buffers[])
{
    static const float weights[5][5] = {{0.00f, 0.02f, 0.03f, 0.02f, 0.01f},
                                        {0.02f, 0.06f, 0.10f, 0.06f, 0.02f},
                                        {0.03f, 0.10f, 0.15f, 0.09f, 0.03f},
                                        {0.02f, 0.06f, 0.09f, 0.05f, 0.02f},
                                        {0.01f, 0.02f, 0.03f, 0.02f, -0.06f}};
    const int width = corpus_int(launch, 0);
    const int height = corpus_int(launch, 1);
    const float *in = buffers[2];
    float *out = buffers[3];
    for (int i = 0; i < width * height; i++) {
        float sum = 0.0f;
        for (int k = 0; k < 25; k++) {
            const int row = CLAMP(i / width + k / 5 - 2, 0, height - 1);
            const int column = CLAMP(i % width + k % 5 - 2, 0, width - 1);
            sum = fmaf(weights[k / 5][k % 5], in[row * width + column], sum);
        }
        out[i] = sum;
    }
}

static void expect_pathfinder(const CorpusLaunch *launch, gpointer const buffers[])
{
    const int columns = corpus_int(launch, 0);
    const int steps = corpus_int(launch, 1);
    const gint32 *wall = buffers[2];
    const gint32 *before = buffers[3];
    gint32 *after = buffers[4];
    g_autofree gint32 *last = g_memdup2(before, (gsize)columns * sizeof *last);
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < columns; i++) {
            const gint32 left = last[MAX(i - 1, 0)];
            const gint32 right = last[MIN(i + 1, columns - 1)];
            after[i] = wall[step * columns + i] + MIN(last[i], MIN(left, right));
        }
        for (int i = 0; i < columns; i++)
            last[i] = after[i];
    }
}

/* ---- the launches --------------------------------------------------------------------------- */

#define FLOATS(NAME, COUNT) CORPUS_BUFFER(NAME, CORPUS_F32, COUNT, corpus_fill_floats)
#define RESULT(NAME, COUNT) CORPUS_BUFFER(NAME, CORPUS_F32, COUNT, NULL)
#define INTS(NAME, COUNT) CORPUS_BUFFER(NAME, CORPUS_I32, COUNT, corpus_fill_ints)
#define BOX (37 * 11 * 9)

const CorpusLaunch corpus_plane[] = {
    {CORPUS_LAUNCH("sor-red", "sor.ptx", "sor", 2, 5, 16, 8),
     .arguments = {CORPUS_INT("n", 35), CORPUS_INT("colour", 0), CORPUS_FLOAT("omega", 1.6),
                   FLOATS("grid", 35 * 35)},
     .expect = expect_sor},
    {CORPUS_LAUNCH("sor-black", "sor.ptx", "sor", 2, 5, 16, 8),
     .arguments = {CORPUS_INT("n", 35), CORPUS_INT("colour", 1), CORPUS_FLOAT("omega", 1.6),
                   FLOATS("grid", 35 * 35)},
     .expect = expect_sor},
    {CORPUS_LAUNCH("stencil7", "stencil7.ptx", "stencil7", 2, 3, 32, 4),
     .arguments = {CORPUS_INT("nx", 37), CORPUS_INT("ny", 11), CORPUS_INT("nz", 9),
                   CORPUS_FLOAT("centre", 0.4), CORPUS_FLOAT("side", 0.1), FLOATS("in", BOX),
                   RESULT("out", BOX)},
     .expect = expect_stencil7},
    {CORPUS_LAUNCH("convolution", "convolution.ptx", "convolution", 3, 2, 16, 16),
     .arguments = {CORPUS_INT("width", 40), CORPUS_INT("height", 21), FLOATS("in", 40 * 21),
                   RESULT("out", 40 * 21)},
     .expect = expect_convolution},
    /* groups compute 54 columns and have 10 in the ghost zone */
    {CORPUS_LAUNCH("pathfinder", "pathfinder.ptx", "pathfinder", 3, 1, 64, 1),
     .dynamic_shared = 256,
     .arguments = {CORPUS_INT("columns", 150), CORPUS_INT("steps", 5), INTS("wall", 5 * 150),
                   INTS("before", 150), CORPUS_BUFFER("after", CORPUS_I32, 150, NULL)},
     .expect = expect_pathfinder},
    {.name = NULL}};
