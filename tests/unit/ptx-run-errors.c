/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The executor: what it says of launches and kernels that are wrong.
 */
#include "base/message.h"
#include "tests/help/ptx-launch.h"
#include <string.h>

/* ---- addresses ------------------------------------------------------------------------------ */

static void fails(const char *body, const char *message)
{
    ptx_assert_fails(&(PtxLaunch){.body = body, .words = 1024, .block = {8, 4}}, PS_ERROR_VALUE,
                     message);
}

static void test_global(void)
{
    fails("st.global.u32 [%rd1+4096], %r1; ret;",
          "x.ptx:11: thread (0,0,0) of group (0,0,0) writes 4 bytes at 0x700001000 of .global "
          "memory, right behind the end of \"out\", the nearest buffer (4096 bytes)");
    fails("mov.u32 %r4, %tid.y; mul.wide.u32 %rd3, %r4, 1400; add.u64 %rd3, %rd1, %rd3;\n"
          ".loc 1 17 3\nld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%rd3-16];",
          "x.ptx:13: thread (0,0,0) of group (0,0,0) reads 16 bytes at 0x6fffffff0 of .global "
          "memory, 16 bytes before \"out\", the nearest buffer (4096 bytes)");
    fails("mov.u32 %r4, %tid.y; mul.wide.u32 %rd3, %r4, 1400; add.u64 %rd3, %rd1, %rd3;"
          "ld.global.u64 %rd4, [%rd3];",
          "x.ptx:11: thread (0,3,0) of group (0,0,0) reads 8 bytes at 0x700001068 of .global "
          "memory, 104 bytes behind the end of \"out\", the nearest buffer (4096 bytes)");
    fails("ld.global.u64 %rd4, [%rd1+4092];",
          "x.ptx:11: thread (0,0,0) of group (0,0,0) reads 8 bytes at 0x700000ffc of .global "
          "memory, which is no multiple of 8");
    fails("mov.u64 %rd3, 0; ld.u32 %r4, [%rd3];",
          "x.ptx:11: thread (0,0,0) of group (0,0,0) reads 4 bytes at 0x0 of .global memory, "
          "which a pointer that is zero leads to");
    fails("atom.global.add.u32 %r4, [%rd1+-4], 1;",
          "x.ptx:11: thread (0,0,0) of group (0,0,0) writes 4 bytes at 0x6fffffffc of .global "
          "memory, 4 bytes before \"out\", the nearest buffer (4096 bytes)");
}

static void test_other_spaces(void)
{
    fails(".shared .align 4 .b8 a[64]; .shared .align 4 .b8 b[64]; mov.u32 %r4, b; mov.u32 %r5, a;"
          "mad.lo.u32 %r4, %r1, 32, %r4; ld.shared.u32 %r5, [%r4];",
          "x.ptx:11: thread (2,0,0) of group (0,0,0) reads 4 bytes at 0x40 of .shared memory (128 "
          "bytes), right behind the end of \"b\", the nearest buffer (64 bytes)");
    fails(
        ".shared .align 4 .b8 a[64]; mov.u32 %r4, a; ld.shared.u32 %r5, [%r4+-8];",
        "x.ptx:11: thread (0,0,0) of group (0,0,0) reads 4 bytes at 0xfffffffffffffff8 of .shared "
        "memory (64 bytes), 8 bytes before \"a\", the nearest buffer (64 bytes)");
    fails(".shared .align 4 .b8 _ZZ1kPfE4tile[64]; mov.u32 %r4, _ZZ1kPfE4tile; "
          "ld.shared.u32 %r5, [%r4+64];",
          "x.ptx:11: thread (0,0,0) of group (0,0,0) reads 4 bytes at 0x40 of .shared memory (64 "
          "bytes), right behind the end of \"tile\", the nearest buffer (64 bytes)");
    fails(".local .align 4 .b8 a[64]; st.local.u32 [a+72], %r1;",
          "x.ptx:11: thread (0,0,0) of group (0,0,0) writes 4 bytes at 0x48 of .local memory (64 "
          "bytes), 8 bytes behind the end of \"a\", the nearest buffer (64 bytes)");
    fails(".local .align 4 .b8 a[64]; mov.u64 %rd4, a; mul.wide.u32 %rd5, %r1, 32;"
          "add.u64 %rd4, %rd4, %rd5; st.local.u32 [%rd4], %r1;",
          "x.ptx:11: thread (2,0,0) of group (0,0,0) writes 4 bytes at 0x40 of .local memory (64 "
          "bytes), right behind the end of \"a\", the nearest buffer (64 bytes)");
    fails(".local .align 8 .b8 a[12]; st.local.u64 [a+8], %rd1;", /* begins inside */
          "x.ptx:11: thread (0,0,0) of group (0,0,0) writes 8 bytes at 0x8 of .local memory (12 "
          "bytes), with its last 4 bytes behind the end of \"a\", the nearest buffer (12 bytes)");
    fails(".local .align 4 .b8 a[2]; st.local.u32 [a], %r1;", /* larger than all of it */
          "x.ptx:11: thread (0,0,0) of group (0,0,0) writes 4 bytes at 0x0 of .local memory (2 "
          "bytes), with its last 2 bytes behind the end of \"a\", the nearest buffer (2 bytes)");
    fails("ld.shared.u32 %r5, [0];",
          "x.ptx:11: thread (0,0,0) of group (0,0,0) reads 4 bytes at 0x0 of .shared memory (0 "
          "bytes), which has none there");
    fails("mov.b64 %rd4, out; ld.param.u32 %r4, [%rd4+12];",
          "x.ptx:11: thread (0,0,0) of group (0,0,0) reads 4 bytes at 0xc of .param memory (12 "
          "bytes), which has none there");
}

static void test_constant(void)
{
    PtxLaunch launch = {.before = ".const .u32 c[2] = {1, 2};\n",
                        .body = "mov.u64 %rd4, c; cvta.const.u64 %rd4, %rd4; st.u32 [%rd4], %r1;"};
    ptx_assert_fails(&launch, PS_ERROR_VALUE,
                     "x.ptx:12: thread (0,0,0) of group (0,0,0) writes to constant memory");
    launch.body = "ld.const.u32 %r4, [c+8];";
    ptx_assert_fails(&launch, PS_ERROR_VALUE,
                     "x.ptx:12: thread (0,0,0) of group (0,0,0) reads 4 bytes at 0x8 of .const "
                     "memory, right behind the end of \"c\", the nearest buffer (8 bytes)");
    launch.body = "ld.const.u32 %r4, [%rd1];"; /* as OpenCL's arguments in __constant memory */
    ptx_assert_fails(&launch, PS_ERROR_VALUE,
                     "x.ptx:12: thread (0,0,0) of group (0,0,0) reads 4 bytes at 0x700000000 of "
                     ".const memory, where arguments such as \"out\" cannot be yet; with __global "
                     "const in place of __constant there is an answer, for loads of global memory");
    launch.body = "ld.const.u32 %r4, [c+8];";
    launch.machine = TRUE;
    ptx_assert_fails(&launch, PS_ERROR_VALUE,
                     "x.ptx at 0xc: thread (0,0,0) of group (0,0,0) reads 4 bytes at 0x8 of .const "
                     "memory (8 bytes), right behind the end of all that it has");
}

static void test_source_line(void)
{
    ptx_assert_fails(&(PtxLaunch){.before = ".file 1 \"dir/k.cu\"\n",
                                  .grid = {2, 2, 1},
                                  .body = ".loc 1 17 3\nmov.u32 %r4, %ctaid.y;"
                                          "setp.eq.u32 %p1, %r4, 1; @%p1 trap; ret;"},
                     PS_ERROR_VALUE, "dir/k.cu:17: thread (0,0,0) of group (0,1,0) came to a trap");
}

/* ---- loops ---------------------------------------------------------------------------------- */

static void test_endless(void)
{
    ptx_assert_fails(&(PtxLaunch){.before = ".file 1 \"k.cu\"\n",
                                  .most_instructions = 5000,
                                  .body = ".loc 1 3 1\nmov.u32 %r3, 0;\nOUTER:\n.loc 1 5 1\n"
                                          "mov.u32 %r4, 0;\nINNER:\n.loc 1 7 1\n"
                                          "add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 1000000;\n"
                                          "@%p1 bra INNER; bra OUTER;"},
                     PS_ERROR_LIMIT,
                     "kernel \"k\": thread (0,0,0) of group (0,0,0) is not done after 5000 warp "
                     "instructions of the group; it is in the loop at k.cu:7 (inside the loop at "
                     "k.cu:5); a higher limit lets it run on");
    ptx_assert_fails(
        &(PtxLaunch){.most_instructions = 100000, .block = {1024}, .body = "L: bra L;"},
        PS_ERROR_LIMIT,
        "kernel \"k\": thread (768,0,0) of group (0,0,0) is not done after 100000 warp "
        "instructions of the group; it is in the loop at x.ptx:11; a higher limit lets it run on");
}

/* A stack that grows while the code runs, as by alloca. */
static void test_below_stack(void)
{
    PtxLaunch launch = {.machine = TRUE, .body = "mov.u32 %r4, -16; st.local.u32 [%r4], %r1; ret;"};
    g_autoptr(GError) error = NULL, other = NULL;
    g_autofree guint32 *out = ptx_launch(&launch, &error);
    g_assert_nonnull(
        strstr(error->message, "(0 bytes), below the stack whose size the code states"));
    launch.body = "mov.u32 %r4, 16; st.local.u32 [%r4], %r1; ret;";
    g_autofree guint32 *none = ptx_launch(&launch, &other);
    g_assert_nonnull(strstr(other->message, "(0 bytes), which has none there"));
    g_assert_null(out);
    g_assert_null(none);
}

/* Memory of another group of the cluster, which machine code finds by its rank in the address. */
static void test_cluster(void)
{
    PtxLaunch launch = {.machine = TRUE,
                        .body = ".shared .b8 s[64]; mov.u32 %r4, 0x1000004; ld.shared.u32 %r3, "
                                "[%r4]; barrier.cluster.arrive; barrier.cluster.wait; ret;"};
    g_autoptr(GError) error = NULL, other = NULL;
    g_autofree guint32 *out = ptx_launch(&launch, &error);
    g_assert_nonnull(strstr(error->message, "where another group of its cluster would have its "
                                            "own, and the launch asks for no clusters"));
    launch.body = ".shared .b8 s[64]; mov.u32 %r4, 0x1000004; ld.shared.u32 %r3, [%r4]; ret;";
    g_autofree guint32 *none = ptx_launch(&launch, &other);
    g_assert_null(strstr(other->message, "cluster"));
    g_assert_null(out);
    g_assert_null(none);
}

/* What traps for want of a cooperative launch, with a source and without. */
static void test_grid(void)
{
    static const char message[] =
        "thread (0,0,0) of group (0,0,0) comes to a grid.sync() of cooperative groups, where all "
        "groups of the grid meet; groups are executed one by one, so let each part of the kernel "
        "between such meetings be a kernel of its own";
    g_autofree char *in_source = g_strconcat("h/cooperative_groups.h:9: ", message, NULL),
                    *in_ptx = g_strconcat("x.ptx:12: ", message, NULL);
    ptx_assert_fails(
        &(PtxLaunch){.before = ".file 1 \"k.cu\"\n.file 2 \"h/cooperative_groups.h\"\n",
                     .body = ".loc 1 3 1\nmov.u32 %r3, 0;\n.loc 2 9 1\ntrap;"},
        PS_ERROR_VALUE, in_source);
    ptx_assert_fails(&(PtxLaunch){.body = "mov.u32 %r3, %envreg2;\ntrap;"}, PS_ERROR_VALUE, in_ptx);
    ptx_assert_fails(&(PtxLaunch){.before = ".file 1 \"k.cu\"\n",
                                  .body = ".loc 1 3 1\nmov.u32 %r3, %envreg2;\ntrap;"},
                     PS_ERROR_VALUE, "k.cu:3: thread (0,0,0) of group (0,0,0) came to a trap");
}

/* ---- calls ---------------------------------------------------------------------------------- */

static void test_calls(void)
{
    ptx_assert_fails(&(PtxLaunch){.before = ".func f();\n.func g() {\ncall f; ret; }\n"
                                            ".func f() {\ncall g; ret; }\n",
                                  .body = "call f; ret;"},
                     PS_ERROR_VALUE,
                     "x.ptx:6: recursion is not supported: \"f\" is called while it runs");
    ptx_assert_fails(&(PtxLaunch){.before = ".func f() { ret; }\n",
                                  .body = "mov.u64 %rd4, f;\nP: .callprototype _ ();\n"
                                          "add.u64 %rd4, %rd4, 16;\ncall %rd4, P; ret;"},
                     PS_ERROR_VALUE,
                     "x.ptx:15: thread (0,0,0) of group (0,0,0) calls what 0x2b610 leads to, where "
                     "the code has no function with these parameters");
    ptx_assert_fails(&(PtxLaunch){.before = ".func f(.param .u64 p) {\n.reg .b64 %p, %q;\n"
                                            "ld.param.u64 %p, [p];\nmov.u64 %q, f;\n"
                                            "P: .callprototype _ (.param .u64 p);\n"
                                            "call %q, (p), P; ret; }\n",
                                  .body = "mov.u64 %rd4, f;\nP: .callprototype _ (.param .u64 p);\n"
                                          ".param .u64 p;\nst.param.u64 [p], 0;\n"
                                          "call %rd4, (p), P; ret;"},
                     PS_ERROR_VALUE,
                     "x.ptx:9: thread (0,0,0) of group (0,0,0) calls a function through a pointer "
                     "while that runs, and recursion is not supported");
    ptx_assert_fails(&(PtxLaunch){.before = ".extern .func f();\n", .body = "call f; ret;"},
                     PS_ERROR_VALUE,
                     "x.ptx:12: function \"f\" is called, but the module has no body of it");
    ptx_assert_fails(
        &(PtxLaunch){.before = ".extern .func _Z11read_imagef();\n",
                     .body = "call _Z11read_imagef; ret;"},
        PS_ERROR_VALUE,
        "x.ptx:12: images are not known to pipesim, which \"_Z11read_imagef\" reads or writes; a "
        "buffer in place of the image is");
}

/* ---- launches ------------------------------------------------------------------------------- */

static const char *const kernel_text =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry k(.param .u64 .ptr .global .align 4 out, .param .u32 n,\n"
    " .param .align 8 .b8 s[16]) .maxntid 64, 2, 1 { ret; }\n"
    ".visible .entry q() .reqntid 32, 2 { ret; }\n"
    ".visible .entry c() .explicitcluster .reqnctapercluster 2, 3 { ret; }\n"
    ".visible .entry b() .blocksareclusters .reqntid 32 .reqnctapercluster 2, 3 { ret; }\n"
    ".visible .entry l() .reqnctapercluster 3, 3 { ret; }\n";

static void machine_fails(const PsPtxLaunch *launch, const char *kernel, const char *message)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsPtxModule) module = ps_ptx_parse(kernel_text, strlen(kernel_text), "x.ptx", &error);
    PsPtxLaunch with = *launch;
    g_assert_no_error(error);
    with.kernel = ps_ptx_kernel(module, kernel, &error);
    g_assert_no_error(error);
    g_autoptr(PsPtxMachine) machine = ps_ptx_machine_new(module, &with, &error);
    if (!message) {
        g_assert_no_error(error);
        return;
    }
    g_assert_null(machine);
    g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
    if (error)
        g_assert_cmpstr(error->message, ==, message);
}

static void test_arguments(void)
{
    guint8 data[16] = {0};
    PsPtxArgument arguments[3] = {{.name = "out", .data = data, .size = 16},
                                  {.name = "n", .bits = 4},
                                  {.name = "s", .bytes = data, .size = 16}};
    PsPtxLaunch launch = {
        .grid = {1, 1, 1}, .block = {128, 1, 1}, .n_arguments = 3, .arguments = arguments};
    machine_fails(&launch, "k", NULL);
    launch.n_arguments = 1;
    machine_fails(&launch, "k",
                  "kernel \"k\" takes 3 arguments, not 1; its parameters are: out (.u64, a "
                  "pointer), n (.u32), s (.b8, 16 bytes)");
    machine_fails(&launch, "q",
                  "kernel \"q\" requires groups of 32x2x1 threads (.reqntid), not 128x1x1");
    launch.n_arguments = 3;
    PsPtxField field = {.name = "s+8", .offset = 8, .data = data, .size = 16};
    arguments[2].fields = &field;
    arguments[2].n_fields = 1;
    machine_fails(&launch, "k", NULL);
    field.offset = 9;
    machine_fails(&launch, "k",
                  "\"s+8\", a buffer at byte 9 of a parameter of 16 bytes: an address of 8 bytes "
                  "does not fit there");
    arguments[2].n_fields = 0;
    arguments[2].size = 12;
    machine_fails(&launch, "k",
                  "argument 3, \"s\", must be 16 bytes; the parameters of kernel \"k\" are: out "
                  "(.u64, a pointer), n (.u32), s (.b8, 16 bytes)");
    arguments[2] = (PsPtxArgument){.name = "s", .data = data, .size = 16};
    machine_fails(&launch, "k",
                  "argument 3, \"s\", is a buffer, but the parameter is no address; the parameters "
                  "of kernel \"k\" are: out (.u64, a pointer), n (.u32), s (.b8, 16 bytes)");
}

static void test_clusters(void)
{
    PsPtxLaunch launch = {.grid = {8, 9, 5}, .block = {32, 1, 1}};
    machine_fails(&launch, "c", NULL);
    launch.grid[0] = 7;
    machine_fails(&launch, "c",
                  "kernel \"c\" has clusters of 2x3x1 groups (.reqnctapercluster), of which a grid "
                  "of 7x9x5 groups is no multiple, so that no GPU launches it");
    machine_fails(&launch, "b",
                  "kernel \"b\" has its grid counted in clusters (.blocksareclusters), of 2x3x1 "
                  "groups, and only grids that count groups are executed");
    machine_fails(
        &launch, "l",
        "kernel \"l\" has clusters of 3x3x1 groups (.reqnctapercluster), and 8 groups are "
        "the most that a GPU launches, unless the host allows this kernel more, which its "
        "code does not tell");
    launch.grid[0] = 8;
    launch.grid[1] = 10;
    machine_fails(&launch, "c",
                  "kernel \"c\" has clusters of 2x3x1 groups (.reqnctapercluster), of which a grid "
                  "of 8x10x5 groups is no multiple, so that no GPU launches it");
}

static void test_sizes(void)
{
    PsPtxLaunch launch = {.grid = {1, 1, 1}, .block = {32, 2, 1}};
    machine_fails(&launch, "q", NULL);
    launch.block[2] = 65;
    machine_fails(&launch, "q", "a group of 32x2x65 threads: z must be from 1 to 64");
    launch.block[2] = 17;
    machine_fails(&launch, "q", "a group of 32x2x17 is 1088 threads, and 1024 are the most");
    launch.block[2] = 1;
    launch.grid[1] = 0;
    machine_fails(&launch, "q", "a grid of 1x0x1 groups: y must be from 1 to 65535");
    launch.grid[1] = 1;
    launch.block[1] = 5;
    machine_fails(&launch, "k", "kernel \"k\" allows groups of 128 threads (.maxntid), not 160");
}

static void test_group(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsPtxModule) module = ps_ptx_parse(kernel_text, strlen(kernel_text), "x.ptx", &error);
    PsPtxLaunch launch = {
        .kernel = ps_ptx_kernel(module, "q", &error), .grid = {3, 1, 1}, .block = {32, 2, 1}};
    g_autoptr(PsPtxMachine) machine = ps_ptx_machine_new(module, &launch, &error);
    const guint group[] = {3, 0, 0};
    g_assert_no_error(error);
    g_assert_false(ps_ptx_run_group(machine, group, NULL, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
    g_assert_cmpstr(error->message, ==, "there is no group (3,0,0) in a grid of 3x1x1 groups");
}

static void test_limits(void)
{
    ptx_assert_fails(&(PtxLaunch){.body = ".local .b8 l[134217728]; st.local.u8 [l], 0; ret;"},
                     PS_ERROR_LIMIT,
                     "kernel \"k\" with 32 threads per group needs more than 2147483648 bytes of "
                     "registers or local memory");
    ptx_assert_fails(&(PtxLaunch){.dynamic_shared = 1 << 25, .body = "ret;"}, PS_ERROR_LIMIT,
                     "kernel \"k\" with 33554432 bytes of dynamic shared memory takes more than "
                     "16777216 bytes of it in all");
    ptx_assert_fails(&(PtxLaunch){.before = ".global .b8 g[2147483648];\n", .body = "ret;"},
                     PS_ERROR_LIMIT,
                     "x.ptx:4: the module's variables up to \"g\" take more than 1073741824 bytes");
}

/* What the run says of an instruction that nobody knows, by what its result decides. */
static void test_unknown(void)
{
    static const struct {
        const char *behind, *decides;
    } rows[] = {
        {"st.global.u32 [%rd2], %r4; ret;", "what is stored at x.ptx:12"},
        {"add.u32 %r5, %r4, 1;\nmul.wide.u32 %rd3, %r5, 4;\nld.global.u32 %r6, [%rd3]; ret;",
         "the address at x.ptx:14"},
        {"st.global.u32 [%rd2], %r4;\nsetp.eq.u32 %p1, %r4, 0;\n@%p1 bra L;\nL: ret;",
         "the branch at x.ptx:14"},
        {"bar.sync %r4; ret;", "the barrier at x.ptx:12"},
        {"mov.u32 %r4, 0;\nst.global.u32 [%rd2], %r4; ret;", "what the kernel computes"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *body = g_strconcat("txq.width.b32 %r4, [%rd1];\n", rows[i].behind, NULL);
        g_autofree char *message =
            g_strconcat("x.ptx:11: txq.width.b32 is not known to pipesim, and its results decide ",
                        rows[i].decides, NULL);
        fails(body, message);
    }
    fails("multimem.cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], 16; ret;",
          "x.ptx:11: multimem.cp.async.bulk.global.shared::cta.bulk_group is not known to pipesim, "
          "and its results decide what memory holds and who waits for it");
    fails("mov.u32 %r4, 0;\nL: add.u32 %r5, %r4, 1;\nsetp.lt.u32 %p1, %r5, 9;\n"
          "txq.width.b32 %r4, [%rd1];\n@%p1 bra L;\nret;",
          "x.ptx:14: txq.width.b32 is not known to pipesim, and its results decide the branch at "
          "x.ptx:15");
}

static guint32 thread(guint t, guint n)
{
    return t + n;
}

/* A launch that asks for it goes on without what such instructions do. */
static void test_partial(void)
{
    ptx_assert(&(PtxLaunch){.body = "mov.u32 %r3, %r1; txq.width.b32 %r3, [%rd1];" PTX_STORE,
                            .partial = TRUE},
               thread);
}

static guint32 of_division(guint t, guint n)
{
    (void)n;
    return t == 0 ? G_MAXUINT32 : 100 / t;
}

/* What is allowed and hardly ever meant is a warning. */
static void test_warned(void)
{
    ptx_assert(
        &(PtxLaunch){.body = "mov.u32 %r4, 100; div.u32 %r3, %r4, %r1;" PTX_STORE,
                     .warning =
                         "x.ptx:11: thread (0,0,0) of group (0,0,0) divides a whole number by 0"},
        of_division);
    ptx_assert(&(PtxLaunch){.body = "mov.u32 %r4, 100; add.u32 %r5, %r1, 1; div.u32 %r5, %r4, "
                                    "%r5; rem.u32 %r5, %r5, 7; mov.u32 %r3, %r1;" PTX_STORE},
               thread);
    ptx_assert(&(PtxLaunch){.body = "mov.u32 %r4, 0xffff; shfl.sync.idx.b32 %r5, %r1, 0, 31, %r4; "
                                    "mov.u32 %r3, %r1;" PTX_STORE,
                            .warning = "x.ptx:11: thread (16,0,0) of group (0,0,0) executes "
                                       "shfl.sync.idx.b32, whose mask 0x0000ffff leaves out its "
                                       "lane, 16"},
               thread);
    ptx_assert(&(PtxLaunch){.body = "mov.u32 %r3, %r1; vote.sync.ballot.b32 %r4, 1, 1;" PTX_STORE,
                            .warning = "leaves out its lane, 1; what"},
               thread);
    ptx_assert(&(PtxLaunch){.body = "mov.u32 %r4, -1; mov.u32 %r3, %r1; vote.sync.ballot.b32 %r5, "
                                    "1, %r4; redux.sync.add.u32 %r5, %r1, -1;" PTX_STORE},
               thread);
    ptx_assert(&(PtxLaunch){.body = "mov.u32 %r3, %r1; setp.gt.u32 %p1, %r1, 3; @%p1 bra DONE;\n"
                                    "shfl.sync.bfly.b32 %r4, %r1, 1, 31, -1;\nDONE:" PTX_STORE,
                            .warning = "x.ptx:12: thread (4,0,0) of group (0,0,0) is named by the "
                                       "mask 0xffffffff of shfl.sync.bfly.b32 as lane 4, and does "
                                       "not execute it with the others"},
               thread);
    /* as the assembler divides */
    ptx_assert(&(PtxLaunch){.body = "cvt.rp.f32.u32 %f1, %r1; rcp.approx.ftz.f32 %f1, %f1; "
                                    "mov.u32 %r3, %r1;" PTX_STORE,
                            .machine = TRUE,
                            .warning = "thread (0,0,0) of group (0,0,0) takes the reciprocal of a "
                                       "whole number that is 0"},
               thread);
    ptx_assert(&(PtxLaunch){.body = "cvt.rp.f32.u32 %f1, %r1; mov.u32 %r3, %r1;" PTX_STORE,
                            .machine = TRUE},
               thread);
}

/* The assembler divides numbers of 16 bits by a scaled reciprocal whose bits it changes. A
 * reciprocal whose bits stay is one of singles. */
static void test_warned_halves(void)
{
#define SCALED                                                                                     \
    "cvt.rn.f32.u32 %f1, %r1; mov.f32 %f2, 0f4B800000; mul.f32 %f1, %f1, %f2; "                    \
    "rcp.approx.ftz.f32 %f1, %f1; mul.f32 %f1, %f2, %f1; "
    ptx_assert(&(PtxLaunch){.body = SCALED "mov.b32 %r4, %f1; add.u32 %r4, %r4, 2; "
                                           "mov.u32 %r3, %r1;" PTX_STORE,
                            .machine = TRUE},
               thread);
    ptx_assert(&(PtxLaunch){.body = SCALED "add.u32 %r4, %f1, 2; mov.u32 %r3, %r1;" PTX_STORE,
                            .machine = TRUE,
                            .warning = "thread (0,0,0) of group (0,0,0) takes the reciprocal of a "
                                       "whole number that is 0"},
               thread);
    ptx_assert(&(PtxLaunch){.body = SCALED "add.u32 %r4, %f1, 1; mov.u32 %r3, %r1;" PTX_STORE,
                            .machine = TRUE},
               thread);
#undef SCALED
}

/* A breakpoint is the trap that machine code has in its place; nobody meets one that is guarded. */
static void test_breakpoint(void)
{
    fails("brkpt;", "x.ptx:11: thread (0,0,0) of group (0,0,0) came to a breakpoint, which without "
                    "a debugger is a trap");
    ptx_assert(
        &(PtxLaunch){.body =
                         "mov.u32 %r3, %r1; setp.eq.u32 %p1, %r1, 4096; @%p1 brkpt; " PTX_STORE},
        thread);
}

/* What has no effect but on time is known by its name. */
static void test_no_effect(void)
{
    static const char *const names[] = {"pmevent 1",
                                        "membar.gl",
                                        "membar.sys",
                                        "fence.sc.gpu",
                                        "fence.proxy.async",
                                        "nanosleep.u32 5",
                                        "setmaxnreg.inc.sync.aligned.u32 64",
                                        "griddepcontrol.wait",
                                        "prefetch.global.L2 [%rd1]",
                                        "prefetchu.L1 [%rd1]",
                                        "discard.global.L2 [%rd1], 128",
                                        "applypriority.global.L2::evict_normal [%rd1], 128",
                                        "wgmma.fence.sync.aligned",
                                        "wgmma.commit_group.sync.aligned",
                                        "wgmma.wait_group.sync.aligned 0",
                                        "tcgen05.fence::before_thread_sync",
                                        "tcgen05.wait::ld.sync.aligned",
                                        "cp.async.commit_group"};
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *body = g_strdup_printf("mov.u32 %%r3, %%r1; %s; %s", names[i], PTX_STORE);
        ptx_assert(&(PtxLaunch){.body = body}, thread);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-run-errors/global", test_global);
    g_test_add_func("/ptx-run-errors/other-spaces", test_other_spaces);
    g_test_add_func("/ptx-run-errors/constant", test_constant);
    g_test_add_func("/ptx-run-errors/source-line", test_source_line);
    g_test_add_func("/ptx-run-errors/endless", test_endless);
    g_test_add_func("/ptx-run-errors/grid", test_grid);
    g_test_add_func("/ptx-run-errors/cluster", test_cluster);
    g_test_add_func("/ptx-run-errors/calls", test_calls);
    g_test_add_func("/ptx-run-errors/arguments", test_arguments);
    g_test_add_func("/ptx-run-errors/clusters", test_clusters);
    g_test_add_func("/ptx-run-errors/sizes", test_sizes);
    g_test_add_func("/ptx-run-errors/group", test_group);
    g_test_add_func("/ptx-run-errors/limits", test_limits);
    g_test_add_func("/ptx-run-errors/unknown", test_unknown);
    g_test_add_func("/ptx-run-errors/partial", test_partial);
    g_test_add_func("/ptx-run-errors/below-stack", test_below_stack);
    g_test_add_func("/ptx-run-errors/warned", test_warned);
    g_test_add_func("/ptx-run-errors/warned-halves", test_warned_halves);
    g_test_add_func("/ptx-run-errors/no-effect", test_no_effect);
    g_test_add_func("/ptx-run-errors/breakpoint", test_breakpoint);
    return g_test_run();
}
