/* SPDX-License-Identifier: BSD-3-Clause */
/* See plan.h. */
#include "check/plan.h"

#include "answer/question.h"
#include "base/file.h"
#include "base/nearest.h"
#include "base/toml.h"

#include <math.h>
#include <string.h>

/* Options of pipesim run for a kernel's launch; those of a question are read separately. */
static const char *const code_options[] = {
    "kernel",   "grid", "guess", "threads",          "block",  "arg",      "sample",
    "shared",   "from", "arch",  "compiler-options", "define", "nvdisasm", "partial",
    "registers"};

static const char *const plan_keys[] = {"gpus", "baseline", "slower"};
static const char *const kernel_keys[] = {"name", "file", "gpus", "slower"};

static gboolean is_among(const char *key, const char *const *keys, guint n)
{
    for (guint i = 0; i < n; i++)
        if (strcmp(keys[i], key) == 0)
            return TRUE;
    return FALSE;
}

static gboolean is_option(const char *key)
{
    static const char *const others[] = {"explain", "sensitivity", "advise", "budget"};
    return is_among(key, code_options, G_N_ELEMENTS(code_options)) ||
           (ps_question_has(key) && !is_among(key, others, G_N_ELEMENTS(others)));
}

static gboolean wrong(const PsTomlEntry *entry, GError **error, const char *what)
{
    ps_error_at(error, PS_ERROR_VALUE, entry->place, "%s", what);
    return FALSE;
}

static gboolean unknown(const PsTomlEntry *entry, const char *const *keys, guint n,
                        gboolean of_kernel, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < n; i++)
        g_ptr_array_add(names, g_strdup(keys[i]));
    for (guint i = 0; of_kernel && i < G_N_ELEMENTS(code_options); i++)
        g_ptr_array_add(names, g_strdup(code_options[i]));
    g_autofree char *near = ps_did_you_mean(entry->key, names);
    ps_error_at(error, PS_ERROR_VALUE, entry->place, "there is no key \"%s\" %s%s", entry->key,
                of_kernel ? "of a kernel" : "before the first [[kernel]]", near);
    return FALSE;
}

/* ---- values --------------------------------------------------------------------------------- */

static gboolean take_text(const PsTomlEntry *entry, char **text, GError **error)
{
    const char *only = entry->texts->len == 1 ? entry->texts->pdata[0] : "";
    if (entry->is_array || !*only)
        return wrong(entry, error, "one text is expected here, which is not empty");
    *text = g_strdup(only);
    return TRUE;
}

static gboolean take_list(const PsTomlEntry *entry, GPtrArray **list, GError **error)
{
    if (!entry->texts->len)
        return wrong(entry, error, "there is nothing in this list");
    g_clear_pointer(list, g_ptr_array_unref);
    *list = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < entry->texts->len; i++)
        g_ptr_array_add(*list, g_strdup(entry->texts->pdata[i]));
    return TRUE;
}

/* "3%". */
static gboolean take_per_cent(const PsTomlEntry *entry, double *value, GError **error)
{
    const char *text = entry->texts->len == 1 ? entry->texts->pdata[0] : "";
    char *end = NULL;
    *value = g_ascii_isdigit(*text) ? g_ascii_strtod(text, &end) : NAN;
    return (!entry->is_array && end && strcmp(end, "%") == 0 && isfinite(*value)) ||
           wrong(entry, error, "how much slower a kernel may become is a share, as \"3%\"");
}

/* ---- keys ----------------------------------------------------------------------------------- */

static gboolean plan_key(const PsTomlEntry *entry, PsCheckPlan *plan, GError **error)
{
    g_autofree char *text = NULL;
    if (strcmp(entry->key, "gpus") == 0)
        return take_list(entry, &plan->gpus, error);
    if (strcmp(entry->key, "slower") == 0)
        return take_per_cent(entry, &plan->slower, error);
    if (strcmp(entry->key, "baseline") != 0)
        return unknown(entry, plan_keys, G_N_ELEMENTS(plan_keys), FALSE, error);
    if (!take_text(entry, &text, error))
        return FALSE;
    g_autofree char *folder = g_path_get_dirname(plan->path);
    g_free(plan->baseline);
    plan->baseline =
        g_path_is_absolute(text) ? g_strdup(text) : g_build_filename(folder, text, NULL);
    return TRUE;
}

static gboolean take_option(const PsTomlEntry *entry, PsCheckKernel *kernel, GError **error)
{
    static const char *const many[] = {"arg", "define", "param", "what-if"};
    if (entry->texts->len != 1 && !is_among(entry->key, many, G_N_ELEMENTS(many)))
        return wrong(entry, error, "this option has one value");
    const char *first = entry->texts->len ? entry->texts->pdata[0] : "";
    if (strcmp(entry->key, "guess") == 0 && strcmp(first, "true") != 0)
        return strcmp(first, "false") == 0 ||
               wrong(entry, error, "whether arguments are guessed is true or false");
    for (guint i = 0; i < entry->texts->len; i++) {
        PsCheckOption *option = g_new0(PsCheckOption, 1);
        option->name = g_strdup(entry->key);
        option->value = g_strdup(entry->texts->pdata[i]);
        option->place = entry->place;
        g_ptr_array_add(kernel->options, option);
    }
    return TRUE;
}

static gboolean kernel_key(const PsTomlEntry *entry, PsCheckPlan *plan, GError **error)
{
    PsCheckKernel *kernel = plan->kernels->pdata[plan->kernels->len - 1];
    g_autofree char *text = NULL;
    if (strcmp(entry->key, "gpus") == 0)
        return take_list(entry, &kernel->gpus, error);
    if (strcmp(entry->key, "slower") == 0)
        return take_per_cent(entry, &kernel->slower, error);
    if (strcmp(entry->key, "name") == 0)
        return take_text(entry, &kernel->name, error);
    if (is_option(entry->key))
        return take_option(entry, kernel, error);
    if (strcmp(entry->key, "file") != 0)
        return unknown(entry, kernel_keys, G_N_ELEMENTS(kernel_keys), TRUE, error);
    if (!take_text(entry, &text, error))
        return FALSE;
    g_autofree char *folder = g_path_get_dirname(plan->path);
    g_free(kernel->file);
    g_free(kernel->path);
    kernel->path = g_path_is_absolute(text)   ? g_strdup(text)
                   : strcmp(folder, ".") == 0 ? g_strdup(text)
                                              : g_build_filename(folder, text, NULL);
    kernel->file = g_steal_pointer(&text);
    return TRUE;
}

static void option_free(gpointer data)
{
    PsCheckOption *option = data;
    g_free(option->name);
    g_free(option->value);
    g_free(option);
}

static gboolean heard(const PsTomlEntry *entry, gpointer self, GError **error)
{
    PsCheckPlan *plan = self;
    if (!*entry->table)
        return plan_key(entry, plan, error);
    if (strcmp(entry->table, "kernel") != 0 || !entry->of_array)
        return wrong(entry, error, "there is no such table; [[kernel]] begins a kernel");
    if (entry->key)
        return kernel_key(entry, plan, error);
    PsCheckKernel *kernel = g_new0(PsCheckKernel, 1);
    kernel->place = (PsPlace){plan->path, entry->place.line};
    kernel->options = g_ptr_array_new_with_free_func(option_free);
    kernel->slower = -1;
    g_ptr_array_add(plan->kernels, kernel);
    return TRUE;
}

/* ---- the whole ------------------------------------------------------------------------------ */

static gboolean check_kernel(const PsCheckPlan *plan, PsCheckKernel *kernel, GHashTable *names,
                             GError **error)
{
    if (!kernel->path)
        ps_error_at(error, PS_ERROR_VALUE, kernel->place, "this kernel has no file");
    else if (!kernel->gpus && !plan->gpus)
        ps_error_at(error, PS_ERROR_VALUE, kernel->place,
                    "this kernel has no GPU; gpus = [\"a100\"] says it, here or for all");
    if (!kernel->path || (!kernel->gpus && !plan->gpus))
        return FALSE;
    if (!kernel->name)
        kernel->name = g_path_get_basename(kernel->path);
    if (g_hash_table_add(names, kernel->name))
        return TRUE;
    ps_error_at(error, PS_ERROR_VALUE, kernel->place,
                "two kernels are named \"%s\"; name = \"...\" tells them apart", kernel->name);
    return FALSE;
}

static gboolean check(const PsCheckPlan *plan, GError **error)
{
    g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < plan->kernels->len; i++)
        if (!check_kernel(plan, plan->kernels->pdata[i], names, error))
            return FALSE;
    if (!plan->kernels->len)
        ps_error_at(error, PS_ERROR_VALUE, (PsPlace){plan->path, 0},
                    "there is no [[kernel]] in it");
    return plan->kernels->len > 0;
}

static void kernel_free(gpointer data)
{
    PsCheckKernel *kernel = data;
    g_free(kernel->name);
    g_free(kernel->file);
    g_free(kernel->path);
    g_clear_pointer(&kernel->gpus, g_ptr_array_unref);
    g_clear_pointer(&kernel->options, g_ptr_array_unref);
    g_free(kernel);
}

PsCheckPlan *ps_check_plan_load(const char *path, GError **error)
{
    g_autoptr(PsCheckPlan) plan = g_new0(PsCheckPlan, 1);
    g_autofree char *text = ps_file_read(path, PS_FILE_MAX_BYTES, NULL, error);
    const gsize stem = strlen(path) - (g_str_has_suffix(path, ".toml") ? strlen(".toml") : 0);
    plan->path = g_strdup(path);
    plan->baseline = g_strdup_printf("%.*s.baseline.json", (int)stem, path);
    plan->kernels = g_ptr_array_new_with_free_func(kernel_free);
    return text && ps_toml_read(text, path, heard, plan, error) && check(plan, error)
               ? g_steal_pointer(&plan)
               : NULL;
}

void ps_check_plan_free(PsCheckPlan *plan)
{
    if (!plan)
        return;
    g_free(plan->path);
    g_free(plan->baseline);
    g_clear_pointer(&plan->gpus, g_ptr_array_unref);
    g_clear_pointer(&plan->kernels, g_ptr_array_unref);
    g_free(plan);
}
