/* SPDX-License-Identifier: BSD-3-Clause */
/* Line tables: of a cubin, of bytes written by hand, and damaged ones. */
#define _GNU_SOURCE /* memmem */
#include "tests/help/sass.h"

#include "ptx/instruction.h"

#include <string.h>

/* ---- a cubin -------------------------------------------------------------------------------- */

static PsSassCode *lines_code(PsSassImage **image)
{
    g_autoptr(GBytes) cubin = sass_file("mmul16-lines-80.cubin"),
                      json = sass_file("mmul16-80.json");
    g_autoptr(GError) error = NULL;
    PsSassCode *code = sass_read(cubin, json, NULL, image, &error);
    g_assert_no_error(error);
    return code;
}

/* As binutils' readelf and nvdisasm -g tell them. */
static void test_cubin(void)
{
    static const int lines[] = {11, 15, 22, 31, 31, 15, 22, 22, 16, 16, 15, 16, 31, 31, 22};
    PsSassImage *image = NULL;
    PsSassCode *code = lines_code(&image);
    g_assert_cmpuint(code->lines->n, ==, code->listing->instructions->len);
    g_assert_cmpuint(code->lines->files->len, ==, 1);
    g_assert_cmpstr(code->lines->files->pdata[0], ==, "mmul.cu");
    for (guint i = 0; i < G_N_ELEMENTS(lines); i++) {
        g_assert_cmpint(code->lines->places[i].line, ==, lines[i]);
        g_assert_cmpuint(code->lines->places[i].file, ==, 1);
    }
    g_assert_cmpint(code->lines->places[0].ptx_line, ==, 24);
    ps_sass_code_free(code);
    ps_sass_image_free(image);
}

/* What stands for a machine instruction in PTX has its line. */
static void test_told(void)
{
    PsSassImage *image = NULL;
    PsSassCode *code = lines_code(&image);
    const PsPtxFunction *kernel = code->module->functions->pdata[0];
    guint n = 0;
    for (guint i = 0; i < kernel->instructions->len; i++) {
        const PsSassOrigin *origin = &g_array_index(code->origins, PsSassOrigin, i);
        const PsPtxInstruction *told = &g_array_index(kernel->instructions, PsPtxInstruction, i);
        if (!origin->stands)
            continue;
        g_assert_cmpint(told->source_line, ==, code->lines->places[origin->machine].line);
        g_assert_cmpstr(ps_ptx_file(code->module, told), ==, "mmul.cu");
        n++;
    }
    g_assert_cmpuint(n, ==, code->n);
    ps_sass_code_free(code);
    ps_sass_image_free(image);
}

static void test_none(void)
{
    PsSassImage *image = NULL;
    PsSassCode *code = sass_code("saxpy-80", NULL, &image);
    g_assert_cmpuint(code->lines->files->len, ==, 0);
    for (guint i = 0; i < code->lines->n; i++)
        g_assert_cmpint(code->lines->places[i].line, ==, 0);
    ps_sass_code_free(code);
    ps_sass_image_free(image);
}

/* ---- by hand -------------------------------------------------------------------------------- */

#define UNIT(LENGTH) LENGTH, 0, 0, 0, 2, 0
#define HEAD(LENGTH, FILES) LENGTH, 0, 0, 0, 1, 1, 0xfb, 14, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1, FILES
#define FILES 'd', 0, 0, 'a', 0, 0, 3, 5, 'b', 0, 1, 0, 0, 0
#define HEAD_LENGTH 28
#define ADDRESS 0, 9, 2, 0, 0, 0, 0, 0, 0, 0, 0
#define END 0, 1, 1
#define INLINED 0, 3, 0x90, 1, 2 /* NVIDIA's own, of functions in other functions */
#define COPY 1
#define STEPS(N) 2, N
#define LINES(N) 3, N
#define LINES_MORE(N) 3, 0x80 | (N), 0 /* in two bytes */
#define SET_FILE(N) 4, N
#define FIXED_STEPS(N) 9, N, 0
#define SPECIAL(STEPS, LINES) (10 + 14 * (STEPS) + (LINES) + 5)

/* Line 1 and 5 of a, line 7 of d/b; then of another kernel. */
static const guint8 table[] = {UNIT(85),
                               HEAD(HEAD_LENGTH, FILES),
                               ADDRESS,
                               COPY,
                               SPECIAL(16, 4),
                               INLINED,
                               SET_FILE(2),
                               LINES(2),
                               STEPS(16),
                               COPY,
                               FIXED_STEPS(32),
                               END,
                               ADDRESS,
                               LINES_MORE(99),
                               COPY,
                               STEPS(16),
                               END};

enum { FIRST_ADDRESS = 4 + 2 + 4 + HEAD_LENGTH + 3, N_INSTRUCTIONS = 6 };

static PsSassLines *read_table(PsSassTable *of_source, guint kernel, gsize size)
{
    static guint8 text[N_INSTRUCTIONS * PS_SASS_BYTES];
    static PsSassKernel kernels[] = {{.text = {text, sizeof text}}, {.text = {text, sizeof text}}};
    PsSassImage image = {.kernels = g_ptr_array_new()};
    g_ptr_array_add(image.kernels, &kernels[0]);
    g_ptr_array_add(image.kernels, &kernels[1]);
    of_source->bytes.size = size;
    image.tables[PS_SASS_OF_SOURCE] = *of_source;
    image.tables[PS_SASS_OF_PTX].starts = g_array_new(FALSE, FALSE, sizeof(PsSassStart));
    PsSassLines *lines = ps_sass_lines_new(&image, &kernels[kernel]);
    g_array_unref(image.tables[PS_SASS_OF_PTX].starts);
    g_ptr_array_unref(image.kernels);
    return lines;
}

static PsSassTable table_of(const guint8 *bytes)
{
    const PsSassStart starts[] = {{FIRST_ADDRESS, 0, 0}, {FIRST_ADDRESS + 31, 1, PS_SASS_BYTES}};
    PsSassTable of_source = {{bytes, sizeof table}, g_array_new(FALSE, FALSE, sizeof(PsSassStart))};
    g_array_append_vals(of_source.starts, starts, 2);
    return of_source;
}

static void check_lines(const guint8 *bytes, guint kernel, const int *lines, const char *files)
{
    PsSassTable of_source = table_of(bytes);
    g_autoptr(PsSassLines) is = read_table(&of_source, kernel, sizeof table);
    g_autofree char *names = NULL;
    g_ptr_array_add(is->files, NULL);
    names = g_strjoinv(" ", (char **)is->files->pdata);
    g_ptr_array_set_size(is->files, (gint)is->files->len - 1);
    for (guint i = 0; i < N_INSTRUCTIONS; i++)
        g_assert_cmpint(is->places[i].line, ==, lines[i]);
    g_assert_cmpstr(names, ==, files);
    g_array_unref(of_source.starts);
}

static void test_by_hand(void)
{
    static const int first[] = {1, 5, 7, 7, 0, 0}, second[] = {0, 100, 0, 0, 0, 0};
    check_lines(table, 0, first, "a d/b");
    check_lines(table, 1, second, "a");
}

/* Files are those of all kernels, each once, whatever rows say; damaged tables end. */
static void test_files(void)
{
    static const guint8 unit[] = {UNIT(2 + 4 + HEAD_LENGTH), HEAD(HEAD_LENGTH, FILES)};
    guint8 tables[3 * sizeof unit];
    for (guint i = 0; i < 3; i++)
        memcpy(tables + i * sizeof unit, unit, sizeof unit);
    tables[sizeof unit + 4] = 9; /* a version that nobody knows */
    for (gsize size = 0; size <= sizeof tables; size++) {
        const PsSassImage image = {.tables[PS_SASS_OF_SOURCE].bytes = {tables, size}};
        g_autoptr(GHashTable) stamps =
            g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
        g_autoptr(GPtrArray) files = ps_sass_files(&image, stamps);
        g_assert_cmpuint(g_hash_table_size(stamps), ==, files->len);
        g_assert_cmpuint(files->len, ==, size < sizeof unit ? 0 : 2);
        if (files->len == 2) {
            g_assert_cmpstr(files->pdata[0], ==, "a");
            g_assert_cmpstr(files->pdata[1], ==, "d/b");
            const PsPtxStamp *stamp = g_hash_table_lookup(stamps, "a");
            g_assert_cmpuint(stamp->time, ==, 3);
            g_assert_cmpuint(stamp->size, ==, 5);
        }
    }
    const PsSassImage none = {.name = NULL};
    g_autoptr(GPtrArray) files = ps_sass_files(&none, NULL);
    g_assert_cmpuint(files->len, ==, 0);
}

/* What was inlined leads to where it was called, which is the first row of its own sequence. */
static void test_inlined(void)
{
    PsSassTable of_source = table_of(table);
    g_autoptr(PsSassLines) lines = read_table(&of_source, 0, sizeof table);
    const PsSassPlace own = ps_sass_place_in(lines, 2, "b"),
                      caller = ps_sass_place_in(lines, 2, "a");
    g_assert_cmpuint(lines->places[1].call, ==, 0);
    g_assert_cmpint(own.line, ==, 7);
    g_assert_cmpint(caller.line, ==, 1);
    g_assert_cmpstr(lines->files->pdata[caller.file - 1], ==, "a");
    g_assert_cmpint(ps_sass_place_in(lines, 2, "other").line, ==, 1);
    g_assert_cmpint(ps_sass_place_in(lines, 0, "a").line, ==, 1);
    g_array_unref(of_source.starts);
}

/* A row without a line is near the last one that has one. */
static void test_near(void)
{
    static const guint8 before[] = {SET_FILE(2), LINES(2)};
    g_autofree guint8 *copy = g_memdup2(table, sizeof table);
    guint8 *at = memmem(copy, sizeof table, before, sizeof before);
    g_assert_nonnull(at);
    at[3] = 0x7b; /* -5 */
    PsSassTable of_source = table_of(copy);
    g_autoptr(PsSassLines) lines = read_table(&of_source, 0, sizeof table);
    g_assert_cmpint(lines->places[2].line, ==, 5);
    g_assert_true(lines->places[2].near && lines->places[3].near);
    g_assert_false(lines->places[1].near || lines->places[4].near);
    g_array_unref(of_source.starts);
}

/* ---- damage --------------------------------------------------------------------------------- */

/* Whatever is read of it, it is of the kernel's size, and names files that there are. */
static void test_damaged(void)
{
    static const guint8 changes[] = {0xff, 0x01, 0x80, 0x55};
    guint8 *copy = g_memdup2(table, sizeof table);
    for (gsize i = 0; i < sizeof table; i++)
        for (guint k = 0; k < G_N_ELEMENTS(changes); k++) {
            copy[i] = table[i] ^ changes[k];
            PsSassTable of_source = table_of(copy);
            g_autoptr(PsSassLines) lines = read_table(&of_source, 0, sizeof table);
            for (guint p = 0; p < N_INSTRUCTIONS; p++)
                g_assert_cmpuint(lines->places[p].file, <=, lines->files->len);
            g_array_unref(of_source.starts);
            copy[i] = table[i];
        }
    g_free(copy);
}

static void test_cut_off(void)
{
    for (gsize size = 0; size < sizeof table; size++) {
        guint8 *copy = g_memdup2(table, MAX(size, 1)); /* so that reading behind it is found */
        PsSassTable of_source = table_of(copy);
        g_autoptr(PsSassLines) lines = read_table(&of_source, 0, size);
        g_assert_cmpuint(lines->n, ==, N_INSTRUCTIONS);
        g_array_unref(of_source.starts);
        g_free(copy);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/sass-lines/cubin", test_cubin);
    g_test_add_func("/sass-lines/told", test_told);
    g_test_add_func("/sass-lines/none", test_none);
    g_test_add_func("/sass-lines/by-hand", test_by_hand);
    g_test_add_func("/sass-lines/files", test_files);
    g_test_add_func("/sass-lines/inlined", test_inlined);
    g_test_add_func("/sass-lines/near", test_near);
    g_test_add_func("/sass-lines/damaged", test_damaged);
    g_test_add_func("/sass-lines/cut-off", test_cut_off);
    return g_test_run();
}
