/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on operations in wider types than their data. See strength.h. */
#include "advice/strength.h"

#include "base/class-name.h"
#include "lift/values/sequence.h"

#include <string.h>

static char *sentence(const PsAnswer *answer, const PsAdvice *advice)
{
    const PsCheaper *cheaper = advice->data;
    g_autofree char *lines = ps_cheaper_lines(cheaper);
    return ps_cheaper_sentence(
        answer, advice,
        g_strdup_printf("singles are converted to doubles and back: single precision (literals "
                        "like 2.5f)%s",
                        lines));
}

static const PsAdviceChange single = PS_CHEAPER_CHANGE("single", sentence);

/* ---- doubles between singles --------------------------------------------------------------- */

/* Regions that are tried, at most. */
#define MOST_REGIONS 3

/* The operations on doubles of one line, or of a region: lines that hand doubles to each other. */
typedef struct Doubles {
    const PsIdgItem *on;    /* a node of the line */
    struct Doubles *region; /* a line of the region nearer to the one that stands for it; or NULL */
    gboolean widens, narrows; /* singles become doubles, and doubles singles */
    gboolean elsewhere;       /* doubles are loaded or stored */
} Doubles;

/* TRUE for a conversion between two types: "cvt.f64.f32" for (".f64", ".f32"). */
static gboolean converts(const PsIdgItem *node, const char *to, const char *from)
{
    return g_str_has_prefix(node->op ? node->op : "", "cvt.") &&
           (!from || g_str_has_suffix(node->op, from)) && strstr(node->op, to) &&
           !g_str_has_suffix(node->op, to);
}

static gboolean is_conversion(const PsIdgItem *node)
{
    return g_str_has_prefix(node->op ? node->op : "", "cvt.");
}

/* The conversion with singles in place of doubles. */
static const char *convert_single(const PsIdgItem *node)
{
    if (converts(node, ".f64", ".f32") || converts(node, ".f32", ".f64"))
        return "";
    if (converts(node, ".f64", "32"))
        return "=conversion.i2f:*";
    if (converts(node, "32", ".f64"))
        return "=conversion.f2i:*";
    return NULL;
}

/* The class of singles for one of doubles; interned. */
static const char *single_class(const char *class_name)
{
    g_autofree char *text = g_str_has_prefix(class_name, "dfma")
                                ? g_strdup_printf("=fmadd%s:*", class_name + 4)
                                : g_strdup_printf("=f%s:*", class_name + 1);
    return g_intern_string(text);
}

/* The same operation on singles; NULL: there is none. */
static const char *as_single(const PsIdgItem *node)
{
    if (is_conversion(node))
        return convert_single(node);
    if (ps_class_covers("dadd", node->class_name) || ps_class_covers("dmul", node->class_name) ||
        ps_class_covers("dfma", node->class_name))
        return single_class(node->class_name);
    if (!node->op || !g_str_has_suffix(node->op, ".f64"))
        return NULL;
    g_autofree char *op = g_strdup(node->op);
    memcpy(op + strlen(op) - 2, "32", 2);
    const char *steps = ps_sequence_of(op);
    if (!steps && (g_str_has_prefix(op, "min.") || g_str_has_prefix(op, "max.")))
        return "=fadd.minmax:*";
    return steps;
}

/* The line that stands for the region of a node's line; lines (Doubles) that are missing are
 * added. */
static Doubles *doubles_of(GPtrArray *lines, const PsIdgItem *node)
{
    Doubles *line = NULL;
    for (guint i = 0; !line && i < lines->len; i++)
        if (ps_strength_is_on(((const Doubles *)lines->pdata[i])->on, node))
            line = lines->pdata[i];
    if (!line) {
        line = g_new0(Doubles, 1);
        line->on = node;
        g_ptr_array_add(lines, line);
    }
    while (line->region)
        line = line->region;
    return line;
}

/* Joins the regions of two lines. */
static void unite(Doubles *one, Doubles *other)
{
    if (one == other)
        return;
    one->region = other;
    other->widens |= one->widens;
    other->narrows |= one->narrows;
    other->elsewhere |= one->elsewhere;
}

/* TRUE for operations that compute with doubles, other than conversions. */
static gboolean computes(const PsIdgItem *whole)
{
    return as_single(whole) && !is_conversion(whole);
}

/* TRUE if a node may hold doubles that come from elsewhere: memory, other threads, or bits of
 * integers. Other nodes that machine code waits for by a scoreboard may not be its sources. */
static gboolean holds_doubles(const PsIdgItem *item)
{
    return ps_strength_moves_wide(item) || ps_class_covers("shuffle", item->class_name) ||
           g_str_has_suffix(item->op ? item->op : "", ".b64");
}

/* TRUE if the node's result or its sources are doubles. */
static gboolean makes_doubles(const PsIdgItem *item)
{
    return is_conversion(item) ? strstr(item->op, ".f64.") != NULL
                               : computes(item) && !strstr(item->class_name, ".setp");
}

static gboolean takes_doubles(const PsIdgItem *item)
{
    return is_conversion(item) ? g_str_has_suffix(item->op, ".f64") : computes(item);
}

/* Looks at a value that goes from one node to another. */
static void look_at(GPtrArray *lines, const PsIdgItem *from, const PsIdgItem *to)
{
    if (makes_doubles(from) && takes_doubles(to))
        unite(doubles_of(lines, from), doubles_of(lines, to));
    if (makes_doubles(from) && holds_doubles(to))
        doubles_of(lines, from)->elsewhere = TRUE;
    if (computes(to) && holds_doubles(from))
        doubles_of(lines, to)->elsewhere = TRUE;
}

static void look_at_program(const PsStrength *strength, guint p, GPtrArray *lines)
{
    const PsProgram *program = &strength->answer->kernel->programs[p];
    for (guint n = 0; n < program->n_nodes; n++) {
        const PsProgramNode *node = &program->nodes[n];
        const PsIdgItem *to = ps_strength_whole(strength, p, n);
        if (converts(to, ".f64", ".f32"))
            doubles_of(lines, to)->widens = TRUE;
        if (converts(to, ".f32", ".f64"))
            doubles_of(lines, to)->narrows = TRUE;
        for (guint d = 0; d < node->n_deps; d++) {
            const PsIdgItem *from = ps_strength_whole(strength, p, node->deps[d].on);
            if (!node->deps[d].fence && from != to)
                look_at(lines, from, to);
        }
    }
}

/* Adds a variant in which a region computes with singles. */
static void add_region(PsAdvicePlan *plan, GPtrArray *lines, const Doubles *region)
{
    g_autoptr(PsStrength) strength = ps_strength_new(plan->answer);
    const PsKernel *kernel = plan->answer->kernel;
    for (guint p = 0; p < kernel->n_programs; p++)
        for (guint n = 0; n < kernel->programs[p].n_nodes; n++) {
            const PsIdgItem *node = kernel->programs[p].nodes[n].item;
            const char *text = node->part ? NULL : as_single(node);
            if (text && doubles_of(lines, node) == region)
                ps_strength_set(strength, node, text);
        }
    ps_strength_add(plan, strength, PS_STRENGTH_TOGETHER,
                    &(PsAdviceAbout){PS_CAUSE_DOUBLE_PRECISION, &single});
}

/* Finds regions that take singles, compute with doubles, and leave singles: most often because of a
 * literal without f. */
static void find(PsAdvicePlan *plan)
{
    g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(PsStrength) strength = ps_strength_new(plan->answer);
    for (guint p = 0; p < plan->answer->kernel->n_programs; p++)
        look_at_program(strength, p, lines);
    for (guint i = 0, n = 0; i < lines->len && n < MOST_REGIONS; i++) {
        const Doubles *line = lines->pdata[i];
        if (line->region || !line->widens || !line->narrows || line->elsewhere)
            continue;
        add_region(plan, lines, line);
        n++;
    }
}

const PsAdviceKind ps_advice_kind_double_precision = {.find = find, .copies_graph = TRUE};
