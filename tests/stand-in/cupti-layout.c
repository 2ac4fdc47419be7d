/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Our declarations of CUPTI's interface, and of the driver's as far as CUPTI hands it on, held
 * against NVIDIA's headers, at compile time, where these are. cupti_profiler_host.h is C++ for one
 * header that it does not need: an empty file `string` in the path makes it C (tests/profile.t).
 */
#if __has_include(<cupti.h>) && __has_include(<cupti_range_profiler.h>) && __has_include(<string>)
#include "latency-bench/profile/cupti-api.h"
#include "latency-bench/profile/driver-api.h"

#include <cuda.h>
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
VALUE(CUPTI_MODULE_LOADED, CUPTI_CBID_RESOURCE_MODULE_LOADED);
VALUE(CUPTI_MODULE_UNLOADING, CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING);
VALUE(CUPTI_MODULE_LOAD_DATA, CUPTI_DRIVER_TRACE_CBID_cuModuleLoadData);
VALUE(CUPTI_MODULE_LOAD_DATA_EX, CUPTI_DRIVER_TRACE_CBID_cuModuleLoadDataEx);
VALUE(CUPTI_MODULE_LOAD_FAT_BINARY, CUPTI_DRIVER_TRACE_CBID_cuModuleLoadFatBinary);
VALUE(CUPTI_LIBRARY_LOAD_DATA, CUPTI_DRIVER_TRACE_CBID_cuLibraryLoadData);
VALUE(CUPTI_BEGIN_CAPTURE, CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture);
VALUE(CUPTI_BEGIN_CAPTURE_PTSZ, CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_ptsz);
VALUE(CUPTI_END_CAPTURE, CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture);
VALUE(CUPTI_END_CAPTURE_PTSZ, CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture_ptsz);
VALUE(CUPTI_BEGIN_CAPTURE_2, CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2);
VALUE(CUPTI_BEGIN_CAPTURE_2_PTSZ, CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2_ptsz);
VALUE(CUPTI_BEGIN_CAPTURE_TO_GRAPH, CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCaptureToGraph);
VALUE(CUPTI_BEGIN_CAPTURE_TO_GRAPH_PTSZ, CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCaptureToGraph_ptsz);
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
FIELD(CuptiCall, parameters, CUpti_CallbackData, functionParams);
FIELD(CuptiResource, context, CUpti_ResourceData, context);
FIELD(CuptiResource, descriptor, CUpti_ResourceData, resourceDescriptor);
FIELD(CuptiModule, id, CUpti_ModuleResourceData, moduleId);
FIELD(CuptiModule, size, CUpti_ModuleResourceData, cubinSize);
FIELD(CuptiModule, cubin, CUpti_ModuleResourceData, pCubin);

VALUE(DRIVER_COOPERATIVE, CU_LAUNCH_ATTRIBUTE_COOPERATIVE);
VALUE(DRIVER_CLUSTER, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
VALUE(DRIVER_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_MEMORY_TYPE);
VALUE(DRIVER_IS_MANAGED, CU_POINTER_ATTRIBUTE_IS_MANAGED);
VALUE(DRIVER_RANGE_START, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR);
VALUE(DRIVER_RANGE_SIZE, CU_POINTER_ATTRIBUTE_RANGE_SIZE);
VALUE(DRIVER_HOST, CU_MEMORYTYPE_HOST);
VALUE(DRIVER_NON_BLOCKING, CU_STREAM_NON_BLOCKING);
VALUE(DRIVER_COMPUTE_UNITS, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
VALUE((size_t)DRIVER_BUFFER, (size_t)CU_LAUNCH_PARAM_BUFFER_POINTER);
VALUE((size_t)DRIVER_BUFFER_SIZE, (size_t)CU_LAUNCH_PARAM_BUFFER_SIZE);

FIELD(DriverLaunch, function, cuLaunchKernel_params, f);
FIELD(DriverLaunch, grid[2], cuLaunchKernel_params, gridDimZ);
FIELD(DriverLaunch, block[2], cuLaunchKernel_params, blockDimZ);
FIELD(DriverLaunch, shared, cuLaunchKernel_params, sharedMemBytes);
FIELD(DriverLaunch, stream, cuLaunchKernel_params, hStream);
FIELD(DriverLaunch, values, cuLaunchKernel_params, kernelParams);
FIELD(DriverLaunch, extra, cuLaunchKernel_params, extra);
FIELD(DriverLaunch, shared, cuLaunchCooperativeKernel_params, sharedMemBytes);
FIELD(DriverLaunch, values, cuLaunchCooperativeKernel_params, kernelParams);
FIELD(DriverLaunchEx, config, cuLaunchKernelEx_params, config);
FIELD(DriverLaunchEx, function, cuLaunchKernelEx_params, f);
FIELD(DriverLaunchEx, values, cuLaunchKernelEx_params, kernelParams);
FIELD(DriverLaunchEx, extra, cuLaunchKernelEx_params, extra);
FIELD(DriverConfig, grid[2], CUlaunchConfig, gridDimZ);
FIELD(DriverConfig, block[2], CUlaunchConfig, blockDimZ);
FIELD(DriverConfig, shared, CUlaunchConfig, sharedMemBytes);
FIELD(DriverConfig, stream, CUlaunchConfig, hStream);
FIELD(DriverConfig, attributes, CUlaunchConfig, attrs);
FIELD(DriverConfig, n_attributes, CUlaunchConfig, numAttrs);
FIELD(DriverAttribute, id, CUlaunchAttribute, id);
FIELD(DriverAttribute, value, CUlaunchAttribute, value);
FIELD(DriverLoad, image, cuModuleLoadData_params, image);
FIELD(DriverLoad, image, cuModuleLoadDataEx_params, image);
FIELD(DriverLoad, image, cuModuleLoadFatBinary_params, fatCubin);
FIELD(DriverLoad, image, cuLibraryLoadData_params, code);

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
