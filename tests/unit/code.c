/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Machine code that is what a kernel measures, and such as compilers have left when they removed,
 * moved or joined work: from files made by hand, which need no compiler and no GPU.
 */
#include "latency-bench/code.h"
#include "latency-bench/internal.h"
#include "tests/help/machine.h"

#include <elf.h>
#include <string.h>

enum { STEPS = 16, ONE = 4, OTHER = 5, OPERAND = 20, COUNTER = 30 };

static const int CAPABILITIES[] = {75, 80, 86, 89, 90, 100, 120};

static PsCodeReport *report_on(const Machine *machine, const PsBenchKernel *kernel)
{
    g_autoptr(GBytes) image = machine_file(machine, &(MachineFile){0});
    g_autoptr(GError) error = NULL;
    g_assert_true(ps_code_is_machine(image));
    g_autoptr(PsCode) code = ps_code_read(image, "kernel", NULL, &error);
    g_assert_no_error(error);
    return ps_code_report(kernel, code);
}

/* The loop's own addition, and the branch back. */
static void end_loop(Machine *machine, gint64 start)
{
    machine_add(machine, NV_IADD3, COUNTER, COUNTER, OPERAND, NV_NONE);
    machine_branch(machine, start);
}

static void add_steps(Machine *machine, guint opcode, guint chain, int n)
{
    for (int i = 0; i < n; i++)
        machine_add(machine, opcode, chain, chain, OPERAND, 0);
}

/* problem NULL: the code is right; else a piece of what is said. found is that of the class. */
static void assert_report(const Machine *machine, PsBenchKernel *kernel, const char *problem,
                          gint64 found)
{
    g_autoptr(PsCodeReport) report = report_on(machine, kernel);
    g_test_message("%s", report->problem ? report->problem : "right");
    g_assert_cmpuint(report->classes->len, ==, 1);
    g_assert_cmpint(g_array_index(report->classes, PsCodeClass, 0).found, ==, found);
    g_assert_true((report->problem == NULL) == (problem == NULL));
    if (problem)
        g_assert_nonnull(strstr(report->problem, problem));
    ps_bench_kernel_free(kernel);
}

/* ---- two chains of additions --------------------------------------------------------------- */

static PsBenchKernel *two_chains(void)
{
    return machine_kernel("fadd", 2, STEPS, TRUE);
}

static void test_right(void)
{
    for (guint i = 0; i < G_N_ELEMENTS(CAPABILITIES); i++) {
        g_auto(Machine) machine = machine_new(CAPABILITIES[i]);
        /* Before the loop, and in one of fewer, too. */
        add_steps(&machine, NV_FADD, ONE, 3);
        gint64 start = machine_here(&machine);
        add_steps(&machine, NV_FADD, OTHER, 2);
        end_loop(&machine, start);
        start = machine_here(&machine);
        for (int k = 0; k < STEPS; k++) {
            add_steps(&machine, NV_FADD, ONE, 1);
            add_steps(&machine, NV_FADD, OTHER, 1);
        }
        end_loop(&machine, start);
        add_steps(&machine, NV_FADD, ONE, 5);
        assert_report(&machine, two_chains(), NULL, 2 * STEPS);
    }
}

static void test_names(void)
{
    g_auto(Machine) machine = machine_new(90);
    PsBenchKernel *kernel = machine_kernel("fadd", 1, 2, TRUE);
    const struct {
        const char *name;
        gint64 n;
        gboolean counted;
    } names[] = {{"FADD", 2, TRUE}, {"0x2ff", 1, FALSE}, {"IADD3", 1, FALSE}, {"BRA", 1, FALSE}};
    add_steps(&machine, NV_FADD, ONE, 2);
    machine_add(&machine, NV_UNKNOWN, 9, 10, 11, 12);
    end_loop(&machine, 0);
    g_autoptr(PsCodeReport) report = report_on(&machine, kernel);
    g_assert_null(report->problem);
    g_assert_cmpuint(report->names->len, ==, G_N_ELEMENTS(names));
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        const PsCodeName *name = &g_array_index(report->names, PsCodeName, i);
        g_assert_cmpstr(name->name, ==, names[i].name);
        g_assert_cmpint(name->n, ==, names[i].n);
        g_assert_cmpint(name->counted, ==, names[i].counted);
    }
    ps_bench_kernel_free(kernel);
}

/* ---- gutted -------------------------------------------------------------------------------- */

static void test_removed(void)
{
    g_auto(Machine) machine = machine_new(90);
    for (int i = 0; i < STEPS - 1; i++) {
        add_steps(&machine, NV_FADD, ONE, 1);
        add_steps(&machine, NV_FADD, OTHER, 1);
    }
    end_loop(&machine, 0);
    assert_report(&machine, two_chains(), "30 instructions of class fadd where there must be 32",
                  2 * STEPS - 2);
}

static void test_hoisted(void)
{
    g_auto(Machine) machine = machine_new(80);
    for (int i = 0; i < STEPS; i++) {
        add_steps(&machine, NV_FADD, ONE, 1);
        add_steps(&machine, NV_FADD, OTHER, 1);
    }
    end_loop(&machine, machine_here(&machine));
    assert_report(&machine, two_chains(), "no loop with instructions of class fadd", 0);
}

static void test_half(void)
{
    g_auto(Machine) machine = machine_new(120);
    add_steps(&machine, NV_FADD, ONE, STEPS);
    end_loop(&machine, 0);
    assert_report(&machine, two_chains(), "16 instructions of class fadd where there must be 32",
                  STEPS);
}

static void test_one_after_the_other(void)
{
    g_auto(Machine) machine = machine_new(90);
    add_steps(&machine, NV_FADD, ONE, STEPS);
    add_steps(&machine, NV_FADD, OTHER, STEPS);
    end_loop(&machine, 0);
    assert_report(&machine, two_chains(), "do not take turns: one gets 15 steps ahead", 2 * STEPS);
}

static void test_another_instruction(void)
{
    g_auto(Machine) machine = machine_new(75);
    for (int i = 0; i < STEPS; i++) {
        add_steps(&machine, i % 2 ? NV_FMUL : NV_FADD, ONE, 1);
        add_steps(&machine, NV_FADD, OTHER, 1);
    }
    end_loop(&machine, 0);
    assert_report(&machine, two_chains(), "24 instructions of class fadd where there must be 32",
                  24);
}

/* As many as there must be, but no chains: from operands that no addition made, or all joined. */
static void test_no_chains(void)
{
    g_auto(Machine) apart = machine_new(90), joined = machine_new(90);
    for (int i = 0; i < STEPS; i++) {
        machine_add(&apart, NV_FADD, ONE, OPERAND, OPERAND, 0);
        machine_add(&apart, NV_FADD, OTHER, ONE, OPERAND, 0);
        machine_add(&joined, NV_FADD, ONE, ONE, OTHER, 0);
        machine_add(&joined, NV_FADD, OTHER, ONE, OTHER, 0);
    }
    end_loop(&apart, 0);
    end_loop(&joined, 0);
    assert_report(&apart, two_chains(), "the longest chain has 2", 2 * STEPS);
    assert_report(&joined, two_chains(), "the longest chain has 32", 2 * STEPS);
}

/* ---- pipes --------------------------------------------------------------------------------- */

static void test_two_pipes(void)
{
    g_auto(Machine) machine = machine_new(90);
    for (int i = 0; i < STEPS; i++)
        machine_add(&machine, i % 2 ? NV_I2F : NV_I2FP, ONE, 0, ONE, 0);
    end_loop(&machine, 0);
    assert_report(&machine, machine_kernel("conversion.i2f", 1, STEPS, TRUE),
                  "of two pipes: I2FP and I2F", STEPS);
}

/* What compilers spread over two pipes may be so, and the loop's own addition is not counted. */
static void test_mixed(void)
{
    g_auto(Machine) integers = machine_new(90), halves = machine_new(80);
    for (int i = 0; i < STEPS; i++) {
        machine_add(&integers, i % 2 ? NV_IADD3 : NV_IMAD, ONE, ONE, OPERAND, NV_NONE);
        machine_add(&halves, i % 2 ? NV_HADD2 : NV_HFMA2_MMA, ONE, ONE, OPERAND, OPERAND);
    }
    end_loop(&integers, 0);
    end_loop(&halves, 0);
    assert_report(&integers, machine_kernel("iadd", 1, STEPS, TRUE), NULL, STEPS);
    assert_report(&halves, machine_kernel("hadd", 1, STEPS, TRUE), NULL, STEPS);
}

/* ---- sequences ----------------------------------------------------------------------------- */

/* A division is a reciprocal and what makes it exact. */
static void add_division(Machine *machine, guint chain, guint beside)
{
    machine_reciprocal(machine, beside, chain);
    for (int i = 0; i < 3; i++)
        machine_add(machine, NV_FFMA, beside, beside, OPERAND, beside);
    machine_add(machine, NV_FFMA, chain, beside, OPERAND, chain);
}

static void test_divisions(void)
{
    g_auto(Machine) alone = machine_new(90), in_turns = machine_new(90);
    enum { BESIDE = 10, BESIDE_TOO };
    for (int i = 0; i < STEPS; i++) {
        add_division(&alone, ONE, BESIDE);
        add_division(&alone, OTHER, BESIDE_TOO);
        machine_reciprocal(&in_turns, BESIDE, ONE);
        machine_reciprocal(&in_turns, BESIDE_TOO, OTHER);
        for (int k = 0; k < 3; k++)
            for (guint chain = 0; chain < 2; chain++)
                machine_add(&in_turns, NV_FFMA, BESIDE + chain, BESIDE + chain, OPERAND,
                            BESIDE + chain);
        machine_add(&in_turns, NV_FFMA, ONE, BESIDE, OPERAND, ONE);
        machine_add(&in_turns, NV_FFMA, OTHER, BESIDE_TOO, OPERAND, OTHER);
    }
    end_loop(&alone, 0);
    end_loop(&in_turns, 0);
    assert_report(&alone, machine_kernel("fdiv", 2, STEPS, TRUE), "wait for the one just before",
                  2 * STEPS);
    assert_report(&in_turns, machine_kernel("fdiv", 2, STEPS, TRUE), NULL, 2 * STEPS);
}

/* Loads through addresses that are reckoned, whose second registers are those of the first. */
static void test_pointers(void)
{
    g_auto(Machine) machine = machine_new(100);
    for (int i = 0; i < STEPS; i++) {
        machine_add(&machine, NV_IMAD_WIDE, 6, ONE, OPERAND, 22);
        machine_access(&machine, NV_LDG, ONE, 6, 4);
    }
    end_loop(&machine, 0);
    assert_report(&machine, machine_kernel("global.load.stride2", 1, STEPS, TRUE), NULL, STEPS);
}

static void test_widths(void)
{
    g_auto(Machine) machine = machine_new(86);
    for (int i = 0; i < STEPS; i++)
        machine_access(&machine, NV_LDS, 8, 8, i ? 6 : 5);
    end_loop(&machine, 0);
    assert_report(&machine, machine_kernel("local.load", 1, STEPS, TRUE), NULL, STEPS);
    assert_report(&machine, machine_kernel("local.load.v4", 1, STEPS, TRUE),
                  "15 instructions of class local.load.v4", STEPS - 1);
}

/* What writes no register cannot be waited for. */
static void test_stores(void)
{
    g_auto(Machine) machine = machine_new(90), barriers = machine_new(90);
    for (int i = 0; i < STEPS; i++) {
        machine_add(&machine, NV_STS, NV_NONE, ONE, OTHER, 0);
        machine_add(&barriers, NV_BAR, 0, 0, 0, 0);
    }
    end_loop(&machine, 0);
    end_loop(&barriers, 0);
    assert_report(&machine, machine_kernel("local.store.c8", 1, STEPS, FALSE), NULL, STEPS);
    assert_report(&barriers, machine_kernel("barrier", 1, STEPS, TRUE), NULL, STEPS);
}

/* ---- files --------------------------------------------------------------------------------- */

static void assert_error(GBytes *image, int code, const char *text)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsCode) read = ps_code_read(image, "kernel", NULL, &error);
    g_assert_null(read);
    g_assert_error(error, PS_ERROR, code);
    g_test_message("%s", error->message);
    g_assert_nonnull(strstr(error->message, text));
    g_bytes_unref(image);
}

static GBytes *file_of(int capability, MachineFile file)
{
    g_auto(Machine) machine = machine_new(capability);
    add_steps(&machine, NV_FADD, ONE, 4);
    return machine_file(&machine, &file);
}

static void test_versions(void)
{
    g_autoptr(GBytes) first = file_of(80, (MachineFile){.first_version = TRUE});
    g_autoptr(GError) error = NULL;
    g_autoptr(PsCode) code = ps_code_read(first, "kernel", NULL, &error);
    g_assert_no_error(error);
    g_assert_nonnull(code);
}

static void test_bad_files(void)
{
    assert_error(g_bytes_new_static("", 0), PS_ERROR_SYNTAX, "no ELF file");
    assert_error(g_bytes_new_static(".version 8.0\n", 13), PS_ERROR_SYNTAX, "no ELF file");
    assert_error(g_bytes_new_static(ELFMAG, SELFMAG), PS_ERROR_SYNTAX, "no ELF file");
    assert_error(file_of(80, (MachineFile){.section = ".text.other"}), PS_ERROR_VALUE,
                 "no section .text.kernel");
    assert_error(file_of(80, (MachineFile){.narrow = TRUE}), PS_ERROR_SYNTAX, "64 bits");
    assert_error(file_of(80, (MachineFile){.more = 8}), PS_ERROR_SYNTAX, "no multiple of 16");
    assert_error(file_of(80, (MachineFile){.machine = EM_X86_64}), PS_ERROR_VALUE, "no GPU");
    assert_error(file_of(61, (MachineFile){0}), PS_ERROR_VALUE, "sm_61");
    assert_error(file_of(130, (MachineFile){0}), PS_ERROR_VALUE, "sm_130");
    assert_error(file_of(80, (MachineFile){.machine = EM_AMDGPU}), PS_ERROR_USAGE,
                 "no llvm-objdump");
}

/* However much of it is missing, nothing breaks, and what is read is a file's whole section. */
static void test_truncated(void)
{
    g_autoptr(GBytes) whole = file_of(90, (MachineFile){0});
    for (gsize n = 0; n < g_bytes_get_size(whole); n++) {
        g_autoptr(GBytes) part = g_bytes_new_from_bytes(whole, 0, n);
        g_autoptr(GError) error = NULL;
        g_autoptr(PsCode) code = ps_code_read(part, "kernel", NULL, &error);
        g_assert_null(code);
        g_assert_nonnull(error);
    }
}

/* ---- other registers than threads' ---------------------------------------------------------- */

/* Predicates are followed: two chains of votes, and such as wait for nothing. */
static void test_votes(void)
{
    for (guint wrong = 0; wrong < 2; wrong++) {
        g_auto(Machine) machine = machine_new(90);
        for (guint i = 0; i < 2 * STEPS; i++)
            machine_vote(&machine, i % 2, wrong ? 2 : i % 2);
        end_loop(&machine, 0);
        assert_report(&machine, machine_kernel("logic.vote", 2, STEPS, TRUE),
                      wrong ? "has 0 instructions of class logic.vote" : NULL,
                      wrong ? 0 : 2 * STEPS);
    }
}

/* What a reduction leaves in a register of all threads is moved back before the next. */
static void test_reductions(void)
{
    for (guint wrong = 0; wrong < 2; wrong++) {
        g_auto(Machine) machine = machine_new(80);
        for (guint i = 0; i < STEPS; i++) {
            machine_reduce(&machine, 6, ONE);
            machine_from_all(&machine, ONE, wrong ? 7 : 6);
        }
        end_loop(&machine, 0);
        assert_report(&machine, machine_kernel("shuffle.reduce", 1, STEPS, TRUE),
                      wrong ? "has 0 instructions of class shuffle.reduce" : NULL,
                      wrong ? 0 : STEPS);
    }
}

/* A conversion writes two registers to double precision, and one from it: the chain beside it, in
 * the register behind, goes on. */
static void test_doubles(void)
{
    g_auto(Machine) machine = machine_new(90);
    for (guint i = 0; i < 2 * STEPS; i++) {
        const guint chain = i % 2, pair = 40 + 2 * chain;
        if (i / 2 % 2 == 0)
            machine_double(&machine, pair, ONE + chain, TRUE);
        else
            machine_double(&machine, ONE + chain, pair, FALSE);
    }
    end_loop(&machine, 0);
    assert_report(&machine, machine_kernel("conversion.f64", 2, STEPS, TRUE), NULL, 2 * STEPS);
}

/* ---- before it is measured ----------------------------------------------------------------- */

static char *ptx_with(guint n)
{
    GString *text = g_string_new(".func helper { add.rn.f32 %f1, %f1, %f2; }\n"
                                 ".visible .entry kernel(\n) {\n");
    for (guint i = 0; i < n; i++)
        g_string_append(text, "\tadd.rn.f32 %f1, %f1, %f2;\n");
    g_string_append(text, "\tfma.rn.f32 %f1, %f1, %f2, %f3;\n\tadd.rn.f64 %d1, %d1, %d2;\n}\n");
    return g_string_free(text, FALSE);
}

static gboolean passes(GBytes *image, const char *text, const char *message, gboolean is_unseen)
{
    PsBenchKernel *kernel = two_chains();
    g_autofree char *unseen = NULL;
    g_autoptr(GError) error = NULL;
    const gboolean ok = ps_bench_check_code(kernel, image, text, &unseen, &error);
    g_assert_true(ok == (error == NULL));
    g_assert_true(is_unseen == (unseen != NULL));
    if (!ok) {
        g_assert_error(error, PS_ERROR, PS_ERROR_DEVICE);
        g_assert_true(g_str_has_prefix(error->message, "kernel: "));
        g_assert_nonnull(strstr(error->message, message));
    }
    ps_bench_kernel_free(kernel);
    return ok;
}

/* Machine code decides; where there is none, or none that can be read, the text does. */
static void test_check(void)
{
    g_auto(Machine) machine = machine_new(90);
    g_autofree char *enough = ptx_with(2 * STEPS), *fewer = ptx_with(2 * STEPS - 1);
    g_autoptr(GBytes) text = g_bytes_new(enough, strlen(enough));
    g_autoptr(GBytes) unknown = file_of(130, (MachineFile){0});
    for (int i = 0; i < 2 * STEPS; i++)
        add_steps(&machine, NV_FADD, i % 2 ? ONE : OTHER, 1);
    end_loop(&machine, 0);
    g_autoptr(GBytes) right = machine_file(&machine, &(MachineFile){0});
    g_autoptr(GBytes) wrong = file_of(90, (MachineFile){0});
    g_assert_true(passes(NULL, NULL, NULL, FALSE));
    g_assert_true(passes(NULL, enough, NULL, FALSE));
    g_assert_false(passes(NULL, fewer, "31", FALSE));
    g_assert_false(passes(NULL, "", "0 instructions", FALSE));
    g_assert_true(passes(text, enough, NULL, FALSE));
    g_assert_true(passes(right, fewer, NULL, FALSE));
    g_assert_false(passes(wrong, enough, "no loop", FALSE));
    g_assert_true(passes(unknown, enough, NULL, TRUE));
    g_assert_false(passes(unknown, fewer, "31", TRUE));
    g_assert_true(passes(unknown, NULL, NULL, TRUE));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/code/right", test_right);
    g_test_add_func("/code/names", test_names);
    g_test_add_func("/code/removed", test_removed);
    g_test_add_func("/code/hoisted", test_hoisted);
    g_test_add_func("/code/half", test_half);
    g_test_add_func("/code/one-after-the-other", test_one_after_the_other);
    g_test_add_func("/code/another-instruction", test_another_instruction);
    g_test_add_func("/code/no-chains", test_no_chains);
    g_test_add_func("/code/two-pipes", test_two_pipes);
    g_test_add_func("/code/mixed", test_mixed);
    g_test_add_func("/code/divisions", test_divisions);
    g_test_add_func("/code/pointers", test_pointers);
    g_test_add_func("/code/widths", test_widths);
    g_test_add_func("/code/stores", test_stores);
    g_test_add_func("/code/versions", test_versions);
    g_test_add_func("/code/bad-files", test_bad_files);
    g_test_add_func("/code/truncated", test_truncated);
    g_test_add_func("/code/votes", test_votes);
    g_test_add_func("/code/reductions", test_reductions);
    g_test_add_func("/code/doubles", test_doubles);
    g_test_add_func("/code/check", test_check);
    return g_test_run();
}
