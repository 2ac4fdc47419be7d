/* SPDX-License-Identifier: BSD-3-Clause */
/* Which launch shapes a kernel's code allows: what ties each direction, and at which instruction.
 */
#include "base/message.h"
#include "ptx/run/freedom.h"

#include <string.h>

#define HEAD                                                                                       \
    ".version 8.0\n.target sm_80\n.address_size 64\n"                                              \
    ".visible .entry k(.param .u64 x, .param .u32 n) "
#define REGISTERS                                                                                  \
    ".reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<12>; .reg .b64 %rd<6>; .reg .f32 %f<3>;\n"

/* Places of x, y and z in a thread's group, and the index of x in %r4. */
#define PLACE_X "mov.u32 %r1,%ctaid.x; mov.u32 %r2,%ntid.x; mov.u32 %r3,%tid.x;\n"
#define PLACE_Y "mov.u32 %r5,%ctaid.y; mov.u32 %r6,%ntid.y; mov.u32 %r7,%tid.y;\n"
#define INDEX_X PLACE_X "mad.lo.s32 %r4,%r1,%r2,%r3;\n"
#define STORE(INDEX)                                                                               \
    "ld.param.u64 %rd1,[x]; mul.wide.s32 %rd2," INDEX ",4; add.s64 %rd3,%rd1,%rd2;"                \
    "st.global.f32 [%rd3],0f3F800000; ret;"

typedef struct {
    PsPtxFreedom of[3];
    char *first[3]; /* the instruction that ties; NULL: none does */
} Found;

static void found_clear(Found *found)
{
    for (guint d = 0; d < 3; d++)
        g_free(found->first[d]);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Found, found_clear)

static Found find(const char *before, const char *body)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = g_strconcat(HEAD, before, "{\n", REGISTERS, body, "\n}\n", NULL);
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, strlen(text), "x.ptx", &error);
    g_assert_no_error(error);
    const PsPtxFunction *kernel = ps_ptx_kernel(module, "k", &error);
    g_autoptr(PsPtxCode) code = ps_ptx_code_new(module, kernel, &error);
    g_assert_no_error(error);
    Found found = {0};
    ps_ptx_freedom(code, 0, found.of);
    for (guint d = 0; d < 3; d++) {
        const guint point = found.of[d].point;
        if (point != PS_PTX_NOWHERE)
            found.first[d] = ps_ptx_spell(kernel, code->points[point].instruction);
    }
    return found;
}

/* What ties x, y and z. */
static void assert_ties(const char *body, PsPtxTieKind x, PsPtxTieKind y, PsPtxTieKind z)
{
    g_auto(Found) found = find("", body);
    g_assert_cmpint(found.of[0].tie, ==, x);
    g_assert_cmpint(found.of[1].tie, ==, y);
    g_assert_cmpint(found.of[2].tie, ==, z);
}

static void assert_free(const char *body)
{
    assert_ties(body, PS_PTX_TIE_NONE, PS_PTX_TIE_NONE, PS_PTX_TIE_NONE);
}

/* x alone, where that instruction shows it. */
static void assert_tied(const char *body, const char *first)
{
    g_auto(Found) found = find("", body);
    g_assert_cmpint(found.of[0].tie, ==, PS_PTX_TIE_INDEX);
    g_assert_cmpint(found.of[1].tie, ==, PS_PTX_TIE_NONE);
    g_assert_cmpstr(found.first[0], ==, first);
}

static void test_one_dimension(void)
{
    assert_free(INDEX_X STORE("%r4"));
    assert_free(PLACE_X "mul.lo.s32 %r4,%r2,%r1; add.s32 %r4,%r3,%r4;" STORE("%r4"));
    assert_free(PLACE_X "mul.wide.u32 %rd4,%r1,%r2; cvt.u64.u32 %rd5,%r3; add.s64 %rd4,%rd4,%rd5;"
                        "cvt.u32.u64 %r4,%rd4;" STORE("%r4"));
    /* A constant between its parts, a multiple of all of them, and the same in two parts. */
    assert_free(PLACE_X "add.s32 %r3,%r3,7; mad.lo.s32 %r4,%r1,%r2,%r3;" STORE("%r4"));
    assert_free(
        PLACE_X
        "shl.b32 %r3,%r3,2; mul.lo.s32 %r1,%r1,4; mad.lo.s32 %r4,%r1,%r2,%r3;" STORE("%r4"));
    assert_tied(PLACE_X "shl.b32 %r3,%r3,2; mad.lo.s32 %r4,%r1,%r2,%r3;" STORE("%r4"),
                "st.global.f32 [%rd3], 0f3F800000");
}

/* A multiplication by four of what is no index stays one: the address shows it. */
static void test_alone(void)
{
    assert_tied("mov.u32 %r4,%ctaid.x;" STORE("%r4"), "st.global.f32 [%rd3], 0f3F800000");
    assert_tied("mov.u32 %r4,%tid.x;" STORE("%r4"), "st.global.f32 [%rd3], 0f3F800000");
    assert_tied(INDEX_X "setp.eq.u32 %p1,%r3,0; @%p1 ret;" STORE("%r4"), "setp.eq.u32 %p1, %r3, 0");
    assert_tied(INDEX_X "and.b32 %r5,%r1,1; add.s32 %r4,%r4,%r5;" STORE("%r4"),
                "and.b32 %r5, %r1, 1");
    /* A first group that is not 0. */
    assert_tied(
        PLACE_X
        "ld.param.u32 %r9,[n]; add.s32 %r1,%r1,%r9; mad.lo.s32 %r4,%r1,%r2,%r3;" STORE("%r4"),
        "st.global.f32 [%rd3], 0f3F800000");
    /* Where the size was a constant, a shift stands for it. */
    assert_tied("mov.u32 %r1,%ctaid.x; mov.u32 %r3,%tid.x; shl.b32 %r1,%r1,8;"
                "add.s32 %r4,%r1,%r3;" STORE("%r4"),
                "st.global.f32 [%rd3], 0f3F800000");
    assert_tied("mov.u32 %r2,%ntid.x; st.param.b32 [n],%r2;" STORE("%r2"), "st.param.b32 [n], %r2");
}

static void test_two_dimensions(void)
{
    const char *index = INDEX_X PLACE_Y "mad.lo.s32 %r8,%r5,%r6,%r7; ld.param.u32 %r9,[n];"
                                        "mad.lo.s32 %r10,%r8,%r9,%r4;" STORE("%r10");
    const char *swapped = PLACE_X PLACE_Y "mad.lo.s32 %r4,%r1,%r6,%r3;" STORE("%r4");
    const char *flat =
        PLACE_X "mov.u32 %r5,%ctaid.y; mov.u32 %r6,%nctaid.x;"
                "mad.lo.s32 %r7,%r5,%r6,%r1; mad.lo.s32 %r4,%r7,%r2,%r3;" STORE("%r4");
    assert_free(index);
    assert_ties(swapped, PS_PTX_TIE_INDEX, PS_PTX_TIE_INDEX, PS_PTX_TIE_NONE);
    /* ctaid.y * (nctaid.x * ntid.x) + (ctaid.x * ntid.x + tid.x) says nothing against another x. */
    assert_ties(flat, PS_PTX_TIE_NONE, PS_PTX_TIE_INDEX, PS_PTX_TIE_NONE);
}

static void test_grid_stride(void)
{
    const char *loop =
        INDEX_X "ld.param.u32 %r9,[n]; setp.ge.s32 %p1,%r4,%r9; @%p1 ret;"
                "mov.u32 %r5,%nctaid.x; mul.lo.s32 %r6,%r2,%r5;\n"
                "AGAIN: ld.param.u64 %rd1,[x]; mul.wide.s32 %rd2,%r4,4; add.s64 %rd3,%rd1,%rd2;"
                "st.global.f32 [%rd3],0f3F800000; add.s32 %r4,%r4,%r6; setp.lt.s32 %p2,%r4,%r9;"
                "@%p2 bra AGAIN; ret;";
    g_auto(Found) found = find("", loop);
    g_assert_cmpint(found.of[0].tie, ==, PS_PTX_TIE_NONE);
    g_assert_true(found.of[0].counted);
    g_assert_false(found.of[1].counted);
    /* The number of groups alone. */
    assert_tied(INDEX_X "mov.u32 %r5,%nctaid.x; add.s32 %r4,%r4,%r5;" STORE("%r4"),
                "st.global.f32 [%rd3], 0f3F800000");
}

/* What the reader let pass, and no executor knows. */
static void test_too_few_operands(void)
{
    assert_free(
        "mov.u32 %r1; cvt.u64.u32 %rd1; add.u32 %r1,%r2; mad.lo.u32 %r1,%r2,%r3; shl.b32; ret;");
    assert_tied(INDEX_X "add.u32 %r5,%r3;" STORE("%r4"), "add.u32 %r5, %r3");
}

/* What one way gives and the other does not. */
static void test_ways(void)
{
    assert_tied(PLACE_X "ld.param.u32 %r9,[n]; setp.eq.s32 %p1,%r9,0; mov.u32 %r4,0; @%p1 bra ON;"
                        "mov.u32 %r4,%r3; ON:" STORE("%r4"),
                "st.global.f32 [%rd3], 0f3F800000");
    assert_tied(INDEX_X
                "ld.param.u32 %r9,[n]; setp.eq.s32 %p1,%r9,0; @%p1 mov.u32 %r4,%r3;" STORE("%r4"),
                "st.global.f32 [%rd3], 0f3F800000");
    assert_tied(PLACE_X
                "ld.param.u32 %r9,[n]; setp.eq.s32 %p1,%r9,0; @%p1 mov.u32 %r3,0;" STORE("%r3"),
                "st.global.f32 [%rd3], 0f3F800000");
    /* A register that is used anew, as machine code does, has nothing of what it was. */
    assert_free(PLACE_X "mad.lo.s32 %r1,%r1,%r2,%r3; mov.u32 %r3,%r1;" STORE("%r3"));
    /* A part that goes around a loop. */
    assert_tied(INDEX_X
                "AGAIN: add.s32 %r4,%r4,%r3; setp.lt.s32 %p1,%r4,100; @%p1 bra AGAIN;" STORE("%r4"),
                "setp.lt.s32 %p1, %r4, 100");
}

/* Halves of 64 bits, of which machine code makes its numbers. */
static void test_halves(void)
{
    assert_free(PLACE_X "mov.b64 %rd4,{%r3,0}; mad.wide.u32 %rd4,%r1,%r2,%rd4;"
                        "mov.b64 {%r4,%r5},%rd4;" STORE("%r4"));
    /* Whatever the upper half is, as long as it does not follow from a part of the place. */
    assert_free(PLACE_X
                "ld.param.u32 %r5,[n]; mov.b64 %rd4,{%r3,%r5}; mad.wide.u32 %rd4,%r1,%r2,%rd4;"
                "mov.b64 {%r4,%r5},%rd4;" STORE("%r4"));
    assert_tied(PLACE_X "mov.b64 %rd4,{%r3,%r3}; mad.wide.u32 %rd4,%r1,%r2,%rd4;"
                        "mov.b64 {%r4,%r5},%rd4;" STORE("%r4"),
                "st.global.f32 [%rd3], 0f3F800000");
}

static void test_ties(void)
{
    const struct {
        const char *before, *with;
        PsPtxTieKind kind;
    } list[] = {{"", "bar.sync 0;", PS_PTX_TIE_BARRIER},
                {"", "barrier.sync 0;", PS_PTX_TIE_BARRIER},
                {"", "bar.warp.sync 0xffffffff;", PS_PTX_TIE_NONE},
                {"", ".shared .f32 s[4]; st.shared.f32 [s],0f00000000;", PS_PTX_TIE_SHARED},
                {"", "shfl.sync.idx.b32 %r8,%r4,0,31,-1;", PS_PTX_TIE_WARP},
                {"", "vote.sync.all.pred %p1,%p2,-1;", PS_PTX_TIE_WARP},
                {"", "mov.u32 %r8,%laneid;", PS_PTX_TIE_WARP},
                {"", "mov.u32 %r8,%smid;", PS_PTX_TIE_NONE},
                {".reqntid 64 ", "", PS_PTX_TIE_SIZE},
                {".maxntid 64 ", "", PS_PTX_TIE_NONE}};
    for (guint i = 0; i < G_N_ELEMENTS(list); i++) {
        g_autofree char *body = g_strconcat(INDEX_X, list[i].with, STORE("%r4"), NULL);
        g_auto(Found) found = find(list[i].before, body);
        for (guint d = 0; d < 3; d++)
            g_assert_cmpint(found.of[d].tie, ==, list[i].kind);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ptx-freedom/one-dimension", test_one_dimension);
    g_test_add_func("/ptx-freedom/alone", test_alone);
    g_test_add_func("/ptx-freedom/two-dimensions", test_two_dimensions);
    g_test_add_func("/ptx-freedom/grid-stride", test_grid_stride);
    g_test_add_func("/ptx-freedom/too-few-operands", test_too_few_operands);
    g_test_add_func("/ptx-freedom/ways", test_ways);
    g_test_add_func("/ptx-freedom/halves", test_halves);
    g_test_add_func("/ptx-freedom/ties", test_ties);
    return g_test_run();
}
