/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/help/contains.h"

#include <string.h>

void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        g_test_message("not in it: %s", part);
    g_assert_true(strstr(text, part) != NULL);
}

void assert_lacks(const char *text, const char *part)
{
    if (strstr(text, part))
        g_test_message("in it: %s", part);
    g_assert_null(strstr(text, part));
}

guint count_of(const char *text, const char *part)
{
    guint n = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at += strlen(part))
        n++;
    return n;
}
