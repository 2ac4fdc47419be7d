/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Machine code does what PTX does: kernels of the corpus, as ptxas made them for two architectures,
 * leave the same bits in all buffers.
 */
#include "tests/help/corpus.h"
#include "tests/help/sass.h"

#include <string.h>

typedef struct {
    const char *launch, *file;
} Case;

static const Case cases[] = {
    {"calls", "calls-80"},
    {"calls", "calls-120"},
    {"histogram-shared", "histogram-80"},
    {"histogram-shared", "histogram-120"},
    {"mmul16", "mmul16-80"},
    {"mmul16", "mmul16-120"},
    {"reduce-shuffle", "reduction-80"},
    {"reduce-shuffle", "reduction-120"},
    {"saxpy", "saxpy-80"},
    {"saxpy", "saxpy-120"},
};

static const CorpusLaunch *find_launch(const char *name)
{
    const CorpusLaunch *launch = NULL;
    for (guint n = 0; (launch = corpus_launch(n)); n++)
        if (strcmp(launch->name, name) == 0)
            return launch;
    g_assert_not_reached();
}

static void check_case(gconstpointer data)
{
    const Case *one = data;
    const CorpusLaunch *launch = find_launch(one->launch);
    g_autoptr(GError) error = NULL;
    gpointer *of_ptx = corpus_buffers_new(launch), *of_machine = corpus_buffers_new(launch);
    PsSassImage *image = NULL;
    PsSassCode *code = sass_code(one->file, &image);
    g_assert_cmpuint(code->module->warnings->len, ==, 0);
    g_assert_true(corpus_run(launch, of_ptx, &error));
    corpus_run_module(launch, code->module, of_machine, &error);
    g_assert_no_error(error);
    for (guint i = 0; launch->arguments[i].name; i++)
        if (launch->arguments[i].count > 0)
            g_assert_cmpmem(of_machine[i], corpus_buffer_size(&launch->arguments[i]), of_ptx[i],
                            corpus_buffer_size(&launch->arguments[i]));
    ps_sass_code_free(code);
    ps_sass_image_free(image);
    corpus_buffers_free(of_ptx);
    corpus_buffers_free(of_machine);
}

/* Each instruction that is told has one part that stands for it. */
static void test_origins(void)
{
    PsSassImage *image = NULL;
    PsSassCode *code = sass_code("mmul16-120", &image);
    const PsPtxFunction *kernel = code->module->functions->pdata[0];
    g_assert_cmpuint(code->origins->len, ==, kernel->instructions->len);
    g_autofree guint *stand = g_new0(guint, code->uses->len);
    for (guint i = 0; i < code->origins->len; i++) {
        const PsSassOrigin *origin = &g_array_index(code->origins, PsSassOrigin, i);
        if (origin->stands)
            stand[origin->machine]++;
    }
    guint n = 0;
    for (; n < code->uses->len && stand[n] == 1; n++)
        continue;
    for (guint i = n; i < code->uses->len; i++) /* what fills the section up is not told */
        g_assert_cmpuint(stand[i], ==, 0);
    g_assert_cmpuint(n, >, 50);
    g_assert_cmpuint(code->registers, ==, 37);
    g_assert_cmpuint(code->system, ==, 1024);
    ps_sass_code_free(code);
    ps_sass_image_free(image);
}

/* Compilers move by products and sums with RZ. */
static void test_moves(void)
{
    PsSassImage *image = NULL;
    PsSassCode *code = sass_code("mmul16-80", &image);
    guint moves = 0, products = 0;
    for (guint i = 0; i < code->uses->len; i++) {
        const PsSassUse *use = &g_array_index(code->uses, PsSassUse, i);
        const char *opcode =
            g_array_index(code->listing->instructions, PsSassInstruction, i).opcode;
        if (g_str_has_prefix(opcode, "HFMA2") || g_str_has_prefix(opcode, "IMAD.MOV")) {
            g_assert_true(use->moves);
            moves++;
        }
        if (g_str_has_prefix(opcode, "FFMA")) {
            g_assert_false(use->moves);
            products++;
        }
    }
    g_assert_cmpuint(moves, >, 0);
    g_assert_cmpuint(products, ==, 16);
    ps_sass_code_free(code);
    ps_sass_image_free(image);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *name = g_strconcat("/sass-run/", cases[i].file, NULL);
        g_test_add_data_func(name, &cases[i], check_case);
    }
    g_test_add_func("/sass-run/origins", test_origins);
    g_test_add_func("/sass-run/moves", test_moves);
    return g_test_run();
}
