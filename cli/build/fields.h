/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fields of structs that are passed by value: NAME+OFFSET=VALUE, where OFFSET is the field's place
 * in bytes. PTX has no names of fields, nor their types; but the kernel's loads tell of what type
 * that is which it reads there.
 */
#ifndef PIPESIM_CLI_BUILD_FIELDS_H
#define PIPESIM_CLI_BUILD_FIELDS_H

#include "pipesim.h"

/* What a kernel reads of a struct. */
typedef struct {
    guint64 offset;
    PsPtxType type;
} FieldUse;

/* More than one number: a struct by value. */
gboolean fields_has(const PsPtxVariable *param);

/* What the kernel's instructions load of the parameter (FieldUse, ascending, each once). */
GArray *fields_used(const PsPtxFunction *kernel, const PsPtxVariable *param);

/* TRUE for NAME+OFFSET=..., the part before "=" as numbers and text; *name is to be freed, *rest is
 * what stands behind "=". */
gboolean fields_split(const char *text, char **name, guint64 *offset, const char **rest);

/* The struct to fill, and what with. */
typedef struct {
    const PsPtxFunction *kernel;
    const PsPtxVariable *param;
    guint address_size;   /* bytes */
    const PsScope *scope; /* for sizes of buffers */
} FieldsOf;

/* Puts a number or a buffer at offset into the argument, whose bytes are zeros where it had none.
 * `what` names the field in messages. FALSE and *error. */
gboolean fields_set(const FieldsOf *of, PsPtxArgument *argument, const char *what, guint64 offset,
                    const char *text, GError **error);

/* The buffer at that place, or NULL. */
const PsPtxField *fields_find(const PsPtxArgument *argument, guint64 offset);

/* What fields_set made. */
void fields_clear(PsPtxArgument *argument);

#endif
