/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The library that `pipesim profile` has CUDA load into the profiled program: the driver opens what
 * CUDA_INJECTION64_PATH names when it starts, and calls InitializeInjection. Outside of `pipesim
 * profile` it does nothing.
 */
#include "latency-bench/profile/phases.h"
#include "latency-bench/profile/record.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static struct {
    Cupti cupti;
    int file;
    pid_t process;
    void (*end)(void);
} injection = {.file = -1};

/* Also called at the end of a child that was forked and not executed; CUDA does not work in it. */
static void at_exit(void)
{
    if (getpid() != injection.process)
        return;
    injection.end();
    ps_record_line(injection.file, "done");
}

static void begin(const char *phase)
{
    char why[1024];
    if (ps_cupti_open(&injection.cupti, why, sizeof why) != 0) {
        char text[sizeof why];
        ps_record_line(injection.file, "failed\tcupti\t%s",
                       ps_record_clean(why, text, sizeof text));
        return;
    }
    const char *metrics = getenv(PS_PROFILE_METRICS);
    if (strcmp(phase, "times") == 0) {
        injection.end = ps_times_end;
        ps_times_begin(&injection.cupti, injection.file);
    } else if (strcmp(phase, "contents") == 0) {
        const char *wanted = getenv(PS_PROFILE_WANTED), *bytes = getenv(PS_PROFILE_BYTES);
        injection.end = ps_contents_end;
        ps_contents_begin(&injection.cupti, injection.file, wanted ? wanted : "",
                          bytes ? strtoull(bytes, NULL, 10) : 0);
    } else {
        injection.end = ps_counters_end;
        ps_counters_begin(&injection.cupti, injection.file, metrics ? metrics : "");
    }
    atexit(at_exit);
}

/* The name is CUDA's. 1 is success; CUDA might report a failure to the program. */
__attribute__((visibility("default"))) int InitializeInjection(void);

int InitializeInjection(void)
{
    const char *folder = getenv(PS_PROFILE_FOLDER), *phase = getenv(PS_PROFILE_PHASE);
    if (!folder || !phase || injection.file >= 0)
        return 1;
    injection.process = getpid();
    injection.file = ps_record_open(folder, phase);
    if (injection.file >= 0)
        begin(phase);
    return 1;
}
