/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See draft.h. A signal handler sees only global data, so this file has the one global table of the
 * program (and line.c one flag). Only the main thread changes the table, with signals blocked, and
 * only the main thread gets signals (workers.c): so the handler never meets a half-changed table.
 */
#include "cli/system/draft.h"

#include "cli/system/line.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* Signals that end a program from outside. */
static const int SIGNALS[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGPIPE, SIGALRM,  SIGTERM,
                              SIGUSR1, SIGUSR2, SIGXCPU, SIGPROF, SIGVTALRM};

/* Standard input with its folder, an output, a chart and a compiler's files are all that exist at
 * once. */
static char *drafts[8];

/* One entry for each thread that runs a program: --jobs limits these. */
static struct {
    volatile sig_atomic_t leader; /* 0: none */
    volatile sig_atomic_t by;
} groups[1024 + 1];
G_LOCK_DEFINE_STATIC(groups);

void draft_end(void)
{
    line_end();
    for (guint i = 0; i < G_N_ELEMENTS(groups); i++)
        if (groups[i].leader)
            kill(-(pid_t)groups[i].leader, (int)groups[i].by);
    for (guint i = 0; i < G_N_ELEMENTS(drafts); i++)
        if (drafts[i] && unlink(drafts[i]) != 0)
            rmdir(drafts[i]);
}

/* The signal's default action follows when the signal is unblocked. It is set here and not by
 * SA_RESETHAND, which takes effect before the handler begins: signals come in pairs (timeout sends
 * one to the process and one to its group), and the second would end the program before a file is
 * removed. */
static void on_signal(int number)
{
    draft_end();
    signal(number, SIG_DFL);
    raise(number);
}

/* Signals that the parent process ignores (nohup) stay ignored. */
void draft_catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigfillset(&action.sa_mask);
    for (guint i = 0; i < G_N_ELEMENTS(SIGNALS); i++) {
        struct sigaction old;
        if (sigaction(SIGNALS[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(SIGNALS[i], &action, NULL);
    }
}

/* Replaces one path in the table by another; both may be NULL. */
static void replace(const char *old, const char *path)
{
    for (guint i = 0; i < G_N_ELEMENTS(drafts); i++)
        if (g_strcmp0(drafts[i], old) == 0) {
            /* Copies first: if memory runs out, draft_end reads the table. */
            char *before = drafts[i];
            drafts[i] = g_strdup(path);
            g_free(before);
            return;
        }
}

void draft_begin(const char *path)
{
    draft_catch_signals();
    replace(NULL, path);
}

int draft_open(char *path)
{
    sigset_t old;
    ps_tool_block_signals(&old);
    const int fd = g_mkstemp_full(path, O_RDWR | O_CLOEXEC, 0666);
    const int why = errno;
    if (fd >= 0)
        draft_begin(path);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    errno = why;
    return fd;
}

void draft_keep(const char *path)
{
    sigset_t old;
    ps_tool_block_signals(&old);
    replace(path, NULL);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

void draft_remove(const char *path)
{
    g_unlink(path);
    draft_keep(path);
}

/* Replaces one group by another (0: none). Signals are blocked: their handler may need the lock. */
static void replace_group(pid_t old, pid_t leader, int by)
{
    sigset_t before;
    guint i = 0;
    ps_tool_block_signals(&before);
    G_LOCK(groups);
    while (i < G_N_ELEMENTS(groups) && groups[i].leader != (sig_atomic_t)old)
        i++;
    if (i < G_N_ELEMENTS(groups)) {
        groups[i].by = by;
        groups[i].leader = (sig_atomic_t)leader;
    }
    G_UNLOCK(groups);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void draft_group_begin(pid_t leader, int by)
{
    draft_catch_signals();
    replace_group(0, leader, by);
}

void draft_group_end(pid_t leader)
{
    replace_group(leader, 0, 0);
}

const PsToolHost draft_host = {draft_group_begin, draft_group_end, draft_begin, draft_keep};
