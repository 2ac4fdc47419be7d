/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What-ifs: what there is, as a what-if, changes nothing, on any GPU and of any class or level;
 * what a figure does to nodes that differ; factors.
 */
#include "base/class-name.h"
#include "gpu/rows.h"
#include "sim/sim.h"
#include "tell/format.h"
#include "tests/help/build-graph.h"

#include <string.h>

typedef struct {
    PsIdg *idg;
    const PsGpu *gpu;
    PsKernel *kernel;
    PsLaunch launch;
    PsRefinements refinements;
} Case;

static PsMachine *bind(const Case *c, PsWhatIf *what_if)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) list = g_ptr_array_new();
    if (what_if)
        g_ptr_array_add(list, what_if);
    PsMachine *machine = ps_machine_new(
        c->kernel, c->gpu, &c->launch,
        &(PsMachineOptions){.what_if = list, .refinements = c->refinements}, warnings, &error);
    g_assert_no_error(error);
    return machine;
}

/* ---- what there is ------------------------------------------------------------------------- */

static gboolean is(PsRational a, PsRational b)
{
    return a.num == b.num && a.den == b.den;
}

static void assert_same_node(const PsNodeCost *a, const PsNodeCost *b)
{
    g_assert_true(is(a->latency.issue, b->latency.issue));
    g_assert_true(is(a->latency.completion, b->latency.completion));
    g_assert_cmpint(a->issue, ==, b->issue);
    g_assert_cmpint(a->completion, ==, b->completion);
    g_assert_cmpuint(a->n_stops, ==, b->n_stops);
    for (guint s = 0; s < a->n_stops; s++) {
        g_assert_cmpuint(a->stops[s].weight, ==, b->stops[s].weight);
        g_assert_cmpint(a->stops[s].service, ==, b->stops[s].service);
    }
}

/* All that a simulation reads. */
static void assert_same(const PsMachine *a, const PsMachine *b)
{
    g_assert_cmpint(a->ticks_per_cycle, ==, b->ticks_per_cycle);
    g_assert_cmpint(a->fetch, ==, b->fetch);
    for (guint i = 0; i < a->n_classes; i++) {
        g_assert_true(is(a->classes[i].latency.issue, b->classes[i].latency.issue));
        g_assert_true(is(a->classes[i].latency.completion, b->classes[i].latency.completion));
    }
    for (guint p = 0; p < a->kernel->n_programs; p++)
        for (guint n = 0; n < a->kernel->programs[p].n_nodes; n++)
            assert_same_node(&a->costs[p][n], &b->costs[p][n]);
}

/* The class's own latency, as a description counts it. */
static PsLatency now_of(const PsMachine *machine, const char *name)
{
    guint found = G_MAXUINT;
    for (guint i = machine->n_classes; i > 0; i--)
        if (ps_class_covers(name, machine->classes[i - 1].asked) &&
            (found == G_MAXUINT || strcmp(machine->classes[found].asked, name) != 0))
            found = i - 1;
    const PsMachineClass *bound = &machine->classes[found];
    const PsPipeline *pipeline = machine->gpu->pipelines->pdata[bound->pipeline];
    PsLatency now = bound->latency;
    if (pipeline->per_scheduler && !bound->per_scheduler && machine->gpu->schedulers > 1)
        g_assert_true(
            ps_rational_mul(now.issue, PS_RATIONAL_INT(machine->gpu->schedulers), &now.issue));
    return now;
}

static void check_class(const Case *c, const PsMachine *as_is, const char *name)
{
    const PsLatency now = now_of(as_is, name);
    for (guint which = 0; which < 2; which++) {
        g_autoptr(PsWhatIf) what_if = ps_what_if_new(name);
        *(which ? &what_if->completion : &what_if->issue) = which ? now.completion : now.issue;
        g_autoptr(PsMachine) machine = bind(c, what_if);
        assert_same(as_is, machine);
    }
}

/* What texts and JSON show of a level's latency, told as it stands there, is that latency. */
static void check_shown(const Case *c, const PsMachine *as_is, const char *level, PsRational now)
{
    g_autofree char *in_text = ps_format_latency(now), *in_json = ps_format_rational(now);
    const char *const shown[] = {in_text, in_json};
    for (guint i = 0; i < G_N_ELEMENTS(shown); i++) {
        g_auto(GStrv) digits = g_strsplit(shown[i], " ", -1);
        g_autofree char *number = g_strjoinv("", digits);
        g_autofree char *text = g_strdup_printf("%s.latency=%s", level, number);
        g_autoptr(GPtrArray) what_ifs = ps_what_if_parse(text, NULL);
        g_assert_nonnull(what_ifs);
        g_autoptr(PsMachine) machine = bind(c, what_ifs->pdata[0]);
        assert_same(as_is, machine);
    }
}

static void check_level(const Case *c, const PsMachine *as_is, const PsMemoryLevel *level)
{
    for (guint which = 0; which < 3; which++) {
        g_autoptr(PsWhatIf) what_if = ps_what_if_new(ps_level_name(level->level));
        if (which == 0)
            g_assert_true(
                ps_gpu_cycles(level->latency, level->at, as_is->clock, &what_if->latency));
        *(which == 1 ? &what_if->bandwidth : &what_if->port) = which == 0   ? PS_RATIONAL_INT(0)
                                                               : which == 1 ? level->bandwidth
                                                                            : level->port;
        g_autoptr(PsMachine) machine = bind(c, what_if);
        assert_same(as_is, machine);
        if (which == 0)
            check_shown(c, as_is, what_if->class_name, what_if->latency);
    }
}

/* Every class and what is above it, and every level. */
static void check_now(const Case *c, guint *checked)
{
    g_autoptr(PsMachine) as_is = bind(c, NULL);
    g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < as_is->n_classes; i++) {
        char *name = g_strdup(as_is->classes[i].asked);
        do
            g_hash_table_add(names, g_strdup(name));
        while (ps_class_cut_last(name));
        g_free(name);
    }
    GHashTableIter iter;
    gpointer name;
    g_hash_table_iter_init(&iter, names);
    for (; g_hash_table_iter_next(&iter, &name, NULL); ++*checked)
        check_class(c, as_is, name);
    for (guint i = 0; i < as_is->n_levels; i++)
        check_level(c, as_is, &as_is->levels[i]);
}

static gboolean open_case(Case *c, const PsGpu *gpu, const char *path)
{
    g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
    *c = (Case){.gpu = gpu, .idg = ps_idg_load(path, NULL)};
    g_assert_nonnull(c->idg);
    c->kernel = ps_kernel_new(c->idg, NULL, NULL);
    PsMachine *machine = NULL;
    if (ps_launch_resolve(c->kernel, gpu, &(PsLaunchOptions){0}, &c->launch, warnings, NULL) &&
        ps_refinements_resolve(gpu, NULL, &c->refinements, NULL))
        machine =
            ps_machine_new(c->kernel, gpu, &c->launch,
                           &(PsMachineOptions){.refinements = c->refinements}, warnings, NULL);
    ps_machine_free(machine);
    return machine != NULL;
}

static void close_case(Case *c)
{
    ps_kernel_free(c->kernel);
    ps_idg_free(c->idg);
}

static void test_now(void)
{
    static const char *const graphs[] = {"graphs/mmul08-conflict.idg",
                                         "graphs/stencil.idg",
                                         "graphs/cos.idg",
                                         "tests/levels/table.idg",
                                         "tests/levels/stream.idg",
                                         "tests/golden/input/mix.idg",
                                         "tests/explain/scatter.idg",
                                         "tests/validate/graphs/rodinia/gaussian-Fan2-256.idg"};
    g_autoptr(GDir) folder = g_dir_open("gpus", 0, NULL);
    guint checked = 0, pairs = 0;
    for (const char *name; (name = g_dir_read_name(folder));) {
        if (!g_str_has_suffix(name, ".xml"))
            continue;
        g_autofree char *path = g_build_filename("gpus", name, NULL);
        g_autoptr(PsGpu) gpu = ps_gpu_load(path, NULL);
        for (guint i = 0; gpu && i < G_N_ELEMENTS(graphs); i++) {
            Case c;
            const gboolean runs = open_case(&c, gpu, graphs[i]);
            if (runs)
                check_now(&c, &checked);
            pairs += runs;
            close_case(&c);
        }
    }
    g_test_message("%u names on %u pairs of a graph and a GPU", checked, pairs);
    g_assert_cmpuint(pairs, >, 100);
}

/* ---- what a figure does -------------------------------------------------------------------- */

static PsRational far_latency = {600, 1};

/* A GPU with L1 (40 cycles), L2 (200) and device memory (600). */
static PsGpu *levelled(void)
{
    const PsRational none = {0, 1};
    const PsMemoryLevel levels[] = {
        {.level = PS_LEVEL_L1, .port = {64, 1}, .bandwidth = none, .latency = {40, 1}},
        {.level = PS_LEVEL_L2, .port = none, .bandwidth = {100, 1}, .latency = {200, 1}},
        {.level = PS_LEVEL_DEVICE, .port = none, .bandwidth = {50, 1}, .latency = far_latency}};
    PsGpu *gpu = build_gpu(2, 2);
    gpu->memory.levels = g_array_new(FALSE, TRUE, sizeof(PsMemoryLevel));
    for (guint i = 0; i < G_N_ELEMENTS(levels); i++) {
        PsMemoryLevel level = levels[i];
        level.at = level.mixed = none;
        level.bytes = 1 << (14 + 6 * i);
        g_array_append_val(gpu->memory.levels, level);
    }
    gpu->memory.pipeline = 1;
    gpu->memory.request = PS_RATIONAL_INT(1);
    gpu->memory.store = gpu->memory.tag = none;
    gpu->memory.line_bytes = 128;
    gpu->memory.sector_bytes = 32;
    build_class(gpu, "add", 0, PS_RATIONAL_INT(2), PS_RATIONAL_INT(6));
    g_assert_true(ps_gpu_derive(gpu, NULL));
    return gpu;
}

static PsIdgItem *load(GPtrArray *body, const char *name, const char *class_name,
                       const char *device)
{
    PsIdgItem *item = build_node(body, name, class_name, "");
    item->bytes = build_expr("4");
    item->share[PS_LEVEL_L1] = build_expr("1");
    item->share[PS_LEVEL_L2] = build_expr(device);
    item->share[PS_LEVEL_DEVICE] = build_expr(device);
    return item;
}

/* Loads from device memory, then from L1, of one class; and one of a subclass, from L1. */
static PsMachine *bind_loads(Case *c, PsGpu *gpu, const char *text)
{
    g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) list = ps_what_if_parse(text, NULL);
    c->gpu = gpu;
    c->idg = build_idg("2", "32");
    GPtrArray *body = ps_idg_add_code(c->idg)->body;
    load(body, "far", "global.load", "1");
    load(body, "near", "global.load", "0");
    load(body, "other", "global.load.s8", "0");
    c->kernel = ps_kernel_new(c->idg, NULL, NULL);
    g_assert_true(
        ps_launch_resolve(c->kernel, gpu, &(PsLaunchOptions){0}, &c->launch, warnings, NULL));
    return ps_machine_new(c->kernel, gpu, &c->launch,
                          &(PsMachineOptions){.what_if = list, .refinements = {.levels = TRUE}},
                          warnings, NULL);
}

/* What the three loads take, in 1/1024 cycle. */
static void assert_loads(const char *text, gint64 far, gint64 near, gint64 other)
{
    Case c = {0};
    PsGpu *gpu = levelled();
    PsMachine *machine = bind_loads(&c, gpu, text);
    const gint64 should[] = {far, near, other};
    g_assert_nonnull(machine);
    for (guint i = 0; i < 3; i++) {
        PsRational parts;
        g_assert_true(ps_rational_mul(machine->costs[0][i].latency.completion,
                                      PS_RATIONAL_INT(1024), &parts));
        g_assert_true(ps_rational_is_int(parts));
        g_assert_cmpint(parts.num, ==, should[i]);
    }
    ps_machine_free(machine);
    close_case(&c);
    build_gpu_free(gpu);
}

/* 40 * 700 / 600 is 46.67, and 47787 of 1/1024; a subclass goes with the class, and by itself. */
static void test_in_proportion(void)
{
    const gint64 part = 1024;
    assert_loads("global.load.issue=1", 600 * part, 40 * part, 40 * part);
    assert_loads("global.load.completion=600", 600 * part, 40 * part, 40 * part);
    assert_loads("global.load.completion=300", 300 * part, 20 * part, 20 * part);
    assert_loads("global.completion=700", 700 * part, 47787, 47787);
    assert_loads("global.load.completion=300,global.load.s8.completion=80", 300 * part, 20 * part,
                 80 * part);
    assert_loads("global.load.s8.completion=40", 600 * part, 40 * part, 40 * part);
    assert_loads("global.completion=0.0078125", 8, 1, 1);
}

/* A latency that tables round is as it is when it is told as they show it, or as JSON does; one
 * that they show as it is must be met. */
static void test_rounded(void)
{
    const gint64 part = 1024;
    far_latency = (PsRational){600 * part + 1, part};
    assert_loads("global.load.completion=600", 600 * part + 1, 40 * part, 40 * part);
    assert_loads("global.load.completion=600.0009765625", 600 * part + 1, 40 * part, 40 * part);
    assert_loads("global.load.completion=600.5", 614912, 40994, 40994);
    far_latency = (PsRational){4001, 4};
    assert_loads("global.load.completion=1000", 1000 * part, 40950, 40950);
    assert_loads("global.load.completion=1000.25", 1024256, 40 * part, 40 * part);
    far_latency = PS_RATIONAL_INT(600);
    g_assert_null(ps_what_if_parse("global.load.completion=600.00097656250x", NULL));
    g_assert_null(ps_what_if_parse("global.load.completion=0.0000000001", NULL));
}

static void test_factors(void)
{
    const gint64 part = 1024;
    assert_loads("global.load.completion=x0.5", 300 * part, 20 * part, 20 * part);
    assert_loads("global.completion=*2,global.load.s8.completion=x3", 1200 * part, 80 * part,
                 240 * part);
    assert_loads("global.load.completion=x2,global.load.completion=300", 600 * part, 40 * part,
                 40 * part);
    assert_loads("l1.latency=x2", 600 * part, 80 * part, 80 * part);
    assert_loads("device.latency=x2,device.latency=300", 600 * part, 40 * part, 40 * part);
    assert_loads("device.latency=300,device.latency=600", 600 * part, 40 * part, 40 * part);
    g_assert_null(ps_what_if_parse("global.load.completion=x", NULL));
    g_assert_null(ps_what_if_parse("global.load.completion=x0", NULL));
    g_assert_null(ps_what_if_parse("global.load.completion=xx2", NULL));
}

static void test_alone(void)
{
    Case c = {0};
    PsGpu *gpu = levelled();
    ps_machine_free(bind_loads(&c, gpu, "global.load.issue=1"));
    g_autoptr(PsWhatIf) what_if = ps_what_if_new("global.load");
    what_if->times = what_if->alone = TRUE;
    what_if->completion = PS_RATIONAL_INT(2);
    c.refinements.levels = TRUE;
    PsMachine *machine = bind(&c, what_if);
    g_assert_cmpint(machine->costs[0][1].latency.completion.num, ==, 80);
    g_assert_cmpint(machine->costs[0][2].latency.completion.num, ==, 40);
    ps_machine_free(machine);
    close_case(&c);
    build_gpu_free(gpu);
}

/* What does not fit is said, and nothing wraps. */
static void test_too_large(void)
{
    Case c = {0};
    PsGpu *gpu = levelled();
    g_assert_null(
        bind_loads(&c, gpu, "global.completion=x1000000000,global.load.completion=x1000000000"));
    close_case(&c);
    build_gpu_free(gpu);
}

/* What no code can ask a GPU for is known before there is any. */
static void test_check(void)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"global.load.issue=1,l2.latency=3,integer.mad.issue=x2,local.completion=2", NULL},
        {"a.b.issue=1", "what-if: the description of toy has no class 'a.b', nor any above or "
                        "below it; did you mean a.c?"},
        {"a.issue=1", NULL},
        {"fmad.issue=1", "what-if: the description of toy has no class 'fmad', nor any above or "
                         "below it; did you mean fmadd?"},
    };
    g_autoptr(PsGpu) gpu = ps_gpu_new("toy");
    static const char *const classes[] = {"global", "integer", "local", "fmadd", "a.c"};
    ps_gpu_add_pipeline(gpu, "p");
    for (gsize i = 0; i < G_N_ELEMENTS(classes); i++)
        ps_gpu_add_class(gpu, classes[i]);
    g_assert_true(ps_what_if_check(NULL, gpu, NULL));
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(GPtrArray) what_ifs = ps_what_if_parse(rows[i].text, NULL);
        g_assert_true(ps_what_if_check(what_ifs, gpu, &error) == !rows[i].message);
        g_assert_cmpstr(error ? error->message : NULL, ==, rows[i].message);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/what-if/now-changes-nothing", test_now);
    g_test_add_func("/what-if/in-proportion", test_in_proportion);
    g_test_add_func("/what-if/rounded", test_rounded);
    g_test_add_func("/what-if/factors", test_factors);
    g_test_add_func("/what-if/alone", test_alone);
    g_test_add_func("/what-if/too-large", test_too_large);
    g_test_add_func("/what-if/check", test_check);
    return g_test_run();
}
