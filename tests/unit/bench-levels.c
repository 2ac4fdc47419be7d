/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Levels of memory, atomics, local memory and launches: GPUs that were made up are measured as
 * devices that simulate, and what is described must be what was made up. Where there is nothing to
 * be told apart, nothing is.
 */
#include "base/class-name.h"
#include "gpu/rows.h"
#include "tests/help/made-up.h"

#include <math.h>
#include <string.h>

/* ---- comparing ----------------------------------------------------------------------------- */

#define NEAR 0.03

static void assert_within(const char *what, PsRational got, PsRational want, double near)
{
    const double is = ps_rational_to_double(got), should = ps_rational_to_double(want);
    g_test_message("%s: %g for %g", what, is, should);
    if (should > 0)
        g_assert_cmpfloat(fabs(is / should - 1), <=, near);
    else
        g_assert_cmpfloat(is, ==, 0);
}

static void assert_near(const char *what, PsRational got, PsRational want)
{
    assert_within(what, got, want, NEAR);
}

static PsRational in_cycles(const PsGpu *gpu, PsRational latency, PsRational at)
{
    PsRational cycles = {0, 1};
    g_assert_true(ps_gpu_cycles(latency, at, gpu->clock, &cycles));
    return cycles;
}

static void assert_level(const PsGpu *true_one, const PsGpu *found, const PsMemoryLevel *want)
{
    const PsMemoryLevel *got = ps_gpu_level(found, want->level);
    g_test_message("%s", ps_level_name(want->level));
    g_assert_nonnull(got);
    if (!got)
        return;
    g_assert_cmpint(got->bytes, ==, want->bytes);
    assert_near("latency", in_cycles(found, got->latency, got->at),
                in_cycles(true_one, want->latency, want->at));
    assert_near("bandwidth", got->bandwidth, want->bandwidth);
    assert_near("mixed", got->mixed, want->mixed);
    /* One alone moves no more than at the level before, which may be what shows. */
    if (want->port.num > 0)
        assert_near("port", got->port, want->port);
}

/* A line through a few trips, whose waits go in steps, is no nearer. The window is not measured. */
static void assert_queue(const PsMemory *want, const PsMemory *got)
{
    const double near = 0.15;
    assert_within("queue", got->queue, want->queue, near);
    assert_within("queue-mixed", got->queue_mixed, want->queue_mixed, near);
    g_assert_cmpint(got->window.num > 0, ==, want->window.num > 0);
}

static void assert_levels(const PsGpu *want, const PsGpu *got)
{
    g_assert_nonnull(got->memory.levels);
    if (!got->memory.levels)
        return;
    g_assert_cmpuint(got->memory.levels->len, ==, want->memory.levels->len);
    for (guint i = 0; i < want->memory.levels->len; i++)
        assert_level(want, got, &g_array_index(want->memory.levels, PsMemoryLevel, i));
    assert_near("request", got->memory.request, want->memory.request);
    assert_near("tag", got->memory.tag, want->memory.tag);
    assert_near("wavefront", got->memory.wavefront, want->memory.wavefront);
    assert_near("lookup", got->memory.lookup, want->memory.lookup);
    assert_queue(&want->memory, &got->memory);
    /* Measured beside a turnaround: noise is that of both. */
    const double store = ps_rational_to_double(want->memory.store);
    const double off = fabs(ps_rational_to_double(got->memory.store) - store);
    g_assert_cmpfloat(off, <=, NEAR * (store + ps_rational_to_double(want->overheads.turnaround)));
    g_assert_true(got->model.levels);
}

static void assert_atomics(const PsGpu *want, const PsGpu *got)
{
    g_assert_true(got->atomics.stated);
    assert_near("atomics: latency", in_cycles(got, got->atomics.latency, got->atomics.at),
                in_cycles(want, want->atomics.latency, want->atomics.at));
    assert_near("atomics: address", got->atomics.address, want->atomics.address);
    assert_near("atomics: line", got->atomics.per_line, want->atomics.per_line);
    assert_near("atomics: block", got->atomics.block, want->atomics.block);
    assert_near("atomics: write", got->atomics.write, want->atomics.write);
    assert_near("atomics: sectors", got->atomics.sectors, want->atomics.sectors);
    assert_near("atomics: partial", got->atomics.partial, want->atomics.partial);
    assert_near("atomics: clock of the rates", got->atomics.rates_at, got->atomics.at);
}

static void assert_local(const PsGpu *want, const PsGpu *got)
{
    g_assert_true(got->local.stated);
    assert_near("local: wavefront", got->local.wavefront, want->local.wavefront);
    assert_near("local: least", got->local.least, want->local.least);
    assert_near("local: completion", got->local.completion, want->local.completion);
    assert_near("local: atomic", got->local.atomic, want->local.atomic);
    assert_near("local: atomic-issue", got->local.atomic_issue, want->local.atomic_issue);
    assert_near("local: swap", got->local.swap, want->local.swap);
}

static void assert_launches(const PsGpu *want, const PsGpu *got)
{
    g_assert_cmpint(got->overheads.stated, ==, want->overheads.stated);
    assert_near("kernel-launch", got->overheads.kernel_launch, want->overheads.kernel_launch);
    assert_near("turnaround", got->overheads.turnaround, want->overheads.turnaround);
    assert_near("dispatch", got->overheads.dispatch, want->overheads.dispatch);
    assert_near("timer", got->overheads.timer, want->overheads.timer);
}

/* What is described contradicts nothing that a reader of descriptions checks. */
static void assert_read_back(const PsGpu *gpu)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = ps_gpu_write(gpu);
    g_autoptr(PsGpu) again = ps_gpu_parse(text, strlen(text), "made-up.xml", &error);
    g_assert_no_error(error);
    g_assert_nonnull(again);
}

/* ---- made up ------------------------------------------------------------------------------- */

/* All there is. */
static const char WHOLE[] =
    "<memory pipeline='g' request='1.5' tag='1.25' store='60'>"
    "<level name='l1' bytes='65536' port='64' latency='31'/>"
    "<level name='l2' bytes='3145728' port='48' bandwidth='600' latency='205' at='1100'/>"
    "<level name='device' port='32' bandwidth='250' mixed='215' latency='470' at='1100'/></memory>"
    "<atomics pipeline='a' request='1.5' latency='240' at='1100' address='1.3' line='0.45'"
    " sectors='3' partial='9'/>"
    "<local-memory pipeline='l' wavefront='1' least='2.1' completion='27' atomic='2.5'/>"
    "<model levels='on' overheads='on' schedulers='on' order='program'/>"
    "<overheads kernel-launch='1.5' turnaround='330' dispatch='3'/>";

/* The same of a GPU whose L1 works by wavefronts, whose atomics take turns in blocks of lines,
 * and whose loads wait at a busy device memory. */
static const char WAVEFRONTS[] =
    "<memory pipeline='g' request='1.5' tag='0.9' wavefront='1.25' lookup='0.4' store='60'"
    " queue='160' queue-mixed='400' window='2000'>"
    "<level name='l1' bytes='65536' port='64' latency='31'/>"
    "<level name='l2' bytes='3145728' port='48' bandwidth='600' latency='205' at='1100'/>"
    "<level name='device' port='32' bandwidth='250' mixed='215' latency='470' at='1100'/></memory>"
    "<atomics pipeline='a' request='1.5' latency='240' at='1100' address='1.3' line='0.11' "
    "block='3'"
    " sectors='3' partial='9' write='0.5'/>"
    "<local-memory pipeline='l' wavefront='1' least='2.1' completion='27' atomic='2.5'"
    " atomic-issue='1.25' swap='3'/>"
    "<model levels='on' overheads='on' schedulers='on' order='program'/>"
    "<overheads kernel-launch='1.5' turnaround='330' dispatch='3' timer='4.5'/>"
    "<pipeline name='c'/><class name='constant' pipeline='c' issue='2' completion='40' pass='3'/>";

static void check_whole(const char *own, double noise)
{
    g_autoptr(PsGpu) gpu = made_up_gpu(32, own);
    g_autoptr(PsBenchResult) result = made_up_campaign(gpu, noise, 0);
    assert_levels(gpu, result->gpu);
    assert_atomics(gpu, result->gpu);
    assert_local(gpu, result->gpu);
    assert_launches(gpu, result->gpu);
    assert_read_back(result->gpu);
    /* What follows from these is said once, what is of a pattern stays. */
    for (guint i = 0; i < result->gpu->classes->len; i++) {
        const PsClass *class = result->gpu->classes->pdata[i];
        const gboolean memory =
            ps_class_covers("global", class->name) || ps_class_covers("memory", class->name) ||
            ps_class_covers("local", class->name) || ps_class_covers("atomic", class->name);
        g_assert_true(!memory || class->derived ||
                      g_pattern_match_simple("global.*.?.*x*", class->name));
    }
    g_assert_nonnull(ps_gpu_class(result->gpu, "global.load.A.8x8", NULL));
    g_assert_cmpint(result->gpu->cache.l1, ==, 65536);
}

static void test_whole(void)
{
    check_whole(WHOLE, 0);
}

static void test_noise(void)
{
    check_whole(WHOLE, 0.02);
}

static void test_wavefronts(void)
{
    check_whole(WAVEFRONTS, 0);
    check_whole(WAVEFRONTS, 0.02);
}

/* Loads of constants whose lanes ask for different words: what each further one costs is one
 * figure. */
static void test_passes(void)
{
    g_autoptr(PsGpu) gpu = made_up_gpu(32, WAVEFRONTS);
    g_autoptr(PsBenchResult) result = made_up_campaign(gpu, 0.02, 0);
    PsMatch match;
    const PsClass *constant = ps_gpu_class(result->gpu, "constant.c32", &match);
    g_assert_cmpint(match, ==, PS_MATCH_PARENT);
    assert_near("constant: issue", constant->latency.issue, PS_RATIONAL_INT(2));
    assert_near("constant: pass", constant->pass, PS_RATIONAL_INT(3));
}

/* Loads of several words that lanes share follow from wavefronts, or have rows of their own. */
static void test_shared_words(void)
{
    g_autofree char *own = g_strconcat(
        WAVEFRONTS, "<class name='local.load.p2.v4' pipeline='l' issue='7' completion='33'/>",
        NULL);
    g_autoptr(PsGpu) gpu = made_up_gpu(32, own);
    g_autoptr(PsBenchResult) result = made_up_campaign(gpu, 0, 0);
    const PsClass *row = ps_gpu_class(result->gpu, "local.load.p2.v4", NULL);
    g_assert_cmpstr(row->name, ==, "local.load.p2.v4");
    assert_near("issue", row->latency.issue, PS_RATIONAL_INT(7));
    for (guint i = 0; i < result->gpu->classes->len; i++) {
        const char *name = ((const PsClass *)result->gpu->classes->pdata[i])->name;
        g_assert_false(ps_class_access(name).broadcast);
    }
}

/* Banks that take their turn and a unit that local memory does not share: no wavefronts, but said.
 */
static void test_not_shared(void)
{
    PsRaw *raw = made_up_raw(WAVEFRONTS);
    for (guint i = 0; i < raw->rows->len; i++) {
        PsRawRow *row = raw->rows->pdata[i];
        if (strcmp(row->class_name, "flow.pair") == 0)
            row->sample.cycles /= 2;
    }
    g_autoptr(PsBenchResult) result = ps_bench_describe(raw, NULL);
    g_assert_cmpint(result->gpu->memory.wavefront.num, ==, 0);
    g_assert_true(made_up_warned(result, "wavefronts are not stated"));
    ps_raw_free(raw);
}

/* Warps of 64, no L1, nothing but levels. */
static void test_two_levels(void)
{
    g_autoptr(PsGpu) gpu = made_up_gpu(
        64, "<memory pipeline='g'>"
            "<level name='l2' bytes='4194304' port='64' bandwidth='700' latency='180'/>"
            "<level name='device' bandwidth='330' latency='500'/></memory><model levels='on'/>");
    g_autoptr(PsBenchResult) result = made_up_campaign(gpu, 0, 0);
    g_assert_null(ps_gpu_level(result->gpu, PS_LEVEL_L1));
    assert_levels(gpu, result->gpu);
    assert_read_back(result->gpu);
    assert_launches(gpu, result->gpu);
    /* Atomics are what other accesses are: L2 answers, and nothing else limits them. */
    assert_near("atomics",
                in_cycles(result->gpu, result->gpu->atomics.latency, result->gpu->atomics.at),
                PS_RATIONAL_INT(180));
    g_assert_cmpint(result->gpu->atomics.address.num, ==, 0);
    g_assert_cmpint(result->gpu->atomics.sectors.num, ==, 0);
    g_assert_cmpint(result->gpu->atomics.partial.num, ==, 0);
    g_assert_cmpint(result->gpu->atomics.rates_at.num, ==, 0);
}

/* Where the same limits a cache and what is behind it, the latter may seem faster: the cache moves
 * as much, and the description is read back. */
static void test_no_faster(void)
{
    PsRaw *raw = made_up_raw(WAVEFRONTS);
    gint64 most = 0;
    for (guint i = 0; i < raw->rows->len; i++)
        if (strcmp(((const PsRawRow *)raw->rows->pdata[i])->class_name, "flow") == 0)
            most = MAX(most, ((const PsRawRow *)raw->rows->pdata[i])->launch.memory);
    for (guint i = 0; i < raw->rows->len; i++) {
        PsRawRow *row = raw->rows->pdata[i];
        if (strcmp(row->class_name, "flow") == 0 && row->launch.memory == most)
            row->sample.seconds /= 100;
    }
    g_autoptr(PsBenchResult) result = ps_bench_describe(raw, NULL);
    const PsMemoryLevel *l2 = ps_gpu_level(result->gpu, PS_LEVEL_L2),
                        *device = ps_gpu_level(result->gpu, PS_LEVEL_DEVICE);
    g_assert_cmpint(ps_rational_cmp(l2->bandwidth, device->bandwidth), ==, 0);
    g_assert_cmpfloat(ps_rational_to_double(l2->bandwidth), >, 2000);
    assert_read_back(result->gpu);
    ps_raw_free(raw);
}

/* An L1 that keeps no loads does not show. */
static void test_l1_off(void)
{
    g_autoptr(PsGpu) gpu = made_up_gpu(
        32, "<memory pipeline='g' l1-global='off'>"
            "<level name='l1' bytes='16384' port='128' latency='40'/>"
            "<level name='l2' bytes='524288' port='64' bandwidth='200' latency='220'/>"
            "<level name='device' bandwidth='90' latency='400'/></memory><model levels='on'/>");
    g_autoptr(PsBenchResult) result = made_up_campaign(gpu, 0, 0);
    g_assert_null(ps_gpu_level(result->gpu, PS_LEVEL_L1));
    assert_level(gpu, result->gpu, ps_gpu_level(gpu, PS_LEVEL_L2));
    assert_level(gpu, result->gpu, ps_gpu_level(gpu, PS_LEVEL_DEVICE));
}

/* A cache beyond the one that the driver tells of. */
static void test_four_levels(void)
{
    g_autoptr(PsGpu) gpu = made_up_gpu(
        32, "<memory pipeline='g'>"
            "<level name='l1' bytes='32768' port='64' latency='60'/>"
            "<level name='l2' bytes='4194304' port='40' bandwidth='560' latency='240'/>"
            "<level name='l3' bytes='67108864' bandwidth='400' latency='420'/>"
            "<level name='device' bandwidth='200' latency='800'/></memory><model levels='on'/>");
    g_autoptr(PsBenchResult) result = made_up_campaign(gpu, 0, 0);
    assert_levels(gpu, result->gpu);
}

/* However large the last cache is: what is called device memory is that, and no launch came to a
 * place again while a cache still had it, which the model would refuse. */
static void test_large_caches(void)
{
    static const gint64 mib[] = {4, 40, 50, 96};
    static const char *const classes[] = {"global.load", "global.load.broadcast", "memory"};
    for (guint i = 0; i < G_N_ELEMENTS(mib); i++) {
        g_autoptr(PsGpu) gpu = made_up_with_l2(mib[i]);
        g_autoptr(PsBenchResult) result = made_up_campaign(gpu, 0.01, 0);
        g_test_message("%" G_GINT64_FORMAT " MiB", mib[i]);
        assert_levels(gpu, result->gpu);
        for (guint k = 0; k < G_N_ELEMENTS(classes); k++) {
            const PsBenchFit *fit = made_up_fit(result, classes[k]);
            g_test_message("%s: %g", classes[k], fit->fit.completion.value);
            g_assert_cmpfloat(fabs(fit->fit.completion.value / MADE_UP_DEVICE - 1), <=, NEAR);
        }
    }
}

/* Copies that are slower than loads by less than a fit tells apart are as fast. */
static void test_hardly_mixed(void)
{
    static const struct {
        const char *mixed;
        gboolean told;
    } cases[] = {{"325", FALSE}, {"315", TRUE}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *own = g_strdup_printf(
            "<memory pipeline='g'>"
            "<level name='l2' bytes='4194304' port='64' bandwidth='1000' latency='180'/>"
            "<level name='device' bandwidth='330' mixed='%s' latency='500'/></memory>"
            "<model levels='on'/>",
            cases[i].mixed);
        g_autoptr(PsGpu) gpu = made_up_gpu(32, own);
        g_autoptr(PsBenchResult) result = made_up_campaign(gpu, 0, 0);
        const PsMemoryLevel *device = ps_gpu_level(result->gpu, PS_LEVEL_DEVICE);
        g_assert_nonnull(device);
        g_assert_true((device && device->mixed.num > 0) == cases[i].told);
    }
}

/* Without levels all walks take the same, whatever the driver tells: rows, as ever. */
static void test_flat(void)
{
    g_autoptr(PsGpu) gpu =
        made_up_gpu(32, "<class name='global' pipeline='g' issue='9' completion='420'/>"
                        "<class name='local' pipeline='l' issue='1' completion='30'/>"
                        "<class name='atomic' pipeline='g' issue='12' completion='500'/>"
                        "<overheads kernel-launch='4'/><model overheads='on'/>");
    g_autoptr(PsBenchResult) result = made_up_campaign(gpu, 0.02, 2097152);
    g_assert_null(result->gpu->memory.levels);
    g_assert_false(result->gpu->atomics.stated || result->gpu->local.stated);
    g_assert_false(result->gpu->overheads.stated || result->gpu->model.levels);
    PsMatch match;
    const PsClass *load = ps_gpu_class(result->gpu, "global.load", &match);
    g_assert_nonnull(load);
    g_assert_cmpint(match, ==, PS_MATCH_EXACT);
    assert_near("completion", load->latency.completion, PS_RATIONAL_INT(420));
    g_assert_cmpint(result->gpu->cache.l2, ==, 2097152);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/bench-levels/whole", test_whole);
    g_test_add_func("/bench-levels/noise", test_noise);
    g_test_add_func("/bench-levels/wavefronts", test_wavefronts);
    g_test_add_func("/bench-levels/passes", test_passes);
    g_test_add_func("/bench-levels/shared-words", test_shared_words);
    g_test_add_func("/bench-levels/not-shared", test_not_shared);
    g_test_add_func("/bench-levels/two-levels", test_two_levels);
    g_test_add_func("/bench-levels/no-faster", test_no_faster);
    g_test_add_func("/bench-levels/l1-off", test_l1_off);
    g_test_add_func("/bench-levels/four-levels", test_four_levels);
    g_test_add_func("/bench-levels/large-caches", test_large_caches);
    g_test_add_func("/bench-levels/hardly-mixed", test_hardly_mixed);
    g_test_add_func("/bench-levels/flat", test_flat);
    return g_test_run();
}
