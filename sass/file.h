/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The cubins of a file: it is one, or has some in it, as fat binaries, objects, libraries and
 * programs do. They are found by how they begin, wherever they stand, so that what is around them
 * need not be known. Compressed ones are not found.
 */
#ifndef PIPESIM_SASS_FILE_H
#define PIPESIM_SASS_FILE_H

#include "sass/image.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* TRUE if the bytes begin as one of these files does. */
gboolean ps_sass_is_file(const void *bytes, gsize size);

/* A file's cubins, PsSassImage: those that have kernels and can be read, at least one. The caller
 * frees the array, which owns them. NULL and *error: there is none (PS_ERROR_READ), or what is
 * wrong with the first (as ps_sass_image_new). */
GPtrArray *ps_sass_images_new(GBytes *file, const char *name, GError **error);

/* The first kernel of that name in images, and in *image whose it is. NULL: none has one. */
const PsSassKernel *ps_sass_images_kernel(const GPtrArray *images, const char *name,
                                          PsSassImage **image);

/* TRUE if the file has cubins that are compressed, which ps_sass_images_new does not find. */
gboolean ps_sass_has_packed(GBytes *file);

/* Keeps those for one architecture, the one that suits a GPU: its own (86), else the latest before
 * it of the same generation, whose code it runs, else the next one, else the latest; that for 0 as
 * well. "sm_75, sm_80 and sm_90" (g_free) if there were several, else NULL. */
char *ps_sass_images_choose(GPtrArray *images, guint architecture);

#pragma GCC visibility pop
G_END_DECLS
#endif
