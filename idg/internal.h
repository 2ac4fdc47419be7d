/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the files of idg/ share. Internal to idg/.
 */
#ifndef PIPESIM_IDG_INTERNAL_H
#define PIPESIM_IDG_INTERNAL_H

#include "idg/idg.h"

#define PS_IDG_NAMESPACE "urn:pipesim:idg:1"

/* Loops that may enclose a node. It bounds every recursion over a graph. */
#define PS_IDG_MAX_DEPTH 64

/* Reads an `after` attribute's text and appends its dependences to the node. FALSE and *error
 * (PS_ERROR_SYNTAX, at place) when it is malformed, PS_ERROR_LIMIT when it is too long. */
gboolean ps_idg_read_after(PsIdgItem *node, const char *text, PsPlace place, GError **error);

/* The same for a code's `warps`. */
gboolean ps_idg_read_warps(PsIdgCode *code, const char *text, PsPlace place, GError **error);

/* Both lists as texts that these read back. Free with g_free. */
char *ps_idg_spell_after(const PsIdgItem *node);
char *ps_idg_spell_warps(const PsIdgCode *code);

/* An empty list of PsIdgDep that owns them; frees one. */
GPtrArray *ps_idg_new_deps(void);
void ps_idg_free_dep(void *dep);

/* TRUE for a node whose class is "barrier" or one of its subclasses (rule T6). */
gboolean ps_idg_is_barrier(const PsIdgItem *node);

#endif
