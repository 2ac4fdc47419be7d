/* SPDX-License-Identifier: BSD-3-Clause */
/* See repeat.h. */
#include "card/repeat.h"

#include "card/kept.h"

#include <errno.h>
#include <string.h>

/* Limits: known launches of a kernel; blocks that they touched (16 GiB of memory); useless records
 * in a row after which no more are made, and blocks of these (4 GiB). */
#define MOST_KNOWN 256
#define MOST_BLOCKS (1 << 20)
#define MOST_VAIN 300
#define MOST_VAIN_BLOCKS (1 << 18)
/* Calls that are kept. */
#define MOST_CALLS 4096
/* Kept results take at most one part in so many of the program's memory, or so many bytes if that
 * is more. Beyond that they lie in a file. */
#define PART_KEPT 10
#define LEAST_KEPT ((gsize)8 << 20)

/* A block of memory that a launch touched. */
typedef struct {
    guint8 *data;
    gsize bytes;
    guint8 *begin;         /* of the block's piece, which may be gone by the next launch ... */
    gsize size;            /* ... and that piece's bytes */
    guint64 before;        /* digest of the block before the launch, ... */
    guint64 stamp;         /* ... and its stamp then; 0: none */
    PsCardKeptBlock after; /* content after the launch; 0: unchanged ... */
    guint64 left;          /* ... and its stamp then */
} Touched;

struct PsCardRecord {
    PsCardRepeats *of;
    GBytes *call;
    GArray *touched;
    PsCardWork work;
    guint number; /* number of the recorder's chunk */
    gsize kept;
    GList link; /* in PsCardResults.latest */
};

struct PsCardRepeats {
    PsCard *card;
    GHashTable *calls; /* GBytes */
    GPtrArray *known;  /* PsCardRecord, the latest used last */
    gsize blocks;      /* blocks that these touched */
    guint vain;        /* useless records in a row, and what they touched */
    gsize vain_blocks;
};

/* What the records of all kernels of a card share. */
struct PsCardResults {
    PsCardKept *kept;
    gsize bytes;   /* in it */
    gsize room;    /* for so many bytes, or as many as the program's memory has */
    GQueue latest; /* PsCardRecord, the latest used last */
};

PsCardResults *ps_card_results_new(gsize room)
{
    PsCardResults *results = g_new0(PsCardResults, 1);
    results->kept = ps_card_kept_new(LEAST_KEPT);
    results->room = room;
    return results;
}

void ps_card_results_free(PsCardResults *results)
{
    ps_card_kept_free(results->kept);
    g_free(results);
}

/* ---- stamps --------------------------------------------------------------------------------- */

/* The stamp of the block at that place of a piece; NULL: it has none. */
static guint64 *stamp_of(const PsCardPiece *piece, const guint8 *data)
{
    return piece->stamps ? &piece->stamps[(gsize)(data - piece->data) / PS_PTX_BLOCK] : NULL;
}

/* ---- digests -------------------------------------------------------------------------------- */

static guint64 mix(guint64 sum, guint64 word)
{
    sum = (sum ^ word) * G_GUINT64_CONSTANT(0x9E3779B97F4A7C15);
    return sum ^ sum >> 32;
}

/* Four independent sums keep the processor's multipliers busy. Two blocks that differ in one word
 * never have the same digest. */
static guint64 digest(const guint8 *bytes, gsize n)
{
    guint64 sums[4] = {1, 2, 3, 4}, words[4];
    gsize at = 0;
    for (; at + sizeof words <= n; at += sizeof words) {
        memcpy(words, bytes + at, sizeof words);
        for (guint i = 0; i < 4; i++)
            sums[i] = mix(sums[i], words[i]);
    }
    memset(words, 0, sizeof words);
    memcpy(words, bytes + at, n - at);
    for (guint i = 0; i < 4; i++)
        sums[i] = mix(sums[i], words[i]);
    return mix(mix(mix(sums[0], sums[1]), sums[2]), sums[3]);
}

/* ---- records -------------------------------------------------------------------------------- */

static void free_record(PsCardRecord *record)
{
    PsCardResults *results = record->of->card->results;
    for (guint i = 0; i < record->touched->len; i++) {
        const Touched *touched = &g_array_index(record->touched, Touched, i);
        ps_card_kept_drop(results->kept, touched->after, touched->bytes);
    }
    results->bytes -= record->kept;
    g_bytes_unref(record->call);
    g_array_unref(record->touched);
    g_free(record);
}

static void forget(PsCardRecord *record)
{
    PsCardRepeats *repeats = record->of;
    repeats->blocks -= record->touched->len;
    g_queue_unlink(&repeats->card->results->latest, &record->link);
    g_ptr_array_remove(repeats->known, record);
    free_record(record);
}

PsCardRepeats *ps_card_repeats_new(PsCard *card)
{
    PsCardRepeats *repeats = g_new0(PsCardRepeats, 1);
    repeats->card = card;
    repeats->calls =
        g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
    repeats->known = g_ptr_array_new();
    return repeats;
}

void ps_card_repeats_free(PsCardRepeats *repeats)
{
    while (repeats->known->len)
        forget(repeats->known->pdata[0]);
    g_ptr_array_unref(repeats->known);
    g_hash_table_unref(repeats->calls);
    g_free(repeats);
}

PsCardRecord *ps_card_record_new(const PsCardRun *run, GBytes *call)
{
    PsCardRepeats *repeats = run->launch->function->repeats;
    if (!call || repeats->vain == MOST_VAIN || repeats->vain_blocks > MOST_VAIN_BLOCKS)
        return NULL;
    if (!g_hash_table_contains(repeats->calls, call)) {
        if (g_hash_table_size(repeats->calls) == MOST_CALLS)
            g_hash_table_remove_all(repeats->calls);
        g_hash_table_add(repeats->calls, g_bytes_ref(call));
        return NULL;
    }
    PsCardRecord *record = g_new0(PsCardRecord, 1);
    record->of = repeats;
    record->link.data = record;
    record->call = g_bytes_ref(call);
    record->touched = g_array_new(FALSE, FALSE, sizeof(Touched));
    return record;
}

void ps_card_record_touched(gpointer data, const PsCardPiece *piece, gsize block)
{
    PsCardRecord *record = data;
    guint64 *stamp = piece->stamps ? &piece->stamps[block] : NULL;
    Touched touched = {.data = piece->data + block * PS_PTX_BLOCK,
                       .bytes = ps_card_block_bytes(piece, block),
                       .begin = piece->data,
                       .size = piece->size};
    touched.before = digest(touched.data, touched.bytes);
    if (stamp && *stamp == 0)
        *stamp = ps_card_memory_stamp(record->of->card->memory);
    touched.stamp = stamp ? *stamp : 0;
    g_array_append_val(record->touched, touched);
}

/* Keeps what a block holds now. Records that were not used for the longest time make room for it.
 * FALSE: it is too much. */
static gboolean keep_block(PsCardRecord *record, Touched *touched, guint64 taken)
{
    PsCardResults *results = record->of->card->results;
    const gsize most = MAX(taken / PART_KEPT, LEAST_KEPT), all = MAX(taken, results->room);
    while (results->bytes + touched->bytes > all && results->latest.length > 0)
        forget(g_queue_peek_head(&results->latest));
    if (results->bytes + touched->bytes > all)
        return FALSE;
    ps_card_kept_limit(results->kept, most);
    touched->after = ps_card_kept_add(results->kept, touched->data, touched->bytes);
    record->kept += touched->bytes;
    results->bytes += touched->bytes;
    return ps_card_kept_held(results->kept) <= most; /* else there is no file */
}

/* Keeps what the launch changed. FALSE: it is too much. */
static gboolean keep_results(PsCardRecord *record, PsCard *card)
{
    guint64 all, taken;
    ps_card_memory_count(card->memory, &all, &taken);
    for (guint i = 0; i < record->touched->len; i++) {
        Touched *touched = &g_array_index(record->touched, Touched, i);
        const PsCardPiece *piece = ps_card_memory_find(card->memory, touched->data);
        guint64 *stamp = stamp_of(piece, touched->data);
        if (digest(touched->data, touched->bytes) == touched->before) {
            if (stamp)
                *stamp = touched->stamp;
            continue;
        }
        if (stamp)
            *stamp = touched->left = ps_card_memory_stamp(card->memory);
        if (!keep_block(record, touched, taken))
            return FALSE;
    }
    return TRUE;
}

void ps_card_record_end(PsCardRecord *record, const PsCardRun *run, gboolean good)
{
    PsCardRepeats *repeats = run->launch->function->repeats;
    if (!record)
        return;
    repeats->vain++;
    repeats->vain_blocks += record->touched->len;
    while (repeats->known->len == MOST_KNOWN ||
           (repeats->known->len && repeats->blocks + record->touched->len > MOST_BLOCKS))
        forget(repeats->known->pdata[0]);
    if (!good || !keep_results(record, run->card)) {
        free_record(record);
        return;
    }
    record->work = run->work;
    record->number = run->number;
    repeats->blocks += record->touched->len;
    g_ptr_array_add(repeats->known, record);
    g_queue_push_tail_link(&run->card->results->latest, &record->link);
}

/* ---- repeating ------------------------------------------------------------------------------ */

/* TRUE: the block is unchanged. It then gets its former stamp. */
static gboolean block_is_as_before(const Touched *touched, const PsCardPiece *piece)
{
    guint64 *stamp = stamp_of(piece, touched->data);
    if (stamp && *stamp != 0 && *stamp == touched->stamp)
        return TRUE;
    if (digest(touched->data, touched->bytes) != touched->before)
        return FALSE;
    if (stamp)
        *stamp = touched->stamp;
    return TRUE;
}

/* A program that frees memory and asks for as much again gets the same place. What lies there is
 * looked at, so it does not matter that it is another piece. */
static gboolean is_same_place(const Touched *touched, const PsCardPiece *piece)
{
    return piece && piece->data == touched->begin && piece->size == touched->size;
}

/* TRUE: everything that the launch touched is unchanged. */
static gboolean is_as_before(const PsCardRecord *record, const PsCardMemory *memory)
{
    const PsCardPiece *piece = NULL; /* the piece of the block before */
    for (guint i = 0; i < record->touched->len; i++) {
        const Touched *touched = &g_array_index(record->touched, Touched, i);
        if (!piece || touched->data < piece->data ||
            touched->data - piece->data >= (gssize)piece->size)
            piece = ps_card_memory_find(memory, touched->data);
        if (!is_same_place(touched, piece) || !block_is_as_before(touched, piece))
            return FALSE;
    }
    return TRUE;
}

static void restore(const PsCardRecord *record, GError **error)
{
    const PsCard *card = record->of->card;
    for (guint i = 0; i < record->touched->len; i++) {
        const Touched *touched = &g_array_index(record->touched, Touched, i);
        if (!touched->after)
            continue;
        guint64 *stamp = stamp_of(ps_card_memory_find(card->memory, touched->data), touched->data);
        if (!ps_card_kept_copy(card->results->kept, touched->after, touched->data,
                               touched->bytes)) {
            g_set_error(error, PS_ERROR, PS_ERROR_READ,
                        "the file of what a launch left cannot be read: %s", g_strerror(errno));
            return;
        }
        if (stamp)
            *stamp = touched->left;
    }
}

/* It is the record that was used last. */
static void use(PsCardRecord *record)
{
    GQueue *latest = &record->of->card->results->latest;
    g_ptr_array_remove(record->of->known, record);
    g_ptr_array_add(record->of->known, record);
    g_queue_unlink(latest, &record->link);
    g_queue_push_tail_link(latest, &record->link);
}

gboolean ps_card_repeat(PsCardRun *run, GBytes *call, GError **error)
{
    PsCardRepeats *repeats = run->launch->function->repeats;
    for (guint i = call ? repeats->known->len : 0; i > 0; i--) {
        PsCardRecord *record = repeats->known->pdata[i - 1];
        if (!g_bytes_equal(record->call, call) || !is_as_before(record, run->card->memory))
            continue;
        run->work = record->work;
        run->number = record->number;
        repeats->vain = 0;
        repeats->vain_blocks = 0;
        use(record);
        restore(record, error);
        return TRUE;
    }
    return FALSE;
}
