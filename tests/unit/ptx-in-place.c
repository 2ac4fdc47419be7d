/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A kernel that takes its work from where it writes has none when it runs again. Each of its groups
 * must be recorded with what it does the first time all the same, as if it wrote elsewhere.
 */
#include "lift/build-private.h"

#include <string.h>

#define GROUPS 40
#define LAST (GROUPS - 1)
#define APART 512 /* words between the work of two groups, all of which is in many blocks */
#define WORDS ((gsize)GROUPS * APART)
#define N_BLOCKS (WORDS * sizeof(guint32) / PS_PTX_BLOCK)

/* A group's loop has as many trips as its word says, which then becomes 0, or another word does. */
static const char kernel[] =
    ".visible .entry k(.param .u64 from, .param .u64 to)\n{\n"
    ".reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<5>;\n"
    "ld.param.u64 %rd1, [from]; ld.param.u64 %rd2, [to];\n%s\n"
    "mov.u32 %r1, %ctaid.x; mul.wide.u32 %rd4, %r1, 2048;\n"
    "add.u64 %rd1, %rd1, %rd4; add.u64 %rd2, %rd2, %rd4; ld.global.u32 %r2, [%rd1];\n"
    "bar.sync 0;\n"
    "LOOP: setp.eq.u32 %p1, %r2, 0; @%p1 bra END; sub.u32 %r2, %r2, 1; bra LOOP;\n"
    "END: mov.u32 %r3, 0; st.global.u32 [%rd2], %r3; ret;\n}\n";

#define IN_BUFFER "mov.u64 %rd1, %rd1; mov.u64 %rd2, %rd1;"

/* Groups do so much that they are counted before they are recorded; the last one does most. */
static guint32 trips_of(guint group)
{
    return group == LAST ? 30000 : 9000;
}

static char *text_of(const char *addresses)
{
    GString *text = g_string_new(".version 8.0\n.target sm_80\n.address_size 64\n"
                                 ".global .align 4 .u32 work[20480] = {");
    g_auto(GStrv) parts = g_strsplit(kernel, "%s", 2);
    for (guint i = 0; i < WORDS; i++)
        g_string_append_printf(text, "%s%u", i ? "," : "",
                               i % APART == 0 ? trips_of(i / APART) : 0);
    g_string_append_printf(text, "};\n%s%s%s", parts[0], addresses, parts[1]);
    return g_string_free(text, FALSE);
}

/* Executes what shows of which kinds groups are, with instructions that choose the addresses. */
static void run(const char *addresses, guint32 *from, guint8 *made, PsSamples *samples)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = text_of(addresses);
    g_autofree guint32 *to = g_new0(guint32, WORDS);
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, strlen(text), "x.ptx", &error);
    g_assert_no_error(error);
    PsPtxBlocks blocks = {.n = N_BLOCKS, .made = made};
    const gsize bytes = WORDS * sizeof(guint32);
    const PsPtxArgument arguments[] = {
        {.name = "from", .data = (guint8 *)from, .size = bytes, .blocks = &blocks},
        {.name = "to", .data = (guint8 *)to, .size = bytes}};
    PsBuildOptions options;
    ps_build_options_init(&options);
    options.module = module;
    options.launch = (PsPtxLaunch){.kernel = ps_ptx_kernel(module, "k", &error),
                                   .grid = {GROUPS, 1, 1},
                                   .block = {64, 1, 1},
                                   .n_arguments = G_N_ELEMENTS(arguments),
                                   .arguments = arguments};
    for (guint i = 0; i < GROUPS; i++)
        from[(gsize)i * APART] = trips_of(i);
    memset(made, PS_PTX_BLOCK_MADE, N_BLOCKS);
    ps_samples_run(samples, &options, &error);
    g_assert_no_error(error);
    samples->options = NULL;
}

static gint64 length_of(const PsSamples *samples, guint group)
{
    for (guint k = 0; k < samples->kinds->len; k++) {
        const PsRollGroup *one = g_array_index(samples->kinds, PsKind, k).group;
        if (one->group[0] == group)
            return one->length;
    }
    return 0;
}

/* A group is recorded as if it noted its end elsewhere. The instructions make %rd1 the address of
 * its work, and %rd2 that of its note. */
static void test_same(const char *addresses)
{
    g_autofree guint32 *from = g_new0(guint32, WORDS);
    guint8 made[N_BLOCKS];
    PsSamples elsewhere, here;
    run("mov.u64 %rd1, %rd1; mov.u64 %rd2, %rd2;", from, made, &elsewhere);
    g_assert_cmpint(length_of(&elsewhere, LAST), >, 3 * 2 * 30000);
    run(addresses, from, made, &here);
    g_assert_cmpuint(here.kinds->len, ==, elsewhere.kinds->len);
    g_assert_cmpint(length_of(&here, LAST), ==, length_of(&elsewhere, LAST));
    ps_samples_clear(&elsewhere);
    ps_samples_clear(&here);
}

static void test_variable(void)
{
    test_same("mov.u64 %rd1, work; mov.u64 %rd2, work;");
}

/* What the last group wrote is there, and its block counts as written. */
static void test_buffer(void)
{
    g_autofree guint32 *from = g_new0(guint32, WORDS);
    guint8 made[N_BLOCKS];
    PsSamples samples;
    test_same(IN_BUFFER);
    run(IN_BUFFER, from, made, &samples);
    g_assert_cmpuint(from[(gsize)LAST * APART], ==, 0);
    g_assert_cmpuint(made[N_BLOCKS - 1], ==, PS_PTX_BLOCK_MADE | PS_PTX_BLOCK_WRITTEN);
    for (guint i = 0; i < N_BLOCKS; i++)
        g_assert_cmpuint(made[i] & PS_PTX_BLOCK_EARLIER, ==, 0);
    ps_samples_clear(&samples);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ptx-in-place/buffer", test_buffer);
    g_test_add_func("/ptx-in-place/variable", test_variable);
    return g_test_run();
}
