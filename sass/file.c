/* SPDX-License-Identifier: BSD-3-Clause */
/* See file.h. */
#define _GNU_SOURCE /* memmem */
#include "sass/file.h"

#include <elf.h>
#include <string.h>

/* The first bytes of fat binaries. */
static const guint8 FAT[] = {0x50, 0xed, 0x55, 0xba};

gboolean ps_sass_is_file(const void *bytes, gsize size)
{
    return size >= SELFMAG &&
           (memcmp(bytes, ELFMAG, SELFMAG) == 0 || memcmp(bytes, FAT, sizeof FAT) == 0);
}

/* ---- finding -------------------------------------------------------------------------------- */

/* The begin of the next cubin, from `at` on; the size if there is none. */
static gsize next_cubin(const guint8 *bytes, gsize size, gsize at)
{
    while (at < size) {
        const guint8 *found = memmem(bytes + at, size - at, ELFMAG, SELFMAG);
        if (!found)
            return size;
        at = (gsize)(found - bytes);
        if (ps_sass_is_image(found, size - at))
            return at;
        at += SELFMAG;
    }
    return size;
}

static void free_image(gpointer image)
{
    ps_sass_image_free(image);
}

/* TRUE for an object for AMD's GPUs, by LLVM's number of the machine (ELF's e_machine). */
static gboolean is_amd(const guint8 *data, gsize size)
{
    enum { MACHINE = 18, AMDGPU = 224 };
    return size > MACHINE + 1 && memcmp(data, ELFMAG, SELFMAG) == 0 && data[MACHINE] == AMDGPU &&
           data[MACHINE + 1] == 0;
}

/* The first error is reported. */
GPtrArray *ps_sass_images_new(GBytes *file, const char *name, GError **error)
{
    g_autoptr(GPtrArray) images = g_ptr_array_new_with_free_func(free_image);
    g_autoptr(GError) why = NULL;
    gsize size = 0;
    const guint8 *data = g_bytes_get_data(file, &size);
    for (gsize at = next_cubin(data, size, 0); at < size;) {
        const gsize end = next_cubin(data, size, at + SELFMAG);
        g_autoptr(GBytes) cubin = g_bytes_new_from_bytes(file, at, end - at);
        PsSassImage *image = ps_sass_image_new(cubin, name, why ? NULL : &why);
        if (image)
            g_ptr_array_add(images, image);
        at = end;
    }
    if (images->len > 0)
        return g_steal_pointer(&images);
    if (why)
        g_propagate_error(error, g_steal_pointer(&why));
    else if (is_amd(data, size))
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                    "%s: this is machine code of an AMD GPU, which is not read; give its source, a "
                    ".cl or .cu file",
                    name);
    else
        g_set_error(error, PS_ERROR, PS_ERROR_READ,
                    "%s: no machine code for a GPU of NVIDIA is found in it", name);
    return NULL;
}

/* ---- what is compressed --------------------------------------------------------------------- */

/* A fat binary is a header (its own size at byte 6, that of all entries at byte 8) and entries,
 * each with a header (kind at byte 0, its own size at byte 4, that of what follows at byte 8). */
enum { FAT_HEADER = 16, ENTRY_HEADER = 16, KIND_CUBIN = 2 };

static guint64 number_at(const guint8 *at, guint bytes)
{
    guint64 number = 0;
    memcpy(&number, at, bytes);
    return GUINT64_FROM_LE(number);
}

/* TRUE if one of the entries, which end at `size`, is a compressed cubin. */
static gboolean has_packed_entry(const guint8 *bytes, gsize size)
{
    for (gsize at = 0; at + ENTRY_HEADER <= size;) {
        const guint64 head = number_at(bytes + at + 4, 4), body = number_at(bytes + at + 8, 8);
        if (head < ENTRY_HEADER || head > size - at || body > size - at - head)
            return FALSE;
        if (number_at(bytes + at, 2) == KIND_CUBIN && body >= SELFMAG &&
            memcmp(bytes + at + head, ELFMAG, SELFMAG) != 0)
            return TRUE;
        at += head + body;
    }
    return FALSE;
}

const PsSassKernel *ps_sass_images_kernel(const GPtrArray *images, const char *name,
                                          PsSassImage **image)
{
    for (guint i = 0; i < images->len; i++) {
        *image = images->pdata[i];
        for (guint k = 0; k < (*image)->kernels->len; k++) {
            const PsSassKernel *kernel = (*image)->kernels->pdata[k];
            if (strcmp(kernel->name, name) == 0)
                return kernel;
        }
    }
    return NULL;
}

gboolean ps_sass_has_packed(GBytes *file)
{
    gsize size = 0;
    const guint8 *data = g_bytes_get_data(file, &size), *end = data + size, *at = data;
    while (at && (at = memmem(at, (gsize)(end - at), FAT, sizeof FAT))) {
        const gsize left = (gsize)(end - at);
        const guint64 head = left >= FAT_HEADER ? number_at(at + 6, 2) : 0;
        if (head >= FAT_HEADER && head <= left &&
            has_packed_entry(at + head, MIN(number_at(at + 8, 8), left - head)))
            return TRUE;
        at += sizeof FAT;
    }
    return FALSE;
}

/* ---- choosing ------------------------------------------------------------------------------- */

enum { GENERATION = 10 };

static guint capability_at(const GPtrArray *images, guint i)
{
    return (guint)((const PsSassImage *)images->pdata[i])->capability;
}

/* TRUE if code for `a` suits better than code for `b`. */
static gboolean suits_better(guint a, guint b, guint architecture)
{
    const gboolean a_runs = a <= architecture && a / GENERATION == architecture / GENERATION,
                   b_runs = b <= architecture && b / GENERATION == architecture / GENERATION,
                   a_after = architecture && a > architecture,
                   b_after = architecture && b > architecture;
    if (a_runs != b_runs)
        return a_runs;
    if (a_after != b_after)
        return a_after;
    return a_after ? a < b : a > b;
}

static gint by_number(gconstpointer a, gconstpointer b)
{
    const guint x = *(const guint *)a, y = *(const guint *)b;
    return x < y ? -1 : x > y;
}

/* NULL: there is only one. */
static char *list_architectures(const GPtrArray *images)
{
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < images->len; i++) {
        const guint capability = capability_at(images, i);
        guint k = 0;
        while (k < all->len && g_array_index(all, guint, k) != capability)
            k++;
        if (k == all->len)
            g_array_append_val(all, capability);
    }
    if (all->len == 1)
        return NULL;
    g_array_sort(all, by_number);
    GString *text = g_string_new(NULL);
    for (guint k = 0; k < all->len; k++)
        g_string_append_printf(text, "%ssm_%u",
                               k == 0              ? ""
                               : k == all->len - 1 ? " and "
                                                   : ", ",
                               g_array_index(all, guint, k));
    return g_string_free(text, FALSE);
}

char *ps_sass_images_choose(GPtrArray *images, guint architecture)
{
    char *all = list_architectures(images);
    guint best = capability_at(images, 0);
    for (guint i = 1; i < images->len; i++)
        if (suits_better(capability_at(images, i), best, architecture))
            best = capability_at(images, i);
    for (guint i = images->len; i-- > 0;)
        if (capability_at(images, i) != best)
            g_ptr_array_remove_index(images, i);
    return all;
}
