/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Access patterns and what caches make of them, against values worked out by hand: what textbooks
 * say of coalescing and bank conflicts, and passes over data that fit in L1 or do not. (What
 * neighbouring groups share is ptx-neighbours.c's.)
 */
#include "base/class-name.h"
#include "tests/help/pattern-run.h"

/* ---- one request --------------------------------------------------------------------------- */

typedef struct {
    guint point, bytes;
    guint32 mask;
    guint64 base, stride;
    guint sectors, least, degree, passes;
    const char *suffix;
} Case;

static void assert_case(const Case *expected)
{
    const PsPatternRules rules = {0};
    g_auto(PatternRun) run = pattern_run_new(&rules);
    guint64 address[PS_PTX_LANES];
    for (guint i = 0; i < PS_PTX_LANES; i++)
        address[i] = expected->base + i * expected->stride;
    pattern_run_begin(&run, 0, 0, 0);
    pattern_run_request(&run, expected->point, expected->bytes, expected->mask, address);
    pattern_run_end(&run);
    const PsPattern *pattern = pattern_run_pattern(&run, expected->point);
    g_assert_cmpuint(pattern->sectors, ==, expected->sectors);
    g_assert_cmpuint(pattern->least, ==, expected->least);
    g_assert_cmpuint(pattern->degree, ==, expected->degree);
    g_assert_cmpuint(pattern->passes, ==, expected->passes);
    g_assert_cmpint(pattern->requests, ==, 1);
    g_assert_cmpint(pattern->lanes, ==, __builtin_popcount(expected->mask));
    const PsClassAccess access = ps_pattern_access(pattern);
    g_autofree char *name = ps_class_with_access("load", &access);
    g_autofree char *said = g_strjoin(".", "load", expected->suffix, NULL);
    g_assert_cmpstr(name, ==, said);
}

static void test_sectors(void)
{
    static const Case cases[] = {
        {LOAD, 4, ALL, 4096, 4, 4, 4, 0, 0, NULL}, /* coalesced */
        {LOAD, 8, ALL, 4096, 8, 8, 8, 0, 0, NULL},
        {LOAD, 16, ALL, 4096, 16, 16, 16, 0, 0, NULL},
        {LOAD, 2, ALL, 4096, 2, 2, 2, 0, 0, NULL},
        {LOAD, 1, ALL, 4096, 1, 1, 1, 0, 0, NULL},
        {LOAD, 4, ALL, 4100, 4, 5, 4, 0, 0, "s5"}, /* misaligned by 4 */
        {LOAD, 4, ALL, 4096, 8, 8, 4, 0, 0, "s8"}, /* every second word, ... */
        {LOAD, 4, ALL, 4096, 12, 12, 4, 0, 0, "s12"},
        {LOAD, 4, ALL, 4096, 16, 16, 4, 0, 0, "s16"},
        {LOAD, 4, ALL, 4096, 32, 32, 4, 0, 0, "s32"}, /* ... every eighth ... */
        {LOAD, 4, ALL, 4096, 128, 32, 4, 0, 0, "s32"},
        {STORE, 4, ALL, 4096, 4096, 32, 4, 0, 0, "s32"}, /* a column */
        {LOAD, 4, ALL, 4096, 0, 1, 1, 0, 0, "broadcast"},
        {STORE, 4, ALL, 4096, 0, 1, 1, 0, 0, NULL},
        {LOAD, 4, 1, 4096, 0, 1, 1, 0, 0, NULL}, /* one lane shares with nobody */
        {LOAD, 4, 0xffff, 4096, 4, 2, 2, 0, 0, NULL},
        {LOAD, 4, 0x55555555, 4096, 4, 4, 2, 0, 0, "s4"},
        {LOAD, 4, ALL, 4096 + 31 * 4, (guint64)-4, 4, 4, 0, 0, NULL}, /* backwards */
        {LOAD, 4, ALL, 4096 + 31 * 64, (guint64)-64, 32, 4, 0, 0, "s32"},
        {LOAD, 4, ALL, 4098, 2, 3, 3, 0, 0, NULL}, /* overlapping */
        {CONSTANT, 4, ALL, 64, 0, 0, 0, 1, 1, "broadcast"},
        {CONSTANT, 4, ALL, 64, 4, 0, 0, 32, 1, "c32"},
        {STACK, 4, ALL, 64, 0, 4, 4, 0, 0, NULL}, /* a word of all lanes is a line */
        {STACK, 8, ALL, 64, 0, 8, 8, 0, 0, NULL},
        {STACK, 4, ALL, 0, 4, 32, 4, 0, 0, "s32"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        assert_case(&cases[i]);
    }
}

/* Three lanes of each sector, in disorder; two at the end of one and the beginning of the next. */
static void test_disorder(void)
{
    const PsPatternRules rules = {0};
    g_auto(PatternRun) run = pattern_run_new(&rules);
    guint64 address[PS_PTX_LANES];
    for (guint i = 0; i < PS_PTX_LANES; i++)
        address[i] = 65536 + (i * 7 % 32) / 3 * 1024 + (i * 7 % 32) % 3 * 8;
    pattern_run_begin(&run, 0, 0, 0);
    pattern_run_request(&run, LOAD, 4, ALL, address);
    pattern_run_end(&run);
    const PsPattern *pattern = pattern_run_pattern(&run, LOAD);
    g_assert_cmpuint(pattern->sectors, ==, 11);
    g_assert_cmpuint(pattern->least, ==, 4);
}

static void test_banks(void)
{
    static const Case cases[] = {
        {LOCAL, 4, ALL, 0, 4, 0, 0, 1, 1, NULL},
        {LOCAL, 4, ALL, 20, 4, 0, 0, 1, 1, NULL},
        {LOCAL, 4, ALL, 0, 8, 0, 0, 2, 1, "c2"},
        {LOCAL, 4, ALL, 0, 12, 0, 0, 1, 1, NULL}, /* odd strides have no conflict */
        {LOCAL, 4, ALL, 0, 16, 0, 0, 4, 1, "c4"},
        {LOCAL, 4, ALL, 0, 32, 0, 0, 8, 1, "c8"},
        {LOCAL, 4, ALL, 0, 64, 0, 0, 16, 1, "c16"},
        {LOCAL, 4, ALL, 0, 128, 0, 0, 32, 1, "c32"}, /* a column of a tile of 32 words */
        {LOCAL, 4, ALL, 0, 132, 0, 0, 1, 1, NULL},   /* of 33 */
        {LOCAL, 4, ALL, 0, 0, 0, 0, 1, 1, "broadcast"},
        {LOCAL, 4, 0xff, 0, 128, 0, 0, 8, 1, "c8"},
        {LOCAL, 1, ALL, 0, 1, 0, 0, 1, 1, NULL}, /* four lanes share a word */
        {LOCAL, 2, ALL, 0, 2, 0, 0, 1, 1, NULL},
        {LOCAL, 2, ALL, 0, 128, 0, 0, 32, 1, "c32"},
        {LOCAL, 8, ALL, 0, 8, 0, 0, 1, 2, NULL},
        {LOCAL, 8, ALL, 0, 16, 0, 0, 2, 2, "c2"},
        {LOCAL, 8, ALL, 0, 256, 0, 0, 16, 2, "c16"},
        {LOCAL, 8, ALL, 0, 264, 0, 0, 1, 2, NULL},
        {LOCAL, 8, 0xffff, 0, 8, 0, 0, 1, 1, NULL},
        {LOCAL, 8, 0x1ffff, 0, 16, 0, 0, 2, 2, "c2"}, /* 2 and 1 passes: a mean of 1.5 */
        {LOCAL, 16, ALL, 0, 16, 0, 0, 1, 4, NULL},
        {LOCAL, 16, ALL, 0, 32, 0, 0, 2, 4, "c2"},
        {LOCAL, 16, ALL, 0, 128, 0, 0, 8, 4, "c8"},
        {LOCAL, 16, ALL, 0, 0, 0, 0, 1, 2, "broadcast"}, /* half the warp at once */
        {LOCAL, 8, ALL, 0, 0, 0, 0, 1, 1, "broadcast"},
        {LOCAL, 16, 0x55555555, 0, 8, 0, 0, 1, 2, "p2"}, /* of each two lanes one loads */
        {LOCAL_RED, 8, ALL, 0, 0, 0, 0, 16, 2, "c16"},
        {LOCAL_RED, 4, ALL, 0, 4, 0, 0, 1, 1, NULL},
        {LOCAL_RED, 4, ALL, 0, 0, 0, 0, 32, 1, "c32"}, /* updates take turns */
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        assert_case(&cases[i]);
    }
}

/* The number that those bits of a lane's number are, packed. */
static guint kept_bits(guint lane, guint keep)
{
    guint number = 0, n = 0;
    for (guint bit = 0; bit < 5; bit++)
        if (keep >> bit & 1)
            number |= (lane >> bit & 1) << n++;
    return number;
}

/* Lanes that load the same by twos, where the quarters or halves of a warp would be served one
 * after the other. */
static void test_pairs(void)
{
    static const struct {
        guint bytes, keep, step, degree, passes;
        const char *suffix;
    } cases[] = {
        {16, 0x1e, 16, 1, 2, "p2"},    /* T and T ^ 1 */
        {16, 0x1d, 16, 1, 2, "p2"},    /* T and T ^ 2 */
        {16, 0x1b, 16, 1, 4, NULL},    /* T and T ^ 4: not together */
        {16, 0x1e, 64, 4, 2, "c4.p2"}, /* conflicts of half a warp */
        {16, 0x1c, 16, 1, 2, "p2"},    /* fours */
        {8, 0x1e, 8, 1, 1, "p2"},      {8, 0x1d, 8, 1, 1, "p2"},
        {8, 0x1f, 8, 1, 2, NULL},      {4, 0x1e, 4, 1, 1, NULL}, /* all at once anyway */
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const PsPatternRules rules = {0};
        g_auto(PatternRun) run = pattern_run_new(&rules);
        guint64 address[PS_PTX_LANES];
        for (guint lane = 0; lane < PS_PTX_LANES; lane++)
            address[lane] = kept_bits(lane, cases[i].keep) * cases[i].step;
        pattern_run_begin(&run, 0, 0, 0);
        pattern_run_request(&run, LOCAL, cases[i].bytes, ALL, address);
        pattern_run_end(&run);
        const PsPattern *pattern = pattern_run_pattern(&run, LOCAL);
        g_assert_cmpuint(pattern->degree, ==, cases[i].degree);
        g_assert_cmpuint(pattern->passes, ==, cases[i].passes);
        const PsClassAccess access = ps_pattern_access(pattern);
        g_autofree char *name = ps_class_with_access("load", &access);
        g_autofree char *said = g_strjoin(".", "load", cases[i].suffix, NULL);
        g_assert_cmpstr(name, ==, said);
    }
}

/* Passes of L1's banks: some lanes beside each other ask for what lies so far apart, the others for
 * the same. Loads of 16 bytes that all lanes share take a pass for each quarter, unlike in local
 * memory.
 */
static void test_wavefronts(void)
{
    static const struct {
        guint point, bytes, lanes, stride, wavefronts;
    } cases[] = {
        {LOAD, 4, 32, 4, 1},    {LOAD, 1, 32, 1, 1},    {LOAD, 4, 8, 32, 2},  {LOAD, 4, 16, 32, 4},
        {LOAD, 4, 8, 64, 4},    {LOAD, 8, 32, 8, 2},    {LOAD, 8, 8, 64, 8},  {LOAD, 16, 32, 16, 4},
        {LOAD, 16, 8, 32, 8},   {LOAD, 16, 8, 64, 16},  {LOAD, 4, 32, 20, 1}, {LOAD, 4, 32, 48, 4},
        {LOAD, 4, 32, 132, 1},  {LOAD, 4, 32, 128, 32}, {LOAD, 4, 1, 0, 1},   {LOAD, 16, 1, 0, 4},
        {STORE, 4, 32, 64, 16}, {STORE, 16, 32, 16, 4},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const PsPatternRules rules = {0};
        g_auto(PatternRun) run = pattern_run_new(&rules);
        guint64 address[PS_PTX_LANES];
        for (guint lane = 0; lane < PS_PTX_LANES; lane++)
            address[lane] = 4096 + lane % cases[i].lanes * cases[i].stride;
        pattern_run_begin(&run, 0, 0, 0);
        for (guint time = 0; time < 2; time++)
            pattern_run_request(&run, cases[i].point, cases[i].bytes, ALL, address);
        pattern_run_end(&run);
        const PsPattern *pattern = pattern_run_pattern(&run, cases[i].point);
        g_assert_cmpuint(pattern->wavefronts, ==, cases[i].wavefronts);
        g_assert_cmpfloat(ps_pattern_traffic(pattern).wavefronts, ==, 2.0 * cases[i].wavefronts);
    }
}

/* Pairs of lanes read one word: rows of a tile of 16. */
static void test_shared_words(void)
{
    const PsPatternRules rules = {0};
    g_auto(PatternRun) run = pattern_run_new(&rules);
    guint64 address[PS_PTX_LANES];
    for (guint i = 0; i < PS_PTX_LANES; i++)
        address[i] = i / 16 * 64;
    pattern_run_begin(&run, 0, 0, 0);
    pattern_run_request(&run, LOCAL, 4, ALL, address);
    for (guint i = 0; i < PS_PTX_LANES; i++)
        address[i] = i / 16 * 128;
    pattern_run_request(&run, LOCAL_RED, 4, ALL, address);
    pattern_run_end(&run);
    g_assert_cmpuint(pattern_run_pattern(&run, LOCAL)->degree, ==, 1);
    g_assert_false(pattern_run_pattern(&run, LOCAL)->broadcast);
    g_assert_cmpuint(pattern_run_pattern(&run, LOCAL_RED)->degree, ==, 32);
}

static void test_alike(void)
{
    const PsPatternRules rules = {0};
    g_auto(PatternRun) run = pattern_run_new(&rules);
    pattern_run_begin(&run, 0, 0, 0);
    for (guint i = 0; i < 100; i++) {
        pattern_run_strided(&run, LOAD, 4, 4096 + 128 * i, 4);
        pattern_run_strided(&run, LOAD, 4, 4096 + 128 * i, 16);
    }
    pattern_run_end(&run);
    const GPtrArray *patterns = ps_roll_patterns(run.roll);
    g_assert_cmpuint(patterns->len, ==, 2);
    g_assert_cmpint(((PsPattern *)g_ptr_array_index(patterns, 0))->requests, ==, 100);
    g_assert_cmpint(((PsPattern *)g_ptr_array_index(patterns, 1))->to_l1, ==, 1600);
}

/* ---- caches -------------------------------------------------------------------------------- */

/* passes over n lines, of which the first-level cache keeps l1 bytes. */
static void passes(PatternRun *run, guint point, guint n_lines, guint n)
{
    pattern_run_begin(run, 0, 0, 0);
    for (guint pass = 0; pass < n; pass++)
        for (guint i = 0; i < n_lines; i++)
            pattern_run_strided(run, point, 4, 65536 + 128 * (guint64)i, 4);
    pattern_run_end(run);
}

static void assert_passes(const PsPatternRules *rules, guint point, guint n_lines,
                          const gint64 expected[3])
{
    g_auto(PatternRun) run = pattern_run_new(rules);
    passes(&run, point, n_lines, 3);
    const PsPattern *pattern = pattern_run_pattern(&run, point);
    g_assert_cmpint(pattern->to_l1, ==, expected[0]);
    g_assert_cmpint(pattern->to_l2, ==, expected[1]);
    g_assert_cmpfloat(pattern->to_device, ==, (double)expected[2]);
}

static void test_l1(void)
{
    const PsPatternRules rules = {.l1 = 64 * 128};
    const PsPatternRules all = {.l1 = 64 * 128, .l1_global = TRUE};
    const PsPatternRules none = {0};
    assert_passes(&rules, CACHED, 64, (const gint64[]){768, 256, 256}); /* fits: one miss each */
    assert_passes(&rules, CACHED, 65, (const gint64[]){780, 780, 260}); /* each is lost in time */
    assert_passes(&rules, LOAD, 64, (const gint64[]){768, 768, 256});   /* not asked for */
    assert_passes(&all, LOAD, 64, (const gint64[]){768, 256, 256});
    assert_passes(&all, BYPASS, 64, (const gint64[]){768, 768, 256});
    assert_passes(&all, STORE, 64, (const gint64[]){768, 768, 256});  /* written back once */
    assert_passes(&all, ATOMIC, 64, (const gint64[]){768, 768, 512}); /* and fetched once */
    assert_passes(&none, CACHED, 64, (const gint64[]){768, 768, 256});
}

static void test_l2(void)
{
    const PsPatternRules fits = {.l2 = 64 * 128};
    assert_passes(&fits, LOAD, 64, (const gint64[]){768, 768, 256});
    assert_passes(&fits, LOAD, 65, (const gint64[]){780, 780, 780}); /* fetched each time */
}

/* A column of words: the first pass brings one sector of each line, the next seven find it. */
static void test_columns(void)
{
    const PsPatternRules rules = {.l1 = 32 * 128, .l1_global = TRUE};
    g_auto(PatternRun) run = pattern_run_new(&rules);
    pattern_run_begin(&run, 0, 0, 0);
    for (guint column = 0; column < 32; column++)
        pattern_run_strided(&run, LOAD, 4, 65536 + column * 4, 4096);
    pattern_run_end(&run);
    const PsPattern *pattern = pattern_run_pattern(&run, LOAD);
    g_assert_cmpint(pattern->to_l1, ==, 1024);
    g_assert_cmpint(pattern->to_l2, ==, 128);
    g_assert_cmpfloat(pattern->to_device, ==, 128);
}

/* What a group has written it finds in L2; an atomic takes the line out of L1. */
static void test_written(void)
{
    const PsPatternRules rules = {.l1 = 4096, .l1_global = TRUE};
    g_auto(PatternRun) run = pattern_run_new(&rules);
    pattern_run_begin(&run, 0, 0, 0);
    pattern_run_strided(&run, STORE, 4, 4096, 4);
    pattern_run_strided(&run, LOAD, 4, 4096, 4);
    pattern_run_strided(&run, LOAD, 4, 4096, 4);
    pattern_run_strided(&run, ATOMIC, 4, 4096, 4);
    pattern_run_strided(&run, LOAD, 4, 4096, 4);
    pattern_run_end(&run);
    g_assert_cmpint(pattern_run_pattern(&run, LOAD)->to_l2, ==, 8);
    g_assert_cmpfloat(pattern_run_pattern(&run, LOAD)->to_device, ==, 0);
    g_assert_cmpfloat(pattern_run_pattern(&run, STORE)->to_device, ==, 4);
    g_assert_cmpfloat(pattern_run_pattern(&run, ATOMIC)->to_device, ==, 0);
}

/* A group of warps, each of which stores a word of every sector, the next one's behind it; the
 * sectors that reach device memory. */
static double stored(const PsPatternRules *rules, guint warps, gboolean loads_first)
{
    g_auto(PatternRun) run = pattern_run_new(rules);
    pattern_run_begin(&run, 0, 0, 0);
    if (loads_first)
        pattern_run_strided(&run, LOAD, 4, 65536, 32);
    for (guint warp = 0; warp < warps; warp++)
        pattern_run_strided(&run, STORE, 4, 65536 + 4 * warp, 32);
    pattern_run_end(&run);
    return pattern_run_pattern(&run, STORE)->to_device;
}

/* What leaves L2 without all its words is read before, unless device memory has masks: of 1 KiB
 * that is written all but what L2 keeps. */
static void test_torn(void)
{
    const PsPatternRules any = {0}, half = {.l2 = 512}, fits = {.l2 = 1024},
                         masked = {.l2 = 512, .masked = TRUE};
    g_assert_cmpfloat(stored(&half, 1, FALSE), ==, 32 + 16);
    g_assert_cmpfloat(stored(&half, 7, FALSE), ==, 32 + 16);
    g_assert_cmpfloat(stored(&half, 8, FALSE), ==, 32);
    g_assert_cmpfloat(stored(&half, 1, TRUE), ==, 32);
    g_assert_cmpfloat(stored(&fits, 1, FALSE), ==, 32);
    g_assert_cmpfloat(stored(&any, 1, FALSE), ==, 32);
    g_assert_cmpfloat(stored(&masked, 1, FALSE), ==, 32);
}

/* Two groups complete the sector at which they meet; those at the ends lack words. */
static void test_torn_at_borders(void)
{
    const PsPatternRules rules = {.l2 = 256, .grid = {2, 1, 1}};
    g_auto(PatternRun) run = pattern_run_new(&rules);
    for (guint x = 0; x < 2; x++) {
        pattern_run_begin(&run, x, 0, 0);
        pattern_run_strided(&run, STORE, 4, 65552 + 128 * (guint64)x, 4);
        pattern_run_end(&run);
    }
    const double spilled = 1 - 256 / (3 * 128.0); /* these lie in three lines */
    g_assert_cmpfloat_with_epsilon(pattern_run_pattern(&run, STORE)->to_device, 9 + 2 * spilled,
                                   1e-9);
}

/* ---- sectors that a request writes in part -------------------------------------------------- */

/* What of the sectors of a request is written in part. */
static double partial_of(guint point, guint bytes, guint32 mask, guint64 base, guint64 stride)
{
    const PsPatternRules rules = {0};
    g_auto(PatternRun) run = pattern_run_new(&rules);
    guint64 address[PS_PTX_LANES];
    for (guint i = 0; i < PS_PTX_LANES; i++)
        address[i] = base + i * stride;
    pattern_run_begin(&run, 0, 0, 0);
    pattern_run_request(&run, point, bytes, mask, address);
    pattern_run_end(&run);
    return ps_pattern_traffic(pattern_run_pattern(&run, point)).partial;
}

static void test_partial(void)
{
    g_assert_cmpfloat(partial_of(STORE, 4, ALL, 4096, 4), ==, 0);
    g_assert_cmpfloat(partial_of(STORE, 4, ALL, 4100, 4), ==, 2);   /* of five */
    g_assert_cmpfloat(partial_of(STORE, 16, ALL, 4112, 16), ==, 2); /* of 17 */
    g_assert_cmpfloat(partial_of(STORE, 2, ALL, 4112, 2), ==, 2);   /* of three */
    g_assert_cmpfloat(partial_of(STORE, 2, 0xff, 4096, 2), ==, 1);
    g_assert_cmpfloat(partial_of(STORE, 4, 0x00ffff00, 4096, 4), ==, 0); /* two of four sectors */
    g_assert_cmpfloat(partial_of(STORE, 4, 0x00fffff0, 4096, 4), ==, 1);
    g_assert_cmpfloat(partial_of(STORE, 4, ALL, 4096, 8), ==, 8);
    g_assert_cmpfloat(partial_of(STORE, 4, ALL, 4096, 4096), ==, 32);
    g_assert_cmpfloat(partial_of(STORE, 1, ALL, 4096, 1), ==, 0);
    g_assert_cmpfloat(partial_of(STORE, 1, ALL, 4096, 2), ==, 2); /* each word, half of its bytes */
    g_assert_cmpfloat(partial_of(STORE, 4, ALL, 4096 + 31 * 4, (guint64)-4), ==, 0);
    g_assert_cmpfloat(partial_of(LOAD, 4, ALL, 4100, 4), ==, 0);
}

/* A request's sectors count, though requests that follow complete them. */
static void test_partial_completed(void)
{
    const PsPatternRules rules = {0};
    g_auto(PatternRun) run = pattern_run_new(&rules);
    pattern_run_begin(&run, 0, 0, 0);
    for (guint64 i = 0; i < 8; i++)
        pattern_run_strided(&run, STORE, 4, 65536 + 4 * i, 32);
    pattern_run_end(&run);
    const PsPattern *pattern = pattern_run_pattern(&run, STORE);
    g_assert_cmpfloat(ps_pattern_traffic(pattern).partial, ==, 8 * 32);
    g_assert_cmpfloat(pattern->to_device, ==, 32);
}

/* Each group has a first level of its own, and threads' memory stays on the chip. */
static void test_groups(void)
{
    const PsPatternRules rules = {.l1 = 4096, .grid = {4, 1, 1}};
    g_auto(PatternRun) run = pattern_run_new(&rules);
    for (guint x = 0; x < 3; x++) {
        pattern_run_begin(&run, x, 0, 0);
        pattern_run_strided(&run, CACHED, 4, 4096, 4);
        pattern_run_strided(&run, STACK_STORE, 4, 64, 0);
        pattern_run_strided(&run, STACK, 4, 64, 0);
        pattern_run_end(&run);
    }
    g_assert_cmpint(pattern_run_pattern(&run, CACHED)->to_l2, ==, 12);
    g_assert_cmpfloat(pattern_run_pattern(&run, CACHED)->to_device, ==, 3); /* 12 / 4 */
    g_assert_cmpint(pattern_run_pattern(&run, STACK_STORE)->to_l2, ==, 12);
    g_assert_cmpint(pattern_run_pattern(&run, STACK)->to_l2, ==, 0);
    g_assert_cmpfloat(pattern_run_pattern(&run, STACK_STORE)->to_device, ==, 0);
}

/* ---- one compute unit ---------------------------------------------------------------------- */

/* A group that a unit gets in that round: two warps read n lines each, one after the other. */
static void listed(PatternRun *run, guint round, guint64 base, guint n_lines)
{
    ps_roll_next(run->roll, (PsPatternGroup){.of_unit = TRUE, .round = round, .strewn = TRUE});
    run->listener.group_begins(run->listener.data, (const guint[3]){round, 0, 0});
    for (guint i = 0; i < n_lines; i++)
        pattern_run_strided(run, CACHED, 4, base + 128 * (guint64)i, 4);
    pattern_run_strided(run, STORE, 4, base, 4);
    pattern_run_end(run);
}

static PsTraffic traffic_of(const PatternRun *run, guint point)
{
    return ps_pattern_traffic(pattern_run_pattern(run, point));
}

/* Groups that the unit holds at once, and those that follow, find what the first has brought; a
 * store finds it, too, and brings nothing. */
static void test_unit(void)
{
    const PsPatternRules rules = {.l1 = 64 * 128, .resident = 2, .rounds = 4, .grid = {4, 1, 1}};
    g_auto(PatternRun) run = pattern_run_new(&rules);
    for (guint round = 0; round < 4; round++)
        listed(&run, round, 65536, 32);
    const PsTraffic traffic = traffic_of(&run, CACHED);
    g_assert_cmpfloat(traffic.l1, ==, 4 * 128);
    g_assert_cmpfloat_with_epsilon(traffic.l2, 128, 1e-9); /* once, not by each */
    const PsHitRates rates = ps_roll_rates(run.roll);
    g_assert_cmpfloat(rates.l1, ==, 4 * (128 + 4));
    g_assert_cmpfloat_with_epsilon(rates.l1_hits, 3 * 128 + 4 * 4, 1e-9);
    g_assert_cmpfloat_with_epsilon(rates.l2, 128 + 4 * 4, 1e-9);
}

/* Alone, the first group's copy fetches a line. At once, the second group's load asks L2 for it
 * first, so that it is the one that fetches: what asks L2 for nothing brings nothing. */
static void test_copies(void)
{
    const PsPatternRules rules = {.l1 = 64 * 128, .resident = 2, .rounds = 2, .grid = {2, 1, 1}};
    g_auto(PatternRun) run = pattern_run_new(&rules);
    for (guint round = 0; round < 2; round++) {
        ps_roll_next(run.roll, (PsPatternGroup){.of_unit = TRUE, .round = round, .strewn = TRUE});
        run.listener.group_begins(run.listener.data, (const guint[3]){round, 0, 0});
        pattern_run_strided(&run, CACHED, 4, round == 0 ? B : A, 4);
        pattern_run_strided(&run, COPY, 4, round == 0 ? A : B, 4);
        pattern_run_end(&run);
    }
    const PsTraffic copied = traffic_of(&run, COPY), loaded = traffic_of(&run, CACHED);
    g_assert_cmpfloat_with_epsilon(copied.l2, 0, 1e-9);
    g_assert_cmpfloat_with_epsilon(copied.device, 0, 1e-9);
    g_assert_cmpfloat_with_epsilon(loaded.l2, 2 * 4, 1e-9);
    g_assert_cmpfloat_with_epsilon(loaded.device, 2 * 4, 1e-9);
}

/* Two at once take turns, so that 33 lines of each do not fit in 64, though one group's would. */
static void test_turns(void)
{
    const PsPatternRules rules = {.l1 = 64 * 128, .resident = 2, .rounds = 2, .grid = {2, 1, 1}};
    for (guint n_lines = 32; n_lines < 34; n_lines++) {
        g_auto(PatternRun) run = pattern_run_new(&rules);
        for (guint round = 0; round < 2; round++) {
            ps_roll_next(run.roll, (PsPatternGroup){.of_unit = TRUE, .round = round});
            run.listener.group_begins(run.listener.data, (const guint[3]){round, 0, 0});
            for (guint pass = 0; pass < 2; pass++)
                for (guint i = 0; i < n_lines; i++)
                    pattern_run_strided(&run, CACHED, 4, A + round * 65536 + 128 * (guint64)i, 4);
            pattern_run_end(&run);
        }
        const double passes = n_lines == 32 ? 1 : 2;
        g_assert_cmpfloat_with_epsilon(traffic_of(&run, CACHED).l2, passes * 2 * 4 * n_lines, 1e-9);
    }
}

/* Two groups at once ask for lines that fill L1, and then for their next words: what joins the
 * first request finds what that brings, what does not has lost it to the other group. */
static void test_joined(void)
{
    static const guint seconds[] = {NEXT, CACHED};
    const PsPatternRules rules = {.l1 = 32 * 128, .resident = 2, .rounds = 2, .grid = {2, 1, 1}};
    for (guint i = 0; i < G_N_ELEMENTS(seconds); i++) {
        g_auto(PatternRun) run = pattern_run_new(&rules);
        for (guint round = 0; round < 2; round++) {
            ps_roll_next(run.roll, (PsPatternGroup){.of_unit = TRUE, .round = round});
            run.listener.group_begins(run.listener.data, (const guint[3]){round, 0, 0});
            pattern_run_strided(&run, FIRST, 4, A + 65536 * (guint64)round, 128);
            pattern_run_strided(&run, seconds[i], 4, A + 65536 * (guint64)round + 4, 128);
            pattern_run_end(&run);
        }
        g_assert_cmpfloat_with_epsilon(traffic_of(&run, FIRST).l2, 2 * 32, 1e-9);
        g_assert_cmpfloat_with_epsilon(traffic_of(&run, seconds[i]).l2,
                                       seconds[i] == NEXT ? 0 : 2 * 32, 1e-9);
    }
}

/* Where a unit holds four groups and one was executed, that has a quarter of L1; where a launch has
 * more rounds than were executed, the first half of them is there to fill the cache. */
static void test_few(void)
{
    const PsPatternRules rules = {.l1 = 64 * 128, .resident = 4, .rounds = 8, .grid = {8, 1, 1}};
    g_auto(PatternRun) one = pattern_run_new(&rules);
    ps_roll_next(one.roll, (PsPatternGroup){.of_unit = TRUE});
    passes(&one, CACHED, 17, 2);
    g_assert_cmpfloat_with_epsilon(traffic_of(&one, CACHED).l2, 2 * 17 * 4, 1e-9);
    g_auto(PatternRun) some = pattern_run_new(&rules);
    for (guint round = 0; round < 4; round++)
        listed(&some, round, 65536, 16);
    g_assert_cmpfloat(traffic_of(&some, CACHED).l2, ==, 0);
}

/* A thread's own memory is that of its place: the next group there finds it, its neighbour not. */
static void test_own_memory(void)
{
    const PsPatternRules rules = {.l1 = 64 * 128, .resident = 2, .rounds = 4, .grid = {4, 1, 1}};
    g_auto(PatternRun) run = pattern_run_new(&rules);
    for (guint round = 0; round < 4; round++) {
        ps_roll_next(run.roll, (PsPatternGroup){.of_unit = TRUE, .round = round});
        run.listener.group_begins(run.listener.data, (const guint[3]){round, 0, 0});
        pattern_run_strided(&run, STACK, 4, 64, 0);
        pattern_run_end(&run);
    }
    g_assert_cmpfloat_with_epsilon(traffic_of(&run, STACK).l2, 2 * 4, 1e-9);
}

/* Eight groups run at once, each of which goes twice through eight lines of its threads' own
 * memory; L1 holds none. What all of them have reaches device memory if L2 is smaller, and not
 * otherwise.
 */
static void test_own_memory_lost(void)
{
    const guint lines = 8;
    for (guint fits = 0; fits < 2; fits++) {
        const PsPatternRules rules = {.l1 = 2 * 128,
                                      .l2 = (4 + 4 * fits) * 8 * 128,
                                      .resident = 2,
                                      .units = 4,
                                      .rounds = 2,
                                      .grid = {8, 1, 1}};
        g_auto(PatternRun) run = pattern_run_new(&rules);
        for (guint round = 0; round < 2; round++) {
            ps_roll_next(run.roll, (PsPatternGroup){.of_unit = TRUE, .round = round});
            run.listener.group_begins(run.listener.data, (const guint[3]){round, 0, 0});
            for (guint i = 0; i < 2 * lines; i++)
                pattern_run_strided(&run, STACK, 4, 64 + 4 * (guint64)(i % lines), 0);
            pattern_run_end(&run);
        }
        const double all = 2 * 2 * lines * 4;
        g_assert_cmpfloat_with_epsilon(traffic_of(&run, STACK).l2, all, 1e-9);
        g_assert_cmpfloat_with_epsilon(traffic_of(&run, STACK).device, fits ? 0 : all / 2, 1e-9);
    }
}

/* What a group that failed asked for does not count. */
static void test_failed(void)
{
    const PsPatternRules rules = {.l1 = 4096, .grid = {4, 1, 1}};
    g_auto(PatternRun) run = pattern_run_new(&rules);
    pattern_run_begin(&run, 0, 0, 0);
    pattern_run_strided(&run, CACHED, 4, 4096, 4);
    pattern_run_begin(&run, 1, 0, 0);
    pattern_run_strided(&run, CACHED, 4, 8192, 4);
    pattern_run_end(&run);
    g_assert_cmpint(pattern_run_pattern(&run, CACHED)->requests, ==, 1);
    g_assert_cmpfloat(pattern_run_pattern(&run, CACHED)->to_device, ==, 4);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-pattern/sectors", test_sectors);
    g_test_add_func("/ptx-pattern/disorder", test_disorder);
    g_test_add_func("/ptx-pattern/banks", test_banks);
    g_test_add_func("/ptx-pattern/pairs", test_pairs);
    g_test_add_func("/ptx-pattern/wavefronts", test_wavefronts);
    g_test_add_func("/ptx-pattern/shared-words", test_shared_words);
    g_test_add_func("/ptx-pattern/alike", test_alike);
    g_test_add_func("/ptx-pattern/l1", test_l1);
    g_test_add_func("/ptx-pattern/l2", test_l2);
    g_test_add_func("/ptx-pattern/columns", test_columns);
    g_test_add_func("/ptx-pattern/groups", test_groups);
    g_test_add_func("/ptx-pattern/copies", test_copies);
    g_test_add_func("/ptx-pattern/unit", test_unit);
    g_test_add_func("/ptx-pattern/joined", test_joined);
    g_test_add_func("/ptx-pattern/turns", test_turns);
    g_test_add_func("/ptx-pattern/few", test_few);
    g_test_add_func("/ptx-pattern/own-memory", test_own_memory);
    g_test_add_func("/ptx-pattern/own-memory-lost", test_own_memory_lost);
    g_test_add_func("/ptx-pattern/failed", test_failed);
    g_test_add_func("/ptx-pattern/written", test_written);
    g_test_add_func("/ptx-pattern/torn", test_torn);
    g_test_add_func("/ptx-pattern/partial", test_partial);
    g_test_add_func("/ptx-pattern/partial-completed", test_partial_completed);
    g_test_add_func("/ptx-pattern/torn-at-borders", test_torn_at_borders);
    return g_test_run();
}
