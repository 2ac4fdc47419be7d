/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libcupti.so.13, see cupti.h. What it does wrong, the environment says:
 *
 *     STANDIN_VERSION=N    its version              STANDIN_FORBIDDEN=1   counters need privileges
 *     STANDIN_LACKS=TEXT   metrics with this text in their names do not exist
 *     STANDIN_MISCOUNT=1   a range is missing       STANDIN_DROPPED=1     records were dropped
 *     STANDIN_TWINS=1      both devices have one name
 *
 * A grid of 999 is a kernel that never gets its times, one of 998 never that of its begin.
 *
 * With NO_RANGES defined it has no range profiling.
 */
#include "latency-bench/profile/cupti-api.h"
#include "tests/stand-in/cupti.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define CALL __attribute__((visibility("default")))

enum { DEVICES = 2, RANGES = 64, DEFAULT_VERSION = 130001 };

static struct {
    CuptiWantBuffer want;
    CuptiTakeBuffer take;
    int kernels, devices_seen[DEVICES];
    uint8_t *buffer;
    size_t size, valid;
    uint32_t order;
    pthread_mutex_t lock;

    CuptiCallback callback;
    int on_driver[1000], on_resource[10];
} it = {.lock = PTHREAD_MUTEX_INITIALIZER};

static const char *const device_names[DEVICES] = {"Stand-in GPU 100", "Stand-in GPU 200"};

static int is_set(const char *name)
{
    const char *text = getenv(name);
    return text && *text;
}

CALL int32_t cuptiGetVersion(uint32_t *version);
CALL int32_t cuptiGetResultString(int32_t result, const char **text);

int32_t cuptiGetVersion(uint32_t *version)
{
    const char *text = getenv("STANDIN_VERSION");
    *version = text ? (uint32_t)strtoul(text, NULL, 10) : DEFAULT_VERSION;
    return CUPTI_OK;
}

int32_t cuptiGetResultString(int32_t result, const char **text)
{
    *text = result == CUPTI_NO_PRIVILEGES ? "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES"
            : result == CUPTI_BAD_METRIC  ? "CUPTI_ERROR_INVALID_METRIC_NAME"
                                          : "CUPTI_ERROR_UNKNOWN";
    return CUPTI_OK;
}

/* ---- activity ------------------------------------------------------------------------------ */

CALL int32_t cuptiActivityRegisterCallbacks(CuptiWantBuffer want, CuptiTakeBuffer take);
CALL int32_t cuptiActivityEnable(int32_t kind);
CALL int32_t cuptiActivityGetNextRecord(uint8_t *buffer, size_t valid, CuptiRecord **record);
CALL int32_t cuptiActivityGetNumDroppedRecords(void *context, uint32_t stream, size_t *n);
CALL int32_t cuptiActivityFlushAll(uint32_t flags);

int32_t cuptiActivityRegisterCallbacks(CuptiWantBuffer want, CuptiTakeBuffer take)
{
    it.want = want;
    it.take = take;
    return CUPTI_OK;
}

int32_t cuptiActivityEnable(int32_t kind)
{
    it.kernels |= kind == CUPTI_KIND_CONCURRENT_KERNEL;
    return CUPTI_OK;
}

/* With the lock held. */
static void hand_back(void)
{
    uint8_t *buffer = it.buffer;
    it.buffer = NULL;
    if (buffer)
        it.take(NULL, 0, buffer, it.size, it.valid);
}

/* Records lie in slots of one size. */
typedef union {
    CuptiKernel kernel;
    CuptiDevice device;
} Slot;

static void add(const Slot *slot)
{
    if (it.buffer && it.valid + sizeof *slot > it.size)
        hand_back();
    if (!it.buffer) {
        size_t most;
        it.want(&it.buffer, &it.size, &most);
        it.valid = 0;
    }
    memcpy(it.buffer + it.valid, slot, sizeof *slot);
    it.valid += sizeof *slot;
}

int32_t cuptiActivityGetNextRecord(uint8_t *buffer, size_t valid, CuptiRecord **record)
{
    uint8_t *next = *record ? (uint8_t *)*record + sizeof(Slot) : buffer;
    if (next + sizeof(Slot) > buffer + valid)
        return 12;
    *record = (void *)next;
    return CUPTI_OK;
}

int32_t cuptiActivityGetNumDroppedRecords(void *context, uint32_t stream, size_t *n)
{
    (void)context, (void)stream;
    *n = is_set("STANDIN_DROPPED") ? 3 : 0;
    return CUPTI_OK;
}

int32_t cuptiActivityFlushAll(uint32_t flags)
{
    if (flags > 1)
        return 1;
    pthread_mutex_lock(&it.lock);
    hand_back();
    pthread_mutex_unlock(&it.lock);
    return CUPTI_OK;
}

/* Names live as long as the program. */
typedef struct Name {
    struct Name *next;
    char text[500];
} Name;

static Name *names;

static const char *keep_name(const char *text)
{
    Name *name = names;
    while (name && strcmp(name->text, text) != 0)
        name = name->next;
    if (!name) {
        name = calloc(1, sizeof *name);
        if (!name)
            abort();
        strncpy(name->text, text, sizeof name->text - 1);
        name->next = names;
        names = name;
    }
    return name->text;
}

static void record_device(uint32_t device)
{
    Slot slot = {0};
    if (it.devices_seen[device])
        return;
    it.devices_seen[device] = 1;
    slot.device = (CuptiDevice){.kind = CUPTI_KIND_DEVICE,
                                .major = 9,
                                .id = device,
                                .name = device_names[is_set("STANDIN_TWINS") ? 0 : device]};
    add(&slot);
}

static void record(const StandInLaunch *launch)
{
    const uint32_t device = launch->device % DEVICES;
    Slot slot = {0};
    record_device(device);
    slot.kernel =
        (CuptiKernel){.kind = CUPTI_KIND_CONCURRENT_KERNEL,
                      .registers = 32,
                      .start = launch->grid == 998 ? 0 : 1000000000ULL + it.order * 1000000ULL,
                      .end = launch->grid == 999 ? 0
                                                 : 1000000000ULL + it.order * 1000000ULL +
                                                       (uint64_t)launch->grid * 1000,
                      .device = device,
                      .context = 1 + device,
                      .stream = 7,
                      .grid = {launch->grid, 1, 1},
                      .block = {64, 1, 1},
                      .dynamic_memory = 512,
                      .correlation = it.order,
                      .graph_node = (uint64_t)launch->is_graph,
                      .name = keep_name(launch->kernel)};
    add(&slot);
}

/* ---- callbacks ----------------------------------------------------------------------------- */

CALL int32_t cuptiSubscribe(void **subscriber, CuptiCallback callback, void *self);
CALL int32_t cuptiEnableCallback(uint32_t on, void *subscriber, int32_t domain, uint32_t id);
CALL int32_t cuptiGetDeviceId(void *context, uint32_t *device);

int32_t cuptiSubscribe(void **subscriber, CuptiCallback callback, void *self)
{
    (void)self;
    it.callback = callback;
    *subscriber = &it;
    return CUPTI_OK;
}

int32_t cuptiEnableCallback(uint32_t on, void *subscriber, int32_t domain, uint32_t id)
{
    (void)subscriber;
    if (domain == CUPTI_DOMAIN_DRIVER && id < sizeof it.on_driver / sizeof *it.on_driver)
        it.on_driver[id] = (int)on;
    if (domain == CUPTI_DOMAIN_RESOURCE && id < sizeof it.on_resource / sizeof *it.on_resource)
        it.on_resource[id] = (int)on;
    return CUPTI_OK;
}

/* A context of the stand-in driver begins with its device. */
int32_t cuptiGetDeviceId(void *context, uint32_t *device)
{
    memcpy(device, context, sizeof *device);
    return CUPTI_OK;
}

/* ---- range profiling ----------------------------------------------------------------------- */

/* The state of the context that is counted; and what an image of counters holds. */
typedef struct {
    uint32_t magic;
    size_t n;
    int32_t grids[RANGES];
} Counted;

enum { MAGIC = 0x70736931 };

struct CuptiRanges {
    void *context;
    Counted counted;
    uint8_t *image;
    int started;
    struct CuptiRanges *next;
};

struct CuptiHost {
    char chip[32];
};

static CuptiRanges *all_ranges;

static void count(const StandInLaunch *launch)
{
    for (CuptiRanges *ranges = all_ranges; ranges; ranges = ranges->next)
        if (ranges->started && ranges->context == launch->context && ranges->counted.n < RANGES)
            ranges->counted.grids[ranges->counted.n++] = launch->grid;
}

#ifndef NO_RANGES

/* Every struct of the interface begins with its size, which must be told. */
#define CHECK(call, last)                                                                          \
    do {                                                                                           \
        if ((call)->size != offsetof(__typeof__(*(call)), last) + sizeof(call)->last)              \
            return 1;                                                                              \
    } while (0)

CALL int32_t cuptiProfilerInitialize(CuptiInitialize *call);
CALL int32_t cuptiDeviceGetChipName(CuptiChipName *call);
CALL int32_t cuptiProfilerGetCounterAvailability(CuptiAvailability *call);
CALL int32_t cuptiProfilerHostInitialize(CuptiHostInitialize *call);
CALL int32_t cuptiProfilerHostDeinitialize(CuptiHostDeinitialize *call);
CALL int32_t cuptiProfilerHostGetMetricProperties(CuptiHostProperties *call);
CALL int32_t cuptiProfilerHostConfigAddMetrics(CuptiHostAddMetrics *call);
CALL int32_t cuptiProfilerHostGetConfigImageSize(CuptiHostConfigSize *call);
CALL int32_t cuptiProfilerHostGetConfigImage(CuptiHostConfig *call);
CALL int32_t cuptiProfilerHostEvaluateToGpuValues(CuptiHostEvaluate *call);
CALL int32_t cuptiRangeProfilerEnable(CuptiRangesEnable *call);
CALL int32_t cuptiRangeProfilerDisable(CuptiRangesCall *call);
CALL int32_t cuptiRangeProfilerStart(CuptiRangesCall *call);
CALL int32_t cuptiRangeProfilerStop(CuptiRangesStop *call);
CALL int32_t cuptiRangeProfilerDecodeData(CuptiRangesDecode *call);
CALL int32_t cuptiRangeProfilerGetCounterDataSize(CuptiRangesDataSize *call);
CALL int32_t cuptiRangeProfilerCounterDataImageInitialize(CuptiRangesDataInit *call);
CALL int32_t cuptiRangeProfilerSetConfig(CuptiRangesConfig *call);
CALL int32_t cuptiRangeProfilerGetCounterDataInfo(CuptiRangesInfo *call);

int32_t cuptiProfilerInitialize(CuptiInitialize *call)
{
    CHECK(call, priv);
    return CUPTI_OK;
}

int32_t cuptiDeviceGetChipName(CuptiChipName *call)
{
    CHECK(call, name);
    call->name = "standin100";
    return CUPTI_OK;
}

int32_t cuptiProfilerGetCounterAvailability(CuptiAvailability *call)
{
    CHECK(call, image);
    if (call->image)
        memset(call->image, 1, call->image_size);
    call->image_size = 16;
    return CUPTI_OK;
}

int32_t cuptiProfilerHostInitialize(CuptiHostInitialize *call)
{
    CHECK(call, host);
    if (strcmp(call->chip, "standin100") != 0 || call->availability[15] != 1)
        return 1;
    call->host = calloc(1, sizeof *call->host);
    return CUPTI_OK;
}

int32_t cuptiProfilerHostDeinitialize(CuptiHostDeinitialize *call)
{
    CHECK(call, host);
    free(call->host);
    return CUPTI_OK;
}

static int lacks(const char *metric)
{
    const char *text = getenv("STANDIN_LACKS");
    return text && strstr(metric, text);
}

int32_t cuptiProfilerHostGetMetricProperties(CuptiHostProperties *call)
{
    CHECK(call, type);
    return lacks(call->metric) ? CUPTI_BAD_METRIC : CUPTI_OK;
}

int32_t cuptiProfilerHostConfigAddMetrics(CuptiHostAddMetrics *call)
{
    CHECK(call, n_metrics);
    for (size_t i = 0; i < call->n_metrics; i++)
        if (lacks(call->metrics[i]))
            return CUPTI_BAD_METRIC;
    return CUPTI_OK;
}

int32_t cuptiProfilerHostGetConfigImageSize(CuptiHostConfigSize *call)
{
    CHECK(call, image_size);
    call->image_size = 32;
    return CUPTI_OK;
}

int32_t cuptiProfilerHostGetConfigImage(CuptiHostConfig *call)
{
    CHECK(call, image);
    memset(call->image, 2, call->image_size);
    return CUPTI_OK;
}

/* There are more instructions of warps than of any kind. */
static double value_of(int32_t grid, const char *metric)
{
    const int all = strncmp(metric, "smsp__inst_executed", 19) == 0;
    return grid * (all ? 100000.0 : 1000.0) + (double)strlen(metric);
}

int32_t cuptiProfilerHostEvaluateToGpuValues(CuptiHostEvaluate *call)
{
    CHECK(call, values);
    Counted counted;
    memcpy(&counted, call->image, sizeof counted);
    if (call->range >= counted.n)
        return 1;
    for (size_t i = 0; i < call->n_metrics; i++)
        call->values[i] = value_of(counted.grids[call->range], call->metrics[i]);
    return CUPTI_OK;
}

int32_t cuptiRangeProfilerEnable(CuptiRangesEnable *call)
{
    CHECK(call, ranges);
    if (is_set("STANDIN_FORBIDDEN"))
        return CUPTI_NO_PRIVILEGES;
    call->ranges = calloc(1, sizeof *call->ranges);
    call->ranges->context = call->context;
    call->ranges->next = all_ranges;
    all_ranges = call->ranges;
    return CUPTI_OK;
}

int32_t cuptiRangeProfilerDisable(CuptiRangesCall *call)
{
    CHECK(call, ranges);
    CuptiRanges **at = &all_ranges;
    while (*at && *at != call->ranges)
        at = &(*at)->next;
    if (!*at)
        return 1;
    *at = call->ranges->next;
    free(call->ranges);
    return CUPTI_OK;
}

int32_t cuptiRangeProfilerGetCounterDataSize(CuptiRangesDataSize *call)
{
    CHECK(call, image_size);
    if (call->max_ranges > RANGES || call->max_nodes < call->max_ranges)
        return 1;
    call->image_size = sizeof(Counted);
    return CUPTI_OK;
}

int32_t cuptiRangeProfilerCounterDataImageInitialize(CuptiRangesDataInit *call)
{
    CHECK(call, image);
    const Counted nothing = {.magic = MAGIC};
    if (call->image_size != sizeof nothing)
        return 1;
    memcpy(call->image, &nothing, sizeof nothing);
    return CUPTI_OK;
}

int32_t cuptiRangeProfilerSetConfig(CuptiRangesConfig *call)
{
    CHECK(call, level);
    if (call->range != CUPTI_AUTO_RANGE || call->replay != CUPTI_KERNEL_REPLAY ||
        call->config_size != 32 || call->config[31] != 2 || call->n_levels != 1 ||
        call->ranges->started)
        return 7;
    call->ranges->image = call->image;
    return CUPTI_OK;
}

int32_t cuptiRangeProfilerStart(CuptiRangesCall *call)
{
    CHECK(call, ranges);
    if (call->ranges->started || !call->ranges->image)
        return 7;
    call->ranges->started = 1;
    call->ranges->counted = (Counted){.magic = MAGIC};
    return CUPTI_OK;
}

int32_t cuptiRangeProfilerStop(CuptiRangesStop *call)
{
    CHECK(call, all_submitted);
    if (!call->ranges->started)
        return 7;
    call->ranges->started = 0;
    call->all_submitted = 1;
    return CUPTI_OK;
}

int32_t cuptiRangeProfilerDecodeData(CuptiRangesDecode *call)
{
    CHECK(call, dropped);
    CuptiRanges *ranges = call->ranges;
    if (is_set("STANDIN_MISCOUNT") && ranges->counted.n)
        ranges->counted.n--;
    memcpy(ranges->image, &ranges->counted, sizeof ranges->counted);
    call->dropped = 0;
    return CUPTI_OK;
}

int32_t cuptiRangeProfilerGetCounterDataInfo(CuptiRangesInfo *call)
{
    CHECK(call, n_ranges);
    Counted counted;
    memcpy(&counted, call->image, sizeof counted);
    if (counted.magic != MAGIC)
        return 1;
    call->n_ranges = counted.n;
    return CUPTI_OK;
}

#endif

/* ---- what the driver tells ----------------------------------------------------------------- */

CALL void standin_launch(const StandInLaunch *launch);
CALL void standin_context_end(void *context);
CALL void standin_tell(int32_t domain, uint32_t id, const void *data);
CALL void standin_kernel(const CuptiKernel *kernel);

static void call_back(const StandInLaunch *launch, int32_t site, int *result)
{
    const uint32_t id = launch->is_graph ? CUPTI_GRAPH_LAUNCH : CUPTI_LAUNCH_KERNEL;
    if (!it.callback || !it.on_driver[id])
        return;
    const CuptiCall call = {.site = site,
                            .result = result,
                            .symbol = launch->is_graph ? NULL : launch->kernel,
                            .context = launch->context,
                            .correlation = it.order};
    it.callback(NULL, CUPTI_DOMAIN_DRIVER, id, &call);
}

void standin_launch(const StandInLaunch *launch)
{
    int result = launch->fails;
    it.order++;
    call_back(launch, CUPTI_ENTER, &result);
    if (!launch->fails) {
        count(launch);
        pthread_mutex_lock(&it.lock);
        if (it.kernels)
            record(launch);
        pthread_mutex_unlock(&it.lock);
    }
    call_back(launch, CUPTI_EXIT, &result);
}

void standin_context_end(void *context)
{
    const CuptiResource resource = {.context = context};
    if (it.callback && it.on_resource[CUPTI_CONTEXT_DESTROY_STARTING])
        it.callback(NULL, CUPTI_DOMAIN_RESOURCE, CUPTI_CONTEXT_DESTROY_STARTING, &resource);
}

void standin_tell(int32_t domain, uint32_t id, const void *data)
{
    const int *on = domain == CUPTI_DOMAIN_DRIVER ? it.on_driver : it.on_resource;
    if (it.callback && on[id])
        it.callback(NULL, domain, id, data);
}

/* Takes a microsecond for each group. */
void standin_kernel(const CuptiKernel *kernel)
{
    static uint64_t now = 1000000;
    Slot slot = {.kernel = *kernel};
    pthread_mutex_lock(&it.lock);
    if (it.kernels) {
        record_device(kernel->device);
        slot.kernel.name = keep_name(kernel->name);
        slot.kernel.start = now;
        slot.kernel.end = now += (uint64_t)kernel->grid[0] * 1000;
        add(&slot);
    }
    pthread_mutex_unlock(&it.lock);
}
