/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counters: CUPTI calls back before and after each launch, and ranges.c does the rest for the
 * launch's context. Launches wait for one another, as they do anyway where kernels are replayed:
 * the lock is held from before a launch until after it, so that threads' launches have the same
 * order here as for CUPTI. Kernels that CUDA graphs launch are not counted.
 */
#include "latency-bench/profile/phases.h"
#include "latency-bench/profile/ranges.h"
#include "latency-bench/profile/record.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct Context {
    void *context;
    Ranges *ranges;
    struct Context *next;
} Context;

static struct {
    RangesSetup setup;
    char *text;         /* text of the metrics, with zeros between them */
    const char **names; /* names in `text` */
    int ended;
    Context *contexts;
} counters;

/* Held by the thread that launches. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static const int launches[] = {CUPTI_LAUNCH_KERNEL,      CUPTI_LAUNCH_KERNEL_PTSZ,
                               CUPTI_LAUNCH_COOPERATIVE, CUPTI_LAUNCH_COOPERATIVE_PTSZ,
                               CUPTI_LAUNCH_KERNEL_EX,   CUPTI_LAUNCH_KERNEL_EX_PTSZ,
                               CUPTI_GRAPH_LAUNCH,       CUPTI_GRAPH_LAUNCH_PTSZ};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Finds the context's entry, or the place for it. */
static Context **find(void *context)
{
    Context **at = &counters.contexts;
    while (*at && (*at)->context != context)
        at = &(*at)->next;
    return at;
}

static Ranges *ranges_of(void *context)
{
    Context **at = find(context);
    if (!*at) {
        Context *made = calloc(1, sizeof *made);
        if (!made)
            return NULL;
        made->context = context;
        made->ranges = ps_ranges_new(&counters.setup, context);
        *at = made;
    }
    return (*at)->ranges;
}

static void drop(void *context)
{
    Context **at = find(context);
    Context *old = *at;
    if (!old)
        return;
    *at = old->next;
    ps_ranges_free(old->ranges);
    free(old);
}

static void before(const CuptiCall *call, int is_graph)
{
    Ranges *ranges = counters.ended ? NULL : ranges_of(call->context);
    if (ranges && is_graph)
        ps_ranges_flush(ranges);
    else if (ranges)
        ps_ranges_launch(ranges, call->symbol, call->correlation);
}

static void after(const CuptiCall *call, int is_graph)
{
    const int *result = call->result;
    Context *at = *find(call->context);
    if (!is_graph && result && *result != 0 && at && at->ranges)
        ps_ranges_unlaunch(at->ranges);
}

/* Takes the lock before a launch and leaves it after the launch, in another call. */
static void on_launch(const CuptiCall *call, uint32_t id)
{
    const int is_graph = id == CUPTI_GRAPH_LAUNCH || id == CUPTI_GRAPH_LAUNCH_PTSZ;
    if (call->site == CUPTI_ENTER) {
        pthread_mutex_lock(&lock);
        before(call, is_graph);
    } else {
        after(call, is_graph);
        pthread_mutex_unlock(&lock);
    }
}

static void on_call(void *self, int32_t domain, uint32_t id, const void *data)
{
    (void)self;
    if (domain == CUPTI_DOMAIN_DRIVER) {
        on_launch(data, id);
    } else if (domain == CUPTI_DOMAIN_RESOURCE && id == CUPTI_CONTEXT_DESTROY_STARTING) {
        const CuptiResource *resource = data;
        pthread_mutex_lock(&lock);
        drop(resource->context);
        pthread_mutex_unlock(&lock);
    }
}

/* ---- beginning ----------------------------------------------------------------------------- */

static size_t count(const char *text, const char *any)
{
    size_t n = 1;
    while ((text = strpbrk(text, any)) != NULL) {
        n++;
        text++;
    }
    return n;
}

/* Splits the text of a way, in place. names has room for all names. */
static void split_way(MetricsWay *way, char *text)
{
    char *rest = NULL;
    way->any = *text == '?';
    for (char *name = strtok_r(text + way->any, ",", &rest); name;
         name = strtok_r(NULL, ",", &rest))
        way->names[way->n++] = name;
}

static int split_metrics(const char *metrics)
{
    RangesSetup *setup = &counters.setup;
    counters.text = strdup(metrics);
    setup->ways = calloc(count(metrics, ";|"), sizeof *setup->ways);
    counters.names = calloc(count(metrics, ";|,"), sizeof *counters.names);
    if (!counters.text || !setup->ways || !counters.names)
        return -1;
    char *of_rest = NULL, *way_rest = NULL;
    int of = 0;
    for (char *each = strtok_r(counters.text, ";", &of_rest); each;
         each = strtok_r(NULL, ";", &of_rest), of++)
        for (char *text = strtok_r(each, "|", &way_rest); text;
             text = strtok_r(NULL, "|", &way_rest)) {
            MetricsWay *way = &setup->ways[setup->n_ways++];
            *way = (MetricsWay){.of = of, .names = counters.names + setup->n_names};
            split_way(way, text);
            setup->n_names += way->n;
        }
    return 0;
}

static int check(const char *what, CuptiResult result)
{
    if (result == CUPTI_OK)
        return 0;
    ps_record_line(counters.setup.file, "failed\t%s\t%s: %s (%d)",
                   result == CUPTI_NO_PRIVILEGES ? "privileges" : "counters", what,
                   ps_cupti_text(counters.setup.cupti, result), (int)result);
    return -1;
}

static void subscribe(const Cupti *cupti)
{
    void *subscriber = NULL;
    CuptiInitialize initialize = {.size = CUPTI_SIZE(CuptiInitialize, priv)};
    if (check("cuptiProfilerInitialize", cupti->initialize(&initialize)) != 0 ||
        check("cuptiSubscribe", cupti->subscribe(&subscriber, on_call, NULL)) != 0 ||
        check("cuptiEnableCallback", cupti->enable_callback(1, subscriber, CUPTI_DOMAIN_RESOURCE,
                                                            CUPTI_CONTEXT_DESTROY_STARTING)) != 0)
        return;
    /* a function that this driver does not have makes no launches */
    for (size_t i = 0; i < COUNT(launches); i++)
        cupti->enable_callback(1, subscriber, CUPTI_DOMAIN_DRIVER, (uint32_t)launches[i]);
}

void ps_counters_begin(const Cupti *cupti, int file, const char *metrics)
{
    counters.setup.cupti = cupti;
    counters.setup.file = file;
    if (!ps_cupti_has_ranges(cupti))
        ps_record_line(file,
                       "failed\tcounters\tCUPTI's version %u has no range profiling, which came "
                       "with CUDA 12.6",
                       (unsigned)cupti->version);
    else if (split_metrics(metrics) == 0)
        subscribe(cupti);
}

void ps_counters_end(void)
{
    pthread_mutex_lock(&lock);
    while (counters.contexts)
        drop(counters.contexts->context);
    counters.ended = 1;
    free(counters.setup.ways);
    free(counters.names);
    free(counters.text);
    pthread_mutex_unlock(&lock);
}
