/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the critical path is kept and found: path-record.c keeps a record of each instance, with
 * links to what made it ready and to what kept it from issuing; path-walk.c goes back along them.
 *
 * Times in records are on the engine's own clock, which stands still while time is skipped: what
 * comes after a skip follows on the record of the period before it as if nothing had been skipped.
 * Going back, the walk comes from behind a skip into the period that was recorded; where it leaves
 * that period at its beginning, at the mark, it goes on at its end, in what has the same part there
 * as what it came to has at the mark, as often as the period was skipped. Internal to sim/.
 */
#ifndef PIPESIM_SIM_PATH_PRIVATE_H
#define PIPESIM_SIM_PATH_PRIVATE_H

#include "sim/path.h"

#define PS_NO_RECORD G_MAXUINT32

/* How one record leads to an earlier one. */
typedef enum {
    PS_LINK_NONE,     /* to nothing: time 0 */
    PS_LINK_DONE,     /* its completion */
    PS_LINK_ISSUE,    /* its issue, at the same instant (R2) */
    PS_LINK_BARRIER,  /* its issue: it was the last to arrive at a barrier */
    PS_LINK_LAUNCH,   /* a launch */
    PS_LINK_PIPELINE, /* its issue: it held the pipeline */
    PS_LINK_PORT      /* its issue: it held the scheduler's port */
} PsLinkHow;

typedef struct {
    guint32 record;
    PsLinkHow how;
} PsLink;

#define PS_NODE_LAUNCH ((1U << 24) - 1)

/* An instance, or the launch of a group: node is PS_NODE_LAUNCH then, before and next hold the
 * group's number, and ready leads to whose end, or launch, it followed. */
typedef struct {
    gint64 issue;    /* engine's clock; of a launch, when it was */
    guint32 before;  /* the instance of the same node of the same warp before this one */
    guint32 next;    /* the one after it */
    guint32 ready;   /* what made it ready */
    guint32 holder;  /* what kept it from issuing then; PS_NO_RECORD: nothing */
    guint32 launch;  /* of its group */
    guint node : 24; /* among those of all programs */
    guint how : 3;   /* PsLinkHow of ready */
    guint port : 1;  /* the holder held the scheduler's port, not the pipeline */
    guint last : 1;  /* its arrival completed a barrier */
    guint warp : 21; /* in its group */
    guint scheduler : 11;
} PsPathRecord;

/* When something was complete, and the way to what that waited for. */
typedef struct {
    gint64 done;
    PsLink by;
} PsPathEnd;

/* A node of a warp, as far as it has come. */
typedef struct {
    guint32 last; /* its latest record */
    gint64 done;  /* when that is complete; of a barrier see ends */
    gint64 count;
    GArray *ends;   /* PsPathEnd, of a barrier: when its instances were complete */
    gint64 dropped; /* instances before ends[0]: those that were skipped */
} PsPathNode;

/* A dependence of a node of a warp: the record of the instance that it needed last. */
typedef struct {
    guint32 record;
    gint64 number; /* of that instance, from 1; 0: none yet */
} PsPathCursor;

typedef struct {
    PsPathNode *nodes;     /* of its program */
    PsPathCursor *cursors; /* of all dependences of its program */
    guint32 latest;        /* its last record */
    guint scheduler;
    gint64 left;   /* instances whose completion is not known */
    PsPathEnd end; /* the latest completion so far */
    gboolean arrived;
    guint barrier; /* node at which it stands */
} PsPathWarp;

/* A group on the CU. */
typedef struct {
    gint64 group;
    guint place;
    guint32 launch; /* its record */
    guint live, arrived;
    gint64 last_arrival, last_completion;
    guint32 last;   /* record of who came last */
    PsPathEnd gone; /* the latest end of its warps */
    PsPathWarp *warps;
} PsPathGroup;

/* Where all nodes of a group that was there stood: what tells parts apart. */
typedef struct {
    guint32 launch;
    guint32 *last; /* [warp][node]: record */
    gint64 *count; /* likewise */
} PsPathStand;

/* The state at a mark or at a skip. */
typedef struct {
    gatomicrefcount references;
    guint32 n_records;
    guint n_skips;     /* of the tape */
    gint64 base;       /* ticks skipped before */
    GPtrArray *stands; /* PsPathStand, groups by age */
    guint32 *holders;  /* [pipeline][copy], then [scheduler] */
} PsPathSnapshot;

typedef struct {
    PsPathSnapshot *mark, *end;
    gint64 times, period;
    gint64 recorded; /* ticks of the period on the engine's clock: less what was skipped in it */
} PsPathSkip;

/* What is recorded of CUs that do the same. */
typedef struct {
    GPtrArray *chunks; /* of PsPathRecord */
    guint32 n_records;
    gint64 ended;     /* when the last group so far was done, on the engine's clock */
    PsLink end;       /* what that waited for */
    gint64 skipped;   /* ticks */
    GPtrArray *skips; /* PsPathSkip */
} PsPathTape;

/* A node, with what is asked of it for each instance. */
typedef struct {
    const PsProgramDep *deps;
    guint n_deps;
    guint first_dep; /* among those of its program */
    guint holder;    /* of its pipeline; where each scheduler has it, of the first */
    gboolean per_scheduler, barrier;
    gint64 issue, completion; /* ticks; of a store that nobody waits for, both lambda */
    const PsBoundClass *klass;
} PsPathPlan;

struct PsPath {
    const PsMachine *machine;
    guint *first_node; /* [program]: of its nodes among all */
    guint n_nodes;     /* of all programs */
    guint most_nodes;  /* of one program */
    PsPathPlan *plan;  /* [node] */
    guint *n_deps;     /* [program] */
    guint first_port;  /* of the schedulers' ports among holders */
    guint n_holders;
    PsPathTape *tape;    /* of the CUs that are heard of now */
    PsPathTape *best;    /* of those that were done last, of CUs heard of before */
    guint cu;            /* that is heard of */
    gint64 base;         /* ticks skipped on it so far */
    GPtrArray *groups;   /* PsPathGroup, by age */
    PsPathGroup **index; /* of groups by number, a hash table of open addresses */
    guint mask;
    guint32 *holders;   /* records */
    guint8 *taken;      /* [place] */
    PsPathEnd finished; /* the group that was done last */
    guint32 launched;   /* record of the latest launch */
    PsPathSnapshot *marks[PS_SIM_MARKS];
    gboolean full; /* more than PS_PATH_MAX instances */
};

#define PS_PATH_CHUNK 16 /* records of a chunk, as a power of two */

static inline PsPathRecord *ps_path_record(const PsPathTape *tape, guint32 number)
{
    return (PsPathRecord *)tape->chunks->pdata[number >> PS_PATH_CHUNK] +
           (number & ((1U << PS_PATH_CHUNK) - 1));
}

/* Instances of the dependence's node that the k-th instance of who waits needs. */
static inline gint64 ps_path_needed(const PsProgramDep *dep, gint64 k)
{
    /* Loops go round 16 times more often than 17 times, and divisions are slow. */
    const guint64 every = (guint64)dep->every;
    const gint64 rounds = (every & (every - 1)) == 0 ? k >> __builtin_ctzll(every) : k / dep->every;
    return dep->first + dep->per * rounds;
}

/* The program that a node of all is of. */
guint ps_path_program(const PsPath *path, guint node);

/* What keeps an instance from issuing before that time: who holds its pipeline, if that is free
 * then, else who holds its scheduler's port. */
PsLink ps_path_held(const PsPath *path, const PsPathTape *tape, const guint32 *holders,
                    const PsPathRecord *record, gint64 time);

/* Sets up and ends what recording needs. */
void ps_path_record_init(PsPath *path);
void ps_path_record_clear(PsPath *path);

/* The tape of the CUs that were done last, when the run is over. */
const PsPathTape *ps_path_tape(const PsPath *path);

/* Sums of a walk, in one vector so that what a period adds can be multiplied: ticks and number of
 * stretches of each kind and node (PS_NODE_LAUNCH: the last), then how often each warp was the last
 * at each barrier node. */
typedef struct {
    guint n_nodes;  /* of all programs, and one for launches */
    guint n_warps;  /* of a group */
    guint *barrier; /* [node]: its number among barrier nodes */
    guint n;
    gint64 *at;
} PsPathSums;

guint ps_path_sum_ticks(const PsPathSums *sums, PsPathKind kind, guint node);
guint ps_path_sum_times(const PsPathSums *sums, PsPathKind kind, guint node);
guint ps_path_sum_late(const PsPathSums *sums, guint node, guint warp);

/* A stretch, on the run's own clock. */
typedef void (*PsPathTold)(gpointer data, PsPathKind kind, const PsPathRecord *charged, gint64 from,
                           gint64 to);

/* Goes back along the tape from the run's end, adds up, and tells of each stretch (told may be
 * NULL) but those that it need not walk since it has gone round in a skipped period. */
void ps_path_walk(const PsPath *path, const PsPathTape *tape, PsPathSums *sums, PsPathTold told,
                  gpointer data);

#endif
