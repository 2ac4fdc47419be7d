/* SPDX-License-Identifier: BSD-3-Clause */
/* See strength.h. */
#include "advice/strength.h"

#include "idg/edit.h"
#include "lift/emit/rewrite.h"
#include "lift/values/sequence.h"
#include "tell/format.h"

#include <string.h>

#define MOST_LINES 3

/* Lines with a smaller share of the critical path are not tried. */
#define LEAST_SHARE 0.01

/* [program][node]: share of the path that is charged to the node. */
static double **find_shares(const PsAnswer *answer)
{
    const GPtrArray *path = answer->explain->path;
    double **share = g_new0(double *, answer->kernel->n_programs);
    for (guint p = 0; p < answer->kernel->n_programs; p++)
        share[p] = g_new0(double, answer->kernel->programs[p].n_nodes);
    for (guint i = 0; path && i < path->len; i++) {
        const PsPathRow *row = path->pdata[i];
        if (row->node != G_MAXUINT)
            share[row->program][row->node] += (double)row->ticks / (double)answer->result.ticks;
    }
    return share;
}

/* [node]: the node with the result of its operation. */
static const PsIdgItem **find_wholes(const PsProgram *program)
{
    g_autoptr(GHashTable) by_name = g_hash_table_new(g_str_hash, g_str_equal);
    const PsIdgItem **whole = g_new0(const PsIdgItem *, program->n_nodes);
    for (guint n = 0; n < program->n_nodes; n++)
        g_hash_table_insert(by_name, program->nodes[n].item->name,
                            (gpointer)program->nodes[n].item);
    for (guint n = 0; n < program->n_nodes; n++) {
        const PsIdgItem *item = program->nodes[n].item;
        whole[n] = item->part ? g_hash_table_lookup(by_name, item->part) : NULL;
        whole[n] = whole[n] ? whole[n] : item;
    }
    return whole;
}

PsStrength *ps_strength_new(const PsAnswer *answer)
{
    PsStrength *strength = g_new0(PsStrength, 1);
    *strength = (PsStrength){answer, g_hash_table_new(NULL, NULL), find_shares(answer),
                             g_new0(const PsIdgItem **, answer->kernel->n_programs)};
    for (guint p = 0; p < answer->kernel->n_programs; p++)
        strength->whole[p] = find_wholes(&answer->kernel->programs[p]);
    return strength;
}

void ps_strength_free(PsStrength *strength)
{
    if (!strength)
        return;
    g_hash_table_unref(strength->to);
    for (guint p = 0; p < strength->answer->kernel->n_programs; p++) {
        g_free(strength->share[p]);
        g_free(strength->whole[p]);
    }
    g_free(strength->share);
    g_free(strength->whole);
    g_free(strength);
}

gboolean ps_strength_is_on(const PsIdgItem *a, const PsIdgItem *b)
{
    return a->source_line == b->source_line && g_strcmp0(a->file, b->file) == 0;
}

gboolean ps_strength_moves_wide(const PsIdgItem *item)
{
    return item->bytes && strcmp(ps_expr_text(item->bytes), "4") != 0;
}

void ps_strength_set(PsStrength *strength, const PsIdgItem *node, const char *text)
{
    g_hash_table_insert(strength->to, (gpointer)node, (gpointer)g_intern_string(text));
}

void ps_strength_choose(PsStrength *strength, PsStrengthTo to)
{
    const PsKernel *kernel = strength->answer->kernel;
    for (guint p = 0; p < kernel->n_programs; p++)
        for (guint n = 0; n < kernel->programs[p].n_nodes; n++) {
            const PsIdgItem *item = kernel->programs[p].nodes[n].item;
            const char *text = item->part ? NULL : to(item, strength->answer->gpu);
            if (text)
                ps_strength_set(strength, item, text);
        }
}

/* ---- lines --------------------------------------------------------------------------------- */

/* A source line with such nodes. */
typedef struct {
    const PsIdgItem *item; /* its operation with most of the path */
    guint program, node;   /* the same operation's place */
    double share, longest; /* shares of the path: of all its operations, and of the longest one */
    guint instructions;    /* instructions that the longest one takes */
} Line;

static void add_line(GPtrArray *lines, const Line *one)
{
    for (guint i = 0; i < lines->len; i++) {
        Line *line = lines->pdata[i];
        if (!ps_strength_is_on(line->item, one->item))
            continue;
        const double share = line->share + one->share;
        if (one->share > line->longest)
            *line = *one;
        line->share = share;
        return;
    }
    g_ptr_array_add(lines, g_memdup2(one, sizeof *one));
}

/* Adds the operations of a program, with their parts' shares of the path. */
static void add_program(const PsStrength *strength, guint p, GPtrArray *lines)
{
    const PsAnswer *answer = strength->answer;
    const PsProgram *program = &answer->kernel->programs[p];
    g_autoptr(GHashTable) operations = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    for (guint n = 0; n < program->n_nodes; n++) {
        const PsIdgItem *item = ps_strength_whole(strength, p, n);
        Line *line = g_hash_table_lookup(operations, item);
        if (!line)
            g_hash_table_insert(operations, (gpointer)item, line = g_new0(Line, 1));
        line->share += strength->share[p][n];
        line->instructions++;
    }
    for (guint n = 0; n < program->n_nodes; n++) {
        const PsIdgItem *item = program->nodes[n].item;
        if (!g_hash_table_contains(strength->to, item))
            continue;
        Line *line = g_hash_table_lookup(operations, item);
        *line = (Line){item, p, n, line->share, line->share, line->instructions};
        add_line(lines, line);
    }
}

static int largest_first(gconstpointer a, gconstpointer b)
{
    const Line *x = *(Line *const *)a, *y = *(Line *const *)b;
    if (x->share != y->share)
        return x->share > y->share ? -1 : 1;
    return x->item->source_line - y->item->source_line;
}

static GPtrArray *find_lines(const PsStrength *strength)
{
    GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
    for (guint p = 0; p < strength->answer->kernel->n_programs; p++)
        add_program(strength, p, lines);
    g_ptr_array_sort(lines, largest_first);
    return lines;
}

/* ---- variants ------------------------------------------------------------------------------ */

/* The nodes of a code that are replaced: those of one line, or all. */
typedef struct {
    const PsIdgItem *on; /* the line's node; NULL: all lines */
    GHashTable *to;      /* name of the node -> replacement */
} Choice;

static const char *chosen(const PsIdgItem *node, gpointer data)
{
    const Choice *choice = data;
    return choice->on && !ps_strength_is_on(node, choice->on)
               ? NULL
               : g_hash_table_lookup(choice->to, node->name);
}

static PsVariant *new_variant(const PsAdvicePlan *plan, const PsStrength *strength,
                              const PsIdgItem *on)
{
    PsVariant *variant = ps_variant_new(plan->question);
    variant->question.idg = variant->idg = ps_idg_copy(plan->question->idg);
    for (guint p = 0; p < strength->answer->kernel->n_programs; p++) {
        const PsProgram *program = &strength->answer->kernel->programs[p];
        g_autoptr(GHashTable) to = g_hash_table_new(g_str_hash, g_str_equal);
        Choice choice = {on, to};
        for (guint n = 0; n < program->n_nodes; n++) {
            const PsIdgItem *item = program->nodes[n].item;
            const char *text = g_hash_table_lookup(strength->to, item);
            if (text)
                g_hash_table_insert(to, item->name, (gpointer)text);
        }
        (void)ps_rewrite(variant->idg, p, chosen, &choice);
    }
    return variant;
}

static guint steps_of(const PsStrength *strength, const PsIdgItem *item)
{
    const char *text = g_hash_table_lookup(strength->to, item);
    g_autoptr(PsSequence) sequence = *text ? ps_sequence_new(text) : NULL;
    return sequence ? sequence->steps->len : 0;
}

static void add_item(PsAdvicePlan *plan, const PsStrength *strength, const GPtrArray *lines,
                     gboolean all, guint number, const PsAdviceAbout *about)
{
    const Line *line = lines->pdata[number];
    PsVariant *variant = new_variant(plan, strength, all ? NULL : line->item);
    PsAdvice *advice = ps_advice_add(plan, about->cause, about->change, G_MAXUINT, variant)->advice;
    for (guint i = 0; i < lines->len; i++)
        if (all || i == number)
            variant->share += ((const Line *)lines->pdata[i])->share;
    advice->program = line->program;
    advice->node = line->node;
    *ps_advice_data_new(advice, PsCheaper) =
        (PsCheaper){ps_text_clean(line->item->op ? line->item->op : line->item->class_name),
                    line->item->by ? ps_text_clean(line->item->by) : NULL, line->instructions,
                    steps_of(strength, line->item), all ? lines->len : 1};
}

void ps_strength_add(PsAdvicePlan *plan, const PsStrength *strength, PsStrengthWhere where,
                     const PsAdviceAbout *about)
{
    g_autoptr(GPtrArray) lines = find_lines(strength);
    const gboolean is_known = strength->answer->explain->path != NULL;
    guint likely = 0;
    while (likely < lines->len &&
           (!is_known || ((const Line *)lines->pdata[likely])->share >= LEAST_SHARE))
        likely++;
    if (where == PS_STRENGTH_TOGETHER && likely > 0)
        add_item(plan, strength, lines, TRUE, 0, about);
    if (where == PS_STRENGTH_TOGETHER || (where == PS_STRENGTH_SEVERAL && lines->len < 2))
        return;
    for (guint i = 0; i < MIN(likely, MOST_LINES); i++)
        add_item(plan, strength, lines, FALSE, i, about);
}

void ps_strength_try(PsAdvicePlan *plan, PsStrengthTo to, PsStrengthWhere where,
                     const PsAdviceAbout *about)
{
    g_autoptr(PsStrength) strength = ps_strength_new(plan->answer);
    ps_strength_choose(strength, to);
    ps_strength_add(plan, strength, where, about);
}

/* ---- what is said of it -------------------------------------------------------------------- */

void ps_cheaper_clear(void *data)
{
    PsCheaper *cheaper = data;
    g_free(cheaper->op);
    g_free(cheaper->by);
}

void ps_cheaper_tell(const PsAdvice *advice, PsTold *facts)
{
    const PsCheaper *cheaper = advice->data;
    ps_tell_entry_text(facts, "operation", cheaper->op);
    if (cheaper->by)
        ps_tell_entry_text(facts, "by", cheaper->by);
    ps_tell_entry_whole(facts, "instructions_now", cheaper->before);
    ps_tell_entry_whole(facts, "instructions_then", cheaper->after);
    ps_tell_entry_whole(facts, "lines", cheaper->lines);
}

/* The operation in words: "the remainder of a division". */
static const char *name_of(const char *op)
{
    static const struct {
        const char *prefix, *name;
    } names[] = {{"rem.", "the remainder of a division"},
                 {"div.", "a division"},
                 {"rcp.", "1 / x"},
                 {"sqrt.", "a square root"},
                 {"rsqrt.", "1 / a square root"},
                 {"cvt.", "a conversion"}};
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
        if (g_str_has_prefix(op, names[i].prefix))
            return names[i].name;
    return op;
}

char *ps_cheaper_cost(const PsCheaper *cheaper, const char *of)
{
    g_autofree char *now = ps_format_noun(cheaper->before, "instruction");
    return g_strdup_printf("%s%s takes %s", name_of(cheaper->op), of, now);
}

char *ps_cheaper_lines(const PsCheaper *cheaper)
{
    return cheaper->lines == 1 ? g_strdup("")
                               : g_strdup_printf(", which changes %u lines,", cheaper->lines);
}

char *ps_cheaper_sentence(const PsAnswer *answer, const PsAdvice *advice, char *what)
{
    g_autofree char *taken = what, *gives = ps_would_give(answer, advice);
    return g_strdup_printf("%s %s", taken, gives);
}
