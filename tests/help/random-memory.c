/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory of random cases: see random-memory.h.
 */
#include "tests/help/random-memory.h"

#include "base/class-name.h"
#include "tests/help/build-graph.h"
#include "tests/help/reference-traffic.h"

#include <string.h>

/* Sets the generator of copies apart, so that cases without are what they were. */
#define COPIES_SEED 0x3c0b
#define PARTIAL_SEED 0x5ec7
#define ROWS_SEED 0x7035

static gboolean chance(GRand *rand, int percent)
{
    return g_rand_int_range(rand, 0, 100) < percent;
}

/* One of the words; a macro, for it knows how many there are. */
#define one_of(rand, words) ((words)[g_rand_int_range(rand, 0, G_N_ELEMENTS(words))])

/* ---- the description ----------------------------------------------------------------------- */

/* A bandwidth of the whole GPU of which each compute unit with work gets up to `most` bytes per
 * cycle. */
static PsRational random_bandwidth(const RandomCase *c, GRand *rand, gint32 most)
{
    const gint64 units = MIN(c->gpu->compute_units, c->groups);
    const gint64 part = g_rand_int_range(rand, 1, most * 10 + 1);
    PsRational bandwidth;
    ps_rational_make(MAX(part * units * c->clock.num / (10 * 1000), 1), 1, &bandwidth);
    return bandwidth;
}

/* A latency that is longer than the one before: cycles of the case's clock so far. */
static void draw_latency(const RandomCase *c, GRand *rand, gint64 *cycles, PsRational *latency,
                         PsRational *at)
{
    static const gint32 clocks[] = {500, 700, 1000, 1380};
    *at = chance(rand, 50) ? PS_RATIONAL_INT(one_of(rand, clocks)) : PS_RATIONAL_INT(0);
    const gint64 more = g_rand_int_range(rand, 1, 40);
    const gint64 own = at->num ? *cycles * at->num / c->clock.num + more : *cycles + more;
    *latency = PS_RATIONAL_INT(own);
    *cycles = at->num ? own * c->clock.num / at->num + 1 : own;
}

static void add_level(RandomCase *c, GRand *rand, PsLevel level, gint64 *cycles)
{
    static const PsRational ports[] = {{64, 1}, {32, 1}, {128, 1}, {75, 2}, {8, 1}};
    const PsRational none = {0, 1};
    const gboolean shared = level > PS_LEVEL_L1 || c->gpu->memory.levels->len > 0;
    PsMemoryLevel one = {.level = level, .port = none, .bandwidth = none, .mixed = none};
    if (!shared || chance(rand, 50))
        one.port = one_of(rand, ports);
    if (shared)
        one.bandwidth = random_bandwidth(c, rand, chance(rand, 50) ? 20 : 200);
    if (level == PS_LEVEL_DEVICE && chance(rand, 50))
        (void)ps_rational_mul(one.bandwidth, (PsRational){g_rand_int_range(rand, 1, 5), 4},
                              &one.mixed);
    if (level != PS_LEVEL_DEVICE)
        one.bytes = 128 * g_rand_int_range(rand, 1, chance(rand, 50) ? 100 : 100000);
    draw_latency(c, rand, cycles, &one.latency, &one.at);
    g_array_append_val(c->gpu->memory.levels, one);
}

static guint any_pipeline(const RandomCase *c, GRand *rand)
{
    return (guint)g_rand_int_range(rand, 0, (gint32)c->gpu->pipelines->len);
}

/* Windows of little work before a request, and of much. */
static void draw_queue(PsMemory *memory, GRand *rand)
{
    memory->queue = memory->queue_mixed = memory->window = (PsRational){0, 1};
    if (chance(rand, 50))
        return;
    const gint64 plain = g_rand_int_range(rand, 1, 60);
    const gint64 mixed = plain + g_rand_int_range(rand, 0, 60);
    memory->queue = (PsRational){plain, 2};
    memory->queue_mixed = (PsRational){mixed, 2};
    memory->window =
        PS_RATIONAL_INT(mixed + g_rand_int_range(rand, 0, chance(rand, 50) ? 20 : 500));
}

static void draw_levels(RandomCase *c, GRand *rand)
{
    const PsRational none = {0, 1};
    PsMemory *memory = &c->gpu->memory;
    gint64 cycles = 0;
    memory->levels = g_array_new(FALSE, TRUE, sizeof(PsMemoryLevel));
    memory->pipeline = any_pipeline(c, rand);
    memory->request = random_latency(rand, chance(rand, 50), 4);
    memory->store = chance(rand, 50) ? random_latency(rand, chance(rand, 50), 60) : none;
    memory->texture = chance(rand, 50) ? random_latency(rand, chance(rand, 50), 9) : none;
    memory->tag = chance(rand, 50) ? random_latency(rand, chance(rand, 50), 3) : none;
    memory->wavefront = chance(rand, 50) ? random_latency(rand, chance(rand, 50), 3) : none;
    memory->lookup = chance(rand, 50) ? random_latency(rand, chance(rand, 50), 2) : none;
    draw_queue(memory, rand);
    memory->line_bytes = 128;
    memory->sector_bytes = chance(rand, 25) ? 64 : 32;
    for (int level = PS_LEVEL_L0; level < PS_LEVEL_DEVICE; level++)
        if (chance(rand, level == PS_LEVEL_L1 || level == PS_LEVEL_L2 ? 75 : 25))
            add_level(c, rand, (PsLevel)level, &cycles);
    add_level(c, rand, PS_LEVEL_DEVICE, &cycles);
}

/* A cache that all compute units share may be dirty. */
static PsCacheState random_state(const RandomCase *c, GRand *rand)
{
    const GArray *levels = c->gpu->memory.levels;
    if (chance(rand, 30))
        return PS_CACHE_WARM;
    if (levels->len < 2 || !chance(rand, 30))
        return PS_CACHE_COLD;
    PsMemoryLevel *cache = &g_array_index(levels, PsMemoryLevel, levels->len - 2);
    cache->dirty = (PsRational){g_rand_int_range(rand, 1, 5), 4};
    return cache->bandwidth.num ? PS_CACHE_DIRTY : PS_CACHE_COLD;
}

/* Local memory, whose pipeline serves what goes by wavefronts. */
static void draw_local(RandomCase *c, GRand *rand)
{
    PsLocalMemory *local = &c->gpu->local;
    local->stated = TRUE;
    local->pipeline = any_pipeline(c, rand);
    local->wavefront = random_latency(rand, chance(rand, 50), 3);
    local->completion = random_latency(rand, FALSE, 30);
    local->atomic = PS_RATIONAL_INT(2);
}

/* A rate of which each compute unit with work takes up to 40 cycles at a time; or none. */
static PsRational random_rate(const RandomCase *c, GRand *rand)
{
    const gint64 units = MIN(c->gpu->compute_units, c->groups);
    PsRational rate = {0, 1};
    if (chance(rand, 75))
        ps_rational_make(units * c->clock.num, 100 * g_rand_int_range(rand, 1, 400), &rate);
    return rate;
}

static void draw_atomics(RandomCase *c, GRand *rand)
{
    PsAtomics *atomics = &c->gpu->atomics;
    gint64 cycles = 0;
    atomics->stated = TRUE;
    atomics->pipeline = any_pipeline(c, rand);
    atomics->request = random_latency(rand, chance(rand, 50), 4);
    draw_latency(c, rand, &cycles, &atomics->latency, &atomics->at);
    atomics->address = random_rate(c, rand);
    atomics->per_line = random_rate(c, rand);
    if (ps_rational_cmp(atomics->per_line, atomics->address) > 0)
        atomics->per_line = atomics->address;
    if (chance(rand, 50))
        atomics->block = (PsRational){g_rand_int_range(rand, 2, 12), 2};
    atomics->sectors = random_rate(c, rand);
    atomics->partial = random_rate(c, rand);
    if (chance(rand, 40))
        atomics->stores = random_rate(c, rand);
    if (atomics->stores.num > 0 && ps_rational_cmp(atomics->partial, atomics->stores) > 0)
        atomics->partial = atomics->stores;
    if (atomics->stores.num > 0 && chance(rand, 70))
        atomics->loads = random_rate(c, rand);
    if (chance(rand, 30))
        ps_rational_div(atomics->address, PS_RATIONAL_INT(2), &atomics->write);
    if (chance(rand, 30))
        atomics->rates_at = (PsRational){g_rand_int_range(rand, 500, 2500), 1};
}

/* ---- the graph ----------------------------------------------------------------------------- */

/* From L1 on never more than the level before lets through. */
static void draw_shares(PsIdgItem *item, GRand *rand)
{
    static const char *const shares[] = {"8",    "4",        "2",     "1.5",   "1",    "1",
                                         "1",    "0.75",     "0.5",   "0.333", "0.25", "0.1",
                                         "0.05", "0.015625", "0.001", "0"};
    guint least = 0;
    for (int level = 0; level < PS_N_LEVELS; level++) {
        const guint share =
            (guint)g_rand_int_range(rand, (gint32)least, (gint32)G_N_ELEMENTS(shares));
        if (!chance(rand, 55))
            continue;
        item->share[level] = build_expr(shares[share]);
        least = share;
    }
}

static void draw_access(PsIdgItem *item, GRand *rand)
{
    static const char *const classes[] = {"global",
                                          "global.load",
                                          "global.load",
                                          "global.load.s5",
                                          "global.store",
                                          "global.store",
                                          "memory",
                                          "atomic.add",
                                          "atomic",
                                          "atomic.add.f32",
                                          "global.load.A.8x8",
                                          "global.load.B.v4",
                                          "global.load.texture"};
    static const char *const sizes[] = {"1", "2", "4", "4", "8", "16", "3", "p+1"};
    static const char *const turns[] = {"1", "0.5", "0.03125", "0.2"};
    static const char *const lines[] = {"1", "2", "1.5", "p+1", "32", "1.03125"};
    g_free(item->class_name);
    item->class_name = g_strdup(one_of(rand, classes));
    if (chance(rand, 80)) {
        item->bytes = build_expr(one_of(rand, sizes));
        draw_shares(item, rand);
        item->lines = chance(rand, 40) ? build_expr(one_of(rand, lines)) : NULL;
        item->wavefronts = chance(rand, 30) ? build_expr(one_of(rand, lines)) : NULL;
        item->lanes = chance(rand, 30) ? build_expr(one_of(rand, turns)) : NULL;
    }
    if (!chance(rand, 30))
        return;
    item->spot = g_strdup(chance(rand, 50) ? "x" : "y");
    item->serial = chance(rand, 30) ? (guint)g_rand_int_range(rand, 2, 33) : 0;
    item->turns = chance(rand, 50) ? build_expr(one_of(rand, turns)) : NULL;
}

static void draw_accesses(const GPtrArray *body, GRand *rand)
{
    for (guint i = 0; i < body->len; i++) {
        PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_LOOP)
            draw_accesses(item->body, rand);
        else if (!g_str_has_prefix(item->class_name, "barrier") && chance(rand, 50))
            draw_access(item, rand);
    }
}

/* States of some stores and atomics what they write in part. */
static void draw_partial(const GPtrArray *body, GRand *rand)
{
    static const char *const parts[] = {"0", "%s", "(%s)/2", "(%s)/3", "(%s)*0.9"};
    for (guint i = 0; i < body->len; i++) {
        PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_LOOP) {
            draw_partial(item->body, rand);
            continue;
        }
        const char *part = one_of(rand, parts);
        if (!chance(rand, 60) || !item->bytes || !ps_class_writes(item->class_name))
            continue;
        const PsExpr *l2 = item->share[PS_LEVEL_L2];
        g_auto(GStrv) around = g_strsplit(part, "%s", 2);
        g_autofree char *text = g_strjoinv(l2 ? ps_expr_text(l2) : "0.5", around);
        item->partial = build_expr(text);
    }
}

static void add_partial(RandomCase *c)
{
    GRand *rand = g_rand_new_with_seed(c->seed ^ PARTIAL_SEED);
    for (guint i = 0; i < c->idg->codes->len; i++)
        draw_partial(((const PsIdgCode *)c->idg->codes->pdata[i])->body, rand);
    g_rand_free(rand);
}

static void draw_rows(const GPtrArray *body, GRand *rand)
{
    static const char *const rows[] = {"0.03125", "1", "p+1", "12.5", "32", "64"};
    for (guint i = 0; i < body->len; i++) {
        PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_LOOP)
            draw_rows(item->body, rand);
        else if (!g_str_has_prefix(item->class_name, "barrier") && chance(rand, 40))
            item->rows = build_expr(one_of(rand, rows));
    }
}

/* States rows of some accesses, and how many device memory opens, if it has a limit. */
static void add_rows(RandomCase *c)
{
    GRand *rand = g_rand_new_with_seed(c->seed ^ ROWS_SEED);
    const GArray *levels = c->gpu->memory.levels;
    g_array_index(levels, PsMemoryLevel, levels->len - 1).rows = random_rate(c, rand);
    for (guint i = 0; i < c->idg->codes->len; i++)
        draw_rows(((const PsIdgCode *)c->idg->codes->pdata[i])->body, rand);
    g_rand_free(rand);
}

/* Makes copies of many bytes of some accesses, which a class of their own serves. */
static void draw_copies(const GPtrArray *body, GRand *rand)
{
    for (guint i = 0; i < body->len; i++) {
        PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_LOOP)
            draw_copies(item->body, rand);
        else if (g_str_has_prefix(item->class_name, "global") && chance(rand, 40)) {
            const gboolean store = strstr(item->class_name, "store") != NULL;
            g_free(item->class_name);
            item->class_name = g_strdup(store ? "copy.store" : "copy.load");
        }
    }
}

static void add_copies(RandomCase *c)
{
    GRand *rand = g_rand_new_with_seed(c->seed ^ COPIES_SEED);
    if (chance(rand, 40)) {
        build_class(c->gpu, "copy", any_pipeline(c, rand), random_latency(rand, FALSE, 3),
                    random_latency(rand, FALSE, 30));
        PsClass *class = c->gpu->classes->pdata[c->gpu->classes->len - 1];
        class->work = chance(rand, 75) ? PS_RATIONAL_INT(g_rand_int_range(rand, 16, 400))
                                       : PS_RATIONAL_INT(0);
        for (guint i = 0; i < c->idg->codes->len; i++)
            draw_copies(((const PsIdgCode *)c->idg->codes->pdata[i])->body, rand);
    }
    g_rand_free(rand);
}

/* ---- the case ------------------------------------------------------------------------------ */

/* A class for a pattern, which wins over the levels. */
static void add_pattern(RandomCase *c, GRand *rand)
{
    const guint pipeline = any_pipeline(c, rand);
    build_class(c->gpu, "global.load.A", pipeline, random_latency(rand, FALSE, 3),
                random_latency(rand, FALSE, 30));
    random_case_ask(c, "global.load.A.8x8", "global.load.A");
}

void random_case_add_memory(RandomCase *c, GRand *rand)
{
    static const gint32 clocks[] = {1000, 800, 1250, 1377};
    c->gpu->clock = PS_RATIONAL_INT(one_of(rand, clocks));
    c->clock = c->gpu->clock;
    if (chance(rand, 30))
        c->clock = PS_RATIONAL_INT(one_of(rand, clocks));
    draw_levels(c, rand);
    if (chance(rand, 70))
        draw_atomics(c, rand);
    if (chance(rand, 50))
        draw_local(c, rand);
    if (chance(rand, 50))
        add_pattern(c, rand);
    if (!ps_gpu_derive(c->gpu, NULL))
        g_error("latencies of levels that are too fine");
    for (guint i = 0; i < c->idg->codes->len; i++)
        draw_accesses(((const PsIdgCode *)c->idg->codes->pdata[i])->body, rand);
    add_copies(c);
    add_partial(c);
    add_rows(c);
    c->refinements.levels = TRUE;
    c->refinements.cache = random_state(c, rand);
    const RefMemory memory = {.gpu = c->gpu,
                              .clock = c->clock,
                              .sharing = MIN(c->gpu->compute_units, c->groups),
                              .schedulers = c->refinements.schedulers,
                              .group_size = c->group_size,
                              .warps = c->warps_per_group,
                              .groups = c->groups,
                              .cache = c->refinements.cache,
                              .ticks_per_cycle = RANDOM_TICKS_PER_CYCLE};
    if (!c->too_long)
        c->traffic = ref_traffic_new(&memory, c->idg, c->scope);
    if (!c->too_long)
        ref_queue(&memory, c->idg, c->scope, &c->queue, &c->window);
    c->fetch = c->refinements.overheads ? ref_fetch(&memory) : 0;
}

/* ---- saying what it is --------------------------------------------------------------------- */

static void print_figure(GString *text, const char *name, PsRational figure)
{
    if (figure.num == 0) /* not stated; such a figure need not be a fraction */
        return;
    g_autofree char *value = ps_rational_format(figure);
    g_string_append_printf(text, " %s %s", name, value);
}

static void print_level(const PsMemoryLevel *level)
{
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_append_printf(text, "%s: bytes %" G_GINT64_FORMAT, ps_level_name(level->level),
                           level->bytes);
    print_figure(text, "port", level->port);
    print_figure(text, "bandwidth", level->bandwidth);
    print_figure(text, "mixed", level->mixed);
    print_figure(text, "latency", level->latency);
    print_figure(text, "at", level->at);
    g_test_message("%s", text->str);
}

static void print_atomics(const PsAtomics *atomics)
{
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_append_printf(text, "atomics: pipeline %u", atomics->pipeline);
    print_figure(text, "request", atomics->request);
    print_figure(text, "latency", atomics->latency);
    print_figure(text, "at", atomics->at);
    print_figure(text, "address", atomics->address);
    print_figure(text, "line", atomics->per_line);
    print_figure(text, "block", atomics->block);
    print_figure(text, "sectors", atomics->sectors);
    print_figure(text, "partial", atomics->partial);
    print_figure(text, "stores", atomics->stores);
    print_figure(text, "loads", atomics->loads);
    print_figure(text, "write", atomics->write);
    print_figure(text, "rates-at", atomics->rates_at);
    g_test_message("%s", text->str);
}

void random_case_print_memory(const RandomCase *c)
{
    const PsMemory *memory = &c->gpu->memory;
    static const char *const states[] = {"", ", warm", ", dirty"};
    if (!c->refinements.levels)
        return;
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_append_printf(text, "memory: pipeline %u, %" G_GINT64_FORMAT " CUs%s",
                           memory->pipeline, c->gpu->compute_units, states[c->refinements.cache]);
    print_figure(text, "request", memory->request);
    print_figure(text, "store", memory->store);
    print_figure(text, "texture", memory->texture);
    print_figure(text, "tag", memory->tag);
    print_figure(text, "wavefront", memory->wavefront);
    print_figure(text, "lookup", memory->lookup);
    print_figure(text, "clock", c->clock);
    g_test_message("%s", text->str);
    for (guint i = 0; i < memory->levels->len; i++)
        print_level(&g_array_index(memory->levels, PsMemoryLevel, i));
    if (c->gpu->atomics.stated)
        print_atomics(&c->gpu->atomics);
}
