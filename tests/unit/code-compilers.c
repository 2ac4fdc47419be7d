/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What compilers make of the kernels, where they are installed: on each architecture that they know
 * the code is what is measured, and such of which somebody took work away is found out.
 */
#include "latency-bench/bench.h"
#include "latency-bench/code.h"

#include <glib/gstdio.h>
#include <string.h>

/* Each takes a quarter of a minute; `make bench-code` has them all. */
#define NVIDIA "sm_90"

static PsCodeCompilers *open_for(const char *architecture)
{
    PsCodeCompilers *compilers = ps_code_compilers_new();
    g_autoptr(GError) error = NULL;
    if (ps_code_compilers_open(compilers, architecture, &error))
        return compilers;
    g_test_skip(error->message);
    ps_code_compilers_free(compilers);
    return NULL;
}

static PsCodeReport *report_on(const PsCodeCompilers *compilers, const PsBenchKernel *kernel,
                               const char *backend, const char *architecture)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *function = ps_code_function(kernel), *disassembler = ps_code_disassembler();
    g_autoptr(GBytes) image = ps_code_compile(compilers, kernel, backend, architecture, &error);
    g_assert_no_error(error);
    g_autoptr(PsCode) code = ps_code_read(image, function, disassembler, &error);
    g_assert_no_error(error);
    return ps_code_report(kernel, code);
}

static void test_right(void)
{
    g_autoptr(GPtrArray) all = ps_bench_kernels();
    g_autoptr(PsCodeCompilers) compilers = open_for(NVIDIA);
    for (guint k = 0; compilers && k < all->len; k++) {
        const PsBenchKernel *kernel = all->pdata[k];
        g_autoptr(PsCodeReport) report = report_on(compilers, kernel, "CUDA", NVIDIA);
        g_assert_cmpuint(report->classes->len, >, 0);
        if (report->problem)
            g_error("%s on %s: %s", kernel->name, NVIDIA, report->problem);
    }
}

/* ---- gutted sources ------------------------------------------------------------------------ */

typedef struct {
    const char *from, *to; /* in the source: what is put in place of what */
    const char *problem;   /* a piece of what is said */
} Gutted;

static const Gutted gutted[] = {
    {"#define TRIP S64", "#define TRIP S32", "64 instructions of class fadd"},
    {"for (U32 k = 0; k < length; k++) {",
     "{ TRIP } ROLLED for (U32 k = 0; k < length; k++) { "
     "asm volatile(\"bar.sync 0;\"); } if (zero == 7u) {",
     "no loop with instructions"},
    {"#define STEP EACH(ADVANCE)", "#define STEP ADVANCE(0)", "64 instructions of class fadd"},
    {"TRIP", "STEP_0 if (step != 77u) { STEP_1 }", "do not take turns"},
    {"OP(x, y) OP_fadd(x, y)", "OP(x, y) OP_fmul(x, y)", "no loop with instructions"},
};

/* Chain after chain, each a macro of its own (for the fourth). */
static const char SERIAL[] = "#define FOUR(what) what what what what\n"
                             "#define STEP_0 FOUR(FOUR(FOUR(ADVANCE(0))))\n"
                             "#define STEP_1 FOUR(FOUR(FOUR(ADVANCE(1))))\n";

static char *replace(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    g_assert_nonnull(at);
    /* TRIP is named once by its definition, and then where it is put. */
    while (strcmp(from, "TRIP") == 0 && strstr(at + 1, from))
        at = strstr(at + 1, from);
    g_autofree char *head = g_strndup(text, (gsize)(at - text));
    return g_strconcat(head, to, at + strlen(from), NULL);
}

static void check_gutted(const PsCodeCompilers *compilers, PsBenchKernel *kernel,
                         const char *architecture, const Gutted *by)
{
    char *whole = kernel->source;
    g_autofree char *left = replace(whole, by->from, by->to);
    kernel->source = g_strconcat(SERIAL, left, NULL);
    g_autoptr(PsCodeReport) report = report_on(compilers, kernel, "CUDA", architecture);
    g_test_message("%s: %s", architecture, report->problem ? report->problem : "right");
    g_assert_nonnull(report->problem);
    g_assert_nonnull(strstr(report->problem, by->problem));
    g_free(kernel->source);
    kernel->source = whole;
}

static void test_gutted(void)
{
    g_autoptr(GPtrArray) all = ps_bench_kernels();
    g_autoptr(PsCodeCompilers) compilers = open_for("sm_90");
    for (guint i = 0; compilers && i < all->len; i++) {
        PsBenchKernel *kernel = all->pdata[i];
        if (strcmp(kernel->name, "fadd-ilp2") != 0)
            continue;
        for (guint k = 0; k < G_N_ELEMENTS(gutted); k++) {
            check_gutted(compilers, kernel, "sm_75", &gutted[k]);
            check_gutted(compilers, kernel, "sm_90", &gutted[k]);
        }
    }
}

/* ---- AMD ----------------------------------------------------------------------------------- */

/* NULL, and the test skipped, where AMD's code cannot be made or read. */
static PsCodeCompilers *open_amd(void)
{
    g_autofree char *disassembler = ps_code_disassembler();
    if (disassembler)
        return open_for("gfx90a");
    g_test_skip("llvm-objdump is not installed");
    return NULL;
}

static PsBenchKernel *find(const GPtrArray *all, const char *name)
{
    for (guint i = 0; i < all->len; i++)
        if (strcmp(((const PsBenchKernel *)all->pdata[i])->name, name) == 0)
            return all->pdata[i];
    g_error("there is no kernel %s", name);
    return NULL;
}

/* A few of each kind, in both languages: clang takes a quarter of a second for each. */
static void test_amd(void)
{
    static const struct {
        const char *architecture, *names;
    } cases[] = {
        {"gfx90a", "fadd-ilp2 dfma-ilp4 imad-ilp1 logic-ilp1 fdiv-ilp1 sqrt-ilp4 local-load-c2 "
                   "local-load-v4-ilp4 local-store-c4-ilp2 walk global-load-l1 global-load-v4 "
                   "atomic-global flow-copy barrier-ilp1"},
        {"gfx1100", "imad-ilp2 imad-ilp8 peak-t-int iadd-ilp2 hfma-ilp8 local-load-v4-ilp4"},
    };
    g_autoptr(GPtrArray) all = ps_bench_kernels();
    g_autoptr(PsCodeCompilers) compilers = open_amd();
    for (guint i = 0; compilers && i < G_N_ELEMENTS(cases); i++) {
        g_auto(GStrv) names = g_strsplit(cases[i].names, " ", -1);
        const char *const *backends = ps_code_backends(cases[i].architecture);
        for (guint k = 0; names[k]; k++)
            for (guint j = 0; backends[j]; j++) {
                g_autoptr(PsCodeReport) report =
                    report_on(compilers, find(all, names[k]), backends[j], cases[i].architecture);
                if (report->problem)
                    g_error("%s in %s on %s: %s", names[k], backends[j], cases[i].architecture,
                            report->problem);
            }
    }
}

/* How often a trip has instructions of the lanes that are not counted. */
static gint64 count_beside(const PsCodeReport *report)
{
    gint64 n = 0;
    for (guint i = 0; i < report->names->len; i++) {
        const PsCodeName *name = &g_array_index(report->names, PsCodeName, i);
        n += name->counted || g_str_has_prefix(name->name, "s_") ? 0 : name->n;
    }
    return n;
}

/* A link of a chain is a load and nothing else, in OpenCL, too. */
static void test_links(void)
{
    static const char *const names[] = {"global-load-s1",  "global-load-l1-ilp2",
                                        "atomic-global",   "local-load-c1-ilp4",
                                        "atomic-local-c1", "walk"};
    g_autoptr(GPtrArray) all = ps_bench_kernels();
    g_autoptr(PsCodeCompilers) compilers = open_amd();
    for (guint i = 0; compilers && i < G_N_ELEMENTS(names); i++) {
        g_autoptr(PsCodeReport) report =
            report_on(compilers, find(all, names[i]), "OpenCL", "gfx90a");
        g_assert_cmpint(count_beside(report), ==, 0);
    }
}

/* What AMD's compiler makes of kernels that leave it more of a choice is found out. */
static void test_loose(void)
{
    static const struct {
        const char *name, *backend, *architecture, *before, *problem;
    } cases[] = {
        {"imad-ilp2", "HIP", "gfx1100", "#undef OP_imad\n#define OP_imad(x, y) SAY(x, x * a + b)\n",
         "do not wait for each other as 2 chains of 64"},
        {"local-load-v4-ilp4", "HIP", "gfx90a",
         "#undef LOCAL_LOAD\n#define LOCAL_LOAD(type, at) { const type all = LOCAL_OF(type, at); "
         "at = all.x; rest ^= REST_##type(all); }\n",
         "do not take turns"},
        {"fadd-ilp2", "OpenCL", "gfx90a", "#undef HIDE\n#define HIDE(x)\n", "no loop with"},
        {"logic-ilp1", "OpenCL", "gfx90a", "#undef HIDE\n#define HIDE(x)\n", "no loop with"},
    };
    g_autoptr(GPtrArray) all = ps_bench_kernels();
    g_autoptr(PsCodeCompilers) compilers = open_amd();
    for (guint i = 0; compilers && i < G_N_ELEMENTS(cases); i++) {
        PsBenchKernel *kernel = find(all, cases[i].name);
        char *whole = kernel->source;
        kernel->source = g_strconcat(cases[i].before, whole, NULL);
        g_autoptr(PsCodeReport) report =
            report_on(compilers, kernel, cases[i].backend, cases[i].architecture);
        g_test_message("%s: %s", kernel->name, report->problem ? report->problem : "right");
        g_assert_nonnull(report->problem);
        g_assert_nonnull(strstr(report->problem, cases[i].problem));
        g_free(kernel->source);
        kernel->source = whole;
    }
}

/* ---- which clang --------------------------------------------------------------------------- */

/* A clang of that version (its path: g_free); one that is not whole says what a linker of
 * another version says. */
static char *put_clang(const char *folder, const char *version, gboolean whole)
{
    char *path = g_strdup_printf("%s/clang-%s", folder, version);
    g_autofree char *text =
        g_strdup_printf("#!/bin/sh\ncase $1 in --print-targets) echo amdgcn; exit ;; -dumpversion) "
                        "echo %s.1; exit ;; "
                        "esac\n%s\nwhile [ \"$1\" != -o ]; do shift; done\necho object >\"$2\"\n",
                        version, whole ? "" : "echo 'unknown emulation: elf64_amdgpu' >&2; exit 1");
    g_assert_true(g_file_set_contents(path, text, -1, NULL));
    g_assert_cmpint(g_chmod(path, 0700), ==, 0);
    return path;
}

/* The newest that is whole; where none is, what the newest lacks is said. */
static void test_whole(void)
{
    static const struct {
        const char *whole, *broken, *name, *why;
    } cases[] = {
        {"19", "", "clang 19.1", NULL},
        {"18 19", "", "clang 19.1", NULL},
        {"18", "19", "clang 18.1", NULL},
        {"17", "19 18", "clang 17.1", NULL},
        {"14 16", "19", NULL, "clang 19 does not compile for AMD's GPUs, for which it needs"},
        {"", "19 18", NULL, "unknown emulation: elf64_amdgpu"},
        {"14", "", NULL, "is clang 14.1, which lacks functions"},
        {"", "", NULL, "there is no clang for AMD's GPUs on PATH"}};
    g_autofree char *before = g_strdup(g_getenv("PATH"));
    if (g_file_test("/opt/rocm", G_FILE_TEST_EXISTS)) {
        g_test_skip("ROCm is installed, whose clang goes before all");
        return;
    }
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *folder = g_dir_make_tmp("pipesim-clang-XXXXXX", NULL);
        g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
        for (guint k = 0; k < 2; k++) {
            g_auto(GStrv) versions = g_strsplit(k ? cases[i].broken : cases[i].whole, " ", -1);
            for (guint v = 0; versions[v]; v++)
                g_ptr_array_add(paths, put_clang(folder, versions[v], k == 0));
        }
        g_autoptr(PsCodeCompilers) compilers = ps_code_compilers_new();
        g_autoptr(GError) error = NULL;
        g_setenv("PATH", folder, TRUE);
        const gboolean opens = ps_code_compilers_open(compilers, "gfx90a", &error);
        g_setenv("PATH", before, TRUE);
        g_assert_cmpint(opens, ==, cases[i].name != NULL);
        g_autofree char *name = ps_code_compilers_name(compilers);
        g_assert_cmpstr(name, ==, cases[i].name ? cases[i].name : "");
        g_assert_true(!cases[i].why || strstr(error->message, cases[i].why));
        for (guint k = 0; k < paths->len; k++)
            g_unlink(paths->pdata[k]);
        g_rmdir(folder);
    }
}

/* ---- what there is none for ---------------------------------------------------------------- */

static void test_architectures(void)
{
    static const char *const none[] = {"", "sm_", "sm90", "gfx", "pascal"};
    for (guint i = 0; i < G_N_ELEMENTS(none); i++) {
        g_autoptr(PsCodeCompilers) compilers = ps_code_compilers_new();
        g_autoptr(GError) error = NULL;
        g_assert_false(ps_code_compilers_open(compilers, none[i], &error));
        g_assert_error(error, PS_ERROR, PS_ERROR_USAGE);
        g_assert_nonnull(strstr(error->message, "such as sm_90 or gfx90a"));
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/code-compilers/right", test_right);
    g_test_add_func("/code-compilers/gutted", test_gutted);
    g_test_add_func("/code-compilers/amd", test_amd);
    g_test_add_func("/code-compilers/links", test_links);
    g_test_add_func("/code-compilers/loose", test_loose);
    g_test_add_func("/code-compilers/whole", test_whole);
    g_test_add_func("/code-compilers/architectures", test_architectures);
    return g_test_run();
}
