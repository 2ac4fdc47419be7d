/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The arguments of a function in a Python source, and from them the names of a kernel's parameters.
 * Triton passes the arguments that are no constants of the compiler, followed by up to two
 * addresses of its own; Numba passes an array as several values (roles.c).
 */
#include "ptx/python.h"

#include <string.h>

/* TRUE for characters of a name; bytes of UTF-8 beyond ASCII count as letters. */
static gboolean is_word(char c)
{
    return g_ascii_isalnum(c) || c == '_' || (guint8)c >= 0x80;
}

/* ---- the definition ------------------------------------------------------------------------- */

/* The end of the string that begins at `at`. */
static const char *behind_string(const char *at)
{
    const char quote = *at;
    const gboolean thrice = at[1] == quote && at[2] == quote;
    for (at += thrice ? 3 : 1; *at; at++)
        if (*at == '\\' && at[1])
            at++;
        else if (*at == quote && (!thrice || (at[1] == quote && at[2] == quote)))
            return at + (thrice ? 3 : 1);
    return at;
}

/* The "(" of the arguments of `def function`, from `at` on; NULL where there is none. */
static const char *find_definition(const char *at, const char *text, const char *function)
{
    while ((at = strstr(at, "def")) != NULL) {
        const gboolean begins = at == text || !is_word(at[-1]);
        const char *name = at + 3 + strspn(at + 3, " \t");
        at += 3;
        if (!begins || name == at || !g_str_has_prefix(name, function))
            continue;
        const char *open = name + strlen(function);
        open += strspn(open, " \t");
        if (*open == '(')
            return open;
    }
    return NULL;
}

/* The texts between the commas from the "(" on, without comments (g_strfreev); NULL where the list
 * has no end. */
static char **split_arguments(const char *open)
{
    g_autoptr(GPtrArray) parts = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GString) part = g_string_new(NULL);
    guint depth = 0;
    for (const char *at = open + 1; *at;) {
        if (*at == '#') {
            at += strcspn(at, "\n");
            continue;
        }
        if (*at == '"' || *at == '\'') {
            const char *end = behind_string(at);
            g_string_append_len(part, at, end - at);
            at = end;
            continue;
        }
        const gboolean ends = depth == 0 && *at == ')';
        if (ends || (depth == 0 && *at == ',')) {
            g_ptr_array_add(parts, g_strstrip(g_strdup(part->str)));
            g_string_truncate(part, 0);
        } else {
            g_string_append_c(part, *at);
        }
        if (ends) {
            g_ptr_array_add(parts, NULL);
            return (char **)g_ptr_array_free(g_steal_pointer(&parts), FALSE);
        }
        depth += strchr("([{", *at) != NULL;
        depth -= strchr(")]}", *at) != NULL && depth > 0;
        at++;
    }
    return NULL;
}

/* The name in `x: tl.tensor = None`; NULL: there is no name, or one of several arguments (*args).
 */
static char *name_of(const char *part)
{
    gsize length = 0;
    while (is_word(part[length]))
        length++;
    return length && !g_ascii_isdigit(*part) ? g_strndup(part, length) : NULL;
}

static gboolean is_constant(const char *part)
{
    g_autofree char *stated = g_strndup(part, strcspn(part, "="));
    const char *annotation = strchr(stated, ':');
    return annotation && strstr(annotation, "constexpr");
}

/* The names of the arguments that are no constants; NULL where that is not known of some
 * argument. */
static GPtrArray *read_definition(const char *open)
{
    g_auto(GStrv) parts = split_arguments(open);
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; parts && parts[i]; i++) {
        /* an empty part follows a comma at the end; "/" and "*" alone only separate arguments */
        if (!*parts[i] || strcmp(parts[i], "/") == 0 || strcmp(parts[i], "*") == 0 ||
            is_constant(parts[i]))
            continue;
        char *name = name_of(parts[i]);
        if (!name)
            return NULL;
        g_ptr_array_add(names, name);
    }
    return parts ? g_steal_pointer(&names) : NULL;
}

/* ---- Triton --------------------------------------------------------------------------------- */

static gboolean is_unread_address(const PsPtxFunction *kernel, guint number)
{
    const PsPtxVariable *param = kernel->params->pdata[number];
    return param->pointer && !ps_ptx_is_read(kernel, param);
}

/* The number of parameters at the end that are Triton's own, if the others are the `named`
 * arguments: by Triton's version 0, 1 or 2. Arguments whose value was compiled in (1, None) are
 * missing. So where several numbers are possible, addresses at the end that no instruction reads
 * are Triton's. -1: no number fits. */
static int count_scratch(const PsPtxFunction *kernel, guint named)
{
    const guint n = kernel->params->len;
    guint unread = 0;
    while (unread < 2 && unread < n && is_unread_address(kernel, n - 1 - unread))
        unread++;
    if (n == named + 2 || (n == named + 1 && unread == 1) || (n == named && unread == 0))
        return (int)(n - named);
    return -1;
}

static char **triton_names(const PsPtxFunction *kernel, GPtrArray *names)
{
    static const char *const own[] = {PS_PTX_GLOBAL_SCRATCH, PS_PTX_PROFILE_SCRATCH};
    const int scratch = count_scratch(kernel, names->len);
    for (int i = 0; i < scratch; i++)
        g_ptr_array_add(names, g_strdup(own[i]));
    g_ptr_array_add(names, NULL);
    return scratch < 0 ? NULL : g_strdupv((char **)names->pdata);
}

/* ---- both ----------------------------------------------------------------------------------- */

char **ps_ptx_python_names(const PsPtxFunction *kernel, const char *source, gsize length)
{
    g_autofree char *text = g_strndup(source ? source : "", source ? length : 0);
    g_autofree char *function = ps_ptx_numba_function(kernel);
    char **names = NULL;
    const char *open = text;
    while (!names &&
           (open = find_definition(open, text, function ? function : kernel->name)) != NULL) {
        g_autoptr(GPtrArray) arguments = read_definition(open);
        if (arguments)
            names =
                function ? ps_ptx_numba_names(kernel, arguments) : triton_names(kernel, arguments);
    }
    return names || !function ? names : ps_ptx_numba_names(kernel, NULL);
}
