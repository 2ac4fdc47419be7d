/* SPDX-License-Identifier: BSD-3-Clause */
/* Which loads of iterations that are laid out together come together. */
#include "lift/loops/roll.h"
#include "lift/memory/copies.h"
#include "tests/help/hand-code.h"

#include <string.h>

/* For each load of global memory in the loop of that body a digit: for how many loads in a row it
 * waits; "-" where iterations stay one behind the other. */
static char *waves_of(const char *body)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = g_strdup_printf(
        ".version 8.0\n.target sm_80\n.address_size 64\n"
        ".visible .entry k(.param .u64 x) { .shared .align 4 .b8 part[128]; .reg .pred %%p<4>; "
        ".reg .b32 %%r<12>; .reg .b64 %%rd<9>; .reg .f32 %%f<12>; ld.param.u64 %%rd1, [x];\n"
        "ld.global.f32 %%f1, [%%rd1];\n"
        "row: %s add.s64 %%rd1, %%rd1, 4; add.s32 %%r1, %%r1, 1; setp.lt.s32 %%p1, %%r1, 9; "
        "@%%p1 bra row; ld.global.f32 %%f2, [%%rd1]; ret; }\n",
        body);
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, strlen(text), "x.ptx", &error);
    g_assert_no_error(error);
    g_autoptr(PsPtxCode) code = ps_ptx_code_new(module, ps_ptx_kernel(module, "k", &error), &error);
    g_assert_no_error(error);
    const guint unrolled = 4, as_it_is = 0;
    g_autofree PsCopy *none = ps_copies_new(code, &as_it_is);
    g_autofree PsCopy *copies = ps_copies_new(code, &unrolled);
    GString *waves = g_string_new(NULL);
    for (guint i = 0; i < code->n_points; i++) {
        const PsPtxMnemonic *mnemonic = code->points[i].instruction->mnemonic;
        const gboolean load =
            strcmp(mnemonic->opcode, "ld") == 0 && mnemonic->space == PS_PTX_GLOBAL;
        g_assert_cmpuint(none[i].loop, ==, PS_PTX_NOWHERE);
        if (code->points[i].loop == PS_PTX_NOWHERE)
            g_assert_cmpuint(copies[i].loop, ==, PS_PTX_NOWHERE);
        else if (load && copies[i].loop == PS_PTX_NOWHERE)
            g_string_append_c(waves, '-');
        else if (load)
            g_string_append_printf(waves, "%u", copies[i].wave);
    }
    return g_string_free(waves, FALSE);
}

#define COLUMN "ld.global.b64 %rd2, [%rd1]; "
#define AT "add.s64 %rd3, %rd2, %rd4; ld.global.f32 %f3, [%rd3]; "
#define SUM "add.f32 %f4, %f4, %f3; "
#define NC "ld.global.nc.f32 %f3, [%rd1]; "

static void test_waves(void)
{
    static const struct {
        const char *body, *waves;
    } cases[] = {{"ld.global.f32 %f3, [%rd1]; " SUM, "0"},
                 {COLUMN AT SUM, "01"},
                 {COLUMN AT SUM "ld.global.f32 %f5, [%rd1]; ", "010"},
                 /* the address of a load is what the iteration before it loaded, or what that one
                  * had loaded already */
                 {"ld.global.b64 %rd5, [%rd5]; ", "-"},
                 {"ld.global.f32 %f3, [%rd2]; " COLUMN, "10"},
                 /* conditions, as guards and as branches */
                 {"ld.global.f32 %f3, [%rd1]; setp.gt.f32 %p2, %f3, 0f00000000; "
                  "@%p2 ld.global.f32 %f5, [%rd1+4]; ",
                  "01"},
                 {"ld.global.f32 %f3, [%rd1]; setp.gt.f32 %p2, %f3, 0f00000000; @%p2 bra on; "
                  "ld.global.f32 %f5, [%rd1+4]; on: ld.global.f32 %f6, [%rd1+8]; ",
                  "010"},
                 /* what is written */
                 {"ld.global.f32 %f3, [%rd1]; st.global.f32 [%rd6], %f3; ", "-"},
                 {NC "st.global.f32 [%rd6], %f3; ", "0"},
                 {"ld.global.f32 %f3, [%rd1]; st.shared.f32 [part], %f3; ", "0"},
                 {NC "bar.sync 0; ", "-"}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *waves = waves_of(cases[i].body);
        g_test_message("%s", cases[i].body);
        g_assert_cmpstr(waves, ==, cases[i].waves);
    }
}

/* ---- through L1 -------------------------------------------------------------------------------
 */

enum { LOAD, INDIRECT, OUTSIDE };

typedef struct {
    PsPtxCode *code;
    PsRoll *roll;
    PsPtxListener listener;
    guint64 base;
} Run;

static void execute(const Run *run, guint point, guint64 at)
{
    guint64 address[PS_PTX_LANES];
    PsPtxEvent event = {.point = point, .active = 0xffffffffU, .mask = 0xffffffffU};
    for (guint i = 0; i < PS_PTX_LANES; i++)
        address[i] = at + 128 * (guint64)i;
    if (point != OUTSIDE) {
        event.memory = TRUE;
        event.space = PS_PTX_GLOBAL;
        event.bytes = 4;
        event.address = address;
    }
    run->listener.executed(run->listener.data, &event);
}

/* Iterations of a loop whose load goes on by a word, and who leaves it. */
static void loop(const Run *run, guint n, guint64 *at, gboolean indirect)
{
    for (guint i = 0; i < n; i++, *at += 4) {
        execute(run, LOAD, *at);
        if (indirect)
            execute(run, INDIRECT, *at + 65536);
    }
    execute(run, OUTSIDE, 0);
}

/* Two groups at once, each of which fills L1 with what it asks for in one turn: so many sectors
 * reach L2 in one group. entries: iterations of each time that it enters the loop. */
static double fetched(const guint *entries, guint n, gboolean indirect, gboolean at_once)
{
    static const HandPoint points[] = {{"ld.global.nc.f32", NOWHERE, 0},
                                       {"ld.global.nc.f32", NOWHERE, 0},
                                       {"add", NOWHERE, NOWHERE}};
    static const PsPtxLoop loops[] = {{.header = LOAD, .parent = NOWHERE}};
    const PsRollOptions options = {
        .patterns = {
            .l1 = (1 + (guint)indirect) * 32 * 128, .resident = 2, .rounds = 2, .grid = {2, 1, 1}}};
    Run run = {.code = hand_code(points, G_N_ELEMENTS(points), loops, 1)};
    run.roll = ps_roll_new(run.code, &options);
    run.listener = ps_roll_listener(run.roll);
    for (guint round = 0; round < 2; round++) {
        guint64 at = 0x100000 + 0x40000 * (guint64)round;
        ps_roll_next(run.roll, (PsPatternGroup){.of_unit = TRUE, .round = round});
        run.listener.group_begins(run.listener.data, (const guint[3]){round, 0, 0});
        for (guint i = 0; i < n; i++)
            loop(&run, entries[i], &at, indirect);
        run.listener.group_ends(run.listener.data);
    }
    ps_roll_settle(run.roll);
    const guint unrolled = at_once ? 4 : 0;
    ps_roll_unroll(run.roll, &unrolled);
    double sum = 0;
    const GPtrArray *patterns = ps_roll_patterns(run.roll);
    for (guint i = 0; i < patterns->len; i++)
        sum += ps_pattern_traffic(patterns->pdata[i]).l2 / 2;
    ps_roll_free(run.roll);
    hand_code_free(run.code);
    return sum;
}

/* Four iterations take a turn, then two and one of those that remain, each time that a warp enters
 * the loop. */
static void test_turns(void)
{
    static const struct {
        guint entries[2], n, turns;
    } cases[] = {{{4, 0}, 1, 1}, {{8, 0}, 1, 2}, {{7, 0}, 1, 3}, {{1, 0}, 1, 1}, {{3, 5}, 2, 4}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const guint all = cases[i].entries[0] + cases[i].entries[1];
        for (guint indirect = 0; indirect < 2; indirect++) {
            const guint n = (1 + indirect) * 32;
            g_assert_cmpfloat_with_epsilon(fetched(cases[i].entries, cases[i].n, indirect, TRUE),
                                           cases[i].turns * n, 1e-9);
            g_assert_cmpfloat_with_epsilon(fetched(cases[i].entries, cases[i].n, indirect, FALSE),
                                           all * n, 1e-9);
        }
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ptx-copies/waves", test_waves);
    g_test_add_func("/ptx-copies/turns", test_turns);
    return g_test_run();
}
