/* SPDX-License-Identifier: BSD-3-Clause */
/* What launches overwrite is kept until their time is known, without the memory that it took. */
#include "card/card.h"
#include "card/kept.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

enum { BLOCKS = 9, IN_MEMORY = 3 };

static void fill(guint8 *data, guint i)
{
    for (guint k = 0; k < PS_PTX_BLOCK; k++)
        data[k] = (guint8)(k * 7 + i);
}

/* Blocks of all kinds come back, the last with fewer bytes; `most` of them stay in memory. */
static void keep_some(guint most)
{
    g_autoptr(PsCardKept) kept = ps_card_kept_new(IN_MEMORY * PS_PTX_BLOCK);
    PsCardKeptBlock blocks[BLOCKS];
    guint8 data[PS_PTX_BLOCK], copy[PS_PTX_BLOCK];
    for (guint i = 0; i < BLOCKS; i++) {
        fill(data, i);
        if (i == 1)
            memset(data, 0, sizeof data);
        blocks[i] = ps_card_kept_add(kept, data, i + 1 < BLOCKS ? sizeof data : 100);
        g_assert_cmpuint(blocks[i], !=, 0);
    }
    g_assert_cmpuint(ps_card_kept_held(kept), <=, most * PS_PTX_BLOCK);
    for (guint i = 0; i + 1 < BLOCKS; i += 2) { /* another block takes the place */
        const gsize held = ps_card_kept_held(kept);
        ps_card_kept_drop(kept, blocks[i], sizeof data);
        fill(data, i);
        g_assert_cmpuint(ps_card_kept_add(kept, data, sizeof data), ==, blocks[i]);
        g_assert_cmpuint(ps_card_kept_held(kept), ==, held);
    }
    for (guint i = BLOCKS; i > 0; i--) {
        const gsize bytes = i < BLOCKS ? sizeof data : 100;
        fill(data, i - 1);
        if (i - 1 == 1)
            memset(data, 0, sizeof data);
        g_assert_true(ps_card_kept_copy(kept, blocks[i - 1], copy, bytes));
        g_assert_cmpmem(copy, bytes, data, bytes);
    }
}

static void test_blocks(void)
{
    keep_some(IN_MEMORY);
}

/* A program that may write no large file is not killed for ours. */
static void test_no_file(void)
{
    struct rlimit before, none;
    g_assert_cmpint(getrlimit(RLIMIT_FSIZE, &before), ==, 0);
    none = before;
    none.rlim_cur = PS_PTX_BLOCK;
    g_assert_cmpint(setrlimit(RLIMIT_FSIZE, &none), ==, 0);
    keep_some(BLOCKS);
    setrlimit(RLIMIT_FSIZE, &before);
}

/* ---- launches ------------------------------------------------------------------------------- */

/* Each thread reads how often it goes round, and overwrites it. */
static const char overwrites[] =
    ".version 7.0\n.target sm_60\n.address_size 64\n"
    ".visible .entry g(.param .u64 a)\n{\n.reg .pred %p;\n.reg .b32 %r<8>;\n.reg .b64 %d<3>;\n"
    "ld.param.u64 %d0, [a];\nmov.u32 %r0, %ctaid.x;\nmov.u32 %r1, %tid.x;\n"
    "mad.lo.u32 %r2, %r0, 256, %r1;\nmul.wide.u32 %d1, %r2, 16;\nadd.u64 %d0, %d0, %d1;\n"
    "ld.global.v4.u32 {%r3, %r4, %r5, %r6}, [%d0];\n"
    "NEXT:\nadd.u32 %r4, %r4, %r3;\nsub.u32 %r3, %r3, 1;\nsetp.ne.u32 %p, %r3, 0;\n"
    "@%p bra NEXT;\nst.global.v4.u32 [%d0], {%r3, %r4, %r5, %r6};\nret;\n}\n";

enum { MIB = 128, GROUPS = MIB << 8 };

/* The sanitizer keeps what was freed, so memory tells nothing. */
#ifdef __SANITIZE_ADDRESS__
enum { SANITIZED = TRUE };
#else
enum { SANITIZED = FALSE };
#endif

/* VmRSS or VmHWM, MiB. */
static guint64 memory_now(const char *what)
{
    g_autofree char *text = NULL;
    g_assert_true(g_file_get_contents("/proc/self/status", &text, NULL, NULL));
    const char *at = strstr(text, what);
    g_assert_nonnull(at);
    return g_ascii_strtoull(at + strlen(what) + 1, NULL, 10) / 1024;
}

static double time_of(PsCard *card, PsCardModule *module, const PsCardPiece *piece, guint32 times)
{
    g_autoptr(GError) error = NULL;
    gconstpointer params[] = {&piece->data};
    const PsCardLaunch what = {.function = ps_card_module_function(module, "g"),
                               .grid = {GROUPS, 1, 1},
                               .block = {256, 1, 1},
                               .params = params};
    guint32 *word = (guint32 *)(gpointer)piece->data;
    double seconds;
    for (gsize i = 0; i < piece->size / 4; i++)
        word[i] = times;
    ps_card_copied(card, word, NULL, piece->size);
    g_assert_true(ps_card_launch(card, &what, &seconds, &error));
    g_assert_no_error(error);
    g_assert_cmpuint(word[piece->size / 4 - 4], ==, 0);
    return seconds;
}

/* The time is that of what the memory held, of which little stays in memory. */
static void test_launches(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsGpu) gpu = ps_gpu_load("gpus/pascal.xml", &error);
    g_autoptr(PsCard) card = ps_card_new(gpu, (guint64)MIB << 20, NULL);
    ps_card_steps(card);
    PsCardModule *module = ps_card_module_new(card, overwrites, &error);
    g_assert_no_error(error);
    const PsCardPiece *piece =
        ps_card_memory_add(ps_card_memory(card), (gsize)MIB << 20, PS_CARD_PLAIN, NULL, &error);
    g_assert_no_error(error);
    memset(piece->data, 1, piece->size);
    const guint64 before = memory_now("VmRSS:");
    const double once = time_of(card, module, piece, 1);
    g_assert_cmpfloat(time_of(card, module, piece, 200), >, 1.2 * once);
    g_assert_true(SANITIZED || memory_now("VmHWM:") < before + MIB / 2);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/card-kept/blocks", test_blocks);
    g_test_add_func("/card-kept/no-file", test_no_file);
    g_test_add_func("/card-kept/launches", test_launches);
    return g_test_run();
}
