/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compiled code where steps would have something to say: at the very end of buffers, and of shared
 * memory that nobody wrote; and what only one way of several reads. Errors, warnings, counts and
 * results are those of steps. Where nothing compiles there is nothing to test.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "ptx/native/native.h"
#include "ptx/run/compiled.h"
#include "ptx/run/together.h"

#include <string.h>
#include <sys/mman.h>

#define PAGE 4096
#define WORDS 1024 /* of the buffer that is written */

/* k(.u64 in, .u64 out): %r3 is the thread, %rd1 and %rd2 are the buffers, %r6 is what is stored in
 * the end; the body may have a loop L that counts in %r5. */
static const char head[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
    ".reg .b32 %r<20>; .reg .b64 %rd<12>; .reg .pred %p<6>; .reg .b16 %h<4>;\n"
    ".shared .align 16 .b8 s[1024];\n"
    "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r3, %tid.x;\n"
    "mov.u32 %r5, 0; mov.u32 %r6, 0; mov.u32 %r4, s;\n";

typedef struct {
    guint32 out[WORDS];
    PsPtxDone done;
    char *error; /* NULL: there is none */
    guint64 executed;
} Result;

/* The buffer of so many bytes ends where no memory is. */
static guint8 *make_buffer(gsize bytes)
{
    guint8 *pages =
        mmap(NULL, 2 * (gsize)PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    g_assert_true(pages != MAP_FAILED);
    g_assert_cmpint(mprotect(pages + PAGE, PAGE, PROT_NONE), ==, 0);
    for (guint i = 0; i < PAGE; i++)
        pages[i] = (guint8)(i * 7 % 251);
    return pages + PAGE - bytes;
}

static void run(const char *body, gsize bytes, guint threads, gboolean compiles, Result *result)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = g_strconcat(head, body,
                                        " mul.wide.u32 %rd4, %r3, 4; add.u64 %rd4, %rd2, %rd4;\n"
                                        "st.global.u32 [%rd4], %r6; ret;\n}\n",
                                        NULL);
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, strlen(text), "x.ptx", &error);
    g_autoptr(PsPtxCompiled) compiled = compiles ? ps_ptx_compiled_new(0) : NULL;
    g_assert_no_error(error);
    memset(result, 0, sizeof *result);
    guint8 *in = make_buffer(bytes);
    const PsPtxArgument arguments[] = {
        {.name = "in", .data = in, .size = bytes},
        {.name = "out", .data = (guint8 *)result->out, .size = sizeof result->out}};
    const PsPtxLaunch launch = {.kernel = ps_ptx_kernel(module, "k", NULL),
                                .grid = {1, 1, 1},
                                .block = {threads, 1, 1},
                                .n_arguments = 2,
                                .arguments = arguments,
                                .compiled = compiled};
    const PsPtxCrew crew = {.threads = 1};
    if (!ps_ptx_run_all(module, &launch, &crew, &result->done, &error))
        result->error = g_strdup(error->message);
    result->executed = compiled ? ps_ptx_compiled_executed(compiled) : 0;
    munmap(in + bytes - PAGE, 2 * (gsize)PAGE);
}

static void clear(Result *result)
{
    g_clear_pointer(&result->done.warnings, g_ptr_array_unref);
    g_free(result->error);
}

static guint n_warnings(const Result *result)
{
    return result->done.warnings ? result->done.warnings->len : 0;
}

/* Compiled code does as steps do. */
static void check(const char *body, gsize bytes, guint threads, gboolean fails, gboolean warns)
{
    Result steps, native;
    run(body, bytes, threads, FALSE, &steps);
    run(body, bytes, threads, TRUE, &native);
    g_test_message("%u bytes: %s: %s", (guint)bytes, body, steps.error ? steps.error : "");
    g_assert_cmpuint(native.executed, >, 0);
    g_assert_cmpstr(native.error, ==, steps.error);
    g_assert_true(fails == (steps.error != NULL));
    g_assert_true(warns == (n_warnings(&steps) > 0));
    g_assert_cmpuint(n_warnings(&native), ==, n_warnings(&steps));
    for (guint i = 0; i < MIN(n_warnings(&native), n_warnings(&steps)); i++)
        g_assert_cmpstr(native.done.warnings->pdata[i], ==, steps.done.warnings->pdata[i]);
    if (!fails) {
        g_assert_cmpmem(native.out, sizeof native.out, steps.out, sizeof steps.out);
        g_assert_cmpuint(native.done.warps, ==, steps.done.warps);
        g_assert_cmpuint(native.done.threads, ==, steps.done.threads);
    }
    clear(&steps);
    clear(&native);
}

#define TURN(BYTES) "L: mad.lo.u32 %r7, %r5, " BYTES ", "
#define AT " mul.wide.u32 %rd3, %r7, 1; add.u64 %rd3, %rd1, %rd3;"
#define AGAIN(N)                                                                                   \
    " add.u32 %r6, %r6, %r8; add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, " N "; @%p1 bra L;"
#define LANE(BYTES) "mul.lo.u32 %r9, %r3, " BYTES "; "

/* A few turns, the last of which ends with the buffer, or up to the whole vector behind it. */
static void test_ends(void)
{
    static const struct {
        const char *body;
        guint bytes, least; /* that all turns access, and a lane in one */
    } cases[] = {
        {LANE("4") TURN("128") "%r9;" AT "ld.global.u32 %r8, [%rd3];" AGAIN("3"), 384, 4},
        {LANE("8") TURN("256") "%r9;" AT "ld.global.v2.u32 {%r8, %r10}, [%rd3];" AGAIN("3"), 768,
         8},
        {LANE("12") TURN("4") "%r9;" AT "ld.global.u32 %r8, [%rd3];" AGAIN("3"), 384, 4},
        {LANE("16") TURN("8") "%r9;" AT "ld.global.v2.u32 {%r8, %r10}, [%rd3];" AGAIN("3"), 520, 8},
        {TURN("8") "0;" AT "ld.global.v2.u32 {%r8, %r10}, [%rd3];" AGAIN("3"), 24, 8},
        {"xor.b32 %r9, %r3, 5; shl.b32 %r9, %r9, 2;" TURN(
             "128") "%r9;" AT "ld.global.u32 %r8, [%rd3];" AGAIN("3"),
         384, 4},
        {"setp.eq.u32 %p2, %r3, 5; selp.u32 %r9, 16, %r3, %p2; shl.b32 %r9, %r9, 2;" TURN(
             "128") "%r9;" AT "ld.global.u32 %r8, [%rd3];" AGAIN("3"),
         384, 4},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        check(cases[i].body, cases[i].bytes, 32, FALSE, FALSE);
        for (guint less = 1; less < cases[i].least; less++)
            check(cases[i].body, cases[i].bytes - less, 32, TRUE, FALSE);
        check(cases[i].body, cases[i].least - 1, 32, TRUE, FALSE);
    }
}

/* Half of an array in shared memory is written in some turns, and it or all of it read in others.
 */
static void test_shared(void)
{
    static const char *const stores[] = {
        "shl.b32 %r10, %r3, 2; S: mad.lo.u32 %r9, %r5, 128, %r4; add.u32 %r9, %r9, %r10;"
        "st.shared.u32 [%r9], %r3; add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 4; @%p1 bra S;\n",
        "shl.b32 %r10, %r3, 3; S: mad.lo.u32 %r9, %r5, 256, %r4; add.u32 %r9, %r9, %r10;"
        "st.shared.v2.u32 [%r9], {%r3, %r5}; add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 2;"
        "@%p1 bra S;\n"};
    static const char *const loads[] = {"ld.shared.u32 %r8, [%r9];", "ld.shared.u8 %r8, [%r9+3];"};
    for (guint i = 0; i < 8; i++) {
        const gboolean beyond = (i & 2) != 0;
        g_autofree char *body =
            g_strconcat(stores[i & 1],
                        "mov.u32 %r5, 0; shl.b32 %r10, %r3, 2;\n"
                        "L: mad.lo.u32 %r9, %r5, 128, %r4; add.u32 %r9, %r9, %r10;",
                        loads[i / 4],
                        " add.u32 %r6, %r6, %r8; add.u32 %r5, %r5, 1; "
                        "setp.lt.u32 %p1, %r5, ",
                        beyond ? "8" : "4", "; @%p1 bra L;", NULL);
        check(body, 64, 32, FALSE, beyond);
    }
}

/* What only one way of several reads is there. */
static void test_ways(void)
{
    check(
        "L: add.u32 %r8, %r5, %r3; and.b32 %r9, %r3, 1; mov.u32 %r10, 3;\n"
        "WAYS: .branchtargets A, B;\nbrx.idx %r9, WAYS;\nA: add.u32 %r6, %r6, 1; mov.u32 %r8, 2;"
        "bra M;\nB: add.u32 %r6, %r6, %r8; add.u32 %r6, %r6, %r10; mov.u32 %r8, 1;\nM:" AGAIN("9"),
        64, 64, FALSE, FALSE);
}

/* A word among the lane's sixteen, in no order, which no first lane of sixteen is before. */
#define NEAR                                                                                       \
    "mul.lo.u32 %r9, %r3, 7; and.b32 %r9, %r9, 15; or.b32 %r9, %r9, 1; and.b32 %r10, %r3, 16;"     \
    "add.u32 %r9, %r9, %r10; shl.b32 %r9, %r9, 2; mov.u32 %r8, 0; setp.ne.u32 %p2, %r3, 0;"

/* A first lane that reads nothing, at an address that is not aligned; addresses that an offset
 * aligns, and does not; bytes with a sign as 16 bits. */
static void test_addresses(void)
{
    check(NEAR "@!%p2 mov.u32 %r9, 1;" TURN("128") "%r9;" AT
                                                   "@%p2 ld.global.u32 %r8, [%rd3];" AGAIN("4"),
          512, 32, FALSE, FALSE);
    check(NEAR "add.u32 %r9, %r9, 2;" TURN("126") "%r9;" AT
                                                  "ld.global.u32 %r8, [%rd3+2];" AGAIN("2"),
          512, 32, TRUE, FALSE);
    check(LANE("1") TURN("32") "%r9;" AT "ld.global.s8 %h1, [%rd3]; shr.u16 %h2, %h1, 4;"
                               "cvt.u32.u16 %r8, %h2;" AGAIN("7"),
          512, 32, FALSE, FALSE);
}

#define PART "and.b32 %r9, %r3, 1; setp.ne.u32 %p3, %r9, 0; @%p3 bra M; add.u32 %r6, %r6, 1; M: "

/* What is read behind a point where lanes part: where a guard may keep it, and second results; and
 * what is read before a step. */
static void test_parted(void)
{
    static const char *const bodies[] = {
        "L: add.u32 %r8, %r5, %r3; setp.gt.u32 %p2, %r8, 9;" PART
        "@%p2 mov.u32 %r8, 2;" AGAIN("40"),
        "L: setp.gt.u32 %p4|%p2, %r3, %r5;" PART "selp.u32 %r8, 2, 3, %p2;" AGAIN("40"),
        "L: setp.gt.u32 %p2, %r3, %r5; setp.lt.and.u32 %p3, %r5, 30, !%p2;"
        "selp.u32 %r8, 2, 3, %p3;" AGAIN("40"),
        "L: shfl.sync.idx.b32 %r7|%p2, %r3, %r5, 0x181f, -1;" PART
        "selp.u32 %r8, %r7, 3, %p2;" AGAIN("40"),
    };
    for (guint i = 0; i < G_N_ELEMENTS(bodies); i++)
        check(bodies[i], 512, 32, FALSE, FALSE);
}

/* Two warps take a lock in turns, which a swap gives them. */
static void test_lock(void)
{
    check("st.shared.v2.u32 [%r4], {%r5, %r5}; bar.sync 0; and.b32 %r9, %r3, 31;"
          "setp.ne.u32 %p2, %r9, 0; @%p2 bra E;"
          "L: atom.shared.cas.b32 %r8, [%r4], 0, 1; setp.ne.u32 %p1, %r8, 0; @%p1 bra L;"
          "ld.shared.u32 %r10, [%r4+4]; add.u32 %r10, %r10, 1; st.shared.u32 [%r4+4], %r10;"
          "mad.lo.u32 %r6, %r6, 3, %r10; atom.shared.exch.b32 %r8, [%r4], 0;"
          "add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 40; @%p1 bra L; E:",
          64, 64, FALSE, FALSE);
}

/* The second of what a load gets where nobody wrote. */
static void test_second(void)
{
    check("shl.b32 %r10, %r3, 2; S: mad.lo.u32 %r9, %r5, 128, %r4; add.u32 %r9, %r9, %r10;"
          "st.shared.u32 [%r9], %r3; add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 4; @%p1 bra S;"
          "mov.u32 %r5, 0; shl.b32 %r10, %r3, 3; L: mad.lo.u32 %r9, %r5, 256, %r4;"
          "add.u32 %r9, %r9, %r10; ld.shared.v2.u32 {%r11, %r8}, [%r9];" PART AGAIN("4"),
          64, 32, FALSE, TRUE);
}

/* Lanes take what others have that parted before, and that these do not read. */
static void test_taken(void)
{
#define MAKE                                                                                       \
    "mad.lo.u32 %r7, %r3, 3, 7; F: add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 20; @%p1 bra F;"
#define TAKE "L: shfl.sync.down.b32 %r8, %r7, 8, 31, 0xffff;" AGAIN("20")
    static const char *const bodies[] = {
        "mov.u32 %r7, 1; setp.ge.u32 %p2, %r3, 16; @%p2 bra E; " TAKE " bra X; E: " MAKE " X: ",
        "mov.u32 %r7, 1; setp.lt.u32 %p2, %r3, 16; @%p2 bra E; " MAKE " bra X; E: " TAKE " X: ",
    };
    for (guint i = 0; i < G_N_ELEMENTS(bodies); i++)
        check(bodies[i], 64, 32, FALSE, FALSE);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    if (g_strcmp0(g_getenv("PIPESIM_CHECKER"), "valgrind") == 0 || !ps_ptx_native_there()) {
        g_test_message("there is no LLVM, or no AVX2, or valgrind, which finds fault with glibc");
        return g_test_run();
    }
    g_test_add_func("/ptx-compiled-ends/ends", test_ends);
    g_test_add_func("/ptx-compiled-ends/shared", test_shared);
    g_test_add_func("/ptx-compiled-ends/ways", test_ways);
    g_test_add_func("/ptx-compiled-ends/addresses", test_addresses);
    g_test_add_func("/ptx-compiled-ends/parted", test_parted);
    g_test_add_func("/ptx-compiled-ends/lock", test_lock);
    g_test_add_func("/ptx-compiled-ends/taken", test_taken);
    g_test_add_func("/ptx-compiled-ends/second", test_second);
    return g_test_run();
}
