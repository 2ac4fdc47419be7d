/* SPDX-License-Identifier: BSD-3-Clause */
/* Symbols of a cubin become functions and variables. See image-private.h. */
#include "sass/image-private.h"

#include "sass/storage.h"

#include <string.h>

/* Bit of a symbol's st_other: the host launches it, so it is a kernel and no function. */
#define LAUNCHED 0x10

/* The name, or another one if a variable has it: linked parts may share a local name, such as that
 * of their strings. */
static const char *name_alone(PsSassReading *reading, guint number, const char *name)
{
    PsSassStorage *storage = reading->image->storage;
    if (g_hash_table_add(reading->names_of_variables, (gpointer)name))
        return name;
    char *other = g_strdup_printf("%s$%u$", name, number);
    g_ptr_array_add(storage->kept, other);
    return other;
}

static void add_variable(PsSassReading *reading, guint number, const GElf_Sym *symbol,
                         const char *name, PsSassBytes memory)
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
static void add_constant(PsSassReading *reading, const GElf_Sym *symbol, const char *name,
                         const char *bank, PsSassBytes memory)
{
    if (bank[0] < '1' || bank[0] >= '0' + PS_SASS_BANKS || bank[1] != '\0' ||
        symbol->st_value > memory.size || symbol->st_size > memory.size - symbol->st_value)
        return;
    const PsSassConstant constant = {name, (guint)(bank[0] - '0'), symbol->st_value,
                                     symbol->st_size};
    g_array_append_val(reading->image->constants, constant);
}

static void take_symbol(PsSassReading *reading, guint number, const GElf_Sym *symbol,
                        const char *name)
{
    Elf_Scn *section = elf_getscn(reading->elf, symbol->st_shndx);
    GElf_Shdr header;
    const char *in = ps_sass_section_name(reading, section, &header);
    PsSassKernel *kernel = ps_sass_kernel_with(reading, symbol, in);
    if (kernel && GELF_ST_TYPE(symbol->st_info) == STT_FUNC && strcmp(name, kernel->name) == 0) {
        kernel->symbol = number;
        kernel->is_function = (symbol->st_other & LAUNCHED) == 0;
    }
    if (kernel && GELF_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_value < kernel->text.size)
        g_hash_table_insert(kernel->subroutines, g_strdup(name),
                            GSIZE_TO_POINTER(symbol->st_value + 1));
    if (!in || GELF_ST_TYPE(symbol->st_info) != STT_OBJECT || !ps_sass_is_name(name))
        return;
    if (ps_sass_behind(in, ".nv.global"))
        add_variable(reading, number, symbol, name, ps_sass_section_bytes(section, &header));
    else if (ps_sass_behind(in, ".nv.constant"))
        add_constant(reading, symbol, name, ps_sass_behind(in, ".nv.constant"),
                     ps_sass_section_bytes(section, &header));
}

gboolean ps_sass_read_symbols(PsSassReading *reading)
{
    GElf_Shdr header;
    Elf_Data *data = reading->symbols ? elf_getdata(reading->symbols, NULL) : NULL;
    if (!data || !gelf_getshdr(reading->symbols, &header) || header.sh_entsize == 0)
        return ps_sass_damaged(reading, "it has no symbols");
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
