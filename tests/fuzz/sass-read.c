/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Any bytes are a cubin, or there is one clear error. What is read of it is told as far as it goes
 * with a listing of its own making: as many instructions as the first kernel has bytes for.
 */
#define _GNU_SOURCE /* memfd_create */
#include "tests/fuzz/file.h"

#include "sass/file.h"
#include "sass/sass.h"

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size);

/* What an instruction is follows from its bytes. */
static char *make_listing(const PsSassKernel *kernel)
{
    static const char *const list[] = {
        "{\"opcode\":\"EXIT\"}",
        "{\"opcode\":\"IADD3\",\"operands\":\"R0,R1,c[0x0][0x160],RZ\"}",
        "{\"opcode\":\"LDG.E\",\"operands\":\"R0,[R2.64]\"}",
        "{\"opcode\":\"MOV\",\"operands\":\"R1,c[0x3][0x0]\"}",
        "{\"opcode\":\"CALL.REL.NOINC\",\"operands\":\"0x10\"}",
        "{\"opcode\":\"BRX\",\"operands\":\"R2,-0x10\"}",
        "{\"opcode\":\"BRA\",\"operands\":\"0x0\"}",
        "{\"opcode\":\"LDC.64\",\"operands\":\"R4,c[0x4][0x0]\"}"};
    GString *json = g_string_new("[{},[{\"function-name\":\"");
    g_string_append_printf(json, "%s\",\"sass-instructions\":[", kernel->name);
    for (gsize i = 0; i < kernel->text.size; i += PS_SASS_BYTES)
        g_string_append_printf(json, "%s%s", i ? "," : "",
                               list[kernel->text.bytes[i] % G_N_ELEMENTS(list)]);
    g_string_append(json, "]}]]");
    return g_string_free(json, FALSE);
}

static void tell(const PsSassImage *image)
{
    const PsSassKernel *kernel = image->kernels->pdata[0];
    g_autoptr(GError) error = NULL;
    g_bytes_unref(ps_sass_image_alone(image, kernel));
    g_autofree char *json = make_listing(kernel);
    PsSassListing *listing = ps_sass_listing_new(json, -1, kernel, &error);
    g_autoptr(PsSassCode) code =
        listing ? ps_sass_code_new(image, kernel, listing, NULL, &error) : NULL;
    g_assert_true((code != NULL) == (error == NULL));
    if (code)
        g_free(ps_sass_live(code));
}

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size)
{
    g_autoptr(GBytes) bytes = g_bytes_new_static(data, size);
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) images = ps_sass_images_new(bytes, FUZZ_FOLDER "cubin", &error);
    fuzz_check(images != NULL, error);
    if (!images)
        return 0;
    g_free(ps_sass_images_choose(images, size % 128));
    PsPtxModule *outline = ps_sass_outline(images, NULL);
    g_clear_pointer(&outline, ps_ptx_free);
    tell(images->pdata[0]);
    return 0;
}
