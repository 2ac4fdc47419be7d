/* SPDX-License-Identifier: BSD-3-Clause */
/* What a kernel's parameters are for, as its code tells. */
#include "base/message.h"
#include "ptx/run/uses.h"

#include <string.h>

#define HEAD                                                                                       \
    ".version 8.0\n.target sm_80\n.address_size 64\n"                                              \
    ".visible .entry k(.param .u64 x, .param .u64 y, .param .u32 n, .param .b32 f) "
#define BODY                                                                                       \
    "{ .shared .align 4 .b8 part[512]; .reg .pred %p<4>; .reg .b32 %r<12>; .reg .b64 %rd<9>; "     \
    ".reg .f32 %f<4>; ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; ld.param.u32 %r1, [n]; "     \
    "ld.param.b32 %f1, [f]; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; "    \
    "mad.lo.s32 %r5, %r2, %r3, %r4;\n"
#define ADDRESS(TO, BASE, INDEX) "mul.wide.s32 %rd3," INDEX ",4; add.s64 " TO "," BASE ",%rd3;"

enum { X, Y, N, F };

/* of: directives of the kernel. */
static PsPtxUses uses_with(const char *of, const char *body)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = g_strconcat(HEAD, of, BODY, body, " done: ret; }\n", NULL);
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, strlen(text), "x.ptx", &error);
    g_assert_no_error(error);
    g_autoptr(PsPtxCode) code = ps_ptx_code_new(module, ps_ptx_kernel(module, "k", &error), &error);
    g_assert_no_error(error);
    PsPtxUses uses;
    g_assert_true(ps_ptx_uses(code, 0, &uses, &error));
    return uses;
}

static PsPtxUses uses_of(const char *body)
{
    return uses_with("", body);
}

/* Each index, four elements from the next, is held against half of the number. */
static void test_threads(void)
{
    PsPtxUses uses = uses_of("shl.b32 %r6, %r5, 2; shr.u32 %r7, %r1, 1; setp.ge.s32 %p1, %r6, %r7; "
                             "@%p1 bra done;");
    g_assert_cmpint(uses.params[N].kind, ==, PS_PTX_USE_THREADS);
    g_assert_cmpuint(uses.params[N].directions, ==, 1);
    g_assert_cmpint(uses.params[N].step, ==, 4);
    g_assert_cmpfloat(uses.params[N].times, ==, 0.5);
    g_assert_false(uses.params[N].loops);
    g_free(uses.params);
}

/* Only a thread's place in its group. */
static void test_members(void)
{
    PsPtxUses uses = uses_of("setp.ge.s32 %p1, %r4, %r1; @%p1 bra done;");
    g_assert_cmpint(uses.params[N].kind, ==, PS_PTX_USE_MEMBERS);
    g_free(uses.params);
}

static void test_loop(void)
{
    PsPtxUses uses =
        uses_of("mov.u32 %r6, 0; again: add.s32 %r6, %r6, 1; setp.lt.s32 %p1, %r6, %r1; "
                "@%p1 bra again;");
    g_assert_cmpint(uses.params[N].kind, ==, PS_PTX_USE_LOOP);
    g_assert_true(uses.params[N].loops);
    g_free(uses.params);
}

/* What is loaded from x is an index of y, and nothing else. */
static void test_index(void)
{
    PsPtxUses uses = uses_of(ADDRESS("%rd4", "%rd1", "%r5") "ld.global.u32 %r6, [%rd4];" ADDRESS(
        "%rd5", "%rd2", "%r6") "ld.global.f32 %f2, [%rd5]; mul.f32 %f3, %f2, %f1; "
                               "st.global.f32 [%rd5], %f3;");
    g_assert_true(uses.params[X].pointer && uses.params[X].indexes && uses.params[X].loaded);
    g_assert_false(uses.params[X].stored || uses.params[X].branches);
    g_assert_true(uses.params[Y].pointer && uses.params[Y].stored && !uses.params[Y].indexes);
    g_assert_true(uses.params[F].fraction && !uses.params[N].fraction);
    g_assert_cmpuint(uses.params[X].chased, ==, PS_PTX_NOWHERE);
    g_free(uses.params);
}

/* An address that is loaded. */
static void test_chased(void)
{
    PsPtxUses uses = uses_of("ld.global.u64 %rd4, [%rd1]; ld.global.f32 %f2, [%rd4];");
    g_assert_cmpuint(uses.params[X].chased, !=, PS_PTX_NOWHERE);
    g_free(uses.params);
}

/* A loop that ends by what went through shared memory. */
static void test_data_loop(void)
{
    PsPtxUses uses =
        uses_of("ld.global.u32 %r6, [%rd1]; st.shared.u32 [part], %r6; ld.shared.u32 %r7, [part]; "
                "mov.u32 %r8, 0; again: add.s32 %r8, %r8, 1; setp.lt.s32 %p1, %r8, %r7; "
                "@%p1 bra again;");
    g_assert_cmpuint(uses.params[X].loop, !=, PS_PTX_NOWHERE);
    g_assert_true(uses.params[X].branches);
    g_assert_cmpuint(uses.params[Y].loop, ==, PS_PTX_NOWHERE);
    g_free(uses.params);
}

/* Groups are 64 threads apart, and the array has places for 128. */
static void test_block(void)
{
    PsPtxUses uses =
        uses_of("shl.b32 %r6, %r2, 6; add.s32 %r7, %r6, %r4; shl.b32 %r8, %r4, 2; "
                "mov.u32 %r9, part; add.s32 %r10, %r9, %r8; st.shared.u32 [%r10], %r7;");
    g_assert_cmpuint(uses.block[0], ==, 64);
    g_assert_cmpuint(uses.room[0], ==, 128);
    g_free(uses.params);
}

/* The code itself has how far groups are apart, whatever the block; a block's threads say nothing.
 */
static void test_apart(void)
{
    PsPtxUses uses = uses_of("shl.b32 %r6, %r2, 6; add.s32 %r7, %r6, %r4; "
                             "setp.ge.s32 %p1, %r7, %r1; @%p1 bra done;");
    g_assert_cmpint(uses.params[N].kind, ==, PS_PTX_USE_THREADS);
    g_assert_cmpint(uses.params[N].apart, ==, 64);
    g_free(uses.params);
    uses = uses_of("setp.ge.s32 %p1, %r5, %r1; @%p1 bra done;");
    g_assert_cmpint(uses.params[N].apart, ==, 0);
    g_free(uses.params);
}

/* As Triton's code has it: a block of 1024 elements, and "or" where bits do not meet. */
static void test_or(void)
{
    static const char body[] = "shl.b32 %r6, %r2, 10; and.b32 %r7, %r4, 127; or.b32 %r8, %r6, %r7; "
                               "or.b32 %r9, %r8, 896; setp.lt.s32 %p1, %r9, %r1; @%p1 bra done;";
    PsPtxUses uses = uses_with(".reqntid 128 ", body);
    g_assert_cmpint(uses.params[N].kind, ==, PS_PTX_USE_THREADS);
    g_assert_cmpint(uses.params[N].apart, ==, 1024);
    g_free(uses.params);
    /* The mask takes away what it is there for: nobody knows how far threads are apart. */
    uses = uses_with(".reqntid 256 ", body);
    g_assert_cmpuint(uses.block[0], ==, 0);
    g_free(uses.params);
    /* What two values have both in them is no sum. */
    uses = uses_of("or.b32 %r6, %r5, %r4; setp.lt.s32 %p1, %r6, %r1; @%p1 bra done;");
    g_assert_cmpint(uses.params[N].step, ==, 1);
    g_free(uses.params);
}

/* A whole number that is converted is none, nor what is computed of it. */
static void test_fraction(void)
{
    PsPtxUses uses = uses_of("cvt.rn.f32.s32 %f2, %r1; div.rn.f32 %f3, %f1, %f2;");
    g_assert_false(uses.params[N].fraction);
    g_assert_true(uses.params[F].fraction);
    g_free(uses.params);
    uses = uses_of("cvt.rzi.s32.f32 %r6, %f1; setp.ge.s32 %p1, %r5, %r6; @%p1 bra done;");
    g_assert_true(uses.params[F].fraction);
    g_free(uses.params);
}

/* Groups 32 apart whose threads go on by 8 are of 8 threads; those that look at a neighbour are
 * not. */
static void test_turns(void)
{
#define PLACE "shl.b32 %r6, %r2, 5; add.s32 %r7, %r6, %r4; add.s32 %r8, %r7, "
    PsPtxUses uses = uses_of(PLACE "8; add.s32 %r9, %r7, 16; add.s32 %r10, %r7, 24;");
    g_assert_cmpuint(uses.block[0], ==, 8);
    g_free(uses.params);
    uses = uses_of(PLACE "8; add.s32 %r9, %r7, 24;");
    g_assert_cmpuint(uses.block[0], ==, 32);
    g_free(uses.params);
    uses = uses_of(PLACE "1;");
    g_assert_cmpuint(uses.block[0], ==, 32);
    g_free(uses.params);
}

/* A smaller array beside it has places for 16, from the last row on. */
static void test_room(void)
{
    PsPtxUses uses =
        uses_of(".shared .align 4 .b8 less[256]; shl.b32 %r8, %r4, 2; mov.u32 %r9, less; "
                "add.s32 %r10, %r9, %r8; ld.shared.u32 %r7, [%r10+192];");
    g_assert_cmpuint(uses.room[0], ==, 16);
    g_free(uses.params);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ptx-uses/threads", test_threads);
    g_test_add_func("/ptx-uses/members", test_members);
    g_test_add_func("/ptx-uses/loop", test_loop);
    g_test_add_func("/ptx-uses/index", test_index);
    g_test_add_func("/ptx-uses/chased", test_chased);
    g_test_add_func("/ptx-uses/data-loop", test_data_loop);
    g_test_add_func("/ptx-uses/block", test_block);
    g_test_add_func("/ptx-uses/room", test_room);
    g_test_add_func("/ptx-uses/turns", test_turns);
    g_test_add_func("/ptx-uses/apart", test_apart);
    g_test_add_func("/ptx-uses/or", test_or);
    g_test_add_func("/ptx-uses/fraction", test_fraction);
    return g_test_run();
}
