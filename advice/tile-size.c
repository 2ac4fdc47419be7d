/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Advice on products of matrices by a ring of stages: tiles of twice as many columns, in half as
 * many groups. See kind.h. The variant's graph has products of twice as many columns with more
 * registers for their sums, twice the copies of the columns' factor, and twice the work behind the
 * last product. Which factor has the columns shows in its bytes: those of the columns, or of 64
 * rows for each warpgroup, times the depth that one filling's products add up.
 */
#include "advice/kind.h"

#include "advice/ring-change.h"
#include "base/class-name.h"
#include "idg/edit.h"
#include "tell/format.h"

#include <stdlib.h>
#include <string.h>

/* Warps that execute a product together, its rows, and threads of a warp. */
#define WARPS 4
#define ROWS 64
#define THREADS 32

#define MOST_COLUMNS 256
#define MOST_REGISTERS 255

/* The products of a ring. */
typedef struct {
    const char *class_name;
    gint64 columns, deep; /* size of one product */
    gint64 element;       /* bytes */
    gint64 times;         /* products that a warp has executed when its group ends */
} Product;

typedef struct {
    gint64 columns;   /* present columns of a product */
    gint64 registers; /* registers of a thread, in the variant */
    gint64 bytes;     /* bytes of a group's memory, in the variant */
    gboolean first;   /* the copies of the first line bring the columns' factor */
} Wider;

/* ---- what is said of it -------------------------------------------------------------------- */

static char *sentence(const PsAnswer *answer, const PsAdvice *advice)
{
    const Wider *wider = advice->data;
    g_autofree char *gives = ps_would_give(answer, advice);
    g_autofree char *bytes = ps_format_noun(wider->bytes, "byte");
    return g_strdup_printf("tiles of twice as many columns (%" G_GINT64_FORMAT
                           " instead of %" G_GINT64_FORMAT
                           "), in half as many groups, with %s of shared memory each and "
                           "%" G_GINT64_FORMAT " registers per thread, %s",
                           2 * wider->columns, wider->columns, bytes, wider->registers, gives);
}

static void tell_figures(const PsAdvice *advice, PsTold *facts)
{
    const Wider *wider = advice->data;
    ps_tell_entry_whole(facts, "columns", (double)wider->columns);
    ps_tell_entry_whole(facts, "columns_then", (double)(2 * wider->columns));
    ps_tell_entry_whole(facts, "local_memory_bytes", (double)wider->bytes);
    ps_tell_entry_whole(facts, "registers", (double)wider->registers);
}

static const PsAdviceChange wider_tiles = {
    .name = "wider-tiles", .sentence = sentence, .tell_figures = tell_figures};

/* ---- which products they are --------------------------------------------------------------- */

/* Bytes of a factor's element, by the class; 0: unknown. */
static gint64 element_of(const char *class_name)
{
    return ps_class_covers("tensor.wgmma.f16", class_name) ||
                   ps_class_covers("tensor.wgmma.bf16", class_name)
               ? 2
           : ps_class_covers("tensor.wgmma.tf32", class_name) ? 4
           : ps_class_covers("tensor.wgmma.f8", class_name) ||
                   ps_class_covers("tensor.wgmma.s8", class_name)
               ? 1
               : 0;
}

/* Reads a shape: "...m64n128k16". */
static gboolean read_shape(Product *product)
{
    const char *shape = strstr(product->class_name, ".m64n");
    char *end;
    if (!shape)
        return FALSE;
    product->columns = strtol(shape + strlen(".m64n"), &end, 10);
    product->deep = *end == 'k' ? strtol(end + 1, &end, 10) : 0;
    product->element = element_of(product->class_name);
    return *end == '\0' && product->columns > 0 && product->deep > 0 && product->element > 0;
}

/* Finds the products of the programs that take fillings. FALSE if they are of several classes, or
 * differ in number. */
static gboolean find_products(const PsAnswer *answer, const PsRing *ring, Product *product)
{
    *product = (Product){0};
    for (guint p = 0; p < answer->kernel->n_programs; p++) {
        const PsProgram *program = &answer->kernel->programs[p];
        gint64 times = 0;
        for (guint n = 0; ps_ring_is_taken_by(ring, p) && n < program->n_nodes; n++) {
            const char *name = program->nodes[n].item->class_name;
            if (!ps_class_covers("tensor", name))
                continue;
            if (product->class_name && strcmp(name, product->class_name) != 0)
                return FALSE;
            product->class_name = name;
            times += program->nodes[n].count;
        }
        if (times > 0 && product->times > 0 && times != product->times)
            return FALSE;
        product->times = MAX(product->times, times);
    }
    return product->class_name && read_shape(product);
}

/* Sums of a warpgroup, in units of one product's size, if the rows' and the columns' factor bring
 * so many bytes; 0: these bytes fit no product. Both are divided by the threads of a warp. */
static gint64 sums_of(const Product *product, gint64 groups, gint64 rows, gint64 columns)
{
    const gint64 deep = columns * THREADS / (product->columns * product->element);
    const gint64 sums = deep > 0 ? product->times * product->deep / deep : 0;
    const gboolean fits = sums > 0 && sums * deep == product->times * product->deep &&
                          deep * product->columns * product->element == columns * THREADS &&
                          rows * THREADS == groups * sums * ROWS * deep * product->element;
    return fits ? sums : 0;
}

/* ---- what it needs ------------------------------------------------------------------------- */

static gboolean find_needs(const PsAnswer *answer, const PsRing *ring, Wider *wider)
{
    const gint64 a = ps_ring_factor_bytes(answer, ring, TRUE),
                 b = ps_ring_factor_bytes(answer, ring, FALSE), groups = ring->takers / WARPS;
    Product product;
    if (a <= 0 || b <= 0 || ring->takers % WARPS != 0 || !find_products(answer, ring, &product) ||
        2 * product.columns > MOST_COLUMNS)
        return FALSE;
    const gint64 second = sums_of(&product, groups, a, b), first = sums_of(&product, groups, b, a);
    const gint64 sums = second > 0 ? second : first;
    const gint64 more = second > 0 ? b : a;
    *wider = (Wider){.columns = product.columns, .first = second == 0};
    wider->registers = answer->kernel->registers +
                       sums * ROWS * product.columns / (WARPS * answer->gpu->warp_size);
    wider->bytes =
        answer->kernel->local_memory + ring->stages * (more * answer->gpu->warp_size / ring->fills);
    return sums > 0 && wider->registers <= MOST_REGISTERS &&
           ps_ring_factor_is_shared(answer, ring, !wider->first) &&
           ps_ring_groups(answer, answer->machine->launch.group_size, wider->registers,
                          wider->bytes) > 0;
}

/* ---- the graph ----------------------------------------------------------------------------- */

static gboolean has_product(const PsIdgItem *item)
{
    if (item->kind == PS_IDG_NODE)
        return ps_class_covers("tensor", item->class_name);
    for (guint i = 0; i < item->body->len; i++)
        if (has_product(item->body->pdata[i]))
            return TRUE;
    return FALSE;
}

static void widen_products(GPtrArray *body, const Wider *wider)
{
    g_autofree char *now = g_strdup_printf(".m64n%" G_GINT64_FORMAT "k", wider->columns);
    g_autofree char *then = g_strdup_printf(".m64n%" G_GINT64_FORMAT "k", 2 * wider->columns);
    for (guint i = 0; i < body->len; i++) {
        PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_LOOP) {
            widen_products(item->body, wider);
        } else if (has_product(item)) {
            g_autoptr(GString) name = g_string_new(item->class_name);
            g_string_replace(name, now, then, 1);
            g_free(item->class_name);
            item->class_name = g_strdup(name->str);
            ps_ring_times(&item->ops, 2, 1);
        }
    }
}

/* Makes the nodes behind the last product of a body a loop of two iterations. */
static void repeat_rest(GPtrArray *body)
{
    guint rest = body->len;
    while (rest > 0 && !has_product(body->pdata[rest - 1]))
        rest--;
    const guint n = body->len - rest;
    if (rest == 0 || n == 0)
        return;
    PsIdgItem *loop = ps_idg_add_loop(body, NULL, ps_idg_number(2));
    for (guint i = 0; i < n; i++)
        g_ptr_array_add(loop->body, g_ptr_array_steal_index(body, rest));
}

static PsIdg *make_graph(const PsAnswer *answer, const PsRing *ring, const Wider *wider)
{
    PsIdg *idg = ps_idg_copy(answer->kernel->idg);
    ps_ring_double(idg, answer, ring, wider->first);
    for (guint p = 0; p < answer->kernel->n_programs; p++) {
        PsIdgCode *code = idg->codes->pdata[p];
        if (!ps_ring_is_taken_by(ring, p))
            continue;
        widen_products(code->body, wider);
        repeat_rest(code->body);
    }
    ps_ring_set(&idg->launch.groups, answer->kernel->groups / 2);
    ps_ring_set(&idg->launch.registers, wider->registers);
    ps_ring_set(&idg->launch.local_memory, wider->bytes);
    return idg;
}

static void find(PsAdvicePlan *plan)
{
    const PsAnswer *answer = plan->answer;
    const PsLaunchOptions *launch = &plan->question->launch;
    Wider wider;
    if (ps_ring_hunger(answer) < ps_advice_least_gain(answer) || launch->groups ||
        launch->group_size || launch->active || ps_ring_is_clustered(plan) ||
        answer->explain->roles->rings->len == 0)
        return;
    const PsRing *ring = answer->explain->roles->rings->pdata[0];
    if (!ps_ring_feeds_products(answer, ring) || !find_needs(answer, ring, &wider))
        return;
    PsVariant *variant = ps_variant_new(plan->question);
    variant->question.idg = variant->idg = make_graph(answer, ring, &wider);
    variant->share = ps_ring_hunger(answer);
    PsAdvice *advice =
        ps_advice_add(plan, PS_CAUSE_TILE_SIZE, &wider_tiles, G_MAXUINT, variant)->advice;
    ps_ring_place(answer, ring, advice);
    *ps_advice_data_new(advice, Wider) = wider;
}

const PsAdviceKind ps_advice_kind_tile_size = {.find = find, .copies_graph = TRUE};
