/* SPDX-License-Identifier: BSD-3-Clause */
/* Where groups meet, and which share of their turns is there, by the few groups that are looked at.
 */
#include "lift/memory/cache.h"

#include <math.h>

#define WARP_WORDS 32
#define SECTOR_WORDS (PS_SECTOR / 4)

/* A warp's words, which begin at a sector. */
static void add_words(PsMeetings *meetings, guint group, guint64 word)
{
    g_autoptr(GArray) touches = g_array_new(FALSE, FALSE, sizeof(PsTouch));
    for (guint64 at = word; at < word + WARP_WORDS; at += SECTOR_WORDS) {
        const guint64 sector = at / SECTOR_WORDS;
        const PsTouch touch = {.line = sector / PS_LINE_SECTORS,
                               .sectors = 1U << sector % PS_LINE_SECTORS};
        g_array_append_val(touches, touch);
    }
    ps_meetings_add(meetings, group, touches, NULL, FALSE);
}

/* Five of 4096 groups of 256 threads, each of which adds to the word of its number modulo `words`:
 * places of 128 words have an equal share, and of one that most groups meet at by chance that is
 * so, too. */
static double share_of(guint words, guint *lines)
{
    static const guint groups[] = {0, 1023, 2047, 3071, 4095};
    PsMeetings *meetings = ps_meetings_new(4, NULL);
    for (guint g = 0; g < G_N_ELEMENTS(groups); g++)
        for (guint w = 0; w < 8; w++)
            add_words(meetings, g, (groups[g] * 256 + w * WARP_WORDS) % words);
    PsPlaceOfMeeting place = {0};
    const gboolean meet = ps_meetings_best(meetings, 4096, &place);
    ps_meetings_free(meetings);
    *lines = place.lines;
    return meet ? place.share : 0;
}

static void test_by_chance(void)
{
    guint lines;
    g_assert_cmpfloat(share_of(128, &lines), ==, 1);
    g_assert_cmpuint(lines, ==, 4);
    g_assert_cmpfloat(fabs(share_of(200, &lines) / (128.0 / 200) - 1), <, 0.1);
    g_assert_cmpfloat(fabs(share_of(256, &lines) / (128.0 / 256) - 1), <, 0.1);
    g_assert_cmpfloat(fabs(share_of(1000, &lines) / (128.0 / 1000) - 1), <, 0.2);
}

/* One place counts of two instructions, where both have most turns together; each has its share
 * there. */
static void test_of_two(void)
{
    PsMeetings *all = ps_meetings_new(4, NULL);
    PsMeetings *one = ps_meetings_new(4, all), *other = ps_meetings_new(4, all);
    for (guint g = 0; g < 4; g++) {
        for (guint i = 0; i < 4; i++)
            add_words(one, g, i < 1 ? 0 : 128);
        for (guint i = 0; i < 8; i++)
            add_words(other, g, i < 7 ? 0 : 128);
    }
    PsPlaceOfMeeting place = {0};
    g_assert_true(ps_meetings_best(one, 4, &place));
    g_assert_cmpuint(place.line, ==, 0);
    g_assert_cmpfloat(place.share, ==, 0.25);
    g_assert_true(ps_meetings_best(other, 4, &place));
    g_assert_cmpuint(place.line, ==, 0);
    g_assert_cmpfloat(place.share, ==, 0.875);
    ps_meetings_free(one);
    ps_meetings_free(other);
    ps_meetings_free(all);
}

/* Each of some groups stores a word behind that of the group before, as groups do that take numbers
 * at a counter: a place of 128 words has room for 128 of all groups. Not where one comes again. */
static void test_in_order(void)
{
    for (guint again = 0; again < 2; again++) {
        PsMeetings *meetings = ps_meetings_new(4, NULL);
        for (guint g = 0; g < 20; g++) {
            const guint64 address[PS_PTX_LANES] = {4 * (g == 10 ? g - again : g)};
            const PsPtxEvent event = {.mask = 1, .bytes = 4, .address = address};
            const PsTouch touch = {.line = address[0] / PS_LINE, .sectors = 1};
            g_autoptr(GArray) touches = g_array_new(FALSE, FALSE, sizeof(PsTouch));
            g_array_append_val(touches, touch);
            ps_meetings_add(meetings, g, touches, &event, FALSE);
        }
        PsPlaceOfMeeting place = {0};
        g_assert_true(ps_meetings_best(meetings, 1024, &place));
        g_assert_cmpfloat(place.share, ==, again ? 1 : 128.0 / 1024);
        g_assert_true(ps_meetings_best(meetings, 64, &place));
        g_assert_cmpfloat(place.share, ==, 1);
        g_assert_cmpint(ps_meetings_best(meetings, 65536, &place), ==, again > 0);
        ps_meetings_free(meetings);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/lift/meetings/by-chance", test_by_chance);
    g_test_add_func("/lift/meetings/of-two", test_of_two);
    g_test_add_func("/lift/meetings/in-order", test_in_order);
    return g_test_run();
}
