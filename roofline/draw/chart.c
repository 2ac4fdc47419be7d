/* SPDX-License-Identifier: BSD-3-Clause */
/* Axes, lines, marks and texts of a chart: see chart.h. */
#include "roofline/draw/chart.h"

#include <math.h>

/* Shares of the page that axes, labels and the title need. */
#define LEFT 0.104
#define RIGHT 0.98
#define BOTTOM 0.115
#define TOP 0.925

/* What an axis shows beyond what must be seen: in powers of ten, or that share of it; what it shows
 * at least; and the share that marks at the right edge need. */
#define MARGIN 0.25
#define MARGIN_SHARE 0.03
#define LEAST_SPAN 1.5
#define EDGE_SHARE 0.08

/* Axes that span less have tics at 2 and 5, too. */
#define SHORT_SPAN 2.6

/* Nothing that is measured is beyond that, and squares of it are still doubles. */
#define LEAST_DRAWABLE 1e-60
#define MOST_DRAWABLE 1e60

/* Of the title: dots per column. */
#define TITLE_COLUMN 8.8

/* A text that stands further from its point than this has a line to it. */
#define LEADER_FROM 11

/* Half a mark. */
#define MARK 5

/* Arrows begin and end beside marks; between marks that touch there is none. */
#define ARROW_GAP 6
#define ARROW_HEAD 8
#define SHORTEST_ARROW 7

/* Texts along a line: from its middle to that of the text, nearest and in how many steps further
 * off (marks on the line are thicker than it), what such a step costs, and what it costs to stand
 * beside the line's end instead. */
#define ALONG (PS_DRAW_ROW / 2 + 2)
#define ALONG_STEP 3.5
#define ALONG_COST 4
#define BESIDE 15

/* Or off the line, near one of so many parts of it, and what that costs. */
#define OFF_POINTS 8
#define OFF_COST 40

static gboolean is_flop(const PsDraw *draw)
{
    for (guint i = 0; i < draw->kernels->len; i++)
        if (ps_draw_kernel(draw, i)->params->K_type == PS_K_INT)
            return FALSE;
    return TRUE;
}

PsDrawChart *ps_draw_chart_new(const PsDraw *draw)
{
    PsDrawChart *chart = g_new0(PsDrawChart, 1);
    chart->draw = draw;
    chart->flop = is_flop(draw);
    chart->entries = g_array_new(FALSE, TRUE, sizeof(PsDrawEntry));
    chart->entry_of = g_new0(guint, draw->kernels->len);
    chart->x = chart->y = (PsDrawRange){INFINITY, -INFINITY};
    ps_draw_room_init(&chart->room);
    chart->settings = g_string_new(NULL);
    chart->data = g_string_new(NULL);
    chart->plots = g_string_new(NULL);
    chart->key = g_ptr_array_new_with_free_func(ps_draw_key_line_free);
    chart->blocks = g_hash_table_new(g_str_hash, g_str_equal);
    chart->styles = g_ptr_array_new_with_free_func(g_free);
    return chart;
}

static void free_block(void *block)
{
    g_string_free(block, TRUE);
}

void ps_draw_chart_free(PsDrawChart *chart)
{
    for (guint i = 0; i < chart->entries->len; i++)
        g_free(g_array_index(chart->entries, PsDrawEntry, i).name);
    g_array_unref(chart->entries);
    g_free(chart->entry_of);
    ps_draw_room_clear(&chart->room);
    g_string_free(chart->settings, TRUE);
    g_string_free(chart->data, TRUE);
    g_string_free(chart->plots, TRUE);
    g_ptr_array_unref(chart->key);
    g_autoptr(GList) blocks = g_hash_table_get_values(chart->blocks);
    g_list_foreach(blocks, (GFunc)(void (*)(void))free_block, NULL);
    g_hash_table_unref(chart->blocks);
    g_ptr_array_unref(chart->styles);
    g_free(chart);
}

gboolean ps_draw_drawable(double value)
{
    return value >= LEAST_DRAWABLE && value <= MOST_DRAWABLE;
}

void ps_draw_see(PsDrawRange *range, double value)
{
    if (!ps_draw_drawable(value))
        return;
    range->least = MIN(range->least, log10(value));
    range->most = MAX(range->most, log10(value));
}

/* ---- the frame ------------------------------------------------------------------------------ */

static void widen(PsDrawRange *range)
{
    if (range->least > range->most)
        *range = (PsDrawRange){0, 0};
    const double margin = MAX(MARGIN, MARGIN_SHARE * (range->most - range->least));
    range->least -= margin;
    range->most += margin;
    const double lack = LEAST_SPAN - (range->most - range->least);
    if (lack > 0) {
        range->least -= lack / 2;
        range->most += lack / 2;
    }
}

static void put_tics(PsDrawChart *chart, char axis, const PsDrawRange *range)
{
    GString *out = chart->settings;
    g_string_append_printf(out, "set %crange [%s:", axis,
                           ps_draw_number(pow(10, range->least), 10).text);
    g_string_append_printf(out, "%s]\n", ps_draw_number(pow(10, range->most), 10).text);
    if (range->most - range->least >= SHORT_SPAN) {
        g_string_append_printf(out, "set m%ctics 10\n", axis);
        return;
    }
    g_string_append_printf(out, "set %ctics (", axis);
    const char *separator = "";
    for (int decade = (int)floor(range->least); decade <= (int)ceil(range->most); decade++)
        for (int digit = 1; digit <= 5; digit += digit == 1 ? 1 : 3) {
            g_string_append_printf(out, "%s%s", separator,
                                   ps_draw_number(digit * pow(10, decade), 6).text);
            separator = ", ";
        }
    g_string_append(out, ")\n");
}

const char *ps_draw_operation(const PsDrawChart *chart)
{
    return chart->flop ? "FLOP" : "op";
}

char *ps_draw_rate(const PsDrawChart *chart, double rate)
{
    return ps_draw_amount(rate, chart->flop ? "FLOP/s" : "op/s");
}

/* Tera where that leaves no rate with more than one zero behind the point. */
static void settle_unit(PsDrawChart *chart)
{
    chart->unit = chart->y.most >= 12 && chart->y.least >= 11 ? 1e12 : 1e9;
    const double shift = log10(chart->unit);
    chart->y.least -= shift;
    chart->y.most -= shift;
}

static void put_text(GString *out, const char *setting, const char *text)
{
    g_autofree char *quoted = ps_draw_quote(text);
    g_string_append_printf(out, "%s %s noenhanced\n", setting, quoted);
}

static void put_margin(GString *out, const char *side, double share)
{
    g_string_append_printf(out, "set %smargin at screen %s\n", side, ps_draw_number(share, 4).text);
}

void ps_draw_frame(PsDrawChart *chart, const char *title, const char *x_label, const char *y_label)
{
    widen(&chart->x);
    widen(&chart->y);
    if (chart->edge)
        chart->x.most += EDGE_SHARE * (chart->x.most - chart->x.least);
    settle_unit(chart);
    chart->left = LEFT;
    chart->right = RIGHT - ps_draw_key_width(chart);
    chart->bottom = BOTTOM;
    chart->top = TOP;
    chart->room.width = (chart->right - chart->left) * PS_DRAW_PAGE_WIDTH;
    chart->room.height = (chart->top - chart->bottom) * PS_DRAW_PAGE_HEIGHT;

    GString *out = chart->settings;
    const double middle = (chart->left + chart->right) / 2 * PS_DRAW_PAGE_WIDTH;
    g_autofree char *shown = ps_draw_shorten(chart->draw->title ? chart->draw->title : title,
                                             (guint)(2 * middle / TITLE_COLUMN));
    g_autofree char *rate = g_strdup_printf("%s (%c%s/s)", y_label, chart->unit > 1e9 ? 'T' : 'G',
                                            ps_draw_operation(chart));
    put_text(out, "set title", shown);
    put_text(out, "set xlabel", x_label);
    put_text(out, "set ylabel", rate);
    put_margin(out, "l", chart->left);
    put_margin(out, "r", chart->right);
    put_margin(out, "b", chart->bottom);
    put_margin(out, "t", chart->top);
    g_string_append(out,
                    "set border 3\nset tics nomirror\nunset key\nset clip two\nset logscale xy 10\n"
                    "set format xy '%g'\n"
                    "set grid linetype 1 linewidth 0.5 linecolor rgb '#dddddd'\n");
    put_tics(chart, 'x', &chart->x);
    put_tics(chart, 'y', &chart->y);
}

/* ---- values and dots ------------------------------------------------------------------------ */

static double share_of(const PsDrawRange *range, double value)
{
    return (log10(value) - range->least) / (range->most - range->least);
}

PsDrawXY ps_draw_dots(const PsDrawChart *chart, PsDrawXY value)
{
    return (PsDrawXY){share_of(&chart->x, value.x) * chart->room.width,
                      share_of(&chart->y, value.y) * chart->room.height};
}

static double value_at(const PsDrawRange *range, double share)
{
    return pow(10, range->least + share * (range->most - range->least));
}

PsDrawXY ps_draw_value(const PsDrawChart *chart, PsDrawXY dots)
{
    return (PsDrawXY){value_at(&chart->x, dots.x / chart->room.width),
                      value_at(&chart->y, dots.y / chart->room.height)};
}

/* ---- what is drawn -------------------------------------------------------------------------- */

static void put_pair(GString *out, PsDrawXY value, const char *between)
{
    g_string_append_printf(out, "%s%s", ps_draw_number(value.x, 10).text, between);
    g_string_append(out, ps_draw_number(value.y, 10).text);
}

/* One line of comment, whatever a name holds. */
static void put_comment(GString *out, const char *text)
{
    g_autofree char *clean = ps_draw_shorten(text, 120);
    g_string_append_printf(out, "# %s\n", clean);
}

static void put_plot(PsDrawChart *chart, const char *block, guint i, const char *style)
{
    g_string_append_printf(chart->plots, "%s$%s%u with %s notitle",
                           chart->plots->len ? ", \\\n     " : "plot ", block, i, style);
}

void ps_draw_line(PsDrawChart *chart, const char *what, const char *style, PsDrawXY from,
                  PsDrawXY to)
{
    const guint i = chart->n_lines++;
    g_string_append_printf(chart->data, "$line%u << END\n", i);
    put_comment(chart->data, what);
    put_pair(chart->data, from, " ");
    g_string_append_c(chart->data, '\n');
    put_pair(chart->data, to, " ");
    g_string_append(chart->data, "\nEND\n");
    g_autofree char *with = g_strdup_printf("lines %s", style);
    put_plot(chart, "line", i, with);
    const PsDrawSegment segment = {ps_draw_dots(chart, from), ps_draw_dots(chart, to)};
    g_array_append_val(chart->room.segments, segment);
}

void ps_draw_area(PsDrawChart *chart, const char *colour, const PsDrawXY *corners, guint n)
{
    for (guint i = 0; i <= n; i++) {
        g_string_append(chart->settings, i ? " to " : "set object polygon from ");
        put_pair(chart->settings, corners[i % n], ",");
    }
    g_string_append_printf(chart->settings, " behind fillstyle solid noborder fillcolor rgb '%s'\n",
                           colour);
}

void ps_draw_mark(PsDrawChart *chart, const char *what, const char *style, PsDrawXY at)
{
    GString *block = g_hash_table_lookup(chart->blocks, style);
    if (!block) {
        block = g_string_new(NULL);
        char *kept = g_strdup(style);
        g_ptr_array_add(chart->styles, kept);
        g_hash_table_insert(chart->blocks, kept, block);
    }
    put_comment(block, what);
    put_pair(block, at, " ");
    g_string_append_c(block, '\n');
    const PsDrawXY dots = ps_draw_dots(chart, at);
    const PsDrawBox box = {dots.x - MARK, dots.y - MARK, 2.0 * MARK, 2.0 * MARK};
    ps_draw_room_take(&chart->room, PS_DRAW_MARK, &box);
}

/* gnuplot's SVG terminal gives an arrow the dashes of the one before it where their width and
 * colour are the same: one of no length and another colour parts them. */
void ps_draw_arrow_style(PsDrawChart *chart, const char *style)
{
    g_string_append_printf(chart->settings,
                           " %s\nset arrow from screen 0,0 to screen 0,0 nohead linecolor rgb "
                           "'white'\n",
                           style);
}

static void put_arrow(PsDrawChart *chart, const PsDrawSegment *arrow, const char *style)
{
    g_string_append(chart->settings, "set arrow from ");
    put_pair(chart->settings, ps_draw_value(chart, arrow->from), ",");
    g_string_append(chart->settings, " to ");
    put_pair(chart->settings, ps_draw_value(chart, arrow->to), ",");
    ps_draw_arrow_style(chart, style);
    g_array_append_vals(chart->room.segments, arrow, 1);
}

void ps_draw_arrow(PsDrawChart *chart, PsDrawXY from, PsDrawXY to, const char *style)
{
    const PsDrawXY a = ps_draw_dots(chart, from), b = ps_draw_dots(chart, to);
    const double length = hypot(b.x - a.x, b.y - a.y);
    if (length < SHORTEST_ARROW)
        return;
    const double gap = MIN(ARROW_GAP / length, 0.25);
    const double head = MIN(ARROW_HEAD, length * 0.4);
    const PsDrawSegment arrow = {{a.x + (b.x - a.x) * gap, a.y + (b.y - a.y) * gap},
                                 {b.x - (b.x - a.x) * gap, b.y - (b.y - a.y) * gap}};
    g_autofree char *full =
        g_strdup_printf("size screen %s,20 filled linewidth 1 %s",
                        ps_draw_number(head / PS_DRAW_PAGE_WIDTH, 3).text, style);
    put_arrow(chart, &arrow, full);
}

/* ---- texts ---------------------------------------------------------------------------------- */

void ps_draw_text(PsDrawChart *chart, const PsDrawText *text, PsDrawXY middle)
{
    g_autofree char *quoted = ps_draw_quote(text->text);
    g_string_append_printf(chart->settings, "set label %s at ", quoted);
    put_pair(chart->settings, ps_draw_value(chart, middle), ",");
    g_string_append_printf(chart->settings, " center noenhanced font ',9' textcolor rgb '%s' front",
                           text->colour);
    if (text->degrees != 0)
        g_string_append_printf(chart->settings, " rotate by %s",
                               ps_draw_number(text->degrees, 4).text);
    g_string_append_c(chart->settings, '\n');
}

static double nearest(double value, double low, double size)
{
    return CLAMP(value, low, low + size);
}

/* The text at its place; the point is what it belongs to (dots). */
static void put_label(PsDrawChart *chart, const PsDrawText *text, PsDrawXY point,
                      const PsDrawBox *box)
{
    ps_draw_room_take(&chart->room, PS_DRAW_TEXT, box);
    const PsDrawXY edge = {nearest(point.x, box->x, box->width),
                           nearest(point.y, box->y, box->height)};
    const double length = hypot(edge.x - point.x, edge.y - point.y);
    if (length > LEADER_FROM) {
        const double share = MARK / length;
        const PsDrawXY start = {point.x + (edge.x - point.x) * share,
                                point.y + (edge.y - point.y) * share};
        put_arrow(chart, &(PsDrawSegment){start, edge},
                  "nohead linewidth 0.6 linecolor rgb '#888888'");
    }
    ps_draw_text(chart, text, (PsDrawXY){box->x + box->width / 2, box->y + box->height / 2});
}

static double width_of(const char *text)
{
    return ps_draw_columns(text) * PS_DRAW_COLUMN + 2;
}

void ps_draw_label(PsDrawChart *chart, const char *text, const char *colour, PsDrawXY at)
{
    const PsDrawXY dots = ps_draw_dots(chart, at);
    double cost;
    const PsDrawBox box = ps_draw_room_near(&chart->room, dots, width_of(text), PS_DRAW_ROW, &cost);
    put_label(chart, &(PsDrawText){text, colour, 0}, dots, &box);
}

/* Boxes that a turned text fills, about as high as it is. */
static guint cover(PsDrawXY middle, PsDrawXY along, double width, PsDrawBox *boxes, guint most)
{
    if (fabs(along.y) < 0.01) {
        boxes[0] =
            (PsDrawBox){middle.x - width / 2, middle.y - PS_DRAW_ROW / 2, width, PS_DRAW_ROW};
        return 1;
    }
    const guint n = MIN(most, (guint)(width / PS_DRAW_ROW) + 1);
    const double side = PS_DRAW_ROW * 0.9;
    for (guint i = 0; i < n; i++) {
        const double way = width * ((i + 0.5) / n - 0.5);
        boxes[i] = (PsDrawBox){middle.x + along.x * way - side / 2,
                               middle.y + along.y * way - side / 2, side, side};
    }
    return n;
}

enum { MOST_BOXES = 64, PLACES = 60, OFFSETS = 4 };

typedef struct {
    PsDrawXY middle;
    PsDrawBox boxes[MOST_BOXES];
    guint n;
    double cost;
} Along;

/* A text of that width there, at what it costs, if that is less than the best's. */
static void try_along(const PsDrawChart *chart, const Along *there, PsDrawXY along, double width,
                      Along *best)
{
    Along full = *there;
    full.n = cover(full.middle, along, width, full.boxes, MOST_BOXES);
    for (guint i = 0; i < full.n; i++)
        full.cost += ps_draw_room_cost(&chart->room, &full.boxes[i]);
    if (full.cost < best->cost)
        *best = full;
}

/* The best place along a line from a to b, whose direction is `way`; `along` is that in which the
 * text is read. */
static Along find_along(const PsDrawChart *chart, PsDrawXY a, PsDrawXY b, PsDrawXY way,
                        PsDrawXY along, double width)
{
    const double length = hypot(b.x - a.x, b.y - a.y);
    Along best = {.cost = INFINITY};
    for (guint i = 0; i < 2 * OFFSETS * PLACES; i++) {
        const guint step = i / 2 / OFFSETS, further = i / 2 % OFFSETS;
        const double place = width / 2 + 4 + MAX(0, length - width - 8) * step / (PLACES - 1);
        const double side = (i % 2 ? -1 : 1) * (ALONG + ALONG_STEP * further);
        const Along there = {
            .middle = {a.x + way.x * place - along.y * side, a.y + way.y * place + along.x * side},
            .cost = 0.4 * step + ALONG_COST * further + 0.2 * (i % 2)};
        try_along(chart, &there, along, width, &best);
    }
    const double beyond = width / 2 + 8;
    const Along beside = {.middle = {b.x + way.x * beyond, b.y + way.y * beyond}, .cost = BESIDE};
    if (fabs(along.y) < 0.01)
        try_along(chart, &beside, along, width, &best);
    return best;
}

/* The best place near one of the points between a and b; its cost. */
static double find_off(const PsDrawChart *chart, PsDrawXY a, PsDrawXY b, double width,
                       PsDrawXY *point, PsDrawBox *box)
{
    double least = INFINITY;
    for (guint i = 1; i < OFF_POINTS; i++) {
        const double share = (double)i / OFF_POINTS;
        const PsDrawXY on = {a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share};
        double cost;
        const PsDrawBox there = ps_draw_room_near(&chart->room, on, width, PS_DRAW_ROW, &cost);
        if (cost < least) {
            least = cost;
            *point = on;
            *box = there;
        }
    }
    return least + OFF_COST;
}

void ps_draw_along(PsDrawChart *chart, const char *text, const char *colour, PsDrawXY from,
                   PsDrawXY to)
{
    const PsDrawXY a = ps_draw_dots(chart, from), b = ps_draw_dots(chart, to);
    const double length = hypot(b.x - a.x, b.y - a.y);
    if (!(length > 0))
        return;
    const PsDrawXY way = {(b.x - a.x) / length, (b.y - a.y) / length};
    const double sign = way.x < 0 ? -1 : 1; /* texts read from the left */
    const PsDrawXY along = {way.x * sign, way.y * sign};
    const Along best = find_along(chart, a, b, way, along, width_of(text) + 2);
    PsDrawXY point;
    PsDrawBox box;
    if (best.cost > OFF_COST && find_off(chart, a, b, width_of(text), &point, &box) < best.cost) {
        put_label(chart, &(PsDrawText){text, colour, 0}, point, &box);
        return;
    }
    for (guint i = 0; i < best.n; i++)
        ps_draw_room_take(&chart->room, PS_DRAW_TEXT, &best.boxes[i]);
    ps_draw_text(chart, &(PsDrawText){text, colour, atan2(along.y, along.x) * (180 / G_PI)},
                 best.middle);
}

/* ---- the script ----------------------------------------------------------------------------- */

static const char head[] =
    "# A chart by pipesim, for gnuplot 5.2 or later. To draw it, say where it goes:\n"
    "#     gnuplot -e \"set terminal svg size 900,560; set output 'chart.svg'\" THIS_FILE\n"
    "# or put these two settings on the next line. It is laid out for pages of that shape.\n"
    "set encoding utf8\n";

/* The insides come first, so that none covers another mark. */
static void put_insides(PsDrawChart *chart)
{
    for (guint i = 0; i < chart->styles->len; i++) {
        g_autofree char *inside = ps_draw_mark_inside(chart->styles->pdata[i]);
        g_autofree char *with = g_strconcat("points ", inside, NULL);
        if (inside)
            put_plot(chart, "marks", i, with);
    }
}

char *ps_draw_finish(PsDrawChart *chart)
{
    put_insides(chart);
    for (guint i = 0; i < chart->styles->len; i++) {
        const char *style = chart->styles->pdata[i];
        const GString *block = g_hash_table_lookup(chart->blocks, style);
        g_string_append_printf(chart->data, "$marks%u << END\n%sEND\n", i, block->str);
        g_autofree char *with = g_strdup_printf("points %s", style);
        put_plot(chart, "marks", i, with);
    }
    ps_draw_key_put(chart);
    GString *script = g_string_new(head);
    g_string_append(script, chart->settings->str);
    g_string_append(script, chart->data->str);
    g_string_append(script, chart->plots->str);
    g_string_append_c(script, '\n');
    return g_string_free(script, FALSE);
}
