/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A kernel's code as bindings ask about it: options by name, values that they cannot have, buffers
 * in memory, compilers that fail and that are no longer wanted, and several threads at once.
 */
#include "code/code.h"

#include "answer/answer.h"
#include "base/folder.h"
#include "code/built.h"
#include "idg/edit.h"
#include "launch/shape.h"
#include "tell/answer-json.h"
#include "tell/answer-text.h"
#include "tests/help/contains.h"

#include <glib/gstdio.h>
#include <string.h>

#define PTX "tests/corpus/mmul16.ptx"

static char *folder; /* TMPDIR of this test: what passes is there */

static PsGpu *read_gpu(void)
{
    g_autoptr(GError) error = NULL;
    PsGpu *gpu = ps_gpu_load("gpus/a100.xml", &error);
    g_assert_no_error(error);
    return gpu;
}

static void set(PsKernelCode *code, const char *option, const char *value)
{
    g_autoptr(GError) error = NULL;
    g_assert_true(ps_kernel_code_set(code, option, value, &error));
    g_assert_no_error(error);
}

static void set_launch(PsKernelCode *code)
{
    set(code, "from", "ptx");
    set(code, "grid", "4x4");
    set(code, "block", "16x16");
    set(code, "no-cache", "");
    set(code, "registers", "40");
    set(code, "arg", "0=ramp:16K");
    set(code, "arg", "1=ramp:16K");
    set(code, "arg", "2=zero:16K");
    set(code, "arg", "3=64");
}

static guint files_in(const char *path)
{
    g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
    guint n = 0;
    while (g_dir_read_name(dir))
        n++;
    return n;
}

/* The answer's JSON (g_free); NULL and *error. */
static char *ask(PsKernelCode *code, GError **error)
{
    g_autoptr(PsGpu) gpu = read_gpu();
    g_autoptr(PsIdg) idg = ps_kernel_code_graph(code, gpu, (PsHearer){0}, error);
    const PsQuestion question = {.idg = idg, .gpu = gpu, .sketch = TRUE};
    g_autoptr(PsAnswer) answer = idg ? ps_answer_new(&question, NULL, error) : NULL;
    return answer ? ps_answer_json(answer, 0) : NULL;
}

static char *ask_well(PsKernelCode *code)
{
    g_autoptr(GError) error = NULL;
    char *json = ask(code, &error);
    g_assert_no_error(error);
    return json;
}

static void test_refused(void)
{
    static const struct {
        const char *option, *value, *message;
    } cases[] = {
        {"gird", "4", "a kernel's code has no option 'gird'"},
        {"shared", "64X", "shared: '64X' is no number of bytes up to 64M, such as 16K"},
        {"shared", "65M", "shared: '65M' is no number of bytes up to 64M, such as 16K"},
        {"max-instructions", "0", "max-instructions: '0' is no whole number above 0, such as 10M"},
        {"memory", "0", "memory: '0' is no number of bytes above 0, such as 4096, 64M or 2G"},
        {"registers", "84,vgpr=2",
         "registers: '84,vgpr=2' is no number of registers, as in 84 or 84,agpr=32,sgpr=96, ptxas "
         "or none"},
        {"from", "cubin", "from: 'cubin' is neither ptx nor sass"}};
    g_autoptr(PsKernelCode) code = ps_kernel_code_new(PTX);
    set_launch(code);
    g_autofree char *before = ask_well(code);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_assert_false(ps_kernel_code_set(code, cases[i].option, cases[i].value, &error));
        g_assert_error(error, PS_ERROR, PS_ERROR_USAGE);
        g_assert_cmpstr(error->message, ==, cases[i].message);
    }
    g_autoptr(GError) error = NULL;
    g_assert_false(ps_kernel_code_set(code, "compiler-options", "'", &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_USAGE);
    g_autofree char *after = ask_well(code);
    g_assert_cmpstr(before, ==, after);
}

static PsIdg *graph_for(PsKernelCode *code, const char *path)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsGpu) gpu = ps_gpu_load(path, &error);
    g_assert_no_error(error);
    PsIdg *idg = ps_kernel_code_graph(code, gpu, (PsHearer){0}, &error);
    g_assert_no_error(error);
    return idg;
}

/* Values at their limits, and what AMD's compilers report besides, each in its place. */
static void test_numbers(void)
{
    g_autoptr(PsKernelCode) code = ps_kernel_code_new(PTX);
    set_launch(code);
    set(code, "shared", "64M");
    set(code, "shared", NULL);
    set(code, "registers", "84,agpr=32,sgpr=96");
    g_autoptr(PsIdg) idg = graph_for(code, "gpus/mi300x.xml");
    g_assert_cmpstr(ps_expr_text(idg->launch.registers), ==, "84");
    g_assert_cmpstr(ps_expr_text(idg->launch.accumulators), ==, "32");
    g_assert_cmpstr(ps_expr_text(idg->launch.scalar_registers), ==, "96");
    set(code, "registers", "84,sgpr=96");
    g_autoptr(PsIdg) scalar = graph_for(code, "gpus/mi300x.xml");
    g_assert_null(scalar->launch.accumulators);
    g_assert_cmpstr(ps_expr_text(scalar->launch.scalar_registers), ==, "96");
}

/* For which GPUs it is PTX, whatever tools there are; for V100 it depends on these. */
static void test_choice(void)
{
    static const struct {
        const char *gpu, *why;
        gboolean is_so;
    } cases[] = {{"gpus/pascal.xml", "PTX, as for all GPUs before Volta", TRUE},
                 {"gpus/mi300x.xml", "PTX, as for all GPUs of AMD", TRUE},
                 {"gpus/v100.xml", "PTX, as for all GPUs before Volta", FALSE}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(PsKernelCode) code = ps_kernel_code_new(PTX);
        set_launch(code);
        set(code, "from", NULL);
        g_autoptr(PsIdg) idg = graph_for(code, cases[i].gpu);
        g_test_message("%s: %s", cases[i].gpu, idg->made_of);
        g_assert_true(g_str_equal(idg->made_of, cases[i].why) == cases[i].is_so);
    }
}

static void test_missing(void)
{
    g_autoptr(PsKernelCode) code = ps_kernel_code_new(PTX);
    g_autoptr(GError) error = NULL;
    set_launch(code);
    set(code, "arg", NULL);
    set(code, "arg", "3=64");
    g_assert_null(ask(code, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_USAGE);
    g_assert_nonnull(strstr(error->message, "lacks values for"));
    g_clear_error(&error);
    set(code, "threads", "64x64");
    g_assert_null(ask(code, &error));
    g_assert_cmpstr(error->message, ==,
                    "threads says what grid follows from; leave out one of them");
}

/* An option that is set again counts, and one that is taken back does not. */
static void test_again(void)
{
    g_autoptr(PsKernelCode) code = ps_kernel_code_new(PTX), other = ps_kernel_code_new(PTX);
    set_launch(code);
    set_launch(other);
    set(other, "grid", "2x2");
    set(other, "arg", "3=32");
    set(other, "shared", "16K");
    g_autofree char *one = ask_well(code), *two = ask_well(other);
    g_assert_cmpstr(one, !=, two);
    set(other, "grid", "4x4");
    set(other, "arg", "3=64");
    set(other, "shared", NULL);
    g_autofree char *again = ask_well(other);
    g_assert_cmpstr(one, ==, again);
}

static void test_buffer(void)
{
    g_autoptr(PsKernelCode) code = ps_kernel_code_new(PTX);
    g_autofree float *ramp = g_new(float, 4096);
    g_autoptr(GError) error = NULL;
    set_launch(code);
    g_autofree char *by_text = ask_well(code);
    for (guint i = 0; i < 4096; i++)
        ramp[i] = (float)i;
    for (guint times = 0; times < 2; times++) {
        g_assert_true(ps_kernel_code_set_buffer(code, "0", ramp, 4096 * sizeof *ramp, &error));
        g_assert_no_error(error);
    }
    g_assert_cmpuint(files_in(folder), ==, 0);
    g_autofree char *by_bytes = ask_well(code);
    g_assert_cmpstr(by_text, ==, by_bytes);
    /* Too few of them are read as what they are. */
    g_assert_true(ps_kernel_code_set_buffer(code, "0", ramp, 64, &error));
    g_assert_null(ask(code, &error));
    g_assert_nonnull(error);
}

/* Bytes that are lent are read where they are, and the kernel's own writes leave them alone. */
static void test_lent(void)
{
    g_autoptr(PsKernelCode) code = ps_kernel_code_new(PTX);
    g_autofree float *ramp = g_new(float, 4096), *sums = g_new0(float, 4096);
    set_launch(code);
    g_autofree char *by_text = ask_well(code);
    for (guint i = 0; i < 4096; i++)
        ramp[i] = (float)i;
    g_autofree float *before = g_memdup2(ramp, 4096 * sizeof *ramp);
    for (guint times = 0; times < 2; times++)
        ps_kernel_code_lend_buffer(code, "0", ramp, 4096 * sizeof *ramp, TRUE);
    ps_kernel_code_lend_buffer(code, "2", sums, 4096 * sizeof *sums, FALSE);
    g_autofree char *by_bytes = ask_well(code);
    g_assert_cmpstr(by_text, ==, by_bytes);
    g_assert_cmpmem(ramp, 4096 * sizeof *ramp, before, 4096 * sizeof *before);
    for (guint i = 0; i < 4096; i++)
        g_assert_cmpfloat(sums[i], ==, 0);
}

/* What may only be read is not written; bytes that are too few, or changed since, are seen. */
static void test_lent_wrong(void)
{
    g_autoptr(PsKernelCode) code = ps_kernel_code_new(PTX);
    g_autofree float *values = g_new0(float, 4096);
    g_autoptr(GError) error = NULL;
    set_launch(code);
    ps_kernel_code_lend_buffer(code, "2", values, 4096 * sizeof *values, TRUE);
    g_assert_null(ask(code, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
    g_assert_nonnull(strstr(error->message, ": the kernel writes this buffer, and it was lent for "
                                            "reading alone"));
    g_clear_error(&error);
    ps_kernel_code_lend_buffer(code, "2", values, 64, FALSE);
    g_assert_null(ask(code, &error));
    g_assert_nonnull(error);
    g_clear_error(&error);
    ps_kernel_code_lend_buffer(code, "3", values, 64, FALSE);
    g_assert_null(ask(code, &error));
    g_assert_nonnull(strstr(error->message, "is no address of a buffer; give a number"));
    set(code, "arg", "2=zero:16K");
    set(code, "arg", "3=64");
    g_autofree char *json = ask_well(code);
    g_assert_nonnull(json);
}

/* The last argument is no other, nor is a field of a struct. */
static void test_lent_field(void)
{
    static const char text[] = ".version 7.0\n.target sm_80\n.address_size 64\n"
                               ".visible .entry k(.param .align 8 .b8 s[16], .param .u64 last)\n{\n"
                               ".reg .b64 %rd<4>;\nld.param.u64 %rd1, [s];\n"
                               "ld.param.u64 %rd2, [s+8];\nld.param.u64 %rd3, [last];\n"
                               "st.global.u32 [%rd2], 1;\nst.global.u32 [%rd3], 1;\nret;\n}\n";
    static const char *const names[] = {"s+0", "s+8", "last"};
    g_autofree char *path = g_build_filename(folder, "field.ptx", NULL);
    guint32 words[3][4] = {{0}};
    g_assert_true(g_file_set_contents(path, text, -1, NULL));
    for (guint read_only = 0; read_only < 4; read_only++) {
        g_autoptr(PsKernelCode) code = ps_kernel_code_new(path);
        g_autoptr(GError) error = NULL;
        set(code, "from", "ptx");
        set(code, "grid", "1");
        set(code, "block", "32");
        set(code, "no-cache", "");
        for (guint i = 0; i < 3; i++)
            ps_kernel_code_lend_buffer(code, names[i], words[i], sizeof words[i], i == read_only);
        g_autofree char *json = ask(code, &error);
        g_assert_true((json != NULL) == (read_only == 0 || read_only == 3));
    }
    g_remove(path);
}

/* A graph of lent bytes is made anew, since these may be others the next time. */
static void test_lent_kept(void)
{
    static const char text[] = ".version 7.0\n.target sm_80\n.address_size 64\n"
                               ".visible .entry k(.param .u64 k_param_0)\n{\n"
                               ".reg .b64 %rd<3>;\n.reg .b32 %r<2>;\n.reg .pred %p<2>;\n"
                               "ld.param.u64 %rd1, [k_param_0];\n"
                               "ld.global.u32 %r1, [%rd1];\n"
                               "L: add.s32 %r1, %r1, -1;\nsetp.gt.s32 %p1, %r1, 0;\n"
                               "@%p1 bra L;\nst.global.u32 [%rd1], %r1;\nret;\n}\n";
    g_autofree char *path = g_build_filename(folder, "lent.ptx", NULL);
    char *jsons[2];
    guint32 trips = 8;
    g_assert_true(g_file_set_contents(path, text, -1, NULL));
    g_autoptr(PsKernelCode) code = ps_kernel_code_new(path);
    set(code, "from", "ptx");
    set(code, "grid", "1");
    set(code, "block", "32");
    ps_kernel_code_lend_buffer(code, "0", &trips, sizeof trips, FALSE);
    for (guint i = 0; i < 2; i++, trips = 64)
        jsons[i] = ask_well(code);
    g_assert_cmpstr(jsons[0], !=, jsons[1]);
    g_remove(path);
    g_free(jsons[0]);
    g_free(jsons[1]);
}

/* What making the graph warns of is in JSON and text, once, made or kept. */
static void test_warnings(void)
{
    static const char what[] = "uninit.ptx:22: the value that is stored depends on %f7";
    g_autoptr(PsGpu) gpu = read_gpu();
    g_autoptr(PsKernelCode) code = ps_kernel_code_new("tests/cases/uninit.ptx");
    static const char *const options[][2] = {
        {"from", "ptx"},      {"grid", "64"},       {"block", "256"}, {"registers", "16"},
        {"arg", "a=ramp:1M"}, {"arg", "b=zero:1M"}, {"arg", "n=4096"}};
    for (guint i = 0; i < G_N_ELEMENTS(options); i++)
        set(code, options[i][0], options[i][1]);
    for (guint i = 0; i < 2; i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(PsIdg) idg = ps_kernel_code_graph(code, gpu, (PsHearer){0}, &error);
        g_assert_no_error(error);
        g_autoptr(PsIdg) other = ps_idg_copy(idg);
        const PsQuestion question = {.idg = other, .gpu = gpu, .sketch = TRUE};
        g_autoptr(PsAnswer) answer = ps_answer_new(&question, NULL, &error);
        g_assert_no_error(error);
        g_autofree char *json = ps_answer_json(answer, 0), *text = ps_answer_text(answer, 0);
        g_assert_cmpuint(count_of(json, what), ==, 1);
        g_assert_cmpuint(count_of(text, what), ==, 1);
    }
}

static void test_kernels(void)
{
    g_autoptr(PsKernelCode) code = ps_kernel_code_new("tests/corpus/reduction.ptx");
    g_autoptr(GError) error = NULL;
    g_auto(GStrv) kernels = ps_kernel_code_kernels(code, NULL, (PsHearer){0}, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(g_strv_length(kernels), >, 1);
    set(code, "no-cache", "");
    g_assert_null(ask(code, &error));
    for (char **kernel = kernels; *kernel; kernel++)
        g_assert_nonnull(strstr(error->message, *kernel));
    g_assert_true(ps_kernel_code_is("x.cubin"));
    g_assert_false(ps_kernel_code_is("graphs/mmul08.idg"));
}

static void test_launch(void)
{
    g_autoptr(PsGpu) gpu = read_gpu();
    g_autoptr(PsKernelCode) code = ps_kernel_code_new(PTX);
    g_autoptr(GError) error = NULL;
    set_launch(code);
    for (guint times = 0; times < 2; times++) {
        const PsLaunchCode *launch = ps_kernel_code_launch(code, gpu, (PsHearer){0}, &error);
        g_assert_no_error(error);
        g_assert_cmpuint(ps_launch_code_shape(launch).groups[0], ==, 4);
    }
}

/* ---- compilers ------------------------------------------------------------------------------- */

/* An nvcc of ours, which does what a macro says. */
static void make_nvcc(void)
{
    static const char script[] =
        "#!/bin/sh\n"
        "case $1 in --list-gpu-arch) echo compute_80; exit;; esac\n"
        "for word; do\n"
        "  [ \"$before\" = -o ] && out=$word\n"
        "  case $word in\n"
        "    -DWRONG=1) echo first >&2; echo 'k.cu(3): error: it is wrong' >&2; exit 2;;\n"
        "    -DSLOW=1) : >\"$TMPDIR/own\"; sleep 1000 & wait;;\n"
        "  esac\n"
        "  before=$word\n"
        "done\n"
        "cp " PTX " \"$out\"\n";
    g_autofree char *bin = g_build_filename(folder, "..", "bin", NULL),
                    *path = g_build_filename(bin, "nvcc", NULL),
                    *all = g_strdup_printf("%s:%s", bin, g_getenv("PATH"));
    g_assert_cmpint(g_mkdir(bin, 0700), ==, 0);
    g_assert_true(g_file_set_contents_full(path, script, -1, G_FILE_SET_CONTENTS_NONE, 0700, NULL));
    g_setenv("PATH", all, TRUE);
}

static PsKernelCode *new_source(void)
{
    g_autofree char *path = g_build_filename(folder, "..", "k.cu", NULL);
    g_assert_true(g_file_set_contents(path, "// nvcc knows\n", -1, NULL));
    PsKernelCode *code = ps_kernel_code_new(path);
    set_launch(code);
    return code;
}

static void test_compiler(void)
{
    g_autoptr(PsKernelCode) code = new_source();
    g_autoptr(GError) error = NULL;
    g_autofree char *good = ask_well(code);
    set(code, "define", "WRONG=1");
    g_assert_null(ask(code, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_READ);
    g_assert_cmpstr(error->message, ==, "nvcc failed: k.cu(3): error: it is wrong");
    g_assert_cmpuint(files_in(folder), ==, 0);
    set(code, "define", NULL);
    g_autofree char *again = ask_well(code);
    g_assert_cmpstr(good, ==, again);
}

/* What the launch names of the source's macros has their values; names of arguments and files stay.
 */
static void test_macros(void)
{
    g_autofree char *file = g_build_filename(folder, "..", "TILE", NULL),
                    *from_file = g_strconcat("1=@", file, NULL);
    g_autofree char *bytes = g_malloc0(16384);
    g_assert_true(g_file_set_contents(file, bytes, 16384, NULL));
    g_autoptr(PsKernelCode) code = new_source(), told = new_source();
    set(code, "grid", "(SIZE/TILE)x(SIZE/TILE)");
    set(code, "block", "(TILE)x(TILE)");
    set(code, "arg", "0=ramp:4*SIZE*SIZE");
    set(code, "arg", from_file);
    set(told, "arg", from_file);
    set(code, "arg", "3=SIZE");
    set(code, "define", "TILE=16");
    set(code, "define", "SIZE=64");
    set(code, "define", "FAST");
    set(code, "define", "ramp=1");
    g_autofree char *by_name = ask_well(code), *by_number = ask_well(told);
    g_assert_cmpstr(by_name, ==, by_number);
    set(code, "define", NULL);
    g_autoptr(GError) error = NULL;
    g_assert_null(ask(code, &error));
    g_assert_nonnull(strstr(error->message, "SIZE"));
}

static gboolean count_to_two(const PsProgress *progress, gpointer data)
{
    guint *n = data;
    g_assert_cmpint(progress->phase, ==, PS_PHASE_TOOL);
    return ++*n < 2;
}

/* What the compiler has started ends with it, and no file of either stays. */
static void test_cancel(void)
{
    g_autoptr(PsGpu) gpu = read_gpu();
    g_autoptr(PsKernelCode) code = new_source();
    g_autoptr(GError) error = NULL;
    guint n = 0;
    sigset_t before, after;
    set(code, "define", "SLOW=1");
    pthread_sigmask(SIG_BLOCK, NULL, &before);
    const gint64 begun = g_get_monotonic_time();
    g_assert_null(ps_kernel_code_graph(code, gpu, (PsHearer){count_to_two, &n}, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_CANCELLED);
    g_assert_cmpint(g_get_monotonic_time() - begun, <, 100 * G_USEC_PER_SEC);
    g_assert_cmpuint(n, ==, 2);
    g_assert_cmpuint(files_in(folder), ==, 0);
    pthread_sigmask(SIG_BLOCK, NULL, &after);
    for (int signal = 1; signal < 32; signal++)
        g_assert_cmpint(sigismember(&before, signal), ==, sigismember(&after, signal));
}

/* ---- threads --------------------------------------------------------------------------------- */

static gpointer work(gpointer data)
{
    (void)data;
    g_autoptr(PsKernelCode) code = new_source();
    return ask_well(code);
}

static void test_threads(void)
{
    GThread *threads[3];
    g_autofree char *expected = work(NULL);
    for (guint i = 0; i < G_N_ELEMENTS(threads); i++)
        threads[i] = g_thread_new("asks", work, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(threads); i++) {
        g_autofree char *json = g_thread_join(threads[i]);
        g_assert_cmpstr(json, ==, expected);
    }
    g_assert_cmpuint(files_in(folder), ==, 0);
}

int main(int argc, char **argv)
{
    g_autofree char *whole = g_dir_make_tmp("kernel-code-XXXXXX", NULL);
    g_autofree char *kept = g_build_filename(whole, "kept", NULL);
    folder = g_build_filename(whole, "tmp", NULL);
    g_assert_cmpint(g_mkdir(folder, 0700), ==, 0);
    g_setenv("TMPDIR", folder, TRUE);
    g_setenv("PIPESIM_CACHE", kept, TRUE);
    g_test_init(&argc, &argv, NULL);
    make_nvcc();
    g_test_add_func("/kernel-code/refused", test_refused);
    g_test_add_func("/kernel-code/numbers", test_numbers);
    g_test_add_func("/kernel-code/choice", test_choice);
    g_test_add_func("/kernel-code/missing", test_missing);
    g_test_add_func("/kernel-code/again", test_again);
    g_test_add_func("/kernel-code/buffer", test_buffer);
    g_test_add_func("/kernel-code/lent", test_lent);
    g_test_add_func("/kernel-code/lent-wrong", test_lent_wrong);
    g_test_add_func("/kernel-code/lent-field", test_lent_field);
    g_test_add_func("/kernel-code/lent-kept", test_lent_kept);
    g_test_add_func("/kernel-code/warnings", test_warnings);
    g_test_add_func("/kernel-code/kernels", test_kernels);
    g_test_add_func("/kernel-code/launch", test_launch);
    g_test_add_func("/kernel-code/compiler", test_compiler);
    g_test_add_func("/kernel-code/macros", test_macros);
    g_test_add_func("/kernel-code/cancel", test_cancel);
    g_test_add_func("/kernel-code/threads", test_threads);
    const int status = g_test_run();
    g_free(folder);
    ps_folder_remove(g_steal_pointer(&whole));
    return status;
}
