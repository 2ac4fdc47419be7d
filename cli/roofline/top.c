/* SPDX-License-Identifier: BSD-3-Clause */
/* See top.h. */
#include "cli/roofline/top.h"

void top_init(Top *top, guint most)
{
    *top = (Top){.most = most, .kept = g_ptr_array_new_with_free_func(ps_roofline_kernel_unref)};
}

void top_clear(Top *top)
{
    g_ptr_array_unref(top->kept);
}

static double seconds_of(const PsRooflineKernel *kernel)
{
    const double measured = kernel->kernel->seconds;
    const double predicted = ps_roofline_result(kernel, 0)->prediction.seconds;
    return measured > 0 ? measured : predicted > 0 ? predicted : 0;
}

/* The kernel's place in the order, found by halves: behind all that take as long. */
static guint place_of(const Top *top, double seconds)
{
    guint low = 0, high = top->kept->len;
    while (low < high) {
        const guint middle = low + (high - low) / 2;
        if (seconds_of(top->kept->pdata[middle]) >= seconds)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void top_add(Top *top, PsRooflineKernel *kernel)
{
    const guint place = place_of(top, seconds_of(kernel));
    const gboolean is_full = top->kept->len == top->most;
    top->others += is_full;
    if (place == top->most)
        return;
    if (is_full)
        g_ptr_array_remove_index(top->kept, top->most - 1);
    g_ptr_array_insert(top->kept, (int)place, ps_roofline_kernel_ref(kernel));
}
