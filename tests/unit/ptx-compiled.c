/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Launches whose code is compiled for this processor: what they do, and what they count, is what
 * their steps do one by one. Where nothing compiles there is nothing to test.
 */
#include "base/message.h"
#include "ptx/native/native.h"
#include "ptx/run/compiled.h"
#include "ptx/run/together.h"

#include <string.h>

#define GROUPS 64
#define THREADS 96
#define WORDS (GROUPS * THREADS)

/* k(.u64 in, .u64 out): %r1 is the thread's number in all, %rd3 and %rd4 are its words. */
static const char head[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
    ".reg .b32 %r<20>; .reg .b64 %rd<12>; .reg .f32 %f<12>; .reg .f64 %d<8>; .reg .pred %p<6>;\n"
    ".reg .b16 %h<6>; .shared .align 16 .b8 s[512];\n"
    "mov.u32 %r2, %ctaid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r1, %r2, 96, %r3;\n"
    "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; cvta.to.global.u64 %rd1, %rd1;\n"
    "mul.wide.u32 %rd3, %r1, 4; add.u64 %rd4, %rd2, %rd3; add.u64 %rd3, %rd1, %rd3;\n"
    "ld.global.u32 %r4, [%rd3]; mov.u32 %r5, 0; mov.u32 %r6, 0;\n";

/* Marks code whose run warns of what nobody wrote. */
#define WARNS "/* a warning */"

/* Each stores %r6. */
static const char *const bodies[] = {
    /* a loop that all lanes leave at once */
    "L: mad.lo.u32 %r6, %r6, 1664525, %r4; xor.b32 %r6, %r6, %r5; shr.s32 %r7, %r6, 3;"
    "add.u32 %r6, %r6, %r7; add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 50; @%p1 bra L;",
    /* one that lanes leave one after the other, with a guard in it */
    "and.b32 %r8, %r4, 31; L: add.u32 %r6, %r6, %r4; setp.gt.u32 %p2, %r5, 7;"
    "@%p2 xor.b32 %r6, %r6, 21; add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, %r8; @%p1 bra L;",
    /* numbers of all kinds, NaN and infinities among them */
    "mov.b32 %f1, %r4; mov.f32 %f2, %f1; L: fma.rn.f32 %f2, %f2, %f1, %f1;"
    "add.ftz.f32 %f3, %f2, %f1; max.f32 %f2, %f3, %f1; cvt.f64.f32 %d1, %f2;"
    "div.rn.f64 %d2, %d1, %d1; cvt.rn.f32.f64 %f4, %d2; add.sat.f32 %f4, %f4, %f2;"
    "mov.b32 %r7, %f4; add.u32 %r6, %r6, %r7; add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 9;"
    "@%p1 bra L; cvt.rzi.s32.f32 %r8, %f2; add.u32 %r6, %r6, %r8;",
    /* shared memory, a barrier, lanes beside each other, near, and anywhere */
    "mov.u32 %r7, s; shl.b32 %r8, %r3, 2; add.u32 %r9, %r7, %r8; st.shared.u32 [%r9], %r4;"
    "bar.sync 0; L: add.u32 %r10, %r3, %r5; rem.u32 %r10, %r10, 96; shl.b32 %r10, %r10, 2;"
    "add.u32 %r10, %r10, %r7; ld.shared.u32 %r11, [%r10]; add.u32 %r6, %r6, %r11;"
    "shr.u32 %r12, %r3, 3; shl.b32 %r12, %r12, 2; add.u32 %r12, %r12, %r7;"
    "ld.shared.u32 %r13, [%r12]; xor.b32 %r6, %r6, %r13; add.u32 %r5, %r5, 5;"
    "setp.lt.u32 %p1, %r5, 90; @%p1 bra L;",
    /* lanes that read each other, votes, and vectors */
    "L: shfl.sync.bfly.b32 %r7, %r4, 3, 31, -1; add.u32 %r6, %r6, %r7; add.u32 %r4, %r4, %r6;"
    "setp.gt.u32 %p2, %r4, 77; vote.sync.ballot.b32 %r8, %p2, -1; xor.b32 %r6, %r6, %r8;"
    "and.b32 %r9, %r3, 7; mul.wide.u32 %rd5, %r9, 16; add.u64 %rd5, %rd1, %rd5;"
    "ld.global.v4.u32 {%r10, %r11, %r12, %r13}, [%rd5]; add.u32 %r6, %r6, %r12;"
    "add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 12; @%p1 bra L;",
    /* atomic operations: lanes at the same word and at others, with what was there and without */
    "mov.u32 %r7, s; shl.b32 %r8, %r3, 2; add.u32 %r9, %r7, %r8; st.shared.u32 [%r9], %r4;"
    "bar.sync 0; L: add.u32 %r10, %r4, %r5; and.b32 %r11, %r10, 15; shl.b32 %r11, %r11, 2;"
    "add.u32 %r11, %r11, %r7; atom.shared.add.u32 %r12, [%r11], %r10; add.u32 %r6, %r6, %r12;"
    "atom.shared.add.u32 %r12, [s], %r5; xor.b32 %r6, %r6, %r12; atom.shared.max.s32 %r12, "
    "[%r11+64], %r10; add.u32 %r6, %r6, %r12; setp.gt.u32 %p2, %r11, 9;"
    "@%p2 atom.shared.min.u32 %r13, [%r11+4], %r6; red.shared.xor.b32 [%r11+8], %r10;"
    "mov.b32 %f1, %r10; atom.shared.add.f32 %f2, [%r11+128], %f1; mov.b32 %r12, %f2;"
    "xor.b32 %r6, %r6, %r12; add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 10; @%p1 bra L;",
    /* bits: any function of three, two words as one, fields, counts, bytes that are picked */
    "mov.u32 %r8, %r3; L: lop3.b32 %r7, %r4, %r6, %r8, 0x96; lop3.b32 %r8, %r7, %r5, %r4, 0x1f;"
    "lop3.b32 %r7, %r7, %r8, %r6, 0xca; shf.l.wrap.b32 %r9, %r7, %r4, %r5;"
    "shf.r.clamp.b32 %r10, %r4, %r8, %r5; shf.l.clamp.b32 %r11, %r4, %r8, %r5;"
    "shf.r.wrap.b32 %r12, %r9, %r8, %r4; bfe.s32 %r13, %r9, 5, 11; bfe.u32 %r14, %r10, 20, 12;"
    "bfi.b32 %r15, %r11, %r12, 3, 17; bfe.u32 %r16, %r10, 20, 20; popc.b32 %r17, %r13;"
    "clz.b32 %r18, %r16; brev.b32 %r19, %r15; prmt.b32 %r9, %r15, %r11, 0x4731;"
    "prmt.b32 %r10, %r15, %r11, 0x8d31; xor.b32 %r9, %r9, %r10; xor.b32 %r9, %r9, %r12;"
    "mov.b64 %rd5, {%r9, %r15}; popc.b64 %r10, %rd5; clz.b64 %r11, %rd5; brev.b64 %rd6, %rd5;"
    "cvt.u32.u64 %r12, %rd6; xor.b32 %r9, %r9, %r14; xor.b32 %r9, %r9, %r19; add.u32 %r9, %r9, "
    "%r10;"
    "add.u32 %r9, %r9, %r11; add.u32 %r9, %r9, %r17; add.u32 %r9, %r9, %r18; add.u32 %r6, %r9, "
    "%r12;"
    "add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 40; @%p1 bra L;",
    /* quotients and remainders, of 0, -1 and the least number, too */
    "and.b32 %r8, %r3, 7; L: shr.u32 %r9, %r4, %r5; setp.eq.u32 %p2, %r8, 1; selp.u32 %r9, -1, "
    "%r9, "
    "%p2; setp.eq.u32 %p3, %r8, 2; mov.u32 %r10, %r4; @%p3 mov.u32 %r10, 0x80000000;"
    "@%p3 selp.u32 %r9, -1, 1, %p2; setp.eq.u32 %p4, %r8, 3; @%p4 mov.u32 %r9, 0;"
    "div.u32 %r11, %r10, %r9; rem.u32 %r12, %r10, %r9; div.s32 %r13, %r10, %r9;"
    "rem.s32 %r14, %r10, %r9; xor.b32 %r6, %r6, %r11; add.u32 %r6, %r6, %r12;"
    "xor.b32 %r6, %r6, %r13; mad.lo.u32 %r6, %r6, 7, %r14; add.u32 %r4, %r4, %r6;"
    "add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 33; @%p1 bra L;",
    /* conversions both ways, of numbers that are too large, and of NaN */
    "L: mov.b32 %f1, %r4; cvt.rni.s32.f32 %r7, %f1; cvt.rmi.s32.f32 %r8, %f1;"
    "cvt.rpi.u32.f32 %r9, %f1; cvt.rzi.s64.f32 %rd5, %f1; cvt.rzi.u64.f32 %rd6, %f1;"
    "cvt.f64.f32 %d1, %f1; cvt.rzi.s32.f64 %r10, %d1; cvt.rni.u32.f64 %r11, %d1;"
    "cvt.rmi.s64.f64 %rd7, %d1; cvt.rzi.u64.f64 %rd8, %d1; xor.b32 %r6, %r6, %r7;"
    "mad.lo.u32 %r6, %r6, 3, %r8; xor.b32 %r6, %r6, %r9; mad.lo.u32 %r6, %r6, 3, %r10;"
    "xor.b32 %r6, %r6, %r11; xor.b64 %rd5, %rd5, %rd6; mad.lo.u64 %rd5, %rd5, 5, %rd7;"
    "xor.b64 %rd5, %rd5, %rd8; cvt.rn.f32.s64 %f2, %rd5; cvt.rn.f32.u64 %f3, %rd5;"
    "cvt.rn.f64.s64 %d2, %rd5; cvt.rn.f64.u64 %d3, %rd5; mov.b64 %rd6, %d2; mov.b64 %rd7, %d3;"
    "xor.b64 %rd5, %rd5, %rd6; xor.b64 %rd5, %rd5, %rd7; mov.b64 {%r7, %r8}, %rd5;"
    "mov.b32 %r9, %f2; mov.b32 %r10, %f3; xor.b32 %r7, %r7, %r8; xor.b32 %r9, %r9, %r10;"
    "cvt.u16.u32 %h1, %r4; cvt.rn.f32.s16 %f4, %h1; cvt.rn.f64.u16 %d4, %h1; mov.b32 %r8, %f4;"
    "cvt.rni.f32.f32 %f5, %f1; cvt.rmi.f32.f32 %f6, %f1; mov.b32 %r10, %f5; mov.b32 %r11, %f6;"
    "xor.b32 %r10, %r10, %r11; cvt.rpi.f32.f32 %f5, %f1; cvt.rzi.f32.f32 %f6, %f1;"
    "mov.b32 %r11, %f5; xor.b32 %r10, %r10, %r11; mov.b32 %r11, %f6; xor.b32 %r10, %r10, %r11;"
    "mov.b64 %rd6, %d4; cvt.u32.u64 %r12, %rd6; xor.b32 %r7, %r7, %r9; xor.b32 %r8, %r8, %r10;"
    "xor.b32 %r6, %r6, %r7; mad.lo.u32 %r6, %r6, 3, %r8; add.u32 %r6, %r6, %r12;"
    "mad.lo.u32 %r4, %r4, 1664525, 1013904223; add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 60;"
    "@%p1 bra L;",
    /* lanes that read each other in all ways, votes of all kinds; and the same of some lanes */
    "and.b32 %r8, %r3, 3; setp.gt.u32 %p5, %r8, 1; L: shfl.sync.up.b32 %r7|%p2, %r4, 3, 0, -1;"
    "selp.u32 %r9, %r7, 5, %p2; shfl.sync.down.b32 %r10, %r9, 2, 0x181f, -1;"
    "shfl.sync.idx.b32 %r11, %r4, 7, 31, -1; shfl.sync.idx.b32 %r12, %r4, %r5, 31, -1;"
    "add.u32 %r6, %r6, %r9; xor.b32 %r6, %r6, %r10; add.u32 %r6, %r6, %r11; add.u32 %r6, %r6, %r12;"
    "setp.gt.u32 %p3, %r6, %r4; vote.sync.any.pred %p4, %p3, -1; selp.u32 %r7, 3, 4, %p4;"
    "vote.sync.all.pred %p4, %p3, 0xff; selp.u32 %r9, 3, 4, %p4; vote.sync.uni.pred %p4, %p3, -1;"
    "@%p4 add.u32 %r6, %r6, 1; activemask.b32 %r10; xor.b32 %r6, %r6, %r10; add.u32 %r6, %r6, %r7;"
    "add.u32 %r6, %r6, %r9; @%p5 vote.sync.ballot.b32 %r6, %p3, 0xcccccccc; @%p5 bra M;"
    "shfl.sync.bfly.b32 %r7, %r6, 1, 31, 0x33333333; add.u32 %r6, %r6, %r7;"
    "vote.sync.ballot.b32 %r7, %p3, 0x33333333; activemask.b32 %r9; xor.b32 %r6, %r6, %r7;"
    "add.u32 %r6, %r6, %r9; M: mad.lo.u32 %r4, %r4, 5, %r6; add.u32 %r5, %r5, 1;"
    "setp.lt.u32 %p1, %r5, 12; @%p1 bra L;",
    /* votes of the lanes that are there, as they were before masks; in turns all, none, and some of
     * them are for it */
    "and.b32 %r8, %r3, 3; L: rem.u32 %r9, %r5, 3; setp.eq.u32 %p3, %r9, 0; setp.lt.u32 %p2, %r8, "
    "%r9;"
    "vote.uni.pred %p4, %p3; @%p4 add.u32 %r6, %r6, 1; vote.uni.pred %p4, %p2;"
    "@%p4 add.u32 %r6, %r6, 8; vote.all.pred %p4, %p2; @%p4 add.u32 %r6, %r6, 64;"
    "vote.any.pred %p4, %p2; @%p4 add.u32 %r6, %r6, 512; vote.ballot.b32 %r7, %p2;"
    "mad.lo.u32 %r6, %r6, 3, %r7; add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 30; @%p1 bra L;",
    /* a register that some warps' lanes all write before they read it, some lanes of one, and none
     * of another; and then shared memory that not all lanes wrote */
    "setp.lt.u32 %p3, %r3, 40; @%p3 xor.b32 %r9, %r4, 5; L: mov.u32 %r10, 3;"
    "@%p3 add.u32 %r10, %r10, %r9; mad.lo.u32 %r6, %r6, 7, %r10; @%p3 mul.lo.u32 %r9, %r9, %r6;"
    "add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 30; @%p1 bra L;",
    WARNS
    "mov.u32 %r7, s; shl.b32 %r8, %r3, 2; add.u32 %r9, %r7, %r8; setp.lt.u32 %p3, %r3, 64;"
    "@%p3 st.shared.u32 [%r9], %r4; @%p3 mov.u32 %r11, %r4; bar.sync 0; L: add.u32 %r5, %r5, 1;"
    "@%p3 add.u32 %r6, %r6, %r11; setp.lt.u32 %p1, %r5, 20; @%p1 bra L; ld.shared.u32 %r10, "
    "[%r9+64]; mov.u32 %r5, 0; M: mad.lo.u32 %r6, %r6, 3, %r10; add.u32 %r5, %r5, 1;"
    "setp.lt.u32 %p1, %r5, 20; @%p1 bra M;",
    /* shuffles that take what lanes have that left before */
    "and.b32 %r8, %r3, 31; mov.u32 %r7, 0; setp.ge.u32 %p2, %r8, 16; @%p2 bra E; L: "
    "mad.lo.u32 %r6, %r6, 5, %r4; xor.b32 %r9, %r6, %r3; setp.eq.u32 %p3, %r5, 9; @!%p3 bra N; "
    "add.u32 %r9, %r9, 77; shfl.sync.down.b32 %r7, %r4, 8, 31, 0xffff; add.u32 %r6, %r6, %r7; "
    "N: add.u32 %r6, %r6, %r9; add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 20; @%p1 bra L; E:",
    /* memory of lanes' own: at places that differ, by its own address and by one of any space; and
     * where one warp wrote nothing */
    ".local .align 8 .b8 own[64]; mov.u64 %rd5, own; cvta.local.u64 %rd6, %rd5; L: "
    "add.u32 %r7, %r3, %r5; and.b32 %r7, %r7, 7; mul.wide.u32 %rd7, %r7, 4; add.u64 %rd8, %rd5, "
    "%rd7; st.local.u32 [%rd8], %r4; add.u64 %rd9, %rd6, %rd7; ld.u32 %r8, [%rd9]; "
    "mad.lo.u32 %r6, %r6, 5, %r8; add.u32 %r4, %r4, %r6; st.u32 [%rd9+32], %r6; "
    "ld.local.v2.u32 {%r9, %r10}, [%rd5+32]; add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 20; "
    "@%p1 bra L; add.u32 %r6, %r6, %r9; setp.gt.u32 %p2, %r3, 90; @%p2 bra E; mov.u32 %r5, 0; "
    "ld.local.u32 %r11, [%rd5+60]; M: add.u32 %r6, %r6, %r11; add.u32 %r5, %r5, 1; "
    "setp.lt.u32 %p1, %r5, 20; @%p1 bra M; E:",
    WARNS
    ".local .align 8 .b8 own[64]; setp.gt.u32 %p2, %r1, 31; st.local.u32 [own], %r4; L: "
    "add.u32 %r6, %r6, %r4; add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 20; @%p1 bra L; "
    "@%p2 bra E; ld.local.u32 %r11, [own+8]; mov.u32 %r5, 0; M: mad.lo.u32 %r6, %r6, 3, %r11; "
    "add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 20; @%p1 bra M; E:",
};

typedef struct {
    guint32 in[WORDS], out[WORDS];
    PsPtxDone done;
} Result;

/* Registers that are read behind the body: so many that compiled code keeps them in memory. */
#define CARRIED 200

static char *text_of(const char *body, gboolean carries)
{
    GString *text = g_string_new(head);
    for (guint i = 0; carries && i < CARRIED; i++)
        g_string_append_printf(text, ".reg .b32 %%q%u; mad.lo.u32 %%q%u, %%r1, %u, %%r4;\n", i, i,
                               2 * i + 1);
    g_string_append(text, body);
    for (guint i = 0; carries && i < CARRIED; i++)
        g_string_append_printf(text, "mad.lo.u32 %%r6, %%r6, 3, %%q%u;\n", i);
    g_string_append(text, " st.global.u32 [%rd4], %r6; ret;\n}\n");
    return g_string_free(text, FALSE);
}

static Result *run(const char *body, gboolean carries, guint threads, PsPtxCompiled *compiled)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = text_of(body, carries);
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, strlen(text), "x.ptx", &error);
    g_assert_no_error(error);
    g_autoptr(GRand) rand = g_rand_new_with_seed(7);
    Result *result = g_new0(Result, 1);
    for (guint i = 0; i < WORDS; i++)
        result->in[i] = g_rand_int(rand) >> (i % 5 == 0 ? 28 : 0);
    result->in[3] = 0x7f800000;
    result->in[4] = 0xffc12345;
    const PsPtxArgument arguments[] = {{.data = (guint8 *)result->in, .size = sizeof result->in},
                                       {.data = (guint8 *)result->out, .size = sizeof result->out}};
    const PsPtxLaunch launch = {.kernel = ps_ptx_kernel(module, "k", NULL),
                                .grid = {GROUPS, 1, 1},
                                .block = {THREADS, 1, 1},
                                .n_arguments = 2,
                                .arguments = arguments,
                                .compiled = compiled};
    const PsPtxCrew crew = {.threads = threads};
    g_assert_true(ps_ptx_run_all(module, &launch, &crew, &result->done, &error));
    g_assert_no_error(error);
    return result;
}

static void free_result(Result *result)
{
    g_ptr_array_unref(result->done.warnings);
    g_free(result);
}

static gboolean same_warnings(const PsPtxDone *a, const PsPtxDone *b)
{
    gboolean same = a->warnings->len == b->warnings->len;
    for (guint i = 0; same && i < a->warnings->len; i++)
        same = strcmp(a->warnings->pdata[i], b->warnings->pdata[i]) == 0;
    return same;
}

static void test_same(void)
{
    /* glibc reads whole words of the path where it looks for LLVM's own libraries. */
    if (g_strcmp0(g_getenv("PIPESIM_CHECKER"), "valgrind") == 0) {
        g_test_skip("valgrind finds fault with glibc where it loads LLVM");
        return;
    }
    if (!ps_ptx_native_there()) {
        g_test_skip("there is no LLVM, or no AVX2");
        return;
    }
    for (guint k = 0; k < 2 * G_N_ELEMENTS(bodies); k++) {
        const guint i = k / 2;
        const gboolean carries = k % 2 == 1;
        g_autoptr(PsPtxCompiled) compiled = ps_ptx_compiled_new(0);
        Result *steps = run(bodies[i], carries, 1, NULL),
               *one = run(bodies[i], carries, 1, compiled);
        Result *four = run(bodies[i], carries, 4, compiled);
        g_assert_cmpuint(ps_ptx_compiled_executed(compiled), >, 0);
        g_test_message("body %u%s", i, carries ? ", much is carried" : "");
        g_assert_cmpmem(steps->out, sizeof steps->out, one->out, sizeof one->out);
        g_assert_cmpmem(steps->out, sizeof steps->out, four->out, sizeof four->out);
        g_assert_cmpuint(steps->done.warps, ==, one->done.warps);
        g_assert_cmpuint(steps->done.threads, ==, one->done.threads);
        g_assert_cmpuint(steps->done.threads, ==, four->done.threads);
        g_assert_true(steps->done.warnings->len > 0 || !strstr(bodies[i], WARNS));
        g_assert_true(same_warnings(&steps->done, &one->done));
        g_assert_true(same_warnings(&steps->done, &four->done));
        free_result(steps);
        free_result(one);
        free_result(four);
    }
}

/* What has little to do is not compiled. */
static void test_little(void)
{
    g_autoptr(PsPtxCompiled) compiled = ps_ptx_compiled_new(PS_PTX_COMPILED_AFTER);
    free_result(run(bodies[0], FALSE, 1, compiled));
    g_assert_cmpuint(ps_ptx_compiled_executed(compiled), ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-compiled/same", test_same);
    g_test_add_func("/ptx-compiled/little", test_little);
    return g_test_run();
}
