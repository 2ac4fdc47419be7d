/* SPDX-License-Identifier: BSD-3-Clause */
/* What loads would ask L2 for by the read-only path, where L1 keeps nothing of plain ones. */
#include "tests/help/pattern-run.h"

#define LINE 128
#define SIZE 0x10000
#define TIMES 4

static const PsPtxExtent extents[] = {{"a", A, SIZE}, {"b", B, SIZE}, {"c", C, SIZE}};

/* What else a group does. */
typedef enum { NOTHING, STORES, ADDS, BOTH } Writes;

typedef struct {
    Writes writes;   /* to c, but for: */
    guint64 to;      /* where the store's last lane writes; 0: there, too */
    gboolean global; /* L1 keeps plain loads' */
    gboolean of_unit;
} Case;

/* Loads one line from a, again and again, plainly and past L1, and likewise from b. */
static PatternRun run_case(const Case *this)
{
    const PsPatternRules rules = {.grid = {4, 1, 1},
                                  .l1 = 4096,
                                  .l1_global = this->global,
                                  .n_extents = G_N_ELEMENTS(extents),
                                  .extents = extents};
    PatternRun run = pattern_run_new(&rules);
    ps_roll_next(run.roll, (PsPatternGroup){.of_unit = this->of_unit});
    pattern_run_begin(&run, 0, 0, 0);
    for (guint i = 0; i < TIMES; i++) {
        pattern_run_strided(&run, LOAD, 4, A, 4);
        pattern_run_strided(&run, BYPASS, 4, B, 4);
    }
    guint64 address[PS_PTX_LANES];
    for (guint i = 0; i < PS_PTX_LANES; i++)
        address[i] = i + 1 < PS_PTX_LANES || !this->to ? C + 4 * i : this->to;
    if (this->writes == STORES || this->writes == BOTH)
        pattern_run_request(&run, STORE, 4, ALL, address);
    if (this->writes == ADDS || this->writes == BOTH)
        pattern_run_strided(&run, ATOMIC, 4, C, 4);
    pattern_run_end(&run);
    return run;
}

/* Sectors that reach L2 by that path, of TIMES requests of 4 each. */
static void reaches(const Case *this, double load, double bypass)
{
    g_auto(PatternRun) run = run_case(this);
    const PsTraffic plain = ps_pattern_traffic(pattern_run_pattern(&run, LOAD));
    const PsTraffic past = ps_pattern_traffic(pattern_run_pattern(&run, BYPASS));
    g_assert_cmpfloat(plain.read_only, ==, load);
    g_assert_cmpfloat(past.read_only, ==, bypass);
    g_assert_cmpfloat(plain.l2, ==, this->global ? 4 : 16);
}

/* The first of a line brings its four sectors, where nobody writes; what asks for another way does
 * not change. */
static void test_kept(void)
{
    reaches(&(Case){BOTH, 0, FALSE, TRUE}, 4, 16);
}

/* A lane writes to the buffer that is loaded, or to one that nobody knows. */
static void test_written(void)
{
    reaches(&(Case){BOTH, A + SIZE - 4, FALSE, TRUE}, 16, 16);
    reaches(&(Case){BOTH, B, FALSE, TRUE}, 4, 16);
}

/* Code that writes and that no group came to may write anywhere. */
static void test_not_executed(void)
{
    reaches(&(Case){NOTHING, 0, FALSE, TRUE}, 16, 16);
    reaches(&(Case){STORES, 0, FALSE, TRUE}, 16, 16);
    reaches(&(Case){ADDS, 0, FALSE, TRUE}, 16, 16);
}

/* Nothing is known of a compute unit of which no group was executed, nor gained where L1 keeps it
 * anyway. */
static void test_as_l2(void)
{
    reaches(&(Case){BOTH, 0, FALSE, FALSE}, 16, 16);
    reaches(&(Case){BOTH, 0, TRUE, TRUE}, 4, 16);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ptx-read-only/kept", test_kept);
    g_test_add_func("/ptx-read-only/written", test_written);
    g_test_add_func("/ptx-read-only/not-executed", test_not_executed);
    g_test_add_func("/ptx-read-only/as-l2", test_as_l2);
    return g_test_run();
}
