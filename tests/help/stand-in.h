/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A folder of drivers that are none, as the only one that is searched (PIPESIM_DRIVERS).
 */
#ifndef PIPESIM_TESTS_HELP_STAND_IN_H
#define PIPESIM_TESTS_HELP_STAND_IN_H

#include <glib.h>

typedef struct {
    char *folder;
    void *library; /* or NULL, like the functions */
    void (*reset)(void);
    void (*fail)(const char *call, int at, int code); /* at the at-th call, from 1 */
    void (*set)(const char *what, int value);         /* see tests/stand-in/device.h */
    int (*get)(const char *what);
    const char *(*arch)(void);
    const char *(*image)(void); /* the start of what was loaded last */
} StandIn;

/* A folder where the stand-in ("cuda", "hip", "opencl"; NULL: none) is found under those names,
 * which end in NULL. Only one of each kind at a time. */
StandIn *stand_in_new(const char *kind, const char *const *names);
StandIn *stand_in_cuda(void); /* with its compiler, like the next */
StandIn *stand_in_hip(void);
StandIn *stand_in_opencl(void);
void stand_in_free(StandIn *stand);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(StandIn, stand_in_free)

#endif
