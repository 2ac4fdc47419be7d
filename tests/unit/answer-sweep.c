/* SPDX-License-Identifier: BSD-3-Clause */
/* What a sweep varies: lists and their values, and the points that several of them make. */
#include "answer/figures.h"
#include "answer/sweep.h"
#include "tests/help/ask.h"

#include <string.h>

static PsSweepAxis *parse(const char *text)
{
    g_autoptr(GError) error = NULL;
    PsSweepAxis *axis = ps_sweep_axis_parse("--vary", text, &error);
    g_assert_no_error(error);
    return axis;
}

/* The values of a list, with this for max, as "1 2 4". */
static char *values_of(const char *text, gint64 max)
{
    g_autoptr(PsSweepAxis) axis = parse(text);
    GString *out = g_string_new(NULL);
    guint n;
    PsSweepAxisAt at;
    g_assert_true(ps_sweep_axis_count(axis, max, &n, NULL));
    ps_sweep_axis_first(axis, max, &at);
    guint walked = 0;
    do {
        g_autofree char *value = ps_rational_format(at.value);
        g_string_append_printf(out, "%s%s", walked++ ? " " : "", value);
    } while (ps_sweep_axis_next(axis, &at));
    g_assert_cmpuint(walked, ==, n);
    return g_string_free(out, FALSE);
}

static void test_values(void)
{
    static const struct {
        const char *text;
        gint64 max;
        const char *values;
    } cases[] = {{"active=1..4", 0, "1 2 3 4"},
                 {"size=256..4096*2", 0, "256 512 1024 2048 4096"},
                 {"local.issue=4..17+4", 0, "4 8 12 16"},
                 {"groups=10,20,100..102", 0, "10 20 100 101 102"},
                 {"active=2..max", 4, "2 3 4"},
                 {"active=max", 7, "7"},
                 {"active=2..2+0.5", 0, "2"},
                 {"active=8..max,1", 4, "1"},
                 {"x=0.1..0.3+0.1", 0, "0.1 0.2 0.3"},
                 {"x=-1..1", 0, "-1 0 1"}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *values = values_of(cases[i].text, cases[i].max);
        g_assert_cmpstr(values, ==, cases[i].values);
    }
}

static void test_kinds(void)
{
    static const struct {
        const char *text, *class_name;
        PsSweepAxisKind kind;
    } cases[] = {{"active=1", NULL, PS_SWEEP_AXIS_ACTIVE},
                 {"groups=1", NULL, PS_SWEEP_AXIS_GROUPS},
                 {"group-size=32", NULL, PS_SWEEP_AXIS_GROUP_SIZE},
                 {"size=1", NULL, PS_SWEEP_AXIS_PARAM},
                 {"local.load.issue=1", "local.load", PS_SWEEP_AXIS_ISSUE},
                 {"a.completion=1.5", "a", PS_SWEEP_AXIS_COMPLETION}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(PsSweepAxis) axis = parse(cases[i].text);
        g_assert_cmpint(axis->kind, ==, cases[i].kind);
        g_assert_cmpstr(axis->class_name, ==, cases[i].class_name);
        g_assert_cmpuint(axis->length, ==, 1);
    }
}

/* How many columns the longest value takes: the first thousand are looked at, then ends of ranges.
 */
static void test_width(void)
{
    g_autoptr(PsSweepAxis) few = parse("x=1..999,10000.5..20000+1"),
                           many = parse("x=1..1000,10000.5..20000+1");
    g_assert_cmpint(few->width, ==, 7);
    g_assert_cmpint(many->width, ==, 5);
}

/* Messages begin with what the caller calls it. */
static void test_wrong(void)
{
    static const char *const wrong[] = {
        "active",        "active=",       "active=0",           "active=1.5", "active=3..1",
        "active=1..5*1", "active=1..5+0", "groups=1..max",      "a-b=1",      "active=x",
        "active=1,,2",   "size=0..8*2",   "groups=1..99999999", "a.issue=0",  "active=1..4+0.5"};
    for (guint i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autoptr(GError) error = NULL;
        g_assert_null(ps_sweep_axis_parse("--this", wrong[i], &error));
        g_assert_error(error, PS_ERROR, PS_ERROR_USAGE);
        g_assert_true(g_str_has_prefix(error->message, "--this "));
    }
    g_autoptr(PsSweepAxis) axis = parse("active=8..max");
    g_autoptr(GError) error = NULL;
    guint n;
    g_assert_false(ps_sweep_axis_count(axis, 4, &n, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
}

#define CODE "<code><loop times='9'><node name='x' class='a' after='x'/></loop></code>"

static void test_names(void)
{
    g_auto(Asked) asked = asked_new("", "groups='4' group-size='32'", CODE);
    g_autoptr(PsSweepAxis) known = parse("a.issue=2"), unknown = parse("q.issue=2"),
                           param = parse("size=2");
    g_assert_true(ps_sweep_axis_check(known, asked.idg, NULL));
    g_assert_false(ps_sweep_axis_check(unknown, asked.idg, NULL));
    g_assert_false(ps_sweep_axis_check(param, asked.idg, NULL));
}

/* The last axis is the fastest; max follows those before it. */
static void test_points(void)
{
    g_auto(Asked) asked = asked_new("", "groups='64' group-size='32'", CODE);
    g_autoptr(GPtrArray) axes = g_ptr_array_new_with_free_func((GDestroyNotify)ps_sweep_axis_free);
    g_ptr_array_add(axes, parse("group-size=128,256"));
    g_ptr_array_add(axes, parse("active=1..max"));
    g_autoptr(PsPoints) points = ps_points_new(&asked.question, axes);
    static const gint64 expected[][2] = {{128, 1}, {128, 2}, {128, 3},
                                         {128, 4}, {256, 1}, {256, 2}};
    PsRational values[2];
    guint known, n = 0;
    while (ps_points_next(points, values, &known, NULL)) {
        g_assert_cmpuint(n, <, G_N_ELEMENTS(expected));
        g_assert_cmpuint(known, ==, 2);
        for (guint i = 0; i < 2; i++)
            g_assert_cmpint(values[i].num, ==, expected[n][i]);
        n++;
    }
    g_assert_cmpuint(n, ==, G_N_ELEMENTS(expected));
    g_assert_cmpint(ps_points_count(&asked.question, axes), ==, n);
}

/* A list that cannot be made is one point, of which less is known. */
static void test_points_without(void)
{
    g_auto(Asked) asked = asked_new("", "groups='64' group-size='32'", CODE);
    g_autoptr(GPtrArray) axes = g_ptr_array_new_with_free_func((GDestroyNotify)ps_sweep_axis_free);
    g_ptr_array_add(axes, parse("group-size=999,256"));
    g_ptr_array_add(axes, parse("active=1..max"));
    g_autoptr(PsPoints) points = ps_points_new(&asked.question, axes);
    g_autoptr(GError) error = NULL;
    PsRational values[2];
    guint known;
    g_assert_true(ps_points_next(points, values, &known, &error));
    g_assert_cmpuint(known, ==, 1);
    g_assert_nonnull(error);
    g_assert_true(ps_points_next(points, values, &known, NULL));
    g_assert_cmpuint(known, ==, 2);
    g_assert_cmpint(ps_points_count(&asked.question, axes), ==, 3);
}

/* Values are in their places; a what-if covers what is varied. */
static void test_question(void)
{
    g_auto(Asked) asked = asked_new("", "groups='64' group-size='32'", CODE);
    g_autoptr(GPtrArray) axes = g_ptr_array_new_with_free_func((GDestroyNotify)ps_sweep_axis_free);
    g_ptr_array_add(axes, parse("groups=7"));
    g_ptr_array_add(axes, parse("a.issue=3"));
    const PsRational values[] = {PS_RATIONAL_INT(7), PS_RATIONAL_INT(3)};
    g_autoptr(PsVariedQuestion) varied =
        ps_varied_question_new(&asked.question, axes, values, 2, "a.completion=99", NULL);
    g_assert_cmpint(varied->question.launch.groups, ==, 7);
    g_assert_cmpuint(varied->latencies->len, ==, 1);
    g_autoptr(PsAnswer) answer = ps_answer_new(&varied->question, NULL, NULL);
    g_assert_cmpint(answer->machine->classes[0].latency.issue.num, ==, 3);
    g_assert_cmpint(answer->machine->classes[0].latency.completion.num, ==, 8);
    varied->question.latencies = varied->what_if_latencies;
    g_autoptr(PsAnswer) what_if = ps_answer_new(&varied->question, NULL, NULL);
    g_assert_cmpint(what_if->machine->classes[0].latency.issue.num, ==, 3);
    g_assert_cmpint(what_if->machine->classes[0].latency.completion.num, ==, 99);
}

/* What lists of code are, and what their values are called. */
static void test_code(void)
{
    static const char *const arguments[] = {"n=64", "a=zero:4*n", NULL};
    static const struct {
        const char *text;
        gboolean source;
        PsSweepAxisKind kind;
        const char *last; /* NULL: it is an error */
    } cases[] = {{"TILE=8,16..64*2", TRUE, PS_SWEEP_AXIS_MACRO, "64"},
                 {"TILE=8,16", FALSE, PS_SWEEP_AXIS_PARAM, "16"},
                 {"T=float,double", TRUE, PS_SWEEP_AXIS_MACRO, "double"},
                 {"n=-1..2", FALSE, PS_SWEEP_AXIS_ARGUMENT, "2"},
                 {"a=zero:4*n,ramp:4*n", TRUE, PS_SWEEP_AXIS_ARGUMENT, "ramp:4*n"},
                 {"block=16x16,32x8", FALSE, PS_SWEEP_AXIS_BLOCK, "32x8"},
                 {"grid=1..3", FALSE, PS_SWEEP_AXIS_GRID, "3"},
                 {"active=1..3", TRUE, PS_SWEEP_AXIS_ACTIVE, "3"},
                 {"local.issue=4", TRUE, PS_SWEEP_AXIS_ISSUE, "4"},
                 {"T=float,", TRUE, 0, NULL},
                 {"T=1..", TRUE, 0, NULL},
                 {"T=", TRUE, 0, NULL},
                 {"active=x", TRUE, 0, NULL}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(PsSweepAxis) axis =
            ps_sweep_axis_parse_code("--vary", cases[i].text, arguments, cases[i].source, &error);
        g_assert_true((axis != NULL) == (cases[i].last != NULL));
        if (!axis)
            continue;
        g_assert_cmpint(axis->kind, ==, cases[i].kind);
        g_assert_true(ps_sweep_axis_is_code(axis) == (axis->kind >= PS_SWEEP_AXIS_GRID));
        PsSweepAxisAt at;
        guint n = 1;
        ps_sweep_axis_first(axis, 0, &at);
        while (ps_sweep_axis_next(axis, &at))
            n++;
        g_autofree char *last = ps_sweep_axis_text(axis, at.value);
        g_assert_cmpstr(last, ==, cases[i].last);
        g_assert_cmpuint(n, ==, axis->length);
    }
}

static void assert_bound(const char *graph, const char *gpu_name, gboolean published)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *path = g_strdup_printf("gpus/%s", gpu_name);
    g_autoptr(PsIdg) idg = ps_idg_load(graph, &error);
    g_autoptr(PsGpu) gpu = idg ? ps_gpu_load(path, &error) : NULL;
    g_assert_no_error(error);
    const PsRefinementOptions refinements = {.published = published};
    const PsQuestion question = {.idg = idg,
                                 .gpu = gpu,
                                 .launch = {.groups = 3000},
                                 .clamp = published ? PS_CLAMP_NONE : PS_CLAMP_CEILING,
                                 .refinements = &refinements};
    double bound;
    g_autoptr(PsAnswer) answer = ps_answer_new(&question, NULL, &error);
    g_assert_true(ps_answer_bound(&question, &bound, NULL) == (answer != NULL));
    if (!answer)
        return; /* AMD's lack some classes */
    g_assert_cmpfloat(bound, <=, answer->seconds);
    g_assert_cmpfloat(bound, >, 0);
    /* Where a pipeline is what limits, nothing else is slower by much. */
    if (ps_answer_busy(answer) > 0.99 && !answer->machine->refinements.all_cus)
        g_assert_cmpfloat(bound, >, 0.97 * answer->seconds);
}

/* No run is faster than its bound, on any GPU, with and without refinements. */
static void test_bound(void)
{
    static const char *const graphs[] = {"graphs/mmul08.idg", "graphs/mmul16-conflict.idg",
                                         "graphs/transpose.idg", "graphs/reduction.idg",
                                         "graphs/saxpy.idg"};
    g_autoptr(GDir) dir = g_dir_open("gpus", 0, NULL);
    const char *name;
    while ((name = g_dir_read_name(dir)) != NULL)
        for (guint i = 0; g_str_has_suffix(name, ".xml") && i < 2 * G_N_ELEMENTS(graphs); i++)
            assert_bound(graphs[i / 2], name, i % 2 == 1);
}

/* The schedulers of a CU share its work: what keeps a pipeline of each busy is near its bound. */
static void test_bound_of_schedulers(void)
{
    static const char text[] =
        "<idg xmlns='urn:pipesim:idg:1' version='1' name='busy'>"
        "<launch groups='160' group-size='1024'/><code><loop times='1000'>"
        "<node name='x' class='fmadd' after='x'/><node name='y' class='fmadd' after='y'/>"
        "</loop></code></idg>";
    double bound = 0;
    g_autoptr(PsIdg) idg = ps_idg_parse(text, strlen(text), "busy.idg", NULL);
    g_autoptr(PsGpu) gpu = ps_gpu_load("gpus/v100.xml", NULL);
    const PsQuestion question = {.idg = idg, .gpu = gpu};
    PsAnswer *answer = ps_answer_new(&question, NULL, NULL);
    g_assert_true(ps_answer_bound(&question, &bound, NULL));
    g_assert_cmpfloat(bound, <=, answer->seconds);
    g_assert_cmpfloat(bound, >, 0.9 * answer->seconds);
    ps_answer_free(answer);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/answer/sweep/values", test_values);
    g_test_add_func("/answer/sweep/kinds", test_kinds);
    g_test_add_func("/answer/sweep/width", test_width);
    g_test_add_func("/answer/sweep/wrong", test_wrong);
    g_test_add_func("/answer/sweep/names", test_names);
    g_test_add_func("/answer/sweep/points", test_points);
    g_test_add_func("/answer/sweep/points-without", test_points_without);
    g_test_add_func("/answer/sweep/question", test_question);
    g_test_add_func("/sweep/code", test_code);
    g_test_add_func("/sweep/bound", test_bound);
    g_test_add_func("/sweep/bound-of-schedulers", test_bound_of_schedulers);
    return g_test_run();
}
