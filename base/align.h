/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares two sequences as diff(1) does. It finds what both have in the same order, and what
 * changed its place. An element is a number; equal numbers are equal elements.
 */
#ifndef PIPESIM_BASE_ALIGN_H
#define PIPESIM_BASE_ALIGN_H

#include <glib.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The place of an element of one sequence that has no element of the other beside it. */
#define PS_ALIGN_NONE G_MAXUINT

/* A sequence; borrowed. */
typedef struct {
    const guint *keys;
    guint n;
} PsAlignSequence;

/* The number of a text as an element, above 0: equal texts share one. The text is taken; `keys` has
 * the texts so far (g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL)). */
guint ps_align_key(GHashTable *keys, char *text);

/* For each element i of a, sets beside[i] to the element of b that it stands beside, or to
 * PS_ALIGN_NONE. These places rise with i. The pairs are a longest common subsequence, by the
 * linear-space algorithm of E. W. Myers, "An O(ND) difference algorithm and its variations"
 * (Algorithmica 1, 1986). Where sequences differ in more than some 2000 elements, the pairs are
 * common but perhaps not the most there are, so that the time stays within a small multiple of the
 * lengths. */
void ps_align_in_order(PsAlignSequence a, PsAlignSequence b, guint *beside);

/* Finds moved blocks among the elements without a partner. A block is an element that both
 * sequences have once, with its equal neighbours on both sides (P. Heckel, "A technique for
 * isolating differences between files", Communications of the ACM 21, 1978). Sets beside[i] of its
 * elements. The time grows with the lengths. */
void ps_align_moved(PsAlignSequence a, PsAlignSequence b, guint *beside);

#pragma GCC visibility pop
G_END_DECLS
#endif
