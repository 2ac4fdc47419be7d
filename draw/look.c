/* SPDX-License-Identifier: BSD-3-Clause */
/* Colours, markers, dashes, and gnuplot's names for them. */
#include "draw/chart.h"

/* The colours of Okabe and Ito, which people with any kind of colour blindness can tell apart,
 * without the yellow, which is too faint on white. */
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
    return dashes[(i + i / n) % n]; /* number of colours; each round begins with another dash */
}

/* ---- in gnuplot's words ---------------------------------------------------------------------- */

char *ps_gnuplot_line(const PsLook *look)
{
    return g_strdup_printf("linewidth %s dashtype %s linecolor rgb '%s'",
                           ps_draw_number(look->width, 3).text, look->dash ? look->dash : "1",
                           look->colour);
}

char *ps_gnuplot_mark(const PsLook *look)
{
    return g_strdup_printf("pointtype %u pointsize %s linewidth %s linecolor rgb '%s'",
                           look->marker, ps_draw_number(look->size, 3).text,
                           look->size < 0.5 ? "0.8" : "1.4", look->colour);
}

/* gnuplot's SVG terminal gives an arrow the dashes of the arrow before if both have the same width
 * and colour. So each arrow is followed by one of another colour and without any length. */
void ps_gnuplot_arrow(GString *out, const char *style)
{
    g_string_append_printf(
        out, " %s\nset arrow from screen 0,0 to screen 0,0 nohead linecolor rgb 'white'\n", style);
}
