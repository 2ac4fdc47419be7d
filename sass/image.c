/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cubins. Nothing in a file is trusted: every offset and size is checked against the section that
 * it points into. The .nv.info sections are lists of attributes, which NVIDIA does not document;
 * what those that matter here mean was found from what the assembler writes.
 */
#include "sass/image.h"

#include "sass/join.h"
#include "sass/storage.h"

#include <string.h>

/* Attributes of .nv.info and .nv.info.KERNEL. */
enum {
    ATTRIBUTE_MOST_THREADS = 0x05,      /* in x, y and z */
    ATTRIBUTE_PARAMETERS = 0x0a,        /* symbol, where they begin, their size */
    ATTRIBUTE_THREADS = 0x10,           /* likewise: no others will do */
    ATTRIBUTE_FRAME = 0x11,             /* symbol, bytes */
    ATTRIBUTE_PARAMETER = 0x17,         /* index, ordinal, offset, size and more */
    ATTRIBUTE_REGISTERS = 0x2f,         /* symbol, number */
    ATTRIBUTE_INDIRECT_BRANCHES = 0x34, /* at, 0, n, targets */
    ATTRIBUTE_CLUSTER = 0x3d,           /* groups of a cluster in x, y and z */
    FORM_SIZED = 4                      /* the attribute's size follows */
};

/* Bit of a symbol's st_other: a kernel, which the host launches, and no function. */
#define LAUNCHED 0x10

static const char *const table_names[PS_SASS_N_TABLES] = {
    [PS_SASS_OF_SOURCE] = ".debug_line", [PS_SASS_OF_PTX] = ".nv_debug_line_sass"};

typedef struct {
    PsSassImage *image;
    Elf *elf;
    const char *name;
    size_t names;
    Elf_Scn *symbols;
    GHashTable *kernels;   /* name -> PsSassKernel; of functions of one name, the first */
    GHashTable *sections;  /* number of the section of its code -> PsSassKernel */
    GHashTable *variables; /* symbol -> number + 1 */
    GHashTable *names_of_variables;
    GError **error;
} Reading;

static gboolean damaged(const Reading *reading, const char *what)
{
    g_set_error(reading->error, PS_ERROR, PS_ERROR_SYNTAX, "%s: %s", reading->name, what);
    return FALSE;
}

gboolean ps_sass_is_image(const void *bytes, gsize size)
{
    const guint8 *header = bytes;
    return size > sizeof(Elf64_Ehdr) && memcmp(header, ELFMAG, SELFMAG) == 0 &&
           header[18] == (EM_CUDA & 255) && header[19] == EM_CUDA >> 8;
}

static guint32 word_at(const guint8 *bytes)
{
    guint32 value = 0;
    memcpy(&value, bytes, sizeof value);
    return GUINT32_FROM_LE(value);
}

static guint half_at(const guint8 *bytes)
{
    return (guint)(bytes[0] | bytes[1] << 8);
}

/* TRUE if PTX, into which the code is translated, can have the name, too. */
static gboolean is_name(const char *name)
{
    return *name && !g_ascii_isdigit(*name) &&
           name[strspn(name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_$")] == '\0';
}

guint64 ps_sass_system_bytes(const PsSassImage *image)
{
    enum { FIRST_WITH_OWN = 90, OWN = 1024 };
    return image->capability >= FIRST_WITH_OWN ? OWN : 0;
}

/* ---- sections ------------------------------------------------------------------------------- */

/* Called for every section that has a name. */
typedef gboolean (*Visit)(Reading *reading, Elf_Scn *section, const GElf_Shdr *header,
                          const char *name);

static gboolean each_section(Reading *reading, Visit visit)
{
    for (Elf_Scn *section = elf_nextscn(reading->elf, NULL); section;
         section = elf_nextscn(reading->elf, section)) {
        GElf_Shdr header;
        const char *name = gelf_getshdr(section, &header)
                               ? elf_strptr(reading->elf, reading->names, header.sh_name)
                               : NULL;
        if (name && !visit(reading, section, &header, name))
            return FALSE;
    }
    return TRUE;
}

static PsSassBytes bytes_of(Elf_Scn *section, const GElf_Shdr *header)
{
    if (header->sh_type == SHT_NOBITS)
        return (PsSassBytes){NULL, header->sh_size};
    const Elf_Data *data = elf_rawdata(section, NULL);
    if (!data || !data->d_buf)
        return (PsSassBytes){NULL, 0};
    return (PsSassBytes){data->d_buf, data->d_size};
}

static const char *behind(const char *name, const char *prefix)
{
    return g_str_has_prefix(name, prefix) ? name + strlen(prefix) : NULL;
}

static void jump_clear(gpointer data)
{
    g_array_unref(((PsSassJump *)data)->targets);
}

static void kernel_free(gpointer data)
{
    PsSassKernel *kernel = data;
    g_free(kernel->name);
    g_array_unref(kernel->params);
    g_array_unref(kernel->jumps);
    g_hash_table_unref(kernel->subroutines);
    g_hash_table_unref(kernel->halves);
    g_hash_table_unref(kernel->apart);
    g_free(kernel);
}

static gboolean find_text(Reading *reading, Elf_Scn *section, const GElf_Shdr *header,
                          const char *name)
{
    const char *of = behind(name, ".text.");
    if (!of || header->sh_type != SHT_PROGBITS)
        return TRUE;
    const PsSassBytes text = bytes_of(section, header);
    if (text.size == 0 || text.size % PS_SASS_BYTES != 0) {
        g_autofree char *what =
            header->sh_size > 0 && !text.bytes
                ? g_strdup_printf("the section %s reaches out of the file", name)
                : g_strdup_printf(
                      "the section %s has %zu bytes, which are no instructions of %d bytes", name,
                      text.size, PS_SASS_BYTES);
        return damaged(reading, what);
    }
    if (!is_name(of))
        return damaged(reading, "a kernel's name is none");
    PsSassKernel *kernel = g_new0(PsSassKernel, 1);
    kernel->name = g_strdup(of);
    kernel->text = text;
    kernel->section = (guint)elf_ndxscn(section);
    kernel->params = g_array_new(FALSE, TRUE, sizeof(PsSassParam));
    kernel->jumps = g_array_new(FALSE, FALSE, sizeof(PsSassJump));
    g_array_set_clear_func(kernel->jumps, jump_clear);
    kernel->subroutines = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    kernel->halves = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    kernel->apart = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    g_ptr_array_add(reading->image->kernels, kernel);
    if (!g_hash_table_contains(reading->kernels, kernel->name))
        g_hash_table_insert(reading->kernels, kernel->name, kernel);
    g_hash_table_insert(reading->sections, GUINT_TO_POINTER(kernel->section), kernel);
    return TRUE;
}

/* The kernel that such a section is of. Parts that were compiled apart may have functions of one
 * name, and the header says which of them it is. */
static PsSassKernel *kernel_of(const Reading *reading, const GElf_Shdr *header, const char *name)
{
    PsSassKernel *kernel =
        g_hash_table_lookup(reading->sections, GUINT_TO_POINTER(header->sh_info));
    return kernel && strcmp(kernel->name, name) == 0 ? kernel
                                                     : g_hash_table_lookup(reading->kernels, name);
}

static gboolean find_memory(Reading *reading, Elf_Scn *section, const GElf_Shdr *header,
                            const char *name)
{
    const char *of = behind(name, ".nv.shared.");
    PsSassKernel *kernel = of ? kernel_of(reading, header, of) : NULL;
    if (kernel)
        kernel->shared = header->sh_size;
    of = behind(name, ".nv.constant");
    if (!of || of[0] < '1' || of[0] >= '0' + PS_SASS_BANKS)
        return TRUE;
    const PsSassBytes bank = bytes_of(section, header);
    for (guint i = 0; i < reading->image->kernels->len; i++) {
        kernel = reading->image->kernels->pdata[i];
        const gboolean own = of[1] == '.' && strcmp(of + 2, kernel->name) == 0;
        if (of[1] == '\0' || own)
            kernel->banks[of[0] - '0'] = bank;
        kernel->own_banks = kernel->own_banks || own;
    }
    return TRUE;
}

/* ---- attributes ----------------------------------------------------------------------------- */

static PsSassKernel *kernel_of_symbol(const Reading *reading, guint symbol)
{
    GElf_Sym its;
    GElf_Shdr header;
    Elf_Data *data = reading->symbols ? elf_getdata(reading->symbols, NULL) : NULL;
    if (!data || symbol > G_MAXINT || !gelf_getsym(data, (int)symbol, &its) ||
        !gelf_getshdr(reading->symbols, &header))
        return NULL;
    const char *name = elf_strptr(reading->elf, header.sh_link, its.st_name);
    PsSassKernel *kernel = g_hash_table_lookup(reading->sections, GUINT_TO_POINTER(its.st_shndx));
    return kernel && name && strcmp(name, kernel->name) == 0 ? kernel : NULL;
}

static void add_param(PsSassKernel *kernel, const guint8 *value)
{
    enum { MOST = 4096, SIZE_SHIFT = 18 };
    const guint ordinal = half_at(value + 4);
    const PsSassParam param = {half_at(value + 6), word_at(value + 8) >> SIZE_SHIFT};
    if (ordinal >= MOST)
        return;
    if (kernel->params->len <= ordinal)
        g_array_set_size(kernel->params, ordinal + 1);
    g_array_index(kernel->params, PsSassParam, ordinal) = param;
}

static void add_jumps(PsSassKernel *kernel, const guint8 *value, guint size)
{
    enum { HEAD = 12 };
    for (guint at = 0; at + HEAD <= size;) {
        const guint n = word_at(value + at + 8);
        if (n > (size - at - HEAD) / 4)
            return;
        PsSassJump jump = {word_at(value + at), g_array_new(FALSE, FALSE, sizeof(guint64))};
        for (guint i = 0; i < n; i++) {
            const guint64 target = word_at(value + at + HEAD + 4 * i);
            g_array_append_val(jump.targets, target);
        }
        g_array_append_val(kernel->jumps, jump);
        at += HEAD + 4 * n;
    }
}

/* Numbers that no launch can have say nothing. */
static void take_sizes(guint sizes[3], const guint8 *value)
{
    gboolean good = TRUE;
    for (guint i = 0; i < 3; i++)
        good = good && word_at(value + 4 * i) - 1 < 1024;
    for (guint i = 0; good && i < 3; i++)
        sizes[i] = word_at(value + 4 * i);
}

static void take_attribute(const Reading *reading, PsSassKernel *kernel, guint attribute,
                           const guint8 *value, guint size)
{
    PsSassKernel *of = size >= 8 ? kernel_of_symbol(reading, word_at(value)) : NULL;
    if (attribute == ATTRIBUTE_REGISTERS && of)
        of->registers = word_at(value + 4);
    else if (attribute == ATTRIBUTE_FRAME && of)
        of->frame = word_at(value + 4);
    else if (attribute == ATTRIBUTE_PARAMETERS && kernel && size >= 8) {
        kernel->parameters_at = half_at(value + 4);
        kernel->parameters_size = half_at(value + 6);
    } else if (attribute == ATTRIBUTE_PARAMETER && kernel && size >= 12)
        add_param(kernel, value);
    else if (attribute == ATTRIBUTE_MOST_THREADS && kernel && size >= 12)
        take_sizes(kernel->most, value);
    else if (attribute == ATTRIBUTE_THREADS && kernel && size >= 12)
        take_sizes(kernel->required, value);
    else if (attribute == ATTRIBUTE_CLUSTER && kernel && size >= 12)
        take_sizes(kernel->cluster, value);
    else if (attribute == ATTRIBUTE_INDIRECT_BRANCHES && kernel)
        add_jumps(kernel, value, size);
}

static gboolean read_info(Reading *reading, Elf_Scn *section, const GElf_Shdr *header,
                          const char *name)
{
    const char *of = strcmp(name, ".nv.info") == 0 ? "" : behind(name, ".nv.info.");
    if (!of)
        return TRUE;
    PsSassKernel *kernel = kernel_of(reading, header, of);
    const PsSassBytes info = bytes_of(section, header);
    for (gsize at = 0; info.bytes && at + 4 <= info.size;) {
        const guint size = info.bytes[at] == FORM_SIZED ? half_at(info.bytes + at + 2) : 0;
        if (size > info.size - at - 4)
            return damaged(reading, "an attribute of a kernel ends behind its section");
        take_attribute(reading, kernel, info.bytes[at + 1], info.bytes + at + 4, size);
        at += 4 + size;
    }
    return TRUE;
}

/* ---- symbols -------------------------------------------------------------------------------- */

static gboolean find_symbols(Reading *reading, Elf_Scn *section, const GElf_Shdr *header,
                             const char *name)
{
    if (strcmp(name, ".symtab") == 0 && header->sh_type == SHT_SYMTAB)
        reading->symbols = section;
    return TRUE;
}

/* The name, or another if a variable has it: each of several linked parts may have one of a local
 * name, as that of its texts is. */
static const char *name_alone(Reading *reading, guint number, const char *name)
{
    PsSassStorage *storage = reading->image->storage;
    if (g_hash_table_add(reading->names_of_variables, (gpointer)name))
        return name;
    char *other = g_strdup_printf("%s$%u$", name, number);
    g_ptr_array_add(storage->kept, other);
    return other;
}

static void add_variable(Reading *reading, guint number, const GElf_Sym *symbol, const char *name,
                         PsSassBytes memory)
{
    PsSassVariable variable = {NULL, {NULL, 0}, symbol->st_size};
    if (symbol->st_value > memory.size || symbol->st_size > memory.size - symbol->st_value)
        return;
    if (memory.bytes)
        variable.init = (PsSassBytes){memory.bytes + symbol->st_value, symbol->st_size};
    variable.name = name_alone(reading, number, name);
    g_array_append_val(reading->image->variables, variable);
    g_hash_table_insert(reading->variables, GUINT_TO_POINTER(number),
                        GUINT_TO_POINTER(reading->image->variables->len));
}

/* Adds a variable of a constant bank that all kernels share. The banks of a single kernel have no
 * variables of the program. */
static void add_constant(Reading *reading, const GElf_Sym *symbol, const char *name,
                         const char *bank, PsSassBytes memory)
{
    if (bank[0] < '1' || bank[0] >= '0' + PS_SASS_BANKS || bank[1] != '\0' ||
        symbol->st_value > memory.size || symbol->st_size > memory.size - symbol->st_value)
        return;
    const PsSassConstant constant = {name, (guint)(bank[0] - '0'), symbol->st_value,
                                     symbol->st_size};
    g_array_append_val(reading->image->constants, constant);
}

static void take_symbol(Reading *reading, guint number, const GElf_Sym *symbol, const char *name)
{
    Elf_Scn *section = elf_getscn(reading->elf, symbol->st_shndx);
    GElf_Shdr header;
    const char *in = section && gelf_getshdr(section, &header)
                         ? elf_strptr(reading->elf, reading->names, header.sh_name)
                         : NULL;
    const char *of = in ? behind(in, ".text.") : NULL;
    PsSassKernel *kernel =
        of ? g_hash_table_lookup(reading->sections, GUINT_TO_POINTER(symbol->st_shndx)) : NULL;
    if (kernel && GELF_ST_TYPE(symbol->st_info) == STT_FUNC && strcmp(name, kernel->name) == 0) {
        kernel->symbol = number;
        kernel->is_function = (symbol->st_other & LAUNCHED) == 0;
    }
    if (kernel && GELF_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_value < kernel->text.size)
        g_hash_table_insert(kernel->subroutines, g_strdup(name),
                            GSIZE_TO_POINTER(symbol->st_value + 1));
    if (!in || GELF_ST_TYPE(symbol->st_info) != STT_OBJECT || !is_name(name))
        return;
    if (behind(in, ".nv.global"))
        add_variable(reading, number, symbol, name, bytes_of(section, &header));
    else if (behind(in, ".nv.constant"))
        add_constant(reading, symbol, name, behind(in, ".nv.constant"), bytes_of(section, &header));
}

static gboolean read_symbols(Reading *reading)
{
    GElf_Shdr header;
    Elf_Data *data = reading->symbols ? elf_getdata(reading->symbols, NULL) : NULL;
    if (!data || !gelf_getshdr(reading->symbols, &header) || header.sh_entsize == 0)
        return damaged(reading, "it has no symbols");
    const gsize n = header.sh_size / header.sh_entsize;
    for (guint i = 0; i < n && i < G_MAXINT; i++) {
        GElf_Sym symbol;
        const char *name = gelf_getsym(data, (int)i, &symbol)
                               ? elf_strptr(reading->elf, header.sh_link, symbol.st_name)
                               : NULL;
        if (name && name[0])
            take_symbol(reading, i, &symbol, name);
    }
    return TRUE;
}

/* Reads the i-th relocation of a section, of either of ELF's two kinds. What is added to its
 * symbol's value stands in the place itself where the kind has no room for it. */
static gboolean relocation_at(Elf_Data *data, const GElf_Shdr *header, int i, GElf_Rela *relocation)
{
    GElf_Rel without;
    if (header->sh_type == SHT_RELA)
        return gelf_getrela(data, i, relocation) != NULL;
    if (header->sh_type != SHT_REL || !gelf_getrel(data, i, &without))
        return FALSE;
    *relocation = (GElf_Rela){.r_offset = without.r_offset, .r_info = without.r_info};
    return TRUE;
}

/* The name of what a relocation is of, which the symbol describes. */
static const char *name_of(const Reading *reading, const GElf_Rela *relocation, GElf_Sym *symbol)
{
    Elf_Data *data = elf_getdata(reading->symbols, NULL);
    const guint64 number = GELF_R_SYM(relocation->r_info);
    GElf_Shdr header;
    if (number > G_MAXINT || !gelf_getsym(data, (int)number, symbol) ||
        !gelf_getshdr(reading->symbols, &header))
        return NULL;
    const char *name = elf_strptr(reading->elf, header.sh_link, symbol->st_name);
    return name && is_name(name) ? name : NULL;
}

/* The name of the function that a relocation is of, if that is not in the file; else NULL. */
static const char *function_outside(const Reading *reading, const GElf_Rela *relocation)
{
    GElf_Sym symbol;
    const char *name = name_of(reading, relocation, &symbol);
    return name && symbol.st_shndx == SHN_UNDEF ? name : NULL;
}

/* Notes half of a variable's address in an instruction, whose upper word has what is added. */
static void add_half(const Reading *reading, const PsSassKernel *kernel,
                     const GElf_Rela *relocation, gboolean in_place)
{
    enum { LOWER = 0x38, UPPER = 0x39 };
    const guint kind = (guint)GELF_R_TYPE(relocation->r_info);
    const guint64 at = relocation->r_offset;
    const guint variable = GPOINTER_TO_UINT(
        g_hash_table_lookup(reading->variables, GSIZE_TO_POINTER(GELF_R_SYM(relocation->r_info))));
    if (variable == 0 || (kind != LOWER && kind != UPPER) || at % PS_SASS_BYTES != 0 ||
        at >= kernel->text.size)
        return;
    const guint64 added =
        in_place ? word_at(kernel->text.bytes + at + 4) : (guint64)relocation->r_addend;
    PsSassHalf *half = g_new(PsSassHalf, 1);
    *half = (PsSassHalf){variable - 1, kind == UPPER, added};
    g_hash_table_insert(kernel->halves, GSIZE_TO_POINTER(at), half);
}

/* Finds where a kernel's instructions have addresses of functions that are not in its section, and
 * of variables. */
static gboolean read_calls(Reading *reading, Elf_Scn *section, const GElf_Shdr *header,
                           const char *name)
{
    const char *with = behind(name, ".rela.text."), *of = with ? with : behind(name, ".rel.text.");
    const PsSassKernel *kernel = of ? kernel_of(reading, header, of) : NULL;
    Elf_Data *data = kernel ? elf_getdata(section, NULL) : NULL;
    if (!data || header->sh_entsize == 0)
        return TRUE;
    for (guint i = 0; i < header->sh_size / header->sh_entsize && i < G_MAXINT; i++) {
        GElf_Rela relocation;
        GElf_Sym symbol;
        const char *callee = relocation_at(data, header, (int)i, &relocation)
                                 ? name_of(reading, &relocation, &symbol)
                                 : NULL;
        if (callee)
            add_half(reading, kernel, &relocation, header->sh_type == SHT_REL);
        if (callee && GELF_ST_TYPE(symbol.st_info) == STT_FUNC)
            g_hash_table_insert(kernel->apart, GSIZE_TO_POINTER(relocation.r_offset),
                                g_strdup(callee));
    }
    return TRUE;
}

/* Finds where constant banks have addresses. */
static gboolean read_relocations(Reading *reading, Elf_Scn *section, const GElf_Shdr *header,
                                 const char *name)
{
    const char *of = behind(name, ".rela.nv.constant");
    if (!of)
        of = behind(name, ".rel.nv.constant");
    Elf_Data *data = of ? elf_getdata(section, NULL) : NULL;
    if (!data || header->sh_entsize == 0)
        return TRUE;
    for (guint i = 0; i < header->sh_size / header->sh_entsize && i < G_MAXINT; i++) {
        PsSassAddress address = {.bank = (guint)(of[0] - '0')};
        GElf_Rela relocation;
        if (!relocation_at(data, header, (int)i, &relocation))
            continue;
        address.at = relocation.r_offset;
        address.variable = GPOINTER_TO_UINT(g_hash_table_lookup(
            reading->variables, GSIZE_TO_POINTER(GELF_R_SYM(relocation.r_info))));
        if (address.variable-- == 0)
            address.function = function_outside(reading, &relocation);
        if (address.function || address.variable != G_MAXUINT)
            g_array_append_val(reading->image->addresses, address);
    }
    return TRUE;
}

/* ---- line tables ---------------------------------------------------------------------------- */

static gboolean find_tables(Reading *reading, Elf_Scn *section, const GElf_Shdr *header,
                            const char *name)
{
    for (guint of = 0; of < PS_SASS_N_TABLES; of++)
        if (strcmp(name, table_names[of]) == 0)
            reading->image->tables[of].bytes = bytes_of(section, header);
    return TRUE;
}

/* The number of the kernel whose code the symbol is in, or of none. */
static guint kernel_with_symbol(const Reading *reading, const GElf_Sym *symbol)
{
    Elf_Scn *section = elf_getscn(reading->elf, symbol->st_shndx);
    GElf_Shdr header;
    guint number = G_MAXUINT;
    const char *name = section && gelf_getshdr(section, &header)
                           ? elf_strptr(reading->elf, reading->names, header.sh_name)
                           : NULL;
    const char *of = name ? behind(name, ".text.") : NULL;
    PsSassKernel *kernel =
        of ? g_hash_table_lookup(reading->sections, GUINT_TO_POINTER(symbol->st_shndx)) : NULL;
    if (kernel)
        g_ptr_array_find(reading->image->kernels, kernel, &number);
    return number;
}

static void add_start(const Reading *reading, PsSassTable *table, const GElf_Rela *relocation,
                      gboolean in_place)
{
    Elf_Data *data = elf_getdata(reading->symbols, NULL);
    const guint64 number = GELF_R_SYM(relocation->r_info), at = relocation->r_offset;
    GElf_Sym symbol;
    guint64 added = (guint64)relocation->r_addend;
    if (number > G_MAXINT || !gelf_getsym(data, (int)number, &symbol) || at > table->bytes.size ||
        table->bytes.size - at < sizeof added)
        return;
    if (in_place)
        memcpy(&added, table->bytes.bytes + at, sizeof added);
    const PsSassStart start = {at, kernel_with_symbol(reading, &symbol),
                               symbol.st_value + GUINT64_FROM_LE(added)};
    if (start.kernel != G_MAXUINT)
        g_array_append_val(table->starts, start);
}

/* Which kernels' code the addresses in line tables are in. */
static gboolean read_starts(Reading *reading, Elf_Scn *section, const GElf_Shdr *header,
                            const char *name)
{
    const char *of = behind(name, ".rela") ? behind(name, ".rela") : behind(name, ".rel");
    for (guint i = 0; of && i < PS_SASS_N_TABLES; i++) {
        PsSassTable *table = &reading->image->tables[i];
        Elf_Data *data = strcmp(of, table_names[i]) == 0 && table->bytes.bytes
                             ? elf_getdata(section, NULL)
                             : NULL;
        for (guint k = 0; data && header->sh_entsize > 0 &&
                          k < header->sh_size / header->sh_entsize && k < G_MAXINT;
             k++) {
            GElf_Rela relocation;
            if (relocation_at(data, header, (int)k, &relocation))
                add_start(reading, table, &relocation, header->sh_type == SHT_REL);
        }
    }
    return TRUE;
}

/* ---- the whole ------------------------------------------------------------------------------ */

static int capability_of(const GElf_Ehdr *header)
{
    enum { SECOND_VERSION = 8 };
    const gboolean second = header->e_ident[EI_ABIVERSION] >= SECOND_VERSION;
    return (int)(header->e_flags >> (second ? 8 : 0) & 255);
}

static gboolean check_header(Reading *reading)
{
    GElf_Ehdr header;
    if (elf_kind(reading->elf) != ELF_K_ELF || !gelf_getehdr(reading->elf, &header) ||
        header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
        elf_getshdrstrndx(reading->elf, &reading->names) != 0)
        return damaged(reading, "no ELF file of 64 bits, or a damaged one");
    if (header.e_machine != EM_CUDA) {
        g_set_error(reading->error, PS_ERROR, PS_ERROR_VALUE,
                    "%s: machine code, but not for a GPU of NVIDIA", reading->name);
        return FALSE;
    }
    if (header.e_type != ET_EXEC) {
        g_set_error(reading->error, PS_ERROR, PS_ERROR_VALUE,
                    "%s: machine code that is not linked; nvlink, or nvcc without -dc, links it",
                    reading->name);
        return FALSE;
    }
    reading->image->capability = capability_of(&header);
    if (reading->image->capability < PS_SASS_OLDEST ||
        reading->image->capability > PS_SASS_NEWEST) {
        g_set_error(reading->error, PS_ERROR, PS_ERROR_VALUE,
                    "%s: machine code for sm_%d, and instructions of sm_%d to sm_%d are known; "
                    "compiled for one of these, or to PTX (nvcc -ptx), it can be read",
                    reading->name, reading->image->capability, PS_SASS_OLDEST, PS_SASS_NEWEST);
        return FALSE;
    }
    return TRUE;
}

/* What no host can launch is no kernel. */
static void put_functions_away(const PsSassImage *image)
{
    PsSassStorage *storage = image->storage;
    for (guint i = image->kernels->len; i-- > 0;)
        if (((const PsSassKernel *)image->kernels->pdata[i])->is_function)
            g_ptr_array_add(storage->functions, g_ptr_array_steal_index(image->kernels, i));
}

static gboolean read_all(Reading *reading)
{
    if (!check_header(reading))
        return FALSE;
    if (!elf_nextscn(reading->elf, NULL))
        return damaged(reading, "its sections are not in the file, which is damaged or cut off");
    if (!each_section(reading, find_symbols) || !each_section(reading, find_text))
        return FALSE;
    if (reading->image->kernels->len == 0)
        return damaged(reading, "no kernel is in it");
    if (!each_section(reading, find_memory) || !each_section(reading, read_info) ||
        !each_section(reading, find_tables) || !read_symbols(reading) ||
        !each_section(reading, read_relocations) || !each_section(reading, read_calls))
        return FALSE;
    ps_sass_join(reading->image);
    put_functions_away(reading->image);
    return reading->image->kernels->len > 0
               ? each_section(reading, read_starts)
               : damaged(reading, "no kernel is in it, only functions");
}

PsSassImage *ps_sass_image_new(GBytes *bytes, const char *name, GError **error)
{
    gsize size = 0;
    const void *data = g_bytes_get_data(bytes, &size);
    PsSassImage *image = g_new0(PsSassImage, 1);
    PsSassStorage *storage = g_new0(PsSassStorage, 1);
    Reading reading = {.image = image, .name = name, .error = error};
    image->storage = storage;
    image->name = g_strdup(name);
    storage->kept = g_ptr_array_new_with_free_func(g_free);
    storage->functions = g_ptr_array_new_with_free_func(kernel_free);
    image->kernels = g_ptr_array_new_with_free_func(kernel_free);
    image->variables = g_array_new(FALSE, FALSE, sizeof(PsSassVariable));
    image->constants = g_array_new(FALSE, FALSE, sizeof(PsSassConstant));
    image->addresses = g_array_new(FALSE, FALSE, sizeof(PsSassAddress));
    for (guint of = 0; of < PS_SASS_N_TABLES; of++)
        image->tables[of].starts = g_array_new(FALSE, FALSE, sizeof(PsSassStart));
    /* libelf needs memory that it may write to, at an even address */
    storage->bytes = g_memdup2(data, size);
    elf_version(EV_CURRENT);
    reading.elf = storage->elf = storage->bytes ? elf_memory(storage->bytes, size) : NULL;
    reading.kernels = g_hash_table_new(g_str_hash, g_str_equal);
    reading.sections = g_hash_table_new(NULL, NULL);
    reading.names_of_variables = g_hash_table_new(g_str_hash, g_str_equal);
    reading.variables = g_hash_table_new(NULL, NULL);
    const gboolean good =
        reading.elf ? read_all(&reading) : damaged(&reading, "no ELF file, or a damaged one");
    g_hash_table_unref(reading.kernels);
    g_hash_table_unref(reading.sections);
    g_hash_table_unref(reading.variables);
    g_hash_table_unref(reading.names_of_variables);
    if (!good)
        g_clear_pointer(&image, ps_sass_image_free);
    return image;
}

/* ---- variables ------------------------------------------------------------------------------ */

/* A copy of the memory in which these bytes stand at that offset. */
static PsSassBytes with_bytes(PsSassImage *image, PsSassBytes memory, guint64 at,
                              const guint8 *bytes, gsize size)
{
    PsSassStorage *storage = image->storage;
    guint8 *copy = g_malloc0(memory.size);
    g_ptr_array_add(storage->kept, copy);
    if (memory.bytes)
        memcpy(copy, memory.bytes, memory.size);
    memcpy(copy + at, bytes, size);
    return (PsSassBytes){copy, memory.size};
}

static void set_constant(PsSassImage *image, const PsSassConstant *constant, const guint8 *bytes,
                         gsize size)
{
    PsSassKernel *const *kernels = (PsSassKernel *const *)image->kernels->pdata;
    const PsSassBytes before = kernels[0]->banks[constant->bank];
    const PsSassBytes after = with_bytes(image, before, constant->at, bytes, size);
    for (guint i = 0; i < image->kernels->len; i++)
        kernels[i]->banks[constant->bank] = after;
}

gboolean ps_sass_image_set(PsSassImage *image, const char *name, const guint8 *bytes, gsize size)
{
    for (guint i = 0; i < image->variables->len; i++) {
        PsSassVariable *variable = &g_array_index(image->variables, PsSassVariable, i);
        if (strcmp(variable->name, name) != 0)
            continue;
        const PsSassBytes memory = {variable->init.bytes, variable->size};
        variable->init = with_bytes(image, memory, 0, bytes, MIN(size, memory.size));
        return TRUE;
    }
    for (guint i = 0; i < image->constants->len; i++) {
        const PsSassConstant *constant = &g_array_index(image->constants, PsSassConstant, i);
        if (strcmp(constant->name, name) != 0)
            continue;
        set_constant(image, constant, bytes, MIN(size, constant->size));
        return TRUE;
    }
    return FALSE;
}

void ps_sass_image_free(PsSassImage *image)
{
    if (!image)
        return;
    PsSassStorage *storage = image->storage;
    g_ptr_array_unref(image->kernels);
    g_array_unref(image->variables);
    g_array_unref(image->constants);
    g_array_unref(image->addresses);
    for (guint of = 0; of < PS_SASS_N_TABLES; of++)
        g_array_unref(image->tables[of].starts);
    if (storage->elf)
        elf_end(storage->elf);
    g_free(storage->bytes);
    g_ptr_array_unref(storage->kept);
    g_ptr_array_unref(storage->functions);
    g_free(storage);
    g_free(image->name);
    g_free(image);
}
