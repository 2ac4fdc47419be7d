/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From a file of machine code (ELF) to a function's instructions: NVIDIA's are read here, AMD's are
 * given to LLVM's disassembler.
 */
#include "latency-bench/code/instruction.h"
#include "latency-bench/code/objdump.h"
#include "latency-bench/internal.h"

#include <gelf.h>
#include <string.h>

#ifndef EM_AMDGPU
#define EM_AMDGPU 224
#endif

#define OLDEST 75
#define NEWEST 121
#define BYTES 16 /* of an instruction */

static PsCode *fail(GError **error, PsErrorCode code, const char *text)
{
    ps_error_at(error, code, (PsPlace){0}, "%s", text);
    return NULL;
}

/* The chip that the code is for: since the format's second version the number stands one byte
 * further on. */
static int capability_of(const GElf_Ehdr *header)
{
    enum { SECOND_VERSION = 8 };
    const gboolean second = header->e_ident[EI_ABIVERSION] >= SECOND_VERSION;
    return (int)(header->e_flags >> (second ? 8 : 0) & 255);
}

/* The contents of a section, borrowed; NULL: there is none, or it is damaged. */
static const Elf_Data *find_section(Elf *elf, const char *name)
{
    size_t names = 0;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return NULL;
    for (Elf_Scn *section = elf_nextscn(elf, NULL); section; section = elf_nextscn(elf, section)) {
        GElf_Shdr header;
        const char *its =
            gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
        if (its && strcmp(its, name) == 0 && header.sh_type == SHT_PROGBITS)
            return elf_rawdata(section, NULL);
    }
    return NULL;
}

static PsCode *read_cubin(Elf *elf, const GElf_Ehdr *header, const char *function, GError **error)
{
    const int capability = capability_of(header);
    g_autofree char *name = g_strconcat(".text.", function, NULL);
    if (capability < OLDEST || capability > NEWEST) {
        ps_error_at(error, PS_ERROR_VALUE, (PsPlace){0},
                    "the machine code is for sm_%d, and instructions of sm_%d to sm_%d are known",
                    capability, OLDEST, NEWEST);
        return NULL;
    }
    const Elf_Data *text = find_section(elf, name);
    if (!text || !text->d_buf || text->d_size == 0) {
        ps_error_at(error, PS_ERROR_VALUE, (PsPlace){0},
                    "the machine code has no section %s with instructions", name);
        return NULL;
    }
    if (text->d_size % BYTES != 0) {
        ps_error_at(error, PS_ERROR_SYNTAX, (PsPlace){0},
                    "the section %s of the machine code has %zu bytes, which is no multiple of %d",
                    name, text->d_size, BYTES);
        return NULL;
    }
    return ps_code_read_nvidia(text->d_buf, text->d_size, capability);
}

gboolean ps_code_is_machine(GBytes *image)
{
    gsize size = 0;
    const char *bytes = g_bytes_get_data(image, &size);
    return size >= SELFMAG && memcmp(bytes, ELFMAG, SELFMAG) == 0;
}

static PsCode *read_elf(Elf *elf, GBytes *image, const char *function, const char *disassembler,
                        GError **error)
{
    GElf_Ehdr header;
    if (elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &header))
        return fail(error, PS_ERROR_SYNTAX, "the machine code is no ELF file, or a damaged one");
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB)
        return fail(error, PS_ERROR_SYNTAX,
                    "the machine code is an ELF file of a kind that no GPU has: it must have 64 "
                    "bits and the lowest byte first");
    if (header.e_machine == EM_CUDA)
        return read_cubin(elf, &header, function, error);
    if (header.e_machine == EM_AMDGPU)
        return ps_code_disassemble(image, function, disassembler, error);
    return fail(error, PS_ERROR_VALUE, "the machine code is for no GPU of NVIDIA or AMD");
}

PsCode *ps_code_read(GBytes *image, const char *function, const char *disassembler, GError **error)
{
    gsize size = 0;
    const void *bytes = g_bytes_get_data(image, &size);
    /* libelf needs a writable and even address. */
    g_autofree char *copy = g_memdup2(bytes, size);
    elf_version(EV_CURRENT);
    Elf *elf = copy ? elf_memory(copy, size) : NULL;
    if (!elf)
        return fail(error, PS_ERROR_SYNTAX, "the machine code is no ELF file, or a damaged one");
    PsCode *code = read_elf(elf, image, function, disassembler, error);
    elf_end(elf);
    return code;
}
