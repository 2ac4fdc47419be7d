/* SPDX-License-Identifier: BSD-3-Clause */
/* A graph as text, from its facts. See graph-described.h. */
#include "tell/format.h"
#include "tell/gpu-described.h"
#include "tell/graph-described.h"
#include "tell/wrap.h"

#include <string.h>

/* Columns of the number of instances, and columns that each loop indents. */
#define COUNT_WIDTH 14
#define LOOP_INDENT 2

/* Columns of names and classes, at most. */
#define MOST_NAME 12
#define MOST_CLASS 24

typedef struct {
    const PsTold *facts; /* of one program */
    int name_width, class_width;
    GString *out;
} Listing;

/* ---- a row --------------------------------------------------------------------------------- */

/* The fact with that number below the fact at `at`; NULL: it is not told, or unknown. */
static const PsFact *get(const PsTold *facts, guint at, guint16 number)
{
    for (guint i = at + 1; i < ps_told_at(facts, at)->end; i++)
        if (ps_told_at(facts, i)->fact == number)
            return ps_told_at(facts, i)->known ? ps_told_at(facts, i) : NULL;
    return NULL;
}

static const char *get_text(const PsTold *facts, guint at, PsTextFact fact)
{
    const PsFact *found = get(facts, at, fact.n);
    return found ? found->value.text : NULL;
}

static gint64 get_count(const PsTold *facts, guint at, PsCountFact fact)
{
    const PsFact *found = get(facts, at, fact.n);
    return found ? found->value.count : 0;
}

/* The number of the first fact of that kind; the number of all facts: there is none. */
static guint find(const PsTold *facts, PsGroupFact fact)
{
    guint i = 0;
    while (i < ps_told_length(facts) && ps_told_at(facts, i)->fact != fact.n)
        i++;
    return i;
}

/* ---- the listing --------------------------------------------------------------------------- */

static void G_GNUC_PRINTF(2, 3) add_part(GString *text, const char *format, ...)
{
    va_list arguments;
    g_string_append(text, text->len ? "; " : "");
    va_start(arguments, format);
    g_string_append_vprintf(text, format, arguments);
    va_end(arguments);
}

static void add_needs(const PsTold *facts, guint node, GString *text)
{
    const PsFact *needs = get(facts, node, PS_FACT_SHOWN_GRAPH_PROGRAMS_CODE_AFTER.n);
    guint i = node;
    if (!needs)
        return;
    while (ps_told_at(facts, i) != needs)
        i++;
    g_string_append(text, "after");
    for (i++; i < needs->end; i++)
        g_string_append_printf(text, " %s", ps_told_at(facts, i)->value.text);
}

/* "4 B (device 0.8 %)": bytes per thread, and the shares that reach each level. */
static void add_traffic(const PsTold *facts, guint node, GString *text)
{
    const PsFact *shares = get(facts, node, PS_FACT_SHOWN_GRAPH_PROGRAMS_CODE_SHARES.n);
    const gint64 bytes = get_count(facts, node, PS_FACT_SHOWN_GRAPH_PROGRAMS_CODE_BYTES);
    g_autoptr(GString) levels = g_string_new(NULL);
    guint i = node;
    if (!bytes)
        return;
    while (ps_told_at(facts, i) != shares)
        i++;
    for (i++; i < shares->end; i++) {
        const PsFact *level = ps_told_at(facts, i);
        g_autofree char *share = ps_format_share(ps_fact_number(level));
        g_autofree char *name =
            level->key[0] == 'l' ? g_ascii_strup(level->key, -1) : g_strdup(level->key);
        g_string_append_printf(levels, "%s%s %s", levels->len ? ", " : "", name, share);
    }
    add_part(text, "%" G_GINT64_FORMAT " B%s%s%s", bytes, levels->len ? " (" : "", levels->str,
             levels->len ? ")" : "");
}

/* The text behind a node's class (g_free). */
static char *describe_node(const PsTold *facts, guint node)
{
    GString *text = g_string_new(NULL);
    const PsFact *hold = get(facts, node, PS_FACT_SHOWN_GRAPH_PROGRAMS_CODE_HOLD.n);
    const gint64 ops = get_count(facts, node, PS_FACT_SHOWN_GRAPH_PROGRAMS_CODE_OPERATIONS);
    const char *type = get_text(facts, node, PS_FACT_SHOWN_GRAPH_PROGRAMS_CODE_TYPE);
    const char *line = get_text(facts, node, PS_FACT_SHOWN_GRAPH_PROGRAMS_CODE_LINE);
    add_needs(facts, node, text);
    if (hold) {
        g_autofree char *cycles = ps_rational_format(hold->value.exact);
        add_part(text, "holds its warp %s %s", cycles,
                 strcmp(cycles, "1") == 0 ? "cycle" : "cycles");
    }
    if (ops)
        add_part(text, "%" G_GINT64_FORMAT " %s", ops, type ? type : "operations");
    add_traffic(facts, node, text);
    if (line)
        add_part(text, "%s", line);
    return g_string_free(text, FALSE);
}

static void list_node(const Listing *listing, guint node, int indent)
{
    const PsTold *facts = listing->facts;
    g_autofree char *count =
        ps_format_count(get_count(facts, node, PS_FACT_SHOWN_GRAPH_PROGRAMS_CODE_COUNT));
    g_autofree char *first = g_strdup_printf(
        "%*s  %*s%-*s  %-*s  ", COUNT_WIDTH, count, indent, "", listing->name_width,
        get_text(facts, node, PS_FACT_SHOWN_GRAPH_PROGRAMS_CODE_NAME), listing->class_width,
        get_text(facts, node, PS_FACT_SHOWN_GRAPH_PROGRAMS_CODE_CLASS));
    g_autofree char *rest = describe_node(facts, node);
    if (*rest)
        ps_wrap_text(listing->out, first, rest);
    else
        g_string_append_printf(listing->out, "%s\n", g_strchomp(first));
}

static void list_loop(const Listing *listing, guint loop, int indent)
{
    const PsTold *facts = listing->facts;
    const char *name = get_text(facts, loop, PS_FACT_SHOWN_GRAPH_PROGRAMS_CODE_NAME);
    const char *text = get_text(facts, loop, PS_FACT_SHOWN_GRAPH_PROGRAMS_CODE_EXPRESSION);
    g_autofree char *trips =
        ps_format_count(get_count(facts, loop, PS_FACT_SHOWN_GRAPH_PROGRAMS_CODE_TRIPS));
    g_string_append_printf(listing->out, "%*s  %*srepeat %s times%s%s%s%s%s\n", COUNT_WIDTH, "",
                           indent, "", trips, text ? " (" : "", text ? text : "", text ? ")" : "",
                           name ? ": " : "", name ? name : "");
}

/* Names and classes are as wide as the longest, up to a limit. */
static void measure(Listing *listing, guint node)
{
    const char *name = get_text(listing->facts, node, PS_FACT_SHOWN_GRAPH_PROGRAMS_CODE_NAME),
               *class_name =
                   get_text(listing->facts, node, PS_FACT_SHOWN_GRAPH_PROGRAMS_CODE_CLASS);
    if (!class_name)
        return;
    listing->name_width = MIN(MAX(listing->name_width, (int)strlen(name)), MOST_NAME);
    listing->class_width = MIN(MAX(listing->class_width, (int)strlen(class_name)), MOST_CLASS);
}

static void put_listing(const PsTold *program, const PsPaper *paper)
{
    g_autoptr(GString) out = g_string_new(NULL);
    Listing listing = {.facts = program, .out = out};
    const guint code = find(program, PS_FACT_SHOWN_GRAPH_PROGRAMS_CODE);
    const guint end = ps_told_at(program, code)->end;
    g_string_append_printf(out, "%*s\n", COUNT_WIDTH, "times per warp");
    for (guint i = code + 1; i < end; i = ps_told_at(program, i)->end)
        measure(&listing, i);
    for (guint i = code + 1; i < end; i = ps_told_at(program, i)->end) {
        const int indent =
            LOOP_INDENT * (int)get_count(program, i, PS_FACT_SHOWN_GRAPH_PROGRAMS_CODE_DEPTH);
        if (get_text(program, i, PS_FACT_SHOWN_GRAPH_PROGRAMS_CODE_CLASS))
            list_node(&listing, i, indent);
        else
            list_loop(&listing, i, indent);
    }
    ps_paper_drawing(paper, out->str);
}

/* ---- the page ------------------------------------------------------------------------------ */

static void put_params(const PsTold *facts, const PsPaper *paper)
{
    const guint list = find(facts, PS_FACT_SHOWN_GRAPH_PARAMETERS);
    const guint end = ps_told_at(facts, list)->end;
    if (end > list + 1)
        ps_paper_heading(paper, "Parameters");
    for (guint i = list + 1; i < end; i = ps_told_at(facts, i)->end) {
        const char *text = get_text(facts, i, PS_FACT_SHOWN_GRAPH_PARAMETERS_TEXT);
        g_autofree char *value =
            ps_rational_format(get(facts, i, PS_FACT_SHOWN_GRAPH_PARAMETERS_VALUE.n)->value.exact);
        g_autofree char *first =
            g_strdup_printf("  %s = %s%s", get_text(facts, i, PS_FACT_SHOWN_GRAPH_PARAMETERS_NAME),
                            value, text ? ": " : "");
        ps_paper_text(paper, first, text ? text : "");
    }
}

static void put_programs(const PsTold *facts, const PsPaper *paper)
{
    const guint list = find(facts, PS_FACT_SHOWN_GRAPH_PROGRAMS);
    for (guint i = list + 1; i < ps_told_at(facts, list)->end; i = ps_told_at(facts, i)->end) {
        g_autoptr(PsTold) program = ps_told_new();
        ps_tell_again(program, facts, i);
        g_autofree char *heading = g_strconcat(
            "Program of ", ps_told_text(program, PS_FACT_SHOWN_GRAPH_PROGRAMS_WARPS), NULL);
        ps_paper_heading(paper, heading);
        put_listing(program, paper);
        ps_paper_view(paper, PS_VIEW_GRAPH_MIX, program, NULL, NULL);
    }
}

static void put_sources(const PsTold *facts, const PsPaper *paper)
{
    const guint list = find(facts, PS_FACT_SHOWN_GPUS_SOURCES);
    const guint end = ps_told_at(facts, list)->end;
    if (end > list + 1)
        ps_paper_heading(paper, "Sources");
    for (guint i = list + 1; i < end; i = ps_told_at(facts, i)->end) {
        const char *id = get_text(facts, i, PS_FACT_SHOWN_GPUS_SOURCES_ID);
        g_autofree char *text =
            g_strdup_printf("%s%s%s: %s", id ? id : "", id ? ", " : "",
                            get_text(facts, i, PS_FACT_SHOWN_GPUS_SOURCES_KIND),
                            get_text(facts, i, PS_FACT_SHOWN_GPUS_SOURCES_TEXT));
        ps_paper_text(paper, "  - ", text);
    }
}

static void put_occupancy(const PsTold *facts, const PsPaper *paper)
{
    const guint at = find(facts, PS_FACT_SHOWN_GRAPH_OCCUPANCY);
    if (at == ps_told_length(facts))
        return;
    const char *problem = get_text(facts, at, PS_FACT_SHOWN_GRAPH_OCCUPANCY_PROBLEM);
    g_autofree char *heading =
        g_strconcat("Occupancy on ", get_text(facts, at, PS_FACT_SHOWN_GRAPH_OCCUPANCY_GPU), NULL);
    ps_paper_heading(paper, heading);
    if (problem) {
        ps_paper_text(paper, "  ", problem);
        return;
    }
    const gint64 most = get_count(facts, at, PS_FACT_SHOWN_GRAPH_OCCUPANCY_MOST_WARPS);
    g_autofree char *groups =
                        ps_format_count(get_count(facts, at, PS_FACT_SHOWN_GRAPH_OCCUPANCY_GROUPS)),
                    *warps =
                        ps_format_count(get_count(facts, at, PS_FACT_SHOWN_GRAPH_OCCUPANCY_WARPS)),
                    *all = ps_format_count(most),
                    *share = ps_format_share(
                        ps_fact_number(get(facts, at, PS_FACT_SHOWN_GRAPH_OCCUPANCY_SHARE.n))),
                    *active =
                        most ? g_strdup_printf("%s of %s, %s", warps, all, share) : g_strdup(warps);
    ps_paper_text(paper, "  groups at once  ", groups);
    ps_paper_text(paper, "  warps           ", active);
    ps_paper_text(paper, "  limited by      ",
                  get_text(facts, at, PS_FACT_SHOWN_GRAPH_OCCUPANCY_LIMITED_BY));
    ps_paper_text(paper, "  next step       ",
                  get_text(facts, at, PS_FACT_SHOWN_GRAPH_OCCUPANCY_NEXT_STEP));
}

void ps_graph_page(const PsTold *facts, const PsPaper *paper)
{
    const char *title = ps_told_text(facts, PS_FACT_SHOWN_GRAPH_TITLE);
    g_autofree char *name =
        g_strconcat("graph ", ps_told_text(facts, PS_FACT_SHOWN_GRAPH_KERNEL), NULL);
    ps_paper_title(paper, name, "");
    if (title)
        ps_paper_text(paper, "", title);
    ps_put_path(ps_told_text(facts, PS_FACT_SHOWN_GRAPH_FILE), paper);
    put_params(facts, paper);
    ps_paper_view(paper, PS_VIEW_GRAPH_LAUNCH, facts, NULL, NULL);
    put_programs(facts, paper);
    put_sources(facts, paper);
    put_occupancy(facts, paper);
}
