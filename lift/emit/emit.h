/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes items of a graph of spots with their dependences, and counts the instructions of each
 * class.
 */
#ifndef PIPESIM_LIFT_EMIT_EMIT_H
#define PIPESIM_LIFT_EMIT_EMIT_H

#include "lift/emit/roles.h"
#include "lift/values/symbol.h"

G_BEGIN_DECLS

/* ---- sources -------------------------------------------------------------------------------- */

/* The lines of the kernel's source file, if it can be read. */
typedef struct {
    const char *file; /* as .file has it, borrowed, or NULL: no .file */
    char *name;       /* without folders, or NULL */
    char **lines;     /* or NULL, like its digest */
    char *digest;     /* SHA-256 */
    guint n_lines;
} PsSourceText;

/* Finds the file that the kernel is in, and reads it: the source that the options name, or the file
 * that .file names, beside the PTX or at its own path. */
PsSourceText *ps_source_text_new(const PsBuildOptions *options);
void ps_source_text_free(PsSourceText *text);

/* A copy of a name in valid UTF-8, as a graph's file needs it; NULL of NULL. g_free. */
char *ps_valid_text(const char *text);

/* The name of a file without its folders, borrowed from `file`. */
const char *ps_plain_file(const char *file);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsSourceText, ps_source_text_free)

/* ---- items ---------------------------------------------------------------------------------- */

/* The class of a spot, with the part of its access pattern. Free with g_free. */
char *ps_spot_class(const PsSpots *spots, guint spot);

/* Gives every node a unique name: the register that it writes, else its instruction. */
void ps_spots_name(PsSpots *spots);

/* Scales the roles of all kinds of the graph (PsRoles) to what all groups of the launch executed,
 * by PsWarpRole.counted. groups: how many each kind stands for; threads: of a group; all: lanes
 * that executed each point. */
void ps_roles_fit_counts(const GPtrArray *kinds, const double *groups, guint threads,
                         const guint64 *all);

/* Appends the nodes and loops of what the warps of that role executed to the body of a graph. */
void ps_role_emit(const PsRoles *roles, guint role, PsSymbols *symbols, const PsSourceText *text,
                  GPtrArray *body);

/* Adds `warps` times the instructions of each class to counts (class -> gint64 *). */
void ps_spots_count_classes(const PsSpots *spots, gint64 warps, GHashTable *counts);

G_END_DECLS
#endif
