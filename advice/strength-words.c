/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on operations that could be cheaper ones, in words. See words.h. */
#include "advice/words.h"

#include "tell/format.h"

#include <string.h>

/* The operation for people: "the remainder of a division". */
static const char *name_of(const char *op)
{
    static const struct {
        const char *prefix, *name;
    } names[] = {{"rem.", "the remainder of a division"},
                 {"div.", "a division"},
                 {"rcp.", "1 / x"},
                 {"sqrt.", "a square root"},
                 {"rsqrt.", "1 / a square root"},
                 {"cvt.", "a conversion"}};
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
        if (g_str_has_prefix(op, names[i].prefix))
            return names[i].name;
    return op;
}

/* "a division takes 10 instructions" */
static char *describe_cost(const PsAdvice *advice, const char *of)
{
    g_autofree char *now = ps_format_noun(advice->before, "instruction");
    return g_strdup_printf("%s%s takes %s", name_of(advice->op), of, now);
}

/* ", which changes 3 lines," */
static char *changes_lines(const PsAdvice *advice)
{
    return advice->lines == 1 ? g_strdup("")
                              : g_strdup_printf(", which changes %u lines,", advice->lines);
}

static char *tell_inverse(const PsAdvice *advice)
{
    g_autofree char *of = g_strdup_printf(" by %s", advice->by);
    g_autofree char *cost = describe_cost(advice, of);
    return g_strdup_printf("%s (by a power of two, with %s, 1 or 2): a multiplication with its "
                           "inverse, computed once (__umulhi and a shift, %u instructions),",
                           cost, g_str_has_prefix(advice->op, "rem.") ? "&" : ">>", advice->after);
}

static char *tell_narrow_division(const PsAdvice *advice)
{
    g_autofree char *cost = describe_cost(advice, " of 64-bit integers");
    return g_strdup_printf("%s, of 32 bits %u: where the numbers fit, these", cost, advice->after);
}

/* What is written for the approximate form: for sinf __sinf. */
static char *written(const char *op)
{
    return g_str_has_prefix(op, "sqrt.") ? g_strdup("-prec-sqrt=false")
           : strchr(op, '.')             ? g_strdup("__fdividef")
                                         : g_strconcat("__", op, NULL);
}

static char *tell_approximate(const PsAdvice *advice)
{
    g_autofree char *cost = describe_cost(advice, ""), *form = written(advice->op);
    return g_strdup_printf("%s, approximate (%s) %u, which", cost, form, advice->after);
}

static char *tell_fast_math(const PsAdvice *advice)
{
    g_autofree char *cost = describe_cost(advice, "");
    g_autofree char *lines = changes_lines(advice);
    return g_strdup_printf("%s, approximate %u: -use_fast_math%s", cost, advice->after, lines);
}

static char *tell_single(const PsAdvice *advice)
{
    g_autofree char *lines = changes_lines(advice);
    return g_strdup_printf("singles are converted to doubles and back: single precision (literals "
                           "like 2.5f)%s",
                           lines);
}

static char *tell_narrow_index(const PsAdvice *advice)
{
    g_autofree char *lines = changes_lines(advice);
    g_autofree char *now = ps_format_noun(advice->before, "instruction");
    return g_strdup_printf("indices are of 64 bits (%s takes %s): int, with one wider product for "
                           "each address%s",
                           advice->op, now, *lines ? lines : ",");
}

static char *tell_counter(const PsAdvice *advice)
{
    (void)advice;
    return g_strdup("the loop's counter is converted in each iteration: a second counter, of "
                    "float (exact up to 2^24),");
}

char *ps_strength_words(const PsAdvice *advice)
{
    switch (advice->change) {
    case PS_CHANGE_INVERSE:
        return tell_inverse(advice);
    case PS_CHANGE_NARROW_DIVISION:
        return tell_narrow_division(advice);
    case PS_CHANGE_APPROXIMATE:
        return tell_approximate(advice);
    case PS_CHANGE_FAST_MATH:
        return tell_fast_math(advice);
    case PS_CHANGE_NARROW_INDEX:
        return tell_narrow_index(advice);
    case PS_CHANGE_COUNTER:
        return tell_counter(advice);
    default:
        return tell_single(advice);
    }
}
