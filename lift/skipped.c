/* SPDX-License-Identifier: BSD-3-Clause */
/* Instructions that the executor skipped, if the launch allows that: the graph lacks them. */
#include "lift/build-private.h"

#define MOST_NAMES 8

/* A mnemonic that was skipped. */
typedef struct {
    const PsPtxMnemonic *mnemonic;
    guint64 times;
} Skipped;

static gint by_times(gconstpointer a, gconstpointer b)
{
    const Skipped *x = a, *y = b;
    return x->times > y->times ? -1 : x->times < y->times;
}

static void add(GArray *list, const PsPtxMnemonic *mnemonic, guint64 times)
{
    for (guint i = 0; i < list->len; i++) {
        Skipped *one = &g_array_index(list, Skipped, i);
        if (g_str_equal(one->mnemonic->text, mnemonic->text)) {
            one->times += times;
            return;
        }
    }
    const Skipped one = {mnemonic, times};
    g_array_append_val(list, one);
}

/* The skipped mnemonics, most frequent first; *all: the number of skips. */
static GArray *find(const PsPtxMachine *machine, guint64 *all)
{
    const PsPtxCode *code = ps_ptx_machine_code(machine);
    GArray *list = g_array_new(FALSE, FALSE, sizeof(Skipped));
    *all = 0;
    for (guint p = 0; p < code->n_points; p++) {
        const guint64 times = ps_ptx_machine_skipped(machine, p);
        if (times == 0)
            continue;
        add(list, code->points[p].instruction->mnemonic, times);
        *all += times;
    }
    g_array_sort(list, by_times);
    return list;
}

char *ps_build_skipped(const PsSamples *samples)
{
    guint64 all = 0, executed = 0;
    g_autoptr(GArray) list = find(samples->machine, &all);
    ps_ptx_machine_counts(samples->machine, &executed, NULL);
    if (all == 0)
        return NULL;
    GString *text = g_string_new("without what ");
    for (guint i = 0; i < MIN(list->len, MOST_NAMES); i++)
        g_string_append_printf(text, "%s%s", i ? ", " : "",
                               g_array_index(list, Skipped, i).mnemonic->text);
    if (list->len > MOST_NAMES)
        g_string_append_printf(text, " and %u others", list->len - MOST_NAMES);
    g_string_append_printf(text, " %s: %.2g %% of the instructions that warps executed",
                           list->len > 1 ? "do" : "does", 100.0 * (double)all / (double)executed);
    return g_string_free(text, FALSE);
}
