/* SPDX-License-Identifier: BSD-3-Clause */
/* ptxas: its messages about PTX, and its machine code. See toolchain.h. */
#include "code/toolchain.h"

#include "code/assembler.h"
#include "code/kept.h"
#include "code/tool-run.h"
#include "code/toolkit.h"
#include "sass/image.h"

#include <string.h>

/* ---- registers ----------------------------------------------------------------------------- */

/* The number in "Compiling entry function 'NAME' for ..." and the next "Used N registers"; none if
 * ptxas failed. */
static gint64 find_registers(const char *said, const char *kernel)
{
    static const char used[] = ": Used ";
    g_autofree char *start = g_strdup_printf("entry function '%s'", kernel);
    const char *at = strstr(said, start);
    at = at ? strstr(at, used) : NULL;
    return at ? g_ascii_strtoll(at + strlen(used), NULL, 10) : 0;
}

/* ptxas's messages on the text, whose machine code goes to `out` (g_free); NULL and *error if it
 * could not run. */
static char *ask_ptxas(const PsCodeOptions *build, const char *ptxas, const char *ptx,
                       const char *target, const char *out, GError **error)
{
    g_autofree char *arch = g_strdup_printf("-arch=%s", target);
    g_autoptr(GBytes) bytes = g_bytes_new_static(ptx, strlen(ptx));
    char *draft = ps_tool_file(build->host.tools, ".ptx", bytes, error);
    g_auto(GStrv) options = ps_assembler_options(build->compiler);
    g_autoptr(GPtrArray) argv = g_ptr_array_new_with_free_func(g_free);
    ps_code_add_words(argv, (const char *const[]){ptxas, "-v", "-lineinfo", arch, NULL});
    ps_code_add_words(argv, (const char *const *)options);
    ps_code_add_words(argv, (const char *const[]){draft ? draft : "", "-o", out, NULL});
    g_ptr_array_add(argv, NULL);
    g_autoptr(GString) said = g_string_new(NULL);
    g_autoptr(GError) why = NULL;
    const PsTool tool = {.host = build->host.tools,
                         .argv = (char **)argv->pdata,
                         .said = said,
                         .hearer = build->host.hearer};
    const gboolean asked = draft && (ps_tool_run(&tool, &why) || why->domain == G_SPAWN_EXIT_ERROR);
    ps_tool_file_remove(build->host.tools, draft);
    if (asked)
        return g_strdup(said->str);
    if (g_error_matches(why, PS_ERROR, PS_ERROR_CANCELLED))
        g_propagate_error(error, g_steal_pointer(&why));
    else if (why)
        g_propagate_prefixed_error(error, g_steal_pointer(&why), "ptxas: ");
    return NULL;
}

/* The version 9.0 in "Unsupported .version 9.4; current version is '9.0'" (g_free); else NULL. */
static char *newest_version(const char *said)
{
    static const char start[] = "current version is '";
    const char *at = strstr(said, "Unsupported .version") ? strstr(said, start) : NULL;
    at = at ? at + strlen(start) : "";
    const gsize length = strspn(at, G_CSET_DIGITS ".");
    return length ? g_strndup(at, length) : NULL;
}

/* The same text with that version (g_free). */
static char *with_version(const char *ptx, const char *version)
{
    g_autoptr(GRegex) line =
        g_regex_new("^(\\s*\\.version\\s+)[0-9.]+", G_REGEX_MULTILINE | G_REGEX_RAW, 0, NULL);
    g_autofree char *by = g_strdup_printf("\\g<1>%s", version);
    return g_regex_replace(line, ptx, -1, 0, by, 0, NULL);
}

static gint64 tell_registers(char *said, const char *kernel, GError **error)
{
    const gint64 registers = find_registers(said, kernel);
    if (!registers) {
        /* Its first line suffices. */
        said[strcspn(said, "\n")] = '\0';
        g_set_error(error, PS_ERROR, PS_ERROR_READ, "ptxas does not tell the registers of %s: %s",
                    kernel, *said ? said : "it says nothing");
    }
    return registers;
}

/* The ptxas for a target (g_free): the first that exists; for chips that CUDA 13 does not know, one
 * that knows the chip. NULL: there is none. */
static char *find_ptxas(const PsCodeOptions *build, const char *target)
{
    const guint64 chip =
        target && g_str_has_prefix(target, "sm_") ? g_ascii_strtoull(target + 3, NULL, 10) : 0;
    char *older = chip && chip < PS_SASS_FIRST_OF_CUDA_13
                      ? ps_toolkit_for(build, "ptxas", (guint)chip)
                      : NULL;
    g_autoptr(GPtrArray) all = ps_toolkit_all("ptxas");
    return older || !all->len ? older : g_strdup(all->pdata[0]);
}

/* ptxas's messages (g_free); it runs again if the PTX is too new for it. */
static char *assemble(const PsCodeOptions *build, const char *ptx, const char *target,
                      const char *out, char **version, GError **error)
{
    g_autofree char *ptxas = find_ptxas(build, target);
    *version = NULL;
    if (!ptxas) {
        g_autofree char *folder = ps_toolkit_folder();
        g_set_error(error, PS_ERROR, PS_ERROR_READ,
                    "there is no ptxas, which was looked for on PATH and in %s "
                    "(Debian's package nvidia-cuda-toolkit, in non-free, or NVIDIA's CUDA toolkit)",
                    folder);
        return NULL;
    }
    char *said = ask_ptxas(build, ptxas, ptx, target, out, error);
    *version = said ? newest_version(said) : NULL;
    if (*version) {
        g_autofree char *older = with_version(ptx, *version);
        g_free(said);
        said = ask_ptxas(build, ptxas, older, target, out, error);
    }
    return said;
}

/* The key of ptxas's result for the PTX. */
static GChecksum *ptxas_key(const PsCodeOptions *build, const char *kind, const char *ptx,
                            const char *target)
{
    g_autofree char *ptxas = find_ptxas(build, target);
    g_auto(GStrv) options = ps_assembler_options(build->compiler);
    GChecksum *key = ps_store_key_new(kind);
    ps_store_key_add_program(key, ptxas);
    ps_store_key_add(key, target);
    ps_store_key_add(key, ptx);
    ps_store_key_add_list(key, (const char *const *)options);
    return key;
}

/* The version of PTX ("" for the module's own), a zero, and the result. */
static GBytes *kept_result(const char *version, gconstpointer data, gsize size)
{
    g_autoptr(GByteArray) all = g_byte_array_new();
    g_byte_array_append(all, (const guint8 *)(version ? version : ""),
                        (guint)strlen(version ? version : "") + 1);
    g_byte_array_append(all, data, (guint)size);
    return g_byte_array_free_to_bytes(g_steal_pointer(&all));
}

/* Takes the result apart. NULL: it is damaged. */
static GBytes *take_result(GBytes *kept, char **version)
{
    gsize size = 0;
    const char *data = kept ? g_bytes_get_data(kept, &size) : NULL;
    const char *end = size ? memchr(data, '\0', size) : NULL;
    if (!end)
        return NULL;
    const gsize start = (gsize)(end + 1 - data);
    *version = *data ? g_strdup(data) : NULL;
    return g_bytes_new_from_bytes(kept, start, size - start);
}

/* PTX has no spills. */
static void warn_of_spills(const PsCodeOptions *build, const char *said, const char *kernel)
{
    g_autofree char *spills = ps_assembler_spills(said, kernel);
    g_autofree char *text =
        g_strdup_printf("ptxas keeps registers in memory (spills: %s in a thread's code), and PTX "
                        "has no such accesses, so the time is too short; machine code has them",
                        spills);
    if (spills)
        ps_code_warn(build, text);
}

gint64 ps_toolchain_count_registers(const PsCodeOptions *build, const char *ptx, const char *kernel,
                                    const char *target, char **version, GError **error)
{
    g_autoptr(GChecksum) key = ptxas_key(build, "registers 1", ptx, target);
    g_autoptr(GBytes) kept = ps_kept_find(build, key, NULL), result = take_result(kept, version);
    g_autofree char *said =
        result ? g_strndup(g_bytes_get_data(result, NULL), g_bytes_get_size(result))
               : assemble(build, ptx, target, "/dev/null", version, error);
    const gint64 registers = said ? tell_registers(said, kernel, error) : 0;
    if (!registers) {
        g_clear_pointer(version, g_free);
        return 0;
    }
    warn_of_spills(build, said, kernel);
    if (!result) {
        g_autoptr(GBytes) made = kept_result(*version, said, strlen(said));
        ps_kept_put(build, key, NULL, made);
    }
    return registers;
}

/* The message on the text: "... line 19; error   : Arguments mismatch". FALSE: none, or the text
 * was changed to an older version for this ptxas. */
static gboolean refuses_text(const char *said, const char *version, GError **error)
{
    g_autoptr(GRegex) line =
        g_regex_new("line (\\d+); (?:error|fatal) *: *([^\n]*)", G_REGEX_RAW, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    if (version || !g_regex_match(line, said, 0, &match))
        return FALSE;
    g_autofree char *number = g_match_info_fetch(match, 1), *why = g_match_info_fetch(match, 2);
    g_autofree char *valid = g_utf8_make_valid(why, -1);
    g_set_error(error, PS_ERROR, PS_ERROR_SYNTAX, "ptxas refuses line %s of the PTX: %s", number,
                valid);
    return TRUE;
}

/* Runs ptxas, whatever is kept. */
static GBytes *make_cubin(const PsCodeOptions *build, const char *ptx, const char *target,
                          char **version, GError **error)
{
    char *draft = ps_tool_file(build->host.tools, ".cubin", NULL, error), *data = NULL;
    gsize size = 0;
    *version = NULL;
    g_autofree char *said = draft ? assemble(build, ptx, target, draft, version, error) : NULL;
    const gboolean made = said && g_file_get_contents(draft, &data, &size, NULL) && size > 0;
    if (said && !made && !refuses_text(said, *version, error)) {
        said[strcspn(said, "\n")] = '\0';
        g_set_error(error, PS_ERROR, PS_ERROR_READ, "ptxas makes no machine code for %s: %s",
                    target, *said ? said : "it says nothing");
    }
    ps_tool_file_remove(build->host.tools, draft);
    if (made)
        return g_bytes_new_take(data, size);
    g_free(data);
    g_clear_pointer(version, g_free);
    return NULL;
}

GBytes *ps_toolchain_make_cubin(const PsCodeOptions *build, const char *ptx, const char *target,
                                char **version, GError **error)
{
    g_autoptr(GChecksum) key = ptxas_key(build, "cubin 1", ptx, target);
    g_autoptr(GBytes) kept = ps_kept_find(build, key, NULL);
    GBytes *known = take_result(kept, version);
    if (known)
        return known;
    GBytes *cubin = make_cubin(build, ptx, target, version, error);
    if (cubin) {
        gsize size;
        gconstpointer data = g_bytes_get_data(cubin, &size);
        g_autoptr(GBytes) made = kept_result(*version, data, size);
        ps_kept_put(build, key, NULL, made);
    }
    return cubin;
}

char *ps_toolchain_name_ptxas(const PsToolHost *tools, GError **error)
{
    g_autoptr(GPtrArray) all = ps_toolkit_all("ptxas");
    char *ptxas = all->len ? all->pdata[0] : NULL;
    g_autoptr(GString) said = g_string_new(NULL);
    g_autoptr(GRegex) version = g_regex_new("\\bV([0-9]+(\\.[0-9]+)+)", G_REGEX_RAW, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    char *argv[] = {ptxas, (char[]){"--version"}, NULL};
    const PsTool tool = {.host = tools, .argv = argv, .written = said};
    if (ptxas && ps_tool_run(&tool, NULL) && g_regex_match(version, said->str, 0, &match)) {
        g_autofree char *number = g_match_info_fetch(match, 1);
        return g_strconcat("ptxas ", number, NULL);
    }
    g_set_error(error, PS_ERROR, PS_ERROR_READ,
                "ptxas --version does not tell its version, which is the source of what it tells");
    return NULL;
}
