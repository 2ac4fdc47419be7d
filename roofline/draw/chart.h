/* SPDX-License-Identifier: BSD-3-Clause */
/* The interface between the three kinds of charts of rooflines; draw/ knows what a chart is. */
#ifndef PIPESIM_ROOFLINE_DRAW_CHART_H
#define PIPESIM_ROOFLINE_DRAW_CHART_H

#include "draw/chart.h"
#include "roofline/draw.h"

/* Most columns of a kernel's name. */
#define PS_DRAW_NAME_COLUMNS 40

/* Most kernels that are told apart by colour, written out, and given ceilings of their own. */
#define PS_DRAW_FEW 6

#define PS_DRAW_BLACK "#000000"
#define PS_DRAW_GREY "#555555"

/* A kernel as the reader sees it: one, however many GPUs it is drawn on. */
typedef struct {
    char *name;      /* shortened */
    guint first;     /* the first of the kernels that it stands for */
    guint number;    /* from 1; 0: not in the chart */
    const char *why; /* the reason why it is not in the chart; NULL if it is */
    gboolean listed; /* has its number, or its name, in the chart */
} PsDrawEntry;

typedef struct {
    const PsDraw *draw;
    gboolean flop;    /* operations are all on floating-point numbers */
    GArray *entries;  /* PsDrawEntry */
    guint *entry_of;  /* of each kernel */
    guint drawn;      /* entries in the chart */
    gboolean by_name; /* marks bear names, not numbers */
    PsChart *chart;   /* begun when the entries are known */
} PsDrawChart;

/* ---- the chart (chart.c) --------------------------------------------------------------------- */

const PsDrawGpu *ps_draw_gpu(const PsDraw *draw, guint i);
const PsDrawKernel *ps_draw_kernel(const PsDraw *draw, guint i);
const PsDrawEntry *ps_draw_entry(const PsDrawChart *chart, guint i);
const PsDrawEntry *ps_draw_entry_of(const PsDrawChart *chart, guint kernel);

/* Begins the chart, with the title if the caller has none. The x axis may have a unit. */
void ps_draw_begin(PsDrawChart *chart, char *title, const char *x_label, const char *x_unit,
                   const char *y_label);

/* "FLOP" or "op". */
const char *ps_draw_operation(const PsDrawChart *chart);

/* "4.29 TFLOP/s" of operations per second. g_free. */
char *ps_draw_rate(const PsDrawChart *chart, double rate);

/* No measured value is beyond these bounds, and a chart shows all between. */
gboolean ps_draw_drawable(double value);

/* The number, or the name, of an entry that is listed, at a point; `before` tells those of one spot
 * apart. */
void ps_draw_tag(PsDrawChart *chart, guint entry, const char *before, PsXY at);

/* ---- which kernels are there (entry.c) ------------------------------------------------------- */

/* The reason why that kernel has no mark; NULL if it has one. */
typedef const char *(*PsDrawWhy)(const PsDrawChart *chart, const PsDrawKernel *kernel);

/* Fills the entries. */
void ps_draw_entries(PsDrawChart *chart, PsDrawWhy why);

/* ---- kernels in the key (key.c) -------------------------------------------------------------- */

/* Writes numbers and names of the kernels, as far as they find room, and why some are not drawn.
 * look_of gives the look of an entry's mark; NULL: numbers without marks. It must be called
 * last. */
typedef PsLook (*PsDrawLookOf)(const PsDrawChart *chart, guint entry);
void ps_draw_key_kernels(PsDrawChart *chart, PsDrawLookOf look_of);

/* ---- which roofs there are (peak.c) ---------------------------------------------------------- */

/* A level of memory: the nearest to the compute units is number 0. */
typedef struct {
    PsCeilingKind kind;
    PsPeakKind peak;
    const char *name, *dash;
    guint shape; /* of its marks */
} PsDrawLevel;

enum { PS_DRAW_L3 = 3, PS_DRAW_DEVICE = 5, PS_DRAW_LEVELS };

const PsDrawLevel *ps_draw_level(guint level);

/* The level's name in a chart: "shared memory" in place of "local memory" if all kernels say so. */
const char *ps_draw_level_name(const PsDraw *draw, guint level);

/* T_op of a type on a GPU, and its name. NaN means not known, here and below. */
double ps_draw_peak(const PsDrawGpu *gpu, PsKType type);
const char *ps_draw_peak_name(PsKType type);

/* The roof of a kernel's own type, and a level's roof for it. */
double ps_draw_own_peak(const PsDrawKernel *kernel);
double ps_draw_own_bandwidth(const PsDrawKernel *kernel, guint level);

/* TRUE if a ceiling of that type is in the chart: some kernel has it, or there are no kernels. */
gboolean ps_draw_has_type(const PsDraw *draw, PsKType type);

/* A roof. A GPU may have several of one type, one below the other, if kernels were measured at
 * different clocks, or have matrix products of several kinds. */
typedef struct {
    double peak;
    int kernel; /* index of the kernel that alone has it; -1: no kernel's */
} PsDrawRoof;

#define PS_DRAW_MOST_ROOFS 3

/* PsDrawRoof of all kernels that count that type on a GPU, the highest first; g_array_unref. */
GArray *ps_draw_unit_roofs(const PsDraw *draw, guint gpu, PsKType type);

/* The highest roof of a level. */
double ps_draw_bandwidth(const PsDraw *draw, guint gpu, guint level);

/* ---- roofs as lines (roof.c) ------------------------------------------------------------------
 */

/* The look of the line of a level's bandwidth, if each level has its own. */
PsLook ps_draw_level_look(guint level, const char *colour);

/* TRUE if there are several GPUs: then each has a letter (g_free), a colour and a dash. */
gboolean ps_draw_many_gpus(const PsDraw *draw);
char *ps_draw_gpu_letter(guint gpu);
const char *ps_draw_gpu_colour(const PsDraw *draw, guint gpu);

/* Draws lines and texts of ceilings, with their lines of the key, and makes the axes reach them;
 * first is the level nearest to the compute units whose bandwidth is drawn. FALSE and *error where
 * a GPU has no ceiling at all. */
gboolean ps_draw_roofs(PsDrawChart *chart, guint first, GError **error);

/* ---- marks of kernels (mark.c) --------------------------------------------------------------- */

/* Operations per byte of that level; infinite for operations without traffic. */
double ps_draw_intensity(const PsDrawKernel *kernel, guint level);

/* The reason why a kernel has no mark at its intensity of that level; NULL: it has one. A cache's
 * mark needs the cache's roof. */
const char *ps_draw_why_not(const PsDrawKernel *kernel, guint level);

/* Shape and colour are numbers of their lists. */
PsLook ps_draw_mark_look(guint shape, const char *colour, gboolean hollow, gboolean small);

/* The colour of an entry's mark, and of a kernel's; with several GPUs it is the GPU's. */
const char *ps_draw_entry_colour(const PsDrawEntry *entry);
const char *ps_draw_kernel_colour(const PsDrawChart *chart, guint kernel);

/* ---- ceilings of kernels (custom.c) ---------------------------------------------------------- */

/* Draws the ceilings that all kernels share and the discounted roofline, with their lines of the
 * key; the other function, when all of this is there, draws those of single kernels. FALSE and
 * *error if the roofline cannot be discounted to the kernel. */
gboolean ps_draw_customs(PsDrawChart *chart, GError **error);
void ps_draw_own_customs(PsDrawChart *chart);

/* ---- the charts ------------------------------------------------------------------------------ */

gboolean ps_draw_plane(PsDrawChart *chart, GError **error);
gboolean ps_draw_quadrants(PsDrawChart *chart, GError **error);

#endif
