/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches of a device that repeat: their results are kept, and are found again only where nothing
 * differs. */
#include "card/repeat.h"
#include "tests/help/card-launch.h"

#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* The card is told of what a test writes. */
static void changed(const CardFixture *fixture)
{
    ps_card_copied(fixture->card, fixture->out->data, NULL, fixture->out->size);
}

/* Begins with zeros, and launches f; a group may end after so many instructions, 0: as usual. */
static gboolean launch_from_zeros(const CardFixture *fixture, guint64 limit)
{
    memset(fixture->out->data, 0, fixture->out->size);
    changed(fixture);
    ps_card_limit(fixture->card, limit);
    return card_launch(fixture, CARD_GROUPS, 3, NULL, NULL);
}

/* A launch that would need to execute fails where groups may execute one instruction. */
static void test_repeat(CardFixture *fixture, gconstpointer data)
{
    guint32 *out = (guint32 *)(gpointer)fixture->out->data;
    (void)data;
    g_assert_true(launch_from_zeros(fixture, 0));
    g_assert_false(launch_from_zeros(fixture, 1)); /* the first was not recorded */
    g_assert_true(launch_from_zeros(fixture, 0));
    g_assert_true(launch_from_zeros(fixture, 1));
    for (guint i = 0; i < CARD_GROUPS * CARD_THREADS; i++)
        g_assert_cmpuint(out[i], ==, 3);
    g_assert_false(
        card_launch(fixture, CARD_GROUPS, 3, NULL, NULL)); /* it would begin with threes */
    g_assert_false(card_launch(fixture, CARD_GROUPS, 4, NULL, NULL));
    g_assert_true(launch_from_zeros(fixture, 1));
    close(fixture->pipe[1]);
}

/* What memory and constants hold is looked at each time, whoever changed it. */
static void test_repeat_changed(CardFixture *fixture, gconstpointer data)
{
    PsCardMemory *memory = ps_card_memory(fixture->card);
    const PsCardPiece *one = ps_card_module_variable(fixture->module, "one");
    (void)data;
    ps_card_memory_add(memory, 1 << 17, PS_CARD_PLAIN, NULL, NULL);
    for (guint i = 0; i < 2; i++)
        g_assert_true(launch_from_zeros(fixture, 0));
    memset(fixture->out->data, 0, fixture->out->size);
    fixture->out->data[fixture->out->size - 1] = 1;
    changed(fixture);
    ps_card_limit(fixture->card, 1);
    g_assert_false(card_launch(fixture, CARD_GROUPS, 3, NULL, NULL));
    *(guint32 *)(gpointer)one->data = 10;
    g_assert_false(launch_from_zeros(fixture, 1));
    *(guint32 *)(gpointer)one->data = 1;
    g_assert_true(launch_from_zeros(fixture, 1));
    close(fixture->pipe[1]);
}

/* Memory that was given back and is asked for again lies where it lay: what it holds decides. A
 * piece of another size there is another place. */
static void test_repeat_again(CardFixture *fixture, gconstpointer data)
{
    enum { BYTES = CARD_GROUPS * CARD_THREADS * 4 };
    PsCardMemory *memory = ps_card_memory(fixture->card);
    guint8 *const before = fixture->out->data;
    (void)data;
    ps_card_memory_add(memory, 1 << 17, PS_CARD_PLAIN, NULL, NULL);
    for (guint i = 0; i < 2; i++)
        g_assert_true(launch_from_zeros(fixture, 0));
    ps_card_memory_remove(memory, before);
    fixture->out = ps_card_memory_add(memory, BYTES, PS_CARD_PLAIN, NULL, NULL);
    g_assert_true(fixture->out->data == before);
    g_assert_true(launch_from_zeros(fixture, 1));
    g_assert_cmpuint(*(const guint32 *)(gconstpointer)before, ==, 3);
    g_assert_false(card_launch(fixture, CARD_GROUPS, 3, NULL, NULL)); /* it holds threes */
    ps_card_memory_remove(memory, before);
    fixture->out = ps_card_memory_add(memory, BYTES - 4, PS_CARD_PLAIN, NULL, NULL);
    g_assert_true(fixture->out->data == before);
    g_assert_false(launch_from_zeros(fixture, 1));
    close(fixture->pipe[1]);
}

/* The last bytes of memory whose size is odd are looked at, too. */
static void test_repeat_rest(CardFixture *fixture, gconstpointer data)
{
    PsCardMemory *memory = ps_card_memory(fixture->card);
    (void)data;
    ps_card_memory_add(memory, 1 << 17, PS_CARD_PLAIN, NULL, NULL);
    fixture->out =
        ps_card_memory_add(memory, CARD_GROUPS * CARD_THREADS * 4 + 5, PS_CARD_PLAIN, NULL, NULL);
    for (guint i = 0; i < 2; i++)
        g_assert_true(launch_from_zeros(fixture, 0));
    memset(fixture->out->data, 0, fixture->out->size);
    fixture->out->data[fixture->out->size - 1] = 1;
    changed(fixture);
    ps_card_limit(fixture->card, 1);
    g_assert_false(card_launch(fixture, CARD_GROUPS, 3, NULL, NULL));
    close(fixture->pipe[1]);
}

/* pick reads and writes the zeros of out; it ends, or was repeated, where groups may execute so
 * many instructions. */
static gboolean launch_pick(const CardFixture *fixture, guint64 limit)
{
    const guint8 *data_of[2] = {fixture->out->data, fixture->out->data};
    gconstpointer params[] = {&data_of[0], &data_of[1]};
    const PsCardLaunch what = {.function = ps_card_module_function(fixture->module, "pick"),
                               .grid = {1, 1, 1},
                               .block = {CARD_THREADS, 1, 1},
                               .params = params};
    ps_card_limit(fixture->card, limit);
    return ps_card_launch(fixture->card, &what, NULL, NULL);
}

/* The host writes managed memory, of which the card is not told. */
static void test_repeat_managed(CardFixture *fixture, gconstpointer data)
{
    (void)data;
    fixture->out = ps_card_memory_add(ps_card_memory(fixture->card), CARD_GROUPS * CARD_THREADS * 4,
                                      PS_CARD_MANAGED, NULL, NULL);
    for (guint i = 0; i < 3; i++)
        g_assert_true(launch_pick(fixture, i < 2 ? 0 : 1));
    fixture->out->data[0] = 1;
    g_assert_false(launch_pick(fixture, 1));
    close(fixture->pipe[1]);
}

/* Nobody notes what a kernel writes of which so many launches were simulated: it may be all. */
static void test_repeat_unnoted(CardFixture *fixture, gconstpointer data)
{
    (void)data;
    for (guint i = 0; i < 3; i++)
        g_assert_true(launch_pick(fixture, i < 2 ? 0 : 1));
    ps_card_limit(fixture->card, 0);
    for (guint i = 1; i <= 66; i++)
        g_assert_true(card_launch(fixture, CARD_GROUPS, i, NULL, NULL));
    memset(fixture->out->data, 0, fixture->out->size);
    changed(fixture);
    g_assert_true(launch_pick(fixture, 1));
    ps_card_limit(fixture->card, 0);
    g_assert_true(
        card_launch(fixture, CARD_GROUPS, 67, NULL, NULL)); /* no such call was there before */
    g_assert_false(launch_pick(fixture, 1));
    close(fixture->pipe[1]);
}

/* Results are kept where the program's memory is small, too. A launch whose results are there
 * already needs none. */
static void test_repeat_small(CardFixture *fixture, gconstpointer data)
{
    (void)data;
    for (guint i = 0; i < 2; i++)
        g_assert_true(launch_from_zeros(fixture, 0));
    g_assert_true(launch_from_zeros(fixture, 1));
    memset(fixture->out->data, 0, fixture->out->size);
    changed(fixture);
    for (guint i = 0; i < 3; i++)
        g_assert_true(launch_pick(fixture, i < 2 ? 0 : 1));
    close(fixture->pipe[1]);
}

/* ---- results that are most of the program's memory ------------------------------------------ */

enum { LARGE = 10 << 20, LARGE_GROUPS = LARGE / (CARD_THREADS * 4) };

/* f adds to words that are all `word`, in so many rounds; a group may end after so many
 * instructions, 0: as usual. */
static gboolean launch_large(const CardFixture *fixture, guint32 word, guint32 rounds,
                             guint64 limit)
{
    guint32 *out = (guint32 *)(gpointer)fixture->out->data;
    for (gsize i = 0; i < LARGE / sizeof *out; i++)
        out[i] = word;
    changed(fixture);
    ps_card_limit(fixture->card, limit);
    if (!card_launch(fixture, LARGE_GROUPS, rounds, NULL, NULL))
        return FALSE;
    for (gsize i = 0; i < LARGE / sizeof *out; i++)
        g_assert_cmpuint(out[i], ==, word + rounds);
    return TRUE;
}

/* All groups write `at`: one thread executes them in order. */
static void begin_large(CardFixture *fixture)
{
    ps_card_threads(fixture->card, 1);
    fixture->out =
        ps_card_memory_add(ps_card_memory(fixture->card), LARGE, PS_CARD_PLAIN, NULL, NULL);
}

/* They lie in a file, those of several launches, too. */
static void test_repeat_large(CardFixture *fixture, gconstpointer data)
{
    (void)data;
    begin_large(fixture);
    for (guint i = 0; i < 4; i++)
        g_assert_true(launch_large(fixture, 0, 1, i < 2 ? 0 : 1));
    for (guint i = 0; i < 3; i++)
        g_assert_true(launch_large(fixture, 5, 2, i < 2 ? 0 : 1));
    g_assert_true(launch_large(fixture, 0, 1, 1));
    close(fixture->pipe[1]);
}

/* There is room for those of one launch: those of another take their place. */
static void test_repeat_room(CardFixture *fixture, gconstpointer data)
{
    (void)data;
    begin_large(fixture);
    ps_card_results_free(fixture->card->results);
    fixture->card->results = ps_card_results_new(0);
    for (guint i = 0; i < 2; i++)
        g_assert_true(launch_large(fixture, 0, 1, 0));
    for (guint i = 0; i < 2; i++)
        g_assert_true(launch_large(fixture, 5, 2, 0));
    g_assert_true(launch_large(fixture, 5, 2, 1));
    g_assert_false(launch_large(fixture, 0, 1, 1));
    close(fixture->pipe[1]);
}

/* Where there is no file they are not kept. */
static void test_repeat_no_file(CardFixture *fixture, gconstpointer data)
{
    struct rlimit before, none;
    (void)data;
    begin_large(fixture);
    g_assert_cmpint(getrlimit(RLIMIT_FSIZE, &before), ==, 0);
    none = before;
    none.rlim_cur = PS_PTX_BLOCK;
    g_assert_cmpint(setrlimit(RLIMIT_FSIZE, &none), ==, 0);
    for (guint i = 0; i < 3; i++)
        g_assert_true(launch_large(fixture, 0, 1, 0));
    g_assert_false(launch_large(fixture, 0, 1, 1));
    setrlimit(RLIMIT_FSIZE, &before);
    close(fixture->pipe[1]);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add("/card-repeat/repeat", CardFixture, NULL, card_set_up, test_repeat, card_tear_down);
    g_test_add("/card-repeat/changed", CardFixture, NULL, card_set_up, test_repeat_changed,
               card_tear_down);
    g_test_add("/card-repeat/again", CardFixture, NULL, card_set_up, test_repeat_again,
               card_tear_down);
    g_test_add("/card-repeat/rest", CardFixture, NULL, card_set_up, test_repeat_rest,
               card_tear_down);
    g_test_add("/card-repeat/managed", CardFixture, NULL, card_set_up, test_repeat_managed,
               card_tear_down);
    g_test_add("/card-repeat/unnoted", CardFixture, NULL, card_set_up, test_repeat_unnoted,
               card_tear_down);
    g_test_add("/card-repeat/large", CardFixture, NULL, card_set_up, test_repeat_large,
               card_tear_down);
    g_test_add("/card-repeat/room", CardFixture, NULL, card_set_up, test_repeat_room,
               card_tear_down);
    g_test_add("/card-repeat/no-file", CardFixture, NULL, card_set_up, test_repeat_no_file,
               card_tear_down);
    g_test_add("/card-repeat/small", CardFixture, NULL, card_set_up, test_repeat_small,
               card_tear_down);
    return g_test_run();
}
