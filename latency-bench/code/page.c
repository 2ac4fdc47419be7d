/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See ps_code_page. The page has a row for kernels of the same picture: of one family (all but
 * "-ilp4"), or of several whose cells are alike, and a column for each architecture and language. A
 * cell names the instructions that are counted, if their number is the one that the benchmark
 * divides by. Else it refers to a note below the table. Where OpenCL gives what HIP does, it says
 * so.
 */
#include "latency-bench/code.h"

#include "base/error.h"
#include "base/hearer.h"
#include "latency-bench/validate.h"

#include <string.h>

/* An architecture, and the language of the kernels that are compiled for it. */
typedef struct {
    const char *architecture, *backend; /* borrowed */
    char *name;                         /* "sm_90", "gfx90a OpenCL" */
    const char *like; /* the backend of the column before, if that is of the same architecture */
    guint n_right, n_all; /* kernels */
} Column;

typedef struct {
    const char *prefix; /* of options' names in messages */
    PsCodeCompilers *compilers;
    char *disassembler;
    GArray *columns; /* Column */
    GPtrArray *kernels;
    GPtrArray *rows;     /* Row */
    GPtrArray *problems; /* Problem, in the order in which they came */
    guint n_unread;      /* kernels whose machine code could not be made, or not be read */
    GError *unread;      /* why the first could not, or NULL */
} Work;

/* Kernels of one family. */
typedef struct {
    char *name;
    GString *members; /* chains: "1 2 4 8" */
    GString *wanted;  /* instructions of a trip: "64 128 256 512" */
    GPtrArray *cells; /* GPtrArray of char *, what differs, for each column */
} Row;

typedef struct {
    char *text;
    GPtrArray *where; /* char *: "hadd-ilp2 on sm_80" */
} Problem;

static void column_clear(gpointer column)
{
    g_free(((Column *)column)->name);
}

static void row_free(gpointer row)
{
    Row *self = row;
    g_free(self->name);
    g_string_free(self->members, TRUE);
    g_string_free(self->wanted, TRUE);
    g_ptr_array_unref(self->cells);
    g_free(self);
}

static void problem_free(gpointer problem)
{
    Problem *self = problem;
    g_free(self->text);
    g_ptr_array_unref(self->where);
    g_free(self);
}

static void work_clear(Work *work)
{
    ps_code_compilers_free(work->compilers);
    g_free(work->disassembler);
    g_clear_pointer(&work->kernels, g_ptr_array_unref);
    g_ptr_array_unref(work->rows);
    g_ptr_array_unref(work->problems);
    g_array_unref(work->columns);
    g_clear_error(&work->unread);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Work, work_clear)

static Column *column_at(const Work *work, guint i)
{
    return &g_array_index(work->columns, Column, i);
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

/* What is counted (g_free). */
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

/* What each step of chains needs besides, but AMD's hints when to issue; "" where it needs nothing,
 * or a trip is no chain (g_free). */
static char *names_beside(const PsCodeReport *report)
{
    enum { CHAIN = 4 }; /* a trip of fewer steps has more to do for itself */
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
static guint add_problem(Work *work, const PsBenchKernel *kernel, const char *column,
                         const char *text)
{
    guint i = 0;
    while (i < work->problems->len &&
           strcmp(((Problem *)work->problems->pdata[i])->text, text) != 0)
        i++;
    if (i == work->problems->len) {
        Problem *new = g_new0(Problem, 1);
        new->text = g_strdup(text);
        new->where = g_ptr_array_new_with_free_func(g_free);
        g_ptr_array_add(work->problems, new);
    }
    Problem *problem = work->problems->pdata[i];
    g_ptr_array_add(problem->where, g_strdup_printf("%s on %s", kernel->name, column));
    return i + 1;
}

static PsCodeReport *report_on(const Work *work, const PsBenchKernel *kernel, const Column *column,
                               GError **error)
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

static Row *find_row(Work *work, const char *name)
{
    for (guint i = 0; i < work->rows->len; i++)
        if (strcmp(((Row *)work->rows->pdata[i])->name, name) == 0)
            return work->rows->pdata[i];
    Row *row = g_new0(Row, 1);
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

/* What is beside is told of the first, the one with the fewest chains. */
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

/* A kernel in all columns that have it. */
static void add_kernel(Work *work, const PsBenchKernel *kernel)
{
    const char *dash = g_strrstr(kernel->name, "-ilp");
    g_autofree char *family =
        g_strndup(kernel->name, dash ? (gsize)(dash - kernel->name) : strlen(kernel->name));
    Row *row = find_row(work, family);
    gint64 wanted = 0;
    for (guint i = 0; i < work->columns->len; i++) {
        Column *column = column_at(work, i);
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

/* ---- the page ------------------------------------------------------------------------------ */

/* "" of kernels that the column has not (g_free). */
static char *cell_text(const Row *row, guint i)
{
    GString *text = g_string_new(NULL);
    const GPtrArray *texts = row->cells->pdata[i];
    for (guint k = 0; k < texts->len; k++)
        g_string_append_printf(text, "%s%s", k ? "; " : "", (const char *)texts->pdata[k]);
    return g_string_free(text, FALSE);
}

/* All of a row but its name (g_free). */
static char *row_text(const Work *work, const Row *row)
{
    GString *text = g_string_new(NULL);
    g_autofree char *before = NULL;
    g_string_append_printf(text, " | %s | %s |", row->members->str, row->wanted->str);
    for (guint i = 0; i < row->cells->len; i++) {
        const char *like = column_at(work, i)->like;
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
static void put_columns(const Work *work, GString *page, guint n_before)
{
    for (guint i = 0; i < work->columns->len; i++)
        g_string_append_printf(page, " %s |", column_at(work, i)->name);
    g_string_append(page, "\n|");
    for (guint i = 0; i < n_before + work->columns->len; i++)
        g_string_append(page, "---|");
    g_string_append_c(page, '\n');
}

/* Rows that differ in their names alone are one. */
static void put_table(const Work *work, GString *page)
{
    g_autoptr(GHashTable) done = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_string_append(page, "| benchmarks | chains | instructions |");
    put_columns(work, page, 3);
    for (guint i = 0; i < work->rows->len; i++) {
        const Row *row = work->rows->pdata[i];
        char *text = row_text(work, row);
        if (!g_hash_table_add(done, text))
            continue;
        g_string_append_printf(page, "| %s", row->name);
        for (guint k = i + 1; k < work->rows->len; k++) {
            const Row *other = work->rows->pdata[k];
            g_autofree char *same = row_text(work, other);
            if (strcmp(same, text) == 0)
                g_string_append_printf(page, ", %s", other->name);
        }
        g_string_append_printf(page, "%s\n", text);
    }
}

static void put_problems(const Work *work, GString *page)
{
    if (work->problems->len == 0) {
        g_string_append(page, "\nNothing is wrong.\n");
        return;
    }
    g_string_append(page, "\nWhat is wrong, and so is not measured:\n\n");
    for (guint i = 0; i < work->problems->len; i++) {
        const Problem *problem = work->problems->pdata[i];
        g_string_append_printf(page, "- **[%u]** %s:", i + 1, problem->text);
        for (guint k = 0; k < problem->where->len; k++)
            g_string_append_printf(page, "%s %s", k ? "," : "",
                                   (const char *)problem->where->pdata[k]);
        g_string_append_c(page, '\n');
    }
}

static void put_head(const Work *work, GString *page)
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
        has_languages = column_at(work, i)->like != NULL;
    if (has_languages)
        g_string_append(
            page, "\nFor AMD's GPUs kernels are written in two languages. OpenCL's are compiled "
                  "with the built-in functions\nof `latency-bench/kernels/builtins-amd.h`, "
                  "which stand for those of AMD's drivers; `as HIP` is what differs in nothing.\n");
    g_string_append(page, "\n| |");
    put_columns(work, page, 1);
    g_string_append(page, "| kernels |");
    for (guint i = 0; i < work->columns->len; i++)
        g_string_append_printf(page, " %u |", column_at(work, i)->n_all);
    g_string_append(page, "\n| right |");
    for (guint i = 0; i < work->columns->len; i++)
        g_string_append_printf(page, " %u |", column_at(work, i)->n_right);
    g_string_append(page, "\n\n");
}

/* ---- the whole ----------------------------------------------------------------------------- */

/* Those whose names fit the pattern, micro-benchmarks first. */
static gboolean choose_kernels(Work *work, const char *pattern, GError **error)
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

static void add_columns(Work *work, const char *architecture)
{
    const char *const *backends = ps_code_backends(architecture);
    for (guint i = 0; backends[i]; i++) {
        const Column column = {.architecture = architecture,
                               .backend = backends[i],
                               .name = backends[1]
                                           ? g_strconcat(architecture, " ", backends[i], NULL)
                                           : g_strdup(architecture),
                               .like = i > 0 ? backends[i - 1] : NULL};
        g_array_append_val(work->columns, column);
    }
}

static gboolean open_compilers(Work *work, const char *const *architectures, GError **error)
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

/* FALSE and *error where nothing could be read. */
static gboolean read_all(Work *work, const PsHearer *hearer, GError **error)
{
    PsProgress progress = {PS_PHASE_POINTS, .of = work->kernels->len,
                           .since = g_get_monotonic_time()};
    guint n = 0;
    for (guint i = 0; i < work->kernels->len; i++) {
        add_kernel(work, work->kernels->pdata[i]);
        progress.done = i + 1;
        progress.share = (double)progress.done / work->kernels->len;
        if (!ps_hearer_tell(hearer, &progress, error))
            return FALSE;
    }
    for (guint i = 0; i < work->columns->len; i++)
        n += column_at(work, i)->n_all;
    if (!n || work->n_unread < n)
        return TRUE;
    g_propagate_error(error, g_steal_pointer(&work->unread));
    return FALSE;
}

char *ps_code_page(const char *const *architectures, const char *pattern, const char *prefix,
                   const PsHearer *hearer, GError **error)
{
    g_auto(Work)
        work = {.prefix = prefix,
                .compilers = ps_code_compilers_new(),
                .disassembler = ps_code_disassembler(),
                .columns = g_array_new(FALSE, FALSE, sizeof(Column)),
                .kernels = g_ptr_array_new_with_free_func((GDestroyNotify)ps_bench_kernel_free),
                .rows = g_ptr_array_new_with_free_func(row_free),
                .problems = g_ptr_array_new_with_free_func(problem_free)};
    g_array_set_clear_func(work.columns, column_clear);
    if (!open_compilers(&work, architectures, error) || !choose_kernels(&work, pattern, error) ||
        !read_all(&work, hearer, error))
        return NULL;
    GString *page = g_string_new(NULL);
    put_head(&work, page);
    put_table(&work, page);
    put_problems(&work, page);
    return g_string_free(page, FALSE);
}
