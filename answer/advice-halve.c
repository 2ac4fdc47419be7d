/* SPDX-License-Identifier: BSD-3-Clause */
/* Half of a latency of several classes. See advice-private.h. */
#include "answer/advice-private.h"

#include <string.h>

static int shortest_name_first(gconstpointer a, gconstpointer b, gpointer machine)
{
    const PsMachineClass *classes = ((const PsMachine *)machine)->classes;
    const gsize x = strlen(classes[*(const guint *)a].asked);
    const gsize y = strlen(classes[*(const guint *)b].asked);
    return (x > y) - (x < y);
}

void ps_advice_halve(PsVariant *variant, const PsAnswer *answer, PsVaries varies,
                     PsAdviceBelongs belongs, const void *to)
{
    const PsMachine *machine = answer->machine;
    g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < machine->n_classes; i++)
        if (belongs(&machine->classes[i], to))
            g_array_append_val(list, i);
    g_array_sort_with_data(list, shortest_name_first, (gpointer)machine);
    for (guint k = 0; k < list->len; k++) {
        const guint i = g_array_index(list, guint, k);
        const PsLatency now = ps_what_if_latency(machine, i);
        PsLatency half = {{0, 1}, {0, 1}};
        const gboolean is_exact =
            varies == PS_VARIES_ISSUE
                ? ps_rational_div(now.issue, PS_RATIONAL_INT(2), &half.issue)
                : ps_rational_div(now.completion, PS_RATIONAL_INT(2), &half.completion);
        if (is_exact)
            ps_variant_set_latency(variant, answer, i, half);
    }
}
