/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The verb program: runs a CUDA program as our child on our driver, which logs what happens, and
 * makes a table of the log.
 */
#include "cli/program/program.h"

#include "cli/check.h"
#include "cli/fail.h"
#include "cli/find.h"
#include "cli/profile/child.h"
#include "cli/report/paper.h"
#include "cli/system/output.h"
#include "cli/system/progress.h"
#include "cli/verbs.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Kernels with advice, and with a part of the page. */
#define MOST_ADVISED 3
#define MOST_SHOWN 8

typedef struct {
    const Options *options;
    PsGpu *gpu;
    char *libraries;
    FILE *log, *chunks; /* files without names; chunks: a recording, or NULL */
    guint64 memory, most;
} Program;

static void program_clear(Program *program)
{
    ps_gpu_free(program->gpu);
    g_free(program->libraries);
    if (program->log)
        fclose(program->log);
    if (program->chunks)
        fclose(program->chunks);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Program, program_clear)

/* Refuses a file of code alone, which cannot be run. */
static gboolean check_name(const char *name, GError **error)
{
    static const char *const endings[] = {".cu", ".cl", ".ptx", ".cubin"};
    g_autofree char *found = g_find_program_in_path(name);
    for (guint i = 0; i < G_N_ELEMENTS(endings); i++)
        if (g_str_has_suffix(name, endings[i]) && !found)
            return usage_error(error,
                               "%s is code, and no program: pipesim %s --gpu a100 says how long a "
                               "kernel of it takes",
                               name, name);
    return found || strchr(name, '/') || !g_file_test(name, G_FILE_TEST_IS_EXECUTABLE) ||
           usage_error(error, "%s is not in PATH; the one in this folder is ./%s", name, name);
}

/* TRUE: each launch executes only the groups that its time needs. */
static gboolean only_some(const Options *options)
{
    return options->given[OPTION_GROUPS].word == 1;
}

/* TRUE: the program uses our library in place of cuBLAS. */
static gboolean stands_in(const Options *options)
{
    return options->given[OPTION_STAND_IN].text != NULL;
}

static gboolean check(Program *program, GError **error)
{
    const Options *options = program->options;
    const char *memory = options->given[OPTION_MEMORY].text,
               *most = options->given[OPTION_MAX_INSTRUCTIONS].text;
    if (!options->files)
        return usage_error(error, "say which program to run, as in: pipesim program --gpu a100 -- "
                                  "./app 1024");
    if (!check_name(options->files[0], error))
        return FALSE;
    if (!options->gpus || options->gpus[1])
        return usage_error(error, "--gpu: say which GPU the program finds, one: --gpu a100");
    if (memory && (!ps_count_parse(memory, &program->memory) || !program->memory))
        return usage_error(error, "--memory: '%s' is no number of bytes above 0, such as 4G",
                           memory);
    if (most && (!ps_count_parse(most, &program->most) || !program->most))
        return usage_error(
            error, "--max-instructions: '%s' is no whole number above 0, such as 10M", most);
    if (only_some(options) && options->given[OPTION_RECORD].text)
        return usage_error(error, "--record: a recording has what all groups accessed; leave "
                                  "--groups some out");
    return !options->advise || options->format != FORMAT_CSV ||
           usage_error(error, "--advise: CSV has no advice; --format json has it");
}

/* ---- the child ------------------------------------------------------------------------------ */

static char **environment_for(const Program *program)
{
    g_autofree char *log = g_strdup_printf("%d", fileno(program->log)),
                    *memory = g_strdup_printf("%" G_GUINT64_FORMAT, program->memory),
                    *most = g_strdup_printf("%" G_GUINT64_FORMAT, program->most),
                    *jobs = g_strdup_printf("%u", program->options->jobs),
                    *gpu = g_canonicalize_filename(program->gpu->path, NULL);
    g_autofree char *chunks =
        program->chunks ? g_strdup_printf("%d", fileno(program->chunks)) : NULL;
    const struct {
        const char *name, *value;
    } all[] = {
        {"PIPESIM_PROGRAM_GPU", gpu},
        {"PIPESIM_PROGRAM_LOG", log},
        {"PIPESIM_PROGRAM_MOST", most},
        {"PIPESIM_PROGRAM_JOBS", jobs},
        {"PIPESIM_PROGRAM_MEMORY", memory},
        {"PIPESIM_PROGRAM_GRAPHS",
         program->options->advise || program->options->report ? "1" : "0"},
        {"PIPESIM_PROGRAM_SOME", only_some(program->options) ? "1" : "0"},
        {"PIPESIM_PROGRAM_RECORD", chunks},
    };
    char **environment = program_environment(program->libraries, stands_in(program->options));
    /* Variables of a program that already runs under ours are not meant for another. */
    for (gsize i = 0; i < G_N_ELEMENTS(all); i++)
        environment = all[i].value ? g_environ_setenv(environment, all[i].name, all[i].value, TRUE)
                                   : g_environ_unsetenv(environment, all[i].name);
    return environment;
}

/* Runs the command that builds the program. FALSE and *error if it fails. */
static gboolean build(const Program *program, GError **error)
{
    char *command = program->options->given[OPTION_BUILD].text;
    char *argv[] = {(char[]){"/bin/sh"}, (char[]){"-c"}, command, NULL};
    g_auto(GStrv) environment =
        program_build_environment(program->libraries, stands_in(program->options));
    GError *why = NULL;
    const int status = command ? child_run(argv, environment, NULL, &why) : 0;
    if (why)
        g_propagate_error(error, why);
    else if (status)
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE, "--build %s: it ends with status %d", command,
                    status);
    return status == 0 && !why;
}

/* A file without a name to which several processes append; NULL: there is no room. */
static FILE *open_passing(void)
{
    FILE *file = tmpfile();
    if (file)
        fcntl(fileno(file), F_SETFL, O_APPEND);
    return file;
}

/* Checks beforehand whether the recording can be written: a program may run long, and a recording
 * is large. */
static gboolean can_record(const Options *options, GError **error)
{
    const char *path = options->given[OPTION_RECORD].text;
    Output *output = path ? output_open(path, error) : NULL;
    if (path && !output)
        g_prefix_error(error, "--record: ");
    const gboolean can = !path || output;
    output_drop(output);
    return can;
}

static gboolean prepare(Program *program, GError **error)
{
    const Options *options = program->options;
    program->libraries = program_libraries(error);
    program->gpu = program->libraries ? find_gpu(options->gpus[0], error) : NULL;
    if (!program->gpu)
        return FALSE;
    if (!program->gpu->capability) {
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                    "%s runs no CUDA program: its description states no compute capability",
                    program->gpu->name);
        return FALSE;
    }
    program->log = open_passing();
    program->chunks = options->given[OPTION_RECORD].text ? open_passing() : NULL;
    if (!program->log || (options->given[OPTION_RECORD].text && !program->chunks)) {
        g_set_error(error, PS_ERROR, PS_ERROR_READ,
                    "there is no room for a file of what the program does");
        return FALSE;
    }
    return build(program, error) && program_check(options->files[0], error);
}

/* ---- what is told --------------------------------------------------------------------------- */

static char *read_log(FILE *log)
{
    GString *text = g_string_new(NULL);
    char part[65536];
    rewind(log);
    for (gsize n; (n = fread(part, 1, sizeof part, log)) > 0;)
        g_string_append_len(text, part, (gssize)n);
    return g_string_free(text, FALSE);
}

static void put_text(const PsTold *facts, const PsCardRead *read, const char *gpu,
                     const GPtrArray *advised, const PsPaper *paper)
{
    g_autofree char *clean = ps_text_clean(gpu), *rest = g_strdup_printf(" on %s", clean);
    g_autoptr(PsTable) kernels = ps_table_of_view(PS_VIEW_PROGRAM_PAGE, facts, NULL, FALSE);
    g_autoptr(PsTable) copies = ps_table_of_view(PS_VIEW_PROGRAM_COPIES, facts, NULL, FALSE);
    ps_paper_title(paper, "Kernels", rest);
    ps_paper_gap(paper);
    ps_paper_table(paper, kernels, 0);
    if (ps_table_n_items(copies) > 0) {
        ps_paper_gap(paper);
        ps_paper_table(paper, copies, 0);
    }
    ps_card_put_notes(read, paper);
    if (advised)
        ps_card_put_advice(advised, paper);
}

static char *format_told(const Program *program, const PsCardRead *read, const PsTold *facts,
                         const GPtrArray *advised)
{
    GString *out = g_string_new(NULL);
    const PsPaper paper = paper_for(program->options, out);
    switch (program->options->format) {
    case FORMAT_JSON:
        ps_json_told_document(out, facts);
        break;
    case FORMAT_CSV:
        ps_csv_told(out, PS_VIEW_PROGRAM, facts);
        break;
    default:
        put_text(facts, read, program->gpu->name, advised, &paper);
    }
    return g_string_free(out, FALSE);
}

/* Explains the most expensive kernels with advice in *closer; NULL: not wanted. */
static gboolean look_closer(const Program *program, const PsCardRead *read, GPtrArray **closer,
                            GError **error)
{
    const Options *options = program->options;
    const PsCardCloserOptions what = {.gpu = program->gpu,
                                      .most = options->report ? MOST_SHOWN : MOST_ADVISED,
                                      .advised = MOST_ADVISED,
                                      .threads = options->jobs,
                                      .progress = progress_hearer(options->progress)};
    if (!options->advise && !options->report)
        return TRUE;
    progress_begin(options->progress, "looking for what would help", NULL);
    *closer = ps_card_closer_new(read, &what, error);
    progress_begin(options->progress, NULL, NULL);
    return *closer != NULL;
}

static gboolean write_trace(const Program *program, const PsCardRead *read, GError **error)
{
    const char *path = program->options->given[OPTION_TRACE].text;
    g_autofree char *text = path ? ps_card_trace(read, program->gpu->name) : NULL;
    return !text || output_write(path, text, error);
}

static gboolean write_page(const Program *program, const PsCardRead *read, const PsTold *facts,
                           const GPtrArray *closer, GError **error)
{
    const Options *options = program->options;
    g_autofree char *name =
        g_path_get_basename(options->source ? options->source : options->files[0]);
    const PsCardPage page = {name, read, facts, closer, program->gpu};
    g_autofree char *text = options->report ? ps_card_page(&page) : NULL;
    if (!text || output_write(options->report, text, error))
        return TRUE;
    g_prefix_error(error, "--report: ");
    return FALSE;
}

static gboolean put_bytes(gpointer output, gconstpointer bytes, gsize size, GError **error)
{
    return output_put_bytes(output, bytes, size, error);
}

/* Writes the recording, if it is wanted. */
static gboolean write_recording(const Program *program, GError **error)
{
    const char *path = program->options->given[OPTION_RECORD].text;
    gboolean cut = FALSE;
    if (!program->chunks)
        return TRUE;
    g_autoptr(GMappedFile) file = g_mapped_file_new_from_fd(fileno(program->chunks), FALSE, error);
    Output *output = file ? output_open(path, error) : NULL;
    if (!output)
        return FALSE;
    g_autoptr(GBytes) chunks = g_mapped_file_get_bytes(file);
    if (!ps_card_recording_finish(chunks, put_bytes, output, &cut, error)) {
        output_drop(output);
        return FALSE;
    }
    if (cut)
        warn("--record: what the program did last could not be recorded");
    return output_commit(output, error);
}

/* Reads the program's log. NULL and *error if the program did not use its device. */
static PsCardRead *read_launches(const Program *program, GError **error)
{
    const Options *options = program->options;
    const char *name = options->source ? options->source : options->files[0];
    g_autofree char *text = read_log(program->log);
    g_autoptr(PsCardRead) read = ps_card_log_read(text, error);
    if (!read)
        return NULL;
    if (read->started && read->launches->len)
        return g_steal_pointer(&read);
    const gboolean blas = !stands_in(options) && program_has_blas(options->files[0]);
    g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                read->started ? "%s launched no kernel%s"
                              : "%s did not start CUDA: it is no CUDA program, or ended before%s",
                name,
                blas ? "; it is linked with cuBLAS, in place of which --stand-in blas has kernels "
                       "of pipesim's own"
                     : "");
    return NULL;
}

static gboolean tell(const Program *program, GError **error)
{
    const Options *options = program->options;
    g_autoptr(PsCardRead) read = read_launches(program, error);
    g_autoptr(GPtrArray) closer = NULL;
    if (!read || !look_closer(program, read, &closer, error))
        return FALSE;
    const GPtrArray *advised = options->advise ? closer : NULL;
    g_autoptr(PsTold) facts = ps_card_told(read, program->gpu->name, advised);
    g_autofree char *out = format_told(program, read, facts, advised);
    /* The table goes first: another output that fails must not take it away. */
    return output_write(program->options->output, out, error) &&
           write_trace(program, read, error) && write_recording(program, error) &&
           write_page(program, read, facts, closer, error);
}

#define FIRST_REAL_TIME 32 /* signal; that ends programs only on purpose */

/* A program that failed may have launched less than usual. */
static void warn_of_end(const char *name, int status)
{
    const int number = status - CHILD_SIGNAL;
    /* Above these an exit status is meant, such as 188: a CUDA error of 700, without its 512. */
    const char *by = number > 0 && number < FIRST_REAL_TIME ? g_strsignal(number) : NULL;
    if (status == 0)
        return;
    g_autofree char *text =
        g_strdup_printf("%s failed with status %d%s%s%s: what it did until "
                        "then is told",
                        name, status, by ? " (" : "", by ? by : "", by ? ")" : "");
    warn(text);
}

int program_verb(const Options *options)
{
    g_auto(Program) program = {.options = options};
    g_autoptr(GError) error = NULL;
    GError *why = NULL;
    if (!check(&program, &error))
        return check_failed(error);
    if (!can_record(options, &error) || !prepare(&program, &error))
        return fail(error);
    g_auto(GStrv) environment = environment_for(&program);
    const int status = child_run(options->files, environment, NULL, &why);
    if (why) {
        fail(why);
        g_error_free(why);
        return status;
    }
    warn_of_end(options->files[0], status);
    if (tell(&program, &error))
        return status;
    const int failed = fail(error);
    return status ? status : failed;
}

PsCardRead *program_read(const Options *options, char **command, char *gpu, int *status,
                         GError **error)
{
    Options own = *options;
    char *gpus[] = {gpu, NULL};
    own.files = command;
    own.gpus = gpus;
    g_auto(Program) program = {.options = &own};
    GError *why = NULL;
    if (!check(&program, error) || !prepare(&program, error))
        return NULL;
    g_auto(GStrv) environment = environment_for(&program);
    *status = child_run(command, environment, NULL, &why);
    if (why) {
        g_propagate_error(error, why);
        return NULL;
    }
    return read_launches(&program, error);
}
