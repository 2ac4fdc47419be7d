/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See toolchain.h. Compilers write to a file that a signal removes (base/tool.h). Whoever has a
 * function of its own to run them (PsCodeHost.compile) lets signals wait for their end, so that
 * nothing is written after that.
 */
#include "code/toolchain.h"

#include "base/file.h"
#include "base/folder.h"
#include "code/assembler.h"
#include "code/clang.h"
#include "code/kept.h"
#include "code/native.h"
#include "code/plain-source.h"
#include "code/toolkit.h"
#include "sass/image.h"

#include <string.h>

char *ps_toolchain_find(const char *name)
{
    char *found = g_find_program_in_path(name);
    if (found)
        return found;
    g_autofree char *folder = ps_toolkit_folder(), *path = g_build_filename(folder, name, NULL);
    return g_file_test(path, G_FILE_TEST_IS_EXECUTABLE) ? g_steal_pointer(&path) : NULL;
}

/* ---- which architecture -------------------------------------------------------------------- */

guint ps_toolchain_architecture(const PsGpu *gpu)
{
    static const struct {
        const char *name;
        guint number;
    } known[] = {{"Fermi", 20},  {"Kepler", 30},    {"Maxwell", 52}, {"Pascal", 61},
                 {"Volta", 70},  {"Turing", 75},    {"Ampere", 80},  {"Ada", 89},
                 {"Hopper", 90}, {"Blackwell", 120}};
    guint64 number = 0;
    if (!gpu || gpu->capability || !gpu->architecture)
        return gpu ? gpu->capability : 0;
    for (guint i = 0; i < G_N_ELEMENTS(known); i++)
        if (g_str_has_prefix(gpu->architecture, known[i].name))
            return known[i].number;
    if (g_str_has_prefix(gpu->architecture, "sm_"))
        g_ascii_string_to_unsigned(gpu->architecture + 3, 10, 1, 999, &number, NULL);
    return (guint)number;
}

guint ps_toolchain_wanted(const PsCodeSource *source)
{
    return source->build->arch && g_str_has_prefix(source->build->arch, "sm_")
               ? (guint)g_ascii_strtoull(source->build->arch + 3, NULL, 10)
               : ps_toolchain_architecture(source->gpu);
}

/* The nearest to what the GPU has among those that the compiler knows: the highest that is not
 * above it, else the lowest. `text` has them as "compute_80" or "sm_80". */
static char *nearest_arch(const char *text, guint wanted)
{
    guint best = 0;
    for (const char *at = strchr(text, '_'); at; at = strchr(at + 1, '_')) {
        const guint64 number = g_ascii_strtoull(at + 1, NULL, 10);
        if (number == 0 || number > 999)
            continue;
        const gboolean below = number <= wanted;
        if (!best || (below ? best > wanted || number > best : best > wanted && number < best))
            best = (guint)number;
    }
    return g_strdup_printf("sm_%u", best ? best : wanted);
}

#define USUAL_ARCH 80

static char *choose_arch(const PsCodeSource *source, const char *known)
{
    const guint wanted = ps_toolchain_architecture(source->gpu);
    if (source->build->arch)
        return g_strdup(source->build->arch);
    char *arch = nearest_arch(known, wanted ? wanted : USUAL_ARCH);
    if (wanted && wanted != g_ascii_strtoull(arch + 3, NULL, 10)) {
        g_autofree char *text =
            g_strdup_printf("the compiler knows no sm_%u, which %s is; compiled for %s", wanted,
                            source->gpu->name, arch);
        ps_code_note(source->build, text);
    }
    return arch;
}

/* As much as it tells (g_free). */
static char *ask_nvcc(const PsToolHost *tools, const char *nvcc)
{
    char question[] = "--list-gpu-arch", *argv[] = {(char *)nvcc, question, NULL};
    g_autoptr(GString) written = g_string_new(NULL);
    const PsTool tool = {.host = tools, .argv = argv, .written = written};
    ps_tool_run(&tool, NULL);
    return g_strdup(written->str);
}

guint ps_toolchain_release(const PsToolHost *tools, const char *nvcc)
{
    char question[] = "--version", *argv[] = {(char *)nvcc, question, NULL};
    g_autoptr(GString) written = g_string_new(NULL);
    const PsTool tool = {.host = tools, .argv = argv, .written = written};
    ps_tool_run(&tool, NULL);
    const char *release = strstr(written->str, "release ");
    return release ? (guint)g_ascii_strtoull(release + strlen("release "), NULL, 10) : 0;
}

gboolean ps_toolchain_knows(const PsToolHost *tools, const char *nvcc, guint capability)
{
    g_autofree char *known = ask_nvcc(tools, nvcc), *wanted = g_strdup_printf("_%u\n", capability),
                    *all = g_strconcat(known, "\n", NULL);
    return !*known || strstr(all, wanted);
}

/* ---- command lines ------------------------------------------------------------------------- */

static void add(GPtrArray *argv, const char *text)
{
    g_ptr_array_add(argv, g_strdup(text));
}

static void add_all(GPtrArray *argv, const char *const *texts)
{
    for (; *texts; texts++)
        add(argv, *texts);
}

/* Files under passing names: what a compiler writes, and what it reads besides. */
typedef struct {
    char *ptx, *rule, *native; /* rule, native: or NULL */
} Drafts;

/* The rule for make. For one of its own nvcc runs the preprocessor another time; the host's
 * compiler, whose options commas part, writes one on the way. */
static void add_rule(GPtrArray *argv, const char *rule, gboolean cuda)
{
    if (!rule)
        return;
    if (!cuda || strchr(rule, ',')) {
        add_all(argv, (const char *const[]){"-MD", "-MF", rule, NULL});
        return;
    }
    add(argv, "-Xcompiler");
    g_ptr_array_add(argv, g_strdup_printf("-MD,-MF,%s", rule));
}

/* What ends each command. */
static void add_files(GPtrArray *argv, const PsCodeSource *source, const PsPlainSource *plain,
                      const Drafts *drafts)
{
    const gboolean cuda = g_str_has_suffix(source->path, ".cu");
    if (plain->beside && cuda)
        add_all(argv, (const char *const[]){"-Xcompiler", "-iquote", "-Xcompiler", NULL});
    else if (plain->beside)
        add(argv, "-iquote");
    if (plain->beside)
        add(argv, plain->beside);
    if (drafts->native)
        add_all(argv, (const char *const[]){"-include", drafts->native, NULL});
    if (source->build->compiler)
        add_all(argv, (const char *const *)source->build->compiler);
    add_rule(argv, drafts->rule, cuda);
    add(argv, "-o");
    add(argv, drafts->ptx);
    add(argv, plain->path);
    g_ptr_array_add(argv, NULL);
}

/* How each command begins. */
static GPtrArray *nvcc_command(const PsCodeSource *source, GError **error)
{
    static const char *const usual[] = {"-ptx", "-lineinfo", NULL};
    g_autofree char *nvcc = ps_toolchain_find("nvcc");
    if (!nvcc) {
        g_autofree char *folder = ps_toolkit_folder();
        g_set_error(
            error, PS_ERROR, PS_ERROR_READ,
            "%s: CUDA source needs the compiler nvcc, which was looked for on PATH and in %s "
            "(Debian's package nvidia-cuda-toolkit, in non-free, or NVIDIA's CUDA toolkit)",
            source->path, folder);
        return NULL;
    }
    g_autofree char *known = source->build->arch ? NULL : ask_nvcc(source->build->host.tools, nvcc);
    g_autofree char *arch = choose_arch(source, known ? known : "");
    GPtrArray *argv = g_ptr_array_new_with_free_func(g_free);
    add(argv, nvcc);
    add_all(argv, usual);
    g_ptr_array_add(argv, g_strdup_printf("-arch=%s", arch));
    return argv;
}

static GPtrArray *clang_command(const PsCodeSource *source, GError **error)
{
    static const char *const usual[] = {"--target=nvptx64-nvidia-nvcl",
                                        "-x",
                                        "cl",
                                        "-O2",
                                        "-S",
                                        "-gline-directives-only",
                                        "-gdwarf-2",
                                        "-Wno-linker-warnings",
                                        "-Wno-unknown-warning-option",
                                        "-fno-crash-diagnostics",
                                        "-Xclang",
                                        "-mlink-builtin-bitcode",
                                        "-Xclang",
                                        NULL};
    g_autofree char *libclc = ps_clang_libclc(),
                    *clang = ps_clang_find(source->build->host.tools, libclc, error);
    if (!clang) {
        g_prefix_error(error,
                       "%s: OpenCL source, for which Debian has the packages clang and libclc-14, "
                       "needs ",
                       source->path);
        return NULL;
    }
    /* What every clang since 10 knows; PTX of it says the same as that of later ones. */
    g_autofree char *arch = source->build->arch
                                ? g_strdup(source->build->arch)
                                : nearest_arch("_50_52_53_60_61_62_70_72_75",
                                               ps_toolchain_architecture(source->gpu)
                                                   ? ps_toolchain_architecture(source->gpu)
                                                   : 75);
    GPtrArray *argv = g_ptr_array_new_with_free_func(g_free);
    add(argv, clang);
    add_all(argv, usual);
    add(argv, libclc);
    g_ptr_array_add(argv, g_strdup_printf("-march=%s", arch));
    return argv;
}

/* ---- running them -------------------------------------------------------------------------- */

/* The first error that a compiler tells, or the first line (g_free); NULL: it says nothing. */
static char *first_error(const char *said)
{
    const char *at = strstr(said, "error");
    while (at && at > said && at[-1] != '\n')
        at--;
    at = at ? at : said;
    g_autofree char *line = g_strndup(at, strcspn(at, "\n"));
    return *line ? g_utf8_make_valid(line, -1) : NULL;
}

/* Unseen: what it tells is part of the message. It has its passing files in a folder of its own,
 * since one that is ended by force removes none. */
static gboolean run_unseen(const PsCodeOptions *build, char **argv, GError **error)
{
    char *folder = ps_folder_private(error);
    if (!folder)
        return FALSE;
    g_auto(GStrv) environment = g_environ_setenv(g_get_environ(), "TMPDIR", folder, TRUE);
    g_autoptr(GString) said = g_string_new(NULL);
    g_autoptr(GError) why = NULL;
    const PsTool tool = {.host = build->host.tools,
                         .argv = argv,
                         .environment = environment,
                         .said = said,
                         .hearer = build->host.hearer};
    const gboolean good = ps_tool_run(&tool, &why);
    g_autofree char *told = good ? NULL : first_error(said->str),
                    *name = g_path_get_basename(argv[0]);
    ps_folder_remove(folder);
    if (!good && g_error_matches(why, PS_ERROR, PS_ERROR_CANCELLED))
        g_propagate_error(error, g_steal_pointer(&why));
    else if (!good)
        g_set_error(error, PS_ERROR, PS_ERROR_READ, "%s failed: %s", name,
                    told ? told : why->message);
    return good;
}

/* Runs it, with its own passing files where ours are. A signal that is to end us is returned. */
static int run(const PsCodeOptions *build, const GPtrArray *argv, GError **error)
{
    if (!build->host.compile) {
        run_unseen(build, (char **)argv->pdata, error);
        return 0;
    }
    g_autofree char *folder = ps_folder_tmp();
    g_auto(GStrv) environment = g_environ_setenv(g_get_environ(), "TMPDIR", folder, TRUE);
    int asked;
    const int status = build->host.compile((char **)argv->pdata, environment, &asked, error);
    if (status == 0 || asked)
        return asked;
    g_autofree char *name = g_path_get_basename(argv->pdata[0]);
    if (error && !*error)
        g_set_error(error, PS_ERROR, PS_ERROR_READ, "%s failed, with the exit status %d", name,
                    status);
    return 0;
}

/* The end of what a signal has asked to end, of which nothing is left. Of a caller that goes on the
 * work is cancelled. */
static void end(const PsCodeOptions *build, int signal, GError **error)
{
    if (signal && build->host.end)
        build->host.end(signal);
    if (signal && error && !*error)
        g_set_error(error, PS_ERROR, PS_ERROR_CANCELLED, "ended by signal %d", signal);
}

/* What the command says on standard error goes nowhere. */
static void hush(GPtrArray *command)
{
    static const char *const shell[] = {"/bin/sh", "-c", "exec \"$@\" 2>/dev/null", "sh"};
    for (guint i = 0; i < G_N_ELEMENTS(shell); i++)
        g_ptr_array_insert(command, (gint)i, g_strdup(shell[i]));
}

static void drafts_clear(const PsToolHost *tools, Drafts *drafts)
{
    ps_tool_file_remove(tools, drafts->ptx);
    ps_tool_file_remove(tools, drafts->rule);
    ps_tool_file_remove(tools, drafts->native);
}

static gboolean drafts_init(const PsCodeSource *source, gboolean rule, Drafts *drafts,
                            GError **error)
{
    const PsToolHost *tools = source->build->host.tools;
    const gboolean opencl = !g_str_has_suffix(source->path, ".cu");
    const char *header = ps_native_header();
    g_autoptr(GBytes) native = g_bytes_new_static(header, strlen(header));
    *drafts = (Drafts){.ptx = ps_tool_file(tools, ".ptx", NULL, error)};
    if (drafts->ptx && rule)
        drafts->rule = ps_tool_file(tools, ".d", NULL, error);
    if (drafts->ptx && (drafts->rule || !rule) && opencl)
        drafts->native = ps_tool_file(tools, ".h", native, error);
    if (drafts->ptx && (drafts->rule || !rule) && (drafts->native || !opencl))
        return TRUE;
    drafts_clear(tools, drafts);
    return FALSE;
}

/* The rule for make, without the header that is gone by then; NULL where there is none. */
static char *read_rule(const Drafts *drafts)
{
    g_autofree char *rule = NULL;
    if (!g_file_get_contents(drafts->rule, &rule, NULL, NULL) || !drafts->native)
        return g_steal_pointer(&rule);
    g_auto(GStrv) parts = g_strsplit(rule, drafts->native, -1);
    return g_strjoinv("", parts);
}

/* Compiles into a file, and writes make's rule for it to another. As run. */
static int compile(const PsCodeSource *source, const Drafts *drafts, GError **error)
{
    const gboolean cuda = g_str_has_suffix(source->path, ".cu");
    /* Begun before there is a copy: a signal while nvcc is asked would leave that. */
    g_autoptr(GPtrArray) command = (cuda ? nvcc_command : clang_command)(source, error);
    g_auto(PsPlainSource) plain = {0};
    if (!command || !ps_plain_source_init(&plain, source->path, source->text, error))
        return 0;
    if (source->text)
        hush(command);
    add_files(command, source, &plain, drafts);
    return run(source->build, command, error);
}

/* A signal that came meanwhile ends us, once nothing is left. */
char *ps_toolchain_make_ptx(const PsCodeSource *source, gsize *length, char **rule, GError **error)
{
    g_autoptr(GError) why = NULL;
    char *text = NULL;
    Drafts drafts;
    if (!drafts_init(source, rule != NULL, &drafts, error))
        return NULL;
    const int signal = compile(source, &drafts, &why);
    if (!why && !signal)
        text = ps_file_read(drafts.ptx, PS_CODE_MOST_PTX, length, &why);
    if (text && rule)
        *rule = read_rule(&drafts);
    drafts_clear(source->build->host.tools, &drafts);
    end(source->build, signal, &why);
    if (why)
        g_propagate_error(error, g_steal_pointer(&why));
    return text;
}

/* ---- registers ----------------------------------------------------------------------------- */

/* Where it fails, it tells of none. From "Compiling entry function 'NAME' for ..." and the next
 * "Used N registers". */
static gint64 find_registers(const char *said, const char *kernel)
{
    static const char used[] = ": Used ";
    g_autofree char *start = g_strdup_printf("entry function '%s'", kernel);
    const char *at = strstr(said, start);
    at = at ? strstr(at, used) : NULL;
    return at ? g_ascii_strtoll(at + strlen(used), NULL, 10) : 0;
}

/* What ptxas says of it, whose machine code goes to `out` (g_free); NULL and *error where it could
 * not be asked. */
static char *ask_ptxas(const PsCodeOptions *build, const char *ptxas, const char *ptx,
                       const char *target, const char *out, GError **error)
{
    g_autofree char *arch = g_strdup_printf("-arch=%s", target);
    g_autoptr(GBytes) bytes = g_bytes_new_static(ptx, strlen(ptx));
    char *draft = ps_tool_file(build->host.tools, ".ptx", bytes, error);
    g_auto(GStrv) options = ps_assembler_options(build->compiler);
    g_autoptr(GPtrArray) argv = g_ptr_array_new_with_free_func(g_free);
    add_all(argv, (const char *const[]){ptxas, "-v", "-lineinfo", arch, NULL});
    add_all(argv, (const char *const *)options);
    add_all(argv, (const char *const[]){draft ? draft : "", "-o", out, NULL});
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

/* From "Unsupported .version 9.4; current version is '9.0'", the latter (g_free); else NULL. */
static char *newest_version(const char *said)
{
    static const char start[] = "current version is '";
    const char *at = strstr(said, "Unsupported .version") ? strstr(said, start) : NULL;
    at = at ? at + strlen(start) : "";
    const gsize length = strspn(at, G_CSET_DIGITS ".");
    return length ? g_strndup(at, length) : NULL;
}

/* The same text, of that version (g_free). */
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
        /* Its first line tells. */
        said[strcspn(said, "\n")] = '\0';
        g_set_error(error, PS_ERROR, PS_ERROR_READ, "ptxas does not tell the registers of %s: %s",
                    kernel, *said ? said : "it says nothing");
    }
    return registers;
}

/* The ptxas to take for a target (g_free): the first that there is, but one that knows the chip for
 * those that CUDA 13 does not know. NULL: there is none. */
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

/* What ptxas says (g_free), asked again where the PTX is too new for it. */
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

/* The key of what ptxas makes of the PTX. */
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

/* The version of PTX, "" for the module's own, and behind its zero the result. */
static GBytes *kept_result(const char *version, gconstpointer data, gsize size)
{
    g_autoptr(GByteArray) all = g_byte_array_new();
    g_byte_array_append(all, (const guint8 *)(version ? version : ""),
                        (guint)strlen(version ? version : "") + 1);
    g_byte_array_append(all, data, (guint)size);
    return g_byte_array_free_to_bytes(g_steal_pointer(&all));
}

/* Takes it apart again. NULL where it is none. */
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

/* PTX has none of them. */
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

/* What it says of the text: "... line 19; error   : Arguments mismatch". FALSE: nothing, or the
 * text was made one of an older version for it. */
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

/* Asks ptxas, whatever is kept. */
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

/* ---- what is compressed --------------------------------------------------------------------- */

/* All files of a folder, one behind the other. */
static GBytes *join_files(const char *folder, GError **error)
{
    GDir *names = g_dir_open(folder, 0, error);
    g_autoptr(GByteArray) all = g_byte_array_new();
    gboolean good = names != NULL;
    for (const char *name; good && (name = g_dir_read_name(names));) {
        g_autofree char *path = g_build_filename(folder, name, NULL), *text = NULL;
        gsize length = 0;
        text = ps_file_read(path, PS_CODE_MOST_PTX, &length, error);
        good = text != NULL;
        if (good)
            g_byte_array_append(all, (const guint8 *)text, (guint)length);
    }
    g_clear_pointer(&names, g_dir_close);
    return good ? g_byte_array_free_to_bytes(g_steal_pointer(&all)) : NULL;
}

/* It writes into the folder that it runs in, and tells of it on standard output. */
GBytes *ps_toolchain_extract_cubins(const PsCodeOptions *build, const char *path, const char *why,
                                    GError **error)
{
    static const char command[] = "cd \"$1\" && exec \"$2\" -xelf all \"$3\" >/dev/null";
    g_autofree char *program = ps_toolchain_find("cuobjdump"),
                    *whole = g_canonicalize_filename(path, NULL);
    if (!program) {
        g_set_error(error, PS_ERROR, PS_ERROR_READ,
                    "%s; if it is compressed, cuobjdump of the CUDA toolkit finds it, which is not "
                    "here, and nvcc --compress-mode=none leaves it as it is",
                    why);
        return NULL;
    }
    char *folder = ps_folder_private(error);
    if (!folder)
        return NULL;
    const char *argv[] = {"/bin/sh", "-c", command, "sh", folder, program, whole, NULL};
    const GPtrArray of = {(gpointer *)argv, G_N_ELEMENTS(argv)};
    g_autoptr(GError) failed = NULL;
    const int signal = run(build, &of, &failed);
    GBytes *found = failed || signal ? NULL : join_files(folder, &failed);
    ps_folder_remove(folder);
    end(build, signal, &failed);
    if (g_error_matches(failed, PS_ERROR, PS_ERROR_CANCELLED))
        g_propagate_error(error, g_steal_pointer(&failed));
    else if (failed)
        g_set_error(error, PS_ERROR, PS_ERROR_READ,
                    "%s, and cuobjdump, which finds what is "
                    "compressed, fails",
                    why);
    return found;
}
