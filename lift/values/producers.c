/* SPDX-License-Identifier: BSD-3-Clause */
#include "lift/values/producers.h"

#include <string.h>

static guint find_producer(const PsProducers *value, guint spot)
{
    guint low = 0, high = value->n;
    if (high > 0 && value->list[high - 1].spot < spot)
        return high;
    while (low < high) {
        const guint middle = low + (high - low) / 2;
        if (value->list[middle].spot < spot)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void ps_producers_add(PsProducers *value, guint spot, gint64 index)
{
    const guint at = find_producer(value, spot);
    if (at < value->n && value->list[at].spot == spot) {
        value->list[at].index = MAX(value->list[at].index, index);
        return;
    }
    if (value->n == value->size) {
        value->size = MAX(4, 2 * value->size);
        value->list = g_renew(PsProducer, value->list, value->size);
    }
    memmove(&value->list[at + 1], &value->list[at], (value->n - at) * sizeof(PsProducer));
    value->list[at] = (PsProducer){spot, index};
    value->n++;
}

void ps_producers_add_all(PsProducers *value, const PsProducers *from)
{
    for (guint i = 0; i < from->n; i++)
        ps_producers_add(value, from->list[i].spot, from->list[i].index);
}

void ps_producers_set(PsProducers *value, const PsProducers *from)
{
    if (value == from)
        return;
    value->n = 0;
    ps_producers_add_all(value, from);
}

void ps_producers_limit(PsProducers *value)
{
    if (value->n <= PS_MOST_PRODUCERS)
        return;
    memmove(value->list, &value->list[value->n - PS_MOST_PRODUCERS],
            PS_MOST_PRODUCERS * sizeof(PsProducer));
    value->n = PS_MOST_PRODUCERS;
}
