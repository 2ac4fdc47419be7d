/* SPDX-License-Identifier: BSD-3-Clause */
/* See answer-text.h. Both forms are written of one list of parts. */
#include "tell/answer-text.h"

#include "tell/answer.h"
#include "tell/format.h"
#include "tell/html.h"
#include "tell/view-cells.h"
#include "tell/words.h"
#include "tell/wrap.h"

#include <string.h>

/* A part of an answer: label and sentence, a heading, or an item below one. */
typedef enum { PART_SENTENCE, PART_HEADING, PART_ITEM, PART_REMARK, PART_GAP } PartKind;

typedef struct {
    PartKind kind;
    char *label, *text;
} Part;

static void part_free(Part *part)
{
    g_free(part->label);
    g_free(part->text);
    g_free(part);
}

static void add(GPtrArray *parts, PartKind kind, const char *label, const char *text)
{
    const Part part = {kind, g_strdup(label), g_strdup(text)};
    g_ptr_array_add(parts, g_memdup2(&part, sizeof part));
}

static void add_view(GPtrArray *parts, PsViewId view, const PsTold *facts)
{
    g_autoptr(GPtrArray) lines = ps_view_sentences(view, facts, NULL);
    for (guint i = 0; i + 1 < lines->len; i += 2)
        add(parts, PART_SENTENCE, lines->pdata[i], lines->pdata[i + 1]);
}

static void add_advice(GPtrArray *parts, const PsAnswer *answer)
{
    add(parts, PART_HEADING, NULL, "Advice");
    if (!answer->advice->len)
        add(parts, PART_ITEM, NULL,
            "nothing that was tried before time was out gives more than 2 %");
    for (guint i = 0; i < answer->advice->len; i++) {
        g_autofree char *text = ps_placed_advice_sentence(answer, answer->advice->pdata[i]);
        add(parts, PART_ITEM, NULL, text);
    }
    if (answer->occupancy_step && !answer->occupancy_step->pays) {
        g_autofree char *text = ps_step_sentence(answer);
        add(parts, PART_REMARK, NULL, text);
    }
    add(parts, PART_GAP, NULL, NULL);
}

/* What is assumed has a sentence of its own. */
static void add_warnings(GPtrArray *parts, const PsAnswer *answer)
{
    const GPtrArray *of_code = answer->idg->warnings;
    const guint n = of_code ? of_code->len : 0;
    if (n + answer->warnings->len > answer->n_assumed)
        add(parts, PART_HEADING, NULL, "Warnings");
    for (guint i = 0; i < n; i++)
        add(parts, PART_ITEM, NULL, of_code->pdata[i]);
    for (guint i = 0; i < answer->warnings->len; i++)
        if (i < answer->assumed || i >= answer->assumed + answer->n_assumed)
            add(parts, PART_ITEM, NULL, answer->warnings->pdata[i]);
}

static GPtrArray *parts_of(const PsAnswer *answer, double measured)
{
    GPtrArray *parts = g_ptr_array_new_with_free_func((GDestroyNotify)(void (*)(void))part_free);
    g_autoptr(PsTold) facts = ps_answer_told(answer, measured);
    add_view(parts, PS_VIEW_ANSWER_PARTIAL, facts);
    add_view(parts, PS_VIEW_ANSWER_TIMES, facts);
    add_view(parts, PS_VIEW_ANSWER_LIMIT, facts);
    if (answer->advice)
        add_advice(parts, answer);
    else
        add_view(parts, PS_VIEW_ANSWER_HELP, facts);
    add_view(parts, PS_VIEW_ANSWER_GROUNDS, facts);
    add_warnings(parts, answer);
    return parts;
}

/* "mmul on Tesla V100 (80 CUs, 1380 MHz boost)" (g_free). */
static char *title_of(const PsAnswer *answer)
{
    g_autofree char *chip = ps_format_chip(answer->gpu, answer->clock);
    return g_strdup_printf("%s on %s (%s)", answer->idg->name, answer->gpu->name, chip);
}

/* ---- text ---------------------------------------------------------------------------------- */

static void put_text(GString *out, const Part *part)
{
    g_autofree char *first = g_strdup_printf("%-14s", part->label ? part->label : "");
    switch (part->kind) {
    case PART_SENTENCE:
        ps_wrap_text(out, first, part->text);
        break;
    case PART_HEADING:
        g_string_append_printf(out, "\n%s\n", part->text);
        break;
    case PART_ITEM:
        ps_wrap_text(out, "  - ", part->text);
        break;
    case PART_REMARK:
        ps_wrap_text(out, "  ", part->text);
        break;
    case PART_GAP:
        g_string_append_c(out, '\n');
        break;
    }
}

char *ps_answer_text(const PsAnswer *answer, double measured)
{
    g_autoptr(GPtrArray) parts = parts_of(answer, measured);
    g_autofree char *title = title_of(answer);
    GString *out = g_string_new(title);
    g_string_append_c(out, '\n');
    if (answer->idg->title)
        ps_wrap_text(out, "", answer->idg->title);
    g_string_append_c(out, '\n');
    for (guint i = 0; i < parts->len; i++)
        put_text(out, parts->pdata[i]);
    return g_string_free(out, FALSE);
}

/* ---- HTML ---------------------------------------------------------------------------------- */

static void put_element(GString *out, const char *tag, const char *text)
{
    g_string_append_printf(out, "<%s>", tag);
    ps_html_text(out, text);
    g_string_append_printf(out, "</%s>", tag);
}

/* Rows of a table, items of a list: NULL opens none, and closes what is open. */
static void put_within(GString *out, const char **open, const char *tag)
{
    if (g_strcmp0(*open, tag) == 0)
        return;
    if (*open)
        g_string_append_printf(out, "</%s>\n", *open);
    if (tag)
        g_string_append_printf(out, "<%s>\n", tag);
    *open = tag;
}

static void put_html(GString *out, const char **open, const Part *part)
{
    const gboolean row = part->kind == PART_SENTENCE, item = part->kind == PART_ITEM;
    put_within(out, open, row ? "table" : item ? "ul" : NULL);
    if (row) {
        g_string_append(out, "<tr>");
        put_element(out, "th", part->label);
        put_element(out, "td", part->text);
        g_string_append(out, "</tr>\n");
    } else if (part->text) {
        put_element(out, item ? "li" : part->kind == PART_HEADING ? "h4" : "p", part->text);
        g_string_append_c(out, '\n');
    }
}

char *ps_answer_html(const PsAnswer *answer, double measured)
{
    g_autoptr(GPtrArray) parts = parts_of(answer, measured);
    g_autofree char *title = title_of(answer);
    const char *open = NULL;
    GString *out = g_string_new("<div class=\"pipesim\">\n");
    put_element(out, "h3", title);
    g_string_append_c(out, '\n');
    if (answer->idg->title)
        put_element(out, "p", answer->idg->title);
    for (guint i = 0; i < parts->len; i++)
        put_html(out, &open, parts->pdata[i]);
    put_within(out, &open, NULL);
    g_string_append(out, "</div>\n");
    return g_string_free(out, FALSE);
}
