/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the files of idg/ share. Internal to idg/.
 */
#ifndef PIPESIM_IDG_INTERNAL_H
#define PIPESIM_IDG_INTERNAL_H

#include "idg/idg-fields.h" /* made of idg.fields */
#include "idg/idg.h"

#define PS_IDG_NAMESPACE "urn:pipesim:idg:1"

/* The schema, made of idg.rng.in and idg.fields, as a string (make/build.mk). */
extern const char ps_idg_rng[];

/* Types of members beside those of base/fields.h (fields.c). */
extern const PsFieldType ps_idg_field_expr;   /* PsExpr *, NULL if it is not stated */
extern const PsFieldType ps_idg_field_small;  /* guint of up to seven digits; 0: not stated */
extern const PsFieldType ps_idg_field_banks;  /* guint8[PS_IDG_BANKS]; zeros: not stated */
extern const PsFieldType ps_idg_field_deps;   /* GPtrArray * of PsIdgDep, of a PsIdgItem */
extern const PsFieldType ps_idg_field_awaits; /* PsIdgAwaits, of a PsIdgItem (awaits.c) */
extern const PsFieldType ps_idg_field_offset; /* guint8, which may be PS_IDG_ANY_OFFSET */
extern const PsFieldType ps_idg_field_line;   /* int, and the file of a PsIdgItem */
#define PS_FIELD_OWN_TYPES                                                                         \
    , PsExpr * : &ps_idg_field_expr,                                                               \
                 guint : &ps_idg_field_small,                                                      \
                         guint8 * : &ps_idg_field_banks,                                           \
                                    GPtrArray * : &ps_idg_field_deps,                              \
                                                  guint8 : &ps_idg_field_offset,                   \
                                                           gint : &ps_idg_field_line,              \
                                                                  PsIdgAwaits                      \
        : &ps_idg_field_awaits

/* The attributes of a node or of a loop. */
const PsFields *ps_idg_item_fields(const PsIdgItem *item);

/* A copy that belongs to the caller; NULL gives NULL. */
PsExpr *ps_idg_copy_expr(const PsExpr *expr);

/* Loops that may enclose a node. It bounds every recursion over a graph. */
#define PS_IDG_MAX_DEPTH 64

/* Reads the text of the attribute "after" or "reads" and appends its dependences to those of the
 * node. FALSE and *error (PS_ERROR_SYNTAX, at place) when it is malformed, PS_ERROR_LIMIT when it
 * is too long. */
gboolean ps_idg_read_deps(PsIdgItem *node, const char *attribute, const char *text, PsPlace place,
                          GError **error);

/* The first character of stops that stands outside brackets, else the end of the text. */
const char *ps_idg_outside_brackets(const char *text, const char *stops);

/* Reads the text of a code's attribute `warps`, with the same errors. */
gboolean ps_idg_read_warps(PsIdgCode *code, const char *text, PsPlace place, GError **error);

/* Both lists as texts that these functions read back. Free with g_free. */
char *ps_idg_spell_deps(const GPtrArray *deps);
char *ps_idg_spell_warps(const PsIdgCode *code);

/* An empty list of PsIdgWarps that owns them, for a code that no warps run. */
GPtrArray *ps_idg_new_warps(void);

/* An empty list of PsIdgDep that owns them; frees one. */
GPtrArray *ps_idg_new_deps(void);
void ps_idg_free_dep(void *dep);

/* TRUE for a node whose class is "barrier" or one of its subclasses (rule T6). */
gboolean ps_idg_is_barrier(const PsIdgItem *node);

#endif
