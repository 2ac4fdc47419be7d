/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A kernel's graph, as an .idg file states it (docs/guide/graphs.md): read, written, freed.
 *
 * Since: 0.1.0
 */
#ifndef PIPESIM_IDG_LOAD_H
#define PIPESIM_IDG_LOAD_H

#include "base/error.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef struct PsIdg PsIdg; /* a graph */

/* Reads a file ("-" is standard input) or a text (name stands for the file in messages). Checks the
 * schema (idg/idg.fields), every expression's syntax, and that names differ; ps_kernel_new checks
 * references and values. NULL and *error (PS_ERROR_READ, _SYNTAX or _VALUE) at the first fault. */
PsIdg *ps_idg_load(const char *path, GError **error);
PsIdg *ps_idg_parse(const char *text, gsize length, const char *name, GError **error);

/* The graph as an .idg text that ps_idg_parse reads back as an equal graph, with white space in
 * texts collapsed. Free with g_free. */
char *ps_idg_write(const PsIdg *idg);

/* The graph for Graphviz: loops as clusters, program order inside a body from top to bottom,
 * dependences as edges (on an earlier iteration: dashed). Free with g_free. */
char *ps_idg_dot(const PsIdg *idg);

void ps_idg_free(PsIdg *idg); /* NULL is fine */

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsIdg, ps_idg_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
