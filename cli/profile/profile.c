/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The verb profile: runs a program, measures its kernels, and writes a file for `pipesim roofline`.
 * Its options end where the command begins, which has its own.
 */
#include "cli/profile/profile.h"

#include "cli/check.h"
#include "cli/fail.h"
#include "cli/verbs.h"

/* Bytes of memory in a recording, by default at most. */
#define USUAL_MEMORY ((guint64)4 << 30)

static gboolean check(const Options *options, gboolean is_hip, guint64 *memory, GError **error)
{
    const Value *given = options->given;
    const OptionId of_recording[] = {OPTION_LAUNCH, OPTION_MEMORY, OPTION_FILES};
    const char *name = given_one_of(given, of_recording), *text = given[OPTION_MEMORY].text;
    if (!options->files)
        return usage_error(error, "say which program to run, as in: pipesim profile -- ./app 1024");
    if (given[OPTION_RECORD].text && is_hip)
        return usage_error(error, "--record: programs for HIP are not recorded yet");
    if (name && !given[OPTION_RECORD].text)
        return usage_error(error, "--%s is for a recording: say --record FILE, too", name);
    *memory = USUAL_MEMORY;
    if (text && (!ps_count_parse(text, memory) || !*memory))
        return usage_error(error, "--memory: '%s' is no number of bytes above 0, such as 4G", text);
    if (ps_traced_launches_check(given[OPTION_LAUNCH].text, error))
        return TRUE;
    g_prefix_error(error, "--launch: ");
    return FALSE;
}

int profile_verb(const Options *options)
{
    const Value *given = options->given;
    const gboolean is_hip = given[OPTION_BACKEND].word == 1;
    guint64 memory;
    g_autoptr(GError) error = NULL;
    if (!check(options, is_hip, &memory, &error))
        return check_failed(error);
    const ProfileOptions profile = {.output = options->output ? options->output
                                              : is_hip        ? "profile.json"
                                                              : "profile.csv",
                                    .counters = given[OPTION_METRICS].word == 0,
                                    .use_ncu = given[OPTION_COUNTERS].word == 1,
                                    .record = given[OPTION_RECORD].text,
                                    .launches = given[OPTION_LAUNCH].text,
                                    .memory = memory,
                                    .command = options->files};
    return (is_hip ? profile_hip : profile_cuda)(&profile);
}
