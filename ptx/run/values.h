/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers for values, for walks through a kernel's code (ptx/code/walk.h): equal values share
 * one. */
#ifndef PIPESIM_PTX_RUN_VALUES_H
#define PIPESIM_PTX_RUN_VALUES_H

#include <glib.h>

typedef struct {
    gsize size;          /* of a value, all of whose bytes are compared */
    GPtrArray *values;   /* GBytes, each once; 0 has only zeros, and no value is found to be it */
    GHashTable *numbers; /* by the values */
} PsValues;

PsValues ps_values_new(gsize size);
void ps_values_clear(PsValues *values);

/* The number of a value, which is copied when it is new. */
guint ps_values_number(PsValues *values, gconstpointer value);

/* The value with a number; it stays at its place. */
gconstpointer ps_values_at(const PsValues *values, guint number);

#endif
