/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The plain name of a function or variable that C++ mangled (Itanium ABI): without namespaces,
 * template arguments and parameters. It is the last identifier of the nested name, so template
 * arguments need not be understood, just passed over.
 */
#include "ptx/instruction.h"
#include <string.h>

#define MAX_DEPTH 62

typedef struct {
    const char *at;
    const char *name; /* the last identifier */
    gsize length;
} Mangled;

/* <length><characters> */
static gboolean identifier(Mangled *mangled)
{
    char *end;
    if (!g_ascii_isdigit(*mangled->at))
        return FALSE;
    const guint64 length = g_ascii_strtoull(mangled->at, &end, 10);
    if (length == 0 || length > strlen(end))
        return FALSE;
    mangled->name = end;
    mangled->length = (gsize)length;
    mangled->at = end + length;
    return TRUE;
}

/* S_, S0_, St, Sa, ...: a substitution. */
static gboolean substitution(Mangled *mangled)
{
    if (mangled->at[0] != 'S' || !mangled->at[1])
        return FALSE;
    mangled->at++;
    if (strchr("tabsiod", *mangled->at)) {
        mangled->at++;
        return TRUE;
    }
    while (g_ascii_isdigit(*mangled->at) || g_ascii_isupper(*mangled->at))
        mangled->at++;
    if (*mangled->at != '_')
        return FALSE;
    mangled->at++;
    return TRUE;
}

/* Passes over the value of a literal, which may begin with digits. */
static gboolean literal_value(Mangled *mangled)
{
    const char *end = strchr(mangled->at, 'E');
    if (end)
        mangled->at = end + 1;
    return end != NULL;
}

/* The place in constructs that end in E: template arguments (I...E), literals (L...E), expressions
 * (X...E), packs (J...E), functions (F...E), nested names (N...E). */
typedef struct {
    guint depth;
    guint64 typed; /* bit d: at that depth is the type of a literal, LN...E<value>E */
} Nest;

/* Passes over a letter that begins or ends one of these, or does neither. */
static gboolean letter_of_nest(Mangled *mangled, Nest *nest)
{
    const char letter = *mangled->at++;
    const guint64 here = (guint64)1 << nest->depth;
    const gboolean typed = letter == 'E' && (nest->typed & here);
    if (strchr("INXJF", letter))
        nest->depth++;
    if (letter == 'E')
        nest->depth--;
    if (typed)
        nest->typed &= ~here;
    return !typed || literal_value(mangled);
}

/* Passes over I...E and everything in it; identifiers may contain any of these letters. */
static gboolean template_arguments(Mangled *mangled)
{
    Nest nest = {0, 0};
    gboolean good = TRUE;
    do {
        const char letter = *mangled->at;
        if (!letter || nest.depth >= MAX_DEPTH)
            return FALSE;
        if (letter == 'L' && mangled->at[1] == 'N') {
            mangled->at += 2;
            nest.typed |= (guint64)1 << ++nest.depth;
        } else if (letter == 'L' && mangled->at[1] != '_') {
            good = literal_value(mangled);
        } else if (g_ascii_isdigit(letter)) {
            good = identifier(mangled);
        } else if (letter == 'S') {
            good = substitution(mangled);
        } else {
            good = letter_of_nest(mangled, &nest);
        }
    } while (good && nest.depth > 0);
    return good;
}

/* Passes over all before the last identifier: qualifiers, substitutions, template arguments. */
static void prefixes(Mangled *mangled)
{
    for (;;) {
        const char letter = *mangled->at;
        if (letter == 'I' && mangled->name) {
            const Mangled before = *mangled;
            const gboolean passed = template_arguments(mangled);
            mangled->name = before.name;
            mangled->length = before.length;
            if (!passed)
                return;
        } else if (letter == 'S') {
            if (!substitution(mangled))
                return;
        } else if (letter && strchr("LKVrRO", letter)) {
            mangled->at++;
        } else if (!identifier(mangled)) {
            return;
        }
    }
}

/* The name of a variable in a function: _ZZ <function> E <length><name>, with _1 or __12_ behind it
 * where there are several. It is the identifier behind an E that fills the rest exactly. */
static char *of_function(const char *name)
{
    const char *end = name + strlen(name);
    const char *number = end;
    if (number[-1] == '_') /* __12_ */
        number--;
    while (g_ascii_isdigit(number[-1]))
        number--;
    if (number[-1] == '_' && number < end)
        end = number - (end[-1] == '_' ? 2 : 1);
    for (const char *at = strchr(name, 'E'); at && at < end; at = strchr(at + 1, 'E')) {
        char *start;
        if (!g_ascii_isdigit(at[1]))
            continue;
        const guint64 length = g_ascii_strtoull(at + 1, &start, 10);
        const gsize rest = strlen(start);
        if (length > 0 && (length == rest || length + strlen(end) == rest))
            return g_strndup(start, length);
    }
    return NULL;
}

/* The name of a variable in a function from older versions of nvcc:
 * __cuda_local_var_<number>_<number>_non_const_<name>. */
static const char *of_cuda(const char *name)
{
    const char *at = strstr(name, "_non_const_");
    return g_str_has_prefix(name, "__cuda_local_var_") && at ? at + strlen("_non_const_") : name;
}

char *ps_ptx_plain_name(const char *name)
{
    if (!g_str_has_prefix(name, "_Z"))
        return g_strdup(of_cuda(name));
    Mangled mangled = {.at = name + 2};
    if (*mangled.at == 'Z') {
        char *inner = of_function(name);
        return inner ? inner : g_strdup(name);
    }
    if (*mangled.at == 'L')
        mangled.at++;
    if (*mangled.at == 'N') {
        mangled.at++;
        prefixes(&mangled);
    } else {
        if (g_str_has_prefix(mangled.at, "St"))
            mangled.at += 2;
        identifier(&mangled);
    }
    return mangled.name ? g_strndup(mangled.name, mangled.length) : g_strdup(name);
}
