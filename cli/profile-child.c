/* SPDX-License-Identifier: BSD-3-Clause */
/* See profile-child.h. Signals are blocked and waited for, so that no handler needs to know the
 * program. */
#include "cli/profile-child.h"

#include "pipesim.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static const int HANDED_ON[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};

/* What is ignored (nohup) stays so, for the program too. */
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

/* What a terminal sends (the kernel, that is), the program gets by itself. */
static void hand_on(pid_t child, const siginfo_t *got)
{
    if (got->si_signo != SIGCHLD && (got->si_code == SI_USER || got->si_code == SI_QUEUE))
        kill(child, got->si_signo);
}

static int wait_for(pid_t child, const sigset_t *watched)
{
    int status;
    pid_t ended;
    while ((ended = waitpid(child, &status, WNOHANG)) == 0) {
        siginfo_t got;
        if (sigwaitinfo(watched, &got) > 0)
            hand_on(child, &got);
    }
    /* What came at the same time was for the program, too: it shall not end us now. */
    const struct timespec now = {0, 0};
    while (sigtimedwait(watched, NULL, &now) > 0)
        continue;
    if (ended < 0)
        return CHILD_NOT_FOUND;
    return WIFSIGNALED(status) ? CHILD_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
}

static int cannot_run(const char *program, int why, GError **error)
{
    if (why == ENOENT)
        g_set_error(error, PS_ERROR, PS_ERROR_READ, "there is no program '%s' to run", program);
    else
        g_set_error(error, PS_ERROR, PS_ERROR_READ, "%s: cannot be run: %s", program,
                    g_strerror(why));
    return why == ENOENT ? CHILD_NOT_FOUND : CHILD_NOT_EXECUTABLE;
}

static int start(pid_t *child, char **argv, char **environment, const sigset_t *mask)
{
    posix_spawnattr_t how;
    posix_spawnattr_init(&how);
    posix_spawnattr_setsigmask(&how, mask);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK);
    const int why =
        posix_spawnp(child, argv[0], NULL, &how, argv, environment ? environment : environ);
    posix_spawnattr_destroy(&how);
    return why;
}

int child_run(char **argv, char **environment, GError **error)
{
    sigset_t watched, before;
    pid_t child;
    watch_signals(&watched);
    pthread_sigmask(SIG_BLOCK, &watched, &before);
    /* Were it ignored, nobody would tell of the program's end. */
    void (*old)(int) = signal(SIGCHLD, SIG_DFL);
    const int why = start(&child, argv, environment, &before);
    const int status = why ? cannot_run(argv[0], why, error) : wait_for(child, &watched);
    signal(SIGCHLD, old);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status;
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

void child_input_seek(gint64 place)
{
    if (place >= 0)
        (void)!lseek(STDIN_FILENO, (off_t)place, SEEK_SET);
}

/* ---- a folder ------------------------------------------------------------------------------ */

char *child_folder(GError **error)
{
    return g_dir_make_tmp("pipesim-profile-XXXXXX", error);
}

/* What the profilers made there; links are not followed. */
static void empty(const char *folder, guint depth)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *name;
    while (dir && (name = g_dir_read_name(dir)) != NULL) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        if (g_unlink(path) != 0 && depth > 0) {
            empty(path, depth - 1);
            g_rmdir(path);
        }
    }
}

void child_folder_remove(char *folder)
{
    if (!folder)
        return;
    empty(folder, 8);
    g_rmdir(folder);
    g_free(folder);
}
