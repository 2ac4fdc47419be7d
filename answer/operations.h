/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a launch computes, by the types that the graph states. The roofline's W_comp is one type's,
 * by the paper's rule, which counts integer instructions; here every type counts, as stated.
 */
#ifndef PIPESIM_ANSWER_OPERATIONS_H
#define PIPESIM_ANSWER_OPERATIONS_H

#include "pipesim.h"

/* Operations of the whole launch. A double counts them exactly up to 2^53, and to 16 digits
 * beyond. */
typedef struct {
    const char *type; /* borrowed from the graph: "fp32" */
    double count;
} Operations;

/* Operations, by type in order of appearance (g_array_unref). Types are borrowed from the graph. */
GArray *operations_count(const PsMachine *machine);

/* Of all types but "int", which alone is not floating-point: tensor cores count. */
double operations_flops(const GArray *operations);

#endif
