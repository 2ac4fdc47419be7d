/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Keeps the memory that launches begin with. CUPTI calls back before each launch; those that are
 * wanted are taken then (taking.h). Launches are counted by the names of their kernels, so that
 * threads that take turns differently in each run have the same numbers. No lock is held while the
 * driver launches or loads: it may hold its own, and call back here from another thread.
 */
#include "latency-bench/profile/phases.h"
#include "latency-bench/profile/record.h"
#include "latency-bench/profile/taking.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A kernel, and the numbers of its launches that are wanted. */
typedef struct Kernel {
    char *name;
    uint32_t *wanted; /* in ascending order */
    size_t n_wanted;
    uint32_t launched;
    struct Kernel *next;
} Kernel;

static struct {
    const Cupti *cupti;
    int file;
    Parts *parts;
    Driver driver;
    Kernel *kernels;
    int capturing; /* number of captures of streams into graphs at present */
    int ended;
} contents;

/* The image that this thread is loading; 0: none. */
static _Thread_local unsigned loading;

/* `lock` is for counting, `taking` for a launch that is being taken; the second one is held while
 * the driver is called. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, taking = PTHREAD_MUTEX_INITIALIZER;

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- what is wanted ------------------------------------------------------------------------ */

/* The kernel's entry; NULL: none of its launches is wanted. */
static Kernel *kernel_of(const char *name)
{
    Kernel *kernel = contents.kernels;
    while (kernel && strcmp(kernel->name, name) != 0)
        kernel = kernel->next;
    return kernel;
}

static void want(const char *name, uint32_t n)
{
    Kernel *kernel = kernel_of(name);
    if (!kernel) {
        kernel = calloc(1, sizeof *kernel);
        char *copy = kernel ? strdup(name) : NULL;
        if (!copy) {
            free(kernel);
            return;
        }
        *kernel = (Kernel){.name = copy, .next = contents.kernels};
        contents.kernels = kernel;
    }
    uint32_t *more = realloc(kernel->wanted, (kernel->n_wanted + 1) * sizeof *more);
    if (!more)
        return;
    kernel->wanted = more;
    kernel->wanted[kernel->n_wanted++] = n;
}

static int by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void read_wanted(const char *path)
{
    FILE *file = fopen(path, "re");
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    while (file && (length = getline(&line, &size, file)) > 0) {
        char *name = strchr(line, ' ');
        if (line[length - 1] == '\n')
            line[length - 1] = '\0';
        if (name)
            want(name + 1, (uint32_t)strtoul(line, NULL, 10));
    }
    free(line);
    if (file)
        fclose(file);
    for (Kernel *kernel = contents.kernels; kernel; kernel = kernel->next)
        qsort(kernel->wanted, kernel->n_wanted, sizeof *kernel->wanted, by_number);
}

/* ---- launches ------------------------------------------------------------------------------ */

static void take_ex(TakenCall *taken, const DriverLaunchEx *launch)
{
    const DriverConfig *config = launch->config;
    taken->launch = (DriverLaunch){.function = launch->function,
                                   .shared = config->shared,
                                   .stream = config->stream,
                                   .values = launch->values,
                                   .extra = launch->extra};
    memcpy(taken->launch.grid, config->grid, sizeof config->grid);
    memcpy(taken->launch.block, config->block, sizeof config->block);
    for (uint32_t i = 0; i < config->n_attributes && config->attributes; i++) {
        const DriverAttribute *attribute = config->attributes + i;
        if (attribute->id == DRIVER_COOPERATIVE)
            taken->cooperative = attribute->value.cooperative != 0;
        else if (attribute->id == DRIVER_CLUSTER)
            memcpy(taken->cluster, attribute->value.cluster, sizeof taken->cluster);
    }
}

static TakenCall taken_of(const CuptiCall *call, uint32_t id)
{
    TakenCall taken = {.call = call->correlation, .kernel = call->symbol};
    const int is_ex = id == CUPTI_LAUNCH_KERNEL_EX || id == CUPTI_LAUNCH_KERNEL_EX_PTSZ;
    taken.cooperative = id == CUPTI_LAUNCH_COOPERATIVE || id == CUPTI_LAUNCH_COOPERATIVE_PTSZ;
    if (is_ex)
        take_ex(&taken, call->parameters);
    else if (taken.cooperative)
        memcpy(&taken.launch, call->parameters, offsetof(DriverLaunch, extra));
    else
        memcpy(&taken.launch, call->parameters, sizeof taken.launch);
    return taken;
}

/* Counts a launch. 0: it is not wanted. */
static uint32_t count(const char *name)
{
    uint32_t nth = 0;
    pthread_mutex_lock(&lock);
    Kernel *kernel = contents.ended || !name ? NULL : kernel_of(name);
    if (kernel)
        nth = ++kernel->launched;
    if (kernel && !bsearch(&nth, kernel->wanted, kernel->n_wanted, sizeof nth, by_number))
        nth = 0;
    pthread_mutex_unlock(&lock);
    return nth;
}

/* Takes back the count of a launch that the driver refused. */
static void uncount(const CuptiCall *call)
{
    pthread_mutex_lock(&lock);
    Kernel *kernel = contents.ended || !call->symbol ? NULL : kernel_of(call->symbol);
    if (kernel)
        kernel->launched--;
    pthread_mutex_unlock(&lock);
    if (kernel)
        ps_parts_put(contents.parts, NULL, 0, "undone\t%" PRIu32, call->correlation);
}

/* The kernel's code, which may be loaded only now. */
static const Code *code_of(const CuptiCall *call, const TakenCall *taken, const char **why)
{
    const Code *code = ps_modules_find(call->context, call->symbol, why);
    void *function;
    if (!code && contents.driver.kernel_function(&function, taken->launch.function) == 0)
        code = ps_modules_find(call->context, call->symbol, why);
    return code;
}

static int is_capturing(void)
{
    pthread_mutex_lock(&lock);
    const int capturing = contents.capturing;
    pthread_mutex_unlock(&lock);
    return capturing;
}

/* Takes a launch. While a stream is captured, waiting would end the capture. */
static int take(const CuptiCall *call, TakenCall *taken, const char **why)
{
    *why = "a stream was being captured for a CUDA graph then";
    if (is_capturing())
        return -1;
    const Code *code = code_of(call, taken, why);
    return code ? ps_taking_take(&contents.driver, contents.parts, code, taken, why) : -1;
}

/* TRUE for a captured stream: a graph launches its work later. */
static int is_captured(const TakenCall *taken)
{
    int32_t status = 0;
    return is_capturing() &&
           (contents.driver.stream_capturing(taken->launch.stream, &status) != 0 || status != 0);
}

/* Tells once how large the device is: less than its name says where a part of it is lent. `taking`
 * is held. */
static void tell_device(uint32_t device)
{
    static uint64_t told;
    int32_t units;
    if (device >= 64 || told >> device & 1 ||
        contents.driver.device_attribute(&units, DRIVER_COMPUTE_UNITS, (int32_t)device) != 0)
        return;
    told |= UINT64_C(1) << device;
    ps_parts_put(contents.parts, NULL, 0, "units\t%" PRIu32 "\t%" PRId32, device, units);
}

static void before(const CuptiCall *call, uint32_t id)
{
    TakenCall taken = taken_of(call, id);
    const char *why = NULL;
    if (is_captured(&taken) || !(taken.nth = count(call->symbol)))
        return;
    contents.cupti->device_of(call->context, &taken.device);
    pthread_mutex_lock(&taking);
    tell_device(taken.device);
    if (take(call, &taken, &why) != 0)
        ps_parts_put(contents.parts, NULL, 0, "left\t%" PRIu32 "\t%" PRIu32 "\t%s\t%s", taken.call,
                     taken.nth, why, taken.kernel);
    pthread_mutex_unlock(&taking);
}

static void after(const CuptiCall *call, uint32_t id)
{
    const TakenCall taken = taken_of(call, id);
    const int *result = call->result;
    if (result && *result != 0 && !is_captured(&taken))
        uncount(call);
}

/* ---- callbacks ----------------------------------------------------------------------------- */

static const int launches[] = {CUPTI_LAUNCH_KERNEL,      CUPTI_LAUNCH_KERNEL_PTSZ,
                               CUPTI_LAUNCH_COOPERATIVE, CUPTI_LAUNCH_COOPERATIVE_PTSZ,
                               CUPTI_LAUNCH_KERNEL_EX,   CUPTI_LAUNCH_KERNEL_EX_PTSZ};
static const int loads[] = {CUPTI_MODULE_LOAD_DATA, CUPTI_MODULE_LOAD_DATA_EX,
                            CUPTI_MODULE_LOAD_FAT_BINARY, CUPTI_LIBRARY_LOAD_DATA};
static const int captures[] = {CUPTI_BEGIN_CAPTURE,          CUPTI_BEGIN_CAPTURE_PTSZ,
                               CUPTI_BEGIN_CAPTURE_2,        CUPTI_BEGIN_CAPTURE_2_PTSZ,
                               CUPTI_BEGIN_CAPTURE_TO_GRAPH, CUPTI_BEGIN_CAPTURE_TO_GRAPH_PTSZ};
static const int captured[] = {CUPTI_END_CAPTURE, CUPTI_END_CAPTURE_PTSZ};

static int is_one_of(uint32_t id, const int *ids, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (ids[i] == (int)id)
            return 1;
    return 0;
}

static void add_capturing(int more)
{
    pthread_mutex_lock(&lock);
    contents.capturing += contents.capturing + more < 0 ? 0 : more;
    pthread_mutex_unlock(&lock);
}

/* a capture counts from before the call that begins it, so that no thread waits meanwhile */
static void on_driver(const CuptiCall *call, uint32_t id)
{
    const int *result = call->result;
    const int enters = call->site == CUPTI_ENTER, failed = !enters && result && *result != 0;
    if (is_one_of(id, launches, COUNT(launches)))
        (enters ? before : after)(call, id);
    else if (is_one_of(id, captures, COUNT(captures)) && (enters || failed))
        add_capturing(enters ? 1 : -1);
    else if (is_one_of(id, captured, COUNT(captured)) && !enters)
        add_capturing(-1);
    else if (is_one_of(id, loads, COUNT(loads)))
        loading =
            enters ? ps_modules_image(contents.parts, ((const DriverLoad *)call->parameters)->image)
                   : 0;
}

static void on_call(void *self, int32_t domain, uint32_t id, const void *data)
{
    (void)self;
    if (domain == CUPTI_DOMAIN_DRIVER)
        on_driver(data, id);
    if (domain != CUPTI_DOMAIN_RESOURCE)
        return;
    const CuptiResource *resource = data;
    const CuptiModule *module = resource->descriptor;
    if (id == CUPTI_MODULE_LOADED && module)
        ps_modules_add(contents.parts, resource->context, module->id, module->cubin, module->size,
                       loading);
    else if (id == CUPTI_MODULE_UNLOADING && module)
        ps_modules_remove(resource->context, module->id);
}

/* ---- beginning and end --------------------------------------------------------------------- */

static int check(const char *what, CuptiResult result)
{
    if (result == CUPTI_OK)
        return 0;
    ps_record_line(contents.file, "failed\tcupti\t%s: %s (%d)", what,
                   ps_cupti_text(contents.cupti, result), (int)result);
    return -1;
}

static void enable_all(void *subscriber, const int *ids, size_t n)
{
    /* a function that this driver does not have is never called */
    for (size_t i = 0; i < n; i++)
        contents.cupti->enable_callback(1, subscriber, CUPTI_DOMAIN_DRIVER, (uint32_t)ids[i]);
}

static void subscribe(void)
{
    const Cupti *cupti = contents.cupti;
    void *subscriber = NULL;
    if (check("cuptiSubscribe", cupti->subscribe(&subscriber, on_call, NULL)) != 0 ||
        check("cuptiEnableCallback", cupti->enable_callback(1, subscriber, CUPTI_DOMAIN_RESOURCE,
                                                            CUPTI_MODULE_LOADED)) != 0 ||
        check("cuptiEnableCallback", cupti->enable_callback(1, subscriber, CUPTI_DOMAIN_RESOURCE,
                                                            CUPTI_MODULE_UNLOADING)) != 0)
        return;
    enable_all(subscriber, launches, COUNT(launches));
    enable_all(subscriber, loads, COUNT(loads));
    enable_all(subscriber, captures, COUNT(captures));
    enable_all(subscriber, captured, COUNT(captured));
}

void ps_contents_begin(const Cupti *cupti, int file, const char *wanted, uint64_t bytes)
{
    const char *missing;
    contents.cupti = cupti;
    contents.file = file;
    contents.parts = ps_parts_new(file, bytes);
    if (ps_driver_open(&contents.driver, &missing) != 0)
        ps_record_line(file, "failed\tcupti\tthe driver%s%s: those of CUDA 12 and 13 are known",
                       missing ? " lacks " : " is not there", missing ? missing : "");
    if (!contents.parts || !contents.driver.device_attribute)
        return;
    read_wanted(wanted);
    ps_modules_programs(contents.parts);
    subscribe();
}

void ps_contents_end(void)
{
    pthread_mutex_lock(&taking);
    pthread_mutex_lock(&lock);
    contents.ended = 1;
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&taking);
    if (contents.parts)
        ps_modules_programs(contents.parts); /* programs that were loaded meanwhile, too */
}
