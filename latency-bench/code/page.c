/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See ps_code_page. Rows that are alike but for their names are one. A cell names the instructions
 * that are counted, if their number is the one that the benchmark divides by; else it refers to a
 * note below the table. Where OpenCL gives the same as HIP, it says so.
 */
#include "latency-bench/code/page-rows.h"

#include "base/error.h"
#include "base/hearer.h"
#include "latency-bench/validate.h"

#include <string.h>

/* ---- the page ------------------------------------------------------------------------------ */

/* "" for kernels that the column lacks (g_free). */
static char *cell_text(const PsCodeRow *row, guint i)
{
    GString *text = g_string_new(NULL);
    const GPtrArray *texts = row->cells->pdata[i];
    for (guint k = 0; k < texts->len; k++)
        g_string_append_printf(text, "%s%s", k ? "; " : "", (const char *)texts->pdata[k]);
    return g_string_free(text, FALSE);
}

/* A row without its name (g_free). */
static char *row_text(const PsCodeWork *work, const PsCodeRow *row)
{
    GString *text = g_string_new(NULL);
    g_autofree char *before = NULL;
    g_string_append_printf(text, " | %s | %s |", row->members->str, row->wanted->str);
    for (guint i = 0; i < row->cells->len; i++) {
        const char *like = ps_code_column(work, i)->like;
        char *cell = cell_text(row, i);
        if (like && *cell && g_strcmp0(cell, before) == 0)
            g_string_append_printf(text, " as %s |", like);
        else
            g_string_append_printf(text, "%s%s |", *cell ? " " : "", cell);
        g_free(before);
        before = cell;
    }
    return g_string_free(text, FALSE);
}

/* "| architecture | architecture |", and the line below it. */
static void put_columns(const PsCodeWork *work, GString *page, guint n_before)
{
    for (guint i = 0; i < work->columns->len; i++)
        g_string_append_printf(page, " %s |", ps_code_column(work, i)->name);
    g_string_append(page, "\n|");
    for (guint i = 0; i < n_before + work->columns->len; i++)
        g_string_append(page, "---|");
    g_string_append_c(page, '\n');
}

/* Rows that differ in name alone are one. */
static void put_table(const PsCodeWork *work, GString *page)
{
    g_autoptr(GHashTable) done = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_string_append(page, "| benchmarks | chains | instructions |");
    put_columns(work, page, 3);
    for (guint i = 0; i < work->rows->len; i++) {
        const PsCodeRow *row = work->rows->pdata[i];
        char *text = row_text(work, row);
        if (!g_hash_table_add(done, text))
            continue;
        g_string_append_printf(page, "| %s", row->name);
        for (guint k = i + 1; k < work->rows->len; k++) {
            const PsCodeRow *other = work->rows->pdata[k];
            g_autofree char *same = row_text(work, other);
            if (strcmp(same, text) == 0)
                g_string_append_printf(page, ", %s", other->name);
        }
        g_string_append_printf(page, "%s\n", text);
    }
}

static void put_problems(const PsCodeWork *work, GString *page)
{
    if (work->problems->len == 0) {
        g_string_append(page, "\nNothing is wrong.\n");
        return;
    }
    g_string_append(page, "\nWhat is wrong, and so is not measured:\n\n");
    for (guint i = 0; i < work->problems->len; i++) {
        const PsCodeProblem *problem = work->problems->pdata[i];
        g_string_append_printf(page, "- **[%u]** %s:", i + 1, problem->text);
        for (guint k = 0; k < problem->where->len; k++)
            g_string_append_printf(page, "%s %s", k ? "," : "",
                                   (const char *)problem->where->pdata[k]);
        g_string_append_c(page, '\n');
    }
}

static void put_head(const PsCodeWork *work, GString *page)
{
    g_autofree char *compilers = ps_code_compilers_name(work->compilers);
    gboolean has_languages = FALSE;
    g_string_append_printf(
        page,
        "# Machine code of the micro-benchmarks\n\n"
        "The kernels as compiled by %s; `pipesim bench %scode` wrote this page. Instructions are "
        "those\nof one trip of the loop, which measurements divide by, for each number of chains "
        "in "
        "a warp. Where a cell has nothing but names, the machine\ncode has exactly as many of "
        "these instructions, each chain's wait for each other, and the chains take turns. In\n"
        "parentheses is what each step needs besides; counting trips and jumping back are left "
        "out.\n",
        compilers, work->prefix);
    for (guint i = 0; i < work->columns->len && !has_languages; i++)
        has_languages = ps_code_column(work, i)->like != NULL;
    if (has_languages)
        g_string_append(
            page, "\nFor AMD's GPUs kernels are written in two languages. OpenCL's are compiled "
                  "with the built-in functions\nof `latency-bench/kernels/builtins-amd.h`, "
                  "which stand for those of AMD's drivers; `as HIP` is what differs in nothing.\n");
    g_string_append(page, "\n| |");
    put_columns(work, page, 1);
    g_string_append(page, "| kernels |");
    for (guint i = 0; i < work->columns->len; i++)
        g_string_append_printf(page, " %u |", ps_code_column(work, i)->n_all);
    g_string_append(page, "\n| right |");
    for (guint i = 0; i < work->columns->len; i++)
        g_string_append_printf(page, " %u |", ps_code_column(work, i)->n_right);
    g_string_append(page, "\n\n");
}

/* ---- the whole ----------------------------------------------------------------------------- */

/* Chooses the kernels whose names fit the pattern, micro-benchmarks first. */
static gboolean choose_kernels(PsCodeWork *work, const char *pattern, GError **error)
{
    g_ptr_array_extend_and_steal(work->kernels, ps_bench_kernels());
    g_ptr_array_extend_and_steal(work->kernels, ps_validation_kernels());
    for (guint i = work->kernels->len; i-- > 0;)
        if (pattern &&
            !g_pattern_match_simple(pattern, ((PsBenchKernel *)work->kernels->pdata[i])->name))
            g_ptr_array_remove_index(work->kernels, i);
    if (work->kernels->len)
        return TRUE;
    g_set_error(error, PS_ERROR, PS_ERROR_VALUE, "%sclasses %s: no benchmark has such a name",
                work->prefix, pattern);
    return FALSE;
}

static void add_columns(PsCodeWork *work, const char *architecture)
{
    const char *const *backends = ps_code_backends(architecture);
    for (guint i = 0; backends[i]; i++) {
        const PsCodeColumn column = {.architecture = architecture,
                                     .backend = backends[i],
                                     .name = backends[1]
                                                 ? g_strconcat(architecture, " ", backends[i], NULL)
                                                 : g_strdup(architecture),
                                     .like = i > 0 ? backends[i - 1] : NULL};
        g_array_append_val(work->columns, column);
    }
}

static gboolean open_compilers(PsCodeWork *work, const char *const *architectures, GError **error)
{
    for (; *architectures; architectures++) {
        if (!ps_code_compilers_open(work->compilers, *architectures, error)) {
            g_prefix_error(error, "%scode: ", work->prefix);
            return FALSE;
        }
        add_columns(work, *architectures);
    }
    return TRUE;
}

/* FALSE and *error if nothing could be read. */
static gboolean read_all(PsCodeWork *work, const PsHearer *hearer, GError **error)
{
    PsProgress progress = {PS_PHASE_POINTS, .of = work->kernels->len,
                           .since = g_get_monotonic_time()};
    guint n = 0;
    for (guint i = 0; i < work->kernels->len; i++) {
        ps_code_work_add(work, work->kernels->pdata[i]);
        progress.done = i + 1;
        progress.share = (double)progress.done / work->kernels->len;
        if (!ps_hearer_tell(hearer, &progress, error))
            return FALSE;
    }
    for (guint i = 0; i < work->columns->len; i++)
        n += ps_code_column(work, i)->n_all;
    if (!n || work->n_unread < n)
        return TRUE;
    g_propagate_error(error, g_steal_pointer(&work->unread));
    return FALSE;
}

char *ps_code_page(const char *const *architectures, const char *pattern, const char *prefix,
                   const PsHearer *hearer, GError **error)
{
    g_auto(PsCodeWork) work = ps_code_work_new(prefix);
    if (!open_compilers(&work, architectures, error) || !choose_kernels(&work, pattern, error) ||
        !read_all(&work, hearer, error))
        return NULL;
    GString *page = g_string_new(NULL);
    put_head(&work, page);
    put_table(&work, page);
    put_problems(&work, page);
    return g_string_free(page, FALSE);
}
