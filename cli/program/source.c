/* SPDX-License-Identifier: BSD-3-Clause */
/* See source.h. */
#include "cli/program/source.h"

#include "cli/fail.h"
#include "cli/find.h"
#include "cli/profile/child.h"
#include "cli/program/program.h"
#include "cli/system/draft.h"
#include "cli/verbs.h"
#include "pipesim-private.h"

gboolean program_has_main(const char *path)
{
    g_autofree char *text = NULL;
    return g_str_has_suffix(path, ".cu") && g_file_get_contents(path, &text, NULL, NULL) &&
           g_regex_match_simple("(^|[;}])[ \\t]*(int|auto)\\s+main\\s*\\(", text, G_REGEX_MULTILINE,
                                0);
}

gboolean program_is_source(const Options *options)
{
    static const OptionId also[] = {OPTION_GPU,    OPTION_FORMAT, OPTION_OUTPUT,
                                    OPTION_ADVISE, OPTION_REPORT, OPTION_FILES};
    /* TRUE if no option is given that needs a single launch. */
    return !options->launches && !given_other_than(options->given, also) && options->files &&
           options->files[0] && !options->files[1] && program_has_main(options->files[0]);
}

/* FALSE and *error: no compiler here makes programs for that GPU. */
static gboolean check_compiler(const char *source, const char *nvcc, const PsGpu *gpu,
                               GError **error)
{
    static const char alone[] = "add --grid and --block for the time of a kernel alone";
    if (!gpu->capability)
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                    "%s has a main, and %s runs no CUDA program; %s", source, gpu->name, alone);
    else if (!nvcc)
        g_set_error(error, PS_ERROR, PS_ERROR_READ,
                    "%s has a main, and nvcc, which would compile it as a program, was not found; "
                    "%s",
                    source, alone);
    else if (!ps_toolchain_knows(&draft_host, nvcc, gpu->capability))
        g_set_error(
            error, PS_ERROR, PS_ERROR_VALUE,
            "%s has a main, and nvcc knows no sm_%u, which %s is, so the program would have "
            "no code for it; take the nvcc of an older CUDA toolkit, or %s",
            source, gpu->capability, gpu->name, alone);
    else
        return TRUE;
    return FALSE;
}

/* FALSE and *error: there is no compiler, or it refuses the source. */
static gboolean compile(const char *source, const char *gpu, char *made, GError **error)
{
    g_autofree char *nvcc = ps_toolchain_find("nvcc"), *libraries = program_libraries(error);
    g_autofree char *path = g_canonicalize_filename(source, NULL);
    g_autoptr(PsGpu) found = libraries ? find_gpu(gpu, error) : NULL;
    if (!found || !check_compiler(source, nvcc, found, error))
        return FALSE;
    if (!ps_folder_is_plain(path)) {
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                    "%s: nvcc hands names to a shell; compile it with nvcc -cudart shared, and run "
                    "it by: pipesim program",
                    source);
        return FALSE;
    }
    g_autofree char *arch = g_strdup_printf("-arch=sm_%u", found->capability);
    char *argv[] = {nvcc, arch, (char[]){"-lineinfo"}, (char[]){"-o"}, made, path, NULL};
    g_auto(GStrv) environment = program_build_environment(libraries, FALSE);
    GError *why = NULL;
    const int status = child_run(argv, environment, NULL, &why);
    if (why)
        g_propagate_error(error, why);
    else if (status)
        g_set_error(
            error, PS_ERROR, PS_ERROR_VALUE,
            "%s: nvcc ends with status %d; if it lacks a header (-I FOLDER), an option or a "
            "library, compile it with nvcc -cudart shared, and run it by: pipesim program "
            "--gpu %s -- ./app",
            source, status, gpu);
    return status == 0;
}

char *program_compile(const char *source, const char *gpu, const char *folder, GError **error)
{
    char *made = g_build_filename(folder, "program", NULL);
    if (!compile(source, gpu, made, error))
        g_clear_pointer(&made, g_free);
    return made;
}

int program_of_source(const Options *options)
{
    g_autoptr(GError) error = NULL;
    char *folder = ps_folder_private(&error);
    if (!folder)
        return fail(error);
    g_autofree char *made = program_compile(options->files[0], options->gpus[0], folder, &error);
    char *files[] = {made, NULL};
    Options program = *options;
    program.files = files;
    program.source = options->files[0];
    const int status = made ? program_verb(&program) : fail(error);
    ps_folder_remove(folder);
    return status;
}
