/* SPDX-License-Identifier: BSD-3-Clause */
/* See timeline-text.h. */
#include "tell/timeline-text.h"

#include "answer/timeline-cells.h"
#include "base/error.h"
#include "tell/format.h"
#include "tell/window-text.h"
#include "tell/words.h"

#include <math.h>
#include <string.h>

#define NARROW 40

/* Warps that are shown without a list. */
#define USUAL_WARPS 16

#define MOST_WARPS 2048

/* Labels on the axis, in columns. */
#define LABEL_EVERY 10

typedef struct {
    const char *plain, *shade, *colour, *meaning;
} Look;

static const Look LOOKS[PS_N_CELLS] = {
    [PS_WAIT_ISSUING] = {"#", "\u2588", "\033[32m", "issues"},
    [PS_WAIT_DATA] = {".", "\u00b7", "\033[33m", "waits for data"},
    [PS_WAIT_QUEUE] = {"=", "\u2592", "\033[31m", "queues at a pipeline"},
    [PS_WAIT_PORT] = {"+", "\u2593", "\033[31m", "waits for the issue port"},
    [PS_WAIT_BARRIER] = {"|", "\u2502", "\033[35m", "waits at a barrier"},
    [PS_WAIT_HOLD] = {"h", "\u2504", "\033[34m", "held after an issue"},
    [PS_WAIT_DRAIN] = {"-", "\u2500", "\033[36m", "has issued all"},
    [PS_WAIT_NOT_STARTED] = {" ", " ", "", "no warp is there"},
    [PS_CELL_BUSY_DATA] = {":", "\u2591", "\033[33m", "issues and waits for data"},
    [PS_CELL_SKIPPED] = {"~", "~", "\033[2m", "skipped: as the cycles before"},
};

/* In the order of the legend. */
static const guint LEGEND[] = {PS_WAIT_ISSUING, PS_CELL_BUSY_DATA,  PS_WAIT_DATA, PS_WAIT_QUEUE,
                               PS_WAIT_PORT,    PS_WAIT_BARRIER,    PS_WAIT_HOLD, PS_WAIT_DRAIN,
                               PS_CELL_SKIPPED, PS_WAIT_NOT_STARTED};

typedef struct {
    const PsAnswer *answer;
    const PsTimelineLook *options;
    guint label; /* columns before the cells */
    PsTimelineCells *cells;
    PsTimelineScale scale;
    gboolean seen[PS_N_CELLS];
} Picture;

static guint warps_of(const PsAnswer *answer)
{
    const PsLaunch *launch = &answer->machine->launch;
    return (guint)(launch->active_groups * launch->warps_per_group);
}

/* ---- which warps --------------------------------------------------------------------------- */

/* Reads "3" or "3-5" up to a comma or the end. */
static gboolean parse_range(const char **at, guint64 *first, guint64 *last)
{
    char *end;
    if (!g_ascii_isdigit(**at))
        return FALSE;
    *last = *first = g_ascii_strtoull(*at, &end, 10);
    if (*end == '-') {
        if (!g_ascii_isdigit(end[1]))
            return FALSE;
        *last = g_ascii_strtoull(end + 1, &end, 10);
    }
    *at = end + (*end == ',');
    return (!*end || *end == ',') && *first <= *last && (*end != ',' || **at);
}

gboolean ps_timeline_is_list(const char *list)
{
    guint64 first, last;
    if (!list || strcmp(list, "all") == 0)
        return TRUE;
    do {
        if (!parse_range(&list, &first, &last))
            return FALSE;
    } while (*list);
    return TRUE;
}

/* Adds the warps that are not in the list yet. */
static void add_warps(GArray *warps, gboolean *there, guint first, guint last)
{
    for (guint w = first; w <= last; w++)
        if (!there[w]) {
            there[w] = TRUE;
            g_array_append_val(warps, w);
        }
}

/* FALSE and *error if a warp of the list does not exist. */
static gboolean read_warps(GArray *warps, guint n_warps, const char *list, GError **error)
{
    g_autofree gboolean *there = g_new0(gboolean, n_warps);
    guint64 first = 0, last = 0;
    if (!list || strcmp(list, "all") == 0) {
        add_warps(warps, there, 0, (list ? n_warps : MIN(n_warps, USUAL_WARPS)) - 1);
        return TRUE;
    }
    while (*list && parse_range(&list, &first, &last)) {
        if (last >= n_warps) {
            g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                        "there is no warp %" G_GUINT64_FORMAT "; the CU has warps 0 to %u at once",
                        last, n_warps - 1);
            return FALSE;
        }
        add_warps(warps, there, (guint)first, (guint)last);
    }
    return TRUE;
}

GArray *ps_timeline_warps(const PsAnswer *answer, const char *list, GError **error)
{
    g_autoptr(GArray) warps = g_array_new(FALSE, FALSE, sizeof(guint));
    if (!read_warps(warps, warps_of(answer), list, error))
        return NULL;
    if (warps->len <= MOST_WARPS)
        return g_steal_pointer(&warps);
    g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                "a timeline shows at most %d warps; list fewer than %u", MOST_WARPS, warps->len);
    return NULL;
}

/* ---- which cycles, and what happens in them ------------------------------------------------ */

static gboolean simulate(Picture *picture, GError **error)
{
    const PsTimelineLook *look = picture->options;
    g_autofree char *number = g_strdup_printf("%u", warps_of(picture->answer) - 1);
    picture->label = MAX((guint)strlen(number), 4) + 1;
    PsTimelineAsk ask = {.usual = !look->window.given,
                         .warps = look->warps,
                         .n_warps = look->n_warps,
                         .columns = look->width - picture->label,
                         .no_fast_forward = look->no_fast_forward};
    if (!ps_window_place(&look->window, picture->answer, &ask.from, &ask.to, error))
        return FALSE;
    picture->cells = ps_timeline_cells_new(picture->answer, &ask, error);
    if (picture->cells)
        picture->scale = ps_timeline_cells_scale(picture->cells);
    return picture->cells != NULL;
}

/* ---- drawing ------------------------------------------------------------------------------- */

/* Neighbouring cells of the same kind share their colour's code. */
static void draw_row(Picture *picture, guint row, GString *out)
{
    const PsTimelineLook *options = picture->options;
    const gsize begin = out->len;
    const char *colour = "";
    gsize drawn;
    g_string_append_printf(out, "%*u ", (int)picture->label - 1, picture->options->warps[row]);
    drawn = out->len;
    for (guint c = 0; c < picture->scale.columns; c++) {
        const guint seen = ps_timeline_cells_seen(picture->cells, row, c);
        const Look *look = &LOOKS[seen];
        picture->seen[seen] = TRUE;
        if (options->colour && strcmp(colour, look->colour) != 0) {
            g_string_append_printf(out, "%s%s", *colour ? "\033[0m" : "", look->colour);
            colour = look->colour;
        }
        g_string_append(out, options->shades ? look->shade : look->plain);
        if (seen != PS_WAIT_NOT_STARTED)
            drawn = out->len;
    }
    g_string_truncate(out, MAX(drawn, begin));
    g_string_append_printf(out, "%s\n", *colour ? "\033[0m" : "");
}

/* Puts text in lines of the terminal's width, broken at tabs, and on narrow terminals at any
 * blank. */
static void put_words(const Picture *picture, const char *text, GString *out)
{
    g_auto(GStrv) words = g_strsplit_set(text, picture->options->width < NARROW ? "\t " : "\t", -1);
    gsize column = 0;
    for (guint i = 0; words[i]; i++) {
        const gsize own = (gsize)g_utf8_strlen(words[i], -1);
        const gboolean fits = column > 0 && column + 1 + own <= picture->options->width;
        g_string_append(out, column == 0 ? "" : fits ? " " : "\n");
        g_string_append(out, words[i]);
        column = fits ? column + 1 + own : own;
    }
    g_string_append_c(out, '\n');
}

static void draw_title(const Picture *picture, GString *out)
{
    g_autofree char *from = ps_window_cycles(picture->answer, picture->scale.from);
    g_autofree char *to = ps_window_cycles(picture->answer, picture->scale.to);
    g_autofree char *end = ps_format_rounded_cycles(
        ps_machine_cycles(picture->answer->machine, picture->answer->result.ticks));
    g_autofree char *step = ps_window_cycles(picture->answer, picture->scale.step);
    g_autofree char *text = g_strdup_printf(
        "cycles %s\tto %s\tof %s,\ta column is\t%s %s;\twarps of CU 0,\t%u of %u", from, to, end,
        step, picture->scale.step == picture->answer->machine->ticks_per_cycle ? "cycle" : "cycles",
        picture->options->n_warps, warps_of(picture->answer));
    const char *which = picture->options->which;
    g_string_append_printf(out, "\n%sTimeline%s%s%s%s\n", picture->options->colour ? "\033[1m" : "",
                           which ? " (" : "", which ? which : "", which ? ")" : "",
                           picture->options->colour ? "\033[0m" : "");
    put_words(picture, text, out);
}

/* TRUE for the first column, and for columns that begin at round numbers if the previous label
 * leaves room. */
static gboolean is_labelled(const Picture *picture, guint column)
{
    return column == 0 || (picture->scale.origin / picture->scale.step + column) % LABEL_EVERY == 0;
}

/* Each label stands at the begin of its column. */
static void draw_axis(const Picture *picture, GString *out)
{
    const gsize begin = out->len;
    g_string_append_printf(out, "%-*s", (int)picture->label, "warp");
    for (guint c = 0; c < picture->scale.columns; c++) {
        if (!is_labelled(picture, c))
            continue;
        g_autofree char *cycles =
            ps_window_cycles(picture->answer, ps_timeline_cells_begin(picture->cells, c));
        const gsize at = begin + picture->label + c;
        if ((c > 0 && out->len >= at) ||
            picture->label + c + strlen(cycles) > picture->options->width)
            continue;
        while (out->len < at)
            g_string_append_c(out, ' ');
        g_string_append(out, cycles);
    }
    g_string_append_c(out, '\n');
}

/* Draws a digit for each column: the number of fillings in copy, or full. */
static void draw_stages(const Picture *picture, guint ring, gboolean full, GString *out)
{
    g_string_append_printf(out, "%*s ", (int)picture->label - 1, full ? "full" : "way");
    for (guint c = 0; c < picture->scale.columns; c++) {
        const PsStageMeans means = ps_timeline_cells_stages(picture->cells, ring, c);
        const double n = full ? means.full : means.under_way;
        const char *skipped = LOOKS[PS_CELL_SKIPPED].plain;
        g_string_append_c(out, isnan(n) ? *skipped : n < 9.5 ? (char)('0' + (int)(n + 0.5)) : '+');
    }
    g_string_append_c(out, '\n');
}

/* Names the warps of a group by their roles, and explains the digits. */
static void draw_roles(const Picture *picture, GString *out)
{
    const PsMachine *machine = picture->answer->machine;
    g_autoptr(PsRoleTable) table = ps_role_table_new(
        machine, ps_rings_new(machine->kernel, machine->launch.warps_per_group), NULL, NULL);
    g_autoptr(GString) text = g_string_new("of a group:");
    if (!table)
        return;
    for (guint r = 0; r < table->roles->len; r++) {
        g_autofree char *name = ps_role_name(table, r);
        g_string_append_printf(text, "%s\t%s", r > 0 ? ";" : "", name);
    }
    if (ps_timeline_cells_n_rings(picture->cells) > 0)
        g_string_append(text, ";\tway, full:\tfillings of stages\tunder way,\tthere and not taken");
    put_words(picture, text->str, out);
}

static void draw_legend(const Picture *picture, GString *out)
{
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < G_N_ELEMENTS(LEGEND); i++) {
        const Look *look = &LOOKS[LEGEND[i]];
        const char *sign = picture->options->shades ? look->shade : look->plain;
        if (picture->seen[LEGEND[i]])
            g_string_append_printf(text, "%s%s %s", text->len ? ",\t" : "",
                                   *sign == ' ' ? "blank:" : sign, look->meaning);
    }
    put_words(picture, text->str, out);
}

gboolean ps_timeline_text(const PsAnswer *answer, const PsTimelineLook *look, GString *out,
                          GError **error)
{
    Picture picture = {.answer = answer, .options = look};
    if (!simulate(&picture, error))
        return FALSE;
    draw_title(&picture, out);
    draw_axis(&picture, out);
    for (guint row = 0; row < look->n_warps; row++)
        draw_row(&picture, row, out);
    for (guint r = 0; r < ps_timeline_cells_n_rings(picture.cells); r++) {
        draw_stages(&picture, r, FALSE, out);
        draw_stages(&picture, r, TRUE, out);
    }
    draw_legend(&picture, out);
    draw_roles(&picture, out);
    ps_timeline_cells_free(picture.cells);
    return TRUE;
}
