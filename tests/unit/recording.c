/* SPDX-License-Identifier: BSD-3-Clause */
/* Recordings: launches that are asked about again, and files that were cut or changed. */
#include "card/card.h"
#include "card/recording.h"
#include "card/replay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* In f each thread of a group adds `one` to a word, as often as the constant says. In look a group
 * sets the next one's word before it waits, and again after that. */
#define HEAD                                                                                       \
    ".version 8.0\n.target sm_80\n.address_size 64\n"                                              \
    ".const .align 4 .u32 times = 1;\n.global .align 4 .u32 one = 1;\n"
#define BODY_OF_F                                                                                  \
    ".visible .entry f(.param .u64 out)\n{\n.reg .pred %p;\n.reg .b32 %r<6>;\n.reg .b64 %d<4>;\n"  \
    "ld.param.u64 %d0, [out];\nld.const.u32 %r0, [times];\nmov.u32 %r1, %tid.x;\n"                 \
    "mul.wide.u32 %d1, %r1, 4;\nadd.u64 %d0, %d0, %d1;\nld.global.u32 %r4, [one];\n"               \
    "NEXT:\nld.global.u32 %r3, [%d0+" PLACE "];\nadd.u32 %r3, %r3, %r4;\n"                         \
    "st.global.u32 [%d0+" PLACE "], %r3;\nsub.u32 %r0, %r0, 1;\nsetp.ne.u32 %p, %r0, 0;\n"         \
    "@%p bra NEXT;\nret;\n}\n"
#define PLACE "0"
static const char code[] = HEAD BODY_OF_F
    ".visible .entry look(.param .u64 out)\n{\n"
    ".reg .pred %p;\n.reg .b32 %r<4>;\n.reg .b64 %d<3>;\nld.param.u64 %d0, [out];\n"
    "mov.u32 %r0, %ctaid.x;\nmul.wide.u32 %d1, %r0, 4;\nadd.u64 %d0, %d0, %d1;\n"
    "mov.u32 %r2, 7;\nst.volatile.global.u32 [%d0+4], %r2;\n"
    "WAIT:\nld.volatile.global.u32 %r1, [%d0];\nsetp.eq.u32 %p, %r1, 0;\n@%p bra WAIT;\n"
    "add.u32 %r1, %r1, 1;\nst.volatile.global.u32 [%d0+4], %r1;\nret;\n}\n";
#undef PLACE
#define PLACE "40000" /* in another block of memory */
static const char further[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".const .align 4 .u32 times = 1;\n.global .align 4 .u32 one = 1;\n" BODY_OF_F;

enum { BYTES = 65536, THREADS = 32, WAITING = 100 };

typedef struct {
    PsGpu *gpu, *later; /* sm_80, sm_90 */
    PsCardLog *log;
    PsCard *card;
    FILE *chunks;
    const PsCardPiece *out;
} Fixture;

static PsGpu *load_gpu(const char *path)
{
    g_autoptr(GError) error = NULL;
    PsGpu *gpu = ps_gpu_load(path, &error);
    g_assert_no_error(error);
    return gpu;
}

static void set_up(Fixture *fixture, gconstpointer data)
{
    (void)data;
    fixture->gpu = load_gpu("gpus/a100.xml");
    fixture->later = load_gpu("gpus/h100.xml");
    fixture->log = ps_card_log_keep(TRUE);
    fixture->card = ps_card_new(fixture->gpu, 0, fixture->log);
    fixture->chunks = tmpfile();
    g_assert_nonnull(fixture->chunks);
    ps_card_record_to(fixture->card, fileno(fixture->chunks));
    fixture->out =
        ps_card_memory_add(ps_card_memory(fixture->card), BYTES, PS_CARD_PLAIN, NULL, NULL);
    g_assert_nonnull(fixture->out);
}

static void tear_down(Fixture *fixture, gconstpointer data)
{
    (void)data;
    ps_card_free(fixture->card);
    ps_card_log_free(fixture->log);
    ps_gpu_free(fixture->gpu);
    ps_gpu_free(fixture->later);
    fclose(fixture->chunks);
}

static PsCardModule *load(const Fixture *fixture, gconstpointer image)
{
    g_autoptr(GError) error = NULL;
    PsCardModule *module = ps_card_module_new(fixture->card, image, &error);
    g_assert_no_error(error);
    return module;
}

static void launch(const Fixture *fixture, PsCardModule *module, const char *kernel, guint groups)
{
    g_autoptr(GError) error = NULL;
    const guint8 *out = fixture->out->data;
    gconstpointer params[] = {&out};
    const PsCardLaunch what = {.function = ps_card_module_function(module, kernel),
                               .grid = {groups, 1, 1},
                               .block = {THREADS, 1, 1},
                               .params = params};
    g_assert_true(ps_card_launch(fixture->card, &what, NULL, &error));
    g_assert_no_error(error);
}

static gboolean collect(gpointer data, gconstpointer bytes, gsize size, GError **error)
{
    (void)error;
    g_byte_array_append(data, bytes, (guint)size);
    return TRUE;
}

/* The file that a program would leave. */
static GByteArray *finish(const Fixture *fixture)
{
    GByteArray *all = g_byte_array_new();
    gboolean cut;
    g_autoptr(GMappedFile) file = g_mapped_file_new_from_fd(fileno(fixture->chunks), FALSE, NULL);
    g_autoptr(GBytes) chunks = g_mapped_file_get_bytes(file);
    g_assert_true(ps_card_recording_finish(chunks, collect, all, &cut, NULL));
    g_assert_false(cut);
    return all;
}

static PsCardRecording *open_bytes(const guint8 *data, gsize size, GError **error)
{
    g_autoptr(GBytes) bytes = g_bytes_new(data, size);
    return ps_card_recording_new(bytes, "run.pst", error);
}

/* The text of launch n's graph on that GPU; NULL and *error. */
static char *graph_on(const PsCardRecording *recording, guint n, const PsGpu *gpu, GError **error)
{
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(PsCardReplay) replay = ps_card_replay_new(recording, gpu, FALSE);
    g_autoptr(PsIdg) idg = ps_card_replay_graph(replay, n, NULL, notes, error);
    if (!idg)
        return NULL;
    g_clear_pointer(&idg->made_of, g_free); /* which the log's graphs lack */
    return ps_idg_write(idg);
}

/* ---- launches again ------------------------------------------------------------------------- */

/* Memory and constants are those of each launch; what has changed since does not count. Groups that
 * wait for others find what these left. */
static void test_graphs(Fixture *fixture, gconstpointer data)
{
    PsCardModule *module = load(fixture, code);
    guint32 *out = (guint32 *)(gpointer)fixture->out->data;
    guint32 *times = (guint32 *)(gpointer)ps_card_module_variable(module, "times")->data;
    (void)data;
    launch(fixture, module, "f", 1);
    *times = 50;
    launch(fixture, module, "f", 1);
    g_assert_cmpuint(out[1], ==, 51);
    out[0] = 5;
    launch(fixture, module, "look", WAITING);
    g_assert_cmpuint(out[WAITING], ==, 5 + WAITING);
    *times = 7;
    g_autoptr(GByteArray) bytes = finish(fixture);
    g_autoptr(GError) error = NULL;
    g_autoptr(PsCardRecording) recording = open_bytes(bytes->data, bytes->len, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(ps_card_recording_count(recording), ==, 3);
    g_autoptr(PsCardRead) read = ps_card_log_read(ps_card_log_text(fixture->log), NULL);
    for (guint n = 1; n <= 3; n++) {
        const PsCardLaunched *told = &g_array_index(read->launches, PsCardLaunched, n - 1);
        PsCardRecordedLaunch again;
        g_assert_true(ps_card_recording_launch(recording, n, &again, NULL));
        g_assert_cmpstr(again.kernel, ==, told->kernel);
        g_assert_cmpuint(again.grid[0], ==, told->grid[0]);
        g_assert_cmpuint(again.first, ==, n);
        g_assert_true(again.good);
        g_autofree char *graph = graph_on(recording, n, fixture->gpu, &error);
        g_assert_no_error(error);
        g_assert_cmpstr(graph, ==, g_hash_table_lookup(read->graphs, &told->graph));
        g_autofree char *later = graph_on(recording, n, fixture->later, &error);
        g_assert_no_error(error);
        g_assert_nonnull(later);
    }
}

/* All launches have the times that the program's log has, where the GPU is the same. */
static void test_all(Fixture *fixture, gconstpointer data)
{
    PsCardModule *module = load(fixture, code);
    guint32 *times = (guint32 *)(gpointer)ps_card_module_variable(module, "times")->data;
    (void)data;
    ps_card_memory_add(ps_card_memory(fixture->card), 1 << 20, PS_CARD_PLAIN, NULL, NULL);
    for (guint i = 0; i < 6; i++) {
        *times = i < 4 ? 1 : 30;
        memset(fixture->out->data, i < 5 ? 0 : 1, fixture->out->size);
        launch(fixture, module, "f", 1);
    }
    g_autoptr(GByteArray) bytes = finish(fixture);
    g_autoptr(GError) error = NULL;
    g_autoptr(PsCardRecording) recording = open_bytes(bytes->data, bytes->len, NULL);
    g_autoptr(PsCardReplay) replay = ps_card_replay_new(recording, fixture->gpu, FALSE);
    g_autoptr(PsCardRead) again = ps_card_replay_all(replay, &error);
    g_assert_no_error(error);
    g_autoptr(PsCardRead) read = ps_card_log_read(ps_card_log_text(fixture->log), NULL);
    g_assert_cmpuint(again->launches->len, ==, 6);
    for (guint i = 0; i < again->launches->len; i++) {
        const PsCardLaunched *one = &g_array_index(again->launches, PsCardLaunched, i),
                             *then = &g_array_index(read->launches, PsCardLaunched, i);
        g_assert_cmpfloat(one->seconds, ==, then->seconds);
        g_assert_cmpint(one->how, ==, then->how);
        g_assert_cmpuint(one->instructions, ==, then->instructions);
        g_assert_cmpstr(one->code, ==, then->code);
    }
}

/* A launch that repeats an earlier one has no memory of its own, and is asked about as that. */
static void test_same(Fixture *fixture, gconstpointer data)
{
    PsCardModule *module = load(fixture, code);
    (void)data;
    ps_card_memory_add(ps_card_memory(fixture->card), 1 << 20, PS_CARD_PLAIN, NULL, NULL);
    for (guint i = 0; i < 4; i++) { /* whose results may be kept */
        memset(fixture->out->data, 0, fixture->out->size);
        launch(fixture, module, "f", 1);
    }
    g_autoptr(GByteArray) bytes = finish(fixture);
    g_autoptr(PsCardRecording) recording = open_bytes(bytes->data, bytes->len, NULL);
    PsCardRecordedLaunch last;
    g_assert_cmpuint(ps_card_recording_count(recording), ==, 4);
    g_assert_true(ps_card_recording_launch(recording, 4, &last, NULL));
    g_assert_cmpuint(last.first, ==, 2);
    g_autofree char *first = graph_on(recording, 1, fixture->gpu, NULL);
    g_autofree char *again = graph_on(recording, 4, fixture->gpu, NULL);
    g_assert_nonnull(first);
    g_assert_cmpstr(first, ==, again);
}

/* ---- what cannot be ------------------------------------------------------------------------- */

static void test_other_gpu(Fixture *fixture, gconstpointer data)
{
    g_autoptr(PsGpu) older = load_gpu("gpus/v100.xml"), other = load_gpu("gpus/mi100.xml");
    g_autoptr(GError) error = NULL;
    (void)data;
    launch(fixture, load(fixture, code), "f", 1);
    g_autoptr(GByteArray) bytes = finish(fixture);
    g_autoptr(PsCardRecording) recording = open_bytes(bytes->data, bytes->len, NULL);
    g_assert_null(graph_on(recording, 1, older, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
    g_assert_nonnull(strstr(error->message, "no code in the program suits a GPU of sm_70"));
    g_clear_error(&error);
    g_assert_null(graph_on(recording, 1, other, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
    g_assert_nonnull(strstr(error->message, "states no compute capability"));
}

/* packed: its bytes, where it is said to be packed by zstd. */
static void add_packed(GByteArray *fat, guint target, const char *text, guint packed)
{
    const struct {
        guint16 kind, version;
        guint32 head;
        guint64 size;
        guint32 packed, others[2], target, more[2];
        guint64 flags, last, raw;
    } entry = {.kind = 1,
               .version = 0x101,
               .head = 64,
               .size = strlen(text),
               .packed = packed,
               .target = target,
               .flags = packed ? 0x8000 : 0,
               .raw = packed ? 100 : 0};
    g_byte_array_append(fat, (const guint8 *)&entry, sizeof entry);
    g_byte_array_append(fat, (const guint8 *)text, (guint)strlen(text));
}

static void add_ptx(GByteArray *fat, guint target, const char *text)
{
    add_packed(fat, target, text, 0);
}

static GByteArray *begin_fat(void)
{
    const guint32 head[] = {0xba55ed50U, 16U << 16 | 1, 0, 0};
    GByteArray *fat = g_byte_array_new();
    g_byte_array_append(fat, (const guint8 *)head, sizeof head);
    return fat;
}

static void end_fat(const GByteArray *fat)
{
    const guint64 size = fat->len - 16;
    memcpy(fat->data + 8, &size, sizeof size);
}

/* A launch whose code cannot be recorded is left out, and the others keep their numbers. */
static void test_left_out(Fixture *fixture, gconstpointer data)
{
    g_autoptr(GByteArray) fat = begin_fat();
    g_autoptr(GError) error = NULL;
    (void)data;
    add_ptx(fat, 80, code);
    add_packed(fat, 90, "no zstd", 7);
    end_fat(fat);
    PsCardModule *damaged = load(fixture, fat->data), *good = load(fixture, code);
    for (guint i = 0; i < 3; i++)
        launch(fixture, i == 1 ? good : damaged, i == 1 ? "look" : "f", 1);
    g_autoptr(GByteArray) bytes = finish(fixture);
    g_autoptr(PsCardRecording) recording = open_bytes(bytes->data, bytes->len, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(ps_card_recording_count(recording), ==, 3);
    for (guint n = 1; n <= 3; n++) {
        PsCardRecordedLaunch told;
        g_assert_true(ps_card_recording_launch(recording, n, &told, NULL));
        g_assert_cmpstr(told.kernel, ==, n == 2 ? "look" : "f");
        g_assert_cmpuint(told.block[0], ==, THREADS);
        g_assert_true(n == 2 ? !told.left : !!strstr(told.left, "its code is not recorded"));
        g_assert_cmpuint(told.first, ==, n);
    }
    g_assert_null(graph_on(recording, 1, fixture->gpu, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
    g_assert_nonnull(strstr(error->message, "launch 1 is not in it: its code is not recorded"));
    g_autoptr(PsCardReplay) replay = ps_card_replay_new(recording, fixture->gpu, FALSE);
    g_autoptr(PsCardRead) all = ps_card_replay_all(replay, NULL);
    g_assert_cmpuint(all->launches->len, ==, 3);
    g_assert_true(isnan(g_array_index(all->launches, PsCardLaunched, 0).seconds));
    g_assert_cmpfloat(g_array_index(all->launches, PsCardLaunched, 1).seconds, >, 0);
    g_assert_cmpstr(all->notes->pdata[0], ==,
                    "2 of 3 launches are not in the recording, and have no time");
}

/* Code for another GPU may access what was not recorded: there is no graph of what nobody knows. */
static void test_not_recorded(Fixture *fixture, gconstpointer data)
{
    g_autoptr(GByteArray) fat = begin_fat();
    g_autoptr(GError) error = NULL;
    (void)data;
    add_ptx(fat, 80, code);
    add_ptx(fat, 90, further);
    end_fat(fat);
    launch(fixture, load(fixture, fat->data), "f", 1);
    g_autoptr(GByteArray) bytes = finish(fixture);
    g_autoptr(PsCardRecording) recording = open_bytes(bytes->data, bytes->len, NULL);
    g_autofree char *same = graph_on(recording, 1, fixture->gpu, &error);
    g_assert_no_error(error);
    g_assert_nonnull(same);
    g_assert_null(graph_on(recording, 1, fixture->later, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
    g_assert_nonnull(strstr(error->message, "accesses what the recording does not have"));
}

static GByteArray *a_recording(const Fixture *fixture)
{
    launch(fixture, load(fixture, code), "f", 1);
    return finish(fixture);
}

static void test_cut(Fixture *fixture, gconstpointer data)
{
    g_autoptr(GByteArray) bytes = a_recording(fixture);
    (void)data;
    for (guint size = 0; size < bytes->len; size++) {
        g_autoptr(GError) error = NULL;
        g_assert_null(open_bytes(bytes->data, size, &error));
        g_assert_error(error, PS_ERROR, PS_ERROR_SYNTAX);
        g_assert_nonnull(strstr(error->message, size < 18 ? "no recording" : "was cut"));
    }
    g_byte_array_append(bytes, (const guint8 *)"x", 1);
    g_assert_null(open_bytes(bytes->data, bytes->len, NULL));
}

/* Whichever byte is another one, the file is refused, or the launch; but for bits that mean nothing
 * to zstd: then all is as it was. */
static void test_changed(Fixture *fixture, gconstpointer data)
{
    g_autoptr(GByteArray) bytes = a_recording(fixture);
    g_autoptr(PsCardRecording) whole = open_bytes(bytes->data, bytes->len, NULL);
    g_autofree char *wanted = graph_on(whole, 1, fixture->gpu, NULL);
    guint refused = 0;
    (void)data;
    for (guint at = 0; at < bytes->len; at++) {
        g_autoptr(GError) error = NULL;
        bytes->data[at] ^= 0x10;
        g_autoptr(PsCardRecording) recording = open_bytes(bytes->data, bytes->len, &error);
        g_autofree char *graph = recording ? graph_on(recording, 1, fixture->gpu, &error) : NULL;
        g_assert_true(error ? !graph : g_strcmp0(graph, wanted) == 0);
        refused += error != NULL;
        bytes->data[at] ^= 0x10;
    }
    g_assert_cmpuint(refused, >, bytes->len / 10 * 9);
}

static void test_version(void)
{
    static const char later[] = "pipesim recording 1\nwho knows";
    g_autoptr(GError) error = NULL;
    g_assert_null(open_bytes((const guint8 *)later, sizeof later, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
    g_assert_nonnull(strstr(error->message, "of version 1, and this pipesim reads version 2"));
}

/* The end of what a killed program wrote is left out. */
static void test_killed(Fixture *fixture, gconstpointer data)
{
    PsCardModule *module = load(fixture, code);
    g_autoptr(GByteArray) all = g_byte_array_new();
    gboolean cut;
    (void)data;
    launch(fixture, module, "f", 1);
    launch(fixture, module, "f", 2);
    g_autoptr(GMappedFile) file = g_mapped_file_new_from_fd(fileno(fixture->chunks), FALSE, NULL);
    g_autoptr(GBytes) chunks =
        g_bytes_new(g_mapped_file_get_contents(file), g_mapped_file_get_length(file) - 1);
    g_assert_true(ps_card_recording_finish(chunks, collect, all, &cut, NULL));
    g_assert_true(cut);
    g_autoptr(PsCardRecording) recording = open_bytes(all->data, all->len, NULL);
    g_assert_cmpuint(ps_card_recording_count(recording), ==, 1);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    static const struct {
        const char *name;
        void (*test)(Fixture *, gconstpointer);
    } tests[] = {{"/recording/graphs", test_graphs},
                 {"/recording/same", test_same},
                 {"/recording/all", test_all},
                 {"/recording/other-gpu", test_other_gpu},
                 {"/recording/not-recorded", test_not_recorded},
                 {"/recording/left-out", test_left_out},
                 {"/recording/cut", test_cut},
                 {"/recording/changed", test_changed},
                 {"/recording/killed", test_killed}};
    for (guint i = 0; i < G_N_ELEMENTS(tests); i++)
        g_test_add(tests[i].name, Fixture, NULL, set_up, tests[i].test, tear_down);
    g_test_add_func("/recording/version", test_version);
    return g_test_run();
}
