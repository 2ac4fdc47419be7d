/* SPDX-License-Identifier: BSD-3-Clause */
/* What is said of registers that an assembler has chosen, where a graph is of PTX. */
#include "answer/registers.h"
#include "tell/trust.h"
#include "tests/help/ask.h"

#include <math.h>
#include <string.h>

#define CHAIN "<code><loop times='50'><node name='x' class='global.load' after='x'/></loop></code>"
#define LAUNCH "groups='30' group-size='64'"

/* A graph of PTX; text: what a source of it says, or NULL. */
static Asked asked_of_ptx(const char *launch, const char *text)
{
    Asked asked = asked_new("", launch, CHAIN);
    asked.idg->of_ptx = TRUE;
    if (text) {
        PsSource *source = g_new0(PsSource, 1);
        source->text = g_strdup(text);
        g_ptr_array_add(asked.idg->sources, source);
    }
    return asked;
}

static double seconds_of(gint64 active)
{
    g_auto(Asked) asked = asked_of_ptx(LAUNCH, NULL);
    asked.question.launch.active = active;
    return ask(&asked)->seconds;
}

static void assert_step(PsRegisterStep step, gint64 registers, gint64 groups)
{
    g_assert_cmpint(step.registers, ==, registers);
    g_assert_cmpint(step.groups, ==, groups);
}

/* 8192 registers, a warp's in units of 256: two warps of 32 for each thread are 2048, so that four
 * groups are there; of 24 they are 1536, and of 33 2560. */
static void test_chosen(void)
{
    g_auto(Asked) asked =
        asked_of_ptx(LAUNCH " registers='32'", "Registers: as ptxas -v reports them for sm_80.");
    const PsAnswer *answer = ask_advice(&asked);
    const PsRegisterSteps steps = ps_answer_register_steps(answer);
    assert_step(steps.fewer, 24, 5);
    assert_step(steps.more, 33, 3);
    assert_close(answer->sensitivities->fewer_registers, seconds_of(5));
    assert_close(answer->sensitivities->more_registers, seconds_of(3));
    g_autofree char *sure = ps_trust_describe(answer);
    g_assert_nonnull(strstr(sure, "other registers than the 32 of ptxas, by which 4 groups are "
                                  "there at once: with up to 24 there are 5 at once, which makes "
                                  "it "));
    g_assert_nonnull(strstr(sure, ", from 33 there are 3 at once, which makes it "));
}

/* Nobody counted them: eight groups are there by their number; 16 are 1024 for two warps. */
static void test_not_known(void)
{
    g_auto(Asked) asked = asked_of_ptx(LAUNCH, NULL);
    const PsAnswer *answer = ask(&asked);
    assert_step(ps_answer_register_steps(answer).fewer, 0, 0);
    assert_step(ps_answer_register_steps(answer).more, 17, 5);
    g_autofree char *sure = ps_trust_describe(answer);
    g_assert_nonnull(strstr(sure, "; registers are not known, and without their limit 8 groups are "
                                  "there at once: from 17 there are 5 at once"));
}

/* The user who gives them knows them; groups at once that were asked for do not depend on them;
 * machine code states its own. */
static void test_known(void)
{
    g_auto(Asked) given =
        asked_of_ptx(LAUNCH " registers='32'", "Registers: given by --registers.");
    assert_step(ps_answer_register_steps(ask(&given)).more, 0, 0);
    g_auto(Asked) forced = asked_of_ptx(LAUNCH, NULL);
    forced.question.launch.active = 3;
    assert_step(ps_answer_register_steps(ask(&forced)).more, 0, 0);
    g_auto(Asked) other = asked_new("", LAUNCH, CHAIN);
    assert_step(ps_answer_register_steps(ask(&other)).more, 0, 0);
    g_autofree char *sure = ps_trust_describe(other.answer);
    g_assert_null(strstr(sure, "registers"));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/answer/registers/chosen", test_chosen);
    g_test_add_func("/answer/registers/not-known", test_not_known);
    g_test_add_func("/answer/registers/known", test_known);
    return g_test_run();
}
