/* SPDX-License-Identifier: BSD-3-Clause */
/* See from-text.h. */
#include "sass/from-text.h"

#include "sass/text-params.h"

#include <elf.h>
#include <string.h>

typedef struct {
    char *name;
    guint registers;
    GByteArray *code;
    PsTextParams params;
} Kernel;

typedef struct {
    const char *name;
    guint architecture;
    GPtrArray *kernels; /* Kernel */
    GRegex *instruction, *rest, *target, *section, *registers;
    GError **error;
} Reader;

static void kernel_free(gpointer data)
{
    Kernel *kernel = data;
    g_free(kernel->name);
    g_byte_array_unref(kernel->code);
    ps_text_params_clear(&kernel->params);
    g_free(kernel);
}

static gboolean refuse(const Reader *reader, const char *what)
{
    g_set_error(reader->error, PS_ERROR, PS_ERROR_VALUE, "%s: %s", reader->name, what);
    return FALSE;
}

/* ---- the text -------------------------------------------------------------------------------- */

/* The expression's first match group in the line (g_free); NULL: no match. */
static char *found(const GRegex *sign, const char *line)
{
    g_autoptr(GMatchInfo) match = NULL;
    return g_regex_match(sign, line, 0, &match) ? g_match_info_fetch(match, 1) : NULL;
}

static void begin_kernel(Reader *reader, char *name)
{
    Kernel *kernel = g_new0(Kernel, 1);
    kernel->name = name;
    kernel->code = g_byte_array_new();
    ps_text_params_init(&kernel->params, reader->architecture);
    g_ptr_array_add(reader->kernels, kernel);
}

static void add_word(Kernel *kernel, const char *hex)
{
    const guint64 word = GUINT64_TO_LE(g_ascii_strtoull(hex, NULL, 16));
    g_byte_array_append(kernel->code, (const guint8 *)&word, sizeof word);
}

/* TRUE if the line has no instruction, or one that was taken. */
static gboolean take_instruction(Reader *reader, Kernel *kernel, const char *line)
{
    g_autoptr(GMatchInfo) match = NULL;
    g_autofree char *rest = found(reader->rest, line);
    if (rest && kernel->code->len % PS_SASS_BYTES != 0) {
        add_word(kernel, rest);
        return TRUE;
    }
    if (!g_regex_match(reader->instruction, line, 0, &match))
        return TRUE;
    g_autofree char *at = g_match_info_fetch(match, 1), *text = g_match_info_fetch(match, 2),
                    *hex = g_match_info_fetch(match, 3);
    if (!hex || !*hex)
        return refuse(reader, "a listing of machine code needs each instruction's bits, which have "
                              "its control codes (nvdisasm -c -hex, cuobjdump -sass); or give the "
                              "cubin, or PTX");
    if (g_ascii_strtoull(at, NULL, 16) != kernel->code->len)
        return refuse(reader, "the listing lacks an instruction, or a part of one");
    add_word(kernel, hex);
    ps_text_params_add(&kernel->params, text);
    return TRUE;
}

static gboolean take_line(Reader *reader, const char *line)
{
    g_autofree char *target = found(reader->target, line),
                    *registers = found(reader->registers, line);
    char *section = found(reader->section, line);
    Kernel *kernel = reader->kernels->len ? reader->kernels->pdata[reader->kernels->len - 1] : NULL;
    if (target)
        reader->architecture = (guint)g_ascii_strtoull(target, NULL, 10);
    if (section)
        begin_kernel(reader, section);
    else if (kernel && registers)
        kernel->registers = (guint)g_ascii_strtoull(registers, NULL, 10);
    else if (kernel)
        return take_instruction(reader, kernel, line);
    return TRUE;
}

static GRegex *sign_of(const char *pattern)
{
    return g_regex_new(pattern, G_REGEX_RAW | G_REGEX_OPTIMIZE, 0, NULL);
}

static gboolean read_text(Reader *reader, const char *text, gsize length)
{
    g_autofree char *copy = g_strndup(text, length);
    g_auto(GStrv) lines = g_strsplit(copy, "\n", -1);
    for (char **line = lines; *line; line++)
        if (!take_line(reader, *line))
            return FALSE;
    for (guint i = reader->kernels->len; i-- > 0;)
        if (((Kernel *)reader->kernels->pdata[i])->code->len == 0)
            g_ptr_array_remove_index(reader->kernels, i);
    if (!reader->kernels->len || !reader->architecture)
        return refuse(reader, "the listing names no kernel or no architecture (.target sm_80, and "
                              ".section .text.NAME), so nobody knows what it is for");
    for (guint i = 0; i < reader->kernels->len; i++)
        if (((Kernel *)reader->kernels->pdata[i])->code->len % PS_SASS_BYTES != 0)
            return refuse(reader, "the listing lacks a part of an instruction");
    return TRUE;
}

/* ---- the file -------------------------------------------------------------------------------- */

typedef struct {
    GByteArray *bytes;
    GString *names;   /* of sections and symbols */
    GArray *sections; /* Elf64_Shdr */
    GArray *symbols;  /* Elf64_Sym */
} File;

static guint add_name(File *file, const char *first, const char *second)
{
    const guint at = (guint)file->names->len;
    g_string_append_printf(file->names, "%s%s", first, second);
    g_string_append_c(file->names, '\0');
    return at;
}

/* Returns the section's number. */
static guint add_section(File *file, Elf64_Shdr header, gconstpointer bytes, gsize size)
{
    while (file->bytes->len % PS_SASS_BYTES)
        g_byte_array_append(file->bytes, (const guint8 *)"", 1);
    header.sh_offset = file->bytes->len;
    header.sh_size = size;
    g_byte_array_append(file->bytes, bytes, (guint)size);
    g_array_append_val(file->sections, header);
    return file->sections->len - 1;
}

static void add_words(GByteArray *bytes, const guint32 *words, guint n)
{
    for (guint i = 0; i < n; i++) {
        const guint32 word = GUINT32_TO_LE(words[i]);
        g_byte_array_append(bytes, (const guint8 *)&word, sizeof word);
    }
}

#define HEAD(attribute, size) (4U | (guint32)(attribute) << 8 | (guint32)(size) << 16)

/* The contents of .nv.info.KERNEL about parameters (image.c). */
static GByteArray *describe_params(const Kernel *kernel, guint symbol)
{
    GByteArray *info = g_byte_array_new();
    g_autoptr(GArray) list = ps_text_params_list(&kernel->params);
    const PsSassParam *params = (const PsSassParam *)(void *)list->data;
    const guint size = list->len ? params[list->len - 1].offset + params[list->len - 1].size : 0;
    add_words(info, (guint32[]){HEAD(0x0a, 8), symbol, kernel->params.first | size << 16}, 3);
    for (guint i = 0; i < list->len; i++)
        add_words(info,
                  (guint32[]){HEAD(0x17, 12), 0, i | params[i].offset << 16,
                              params[i].size << 18 | 0x1f000},
                  4);
    return info;
}

static void add_kernel(File *file, const Kernel *kernel, GByteArray *registers)
{
    const guint symbol = file->symbols->len;
    const Elf64_Shdr text = {.sh_name = add_name(file, ".text.", kernel->name),
                             .sh_type = SHT_PROGBITS,
                             .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
                             .sh_info = symbol | kernel->registers << 24,
                             .sh_addralign = PS_SASS_BYTES};
    const guint section = add_section(file, text, kernel->code->data, kernel->code->len);
    const Elf64_Sym function = {.st_name = add_name(file, "", kernel->name),
                                .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                                .st_other = 0x10, /* the host may launch it */
                                .st_shndx = (Elf64_Section)section,
                                .st_size = kernel->code->len};
    g_array_append_val(file->symbols, function);
    g_autoptr(GByteArray) info = describe_params(kernel, symbol);
    const Elf64_Shdr own = {.sh_name = add_name(file, ".nv.info.", kernel->name),
                            .sh_type = SHT_LOPROC,
                            .sh_info = section,
                            .sh_addralign = 4};
    add_section(file, own, info->data, info->len);
    add_words(registers, (guint32[]){HEAD(0x2f, 8), symbol, kernel->registers}, 3);
}

/* Adds tables of symbols and names, whose sections' numbers other sections need. */
static void add_tables(File *file, Elf64_Ehdr *header)
{
    const guint first = add_name(file, ".symtab", ""), second = add_name(file, ".strtab", "");
    const Elf64_Shdr symbols = {.sh_name = first,
                                .sh_type = SHT_SYMTAB,
                                .sh_link = file->sections->len + 1,
                                .sh_info = 1,
                                .sh_entsize = sizeof(Elf64_Sym),
                                .sh_addralign = 8};
    const guint table =
        add_section(file, symbols, file->symbols->data, file->symbols->len * sizeof(Elf64_Sym));
    for (guint i = 1; i < table; i++) {
        Elf64_Shdr *section = &g_array_index(file->sections, Elf64_Shdr, i);
        section->sh_link = table;
    }
    const Elf64_Shdr names = {.sh_name = second, .sh_type = SHT_STRTAB, .sh_addralign = 1};
    header->e_shstrndx = (Elf64_Half)add_section(file, names, file->names->str, file->names->len);
}

static GBytes *write_file(const Reader *reader)
{
    enum { ABI = 0x33, ABI_VERSION = 7, WIDE = 0x400, VERSION = 0x80 };
    File file = {g_byte_array_new(), g_string_new_len("", 1),
                 g_array_new(FALSE, TRUE, sizeof(Elf64_Shdr)),
                 g_array_new(FALSE, TRUE, sizeof(Elf64_Sym))};
    Elf64_Ehdr header = {.e_type = ET_EXEC,
                         .e_machine = EM_CUDA,
                         .e_version = VERSION,
                         .e_flags = reader->architecture | WIDE | reader->architecture << 16,
                         .e_ehsize = sizeof header,
                         .e_shentsize = sizeof(Elf64_Shdr)};
    memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_ident[EI_OSABI] = ABI;
    header.e_ident[EI_ABIVERSION] = ABI_VERSION;
    g_byte_array_set_size(file.bytes, sizeof header);
    g_array_set_size(file.sections, 1);
    g_array_set_size(file.symbols, 1);
    g_autoptr(GByteArray) registers = g_byte_array_new();
    for (guint i = 0; i < reader->kernels->len; i++)
        add_kernel(&file, reader->kernels->pdata[i], registers);
    const Elf64_Shdr info = {
        .sh_name = add_name(&file, ".nv.info", ""), .sh_type = SHT_LOPROC, .sh_addralign = 4};
    add_section(&file, info, registers->data, registers->len);
    add_tables(&file, &header);
    header.e_shoff = file.bytes->len;
    header.e_shnum = (Elf64_Half)file.sections->len;
    g_byte_array_append(file.bytes, (const guint8 *)file.sections->data,
                        file.sections->len * (guint)sizeof(Elf64_Shdr));
    memcpy(file.bytes->data, &header, sizeof header);
    g_string_free(file.names, TRUE);
    g_array_unref(file.sections);
    g_array_unref(file.symbols);
    return g_byte_array_free_to_bytes(file.bytes);
}

GBytes *ps_sass_from_text(const char *text, gsize length, const char *name, GError **error)
{
    Reader reader = {.name = name,
                     .kernels = g_ptr_array_new_with_free_func(kernel_free),
                     .instruction = sign_of("^\\s*/\\*([0-9a-f]{4,})\\*/\\s+([^;]*?)\\s*;?\\s*"
                                            "(?:/\\* 0x([0-9a-f]{16}) \\*/)?\\s*$"),
                     .rest = sign_of("^\\s*/\\* 0x([0-9a-f]{16}) \\*/\\s*$"),
                     .target = sign_of("(?:\\.target\\s+|EF_CUDA_|arch = )(?:sm_|SM)([0-9]+)"),
                     .section =
                         sign_of("(?:\\.section\\s+\\.text\\.|^\\s*Function : )([A-Za-z0-9_$]+)"),
                     .registers = sign_of("SHI_REGISTERS=([0-9]+)"),
                     .error = error};
    GBytes *file = read_text(&reader, text, length) ? write_file(&reader) : NULL;
    g_ptr_array_unref(reader.kernels);
    g_regex_unref(reader.instruction);
    g_regex_unref(reader.rest);
    g_regex_unref(reader.target);
    g_regex_unref(reader.section);
    g_regex_unref(reader.registers);
    return file;
}
