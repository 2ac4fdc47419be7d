/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See csv.h. A window on the file holds at least the present row; fields are zero-terminated and
 * unquoted in it. Every pass over the bytes is a memchr.
 */
#include "base/csv.h"

#include "base/cell.h"
#include "base/hearer.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK (128 * 1024) /* bytes that are read at once: they stay in the processor's cache */
#define WINDOW (PS_CSV_MAX_ROW + CHUNK)
#define MAX_LOST (1 << 28) /* bytes of zero that a power cut may leave at a file's end */

typedef struct {
    PsCsv csv;
    int fd;
    gboolean is_end; /* all of the file was read, or all of it that is text */
    char *window;    /* WINDOW bytes, and one for a zero */
    gsize row;       /* where the present row begins in it, */
    gsize row_end;   /* where its last line's end is, */
    gsize next;      /* and where the next line begins */
    gsize end;       /* bytes that were read */
    int next_line;
    guint max_fields;
    const char *wide; /* UTF-16 or UTF-32, which the file's first bytes show; NULL: neither */
    PsProgress progress;
    gint64 told;
} Reader;

static PsPlace here(const PsCsv *csv)
{
    return (PsPlace){csv->name, csv->line};
}

/* ---- reading ------------------------------------------------------------------------------- */

PsCsv *ps_csv_open(const char *path, GError **error)
{
    const int fd =
        strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    struct stat status;
    const gboolean is_known = fd >= 0 && fstat(fd, &status) == 0;
    const gboolean is_folder = is_known && S_ISDIR(status.st_mode);
    if (fd < 0 || is_folder) {
        ps_error_at(error, PS_ERROR_READ, (PsPlace){path, 0}, "cannot be read: %s",
                    is_folder ? "it is a folder, not a file" : g_strerror(errno));
        if (is_folder && fd != STDIN_FILENO)
            close(fd);
        return NULL;
    }
    Reader *reader = g_new0(Reader, 1);
    reader->csv.name = path;
    reader->csv.separator = ',';
    reader->fd = fd;
    reader->told = g_get_monotonic_time();
    reader->progress = (PsProgress){.phase = PS_PHASE_FILE, .since = reader->told};
    if (is_known && S_ISREG(status.st_mode))
        reader->progress.of = (guint64)status.st_size;
    reader->window = g_malloc(WINDOW + 1);
    reader->next_line = 1;
    return &reader->csv;
}

void ps_csv_free(PsCsv *csv)
{
    if (!csv)
        return;
    Reader *reader = (Reader *)csv;
    if (reader->fd != STDIN_FILENO)
        close(reader->fd);
    g_free(reader->window);
    g_free(csv->fields);
    g_free(reader);
}

static gssize read_some(const Reader *reader, void *to, gsize length, GError **error)
{
    gssize n;
    do
        n = read(reader->fd, to, length);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        ps_error_at(error, PS_ERROR_READ, (PsPlace){reader->csv.name, 0}, "cannot be read: %s",
                    g_strerror(errno));
    return n;
}

/* Moves the row to the front of the window. */
static void move_row(Reader *reader)
{
    const gsize by = reader->row;
    memmove(reader->window, reader->window + by, reader->end - by);
    reader->csv.text = reader->window;
    reader->row = 0;
    reader->row_end -= by;
    reader->next -= by;
    reader->end -= by;
    for (guint i = 0; i < reader->csv.n_fields; i++)
        reader->csv.fields[i].text -= by;
}

static gboolean are_zeros(const char *bytes, gsize length)
{
    for (gsize i = 0; i < length; i++)
        if (bytes[i])
            return FALSE;
    return TRUE;
}

/* TRUE if these bytes, and all behind them up to the end of the file, are zeros. */
static gboolean ends_in_zeros(const Reader *reader, const char *bytes, gsize length)
{
    char block[4096];
    gssize n = 0;
    if (!are_zeros(bytes, length))
        return FALSE;
    for (gsize all = length; all <= MAX_LOST; all += (gsize)n) {
        n = read_some(reader, block, sizeof block, NULL);
        if (n <= 0 || !are_zeros(block, (gsize)n))
            return n == 0;
    }
    return FALSE;
}

/* Tells that n more bytes were read. */
static gboolean tell(Reader *reader, gssize n, GError **error)
{
    PsProgress *progress = &reader->progress;
    progress->done += (guint64)n;
    if (progress->of)
        progress->share = MIN((double)progress->done / (double)progress->of, 1);
    return !ps_progress_is_due(&reader->told) ||
           ps_hearer_tell(&reader->csv.progress, progress, error);
}

/* The encoding, UTF-16 or UTF-32, that a file's first bytes show by its mark or by zeros between
 * characters of ASCII. */
static const char *wide_of(const char *bytes, gsize length)
{
    gsize zeros[2] = {0, 0}, n = MIN(length / 2, 8);
    if (length >= 4 &&
        (memcmp(bytes, "\xff\xfe\0", 4) == 0 || memcmp(bytes, "\0\0\xfe\xff", 4) == 0))
        return "UTF-32";
    if (n > 0 && (memcmp(bytes, "\xff\xfe", 2) == 0 || memcmp(bytes, "\xfe\xff", 2) == 0))
        return "UTF-16";
    for (gsize i = 0; i < 2 * n; i++)
        zeros[i % 2] += !bytes[i];
    if (n < 2 || zeros[0] + zeros[1] != n)
        return NULL;
    return zeros[1] == n ? "UTF-16LE" : zeros[0] == n ? "UTF-16BE" : NULL;
}

/* Reads more bytes behind the present row. */
static gboolean fill(Reader *reader, GError **error)
{
    if (reader->row > 0)
        move_row(reader);
    if (WINDOW - reader->end < CHUNK) {
        ps_error_at(error, PS_ERROR_SYNTAX, here(&reader->csv),
                    "this row is longer than %d bytes: this is no table of comma-separated values",
                    PS_CSV_MAX_ROW);
        return FALSE;
    }
    char *to = reader->window + reader->end;
    const gssize n = read_some(reader, to, CHUNK, error);
    if (n < 0 || !tell(reader, n, error))
        return FALSE;
    if (reader->progress.done == (guint64)n)
        reader->wide = wide_of(to, (gsize)n);
    const char *zero = n > 0 ? memchr(to, 0, (gsize)n) : NULL;
    reader->csv.is_lost =
        zero && reader->csv.may_lose && ends_in_zeros(reader, zero, (gsize)(to + n - zero));
    reader->csv.is_binary = zero && !reader->csv.is_lost;
    reader->is_end = n == 0 || zero;
    reader->end += zero ? (gsize)(zero - to) : (gsize)n;
    return TRUE;
}

static gboolean check_text(Reader *reader, GError **error)
{
    if (reader->wide) {
        g_autofree char *name = g_shell_quote(reader->csv.name);
        reader->csv.is_binary = FALSE;
        ps_error_at(error, PS_ERROR_SYNTAX, here(&reader->csv),
                    "this is %.6s text, and UTF-8 is needed: iconv -f %s -t UTF-8 %s >utf-8.csv",
                    reader->wide, reader->wide, name);
        return FALSE;
    }
    if (!reader->csv.is_binary)
        return TRUE;
    ps_error_at(error, PS_ERROR_SYNTAX, here(&reader->csv),
                "this is a binary file and no text: it has a zero byte here");
    return FALSE;
}

/* The next line end at or after `from`, within what follows the row. */
static gboolean find_end(Reader *reader, gsize from, GError **error)
{
    const char *end;
    while (!(end = memchr(reader->window + from, '\n', reader->end - from)) && !reader->is_end) {
        const gsize scanned = reader->end - reader->row;
        if (!fill(reader, error))
            return FALSE;
        from = scanned;
    }
    reader->row_end = end ? (gsize)(end - reader->window) : reader->end;
    reader->next = reader->row_end + (end != NULL);
    reader->csv.is_cut = !end;
    return end || check_text(reader, error);
}

/* Ends the present line with a zero, so that it is a text; or undoes that, so that the row can go
 * on. */
static void end_text(Reader *reader)
{
    char *text = reader->window + reader->row, *end = reader->window + reader->row_end;
    end -= end > text && end[-1] == '\r';
    *end = '\0';
    reader->csv.text = text;
    reader->csv.length = (gsize)(end - text);
}

static void restore_text(Reader *reader)
{
    char *end = reader->csv.text + reader->csv.length;
    if (end < reader->window + reader->row_end)
        *end++ = '\r';
    if (!reader->csv.is_cut)
        *end = '\n';
}

static void skip_mark(Reader *reader)
{
    const char *text = reader->window + reader->row;
    if (reader->row_end - reader->row >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        reader->row += 3;
}

const char *ps_csv_ahead(PsCsv *csv, GError **error)
{
    Reader *reader = (Reader *)csv;
    csv->n_fields = 0;
    csv->line = reader->next_line;
    reader->row = reader->row_end = reader->next;
    if (reader->row == reader->end && !reader->is_end && !fill(reader, error))
        return NULL;
    reader->row_end = reader->end;
    if (csv->line == 1)
        skip_mark(reader);
    /* No line yet, and so without an end that could be restored. */
    reader->row_end = reader->row;
    csv->is_cut = TRUE;
    csv->text = reader->window + reader->row;
    csv->length = 0;
    reader->window[reader->end] = '\0';
    return csv->text;
}

PsCsvState ps_csv_line(PsCsv *csv, GError **error)
{
    Reader *reader = (Reader *)csv;
    csv->n_fields = 0;
    reader->row = reader->next;
    csv->line = reader->next_line;
    if (!find_end(reader, reader->row, error))
        return PS_CSV_ERROR;
    if (reader->next == reader->row)
        return PS_CSV_END;
    if (csv->line == 1)
        skip_mark(reader);
    reader->next_line += reader->next_line < G_MAXINT;
    end_text(reader);
    return PS_CSV_ROW;
}

char *ps_csv_rest(PsCsv *csv, gsize max_bytes, gsize *length, GError **error)
{
    Reader *reader = (Reader *)csv;
    g_autoptr(GByteArray) rest = g_byte_array_new();
    restore_text(reader);
    for (;;) {
        g_byte_array_append(rest, (const guint8 *)reader->window + reader->row,
                            (guint)(reader->end - reader->row));
        if (rest->len > max_bytes) {
            ps_error_at(error, PS_ERROR_LIMIT, (PsPlace){csv->name, 0},
                        "is longer than %" G_GSIZE_FORMAT " bytes", max_bytes);
            return NULL;
        }
        if (reader->is_end)
            break;
        reader->row = reader->row_end = reader->next = reader->end = 0;
        if (!fill(reader, error))
            return NULL;
    }
    if (!check_text(reader, error))
        return NULL;
    *length = rest->len;
    g_byte_array_append(rest, (const guint8 *)"", 1);
    return (char *)g_byte_array_free(g_steal_pointer(&rest), FALSE);
}

/* ---- splitting ----------------------------------------------------------------------------- */

static PsCsvField *add_field(Reader *reader, char *text)
{
    PsCsv *csv = &reader->csv;
    if (csv->n_fields == reader->max_fields) {
        reader->max_fields = MAX(32, 2 * reader->max_fields);
        csv->fields = g_renew(PsCsvField, csv->fields, reader->max_fields);
    }
    PsCsvField *field = &csv->fields[csv->n_fields++];
    *field = (PsCsvField){.text = text};
    return field;
}

/* Joins the next line to the row, for a quoted field with a line end. */
static gboolean extend(Reader *reader, GError **error)
{
    PsCsv *csv = &reader->csv;
    const guint field = csv->n_fields - 1;
    restore_text(reader);
    if (reader->csv.is_cut) {
        ps_csv_error(csv, field, PS_ERROR_SYNTAX, error,
                     "a quote begins here, and the file ends before it does: it is cut off");
        return FALSE;
    }
    GError *why = NULL;
    if (!find_end(reader, reader->next, &why)) {
        if (why->code == PS_ERROR_SYNTAX && !reader->csv.is_binary) {
            g_clear_error(&why);
            ps_csv_error(csv, field, PS_ERROR_SYNTAX, error,
                         "a quote begins here that does not end");
        } else {
            g_propagate_error(error, why);
        }
        return FALSE;
    }
    reader->next_line += reader->next_line < G_MAXINT;
    end_text(reader);
    return TRUE;
}

/* Unquoting shortened the text by so many bytes, one for each doubled quote. The bytes behind the
 * last line's end must still count as columns; the others become inner bytes of a character, which
 * do not count. */
static void fill_lost(const char *begin, char *end, gsize lost)
{
    gsize columns = 0;
    for (const char *c = end; c > begin && c[-1] != '\n'; c--)
        columns += c[-1] == '"';
    memset(end + 1, 0x80, lost - columns);
    memset(end + 1 + lost - columns, '"', columns);
}

/* Finds the quote that ends the last field; a doubled quote in it becomes one. Places are counted
 * from the row's begin, because the row may move. */
static gboolean unquote(Reader *reader, gsize *at, GError **error)
{
    const gsize begin = *at + 1;
    gsize from = begin, to = begin;
    for (;;) {
        char *row = reader->csv.text;
        const char *quote = memchr(row + from, '"', reader->csv.length - from);
        const gsize stop = quote ? (gsize)(quote - row) : reader->csv.length;
        if (to != from)
            memmove(row + to, row + from, stop - from);
        to += stop - from;
        from = stop;
        if (!quote) {
            if (!extend(reader, error))
                return FALSE;
        } else if (row[stop + 1] == '"') {
            row[to++] = '"';
            from = stop + 2;
        } else {
            if (to != stop)
                fill_lost(row + begin, row + to, stop - to);
            row[to] = '\0';
            reader->csv.fields[reader->csv.n_fields - 1].length = (guint)(to - begin);
            *at = stop + 1;
            return TRUE;
        }
    }
}

static gboolean split_quoted(Reader *reader, gsize *at, GError **error)
{
    PsCsvField *field = add_field(reader, reader->csv.text + *at + 1);
    field->quoted = TRUE;
    if (!unquote(reader, at, error))
        return FALSE;
    const char behind = reader->csv.text[*at];
    if (*at == reader->csv.length || behind == reader->csv.separator)
        return TRUE;
    ps_csv_error(&reader->csv, reader->csv.n_fields - 1, PS_ERROR_SYNTAX, error,
                 "this field goes on behind its closing quote, with '%c': a %s is due there",
                 behind,
                 reader->csv.separator == ';'    ? "semicolon"
                 : reader->csv.separator == '\t' ? "tab"
                                                 : "comma");
    return FALSE;
}

static void split_plain(Reader *reader, gsize *at)
{
    char *text = reader->csv.text + *at;
    const gsize left = reader->csv.length - *at;
    char *end = memchr(text, reader->csv.separator, left);
    PsCsvField *field = add_field(reader, text);
    field->length = end ? (guint)(end - text) : (guint)left;
    *at += field->length;
}

/* Takes off the apostrophe that ps_cell_put has put before a formula. */
static void take_guard(PsCsvField *field)
{
    if (*field->text == '\'' && ps_cell_is_guarded(field->text)) {
        field->text++;
        field->length--;
    }
}

gboolean ps_csv_split(PsCsv *csv, GError **error)
{
    Reader *reader = (Reader *)csv;
    gsize at = 0;
    for (;;) {
        if (csv->text[at] != '"')
            split_plain(reader, &at);
        else if (!split_quoted(reader, &at, error))
            return FALSE;
        if (at >= csv->length)
            break;
        csv->text[at++] = '\0';
    }
    for (guint i = 0; i < csv->n_fields; i++)
        take_guard(&csv->fields[i]);
    return TRUE;
}

void ps_csv_join(PsCsv *csv, guint first, guint n)
{
    PsCsvField *field = &csv->fields[first], *last = field + n - 1;
    for (PsCsvField *f = field; f <= last; f++)
        if (f->quoted)
            return;
    for (PsCsvField *f = field; f < last; f++)
        f->text[f->length] = csv->separator;
    field->length = (guint)(last->text + last->length - field->text);
    memmove(field + 1, last + 1, (csv->n_fields - first - n) * sizeof *field);
    csv->n_fields -= n - 1;
}

/* ---- messages ------------------------------------------------------------------------------ */

void ps_csv_error(const PsCsv *csv, guint field, PsErrorCode code, GError **error,
                  const char *format, ...)
{
    int line = csv->line;
    guint column = 1;
    const char *end = csv->text;
    if (field < csv->n_fields)
        end = csv->fields[field].text - csv->fields[field].quoted;
    for (const char *c = csv->text; c < end; c++) {
        const gboolean is_inner = ((guchar)*c & 0xC0) == 0x80; /* of a character in UTF-8 */
        line += *c == '\n';
        column = *c == '\n' ? 1 : column + !is_inner;
    }
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autofree char *place = g_strdup_printf("%s:%d:%u", csv->name, line, column);
    ps_error_at(error, code, (PsPlace){place, 0}, "%s", what);
}
