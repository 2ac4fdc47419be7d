/* SPDX-License-Identifier: BSD-3-Clause */
/* Relocations of a cubin tell where addresses stand in its code, its constant banks and its line
 * tables. See image-private.h. */
#include "sass/image-private.h"

#include <string.h>

static const char *const table_names[PS_SASS_N_TABLES] = {
    [PS_SASS_OF_SOURCE] = ".debug_line", [PS_SASS_OF_PTX] = ".nv_debug_line_sass"};

/* Reads the i-th relocation of a section of either kind. If the kind has no member for the addend,
 * it stands in the place itself. */
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

/* The relocation's symbol and its name, or NULL where PTX cannot have the name. */
static const char *name_of(const PsSassReading *reading, const GElf_Rela *relocation,
                           GElf_Sym *symbol)
{
    const char *name = ps_sass_symbol(reading, GELF_R_SYM(relocation->r_info), symbol);
    return name && ps_sass_is_name(name) ? name : NULL;
}

/* The number of the variable that a relocation names, plus 1; 0: it names none. */
static guint variable_of(const PsSassReading *reading, const GElf_Rela *relocation)
{
    return GPOINTER_TO_UINT(
        g_hash_table_lookup(reading->variables, GSIZE_TO_POINTER(GELF_R_SYM(relocation->r_info))));
}

/* The relocation's function, if it is not in the file; else NULL. */
static const char *function_outside(const PsSassReading *reading, const GElf_Rela *relocation)
{
    GElf_Sym symbol;
    const char *name = name_of(reading, relocation, &symbol);
    return name && symbol.st_shndx == SHN_UNDEF ? name : NULL;
}

/* Notes half of a variable's address in an instruction, whose upper word has the addend. */
static void add_half(const PsSassReading *reading, const PsSassKernel *kernel,
                     const GElf_Rela *relocation, gboolean in_place)
{
    enum { LOWER = 0x38, UPPER = 0x39 };
    const guint kind = (guint)GELF_R_TYPE(relocation->r_info);
    const guint64 at = relocation->r_offset;
    const guint variable = variable_of(reading, relocation);
    if (variable == 0 || (kind != LOWER && kind != UPPER) || at % PS_SASS_BYTES != 0 ||
        at >= kernel->text.size)
        return;
    const guint64 added =
        in_place ? ps_sass_word_at(kernel->text.bytes + at + 4) : (guint64)relocation->r_addend;
    PsSassHalf *half = g_new(PsSassHalf, 1);
    *half = (PsSassHalf){variable - 1, kind == UPPER, added};
    g_hash_table_insert(kernel->halves, GSIZE_TO_POINTER(at), half);
}

/* Finds addresses of variables, and of functions in other sections, in a kernel's instructions. */
gboolean ps_sass_read_calls(PsSassReading *reading, Elf_Scn *section, const GElf_Shdr *header,
                            const char *name)
{
    const char *with = ps_sass_behind(name, ".rela.text."),
               *of = with ? with : ps_sass_behind(name, ".rel.text.");
    const PsSassKernel *kernel = of ? ps_sass_kernel_of(reading, header, of) : NULL;
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

/* The target of a relocation: a variable, a function of the driver, or one of the file. FALSE: none
 * of these. */
static gboolean find_addressed(const PsSassReading *reading, const GElf_Rela *relocation,
                               PsSassAddress *address)
{
    const guint variable = variable_of(reading, relocation);
    GElf_Sym symbol;
    if (variable > 0) {
        address->variable = variable - 1;
        return TRUE;
    }
    address->function = function_outside(reading, relocation);
    if (address->function || !name_of(reading, relocation, &symbol) ||
        GELF_ST_TYPE(symbol.st_info) != STT_FUNC)
        return address->function != NULL;
    address->section = symbol.st_shndx;
    return g_hash_table_contains(reading->sections, GUINT_TO_POINTER(address->section));
}

/* The addend, which stands in the place itself in one kind of relocation. */
static guint64 added_at(PsSassBytes memory, const GElf_Rela *relocation, gboolean in_place)
{
    guint64 added = 0;
    if (!in_place)
        return (guint64)relocation->r_addend;
    if (memory.bytes && relocation->r_offset <= memory.size &&
        memory.size - relocation->r_offset >= sizeof added)
        memcpy(&added, memory.bytes + relocation->r_offset, sizeof added);
    return GUINT64_FROM_LE(added);
}

/* Turns an offset in a section of variables into one in a variable. FALSE: there is none. */
static gboolean find_variable(const PsSassImage *image, PsSassBytes memory, PsSassAddress *address)
{
    const guint8 *place = memory.bytes ? memory.bytes + address->at : NULL;
    for (guint i = 0; place && i < image->variables->len; i++) {
        const PsSassBytes init = g_array_index(image->variables, PsSassVariable, i).init;
        if (!init.bytes || place < init.bytes || place >= init.bytes + init.size)
            continue;
        address->in = i;
        address->at = (guint64)(place - init.bytes);
        return address->at % 8 == 0 && address->at + 8 <= init.size;
    }
    return FALSE;
}

/* Finds addresses in constant banks and variables. */
gboolean ps_sass_read_addresses(PsSassReading *reading, Elf_Scn *section, const GElf_Shdr *header,
                                const char *name)
{
    const char *with = ps_sass_behind(name, ".rela.nv."),
               *of = with ? with : ps_sass_behind(name, ".rel.nv.");
    const char *bank = of ? ps_sass_behind(of, "constant") : NULL;
    const gboolean variables = of && ps_sass_behind(of, "global.init");
    Elf_Data *data = bank || variables ? elf_getdata(section, NULL) : NULL;
    Elf_Scn *target = data ? elf_getscn(reading->elf, header->sh_info) : NULL;
    GElf_Shdr of_target;
    if (!target || header->sh_entsize == 0 || !gelf_getshdr(target, &of_target))
        return TRUE;
    const PsSassBytes memory = ps_sass_section_bytes(target, &of_target);
    for (guint i = 0; i < header->sh_size / header->sh_entsize && i < G_MAXINT; i++) {
        PsSassAddress address = {.bank = bank ? (guint)(bank[0] - '0') : 0};
        GElf_Rela relocation;
        if (!relocation_at(data, header, (int)i, &relocation) ||
            relocation.r_offset > memory.size || !find_addressed(reading, &relocation, &address))
            continue;
        address.at = relocation.r_offset;
        address.added = added_at(memory, &relocation, header->sh_type == SHT_REL);
        if (bank || find_variable(reading->image, memory, &address))
            g_array_append_val(reading->image->addresses, address);
    }
    return TRUE;
}

/* ---- line tables ---------------------------------------------------------------------------- */

gboolean ps_sass_find_tables(PsSassReading *reading, Elf_Scn *section, const GElf_Shdr *header,
                             const char *name)
{
    for (guint of = 0; of < PS_SASS_N_TABLES; of++)
        if (strcmp(name, table_names[of]) == 0)
            reading->image->tables[of].bytes = ps_sass_section_bytes(section, header);
    return TRUE;
}

/* The number of the kernel whose code contains the symbol; G_MAXUINT: none. */
static guint kernel_with_symbol(const PsSassReading *reading, const GElf_Sym *symbol)
{
    Elf_Scn *section = elf_getscn(reading->elf, symbol->st_shndx);
    GElf_Shdr header;
    guint number = G_MAXUINT;
    PsSassKernel *kernel =
        ps_sass_kernel_with(reading, symbol, ps_sass_section_name(reading, section, &header));
    if (kernel)
        g_ptr_array_find(reading->image->kernels, kernel, &number);
    return number;
}

static void add_start(const PsSassReading *reading, PsSassTable *table, const GElf_Rela *relocation,
                      gboolean in_place)
{
    const guint64 at = relocation->r_offset;
    GElf_Sym symbol;
    if (!ps_sass_symbol(reading, GELF_R_SYM(relocation->r_info), &symbol) ||
        at > table->bytes.size || table->bytes.size - at < sizeof(guint64))
        return;
    const PsSassStart start = {at, kernel_with_symbol(reading, &symbol),
                               symbol.st_value + added_at(table->bytes, relocation, in_place)};
    if (start.kernel != G_MAXUINT)
        g_array_append_val(table->starts, start);
}

/* Finds the kernels whose code the addresses in line tables mean. */
gboolean ps_sass_read_starts(PsSassReading *reading, Elf_Scn *section, const GElf_Shdr *header,
                             const char *name)
{
    const char *of = ps_sass_behind(name, ".rela") ? ps_sass_behind(name, ".rela")
                                                   : ps_sass_behind(name, ".rel");
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
