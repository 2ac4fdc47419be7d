/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names of instruction classes: what a graph asks for, what a description serves, what a benchmark
 * measures. A name is parts of letters, digits and "_", with dots between, from the general to the
 * special: "global" covers "global.load", which covers "global.load.s8". The first part is the
 * kind. Most parts only tell one class from another; these mean something:
 *
 *     barrier                                            a barrier (rule T6)
 *     KIND.store                                         a store (rule T5)
 *     {rcp | rsqrt | sqrt | sin | cos | exp2 | log2}     of the special function unit
 *     {local | global | memory}[.load | .store]          an access to memory ...
 *     copy.{load | store}                                many bytes, by a unit of its own
 *     atomic[.local | .global]
 *         [.PATTERN]                                     ... as somebody measured it: "A.8x8",
 * "own"
 *         [.conflict]                                    ... with bank conflicts
 *         [.broadcast | .cN | .strideN | .sN][.p2][.vN]  ... as counted: PsClassAccess
 *     tensor[.wgmma][.TYPE[.RESULT]][.sparse][.SHAPE]    a product of matrices: base/matrix.h
 *     tensor_memory.{load | store | copy}[.cN]           N words of each lane
 *
 * A number has at most nine digits; a part with more, or with none, is a pattern like any other. Of
 * several counts of one letter, the last one counts.
 *
 * Where a description lacks a class, another one stands in: of a name whose last part is a letter
 * and a number, that of the next higher number, else of the highest; then what covers it, the
 * nearest first (ps_gpu_class).
 *
 * Nothing else takes a name apart. Names are borrowed, strings that are returned are freed with
 * g_free, and nothing here fails: a text that is no name has no parts that mean something.
 */
#ifndef PIPESIM_BASE_CLASS_NAME_H
#define PIPESIM_BASE_CLASS_NAME_H

#include <glib.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* ---- general and special ------------------------------------------------------------------- */

/* TRUE for parts of letters, digits and "_" with dots between, none of them empty. */
gboolean ps_class_is_name(const char *text);

/* TRUE if the wanted class has that name or is one of its subclasses ("local" covers
 * "local.load.conflict", "loc" does not). */
gboolean ps_class_covers(const char *name, const char *asked);

/* TRUE if one of these names (NULL at the end) covers it. */
gboolean ps_class_is_one_of(const char *asked, const char *const *names);

/* Adds the names of all classes that cover the wanted one, itself first, to an array that owns its
 * strings. */
void ps_class_add_names(const char *asked, GPtrArray *names);

/* Whether the class belongs to the special function unit. */
gboolean ps_class_is_special(const char *name);

/* At least 1. */
guint ps_class_n_parts(const char *name);

/* The first n parts, at least one; all if there are fewer: the kind, for n = 1. */
char *ps_class_first_parts(const char *name, guint n);

/* Makes the name that of the next more general class, in place: cuts off the last part, and returns
 * it (borrowed, in the same memory). NULL, and nothing is changed, if there is only one part. */
char *ps_class_cut_last(char *name);

/* TRUE if the last part is one letter and a number, in place of which another class of the same
 * pattern may have another number. Then *stem is the number of characters before it. A type of
 * numbers has no degree: f64 is none of f16, nor s8 of s4 in products of matrices. */
gboolean ps_class_degree(const char *name, gsize *stem, gint64 *degree);

/* ---- memory -------------------------------------------------------------------------------- */

/* TRUE for a class of the memory that a group shares; atomics there count. */
gboolean ps_class_is_local(const char *name);

/* The name of a class in CUDA's and HIP's words, "shared.load.c4" of "local.load.c4" and
 * "atomic.shared" of "atomic.local", and the name that such a word stands for; a copy of any other.
 */
char *ps_class_in_cuda(const char *name);
char *ps_class_of_cuda(const char *name);

/* Copies of many bytes between local memory and that of all groups, by a unit of their own: TMA. */
gboolean ps_class_is_copy(const char *name);

/* Loads, stores and copies of the memory that all groups share. */
gboolean ps_class_is_global(const char *name);

/* TRUE if the second part is "store"; TRUE if the class is a store or an atomic. */
gboolean ps_class_is_store(const char *name);
gboolean ps_class_writes(const char *name);

/* The class of loads with the pattern of these stores: "global.load.v4" for "global.store.v4". NULL
 * where the class has no stores. */
char *ps_class_load_of(const char *name);

/* The pattern of an access, by its class's name. Numbers are 1 if the name does not state them; 0
 * is written as 1. */
typedef struct {
    gboolean broadcast; /* all threads read one address */
    gint64 conflicts;   /* c4: the fullest bank serves each part of a warp 4 times */
    gint64 stride;      /* stride2: threads read every second element */
    gint64 sectors;     /* s8: a request touches 8 sectors of 32 bytes, more than its bytes fill */
    gint64 words;       /* v4: a thread moves 4 words of 4 bytes at once */
    gint64 pairs; /* p2: pairs of threads read the same, so twice as many are served at once */
} PsClassAccess;

/* The wavefronts of an access to local memory, at least 1: the passes of each part of a warp that
 * is served at once, times the number of parts. A word of each lane is a part. If pairs of threads,
 * or all threads, load the same, there are half as many parts. */
gint64 ps_class_wavefronts(const PsClassAccess *access);

/* What the last parts of a class's name say of an access. */
PsClassAccess ps_class_access(const char *name);

/* The name of that class with what `access` says: "local.load.c4.v2". */
char *ps_class_with_access(const char *name, const PsClassAccess *access);

/* Whether nothing but sectors or words tell it from a general class of global memory, as
 * "global.load.s8.v4"; "global.load.A.8x8" is a pattern that somebody measured. */
gboolean ps_class_is_counted(const char *name);

/* The class of the same accesses without bank conflicts: "local.load.v2" for "local.load.c4.v2" and
 * for "local.load.conflict.v2". NULL where the class has no conflicts. An atomic has none that
 * another layout would end, unless its name says "conflict": its threads may want the same word. */
char *ps_class_without_conflict(const char *name);

/* "global.store" for "global.store.s32". NULL if the name states no sectors. */
char *ps_class_coalesced(const char *name);

#pragma GCC visibility pop
G_END_DECLS
#endif
