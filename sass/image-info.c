/* SPDX-License-Identifier: BSD-3-Clause */
/* Attributes of a cubin (.nv.info) become registers, memory and parameters of kernels. See
 * image-private.h. NVIDIA does not document them; what those that matter here mean was found from
 * what the assembler writes. */
#include "sass/image-private.h"

#include <string.h>

/* Attributes of .nv.info and .nv.info.KERNEL. */
enum {
    ATTRIBUTE_MOST_THREADS = 0x05,      /* in x, y and z */
    ATTRIBUTE_PARAMETERS = 0x0a,        /* symbol, begin, size */
    ATTRIBUTE_THREADS = 0x10,           /* likewise, and no other sizes will do */
    ATTRIBUTE_FRAME = 0x11,             /* symbol, bytes */
    ATTRIBUTE_PARAMETER = 0x17,         /* index, ordinal, offset, size and more */
    ATTRIBUTE_REGISTERS = 0x2f,         /* symbol, number */
    ATTRIBUTE_INDIRECT_BRANCHES = 0x34, /* at, 0, n, targets */
    ATTRIBUTE_CLUSTER = 0x3d,           /* groups of a cluster in x, y and z */
    FORM_SIZED = 4                      /* the attribute's size follows */
};

static PsSassKernel *kernel_of_symbol(const PsSassReading *reading, guint symbol)
{
    GElf_Sym its;
    const char *name = ps_sass_symbol(reading, symbol, &its);
    PsSassKernel *kernel =
        name ? g_hash_table_lookup(reading->sections, GUINT_TO_POINTER(its.st_shndx)) : NULL;
    return kernel && strcmp(name, kernel->name) == 0 ? kernel : NULL;
}

static void add_param(PsSassKernel *kernel, const guint8 *value)
{
    enum { MOST = 4096, SIZE_SHIFT = 18 };
    const guint ordinal = ps_sass_half_at(value + 4);
    const PsSassParam param = {ps_sass_half_at(value + 6),
                               ps_sass_word_at(value + 8) >> SIZE_SHIFT};
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
        const guint n = ps_sass_word_at(value + at + 8);
        if (n > (size - at - HEAD) / 4)
            return;
        PsSassJump jump = {ps_sass_word_at(value + at), g_array_new(FALSE, FALSE, sizeof(guint64))};
        for (guint i = 0; i < n; i++) {
            const guint64 target = ps_sass_word_at(value + at + HEAD + 4 * i);
            g_array_append_val(jump.targets, target);
        }
        g_array_append_val(kernel->jumps, jump);
        at += HEAD + 4 * n;
    }
}

/* Numbers that no launch can have are ignored. */
static void take_sizes(guint sizes[3], const guint8 *value)
{
    gboolean good = TRUE;
    for (guint i = 0; i < 3; i++)
        good = good && ps_sass_word_at(value + 4 * i) - 1 < 1024;
    for (guint i = 0; good && i < 3; i++)
        sizes[i] = ps_sass_word_at(value + 4 * i);
}

static void take_attribute(const PsSassReading *reading, PsSassKernel *kernel, guint attribute,
                           const guint8 *value, guint size)
{
    PsSassKernel *of = size >= 8 ? kernel_of_symbol(reading, ps_sass_word_at(value)) : NULL;
    if (attribute == ATTRIBUTE_REGISTERS && of)
        of->registers = ps_sass_word_at(value + 4);
    else if (attribute == ATTRIBUTE_FRAME && of)
        of->frame = ps_sass_word_at(value + 4);
    else if (attribute == ATTRIBUTE_PARAMETERS && kernel && size >= 8) {
        kernel->parameters_at = ps_sass_half_at(value + 4);
        kernel->parameters_size = ps_sass_half_at(value + 6);
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

gboolean ps_sass_read_info(PsSassReading *reading, Elf_Scn *section, const GElf_Shdr *header,
                           const char *name)
{
    const char *of = strcmp(name, ".nv.info") == 0 ? "" : ps_sass_behind(name, ".nv.info.");
    if (!of)
        return TRUE;
    PsSassKernel *kernel = ps_sass_kernel_of(reading, header, of);
    const PsSassBytes info = ps_sass_section_bytes(section, header);
    for (gsize at = 0; info.bytes && at + 4 <= info.size;) {
        const guint size = info.bytes[at] == FORM_SIZED ? ps_sass_half_at(info.bytes + at + 2) : 0;
        if (size > info.size - at - 4)
            return ps_sass_damaged(reading, "an attribute of a kernel ends behind its section");
        take_attribute(reading, kernel, info.bytes[at + 1], info.bytes + at + 4, size);
        at += 4 + size;
    }
    return TRUE;
}
