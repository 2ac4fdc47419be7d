/* SPDX-License-Identifier: BSD-3-Clause */
/* What parts of an answer are called in the words of its graph's language (idg/words.h). */
#ifndef PIPESIM_ANSWER_WORDS_H
#define PIPESIM_ANSWER_WORDS_H

#include "answer/answer.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The class of that index in the answer's machine, as the graph asks for it; clean (g_free). */
char *ps_answer_class_words(const PsAnswer *answer, guint class_index);

/* A pipeline of that name: "LSU", the load/store unit, where the GPU's description says that one
 * serves both the memory that a group shares and the wavefronts of L1; "shared" of that memory's
 * own, where the graph's language calls it so; else its name. Clean (g_free). */
char *ps_answer_pipeline_words(const PsAnswer *answer, const char *pipeline);

#pragma GCC visibility pop
G_END_DECLS
#endif
