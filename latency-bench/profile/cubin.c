/* SPDX-License-Identifier: BSD-3-Clause */
/* See cubin.h; sass/image.c explains the attributes. */
#include "latency-bench/profile/cubin.h"

#include <elf.h>
#include <string.h>

enum { ATTRIBUTE_PARAMETERS = 0x0a, ATTRIBUTE_PARAMETER = 0x17, FORM_SIZED = 4, SIZE_SHIFT = 18 };

typedef struct {
    const unsigned char *bytes;
    size_t size;
    const Elf64_Shdr *sections;
    unsigned n;
    const Elf64_Shdr *names; /* headers of sections' names */
} Cubin;

/* The section's bytes; NULL where it has none, or some lie behind the end. */
static const unsigned char *bytes_of(const Cubin *cubin, const Elf64_Shdr *section)
{
    if (section->sh_type == SHT_NOBITS || section->sh_offset > cubin->size ||
        section->sh_size > cubin->size - section->sh_offset)
        return NULL;
    return cubin->bytes + section->sh_offset;
}

/* The text at that place in a section of texts; "" where it has no end. */
static const char *text_at(const Cubin *cubin, const Elf64_Shdr *section, uint64_t at)
{
    const unsigned char *bytes = bytes_of(cubin, section);
    if (!bytes || at >= section->sh_size || !memchr(bytes + at, 0, section->sh_size - at))
        return "";
    return (const char *)bytes + at;
}

static int open_cubin(Cubin *cubin, const void *bytes, size_t size)
{
    const Elf64_Ehdr *head = bytes;
    if (size < sizeof *head || (uintptr_t)bytes % sizeof(uint64_t) != 0 ||
        memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_shoff > size ||
        head->e_shoff % sizeof(uint64_t) != 0 || head->e_shentsize != sizeof(Elf64_Shdr) ||
        head->e_shnum > (size - head->e_shoff) / sizeof(Elf64_Shdr) ||
        head->e_shstrndx >= head->e_shnum)
        return -1;
    const void *sections = (const unsigned char *)bytes + head->e_shoff;
    *cubin = (Cubin){bytes, size, sections, head->e_shnum, NULL};
    cubin->names = cubin->sections + head->e_shstrndx;
    return 0;
}

static const char *name_of(const Cubin *cubin, const Elf64_Shdr *section)
{
    return text_at(cubin, cubin->names, section->sh_name);
}

static const char *behind(const char *name, const char *start)
{
    const size_t length = strlen(start);
    return strncmp(name, start, length) == 0 ? name + length : NULL;
}

/* The section whose name is `kind` and the kernel's; NULL: there is none. */
static const Elf64_Shdr *find(const Cubin *cubin, const char *kind, const char *kernel)
{
    for (unsigned i = 0; i < cubin->n; i++) {
        const char *of = behind(name_of(cubin, cubin->sections + i), kind);
        if (of && strcmp(of, kernel) == 0)
            return cubin->sections + i;
    }
    return NULL;
}

int ps_cubin_has(const void *bytes, size_t size, const char *kernel)
{
    Cubin cubin;
    return open_cubin(&cubin, bytes, size) == 0 && find(&cubin, ".text.", kernel) != NULL;
}

/* ---- parameters ---------------------------------------------------------------------------- */

static unsigned half_at(const unsigned char *bytes)
{
    return bytes[0] | (unsigned)bytes[1] << 8;
}

static uint32_t word_at(const unsigned char *bytes)
{
    return half_at(bytes) | (uint32_t)half_at(bytes + 2) << 16;
}

typedef struct {
    CubinParam *params;
    int n, told;  /* number of parameters, and of those that the code describes */
    uint32_t all; /* bytes of all parameters */
} Params;

static void take(Params *params, unsigned attribute, const unsigned char *value, unsigned size)
{
    const unsigned ordinal = size >= 12 ? half_at(value + 4) : CUBIN_MOST_PARAMS;
    if (attribute == ATTRIBUTE_PARAMETERS && size >= 8)
        params->all = half_at(value + 6);
    if (attribute != ATTRIBUTE_PARAMETER || ordinal >= CUBIN_MOST_PARAMS)
        return;
    while (params->n <= (int)ordinal)
        params->params[params->n++] = (CubinParam){0, 0};
    params->params[ordinal] = (CubinParam){half_at(value + 6), word_at(value + 8) >> SIZE_SHIFT};
    params->told++;
}

/* Counts a parameter. One that is not described, or lies behind all of them, means that the
 * attributes have another meaning. */
static int count(const Params *params)
{
    uint32_t end = 0;
    for (int i = 0; i < params->n; i++) {
        const CubinParam *param = params->params + i;
        if (!param->size)
            return -1;
        end = end > param->offset + param->size ? end : param->offset + param->size;
    }
    return params->told == params->n && end <= params->all ? params->n : -1;
}

int ps_cubin_params(const void *bytes, size_t size, const char *kernel, CubinParam *params)
{
    Cubin cubin;
    Params all = {.params = params};
    const Elf64_Shdr *section =
        open_cubin(&cubin, bytes, size) == 0 ? find(&cubin, ".nv.info.", kernel) : NULL;
    const unsigned char *info = section ? bytes_of(&cubin, section) : NULL;
    for (size_t at = 0; info && at + 4 <= section->sh_size;) {
        const unsigned length = info[at] == FORM_SIZED ? half_at(info + at + 2) : 0;
        if (length > section->sh_size - at - 4)
            return -1;
        take(&all, info[at + 1], info + at + 4, length);
        at += 4 + length;
    }
    return info ? count(&all) : -1;
}

/* ---- variables ----------------------------------------------------------------------------- */

/* TRUE for a section of memory of the device, or of a bank of constants that all kernels share. */
static int has_variables(const char *section)
{
    const char *bank = behind(section, ".nv.constant");
    return behind(section, ".nv.global") || (bank && *bank >= '1' && *bank <= '9' && !bank[1]);
}

/* TRUE for a name that a line of a file can have and a program can ask for. */
static int is_name(const char *name)
{
    static const char good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789$";
    return *name && !(*name >= '0' && *name <= '9') && !name[strspn(name, good)];
}

void ps_cubin_variables(const void *bytes, size_t size, CubinVariable variable, void *self)
{
    Cubin cubin;
    if (open_cubin(&cubin, bytes, size) != 0)
        return;
    for (unsigned i = 0; i < cubin.n; i++) {
        const Elf64_Shdr *table = cubin.sections + i;
        const void *symbols = table->sh_type == SHT_SYMTAB && table->sh_link < cubin.n
                                  ? bytes_of(&cubin, table)
                                  : NULL;
        const Elf64_Sym *symbol = (uintptr_t)symbols % sizeof(uint64_t) == 0 ? symbols : NULL;
        for (size_t k = 0; symbol && k < table->sh_size / sizeof *symbol; k++, symbol++) {
            const char *name = text_at(&cubin, cubin.sections + table->sh_link, symbol->st_name);
            if (ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT && symbol->st_shndx < cubin.n &&
                symbol->st_size && is_name(name) &&
                has_variables(name_of(&cubin, cubin.sections + symbol->st_shndx)))
                variable(self, name);
        }
    }
}
