/* SPDX-License-Identifier: BSD-3-Clause */
/* See cupti.h. */
#include "latency-bench/profile/cupti.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Results of cuptiGetVersion: numbers counted up to CUDA 12, then 10000 * major + 100 * minor +
 * update. */
enum { FIRST_OF_CUDA_12 = 19, FIRST_OF_CUDA_13 = 130000, FIRST_OF_CUDA_14 = 140000 };

typedef struct {
    const char *name;
    size_t offset; /* offset of the pointer in Cupti */
} Function;

#define FUNCTION(name, member)                                                                     \
    {                                                                                              \
        "cupti" name, offsetof(Cupti, member)                                                      \
    }

static const Function basic[] = {
    FUNCTION("GetResultString", result_string),
    FUNCTION("ActivityRegisterCallbacks", register_callbacks),
    FUNCTION("ActivityEnable", enable),
    FUNCTION("ActivityGetNextRecord", next_record),
    FUNCTION("ActivityGetNumDroppedRecords", dropped),
    FUNCTION("ActivityFlushAll", flush_all),
    FUNCTION("Subscribe", subscribe),
    FUNCTION("EnableCallback", enable_callback),
    FUNCTION("GetDeviceId", device_of),
};

static const Function ranges[] = {
    FUNCTION("ProfilerInitialize", initialize),
    FUNCTION("DeviceGetChipName", chip_name),
    FUNCTION("ProfilerGetCounterAvailability", availability),
    FUNCTION("ProfilerHostInitialize", host_initialize),
    FUNCTION("ProfilerHostDeinitialize", host_deinitialize),
    FUNCTION("ProfilerHostGetMetricProperties", host_properties),
    FUNCTION("ProfilerHostConfigAddMetrics", host_add_metrics),
    FUNCTION("ProfilerHostGetConfigImageSize", host_config_size),
    FUNCTION("ProfilerHostGetConfigImage", host_config),
    FUNCTION("ProfilerHostEvaluateToGpuValues", host_evaluate),
    FUNCTION("RangeProfilerEnable", ranges_enable),
    FUNCTION("RangeProfilerDisable", ranges_disable),
    FUNCTION("RangeProfilerStart", ranges_start),
    FUNCTION("RangeProfilerStop", ranges_stop),
    FUNCTION("RangeProfilerDecodeData", ranges_decode),
    FUNCTION("RangeProfilerGetCounterDataSize", ranges_data_size),
    FUNCTION("RangeProfilerCounterDataImageInitialize", ranges_data_init),
    FUNCTION("RangeProfilerSetConfig", ranges_config),
    FUNCTION("RangeProfilerGetCounterDataInfo", ranges_info),
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Finds the functions; pointers are copied as POSIX says. Returns the name of the first that is
 * missing, else NULL. */
static const char *find(void *library, Cupti *cupti, const Function *functions, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        void *symbol = dlsym(library, functions[i].name);
        if (!symbol)
            return functions[i].name;
        memcpy((char *)cupti + functions[i].offset, &symbol, sizeof symbol);
    }
    return NULL;
}

/* Opens the library by the name in CUDA 12 or 13, or in the folder of a toolkit without an entry in
 * the linker's cache. */
static void *open_library(char *why, size_t size)
{
    static const char *const names[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so",
                                        "/usr/local/cuda/lib64/libcupti.so",
                                        "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so"};
    const char *own = getenv("PIPESIM_CUPTI");
    if (own && *own) {
        void *library = dlopen(own, RTLD_NOW | RTLD_LOCAL);
        if (!library)
            snprintf(why, size, "CUPTI cannot be opened: %s", dlerror());
        return library;
    }
    for (size_t i = 0; i < COUNT(names); i++) {
        void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        if (library)
            return library;
    }
    snprintf(why, size,
             "CUPTI is not found (libcupti.so.13, libcupti.so.12): it comes with the CUDA toolkit; "
             "name its folder in LD_LIBRARY_PATH, or the library in PIPESIM_CUPTI");
    return NULL;
}

static int check_version(void *library, Cupti *cupti, char *why, size_t size)
{
    CuptiResult (*get_version)(uint32_t * version);
    void *symbol = dlsym(library, "cuptiGetVersion");
    memcpy(&get_version, &symbol, sizeof symbol);
    if (!get_version || get_version(&cupti->version) != CUPTI_OK) {
        snprintf(why, size, "CUPTI does not tell its version");
        return -1;
    }
    if (cupti->version >= FIRST_OF_CUDA_12 && cupti->version < FIRST_OF_CUDA_14)
        return 0;
    snprintf(why, size,
             "CUPTI's version %u is too %s: those of CUDA 12 and 13 (from %d to %d) are known",
             (unsigned)cupti->version, cupti->version < FIRST_OF_CUDA_12 ? "old" : "new",
             FIRST_OF_CUDA_12, FIRST_OF_CUDA_14 - 1);
    return -1;
}

int ps_cupti_open(Cupti *cupti, char *why, size_t size)
{
    memset(cupti, 0, sizeof *cupti);
    void *library = open_library(why, size);
    if (!library || check_version(library, cupti, why, size) != 0)
        return -1;
    const char *missing = find(library, cupti, basic, COUNT(basic));
    if (missing) {
        snprintf(why, size, "CUPTI's library lacks the function %s", missing);
        return -1;
    }
    /* if the last function was found, all were */
    find(library, cupti, ranges, COUNT(ranges));
    return 0;
}

int ps_cupti_has_ranges(const Cupti *cupti)
{
    return cupti->ranges_info != NULL;
}

const char *ps_cupti_text(const Cupti *cupti, CuptiResult result)
{
    const char *text = NULL;
    return cupti->result_string(result, &text) == CUPTI_OK && text ? text : "an unknown error";
}
