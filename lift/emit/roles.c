/* SPDX-License-Identifier: BSD-3-Clause */
/* See roles.h. */
#include "lift/emit/roles-private.h"

#include "base/class-name.h"

#include <string.h>

/* One execution of a point, as an instance of a spot. */
typedef struct {
    guint spot;
    gint64 instance;
} Execution;

/* A sequence: executions of each interesting point, and the number of instances of each spot. */
typedef struct {
    const PsSpots *spots;
    gboolean coarse;    /* the order of iterations is unknown */
    GHashTable *points; /* point -> GArray of Execution */
    guint8 *inside;     /* [spot]: it is interesting, or a loop with such a spot */
    gint64 *count;      /* [spot] */
} Order;

/* The waits of one spot of a warp for a spot of another warp. */
typedef struct {
    guint spot, warp, on;
    guint point;   /* point of the wait; the spot may be the next node's */
    GArray *pairs; /* PsRolePair */
} Wait;

/* One warp. */
typedef struct {
    const PsRollWarps *as;
    const Order *order;
    GPtrArray *waits; /* Wait, by spot, warp and awaited spot */
    guint role;
} Warp;

typedef struct {
    const PsRollGroup *group;
    GHashTable *orders; /* PsSpots -> Order */
    GHashTable *points; /* set of interesting points */
    Warp *warps;
    guint n_warps;
    PsRoles *roles;
} Find;

/* ---- executions ----------------------------------------------------------------------------- */

static void order_free(gpointer data)
{
    Order *order = data;
    g_hash_table_unref(order->points);
    g_free(order->inside);
    g_free(order->count);
    g_free(order);
}

static void mark_inside(Order *order, GHashTable *points)
{
    const GArray *spots = order->spots->spots;
    order->inside = g_new0(guint8, spots->len + 1);
    for (guint i = 0; i < spots->len; i++) {
        const PsSpot *spot = ps_spot(order->spots, i);
        if (spot->kind != PS_SPOT_STEP || spot->off ||
            !g_hash_table_contains(points, GUINT_TO_POINTER(spot->point)))
            continue;
        order->inside[i] = TRUE;
        for (guint a = spot->around; a != PS_NO_SPOT; a = ps_spot(order->spots, a)->around)
            order->inside[a] = TRUE;
    }
}

static void expand(Order *order, guint begin, guint end)
{
    for (guint i = begin; i < end; i++) {
        const PsSpot *spot = ps_spot(order->spots, i);
        if (spot->kind == PS_SPOT_LOOP) {
            for (gint64 t = 0; order->inside[i] && t < spot->times; t++)
                expand(order, i + 1, spot->partner);
            i = spot->partner;
        } else if (order->inside[i]) {
            gpointer key = GUINT_TO_POINTER(spot->point);
            GArray *list = g_hash_table_lookup(order->points, key);
            const Execution execution = {i, order->count[i]++};
            if (!list) {
                list = g_array_new(FALSE, FALSE, sizeof(Execution));
                g_hash_table_insert(order->points, key, list);
            }
            g_array_append_val(list, execution);
        }
    }
}

static gboolean is_coarse(const PsRollSequence *sequence)
{
    gboolean coarse = FALSE;
    for (guint i = 0; i < sequence->n_items && !coarse; i++) {
        const PsRollItem *item = &sequence->items[i];
        coarse = item->kind == PS_ROLL_LOOP && item->coarse != PS_ROLL_EXACT;
        for (guint r = 0; item->kind == PS_ROLL_LOOP && r < item->n_runs && !coarse; r++)
            coarse = is_coarse(item->runs[r].body);
    }
    return coarse;
}

/* The node that stands for a spot: in machine code it may belong to another instruction. */
static guint node_of(const PsSpots *spots, guint at)
{
    const PsSpot *spot = ps_spot(spots, at);
    const PsSassCode *machine = spots->facts->machine;
    for (guint back = 0; !ps_spot_is_node(spots, at) && machine && back < 8; back++)
        for (int side = -1; side <= 1; side += 2) {
            const guint other = (guint)((gint)at + side * (gint)back);
            if (other >= spots->spots->len)
                continue;
            const PsSpot *near = ps_spot(spots, other);
            if (ps_spot_is_node(spots, other) && near->around == spot->around &&
                g_array_index(machine->origins, PsSassOrigin, near->point).machine ==
                    g_array_index(machine->origins, PsSassOrigin, spot->point).machine)
                return other;
        }
    return ps_spot_is_node(spots, at) ? at : PS_NO_SPOT;
}

/* The node that a wait holds back: its own, or behind a barrier the next one, since both sides
 * arrive there. *times: its instances behind each wait. */
static guint waiter_of(const PsSpots *spots, guint at, gint64 *times)
{
    *times = 1;
    if (!spots->facts->parted[ps_spot(spots, at)->point])
        return at;
    for (guint i = at + 1; i < spots->spots->len; i++) {
        const PsSpot *next = ps_spot(spots, i);
        if (next->kind == PS_SPOT_END)
            return PS_NO_SPOT;
        if (next->kind == PS_SPOT_LOOP)
            *times *= next->times;
        else if (ps_spot_is_node(spots, i))
            return i;
    }
    return PS_NO_SPOT;
}

/* Counts a node's instances: as many as those of what it stands for. */
static void count_nodes(const Order *order)
{
    gint64 times;
    for (guint i = 0; i < order->spots->spots->len; i++) {
        const guint node = order->count[i] > 0 ? node_of(order->spots, i) : PS_NO_SPOT;
        if (node == PS_NO_SPOT)
            continue;
        order->count[node] = MAX(order->count[node], order->count[i]);
        const guint waiter = waiter_of(order->spots, node, &times);
        if (waiter != PS_NO_SPOT)
            order->count[waiter] = MAX(order->count[waiter], order->count[i] * times);
    }
}

static const Order *order_of(Find *find, const PsSpots *spots, const PsRollSequence *sequence)
{
    Order *order = g_hash_table_lookup(find->orders, spots);
    if (order)
        return order;
    order = g_new0(Order, 1);
    order->spots = spots;
    order->points = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
    order->count = g_new0(gint64, spots->spots->len + 1);
    mark_inside(order, find->points);
    order->coarse = is_coarse(sequence);
    if (!order->coarse)
        expand(order, 0, spots->spots->len);
    count_nodes(order);
    g_hash_table_insert(find->orders, (gpointer)spots, order);
    return order;
}

static gboolean locate(const Warp *warp, guint point, guint64 index, Execution *execution)
{
    const GArray *list =
        warp->order ? g_hash_table_lookup(warp->order->points, GUINT_TO_POINTER(point)) : NULL;
    if (!list || index >= list->len)
        return FALSE;
    *execution = g_array_index(list, Execution, index);
    execution->spot = node_of(warp->order->spots, execution->spot);
    return execution->spot != PS_NO_SPOT;
}

/* ---- waits ---------------------------------------------------------------------------------- */

static void wait_free(gpointer data)
{
    Wait *wait = data;
    g_array_unref(wait->pairs);
    g_free(wait);
}

static Wait *wait_of(Warp *warp, guint point, guint spot, guint other, guint on)
{
    for (guint i = 0; i < warp->waits->len; i++) {
        Wait *wait = warp->waits->pdata[i];
        if (wait->spot == spot && wait->warp == other && wait->on == on)
            return wait;
    }
    Wait *wait = g_new0(Wait, 1);
    *wait = (Wait){spot, other, on, point, g_array_new(FALSE, FALSE, sizeof(PsRolePair))};
    g_ptr_array_add(warp->waits, wait);
    return wait;
}

static void add_pair(Wait *wait, PsRolePair pair)
{
    if (wait->pairs->len > 0) {
        PsRolePair *last = &g_array_index(wait->pairs, PsRolePair, wait->pairs->len - 1);
        if (last->k == pair.k) {
            last->count = MAX(last->count, pair.count);
            return;
        }
    }
    g_array_append_val(wait->pairs, pair);
}

static void leave_unstated(Find *find, guint point)
{
    for (guint i = 0; i < find->roles->unstated->len; i++)
        if (g_array_index(find->roles->unstated, guint, i) == point)
            return;
    g_array_append_val(find->roles->unstated, point);
}

/* TRUE if an arrival is implied by the copies for which its warp arrived. */
static gboolean is_beside_copies(const Find *find, const PsRollWait *wait, const PsPtxEnder *ender)
{
    for (guint i = 0; !ender->copy && i < wait->n; i++) {
        const PsPtxEnder *other = &g_array_index(find->group->enders, PsPtxEnder, wait->first + i);
        if (other->copy && other->warp == ender->warp && other->rank == ender->rank)
            return TRUE;
    }
    return FALSE;
}

/* TRUE if a wait is implied by the same wait in the warp's own group: groups of a cluster do the
 * same at the same time. */
static gboolean is_beside_own(const Find *find, const PsRollWait *wait, const PsPtxEnder *ender)
{
    for (guint i = 0; ender->rank != wait->rank && i < wait->n; i++) {
        const PsPtxEnder *other = &g_array_index(find->group->enders, PsPtxEnder, wait->first + i);
        if (other->rank == wait->rank && other->warp == ender->warp &&
            other->point == ender->point && other->index == ender->index)
            return TRUE;
    }
    return FALSE;
}

/* TRUE if only the warp itself ended its wait: then the dependences have its copies. */
static gboolean is_own(const Find *find, const PsRollWait *wait)
{
    for (guint i = 0; i < wait->n; i++) {
        const PsPtxEnder *ender = &g_array_index(find->group->enders, PsPtxEnder, wait->first + i);
        if (ender->warp != wait->warp || ender->rank != wait->rank)
            return FALSE;
    }
    return TRUE;
}

static void read_wait(Find *find, const PsRollWait *wait)
{
    Warp *warp = &find->warps[wait->warp];
    Execution waits, on;
    if (is_own(find, wait))
        return;
    if (!locate(warp, wait->point, wait->index, &waits)) {
        leave_unstated(find, wait->point);
        return;
    }
    if (ps_spot_fact(warp->order->spots, waits.spot)->class.kind == PS_CLASS_BARRIER)
        return;
    gint64 times;
    waits.spot = waiter_of(warp->order->spots, waits.spot, &times);
    waits.instance *= times;
    if (waits.spot == PS_NO_SPOT) {
        leave_unstated(find, wait->point);
        return;
    }
    for (guint i = 0; i < wait->n; i++) {
        const PsPtxEnder *ender = &g_array_index(find->group->enders, PsPtxEnder, wait->first + i);
        if (is_beside_copies(find, wait, ender) || is_beside_own(find, wait, ender))
            continue;
        if (ender->rank != wait->rank || ender->warp >= find->n_warps ||
            !locate(&find->warps[ender->warp], ender->point, ender->index, &on))
            leave_unstated(find, wait->point);
        else
            add_pair(wait_of(warp, wait->point, waits.spot, ender->warp, on.spot),
                     (PsRolePair){waits.instance, on.instance + 1});
    }
}

/* ---- warps that do the same ----------------------------------------------------------------- */

static gboolean same_pairs(const Wait *a, const Wait *b)
{
    return a->on == b->on && a->spot == b->spot && a->pairs->len == b->pairs->len &&
           memcmp(a->pairs->data, b->pairs->data, a->pairs->len * sizeof(PsRolePair)) == 0;
}

static gboolean same_waits(const Warp *a, const Warp *b)
{
    gboolean same = a->order == b->order && a->waits->len == b->waits->len;
    for (guint i = 0; same && i < a->waits->len; i++) {
        const Wait *x = a->waits->pdata[i], *y = b->waits->pdata[i];
        same = x->warp == y->warp && same_pairs(x, y);
    }
    return same;
}

static gint by_place(gconstpointer a, gconstpointer b)
{
    const Wait *x = *(Wait *const *)a, *y = *(Wait *const *)b;
    const guint left[] = {x->spot, x->on, x->warp}, right[] = {y->spot, y->on, y->warp};
    for (guint i = 0; i < G_N_ELEMENTS(left); i++)
        if (left[i] != right[i])
            return left[i] < right[i] ? -1 : 1;
    return 0;
}

static gint by_spot(gconstpointer a, gconstpointer b)
{
    const PsRoleAwait *x = a, *y = b;
    const guint left[] = {x->spot, x->role, x->on}, right[] = {y->spot, y->role, y->on};
    for (guint i = 0; i < G_N_ELEMENTS(left); i++)
        if (left[i] != right[i])
            return left[i] < right[i] ? -1 : 1;
    return 0;
}

static gboolean is_waited_for(const Find *find, guint by, const Wait *wait, guint warp)
{
    for (guint i = 0; i < find->warps[by].waits->len; i++) {
        const Wait *other = find->warps[by].waits->pdata[i];
        if (other->warp == warp && same_pairs(other, wait))
            return TRUE;
    }
    return FALSE;
}

/* TRUE if all warps that wait for one of the two also wait for the other in the same way. */
static gboolean waited_for_alike(const Find *find, guint a, guint b)
{
    for (guint w = 0; w < find->n_warps; w++)
        for (guint i = 0; i < find->warps[w].waits->len; i++) {
            const Wait *wait = find->warps[w].waits->pdata[i];
            if ((wait->warp == a && !is_waited_for(find, w, wait, b)) ||
                (wait->warp == b && !is_waited_for(find, w, wait, a)))
                return FALSE;
        }
    return TRUE;
}

static void role_free(gpointer data)
{
    PsWarpRole *role = data;
    g_array_unref(role->warps);
    g_array_unref(role->awaits);
    g_free(role->name);
    g_free(role->counted);
    g_free(role);
}

static void put_in_role(Find *find, guint w)
{
    Warp *warp = &find->warps[w];
    for (guint r = 0; r < find->roles->list->len; r++) {
        PsWarpRole *role = find->roles->list->pdata[r];
        const guint other = g_array_index(role->warps, guint, 0);
        if (role->as != warp->as || !same_waits(warp, &find->warps[other]) ||
            !waited_for_alike(find, w, other))
            continue;
        g_array_append_val(role->warps, w);
        warp->role = r;
        return;
    }
    PsWarpRole *role = g_new0(PsWarpRole, 1);
    role->as = warp->as;
    role->spots = warp->order->spots;
    role->warps = g_array_new(FALSE, FALSE, sizeof(guint));
    role->awaits = g_array_new(FALSE, FALSE, sizeof(PsRoleAwait));
    g_array_append_val(role->warps, w);
    warp->role = find->roles->list->len;
    g_ptr_array_add(find->roles->list, role);
}

/* ---- what a role awaits --------------------------------------------------------------------- */

static void state_wait(Find *find, PsWarpRole *role, const Warp *warp, const Wait *wait)
{
    PsRoleAwait await = {.spot = wait->spot, .role = find->warps[wait->warp].role, .on = wait->on};
    const PsRoleFit fit = {wait->pairs, warp->order->count[wait->spot],
                           find->warps[wait->warp].order->count[wait->on]};
    gboolean exact = FALSE;
    for (guint i = 0; i < role->awaits->len; i++) {
        const PsRoleAwait *other = &g_array_index(role->awaits, PsRoleAwait, i);
        if (other->spot == await.spot && other->role == await.role && other->on == await.on)
            return;
    }
    const gboolean stated = ps_roles_fit(&fit, &await, &exact);
    if (!exact)
        leave_unstated(find, wait->point);
    if (!stated)
        return;
    find->roles->regular = find->roles->regular && ps_role_await_is_of_code(&await);
    g_array_append_val(role->awaits, await);
}

/* ---- names ---------------------------------------------------------------------------------- */

static gboolean does(const PsSpots *spots, const char *class_name)
{
    for (guint i = 0; i < spots->spots->len; i++)
        if (ps_spot_is_node(spots, i) &&
            ps_class_covers(class_name, ps_spot_fact(spots, i)->class.name))
            return TRUE;
    return FALSE;
}

/* A role that multiplies consumes what others copy. */
static const char *what_it_does(const PsWarpRole *role)
{
    return does(role->spots, "tensor") ? "consumer"
           : does(role->spots, "copy") ? "producer"
                                       : "warps";
}

static void name_roles(const PsRoles *roles)
{
    for (guint r = 0; r < roles->list->len; r++) {
        PsWarpRole *role = roles->list->pdata[r];
        const char *name = what_it_does(role);
        guint before = 0, all = 0;
        for (guint i = 0; i < roles->list->len; i++) {
            const gboolean same = strcmp(what_it_does(roles->list->pdata[i]), name) == 0;
            all += same;
            before += same && i < r;
        }
        role->name = all > 1 ? g_strdup_printf("%s%u", name, before) : g_strdup(name);
    }
}

/* ---- all ------------------------------------------------------------------------------------ */

static void begin(Find *find, GHashTable *spots)
{
    const PsRollGroup *group = find->group;
    for (guint i = 0; i < group->warps->len; i++) {
        const PsRollWarps *as = group->warps->pdata[i];
        for (guint w = 0; w < as->warps->len; w++)
            find->n_warps = MAX(find->n_warps, g_array_index(as->warps, guint, w) + 1);
    }
    find->warps = g_new0(Warp, find->n_warps + 1);
    for (guint i = 0; i < group->waits->len; i++)
        g_hash_table_add(find->points,
                         GUINT_TO_POINTER(g_array_index(group->waits, PsRollWait, i).point));
    for (guint i = 0; i < group->enders->len; i++)
        g_hash_table_add(find->points,
                         GUINT_TO_POINTER(g_array_index(group->enders, PsPtxEnder, i).point));
    for (guint i = 0; i < group->warps->len; i++) {
        const PsRollWarps *as = group->warps->pdata[i];
        const Order *order = order_of(find, g_hash_table_lookup(spots, as->sequence), as->sequence);
        for (guint w = 0; w < as->warps->len; w++)
            find->warps[g_array_index(as->warps, guint, w)] =
                (Warp){as, order, g_ptr_array_new_with_free_func(wait_free), 0};
    }
}

static void find_roles(Find *find)
{
    const PsRollGroup *group = find->group;
    for (guint i = 0; i < group->waits->len; i++)
        read_wait(find, &g_array_index(group->waits, PsRollWait, i));
    for (guint w = 0; w < find->n_warps; w++)
        if (find->warps[w].waits)
            g_ptr_array_sort(find->warps[w].waits, by_place);
    for (guint i = 0; i < group->warps->len; i++) {
        const PsRollWarps *as = group->warps->pdata[i];
        for (guint w = 0; w < as->warps->len; w++)
            put_in_role(find, g_array_index(as->warps, guint, w));
    }
}

static gboolean state_waits(Find *find)
{
    gboolean any = FALSE;
    for (guint r = 0; r < find->roles->list->len; r++) {
        PsWarpRole *role = find->roles->list->pdata[r];
        const Warp *warp = &find->warps[g_array_index(role->warps, guint, 0)];
        for (guint i = 0; i < warp->waits->len; i++)
            state_wait(find, role, warp, warp->waits->pdata[i]);
        g_array_sort(role->awaits, by_spot);
        any = any || role->awaits->len > 0;
    }
    return any;
}

PsRoles *ps_roles_new(const PsRollGroup *group, GHashTable *spots)
{
    PsRoles *roles = g_new0(PsRoles, 1);
    roles->list = g_ptr_array_new_with_free_func(role_free);
    roles->unstated = g_array_new(FALSE, FALSE, sizeof(guint));
    roles->regular = TRUE;
    Find find = {.group = group,
                 .orders = g_hash_table_new_full(NULL, NULL, NULL, order_free),
                 .points = g_hash_table_new(NULL, NULL),
                 .roles = roles};
    begin(&find, spots);
    find_roles(&find);
    if (state_waits(&find))
        name_roles(roles);
    for (guint w = 0; w < find.n_warps; w++)
        if (find.warps[w].waits)
            g_ptr_array_unref(find.warps[w].waits);
    g_free(find.warps);
    g_hash_table_unref(find.orders);
    g_hash_table_unref(find.points);
    return roles;
}

void ps_roles_free(PsRoles *roles)
{
    if (!roles)
        return;
    g_ptr_array_unref(roles->list);
    g_array_unref(roles->unstated);
    g_free(roles);
}
