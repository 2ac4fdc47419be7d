/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A cubin made of a listing's text has the code, the registers and the parameters of the one that
 * was listed, for all stored listings; what is no whole listing is refused.
 */
#include "sass/from-text.h"

#include "tests/help/sass.h"

#include <string.h>

static guint64 word_of(const PsSassKernel *kernel, guint64 at)
{
    guint64 word = 0;
    memcpy(&word, kernel->text.bytes + at, sizeof word);
    return GUINT64_FROM_LE(word);
}

/* As nvdisasm -c -hex lists it. */
static void list_kernel(const PsSassKernel *kernel, const PsSassListing *listing, GString *text)
{
    g_string_append_printf(text, "\t.section\t.text.%s,\"ax\",@progbits\n", kernel->name);
    g_string_append_printf(text, "\t.sectioninfo\t@\"SHI_REGISTERS=%u\"\n%s:\n", kernel->registers,
                           kernel->name);
    for (guint i = 0; i < listing->instructions->len; i++) {
        const PsSassInstruction *one = &g_array_index(listing->instructions, PsSassInstruction, i);
        g_string_append_printf(text,
                               "        /*%04x*/  %s %s %s ;  /* 0x%016" G_GINT64_MODIFIER "x */\n"
                               "                      /* 0x%016" G_GINT64_MODIFIER "x */\n.L_%u:\n",
                               i * PS_SASS_BYTES, one->guard ? one->guard : "", one->opcode,
                               one->operands ? one->operands : "",
                               word_of(kernel, i * PS_SASS_BYTES),
                               word_of(kernel, i * PS_SASS_BYTES + 8), i);
    }
}

/* Two numbers that are loaded as one, and one whose halves are numbers, look alike. Tensor maps in
 * front of what the code reads are as many numbers. */
static gboolean is_ambiguous(const PsSassKernel *kernel, int capability)
{
    static const char *const names[] = {"shares 75",
                                        "stencil7 80",
                                        "gemm_tensor 80",
                                        "gemm 90",
                                        "product_f16 100",
                                        "product_tf32 100",
                                        "product_f8f6f4 100",
                                        "product_i8 100",
                                        "pair_f16 100",
                                        "pair_f8f6f4 100",
                                        NULL};
    g_autofree char *name = g_strdup_printf("%s %d", kernel->name, capability);
    return g_strv_contains(names, name);
}

/* Each parameter lies where one of the cubin's does, and is as large. The code reads no further. */
static void hold_params(const PsSassKernel *made, const PsSassKernel *kernel, int capability)
{
    gboolean same = made->params->len <= kernel->params->len;
    for (guint i = 0; same && i < made->params->len; i++) {
        const PsSassParam *one = &g_array_index(made->params, PsSassParam, i),
                          *its = &g_array_index(kernel->params, PsSassParam, i);
        same = one->offset == its->offset && one->size == its->size;
    }
    if (same == is_ambiguous(kernel, capability))
        g_error("parameters of %s", kernel->name);
}

/* handles: of textures, of which code for sm_90 and above reads one word, as of a number. */
static guint hold(const PsSassImage *image, const PsSassKernel *kernel, const char *json,
                  gboolean handles)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsSassListing) listing = ps_sass_listing_new(json, -1, kernel, &error);
    if (!listing) /* the JSON is of another kernel of the file */
        return 0;
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_append_printf(text, "\t.target\tsm_%d\n", image->capability);
    list_kernel(kernel, listing, text);
    g_autoptr(GBytes) file = ps_sass_from_text(text->str, text->len, "text", &error);
    g_assert_no_error(error);
    g_autoptr(PsSassImage) made = ps_sass_image_new(file, "text", &error);
    g_assert_no_error(error);
    g_assert_cmpint(made->capability, ==, image->capability);
    g_assert_cmpuint(made->kernels->len, ==, 1);
    const PsSassKernel *own = made->kernels->pdata[0];
    g_assert_cmpstr(own->name, ==, kernel->name);
    g_assert_cmpuint(own->registers, ==, kernel->registers);
    g_assert_cmpmem(own->text.bytes, own->text.size, kernel->text.bytes, kernel->text.size);
    if (kernel->params->len > 0) /* a cubin says nothing of parameters that are not there */
        g_assert_cmpuint(own->parameters_at, ==, kernel->parameters_at);
    if (!handles)
        hold_params(own, kernel, image->capability);
    return 1;
}

static void test_all(void)
{
    guint n = 0;
    for (guint f = 0; f < 2; f++) {
        const char *folder = f ? "tests/sass/corpus" : "tests/sass";
        g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
        for (const char *file = g_dir_read_name(dir); file; file = g_dir_read_name(dir)) {
            if (!g_str_has_suffix(file, ".cubin"))
                continue;
            g_autofree char *stem = g_strndup(file, strlen(file) - strlen(".cubin")),
                            *path = g_strdup_printf("%s%s", f ? "corpus/" : "", stem),
                            *cubin = g_strconcat(path, ".cubin", NULL),
                            *json = g_strconcat(path, ".json", NULL);
            g_autofree char *where = g_strconcat("tests/sass/", json, NULL);
            if (!g_file_test(where, G_FILE_TEST_EXISTS))
                continue;
            g_autoptr(GBytes) bytes = sass_file(cubin), listed = sass_file(json);
            g_autoptr(PsSassImage) image = ps_sass_image_new(bytes, cubin, NULL);
            g_assert_nonnull(image);
            const gboolean handles = g_str_has_prefix(stem, "textures") && image->capability >= 90;
            for (guint i = 0; i < image->kernels->len; i++)
                n += hold(image, image->kernels->pdata[i], g_bytes_get_data(listed, NULL), handles);
        }
    }
    g_assert_cmpuint(n, >, 200);
}

static void test_refused(void)
{
    static const char head[] = "\t.target\tsm_80\n\t.section\t.text.k,\"ax\",@progbits\n",
                      first[] = "/*0000*/ EXIT ; /* 0x000000000000794d */\n",
                      rest[] = "/* 0x000fea0003800000 */\n";
    static const struct {
        const char *text[4], *like;
    } list[] = {
        {{head, "/*0000*/ EXIT ;\n"}, "text: a listing of machine code needs each instruction's "},
        {{head, first}, "text: the listing lacks a part of an instruction"},
        {{head, first, first}, "text: the listing lacks an instruction, or a part of one"},
        {{head, "/*0010*/ EXIT ; /* 0x000000000000794d */\n", rest},
         "text: the listing lacks an instruction, or a part of one"},
        {{head}, "text: the listing names no kernel or no architecture"},
        {{"\t.section\t.text.k,\"ax\"\n", first, rest},
         "text: the listing names no kernel or no architecture"},
        {{""}, "text: the listing names no kernel or no architecture"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(list); i++) {
        g_autoptr(GString) text = g_string_new(NULL);
        g_autoptr(GError) error = NULL;
        for (guint k = 0; k < 4 && list[i].text[k]; k++)
            g_string_append(text, list[i].text[k]);
        g_test_message("%s", text->str);
        g_assert_null(ps_sass_from_text(text->str, text->len, "text", &error));
        g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
        g_assert_true(g_str_has_prefix(error->message, list[i].like));
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/sass-from-text/all", test_all);
    g_test_add_func("/sass-from-text/refused", test_refused);
    return g_test_run();
}
