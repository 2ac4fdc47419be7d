/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The executor: buffers and arrays lie so far from each other that what leaves one comes to no
 * other.
 */
#include "base/message.h"
#include "tests/help/ptx-launch.h"
#include <string.h>

/* ---- buffers -------------------------------------------------------------------------------- */

#define GAP ((guint64)1 << 40)

/* The extents of a kernel k with three buffers of these sizes, in a module that has `before`
 * (g_free). */
static PsPtxExtent *extents_of(const char *before, guint address_size, const gsize sizes[3],
                               guint *n)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text =
        g_strdup_printf(".version 8.0\n.target sm_80\n.address_size %u\n%s\n"
                        ".visible .entry k(.param .u%u a, .param .u%u b, .param .u%u c) { ret; }\n",
                        address_size, before, address_size, address_size, address_size);
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, strlen(text), "x.ptx", &error);
    g_assert_no_error(error);
    PsPtxArgument arguments[3] = {{.name = "a"}, {.name = "b"}, {.name = "c"}};
    for (guint i = 0; i < 3; i++) {
        arguments[i].size = sizes[i];
        arguments[i].data = g_malloc0(1); /* nothing touches it */
    }
    const PsPtxLaunch launch = {.kernel = ps_ptx_kernel(module, "k", NULL),
                                .grid = {1, 1, 1},
                                .block = {32, 1, 1},
                                .n_arguments = 3,
                                .arguments = arguments};
    g_autoptr(PsPtxMachine) machine = ps_ptx_machine_new(module, &launch, &error);
    g_assert_no_error(error);
    PsPtxExtent *extents = ps_ptx_machine_extents(machine, n);
    for (guint i = 0; i < *n; i++)
        extents[i].name = NULL; /* the machine's */
    for (guint i = 0; i < 3; i++)
        g_free(arguments[i].data);
    return extents;
}

static guint64 least_gap(const PsPtxExtent *extents, guint n)
{
    guint64 least = G_MAXUINT64;
    for (guint i = 1; i < n; i++)
        least = MIN(least, extents[i].address - extents[i - 1].address - extents[i - 1].size);
    return least;
}

static void test_buffers(void)
{
    guint n = 0;
    g_autofree PsPtxExtent *extents = extents_of(".global .align 4 .u32 v[25];\n", 64,
                                                 (const gsize[]){1 << 20, 0, (gsize)3 << 30}, &n);
    g_assert_cmpuint(n, ==, 4);
    g_assert_cmphex(extents[0].address, ==, 0x700000000);
    g_assert_cmpuint(least_gap(extents, n), >=, GAP);
    /* in the bits that lines, sectors and banks depend on, buffers follow each other */
    guint64 place = 0x700000000;
    for (guint i = 0; i < n; i++) {
        g_assert_cmphex(extents[i].address % GAP, ==, place % GAP);
        place = (extents[i].address % GAP + extents[i].size + 65536 + 255) / 256 * 256;
    }
}

static void test_many(void)
{
    GString *variables = g_string_new(NULL);
    guint n = 0;
    for (guint i = 0; i < 3000; i++)
        g_string_append_printf(variables, ".global .align 4 .u32 v%u[1000];\n", i);
    g_autofree char *before = g_string_free(variables, FALSE);
    g_autofree PsPtxExtent *extents =
        extents_of(before, 64, (const gsize[]){4096, (gsize)1 << 30, 4096}, &n);
    g_assert_cmpuint(n, ==, 3003);
    g_assert_cmpuint(least_gap(extents, n), >, (guint64)1 << 30);
    g_assert_cmphex(extents[n - 1].address, <, (guint64)1 << 47);
}

/* Few addresses: as much space as there is. */
static void test_narrow(void)
{
    guint n = 0;
    g_autofree PsPtxExtent *extents =
        extents_of("", 32, (const gsize[]){256 << 20, 256 << 20, 4096}, &n);
    g_assert_cmpuint(least_gap(extents, n), >, 256 << 20);
    g_autofree PsPtxExtent *large =
        extents_of("", 32, (const gsize[]){(gsize)3 << 30, 256 << 20, 4096}, &n);
    g_assert_cmpuint(least_gap(large, n), >=, 65536);
    g_assert_cmphex(large[2].address, <, 0xf0000000);
}

/* ---- arrays --------------------------------------------------------------------------------- */

static void fails(const PtxLaunch *launch, const char *message)
{
    ptx_assert_fails(launch, PS_ERROR_VALUE, message);
}

static void test_far(void)
{
    fails(&(PtxLaunch){.before = ".global .align 4 .b8 g[4];\n",
                       .body = "ld.global.u32 %r3, [g+1048576];" PTX_STORE},
          "x.ptx:12: thread (0,0,0) of group (0,0,0) reads 4 bytes at 0x10700110100 of .global "
          "memory, 1048572 bytes behind the end of \"g\", the nearest buffer (4 bytes)");
}

#define ARRAYS                                                                                     \
    ".shared .align 4 .b8 a[64]; .shared .align 16 .b8 b[64]; mov.u32 %r4, a; mov.u32 %r5, b;"     \
    "cvt.u64.u32 %rd4, %r4; cvta.shared.u64 %rd4, %rd4;"

#define IN_SHARED "x.ptx:11: thread (0,0,0) of group (0,0,0) "

static void test_shared(void)
{
    fails(&(PtxLaunch){.body = ARRAYS "st.shared.u32 [%r4+64], %r1;"},
          IN_SHARED "writes 4 bytes at 0x40 of .shared memory (128 bytes), right behind the end of "
                    "\"a\", the nearest buffer (64 bytes)");
    fails(&(PtxLaunch){.body = ARRAYS "ld.shared.u32 %r3, [%r5+-4];"},
          IN_SHARED "reads 4 bytes at 0x3c of .shared memory (128 bytes), 4 bytes before \"b\", "
                    "the nearest buffer (64 bytes)");
    fails(&(PtxLaunch){.body = ARRAYS "setp.lt.u32 %p1, %r1, 5; @%p1 st.u64 [%rd4+72], %rd1;"},
          IN_SHARED "writes 8 bytes at 0x48 of .shared memory (128 bytes), 8 bytes behind the end "
                    "of \"a\", the nearest buffer (64 bytes)");
    fails(&(PtxLaunch){.body = ARRAYS "atom.shared.add.u32 %r3, [%r4+100], 1;"},
          IN_SHARED "writes 4 bytes at 0x64 of .shared memory (128 bytes), 36 bytes behind the end "
                    "of \"a\", the nearest buffer (64 bytes)");
    fails(&(PtxLaunch){.body = ARRAYS "cp.async.ca.shared.global [%r4+64], [%rd1], 4;"},
          IN_SHARED "writes 4 bytes at 0x40 of .shared memory (128 bytes), right behind the end of "
                    "\"a\", the nearest buffer (64 bytes)");
}

/* The advice of a size is for arrays that have none. */
static void test_extern(void)
{
    static const char before[] = ".extern .shared .align 16 .b8 dyn[];\n"
                                 ".extern .shared .align 4 .b32 also[];\n";
    PtxLaunch launch = {.before = before,
                        .body = ARRAYS "mov.u32 %r6, dyn; mov.u32 %r7, also;"
                                       "st.shared.u32 [%r4+64], %r1;"};
    fails(&launch, "x.ptx:13: thread (0,0,0) of group (0,0,0) writes 4 bytes at 0x40 of .shared "
                   "memory (128 bytes), right behind the end of \"a\", the nearest buffer (64 "
                   "bytes)");
    launch.body = ARRAYS "mov.u32 %r6, dyn; mov.u32 %r7, also; st.shared.u32 [%r7+4], %r1;";
    fails(&launch, "x.ptx:13: thread (0,0,0) of group (0,0,0) writes 4 bytes at 0x84 of .shared "
                   "memory (128 bytes), whose size the launch gives");
    launch.dynamic_shared = 256;
    launch.body = ARRAYS "mov.u32 %r6, dyn; mov.u32 %r7, also; st.shared.u32 [%r6+256], %r1;";
    fails(&launch, "x.ptx:13: thread (0,0,0) of group (0,0,0) writes 4 bytes at 0x180 of .shared "
                   "memory (384 bytes), right behind the end of \"also\", the nearest buffer (256 "
                   "bytes)");
}

static guint32 of_thread(guint t, guint n)
{
    return t + n;
}

/* OpenCL's pointers to local memory: places in what the launch gives, which no array of the code
 * stands for. Machine code has them in one piece with its arrays. */
static void test_place(void)
{
    PtxLaunch launch = {.dynamic_shared = 128,
                        .place = TRUE,
                        .body = "shl.b32 %r4, %r1, 2; add.u32 %r4, %r4, %r2;"
                                "st.shared.u32 [%r4], %r1; ld.shared.u32 %r3, [%r4];" PTX_STORE};
    ptx_assert(&launch, of_thread);
    launch.body = ".shared .align 4 .b8 a[128]; mov.u32 %r5, a; shl.b32 %r6, %r1, 2;"
                  "add.u32 %r4, %r6, %r2; add.u32 %r5, %r5, %r6; st.shared.u32 [%r4], %r1;"
                  "st.shared.u32 [%r5], 77; ld.shared.u32 %r3, [%r4];" PTX_STORE;
    ptx_assert(&launch, of_thread);
    launch.machine = TRUE;
    ptx_assert(&launch, of_thread);
    launch.machine = FALSE;
    launch.body = "st.shared.u32 [%r2+128], %r1;";
    fails(&launch, "x.ptx:11: thread (0,0,0) of group (0,0,0) writes 4 bytes at 0x80 of .shared "
                   "memory (128 bytes), right behind the end of all that it has");
}

static guint32 of_two(guint t, guint n)
{
    return 11 + t + n;
}

static void test_constants(void)
{
    PtxLaunch launch = {.n = 7,
                        .before = ".const .u32 c[2] = {1, 2};\n.const .u32 d[2] = {10, 20};\n",
                        .body = "ld.const.u32 %r4, [c]; ld.const.u32 %r5, [d];"
                                "add.u32 %r3, %r4, %r5; add.u32 %r3, %r3, %r1;"
                                "add.u32 %r3, %r3, %r2;" PTX_STORE};
    ptx_assert(&launch, of_two);
    launch.body = "ld.const.u32 %r4, [c+8];";
    fails(&launch, "x.ptx:13: thread (0,0,0) of group (0,0,0) reads 4 bytes at 0x8 of .const "
                   "memory, right behind the end of \"c\", the nearest buffer (8 bytes)");
}

/* ---- what others see ------------------------------------------------------------------------ */

static void note_shared(gpointer data, const PsPtxEvent *event)
{
    GArray *addresses = data;
    if (event->memory && event->space == PS_PTX_SHARED)
        g_array_append_val(addresses, event->address[1]);
}

/* Events have places in the group's memory. */
static void test_places(void)
{
    g_autoptr(GArray) addresses = g_array_new(FALSE, FALSE, sizeof(guint64));
    const PsPtxListener listener = {.data = addresses, .executed = note_shared};
    g_autoptr(GError) error = NULL;
    const PtxLaunch launch = {.listener = &listener,
                              .any_warning = TRUE,
                              .body = ARRAYS "and.b32 %r6, %r1, 1; shl.b32 %r6, %r6, 2;"
                                             "add.u32 %r4, %r4, %r6; add.u32 %r5, %r5, %r6;"
                                             "st.shared.u32 [%r4], %r1; st.shared.u32 [%r5+8], %r1;"
                                             "setp.eq.u32 %p1, %r1, 1; @%p1 ld.u32 %r3, [%rd4+12];"
                                             "@%p1 st.global.u32 [%rd2], %r3; ret;"};
    g_free(ptx_launch(&launch, &error));
    g_assert_no_error(error);
    g_assert_cmpuint(addresses->len, ==, 3);
    g_assert_cmphex(g_array_index(addresses, guint64, 0), ==, 4);
    g_assert_cmphex(g_array_index(addresses, guint64, 1), ==, 64 + 12);
    g_assert_cmphex(g_array_index(addresses, guint64, 2), ==, 12);
}

static guint32 nothing(guint t, guint n)
{
    (void)t;
    return n;
}

/* Machine code names no arrays, and reads up to the end of the unit in which devices give memory.
 */
static void test_machine(void)
{
    PtxLaunch launch = {.machine = TRUE,
                        .any_warning = TRUE,
                        .body = ARRAYS "st.shared.v4.u32 [%r4+64], {%r2, %r2, %r2, %r2};"
                                       "ld.shared.u32 %r3, [64];" PTX_STORE};
    ptx_assert(&launch, nothing);
    launch.body = ".shared .align 4 .b8 a[12]; ld.shared.v4.u32 {%r3, %r4, %r5, %r6}, [a];"
                  "ld.shared.u32 %r3, [124];" PTX_STORE;
    ptx_assert(&launch, nothing);
    launch.body = ".shared .align 4 .b8 a[12]; mov.u32 %r4, a; ld.shared.u32 %r3, [128];";
    fails(&launch, "x.ptx at 0xb: thread (0,0,0) of group (0,0,0) reads 4 bytes at 0x80 of .shared "
                   "memory (12 bytes), 116 bytes behind the end of all that it has; if the array "
                   "that is meant is extern, the launch gives its size");
    launch.dynamic_shared = 16;
    fails(&launch, "x.ptx at 0xb: thread (0,0,0) of group (0,0,0) reads 4 bytes at 0x80 of .shared "
                   "memory (32 bytes), 96 bytes behind the end of all that it has");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-run-apart/buffers", test_buffers);
    g_test_add_func("/ptx-run-apart/many", test_many);
    g_test_add_func("/ptx-run-apart/narrow", test_narrow);
    g_test_add_func("/ptx-run-apart/far", test_far);
    g_test_add_func("/ptx-run-apart/shared", test_shared);
    g_test_add_func("/ptx-run-apart/extern", test_extern);
    g_test_add_func("/ptx-run-apart/place", test_place);
    g_test_add_func("/ptx-run-apart/constants", test_constants);
    g_test_add_func("/ptx-run-apart/places", test_places);
    g_test_add_func("/ptx-run-apart/machine", test_machine);
    return g_test_run();
}
