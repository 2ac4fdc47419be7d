/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The executor: what registers, predicates, shared and local memory that nobody wrote decide is
 * told, and what they do not decide is not.
 */
#include "base/message.h"
#include "tests/help/ptx-launch.h"
#include <string.h>

typedef struct {
    const char *path;
    const char *body;
    const char *says; /* part of the error, or of the only warning; NULL: there is none */
    gboolean fails;
    const char *before;
    guint block;
    gboolean machine, clocks;
} Case;

static void test_case(gconstpointer data)
{
    const Case *one = data;
    const PtxLaunch launch = {.before = one->before,
                              .body = one->body,
                              .n = 5,
                              .block = {one->block},
                              .words = 64,
                              .machine = one->machine,
                              .clocks = one->clocks,
                              .warning = one->fails ? NULL : one->says};
    g_autoptr(GError) error = NULL;
    g_free(ptx_launch(&launch, &error));
    if (!one->fails)
        g_assert_no_error(error);
    else if (!error || !strstr(error->message, one->says))
        g_assert_cmpstr(error ? error->message : NULL, ==, one->says);
}

#define ADDRESS "uses an address that depends on "
#define LOOP "goes on in a loop or leaves it by what depends on "
#define WAY "the way that threads take depends on "
#define STORED "the value that is stored depends on "

/* A word of the thread's own, of an address that depends on %r4. */
#define AT_R4                                                                                      \
    "and.b32 %r5, %r4, 31; mul.wide.u32 %rd4, %r5, 4; add.u64 %rd4, %rd1, %rd4;"                   \
    "ld.global.u32 %r3, [%rd4];" PTX_STORE

/* ---- registers ------------------------------------------------------------------------------ */

static const Case registers[] = {
    {.path = "address",
     .body = "mul.wide.u32 %rd4, %r4, 0;\nmad.wide.u32 %rd4, %r4, 4, %rd1;\nld.global.u32 %r3, "
             "[%rd4];",
     .says = "x.ptx:13: thread (0,0,0) of group (0,0,0) " ADDRESS "%r4, which nothing wrote",
     .fails = TRUE},
    {.path = "address-of-store",
     .body = "cvt.u64.u32 %rd4, %r4; add.u64 %rd4, %rd1, %rd4; st.u32 [%rd4], %r1;",
     .says = ADDRESS "%r4, which nothing wrote",
     .fails = TRUE},
    {.path = "address-in-some-lanes",
     .body = "setp.ne.u32 %p1, %r1, 7; @%p1 mov.u32 %r4, 1; " AT_R4,
     .says = "thread (7,0,0) of group (0,0,0) " ADDRESS "%r4",
     .fails = TRUE},
    {.path = "trips",
     .body = "mov.u32 %r5, 0; L: add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, %r4; @%p1 bra L; ret;",
     .says = LOOP "%r4, which nothing wrote",
     .fails = TRUE},
    {.path = "trips-by-a-break",
     .body = "mov.u32 %r5, 0; L: setp.eq.u32 %p1, %r5, %r4; @%p1 bra OUT; add.u32 %r5, %r5, 1;"
             "setp.lt.u32 %p2, %r5, 9; @%p2 bra L; OUT: ret;",
     .says = LOOP "%r4, which nothing wrote",
     .fails = TRUE},
    {.path = "way",
     .body = "setp.eq.u32 %p1, %r4, 3;\n@%p1 bra GO; mov.u32 %r6, 1; GO: ret;",
     .says = "x.ptx:12: " WAY "%r4, which nothing wrote"},
    {.path = "way-by-a-predicate",
     .body = "@!%p3 bra GO; mov.u32 %r6, 1; GO: ret;",
     .says = WAY "%p3, which nothing wrote"},
    {.path = "end", .body = "@%p3 exit; ret;", .says = WAY "%p3, which nothing wrote"},
    {.path = "index",
     .body = "T: .branchtargets A, B; brx.idx %r4, T; A: ret; B: ret;",
     .says = "branches to a target that depends on %r4",
     .fails = TRUE},
    {.path = "guard",
     .body = "mov.u32 %r3, 1; @%p4 ld.global.u32 %r6, [%rd2]; ret;",
     .says = "whether memory is accessed depends on %p4"},
    {.path = "stored",
     .body = "add.u32 %r3, %r4, %r1;\n" PTX_STORE,
     .says = "x.ptx:12: " STORED "%r4, which nothing wrote"},
    {.path = "stored-plainly", .body = "mov.u32 %r3, %r4;" PTX_STORE, .says = STORED "%r4"},
    {.path = "stored-by-a-guard",
     .body = "mov.u32 %r3, 0; @%p5 mov.u32 %r3, 1;" PTX_STORE,
     .says = STORED "%p5"},
    {.path = "stored-of-a-vector",
     .body = "mov.u32 %r3, 0; add.f32 %f1, %f2, 0f3f800000; mov.b32 %r5, %f1; mul.wide.u32 %rd3, "
             "%r1, 8;"
             "add.u64 %rd3, %rd1, %rd3; st.global.v2.u32 [%rd3], {%r3, %r5}; ret;",
     .says = STORED "%f2"},
    {.path = "stored-after-a-shuffle",
     .body = "setp.lt.u32 %p1, %r1, 31; @%p1 mov.u32 %r4, 1;"
             "shfl.sync.down.b32 %r3, %r4, 1, 31, 0xffffffff; add.u32 %r3, %r3, 1;" PTX_STORE,
     .says = STORED "%r4"},
    {.path = "on-one-way",
     .body = "setp.lt.u32 %p1, %r1, 16; @%p1 bra SET; bra GO; SET: mov.u32 %r4, 3; GO: add.u32 "
             "%r3, %r4, "
             "1;" PTX_STORE,
     .says = STORED "%r4"},
    {.path = "in-a-callee",
     .body = "call f; ret;",
     .says = LOOP "%k, which nothing wrote",
     .fails = TRUE,
     .before = ".func f() { .reg .u32 %k, %l; .reg .pred %q; mov.u32 %l, 0;\nL: add.u32 %l, %l, 1;"
               " setp.lt.u32 %q, %l, %k; @%q bra L; ret; }\n"},
    {.path = "machine",
     .body = ".reg .b32 %u<9>; add.u32 %r3, %u4, %r1;" PTX_STORE,
     .says = STORED "UR4, which nothing",
     .machine = TRUE},
    {.path = "machine-too",
     .body = "add.u32 %r3, %r4, %r1;" PTX_STORE,
     .says = STORED "R4, which nothing",
     .machine = TRUE},
};

/* What may cancel out is no error. */
static const Case mixed[] = {
    {.path = "taken-out",
     .body = "add.u32 %r6, %r4, %r1; sub.u32 %r4, %r6, %r4;" AT_R4,
     .says = "x.ptx:11: a thread uses an address that may depend on %r4, which nothing wrote"},
    {.path = "taken-out-by-shared-memory",
     .body = ".shared .align 4 .b8 s[128]; mov.u32 %r7, s; mad.lo.u32 %r8, %r1, 4, %r7;"
             "add.u32 %r6, %r4, %r1; sub.u32 %r4, %r6, %r4; st.shared.u32 [%r8], %r4;"
             "ld.shared.u32 %r4, [%r8];" AT_R4,
     .says = "a thread uses an address that may depend on shared memory"},
    {.path = "taken-out-of-trips",
     .body = "mov.u32 %r5, 0; L: add.u32 %r5, %r5, 1; add.u32 %r6, %r4, 3; sub.u32 %r6, %r6, %r4;"
             "setp.lt.u32 %p1, %r5, %r6; @%p1 bra L; ret;",
     .says = "x.ptx:11: a thread goes on in a loop or leaves it by what may depend on %r4"},
};

/* ---- what does not matter ------------------------------------------------------------------- */

static const Case harmless[] = {
    {.path = "xor", .body = "xor.b32 %r3, %r4, %r4;" PTX_STORE},
    {.path = "sub", .body = "sub.u32 %r4, %r4, %r4;" AT_R4},
    {.path = "and", .body = "and.b32 %r4, %r4, 0;" AT_R4},
    {.path = "zero-times", .body = "mul.lo.u32 %r4, %r4, 0;" AT_R4},
    {.path = "lop3", .body = "lop3.b32 %r3, %r4, %r1, %r2, 0xcc;" PTX_STORE},
    {.path = "chosen", .body = "setp.lt.u32 %p1, %r1, 99; selp.b32 %r3, %r1, %r4, %p1;" PTX_STORE},
    {.path = "same-either-way", .body = "selp.b32 %r3, 5, 5, %p4;" PTX_STORE},
    {.path = "not-compared",
     .body = "setp.gt.u32 %p1, %r1, 99; setp.eq.and.u32 %p2, %r4, 3, %p1; @%p2 bra GO;"
             "mov.u32 %r3, 1; GO: ret;"},
    {.path = "and-false",
     .body = "setp.gt.u32 %p1, %r1, 99; and.pred %p2, %p1, %p4; @%p2 bra GO; GO: ret;"},
    {.path = "other-half",
     .body = "mov.b64 %rd4, {%r1, %r4}; mov.b64 {%r5, %r6}, %rd4; add.u32 %r3, %r5, 1;" PTX_STORE},
    {.path = "low-half-of-a-sum",
     .body =
         "mov.b64 %rd4, {%r1, %r4}; add.u64 %rd4, %rd4, %rd2; cvt.u32.u64 %r3, %rd4;" PTX_STORE},
    {.path = "other-bytes", .body = "prmt.b32 %r3, %r4, %r1, 0x7654;" PTX_STORE},
    {.path = "shifted-out",
     .body = "shl.b32 %r4, %r4, 16; or.b32 %r4, %r4, %r1; and.b32 %r4, %r4, 0xffff;" AT_R4},
    {.path = "part-of-a-vector",
     .body = "mov.u32 %r3, 0; mul.wide.u32 %rd3, %r1, 8; add.u64 %rd3, %rd1, %rd3;"
             "st.global.v2.u32 [%rd3], {%r3, %r5}; ret;"},
    {.path = "upper-half", .body = "mov.b16 %h1, 1; mov.b32 %r3, {%h1, %h2};" PTX_STORE},
    {.path = "never-there",
     .body = "setp.lt.u32 %p1, %r1, 16; @%p1 mov.u32 %r4, 1; @%p1 add.u32 %r3, %r4, 1;"
             "@%p1 st.global.u32 [%rd2], %r3; ret;"},
    {.path = "each-way",
     .body = "setp.lt.u32 %p1, %r1, 16; @%p1 bra ONE; mov.u32 %r4, 1; bra GO; ONE: mov.u32 %r4, 2;"
             "GO: " AT_R4},
    {.path = "guards",
     .body = "setp.lt.u32 %p1, %r1, 16; @%p1 mov.u32 %r4, 1; @!%p1 ld.param.u32 %r4, [n];" AT_R4},
    {.path = "first-round-only",
     .body =
         "mov.u32 %r6, 0; L: setp.eq.u32 %p1, %r6, 0; @%p1 bra ON; st.global.u32 [%rd2], %r4;"
         "ON: add.u32 %r4, %r6, 7; add.u32 %r6, %r6, 1; setp.lt.u32 %p2, %r6, 4; @%p2 bra L; ret;"},
    {.path = "local-store", .body = ".local .align 4 .b8 l[8]; st.local.u32 [l], %r4; ret;"},
    {.path = "call",
     .body = "{ .reg .b32 a; call (a), f, (%r1); mov.u32 %r4, a; }" AT_R4,
     .before = ".func (.reg .b32 o) f(.reg .b32 i) { add.u32 o, i, 1; ret; }\n"},
};

/* ---- what other lanes give ------------------------------------------------------------------ */

#define TAKES "what the shuffle at x.ptx:12 takes of a lane"
#define ALL ", 31, 0xffffffff;"
#define LOW "setp.lt.u32 %p1, %r1, 16; @!%p1 exit;\n"

static const Case lanes[] = {
    {.path = "lane-outside-of-the-mask",
     .body = "setp.lt.u32 %p1, %r1, 16; @!%p1 bra E;\n"
             "shfl.sync.down.b32 %r4, %r1, 4, 31, 0xffff;\n" AT_R4 "E: ret;",
     .says = "thread (12,0,0) of group (0,0,0) " ADDRESS TAKES,
     .fails = TRUE},
    {.path = "lane-that-ended",
     .body = LOW "shfl.sync.bfly.b32 %r4, %r1, 16" ALL AT_R4,
     .says = ADDRESS TAKES,
     .fails = TRUE},
    {.path = "lane-that-never-was",
     .body = "\nshfl.sync.idx.b32 %r4, %r1, 25" ALL AT_R4,
     .says = ADDRESS TAKES,
     .fails = TRUE,
     .block = 20},
    {.path = "lane-in-its-own-register",
     .body = "mov.u32 %r4, 25;\nshfl.sync.idx.b32 %r4, %r1, %r4" ALL AT_R4,
     .says = ADDRESS TAKES,
     .fails = TRUE,
     .block = 20},
    {.path = "lane-trips",
     .body = LOW "shfl.sync.idx.b32 %r4, %r1, 20" ALL
                 "mov.u32 %r5, 0; L: add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, %r4; @%p1 bra L;",
     .says = LOOP TAKES,
     .fails = TRUE},
    {.path = "lane-way",
     .body = LOW "shfl.sync.idx.b32 %r4, %r1, 20" ALL
                 "setp.eq.u32 %p1, %r4, 3; @%p1 bra GO; mov.u32 %r6, 1; GO: ret;",
     .says = WAY TAKES},
    {.path = "lane-without-a-mask",
     .body = "setp.lt.u32 %p1, %r1, 16;\n@%p1 shfl.idx.b32 %r4, %r1, 20, 31; @!%p1 exit;" AT_R4,
     .says = "a thread uses an address that may depend on what the shuffle at x.ptx at 0xc takes",
     .machine = TRUE},
    {.path = "lane-that-ended-in-machine-code",
     .body = LOW "shfl.idx.b32 %r4, %r1, 20, 31;" AT_R4,
     .says = ADDRESS "what the shuffle at x.ptx at 0xc takes",
     .fails = TRUE,
     .machine = TRUE},
    /* nothing depends on it */
    {.path = "lane-summed-up",
     .body = LOW "shfl.sync.down.b32 %r4, %r1, 8" ALL "add.u32 %r3, %r1, %r4;" PTX_STORE},
    {.path = "lane-beyond-the-segment",
     .body = LOW "shfl.sync.up.b32 %r4, %r1, 4, 0, 0xffff;" AT_R4},
    {.path = "lane-in-the-mask", .body = LOW "shfl.sync.idx.b32 %r4, %r1, 11, 31, 0xffff;" AT_R4},
    {.path = "lane-not-looked-at",
     .body = LOW "shfl.sync.down.b32 %r4, %r1, 8" ALL
                 "setp.ge.u32 %p1, %r1, 8; @%p1 mov.u32 %r4, 1;" AT_R4},
};

/* ---- local memory --------------------------------------------------------------------------- */

#define LOCAL ".local .align 16 .b8 l[64]; mov.u64 %rd3, l; and.b32 %r8, %r1, 7;"
#define MEMORY "the thread's local memory that nobody wrote, which is read at x.ptx:"

static const Case local[] = {
    {.path = "local",
     .body = LOCAL "\nld.local.u32 %r4, [l+4];\nadd.u32 %r3, %r4, 1;\n" PTX_STORE,
     .says = "x.ptx:14: " STORED MEMORY "12"},
    {.path = "local-address",
     .body = LOCAL "\nld.local.u32 %r4, [%rd3+60];" AT_R4,
     .says = "thread (0,0,0) of group (0,0,0) " ADDRESS MEMORY "12",
     .fails = TRUE},
    {.path = "local-trips",
     .body = LOCAL "ld.local.u32 %r4, [l+16]; mov.u32 %r5, 0; L: add.u32 %r5, %r5, 1;"
                   "setp.lt.u32 %p1, %r5, %r4; @%p1 bra L; ret;",
     .says = LOOP MEMORY,
     .fails = TRUE},
    {.path = "local-in-some-lanes",
     .body = LOCAL "setp.ne.u32 %p1, %r1, 5; @%p1 st.local.u32 [l+8], %r1;\n"
                   "ld.local.u32 %r4, [l+8];" AT_R4,
     .says = "thread (5,0,0) of group (0,0,0) " ADDRESS MEMORY "12",
     .fails = TRUE},
    {.path = "local-generic",
     .body = LOCAL "cvta.local.u64 %rd4, %rd3;\nld.u32 %r4, [%rd4+8];" AT_R4,
     .says = ADDRESS MEMORY "12",
     .fails = TRUE},
    {.path = "local-of-nothing",
     .body = LOCAL "st.local.u32 [l], %r9;\nld.local.u32 %r4, [l];" AT_R4,
     .says = ADDRESS MEMORY "12",
     .fails = TRUE},
    {.path = "local-that-is-written",
     .body = LOCAL "st.local.v4.u32 [l+16], {%r1, %r1, %r1, %r1}; ld.local.u32 %r4, [l+28];" AT_R4},
    {.path = "local-that-is-moved",
     .body = LOCAL "ld.local.u32 %r4, [l+16]; st.local.u32 [l+32], %r4; st.local.u32 [l+32], %r1;"
                   "ld.local.u32 %r4, [l+32];" AT_R4},
    {.path = "local-of-a-vector",
     .body = LOCAL "st.local.u32 [l], %r8; ld.local.v2.u32 {%r4, %r5}, [l];" AT_R4},
};

/* ---- shared memory -------------------------------------------------------------------------- */

#define SHARED ".shared .align 16 .b8 s[256]; mov.u32 %r7, s; mad.lo.u32 %r8, %r1, 4, %r7;"

/* All words but one are written; %r9 is as far before the last one as %r8 is in the array. */
#define BUT(WORD)                                                                                  \
    "setp.ne.u32 %p1, %r1, " WORD                                                                  \
    "; @%p1 st.shared.u32 [%r8], %r1; bar.sync 0; mul.lo.u32 %r9, %r1, 4;"                         \
    "sub.u32 %r9, %r7, %r9; add.u32 %r9, %r9, 124;"

static const Case shared[] = {
    {.path = "shared",
     .body = SHARED "\nld.shared.u32 %r4, [%r8];\nadd.u32 %r3, %r4, 1;\n" PTX_STORE,
     .says = "x.ptx:14: " STORED "shared memory that nobody wrote, which is read at x.ptx:12"},
    {.path = "shared-address",
     .body = SHARED "ld.shared.u32 %r4, [%r8];" AT_R4,
     .says = ADDRESS "shared memory that nobody",
     .fails = TRUE},
    {.path = "shared-trips",
     .body = SHARED "ld.shared.u32 %r4, [s+16]; mov.u32 %r5, 0; L: add.u32 %r5, %r5, 1;"
                    "setp.lt.u32 %p1, %r5, %r4; @%p1 bra L; ret;",
     .says = LOOP "shared memory that nobody wrote",
     .fails = TRUE},
    {.path = "shared-generic",
     .body = SHARED "cvt.u64.u32 %rd4, %r8; cvta.shared.u64 %rd4, %rd4; ld.u32 %r4, [%rd4];" AT_R4,
     .says = ADDRESS "shared memory",
     .fails = TRUE},
    {.path = "shared-or-global",
     .body = SHARED "st.shared.u32 [%r8], %r1; bar.sync 0; cvt.u64.u32 %rd4, %r8;"
                    "cvta.shared.u64 %rd4, %rd4; setp.lt.u32 %p1, %r1, 16;\n"
                    "@!%p1 mov.u64 %rd4, %rd1;\nld.u32 %r3, [%rd4];" PTX_STORE,
     .says = "x.ptx:13: lanes of one warp access .shared memory and other memory at once"},
    {.path = "shared-or-global-unwritten",
     .body = SHARED "cvt.u64.u32 %rd4, %r8; cvta.shared.u64 %rd4, %rd4; setp.lt.u32 %p1, %r1, 16;"
                    "@!%p1 mov.u64 %rd4, %rd1; ld.u32 %r4, [%rd4];" AT_R4,
     .says = "thread (0,0,0) of group (0,0,0) " ADDRESS "shared memory",
     .fails = TRUE},
    {.path = "shared-in-part",
     .body = SHARED "setp.lt.u32 %p1, %r1, 16; @%p1 st.shared.u32 [%r8], %r1; bar.sync 0;"
                    "ld.shared.u32 %r4, [%r8];" AT_R4,
     .says = "thread (16,0,0) of group (0,0,0) " ADDRESS "shared memory",
     .fails = TRUE},
    {.path = "shared-of-nothing",
     .body = SHARED "st.shared.u32 [%r8], %r9; ld.shared.u32 %r4, [%r8];" AT_R4,
     .says = ADDRESS "shared memory",
     .fails = TRUE},
    {.path = "shared-no-longer",
     .body = SHARED "st.shared.u32 [%r8], %r1; bar.sync 0; ld.shared.u32 %r4, [%r8]; bar.sync 0;"
                    "st.shared.u32 [%r8], %r9; ld.shared.u32 %r4, [%r8];" AT_R4,
     .says = ADDRESS "shared memory",
     .fails = TRUE,
     .block = 64},
    {.path = "shared-backwards",
     .body = SHARED BUT("5") "ld.shared.u32 %r4, [%r9];" AT_R4,
     .says = "thread (26,0,0) of group (0,0,0) " ADDRESS "shared memory",
     .fails = TRUE},
    {.path = "shared-backwards-halves",
     .body = SHARED BUT("5") "ld.shared.u16 %r4, [%r9+2];" AT_R4,
     .says = "thread (26,0,0) of group (0,0,0) " ADDRESS "shared memory",
     .fails = TRUE},
    {.path = "shared-backwards-bytes",
     .body = SHARED BUT("5") "ld.shared.u8 %r4, [%r9+2];" AT_R4,
     .says = "thread (26,0,0) of group (0,0,0) " ADDRESS "shared memory",
     .fails = TRUE},
    {.path = "shared-backwards-half-of-half",
     .body = SHARED BUT("5") "st.shared.u8 [s+23], 0; bar.sync 0;"
                             "ld.shared.u16 %r4, [%r9+2];" AT_R4,
     .says = "thread (26,0,0) of group (0,0,0) " ADDRESS "shared memory",
     .fails = TRUE},
    {.path = "shared-backwards-last",
     .body = SHARED BUT("31") "ld.shared.u32 %r4, [%r9];" AT_R4,
     .says = "thread (0,0,0) of group (0,0,0) " ADDRESS "shared memory",
     .fails = TRUE},
    {.path = "shared-repeated-vectors",
     .body = SHARED BUT("5") "and.b32 %r9, %r1, 7; mad.lo.u32 %r9, %r9, 16, %r7;"
                             "ld.shared.v4.u32 {%r6, %r4, %r10, %r11}, [%r9];" AT_R4,
     .says = "thread (1,0,0) of group (0,0,0) " ADDRESS "shared memory",
     .fails = TRUE},
    {.path = "shared-backwards-all",
     .body = SHARED
     "st.shared.u32 [%r8], 2; mul.lo.u32 %r9, %r1, 4; sub.u32 %r9, %r7, %r9; add.u32 %r9, %r9, 124;"
     "bar.sync 0; ld.shared.u32 %r4, [%r9];" AT_R4},
    {.path = "shared-of-another",
     .body = SHARED
     "st.shared.u32 [%r8], %r1; bar.sync 0; ld.shared.u32 %r4, [%r7+252]; and.b32 %r4, %r4, "
     "31;" AT_R4,
     .block = 64},
    {.path = "shared-bytes",
     .body = SHARED "st.shared.u8 [%r8], 1; st.shared.u8 [%r8+1], 2; ld.shared.u32 %r4, [%r8];"
                    "and.b32 %r4, %r4, 0xffff;" AT_R4},
    {.path = "shared-vector",
     .body = SHARED "st.shared.u32 [s], 1; st.shared.u32 [s+4], 2; bar.sync 0;"
                    "ld.shared.v4.u32 {%r4, %r9, %r10, %r11}, [s]; add.u32 %r4, %r4, %r9;" AT_R4},
    {.path = "shared-atomic",
     .body = SHARED "atom.shared.exch.b32 %r5, [%r8], 3; ld.shared.u32 %r4, [%r8];" AT_R4},
    {.path = "shared-count",
     .body = SHARED "atom.shared.add.u32 %r4, [%r8], 1;" AT_R4,
     .says = "thread (0,0,0) of group (0,0,0) " ADDRESS "shared memory",
     .fails = TRUE},
    {.path = "shared-count-later",
     .body = SHARED "red.shared.add.u32 [s], 1; bar.sync 0; ld.shared.u32 %r4, [s];" AT_R4,
     .says = ADDRESS "shared memory",
     .fails = TRUE},
    {.path = "shared-lock",
     .body = SHARED "L: atom.shared.cas.b32 %r4, [%r8], 0, 1; setp.ne.u32 %p1, %r4, 0;"
                    "@%p1 bra L; ret;",
     .says = LOOP "shared memory that nobody wrote",
     .fails = TRUE},
    {.path = "shared-count-from-zero",
     .body = SHARED "st.shared.u32 [%r8], 0; bar.sync 0; atom.shared.add.u32 %r4, [%r8], 1;" AT_R4},
    {.path = "shared-count-after-exchange",
     .body = SHARED "atom.shared.exch.b32 %r5, [%r8], 0; atom.shared.add.u32 %r4, [%r8], 1;" AT_R4},
    {.path = "shared-copied",
     .body =
         SHARED "cp.async.ca.shared.global [%r8], [%rd2], 4; cp.async.wait_all; ld.shared.u32 %r4, "
                "[%r8];" AT_R4},
    {.path = "shared-unused", .body = SHARED "ld.shared.u32 %r4, [%r8]; mov.u32 %r3, 1;" PTX_STORE},
};

/* Each group begins with nothing, and what is told is told once. */
static void test_once(void)
{
    const PtxLaunch launch = {.grid = {3},
                              .body = SHARED "ld.shared.u32 %r4, [%r8]; add.u32 %r3, %r4, 1;"
                                             "st.shared.u32 [%r8], %r3;" PTX_STORE,
                              .warning = STORED "shared memory that nobody wrote"};
    g_autoptr(GError) error = NULL;
    g_free(ptx_launch(&launch, &error));
    g_assert_no_error(error);
}

/* What the group before wrote is nothing that this one did. */
static void test_next_group(void)
{
    const PtxLaunch launch = {.grid = {2},
                              .body = SHARED
                              "mov.u32 %r9, %ctaid.x; setp.eq.u32 %p1, %r9, 0;"
                              "@%p1 st.shared.u32 [%r8], %r1; ld.shared.u32 %r4, [%r8];" AT_R4};
    g_autoptr(GError) error = NULL;
    g_free(ptx_launch(&launch, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
    if (error)
        g_assert_nonnull(strstr(error->message, "thread (0,0,0) of group (1,0,0) " ADDRESS));
}

/* ---- clocks --------------------------------------------------------------------------------- */

#define CLOCK "a clock, which is read at x.ptx:"

static const Case clocks[] = {
    {.path = "clock-waited-for",
     .body = "mov.u64 %rd3, %clock64;\nL: mov.u64 %rd4, %clock64; sub.u64 %rd4, %rd4, %rd3;"
             "setp.lt.u64 %p1, %rd4, 500; @%p1 bra L; ret;",
     .says = LOOP CLOCK,
     .fails = TRUE},
    {.path = "clock-goes-on",
     .body = "mov.u64 %rd3, %clock64;\nL: mov.u64 %rd4, %clock64; sub.u64 %rd4, %rd4, %rd3;"
             "setp.lt.u64 %p1, %rd4, 500; @%p1 bra L; ret;",
     .says = "a thread " LOOP CLOCK,
     .clocks = TRUE},
    {.path = "clock-goes-faster",
     .body = "mov.u64 %rd3, %clock64;\nL: mov.u64 %rd4, %clock64; sub.u64 %rd4, %rd4, %rd3;"
             "setp.lt.u64 %p1, %rd4, 4000000000; @%p1 bra L; ret;",
     .says = "a thread " LOOP CLOCK,
     .clocks = TRUE},
    {.path = "clock-low-half",
     .body = "mov.u32 %r4, %clock;\nL: mov.u32 %r5, %clock; sub.u32 %r5, %r5, %r4;"
             "setp.lt.u32 %p1, %r5, 500; @%p1 bra L; ret;",
     .says = LOOP CLOCK,
     .fails = TRUE},
    {.path = "clock-global-timer",
     .body = "L: mov.u64 %rd4, %globaltimer; setp.lt.u64 %p1, %rd4, 500; @%p1 bra L; ret;",
     .says = LOOP CLOCK,
     .fails = TRUE},
    {.path = "clock-way",
     .body = "mov.u32 %r4, %clock; setp.eq.u32 %p1, %r4, 3; @%p1 bra GO; mov.u32 %r6, 1; GO: ret;",
     .says = WAY CLOCK},
    {.path = "clock-address", .body = "mov.u32 %r4, %clock; " AT_R4, .says = ADDRESS CLOCK},
    {.path = "clock-stored",
     .body = "mov.u32 %r4, %clock; add.u32 %r3, %r1, 1; mov.u32 %r5, %clock;"
             "sub.u32 %r3, %r5, %r4;" PTX_STORE},
    {.path = "clock-unused",
     .body = "mov.u32 %r4, %clock; mov.u32 %r4, 0;\nL: add.u32 %r4, %r4, 1;"
             "setp.lt.u32 %p1, %r4, 5; @%p1 bra L; ret;"},
};

/* ---- what else a device fills ---------------------------------------------------------------- */

#define SMID "%smid, which is read at x.ptx:"

static const Case device[] = {
    {.path = "smid-trips",
     .body = "mov.u32 %r5, %smid; mov.u32 %r4, 0;\nL: add.u32 %r4, %r4, 1;"
             "setp.lt.u32 %p1, %r4, %r5; @%p1 bra L; ret;",
     .says = LOOP SMID,
     .fails = TRUE},
    {.path = "envreg-trips",
     .body = "mov.b32 %r5, %envreg3; mov.u32 %r4, 0;\nL: add.u32 %r4, %r4, 1;"
             "setp.lt.u32 %p1, %r4, %r5; @%p1 bra L; ret;",
     .says = LOOP "%envreg3, which is read at x.ptx:",
     .fails = TRUE},
    {.path = "smid-way",
     .body = "mov.u32 %r4, %smid; setp.eq.u32 %p1, %r4, 3; @%p1 bra GO; mov.u32 %r6, 1; GO: ret;",
     .says = WAY SMID},
    {.path = "smid-address", .body = "mov.u32 %r4, %smid; " AT_R4, .says = ADDRESS SMID},
    {.path = "smid-stored", .body = "mov.u32 %r3, %smid;" PTX_STORE},
};

static void add(const Case *cases, gsize n)
{
    for (gsize i = 0; i < n; i++) {
        g_autofree char *path = g_strconcat("/ptx-run-watch/", cases[i].path, NULL);
        g_test_add_data_func(path, &cases[i], test_case);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    add(registers, G_N_ELEMENTS(registers));
    add(mixed, G_N_ELEMENTS(mixed));
    add(harmless, G_N_ELEMENTS(harmless));
    add(lanes, G_N_ELEMENTS(lanes));
    add(local, G_N_ELEMENTS(local));
    add(shared, G_N_ELEMENTS(shared));
    add(clocks, G_N_ELEMENTS(clocks));
    add(device, G_N_ELEMENTS(device));
    g_test_add_func("/ptx-run-watch/once", test_once);
    g_test_add_func("/ptx-run-watch/next-group", test_next_group);
    return g_test_run();
}
