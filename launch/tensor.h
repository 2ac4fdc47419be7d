/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tensor maps as people write them, for parameters of 128 bytes:
 *
 *     tensor:TYPE:SIZE[:box=SIZE][:swizzle=BYTES][:stride=BYTES][:step=SIZE][:nan]:BUFFER
 *
 * SIZE is a number of elements in each dimension, 4096x128, the one whose elements lie side by side
 * first; strides are those of the others, dense where none are given. BUFFER is the text of any
 * buffer, or zero, ramp or random alone, which is as large as the tensor and of its type.
 */
#ifndef PIPESIM_LAUNCH_TENSOR_H
#define PIPESIM_LAUNCH_TENSOR_H

#include "launch/fields.h"

/* TRUE if the text speaks of a tensor map. */
gboolean ps_tensor_is(const char *text);

/* FALSE and *error where the text cannot be right, whatever the kernel is. What is lent (NULL:
 * nothing) needs no check. */
gboolean ps_tensor_check(const char *what, const char *text, GHashTable *lent, GError **error);

/* Makes the argument the map, whose address is a field of it. FALSE and *error. */
gboolean ps_tensor_set(const PsFieldsOf *of, PsPtxArgument *argument, const char *text,
                       GError **error);

#endif
