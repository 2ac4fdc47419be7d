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
    const PsDriverProgram program = {.serial = 1 + (guint)pattern, .pattern = pattern};
    g_assert_true(ps_driver_fill(&host->driver, &program, bytes, NULL));
    return (guint32 *)(host->driver.memory.buffer + host->driver.memory.start);
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
    words = filled(&host, PS_MEMORY_FLOATS, MANY_BYTES);
    for (gsize i = 0; i < n; i++)
        wrong += words[i] >> 23 != 127; /* from 1 to below 2 */
    g_assert_cmpuint(wrong, ==, 0);
    g_assert_cmpint(host.writes, ==, 6);
    filled(&host, PS_MEMORY_NONE, 0);
    g_assert_cmpuint(host.bytes, ==, 256);
    g_assert_cmpint(host.writes, ==, 6);
    ps_driver_clear(&host.driver);
}

/* The largest power of two of lines in MANY_BYTES. */
#define RING_LINES 32768u

/* What a word leads to: it holds an address's lower half, counted from base, or without addresses
 * from 0. */
static guint32 led_to(const guint32 *words, guint32 at, guint64 base)
{
    return (words[at] - (guint32)base) / 4;
}

/* Each word of a line leads through all lines once, at the same place of each, and far; what is
 * left over leads to itself. */
static void check_ring(const guint32 *words, guint64 base)
{
    for (guint32 lane = 0; lane < 64; lane += 63) {
        guint32 at = lane;
        gsize steps = 0, neighbours = 0;
        do {
            guint32 next = led_to(words, at, base);
            neighbours += next == at + 64;
            at = next;
            steps++;
        } while (at != lane && at % 64 == lane && steps <= RING_LINES);
        g_assert_cmpuint(at, ==, lane);
        g_assert_cmpuint(steps, ==, RING_LINES);
        g_assert_cmpuint(neighbours, <, 10);
    }
    gsize wrong = 0;
    for (guint32 i = RING_LINES * 64; i < MANY_BYTES / 4; i++)
        wrong += led_to(words, i, base) != i;
    g_assert_cmpuint(wrong, ==, 0);
}

static void test_ring(void)
{
    PsDriverCalls by_address = calls;
    by_address.addresses = TRUE;
    Host host = {.driver.calls = &calls};
    check_ring(filled(&host, PS_MEMORY_RING, MANY_BYTES), 0);
    ps_driver_clear(&host.driver);
    host.driver.calls = &by_address;
    const guint32 *words = filled(&host, PS_MEMORY_RING, MANY_BYTES);
    check_ring(words, (guint64)(gsize)words);
    ps_driver_clear(&host.driver);
}

/* A driver whose addresses are not where its memory is: a border of 4 GiB is a page behind the
 * start, and in what is had twice as large `before` bytes behind it. */
#define BORDER G_GUINT64_CONSTANT(0x230000000000)

typedef struct {
    Host host;
    char *memory;
    gsize before;
} Far;

static gboolean allocate_across(PsDriver *driver, gsize bytes, PsBuffer *buffer, GError **error)
{
    Far *far = (Far *)driver;
    (void)error;
    far->memory = g_malloc(bytes);
    far->host.bytes = bytes;
    *buffer = BORDER - (bytes <= MANY_BYTES ? 4096 : far->before);
    return TRUE;
}

static void discard_far(PsDriver *driver, PsBuffer buffer)
{
    (void)buffer;
    g_free(((Far *)driver)->memory);
}

static gboolean write_far(PsDriver *driver, PsBuffer to, gsize offset, GBytes *data, GError **error)
{
    (void)to;
    return write_to(driver, (PsBuffer)((Far *)driver)->memory, offset, data, error);
}

/* All addresses of a ring have the same upper half, on the side of the border where there is room.
 */
static void check_window(gsize before, guint64 first)
{
    const PsDriverCalls across = {
        .addresses = TRUE, .allocate = allocate_across, .discard = discard_far, .write = write_far};
    Far far = {.host.driver.calls = &across, .before = before};
    filled(&far.host, PS_MEMORY_RING, MANY_BYTES);
    const PsDriverStore *store = &far.host.driver.memory;
    const guint32 *words = (const guint32 *)(const void *)(far.memory + store->start);
    g_assert_cmpuint(store->buffer + store->start, ==, first);
    g_assert_cmpuint(far.host.bytes, ==, 2 * MANY_BYTES);
    check_ring(words, first);
    /* Other contents of that size find their place there, too. */
    filled(&far.host, PS_MEMORY_ZERO, MANY_BYTES);
    g_assert_cmpuint(store->buffer + store->start, ==, first);
    g_assert_cmpuint(words[7], ==, 0);
    ps_driver_clear(&far.host.driver);
}

static void test_window(void)
{
    check_window(MANY_BYTES - 4096, BORDER);
    check_window(MANY_BYTES, BORDER - MANY_BYTES);
    check_window(MANY_BYTES + 4096, BORDER - MANY_BYTES - 4096);
}

static void check_large_ring(PsBenchMemory pattern, gboolean addresses)
{
    PsDriverCalls how = calls;
    how.addresses = addresses;
    Host host = {.driver.calls = &how};
    const PsDriverProgram program = {.serial = 1, .pattern = pattern};
    GError *error = NULL;
    g_assert_false(ps_driver_fill(&host.driver, &program, G_GINT64_CONSTANT(5) << 30, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_RESOURCES);
    g_assert_cmpstr(error ? error->message : NULL, ==,
                    "a ring of pointers with 32 bits has at most 4 GiB, and the launch wants "
                    "5368709120 bytes");
    g_clear_error(&error);
    g_assert_cmpuint(host.bytes, ==, 0);
}

static void test_large_ring(void)
{
    check_large_ring(PS_MEMORY_RING, TRUE);
    check_large_ring(PS_MEMORY_RING, FALSE);
    check_large_ring(PS_MEMORY_WALK, FALSE);
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
            at = words[at] / 4;
            steps++;
        } while (at != 0 && steps < 10);
        g_assert_cmpuint(steps, ==, bytes < 512 ? 1 : bytes < 1024 ? 2 : 4);
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

/* ---- where chains of a ring start ---------------------------------------------------------- */

typedef guint32 U32;
typedef guint64 U64;
static U32 WARP, LANE, WARPS, WORDS, elements, step, zero;
#define WARP_SIZE 32u
#define ILP 2u
#define POINTER_TO(word) (word)
#include "latency-bench/kernels/ring.h"

/* Steps that a chain can make before any lane meets a line that another one of its warps' parts
 * brought. */
static void check_starts(const guint32 *words, U32 stride, U32 width)
{
    enum { STEPS = 32 };
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL); /* lines, and which part met them */
    WARPS = 16, elements = MANY_BYTES / 4, step = stride, WORDS = width;
    SETUP
    for (WARP = 0; WARP < WARPS; WARP++)
        for (U32 chain = 0; chain < ILP; chain++)
            for (LANE = 0; LANE < WARP_SIZE; LANE++) {
                U32 at = START(chain);
                gpointer part = GUINT_TO_POINTER((U32)PART(chain) + 1);
                g_assert_cmpuint(at % 64, ==, LANE * stride * width % 64);
                for (U32 k = 0; k < STEPS; k++, at = words[at] / 4) {
                    gpointer line = GUINT_TO_POINTER(at / 64), before;
                    before = g_hash_table_lookup(seen, line);
                    g_assert_true(!before || before == part);
                    g_hash_table_insert(seen, line, part);
                }
            }
    g_assert_cmpuint(lines, ==, RING_LINES);
    g_assert_cmpuint(g_hash_table_size(seen), ==, WARPS * ILP * parts * STEPS);
}

static void test_starts(void)
{
    Host host = {.driver.calls = &calls};
    const guint32 *words = filled(&host, PS_MEMORY_RING, MANY_BYTES);
    for (U32 stride = 0; stride <= 32; stride = stride ? 2 * stride : 1)
        check_starts(words, stride, 1);
    check_starts(words, 1, 2);
    check_starts(words, 1, 4);
    ps_driver_clear(&host.driver);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/driver/patterns", test_patterns);
    g_test_add_func("/driver/ring", test_ring);
    g_test_add_func("/driver/window", test_window);
    g_test_add_func("/driver/large-ring", test_large_ring);
    g_test_add_func("/driver/starts", test_starts);
    g_test_add_func("/driver/walk", test_walk);
    g_test_add_func("/driver/small-rings", test_small_rings);
    g_test_add_func("/driver/kept", test_kept);
    g_test_add_func("/driver/median", test_median);
    g_test_add_func("/driver/uneven", test_uneven);
    g_test_add_func("/driver/still", test_still);
    return g_test_run();
}
