/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/help/sass.h"

#include <string.h>

GBytes *sass_file(const char *name)
{
    g_autofree char *path = g_build_filename("tests/sass", name, NULL);
    g_autoptr(GError) error = NULL;
    char *data = NULL;
    gsize size = 0;
    g_file_get_contents(path, &data, &size, &error);
    g_assert_no_error(error);
    return g_bytes_new_take(data, size);
}

static const PsSassKernel *find_kernel(const PsSassImage *image, const char *name)
{
    for (guint i = 0; i < image->kernels->len; i++) {
        const PsSassKernel *kernel = image->kernels->pdata[i];
        if (!name || strcmp(kernel->name, name) == 0)
            return kernel;
    }
    g_assert_not_reached();
}

PsSassCode *sass_read(GBytes *cubin, GBytes *json, const char *name, PsSassImage **image,
                      GError **error)
{
    gsize size = 0;
    const char *text = g_bytes_get_data(json, &size);
    *image = ps_sass_image_new(cubin, "x.cubin", error);
    if (!*image)
        return NULL;
    const PsSassKernel *kernel = find_kernel(*image, name);
    PsSassListing *listing = ps_sass_listing_new(text, (gssize)size, kernel, error);
    return listing ? ps_sass_code_new(*image, kernel, listing, NULL, error) : NULL;
}

PsSassCode *sass_code(const char *name, const char *kernel, PsSassImage **image)
{
    g_autofree char *cubin_name = g_strconcat(name, ".cubin", NULL);
    g_autofree char *json_name = g_strconcat(name, ".json", NULL);
    g_autoptr(GBytes) cubin = sass_file(cubin_name), json = sass_file(json_name);
    g_autoptr(GError) error = NULL;
    PsSassCode *code = sass_read(cubin, json, kernel, image, &error);
    g_assert_no_error(error);
    g_assert_nonnull(code);
    return code;
}
