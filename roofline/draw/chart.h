/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A chart in the making, for roofline/draw*.c. All charts are log-log, and what they hold goes
 * through the functions here: lines, marks, arrows and texts, the key beside them.
 *
 * gnuplot places no labels and breaks a long key into columns that leave the page, so both are laid
 * out here, in dots of a page of PS_DRAW_PAGE_WIDTH by PS_DRAW_PAGE_HEIGHT (the three terminals
 * have nearly that shape), with sizes of text that hold for the terminal with the largest. In the
 * script stand data coordinates, so that whoever changes an axis keeps labels at their points.
 */
#ifndef PIPESIM_ROOFLINE_DRAW_CHART_H
#define PIPESIM_ROOFLINE_DRAW_CHART_H

#include "roofline/draw.h"

#define PS_DRAW_PAGE_WIDTH 900.0
#define PS_DRAW_PAGE_HEIGHT 560.0

/* Of a small text: dots per column and per row. */
#define PS_DRAW_COLUMN 6.4
#define PS_DRAW_ROW 13.0

/* Names of kernels are shortened to so many columns. */
#define PS_DRAW_NAME_COLUMNS 40

/* Up to so many kernels are told apart by colour, are written out, have ceilings of their own. */
#define PS_DRAW_FEW 6

typedef struct {
    double x, y;
} PsDrawXY;

/* Lower left corner and size, in dots of the plot area. */
typedef struct {
    double x, y, width, height;
} PsDrawBox;

typedef struct {
    PsDrawXY from, to;
} PsDrawSegment;

typedef enum { PS_DRAW_MARK, PS_DRAW_TEXT } PsDrawThing;

/* ---- where texts find room (place.c) --------------------------------------------------------- */

typedef struct {
    double width, height; /* of the plot area */
    GArray *things[2];    /* PsDrawBox of each PsDrawThing; nothing may cover them */
    GArray *segments;     /* PsDrawSegment: lines; better not covered */
} PsDrawRoom;

void ps_draw_room_init(PsDrawRoom *room);
void ps_draw_room_clear(PsDrawRoom *room);

void ps_draw_room_take(PsDrawRoom *room, PsDrawThing thing, const PsDrawBox *box);

/* How bad a place is; 0: nothing is in the way. */
double ps_draw_room_cost(const PsDrawRoom *room, const PsDrawBox *box);

/* The best place for a text of that size near a point; how bad it is, in *cost. */
PsDrawBox ps_draw_room_near(const PsDrawRoom *room, PsDrawXY point, double width, double height,
                            double *cost);

/* ---- texts (text.c) -------------------------------------------------------------------------- */

/* On one line of valid UTF-8, without what cannot be printed, at most so many columns, shortened in
 * the middle. g_free. */
char *ps_draw_shorten(const char *text, guint columns);

/* The same for a kernel's name, which first loses its parameters, then its namespaces. */
char *ps_draw_shorten_name(const char *name, guint columns);

guint ps_draw_columns(const char *text);

typedef struct {
    char text[40];
} PsDrawNumber;

/* As %.*g in the C locale. */
PsDrawNumber ps_draw_number(double value, int digits);

/* "4.29 TFLOP/s", "288 GB/s": three digits, of base units. g_free. */
char *ps_draw_amount(double value, const char *unit);

/* ---- which kernels are there (entry.c) ------------------------------------------------------- */

/* A kernel as the reader sees it: one, however many GPUs it is drawn on. */
typedef struct {
    char *name;      /* shortened */
    guint first;     /* the first of the kernels that it stands for */
    guint number;    /* from 1; 0: not in the chart */
    const char *why; /* it is not in the chart; NULL if it is */
    gboolean listed; /* has its number, or its name, in the chart */
} PsDrawEntry;

/* Why that kernel has no mark; NULL where it has. */
typedef const char *(*PsDrawWhy)(const PsDraw *draw, const PsDrawKernel *kernel);

typedef struct PsDrawChart PsDrawChart;

/* Fills chart->entries and chart->entry_of. */
void ps_draw_entries(PsDrawChart *chart, PsDrawWhy why);

/* Lets at most so many of them be listed. */
void ps_draw_entries_list(PsDrawChart *chart, guint most);

/* The drawn ones among them. */
guint ps_draw_entries_drawn(const PsDrawChart *chart);

/* ---- the chart (chart.c) --------------------------------------------------------------------- */

typedef struct {
    double least, most; /* log10 */
} PsDrawRange;

struct PsDrawChart {
    const PsDraw *draw;
    gboolean flop; /* operations are all on floating-point numbers */
    double unit;   /* of rates, in operations per second */

    GArray *entries;  /* PsDrawEntry */
    guint *entry_of;  /* of each kernel */
    gboolean by_name; /* marks bear names, not numbers */

    gboolean edge;                   /* some marks are at the right edge */
    PsDrawRange x, y;                /* what must be seen, then what the axes show */
    double left, right, bottom, top; /* of the plot area, shares of the page */
    PsDrawRoom room;
    GString *settings, *data, *plots;
    GPtrArray *key; /* PsDrawKeyLine */
    guint n_lines;
    GHashTable *blocks; /* style of marks -> GString of their data */
    GPtrArray *styles;  /* in the order of their first use; borrowed from blocks */
};

PsDrawChart *ps_draw_chart_new(const PsDraw *draw);
void ps_draw_chart_free(PsDrawChart *chart);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsDrawChart, ps_draw_chart_free)

/* The value shall be seen; what is not above 0 or not finite is passed over. */
void ps_draw_see(PsDrawRange *range, double value);

/* Whether a logarithmic axis of doubles can show it. */
gboolean ps_draw_drawable(double value);

/* Settles the axes, and with the key the room: from here on things can be drawn. The y axis holds
 * rates, seen in operations per second and drawn in units of chart->unit, which is settled here.
 * The chart's own title is used where the caller's has none; the label of the y axis is completed
 * by its unit. */
void ps_draw_frame(PsDrawChart *chart, const char *title, const char *x_label, const char *y_label);

/* "FLOP" or "op". */
const char *ps_draw_operation(const PsDrawChart *chart);

/* "4.29 TFLOP/s" of operations per second. g_free. */
char *ps_draw_rate(const PsDrawChart *chart, double rate);

PsDrawXY ps_draw_dots(const PsDrawChart *chart, PsDrawXY value);
PsDrawXY ps_draw_value(const PsDrawChart *chart, PsDrawXY dots);

/* `what` stands as a comment beside the data. Styles are gnuplot's. */
void ps_draw_line(PsDrawChart *chart, const char *what, const char *style, PsDrawXY from,
                  PsDrawXY to);
void ps_draw_mark(PsDrawChart *chart, const char *what, const char *style, PsDrawXY at);

/* Behind all else. */
void ps_draw_area(PsDrawChart *chart, const char *colour, const PsDrawXY *corners, guint n);

/* Between two marks, which it leaves free; none where they touch. */
void ps_draw_arrow(PsDrawChart *chart, PsDrawXY from, PsDrawXY to, const char *style);

/* What follows the ends of an arrow in the settings. */
void ps_draw_arrow_style(PsDrawChart *chart, const char *style);

typedef struct {
    const char *text, *colour;
    double degrees; /* turned by */
} PsDrawText;

/* A small text whose middle is there (dots). */
void ps_draw_text(PsDrawChart *chart, const PsDrawText *text, PsDrawXY middle);

/* A small text near a mark, with a thin line to it where it stands apart. */
void ps_draw_label(PsDrawChart *chart, const char *text, const char *colour, PsDrawXY at);

/* A text along a line of the chart: above or below it, near `from` if there is room, else further
 * towards `to`; where it would cover something all along, level and with a thin line to it. */
void ps_draw_along(PsDrawChart *chart, const char *text, const char *colour, PsDrawXY from,
                   PsDrawXY to);

/* The script. */
char *ps_draw_finish(PsDrawChart *chart);

/* ---- colours, markers, dashes (style.c) ------------------------------------------------------ */

/* Of Okabe and Ito, without the yellow, which is too faint on white. */
const char *ps_draw_colour(guint i);

/* gnuplot's pointtype: six shapes, filled or hollow. */
guint ps_draw_marker(guint i, gboolean hollow);

/* gnuplot's dashtype. */
const char *ps_draw_dash(guint i);

/* ---- the key (key.c) ------------------------------------------------------------------------- */

typedef struct {
    char *line, *mark; /* styles of the samples; NULL: none */
    char *text;
} PsDrawKeyLine;

void ps_draw_key_line_free(void *line);

/* Takes all three. */
void ps_draw_key_add(PsDrawChart *chart, char *line, char *mark, char *text);

/* Numbers and names of the kernels, as far as they find room, and why some are not drawn. style_of
 * gives the style of an entry's mark (g_free), NULL: numbers without marks. Comes last. */
typedef char *(*PsDrawStyleOf)(const PsDrawChart *chart, guint entry);
void ps_draw_key_kernels(PsDrawChart *chart, PsDrawStyleOf style_of);

/* Share of the page's width that it needs. */
double ps_draw_key_width(const PsDrawChart *chart);

void ps_draw_key_put(PsDrawChart *chart);

/* ---- points with numbers (label.c) ----------------------------------------------------------- */

/* Something at a point that bears the number or the name of an entry. */
typedef struct {
    PsDrawXY at; /* values */
    guint entry;
} PsDrawTag;

/* Writes numbers (those of points that cannot be told apart as one text, "1, 4-7") or names, after
 * `before`. */
void ps_draw_tags(PsDrawChart *chart, const GArray *tags, const char *before);

/* The listed ones, those that cannot be told apart together: GArray of PsDrawTag each. */
GPtrArray *ps_draw_spots(const PsDrawChart *chart, const GArray *tags);

/* The text for the numbers of these tags, "1, 4-7", or their names. g_free. */
char *ps_draw_tag_text(const PsDrawChart *chart, const GArray *tags);

/* ---- ceilings (roof.c) ----------------------------------------------------------------------- */

/* Peak of a type of operations, and that of B of a level; NaN where not known. */
double ps_draw_peak(const PsDrawGpu *gpu, PsKType type);
double ps_draw_bandwidth(const PsDrawGpu *gpu, PsLevel level);
const char *ps_draw_level_name(PsLevel level);

/* Of the line of a level's bandwidth, where each has its own: without colour. */
const char *ps_draw_level_style(PsLevel level);

/* Whether a ceiling of that type is in the chart: kernels have it, or there are none. */
gboolean ps_draw_has_type(const PsDraw *draw, PsKType type);

/* Of GPUs there are several: each has a letter (g_free), a colour and a dash. */
gboolean ps_draw_many_gpus(const PsDraw *draw);
char *ps_draw_gpu_letter(guint gpu);
const char *ps_draw_gpu_colour(const PsDraw *draw, guint gpu);

const PsDrawGpu *ps_draw_gpu(const PsDraw *draw, guint i);
const PsDrawKernel *ps_draw_kernel(const PsDraw *draw, guint i);

/* Before the frame: what of them must be seen, and their lines of the key; first is the level
 * nearest to the compute units whose bandwidth is drawn. FALSE and *error where a GPU has no
 * ceiling at all. */
gboolean ps_draw_roofs_see(PsDrawChart *chart, PsLevel first, GError **error);

/* After it: their lines, and when all else is drawn but labels, their texts. */
void ps_draw_roofs_lines(PsDrawChart *chart, PsLevel first);
void ps_draw_roofs_texts(PsDrawChart *chart, PsLevel first);

/* ---- marks of kernels in the roofline's plane (mark.c) --------------------------------------- */

/* Why a kernel of this rate and operational intensity has no mark; NULL: it has. */
const char *ps_draw_why_not(const PsDrawKernel *kernel, double intensity, double bytes);

/* Where the mark is (values); an infinite intensity is at the right edge. */
PsDrawXY ps_draw_place_of(const PsDrawChart *chart, double intensity, double rate);

/* The style of a mark: shape and colour are numbers of their lists. g_free. */
char *ps_draw_mark_style(guint shape, const char *colour, gboolean hollow, gboolean small);

/* What is inside a hollow mark of that style: white, or lines that pass would make it look filled.
 * NULL for a filled mark. g_free. */
char *ps_draw_mark_inside(const char *style);

/* The mark, with an arrow to the right where the intensity is infinite. */
void ps_draw_kernel_mark(PsDrawChart *chart, guint kernel, double intensity, const char *style);

/* Key lines for what marks mean: filled and hollow, at the edge (sets chart->edge). */
void ps_draw_key_marks(PsDrawChart *chart);

/* Arrows from each kernel of a GPU to the next one's mark; intensity_of as of why_not. */
typedef double (*PsDrawIntensity)(const PsDrawKernel *kernel, PsLevel level);
void ps_draw_trajectory(PsDrawChart *chart, PsDrawIntensity intensity_of, PsLevel level,
                        const char *style);

/* ---- the three kinds ------------------------------------------------------------------------- */

gboolean ps_draw_roofline(PsDrawChart *chart, GError **error);
gboolean ps_draw_hierarchical(PsDrawChart *chart, GError **error);
gboolean ps_draw_quadrants(PsDrawChart *chart, GError **error);

#endif
