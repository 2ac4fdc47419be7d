/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rings of stages that get longer: their graphs take as long as those with more stages that were
 * written by hand.
 */
#include "advice/ring-change.h"
#include "tests/help/build-graph.h"
#include "tests/help/engine.h"

#include <string.h>

#define GRAPH(producer, consumer)                                                                  \
    "<idg xmlns='urn:pipesim:idg:1' version='1' name='ring'>\n"                                    \
    "<launch groups='1' group-size='64'/>\n"                                                       \
    "<code name='producer' warps='0'>\n" producer "</code>\n"                                      \
    "<code name='consumer'>\n" consumer "</code>\n"                                                \
    "</idg>\n"
#define COPY(name, awaits) "<node name='" name "' class='copy.load' bytes='4' " awaits "/>\n"
#define EMPTY(name, awaits) "<node name='" name "' class='add' awaits='" awaits "'/>\n"
#define USE(name, awaits) "<node name='" name "' class='use' awaits='" awaits "'/>\n"
#define LOOP(times, body) "<loop times='" times "'>\n" body "</loop>\n"

/* A ring of so many stages in one loop. */
#define PLAIN(stages)                                                                              \
    GRAPH(LOOP("9", COPY("copy", "awaits='consumer:use@" stages "'")),                             \
          LOOP("9", USE("use", "producer:copy")))

/* The same with the first copies alone. */
#define BEGUN(awaits)                                                                              \
    GRAPH(LOOP("2", COPY("copy", "")) LOOP("7", EMPTY("empty", awaits) COPY("more", "")),          \
          LOOP("9", USE("use", "producer:copy@0..all producer:more@2")))

/* The same with the first wait alone, too, and the first use. */
#define PEELED(first, others)                                                                      \
    GRAPH(LOOP("2", COPY("copy", "")) first COPY("third", "")                                      \
              LOOP("6", EMPTY("empty", others) COPY("more", "")),                                  \
          USE("one", "producer:copy") LOOP(                                                        \
              "8", USE("use", "producer:copy@-1..all producer:third@1..all producer:more@2")))

static PsIdg *parse(const char *text)
{
    g_autoptr(GError) error = NULL;
    PsIdg *idg = ps_idg_parse(text, strlen(text), "x.idg", &error);
    g_assert_no_error(error);
    return idg;
}

static gint64 ticks_of(const PsIdg *idg)
{
    g_autoptr(GError) error = NULL;
    PsGpu *gpu = build_gpu(1, 2);
    build_class(gpu, "copy", 0, PS_RATIONAL_INT(3), PS_RATIONAL_INT(20));
    build_class(gpu, "add", 0, PS_RATIONAL_INT(1), PS_RATIONAL_INT(1));
    build_class(gpu, "use", 1, PS_RATIONAL_INT(1), PS_RATIONAL_INT(4));
    PsSimResult result;
    const EngineRun run = {.idg = idg, .gpu = gpu, .options = {.active = 1}};
    (void)engine_run(&run, &result, &error);
    g_assert_no_error(error);
    build_gpu_free(gpu);
    return result.ticks;
}

/* The first graph with so many stages more takes as long as the other. */
static void expect(const char *text, gint64 more, const char *same)
{
    g_autoptr(GError) error = NULL;
    PsIdg *idg = parse(text), *longer = parse(text), *other = parse(same);
    g_autoptr(PsKernel) kernel = ps_kernel_new(idg, NULL, &error);
    g_assert_no_error(error);
    const PsAnswer answer = {.kernel = kernel};
    g_autoptr(GPtrArray) rings = ps_rings_new(kernel, 2);
    g_assert_cmpuint(rings->len, ==, 1);
    const PsRing *ring = rings->pdata[0];
    g_assert_cmpint(ring->stages, ==, 2);
    g_assert_true(ps_ring_lengthen(longer, &answer, ring, more));
    g_assert_cmpint(ticks_of(longer), ==, ticks_of(other));
    g_assert_cmpint(ticks_of(longer), <, ticks_of(idg));
    ps_idg_free(idg);
    ps_idg_free(longer);
    ps_idg_free(other);
}

static void test_plain(void)
{
    expect(PLAIN("2"), 1, PLAIN("3"));
    expect(PLAIN("2"), 4, PLAIN("6"));
}

static void test_begun(void)
{
    expect(BEGUN("consumer:use"), 1, BEGUN("consumer:use@1"));
    expect(BEGUN("consumer:use"), 3, BEGUN("consumer:use@3"));
}

/* With a stage more the first of the other waits is for the first use; with two the second is. */
static void test_peeled(void)
{
    expect(PEELED(EMPTY("first", "consumer:one"), "consumer:use"), 1,
           PEELED("", "consumer:one@0..all consumer:use@1"));
    expect(PEELED(EMPTY("first", "consumer:one"), "consumer:use"), 2,
           PEELED("", "consumer:one@1..all consumer:use@2"));
}

/* Whether groups are thought to share what a node in these loops copies. */
static gboolean is_shared(const char *begin, const char *device, const char *end)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = g_strdup_printf(
        "<idg xmlns='urn:pipesim:idg:1' version='1' name='one'>\n"
        "<launch groups='1' group-size='32'/>\n<code>%s"
        "<node name='copy' class='copy.load' bytes='4' l2='1' device='%s'/>%s</code>\n</idg>\n",
        begin, device, end);
    PsIdg *idg = parse(text);
    PsKernel *kernel = ps_kernel_new(idg, NULL, &error);
    g_assert_no_error(error);
    const gboolean shared = ps_ring_is_shared(&kernel->programs[0].nodes[0]);
    ps_kernel_free(kernel);
    ps_idg_free(idg);
    return shared;
}

/* What is copied more often than it reaches device memory is shared, unless three iterations of an
 * outer loop explain that. */
static void test_shared(void)
{
    g_assert_true(is_shared("<loop times='9'>", "0.25", "</loop>"));
    g_assert_false(is_shared("<loop times='9'>", "0.75", "</loop>"));
    g_assert_false(is_shared("<loop times='9'>", "1", "</loop>"));
    g_assert_false(is_shared("<loop times='9'>", "0", "</loop>"));
    g_assert_false(is_shared("<loop times='3'><loop times='9'>", "0.25", "</loop></loop>"));
    g_assert_true(is_shared("<loop times='3'><loop times='9'>", "0.125", "</loop></loop>"));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ring-change/plain", test_plain);
    g_test_add_func("/ring-change/begun", test_begun);
    g_test_add_func("/ring-change/peeled", test_peeled);
    g_test_add_func("/ring-change/shared", test_shared);
    return g_test_run();
}
