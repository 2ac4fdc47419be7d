/* SPDX-License-Identifier: BSD-3-Clause */
/* What a cubin says of its kernels; and no damage to it does more than an error. */
#include "sass/file.h"
#include "tests/help/sass.h"

#include <gelf.h>
#include <string.h>

/* Bytes of the stack that the first kernel of calls-80 has in its .nv.info. */
#define CALLS_FRAME 48

static void test_kernel(void)
{
    g_autoptr(GBytes) cubin = sass_file("saxpy-80.cubin");
    g_autoptr(GError) error = NULL;
    g_autoptr(PsSassImage) image = ps_sass_image_new(cubin, "x.cubin", &error);
    g_assert_no_error(error);
    g_assert_cmpint(image->capability, ==, 80);
    g_assert_cmpuint(image->kernels->len, ==, 1);
    const PsSassKernel *kernel = image->kernels->pdata[0];
    g_assert_cmpstr(kernel->name, ==, "saxpy");
    g_assert_cmpuint(kernel->text.size, ==, 384);
    g_assert_cmpuint(kernel->parameters_at, ==, 0x160);
    g_assert_cmpuint(kernel->params->len, ==, 4);
    const PsSassParam *last = &g_array_index(kernel->params, PsSassParam, 3);
    g_assert_cmpuint(last->offset, ==, 16);
    g_assert_cmpuint(last->size, ==, 8);
    g_assert_cmpuint(kernel->shared, ==, 0);
}

static void test_outline(void)
{
    g_autoptr(GBytes) cubin = sass_file("saxpy-80.cubin");
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) images = ps_sass_images_new(cubin, "x.cubin", &error);
    g_assert_no_error(error);
    PsPtxModule *module = ps_sass_outline(images, &error);
    g_assert_no_error(error);
    const PsPtxFunction *kernel = ps_ptx_kernel(module, NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpstr(kernel->name, ==, "saxpy");
    g_assert_cmpuint(kernel->params->len, ==, 4);
    const PsPtxVariable *param = kernel->params->pdata[3];
    g_assert_cmpstr(param->name, ==, "param_3");
    g_assert_cmpuint(param->size, ==, 8);
    ps_ptx_free(module);
}

/* The outline of a file of which the first attribute of a parameter has become one of threads: that
 * one, of so many in x, y and 1 in z. */
static PsPtxModule *outline_with_threads(guint8 attribute, guint16 x, guint16 y)
{
    static const guint8 of_parameter[] = {0x04, 0x17, 12, 0};
    const guint8 threads[] = {
        0x04, attribute, 12, 0, (guint8)x, (guint8)(x >> 8), 0, 0, (guint8)y, (guint8)(y >> 8), 0,
        0,    1,         0,  0, 0};
    g_autoptr(GBytes) cubin = sass_file("saxpy-80.cubin");
    g_autoptr(GError) error = NULL;
    gsize size, at = 0;
    g_autofree guint8 *bytes = g_memdup2(g_bytes_get_data(cubin, &size), g_bytes_get_size(cubin));
    while (at + sizeof threads < size && memcmp(bytes + at, of_parameter, sizeof of_parameter) != 0)
        at++;
    g_assert_cmpuint(at + sizeof threads, <, size);
    memcpy(bytes + at, threads, sizeof threads);
    g_autoptr(GBytes) changed = g_bytes_new(bytes, size);
    g_autoptr(GPtrArray) images = ps_sass_images_new(changed, "x.cubin", &error);
    g_assert_no_error(error);
    PsPtxModule *module = ps_sass_outline(images, &error);
    g_assert_no_error(error);
    return module;
}

static void assert_threads(guint8 attribute, guint16 x, guint16 y, guint most, guint required)
{
    g_autoptr(PsPtxModule) module = outline_with_threads(attribute, x, y);
    const PsPtxFunction *kernel = module->functions->pdata[0];
    g_assert_cmpuint(kernel->most[0], ==, most);
    g_assert_cmpuint(kernel->most[1], ==, most ? y : 0);
    g_assert_cmpuint(kernel->required[0], ==, required);
    g_assert_cmpuint(kernel->required[1], ==, required ? y : 0);
}

/* How many threads a group may have, or must have; numbers that cannot be are nobody's. */
static void test_threads(void)
{
    assert_threads(0x05, 512, 2, 512, 0);
    assert_threads(0x10, 64, 4, 0, 64);
    assert_threads(0x05, 1025, 1, 0, 0);
    assert_threads(0x10, 32, 0, 0, 0);
}

/* Groups of a cluster are required as threads are. */
static void test_cluster(void)
{
    g_autoptr(PsPtxModule) module = outline_with_threads(0x3d, 2, 4);
    const PsPtxFunction *kernel = module->functions->pdata[0];
    g_assert_cmpuint(kernel->cluster[0], ==, 2);
    g_assert_cmpuint(kernel->cluster[1], ==, 4);
    assert_threads(0x3d, 2, 4, 0, 0);
}

/* What a disassembler is given: the same code under the same numbers, and no other. */
static void test_alone(void)
{
    static const char *const files[] = {"saxpy-80.cubin", "histogram-120.cubin", "calls-80.cubin"};
    for (gsize i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autoptr(GBytes) cubin = sass_file(files[i]);
        g_autoptr(GError) error = NULL;
        g_autoptr(PsSassImage) image = ps_sass_image_new(cubin, "x", &error);
        g_assert_no_error(error);
        for (guint k = 0; k < image->kernels->len; k++) {
            const PsSassKernel *kernel = image->kernels->pdata[k];
            g_autoptr(GBytes) bytes = ps_sass_image_alone(image, kernel);
            g_autoptr(PsSassImage) alone = ps_sass_image_new(bytes, "x", &error);
            g_assert_no_error(error);
            g_assert_cmpint(alone->capability, ==, image->capability);
            g_assert_cmpuint(alone->kernels->len, ==, 1);
            const PsSassKernel *same = alone->kernels->pdata[0];
            g_assert_cmpstr(same->name, ==, kernel->name);
            g_assert_cmpuint(same->symbol, ==, kernel->symbol);
            g_assert_cmpmem(same->text.bytes, same->text.size, kernel->text.bytes,
                            kernel->text.size);
            g_assert_cmpuint(g_hash_table_size(same->subroutines), ==,
                             g_hash_table_size(kernel->subroutines));
        }
    }
}

/* Header number n of the sections of an ELF file of 64 bits. */
static Elf64_Shdr *section_at(guint8 *file, guint n)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
    g_assert_cmpuint(n, <, header->e_shnum);
    return &((Elf64_Shdr *)(file + header->e_shoff))[n];
}

static guint n_sections(const guint8 *file)
{
    return ((const Elf64_Ehdr *)file)->e_shnum;
}

/* The section of that name. */
static Elf64_Shdr *section_named(guint8 *file, const char *name)
{
    const guint names = ((const Elf64_Ehdr *)file)->e_shstrndx;
    const char *text = (const char *)file + section_at(file, names)->sh_offset;
    for (guint n = 1; n < n_sections(file); n++)
        if (strcmp(text + section_at(file, n)->sh_name, name) == 0)
            return section_at(file, n);
    g_assert_not_reached();
}

static guint8 *copy_of(GBytes *cubin, gsize *size)
{
    const guint8 *data = g_bytes_get_data(cubin, size);
    return g_memdup2(data, *size);
}

/* Each section of the lone kernel's file begins where its alignment lets it, up to 4096 bytes. */
static void test_alone_aligned(void)
{
    static const guint64 alignments[] = {0, 1, 128, 4096};
    for (gsize i = 0; i < G_N_ELEMENTS(alignments); i++) {
        gsize size = 0;
        g_autoptr(GBytes) cubin = sass_file("saxpy-80.cubin");
        g_autofree guint8 *copy = copy_of(cubin, &size);
        g_autoptr(GError) error = NULL;
        section_named(copy, ".text.saxpy")->sh_addralign = alignments[i];
        g_autoptr(GBytes) changed = g_bytes_new(copy, size);
        g_autoptr(PsSassImage) image = ps_sass_image_new(changed, "x", &error);
        g_assert_no_error(error);
        g_autoptr(GBytes) bytes = ps_sass_image_alone(image, image->kernels->pdata[0]);
        g_autofree guint8 *alone = copy_of(bytes, &size);
        for (guint n = 1; n < n_sections(alone); n++) {
            const Elf64_Shdr *section = section_at(alone, n);
            g_assert_cmpuint(section->sh_offset % MAX(section->sh_addralign, 1), ==, 0);
        }
        g_assert_cmpuint(section_named(alone, ".text.saxpy")->sh_addralign, ==, alignments[i]);
    }
}

/* An attribute may end with its section, and no byte later. */
static void test_attribute_ends(void)
{
    gsize size = 0;
    g_autoptr(GBytes) cubin = sass_file("saxpy-80.cubin");
    g_autofree guint8 *copy = copy_of(cubin, &size);
    const Elf64_Shdr *info = section_named(copy, ".nv.info.saxpy");
    guint8 *begin = copy + info->sh_offset, *last = NULL, *at = begin;
    while (at < begin + info->sh_size) {
        last = at;
        at += 4 + (at[0] == 0x04 ? at[2] + 256 * at[3] : 0);
    }
    g_assert_true(last && last[0] == 0x04 && at == begin + info->sh_size);
    for (guint more = 0; more <= 8; more++) {
        g_autoptr(GBytes) changed = g_bytes_new(copy, size);
        g_autoptr(GError) error = NULL;
        g_autoptr(PsSassImage) image = ps_sass_image_new(changed, "x.cubin", &error);
        g_assert_true((image != NULL) == (more == 0));
        g_assert_cmpstr(error ? error->message : NULL, ==,
                        more == 0 ? NULL
                                  : "x.cubin: an attribute of a kernel ends behind its section");
        last[2]++;
    }
}

static void test_subroutines(void)
{
    PsSassImage *image = NULL;
    PsSassCode *code = sass_code("calls-80", NULL, &image);
    const PsSassKernel *kernel = image->kernels->pdata[0];
    g_assert_cmpuint(g_hash_table_size(kernel->subroutines), ==, 3);
    g_assert_cmpuint(kernel->frame, ==, CALLS_FRAME);
    ps_sass_code_free(code);
    ps_sass_image_free(image);
}

/* The target of the call at that place of code for sm_80: bits 34 to 80 have its words. */
static guint64 target_at(const PsSassKernel *kernel, guint64 at)
{
    guint64 word[2];
    g_assert_cmpuint(at + sizeof word, <=, kernel->text.size);
    memcpy(word, kernel->text.bytes + at, sizeof word);
    return (word[0] >> 34 | (word[1] & 0x1ffff) << 30) * 4;
}

/* Counts calls in the code, and sums up where they go to. */
static void sum_calls(const PsSassKernel *kernel, guint *n, guint64 *sum)
{
    enum { CALL = 0x943 };
    *n = 0;
    *sum = 0;
    for (guint64 at = 0; at < kernel->text.size; at += PS_SASS_BYTES) {
        const guint8 *code = kernel->text.bytes + at;
        if ((code[0] | (code[1] & 0xf) << 8) == CALL) {
            ++*n;
            *sum += target_at(kernel, at);
        }
    }
}

/* Two linked parts have a function of one name: it stands behind the kernel that calls it, with all
 * else that this one calls, and each call goes to the one of its own part. */
static void test_parts(void)
{
    enum { BEGIN = 896, HALVE = 640, DIVIDE = 896, STEP = 256, SLOW = 1792 };
    const guint64 own_step = BEGIN, divide = own_step + STEP, slow = divide + DIVIDE,
                  other_step = slow + SLOW, other_slow = other_step + STEP;
    g_autoptr(GBytes) cubin = sass_file("parts-80.cubin");
    g_autoptr(GError) error = NULL;
    g_autoptr(PsSassImage) image = ps_sass_image_new(cubin, "x.cubin", &error);
    guint n = 0;
    guint64 sum = 0;
    g_assert_no_error(error);
    g_assert_cmpuint(image->kernels->len, ==, 2);
    const PsSassKernel *begin = image->kernels->pdata[0], *halve = image->kernels->pdata[1];
    g_assert_cmpstr(begin->name, ==, "_Z5beginPfPKfPi");
    g_assert_cmpstr(halve->name, ==, "_Z5halvePf");
    g_assert_cmpuint(begin->text.size, ==, BEGIN + DIVIDE + 2 * STEP + 2 * SLOW);
    g_assert_cmpuint(halve->text.size, ==, HALVE + STEP + SLOW);
    g_assert_cmpuint(g_hash_table_size(begin->subroutines), ==, 1 + 5);
    g_assert_cmpuint(g_hash_table_size(begin->apart), ==, 0);
    sum_calls(halve, &n, &sum);
    g_assert_cmpuint(n, ==, 2);
    g_assert_cmpuint(sum, ==, HALVE + HALVE + STEP);
    sum_calls(begin, &n, &sum);
    g_assert_cmpuint(n, ==, 6);
    /* step twice, divide, the division; divide's step and its division */
    g_assert_cmpuint(sum, ==, 2 * own_step + divide + slow + other_step + other_slow);
    g_autoptr(GBytes) bytes = ps_sass_image_alone(image, begin);
    g_autoptr(PsSassImage) alone = ps_sass_image_new(bytes, "x", &error);
    g_assert_no_error(error);
    const PsSassKernel *same = alone->kernels->pdata[0];
    g_assert_cmpmem(same->text.bytes, same->text.size, begin->text.bytes, begin->text.size);
}

/* ---- damage --------------------------------------------------------------------------------- */

/* What is read of it, or one error. */
static void read_damaged(const guint8 *data, gsize size, GBytes *json)
{
    g_autoptr(GBytes) bytes = g_bytes_new(data, size);
    g_autoptr(GError) error = NULL;
    PsSassImage *image = NULL;
    PsSassCode *code = sass_read(bytes, json, NULL, &image, &error);
    g_assert_true((code != NULL) == (error == NULL));
    if (image) {
        g_autoptr(GPtrArray) images = g_ptr_array_new();
        g_ptr_array_add(images, image);
        PsPtxModule *outline = ps_sass_outline(images, NULL);
        g_clear_pointer(&outline, ps_ptx_free);
        g_bytes_unref(ps_sass_image_alone(image, image->kernels->pdata[0]));
    }
    ps_sass_code_free(code);
    ps_sass_image_free(image);
}

static void test_flipped(void)
{
    static const guint8 changes[] = {0xff, 0x01, 0x80};
    g_autoptr(GBytes) cubin = sass_file("saxpy-80.cubin"), json = sass_file("saxpy-80.json");
    gsize size = 0;
    const guint8 *data = g_bytes_get_data(cubin, &size);
    g_autofree guint8 *copy = g_memdup2(data, size);
    for (gsize i = 0; i < size; i++)
        for (guint k = 0; k < G_N_ELEMENTS(changes); k++) {
            copy[i] = data[i] ^ changes[k];
            read_damaged(copy, size, json);
            copy[i] = data[i];
        }
}

/* Numbers of sections and symbols, by which parts are joined, may be wrong, too. */
static void test_flipped_parts(void)
{
    g_autoptr(GBytes) cubin = sass_file("parts-80.cubin");
    gsize size = 0;
    g_autofree guint8 *copy = copy_of(cubin, &size);
    for (gsize i = 0; i < size; i++) {
        copy[i] ^= 1;
        g_autoptr(GBytes) bytes = g_bytes_new(copy, size);
        g_autoptr(GError) error = NULL;
        g_autoptr(PsSassImage) image = ps_sass_image_new(bytes, "x", &error);
        g_assert_true((image != NULL) == (error == NULL));
        if (image)
            g_bytes_unref(ps_sass_image_alone(image, image->kernels->pdata[0]));
        copy[i] ^= 1;
    }
}

static void test_cut_off(void)
{
    g_autoptr(GBytes) cubin = sass_file("saxpy-80.cubin"), json = sass_file("saxpy-80.json");
    gsize size = 0;
    const guint8 *data = g_bytes_get_data(cubin, &size);
    for (gsize i = 0; i < size; i++)
        read_damaged(data, i, json);
}

/* Offsets in the header of an ELF file of 64 bits. */
enum { TYPE_AT = 16, MACHINE_AT = 18, FLAGS_AT = 48 };

static void test_refused(void)
{
    static const struct {
        gsize at;
        guint8 byte;
        const char *message;
    } list[] = {
        {0, 'x', "x.cubin: no ELF file of 64 bits, or a damaged one"},
        {MACHINE_AT, 62, "x.cubin: machine code, but not for a GPU of NVIDIA"},
        {TYPE_AT, 1,
         "x.cubin: machine code that is not linked; nvlink, or nvcc without -dc, links it"},
        {FLAGS_AT + 1, 61,
         "x.cubin: machine code for sm_61, and instructions of sm_70 to sm_121 are known; "
         "compiled for one of these, or to PTX (nvcc -ptx), it can be read"},
        {FLAGS_AT + 1, 130,
         "x.cubin: machine code for sm_130, and instructions of sm_70 to sm_121 are known; "
         "compiled for one of these, or to PTX (nvcc -ptx), it can be read"},
    };
    g_autoptr(GBytes) cubin = sass_file("saxpy-80.cubin");
    gsize size = 0;
    const guint8 *data = g_bytes_get_data(cubin, &size);
    for (guint i = 0; i < G_N_ELEMENTS(list); i++) {
        guint8 *copy = g_memdup2(data, size);
        g_autoptr(GError) error = NULL;
        copy[list[i].at] = list[i].byte;
        g_autoptr(GBytes) bytes = g_bytes_new_take(copy, size);
        g_assert_null(ps_sass_image_new(bytes, "x.cubin", &error));
        g_assert_nonnull(error);
        g_assert_cmpstr(error->message, ==, list[i].message);
    }
    g_assert_true(ps_sass_is_image(data, size));
    g_assert_false(ps_sass_is_image(data, 10));
    g_assert_false(ps_sass_is_image(data + 1, size - 1));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/sass-image/kernel", test_kernel);
    g_test_add_func("/sass-image/outline", test_outline);
    g_test_add_func("/sass-image/threads", test_threads);
    g_test_add_func("/sass-image/cluster", test_cluster);
    g_test_add_func("/sass-image/subroutines", test_subroutines);
    g_test_add_func("/sass-image/parts", test_parts);
    g_test_add_func("/sass-image/flipped-parts", test_flipped_parts);
    g_test_add_func("/sass-image/alone", test_alone);
    g_test_add_func("/sass-image/alone-aligned", test_alone_aligned);
    g_test_add_func("/sass-image/attribute-ends", test_attribute_ends);
    g_test_add_func("/sass-image/flipped", test_flipped);
    g_test_add_func("/sass-image/cut-off", test_cut_off);
    g_test_add_func("/sass-image/refused", test_refused);
    return g_test_run();
}
