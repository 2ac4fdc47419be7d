/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a launch fetches of a buffer that its groups touch at random, against a cache to which all
 * accesses of such a launch go one by one; and buffers that only look so.
 */
#include "tests/help/pattern-run.h"

#include <math.h>

#define GROUPS 4096
#define EXECUTED 24
#define REQUESTS 8 /* of a group */
#define FETCH 64   /* bytes that L2 fetches at once: a place */
#define OF_LINE 2  /* places of a line, which all go when it does */
#define STREAM 4   /* requests of 16 bytes a lane beside each of these */
#define TOUCHES (REQUESTS * PS_PTX_LANES)

/* The place of a lane's word, among so many. */
typedef guint (*PlaceOf)(GRand *rand, guint group, guint touch, guint places);

/* ---- a launch, place by place -------------------------------------------------------------- */

/* A ring of lines, from the one that was used last to the one that goes next; and the places that
 * each has, as bits. */
typedef struct {
    guint *newer, *older, n;
    guint8 *has;
} Ring;

static void unlink_line(Ring *ring, guint line)
{
    ring->newer[ring->older[line]] = ring->newer[line];
    ring->older[ring->newer[line]] = ring->older[line];
}

/* TRUE: the place has to be fetched. Its line becomes the newest. The ring's end is `lines`. */
static gboolean touch(Ring *ring, guint place, guint lines, guint most)
{
    const guint line = place / OF_LINE, bit = 1U << place % OF_LINE;
    const gboolean is_new = ring->has[line] == 0, fetched = !(ring->has[line] & bit);
    if (!is_new)
        unlink_line(ring, line);
    if (is_new && ring->n == most) {
        const guint oldest = ring->newer[lines];
        unlink_line(ring, oldest);
        ring->has[oldest] = 0;
        ring->n--;
    }
    ring->n += is_new;
    ring->has[line] |= (guint8)bit;
    ring->older[line] = ring->older[lines];
    ring->newer[line] = lines;
    ring->newer[ring->older[line]] = line;
    ring->older[lines] = line;
    return fetched;
}

/* The part of all touches of a launch that is fetched, with room for lines of so many places. */
static double part_fetched(PlaceOf place_of, guint groups, guint places, guint most)
{
    const guint lines = places / OF_LINE;
    Ring ring = {g_new(guint, lines + 1), g_new(guint, lines + 1), 0, g_new0(guint8, lines)};
    g_autoptr(GRand) rand = g_rand_new_with_seed(34);
    guint fetched = 0;
    ring.newer[lines] = ring.older[lines] = lines;
    for (guint i = 0; i < groups * TOUCHES; i++)
        fetched +=
            touch(&ring, place_of(rand, i / TOUCHES, i % TOUCHES, places), lines, most / OF_LINE);
    g_free(ring.newer);
    g_free(ring.older);
    g_free(ring.has);
    return (double)fetched / (groups * TOUCHES);
}

/* ---- which places -------------------------------------------------------------------------- */

static guint at_random(GRand *rand, guint group, guint touch, guint places)
{
    (void)group;
    (void)touch;
    return (guint)g_rand_int_range(rand, 0, (gint32)places);
}

/* Each place once, in an order that looks like chance: the factor has no factor of two. */
static guint permuted(GRand *rand, guint group, guint touch, guint places)
{
    (void)rand;
    return (guint)(((guint64)group * TOUCHES + touch) * 2654435761U % places);
}

/* Within the part of the buffer that belongs to the group, which touches each place of it once in
 * the mean. */
static guint nearby(GRand *rand, guint group, guint touch, guint places)
{
    (void)touch;
    const guint own = places / GROUPS;
    return group * own + (guint)g_rand_int_range(rand, 0, (gint32)MAX(own, 1));
}

/* The i-th place, of a power of two, as often as 1 / i says: where the logarithm of the rank is
 * even. Neighbours in rank are no neighbours. */
static guint by_rank(GRand *rand, guint group, guint touch, guint places)
{
    (void)group;
    (void)touch;
    const guint rank = (guint)exp(g_rand_double(rand) * log(places));
    return rank * 2654435761U % places;
}

/* Seven places are drawn half of the time, the others equally often. */
static guint few_often(GRand *rand, guint group, guint touch, guint places)
{
    const guint place = at_random(rand, group, touch, places);
    return g_rand_boolean(rand) ? place % 7 * (places / 7) : place;
}

/* What every sixteenth group of the launch touches, too. */
static guint by_sixteens(GRand *rand, guint group, guint touch, guint places)
{
    (void)rand;
    return (guint)((guint64)(group / (GROUPS / EXECUTED) % 16 * TOUCHES + touch) * 2654435761U %
                   places);
}

/* ---- some of its groups -------------------------------------------------------------------- */

/* Sectors of device memory that a request of the point fetches, in the mean of its patterns. */
static double fetched_by(const PatternRun *run, guint point)
{
    const GPtrArray *patterns = ps_roll_patterns(run->roll);
    double sectors = 0, requests = 0;
    for (guint i = 0; i < patterns->len; i++) {
        const PsPattern *pattern = patterns->pdata[i];
        if (pattern->point != point)
            continue;
        sectors += pattern->to_device;
        requests += (double)pattern->requests;
    }
    return sectors / requests;
}

/* What else is executed: a stream that reads the buffer from its begin to its end, too; and groups
 * beside each one. */
typedef struct {
    gboolean stream;
    guint beside;
} Besides;

/* The part of what a request fetches, of one place for each lane. */
static double part_told(const PsPatternRules *rules, PlaceOf place_of, Besides besides)
{
    const guint places = (guint)(rules->extents[0].size / FETCH);
    g_auto(PatternRun) run = pattern_run_new(rules);
    g_autoptr(GRand) rand = g_rand_new_with_seed(43);
    for (guint e = 0; e < EXECUTED * (1 + besides.beside); e++) {
        const guint group = e % EXECUTED * (rules->grid[0] / EXECUTED) + e / EXECUTED;
        pattern_run_begin(&run, group, 0, 0);
        for (guint r = 0; r < REQUESTS; r++) {
            guint64 address[PS_PTX_LANES];
            for (guint i = 0; i < PS_PTX_LANES; i++)
                address[i] =
                    A + (guint64)FETCH * place_of(rand, group, r * PS_PTX_LANES + i, places);
            pattern_run_request(&run, LOAD, 4, ALL, address);
            for (guint i = 0; besides.stream && i < STREAM; i++)
                pattern_run_strided(&run, CACHED, 16,
                                    A + ((guint64)(group * REQUESTS + r) * STREAM + i) * 512, 16);
        }
        run.listener.group_ends(run.listener.data);
    }
    ps_roll_settle(run.roll); /* once: with so many groups it takes long */
    const double sectors = (double)PS_PTX_LANES * FETCH / PS_SECTOR;
    return fetched_by(&run, LOAD) / sectors;
}

static PsPatternRules rules_for(PsPtxExtent *extent, guint places, guint most)
{
    *extent = (PsPtxExtent){"a", A, (guint64)places * FETCH};
    return (PsPatternRules){.grid = {GROUPS, 1, 1},
                            .units = 8,
                            .resident = 2,
                            .fetch = FETCH,
                            .l2 = (guint64)most * FETCH,
                            .n_extents = 1,
                            .extents = extent};
}

/* Some touches for each place, or one for several, with room for all, for half, for a tenth. */
static void test_random(void)
{
    for (guint places = 1 << 17; places <= 1 << 20; places *= 2)
        for (guint of = 1; of <= 10; of += of == 1 ? 1 : 8) {
            PsPtxExtent extent;
            const guint most = places / of;
            const PsPatternRules rules = rules_for(&extent, places, most);
            const double is = part_told(&rules, at_random, (Besides){FALSE, 0});
            const double right = part_fetched(at_random, GROUPS, places, most);
            g_test_message("%u places, room for %u: %.4f, should be %.4f", places, most, is, right);
            g_assert_cmpfloat(fabs(is / right - 1), <, 0.01);
        }
}

/* What groups beside each other have in common is chance, too, and counts once. */
static void test_beside_each_other(void)
{
    enum { FEW = 256 };
    for (guint places = 1 << 15; places <= 1 << 17; places *= 2) {
        PsPtxExtent extent;
        PsPatternRules rules = rules_for(&extent, places, places);
        rules.grid[0] = FEW;
        const double is = part_told(&rules, at_random, (Besides){FALSE, 9});
        const double right = part_fetched(at_random, FEW, places, places);
        g_test_message("%u places: %.4f, should be %.4f", places, is, right);
        g_assert_cmpfloat(fabs(is / right - 1), <, 0.01);
    }
}

/* Where each group has places of its own, the launch fetches all that they touch. */
static void test_own_places(void)
{
    PsPtxExtent extent;
    const PsPatternRules rules = rules_for(&extent, 1 << 20, 1 << 20);
    g_assert_cmpfloat(part_told(&rules, permuted, (Besides){FALSE, 0}), ==, 1);
    g_assert_cmpfloat(fabs(part_told(&rules, nearby, (Besides){FALSE, 0}) + expm1(-1)), <, 0.02);
}

/* Where a stream reads all of the buffer, too, as much as is touched at random, nothing of it stays
 * untouched by chance: half of all touches are fetched. */
static void test_beside_stream(void)
{
    PsPtxExtent extent;
    const PsPatternRules rules = rules_for(&extent, 1 << 20, 1 << 20);
    g_assert_cmpfloat_with_epsilon(part_told(&rules, at_random, (Besides){TRUE, 0}), 0.5, 0.01);
}

/* Some places are drawn more often than others, with room for all, a quarter, a sixteenth. */
static void test_popular(void)
{
    const PlaceOf laws[] = {by_rank, few_often};
    for (guint of = 1; of <= 16; of *= 4)
        for (guint law = 0; law < G_N_ELEMENTS(laws); law++) {
            const guint places = 1 << 18, most = places / of;
            PsPtxExtent extent;
            const PsPatternRules rules = rules_for(&extent, places, most);
            const double is = part_told(&rules, laws[law], (Besides){FALSE, 0});
            const double right = part_fetched(laws[law], GROUPS, places, most);
            g_test_message("law %u, room for %u: %.4f, should be %.4f", law, most, is, right);
            g_assert_cmpfloat(fabs(is / right - 1), <, 0.05);
        }
}

/* Where groups share all or nothing, that is no chance: as much is fetched as the buffer has. */
static void test_all_or_nothing(void)
{
    const guint places = 1 << 18;
    PsPtxExtent extent;
    const PsPatternRules rules = rules_for(&extent, places, places);
    const double is = part_told(&rules, by_sixteens, (Besides){FALSE, 0});
    g_assert_cmpfloat_with_epsilon(is, (double)places / (GROUPS * TOUCHES), 1e-6);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ptx-chance/random", test_random);
    g_test_add_func("/ptx-chance/popular", test_popular);
    g_test_add_func("/ptx-chance/all-or-nothing", test_all_or_nothing);
    g_test_add_func("/ptx-chance/beside-each-other", test_beside_each_other);
    g_test_add_func("/ptx-chance/own-places", test_own_places);
    g_test_add_func("/ptx-chance/beside-stream", test_beside_stream);
    return g_test_run();
}
