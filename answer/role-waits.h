/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Roles of a group's warps: what each does, which waits for which and for how long, and how full
 * the stages of the software pipelines between them are.
 */
#ifndef PIPESIM_ANSWER_ROLE_WAITS_H
#define PIPESIM_ANSWER_ROLE_WAITS_H

#include "sim/listen/stages.h"
#include "sim/listen/waits.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The work of a role's warps, as bits; none: other work. */
typedef enum {
    PS_ROLE_COPIES = 1,   /* asynchronous copies to shared memory */
    PS_ROLE_PRODUCTS = 2, /* products of matrices */
    PS_ROLE_EPILOGUE = 4  /* stores to global memory */
} PsRoleDeed;

/* The thing that is waited for. */
typedef enum {
    PS_ROLE_FOR_COPIES,   /* a stage that is full */
    PS_ROLE_FOR_STAGES,   /* a stage that is given back: it is empty */
    PS_ROLE_FOR_PRODUCTS, /* the role's own products */
    PS_ROLE_FOR_WARPS,    /* other arrivals of warps of a role */
    PS_ROLE_FOR_BARRIER,  /* all warps of the group */
    PS_ROLE_N_FOR
} PsRoleFor;

typedef struct {
    PsRoleFor what;
    guint role;   /* whose they are, a number in the list of roles; G_MAXUINT: of all */
    double share; /* of the time until each of the waiting role's warps has issued all */
} PsRoleWait;

/* Warps that do the same kind of work. */
typedef struct {
    guint does;    /* PsRoleDeed */
    GArray *warps; /* guint: numbers in the group, ascending */
    GArray *waits; /* PsRoleWait, largest share first */
    double ticks;  /* of all its warps, until each has issued all */
} PsRole;

/* How full a ring's stages are. */
typedef struct {
    const PsRing *ring; /* borrowed from the table */
    PsStageMeans means;
} PsRoleStages;

typedef struct PsRoleTable {
    GPtrArray *rings; /* PsRing */
    GPtrArray *roles; /* PsRole, in the order of their first warps */
    GArray *stages;   /* PsRoleStages: one for each ring; kinds of groups with the same ring share
                         that of the first kind */
    guint *role_of;   /* [program]: number in roles */
} PsRoleTable;

/* The roles of the machine's kernel; NULL where no warp waits for another's work and no stage is
 * filled. node_waits: PsNodeWait; stages: of these rings, which are taken. Either may
 * be NULL: then nothing is said of waits, or of means. */
PsRoleTable *ps_role_table_new(const PsMachine *machine, GPtrArray *rings, const PsStages *stages,
                               const GArray *node_waits);
void ps_role_table_free(PsRoleTable *table);

/* "copies", "stages", "products", "warps", "barrier". Static. */
const char *ps_role_for_name(PsRoleFor what);

/* What a program of the kernel does, as PsRoleDeed. */
guint ps_role_does(const PsProgram *program);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsRoleTable, ps_role_table_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
