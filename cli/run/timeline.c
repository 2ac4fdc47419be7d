/* SPDX-License-Identifier: BSD-3-Clause */
/* See timeline.h. Spans are added up cell by cell as they are heard, so that memory is that of the
 * picture, however much happens in it; a cell shows what took most of its time. */
#include "cli/run/timeline.h"

#include "cli/fail.h"
#include "cli/report/format.h"

#include <string.h>

#define NARROW 40

/* Without a window, about so many cycles are shown, and without a list, so many warps. */
#define USUAL_CYCLES 1000
#define USUAL_WARPS 16

#define MOST_WARPS 2048

/* Labels on the axis, in columns. */
#define LABEL_EVERY 10

/* What a cell can show: the kinds of waits, and more. */
typedef enum { SEEN_BUSY_DATA = PS_WAIT_N_KINDS, SEEN_SKIPPED, SEEN_N } Seen;

typedef struct {
    const char *plain, *shade, *colour, *meaning;
} Look;

static const Look LOOKS[SEEN_N] = {
    [PS_WAIT_ISSUING] = {"#", "\u2588", "\033[32m", "issues"},
    [PS_WAIT_DATA] = {".", "\u00b7", "\033[33m", "waits for data"},
    [PS_WAIT_QUEUE] = {"=", "\u2592", "\033[31m", "queues at a pipeline"},
    [PS_WAIT_BARRIER] = {"|", "\u2502", "\033[35m", "waits at a barrier"},
    [PS_WAIT_DRAIN] = {"-", "\u2500", "\033[36m", "has issued all"},
    [PS_WAIT_NOT_STARTED] = {" ", " ", "", "no warp is there"},
    [SEEN_BUSY_DATA] = {":", "\u2591", "\033[33m", "issues and waits for data"},
    [SEEN_SKIPPED] = {"~", "~", "\033[2m", "skipped: as the cycles before"},
};

/* In the order of the legend. */
static const guint LEGEND[] = {PS_WAIT_ISSUING, SEEN_BUSY_DATA, PS_WAIT_DATA, PS_WAIT_QUEUE,
                               PS_WAIT_BARRIER, PS_WAIT_DRAIN,  SEEN_SKIPPED, PS_WAIT_NOT_STARTED};

typedef struct {
    gint64 ticks[PS_WAIT_N_KINDS]; /* of EMPTY: none */
} Cell;

typedef struct {
    const PsAnswer *answer;
    const TimelineOptions *options;
    guint n_warps; /* of the CU */
    guint per_group;
    guint *row_of; /* [warp of the CU]: its row; G_MAXUINT: it is not shown */
    guint *warps;  /* [row] */
    guint n_rows;
    guint label; /* columns of what stands before the cells */
    guint columns;
    gint64 from, to;
    gint64 origin;   /* where the first column would begin, were it whole: a multiple of step */
    gint64 step;     /* ticks of a column */
    Cell *cells;     /* row by row */
    gint64 *skipped; /* [column]: ticks */
    gboolean seen[SEEN_N];
} Picture;

static void picture_clear(Picture *picture)
{
    g_free(picture->row_of);
    g_free(picture->warps);
    g_free(picture->cells);
    g_free(picture->skipped);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Picture, picture_clear)

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

gboolean timeline_check_warps(const char *list, GError **error)
{
    guint64 first, last;
    if (!list || strcmp(list, "all") == 0)
        return TRUE;
    const char *at = list;
    do {
        if (!parse_range(&at, &first, &last))
            return usage_error(
                error, "--timeline-warps: '%s' is no list of warps; write 0-7,12 or all", list);
    } while (*at);
    return TRUE;
}

static void show_warps(Picture *picture, guint first, guint last)
{
    for (guint w = first; w <= last; w++)
        if (picture->row_of[w] == G_MAXUINT) {
            picture->row_of[w] = picture->n_rows;
            picture->warps[picture->n_rows++] = w;
        }
}

static gboolean choose_warps(Picture *picture, GError **error)
{
    const char *list = picture->options->warps;
    guint64 first = 0, last = 0;
    picture->row_of = g_new(guint, picture->n_warps);
    picture->warps = g_new(guint, picture->n_warps);
    memset(picture->row_of, 0xff, picture->n_warps * sizeof *picture->row_of);
    if (!list || strcmp(list, "all") == 0) {
        show_warps(picture, 0, (list ? picture->n_warps : MIN(picture->n_warps, USUAL_WARPS)) - 1);
        return TRUE;
    }
    while (*list) {
        parse_range(&list, &first, &last);
        if (last >= picture->n_warps) {
            g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                        "--timeline-warps: there is no warp %" G_GUINT64_FORMAT
                        "; the CU has warps 0 to %u at once",
                        last, picture->n_warps - 1);
            return FALSE;
        }
        show_warps(picture, (guint)first, (guint)last);
    }
    return TRUE;
}

static gboolean check_rows(const Picture *picture, GError **error)
{
    if (picture->n_rows <= MOST_WARPS)
        return TRUE;
    g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                "--timeline-warps: a timeline shows at most %d warps; list fewer than %u",
                MOST_WARPS, picture->n_rows);
    return FALSE;
}

/* ---- which cycles -------------------------------------------------------------------------- */

/* 1, 2, 5, 10, 20 ... cycles, at least that many. */
static gint64 round_up(gint64 cycles)
{
    gint64 nice = 1;
    for (guint i = 0; nice < cycles && nice < G_MAXINT64 / 4; i++)
        nice = i % 3 == 1 ? nice / 2 * 5 : nice * 2;
    return MAX(nice, cycles);
}

/* Columns of that step from its last multiple on; the first and the last may be in part outside of
 * the window. */
static void make_columns(Picture *picture, gint64 step)
{
    picture->step = step;
    picture->origin = picture->from / step * step;
    picture->columns = (guint)((picture->to - picture->origin - 1) / step + 1);
}

/* As many as there is room for. A window within a cycle is one, however short. */
static void choose_columns(Picture *picture, gint64 cycles, gint64 room)
{
    const gint64 per_cycle = picture->answer->machine->ticks_per_cycle;
    if (picture->to - picture->from < per_cycle) {
        picture->step = picture->to - picture->from;
        picture->origin = picture->from;
        picture->columns = 1;
        return;
    }
    gint64 step = round_up((cycles - 1) / room + 1);
    make_columns(picture, step * per_cycle);
    while (picture->columns > room) {
        step = round_up(step + 1);
        make_columns(picture, step * per_cycle);
    }
}

static gboolean choose_cycles(Picture *picture, GError **error)
{
    const gint64 per_cycle = picture->answer->machine->ticks_per_cycle;
    const TimelineOptions *options = picture->options;
    g_autofree char *number = g_strdup_printf("%u", picture->n_warps - 1);
    picture->label = MAX((guint)strlen(number), 4) + 1;
    const gint64 room = options->width - picture->label;
    if (!window_ticks(&options->window, "--timeline", picture->answer, &picture->from, &picture->to,
                      error))
        return FALSE;
    gint64 cycles = (picture->to - picture->from - 1) / per_cycle + 1;
    if (!options->window.given)
        cycles = MIN(cycles, MAX(USUAL_CYCLES, room));
    if (!options->window.given)
        picture->to = MIN(picture->to, room * round_up((cycles - 1) / room + 1) * per_cycle);
    choose_columns(picture, cycles, room);
    picture->cells = g_new0(Cell, (gsize)picture->columns * picture->n_rows);
    picture->skipped = g_new0(gint64, picture->columns);
    return TRUE;
}

/* ---- listening ----------------------------------------------------------------------------- */

static void on_span(void *data, const PsTimelineSpan *span)
{
    Picture *picture = data;
    const guint row = picture->row_of[span->place * picture->per_group + span->warp];
    if (row == G_MAXUINT)
        return;
    gint64 at = span->from - picture->origin;
    const gint64 to = span->to - picture->origin;
    while (at < to) {
        const gint64 column = at / picture->step;
        const gint64 end = MIN(to, (column + 1) * picture->step);
        picture->cells[(gsize)row * picture->columns + (gsize)column].ticks[span->kind] += end - at;
        at = end;
    }
}

/* The part of a column that is in the window. */
static gint64 column_begin(const Picture *picture, guint column)
{
    return MAX(picture->origin + column * picture->step, picture->from);
}

static gint64 column_end(const Picture *picture, guint column)
{
    return MIN(picture->origin + (column + 1) * picture->step, picture->to);
}

static void on_skipped(void *data, const PsSkip *skip)
{
    Picture *picture = data;
    for (guint c = 0; c < picture->columns; c++) {
        const gint64 from = MAX(skip->from, column_begin(picture, c));
        const gint64 to = MIN(skip->to, column_end(picture, c));
        picture->skipped[c] += MAX(to - from, 0);
    }
}

static gboolean simulate(Picture *picture, GError **error)
{
    const PsTimelineSink sink = {.data = picture, .span = on_span, .skipped = on_skipped};
    g_autoptr(PsTimeline) timeline =
        ps_timeline_new(picture->answer->machine, picture->from, picture->to, &sink);
    const PsListener listener = ps_timeline_listener(timeline);
    PsSimOptions options = {.listeners = &listener,
                            .n_listeners = 1,
                            .no_fast_forward = picture->options->no_fast_forward};
    PsSimResult result;
    ps_window_make_whole(picture->answer, picture->from, picture->to, &options);
    return ps_sim_run(picture->answer->machine, &options, &result, error);
}

/* ---- drawing ------------------------------------------------------------------------------- */

static Seen seen_in(const Picture *picture, const Cell *cell, guint column)
{
    const gint64 all = column_end(picture, column) - column_begin(picture, column);
    gint64 rest = all - picture->skipped[column];
    guint most = 0;
    if (picture->skipped[column] * 2 >= all)
        return SEEN_SKIPPED;
    for (guint kind = 0; kind < PS_WAIT_NOT_STARTED; kind++) {
        rest -= cell->ticks[kind];
        if (cell->ticks[kind] > cell->ticks[most])
            most = kind;
    }
    if (rest > cell->ticks[most])
        return (Seen)PS_WAIT_NOT_STARTED;
    if (most == PS_WAIT_DATA && cell->ticks[PS_WAIT_ISSUING] > 0)
        return SEEN_BUSY_DATA;
    return (Seen)most;
}

/* Cells of the same look share their colour. */
static void draw_row(Picture *picture, guint row, GString *out)
{
    const TimelineOptions *options = picture->options;
    const gsize begin = out->len;
    const char *colour = "";
    gsize drawn;
    g_string_append_printf(out, "%*u ", (int)picture->label - 1, picture->warps[row]);
    drawn = out->len;
    for (guint c = 0; c < picture->columns; c++) {
        const Seen seen = seen_in(picture, &picture->cells[(gsize)row * picture->columns + c], c);
        const Look *look = &LOOKS[seen];
        picture->seen[seen] = TRUE;
        if (options->colour && strcmp(colour, look->colour) != 0) {
            g_string_append_printf(out, "%s%s", *colour ? "\033[0m" : "", look->colour);
            colour = look->colour;
        }
        g_string_append(out, options->shades ? look->shade : look->plain);
        if (seen != (Seen)PS_WAIT_NOT_STARTED)
            drawn = out->len;
    }
    g_string_truncate(out, MAX(drawn, begin));
    g_string_append_printf(out, "%s\n", *colour ? "\033[0m" : "");
}

/* Text in lines of the terminal's width, broken at tabs; where that is narrow, at any blank. */
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
    g_autofree char *from = window_cycles(picture->answer, picture->from);
    g_autofree char *to = window_cycles(picture->answer, picture->to);
    g_autofree char *end = window_cycles(picture->answer, picture->answer->result.ticks);
    g_autofree char *step = window_cycles(picture->answer, picture->step);
    g_autofree char *text = g_strdup_printf(
        "cycles %s\tto %s\tof %s,\ta column is\t%s %s;\twarps of CU 0,\t%u of %u", from, to, end,
        step, picture->step == picture->answer->machine->ticks_per_cycle ? "cycle" : "cycles",
        picture->n_rows, picture->n_warps);
    const char *which = picture->options->which;
    g_string_append_printf(out, "\n%sTimeline%s%s%s%s\n", picture->options->colour ? "\033[1m" : "",
                           which ? " (" : "", which ? which : "", which ? ")" : "",
                           picture->options->colour ? "\033[0m" : "");
    put_words(picture, text, out);
}

/* The first column and those that begin at round numbers are labelled, where the label before
 * leaves room. */
static gboolean is_labelled(const Picture *picture, guint column)
{
    return column == 0 || (picture->origin / picture->step + column) % LABEL_EVERY == 0;
}

/* Each label stands where its column begins. */
static void draw_axis(const Picture *picture, GString *out)
{
    const gsize begin = out->len;
    g_string_append_printf(out, "%-*s", (int)picture->label, "warp");
    for (guint c = 0; c < picture->columns; c++) {
        if (!is_labelled(picture, c))
            continue;
        g_autofree char *cycles = window_cycles(picture->answer, column_begin(picture, c));
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

gboolean timeline_print(const PsAnswer *answer, const TimelineOptions *options, GString *out,
                        GError **error)
{
    const PsLaunch *launch = &answer->machine->launch;
    g_auto(Picture) picture = {.answer = answer, .options = options};
    picture.per_group = (guint)launch->warps_per_group;
    picture.n_warps = (guint)(launch->active_groups * launch->warps_per_group);
    if (!choose_warps(&picture, error) || !check_rows(&picture, error) ||
        !choose_cycles(&picture, error) || !simulate(&picture, error))
        return FALSE;
    draw_title(&picture, out);
    draw_axis(&picture, out);
    for (guint row = 0; row < picture.n_rows; row++)
        draw_row(&picture, row, out);
    draw_legend(&picture, out);
    return TRUE;
}
