/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decides whether a compiled kernel may be measured: by its machine code, or, if that cannot be
 * read, by the compiler's text.
 */
#include "latency-bench/code/instruction.h"
#include "latency-bench/internal.h"

#include <string.h>

char *ps_code_function(const PsBenchKernel *kernel)
{
    return g_strcanon(g_strdup(kernel->name), G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "_", '_');
}

/* ---- text ---------------------------------------------------------------------------------- */

static gint64 count_matches(const char *pattern, const char *text)
{
    gint64 n = 0;
    g_autoptr(GRegex) regex = g_regex_new(pattern, G_REGEX_RAW, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    g_regex_match(regex, text, 0, &match);
    for (; g_match_info_matches(match); g_match_info_next(match, NULL))
        n++;
    return n;
}

/* The begin of the kernel: PTX has helper functions before it. */
static const char *kernel_in(const char *text)
{
    const char *entry = strstr(text, ".entry");
    return entry ? entry : text;
}

static gboolean check_text(const PsBenchKernel *kernel, const char *text, GError **error)
{
    gboolean in_loop;
    g_autoptr(GArray) classes = ps_code_ask(kernel, &in_loop);
    for (guint i = 0; i < classes->len; i++) {
        const PsCodeClass *class = &g_array_index(classes, PsCodeClass, i);
        const gint64 wanted = class->chains * class->steps;
        const gint64 n = count_matches(ps_code_pattern(class->class_name), kernel_in(text));
        if (n >= wanted)
            continue;
        ps_error_at(error, PS_ERROR_DEVICE, (PsPlace){0},
                    "%s: the compiler removed work: its code has %" G_GINT64_FORMAT
                    " instructions of class %s where there must be %" G_GINT64_FORMAT,
                    kernel->name, n, class->class_name, wanted);
        return FALSE;
    }
    return TRUE;
}

/* ---- machine code -------------------------------------------------------------------------- */

static PsCode *read(const PsBenchKernel *kernel, GBytes *image, char **unseen)
{
    g_autoptr(GError) why = NULL;
    g_autofree char *function = ps_code_function(kernel), *disassembler = ps_code_disassembler();
    PsCode *code = ps_code_read(image, function, disassembler, &why);
    if (!code)
        *unseen = g_strdup(why->message);
    return code;
}

gboolean ps_bench_check_code(const PsBenchKernel *kernel, GBytes *image, const char *text,
                             char **unseen, GError **error)
{
    *unseen = NULL;
    if (!image || !ps_code_is_machine(image))
        return !text || check_text(kernel, text, error);
    g_autoptr(PsCode) code = read(kernel, image, unseen);
    if (!code)
        return !text || check_text(kernel, text, error);
    g_autoptr(PsCodeReport) report = ps_code_report(kernel, code);
    if (!report->problem)
        return TRUE;
    ps_error_at(error, PS_ERROR_DEVICE, (PsPlace){0}, "%s: %s; it would measure something else",
                kernel->name, report->problem);
    return FALSE;
}
