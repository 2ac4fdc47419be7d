/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What people call the memory that a group's threads share: "local memory" in OpenCL, whose words
 * names of classes use; "shared memory" in CUDA and HIP, where a thread's own memory is local. The
 * language of a graph's source decides. Every text for people takes its words here; names of
 * classes in files stay what they are.
 */
#ifndef PIPESIM_IDG_WORDS_H
#define PIPESIM_IDG_WORDS_H

#include "idg/idg.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Whether the graph's source is CUDA or HIP: by the ending of its file's name, else TRUE where it
 * was made of PTX (which OpenCL without lines becomes as well). */
gboolean ps_idg_says_shared(const PsIdg *idg);

/* "shared memory" or "local memory". Static. */
const char *ps_idg_local_memory(const PsIdg *idg);

/* What people call a class: "shared.load.c4" for "local.load.c4", or the name itself; safe to print
 * (g_free). NULL gives NULL. */
char *ps_idg_class_words(const PsIdg *idg, const char *class_name);

/* The beginning of a source that says how many registers ptxas gives a thread of PTX. */
#define PS_IDG_REGISTERS_CHOSEN "Registers: as ptxas -v reports them"

/* Whether the graph is of PTX, and its registers are an assembler's choice or nobody's. */
gboolean ps_idg_chooses_registers(const PsIdg *idg);

#pragma GCC visibility pop
G_END_DECLS
#endif
