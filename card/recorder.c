/* SPDX-License-Identifier: BSD-3-Clause */
/* See recorder.h. A chunk is one write, so that those of several processes do not mix. */
#include "card/recorder.h"

#include "card/chunk.h"
#include "card/image.h"

#include <string.h>
#include <unistd.h>

struct PsCardRecorder {
    int file;
    PsCardLog *log;
    GHashTable *pages; /* digest (GBytes) -> its number */
    guint codes, launches;
    gboolean broken; /* something could not be written: nothing more is */
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
    g_autoptr(GVariant) native = g_variant_ref_sink(floating);
    g_autoptr(GVariant) variant =
        G_BYTE_ORDER == G_BIG_ENDIAN ? g_variant_byteswap(native) : g_variant_ref(native);
    put(recorder, kind, g_variant_get_data(variant), g_variant_get_size(variant));
}

/* The number of the page that holds these bytes. */
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
    g_autofree char *text =
        error ? g_strdup_printf("a module is not recorded: %s", error->message) : NULL;
    if (text)
        ps_card_log_note(recorder->log, text);
}

/* Writes the module's code if that is not there yet. */
static void put_code(PsCardRecorder *recorder, PsCardModule *module)
{
    GVariantBuilder parts;
    if (module->recorded || !module->parts)
        return;
    g_variant_builder_init(&parts, G_VARIANT_TYPE(PS_CHUNK_CODE_TYPE));
    for (guint i = 0; i < module->parts->len; i++) {
        const PsCardPart *part = module->parts->pdata[i];
        g_variant_builder_add(
            &parts, "(bu@ay)", part->ptx, part->target,
            g_variant_new_from_bytes(G_VARIANT_TYPE_BYTESTRING, part->bytes, TRUE));
    }
    put_variant(recorder, PS_CHUNK_CODE, g_variant_builder_end(&parts));
    module->recorded = ++recorder->codes;
    g_clear_pointer(&module->parts, g_ptr_array_unref);
}

/* ---- launches ------------------------------------------------------------------------------- */

/* A piece belongs to the launch, though no block of it may be accessed. */
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

/* Constant memory is read as copies, which nobody sees touched; pointers lead to pieces. */
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

PsCardRecorded *ps_card_recorded_new(PsCardRun *run)
{
    PsCardRecorder *recorder = run->card->recorder;
    if (recorder)
        put_code(recorder, run->launch->function->module);
    if (!recorder || !run->launch->function->module->recorded)
        return NULL;
    PsCardRecorded *recorded = g_new0(PsCardRecorded, 1);
    recorded->recorder = recorder;
    recorded->run = run;
    recorded->pieces = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
    begin_pieces(recorded);
    run->number = ++recorder->launches;
    return recorded;
}

static void add_arguments(GVariantBuilder *to, const PsCardRun *run)
{
    g_variant_builder_open(to, G_VARIANT_TYPE("aay"));
    for (guint i = 0; i < run->launch->function->params->len; i++) {
        const PsPtxArgument *argument = &run->arguments[i];
        const gconstpointer data =
            argument->bytes ? (gconstpointer)argument->bytes : &argument->bits;
        g_variant_builder_add(
            to, "@ay", g_variant_new_fixed_array(G_VARIANT_TYPE_BYTE, data, argument->size, 1));
    }
    g_variant_builder_close(to);
}

static void add_textures(GVariantBuilder *to, const GPtrArray *textures)
{
    g_variant_builder_open(to, G_VARIANT_TYPE("a" PS_CHUNK_TEXTURE_TYPE));
    for (guint i = 0; i < textures->len; i++) {
        const PsPtxTexture *one = textures->pdata[i];
        if (one)
            g_variant_builder_add(to, PS_CHUNK_TEXTURE_TYPE, i, one->address, one->pitch,
                                  one->plane, one->size[0], one->size[1], one->size[2], one->layers,
                                  one->channels, one->bytes, (guint)one->texel, one->fraction,
                                  one->linear, one->normalized, one->plain, (guint)one->edge[0],
                                  (guint)one->edge[1], (guint)one->edge[2], (double)one->border[0],
                                  (double)one->border[1], (double)one->border[2],
                                  (double)one->border[3]);
    }
    g_variant_builder_close(to);
}

static void add_piece(GVariantBuilder *to, const PsCardPiece *piece, const GArray *blocks,
                      gboolean is_variable)
{
    const guint32 *pairs = (const guint32 *)(gconstpointer)blocks->data;
    g_variant_builder_open(to, G_VARIANT_TYPE(PS_CHUNK_PIECE_TYPE));
    g_variant_builder_add(to, "t", piece->address);
    g_variant_builder_add(to, "t", (guint64)piece->size);
    g_variant_builder_add(to, "u", (guint)piece->kind);
    g_variant_builder_add(to, "s", piece->name);
    g_variant_builder_add(to, "b", is_variable);
    g_variant_builder_add_value(to, g_variant_new_fixed_array(G_VARIANT_TYPE("(uu)"), pairs,
                                                              blocks->len / 2, 2 * sizeof *pairs));
    g_variant_builder_close(to);
}

/* In the order of their addresses, so that equal launches give equal chunks. A cooperative grid's
 * workspace is made anew. */
static void add_pieces(GVariantBuilder *to, const PsCardRecorded *recorded)
{
    const PsCardRun *run = recorded->run;
    const GPtrArray *pieces = ps_card_memory_pieces(run->card->memory);
    GHashTable *variables = run->launch->function->module->variables;
    g_variant_builder_open(to, G_VARIANT_TYPE("a" PS_CHUNK_PIECE_TYPE));
    for (guint i = 0; i < pieces->len; i++) {
        const PsCardPiece *piece = pieces->pdata[i];
        const GArray *blocks = g_hash_table_lookup(recorded->pieces, piece);
        if (blocks && piece->address != run->workspace)
            add_piece(to, piece, blocks, g_hash_table_lookup(variables, piece->name) == piece);
    }
    g_variant_builder_close(to);
}

static GVariant *launch_variant(const PsCardRecorded *recorded, gboolean good)
{
    const PsCardRun *run = recorded->run;
    const PsCardLaunch *launch = run->launch;
    const guint *grid = launch->grid, *block = launch->block, *cluster = launch->cluster;
    GVariantBuilder all;
    g_variant_builder_init(&all, G_VARIANT_TYPE(PS_CHUNK_LAUNCH_TYPE));
    g_variant_builder_add(&all, "s", launch->function->name);
    g_variant_builder_add(&all, "u", launch->function->module->recorded);
    g_variant_builder_add(&all, "(uuu)", grid[0], grid[1], grid[2]);
    g_variant_builder_add(&all, "(uuu)", block[0], block[1], block[2]);
    g_variant_builder_add(&all, "(uuu)", cluster[0], cluster[1], cluster[2]);
    g_variant_builder_add(&all, "t", launch->shared);
    g_variant_builder_add(&all, "b", launch->cooperative);
    g_variant_builder_add(&all, "u", launch->stream);
    g_variant_builder_add(&all, "(ttt)", run->work.warps, run->work.threads, run->work.memory);
    g_variant_builder_add(&all, "b", good);
    add_arguments(&all, run);
    add_textures(&all, run->card->textures);
    add_pieces(&all, recorded);
    return g_variant_builder_end(&all);
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
}
