/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Advice on multiply-adds that matrix units could do: an innermost loop that consists mostly of
 * them, each with its own sum and two factors from local memory. The factors form a product of
 * matrices if every value of one kind meets every one of the other: m of one and n of the other,
 * with m and n at least 2. (In a row's inner product each value meets one other, in a stencil its
 * neighbours.) The variant does the same with products of matrices, and loads no more than a tile
 * of the warp's sums needs. See kind.h.
 */
#include "advice/kind.h"

#include "advice/node-share.h"
#include "base/class-name.h"
#include "base/matrix.h"
#include "gpu/rows.h"
#include "idg/edit.h"
#include "idg/words.h"
#include "tell/format.h"

#include <math.h>
#include <string.h>

#define LEAST_FMAS 64    /* multiply-adds of a warp */
#define MOST_LOADS 256   /* loads in a loop's body */
#define FRAGMENT 512     /* bytes of a warp's load of fragments, at most */
#define OF_TWO_LOADS 0.9 /* least share of the multiply-adds with two loaded factors */

/* A loop that is a product of matrices. */
typedef struct {
    guint code;
    const PsIdgItem *loop;
    GPtrArray *fmas, *loads; /* PsIdgItem, in program order */
    guint elements;          /* products of numbers in a thread's multiply-add */
    guint sums;              /* sums of a thread */
    guint8 *pairs;           /* loads x loads: some multiply-add takes both */
    guint *fills;            /* [lower load]: products of numbers with it */
} Product;

static void product_free(void *data)
{
    Product *product = data;
    g_ptr_array_unref(product->fmas);
    g_ptr_array_unref(product->loads);
    g_free(product->pairs);
    g_free(product->fills);
    g_free(product);
}

/* ---- what is multiplied -------------------------------------------------------------------- */

static gboolean is_fma(const PsIdgItem *node)
{
    return ps_class_covers("fmadd", node->class_name) ||
           ps_class_covers("hfma", node->class_name) || ps_class_covers("dfma", node->class_name);
}

static guint bytes_of(const PsIdgItem *fma)
{
    return ps_class_covers("dfma", fma->class_name)    ? 8
           : ps_class_covers("fmadd", fma->class_name) ? 4
                                                       : 2;
}

/* The number that an expression of the kernel has; 0 without one. */
static double number(const PsKernel *kernel, const PsExpr *expr)
{
    PsRational value;
    if (!expr || !ps_expr_eval(expr, kernel->scope, (PsPlace){"number", 0}, &value, NULL))
        return 0;
    return ps_rational_to_double(value);
}

typedef struct {
    GHashTable *names; /* name -> position in the body plus 1 */
    const GPtrArray *body;
    GHashTable *loads; /* loads of local memory that the values come from */
    GHashTable *seen;
    guint sums, position; /* awaited multiply-adds, and the position of the last one */
} Sources;

static void follow_all(Sources *sources, const PsIdgItem *node);

/* Follows a value back to loads and multiply-adds. Each node is looked at once. */
static void follow(Sources *sources, const char *name)
{
    const guint at = GPOINTER_TO_UINT(g_hash_table_lookup(sources->names, name));
    if (at == 0 || !g_hash_table_add(sources->seen, sources->body->pdata[at - 1]))
        return;
    const PsIdgItem *on = sources->body->pdata[at - 1];
    if (ps_class_covers("local.load", on->class_name)) {
        g_hash_table_add(sources->loads, (gpointer)on);
    } else if (is_fma(on)) {
        sources->sums++;
        sources->position = at - 1;
    } else {
        follow_all(sources, on);
    }
}

static void follow_deps(Sources *sources, const GPtrArray *deps)
{
    for (guint i = 0; deps && i < deps->len; i++)
        follow(sources, ((const PsIdgDep *)deps->pdata[i])->on);
}

static void follow_all(Sources *sources, const PsIdgItem *node)
{
    follow_deps(sources, node->after);
    follow_deps(sources, node->reads);
}

/* Notes the two loads that a multiply-add takes; FALSE if it belongs to no product of matrices. */
static gboolean note_fma(Product *product, GHashTable *names, guint position)
{
    const GPtrArray *body = product->loop->body;
    g_autoptr(GHashTable) loads = g_hash_table_new(NULL, NULL);
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    Sources sources = {names, body, loads, seen, 0, 0};
    guint of[2], n = 0;
    follow_all(&sources, body->pdata[position]);
    if (sources.sums != 1 || g_hash_table_size(loads) != 2)
        return FALSE;
    for (guint i = 0; i < product->loads->len && n < 2; i++)
        if (g_hash_table_contains(loads, product->loads->pdata[i]))
            of[n++] = i;
    product->sums += sources.position >= position;
    product->pairs[of[0] * product->loads->len + of[1]] = 1;
    product->pairs[of[1] * product->loads->len + of[0]] = 1;
    product->fills[of[0]]++;
    return TRUE;
}

/* ---- whether it is a product of matrices --------------------------------------------------- */

/* Loads that meet, on two sides. */
typedef struct {
    guint n[2];      /* number of loads on each side */
    double words[2]; /* numbers that each side loads */
    guint pairs;     /* pairs of loads that meet */
    double products; /* products of numbers */
} Meeting;

static void meet(const Product *product, const PsKernel *kernel, guint load, guint side,
                 guint8 *sides, Meeting *meeting)
{
    const guint n = product->loads->len;
    const PsIdgItem *item = product->loads->pdata[load];
    sides[load] = (guint8)(side + 1);
    meeting->n[side]++;
    meeting->words[side] += number(kernel, item->bytes) / bytes_of(product->fmas->pdata[0]);
    meeting->products += product->fills[load] * product->elements;
    for (guint other = 0; other < n; other++) {
        if (!product->pairs[load * n + other])
            continue;
        meeting->pairs++;
        if (!sides[other])
            meet(product, kernel, other, 1 - side, sides, meeting);
    }
}

/* TRUE if each of m x k numbers meets those of k x n with the same k. */
static gboolean is_matrix(const Meeting *meeting)
{
    const double depth = meeting->words[0] * meeting->words[1] / meeting->products;
    const double m = meeting->words[0] / depth, n = meeting->words[1] / depth;
    return meeting->pairs == 2 * meeting->n[0] * meeting->n[1] && depth >= 1 &&
           depth == floor(depth) && m == floor(m) && n == floor(n) && m >= 2 && n >= 2;
}

static gboolean are_matrices(const Product *product, const PsKernel *kernel)
{
    g_autofree guint8 *sides = g_new0(guint8, product->loads->len);
    for (guint i = 0; i < product->loads->len; i++) {
        Meeting meeting = {0};
        gboolean meets = FALSE;
        for (guint j = 0; j < product->loads->len; j++)
            meets = meets || product->pairs[i * product->loads->len + j];
        if (!meets || sides[i])
            continue;
        meet(product, kernel, i, 0, sides, &meeting);
        if (!is_matrix(&meeting))
            return FALSE;
    }
    return TRUE;
}

/* ---- loops --------------------------------------------------------------------------------- */

static void sort_out(Product *product, GHashTable *names)
{
    const GPtrArray *body = product->loop->body;
    for (guint i = 0; i < body->len; i++) {
        PsIdgItem *node = body->pdata[i];
        g_hash_table_insert(names, node->name, GUINT_TO_POINTER(i + 1));
        if (is_fma(node))
            g_ptr_array_add(product->fmas, node);
        if (ps_class_covers("local.load", node->class_name))
            g_ptr_array_add(product->loads, node);
    }
}

static gboolean is_product(Product *product, const PsKernel *kernel)
{
    const GPtrArray *body = product->loop->body;
    g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
    guint of_two = 0;
    sort_out(product, names);
    const guint n = product->loads->len;
    if (n < 2 || n > MOST_LOADS || 2 * product->fmas->len < body->len ||
        product->fmas->len * number(kernel, product->loop->times) < LEAST_FMAS)
        return FALSE;
    product->elements = (guint)number(kernel, ((PsIdgItem *)product->fmas->pdata[0])->ops) / 2;
    product->pairs = g_new0(guint8, n * n);
    product->fills = g_new0(guint, n);
    for (guint i = 0; i < body->len; i++)
        if (is_fma(body->pdata[i]))
            of_two += note_fma(product, names, i);
    return product->elements > 0 && product->sums > 0 &&
           of_two >= OF_TWO_LOADS * product->fmas->len && are_matrices(product, kernel);
}

/* Recursive like the graph's loops. */
static void find_products(const PsKernel *kernel, guint code, const GPtrArray *body,
                          GPtrArray *found)
{
    for (guint i = 0; i < body->len; i++) {
        const PsIdgItem *item = body->pdata[i];
        gboolean innermost = item->kind == PS_IDG_LOOP;
        for (guint j = 0; innermost && j < item->body->len; j++)
            innermost = ((const PsIdgItem *)item->body->pdata[j])->kind == PS_IDG_NODE;
        if (item->kind == PS_IDG_LOOP && !innermost)
            find_products(kernel, code, item->body, found);
        if (!innermost)
            continue;
        Product *product = g_new0(Product, 1);
        *product = (Product){
            .code = code, .loop = item, .fmas = g_ptr_array_new(), .loads = g_ptr_array_new()};
        if (is_product(product, kernel))
            g_ptr_array_add(found, product);
        else
            product_free(product);
    }
}

/* ---- units --------------------------------------------------------------------------------- */

/* TRUE if the GPU's description has matrix products of that type. */
static gboolean has_type(const PsGpu *gpu, const char *type)
{
    g_autofree char *class_name = g_strconcat("tensor.", type, NULL);
    g_autofree char *peak = g_strconcat("T_", class_name, NULL);
    if (ps_gpu_peak(gpu, peak))
        return TRUE;
    for (guint i = 0; i < gpu->classes->len; i++)
        if (ps_class_covers(class_name, ((const PsClass *)gpu->classes->pdata[i])->name))
            return TRUE;
    return FALSE;
}

/* Finds a product of 16 x 8 numbers with factors of 256 bits, of the type nearest to that of the
 * multiply-adds. */
static gboolean find_unit(const PsGpu *gpu, guint bytes, PsMatrixName *unit)
{
    *unit = (PsMatrixName){.m = 16, .n = 8};
    if (bytes == 8) {
        unit->factor = "f64";
        unit->k = 4;
        return has_type(gpu, "f64");
    }
    const gboolean tf32 = bytes == 4 && has_type(gpu, "tf32");
    unit->factor = tf32 ? "tf32" : "f16";
    unit->result = tf32 ? NULL : "f32";
    unit->k = tf32 ? 8 : 16;
    return ps_gpu_peak(gpu, "T_tensor") != NULL;
}

/* The nodes that replace a loop's multiply-adds and loads in each iteration. */
typedef struct {
    char *class_name;
    guint products, loads;
    guint ops; /* operations of a thread in one product */
} Instead;

static Instead instead_of(const Product *product, const PsMatrixName *unit)
{
    const double lanes = 32, one = unit->m * unit->n * unit->k;
    const double numbers = product->fmas->len * product->elements * lanes;
    const double tiles = fmax(1, product->sums * product->elements * lanes / (unit->m * unit->n));
    const double down = fmax(1, round(sqrt(tiles * unit->n / unit->m)));
    const double across = ceil(tiles / down);
    const double bytes = strcmp(unit->factor, "f16") == 0   ? 2
                         : strcmp(unit->factor, "f64") == 0 ? 8
                                                            : 4;
    const double steps = numbers / one / tiles;
    const double moved = steps * (down * unit->m + across * unit->n) * unit->k * bytes;
    return (Instead){ps_matrix_write(unit), (guint)ceil(numbers / one),
                     MIN((guint)ceil(moved / FRAGMENT), product->loads->len),
                     (guint)(2 * one / lanes)};
}

/* ---- graphs -------------------------------------------------------------------------------- */

typedef struct {
    const Instead *instead;
    GHashTable *gone; /* names of removed nodes */
    GPtrArray *kept;  /* names of multiply-adds that become products, in order */
    GPtrArray *loads; /* names of loads that become loads of fragments */
} Exchange;

static gboolean is_gone(const PsIdgItem *node, void *gone)
{
    return g_hash_table_contains(gone, node->name);
}

static void set_class(PsIdgItem *node, const char *class_name)
{
    g_free(node->class_name);
    node->class_name = g_strdup(class_name);
}

static void set_number(PsExpr **expr, gint64 value)
{
    ps_expr_free(*expr);
    *expr = ps_idg_number(value);
}

/* Replaces multiply-adds at equal distances by products. */
static void exchange_fmas(const Exchange *exchange, const Product *product, PsIdg *idg)
{
    const guint n = product->fmas->len, products = MIN(exchange->instead->products, n);
    guint kept = 0;
    for (guint i = 0; i < n; i++) {
        const PsIdgItem *fma = product->fmas->pdata[i];
        if ((guint64)(i + 1) * products / n == kept) {
            g_hash_table_add(exchange->gone, fma->name);
            continue;
        }
        kept++;
        PsIdgItem *node = ps_idg_find(idg, product->code, fma->name);
        set_class(node, exchange->instead->class_name);
        set_number(&node->ops, exchange->instead->ops);
        g_free(node->type);
        node->type = g_strdup("tensor");
        g_ptr_array_add(exchange->kept, fma->name);
    }
}

static void exchange_loads(const Exchange *exchange, const Product *product, PsIdg *idg)
{
    for (guint i = 0; i < product->loads->len; i++) {
        const PsIdgItem *load = product->loads->pdata[i];
        if (i >= exchange->instead->loads) {
            g_hash_table_add(exchange->gone, load->name);
            continue;
        }
        PsIdgItem *node = ps_idg_find(idg, product->code, load->name);
        set_class(node, "local.load.matrix");
        set_number(&node->bytes, 16);
        g_ptr_array_add(exchange->loads, load->name);
    }
}

static gboolean waits_for(const PsIdgItem *node, const char *name)
{
    for (guint i = 0; i < node->after->len; i++)
        if (strcmp(((const PsIdgDep *)node->after->pdata[i])->on, name) == 0)
            return TRUE;
    return FALSE;
}

/* Nodes that waited for a sum wait for the last product. */
static void await_products(const Exchange *exchange, const GPtrArray *body)
{
    const char *last = exchange->kept->pdata[exchange->kept->len - 1];
    for (guint i = 0; i < body->len; i++) {
        PsIdgItem *item = body->pdata[i];
        gboolean waits = FALSE;
        if (item->kind == PS_IDG_LOOP)
            await_products(exchange, item->body);
        for (guint d = 0; item->kind == PS_IDG_NODE && d < item->after->len; d++)
            waits = waits ||
                    g_hash_table_contains(exchange->gone, ((PsIdgDep *)item->after->pdata[d])->on);
        if (waits && !is_gone(item, exchange->gone) && strcmp(item->name, last) != 0 &&
            !g_ptr_array_find_with_equal_func(exchange->kept, item->name, g_str_equal, NULL) &&
            !waits_for(item, last))
            ps_idg_add_dep(item, last);
    }
}

static void exchange(const Product *product, const Instead *instead, PsIdg *idg)
{
    g_autoptr(GHashTable) gone = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GPtrArray) kept = g_ptr_array_new(), loads = g_ptr_array_new();
    const Exchange all = {instead, gone, kept, loads};
    exchange_fmas(&all, product, idg);
    exchange_loads(&all, product, idg);
    await_products(&all, ((const PsIdgCode *)idg->codes->pdata[product->code])->body);
    ps_idg_remove(idg, product->code, is_gone, gone);
    for (guint i = 0; i < kept->len; i++) {
        PsIdgItem *node = ps_idg_find(idg, product->code, kept->pdata[i]);
        for (guint l = 0; l < loads->len; l++)
            if (!waits_for(node, loads->pdata[l]))
                ps_idg_add_dep(node, loads->pdata[l]);
        if (!waits_for(node, node->name))
            ps_idg_add_dep(node, node->name);
    }
}

/* ---- advice -------------------------------------------------------------------------------- */

/* The exchange in one iteration of a loop. */
typedef struct {
    guint multiply_adds;   /* removed */
    guint products, loads; /* added: products of matrices, and loads */
} Exchanged;

/* The sentence warns that factors of fp32 lose digits. */
static char *sentence(const PsAnswer *answer, const PsAdvice *advice)
{
    const Exchanged *of = advice->data;
    const PsIdgItem *node = answer->kernel->programs[advice->program].nodes[advice->node].item;
    const gboolean coarser = strcmp(node->class_name, "fmadd") == 0;
    const char *type = strstr(advice->class_name, "tf32") ? "TF32" : "half";
    g_autofree char *gives = ps_would_give(answer, advice);
    const char *local = ps_idg_local_memory(answer->idg);
    g_autofree char *precision =
        coarser ? g_strdup_printf(", with factors in the lower precision of %s,", type)
                : g_strdup(",");
    return g_strdup_printf("an iteration's %u multiply-adds of tiles in %s are a product of "
                           "matrices, which matrix units could do: %u of %s with %u loads of "
                           "fragments%s %s",
                           of->multiply_adds, local, of->products, advice->class_name, of->loads,
                           precision, gives);
}

static void tell_figures(const PsAdvice *advice, PsTold *facts)
{
    const Exchanged *of = advice->data;
    ps_tell_entry_whole(facts, "multiply_adds", of->multiply_adds);
    ps_tell_entry_whole(facts, "products", of->products);
    ps_tell_entry_whole(facts, "loads", of->loads);
}

static const PsAdviceChange matrices = {
    .name = "tensor", .sentence = sentence, .tell_figures = tell_figures};

static double path_share(const Product *product, GHashTable *nodes)
{
    double share = 0;
    for (guint i = 0; i < product->loop->body->len; i++) {
        const PsNodeShare *one = g_hash_table_lookup(nodes, product->loop->body->pdata[i]);
        share += one ? one->share : 0;
    }
    return share;
}

static void add_products(PsAdvicePlan *plan, GHashTable *nodes, const GPtrArray *products,
                         const PsMatrixName *unit)
{
    PsVariant *variant = ps_variant_new(plan->question);
    PsAdvice *advice = ps_advice_add(plan, PS_CAUSE_TENSOR, &matrices, G_MAXUINT, variant)->advice;
    Exchanged *of = ps_advice_data_new(advice, Exchanged);
    double most = -1;
    variant->idg = ps_idg_copy(plan->answer->kernel->idg);
    variant->question.idg = variant->idg;
    for (guint i = 0; i < products->len; i++) {
        const Product *product = products->pdata[i];
        const double share = path_share(product, nodes);
        Instead instead = instead_of(product, unit);
        exchange(product, &instead, variant->idg);
        variant->share += share;
        if (share > most) {
            const PsNodeShare *at = g_hash_table_lookup(nodes, product->fmas->pdata[0]);
            most = share;
            advice->program = product->code;
            advice->node = at->node;
            *of = (Exchanged){product->fmas->len, instead.products, instead.loads};
            g_free(advice->class_name);
            advice->class_name = g_steal_pointer(&instead.class_name);
        }
        g_free(instead.class_name);
    }
}

static void find(PsAdvicePlan *plan)
{
    const PsKernel *kernel = plan->answer->kernel;
    g_autoptr(GPtrArray) products = g_ptr_array_new_with_free_func(product_free);
    PsMatrixName unit;
    if (kernel->local_memory == 0)
        return;
    for (guint c = 0; c < kernel->n_programs; c++)
        find_products(kernel, c, ((const PsIdgCode *)kernel->idg->codes->pdata[c])->body, products);
    /* A loop inside one that runs no iteration has no instances. */
    g_autoptr(GHashTable) nodes = ps_node_shares(plan->answer);
    for (guint i = products->len; i-- > 0;)
        if (!g_hash_table_contains(nodes, ((const Product *)products->pdata[i])->fmas->pdata[0]))
            g_ptr_array_remove_index(products, i);
    if (products->len == 0)
        return;
    const Product *first = products->pdata[0];
    if (find_unit(plan->answer->gpu, bytes_of(first->fmas->pdata[0]), &unit))
        add_products(plan, nodes, products, &unit);
}

const PsAdviceKind ps_advice_kind_tensor = {.find = find, .copies_graph = TRUE};
