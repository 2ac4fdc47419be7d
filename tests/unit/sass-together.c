/* SPDX-License-Identifier: BSD-3-Clause */
/* Cubins in one file: each kernel is there with its code, and what is listed of all is taken apart
 * into what is listed of each. */
#include "sass/file.h"
#include "sass/listing.h"
#include "sass/together.h"
#include "tests/help/sass.h"

#include <string.h>

static const char *const FILES[] = {"saxpy-80.cubin", "calls-80.cubin", "saxpy-80.cubin"};

/* The first kernel of each file, alone. */
static GPtrArray *read_alone(void)
{
    GPtrArray *all = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
    for (gsize i = 0; i < G_N_ELEMENTS(FILES); i++) {
        g_autoptr(GBytes) cubin = sass_file(FILES[i]);
        g_autoptr(PsSassImage) image = ps_sass_image_new(cubin, "x", NULL);
        g_ptr_array_add(all, ps_sass_image_alone(image, image->kernels->pdata[0]));
    }
    return all;
}

/* Names that are in several cubins have a mark behind them; all else of a kernel is as it was. */
static void test_together(void)
{
    g_autoptr(GPtrArray) all = read_alone();
    g_autoptr(GBytes) bytes = ps_sass_together(all);
    g_autoptr(GError) error = NULL;
    g_autoptr(PsSassImage) image = ps_sass_image_new(bytes, "x", &error);
    g_assert_no_error(error);
    g_assert_cmpuint(image->kernels->len, ==, G_N_ELEMENTS(FILES));
    for (guint i = 0; i < image->kernels->len; i++) {
        g_autoptr(PsSassImage) own = ps_sass_image_new(all->pdata[i], "x", NULL);
        const PsSassKernel *kernel = image->kernels->pdata[i], *was = own->kernels->pdata[0];
        g_autofree char *name = g_strdup_printf("%s$pipesim$%u$", was->name, i);
        g_assert_cmpstr(kernel->name, ==, name);
        g_assert_cmpmem(kernel->text.bytes, kernel->text.size, was->text.bytes, was->text.size);
        g_assert_cmpuint(kernel->registers, ==, was->registers);
        g_assert_cmpuint(g_hash_table_size(kernel->subroutines), ==,
                         g_hash_table_size(was->subroutines));
    }
}

static void test_damaged(void)
{
    g_autoptr(GPtrArray) all = read_alone();
    gsize size;
    const guint8 *data = g_bytes_get_data(all->pdata[1], &size);
    g_autofree guint8 *copy = g_memdup2(data, size);
    for (gsize i = 0; i < size; i += 7) {
        copy[i] ^= 0xff;
        g_bytes_unref(all->pdata[1]);
        all->pdata[1] = g_bytes_new(copy, size);
        g_autoptr(GBytes) bytes = ps_sass_together(all);
        copy[i] ^= 0xff;
        ps_sass_image_free(bytes ? ps_sass_image_new(bytes, "x", NULL) : NULL);
    }
    for (gsize i = 0; i < size; i += 61) {
        g_bytes_unref(all->pdata[1]);
        all->pdata[1] = g_bytes_new(copy, i);
        GBytes *bytes = ps_sass_together(all);
        g_clear_pointer(&bytes, g_bytes_unref);
    }
    g_ptr_array_set_size(all, 0);
    g_assert_null(ps_sass_together(all));
}

/* What nvdisasm writes of a file with two kernels of the same name, and a function of none. */
static void test_apart(void)
{
    static const char json[] =
        "[{\"Producer\":\"nvdisasm V13.5.37 Build\"},[\n"
        "{\"function-name\":\"k$pipesim$1$\",\"start\":0,\"sass-instructions\":[\n"
        "{\"opcode\":\"CALL.REL.NOINC\",\"operands\":\"$sub$pipesim$1$\"}]},\n"
        "{\"function-name\":\"other\",\"sass-instructions\":[]},\n"
        "{\"sass-instructions\":[]}, null,\n"
        "{\"function-name\":\"k$pipesim$0$\",\"start\":0,\"sass-instructions\":[{\"opcode\":"
        "\"EXIT\"}]},\n"
        "{\"function-name\":\"k$sub$pipesim$1$\",\"start\":16,\"sass-instructions\":[{\"opcode\":"
        "\"RET\"}]}]]";
    static const char *const expected[] = {
        "[{\"Producer\":\"nvdisasm V13.5.37 Build\"},["
        "{\"function-name\":\"k\",\"start\":0,\"sass-instructions\":[{\"opcode\":\"EXIT\"}]}]]",
        "[{\"Producer\":\"nvdisasm V13.5.37 Build\"},["
        "{\"function-name\":\"k\",\"start\":0,\"sass-instructions\":[\n"
        "{\"opcode\":\"CALL.REL.NOINC\",\"operands\":\"$sub\"}]},"
        "{\"function-name\":\"k$sub\",\"start\":16,\"sass-instructions\":[{\"opcode\":\"RET\"}]}]"
        "]"};
    g_autoptr(GPtrArray) listings = ps_sass_apart(json, strlen(json), 3);
    for (gsize i = 0; i < G_N_ELEMENTS(expected); i++)
        g_assert_cmpstr(((GString *)listings->pdata[i])->str, ==, expected[i]);
    g_assert_null(listings->pdata[2]);
    for (gsize i = 0; i < strlen(json); i++)
        g_assert_null(ps_sass_apart(json, i, 3));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/sass-together/file", test_together);
    g_test_add_func("/sass-together/damaged", test_damaged);
    g_test_add_func("/sass-together/apart", test_apart);
    return g_test_run();
}
