/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Launches of the corpus: much arithmetic in single precision, with functions of CUDA's mathematics
 * library and with instructions that are approximate. "CUDA's list of errors" is the table of
 * maximum errors in the CUDA programming guide's chapter on mathematical functions.
 */
#include "tests/help/corpus.h"

#include <complex.h>
#include <math.h>

static void expect_nbody(const CorpusLaunch *launch, gpointer const buffers[])
{
    const int n = corpus_int(launch, 0);
    const float softening = corpus_float_value(launch, 1);
    const float(*bodies)[4] = buffers[2];
    float(*accelerations)[4] = buffers[3];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const float dx = bodies[j][0] - bodies[i][0];
            const float dy = bodies[j][1] - bodies[i][1];
            const float dz = bodies[j][2] - bodies[i][2];
            const float square = fmaf(dz, dz, fmaf(dx, dx, dy * dy)) + softening;
            const float inverse = (float)(1.0 / sqrt((double)square));
            const float pull = inverse * (inverse * (bodies[j][3] * inverse));
            accelerations[i][0] = fmaf(dx, pull, accelerations[i][0]);
            accelerations[i][1] = fmaf(dy, pull, accelerations[i][1]);
            accelerations[i][2] = fmaf(dz, pull, accelerations[i][2]);
        }
}

static guint16 mandelbrot_steps(float cx, float cy, int most)
{
    float x = 0.0f;
    float y = 0.0f;
    int count = 0;
    while (count < most && x * x + y * y <= 4.0f) {
        const float next = cx + (x * x - y * y);
        y = fmaf(x + x, y, cy);
        x = next;
        count++;
    }
    return (guint16)count;
}

static void expect_mandelbrot(const CorpusLaunch *launch, gpointer const buffers[])
{
    const int width = corpus_int(launch, 0);
    const float step = corpus_float_value(launch, 4);
    guint16 *counts = buffers[6];
    for (int i = 0; i < width * corpus_int(launch, 1); i++) {
        const float cx = fmaf((float)(i % width), step, corpus_float_value(launch, 2));
        const int row = i / width;
        const float cy = corpus_float_value(launch, 3) - (float)row * step;
        counts[i] = mandelbrot_steps(cx, cy, corpus_int(launch, 5));
    }
}

#define FFT_SIZE 256

/* By the definition, in double precision: so the kernel's method is checked, too. */
static void expect_fft(const CorpusLaunch *launch, gpointer const buffers[])
{
    const double pi = acos(-1.0);
    for (guint group = 0; group < launch->grid[0]; group++) {
        const float(*in)[2] = (const float(*)[2])buffers[0] + (gsize)group * FFT_SIZE;
        float(*out)[2] = (float(*)[2])buffers[1] + (gsize)group * FFT_SIZE;
        for (int k = 0; k < FFT_SIZE; k++) {
            double complex sum = 0.0;
            for (int i = 0; i < FFT_SIZE; i++)
                sum += ((double)in[i][0] + I * (double)in[i][1]) *
                       cexp(-2.0 * I * pi * (double)(i * k % FFT_SIZE) / FFT_SIZE);
            out[k][0] = (float)creal(sum);
            out[k][1] = (float)cimag(sum);
        }
    }
}

static double normal(double d)
{
    const double k = 1.0 / (1.0 + 0.2316419 * fabs(d));
    const double tail =
        0.39894228 * exp(-0.5 * d * d) *
        (k * (0.31938153 +
              k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429)))));
    return d > 0.0 ? 1.0 - tail : tail;
}

/* In double precision, since the kernel's own errors are what the tolerance is for. */
static void expect_black_scholes(const CorpusLaunch *launch, gpointer const buffers[])
{
    const double rate = (double)corpus_float_value(launch, 1);
    const double volatility = (double)corpus_float_value(launch, 2);
    float *call = buffers[6];
    float *put = buffers[7];
    for (int i = 0; i < corpus_int(launch, 0); i++) {
        const double s = (double)((const float *)buffers[3])[i];
        const double x = (double)((const float *)buffers[4])[i];
        const double t = (double)((const float *)buffers[5])[i];
        const double deviation = volatility * sqrt(t);
        const double d1 = (log(s / x) + (rate + 0.5 * volatility * volatility) * t) / deviation;
        const double d2 = d1 - deviation;
        const double discounted = x * exp(-rate * t);
        call[i] = (float)(s * normal(d1) - discounted * normal(d2));
        put[i] = (float)(discounted * (1.0 - normal(d2)) - s * (1.0 - normal(d1)));
    }
}

/* Small angles, and large ones of both signs for some threads only; an infinite one, a NaN. */
static void fill_angles(gpointer data, guint count, guint32 seed)
{
    float *angles = data;
    corpus_fill_floats(data, count, seed);
    for (guint i = 0; i < count; i++) {
        if (i % 8 == 5)
            angles[i] = ldexpf(angles[i], 20 + (int)i);
        else
            angles[i] *= 100.0f;
    }
    angles[3] = INFINITY;
    angles[4] = NAN;
    angles[6] = -0.0f;
}

static void expect_trigonometry(const CorpusLaunch *launch, gpointer const buffers[])
{
    const float *angles = buffers[1];
    float *sines = buffers[2];
    float *cosines = buffers[3];
    for (int i = 0; i < corpus_int(launch, 0); i++) {
        sines[i] = (float)sin((double)angles[i]);
        cosines[i] = (float)cos((double)angles[i]);
    }
}

/* ---- the launches --------------------------------------------------------------------------- */

#define FLOATS(NAME, COUNT) CORPUS_BUFFER(NAME, CORPUS_F32, COUNT, corpus_fill_floats)
#define POSITIVE(NAME, COUNT) CORPUS_BUFFER(NAME, CORPUS_F32, COUNT, corpus_fill_positive)
#define RESULT(NAME, COUNT) CORPUS_BUFFER(NAME, CORPUS_F32, COUNT, NULL)

const CorpusLaunch corpus_float[] = {
    {CORPUS_LAUNCH("nbody", "nbody.ptx", "nbody", 2, 1, 64, 1), .dynamic_shared = 1024,
     .arguments = {CORPUS_INT("n", 100), CORPUS_FLOAT("softening", 0.01), FLOATS("bodies", 400),
                   RESULT("accelerations", 400)},
     .expect = expect_nbody, .ulps = 64, .scale = 16.0f,
     .why = "rsqrt.approx is within 2^-22.9, which its cube has three times: 4 ulps of each term; "
            "terms of up to 40 and their partial sums add to that"},
    {CORPUS_LAUNCH("mandelbrot", "mandelbrot.ptx", "mandelbrot", 4, 4, 16, 8),
     .arguments = {CORPUS_INT("width", 50), CORPUS_INT("height", 30), CORPUS_FLOAT("left", -2.1),
                   CORPUS_FLOAT("top", 1.2), CORPUS_FLOAT("step", 0.0625), CORPUS_INT("most", 60),
                   CORPUS_BUFFER("counts", CORPUS_U16, 1500, NULL)},
     .expect = expect_mandelbrot},
    {CORPUS_LAUNCH("fft", "fft.ptx", "fft", 2, 1, 128, 1),
     .arguments = {FLOATS("in", 2 * 2 * FFT_SIZE), RESULT("out", 2 * 2 * FFT_SIZE)},
     .expect = expect_fft, .ulps = 8, .scale = 16.0f,
     .why = "sincospif is within 1 ulp (CUDA's list of errors), and each of eight passes rounds "
            "numbers up to the largest result's magnitude, 16 to 32"},
    {CORPUS_LAUNCH("black-scholes", "black-scholes.ptx", "black_scholes", 2, 1, 128, 1),
     .arguments = {CORPUS_INT("n", 200), CORPUS_FLOAT("rate", 0.03),
                   CORPUS_FLOAT("volatility", 0.25), POSITIVE("price", 200),
                   POSITIVE("strike", 200), POSITIVE("years", 200), RESULT("call", 200),
                   RESULT("put", 200)},
     .expect = expect_black_scholes, .ulps = 8, .scale = 0.5f,
     .why =
         "logf is within 1 ulp and expf within 2 (CUDA's list of errors); d1, up to 8, passes its "
         "errors on through the density; about twenty operations round; prices up to 1 cancel"},
    {CORPUS_LAUNCH("trigonometry", "trigonometry.ptx", "trigonometry", 1, 1, 64, 1),
     .arguments = {CORPUS_INT("n", 60), CORPUS_BUFFER("angles", CORPUS_F32, 60, fill_angles),
                   RESULT("sines", 60), RESULT("cosines", 60)},
     .expect = expect_trigonometry, .ulps = 2,
     .why = "sinf and cosf are within 2 ulps (CUDA's list of errors)"},
    {.name = NULL}};
