/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The graph for Graphviz. The layout reads like the program: each body from top to bottom, held in
 * order by invisible edges, loops as boxes around their bodies. A dependence on an earlier
 * iteration points upwards; it is dashed, and has no influence on the layout. The implicit
 * dependence of a node on the barrier above it is dotted, unless a written one implies it.
 */
#include "idg/internal.h"
#include <string.h>

typedef struct {
    GString *out;
    guint code;           /* number of the code at hand, part of each node's id */
    guint loops;          /* clusters so far: their names must differ */
    GPtrArray *order;     /* names of the code's nodes in program order, borrowed */
    GHashTable *position; /* of each name in order */
    const char *barrier;  /* the barrier above the present node, or NULL */
} Drawing;

static void indent(Drawing *drawing, int depth)
{
    g_string_append_printf(drawing->out, "%*s", 2 * depth, "");
}

/* A quoted string of Graphviz; text may hold line ends. */
static void append_quoted(GString *out, const char *text)
{
    g_string_append_c(out, '"');
    for (; *text != '\0'; text++) {
        if (*text == '\n') {
            g_string_append(out, "\\n");
            continue;
        }
        if (*text == '"' || *text == '\\')
            g_string_append_c(out, '\\');
        g_string_append_c(out, *text);
    }
    g_string_append_c(out, '"');
}

static void append_label(GString *out, const char *text)
{
    g_string_append(out, "label=");
    append_quoted(out, text);
}

/* Codes may use the same names. */
static void append_id(Drawing *drawing, const char *name)
{
    g_autofree char *id = g_strdup_printf("%u.%s", drawing->code, name);
    append_quoted(drawing->out, id);
}

/* ---- nodes and loops ----------------------------------------------------------------------- */

static void draw_node(Drawing *drawing, const PsIdgItem *node, int depth)
{
    g_autofree char *label = g_strdup_printf("%s\n%s", node->name, node->class_name);
    g_hash_table_insert(drawing->position, node->name, GUINT_TO_POINTER(drawing->order->len));
    indent(drawing, depth);
    append_id(drawing, node->name);
    g_string_append(drawing->out, " [");
    append_label(drawing->out, label);
    g_string_append(drawing->out, "];\n");
    g_ptr_array_add(drawing->order, node->name);
}

static void draw_body(Drawing *drawing, const GPtrArray *body, int depth);

static void draw_loop(Drawing *drawing, const PsIdgItem *loop, int depth)
{
    g_autofree char *label = g_strdup_printf("%s%s%s times", loop->name ? loop->name : "",
                                             loop->name ? ": " : "", ps_expr_text(loop->times));
    indent(drawing, depth);
    g_string_append_printf(drawing->out, "subgraph cluster_loop%u {\n", drawing->loops++);
    indent(drawing, depth + 1);
    append_label(drawing->out, label);
    g_string_append(drawing->out, ";\n");
    draw_body(drawing, loop->body, depth + 1);
    indent(drawing, depth);
    g_string_append(drawing->out, "}\n");
}

static void draw_body(Drawing *drawing, const GPtrArray *body, int depth)
{
    for (guint i = 0; i < body->len; i++) {
        const PsIdgItem *item = g_ptr_array_index(body, i);
        if (item->kind == PS_IDG_LOOP)
            draw_loop(drawing, item, depth);
        else
            draw_node(drawing, item, depth);
    }
}

/* Invisible edges stand outside all boxes: an edge in a box would draw both its ends into it. */
static void draw_order(Drawing *drawing)
{
    for (guint i = 1; i < drawing->order->len; i++) {
        indent(drawing, 1);
        append_id(drawing, g_ptr_array_index(drawing->order, i - 1));
        g_string_append(drawing->out, " -> ");
        append_id(drawing, g_ptr_array_index(drawing->order, i));
        g_string_append(drawing->out, " [style=invis];\n");
    }
}

/* ---- dependences --------------------------------------------------------------------------- */

/* TRUE if the producer's instance belongs to an earlier iteration than the consumer's. */
static gboolean reaches_back(Drawing *drawing, const PsIdgItem *node, const PsIdgDep *dep)
{
    gpointer producer, consumer;
    if (dep->distance && strcmp(ps_expr_text(dep->distance), "1") != 0)
        return TRUE;
    return g_hash_table_lookup_extended(drawing->position, dep->on, NULL, &producer) &&
           g_hash_table_lookup_extended(drawing->position, node->name, NULL, &consumer) &&
           GPOINTER_TO_UINT(producer) >= GPOINTER_TO_UINT(consumer);
}

static void draw_dep(Drawing *drawing, const PsIdgItem *node, const PsIdgDep *dep)
{
    GString *out = drawing->out;
    indent(drawing, 1);
    append_id(drawing, dep->on);
    g_string_append(out, " -> ");
    append_id(drawing, node->name);
    g_string_append(out, reaches_back(drawing, node, dep) ? " [style=dashed, constraint=false"
                                                          : " [style=solid");
    if (dep->all || dep->distance) {
        g_autofree char *label =
            g_strdup_printf("@%s", dep->all ? "all" : ps_expr_text(dep->distance));
        g_string_append(out, ", ");
        append_label(out, label);
    }
    g_string_append(out, "];\n");
}

/* TRUE if the node waits for something between the barrier above and itself. */
static gboolean waits_since_barrier(Drawing *drawing, const PsIdgItem *node)
{
    const guint from = GPOINTER_TO_UINT(g_hash_table_lookup(drawing->position, drawing->barrier));
    const guint to = GPOINTER_TO_UINT(g_hash_table_lookup(drawing->position, node->name));
    for (guint d = 0; d < node->after->len; d++) {
        const PsIdgDep *dep = g_ptr_array_index(node->after, d);
        const guint on = GPOINTER_TO_UINT(g_hash_table_lookup(drawing->position, dep->on));
        if (on >= from && on < to)
            return TRUE;
    }
    return FALSE;
}

static void draw_fence(Drawing *drawing, const PsIdgItem *node)
{
    if (drawing->barrier && !waits_since_barrier(drawing, node)) {
        indent(drawing, 1);
        append_id(drawing, drawing->barrier);
        g_string_append(drawing->out, " -> ");
        append_id(drawing, node->name);
        g_string_append(drawing->out, " [style=dotted];\n");
    }
    if (ps_idg_is_barrier(node))
        drawing->barrier = node->name;
}

static void draw_deps(Drawing *drawing, const GPtrArray *body)
{
    for (guint i = 0; i < body->len; i++) {
        const PsIdgItem *item = g_ptr_array_index(body, i);
        if (item->kind == PS_IDG_LOOP) {
            draw_deps(drawing, item->body);
            continue;
        }
        for (guint d = 0; d < item->after->len; d++)
            draw_dep(drawing, item, g_ptr_array_index(item->after, d));
        draw_fence(drawing, item);
    }
}

/* ---- the whole ----------------------------------------------------------------------------- */

/* Several codes stand side by side in boxes of their own. */
static void draw_code(Drawing *drawing, const PsIdg *idg, const PsIdgCode *code)
{
    const PsIdgGroups *kind = idg->kinds->len > 0 ? idg->kinds->pdata[code->kind] : NULL;
    gboolean boxed = idg->codes->len > 1 || code->warps;
    g_autoptr(GHashTable) position = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GPtrArray) order = g_ptr_array_new();
    drawing->position = position;
    drawing->order = order;
    drawing->barrier = NULL;
    if (boxed) {
        g_autofree char *warps = code->warps ? ps_idg_spell_warps(code) : g_strdup("all other");
        g_autofree char *of =
            kind ? g_strdup_printf("groups: %s (share %s)\n", kind->name, ps_expr_text(kind->share))
                 : g_strdup("");
        g_autofree char *label = g_strdup_printf("%swarps: %s", of, warps);
        g_string_append_printf(drawing->out, "  subgraph cluster_code%u {\n    ", drawing->code);
        append_label(drawing->out, label);
        g_string_append(drawing->out, ";\n");
    }
    draw_body(drawing, code->body, boxed ? 2 : 1);
    if (boxed)
        g_string_append(drawing->out, "  }\n");
    draw_order(drawing);
    draw_deps(drawing, code->body);
    drawing->code++;
}

char *ps_idg_dot(const PsIdg *idg)
{
    Drawing drawing = {.out = g_string_new("digraph ")};
    append_quoted(drawing.out, idg->name);
    g_string_append(drawing.out, " {\n"
                                 "  graph [fontname=\"sans-serif\", labeljust=l];\n"
                                 "  node [shape=box, fontname=\"sans-serif\"];\n"
                                 "  edge [fontname=\"sans-serif\", fontsize=11];\n");
    for (guint i = 0; i < idg->codes->len; i++)
        draw_code(&drawing, idg, g_ptr_array_index(idg->codes, i));
    g_string_append(drawing.out, "}\n");
    return g_string_free(drawing.out, FALSE);
}
