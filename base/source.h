/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Provenance: who measured, published or assumed something, how and when. Both file formats carry
 * <source id="..." kind="...">text</source> elements; anything may point at one with source="ID".
 */
#ifndef PIPESIM_BASE_SOURCE_H
#define PIPESIM_BASE_SOURCE_H

#include <glib.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* How somebody came to know a figure. */
typedef enum {
    PS_SOURCE_MEASURED,  /* measured by the author of the file */
    PS_SOURCE_PUBLISHED, /* taken from a publication */
    PS_SOURCE_VENDOR,    /* a vendor's public figure */
    PS_SOURCE_DERIVED,   /* computed from other figures, as the text says */
    PS_SOURCE_ASSUMED,   /* nobody measured it; reports say so */
} PsSourceKind;

/* The number of kinds. */
#define PS_N_SOURCE_KINDS (PS_SOURCE_ASSUMED + 1)

/* Owns its strings. id is NULL for a source that speaks of the file as a whole. */
typedef struct {
    char *id;
    PsSourceKind kind;
    char *text;
    char *family; /* name of the family whose file has it; NULL: the description's own */
} PsSource;

/* The word that stands for a kind in the files: "measured", ... */
const char *ps_source_kind_name(PsSourceKind kind);

void ps_source_free(PsSource *source); /* NULL is fine */

/* An empty array that owns the PsSource that are added to it. */
GPtrArray *ps_sources_new(void);

#pragma GCC visibility pop
G_END_DECLS
#endif
