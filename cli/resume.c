/* SPDX-License-Identifier: BSD-3-Clause */
/* See resume.h. */
#include "cli/resume.h"

#include "cli/sweep-label.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct Resume {
    const char *path;
    const SweepCsv *csv;
    FILE *stream; /* NULL once it is the output's */
    CsvReader reader;
    gboolean header;
};

static gboolean resume_error(GError **error, const char *path, const char *why)
{
    g_set_error(error, PS_ERROR, PS_ERROR_READ, "%s: cannot be continued: %s", path, why);
    return FALSE;
}

/* ---- opening ------------------------------------------------------------------------------- */

/* Two that append to one file would spoil it. Where there are no locks, nobody is kept out. */
static gboolean lock(int fd)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(fd, F_SETLK, &whole) == 0 || (errno != EAGAIN && errno != EACCES);
}

/* Only a plain file: another one may block for ever when it is opened. */
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

static gboolean other_header(const Resume *resume, GError **error)
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

static gboolean check_header(Resume *resume, GError **error)
{
    const char *wanted = resume->csv->header;
    const GString *there = resume->reader.row;
    switch (csv_next(&resume->reader, error)) {
    case CSV_ROW:
        resume->header = TRUE;
        return strcmp(there->str, wanted) == 0 || other_header(resume, error);
    case CSV_CUT:
        return g_str_has_prefix(wanted, there->str) || other_header(resume, error);
    case CSV_END:
        return TRUE;
    case CSV_ERROR:
        break;
    }
    return FALSE;
}

Resume *resume_open(const char *path, const SweepCsv *csv, GError **error)
{
    FILE *stream = open_file(path, error);
    if (!stream)
        return NULL;
    g_autoptr(Resume) resume = g_new0(Resume, 1);
    *resume = (Resume){.path = path, .csv = csv, .stream = stream};
    csv_begin(&resume->reader, stream, path);
    return check_header(resume, error) ? g_steal_pointer(&resume) : NULL;
}

void resume_free(Resume *resume)
{
    if (!resume)
        return;
    if (resume->stream)
        fclose(resume->stream);
    csv_clear(&resume->reader);
    g_free(resume);
}

gboolean resume_has_header(const Resume *resume)
{
    return resume->header;
}

/* ---- what is there ------------------------------------------------------------------------- */

static ResumeState other_row(const Resume *resume, const Point *point, GError **error)
{
    g_autofree char *label =
        sweep_point_label(resume->csv->options->vary, point->values, point->known);
    ps_error_at(error, PS_ERROR_VALUE, (PsPlace){resume->path, (int)resume->reader.line},
                "this row is not that of point %u of this sweep (%s on %s, %s): the file is of "
                "another sweep, of other options, files or another version of pipesim, and was "
                "left as it is",
                point->number, point->idg->name, point->gpu->name, label);
    return RESUME_ERROR;
}

ResumeState resume_next(Resume *resume, const Point *point, GError **error)
{
    gboolean failed = FALSE;
    const CsvState state = resume->header ? csv_next(&resume->reader, error) : CSV_END;
    if (state == CSV_ERROR)
        return RESUME_ERROR;
    if (state == CSV_END)
        return RESUME_MISSING;
    if (!sweep_csv_is_row(resume->csv, point, resume->reader.row->str, state == CSV_CUT, &failed))
        return other_row(resume, point, error);
    if (state == CSV_CUT)
        return RESUME_MISSING;
    return failed ? RESUME_FAILED : RESUME_THERE;
}

gboolean resume_end(Resume *resume, GError **error)
{
    const CsvState state = resume->header ? csv_next(&resume->reader, error) : CSV_END;
    if (state == CSV_ROW || state == CSV_CUT)
        ps_error_at(error, PS_ERROR_VALUE, (PsPlace){resume->path, (int)resume->reader.line},
                    "all points of this sweep stand above this row: the file is of another sweep, "
                    "and was left as it is");
    return state == CSV_END;
}

/* ---- going on ------------------------------------------------------------------------------ */

Output *resume_output(Resume *resume, GError **error)
{
    const off_t end = (off_t)resume->reader.end;
    if (ftruncate(fileno(resume->stream), end) != 0 || fseeko(resume->stream, end, SEEK_SET) != 0) {
        resume_error(error, resume->path, g_strerror(errno));
        return NULL;
    }
    return output_append(resume->path, g_steal_pointer(&resume->stream));
}
