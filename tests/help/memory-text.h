/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The text of a description with a memory, and others that differ from it in one thing.
 */
#ifndef PIPESIM_TESTS_HELP_MEMORY_TEXT_H
#define PIPESIM_TESTS_HELP_MEMORY_TEXT_H

#include "gpu/gpu.h"

/* Its lines are numbered, for messages. */
extern const char memory_good[];

/* A text read as x.xml, or NULL and the error. */
PsGpu *memory_parse(const char *text, GError **error);

/* The good text with one thing replaced, which must be there once. */
PsGpu *memory_parse_with(const char *old, const char *new, GError **error);
PsGpu *memory_parse_good(const char *old, const char *new);

#endif
