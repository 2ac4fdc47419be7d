/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compiled code and buffers whose blocks are filled when they are first touched: whatever way lanes
 * take to memory, blocks are filled and noted as written as steps do it, also where a warp's bytes
 * lie in two blocks, or far apart. Where nothing compiles there is nothing to test.
 */
#include "launch/blocks.h"
#include "ptx/native/native.h"
#include "ptx/run/compiled.h"
#include "ptx/run/together.h"

#include <string.h>

enum { BLOCKS = 12, WORDS = BLOCKS * PS_PTX_BLOCK / 4, BYTES = WORDS * 4 };

/* k(.u64 in, .u64 out): one warp goes through all words but a few of the last block, 32 lanes times
 * the vector's words each time, 3 or 4 words behind a multiple of 32. %r3 is the lane, %rd3 and
 * %rd4 are where the turn begins. */
static const char head[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
    ".reg .b32 %%r<20>; .reg .b64 %%rd<12>; .reg .pred %%p<6>; .reg .b16 %%h<4>;\n"
    "ld.param.u64 %%rd1, [in]; ld.param.u64 %%rd2, [out]; mov.u32 %%r3, %%tid.x;\n"
    "mov.u32 %%r5, 0; mov.u32 %%r6, 0;\n"
    "L: mul.lo.u32 %%r7, %%r5, %u; add.u32 %%r7, %%r7, %u; mul.wide.u32 %%rd3, %%r7, 4;\n"
    "add.u64 %%rd4, %%rd2, %%rd3; add.u64 %%rd3, %%rd1, %%rd3;\n%s\n"
    "add.u32 %%r5, %%r5, 1; setp.lt.u32 %%p1, %%r5, %u; @%%p1 bra L;\n"
    "mul.wide.u32 %%rd5, %%r3, 4; add.u64 %%rd5, %%rd2, %%rd5; st.global.u32 [%%rd5], %%r6;\n"
    "ret;\n}\n";

/* Adds so many words for each lane to where turns begin. */
#define LANE(N) "mul.wide.u32 %rd5, %r3, " N "; add.u64 %rd6, %rd4, %rd5; add.u64 %rd5, %rd3, %rd5;"
/* The lane's number with the bits of the mask the other way round. */
#define CROSSED(MASK)                                                                              \
    "xor.b32 %r8, %r3, " MASK "; mul.wide.u32 %rd5, %r8, 4; add.u64 %rd6, %rd4, %rd5;"             \
    "add.u64 %rd5, %rd3, %rd5;"

#define FEW                                                                                        \
    "mov.u32 %r8, 0; setp.lt.u32 %p2, %r5, 9; selp.u64 %rd7, 0, 1073741824, %p2;"                  \
    "add.u64 %rd5, %rd5, %rd7; add.u64 %rd6, %rd6, %rd7;"

static const struct {
    const char *body;
    guint words, first; /* of a turn, and where the first begins */
} ways[] = {
    /* beside each other: words, halves, words of which some lanes have none; read, written */
    {LANE("4") "ld.global.u32 %r8, [%rd5]; add.u32 %r6, %r6, %r8;", 32, 3},
    {LANE("4") "st.global.u32 [%rd6], %r5;", 32, 3},
    {LANE("2") "ld.global.u16 %h1, [%rd5]; cvt.u32.u16 %r8, %h1; add.u32 %r6, %r6, %r8;"
               "st.global.u16 [%rd6], %h1;",
     16, 3},
    {LANE("4") "setp.lt.u32 %p2, %r3, 9; @%p2 st.global.u32 [%rd6], %r5;", 32, 3},
    {LANE("4") "ld.global.u32 %r8, [%rd6]; add.u32 %r8, %r8, %r5; st.global.u32 [%rd6], %r8;", 32,
     3},
    /* vectors */
    {LANE("16") "ld.global.v4.u32 {%r8, %r9, %r10, %r11}, [%rd5]; add.u32 %r6, %r6, %r11;"
                "st.global.v4.u32 [%rd6], {%r8, %r9, %r10, %r5};",
     128, 4},
    {LANE("8") "ld.global.v2.u32 {%r8, %r9}, [%rd5]; add.u32 %r6, %r6, %r9;", 64, 4},
    /* the same word for all */
    {"ld.global.u32 %r8, [%rd3]; add.u32 %r6, %r6, %r8;", 32, 3},
    {"ld.global.v4.u32 {%r8, %r9, %r10, %r11}, [%rd3]; add.u32 %r6, %r6, %r10;", 32, 4},
    /* near each other */
    {CROSSED("15") "ld.global.u32 %r8, [%rd5]; add.u32 %r6, %r6, %r8;", 32, 3},
    {"xor.b32 %r8, %r3, 7; mul.wide.u32 %rd5, %r8, 8; add.u64 %rd5, %rd3, %rd5;"
     "ld.global.u64 %rd7, [%rd5]; cvt.u32.u64 %r8, %rd7; add.u32 %r6, %r6, %r8;",
     64, 4},
    {CROSSED("31") "ld.global.u32 %r8, [%rd5]; add.u32 %r6, %r6, %r8;", 32, 3},
    /* anywhere within less than a block */
    {LANE("12") "ld.global.u32 %r8, [%rd5]; add.u32 %r6, %r6, %r8;", 96, 3},
    {LANE("12") "st.global.u32 [%rd6], %r5;", 96, 3},
    {CROSSED("21") "st.global.u32 [%rd6], %r5;", 32, 3},
    /* no lane has any, from the tenth turn on: addresses are beyond the buffers then */
    {LANE("4") FEW "@%p2 ld.global.u32 %r8, [%rd5]; add.u32 %r6, %r6, %r8;", 32, 3},
    {LANE("4") FEW "@%p2 st.global.u32 [%rd6], %r5;", 32, 3},
    /* farther apart than blocks are large: the first and the last lane's block are there before */
    {"ld.global.u32 %r8, [%rd1]; ld.global.u32 %r8, [%rd1+182528]; setp.gt.u32 %p2, %r5, 20;"
     "selp.u32 %r9, 5888, 4, %p2; mul.wide.u32 %rd5, %r3, %r9; mul.wide.u32 %rd6, %r5, 4;"
     "add.u64 %rd5, %rd5, %rd6; add.u64 %rd5, %rd1, %rd5; ld.global.u32 %r8, [%rd5];"
     "add.u32 %r6, %r6, %r8;",
     1, 0},
    {"st.global.u32 [%rd2], %r5; st.global.u32 [%rd2+182528], %r5; setp.gt.u32 %p2, %r5, 20;"
     "selp.u32 %r9, 5888, 4, %p2; mul.wide.u32 %rd5, %r3, %r9; mul.wide.u32 %rd6, %r5, 4;"
     "add.u64 %rd5, %rd5, %rd6; add.u64 %rd5, %rd2, %rd5; st.global.u32 [%rd5], %r5;",
     1, 0},
    /* nearer than two, and the block between them is not there */
    {"ld.global.u32 %r8, [%rd1+16000]; ld.global.u32 %r8, [%rd1+37700]; setp.gt.u32 %p2, %r5, 20;"
     "selp.u32 %r9, 700, 4, %p2; mul.wide.u32 %rd5, %r3, %r9; mul.wide.u32 %rd6, %r5, 4;"
     "add.u64 %rd5, %rd5, %rd6; add.u64 %rd5, %rd1, %rd5; ld.global.u32 %r8, [%rd5+16000];"
     "add.u32 %r6, %r6, %r8;",
     1, 0},
};

/* Two buffers, with what is known of their blocks behind the launch, and then with all that they
 * hold. */
typedef struct {
    guint8 *data[2];
    PsPtxBlocks *blocks[2];
    guint8 made[2][BLOCKS];
} Result;

static void begin(Result *result)
{
    for (guint i = 0; i < 2; i++) {
        const PsFill fill = {.kind = PS_FILL_RANDOM, .type = PS_PTX_U32, .seed = 3 + i};
        result->blocks[i] = ps_blocks_new(&fill, BYTES, &result->data[i], NULL);
        g_assert_nonnull(result->blocks[i]);
    }
}

static void end(Result *result)
{
    for (guint i = 0; i < 2; i++) {
        g_assert_cmpuint(result->blocks[i]->n, ==, BLOCKS);
        memcpy(result->made[i], result->blocks[i]->made, BLOCKS);
        g_assert_true(ps_blocks_finish(result->blocks[i], NULL));
    }
}

static void run(guint way, PsPtxCompiled *compiled, Result *result)
{
    g_autoptr(GError) error = NULL;
    const guint turns = ways[way].words == 1 ? 40 : (WORDS - 3 * 128) / ways[way].words;
    g_autofree char *text =
        g_strdup_printf(head, ways[way].words, ways[way].first, ways[way].body, turns);
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, strlen(text), "x.ptx", &error);
    g_assert_no_error(error);
    begin(result);
    const PsPtxArgument arguments[] = {
        {.data = result->data[0], .size = BYTES, .blocks = result->blocks[0]},
        {.data = result->data[1], .size = BYTES, .blocks = result->blocks[1]}};
    const PsPtxLaunch launch = {.kernel = ps_ptx_kernel(module, "k", NULL),
                                .grid = {1, 1, 1},
                                .block = {32, 1, 1},
                                .n_arguments = 2,
                                .arguments = arguments,
                                .compiled = compiled};
    const PsPtxCrew crew = {.threads = 1};
    PsPtxDone done = {0};
    g_assert_true(ps_ptx_run_all(module, &launch, &crew, &done, &error));
    g_assert_no_error(error);
    g_ptr_array_unref(done.warnings);
    end(result);
}

static void clear(Result *result)
{
    for (guint i = 0; i < 2; i++)
        ps_blocks_free(result->blocks[i]);
}

static void test_blocks(void)
{
    if (g_strcmp0(g_getenv("PIPESIM_CHECKER"), "valgrind") == 0 || !ps_ptx_native_there()) {
        g_test_skip("there is no LLVM, or no AVX2, or valgrind, which finds fault with glibc then");
        return;
    }
    for (guint way = 0; way < G_N_ELEMENTS(ways); way++) {
        g_autoptr(PsPtxCompiled) compiled = ps_ptx_compiled_new(0);
        Result steps, native;
        run(way, NULL, &steps);
        run(way, compiled, &native);
        g_test_message("%s", ways[way].body);
        g_assert_cmpuint(ps_ptx_compiled_executed(compiled), >, 0);
        for (guint i = 0; i < 2; i++) {
            g_assert_cmpmem(steps.made[i], BLOCKS, native.made[i], BLOCKS);
            g_assert_true(memcmp(steps.data[i], native.data[i], BYTES) == 0);
        }
        clear(&steps);
        clear(&native);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-compiled/blocks", test_blocks);
    return g_test_run();
}
