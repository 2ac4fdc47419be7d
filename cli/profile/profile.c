/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The verb profile: a program is run, its kernels are measured, and a file is written that
 * `pipesim roofline` reads. Its options end where the command begins, whose own options are its
 * own.
 */
#include "cli/profile/profile.h"

#include "cli/check.h"
#include "cli/fail.h"
#include "cli/verbs.h"

int profile_verb(const Options *options)
{
    const Value *given = options->given;
    const gboolean is_hip = given[OPTION_BACKEND].word == 1;
    if (!options->files) {
        g_autoptr(GError) error = NULL;
        usage_error(&error, "say which program to run, as in: pipesim profile -- ./app 1024");
        return check_failed(error);
    }
    const ProfileOptions profile = {.output = options->output ? options->output
                                              : is_hip        ? "profile.json"
                                                              : "profile.csv",
                                    .counters = given[OPTION_METRICS].word == 0,
                                    .use_ncu = given[OPTION_COUNTERS].word == 1,
                                    .command = options->files};
    return (is_hip ? profile_hip : profile_cuda)(&profile);
}
