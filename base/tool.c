/* SPDX-License-Identifier: BSD-3-Clause */
/* See tool.h. */
#define _GNU_SOURCE /* prctl */
#include "base/tool.h"

#include "base/folder.h"
#include "base/hearer.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

enum { INPUT, WRITTEN, SAID, N_ENDS };

/* ---- start --------------------------------------------------------------------------------- */

/* Signals that GLib sets to their default in a child. */
static const int FORGOTTEN[] = {SIGHUP, SIGINT, SIGTERM, SIGPIPE};

PsToolBirth ps_tool_birth(int signal)
{
    PsToolBirth birth = {.parent = getpid(), .signal = signal};
    sigemptyset(&birth.ignored);
    for (guint i = 0; i < G_N_ELEMENTS(FORGOTTEN); i++) {
        struct sigaction action;
        if (sigaction(FORGOTTEN[i], NULL, &action) == 0 && action.sa_handler == SIG_IGN)
            sigaddset(&birth.ignored, FORGOTTEN[i]);
    }
    return birth;
}

/* Limits the child's processor time; SIGXCPU then ends it without a core. */
static void limit_work(guint seconds)
{
    const struct rlimit none = {0, 0};
    struct rlimit limit;
    if (getrlimit(RLIMIT_CPU, &limit) != 0 || limit.rlim_cur <= seconds)
        return;
    limit.rlim_cur = seconds;
    setrlimit(RLIMIT_CPU, &limit);
    setrlimit(RLIMIT_CORE, &none);
    signal(SIGXCPU, SIG_DFL);
}

void ps_tool_be_born(gpointer self)
{
    const PsToolBirth *birth = self;
    for (guint i = 0; i < G_N_ELEMENTS(FORGOTTEN); i++)
        if (sigismember(&birth->ignored, FORGOTTEN[i]))
            signal(FORGOTTEN[i], SIG_IGN);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, birth->signal);
    /* The child may have ended already. */
    if (getppid() != birth->parent)
        raise(birth->signal);
#endif
    if (birth->work)
        limit_work(birth->work);
    pthread_sigmask(SIG_SETMASK, &birth->mask, NULL);
}

void ps_tool_be_born_apart(gpointer birth)
{
    setpgid(0, 0);
    ps_tool_be_born(birth);
}

void ps_tool_block_signals(sigset_t *old)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, old);
}

/* The signal that ends the child when this process ends. */
static int end_of(const PsTool *tool)
{
    return tool->asked ? SIGTERM : SIGKILL;
}

/* Starts the child. Signals are blocked until the child is registered, so that a signal ends
 * both. */
static gboolean start(const PsTool *tool, pid_t *child, struct pollfd *ends, GError **error)
{
    PsToolBirth birth = ps_tool_birth(end_of(tool));
    birth.work = tool->limits.work;
    ps_tool_block_signals(&birth.mask);
    const gboolean started = g_spawn_async_with_pipes(
        NULL, tool->argv, tool->environment, G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD,
        ps_tool_be_born_apart, &birth, child, &ends[INPUT].fd, &ends[WRITTEN].fd, &ends[SAID].fd,
        error);
    if (started && tool->host && tool->host->group_begins)
        tool->host->group_begins(*child, end_of(tool));
    pthread_sigmask(SIG_SETMASK, &birth.mask, NULL);
    return started;
}

/* ---- talk ---------------------------------------------------------------------------------- */

static void shut(struct pollfd *end)
{
    close(end->fd);
    end->fd = -1; /* poll passes over a negative number */
}

/* Writes to the child no more than a pipe takes at once. A child that does not read all of its
 * input may have a reason. */
static void give(struct pollfd *end, const char **input)
{
    const gssize n = write(end->fd, *input, MIN(strlen(*input), PIPE_BUF));
    if (n > 0)
        *input += n;
    if (n < 0 ? errno != EINTR : !**input)
        shut(end);
}

static void take(struct pollfd *end, GString *text)
{
    char bytes[65536];
    const gssize n = read(end->fd, bytes, sizeof bytes);
    if (n > 0 && text)
        g_string_append_len(text, bytes, n);
    if (n < 0 ? errno != EINTR : n == 0)
        shut(end);
}

/* The exchange with a program that runs. */
typedef struct {
    const PsTool *tool;
    GString *written;
    gint64 until, begun, told; /* of the monotonic clock; until 0: without a limit */
    GError *cancelled;         /* the error with which the caller has ended the work */
} Talk;

/* Milliseconds until the time is over or the caller must be told of progress; -1: without end. */
static int time_left(const Talk *talk)
{
    const gint64 left = talk->until - g_get_monotonic_time();
    const int most = talk->tool->hearer.func ? PS_PROGRESS_PAUSE / 1000 : -1;
    const int limit = !talk->until ? -1 : left > 0 ? (int)(left / 1000 + 1) : 0;
    return limit < 0 ? most : most < 0 ? limit : MIN(limit, most);
}

static gboolean is_too_much(const Talk *talk)
{
    const gsize most = talk->tool->limits.bytes;
    return most > 0 && talk->written->len > most;
}

/* Tells the caller of progress. FALSE: the caller ends the work. */
static gboolean tell(Talk *talk)
{
    const PsProgress progress = {.phase = PS_PHASE_TOOL, .since = talk->begun};
    return !ps_progress_is_due(&talk->told) ||
           ps_hearer_tell(&talk->tool->hearer, &progress, &talk->cancelled);
}

/* Exchanges data until the program has closed its ends. FALSE: it took too long, wrote too much, or
 * the caller has ended the work. */
static gboolean talk(struct pollfd *ends, Talk *talk)
{
    const char *input = talk->tool->input ? talk->tool->input : "";
    gboolean ended = TRUE;
    if (!*input)
        shut(&ends[INPUT]);
    while (ended && (ends[WRITTEN].fd >= 0 || ends[SAID].fd >= 0)) {
        const int left = time_left(talk);
        const int n = poll(ends, N_ENDS, left);
        ended = (left != 0 || n != 0) && tell(talk);
        if (n <= 0)
            continue;
        if (ends[INPUT].revents)
            give(&ends[INPUT], &input);
        if (ends[WRITTEN].revents)
            take(&ends[WRITTEN], talk->written);
        if (ends[SAID].revents)
            take(&ends[SAID], talk->tool->said);
        ended = ended && !is_too_much(talk);
    }
    for (guint i = 0; i < N_ENDS; i++)
        if (ends[i].fd >= 0)
            shut(&ends[i]);
    return ended;
}

/* Blocks SIGPIPE: a program that does not read its input must not end this process. */
static gboolean talk_safely(struct pollfd *ends, Talk *with)
{
    sigset_t broken, old;
    const struct timespec now = {0, 0};
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken, &old);
    const gboolean ended = talk(ends, with);
    sigtimedwait(&broken, NULL, &now);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return ended;
}

/* ---- end ----------------------------------------------------------------------------------- */

/* Waits for the child's end. Its number is given back only when no signal of ours can reach that
 * group any more. */
static int await(const PsTool *tool, pid_t child)
{
    siginfo_t ended;
    int status = 0;
    while (waitid(P_PID, (id_t)child, &ended, WEXITED | WNOWAIT) != 0 && errno == EINTR)
        continue;
    if (tool->host && tool->host->group_ends)
        tool->host->group_ends(child);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return status;
}

/* Says why the program did not end by itself. */
static gboolean fail(Talk *talk, gboolean worked_on, GError **error)
{
    const PsToolLimits *limits = &talk->tool->limits;
    if (talk->cancelled)
        g_propagate_error(error, g_steal_pointer(&talk->cancelled));
    else if (is_too_much(talk))
        g_set_error(error, G_SPAWN_ERROR, G_SPAWN_ERROR_TOO_BIG, "wrote too much");
    else
        g_set_error(error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED, "had not ended after %u seconds%s",
                    worked_on ? limits->work : limits->wait, worked_on ? " of work" : "");
    return FALSE;
}

gboolean ps_tool_run(const PsTool *tool, GError **error)
{
    struct pollfd ends[N_ENDS] = {{.events = POLLOUT}, {.events = POLLIN}, {.events = POLLIN}};
    const gint64 now = g_get_monotonic_time(), most = (gint64)tool->limits.wait * G_USEC_PER_SEC;
    g_autoptr(GString) dropped = g_string_new(NULL);
    Talk talk = {.tool = tool,
                 .written = tool->written ? tool->written : dropped,
                 .until = most ? now + most : 0,
                 .begun = now,
                 .told = now};
    pid_t child;
    if (!start(tool, &child, ends, error))
        return FALSE;
    const gboolean ended = talk_safely(ends, &talk);
    if (!ended)
        kill(-child, SIGKILL);
    const int status = await(tool, child);
    const gboolean worked_on =
        tool->limits.work && WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU;
    return ended && !worked_on ? g_spawn_check_wait_status(status, error)
                               : fail(&talk, worked_on, error);
}

/* ---- files under a passing name -------------------------------------------------------------- */

/* Makes an empty file. Signals are blocked until the file is registered for removal. */
static char *make_file(const PsToolHost *host, const char *ending, GError **error)
{
    g_autofree char *name = g_strconcat("pipesim-XXXXXX", ending, NULL), *folder = ps_folder_tmp();
    char *path = g_build_filename(folder, name, NULL);
    sigset_t old;
    ps_tool_block_signals(&old);
    const int fd = g_mkstemp_full(path, O_RDWR | O_CLOEXEC, 0666);
    const int why = errno;
    if (fd >= 0 && host && host->file_begins)
        host->file_begins(path);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (fd >= 0) {
        g_close(fd, NULL);
        return path;
    }
    g_set_error(error, PS_ERROR, PS_ERROR_READ, "%s: cannot be written: %s", path, g_strerror(why));
    g_free(path);
    return NULL;
}

char *ps_tool_file(const PsToolHost *host, const char *ending, GBytes *bytes, GError **error)
{
    gsize size = 0;
    char *path = make_file(host, ending, error);
    const char *data = bytes ? g_bytes_get_data(bytes, &size) : NULL;
    if (!path || !size ||
        g_file_set_contents_full(path, data, (gssize)size, G_FILE_SET_CONTENTS_NONE, 0600, error))
        return path;
    ps_tool_file_remove(host, path);
    return NULL;
}

void ps_tool_file_remove(const PsToolHost *host, char *path)
{
    if (!path)
        return;
    g_unlink(path);
    if (host && host->file_ends)
        host->file_ends(path);
    g_free(path);
}
