/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fields of structs that are passed by value, and of variables: NAME+OFFSET=VALUE, where OFFSET is
 * the field's place in bytes. PTX names neither fields nor their types, but the kernel's loads tell
 * the type of what they read there.
 */
#ifndef PIPESIM_LAUNCH_FIELDS_H
#define PIPESIM_LAUNCH_FIELDS_H

#include "idg/expr.h"
#include "ptx/run/launch.h"

/* The text behind NAME+OFFSET at its beginning; the caller frees *name. NULL where the text begins
 * otherwise. */
const char *ps_fields_name(const char *text, char **name, guint64 *offset);

/* Takes NAME+OFFSET=VALUE apart in the same way, and returns VALUE. */
const char *ps_fields_value(const char *text, char **name, guint64 *offset);

/* The struct to fill, and its values. */
typedef struct {
    const PsPtxFunction *kernel;
    const PsPtxVariable *param; /* or a variable of the module */
    const char *noun;           /* "argument" or "variable" */
    guint address_size;         /* bytes */
    const PsScope *scope;       /* scope of names in sizes of buffers */
    GHashTable *lent;           /* as of PsLaunchTexts */
    const char *name;           /* name of the field: NAME+OFFSET */
    const char *what;           /* the same in messages */
} PsFieldsOf;

/* Puts a number or a buffer at offset into the argument, whose bytes are zeros where it had none.
 * FALSE and *error. */
gboolean ps_fields_set(const PsFieldsOf *of, PsPtxArgument *argument, guint64 offset,
                       const char *text, GError **error);

/* Puts a number at offset into the variable, which is `param`. FALSE and *error. */
gboolean ps_fields_put(const PsFieldsOf *of, PsPtxModule *module, PsPtxVariable *variable,
                       guint64 offset, const char *text, GError **error);

/* The buffer at that place, or NULL. */
const PsPtxField *ps_fields_find(const PsPtxArgument *argument, guint64 offset);

/* What ps_fields_set made. */
void ps_fields_clear(PsPtxArgument *argument);

#endif
