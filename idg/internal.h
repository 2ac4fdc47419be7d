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

/* Reads the text of the attribute "after" or "reads" and appends its dependences to those of the
 * node. FALSE and *error (PS_ERROR_SYNTAX, at place) when it is malformed, PS_ERROR_LIMIT when it
 * is too long. */
gboolean ps_idg_read_deps(PsIdgItem *node, const char *attribute, const char *text, PsPlace place,
                          GError **error);

/* The same for a code's `warps`. */
gboolean ps_idg_read_warps(PsIdgCode *code, const char *text, PsPlace place, GError **error);

/* Both lists as texts that these read back. Free with g_free. */
char *ps_idg_spell_deps(const GPtrArray *deps);
char *ps_idg_spell_warps(const PsIdgCode *code);

/* An empty list of PsIdgDep that owns them; frees one. */
GPtrArray *ps_idg_new_deps(void);
void ps_idg_free_dep(void *dep);

/* TRUE for a node whose class is "barrier" or one of its subclasses (rule T6). */
gboolean ps_idg_is_barrier(const PsIdgItem *node);

#endif
