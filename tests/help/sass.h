/* SPDX-License-Identifier: BSD-3-Clause */
/* Stored machine code: tests/sass/NAME.cubin, and NAME.json, what nvdisasm wrote of it. */
#ifndef PIPESIM_TESTS_HELP_SASS_H
#define PIPESIM_TESTS_HELP_SASS_H

#include "sass/sass.h"

/* Bytes of a file in tests/sass/. */
GBytes *sass_file(const char *name);

/* A kernel of NAME.cubin (NULL: the first), which must be good; the caller frees *image before. */
PsSassCode *sass_code(const char *name, const char *kernel, PsSassImage **image);

/* From such bytes to the code: NULL and *error, one of the two, or the code. */
PsSassCode *sass_read(GBytes *cubin, GBytes *json, const char *kernel, PsSassImage **image,
                      GError **error);

#endif
