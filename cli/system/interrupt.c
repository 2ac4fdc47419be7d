/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See interrupt.h. Signals are blocked, and a thread takes them one by one: nothing global is
 * needed, and no handler runs within a driver's work.
 */
#include "cli/system/interrupt.h"

#include "cli/system/line.h"

#include <stdlib.h>
#include <time.h>

/* Nanoseconds between the thread's checks whether it must end. */
#define LOOK 50000000

struct Interrupt {
    sigset_t watched, before;
    GThread *thread;
    gint ended; /* atomic, like the next */
    gint asked;
};

static void die_by(int signal_number)
{
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, signal_number);
    /* The former action follows: unfinished files are removed (draft.c). */
    raise(signal_number);
    pthread_sigmask(SIG_UNBLOCK, &only, NULL);
}

static void *watch(void *self)
{
    Interrupt *interrupt = self;
    const struct timespec look = {0, LOOK};
    while (!g_atomic_int_get(&interrupt->ended)) {
        const int got = sigtimedwait(&interrupt->watched, NULL, &look);
        if (got > 0 && !g_atomic_int_compare_and_exchange(&interrupt->asked, 0, got))
            die_by(got);
    }
    return NULL;
}

/* Signals that the parent process ignores (nohup) stay ignored. */
static void choose(sigset_t *watched)
{
    static const int signals[] = {SIGHUP, SIGINT, SIGTERM};
    sigemptyset(watched);
    for (guint i = 0; i < G_N_ELEMENTS(signals); i++) {
        struct sigaction action;
        if (sigaction(signals[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(watched, signals[i]);
    }
}

Interrupt *interrupt_begin(GError **error)
{
    Interrupt *interrupt = g_new0(Interrupt, 1);
    choose(&interrupt->watched);
    pthread_sigmask(SIG_BLOCK, &interrupt->watched, &interrupt->before);
    interrupt->thread = g_thread_try_new("signals", watch, interrupt, error);
    if (interrupt->thread)
        return interrupt;
    pthread_sigmask(SIG_SETMASK, &interrupt->before, NULL);
    g_free(interrupt);
    return NULL;
}

int interrupt_asked(Interrupt *interrupt)
{
    return g_atomic_int_get(&interrupt->asked);
}

int interrupt_end(Interrupt *interrupt)
{
    g_atomic_int_set(&interrupt->ended, 1);
    g_thread_join(interrupt->thread);
    const int asked = interrupt->asked;
    pthread_sigmask(SIG_SETMASK, &interrupt->before, NULL);
    g_free(interrupt);
    return asked;
}

void interrupt_die(int signal_number)
{
    line_end();
    signal(signal_number, SIG_DFL);
    die_by(signal_number);
    exit(128 + signal_number);
}
