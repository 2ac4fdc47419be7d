/* SPDX-License-Identifier: BSD-3-Clause */
/* Limits of a gate, and what a pair of kernels comes to under them; findings as others read them.
 */
#include "gate/gate.h"
#include "gate/told.h"
#include "tell/findings-formats.h"
#include "tell/findings.h"

#include <math.h>

static PsGateSet *read_set(const char *path, const PsGpu *gpu)
{
    const PsCodeOptions code = {.prefix = "--"};
    const PsGateReading reading = {&code, gpu, 128};
    g_autoptr(GError) error = NULL;
    PsGateSet *set = ps_gate_set_new(&reading, path, &error);
    g_assert_no_error(error);
    return set;
}

static const PsGatePair *pair_of(const PsGate *gate, const char *name)
{
    for (guint i = 0; i < gate->pairs->len; i++) {
        const PsGatePair *pair = gate->pairs->pdata[i];
        if (g_str_equal((pair->after ? pair->after : pair->before)->kernel->name, name))
            return pair;
    }
    return NULL;
}

static void test_set(void)
{
    g_autoptr(PsGateSet) set = read_set("tests/gate/before.cubin", NULL);
    g_assert_cmpuint(set->kernels->len, ==, 4);
    const PsGateKernel *tile = set->kernels->pdata[3];
    g_assert_cmpstr(tile->kernel->name, ==, "tile");
    g_assert_cmpfloat(tile->figures[PS_GATE_SHARED], ==, 1024);
    g_assert_true(isnan(tile->figures[PS_GATE_OCCUPANCY]));
    g_assert_cmpint(tile->group_size, ==, 128); /* of 256 at most */
}

/* A kernel by hand, of a set that holds it alone. */
typedef struct {
    PsSassImage image;
    PsSassKernel kernel;
    PsGateKernel of;
} Hand;

static void hand(Hand *hand, const char *name, int capability, const char *file, double occupancy)
{
    *hand = (Hand){.image.capability = capability, .kernel.name = (char *)name};
    hand->of =
        (PsGateKernel){.image = &hand->image, .kernel = &hand->kernel, .file = file, .slower = NAN};
    for (guint i = 0; i < PS_GATE_N_FIGURES; i++)
        hand->of.figures[i] = NAN;
    hand->of.figures[PS_GATE_OCCUPANCY] = occupancy;
}

static PsGate *gate_of(Hand *before, Hand *after, guint n, PsGateSet sets[2])
{
    PsGateLimit limits[PS_GATE_N_FIGURES];
    g_autoptr(GError) error = NULL;
    ps_gate_limits_init(limits);
    g_assert_true(ps_gate_limit_set(limits, "occupancy=10%", &error));
    for (guint i = 0; i < 2; i++)
        sets[i] = (PsGateSet){.kernels = g_ptr_array_new()};
    for (guint i = 0; i < n; i++) {
        g_ptr_array_add(sets[0].kernels, &before[i].of);
        g_ptr_array_add(sets[1].kernels, &after[i].of);
    }
    return ps_gate_new(&sets[0], &sets[1], limits, NULL);
}

static void clear_gate(PsGate *gate, PsGateSet sets[2])
{
    ps_gate_free(gate);
    for (guint i = 0; i < 2; i++)
        g_ptr_array_unref(sets[i].kernels);
}

/* A share is one of what there was, and no more of it than the limit is allowed. */
static void test_shares(void)
{
    static const double then[] = {0.5, 0.46, 0.45, 0.44};
    for (guint i = 0; i < G_N_ELEMENTS(then); i++) {
        Hand before, after;
        PsGateSet sets[2];
        hand(&before, "k", 80, "a", 0.5);
        hand(&after, "k", 80, "b", then[i]);
        PsGate *gate = gate_of(&before, &after, 1, sets);
        g_assert_cmpuint(gate->n_failed, ==, i == 3);
        g_assert_cmpuint(gate->n_same, ==, i == 0);
        clear_gate(gate, sets);
    }
}

/* A kernel for several architectures is the same in another file; other instructions make another
 * one of it. */
static void test_pairs(void)
{
    for (guint other = 0; other < 2; other++) {
        Hand before[2], after[2];
        PsGateSet sets[2];
        for (guint i = 0; i < 2; i++) {
            hand(&before[i], "k", 80 + 10 * (int)i, "a", 0.5);
            hand(&after[i], "k", 80 + 10 * (int)i, "b", 0.5);
        }
        after[1].of.mix.of[1] = other;
        PsGate *gate = gate_of(before, after, 2, sets);
        g_assert_cmpuint(gate->n_same, ==, 2 - other);
        g_assert_cmpuint(gate->pairs->len, ==, other);
        clear_gate(gate, sets);
    }
}

static void test_verdicts(void)
{
    PsGateLimit limits[PS_GATE_N_FIGURES];
    g_autoptr(PsGateSet) before = read_set("tests/gate/before.cubin", NULL);
    g_autoptr(PsGateSet) after = read_set("tests/gate/after.cubin", NULL);
    ps_gate_limits_init(limits);
    g_autoptr(PsGate) gate = ps_gate_new(before, after, limits, NULL);
    g_assert_cmpuint(gate->n_failed, ==, 1);
    g_assert_cmpuint(gate->n_same, ==, 1);
    const PsGatePair *sums = pair_of(gate, "sums");
    g_assert_true(sums->fails[PS_GATE_STACK] && sums->fails[PS_GATE_LOCAL]);
    g_assert_false(sums->fails[PS_GATE_REGISTERS]);
    g_assert_null(pair_of(gate, "fresh")->before);
    g_assert_null(pair_of(gate, "gone")->after);
    g_autofree char *file = NULL;
    guint n = 0;
    g_assert_cmpint(ps_gate_line(sums->after, PS_GATE_LOCAL, &file, &n), ==, 12);
    g_assert_cmpstr(file, ==, "kernels/sums.cu");
    g_assert_cmpuint(n, ==, 24);
}

/* The first of lines with as many accesses is told; a line of another file is another line. */
static void test_lines(void)
{
    g_autoptr(PsGateSet) set = read_set("tests/gate/lines.cubin", NULL);
    g_autofree char *file = NULL;
    guint n = 0;
    g_assert_cmpint(ps_gate_line(set->kernels->pdata[0], PS_GATE_LOCAL, &file, &n), ==, 8);
    g_assert_cmpstr(file, ==, "a.cu");
    g_assert_cmpuint(n, ==, 3);
}

static void test_findings(void)
{
    PsGateLimit limits[PS_GATE_N_FIGURES];
    g_autoptr(PsGateSet) before = read_set("tests/gate/before.cubin", NULL);
    g_autoptr(PsGateSet) after = read_set("tests/gate/spilled.cubin", NULL);
    ps_gate_limits_init(limits);
    g_autoptr(PsGate) gate = ps_gate_new(before, after, limits, NULL);
    g_autoptr(PsTold) facts = ps_gate_told(gate);
    g_autoptr(GArray) findings = ps_findings(facts);
    g_assert_cmpuint(findings->len, ==, 2);
    const PsFinding *stack = &g_array_index(findings, PsFinding, 0);
    g_assert_cmpstr(stack->kernel, ==, "sums");
    g_assert_cmpstr(stack->figure, ==, "stack");
    g_assert_cmpstr(stack->file, ==, "kernels/sums.cu");
    g_assert_cmpint(stack->line, ==, 8);
    g_assert_true(stack->fails);
    g_autofree char *words = ps_finding_words(stack);
    g_assert_cmpstr(words, ==,
                    "0 bytes of stack before, 40 after; no more is allowed; 12 of the kernel's 22 "
                    "accesses to local memory are in this line");
}

static void test_files(void)
{
    static const char *const files[][2] = {{"/home/me/./kernels/a.cu", "kernels/a.cu"},
                                           {"./kernels/a.cu", "kernels/a.cu"},
                                           {"/home/me/base/../a.cu", "a.cu"},
                                           {"/home/menu/a.cu", "/home/menu/a.cu"},
                                           {"../a.cu", "../a.cu"}};
    for (guint i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autoptr(PsTold) facts = ps_told_new();
        g_autoptr(GString) out = g_string_new(NULL);
        g_autofree char *wanted = g_strdup_printf("::error file=%s,line=3,", files[i][1]);
        ps_tell_open(facts, PS_FACT_GATE_FINDINGS);
        ps_tell_item(facts);
        ps_tell(facts, PS_FACT_FINDING_LEVEL, "error");
        ps_tell(facts, PS_FACT_FINDING_KERNEL, "k");
        ps_tell(facts, PS_FACT_FINDING_ON, "a100");
        ps_tell(facts, PS_FACT_FINDING_FIGURE, "time");
        ps_tell(facts, PS_FACT_FINDING_SENTENCE, "slow");
        ps_tell(facts, PS_FACT_FINDING_FILE, files[i][0]);
        ps_tell(facts, PS_FACT_FINDING_LINE, 3);
        ps_tell_close(facts);
        ps_tell_close(facts);
        ps_findings_github(out, facts, "/home/me");
        g_assert_true(g_str_has_prefix(out->str, wanted));
    }
}

static const struct {
    const char *text;
    gboolean good, limited, in_per_cent;
    double most;
} limit_texts[] = {
    {"registers=4", TRUE, TRUE, FALSE, 4},
    {"registers=2.5%", TRUE, TRUE, TRUE, 2.5},
    {"registers=none", TRUE, FALSE, FALSE, 0},
    {"registers=0", TRUE, TRUE, FALSE, 0},
    {"registers=", FALSE, 0, 0, 0},
    {"registers=-1", FALSE, 0, 0, 0},
    {"registers=inf", FALSE, 0, 0, 0},
    {"registers=4x", FALSE, 0, 0, 0},
    {"register=4", FALSE, 0, 0, 0},
    {"registers", FALSE, 0, 0, 0},
    {"=4", FALSE, 0, 0, 0},
};

static void test_limits(void)
{
    for (guint i = 0; i < G_N_ELEMENTS(limit_texts); i++) {
        PsGateLimit limits[PS_GATE_N_FIGURES];
        g_autoptr(GError) error = NULL;
        ps_gate_limits_init(limits);
        g_test_message("%s", limit_texts[i].text);
        g_assert_cmpint(ps_gate_limit_set(limits, limit_texts[i].text, &error), ==,
                        limit_texts[i].good);
        if (!limit_texts[i].good) {
            g_assert_error(error, PS_ERROR, PS_ERROR_USAGE);
            g_assert_false(limits[PS_GATE_REGISTERS].limited);
            continue;
        }
        g_assert_cmpint(limits[PS_GATE_REGISTERS].limited, ==, limit_texts[i].limited);
        g_assert_cmpint(limits[PS_GATE_REGISTERS].in_per_cent, ==, limit_texts[i].in_per_cent);
        g_assert_cmpfloat(limits[PS_GATE_REGISTERS].most, ==, limit_texts[i].most);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/gate/set", test_set);
    g_test_add_func("/gate/shares", test_shares);
    g_test_add_func("/gate/pairs", test_pairs);
    g_test_add_func("/gate/verdicts", test_verdicts);
    g_test_add_func("/gate/lines", test_lines);
    g_test_add_func("/gate/findings", test_findings);
    g_test_add_func("/gate/files", test_files);
    g_test_add_func("/gate/limits", test_limits);
    return g_test_run();
}
