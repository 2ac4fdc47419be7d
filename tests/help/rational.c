/* SPDX-License-Identifier: BSD-3-Clause */
/* See rational.h. */
#include "tests/help/rational.h"

void assert_rational(PsRational value, const char *text)
{
    g_autofree char *is = ps_rational_format(value);
    g_assert_cmpstr(is, ==, text);
}
