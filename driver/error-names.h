/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of CUDA's errors. The runtime's have the same numbers, but other names. */
#ifndef PIPESIM_DRIVER_ERROR_NAMES_H
#define PIPESIM_DRIVER_ERROR_NAMES_H

typedef struct {
    int code;
    const char *driver, *runtime, *text;
} ErrorName;

/* NULL: there is no error of that number. */
const ErrorName *error_name(int code);

#endif
