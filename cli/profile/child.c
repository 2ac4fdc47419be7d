/* SPDX-License-Identifier: BSD-3-Clause */
/* See child.h. Signals are blocked and waited for, so no handler needs to know the program. */
#include "cli/profile/child.h"

#include "cli/system/line.h"
#include "pipesim-private.h"

#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const int HANDED_ON[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU};

typedef struct {
    pid_t pid;
    gboolean apart; /* leads a process group of its own */
    sigset_t watched;
    int asked; /* the last signal that was passed on, or 0 */
} Child;

/* An ignored signal (nohup) stays ignored, for the program too. */
static void watch_signals(sigset_t *watched)
{
    sigemptyset(watched);
    sigaddset(watched, SIGCHLD);
    for (guint i = 0; i < G_N_ELEMENTS(HANDED_ON); i++) {
        struct sigaction action;
        if (sigaction(HANDED_ON[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(watched, HANDED_ON[i]);
    }
}

void child_defer(sigset_t *before)
{
    sigset_t watched;
    watch_signals(&watched);
    sigdelset(&watched, SIGCHLD);
    pthread_sigmask(SIG_BLOCK, &watched, before);
}

void child_heed(const sigset_t *before)
{
    pthread_sigmask(SIG_SETMASK, before, NULL);
}

/* Passes a signal on. The program itself gets a terminal's signals, which the kernel sends, unless
 * it has its own group. */
static void hand_on(Child *child, const siginfo_t *got)
{
    const gboolean sent = got->si_code == SI_USER || got->si_code == SI_QUEUE;
    if (got->si_signo == SIGCHLD || !(sent || child->apart || got->si_signo == SIGXCPU))
        return;
    kill(child->apart ? -child->pid : child->pid, got->si_signo);
    child->asked = got->si_signo;
}

static gboolean has_ended(const Child *child)
{
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid;
}

static int wait_for(Child *child)
{
    int status;
    while (!has_ended(child)) {
        siginfo_t got;
        if (sigwaitinfo(&child->watched, &got) > 0)
            hand_on(child, &got);
    }
    /* Ends processes that the program started and left. */
    if (child->apart)
        kill(-child->pid, SIGKILL);
    const pid_t ended = waitpid(child->pid, &status, 0);
    /* Signals that came at the same time were meant for the program, and must not end us. */
    const struct timespec now = {0, 0};
    int late;
    while ((late = sigtimedwait(&child->watched, NULL, &now)) > 0)
        if (late != SIGCHLD)
            child->asked = late;
    if (ended < 0)
        return CHILD_NOT_FOUND;
    return WIFSIGNALED(status) ? CHILD_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
}

static int cannot_run(const char *program, const GError *why, GError **error)
{
    const gboolean missing = g_error_matches(why, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT);
    if (missing)
        g_set_error(error, PS_ERROR, PS_ERROR_READ, "there is no program '%s' to run", program);
    else
        g_set_error(error, PS_ERROR, PS_ERROR_READ, "%s: cannot be run: %s", program, why->message);
    return missing ? CHILD_NOT_FOUND : CHILD_NOT_EXECUTABLE;
}

/* *asked, unless NULL, becomes the last signal that was passed on. */
static int run(char **argv, char **environment, const sigset_t *mask, int *asked, GError **error)
{
    const GSpawnFlags how = G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD |
                            G_SPAWN_LEAVE_DESCRIPTORS_OPEN | G_SPAWN_CHILD_INHERITS_STDIN;
    g_autoptr(GError) why = NULL;
    /* If we end without passing it on (kill -9), the program ends, too. */
    PsToolBirth birth = ps_tool_birth(SIGTERM);
    Child child = {.apart = asked != NULL};
    sigset_t old;
    watch_signals(&child.watched);
    pthread_sigmask(SIG_BLOCK, &child.watched, &old);
    birth.mask = mask ? *mask : old;
    /* An ignored SIGCHLD would hide the program's end. */
    void (*action)(int) = signal(SIGCHLD, SIG_DFL);
    const gboolean started = g_spawn_async(NULL, argv, environment, how,
                                           child.apart ? ps_tool_be_born_apart : ps_tool_be_born,
                                           &birth, &child.pid, &why);
    const int status = started ? wait_for(&child) : cannot_run(argv[0], why, error);
    signal(SIGCHLD, action);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (asked)
        *asked = child.asked;
    return status;
}

/* The terminal belongs to the program meanwhile. */
int child_run(char **argv, char **environment, const sigset_t *mask, GError **error)
{
    line_lift();
    const int status = run(argv, environment, mask, NULL, error);
    line_lower(TRUE);
    return status;
}

int child_run_apart(char **argv, char **environment, int *asked, GError **error)
{
    return run(argv, environment, NULL, asked, error);
}

/* ---- standard input ------------------------------------------------------------------------ */

gboolean child_can_rerun(void)
{
    struct stat input;
    return fstat(STDIN_FILENO, &input) != 0 ||
           !(S_ISFIFO(input.st_mode) || S_ISSOCK(input.st_mode));
}

gint64 child_input_tell(void)
{
    return lseek(STDIN_FILENO, 0, SEEK_CUR);
}

void child_input_seek(gint64 offset)
{
    if (offset >= 0)
        (void)!lseek(STDIN_FILENO, (off_t)offset, SEEK_SET);
}
