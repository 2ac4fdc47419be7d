/* SPDX-License-Identifier: BSD-3-Clause */
/* Completions that nothing waits for: a run is the same whatever they take. */
#include "tests/help/ask.h"
#include "tests/help/random-roles.h"
#include "tests/help/random-run.h"

#include "answer/cycle-cache.h"

#include <string.h>

#define SEEDS 2000
#define SEEDS_VALGRIND 40

/* ---- any machine --------------------------------------------------------------------------- */

/* Lets completions of the classes that do not count take no time. Returns how many nodes have one.
 */
static guint forget(PsMachine *machine, const gboolean *count)
{
    guint n_forgotten = 0;
    for (guint p = 0; p < machine->kernel->n_programs; p++)
        for (guint n = 0; n < machine->kernel->programs[p].n_nodes; n++)
            if (!count[machine->class_of[p][n]] && !machine->costs[p][n].posted) {
                machine->costs[p][n].completion = 0;
                n_forgotten++;
            }
    return n_forgotten;
}

static gboolean check_forgotten(const RandomCase *random_case, const Engine *engine, gpointer data,
                                GError **error)
{
    guint *n_forgotten = data;
    PsSimResult as_it_is, without;
    g_autofree gboolean *count = ps_completions_that_count(engine->machine);
    if (!engine_simulate(engine, NULL, &as_it_is, error))
        return FALSE;
    *n_forgotten += forget(engine->machine, count);
    if (!engine_simulate(engine, NULL, &without, error))
        return FALSE;
    if (as_it_is.ticks == without.ticks)
        return TRUE;
    g_set_error(error, PS_ERROR, PS_ERROR_USAGE,
                "seed %u: %" G_GINT64_FORMAT " ticks, %" G_GINT64_FORMAT " without",
                random_case->seed, as_it_is.ticks, without.ticks);
    return FALSE;
}

static void run_random(void (*refine)(RandomCase *))
{
    guint n_forgotten = 0;
    const RandomRun run = {
        .draw = random_case_new, .refine = refine, .check = check_forgotten, .data = &n_forgotten};
    random_run((SeedCounts){SEEDS, SEEDS_VALGRIND}, &run);
    if (!g_getenv("PIPESIM_SEED"))
        g_assert_cmpuint(n_forgotten, >, 0);
}

static void test_random(void)
{
    run_random(NULL);
}

/* Warps that await others (R12) await completions, too. */
static void test_roles(void)
{
    run_random(random_case_roles_that_end);
}

/* ---- where it begins to count -------------------------------------------------------------- */

/* Whether the completion of `a`, 10 cycles, counts in a program of that order with that code. */
static gboolean counts(const char *order, const char *code)
{
    g_autofree char *rows = g_strdup_printf("<model order='%s'/>", order);
    g_autofree char *codes = g_strdup_printf("<code>%s</code>", code);
    g_auto(Asked) asked = asked_new(rows, "groups='4' group-size='32'", codes);
    g_autoptr(GPtrArray) what_if = ps_what_if_parse("a.completion=10", NULL);
    asked.question.latencies = what_if;
    g_autofree gboolean *count = ps_completions_that_count(ask(&asked)->machine);
    return count[0];
}

#define HOLDS(CYCLES)                                                                              \
    "<node name='x' class='a' hold='50'/><node name='y' class='local' hold='" CYCLES "'/>"         \
    "<node name='z' class='memory' hold='50'/>"

/* The holds between a node and the last one are as long as it takes: its own hold may pass before
 * its pipeline begins with it, and the last one's keeps nothing back. */
static void test_holds(void)
{
    g_assert_false(counts("program", HOLDS("10")));
    g_assert_true(counts("program", HOLDS("9")));
    g_assert_true(
        counts("program", "<node name='y' class='local' hold='20'/><node name='x' class='a'/>"));
}

static void test_awaited(void)
{
    g_assert_true(counts("program", HOLDS("10") "<node name='v' class='memory' after='x'/>"));
}

/* A queue lets an instance begin later than the next one issues; memory lets it complete later than
 * its class says. */
static void test_later(void)
{
    static const char text[] =
        "<idg xmlns='urn:pipesim:idg:1' version='1' name='later'>"
        "<launch groups='80' group-size='32'/><code>"
        "<node name='x' class='fadd' hold='1'/><node name='s' class='rcp' hold='1'/>"
        "<node name='m' class='global.load' bytes='4' l1='1' l2='1' device='1' hold='1'/>"
        "<node name='y' class='fmul' hold='10000'/><node name='z' class='fmul'/></code></idg>";
    g_autoptr(PsIdg) idg = ps_idg_parse(text, strlen(text), "later.idg", NULL);
    PsGpu *gpu = ps_gpu_load("gpus/v100.xml", NULL);
    const PsQuestion question = {.idg = idg, .gpu = gpu};
    g_autoptr(PsAnswer) answer = ps_answer_new(&question, NULL, NULL);
    g_autofree gboolean *count = ps_completions_that_count(answer->machine);
    static const struct {
        const char *class_name;
        gboolean counts;
    } expected[] = {{"fadd", FALSE}, {"rcp", TRUE}, {"global.load", TRUE}};
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
        g_assert_cmpstr(answer->machine->classes[i].asked, ==, expected[i].class_name);
        g_assert_cmpint(count[i], ==, expected[i].counts);
    }
    ps_gpu_free(gpu);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/completions/random", test_random);
    g_test_add_func("/completions/roles", test_roles);
    g_test_add_func("/completions/later", test_later);
    g_test_add_func("/completions/holds", test_holds);
    g_test_add_func("/completions/awaited", test_awaited);
    return g_test_run();
}
