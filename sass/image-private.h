/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A cubin while it is read. image.c goes through the sections; image-info.c, image-symbols.c and
 * image-relocations.c read sections of one kind each, by the functions of image-section.c.
 */
#ifndef PIPESIM_SASS_IMAGE_PRIVATE_H
#define PIPESIM_SASS_IMAGE_PRIVATE_H

#include "sass/image.h"

#include <gelf.h>

G_BEGIN_DECLS

typedef struct {
    PsSassImage *image;
    Elf *elf;
    const char *name;
    size_t names; /* number of the section with the sections' names */
    Elf_Scn *symbols;
    GHashTable *kernels;   /* name -> PsSassKernel; of functions of one name, the first */
    GHashTable *sections;  /* number of the section of its code -> PsSassKernel */
    GHashTable *variables; /* symbol -> number + 1 */
    GHashTable *names_of_variables;
    GError **error;
} PsSassReading;

/* FALSE, and the error: the file is damaged, and `what` says how. */
gboolean ps_sass_damaged(const PsSassReading *reading, const char *what);

/* TRUE if PTX, into which the code is translated, can have the name, too. */
gboolean ps_sass_is_name(const char *name);

/* The name behind the prefix; NULL if it begins otherwise. */
const char *ps_sass_behind(const char *name, const char *prefix);

/* The section's bytes, which live as long as the image; NULL for one of zeros. */
PsSassBytes ps_sass_section_bytes(Elf_Scn *section, const GElf_Shdr *header);

/* A section's name, and its header; NULL: it has none. */
const char *ps_sass_section_name(const PsSassReading *reading, Elf_Scn *section, GElf_Shdr *header);

/* A symbol by its number, and its name, which is "" for that of a section; NULL: the file has no
 * such symbol. */
const char *ps_sass_symbol(const PsSassReading *reading, guint64 number, GElf_Sym *symbol);

/* The kernel in whose code a symbol stands; `section` is the name of the symbol's section, or NULL.
 * NULL: it stands in no kernel's code. */
PsSassKernel *ps_sass_kernel_with(const PsSassReading *reading, const GElf_Sym *symbol,
                                  const char *section);

/* The kernel to which a section such as .nv.info.NAME belongs, or NULL. Parts that were compiled
 * apart may have functions of one name; the header tells them apart. */
PsSassKernel *ps_sass_kernel_of(const PsSassReading *reading, const GElf_Shdr *header,
                                const char *name);

/* Each of these is called for every section with its name, and reads those that it knows. FALSE:
 * the file is damaged, with the reading's error. */
gboolean ps_sass_read_info(PsSassReading *reading, Elf_Scn *section, const GElf_Shdr *header,
                           const char *name);
gboolean ps_sass_read_addresses(PsSassReading *reading, Elf_Scn *section, const GElf_Shdr *header,
                                const char *name);
gboolean ps_sass_read_calls(PsSassReading *reading, Elf_Scn *section, const GElf_Shdr *header,
                            const char *name);
gboolean ps_sass_find_tables(PsSassReading *reading, Elf_Scn *section, const GElf_Shdr *header,
                             const char *name);
gboolean ps_sass_read_starts(PsSassReading *reading, Elf_Scn *section, const GElf_Shdr *header,
                             const char *name);

/* Reads all symbols; the sections of code are known. */
gboolean ps_sass_read_symbols(PsSassReading *reading);

static inline guint ps_sass_half_at(const guint8 *bytes)
{
    return (guint)(bytes[0] | bytes[1] << 8);
}

static inline guint32 ps_sass_word_at(const guint8 *bytes)
{
    return ps_sass_half_at(bytes) | (guint32)ps_sass_half_at(bytes + 2) << 16;
}

G_END_DECLS
#endif
