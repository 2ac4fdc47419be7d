/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fat binaries in a program's files. NVIDIA's runtime, inside a program, may load them by calls
 * that no tool hears of; the compiler puts all fat binaries of a file into one section, one behind
 * the other.
 */
#include "card/taken-private.h"

#include "card/image.h"

#include <elf.h>
#include <string.h>

/* Libraries of code are larger: they hold the machine code of thousands of kernels. */
#define MOST_BYTES ((gsize)256 << 20)

/* The section's bytes; NULL: the file is no 64-bit ELF file, or has no such section. */
static const guint8 *find_section(const guint8 *bytes, gsize size, const char *name, gsize *length)
{
    Elf64_Ehdr head;
    Elf64_Shdr names, section;
    if (size < sizeof head || memcmp(bytes, ELFMAG, SELFMAG) != 0 || bytes[EI_CLASS] != ELFCLASS64)
        return NULL;
    memcpy(&head, bytes, sizeof head);
    if (head.e_shoff > size || head.e_shentsize != sizeof section ||
        head.e_shnum > (size - head.e_shoff) / sizeof section || head.e_shstrndx >= head.e_shnum)
        return NULL;
    memcpy(&names, bytes + head.e_shoff + head.e_shstrndx * sizeof names, sizeof names);
    if (names.sh_offset > size || names.sh_size > size - names.sh_offset)
        return NULL;
    for (guint i = 0; i < head.e_shnum; i++) {
        memcpy(&section, bytes + head.e_shoff + i * sizeof section, sizeof section);
        const gsize least = strlen(name) + 1;
        if (names.sh_size < least || section.sh_name > names.sh_size - least ||
            memcmp(bytes + names.sh_offset + section.sh_name, name, least) != 0 ||
            section.sh_type == SHT_NOBITS || section.sh_offset > size ||
            section.sh_size > size - section.sh_offset)
            continue;
        *length = section.sh_size;
        return bytes + section.sh_offset;
    }
    return NULL;
}

/* Reads them one behind the other, with zeros in between. */
static GPtrArray *parts_in(const guint8 *bytes, gsize size, GBytes *cubin)
{
    enum { STEP = 8 };
    for (gsize at = 0; at < size;) {
        const gsize whole = ps_card_fat_size(bytes + at, size - at);
        g_autoptr(GBytes) fat = g_bytes_new_static(bytes + at, whole);
        g_autoptr(GPtrArray) parts = whole ? ps_card_image_parts_of(fat) : NULL;
        if (parts && ps_card_parts_have(parts, cubin))
            return g_steal_pointer(&parts);
        at += whole ? (whole + STEP - 1) / STEP * STEP : STEP;
    }
    return NULL;
}

GPtrArray *ps_taken_parts_in(const GPtrArray *programs, GBytes *cubin)
{
    for (guint i = 0; i < programs->len; i++) {
        g_autoptr(GMappedFile) file = g_mapped_file_new(programs->pdata[i], FALSE, NULL);
        const gsize size = file ? g_mapped_file_get_length(file) : 0;
        gsize length;
        const guint8 *section = size && size <= MOST_BYTES
                                    ? find_section((const guint8 *)g_mapped_file_get_contents(file),
                                                   size, ".nv_fatbin", &length)
                                    : NULL;
        GPtrArray *parts = section ? parts_in(section, length, cubin) : NULL;
        if (parts)
            return parts;
    }
    return NULL;
}
