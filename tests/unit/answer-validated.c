/* SPDX-License-Identifier: BSD-3-Clause */
/* Measured times beside both models': the points, the clock that they share, and what is remarked.
 */
#include "answer/validated.h"
#include "tests/help/ask.h"

#include <math.h>
#include <string.h>

#define LAUNCH "groups='4' group-size='32'"
#define CODE "<code><loop times='9'><node name='x' class='global.load' after='x'/></loop></code>"

/* A question's graph, measured several times. */
typedef struct {
    Asked asked;
    PsBenchKernel kernel;
    PsValidation validation;
} Measured;

static Measured *measured_new(void)
{
    Measured *measured = g_new0(Measured, 1);
    measured->asked = asked_new("", LAUNCH, CODE);
    measured->kernel.graph = measured->asked.idg;
    measured->validation.points = g_array_new(FALSE, FALSE, sizeof(PsValidationPoint));
    measured->validation.warnings = g_ptr_array_new();
    return measured;
}

static void measured_free(Measured *measured)
{
    g_array_unref(measured->validation.points);
    g_ptr_array_unref(measured->validation.warnings);
    asked_clear(&measured->asked);
    g_free(measured);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Measured, measured_free)

static PsValidationPoint *add(Measured *measured, const char *kernel, double seconds, double mhz)
{
    const PsValidationPoint point = {.kernel = (char *)kernel,
                                     .of = &measured->kernel,
                                     .launch = {.groups = 4, .group_size = 32},
                                     .seconds = seconds,
                                     .cycles = NAN,
                                     .mhz = mhz};
    GArray *points = measured->validation.points;
    g_array_append_val(points, point);
    return &g_array_index(points, PsValidationPoint, points->len - 1);
}

static PsValidated *validate(const Measured *measured, GError **error)
{
    return ps_validated_new(&measured->validation, measured->asked.gpu, 2, NULL, error);
}

/* More points than threads: each is there once, with the errors of both models. */
static void test_points(void)
{
    g_autoptr(Measured) measured = measured_new();
    const guint n = 20;
    for (guint i = 0; i < n; i++)
        add(measured, "a", 1e-6 * (i + 1), 1000);
    add(measured, "b", NAN, 1000)->cycles = 3000;
    g_autoptr(PsValidated) validated = validate(measured, NULL);
    const double simulated = ask(&measured->asked)->simulated;
    g_assert_cmpuint(validated->points->len, ==, n + 1);
    double seconds = 0;
    for (guint i = 0; i < validated->points->len; i++) {
        const PsValidatedPoint *point = &g_array_index(validated->points, PsValidatedPoint, i);
        const gboolean counted = strcmp(point->point->kernel, "b") == 0;
        assert_close(point->measured, counted ? 3e-6 : point->point->seconds);
        if (counted)
            continue;
        seconds += point->measured;
        assert_close(point->simulated, simulated);
        assert_close(point->simulated_error, simulated / point->measured - 1);
        assert_close(point->roofline_error, point->roofline / point->measured - 1);
        g_assert_cmpint(point->active, ==, 2);
        g_assert_cmpint(point->warps, ==, 2);
    }
    assert_close(seconds, 1e-6 * n * (n + 1) / 2);
}

static double clock_of(const double *mhz, guint n)
{
    g_autoptr(Measured) measured = measured_new();
    for (guint i = 0; i < n; i++)
        add(measured, "a", 1e-6, mhz[i]);
    g_autoptr(PsValidated) validated = validate(measured, NULL);
    for (guint i = 0; i < n; i++) {
        const PsValidatedPoint *point = &g_array_index(validated->points, PsValidatedPoint, i);
        assert_close(point->mhz, !isnan(point->point->mhz) ? round(point->point->mhz)
                                 : isnan(validated->mhz)   ? 1000
                                                           : validated->mhz);
    }
    return validated->mhz;
}

/* Points whose clock is not known have the median of the others', or else the description's. */
static void test_clocks(void)
{
    const double some[] = {1200, NAN, 800.2, 900}, none[] = {NAN};
    assert_close(clock_of(some, G_N_ELEMENTS(some)), 900);
    g_assert_true(isnan(clock_of(none, G_N_ELEMENTS(none))));
}

static gboolean remarks(const PsValidated *validated, const char *text)
{
    guint n = 0;
    for (guint i = 0; i < validated->warnings->len; i++)
        n += strstr(validated->warnings->pdata[i], text) != NULL;
    g_assert_cmpuint(n, <=, 1);
    return n == 1;
}

/* What is true of several kernels is said once; what cannot be simulated is left out. */
static void test_remarks(void)
{
    g_autoptr(Measured) measured = measured_new();
    add(measured, "a", 1e-6, 1000);
    add(measured, "a", 2e-6, 1000);
    add(measured, "c", 1e-6, 1000)->launch.group_size = 4096;
    add(measured, "b", 1e-6, 1000);
    g_autoptr(PsValidated) validated =
        ps_validated_new(&measured->validation, measured->asked.gpu, 1, NULL, NULL);
    g_assert_cmpuint(validated->points->len, ==, 3);
    g_assert_true(remarks(validated, "a, b: global.load has the latencies of global"));
    g_assert_true(remarks(validated, "c: left out: "));
    g_assert_false(remarks(validated, "assumed")); /* How sure weighs that */
}

/* Nothing that can be simulated is an error: that of the first. */
static void test_nothing(void)
{
    g_autoptr(Measured) measured = measured_new();
    g_autoptr(GError) error = NULL;
    add(measured, "a", 1e-6, 1000)->launch.group_size = 4096;
    g_assert_null(validate(measured, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/answer/validated/points", test_points);
    g_test_add_func("/answer/validated/clocks", test_clocks);
    g_test_add_func("/answer/validated/remarks", test_remarks);
    g_test_add_func("/answer/validated/nothing", test_nothing);
    return g_test_run();
}
