/* SPDX-License-Identifier: BSD-3-Clause */
/* The machine code of a run, with what each instruction took: for people, and as JSON. */
#ifndef PIPESIM_TELL_LISTING_TEXT_H
#define PIPESIM_TELL_LISTING_TEXT_H

#include "answer/listing.h"
#include "tell/paper.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Columns that a listing takes: more than other tables, since code is wide. */
#define PS_LISTING_WIDTH 100

/* What the parts of a control code, and the other columns, are, for people. */
#define PS_LISTING_CONTROL_WORDS                                                                   \
    "control: scoreboards it waits for (a bit each, hexadecimal), which one its reading and "      \
    "which one its result releases, Y where another warp may have its turn, stall cycles"
#define PS_LISTING_COLUMN_WORDS                                                                    \
    "issued: by a warp, in the mean; path: per cent of the critical path; waits: per cent of the " \
    "time of all places for warps, before it issued, or after it for its stall cycles (hold); "    \
    "for: what most of that was for; live: registers"

/* "02:-:1:Y:04", "--:-:-:-:01" (g_free). */
char *ps_listing_control(const PsSassControl *control);

/* How often a warp issued it: "-" for an instruction that the graph lacks (g_free). */
char *ps_listing_issued(const PsListing *listing, const PsListingRow *row);

/* A share in per cent: "12.3"; nothing for 0 (g_free). */
char *ps_listing_share(double share);

/* The cause of most of its waits: "data 01a0 l2" for a result of the instruction at that address,
 * "queue fp32", "barrier"; empty if it never waited (g_free). */
char *ps_listing_cause(const PsListing *listing, const PsListingRow *row);

/* Its source line, cut to that many columns: the number alone if it is in the graph's file
 * (g_free). */
char *ps_listing_line(const PsListing *listing, const PsListingRow *row, guint width);

/* Columns that the longest address, or line, takes. */
guint ps_listing_address_width(const PsListing *listing);
guint ps_listing_line_width(const PsListing *listing);

/* A title of the code: "76 instructions for sm_80, 32 registers, of which 27 are live at most"
 * (g_free). */
char *ps_listing_title(const PsListing *listing);

/* A section of the page, which: as of ps_explain_text. */
void ps_listing_text(const PsListing *listing, const char *which, const PsPaper *paper);

#pragma GCC visibility pop
G_END_DECLS
#endif
