/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What C++ calls a function that it mangled (Itanium ABI): the name alone, without namespaces,
 * template arguments and parameters. That needs no more than the nested name's last identifier, so
 * template arguments are passed over, not understood.
 */
#include "idg/ptx/ptx.h"
#include <string.h>

#define MAX_DEPTH 64

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

/* I...E with whatever is in it. Literals (L...E), expressions (X...E), packs (J...E) and nested
 * names (N...E) end in E, too; identifiers may hold any of these letters. */
static gboolean template_arguments(Mangled *mangled)
{
    const Mangled before = *mangled;
    guint depth = 0;

    do {
        const char letter = *mangled->at;
        if (!letter || depth > MAX_DEPTH)
            return FALSE;
        if (letter == 'L' &&
            mangled->at[1] != '_') { /* a literal: its value may begin with digits */
            const char *end = strchr(mangled->at, 'E');
            if (!end)
                return FALSE;
            mangled->at = end + 1;
        } else if (g_ascii_isdigit(letter)) {
            if (!identifier(mangled))
                return FALSE;
        } else if (letter == 'S') {
            if (!substitution(mangled))
                return FALSE;
        } else {
            if (strchr("INXJF", letter))
                depth++;
            if (letter == 'E')
                depth--;
            mangled->at++;
        }
    } while (depth > 0);
    mangled->name = before.name;
    mangled->length = before.length;
    return TRUE;
}

/* What is around the last identifier: qualifiers, substitutions, template arguments. */
static void prefixes(Mangled *mangled)
{
    for (;;) {
        const char letter = *mangled->at;
        if (letter == 'I' && mangled->name) {
            if (!template_arguments(mangled))
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

char *ps_ptx_plain_name(const char *name)
{
    const char *start = g_str_has_prefix(name, "_Z") ? name + 2 : NULL;
    Mangled mangled = {.at = start};

    if (!start)
        return g_strdup(name);
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
