/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Textures and surfaces of machine code do what those of PTX do: each kernel of
 * tests/sass/textures.ptx, with textures of many kinds, leaves the same bits.
 */
#include "ptx/run/run.h"
#include "ptx/run/texture.h"
#include "tests/help/sass.h"

#include <string.h>

enum { THREADS = 96, LAYERS = 12, PLANES = 16, WIDTH = 8, HEIGHT = 6, DEPTH = 4 };

#define AT ((guint64)1 << 40)

/* What the memory behind a texture holds. */
static const struct {
    guint channels, bytes;
    PsPtxTexel texel;
    gboolean fraction;
} kinds[] = {
    {4, 4, PS_PTX_TEXEL_FLOAT, FALSE},  {1, 4, PS_PTX_TEXEL_FLOAT, FALSE},
    {2, 2, PS_PTX_TEXEL_FLOAT, FALSE},  {4, 1, PS_PTX_TEXEL_UNSIGNED, TRUE},
    {2, 2, PS_PTX_TEXEL_SIGNED, TRUE},  {4, 1, PS_PTX_TEXEL_UNSIGNED, FALSE},
    {2, 2, PS_PTX_TEXEL_SIGNED, FALSE}, {1, 4, PS_PTX_TEXEL_UNSIGNED, FALSE},
};
enum { N_FLOATS = 5 };

/* What a kernel reads and leaves. */
typedef struct {
    guint32 out[THREADS][4];
    guint8 memory[PLANES * HEIGHT * WIDTH * 16];
} Left;

static void fill(Left *left, float (*at)[4])
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(5);
    memset(left, 0, sizeof *left);
    for (gsize i = 0; i < sizeof left->memory; i += 4) {
        const float value = (float)g_rand_double_range(rand, -3, 3);
        memcpy(&left->memory[i], &value, sizeof value);
    }
    for (guint i = 0; i < THREADS; i++) {
        const guint32 layer = (guint32)g_rand_int_range(rand, 0, LAYERS);
        for (guint x = 0; x < 3; x++)
            at[i][x] = (float)g_rand_int_range(rand, -80, 200) / 16;
        memcpy(&at[i][3], &layer, sizeof layer);
    }
}

static void run(const PsPtxModule *module, const char *name, const PsPtxTexture *texture,
                Left *left)
{
    const PsPtxTexture *const textures[] = {texture};
    const PsPtxPlaced placed = {
        .name = "array", .address = AT, .data = left->memory, .size = sizeof left->memory};
    float at[THREADS][4];
    guint64 handle = 1;
    fill(left, at);
    g_autoptr(GError) error = NULL;
    const PsPtxArgument arguments[] = {
        name[0] == 'b'
            ? (PsPtxArgument){.name = "t", .data = (guint8 *)&handle, .size = sizeof handle}
            : (PsPtxArgument){.name = "t", .bits = handle},
        {.name = "at", .data = (guint8 *)at, .size = sizeof at},
        {.name = "out", .data = (guint8 *)left->out, .size = sizeof left->out}};
    const PsPtxLaunch launch = {.kernel = ps_ptx_kernel(module, name, &error),
                                .grid = {1, 1, 1},
                                .block = {THREADS, 1, 1},
                                .n_arguments = G_N_ELEMENTS(arguments),
                                .arguments = arguments,
                                .n_placed = 1,
                                .placed = &placed,
                                .textures = textures,
                                .n_textures = 1};
    g_assert_no_error(error);
    PsPtxMachine *machine = ps_ptx_machine_new(module, &launch, &error);
    g_assert_no_error(error);
    const guint group[3] = {0, 0, 0};
    ps_ptx_run_group(machine, group, NULL, &error);
    g_assert_no_error(error);
    ps_ptx_machine_free(machine);
}

/* A kernel's first letters say which kinds it can read: s and q all, w whole numbers. */
static gboolean reads(const char *name, guint kind)
{
    const gboolean whole = name[0] == 'w';
    return strstr(name, "s_") == name || strstr(name, "b_s") == name || name[0] == 'q' ||
           whole == (kind >= N_FLOATS);
}

/* The assembler scales a direction by an approximate reciprocal before a cube is read, which moves
 * places by a last bit: it decides where one lies between two elements. */
static void check_nearly(const Left *one, const Left *other)
{
    guint same = 0;
    for (guint i = 0; i < THREADS; i++)
        same += memcmp(one->out[i], other->out[i], sizeof one->out[i]) == 0;
    g_assert_cmpuint(same, >=, THREADS * 9 / 10);
}

/* TRUE if not all threads read the same. */
static gboolean varies(const Left *left)
{
    for (guint i = 1; i < THREADS; i++)
        if (memcmp(left->out[i], left->out[0], sizeof left->out[i]) != 0)
            return TRUE;
    return FALSE;
}

static void check_kernel(const PsPtxModule *ptx, const PsPtxModule *machine, const char *name)
{
    g_autofree Left *of_ptx = g_new(Left, 1), *of_machine = g_new(Left, 1),
                    *before = g_new(Left, 1);
    float at[THREADS][4];
    guint differ = 0;
    const gboolean line = strstr(name, "1d") != NULL, store = strstr(name, "store") != NULL;
    const gboolean cube = strstr(name, "cube") != NULL;
    fill(before, at);
    for (guint i = 0; i < G_N_ELEMENTS(kinds) * 16; i += 5) {
        const guint kind = i / 16;
        const guint element = kinds[kind].channels * kinds[kind].bytes;
        const PsPtxBeyond edge = i % 4;
        const gboolean whole = kind >= N_FLOATS;
        const PsPtxTexture texture = {.address = AT,
                                      .pitch = WIDTH * element,
                                      .plane = WIDTH * HEIGHT * element,
                                      .size = {WIDTH, line ? 1 : HEIGHT, line ? 1 : DEPTH},
                                      .layers = LAYERS,
                                      .channels = kinds[kind].channels,
                                      .bytes = kinds[kind].bytes,
                                      .texel = kinds[kind].texel,
                                      .fraction = kinds[kind].fraction,
                                      .linear = (i & 4) != 0 && !whole,
                                      .normalized = (i & 8) != 0,
                                      .edge = {edge, edge, edge},
                                      .border = {5, 6, 7, 8}};
        if (!reads(name, kind))
            continue;
        g_test_message("%s, texture %u", name, i);
        run(ptx, name, &texture, of_ptx);
        run(machine, name, &texture, of_machine);
        if (cube)
            check_nearly(of_machine, of_ptx);
        else
            g_assert_cmpmem(of_machine, sizeof(Left), of_ptx, sizeof(Left));
        differ += store ? memcmp(of_ptx->memory, before->memory, sizeof before->memory) != 0
                        : varies(of_ptx);
    }
    g_assert_true(differ > 0 || name[0] == 'q' || strcmp(name, "f_origin") == 0);
}

static void test_all(gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsPtxModule) ptx = ps_ptx_load("tests/sass/textures.ptx", &error);
    g_autofree char *file = g_strconcat("textures-", data, NULL);
    g_assert_no_error(error);
    g_assert_cmpuint(ptx->functions->len, >, 50);
    for (guint i = 0; i < ptx->functions->len; i++) {
        const PsPtxFunction *function = ptx->functions->pdata[i];
        PsSassImage *image = NULL;
        PsSassCode *code = sass_code(file, function->name, &image);
        g_assert_cmpuint(code->module->warnings->len, ==, 0);
        check_kernel(ptx, code->module, function->name);
        ps_sass_code_free(code);
        ps_sass_image_free(image);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_data_func("/sass-texture/sm_75", "75", test_all);
    g_test_add_data_func("/sass-texture/sm_90", "90", test_all);
    g_test_add_data_func("/sass-texture/sm_120", "120", test_all);
    return g_test_run();
}
