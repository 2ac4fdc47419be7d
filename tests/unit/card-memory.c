/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of a device in this process: what is added, lent, and placed where another process had it.
 */
#include "card/memory.h"

#include <string.h>

static void test_memory(void)
{
    g_autoptr(PsCardMemory) memory = ps_card_memory_new(10000);
    g_autoptr(GError) error = NULL;
    guint64 all, taken;
    const PsCardPiece *a = ps_card_memory_add(memory, 6000, PS_CARD_PLAIN, NULL, &error);
    const PsCardPiece *b = ps_card_memory_add(memory, 50000, PS_CARD_HOST, NULL, &error);
    g_assert_no_error(error);
    memset(a->data, 1, a->size);
    g_assert_true(ps_card_memory_find(memory, a->data + 5999) == a);
    g_assert_null(ps_card_memory_find(memory, a->data + 6000));
    g_assert_true(ps_card_memory_find(memory, b->data) == b);
    ps_card_memory_count(memory, &all, &taken);
    g_assert_cmpuint(all, ==, 10000);
    g_assert_cmpuint(taken, ==, 6000); /* the host's own is none of it */
    g_assert_null(ps_card_memory_add(memory, 4001, PS_CARD_PLAIN, NULL, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_LIMIT);
    g_assert_false(ps_card_memory_remove(memory, a->data + 1));
    g_assert_true(ps_card_memory_remove(memory, a->data));
    g_assert_true(ps_card_memory_remove(memory, b->data));
    ps_card_memory_count(memory, &all, &taken);
    g_assert_cmpuint(taken, ==, 0);
    g_assert_nonnull(ps_card_memory_add(memory, 10000, PS_CARD_MANAGED, NULL, NULL));
}

/* The most that was taken at once is known when it is gone, from when a mark was set. */
static void test_most(void)
{
    g_autoptr(PsCardMemory) memory = ps_card_memory_new(10000);
    const PsCardPiece *a = ps_card_memory_add(memory, 6000, PS_CARD_PLAIN, NULL, NULL);
    ps_card_memory_add(memory, 50000, PS_CARD_HOST, NULL, NULL);
    g_assert_true(ps_card_memory_remove(memory, a->data));
    const PsCardPiece *b = ps_card_memory_add(memory, 1000, PS_CARD_PLAIN, NULL, NULL);
    g_assert_cmpuint(ps_card_memory_most(memory, 0), ==, 6000);
    ps_card_memory_mark(memory, 0);
    g_assert_cmpuint(ps_card_memory_most(memory, 0), ==, 1000);
    g_assert_true(ps_card_memory_remove(memory, b->data));
    ps_card_memory_place(memory, (guint64)1 << 40, 3000, PS_CARD_PLAIN, "c", NULL);
    g_assert_cmpuint(ps_card_memory_most(memory, 0), ==, 3000);
    g_assert_cmpuint(ps_card_memory_most(memory, 1), ==, 6000);
}

/* Where another process had memory: not where no program has any, and no piece over another. What
 * is added then comes behind all of it. */
static void test_placed(void)
{
    static const guint64 bad[] = {0,
                                  4096,
                                  ((guint64)7 << 32) - 1000,
                                  (guint64)15 << 31,
                                  ((guint64)1 << 40) + 4999,
                                  ((guint64)1 << 40) - 4999,
                                  (guint64)1 << 47,
                                  G_MAXUINT64 - 10};
    const guint64 address = (guint64)1 << 40;
    g_autoptr(PsCardMemory) memory = ps_card_memory_new(100000);
    const PsCardPiece *piece =
        ps_card_memory_place(memory, address, 5000, PS_CARD_PLAIN, "a", NULL);
    g_assert_nonnull(piece);
    g_assert_true(ps_card_memory_find(memory, (gpointer)(gsize)(address + 4999)) == piece);
    g_assert_null(ps_card_memory_find(memory, piece->data));
    for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) error = NULL;
        g_assert_null(ps_card_memory_place(memory, bad[i], 5000, PS_CARD_PLAIN, "b", &error));
        g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
    }
    g_assert_nonnull(ps_card_memory_place(memory, 1 << 20, 5000, PS_CARD_PLAIN, "low", NULL));
    const PsCardPiece *more = ps_card_memory_add(memory, 10, PS_CARD_PLAIN, NULL, NULL);
    g_assert_cmpuint(more->address, >, address + 5000);
    g_assert_true(ps_card_memory_remove(memory, (gpointer)(gsize)address));
    ps_card_memory_clear(memory);
    g_assert_cmpuint(ps_card_memory_pieces(memory)->len, ==, 0);
}

static void test_lent(void)
{
    static guint8 own[100];
    g_autoptr(PsCardMemory) memory = ps_card_memory_new(10000);
    g_autoptr(GError) error = NULL;
    const PsCardPiece *piece = ps_card_memory_lend(memory, own + 10, 50, &error);
    g_assert_no_error(error);
    g_assert_true(ps_card_memory_find(memory, own + 59) == piece);
    g_assert_null(ps_card_memory_find(memory, own + 60));
    g_assert_null(ps_card_memory_lend(memory, own, 11, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
    g_assert_nonnull(ps_card_memory_lend(memory, own, 10, NULL));
    g_assert_nonnull(ps_card_memory_lend(memory, own + 60, 40, NULL));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/card-memory/memory", test_memory);
    g_test_add_func("/card-memory/most", test_most);
    g_test_add_func("/card-memory/lent", test_lent);
    g_test_add_func("/card-memory/placed", test_placed);
    return g_test_run();
}
