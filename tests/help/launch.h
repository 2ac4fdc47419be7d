/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arguments of a kernel from texts. Its module is made of what stands in front of the kernel, its
 * parameters and its body, in which r0 ... r9 are registers of 32 bits, d0 ... d9 of 64.
 */
#ifndef PIPESIM_TESTS_HELP_LAUNCH_H
#define PIPESIM_TESTS_HELP_LAUNCH_H

#include "launch/launch.h"

typedef struct {
    const char *name;                   /* of the kernel; NULL: k */
    const char *before, *params, *body; /* each may be NULL */
    const char *required;               /* "32, 8, 1": the threads that the kernel requires */
    const char *source;                 /* text of the source, or NULL */
    const char *extension;              /* of the source's name; NULL: "cu" */
    guint address_size;                 /* bits; 0: 64 */
    PsLaunchTexts texts;
} LaunchCase;

typedef struct {
    PsPtxModule *module;
    PsLaunchArguments *arguments; /* NULL: error */
    GPtrArray *notes, *warnings;
    char *command; /* of ps_launch_command */
    GError *error;
} Launched;

/* Each belongs to the caller. */
Launched *launch_new(const LaunchCase *launch);
void launch_free(Launched *launched);

/* The case with these texts, which end in NULL. */
Launched *launch_with(LaunchCase launch, const char *const *texts);

/* Asserts that it fails as wrong usage, with this message. */
void launch_fails(LaunchCase launch, const char *const *texts, const char *message);

/* Asserts that the array holds just this text; NULL: none. */
void launch_tells(const GPtrArray *array, const char *text);

#define TEXTS(...) ((const char *const[]){__VA_ARGS__, NULL})

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Launched, launch_free)

#endif
