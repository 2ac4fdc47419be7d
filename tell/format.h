/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers as people read them: digits in groups of three, times with a unit, shares in per cent.
 * The program never calls setlocale, so every number is in the C locale. Free all with g_free.
 */
#ifndef PIPESIM_TELL_FORMAT_H
#define PIPESIM_TELL_FORMAT_H

#include "gpu/gpu.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* "13 010 382" */
char *ps_format_count(gint64 n);

/* Exact, as "7 608 491.75": for what is typed again. */
char *ps_format_cycles(PsRational cycles);

/* A latency as people read it: exact up to four digits behind the point, else four significant
 * digits. JSON and CSV have the exact ones. */
char *ps_format_latency(PsRational cycles);

/* Cycles as people read them: "7 608 492"; below a thousand, four significant digits of what is not
 * whole. JSON and CSV have the exact ones. */
char *ps_format_rounded_cycles(PsRational cycles);

/* Four significant digits and a unit: "5.052 ms". */
char *ps_format_time(double seconds);

/* The same with half of an interval, two digits of it: "877.2 us +- 0.35"; 0: without. */
char *ps_format_interval(double seconds, double half_width);

/* One unit of time and so many decimals for a whole table, which can be added up by eye. */
typedef struct {
    const char *unit; /* "us"; static */
    double size;      /* in seconds */
    int decimals;
} PsTimeScale;

/* The scale in which the largest time has four or five digits. */
PsTimeScale ps_time_scale(double most);
char *ps_format_on_scale(const PsTimeScale *scale, double seconds, gboolean with_sign);

/* "98.7 %"; and with its sign, which what rounds to nothing has not: "+98.7 %". */
char *ps_format_share(double share);
char *ps_format_signed_share(double share);

/* Four significant digits, without an exponent unless it is needed: "425.1", "12 345". */
char *ps_format_number(double x);

/* Four significant digits and a prefix: "160.6 G"; "-" for what is not known, and "infinite". */
char *ps_format_scaled(double x);

/* Two digits behind the point, and no "-0.00": "0.48"; "-" for NaN. */
char *ps_format_elasticity(double x);

/* n and the noun, with an s unless n is 1: "1 group", "16 384 groups". */
char *ps_format_noun(gint64 n, const char *noun);

/* A clock of that GPU, and which of its own it is: "1380 MHz boost". */
char *ps_format_clock(const PsGpu *gpu, PsRational clock);

/* The compute units and the clock in MHz that an answer is for: "80 CUs, 1380 MHz boost". */
char *ps_format_chip(const PsGpu *gpu, PsRational clock);

/* For machines: exact, "7608491.75"; a fraction that is no decimal (a latency over the number of
 * schedulers, perhaps) as in ps_format_plain. */
char *ps_format_rational(PsRational value);

/* For machines: ten significant digits, always with a point or an exponent, "1.0". */
char *ps_format_plain(double x);

/* For machines: as few digits as it takes to read back the same number, "0.3473". */
char *ps_format_exact(double x);

/* The text, if need be with "..." for its middle, in at most so many columns, 5 or more. */
char *ps_format_cut(const char *text, guint width);

/* A kernel's name in at most so many columns, 5 or more: first it loses its parameters, then its
 * namespaces, then letters in its middle (g_free). */
char *ps_format_kernel_name(const char *name, guint width);

#pragma GCC visibility pop
G_END_DECLS
#endif
