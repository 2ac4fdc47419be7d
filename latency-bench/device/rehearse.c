/* SPDX-License-Identifier: BSD-3-Clause */
/* See rehearse.h. */
#define _GNU_SOURCE /* NSIG */
#include "latency-bench/device/rehearse.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* The child's exit status if the calls returned; not 0, since a driver may call exit(0). */
#define RETURNED 42

/* A failing child is no crash of this program: it leaves no core, and runs no handler of the
 * parent's, which might remove the parent's files. It ends when it is asked to, and with the
 * parent. */
static void be_on_its_own(pid_t parent)
{
    static const struct rlimit no_core = {0, 0};
    sigset_t none;
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setrlimit(RLIMIT_CORE, &no_core);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != parent)
        _exit(RETURNED);
}

/* The exit status from waitpid; -1 and *error without a child. */
static int run(PsRehearsed calls, gpointer data, FILE *said, GError **error)
{
    const pid_t parent = getpid(), child = fork();
    int status = 0;
    if (child == 0) {
        be_on_its_own(parent);
        dup2(fileno(said), STDERR_FILENO);
        calls(data);
        _exit(RETURNED);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            break;
    if (child > 0)
        return status;
    ps_error_at(error, PS_ERROR_DEVICE, (PsPlace){0},
                "no process can be started to try the driver: %s", g_strerror(errno));
    return -1;
}

/* The last line of a file, behind ": "; "" if there is none. */
static char *last_line(FILE *file)
{
    char text[4096];
    rewind(file);
    g_autoptr(GString) all = g_string_new(NULL);
    for (gsize n = fread(text, 1, sizeof text, file); n > 0; n = fread(text, 1, sizeof text, file))
        g_string_append_len(all, text, (gssize)n);
    g_autofree char *valid = g_strchomp(g_utf8_make_valid(all->str, (gssize)all->len));
    const char *end = strrchr(valid, '\n');
    const char *line = end ? end + 1 : valid;
    return *line ? g_strconcat(": ", line, NULL) : g_strdup("");
}

/* "Aborted", or "exit status 1". */
static char *ending(int status)
{
    if (WIFSIGNALED(status))
        return g_strdup(g_strsignal(WTERMSIG(status)));
    return g_strdup_printf("exit status %d", WEXITSTATUS(status));
}

gboolean ps_rehearse(PsRehearsed calls, gpointer data, GError **error)
{
    FILE *said = tmpfile();
    if (!said) {
        ps_error_at(error, PS_ERROR_DEVICE, (PsPlace){0},
                    "no temporary file can be made for the driver's output: %s", g_strerror(errno));
        return FALSE;
    }
    const int status = run(calls, data, said, error);
    const gboolean returned = status >= 0 && WIFEXITED(status) && WEXITSTATUS(status) == RETURNED;
    if (status >= 0 && !returned) {
        g_autofree char *how = ending(status), *words = last_line(said);
        ps_error_at(error, PS_ERROR_DEVICE, (PsPlace){0},
                    "the driver ends a program that asks for its devices (%s%s)", how, words);
    }
    fclose(said);
    return returned;
}
