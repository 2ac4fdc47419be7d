/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine's heap: what comes out, and what it may take. */
#include "sim/engine/heap.h"

/* In the order of ps_item_before, whatever the order in which they came. */
static void test_order(void)
{
    PsHeap heap = {0};
    guint budget = 4096;
    g_autoptr(GRand) rand = g_rand_new_with_seed(1);
    for (guint n = 1; n < 200; n++) {
        for (guint i = 0; i < n; i++) {
            const PsItem item = {.ready = g_rand_int_range(rand, 0, 20),
                                 .rank = g_rand_int_range(rand, 0, 5),
                                 .position = i};
            g_assert_true(ps_heap_push(&heap, &item, &budget));
        }
        PsItem last = ps_heap_pop(&heap);
        for (guint i = 1; i < n; i++) {
            const PsItem item = ps_heap_pop(&heap);
            g_assert_true(ps_item_before(&last, &item));
            last = item;
        }
        g_assert_cmpuint(heap.count, ==, 0);
    }
    ps_heap_clear(&heap);
}

/* It grows to 16, 32, 64 items; the last of the budget is its own, too. */
static void test_budget(void)
{
    PsHeap heap = {0};
    guint budget = 32;
    for (gint64 i = 0; i < 32; i++)
        g_assert_true(ps_heap_push(&heap, &(PsItem){.ready = i}, &budget));
    g_assert_cmpuint(budget, ==, 0);
    g_assert_false(ps_heap_push(&heap, &(PsItem){.ready = 0}, &budget));
    g_assert_cmpuint(heap.count, ==, 32);
    budget = 31;
    g_assert_false(ps_heap_push(&heap, &(PsItem){.ready = 0}, &budget));
    g_assert_cmpuint(budget, ==, 31);
    ps_heap_clear(&heap);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/heap/order", test_order);
    g_test_add_func("/heap/budget", test_budget);
    return g_test_run();
}
