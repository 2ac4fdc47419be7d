/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Running gnuplot: a script becomes a chart as SVG, PNG or PDF, by the ending of the file's name.
 * What the script draws is the caller's; terminal and output are set here, before it. The file
 * appears whole or not at all.
 */
#ifndef PIPESIM_CLI_SYSTEM_GNUPLOT_H
#define PIPESIM_CLI_SYSTEM_GNUPLOT_H

#include <glib.h>

/* FALSE and *error (wrong usage) where the name does not end in .svg, .png or .pdf. */
gboolean gnuplot_check(const char *path, GError **error);

typedef struct Gnuplot Gnuplot;

/* path is what gnuplot_check has accepted, and where the chart will stand. NULL and *error at once
 * if gnuplot is missing or the file cannot be written, so that nobody waits for a result in
 * vain. */
Gnuplot *gnuplot_open(const char *path, GError **error);

/* Drops the file, unless it was drawn; NULL is allowed. */
void gnuplot_free(Gnuplot *gnuplot);

/* Draws, once, so many times as high as the usual chart, and puts the file in its place. title is
 * that of the file where its type has one (SVG), and may be empty; what stands above the chart is
 * the script's. FALSE and *error if gnuplot fails. */
gboolean gnuplot_draw(Gnuplot *gnuplot, const char *title, const char *script, double height,
                      GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Gnuplot, gnuplot_free)

#endif
