/* SPDX-License-Identifier: BSD-3-Clause */
/* See whole.h. */
#include "cli/compare/whole.h"

#include "cli/command-line.h"
#include "pipesim-private.h"

gboolean compare_are_recordings(char **files)
{
    for (char **file = files; *file; file++)
        if (!ps_card_recording_is(*file))
            return FALSE;
    return TRUE;
}

gboolean compare_is_of_programs(char **argv)
{
    const char *const *words = (const char *const *)argv;
    g_autoptr(Value) given =
        g_strv_contains(words, "--versus") ? NULL : values_read(VERB_COMPARE, argv, NULL);
    return given &&
           (given[OPTION_PROGRAM].list || (given[OPTION_FILES].list && !given[OPTION_LAUNCH].text &&
                                           compare_are_recordings(given[OPTION_FILES].list)));
}
