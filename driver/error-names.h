/* SPDX-License-Identifier: BSD-3-Clause */
/* What CUDA's errors are called. The runtime's have the same numbers, but other names. */
#ifndef PIPESIM_DRIVER_ERROR_NAMES_H
#define PIPESIM_DRIVER_ERROR_NAMES_H

typedef struct {
    int code;
    const char *driver, *runtime, *text;
} ErrorName;

/* NULL: no error has the number. */
const ErrorName *error_name(int code);

#endif
