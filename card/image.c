/* SPDX-License-Identifier: BSD-3-Clause */
/* See image.h. Fat binaries are little-endian, like all machines with NVIDIA's GPUs. */
#include "card/image.h"

#include "card/unpack.h"
#include "sass/image.h"

#include <elf.h>
#include <string.h>

#define WRAPPER 0x466243b1U
#define FAT 0xba55ed50U

enum { KIND_PTX = 1, KIND_CUBIN = 2 };
enum { FLAG_LZ4 = 0x2000, FLAG_ZSTD = 0x8000 };

/* The wrapper of a fat binary: its place, and the pieces from which its machine code was linked;
 * NULL ends them. */
typedef struct {
    guint32 magic, version;
    gconstpointer data;
    gconstpointer const *pieces;
} Wrapper;

typedef struct {
    guint32 magic;
    guint16 version, head;
    guint64 size; /* bytes of what follows */
} Fat;

typedef struct {
    guint16 kind, version;
    guint32 head;
    guint64 size;   /* bytes of what follows, padded */
    guint32 packed; /* compressed bytes, if it is compressed */
    guint32 unknown[2];
    guint32 target; /* 80 of sm_80 */
    guint32 others[2];
    guint64 flags;
    guint64 unknown_too;
    guint64 raw; /* bytes when decompressed; 0: it is not compressed */
} Entry;

enum { LEAST_ENTRY = 48 };

typedef struct {
    guint capability;
    PsCardImage *read;
    GString *seen;    /* parts found, for the message: "machine code for sm_75, PTX for sm_75" */
    GPtrArray *parts; /* PsCardPart: collects all parts; NULL: finds the one that suits */
    GError **error;
} Reading;

/* ---- choice --------------------------------------------------------------------------------- */

enum { GENERATION = 10 };

static void see(const Reading *reading, guint kind, guint target)
{
    g_string_append_printf(reading->seen, "%s%s for sm_%u", reading->seen->len ? ", " : "",
                           kind == KIND_PTX ? "PTX" : "machine code", target);
}

/* TRUE if the entry suits better than the one found so far. */
static gboolean suits(const Reading *reading, guint kind, guint target)
{
    const PsCardImage *read = reading->read;
    if (reading->parts)
        return TRUE;
    see(reading, kind, target);
    if (target > reading->capability)
        return FALSE;
    if (kind == KIND_PTX)
        return !read->ptx || target >= read->ptx_target;
    return target / GENERATION == reading->capability / GENERATION &&
           (!read->cubin || target >= read->cubin_target);
}

static void take(const Reading *reading, guint kind, guint target, GBytes *bytes)
{
    PsCardImage *read = reading->read;
    if (reading->parts) {
        const PsCardPart part = {kind == KIND_PTX, target, bytes};
        g_ptr_array_add(reading->parts, g_memdup2(&part, sizeof part));
        return;
    }
    GBytes **place = kind == KIND_PTX ? &read->ptx : &read->cubin;
    g_clear_pointer(place, g_bytes_unref);
    *place = bytes;
    *(kind == KIND_PTX ? &read->ptx_target : &read->cubin_target) = target;
}

/* ---- fat binaries --------------------------------------------------------------------------- */

static gboolean damaged(const Reading *reading)
{
    g_set_error_literal(reading->error, PS_ERROR, PS_ERROR_SYNTAX,
                        "the fat binary is damaged: its parts do not fit into it");
    return FALSE;
}

/* The entry's content, with a zero behind it. */
static GBytes *payload(const Reading *reading, const Entry *entry, const guint8 *data)
{
    const gboolean lz4 = (entry->flags & FLAG_LZ4) != 0, zstd = (entry->flags & FLAG_ZSTD) != 0;
    if (lz4 || zstd)
        return ps_unpack(zstd ? PS_PACKED_ZSTD : PS_PACKED_LZ4, data, entry->packed, entry->raw,
                         reading->error);
    guint8 *copy = g_malloc(entry->size + 1);
    memcpy(copy, data, entry->size);
    copy[entry->size] = 0;
    return g_bytes_new_take(copy, entry->size + 1);
}

static gboolean read_entry(const Reading *reading, const guint8 *at)
{
    Entry entry = {0};
    memcpy(&entry, at, LEAST_ENTRY);
    if (entry.head >= sizeof entry)
        memcpy(&entry, at, sizeof entry);
    if ((entry.kind != KIND_PTX && entry.kind != KIND_CUBIN) ||
        !suits(reading, entry.kind, entry.target))
        return TRUE;
    if (entry.packed > entry.size)
        return damaged(reading);
    GBytes *bytes = payload(reading, &entry, at + entry.head);
    if (bytes)
        take(reading, entry.kind, entry.target, bytes);
    return bytes != NULL;
}

static gboolean read_fat(const Reading *reading, const guint8 *image)
{
    Fat fat;
    memcpy(&fat, image, sizeof fat);
    for (guint64 at = 0; at + LEAST_ENTRY <= fat.size;) {
        guint32 head;
        guint64 size;
        const guint8 *entry = image + fat.head + at;
        memcpy(&head, entry + G_STRUCT_OFFSET(Entry, head), sizeof head);
        memcpy(&size, entry + G_STRUCT_OFFSET(Entry, size), sizeof size);
        if (head < LEAST_ENTRY || head > fat.size - at || size > fat.size - at - head)
            return damaged(reading);
        if (!read_entry(reading, entry))
            return FALSE;
        at += head + size;
    }
    return TRUE;
}

/* Reads pieces: a piece's machine code is not linked, and its PTX lacks the other pieces. The PTX
 * of a single piece is complete. */
static gboolean read_pieces(const Reading *reading, gconstpointer const *pieces)
{
    PsCardImage piece = {0}, *read = reading->read;
    Reading apart = *reading;
    apart.read = &piece;
    if (pieces[1] && read->cubin)
        return TRUE;
    if (pieces[1]) {
        g_set_error(
            reading->error, PS_ERROR, PS_ERROR_VALUE,
            "the program's code is in several pieces (nvcc -rdc=true), which are not linked "
            "for a GPU of sm_%u; nvcc -gencode arch=compute_%u,code=sm_%u links them",
            reading->capability, reading->capability, reading->capability);
        return FALSE;
    }
    const gboolean good = read_fat(&apart, pieces[0]);
    if (good && piece.ptx && !read->ptx) {
        read->ptx = g_steal_pointer(&piece.ptx);
        read->ptx_target = piece.ptx_target;
    }
    ps_card_image_clear(&piece);
    return good;
}

static gboolean has_ptx(const GPtrArray *parts)
{
    for (guint i = 0; i < parts->len; i++)
        if (((const PsCardPart *)parts->pdata[i])->ptx)
            return TRUE;
    return FALSE;
}

/* Reads all parts of pieces. */
static gboolean read_piece_parts(const Reading *reading, gconstpointer piece)
{
    g_autoptr(GPtrArray) parts = ps_card_parts_new();
    Reading apart = *reading;
    apart.parts = parts;
    if (has_ptx(reading->parts))
        return TRUE;
    if (!read_fat(&apart, piece))
        return FALSE;
    for (guint i = parts->len; i > 0; i--)
        if (((const PsCardPart *)parts->pdata[i - 1])->ptx)
            g_ptr_array_add(reading->parts, g_ptr_array_steal_index(parts, i - 1));
    return TRUE;
}

static gboolean read_wrapper(const Reading *reading, const void *image)
{
    Wrapper wrapper;
    memcpy(&wrapper, image, sizeof wrapper);
    gconstpointer const *pieces = wrapper.version >= 2 ? wrapper.pieces : NULL;
    if (!read_fat(reading, wrapper.data))
        return FALSE;
    if (pieces && pieces[0] && reading->parts)
        return pieces[1] || read_piece_parts(reading, pieces[0]);
    return !pieces || !pieces[0] || read_pieces(reading, pieces);
}

/* ---- others --------------------------------------------------------------------------------- */

/* An ELF file ends with its last section, or with the table of sections. */
static gsize size_of_elf(const Elf64_Ehdr *elf)
{
    const Elf64_Shdr *sections =
        (const Elf64_Shdr *)(gconstpointer)((const guint8 *)elf + elf->e_shoff);
    gsize end = elf->e_shoff + (gsize)elf->e_shnum * elf->e_shentsize;
    for (guint i = 0; i < elf->e_shnum; i++)
        if (sections[i].sh_type != SHT_NOBITS)
            end = MAX(end, sections[i].sh_offset + sections[i].sh_size);
    return MAX(end, elf->e_phoff + (gsize)elf->e_phnum * elf->e_phentsize);
}

/* The target's number is in bits 8 to 15 of the flags; before ABI 8 in the lowest bits. */
static guint target_of_elf(const Elf64_Ehdr *elf)
{
    enum { ABI_OF_CUDA_13 = 8 };
    return elf->e_ident[EI_ABIVERSION] >= ABI_OF_CUDA_13 ? elf->e_flags >> 8 & 0xff
                                                         : elf->e_flags & 0xff;
}

static guint target_of_ptx(const char *text)
{
    const char *target = strstr(text, ".target");
    const char *number = target ? strstr(target, "sm_") : NULL;
    return number ? (guint)g_ascii_strtoull(number + 3, NULL, 10) : 0;
}

static gboolean read_plain(const Reading *reading, gconstpointer image)
{
    const gboolean elf = memcmp(image, ELFMAG, SELFMAG) == 0;
    const guint kind = elf ? KIND_CUBIN : KIND_PTX;
    const guint target = elf ? target_of_elf(image) : target_of_ptx(image);
    if (!elf && !target) {
        g_set_error_literal(reading->error, PS_ERROR, PS_ERROR_SYNTAX,
                            "the image is no fat binary, no cubin and no PTX");
        return FALSE;
    }
    if (suits(reading, kind, target))
        take(reading, kind, target,
             g_bytes_new(image, elf ? size_of_elf(image) : strlen(image) + 1));
    return TRUE;
}

static gboolean read_all(const Reading *reading, gconstpointer image)
{
    guint32 magic;
    memcpy(&magic, image, sizeof magic);
    return magic == WRAPPER ? read_wrapper(reading, image)
           : magic == FAT   ? read_fat(reading, image)
                            : read_plain(reading, image);
}

/* At least one part must suit. */
static gboolean check_read(const Reading *reading)
{
    if (reading->read->ptx || reading->read->cubin)
        return TRUE;
    g_set_error(reading->error, PS_ERROR, PS_ERROR_VALUE,
                "no code in the program suits a GPU of sm_%u; it has %s", reading->capability,
                reading->seen->len ? reading->seen->str : "none");
    return FALSE;
}

gboolean ps_card_image_read(gconstpointer image, guint capability, PsCardImage *read,
                            GError **error)
{
    g_autoptr(GString) seen = g_string_new(NULL);
    const Reading reading = {capability, read, seen, NULL, error};
    *read = (PsCardImage){0};
    if (read_all(&reading, image) && check_read(&reading))
        return TRUE;
    ps_card_image_clear(read);
    return FALSE;
}

void ps_card_image_clear(PsCardImage *read)
{
    g_clear_pointer(&read->cubin, g_bytes_unref);
    g_clear_pointer(&read->ptx, g_bytes_unref);
}

/* ---- parts ---------------------------------------------------------------------------------- */

static void free_part(gpointer data)
{
    g_bytes_unref(((PsCardPart *)data)->bytes);
    g_free(data);
}

GPtrArray *ps_card_parts_new(void)
{
    return g_ptr_array_new_with_free_func(free_part);
}

GPtrArray *ps_card_image_parts(gconstpointer image, GError **error)
{
    g_autoptr(GPtrArray) parts = ps_card_parts_new();
    const Reading reading = {0, NULL, NULL, parts, error};
    return read_all(&reading, image) ? g_steal_pointer(&parts) : NULL;
}

gboolean ps_card_parts_have(const GPtrArray *parts, GBytes *cubin)
{
    gsize size, of_part;
    const guint8 *bytes = g_bytes_get_data(cubin, &size);
    for (guint i = 0; i < parts->len; i++) {
        const PsCardPart *part = parts->pdata[i];
        const guint8 *data = g_bytes_get_data(part->bytes, &of_part);
        gboolean same = !part->ptx && of_part >= size && memcmp(data, bytes, size) == 0;
        for (gsize k = size; same && k < of_part; k++)
            same = data[k] == 0;
        if (same)
            return TRUE;
    }
    return FALSE;
}

gsize ps_card_fat_size(gconstpointer bytes, gsize size)
{
    Fat fat;
    if (size < sizeof fat)
        return 0;
    memcpy(&fat, bytes, sizeof fat);
    return fat.magic == FAT && fat.head <= size && fat.size <= size - fat.head ? fat.head + fat.size
                                                                               : 0;
}

GPtrArray *ps_card_image_parts_of(GBytes *image)
{
    gsize size;
    const guint8 *bytes = g_bytes_get_data(image, &size);
    guint32 magic = 0;
    if (size < sizeof(Fat))
        return NULL;
    memcpy(&magic, bytes, sizeof magic);
    if (magic == FAT ? !ps_card_fat_size(bytes, size)
                     : magic == WRAPPER || bytes[size - 1] || memcmp(bytes, ELFMAG, SELFMAG) == 0)
        return NULL;
    return ps_card_image_parts(bytes, NULL);
}

guint ps_card_cubin_target(GBytes *cubin)
{
    gsize size;
    const guint8 *bytes = g_bytes_get_data(cubin, &size);
    Elf64_Ehdr elf;
    if (!ps_sass_is_image(bytes, size))
        return 0;
    memcpy(&elf, bytes, sizeof elf);
    return target_of_elf(&elf);
}

gboolean ps_card_parts_choose(const GPtrArray *parts, guint capability, PsCardImage *read,
                              GError **error)
{
    g_autoptr(GString) seen = g_string_new(NULL);
    const Reading reading = {capability, read, seen, NULL, error};
    *read = (PsCardImage){0};
    for (guint i = 0; i < parts->len; i++) {
        const PsCardPart *part = parts->pdata[i];
        const guint kind = part->ptx ? KIND_PTX : KIND_CUBIN;
        if (suits(&reading, kind, part->target))
            take(&reading, kind, part->target, g_bytes_ref(part->bytes));
    }
    return check_read(&reading);
}
