/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/help/hand-run.h"

#include <string.h>

#define MOST_DEPTH 4

/* ---- programs ------------------------------------------------------------------------------ */

/* Where to go is known later: branches out of a loop, or to its end. */
typedef struct {
    guint loop;
    GArray *breaks, *continues; /* guint: points */
} Open;

typedef struct {
    const HandLot *lot;
    GArray *points; /* HandPoint */
    GArray *loops;  /* PsPtxLoop */
    Open open[MOST_DEPTH];
    guint depth;
} Program;

static gboolean chance(const HandLot *lot, guint percent)
{
    return (guint)g_rand_int_range(lot->rand, 0, 100) < percent;
}

static guint emit(Program *program, const char *mnemonic, guint target)
{
    guint loop = program->depth > 0 ? program->open[program->depth - 1].loop : NOWHERE;
    HandPoint point = {mnemonic, target, loop};
    g_array_append_val(program->points, point);
    return program->points->len - 1;
}

static void aim(Program *program, guint branch)
{
    g_array_index(program->points, HandPoint, branch).target = program->points->len;
}

static void aim_all(Program *program, const GArray *branches)
{
    for (guint i = 0; i < branches->len; i++)
        aim(program, g_array_index(branches, guint, i));
}

static void block(Program *program);

static void if_else(Program *program)
{
    guint branch = emit(program, "bra", 0);
    block(program);
    if (chance(program->lot, 50)) {
        guint over = emit(program, "bra.uni", 0);
        aim(program, branch);
        block(program);
        aim(program, over);
    } else {
        aim(program, branch);
    }
}

static void loop(Program *program)
{
    Open *open = &program->open[program->depth];
    PsPtxLoop fresh = {program->points->len, NOWHERE, program->depth + 1};
    if (program->depth > 0)
        fresh.parent = program->open[program->depth - 1].loop;
    *open = (Open){program->loops->len, g_array_new(FALSE, FALSE, sizeof(guint)),
                   g_array_new(FALSE, FALSE, sizeof(guint))};
    g_array_append_val(program->loops, fresh);
    program->depth++;
    emit(program, "header", NOWHERE);
    block(program);
    aim_all(program, open->continues);
    emit(program, "bra.back", fresh.header);
    program->depth--;
    g_array_unref(open->continues);
    g_autoptr(GArray) breaks = open->breaks; /* what follows may open another loop in its place */
    if (breaks->len > 0 && chance(program->lot, 50)) {
        block(program);
        guint over = emit(program, "bra.uni", 0);
        aim_all(program, breaks);
        block(program);
        aim(program, over);
    } else {
        aim_all(program, breaks);
    }
}

static void jump(Program *program)
{
    if (program->depth == 0 || (program->lot->wild && chance(program->lot, 20))) {
        if (program->lot->wild)
            emit(program, "ret.maybe", NOWHERE);
        return;
    }
    guint level = program->depth - 1;
    if (program->lot->wild && chance(program->lot, 40))
        level = (guint)g_rand_int_range(program->lot->rand, 0, (gint32)program->depth);
    Open *open = &program->open[level];
    guint branch = emit(program, "bra", 0);
    g_array_append_val(*(chance(program->lot, 60) ? &open->breaks : &open->continues), branch);
}

static void block(Program *program)
{
    guint n = (guint)g_rand_int_range(program->lot->rand, 1, 4);
    for (guint i = 0; i < n; i++) {
        guint what = (guint)g_rand_int_range(program->lot->rand, 0, 10);
        gboolean full = program->points->len > program->lot->most_points;
        if (what < 2 && !full)
            if_else(program);
        else if (what < 5 && !full && program->depth < MOST_DEPTH)
            loop(program);
        else if (what < 6 && !full)
            jump(program);
        else
            emit(program, what < 8 ? "add" : "add.maybe", NOWHERE);
    }
    emit(program, "add", NOWHERE);
}

PsPtxCode *hand_program(const HandLot *lot)
{
    Program program = {.lot = lot,
                       .points = g_array_new(FALSE, FALSE, sizeof(HandPoint)),
                       .loops = g_array_new(FALSE, FALSE, sizeof(PsPtxLoop))};
    block(&program);
    block(&program);
    emit(&program, "ret", NOWHERE);
    PsPtxCode *code =
        hand_code((const HandPoint *)(gpointer)program.points->data, program.points->len,
                  (const PsPtxLoop *)(gpointer)program.loops->data, program.loops->len);
    g_array_unref(program.points);
    g_array_unref(program.loops);
    return code;
}

/* ---- where lanes meet ---------------------------------------------------------------------- */

static gboolean named(const PsPtxPoint *point, const char *part)
{
    return !strcmp(point->instruction->mnemonic->opcode, part) ||
           g_strv_contains(point->instruction->mnemonic->parts, part);
}

/* Sets after[p][k] to whether all ways from p pass k, from the same of the points that follow;
 * TRUE if that was news. */
static gboolean pass_on(const PsPtxCode *code, guint p, gboolean *after)
{
    guint n = code->n_points;
    const PsPtxPoint *point = &code->points[p];
    gboolean falls = p + 1 < n && !named(point, "uni");
    gboolean news = FALSE;
    for (guint k = 0; k < n; k++) {
        gboolean all = !named(point, "ret");
        if (point->target != NOWHERE)
            all = all && after[point->target * n + k];
        if (falls)
            all = all && after[(p + 1) * n + k];
        all = all || k == p;
        news = news || all != after[p * n + k];
        after[p * n + k] = all;
    }
    return news;
}

/* The point that all others are after, among those that all ways from p pass. */
static guint nearest(guint n, guint p, const gboolean *after)
{
    for (guint k = 0; k < n; k++) {
        gboolean found = k != p && after[p * n + k];
        for (guint other = 0; found && other < n; other++)
            found = other == p || !after[p * n + other] || after[k * n + other];
        if (found)
            return k;
    }
    return NOWHERE;
}

static void set_meets(PsPtxCode *code)
{
    guint n = code->n_points;
    g_autofree gboolean *after = g_new(gboolean, (gsize)n * n);
    for (guint i = 0; i < n * n; i++)
        after[i] = TRUE;
    for (gboolean news = TRUE; news;) {
        news = FALSE;
        for (guint p = n; p-- > 0;)
            news = pass_on(code, p, after) || news;
    }
    for (guint p = 0; p < n; p++)
        code->points[p].meet = nearest(n, p, after);
}

/* ---- runs ---------------------------------------------------------------------------------- */

typedef struct {
    const PsPtxCode *code;
    const HandLot *lot;
    const PsPtxListener *listener;
    HandRun *run;
    guint steps;
} Runner;

static gboolean lies_in(const PsPtxCode *code, guint point, guint loop)
{
    guint at = point == NOWHERE ? NOWHERE : code->points[point].loop;
    while (at != NOWHERE && at != loop)
        at = code->loops[at].parent;
    return at == loop;
}

/* Lanes that are drawn: for a branch, those that take it. */
static guint32 draw(const Runner *runner, const PsPtxPoint *point, guint32 lanes)
{
    guint percent = 50;
    if (named(point, "back"))
        percent = runner->steps > runner->lot->most_steps ? 0 : 75;
    if (named(point, "uni"))
        return lanes;
    if (!runner->lot->divergent || chance(runner->lot, 60))
        return chance(runner->lot, percent) ? lanes : 0;
    guint32 drawn = g_rand_int(runner->lot->rand);
    if (percent != 50)
        drawn = percent == 0 ? 0 : drawn | g_rand_int(runner->lot->rand);
    return drawn & lanes;
}

static guint32 step(Runner *runner, guint pc, guint before, guint32 lanes, guint depth)
{
    const PsPtxPoint *point = &runner->code->points[pc];
    PsPtxEvent event = {.point = pc, .active = lanes, .mask = lanes, .depth = depth};
    gboolean branches = point->target != NOWHERE;
    if (branches || named(point, "maybe"))
        event.mask = draw(runner, point, lanes);
    runner->steps++;
    if (runner->listener)
        runner->listener->executed(runner->listener->data, &event);
    if (event.mask != 0 || branches)
        g_array_append_val(runner->run->points, pc);
    if (named(point, "header") && !lies_in(runner->code, before, point->loop))
        runner->run->entries[point->loop]++;
    return event.mask;
}

/* Runs from pc until the lanes meet others; those that get there. */
static guint32 run_from(Runner *runner, PsPtxEvent at, guint before, guint meet);

/* Both sides of a branch; the lanes that meet. */
static guint32 part(Runner *runner, PsPtxEvent at, guint32 taken, guint meet)
{
    guint target = runner->code->points[at.point].target;
    PsPtxEvent sides[2] = {{.point = at.point + 1, .active = at.active & ~taken},
                           {.point = target, .active = taken}};
    gboolean swap = (target < at.point) != runner->lot->last_first;
    guint32 met = 0;
    for (guint i = 0; i < 2; i++) {
        PsPtxEvent side = sides[swap ? 1 - i : i];
        side.depth = at.depth;
        met |= run_from(runner, side, at.point, meet);
    }
    return met;
}

static guint32 run_from(Runner *runner, PsPtxEvent at, guint before, guint meet)
{
    while (at.active != 0 && at.point != meet && at.point < runner->code->n_points) {
        const PsPtxPoint *point = &runner->code->points[at.point];
        guint32 mask = step(runner, at.point, before, at.active, at.depth);
        before = at.point;
        if (point->target != NOWHERE && mask != 0 && mask != at.active) {
            PsPtxEvent inner = at;
            if (point->meet == meet && at.depth > 0)
                return part(runner, inner, mask, meet);
            inner.depth++;
            at.active = part(runner, inner, mask, point->meet);
            at.point = point->meet;
            continue;
        }
        if (named(point, "ret"))
            at.active &= ~mask;
        at.point = point->target != NOWHERE && mask != 0 ? point->target : at.point + 1;
    }
    return at.active;
}

void hand_run(const PsPtxCode *code, const HandLot *lot, const PsPtxListener *listener,
              HandRun *run)
{
    static const guint group[3] = {0, 0, 0};
    Runner runner = {.code = code, .lot = lot, .listener = listener, .run = run};
    set_meets((PsPtxCode *)code);
    listener->group_begins(listener->data, group);
    run_from(&runner, (PsPtxEvent){.active = 0xffffffff}, NOWHERE, NOWHERE);
    listener->group_ends(listener->data);
}
