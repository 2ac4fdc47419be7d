/* SPDX-License-Identifier: BSD-3-Clause */
/* See replay.h. A card holds the memory of one launch at a time; its modules stay loaded. */
#include "card/replay.h"

#include "card/image.h"
#include "card/launch.h"
#include "card/recording-private.h"
#include "card/texture.h"

#include <math.h>
#include <string.h>

struct PsCardReplay {
    const PsCardRecording *recording;
    PsCardLog *log;
    PsCard *card;
    GHashTable *modules; /* "PROCESS/NUMBER" -> PsCardModule, owned by the card */
};

/* A launch from the recording. */
typedef struct {
    GVariant *all;
    guint32 process;
    PsCardLaunch launch;
    GPtrArray *arguments; /* GVariant of bytes */
    gconstpointer *values;
} Loaded;

static void loaded_clear(Loaded *loaded)
{
    g_clear_pointer(&loaded->all, g_variant_unref);
    g_clear_pointer(&loaded->arguments, g_ptr_array_unref);
    g_free(loaded->values);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Loaded, loaded_clear)

PsCardReplay *ps_card_replay_new(const PsCardRecording *recording, const PsGpu *gpu,
                                 gboolean graphs)
{
    PsCardReplay *replay = g_new0(PsCardReplay, 1);
    replay->recording = recording;
    replay->log = ps_card_log_keep(graphs);
    replay->card = ps_card_new(gpu, G_MAXUINT64, replay->log);
    replay->modules = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    return replay;
}

/* Frees all memory except that of modules. */
static void clear(PsCard *card)
{
    for (guint i = 0; i < card->modules->len; i++)
        g_hash_table_remove_all(((PsCardModule *)card->modules->pdata[i])->variables);
    g_clear_pointer(&card->given, g_hash_table_unref);
    g_ptr_array_set_size(card->textures, 0);
    ps_card_memory_clear(card->memory);
}

void ps_card_replay_free(PsCardReplay *replay)
{
    if (!replay)
        return;
    clear(replay->card);
    ps_card_free(replay->card);
    ps_card_log_free(replay->log);
    g_hash_table_unref(replay->modules);
    g_free(replay);
}

static gboolean changed(const PsCardReplay *replay, GError **error)
{
    g_set_error(error, PS_ERROR, PS_ERROR_SYNTAX, "%s: the recording was changed since it was made",
                ps_card_recording_name(replay->recording));
    return FALSE;
}

/* ---- memory --------------------------------------------------------------------------------- */

static gboolean fill_block(const PsCardReplay *replay, PsCardPiece *piece, guint32 process,
                           GVariant *pair, GError **error)
{
    guint32 block, page;
    g_variant_get(pair, "(uu)", &block, &page);
    g_autoptr(GBytes) bytes = ps_card_recording_page(replay->recording, process, page, error);
    if (!bytes)
        return FALSE;
    if ((gsize)block * PS_PTX_BLOCK >= piece->size ||
        g_bytes_get_size(bytes) != ps_card_block_bytes(piece, block))
        return changed(replay, error);
    memcpy(piece->data + (gsize)block * PS_PTX_BLOCK, g_bytes_get_data(bytes, NULL),
           g_bytes_get_size(bytes));
    piece->known[block] = TRUE;
    return TRUE;
}

static gboolean place_piece(const PsCardReplay *replay, guint32 process, GVariant *recorded,
                            GError **error)
{
    guint64 address, size;
    guint32 kind;
    const char *name;
    gboolean is_variable;
    g_autoptr(GVariant) blocks = NULL;
    g_variant_get(recorded, "(ttu&sb@a(uu))", &address, &size, &kind, &name, &is_variable, &blocks);
    if (kind > PS_CARD_HEAP)
        return changed(replay, error);
    PsCardPiece *piece =
        ps_card_memory_place(replay->card->memory, address, size, (PsCardKind)kind, name, error);
    if (!piece) {
        g_prefix_error(error, "%s: ", ps_card_recording_name(replay->recording));
        return FALSE;
    }
    if (is_variable)
        g_hash_table_insert(replay->card->given, piece->name, piece);
    for (gsize i = 0; i < g_variant_n_children(blocks); i++) {
        g_autoptr(GVariant) pair = g_variant_get_child_value(blocks, i);
        if (!fill_block(replay, piece, process, pair, error))
            return FALSE;
    }
    return TRUE;
}

static gboolean place_memory(const PsCardReplay *replay, const Loaded *loaded, GError **error)
{
    g_autoptr(GVariant) pieces = g_variant_get_child_value(loaded->all, 12);
    replay->card->given = g_hash_table_new(g_str_hash, g_str_equal);
    for (gsize i = 0; i < g_variant_n_children(pieces); i++) {
        g_autoptr(GVariant) piece = g_variant_get_child_value(pieces, i);
        if (!place_piece(replay, loaded->process, piece, error))
            return FALSE;
    }
    return TRUE;
}

/* ---- textures ------------------------------------------------------------------------------- */

/* Handles of textures that a program may have had, at most. */
#define MOST_TEXTURES (1 << 20)

static gboolean add_texture(const PsCardReplay *replay, GVariant *recorded, GError **error)
{
    PsPtxTexture one = {0};
    guint32 number, texel, edge[3];
    double border[4];
    g_variant_get(recorded, PS_CHUNK_TEXTURE_TYPE, &number, &one.address, &one.pitch, &one.plane,
                  &one.size[0], &one.size[1], &one.size[2], &one.layers, &one.channels, &one.bytes,
                  &texel, &one.fraction, &one.linear, &one.normalized, &one.plain, &edge[0],
                  &edge[1], &edge[2], &border[0], &border[1], &border[2], &border[3]);
    gboolean good = number < MOST_TEXTURES && number >= replay->card->textures->len &&
                    texel <= PS_PTX_TEXEL_FLOAT && one.channels >= 1 && one.channels <= 4 &&
                    (one.bytes == 1 || one.bytes == 2 || one.bytes == 4);
    for (guint i = 0; i < 3; i++) {
        good = good && edge[i] <= PS_PTX_BEYOND_BORDER && one.size[i] > 0;
        one.edge[i] = (PsPtxBeyond)edge[i];
    }
    for (guint i = 0; i < 4; i++)
        one.border[i] = (float)border[i];
    one.texel = (PsPtxTexel)texel;
    if (!good)
        return changed(replay, error);
    g_ptr_array_set_size(replay->card->textures, (gint)number); /* handles in between are free */
    ps_card_texture_add(replay->card, &one);
    return TRUE;
}

static gboolean add_textures(const PsCardReplay *replay, const Loaded *loaded, GError **error)
{
    g_autoptr(GVariant) textures = g_variant_get_child_value(loaded->all, 11);
    for (gsize i = 0; i < g_variant_n_children(textures); i++) {
        g_autoptr(GVariant) one = g_variant_get_child_value(textures, i);
        if (!add_texture(replay, one, error))
            return FALSE;
    }
    return TRUE;
}

/* ---- code ----------------------------------------------------------------------------------- */

/* The module of that launch, with its variables at their recorded addresses. */
static PsCardModule *find_module(const PsCardReplay *replay, const Loaded *loaded, guint number,
                                 GError **error)
{
    g_autofree char *key = g_strdup_printf("%u/%u", loaded->process, number);
    PsCardModule *module = g_hash_table_lookup(replay->modules, key);
    if (module)
        return ps_card_variables_make(module, error) ? module : NULL;
    g_autoptr(GPtrArray) parts =
        ps_card_recording_code(replay->recording, loaded->process, number, error);
    if (!parts)
        return NULL;
    module = ps_card_module_of_parts(replay->card, parts, error);
    if (module)
        g_hash_table_insert(replay->modules, g_steal_pointer(&key), module);
    else
        g_prefix_error(error, "%s: ", ps_card_recording_name(replay->recording));
    return module;
}

static gboolean find_function(const PsCardReplay *replay, Loaded *loaded, GError **error)
{
    const char *name;
    guint32 number;
    g_variant_get_child(loaded->all, 0, "&s", &name);
    g_variant_get_child(loaded->all, 1, "u", &number);
    PsCardModule *module = find_module(replay, loaded, number, error);
    loaded->launch.function = module ? ps_card_module_function(module, name) : NULL;
    return loaded->launch.function != NULL || (module && changed(replay, error));
}

/* Another chip's code of the kernel has the same parameters. */
static gboolean find_arguments(const PsCardReplay *replay, Loaded *loaded, GError **error)
{
    const PsCardParam *params;
    g_autoptr(GVariant) all = g_variant_get_child_value(loaded->all, 10);
    const guint n = ps_card_function_params(loaded->launch.function, &params);
    loaded->arguments = g_ptr_array_new_with_free_func((GDestroyNotify)g_variant_unref);
    loaded->values = g_new0(gconstpointer, (gsize)n + 1);
    if (g_variant_n_children(all) != n)
        return changed(replay, error);
    for (guint i = 0; i < n; i++) {
        GVariant *bytes = g_variant_get_child_value(all, i);
        g_ptr_array_add(loaded->arguments, bytes);
        if (g_variant_get_size(bytes) != params[i].size)
            return changed(replay, error);
        loaded->values[i] = g_variant_get_data(bytes);
    }
    loaded->launch.params = loaded->values;
    return TRUE;
}

/* ---- launches ------------------------------------------------------------------------------- */

static gboolean load(const PsCardReplay *replay, guint n, Loaded *loaded, GError **error)
{
    PsCardLaunch *launch = &loaded->launch;
    guint *grid = launch->grid, *block = launch->block, *cluster = launch->cluster;
    clear(replay->card);
    loaded->all = ps_card_recording_variant(replay->recording, n, &loaded->process, error);
    if (!loaded->all)
        return FALSE;
    g_variant_get_child(loaded->all, 2, "(uuu)", &grid[0], &grid[1], &grid[2]);
    g_variant_get_child(loaded->all, 3, "(uuu)", &block[0], &block[1], &block[2]);
    g_variant_get_child(loaded->all, 4, "(uuu)", &cluster[0], &cluster[1], &cluster[2]);
    g_variant_get_child(loaded->all, 5, "t", &launch->shared);
    g_variant_get_child(loaded->all, 6, "b", &launch->cooperative);
    g_variant_get_child(loaded->all, 7, "u", &launch->stream);
    if (!place_memory(replay, loaded, error) || !add_textures(replay, loaded, error) ||
        !find_function(replay, loaded, error) || !find_arguments(replay, loaded, error))
        return FALSE;
    ps_card_function_allow(launch->function, launch->shared);
    return TRUE;
}

/* Begins a run with a snapshot that is not executed. */
static gboolean begin(PsCardRun *run, GError **error)
{
    if (!ps_card_launch_check(run->card, run->launch, error) ||
        !ps_card_function_code(run->launch->function, error) ||
        !ps_card_run_arguments(run, error) || !ps_card_run_workspace(run, error))
        return FALSE;
    run->snapshot = ps_card_snapshot_new(run->card->memory, TRUE, NULL, NULL);
    run->late = TRUE;
    return TRUE;
}

static void end(PsCardRun *run)
{
    ps_card_snapshot_free(run->snapshot);
    g_free(run->arguments);
}

static void take_notes(const PsCardReplay *replay, GPtrArray *notes)
{
    g_autoptr(PsCardRead) read = ps_card_log_read(ps_card_log_text(replay->log), NULL);
    for (guint i = 0; read && i < read->notes->len; i++)
        g_ptr_array_add(notes, g_strdup(read->notes->pdata[i]));
}

static gboolean check_gpu(const PsCardReplay *replay, GError **error)
{
    if (replay->card->gpu->capability)
        return TRUE;
    g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                "%s: a recording is of a CUDA program, and %s runs none: its description states no "
                "compute capability",
                ps_card_recording_name(replay->recording), replay->card->gpu->name);
    return FALSE;
}

PsIdg *ps_card_replay_graph(PsCardReplay *replay, guint n, PsSassCode **machine, GPtrArray *notes,
                            GError **error)
{
    g_auto(Loaded) loaded = {.process = 0};
    PsCardRun run = {.card = replay->card, .launch = &loaded.launch};
    const char *name = NULL;
    if (!check_gpu(replay, error) || !load(replay, n, &loaded, error))
        return NULL;
    g_autoptr(PsBuild) build = begin(&run, error) ? ps_card_lift(&run, &name, error) : NULL;
    end(&run);
    take_notes(replay, notes);
    if (!build)
        return NULL;
    PsCardFunction *function = loaded.launch.function;
    const gboolean is_machine =
        function->timed && g_strcmp0(name, function->timed->module->target) == 0;
    if (!build->idg->path)
        build->idg->path = g_strdup(ps_card_recording_name(replay->recording));
    build->idg->made_of =
        is_machine ? g_strdup(function->made_of) : g_strdup_printf("PTX, %s", name);
    if (machine && is_machine) {
        *machine = g_steal_pointer(&function->timed);
        function->looked = FALSE;
    }
    for (guint i = 0; i < build->warnings->len; i++)
        g_ptr_array_add(notes, g_strdup(build->warnings->pdata[i]));
    return g_steal_pointer(&build->idg);
}

/* ---- all of them ---------------------------------------------------------------------------- */

/* Finds the launch's time. A launch that failed when recorded has none. */
static gboolean time_launch(PsCardReplay *replay, guint n, PsCardLaunched *told, GError **error)
{
    g_auto(Loaded) loaded = {.process = 0};
    PsCardRun run = {.card = replay->card, .launch = &loaded.launch};
    gboolean good;
    if (!load(replay, n, &loaded, error))
        return FALSE;
    g_variant_get_child(loaded.all, 8, "(ttt)", &run.work.warps, &run.work.threads,
                        &run.work.memory);
    g_variant_get_child(loaded.all, 9, "b", &good);
    told->instructions = run.work.threads;
    const gboolean begun = begin(&run, error);
    if (begun && good)
        ps_card_time(&run, told);
    end(&run);
    return begun;
}

/* The time at which the stream is done. */
static double *stream_at(GHashTable *streams, guint stream)
{
    double *at = g_hash_table_lookup(streams, GUINT_TO_POINTER(stream));
    if (!at) {
        at = g_new0(double, 1);
        g_hash_table_insert(streams, GUINT_TO_POINTER(stream), at);
    }
    return at;
}

static gboolean tell_launch(PsCardReplay *replay, guint n, GArray *known, GHashTable *streams,
                            GError **error)
{
    PsCardRecordedLaunch launch = {.first = 0};
    if (!ps_card_recording_launch(replay->recording, n, &launch, error))
        return FALSE;
    double *at = stream_at(streams, launch.stream);
    PsCardLaunched told = {.seconds = NAN, .how = PS_CARD_UNKNOWN};
    if (launch.first < n)
        told = g_array_index(known, PsCardLaunched, launch.first - 1);
    told.kernel = launch.kernel;
    told.stream = launch.stream;
    told.shared = launch.shared;
    told.begin = *at;
    memcpy(told.grid, launch.grid, sizeof told.grid);
    memcpy(told.block, launch.block, sizeof told.block);
    if (launch.first < n)
        told.how = told.how == PS_CARD_SIMULATED ? PS_CARD_ALIKE : told.how;
    else if (!launch.left && !time_launch(replay, n, &told, error))
        return FALSE;
    *at += isnan(told.seconds) ? 0 : told.seconds;
    g_array_append_val(known, told);
    ps_card_log_launch(replay->log, &told);
    return TRUE;
}

/* Notes the number of launches that the recording lacks. */
static gboolean note_left(const PsCardReplay *replay, GError **error)
{
    const guint n = ps_card_recording_count(replay->recording);
    guint left = 0;
    for (guint i = 1; i <= n; i++) {
        PsCardRecordedLaunch launch;
        if (!ps_card_recording_launch(replay->recording, i, &launch, error))
            return FALSE;
        left += launch.left != NULL;
    }
    g_autofree char *text =
        g_strdup_printf("%u of %u launches are not in the recording, and have no time", left, n);
    if (left)
        ps_card_log_note(replay->log, text);
    return TRUE;
}

PsCardRead *ps_card_replay_all(PsCardReplay *replay, GError **error)
{
    const guint n = ps_card_recording_count(replay->recording);
    g_autoptr(GArray) known = g_array_new(FALSE, FALSE, sizeof(PsCardLaunched));
    g_autoptr(GHashTable) streams = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    if (!check_gpu(replay, error))
        return NULL;
    ps_card_log_start(replay->log);
    if (!note_left(replay, error))
        return NULL;
    for (guint i = 1; i <= n; i++)
        if (!tell_launch(replay, i, known, streams, error))
            return NULL;
    return ps_card_log_read(ps_card_log_text(replay->log), error);
}
