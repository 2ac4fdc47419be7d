/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Facts: a tree as it was told, with all kinds of groups, what is not known, and what it is in
 * JSON; and those of an answer.
 */
#include "tell/answer.h"
#include "tell/facts-csv.h"
#include "tell/json.h"
#include "tell/view-cells.h"

#include "tests/help/ask.h"

#include <math.h>
#include <string.h>

static char *json_of(const PsTold *told)
{
    PsJson json = {.out = g_string_new(NULL)};
    ps_json_open(&json, NULL, '{', PS_JSON_LINE);
    ps_json_told(&json, told);
    ps_json_close(&json, '}');
    return g_string_free(json.out, FALSE);
}

static void assert_json(const PsTold *told, const char *expected)
{
    g_autofree char *text = json_of(told);
    g_assert_cmpstr(text, ==, expected);
}

static void test_values(void)
{
    g_autoptr(PsTold) told = ps_told_new();
    ps_tell(told, PS_FACT_KERNEL, "a \"b\"");
    ps_tell(told, PS_FACT_CLOCK, NULL);
    ps_tell(told, PS_FACT_SIMULATED_CUT, TRUE);
    ps_tell(told, PS_FACT_LAUNCH_GROUPS, G_MAXINT64);
    ps_tell(told, PS_FACT_CLOCK_MHZ, ((PsRational){3, 2}));
    ps_tell(told, PS_FACT_LAUNCH_OCCUPANCY, 1);
    ps_tell(told, PS_FACT_PREDICTION_T_OP, 1);
    ps_tell(told, PS_FACT_ROOFLINE_INTENSITY, 1 / 3.0);
    ps_tell(told, PS_FACT_PREDICTION_W_OP, NAN);
    assert_json(told, "{\"kernel\": \"a \\\"b\\\"\", \"clock\": null, \"cut\": true, "
                      "\"groups\": 9223372036854775807, \"clock_mhz\": 1.5, \"occupancy\": 1.0, "
                      "\"T_op\": 1, \"intensity\": 0.3333333333333333, \"W_op\": null}");
}

static void test_groups(void)
{
    g_autoptr(PsTold) told = ps_told_new();
    ps_tell_open(told, PS_FACT_LAUNCH);
    ps_tell_open(told, PS_FACT_LAUNCH_LIMITED_BY);
    ps_tell_item_text(told, "warps");
    ps_tell_item_text(told, "groups");
    ps_tell_close(told);
    ps_tell_open(told, PS_FACT_LAUNCH_KINDS);
    for (guint i = 1; i <= 2; i++) {
        ps_tell_item(told);
        ps_tell(told, PS_FACT_LAUNCH_KINDS_INSTRUCTIONS, i);
        ps_tell_close(told);
    }
    ps_tell_close(told);
    ps_tell_close(told);
    ps_tell_open(told, PS_FACT_OPERATIONS);
    ps_tell_entry_whole(told, "fp32", 1e20);
    ps_tell_entry_figure(told, "none", INFINITY);
    ps_tell_close(told);
    ps_tell_unknown(told, PS_FACT_MEASURED.n);
    assert_json(told, "{\"launch\": {\"limited_by\": [\"warps\", \"groups\"], \"kinds\": "
                      "[{\"instructions\": 1}, {\"instructions\": 2}]}, \"operations\": {\"fp32\": "
                      "100000000000000000000, \"none\": null}, \"measured\": null}");
}

/* Objects of a list stand on lines of their own, its rows on one each, and numbers on one. */
static void test_lists(void)
{
    g_autoptr(PsTold) told = ps_told_new();
    ps_tell_open(told, PS_FACT_ROOFLINE_REPORT_GPUS);
    ps_tell_item(told);
    ps_tell(told, PS_FACT_ROOFLINE_REPORT_GPUS_NAME, "a");
    ps_tell_close(told);
    ps_tell_close(told);
    ps_tell_open(told, PS_FACT_WAITS);
    ps_tell_item(told);
    ps_tell(told, PS_FACT_WAITS_KIND, "b");
    ps_tell(told, PS_FACT_WAITS_CLASS, NULL);
    ps_tell_close(told);
    ps_tell_close(told);
    ps_tell_open(told, PS_FACT_EXTENT_GRID);
    ps_tell_item_count(told, 3);
    ps_tell_item_number(told, 3);
    ps_tell_item_number(told, NAN);
    ps_tell_close(told);
    ps_tell_open(told, PS_FACT_RUN_VARIED);
    ps_tell_entry_text(told, "kernel", "c");
    ps_tell_entry_exact(told, "n", ((PsRational){3, 2}));
    ps_tell_close(told);
    PsJson json = {.out = g_string_new(NULL)};
    ps_json_told_object(&json, told);
    g_autofree char *text = g_string_free(json.out, FALSE);
    g_assert_cmpstr(text, ==,
                    "{\n  \"gpus\": [\n    {\n      \"name\": \"a\"\n    }\n  ],\n"
                    "  \"waits\": [\n    {\"kind\": \"b\", \"class\": null}\n  ],\n"
                    "  \"grid\": [3, 3.0, null],\n"
                    "  \"varied\": {\"kernel\": \"c\", \"n\": 1.5}\n}");
}

/* A list whose items come one at a time is as one that is told whole. */
static void test_one_at_a_time(void)
{
    PsJson json = {.out = g_string_new(NULL)};
    ps_json_open(&json, NULL, '{', PS_JSON_LINES);
    ps_json_open_fact(&json, PS_FACT_ROOFLINE_REPORT_KERNELS);
    for (guint i = 0; i < 2; i++) {
        g_autoptr(PsTold) told = ps_told_new();
        ps_tell(told, PS_FACT_ROOFLINE_REPORT_KERNELS_NAME, i ? "b" : "a");
        ps_json_told_object(&json, told);
    }
    ps_json_close(&json, ']');
    ps_json_close(&json, '}');
    g_autofree char *text = g_string_free(json.out, FALSE);
    g_assert_cmpstr(text, ==,
                    "{\n  \"kernels\": [\n    {\n      \"name\": \"a\"\n    },\n    {\n"
                    "      \"name\": \"b\"\n    }\n  ]\n}");
}

static void tell_gpus(PsTold *told)
{
    ps_tell_open(told, PS_FACT_LIST_GPUS);
    ps_tell_item(told);
    ps_tell(told, PS_FACT_LIST_GPUS_NAME, "a,b");
    ps_tell_positive(told, PS_FACT_LIST_GPUS_COMPUTE_UNITS, 2);
    ps_tell_stated(told, PS_FACT_LIST_GPUS_CLOCK_MHZ, ((PsRational){3, 2}));
    ps_tell(told, PS_FACT_LIST_GPUS_BANDWIDTH, 4);
    ps_tell_open(told, PS_FACT_LIST_GPUS_SOURCES);
    ps_tell(told, PS_FACT_LIST_GPUS_SOURCES_NONE, 5);
    ps_tell_close(told);
    ps_tell_close(told);
    ps_tell_item(told);
    ps_tell(told, PS_FACT_LIST_GPUS_NAME, NULL);
    ps_tell_positive(told, PS_FACT_LIST_GPUS_COMPUTE_UNITS, 0);
    ps_tell_stated(told, PS_FACT_LIST_GPUS_CLOCK_MHZ, PS_RATIONAL_INT(0));
    ps_tell(told, PS_FACT_LIST_GPUS_BANDWIDTH, NAN);
    ps_tell_close(told);
    ps_tell_close(told);
}

static void assert_csv(PsViewId view, const PsTold *told, const char *want)
{
    GString *out = g_string_new(NULL);
    ps_csv_told(out, view, told);
    g_autofree char *text = g_string_free(out, FALSE);
    g_assert_cmpstr(text, ==, want);
}

/* A row for each item: values at any depth; what is not known is an empty cell. */
static void test_csv(void)
{
    g_autoptr(PsTold) told = ps_told_new();
    tell_gpus(told);
    assert_csv(PS_VIEW_LIST_GPUS, told,
               "name,gpu,vendor,architecture,compute_units,clock_mhz,bandwidth,gflops,"
               "source_measured,source_published,source_vendor,source_derived,source_assumed,"
               "source_none,file\n"
               "\"a,b\",,,,2,1.5,4.0,,,,,,,5,\n,,,,,,,,,,,,,,\n");
    assert_csv(PS_VIEW_LIST_GRAPHS, told, "name,kernel,title,file\n");
}

/* For people: dashes for what is not known, nothing for what is not told, and no column of dashes.
 */
static void test_cells(void)
{
    g_autoptr(PsTold) told = ps_told_new();
    tell_gpus(told);
    g_auto(PsViewTable) table = ps_view_table(PS_VIEW_GPUS_PAGE, told, NULL, FALSE);
    g_ptr_array_add(table.cells, NULL);
    g_autofree char *text = g_strjoinv("|", (char **)table.cells->pdata);
    g_assert_cmpstr(table.align, ==, "llrrrrr");
    g_assert_cmpstr(text, ==,
                    "|chip|CUs|MHz|GB/s|TFLOP/s|no source|a,b||2|2|4.000||100 %|-||-|-|-||");
}

static void assert_table(PsViewId view, const PsTold *told, const PsTold *what_if, guint left_out,
                         const char *want)
{
    g_auto(PsViewTable) table = ps_view_table(view, told, what_if, FALSE);
    const guint n = (guint)strlen(table.align);
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < table.cells->len; i++)
        g_string_append_printf(text, "%s%c", (char *)table.cells->pdata[i],
                               i % n + 1 == n ? '/' : '|');
    g_autofree char *got = g_string_free(text, FALSE);
    g_assert_cmpstr(got, ==, want);
    g_assert_cmpuint(table.left_out, ==, left_out);
}

/* Waits of n rows, each of a 16th. */
static PsTold *waits_new(guint n)
{
    PsTold *told = ps_told_new();
    ps_tell_open(told, PS_FACT_WAITS);
    for (guint i = 0; i < n; i++) {
        ps_tell_item(told);
        ps_tell(told, PS_FACT_SPOKEN_WORDS, "w");
        ps_tell(told, PS_FACT_WAITS_SHARE, 0.0625);
        ps_tell_close(told);
    }
    ps_tell_close(told);
    return told;
}

/* What is left out has a sum, and is never one row alone. */
static void test_others(void)
{
#define ROW "w|6.2 %/"
#define TEN ROW ROW ROW ROW ROW ROW ROW ROW ROW ROW
    g_autoptr(PsTold) eleven = waits_new(11), twelve = waits_new(12);
    assert_table(PS_VIEW_WAITS_PAGE, eleven, NULL, 0, "|share/" TEN ROW);
    assert_table(PS_VIEW_WAITS_PAGE, twelve, NULL, 0, "|share/" TEN "2 others|12.5 %/");
}

/* The busiest of many lines come first; the order of few stays. */
static void test_most(void)
{
    for (guint n = 10; n <= 11; n++) {
        g_autoptr(PsTold) told = ps_told_new();
        ps_tell_open(told, PS_FACT_LINES);
        for (guint i = 0; i < n; i++) {
            ps_tell_item(told);
            ps_tell(told, PS_FACT_LINES_LINE, i == 10 ? "last" : "other");
            ps_tell(told, PS_FACT_LINES_BUSY, i == 10 ? 0.5 : 0.25);
            ps_tell_close(told);
        }
        ps_tell_close(told);
        g_auto(PsViewTable) table = ps_view_table(PS_VIEW_LINES_PAGE, told, NULL, FALSE);
        g_assert_cmpuint(table.n_rows, ==, 10);
        g_assert_cmpuint(table.left_out, ==, n - 10);
        g_assert_cmpstr(table.cells->pdata[4], ==, n == 11 ? "last" : "other");
    }
}

/* What levels serve by node has no pipeline of each scheduler. */
static void tell_class(PsTold *told, const char *name, const char *served, gboolean per_node,
                       gint64 issue, double wait)
{
    ps_tell_item(told);
    ps_tell(told, PS_FACT_CLASSES_NAME, name);
    ps_tell(told, PS_FACT_CLASSES_WORDS, name);
    ps_tell(told, PS_FACT_CLASSES_SERVED_WORDS, served);
    ps_tell(told, PS_FACT_CLASSES_PIPELINE_WORDS, "alu");
    ps_tell(told, PS_FACT_CLASSES_PER_SCHEDULER, !per_node);
    ps_tell(told, PS_FACT_CLASSES_ISSUE, PS_RATIONAL_INT(issue));
    ps_tell(told, PS_FACT_CLASSES_COMPLETION, PS_RATIONAL_INT(9));
    ps_tell(told, PS_FACT_CLASSES_INSTRUCTIONS, (gint64)32);
    ps_tell(told, PS_FACT_CLASSES_BUSY, 0.5);
    ps_tell(told, PS_FACT_CLASSES_MEAN_WAIT, wait);
    ps_tell(told, PS_FACT_CLASSES_PER_NODE, per_node);
    ps_tell_close(told);
}

/* Rows of the what-if are found by their key; a value that differs stands behind an arrow, and
 * columns come and go. */
static void test_what_if(void)
{
    g_autoptr(PsTold) told = ps_told_new(), what_if = ps_told_new();
    ps_tell_open(told, PS_FACT_CLASSES);
    tell_class(told, "a", "b", FALSE, 2, 3);
    tell_class(told, "c", "c", TRUE, 4, 5);
    ps_tell_close(told);
    ps_tell_open(what_if, PS_FACT_CLASSES);
    tell_class(what_if, "x", "x", FALSE, 1, 1);
    tell_class(what_if, "a", "b", FALSE, 7, 8);
    ps_tell_close(what_if);
    assert_table(PS_VIEW_CLASSES_PAGE, told, NULL, 0,
                 "|pipeline|lambda|Lambda|instructions|busy|wait/"
                 "a -> b|alu (each)|2|9|32|50.0 %|3.000/c|alu|by|levels|32|50.0 %|5.000/");
    assert_table(PS_VIEW_CLASSES_PAGE, told, what_if, 0,
                 "|pipeline|lambda|Lambda|wait|what if/"
                 "a -> b|alu (each)|2 -> 7|9|3.000|8.000/c|alu|by|levels|5.000|-/");
}

/* A change of a time, in per cent of the answer that stands before the rows. */
static void test_change(void)
{
    g_autoptr(PsTold) told = ps_told_new();
    const struct {
        PsGroupFact group;
        double seconds;
    } tried[] = {{PS_FACT_SENSITIVITY_HALF, 0.25},
                 {PS_FACT_SENSITIVITY_TENTH_MORE, 0.5},
                 {PS_FACT_SENSITIVITY_DOUBLE, NAN}};
    ps_tell_open(told, PS_FACT_RESULT);
    ps_tell(told, PS_FACT_RESULT_SECONDS, 0.5);
    ps_tell_close(told);
    ps_tell_open(told, PS_FACT_SENSITIVITY);
    ps_tell_item(told);
    ps_tell(told, PS_FACT_SENSITIVITY_WORDS, "clock");
    ps_tell(told, PS_FACT_SENSITIVITY_VALUE_WORDS, "1480");
    for (guint i = 0; i < G_N_ELEMENTS(tried); i++) {
        ps_tell_open(told, tried[i].group);
        ps_tell(told, PS_FACT_TRIED_SECONDS, tried[i].seconds);
        ps_tell_close(told);
    }
    ps_tell(told, PS_FACT_SENSITIVITY_ELASTICITY, -0.001);
    ps_tell_close(told);
    ps_tell_close(told);
    assert_table(PS_VIEW_SENSITIVITY_PAGE, told, NULL, 0,
                 "|now|half|+10 %|double|elasticity/clock|1480|-50.0 %|0|-|0.00/");
}

static void tell_charge(PsTold *told, double a, double b)
{
    ps_tell(told, PS_FACT_SPOKEN_WORDS, "c");
    ps_tell(told, PS_FACT_CHARGED_SECONDS_A_SECONDS, a);
    ps_tell(told, PS_FACT_CHARGED_SECONDS_B_SECONDS, b);
    ps_tell(told, PS_FACT_CHARGED_SECONDS_DIFFERENCE_SECONDS, b - (isnan(a) ? 0 : a));
    ps_tell(told, PS_FACT_CHARGED_SECONDS_OF_A, 0.25);
}

/* All times have the unit of the largest; a sum is of what is known, and rows of zeros are left
 * out.
 */
static void test_common(void)
{
    g_autoptr(PsTold) told = ps_told_new();
    ps_tell_open(told, PS_FACT_COMPARISON_DIFFERENCE_BY_CLASS);
    for (guint i = 0; i < 12; i++) {
        ps_tell_item(told);
        tell_charge(told, i < 10 ? 2e-6 : i == 10 ? NAN : 1e-9, 2e-6);
        ps_tell_close(told);
    }
    ps_tell_close(told);
    ps_tell_open(told, PS_FACT_COMPARISON_DIFFERENCE_LAUNCH);
    ps_tell(told, PS_FACT_CHARGED_SECONDS_A_SECONDS, 0);
    ps_tell_close(told);
    ps_tell_open(told, PS_FACT_COMPARISON_DIFFERENCE_WHOLE);
    tell_charge(told, 24e-6, 12e-6);
    ps_tell_close(told);
#define SAME "c|2.000|2.000|0.000|+25.0 %/"
    assert_table(
        PS_VIEW_COMPARE_CLASSES_PAGE, told, NULL, 0,
        "by class|A (us)|B (us)|B - A|of A/" SAME SAME SAME SAME SAME SAME SAME SAME SAME SAME
        "2 others|0.001|4.000|+3.999|+50.0 %/c|24.000|12.000|-12.000|+25.0 %/");
}

static void tell_kernel(PsTold *told, const char *name, guint n_gpus, double error)
{
    ps_tell_item(told);
    ps_tell(told, PS_FACT_ROOFLINE_REPORT_KERNELS_NAME, name);
    ps_tell_open(told, PS_FACT_ROOFLINE_REPORT_KERNELS_PREDICTIONS);
    for (guint i = 0; i < n_gpus; i++) {
        ps_tell_item(told);
        ps_tell(told, PS_FACT_PREDICTION_SECONDS, 2e-6);
        ps_tell(told, PS_FACT_ROOFLINE_REPORT_KERNELS_PREDICTIONS_PREDICTED_FOR, NULL);
        ps_tell(told, PS_FACT_ROOFLINE_REPORT_KERNELS_PREDICTIONS_ERROR, error);
        ps_tell_close(told);
    }
    ps_tell_close(told);
    ps_tell_close(told);
}

/* Rows of a list within a list: its name stands once, and their numbers where there are several. */
static void test_places(void)
{
    for (guint n = 1; n <= 2; n++) {
        g_autoptr(PsTold) told = ps_told_new();
        ps_tell_open(told, PS_FACT_ROOFLINE_REPORT_KERNELS);
        tell_kernel(told, "a", n, 0.25);
        tell_kernel(told, "b", 1, -12);
        ps_tell_close(told);
        assert_table(PS_VIEW_ROOFLINE_PAGE, told, NULL, 0,
                     n == 1 ? "kernel|type|predicted|for|at least|by|error/"
                              "a||2.000 us|-|||+25.0%/b||2.000 us|-|||>999%/"
                            : "kernel|GPU|type|predicted|for|at least|by|error/"
                              "a|1||2.000 us|-|||+25.0%/|2||2.000 us|-|||+25.0%/"
                              "b|1||2.000 us|-|||>999%/");
    }
}

static void tell_wait(PsTold *told, double share)
{
    ps_tell_open(told, PS_FACT_WAITS);
    ps_tell_item(told);
    ps_tell(told, PS_FACT_CALLED_NAME, "data");
    ps_tell(told, PS_FACT_WAITS_SHARE, share);
    ps_tell_close(told);
    ps_tell_close(told);
}

/* Rows of several lists, in the order of the facts, each with its word; whether they stand in a
 * group; and what is told before them. */
static void test_csv_rows(void)
{
    g_autoptr(PsTold) told = ps_told_new();
    ps_tell(told, PS_FACT_KERNEL, "k");
    ps_tell_open(told, PS_FACT_CRITICAL_PATH);
    ps_tell_open(told, PS_FACT_CRITICAL_PATH_BY_CLASS);
    ps_tell_close(told);
    ps_tell_open(told, PS_FACT_CRITICAL_PATH_BY_LINE);
    ps_tell_item(told);
    ps_tell(told, PS_FACT_CALLED_NAME, "a.cu:1");
    ps_tell(told, PS_FACT_AMOUNT_CYCLES, PS_RATIONAL_INT(7));
    ps_tell_close(told);
    ps_tell_close(told);
    ps_tell_close(told);
    tell_wait(told, 0.5);
    ps_tell_open(told, PS_FACT_RUN_WHAT_IF);
    ps_tell(told, PS_FACT_KERNEL, "other");
    tell_wait(told, NAN);
    ps_tell_close(told);
    assert_csv(PS_VIEW_EXPLAIN, told,
               "kernel,gpu,what_if,table,name,cycles,share,times\n"
               "k,,false,line,a.cu:1,7,,\n"
               "k,,false,wait,data,,0.5,\n"
               "other,,true,wait,data,,,\n");
}

/* What stands behind a group stands in it no more. */
static void test_csv_inside(void)
{
    g_autoptr(PsTold) told = ps_told_new();
    ps_tell_open(told, PS_FACT_RUN_WHAT_IF);
    tell_wait(told, 0.5);
    ps_tell_close(told);
    tell_wait(told, 0.25);
    assert_csv(PS_VIEW_EXPLAIN, told,
               "kernel,gpu,what_if,table,name,cycles,share,times\n"
               ",,true,wait,data,,0.5,\n"
               ",,false,wait,data,,0.25,\n");
}

/* A column for each entry, columns of a group that was told alone, and what is asked for there. */
static void test_csv_columns(void)
{
    g_autoptr(PsTold) told = ps_told_new();
    ps_tell_open(told, PS_FACT_RUN_VARIED);
    ps_tell_entry_exact(told, "n", PS_RATIONAL_INT(64));
    ps_tell_entry_number(told, "m", NAN);
    ps_tell_entry_whole(told, "bytes", 123456789);
    ps_tell_close(told);
    ps_tell_open(told, PS_FACT_LAUNCH);
    ps_tell(told, PS_FACT_LAUNCH_ACTIVE_GROUPS, 2);
    ps_tell_close(told);
    ps_tell_open(told, PS_FACT_RUN_WHAT_IF);
    ps_tell_open(told, PS_FACT_BUSIEST);
    ps_tell(told, PS_FACT_BUSIEST_NAME, "alu");
    ps_tell_close(told);
    ps_tell_close(told);
    assert_csv(
        PS_VIEW_RUN, told,
        "kernel,gpu,n,m,bytes,active_groups,active_warps,occupancy,cycles,seconds,gflops,busiest,"
        "busy,roofline_seconds,ceiling_seconds,roofline_ratio,result_seconds,clamped,"
        "half_width_seconds,what_if_cycles,what_if_seconds,what_if_gflops,what_if_busiest,"
        "what_if_busy,what_if_roofline_ratio,what_if_result_seconds,what_if_clamped,"
        "what_if_half_width_seconds,ratio\n"
        ",,64,,123456789,2,,,,,,,,,,,,,,,,,alu,,,,,,\n");
}

/* What is known to be infinite is a number of such a column; JSON and other columns have none. */
static void test_csv_infinite(void)
{
    g_autoptr(PsTold) told = ps_told_new();
    ps_tell(told, PS_FACT_ROOFLINE_REPORT_KERNELS_NAME, "k");
    ps_tell_open(told, PS_FACT_ROOFLINE);
    ps_tell_open(told, PS_FACT_ROOFLINE_PARAMETERS);
    ps_tell(told, PS_FACT_ROOFLINE_PARAMETERS_W_COMP, 2);
    ps_tell(told, PS_FACT_ROOFLINE_PARAMETERS_W_TRAF, NAN);
    ps_tell(told, PS_FACT_ROOFLINE_PARAMETERS_O_KRN, INFINITY);
    ps_tell_close(told);
    ps_tell_close(told);
    ps_tell_open(told, PS_FACT_ROOFLINE_REPORT_KERNELS_PREDICTIONS);
    ps_tell_item(told);
    ps_tell(told, PS_FACT_PREDICTION_SECONDS, INFINITY);
    ps_tell_close(told);
    ps_tell_close(told);
    assert_csv(PS_VIEW_ROOFLINE, told,
               "kernel,launches,launch,device,gpu,clock_mhz,K_type,W_comp,W_traf,E_mix,D_ops,"
               "D_ldst,D_other,O_krn,T_op,W_op,W_ldst,W_other,C_op,C_ldst,C_other,E_instr,"
               "T_adjusted,O_dev,T_predicted,seconds,bound,ceiling_seconds,efficiency,headroom,"
               "measured_seconds,error,least_seconds,least_by\n"
               "k,,,,,,,2.0,,,,,,inf,,,,,,,,,,,,,,,,,,,,\n");
}

static void assert_fits(const PsTold *told, guint i, const char *column, const char *good,
                        const char *bad)
{
    const char *name;
    g_assert_true(ps_csv_fits(PS_VIEW_RUN, told, i, good, &name));
    g_assert_cmpstr(name, ==, column);
    g_assert_false(ps_csv_fits(PS_VIEW_RUN, told, i, bad, &name));
}

/* A cell is checked by the type of its fact, and by the value that is known. */
static void test_csv_fits(void)
{
    g_autoptr(PsTold) told = ps_told_new();
    ps_tell_open(told, PS_FACT_MEASURED);
    ps_tell(told, PS_FACT_MEASURED_SECONDS, 0.5);
    ps_tell_close(told);
    assert_fits(told, 2, "active_groups", "2", "02");
    assert_fits(told, 2, "active_groups", "1", "0");
    assert_fits(told, 4, "occupancy", "0.5", ".5");
    assert_fits(told, 4, "occupancy", "1.0", "");
    assert_fits(told, 5, "cycles", "7.25", "7.250");
    assert_fits(told, 6, "seconds", "1e-06", "-1e-06");
    assert_fits(told, 7, "gflops", "", "x");
    assert_fits(told, 8, "busiest", "\"a,b\"", "\"ab\"");
    assert_fits(told, 14, "clamped", "false", "no");
    assert_fits(told, 16, "measured_seconds", "0.5", "0.25");
    assert_fits(told, 17, "error_simulated", "-0.25", "-0.250");
}

/* What is not known, or was not told, is not found; the first of several is. */
static void test_find(void)
{
    g_autoptr(PsTold) told = ps_told_new();
    ps_tell(told, PS_FACT_CODE, NULL);
    ps_tell(told, PS_FACT_CLOCK, "");
    ps_tell_taken(told, PS_FACT_WORDS_TIME, g_strdup(""));
    ps_tell_taken(told, PS_FACT_WORDS_MODEL, g_strdup("first"));
    ps_tell_taken(told, PS_FACT_WORDS_MODEL, g_strdup("second"));
    g_assert_null(ps_told_find(told, PS_FACT_CODE.n));
    g_assert_null(ps_told_text(told, PS_FACT_CODE));
    g_assert_null(ps_told_text(told, PS_FACT_CLOCK));
    g_assert_null(ps_told_text(told, PS_FACT_WORDS_TIME));
    g_assert_null(ps_told_text(told, PS_FACT_WORDS_LAUNCH));
    g_assert_cmpstr(ps_told_text(told, PS_FACT_WORDS_MODEL), ==, "first");
    g_assert_cmpstr(ps_fact_heading(PS_FACT_WORDS_LIMITED_BY), ==, "Limited by");
    g_assert_null(ps_fact_heading(PS_FACT_KERNEL));
    g_assert_cmpuint(ps_told_length(told), ==, 4);
}

static void test_answer(void)
{
    g_auto(Asked) asked =
        asked_new("<peak name='B_mem' value='100'/>", "groups='64' group-size='32'",
                  "<code><node name='x' class='a'/></code>");
    const PsAnswer *answer = ask(&asked);
    g_autoptr(PsTold) told = ps_answer_told(answer, 0), measured = ps_answer_told(answer, 1);
    g_assert_cmpint(ps_told_find(told, PS_FACT_LAUNCH_GROUPS.n)->value.count, ==, 64);
    g_assert_nonnull(ps_told_text(told, PS_FACT_WORDS_LIMITED_BY));
    g_assert_nonnull(ps_told_text(told, PS_FACT_WORDS_HOW_SURE));
    g_assert_null(ps_told_find(told, PS_FACT_MEASURED.n));
    g_assert_null(ps_told_text(told, PS_FACT_WORDS_MEASURED));
    g_assert_cmpfloat(ps_told_find(measured, PS_FACT_MEASURED_SECONDS.n)->value.number, ==, 1);
    g_assert_nonnull(ps_told_text(measured, PS_FACT_WORDS_MEASURED));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/told/values", test_values);
    g_test_add_func("/told/groups", test_groups);
    g_test_add_func("/told/lists", test_lists);
    g_test_add_func("/told/one-at-a-time", test_one_at_a_time);
    g_test_add_func("/told/find", test_find);
    g_test_add_func("/told/csv", test_csv);
    g_test_add_func("/told/cells", test_cells);
    g_test_add_func("/told/others", test_others);
    g_test_add_func("/told/most", test_most);
    g_test_add_func("/told/what-if", test_what_if);
    g_test_add_func("/told/change", test_change);
    g_test_add_func("/told/common", test_common);
    g_test_add_func("/told/places", test_places);
    g_test_add_func("/told/csv-rows", test_csv_rows);
    g_test_add_func("/told/csv-inside", test_csv_inside);
    g_test_add_func("/told/csv-columns", test_csv_columns);
    g_test_add_func("/told/csv-infinite", test_csv_infinite);
    g_test_add_func("/told/csv-fits", test_csv_fits);
    g_test_add_func("/told/answer", test_answer);
    return g_test_run();
}
