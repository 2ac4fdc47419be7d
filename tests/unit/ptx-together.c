/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of a launch that several threads execute: what they do is what one does. */
#include "ptx/native/native.h"
#include "ptx/run/compiled.h"
#include "ptx/run/together.h"

#include "base/message.h"

#include <string.h>

#define GROUPS 600
#define WORDS 1024

/* A kernel k(.u64 out, .u64 sums): %r1 is the group, %r2 the thread in it, %rd1 and %rd2 are the
 * arguments, %rd3 is the place of the thread's own word in out. A loop comes before the body, so
 * that there is something to do. */
static const char head[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry k(.param .u64 out, .param .u64 sums)\n{\n"
    ".reg .b32 %r<16>; .reg .b64 %rd<8>; .reg .f32 %f<8>; .reg .pred %p<4>;\n"
    "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x;\n"
    "ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [sums];\n"
    "mad.lo.u32 %r3, %r1, 64, %r2; and.b32 %r3, %r3, 1023; mul.wide.u32 %rd3, %r3, 4;\n"
    "add.u64 %rd3, %rd1, %rd3; mov.u32 %r4, 0; mov.u32 %r5, 0;\n"
    "L: add.u32 %r4, %r4, %r1; xor.b32 %r4, %r4, %r2; add.u32 %r5, %r5, 1;\n"
    "setp.lt.u32 %p1, %r5, 40; @%p1 bra L;\n";

typedef struct {
    guint32 out[WORDS], sums[WORDS];
    PsPtxDone done;
    GError *error;
} Result;

static PsPtxModule *module_of(const char *body)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = g_strdup_printf("%s%s ret;\n}\n", head, body);
    PsPtxModule *module = ps_ptx_parse(text, strlen(text), "x.ptx", &error);
    g_assert_no_error(error);
    return module;
}

static Result *run_watched(const char *body, guint threads, gboolean some)
{
    Result *result = g_new0(Result, 1);
    g_autoptr(PsPtxModule) module = module_of(body);
    const PsPtxArgument arguments[] = {
        {.data = (guint8 *)result->out, .size = sizeof result->out},
        {.data = (guint8 *)result->sums, .size = sizeof result->sums}};
    const PsPtxLaunch launch = {.kernel = ps_ptx_kernel(module, "k", NULL),
                                .grid = {GROUPS / 2, 2, 1},
                                .block = {64, 1, 1},
                                .n_arguments = 2,
                                .arguments = arguments,
                                .watches_some = some};
    const PsPtxCrew crew = {.threads = threads};
    g_assert_true(ps_ptx_run_all(module, &launch, &crew, &result->done, &result->error) ==
                  !result->error);
    return result;
}

static Result *run(const char *body, guint threads)
{
    return run_watched(body, threads, FALSE);
}

static void free_result(Result *result)
{
    g_ptr_array_unref(result->done.warnings);
    g_clear_error(&result->error);
    g_free(result);
}

static void assert_same(const Result *one, const Result *other)
{
    g_assert_cmpmem(one->out, sizeof one->out, other->out, sizeof other->out);
    g_assert_cmpmem(one->sums, sizeof one->sums, other->sums, sizeof other->sums);
    g_assert_cmpuint(one->done.warps, ==, other->done.warps);
    g_assert_cmpuint(one->done.threads, ==, other->done.threads);
    g_assert_cmpuint(one->done.warnings->len, ==, other->done.warnings->len);
    for (guint i = 0; i < one->done.warnings->len; i++)
        g_assert_cmpstr(one->done.warnings->pdata[i], ==, other->done.warnings->pdata[i]);
}

/* The same by one thread and by four, of which there are that many. */
static void compare(const char *body, guint crew)
{
    Result *one = run(body, 1), *four = run(body, 4);
    g_assert_no_error(one->error);
    g_assert_no_error(four->error);
    g_assert_cmpuint(one->done.crew, ==, 1);
    g_assert_cmpuint(four->done.crew, ==, crew);
    assert_same(one, four);
    free_result(one);
    free_result(four);
}

/* Where a sum is that threads of many groups add to. */
#define SUM "and.b32 %r7, %r4, 127; mul.wide.u32 %rd4, %r7, 4; add.u64 %rd4, %rd2, %rd4;"

static void test_apart(void)
{
    compare(SUM "red.global.add.u32 [%rd4], %r2;", 4);
    compare(SUM "atom.global.max.s32 %r9, [%rd4], %r4;", 4);
    compare(SUM "atom.xor.b32 %r9, [%rd4], %r4;", 4);
    compare("and.b32 %r7, %r4, 63; mul.wide.u32 %rd4, %r7, 8; add.u64 %rd4, %rd2, %rd4;"
            "cvt.u64.u32 %rd5, %r4; red.global.add.u64 [%rd4], %rd5;",
            4);
    compare("setp.lt.u32 %p2, %r1, 16; @!%p2 bra E; mov.u32 %r6, %ctaid.y;"
            "setp.eq.u32 %p3, %r6, 0; @!%p3 bra E; st.global.u32 [%rd3], %r4; E:",
            4);
}

/* What depends on the order of groups is done in that order. */
static void test_in_order(void)
{
    compare("atom.global.add.u32 %r9, [%rd2], 1; st.global.u32 [%rd3], %r9;", 1);
    compare(SUM "cvt.rn.f32.u32 %f1, %r4; red.global.add.f32 [%rd4], %f1;", 1);
    compare(SUM "atom.global.exch.b32 %r9, [%rd4], %r4;", 1);
    compare(SUM "ld.volatile.global.u32 %r9, [%rd4]; st.global.u32 [%rd3], %r9;", 1);
    compare("mov.u32 %r9, %clock; st.global.u32 [%rd3], %r9;", 1);
    compare("membar.gl; st.global.u32 [%rd3], %r9;", 1);
}

static void test_little(void)
{
    g_autoptr(PsPtxModule) module = module_of("");
    const guint64 zero = 0;
    const PsPtxArgument arguments[] = {{.bits = zero}, {.bits = zero}};
    const PsPtxLaunch launch = {.kernel = ps_ptx_kernel(module, "k", NULL),
                                .grid = {20, 1, 1},
                                .block = {64, 1, 1},
                                .n_arguments = 2,
                                .arguments = arguments};
    const PsPtxCrew crew = {.threads = 4};
    PsPtxDone done;
    g_assert_true(ps_ptx_run_all(module, &launch, &crew, &done, NULL));
    g_assert_cmpuint(done.crew, ==, 1);
    g_ptr_array_unref(done.warnings);
}

/* The first group that fails is told of, whoever came to it. */
static void test_fault(void)
{
    for (guint i = 0; i < 20; i++) {
        Result *four = run("setp.gt.u32 %p2, %r1, 290; @%p2 st.global.u32 [%r1], %r4;", 4);
        g_assert_error(four->error, PS_ERROR, PS_ERROR_VALUE);
        g_assert_nonnull(strstr(four->error->message, "thread (0,0,0) of group (291,0,0)"));
        g_assert_cmpint(four->done.fault, ==, PS_PTX_FAULT_MISALIGNED);
        g_assert_cmpuint(four->done.warps, ==, 0);
        free_result(four);
    }
}

/* The same holds of warnings: the mask is another one in each group. */
static void test_warning(void)
{
    for (guint i = 0; i < 20; i++)
        compare("add.u32 %r6, %r1, 256; and.b32 %r6, %r6, 0xfffffffe; setp.gt.u32 %p2, %r1, 200;"
                "mov.u32 %r9, 1; @%p2 shfl.sync.idx.b32 %r9, %r4, 0, 31, %r6;",
                4);
    Result *four = run("add.u32 %r6, %r1, 256; setp.gt.u32 %p2, %r1, 200;"
                       "@%p2 shfl.sync.idx.b32 %r9, %r4, 0, 31, %r6;",
                       4);
    g_assert_cmpuint(four->done.warnings->len, ==, 1);
    g_assert_nonnull(strstr(four->done.warnings->pdata[0], "mask 0x000001c9"));
    free_result(four);
}

/* Warnings of a launch where the groups of this number, in both rows of groups, go by what nobody
 * wrote: a register, or shared memory. */
static guint warnings_of(guint group, gboolean memory, guint threads, gboolean some)
{
    g_autofree char *body = g_strdup_printf(
        ".shared .u32 s[64]; mov.u32 %%r8, s; mad.lo.u32 %%r8, %%r2, 4, %%r8;"
        "setp.ne.u32 %%p2, %%r1, %u; @%%p2 st.shared.u32 [%%r8], %%r2; @%%p2 mov.u32 %%r9, 1;"
        "%s setp.gt.u32 %%p3, %%r9, 500; @%%p3 bra E; st.shared.u32 [%%r8], %%r4; E:",
        group, memory ? "ld.shared.u32 %r9, [%r8];" : "");
    Result *result = run_watched(body, threads, some);
    g_assert_no_error(result->error);
    const guint n = result->done.warnings->len;
    free_result(result);
    return n;
}

/* Where some groups are watched, these are the same for any number of threads. */
static void test_watches_some(void)
{
    for (guint i = 0; i < 4; i++) {
        const gboolean memory = i % 2 != 0;
        const guint threads = i < 2 ? 1 : 4;
        g_assert_cmpuint(warnings_of(100, memory, threads, FALSE), ==, 1);
        g_assert_cmpuint(warnings_of(100, memory, threads, TRUE), ==, 0);
        g_assert_cmpuint(warnings_of(20, memory, threads, TRUE), ==, 1);
        g_assert_cmpuint(warnings_of(212, memory, threads, TRUE), ==, 1); /* 512 in the grid */
    }
}

/* A loop of 200000 turns: each warp adds to a word of its own, over and over. */
#define LONG                                                                                       \
    "mov.u32 %r5, 0;\nM: ld.global.u32 %r9, [%rd3]; mad.lo.u32 %r9, %r9, 3, %r5;"                  \
    "st.global.u32 [%rd3], %r9; add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 200000; @%p2 bra M;"

static guint64 n_heard;

static void hear(gpointer data, const PsPtxEvent *event)
{
    (void)data;
    n_heard += (guint64)event->memory;
}

static const PsPtxListener *listener_of(gpointer data, guint64 group)
{
    static const PsPtxListener listener = {.executed = hear};
    (void)data;
    (void)group;
    return &listener;
}

/* The accesses that a listener heard of a group, and whether compiled code executed the rest. */
static guint32 listen(guint64 enough, guint64 *heard, guint64 *compiled_executed)
{
    guint32 out[WORDS] = {0}, sums[WORDS] = {0};
    g_autoptr(PsPtxModule) module = module_of(LONG);
    g_autoptr(PsPtxCompiled) compiled = ps_ptx_compiled_new(0);
    const PsPtxArgument arguments[] = {{.data = (guint8 *)out, .size = sizeof out},
                                       {.data = (guint8 *)sums, .size = sizeof sums}};
    const PsPtxLaunch launch = {.kernel = ps_ptx_kernel(module, "k", NULL),
                                .grid = {1, 1, 1},
                                .block = {32, 1, 1},
                                .n_arguments = 2,
                                .arguments = arguments,
                                .compiled = compiled};
    const PsPtxCrew crew = {.threads = 1, .listener = listener_of, .enough = enough};
    PsPtxDone done;
    n_heard = 0;
    g_assert_true(ps_ptx_run_all(module, &launch, &crew, &done, NULL));
    g_ptr_array_unref(done.warnings);
    *heard = n_heard;
    *compiled_executed = ps_ptx_compiled_executed(compiled);
    return out[7];
}

/* A listener that has heard enough of a group is not told the rest, which may be compiled. */
static void test_enough(void)
{
    guint64 all, some, by_steps, by_compiled;
    const guint32 result = listen(0, &all, &by_steps);
    g_assert_cmpuint(listen(1000, &some, &by_compiled), ==, result);
    g_assert_cmpuint(all, ==, 400000);
    g_assert_cmpuint(some, >=, 1000);
    g_assert_cmpuint(some, <, 100000);
    g_assert_cmpuint(by_steps, ==, 0);
    g_assert_true(by_compiled > 0 || !ps_ptx_native_there());
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ptx-together/apart", test_apart);
    g_test_add_func("/ptx-together/in-order", test_in_order);
    g_test_add_func("/ptx-together/little", test_little);
    g_test_add_func("/ptx-together/fault", test_fault);
    g_test_add_func("/ptx-together/warning", test_warning);
    g_test_add_func("/ptx-together/watches-some", test_watches_some);
    g_test_add_func("/ptx-together/enough", test_enough);
    return g_test_run();
}
