/* SPDX-License-Identifier: BSD-3-Clause */
/* See programs.h. */
#include "cli/compare/programs.h"

#include "cli/compare/whole.h"
#include "cli/fail.h"
#include "cli/find.h"
#include "cli/program/program.h"
#include "cli/program/source.h"
#include "cli/report/paper.h"
#include "cli/system/output.h"

#include <string.h>

/* A side: its command or recording, its GPU, and what the program did there. */
typedef struct {
    const char *command, *recording; /* exactly one is not NULL */
    char *gpu_name;
    PsGpu *gpu;
    PsCardRead *read;
} Side;

static void side_clear(Side *side)
{
    ps_gpu_free(side->gpu);
    ps_card_read_free(side->read);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Side, side_clear)

/* Checks the numbers of commands, recordings and GPUs: two of one of them, and one or two of the
 * other. */
static gboolean check(const Options *options, GError **error)
{
    static const OptionId also[] = {OPTION_PROGRAM, OPTION_GPU,      OPTION_FORMAT,
                                    OPTION_OUTPUT,  OPTION_STAND_IN, OPTION_FILES};
    char **commands = options->given[OPTION_PROGRAM].list;
    const char *other = given_other_than(options->given, also);
    const guint programs = (commands ? g_strv_length(commands) : 0) +
                           (options->files ? g_strv_length(options->files) : 0);
    const guint gpus = options->gpus ? g_strv_length(options->gpus) : 0;
    if (options->files && !compare_are_recordings(options->files))
        return usage_error(error,
                           "%s is no recording; --program is compared with another "
                           "--program, or with a recording",
                           options->files[0]);
    if (other)
        return usage_error(error, "--%s is of kernels, and programs are compared", other);
    if (!gpus)
        return usage_error(error, "say on which GPU, such as --gpu a100");
    if (programs > 2 || gpus > 2 || programs + gpus < 3)
        return usage_error(error, "two programs are compared, or one on two GPUs: --program "
                                  "'./app 1' --program './app 2' --gpu a100");
    return TRUE;
}

static void fill_sides(const Options *options, Side sides[2])
{
    char **commands = options->given[OPTION_PROGRAM].list;
    guint n = 0;
    for (char **command = commands; command && *command; command++)
        sides[n++].command = *command;
    for (char **file = options->files; file && *file; file++)
        sides[n++].recording = *file;
    if (n == 1) {
        sides[1].command = sides[0].command;
        sides[1].recording = sides[0].recording;
    }
    sides[0].gpu_name = options->gpus[0];
    sides[1].gpu_name = options->gpus[1] ? options->gpus[1] : options->gpus[0];
}

/* Puts the compiled program in the place of its source. */
static gboolean become_program(const Side *side, char **words, const char *folder, GError **error)
{
    char *made = program_compile(words[0], side->gpu_name, folder, error);
    if (!made)
        return FALSE;
    g_free(words[0]);
    words[0] = made;
    return TRUE;
}

/* A failing program's times are incomplete, so the comparison ends. */
static PsCardRead *run_command(const Options *options, const Side *side, GError **error)
{
    g_auto(GStrv) words = NULL;
    g_autoptr(GError) why = NULL;
    int status = 0;
    if (!g_shell_parse_argv(side->command, NULL, &words, &why)) {
        usage_error(error, "--program '%s': no shell could read it: %s", side->command,
                    why->message);
        return NULL;
    }
    const gboolean source = program_has_main(words[0]);
    char *folder = source ? ps_folder_private(error) : NULL;
    if (source && (!folder || !become_program(side, words, folder, error))) {
        ps_folder_remove(folder);
        return NULL;
    }
    g_autoptr(PsCardRead) read = program_read(options, words, side->gpu_name, &status, error);
    ps_folder_remove(folder);
    if (read && status) {
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE, "--program '%s': it ends with status %d",
                    side->command, status);
        return NULL;
    }
    return g_steal_pointer(&read);
}

static PsCardRead *replay(const Options *options, const Side *side, GError **error)
{
    g_autoptr(PsCardRecording) recording = ps_card_recording_open(side->recording, error);
    if (!recording)
        return NULL;
    g_autoptr(PsCardReplay) again = ps_card_replay_new(recording, side->gpu, FALSE);
    progress_begin(options->progress, "simulating", side->recording);
    PsCardRead *read = ps_card_replay_all(again, error);
    progress_begin(options->progress, NULL, NULL);
    return read;
}

static gboolean read_side(const Options *options, Side *side, GError **error)
{
    side->gpu = find_gpu(side->gpu_name, error);
    if (side->gpu)
        side->read =
            side->command ? run_command(options, side, error) : replay(options, side, error);
    return side->read != NULL;
}

static char *format_compared(const Options *options, const PsCardVersusSide sides[2])
{
    GString *out = g_string_new(NULL);
    const PsPaper paper = paper_for(options, out);
    g_autoptr(PsTold) facts = ps_card_versus_told(sides);
    switch (options->format) {
    case FORMAT_JSON:
        ps_json_told_document(out, facts);
        break;
    case FORMAT_CSV:
        ps_csv_told(out, PS_VIEW_PROGRAMS_COMPARED, facts);
        break;
    default:
        ps_card_versus_put(sides, &paper);
    }
    return g_string_free(out, FALSE);
}

gboolean compare_programs(const Options *options, GError **error)
{
    g_auto(Side) a = {0}, b = {0};
    Side sides[2] = {{0}};
    if (!check(options, error))
        return FALSE;
    fill_sides(options, sides);
    a = sides[0];
    b = sides[1];
    if (!read_side(options, &a, error) || !read_side(options, &b, error))
        return FALSE;
    const PsCardVersusSide compared[] = {
        {a.read, a.command ? a.command : a.recording, a.gpu->name},
        {b.read, b.command ? b.command : b.recording, b.gpu->name}};
    g_autofree char *text = format_compared(options, compared);
    return output_write(options->output, text, error);
}
