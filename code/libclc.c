/* SPDX-License-Identifier: BSD-3-Clause */
/* See libclc.h. */
#include "code/libclc.h"

#include "ptx/source-names.h"

#include <string.h>

/* Functions for which libclc has portable code, in place of a device's own instructions for powers,
 * logarithms and sines. */
static const char *const functions[] = {
    "acos",   "acosh", "asin",   "asinh", "atan",  "atan2", "atanh", "cbrt",  "cos",
    "cosh",   "cospi", "erf",    "erfc",  "exp",   "exp10", "exp2",  "expm1", "fmod",
    "lgamma", "log",   "log10",  "log1p", "log2",  "pow",   "pown",  "powr",  "remainder",
    "rootn",  "sin",   "sincos", "sinh",  "sinpi", "tan",   "tanh",  "tgamma"};

static gboolean is_word(char c)
{
    return g_ascii_isalnum(c) || c == '_';
}

/* TRUE if the source calls that function, or one of its own of that name. */
static gboolean calls(const char *plain, const char *name)
{
    const gsize length = strlen(name);
    for (const char *at = plain; (at = strstr(at, name)); at += length) {
        const char *behind = at + length + strspn(at + length, " \t\r\n");
        const gboolean whole = !is_word(at[length]) && (at == plain || !is_word(at[-1]));
        if (whole && *behind == '(' && (at == plain || at[-1] != '.'))
            return TRUE;
    }
    return FALSE;
}

char *ps_libclc_warning(const char *path, const char *source)
{
    g_autofree char *plain = ps_ptx_plain_source(source, strlen(source));
    g_autoptr(GString) names = g_string_new(NULL);
    for (guint i = 0; i < G_N_ELEMENTS(functions); i++)
        if (calls(plain, functions[i]))
            g_string_append_printf(names, "%s%s", names->len ? ", " : "", functions[i]);
    return names->len == 0
               ? NULL
               : g_strdup_printf("%s: these functions are libclc's, which take up to seven times "
                                 "as long as CUDA's, and which no vendor's compiler takes: %s; "
                                 "the time may be shorter on a device",
                                 path, names->str);
}
