/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether what products of tensor cores come to decides where threads go, and what they touch. */
#include "ptx/run/products.h"
#include "ptx/ptx.h"

#include <string.h>

#define HEAD                                                                                       \
    ".version 8.0\n.target sm_80\n.address_size 64\n"                                              \
    ".visible .entry k(.param .u64 x) { .shared .align 16 .b8 part[512]; .reg .pred %p<4>; "       \
    ".reg .b32 %r<12>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .f64 %fd<2>; ld.param.u64 %rd1, "   \
    "[x]; "                                                                                        \
    "mov.u32 %r1, %tid.x; mov.f32 %f1, 0f00000000;\n"
#define PRODUCT                                                                                    \
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%r2,%r3,%r4,%r5}, "     \
    "{%r6,%r7}, {%f1,%f2,%f3,%f4};\n"

static gboolean decide_in(const char *body, gboolean machine)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = g_strconcat(HEAD PRODUCT, body, " done: ret; }\n", NULL);
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, strlen(text), "x.ptx", &error);
    g_assert_no_error(error);
    g_autoptr(PsPtxCode) code = ps_ptx_code_new(module, ps_ptx_kernel(module, "k", &error), &error);
    g_assert_no_error(error);
    return ps_ptx_products_decide(code, machine);
}

static gboolean decide(const char *body)
{
    return decide_in(body, FALSE);
}

/* Results that are computed with, chosen among, handed to other lanes and stored. */
static void test_data(void)
{
    g_assert_false(decide("st.global.f32 [%rd1], %f1;"));
    g_assert_false(decide("max.f32 %f5, %f1, %f2; setp.gt.f32 %p1, %f5, %f3; "
                          "selp.f32 %f6, %f5, %f3, %p1; st.global.f32 [%rd1], %f6;"));
    g_assert_false(decide("mov.b32 %r8, %f1; shfl.sync.bfly.b32 %r9, %r8, 1, 31, -1; "
                          "st.shared.u32 [part], %r9; ld.shared.u32 %r10, [part]; "
                          "st.global.u32 [%rd1], %r10;"));
}

static void test_ways(void)
{
    g_assert_true(decide("setp.gt.f32 %p1, %f1, %f2; @%p1 bra done; st.global.f32 [%rd1], %f1;"));
    g_assert_true(decide("setp.gt.f32 %p1, %f1, %f2; @%p1 st.global.f32 [%rd1], %f1;"));
    g_assert_true(decide("cvt.rzi.u64.f32 %rd2, %f1; add.u64 %rd3, %rd1, %rd2; "
                         "st.global.f32 [%rd3], %f2;"));
}

/* What was stored comes back from there. */
static void test_memory(void)
{
    g_assert_true(decide("st.shared.f32 [part], %f1; ld.shared.u32 %r8, [part]; "
                         "setp.gt.u32 %p1, %r8, 3; @%p1 bra done;"));
    g_assert_true(decide("ld.global.u32 %r8, [%rd1]; setp.gt.u32 %p1, %r8, 3; @%p1 bra done; "
                         "st.global.f32 [%rd1], %f1;"));
    g_assert_false(decide("ld.global.nc.u32 %r8, [%rd1]; setp.gt.u32 %p1, %r8, 3; @%p1 bra done; "
                          "st.global.f32 [%rd1], %f1;"));
}

/* A register has a result no longer once something else was written there; in a loop it may come
 * round. */
static void test_registers(void)
{
    g_assert_false(decide("mov.b32 %r8, %f1; st.global.u32 [%rd1], %r8; mov.u32 %r8, %r1; "
                          "setp.gt.u32 %p1, %r8, 3; @%p1 bra done; mov.u32 %r9, 1;"));
    g_assert_true(decide("mov.u32 %r8, %r1; again: setp.gt.u32 %p1, %r8, 3; @%p1 bra done; "
                         "mov.b32 %r8, %f1; bra again;"));
}

/* A quotient's scaling, as machine code has it, issues in each case; what it results in follows
 * from the guard. A guard spares special functions and doubles their time, and accesses their
 * memory. */
static void test_guards(void)
{
    const char *scaling = "setp.gt.f32 %p1, %f1, 0f7E800000; mov.f32 %f5, 0f3F800000; "
                          "@%p1 mul.f32 %f5, %f5, 0f3E800000; ";
    g_autofree char *stored = g_strconcat(scaling, "st.global.f32 [%rd1], %f5;", NULL);
    g_autofree char *follows = g_strconcat(
        scaling, "setp.gt.f32 %p2, %f5, %f6; @%p2 bra done; add.f32 %f5, %f5, %f5;", NULL);
    g_assert_true(decide(stored));
    g_assert_false(decide_in(stored, TRUE));
    g_assert_true(decide_in(follows, TRUE));
    static const char *const spared[] = {"ex2.approx.f32 %f5, %f5;",
                                         "add.f64 %fd1, %fd1, %fd1;",
                                         "ld.global.f32 %f5, [%rd1];",
                                         "st.global.f32 [%rd1], %f5;",
                                         PRODUCT,
                                         "bra done;",
                                         "bar.sync 0;"};
    for (guint i = 0; i < G_N_ELEMENTS(spared); i++) {
        g_autofree char *one = g_strconcat(scaling, "@%p1 ", spared[i], " mov.u32 %r9, 1;", NULL);
        g_assert_true(decide_in(one, TRUE));
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ptx-products/data", test_data);
    g_test_add_func("/ptx-products/ways", test_ways);
    g_test_add_func("/ptx-products/memory", test_memory);
    g_test_add_func("/ptx-products/registers", test_registers);
    g_test_add_func("/ptx-products/guards", test_guards);
    return g_test_run();
}
