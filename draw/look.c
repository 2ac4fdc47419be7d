/* SPDX-License-Identifier: BSD-3-Clause */
/* Colours, markers, dashes. */
#include "draw/draw.h"

/* Of Okabe and Ito, without the yellow, which is too faint on white. */
const char *ps_look_colour(guint i)
{
    static const char *const colours[PS_LOOK_COLOURS] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                         "#E69F00", "#56B4E9", "#000000"};
    return colours[i % G_N_ELEMENTS(colours)];
}

/* gnuplot's pointtype: circle, square, the two triangles, diamond, pentagon; a hollow one is one
 * less than the filled one. */
guint ps_look_marker(guint i, gboolean hollow)
{
    static const guint filled[] = {7, 5, 9, 13, 11, 15};
    return filled[i % G_N_ELEMENTS(filled)] - (hollow ? 1 : 0);
}

const char *ps_look_dash(guint i)
{
    static const char *const dashes[] = {"1", "2", "3", "4", "5", "(20,5)", "(2,8)"};
    const guint n = G_N_ELEMENTS(dashes);
    return dashes[(i + i / n) % n]; /* there are as many colours, each with another one then */
}
