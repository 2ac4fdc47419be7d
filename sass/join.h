/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that were compiled apart from the kernels that call them (nvcc -rdc=true). */
#ifndef PIPESIM_SASS_JOIN_H
#define PIPESIM_SASS_JOIN_H

#include "sass/image.h"

G_BEGIN_DECLS

/* A barrier of all threads, which compilers put where parts of a program are compiled apart. */
#define PS_SASS_BARRIER "__cuda_sm70_barrier_sync_0"

/* Puts the functions of the file that a kernel calls, and those that they call, behind the kernel's
 * own code, and fills in their addresses. They become its subroutines, and their calls are no
 * longer `apart`. A kernel stays as it is if a function has constant banks or indirect branches of
 * its own, or if code needs an address outside of code. */
void ps_sass_join(PsSassImage *image);

G_END_DECLS
#endif
