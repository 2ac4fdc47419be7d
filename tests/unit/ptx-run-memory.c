/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The executor: loads, stores, addresses of all spaces, variables, atomics, copies.
 */
#include "base/message.h"
#include "tests/help/ptx-launch.h"

/* ---- loads and stores ----------------------------------------------------------------------- */

static guint32 vectors(guint word, guint n)
{
    return n + word / 4 + 7 * (word % 4);
}

static guint32 narrow(guint t, guint n)
{
    gint8 byte = (gint8)(t * 11 + n);
    gint16 two = (gint16)(byte * 300);
    return (guint32)byte + (guint32)two + (guint8)byte + ((guint16)(gint16)byte << 8);
}

static const PtxLaunchCase accesses[] = {
    {"/ptx-run-memory/vectors",
     vectors,
     {.n = 3,
      .words = 128,
      .body = "mul.wide.u32 %rd3, %r1, 16; add.u64 %rd3, %rd1, %rd3; add.u32 %r4, %r1, %r2;"
              "add.u32 %r5, %r4, 7; add.u32 %r6, %r4, 14; add.u32 %r7, %r4, 21;"
              "st.global.v4.u32 [%rd3], {%r4, %r5, %r6, %r7};"
              "ld.global.v2.u32 {%r8, %r9}, [%rd3+8]; ld.global.v2.b32 {_, %r10}, [%rd3];"
              "st.global.v2.u32 [%rd3+8], {%r8, %r9}; st.global.u32 [%rd3+4], %r10; ret;"}},
    {"/ptx-run-memory/narrow",
     narrow,
     {.n = 1,
      .body = "mad.lo.u32 %r4, %r1, 11, %r2; st.global.u8 [%rd2], %r4;"
              "ld.global.s8 %r5, [%rd2]; ld.global.u8 %r6, [%rd2]; ld.global.s8 %h1, [%rd2];"
              "mul.lo.s32 %r7, %r5, 300; st.global.b16 [%rd2+2], %r7; ld.global.s16 %r8, [%rd2+2];"
              "cvt.u32.u16 %r9, %h1; shl.b32 %r9, %r9, 8;"
              "add.u32 %r3, %r5, %r8; add.u32 %r3, %r3, %r6; add.u32 %r3, %r3, %r9;" PTX_STORE}}};

/* What a load gives a register: a number of `bits` bits, with a sign or without, of which the
 * register has `wide`. */
static guint64 loaded(guint64 memory, guint bits, gboolean is_signed, guint wide)
{
    const guint64 value = bits == 64 ? memory : memory & ((G_GUINT64_CONSTANT(1) << bits) - 1);
    const guint64 sign = G_GUINT64_CONSTANT(1) << (bits - 1);
    const guint64 number = is_signed ? (value ^ sign) - sign : value;
    return wide == 64 ? number : number & ((G_GUINT64_CONSTANT(1) << wide) - 1);
}

#define TABLE 1024 /* bytes, whose values follow from their places */

static guint8 table_at(guint at)
{
    return (guint8)(at * 37 + (at >> 3) * 91);
}

static char *table_text(void)
{
    GString *text = g_string_new(".global .align 16 .b8 g[1024] = {");
    for (guint i = 0; i < TABLE; i++)
        g_string_append_printf(text, "%s%u", i ? "," : "", table_at(i));
    return g_string_free(g_string_append(text, "};\n"), FALSE);
}

/* The second of two numbers, or the only one, that lanes below `lanes` load: from beside each
 * other, or apart. */
typedef struct {
    const char *type;
    guint wide, n, apart, lanes;
} Load;

static guint64 should_be(const Load *load, guint lane)
{
    const guint bits = (guint)g_ascii_strtoull(load->type + 1, NULL, 10), bytes = bits / 8;
    guint64 memory = 0;
    for (guint i = 0; i < bytes; i++)
        memory |= (guint64)table_at(((lane * load->apart + 1) * load->n - 1) * bytes + i) << 8 * i;
    return lane < load->lanes ? loaded(memory, bits, *load->type == 's', load->wide) : 0;
}

static void check_load(const Load *load)
{
    static const char *const to[][2] = {
        {"%h9", "{%h8,%h9}"}, {"%r9", "{%r8,%r9}"}, {NULL, NULL}, {"%rd9", "{%rd8,%rd9}"}};
    static const char *const whole[] = {"cvt.u64.u16 %rd8, %h9", "cvt.u64.u32 %rd8, %r9", NULL,
                                        "mov.u64 %rd8, %rd9"};
    const guint bytes = (guint)g_ascii_strtoull(load->type + 1, NULL, 10) / 8;
    g_autofree char *before = table_text();
    g_autofree char *body = g_strdup_printf(
        "mov.u64 %%rd8, 0; mov.u64 %%rd4, g; mad.wide.u32 %%rd5, %%r1, %u, %%rd4;"
        "setp.ge.u32 %%p1, %%r1, %u; @%%p1 bra OUT; ld.global%s.%s %s, [%%rd5]; %s;\n"
        "OUT: mad.wide.u32 %%rd3, %%r1, 8, %%rd1; st.global.u64 [%%rd3], %%rd8; ret;",
        load->n * bytes * load->apart, load->lanes, load->n == 1 ? "" : ".v2", load->type,
        to[load->wide / 16 - 1][load->n - 1], whole[load->wide / 16 - 1]);
    const PtxLaunch launch = {.before = before, .body = body, .words = 64};
    g_autoptr(GError) error = NULL;
    g_autofree guint32 *out = ptx_launch(&launch, &error);
    g_test_message("%s to %u bits, %u, %u apart, %u lanes", load->type, load->wide, load->n,
                   load->apart, load->lanes);
    g_assert_no_error(error);
    for (guint lane = 0; lane < 32; lane++)
        g_assert_cmphex(out[2 * lane] | (guint64)out[2 * lane + 1] << 32, ==,
                        should_be(load, lane));
}

/* Loads are tried of each type into each register that is wide enough. */
static void test_types(void)
{
    static const char *const types[] = {"u8",  "s8",  "b8",  "u16", "s16", "b16",
                                        "u32", "s32", "b32", "u64", "s64", "b64"};
    for (guint t = 0; t < G_N_ELEMENTS(types); t++)
        for (guint i = 0; i < 24; i++) {
            const Load load = {.type = types[t],
                               .wide = 16 << i % 3,
                               .n = i / 3 % 2 + 1,
                               .apart = i / 6 % 2 + 1,
                               .lanes = i / 12 ? 19 : 32};
            if (g_ascii_strtoull(types[t] + 1, NULL, 10) <= load.wide)
                check_load(&load);
        }
}

/* Numbers of each size, one, two or four of them, that lanes store beside each other or apart. */
static void check_stores(guint bytes, guint n, guint apart, guint lanes)
{
    static const char *const lists[] = {"%r5", "{%r5,%r6}", NULL, "{%r5,%r6,%r7,%r8}"};
    static const char *const vectors_of[] = {"", ".v2", NULL, ".v4"};
    const guint stride = n * bytes * apart;
    g_autofree char *body = g_strdup_printf(
        "mad.lo.u32 %%r5, %%r1, 3141592653, 16909060; add.u32 %%r6, %%r5, 57; add.u32 %%r7, %%r5, "
        "114;"
        "add.u32 %%r8, %%r5, 171; mad.wide.u32 %%rd5, %%r1, %u, %%rd1; setp.ge.u32 %%p1, %%r1, %u;"
        "@%%p1 ret; st.global%s.u%u [%%rd5], %s; ret;",
        stride, lanes, vectors_of[n - 1], 8 * bytes, lists[n - 1]);
    const PtxLaunch launch = {.body = body, .words = 512};
    g_autoptr(GError) error = NULL;
    g_autofree guint32 *out = ptx_launch(&launch, &error);
    guint8 should[512 * 4] = {0};
    g_assert_no_error(error);
    for (guint lane = 0; lane < lanes; lane++)
        for (guint i = 0; i < n * bytes; i++) {
            const guint32 value = lane * 3141592653U + 16909060 + 57 * (i / bytes);
            should[lane * stride + i] = (guint8)(value >> 8 * (i % bytes));
        }
    g_assert_cmpmem(out, sizeof should, should, sizeof should);
}

static void test_stores(void)
{
    for (guint bytes = 1; bytes <= 4; bytes *= 2)
        for (guint n = 1; n <= 4; n *= 2)
            for (guint i = 0; i < 4; i++)
                check_stores(bytes, n, i % 2 + 1, i / 2 ? 19 : 32);
}

/* A rule for caches is zero, in the lanes that make one. */
static guint32 policies(guint t, guint n)
{
    return t % 3 == 0 ? 0 : n;
}

static void test_policies(void)
{
    ptx_assert(&(PtxLaunch){.n = 9,
                            .body = "cvt.u64.u32 %rd3, %r2; rem.u32 %r4, %r1, 3;"
                                    "setp.eq.u32 %p1, %r4, 0;"
                                    "@%p1 createpolicy.fractional.L2::evict_last.b64 %rd3, 1.0;"
                                    "cvt.u32.u64 %r3, %rd3;" PTX_STORE},
               policies);
}

/* ---- spaces --------------------------------------------------------------------------------- */

static guint32 reversed(guint t, guint n)
{
    return (63 - t) * n;
}

static void test_shared(void)
{
    PtxLaunch launch = {
        .n = 9,
        .block = {64},
        .before = ".shared .align 4 .b8 before[12];\n",
        .body = ".shared .align 4 .b8 tile[256]; mov.u32 %r4, tile; shl.b32 %r5, %r1, 2;"
                "add.u32 %r6, %r4, %r5; mul.lo.u32 %r7, %r1, %r2; st.shared.u32 [%r6], %r7;"
                "bar.sync 0; sub.u32 %r6, %r4, %r5; ld.shared.u32 %r3, [%r6+252];" PTX_STORE};
    ptx_assert(&launch, reversed);
    launch.body = "mov.u64 %rd4, dyn; shl.b32 %r5, %r1, 2; cvt.u64.u32 %rd5, %r5;"
                  "add.u64 %rd6, %rd4, %rd5; mul.lo.u32 %r7, %r1, %r2; st.shared.u32 [%rd6], %r7;"
                  "bar.sync 0; sub.u64 %rd6, %rd4, %rd5; ld.shared.u32 %r3, [%rd6+252];" PTX_STORE;
    launch.before = ".extern .shared .align 16 .b8 dyn[];\n";
    launch.dynamic_shared = 256;
    ptx_assert(&launch, reversed);
}

static guint32 generic(guint t, guint n)
{
    return n + t + 2 * (t + 1) + 1000 + 0xf;
}

static guint32 local_array(guint t, guint n)
{
    return 16 * t + 120 + n;
}

static guint32 odd_bytes(guint t, guint n)
{
    return (t % 2 == 1 ? (t & ~0xffU) | 7 : t) + n;
}

static guint32 initial(guint t, guint n)
{
    static const guint32 table[] = {11, 22, 33, 44};
    return table[t % 4] + n + 0x01020304U;
}

static guint32 params(guint t, guint n)
{
    return n + (t < 32);
}

static const PtxLaunchCase spaces[] = {
    {"/ptx-run-memory/generic",
     generic,
     {.n = 4,
      .before = ".const .align 4 .u32 c[2] = {1, 1000};\n.global .align 4 .u32 g = 5;\n",
      .body = ".shared .align 4 .b8 s[128]; .local .align 4 .b8 l[8];"
              "mov.u32 %r4, s; mad.lo.u32 %r4, %r1, 4, %r4; cvt.u64.u32 %rd3, %r4;"
              "cvta.shared.u64 %rd4, %rd3; add.u32 %r5, %r1, %r2; st.u32 [%rd4], %r5;"
              "mov.u64 %rd5, l; cvta.local.u64 %rd6, %rd5; add.u32 %r6, %r1, 1;"
              "st.u32 [%rd6+4], %r6; ld.local.u32 %r7, [l+4]; ld.u32 %r8, [%rd6+4];"
              "mov.u64 %rd7, c; cvta.const.u64 %rd8, %rd7; ld.u32 %r9, [%rd8+4];"
              "ld.shared.u32 %r10, [%r4]; add.u32 %r3, %r10, %r7; add.u32 %r3, %r3, %r8;"
              "add.u32 %r3, %r3, %r9;"
              "isspacep.shared %p1, %rd4; selp.u32 %r11, 1, 0, %p1; add.u32 %r3, %r3, %r11;"
              "isspacep.local %p1, %rd6; selp.u32 %r11, 2, 0, %p1; add.u32 %r3, %r3, %r11;"
              "isspacep.global %p1, %rd1; selp.u32 %r11, 4, 0, %p1; add.u32 %r3, %r3, %r11;"
              "isspacep.global %p1, %rd4; selp.u32 %r11, 0, 8, %p1; add.u32 %r3, %r3, %r11;"
              "cvta.to.shared.u64 %rd9, %rd4; setp.ne.u64 %p1, %rd9, %rd3; @%p1 trap;"
              "st.u32 [%rd2], %r3; ret;"}},
    {"/ptx-run-memory/local",
     local_array,
     {.n = 2,
      .block = {70},
      .body = ".local .align 8 .b8 depot[64]; mov.u64 %rd4, depot; mov.u32 %r4, 0;"
              "FILL: mul.wide.u32 %rd5, %r4, 4; add.u64 %rd5, %rd4, %rd5; add.u32 %r5, %r1, %r4;"
              "st.local.u32 [%rd5], %r5; add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 16;"
              "@%p1 bra FILL; mov.u32 %r3, %r2;"
              "SUM: sub.u32 %r4, %r4, 1; mul.wide.u32 %rd5, %r4, 4; add.u64 %rd5, %rd4, %rd5;"
              "ld.local.u32 %r5, [%rd5]; add.u32 %r3, %r3, %r5; setp.ne.u32 %p1, %r4, 0;"
              "@%p1 bra SUM;" PTX_STORE}},
    {"/ptx-run-memory/local-lanes", /* each at an index of its own, and some of them alone */
     odd_bytes,
     {.n = 2,
      .block = {70},
      .body = ".local .align 4 .b8 depot[32]; mov.u64 %rd4, depot; and.b32 %r4, %r1, 7;"
              "mul.wide.u32 %rd5, %r4, 4; add.u64 %rd5, %rd4, %rd5; st.local.u32 [%rd5], %r1;"
              "and.b32 %r6, %r1, 1; setp.eq.u32 %p1, %r6, 1; mov.u32 %r7, 7;"
              "@%p1 st.local.u8 [%rd5], %r7; ld.local.u32 %r5, [%rd5];"
              "add.u32 %r3, %r2, %r5;" PTX_STORE}},
    {"/ptx-run-memory/variables",
     initial,
     {.n = 2,
      .before = ".global .align 4 .u32 table[4] = {11, 22, 33, 44};\n"
                ".const .align 8 .u64 at[2] = {table, generic(table)+4};\n"
                ".global .align 4 .b8 bytes[4] = {4, 3, 2, 1};\n",
      .body = "ld.const.u64 %rd4, [at]; ld.const.u64 %rd5, [at+8]; sub.u64 %rd5, %rd5, 4;"
              "setp.ne.u64 %p1, %rd4, %rd5; @%p1 trap;"
              "and.b32 %r4, %r1, 3; mul.wide.u32 %rd6, %r4, 4; add.u64 %rd4, %rd4, %rd6;"
              "ld.global.u32 %r3, [%rd4]; ld.global.u32 %r5, [bytes]; add.u32 %r3, %r3, %r5;"
              "add.u32 %r3, %r3, %r2;" PTX_STORE}},
    {"/ptx-run-memory/param-addresses",
     params,
     {.n = 41,
      .body = "mov.b64 %rd4, n; ld.param.u32 %r3, [%rd4]; cvta.param.u64 %rd4, %rd4;"
              "ld.u32 %r4, [%rd4]; setp.eq.u32 %p1, %r3, %r4;"
              "selp.u32 %r4, 1, 0, %p1; add.u32 %r3, %r3, %r4;" PTX_STORE}}};

/* ---- atomics -------------------------------------------------------------------------------- */

static guint32 counters(guint word, guint n)
{
    static const guint32 values[] = {4950, (guint32)-99, 99, 7, 100, 0, 0x66666666, 5};
    (void)n;
    return word < 8 ? values[word] : 0;
}

static guint32 half_sums(guint word, guint n)
{
    (void)n;
    /* 32 times 1.5 and -2; 32 times 1 and 0.5; the sum of 0 to 31 */
    static const guint32 values[] = {0xd4005200, 0x41804200, 0x43f80000};
    return values[word];
}

/* Each lane takes the lock for itself: lanes that have it must run while the others spin. */
static guint32 locked(guint word, guint n)
{
    return word == 0 ? 0 : n * (n - 1) / 2;
}

static const PtxLaunchCase atomics[] = {
    {"/ptx-run-memory/atomics",
     counters,
     {.block = {100},
      .words = 8,
      .body = "atom.global.add.u32 %r4, [%rd1], %r1; neg.s32 %r5, %r1;"
              "red.global.min.s32 [%rd1+4], %r5; atom.global.max.u32 %r4, [%rd1+8], %r1;"
              "atom.global.inc.u32 %r4, [%rd1+12], 30; setp.eq.u32 %p1, %r1, 99;"
              "atom.global.or.b32 %r4, [%rd1+16], 4;"
              "@%p1 atom.global.exch.b32 %r4, [%rd1+16], 100;"
              "atom.global.dec.u32 %r4, [%rd1+20], 24; setp.lt.u32 %p2, %r1, 2;"
              "@%p2 atom.global.xor.b32 %r4, [%rd1+24], 0x11111111;"
              "@%p1 atom.global.xor.b32 %r4, [%rd1+24], 0x66666666;"
              "atom.global.cas.b32 %r4, [%rd1+28], 0, 5; ret;"}},
    {"/ptx-run-memory/atomic-numbers",
     half_sums,
     {.words = 3,
      .body = "mov.b32 %r4, 0xc0003e00; atom.global.add.noftz.f16x2 %r5, [%rd1], %r4;"
              "mov.b32 %r4, 0x3f003f80; red.global.add.noftz.bf16x2 [%rd1+4], %r4;"
              "cvt.rn.f32.u32 %f1, %r1; atom.global.add.f32 %f2, [%rd1+8], %f1;"
              "ret;"}},
    {"/ptx-run-memory/lock",
     locked,
     {.n = 96,
      .block = {96},
      .words = 2,
      .body = "SPIN: atom.global.cas.b32 %r4, [%rd1], 0, 1; setp.ne.u32 %p1, %r4, 0;"
              "@%p1 bra SPIN;"
              "ld.volatile.global.u32 %r5, [%rd1+4]; add.u32 %r5, %r5, %r1;"
              "st.volatile.global.u32 [%rd1+4], %r5; membar.gl;"
              "atom.global.exch.b32 %r4, [%rd1], 0; ret;"}}};

/* ---- copies --------------------------------------------------------------------------------- */

static guint32 copied(guint t, guint n)
{
    if (t >= 32)
        return t - 31;
    return t < n ? t + 1 : 0;
}

static void test_async_copies(void)
{
    PtxLaunch launch = {
        .n = 32,
        .words = 64,
        .body = ".shared .align 16 .b8 s[128]; add.u32 %r4, %r1, 1;"
                "st.global.u32 [%rd2+128], %r4; mov.u32 %r5, s; shl.b32 %r6, %r1, 4;"
                "add.u32 %r7, %r5, %r6; cvt.u64.u32 %rd4, %r6; add.u64 %rd4, %rd1, %rd4;"
                "setp.lt.u32 %p1, %r1, 8; @%p1 cp.async.cg.shared.global [%r7], [%rd4+128], 16;"
                "cp.async.commit_group; cp.async.wait_group 0; bar.warp.sync 0xffffffff;"
                "shl.b32 %r8, %r1, 2; add.u32 %r8, %r8, %r5; ld.shared.u32 %r3, [%r8];" PTX_STORE};
    ptx_assert(&launch, copied);
    /* Only the first 8 bytes of the last piece are read. */
    launch.n = 30;
    launch.body = ".shared .align 16 .b8 s[128]; add.u32 %r4, %r1, 1;"
                  "st.global.u32 [%rd2+128], %r4; mov.u32 %r5, s; shl.b32 %r6, %r1, 4;"
                  "add.u32 %r7, %r5, %r6; cvt.u64.u32 %rd4, %r6; add.u64 %rd4, %rd1, %rd4;"
                  "setp.lt.u32 %p1, %r1, 8; setp.eq.u32 %p2, %r1, 7; selp.u32 %r9, 8, 16, %p2;"
                  "@%p1 cp.async.cg.shared.global [%r7], [%rd4+128], 16, %r9;"
                  "cp.async.wait_all; bar.warp.sync 0xffffffff;"
                  "shl.b32 %r8, %r1, 2; add.u32 %r8, %r8, %r5; ld.shared.u32 %r3, [%r8];" PTX_STORE;
    ptx_assert(&launch, copied);
}

static guint32 bulk(guint t, guint n)
{
    return t < 32 ? t + n : t - 32 + n;
}

/* What is in shared memory, t - 7, changes what is in global memory, 3 t + n. */
#define REDUCE(how)                                                                                \
    ".shared .align 16 .b8 s[128]; mov.u32 %r5, s; mad.lo.u32 %r4, %r1, 3, %r2;"                   \
    "st.global.u32 [%rd2], %r4; shl.b32 %r7, %r1, 2; add.u32 %r7, %r7, %r5;"                       \
    "sub.u32 %r8, %r1, 7; st.shared.u32 [%r7], %r8; setp.eq.u32 %p1, %r1, 0; bar.sync 0;"          \
    "@%p1 cp.reduce.async.bulk.global.shared::cta.bulk_group." how " [%rd1], [%r5], 128;"          \
    "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; ret;"

static guint32 sums(guint t, guint n)
{
    return 3 * t + n + t - 7;
}

static guint32 minima(guint t, guint n)
{
    return (guint32)MIN((gint32)(3 * t + n), (gint32)t - 7);
}

/* Sums of halves of less than 2^-14 have the sums of their codes. t - 7 below zero is no number, in
 * both halves. */
static guint32 halves(guint t, guint n)
{
    return t >= 7 ? 3 * t + n + t - 7 : 0x7fff7fff;
}

static guint32 twice(guint t, guint n)
{
    (void)n;
    return 2 * t;
}

static const PtxLaunchCase copies[] = {
    {"/ptx-run-memory/bulk-copies",
     bulk,
     {.n = 5,
      .words = 64,
      .body = ".shared .align 16 .b8 s[128]; .shared .align 8 .b8 m[8];"
              "add.u32 %r4, %r1, %r2; st.global.u32 [%rd2+128], %r4;"
              "mov.u32 %r5, s; mov.u32 %r6, m; setp.eq.u32 %p1, %r1, 0;"
              "@%p1 mbarrier.init.shared.b64 [%r6], 1; bar.sync 0;"
              "@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r6], 128;"
              "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r5], "
              "[%rd1+128], 128, [%r6];"
              "WAIT: mbarrier.try_wait.parity.shared.b64 %p2, [%r6], 0; @!%p2 bra WAIT;"
              "@%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r5], 128;"
              "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; ret;"}},
    {"/ptx-run-memory/bulk-sums", sums, {.n = 5, .words = 32, .body = REDUCE("add.u32")}},
    {"/ptx-run-memory/bulk-minima", minima, {.n = 5, .words = 32, .body = REDUCE("min.s32")}},
    {"/ptx-run-memory/bulk-halves", halves, {.n = 5, .words = 32, .body = REDUCE("add.noftz.f16")}},
    {"/ptx-run-memory/bulk-shared",
     twice,
     {.n = 5,
      .words = 32,
      .body = ".shared .align 16 .b8 s[256]; .shared .align 8 .b8 m[8];"
              "mov.u32 %r5, s; mov.u32 %r6, m; shl.b32 %r7, %r1, 2; add.u32 %r7, %r7, %r5;"
              "st.shared.u32 [%r7], %r1; st.shared.u32 [%r7+128], %r1; setp.eq.u32 %p1, %r1, 0;"
              "@%p1 mbarrier.init.shared.b64 [%r6], 1; bar.sync 0;"
              "@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r6], 128;"
              "@%p1 cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes."
              "add.u32 [%r5], [%r5+128], 128, [%r6];"
              "WAIT: mbarrier.try_wait.parity.shared.b64 %p2, [%r6], 0; @!%p2 bra WAIT;"
              "ld.shared.u32 %r3, [%r7];" PTX_STORE}}};

/* ---- parameters ----------------------------------------------------------------------------- */

/* Addresses of 32 bits; a struct by value. */
static void test_machine(void)
{
    static const char text[] =
        ".version 8.0\n.target sm_80\n.address_size 32\n"
        ".entry k(.param .u32 out, .param .align 8 .b8 s[16], .param .u16 h) {\n"
        ".reg .u32 %r<9>; .reg .u64 %rd; .shared .align 4 .b8 m[4];\n"
        "ld.param.u32 %r1, [out]; ld.param.u64 %rd, [s+8]; cvt.u32.u64 %r2, %rd;\n"
        "ld.param.u16 %r3, [h]; add.u32 %r2, %r2, %r3; mov.u32 %r4, m; cvta.shared.u32 %r4, %r4;\n"
        "st.u32 [%r4], %r2; ld.shared.u32 %r5, [m]; cvta.global.u32 %r1, %r1; st.u32 [%r1+4], "
        "%r5;\n"
        "ret; }\n";
    g_autoptr(GError) error = NULL;
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, sizeof text - 1, "x.ptx", &error);
    guint64 two[] = {1, 30};
    guint32 out[] = {1, 2, 3};
    PsPtxArgument arguments[] = {{.name = "o", .data = (guint8 *)out, .size = sizeof out},
                                 {.name = "s", .bytes = (guint8 *)two, .size = sizeof two},
                                 {.name = "h", .bits = 0xf0004}};
    PsPtxLaunch launch = {.kernel = ps_ptx_kernel(module, "k", &error),
                          .grid = {1, 1, 1},
                          .block = {33, 1, 1},
                          .n_arguments = 3,
                          .arguments = arguments};
    g_autoptr(PsPtxMachine) machine = ps_ptx_machine_new(module, &launch, &error);
    guint64 warps, threads;
    g_assert_no_error(error);
    g_assert_true(ps_ptx_run_group(machine, (guint[]){0, 0, 0}, NULL, &error));
    g_assert_no_error(error);
    g_assert_cmpuint(out[0] + 100 * out[1] + 10000 * out[2], ==, 33401);
    g_assert_cmpuint(ps_ptx_machine_address(machine, 0) % 256, ==, 0);
    g_assert_cmpuint(ps_ptx_machine_address(machine, 0), >, 0);
    g_assert_cmpuint(ps_ptx_machine_address(machine, 1), ==, 0);
    ps_ptx_machine_counts(machine, &warps, &threads);
    g_assert_cmpuint(warps, ==, 2 * 12);
    g_assert_cmpuint(threads, ==, 33 * 12);
    g_assert_cmpuint(ps_ptx_machine_code(machine)->n_points, ==, 12);
}

/* ---- bytes that are made when they are touched ---------------------------------------------- */

#define N_BLOCKS 10

typedef struct {
    guint8 made[N_BLOCKS], *data;
    gsize size;
} Later;

/* Each byte is its block's number, from 1. */
static void make_block(gpointer data, gsize block, GError **error)
{
    (void)error;
    Later *later = data;
    const gsize from = block * PS_PTX_BLOCK;
    g_assert_false(later->made[block]);
    later->made[block] = 1;
    memset(later->data + from, (int)block + 1, MIN(PS_PTX_BLOCK, later->size - from));
}

/* Loads by 32 lanes from blocks 0 and 1, by one from block 9, a store to block 3, a copy of blocks
 * 5 to 7. */
static void test_blocks(void)
{
    static const char text[] =
        ".version 8.0\n.target sm_90\n.address_size 64\n"
        ".entry k(.param .u64 in, .param .u64 out) {\n"
        ".reg .u32 %r<9>; .reg .u64 %rd<9>; .reg .pred %p;\n"
        ".shared .align 16 .b8 s[139264]; .shared .align 8 .b64 w;\n"
        "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r1, %tid.x;\n"
        "mul.wide.u32 %rd3, %r1, 1024; add.u64 %rd3, %rd1, %rd3; ld.global.u32 %r2, [%rd3];\n"
        "mul.wide.u32 %rd4, %r1, 4; add.u64 %rd5, %rd2, %rd4; st.global.u32 [%rd5], %r2;\n"
        "setp.eq.u32 %p, %r1, 0;\n"
        "@%p ld.global.u8 %r3, [%rd1+163839]; @%p st.global.u8 [%rd1+49153], %r3;\n"
        "mov.u32 %r4, s; mov.u32 %r5, w; add.u64 %rd6, %rd1, 98288;\n"
        "@%p mbarrier.init.shared.b64 [%r5], 1;\n"
        "@%p cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r4], [%rd6], "
        "16416, [%r5];\n"
        "@%p ld.shared.u32 %r6, [s+16400]; @%p st.global.u32 [%rd2+124], %r6; ret; }\n";
    g_autoptr(GError) error = NULL;
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, sizeof text - 1, "x.ptx", &error);
    g_assert_no_error(error);
    Later later = {.size = (gsize)N_BLOCKS * PS_PTX_BLOCK};
    g_autofree guint8 *data = later.data = g_malloc0(later.size);
    PsPtxBlocks blocks = {
        .n = N_BLOCKS, .made = later.made, .make = make_block, .drop = NULL, .data = &later};
    guint32 out[32] = {0};
    PsPtxArgument arguments[] = {
        {.name = "in", .data = data, .size = later.size, .blocks = &blocks},
        {.name = "out", .data = (guint8 *)out, .size = sizeof out}};
    PsPtxLaunch launch = {.kernel = ps_ptx_kernel(module, "k", &error),
                          .grid = {1, 1, 1},
                          .block = {32, 1, 1},
                          .n_arguments = 2,
                          .arguments = arguments};
    g_autoptr(PsPtxMachine) machine = ps_ptx_machine_new(module, &launch, &error);
    g_assert_true(ps_ptx_run_group(machine, (guint[]){0, 0, 0}, NULL, &error));
    g_assert_no_error(error);
    g_assert_cmpmem(later.made, N_BLOCKS, ((guint8[]){1, 1, 0, 3, 0, 1, 1, 1, 0, 1}), N_BLOCKS);
    g_assert_cmphex(out[0], ==, 0x01010101);
    g_assert_cmphex(out[16], ==, 0x02020202);
    g_assert_cmphex(out[31], ==, 0x08080808);
    g_assert_cmpuint(data[49152], ==, 4);
    g_assert_cmpuint(data[49153], ==, 10);
}

/* A block whose memory is given back holds nothing that anybody should read. */
static gboolean drop_block(gpointer data, gsize block)
{
    Later *later = data;
    g_assert_cmpuint(later->made[block], ==, PS_PTX_BLOCK_MADE);
    later->made[block] = 0;
    memset(later->data + block * PS_PTX_BLOCK, 0xee, PS_PTX_BLOCK);
    return TRUE;
}

/* Reads a byte of each of ten blocks twice, and writes one of `writes` of them, with memory for
 * three. */
static void check_few_blocks(guint writes, GError **error)
{
    static const char text[] =
        ".version 8.0\n.target sm_80\n.address_size 64\n"
        ".entry k(.param .u64 in, .param .u32 writes) {\n"
        ".reg .u32 %r<9>; .reg .u64 %rd<9>; .reg .pred %p<3>;\n"
        "ld.param.u64 %rd1, [in]; ld.param.u32 %r1, [writes]; mov.u32 %r2, 0; mov.u32 %r5, 0;\n"
        "L: rem.u32 %r3, %r2, 10; mul.wide.u32 %rd2, %r3, 16384; add.u64 %rd3, %rd1, %rd2;\n"
        "ld.global.u8 %r4, [%rd3+7]; add.u32 %r5, %r5, %r4;\n"
        "setp.lt.u32 %p1, %r3, %r1; @%p1 st.global.u8 [%rd3+9], %r5;\n"
        "add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 20; @%p2 bra L;\n"
        "st.global.u32 [%rd1], %r5; ret; }\n";
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, sizeof text - 1, "x.ptx", NULL);
    Later later = {.size = (gsize)N_BLOCKS * PS_PTX_BLOCK};
    g_autofree guint8 *data = later.data = g_malloc0(later.size);
    PsPtxBlocks blocks = {
        .n = N_BLOCKS, .made = later.made, .make = make_block, .drop = drop_block, .data = &later};
    PsPtxArgument arguments[] = {
        {.name = "in", .data = data, .size = later.size, .blocks = &blocks}, {.bits = writes}};
    const PsPtxLaunch launch = {.kernel = ps_ptx_kernel(module, "k", NULL),
                                .grid = {1, 1, 1},
                                .block = {32, 1, 1},
                                .n_arguments = 2,
                                .arguments = arguments,
                                .most_memory = 3 * PS_PTX_BLOCK,
                                .memory_name = "--memory"};
    g_autoptr(PsPtxMachine) machine = ps_ptx_machine_new(module, &launch, NULL);
    const gboolean good = ps_ptx_run_group(machine, (guint[]){0, 0, 0}, NULL, error);
    guint32 sum;
    guint held = 0;
    memcpy(&sum, data, sizeof sum);
    for (guint i = 0; i < N_BLOCKS; i++)
        held += later.made[i] != 0;
    g_assert_cmpuint(held, <=, 4);
    if (good)
        g_assert_cmpuint(sum, ==, 2 * 55);
    if (good && writes == 2) {
        g_assert_cmpuint(data[9], ==, 56);
        g_assert_cmpuint(data[PS_PTX_BLOCK + 9], ==, 58);
    }
}

static void test_few_blocks(void)
{
    g_autoptr(GError) error = NULL;
    for (guint writes = 0; writes <= 2; writes++) {
        check_few_blocks(writes, &error);
        g_assert_no_error(error);
    }
    check_few_blocks(4, &error);
    g_assert_error(error, PS_ERROR, PS_ERROR_LIMIT);
    g_assert_nonnull(strstr(error->message, "wrote to more than 49152 bytes of buffers; a higher "
                                            "--memory allows it"));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    ptx_add_cases(accesses, G_N_ELEMENTS(accesses));
    g_test_add_func("/ptx-run-memory/types", test_types);
    g_test_add_func("/ptx-run-memory/stores", test_stores);
    g_test_add_func("/ptx-run-memory/policies", test_policies);
    g_test_add_func("/ptx-run-memory/shared", test_shared);
    ptx_add_cases(spaces, G_N_ELEMENTS(spaces));
    ptx_add_cases(atomics, G_N_ELEMENTS(atomics));
    g_test_add_func("/ptx-run-memory/blocks", test_blocks);
    g_test_add_func("/ptx-run-memory/few-blocks", test_few_blocks);
    g_test_add_func("/ptx-run-memory/async-copies", test_async_copies);
    ptx_add_cases(copies, G_N_ELEMENTS(copies));
    g_test_add_func("/ptx-run-memory/machine", test_machine);
    return g_test_run();
}
