/* SPDX-License-Identifier: BSD-3-Clause */
/* See together.h. Sections are copied one behind the other, and whatever names a section or a
 * symbol by its number gets the new number. */
#include "sass/together.h"

#include "base/json-read.h"

#include <gelf.h>
#include <string.h>

/* Behind each name, as no compiler writes it. */
#define MARK "$pipesim$%u$"

/* The upper byte of a code section's number of a symbol has its registers. */
#define SYMBOL_BITS 24

/* ---- cubins that are read ------------------------------------------------------------------- */

typedef struct {
    Elf *elf;
    GElf_Ehdr header;
    Elf_Data *symbols;   /* NULL: it has none */
    guint symbol_names;  /* number of the section with their names */
    guint *section;      /* new numbers by the old ones; 0: it is left out */
    guint *symbol;       /* likewise */
    size_t n, n_symbols; /* of both */
} Part;

static void part_clear(gpointer self)
{
    Part *part = self;
    g_clear_pointer(&part->elf, elf_end);
    g_free(part->section);
    g_free(part->symbol);
}

/* Tables of names and of symbols are made anew. The rest speaks of lines, or of all kernels. */
static gboolean is_left_out(const char *name, guint32 type)
{
    static const char *const others[] = {".nv.info", ".nv.callgraph", ".nv.prototype",
                                         ".nv.rel.action"};
    for (gsize i = 0; i < G_N_ELEMENTS(others); i++)
        if (strcmp(name, others[i]) == 0)
            return TRUE;
    return type == SHT_NULL || type == SHT_SYMTAB || type == SHT_STRTAB || type == SHT_NOTE ||
           strstr(name, "debug_");
}

/* The header and the name of its section i; NULL: it has none. */
static const char *section_of(const Part *part, size_t i, GElf_Shdr *header)
{
    Elf_Scn *section = elf_getscn(part->elf, i);
    size_t names = 0;
    return section && gelf_getshdr(section, header) && elf_getshdrstrndx(part->elf, &names) == 0
               ? elf_strptr(part->elf, names, header->sh_name)
               : NULL;
}

/* Its sections get the next numbers. FALSE: it cannot be read. */
static gboolean number_sections(Part *part, guint *next)
{
    if (!gelf_getehdr(part->elf, &part->header) || elf_getshdrnum(part->elf, &part->n) != 0)
        return FALSE;
    part->section = g_new0(guint, part->n + 1);
    for (size_t i = 1; i < part->n; i++) {
        GElf_Shdr header;
        const char *name = section_of(part, i, &header);
        if (!name)
            return FALSE;
        if (header.sh_type == SHT_SYMTAB) {
            part->symbols = elf_getdata(elf_getscn(part->elf, i), NULL);
            part->symbol_names = header.sh_link;
        }
        if (!is_left_out(name, header.sh_type))
            part->section[i] = (*next)++;
    }
    part->n_symbols = part->symbols ? part->symbols->d_size / sizeof(Elf64_Sym) : 0;
    part->symbol = g_new0(guint, part->n_symbols + 1);
    return part->n_symbols < G_MAXINT;
}

/* All of them, and in *next the number behind the last section. NULL: one cannot be read. */
static GArray *read_parts(const GPtrArray *cubins, guint *next)
{
    g_autoptr(GArray) parts = g_array_new(FALSE, TRUE, sizeof(Part));
    g_array_set_clear_func(parts, part_clear);
    elf_version(EV_CURRENT);
    *next = 1;
    for (guint i = 0; i < cubins->len; i++) {
        gsize size;
        /* libelf writes nowhere where nothing is updated. */
        char *data = (char *)g_bytes_get_data(cubins->pdata[i], &size);
        Part part = {.elf = elf_memory(data, size)};
        const gboolean good =
            part.elf && gelf_getclass(part.elf) == ELFCLASS64 && number_sections(&part, next);
        g_array_append_val(parts, part);
        if (!good)
            return NULL;
    }
    return g_steal_pointer(&parts);
}

/* ---- the file of all ------------------------------------------------------------------------- */

typedef struct {
    const GArray *parts; /* Part */
    guint n;             /* of their sections, and one */
    GByteArray *file;    /* as far as it is made */
    GArray *sections;    /* Elf64_Shdr, by number */
    GArray *symbols;     /* Elf64_Sym, by number */
    guint locals;        /* of these, which stand first */
    GString *section_names, *symbol_names;
} Making;

static guint add_name(GString *table, const char *name, guint part)
{
    const guint at = (guint)table->len;
    g_string_append_printf(table, "%s" MARK, name, part);
    g_string_append_c(table, '\0');
    return at;
}

/* Symbols of other sections than those that are there are left out. */
static void add_symbol(Making *making, guint number, guint i)
{
    Part *part = &g_array_index(making->parts, Part, number);
    GElf_Sym symbol;
    if (!gelf_getsym(part->symbols, (int)i, &symbol))
        return;
    const char *name = elf_strptr(part->elf, part->symbol_names, symbol.st_name);
    const gboolean inside = symbol.st_shndx != SHN_UNDEF && symbol.st_shndx < SHN_LORESERVE;
    if (inside && (symbol.st_shndx >= part->n || !part->section[symbol.st_shndx]))
        return;
    symbol.st_name = name && *name ? add_name(making->symbol_names, name, number) : 0;
    if (inside)
        symbol.st_shndx = (Elf64_Section)part->section[symbol.st_shndx];
    part->symbol[i] = making->symbols->len;
    g_array_append_val(making->symbols, symbol);
}

/* Those that are local, or all others. */
static void add_symbols(Making *making, gboolean local)
{
    for (guint number = 0; number < making->parts->len; number++) {
        const Part *part = &g_array_index(making->parts, Part, number);
        for (guint i = 1; i < part->n_symbols; i++) {
            GElf_Sym symbol;
            if (gelf_getsym(part->symbols, (int)i, &symbol) &&
                (GELF_ST_BIND(symbol.st_info) == STB_LOCAL) == local)
                add_symbol(making, number, i);
        }
    }
}

static guint new_number(const guint *numbers, size_t n, guint64 old)
{
    return old < n ? numbers[old] : 0;
}

/* In place, the numbers of symbols in relocations of that size. */
static void renumber(const Part *part, guint8 *data, gsize size, gsize each)
{
    for (gsize at = 0; at + each <= size; at += each) {
        Elf64_Rel relocation;
        memcpy(&relocation, data + at, sizeof relocation);
        const guint symbol =
            new_number(part->symbol, part->n_symbols, ELF64_R_SYM(relocation.r_info));
        relocation.r_info = ELF64_R_INFO((guint64)symbol, ELF64_R_TYPE(relocation.r_info));
        memcpy(data + at, &relocation, sizeof relocation);
    }
}

static void pad(GByteArray *file, guint64 to)
{
    enum { MOST = 4096 };
    static const guint8 zeros[MOST];
    if (to > 1 && to <= MOST && file->len % to != 0)
        g_byte_array_append(file, zeros, (guint)(to - file->len % to));
}

/* Adds the bytes, from the next place on that suits the section. */
static void place(Making *making, Elf64_Shdr *header, gconstpointer bytes, gsize size)
{
    pad(making->file, header->sh_addralign);
    header->sh_offset = making->file->len;
    if (size)
        g_byte_array_append(making->file, bytes, (guint)size);
}

static void add_section(Making *making, guint number, size_t i)
{
    const Part *part = &g_array_index(making->parts, Part, number);
    GElf_Shdr header = {0};
    const char *name = section_of(part, i, &header);
    const Elf_Data *data = elf_rawdata(elf_getscn(part->elf, i), NULL);
    const gboolean filled = data && data->d_buf && header.sh_type != SHT_NOBITS;
    const guint32 mask = (1U << SYMBOL_BITS) - 1;
    const gboolean relocates = header.sh_type == SHT_REL || header.sh_type == SHT_RELA;
    if (header.sh_flags & SHF_EXECINSTR)
        header.sh_info = (header.sh_info & ~mask) |
                         (new_number(part->symbol, part->n_symbols, header.sh_info & mask) & mask);
    else
        header.sh_info = new_number(part->section, part->n, header.sh_info);
    header.sh_link = header.sh_link ? making->n : 0;
    header.sh_name = add_name(making->section_names, name, number);
    place(making, &header, filled ? data->d_buf : NULL, filled ? data->d_size : 0);
    if (relocates && filled)
        renumber(part, making->file->data + header.sh_offset, data->d_size,
                 header.sh_type == SHT_REL ? sizeof(Elf64_Rel) : sizeof(Elf64_Rela));
    g_array_append_val(making->sections, header);
}

/* One of ours. */
static void add_table(Making *making, const char *name, Elf64_Shdr header, gconstpointer bytes,
                      gsize size)
{
    header.sh_name = (guint)making->section_names->len;
    g_string_append_len(making->section_names, name, (gssize)strlen(name) + 1);
    if (!bytes) { /* the names of sections themselves */
        bytes = making->section_names->str;
        size = making->section_names->len;
    }
    header.sh_size = size;
    place(making, &header, bytes, size);
    g_array_append_val(making->sections, header);
}

/* The tables, that of sections, and in the header of the first cubin where it is. */
static void finish(Making *making)
{
    Elf64_Ehdr header = g_array_index(making->parts, Part, 0).header;
    const guint n = making->n;
    add_table(making, ".symtab",
              (Elf64_Shdr){.sh_type = SHT_SYMTAB,
                           .sh_link = n + 1,
                           .sh_info = making->locals,
                           .sh_addralign = sizeof(guint64),
                           .sh_entsize = sizeof(Elf64_Sym)},
              making->symbols->data, making->symbols->len * sizeof(Elf64_Sym));
    add_table(making, ".strtab", (Elf64_Shdr){.sh_type = SHT_STRTAB, .sh_addralign = 1},
              making->symbol_names->str, making->symbol_names->len);
    add_table(making, ".shstrtab", (Elf64_Shdr){.sh_type = SHT_STRTAB, .sh_addralign = 1}, NULL, 0);
    pad(making->file, sizeof(guint64));
    header.e_shoff = making->file->len;
    header.e_phoff = header.e_phnum = 0;
    header.e_shnum = (guint16)making->sections->len;
    header.e_shstrndx = (guint16)(n + 2);
    memcpy(making->file->data, &header, sizeof header);
    g_byte_array_append(making->file, (const guint8 *)making->sections->data,
                        making->sections->len * (guint)sizeof(Elf64_Shdr));
}

static void make(Making *making)
{
    g_byte_array_set_size(making->file, sizeof(Elf64_Ehdr));
    g_array_set_size(making->sections, 1);
    g_array_set_size(making->symbols, 1);
    g_string_append_c(making->section_names, '\0');
    g_string_append_c(making->symbol_names, '\0');
    add_symbols(making, TRUE);
    making->locals = making->symbols->len;
    add_symbols(making, FALSE);
    for (guint number = 0; number < making->parts->len; number++) {
        const Part *part = &g_array_index(making->parts, Part, number);
        for (size_t i = 1; i < part->n; i++)
            if (part->section[i])
                add_section(making, number, i);
    }
    finish(making);
}

GBytes *ps_sass_together(const GPtrArray *cubins)
{
    guint n = 0;
    g_autoptr(GArray) parts = read_parts(cubins, &n);
    if (!parts || !parts->len || n + 3 >= SHN_LORESERVE)
        return NULL;
    Making making = {.parts = parts,
                     .n = n,
                     .file = g_byte_array_new(),
                     .sections = g_array_new(FALSE, TRUE, sizeof(Elf64_Shdr)),
                     .symbols = g_array_new(FALSE, TRUE, sizeof(Elf64_Sym)),
                     .section_names = g_string_new(NULL),
                     .symbol_names = g_string_new(NULL)};
    make(&making);
    g_array_unref(making.sections);
    g_array_unref(making.symbols);
    g_string_free(making.section_names, TRUE);
    g_string_free(making.symbol_names, TRUE);
    return g_byte_array_free_to_bytes(making.file);
}

/* ---- its listing ------------------------------------------------------------------------------
 */

typedef struct {
    GPtrArray *listings; /* GString or NULL, by number */
    const char *head;    /* the description of the file, of that length */
    gsize length;
    char *name; /* of the function that is read */
    guint part; /* of the outermost array: the next one's number */
} Taking;

static gboolean function_member(PsJson *json, const char *key, gpointer self, GError **error)
{
    Taking *taking = self;
    if (strcmp(key, "function-name") != 0 || ps_json_peek(json) != '"')
        return ps_json_skip(json, error);
    g_clear_pointer(&taking->name, g_free);
    return ps_json_string(json, &taking->name, error);
}

/* The number in the mark behind the function's name; n: there is none. */
static guint number_of(const char *name, guint n)
{
    const char *mark = name ? strstr(name, "$pipesim$") : NULL;
    const guint64 number = mark ? g_ascii_strtoull(mark + strlen("$pipesim$"), NULL, 10) : n;
    return (guint)MIN(number, n);
}

/* Adds a function's text to the listing that it belongs to. */
static void add_function(Taking *taking, guint number, const char *text, gsize length)
{
    GString **listing = (GString **)&taking->listings->pdata[number];
    g_autofree char *mark = g_strdup_printf(MARK, number);
    if (!*listing) {
        *listing = g_string_new("[");
        g_string_append_len(*listing, taking->head, (gssize)taking->length);
        g_string_append(*listing, ",[");
    } else {
        g_string_append_c(*listing, ',');
    }
    g_autoptr(GString) own = g_string_new_len(text, (gssize)length);
    g_string_replace(own, mark, "", 0);
    g_string_append_len(*listing, own->str, (gssize)own->len);
}

static gboolean function(PsJson *json, gpointer self, GError **error)
{
    Taking *taking = self;
    const gboolean object = ps_json_peek(json) == '{';
    const char *start = json->at;
    g_clear_pointer(&taking->name, g_free);
    if (!(object ? ps_json_object(json, function_member, self, error) : ps_json_skip(json, error)))
        return FALSE;
    const guint number = number_of(taking->name, taking->listings->len);
    if (number < taking->listings->len)
        add_function(taking, number, start, (gsize)(json->at - start));
    return TRUE;
}

static gboolean part(PsJson *json, gpointer self, GError **error)
{
    Taking *taking = self;
    const guint number = taking->part++;
    const char first = ps_json_peek(json), *start = json->at;
    if (number == 1 && first == '[')
        return ps_json_array(json, function, self, error);
    if (!ps_json_skip(json, error))
        return FALSE;
    if (number == 0) {
        taking->head = start;
        taking->length = (gsize)(json->at - start);
    }
    return TRUE;
}

static void free_listing(gpointer listing)
{
    if (listing)
        g_string_free(listing, TRUE);
}

GPtrArray *ps_sass_apart(const char *json, gsize length, guint n)
{
    g_autoptr(GPtrArray) listings = g_ptr_array_new_with_free_func(free_listing);
    g_ptr_array_set_size(listings, (gint)n);
    Taking taking = {.listings = listings};
    PsJson reader;
    ps_json_init(&reader, (PsPlace){"nvdisasm", 1}, json, length);
    const gboolean good = ps_json_peek(&reader) == '[' &&
                          ps_json_array(&reader, part, &taking, NULL) &&
                          ps_json_finish(&reader, NULL);
    g_free(taking.name);
    for (guint i = 0; i < n; i++)
        if (listings->pdata[i])
            g_string_append(listings->pdata[i], "]]");
    return good ? g_steal_pointer(&listings) : NULL;
}
