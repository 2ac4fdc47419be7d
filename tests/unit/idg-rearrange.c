/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops with several iterations at once. On random loops, every instance is listed with all that it
 * waits for, before and after: each waits for what it waited for, and for nothing much later.
 */
#include "idg/edit.h"
#include "idg/program.h"
#include "idg/rearrange.h"
#include "tests/help/seeds.h"

#include <string.h>

/* Fewer random cases would not have all that is drawn. */
#define LEAST_CASES 24

#define LAUNCH "<launch groups=\"1\" group-size=\"32\"/>"

/* A graph with that body in one code. */
static PsIdg *graph(const char *body)
{
    g_autofree char *text = g_strconcat("<idg xmlns=\"urn:pipesim:idg:1\" version=\"1\" name=\"k\">"
                                        "<param name=\"n\" value=\"7\"/>" LAUNCH "<code>",
                                        body, "</code></idg>", NULL);
    g_autoptr(GError) error = NULL;
    PsIdg *idg = ps_idg_parse(text, strlen(text), "test", &error);
    g_assert_no_error(error);
    return idg;
}

/* ---- all instances ------------------------------------------------------------------------- */

/* An instance of one of the nodes before, and one that it waits for. */
typedef struct {
    guint node;
    gint64 number, on_number;
    guint on;
} Wait;

typedef struct {
    GPtrArray *names;   /* of the nodes before; borrowed */
    GHashTable *latest; /* name -> GArray of gint64: the number among all copies of each instance */
    gint64 *of_node;    /* instances of all copies of a node */
    GArray *waits;      /* Wait */
    PsScope *scope;
} Listing;

/* The node that one was copied from. */
static guint origin(const Listing *listing, const char *name)
{
    g_autofree char *stem = g_strdup(name);
    char *cut = strstr(stem, "__");
    if (cut)
        *cut = '\0';
    for (guint i = 0; i < listing->names->len; i++)
        if (strcmp(listing->names->pdata[i], stem) == 0)
            return i;
    g_assert_not_reached();
}

static GArray *instances_of(const Listing *listing, const char *name)
{
    GArray *list = g_hash_table_lookup(listing->latest, name);
    if (!list) {
        list = g_array_new(FALSE, FALSE, sizeof(gint64));
        g_hash_table_insert(listing->latest, g_strdup(name), list);
    }
    return list;
}

static gint64 value_of(const PsExpr *expr, const PsScope *scope)
{
    gint64 value = 1;
    g_autoptr(GError) error = NULL;
    if (expr)
        ps_expr_eval_int(expr, scope, (PsPlace){"test", 0}, &(PsIntRange){"it", 0, 1000}, &value,
                         &error);
    g_assert_no_error(error);
    return value;
}

static void list_node(Listing *listing, const PsIdgItem *item)
{
    const guint node = origin(listing, item->name);
    const gint64 number = listing->of_node[node]++;
    for (guint i = 0; i < item->after->len; i++) {
        const PsIdgDep *dep = item->after->pdata[i];
        const GArray *on = instances_of(listing, dep->on);
        const gint64 distance = value_of(dep->distance, listing->scope);
        if (distance > on->len)
            continue;
        const Wait wait = {node, number, g_array_index(on, gint64, on->len - distance),
                           origin(listing, dep->on)};
        g_array_append_val(listing->waits, wait);
    }
    g_array_append_val(instances_of(listing, item->name), number);
}

static void list_body(Listing *listing, const GPtrArray *body)
{
    for (guint i = 0; i < body->len; i++) {
        const PsIdgItem *item = body->pdata[i];
        const gint64 times = item->kind == PS_IDG_LOOP ? value_of(item->times, listing->scope) : 0;
        for (gint64 k = 0; k < times; k++)
            list_body(listing, item->body);
        if (item->kind == PS_IDG_NODE)
            list_node(listing, item);
    }
}

static void add_names(const GPtrArray *body, GPtrArray *names)
{
    for (guint i = 0; i < body->len; i++) {
        const PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_LOOP)
            add_names(item->body, names);
        else
            g_ptr_array_add(names, item->name);
    }
}

static void free_numbers(void *list)
{
    g_array_unref(list);
}

/* Lists a graph by the nodes of another; the array (Wait), and how many instances there are of each
 * node, are the caller's. */
static GArray *list_waits(const PsIdg *idg, GPtrArray *names, gint64 **counts)
{
    g_autoptr(GHashTable) latest =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_numbers);
    g_autoptr(PsScope) scope = ps_scope_new();
    ps_scope_set(scope, "n", PS_RATIONAL_INT(7));
    Listing listing = {names, latest, g_new0(gint64, names->len),
                       g_array_new(FALSE, FALSE, sizeof(Wait)), scope};
    list_body(&listing, ((const PsIdgCode *)idg->codes->pdata[0])->body);
    *counts = listing.of_node;
    return listing.waits;
}

/* Each wait of the one is among those of the other, or one there is for a later instance of the
 * same node; or for one that is up to `later` before. */
static void assert_waits(const GArray *of, const GArray *in, gint64 later)
{
    for (guint i = 0; i < of->len; i++) {
        const Wait *wait = &g_array_index(of, Wait, i);
        gboolean found = wait->on_number < later; /* it may have waited for none */
        for (guint j = 0; j < in->len && !found; j++) {
            const Wait *other = &g_array_index(in, Wait, j);
            found = other->node == wait->node && other->number == wait->number &&
                    other->on == wait->on && other->on_number >= wait->on_number - later &&
                    (later > 0 || other->on_number >= wait->on_number);
        }
        if (!found)
            g_test_message("instance %d of node %u waits for %d of %u", (int)wait->number,
                           wait->node, (int)wait->on_number, wait->on);
        g_assert_true(found);
    }
}

/* ---- random loops -------------------------------------------------------------------------- */

#define MOST_NODES 6

static void put_node(GString *text, GRand *rand, guint at, guint n)
{
    static const char *const classes[] = {"global.load",  "fadd",       "imad",
                                          "global.store", "local.load", "local.store"};
    g_string_append_printf(text, "<node name='v%u' class='%s'", at,
                           classes[g_rand_int_range(rand, 0, G_N_ELEMENTS(classes))]);
    const gint deps = g_rand_int_range(rand, 0, 4);
    for (gint d = 0; d < deps; d++) {
        const gint on = g_rand_int_range(rand, -1, (gint)n);
        g_autofree char *name = on < 0 ? g_strdup("a") : g_strdup_printf("v%d", on);
        g_string_append_printf(text, "%s%s", d ? " " : " after='", name);
        if (on >= 0 && g_rand_int_range(rand, 0, 3) == 0)
            g_string_append_printf(text, "@%d", g_rand_int_range(rand, 2, 4));
    }
    g_string_append(text, deps ? "'/>" : "/>");
}

static char *random_body(GRand *rand, gboolean enclosed)
{
    GString *text = g_string_new("<node name='a' class='imad'/>");
    const guint n = (guint)g_rand_int_range(rand, 1, MOST_NODES);
    if (enclosed)
        g_string_append(text, "<loop times='3'>");
    g_string_append_printf(text, "<loop times='%d'>", g_rand_int_range(rand, 0, 8));
    for (guint i = 0; i < n; i++)
        put_node(text, rand, i, n);
    g_string_append(text, "</loop>");
    g_string_append(text, enclosed ? "</loop>" : "");
    g_string_append_printf(text, "<node name='z' class='fadd' after='v0 v%u'/>", n - 1);
    return g_string_free(text, FALSE);
}

static gboolean try_way(const char *body, const PsIdgWay *way, gint64 later)
{
    g_autoptr(PsIdg) before = graph(body), after = graph(body);
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    g_autofree gint64 *count_before = NULL, *count_after = NULL;
    PsIdgRearranged did;
    if (!ps_idg_rearrange(after, 0, "v0", way, &did))
        return FALSE;
    g_test_message("%s", body);
    add_names(((const PsIdgCode *)before->codes->pdata[0])->body, names);
    g_autoptr(GArray) was = list_waits(before, names, &count_before);
    g_autoptr(GArray) is = list_waits(after, names, &count_after);
    g_assert_cmpmem(count_before, names->len * sizeof(gint64), count_after,
                    names->len * sizeof(gint64));
    assert_waits(was, is, 0);
    if (!way->prefetch)
        assert_waits(is, was, later);
    g_autoptr(GError) error = NULL;
    g_autoptr(PsKernel) kernel = ps_kernel_new(after, NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(kernel->n_programs, ==, 1);
    return TRUE;
}

static void test_random(void)
{
    const PsIdgWay ways[] = {
        {.times = 1}, {.times = 2}, {.times = 3}, {.times = 4}, {.times = 1, .prefetch = TRUE}};
    guint done[G_N_ELEMENTS(ways)] = {0};
    g_autoptr(GRand) rand = g_rand_new_with_seed(1);
    const guint n = MAX(seeds_count((SeedCounts){120, 12}), LEAST_CASES);
    for (guint i = 0; i < n; i++) {
        const gboolean enclosed = i % 3 == 0;
        g_autofree char *body = random_body(rand, enclosed);
        for (guint w = 0; w < G_N_ELEMENTS(ways); w++)
            done[w] += try_way(body, &ways[w], enclosed ? 8 : 3);
    }
    for (guint w = 0; w < G_N_ELEMENTS(ways); w++)
        g_assert_cmpuint(30 * done[w], >, n);
}

/* ---- random straight code ------------------------------------------------------------------- */

/* Nodes around a loop, in a loop; they wait for each other in any order. */
static char *random_straight(GRand *rand)
{
    GString *text = g_string_new("<node name='a' class='imad'/><loop times='3'>");
    const guint n = (guint)g_rand_int_range(rand, 4, 3 * MOST_NODES);
    for (guint i = 0; i < n; i++) {
        if (i == n / 2)
            g_string_append(text,
                            "<loop times='2'><node name='w' class='fadd' after='v0 w'/></loop>");
        put_node(text, rand, i, n);
    }
    g_string_append(text, "</loop><node name='z' class='fadd' after='v0 v1'/>");
    return g_string_free(text, FALSE);
}

static gboolean raise_loads(PsIdg *idg, GHashTable *names, PsIdgRearranged *did)
{
    g_autoptr(PsScope) scope = ps_scope_new();
    ps_scope_set(scope, "n", PS_RATIONAL_INT(7));
    return ps_idg_raise_loads(idg, 0, scope, names, did);
}

/* Each instance waits for just what it waited for. */
static void test_random_straight(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(2);
    const guint n = MAX(seeds_count((SeedCounts){300, 60}), LEAST_CASES);
    guint done = 0;
    for (guint i = 0; i < n; i++) {
        g_autofree char *body = random_straight(rand);
        g_autoptr(PsIdg) before = graph(body), after = graph(body);
        g_autoptr(GPtrArray) nodes = g_ptr_array_new();
        g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
        g_autofree gint64 *count_before = NULL, *count_after = NULL;
        PsIdgRearranged did;
        if (!raise_loads(after, names, &did))
            continue;
        g_test_message("%s", body);
        done++;
        add_names(((const PsIdgCode *)before->codes->pdata[0])->body, nodes);
        g_autoptr(GArray) was = list_waits(before, nodes, &count_before);
        g_autoptr(GArray) is = list_waits(after, nodes, &count_after);
        assert_waits(was, is, 0);
        assert_waits(is, was, 0);
        g_assert_cmpuint(did.loads, ==, g_hash_table_size(names));
    }
    g_assert_cmpuint(15 * done, >, n);
}

/* ---- by hand ------------------------------------------------------------------------------- */

/* Checks that the first loop of the body becomes the other that way. */
static void becomes(const char *body, const PsIdgWay *way, const char *other)
{
    g_autoptr(PsIdg) idg = graph(body), expected = graph(other);
    PsIdgRearranged did;
    g_assert_true(ps_idg_rearrange(idg, 0, "v", way, &did));
    g_autofree char *got_text = ps_idg_write(idg);
    g_autofree char *expected_text = ps_idg_write(expected);
    g_assert_cmpstr(got_text, ==, expected_text);
}

/* A sum of what is loaded: both loads come first, the sum stays a chain, the loop's own nodes are
 * there once, and the last iteration of an odd number remains. */
static void test_unroll(void)
{
    becomes("<loop times='n'><node name='v' class='global.load' after='p'/>"
            "<node name='p' class='imad' after='p'/><node name='s' class='fadd' after='v s'/>"
            "<node name='i' class='iadd' after='i'/><node name='c' class='iadd.setp' after='i'/>"
            "<node name='b' class='branch' after='c'/></loop>"
            "<node name='z' class='fadd' after='s'/>",
            &(PsIdgWay){.times = 2},
            "<loop times='floor((n)/2)'><node name='v__1' class='global.load' after='p'/>"
            "<node name='p__1' class='imad' after='p'/>"
            "<node name='v' class='global.load' after='p__1'/>"
            "<node name='p' class='imad' after='p__1'/>"
            "<node name='s__1' class='fadd' after='v__1 s'/>"
            "<node name='s' class='fadd' after='v s__1'/>"
            "<node name='i' class='iadd' after='i'/><node name='c' class='iadd.setp' after='i'/>"
            "<node name='b' class='branch' after='c'/></loop>"
            "<loop times='(n)-2*floor((n)/2)'>"
            "<node name='v__2' class='global.load' after='p__2 p'/>"
            "<node name='p__2' class='imad' after='p__2 p'/>"
            "<node name='s__2' class='fadd' after='v__2 s__2 s'/>"
            "<node name='i__1' class='iadd' after='i__1 i'/>"
            "<node name='c__1' class='iadd.setp' after='i__1'/>"
            "<node name='b__1' class='branch' after='c__1'/></loop>"
            "<node name='z' class='fadd' after='s s__2'/>");
}

/* Two sums instead of one, added up at the end. */
static void test_chains(void)
{
    becomes(
        "<loop times='8'><node name='v' class='fmadd' after='v'/></loop>"
        "<node name='z' class='fadd' after='v'/>",
        &(PsIdgWay){.times = 2, .chains = TRUE},
        "<loop times='floor((8)/2)'><node name='v__1' class='fmadd' after='v__1'/>"
        "<node name='v' class='fmadd' after='v'/></loop>"
        "<loop times='(8)-2*floor((8)/2)'><node name='v__2' class='fmadd' after='v__2 v'/></loop>"
        "<node name='v__3' class='fadd' after='v__1 v v__2'/>"
        "<node name='z' class='fadd' after='v__3'/>");
}

/* A sum of two additions an iteration is one chain, too; what else is read of it makes it none. */
static void test_long_chains(void)
{
    becomes(
        "<loop times='8'><node name='v' class='fadd' after='w'/>"
        "<node name='w' class='fmadd' after='v'/></loop><node name='z' class='fadd' after='w'/>",
        &(PsIdgWay){.times = 2, .chains = TRUE},
        "<loop times='floor((8)/2)'><node name='v__1' class='fadd' after='w__1'/>"
        "<node name='v' class='fadd' after='w'/><node name='w__1' class='fmadd' after='v__1'/>"
        "<node name='w' class='fmadd' after='v'/></loop>"
        "<loop times='(8)-2*floor((8)/2)'><node name='v__2' class='fadd' after='w__2 w'/>"
        "<node name='w__2' class='fmadd' after='v__2'/></loop>"
        "<node name='w__3' class='fadd' after='w__1 w w__2'/>"
        "<node name='z' class='fadd' after='w__3'/>");
}

/* An addition of 64 bits is two of 32: a counter, once for each trip, whether the second is told as
 * the result of both or not. What adds a counter up is none. */
static void test_carry(void)
{
    becomes("<loop times='8'><node name='v' class='a' after='h'/>"
            "<node name='l' class='iadd' after='l'/><node name='h' class='iadd.carry' after='l h'/>"
            "</loop>",
            &(PsIdgWay){.times = 2},
            "<loop times='floor((8)/2)'><node name='v__1' class='a' after='h'/>"
            "<node name='v' class='a' after='h'/><node name='l' class='iadd' after='l'/>"
            "<node name='h' class='iadd.carry' after='l h'/></loop>"
            "<loop times='(8)-2*floor((8)/2)'><node name='v__2' class='a' after='h__1 h'/>"
            "<node name='l__1' class='iadd' after='l__1 l'/>"
            "<node name='h__1' class='iadd.carry' after='l__1 h__1 h'/></loop>");
    becomes("<loop times='8'><node name='v' class='a' after='h'/>"
            "<node name='l' class='iadd' after='h'/><node name='h' class='iadd.carry' after='l h'/>"
            "<node name='t' class='iadd' after='h t'/></loop>",
            &(PsIdgWay){.times = 2},
            "<loop times='floor((8)/2)'><node name='v__1' class='a' after='h'/>"
            "<node name='v' class='a' after='h'/><node name='t__1' class='iadd' after='h t'/>"
            "<node name='t' class='iadd' after='h t__1'/>"
            "<node name='l' class='iadd' after='h'/>"
            "<node name='h' class='iadd.carry' after='l h'/></loop>"
            "<loop times='(8)-2*floor((8)/2)'><node name='v__2' class='a' after='h__1 h'/>"
            "<node name='l__1' class='iadd' after='h__1 h'/>"
            "<node name='h__1' class='iadd.carry' after='l__1 h__1 h'/>"
            "<node name='t__2' class='iadd' after='h__1 t__2 t'/></loop>");
}

/* Loads of the next tile before the work on this one, when the one before is there; barriers stay
 * where they are. */
static void test_prefetch(void)
{
    becomes(
        "<loop times='n'><node name='v' class='global.load' after='p'/>"
        "<node name='s' class='local.store' after='v'/><node name='b' class='barrier' after='s'/>"
        "<node name='l' class='local.load'/><node name='p' class='iadd' after='p'/></loop>",
        &(PsIdgWay){.times = 1, .prefetch = TRUE},
        "<loop times='min(1,n)'><node name='v__1' class='global.load' after='p__1 v__1'/>"
        "<node name='p__1' class='iadd' after='p__1'/></loop>"
        "<loop times='max(0,(n)-1)'><node name='v' class='global.load' after='p p__1 v v__1'/>"
        "<node name='p' class='iadd' after='p p__1'/>"
        "<node name='s' class='local.store' after='v@2 v__1'/>"
        "<node name='b' class='barrier' after='s'/><node name='l' class='local.load'/></loop>"
        "<loop times='min(1,n)'><node name='s__1' class='local.store' after='v__1 v'/>"
        "<node name='b__1' class='barrier' after='s__1'/>"
        "<node name='l__1' class='local.load'/></loop>");
}

static gboolean can(const char *body, const PsIdgWay *way, PsIdgRearranged *did)
{
    g_autoptr(PsIdg) idg = graph(body);
    g_autofree char *before = ps_idg_write(idg);
    const gboolean done = ps_idg_rearrange(idg, 0, "v", way, did);
    g_autofree char *after = ps_idg_write(idg);
    g_assert_cmpint(strcmp(before, after) != 0, ==, done);
    return done;
}

/* Loops that must stay as they are. */
static void test_not(void)
{
    const PsIdgWay two = {.times = 2}, one = {.times = 1}, ahead = {.times = 1, .prefetch = TRUE};
    PsIdgRearranged did;
    /* how often it runs, the data tell */
    g_assert_false(can("<loop times='8'><node name='v' class='global.load' after='v'/>"
                       "<node name='c' class='iadd.setp' after='v'/>"
                       "<node name='b' class='branch' after='c'/></loop>",
                       &two, &did));
    /* or what it computes */
    g_assert_false(can("<loop times='8'><node name='v' class='fmul' after='w'/>"
                       "<node name='w' class='fadd' after='v'/>"
                       "<node name='c' class='fadd.setp' after='w'/>"
                       "<node name='b' class='branch' after='c'/></loop>",
                       &two, &did));
    /* it has a loop inside */
    g_assert_false(can("<loop times='8'><node name='v' class='a'/><loop times='2'>"
                       "<node name='w' class='a'/></loop></loop>",
                       &two, &did));
    /* what holds stand for is not known */
    g_assert_false(can("<loop times='8'><node name='v' class='a' hold='4'/></loop>", &two, &did));
    /* an instance from the midst of the loop is waited for outside */
    g_assert_false(can("<loop times='8'><node name='v' class='a'/></loop>"
                       "<node name='z' class='a' after='v@2'/>",
                       &two, &did));
    /* nothing would be another, and there is nothing to load ahead, or it may have been written */
    g_assert_false(can("<loop times='8'><node name='v' class='a'/></loop>", &one, &did));
    g_assert_false(can("<loop times='8'><node name='v' class='a'/></loop>", &ahead, &did));
    g_assert_false(can("<loop times='8'><node name='v' class='global.load'/>"
                       "<node name='w' class='global.store' after='v'/></loop>",
                       &ahead, &did));
    g_assert_false(can("<loop times='8'><node name='v' class='fadd' after='v'/>"
                       "<node name='w' class='a' after='v'/></loop>",
                       &(PsIdgWay){.times = 2, .chains = TRUE}, &did));
}

/* Stall counts go with the last copy, what is read becomes a dependence, and registers are counted:
 * four for the second load, whose address is none of the first's any longer. */
static void test_machine_code(void)
{
    PsIdgRearranged did;
    const char *body = "<loop times='8'><node name='v' class='global.load' reads='p' bytes='16'/>"
                       "<node name='p' class='imad' hold='4' reads='p'/>"
                       "<node name='s' class='fadd' after='v' hold='4' reads='s'/></loop>";
    g_assert_true(can(body, &(PsIdgWay){.times = 2}, &did));
    g_assert_cmpuint(did.words, ==, 4);
    g_assert_cmpuint(did.loads, ==, 1);
    g_assert_false(did.passes_store);
    becomes(
        body, &(PsIdgWay){.times = 2},
        "<loop times='floor((8)/2)'><node name='v__1' class='global.load' after='p' bytes='16'/>"
        "<node name='p__1' class='imad' after='p'/>"
        "<node name='v' class='global.load' after='p__1' bytes='16'/>"
        "<node name='p' class='imad' hold='4' after='p__1'/>"
        "<node name='s__1' class='fadd' after='v__1 s'/>"
        "<node name='s' class='fadd' hold='4' after='v s__1'/></loop>"
        "<loop times='(8)-2*floor((8)/2)'>"
        "<node name='v__2' class='global.load' after='p__2 p' bytes='16'/>"
        "<node name='p__2' class='imad' hold='4' after='p__2 p'/>"
        "<node name='s__2' class='fadd' hold='4' after='v__2 s__2 s'/></loop>");
}

/* Nothing moves across a branch that is not the loop's, though neither says so of the other. */
static void test_fence(void)
{
    becomes(
        "<loop times='2'><node name='v' class='global.load'/><node name='s' class='a' after='v'/>"
        "<node name='b' class='branch'/><node name='t' class='a'/></loop>",
        &(PsIdgWay){.times = 2},
        "<loop times='floor((2)/2)'><node name='v__1' class='global.load'/>"
        "<node name='s__1' class='a' after='v__1'/><node name='b__1' class='branch'/>"
        "<node name='v' class='global.load'/><node name='t__1' class='a'/>"
        "<node name='s' class='a' after='v'/><node name='b' class='branch'/>"
        "<node name='t' class='a'/></loop>"
        "<loop times='(2)-2*floor((2)/2)'><node name='v__2' class='global.load'/>"
        "<node name='s__2' class='a' after='v__2'/><node name='b__2' class='branch'/>"
        "<node name='t__2' class='a'/></loop>");
}

/* The straight code becomes that, and these loads come earlier; NULL: nothing changes. */
static void raised(const char *body, const char *other, const char *load, gboolean passes_store)
{
    g_autoptr(PsIdg) idg = graph(body), expected = graph(other ? other : body);
    g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    PsIdgRearranged did;
    g_assert_cmpint(raise_loads(idg, names, &did), ==, other != NULL);
    g_autofree char *got_text = ps_idg_write(idg), *expected_text = ps_idg_write(expected);
    g_assert_cmpstr(got_text, ==, expected_text);
    g_assert_cmpuint(g_hash_table_size(names), ==, load ? 1 : 0);
    g_assert_true(!load || g_hash_table_contains(names, load));
    g_assert_cmpint(did.passes_store, ==, passes_store);
}

#define USED "<node name='v' class='global.load'/><node name='s' class='fadd' after='v'/>"
#define STORED USED "<node name='t' class='global.store' after='s'/>"

/* A load, with what its address needs, comes before what waits for another one, and before a store
 * to global memory, but not before a barrier, a branch, or a store to its own memory. */
static void test_straight(void)
{
    raised(STORED "<node name='p' class='iadd'/><node name='w' class='global.load' after='p'/>",
           "<node name='v' class='global.load'/><node name='p' class='iadd'/>"
           "<node name='w' class='global.load' after='p'/><node name='s' class='fadd' after='v'/>"
           "<node name='t' class='global.store' after='s'/>",
           "w", TRUE);
    raised(STORED "<node name='b' class='barrier'/><node name='w' class='global.load'/>", NULL,
           NULL, FALSE);
    raised(STORED "<node name='b' class='branch'/><node name='w' class='global.load'/>", NULL, NULL,
           FALSE);
    raised(USED "<node name='t' class='local.store' after='s'/><node name='w' class='local.load'/>",
           NULL, NULL, FALSE);
    raised(USED "<node name='w' class='global.load' after='s'/>", NULL, NULL, FALSE);
    raised(STORED "<node name='h' class='iadd' hold='4'/><node name='w' class='global.load'/>",
           NULL, NULL, FALSE);
    raised("<loop times='2'>" STORED "<node name='w' class='global.load'/></loop>", NULL, NULL,
           FALSE);
}

/* A value that is needed behind the piece takes its register from where it is loaded on. */
static void test_straight_words(void)
{
    const char *body = USED "<node name='w' class='global.load' bytes='8'/><loop times='2'>"
                            "<node name='x' class='fadd' after='w'/></loop>";
    g_autoptr(PsIdg) idg = graph(body);
    g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    PsIdgRearranged did;
    g_assert_true(raise_loads(idg, names, &did));
    g_assert_cmpuint(did.words, ==, 1); /* v, beside w, which stays until the loop */
    g_autoptr(PsIdg) used = graph(USED "<node name='w' class='global.load' bytes='8'/>"
                                       "<node name='x' class='fadd' after='w'/>");
    g_assert_true(raise_loads(used, names, &did));
    g_assert_cmpuint(did.words, ==, 1); /* v, beside w */
}

/* Which accesses may pass which. */
static void test_memory(void)
{
    PsIdgRearranged did;
    g_assert_true(can("<loop times='8'><node name='v' class='global.load'/>"
                      "<node name='w' class='global.store' after='v'/></loop>",
                      &(PsIdgWay){.times = 2}, &did));
    g_assert_true(did.passes_store);
    g_assert_false(did.apart);
    g_assert_true(can("<loop times='8'><node name='v' class='global.load'/>"
                      "<node name='w' class='barrier' after='v'/></loop>",
                      &(PsIdgWay){.times = 2}, &did));
    g_assert_true(did.apart);
    becomes(
        "<loop times='2'><node name='v' class='local.load'/>"
        "<node name='w' class='local.store' after='v'/></loop>",
        &(PsIdgWay){.times = 2},
        "<loop times='floor((2)/2)'><node name='v__1' class='local.load'/>"
        "<node name='w__1' class='local.store' after='v__1'/>"
        "<node name='v' class='local.load'/><node name='w' class='local.store' after='v'/></loop>"
        "<loop times='(2)-2*floor((2)/2)'><node name='v__2' class='local.load'/>"
        "<node name='w__2' class='local.store' after='v__2'/></loop>");
    becomes("<loop times='2'><node name='v' class='global.load'/>"
            "<node name='b' class='barrier' after='v'/></loop>",
            &(PsIdgWay){.times = 2},
            "<loop times='floor((2)/2)'><node name='v__1' class='global.load'/>"
            "<node name='b__1' class='barrier' after='v__1'/>"
            "<node name='v' class='global.load'/><node name='b' class='barrier' after='v'/></loop>"
            "<loop times='(2)-2*floor((2)/2)'><node name='v__2' class='global.load'/>"
            "<node name='b__2' class='barrier' after='v__2'/></loop>");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/idg-rearrange/random", test_random);
    g_test_add_func("/idg-rearrange/random-straight", test_random_straight);
    g_test_add_func("/idg-rearrange/straight", test_straight);
    g_test_add_func("/idg-rearrange/straight-words", test_straight_words);
    g_test_add_func("/idg-rearrange/unroll", test_unroll);
    g_test_add_func("/idg-rearrange/chains", test_chains);
    g_test_add_func("/idg-rearrange/long-chains", test_long_chains);
    g_test_add_func("/idg-rearrange/carry", test_carry);
    g_test_add_func("/idg-rearrange/prefetch", test_prefetch);
    g_test_add_func("/idg-rearrange/not", test_not);
    g_test_add_func("/idg-rearrange/machine-code", test_machine_code);
    g_test_add_func("/idg-rearrange/fence", test_fence);
    g_test_add_func("/idg-rearrange/memory", test_memory);
    return g_test_run();
}
