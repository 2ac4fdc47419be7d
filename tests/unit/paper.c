/* SPDX-License-Identifier: BSD-3-Clause */
/* A page on each form of paper: the same title, sentences and table as text, as Markdown and as
 * HTML. */
#include "tell/paper.h"

static PsTable *small_table(void)
{
    PsTable *table = ps_table_new("lrr");
    static const char *const cells[] = {"kernel", "groups", "us",  "a_b<c>", "64",
                                        "1.5",    "saxpy",  "128", "12.25"};
    for (guint i = 0; i < G_N_ELEMENTS(cells); i++)
        ps_table_add(table, g_strdup(cells[i]));
    return table;
}

static char *page_on(PsPaperForm form)
{
    GString *out = g_string_new(NULL);
    const PsPaper paper = {.out = out, .form = form};
    g_autoptr(PsTable) table = small_table();
    ps_paper_title(&paper, "saxpy", " on a V100");
    ps_paper_text(&paper, "Limited by  ", "what is *busiest*: 1 < 2");
    ps_paper_text(&paper, "  - Note: ", "a word with a colon");
    ps_paper_text(&paper, "  - ", "an item");
    ps_paper_heading(&paper, "Kernels");
    ps_paper_table(&paper, table, 2);
    return g_string_free(out, FALSE);
}

static void test_text(void)
{
    g_autofree char *page = page_on(PS_PAPER_TEXT);
    g_assert_cmpstr(page, ==,
                    "saxpy on a V100\n"
                    "Limited by  what is *busiest*: 1 < 2\n"
                    "  - Note: a word with a colon\n"
                    "  - an item\n"
                    "\n"
                    "Kernels\n"
                    "  kernel  groups     us\n"
                    "  a_b<c>      64    1.5\n"
                    "  saxpy      128  12.25\n");
}

static void test_markdown(void)
{
    g_autofree char *page = page_on(PS_PAPER_MARKDOWN);
    g_assert_cmpstr(page, ==,
                    "# saxpy on a V100\n"
                    "\n"
                    "- **Limited by**: what is \\*busiest\\*: 1 \\< 2\n"
                    "- **Note**: a word with a colon\n"
                    "- an item\n"
                    "\n"
                    "## Kernels\n"
                    "\n"
                    "| kernel | groups | us |\n"
                    "|---|---:|---:|\n"
                    "| a_b\\<c> | 64 | 1.5 |\n"
                    "| saxpy | 128 | 12.25 |\n"
                    "\n");
}

static void test_html(void)
{
    g_autofree char *page = page_on(PS_PAPER_HTML);
    g_assert_cmpstr(page, ==,
                    "<h3>saxpy on a V100</h3>\n"
                    "<table>\n"
                    "<tr><th>Limited by</th><td>what is *busiest*: 1 &lt; 2</td></tr>\n"
                    "<tr><th>Note</th><td>a word with a colon</td></tr>\n"
                    "</table>\n"
                    "<ul>\n"
                    "<li>an item</li>\n"
                    "</ul>\n"
                    "<h4>Kernels</h4>\n"
                    "<div class='scroll'><table class='figures'>\n"
                    "<thead><tr><th scope='col'>kernel</th><th scope='col' "
                    "class='n'>groups</th><th scope='col' class='n'>us</th></tr></thead>\n"
                    "<tbody>\n"
                    "<tr class='all'><th scope='row'>a_b&lt;c&gt;</th><td class='n' "
                    "data-of='groups'>64</td><td class='n' data-of='us'>1.5</td></tr>\n"
                    "<tr class='all'><th scope='row'>saxpy</th><td class='n' "
                    "data-of='groups'>128</td><td class='n' data-of='us'>12.25</td></tr>\n"
                    "</tbody></table></div>\n");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/paper/text", test_text);
    g_test_add_func("/paper/markdown", test_markdown);
    g_test_add_func("/paper/html", test_html);
    return g_test_run();
}
