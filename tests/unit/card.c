/* SPDX-License-Identifier: BSD-3-Clause */
/* A device in this process: its memory, the code it takes, launches, what its log tells. */
#include "card/card.h"
#include "card/copy.h"
#include "card/image.h"
#include "card/summary.h"
#include "card/trace.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

/* ---- memory --------------------------------------------------------------------------------- */

static void test_memory(void)
{
    g_autoptr(PsCardMemory) memory = ps_card_memory_new(10000);
    g_autoptr(GError) error = NULL;
    guint64 all, taken;
    const PsCardPiece *a = ps_card_memory_add(memory, 6000, PS_CARD_PLAIN, NULL, &error);
    const PsCardPiece *b = ps_card_memory_add(memory, 50000, PS_CARD_HOST, NULL, &error);
    g_assert_no_error(error);
    memset(a->data, 1, a->size);
    g_assert_true(ps_card_memory_find(memory, a->data + 5999) == a);
    g_assert_null(ps_card_memory_find(memory, a->data + 6000));
    g_assert_true(ps_card_memory_find(memory, b->data) == b);
    ps_card_memory_count(memory, &all, &taken);
    g_assert_cmpuint(all, ==, 10000);
    g_assert_cmpuint(taken, ==, 6000); /* the host's own is none of it */
    g_assert_null(ps_card_memory_add(memory, 4001, PS_CARD_PLAIN, NULL, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_LIMIT);
    g_assert_false(ps_card_memory_remove(memory, a->data + 1));
    g_assert_true(ps_card_memory_remove(memory, a->data));
    g_assert_true(ps_card_memory_remove(memory, b->data));
    ps_card_memory_count(memory, &all, &taken);
    g_assert_cmpuint(taken, ==, 0);
    g_assert_nonnull(ps_card_memory_add(memory, 10000, PS_CARD_MANAGED, NULL, NULL));
}

/* Where another process had memory: not where no program has any, and no piece over another. What
 * is added then comes behind all of it. */
static void test_placed(void)
{
    static const guint64 bad[] = {0,
                                  4096,
                                  ((guint64)7 << 32) - 1000,
                                  (guint64)15 << 31,
                                  ((guint64)1 << 40) + 4999,
                                  ((guint64)1 << 40) - 4999,
                                  (guint64)1 << 47,
                                  G_MAXUINT64 - 10};
    const guint64 address = (guint64)1 << 40;
    g_autoptr(PsCardMemory) memory = ps_card_memory_new(100000);
    const PsCardPiece *piece =
        ps_card_memory_place(memory, address, 5000, PS_CARD_PLAIN, "a", NULL);
    g_assert_nonnull(piece);
    g_assert_true(ps_card_memory_find(memory, (gpointer)(gsize)(address + 4999)) == piece);
    g_assert_null(ps_card_memory_find(memory, piece->data));
    for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) error = NULL;
        g_assert_null(ps_card_memory_place(memory, bad[i], 5000, PS_CARD_PLAIN, "b", &error));
        g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
    }
    g_assert_nonnull(ps_card_memory_place(memory, 1 << 20, 5000, PS_CARD_PLAIN, "low", NULL));
    const PsCardPiece *more = ps_card_memory_add(memory, 10, PS_CARD_PLAIN, NULL, NULL);
    g_assert_cmpuint(more->address, >, address + 5000);
    g_assert_true(ps_card_memory_remove(memory, (gpointer)(gsize)address));
    ps_card_memory_clear(memory);
    g_assert_cmpuint(ps_card_memory_pieces(memory)->len, ==, 0);
}

static void test_lent(void)
{
    static guint8 own[100];
    g_autoptr(PsCardMemory) memory = ps_card_memory_new(10000);
    g_autoptr(GError) error = NULL;
    const PsCardPiece *piece = ps_card_memory_lend(memory, own + 10, 50, &error);
    g_assert_no_error(error);
    g_assert_true(ps_card_memory_find(memory, own + 59) == piece);
    g_assert_null(ps_card_memory_find(memory, own + 60));
    g_assert_null(ps_card_memory_lend(memory, own, 11, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
    g_assert_nonnull(ps_card_memory_lend(memory, own, 10, NULL));
    g_assert_nonnull(ps_card_memory_lend(memory, own + 60, 40, NULL));
}

/* ---- images --------------------------------------------------------------------------------- */

typedef struct {
    guint16 kind, version;
    guint32 head;
    guint64 size;
    guint32 packed, others[2], target, more[2];
    guint64 flags, last, raw;
} Entry;

static void add_entry(GByteArray *fat, guint kind, guint target, const char *content)
{
    const Entry entry = {.kind = (guint16)kind,
                         .version = 0x101,
                         .head = sizeof entry,
                         .size = strlen(content),
                         .target = target};
    g_byte_array_append(fat, (const guint8 *)&entry, sizeof entry);
    g_byte_array_append(fat, (const guint8 *)content, (guint)strlen(content));
}

enum { PTX = 1, CUBIN = 2 };

/* Two cubins, and PTX for two chips. */
static void begin_fat(GByteArray *fat)
{
    const guint32 head[] = {0xba55ed50U, 16U << 16 | 1, 0, 0};
    g_byte_array_append(fat, (const guint8 *)head, sizeof head);
}

static void end_fat(GByteArray *fat)
{
    const guint64 size = fat->len - 16;
    memcpy(fat->data + 8, &size, sizeof size);
}

static GByteArray *fat_binary(void)
{
    GByteArray *fat = g_byte_array_new();
    begin_fat(fat);
    add_entry(fat, CUBIN, 75, "cubin 75");
    add_entry(fat, CUBIN, 80, "cubin 80");
    add_entry(fat, PTX, 70, "ptx 70");
    add_entry(fat, PTX, 80, "ptx 80");
    end_fat(fat);
    return fat;
}

static const char *text_of(GBytes *bytes)
{
    return bytes ? g_bytes_get_data(bytes, NULL) : "";
}

static void test_choice(void)
{
    static const struct {
        guint capability;
        const char *cubin, *ptx;
    } cases[] = {{70, "", "ptx 70"},
                 {75, "cubin 75", "ptx 70"},
                 {80, "cubin 80", "ptx 80"},
                 {86, "cubin 80", "ptx 80"},
                 {90, "", "ptx 80"}};
    g_autoptr(GByteArray) fat = fat_binary();
    const struct {
        guint32 magic, version;
        const void *data, *others;
    } wrapper = {0x466243b1, 1, fat->data, NULL};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        PsCardImage read;
        g_assert_true(ps_card_image_read(i % 2 ? (const void *)&wrapper : fat->data,
                                         cases[i].capability, &read, NULL));
        g_assert_cmpstr(text_of(read.cubin), ==, cases[i].cubin);
        g_assert_cmpstr(text_of(read.ptx), ==, cases[i].ptx);
        ps_card_image_clear(&read);
    }
}

/* What was linked of pieces: these are not linked, and one alone has PTX that is whole. */
static void test_pieces(void)
{
    g_autoptr(GByteArray) linked = g_byte_array_new(), none = g_byte_array_new(),
                          piece = fat_binary();
    begin_fat(linked);
    add_entry(linked, CUBIN, 80, "linked 80");
    end_fat(linked);
    begin_fat(none);
    end_fat(none);
    static const struct {
        guint capability, pieces;
        gboolean linked;
        const char *cubin, *ptx;
    } cases[] = {{80, 0, TRUE, "linked 80", ""}, {80, 1, TRUE, "linked 80", "ptx 80"},
                 {80, 2, TRUE, "linked 80", ""}, {90, 1, TRUE, "", "ptx 80"},
                 {80, 1, FALSE, "", "ptx 80"},   {80, 2, FALSE, NULL, NULL},
                 {90, 2, TRUE, NULL, NULL}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        PsCardImage read;
        g_autoptr(GError) error = NULL;
        const void *pieces[3] = {cases[i].pieces > 0 ? piece->data : NULL,
                                 cases[i].pieces > 1 ? piece->data : NULL, NULL};
        const struct {
            guint32 magic, version;
            const void *data, *const *pieces;
        } wrapper = {0x466243b1, 2, cases[i].linked ? linked->data : none->data, pieces};
        const gboolean good = ps_card_image_read(&wrapper, cases[i].capability, &read, &error);
        g_assert_cmpint(good, ==, cases[i].cubin != NULL);
        if (!good) {
            g_assert_nonnull(strstr(error->message, "in several pieces"));
            continue;
        }
        g_assert_cmpstr(text_of(read.cubin), ==, cases[i].cubin);
        g_assert_cmpstr(text_of(read.ptx), ==, cases[i].ptx);
        ps_card_image_clear(&read);
    }
}

static void test_bad_images(void)
{
    g_autoptr(GByteArray) fat = fat_binary();
    g_autoptr(GError) error = NULL;
    PsCardImage read;
    g_assert_false(ps_card_image_read(fat->data, 61, &read, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
    g_assert_nonnull(strstr(error->message, "machine code for sm_75, machine code for sm_80, PTX"));
    g_clear_error(&error);
    g_assert_false(ps_card_image_read("no code", 80, &read, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_SYNTAX);
    g_clear_error(&error);
    const guint64 too_much = 1 << 20;
    memcpy(fat->data + 16 + 8, &too_much, sizeof too_much);
    g_assert_false(ps_card_image_read(fat->data, 80, &read, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_SYNTAX);
}

/* ---- launches ------------------------------------------------------------------------------- */

/* In f each thread adds 1 to a word of its own, `rounds` times, which is read through two pointers:
 * one is in a variable. In pick it reads the word that its own word says. In chain a group waits
 * for the word of the group before it, and sets the next one's; in turns all wait for one word,
 * to which each adds 1. In look a group sets the next one's word before it waits, and again after
 * that. In meet each group adds 1 to a word, and waits until all have. */
static const char code[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".global .align 8 .u64 at;\n.const .align 4 .u32 one = 1;\n"
    ".visible .entry f(.param .u64 out, .param .u32 rounds)\n{\n"
    ".reg .pred %p;\n.reg .b32 %r<6>;\n.reg .b64 %d<6>;\n"
    "ld.param.u64 %d0, [out];\nld.param.u32 %r0, [rounds];\nld.const.u32 %r5, [one];\n"
    "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmad.lo.u32 %r1, %r2, 32, %r1;\n"
    "mul.wide.u32 %d1, %r1, 4;\nadd.u64 %d0, %d0, %d1;\n"
    "NEXT:\nld.global.u32 %r3, [%d0];\nadd.u32 %r3, %r3, %r5;\nst.global.u32 [%d0], %r3;\n"
    "sub.u32 %r0, %r0, 1;\nsetp.ne.u32 %p, %r0, 0;\n@%p bra NEXT;\n"
    "st.global.u64 [at], %d0;\nret;\n}\n"
    ".visible .entry pick(.param .u64 from, .param .u64 which)\n{\n"
    ".reg .b32 %r<4>;\n.reg .b64 %d<4>;\nld.param.u64 %d0, [from];\n"
    "ld.param.u64 %d1, [which];\nmov.u32 %r0, %tid.x;\nmul.wide.u32 %d2, %r0, 4;\n"
    "add.u64 %d1, %d1, %d2;\nld.global.u32 %r1, [%d1];\nmul.wide.u32 %d2, %r1, 4;\n"
    "add.u64 %d2, %d0, %d2;\nld.global.u32 %r2, [%d2];\nst.global.u32 [%d1], %r2;\nret;\n}\n"
    ".visible .entry chain(.param .u64 out)\n{\n"
    ".reg .pred %p;\n.reg .b32 %r<4>;\n.reg .b64 %d<3>;\nld.param.u64 %d0, [out];\n"
    "mov.u32 %r0, %ctaid.x;\nmul.wide.u32 %d1, %r0, 4;\nadd.u64 %d0, %d0, %d1;\n"
    "WAIT:\nld.volatile.global.u32 %r1, [%d0];\nsetp.eq.u32 %p, %r1, 0;\n@%p bra WAIT;\n"
    "add.u32 %r1, %r1, 1;\nst.volatile.global.u32 [%d0+4], %r1;\nret;\n}\n"
    ".visible .entry turns(.param .u64 out)\n{\n"
    ".reg .pred %p;\n.reg .b32 %r<4>;\n.reg .b64 %d<3>;\nld.param.u64 %d0, [out];\n"
    "mov.u32 %r0, %tid.x;\nsetp.ne.u32 %p, %r0, 0;\n@%p bra END;\nmov.u32 %r0, %ctaid.x;\n"
    "WAIT:\nld.volatile.global.u32 %r1, [%d0];\nsetp.ne.u32 %p, %r1, %r0;\n@%p bra WAIT;\n"
    "add.u32 %r1, %r1, 1;\nst.volatile.global.u32 [%d0], %r1;\nEND:\nret;\n}\n"
    ".visible .entry look(.param .u64 out)\n{\n"
    ".reg .pred %p;\n.reg .b32 %r<4>;\n.reg .b64 %d<3>;\nld.param.u64 %d0, [out];\n"
    "mov.u32 %r0, %ctaid.x;\nmul.wide.u32 %d1, %r0, 4;\nadd.u64 %d0, %d0, %d1;\n"
    "mov.u32 %r2, 7;\nst.volatile.global.u32 [%d0+4], %r2;\n"
    "WAIT:\nld.volatile.global.u32 %r1, [%d0];\nsetp.eq.u32 %p, %r1, 0;\n@%p bra WAIT;\n"
    "add.u32 %r1, %r1, 1;\nst.volatile.global.u32 [%d0+4], %r1;\nret;\n}\n"
    ".visible .entry meet(.param .u64 out)\n{\n"
    ".reg .pred %p;\n.reg .b32 %r<4>;\n.reg .b64 %d<3>;\nld.param.u64 %d0, [out];\n"
    "mov.u32 %r0, %tid.x;\nsetp.ne.u32 %p, %r0, 0;\n@%p bra END;\nmov.u32 %r0, %nctaid.x;\n"
    "red.global.add.u32 [%d0], 1;\n"
    "WAIT:\nld.volatile.global.u32 %r1, [%d0];\nsetp.ne.u32 %p, %r1, %r0;\n@%p bra WAIT;\n"
    "END:\nret;\n}\n";

typedef struct {
    PsGpu *gpu;
    PsCardLog *log;
    PsCard *card;
    PsCardModule *module;
    PsCardFunction *function;
    const PsCardPiece *out;
    int pipe[2];
} Fixture;

enum { GROUPS = 4, THREADS = 32 };

static void set_up(Fixture *fixture, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    (void)data;
    fixture->gpu = ps_gpu_load("gpus/v100.xml", &error);
    g_assert_no_error(error);
    g_assert_cmpint(pipe(fixture->pipe), ==, 0);
    fixture->log = ps_card_log_new(fixture->pipe[1], FALSE);
    fixture->card = ps_card_new(fixture->gpu, 1 << 20, fixture->log);
    fixture->module = ps_card_module_new(fixture->card, code, &error);
    g_assert_no_error(error);
    fixture->function = ps_card_module_function(fixture->module, "f");
    fixture->out = ps_card_memory_add(ps_card_memory(fixture->card), GROUPS * THREADS * 4,
                                      PS_CARD_PLAIN, NULL, &error);
    g_assert_no_error(error);
}

static void tear_down(Fixture *fixture, gconstpointer data)
{
    (void)data;
    ps_card_free(fixture->card);
    ps_card_log_free(fixture->log);
    ps_gpu_free(fixture->gpu);
    close(fixture->pipe[0]);
}

static gboolean launch(const Fixture *fixture, guint groups, guint32 rounds, double *seconds,
                       GError **error)
{
    const guint8 *out = fixture->out->data;
    gconstpointer params[] = {&out, &rounds};
    const PsCardLaunch what = {.function = fixture->function,
                               .grid = {groups, 1, 1},
                               .block = {THREADS, 1, 1},
                               .params = params};
    return ps_card_launch(fixture->card, &what, seconds, error);
}

static PsCardRead *read_log(const Fixture *fixture)
{
    char text[8192] = "";
    close(fixture->pipe[1]);
    const gssize n = read(fixture->pipe[0], text, sizeof text - 1);
    g_assert_cmpint(n, >, 0);
    g_autoptr(GError) error = NULL;
    PsCardRead *log = ps_card_log_read(text, &error);
    g_assert_no_error(error);
    return log;
}

/* All groups are executed once, though launches are simulated, too: memory shows no trace of
 * that. */
static void test_launches(Fixture *fixture, gconstpointer data)
{
    const guint32 *out = (const guint32 *)(gconstpointer)fixture->out->data;
    const PsCardPiece *at = ps_card_module_variable(fixture->module, "at");
    const PsCardPiece *one = ps_card_module_variable(fixture->module, "one");
    double first, same, longer;
    (void)data;
    g_assert_true(launch(fixture, GROUPS, 3, &first, NULL));
    g_assert_true(launch(fixture, GROUPS, 3, &same, NULL));
    for (guint i = 0; i < GROUPS * THREADS; i++)
        g_assert_cmpuint(out[i], ==, 6);
    g_assert_cmpuint(*(const guint64 *)(gconstpointer)at->data, ==,
                     (guint64)(gsize)&out[GROUPS * THREADS - 1]);
    *(guint32 *)(gpointer)one->data = 10; /* as cudaMemcpyToSymbol does */
    g_assert_true(launch(fixture, GROUPS, 300, &longer, NULL));
    g_assert_cmpuint(out[0], ==, 3006);
    g_assert_cmpfloat(first, >, 0);
    g_assert_cmpfloat(first, ==, same);
    g_assert_cmpfloat(longer, >, first);
    g_autoptr(PsCardRead) log = read_log(fixture);
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

enum { WAITING = 100 };

static gboolean launch_waiting(const Fixture *fixture, const char *kernel, gboolean cooperative,
                               double *seconds, GError **error)
{
    guint8 *out = fixture->out->data;
    gconstpointer params[] = {&out};
    const PsCardLaunch what = {.function = ps_card_module_function(fixture->module, kernel),
                               .grid = {WAITING, 1, 1},
                               .block = {THREADS, 1, 1},
                               .cooperative = cooperative,
                               .params = params};
    return ps_card_launch(fixture->card, &what, seconds, error);
}

/* What groups wait for is there in the simulation as well, which leaves no trace. Who looks back
 * waits for groups that did not wait. */
static void test_look_back(Fixture *fixture, gconstpointer data)
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
    g_autoptr(PsCardRead) log = read_log(fixture);
    g_assert_cmpuint(log->notes->len, ==, 1);
    g_assert_nonnull(strstr(log->notes->pdata[0], "such waits are not in its time"));
}

/* Groups that come one after the other have right results and no time: by words of their own, and
 * by one that all share, whose last value ends no group's wait but the last's. */
static void test_one_by_one(Fixture *fixture, gconstpointer data)
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
    g_autoptr(PsCardRead) log = read_log(fixture);
    g_assert_cmpuint(log->notes->len, ==, 2);
    g_assert_nonnull(strstr(log->notes->pdata[0], "its time is not known"));
    g_assert_nonnull(strstr(log->notes->pdata[1], "they come one after the other"));
}

/* Groups that wait for all others have no time either: they are executed together where the launch
 * asks for it, else they fail. */
static void test_meeting(Fixture *fixture, gconstpointer data)
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
    g_autoptr(PsCardRead) log = read_log(fixture);
    g_assert_cmpuint(log->notes->len, ==, 1);
    g_assert_nonnull(strstr(log->notes->pdata[0], "so there is no time"));
}

static double pick(const Fixture *fixture, const PsCardPiece *from, guint32 step)
{
    guint32 *which = (guint32 *)(gpointer)fixture->out->data;
    for (guint i = 0; i < THREADS; i++)
        which[i] = i * step;
    gconstpointer params[] = {&from->data, &which};
    const PsCardLaunch what = {.function = ps_card_module_function(fixture->module, "pick"),
                               .grid = {1, 1, 1},
                               .block = {THREADS, 1, 1},
                               .params = params};
    double seconds;
    g_assert_true(ps_card_launch(fixture->card, &what, &seconds, NULL));
    return seconds;
}

/* Launches with the same arguments that execute the same instructions differ by what memory has;
 * the same memory elsewhere is the same. */
static void test_kinds(Fixture *fixture, gconstpointer data)
{
    PsCardMemory *memory = ps_card_memory(fixture->card);
    const PsCardPiece *a = ps_card_memory_add(memory, 1 << 16, PS_CARD_PLAIN, NULL, NULL);
    const PsCardPiece *b = ps_card_memory_add(memory, 1 << 16, PS_CARD_PLAIN, NULL, NULL);
    (void)data;
    const double beside = pick(fixture, a, 1), apart = pick(fixture, a, 64);
    g_assert_cmpfloat(apart, >=, beside);
    g_assert_cmpfloat(pick(fixture, b, 64), ==, apart);
    g_assert_cmpfloat(pick(fixture, a, 1), ==, beside);
    g_autoptr(PsCardRead) log = read_log(fixture);
    PsCardRow all;
    g_autoptr(GArray) rows = ps_card_summary(log, &all);
    g_assert_cmpuint(rows->len, ==, 1);
    g_assert_cmpint(all.how[PS_CARD_SIMULATED], ==, 2);
    g_assert_cmpint(all.how[PS_CARD_ALIKE], ==, 2);
}

static void test_faults(Fixture *fixture, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    (void)data;
    g_assert_false(launch(fixture, GROUPS + 1, 1, NULL, &error));
    g_assert_error(error, PS_CARD_FAULT, (gint)PS_PTX_FAULT_ADDRESS);
    g_assert_nonnull(strstr(error->message, "thread (0,0,0) of group (4,0,0) reads 4 bytes"));
    g_assert_nonnull(strstr(error->message, "right behind the end of \"allocation 3\""));
    g_clear_error(&error);
    g_assert_false(launch(fixture, 0, 1, NULL, &error));
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

/* ---- launches that repeat ------------------------------------------------------------------- */

/* Begins with zeros, and launches f; a group may end after so many instructions, 0: as usual. */
static gboolean launch_from_zeros(const Fixture *fixture, guint64 limit)
{
    memset(fixture->out->data, 0, fixture->out->size);
    ps_card_limit(fixture->card, limit);
    return launch(fixture, GROUPS, 3, NULL, NULL);
}

/* A launch that would need to execute fails where groups may execute one instruction. */
static void test_repeat(Fixture *fixture, gconstpointer data)
{
    PsCardMemory *memory = ps_card_memory(fixture->card);
    guint32 *out = (guint32 *)(gpointer)fixture->out->data;
    (void)data;
    ps_card_memory_add(memory, 1 << 17, PS_CARD_PLAIN, NULL, NULL); /* results may be kept */
    g_assert_true(launch_from_zeros(fixture, 0));
    g_assert_false(launch_from_zeros(fixture, 1)); /* the first was not recorded */
    g_assert_true(launch_from_zeros(fixture, 0));
    g_assert_true(launch_from_zeros(fixture, 1));
    for (guint i = 0; i < GROUPS * THREADS; i++)
        g_assert_cmpuint(out[i], ==, 3);
    g_assert_false(launch(fixture, GROUPS, 3, NULL, NULL)); /* it would begin with threes */
    g_assert_false(launch(fixture, GROUPS, 4, NULL, NULL));
    g_assert_true(launch_from_zeros(fixture, 1));
    close(fixture->pipe[1]);
}

/* What memory and constants hold is looked at each time, whoever changed it. */
static void test_repeat_changed(Fixture *fixture, gconstpointer data)
{
    PsCardMemory *memory = ps_card_memory(fixture->card);
    const PsCardPiece *one = ps_card_module_variable(fixture->module, "one");
    (void)data;
    ps_card_memory_add(memory, 1 << 17, PS_CARD_PLAIN, NULL, NULL);
    for (guint i = 0; i < 2; i++)
        g_assert_true(launch_from_zeros(fixture, 0));
    memset(fixture->out->data, 0, fixture->out->size);
    fixture->out->data[fixture->out->size - 1] = 1;
    ps_card_limit(fixture->card, 1);
    g_assert_false(launch(fixture, GROUPS, 3, NULL, NULL));
    *(guint32 *)(gpointer)one->data = 10;
    g_assert_false(launch_from_zeros(fixture, 1));
    *(guint32 *)(gpointer)one->data = 1;
    g_assert_true(launch_from_zeros(fixture, 1));
    ps_card_memory_remove(memory, fixture->out->data); /* others may get its address */
    fixture->out = ps_card_memory_add(memory, GROUPS * THREADS * 4, PS_CARD_PLAIN, NULL, NULL);
    g_assert_false(launch_from_zeros(fixture, 1));
    close(fixture->pipe[1]);
}

/* The last bytes of memory whose size is odd are looked at, too. */
static void test_repeat_rest(Fixture *fixture, gconstpointer data)
{
    PsCardMemory *memory = ps_card_memory(fixture->card);
    (void)data;
    ps_card_memory_add(memory, 1 << 17, PS_CARD_PLAIN, NULL, NULL);
    fixture->out = ps_card_memory_add(memory, GROUPS * THREADS * 4 + 5, PS_CARD_PLAIN, NULL, NULL);
    for (guint i = 0; i < 2; i++)
        g_assert_true(launch_from_zeros(fixture, 0));
    memset(fixture->out->data, 0, fixture->out->size);
    fixture->out->data[fixture->out->size - 1] = 1;
    ps_card_limit(fixture->card, 1);
    g_assert_false(launch(fixture, GROUPS, 3, NULL, NULL));
    close(fixture->pipe[1]);
}

/* Where the program's memory is small, results are not kept; a launch whose results are there
 * already needs none. */
static void test_repeat_small(Fixture *fixture, gconstpointer data)
{
    (void)data;
    for (guint i = 0; i < 3; i++)
        g_assert_true(launch_from_zeros(fixture, 0));
    g_assert_false(launch_from_zeros(fixture, 1));
    fixture->function = ps_card_module_function(fixture->module, "pick");
    const guint8 *data_of[2] = {fixture->out->data, fixture->out->data};
    memset(fixture->out->data, 0, fixture->out->size);
    gconstpointer params[] = {&data_of[0], &data_of[1]};
    const PsCardLaunch what = {.function = fixture->function,
                               .grid = {1, 1, 1},
                               .block = {THREADS, 1, 1},
                               .params = params};
    ps_card_limit(fixture->card, 0);
    for (guint i = 0; i < 2; i++)
        g_assert_true(ps_card_launch(fixture->card, &what, NULL, NULL));
    ps_card_limit(fixture->card, 1);
    g_assert_true(ps_card_launch(fixture->card, &what, NULL, NULL));
    close(fixture->pipe[1]);
}

/* ---- logs ----------------------------------------------------------------------------------- */

static void test_log(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsCardRead) read = ps_card_log_read(
        "start\ncopy\tin\t10\t0\t1\t2\ncopy\tin\t20\t1\t3\tnan\ncopy\tin\t5\t0\t3\t2.5\n"
        "note\tx\nnote\tx\n"
        "launch\tf\t1\t2\t3\t4\t5\t6\t7\t8\tnan\tunknown\t\tsm_80\t9\t4\t12\t\ngraph\t12\t<a>\\n</"
        "a>\nlaunch\tf\t1",
        &error);
    g_assert_no_error(error);
    g_assert_true(read->started);
    PsCardCopies copies[PS_CARD_SET + 1];
    ps_card_copies(read, copies);
    g_assert_cmpuint(copies[PS_CARD_TO_DEVICE].count, ==, 3);
    g_assert_cmpuint(copies[PS_CARD_TO_DEVICE].bytes, ==, 35);
    g_assert_cmpfloat(copies[PS_CARD_TO_DEVICE].seconds, ==, 4.5);
    g_assert_true(isnan(copies[PS_CARD_SET].seconds));
    g_assert_cmpfloat(ps_card_end(read), ==, 5.5);
    g_assert_cmpuint(read->notes->len, ==, 1);
    g_assert_cmpuint(read->launches->len, ==, 1); /* the last line is cut */
    const PsCardLaunched *launch = &g_array_index(read->launches, PsCardLaunched, 0);
    g_assert_cmpuint(launch->block[2], ==, 6);
    g_assert_cmpuint(launch->shared, ==, 8);
    g_assert_true(isnan(launch->seconds));
    g_assert_null(launch->limit);
    g_assert_cmpstr(launch->code, ==, "sm_80");
    g_assert_cmpstr(g_hash_table_lookup(read->graphs, &launch->graph), ==, "<a>\n</a>");
    PsCardRow all;
    g_autoptr(GArray) rows = ps_card_summary(read, &all);
    g_assert_cmpuint(rows->len, ==, 1);
    g_assert_true(isnan(all.total) && isnan(all.mean) && isnan(all.share));
    static const char *const bad[] = {"stop\n",
                                      "copy\tup\t1\t0\t0\t0\n",
                                      "copy\tin\t-1\t0\t0\t0\n",
                                      "copy\tin\t1\t0\t-1\t0\n",
                                      "copy\tin\t1\t0\tnan\t0\n",
                                      "copy\tin\t1\t0\t0\tinf\n",
                                      "launch\tf\t1\n",
                                      "graph\tx\t\n",
                                      "note\n"};
    for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_clear_error(&error);
        g_assert_null(ps_card_log_read(bad[i], &error));
        g_assert_error(error, PS_ERROR, PS_ERROR_SYNTAX);
    }
}

static void check_trace(const PsCardRead *read, const char *wanted)
{
    g_autofree char *trace = ps_card_trace(read, "A100");
    const char *begin = strstr(trace, "host\"}},\n");
    g_assert_nonnull(begin);
    g_assert_cmpstr(begin + strlen("host\"}},\n"), ==, wanted);
}

/* What begins before the last of its stream is done has a track of its own, and what has no time is
 * an instant. */
static void test_trace(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsCardRead) read = ps_card_log_read(
        "start\ncopy\tout\t10\t0\t0\t0.5\n"
        "launch\tf\t1\t2\t3\t4\t5\t6\t7\t8\t0.000002\tsimulated\tlatency\tsm_80\t9\t0.5\t0\t\n"
        "launch\tg\t1\t1\t1\t1\t1\t1\t7\t0\t0.001\tsimulated\t\tsm_80\t9\t0.500001\t0\t\n"
        "launch\th\t1\t1\t1\t1\t1\t1\t7\t0\tnan\tunknown\t\t\t9\t0.500002\t0\t\n",
        &error);
    g_assert_no_error(error);
    check_trace(
        read,
        "{\"ph\": \"M\", \"pid\": 2, \"tid\": 10, \"name\": \"thread_name\", \"args\": {\"name\": "
        "\"to host\"}},\n"
        "{\"ph\": \"X\", \"ts\": 0.000, \"dur\": 500000.000, \"pid\": 2, \"tid\": 10, \"name\": "
        "\"copy\", \"cat\": \"copy\", \"args\": {\"bytes\": 10}},\n"
        "{\"ph\": \"M\", \"pid\": 1, \"tid\": 11, \"name\": \"thread_name\", \"args\": {\"name\": "
        "\"stream 7\"}},\n"
        "{\"ph\": \"X\", \"ts\": 500000.000, \"dur\": 2.000, \"pid\": 1, \"tid\": 11, \"name\": "
        "\"f\", \"cat\": \"launch\", \"args\": {\"grid\": \"1x2x3\", \"block\": \"4x5x6\", "
        "\"instructions\": 9, \"limit\": \"latency\", \"code\": \"sm_80\"}},\n"
        "{\"ph\": \"M\", \"pid\": 1, \"tid\": 12, \"name\": \"thread_name\", \"args\": {\"name\": "
        "\"stream 7, beside it\"}},\n"
        "{\"ph\": \"X\", \"ts\": 500001.000, \"dur\": 1000.000, \"pid\": 1, \"tid\": 12, \"name\": "
        "\"g\", \"cat\": \"launch\", \"args\": {\"grid\": \"1x1x1\", \"block\": \"1x1x1\", "
        "\"instructions\": 9, \"limit\": null, \"code\": \"sm_80\"}},\n"
        "{\"ph\": \"i\", \"ts\": 500002.000, \"pid\": 1, \"tid\": 11, \"name\": \"h\", \"cat\": "
        "\"launch\", \"args\": {\"grid\": \"1x1x1\", \"block\": \"1x1x1\", \"instructions\": 9, "
        "\"limit\": null, \"code\": null}}\n]\n");
}

/* ---- copies --------------------------------------------------------------------------------- */

static void test_copies(void)
{
    g_autoptr(PsGpu) gpu = ps_gpu_new("copies");
    g_assert_true(isnan(ps_card_copy_seconds(gpu, PS_CARD_TO_DEVICE, 1)));
    g_assert_true(isnan(ps_card_copy_seconds(gpu, PS_CARD_WITHIN, 1)));
    gpu->host.stated = TRUE;
    gpu->host.to_device = PS_RATIONAL_INT(10);
    gpu->host.to_host = PS_RATIONAL_INT(20);
    gpu->host.latency = PS_RATIONAL_INT(2);
    gpu->overheads.kernel_launch = PS_RATIONAL_INT(3);
    PsMemoryLevel *device = ps_gpu_add_level(gpu, PS_LEVEL_DEVICE);
    device->bandwidth = PS_RATIONAL_INT(100);
    device->mixed = PS_RATIONAL_INT(50);
    const guint64 bytes = 1000000;
    static const double microseconds[] = {2 + 100, 2 + 50, 3 + 40, 3 + 10};
    for (guint way = 0; way <= PS_CARD_SET; way++)
        g_assert_cmpfloat_with_epsilon(ps_card_copy_seconds(gpu, way, bytes),
                                       microseconds[way] * 1e-6, 1e-12);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/card/memory", test_memory);
    g_test_add_func("/card/lent", test_lent);
    g_test_add_func("/card/choice", test_choice);
    g_test_add_func("/card/pieces", test_pieces);
    g_test_add_func("/card/bad-images", test_bad_images);
    g_test_add("/card/launches", Fixture, NULL, set_up, test_launches, tear_down);
    g_test_add("/card/look-back", Fixture, NULL, set_up, test_look_back, tear_down);
    g_test_add("/card/one-by-one", Fixture, NULL, set_up, test_one_by_one, tear_down);
    g_test_add("/card/meeting", Fixture, NULL, set_up, test_meeting, tear_down);
    g_test_add("/card/kinds", Fixture, NULL, set_up, test_kinds, tear_down);
    g_test_add("/card/faults", Fixture, NULL, set_up, test_faults, tear_down);
    g_test_add("/card/repeat", Fixture, NULL, set_up, test_repeat, tear_down);
    g_test_add("/card/repeat-changed", Fixture, NULL, set_up, test_repeat_changed, tear_down);
    g_test_add("/card/repeat-rest", Fixture, NULL, set_up, test_repeat_rest, tear_down);
    g_test_add("/card/repeat-small", Fixture, NULL, set_up, test_repeat_small, tear_down);
    g_test_add_func("/card/constants", test_constants);
    g_test_add_func("/card/placed", test_placed);
    g_test_add_func("/card/log", test_log);
    g_test_add_func("/card/trace", test_trace);
    g_test_add_func("/card/copies", test_copies);
    return g_test_run();
}
