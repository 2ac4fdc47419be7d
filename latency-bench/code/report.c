/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares a kernel's machine code with what its graph asks for.
 */
#include "latency-bench/code/instruction.h"

#include <string.h>

typedef struct {
    const PsBenchKernel *kernel;
    const PsCode *code;
    PsCodeReport *report;
    guint first, last; /* the trip */
    gboolean in_loop;  /* in a loop; otherwise the whole kernel, whose parts compilers may join */
} Look;

/* A byte for each instruction that fits a pattern (g_free). */
static guint8 *mark(const PsCode *code, const char *pattern)
{
    g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);
    g_autoptr(GHashTable) fits = g_hash_table_new(NULL, NULL); /* equal names are matched once */
    guint8 *marks = g_new0(guint8, code->instructions->len);
    for (guint i = 0; i < code->instructions->len; i++) {
        const char *name = g_array_index(code->instructions, PsInstruction, i).name;
        if (!g_hash_table_contains(fits, name))
            g_hash_table_insert(fits, (gpointer)name,
                                GINT_TO_POINTER(g_regex_match(regex, name, 0, NULL)));
        marks[i] = GPOINTER_TO_INT(g_hash_table_lookup(fits, name)) != 0;
    }
    return marks;
}

static void complain(const Look *look, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Only the first problem is kept. */
static void complain(const Look *look, const char *format, ...)
{
    va_list arguments;
    if (look->report->problem)
        return;
    va_start(arguments, format);
    look->report->problem = g_strdup_vprintf(format, arguments);
    va_end(arguments);
}

static const PsInstruction *get(const Look *look, guint i)
{
    return &g_array_index(look->code->instructions, PsInstruction, i);
}

/* Sweeps and whole kernels have many active warps, so the order within a warp decides little. */
static gboolean must_take_turns(const Look *look)
{
    const PsBenchKind kind = look->kernel->kind;
    return kind != PS_BENCH_INTENSITY && kind != PS_BENCH_MIX && kind != PS_BENCH_WHOLE;
}

/* Two different pipes among the trip's marked instructions; FALSE: all have one. */
static gboolean find_pipes(const Look *look, const guint8 *marks, const PsInstruction **one,
                           const PsInstruction **other)
{
    *one = NULL;
    for (guint i = look->first; i <= look->last; i++) {
        *other = get(look, i);
        if (!marks[i])
            continue;
        *one = *one ? *one : *other;
        if (g_strcmp0((*one)->pipe, (*other)->pipe) != 0)
            return TRUE;
    }
    return FALSE;
}

/* Before sm_80 a product of tensor cores is two instructions of half its depth. */
static void halve_depth(const Look *look, const guint8 *marks, PsCodeClass *class)
{
    for (guint i = look->first; i <= look->last; i++)
        if (marks[i] && strcmp(get(look, i)->name, "HMMA.1688") == 0) {
            class->steps *= 2;
            return;
        }
}

/* TRUE if each chain's sequence ends before the next one's begins: most instructions wait for the
 * one just before, and most counted ones are waited for at once, not only the last of a round. */
static gboolean is_serial(const PsCodeClass *class, const PsCodeChains *chains)
{
    return 2 * chains->at_once > chains->all &&
           2 * chains->alone * class->chains > chains->n * (class->chains + 1);
}

static void judge_chains(const Look *look, const PsCodeClass *class, const PsCodeChains *chains)
{
    if (chains->depth != class->steps || chains->uneven)
        complain(look,
                 "its instructions of class %s do not wait for each other as %" G_GINT64_FORMAT
                 " chains of %" G_GINT64_FORMAT " would: the longest chain has %" G_GINT64_FORMAT,
                 class->class_name, class->chains, class->steps, chains->depth);
    else if (chains->ahead > 1 && must_take_turns(look))
        complain(look,
                 "its %" G_GINT64_FORMAT " chains of class %s do not take turns: one gets "
                 "%" G_GINT64_FORMAT " steps ahead of another",
                 class->chains, class->class_name, chains->ahead);
    else if (class->chains > 1 && must_take_turns(look) && is_serial(class, chains))
        complain(look,
                 "its %" G_GINT64_FORMAT " chains of class %s do not take turns: %" G_GINT64_FORMAT
                 " of %" G_GINT64_FORMAT " instructions wait for the one just before",
                 class->chains, class->class_name, chains->at_once, chains->all);
}

static void judge(const Look *look, PsCodeClass *class)
{
    g_autofree guint8 *marks = mark(look->code, ps_code_pattern(class->class_name));
    const PsInstruction *one, *other;
    halve_depth(look, marks, class);
    const PsCodeChains chains =
        ps_code_chains(look->code, marks, look->first, look->last, class->chains, class->chained);
    const gint64 wanted = class->chains * class->steps;
    class->found = chains.n;
    for (guint i = look->first; i <= look->last; i++)
        for (guint k = 0; marks[i] && k < look->report->names->len; k++) {
            PsCodeName *name = &g_array_index(look->report->names, PsCodeName, k);
            name->counted = name->counted || strcmp(name->name, get(look, i)->name) == 0;
        }
    if (!look->in_loop)
        return;
    if (class->found != wanted)
        complain(look,
                 "a trip of its machine code has %" G_GINT64_FORMAT
                 " instructions of class %s where there must be %" G_GINT64_FORMAT,
                 class->found, class->class_name, wanted);
    else if (must_take_turns(look) && !ps_code_is_mixed(class->class_name) &&
             find_pipes(look, marks, &one, &other))
        complain(look, "its instructions of class %s are of two pipes: %s and %s",
                 class->class_name, one->name, other->name);
    else if (class->chained && chains.writes)
        judge_chains(look, class, &chains);
}

static void count_names(const Look *look)
{
    GArray *names = look->report->names;
    for (guint i = look->first; i <= look->last; i++) {
        const char *name = get(look, i)->name;
        guint k = 0;
        while (k < names->len && strcmp(g_array_index(names, PsCodeName, k).name, name) != 0)
            k++;
        if (k == names->len) {
            const PsCodeName new = {.name = g_strdup(name)};
            g_array_append_val(names, new);
        }
        g_array_index(names, PsCodeName, k).n++;
    }
}

/* FALSE: the code has no such loop. */
static gboolean find_trip(Look *look)
{
    const GArray *classes = look->report->classes;
    g_autofree guint8 *all = g_new0(guint8, look->code->instructions->len);
    for (guint i = 0; i < classes->len; i++) {
        const PsCodeClass *class = &g_array_index(classes, PsCodeClass, i);
        g_autofree guint8 *marks = mark(look->code, ps_code_pattern(class->class_name));
        for (guint k = 0; k < look->code->instructions->len; k++)
            all[k] |= marks[k];
    }
    look->first = 0;
    look->last = look->code->instructions->len - 1;
    return !look->in_loop || ps_code_find_loop(look->code, all, &look->first, &look->last);
}

static void clear_name(void *name)
{
    g_free(((PsCodeName *)name)->name);
}

PsCodeReport *ps_code_report(const PsBenchKernel *kernel, const PsCode *code)
{
    PsCodeReport *report = g_new0(PsCodeReport, 1);
    Look look = {.kernel = kernel, .code = code, .report = report};
    report->classes = ps_code_ask(kernel, &look.in_loop);
    report->names = g_array_new(FALSE, TRUE, sizeof(PsCodeName));
    g_array_set_clear_func(report->names, clear_name);
    if (report->classes->len == 0)
        return report;
    if (!find_trip(&look)) {
        complain(&look, "its machine code has no loop with instructions of class %s",
                 g_array_index(report->classes, PsCodeClass, 0).class_name);
        return report;
    }
    count_names(&look);
    for (guint i = 0; i < report->classes->len; i++)
        judge(&look, &g_array_index(report->classes, PsCodeClass, i));
    return report;
}

void ps_code_report_free(PsCodeReport *report)
{
    if (!report)
        return;
    g_array_unref(report->classes);
    g_array_unref(report->names);
    g_free(report->problem);
    g_free(report);
}
