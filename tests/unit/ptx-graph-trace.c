/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dependences of graphs against what was executed: random kernels of nested loops, branches that
 * part lanes, and guards run once more, with a listener that knows for each lane which step wrote
 * each register last. With all rules off, the steps of the record are the instances of the graph in
 * program order; each must wait for all steps whose results it read.
 */
#include "idg/program.h"
#include "ptx/run/run.h"
#include "tests/help/graph-text.h"
#include "tests/help/seeds.h"

#include <stdlib.h>
#include <string.h>

#define REGISTERS 40 /* %r0 to %r39 ... */
#define PREDICATES 40
#define SLOTS (REGISTERS + PREDICATES)

/* ---- random kernels ----------------------------------------------------------------------------
 */

typedef struct {
    GRand *rand;
    GString *text;
    int label, counter, left; /* instructions that may still come */
} Random;

/* %r0 to %r7 hold data, %r8 the lane, from %r10 on counters; %p0 and %p1 guards. */
static void add_line(Random *random)
{
    static const char *const operations[] = {"add.s32", "xor.b32", "mul.lo.s32", "min.s32"};
    GRand *rand = random->rand;
    random->left--;
    if (g_rand_int_range(rand, 0, 4) == 0)
        g_string_append_printf(random->text, "@%sp%d ", g_rand_boolean(rand) ? "%" : "!%",
                               g_rand_int_range(rand, 0, 2));
    if (g_rand_int_range(rand, 0, 4) == 0)
        g_string_append_printf(random->text, "mov.u32 %%r%d, %%r%d;\n",
                               g_rand_int_range(rand, 0, 8), g_rand_int_range(rand, 0, 9));
    else
        g_string_append_printf(random->text, "%s %%r%d, %%r%d, %%r%d;\n",
                               operations[g_rand_int_range(rand, 0, 4)],
                               g_rand_int_range(rand, 0, 8), g_rand_int_range(rand, 0, 9),
                               g_rand_int_range(rand, 0, 9));
}

static void add_body(Random *random, int depth);

static void add_loop(Random *random, int depth)
{
    const int label = random->label++, counter = 10 + random->counter++;
    g_string_append_printf(random->text, "mov.u32 %%r%d, 0;\nL%d:\n", counter, label);
    add_body(random, depth + 1);
    g_string_append_printf(random->text,
                           "add.s32 %%r%d, %%r%d, 1;\nsetp.lt.s32 %%p%d, %%r%d, %d;\n"
                           "@%%p%d bra L%d;\n",
                           counter, counter, counter, counter, g_rand_int_range(random->rand, 1, 6),
                           counter, label);
}

/* A condition on the lane, on data, or on a counter: the same for all lanes, or not. */
static void add_condition(Random *random, int predicate)
{
    const int what = g_rand_int_range(random->rand, 0, 3);
    const int reg = what == 0                           ? 8
                    : what == 1 || random->counter == 0 ? g_rand_int_range(random->rand, 0, 8)
                                                        : 10 + random->counter - 1;
    g_string_append_printf(random->text, "and.b32 %%r9, %%r%d, %d;\nsetp.eq.s32 %%p%d, %%r9, 0;\n",
                           reg, g_rand_int_range(random->rand, 1, 4), predicate);
}

static void add_branch(Random *random, int depth)
{
    const int otherwise = random->label++, end = random->label++;
    add_condition(random, 2);
    g_string_append_printf(random->text, "@%%p2 bra L%d;\n", otherwise);
    add_body(random, depth + 1);
    g_string_append_printf(random->text, "bra.uni L%d;\nL%d:\n", end, otherwise);
    if (g_rand_boolean(random->rand))
        add_body(random, depth + 1);
    else
        g_string_append(random->text, "xor.b32 %r0, %r0, %r8;\n");
    g_string_append_printf(random->text, "L%d:\n", end);
}

static void add_body(Random *random, int depth)
{
    for (int n = g_rand_int_range(random->rand, 1, 5); n > 0 && random->left > 0; n--) {
        const int what = g_rand_int_range(random->rand, 0, 10);
        if (what < 2 && depth < 3 && random->counter < 20)
            add_loop(random, depth);
        else if (what < 4 && depth < 4)
            add_branch(random, depth);
        else if (what < 5)
            add_condition(random, g_rand_int_range(random->rand, 0, 2));
        else
            add_line(random);
    }
    add_line(random);
}

static char *random_kernel(guint32 seed)
{
    Random random = {g_rand_new_with_seed(seed), g_string_new("mov.u32 %r8, %laneid;\n"), 1, 0, 60};
    for (int i = 0; i < 8; i++)
        g_string_append_printf(random.text, "mov.u32 %%r%d, %d;\n", i, 3 * i + 1);
    add_condition(&random, 0);
    add_condition(&random, 1);
    while (random.left > 0)
        add_body(&random, 0);
    g_rand_free(random.rand);
    return g_string_free(random.text, FALSE);
}

/* ---- what was executed
 * --------------------------------------------------------------------------- */

/* A step, and the steps whose results it read. */
typedef struct {
    guint point;
    GArray *needs; /* guint */
} Step;

typedef struct {
    const PsPtxCode *code;
    GArray *steps;                 /* Step */
    int last[SLOTS][PS_PTX_LANES]; /* step that wrote it, or -1 */
} Trace;

static int slot_of(const PsPtxPoint *at, gint reg)
{
    const GArray *registers = at->in->function->registers;
    const char *name = g_array_index(registers, PsPtxRegister, reg).name;
    const int number = atoi(name + strcspn(name, "0123456789"));
    return name[1] == 'p' ? REGISTERS + number : number;
}

static void read_slot(const Trace *trace, int slot, guint32 lanes, GArray *needs)
{
    for (int lane = 0; lane < PS_PTX_LANES; lane++) {
        const int step = trace->last[slot][lane];
        if ((lanes >> lane & 1) && step >= 0)
            g_array_append_val(needs, step);
    }
}

static void hear(gpointer data, const PsPtxEvent *event)
{
    Trace *trace = data;
    const PsPtxPoint *at = &trace->code->points[event->point];
    const PsPtxInstruction *instruction = at->instruction;
    const gboolean branch = strcmp(instruction->mnemonic->opcode, "bra") == 0;
    if ((event->mask == 0 && !branch) || strcmp(instruction->mnemonic->opcode, "ret") == 0)
        return;
    Step step = {event->point, g_array_new(FALSE, FALSE, sizeof(guint))};
    if (instruction->guard >= 0)
        read_slot(trace, slot_of(at, instruction->guard), event->active, step.needs);
    for (guint i = 1; i < instruction->n_operands; i++)
        if (instruction->operands[i].kind == PS_PTX_OPERAND_REGISTER)
            read_slot(trace, slot_of(at, instruction->operands[i].reg), event->mask, step.needs);
    if (!branch)
        for (int lane = 0; lane < PS_PTX_LANES; lane++)
            if (event->mask >> lane & 1)
                trace->last[slot_of(at, instruction->operands[0].reg)][lane] =
                    (int)trace->steps->len;
    g_array_append_val(trace->steps, step);
}

static void free_step(gpointer step)
{
    g_array_unref(((Step *)step)->needs);
}

/* ---- the graph
 * ----------------------------------------------------------------------------------- */

typedef struct {
    guint node;
    gint64 instance;
} Place;

/* Instances in program order. */
static GArray *expand(const PsProgram *program)
{
    GArray *places = g_array_sized_new(FALSE, TRUE, sizeof(Place), (guint)program->length);
    g_array_set_size(places, (guint)program->length);
    for (guint n = 0; n < program->n_nodes; n++) {
        const PsProgramNode *node = &program->nodes[n];
        for (gint64 k = 0; k < node->count; k++) {
            gint64 position = node->position, rest = k;
            for (guint l = 0; l < node->n_loops; l++) {
                position += rest % node->loops[l].trips * node->loops[l].stride;
                rest /= node->loops[l].trips;
            }
            g_array_index(places, Place, position) = (Place){n, k};
        }
    }
    return places;
}

/* Adds what a place waits for to what is reached: per node the latest instance, since earlier ones
 * are complete before it. */
static void reach(const PsProgram *program, Place place, gint64 *reached, GArray *todo)
{
    const PsProgramNode *node = &program->nodes[place.node];
    for (guint i = 0; i < node->n_deps; i++) {
        const PsProgramDep *dep = &node->deps[i];
        const Place on = {dep->on, dep->first + dep->per * (place.instance / dep->every) - 1};
        if (on.instance <= reached[on.node])
            continue;
        reached[on.node] = on.instance;
        g_array_append_val(todo, on);
    }
}

/* Directly, or for a node that waits for it: a guarded instruction waits for what it may leave as
 * it was, and stands for it from then on. */
static gboolean waits_for(const PsProgram *program, Place place, Place for_it)
{
    g_autofree gint64 *reached = g_new(gint64, program->n_nodes);
    g_autoptr(GArray) todo = g_array_new(FALSE, FALSE, sizeof(Place));
    memset(reached, 0xff, program->n_nodes * sizeof(gint64));
    g_array_append_val(todo, place);
    while (todo->len > 0 && reached[for_it.node] < for_it.instance) {
        const Place next = g_array_index(todo, Place, todo->len - 1);
        g_array_set_size(todo, todo->len - 1);
        reach(program, next, reached, todo);
    }
    return reached[for_it.node] >= for_it.instance;
}

/* TRUE if every step waits for all that it read. */
static gboolean compare(const Trace *trace, const PsProgram *program)
{
    g_autoptr(GArray) places = expand(program);
    if (places->len != trace->steps->len) {
        g_test_message("the graph has %u instances, %u steps were executed", places->len,
                       trace->steps->len);
        return FALSE;
    }
    for (guint s = 0; s < places->len; s++) {
        const Step *step = &g_array_index(trace->steps, Step, s);
        const Place place = g_array_index(places, Place, s);
        for (guint i = 0; i < step->needs->len; i++) {
            const guint need = g_array_index(step->needs, guint, i);
            const Place other = g_array_index(places, Place, need);
            if (waits_for(program, place, other))
                continue;
            g_test_message("step %u (%s, instance %d) read step %u (%s, instance %d)", s,
                           program->nodes[place.node].item->name, (int)place.instance, need,
                           program->nodes[other.node].item->name, (int)other.instance);
            return FALSE;
        }
    }
    return TRUE;
}

/* What graph_with_options calls: good says whether all is well. */
static void run_and_compare(const PsBuildOptions *options, gpointer data)
{
    g_autoptr(GError) error = NULL;
    gboolean *good = data;
    g_autoptr(PsPtxMachine) machine = ps_ptx_machine_new(options->module, &options->launch, &error);
    g_assert_no_error(error);
    Trace *trace = g_new0(Trace, 1);
    trace->code = ps_ptx_machine_code(machine);
    trace->steps = g_array_new(FALSE, FALSE, sizeof(Step));
    g_array_set_clear_func(trace->steps, free_step);
    memset(trace->last, 0xff, sizeof trace->last);
    const PsPtxListener listener = {.data = trace, .executed = hear};
    ps_ptx_run_group(machine, (const guint[3]){0, 0, 0}, &listener, &error);
    g_assert_no_error(error);
    g_autoptr(PsBuild) build = ps_build(options, &error);
    g_assert_no_error(error);
    g_autoptr(PsKernel) kernel = build ? ps_kernel_new(build->idg, NULL, &error) : NULL;
    g_assert_no_error(error);
    *good = kernel && compare(trace, &kernel->programs[0]);
    g_array_unref(trace->steps);
    g_free(trace);
}

static gboolean check_seed(guint32 seed, G_GNUC_UNUSED gpointer data)
{
    g_autofree char *text = random_kernel(seed);
    const GraphCase graph = {.ptx = text, .block = {32}, .without = "all"};
    gboolean good = FALSE;
    graph_with_options(&graph, run_and_compare, &good);
    if (!good)
        g_test_message("seed %u:\n%s", seed, text);
    return good;
}

static void test_random(void)
{
    seeds_check((SeedCounts){300, 20}, check_seed, NULL);
}

/* ---- scheduled ------------------------------------------------------------------------------ */

static const PsProgramNode *node_of(const PsProgram *program, const char *name)
{
    for (guint n = 0; n < program->n_nodes; n++)
        if (strcmp(program->nodes[n].item->name, name) == 0)
            return &program->nodes[n];
    return NULL;
}

/* TRUE if the node waits for the same instances of the same nodes as in the other program. */
static gboolean waits_alike(const PsProgram *program, const PsProgramNode *node,
                            const PsProgram *other)
{
    const PsProgramNode *twin = node_of(other, node->item->name);
    if (!twin || twin->count != node->count || twin->n_deps != node->n_deps)
        return FALSE;
    for (guint i = 0; i < node->n_deps; i++) {
        const PsProgramDep *dep = &node->deps[i];
        guint found = 0;
        for (guint j = 0; j < twin->n_deps; j++) {
            const PsProgramDep *of_twin = &twin->deps[j];
            found += of_twin->first == dep->first && of_twin->per == dep->per &&
                     of_twin->every == dep->every &&
                     strcmp(other->nodes[of_twin->on].item->name,
                            program->nodes[dep->on].item->name) == 0;
        }
        if (found != 1)
            return FALSE;
    }
    return TRUE;
}

typedef struct {
    gboolean good;
    guint moved; /* nodes that stand elsewhere than without the rule */
} Scheduled;

/* What graph_with_options calls: the graph with the rule "schedule" beside the one without. */
static void schedule_and_compare(const PsBuildOptions *options, gpointer data)
{
    g_autoptr(GError) error = NULL;
    Scheduled *result = data;
    PsBuildOptions with = *options;
    with.rules[PS_BUILD_SCHEDULE] = TRUE;
    g_autoptr(PsBuild) plain = ps_build(options, &error);
    g_assert_no_error(error);
    g_autoptr(PsBuild) scheduled = ps_build(&with, &error);
    g_assert_no_error(error);
    g_autoptr(PsKernel) a = ps_kernel_new(plain->idg, NULL, &error);
    g_assert_no_error(error);
    g_autoptr(PsKernel) b = ps_kernel_new(scheduled->idg, NULL, &error);
    g_assert_no_error(error);
    const PsProgram *first = &a->programs[0], *second = &b->programs[0];
    result->good = first->n_nodes == second->n_nodes && first->length == second->length;
    for (guint n = 0; n < first->n_nodes && result->good; n++) {
        result->good = waits_alike(first, &first->nodes[n], second);
        result->moved += strcmp(first->nodes[n].item->name, second->nodes[n].item->name) != 0;
        if (!result->good)
            g_test_message("node %s", first->nodes[n].item->name);
    }
}

/* What graph_with_options calls: an assembler keeps special functions 8 cycles apart. */
static void schedule_specials(const PsBuildOptions *options, gpointer data)
{
    g_autoptr(GError) error = NULL;
    GString *text = data;
    PsBuildOptions with = *options;
    with.apart.special = 8;
    g_autoptr(PsBuild) build = ps_build(&with, &error);
    g_assert_no_error(error);
    g_autoptr(PsKernel) kernel = ps_kernel_new(build->idg, NULL, &error);
    g_assert_no_error(error);
    for (guint n = 0; n < kernel->programs[0].n_nodes; n++) {
        const PsIdgItem *node = kernel->programs[0].nodes[n].item;
        const char *hold = node->hold ? ps_expr_text(node->hold) : NULL;
        g_string_append_printf(text, "%s %s\n", node->name, hold ? hold : "-");
    }
}

/* Other work comes between two special functions; where there is none, the one before holds. */
static void test_specials(void)
{
    g_autoptr(GString) text = g_string_new(NULL);
    const GraphCase graph = {.ptx = "ld.param.u64 %rd1, [out];\nld.global.f32 %f1, [%rd1];\n"
                                    "ex2.approx.ftz.f32 %f2, %f1;\nex2.approx.ftz.f32 %f3, %f2;\n"
                                    "rcp.approx.ftz.f32 %f4, %f1;\nadd.f32 %f5, %f1, %f1;\n"
                                    "add.f32 %f6, %f5, %f1;\nadd.f32 %f7, %f3, %f4;\n"
                                    "add.f32 %f8, %f6, %f7;\nst.global.f32 [%rd1], %f8;\n",
                             .arguments = "out:4096",
                             .block = {32},
                             .with = "schedule"};
    graph_with_options(&graph, schedule_specials, text);
    g_assert_cmpstr(text->str, ==, "f1 -\nf2 -\nf5 -\nf6 3\nf4 -\nf3 -\nf7 -\nf8 -\nstore -\n");
}

/* Moving nodes changes no dependence; data: how many were moved in all. */
static gboolean check_scheduled(guint32 seed, gpointer data)
{
    g_autofree char *text = random_kernel(seed);
    const GraphCase graph = {.ptx = text, .block = {32}, .without = "all"};
    Scheduled result = {FALSE, 0};
    graph_with_options(&graph, schedule_and_compare, &result);
    *(guint *)data += result.moved;
    if (!result.good)
        g_test_message("seed %u:\n%s", seed, text);
    return result.good;
}

static void test_scheduled(void)
{
    guint moved = 0;
    seeds_check((SeedCounts){150, 20}, check_scheduled, &moved);
    g_assert_cmpuint(moved, >, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-graph-trace/random", test_random);
    g_test_add_func("/ptx-graph-trace/scheduled", test_scheduled);
    g_test_add_func("/ptx-graph-trace/specials", test_specials);
    return g_test_run();
}
