/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The name of an XML text's root element, to tell graphs from GPU descriptions before either's
 * reader sees the text. It is no parser: a text that it cannot follow is left to a reader, which
 * reports the fault.
 */
#ifndef PIPESIM_BASE_ROOT_H
#define PIPESIM_BASE_ROOT_H

#include <glib.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The root element's name without a prefix (g_free); NULL if none is found. */
char *ps_root_element(const char *text, gsize length);

#pragma GCC visibility pop
G_END_DECLS
#endif
