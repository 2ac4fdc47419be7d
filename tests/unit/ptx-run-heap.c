/* SPDX-License-Identifier: BSD-3-Clause */
/* malloc and free in kernels. */
#include "ptx/native/native.h"
#include "ptx/run/compiled.h"
#include "ptx/run/run.h"

#include <string.h>

/* Takes n pieces of so many bytes (to[0..n-1]), writes up to five bytes of the last, up to that at
 * `at` where that is not negative, and frees what `from` says where that is not 1. */
static const char text[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".extern .func (.param .b64 r) malloc(.param .b64 n);\n.extern .func free(.param .b64 p);\n"
    ".entry k(.param .u64 to, .param .u64 n, .param .u64 bytes, .param .s64 at, .param .u64 from)\n"
    "{\n.reg .b64 %to, %n, %bytes, %at, %from, %p, %i; .reg .pred %q;\n"
    "ld.param.u64 %to, [to]; ld.param.u64 %n, [n]; ld.param.u64 %bytes, [bytes];\n"
    "ld.param.u64 %at, [at]; ld.param.u64 %from, [from]; mov.u64 %i, 0; mov.u64 %p, 0;\n"
    "NEXT: setp.ge.u64 %q, %i, %n; @%q bra WRITE;\n"
    "{ .param .b64 a; .param .b64 b; st.param.b64 [a], %bytes;\n"
    "call.uni (b), malloc, (a);\n"
    "ld.param.b64 %p, [b]; }\n"
    "st.global.u64 [%to], %p; add.u64 %to, %to, 8; add.u64 %i, %i, 1; bra NEXT;\n"
    "WRITE: setp.lt.s64 %q, %at, 0; @%q bra FREE;\n"
    "sub.s64 %i, %at, 4; max.s64 %i, %i, 0; add.u64 %p, %p, %i;\n"
    "MORE: st.u8 [%p], 7; add.u64 %p, %p, 1; add.u64 %i, %i, 1;\n"
    "setp.le.s64 %q, %i, %at; @%q bra MORE;\n"
    "FREE: setp.eq.u64 %q, %from, 1; @%q bra END;\n"
    "{ .param .b64 a; st.param.b64 [a], %from;\n"
    "call.uni free, (a); }\n"
    "END: ret;\n}\n";

enum { SIZE = 256, PIECES = 20 };

typedef struct {
    guint8 *heap; /* NULL: the launch's own */
    guint64 pieces[PIECES];
    PsPtxCompiled *compiled; /* or NULL: step by step */
    char *error;             /* of the last launch; or NULL */
} Fixture;

static const guint64 at_heap = (guint64)1 << 36;

static void set_up(Fixture *fixture, gconstpointer data)
{
    fixture->heap = g_malloc0(ps_ptx_heap_bytes(SIZE));
    /* glibc reads whole words of the path where it looks for LLVM's own libraries. */
    const gboolean valgrind = g_strcmp0(g_getenv("PIPESIM_CHECKER"), "valgrind") == 0;
    const gboolean compiles = data && !valgrind && ps_ptx_native_there();
    fixture->compiled = compiles ? ps_ptx_compiled_new(0) : NULL;
}

static void tear_down(Fixture *fixture, gconstpointer data)
{
    (void)data;
    g_free(fixture->heap);
    if (fixture->compiled)
        g_assert_cmpuint(ps_ptx_compiled_executed(fixture->compiled), >, 0);
    ps_ptx_compiled_free(fixture->compiled);
    g_free(fixture->error);
}

static void launch(Fixture *fixture, guint64 n, guint64 bytes, gint64 at, guint64 from)
{
    static const PsPtxListener nobody;
    const guint group[3] = {0};
    const PsPtxPlaced placed = {.name = "heap",
                                .is_heap = TRUE,
                                .address = at_heap,
                                .data = fixture->heap,
                                .size = ps_ptx_heap_bytes(SIZE)};
    const PsPtxArgument all[] = {
        {.data = (guint8 *)fixture->pieces, .size = sizeof fixture->pieces},
        {.bits = n},
        {.bits = bytes},
        {.bits = (guint64)at},
        {.bits = from}};
    g_autoptr(GError) error = NULL;
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, strlen(text), "x.ptx", &error);
    g_assert_no_error(error);
    const PsPtxLaunch what = {.kernel = ps_ptx_kernel(module, NULL, NULL),
                              .grid = {1, 1, 1},
                              .block = {1, 1, 1},
                              .n_arguments = G_N_ELEMENTS(all),
                              .arguments = all,
                              .n_placed = fixture->heap ? 1 : 0,
                              .placed = &placed,
                              .compiled = fixture->compiled};
    PsPtxMachine *machine = ps_ptx_machine_new(module, &what, &error);
    g_assert_no_error(error);
    memset(fixture->pieces, 0xff, sizeof fixture->pieces);
    g_clear_pointer(&fixture->error, g_free);
    if (!ps_ptx_run_group(machine, group, &nobody, &error))
        fixture->error = g_strdup(error->message);
    else if (n > 0)
        g_assert_cmpstr(ps_ptx_machine_warnings(machine)->pdata[0], ==,
                        "x.ptx:13: malloc takes no time here: how long it takes, and where its "
                        "memory lies on a device, is not known");
    const GPtrArray *warnings = ps_ptx_machine_warnings(machine);
    const gboolean full = n > 0 && !fixture->error && fixture->pieces[n - 1] == 0;
    g_assert_cmpint(full, ==,
                    warnings->len > 1 && strstr(warnings->pdata[1], "since the heap had no room"));
    ps_ptx_machine_free(machine);
}

enum { NEVER = -1, NOTHING = 1 };

/* Pieces lie apart, at multiples of 16, in the heap. */
static void test_pieces(Fixture *fixture, gconstpointer data)
{
    (void)data;
    launch(fixture, 3, 20, 19, NOTHING);
    g_assert_cmpstr(fixture->error, ==, NULL);
    for (guint i = 0; i < 3; i++) {
        g_assert_cmpuint(fixture->pieces[i] % 16, ==, 0);
        g_assert_cmpuint(fixture->pieces[i], ==, fixture->pieces[0] + (guint64)i * 48);
    }
    g_assert_cmpuint(fixture->pieces[0], >, at_heap);
    g_assert_cmpuint(fixture->heap[fixture->pieces[2] - at_heap + 19], ==, 7);
}

/* What is left is not enough, and a piece of no bytes has an address. */
static void test_exhaustion(Fixture *fixture, gconstpointer data)
{
    (void)data;
    launch(fixture, 9, 16, NEVER, NOTHING);
    g_assert_cmpuint(fixture->pieces[7], !=, 0);
    g_assert_cmpuint(fixture->pieces[8], ==, 0);
    launch(fixture, 1, G_MAXUINT64, NEVER, NOTHING);
    g_assert_cmpuint(fixture->pieces[0], ==, 0);
    memset(fixture->heap, 0, ps_ptx_heap_bytes(SIZE));
    launch(fixture, 1, SIZE + 1, NEVER, NOTHING);
    g_assert_cmpuint(fixture->pieces[0], ==, 0);
    launch(fixture, 1, SIZE, SIZE - 1, NOTHING);
    g_assert_cmpuint(fixture->pieces[0], !=, 0);
    g_assert_cmpstr(fixture->error, ==, NULL);
    memset(fixture->heap, 0, ps_ptx_heap_bytes(SIZE));
    launch(fixture, 2, 0, NEVER, NOTHING);
    g_assert_cmpuint(fixture->pieces[1], ==, fixture->pieces[0] + 32);
}

/* What was freed is given again, in the next launch, and also by a search that begins behind it. */
static void test_freed(Fixture *fixture, gconstpointer data)
{
    guint64 first, third;
    (void)data;
    launch(fixture, 8, 16, NEVER, NOTHING);
    first = fixture->pieces[0];
    third = fixture->pieces[2];
    launch(fixture, 0, 0, NEVER, third);
    g_assert_cmpstr(fixture->error, ==, NULL);
    launch(fixture, 1, 17, NEVER, NOTHING);
    g_assert_cmpuint(fixture->pieces[0], ==, 0);
    launch(fixture, 1, 16, NEVER, first);
    g_assert_cmpuint(fixture->pieces[0], ==, third);
    launch(fixture, 1, 16, NEVER, 0); /* free of NULL is nothing */
    g_assert_cmpuint(fixture->pieces[0], ==, first);
    g_assert_cmpstr(fixture->error, ==, NULL);
}

static void check_refused(Fixture *fixture, guint64 address)
{
    g_autofree char *want =
        g_strdup_printf("x.ptx:22: thread (0,0,0) of group (0,0,0) frees 0x%" G_GINT64_MODIFIER
                        "x, where no piece of the heap begins that malloc gave and nobody freed",
                        address);
    launch(fixture, 0, 0, NEVER, address);
    g_assert_nonnull(fixture->error);
    g_assert_true(g_str_has_prefix(fixture->error, want));
}

static void test_wrong_free(Fixture *fixture, gconstpointer data)
{
    (void)data;
    launch(fixture, 1, 64, NEVER, NOTHING);
    const guint64 piece = fixture->pieces[0];
    check_refused(fixture, piece + 16);
    check_refused(fixture, piece + 1);
    check_refused(fixture, at_heap);
    check_refused(fixture, 12345);
    check_refused(fixture, G_MAXUINT64);
    launch(fixture, 0, 0, NEVER, piece);
    g_assert_cmpstr(fixture->error, ==, NULL);
    check_refused(fixture, piece);
}

static void check_outside(Fixture *fixture, guint64 bytes, gint64 at, const char *want)
{
    memset(fixture->heap, 0, ps_ptx_heap_bytes(SIZE));
    launch(fixture, 1, bytes, at, NOTHING);
    g_assert_nonnull(fixture->error);
    g_assert_nonnull(strstr(fixture->error, want));
}

static void test_outside(Fixture *fixture, gconstpointer data)
{
    (void)data;
    check_outside(fixture, 20, 20, "in the heap, right behind the end of what malloc gave (20 by");
    check_outside(fixture, 20, 50, "in the heap, 26 bytes behind the end of what malloc gave");
    check_outside(fixture, 0, 0, "in the heap, right behind the end of what malloc gave (0 bytes)");
    check_outside(fixture, 20, 4096, "behind the end of \"heap\", the nearest buffer");
}

/* A launch without a heap has an own, as large as CUDA's. */
static void test_own(Fixture *fixture, gconstpointer data)
{
    (void)data;
    g_clear_pointer(&fixture->heap, g_free);
    launch(fixture, 7, (guint64)1 << 20, (1 << 20) - 1, NOTHING);
    g_assert_cmpstr(fixture->error, ==, NULL);
    g_assert_cmpuint(fixture->pieces[6], !=, 0);
    launch(fixture, 8, (guint64)1 << 20, NEVER, NOTHING);
    g_assert_cmpuint(fixture->pieces[7], ==, 0);
}

#define ADD(name, test)                                                                            \
    g_test_add("/ptx-run-heap/" name, Fixture, NULL, set_up, test, tear_down);                     \
    g_test_add("/ptx-run-heap/compiled/" name, Fixture, "", set_up, test, tear_down)

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    ADD("pieces", test_pieces);
    ADD("exhaustion", test_exhaustion);
    ADD("freed", test_freed);
    ADD("wrong-free", test_wrong_free);
    ADD("outside", test_outside);
    ADD("own", test_own);
    return g_test_run();
}
