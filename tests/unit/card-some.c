/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches of which some groups are executed alone: times, memory, what the log tells. */
#include "card/card.h"
#include "card/summary.h"

#include <math.h>
#include <string.h>

/* In f each thread adds 1 to a word of its own. In copy each takes another one's. In look a group
 * sets the next one's word before it waits for its own, and again after that. */
static const char code[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry f(.param .u64 out)\n{\n"
    ".reg .b32 %r<6>;\n.reg .b64 %d<6>;\nld.param.u64 %d0, [out];\n"
    "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmad.lo.u32 %r1, %r2, 32, %r1;\n"
    "mul.wide.u32 %d1, %r1, 4;\nadd.u64 %d0, %d0, %d1;\n"
    "ld.global.u32 %r3, [%d0];\nadd.u32 %r3, %r3, 1;\nst.global.u32 [%d0], %r3;\nret;\n}\n"
    ".visible .entry copy(.param .u64 out, .param .u64 from)\n{\n"
    ".reg .b32 %r<6>;\n.reg .b64 %d<6>;\nld.param.u64 %d0, [out];\nld.param.u64 %d2, [from];\n"
    "mov.u32 %r1, %tid.x;\nmul.wide.u32 %d1, %r1, 4;\nadd.u64 %d0, %d0, %d1;\n"
    "add.u64 %d2, %d2, %d1;\nld.global.u32 %r3, [%d2];\nst.global.u32 [%d0], %r3;\nret;\n}\n"
    ".visible .entry look(.param .u64 out)\n{\n"
    ".reg .pred %p;\n.reg .b32 %r<4>;\n.reg .b64 %d<3>;\nld.param.u64 %d0, [out];\n"
    "mov.u32 %r0, %ctaid.x;\nmul.wide.u32 %d1, %r0, 4;\nadd.u64 %d0, %d0, %d1;\n"
    "mov.u32 %r2, 7;\nst.volatile.global.u32 [%d0+4], %r2;\n"
    "WAIT:\nld.volatile.global.u32 %r1, [%d0];\nsetp.eq.u32 %p, %r1, 0;\n@%p bra WAIT;\n"
    "add.u32 %r1, %r1, 1;\nst.volatile.global.u32 [%d0+4], %r1;\nret;\n}\n";

enum { GROUPS = 40, THREADS = 32, WORDS = GROUPS * THREADS };

typedef struct {
    PsGpu *gpu;
    PsCardLog *log;
    PsCard *card;
    PsCardModule *module;
    const PsCardPiece *out, *other;
} Fixture;

static const PsCardPiece *add(const Fixture *fixture, PsCardKind kind)
{
    const PsCardPiece *piece =
        ps_card_memory_add(ps_card_memory(fixture->card), WORDS * 4, kind, NULL, NULL);
    g_assert_nonnull(piece);
    return piece;
}

static void set_up(Fixture *fixture, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    (void)data;
    fixture->gpu = ps_gpu_load("gpus/v100.xml", &error);
    g_assert_no_error(error);
    fixture->log = ps_card_log_keep(FALSE);
    ps_card_log_start(fixture->log);
    fixture->card = ps_card_new(fixture->gpu, 1 << 20, fixture->log);
    fixture->module = ps_card_module_new(fixture->card, code, &error);
    g_assert_no_error(error);
    fixture->out = add(fixture, PS_CARD_PLAIN);
    fixture->other = add(fixture, PS_CARD_PLAIN);
}

static void tear_down(Fixture *fixture, gconstpointer data)
{
    (void)data;
    ps_card_free(fixture->card);
    ps_card_log_free(fixture->log);
    ps_gpu_free(fixture->gpu);
}

static gboolean launch(const Fixture *fixture, const char *kernel, guint groups,
                       const PsCardPiece *out, double *seconds, GError **error)
{
    gconstpointer params[] = {&out->data, &fixture->out->data};
    const PsCardLaunch what = {.function = ps_card_module_function(fixture->module, kernel),
                               .grid = {groups, 1, 1},
                               .block = {THREADS, 1, 1},
                               .params = params};
    return ps_card_launch(fixture->card, &what, seconds, error);
}

static guint32 word(const PsCardPiece *piece, guint i)
{
    return ((const guint32 *)(gconstpointer)piece->data)[i];
}

/* How many notes have that text in them. */
static guint noted(const Fixture *fixture, const char *text)
{
    g_autoptr(PsCardRead) read = ps_card_log_read(ps_card_log_text(fixture->log), NULL);
    guint n = 0;
    g_assert_nonnull(read);
    for (guint i = 0; i < read->notes->len; i++)
        n += strstr(read->notes->pdata[i], text) != NULL;
    return n;
}

/* The time is that of all groups. Four groups leave their results, each once. */
static void test_time(Fixture *fixture, gconstpointer data)
{
    double all, some, again;
    (void)data;
    g_assert_true(launch(fixture, "f", GROUPS, fixture->out, &all, NULL));
    g_assert_cmpuint(word(fixture->out, 5 * THREADS), ==, 1);
    tear_down(fixture, NULL);
    set_up(fixture, NULL);
    ps_card_some(fixture->card);
    g_assert_true(launch(fixture, "f", GROUPS, fixture->out, &some, NULL));
    g_assert_true(launch(fixture, "f", GROUPS, fixture->out, &again, NULL));
    g_assert_cmpfloat(some, ==, all);
    g_assert_cmpfloat(again, ==, all);
    for (guint i = 0; i < WORDS; i++) {
        const guint group = i / THREADS;
        const gboolean is = group == 0 || group == 13 || group == 26 || group == 39;
        g_assert_cmpuint(word(fixture->out, i), ==, is ? 2 : 0);
    }
    g_assert_cmpuint(noted(fixture, "what the program computes is not right"), ==, 1);
    g_autoptr(PsCardRead) read = ps_card_log_read(ps_card_log_text(fixture->log), NULL);
    PsCardRow row;
    g_autoptr(GArray) rows = ps_card_summary(read, &row);
    g_assert_cmpuint(rows->len, ==, 1);
    g_assert_cmpint(row.how[PS_CARD_SIMULATED], ==, 1);
    g_assert_cmpint(row.how[PS_CARD_ALIKE], ==, 1);
}

/* A copy to the host of what a launch wrote is named, once for each kernel; so is one of a copy,
 * and of what a launch of all groups made of it. What is written whole is right again. */
static void test_copies(Fixture *fixture, gconstpointer data)
{
    static guint8 host[WORDS * 4];
    const char *f = "kernel \"f\": the host reads", *copy = "kernel \"copy\": the host reads";
    PsCard *card = fixture->card;
    (void)data;
    ps_card_some(card);
    const PsCardPiece *third = add(fixture, PS_CARD_PLAIN);
    ps_card_copied(card, host, fixture->out->data, sizeof host);
    g_assert_true(launch(fixture, "copy", 1, fixture->other, NULL, NULL));
    ps_card_copied(card, host, fixture->other->data, sizeof host);
    g_assert_cmpuint(noted(fixture, "the host reads"), ==, 0);

    g_assert_true(launch(fixture, "f", GROUPS, fixture->out, NULL, NULL));
    ps_card_copied(card, third->data, fixture->out->data, 4);
    g_assert_cmpuint(noted(fixture, "the host reads"), ==, 0);
    ps_card_copied(card, host, third->data, 4);
    ps_card_copied(card, host, fixture->out->data, 4);
    g_assert_cmpuint(noted(fixture, f), ==, 1);

    g_assert_true(launch(fixture, "copy", 1, fixture->other, NULL, NULL));
    ps_card_copied(card, host, fixture->other->data, 4);
    g_assert_cmpuint(noted(fixture, copy), ==, 1);
}

static void test_right_again(Fixture *fixture, gconstpointer data)
{
    static guint8 host[WORDS * 4];
    PsCard *card = fixture->card;
    (void)data;
    ps_card_some(card);
    g_assert_true(launch(fixture, "f", GROUPS, fixture->out, NULL, NULL));
    ps_card_copied(card, fixture->out->data, NULL, sizeof host); /* a set */
    ps_card_copied(card, host, fixture->out->data, sizeof host);
    g_assert_true(launch(fixture, "f", GROUPS, fixture->out, NULL, NULL));
    ps_card_copied(card, fixture->out->data, host, sizeof host);
    ps_card_copied(card, host, fixture->out->data, sizeof host);
    g_assert_cmpuint(noted(fixture, "the host reads"), ==, 0);
    g_assert_true(launch(fixture, "f", GROUPS, fixture->out, NULL, NULL));
    ps_card_copied(card, fixture->out->data, host, 4); /* not all of it */
    ps_card_copied(card, host, fixture->out->data, sizeof host);
    g_assert_cmpuint(noted(fixture, "the host reads"), ==, 1);
}

/* Nobody sees when the host reads memory that it shares with the device. */
static void test_managed(Fixture *fixture, gconstpointer data)
{
    (void)data;
    ps_card_some(fixture->card);
    g_assert_true(launch(fixture, "f", GROUPS, add(fixture, PS_CARD_MANAGED), NULL, NULL));
    g_assert_cmpuint(noted(fixture, "kernel \"f\": the host reads"), ==, 1);
}

/* Groups that wait for others are all executed, once, and few groups are; their results are
 * right. */
static void test_all(Fixture *fixture, gconstpointer data)
{
    static guint8 host[WORDS * 4];
    double seconds;
    (void)data;
    ps_card_some(fixture->card);
    *(guint32 *)(gpointer)fixture->out->data = 5;
    g_assert_true(launch(fixture, "look", GROUPS, fixture->out, &seconds, NULL));
    for (guint i = 0; i <= GROUPS; i++)
        g_assert_cmpuint(word(fixture->out, i), ==, 5 + i);
    g_assert_cmpfloat(seconds, >, 0);
    g_assert_true(launch(fixture, "f", 4, fixture->other, &seconds, NULL));
    for (guint i = 0; i < 4 * THREADS; i++)
        g_assert_cmpuint(word(fixture->other, i), ==, 1);
    ps_card_copied(fixture->card, host, fixture->out->data, sizeof host);
    ps_card_copied(fixture->card, host, fixture->other->data, sizeof host);
    g_assert_cmpuint(noted(fixture, "the host reads"), ==, 0);
}

/* What a thread does wrong is told as ever, unless that may follow from memory that is not right:
 * then the launch has no time. */
static void test_faults(Fixture *fixture, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    double seconds;
    (void)data;
    ps_card_some(fixture->card);
    g_assert_false(launch(fixture, "f", 10 * GROUPS, fixture->out, NULL, &error));
    g_assert_error(error, PS_CARD_FAULT, PS_PTX_FAULT_ADDRESS);
    g_assert_nonnull(strstr(error->message, "of group (40,0,0)"));
    g_assert_true(launch(fixture, "f", GROUPS, fixture->out, NULL, NULL));
    g_assert_true(launch(fixture, "f", 10 * GROUPS, fixture->out, &seconds, NULL));
    g_assert_true(isnan(seconds));
    g_assert_cmpuint(noted(fixture, "kernel \"f\": its time is not known"), ==, 1);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add("/card-some/time", Fixture, NULL, set_up, test_time, tear_down);
    g_test_add("/card-some/copies", Fixture, NULL, set_up, test_copies, tear_down);
    g_test_add("/card-some/right-again", Fixture, NULL, set_up, test_right_again, tear_down);
    g_test_add("/card-some/managed", Fixture, NULL, set_up, test_managed, tear_down);
    g_test_add("/card-some/all", Fixture, NULL, set_up, test_all, tear_down);
    g_test_add("/card-some/faults", Fixture, NULL, set_up, test_faults, tear_down);
    return g_test_run();
}
