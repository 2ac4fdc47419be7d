/* SPDX-License-Identifier: BSD-3-Clause */
/* How many assumed figures are named; the others are counted. */
#include "tell/trust.h"
#include "tests/help/ask.h"

#include <string.h>

/* A chain of eight classes whose figures are assumed, each an eighth of the time. */
static Asked asked_of_eight(void)
{
    g_autoptr(GString) rows = g_string_new(NULL), nodes = g_string_new(NULL);
    for (guint i = 0; i < 8; i++) {
        g_string_append_printf(rows,
                               "<class name='c%u' pipeline='a' issue='1' completion='100' "
                               "source='no'/>",
                               i);
        g_string_append_printf(nodes, "<node name='n%u' class='c%u' after='n%u'/>", i, i,
                               (i + 7) % 8);
    }
    g_autofree char *codes = g_strdup_printf("<code><loop times='50'>%s</loop></code>", nodes->str);
    return asked_new(rows->str, "groups='2' group-size='32'", codes);
}

static void test_weighed(void)
{
    g_auto(Asked) asked = asked_of_eight();
    g_autofree char *sure = ps_trust_describe(ask_why(&asked));
    g_assert_nonnull(strstr(sure, "; assumed: c0, which decides about "));
    g_assert_nonnull(strstr(sure, "; 2 others decide less"));
}

static void test_certainty(void)
{
    g_auto(Asked) asked = asked_of_eight();
    g_auto(PsTrust) trust = ps_answer_trust(ask(&asked));
    g_assert_cmpuint(trust.assumed->len, ==, 8);
    const PsAdvice advice = {.trust = trust};
    g_autofree char *text = ps_certainty_describe(asked.answer, &advice);
    g_assert_nonnull(strstr(text, "c5 and 2 more"));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/trust-names/weighed", test_weighed);
    g_test_add_func("/trust-names/certainty", test_certainty);
    return g_test_run();
}
