/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The executor: mma with scales of blocks (sm_120a), and of numbers of 6 and 4 bits, against plain
 * loops: which lanes' words, and which of their bytes, are the scales of a row or a column.
 */
#include "tests/help/ptx-launch.h"
#include <glib.h>
#include <math.h>
#include <string.h>

/* All elements of A and B are 1, so that D shows the scales of their blocks. */
typedef struct {
    const char *name, *kind, *types;
    guint32 one;     /* a register of A and B in which each element is 1 */
    guint blocks, k; /* of a row; elements */
    gboolean powers;
    guint byte_a, lane_a, byte_b, lane_b;
} Case;

#define ONES_OF_8 0x38383838U /* e4m3 */
#define ONES_OF_4 0x22222222U /* e2m1 */
#define ONES_IN_8 0x08080808U /* e2m1, two bits from the lowest */
#define ONES_OF_6 0x08080808U /* e2m3 */

static const Case cases[] = {
    {"mxf8", "mxf8f6f4.block_scale.scale_vec::1X.f32", "e4m3.e4m3.f32.ue8m0", ONES_OF_8, 1, 32,
     TRUE, 0, 0, 0, 0},
    {"mxf8-others", "mxf8f6f4.block_scale.scale_vec::1X.f32", "e4m3.e4m3.f32.ue8m0", ONES_OF_8, 1,
     32, TRUE, 2, 1, 3, 2},
    {"mxf4-in-8", "mxf8f6f4.block_scale.scale_vec::1X.f32", "e2m1.e2m1.f32.ue8m0", ONES_IN_8, 1, 32,
     TRUE, 1, 0, 1, 3},
    {"mxf6", "mxf8f6f4.block_scale.scale_vec::1X.f32", "e2m3.e2m3.f32.ue8m0", ONES_OF_6, 1, 32,
     TRUE, 0, 1, 0, 1},
    {"mxf4", "mxf4.block_scale.scale_vec::2X.f32", "e2m1.e2m1.f32.ue8m0", ONES_OF_4, 2, 64, TRUE, 2,
     1, 0, 3},
    {"nvf4", "mxf4nvf4.block_scale.scale_vec::4X.f32", "e2m1.e2m1.f32.ue4m3", ONES_OF_4, 4, 64,
     FALSE, 0, 0, 0, 1},
};

/* The scale that a lane's word has in a byte: 2 to the power of some small number, or 1, 1.5, 2. */
static double scale_of(const Case *c, guint lane, guint byte)
{
    return c->powers ? ldexp(1, (int)((lane + byte) % 4)) : 1 + (lane + byte) % 3 * .5;
}

/* PTX that makes the word of the lane %r1 in %r6: byte i is a code by (lane + i). Free with g_free.
 */
static char *make_word(const Case *c)
{
    static const char powers[] = "and.b32 %r5, %r5, 3; add.u32 %r5, %r5, 127;";
    static const char numbers[] = "rem.u32 %r5, %r5, 3; shl.b32 %r5, %r5, 2; add.u32 %r5, %r5, 56;";
    GString *text = g_string_new("mov.u32 %r6, 0;");
    for (guint i = 0; i < 4; i++)
        g_string_append_printf(
            text, "add.u32 %%r5, %%r1, %u; %s shl.b32 %%r5, %%r5, %u; or.b32 %%r6, %%r6, %%r5;", i,
            c->powers ? powers : numbers, i * 8);
    return g_string_free(text, FALSE);
}

/* Element 0 of a lane's part of D is in row lane / 4, column lane % 4 * 2. */
static float expected(const Case *c, guint lane)
{
    const guint row = lane / 4, column = lane % 4 * 2;
    const guint of_block = c->k / c->blocks;
    double sum = 0;
    for (guint block = 0; block < c->blocks; block++)
        sum += of_block * scale_of(c, row * 4 + c->lane_a * 2, c->byte_a + block) *
               scale_of(c, column * 4 + c->lane_b, c->byte_b + block);
    return (float)sum;
}

static void test_case(gconstpointer data)
{
    const Case *c = data;
    g_autoptr(GError) error = NULL;
    g_autofree char *word = make_word(c);
    g_autofree char *body = g_strdup_printf(
        "%s .reg .f32 %%d<4>; mov.u32 %%r7, 0x%x;"
        "mma.sync.aligned.m16n8k%u.row.col.kind::%s.%s {%%d0, %%d1, %%d2, %%d3}, {%%r7, %%r7, "
        "%%r7, "
        "%%r7}, {%%r7, %%r7}, {0f00000000, 0f00000000, 0f00000000, 0f00000000}, %%r6, {%u, %u}, "
        "%%r6, {%u, %u}; mov.b32 %%r3, %%d0; %s",
        word, c->one, c->k, c->kind, c->types, c->byte_a, c->lane_a, c->byte_b, c->lane_b,
        PTX_STORE);
    g_autofree guint32 *out = ptx_launch(&(PtxLaunch){.body = body}, &error);
    g_assert_no_error(error);
    for (guint lane = 0; lane < 32; lane++) {
        float value;
        memcpy(&value, &out[lane], sizeof value);
        g_assert_cmpfloat(value, ==, expected(c, lane));
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *path = g_strdup_printf("/ptx-run-mma-scaled/%s", cases[i].name);
        g_test_add_data_func(path, &cases[i], test_case);
    }
    return g_test_run();
}
