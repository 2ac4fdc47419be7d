/* SPDX-License-Identifier: BSD-3-Clause */
/* See result.h. */
#include "check/result.h"

#include "advice/ask.h"
#include "answer/answer.h"
#include "answer/explain.h"
#include "base/file.h"
#include "code/code.h"
#include "idg/idg.h"

#include <math.h>
#include <string.h>

/* ---- results -------------------------------------------------------------------------------- */

static void line_free(gpointer data)
{
    PsCheckLine *line = data;
    g_free(line->line);
    g_free(line->text);
    g_free(line);
}

PsCheckResult *ps_check_result_new(const char *name, const char *gpu, double seconds)
{
    PsCheckResult *result = g_new0(PsCheckResult, 1);
    result->name = g_strdup(name);
    result->gpu = g_strdup(gpu);
    result->seconds = seconds;
    result->conflicts = NAN;
    result->lines = g_ptr_array_new_with_free_func(line_free);
    return result;
}

void ps_check_result_free(PsCheckResult *result)
{
    if (!result)
        return;
    g_free(result->name);
    g_free(result->gpu);
    g_free(result->kernel);
    g_ptr_array_unref(result->lines);
    g_free(result);
}

void ps_check_result_add(PsCheckResult *result, const char *line, const char *text, double cycles)
{
    PsCheckLine *added = g_new0(PsCheckLine, 1);
    *added = (PsCheckLine){g_strdup(line), g_strdup(text), cycles};
    g_ptr_array_add(result->lines, added);
}

/* ---- lines ---------------------------------------------------------------------------------- */

char *ps_check_place(const char *kernel, const char *line, gint64 *number)
{
    const char *colon = strrchr(line, ':');
    *number = colon ? g_ascii_strtoll(colon + 1, NULL, 10) : 0;
    if (*number <= 0)
        return NULL;
    g_autofree char *file = g_strndup(line, (gsize)(colon - line)),
                    *folder = g_path_get_dirname(kernel), *base = g_path_get_basename(file);
    char *beside = strcmp(folder, ".") == 0 ? g_strdup(base) : g_build_filename(folder, base, NULL);
    if (g_file_test(beside, G_FILE_TEST_IS_REGULAR))
        return beside;
    g_free(beside);
    return g_steal_pointer(&file);
}

/* The text of a source line, from a file beside the kernel (g_free); NULL: it is not found. */
static char *text_of(const char *kernel, const char *line)
{
    gint64 number = 0;
    g_autofree char *path = ps_check_place(kernel, line, &number);
    g_autofree char *all = path && g_file_test(path, G_FILE_TEST_IS_REGULAR)
                               ? ps_file_read(path, PS_FILE_MAX_BYTES, NULL, NULL)
                               : NULL;
    g_auto(GStrv) lines = all && g_utf8_validate(all, -1, NULL) ? g_strsplit(all, "\n", -1) : NULL;
    return lines && (guint64)number <= g_strv_length(lines)
               ? g_strdup(g_strstrip(lines[number - 1]))
               : NULL;
}

static void add_lines(PsCheckResult *result, const PsCheckKernel *kernel, const PsAnswer *answer)
{
    const GPtrArray *lines = answer->explain->by_line;
    for (guint i = 0; lines && i < lines->len; i++) {
        const PsExplainShare *share = lines->pdata[i];
        g_autofree char *text = share->line ? text_of(kernel->path, share->line) : NULL;
        if (share->line)
            ps_check_result_add(
                result, share->line, text,
                ps_rational_to_double(ps_machine_cycles(answer->machine, share->ticks)));
    }
}

/* ---- asking --------------------------------------------------------------------------------- */

static gboolean set_code(const PsCheckKernel *kernel, PsKernelCode *code, GError **error)
{
    for (guint i = 0; i < kernel->options->len; i++) {
        const PsCheckOption *option = kernel->options->pdata[i];
        GError *why = NULL;
        if (ps_question_has(option->name) ||
            ps_kernel_code_set(code, option->name, option->value, &why))
            continue;
        ps_error_at(error, PS_ERROR_VALUE, option->place, "%s", why->message);
        g_error_free(why);
        return FALSE;
    }
    return TRUE;
}

static gboolean set_question(const PsCheckKernel *kernel, gboolean is_code, PsQuestion *question,
                             GError **error)
{
    for (guint i = 0; i < kernel->options->len; i++) {
        const PsCheckOption *option = kernel->options->pdata[i];
        GError *why = NULL;
        if (!ps_question_has(option->name) && is_code)
            continue;
        if (ps_question_set(question, option->name, option->value, &why))
            continue;
        ps_error_at(error, PS_ERROR_VALUE, option->place, "%s", why->message);
        g_error_free(why);
        return FALSE;
    }
    return ps_question_set(question, "explain", "", error);
}

static PsIdg *graph_of(const PsCheckKernel *kernel, PsKernelCode *code, const PsGpu *gpu,
                       PsHearer hearer, GError **error)
{
    if (!code)
        return ps_idg_load(kernel->path, error);
    return set_code(kernel, code, error) ? ps_kernel_code_graph(code, gpu, hearer, error) : NULL;
}

PsCheckKernel ps_check_elsewhere(const PsCheckKernel *kernel, const char *folder)
{
    PsCheckKernel other = *kernel;
    other.path = g_path_is_absolute(kernel->file) ? g_strdup(kernel->file)
                                                  : g_build_filename(folder, kernel->file, NULL);
    return other;
}

PsCheckResult *ps_check_ask(const PsCheckKernel *kernel, const PsGpu *gpu, const char *called,
                            PsHearer hearer, GError **error)
{
    GError *why = NULL;
    g_autoptr(PsKernelCode) code =
        ps_kernel_code_is(kernel->path) ? ps_kernel_code_new(kernel->path) : NULL;
    g_autoptr(PsIdg) idg = graph_of(kernel, code, gpu, hearer, &why);
    g_autoptr(PsQuestion) question = idg ? ps_question_new(idg, gpu) : NULL;
    g_autoptr(PsAnswer) answer = NULL;
    if (question && set_question(kernel, code != NULL, question, &why)) {
        ps_question_set_hearer(question, hearer);
        answer = ps_question_ask(question, 0, &why);
    }
    if (!answer) {
        g_propagate_prefixed_error(error, why, "%s: ", kernel->name);
        return NULL;
    }
    PsCheckResult *result = ps_check_result_new(kernel->name, called, answer->seconds);
    result->kernel = g_strdup(idg->name);
    result->conflicts = round(answer->roofline.metrics.replays / (double)gpu->warp_size);
    add_lines(result, kernel, answer);
    return result;
}
