/* SPDX-License-Identifier: BSD-3-Clause */
/* The code that CUDA has loaded in this process, each once in the file. Several threads may ask. */
#ifndef PIPESIM_LATENCY_BENCH_PROFILE_MODULES_H
#define PIPESIM_LATENCY_BENCH_PROFILE_MODULES_H

#include "latency-bench/profile/parts.h"

/* Machine code, which stays as long as the process. */
typedef struct Code {
    void *cubin;
    size_t size;
    unsigned number; /* in the file */
    struct Code *next;
} Code;

/* A module of a context was loaded, whose code is borrowed; or it is to be unloaded. image: the
 * number of what it was made of; 0: that is not known. */
void ps_modules_add(Parts *parts, const void *context, uint32_t id, const void *cubin, size_t size,
                    unsigned image);
void ps_modules_remove(const void *context, uint32_t id);

/* The code of the context that has the kernel. NULL, and *why, static: no module has it, or several
 * whose code differs. */
const Code *ps_modules_find(const void *context, const char *kernel, const char **why);

/* Writes code as the program handed it over: a fat binary with or without its wrapper, machine code
 * or PTX, which says itself how long it is. Its number in the file, from 1; 0: it is not there. */
unsigned ps_modules_image(Parts *parts, const void *image);

/* Writes which files are loaded: the program and its libraries, which may have code inside. */
void ps_modules_programs(Parts *parts);

#endif
