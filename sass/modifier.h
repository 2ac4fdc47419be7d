/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The meaning of an opcode's modifiers in PTX. A row's text has <ROUND> and the like for lists that
 * are here, and its own choices, <A:x|B:y|z>.
 */
#ifndef PIPESIM_SASS_MODIFIER_H
#define PIPESIM_SASS_MODIFIER_H

#include <glib.h>

G_BEGIN_DECLS

/* Appends the value of a placeholder, whose inside is `at`, for the opcode's modifiers (`parts`:
 * the opcode, its modifiers, NULL). */
void ps_sass_modifier_say(char *const *parts, GString *text, const char *at, gsize length);

/* TRUE if what is said depends on the modifier, by one of the text's placeholders. */
gboolean ps_sass_modifier_matters(const char *text, const char *modifier);

G_END_DECLS
#endif
