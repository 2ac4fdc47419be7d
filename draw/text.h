/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts and numbers of charts: names from profiles hold any character and are of any length. */
#ifndef PIPESIM_DRAW_TEXT_H
#define PIPESIM_DRAW_TEXT_H

#include <glib.h>

/* The text in single quotes, as gnuplot takes it literally; control characters become blanks.
 * g_free. */
char *ps_draw_quote(const char *text);

/* The text on one line of valid UTF-8, without what cannot be printed, shortened in the middle to
 * at most so many columns. g_free. */
char *ps_draw_shorten(const char *text, guint columns);

/* The width of a text in columns: some letters take two, some none. */
guint ps_draw_columns(const char *text);

typedef struct {
    char text[40];
} PsDrawNumber;

/* Formats a number as %.*g does in the C locale. */
PsDrawNumber ps_draw_number(double value, int digits);

typedef struct {
    double factor;
    const char *text; /* "T", "G", ... */
} PsPrefix;

/* The largest prefix, from nano to tera, in which the value is at least 1; for values beyond these,
 * the nearest one. */
const PsPrefix *ps_draw_prefix(double value);

/* "4.29 TFLOP/s", "288 GB/s": a value in base units with three digits. g_free. */
char *ps_draw_amount(double value, const char *unit);

#endif
