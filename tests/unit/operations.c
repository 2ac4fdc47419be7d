/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations by type: what graphs state is what the executor did on values of that type. Of PTX
 * with no rule, of all that it has; of machine code, whose graphs leave to the compiler what it
 * made of the PTX, of floats, but for what is named here.
 */
#include "idg/program.h"
#include "lift/build.h"
#include "ptx/run/run.h"
#include "tests/help/corpus.h"
#include "tests/help/operations.h"
#include "tests/help/sass.h"

#include <string.h>

static const guint first_group[3] = {0, 0, 0};

/* A module with a launch of it. */
typedef struct {
    const PsPtxModule *module;
    const PsSassCode *machine; /* or NULL */
    const CorpusLaunch *launch;
    gboolean rules, dead; /* dead: with the rule that leaves out what nobody needs */
} Run;

static PsPtxLaunch launch_of(const Run *run, gpointer *buffers, PsPtxArgument *arguments)
{
    g_autoptr(GError) error = NULL;
    PsPtxLaunch launch = {.kernel = ps_ptx_kernel(run->module, run->launch->kernel, &error),
                          .dynamic_shared = run->launch->dynamic_shared,
                          .n_arguments = corpus_fill_arguments(run->launch, buffers, arguments),
                          .arguments = arguments};
    g_assert_no_error(error);
    memcpy(launch.grid, run->launch->grid, sizeof launch.grid);
    memcpy(launch.block, run->launch->block, sizeof launch.block);
    return launch;
}

/* ---- executed ------------------------------------------------------------------------------- */

typedef struct {
    const PsPtxCode *code;
    guint64 counts[N_OPERATION_TYPES];
} Executed;

static void executed(gpointer data, const PsPtxEvent *event)
{
    Executed *all = data;
    operations_add(all->code->points[event->point].instruction, all->counts);
}

/* Counts the instructions of the first group's warps. */
static void execute(const Run *run, guint64 *counts)
{
    PsPtxArgument arguments[CORPUS_MOST_ARGUMENTS];
    g_autoptr(GError) error = NULL;
    gpointer *buffers = corpus_buffers_new(run->launch);
    const PsPtxLaunch launch = launch_of(run, buffers, arguments);
    PsPtxMachine *machine = ps_ptx_machine_new(run->module, &launch, &error);
    g_assert_no_error(error);
    Executed all = {ps_ptx_machine_code(machine), {0}};
    const PsPtxListener listener = {.data = &all, .executed = executed};
    g_assert_true(ps_ptx_run_group(machine, first_group, &listener, &error));
    memcpy(counts, all.counts, sizeof all.counts);
    ps_ptx_machine_free(machine);
    corpus_buffers_free(buffers);
}

/* ---- stated --------------------------------------------------------------------------------- */

static void build(const Run *run, guint64 *counts)
{
    PsPtxArgument arguments[CORPUS_MOST_ARGUMENTS];
    PsBuildOptions options;
    g_autoptr(GError) error = NULL;
    gpointer *buffers = corpus_buffers_new(run->launch);
    const guint *block = run->launch->block;
    ps_build_options_init(&options);
    options.module = run->module;
    options.machine = run->machine;
    options.launch = launch_of(run, buffers, arguments);
    options.n_samples = 1;
    options.samples = &first_group;
    for (guint i = 0; i < PS_BUILD_N_RULES; i++)
        options.rules[i] = i == PS_BUILD_DEAD ? run->dead : run->rules;
    PsBuild *built = ps_build(&options, &error);
    g_assert_no_error(error);
    g_autoptr(PsKernel) kernel = ps_kernel_new(built->idg, NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(kernel->n_kinds, ==, 1);
    memset(counts, 0, N_OPERATION_TYPES * sizeof *counts);
    operations_of_graph(kernel, (block[0] * block[1] * block[2] + 31) / 32, counts);
    ps_build_free(built);
    corpus_buffers_free(buffers);
}

static void compare(const char *name, const guint64 *stated, const guint64 *done, guint n_types)
{
    for (guint t = 0; t < n_types; t++)
        if (stated[t] != done[t]) {
            g_test_message("%s: %u of %s stated, %u done", name, (guint)stated[t],
                           operation_names[t], (guint)done[t]);
            g_test_fail();
        }
}

/* ---- PTX ------------------------------------------------------------------------------------ */

static void test_ptx(gconstpointer data)
{
    const CorpusLaunch *launch = data;
    guint64 stated[N_OPERATION_TYPES], done[N_OPERATION_TYPES];
    g_autofree char *path = g_build_filename("tests/corpus", launch->ptx, NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(PsPtxModule) module = ps_ptx_load(path, &error);
    g_assert_no_error(error);
    Run run = {module, NULL, launch, FALSE, FALSE};
    execute(&run, done);
    build(&run, stated);
    compare("no rule", stated, done, N_OPERATION_TYPES);
    run.rules = TRUE;
    build(&run, stated);
    compare("all rules", stated, done, OF_INT);
}

/* ---- machine code --------------------------------------------------------------------------- */

/* Where the compiler computes otherwise what random kernels compute in singles: it moves them out
 * of loops that end the same without, takes divisions and exact reciprocals apart, and has an
 * instruction with a guard where PTX has one that no lane executes. */
static const char *const changed[] = {"random_20", "random_25", "random_27", "random_34",
                                      "random_37", "random_46", "random_47", NULL};

/* A launch of PTX in tests/corpus, and tests/sass/FILE.cubin with its kernel's machine code. */
typedef struct {
    const CorpusLaunch *launch;
    char *file;
} Machine;

static void test_machine(gconstpointer data)
{
    const Machine *one = data;
    guint64 stated[N_OPERATION_TYPES], done[N_OPERATION_TYPES];
    g_autofree char *path = g_build_filename("tests/corpus", one->launch->ptx, NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(PsPtxModule) module = ps_ptx_load(path, &error);
    g_assert_no_error(error);
    PsSassImage *image = NULL;
    PsSassCode *code = sass_code(one->file, one->launch->kernel, &image);
    const Run of_ptx = {module, NULL, one->launch, TRUE, TRUE};
    const Run of_machine = {code->module, code, one->launch, FALSE, FALSE};
    build(&of_ptx, done);
    build(&of_machine, stated);
    if (g_strv_contains(changed, one->launch->name))
        done[OF_FP32] = stated[OF_FP32];
    compare("machine code", stated, done, OF_INT);
    ps_sass_code_free(code);
    ps_sass_image_free(image);
}

static void free_machine(gpointer data)
{
    Machine *one = data;
    g_free(one->file);
    g_free(one);
}

static void add_machine(const CorpusLaunch *launch, const char *file, const char *architecture)
{
    Machine *one = g_new0(Machine, 1);
    g_autofree char *path = g_strdup_printf("/operations/%s/sm_%s", launch->name, architecture);
    one->launch = launch;
    one->file = g_strconcat(file, "-", architecture, NULL);
    g_test_add_data_func_full(path, one, test_machine, free_machine);
}

static const CorpusLaunch random_launch = {
    .ptx = "../sass/random.ptx",
    .grid = {3, 1, 1},
    .block = {64, 1, 1},
    .arguments = {CORPUS_BUFFER("out", CORPUS_U64, 3 * 64 * 24, NULL),
                  CORPUS_BUFFER("in", CORPUS_U64, 3 * 64, corpus_fill_words)}};

static void add_machines(const PsPtxModule *random)
{
    static const char *const on[] = {"75", "80", "86", "89", "90", "100", "120"};
    static CorpusLaunch launches[64];
    const CorpusLaunch *launch;
    for (guint a = 0; a < G_N_ELEMENTS(on); a++) {
        for (guint n = 0; (launch = corpus_launch(n)); n++) {
            g_autofree char *file = g_strdup_printf("tests/sass/%s-%s.cubin", launch->name, on[a]);
            if (g_file_test(file, G_FILE_TEST_EXISTS))
                add_machine(launch, launch->name, on[a]);
        }
        for (guint i = 0; i < random->functions->len && i < G_N_ELEMENTS(launches); i++) {
            const PsPtxFunction *function = random->functions->pdata[i];
            launches[i] = random_launch;
            launches[i].name = launches[i].kernel = function->name;
            add_machine(&launches[i], "random", on[a]);
        }
    }
}

int main(int argc, char **argv)
{
    const CorpusLaunch *launch;
    g_autoptr(GError) error = NULL;
    g_test_init(&argc, &argv, NULL);
    g_autoptr(PsPtxModule) random = ps_ptx_load("tests/sass/random.ptx", &error);
    g_assert_no_error(error);
    g_test_set_nonfatal_assertions();
    for (guint n = 0; (launch = corpus_launch(n)); n++) {
        g_autofree char *path = g_strconcat("/operations/ptx/", launch->name, NULL);
        g_test_add_data_func(path, launch, test_ptx);
    }
    add_machines(random);
    return g_test_run();
}
