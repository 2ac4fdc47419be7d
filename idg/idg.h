/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The instruction dependence graph (IDG) of a kernel, as its file states it: parameters, launch,
 * and for the warps of a group one or more codes, each a program of nodes and loops in program
 * order (docs/reference/model.md, section 2); if there are several kinds of groups, codes for each.
 * Nothing is evaluated here; idg/program.h does that.
 */
#ifndef PIPESIM_IDG_IDG_H
#define PIPESIM_IDG_IDG_H

#include "base/level.h"
#include "base/source.h"
#include "idg/expr.h"
#include "idg/load.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* A parameter; its default is an expression over the parameters before it. */
typedef struct {
    char *name;
    PsExpr *value;
    char *text; /* what it means, for people; may be NULL */
    int line;
} PsIdgParam;

/* The launch. Absent expressions are NULL; groups and group_size are always there. */
typedef struct {
    PsExpr *groups;           /* work-groups of the whole launch */
    PsExpr *group_size;       /* threads per group */
    PsExpr *registers;        /* registers per thread */
    PsExpr *alive;            /* most of these in use at once; NULL: not known */
    PsExpr *accumulators;     /* accumulation registers per thread; NULL: none */
    PsExpr *scalar_registers; /* scalar registers per warp; NULL: not stated */
    PsExpr *local_memory;     /* bytes per group */
    PsExpr *tensor_memory;    /* columns per group */
    PsRational work_error; /* share of itself by which a group's mean work may be off, since not all
                              groups were executed: two standard errors; 0: exact */
    PsRational unseen;     /* share of the groups at whose place in the grid none was executed */
    PsRational hidden;     /* share of the groups that may be of a kind without an executed group */
    PsRational executed;   /* share of the groups that were executed; 0: not known */
    int line;
} PsIdgLaunch;

/* Most dependences that a file may give one node. */
#define PS_IDG_MAX_AFTER 1000

/* One dependence of a node, written in its `after`, of which a file may have PS_IDG_MAX_AFTER:
 *     x        on the most recent instance of x
 *     x@2      on the second most recent; x@ilp, x@(2*k): the distance is an expression
 *     x@all    on every instance of x in the latest execution of the outermost loop that
 *              encloses x but not this node */
typedef struct {
    char *on; /* name of the node */
    gboolean all;
    PsExpr *distance; /* NULL is 1 */
} PsIdgDep;

/* What a node needs of other warps, written in its `awaits` (docs/reference/model.md, R12):
 *     role:x          instance k waits for the first k + 1 instances of x in each warp of that role
 *     role:x*P/E@D    for the first P * (floor(k / E) + 1 - D)
 *     role:x@all      for all of them */
typedef struct {
    char *role; /* name of the code */
    char *on;   /* name of the node */
    gboolean all;
    PsExpr *per;     /* P; NULL is 1 */
    PsExpr *every;   /* E; NULL is 1 */
    PsExpr *before;  /* D; NULL is 0 */
    gboolean to_all; /* at most as many as there are */
} PsIdgAwait;

/* A list of these. */
typedef struct {
    GPtrArray *list;
} PsIdgAwaits;

#define PS_IDG_ANY_OFFSET 32 /* PsIdgItem.offset that differs from case to case */

/* Banks of registers that a scheduler has, and most that a node may read of one. */
#define PS_IDG_BANKS 2
#define PS_IDG_MAX_READS 3

/* What an item of a body is. */
typedef enum { PS_IDG_NODE, PS_IDG_LOOP } PsIdgKind;

/* An instruction or a loop in a body. It owns everything it points to. */
typedef struct {
    PsIdgKind kind;
    char *name; /* of a node: unique within its code; of a loop: for people, may be NULL */
    int line;   /* in the .idg file, 0 if none */

    /* PS_IDG_LOOP */
    PsExpr *times;   /* trip count, 0 allowed */
    GPtrArray *body; /* PsIdgItem */

    /* PS_IDG_NODE */
    char *class_name;   /* instruction class: "global.load.A.8x8" */
    GPtrArray *after;   /* PsIdgDep */
    PsIdgAwaits awaits; /* what it needs of other warps; NULL: nothing */
    GPtrArray *reads; /* PsIdgDep: of machine code whose nodes advice may move, what the node reads
                         beside its dependences (holds and the order take care of that); NULL:
                         nothing, or not known */
    PsExpr *hold;     /* cycles after the node issues in which its warp issues nothing; NULL is 0 */
    guint8
        banks[PS_IDG_BANKS];   /* registers that it reads of each bank; zeros: none, or not known */
    guint8 kept[PS_IDG_BANKS]; /* how many of these registers the warp's instruction before left in
                                  the cache of operands */
    PsExpr *bytes;             /* per thread, of a memory node; NULL: not stated */
    PsExpr *share[PS_N_LEVELS]; /* share of those bytes that reaches each level: above 1 if whole
                                   sectors are moved for less; NULL: not stated */
    PsExpr *lines; /* lines of the caches that a request touches in the mean; NULL: only bytes count
                      at the first level */
    PsExpr *wavefronts; /* passes of L1's banks that a request of a warp takes in the mean; NULL:
                           not stated */
    PsExpr *rows;       /* rows of device memory that such a request opens for itself, in the mean;
                           NULL: none */
    PsExpr
        *partial;  /* of a store or an atomic: the share of its bytes, like those of levels, in
                      sectors that its warp writes in part; NULL: by its bytes at L2 and its lanes */
    char *spot;    /* a place in memory at which requests of many groups take turns; nodes with the
                      same name meet there; NULL: none */
    PsExpr *turns; /* share of the node's requests that go to its spot, above 0 to 1; NULL is 1 */
    guint meet;    /* of the spot's atomics: the most threads of a warp at one address, in the mean;
                      32: all threads of all warps are at the same one; 0: not stated */
    guint serial; /* turns of a request: the most operations at one address, over its sectors in the
                     mean, that no compiler has added up; below the number of sectors: as many as
                     these */
    /* How an access lies to others; neither this nor `meet` changes its time. */
    char *beside; /* first of the nodes of one body whose accesses, each time, fill one aligned
                     piece of each thread's memory, this node's among them; NULL: none */
    guint
        vector; /* how many of its accesses in a row fill such a piece by themselves; 0: none do */
    PsExpr *distinct;  /* of a load or an atomic: the share of its bytes, like those of levels, that
                          its group had not loaded before in the same loop; NULL: not stated */
    PsExpr *read_only; /* of a plain load that L1 does not keep: the share of its bytes that would
                          reach L2 by the read-only path; NULL: the same, or not stated */
    guint8 offset;     /* bytes from a multiple of 32 to where the lanes' bytes, which follow each
                          other, begin; PS_IDG_ANY_OFFSET: that differs; 0: not stated */
    guint invariant;   /* in how many of the loops around it each thread moves the same bytes again,
                          counted from the innermost */
    PsExpr *ops;       /* operations per thread that it counts as; NULL is 0 */
    char *type;        /* kind of these operations: "fp32", "fp64", "fp16", "int", "tensor" */
    char *op; /* the operation that the node computes, as PTX calls it ("div.rn.f32"), if the class
                 does not tell; if several nodes compute it, the node with the result has it; NULL:
                 not stated */
    char *part;    /* the node with the result of the operation that it is a part of; NULL: none */
    char *by;      /* the divisor of op, if it is the same in all threads, for people; or NULL */
    PsExpr *lanes; /* mean share of a warp's threads that come to it, above 0 to 1; NULL is 1 */
    guint side; /* number of the side of a branch at which a warp's threads part, the same for all
                   nodes of that side; 0: none */
    char *file; /* source file, NULL: the graph's */
    int source_line; /* 0 if not known */
    gboolean near;   /* it has no line of its own: this is the line of what stands before it */
    char *via;       /* "header.h:12": in which inlined function, called on its line; NULL: none */
    guint instruction; /* line of the machine code that it was made of, from 1; 0: not known. Never
                          written */

    char *comment; /* for people: written as a comment before the item, never read; may be NULL */
} PsIdgItem;

/* Warps first..last of a group; last NULL means first alone. */
typedef struct {
    PsExpr *first;
    PsExpr *last;
} PsIdgWarps;

/* A code: what some warps of each group, or of each group of a kind, run. */
typedef struct {
    char *name;       /* the role of its warps; NULL: none */
    GPtrArray *warps; /* PsIdgWarps; NULL: every warp that no other code claims */
    GPtrArray *body;  /* PsIdgItem */
    guint kind;       /* index in the graph's kinds; 0 if it has none */
    int line;
} PsIdgCode;

/* Groups of one kind, if not all run the same: those inside of a grid, those at its edges. */
typedef struct {
    char *name;    /* unique in the graph */
    PsExpr *share; /* the kind's parts of the launch's groups; the whole is the sum over all
                      kinds */
    int line;
} PsIdgGroups;

/* The beginning of a source that says what is missing in the graph. */
#define PS_IDG_PARTIAL "Partial: "

/* How sure a guess is. */
typedef enum {
    PS_IDG_SURE_CODE,   /* any value would do, as far as the code tells */
    PS_IDG_SURE_LIKELY, /* the code suggests it */
    PS_IDG_SURE_WEAK,
    PS_IDG_N_SURE
} PsIdgSure;

const char *ps_idg_sure_word(PsIdgSure sure); /* "code", "likely", "weak" */

/* A value of the launch that nobody gave. Owns its texts. */
typedef struct {
    char *name;   /* an argument, "grid" or "block" */
    char *value;  /* for people */
    char *option; /* what would replace it: "--arg n=NUMBER" */
    char *text;   /* what it rests on */
    PsIdgSure sure;
} PsIdgGuess;

void ps_idg_free_guess(void *guess);

/* A graph, as its file states it. */
struct PsIdg {
    char *path;         /* the file that it was read from, for messages; NULL if built in memory */
    char *name;         /* name of the kernel */
    char *title;        /* one sentence, may be NULL */
    char *file;         /* source file that the nodes' lines speak of, may be NULL */
    char *digest;       /* SHA-256 of that file when the graph was made, in hexadecimal; or NULL */
    gboolean of_ptx;    /* made of NVIDIA's PTX, by whatever compiler */
    GPtrArray *sources; /* PsSource */
    GPtrArray *guesses; /* PsIdgGuess */
    GPtrArray *params;  /* PsIdgParam */
    PsIdgLaunch launch;
    GPtrArray *kinds; /* PsIdgGroups, in order of precedence (docs/reference/model.md, section 3);
                         empty: all groups are of one kind */
    GPtrArray *codes; /* PsIdgCode, at least one; in the order of their kinds */

    /* For a graph that was made of code: the name of a source file, as `file` has it -> the path
     * that the code gives it, or NULL if it gives several. Never written; NULL for a graph that was
     * read. */
    GHashTable *stated_paths;
    guint wave; /* threads of the warps of its codes, if these were made of codes of narrower warps
                   (idg/waves.h); 0: as written. Never written */
    char *made_of; /* for such a graph: which code it was made of, and why of that one, for people;
                      or NULL */
    GPtrArray *warnings; /* for such a graph: char *, the warnings of its making; NULL: not known.
                            Shared by copies, never written */
};

/* An empty graph, for front ends to fill in; name is copied. It belongs to the caller, who frees it
 * and all that it owns with ps_idg_free (NULL is fine). */
PsIdg *ps_idg_new(const char *name);

/* What the graph lacks of the kernel, as one of its sources says after PS_IDG_PARTIAL: "without
 * what tex.2d does: ..."; NULL: nothing. Borrowed. */
const char *ps_idg_partial(const PsIdg *idg);

/* The place of an item, code, ... of the graph, for messages; borrowed from the graph. */
PsPlace ps_idg_place(const PsIdg *idg, int line);

/* Builders for front ends: each returns a new item that belongs to the body, code or graph that it
 * was added to. Names and classes are copied. */
PsIdgParam *ps_idg_add_param(PsIdg *idg, const char *name, PsExpr *value /* taken */);
/* Codes that are added from then on are those of this kind of groups. */
PsIdgGroups *ps_idg_add_kind(PsIdg *idg, const char *name, PsExpr *share /* taken */);
PsIdgCode *ps_idg_add_code(PsIdg *idg);
/* Warps first..last run this code; last may be NULL. Both are taken. */
PsIdgWarps *ps_idg_add_warps(PsIdgCode *code, PsExpr *first, PsExpr *last);
PsIdgItem *ps_idg_add_node(GPtrArray *body, const char *name, const char *class_name);
PsIdgItem *ps_idg_add_loop(GPtrArray *body, const char *name, PsExpr *times /* taken */);
PsIdgDep *ps_idg_add_dep(PsIdgItem *node, const char *on);
/* Makes a node await that node of the warps of that role. */
PsIdgAwait *ps_idg_add_await(PsIdgItem *node, const char *role, const char *on);
/* TRUE if any node of the graph awaits other warps. */
gboolean ps_idg_has_awaits(const PsIdg *idg);
/* Adds a dependence to what the node reads. */
PsIdgDep *ps_idg_add_read(PsIdgItem *node, const char *on);

/* Removes the graph's file name and lines, which messages would give: it was read from a text that
 * nobody wrote. */
void ps_idg_forget_lines(PsIdg *idg);

#pragma GCC visibility pop
G_END_DECLS
#endif
