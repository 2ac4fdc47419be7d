/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The recording of taken launches: see taken.h. Code and pages are written with the first written
 * launch that needs them. Launches with the same inputs are written once; a digest of the inputs
 * stands in place of the executed instructions, which were not counted.
 */
#include "card/taken-private.h"

#include "card/chunk-launch.h"
#include "card/image.h"
#include "card/memory.h"
#include "card/recording-write.h"
#include "latency-bench/profile/record.h"

#include <string.h>

/* The state of writing one process. */
typedef struct {
    const PsCardTaken *taken; /* NULL: nothing was taken of this process */
    guint32 number;           /* number of its chunks */
    guint *codes, *pages;     /* numbers of modules and pages in the file; 0: none yet */
    guint n_codes, n_pages, n_launches, n_whole;
    GHashTable *counts; /* kernel -> number of its launches, without those of graphs */
    GHashTable *same;   /* digest of a launch -> its number among launches that are written whole */
} Process;

typedef struct {
    PsCardWriter *writer;
    GPtrArray *processes; /* Process */
    PsCardTakenCount *count;
    GError **error;
} Writing;

static void free_process(gpointer data)
{
    Process *process = data;
    g_free(process->codes);
    g_free(process->pages);
    g_hash_table_unref(process->counts);
    g_hash_table_unref(process->same);
    g_free(process);
}

static Process *process_at(const Writing *writing, const GPtrArray *taken, guint i)
{
    while (writing->processes->len <= i) {
        Process *process = g_new0(Process, 1);
        process->taken =
            writing->processes->len < taken->len ? taken->pdata[writing->processes->len] : NULL;
        process->number = writing->processes->len + 1;
        process->counts = g_hash_table_new(g_str_hash, g_str_equal);
        process->same =
            g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
        if (process->taken) {
            process->codes = g_new0(guint, process->taken->modules->len + 1);
            process->pages = g_new0(guint, process->taken->pages->len + 1);
        }
        g_ptr_array_add(writing->processes, process);
    }
    return writing->processes->pdata[i];
}

/* ---- chunks --------------------------------------------------------------------------------- */

static gboolean put(const Writing *writing, guint32 process, PsChunkKind kind, gconstpointer data,
                    gsize size)
{
    g_autoptr(GByteArray) chunk = ps_chunk_pack(kind, process, data, size);
    return ps_card_writer_put(writing->writer, chunk->data, chunk->len, writing->error);
}

/* Takes the floating reference. */
static gboolean put_variant(const Writing *writing, guint32 process, PsChunkKind kind,
                            GVariant *floating)
{
    g_autoptr(GVariant) variant = ps_chunk_little(floating);
    return put(writing, process, kind, g_variant_get_data(variant), g_variant_get_size(variant));
}

/* ---- code ----------------------------------------------------------------------------------- */

static PsCardPart *part_new(gboolean ptx, guint target, GBytes *bytes)
{
    PsCardPart *part = g_new0(PsCardPart, 1);
    *part = (PsCardPart){ptx, target, g_bytes_ref(bytes)};
    return part;
}

/* Adds what there is beside that target's machine code, which the device has loaded. */
static void add_others(GPtrArray *parts, const GPtrArray *others, guint target)
{
    for (guint i = 0; others && i < others->len; i++) {
        const PsCardPart *other = others->pdata[i];
        if (other->ptx || other->target != target)
            g_ptr_array_add(parts, part_new(other->ptx, other->target, other->bytes));
    }
}

static GPtrArray *parts_of(const PsTakenBytes *image)
{
    g_autoptr(GBytes) bytes = g_bytes_new_static(image->data, image->size);
    return ps_card_image_parts_of(bytes);
}

/* The parts of an image that contains the module (g_ptr_array_unref): loaded in the meantime, or
 * with the same machine code, perhaps in a file of the program. NULL: none is known. */
static GPtrArray *image_of(const PsCardTaken *taken, const PsTakenModule *module, GBytes *cubin)
{
    const GArray *images = taken->images;
    if (module->image)
        return parts_of(&g_array_index(images, PsTakenBytes, module->image - 1));
    for (guint i = 0; i < images->len; i++) {
        g_autoptr(GPtrArray) parts = parts_of(&g_array_index(images, PsTakenBytes, i));
        if (parts && ps_card_parts_have(parts, cubin))
            return g_steal_pointer(&parts);
    }
    return ps_taken_parts_in(taken->programs, cubin);
}

/* The number of the module's code in the file; 0 and *why, or 0 and the writing's error. */
static guint put_code(const Writing *writing, Process *process, guint number, const char **why)
{
    const PsTakenModule *module =
        &g_array_index(process->taken->modules, PsTakenModule, number - 1);
    guint *code = &process->codes[number - 1];
    if (*code)
        return *code;
    g_autoptr(GBytes) cubin = g_bytes_new_static(module->cubin.data, module->cubin.size);
    const guint target = ps_card_cubin_target(cubin);
    if (!target) {
        *why = "what CUDA has loaded is no machine code";
        return 0;
    }
    g_autoptr(GPtrArray) others = image_of(process->taken, module, cubin),
                         parts = ps_card_parts_new();
    g_ptr_array_add(parts, part_new(FALSE, target, cubin));
    add_others(parts, others, target);
    if (!put_variant(writing, process->number, PS_CHUNK_CODE, ps_chunk_code_variant(parts)))
        return 0;
    return *code = ++process->n_codes;
}

/* ---- whole launches ------------------------------------------------------------------------- */

/* The number of that page in the file; 0 and the writing's error. */
static guint put_page(const Writing *writing, Process *process, guint number)
{
    const PsTakenBytes *bytes = &g_array_index(process->taken->pages, PsTakenBytes, number - 1);
    guint *page = &process->pages[number - 1];
    if (!*page && put(writing, process->number, PS_CHUNK_PAGE, bytes->data, bytes->size))
        *page = ++process->n_pages;
    return *page;
}

static gboolean add_piece(const Writing *writing, Process *process, const PsTakenPiece *piece,
                          GVariantBuilder *to)
{
    const gsize n = piece->pages.size / sizeof(guint32);
    g_autofree guint32 *pairs = g_new(guint32, 2 * n + 1);
    for (gsize i = 0; i < n; i++) {
        guint32 page;
        memcpy(&page, piece->pages.data + i * sizeof page, sizeof page);
        pairs[2 * i] = (guint32)i;
        pairs[2 * i + 1] = put_page(writing, process, page);
        if (!pairs[2 * i + 1])
            return FALSE;
    }
    const gboolean is_variable = piece->kind == PS_CARD_VARIABLE;
    g_autofree char *name =
        is_variable ? g_strdup(piece->name)
                    : g_strdup_printf("the memory at %#" G_GINT64_MODIFIER "x", piece->address);
    ps_chunk_add_piece(
        to, &(PsChunkPiece){piece->address, piece->size, piece->kind, name, is_variable, pairs, n});
    return TRUE;
}

static GVariant *arguments_of(const PsTakenLaunch *launch)
{
    GVariantBuilder all;
    g_variant_builder_init(&all, G_VARIANT_TYPE("aay"));
    for (guint i = 0; i < launch->arguments->len; i++) {
        const PsTakenBytes *bytes = &g_array_index(launch->arguments, PsTakenBytes, i);
        ps_chunk_add_argument(&all, bytes->data, bytes->size);
    }
    return g_variant_builder_end(&all);
}

static GVariant *variant_of(const PsTakenLaunch *taken, const PsCardMeasured *measured, guint code,
                            guint64 digest, GVariant *pieces)
{
    const PsChunkLaunch launch = {.kernel = taken->kernel,
                                  .code = code,
                                  .grid = taken->grid,
                                  .block = taken->block,
                                  .cluster = taken->cluster,
                                  .shared = taken->shared,
                                  .cooperative = taken->cooperative,
                                  .stream = measured->stream,
                                  .work = {0, 0, digest},
                                  .good = TRUE};
    return g_variant_ref_sink(ps_chunk_launch_variant(
        &launch, arguments_of(taken),
        g_variant_new_array(G_VARIANT_TYPE(PS_CHUNK_TEXTURE_TYPE), NULL, 0), pieces));
}

/* The digest of a launch's inputs, as a number and as a key (g_bytes_unref). */
static GBytes *digest_of(const PsTakenLaunch *taken, const PsCardMeasured *measured, guint code,
                         GVariant *pieces, guint64 *digest)
{
    PsCardMeasured of_no_stream = *measured;
    of_no_stream.stream = 0;
    g_autoptr(GVariant) variant = variant_of(taken, &of_no_stream, code, 0, pieces);
    guint8 bytes[PS_CHUNK_DIGEST];
    ps_chunk_digest(g_variant_get_data(variant), g_variant_get_size(variant), bytes);
    memcpy(digest, bytes, sizeof *digest);
    return g_bytes_new(bytes, sizeof bytes);
}

static gboolean put_whole(const Writing *writing, Process *process, const PsTakenLaunch *taken,
                          const PsCardMeasured *measured, guint code)
{
    GVariantBuilder all;
    guint64 digest;
    gboolean good = TRUE;
    g_variant_builder_init(&all, G_VARIANT_TYPE("a" PS_CHUNK_PIECE_TYPE));
    for (guint i = 0; i < taken->pieces->len && good; i++)
        good = add_piece(writing, process, &g_array_index(taken->pieces, PsTakenPiece, i), &all);
    g_autoptr(GVariant) pieces = g_variant_ref_sink(g_variant_builder_end(&all));
    if (!good)
        return FALSE;
    GBytes *key = digest_of(taken, measured, code, pieces, &digest);
    const guint first = GPOINTER_TO_UINT(g_hash_table_lookup(process->same, key));
    writing->count->whole++;
    if (first) {
        g_bytes_unref(key);
        return put_variant(writing, process->number, PS_CHUNK_SAME,
                           g_variant_new(PS_CHUNK_SAME_TYPE, first, measured->stream));
    }
    g_hash_table_insert(process->same, key, GUINT_TO_POINTER(++process->n_whole));
    g_autoptr(GVariant) variant = variant_of(taken, measured, code, digest, pieces);
    return put_variant(writing, process->number, PS_CHUNK_LAUNCH, variant);
}

/* ---- launches ------------------------------------------------------------------------------- */

/* Counts a further launch of the kernel. */
static guint count_launch(const Process *process, const PsCardMeasured *measured)
{
    const guint nth = GPOINTER_TO_UINT(g_hash_table_lookup(process->counts, measured->kernel)) + 1;
    g_hash_table_insert(process->counts, (gpointer)measured->kernel, GUINT_TO_POINTER(nth));
    return nth;
}

/* The launch's content; NULL and *why. */
static const PsTakenLaunch *find(const Process *process, const PsCardMeasured *measured,
                                 const char **why)
{
    const guint nth = measured->graph ? 0 : count_launch(process, measured);
    const PsTakenLaunch *launch =
        process->taken && nth ? ps_taken_find(process->taken, measured->kernel, nth) : NULL;
    *why = measured->graph     ? "a CUDA graph launched it"
           : !measured->wanted ? "it was not asked for"
           : !launch           ? "the program did not launch it again"
                               : launch->why;
    if (!launch || launch->why || !measured->wanted)
        return NULL;
    if (memcmp(launch->grid, measured->grid, sizeof launch->grid) == 0 &&
        memcmp(launch->block, measured->block, sizeof launch->block) == 0)
        return launch;
    *why = "the program launched it with another grid when it ran again";
    return NULL;
}

static gboolean put_left(const Writing *writing, const Process *process,
                         const PsCardMeasured *measured, const char *why)
{
    PsCardTakenCount *count = writing->count;
    count->missing += measured->wanted;
    count->too_large = count->too_large || strcmp(why, PS_RECORD_TOO_LARGE) == 0;
    if (measured->wanted && !count->why)
        count->why = g_strdup(why);
    return put_variant(
        writing, process->number, PS_CHUNK_LEFT,
        ps_chunk_left_variant(&(PsChunkLeft){measured->kernel, measured->grid, measured->block,
                                             measured->shared, measured->stream, why}));
}

static gboolean put_launch(const Writing *writing, Process *process, const PsCardMeasured *measured)
{
    const char *why = NULL;
    const PsTakenLaunch *launch = find(process, measured, &why);
    const guint code = launch ? put_code(writing, process, launch->module, &why) : 0;
    if (launch && !code && !why)
        return FALSE; /* writing failed */
    if (!(code ? put_whole(writing, process, launch, measured, code)
               : put_left(writing, process, measured, why)))
        return FALSE;
    process->n_launches++;
    return !(measured->seconds > 0) ||
           put_variant(writing, process->number, PS_CHUNK_TIME,
                       g_variant_new(PS_CHUNK_TIME_TYPE, process->n_launches, measured->device,
                                     measured->seconds));
}

static gboolean put_all(const Writing *writing, const PsCardTakenAll *all)
{
    for (guint i = 0; i < all->devices->len; i++) {
        const PsCardDevice *device = &g_array_index(all->devices, PsCardDevice, i);
        g_autofree char *name = g_utf8_make_valid(device->name, -1);
        if (!put_variant(writing, 0, PS_CHUNK_DEVICE,
                         g_variant_new(PS_CHUNK_DEVICE_TYPE, name, device->capability,
                                       device->compute_units)))
            return FALSE;
    }
    for (guint i = 0; i < all->measured->len; i++) {
        const PsCardMeasured *launch = &g_array_index(all->measured, PsCardMeasured, i);
        if (!put_launch(writing, process_at(writing, all->taken, launch->process), launch))
            return FALSE;
    }
    return ps_card_writer_end(writing->writer, writing->error);
}

gboolean ps_card_taken_write(const PsCardTakenAll *all, PsCardPut put_bytes, gpointer data,
                             PsCardTakenCount *count, GError **error)
{
    g_autoptr(PsCardWriter) writer = ps_card_writer_new(put_bytes, data);
    g_autoptr(GPtrArray) processes = g_ptr_array_new_with_free_func(free_process);
    const Writing writing = {writer, processes, count, error};
    *count = (PsCardTakenCount){0};
    return put_all(&writing, all);
}
