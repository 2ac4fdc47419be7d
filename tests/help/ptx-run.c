/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A kernel around the instructions: it loads each thread's row, and stores what they made of it.
 */
#include "tests/help/ptx-run.h"
#include "ptx/run/warp.h"
#include "tests/help/compiled.h"
#include <string.h>

#define BLOCK 64

static const char *register_type(char letter)
{
    return letter == 'p' ? "pred" : letter == 'h' ? "b16" : letter == 'r' ? "b32" : "b64";
}

static void declare(GString *text, const char *letters, char name)
{
    for (guint i = 0; letters[i] != '\0'; i++)
        g_string_append_printf(text, ".reg .%s %c%u;\n", register_type(letters[i]), name, i);
}

static void load(GString *text, const char *letters)
{
    for (guint i = 0; letters[i] != '\0'; i++)
        if (letters[i] == 'p')
            g_string_append_printf(text,
                                   "ld.global.u32 %%word, [%%in+%u];\n"
                                   "setp.ne.u32 a%u, %%word, 0;\n",
                                   i * 8, i);
        else
            g_string_append_printf(text, "ld.global.%s a%u, [%%in+%u];\n",
                                   register_type(letters[i]), i, i * 8);
}

static void store(GString *text, const char *letters)
{
    for (guint i = 0; letters[i] != '\0'; i++)
        if (letters[i] == 'p')
            g_string_append_printf(text,
                                   "selp.u32 %%word, 1, 0, z%u;\n"
                                   "st.global.u32 [%%out+%u], %%word;\n",
                                   i, i * 8);
        else
            g_string_append_printf(text, "st.global.%s [%%out+%u], z%u;\n",
                                   register_type(letters[i]), i * 8, i);
}

static char *kernel(const char *body, const char *to, const char *from)
{
    GString *text = g_string_new(".version 8.7\n.target sm_100\n.address_size 64\n"
                                 ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
                                 ".reg .b32 %word, %thread, %block;\n.reg .b64 %in, %out;\n");
    const guint block = BLOCK;
    const guint row_in = (guint)strlen(from) * 8;
    const guint row_out = (guint)strlen(to) * 8;
    declare(text, to, 'z');
    declare(text, from, 'a');
    g_string_append_printf(text,
                           "mov.u32 %%thread, %%tid.x;\nmov.u32 %%block, %%ctaid.x;\n"
                           "mad.lo.u32 %%thread, %%block, %u, %%thread;\n"
                           "ld.param.u64 %%in, [in];\nld.param.u64 %%out, [out];\n"
                           "mad.wide.u32 %%in, %%thread, %u, %%in;\n"
                           "mad.wide.u32 %%out, %%thread, %u, %%out;\n",
                           block, row_in, row_out);
    load(text, from);
    g_string_append_printf(text, "%s\n", body);
    store(text, to);
    g_string_append(text, "ret;\n}\n");
    return g_string_free(text, FALSE);
}

/* Runs all groups with the variants for these vectors; NULL and *error if it could not. */
static PsPtxMachine *run_with(const PsPtxModule *module, const PsPtxLaunch *launch,
                              PsPtxVectors vectors, GError **error)
{
    g_autoptr(PsPtxMachine) machine = ps_ptx_machine_with(module, launch, vectors, error);
    for (guint i = 0; machine && i < launch->grid[0]; i++) {
        const guint group[3] = {i, 0, 0};
        if (!ps_ptx_run_group(machine, group, NULL, error))
            return NULL;
    }
    return g_steal_pointer(&machine);
}

static GPtrArray *warnings_of(const PsPtxMachine *machine)
{
    GPtrArray *warnings = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < ps_ptx_machine_warnings(machine)->len; i++)
        g_ptr_array_add(warnings, g_strdup(ps_ptx_machine_warnings(machine)->pdata[i]));
    return warnings;
}

/* Words of each row. */
typedef struct {
    gsize n;
    guint64 *words;
} Words;

/* Asserts that compiled code gives the same, where tests are to look. */
static void compare_compiled(const PsPtxModule *module, const PsPtxLaunch *launch,
                             PsPtxArgument *out, const guint64 *expected)
{
    g_autoptr(PsPtxCompiled) compiled = compiled_new();
    g_autofree guint8 *got = g_malloc0(out->size);
    PsPtxLaunch by = *launch;
    by.compiled = compiled;
    out->data = got;
    if (!compiled)
        return;
    g_autoptr(PsPtxMachine) machine = run_with(module, &by, ps_ptx_vectors(), NULL);
    g_assert_nonnull(machine);
    g_assert_cmpuint(ps_ptx_compiled_executed(compiled), >, 0);
    g_assert_cmpmem(got, out->size, expected, out->size);
}

/* Runs n rows; the machine's warnings, or NULL and *error if it could not. Asserts that variants
 * for other vectors give the same results. */
static GPtrArray *run_text(const char *text, guint n, const Words *in, const Words *out,
                           GError **error)
{
    guint groups = (n + BLOCK - 1) / BLOCK;
    gsize all_in = groups * BLOCK * in->n + 1;
    gsize all_out = groups * BLOCK * out->n + 1;
    g_autofree guint64 *padded_in = g_new0(guint64, all_in);
    g_autofree guint64 *padded_out = g_new0(guint64, all_out);
    memcpy(padded_in, in->words, n * in->n * sizeof *in->words);

    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, strlen(text), "test", error);
    if (!module)
        return NULL;
    PsPtxArgument arguments[2] = {
        {.name = "in", .data = (guint8 *)padded_in, .size = all_in * 8},
        {.name = "out", .data = (guint8 *)padded_out, .size = all_out * 8}};
    const PsPtxLaunch launch = {.kernel = ps_ptx_kernel(module, NULL, NULL),
                                .grid = {groups, 1, 1},
                                .block = {BLOCK, 1, 1},
                                .n_arguments = 2,
                                .arguments = arguments};
    g_autoptr(PsPtxMachine) machine = run_with(module, &launch, ps_ptx_vectors(), error);
    if (!machine)
        return NULL;
    g_autofree guint64 *plain_out = g_new0(guint64, all_out);
    arguments[1].data = (guint8 *)plain_out;
    g_autoptr(PsPtxMachine) plain = run_with(module, &launch, PS_PTX_PLAIN, error);
    if (!plain)
        return NULL;
    g_assert_cmpmem(padded_out, all_out * 8, plain_out, all_out * 8);
    compare_compiled(module, &launch, &arguments[1], padded_out);
    memcpy(out->words, padded_out, n * out->n * sizeof *out->words);
    return warnings_of(machine);
}

gboolean ptx_run(const char *body, const char *to, const char *from, guint n, const guint64 *in,
                 guint64 *out)
{
    g_autofree char *text = kernel(body, to, from);
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) warnings =
        run_text(text, n, &(Words){strlen(from), (guint64 *)in}, &(Words){strlen(to), out}, &error);
    g_assert_no_error(error);
    guint others = 0;
    for (guint i = 0; warnings && i < warnings->len; i++) {
        const char *warning = warnings->pdata[i];
        if (strstr(warning, " no defined result") ||
            strstr(warning, " is not defined from Volta") ||
            strstr(warning, " does not execute it with the others"))
            continue; /* operands are any here: divisors of 0, masks */
        g_test_message("%s: %s", body, warning);
        others++;
    }
    g_assert_true(warnings != NULL && others == 0);
    return warnings != NULL && others == 0;
}

gboolean ptx_refuses(const char *body, const char *mnemonic, const char *to, const char *from)
{
    g_autofree char *text = kernel(body, to, from);
    g_autofree guint64 *in = g_new0(guint64, strlen(from) + 1);
    g_autofree guint64 *out = g_new0(guint64, strlen(to) + 1);
    g_autoptr(GError) error = NULL;
    GPtrArray *warnings =
        run_text(text, 1, &(Words){strlen(from), in}, &(Words){strlen(to), out}, &error);
    g_clear_pointer(&warnings, g_ptr_array_unref);
    const gboolean right = error && strstr(error->message, mnemonic);
    if (!right)
        g_test_message("%s: %s", body, error ? error->message : "no error");
    g_assert_true(right);
    return right;
}

static guint64 special(GRand *rand, guint bits)
{
    static const guint64 words[] = {
        0,          1,          2,          0x7f,       0x80,       0xff,       0x7fff,
        0x8000,     0xffff,     0x7fffffff, 0x80000000, 0xffffffff, 0x3f800000, 0xbf800000,
        0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x7f812345, 0x00000001, 0x807fffff,
        0x00800000, 0x80800000, 0x7f7fffff, 0xff7fffff, 0x3f000000, 0x4effffff, 0x4f000000,
        0xcf000000, 0x4f800000, 0x5f000000, 0x4b000001, 0x3fc00000, 0x40200000, 0xbfc00000};
    static const guint64 halves[] = {0x0001, 0x03ff, 0x0400, 0x7bff, 0x7c00, 0xfc00,
                                     0x7e00, 0x7c01, 0x3c00, 0xbc00, 0x3800, 0x3e00,
                                     0x4100, 0x3f80, 0x7f80, 0xff80, 0x7f7f, 0x0080,
                                     0x007f, 0x8001, 0x7fff, 0x8000, 0x0000, 0xffff};
    static const guint64 doubles[] = {
        G_GUINT64_CONSTANT(0x3ff0000000000000), G_GUINT64_CONSTANT(0xbff0000000000000),
        G_GUINT64_CONSTANT(0x7ff0000000000000), G_GUINT64_CONSTANT(0xfff0000000000000),
        G_GUINT64_CONSTANT(0x7ff8000000000000), G_GUINT64_CONSTANT(0xfff0000000000001),
        G_GUINT64_CONSTANT(0x0000000000000001), G_GUINT64_CONSTANT(0x8010000000000000),
        G_GUINT64_CONSTANT(0x7fefffffffffffff), G_GUINT64_CONSTANT(0x3fe0000000000000),
        G_GUINT64_CONSTANT(0x41dfffffffc00000), G_GUINT64_CONSTANT(0x41e0000000000000),
        G_GUINT64_CONSTANT(0xc1e0000000200000), G_GUINT64_CONSTANT(0x43e0000000000000),
        G_GUINT64_CONSTANT(0x43f0000000000000), G_GUINT64_CONSTANT(0x4340000000000001),
        G_GUINT64_CONSTANT(0x3ff8000000000000), G_GUINT64_CONSTANT(0x7fffffffffffffff),
        G_GUINT64_CONSTANT(0x8000000000000000), G_GUINT64_CONSTANT(0xffffffffffffffff),
        G_GUINT64_CONSTANT(0x36a0000000000000), G_GUINT64_CONSTANT(0x380fffffffffffff),
        G_GUINT64_CONSTANT(0x47efffffefffffff), G_GUINT64_CONSTANT(0x47effffff0000000)};
    if (bits == 64)
        return doubles[g_rand_int_range(rand, 0, G_N_ELEMENTS(doubles))];
    if (bits == 16)
        return halves[g_rand_int_range(rand, 0, G_N_ELEMENTS(halves))];
    if (g_rand_int_range(rand, 0, 3) == 0)
        return halves[g_rand_int_range(rand, 0, G_N_ELEMENTS(halves))] << 16 |
               halves[g_rand_int_range(rand, 0, G_N_ELEMENTS(halves))];
    return words[g_rand_int_range(rand, 0, G_N_ELEMENTS(words))];
}

/* A floating-point number whose exponent is moderate, so that sums round. */
static guint64 moderate(GRand *rand, guint bits)
{
    guint64 any = (guint64)g_rand_int(rand) << 32 | g_rand_int(rand);
    if (bits == 64)
        return (any & G_GUINT64_CONSTANT(0x800fffffffffffff)) |
               (guint64)g_rand_int_range(rand, 1000, 1060) << 52;
    if (bits == 32)
        return (any & 0x807fffff) | (guint64)g_rand_int_range(rand, 110, 140) << 23;
    return (any & 0x83ff) | (guint64)g_rand_int_range(rand, 8, 22) << 10;
}

guint64 ptx_operand(GRand *rand, guint bits)
{
    guint64 any = (guint64)g_rand_int(rand) << 32 | g_rand_int(rand);
    guint64 most = G_MAXUINT64 >> (64 - bits);
    switch (g_rand_int_range(rand, 0, 5)) {
    case 0:
    case 1:
        return special(rand, bits) & most;
    case 2:
        return moderate(rand, bits) & most;
    case 3:
        return (any & most) >> g_rand_int_range(rand, 0, (gint)bits);
    default:
        return any & most;
    }
}

gboolean ptx_same(const char *body, guint n_from, const guint64 *in, guint64 got, guint64 want)
{
    if (got == want)
        return TRUE;
    g_autoptr(GString) operands = g_string_new(NULL);
    for (guint i = 0; i < n_from; i++)
        g_string_append_printf(operands, " %016" G_GINT64_MODIFIER "x", in[i]);
    g_test_message("%s of%s gives %016" G_GINT64_MODIFIER "x instead of %016" G_GINT64_MODIFIER "x",
                   body, operands->str, got, want);
    g_test_fail();
    return FALSE;
}
