/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops that wait for what another thread writes: such as never end do so soon, those whose time
 * nobody knows are named, and no other loop is taken for one.
 */
#include "base/message.h"
#include "ptx/run/warp.h"
#include "tests/help/ptx-launch.h"

#include <string.h>

#define LOCK_ALL                                                                                   \
    "SPIN: atom.global.cas.b32 %r4, [%rd1], 0, 1; setp.ne.u32 %p1, %r4, 0;\n@%p1 bra SPIN;"        \
    "ld.volatile.global.u32 %r5, [%rd1+4]; add.u32 %r5, %r5, 1;"                                   \
    "st.volatile.global.u32 [%rd1+4], %r5; membar.gl;"                                             \
    "atom.global.exch.b32 %r4, [%rd1], 0; ret;"

#define NOT_THERE                                                                                  \
    " that no thread of its group writes; groups are executed one by one, so that what another "   \
    "group would write is not there; let what it waits for be there from the start"

static void never(const char *body, const char *message)
{
    ptx_assert_fails(&(PtxLaunch){.body = body, .words = 64, .block = {64}}, PS_ERROR_VALUE,
                     message);
}

/* The flag is read in each way there is; one thread, a warp or all wait for it, some at a barrier;
 * a wait that grows to its most is still one. */
static void test_never(void)
{
    never("LOOP: ld.volatile.global.u32 %r4, [%rd1]; setp.eq.u32 %p1, %r4, 0; @%p1 bra LOOP; ret;",
          "x.ptx:11: thread (0,0,0) of group (0,0,0) waits in this loop for a value in "
          "\"out\"" NOT_THERE);
    never("LOOP: atom.global.add.u32 %r4, [%rd1], 0; setp.eq.u32 %p1, %r4, 0; @%p1 bra LOOP; ret;",
          "x.ptx:11: thread (0,0,0) of group (0,0,0) waits in this loop for a value in "
          "\"out\"" NOT_THERE);
    never("setp.ne.u32 %p2, %r1, 33; @%p2 bra DONE;\nLOOP: ld.acquire.gpu.global.u32 %r4, [%rd1];"
          "nanosleep.u32 100; setp.eq.u32 %p1, %r4, 0; @%p1 bra LOOP;\nDONE: bar.sync 0; ret;",
          "x.ptx:12: thread (33,0,0) of group (0,0,0) waits in this loop for a value in "
          "\"out\"" NOT_THERE);
    never("mov.u32 %r6, 1;\nLOOP: nanosleep.u32 %r6; add.u32 %r6, %r6, %r6; min.u32 %r6, %r6, 256;"
          "ld.volatile.global.u32 %r4, [%rd1]; setp.eq.u32 %p1, %r4, 0; @%p1 bra LOOP; ret;",
          "x.ptx:12: thread (0,0,0) of group (0,0,0) waits in this loop for a value in "
          "\"out\"" NOT_THERE);
    never(".shared .u32 s; st.shared.u32 [s], 0;\nLOOP: ld.volatile.shared.u32 %r4, [s];"
          "setp.eq.u32 %p1, %r4, 0; @%p1 bra LOOP; ret;",
          "x.ptx:12: thread (0,0,0) of group (0,0,0) waits in this loop for a value in .shared "
          "memory" NOT_THERE);
    never("add.u32 %r4, %r1, 1;\nLOOP: bra LOOP;",
          "x.ptx:12: thread (0,0,0) of group (0,0,0) never leaves this loop, in which nothing "
          "changes");
}

/* Lanes of one warp wait in two loops, in each way that reads what others write. */
static void test_never_in_two(void)
{
    static const char *const reads[] = {"volatile", "relaxed.gpu", "acquire.gpu",
                                        "mmio.relaxed.sys"};
    for (guint i = 0; i < G_N_ELEMENTS(reads); i++) {
        g_autofree char *body = g_strdup_printf(
            "and.b32 %%r4, %%r1, 3; setp.eq.u32 %%p1, %%r4, 0; @%%p1 bra LOOP; bra OTHER;\n"
            "LOOP: ld.%s.global.u32 %%r4, [%%rd1]; setp.eq.u32 %%p1, %%r4, 0; @%%p1 bra LOOP; "
            "ret;\n"
            "OTHER: ld.%s.global.u32 %%r4, [%%rd1+4]; setp.eq.u32 %%p1, %%r4, 0;"
            "@%%p1 bra OTHER; ret;",
            reads[i], reads[i]);
        never(body, "x.ptx:12: thread (0,0,0) of group (0,0,0) waits in this loop for a value in "
                    "\"out\"" NOT_THERE);
    }
}

/* What the lanes of a warp, or the warps of a group, wait for in turn ends; its time is unknown. */
static void test_untimed(void)
{
    ptx_assert_fails(&(PtxLaunch){.timed = TRUE, .words = 2, .body = LOCK_ALL}, PS_ERROR_VALUE,
                     "x.ptx:11: threads wait in this loop for what another thread of their own "
                     "warp does; GPUs before Volta never get out of it, and how often later ones "
                     "go round it nobody knows, so there is no time; let one thread of each warp "
                     "wait for all");
    ptx_assert_fails(
        &(PtxLaunch){.timed = TRUE,
                     .words = 2,
                     .block = {64},
                     .body = "setp.gt.u32 %p1, %r1, 31; @%p1 bra WRITE;\nLOOP:"
                             "ld.volatile.global.u32 %r4, [%rd1]; setp.eq.u32 %p1, %r4, 0;"
                             "@%p1 bra LOOP; ret;\nWRITE: st.volatile.global.u32 [%rd1], 1; ret;"},
        PS_ERROR_VALUE,
        "x.ptx:12: threads wait in this loop for what another warp of their group does; how often "
        "they go round it nobody knows, so there is no time; a barrier in its place has one");
}

static guint32 sums(guint word, guint n)
{
    return word == 1 ? n : 0;
}

static guint32 count(guint word, guint n)
{
    return word == 0 ? n : 0;
}

static guint32 nothing(guint word, guint n)
{
    (void)word;
    (void)n;
    return 0;
}

/* A thread of each of four warps: in each round one of those that are left succeeds, at first the
 * warp that came to the barrier last. */
static guint32 tries(guint word, guint n)
{
    (void)n;
    return word % 32 == 0 ? (word / 32 + 1) % 4 + 1 : 0;
}

static guint32 seven(guint word, guint n)
{
    (void)word;
    (void)n;
    return 7;
}

/* A thread of either warp waits for the other warp, while the others of its own come to a barrier.
 * Behind the barrier the warp is whole: each thread gets what another one has computed since. */
static const PtxLaunchCase whole[] = {
    {"/ptx-run-spin/whole",
     seven,
     {.block = {64},
      .body = "mov.u32 %r5, 0; .shared .align 8 .b8 s[8]; st.shared.v2.u32 [s], {%r5, %r5};"
              "bar.sync 0; setp.eq.u32 %p1, %r1, 0; @%p1 bra WAIT; setp.eq.u32 %p1, %r1, 32;"
              "@%p1 bra TELL; bra MEET;\nTELL: ld.volatile.shared.u32 %r4, [s+4];"
              "setp.eq.u32 %p1, %r4, 0; @%p1 bra TELL; st.volatile.shared.u32 [s], 1; bra MEET;\n"
              "WAIT: ld.volatile.shared.u32 %r4, [s]; setp.eq.u32 %p1, %r4, 0; @%p1 bra WAIT;\n"
              "MEET: setp.eq.u32 %p1, %r1, 1; @%p1 st.volatile.shared.u32 [s+4], 1;"
              "bar.sync 0; mov.u32 %r5, 7;"
              "shfl.sync.bfly.b32 %r3, %r5, 31, 0x1f, 0xffffffff; " PTX_STORE}},
};

/* Loops that read what others may write, and go on all the same. */
static const PtxLaunchCase timed[] = {
    /* the lock that one lane after the other gets, while the others go round with it */
    {"/ptx-run-spin/turns",
     sums,
     {.timed = TRUE,
      .n = 64,
      .words = 2,
      .block = {64},
      .body = "mov.u32 %r6, 0;\nTRY: atom.global.cas.b32 %r4, [%rd1], 0, 1;"
              "setp.ne.u32 %p1, %r4, 0; @%p1 bra NEXT;"
              "ld.volatile.global.u32 %r5, [%rd1+4]; add.u32 %r5, %r5, 1;"
              "st.volatile.global.u32 [%rd1+4], %r5; membar.gl;"
              "atom.global.exch.b32 %r4, [%rd1], 0; mov.u32 %r6, 1;\n"
              "NEXT: setp.eq.u32 %p1, %r6, 0; @%p1 bra TRY; ret;"}},
    /* additions that the other warps make fail */
    {"/ptx-run-spin/failing-swaps",
     tries,
     {.timed = TRUE,
      .block = {128},
      .body = ".shared .u32 s; mov.u32 %r3, 0; setp.ne.u32 %p1, %r1, 0; @%p1 bra MEET;"
              "st.shared.u32 [s], 0;\nMEET: bar.sync 0; and.b32 %r4, %r1, 31;"
              "setp.ne.u32 %p1, %r4, 0; @%p1 bra DONE;\n"
              "TRY: ld.shared.u32 %r5, [s]; add.u32 %r6, %r5, 1; add.u32 %r3, %r3, 1;"
              "atom.shared.cas.b32 %r4, [s], %r5, %r6; setp.ne.u32 %p1, %r4, %r5;"
              "@%p1 bra TRY;\nDONE: " PTX_STORE}},
    /* a count that another value ends */
    {"/ptx-run-spin/tries",
     nothing,
     {.timed = TRUE,
      .words = 2,
      .block = {64},
      .body = "mov.u32 %r6, 0;\nTRY: ld.volatile.global.u32 %r4, [%rd1]; add.u32 %r6, %r6, 1;"
              "setp.lt.u32 %p1, %r6, 100000; @%p1 bra TRY; ret;"}},
    /* an atomic operation that changes what it reads, and nothing else */
    {"/ptx-run-spin/changes",
     count,
     {.timed = TRUE,
      .n = 20001,
      .words = 2,
      .block = {1},
      .body = "NEXT: atom.global.cas.b32 %r5, [%rd1+4], 1, 1; mov.u32 %r5, 0;"
              "atom.global.add.u32 %r4, [%rd1], 1; setp.lt.u32 %p1, %r4, 20000;"
              "mov.u32 %r4, 0; @%p1 bra NEXT; ret;"}},
    /* sums of numbers that several lanes add to, by compare and swap */
    {"/ptx-run-spin/swaps",
     count,
     {.timed = TRUE,
      .n = 64 * 200,
      .words = 2,
      .block = {64},
      .body = "mov.u32 %r6, 0;\nNEXT: ld.volatile.global.u32 %r4, [%rd1];\n"
              "SWAP: mov.u32 %r5, %r4; add.u32 %r7, %r5, 1;"
              "atom.global.cas.b32 %r4, [%rd1], %r5, %r7; setp.ne.u32 %p1, %r4, %r5;"
              "@%p1 bra SWAP;\nadd.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, 200;"
              "@%p1 bra NEXT; ret;"}},
    /* a long loop of no memory */
    {"/ptx-run-spin/long",
     nothing,
     {.timed = TRUE,
      .words = 2,
      .body = "mov.u32 %r6, 0;\nNEXT: add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, 2000000;"
              "@%p1 bra NEXT; ret;"}},
};

/* ---- what other groups write ----------------------------------------------------------------- */

static guint flag_load(const PsPtxCode *code)
{
    for (guint i = 0; i < code->n_points; i++) {
        const PsPtxMnemonic *mnemonic = code->points[i].instruction->mnemonic;
        if (strcmp(mnemonic->opcode, "ld") == 0 && mnemonic->space == PS_PTX_GLOBAL)
            return i;
    }
    g_assert_not_reached();
}

static gboolean bring(gpointer data, guint64 address, guint bytes)
{
    guint32 *out = data;
    (void)address;
    (void)bytes;
    out[0] = 7;
    return TRUE;
}

/* A word is there when the group first looks, also where the register may be undefined that it goes
 * to, and where shared memory that nobody wrote makes other watches on the way. */
static void test_others(void)
{
    const PtxLaunch body = {
        .before = ".shared .b32 held;",
        .body = "ld.shared.u32 %r4, [held];\nsetp.ne.u32 %p1, %r2, 9999;\n"
                "WAIT: @%p1 ld.volatile.global.u32 %r3, [%rd1];\nsetp.eq.u32 %p2, %r3, 0;\n"
                "@%p2 bra WAIT;" PTX_STORE};
    static const PsPtxListener silent;
    const guint group[3] = {0, 0, 0};
    guint32 out[32] = {0};
    g_autoptr(GError) error = NULL;
    g_autofree char *text = ptx_text(&body);
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, strlen(text), "x.ptx", &error);
    const PsPtxArgument arguments[2] = {{.name = "out", .data = (guint8 *)out, .size = sizeof out},
                                        {.name = "n"}};
    PsPtxLaunch launch = {.kernel = ps_ptx_kernel(module, "k", &error),
                          .grid = {1, 1, 1},
                          .block = {32, 1, 1},
                          .most_instructions = 100,
                          .n_arguments = 2,
                          .arguments = arguments};
    PsPtxMachine *machine = ps_ptx_machine_new(module, &launch, &error);
    g_assert_no_error(error);
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(guint));
    const guint point = flag_load(ps_ptx_machine_code(machine));
    ps_ptx_machine_free(machine);
    g_array_append_val(points, point);
    launch.others = &(PsPtxOthers){points, bring, out};
    machine = ps_ptx_machine_new(module, &launch, &error);
    g_assert_no_error(error);
    ps_ptx_run_group(machine, group, &silent, &error);
    g_assert_no_error(error);
    for (guint i = 0; i < 32; i++)
        g_assert_cmpuint(out[i], ==, 7);
    ps_ptx_machine_free(machine);
}

/* A long loop that is looked at, and does not spin, goes on as before: nobody looks at its
 * addresses any more, so it may be compiled. */
static void test_goes_on(void)
{
    const PtxLaunch launch = {.body = "mov.u32 %r4, 0;\nL: ld.global.u32 %r5, [%rd2];"
                                      "add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 600000;"
                                      "@%p1 bra L; ret;"};
    g_autoptr(GError) error = NULL;
    g_autofree char *text = ptx_text(&launch);
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, strlen(text), "x.ptx", &error);
    g_assert_no_error(error);
    guint32 out[PS_PTX_LANES] = {0};
    const PsPtxArgument arguments[] = {{.data = (guint8 *)out, .size = sizeof out}, {.bits = 0}};
    const PsPtxLaunch made = {.kernel = ps_ptx_kernel(module, "k", NULL),
                              .grid = {1, 1, 1},
                              .block = {PS_PTX_LANES, 1, 1},
                              .n_arguments = 2,
                              .arguments = arguments};
    const guint group[3] = {0};
    PsPtxMachine *machine = ps_ptx_machine_new(module, &made, &error);
    g_assert_no_error(error);
    g_assert_true(ps_ptx_run_group(machine, group, NULL, &error));
    g_assert_cmpuint(machine->warp_instructions, >, 1 << 21);
    g_assert_cmpuint(machine->notes, ==, 0);
    ps_ptx_machine_free(machine);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-run-spin/never", test_never);
    g_test_add_func("/ptx-run-spin/never-in-two", test_never_in_two);
    g_test_add_func("/ptx-run-spin/untimed", test_untimed);
    ptx_add_cases(whole, G_N_ELEMENTS(whole));
    ptx_add_cases(timed, G_N_ELEMENTS(timed));
    g_test_add_func("/ptx-run-spin/others", test_others);
    g_test_add_func("/ptx-run-spin/goes-on", test_goes_on);
    return g_test_run();
}
