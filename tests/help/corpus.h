/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The corpus: kernels of our own in tests/corpus/, for each a launch (or a few) that an interpreter
 * executes in well under a second, and what the launch makes of its buffers, computed here in C.
 *
 * Expected values follow the kernel's PTX operation by operation: single precision, a fused
 * multiply-add (fmaf) where the PTX has fma, sums in the kernel's order. So they are equal to the
 * last bit, unless the kernel uses an approximate instruction or a function of CUDA's mathematics
 * library; then the launch says how many ulps it may be off, and why.
 */
#ifndef PIPESIM_TESTS_HELP_CORPUS_H
#define PIPESIM_TESTS_HELP_CORPUS_H

#include "ptx/run/run.h"

#ifdef __clang__ /* gcc never contracts with -std=c11, and does not know the pragma */
#pragma STDC FP_CONTRACT OFF
#endif

typedef enum {
    CORPUS_U8,
    CORPUS_U16,
    CORPUS_I32,
    CORPUS_U64,
    CORPUS_F32,
    CORPUS_F64,
    CORPUS_N_TYPES
} CorpusType;

/* Makes the count elements of a buffer; seed differs between a launch's buffers. */
typedef void (*CorpusFill)(gpointer data, guint count, guint32 seed);

typedef struct {
    const char *name; /* as in the source; NULL: after the last argument */
    CorpusType type;  /* of the scalar or of the buffer's elements; halves are U16 */
    guint count;      /* elements of a buffer; 0: a scalar, and */
    double value;     /* ... its value */
    CorpusFill fill;  /* of a buffer; NULL: zeros */
} CorpusArgument;

#define CORPUS_INT(NAME, VALUE)                                                                    \
    {                                                                                              \
        .name = (NAME), .type = CORPUS_I32, .value = (VALUE)                                       \
    }
#define CORPUS_LONG(NAME, VALUE)                                                                   \
    {                                                                                              \
        .name = (NAME), .type = CORPUS_U64, .value = (VALUE)                                       \
    }
#define CORPUS_FLOAT(NAME, VALUE)                                                                  \
    {                                                                                              \
        .name = (NAME), .type = CORPUS_F32, .value = (VALUE)                                       \
    }
#define CORPUS_BUFFER(NAME, TYPE, COUNT, FILL)                                                     \
    {                                                                                              \
        .name = (NAME), .type = (TYPE), .count = (COUNT), .fill = (FILL)                           \
    }

#define CORPUS_MOST_ARGUMENTS 8

typedef struct CorpusLaunch CorpusLaunch;
struct CorpusLaunch {
    const char *name;   /* its options for the program are in tests/corpus/NAME.launch */
    const char *ptx;    /* file in tests/corpus/ */
    const char *kernel; /* as the PTX has it */
    guint grid[3], block[3];
    guint dynamic_shared; /* bytes */
    guint warnings;       /* of the run: of functions that devices have built in */
    gboolean nameless; /* no source tells what the parameters are called: the text numbers them */
    CorpusArgument arguments[CORPUS_MOST_ARGUMENTS + 1];
    /* Does to the buffers (one per argument, NULL for scalars) what the launch does. */
    void (*expect)(const CorpusLaunch *launch, gpointer const buffers[]);
    /* Floats may differ by this many ulps of the expected value, or of `scale` where that is more:
     * where terms cancel, their errors count by the terms' magnitude. 0: equal to the last bit. */
    guint ulps;
    float scale;
    const char *why; /* of ulps */
};

/* What every launch has: GX * GY groups of BX * BY threads. */
#define CORPUS_LAUNCH(NAME, PTX, KERNEL, GX, GY, BX, BY)                                           \
    .name = (NAME), .ptx = (PTX), .kernel = (KERNEL), .grid = {(GX), (GY), 1},                     \
    .block = {(BX), (BY), 1}

/* The launches by what their kernels are about; each ends with a launch without a name. */
extern const CorpusLaunch corpus_linear[]; /* vectors and matrices */
extern const CorpusLaunch corpus_group[];  /* threads of a group work together */
extern const CorpusLaunch corpus_plane[];  /* neighbours on a grid */
extern const CorpusLaunch corpus_float[];  /* much arithmetic */
extern const CorpusLaunch corpus_code[];   /* instructions and code that the others lack */

/* The n-th launch of all; NULL after the last. */
const CorpusLaunch *corpus_launch(guint n);

/* The buffers of a launch as they are before it: one per argument, NULL for scalars; and their
 * release. */
gpointer *corpus_buffers_new(const CorpusLaunch *launch);
void corpus_buffers_free(gpointer *buffers);
gsize corpus_buffer_size(const CorpusArgument *argument); /* bytes; 0: a scalar */

/* The bits of a scalar as its parameter has them. */
guint64 corpus_scalar(const CorpusArgument *argument);

/* What NAME.launch holds: the words of a command line in tests/corpus/, several to a line. Buffers
 * that are not zeros are in files. Free with g_free. */
char *corpus_launch_text(const CorpusLaunch *launch);

/* The file with a buffer's contents, relative to tests/corpus/: launches of the same PTX share
 * those of the same name. Free with g_free. */
char *corpus_data_file(const CorpusLaunch *launch, const CorpusArgument *argument);

/* Element i of the buffers of that argument, actual and expected, as text, if they differ by more
 * than the launch allows; else NULL. Free with g_free. */
char *corpus_difference(const CorpusLaunch *launch, guint argument, gconstpointer actual,
                        gconstpointer expected, guint i);

/* Executes a launch: all its groups, in buffers. */
gboolean corpus_run(const CorpusLaunch *launch, gpointer const buffers[], GError **error);

/* The same with the kernel of another module, whose parameters are the same in number and order. */
gboolean corpus_run_module(const CorpusLaunch *launch, const PsPtxModule *module,
                           gpointer const buffers[], GError **error);

/* Fills in what a kernel of the launch is given, borrowed from the buffers; returns how many. */
guint corpus_fill_arguments(const CorpusLaunch *launch, gpointer const buffers[],
                            PsPtxArgument arguments[]);

/* ---- for the files with launches ------------------------------------------------------------ */

/* The value of an argument that is an int, or a float. */
int corpus_int(const CorpusLaunch *launch, guint argument);
float corpus_float_value(const CorpusLaunch *launch, guint argument);

/* Random numbers: floats from [-1, 1) of 16 bits (products of two need more than 24: so rounding
 * and the lack of it show), positive ones from [1/2, 1), ints from -1000 to 999, bytes of which
 * small ones are more frequent, halves from [-4, 4) that are multiples of 1/16 (sums of their
 * products are exact in any order). */
void corpus_fill_floats(gpointer data, guint count, guint32 seed);
void corpus_fill_positive(gpointer data, guint count, guint32 seed);
void corpus_fill_ints(gpointer data, guint count, guint32 seed);
void corpus_fill_bytes(gpointer data, guint count, guint32 seed);
void corpus_fill_halves(gpointer data, guint count, guint32 seed);
void corpus_fill_words(gpointer data, guint count, guint32 seed); /* any 64 bits */

/* The next of a sequence of random numbers of 32 bits. */
guint32 corpus_random(guint32 *state);

/* The value of a half, given by its bits: a number that is neither infinite nor NaN. */
float corpus_half(guint16 bits);

/* The sum of 32 numbers as a warp adds them by shuffles over distances 16, 8, ... 1. */
float corpus_warp_sum(const float values[32]);

#endif
