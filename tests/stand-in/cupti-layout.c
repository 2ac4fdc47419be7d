/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Our declarations of CUPTI's interface held against CUPTI's headers, at compile time, where these
 * are. cupti_profiler_host.h is C++ for one header that it does not need: an empty file `string` in
 * the path makes it C (tests/profile.t).
 */
#if __has_include(<cupti.h>) && __has_include(<cupti_range_profiler.h>) && __has_include(<string>)
#include "latency-bench/profile/cupti-api.h"

#include <cupti.h>
#include <cupti_profiler_host.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>

#define VALUE(ours, theirs) _Static_assert((int)(ours) == (int)(theirs), #theirs)
#define FIELD(ours, our_field, theirs, field)                                                      \
    _Static_assert(offsetof(ours, our_field) == offsetof(theirs, field) &&                         \
                       sizeof(((ours *)0)->our_field) == sizeof(((theirs *)0)->field),             \
                   #theirs "." #field)
/* What CUPTI is told as the size of a struct. */
#define SIZE(ours, last, theirs)                                                                   \
    _Static_assert(CUPTI_SIZE(ours, last) == theirs##_STRUCT_SIZE, #theirs)

VALUE(CUPTI_OK, CUPTI_SUCCESS);
VALUE(CUPTI_BAD_METRIC, CUPTI_ERROR_INVALID_METRIC_NAME);
VALUE(CUPTI_NO_PRIVILEGES, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES);
VALUE(CUPTI_KIND_KERNEL, CUPTI_ACTIVITY_KIND_KERNEL);
VALUE(CUPTI_KIND_DEVICE, CUPTI_ACTIVITY_KIND_DEVICE);
VALUE(CUPTI_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
VALUE(CUPTI_DOMAIN_DRIVER, CUPTI_CB_DOMAIN_DRIVER_API);
VALUE(CUPTI_DOMAIN_RESOURCE, CUPTI_CB_DOMAIN_RESOURCE);
VALUE(CUPTI_ENTER, CUPTI_API_ENTER);
VALUE(CUPTI_EXIT, CUPTI_API_EXIT);
VALUE(CUPTI_CONTEXT_DESTROY_STARTING, CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING);
VALUE(CUPTI_LAUNCH_KERNEL, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel);
VALUE(CUPTI_LAUNCH_KERNEL_PTSZ, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz);
VALUE(CUPTI_LAUNCH_COOPERATIVE, CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel);
VALUE(CUPTI_LAUNCH_COOPERATIVE_PTSZ, CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz);
VALUE(CUPTI_GRAPH_LAUNCH, CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch);
VALUE(CUPTI_GRAPH_LAUNCH_PTSZ, CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz);
VALUE(CUPTI_LAUNCH_KERNEL_EX, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx);
VALUE(CUPTI_LAUNCH_KERNEL_EX_PTSZ, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz);
VALUE(CUPTI_RANGE_PROFILER, CUPTI_PROFILER_TYPE_RANGE_PROFILER);
VALUE(CUPTI_AUTO_RANGE, CUPTI_AutoRange);
VALUE(CUPTI_KERNEL_REPLAY, CUPTI_KernelReplay);

#define KERNEL(theirs)                                                                             \
    FIELD(CuptiKernel, kind, theirs, kind);                                                        \
    FIELD(CuptiKernel, registers, theirs, registersPerThread);                                     \
    FIELD(CuptiKernel, start, theirs, start);                                                      \
    FIELD(CuptiKernel, end, theirs, end);                                                          \
    FIELD(CuptiKernel, device, theirs, deviceId);                                                  \
    FIELD(CuptiKernel, context, theirs, contextId);                                                \
    FIELD(CuptiKernel, stream, theirs, streamId);                                                  \
    FIELD(CuptiKernel, grid[0], theirs, gridX);                                                    \
    FIELD(CuptiKernel, grid[2], theirs, gridZ);                                                    \
    FIELD(CuptiKernel, block[0], theirs, blockX);                                                  \
    FIELD(CuptiKernel, block[2], theirs, blockZ);                                                  \
    FIELD(CuptiKernel, static_memory, theirs, staticSharedMemory);                                 \
    FIELD(CuptiKernel, dynamic_memory, theirs, dynamicSharedMemory);                               \
    FIELD(CuptiKernel, correlation, theirs, correlationId);                                        \
    FIELD(CuptiKernel, name, theirs, name);                                                        \
    FIELD(CuptiKernel, graph_node, theirs, graphNodeId)

KERNEL(CUpti_ActivityKernel8);
KERNEL(CUpti_ActivityKernel9);
#if CUPTI_API_VERSION >= 130000
KERNEL(CUpti_ActivityKernel10);
#endif

#define DEVICE(theirs)                                                                             \
    FIELD(CuptiDevice, kind, theirs, kind);                                                        \
    FIELD(CuptiDevice, major, theirs, computeCapabilityMajor);                                     \
    FIELD(CuptiDevice, minor, theirs, computeCapabilityMinor);                                     \
    FIELD(CuptiDevice, id, theirs, id);                                                            \
    FIELD(CuptiDevice, name, theirs, name)

DEVICE(CUpti_ActivityDevice4);
DEVICE(CUpti_ActivityDevice5);

FIELD(CuptiCall, site, CUpti_CallbackData, callbackSite);
FIELD(CuptiCall, result, CUpti_CallbackData, functionReturnValue);
FIELD(CuptiCall, symbol, CUpti_CallbackData, symbolName);
FIELD(CuptiCall, context, CUpti_CallbackData, context);
FIELD(CuptiCall, correlation, CUpti_CallbackData, correlationId);
FIELD(CuptiResource, context, CUpti_ResourceData, context);

SIZE(CuptiInitialize, priv, CUpti_Profiler_Initialize_Params);
SIZE(CuptiChipName, name, CUpti_Device_GetChipName_Params);
FIELD(CuptiChipName, device, CUpti_Device_GetChipName_Params, deviceIndex);
SIZE(CuptiAvailability, image, CUpti_Profiler_GetCounterAvailability_Params);
FIELD(CuptiAvailability, image_size, CUpti_Profiler_GetCounterAvailability_Params,
      counterAvailabilityImageSize);
SIZE(CuptiHostInitialize, host, CUpti_Profiler_Host_Initialize_Params);
FIELD(CuptiHostInitialize, type, CUpti_Profiler_Host_Initialize_Params, profilerType);
FIELD(CuptiHostInitialize, chip, CUpti_Profiler_Host_Initialize_Params, pChipName);
FIELD(CuptiHostInitialize, availability, CUpti_Profiler_Host_Initialize_Params,
      pCounterAvailabilityImage);
SIZE(CuptiHostDeinitialize, host, CUpti_Profiler_Host_Deinitialize_Params);
SIZE(CuptiHostProperties, type, CUpti_Profiler_Host_GetMetricProperties_Params);
FIELD(CuptiHostProperties, host, CUpti_Profiler_Host_GetMetricProperties_Params, pHostObject);
FIELD(CuptiHostProperties, metric, CUpti_Profiler_Host_GetMetricProperties_Params, pMetricName);
SIZE(CuptiHostAddMetrics, n_metrics, CUpti_Profiler_Host_ConfigAddMetrics_Params);
FIELD(CuptiHostAddMetrics, host, CUpti_Profiler_Host_ConfigAddMetrics_Params, pHostObject);
FIELD(CuptiHostAddMetrics, metrics, CUpti_Profiler_Host_ConfigAddMetrics_Params, ppMetricNames);
SIZE(CuptiHostConfigSize, image_size, CUpti_Profiler_Host_GetConfigImageSize_Params);
FIELD(CuptiHostConfigSize, host, CUpti_Profiler_Host_GetConfigImageSize_Params, pHostObject);
SIZE(CuptiHostConfig, image, CUpti_Profiler_Host_GetConfigImage_Params);
FIELD(CuptiHostConfig, image_size, CUpti_Profiler_Host_GetConfigImage_Params, configImageSize);
SIZE(CuptiHostEvaluate, values, CUpti_Profiler_Host_EvaluateToGpuValues_Params);
FIELD(CuptiHostEvaluate, host, CUpti_Profiler_Host_EvaluateToGpuValues_Params, pHostObject);
FIELD(CuptiHostEvaluate, image, CUpti_Profiler_Host_EvaluateToGpuValues_Params, pCounterDataImage);
FIELD(CuptiHostEvaluate, range, CUpti_Profiler_Host_EvaluateToGpuValues_Params, rangeIndex);
FIELD(CuptiHostEvaluate, metrics, CUpti_Profiler_Host_EvaluateToGpuValues_Params, ppMetricNames);
SIZE(CuptiRangesEnable, ranges, CUpti_RangeProfiler_Enable_Params);
FIELD(CuptiRangesEnable, context, CUpti_RangeProfiler_Enable_Params, ctx);
SIZE(CuptiRangesCall, ranges, CUpti_RangeProfiler_Disable_Params);
SIZE(CuptiRangesCall, ranges, CUpti_RangeProfiler_Start_Params);
SIZE(CuptiRangesStop, all_submitted, CUpti_RangeProfiler_Stop_Params);
FIELD(CuptiRangesStop, ranges, CUpti_RangeProfiler_Stop_Params, pRangeProfilerObject);
SIZE(CuptiRangesDecode, dropped, CUpti_RangeProfiler_DecodeData_Params);
SIZE(CuptiRangesDataSize, image_size, CUpti_RangeProfiler_GetCounterDataSize_Params);
FIELD(CuptiRangesDataSize, metrics, CUpti_RangeProfiler_GetCounterDataSize_Params, pMetricNames);
FIELD(CuptiRangesDataSize, max_ranges, CUpti_RangeProfiler_GetCounterDataSize_Params,
      maxNumOfRanges);
FIELD(CuptiRangesDataSize, max_nodes, CUpti_RangeProfiler_GetCounterDataSize_Params,
      maxNumRangeTreeNodes);
SIZE(CuptiRangesDataInit, image, CUpti_RangeProfiler_CounterDataImage_Initialize_Params);
FIELD(CuptiRangesDataInit, image_size, CUpti_RangeProfiler_CounterDataImage_Initialize_Params,
      counterDataSize);
SIZE(CuptiRangesConfig, level, CUpti_RangeProfiler_SetConfig_Params);
FIELD(CuptiRangesConfig, config_size, CUpti_RangeProfiler_SetConfig_Params, configSize);
FIELD(CuptiRangesConfig, config, CUpti_RangeProfiler_SetConfig_Params, pConfig);
FIELD(CuptiRangesConfig, image_size, CUpti_RangeProfiler_SetConfig_Params, counterDataImageSize);
FIELD(CuptiRangesConfig, image, CUpti_RangeProfiler_SetConfig_Params, pCounterDataImage);
FIELD(CuptiRangesConfig, range, CUpti_RangeProfiler_SetConfig_Params, range);
FIELD(CuptiRangesConfig, replay, CUpti_RangeProfiler_SetConfig_Params, replayMode);
FIELD(CuptiRangesConfig, max_ranges, CUpti_RangeProfiler_SetConfig_Params, maxRangesPerPass);
FIELD(CuptiRangesConfig, n_levels, CUpti_RangeProfiler_SetConfig_Params, numNestingLevels);
FIELD(CuptiRangesConfig, min_level, CUpti_RangeProfiler_SetConfig_Params, minNestingLevel);
FIELD(CuptiRangesConfig, pass, CUpti_RangeProfiler_SetConfig_Params, passIndex);
SIZE(CuptiRangesInfo, n_ranges, CUpti_RangeProfiler_GetCounterDataInfo_Params);
FIELD(CuptiRangesInfo, image, CUpti_RangeProfiler_GetCounterDataInfo_Params, pCounterDataImage);
#endif

/* A file must hold something. */
extern int pipesim_layout_is_checked;
