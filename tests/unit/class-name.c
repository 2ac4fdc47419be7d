/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The grammar of names of instruction classes: what covers what, what a name says of an access or
 * of a product of matrices, and that what is written is read back. Names that only look as if they
 * said something say nothing.
 */
#include "base/class-name.h"

#include "base/matrix.h"

/* ---- general and special -------------------------------------------------------------------- */

static void test_is_name(void)
{
    static const char *const names[] = {"fadd", "a.b", "8x8.A", "_", "local.load.c4.v2", "0.0"};
    static const char *const others[] = {"",      ".",     "a.",  ".a",         "a..b",   "a b",
                                         "a-b.c", "a.b\n", "a,b", "a.\xc3\xa4", "local.", "..."};
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        g_assert_true(ps_class_is_name(names[i]));
    for (guint i = 0; i < G_N_ELEMENTS(others); i++)
        g_assert_false(ps_class_is_name(others[i]));
}

static void test_covers(void)
{
    static const char *const memories[] = {"global", "memory.load", NULL};
    static const char *const none[] = {NULL};
    g_assert_true(ps_class_covers("local", "local"));
    g_assert_true(ps_class_covers("local", "local.load.c4"));
    g_assert_true(ps_class_covers("local.load", "local.load.c4"));
    g_assert_false(ps_class_covers("loc", "local.load"));
    g_assert_false(ps_class_covers("local", "locals"));
    g_assert_false(ps_class_covers("local.load", "local"));
    g_assert_false(ps_class_covers("local.load", "local.loads"));
    g_assert_false(ps_class_covers("load", "local.load"));
    g_assert_true(ps_class_is_one_of("global.load", memories));
    g_assert_true(ps_class_is_one_of("memory.load", memories));
    g_assert_false(ps_class_is_one_of("memory", memories));
    g_assert_false(ps_class_is_one_of("globally", memories));
    g_assert_false(ps_class_is_one_of("global", none));
}

static void test_special(void)
{
    static const char *const special[] = {"rcp",  "rsqrt", "sqrt",      "sin",     "cos",
                                          "exp2", "log2",  "exp2.tanh", "mufu.any"};
    static const char *const others[] = {"exp", "exp2x", "logic", "sincos", "fdiv", "mine.rcp", ""};
    for (guint i = 0; i < G_N_ELEMENTS(special); i++)
        g_assert_true(ps_class_is_special(special[i]));
    for (guint i = 0; i < G_N_ELEMENTS(others); i++)
        g_assert_false(ps_class_is_special(others[i]));
}

static void test_names(void)
{
    static const char *const expected[] = {"local.load.c2", "local.load", "local", "fadd"};
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    ps_class_add_names("local.load.c2", names);
    ps_class_add_names("fadd", names);
    g_assert_cmpuint(names->len, ==, G_N_ELEMENTS(expected));
    for (guint i = 0; i < MIN(names->len, G_N_ELEMENTS(expected)); i++)
        g_assert_cmpstr(names->pdata[i], ==, expected[i]);
}

static void test_first_parts(void)
{
    static const struct {
        const char *name;
        guint n_parts, n;
        const char *first;
    } cases[] = {{"fadd", 1, 1, "fadd"},
                 {"fadd", 1, 2, "fadd"},
                 {"global.load.A.8x8", 4, 1, "global"},
                 {"global.load.A.8x8", 4, 2, "global.load"},
                 {"global.load.A.8x8", 4, 4, "global.load.A.8x8"},
                 {"global.load.A.8x8", 4, 9, "global.load.A.8x8"},
                 {"a..b", 3, 2, "a."},
                 {"", 1, 1, ""}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *first = ps_class_first_parts(cases[i].name, cases[i].n);
        g_assert_cmpuint(ps_class_n_parts(cases[i].name), ==, cases[i].n_parts);
        g_assert_cmpstr(first, ==, cases[i].first);
    }
}

static void test_cut_last(void)
{
    char name[] = "global.load.s8", plain[] = "fadd", empty[] = ".issue", end[] = "fadd.";
    g_assert_cmpstr(ps_class_cut_last(name), ==, "s8");
    g_assert_cmpstr(name, ==, "global.load");
    g_assert_cmpstr(ps_class_cut_last(name), ==, "load");
    g_assert_cmpstr(name, ==, "global");
    g_assert_null(ps_class_cut_last(name));
    g_assert_cmpstr(name, ==, "global");
    g_assert_null(ps_class_cut_last(plain));
    g_assert_null(ps_class_cut_last(empty));
    g_assert_cmpstr(empty, ==, ".issue");
    g_assert_cmpstr(ps_class_cut_last(end), ==, "");
    g_assert_cmpstr(end, ==, "fadd");
}

static void test_degree(void)
{
    static const struct {
        const char *name;
        gsize stem;
        gint64 degree;
    } cases[] = {{"local.load.c4", 12, 4},
                 {"global.load.s8.v4", 16, 4},
                 {"mine.x007", 6, 7},
                 {"global.load.l1", 13, 1},
                 {"a.b999999999", 3, 999999999}};
    static const char *const others[] = {"fadd",
                                         "c4",
                                         "conversion.f64",
                                         "tensor.s8",
                                         "tensor.bf16.b1",
                                         "local.load.c",
                                         "local.c4x",
                                         "local.load.4",
                                         "local.load.cc4",
                                         "a.b1000000000",
                                         "local.load.c4.",
                                         "a.c99999999999999999999",
                                         "local.c-4",
                                         "local.c4.load",
                                         ""};
    gsize stem;
    gint64 degree;
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_assert_true(ps_class_degree(cases[i].name, &stem, &degree));
        g_assert_cmpuint(stem, ==, cases[i].stem);
        g_assert_cmpint(degree, ==, cases[i].degree);
    }
    for (guint i = 0; i < G_N_ELEMENTS(others); i++)
        g_assert_false(ps_class_degree(others[i], &stem, &degree));
    g_assert_true(ps_class_degree("tensors.s8", &stem, &degree));
}

/* ---- memory --------------------------------------------------------------------------------- */

static void test_memories(void)
{
    static const struct {
        const char *name;
        gboolean local, global, store, writes;
        const char *load;
    } cases[] = {
        {"local", TRUE, FALSE, FALSE, FALSE, NULL},
        {"local.store.c4", TRUE, FALSE, TRUE, TRUE, "local.load.c4"},
        {"atomic.local.c2", TRUE, FALSE, FALSE, TRUE, NULL},
        {"atomic.localize", FALSE, FALSE, FALSE, TRUE, NULL},
        {"atomic", FALSE, FALSE, FALSE, TRUE, NULL},
        {"atomics", FALSE, FALSE, FALSE, FALSE, NULL},
        {"global.store", FALSE, TRUE, TRUE, TRUE, "global.load"},
        {"memory.store.A.8x8", FALSE, TRUE, TRUE, TRUE, "memory.load.A.8x8"},
        {"memory.fence", FALSE, TRUE, FALSE, FALSE, NULL},
        {"global.stores", FALSE, TRUE, FALSE, FALSE, NULL},
        {"global.load.store", FALSE, TRUE, FALSE, FALSE, NULL},
        {"mine.store", FALSE, FALSE, TRUE, TRUE, "mine.load"},
        {"store", FALSE, FALSE, FALSE, FALSE, NULL},
        {"store.global", FALSE, FALSE, FALSE, FALSE, NULL},
        {"locals", FALSE, FALSE, FALSE, FALSE, NULL},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *load = ps_class_load_of(cases[i].name);
        g_test_message("%s", cases[i].name);
        g_assert_cmpint(ps_class_is_local(cases[i].name), ==, cases[i].local);
        g_assert_cmpint(ps_class_is_global(cases[i].name), ==, cases[i].global);
        g_assert_cmpint(ps_class_is_store(cases[i].name), ==, cases[i].store);
        g_assert_cmpint(ps_class_writes(cases[i].name), ==, cases[i].writes);
        g_assert_cmpstr(load, ==, cases[i].load);
    }
}

static void assert_access(const char *name, const PsClassAccess *expected)
{
    const PsClassAccess access = ps_class_access(name);
    g_test_message("%s", name);
    g_assert_cmpint(access.broadcast, ==, expected->broadcast);
    g_assert_cmpint(access.conflicts, ==, expected->conflicts);
    g_assert_cmpint(access.stride, ==, expected->stride);
    g_assert_cmpint(access.sectors, ==, expected->sectors);
    g_assert_cmpint(access.words, ==, expected->words);
    g_assert_cmpint(access.pairs, ==, expected->pairs);
}

static void test_access(void)
{
    static const struct {
        const char *name;
        PsClassAccess access;
    } cases[] = {
        {"local.load.c4.v2", {FALSE, 4, 1, 1, 2, 1}},
        {"local.load.conflict.c32", {FALSE, 32, 1, 1, 1, 1}},
        {"global.load.s8.v4", {FALSE, 1, 1, 8, 4, 1}},
        {"global.load.stride2", {FALSE, 1, 2, 1, 1, 1}},
        {"global.load.broadcast.v4", {TRUE, 1, 1, 1, 4, 1}},
        {"global.load.own.s32", {FALSE, 1, 1, 32, 1, 1}},
        {"local.load.c4.c8", {FALSE, 8, 1, 1, 1, 1}}, /* the last one counts */
        {"local.load.v2.c4", {FALSE, 4, 1, 1, 2, 1}}, /* in any order */
        {"local.load.c2.p2.v4", {FALSE, 2, 1, 1, 4, 2}},
        {"local.load.c0", {FALSE, 1, 1, 1, 1, 1}}, /* no less than one */
        {"local.load.c999999999", {FALSE, 999999999, 1, 1, 1, 1}},
    };
    /* They say nothing: no number, too much of one, more than a letter, another case, types. */
    static const char *const nothing[] = {
        "local.load",
        "local.load.c",
        "local.load.c4x",
        "local.load.cc4",
        "local.load.C4",
        "local.load.v",
        "local.load.vector2",
        "global.load.strides2",
        "global.load.A.8x8",
        "local..",
        "",
        ".",
        "c4",
        "local.c1000000000",
        "local.c18446744073709551617",
        "global.s-8",
        "global.load.broadcasts",
        "tensor.s8.m16n8k32",
        "tensor.v2",
        "local.load.c 4",
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        assert_access(cases[i].name, &cases[i].access);
    for (guint i = 0; i < G_N_ELEMENTS(nothing); i++)
        assert_access(nothing[i], &(PsClassAccess){FALSE, 1, 1, 1, 1, 1});
}

static void assert_written(const char *expected, const char *name, PsClassAccess access)
{
    g_autofree char *written = ps_class_with_access(name, &access);
    g_assert_cmpstr(written, ==, expected);
}

static void test_written(void)
{
    assert_written("local.load", "local.load", (PsClassAccess){.words = 0});
    assert_written("local.load", "local.load", (PsClassAccess){FALSE, 1, 1, 1, 1, 1});
    assert_written("local.load.c4.v2", "local.load", (PsClassAccess){FALSE, 4, 0, 0, 2, 0});
    assert_written("global.load.stride8", "global.load", (PsClassAccess){.stride = 8});
    assert_written("global.load.broadcast.s2", "global.load", (PsClassAccess){TRUE, 0, 0, 2, 0, 1});
    for (int n = 0; n < 4 * 4 * 4 * 4 * 2; n++) {
        const PsClassAccess access = {n % 2,          1 + n / 2 % 4,   1 + n / 8 % 4,
                                      1 + n / 32 % 4, 1 + n / 128 % 4, 1 + n % 3};
        g_autofree char *name = ps_class_with_access("global.store", &access);
        g_assert_true(ps_class_is_name(name));
        assert_access(name, &access);
    }
}

/* Parts of a warp times their passes; half as many parts where lanes share what they load. */
static void test_wavefronts(void)
{
    static const struct {
        const char *name;
        gint64 wavefronts;
    } cases[] = {{"local.load", 1},
                 {"local.load.c4", 4},
                 {"local.load.v4", 4},
                 {"local.load.c2.v4", 8},
                 {"local.load.p2.v4", 2},
                 {"local.load.p2.v2", 1},
                 {"local.load.c3.p2.v4", 6},
                 {"local.load.broadcast", 1},
                 {"local.load.broadcast.v2", 1},
                 {"local.load.broadcast.v4", 2},
                 {"local.load.p2", 1}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const PsClassAccess access = ps_class_access(cases[i].name);
        g_assert_cmpint(ps_class_wavefronts(&access), ==, cases[i].wavefronts);
    }
    g_assert_cmpint(ps_class_wavefronts(&(PsClassAccess){.words = 0}), ==, 1);
}

static void test_counted(void)
{
    static const char *const counted[] = {"global.load.s8", "global.load.s8.v2", "memory.v2",
                                          "global.store.v4.s8", "global.s0"};
    static const char *const others[] = {"global",
                                         "global.load",
                                         "memory.store",
                                         "global.load.A.8x8",
                                         "global.load.own",
                                         "global.load.s8.own",
                                         "global.load.A.s8",
                                         "global.load.c4",
                                         "global.load.stride2",
                                         "global.s8x",
                                         "global.fence.v2",
                                         "local.load.v2",
                                         "atomic.global.s8",
                                         "globals.v2",
                                         "global.load.load.v2",
                                         "global.s12345678901"};
    for (guint i = 0; i < G_N_ELEMENTS(counted); i++)
        g_assert_true(ps_class_is_counted(counted[i]));
    for (guint i = 0; i < G_N_ELEMENTS(others); i++)
        g_assert_false(ps_class_is_counted(others[i]));
}

/* What stands in for an access whose pattern costs something: without conflicts, coalesced. */
static void test_plain(void)
{
    static const struct {
        const char *name, *without_conflict, *coalesced;
    } cases[] = {
        {"local.load.c4", "local.load", NULL},
        {"local.load.c4.v2", "local.load.v2", NULL},
        {"local.load.conflict", "local.load", NULL},
        {"local.load.conflict.c4.v2", "local.load.v2", NULL},
        {"local.c4.mine", "local.mine", NULL},
        {"local.load.c1", NULL, NULL},
        {"local.load.c", NULL, NULL},
        {"local.load.c4x", NULL, NULL},
        {"local.load.conflicts", NULL, NULL},
        {"local.load.v4", NULL, NULL},
        {"locals.load.c4", NULL, NULL},
        {"atomic.local.c32", NULL, NULL},
        {"atomic.local.conflict.c32", "atomic.local", NULL},
        {"mine.conflict.c8", "mine", NULL},
        {"conflict", NULL, NULL},
        {"global.load.s8", NULL, "global.load"},
        {"global.load.s8.v4", NULL, "global.load.v4"},
        {"global.store.own.s32", NULL, "global.store.own"},
        {"global.load.s1", NULL, NULL},
        {"global.load.c8", NULL, NULL},
        {"global.load.stride2", NULL, NULL},
        {"memory.load.s8", NULL, NULL},
        {"atomic.global.s8", NULL, NULL},
        {"tensor.s8", NULL, NULL},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *without = ps_class_without_conflict(cases[i].name);
        g_autofree char *coalesced = ps_class_coalesced(cases[i].name);
        g_test_message("%s", cases[i].name);
        g_assert_cmpstr(without, ==, cases[i].without_conflict);
        g_assert_cmpstr(coalesced, ==, cases[i].coalesced);
    }
}

/* ---- products of matrices ------------------------------------------------------------------- */

static const struct {
    const char *name;
    PsMatrixName product;
} PRODUCTS[] = {
    {"tensor", {FALSE, NULL, NULL, FALSE, 0, 0, 0, FALSE, FALSE, FALSE}},
    {"tensor.wgmma", {TRUE, NULL, NULL, FALSE, 0, 0, 0, FALSE, FALSE, FALSE}},
    {"tensor.f16", {FALSE, "f16", NULL, FALSE, 0, 0, 0, FALSE, FALSE, FALSE}},
    {"tensor.f16.f32", {FALSE, "f16", "f32", FALSE, 0, 0, 0, FALSE, FALSE, FALSE}},
    {"tensor.f16.f16.m16n8k16", {FALSE, "f16", "f16", FALSE, 16, 8, 16, FALSE, FALSE, FALSE}},
    {"tensor.wgmma.f16.f32.sparse.m64n64k16",
     {TRUE, "f16", "f32", TRUE, 64, 64, 16, FALSE, FALSE, FALSE}},
    {"tensor.wgmma.bf16.held.m64n64k16",
     {TRUE, "bf16", NULL, FALSE, 64, 64, 16, FALSE, FALSE, TRUE}},
    {"tensor.f8.f16.sparse", {FALSE, "f8", "f16", TRUE, 0, 0, 0, FALSE, FALSE, FALSE}},
    {"tensor.bf16.m16n8k8", {FALSE, "bf16", NULL, FALSE, 16, 8, 8, FALSE, FALSE, FALSE}},
    {"tensor.f64.m8n8k4", {FALSE, "f64", NULL, FALSE, 8, 8, 4, FALSE, FALSE, FALSE}},
    {"tensor.s8.sparse.m16n8k64", {FALSE, "s8", NULL, TRUE, 16, 8, 64, FALSE, FALSE, FALSE}},
    {"tensor.b1.m16n8k256", {FALSE, "b1", NULL, FALSE, 16, 8, 256, FALSE, FALSE, FALSE}},
    {"tensor.m16n8k16", {FALSE, NULL, NULL, FALSE, 16, 8, 16, FALSE, FALSE, FALSE}},
    {"tensor.sparse", {FALSE, NULL, NULL, TRUE, 0, 0, 0, FALSE, FALSE, FALSE}},
    {"tensor.tcgen05", {FALSE, NULL, NULL, FALSE, 0, 0, 0, TRUE, FALSE, FALSE}},
    {"tensor.tcgen05.f16.f32.m128n256k16",
     {FALSE, "f16", "f32", FALSE, 128, 256, 16, TRUE, FALSE, FALSE}},
    {"tensor.tcgen05.pair.f8.f32.sparse.held.m256n8k64",
     {FALSE, "f8", "f32", TRUE, 256, 8, 64, TRUE, TRUE, TRUE}},
};

static void assert_product(const char *name, const PsMatrixName *expected)
{
    PsMatrixName product;
    g_test_message("%s", name);
    g_assert_true(ps_matrix_parse(name, &product));
    g_assert_cmpint(product.wgmma, ==, expected->wgmma);
    g_assert_cmpstr(product.factor, ==, expected->factor);
    g_assert_cmpstr(product.result, ==, expected->result);
    g_assert_cmpint(product.sparse, ==, expected->sparse);
    g_assert_cmpint(product.tcgen05, ==, expected->tcgen05);
    g_assert_cmpint(product.pair, ==, expected->pair);
    g_assert_cmpint(product.held, ==, expected->held);
    g_assert_cmpuint(product.m, ==, expected->m);
    g_assert_cmpuint(product.n, ==, expected->n);
    g_assert_cmpuint(product.k, ==, expected->k);
}

static void test_products(void)
{
    for (guint i = 0; i < G_N_ELEMENTS(PRODUCTS); i++) {
        g_autofree char *written = ps_matrix_write(&PRODUCTS[i].product);
        assert_product(PRODUCTS[i].name, &PRODUCTS[i].product);
        g_assert_cmpstr(written, ==, PRODUCTS[i].name);
    }
}

/* Parts that are not where they belong, or of which nobody knows. */
static void test_strange_products(void)
{
    static const char *const others[] = {"tensors", "fadd", "", "wgmma.tensor", "Tensor.f16"};
    PsMatrixName product;
    for (guint i = 0; i < G_N_ELEMENTS(others); i++)
        g_assert_false(ps_matrix_parse(others[i], &product));
    assert_product("tensor.f32.f16", &(PsMatrixName){.factor = "f32"});
    assert_product("tensor.f16.bf16", &(PsMatrixName){.factor = "f16"});
    assert_product("tensor.f99.f16", &(PsMatrixName){.factor = NULL});
    assert_product("tensor.f16.wgmma", &(PsMatrixName){.factor = "f16"});
    assert_product("tensor.pair.f16.held", &(PsMatrixName){.factor = NULL});
    assert_product("tensor.f16.held.pair", &(PsMatrixName){.factor = "f16"});
    assert_product("tensor.s8.s32.sparse", &(PsMatrixName){.factor = "s8"});
    assert_product("tensor.f16.m16n8", &(PsMatrixName){.factor = "f16"});
    assert_product("tensor.f16.m16n8k16x", &(PsMatrixName){.factor = "f16"});
    assert_product("tensor.f16.m16n8k99999", &(PsMatrixName){.factor = "f16"});
    assert_product("tensor..f16", &(PsMatrixName){.factor = NULL});
    g_autofree char *closed = ps_matrix_write(
        &(PsMatrixName){.factor = "bf16", .result = "f32", .m = 16, .n = 8, .k = 8});
    g_assert_cmpstr(closed, ==, "tensor.bf16.m16n8k8");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/class-name/is-name", test_is_name);
    g_test_add_func("/class-name/covers", test_covers);
    g_test_add_func("/class-name/special", test_special);
    g_test_add_func("/class-name/names", test_names);
    g_test_add_func("/class-name/first-parts", test_first_parts);
    g_test_add_func("/class-name/cut-last", test_cut_last);
    g_test_add_func("/class-name/degree", test_degree);
    g_test_add_func("/class-name/memories", test_memories);
    g_test_add_func("/class-name/access", test_access);
    g_test_add_func("/class-name/wavefronts", test_wavefronts);
    g_test_add_func("/class-name/written", test_written);
    g_test_add_func("/class-name/counted", test_counted);
    g_test_add_func("/class-name/plain", test_plain);
    g_test_add_func("/class-name/products", test_products);
    g_test_add_func("/class-name/strange-products", test_strange_products);
    return g_test_run();
}
