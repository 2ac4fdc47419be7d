/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CUPTI, opened at run time: nothing else here knows that it is a library. This code runs within
 * other people's programs. So it prints nothing, needs no library but libc, and goes on without
 * what it could not get.
 */
#ifndef PIPESIM_LATENCY_BENCH_PROFILE_CUPTI_H
#define PIPESIM_LATENCY_BENCH_PROFILE_CUPTI_H

#include "latency-bench/profile/cupti-api.h"

/* CUptiResult; 0 is success. */
typedef int32_t CuptiResult;

typedef struct {
    uint32_t version;
    CuptiResult (*result_string)(CuptiResult result, const char **text);

    CuptiResult (*register_callbacks)(CuptiWantBuffer want, CuptiTakeBuffer take);
    CuptiResult (*enable)(int32_t kind);
    CuptiResult (*next_record)(uint8_t *buffer, size_t valid, CuptiRecord **record);
    CuptiResult (*dropped)(void *context, uint32_t stream, size_t *n);
    CuptiResult (*flush_all)(uint32_t flags);

    CuptiResult (*subscribe)(void **subscriber, CuptiCallback callback, void *self);
    CuptiResult (*enable_callback)(uint32_t on, void *subscriber, int32_t domain, uint32_t id);
    CuptiResult (*device_of)(void *context, uint32_t *device);

    /* Range profiling, from CUDA 12.6 on; all NULL if the library lacks one of them. */
    CuptiResult (*initialize)(CuptiInitialize *call);
    CuptiResult (*chip_name)(CuptiChipName *call);
    CuptiResult (*availability)(CuptiAvailability *call);
    CuptiResult (*host_initialize)(CuptiHostInitialize *call);
    CuptiResult (*host_deinitialize)(CuptiHostDeinitialize *call);
    CuptiResult (*host_properties)(CuptiHostProperties *call);
    CuptiResult (*host_add_metrics)(CuptiHostAddMetrics *call);
    CuptiResult (*host_config_size)(CuptiHostConfigSize *call);
    CuptiResult (*host_config)(CuptiHostConfig *call);
    CuptiResult (*host_evaluate)(CuptiHostEvaluate *call);
    CuptiResult (*ranges_enable)(CuptiRangesEnable *call);
    CuptiResult (*ranges_disable)(CuptiRangesCall *call);
    CuptiResult (*ranges_start)(CuptiRangesCall *call);
    CuptiResult (*ranges_stop)(CuptiRangesStop *call);
    CuptiResult (*ranges_decode)(CuptiRangesDecode *call);
    CuptiResult (*ranges_data_size)(CuptiRangesDataSize *call);
    CuptiResult (*ranges_data_init)(CuptiRangesDataInit *call);
    CuptiResult (*ranges_config)(CuptiRangesConfig *call);
    CuptiResult (*ranges_info)(CuptiRangesInfo *call);
} Cupti;

/* Opens the library: $PIPESIM_CUPTI, or the names that CUDA's versions give it. 0, or -1 and a
 * sentence in why, of size bytes. */
int ps_cupti_open(Cupti *cupti, char *why, size_t size);

/* Whether it has the functions of range profiling. */
int ps_cupti_has_ranges(const Cupti *cupti);

/* The library's own word for a result. */
const char *ps_cupti_text(const Cupti *cupti, CuptiResult result);

#endif
