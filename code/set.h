/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets options by their names, as the command line and bindings give them. */
#ifndef PIPESIM_CODE_SET_H
#define PIPESIM_CODE_SET_H

#include "code/options.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Sets the option of that name (code.h has the list) but for those that may be given several times.
 * The value is borrowed; NULL takes the option back. FALSE and *error (PS_ERROR_USAGE). */
gboolean ps_code_set(PsCodeOptions *options, const char *name, const char *value, GError **error);

/* FALSE and *error for options that do not go together. */
gboolean ps_code_check(const PsCodeOptions *options, GError **error);

/* The words of compiler-options, as a shell reads them (g_strfreev; NULL: there is no text). FALSE
 * and *error if it cannot. */
gboolean ps_code_words(const PsCodeOptions *options, const char *text, char ***words,
                       GError **error);

/* Opens the store of kept results in the folder that the environment names: PIPESIM_CACHE, of at
 * most PIPESIM_CACHE_SIZE bytes. NULL and *error for a size that is none. */
PsStore *ps_code_store(GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
