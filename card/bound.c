/* SPDX-License-Identifier: BSD-3-Clause */
/* See bound.h. */
#include "card/bound.h"

#include "roofline/params.h"
#include "roofline/terms.h"

#include <math.h>

static const PsRational usual = {0, 1};

static double product_rate(const PsGpu *gpu, const PsCardStandIn *what)
{
    PsMetrics metrics;
    PsPeaks peaks;
    peaks.value[PS_T_TENSOR] = NAN;
    if (what->products == PS_N_PRODUCTS)
        return NAN;
    ps_metrics_init(&metrics);
    metrics.products[what->products] = metrics.value[PS_M_OPS_TENSOR] = what->operations;
    ps_products_limit(gpu, usual, &metrics, &peaks);
    return peaks.value[PS_T_TENSOR];
}

double ps_card_bound(const PsGpu *gpu, const PsCardStandIn *what)
{
    const PsParams traffic = {.W_traf = what->read + what->written, .stored = what->written};
    PsPeaks peaks;
    ps_peaks_limits(gpu, usual, NULL, &peaks);
    const double rate = fmax(peaks.value[what->units], product_rate(gpu, what));
    const double moved = ps_traffic_least(&traffic, gpu);
    const double computing = what->operations > 0 ? what->operations / rate : 0,
                 moving = moved > 0 ? moved / peaks.value[PS_B_MEM] : 0;
    return isnan(computing + moving) ? NAN : fmax(computing, moving);
}
