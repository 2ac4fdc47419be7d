/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What parts of an answer are called, for everything that prints them. What comes from a file is
 * clean. Free texts with g_free.
 */
#ifndef PIPESIM_TELL_WORDS_H
#define PIPESIM_TELL_WORDS_H

#include "answer/advised.h"
#include "answer/explain.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* "L2 bandwidth", "device memory bandwidth", "atomics of the whole GPU", "spot x". */
char *ps_server_words(const PsServerRow *row);

/* A pipeline of the answer's GPU, by its index. */
char *ps_pipeline_words(const PsAnswer *answer, guint pipeline);

/* What a share of the critical path is charged to, of each of the tables: "local.load, completion
 * latency"; "mmul.cl:31", "no source line"; "local", "issue port". */
typedef char *(*ShareWords)(const PsAnswer *answer, const PsExplainShare *share);
char *ps_class_share_words(const PsAnswer *answer, const PsExplainShare *share);
char *ps_line_share_words(const PsAnswer *answer, const PsExplainShare *share);
char *ps_pipeline_share_words(const PsAnswer *answer, const PsExplainShare *share);

/* The same for programs: whatever the source's language, with the names that files have. */
char *ps_class_share_name(const PsAnswer *answer, const PsExplainShare *share);
char *ps_pipeline_share_name(const PsAnswer *answer, const PsExplainShare *share);

/* The place of a node of the answer's kernel: "mmul.cu:24", "near mmul.cu:24"; with all that is
 * known, "mmul.cu:24 (header.h:12) at 01a0", the address in machine code. "" if it is not known. */
char *ps_near_words(const PsAnswer *answer, guint program, guint node);
char *ps_place_words(const PsAnswer *answer, guint program, guint node);

/* The first of them, of a class that is called so (NULL: none); not by warp. */
char *ps_path_words(PsPathKind kind, const char *name);

/* The others' words for what has no line, and no pipeline. */
#define NO_LINE "no source line"
#define NO_PIPELINE "no pipeline"
#define ISSUE_PORT "issue port"

/* What a warp waits for: "data of global.load"; and the same for programs. */
char *ps_wait_words(const PsAnswer *answer, const PsWaitRow *row);
char *ps_wait_name(const PsAnswer *answer, const PsWaitRow *row);

/* "issue latency". Static. */
const char *ps_varies_words(const PsAnswer *answer, PsVaries varies);

/* "fmadd Lambda", "L2 bandwidth", "clock"; and what a relief tries: "local.load without conflicts".
 */
char *ps_sensitivity_words(const PsAnswer *answer, const PsSensitivity *row);
char *ps_relief_words(const PsAnswer *answer, const PsAvoidable *avoidable);

/* What a sensitivity varies, as it is now. */
char *ps_sensitivity_value(const PsSensitivity *row);

/* A sentence below the critical path's classes, on groups that waited for a place; and one below
 * its lines, which explains "near" or says why there are none (g_free). NULL: none is needed. */
char *ps_sentence_places(const PsAnswer *answer);
char *ps_sentence_path_lines(const PsAnswer *answer);

/* Sentences on an answer's sensitivities (char *; g_ptr_array_unref): up to which change they may
 * be chance, none where no digit shows it; and what could not be tried, once for each reason. */
GPtrArray *ps_sentences_chance(const PsAnswer *answer);
GPtrArray *ps_sentences_untried(const PsAnswer *answer);

/* "products and epilogue": what warps do, by PsRoleDeed; static. And what those of a role do. */
const char *ps_deeds_words(guint does);
char *ps_role_words(const PsRoleTable *table, guint role);

/* "copies (warp 0)". */
char *ps_role_name(const PsRoleTable *table, guint role);

/* "copies (warp 0): waits 61.2 % for an empty stage (products)": shares of its time. */
char *ps_role_sentence(const PsRoleTable *table, guint role);

/* "mmul.cu:37: 4 stages of 32 768 bytes; in the mean 2.10 under way, 0.41 full, 1.20 in use": of
 * stages by their number in the answer's table. */
char *ps_stages_sentence(const PsAnswer *answer, guint number);

/* Bytes of a filling, in the mean. */
gint64 ps_ring_fill_bytes(const PsAnswer *answer, const PsRing *ring);

/* The sentence of advice behind its place, "mmul.cu:24: ", and how sure it is. */
char *ps_placed_advice_sentence(const PsAnswer *answer, const PsAdvice *advice);

/* What the occupancy's next step would give: "one more group per CU (registers 40 -> 32) would give
 * nothing: 0.3 %". */
char *ps_step_sentence(const PsAnswer *answer);

/* The result of the comparison with the roofline, a sentence without a full stop; NULL if nothing
 * can be compared. */
char *ps_verdict_sentence(const PsAnswer *answer);

#pragma GCC visibility pop
G_END_DECLS
#endif
