/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations that are recognised in machine code, of stored listings: which, of how many
 * instructions, and what they divide by.
 */
#include "lift/build.h"
#include "tests/help/corpus.h"
#include "tests/help/sass.h"

#include <string.h>

static void fill_ones(gpointer data, guint count, guint32 seed)
{
    (void)seed;
    for (guint i = 0; i < count; i++)
        ((guint32 *)data)[i] = 0x3f800000;
}

/* Numbers that 32 bits do not hold. */
static void fill_wide(gpointer data, guint count, guint32 seed)
{
    (void)seed;
    for (guint i = 0; i < count; i++)
        ((guint64 *)data)[i] = G_GUINT64_CONSTANT(0x3f8000000000) + i;
}

static void fill_halves(gpointer data, guint count, guint32 seed)
{
    (void)seed;
    for (guint i = 0; i < count; i++)
        ((guint32 *)data)[i] = 0x3f000000;
}

static const CorpusLaunch of_idioms = {.kernel = "idioms",
                                       .grid = {1, 1, 1},
                                       .block = {32, 1, 1},
                                       .arguments = {CORPUS_BUFFER("x", CORPUS_F32, 64, fill_ones),
                                                     CORPUS_BUFFER("k", CORPUS_I32, 128, fill_ones),
                                                     CORPUS_BUFFER("out", CORPUS_F32, 224, NULL),
                                                     CORPUS_INT("n", 7), CORPUS_INT("m", 9),
                                                     CORPUS_INT("step", 3)}};

static const CorpusLaunch of_functions = {
    .kernel = "functions",
    .grid = {1, 1, 1},
    .block = {32, 1, 1},
    .arguments = {CORPUS_BUFFER("x", CORPUS_F32, 64, fill_halves),
                  CORPUS_BUFFER("out", CORPUS_F32, 160, NULL)}};

static const CorpusLaunch of_alike = {.kernel = "alike",
                                      .grid = {1, 1, 1},
                                      .block = {32, 1, 1},
                                      .arguments = {CORPUS_BUFFER("x", CORPUS_F32, 64, fill_ones),
                                                    CORPUS_BUFFER("out", CORPUS_F32, 64, NULL)}};

static const CorpusLaunch of_quotients = {
    .kernel = "quotients",
    .grid = {1, 1, 1},
    .block = {32, 1, 1},
    .arguments = {CORPUS_BUFFER("x", CORPUS_U64, 64, fill_wide),
                  CORPUS_BUFFER("out", CORPUS_U64, 64, NULL), CORPUS_LONG("n", 5000000000),
                  CORPUS_LONG("m", 7000000000)}};

static const CorpusLaunch of_random = {
    .kernel = "random_25",
    .grid = {1, 1, 1},
    .block = {64, 1, 1},
    .arguments = {CORPUS_BUFFER("out", CORPUS_U64, 3 * 64 * 24, NULL),
                  CORPUS_BUFFER("in", CORPUS_U64, 3 * 64, NULL)}};

static const CorpusLaunch of_indices = {.kernel = "indices",
                                        .grid = {1, 1, 1},
                                        .block = {32, 1, 1},
                                        .arguments = {CORPUS_BUFFER("table", CORPUS_F32, 256, NULL),
                                                      CORPUS_BUFFER("out", CORPUS_F32, 32, NULL),
                                                      CORPUS_LONG("pitch", 32),
                                                      CORPUS_LONG("n", 8)}};

static const CorpusLaunch of_pointers = {
    .kernel = "pointers",
    .grid = {1, 1, 1},
    .block = {32, 1, 1},
    .arguments = {CORPUS_BUFFER("table", CORPUS_F32, 256, NULL),
                  CORPUS_BUFFER("out", CORPUS_F32, 32, NULL), CORPUS_INT("pitch", 32),
                  CORPUS_INT("n", 8)}};

static const CorpusLaunch of_numbers = {
    .kernel = "numbers",
    .grid = {1, 1, 1},
    .block = {32, 1, 1},
    .arguments = {CORPUS_BUFFER("out", CORPUS_U64, 32, NULL), CORPUS_LONG("factor", 77)}};

static const CorpusLaunch of_strided = {.kernel = "strided",
                                        .grid = {1, 1, 1},
                                        .block = {32, 1, 1},
                                        .arguments = {CORPUS_BUFFER("p", CORPUS_F32, 512, NULL),
                                                      CORPUS_BUFFER("out", CORPUS_F32, 32, NULL),
                                                      CORPUS_LONG("stride", 32),
                                                      CORPUS_INT("n", 8)}};

static const CorpusLaunch of_shares = {.kernel = "shares",
                                       .grid = {1, 1, 1},
                                       .block = {32, 1, 1},
                                       .arguments = {CORPUS_BUFFER("in", CORPUS_U64, 32, NULL),
                                                     CORPUS_BUFFER("out", CORPUS_F32, 32, NULL),
                                                     CORPUS_LONG("factor", 77)}};

static const CorpusLaunch of_ring = {.kernel = "ring",
                                     .grid = {1, 1, 1},
                                     .block = {32, 1, 1},
                                     .arguments = {CORPUS_BUFFER("samples", CORPUS_F32, 64, NULL),
                                                   CORPUS_BUFFER("out", CORPUS_F32, 32, NULL),
                                                   CORPUS_INT("size", 63), CORPUS_INT("step", 5)}};

static const GPtrArray *first_loop(const GPtrArray *body)
{
    for (guint i = 0; i < body->len; i++)
        if (((const PsIdgItem *)body->pdata[i])->kind == PS_IDG_LOOP)
            return ((const PsIdgItem *)body->pdata[i])->body;
    return body;
}

/* The operations of a kernel's nodes, of those of its loop where it has one, one a line, in order:
 * "div.u32 by m: 15". */
static char *operations(const CorpusLaunch *launch, const char *file)
{
    PsSassImage *image = NULL;
    PsSassCode *code = sass_code(file, launch->kernel, &image);
    gpointer *buffers = corpus_buffers_new(launch);
    PsPtxArgument arguments[CORPUS_MOST_ARGUMENTS];
    PsBuildOptions options;
    g_autoptr(GError) error = NULL;
    GString *out = g_string_new(NULL);
    ps_build_options_init(&options);
    options.module = code->module;
    options.machine = code;
    options.launch = (PsPtxLaunch){.kernel = ps_ptx_kernel(code->module, launch->kernel, &error),
                                   .n_arguments = corpus_fill_arguments(launch, buffers, arguments),
                                   .arguments = arguments};
    memcpy(options.launch.grid, launch->grid, sizeof launch->grid);
    memcpy(options.launch.block, launch->block, sizeof launch->block);
    PsBuild *build = ps_build(&options, &error);
    g_assert_no_error(error);
    const GPtrArray *body = first_loop(((PsIdgCode *)build->idg->codes->pdata[0])->body);
    for (guint i = 0; i < body->len; i++) {
        const PsIdgItem *item = body->pdata[i];
        guint parts = 1;
        for (guint k = 0; k < body->len; k++)
            parts += g_strcmp0(((const PsIdgItem *)body->pdata[k])->part, item->name) == 0;
        if (item->op && parts > 1)
            g_string_append_printf(out, "%s%s%s: %u\n", item->op, item->by ? " by " : "",
                                   item->by ? item->by : "", parts);
    }
    ps_build_free(build);
    ps_sass_code_free(code);
    ps_sass_image_free(image);
    corpus_buffers_free(buffers);
    return g_string_free(out, FALSE);
}

/* Counted in the listings; the inverse of n is a part of the remainder, which is first. What is
 * divided by a sum has no name. */
#define MOST                                                                                       \
    "sqrt.rn.f32: 10\ndiv.rn.f32: 10\ndiv.rn.f32: 10\nrcp.rn.f32: 10\nrem.s32 by n: 17\n"          \
    "div.s32 by n: 12\ndiv.u32 by m: 16\nexpf: 10\n"

static void test_idioms(void)
{
    static const char *const files[][2] = {{"idioms-75", MOST "rem.u32: 16\n"},
                                           {"idioms-90", MOST "rem.u32: 16\n"},
                                           {"idioms-120", MOST "rem.u32: 15\n"}};
    for (gsize i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *got = operations(&of_idioms, files[i][0]);
        g_assert_cmpstr(got, ==, files[i][1]);
    }
}

/* Instructions of the usual ways, with what holds lanes together around the others. */
static void test_functions(void)
{
    static const char *const files[][2] = {
        {"functions-75", "sinf: 26\nlogf: 27\ncosf: 29\npowf: 72\ntanhf: 17\n"},
        {"functions-90", "sinf: 26\ncosf: 29\nlogf: 27\npowf: 72\ntanhf: 17\n"},
        {"functions-120", "sinf: 29\ncosf: 29\nlogf: 27\npowf: 72\ntanhf: 17\n"}};
    for (gsize i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *got = operations(&of_functions, files[i][0]);
        g_autofree char *alike = operations(&of_alike, files[i][0]);
        g_assert_cmpstr(alike, ==, "");
        g_assert_cmpstr(got, ==, files[i][1]);
    }
}

/* Subroutines, with their calls and the ways back. */
static void test_quotients(void)
{
    static const char *const files[][2] = {{"functions-75", "div.s64: 86\nrem.u64: 65\n"},
                                           {"functions-90", "div.s64: 86\nrem.u64: 67\n"},
                                           {"functions-120", "div.s64: 79\nrem.u64: 60\n"}};
    for (gsize i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *got = operations(&of_quotients, files[i][0]);
        g_assert_cmpstr(got, ==, files[i][1]);
    }
}

/* The inverse of one divisor is computed once: it is a part of the first remainder. */
static void test_ring(void)
{
    g_autofree char *got = operations(&of_ring, "idioms-90");
#define REST "rem.s32 by size: "
    g_assert_cmpstr(got, ==, REST "17\n" REST "11\n" REST "11\n" REST "11\n");
}

/* 1 / sqrt(x), approximate, is no square root. */
static void test_none(void)
{
    g_autofree char *got = operations(&of_random, "random-80");
    g_assert_cmpstr(got, ==, "");
}

/* A counter of 64 bits, but no pointer that goes along, no pointers of a loop over int, and no
 * numbers of 64 bits. From sm_100 on such sums are single instructions. */
static void test_indices(void)
{
    static const char *const files[][2] = {{"idioms-75", "add.s64: 2\nsetp.s64: 2\n"},
                                           {"idioms-90", "add.s64: 2\nsetp.s64: 2\n"},
                                           {"idioms-120", ""}};
    for (gsize i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *indices = operations(&of_indices, files[i][0]);
        g_autofree char *pointers = operations(&of_pointers, files[i][0]);
        g_autofree char *numbers = operations(&of_numbers, files[i][0]);
        g_autofree char *strided = operations(&of_strided, files[i][0]);
        g_autofree char *shares = operations(&of_shares, files[i][0]);
        g_assert_cmpstr(indices, ==, files[i][1]);
        g_assert_cmpstr(pointers, ==, "");
        g_assert_cmpstr(numbers, ==, "");
        g_assert_cmpstr(strided, ==, "");
        g_assert_cmpstr(shares, ==, "");
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/idiom/all", test_idioms);
    g_test_add_func("/idiom/functions", test_functions);
    g_test_add_func("/idiom/quotients", test_quotients);
    g_test_add_func("/idiom/ring", test_ring);
    g_test_add_func("/idiom/none", test_none);
    g_test_add_func("/idiom/indices", test_indices);
    return g_test_run();
}
