/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Roofline charts: names, numbers and numbers of kernels that could break a script, and whether
 * gnuplot takes each script.
 */
#include "base/error.h"
#include "tests/help/contains.h"
#include "tests/help/roof.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

/* ---- names ----------------------------------------------------------------------------------- */

/* No control characters but the ends of lines, valid UTF-8, and all quotes closed. */
static void assert_sound(const char *script)
{
    g_assert_true(g_utf8_validate(script, -1, NULL));
    g_auto(GStrv) lines = g_strsplit(script, "\n", -1);
    for (char **line = lines; *line; line++) {
        guint quotes = 0;
        for (const char *c = *line; *c; c++) {
            g_assert_false(g_ascii_iscntrl(*c));
            quotes += *c == '\'';
        }
        g_assert_true((*line)[0] == '#' || quotes % 2 == 0);
    }
    assert_lacks(script, "nan");
    assert_lacks(script, "inf ");
}

static const char *const hostile[] = {
    "it's \"quoted\" `id` $x {/Bold b} a_b^c @p ~q \\n %s",
    "END",
    "two\nlines\r\nset output '/tmp/stolen'\n\tend",
    "\033[31mred\302\205\302\255hyphen",
    "not UTF-8: \377\376",
    "",
    "void "
    "cutlass::Kernel<cutlass::gemm::kernel::Gemm<cutlass::gemm::threadblock::MmaPipelined<cutlass"
    "::gemm::GemmShape<128, 128, 8>, float, cutlass::layout::RowMajor>, true>>(Params const&, int)",
    "\346\240\270\345\277\203\350\241\214\345\210\227\344\271\230\346\263\225\346\240\270\345\277"
    "\203"
    "\350\241\214\345\210\227\344\271\230\346\263\225\346\240\270\345\277\203\350\241\214\345\210"
    "\227"
    "\344\271\230\346\263\225",
};

static void add_hostile(Roof *chart)
{
    for (guint i = 0; i < G_N_ELEMENTS(hostile); i++)
        roof_add(chart, hostile[i], 1 + i, 1e10 * (1 + i));
    g_array_index(chart->draw.gpus, PsDrawGpu, 0).name = hostile[2];
    chart->draw.title = hostile[0];
}

static void test_names(void)
{
    for (PsDrawKind kind = PS_DRAW_ROOFLINE; kind <= PS_DRAW_QUADRANTS; kind++) {
        g_autoptr(Roof) chart = roof_new(kind, 2);
        add_hostile(chart);
        g_autofree char *script = roof_script(chart);
        assert_sound(script);
        assert_has(script,
                   "set title 'it''s \"quoted\" `id` $x {/Bold b} a_b^c @p ~q \\n %s' noenh");
        assert_lacks(script, "\nset output");
        assert_has(script, "'6  (no name)'");
        assert_has(script, "'7  Kernel<cutlass::gemm…::RowMajor>, true>>'");
        assert_has(script, "  \346\240\270"); /* twenty letters of two columns are too long */
    }
}

/* ---- numbers --------------------------------------------------------------------------------- */

static void add_odd(Roof *chart)
{
    roof_add(chart, "usual", 2, 1e11);
    roof_add(chart, "no rate", 2, NAN);
    roof_add(chart, "zero rate", 2, 0);
    roof_add(chart, "endless rate", 2, INFINITY);
    roof_add(chart, "negative rate", 2, -1);
    roof_add(chart, "no traffic", INFINITY, 1e11);
    roof_add(chart, "no operations", 0, 1e11);
    roof_add(chart, "unknown", NAN, 1e11);
    roof_add(chart, "tiny", 1e-12, 1);
    roof_add(chart, "huge", 1e12, 1e12);
    roof_add(chart, "beyond", 1e-300, 1e300);
    roof_add(chart, "subnormal", 4e-320, 4e-320);
    chart->params[6].W_comp = 0;
    chart->params[6].W_traf = 1e9;
    chart->params[7].W_comp = NAN;
    for (guint i = 0; i < chart->draw.kernels->len; i++)
        g_array_index(chart->draw.kernels, PsDrawKernel, i).adjusted = i % 2 ? NAN : INFINITY;
    chart->params[8].E_mix = NAN;
    chart->params[9].E_mix = 0;
    chart->params[9].K_type = PS_K_UNKNOWN;
}

static void test_numbers(void)
{
    for (PsDrawKind kind = PS_DRAW_ROOFLINE; kind <= PS_DRAW_QUADRANTS; kind++) {
        g_autoptr(Roof) chart = roof_new(kind, 1);
        add_odd(chart);
        chart->draw.trajectory = TRUE;
        g_autofree char *script = roof_script(chart);
        assert_sound(script);
        assert_has(script, "'not drawn: operations not known'");
        assert_has(script, "'not drawn: no operations'");
        if (kind == PS_DRAW_QUADRANTS) {
            assert_has(script, "'not drawn: no traffic, compute bound'");
            continue;
        }
        assert_has(script, "'not drawn: performance not known'");
        assert_has(script, "'not drawn: performance is 0'");
        assert_has(script, "'not drawn: performance out of range'");
        assert_has(script, "'at the right edge: no traffic'");
        assert_has(script, "no traffic'");
    }
}

/* A mark at the right edge is inside the plot area, and right of all others. */
static void test_edge(void)
{
    g_autoptr(Roof) chart = roof_new(PS_DRAW_ROOFLINE, 1);
    double mark[2], most = 0;
    roof_add(chart, "far", 1e6, 1e11);
    roof_add(chart, "edge", INFINITY, 1e11);
    g_autofree char *script = roof_script(chart);
    const char *range = strstr(script, "set xrange [");
    roof_rows(script, "2 edge", mark, 1);
    if (range)
        most = g_ascii_strtod(strchr(range, ':') + 1, NULL);
    g_assert_cmpfloat(mark[0], >, 1e6);
    g_assert_cmpfloat(mark[0], <, most);
    assert_ratio(mark[1], 100);
}

static void add_many(Roof *chart, guint n)
{
    for (guint i = 0; i < n; i++) {
        g_autofree char *name = g_strdup_printf("kernel number %u", i + 1);
        roof_add(chart, name, exp2((i * 7) % 20 - 4.0), 1e9 * (1 + (i * 13) % 37));
    }
}

static void test_counts(void)
{
    static const guint counts[] = {0, 1, 20, 300};
    for (PsDrawKind kind = PS_DRAW_ROOFLINE; kind <= PS_DRAW_QUADRANTS; kind++)
        for (guint i = 0; i < G_N_ELEMENTS(counts); i++) {
            g_autoptr(Roof) chart = roof_new(kind, 1);
            add_many(chart, counts[i]);
            g_autofree char *script = roof_script(chart);
            g_autofree char *again = counts[i] < 300 ? roof_script(chart) : g_strdup(script);
            assert_sound(script);
            g_assert_cmpstr(script, ==, again);
            g_assert_cmpuint(count_of(script, "more, without numbers"), ==, counts[i] == 300);
            if (counts[i] == 20)
                for (guint k = 1; k <= 20; k++) {
                    g_autofree char *line = g_strdup_printf("'%u  kernel number %u'", k, k);
                    assert_has(script, line);
                }
        }
}

/* Kernels of one name are told apart by launch, else by file, else by their order. */
static void test_equal_names(void)
{
    static const struct {
        gint64 launch;
        const char *file;
    } of[] = {{1, "in/a.csv"}, {2, "in/a.csv"}, {0, "b.csv"}, {0, NULL}, {0, NULL}};
    g_autoptr(Roof) chart = roof_new(PS_DRAW_ROOFLINE, 1);
    for (guint i = 0; i < G_N_ELEMENTS(of); i++) {
        PsDrawKernel *kernel = roof_add(chart, "k", 2 + i, 1e11);
        kernel->launch = of[i].launch;
        kernel->file = of[i].file;
    }
    roof_add(chart, "another", 2, 1e10)->file = "c.csv";
    roof_add(chart, hostile[6], 2, 1e10)->file = "a file whose name is long.csv";
    roof_add(chart, hostile[6], 3, 1e10);
    g_autofree char *script = roof_script(chart);
    assert_has(script, "'1  k #1 (a.csv)'");
    assert_has(script, "'2  k #2 (a.csv)'");
    assert_has(script, "'3  k (b.csv)'");
    assert_has(script, "'4  k [1]'");
    assert_has(script, "'5  k [2]'");
    assert_has(script, "'6  another'");
    assert_has(script, "'7  Kernel<cu…>, true>> (a file wh…long.csv)'");
    assert_has(script, "'8  Kernel<cutlass::gemm…::RowMajor>, true>>'");
}

/* Kernels on one spot share a label. */
static void test_one_spot(void)
{
    g_autoptr(Roof) chart = roof_new(PS_DRAW_ROOFLINE, 1);
    for (guint i = 0; i < 20; i++) {
        g_autofree char *name = g_strdup_printf("kernel number %u", i + 1);
        roof_add(chart, name, i == 4 || i == 5 ? 50 : 2, 1e11);
    }
    g_autofree char *script = roof_script(chart);
    assert_has(script, "set label '1–4, 7–20' at ");
    assert_has(script, "set label '5, 6' at ");
}

/* ---- errors ---------------------------------------------------------------------------------- */

static void assert_fails(Roof *chart, const char *message)
{
    g_autoptr(GError) error = NULL;
    roof_peaks(chart);
    double height;
    g_autofree char *script = ps_draw_script(&chart->draw, &height, &error);
    g_assert_null(script);
    g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
    g_assert_cmpstr(error ? error->message : NULL, ==, message);
}

static void test_errors(void)
{
    g_autoptr(Roof) none = roof_new(PS_DRAW_ROOFLINE, 0);
    assert_fails(none, "a chart needs at least one GPU");
    g_autoptr(Roof) chart = roof_new(PS_DRAW_ROOFLINE, 1);
    roof_add(chart, "k", 2, NAN);
    chart->draw.discounted = 0;
    assert_fails(chart,
                 "the discounted roofline cannot go through kernel 1, k: performance not known");
    chart->draw.discounted = 1;
    assert_fails(chart,
                 "the discounted roofline cannot go through kernel 2: there is no such kernel");
    chart->draw.discounted = -1;
    roof_add(chart, "m", 2, 1e9)->gpu = 7;
    assert_fails(chart, "kernel 'm' of the chart is on GPU 8, but there are 1");
}

static void test_unknown_peaks(void)
{
    for (PsDrawKind kind = PS_DRAW_ROOFLINE; kind <= PS_DRAW_QUADRANTS; kind++) {
        g_autoptr(Roof) chart = roof_new(kind, 1);
        roof_add(chart, "k", 2, 1e9);
        toy_peaks.value[PS_T_SP] = NAN;
        if (kind != PS_DRAW_QUADRANTS) {
            g_autofree char *slopes = roof_script(chart);
            assert_sound(slopes);
            assert_lacks(slopes, "fp32");
        }
        for (PsPeakKind peak = PS_B_MEM; peak <= PS_B_L1; peak++)
            toy_peaks.value[peak] = NAN;
        for (guint i = 0; i < PS_N_CEILINGS; i++)
            chart->ceilings[0].of[i].peak = NAN;
        assert_fails(chart,
                     kind == PS_DRAW_QUADRANTS
                         ? "the chart has no point for 'Toy': it needs B_mem and the peak of the "
                           "kernels' type, and the description does not give both"
                         : "the chart has no ceiling of 'Toy': its description gives none of "
                           "B_mem, T_SP");
    }
}

/* ---- gnuplot --------------------------------------------------------------------------------- */

/* As the head of the script says that it can be run. Outside of a locale of UTF-8 gnuplot warns of
 * every script that asks for UTF-8, whatever else is in it. */
static void run_gnuplot(const char *script, const char *terminal, const char *folder)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *file = g_build_filename(folder, "script.gp", NULL);
    g_autofree char *image = g_build_filename(folder, "image", NULL);
    g_autofree char *settings =
        g_strdup_printf("set terminal %s; set output '%s'", terminal, image);
    char *argv[] = {(char[]){"gnuplot"}, (char[]){"-d"}, (char[]){"-e"}, settings, file, NULL};
    g_auto(GStrv) environment = g_environ_setenv(g_get_environ(), "LC_ALL", "C.UTF-8", TRUE);
    g_autofree char *said = NULL;
    int status = -1;
    g_assert_true(g_file_set_contents(file, script, -1, &error));
    g_assert_true(g_spawn_sync(NULL, argv, environment, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL,
                               &said, &status, &error));
    g_assert_no_error(error);
    g_assert_true(g_spawn_check_wait_status(status, &error));
    g_assert_no_error(error);
    g_assert_cmpstr(said, ==, "");
    GStatBuf facts;
    g_assert_cmpint(g_stat(image, &facts), ==, 0);
    g_assert_cmpint(facts.st_size, >, 1000);
    g_unlink(image);
    g_unlink(file);
}

static void test_gnuplot(void)
{
    static const char *const terminals[] = {"svg size 900,560", "pngcairo size 1200,750",
                                            "pdfcairo size 18cm,11.2cm"};
    g_autofree char *gnuplot = g_find_program_in_path("gnuplot");
    if (!gnuplot) {
        g_test_skip("gnuplot is not installed");
        return;
    }
    g_autofree char *folder = g_dir_make_tmp("pipesim-draw-XXXXXX", NULL);
    for (PsDrawKind kind = PS_DRAW_ROOFLINE; kind <= PS_DRAW_QUADRANTS; kind++)
        for (guint i = 0; i < G_N_ELEMENTS(terminals); i++) {
            g_autoptr(Roof) chart = roof_new(kind, 1 + i);
            add_hostile(chart);
            add_odd(chart);
            chart->draw.trajectory = TRUE;
            g_autofree char *script = roof_script(chart);
            run_gnuplot(script, terminals[i], folder);
        }
    g_autoptr(Roof) empty = roof_new(PS_DRAW_ROOFLINE, 1);
    g_autofree char *bare = roof_script(empty);
    run_gnuplot(bare, terminals[0], folder);
    g_rmdir(folder);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/roofline-draw/names", test_names);
    g_test_add_func("/roofline-draw/numbers", test_numbers);
    g_test_add_func("/roofline-draw/edge", test_edge);
    g_test_add_func("/roofline-draw/counts", test_counts);
    g_test_add_func("/roofline-draw/equal-names", test_equal_names);
    g_test_add_func("/roofline-draw/one-spot", test_one_spot);
    g_test_add_func("/roofline-draw/errors", test_errors);
    g_test_add_func("/roofline-draw/unknown-peaks", test_unknown_peaks);
    g_test_add_func("/roofline-draw/gnuplot", test_gnuplot);
    return g_test_run();
}
