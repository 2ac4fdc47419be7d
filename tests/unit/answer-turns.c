/* SPDX-License-Identifier: BSD-3-Clause */
/* What turns at one place may take beyond the description: of floating-point sums, and on AMD's. */
#include "answer/figures.h"
#include "tests/help/ask.h"

#include <math.h>
#include <string.h>

/* The time by the longest turns as a multiple of the answer's, of a class with so many turns of 32
 * lanes each beside instructions of another pipeline. */
static double longer(const char *file, const char *class_name, guint others, PsTurns *turns)
{
    g_autofree char *text =
        g_strdup_printf("<idg xmlns='urn:pipesim:idg:1' version='1' name='x'>"
                        "<launch groups='4096' group-size='256'/><code>"
                        "<loop times='10'><node name='x' class='%s' bytes='4' l1='0.25' l2='0.25' "
                        "device='0' spot='s_0' serial='32'/></loop>"
                        "<loop times='%u'><node name='y' class='fadd'/></loop></code></idg>",
                        class_name, others);
    g_autoptr(GError) error = NULL;
    g_autoptr(PsGpu) gpu = ps_gpu_load(file, &error);
    g_assert_no_error(error);
    g_autoptr(PsIdg) idg = ps_idg_parse(text, strlen(text), "x.idg", &error);
    g_assert_no_error(error);
    const PsQuestion question = {.idg = idg, .gpu = gpu};
    PsAnswer *answer = ps_answer_new(&question, NULL, &error);
    g_assert_no_error(error);
    *turns = ps_answer_turns(answer);
    const double times = turns->seconds / answer->seconds;
    ps_answer_free(answer);
    return times;
}

static void near_to(double is, double should_be, double by)
{
    g_assert_cmpfloat(fabs(is - should_be), <=, by);
}

/* Integers take what the description says. Each sum of floating-point numbers may take the four
 * cycles of an adder. Where other work hides the turns, there is nothing to say. */
static void test_floats(void)
{
    PsTurns turns;
    g_assert_true(isnan(longer("gpus/rtx3090.xml", "atomic.global", 1, &turns)));
    g_assert_true(isnan(longer("gpus/rtx3090.xml", "global.store", 1, &turns)));
    near_to(longer("gpus/rtx3090.xml", "atomic.global.float", 1, &turns), 4, 0.01);
    g_assert_cmpint(turns.why, ==, PS_TURNS_FLOATS);
    assert_close(turns.now, 1);
    assert_close(turns.most, 4);
    g_assert_true(isnan(longer("gpus/rtx3090.xml", "atomic.global.float", 1000000, &turns)));
}

/* Nobody measured AMD's: a turn may take the 455 cycles of an MI300X's last cache, at 2092 MHz; it
 * holds 1464. An RTX 2080 Ti's clock is not the one at which its turns were measured. */
static void test_trips(void)
{
    PsTurns turns;
    const double times = longer("gpus/mi300x.xml", "atomic.global", 1, &turns);
    g_assert_cmpint(turns.why, ==, PS_TURNS_TRIPS);
    near_to(times * turns.now, turns.most, turns.most / 50);
    near_to(turns.most, 455.0 * 1464 / 2092, 0.01);
    const double floats = longer("gpus/rtx2080ti.xml", "atomic.global.float", 1, &turns);
    near_to(floats, turns.most / turns.now, 0.1);
    near_to(turns.now, 1620 / 1260.0, 0.3);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/answer/turns/floats", test_floats);
    g_test_add_func("/answer/turns/trips", test_trips);
    return g_test_run();
}
