/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/help/pattern-run.h"

#include "tests/help/hand-code.h"

PatternRun pattern_run_new(const PsPatternRules *rules)
{
    static const HandPoint points[] = {
        {"ld.global.f32", NOWHERE, NOWHERE},    {"ld.global.nc.f32", NOWHERE, NOWHERE},
        {"st.global.f32", NOWHERE, NOWHERE},    {"red.global.add.u32", NOWHERE, NOWHERE},
        {"ld.global.cg.f32", NOWHERE, NOWHERE}, {"ld.shared.f32", NOWHERE, NOWHERE},
        {"atom.shared.add", NOWHERE, NOWHERE},  {"ld.const.f32", NOWHERE, NOWHERE},
        {"ld.local.f32", NOWHERE, NOWHERE},     {"st.local.f32", NOWHERE, NOWHERE},
        {"ld.local.lu.f32", NOWHERE, NOWHERE},  {"cp.async.ca.shared.global", NOWHERE, NOWHERE},
        {"ld.global.nc.f32", NOWHERE, NOWHERE}, {"ld.global.nc.f32", NOWHERE, NOWHERE}};
    PsRollOptions options = {.patterns = *rules};
    PatternRun run = {.code = hand_code(points, G_N_ELEMENTS(points), NULL, 0)};
    for (guint i = 0; i < NEXT; i++)
        run.code->points[i].leader = TRUE;
    run.roll = ps_roll_new(run.code, &options);
    run.listener = ps_roll_listener(run.roll);
    return run;
}

void pattern_run_clear(PatternRun *run)
{
    ps_roll_free(run->roll);
    hand_code_free(run->code);
}

void pattern_run_begin(PatternRun *run, guint x, guint y, guint z)
{
    const guint group[3] = {x, y, z};
    run->listener.group_begins(run->listener.data, group);
}

void pattern_run_end(PatternRun *run)
{
    run->listener.group_ends(run->listener.data);
    ps_roll_settle(run->roll);
}

void pattern_run_request(PatternRun *run, guint point, guint bytes, guint32 mask,
                         const guint64 *address)
{
    const PsPtxSpace space = run->code->points[point].instruction->mnemonic->space;
    PsPtxEvent event = {.point = point,
                        .active = ALL,
                        .mask = mask,
                        .memory = TRUE,
                        .space = point == COPY ? PS_PTX_GLOBAL : space,
                        .bytes = bytes,
                        .address = address};
    run->listener.executed(run->listener.data, &event);
}

void pattern_run_strided(PatternRun *run, guint point, guint bytes, guint64 base, guint64 stride)
{
    guint64 address[PS_PTX_LANES];
    for (guint i = 0; i < PS_PTX_LANES; i++)
        address[i] = base + i * stride;
    pattern_run_request(run, point, bytes, ALL, address);
}

const PsPattern *pattern_run_pattern(const PatternRun *run, guint point)
{
    const PsPattern *found = NULL;
    const GPtrArray *patterns = ps_roll_patterns(run->roll);
    for (guint i = 0; i < patterns->len; i++) {
        const PsPattern *pattern = g_ptr_array_index(patterns, i);
        if (pattern->point != point)
            continue;
        g_assert_null(found);
        found = pattern;
    }
    g_assert_nonnull(found);
    return found;
}
