/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A cubin with only one of its kernels: disassemblers go through everything in a file, however
 * little they are asked for. Sections and symbols keep their numbers, so the rest needs no change;
 * what is left out becomes an empty section, or a symbol without a name.
 */
#include "sass/image.h"
#include "sass/storage.h"

#include <string.h>

typedef struct {
    const PsSassKernel *kernel;
    GHashTable *kernels; /* names of all kernels */
    Elf *elf;
    size_t names;
    GByteArray *file;  /* the file so far */
    GArray *sections;  /* Elf64_Shdr, by number */
    guint symbols;     /* number of the symbols' section */
    gboolean *is_left; /* [section]: it is left out */
} Making;

/* TRUE for another kernel's own section, or one that names all kernels by their symbols. */
static gboolean is_other(const Making *making, const char *name)
{
    static const char *const own[] = {".text.",     ".nv.info.", ".nv.constant", ".nv.shared.",
                                      ".nv.local.", ".nv.merc",  ".nv.capmerc",  ".rel"};
    const char *of = strrchr(name, '.');
    if (strcmp(name, ".nv.info") == 0 || strcmp(name, ".nv.callgraph") == 0 ||
        strstr(name, ".debug_"))
        return TRUE;
    for (gsize i = 0; of && i < G_N_ELEMENTS(own); i++)
        if (g_str_has_prefix(name, own[i]))
            return strcmp(of + 1, making->kernel->name) != 0 &&
                   g_hash_table_contains(making->kernels, of + 1);
    return FALSE;
}

static void pad(GByteArray *file, guint64 to)
{
    enum { MOST = 4096 };
    static const guint8 zeros[MOST];
    if (to > 1 && to <= MOST && file->len % to != 0)
        g_byte_array_append(file, zeros, (guint)(to - file->len % to));
}

/* TRUE for relocations of code that is already relocated. */
static gboolean is_filled_in(const Making *making, const GElf_Shdr *header)
{
    return making->kernel->joined && header->sh_info == making->kernel->section &&
           (header->sh_type == SHT_REL || header->sh_type == SHT_RELA);
}

/* Adds the next section, with its bytes unless it is left out. */
static void add_section(Making *making, Elf_Scn *section)
{
    GElf_Shdr header = {0};
    const char *name = gelf_getshdr(section, &header)
                           ? elf_strptr(making->elf, making->names, header.sh_name)
                           : NULL;
    const guint number = making->sections->len;
    const gboolean is_left = !name || is_other(making, name) || is_filled_in(making, &header);
    const PsSassBytes *text = number == making->kernel->section ? &making->kernel->text : NULL;
    const Elf_Data *data = is_left ? NULL : elf_rawdata(section, NULL);
    making->is_left[number] = !data;
    if (!data)
        header = (GElf_Shdr){.sh_name = header.sh_name};
    pad(making->file, header.sh_addralign);
    header.sh_offset = making->file->len;
    if (header.sh_type == SHT_SYMTAB)
        making->symbols = number;
    if (data && text) {
        header.sh_size = text->size;
        g_byte_array_append(making->file, text->bytes, (guint)text->size);
    } else if (data && data->d_buf && header.sh_type != SHT_NOBITS)
        g_byte_array_append(making->file, data->d_buf, (guint)data->d_size);
    g_array_append_val(making->sections, header);
}

static void clear_symbols(const Making *making)
{
    const Elf64_Shdr *table = &g_array_index(making->sections, Elf64_Shdr, making->symbols);
    Elf64_Sym symbol;
    if (table->sh_type != SHT_SYMTAB)
        return;
    for (guint64 at = table->sh_offset; at + sizeof symbol <= table->sh_offset + table->sh_size &&
                                        at + sizeof symbol <= making->file->len;
         at += sizeof symbol) {
        memcpy(&symbol, making->file->data + at, sizeof symbol);
        if (symbol.st_shndx < making->sections->len && making->is_left[symbol.st_shndx])
            memset(making->file->data + at, 0, sizeof symbol);
        if ((at - table->sh_offset) / sizeof symbol == making->kernel->symbol &&
            making->kernel->joined) {
            symbol.st_size = making->kernel->text.size;
            memcpy(making->file->data + at, &symbol, sizeof symbol);
        }
    }
}

/* Writes the table of sections, and its place in the header. */
static void finish(const Making *making)
{
    GElf_Ehdr header;
    gelf_getehdr(making->elf, &header);
    pad(making->file, sizeof(guint64));
    header.e_shoff = making->file->len;
    header.e_phoff = header.e_phnum = 0;
    memcpy(making->file->data, &header, sizeof header);
    g_byte_array_append(making->file, (const guint8 *)making->sections->data,
                        making->sections->len * (guint)sizeof(Elf64_Shdr));
}

static void add_names(const Making *making, const GPtrArray *kernels)
{
    for (guint i = 0; i < kernels->len; i++)
        g_hash_table_add(making->kernels, ((PsSassKernel *)kernels->pdata[i])->name);
}

GBytes *ps_sass_image_alone(const PsSassImage *image, const PsSassKernel *kernel)
{
    const PsSassStorage *storage = image->storage;
    size_t n = 0;
    Making making = {.kernel = kernel,
                     .kernels = g_hash_table_new(g_str_hash, g_str_equal),
                     .elf = storage->elf,
                     .file = g_byte_array_new(),
                     .sections = g_array_new(FALSE, TRUE, sizeof(Elf64_Shdr))};
    add_names(&making, image->kernels);
    add_names(&making, storage->functions);
    elf_getshdrnum(making.elf, &n);
    elf_getshdrstrndx(making.elf, &making.names);
    making.is_left = g_new0(gboolean, n + 1);
    g_byte_array_set_size(making.file, sizeof(Elf64_Ehdr));
    g_array_set_size(making.sections, 1);
    for (Elf_Scn *section = elf_nextscn(making.elf, NULL); section;
         section = elf_nextscn(making.elf, section))
        add_section(&making, section);
    clear_symbols(&making);
    finish(&making);
    g_hash_table_unref(making.kernels);
    g_array_unref(making.sections);
    g_free(making.is_left);
    return g_byte_array_free_to_bytes(making.file);
}
