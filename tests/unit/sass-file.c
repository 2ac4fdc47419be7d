/* SPDX-License-Identifier: BSD-3-Clause */
/* The cubins of a file, and which of them suit a GPU. */
#include "sass/file.h"

#include "tests/help/sass.h"

enum { FLAGS = 48, MOST = 8 };

/* Cubins of one kernel for these architectures (up to a 0), behind bytes that are none. */
static GBytes *fat(const guint *architectures)
{
    g_autoptr(GBytes) cubin = sass_file("saxpy-80.cubin");
    GByteArray *all = g_byte_array_new();
    gsize size = 0;
    const guint8 *data = g_bytes_get_data(cubin, &size);
    g_byte_array_append(all, (const guint8 *)"\x50\xed\x55\xba\177ELF of something else", 26);
    for (; *architectures; architectures++) {
        const guint begin = all->len;
        g_byte_array_append(all, data, (guint)size);
        all->data[begin + FLAGS + 1] = (guint8)*architectures;
    }
    return g_byte_array_free_to_bytes(all);
}

static void test_choice(void)
{
    static const struct {
        guint has[MOST], gpu, taken;
        const char *all;
    } cases[] = {{{80}, 80, 80, NULL},
                 {{80}, 120, 80, NULL},
                 {{80, 80}, 80, 80, NULL},
                 {{90, 75, 80}, 80, 80, "sm_75, sm_80 and sm_90"},
                 {{75, 80, 90}, 86, 80, "sm_75, sm_80 and sm_90"},
                 {{75, 80, 86, 90}, 89, 86, "sm_75, sm_80, sm_86 and sm_90"},
                 {{75, 80, 90}, 70, 75, "sm_75, sm_80 and sm_90"},
                 {{75, 80, 90}, 61, 75, "sm_75, sm_80 and sm_90"},
                 {{86, 89}, 80, 86, "sm_86 and sm_89"},
                 {{75, 90}, 80, 90, "sm_75 and sm_90"},
                 {{75, 90}, 120, 90, "sm_75 and sm_90"},
                 {{120, 75}, 0, 120, "sm_75 and sm_120"}};
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GBytes) bytes = fat(cases[i].has);
        g_autoptr(GError) error = NULL;
        g_autoptr(GPtrArray) images = ps_sass_images_new(bytes, "x", &error);
        g_assert_no_error(error);
        g_autofree char *all = ps_sass_images_choose(images, cases[i].gpu);
        g_assert_cmpstr(all, ==, cases[i].all);
        g_assert_cmpuint(images->len, >, 0);
        for (guint k = 0; k < images->len; k++) {
            const PsSassImage *image = images->pdata[k];
            g_assert_cmpint(image->capability, ==, (int)cases[i].taken);
        }
    }
}

/* A fat binary with one entry of that kind. */
static GBytes *fat_of(guint8 kind, const char *body, guint8 size)
{
    const guint8 head[] = {0x50, 0xed, 0x55, 0xba, 1, 0, 16,   0,    (guint8)(16 + size),
                           0,    0,    0,    0,    0, 0, 0,    kind, 0,
                           1,    1,    16,   0,    0, 0, size, 0,    0,
                           0,    0,    0,    0,    0};
    GByteArray *all = g_byte_array_new();
    g_byte_array_append(all, (const guint8 *)"before it", 9);
    g_byte_array_append(all, head, sizeof head);
    g_byte_array_append(all, (const guint8 *)body, (guint)strlen(body));
    return g_byte_array_free_to_bytes(all);
}

static void test_packed(void)
{
    static const struct {
        guint8 kind;
        const char *body;
        guint8 size;
        gboolean packed;
    } cases[] = {{2, "(\265/\375....", 8, TRUE},
                 {2, "\177ELF....", 8, FALSE},
                 {1, "(\265/\375....", 8, FALSE},
                 {2, "(\265/\375", 8, FALSE} /* cut off */,
                 {2, "(", 1, FALSE}};
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GBytes) bytes = fat_of(cases[i].kind, cases[i].body, cases[i].size);
        g_assert_cmpint(ps_sass_has_packed(bytes), ==, cases[i].packed);
        for (gsize cut = 0; cut < g_bytes_get_size(bytes); cut++) {
            g_autoptr(GBytes) part = g_bytes_new(g_bytes_get_data(bytes, NULL), cut);
            g_assert_false(ps_sass_has_packed(part));
        }
    }
}

/* What cannot be read is passed by where something can. */
static void test_passed_by(void)
{
    g_autoptr(GBytes) bytes = fat((const guint[]){61, 80, 130, 0});
    g_autoptr(GPtrArray) images = ps_sass_images_new(bytes, "x", NULL);
    g_assert_cmpuint(images->len, ==, 1);
    g_autoptr(GBytes) old = fat((const guint[]){61, 130, 0});
    g_autoptr(GError) error = NULL;
    g_assert_null(ps_sass_images_new(old, "x", &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
    g_assert_cmpstr(error->message, ==,
                    "x: machine code for sm_61, and instructions of sm_70 to sm_121 are known; "
                    "compiled for one of these, or to PTX (nvcc -ptx), it can be read");
}

/* An object of AMD's has no cubins, compressed or not. */
static void test_amd(void)
{
    guint8 object[64] = "\177ELF";
    g_autoptr(GError) error = NULL;
    object[18] = 224;
    g_autoptr(GBytes) bytes = g_bytes_new_static(object, sizeof object);
    g_assert_null(ps_sass_images_new(bytes, "x", &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
    g_assert_cmpstr(error->message, ==,
                    "x: this is machine code of an AMD GPU, which is not read; give its source, a "
                    ".cl or .cu file");
}

static void test_none(void)
{
    g_autoptr(GBytes) bytes = fat((const guint[]){0});
    g_autoptr(GError) error = NULL;
    g_assert_null(ps_sass_images_new(bytes, "x", &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_READ);
    g_assert_cmpstr(error->message, ==, "x: no machine code for a GPU of NVIDIA is found in it");
    g_assert_true(ps_sass_is_file("\177ELF", 4));
    g_assert_true(ps_sass_is_file("\x50\xed\x55\xba", 4));
    g_assert_false(ps_sass_is_file("\177EL", 3));
    g_assert_false(ps_sass_is_file("<idg", 4));
}

/* Kernels and variables of parts that were compiled apart; of one name there is one. */
static void test_outline(void)
{
    g_autoptr(GBytes) twice = fat((const guint[]){80, 80, 0}), other = sass_file("mmul16-80.cubin");
    g_autoptr(GByteArray) all = g_byte_array_new();
    g_byte_array_append(all, g_bytes_get_data(twice, NULL), (guint)g_bytes_get_size(twice));
    g_byte_array_append(all, g_bytes_get_data(other, NULL), (guint)g_bytes_get_size(other));
    g_autoptr(GBytes) bytes = g_byte_array_free_to_bytes(g_steal_pointer(&all));
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) images = ps_sass_images_new(bytes, "x", &error);
    g_assert_no_error(error);
    PsPtxModule *module = ps_sass_outline(images, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(module->functions->len, ==, 2);
    ps_ptx_free(module);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/sass-file/packed", test_packed);
    g_test_add_func("/sass-file/choice", test_choice);
    g_test_add_func("/sass-file/passed-by", test_passed_by);
    g_test_add_func("/sass-file/none", test_none);
    g_test_add_func("/sass-file/amd", test_amd);
    g_test_add_func("/sass-file/outline", test_outline);
    return g_test_run();
}
