/* SPDX-License-Identifier: BSD-3-Clause */
/* See page-rows.h. */
#include "latency-bench/code/page-rows.h"

#include <string.h>

static void column_clear(gpointer column)
{
    g_free(((PsCodeColumn *)column)->name);
}

static void row_free(gpointer row)
{
    PsCodeRow *self = row;
    g_free(self->name);
    g_string_free(self->members, TRUE);
    g_string_free(self->wanted, TRUE);
    g_ptr_array_unref(self->cells);
    g_free(self);
}

static void problem_free(gpointer problem)
{
    PsCodeProblem *self = problem;
    g_free(self->text);
    g_ptr_array_unref(self->where);
    g_free(self);
}

PsCodeWork ps_code_work_new(const char *prefix)
{
    PsCodeWork work = {.prefix = prefix,
                       .compilers = ps_code_compilers_new(),
                       .disassembler = ps_code_disassembler(),
                       .columns = g_array_new(FALSE, FALSE, sizeof(PsCodeColumn)),
                       .kernels =
                           g_ptr_array_new_with_free_func((GDestroyNotify)ps_bench_kernel_free),
                       .rows = g_ptr_array_new_with_free_func(row_free),
                       .problems = g_ptr_array_new_with_free_func(problem_free)};
    g_array_set_clear_func(work.columns, column_clear);
    return work;
}

void ps_code_work_clear(PsCodeWork *work)
{
    ps_code_compilers_free(work->compilers);
    g_free(work->disassembler);
    g_clear_pointer(&work->kernels, g_ptr_array_unref);
    g_ptr_array_unref(work->rows);
    g_ptr_array_unref(work->problems);
    g_array_unref(work->columns);
    g_clear_error(&work->unread);
}

PsCodeColumn *ps_code_column(const PsCodeWork *work, guint i)
{
    return &g_array_index(work->columns, PsCodeColumn, i);
}

/* ---- a kernel ------------------------------------------------------------------------------ */

static gint64 wanted_of(const PsCodeReport *report)
{
    gint64 wanted = 0;
    for (guint i = 0; i < report->classes->len; i++) {
        const PsCodeClass *class = &g_array_index(report->classes, PsCodeClass, i);
        wanted += class->chains * class->steps;
    }
    return wanted;
}

static int compare_names(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names of counted instructions (g_free). */
static char *counted_names(const PsCodeReport *report)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < report->names->len; i++) {
        const PsCodeName *name = &g_array_index(report->names, PsCodeName, i);
        if (name->counted)
            g_ptr_array_add(names, (gpointer)name->name);
    }
    g_ptr_array_sort(names, compare_names);
    g_ptr_array_add(names, NULL);
    return g_strjoinv(", ", (char **)names->pdata);
}

/* Other instructions in each step of chains, except AMD's hints on when to issue; "" if there are
 * none, or a trip has no chains (g_free). */
static char *names_beside(const PsCodeReport *report)
{
    enum { CHAIN = 4 }; /* a trip of fewer steps has more overhead */
    GString *text = g_string_new(NULL);
    const gint64 wanted = wanted_of(report);
    for (guint i = 0; i < report->names->len && wanted > CHAIN && report->classes->len == 1; i++) {
        const PsCodeName *name = &g_array_index(report->names, PsCodeName, i);
        if (!name->counted && name->n * 2 >= wanted && !g_str_has_prefix(name->name, "s_"))
            g_string_append_printf(text, "%s%s", text->len ? ", " : " (", name->name);
    }
    g_string_append(text, text->len ? ")" : "");
    return g_string_free(text, FALSE);
}

/* The number by which the table refers to it. */
static guint add_problem(PsCodeWork *work, const PsBenchKernel *kernel, const char *column,
                         const char *text)
{
    guint i = 0;
    while (i < work->problems->len &&
           strcmp(((PsCodeProblem *)work->problems->pdata[i])->text, text) != 0)
        i++;
    if (i == work->problems->len) {
        PsCodeProblem *new = g_new0(PsCodeProblem, 1);
        new->text = g_strdup(text);
        new->where = g_ptr_array_new_with_free_func(g_free);
        g_ptr_array_add(work->problems, new);
    }
    PsCodeProblem *problem = work->problems->pdata[i];
    g_ptr_array_add(problem->where, g_strdup_printf("%s on %s", kernel->name, column));
    return i + 1;
}

static PsCodeReport *report_on(const PsCodeWork *work, const PsBenchKernel *kernel,
                               const PsCodeColumn *column, GError **error)
{
    g_autofree char *function = ps_code_function(kernel);
    g_autoptr(GBytes) image =
        ps_code_compile(work->compilers, kernel, column->backend, column->architecture, error);
    g_autoptr(PsCode) code =
        image ? ps_code_read(image, function, work->disassembler, error) : NULL;
    if (code)
        return ps_code_report(kernel, code);
    g_prefix_error(error, "%scode %s: %s: ", work->prefix, column->architecture, kernel->name);
    return NULL;
}

/* ---- rows ---------------------------------------------------------------------------------- */

static PsCodeRow *find_row(PsCodeWork *work, const char *name)
{
    for (guint i = 0; i < work->rows->len; i++)
        if (strcmp(((PsCodeRow *)work->rows->pdata[i])->name, name) == 0)
            return work->rows->pdata[i];
    PsCodeRow *row = g_new0(PsCodeRow, 1);
    row->name = g_strdup(name);
    row->members = g_string_new(NULL);
    row->wanted = g_string_new(NULL);
    row->cells = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
    for (guint i = 0; i < work->columns->len; i++)
        g_ptr_array_add(row->cells, g_ptr_array_new_with_free_func(g_free));
    g_ptr_array_add(work->rows, row);
    return row;
}

static void add_once(GPtrArray *texts, const char *text)
{
    for (guint i = 0; i < texts->len; i++)
        if (strcmp(texts->pdata[i], text) == 0)
            return;
    g_ptr_array_add(texts, g_strdup(text));
}

/* Other instructions are told for the first row, with the fewest chains. */
static void add_names(GPtrArray *texts, const PsCodeReport *report)
{
    g_autofree char *names = counted_names(report);
    if (texts->len) {
        const char *first = texts->pdata[0];
        if (!g_str_has_prefix(first, names) || strcspn(first, "(") < strlen(names))
            add_once(texts, names);
        return;
    }
    g_autofree char *beside = names_beside(report);
    if (*names)
        g_ptr_array_add(texts, g_strconcat(names, beside, NULL));
}

static void add_number(GString *text, gint64 number)
{
    g_string_append_printf(text, "%s%" G_GINT64_FORMAT, text->len ? " " : "", number);
}

void ps_code_work_add(PsCodeWork *work, const PsBenchKernel *kernel)
{
    const char *dash = g_strrstr(kernel->name, "-ilp");
    g_autofree char *family =
        g_strndup(kernel->name, dash ? (gsize)(dash - kernel->name) : strlen(kernel->name));
    PsCodeRow *row = find_row(work, family);
    gint64 wanted = 0;
    for (guint i = 0; i < work->columns->len; i++) {
        PsCodeColumn *column = ps_code_column(work, i);
        if (!ps_code_has(kernel, column->backend, column->architecture))
            continue;
        g_autoptr(GError) why = NULL;
        g_autoptr(PsCodeReport) report = report_on(work, kernel, column, &why);
        const char *problem = report ? report->problem : why->message;
        column->n_all++;
        column->n_right += !problem;
        if (report) {
            add_names(row->cells->pdata[i], report);
            wanted = wanted_of(report);
        } else if (!work->unread) {
            work->unread = g_error_copy(why);
        }
        if (!problem)
            continue;
        g_autofree char *mark =
            g_strdup_printf("**[%u]**", add_problem(work, kernel, column->name, problem));
        add_once(row->cells->pdata[i], mark);
        work->n_unread += !report;
    }
    add_number(row->members, kernel->ilp);
    add_number(row->wanted, wanted);
}
