/* SPDX-License-Identifier: BSD-3-Clause */
/* See ranges.h. */
#include "latency-bench/profile/ranges.h"

#include "latency-bench/profile/record.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LAUNCHES = 64, NAME_BYTES = 3000, LINE_BYTES = 16384 };

typedef struct {
    char *kernel;
    uint32_t order;
} Launch;

/* A block of bytes whose size CUPTI tells. */
typedef struct {
    uint8_t *bytes;
    size_t size;
} Image;

struct Ranges {
    const RangesSetup *setup;
    void *context;
    uint32_t device;
    CuptiHost *host;
    CuptiRanges *ranges;
    Image config, data;
    const char **metrics; /* the metrics that this device has */
    size_t n_metrics;
    int usable, active;
    Launch launches[LAUNCHES];
    size_t n;
};

#define CALL(type, last, ...)                                                                      \
    &(type)                                                                                        \
    {                                                                                              \
        .size = CUPTI_SIZE(type, last), __VA_ARGS__                                                \
    }

/* Returns 0, or -1 where the call failed, which is reported. */
static int check(const Ranges *r, const char *what, CuptiResult result)
{
    if (result == CUPTI_OK)
        return 0;
    ps_record_line(r->setup->file, "failed\t%s\t%s: %s (%d)",
                   result == CUPTI_NO_PRIVILEGES ? "privileges" : "counters", what,
                   ps_cupti_text(r->setup->cupti, result), (int)result);
    return -1;
}

static int image_make(Image *image, size_t size)
{
    image->bytes = calloc(1, size ? size : 1);
    image->size = size;
    return image->bytes ? 0 : -1;
}

/* ---- what to count on this device ---------------------------------------------------------- */

static int open_host(Ranges *r)
{
    const Cupti *cupti = r->setup->cupti;
    CuptiChipName chip = {.size = CUPTI_SIZE(CuptiChipName, name), .device = r->device};
    CuptiAvailability has = {.size = CUPTI_SIZE(CuptiAvailability, image), .context = r->context};
    Image image = {0};
    if (check(r, "cuptiDeviceGetChipName", cupti->chip_name(&chip)) != 0 ||
        check(r, "cuptiProfilerGetCounterAvailability", cupti->availability(&has)) != 0 ||
        image_make(&image, has.image_size) != 0)
        return -1;
    has.image = image.bytes;
    CuptiHostInitialize host = {.size = CUPTI_SIZE(CuptiHostInitialize, host),
                                .type = CUPTI_RANGE_PROFILER,
                                .chip = chip.name,
                                .availability = image.bytes};
    const int done =
        check(r, "cuptiProfilerGetCounterAvailability", cupti->availability(&has)) == 0 &&
        check(r, "cuptiProfilerHostInitialize", cupti->host_initialize(&host)) == 0;
    r->host = done ? host.host : NULL;
    free(image.bytes);
    return done ? 0 : -1;
}

static int exists(const Ranges *r, const char *metric)
{
    CuptiHostProperties about = {
        .size = CUPTI_SIZE(CuptiHostProperties, type), .host = r->host, .metric = metric};
    return r->setup->cupti->host_properties(&about) == CUPTI_OK;
}

/* TRUE if the device has the metric; the list ends with NULL. */
static int has_metric(const Ranges *r, const char *metric)
{
    size_t i = 0;
    while (r->metrics[i] && strcmp(r->metrics[i], metric) != 0)
        i++;
    return r->metrics[i] != NULL;
}

/* Takes the metrics of one way if they all exist; for an optional way those that exist. */
static int take_way(Ranges *r, const MetricsWay *way)
{
    size_t n = 0;
    for (size_t i = 0; i < way->n; i++)
        n += (size_t)exists(r, way->names[i]);
    if (n == 0 || (n < way->n && !way->any))
        return 0;
    for (size_t i = 0; i < way->n; i++)
        if (!has_metric(r, way->names[i]) && exists(r, way->names[i]))
            r->metrics[r->n_metrics++] = way->names[i];
    return 1;
}

/* Chooses metrics, which depend on the architecture: the first way that exists for each
 * quantity. */
static int choose_metrics(Ranges *r)
{
    const RangesSetup *setup = r->setup;
    r->metrics = calloc(setup->n_names + 1, sizeof *r->metrics);
    if (!r->metrics)
        return -1;
    int known = -1;
    for (size_t i = 0; i < setup->n_ways; i++)
        if (setup->ways[i].of != known && take_way(r, &setup->ways[i]))
            known = setup->ways[i].of;
    if (r->n_metrics)
        return 0;
    ps_record_line(setup->file, "failed\tcounters\tthe device has none of the metrics");
    return -1;
}

static int make_config(Ranges *r)
{
    const Cupti *cupti = r->setup->cupti;
    CuptiHostConfigSize size = {.size = CUPTI_SIZE(CuptiHostConfigSize, image_size),
                                .host = r->host};
    if (check(r, "cuptiProfilerHostConfigAddMetrics",
              cupti->host_add_metrics(CALL(CuptiHostAddMetrics, n_metrics, .host = r->host,
                                           .metrics = r->metrics, .n_metrics = r->n_metrics))) !=
            0 ||
        check(r, "cuptiProfilerHostGetConfigImageSize", cupti->host_config_size(&size)) != 0 ||
        image_make(&r->config, size.image_size) != 0)
        return -1;
    return check(r, "cuptiProfilerHostGetConfigImage",
                 cupti->host_config(CALL(CuptiHostConfig, image, .host = r->host,
                                         .image_size = r->config.size, .image = r->config.bytes)));
}

static int enable(Ranges *r)
{
    const Cupti *cupti = r->setup->cupti;
    CuptiRangesEnable on = {.size = CUPTI_SIZE(CuptiRangesEnable, ranges), .context = r->context};
    if (check(r, "cuptiRangeProfilerEnable", cupti->ranges_enable(&on)) != 0)
        return -1;
    r->ranges = on.ranges;
    CuptiRangesDataSize size = {.size = CUPTI_SIZE(CuptiRangesDataSize, image_size),
                                .ranges = r->ranges,
                                .metrics = r->metrics,
                                .n_metrics = r->n_metrics,
                                .max_ranges = LAUNCHES,
                                .max_nodes = LAUNCHES};
    return check(r, "cuptiRangeProfilerGetCounterDataSize", cupti->ranges_data_size(&size)) == 0
               ? image_make(&r->data, size.image_size)
               : -1;
}

Ranges *ps_ranges_new(const RangesSetup *setup, void *context)
{
    Ranges *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->setup = setup;
    r->context = context;
    r->usable = check(r, "cuptiGetDeviceId", setup->cupti->device_of(context, &r->device)) == 0 &&
                open_host(r) == 0 && choose_metrics(r) == 0 && make_config(r) == 0 &&
                enable(r) == 0;
    return r;
}

/* ---- sessions ------------------------------------------------------------------------------ */

static int start(Ranges *r)
{
    const Cupti *cupti = r->setup->cupti;
    if (check(r, "cuptiRangeProfilerCounterDataImageInitialize",
              cupti->ranges_data_init(CALL(CuptiRangesDataInit, image, .ranges = r->ranges,
                                           .image_size = r->data.size, .image = r->data.bytes))) !=
        0)
        return -1;
    if (check(r, "cuptiRangeProfilerSetConfig",
              cupti->ranges_config(CALL(
                  CuptiRangesConfig, level, .ranges = r->ranges, .config_size = r->config.size,
                  .config = r->config.bytes, .image_size = r->data.size, .image = r->data.bytes,
                  .range = CUPTI_AUTO_RANGE, .replay = CUPTI_KERNEL_REPLAY, .max_ranges = LAUNCHES,
                  .n_levels = 1, .min_level = 1))) != 0)
        return -1;
    return check(r, "cuptiRangeProfilerStart",
                 cupti->ranges_start(CALL(CuptiRangesCall, ranges, .ranges = r->ranges)));
}

void ps_ranges_launch(Ranges *r, const char *kernel, uint32_t order)
{
    if (r->n == LAUNCHES)
        ps_ranges_flush(r);
    if (!r->active) {
        r->usable = r->usable && start(r) == 0;
        r->active = r->usable;
    }
    if (!r->active)
        return;
    char name[NAME_BYTES];
    r->launches[r->n].kernel = strdup(ps_record_clean(kernel, name, sizeof name));
    r->launches[r->n++].order = order;
}

static void forget(Ranges *r)
{
    while (r->n > 0)
        free(r->launches[--r->n].kernel);
}

void ps_ranges_unlaunch(Ranges *r)
{
    if (r->n > 0)
        free(r->launches[--r->n].kernel);
}

/* Writes one line at once. All metrics are sums of counters: whole numbers, which look the same in
 * every locale. */
static void put_launch(const Ranges *r, const Launch *launch, const double *values)
{
    char line[LINE_BYTES];
    size_t length =
        (size_t)snprintf(line, sizeof line, "counts\t%" PRIu32 "\t%" PRIu32 "\t%s\t", r->device,
                         launch->order, launch->kernel ? launch->kernel : "?");
    for (size_t i = 0; i < r->n_metrics; i++) {
        if (!isfinite(values[i]))
            continue;
        const int n =
            snprintf(line + length, sizeof line - length, "%s=%.0f ", r->metrics[i], values[i]);
        if (n < 0 || length + (size_t)n + 1 >= sizeof line)
            break;
        length += (size_t)n;
    }
    line[length] = '\n';
    ps_record_put(r->setup->file, line, length + 1);
}

static int put_range(const Ranges *r, size_t range, double *values)
{
    for (size_t i = 0; i < r->n_metrics; i++)
        values[i] = NAN;
    const CuptiResult result = r->setup->cupti->host_evaluate(
        CALL(CuptiHostEvaluate, values, .host = r->host, .image = r->data.bytes,
             .image_size = r->data.size, .range = range, .metrics = r->metrics,
             .n_metrics = r->n_metrics, .values = values));
    if (check(r, "cuptiProfilerHostEvaluateToGpuValues", result) != 0)
        return -1;
    put_launch(r, &r->launches[range], values);
    return 0;
}

/* Writes the ranges. They have numbers, not names: if one were missing, counters would go to the
 * wrong kernel. */
static void put_ranges(const Ranges *r, size_t n_ranges, size_t dropped)
{
    if (n_ranges != r->n || dropped > 0) {
        ps_record_line(r->setup->file, "failed\tcounters\tCUPTI counted %zu of %zu launches",
                       n_ranges, r->n);
        return;
    }
    double *values = calloc(r->n_metrics, sizeof *values);
    for (size_t i = 0; values && i < n_ranges; i++)
        if (put_range(r, i, values) != 0)
            break;
    free(values);
}

void ps_ranges_flush(Ranges *r)
{
    if (!r->active)
        return;
    const Cupti *cupti = r->setup->cupti;
    CuptiRangesStop stop = {.size = CUPTI_SIZE(CuptiRangesStop, all_submitted),
                            .ranges = r->ranges};
    CuptiRangesDecode decode = {.size = CUPTI_SIZE(CuptiRangesDecode, dropped),
                                .ranges = r->ranges};
    CuptiRangesInfo info = {.size = CUPTI_SIZE(CuptiRangesInfo, n_ranges),
                            .image = r->data.bytes,
                            .image_size = r->data.size};
    r->active = 0;
    r->usable = check(r, "cuptiRangeProfilerStop", cupti->ranges_stop(&stop)) == 0 &&
                check(r, "cuptiRangeProfilerDecodeData", cupti->ranges_decode(&decode)) == 0 &&
                check(r, "cuptiRangeProfilerGetCounterDataInfo", cupti->ranges_info(&info)) == 0;
    if (r->usable)
        put_ranges(r, info.n_ranges, decode.dropped);
    forget(r);
}

void ps_ranges_free(Ranges *r)
{
    if (!r)
        return;
    const Cupti *cupti = r->setup->cupti;
    ps_ranges_flush(r);
    if (r->ranges)
        cupti->ranges_disable(CALL(CuptiRangesCall, ranges, .ranges = r->ranges));
    if (r->host)
        cupti->host_deinitialize(CALL(CuptiHostDeinitialize, host, .host = r->host));
    free(r->config.bytes);
    free(r->data.bytes);
    free(r->metrics);
    free(r);
}
