/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * AMD's machine code, as LLVM's disassembler writes it: from texts made by hand.
 */
#include "latency-bench/code/instruction.h"
#include "tests/help/machine.h"

#include <string.h>

enum { STEPS = 8, START = 0x1900 };

/* A text that grows by lines at addresses 4 bytes apart. */
typedef struct {
    GString *text;
    guint at;
} Text;

static Text text_new(void)
{
    Text new = {g_string_new("\nk.o:\tfile format elf64-amdgpu\n\nDisassembly of section .text:\n\n"
                             "0000000000001800 <helper>:\n\tv_add_f32_e32 v1, v1, v2"
                             "                // 000000001800: 02020501\n\n"
                             "0000000000001900 <kernel>:\n"),
                START};
    return new;
}

static void add(Text *to, const char *line)
{
    g_string_append_printf(to->text, "\t%-50s // %012X: 02080504\n", line, to->at);
    to->at += 4;
}

/* The end of a trip that began at the function's start. */
static void add_end(Text *to)
{
    add(to, "s_add_i32 s2, s2, 1");
    add(to, "s_cmp_eq_u32 s10, s2");
    g_string_append_printf(to->text, "\ts_cbranch_scc0 65404 // %012X: BF84FF7C <kernel>\n",
                           to->at);
}

static PsCodeReport *report_on(Text *text, const PsBenchKernel *kernel)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsCode) code = ps_code_read_amd(text->text->str, "kernel", &error);
    g_assert_no_error(error);
    g_string_free(text->text, TRUE);
    return ps_code_report(kernel, code);
}

/* problem NULL: the code is right; else a piece of what is said. */
static void assert_report(Text *text, const char *class_name, int chains, const char *problem)
{
    PsBenchKernel *kernel = machine_kernel(class_name, chains, STEPS, TRUE);
    g_autoptr(PsCodeReport) report = report_on(text, kernel);
    g_test_message("%s", report->problem ? report->problem : "right");
    g_assert_true((report->problem == NULL) == (problem == NULL));
    if (problem)
        g_assert_nonnull(strstr(report->problem, problem));
    ps_bench_kernel_free(kernel);
}

static void test_right(void)
{
    Text text = text_new();
    for (int i = 0; i < STEPS; i++) {
        add(&text, "v_add_f32_e32 v4, v4, v2");
        add(&text, "v_add_f32_e64 v3, -v3, v2");
    }
    add_end(&text);
    assert_report(&text, "fadd", 2, NULL);
}

static void test_gutted(void)
{
    Text removed = text_new(), hoisted = text_new(), half = text_new(), serial = text_new(),
         other = text_new();
    for (int i = 0; i < STEPS; i++) {
        add(&half, "v_add_f32_e32 v4, v4, v2");
        add(&other, "v_mul_f32_e32 v4, v4, v2");
        add(&other, "v_mul_f32_e32 v3, v3, v2");
        add(&hoisted, "v_add_f32_e32 v4, v4, v2");
        if (i == 0)
            continue;
        add(&removed, "v_add_f32_e32 v4, v4, v2");
        add(&removed, "v_add_f32_e32 v3, v3, v2");
    }
    for (int i = 0; i < 2 * STEPS; i++)
        add(&serial, i < STEPS ? "v_add_f32_e32 v4, v4, v2" : "v_add_f32_e32 v3, v3, v2");
    add(&hoisted, "s_endpgm");
    add_end(&removed);
    add_end(&half);
    add_end(&serial);
    add_end(&other);
    assert_report(&removed, "fadd", 2, "14 instructions of class fadd where there must be 16");
    assert_report(&hoisted, "fadd", 2, "no loop with instructions of class fadd");
    assert_report(&half, "fadd", 2, "8 instructions of class fadd where there must be 16");
    assert_report(&serial, "fadd", 2, "one gets 7 steps ahead");
    assert_report(&other, "fadd", 2, "no loop with instructions of class fadd");
}

/* Pairs of registers, sums that name themselves once, stores that write none. */
static void test_operands(void)
{
    Text loads = text_new(), sums = text_new(), stores = text_new(), atomics = text_new();
    for (int i = 0; i < STEPS; i++) {
        add(&loads, "v_lshlrev_b64 v[6:7], 2, v[4:5]");
        add(&loads, "v_add_co_u32_e32 v6, vcc, s4, v6");
        add(&loads, "global_load_dwordx2 v[4:5], v[6:7], off");
        add(&sums, "v_fmac_f32_e32 v4, v2, v3");
        add(&stores, "ds_write_b32 v4, v3");
        add(&atomics, "ds_add_rtn_u32 v4, v4, v3");
    }
    add_end(&loads);
    add_end(&sums);
    add_end(&stores);
    add_end(&atomics);
    assert_report(&loads, "global.load", 1, NULL);
    assert_report(&sums, "fmadd", 1, NULL);
    assert_report(&stores, "local.store", 1, NULL);
    assert_report(&atomics, "atomic.local", 1, NULL);
}

/* Two at once read what was there before either. */
static void test_pairs(void)
{
    Text text = text_new();
    for (int i = 0; i < STEPS; i++)
        add(&text, "v_dual_add_f32 v4, v4, v2 :: v_dual_add_f32 v5, v4, v2");
    add_end(&text);
    assert_report(&text, "fadd", 2, "15 instructions of class fadd where there must be 16");
}

static void test_bad_text(void)
{
    static const char *const texts[] = {
        "", "no code at all",
        "0000000000001900 <other>:\n\tv_add_f32_e32 v4, v4, v2 // 000000001964: 02080504\n",
        "0000000000001900 <kernel>:\n\n",
        "0000000000001900 <kernel2>:\n\tv_add_f32_e32 v4, v4, v2 // 000000001964: 02080504\n"};
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(PsCode) code = ps_code_read_amd(texts[i], "kernel", &error);
        g_assert_null(code);
        g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
        g_assert_nonnull(strstr(error->message, "no function kernel"));
    }
}

/* Registers that no chip has, operands that are none. */
static void test_odd_operands(void)
{
    static const char *const lines[] = {"v_add_f32_e32 v9999, v[3:2], v[4:",
                                        "v_add_f32_e32",
                                        "v_add_f32_e32 ,,,,,,,,",
                                        "v_add_f32_e32 v[0:255], v[255:300], s[250:255]",
                                        "s_cbranch_scc0 3 <kernel+0x",
                                        ":: ::"};
    Text text = text_new();
    for (guint i = 0; i < G_N_ELEMENTS(lines); i++)
        add(&text, lines[i]);
    add_end(&text);
    assert_report(&text, "fadd", 1, "fadd");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/code-amd/right", test_right);
    g_test_add_func("/code-amd/gutted", test_gutted);
    g_test_add_func("/code-amd/operands", test_operands);
    g_test_add_func("/code-amd/pairs", test_pairs);
    g_test_add_func("/code-amd/bad-text", test_bad_text);
    g_test_add_func("/code-amd/odd-operands", test_odd_operands);
    return g_test_run();
}
