/* SPDX-License-Identifier: BSD-3-Clause */
/* The file that a PsSassImage keeps. */
#ifndef PIPESIM_SASS_STORAGE_H
#define PIPESIM_SASS_STORAGE_H

#include <gelf.h>
#include <glib.h>

G_BEGIN_DECLS

typedef struct {
    gpointer bytes; /* a copy that libelf may write to */
    Elf *elf;
    GPtrArray *kept;      /* memory for variables that were set, and for code that was joined */
    GPtrArray *functions; /* PsSassKernel: those that no host can launch */
} PsSassStorage;

G_END_DECLS
#endif
