/* SPDX-License-Identifier: BSD-3-Clause */
#include "code/module.h"

#include "code/cubins.h"
#include "code/toolchain.h"
#include "code/source-ptx.h"
#include "base/nearest.h"
#include "base/root.h"
#include "base/file.h"
#include "sass/file.h"
#include "sass/sass.h"

#include <string.h>

static gboolean is_source(const char *name)
{
    return g_str_has_suffix(name, ".cu") || g_str_has_suffix(name, ".cl");
}

/* "; did you mean add.cu?", with files of the same folder (g_free). */
static char *files_near(const char *name)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *path = g_path_get_dirname(name), *base = g_path_get_basename(name);
    g_autoptr(GDir) folder = g_dir_open(path, 0, NULL);
    const char *file;
    while (folder && (file = g_dir_read_name(folder)) != NULL)
        if (*file != '.')
            g_ptr_array_add(names, g_strdup(file));
    return ps_did_you_mean(base, names);
}

/* A compiler's own message would be longer. */
static gboolean check_file(const char *name, GError **error)
{
    const gboolean folder = g_file_test(name, G_FILE_TEST_IS_DIR);
    if (strcmp(name, "-") == 0 || (g_file_test(name, G_FILE_TEST_EXISTS) && !folder))
        return TRUE;
    g_autofree char *near = folder ? NULL : files_near(name);
    if (folder)
        g_set_error(error, PS_ERROR, PS_ERROR_READ,
                    "%s is a folder, and a kernel's code is asked for", name);
    else
        g_set_error(error, PS_ERROR, PS_ERROR_READ, "there is no file \"%s\"%s", name, near);
    return FALSE;
}

/* Other inputs have readers of their own, or none. */
static gboolean check_text(const char *name, const char *text, gsize length, GError **error)
{
    g_autofree char *root = ps_root_element(text, length);
    const gboolean graph = g_strcmp0(root, "idg") == 0;
    if (!graph && g_strcmp0(root, "gpu") != 0)
        return TRUE;
    g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                "%s is a %s, and a kernel's code is asked for (PTX, CUDA or OpenCL); pipesim "
                "show %s shows it",
                name, graph ? "graph already" : "GPU description", name);
    return FALSE;
}

/* The file has machine code; takes that for one architecture. */
static PsCodeModule *take_machine(PsCodeModule *read, const PsCodeSource *source, gsize length,
                                  const PsCodeOptions *build, GError **error)
{
    g_autoptr(PsCodeModule) module = read;
    g_autoptr(GBytes) bytes = g_bytes_new_take(g_steal_pointer(&module->text), length);
    module->machine = ps_code_cubins_in(build, source->path, bytes, error);
    if (!module->machine)
        return NULL;
    g_autofree char *all = ps_sass_images_choose(module->machine, ps_toolchain_wanted(source));
    const PsSassImage *taken = module->machine->pdata[0];
    g_autofree char *line =
        g_strdup_printf("%s: of its machine code for %s that for sm_%d is taken", source->path, all,
                        taken->capability);
    if (all)
        ps_code_note(build, line);
    module->module = ps_sass_outline(module->machine, error);
    return module->module ? g_steal_pointer(&module) : NULL;
}

/* The compiler's output without the folder of a source that is alone in it: line tables then have
 * the file's name. */
static char *without_folder(char *text /* taken */, const PsCodeSource *source, gsize *length)
{
    g_autofree char *of = text, *folder = g_path_get_dirname(source->path),
                    *before = g_strconcat("\"", folder, "/", NULL);
    g_auto(GStrv) parts = g_strsplit(of, before, -1);
    char *without = g_strjoinv("\"", parts);
    *length = strlen(without);
    return without;
}

/* The text of the file, or a compiler's PTX for it. NULL and *error. */
static char *read_text(const PsCodeSource *source, PsCodeModule *module, gsize *length,
                       GError **error)
{
    const PsCodeOptions *build = source->build;
    if (module->source && build->ptx) {
        *length = strlen(build->ptx);
        return g_strdup(build->ptx);
    }
    if (module->source) {
        char *text = ps_source_ptx(source, length, &module->inputs, error);
        if (text && build->shown)
            text = without_folder(text, source, length);
        if (text && g_str_has_suffix(source->path, ".cl"))
            ps_ptx_drop_debug(text); /* clang writes it only for the lines */
        return text;
    }
    module->inputs = strcmp(source->path, "-") != 0 ? ps_store_inputs_new() : NULL;
    if (module->inputs)
        g_ptr_array_add(module->inputs->files, g_strdup(source->path));
    return ps_file_read(source->path, PS_CODE_MOST_PTX, length, error);
}

/* The first template of a kernel in a file of CUDA (g_free); NULL: none is seen. */
static char *template_in(const char *path)
{
    gsize length;
    g_autofree char *text = ps_file_read(path, PS_CODE_MOST_PTX, &length, NULL);
    g_autoptr(GRegex) kernel = g_regex_new("\\btemplate\\s*<[^;{]*>[^;{(]*?__global__"
                                           "(?:\\s+\\w+(?:\\s*\\([^)]*\\))?)*?"
                                           "\\s+(?!__launch_bounds__)(\\w+)\\s*\\(",
                                           G_REGEX_RAW, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    return text && g_regex_match(kernel, text, 0, &match) ? g_match_info_fetch(match, 1) : NULL;
}

static void tell_no_kernel(const PsCodeModule *module, const char *name, GError **error)
{
    const gboolean cuda = !g_str_has_suffix(module->source, ".cl");
    g_autofree char *template = cuda ? template_in(module->source) : NULL;
    if (template)
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                    "%s: the compiler finds no kernel in it, since %s is a template; it needs an "
                    "instance with its own types, such as: template __global__ void "
                    "%s<float>(float *, int);",
                    name, template, template);
    else
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                    "%s: the compiler finds no kernel in it, which is a %s function", name,
                    cuda ? "__global__" : "__kernel");
}

/* TRUE if the code has the kernel. The message on a kernel that the compiler left out uses the
 * source's words. */
static gboolean has_kernel(const PsCodeModule *module, const char *name, GError **error)
{
    if (!module->source || ps_ptx_has_kernel(module->module, NULL))
        return ps_ptx_has_kernel(module->module, error);
    tell_no_kernel(module, name, error);
    return FALSE;
}

PsCodeModule *ps_code_module_load(const PsCodeOptions *build, const char *name, const PsGpu *gpu,
                                  GError **error)
{
    const PsCodeSource source = {.path = name, .gpu = gpu, .build = build};
    g_autoptr(PsCodeModule) module = g_new0(PsCodeModule, 1);
    gsize length = 0;
    if (!check_file(name, error))
        return NULL;
    module->source = is_source(name) ? g_strdup(name) : NULL;
    ps_code_begin(build, module->source ? "compiling" : "reading", name);
    module->text = read_text(&source, module, &length, error);
    if (module->text && ps_sass_is_file(module->text, length))
        return take_machine(g_steal_pointer(&module), &source, length, build, error);
    if (!module->text || !check_text(name, module->text, length, error))
        return NULL;
    g_autofree char *shown = module->source ? g_strdup_printf("%s (its PTX)", name)
                                            : g_strdup(ps_code_shown(build, name));
    module->module = ps_ptx_parse(module->text, length, shown, error);
    if (module->module && has_kernel(module, ps_code_shown(build, name), error))
        return g_steal_pointer(&module);
    if (module->module)
        ps_code_module_warn(build, module, NULL);
    return NULL;
}

/* TRUE if a text concerns the line of PTX that begins a warning, "FILE:LINE: ...". */
static gboolean is_about(const char *text, const char *warning)
{
    g_autoptr(GRegex) regex = g_regex_new("^(.*?):([0-9]+): ", 0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    if (!g_regex_match(regex, warning, 0, &match))
        return FALSE;
    g_autofree char *place = g_match_info_fetch(match, 0), *number = g_match_info_fetch(match, 2);
    g_autofree char *line = g_strdup_printf(" line %s of the PTX", number);
    return strstr(text, place) || strstr(text, line);
}

void ps_code_module_warn(const PsCodeOptions *build, const PsCodeModule *module, const char *said)
{
    for (guint i = 0; i < module->module->warnings->len; i++) {
        const char *warning = module->module->warnings->pdata[i];
        if (!module->machine && !(said && is_about(said, warning)))
            ps_code_warn(build, warning);
    }
}

void ps_code_module_free(PsCodeModule *module)
{
    if (!module)
        return;
    g_clear_pointer(&module->module, ps_ptx_free);
    g_clear_pointer(&module->machine, g_ptr_array_unref);
    g_clear_pointer(&module->inputs, ps_store_inputs_free);
    g_free(module->text);
    g_free(module->source);
    g_free(module);
}
