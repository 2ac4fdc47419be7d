/* SPDX-License-Identifier: BSD-3-Clause */
/* Two programs, kernel by kernel: which kernels belong together, and what is told of their times.
 */
#include "card/versus.h"

#include <math.h>
#include <string.h>

/* A launch of that kernel; seconds "nan": its time is not known. */
#define LAUNCH(kernel, seconds)                                                                    \
    "launch\t" kernel "\t1\t1\t1\t32\t1\t1\t0\t0\t" seconds "\tsimulated\t\tsm_80\t9\t0\t0\t\n"

static PsCardRead *read_log(const char *text)
{
    g_autoptr(GError) error = NULL;
    PsCardRead *read = ps_card_log_read(text, &error);
    g_assert_no_error(error);
    return read;
}

/* By name first, whatever the order, then by name without template arguments, in order; and what is
 * left stands alone. */
static void test_pairs(void)
{
    g_autoptr(PsCardRead) a = read_log(LAUNCH("_Z1fILi32EEvPf", "1") LAUNCH("g", "1")
                                           LAUNCH("_Z1fILi64EEvPf", "1") LAUNCH("gone", "1"));
    g_autoptr(PsCardRead) b = read_log(LAUNCH("_Z1fILi128EEvPf", "5") LAUNCH("_Z1fILi32EEvPf", "3")
                                           LAUNCH("g", "1.5") LAUNCH("new", "0.25"));
    const PsCardRead *const reads[] = {a, b};
    PsCardVersusRow all;
    g_autoptr(GArray) rows = ps_card_versus(reads, &all);
    static const struct {
        const char *a, *b;
        double difference;
    } wanted[] = {{"_Z1fILi64EEvPf", "_Z1fILi128EEvPf", 4},
                  {"_Z1fILi32EEvPf", "_Z1fILi32EEvPf", 2},
                  {"gone", NULL, -1},
                  {"g", "g", 0.5},
                  {NULL, "new", 0.25}};
    g_assert_cmpuint(rows->len, ==, G_N_ELEMENTS(wanted));
    for (guint i = 0; i < rows->len; i++) {
        const PsCardVersusRow *row = &g_array_index(rows, PsCardVersusRow, i);
        g_assert_cmpstr(row->kernel[0], ==, wanted[i].a);
        g_assert_cmpstr(row->kernel[1], ==, wanted[i].b);
        g_assert_cmpfloat(row->difference, ==, wanted[i].difference);
    }
    g_assert_cmpfloat(all.difference, ==, 5.75);
    g_assert_cmpint(all.launches[1], ==, 4);
}

/* Launches of a kernel belong together by their order. */
static void test_order(void)
{
    g_autoptr(PsCardRead) a = read_log(LAUNCH("f", "1") LAUNCH("f", "2") LAUNCH("f", "3"));
    g_autoptr(PsCardRead) b = read_log(LAUNCH("f", "1.5") LAUNCH("f", "1") LAUNCH("f", "3.5"));
    g_autoptr(PsCardRead) more = read_log(LAUNCH("f", "1") LAUNCH("f", "2"));
    const PsCardRead *const reads[] = {a, b}, *const others[] = {a, more};
    PsCardVersusRow all;
    g_autoptr(GArray) rows = ps_card_versus(reads, &all);
    const PsCardVersusRow *row = &g_array_index(rows, PsCardVersusRow, 0);
    g_assert_cmpuint(row->changed, ==, 2);
    g_assert_cmpfloat(row->changing[0], ==, 2);
    g_assert_cmpfloat(row->changing[1], ==, 1);
    g_assert_cmpfloat(row->difference, ==, 0);
    g_autoptr(GArray) unlike = ps_card_versus(others, &all);
    row = &g_array_index(unlike, PsCardVersusRow, 0);
    g_assert_cmpuint(row->changed, ==, 0);
    g_assert_cmpfloat(row->difference, ==, -3);
}

/* Where a time is not known there is no difference, of the kernel and of all. */
static void test_unknown(void)
{
    g_autoptr(PsCardRead) a = read_log(LAUNCH("f", "1") LAUNCH("f", "nan") LAUNCH("g", "1"));
    g_autoptr(PsCardRead) b = read_log(LAUNCH("f", "1") LAUNCH("f", "2") LAUNCH("g", "3"));
    const PsCardRead *const reads[] = {a, b};
    PsCardVersusRow all;
    g_autoptr(GArray) rows = ps_card_versus(reads, &all);
    const PsCardVersusRow *g = &g_array_index(rows, PsCardVersusRow, 0), *f = g + 1;
    g_assert_cmpstr(g->kernel[0], ==, "g");
    g_assert_cmpfloat(g->difference, ==, 2);
    g_assert_true(isnan(f->difference) && isnan(all.difference));
    g_assert_cmpint(f->unknown[0], ==, 1);
    g_assert_cmpfloat(f->seconds[0], ==, 1);
    g_assert_cmpuint(f->changed, ==, 0);
}

/* For people: the sentence above the table, and all notes of each program's log. */
static void test_page(void)
{
    g_autoptr(PsCardRead) a = read_log(LAUNCH("f", "1") "note\tone of A\nnote\ttwo of A\n");
    g_autoptr(PsCardRead) b = read_log(LAUNCH("f", "2") "note\tone of B\n");
    const PsCardVersusSide sides[] = {{a, "a.out", "v100"}, {b, "b.out", "v100"}};
    g_autoptr(GString) out = g_string_new(NULL);
    const PsPaper paper = {.out = out, .form = PS_PAPER_TEXT};
    ps_card_versus_put(sides, &paper);
    static const char *const told[] = {
        "B's launches take 2.000 s instead of 1.000 s: 2 times as long",
        "\n  - one of A\n  - two of A\n", "\n  - one of B\n"};
    for (guint i = 0; i < G_N_ELEMENTS(told); i++)
        if (!strstr(out->str, told[i]))
            g_assert_cmpstr(out->str, ==, told[i]);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/versus/pairs", test_pairs);
    g_test_add_func("/versus/order", test_order);
    g_test_add_func("/versus/unknown", test_unknown);
    g_test_add_func("/versus/page", test_page);
    return g_test_run();
}
