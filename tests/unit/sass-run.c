/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Machine code does what PTX does: kernels of the corpus and those of tests/sass, random ones too,
 * as ptxas made them for nine architectures (tests/sass/compile.sh), leave the same bits in all
 * buffers.
 */
#include "tests/help/corpus.h"
#include "tests/help/sass.h"

#include <string.h>

/* A launch and the cubin with its kernel's machine code. */
typedef struct {
    const CorpusLaunch *launch;
    char *file;
    const char *kernel; /* of the cubin */
    guint warnings;
} Case;

static const char *const architectures[] = {"75", "80", "86", "89", "90", "100", "120"};

static void check_case(gconstpointer data)
{
    const Case *one = data;
    const CorpusLaunch *launch = one->launch;
    g_autoptr(GError) error = NULL;
    gpointer *of_ptx = corpus_buffers_new(launch), *of_machine = corpus_buffers_new(launch);
    PsSassImage *image = NULL;
    PsSassCode *code = sass_code(one->file, one->kernel, &image);
    g_assert_cmpuint(code->module->warnings->len, ==, 0);
    g_assert_true(corpus_run(launch, of_ptx, &error));
    CorpusLaunch of_kernel = *launch;
    of_kernel.kernel = one->kernel;
    of_kernel.warnings = one->warnings;
    corpus_run_module(&of_kernel, code->module, of_machine, &error);
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

static void free_case(gpointer data)
{
    Case *one = data;
    g_free(one->file);
    g_free(one);
}

/* FILE-ARCHITECTURE.cubin has the launch's kernel. */
static Case *add_case(const CorpusLaunch *launch, const char *file, const char *architecture)
{
    Case *one = g_new0(Case, 1);
    g_autofree char *path = g_strdup_printf("/sass-run/%s/sm_%s", launch->name, architecture);
    one->launch = launch;
    one->kernel = launch->kernel;
    one->file = g_strconcat(file, "-", architecture, NULL);
    g_test_add_data_func_full(path, one, check_case, free_case);
    return one;
}

/* ---- kernels of the corpus ------------------------------------------------------------------ */

static const CorpusLaunch *find_launch(const char *name)
{
    const CorpusLaunch *launch = NULL;
    for (guint n = 0; (launch = corpus_launch(n)); n++)
        if (strcmp(launch->name, name) == 0)
            return launch;
    g_assert_not_reached();
}

static void add_corpus(void)
{
    static const char *const cases[][2] = {{"histogram-shared", "histogram"},
                                           {"mmul16", "mmul16"},
                                           {"reduce-shuffle", "reduction"},
                                           {"saxpy", "saxpy"},
                                           {"votes", "votes"}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        add_case(find_launch(cases[i][0]), cases[i][1], "70");
        for (guint a = 0; a < G_N_ELEMENTS(architectures); a++)
            add_case(find_launch(cases[i][0]), cases[i][1], architectures[a]);
    }
    add_case(find_launch("saxpy"), "saxpy", "72");
    add_case(find_launch("wmma"), "wmma", "70");
    add_case(find_launch("calls"), "calls", "80");
    add_case(find_launch("calls"), "calls", "120");
    add_case(find_launch("gemm-async"), "gemm-async", "80");
}

/* ---- random kernels ------------------------------------------------------------------------- */

/* What all of them share: three groups of 64 threads, of which each writes 24 numbers. */
static const CorpusLaunch random_launch = {
    .ptx = "../sass/random.ptx",
    .grid = {3, 1, 1},
    .block = {64, 1, 1},
    .arguments = {CORPUS_BUFFER("out", CORPUS_U64, 3 * 64 * 24, NULL),
                  CORPUS_BUFFER("in", CORPUS_U64, 3 * 64, corpus_fill_words)}};

/* The launches of all kernels of random.ptx, each with the kernel's name, which the module has. */
static CorpusLaunch *random_launches(const PsPtxModule *module, guint *n)
{
    CorpusLaunch *launches = g_new0(CorpusLaunch, module->functions->len);
    for (*n = 0; *n < module->functions->len; (*n)++) {
        const PsPtxFunction *function = module->functions->pdata[*n];
        launches[*n] = random_launch;
        launches[*n].name = launches[*n].kernel = function->name;
    }
    return launches;
}

static void add_random(const CorpusLaunch *launches, guint n)
{
    g_assert_cmpuint(n, >=, 9);
    for (guint a = 0; a < G_N_ELEMENTS(architectures); a++)
        for (guint i = 0; i < n; i++)
            add_case(&launches[i], "random", architectures[a]);
}

/* ---- kernels of other files, which are launched as random ones are --------------------------- */

/* Kernels of indirect.ptx: what PTX is executed, which kernel of the cubin shall do the same. */
static void add_indirect(void)
{
    static const struct {
        const char *ptx, *machine;
        guint warnings; /* of calls of functions that are not in the file */
    } cases[] = {{"by_name", "by_table", 0},
                 {"tables", "tables", 0},
                 {"as_outside", "outside", 1},
                 {"spaces", "spaces", 0}};
    static const char *const on[] = {"75", "90", "120"};
    static CorpusLaunch launches[G_N_ELEMENTS(cases)];
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        launches[i] = random_launch;
        launches[i].ptx = "../sass/indirect.ptx";
        launches[i].name = launches[i].kernel = cases[i].ptx;
        for (guint a = 0; a < G_N_ELEMENTS(on); a++) {
            Case *one = add_case(&launches[i], "indirect", on[a]);
            one->kernel = cases[i].machine;
            one->warnings = cases[i].warnings;
        }
    }
}

static void add_others(void)
{
    static const struct {
        const char *file, *kernel, *on[4];
    } cases[] = {
        {"hopper", "phases", {"90", "100", "120"}},
        {"hopper", "bulk", {"90", "100", "120"}},
        {"hopper", "bulk_each", {"90", "100", "120"}},
        {"hopper", "few", {"90", "100", "120"}},
        {"hopper", "doubles", {"90", "100", "120"}},
        {"hopper", "numbers", {"90", "100", "120"}},
        {"hopper", "bfloats", {"90", "100", "120"}},
        {"rare", "integers", {"80", "90", "120"}},
        {"rare", "lanes", {"80", "90", "120"}},
        {"rare", "numbered", {"80", "90", "120"}},
        {"rare", "chosen", {"80", "90", "120"}},
        {"rare", "packed", {"80", "90", "120"}},
        {"rare", "compared", {"80", "90", "120"}},
        {"rare", "bits", {"80", "90", "120"}},
        {"narrow", "products", {"80", "90"}},
        {"float8", "products", {"89", "120"}},
        {"block-scales", "products", {"120"}},
        {"scaled", "scaled", {"75"}},
        {"pairs", "pairs", {"100", "120"}},
        {"pairs", "functions_of_halves", {"100", "120"}},
        {"pairs", "halves_to_singles", {"100", "120"}},
        {"pairs", "words", {"100", "120"}},
        {"pairs", "bytes", {"100"}},
        {"reduced", "reduced", {"100"}},
        {"sparse", "halves", {"80", "90", "120"}},
        {"sparse", "integers", {"80", "90", "120"}},
        {"sparse", "nibbles", {"80"}},
        {"sparse8", "floats", {"89", "120"}},
        {"fewer", "fewer", {"80", "90", "120"}},
        {"several", "vectors", {"90", "100", "120"}},
        {"several", "pairs", {"90", "100", "120"}},
        {"eight", "eight", {"100"}},
        {"asked", "asked", {"100"}},
        {"latest", "matrices", {"100"}},
        {"latest", "maps", {"100"}},
        {"latest", "several_gpus", {"100"}},
        {"latest", "narrowed", {"100"}},
        {"divisions", "divisions", {"70", "75"}},
        {"random70", "random_10", {"70", "72"}},
        {"random70", "random_21", {"70", "72"}},
        {"random70", "random_47", {"70", "72"}},
    };
    static CorpusLaunch launches[G_N_ELEMENTS(cases)];
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        launches[i] = random_launch;
        g_autofree char *ptx = g_strconcat("../sass/", cases[i].file, ".ptx", NULL);
        g_autofree char *name = g_strconcat(cases[i].file, "-", cases[i].kernel, NULL);
        launches[i].ptx = g_intern_string(ptx);
        launches[i].kernel = cases[i].kernel;
        launches[i].name = g_intern_string(name);
        for (guint a = 0; cases[i].on[a]; a++)
            add_case(&launches[i], cases[i].file, cases[i].on[a]);
    }
}

/* Products of warpgroups, in one group of four warps. */
static void add_warpgroups(void)
{
    static const char *const kernels[] = {"halves", "others", "wide", "sparse"};
    static CorpusLaunch launches[G_N_ELEMENTS(kernels)];
    for (guint i = 0; i < G_N_ELEMENTS(kernels); i++) {
        launches[i] = random_launch;
        launches[i].grid[0] = 1;
        launches[i].block[0] = 128;
        const gboolean sparse = strcmp(kernels[i], "sparse") == 0;
        launches[i].ptx = sparse ? "../sass/warpgroup-sparse.ptx" : "../sass/warpgroup.ptx";
        launches[i].kernel = kernels[i];
        g_autofree char *name = g_strconcat("warpgroup-", kernels[i], NULL);
        launches[i].name = g_intern_string(name);
        add_case(&launches[i], sparse ? "warpgroup-sparse" : "warpgroup", "90");
    }
}

/* Moves to tensor memory and back, likewise. */
static void add_tensor_memory(void)
{
    static CorpusLaunch launch;
    launch = random_launch;
    launch.grid[0] = 1;
    launch.block[0] = 128;
    launch.ptx = "../sass/tensor-memory.ptx";
    launch.kernel = "moves";
    launch.name = "tensor-memory";
    add_case(&launch, "tensor-memory", "100");
}

/* ---- what is told of the code --------------------------------------------------------------- */

/* Each instruction that is told has one part that stands for it. */
static void test_origins(void)
{
    PsSassImage *image = NULL;
    PsSassCode *code = sass_code("mmul16-120", NULL, &image);
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
    PsSassCode *code = sass_code("mmul16-80", NULL, &image);
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
    g_autoptr(GError) error = NULL;
    guint n = 0;
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions(); /* all that differ are told */
    g_autoptr(PsPtxModule) module = ps_ptx_load("tests/sass/random.ptx", &error);
    g_assert_no_error(error);
    g_autofree CorpusLaunch *launches = random_launches(module, &n);
    add_corpus();
    add_random(launches, n);
    add_indirect();
    add_others();
    add_warpgroups();
    add_tensor_memory();
    g_test_add_func("/sass-run/origins", test_origins);
    g_test_add_func("/sass-run/moves", test_moves);
    return g_test_run();
}
