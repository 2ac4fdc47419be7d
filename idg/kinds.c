/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the program of a warp, and the kind of a group. See program.h. */
#include "idg/program.h"

/* Searches by halves: the ranges are sorted and apart. The rest, if any, stands last. */
int ps_kernel_program_of(const PsKernel *kernel, guint kind, gint64 warp)
{
    const PsKernelKind *of = &kernel->kinds[kind];
    guint low = 0, high = of->n_warps;
    int rest = -1;
    if (high > 0 && of->warps[high - 1].last == G_MAXINT64)
        rest = (int)of->warps[--high].program;
    while (low < high) {
        const guint middle = low + (high - low) / 2;
        const PsKernelWarps *range = &of->warps[middle];
        if (range->first <= warp && warp <= range->last)
            return (int)range->program;
        if (range->first > warp)
            high = middle;
        else
            low = middle + 1;
    }
    return warp >= 0 ? rest : -1;
}

double ps_kernel_mean_warps(const PsKernel *kernel, guint program, gint64 warps_per_group)
{
    const guint kind = kernel->programs[program].kind;
    gint64 n = 0;
    for (gint64 w = 0; w < warps_per_group; w++)
        n += ps_kernel_program_of(kernel, kind, w) == (int)program;
    return (double)(n * kernel->kinds[kind].share) / (double)kernel->parts;
}

double ps_kernel_group_length(const PsKernel *kernel, guint kind, gint64 warps_per_group)
{
    double length = 0;
    for (gint64 w = 0; w < warps_per_group; w++) {
        const int program = ps_kernel_program_of(kernel, kind, w);
        length += program >= 0 ? (double)kernel->programs[program].length : 0;
    }
    return length;
}

/* A kind's share of n groups, out of `parts` parts, rounded up. All numbers are below 2^31. */
static gint64 share_of(gint64 share, gint64 n, gint64 parts)
{
    return (share * n + parts - 1) / parts;
}

guint ps_kernel_kind_of(const PsKernel *kernel, gint64 nth)
{
    gint64 n = nth % kernel->parts, parts = kernel->parts;
    guint kind = 0;
    while (kernel->kinds[kind].share < parts) {
        const gint64 share = kernel->kinds[kind].share, before = share_of(share, n, parts);
        if (share_of(share, n + 1, parts) > before)
            return kind;
        n -= before;
        parts -= share;
        kind++;
    }
    return kind;
}

gint64 ps_kernel_groups_of(const PsKernel *kernel, guint kind, gint64 n)
{
    gint64 rest = n % kernel->parts, parts = kernel->parts;
    for (guint k = 0; k < kind && parts > 0; k++) {
        rest -= share_of(kernel->kinds[k].share, rest, parts);
        parts -= kernel->kinds[k].share;
    }
    const gint64 share = kernel->kinds[kind].share;
    return n / kernel->parts * share + (parts > 0 ? share_of(share, rest, parts) : 0);
}
