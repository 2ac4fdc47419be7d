/* SPDX-License-Identifier: BSD-3-Clause */
/* See resume.h. */
#include "sweep/resume.h"

#include "sweep/label.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct PsSweepResume {
    const char *path;
    const PsSweepCsv *csv;
    FILE *stream; /* NULL when it was handed on */
    PsCsvLines reader;
    gboolean header;
};

static gboolean resume_error(GError **error, const char *path, const char *why)
{
    g_set_error(error, PS_ERROR, PS_ERROR_READ, "%s: cannot be continued: %s", path, why);
    return FALSE;
}

/* ---- opening ------------------------------------------------------------------------------- */

/* Locks the file: two sweeps that append to it would spoil it. Without locks in the file system,
 * nobody is kept out. */
static gboolean lock(int fd)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(fd, F_SETLK, &whole) == 0 || (errno != EAGAIN && errno != EACCES);
}

/* Opens only a plain file: another one may block for ever. */
static FILE *open_file(const char *path, GError **error)
{
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
        resume_error(error, path, S_ISDIR(info.st_mode) ? "it is a folder" : "it is no plain file");
        return NULL;
    }
    const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (fd < 0) {
        resume_error(error, path, g_strerror(errno));
        return NULL;
    }
    FILE *stream = lock(fd) ? fdopen(fd, "r+b") : NULL;
    if (!stream) {
        resume_error(error, path, "another sweep is writing it");
        close(fd);
    }
    return stream;
}

static gboolean other_header(const PsSweepResume *resume, GError **error)
{
    g_autofree char *there = g_strndup(resume->reader.row->str, 300);
    g_strchomp(there);
    g_autofree char *wanted = g_strndup(resume->csv->header, strlen(resume->csv->header) - 1);
    g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                "%s: its header is '%s', and that of this sweep '%s': the file is of another "
                "sweep, and was left as it is",
                resume->path, there, wanted);
    return FALSE;
}

static gboolean check_header(PsSweepResume *resume, GError **error)
{
    const char *wanted = resume->csv->header;
    const GString *there = resume->reader.row;
    switch (ps_csv_lines_next(&resume->reader, error)) {
    case PS_CSV_LINES_ROW:
        resume->header = TRUE;
        return strcmp(there->str, wanted) == 0 || other_header(resume, error);
    case PS_CSV_LINES_CUT:
        return g_str_has_prefix(wanted, there->str) || other_header(resume, error);
    case PS_CSV_LINES_END:
        return TRUE;
    case PS_CSV_LINES_ERROR:
        break;
    }
    return FALSE;
}

PsSweepResume *ps_sweep_resume_open(const char *path, const PsSweepCsv *csv, GError **error)
{
    FILE *stream = open_file(path, error);
    if (!stream)
        return NULL;
    g_autoptr(PsSweepResume) resume = g_new0(PsSweepResume, 1);
    *resume = (PsSweepResume){.path = path, .csv = csv, .stream = stream};
    ps_csv_lines_begin(&resume->reader, stream, path);
    return check_header(resume, error) ? g_steal_pointer(&resume) : NULL;
}

void ps_sweep_resume_free(PsSweepResume *resume)
{
    if (!resume)
        return;
    if (resume->stream)
        fclose(resume->stream);
    ps_csv_lines_clear(&resume->reader);
    g_free(resume);
}

const char *ps_sweep_resume_path(const PsSweepResume *resume)
{
    return resume->path;
}

gboolean ps_sweep_resume_has_header(const PsSweepResume *resume)
{
    return resume->header;
}

/* ---- what is there ------------------------------------------------------------------------- */

/* Sets *error at a place in the row, with line and column (in characters, from 1). */
static PsSweepResumeState bad_row(const PsSweepResume *resume, gsize at, const char *what,
                                  GError **error)
{
    const char *row = resume->reader.row->str, *begin = row;
    guint line = resume->reader.line;
    for (const char *c = row; c < row + at; c++)
        if (*c == '\n') {
            line++;
            begin = c + 1;
        }
    const glong column = g_utf8_strlen(begin, (gssize)(row + at - begin)) + 1;
    g_set_error(error, PS_ERROR, PS_ERROR_VALUE, "%s:%u:%ld: %s", resume->path, line, column, what);
    return PS_SWEEP_RESUME_ERROR;
}

static PsSweepResumeState other_row(const PsSweepResume *resume, const PsSweepPoint *point,
                                    gsize at, GError **error)
{
    g_autofree char *label =
        ps_sweep_point_label(resume->csv->asked->axes, point->values, point->known);
    g_autofree char *what = g_strdup_printf(
        "this row is not that of point %u of this sweep (%s on %s, %s): the file is of another "
        "sweep, of other options, files or another version of pipesim, and was left as it is",
        point->number, point->idg->name, point->gpu->name, label);
    return bad_row(resume, at, what, error);
}

static PsSweepResumeState broken_row(const PsSweepResume *resume, gsize at, const char *why,
                                     GError **error)
{
    g_autofree char *what = g_strdup_printf(
        "%s; the file was changed or damaged, and was left as it is: take this row and those "
        "behind it out, and they are simulated again",
        why);
    return bad_row(resume, at, what, error);
}

PsSweepResumeState ps_sweep_resume_next(PsSweepResume *resume, const PsSweepPoint *point,
                                        GError **error)
{
    const GString *row = resume->reader.row;
    gsize at = 0;
    g_autofree char *why = NULL;
    switch (resume->header ? ps_csv_lines_next(&resume->reader, error) : PS_CSV_LINES_END) {
    case PS_CSV_LINES_ERROR:
        return PS_SWEEP_RESUME_ERROR;
    case PS_CSV_LINES_END:
        return PS_SWEEP_RESUME_MISSING;
    case PS_CSV_LINES_CUT:
        return ps_sweep_csv_begins(resume->csv, point, row->str)
                   ? PS_SWEEP_RESUME_MISSING
                   : other_row(resume, point, 0, error);
    case PS_CSV_LINES_ROW:
        break;
    }
    switch (ps_sweep_csv_check(resume->csv, point, row->str, &at, &why)) {
    case PS_SWEEP_ROW_DONE:
        return PS_SWEEP_RESUME_THERE;
    case PS_SWEEP_ROW_FAILED:
        return PS_SWEEP_RESUME_FAILED;
    case PS_SWEEP_ROW_OTHER:
        return other_row(resume, point, at, error);
    case PS_SWEEP_ROW_BROKEN:
        break;
    }
    return broken_row(resume, at, why, error);
}

/* Cuts off what stands behind the last complete row. */
static gboolean cut_off(const PsSweepResume *resume, GError **error)
{
    const off_t end = (off_t)resume->reader.end;
    return (ftruncate(fileno(resume->stream), end) == 0 &&
            fseeko(resume->stream, end, SEEK_SET) == 0) ||
           resume_error(error, resume->path, g_strerror(errno));
}

gboolean ps_sweep_resume_end(PsSweepResume *resume, GError **error)
{
    const PsCsvLinesState state =
        resume->header ? ps_csv_lines_next(&resume->reader, error) : PS_CSV_LINES_END;
    if (state == PS_CSV_LINES_CUT && !resume->reader.row->len) /* remains of a power cut */
        return cut_off(resume, error);
    if (state == PS_CSV_LINES_ROW || state == PS_CSV_LINES_CUT)
        ps_error_at(error, PS_ERROR_VALUE, (PsPlace){resume->path, (int)resume->reader.line},
                    "all points of this sweep stand above this row: the file is of another sweep, "
                    "and was left as it is");
    return state == PS_CSV_LINES_END;
}

/* ---- going on ------------------------------------------------------------------------------ */

FILE *ps_sweep_resume_stream(PsSweepResume *resume, GError **error)
{
    return cut_off(resume, error) ? g_steal_pointer(&resume->stream) : NULL;
}
