/* SPDX-License-Identifier: BSD-3-Clause */
/* See recorder.h. Each chunk is one write, so that chunks of several processes do not mix. */
#include "card/recorder.h"

#include "card/chunk-launch.h"
#include "card/image.h"

#include <string.h>
#include <unistd.h>

struct PsCardRecorder {
    int file;
    PsCardLog *log;
    GHashTable *pages; /* digest (GBytes) -> its number */
    guint codes, launches;
    gboolean broken; /* a write failed: no more follow */
};

struct PsCardRecorded {
    PsCardRecorder *recorder;
    const PsCardRun *run;
    GHashTable *pieces; /* PsCardPiece -> GArray of pairs of guint32: blocks and their pages */
};

PsCardRecorder *ps_card_recorder_new(int file, PsCardLog *log)
{
    PsCardRecorder *recorder = g_new0(PsCardRecorder, 1);
    recorder->file = file;
    recorder->log = log;
    recorder->pages =
        g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
    return recorder;
}

void ps_card_recorder_free(PsCardRecorder *recorder)
{
    if (!recorder)
        return;
    g_hash_table_unref(recorder->pages);
    g_free(recorder);
}

/* ---- chunks --------------------------------------------------------------------------------- */

static void put(PsCardRecorder *recorder, PsChunkKind kind, gconstpointer data, gsize size)
{
    g_autoptr(GByteArray) bytes = ps_chunk_pack(kind, (guint32)getpid(), data, size);
    for (gsize at = 0; at < bytes->len && !recorder->broken;) {
        const gssize written = write(recorder->file, bytes->data + at, bytes->len - at);
        recorder->broken = written <= 0;
        at += (gsize)MAX(written, 0);
        if (recorder->broken)
            ps_card_log_note(recorder->log, "the recording could not be written any further: there "
                                            "is no room for it");
    }
}

/* Takes the floating reference. */
static void put_variant(PsCardRecorder *recorder, PsChunkKind kind, GVariant *floating)
{
    g_autoptr(GVariant) variant = ps_chunk_little(floating);
    put(recorder, kind, g_variant_get_data(variant), g_variant_get_size(variant));
}

/* The number of the page with these bytes. */
static guint page_of(PsCardRecorder *recorder, const guint8 *data, gsize size)
{
    guint8 digest[PS_CHUNK_DIGEST];
    ps_chunk_digest(data, size, digest);
    GBytes *key = g_bytes_new(digest, sizeof digest);
    guint number = GPOINTER_TO_UINT(g_hash_table_lookup(recorder->pages, key));
    if (number) {
        g_bytes_unref(key);
        return number;
    }
    number = g_hash_table_size(recorder->pages) + 1;
    g_hash_table_insert(recorder->pages, key, GUINT_TO_POINTER(number));
    put(recorder, PS_CHUNK_PAGE, data, size);
    return number;
}

/* ---- code ----------------------------------------------------------------------------------- */

void ps_card_recorder_look(PsCardModule *module, gconstpointer image)
{
    PsCardRecorder *recorder = module->card->recorder;
    g_autoptr(GError) error = NULL;
    if (!recorder)
        return;
    module->parts = ps_card_image_parts(image, &error);
    if (!error)
        return;
    module->unrecorded = g_strdup_printf("its code is not recorded: %s", error->message);
    g_autofree char *text = g_strdup_printf("a module is not recorded: %s", error->message);
    ps_card_log_note(recorder->log, text);
}

/* Writes the module's code unless it was written before. */
static void put_code(PsCardRecorder *recorder, PsCardModule *module)
{
    if (module->recorded || !module->parts)
        return;
    put_variant(recorder, PS_CHUNK_CODE, ps_chunk_code_variant(module->parts));
    module->recorded = ++recorder->codes;
    g_clear_pointer(&module->parts, g_ptr_array_unref);
}

/* ---- launches ------------------------------------------------------------------------------- */

/* A piece belongs to the launch even if no block of it is accessed. */
static void remember(PsCardRecorded *recorded, const PsCardPiece *piece)
{
    if (!g_hash_table_contains(recorded->pieces, piece))
        g_hash_table_insert(recorded->pieces, (gpointer)piece,
                            g_array_new(FALSE, FALSE, sizeof(guint32)));
}

void ps_card_recorded_touched(PsCardRecorded *recorded, const PsCardPiece *piece, gsize block)
{
    remember(recorded, piece);
    GArray *blocks = g_hash_table_lookup(recorded->pieces, piece);
    const guint32 pair[] = {(guint32)block,
                            page_of(recorded->recorder, piece->data + block * PS_PTX_BLOCK,
                                    ps_card_block_bytes(piece, block))};
    g_array_append_vals(blocks, pair, G_N_ELEMENTS(pair));
}

/* Begins with constant memory, which is read as copies without a notice; pointers in it lead to
 * pieces. */
static void begin_pieces(PsCardRecorded *recorded)
{
    const PsCardRun *run = recorded->run;
    const PsCardFunction *function = run->launch->function;
    const GPtrArray *variables = function->module->run->module->variables;
    for (guint i = 0; i < variables->len; i++) {
        const PsPtxVariable *variable = variables->pdata[i];
        const PsCardPiece *piece = g_hash_table_lookup(function->module->variables, variable->name);
        if (!piece)
            continue;
        remember(recorded, piece);
        for (gsize at = 0; variable->space == PS_PTX_CONST && at < piece->size; at += PS_PTX_BLOCK)
            ps_card_recorded_touched(recorded, piece, at / PS_PTX_BLOCK);
    }
    for (guint i = 0; i < function->params->len; i++) {
        const PsPtxArgument *argument = &run->arguments[i];
        if (argument->address)
            remember(recorded,
                     ps_card_memory_find(run->card->memory, (gpointer)(gsize)argument->bits));
    }
}

/* A launch that is left out keeps its number. */
static void put_left(PsCardRecorder *recorder, const PsCardRun *run)
{
    const PsCardFunction *function = run->launch->function;
    const char *why = function->module->unrecorded;
    put_variant(recorder, PS_CHUNK_LEFT,
                ps_chunk_left_variant(&(PsChunkLeft){
                    function->name, run->launch->grid, run->launch->block, run->launch->shared,
                    run->launch->stream, why ? why : "its code was loaded before"}));
}

PsCardRecorded *ps_card_recorded_new(PsCardRun *run)
{
    PsCardRecorder *recorder = run->card->recorder;
    if (!recorder)
        return NULL;
    put_code(recorder, run->launch->function->module);
    if (!run->launch->function->module->recorded) {
        put_left(recorder, run);
        return NULL;
    }
    PsCardRecorded *recorded = g_new0(PsCardRecorded, 1);
    recorded->recorder = recorder;
    recorded->run = run;
    recorded->pieces = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
    begin_pieces(recorded);
    run->number = ++recorder->launches;
    return recorded;
}

static GVariant *arguments_variant(const PsCardRun *run)
{
    GVariantBuilder all;
    g_variant_builder_init(&all, G_VARIANT_TYPE("aay"));
    for (guint i = 0; i < run->launch->function->params->len; i++) {
        const PsPtxArgument *argument = &run->arguments[i];
        const gconstpointer data =
            argument->bytes ? (gconstpointer)argument->bytes : &argument->bits;
        ps_chunk_add_argument(&all, data, argument->size);
    }
    return g_variant_builder_end(&all);
}

static GVariant *textures_variant(const GPtrArray *textures)
{
    GVariantBuilder all;
    g_variant_builder_init(&all, G_VARIANT_TYPE("a" PS_CHUNK_TEXTURE_TYPE));
    for (guint i = 0; i < textures->len; i++) {
        const PsPtxTexture *one = textures->pdata[i];
        if (one)
            g_variant_builder_add(&all, PS_CHUNK_TEXTURE_TYPE, i, one->address, one->pitch,
                                  one->plane, one->size[0], one->size[1], one->size[2], one->layers,
                                  one->channels, one->bytes, (guint)one->texel, one->fraction,
                                  one->linear, one->normalized, one->plain, (guint)one->edge[0],
                                  (guint)one->edge[1], (guint)one->edge[2], (double)one->border[0],
                                  (double)one->border[1], (double)one->border[2],
                                  (double)one->border[3]);
    }
    return g_variant_builder_end(&all);
}

/* Pieces in order of addresses, so that equal launches give equal chunks. A cooperative grid's
 * workspace is made anew. */
static GVariant *pieces_variant(const PsCardRecorded *recorded)
{
    GVariantBuilder all;
    const PsCardRun *run = recorded->run;
    const GPtrArray *pieces = ps_card_memory_pieces(run->card->memory);
    GHashTable *variables = run->launch->function->module->variables;
    g_variant_builder_init(&all, G_VARIANT_TYPE("a" PS_CHUNK_PIECE_TYPE));
    for (guint i = 0; i < pieces->len; i++) {
        const PsCardPiece *piece = pieces->pdata[i];
        const GArray *blocks = g_hash_table_lookup(recorded->pieces, piece);
        if (blocks && piece->address != run->workspace)
            ps_chunk_add_piece(
                &all,
                &(PsChunkPiece){piece->address, piece->size, (guint)piece->kind, piece->name,
                                g_hash_table_lookup(variables, piece->name) == piece,
                                (const guint32 *)(gconstpointer)blocks->data, blocks->len / 2});
    }
    return g_variant_builder_end(&all);
}

static GVariant *launch_variant(const PsCardRecorded *recorded, gboolean good)
{
    const PsCardRun *run = recorded->run;
    const PsCardLaunch *launch = run->launch;
    return ps_chunk_launch_variant(
        &(PsChunkLaunch){.kernel = launch->function->name,
                         .code = launch->function->module->recorded,
                         .grid = launch->grid,
                         .block = launch->block,
                         .cluster = launch->cluster,
                         .shared = launch->shared,
                         .cooperative = launch->cooperative,
                         .stream = launch->stream,
                         .work = {run->work.warps, run->work.threads, run->work.memory},
                         .good = good},
        arguments_variant(run), textures_variant(run->card->textures), pieces_variant(recorded));
}

void ps_card_recorded_end(PsCardRecorded *recorded, gboolean good)
{
    if (!recorded)
        return;
    put_variant(recorded->recorder, PS_CHUNK_LAUNCH, launch_variant(recorded, good));
    g_hash_table_unref(recorded->pieces);
    g_free(recorded);
}

void ps_card_recorder_same(const PsCardRun *run)
{
    PsCardRecorder *recorder = run->card->recorder;
    if (recorder && run->number)
        put_variant(recorder, PS_CHUNK_SAME,
                    g_variant_new(PS_CHUNK_SAME_TYPE, run->number, run->launch->stream));
    else if (recorder)
        put_left(recorder, run);
}
