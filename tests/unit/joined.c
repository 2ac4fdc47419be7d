/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two trees of facts as one: rows are joined by key, whatever their order, and what one of both
 * lacks is still there; the same pairs as facts for programs and as cells for people.
 */
#include "tell/answer.h"
#include "tell/facts-csv.h"
#include "tell/join.h"
#include "tell/json.h"
#include "tell/view-cells.h"

#include <string.h>

static void tell_pipeline(PsTold *told, const char *name, const char *words, double busy)
{
    ps_tell_item(told);
    ps_tell(told, PS_FACT_PIPELINES_NAME, name);
    ps_tell(told, PS_FACT_PIPELINES_WORDS, words);
    ps_tell(told, PS_FACT_PIPELINES_BUSY, busy);
    ps_tell_close(told);
}

static void tell_result(PsTold *told, double seconds, gboolean clamped)
{
    ps_tell_open(told, PS_FACT_RESULT);
    ps_tell(told, PS_FACT_RESULT_SECONDS, seconds);
    ps_tell(told, PS_FACT_RESULT_CLAMPED, clamped);
    ps_tell_close(told);
}

/* alu and shared; the other order and no shared, but tensor. */
static PsTold *first_new(void)
{
    PsTold *told = ps_told_new();
    ps_tell(told, PS_FACT_KERNEL, "k");
    tell_result(told, 0.5, FALSE);
    ps_tell_open(told, PS_FACT_PIPELINES);
    tell_pipeline(told, "alu", "alu", 0.5);
    tell_pipeline(told, "local", "shared", 0.25);
    ps_tell_close(told);
    ps_tell_open(told, PS_FACT_OPERATIONS);
    ps_tell_entry_whole(told, "fp32", 1000);
    ps_tell_close(told);
    return told;
}

static PsTold *second_new(gboolean clamped)
{
    PsTold *told = ps_told_new();
    ps_tell(told, PS_FACT_KERNEL, NULL);
    tell_result(told, 0.75, clamped);
    ps_tell_open(told, PS_FACT_PIPELINES);
    tell_pipeline(told, "tensor", "tensor", 0.125);
    tell_pipeline(told, "alu", "alu", 0.75);
    ps_tell_close(told);
    ps_tell_open(told, PS_FACT_OPERATIONS);
    ps_tell_entry_whole(told, "int", 7);
    ps_tell_entry_whole(told, "fp32", 2000);
    ps_tell_close(told);
    return told;
}

/* The pairs of the view in JSON. */
static char *json_of(PsViewId view, const PsTold *a, const PsTold *b)
{
    g_autoptr(PsTold) told = ps_told_new();
    PsJson json = {.out = g_string_new(NULL)};
    ps_tell_open(told, PS_FACT_COMPARISON_DIFFERENCE_BUSY);
    ps_tell_joined(told, view, a, b);
    ps_tell_close(told);
    ps_json_open(&json, NULL, '{', PS_JSON_LINE);
    ps_json_told(&json, told);
    ps_json_close(&json, '}');
    return g_string_free(json.out, FALSE);
}

/* A's rows in their order, then B's own, each once; a value has the type of its fact. */
static void test_rows_by_key(void)
{
    g_autoptr(PsTold) a = first_new(), b = second_new(FALSE);
    g_autofree char *json = json_of(PS_VIEW_COMPARE_PIPELINES, a, b);
    g_assert_cmpstr(json, ==,
                    "{\"busy\": [{\"name\": \"alu\", \"a\": 0.5, \"b\": 0.75, \"difference\": "
                    "0.25}, {\"name\": \"local\", \"a\": 0.25, \"b\": null, \"difference\": null}, "
                    "{\"name\": \"tensor\", \"a\": null, \"b\": 0.125, \"difference\": null}]}");
    g_autofree char *levels = json_of(PS_VIEW_COMPARE_LEVELS, a, b);
    g_assert_cmpstr(levels, ==, "{\"busy\": []}");
}

/* A text has no difference, and a fact that neither tells is no pair. */
static void test_columns(void)
{
    g_autoptr(PsTold) a = first_new(), b = second_new(FALSE);
    g_autofree char *json = json_of(PS_VIEW_COMPARE_FIGURES, a, b);
    g_assert_cmpstr(json, ==,
                    "{\"busy\": [{\"name\": \"kernel\", \"a\": \"k\", \"b\": null, "
                    "\"difference\": null}, {\"name\": \"seconds\", \"a\": 0.5, \"b\": 0.75, "
                    "\"difference\": 0.25}]}");
}

/* Rows of one key more often than once are joined one by one. */
static void test_key_twice(void)
{
    g_autoptr(PsTold) a = ps_told_new(), b = ps_told_new();
    ps_tell_open(a, PS_FACT_PIPELINES);
    tell_pipeline(a, "x", "x", 0.25);
    tell_pipeline(a, "x", "x", 0.5);
    ps_tell_close(a);
    ps_tell_open(b, PS_FACT_PIPELINES);
    tell_pipeline(b, "x", "x", 0.75);
    ps_tell_close(b);
    g_autofree char *json = json_of(PS_VIEW_COMPARE_PIPELINES, a, b);
    g_assert_cmpstr(json, ==,
                    "{\"busy\": [{\"name\": \"x\", \"a\": 0.25, \"b\": 0.75, \"difference\": 0.5}, "
                    "{\"name\": \"x\", \"a\": 0.5, \"b\": null, \"difference\": null}]}");
}

static char *cells_of(PsViewId view, const PsTold *a, const PsTold *b)
{
    g_autoptr(GPtrArray) cells = ps_view_joined_cells(view, a, b);
    g_assert_cmpuint(cells->len % 4, ==, 0);
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < cells->len; i++)
        g_string_append_printf(text, "%s%c", (char *)cells->pdata[i], i % 4 == 3 ? '/' : '|');
    return g_string_free(text, FALSE);
}

/* Rows are called as people call them; entries are joined by their keys. What neither knows is
 * left out, and so is what is told where a result is clamped. */
static void test_cells(void)
{
    g_autoptr(PsTold) a = first_new(), b = second_new(FALSE);
    g_autofree char *rows = cells_of(PS_VIEW_COMPARE_PIPELINES_PAGE, a, b);
    g_assert_cmpstr(rows, ==,
                    "Pipeline alu|50.0 %|75.0 %|1.500/Pipeline shared|25.0 %|-|/"
                    "Pipeline tensor|-|12.5 %|/");
    g_autofree char *figures = cells_of(PS_VIEW_COMPARE_PAGE, a, b);
    g_assert_cmpstr(figures, ==,
                    "Time|500.0 ms|750.0 ms|1.500/Operations fp32|1 000|2 000|2.000/"
                    "Operations int|-|7|/");
}

static void tell_simulated(PsTold *told, double seconds)
{
    ps_tell_open(told, PS_FACT_SIMULATED);
    ps_tell(told, PS_FACT_SIMULATED_SECONDS, seconds);
    ps_tell_close(told);
}

/* Where one of both is clamped, both say what was simulated. */
static void test_only(void)
{
    for (guint clamped = 0; clamped < 2; clamped++) {
        g_autoptr(PsTold) a = first_new(), b = second_new(clamped == 1);
        tell_simulated(a, 2e-6);
        tell_simulated(b, 1e-6);
        g_autofree char *figures = cells_of(PS_VIEW_COMPARE_PAGE, a, b);
        g_assert_cmpint(strstr(figures, "Simulated|2.000 us|1.000 us|0.5000/") != NULL, ==,
                        clamped == 1);
    }
}

/* The head of CSV's columns, and a row with the word of its list; ten digits are not enough. */
static void test_csv(void)
{
    g_autoptr(PsTold) a = first_new(), b = second_new(FALSE), told = ps_told_new();
    g_autoptr(GString) out = g_string_new(NULL);
    ps_tell_open(told, PS_FACT_COMPARISON_DIFFERENCE_BUSY);
    ps_tell_joined(told, PS_VIEW_COMPARE_PIPELINES, a, b);
    ps_tell_item(told);
    ps_tell_any(told, PS_FACT_JOINED_A, NULL);
    ps_tell(told, PS_FACT_JOINED_DIFFERENCE, 1 / 3.0);
    ps_tell_close(told);
    ps_tell_close(told);
    ps_csv_told(out, PS_VIEW_COMPARE, told);
    g_assert_cmpstr(out->str, ==,
                    "section,name,kind,a,b,difference,a_cycles,b_cycles\n"
                    "busy,alu,,0.5,0.75,0.25,,\n"
                    "busy,local,,0.25,,,,\n"
                    "busy,tensor,,,0.125,,,\n"
                    "busy,,,,,0.3333333333333333,,\n");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/joined/rows", test_rows_by_key);
    g_test_add_func("/joined/columns", test_columns);
    g_test_add_func("/joined/twice", test_key_twice);
    g_test_add_func("/joined/cells", test_cells);
    g_test_add_func("/joined/only", test_only);
    g_test_add_func("/joined/csv", test_csv);
    return g_test_run();
}
