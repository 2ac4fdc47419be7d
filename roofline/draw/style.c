/* SPDX-License-Identifier: BSD-3-Clause */
/* What tells lines and marks apart, in print and for people who do not see all colours. */
#include "roofline/draw/chart.h"

const char *ps_draw_colour(guint i)
{
    static const char *const colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                          "#E69F00", "#56B4E9", "#000000"};
    return colours[i % G_N_ELEMENTS(colours)];
}

/* Circle, square, the two triangles, diamond, pentagon. */
guint ps_draw_marker(guint i, gboolean hollow)
{
    static const guint filled[] = {7, 5, 9, 13, 11, 15};
    return filled[i % G_N_ELEMENTS(filled)] - (hollow ? 1 : 0);
}

const char *ps_draw_dash(guint i)
{
    static const char *const dashes[] = {"1", "2", "3", "4", "5", "(20,5)", "(2,8)"};
    const guint n = G_N_ELEMENTS(dashes);
    return dashes[(i + i / n) % n]; /* there are as many colours, each with another one then */
}
