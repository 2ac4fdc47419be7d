/* SPDX-License-Identifier: BSD-3-Clause */
/* Sizes of grids and blocks as CUDA's programmers write them. */
#ifndef PIPESIM_LAUNCH_SPELLING_H
#define PIPESIM_LAUNCH_SPELLING_H

#include "launch/launch.h"

/* The text as launch.h has it (g_free): without the brackets of "dim3(64, 64)", "(64,64)",
 * "{64,64}" and "[64,64]", and with x for the other signs between directions ("64X64", "64×64"). */
char *ps_spelling_plain(const char *text);

/* FALSE and *error (PS_ERROR_USAGE) for a text that is a whole launch, "<<<4096, 256>>>"; the
 * message says what to write instead. `option` is the user's name for the text; NULL is a text that
 * nobody gave. */
gboolean ps_spelling_check(const char *option, const char *text, const PsLaunchTexts *texts,
                           GError **error);

/* FALSE and *error (PS_ERROR_USAGE) if three digits behind each comma may be thousands of a number
 * up to `most`, or directions: "16,384". Blanks, brackets or an x tell them apart; NULL is as
 * above. */
gboolean ps_spelling_check_commas(const char *option, const char *text, guint most, GError **error);

/* "16384" for "16,384" (g_free); NULL for every other text. */
char *ps_spelling_whole(const char *text);

/* "--grid 4096 --block 256" for the launch "k<<<4096, 256>>>(...)", its options behind that prefix
 * (g_free); NULL for a text that is no launch. */
char *ps_spelling_options(const char *text, const char *prefix);

#endif
