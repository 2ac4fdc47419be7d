/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes raw files. Each row is written whole and at once, so that the file keeps all measurements,
 * whatever stops the program; no existing file is overwritten.
 */
#include "latency-bench/internal.h"
#include "latency-bench/raw/private.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct PsRawWriter {
    char *path;
    int fd;
    goffset end; /* offset behind the last whole row */
};

static void writer_free(PsRawWriter *writer)
{
    if (writer->fd >= 0)
        close(writer->fd);
    g_free(writer->path);
    g_free(writer);
}

static gboolean fail(const PsRawWriter *writer, GError **error)
{
    ps_error_at(error, PS_ERROR_READ, (PsPlace){writer->path, 0}, "cannot be written: %s",
                g_strerror(errno));
    return FALSE;
}

/* Locks the file, since two programs that append to it would spoil it. Unlike the locks of fcntl,
 * this lock outlives the reading of the file. Where there are no locks, no program is kept out. */
static gboolean lock(const PsRawWriter *writer, GError **error)
{
    if (flock(writer->fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        return TRUE;
    ps_error_at(error, PS_ERROR_READ, (PsPlace){writer->path, 0},
                "cannot be continued: another pipesim is measuring into it");
    return FALSE;
}

/* Appends the whole text, or nothing. */
static gboolean append(PsRawWriter *writer, const GString *text, GError **error)
{
    gsize done = 0;
    while (done < text->len) {
        const gssize n = write(writer->fd, text->str + done, text->len - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            fail(writer, error);
            if (ftruncate(writer->fd, writer->end) != 0)
                errno = 0; /* the reader leaves out a row that is not whole */
            return FALSE;
        }
        done += (gsize)n;
    }
    writer->end += (goffset)text->len;
    return TRUE;
}

/* ---- the head ------------------------------------------------------------------------------ */

/* The text, or "unknown": a device need not have all properties that a file must have. */
static const char *or_unknown(const char *text)
{
    return text && *text ? text : "unknown";
}

/* The head of a file; texts belong to the arguments. */
static PsRaw head_of(const PsDeviceInfo *info, const char *when)
{
    PsRaw raw = {.info = *info, .when = (char *)when};
    raw.info.name = (char *)or_unknown(info->name);
    raw.info.backend = (char *)or_unknown(info->backend);
    raw.info.compute_units = MAX(1, info->compute_units);
    raw.info.warp_size = MAX(1, info->warp_size);
    return raw;
}

static gboolean put_head(PsRawWriter *writer, const PsDeviceInfo *info, GError **error)
{
    g_autoptr(GString) head = g_string_new(NULL);
    g_autoptr(GDateTime) now = g_date_time_new_now_utc();
    g_autofree char *when = g_date_time_format(now, PS_RAW_WHEN);
    const PsRaw raw = head_of(info, when);
    ps_raw_put_header(head);
    for (guint i = 0; i < PS_RAW_N_DEVICE; i++)
        ps_raw_put_device(head, &raw, i);
    return append(writer, head, error);
}

/* ---- going on ------------------------------------------------------------------------------ */

/* The offset behind the last whole row; -1 where it is not known. */
static goffset find_end(int fd)
{
    char block[4096];
    goffset at = lseek(fd, 0, SEEK_END);
    while (at > 0) {
        const gsize length = (gsize)MIN(at, (goffset)sizeof block);
        if (pread(fd, block, length, at - (goffset)length) != (gssize)length)
            return -1;
        for (gsize i = length; i > 0; i--)
            if (block[i - 1] == '\n')
                return at - (goffset)(length - i);
        at -= (goffset)length;
    }
    return at;
}

/* Reads the rows that exist. *is_begun: the file has no run, and ends before there could be one. */
static gboolean read_done(const PsRawWriter *writer, const PsDeviceInfo *info,
                          const GPtrArray *plans, PsRaw **done, gboolean *is_begun, GError **error)
{
    GError *why = NULL;
    const PsRaw here = head_of(info, NULL);
    g_autoptr(PsRaw) raw = ps_raw_open(writer->path, is_begun, &why);
    if (why) {
        g_propagate_error(error, why);
        return FALSE;
    }
    if (!ps_raw_check_resume(writer->path, raw, &here, plans, error))
        return FALSE;
    if (done)
        *done = g_steal_pointer(&raw);
    return TRUE;
}

static gboolean go_on(PsRawWriter *writer, const PsDeviceInfo *info, const GPtrArray *plans,
                      PsRaw **done, GError **error)
{
    gboolean is_begun = FALSE;
    writer->fd = open(writer->path, O_RDWR | O_APPEND | O_CLOEXEC | O_NOCTTY);
    struct stat status;
    if (writer->fd < 0 || fstat(writer->fd, &status) != 0)
        return fail(writer, error);
    if (!S_ISREG(status.st_mode)) {
        ps_error_at(error, PS_ERROR_READ, (PsPlace){writer->path, 0},
                    "cannot be continued: it is no regular file");
        return FALSE;
    }
    if (!lock(writer, error) || !read_done(writer, info, plans, done, &is_begun, error))
        return FALSE;
    writer->end = is_begun ? 0 : find_end(writer->fd);
    if (writer->end < 0 || ftruncate(writer->fd, writer->end) != 0)
        return fail(writer, error);
    return !is_begun || put_head(writer, info, error);
}

/* ---- the writer ---------------------------------------------------------------------------- */

static gboolean create(PsRawWriter *writer, const PsDeviceInfo *info, const GPtrArray *plans,
                       PsRaw **done, GError **error)
{
    const int flags = O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC;
    writer->fd = open(writer->path, flags, 0666);
    if (writer->fd >= 0)
        return lock(writer, error) && put_head(writer, info, error);
    if (errno != EEXIST)
        return fail(writer, error);
    if (plans)
        return go_on(writer, info, plans, done, error);
    ps_error_at(error, PS_ERROR_READ, (PsPlace){writer->path, 0},
                "exists already, and is not overwritten: continue it (resume), or measure into "
                "another file");
    return FALSE;
}

PsRawWriter *ps_raw_writer_new(const char *path, const PsDeviceInfo *info, const GPtrArray *plans,
                               PsRaw **done, GError **error)
{
    PsRawWriter *writer = g_new0(PsRawWriter, 1);
    writer->path = g_strdup(path);
    writer->fd = -1;
    if (done)
        *done = NULL;
    if (create(writer, info, plans, done, error))
        return writer;
    if (done)
        g_clear_pointer(done, ps_raw_free);
    writer_free(writer);
    return NULL;
}

gboolean ps_raw_writer_put(PsRawWriter *writer, const PsRawRow *row, GError **error)
{
    g_autoptr(GString) text = g_string_new(NULL);
    ps_raw_put_run(text, row);
    return append(writer, text, error);
}

gboolean ps_raw_writer_close(PsRawWriter *writer, GError **error)
{
    if (!writer)
        return TRUE;
    /* some file systems report only now that they are full */
    const gboolean kept = fsync(writer->fd) == 0 || errno == EINVAL || errno == EROFS;
    const gboolean ok = (close(writer->fd) == 0 && kept) || fail(writer, error);
    writer->fd = -1;
    writer_free(writer);
    return ok;
}
