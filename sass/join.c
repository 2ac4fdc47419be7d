/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See join.h. The linker leaves each function in a section of its own, and its calls for the driver
 * to fill in. Functions are told apart by their sections: each part of a program may have one of a
 * local name, as the one for divisions.
 */
#include "sass/join.h"

#include "ptx/code/expand.h"
#include "sass/storage.h"

#include <string.h>

/* Kinds of relocations: the lower and the upper word of an address, which an instruction has as a
 * number, and two forms of a call's target. */
enum { LOWER = 0x38, UPPER = 0x39, TARGET = 0x3a, TARGET_SPLIT = 0x4b };

#define MOST_BYTES (G_GUINT64_CONSTANT(256) << 20) /* of all code that is joined */

/* A place in a function that refers to other code. */
typedef struct {
    guint64 at;
    guint kind;
    const PsSassKernel *to; /* NULL: it is not in the file */
    guint64 offset;         /* in the code of `to` */
    gboolean stays;         /* another table has the place */
} Reference;

typedef struct {
    PsSassImage *image;
    Elf *elf;
    Elf_Data *symbols;
    guint names;           /* number of the section with the symbols' names */
    GHashTable *functions; /* number of the section -> PsSassKernel */
    GHashTable *places;    /* likewise -> GArray of Reference */
    GHashTable *taken;     /* PsSassKernel: functions whose address the code takes */
    guint64 left;          /* bytes that may still be joined */
} Joining;

/* A function in a kernel's joined code. */
typedef struct {
    const PsSassKernel *function;
    guint64 base;
} Piece;

/* ---- references ----------------------------------------------------------------------------- */

static void find_symbols(Joining *joining)
{
    for (Elf_Scn *section = elf_nextscn(joining->elf, NULL); section;
         section = elf_nextscn(joining->elf, section)) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB)
            continue;
        joining->symbols = elf_getdata(section, NULL);
        joining->names = header.sh_link;
    }
}

static gboolean is_call(guint kind)
{
    return kind == TARGET || kind == TARGET_SPLIT;
}

static Reference reference_of(const Joining *joining, const GElf_Rela *relocation)
{
    const guint64 number = GELF_R_SYM(relocation->r_info);
    Reference reference = {.at = relocation->r_offset,
                           .kind = (guint)GELF_R_TYPE(relocation->r_info)};
    GElf_Sym symbol;
    if (number > G_MAXINT || !gelf_getsym(joining->symbols, (int)number, &symbol))
        return reference;
    const char *name = elf_strptr(joining->elf, joining->names, symbol.st_name);
    reference.to = g_hash_table_lookup(joining->functions, GUINT_TO_POINTER(symbol.st_shndx));
    reference.offset = symbol.st_value + (guint64)relocation->r_addend;
    reference.stays = is_call(reference.kind) && name &&
                      (!reference.to || strcmp(name, PS_SASS_BARRIER) == 0 ||
                       ps_ptx_call_known(name) || ps_ptx_call_launches(name));
    return reference;
}

static void read_section(const Joining *joining, Elf_Scn *section, const GElf_Shdr *header)
{
    gpointer of = GUINT_TO_POINTER(header->sh_info);
    Elf_Data *data =
        g_hash_table_contains(joining->functions, of) ? elf_getdata(section, NULL) : NULL;
    GArray *list = g_hash_table_lookup(joining->places, of);
    if (!data || header->sh_entsize == 0)
        return;
    if (!list) {
        list = g_array_new(FALSE, FALSE, sizeof(Reference));
        g_hash_table_insert(joining->places, of, list);
    }
    for (guint i = 0; i < header->sh_size / header->sh_entsize && i < G_MAXINT; i++) {
        GElf_Rela with = {0};
        GElf_Rel without;
        gboolean good = FALSE;
        if (header->sh_type == SHT_RELA) {
            good = gelf_getrela(data, (int)i, &with) != NULL;
        } else if (gelf_getrel(data, (int)i, &without)) {
            with = (GElf_Rela){.r_offset = without.r_offset, .r_info = without.r_info};
            good = TRUE;
        }
        const Reference reference = good ? reference_of(joining, &with) : (Reference){.to = NULL};
        g_array_append_val(list, reference);
    }
}

/* TRUE if the place has the address of a function, which code may call later. Return addresses are
 * never at a function's begin. */
static gboolean is_pointer(const Reference *reference)
{
    return (reference->kind == LOWER || reference->kind == UPPER) && reference->to &&
           reference->to->is_function && reference->offset == 0;
}

static void read_references(Joining *joining)
{
    for (Elf_Scn *section = elf_nextscn(joining->elf, NULL); section;
         section = elf_nextscn(joining->elf, section)) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) &&
            (header.sh_type == SHT_REL || header.sh_type == SHT_RELA))
            read_section(joining, section, &header);
    }
}

/* Finds the functions whose address stands in code, a constant bank, or a variable. */
static void find_taken(const Joining *joining)
{
    GHashTableIter iter;
    gpointer list;
    g_hash_table_iter_init(&iter, joining->places);
    while (g_hash_table_iter_next(&iter, NULL, &list))
        for (guint i = 0; i < ((GArray *)list)->len; i++) {
            const Reference *reference = &g_array_index((GArray *)list, Reference, i);
            if (is_pointer(reference))
                g_hash_table_add(joining->taken, (gpointer)reference->to);
        }
    for (guint i = 0; i < joining->image->addresses->len; i++) {
        const guint section = g_array_index(joining->image->addresses, PsSassAddress, i).section;
        PsSassKernel *function = g_hash_table_lookup(joining->functions, GUINT_TO_POINTER(section));
        if (function && function->is_function)
            g_hash_table_add(joining->taken, function);
    }
}

/* TRUE if the code calls through a register. */
static gboolean calls_pointers(const PsSassKernel *function)
{
    enum { OPCODE = 0xfff, ABSOLUTE = 0x343, RELATIVE = 0x344 };
    for (guint64 at = 0; at + PS_SASS_BYTES <= function->text.size; at += PS_SASS_BYTES) {
        guint64 word;
        memcpy(&word, function->text.bytes + at, sizeof word);
        const guint opcode = (guint)GUINT64_FROM_LE(word) & OPCODE;
        if (opcode == ABSOLUTE || opcode == RELATIVE)
            return TRUE;
    }
    return FALSE;
}

static const GArray *references_of(const Joining *joining, const PsSassKernel *function)
{
    return g_hash_table_lookup(joining->places, GUINT_TO_POINTER(function->section));
}

/* ---- pieces --------------------------------------------------------------------------------- */

static const Piece *piece_of(const GArray *pieces, const PsSassKernel *function)
{
    for (guint i = 0; i < pieces->len; i++) {
        const Piece *piece = &g_array_index(pieces, Piece, i);
        if (piece->function == function)
            return piece;
    }
    return NULL;
}

/* FALSE: the place cannot be filled in. */
static gboolean is_known(const Reference *reference, const PsSassKernel *in)
{
    const gboolean kind =
        reference->kind == LOWER || reference->kind == UPPER || is_call(reference->kind);
    if (g_hash_table_contains(in->halves, GSIZE_TO_POINTER(reference->at)))
        return TRUE;
    return kind && reference->at % PS_SASS_BYTES == 0 && reference->at < in->text.size &&
           (reference->stays || (reference->to && reference->offset < reference->to->text.size &&
                                 reference->offset % PS_SASS_BYTES == 0));
}

static gboolean may_follow(const PsSassKernel *function)
{
    return function->is_function && !function->own_banks;
}

/* FALSE: the function cannot be joined. */
static gboolean add_piece(const Joining *joining, GArray *pieces, const PsSassKernel *function,
                          guint64 *size)
{
    const Piece piece = {function, *size};
    if (piece_of(pieces, function))
        return TRUE;
    if (!may_follow(function) || function->text.size > joining->left - *size)
        return FALSE;
    *size += function->text.size;
    g_array_append_val(pieces, piece);
    return TRUE;
}

/* Adds functions to which pointers may lead. A call of one that cannot be joined ends in a trap. */
static void add_taken(const Joining *joining, GArray *pieces, guint64 *size)
{
    for (guint i = 0; i < joining->image->kernels->len; i++) {
        const PsSassKernel *function = joining->image->kernels->pdata[i];
        if (g_hash_table_contains(joining->taken, function))
            add_piece(joining, pieces, function, size);
    }
}

/* The kernel and everything that it may call, each with its place; *size becomes the bytes of all.
 * NULL: something cannot be joined. */
static GArray *pieces_of(const Joining *joining, const PsSassKernel *kernel, guint64 *size)
{
    g_autoptr(GArray) pieces = g_array_new(FALSE, FALSE, sizeof(Piece));
    const Piece first = {kernel, 0};
    g_array_append_val(pieces, first);
    *size = kernel->text.size;
    for (guint i = 0; *size <= joining->left && i < pieces->len; i++) {
        const PsSassKernel *in = g_array_index(pieces, Piece, i).function;
        const GArray *list = references_of(joining, in);
        if (calls_pointers(in))
            add_taken(joining, pieces, size);
        for (guint k = 0; list && k < list->len; k++) {
            const Reference *reference = &g_array_index(list, Reference, k);
            if (!is_known(reference, in))
                return NULL;
            if (!reference->stays && reference->to && !is_pointer(reference) &&
                !add_piece(joining, pieces, reference->to, size))
                return NULL;
        }
    }
    return g_steal_pointer(&pieces);
}

/* ---- joined code ---------------------------------------------------------------------------- */

/* Writes the lowest `n` bits of a number at a bit of an instruction, whose words are at `code`. */
static void put_bits(guint8 *code, guint from, guint n, guint64 number)
{
    for (guint i = 0; i < n; i++) {
        const guint8 bit = (guint8)(1U << (from + i) % 8);
        code[(from + i) / 8] =
            (guint8)((code[(from + i) / 8] & ~bit) | (number >> i & 1 ? bit : 0));
    }
}

/* A target counts words of 4 bytes. Later code has its lowest 8 bits elsewhere. */
static void fill_in(guint8 *code, guint kind, guint64 value)
{
    if (kind == LOWER || kind == UPPER) {
        put_bits(code, 32, 32, kind == LOWER ? value : value >> 32);
    } else if (kind == TARGET) {
        put_bits(code, 34, 47, value >> 2);
    } else {
        put_bits(code, 16, 8, value >> 2);
        put_bits(code, 34, 47, value >> 10);
    }
}

static void fill_piece(const Joining *joining, PsSassKernel *kernel, guint8 *code,
                       const GArray *pieces, const Piece *piece)
{
    const GArray *list = references_of(joining, piece->function);
    for (guint i = 0; list && i < list->len; i++) {
        const Reference *reference = &g_array_index(list, Reference, i);
        gpointer here = GSIZE_TO_POINTER(piece->base + reference->at);
        const char *name =
            g_hash_table_lookup(piece->function->apart, GSIZE_TO_POINTER(reference->at));
        const PsSassHalf *half =
            g_hash_table_lookup(piece->function->halves, GSIZE_TO_POINTER(reference->at));
        if (half && piece->base > 0) {
            g_hash_table_insert(kernel->halves, here, g_memdup2(half, sizeof *half));
        } else if (!half && is_pointer(reference)) {
            const guint32 number = ps_sass_function_number(reference->to->section);
            fill_in(code + piece->base + reference->at, reference->kind, number);
            g_hash_table_remove(kernel->apart, here);
        } else if (!half && !reference->stays) {
            const guint64 value = piece_of(pieces, reference->to)->base + reference->offset;
            fill_in(code + piece->base + reference->at, reference->kind, value);
            g_hash_table_remove(kernel->apart, here);
        } else if (name && piece->base > 0) {
            g_hash_table_insert(kernel->apart, here, g_strdup(name));
        }
    }
}

/* Functions with one name begin at different places, which their names here contain. */
static void add_subroutines(PsSassKernel *kernel, const Piece *piece)
{
    GHashTableIter iter;
    gpointer name, at;
    g_hash_table_iter_init(&iter, piece->function->subroutines);
    while (g_hash_table_iter_next(&iter, &name, &at))
        g_hash_table_insert(
            kernel->subroutines,
            g_strdup_printf("%s@%" G_GINT64_MODIFIER "x", (const char *)name, piece->base),
            GSIZE_TO_POINTER(GPOINTER_TO_SIZE(at) + piece->base));
}

/* Tables of jumps are in the kernel's constant bank, with offsets in the function's own code. */
static void add_jumps(PsSassKernel *kernel, const Piece *piece)
{
    const GArray *jumps = piece->function->jumps;
    for (guint i = 0; i < jumps->len; i++) {
        const PsSassJump *jump = &g_array_index(jumps, PsSassJump, i);
        const PsSassJump mine = {piece->base + jump->at, g_array_copy(jump->targets)};
        for (guint k = 0; k < mine.targets->len; k++)
            g_array_index(mine.targets, guint64, k) += piece->base;
        g_array_append_val(kernel->jumps, mine);
    }
}

static gboolean has_pointers(const Joining *joining, const PsSassKernel *kernel)
{
    const GArray *list = references_of(joining, kernel);
    for (guint i = 0; list && i < list->len; i++)
        if (is_pointer(&g_array_index(list, Reference, i)))
            return TRUE;
    return FALSE;
}

static void join(Joining *joining, PsSassKernel *kernel)
{
    PsSassStorage *storage = joining->image->storage;
    guint64 size = 0;
    g_autoptr(GArray) pieces = pieces_of(joining, kernel, &size);
    if (!pieces || (pieces->len < 2 && !has_pointers(joining, kernel)))
        return;
    guint8 *code = g_malloc(size);
    g_ptr_array_add(storage->kept, code);
    joining->left -= size;
    for (guint i = 0; i < pieces->len; i++) {
        const Piece *piece = &g_array_index(pieces, Piece, i);
        memcpy(code + piece->base, piece->function->text.bytes, piece->function->text.size);
        fill_piece(joining, kernel, code, pieces, piece);
        if (i == 0)
            continue;
        add_subroutines(kernel, piece);
        add_jumps(kernel, piece);
        if (g_hash_table_contains(joining->taken, piece->function))
            g_hash_table_insert(kernel->reached,
                                GUINT_TO_POINTER(ps_sass_function_number(piece->function->section)),
                                GSIZE_TO_POINTER(piece->base + 1));
        kernel->registers = MAX(kernel->registers, piece->function->registers);
        kernel->frame += piece->function->frame;
    }
    kernel->text = (PsSassBytes){code, size};
    kernel->joined = TRUE;
}

void ps_sass_join(PsSassImage *image)
{
    const PsSassStorage *storage = image->storage;
    Joining joining = {.image = image, .elf = storage->elf, .left = MOST_BYTES};
    find_symbols(&joining);
    joining.functions = g_hash_table_new(NULL, NULL);
    joining.places =
        g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)(void (*)(void))g_array_unref);
    for (guint i = 0; i < image->kernels->len; i++) {
        PsSassKernel *kernel = image->kernels->pdata[i];
        g_hash_table_insert(joining.functions, GUINT_TO_POINTER(kernel->section), kernel);
    }
    joining.taken = g_hash_table_new(NULL, NULL);
    if (joining.symbols)
        read_references(&joining);
    find_taken(&joining);
    for (guint i = 0; i < image->kernels->len; i++) {
        PsSassKernel *kernel = image->kernels->pdata[i];
        if (!kernel->is_function)
            join(&joining, kernel);
    }
    g_hash_table_unref(joining.functions);
    g_hash_table_unref(joining.places);
    g_hash_table_unref(joining.taken);
}
