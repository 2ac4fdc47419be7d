/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The versions of PTX and the architectures that this program was checked with. Newer ones are read
 * as well: most of them will be similar, but that was not checked. A version adds to the earlier
 * ones with the same major number, so such a version is reported only beside an instruction that is
 * not known.
 */
#include "ptx/parser.h"

#include <string.h>

#define NEWEST_MAJOR 9
#define NEWEST_MINOR 0

/* Ascending; the last one is the newest. */
static const guint architectures[] = {10, 11, 12, 13,  20,  21,  30,  32,  35, 37, 50,
                                      52, 53, 60, 61,  62,  70,  72,  75,  80, 86, 87,
                                      88, 89, 90, 100, 101, 103, 110, 120, 121};

void ps_ptx_check_version(PsPtxParser *parser)
{
    parser->version_line = parser->token_line;
    if (parser->module->version_major > NEWEST_MAJOR)
        ps_ptx_tell_newer(parser);
}

void ps_ptx_tell_newer(PsPtxParser *parser)
{
    const PsPtxModule *module = parser->module;
    if (module->version_major < NEWEST_MAJOR ||
        (module->version_major == NEWEST_MAJOR && module->version_minor <= NEWEST_MINOR))
        return;
    ps_ptx_warn(parser, parser->version_line, ".version",
                "PTX %u.%u is newer than %d.%d, the newest version that pipesim knows; what is "
                "new in it may be read wrongly",
                module->version_major, module->version_minor, NEWEST_MAJOR, NEWEST_MINOR);
}

/* sm_90, sm_90a, sm_100f */
static gboolean is_known(const char *target)
{
    char *end;
    if (!g_str_has_prefix(target, "sm_") || !g_ascii_isdigit(target[3]))
        return FALSE;
    const guint64 number = g_ascii_strtoull(target + 3, &end, 10);
    if (*end && strcmp(end, "a") != 0 && strcmp(end, "f") != 0)
        return FALSE;
    for (gsize i = 0; i < G_N_ELEMENTS(architectures); i++)
        if (architectures[i] == number)
            return TRUE;
    return FALSE;
}

void ps_ptx_check_target(PsPtxParser *parser)
{
    if (!is_known(parser->module->target))
        ps_ptx_warn(parser, parser->target_line, ".target",
                    "%s is no architecture that pipesim knows; the newest known one is sm_%u",
                    parser->module->target, architectures[G_N_ELEMENTS(architectures) - 1]);
}

/* Clang names the address of a kernel's own array in local memory "k.array", which PTX does not
 * have: it becomes 0. */
static void drop_addresses(char *text)
{
    for (char *line = strstr(text, "\n.b64 "); line; line = strstr(line + 1, "\n.b64 ")) {
        char *name = line + strlen("\n.b64 ");
        const gsize length = strcspn(name, "\n");
        if (*name == '.' || g_ascii_isdigit(*name) || !memchr(name, '.', length))
            continue;
        memset(name, ' ', length);
        *name = '0';
    }
}

void ps_ptx_drop_debug(char *text)
{
    static const char word[] = ", debug";
    char *line = g_str_has_prefix(text, ".target ") ? text : strstr(text, "\n.target ");
    char *at = line ? strstr(line + 1, word) : NULL;
    if (at && at < line + 1 + strcspn(line + 1, "\n"))
        memset(at, ' ', strlen(word));
    drop_addresses(text);
}
