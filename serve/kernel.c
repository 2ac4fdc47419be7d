/* SPDX-License-Identifier: BSD-3-Clause */
/* See kernel.h. */
#include "serve/kernel.h"

#include "base/nearest.h"
#include "base/usage.h"
#include "gpu/find.h"
#include "serve/below.h"

#include <string.h>

void ps_served_kernel_free(PsServedKernel *kernel)
{
    if (!kernel)
        return;
    ps_question_free(kernel->question);
    ps_idg_free(kernel->idg);
    ps_kernel_code_free(kernel->code);
    ps_gpu_free(kernel->gpu);
    g_free(kernel);
}

char *ps_served_option(const char *argument)
{
    return g_strdelimit(g_strdup(argument), "_", '-');
}

/* ---- options ------------------------------------------------------------------------------- */

/* TRUE if the library takes the argument as an option of code or of a question; a tool takes the
 * others. */
static gboolean is_option(const PsGiven *given)
{
    static const char *const others[] = {"path", "gpu", "changes", "measured_us", "detail", NULL};
    return !g_strv_contains(others, given->row->name);
}

/* TRUE for a switch that is off, which counts as not given. One that is on has no value. */
static gboolean is_off(const PsGiven *given)
{
    return given->row->type == PS_ARGUMENT_FLAG && strcmp(given->text, "false") == 0;
}

static const char *value_of(const PsGiven *given)
{
    return given->row->type == PS_ARGUMENT_FLAG ? "" : given->text;
}

/* The option for that argument (g_free). */
static char *option_of(const PsGiven *given)
{
    return given->row->type == PS_ARGUMENT_VALUES ? g_strdup("arg")
                                                  : ps_served_option(given->row->name);
}

static gboolean set_code(PsKernelCode *code, const PsArguments *arguments, GError **error)
{
    for (guint i = 0; i < arguments->given->len; i++) {
        const PsGiven *given = arguments->given->pdata[i];
        g_autofree char *option = option_of(given);
        if (is_option(given) && !is_off(given) && !ps_question_has(option) &&
            !ps_kernel_code_set(code, option, value_of(given), error))
            return FALSE;
    }
    return TRUE;
}

static gboolean set_question(PsQuestion *question, const PsArguments *arguments, GError **error)
{
    for (guint i = 0; i < arguments->given->len; i++) {
        const PsGiven *given = arguments->given->pdata[i];
        g_autofree char *option = option_of(given);
        if (is_option(given) && ps_question_has(option) &&
            !ps_question_set(question, option, given->text, error))
            return FALSE;
    }
    return TRUE;
}

/* Refuses arguments of a launch for a graph, which states its own. */
static gboolean check_graph(const char *path, const PsArguments *arguments, GError **error)
{
    for (guint i = 0; i < arguments->given->len; i++) {
        const PsGiven *given = arguments->given->pdata[i];
        g_autofree char *option = option_of(given);
        if (is_option(given) && !is_off(given) && !ps_question_has(option))
            return ps_usage_error(error,
                                  "%s is a graph, which has no '%s': that is for a kernel's code; "
                                  "'param' sets what a graph may vary",
                                  path, given->row->name);
    }
    return TRUE;
}

/* ---- files --------------------------------------------------------------------------------- */

/* The path of one of pipesim's graphs (g_free). NULL and *error. */
static char *find_graph(const char *name, const char *const *folders, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (; *folders; folders++) {
        g_autoptr(GDir) folder = g_dir_open(*folders, 0, NULL);
        const char *file;
        while (folder && (file = g_dir_read_name(folder)) != NULL) {
            const gsize length = strlen(file);
            if (!g_str_has_suffix(file, ".idg"))
                continue;
            g_autofree char *stem = g_strndup(file, length - strlen(".idg"));
            if (strcmp(name, file) == 0 || strcmp(name, stem) == 0)
                return g_build_filename(*folders, file, NULL);
            g_ptr_array_add(names, g_steal_pointer(&stem));
        }
    }
    g_autofree char *near = ps_did_you_mean(name, names);
    g_set_error(error, PS_ERROR, PS_ERROR_READ,
                "path: there is no file \"%s\" below the server's folder, and no graph of that "
                "name%s",
                name, near);
    return NULL;
}

static gboolean load_code(PsServedKernel *kernel, const char *path, const PsArguments *arguments,
                          PsHearer hearer, GError **error)
{
    kernel->code = ps_kernel_code_new(path);
    return set_code(kernel->code, arguments, error) &&
           (kernel->idg = ps_kernel_code_graph(kernel->code, kernel->gpu, hearer, error)) != NULL;
}

static gboolean load(PsServedKernel *kernel, const PsServedFolders *folders, const char *path,
                     const PsArguments *arguments, PsHearer hearer, GError **error)
{
    const gboolean own = strchr(path, '/') || ps_below_has(path);
    g_autofree char *file = own ? g_strdup(path) : find_graph(path, folders->graphs, error);
    if (!file)
        return FALSE;
    if (own && ps_kernel_code_is(file))
        return load_code(kernel, file, arguments, hearer, error);
    return check_graph(path, arguments, error) && (kernel->idg = ps_idg_load(file, error)) != NULL;
}

PsServedKernel *ps_served_kernel_new(const PsServedFolders *folders, const PsArguments *arguments,
                                     PsHearer hearer, GError **error)
{
    const char *path = ps_arguments_text(arguments, "path");
    const char *gpu = ps_arguments_text(arguments, "gpu");
    if (!path || !gpu) {
        ps_usage_error(error, "'%s' is missing", path ? "gpu" : "path");
        return NULL;
    }
    /* a name with a folder is a path, "./" too */
    g_autofree char *file = ps_below_has(gpu) ? g_strconcat("./", gpu, NULL) : g_strdup(gpu);
    g_autoptr(PsServedKernel) kernel = g_new0(PsServedKernel, 1);
    if (!(kernel->gpu = ps_gpu_find(file, folders->gpus, error)) ||
        !load(kernel, folders, path, arguments, hearer, error))
        return NULL;
    kernel->question = ps_question_new(kernel->idg, kernel->gpu);
    ps_question_set_hearer(kernel->question, hearer);
    if (kernel->code)
        ps_question_set_code(kernel->question, kernel->code);
    return set_question(kernel->question, arguments, error) ? g_steal_pointer(&kernel) : NULL;
}
