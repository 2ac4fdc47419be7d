/* SPDX-License-Identifier: BSD-3-Clause */
/* See tool.h. */
#define _GNU_SOURCE /* prctl */
#include "cli/system/tool.h"

#include "cli/system/draft.h"
#include "cli/system/interrupt.h"

#include <errno.h>
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

/* What GLib sets to its default in a child. */
static const int FORGOTTEN[] = {SIGHUP, SIGINT, SIGTERM, SIGPIPE};

ToolBirth tool_birth(int signal)
{
    ToolBirth birth = {.parent = getpid(), .signal = signal};
    sigemptyset(&birth.ignored);
    for (guint i = 0; i < G_N_ELEMENTS(FORGOTTEN); i++) {
        struct sigaction action;
        if (sigaction(FORGOTTEN[i], NULL, &action) == 0 && action.sa_handler == SIG_IGN)
            sigaddset(&birth.ignored, FORGOTTEN[i]);
    }
    return birth;
}

/* SIGXCPU ends it then, without a core. */
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

void tool_be_born(gpointer self)
{
    const ToolBirth *birth = self;
    for (guint i = 0; i < G_N_ELEMENTS(FORGOTTEN); i++)
        if (sigismember(&birth->ignored, FORGOTTEN[i]))
            signal(FORGOTTEN[i], SIG_IGN);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, birth->signal);
    /* It may have ended already. */
    if (getppid() != birth->parent)
        raise(birth->signal);
#endif
    if (birth->work)
        limit_work(birth->work);
    pthread_sigmask(SIG_SETMASK, &birth->mask, NULL);
}

void tool_be_born_apart(gpointer birth)
{
    setpgid(0, 0);
    tool_be_born(birth);
}

typedef struct {
    const char *input;
    GString *written, *said;
    int by;       /* the signal that ends it with us */
    gint64 until; /* of the monotonic clock; 0: however long it takes */
    ToolLimits limits;
} Talk;

/* No signal ends us before it is known what ends with us. */
static gboolean start(char **argv, char **environment, const Talk *with, pid_t *child,
                      struct pollfd *ends, GError **error)
{
    ToolBirth birth = tool_birth(with->by);
    birth.work = with->limits.work;
    interrupt_block(&birth.mask);
    const gboolean started = g_spawn_async_with_pipes(
        NULL, argv, environment, G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD,
        tool_be_born_apart, &birth, child, &ends[INPUT].fd, &ends[WRITTEN].fd, &ends[SAID].fd,
        error);
    if (started)
        draft_group_begin(*child, with->by);
    pthread_sigmask(SIG_SETMASK, &birth.mask, NULL);
    return started;
}

/* ---- talk ---------------------------------------------------------------------------------- */

static void shut(struct pollfd *end)
{
    close(end->fd);
    end->fd = -1; /* which poll passes over */
}

/* Never more than a pipe takes at once. Whoever does not read all of it may know why. */
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

/* Milliseconds that are left; -1: without end. */
static int time_left(const Talk *talk)
{
    const gint64 left = talk->until - g_get_monotonic_time();
    return !talk->until ? -1 : left > 0 ? (int)(left / 1000 + 1) : 0;
}

static gboolean is_too_much(const Talk *talk)
{
    return talk->limits.bytes > 0 && talk->written->len > talk->limits.bytes;
}

/* Until it has closed its ends. FALSE: it took too long, or wrote too much. */
static gboolean talk(struct pollfd *ends, const Talk *with)
{
    const char *input = with->input;
    GString *const written = with->written, *const said = with->said;
    gboolean ended = TRUE;
    if (!*input)
        shut(&ends[INPUT]);
    while (ended && (ends[WRITTEN].fd >= 0 || ends[SAID].fd >= 0)) {
        const int left = time_left(with);
        const int n = poll(ends, N_ENDS, left);
        ended = left != 0 || n != 0;
        if (n <= 0)
            continue;
        if (ends[INPUT].revents)
            give(&ends[INPUT], &input);
        if (ends[WRITTEN].revents)
            take(&ends[WRITTEN], written);
        if (ends[SAID].revents)
            take(&ends[SAID], said);
        ended = ended && !is_too_much(with);
    }
    for (guint i = 0; i < N_ENDS; i++)
        if (ends[i].fd >= 0)
            shut(&ends[i]);
    return ended;
}

/* One that does not read its input shall not end us by SIGPIPE. */
static gboolean talk_safely(struct pollfd *ends, const Talk *with)
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

/* Its number is free for others only when no signal would end that group any more. */
static int await(pid_t child)
{
    siginfo_t ended;
    int status = 0;
    while (waitid(P_PID, (id_t)child, &ended, WEXITED | WNOWAIT) != 0 && errno == EINTR)
        continue;
    draft_group_end(child);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return status;
}

static gboolean run(char **argv, char **environment, const Talk *with, GError **error)
{
    struct pollfd ends[N_ENDS] = {{.events = POLLOUT}, {.events = POLLIN}, {.events = POLLIN}};
    pid_t child;
    if (!start(argv, environment, with, &child, ends, error))
        return FALSE;
    const gboolean ended = talk_safely(ends, with);
    if (!ended)
        kill(-child, SIGKILL);
    const int status = await(child);
    const gboolean worked_on =
        with->limits.work && WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU;
    if (ended && !worked_on)
        return g_spawn_check_wait_status(status, error);
    if (is_too_much(with))
        g_set_error(error, G_SPAWN_ERROR, G_SPAWN_ERROR_TOO_BIG, "wrote too much");
    else
        g_set_error(error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED, "had not ended after %u seconds%s",
                    worked_on ? with->limits.work : with->limits.wait, worked_on ? " of work" : "");
    return FALSE;
}

gboolean tool_run(char **argv, char **environment, const char *input, GString *written,
                  GString *said, GError **error)
{
    const Talk with = {input ? input : "", written, said, SIGKILL, 0, {0, 0, 0}};
    return run(argv, environment, &with, error);
}

gboolean tool_run_within(char **argv, const ToolLimits *limits, GString *written, GString *said,
                         GError **error)
{
    const gint64 most = (gint64)limits->wait * G_USEC_PER_SEC;
    const gint64 until = most ? g_get_monotonic_time() + most : 0;
    const Talk with = {"", written, said, SIGKILL, until, *limits};
    return run(argv, NULL, &with, error);
}

gboolean tool_run_own(char **argv, char **environment, GString *written, GString *said,
                      GError **error)
{
    const Talk with = {"", written, said, SIGTERM, 0, {0, 0, 0}};
    return run(argv, environment, &with, error);
}
