/* SPDX-License-Identifier: BSD-3-Clause */
/* Which loads a warp issues without waiting for those before them. */
#include "lift/memory/joins.h"

#include <string.h>

/* Letters of the loads of global memory in the body, in order: J joins those before it, F is the
 * first of a run. */
static char *joins_of(const char *body, gboolean machine)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = g_strdup_printf(
        ".version 8.0\n.target sm_80\n.address_size 64\n"
        ".visible .entry k(.param .u64 x) { .shared .align 4 .b8 part[128]; .reg .pred %%p<4>; "
        ".reg .b32 %%r<12>; .reg .b64 %%rd<9>; .reg .f32 %%f<12>; ld.param.u64 %%rd1, [x];\n"
        "%s done: ret; }\n",
        body);
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, strlen(text), "x.ptx", &error);
    g_assert_no_error(error);
    module->machine = machine;
    g_autoptr(PsPtxCode) code = ps_ptx_code_new(module, ps_ptx_kernel(module, "k", &error), &error);
    g_assert_no_error(error);
    g_autofree guint8 *joins = ps_joins_new(code);
    GString *letters = g_string_new(NULL);
    for (guint i = 0; i < code->n_points; i++) {
        const PsPtxMnemonic *mnemonic = code->points[i].instruction->mnemonic;
        if (strcmp(mnemonic->opcode, "ld") == 0 && mnemonic->space == PS_PTX_GLOBAL)
            g_string_append_c(letters, joins[i] ? 'J' : 'F');
        else
            g_assert_false(joins[i]);
    }
    return g_string_free(letters, FALSE);
}

#define ONE "ld.global.f32 %f1, [%rd1]; "
#define TWO "ld.global.f32 %f2, [%rd1+4]; "
#define ADD "add.f32 %f3, %f3, %f1; "

/* In machine code whatever reads a result waits for it. */
static void test_runs(void)
{
    static const struct {
        const char *body, *ptx, *machine;
    } cases[] = {{ONE TWO ADD, "FJ", "FJ"},
                 {ONE ADD TWO, "FJ", "FF"},
                 {ONE "add.f32 %f3, %f3, %f4; " TWO, "FJ", "FJ"},
                 {ONE ADD TWO "ld.global.f32 %f4, [%rd1+8]; ", "FJJ", "FFJ"},
                 {"ld.global.v2.f32 {%f1, %f2}, [%rd1]; add.f32 %f3, %f3, %f2; " TWO, "FJ", "FF"},
                 {"ld.global.b64 %rd2, [%rd1]; ld.global.f32 %f1, [%rd2]; " TWO, "FFJ", "FFJ"},
                 {"ld.global.b64 %rd2, [%rd1]; add.s64 %rd3, %rd2, 4; ld.global.f32 %f1, [%rd3]; ",
                  "FF", "FF"},
                 {ONE "setp.gt.f32 %p1, %f1, 0f00000000; @%p1 " TWO, "FF", "FF"},
                 {ONE "st.global.f32 [%rd1+64], %f4; " TWO, "FF", "FJ"},
                 {ONE "st.shared.f32 [part], %f4; " TWO, "FJ", "FJ"},
                 {ONE "bar.sync 0; " TWO, "FF", "FF"},
                 {ONE "bra on; on: " TWO, "FF", "FF"},
                 {ONE "ld.shared.f32 %f4, [part]; add.f32 %f3, %f3, %f4; " TWO, "FJ", "FJ"}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *ptx = joins_of(cases[i].body, FALSE);
        g_autofree char *machine = joins_of(cases[i].body, TRUE);
        g_test_message("%s", cases[i].body);
        g_assert_cmpstr(ptx, ==, cases[i].ptx);
        g_assert_cmpstr(machine, ==, cases[i].machine);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ptx-joins/runs", test_runs);
    return g_test_run();
}
