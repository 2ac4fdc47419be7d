/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The executor: which ways lanes go, and that they meet again where they should.
 */
#include "base/message.h"
#include "tests/help/ptx-launch.h"

/* ---- lanes that part ------------------------------------------------------------------------ */

static guint32 nested_ifs(guint t, guint n)
{
    guint32 r = 0;
    if (t < n) {
        if ((t & 1) != 0)
            r = 10;
        else if ((t & 2) != 0)
            r = 20;
        r += 1;
    } else {
        r = 100;
    }
    return r + t;
}

static const char *const nested_text =
    "mov.u32 %r3, 0; setp.ge.u32 %p1, %r1, %r2; @%p1 bra ELSE;"
    "and.b32 %r4, %r1, 1; setp.ne.u32 %p2, %r4, 0; @!%p2 bra EVEN;"
    "mov.u32 %r3, 10; bra JOIN;"
    "EVEN: and.b32 %r4, %r1, 2; setp.eq.u32 %p2, %r4, 0; @%p2 bra JOIN; mov.u32 %r3, 20;"
    "JOIN: add.u32 %r3, %r3, 1; bra END;"
    "ELSE: mov.u32 %r3, 100;"
    "END: add.u32 %r3, %r3, %r1; " PTX_STORE;

static void test_nested_ifs(void)
{
    ptx_assert(&(PtxLaunch){.body = nested_text, .n = 13}, nested_ifs);
    ptx_assert(&(PtxLaunch){.body = nested_text, .n = 0}, nested_ifs);
    ptx_assert(&(PtxLaunch){.body = nested_text, .n = 40, .block = {100}}, nested_ifs);
}

static guint32 breaks_and_continues(guint t, guint n)
{
    guint32 r = 0;
    for (guint i = 0; i < n; i++) {
        if ((i + t) % 3 == 0)
            continue;
        if (r > 5 * t)
            break;
        for (guint k = 0; k < t; k += 4)
            r += k;
        r += i;
    }
    return r;
}

static void test_breaks_and_continues(void)
{
    PtxLaunch launch = {.n = 23,
                        .block = {45},
                        .body =
                            "mov.u32 %r3, 0; mov.u32 %r4, 0; mul.lo.u32 %r7, %r1, 5;"
                            "FOR: setp.ge.u32 %p1, %r4, %r2; @%p1 bra DONE;"
                            "add.u32 %r5, %r4, %r1; rem.u32 %r5, %r5, 3; setp.eq.u32 %p2, %r5, 0;"
                            "@%p2 bra NEXT;"
                            "setp.gt.u32 %p3, %r3, %r7; @%p3 bra DONE;"
                            "mov.u32 %r6, 0;"
                            "INNER: setp.ge.u32 %p4, %r6, %r1; @%p4 bra LEFT;"
                            "add.u32 %r3, %r3, %r6; add.u32 %r6, %r6, 4; bra INNER;"
                            "LEFT: add.u32 %r3, %r3, %r4;"
                            "NEXT: add.u32 %r4, %r4, 1; bra FOR;"
                            "DONE: " PTX_STORE};
    ptx_assert(&launch, breaks_and_continues);
}

static guint32 switched(guint t, guint n)
{
    static const guint32 values[] = {7, 8, 9, 8};
    return (t % 4 < 3 || n > 0 ? values[t % 4] : 0) + 1;
}

/* A list of one target is a list, too. */
static guint32 one_way(guint t, guint n)
{
    (void)t;
    return n > 0 ? 5 : 0;
}

static void test_switch_of_one(void)
{
    ptx_assert(&(PtxLaunch){.n = 1,
                            .body = "and.b32 %r4, %r1, 0; T: .branchtargets A;"
                                    "brx.idx %r4, T; A: mov.u32 %r3, 5;" PTX_STORE},
               one_way);
}

static void test_switch(void)
{
    PtxLaunch launch = {.n = 1,
                        .body = "and.b32 %r4, %r1, 3; T: .branchtargets A, B, C, B;"
                                "brx.idx %r4, T;"
                                "A: mov.u32 %r3, 7; bra END;"
                                "B: mov.u32 %r3, 8; bra END;"
                                "C: mov.u32 %r3, 9;"
                                "END: add.u32 %r3, %r3, 1;" PTX_STORE};
    ptx_assert(&launch, switched);
    launch.body = "T: .branchtargets A, B; brx.idx %r1, T; A: mov.u32 %r3, 7; B:" PTX_STORE;
    ptx_assert_fails(&launch, PS_ERROR_VALUE,
                     "x.ptx:11: thread (2,0,0) of group (0,0,0) branches to target 2 of 2 (the "
                     "first is 0)");
}

/* ---- what only computes ---------------------------------------------------------------------- */

/* The longest stretch that is told as one, and how many lanes executed each of its points. */
typedef struct {
    guint longest, told;
    guint lanes[16];
} Stretch;

static void hear_stretch(gpointer data, const PsPtxEvent *event, guint n, const guint32 *masks)
{
    Stretch *stretch = data;
    stretch->told += n;
    if (n <= stretch->longest || n > G_N_ELEMENTS(stretch->lanes))
        return;
    stretch->longest = n;
    for (guint i = 0; i < n; i++)
        stretch->lanes[i] = (guint)__builtin_popcount(masks ? masks[i] : event->active);
    g_assert_cmphex(event->mask, ==, masks ? masks[0] : event->active);
}

static void hear_one(gpointer data, const PsPtxEvent *event)
{
    (void)event;
    ((Stretch *)data)->told++;
}

static guint32 guarded(guint t, guint n)
{
    return t * (t < n ? 3 : 5);
}

/* Guards do not end a stretch; without a callback for stretches, each of its points is told. */
static void test_stretch(void)
{
    Stretch stretch = {0}, alone = {0};
    PsPtxListener listener = {.data = &stretch, .executed = hear_one, .straight = hear_stretch};
    PtxLaunch launch = {.n = 7,
                        .listener = &listener,
                        .body = "mov.u32 %r9, %r8; bar.sync 0;"
                                "setp.lt.u32 %p1, %r1, %r2; setp.gt.u32 %p2, %r1, 99;"
                                "@%p1 mul.lo.u32 %r3, %r1, 3; @!%p1 mul.lo.u32 %r3, %r1, 5;"
                                "@%p2 mov.u32 %r3, 1; add.u32 %r9, %r3, 1; add.u32 %r9, %r9, 1;"
                                "add.u32 %r9, %r9, 1; add.u32 %r9, %r9, 1; " PTX_STORE};
    static const guint lanes[] = {32, 32, 7, 25, 0, 32, 32, 32, 32};
    ptx_assert(&launch, guarded);
    g_assert_cmpuint(stretch.longest, ==, G_N_ELEMENTS(lanes));
    g_assert_cmpmem(stretch.lanes, sizeof lanes, lanes, sizeof lanes);
    listener = (PsPtxListener){.data = &alone, .executed = hear_one};
    ptx_assert(&launch, guarded);
    g_assert_cmpuint(alone.told, ==, stretch.told);
}

/* ---- where they meet ------------------------------------------------------------------------ */

/* What is heard of the stores, by which the bodies end. */
typedef struct {
    PsPtxMachine *machine;
    guint stores, lanes, most_depth, events, depth_at_store;
} Heard;

static void hear(gpointer data, const PsPtxEvent *event)
{
    Heard *heard = data;
    heard->events++;
    heard->most_depth = MAX(heard->most_depth, event->depth);
    if (event->memory && event->space == PS_PTX_GLOBAL) {
        heard->stores++;
        heard->lanes += (guint)__builtin_popcount(event->mask);
        heard->depth_at_store = event->depth;
        g_assert_cmpuint(event->bytes, ==, 4);
    }
}

static void test_meeting(void)
{
    Heard heard = {0};
    PsPtxListener listener = {.data = &heard, .executed = hear};
    ptx_assert(&(PtxLaunch){.body = nested_text, .n = 13, .listener = &listener}, nested_ifs);
    g_assert_cmpuint(heard.stores, ==, 1);
    g_assert_cmpuint(heard.lanes, ==, 32);
    g_assert_cmpuint(heard.most_depth, ==, 2);
    g_assert_cmpuint(heard.depth_at_store, ==, 0);
}

static guint32 early(guint t, guint n)
{
    if (t < n)
        return (t & 1) != 0 && t > 4 ? 0 : t + 1 + (t & 1);
    return 0;
}

/* Lanes that end are not waited for, and those of a nested branch do not keep the others apart. */
static void test_early_end(void)
{
    Heard heard = {0};
    PsPtxListener listener = {.data = &heard, .executed = hear};
    PtxLaunch launch = {
        .n = 29,
        .listener = &listener,
        .body = "setp.ge.u32 %p1, %r1, %r2; @%p1 bra END;"
                "mov.u32 %r3, %r1; and.b32 %r4, %r1, 1; setp.eq.u32 %p2, %r4, 0; @%p2 bra JOIN;"
                "setp.gt.u32 %p3, %r1, 4; @%p3 bra END; add.u32 %r3, %r3, 1;"
                "JOIN: add.u32 %r3, %r3, 1; st.global.u32 [%rd2], %r3; END: ret;"};
    ptx_assert(&launch, early);
    g_assert_cmpuint(heard.stores, ==, 1);
    g_assert_cmpuint(heard.lanes, ==, 17);
    g_assert_cmpuint(heard.depth_at_store, ==, 0);
    heard = (Heard){0};
    launch.body = "setp.ge.u32 %p1, %r1, %r2; @%p1 exit;"
                  "mov.u32 %r3, %r1; and.b32 %r4, %r1, 1; setp.eq.u32 %p2, %r4, 0; @%p2 bra JOIN;"
                  "setp.gt.u32 %p3, %r1, 4; @%p3 exit; add.u32 %r3, %r3, 1;"
                  "JOIN: add.u32 %r3, %r3, 1;" PTX_STORE;
    ptx_assert(&launch, early);
    g_assert_cmpuint(heard.stores, ==, 1);
    g_assert_cmpuint(heard.depth_at_store, ==, 0);
}

static guint32 ends_in_loop(guint t, guint n)
{
    return t % 3 == 2 ? 0 : t * n;
}

static void test_end_in_loop(void)
{
    Heard heard = {0};
    PsPtxListener listener = {.data = &heard, .executed = hear};
    PtxLaunch launch = {
        .n = 100,
        .block = {64},
        .listener = &listener,
        .body = "mov.u32 %r3, 0; mov.u32 %r4, 0; rem.u32 %r5, %r1, 3;"
                "LOOP: setp.eq.u32 %p1, %r4, %r1; setp.eq.and.u32 %p1, %r5, 2, %p1; @%p1 bra END;"
                "add.u32 %r3, %r3, %r1; add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, %r2;"
                "@%p2 bra LOOP;"
                "st.global.u32 [%rd2], %r3; END: ret;"};
    ptx_assert(&launch, ends_in_loop);
    g_assert_cmpuint(heard.stores, ==, 2);
    g_assert_cmpuint(heard.lanes, ==, 43);
    g_assert_cmpuint(heard.depth_at_store, ==, 0);
}

/* A way into the middle of a cycle: no natural loop, but it runs. */
static guint32 irreducible(guint t, guint n)
{
    guint32 r = 0, i = 0;
    if ((t & 1) == 0)
        goto middle;
top:
    r += 3;
middle:
    r += 5;
    i++;
    if (i < n + t % 5)
        goto top;
    return r;
}

static void test_irreducible(void)
{
    PtxLaunch launch = {
        .n = 9,
        .body = "mov.u32 %r3, 0; mov.u32 %r4, 0; rem.u32 %r6, %r1, 5; add.u32 %r6, %r6, %r2;"
                "and.b32 %r5, %r1, 1; setp.eq.u32 %p1, %r5, 0; @%p1 bra MIDDLE;"
                "TOP: add.u32 %r3, %r3, 3;"
                "MIDDLE: add.u32 %r3, %r3, 5; add.u32 %r4, %r4, 1;"
                "setp.lt.u32 %p2, %r4, %r6; @%p2 bra TOP;" PTX_STORE};
    ptx_assert(&launch, irreducible);
}

/* ---- calls ---------------------------------------------------------------------------------- */

static guint32 called(guint t, guint n)
{
    guint32 r = 0;
    for (guint i = 0; i < n; i++)
        if (t > i)
            r += (t & 4) != 0 ? 2 * t : t + 100;
    return r;
}

static const char *const twice =
    ".func (.param .b32 r) f(.param .b32 a) {\n"
    ".reg .b32 %x<5>; .reg .pred %q; ld.param.u32 %x1, [a]; and.b32 %x2, %x1, 4;\n"
    "setp.eq.u32 %q, %x2, 0; @%q bra SMALL; add.u32 %x3, %x1, %x1; st.param.b32 [r], %x3; ret;\n"
    "SMALL: add.u32 %x3, %x1, 100; st.param.b32 [r], %x3; ret; }\n";

static void test_calls(void)
{
    PtxLaunch launch = {
        .n = 6,
        .before = twice,
        .body = "mov.u32 %r3, 0; mov.u32 %r4, 0;"
                "LOOP: setp.gt.u32 %p1, %r1, %r4; @!%p1 bra SKIP;"
                "{ .param .b32 p0; .param .b32 q0; st.param.b32 [p0], %r1;"
                " call.uni (q0), f, (p0); ld.param.b32 %r5, [q0]; }"
                "add.u32 %r3, %r3, %r5;"
                "SKIP: add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, %r2; @%p2 bra LOOP;" PTX_STORE};
    ptx_assert(&launch, called);
    /* The call itself is guarded. */
    launch.body = "mov.u32 %r3, 0; mov.u32 %r4, 0;"
                  "LOOP: setp.gt.u32 %p1, %r1, %r4; mov.u32 %r5, 0;"
                  "{ .param .b32 p0; .param .b32 q0; st.param.b32 [p0], %r1;"
                  " @%p1 call (q0), f, (p0); @%p1 ld.param.b32 %r5, [q0]; }"
                  "add.u32 %r3, %r3, %r5;"
                  "add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, %r2; @%p2 bra LOOP;" PTX_STORE;
    ptx_assert(&launch, called);
}

static guint32 registers_passed(guint t, guint n)
{
    return n + 2 * t + 5;
}

static void test_register_parameters(void)
{
    PtxLaunch launch = {
        .n = 77,
        .before = ".func (.reg .u32 r) add3(.reg .u32 a, .reg .u32 b, .param .u32 c) {\n"
                  ".reg .u32 %t; ld.param.u32 %t, [c]; add.u32 r, a, b; add.u32 r, r, %t; }\n"
                  ".func (.reg .u32 r) twice(.reg .u32 a) { add.u32 r, a, a; ret; }\n",
        .body = "call (%r4), twice, (%r1); call (%r3), add3, (%r4, 5, %r2);" PTX_STORE};
    ptx_assert(&launch, registers_passed);
}

static guint32 zero_or_n(guint t, guint n)
{
    return t < 32 ? n : 0;
}

static void test_device_functions(void)
{
    PtxLaunch launch = {
        .n = 3,
        .before = ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
                  ".extern .func __assertfail(.param .b64 a);\n",
        .warning =
            "x.ptx:14: printf prints nothing and returns 0, and its time is not in the answer",
        .body = "{ .param .b64 p0; .param .b64 p1; .param .b32 q; st.param.b64 [p0], %rd1;"
                " st.param.b64 [p1], %rd1; \n call.uni (q), vprintf, (p0, p1);"
                " ld.param.b32 %r4, [q]; } add.u32 %r3, %r2, %r4;" PTX_STORE};
    ptx_assert(&launch, zero_or_n);
    launch.warning = NULL;
    launch.body = "setp.ne.u32 %p1, %r1, 7; @%p1 bra FINE;\n{ .param .b64 p0;"
                  " st.param.b64 [p0], %rd1;\n call.uni __assertfail, (p0); } FINE:" PTX_STORE;
    ptx_assert_fails(&launch, PS_ERROR_VALUE,
                     "x.ptx:15: thread (7,0,0) of group (0,0,0) fails an assertion");
}

/* ---- launches ------------------------------------------------------------------------------- */

static guint32 indices(guint t, guint n)
{
    return t % 5 + 10 * (t / 5 % 3) + 100 * (t / 15) + 1000 * (t % 32) + 100000 * n;
}

static void test_indices(void)
{
    PtxLaunch launch = {
        .block = {5, 3, 4},
        .n = 2,
        .body =
            "mov.u32 %r5, %tid.y; mov.u32 %r6, %tid.z; mov.u32 %r7, %ntid.x;"
            "mov.u32 %r8, %ntid.y; mad.lo.u32 %r9, %r6, %r8, %r5; mad.lo.u32 %r9, %r9, %r7, %r1;"
            "mul.wide.u32 %rd2, %r9, 4; add.u64 %rd2, %rd1, %rd2;"
            "mad.lo.u32 %r3, %r5, 10, %r1; mad.lo.u32 %r3, %r6, 100, %r3;"
            "mov.u32 %r4, %laneid; mad.lo.u32 %r3, %r4, 1000, %r3;"
            "mad.lo.u32 %r3, %r2, 100000, %r3;" PTX_STORE};
    ptx_assert(&launch, indices);
}

static guint32 groups_sum(guint t, guint n)
{
    return (t + n) * 6;
}

static void test_groups(void)
{
    PtxLaunch launch = {
        .block = {1024},
        .grid = {3, 2, 1},
        .n = 5,
        .body =
            "ld.global.u32 %r3, [%rd2]; add.u32 %r3, %r3, %r1; add.u32 %r3, %r3, %r2;" PTX_STORE};
    ptx_assert(&launch, groups_sum);
}

static guint32 clocks(guint t, guint n)
{
    return n + (t < 32);
}

static void test_clock(void)
{
    PtxLaunch launch = {.body = "mov.u64 %rd3, %clock64; nanosleep.u32 20; mov.u64 %rd4, %clock64;"
                                "setp.gt.u64 %p1, %rd4, %rd3; selp.u32 %r3, 1, 0, %p1;" PTX_STORE};
    ptx_assert(&launch, clocks);
}

static guint32 zeros(guint t, guint n)
{
    (void)t;
    (void)n;
    return 0;
}

static void test_counts(void)
{
    Heard heard = {0};
    PsPtxListener listener = {.data = &heard, .executed = hear};
    PtxLaunch launch = {.block = {40},
                        .n = 1,
                        .listener = &listener,
                        .body = "add.u32 %r3, %r1, 1; add.u32 %r3, %r3, %r2; sub.u32 %r3, %r3, 2;"
                                "add.u32 %r3, %r3, %r2;" PTX_STORE};
    g_autoptr(GError) error = NULL;
    g_autofree guint32 *out = ptx_launch(&launch, &error);
    g_assert_no_error(error);
    g_assert_nonnull(out);
    g_assert_cmpuint(heard.events, ==, 24);
    g_assert_cmpuint(heard.lanes, ==, 40);
}

/* The end is no instruction: of a kernel that comes to it without one, nothing is heard. */
static void test_end_unheard(void)
{
    Heard heard = {0};
    PsPtxListener listener = {.data = &heard, .executed = hear};
    PtxLaunch launch = {.listener = &listener, .body = "mov.u32 %r3, 0;" PTX_STORE};
    ptx_assert(&launch, zeros);
    const guint with_ret = heard.events;
    heard = (Heard){0};
    launch.body = "mov.u32 %r3, 0; st.global.u32 [%rd2], %r3;";
    ptx_assert(&launch, zeros);
    g_assert_cmpuint(heard.events, ==, with_ret - 1);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-run/nested-ifs", test_nested_ifs);
    g_test_add_func("/ptx-run/breaks-and-continues", test_breaks_and_continues);
    g_test_add_func("/ptx-run/switch", test_switch);
    g_test_add_func("/ptx-run/switch-of-one", test_switch_of_one);
    g_test_add_func("/ptx-run/stretch", test_stretch);
    g_test_add_func("/ptx-run/meeting", test_meeting);
    g_test_add_func("/ptx-run/early-end", test_early_end);
    g_test_add_func("/ptx-run/end-in-loop", test_end_in_loop);
    g_test_add_func("/ptx-run/irreducible", test_irreducible);
    g_test_add_func("/ptx-run/calls", test_calls);
    g_test_add_func("/ptx-run/register-parameters", test_register_parameters);
    g_test_add_func("/ptx-run/device-functions", test_device_functions);
    g_test_add_func("/ptx-run/indices", test_indices);
    g_test_add_func("/ptx-run/groups", test_groups);
    g_test_add_func("/ptx-run/clock", test_clock);
    g_test_add_func("/ptx-run/counts", test_counts);
    g_test_add_func("/ptx-run/end-unheard", test_end_unheard);
    return g_test_run();
}
