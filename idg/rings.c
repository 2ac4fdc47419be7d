/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the rings: copies that are awaited together, the nodes that wait for them, and the nodes
 * that they wait for. See rings.h. */
#include "idg/rings.h"

#include "base/class-name.h"
#include "idg/places.h"

gboolean ps_class_fills_stage(const char *name)
{
    return ps_class_covers("copy.load", name) || ps_class_covers("global.load.async", name);
}

static gboolean fills(const PsProgramNode *node)
{
    return ps_class_fills_stage(node->item->class_name);
}

/* ---- copies that are waited for together --------------------------------------------------- */

/* State for the rings of one producer. */
typedef struct {
    const PsKernel *kernel;
    guint kind, producer;
    gint64 warps_per_group;
    guint *ring_of; /* [node]: the lowest copy that is awaited together with it; G_MAXUINT: none */
    gint64 *taken;  /* [node]: number of its instances that are awaited */
} Find;

static const PsProgram *producer_of(const Find *find)
{
    return &find->kernel->programs[find->producer];
}

/* Called for each copy of the producer that a node needs, with the number of instances that its
 * last instance needs. */
typedef void (*OnCopy)(Find *find, guint copy, gint64 needs, void *data);

static gint64 needs_of_dep(const PsProgramDep *dep, gint64 k)
{
    return dep->first + dep->per * (k / dep->every);
}

static void each_copy(Find *find, guint program, guint number, OnCopy on_copy, void *data)
{
    const PsProgramNode *node = &find->kernel->programs[program].nodes[number];
    for (guint d = 0; program == find->producer && d < node->n_deps; d++)
        if (fills(&producer_of(find)->nodes[node->deps[d].on]))
            on_copy(find, node->deps[d].on, needs_of_dep(&node->deps[d], node->count - 1), data);
    for (guint w = 0; w < node->n_waits; w++)
        if (node->waits[w].program == find->producer &&
            fills(&producer_of(find)->nodes[node->waits[w].on]))
            on_copy(find, node->waits[w].on,
                    ps_program_wait_needs(&node->waits[w], node->count - 1), data);
}

/* Joins a copy to the ring of the first. */
static void join(Find *find, guint copy, gint64 needs, void *data)
{
    guint *first = data;
    (void)needs;
    const guint old = find->ring_of[copy] == G_MAXUINT ? copy : find->ring_of[copy];
    find->ring_of[copy] = old;
    if (*first == G_MAXUINT)
        *first = old;
    const guint low = MIN(*first, old), high = MAX(*first, old);
    for (guint n = 0; n < producer_of(find)->n_nodes; n++)
        if (find->ring_of[n] == high)
            find->ring_of[n] = low;
    *first = low;
}

static void note_ring(Find *find, guint copy, gint64 needs, void *data)
{
    *(guint *)data = find->ring_of[copy];
    find->taken[copy] = MAX(find->taken[copy], needs);
}

/* TRUE if a program belongs to the kind of groups: other kinds cannot wait for its copies. */
static gboolean is_of_kind(const Find *find, guint program)
{
    return find->kernel->programs[program].kind == find->kind;
}

/* TRUE if two nodes stem from one place in the source: a loop whose first iterations stand alone
 * has several of each. */
static gboolean is_one_place(const PsProgramNode *a, const PsProgramNode *b)
{
    const PsIdgItem *x = a->item, *y = b->item;
    return x->source_line > 0 && x->source_line == y->source_line &&
           g_strcmp0(x->file, y->file) == 0 && g_strcmp0(x->via, y->via) == 0 &&
           g_str_equal(x->class_name, y->class_name);
}

/* Copies of one place share a ring if the nodes that wait for them also stem from one place. */
static void join_places(Find *find, guint program)
{
    const PsProgram *of = &find->kernel->programs[program];
    const PsProgramNode *nodes = producer_of(find)->nodes;
    for (guint n = 0; n < of->n_nodes; n++) {
        guint first = G_MAXUINT;
        if (!fills(&of->nodes[n]))
            each_copy(find, program, n, note_ring, &first);
        for (guint m = n + 1; first != G_MAXUINT && m < of->n_nodes; m++) {
            guint other = G_MAXUINT;
            if (is_one_place(&of->nodes[n], &of->nodes[m]))
                each_copy(find, program, m, note_ring, &other);
            if (other == G_MAXUINT || !is_one_place(&nodes[first], &nodes[other]))
                continue;
            join(find, other, 0, &first);
        }
    }
}

static void find_joined(Find *find)
{
    for (guint p = 0; p < find->kernel->n_programs; p++)
        for (guint n = 0; is_of_kind(find, p) && n < find->kernel->programs[p].n_nodes; n++) {
            guint first = G_MAXUINT;
            if (!fills(&find->kernel->programs[p].nodes[n]))
                each_copy(find, p, n, join, &first);
        }
    for (guint p = 0; p < find->kernel->n_programs; p++)
        if (is_of_kind(find, p))
            join_places(find, p);
}

/* ---- a ring -------------------------------------------------------------------------------- */

static void ring_free(gpointer data)
{
    PsRing *ring = data;
    g_array_unref(ring->copies);
    g_array_unref(ring->takes);
    g_array_unref(ring->waits);
    g_array_unref(ring->gives);
    g_free(ring);
}

static gint64 warps_that_run(const Find *find, guint program)
{
    gint64 n = 0;
    for (gint64 w = 0; w < find->warps_per_group; w++)
        n += ps_kernel_program_of(find->kernel, find->kind, w) == (int)program;
    return n;
}

static void add_copies(const Find *find, PsRing *ring, guint number)
{
    const PsProgram *program = producer_of(find);
    for (guint n = 0; n < program->n_nodes; n++) {
        const PsRingCopy copy = {n, MIN(find->taken[n], program->nodes[n].count)};
        if (find->ring_of[n] != number)
            continue;
        g_array_append_val(ring->copies, copy);
        const gint64 each = program->nodes[n].bytes * ring->producers;
        ring->bytes += copy.taken * each;
        ring->left += (program->nodes[n].count - copy.taken) * each;
    }
}

/* Adds the instances that one warp of each program takes. */
static void add_takes(Find *find, PsRing *ring, guint number)
{
    for (guint p = 0; p < find->kernel->n_programs; p++) {
        const PsProgram *program = &find->kernel->programs[p];
        gint64 taken = 0;
        for (guint n = 0; is_of_kind(find, p) && n < program->n_nodes; n++) {
            guint of = G_MAXUINT;
            const PsRingNode take = {p, n};
            if (!fills(&program->nodes[n]))
                each_copy(find, p, n, note_ring, &of);
            if (of != number)
                continue;
            g_array_append_val(ring->takes, take);
            taken += program->nodes[n].count;
        }
        ring->fills = MAX(ring->fills, taken);
        ring->takers += taken > 0 ? warps_that_run(find, p) : 0;
    }
}

static gboolean has_node(const GArray *nodes, PsRingNode node)
{
    for (guint i = 0; i < nodes->len; i++) {
        const PsRingNode *other = &g_array_index(nodes, PsRingNode, i);
        if (other->program == node.program && other->node == node.node)
            return TRUE;
    }
    return FALSE;
}

/* Finds the producer's wait before it copies: the last one before the copy, unless a copy of
 * another ring stands between. */
static void add_waits(const Find *find, PsRing *ring)
{
    const PsProgram *program = producer_of(find);
    guint before = G_MAXUINT;
    for (guint n = 0, c = 0; c < ring->copies->len; n++) {
        const gboolean own = g_array_index(ring->copies, PsRingCopy, c).node == n;
        if (program->nodes[n].n_waits > 0 &&
            !has_node(ring->takes, (PsRingNode){find->producer, n}))
            before = n;
        if (own && before != G_MAXUINT)
            g_array_append_val(ring->waits, before);
        if (own || fills(&program->nodes[n]))
            before = G_MAXUINT;
        c += own;
    }
}

/* The number of a node's completed instances when the warp has passed all waits before a place. */
static gint64 needed_before(const Find *find, const PsRing *ring, PsRingNode give, gint64 position)
{
    const PsProgram *program = producer_of(find);
    gint64 needed = 0;
    for (guint i = 0; i < ring->waits->len; i++) {
        const PsProgramNode *node = &program->nodes[g_array_index(ring->waits, guint, i)];
        const gint64 k = ps_program_instances_before(node, position) - 1;
        for (guint w = 0; k >= 0 && w < node->n_waits; w++)
            if (node->waits[w].program == give.program && node->waits[w].on == give.node)
                needed = MAX(needed, ps_program_wait_needs(&node->waits[w], k));
    }
    return needed;
}

/* TRUE if each completion frees one filling, and each wait needs one completion more than the wait
 * before. */
static gboolean find_gives(const Find *find, PsRing *ring)
{
    const PsProgram *program = producer_of(find);
    for (guint i = 0; i < ring->waits->len; i++) {
        const PsProgramNode *node = &program->nodes[g_array_index(ring->waits, guint, i)];
        for (guint w = 0; w < node->n_waits; w++) {
            const PsProgramWait *wait = &node->waits[w];
            const PsRingNode give = {wait->program, wait->on};
            if (wait->per != wait->every && node->count > 1)
                return FALSE;
            if (!has_node(ring->gives, give))
                g_array_append_val(ring->gives, give);
        }
    }
    return ring->gives->len > 0;
}

/* The number of fillings that each warp of a program has freed before a place. */
static gint64 given_before(const Find *find, const PsRing *ring, guint program, gint64 position)
{
    gint64 given = 0;
    for (guint i = 0; i < ring->gives->len; i++) {
        const PsRingNode *give = &g_array_index(ring->gives, PsRingNode, i);
        if (give->program == program)
            given += needed_before(find, ring, *give, position);
    }
    return given;
}

/* The number of times that a warp of a program frees a filling, awaited or not. */
static gint64 gives_of(const Find *find, const PsRing *ring, guint program)
{
    gint64 gives = 0;
    for (guint i = 0; i < ring->gives->len; i++) {
        const PsRingNode *give = &g_array_index(ring->gives, PsRingNode, i);
        if (give->program == program)
            gives += find->kernel->programs[program].nodes[give->node].count;
    }
    return gives;
}

/* FALSE if the nodes that free fillings are not awaited alike, or free more than there are. */
static gboolean add_gives(const Find *find, PsRing *ring)
{
    gint64 all = 0;
    if (!find_gives(find, ring))
        return FALSE;
    for (guint p = 0; p < find->kernel->n_programs; p++) {
        const gint64 awaited = given_before(find, ring, p, G_MAXINT64);
        const gint64 gives = gives_of(find, ring, p), warps = warps_that_run(find, p);
        if (gives > ring->fills || (awaited > 0 && all > 0 && awaited != all))
            return FALSE;
        all = MAX(all, awaited);
        ring->givers += awaited > 0 ? warps : 0;
        ring->kept += awaited > 0 ? warps * (ring->fills - gives) : 0;
    }
    return ring->givers > 0;
}

/* ---- how many stages ----------------------------------------------------------------------- */

/* Bytes of copies that a warp of the producer has begun before a place. */
static gint64 bytes_before(const Find *find, const PsRing *ring, gint64 position)
{
    const PsProgram *program = producer_of(find);
    gint64 bytes = 0;
    for (guint c = 0; c < ring->copies->len; c++) {
        const PsRingCopy *copy = &g_array_index(ring->copies, PsRingCopy, c);
        const PsProgramNode *node = &program->nodes[copy->node];
        bytes += MIN(ps_program_instances_before(node, position), copy->taken) * node->bytes;
    }
    return bytes * ring->producers;
}

/* Number of fillings that are begun before a place; -1 if it is not whole. */
static gint64 fills_before(const Find *find, const PsRing *ring, gint64 position)
{
    const gint64 begun = bytes_before(find, ring, position);
    const gint64 each = ring->fills > 0 ? ring->bytes / ring->fills : 0;
    return each > 0 && ring->bytes % ring->fills == 0 && begun % each == 0 ? begun / each : -1;
}

static gint64 count_stages(const Find *find, const PsRing *ring)
{
    gint64 stages = 0;
    for (guint i = 0; ring->givers > 0 && i < ring->waits->len; i++) {
        const PsProgramNode *node = &producer_of(find)->nodes[g_array_index(ring->waits, guint, i)];
        const gint64 last = ps_program_position_of(node, node->count - 1);
        const gint64 begun = fills_before(find, ring, last);
        const guint giver = g_array_index(ring->gives, PsRingNode, 0).program;
        const gint64 here = begun + 1 - given_before(find, ring, giver, last + 1);
        if (begun < 0 || here < 1 || (stages > 0 && here != stages))
            return 0;
        stages = here;
    }
    return stages;
}

/* Looks at the first, a middle and the last instance of each node that takes fillings. */
static gint64 count_ahead(const Find *find, const PsRing *ring)
{
    gint64 ahead = 0, taken = 0;
    for (guint i = 0; i < ring->takes->len; i++) {
        const PsRingNode *take = &g_array_index(ring->takes, PsRingNode, i);
        if (take->program != find->producer)
            continue;
        const PsProgramNode *node = &producer_of(find)->nodes[take->node];
        const gint64 at[] = {0, node->count / 2, node->count - 1};
        for (guint k = 0; k < G_N_ELEMENTS(at); k++)
            ahead = MAX(ahead, fills_before(find, ring, ps_program_position_of(node, at[k])) -
                                   taken - at[k]);
        taken += node->count;
    }
    return ahead;
}

static void add_ring(Find *find, guint number, GPtrArray *rings)
{
    PsRing *ring = g_new0(PsRing, 1);
    ring->kind = find->kind;
    ring->producer = find->producer;
    ring->producers = warps_that_run(find, find->producer);
    ring->copies = g_array_new(FALSE, FALSE, sizeof(PsRingCopy));
    ring->takes = g_array_new(FALSE, FALSE, sizeof(PsRingNode));
    ring->waits = g_array_new(FALSE, FALSE, sizeof(guint));
    ring->gives = g_array_new(FALSE, FALSE, sizeof(PsRingNode));
    add_takes(find, ring, number);
    add_copies(find, ring, number);
    add_waits(find, ring);
    if (!add_gives(find, ring)) {
        ring->givers = ring->kept = 0;
        g_array_set_size(ring->gives, 0);
    }
    ring->stages = count_stages(find, ring);
    ring->ahead = count_ahead(find, ring);
    if (ring->fills > 1 && ring->bytes > 0 && ring->producers > 0 && ring->takers > 0)
        g_ptr_array_add(rings, ring);
    else
        ring_free(ring);
}

GPtrArray *ps_rings_new(const PsKernel *kernel, gint64 warps_per_group)
{
    GPtrArray *rings = g_ptr_array_new_with_free_func(ring_free);
    for (guint p = 0; p < kernel->n_programs; p++) {
        Find find = {kernel, kernel->programs[p].kind, p, warps_per_group, NULL, NULL};
        g_autofree guint *ring_of = g_new(guint, kernel->programs[p].n_nodes + 1);
        g_autofree gint64 *taken = g_new0(gint64, kernel->programs[p].n_nodes + 1);
        for (guint n = 0; n < kernel->programs[p].n_nodes; n++)
            ring_of[n] = G_MAXUINT;
        find.ring_of = ring_of;
        find.taken = taken;
        find_joined(&find);
        for (guint n = 0; n < kernel->programs[p].n_nodes; n++)
            if (ring_of[n] == n)
                add_ring(&find, n, rings);
    }
    return rings;
}
