/* SPDX-License-Identifier: BSD-3-Clause */
/* See log.h. Each line is one write, so that lines of several processes do not mix; tabs separate
 * its fields. */
#include "card/log.h"

#include "base/kernel-name.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

struct PsCardLog {
    int file;
    GString *text; /* text in place of the stream; or NULL */
    gboolean graphs;
    guint last; /* number of the latest graph */
};

static const char *const WAYS[] = {"in", "out", "within", "set"};
static const char *const HOWS[] = {"simulated", "alike", "interpolated", "unknown"};

/* ---- writing -------------------------------------------------------------------------------- */

PsCardLog *ps_card_log_new(int file, gboolean graphs)
{
    PsCardLog *log = g_new0(PsCardLog, 1);
    log->file = file;
    log->graphs = graphs;
    return log;
}

PsCardLog *ps_card_log_keep(gboolean graphs)
{
    PsCardLog *log = ps_card_log_new(-1, graphs);
    log->text = g_string_new(NULL);
    return log;
}

const char *ps_card_log_text(const PsCardLog *log)
{
    return log->text->str;
}

void ps_card_log_free(PsCardLog *log)
{
    if (log && log->text)
        g_string_free(log->text, TRUE);
    g_free(log);
}

/* A failure cannot be reported here: the reader then sees less. */
static void put(PsCardLog *log, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void put(PsCardLog *log, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *line = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    const gsize length = strlen(line);
    if (log && log->text)
        g_string_append(log->text, line);
    for (gsize at = 0; log && !log->text && at < length;) {
        const gssize written = write(log->file, line + at, length - at);
        if (written <= 0)
            return;
        at += (gsize)written;
    }
}

void ps_card_log_start(PsCardLog *log)
{
    put(log, "start\n");
}

/* The two further fields of a line with a stand-in; empty without one. */
static char *stand_in_of(const PsCardLaunched *launch)
{
    char bound[G_ASCII_DTOSTR_BUF_SIZE];
    return launch->stand_in ? g_strdup_printf("\t%s\t%s", launch->stand_in,
                                              g_ascii_dtostr(bound, sizeof bound, launch->bound))
                            : g_strdup("");
}

void ps_card_log_launch(PsCardLog *log, const PsCardLaunched *launch)
{
    char seconds[G_ASCII_DTOSTR_BUF_SIZE], begin[G_ASCII_DTOSTR_BUF_SIZE];
    g_autofree char *stand_in = stand_in_of(launch);
    g_ascii_dtostr(seconds, sizeof seconds, launch->seconds);
    g_ascii_dtostr(begin, sizeof begin, launch->begin);
    put(log,
        "launch\t%s\t%u\t%u\t%u\t%u\t%u\t%u\t%u\t%" G_GUINT64_FORMAT
        "\t%s\t%s\t%s\t%s\t%" G_GUINT64_FORMAT "\t%s\t%" G_GUINT64_FORMAT "\t%s%s\n",
        launch->kernel, launch->grid[0], launch->grid[1], launch->grid[2], launch->block[0],
        launch->block[1], launch->block[2], launch->stream, launch->shared, seconds,
        HOWS[launch->how], launch->limit ? launch->limit : "", launch->code ? launch->code : "",
        launch->instructions, begin, launch->graph, launch->limit_words ? launch->limit_words : "",
        stand_in);
}

void ps_card_log_copy(PsCardLog *log, const PsCardCopied *copy)
{
    char seconds[G_ASCII_DTOSTR_BUF_SIZE], begin[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_dtostr(seconds, sizeof seconds, copy->seconds);
    g_ascii_dtostr(begin, sizeof begin, copy->begin);
    put(log, "copy\t%s\t%" G_GUINT64_FORMAT "\t%u\t%s\t%s\n", WAYS[copy->way], copy->bytes,
        copy->stream, begin, seconds);
}

/* Processes that a program forks write to the same log. */
guint64 ps_card_log_graph(PsCardLog *log, const PsIdg *idg)
{
    if (!log || !log->graphs)
        return 0;
    const guint64 number = (guint64)getpid() << 32 | ++log->last;
    g_autofree char *text = ps_idg_write(idg), *line = g_strescape(text, NULL);
    put(log, "graph\t%" G_GUINT64_FORMAT "\t%s\n", number, line);
    return number;
}

char *ps_card_kernel_name(const char *kernel)
{
    g_autofree char *readable = ps_kernel_demangle(kernel);
    return ps_kernel_short_name(readable ? readable : kernel, FALSE);
}

void ps_card_log_note_kernel(PsCardLog *log, const char *kernel, const char *text)
{
    g_autofree char *name = ps_card_kernel_name(kernel);
    g_autofree char *line = g_strdup_printf("kernel \"%s\": %s", name, text);
    ps_card_log_note(log, line);
}

void ps_card_log_note(PsCardLog *log, const char *text)
{
    g_autofree char *line = g_strdelimit(g_strdup(text), "\t\n\r", ' ');
    put(log, "note\t%s\n", line);
}

/* ---- reading -------------------------------------------------------------------------------- */

static gboolean find(const char *word, const char *const *words, guint n, guint *which)
{
    for (*which = 0; *which < n; (*which)++)
        if (strcmp(word, words[*which]) == 0)
            return TRUE;
    return FALSE;
}

static gboolean read_count(const char *text, guint64 most, guint64 *count)
{
    return g_ascii_string_to_unsigned(text, 10, 0, most, count, NULL);
}

static gboolean read_numbers(char **fields, guint *to, guint n)
{
    for (guint i = 0; i < n; i++) {
        guint64 number;
        if (!read_count(fields[i], G_MAXUINT32, &number))
            return FALSE;
        to[i] = (guint)number;
    }
    return TRUE;
}

/* Reads a time, or NaN. */
static gboolean read_seconds(const char *text, double *seconds)
{
    char *end;
    *seconds = g_ascii_strtod(text, &end);
    return *text && !*end && !(*seconds < 0) && !isinf(*seconds);
}

enum {
    LAUNCH_FIELDS = 18,
    STAND_IN_FIELDS = 20,
    COPY_FIELDS = 6,
    NOTE_FIELDS = 2,
    GRAPH_FIELDS = 3
};

static gboolean read_launch(PsCardRead *read, char **fields, guint n)
{
    PsCardLaunched launch = {.kernel = g_string_chunk_insert_const(read->texts, fields[1]),
                             .bound = NAN};
    guint how;
    if (!read_numbers(fields + 2, launch.grid, 3) || !read_numbers(fields + 5, launch.block, 3) ||
        !read_numbers(fields + 8, &launch.stream, 1) ||
        !read_count(fields[9], G_MAXUINT64, &launch.shared) ||
        !read_seconds(fields[10], &launch.seconds) ||
        !find(fields[11], HOWS, G_N_ELEMENTS(HOWS), &how) ||
        !read_count(fields[14], G_MAXUINT64, &launch.instructions) ||
        !read_seconds(fields[15], &launch.begin) || isnan(launch.begin) ||
        !read_count(fields[16], G_MAXUINT64, &launch.graph))
        return FALSE;
    if (n == STAND_IN_FIELDS && !read_seconds(fields[19], &launch.bound))
        return FALSE;
    if (n == STAND_IN_FIELDS)
        launch.stand_in = g_string_chunk_insert_const(read->texts, fields[18]);
    launch.how = how;
    launch.code = *fields[13] ? g_string_chunk_insert_const(read->texts, fields[13]) : NULL;
    launch.limit = *fields[12] ? g_string_chunk_insert_const(read->texts, fields[12]) : NULL;
    if (*fields[17])
        launch.limit_words = g_string_chunk_insert_const(read->texts, fields[17]);
    g_array_append_val(read->launches, launch);
    return TRUE;
}

static gboolean read_copy(PsCardRead *read, char **fields)
{
    guint way;
    PsCardCopied copy;
    if (!find(fields[1], WAYS, G_N_ELEMENTS(WAYS), &way) ||
        !read_count(fields[2], G_MAXUINT64, &copy.bytes) ||
        !read_numbers(fields + 3, &copy.stream, 1) || !read_seconds(fields[4], &copy.begin) ||
        isnan(copy.begin) || !read_seconds(fields[5], &copy.seconds))
        return FALSE;
    copy.way = way;
    g_array_append_val(read->copies, copy);
    return TRUE;
}

static gboolean read_note(PsCardRead *read, char **fields)
{
    if (!g_ptr_array_find_with_equal_func(read->notes, fields[1], g_str_equal, NULL))
        g_ptr_array_add(read->notes, g_string_chunk_insert_const(read->texts, fields[1]));
    return TRUE;
}

static gboolean read_graph(PsCardRead *read, char **fields)
{
    guint64 number;
    if (!read_count(fields[1], G_MAXUINT64, &number))
        return FALSE;
    g_hash_table_replace(read->graphs, g_memdup2(&number, sizeof number), g_strcompress(fields[2]));
    return TRUE;
}

static gboolean read_line(PsCardRead *read, const char *line)
{
    g_auto(GStrv) fields = g_strsplit(line, "\t", -1);
    const guint n = g_strv_length(fields);
    if (n == 1 && strcmp(line, "start") == 0)
        return read->started = TRUE;
    if ((n == LAUNCH_FIELDS || n == STAND_IN_FIELDS) && strcmp(fields[0], "launch") == 0)
        return read_launch(read, fields, n);
    if (n == COPY_FIELDS && strcmp(fields[0], "copy") == 0)
        return read_copy(read, fields);
    if (n == GRAPH_FIELDS && strcmp(fields[0], "graph") == 0)
        return read_graph(read, fields);
    return n == NOTE_FIELDS && strcmp(fields[0], "note") == 0 && read_note(read, fields);
}

PsCardRead *ps_card_log_read(const char *text, GError **error)
{
    g_autoptr(PsCardRead) read = g_new0(PsCardRead, 1);
    read->launches = g_array_new(FALSE, FALSE, sizeof(PsCardLaunched));
    read->copies = g_array_new(FALSE, FALSE, sizeof(PsCardCopied));
    read->notes = g_ptr_array_new();
    read->texts = g_string_chunk_new(1024);
    read->graphs = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    for (guint number = 1; *text; number++) {
        const char *end = strchr(text, '\n');
        g_autofree char *line = end ? g_strndup(text, (gsize)(end - text)) : NULL;
        if (!end)
            break;
        if (!read_line(read, line)) {
            g_set_error(error, PS_ERROR, PS_ERROR_SYNTAX,
                        "line %u of what the program did cannot be read: %.80s", number, line);
            return NULL;
        }
        text = end + 1;
    }
    return g_steal_pointer(&read);
}

void ps_card_read_free(PsCardRead *read)
{
    if (!read)
        return;
    g_array_unref(read->launches);
    g_array_unref(read->copies);
    g_ptr_array_unref(read->notes);
    g_string_chunk_free(read->texts);
    g_hash_table_unref(read->graphs);
    g_free(read);
}
