/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See toolchain.h. Compilers write to a file that a signal removes (base/tool.h). A caller with its
 * own function to run them (PsCodeHost.compile) lets signals wait for their end, so that nothing is
 * written later.
 */
#include "code/toolchain.h"

#include "base/file.h"
#include "base/folder.h"
#include "code/clang.h"
#include "code/libclc.h"
#include "code/native.h"
#include "code/plain-source.h"
#include "code/tool-run.h"
#include "code/toolkit.h"

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

/* The architecture nearest to the GPU's that the compiler knows: the highest that is not above it,
 * otherwise the lowest. `text` lists them as "compute_80" or "sm_80". */
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

/* Everything that nvcc reports (g_free). */
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

/* Temporary files: a compiler's output, and its further inputs. */
typedef struct {
    char *ptx, *rule, *native; /* rule, native: or NULL */
} Drafts;

/* Adds the rule for make. For a rule of its own nvcc runs the preprocessor a second time; the
 * host's compiler, whose options commas separate, writes one on the way. */
static void add_rule(GPtrArray *argv, const char *rule, gboolean cuda)
{
    if (!rule)
        return;
    if (!cuda || strchr(rule, ',')) {
        ps_code_add_words(argv, (const char *const[]){"-MD", "-MF", rule, NULL});
        return;
    }
    add(argv, "-Xcompiler");
    g_ptr_array_add(argv, g_strdup_printf("-MD,-MF,%s", rule));
}

/* Adds the end of each command. */
static void add_files(GPtrArray *argv, const PsCodeSource *source, const PsPlainSource *plain,
                      const Drafts *drafts)
{
    const gboolean cuda = g_str_has_suffix(source->path, ".cu");
    if (plain->beside && cuda)
        ps_code_add_words(argv, (const char *const[]){"-Xcompiler", "-iquote", "-Xcompiler", NULL});
    else if (plain->beside)
        add(argv, "-iquote");
    if (plain->beside)
        add(argv, plain->beside);
    if (drafts->native)
        ps_code_add_words(argv, (const char *const[]){"-include", drafts->native, NULL});
    if (source->build->compiler)
        ps_code_add_words(argv, (const char *const *)source->build->compiler);
    add_rule(argv, drafts->rule, cuda);
    add(argv, "-o");
    add(argv, drafts->ptx);
    add(argv, plain->path);
    g_ptr_array_add(argv, NULL);
}

/* The begin of each command. */
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
    ps_code_add_words(argv, usual);
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
    /* Every clang since 10 knows this one; its PTX says the same as for later ones. */
    g_autofree char *arch = source->build->arch
                                ? g_strdup(source->build->arch)
                                : nearest_arch("_50_52_53_60_61_62_70_72_75",
                                               ps_toolchain_architecture(source->gpu)
                                                   ? ps_toolchain_architecture(source->gpu)
                                                   : 75);
    GPtrArray *argv = g_ptr_array_new_with_free_func(g_free);
    add(argv, clang);
    ps_code_add_words(argv, usual);
    add(argv, libclc);
    g_ptr_array_add(argv, g_strdup_printf("-march=%s", arch));
    return argv;
}

/* ---- running them -------------------------------------------------------------------------- */

/* Discards the command's standard error. */
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

/* The rule for make, without the header that is gone by then; NULL: there is none. */
static char *read_rule(const Drafts *drafts)
{
    g_autofree char *rule = NULL;
    if (!g_file_get_contents(drafts->rule, &rule, NULL, NULL) || !drafts->native)
        return g_steal_pointer(&rule);
    g_auto(GStrv) parts = g_strsplit(rule, drafts->native, -1);
    return g_strjoinv("", parts);
}

/* Compiles into a file, with make's rule in another. Returns like run. */
static int compile(const PsCodeSource *source, const Drafts *drafts, GError **error)
{
    const gboolean cuda = g_str_has_suffix(source->path, ".cu");
    /* Started before there is a copy: a signal while nvcc is asked would leave the copy. */
    g_autoptr(GPtrArray) command = (cuda ? nvcc_command : clang_command)(source, error);
    g_auto(PsPlainSource) plain = {0};
    if (!command || !ps_plain_source_init(&plain, source->path, source->text, error))
        return 0;
    if (source->text)
        hush(command);
    add_files(command, source, &plain, drafts);
    return ps_code_run_tool(source->build, command, error);
}

/* Notes parts of OpenCL source that NVIDIA compiles differently. A source with another text is a
 * trial, and prints nothing. */
static void tell_libclc(const PsCodeSource *source)
{
    gsize length = 0;
    g_autofree char *text = source->text || g_str_has_suffix(source->path, ".cu")
                                ? NULL
                                : ps_file_read(source->path, PS_CODE_MOST_PTX, &length, NULL);
    g_autofree char *warning =
        text ? ps_libclc_warning(ps_code_shown(source->build, source->path), text) : NULL;
    if (warning)
        ps_code_warn(source->build, warning);
}

/* A signal that came meanwhile ends the program when nothing is left behind. */
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
    if (text)
        tell_libclc(source);
    drafts_clear(source->build->host.tools, &drafts);
    ps_code_end(source->build, signal, &why);
    if (why)
        g_propagate_error(error, g_steal_pointer(&why));
    return text;
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

/* It writes into its working folder, and lists the files on standard output. */
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
    const int signal = ps_code_run_tool(build, &of, &failed);
    GBytes *found = failed || signal ? NULL : join_files(folder, &failed);
    ps_folder_remove(folder);
    ps_code_end(build, signal, &failed);
    if (g_error_matches(failed, PS_ERROR, PS_ERROR_CANCELLED))
        g_propagate_error(error, g_steal_pointer(&failed));
    else if (failed)
        g_set_error(error, PS_ERROR, PS_ERROR_READ,
                    "%s, and cuobjdump, which finds what is "
                    "compressed, fails",
                    why);
    return found;
}
