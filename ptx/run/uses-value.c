/* SPDX-License-Identifier: BSD-3-Clause */
/* See uses-value.h. */
#include "ptx/run/uses-value.h"

/* A number of 32 bits shifted this far is 0 but for its sign, which sizes do not have. */
#define SIGN_SHIFT 28

G_STATIC_ASSERT(sizeof(PsUseValue) == 13 * sizeof(guint64));

PsUseValue ps_use_mix(const PsUseValue *x, const PsUseValue *y)
{
    return (PsUseValue){.reached = TRUE,
                        .params = x->params | y->params,
                        .loaded = x->loaded | y->loaded,
                        .threads = x->threads | y->threads,
                        .groups = x->groups | y->groups,
                        .bytes = MAX(x->bytes, y->bytes),
                        .variable = x->variable | y->variable};
}

PsUseValue ps_use_join(const PsUseValue *x, const PsUseValue *y)
{
    PsUseValue both = ps_use_mix(x, y);
    both.bases = x->bases | y->bases;
    for (guint d = 0; d < 3; d++) {
        both.step[d] = x->step[d] == y->step[d] ? x->step[d] : 0;
        both.apart[d] = x->apart[d] == y->apart[d] ? x->apart[d] : 0;
    }
    both.times = x->times == y->times ? x->times : 0;
    both.constant = x->constant && y->constant && x->number == y->number;
    both.number = both.constant ? x->number : 0;
    both.size = x->size == y->size ? x->size : 0;
    both.group = x->group && y->group;
    return both;
}

/* The sum of two slopes in direction d; 0 where either value depends on d and its slope is not
 * known. */
static gint64 slope(guint d, guint8 in_x, gint64 x, guint8 in_y, gint64 y)
{
    const gboolean lost = ((in_x >> d & 1) && !x) || ((in_y >> d & 1) && !y);
    return lost ? 0 : (gint64)((guint64)x + (guint64)y);
}

/* The factor of the only parameter in a sum; 0: not known. */
static double add_times(const PsUseValue *x, const PsUseValue *y, gint64 times)
{
    const double sum = x->times + (double)times * y->times;
    const gboolean lost = (x->params && x->times == 0) || (y->params && y->times == 0) ||
                          (x->params && y->params && x->params != y->params);
    return lost || sum < 0 ? 0 : sum;
}

PsUseValue ps_use_add(const PsUseValue *x, const PsUseValue *y, gint64 times)
{
    PsUseValue sum = ps_use_mix(x, y);
    sum.bases = x->bases | (times > 0 ? y->bases : 0);
    for (guint d = 0; d < 3; d++) {
        sum.step[d] = slope(d, x->threads, x->step[d], y->threads, times * y->step[d]);
        sum.apart[d] = slope(d, x->groups, x->apart[d], y->groups, times * y->apart[d]);
    }
    sum.times = add_times(x, y, times);
    sum.constant = x->constant && y->constant;
    sum.number = sum.constant ? (gint64)((guint64)x->number + (guint64)(times * y->number)) : 0;
    return sum;
}

gboolean ps_use_apart(const PsUseValue *x, const PsUseValue *y)
{
    return !(x->threads & y->threads) && !(x->groups & y->groups) && !(x->params & y->params);
}

/* Multiplies a value by a number. */
static PsUseValue scale(const PsUseValue *x, gint64 by)
{
    PsUseValue product = *x;
    if (by == 1)
        return product;
    product.bases = 0;
    product.size = product.group = FALSE;
    for (guint d = 0; d < 3; d++) {
        product.step[d] = (gint64)((guint64)x->step[d] * (guint64)by);
        product.apart[d] = (gint64)((guint64)x->apart[d] * (guint64)by);
    }
    product.times = by > 0 ? x->times * (double)by : 0;
    product.number = x->constant ? (gint64)((guint64)x->number * (guint64)by) : 0;
    return product;
}

PsUseValue ps_use_multiply(const PsUseValue *x, const PsUseValue *y)
{
    if (y->constant)
        return scale(x, y->number);
    return x->constant ? scale(y, x->number) : ps_use_mix(x, y);
}

PsUseValue ps_use_shift(const PsUseValue *x, const PsUseValue *by)
{
    return by->constant && by->number >= 0 && by->number < 62 ? scale(x, (gint64)1 << by->number)
                                                              : ps_use_mix(x, by);
}

PsUseValue ps_use_divide(const PsUseValue *x, const PsUseValue *y, gboolean shift)
{
    PsUseValue part = ps_use_mix(x, y);
    const gboolean number = x->params && !ps_use_place(x) && !x->loaded;
    if (!y->constant || !number || y->number <= 0)
        return part;
    if (shift && y->number >= SIGN_SHIFT)
        return (PsUseValue){.reached = TRUE, .constant = TRUE};
    part.times = x->times / (shift ? (double)((gint64)1 << y->number) : (double)y->number);
    return part;
}

PsUseValue ps_use_choose(const PsUseValue *x, const PsUseValue *y, const PsUseValue *flag)
{
    PsUseValue one = ps_use_join(x, y);
    one.loaded |= flag->loaded;
    return one;
}
