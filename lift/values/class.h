/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the class of an instruction, and what it counts as. docs/reference/build.md has the whole
 * list.
 */
#ifndef PIPESIM_LIFT_VALUES_CLASS_H
#define PIPESIM_LIFT_VALUES_CLASS_H

#include "lift/memory/pattern.h"

G_BEGIN_DECLS

typedef enum {
    PS_CLASS_COMPUTE,
    PS_CLASS_LOAD,
    PS_CLASS_STORE,  /* its result, if it has one, is never read */
    PS_CLASS_ATOMIC, /* reads and writes memory */
    PS_CLASS_BARRIER,
    PS_CLASS_BRANCH,
    PS_CLASS_COPY,   /* cp.async: from global to local memory, without the warp */
    PS_CLASS_COMMIT, /* ends a group of such copies */
    PS_CLASS_WAIT,   /* waits for such groups of copies */
    PS_CLASS_EFFECT, /* has an effect that a graph does not show: a fence */
    PS_CLASS_NOTHING /* becomes no instruction: a hint to the compiler, the warp's end */
} PsClassKind;

typedef struct {
    const char *name; /* the class without what its access pattern adds; interned */
    PsClassKind kind;
    guint ops;        /* operations per thread */
    const char *type; /* of these: "fp32"; NULL if ops is 0 */
    gboolean known;   /* FALSE: the class is "unknown" */
    const char *unit; /* the class that a matrix product is counted in; NULL: its own ... */
    guint units;      /* ... and how many instructions of that class it takes */
} PsClass;

/* Asynchronous operations, which go on beside a warp in groups that it ends and waits for: copies
 * of some bytes a lane, copies of many bytes, products of four warps, and loads and stores of
 * tensor memory. */
typedef enum {
    PS_BESIDE_COPIES,
    PS_BESIDE_BULK,
    PS_BESIDE_PRODUCTS,
    PS_BESIDE_MOVES,
    PS_N_BESIDE
} PsClassBeside;
PsClassBeside ps_class_beside(const PsPtxMnemonic *mnemonic);

/* TRUE for a product of four warps, which goes on beside them. */
gboolean ps_class_is_product(const PsPtxMnemonic *mnemonic);

/* TRUE for a barrier of warps of a group: not of one warp, of a cluster, or in memory. */
gboolean ps_class_is_barrier(const PsPtxInstruction *instruction);

/* The class of a barrier of all warps of a group. */
PsClass ps_class_barrier(void);

/* The class of a barrier for a part of a group, at which a warp only arrives. */
PsClass ps_class_barrier_in_part(void);

/* The class of a warp's end. */
PsClass ps_class_exit(void);

/* The properties of the class of that name (interned or static), without operations; "unknown"
 * where it is NULL. */
PsClass ps_class_named(const char *name);

/* The class of an instruction; space: of the memory that it accesses, or GENERIC. */
PsClass ps_class_of(const PsPtxInstruction *instruction, PsPtxSpace space);

/* The class of an instruction of tensor memory (tcgen05); FALSE for others. A product has no shape
 * before it is executed, and the class of its shape after that. */
gboolean ps_class_tensor(const PsPtxMnemonic *mnemonic, PsClass *result);
PsClass ps_class_tensor_product(const PsPtxTensorProduct *product);

/* Whether mbarriers count its end: a product with tensor memory, or a copy into that. */
gboolean ps_class_is_awaited(const PsPtxMnemonic *mnemonic);

/* TRUE for a product of matrices; and the class of one. */
gboolean ps_class_is_matrix(const PsPtxMnemonic *mnemonic);
PsClass ps_class_matrix(const PsPtxInstruction *instruction);

G_END_DECLS
#endif
