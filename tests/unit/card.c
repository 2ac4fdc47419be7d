/* SPDX-License-Identifier: BSD-3-Clause */
/* A device in this process: the code that it takes, and launches, whose groups may wait for each
 * other. */
#include "tests/help/card-launch.h"

#include "card/summary.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

/* All groups are executed once, though launches are simulated, too: memory shows no trace of
 * that. */
static void test_launches(CardFixture *fixture, gconstpointer data)
{
    const guint32 *out = (const guint32 *)(gconstpointer)fixture->out->data;
    const PsCardPiece *at = ps_card_module_variable(fixture->module, "at");
    const PsCardPiece *one = ps_card_module_variable(fixture->module, "one");
    double first, same, longer;
    (void)data;
    g_assert_true(card_launch(fixture, CARD_GROUPS, 3, &first, NULL));
    g_assert_true(card_launch(fixture, CARD_GROUPS, 3, &same, NULL));
    for (guint i = 0; i < CARD_GROUPS * CARD_THREADS; i++)
        g_assert_cmpuint(out[i], ==, 6);
    g_assert_cmpuint(*(const guint64 *)(gconstpointer)at->data, ==,
                     (guint64)(gsize)&out[CARD_GROUPS * CARD_THREADS - 1]);
    *(guint32 *)(gpointer)one->data = 10; /* as cudaMemcpyToSymbol does */
    g_assert_true(card_launch(fixture, CARD_GROUPS, 300, &longer, NULL));
    g_assert_cmpuint(out[0], ==, 3006);
    g_assert_cmpfloat(first, >, 0);
    g_assert_cmpfloat(first, ==, same);
    g_assert_cmpfloat(longer, >, first);
    g_autoptr(PsCardRead) log = card_read_log(fixture);
    PsCardRow all;
    g_autoptr(GArray) rows = ps_card_summary(log, &all);
    g_assert_cmpuint(rows->len, ==, 1);
    g_assert_cmpint(all.how[PS_CARD_SIMULATED], ==, 2);
    g_assert_cmpint(all.how[PS_CARD_ALIKE], ==, 1);
    g_assert_cmpfloat(all.least, ==, first);
    g_assert_cmpfloat(all.most, ==, longer);
    g_assert_cmpfloat_with_epsilon(all.total, 2 * first + longer, 1e-12);
}

/* What PTX reads in constant memory is what the program has put there: no assembler has code for
 * this GPU, so its PTX is simulated. */
static void test_constants(void)
{
    static const char loops[] =
        ".version 7.0\n.target sm_60\n.address_size 64\n.const .align 4 .u32 times = 1;\n"
        ".visible .entry g(.param .u64 out)\n{\n.reg .pred %p;\n.reg .b32 %r<3>;\n.reg .b64 %d;\n"
        "ld.param.u64 %d, [out];\nld.const.u32 %r0, [times];\nmov.u32 %r1, 0;\n"
        "NEXT:\nadd.u32 %r1, %r1, %r0;\nst.volatile.global.u32 [%d], %r1;\n"
        "sub.u32 %r0, %r0, 1;\nsetp.ne.u32 %p, %r0, 0;\n@%p bra NEXT;\nret;\n}\n";
    g_autoptr(GError) error = NULL;
    g_autoptr(PsGpu) gpu = ps_gpu_load("gpus/pascal.xml", &error);
    g_autoptr(PsCard) card = ps_card_new(gpu, 1 << 20, NULL);
    PsCardModule *module = ps_card_module_new(card, loops, &error);
    g_assert_no_error(error);
    const PsCardPiece *out = ps_card_memory_add(ps_card_memory(card), 4, PS_CARD_PLAIN, NULL, NULL);
    gconstpointer params[] = {&out->data};
    const PsCardLaunch what = {.function = ps_card_module_function(module, "g"),
                               .grid = {1, 1, 1},
                               .block = {1, 1, 1},
                               .params = params};
    double once, often;
    g_assert_true(ps_card_launch(card, &what, &once, NULL));
    *(guint32 *)(gpointer)ps_card_module_variable(module, "times")->data = 1000;
    g_assert_true(ps_card_launch(card, &what, &often, &error));
    g_assert_no_error(error);
    g_assert_cmpfloat(once, >, 0);
    g_assert_cmpfloat(often, >, 2 * once);
}

/* A kernel of many kinds of launches gets the times of further ones from the kind next to them: in
 * proportion to what is executed. */
static void test_many_kinds(CardFixture *fixture, gconstpointer data)
{
    enum { KINDS = 64 };
    double last = 0, beyond[3];
    (void)data;
    for (guint i = 1; i <= KINDS; i++)
        g_assert_true(card_launch(fixture, CARD_GROUPS, i, &last, NULL));
    for (guint i = 0; i < 3; i++)
        g_assert_true(card_launch(fixture, CARD_GROUPS, KINDS + 10 + 10 * i, &beyond[i], NULL));
    g_assert_cmpfloat(beyond[0], >, last);
    g_assert_cmpfloat(beyond[0], <, last * (KINDS + 10) / KINDS);
    g_assert_cmpfloat_with_epsilon(beyond[2] - beyond[1], beyond[1] - beyond[0], 1e-12);
    close(fixture->pipe[1]);
}

/* Once kinds of one shape foretell each other's times, those between them are not simulated; those
 * beyond them and those of another shape are. */
static void test_foretold(CardFixture *fixture, gconstpointer data)
{
    enum { FORETOLD = 12 };
    double ends[2], last = 0, next, beyond, other;
    (void)data;
    g_assert_true(card_launch(fixture, CARD_GROUPS, 3000, &ends[1], NULL));
    g_assert_true(card_launch(fixture, CARD_GROUPS, 1000, &ends[0], NULL));
    for (guint i = 0; i < FORETOLD; i++)
        g_assert_true(card_launch(fixture, CARD_GROUPS, 1100 + 100 * i, &last, NULL));
    g_assert_true(card_launch(fixture, CARD_GROUPS, 2600, &next, NULL));
    g_assert_true(card_launch(fixture, CARD_GROUPS, 4000, &beyond, NULL));
    g_assert_true(card_launch(fixture, CARD_GROUPS / 2, 2000, &other, NULL));
    g_assert_cmpfloat_with_epsilon((next - last) / (ends[1] - last), 400. / 800, 0.02);
    g_assert_cmpfloat(beyond, >, ends[1]);
    g_autoptr(PsCardRead) log = card_read_log(fixture);
    PsCardRow all;
    g_autoptr(GArray) rows = ps_card_summary(log, &all);
    g_assert_nonnull(rows);
    g_assert_cmpint(all.how[PS_CARD_INTERPOLATED], ==, 1);
    g_assert_cmpint(all.how[PS_CARD_SIMULATED], ==, 2 + FORETOLD + 2);
}

enum { WAITING = 100 };

static gboolean launch_waiting(const CardFixture *fixture, const char *kernel, gboolean cooperative,
                               double *seconds, GError **error)
{
    guint8 *out = fixture->out->data;
    gconstpointer params[] = {&out};
    const PsCardLaunch what = {.function = ps_card_module_function(fixture->module, kernel),
                               .grid = {WAITING, 1, 1},
                               .block = {CARD_THREADS, 1, 1},
                               .cooperative = cooperative,
                               .params = params};
    return ps_card_launch(fixture->card, &what, seconds, error);
}

/* What groups wait for is there in the simulation as well, which leaves no trace. Who looks back
 * waits for groups that did not wait. */
static void test_look_back(CardFixture *fixture, gconstpointer data)
{
    guint32 *out = (guint32 *)(gpointer)fixture->out->data;
    double seconds;
    (void)data;
    out[0] = 5;
    g_assert_true(launch_waiting(fixture, "look", FALSE, &seconds, NULL));
    for (guint i = 0; i <= WAITING; i++)
        g_assert_cmpuint(out[i], ==, 5 + i);
    g_assert_cmpfloat(seconds, >, 0);
    g_assert_cmpfloat(seconds, <, 1e-5);
    g_autoptr(PsCardRead) log = card_read_log(fixture);
    g_assert_cmpuint(log->notes->len, ==, 1);
    g_assert_nonnull(strstr(log->notes->pdata[0], "such waits are not in its time"));
}

/* Groups that come one after the other have right results and no time: by words of their own, and
 * by one that all share, whose last value ends no group's wait but the last's. */
static void test_one_by_one(CardFixture *fixture, gconstpointer data)
{
    guint32 *out = (guint32 *)(gpointer)fixture->out->data;
    double seconds;
    (void)data;
    g_assert_true(launch_waiting(fixture, "turns", FALSE, &seconds, NULL));
    g_assert_cmpuint(out[0], ==, WAITING);
    g_assert_true(isnan(seconds));
    out[0] = 5;
    g_assert_true(launch_waiting(fixture, "chain", FALSE, &seconds, NULL));
    g_assert_cmpuint(out[WAITING], ==, 5 + WAITING);
    g_assert_true(isnan(seconds));
    fixture->out = ps_card_memory_add(ps_card_memory(fixture->card), 8 * (WAITING + 1),
                                      PS_CARD_PLAIN, NULL, NULL);
    fixture->out->data[0] = 1;
    g_assert_true(launch_waiting(fixture, "high", FALSE, &seconds, NULL));
    g_assert_true(isnan(seconds));
    g_autoptr(PsCardRead) log = card_read_log(fixture);
    g_assert_cmpuint(log->notes->len, ==, 3);
    g_assert_nonnull(strstr(log->notes->pdata[0], "its time is not known"));
    for (guint i = 1; i < 3; i++)
        g_assert_nonnull(strstr(log->notes->pdata[i], "they come one after the other"));
}

/* Groups that wait for all others have no time either: they are executed together where the launch
 * asks for it, else they fail. */
static void test_meeting(CardFixture *fixture, gconstpointer data)
{
    guint32 *out = (guint32 *)(gpointer)fixture->out->data;
    g_autoptr(GError) error = NULL;
    double seconds;
    (void)data;
    g_assert_true(launch_waiting(fixture, "meet", TRUE, &seconds, NULL));
    g_assert_cmpuint(out[0], ==, WAITING);
    g_assert_true(isnan(seconds));
    out[0] = 0;
    g_assert_false(launch_waiting(fixture, "meet", FALSE, &seconds, &error));
    g_assert_error(error, PS_CARD_FAULT, PS_PTX_FAULT_ENDLESS);
    g_autoptr(PsCardRead) log = card_read_log(fixture);
    g_assert_cmpuint(log->notes->len, ==, 1);
    g_assert_nonnull(strstr(log->notes->pdata[0], "so there is no time"));
}

static double pick(const CardFixture *fixture, const PsCardPiece *from, guint32 step)
{
    guint32 *which = (guint32 *)(gpointer)fixture->out->data;
    for (guint i = 0; i < CARD_THREADS; i++)
        which[i] = i * step;
    gconstpointer params[] = {&from->data, &which};
    const PsCardLaunch what = {.function = ps_card_module_function(fixture->module, "pick"),
                               .grid = {1, 1, 1},
                               .block = {CARD_THREADS, 1, 1},
                               .params = params};
    double seconds;
    g_assert_true(ps_card_launch(fixture->card, &what, &seconds, NULL));
    return seconds;
}

/* Launches with the same arguments that execute the same instructions differ by what memory has;
 * the same memory elsewhere is the same. */
static void test_kinds(CardFixture *fixture, gconstpointer data)
{
    PsCardMemory *memory = ps_card_memory(fixture->card);
    const PsCardPiece *a = ps_card_memory_add(memory, 1 << 16, PS_CARD_PLAIN, NULL, NULL);
    const PsCardPiece *b = ps_card_memory_add(memory, 1 << 16, PS_CARD_PLAIN, NULL, NULL);
    (void)data;
    const double beside = pick(fixture, a, 1), apart = pick(fixture, a, 64);
    g_assert_cmpfloat(apart, >=, beside);
    g_assert_cmpfloat(pick(fixture, b, 64), ==, apart);
    g_assert_cmpfloat(pick(fixture, a, 1), ==, beside);
    g_autoptr(PsCardRead) log = card_read_log(fixture);
    PsCardRow all;
    g_autoptr(GArray) rows = ps_card_summary(log, &all);
    g_assert_cmpuint(rows->len, ==, 1);
    g_assert_cmpint(all.how[PS_CARD_SIMULATED], ==, 2);
    g_assert_cmpint(all.how[PS_CARD_ALIKE], ==, 2);
}

static void test_faults(CardFixture *fixture, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    (void)data;
    g_assert_false(card_launch(fixture, CARD_GROUPS + 1, 1, NULL, &error));
    g_assert_error(error, PS_CARD_FAULT, (gint)PS_PTX_FAULT_ADDRESS);
    g_assert_nonnull(strstr(error->message, "thread (0,0,0) of group (4,0,0) reads 4 bytes"));
    g_assert_nonnull(strstr(error->message, "right behind the end of \"allocation 3\""));
    g_clear_error(&error);
    g_assert_false(card_launch(fixture, 0, 1, NULL, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_USAGE);
    g_clear_error(&error);
    const PsCardLaunch lacking = {.function = fixture->function,
                                  .grid = {1, 1, 1},
                                  .block = {1, 1, 1},
                                  .packed = "",
                                  .packed_size = 1};
    g_assert_false(ps_card_launch(fixture->card, &lacking, NULL, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_USAGE);
    close(fixture->pipe[1]);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add("/card/launches", CardFixture, NULL, card_set_up, test_launches, card_tear_down);
    g_test_add("/card/look-back", CardFixture, NULL, card_set_up, test_look_back, card_tear_down);
    g_test_add("/card/one-by-one", CardFixture, NULL, card_set_up, test_one_by_one, card_tear_down);
    g_test_add("/card/meeting", CardFixture, NULL, card_set_up, test_meeting, card_tear_down);
    g_test_add("/card/many-kinds", CardFixture, NULL, card_set_up, test_many_kinds, card_tear_down);
    g_test_add("/card/foretold", CardFixture, NULL, card_set_up, test_foretold, card_tear_down);
    g_test_add("/card/kinds", CardFixture, NULL, card_set_up, test_kinds, card_tear_down);
    g_test_add("/card/faults", CardFixture, NULL, card_set_up, test_faults, card_tear_down);
    g_test_add_func("/card/constants", test_constants);
    return g_test_run();
}
