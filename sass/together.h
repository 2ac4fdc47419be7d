/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels of several cubins in one file, for a disassembler that takes longer to start than to list
 * a kernel: nvdisasm reads its tables for half a second, and lists a small kernel in a hundredth of
 * that. What it lists of the file is then taken apart.
 */
#ifndef PIPESIM_SASS_TOGETHER_H
#define PIPESIM_SASS_TOGETHER_H

#include "sass/image.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Joins several cubins for one architecture (GBytes, as ps_sass_image_alone makes them) into one.
 * Symbols and sections of each have a mark of its number behind their names, since most have the
 * same names. NULL: one of them cannot be read. */
GBytes *ps_sass_together(const GPtrArray *cubins);

/* Takes the listing apart into those of each of `n` such cubins, as if alone: GString, or NULL if
 * it has none. The caller frees the array, which owns them. NULL: the text is no listing. */
GPtrArray *ps_sass_apart(const char *json, gsize length, guint n);

#pragma GCC visibility pop
G_END_DECLS
#endif
