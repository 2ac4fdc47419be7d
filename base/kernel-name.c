/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Short names of kernels. Profilers give demangled signatures, "void a::f<32>(float const*, int)",
 * in which parameters and namespaces take more room than what distinguishes the kernels.
 */
#include "base/kernel-name.h"

#include <string.h>

/* Where the list of parameters begins; NULL if the name has none. What may stand behind it, as
 * " const" and " [clone .kd]", begins with a blank. */
static const char *parameters_of(const char *name)
{
    const char *end = strrchr(name, ')');
    if (!end || (end[1] && end[1] != ' '))
        return NULL;
    guint depth = 0;
    for (const char *c = end; c > name; c--) {
        if (*c == ')')
            depth++;
        if (*c == '(' && --depth == 0)
            return c[-1] == ' ' || g_str_has_suffix(name, "operator()") ? NULL : c;
    }
    return NULL;
}

/* The start of what stands behind the last "::" that is outside all brackets. */
static const char *behind_scopes(const char *name)
{
    const char *last = name;
    guint depth = 0;
    for (const char *c = name; *c; c++) {
        if (strchr("<({", *c))
            depth++;
        else if (strchr(">)}", *c) && depth > 0)
            depth--;
        else if (depth == 0 && g_str_has_prefix(c, "::") && c[2])
            last = c + 2;
    }
    return g_str_has_prefix(last, "operator") ? name : last;
}

char *ps_kernel_short_name(const char *name, gboolean with_scopes)
{
    static const char result[] = "void ";
    const char *parameters = parameters_of(name);
    if (!parameters)
        return g_strdup(name);
    const char *start = g_str_has_prefix(name, result) ? name + strlen(result) : name;
    g_autofree char *bare = g_strndup(start, (gsize)(parameters - start));
    return g_strdup(with_scopes ? bare : behind_scopes(bare));
}
