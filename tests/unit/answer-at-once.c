/* SPDX-License-Identifier: BSD-3-Clause */
/* What four iterations at once would be, of loops of which a compiler here made one. */
#include "answer/figures.h"
#include "tests/help/ask.h"

#include <math.h>
#include <string.h>

#define LOAD(more)                                                                                 \
    "<node name='x' class='global.load' bytes='4' l1='1' l2='1' device='1' " more "/>"
#define LOOP(times, body)                                                                          \
    "<code><loop name='l' times='" times "'>" body "<node name='y' class='fadd' after='x y@1'/>"   \
    "</loop></code>"

/* The shorter time as a share of what is told; NaN: there is none. */
static double shorter(const char *made_of, const char *code)
{
    g_autofree char *text = g_strdup_printf("<idg xmlns='urn:pipesim:idg:1' version='1' name='x'>"
                                            "<launch groups='40' group-size='32'/>%s</idg>",
                                            code);
    g_autoptr(GError) error = NULL;
    g_autoptr(PsGpu) gpu = ps_gpu_load("gpus/rtx2070s.xml", &error);
    g_assert_no_error(error);
    g_autoptr(PsIdg) idg = ps_idg_parse(text, strlen(text), "x.idg", &error);
    g_assert_no_error(error);
    idg->made_of = g_strdup(made_of);
    const PsQuestion question = {.idg = idg, .gpu = gpu};
    PsAnswer *answer = ps_answer_new(&question, NULL, &error);
    g_assert_no_error(error);
    const double share = ps_answer_at_once(answer).seconds / answer->seconds;
    ps_answer_free(answer);
    return share;
}

static void test_loops(void)
{
    static const char *const made = "machine code for sm_75, made by ptxas";
    static const char *const plain = LOOP("100", LOAD(""));
    const double share = shorter(made, plain);
    g_assert_cmpfloat(share, <, 0.45);
    g_assert_cmpfloat(share, >, 0.25);
    /* what was given has no compiler, and a graph none at all */
    g_assert_true(isnan(shorter("machine code for sm_75, as the file has it", plain)));
    g_assert_true(isnan(shorter(NULL, plain)));
    /* an address that is loaded; a loop that is short; one whose iterations meet */
    g_assert_true(isnan(shorter(made, LOOP("100", LOAD("after='x@1'")))));
    g_assert_true(isnan(shorter(made, LOOP("7", LOAD("")))));
    g_assert_true(isnan(shorter(made, LOOP("100", "<node name='b' class='barrier'/>" LOAD("")))));
    /* a loop that computes */
    g_assert_true(isnan(shorter(made, LOOP("100", LOAD("") "<loop times='600'><node name='z' "
                                                           "class='fadd'/></loop>"))));
}

/* The longer time of a loop on an MI100 whose loads are on line 7, as a share of what is told. */
static double longer(const char *gpu_file, gboolean of_ptx, const char *loads)
{
    g_autofree char *text =
        g_strdup_printf("<idg xmlns='urn:pipesim:idg:1' version='1' name='x' file='x.cu'>"
                        "<launch groups='4' group-size='64'/><code><loop name='l' times='100'>%s"
                        "<node name='y' class='fadd' after='a b c d y@1'/></loop></code></idg>",
                        loads);
    g_autoptr(GError) error = NULL;
    g_autoptr(PsGpu) gpu = ps_gpu_load(gpu_file, &error);
    g_assert_no_error(error);
    g_autoptr(PsIdg) idg = ps_idg_parse(text, strlen(text), "x.idg", &error);
    g_assert_no_error(error);
    idg->made_of = g_strdup("PTX, as for all GPUs of AMD");
    idg->of_ptx = of_ptx;
    const PsQuestion question = {.idg = idg, .gpu = gpu};
    PsAnswer *answer = ps_answer_new(&question, NULL, &error);
    g_assert_no_error(error);
    const double share = ps_answer_one_by_one(answer).seconds / answer->seconds;
    ps_answer_free(answer);
    return share;
}

#define AT(name, line) "<node name='" name "' class='global.load' bytes='4' line='" line "'/>"

static void test_one_by_one(void)
{
    static const char *const four = AT("a", "7") AT("b", "7") AT("c", "7") AT("d", "7");
    const double share = longer("gpus/mi100.xml", TRUE, four);
    g_assert_cmpfloat(share, >, 3);
    g_assert_cmpfloat(share, <, 4.1);
    /* other GPUs' compilers, graphs of no PTX, and loads of which four iterations have no four */
    g_assert_true(isnan(longer("gpus/a100.xml", TRUE, four)));
    g_assert_true(isnan(longer("gpus/mi100.xml", FALSE, four)));
    g_assert_true(
        isnan(longer("gpus/mi100.xml", TRUE, AT("a", "7") AT("b", "7") AT("c", "7") AT("d", "8"))));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/answer/at-once/loops", test_loops);
    g_test_add_func("/answer/at-once/one-by-one", test_one_by_one);
    return g_test_run();
}
