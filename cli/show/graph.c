/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A graph as text: its parameters and launch with their values, and each code as an indented
 * listing in program order, with how often each instruction runs per warp.
 */
#include "cli/show/show.h"

#include "pipesim-private.h"

#include <string.h>

/* Columns for the number of instances, and what each loop indents. */
#define COUNT_WIDTH 14
#define LOOP_INDENT 2

typedef struct {
    const PsKernel *kernel;
    GHashTable *nodes; /* PsIdgItem -> PsProgramNode, of the nodes that have instances */
    int name_width, class_width;
    GString *out;
} Listing;

/* ---- parameters and launch ----------------------------------------------------------------- */

static char *value_of(const PsKernel *kernel, const char *name)
{
    PsRational value = PS_RATIONAL_INT(0);
    ps_scope_get(kernel->scope, name, &value);
    return ps_rational_format(value);
}

static void show_params(const PsKernel *kernel, GString *out)
{
    const GPtrArray *params = kernel->idg->params;
    if (!params->len)
        return;
    g_string_append(out, "\nParameters\n");
    for (guint i = 0; i < params->len; i++) {
        const PsIdgParam *param = params->pdata[i];
        g_autofree char *value = value_of(kernel, param->name);
        g_autofree char *first =
            g_strdup_printf("  %s = %s%s", param->name, value, param->text ? ": " : "");
        ps_wrap_text(out, first, param->text ? param->text : "");
    }
}

static void add_launch(PsTable *table, const char *what, gint64 value, const PsExpr *expr)
{
    if (!expr)
        return;
    ps_table_add(table, g_strdup(what));
    ps_table_add(table, ps_format_count(value));
    g_autofree char *number = g_strdup_printf("%" G_GINT64_FORMAT, value);
    const gboolean plain = strcmp(number, ps_expr_text(expr)) == 0;
    ps_table_add(table,
                 g_strdup_printf("%s%s", plain ? "" : "= ", plain ? "" : ps_expr_text(expr)));
}

static void show_launch(const PsKernel *kernel, GString *out)
{
    const PsIdgLaunch *launch = &kernel->idg->launch;
    g_autoptr(PsTable) table = ps_table_new("lrl");
    add_launch(table, "groups", kernel->groups, launch->groups);
    add_launch(table, "threads per group", kernel->group_size, launch->group_size);
    add_launch(table, "registers per thread", kernel->registers, launch->registers);
    add_launch(table, "accumulation registers per thread", kernel->accumulators,
               launch->accumulators);
    add_launch(table, "scalar registers per warp", kernel->scalar_registers,
               launch->scalar_registers);
    g_autofree char *bytes =
        g_strdup_printf("bytes of %s per group", ps_idg_local_memory(kernel->idg));
    add_launch(table, bytes, kernel->local_memory, launch->local_memory);
    g_string_append(out, "\nLaunch\n");
    ps_table_print(table, 2, out);
}

/* ---- the listing --------------------------------------------------------------------------- */

/* "x", "x@all", "x@2", "x@(2*k)" */
static void add_dep(const PsIdgDep *dep, GString *text)
{
    g_string_append_printf(text, " %s", dep->on);
    if (dep->all)
        g_string_append(text, "@all");
    if (!dep->distance)
        return;
    const char *distance = ps_expr_text(dep->distance);
    const gboolean bare =
        ps_expr_is_name(distance) || strspn(distance, "0123456789") == strlen(distance);
    g_string_append_printf(text, bare ? "@%s" : "@(%s)", distance);
}

static void G_GNUC_PRINTF(2, 3) add_part(GString *text, const char *format, ...)
{
    va_list arguments;
    g_string_append(text, text->len ? "; " : "");
    va_start(arguments, format);
    g_string_append_vprintf(text, format, arguments);
    va_end(arguments);
}

/* "4 B (device 0.8 %)": bytes per thread, and what of them reaches which level. */
static char *describe_traffic(const PsProgramNode *node)
{
    static const char *const level[PS_N_LEVELS] = {
        [PS_LEVEL_L0] = "L0", [PS_LEVEL_L1] = "L1", [PS_LEVEL_L2] = "L2",
        [PS_LEVEL_L3] = "L3", [PS_LEVEL_L4] = "L4", [PS_LEVEL_DEVICE] = "device"};
    g_autoptr(GString) shares = g_string_new(NULL);
    for (guint i = 0; i < PS_N_LEVELS; i++) {
        if (node->share[i].num < 0)
            continue;
        g_autofree char *share = ps_format_share(ps_rational_to_double(node->share[i]));
        g_string_append_printf(shares, "%s%s %s", shares->len ? ", " : "", level[i], share);
    }
    return g_strdup_printf("%" G_GINT64_FORMAT " B%s%s%s", node->bytes, shares->len ? " (" : "",
                           shares->str, shares->len ? ")" : "");
}

/* What is said of a node behind its class; one without instances has no values. */
static char *describe_node(const PsIdg *idg, const PsIdgItem *item, const PsProgramNode *node)
{
    GString *text = g_string_new(item->after->len ? "after" : NULL);
    for (guint i = 0; i < item->after->len; i++)
        add_dep(item->after->pdata[i], text);
    if (node && node->hold.num > 0) {
        g_autofree char *hold = ps_rational_format(node->hold);
        add_part(text, "holds its warp %s %s", hold, strcmp(hold, "1") == 0 ? "cycle" : "cycles");
    }
    if (node && node->ops)
        add_part(text, "%" G_GINT64_FORMAT " %s", node->ops,
                 item->type ? item->type : "operations");
    if (node && node->bytes) {
        g_autofree char *traffic = describe_traffic(node);
        add_part(text, "%s", traffic);
    }
    const char *file = item->file ? item->file : idg->file;
    if (item->source_line)
        add_part(text, "%s%s%d", file ? file : "line", file ? ":" : " ", item->source_line);
    return g_string_free(text, FALSE);
}

static void list_node(const Listing *listing, const PsIdgItem *item, int indent)
{
    const PsProgramNode *node = g_hash_table_lookup(listing->nodes, item);
    g_autofree char *count = ps_format_count(node ? node->count : 0);
    g_autofree char *class_name = ps_idg_class_words(listing->kernel->idg, item->class_name);
    g_autofree char *first =
        g_strdup_printf("%*s  %*s%-*s  %-*s  ", COUNT_WIDTH, count, indent, "", listing->name_width,
                        item->name, listing->class_width, class_name);
    g_autofree char *rest = describe_node(listing->kernel->idg, item, node);
    if (*rest)
        ps_wrap_text(listing->out, first, rest);
    else
        g_string_append_printf(listing->out, "%s\n", g_strchomp(first));
}

static gboolean list_body(const Listing *listing, const GPtrArray *body, int indent,
                          GError **error);

static gboolean list_loop(const Listing *listing, const PsIdgItem *loop, int indent, GError **error)
{
    const PsIdg *idg = listing->kernel->idg;
    const PsPlace place = {idg->path ? idg->path : idg->name, loop->line};
    gint64 trips;
    if (!ps_expr_eval_int(loop->times, listing->kernel->scope, place,
                          &(PsIntRange){"trip count", 0, G_MAXINT64}, &trips, error))
        return FALSE;
    g_autofree char *count = ps_format_count(trips);
    g_autofree char *plain = g_strdup_printf("%" G_GINT64_FORMAT, trips);
    const char *text = ps_expr_text(loop->times);
    const gboolean differs = strcmp(plain, text) != 0;
    g_string_append_printf(listing->out, "%*s  %*srepeat %s times%s%s%s%s%s\n", COUNT_WIDTH, "",
                           indent, "", count, differs ? " (" : "", differs ? text : "",
                           differs ? ")" : "", loop->name ? ": " : "",
                           loop->name ? loop->name : "");
    return list_body(listing, loop->body, indent + LOOP_INDENT, error);
}

static gboolean list_body(const Listing *listing, const GPtrArray *body, int indent, GError **error)
{
    for (guint i = 0; i < body->len; i++) {
        const PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_NODE)
            list_node(listing, item, indent);
        else if (!list_loop(listing, item, indent, error))
            return FALSE;
    }
    return TRUE;
}

/* Names and classes take the columns that the longest of them takes, up to a limit. */
static void measure(Listing *listing, const GPtrArray *body)
{
    for (guint i = 0; i < body->len; i++) {
        const PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_LOOP) {
            measure(listing, item->body);
            continue;
        }
        g_autofree char *class_name = ps_idg_class_words(listing->kernel->idg, item->class_name);
        listing->name_width = MIN(MAX(listing->name_width, (int)strlen(item->name)), 12);
        listing->class_width = MIN(MAX(listing->class_width, (int)strlen(class_name)), 24);
    }
}

/* Says which warps run the code: "every warp", "warps 0..3", "every warp of inside, which 60.0 % of
 * the groups are". */
static char *describe_warps(const PsKernel *kernel, guint program)
{
    GString *text = g_string_new(NULL);
    const PsKernelKind *kind = &kernel->kinds[kernel->programs[program].kind];
    for (guint i = 0; i < kind->n_warps; i++) {
        const PsKernelWarps *warps = &kind->warps[i];
        if (warps->program != program)
            continue;
        if (warps->last == G_MAXINT64)
            g_string_append(text, kind->n_warps > 1 ? "every other warp" : "every warp");
        else if (warps->last == warps->first)
            g_string_append_printf(text, "%swarp %" G_GINT64_FORMAT, text->len ? ", " : "",
                                   warps->first);
        else
            g_string_append_printf(text, "%swarps %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT,
                                   text->len ? ", " : "", warps->first, warps->last);
    }
    if (kind->name)
        g_string_append_printf(text, " of %s, which %.1f %% of the groups are", kind->name,
                               100 * (double)kind->share / (double)kernel->parts);
    return g_string_free(text, FALSE);
}

/* ---- the instruction mix ------------------------------------------------------------------- */

typedef struct {
    const char *class_name;
    gint64 count;
} Mix;

/* Instances per class, in order of first use. */
static GArray *mix_of(const PsProgram *program)
{
    GArray *mix = g_array_new(FALSE, FALSE, sizeof(Mix));
    g_autoptr(GHashTable) index = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < program->n_nodes; i++) {
        const PsProgramNode *node = &program->nodes[i];
        const guint known = GPOINTER_TO_UINT(g_hash_table_lookup(index, node->item->class_name));
        if (known > 0) {
            g_array_index(mix, Mix, known - 1).count += node->count;
            continue;
        }
        const Mix first = {node->item->class_name, node->count};
        g_array_append_val(mix, first);
        g_hash_table_insert(index, node->item->class_name, GUINT_TO_POINTER(mix->len));
    }
    return mix;
}

static void show_mix(const PsIdg *idg, const PsProgram *program, GString *out)
{
    g_autoptr(GArray) mix = mix_of(program);
    g_autoptr(PsTable) table = ps_table_new("lrr");
    for (guint i = 0; i < mix->len; i++) {
        const Mix *some = &g_array_index(mix, Mix, i);
        ps_table_add(table, ps_idg_class_words(idg, some->class_name));
        ps_table_add(table, ps_format_count(some->count));
        ps_table_add(table, ps_format_share((double)some->count / (double)program->length));
    }
    ps_table_add(table, g_strdup("all"));
    ps_table_add(table, ps_format_count(program->length));
    ps_table_add(table, g_strdup(""));
    g_string_append(out, "\nInstruction mix (per warp)\n");
    ps_table_print(table, 2, out);
}

/* ---- all of it ----------------------------------------------------------------------------- */

static gboolean show_code(const PsKernel *kernel, guint i, GString *out, GError **error)
{
    const PsIdgCode *code = kernel->idg->codes->pdata[i];
    const PsProgram *program = &kernel->programs[i];
    g_autoptr(GHashTable) nodes = g_hash_table_new(NULL, NULL);
    for (guint n = 0; n < program->n_nodes; n++)
        g_hash_table_insert(nodes, (void *)program->nodes[n].item, &program->nodes[n]);
    Listing listing = {kernel, nodes, 0, 0, out};
    measure(&listing, code->body);
    g_autofree char *warps = describe_warps(kernel, i);
    g_string_append_printf(out, "\nProgram of %s\n%*s\n", warps, COUNT_WIDTH, "times per warp");
    if (!list_body(&listing, code->body, 0, error))
        return FALSE;
    show_mix(kernel->idg, program, out);
    return TRUE;
}

gboolean show_graph(const PsKernel *kernel, GString *out, GError **error)
{
    const PsIdg *idg = kernel->idg;
    const PsPaper paper = {.out = out};
    g_string_append_printf(out, "graph %s\n", idg->name);
    if (idg->title)
        ps_wrap_text(out, "", idg->title);
    ps_put_path(idg->path, &paper);
    show_params(kernel, out);
    show_launch(kernel, out);
    for (guint i = 0; i < kernel->n_programs; i++)
        if (!show_code(kernel, i, out, error))
            return FALSE;
    ps_put_sources(idg->sources, "Sources", &paper);
    return TRUE;
}
