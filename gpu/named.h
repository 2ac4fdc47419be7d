/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which GPU people mean: "4090", "A100-SXM4-80GB", "NVIDIA H100 80GB HBM3", "sm_90", "gfx90a".
 */
#ifndef PIPESIM_GPU_NAMED_H
#define PIPESIM_GPU_NAMED_H

#include <glib.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* A GPU that has a description. */
typedef struct {
    const char *file; /* of the description, without its ending: "a100-80" */
    const char *name; /* "A100 SXM4 80GB" */
    guint capability; /* 80 for NVIDIA's 8.0; 0: none */
    gint64 memory;    /* MiB; 0 if not known */
} PsGpuCard;

/* The numbers of the cards that a name means, in their order (g_array_unref): guint. Case, blanks,
 * hyphens and makers' words make no difference; memory, board and series may be left out. Several
 * if the name fits several, none if it is another card's or nobody's: "a10" is no A100, "rtx 2070
 * super" no RTX 2070, "rtx 3080 12gb" none with 10 GB. */
GArray *ps_gpu_named(const char *written, const PsGpuCard *cards, guint n);

/* The architecture of a card that is known by name and has no description: "compute capability 8.6"
 * or "gfx1030" (g_free). The cards of that architecture, as above, go to *cards_of. NULL if the
 * name is no known card's. */
char *ps_gpu_family_of(const char *written, const PsGpuCard *cards, guint n, GArray **cards_of);

/* The cards of an architecture ("Hopper") or with a chip ("AD102") of that name, as above. None of
 * them is meant by it: others have that chip, too. */
GArray *ps_gpu_of_kind(const char *written, const PsGpuCard *cards, guint n);

/* The name of the whole card, if a name is that of a part, such as a slice (g_free); *what becomes
 * the part's kind (static). NULL: the name is a card's. */
char *ps_gpu_whole_of(const char *written, const char **what);

/* The name without words that are nearly a maker's, "gforce 4090" (g_free); NULL: it has none. */
char *ps_gpu_without_slips(const char *written);

#pragma GCC visibility pop
G_END_DECLS
#endif
