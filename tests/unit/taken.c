/* SPDX-License-Identifier: BSD-3-Clause */
/* What a process has copied on a device becomes a recording; files that were cut or changed. */
#include "card/image.h"
#include "card/replay.h"
#include "card/taken.h"
#include "latency-bench/profile/record.h"

#include <math.h>
#include <string.h>

/* Machine code that nothing but its head says to be some: a cubin of sm_80. */
static const guint8 head[80] = {0x7f, 'E', 'L', 'F', 2, 1, 1, 0x33, 7, [18] = 190, 0, [48] = 80};

/* f reads a word where its argument leads to. */
static const char ptx[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry f(.param .u64 x)\n{\n.reg .b32 %r;\n.reg .b64 %d;\n"
    "ld.param.u64 %d, [x];\nld.global.u32 %r, [%d];\nst.global.u32 [%d], %r;\nret;\n}\n";

enum { ADDRESS = 0x10000000, BYTES = PS_RECORD_BLOCK + 100 };

static void put(GByteArray *file, const char *line, gconstpointer bytes, gsize size)
{
    g_byte_array_append(file, (const guint8 *)line, (guint)strlen(line));
    g_byte_array_append(file, (const guint8 *)"\n", 1);
    if (!bytes)
        return;
    g_byte_array_append(file, bytes, (guint)size);
    g_byte_array_append(file, (const guint8 *)"\n", 1);
}

static void put_sized(GByteArray *file, const char *format, gconstpointer bytes, gsize size)
{
    g_autofree char *line = g_strdup_printf("%s\t%" G_GSIZE_FORMAT, format, size);
    put(file, line, bytes, size);
}

/* A launch of f, whose memory begins with page `first`. */
static void put_launch(GByteArray *file, guint call, guint nth, guint32 first, const char *kernel)
{
    const guint64 pointer = ADDRESS + 8;
    const guint32 pages[] = {first, 2};
    g_autofree char *piece = g_strdup_printf("piece\t%d\t%d\t0\t%d\t", ADDRESS, BYTES, 8),
                    *taken =
                        g_strdup_printf("taken\t%u\t%u\t1\t0\t4\t1\t1\t32\t1\t1\t0\t0\t0\t0\t0\t%s",
                                        call, nth, kernel);
    put(file, "begin", NULL, 0);
    put_sized(file, "argument", &pointer, sizeof pointer);
    put(file, piece, pages, sizeof pages);
    put(file, taken, NULL, 0);
}

/* Three launches that are there, the first and the third of which begin with the same; one that is
 * not; and one that the driver refused. */
static GByteArray *a_file(void)
{
    GByteArray *file = g_byte_array_new();
    guint8 page[PS_RECORD_BLOCK] = {0};
    put(file, PS_RECORD_MAGIC "\t" PS_RECORD_VERSION "\tcontents\t77\t1000\tapp", NULL, 0);
    put(file, "units\t0\t108", NULL, 0);
    put_sized(file, "image", ptx, sizeof ptx);
    put_sized(file, "module\t1", head, sizeof head);
    put_sized(file, "page", page, sizeof page);
    put_sized(file, "page", page, BYTES - PS_RECORD_BLOCK);
    page[8] = 1;
    put_sized(file, "page", page, sizeof page);
    put_launch(file, 1, 1, 1, "f");
    put_launch(file, 2, 2, 3, "f");
    put_launch(file, 3, 3, 1, "f");
    put_launch(file, 3, 3, 1, "f");
    put(file, "undone\t3", NULL, 0);
    put_launch(file, 4, 3, 1, "f");
    put(file, "left\t5\t4\twhy not\tf", NULL, 0);
    put(file, "failed\tvariable\tv", NULL, 0);
    put(file, "failed\tvariable\tv", NULL, 0);
    put(file, "done", NULL, 0);
    return file;
}

static PsCardTaken *read_bytes(const guint8 *data, gsize size)
{
    g_autoptr(GBytes) bytes = g_bytes_new(data, size);
    return ps_card_taken_read(bytes);
}

static gboolean collect(gpointer data, gconstpointer bytes, gsize size, GError **error)
{
    (void)error;
    g_byte_array_append(data, bytes, (guint)size);
    return TRUE;
}

/* Six launches as they were measured: the first by a graph, and the last with another grid. */
static GArray *a_measurement(void)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(PsCardMeasured));
    for (guint i = 0; i < 6; i++) {
        const PsCardMeasured one = {.kernel = i == 5 ? "g" : "f",
                                    .grid = {4, 1, 1},
                                    .block = {32, 1, 1},
                                    .stream = i,
                                    .device = 1,
                                    .graph = i == 0,
                                    .wanted = i != 5,
                                    .seconds = i == 2 ? NAN : 1e-6 * (i + 1)};
        g_array_append_val(all, one);
    }
    return all;
}

/* The recording (ps_card_recording_free), and how much is in it. */
static PsCardRecording *record(PsCardTaken *taken, PsCardTakenCount *count)
{
    g_autoptr(GByteArray) out = g_byte_array_new();
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    g_autoptr(GArray) measured = a_measurement(),
                      devices = g_array_new(FALSE, FALSE, sizeof(PsCardDevice));
    const PsCardDevice device = {"a device", 80, ps_card_taken_units(taken, 0)};
    g_autoptr(GError) error = NULL;
    g_array_append_val(devices, device);
    g_ptr_array_add(all, taken);
    g_assert_true(ps_card_taken_write(&(PsCardTakenAll){all, measured, devices}, collect, out,
                                      count, &error));
    g_assert_no_error(error);
    g_autoptr(GBytes) bytes = g_bytes_new(out->data, out->len);
    PsCardRecording *recording = ps_card_recording_new(bytes, "run.pst", &error);
    g_assert_no_error(error);
    return recording;
}

static void test_recording(void)
{
    static const char *const left[] = {"a CUDA graph launched it", NULL, NULL, NULL, "why not",
                                       "it was not asked for"};
    static const guint first[] = {1, 2, 3, 2, 5, 6};
    g_autoptr(GByteArray) file = a_file();
    g_autoptr(PsCardTaken) taken = read_bytes(file->data, file->len);
    PsCardTakenCount count;
    g_assert_true(ps_card_taken_done(taken));
    g_assert_cmpint(ps_card_taken_start(taken), ==, 1000);
    g_assert_cmpuint(ps_card_taken_variables(taken)->len, ==, 1);
    g_autoptr(PsCardRecording) recording = record(taken, &count);
    g_assert_cmpuint(count.whole, ==, 3);
    g_assert_cmpuint(count.missing, ==, 2);
    g_assert_cmpstr(count.why, ==, left[0]);
    g_assert_false(count.too_large);
    g_free(count.why);
    g_assert_cmpuint(ps_card_recording_count(recording), ==, G_N_ELEMENTS(first));
    for (guint i = 0; i < G_N_ELEMENTS(first); i++) {
        PsCardRecordedLaunch launch;
        g_assert_true(ps_card_recording_launch(recording, i + 1, &launch, NULL));
        g_assert_cmpstr(launch.left, ==, left[i]);
        g_assert_cmpuint(launch.first, ==, first[i]);
        g_assert_cmpuint(launch.stream, ==, i);
        g_assert_true(i == 2 ? isnan(launch.measured)
                             : fabs(launch.measured - 1e-6 * (i + 1)) < 1e-12);
        g_assert_true(i == 2 || launch.device->compute_units == 108);
    }
}

/* A launch that is there is asked about on another GPU, which takes the PTX. */
static void test_graph(void)
{
    g_autoptr(GByteArray) file = a_file();
    g_autoptr(PsCardTaken) taken = read_bytes(file->data, file->len);
    g_autoptr(GError) error = NULL;
    g_autoptr(PsGpu) gpu = ps_gpu_load("gpus/h100.xml", &error);
    PsCardTakenCount count;
    g_autoptr(PsCardRecording) recording = record(taken, &count);
    g_free(count.why);
    g_autoptr(PsCardReplay) replay = ps_card_replay_new(recording, gpu, FALSE);
    g_autoptr(PsCardRead) read = ps_card_replay_all(replay, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(read->launches->len, ==, 6);
    g_assert_cmpfloat(g_array_index(read->launches, PsCardLaunched, 1).seconds, >, 0);
    g_assert_true(isnan(g_array_index(read->launches, PsCardLaunched, 0).seconds));
}

/* A file that ends anywhere has the launches up to there. */
static void test_cut(void)
{
    g_autoptr(GByteArray) file = a_file();
    guint most = 0;
    for (guint size = 0; size<file->len; size += size + 900> file->len ? 1 : 37) {
        g_autoptr(PsCardTaken) taken = read_bytes(file->data, size);
        PsCardTakenCount count;
        if (!taken)
            continue;
        g_assert_false(ps_card_taken_done(taken));
        ps_card_recording_free(record(taken, &count));
        g_assert_cmpuint(count.whole, >=, most > 2 ? most - 1 : most); /* one is undone */
        most = MAX(most, count.whole);
        g_free(count.why);
    }
    g_assert_cmpuint(most, ==, 3);
}

/* Whatever a byte says, what is written is a recording. */
static void test_changed(void)
{
    g_autoptr(GByteArray) file = a_file();
    for (guint at = 0; at<file->len; at += at + 900> file->len || at < 100 ? 1 : 97) {
        static const guint8 masks[] = {0x01, 0x10, 0x80};
        for (guint i = 0; i < G_N_ELEMENTS(masks); i++) {
            PsCardTakenCount count = {0};
            file->data[at] ^= masks[i];
            g_autoptr(PsCardTaken) taken = read_bytes(file->data, file->len);
            if (taken)
                ps_card_recording_free(record(taken, &count));
            g_free(count.why);
            file->data[at] ^= masks[i];
        }
    }
}

/* A fat binary is damaged that says of an entry that it is packed and longer than it is. */
static void test_damaged_image(void)
{
    const struct {
        guint32 magic;
        guint16 version, head;
        guint64 size;
        guint16 kind, of_entry;
        guint32 entry_head;
        guint64 entry_size;
        guint32 packed, others[2], target, more[2];
        guint64 flags, last, raw;
        guint8 data[8];
    } fat = {.magic = 0xba55ed50U,
             .version = 1,
             .head = 16,
             .size = 72,
             .kind = 1,
             .of_entry = 0x101,
             .entry_head = 64,
             .entry_size = 8,
             .packed = 9000,
             .target = 80,
             .flags = 0x8000,
             .raw = 10000};
    g_autoptr(GBytes) bytes = g_bytes_new(&fat, sizeof fat);
    g_autoptr(GError) error = NULL;
    g_assert_cmpuint(ps_card_fat_size(&fat, sizeof fat), ==, sizeof fat);
    g_assert_cmpuint(ps_card_fat_size(&fat, sizeof fat - 1), ==, 0);
    g_assert_null(ps_card_image_parts_of(bytes));
    g_assert_null(ps_card_image_parts(&fat, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_SYNTAX);
    g_assert_nonnull(strstr(error->message, "its parts do not fit into it"));
}

static void test_other_file(void)
{
    g_assert_null(read_bytes((const guint8 *)"", 0));
    g_assert_null(read_bytes((const guint8 *)"no such file\n", 13));
    g_assert_null(read_bytes((const guint8 *)"pipesim-profile\t9\tcontents\t1\t2\tapp\n", 35));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/taken/recording", test_recording);
    g_test_add_func("/taken/graph", test_graph);
    g_test_add_func("/taken/cut", test_cut);
    g_test_add_func("/taken/changed", test_changed);
    g_test_add_func("/taken/damaged-image", test_damaged_image);
    g_test_add_func("/taken/other-file", test_other_file);
    return g_test_run();
}
