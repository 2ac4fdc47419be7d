/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Classes of instructions by their numbers: what the table calls each instruction is what nvdisasm
 * calls it, in all stored listings. None of these is unknown.
 */
#include "sass/mix.h"
#include "sass/listing.h"
#include "tests/help/sass.h"

#include <string.h>

static guint n_compared;

/* The name of an opcode. Bits behind it tell these from each other. */
static const char *opcode_of(const char *listed)
{
    return strcmp(listed, "CGAERRBAR") == 0     ? "ERRBAR"
           : strcmp(listed, "UCGABAR_ARV") == 0 ? "UCGABAR_WAIT"
           : strcmp(listed, "UTCQMMA") == 0     ? "UTCHMMA"
           : strcmp(listed, "UTCIMMA") == 0     ? "UTCHMMA"
           : strcmp(listed, "FHADD") == 0       ? "FADD"
           : strcmp(listed, "FHFMA") == 0       ? "FFMA"
                                                : listed;
}

static void compare(const PsSassInstruction *instruction, int capability)
{
    const char *name = NULL;
    const PsSassMixClass mix_class = ps_sass_mix_class(instruction->word[0], capability, &name);
    g_autofree char *listed = g_strndup(instruction->opcode, strcspn(instruction->opcode, ". "));
    g_test_message("%s of sm_%d", listed, capability);
    g_assert_cmpstr(name, ==, opcode_of(listed));
    g_assert_cmpint(mix_class, !=, PS_SASS_MIX_UNKNOWN);
    n_compared++;
}

/* Listings with an instruction whose opcode no listing names stay out. */
static void compare_kernel(const PsSassImage *image, const PsSassKernel *kernel, GBytes *json)
{
    g_autoptr(PsSassListing) listing = ps_sass_listing_new(
        g_bytes_get_data(json, NULL), (gssize)g_bytes_get_size(json), kernel, NULL);
    gint64 local = 0, padding = 0;
    for (guint i = 0; listing && i < listing->instructions->len; i++) {
        const PsSassInstruction *instruction =
            &g_array_index(listing->instructions, PsSassInstruction, i);
        compare(instruction, image->capability);
        local += g_str_has_prefix(instruction->opcode, "LDL") ||
                 g_str_has_prefix(instruction->opcode, "STL");
        padding += g_str_has_prefix(instruction->opcode, "NOP");
    }
    if (!listing)
        return;
    const PsSassMix mix = ps_sass_mix(image, kernel);
    g_assert_cmpint(mix.of[PS_SASS_MIX_LOCAL], ==, local);
    g_assert_cmpint(mix.all, ==, (gint64)listing->instructions->len - padding);
}

static void compare_file(const char *path)
{
    g_autofree char *stem = g_strndup(path, strlen(path) - strlen(".cubin"));
    g_autofree char *listed = g_strconcat(stem, ".json", NULL);
    g_autofree char *there = g_strconcat("tests/sass/", listed, NULL);
    if (!g_file_test(there, G_FILE_TEST_EXISTS))
        return;
    g_autoptr(GBytes) cubin = sass_file(path);
    g_autoptr(GBytes) json = sass_file(listed);
    g_autoptr(PsSassImage) image = ps_sass_image_new(cubin, path, NULL);
    for (guint i = 0; image && i < image->kernels->len; i++)
        compare_kernel(image, image->kernels->pdata[i], json);
}

static void test_listings(void)
{
    static const char *const folders[] = {"", "corpus/", "../cases/"};
    for (guint i = 0; i < G_N_ELEMENTS(folders); i++) {
        g_autofree char *folder = g_strconcat("tests/sass/", folders[i], NULL);
        g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
        const char *file = NULL;
        while ((file = g_dir_read_name(dir)) != NULL) {
            g_autofree char *path = g_strconcat(folders[i], file, NULL);
            if (g_str_has_suffix(file, ".cubin"))
                compare_file(path);
        }
    }
    g_assert_cmpuint(n_compared, >, 40000);
}

/* One number is another instruction on another architecture; where no listing showed it, nobody
 * knows. */
static void test_architectures(void)
{
    g_assert_cmpint(ps_sass_mix_class(0x236, 70, NULL), ==, PS_SASS_MIX_TENSOR);
    g_assert_cmpint(ps_sass_mix_class(0x236, 90, NULL), ==, PS_SASS_MIX_INTEGER);
    g_assert_cmpint(ps_sass_mix_class(0x236, 80, NULL), ==, PS_SASS_MIX_UNKNOWN);
    g_assert_cmpint(ps_sass_mix_class(0x1ff, 80, NULL), ==, PS_SASS_MIX_UNKNOWN);
    g_assert_cmpstr(ps_sass_mix_name(PS_SASS_MIX_LOCAL), ==, "local");
    g_assert_null(ps_sass_mix_name(PS_SASS_MIX_PADDING));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/sass-mix/listings", test_listings);
    g_test_add_func("/sass-mix/architectures", test_architectures);
    return g_test_run();
}
