/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arrays of addresses, for pointers to pointers: pointers:COUNT:BUFFER is the addresses of so many
 * buffers, each with the content of BUFFER (fill.h). COUNT may be a formula over the arguments that
 * are numbers.
 */
#ifndef PIPESIM_LAUNCH_POINTERS_H
#define PIPESIM_LAUNCH_POINTERS_H

#include "launch/fields.h"

/* TRUE if the text describes such an array. */
gboolean ps_pointers_is(const char *text);

/* FALSE and *error where the text cannot be right, whatever the kernel is; names in its formulas
 * may be any. */
gboolean ps_pointers_check(const char *what, const char *text, GError **error);

/* Makes the argument the array, whose fields the buffers are (ps_fields_clear). FALSE and *error.
 */
gboolean ps_pointers_set(const PsFieldsOf *of, PsPtxArgument *argument, const char *text,
                         GError **error);

#endif
