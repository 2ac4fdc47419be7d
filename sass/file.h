/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The cubins of a file, which is a cubin or contains some, as fat binaries, objects, libraries and
 * programs do. They are found by their first bytes, wherever they stand, so that the file's format
 * need not be known. Compressed cubins are not found.
 */
#ifndef PIPESIM_SASS_FILE_H
#define PIPESIM_SASS_FILE_H

#include "sass/image.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* TRUE if the bytes begin as one of these files does. */
gboolean ps_sass_is_file(const void *bytes, gsize size);

/* A file's cubins, PsSassImage: those that have kernels and can be read, at least one. The caller
 * frees the array, which owns them. NULL and *error if there is none (PS_ERROR_READ), or the first
 * one is wrong (as ps_sass_image_new). */
GPtrArray *ps_sass_images_new(GBytes *file, const char *name, GError **error);

/* The first kernel of that name in the images; *image becomes the image that has it. NULL: none has
 * one. */
const PsSassKernel *ps_sass_images_kernel(const GPtrArray *images, const char *name,
                                          PsSassImage **image);

/* TRUE if the file has cubins that are compressed, which ps_sass_images_new does not find. */
gboolean ps_sass_has_packed(GBytes *file);

/* Keeps the images of one architecture, the best for a GPU: its own (86), else the latest before it
 * of the same generation, whose code it runs, else the next one, else the latest; for 0 the latest.
 * Returns "sm_75, sm_80 and sm_90" (g_free) if there were several, else NULL. */
char *ps_sass_images_choose(GPtrArray *images, guint architecture);

#pragma GCC visibility pop
G_END_DECLS
#endif
