/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Access patterns and what caches make of them, against values worked out by hand: what textbooks
 * say of coalescing and bank conflicts, passes over data that fit in L1 or do not, and what
 * neighbouring groups share.
 */
#include "lift/roll.h"
#include "tests/help/hand-code.h"

#define ALL 0xffffffffU

/* Addresses of buffers. */
#define A G_GUINT64_CONSTANT(0x100000)
#define B G_GUINT64_CONSTANT(0x800000)
#define C G_GUINT64_CONSTANT(0xf00000)

/* Points of the code that all cases use. */
enum {
    LOAD,       /* ld.global */
    CACHED,     /* ld.global.nc */
    STORE,      /* st.global */
    ATOMIC,     /* red.global */
    BYPASS,     /* ld.global.cg */
    LOCAL,      /* ld.shared */
    LOCAL_RED,  /* atom.shared */
    CONSTANT,   /* ld.const */
    STACK,      /* ld.local */
    STACK_STORE /* st.local */
};

typedef struct {
    PsPtxCode *code;
    PsRoll *roll;
    PsPtxListener listener;
} Run;

static Run run_new(const PsPatternRules *rules)
{
    static const HandPoint points[] = {
        {"ld.global.f32", NOWHERE, NOWHERE},    {"ld.global.nc.f32", NOWHERE, NOWHERE},
        {"st.global.f32", NOWHERE, NOWHERE},    {"red.global.add.u32", NOWHERE, NOWHERE},
        {"ld.global.cg.f32", NOWHERE, NOWHERE}, {"ld.shared.f32", NOWHERE, NOWHERE},
        {"atom.shared.add", NOWHERE, NOWHERE},  {"ld.const.f32", NOWHERE, NOWHERE},
        {"ld.local.f32", NOWHERE, NOWHERE},     {"st.local.f32", NOWHERE, NOWHERE}};
    PsRollOptions options = {.patterns = *rules};
    Run run = {.code = hand_code(points, G_N_ELEMENTS(points), NULL, 0)};
    run.roll = ps_roll_new(run.code, &options);
    run.listener = ps_roll_listener(run.roll);
    return run;
}

static void run_clear(Run *run)
{
    ps_roll_free(run->roll);
    hand_code_free(run->code);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Run, run_clear)

static void begin(Run *run, guint x, guint y, guint z)
{
    const guint group[3] = {x, y, z};
    run->listener.group_begins(run->listener.data, group);
}

static void end(Run *run)
{
    run->listener.group_ends(run->listener.data);
    ps_roll_settle(run->roll);
}

/* A request of the point, with lane i at address[i]. */
static void request(Run *run, guint point, guint bytes, guint32 mask, const guint64 *address)
{
    PsPtxEvent event = {.point = point,
                        .active = ALL,
                        .mask = mask,
                        .memory = TRUE,
                        .space = run->code->points[point].instruction->mnemonic->space,
                        .bytes = bytes,
                        .address = address};
    run->listener.executed(run->listener.data, &event);
}

/* Lane i at base + i * stride. */
static void strided(Run *run, guint point, guint bytes, guint64 base, guint64 stride)
{
    guint64 address[PS_PTX_LANES];
    for (guint i = 0; i < PS_PTX_LANES; i++)
        address[i] = base + i * stride;
    request(run, point, bytes, ALL, address);
}

/* The only pattern of a point. */
static const PsPattern *pattern_of(const Run *run, guint point)
{
    const PsPattern *found = NULL;
    const GPtrArray *patterns = ps_roll_patterns(run->roll);
    for (guint i = 0; i < patterns->len; i++) {
        const PsPattern *pattern = g_ptr_array_index(patterns, i);
        if (pattern->point != point)
            continue;
        g_assert_null(found);
        found = pattern;
    }
    g_assert_nonnull(found);
    return found;
}

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
    g_auto(Run) run = run_new(&rules);
    guint64 address[PS_PTX_LANES];
    for (guint i = 0; i < PS_PTX_LANES; i++)
        address[i] = expected->base + i * expected->stride;
    begin(&run, 0, 0, 0);
    request(&run, expected->point, expected->bytes, expected->mask, address);
    end(&run);
    const PsPattern *pattern = pattern_of(&run, expected->point);
    g_assert_cmpuint(pattern->sectors, ==, expected->sectors);
    g_assert_cmpuint(pattern->least, ==, expected->least);
    g_assert_cmpuint(pattern->degree, ==, expected->degree);
    g_assert_cmpuint(pattern->passes, ==, expected->passes);
    g_assert_cmpint(pattern->requests, ==, 1);
    g_assert_cmpint(pattern->lanes, ==, __builtin_popcount(expected->mask));
    g_autofree char *suffix = ps_pattern_suffix(pattern);
    g_assert_cmpstr(suffix, ==, expected->suffix);
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
    g_auto(Run) run = run_new(&rules);
    guint64 address[PS_PTX_LANES];
    for (guint i = 0; i < PS_PTX_LANES; i++)
        address[i] = 65536 + (i * 7 % 32) / 3 * 1024 + (i * 7 % 32) % 3 * 8;
    begin(&run, 0, 0, 0);
    request(&run, LOAD, 4, ALL, address);
    end(&run);
    const PsPattern *pattern = pattern_of(&run, LOAD);
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
        {LOCAL, 16, ALL, 0, 0, 0, 0, 1, 4, "broadcast"},
        {LOCAL_RED, 4, ALL, 0, 4, 0, 0, 1, 1, NULL},
        {LOCAL_RED, 4, ALL, 0, 0, 0, 0, 32, 1, "c32"}, /* updates take turns */
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        assert_case(&cases[i]);
    }
}

/* Pairs of lanes read one word: rows of a tile of 16. */
static void test_shared_words(void)
{
    const PsPatternRules rules = {0};
    g_auto(Run) run = run_new(&rules);
    guint64 address[PS_PTX_LANES];
    for (guint i = 0; i < PS_PTX_LANES; i++)
        address[i] = i / 16 * 64;
    begin(&run, 0, 0, 0);
    request(&run, LOCAL, 4, ALL, address);
    for (guint i = 0; i < PS_PTX_LANES; i++)
        address[i] = i / 16 * 128;
    request(&run, LOCAL_RED, 4, ALL, address);
    end(&run);
    g_assert_cmpuint(pattern_of(&run, LOCAL)->degree, ==, 1);
    g_assert_false(pattern_of(&run, LOCAL)->broadcast);
    g_assert_cmpuint(pattern_of(&run, LOCAL_RED)->degree, ==, 32);
}

static void test_alike(void)
{
    const PsPatternRules rules = {0};
    g_auto(Run) run = run_new(&rules);
    begin(&run, 0, 0, 0);
    for (guint i = 0; i < 100; i++) {
        strided(&run, LOAD, 4, 4096 + 128 * i, 4);
        strided(&run, LOAD, 4, 4096 + 128 * i, 16);
    }
    end(&run);
    const GPtrArray *patterns = ps_roll_patterns(run.roll);
    g_assert_cmpuint(patterns->len, ==, 2);
    g_assert_cmpint(((PsPattern *)g_ptr_array_index(patterns, 0))->requests, ==, 100);
    g_assert_cmpint(((PsPattern *)g_ptr_array_index(patterns, 1))->to_l1, ==, 1600);
}

/* ---- caches -------------------------------------------------------------------------------- */

/* passes over n lines, of which the first-level cache keeps l1 bytes. */
static void passes(Run *run, guint point, guint n_lines, guint n)
{
    begin(run, 0, 0, 0);
    for (guint pass = 0; pass < n; pass++)
        for (guint i = 0; i < n_lines; i++)
            strided(run, point, 4, 65536 + 128 * (guint64)i, 4);
    end(run);
}

static void assert_passes(const PsPatternRules *rules, guint point, guint n_lines,
                          const gint64 expected[3])
{
    g_auto(Run) run = run_new(rules);
    passes(&run, point, n_lines, 3);
    const PsPattern *pattern = pattern_of(&run, point);
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
    g_auto(Run) run = run_new(&rules);
    begin(&run, 0, 0, 0);
    for (guint column = 0; column < 32; column++)
        strided(&run, LOAD, 4, 65536 + column * 4, 4096);
    end(&run);
    const PsPattern *pattern = pattern_of(&run, LOAD);
    g_assert_cmpint(pattern->to_l1, ==, 1024);
    g_assert_cmpint(pattern->to_l2, ==, 128);
    g_assert_cmpfloat(pattern->to_device, ==, 128);
}

/* What a group has written it finds in L2; an atomic takes the line out of L1. */
static void test_written(void)
{
    const PsPatternRules rules = {.l1 = 4096, .l1_global = TRUE};
    g_auto(Run) run = run_new(&rules);
    begin(&run, 0, 0, 0);
    strided(&run, STORE, 4, 4096, 4);
    strided(&run, LOAD, 4, 4096, 4);
    strided(&run, LOAD, 4, 4096, 4);
    strided(&run, ATOMIC, 4, 4096, 4);
    strided(&run, LOAD, 4, 4096, 4);
    end(&run);
    g_assert_cmpint(pattern_of(&run, LOAD)->to_l2, ==, 8);
    g_assert_cmpfloat(pattern_of(&run, LOAD)->to_device, ==, 0);
    g_assert_cmpfloat(pattern_of(&run, STORE)->to_device, ==, 4);
    g_assert_cmpfloat(pattern_of(&run, ATOMIC)->to_device, ==, 0);
}

/* Each group has a first level of its own, and threads' memory stays on the chip. */
static void test_groups(void)
{
    const PsPatternRules rules = {.l1 = 4096, .grid = {4, 1, 1}};
    g_auto(Run) run = run_new(&rules);
    for (guint x = 0; x < 3; x++) {
        begin(&run, x, 0, 0);
        strided(&run, CACHED, 4, 4096, 4);
        strided(&run, STACK_STORE, 4, 64, 0);
        strided(&run, STACK, 4, 64, 0);
        end(&run);
    }
    g_assert_cmpint(pattern_of(&run, CACHED)->to_l2, ==, 12);
    g_assert_cmpfloat(pattern_of(&run, CACHED)->to_device, ==, 3); /* 12 / 4 */
    g_assert_cmpint(pattern_of(&run, STACK_STORE)->to_l2, ==, 12);
    g_assert_cmpint(pattern_of(&run, STACK)->to_l2, ==, 0);
    g_assert_cmpfloat(pattern_of(&run, STACK_STORE)->to_device, ==, 0);
}

/* ---- one compute unit ---------------------------------------------------------------------- */

/* A group that a unit gets in that round: two warps read n lines each, one after the other. */
static void listed(Run *run, guint round, guint64 base, guint n_lines)
{
    ps_roll_next(run->roll, (PsPatternGroup){.of_unit = TRUE, .round = round, .strewn = TRUE});
    run->listener.group_begins(run->listener.data, (const guint[3]){round, 0, 0});
    for (guint i = 0; i < n_lines; i++)
        strided(run, CACHED, 4, base + 128 * (guint64)i, 4);
    strided(run, STORE, 4, base, 4);
    end(run);
}

static PsTraffic traffic_of(const Run *run, guint point)
{
    return ps_pattern_traffic(pattern_of(run, point));
}

/* Groups that the unit holds at once, and those that follow, find what the first has brought; a
 * store finds it, too, and brings nothing. */
static void test_unit(void)
{
    const PsPatternRules rules = {.l1 = 64 * 128, .resident = 2, .rounds = 4, .grid = {4, 1, 1}};
    g_auto(Run) run = run_new(&rules);
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

/* Two at once take turns, so that 33 lines of each do not fit in 64, though one group's would. */
static void test_turns(void)
{
    const PsPatternRules rules = {.l1 = 64 * 128, .resident = 2, .rounds = 2, .grid = {2, 1, 1}};
    for (guint n_lines = 32; n_lines < 34; n_lines++) {
        g_auto(Run) run = run_new(&rules);
        for (guint round = 0; round < 2; round++) {
            ps_roll_next(run.roll, (PsPatternGroup){.of_unit = TRUE, .round = round});
            run.listener.group_begins(run.listener.data, (const guint[3]){round, 0, 0});
            for (guint pass = 0; pass < 2; pass++)
                for (guint i = 0; i < n_lines; i++)
                    strided(&run, CACHED, 4, A + round * 65536 + 128 * (guint64)i, 4);
            end(&run);
        }
        const double passes = n_lines == 32 ? 1 : 2;
        g_assert_cmpfloat_with_epsilon(traffic_of(&run, CACHED).l2, passes * 2 * 4 * n_lines, 1e-9);
    }
}

/* Where a unit holds four groups and one was executed, that has a quarter of L1; where a launch has
 * more rounds than were executed, the first half of them is there to fill the cache. */
static void test_few(void)
{
    const PsPatternRules rules = {.l1 = 64 * 128, .resident = 4, .rounds = 8, .grid = {8, 1, 1}};
    g_auto(Run) one = run_new(&rules);
    ps_roll_next(one.roll, (PsPatternGroup){.of_unit = TRUE});
    passes(&one, CACHED, 17, 2);
    g_assert_cmpfloat_with_epsilon(traffic_of(&one, CACHED).l2, 2 * 17 * 4, 1e-9);
    g_auto(Run) some = run_new(&rules);
    for (guint round = 0; round < 4; round++)
        listed(&some, round, 65536, 16);
    g_assert_cmpfloat(traffic_of(&some, CACHED).l2, ==, 0);
}

/* A thread's own memory is that of its place: the next group there finds it, its neighbour not. */
static void test_own_memory(void)
{
    const PsPatternRules rules = {.l1 = 64 * 128, .resident = 2, .rounds = 4, .grid = {4, 1, 1}};
    g_auto(Run) run = run_new(&rules);
    for (guint round = 0; round < 4; round++) {
        ps_roll_next(run.roll, (PsPatternGroup){.of_unit = TRUE, .round = round});
        run.listener.group_begins(run.listener.data, (const guint[3]){round, 0, 0});
        strided(&run, STACK, 4, 64, 0);
        end(&run);
    }
    g_assert_cmpfloat_with_epsilon(traffic_of(&run, STACK).l2, 2 * 4, 1e-9);
}

/* What a group that failed asked for does not count. */
static void test_failed(void)
{
    const PsPatternRules rules = {.l1 = 4096, .grid = {4, 1, 1}};
    g_auto(Run) run = run_new(&rules);
    begin(&run, 0, 0, 0);
    strided(&run, CACHED, 4, 4096, 4);
    begin(&run, 1, 0, 0);
    strided(&run, CACHED, 4, 8192, 4);
    end(&run);
    g_assert_cmpint(pattern_of(&run, CACHED)->requests, ==, 1);
    g_assert_cmpfloat(pattern_of(&run, CACHED)->to_device, ==, 4);
}

/* ---- neighbours ---------------------------------------------------------------------------- */

/* Group (x, y) of a product of matrices of order 128 in tiles of 8, warps of 4 rows. */
static void mmul08(Run *run, guint x, guint y)
{
    guint64 a[PS_PTX_LANES];
    guint64 b[PS_PTX_LANES];
    guint64 c[PS_PTX_LANES];
    begin(run, x, y, 0);
    for (guint tile = 0; tile < 16; tile++) {
        for (guint warp = 0; warp < 2; warp++) {
            for (guint i = 0; i < PS_PTX_LANES; i++) {
                guint row = warp * 4 + i / 8;
                a[i] = A + ((y * 8 + row) * 128 + tile * 8 + i % 8) * 4;
                b[i] = B + ((tile * 8 + row) * 128 + x * 8 + i % 8) * 4;
                c[i] = C + ((y * 8 + row) * 128 + x * 8 + i % 8) * 4;
            }
            request(run, LOAD, 4, ALL, a);
            request(run, CACHED, 4, ALL, b);
            if (tile == 15)
                request(run, STORE, 4, ALL, c);
        }
    }
    end(run);
}

static void three_groups(Run *run)
{
    mmul08(run, 7, 7);
    mmul08(run, 8, 7);
    mmul08(run, 7, 8);
}

/* Each group needs 8 rows of A, and 8 columns of B, that 16 groups need. */
static void test_mmul(void)
{
    const PsPatternRules rules = {.grid = {16, 16, 1}};
    g_auto(Run) run = run_new(&rules);
    three_groups(&run);
    const PsPattern *a = pattern_of(&run, LOAD);
    const PsPattern *b = pattern_of(&run, CACHED);
    const PsPattern *c = pattern_of(&run, STORE);
    g_assert_cmpuint(a->sectors, ==, 4);
    g_assert_cmpint(a->to_l1, ==, 3 * 128);
    g_assert_cmpint(a->to_l2, ==, 3 * 128);
    g_assert_cmpfloat(a->to_device, ==, 3 * 128 / 16.0);
    g_assert_cmpfloat(b->to_device, ==, 3 * 128 / 16.0);
    g_assert_cmpfloat(c->to_device, ==, 3 * 8);
}

/* Between two groups of a column lies a row: its 8 rows of A and all of B, 4 + 64 KiB, and the 4
 * that it writes. */
static void test_l2_between(void)
{
    PsPatternRules rules = {.grid = {16, 16, 1}, .l2 = 72 * 1024};
    g_auto(Run) fits = run_new(&rules);
    three_groups(&fits);
    g_assert_cmpfloat(pattern_of(&fits, LOAD)->to_device, ==, 3 * 128 / 16.0);
    g_assert_cmpfloat(pattern_of(&fits, CACHED)->to_device, ==, 3 * 128 / 16.0);
    rules.l2--;
    g_auto(Run) lost = run_new(&rules);
    three_groups(&lost);
    g_assert_cmpfloat(pattern_of(&lost, LOAD)->to_device, ==, 3 * 128 / 16.0);
    g_assert_cmpfloat(pattern_of(&lost, CACHED)->to_device, ==, 3 * 128);
}

/* ... which does not matter to the four rows that run at the same time. */
static void test_l2_at_once(void)
{
    const PsPatternRules rules = {
        .grid = {16, 16, 1}, .l2 = 72 * 1024 - 1, .units = 16, .resident = 4};
    g_auto(Run) run = run_new(&rules);
    three_groups(&run);
    g_assert_cmpfloat(pattern_of(&run, LOAD)->to_device, ==, 3 * 128 / 16.0);
    g_assert_cmpfloat(pattern_of(&run, CACHED)->to_device, ==, 3 * 128 / 4.0);
}

/* A group without neighbours shares with nobody, as far as one knows. */
static void test_alone(void)
{
    const PsPatternRules rules = {.grid = {16, 16, 1}};
    g_auto(Run) run = run_new(&rules);
    mmul08(&run, 7, 7);
    mmul08(&run, 9, 7);
    g_assert_cmpfloat(pattern_of(&run, LOAD)->to_device, ==, 2 * 128);
}

/* A stencil of 64 points per group that reads 8 more words, a sector, on its right: 8 of its 9
 * sectors are its own, the ninth is its neighbour's. */
static void test_halo(void)
{
    const PsPatternRules rules = {.grid = {9, 1, 1}};
    g_auto(Run) run = run_new(&rules);
    for (guint x = 3; x < 5; x++) {
        guint64 base = A + x * 256;
        begin(&run, x, 0, 0);
        strided(&run, LOAD, 4, base, 4);
        strided(&run, LOAD, 4, base + 128, 4);
        guint64 address[PS_PTX_LANES];
        for (guint i = 0; i < 8; i++)
            address[i] = base + 256 + i * 4;
        request(&run, CACHED, 4, 0xff, address);
        end(&run);
    }
    /* of the loads, 8 sectors, the right neighbour has none and the left one the first: of 16,
       1 is shared */
    g_assert_cmpfloat_with_epsilon(pattern_of(&run, LOAD)->to_device,
                                   16 * (1 - 1 / 16.0 + 1 / 16.0 / 9), 1e-12);
    /* of the halo's 2, one is the neighbour's */
    g_assert_cmpfloat_with_epsilon(pattern_of(&run, CACHED)->to_device, 2 * (0.5 + 0.5 / 9), 1e-12);
}

/* A group that shares with the next but one, of which the one between was not executed: nobody
 * knows what is left at that distance. */
static void test_gap(void)
{
    const PsPatternRules rules = {.grid = {16, 1, 1}};
    g_auto(Run) run = run_new(&rules);
    for (guint x = 3; x < 6; x += 2) {
        begin(&run, x, 0, 0);
        strided(&run, LOAD, 4, A, 4);
        end(&run);
    }
    g_assert_cmpfloat(pattern_of(&run, LOAD)->to_device, ==, 2 * 4);
}

/* Each group reads a line of its own and the one that the third after it will: of its 8 sectors
 * half are shared, at a distance of 3, for which 2 and 3 stand together. */
static void test_distances(void)
{
    const PsPatternRules rules = {.grid = {32, 1, 1}};
    g_auto(Run) run = run_new(&rules);
    for (guint x = 0; x < 32; x++) {
        begin(&run, x, 0, 0);
        strided(&run, LOAD, 4, A + x * 128, 4);
        strided(&run, CACHED, 4, A + (x + 3) * 128, 4);
        end(&run);
    }
    /* 35 lines in all */
    const double device = pattern_of(&run, LOAD)->to_device + pattern_of(&run, CACHED)->to_device;
    g_assert_cmpfloat(device, >=, 35 * 4);
    g_assert_cmpfloat(device, <, 1.25 * 35 * 4);
}

/* Groups that lie anywhere read the same table; it is not fetched more often than once, as long as
 * L2 keeps it, and as often as L2 does not. */
static void test_extent(void)
{
    const PsPtxExtent table[] = {{"table", A, 64 * 128}};
    PsPatternRules rules = {.grid = {1024, 1, 1}, .n_extents = 1, .extents = table};
    for (guint k = 0; k < 3; k++) {
        rules.l2 = k == 0 ? 0 : k == 1 ? 64 * 128 : 32 * 128;
        g_auto(Run) run = run_new(&rules);
        for (guint x = 0; x < 4; x++) {
            begin(&run, x * 100, 0, 0);
            for (guint i = 0; i < 16; i++)
                strided(&run, LOAD, 4, A + (x * 16 + i) * 128, 4);
            end(&run);
        }
        const double group = pattern_of(&run, LOAD)->to_device / 4;
        const double once = 64 * 4 / 1024.0;
        g_assert_cmpfloat_with_epsilon(group, k < 2 ? once : once + (64 - once) / 2, 1e-9);
    }
}

/* What is written reaches device memory once, whatever L2 could keep. */
static void test_written_once(void)
{
    PsPatternRules rules = {.grid = {16, 1, 1}};
    static const guint64 sizes[] = {0, 32 * 128, 8 * 128};
    for (guint k = 0; k < G_N_ELEMENTS(sizes); k++) {
        rules.l2 = sizes[k];
        g_auto(Run) run = run_new(&rules);
        for (guint x = 0; x < 2; x++) {
            begin(&run, x, 0, 0);
            strided(&run, LOAD, 4, A + x * 128, 4); /* 16 lines read, 16 written, in all */
            strided(&run, STORE, 4, B + x * 128, 4);
            end(&run);
        }
        g_assert_cmpfloat_with_epsilon(pattern_of(&run, STORE)->to_device, 8, 1e-9);
        g_assert_cmpfloat(pattern_of(&run, LOAD)->to_device, ==, 8);
    }
}

/* L2 fetches 64 bytes: half of them were not asked for, and the next group finds them. */
static void test_fetch(void)
{
    const PsPatternRules rules = {.grid = {2, 1, 1}, .fetch = 64};
    g_auto(Run) run = run_new(&rules);
    for (guint x = 0; x < 2; x++) {
        begin(&run, x, 0, 0);
        strided(&run, LOAD, 4, A + x * 32, 0);
        end(&run);
    }
    g_assert_cmpfloat(pattern_of(&run, LOAD)->to_device, ==, 2);
    const PsHitRates rates = ps_roll_rates(run.roll);
    g_assert_cmpfloat(rates.l2, ==, 2);
    g_assert_cmpfloat(rates.l2_hits, ==, 1);
}

/* ---- places -------------------------------------------------------------------------------- */

/* Rows of 16 words that begin anywhere in their sectors are one family, whose sectors are averaged;
 * another stride is another family. */
static void test_family(void)
{
    const PsPatternRules rules = {.grid = {2, 1, 1}};
    g_auto(Run) run = run_new(&rules);
    begin(&run, 0, 0, 0);
    strided(&run, LOAD, 4, A, 4);     /* 4 sectors */
    strided(&run, LOAD, 4, B + 8, 4); /* 5 */
    strided(&run, LOAD, 4, C, 8);     /* 8 */
    end(&run);
    const GPtrArray *patterns = ps_roll_patterns(run.roll);
    static const double l1[] = {9, 9, 8}, requests[] = {2, 2, 1};
    g_assert_cmpuint(patterns->len, ==, 3);
    for (guint i = 0; i < 3; i++) {
        const PsTraffic traffic = ps_pattern_traffic(g_ptr_array_index(patterns, i));
        g_assert_cmpfloat(traffic.l1, ==, l1[i]);
        g_assert_cmpfloat(traffic.l2, ==, l1[i]);
        g_assert_cmpfloat(traffic.device, ==, l1[i]);
        g_assert_cmpfloat(traffic.requests, ==, requests[i]);
    }
}

/* ---- where groups meet --------------------------------------------------------------------- */

/* Three groups that lie apart: each adds to a counter, and stores a line of its own; a neighbour's
 * share of lines says nothing. */
static void test_meeting(void)
{
    const PsPtxExtent extents[] = {{"counter", A, 1024}, {"out", B, 65536}};
    const PsPatternRules rules = {.grid = {9, 1, 1}, .n_extents = 2, .extents = extents};
    g_auto(Run) run = run_new(&rules);
    PsMeeting meeting = {0};
    for (guint x = 0; x < 9; x++) {
        const guint64 own = B + (guint64)x * 128;
        ps_roll_next(run.roll, (PsPatternGroup){.apart = x % 3 == 0});
        begin(&run, x, 0, 0);
        strided(&run, ATOMIC, 4, A + 256, 0);
        if (x == 3)
            strided(&run, ATOMIC, 4, A, 0); /* one of four requests elsewhere */
        strided(&run, STORE, 4, own, 4);
        strided(&run, STORE, 4, own + 64, 4);
        end(&run);
    }
    g_assert_true(ps_pattern_meeting(pattern_of(&run, ATOMIC), &meeting));
    g_assert_cmpstr(meeting.buffer, ==, "counter");
    g_assert_cmpuint(meeting.line, ==, 2);
    g_assert_cmpfloat(meeting.share, ==, 0.75);
    g_assert_false(ps_pattern_meeting(pattern_of(&run, STORE), &meeting));
}

/* Averaged patterns: the mean's sums are those of all. */
static void test_mean(void)
{
    static const HandPoint points[] = {{"ld.global.f32", NOWHERE, 0}, {"bra", 0, 0}};
    static const PsPtxLoop loops[] = {{0, NOWHERE, 1}};
    static const guint group[3] = {0};
    PsPtxCode *code = hand_code(points, 2, loops, 1);
    PsRollOptions options = {.most_kinds = 4};
    Run run = {.code = code, .roll = ps_roll_new(code, &options)};
    run.listener = ps_roll_listener(run.roll);
    run.listener.group_begins(run.listener.data, group);
    for (guint i = 0; i < 70; i++) {
        strided(&run, 0, 4, 65536, 4 * (1 + i * i % 7)); /* 0 1 4 2 2 4 1: 4 kinds, and 3 more */
        run.listener.executed(run.listener.data,
                              &(PsPtxEvent){.point = 1, .active = ALL, .mask = ALL});
    }
    strided(&run, 0, 4, 65536, 32);
    end(&run);
    const PsRollGroup *record = g_ptr_array_index(ps_roll_groups(run.roll), 0);
    const PsRollSequence *sequence =
        ((const PsRollWarps *)g_ptr_array_index(record->warps, 0))->sequence;
    const PsRollItem *loop = &sequence->items[0];
    g_assert_cmpint(loop->coarse, ==, PS_ROLL_MEAN_PATTERNS);
    const PsPattern *mean = loop->runs[0].body->items[0].pattern;
    g_assert_cmpint(mean->requests, ==, 71);
    /* strides of 1, 2, 5, 3 words: 4, 8, 20 and 12 sectors, 10, 20, 20, 20 times, and 32 once */
    g_assert_cmpint(mean->to_l1, ==, 40 + 160 + 400 + 240 + 32);
    g_assert_cmpuint(mean->sectors, ==, 12);
    run_clear(&run);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-pattern/sectors", test_sectors);
    g_test_add_func("/ptx-pattern/disorder", test_disorder);
    g_test_add_func("/ptx-pattern/banks", test_banks);
    g_test_add_func("/ptx-pattern/shared-words", test_shared_words);
    g_test_add_func("/ptx-pattern/alike", test_alike);
    g_test_add_func("/ptx-pattern/l1", test_l1);
    g_test_add_func("/ptx-pattern/l2", test_l2);
    g_test_add_func("/ptx-pattern/columns", test_columns);
    g_test_add_func("/ptx-pattern/groups", test_groups);
    g_test_add_func("/ptx-pattern/mmul", test_mmul);
    g_test_add_func("/ptx-pattern/l2-between", test_l2_between);
    g_test_add_func("/ptx-pattern/l2-at-once", test_l2_at_once);
    g_test_add_func("/ptx-pattern/alone", test_alone);
    g_test_add_func("/ptx-pattern/halo", test_halo);
    g_test_add_func("/ptx-pattern/unit", test_unit);
    g_test_add_func("/ptx-pattern/turns", test_turns);
    g_test_add_func("/ptx-pattern/few", test_few);
    g_test_add_func("/ptx-pattern/own-memory", test_own_memory);
    g_test_add_func("/ptx-pattern/failed", test_failed);
    g_test_add_func("/ptx-pattern/gap", test_gap);
    g_test_add_func("/ptx-pattern/distances", test_distances);
    g_test_add_func("/ptx-pattern/extent", test_extent);
    g_test_add_func("/ptx-pattern/written", test_written);
    g_test_add_func("/ptx-pattern/written-once", test_written_once);
    g_test_add_func("/ptx-pattern/fetch", test_fetch);
    g_test_add_func("/ptx-pattern/family", test_family);
    g_test_add_func("/ptx-pattern/meeting", test_meeting);
    g_test_add_func("/ptx-pattern/mean", test_mean);
    return g_test_run();
}
