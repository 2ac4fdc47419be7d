/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Profiles as texts, read as if they were files, and what tests look up in them.
 */
#ifndef PIPESIM_TESTS_HELP_PROFILE_H
#define PIPESIM_TESTS_HELP_PROFILE_H

#include "roofline/profile.h"

#define PROFILES "tests/profiles/"

/* What is read of a file with these bytes; in the error's message the file is called F. There is
 * either a profile or an error, which is asserted. */
PsProfile *profile_bytes(const char *bytes, gsize length, const PsProfileOptions *options,
                         GError **error);

/* A text and a file that must load. */
PsProfile *profile_text(const char *text, const PsProfileOptions *options);
PsProfile *profile_file(const char *path, const PsProfileOptions *options);

/* A text that must not, for this reason. */
void profile_bad(const char *text, const char *expected);

/* A kernel that must be there; if it is not, one that has nothing. */
const PsProfileKernel *profile_kernel(const PsProfile *profile, guint i);
double profile_metric(const PsProfile *profile, guint i, PsMetric metric);

/* Whether a warning, which names the file, has both of these parts. */
gboolean profile_warns(const PsProfile *profile, const char *one, const char *other);
guint profile_count_warnings(const PsProfile *profile);

/* Equal but for rounding of a quotient. */
void profile_near(double got, double expected);

#endif
