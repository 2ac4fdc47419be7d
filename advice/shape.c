/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Advice on the launch's shape: other numbers of groups and threads for the same work. Of the
 * shapes that the code allows, few are built and simulated: those with the best rough estimate, and
 * those in which the lanes of a warp lie in other rows. See kind.h.
 */
#include "advice/kind.h"

#include "answer/figures.h"
#include "base/hearer.h"
#include "idg/words.h"
#include "launch/shape.h"
#include "ptx/run/freedom.h"
#include "tell/format.h"

#include <math.h>
#include <string.h>

/* Shapes that are simulated; each takes about as long as the run itself. */
#define MOST_TRIED 4
#define MOST_OF_A_ROW 2
#define MOST_THREADS 1024
/* Threads of a group that needs few launches and does not end late. */
#define USUAL 256
#define DIFFERENCE 0.02
/* The gain that other rows may have beyond the estimate, as a share. */
#define FOR_ROWS 0.1
/* A graph with less than this share of the launch's work does other work. (A group stands for all
 * groups of a launch, though they differ.) */
#define LEAST_WORK 0.9

/* A shape, and its estimate on the GPU. */
typedef struct {
    PsLaunchShape shape;
    gint64 threads;  /* threads of a group, in all directions */
    gint64 row;      /* lanes of a warp that are adjacent in x */
    double each;     /* groups of the fullest CU */
    double load;     /* warps of these groups */
    double resident; /* warps of them that run at once */
    double estimate; /* estimated time as a share of the present one */
    long step;       /* logarithm of the estimate, in steps of DIFFERENCE */
} Shape;

/* Shares of the time by their causes, which tell how the time changes with the shape. */
typedef struct {
    double dispatch; /* groups are launched as fast as possible */
    double busy;     /* the busiest unit serves warps */
    double waits;    /* warps at their present number wait; 0: one of the above takes all */
    double launches; /* warps wait for groups to be launched */
} Shares;

typedef struct {
    PsAdvicePlan *plan;
    PsLaunchFreedom *freedom;
    gint64 units; /* number of CUs */
    Shape now;
    Shares shares;
    GArray *shapes; /* Shape: candidates */
} Search;

/* ---- what a shape comes to ------------------------------------------------------------------- */

static gint64 product(const guint n[3])
{
    return (gint64)n[0] * n[1] * n[2];
}

/* Groups that fit on a CU; 0: none. */
static gint64 fitting(const Search *search, gint64 threads)
{
    const PsAnswer *answer = search->plan->answer;
    const PsGroupNeeds needs = ps_kernel_needs(answer->kernel, threads);
    PsOccupancy occupancy;
    return ps_gpu_occupancy(answer->gpu, &needs, &occupancy, NULL) ? occupancy.groups : 0;
}

/* FALSE if no group fits. */
static gboolean measure(const Search *search, Shape *shape)
{
    const gint64 warp = search->plan->answer->gpu->warp_size, groups = product(shape->shape.groups);
    shape->threads = product(shape->shape.threads);
    const gint64 warps = (shape->threads + warp - 1) / warp, fit = fitting(search, shape->threads),
                 each = (groups + search->units - 1) / search->units;
    shape->row = MIN(shape->shape.threads[0], warp);
    shape->each = (double)each;
    shape->load = shape->each * (double)warps;
    shape->resident = fmin(shape->each, (double)fit) * (double)warps;
    return fit > 0;
}

static Shares shares_of(const PsAnswer *answer)
{
    const PsServerRow *server = ps_busiest_server(answer);
    Shares shares = {
        .dispatch = ps_dispatch_utilization(answer),
        .busy = fmax(ps_answer_busy(answer), server ? ps_server_utilization(answer, server) : 0)};
    if (fmax(shares.dispatch, shares.busy) >= PS_NEARLY_SATURATED)
        return shares;
    shares.launches = ps_explain_path_share(answer, PS_PATH_LAUNCH, G_MAXUINT) +
                      ps_explain_path_share(answer, PS_PATH_PLACE, G_MAXUINT);
    shares.waits = 1 - shares.launches;
    return shares;
}

/* The estimate only chooses which shapes are simulated; only simulated times are told. */
static void estimate(const Search *search, Shape *shape)
{
    const Shape *now = &search->now;
    const Shares *shares = &search->shares;
    const double each = shape->each / now->each, load = shape->load / now->load,
                 waves = load * now->resident / shape->resident;
    shape->estimate = fmax(fmax(shares->dispatch * each, shares->busy * load),
                           shares->waits * waves + shares->launches * each);
    shape->step = lround(log(shape->estimate) / DIFFERENCE);
}

/* ---- candidates ------------------------------------------------------------------------------ */

/* The shape with groups of so many threads, and at least as many threads in all as now. */
static gboolean with_threads(const Search *search, const guint threads[3], Shape *shape)
{
    const PsLaunchShape *now = &search->now.shape;
    for (guint d = 0; d < 3; d++) {
        const guint64 all = (guint64)now->groups[d] * now->threads[d],
                      groups = (all + threads[d] - 1) / threads[d];
        shape->shape.threads[d] = threads[d];
        shape->shape.groups[d] = (guint)MIN(groups, G_MAXINT32);
        if (groups > (d ? G_MAXUINT16 : G_MAXINT32))
            return FALSE;
    }
    if (!measure(search, shape))
        return FALSE;
    estimate(search, shape);
    return TRUE;
}

static gboolean may_split(const Search *search, guint d)
{
    const PsLaunchShape *now = &search->now.shape;
    return ps_launch_freedom_in(search->freedom, d)->tie == PS_PTX_TIE_NONE &&
           (guint64)now->groups[d] * now->threads[d] > 1;
}

static void add_shape(Search *search, const Shape *shape)
{
    const gboolean less =
        shape->estimate<(1 - DIFFERENCE) * search->now.estimate, much_more = shape->estimate>(
            1 + FOR_ROWS) *
        search->now.estimate;
    if (less || (!much_more && shape->row != search->now.row))
        g_array_append_val(search->shapes, *shape);
}

/* TRUE for a size worth trying in a direction: the present one if it cannot be split, otherwise
 * powers of two. In x either single lanes or rows of at least half a warp, since sizes in between
 * are rarely better than both. */
static gboolean is_size(const Search *search, guint d, guint n)
{
    const guint now = search->now.shape.threads[d];
    return n == now || (may_split(search, d) && (n & (n - 1)) == 0 && (d || n == 1 || n >= 16));
}

/* Adds groups of full warps. */
static void add_sizes(Search *search)
{
    const gint64 warp = search->plan->answer->gpu->warp_size;
    for (guint x = 1; x <= MOST_THREADS; x++)
        for (guint y = 1; is_size(search, 0, x) && x * y <= MOST_THREADS; y++) {
            const guint threads[3] = {x, y, search->now.shape.threads[2]};
            Shape shape = {0};
            if (is_size(search, 1, y) && product(threads) % warp == 0 &&
                product(threads) <= MOST_THREADS && with_threads(search, threads, &shape))
                add_shape(search, &shape);
        }
}

/* If the kernel asks for the number of groups, as many groups of that size as run at once can do
 * all of the work. */
static void add_as_many_as_fit(Search *search, guint threads)
{
    Shape shape = search->now;
    const gint64 all = product(shape.shape.groups), behind = all / shape.shape.groups[0];
    shape.shape.threads[0] = threads;
    const gint64 fit = fitting(search, product(shape.shape.threads)),
                 groups = MAX(search->units * MIN(fit, G_MAXINT32 / search->units) / behind, 1);
    shape.shape.groups[0] = (guint)MIN(groups, G_MAXINT32);
    if (memcmp(&shape.shape, &search->now.shape, sizeof shape.shape) == 0 ||
        !measure(search, &shape))
        return;
    /* Their warps do all of the work, however few threads there are. */
    shape.load =
        search->now.load * fmin((double)all / (search->now.each * (double)search->units), 1);
    estimate(search, &shape);
    g_array_append_val(search->shapes, shape);
}

static void add_strides(Search *search)
{
    const guint now = search->now.shape.threads[0];
    if (!ps_launch_freedom_in(search->freedom, 0)->counted)
        return;
    add_as_many_as_fit(search, now);
    if (now != USUAL && may_split(search, 0) && search->now.threads == now)
        add_as_many_as_fit(search, USUAL);
}

static gint64 oddness(const Shape *shape)
{
    return MAX(shape->threads, USUAL) / MIN(shape->threads, USUAL);
}

static int most_promising_first(gconstpointer a, gconstpointer b)
{
    const Shape *x = a, *y = b;
    const gint64 odd = oddness(x) - oddness(y), rows = y->row - x->row;
    return x->step != y->step ? (x->step > y->step ? 1 : -1)
           : rows             ? (rows > 0 ? 1 : -1)
           : odd              ? (odd > 0 ? 1 : -1)
                              : (x->threads > y->threads) - (x->threads < y->threads);
}

/* ---- trying ---------------------------------------------------------------------------------- */

/* TRUE if a tried shape has the same estimate, or enough shapes with such rows are tried. */
static gboolean is_tried(const GArray *tried, const Shape *shape)
{
    guint of_row = 0;
    for (guint i = 0; i < tried->len; i++) {
        const Shape *other = &g_array_index(tried, Shape, i);
        of_row += other->row == shape->row;
        if (other->row == shape->row && other->resident == shape->resident &&
            other->step == shape->step)
            return TRUE;
    }
    return of_row == MOST_OF_A_ROW;
}

static gboolean is_late(const PsQuestion *question)
{
    return question->deadline && g_get_monotonic_time() >= question->deadline;
}

/* Tells the question's caller of the progress of its graphs, too. */
static gboolean hear(const PsProgress *progress, gpointer data)
{
    const PsQuestion *question = data;
    return !is_late(question) && ps_hearer_tell(&question->progress, progress, NULL);
}

/* ---- the same work --------------------------------------------------------------------------- */

/* The launch's operations, by which shapes are compared: floating-point operations, or all others
 * if there are none. */
static double work_of(const PsAnswer *answer, gboolean flops)
{
    g_autoptr(GArray) operations = ps_operations_count(answer->machine);
    double all = 0;
    for (guint i = 0; i < operations->len; i++)
        all += g_array_index(operations, PsOperations, i).count;
    return flops ? ps_operations_flops(operations) : all;
}

/* The inputs of a variant, and the work that its graph turns out to do. */
typedef struct {
    const PsQuestion *question;
    PsLaunchShape shape;
    gboolean flops;
    double work;
} Built;

static PsIdg *build(PsVariant *variant)
{
    const Built *built = variant->data;
    const PsQuestion *question = built->question;
    const PsHearer hearer = {hear, (gpointer)question};
    g_autoptr(GError) error = NULL;
    if (is_late(question))
        return NULL;
    PsIdg *idg = ps_launch_code_build(question->code, &built->shape, question->gpu, hearer, &error);
    if (!idg && !is_late(question))
        variant->why = g_strdup(error->message);
    return idg;
}

static void note_work(PsVariant *variant)
{
    Built *built = variant->data;
    built->work = work_of(variant->answer, built->flops);
}

/* ---- what is said of it -------------------------------------------------------------------- */

/* The shape now, and the one that is advised. */
typedef struct {
    PsLaunchShape sides[2];
} Change;

/* "32 x 8" or "64", without trailing ones. */
static char *describe_extent(const guint n[3])
{
    return n[2] > 1   ? g_strdup_printf("%u x %u x %u", n[0], n[1], n[2])
           : n[1] > 1 ? g_strdup_printf("%u x %u", n[0], n[1])
                      : g_strdup_printf("%u", n[0]);
}

/* What in the launch's shape suggests a better one; "": only the gain does. */
static char *describe_shape(const PsAnswer *answer)
{
    const PsLaunch *launch = &answer->machine->launch;
    const gint64 lanes = launch->warps_per_group * answer->gpu->warp_size;
    g_autofree char *room = ps_room_words(answer);
    if (launch->group_size == lanes)
        return launch->groups < answer->gpu->compute_units ? g_strconcat(room, ": ", NULL)
                                                           : g_strdup("");
    g_autofree char *empty = ps_format_share(1 - (double)launch->group_size / (double)lanes);
    return g_strdup_printf("groups of %" G_GINT64_FORMAT
                           " threads leave %s of the lanes of their warps empty: ",
                           launch->group_size, empty);
}

static char *sentence(const PsAnswer *answer, const PsAdvice *advice)
{
    const Change *of = advice->data;
    g_autofree char *why = describe_shape(answer);
    g_autofree char *threads_then = describe_extent(of->sides[1].threads);
    g_autofree char *groups_then = describe_extent(of->sides[1].groups);
    g_autofree char *threads = describe_extent(of->sides[0].threads);
    g_autofree char *groups = describe_extent(of->sides[0].groups);
    g_autofree char *gives = ps_would_give(answer, advice);
    return g_strdup_printf("%s%s threads in %s groups instead of %s in %s, which the code allows, "
                           "%s",
                           why, threads_then, groups_then, threads, groups, gives);
}

static void tell_extent(PsTold *facts, PsGroupFact which, const guint n[3])
{
    ps_tell_open(facts, which);
    for (guint i = 0; i < 3; i++)
        ps_tell_item_count(facts, n[i]);
    ps_tell_close(facts);
}

static void tell_own(const PsAnswer *answer, const PsAdvice *advice, PsTold *facts)
{
    const PsGroupFact names[] = {PS_FACT_ADVICE_SHAPE_FROM, PS_FACT_ADVICE_SHAPE_TO};
    const Change *of = advice->data;
    (void)answer;
    ps_tell_open(facts, PS_FACT_ADVICE_SHAPE);
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        ps_tell_open(facts, names[i]);
        tell_extent(facts, PS_FACT_EXTENT_GRID, of->sides[i].groups);
        tell_extent(facts, PS_FACT_EXTENT_BLOCK, of->sides[i].threads);
        ps_tell_close(facts);
    }
    ps_tell_close(facts);
}

static gboolean holds(const PsAnswer *answer, const PsVariant *variant)
{
    return ((const Built *)variant->data)->work >= LEAST_WORK * work_of(answer, answer->flops > 0);
}

/* Only the best of several helpful shapes is told. */
static gboolean is_covered(const PsAdvice *advice, const PsAdvice *told)
{
    return told->change == advice->change;
}

const PsAdviceChange ps_change_shape = {.name = "shape",
                                        .sentence = sentence,
                                        .tell_own = tell_own,
                                        .is_covered = is_covered,
                                        .holds = holds,
                                        .is_nearer = TRUE};

/* ---- trying them --------------------------------------------------------------------------- */

static void add_item(const Search *search, const Shape *shape)
{
    const PsQuestion *question = search->plan->question;
    PsVariant *variant = ps_variant_new(question);
    const Built built = {question, shape->shape, search->plan->answer->flops > 0, 0};
    variant->data = g_memdup2(&built, sizeof built);
    variant->make = build;
    variant->making = PS_VARIANT_BUILT;
    variant->look = note_work;
    variant->share = 1;
    PsAdvice *advice =
        ps_advice_add(search->plan, PS_CAUSE_SHAPE, &ps_change_shape, G_MAXUINT, variant)->advice;
    *ps_advice_data_new(advice, Change) = (Change){{search->now.shape, shape->shape}};
}

static void try_shapes(Search *search)
{
    g_autoptr(GArray) tried = g_array_new(FALSE, FALSE, sizeof(Shape));
    g_array_sort(search->shapes, most_promising_first);
    for (guint i = 0; i < search->shapes->len && tried->len < MOST_TRIED; i++) {
        const Shape *shape = &g_array_index(search->shapes, Shape, i);
        if (is_tried(tried, shape) || !ps_launch_freedom_allows(search->freedom, &shape->shape))
            continue;
        g_array_append_val(tried, *shape);
        add_item(search, shape);
    }
}

/* ---- why there is none ----------------------------------------------------------------------- */

static char *reason(const PsIdg *idg, PsPtxTieKind tie)
{
    static const char *const texts[] = {
        [PS_PTX_TIE_NONE] = "",
        [PS_PTX_TIE_INDEX] = "threads' or groups' numbers are more than parts of one in the grid",
        [PS_PTX_TIE_BARRIER] = "threads of a group wait for each other",
        [PS_PTX_TIE_SHARED] = "threads of a group use the same ",
        [PS_PTX_TIE_WARP] = "threads of a warp exchange values",
        [PS_PTX_TIE_SIZE] = "the kernel requires groups of this size",
        [PS_PTX_TIE_UNKNOWN] = "the kernel is too large to tell"};
    return g_strconcat(texts[tie], tie == PS_PTX_TIE_SHARED ? ps_idg_local_memory(idg) : "", NULL);
}

/* The first direction in which groups have several threads and cannot be split; 3: one of them
 * can. */
static guint tied_direction(const Search *search)
{
    guint tied = 3;
    for (guint d = 3; d-- > 0;) {
        if (search->now.shape.threads[d] == 1)
            continue;
        if (ps_launch_freedom_in(search->freedom, d)->tie == PS_PTX_TIE_NONE)
            return 3;
        tied = d;
    }
    return tied;
}

/* Says why a launch that leaves CUs without work has no other shape. */
static void say_why_not(const Search *search)
{
    const gint64 groups = product(search->now.shape.groups), idle = search->units - groups;
    const guint d = tied_direction(search);
    if (idle <= 0 || d == 3)
        return;
    g_autofree char *where = ps_launch_freedom_where(search->freedom, d);
    g_autofree char *why =
        reason(search->plan->answer->idg, ps_launch_freedom_in(search->freedom, d)->tie);
    g_ptr_array_add(
        search->plan->answer->warnings,
        g_strdup_printf("%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT
                        " CUs have no work, since there %s %" G_GINT64_FORMAT
                        " group%s; the kernel does not allow smaller ones in their place: %s%s%s%s",
                        idle, search->units, groups == 1 ? "is" : "are", groups,
                        groups == 1 ? "" : "s", why, where ? " (" : "", where ? where : "",
                        where ? ")" : ""));
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* TRUE if the question's launch is the one that the code was built for. */
static gboolean is_as_built(const PsQuestion *question)
{
    const PsLaunchOptions *launch = &question->launch;
    return question->code && !launch->groups && !launch->group_size && !launch->active;
}

static void find(PsAdvicePlan *plan)
{
    if (!is_as_built(plan->question))
        return;
    g_autoptr(PsLaunchFreedom) freedom = ps_launch_freedom_new(plan->question->code, NULL);
    g_autoptr(GArray) shapes = g_array_new(FALSE, FALSE, sizeof(Shape));
    Search search = {.plan = plan,
                     .freedom = freedom,
                     .now.shape = ps_launch_code_shape(plan->question->code),
                     .units = plan->answer->gpu->compute_units,
                     .shapes = shapes};
    if (!freedom || !measure(&search, &search.now))
        return;
    search.shares = shares_of(plan->answer);
    estimate(&search, &search.now);
    add_sizes(&search);
    add_strides(&search);
    try_shapes(&search);
    say_why_not(&search);
}

const PsAdviceKind ps_advice_kind_shape = {.find = find};
