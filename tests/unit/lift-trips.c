/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How often loops run, as a formula: all relations of a counter and its bound, either side first,
 * to go on and to leave, up and down, compared behind the step and before it. What is built is
 * compared with what was executed, and a number stands where the formula is wrong; here the formula
 * must be there, and the same whatever the bound is.
 */
#include "tests/help/graph-text.h"

#include <string.h>

/* A loop goes on while the counter has the one relation to the bound, and is left where it has the
 * other. */
typedef struct {
    const char *on, *leaves, *type;
    gboolean up;
} Relation;

static const Relation relations[] = {
    {"lt", "ge", "s32", TRUE},  {"le", "gt", "s32", TRUE},  {"lt", "ge", "u32", TRUE},
    {"le", "gt", "u32", TRUE},  {"lo", "hs", "u32", TRUE},  {"ls", "hi", "u32", TRUE},
    {"ne", "eq", "s32", TRUE},  {"gt", "le", "s32", FALSE}, {"ge", "lt", "s32", FALSE},
    {"gt", "le", "u32", FALSE}, {"ge", "lt", "u32", FALSE}, {"hi", "ls", "u32", FALSE},
    {"hs", "lo", "u32", FALSE}, {"ne", "eq", "s32", FALSE},
};

/* The relation of the bound to the counter. */
static const char *swapped(const char *relation)
{
    static const char *const pairs[][2] = {{"lt", "gt"}, {"le", "ge"}, {"lo", "hi"}, {"ls", "hs"}};
    for (guint i = 0; i < G_N_ELEMENTS(pairs); i++)
        for (guint k = 0; k < 2; k++)
            if (strcmp(pairs[i][k], relation) == 0)
                return pairs[i][1 - k];
    return relation;
}

typedef struct {
    const Relation *relation;
    gboolean swapped, leaves, before;
    guint step;
} Loop;

/* From 0 up to n, or from n down to the step. */
static char *text_of(const Loop *loop)
{
    const Relation *relation = loop->relation;
    const char *name = loop->leaves ? relation->leaves : relation->on;
    g_autofree char *compare =
        g_strdup_printf("setp.%s.%s %%p1, %s;\n", loop->swapped ? swapped(name) : name,
                        relation->type, loop->swapped ? "%r6, %r2" : "%r2, %r6");
    g_autofree char *last = g_strdup_printf("%u", loop->step);
    return g_strdup_printf("ld.param.u32 %%r5, [n];\nmov.u32 %%r2, %s;\nmov.u32 %%r6, %s;\nL:\n"
                           "st.shared.u32 [t], %%r2;\n%sadd.s32 %%r2, %%r2, %s%u;\n%s"
                           "@%s%%p1 bra L;\n",
                           relation->up ? "0" : "%r5", relation->up ? "%r5" : last,
                           loop->before ? compare : "", relation->up ? "" : "-", loop->step,
                           loop->before ? "" : compare, loop->leaves ? "!" : "");
}

/* The trips of the one loop in the graph (g_free). */
static char *trips_in(const char *ptx, const char *arguments)
{
    g_autoptr(PsBuild) build =
        graph_build(&(GraphCase){.ptx = ptx, .arguments = arguments, .block = {32}});
    g_autofree char *lines = graph_lines(build->idg);
    const char *trips = strstr(lines, "loop ");
    g_assert_nonnull(trips);
    return g_strndup(trips + strlen("loop "), strcspn(trips, "{") - strlen("loop  "));
}

static char *trips_of(const Loop *loop, guint n)
{
    g_autofree char *ptx = text_of(loop), *arguments = g_strdup_printf("n=%u", n);
    return trips_in(ptx, arguments);
}

/* Where it ends by equality, n is a multiple of the step. */
static void test_relations(void)
{
    static const guint steps[] = {1, 3};
    for (guint r = 0; r < G_N_ELEMENTS(relations); r++)
        for (guint how = 0; how < 16; how++) {
            const Loop loop = {.relation = &relations[r],
                               .swapped = (how & 1) != 0,
                               .leaves = (how & 2) != 0,
                               .before = (how & 4) != 0,
                               .step = steps[how >> 3]};
            const guint more = strcmp(relations[r].on, "ne") == 0 ? 0 : 1;
            g_autofree char *few = trips_of(&loop, 12 + more), *many = trips_of(&loop, 33 + more);
            g_test_message("%s.%s, %u: %s", loop.relation->on, loop.relation->type, how, few);
            g_assert_cmpstr(few, ==, many);
            g_assert_nonnull(strchr(few, 'n'));
        }
}

/* The trips of a loop from 0 while below n, or from n while above 0, whose counter is changed so
 * (g_free). */
static char *trips_with(const char *change, gboolean up, guint n)
{
    g_autofree char *ptx =
        g_strdup_printf("ld.param.u32 %%r5, [n];\nld.param.u32 %%r7, [m];\nmov.u32 %%r2, %s;\n"
                        "mov.u32 %%r6, %s;\nL:\nst.shared.u32 [t], %%r2;\n%s;\n"
                        "setp.%s.s32 %%p1, %%r2, %%r6;\n@%%p1 bra L;\n",
                        up ? "0" : "%r5", up ? "%r5" : "0", change, up ? "lt" : "gt");
    g_autofree char *arguments = g_strdup_printf("n=%u m=4", n);
    return trips_in(ptx, arguments);
}

/* A step is added or taken away, and is an argument, too, where the counter grows; one that is
 * taken away and an argument has no formula, so a number stands there. */
static void test_steps(void)
{
    g_autofree char *argument = trips_with("add.s32 %r2, %r2, %r7", TRUE, 40);
    g_autofree char *less = trips_with("sub.s32 %r2, %r2, 4", FALSE, 40);
    g_autofree char *unknown = trips_with("sub.s32 %r2, %r2, %r7", FALSE, 40);
    g_assert_nonnull(strchr(argument, 'n'));
    g_assert_nonnull(strchr(argument, 'm'));
    g_assert_nonnull(strchr(less, 'n'));
    g_assert_cmpstr(unknown, ==, "10");
}

/* The graph's lines that begin loops, without their brackets (g_free). */
static char *loops_of(const char *ptx, const char *arguments)
{
    const GraphCase graph = {.ptx = ptx, .arguments = arguments, .block = {32}};
    g_autoptr(PsBuild) build = graph_build(&graph);
    g_autofree char *lines = graph_lines(build->idg);
    g_auto(GStrv) all = g_strsplit(lines, "\n", -1);
    GString *loops = g_string_new(NULL);
    for (char **line = all; *line; line++)
        if (g_str_has_prefix(*line, "loop ") && g_str_has_suffix(*line, " {"))
            g_string_append_printf(loops, "%s%.*s", loops->len ? ", " : "", (int)strlen(*line) - 7,
                                   *line + 5);
    return g_string_free(loops, FALSE);
}

#define BEGIN "ld.param.u32 %r5, [n];\nmov.u32 %r2, 0;\nL:\n"
#define UP "add.s32 %r2, %r2, 1;\nsetp.lt.s32 %p1, %r2, "
#define MORE "st.shared.u32 [t+4], %r2;\nM:\n"
#define BODY "st.shared.u32 [t], %r2;\n"

/* Where iterations of a loop do different things, its runs are as many as the others leave; those
 * of a repeating pattern are numbers. */
static void test_runs(void)
{
    static const struct {
        const char *skips; /* the rest of an iteration, in %p2 */
        const char *loops; /* of 40 iterations */
    } cases[] = {
        {"setp.ne.s32 %p2, %r2, 0;\n", "n-1"},
        {"setp.ge.s32 %p2, %r2, 20;\n", "n-20, n-20"},
        {"setp.ge.s32 %p2, %r2, 30;\n", "n-10, 10"},
        {"and.b32 %r6, %r2, 1;\nsetp.ne.s32 %p2, %r6, 0;\n", "20"},
        {"and.b32 %r6, %r2, 3;\nsetp.ne.s32 %p2, %r6, 0;\n", "10, 3"},
        {"and.b32 %r6, %r2, 3;\nsetp.lt.u32 %p2, %r6, 3;\n", "10, 3"},
        {"and.b32 %r6, %r2, 7;\nsetp.lt.u32 %p2, %r6, 4;\n", "5, 4, 4"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *ptx = g_strconcat(
            BEGIN, cases[i].skips, "@%p2 bra M;\n" MORE BODY UP "%r5;\n@%p1 bra L;\n", NULL);
        g_autofree char *loops = loops_of(ptx, "n=40");
        g_assert_cmpstr(loops, ==, cases[i].loops);
    }
}

/* A loop has the trips of its own branch: not those of one that nobody comes to, nor of a loop
 * inside, though they are as many. */
static void test_branches(void)
{
    static const char absent[] = BEGIN "ld.param.u32 %r7, [m];\n" BODY UP "%r7;\n"
                                       "setp.eq.s32 %p2, %r5, 41;\n@!%p2 bra M;\n"
                                       "@%p1 bra L;\nM:\nsetp.lt.s32 %p3, %r2, %r5;\n"
                                       "@%p3 bra L;\n",
                      inner[] = BEGIN "ld.param.u32 %r7, [m];\nmov.u32 %r3, 0;\nI:\n"
                                      "st.shared.u32 [t], %r3;\nadd.s32 %r3, %r3, 1;\n"
                                      "setp.lt.s32 %p2, %r3, %r7;\n@%p2 bra I;\n" UP
                                      "%r5;\n@%p1 bra L;\n";
    g_autofree char *one = loops_of(absent, "n=40 m=40"), *two = loops_of(inner, "n=40 m=40");
    g_assert_cmpstr(one, ==, "n");
    g_assert_cmpstr(two, ==, "n, m");
}

/* A parameter that a formula names is the graph's, and none whose name only begins so. */
static void test_names(void)
{
    static const char ptx[] = BEGIN "ld.param.u32 %r7, [nn];\n"
                                    "st.shared.u32 [t], %r7;\n" UP "%r5;\n@%p1 bra L;\n";
    g_autoptr(PsBuild) build =
        graph_build(&(GraphCase){.ptx = ptx, .arguments = "n=40 nn=7", .block = {32}});
    g_assert_cmpuint(build->idg->params->len, ==, 1);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/lift-trips/relations", test_relations);
    g_test_add_func("/lift-trips/steps", test_steps);
    g_test_add_func("/lift-trips/runs", test_runs);
    g_test_add_func("/lift-trips/branches", test_branches);
    g_test_add_func("/lift-trips/names", test_names);
    return g_test_run();
}
