/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What drivers share: what is in the memory that kernels walk through, and how cycles follow from
 * what warps write.
 */
#include "latency-bench/device/driver.h"
#include <math.h>
#include <string.h>

/* ---- memory -------------------------------------------------------------------------------- */

/* A driver with one buffer, which is the host's. */
typedef struct {
    PsDriver driver;
    gsize bytes;
    int writes;
    gboolean full;
} Host;

static gboolean allocate(PsDriver *driver, gsize bytes, PsBuffer *buffer, GError **error)
{
    Host *host = (Host *)driver;
    if (host->full) {
        ps_error_at(error, PS_ERROR_RESOURCES, (PsPlace){0}, "full");
        return FALSE;
    }
    host->bytes = bytes;
    *buffer = (PsBuffer)g_malloc(bytes);
    memset((void *)*buffer, 0xAA, bytes);
    return TRUE;
}

static void discard(PsDriver *driver, PsBuffer buffer)
{
    (void)driver;
    g_free((void *)buffer);
}

static gboolean write_to(PsDriver *driver, PsBuffer to, gsize offset, GBytes *data, GError **error)
{
    (void)error;
    Host *host = (Host *)driver;
    gsize bytes = 0;
    const void *from = g_bytes_get_data(data, &bytes);
    g_assert_cmpuint(offset + bytes, <=, host->bytes);
    memcpy((char *)to + offset, from, bytes);
    host->writes++;
    return TRUE;
}

static const PsDriverCalls calls = {.allocate = allocate, .discard = discard, .write = write_to};

static guint32 *filled(Host *host, PsBenchMemory pattern, gsize bytes)
{
    PsDriverProgram program = {.serial = 1, .pattern = pattern};
    g_assert_true(ps_driver_fill(&host->driver, &program, bytes, NULL));
    return (guint32 *)host->driver.memory.buffer;
}

/* Larger than what is written at once, and not a whole number of lines. */
#define MANY_BYTES (9 * 1024 * 1024 + 40)

static void test_patterns(void)
{
    Host host = {.driver.calls = &calls};
    const gsize n = MANY_BYTES / 4;
    gsize wrong = 0;
    const guint32 *words = filled(&host, PS_MEMORY_ZERO, MANY_BYTES);
    g_assert_cmpuint(host.bytes, ==, MANY_BYTES);
    for (gsize i = 0; i < n; i++)
        wrong += words[i] != 0;
    words = filled(&host, PS_MEMORY_SELF, MANY_BYTES);
    for (gsize i = 0; i < n; i++)
        wrong += words[i] != i;
    g_assert_cmpuint(wrong, ==, 0);
    g_assert_cmpint(host.writes, ==, 6);
    filled(&host, PS_MEMORY_NONE, 0);
    g_assert_cmpuint(host.bytes, ==, 256);
    g_assert_cmpint(host.writes, ==, 6);
    ps_driver_clear(&host.driver);
}

/* Each word of a line leads through all lines once, at the same place of each, and far. */
static void test_ring(void)
{
    Host host = {.driver.calls = &calls};
    const guint32 *words = filled(&host, PS_MEMORY_RING, MANY_BYTES);
    const gsize lines = MANY_BYTES / 256;
    for (guint32 lane = 0; lane < 64; lane += 63) {
        guint32 at = lane;
        gsize steps = 0, neighbours = 0;
        do {
            guint32 next = words[at];
            neighbours += next == at + 64;
            at = next;
            steps++;
        } while (at != lane && at % 64 == lane && steps <= lines);
        g_assert_cmpuint(at, ==, lane);
        g_assert_cmpuint(steps, ==, lines);
        g_assert_cmpuint(neighbours, <, 10);
    }
    for (gsize i = lines * 64; i < MANY_BYTES / 4; i++)
        g_assert_cmpuint(words[i], ==, i);
    ps_driver_clear(&host.driver);
}

/* Each line of a walk says where the next one is, by its address or by its offset, and the first
 * says where it is itself. */
static void check_walk(const PsDriverCalls *how, gboolean addresses)
{
    Host host = {.driver.calls = how};
    const char *bytes = (const char *)filled(&host, PS_MEMORY_WALK, MANY_BYTES);
    /* What is said is counted from here: from the start of all memory, or of the walk. */
    const guint64 base = addresses ? (guint64)(gsize)bytes : 0;
    const gsize lines = MANY_BYTES / 128;
    guint64 first, at;
    gsize steps = 0, neighbours = 0;
    memcpy(&first, bytes + 8, sizeof first);
    g_assert_cmpuint(first, ==, base);
    at = first;
    do {
        guint64 next;
        memcpy(&next, bytes + (at - base), sizeof next);
        neighbours += next == at + 128;
        at = next;
        steps++;
    } while (at != first && steps <= lines);
    g_assert_cmpuint(steps, ==, lines);
    g_assert_cmpuint(neighbours, <, 10);
    ps_driver_clear(&host.driver);
}

static void test_walk(void)
{
    PsDriverCalls by_address = calls;
    by_address.addresses = TRUE;
    check_walk(&calls, FALSE);
    check_walk(&by_address, TRUE);
}

/* Small rings, down to none. */
static void test_small_rings(void)
{
    for (gsize bytes = 4; bytes <= 1024; bytes += 252) {
        Host host = {.driver.calls = &calls};
        const guint32 *words = filled(&host, PS_MEMORY_RING, bytes);
        guint32 at = 0;
        gsize steps = 0;
        do {
            at = words[at];
            steps++;
        } while (at != 0 && steps < 10);
        g_assert_cmpuint(steps, ==, MAX(bytes / 256, 1));
        ps_driver_clear(&host.driver);
    }
}

static void test_kept(void)
{
    Host host = {.driver.calls = &calls};
    PsDriverProgram ring = {.serial = 1, .pattern = PS_MEMORY_RING};
    PsDriverProgram other_ring = {.serial = 2, .pattern = PS_MEMORY_RING};
    PsDriverProgram zero = {.serial = 3, .pattern = PS_MEMORY_ZERO};
    PsDriverProgram other_zero = {.serial = 4, .pattern = PS_MEMORY_ZERO};
    const struct {
        const PsDriverProgram *program;
        gsize bytes;
        int writes;
    } steps[] = {{&ring, 1024, 1}, {&ring, 1024, 1}, {&other_ring, 1024, 1}, {&zero, 1024, 2},
                 {&zero, 1024, 2}, {&zero, 2048, 3}, {&other_zero, 2048, 4}, {&ring, 2048, 5}};
    for (guint i = 0; i < G_N_ELEMENTS(steps); i++) {
        g_assert_true(ps_driver_fill(&host.driver, steps[i].program, steps[i].bytes, NULL));
        g_assert_cmpint(host.writes, ==, steps[i].writes);
    }
    host.full = TRUE;
    GError *error = NULL;
    g_assert_false(ps_driver_fill(&host.driver, &ring, 4096, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_RESOURCES);
    g_clear_error(&error);
    host.full = FALSE;
    g_assert_true(ps_driver_fill(&host.driver, &ring, 2048, NULL));
    g_assert_cmpint(host.writes, ==, 6);
    ps_driver_clear(&host.driver);
}

/* ---- times --------------------------------------------------------------------------------- */

typedef struct {
    double cycles, span;
    GError *error;
} Taken;

static Taken take(const guint64 *times, const guint32 *cus, gsize n, gint64 warps)
{
    Taken taken = {0};
    PsWarpTimes of = {times, cus, n, warps};
    if (ps_warp_times(&of, &taken.cycles, &taken.span, &taken.error) && isnan(taken.cycles))
        ps_warp_times_uneven(&of, &taken.error);
    return taken;
}

static void check_error(GError *error, PsErrorCode code, const char *message)
{
    g_assert_error(error, PS_ERROR, (int)code);
    g_assert_cmpstr(error ? error->message : NULL, ==, message);
    g_clear_error(&error);
}

/* Four CUs, of which one got a warp too many, one has another epoch, and one overflows. */
static void test_median(void)
{
    const guint64 far = G_MAXUINT64 - 50;
    const guint64 times[] = {10, 110, 900000, 900120, 15,  125, 900005,  900130, 1,  90,
                             2,  91,  3,      92,     far, 100, far + 4, 90,     12, 140};
    const guint32 cus[] = {3, 70000, 3, 70000, 9, 9, 9, 5, 5, 44};
    Taken taken = take(times, cus, 10, 2);
    g_assert_no_error(taken.error);
    /* CU 3: 115; 70000: 130; 5: 151. CU 9 held three, 44 one. */
    g_assert_cmpfloat(taken.cycles, ==, 130);
    g_assert_cmpfloat(taken.span, ==, 151);
    taken = take(times, cus, 4, 2);
    g_assert_cmpfloat(taken.cycles, ==, 122.5);
    taken = take(times, cus, 10, 1);
    g_assert_cmpfloat(taken.cycles, ==, 128);
}

static void test_uneven(void)
{
    const guint64 times[] = {10, 20, 11, 21, 12, 22};
    const guint32 cus[] = {0, 0, 1};
    Taken taken = take(times, cus, 3, 3);
    check_error(taken.error, PS_ERROR_RESOURCES,
                "the groups did not spread evenly: no compute unit held exactly 3 warps at once, "
                "they got 1 to 2");
    const guint64 later[] = {10, 20, 20, 30};
    taken = take(later, cus, 2, 2);
    check_error(taken.error, PS_ERROR_RESOURCES,
                "the groups did not run at the same time: no compute unit held its 2 warps at "
                "once");
}

static void test_still(void)
{
    const guint64 times[] = {10, 20, 30, 30};
    const guint32 cus[] = {0, 1};
    Taken taken = take(times, cus, 2, 1);
    check_error(taken.error, PS_ERROR_DEVICE,
                "the device's cycle counter does not advance: warp 1 began at 30 and ended at 30");
    const guint64 backwards[] = {10, 20, 30, 29};
    taken = take(backwards, cus, 2, 1);
    check_error(taken.error, PS_ERROR_DEVICE,
                "the device's cycle counter does not advance: warp 1 began at 30 and ended at 29");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/driver/patterns", test_patterns);
    g_test_add_func("/driver/ring", test_ring);
    g_test_add_func("/driver/walk", test_walk);
    g_test_add_func("/driver/small-rings", test_small_rings);
    g_test_add_func("/driver/kept", test_kept);
    g_test_add_func("/driver/median", test_median);
    g_test_add_func("/driver/uneven", test_uneven);
    g_test_add_func("/driver/still", test_still);
    return g_test_run();
}
