/* SPDX-License-Identifier: BSD-3-Clause */
/* Common functions of the readers of a cubin's sections. See image-private.h. */
#include "sass/image-private.h"

#include <string.h>

gboolean ps_sass_damaged(const PsSassReading *reading, const char *what)
{
    g_set_error(reading->error, PS_ERROR, PS_ERROR_SYNTAX, "%s: %s", reading->name, what);
    return FALSE;
}

gboolean ps_sass_is_name(const char *name)
{
    return *name && !g_ascii_isdigit(*name) &&
           name[strspn(name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_$")] == '\0';
}

PsSassBytes ps_sass_section_bytes(Elf_Scn *section, const GElf_Shdr *header)
{
    if (header->sh_type == SHT_NOBITS)
        return (PsSassBytes){NULL, header->sh_size};
    const Elf_Data *data = elf_rawdata(section, NULL);
    if (!data || !data->d_buf)
        return (PsSassBytes){NULL, 0};
    return (PsSassBytes){data->d_buf, data->d_size};
}

const char *ps_sass_behind(const char *name, const char *prefix)
{
    return g_str_has_prefix(name, prefix) ? name + strlen(prefix) : NULL;
}

PsSassKernel *ps_sass_kernel_of(const PsSassReading *reading, const GElf_Shdr *header,
                                const char *name)
{
    PsSassKernel *kernel =
        g_hash_table_lookup(reading->sections, GUINT_TO_POINTER(header->sh_info));
    return kernel && strcmp(kernel->name, name) == 0 ? kernel
                                                     : g_hash_table_lookup(reading->kernels, name);
}

const char *ps_sass_section_name(const PsSassReading *reading, Elf_Scn *section, GElf_Shdr *header)
{
    return section && gelf_getshdr(section, header)
               ? elf_strptr(reading->elf, reading->names, header->sh_name)
               : NULL;
}

const char *ps_sass_symbol(const PsSassReading *reading, guint64 number, GElf_Sym *symbol)
{
    GElf_Shdr header;
    Elf_Data *data = reading->symbols ? elf_getdata(reading->symbols, NULL) : NULL;
    if (!data || number > G_MAXINT || !gelf_getsym(data, (int)number, symbol) ||
        !gelf_getshdr(reading->symbols, &header))
        return NULL;
    return elf_strptr(reading->elf, header.sh_link, symbol->st_name);
}

PsSassKernel *ps_sass_kernel_with(const PsSassReading *reading, const GElf_Sym *symbol,
                                  const char *section)
{
    return section && ps_sass_behind(section, ".text.")
               ? g_hash_table_lookup(reading->sections, GUINT_TO_POINTER(symbol->st_shndx))
               : NULL;
}
