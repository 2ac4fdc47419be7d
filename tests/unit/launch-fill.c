/* SPDX-License-Identifier: BSD-3-Clause */
/* What buffers hold: what their texts say, and block by block where they are touched first. */
#include "launch/fill.h"

#include "base/message.h"
#include "launch/blocks.h"
#include "launch/launch.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static guint8 *fill(const char *text, gsize *size)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsScope) scope = ps_scope_new();
    ps_scope_set(scope, "n", PS_RATIONAL_INT(100));
    guint8 *data = ps_fill_make("x", text, scope, size, &error);
    g_assert_no_error(error);
    g_assert_nonnull(data);
    return data;
}

static void check_wrong(const char *text, const char *message)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsScope) scope = ps_scope_new();
    gsize size;
    g_assert_null(ps_fill_make("--arg x", text, scope, &size, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_USAGE);
    g_assert_cmpstr(error->message, ==, message);
}

/* ---- texts ---------------------------------------------------------------------------------- */

static void check_size(const char *text, gsize expected)
{
    gsize size = 1;
    g_autofree guint8 *data = fill(text, &size);
    g_assert_cmpuint(size, ==, expected);
    for (gsize i = 0; i < size; i++)
        g_assert_cmpuint(data[i], ==, 0);
}

static void test_sizes(void)
{
    check_size("zero:0", 0);
    check_size("zero:17", 17);
    check_size("zero:4K", 4096);
    check_size("zero:4*1K", 4096);
    check_size("zero:n*1K+2", 102402);
    check_size("zero:1M", 1 << 20);
    check_size("zero:4*n", 400);
    check_size("zero:(n+1)*2", 202);
}

static void test_wrong(void)
{
    static const char KINDS[] =
        "; it is zero:BYTES, ramp:BYTES[:TYPE], random:BYTES[:SEED[:TYPE[:BELOW]]] or @FILE";
    g_autofree char *ones =
                        g_strconcat("--arg x: a buffer cannot be filled with 'ones'", KINDS, NULL),
                    *empty = g_strconcat("--arg x: a buffer cannot be filled with ''", KINDS, NULL);
    check_wrong("ones:4K", ones);
    check_wrong(":4K", empty);
    check_wrong("zero:", "--arg x: write zero:BYTES");
    check_wrong("zero:4:f32", "--arg x: write zero:BYTES");
    check_wrong("ramp:4:f32:1", "--arg x: write ramp:BYTES[:TYPE]");
    check_wrong("random:4:1:f32:2:3", "--arg x: write random:BYTES[:SEED[:TYPE[:BELOW]]]");
    check_wrong("zero:4q", "--arg x: '4q' is no number of bytes; write 4096, 4K, 4M, 1G, or a "
                           "formula of other arguments such as 4*n");
    check_wrong("zero:65G", "--arg x: 65G bytes are more than any GPU has");
    check_wrong("ramp:4:b32", "--arg x: there is no type 'b32' of elements; it is f32, f64, f16, "
                              "bf16, u8, u16, u32, u64, s8, s16, s32 or s64");
    check_wrong("random:4:x", "--arg x: 'x' is no whole number from 0 to 4294967295");
    check_wrong("random:4:4294967296",
                "--arg x: '4294967296' is no whole number from 0 to 4294967295");
    check_wrong("random:4:1:f32:-1",
                "--arg x: '-1' is no whole number from 0 to 9223372036854775807");
}

/* The most that a buffer has, and one more. */
static void test_most(void)
{
    g_autoptr(GError) error = NULL;
    g_assert_true(ps_fill_check("--arg x", "zero:64G", &error));
    g_assert_true(ps_fill_check("--arg x", "zero:68719476736", &error));
    g_assert_no_error(error);
    check_wrong("zero:68719476737", "--arg x: 68719476737 bytes are more than any GPU has");
}

static void test_wrong_expression(void)
{
    g_autoptr(GError) error = NULL, many = NULL;
    g_autoptr(PsScope) scope = ps_scope_new();
    gsize size;
    ps_scope_set(scope, "n", PS_RATIONAL_INT(G_GINT64_CONSTANT(1) << 35));
    g_assert_null(ps_fill_make("x", "zero:4*m", scope, &size, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_USAGE);
    g_assert_cmpstr(error->message, ==, "x: \"4*m\": there is no parameter \"m\"; known here: n");
    g_assert_null(ps_fill_make("x", "zero:4*n", scope, &size, &many));
    g_assert_error(many, PS_ERROR, PS_ERROR_USAGE);
    g_assert_cmpstr(many->message, ==,
                    "x: the number of bytes \"4*n\" is 137438953472; it must be at most "
                    "68719476736");
}

static void test_is(void)
{
    g_assert_true(ps_fill_is("@file"));
    g_assert_true(ps_fill_is("zero:4"));
    g_assert_false(ps_fill_is("42"));
    g_assert_false(ps_fill_is("a@b"));
}

static void test_file(void)
{
    g_autoptr(GError) error = NULL, missing = NULL, device = NULL;
    g_autofree char *path = NULL;
    const int file = g_file_open_tmp("fill-XXXXXX", &path, &error);
    g_assert_no_error(error);
    g_close(file, NULL);
    g_file_set_contents(path, "a\0b", 3, &error);
    g_assert_no_error(error);
    g_autofree char *text = g_strconcat("@", path, NULL);
    gsize size;
    g_autofree guint8 *data = fill(text, &size);
    g_assert_cmpmem(data, size, "a\0b", 3);
    g_unlink(path);
    g_assert_null(ps_fill_make("x", text, NULL, &size, &missing));
    g_assert_error(missing, PS_ERROR, PS_ERROR_READ);
    g_assert_null(ps_fill_make("x", "@/dev/zero", NULL, &size, &device));
    g_assert_error(device, PS_ERROR, PS_ERROR_READ);
    g_assert_cmpstr(device->message, ==,
                    "x: /dev/zero is a device, whose bytes have no end; name a file, or say "
                    "zero:BYTES or random:BYTES");
}

/* ---- elements ------------------------------------------------------------------------------- */

/* The last element is behind the first block; bytes that are no element are zero. */
static void test_ramp(void)
{
    gsize size;
    g_autofree guint8 *bytes = fill("ramp:300:u8", &size);
    for (guint i = 0; i < 300; i++)
        g_assert_cmpuint(bytes[i], ==, i & 0xff);
    g_autofree guint8 *words = fill("ramp:70003:s32", &size);
    g_assert_cmpuint(size, ==, 70003);
    for (guint32 i = 0; i < 70003 / 4; i++)
        g_assert_cmpuint(((const guint32 *)words)[i], ==, i);
    g_assert_cmpuint(words[70000] | words[70001] | words[70002], ==, 0);
    g_autofree guint8 *longs = fill("ramp:24:u64", &size);
    g_assert_cmpuint(((const guint64 *)longs)[2], ==, 2);
    g_autofree guint8 *halves = fill("ramp:8:f16", &size);
    g_assert_cmphex(((const guint16 *)halves)[3], ==, 0x4200);
    g_autofree guint8 *doubles = fill("ramp:800:f64", &size);
    g_assert_cmpfloat(((const double *)doubles)[99], ==, 99);
    g_autofree guint8 *plain = fill("ramp:8", &size);
    g_assert_cmpfloat(((const float *)plain)[1], ==, 1);
}

/* As GLib's generator with that seed gives them. */
static void check_random(const char *text, guint32 seed, double below)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
    gsize size;
    g_autofree guint8 *data = fill(text, &size);
    g_assert_cmpuint(size, ==, 200000);
    for (guint i = 0; i < 50000; i++)
        g_assert_cmpfloat(((const float *)data)[i], ==, (float)(g_rand_double(rand) * below));
}

static void test_random_fractions(void)
{
    check_random("random:200000", 1, 1);
    check_random("random:200000:7", 7, 1);
    check_random("random:200000:7:f32", 7, 1);
    check_random("random:200000::f32:10", 1, 10);
}

/* In 11 bits one fraction of 4096 would be rounded up to 1, 0x3c00; as a single, element 372. */
static void test_random_below(void)
{
    gsize size;
    g_autofree guint8 *halves = fill("random:200000:7:f16", &size);
    guint most = 0;
    for (gsize i = 0; i < size; i += 2)
        most = MAX(most, halves[i] | (guint)halves[i + 1] << 8);
    g_assert_cmphex(most, ==, 0x3bff);
    g_autofree guint8 *singles = fill("random:1600:10694:f32", &size);
    g_assert_cmphex(singles[372 * 4] | (guint)singles[372 * 4 + 2] << 16, ==, 0x7f00ff);
}

static void test_random_integers(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(3);
    gsize size;
    g_autofree guint8 *all = fill("random:800000:3:u64", &size),
                      *below = fill("random:800000:3:u64:1000", &size),
                      *small = fill("random:100000:3:u8", &size);
    for (guint i = 0; i < 100000; i++) {
        const guint64 high = (guint64)g_rand_int(rand) << 32, bits = high | g_rand_int(rand);
        g_assert_cmphex(((const guint64 *)all)[i], ==, bits);
        g_assert_cmpuint(((const guint64 *)below)[i], ==, bits % 1000);
        g_assert_cmpuint(small[i], ==, bits & 0xff);
    }
}

/* ---- blocks --------------------------------------------------------------------------------- */

#define N_BLOCKS 5
#define SIZE ((N_BLOCKS - 1) * PS_PTX_BLOCK + 1000)

static void check_order(const char *text, const guint *order, guint n)
{
    g_autoptr(GError) error = NULL;
    PsPtxBlocks *blocks;
    gsize size;
    g_autofree guint8 *whole = ps_fill_make("x", text, NULL, &size, &error);
    guint8 *later = ps_fill_make_later("x", text, NULL, &size, &blocks, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(size, ==, SIZE);
    for (guint i = 0; i < n; i++) {
        const gsize from = (gsize)order[i] * PS_PTX_BLOCK, to = MIN(from + PS_PTX_BLOCK, SIZE);
        if (blocks->made[order[i]])
            continue;
        for (gsize k = from; k < to; k++)
            g_assert_cmpuint(later[k], ==, 0);
        blocks->make(blocks->data, order[i], &error);
        g_assert_no_error(error);
        g_assert_true(blocks->made[order[i]]);
        g_assert_cmpmem(later + from, to - from, whole + from, to - from);
        if (i % 2 == 0) {
            g_assert_true(blocks->drop(blocks->data, order[i]));
            g_assert_false(blocks->made[order[i]]);
        }
    }
    g_assert_true(ps_blocks_finish(blocks, &error));
    g_assert_cmpmem(later, size, whole, size);
    ps_fill_free(later, blocks);
}

static void test_orders(void)
{
    static const char *const kinds[] = {"ramp:%u:u64", "random:%u:5", "random:%u:5:u8",
                                        "random:%u:5:f64:3"};
    g_autoptr(GRand) rand = g_rand_new_with_seed(11);
    for (guint i = 0; i < G_N_ELEMENTS(kinds); i++) {
        g_autofree char *bytes = g_strdup_printf("%d", SIZE);
        g_auto(GStrv) parts = g_strsplit(kinds[i], "%u", 2);
        g_autofree char *text = g_strjoinv(bytes, parts);
        check_order(text, (const guint[]){0, 1, 2, 3, 4}, 5);
        check_order(text, (const guint[]){4, 3, 2, 1, 0}, 5);
        for (guint k = 0; k < 20; k++) {
            guint order[4];
            for (guint n = 0; n < G_N_ELEMENTS(order); n++)
                order[n] = (guint)g_rand_int_range(rand, 0, N_BLOCKS);
            check_order(text, order, G_N_ELEMENTS(order));
        }
    }
}

/* More blocks than places of the generator are kept. */
static void test_places(void)
{
    static const guint order[] = {3000, 2999, 1500, 1501, 0, 2500, 1499, 3000};
    g_autoptr(GError) error = NULL;
    g_autofree char *text = g_strdup_printf("random:%d:7:u64", 3001 * PS_PTX_BLOCK);
    g_autoptr(GRand) rand = g_rand_new_with_seed(7);
    PsPtxBlocks *blocks;
    gsize size;
    guint8 *data = ps_fill_make_later("x", text, NULL, &size, &blocks, &error);
    g_autofree guint64 *first = g_new(guint64, 3001); /* of each block */
    for (guint i = 0; i < 3001; i++)
        for (guint k = 0; k < PS_PTX_BLOCK / 8; k++) {
            const guint64 high = g_rand_int(rand), low = g_rand_int(rand);
            if (k == 0)
                first[i] = high << 32 | low;
        }
    for (guint i = 0; i < G_N_ELEMENTS(order); i++) {
        guint64 here;
        blocks->make(blocks->data, order[i], &error);
        memcpy(&here, data + (gsize)order[i] * PS_PTX_BLOCK, sizeof here);
        g_assert_cmphex(here, ==, first[order[i]]);
    }
    ps_fill_free(data, blocks);
}

/* A file is read where it is touched; where it has become shorter, that is said. */
static void test_file_later(void)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *path = NULL;
    const int file = g_file_open_tmp("launch-fill-XXXXXX", &path, &error);
    g_autofree guint8 *bytes = g_malloc(SIZE);
    for (guint i = 0; i < SIZE; i++)
        bytes[i] = (guint8)(i / 1000);
    g_assert_cmpint(write(file, bytes, SIZE), ==, SIZE);
    g_autofree char *text = g_strconcat("@", path, NULL);
    check_order(text, (const guint[]){4, 0, 2}, 3);
    PsPtxBlocks *blocks;
    gsize size;
    guint8 *data = ps_fill_make_later("x", text, NULL, &size, &blocks, &error);
    g_assert_cmpint(ftruncate(file, PS_PTX_BLOCK + 5), ==, 0);
    blocks->make(blocks->data, 0, &error);
    g_assert_no_error(error);
    g_assert_false(ps_blocks_finish(blocks, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_READ);
    g_assert_true(g_str_has_suffix(error->message,
                                   "cannot be read from byte 16389 on: it has become shorter"));
    ps_fill_free(data, blocks);
    close(file);
    g_unlink(path);
}

static void test_no_blocks(void)
{
    g_assert_true(ps_blocks_finish(NULL, NULL));
    ps_fill_free(NULL, NULL);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/launch/fill/sizes", test_sizes);
    g_test_add_func("/launch/fill/wrong", test_wrong);
    g_test_add_func("/launch/fill/wrong-expression", test_wrong_expression);
    g_test_add_func("/launch/fill/most", test_most);
    g_test_add_func("/launch/fill/is", test_is);
    g_test_add_func("/launch/fill/file", test_file);
    g_test_add_func("/launch/fill/ramp", test_ramp);
    g_test_add_func("/launch/fill/random-fractions", test_random_fractions);
    g_test_add_func("/launch/fill/random-below", test_random_below);
    g_test_add_func("/launch/fill/random-integers", test_random_integers);
    g_test_add_func("/launch/fill/orders", test_orders);
    g_test_add_func("/launch/fill/no-blocks", test_no_blocks);
    g_test_add_func("/launch/fill/places", test_places);
    g_test_add_func("/launch/fill/file-later", test_file_later);
    return g_test_run();
}
