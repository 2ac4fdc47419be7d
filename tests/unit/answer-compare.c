/* SPDX-License-Identifier: BSD-3-Clause */
/* Two critical paths as one table: what is matched, what is on one side alone, and that all adds
 * up.
 */
#include "answer/compare.h"
#include "tests/help/ask.h"

#include <math.h>

static Asked explained(const char *launch, const char *codes)
{
    Asked asked = asked_new("", launch, codes);
    ask_why(&asked);
    return asked;
}

static const PsCharge *charge_of(const GPtrArray *charges, PsPathKind kind, const char *name)
{
    for (guint i = 0; i < charges->len; i++) {
        const PsCharge *charge = charges->pdata[i];
        if (charge->kind == kind && g_strcmp0(charge->name, name) == 0)
            return charge;
    }
    return NULL;
}

/* Each side's charges, with what is on no path, are its result; the largest difference is first. */
static void check_sums(const PsComparison *comparison, const GPtrArray *charges)
{
    double sums[2] = {0, 0}, difference = 0;
    for (guint i = 0; i < charges->len; i++) {
        const PsCharge *charge = charges->pdata[i];
        for (guint side = 0; side < 2; side++)
            sums[side] += charge->seconds[side];
        difference += charge->difference;
        g_assert_true(charge->there[0] || charge->there[1]);
        if (i > 0)
            g_assert_cmpfloat(fabs(charge->difference), <=,
                              fabs(((const PsCharge *)charges->pdata[i - 1])->difference));
    }
    for (guint side = 0; side < 2; side++)
        assert_close(sums[side] + comparison->launch.seconds[side] +
                         comparison->clamp.seconds[side],
                     comparison->answers[side]->seconds);
    g_assert_cmpfloat_with_epsilon(difference + comparison->launch.difference +
                                       comparison->clamp.difference,
                                   comparison->difference, 1e-15);
}

static void test_matching(void)
{
    g_auto(Asked) a = explained("groups='16' group-size='32'",
                                "<code><loop times='20'><node name='x' class='global.load' "
                                "after='x' line='3'/><node name='y' class='a' after='x' line='4'/>"
                                "</loop></code>");
    g_auto(Asked) b = explained("groups='16' group-size='32'",
                                "<code><loop times='40'><node name='y' class='a' after='y' "
                                "line='4'/><node name='z' class='local.load' after='y z'/></loop>"
                                "</code>");
    g_autoptr(PsComparison) comparison = ps_comparison_new(a.answer, b.answer);
    assert_close(comparison->difference, b.answer->seconds - a.answer->seconds);
    check_sums(comparison, comparison->by_class);
    check_sums(comparison, comparison->by_line);
    check_sums(comparison, comparison->by_pipeline);
    const PsCharge *load = charge_of(comparison->by_class, PS_PATH_COMPLETION, "global.load");
    g_assert_true(load->there[0]);
    g_assert_false(load->there[1]);
    g_assert_cmpfloat(load->difference, <, 0);
    assert_close(load->difference, -load->seconds[0]);
    const PsCharge *both = charge_of(comparison->by_class, PS_PATH_COMPLETION, "a");
    g_assert_true(both->there[0] && both->there[1]);
    g_assert_nonnull(charge_of(comparison->by_line, PS_PATH_COMPLETION, NULL));
    g_assert_null(comparison->problem);
}

#define BARRIERS(first, second)                                                                    \
    "<code warps='0'><loop times='20'>" first "<node name='b' class='barrier' after='x'/></loop>"  \
    "</code><code><loop times='20'>" second                                                        \
    "<node name='b' class='barrier' after='x'/></loop></code>"
#define SHORT "<node name='x' class='a' after='x'/>"
#define LONG "<loop times='9'><node name='x' class='a' after='x'/></loop>"

/* Another late warp is no other charge. */
static void test_barrier(void)
{
    g_auto(Asked) a = explained("groups='16' group-size='64'", BARRIERS(LONG, SHORT));
    g_auto(Asked) b = explained("groups='16' group-size='64'", BARRIERS(SHORT, LONG));
    g_autoptr(PsComparison) comparison = ps_comparison_new(a.answer, b.answer);
    const PsCharge *barrier = charge_of(comparison->by_class, PS_PATH_BARRIER, "barrier");
    g_assert_true(barrier->there[0] && barrier->there[1]);
    guint n = 0;
    for (guint i = 0; i < comparison->by_class->len; i++)
        n += ((const PsCharge *)comparison->by_class->pdata[i])->kind == PS_PATH_BARRIER;
    g_assert_cmpuint(n, ==, 1);
}

/* Work that is the same within 10 % is the same. */
static double work_of(const char *ops)
{
    g_autofree char *code = g_strdup_printf("<code><loop times='20'><node name='x' class='a' "
                                            "ops='%s' type='fp32'/></loop></code>",
                                            ops);
    g_auto(Asked) a = explained("groups='4' group-size='32'",
                                "<code><loop times='20'><node name='x' class='a' ops='100' "
                                "type='fp32'/></loop></code>");
    g_auto(Asked) b = explained("groups='4' group-size='32'", code);
    g_autoptr(PsComparison) comparison = ps_comparison_new(a.answer, b.answer);
    g_assert_true(comparison->work_is_operations);
    return comparison->work;
}

static void test_work(void)
{
    g_assert_cmpfloat(work_of("109"), ==, 1);
    g_assert_cmpfloat(work_of("91"), ==, 1);
    assert_close(work_of("111"), 1.11);
    assert_close(work_of("89"), 0.89);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/answer/compare/matching", test_matching);
    g_test_add_func("/answer/compare/barrier", test_barrier);
    g_test_add_func("/answer/compare/work", test_work);
    return g_test_run();
}
