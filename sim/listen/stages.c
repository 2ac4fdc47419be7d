/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The integral over time of the number in a state is the sum, over entries, of the time left behind
 * each, less the same sum over leavings. So events may arrive in any order. A filling is counted by
 * its parts: by bytes while it is copied, by warps while it is taken and given back.
 */
#include "sim/listen/stages.h"

#include "idg/places.h"
#include "sim/listen/repeat.h"

#include <math.h>
#include <string.h>

/* The states of PsStageState, and one for a group that works on the ring. */
enum { RUNNING = PS_STAGE_N_STATES, N_STATES };

/* The effect of an instance of a node on a ring. */
typedef enum { COPIES, TAKES, GIVES } Deed;

typedef struct {
    guint ring;
    Deed deed;
    gint64 parts; /* parts of the ring's fillings */
    gint64 first; /* parts of RUNNING that begin with its first instance */
    gint64 last;  /* parts that end with its last instance */
} Part;

/* The number of parts in a state; and the times of all entries less those of all leavings, each
 * times the parts that entered or left. */
typedef struct {
    PsWide parts, times;
} Sum;

typedef struct {
    const PsRing *of;
    PsWide whole;   /* parts of a filling */
    PsWide running; /* parts of a group's time */
    Sum sums[N_STATES];
    Sum at_mark[PS_SIM_MARKS][N_STATES];
} Ring;

struct PsStages {
    const PsMachine *machine;
    guint n_rings;
    Ring *rings;
    GArray ***parts;     /* [program][node]: Part; NULL: none */
    PsStagesWatch watch; /* or NULL */
    void *data;
};

/* ---- the rings, laid out ------------------------------------------------------------------- */

static const PsProgramNode *node_at(const PsStages *stages, guint program, guint node)
{
    return &stages->machine->kernel->programs[program].nodes[node];
}

static Part *add_part(PsStages *stages, guint program, guint node, Part part)
{
    GArray **at = &stages->parts[program][node];
    if (!*at)
        *at = g_array_new(FALSE, FALSE, sizeof(Part));
    g_array_append_val(*at, part);
    return &g_array_index(*at, Part, (*at)->len - 1);
}

static void lay_out_copies(PsStages *stages, guint number)
{
    const PsRing *ring = stages->rings[number].of;
    const gint64 givers = MAX(ring->givers, 1);
    for (guint i = 0; i < ring->copies->len; i++) {
        const PsRingCopy *copy = &g_array_index(ring->copies, PsRingCopy, i);
        const gint64 bytes = node_at(stages, ring->producer, copy->node)->bytes;
        Part *part = add_part(stages, ring->producer, copy->node,
                              (Part){.ring = number,
                                     .deed = COPIES,
                                     .parts = bytes * ring->fills * ring->takers * givers});
        part->first = i == 0 ? ring->takers : 0;
    }
}

/* TRUE if the node's last instance is the last that a warp of its program takes. */
static gboolean takes_last(const PsStages *stages, const PsRing *ring, const PsRingNode *take)
{
    const PsProgramNode *node = node_at(stages, take->program, take->node);
    const gint64 last = ps_program_position_of(node, node->count - 1);
    for (guint i = 0; i < ring->takes->len; i++) {
        const PsRingNode *at = &g_array_index(ring->takes, PsRingNode, i);
        const PsProgramNode *other = node_at(stages, at->program, at->node);
        if (at->program == take->program && ps_program_position_of(other, other->count - 1) > last)
            return FALSE;
    }
    return TRUE;
}

static void lay_out_users(PsStages *stages, guint number)
{
    const PsRing *ring = stages->rings[number].of;
    for (guint i = 0; i < ring->takes->len; i++) {
        const PsRingNode *take = &g_array_index(ring->takes, PsRingNode, i);
        Part *part = add_part(
            stages, take->program, take->node,
            (Part){.ring = number, .deed = TAKES, .parts = ring->bytes * MAX(ring->givers, 1)});
        part->last = takes_last(stages, ring, take) ? ring->producers : 0;
    }
    for (guint i = 0; i < ring->gives->len; i++) {
        const PsRingNode *give = &g_array_index(ring->gives, PsRingNode, i);
        add_part(stages, give->program, give->node,
                 (Part){.ring = number, .deed = GIVES, .parts = ring->bytes * ring->takers});
    }
}

PsStages *ps_stages_new(const PsMachine *machine, const GPtrArray *rings)
{
    const PsKernel *kernel = machine->kernel;
    PsStages *stages = g_new0(PsStages, 1);
    stages->machine = machine;
    stages->n_rings = rings->len;
    stages->rings = g_new0(Ring, rings->len + 1);
    stages->parts = g_new0(GArray **, kernel->n_programs + 1);
    for (guint p = 0; p < kernel->n_programs; p++)
        stages->parts[p] = g_new0(GArray *, kernel->programs[p].n_nodes + 1);
    for (guint r = 0; r < rings->len; r++) {
        const PsRing *ring = stages->rings[r].of = rings->pdata[r];
        stages->rings[r].whole = (PsWide)ring->bytes * ring->takers * MAX(ring->givers, 1);
        stages->rings[r].running = (PsWide)ring->takers * ring->producers;
        lay_out_copies(stages, r);
        lay_out_users(stages, r);
    }
    return stages;
}

void ps_stages_free(PsStages *stages)
{
    if (!stages)
        return;
    const PsKernel *kernel = stages->machine->kernel;
    for (guint p = 0; p < kernel->n_programs; p++) {
        for (guint n = 0; n < kernel->programs[p].n_nodes; n++)
            if (stages->parts[p][n])
                g_array_unref(stages->parts[p][n]);
        g_free(stages->parts[p]);
    }
    g_free(stages->parts);
    g_free(stages->rings);
    g_free(stages);
}

/* ---- listening ----------------------------------------------------------------------------- */

static void enter(const PsStages *stages, guint ring, guint state, gint64 time, PsWide parts)
{
    Ring *of = &stages->rings[ring];
    of->sums[state].parts += parts;
    of->sums[state].times += time * parts;
    if (!stages->watch || state == RUNNING)
        return;
    const PsStageChange change = {time, ring, state, (double)parts / (double)of->whole};
    stages->watch(stages->data, &change);
}

static void leave(const PsStages *stages, guint ring, guint state, gint64 time, PsWide parts)
{
    enter(stages, ring, state, time, -parts);
}

static PsWide integral(const Sum *sum, gint64 until)
{
    return sum->parts * until - sum->times;
}

static const GArray *parts_of(const PsStages *stages, const PsInstance *instance)
{
    return instance->of.cu == 0 ? stages->parts[instance->program][instance->node] : NULL;
}

/* The number of the instance among those of its node, from 0. */
static gint64 number_of(const PsStages *stages, const PsInstance *instance)
{
    return ps_program_instances_before(node_at(stages, instance->program, instance->node),
                                       instance->position);
}

static gboolean is_last(const PsStages *stages, const PsInstance *instance)
{
    return number_of(stages, instance) + 1 ==
           node_at(stages, instance->program, instance->node)->count;
}

/* A warp takes its last filling. Fillings that are not given back end being in use now, and
 * fillings that nobody takes end being full. */
static void end(const PsStages *stages, gint64 time, const Part *part)
{
    const PsRing *of = stages->rings[part->ring].of;
    leave(stages, part->ring, RUNNING, time, part->last);
    leave(stages, part->ring, PS_STAGE_IN_USE, time, (PsWide)of->bytes * of->kept);
    leave(stages, part->ring, PS_STAGE_FULL, time,
          (PsWide)of->left * of->fills * MAX(of->givers, 1));
}

static void on_issued(void *self, gint64 time, gint64 ready, const PsInstance *instance)
{
    PsStages *stages = self;
    const GArray *parts = parts_of(stages, instance);
    (void)ready;
    for (guint i = 0; parts && i < parts->len; i++) {
        const Part *part = &g_array_index(parts, Part, i);
        if (part->deed == COPIES) {
            enter(stages, part->ring, PS_STAGE_UNDER_WAY, time, part->parts);
            if (part->first > 0 && number_of(stages, instance) == 0)
                enter(stages, part->ring, RUNNING, time, part->first);
        } else if (part->deed == TAKES) {
            leave(stages, part->ring, PS_STAGE_FULL, time, part->parts);
            enter(stages, part->ring, PS_STAGE_IN_USE, time, part->parts);
            if (part->last > 0 && is_last(stages, instance))
                end(stages, time, part);
        }
    }
}

static void on_completed(void *self, gint64 time, const PsInstance *instance)
{
    PsStages *stages = self;
    const GArray *parts = parts_of(stages, instance);
    for (guint i = 0; parts && i < parts->len; i++) {
        const Part *part = &g_array_index(parts, Part, i);
        if (part->deed == COPIES) {
            leave(stages, part->ring, PS_STAGE_UNDER_WAY, time, part->parts);
            enter(stages, part->ring, PS_STAGE_FULL, time, part->parts);
        } else if (part->deed == GIVES) {
            leave(stages, part->ring, PS_STAGE_IN_USE, time, part->parts);
        }
    }
}

static void on_marked(void *self, guint mark)
{
    PsStages *stages = self;
    for (guint r = 0; r < stages->n_rings; r++)
        memcpy(stages->rings[r].at_mark[mark], stages->rings[r].sums, sizeof stages->rings[r].sums);
}

/* Each skipped period adds to the integral what the recorded period added. The state stays. */
static void skip_sum(Sum *sum, const Sum *mark, const PsSkip *skip)
{
    const PsWide now = integral(sum, skip->from);
    const PsWide grown = now - integral(mark, skip->from - skip->period);
    sum->times = sum->parts * skip->to - now - ps_repeat(skip, grown);
}

static void on_skipped(void *self, const PsSkip *skip)
{
    PsStages *stages = self;
    for (guint r = 0; skip->cu == 0 && r < stages->n_rings; r++) {
        Ring *ring = &stages->rings[r];
        for (guint s = 0; s < N_STATES; s++)
            skip_sum(&ring->sums[s], &ring->at_mark[skip->mark][s], skip);
    }
}

PsListener ps_stages_listener(PsStages *stages)
{
    return (PsListener){.self = stages,
                        .issued = on_issued,
                        .completed = on_completed,
                        .marked = on_marked,
                        .skipped = on_skipped};
}

void ps_stages_watch(PsStages *stages, PsStagesWatch watch, void *data)
{
    stages->watch = watch;
    stages->data = data;
}

/* ---- means --------------------------------------------------------------------------------- */

/* The mean number of parts in a state, when none is left in any. A filling that was begun and never
 * taken may arrive after the end: then the mean is at least 0. */
static double mean_of(const Ring *ring, guint state, double whole)
{
    return fmax(0, (double)integral(&ring->sums[state], 0)) / whole;
}

PsStageMeans ps_stages_means(const PsStages *stages, guint number)
{
    const Ring *ring = &stages->rings[number];
    const double time = mean_of(ring, RUNNING, (double)ring->running);
    const double whole = time > 0 ? (double)ring->whole * time : NAN;
    return (PsStageMeans){mean_of(ring, PS_STAGE_UNDER_WAY, whole),
                          mean_of(ring, PS_STAGE_FULL, whole),
                          ring->of->givers > 0 ? mean_of(ring, PS_STAGE_IN_USE, whole) : NAN};
}
