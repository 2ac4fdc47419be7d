/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part of its buffer that a launch accesses: the addresses of kernels/, summed up.
 * tests/footprint compares it with the addresses in the kernels' own sources, and replays these
 * through caches.
 *
 * Group g is assumed on CU g modulo the number of CUs, since devices distribute in this way the
 * groups that all CUs hold at once.
 */
#include "latency-bench/internal.h"
#include "latency-bench/plan/plan-private.h"

#include <math.h>

/* Bytes of caches' sectors and lines. */
#define SECTOR 32
#define LINE 128

/* Lines at which warps take turns. */
#define LINES 16

/* Bytes of a line of a ring; each chain visits all of them. */
#define RING_LINE 256

/* Order of the matrices of tiles. */
#define ORDER 1024

typedef struct {
    const PsBenchKernel *kernel;
    const PsBenchLaunch *launch;
    gint64 cus, warp;
    gint64 steps;  /* accesses of each chain */
    gint64 chains; /* chains of all warps */
    gint64 threads, width;
} Walk;

static gint64 ceil_div(gint64 a, gint64 b)
{
    return (a + b - 1) / b;
}

/* Sectors that a warp's lanes touch, `apart` bytes from each to the next. */
static gint64 sectors_of(const Walk *walk, gint64 lanes, gint64 apart)
{
    return apart >= SECTOR ? lanes : MAX(1, ceil_div((lanes - 1) * apart + walk->width, SECTOR));
}

static gint64 lines_of(gint64 bytes)
{
    return ceil_div(bytes, LINE);
}

/* The footprint of adjacent bytes. */
static PsFootprint solid(gint64 bytes, gint64 sectors, gint64 reuse)
{
    return (PsFootprint){ceil_div(bytes, SECTOR) * SECTOR, lines_of(bytes), sectors, reuse};
}

/* ---- chains -------------------------------------------------------------------------------- */

/* A warp's lanes cover as many lines as they need, and each line is a chain of its own, which
 * begins at its share of the ring. */
static PsFootprint ring(const Walk *walk)
{
    gint64 n = 1;
    while (2 * n * RING_LINE <= walk->launch->memory)
        n *= 2;
    const gint64 apart = walk->width * walk->launch->step;
    const gint64 lines = MAX(1, walk->warp * apart / RING_LINE), chains = walk->chains * lines;
    const gint64 sectors = apart ? sectors_of(walk, walk->warp / lines, apart) : 1;
    const gint64 reach = (walk->warp / lines - 1) * apart + walk->width;
    const gint64 share = n / chains, visited = MIN(chains * walk->steps, n);
    return (PsFootprint){.bytes = visited * sectors * SECTOR,
                         .lines = visited * lines_of(reach),
                         .sectors = walk->launch->warps * lines * sectors,
                         .reuse =
                             walk->steps > share ? MAX(share, 1) * chains * sectors * SECTOR : 0};
}

/* Words that are loaded repeatedly. */
static PsFootprint words(const Walk *walk, gint64 count, gint64 warps)
{
    const gint64 bytes = MIN(count * walk->width, walk->launch->memory);
    const gint64 of_step = MIN(warps * walk->warp * walk->width, bytes);
    return solid(bytes, ceil_div(of_step, SECTOR), walk->steps > 1 ? bytes : 0);
}

static PsFootprint stream(const Walk *walk)
{
    const gint64 trip = walk->kernel->ilp * walk->kernel->unroll * walk->threads * walk->width;
    const gint64 span = walk->launch->memory / trip;
    const gint64 bytes = MIN(walk->launch->length, span) * trip;
    const gint64 of_warp = sectors_of(walk, walk->warp, walk->width);
    return solid(bytes, walk->launch->warps * of_warp,
                 walk->launch->length > span ? span * trip : 0);
}

/* Past the end of its buffer it continues at the start, wherever that is. */
static PsFootprint around(const Walk *walk, gint64 apart)
{
    const gint64 memory = walk->launch->memory, trip = walk->threads * apart;
    const gint64 touched = MIN(walk->launch->length * trip, memory);
    const gint64 of_step = walk->launch->warps * sectors_of(walk, walk->warp, apart);
    return solid(touched, MIN(of_step, memory / SECTOR),
                 walk->launch->length * trip <= memory ? 0
                 : trip > memory                       ? memory
                                                       : memory / trip * trip);
}

/* ---- tiles of a matrix --------------------------------------------------------------------- */

/* Lines of tiles (rows of A, columns of B) in which blocks of `n` groups, `apart` from each other,
 * begin: sets is_in, and returns their number. */
static gint64 mark_lines(const Walk *walk, gint64 n, gint64 apart, gint64 tiles, gboolean *is_in)
{
    const gboolean rows = walk->kernel->access == PS_ACCESS_TILES_A;
    gint64 count = 0;
    for (gint64 i = 0; i < n; i++) {
        const gint64 block = i * apart, line = (rows ? block / tiles : block) % tiles;
        count += !is_in[line];
        is_in[line] = TRUE;
    }
    return count;
}

/* The number of visited tiles of a line: at its line's end a block continues in the next one. */
static gint64 visited_in(const Walk *walk, const gboolean *is_in, gint64 tiles, gint64 line)
{
    gint64 most = 0;
    for (gint64 turn = 0; turn < tiles && turn * tiles < walk->steps; turn++)
        if (is_in[(line + tiles - turn) % tiles])
            most = MAX(most, MIN(tiles, walk->steps - turn * tiles));
    return most;
}

static PsFootprint tiles(const Walk *walk)
{
    const gboolean rows = walk->kernel->access == PS_ACCESS_TILES_A;
    const gint64 tile = (gint64)sqrt((double)walk->kernel->group_size), n = ORDER / tile;
    const gint64 sectors = tile * 4 * tile / SECTOR; /* sectors of a tile */
    const gint64 of_line = LINE / (4 * tile);        /* tiles that a line of the cache spans */
    g_autofree gboolean *all = g_new0(gboolean, n), *own = g_new0(gboolean, n);
    const gint64 groups = walk->launch->groups;
    const gint64 lines = mark_lines(walk, groups * walk->kernel->ilp, 1, n, all);
    const gint64 here = mark_lines(walk, groups / walk->cus, walk->cus, n, own);
    PsFootprint sum = {.sectors = here * sectors,
                       .reuse = walk->steps > n ? n * lines * sectors * SECTOR : 0};
    gint64 most = 0; /* most tiles of the columns that share lines of the cache */
    for (gint64 line = 0; line < n; line++) {
        const gint64 visited = visited_in(walk, all, n, line);
        most = MAX(line % of_line ? most : 0, visited);
        sum.bytes += visited * sectors * SECTOR;
        if (rows)
            sum.lines += tile * ceil_div(visited, of_line);
        else if ((line + 1) % of_line == 0)
            sum.lines += tile * most;
    }
    return sum;
}

/* ---- levels -------------------------------------------------------------------------------- */

/* If a ring is walked completely before the time begins, all of its lines are met again. */
static PsFootprint walk_lines(const Walk *walk)
{
    const gint64 n = walk->launch->memory / LINE, links = walk->steps + walk->launch->step;
    const gint64 visited = MIN(links, n);
    return (PsFootprint){visited * SECTOR, visited, 1, links > n ? n * SECTOR : 0};
}

/* Groups go from tile to tile in steps of their number; if that exceeds the tiles, each goes to the
 * next one. */
static PsFootprint flow(const Walk *walk, gint64 parts)
{
    const gint64 groups = walk->launch->groups, of_warp = sectors_of(walk, walk->warp, walk->width);
    const gint64 buffer = walk->launch->memory / parts;
    const gint64 tile = walk->kernel->ilp * walk->launch->group_size * walk->width;
    const gint64 n = buffer / tile, span = n > groups ? (n - 1) / groups * groups + 1 : MAX(n, 1);
    const gint64 met = MIN(walk->launch->length * groups, span), bytes = met * MIN(tile, buffer);
    const gint64 again = n > groups ? span - 1 : span; /* tiles until another group meets one */
    const gboolean is_again = walk->launch->length * groups > MAX(span, groups);
    return solid(parts * bytes, MIN(walk->launch->warps * of_warp, buffer / SECTOR),
                 is_again ? parts * again * MIN(tile, buffer) : 0);
}

/* The footprint of loads of a word in each line, or near it: no two threads share a line. */
static PsFootprint misses(const Walk *walk)
{
    const gint64 groups = walk->launch->groups;
    const gint64 units = walk->launch->memory / 4 / walk->kernel->apart;
    const gint64 tile = walk->kernel->ilp * walk->launch->group_size, n = units / tile;
    const gint64 span = n > groups ? (n - 1) / groups * groups + 1 : MAX(n, 1);
    const gint64 met = MIN(walk->launch->length * groups, span) * MIN(tile, units);
    const gint64 again = (n > groups ? span - 1 : span) * MIN(tile, units);
    const gboolean is_again = walk->launch->length * groups > MAX(span, groups);
    return (PsFootprint){.bytes = met * SECTOR,
                         .lines = met,
                         .sectors = MIN(walk->launch->warps * walk->warp, units),
                         .reuse = is_again ? again * SECTOR : 0};
}

/* A word for each warp, which all of its threads load. */
static PsFootprint same(const Walk *walk)
{
    const gint64 lanes = walk->warp, in_line = LINE / walk->width;
    const gint64 units = walk->launch->memory / walk->width;
    const gint64 warps = ceil_div(walk->launch->group_size, lanes);
    const gint64 sectors = MIN(walk->kernel->ilp * warps, units / lanes);
    return (PsFootprint){.bytes = sectors * SECTOR,
                         .lines = lanes < in_line ? ceil_div(sectors * lanes, in_line) : sectors,
                         .sectors = MIN(warps, units / lanes),
                         .reuse = walk->launch->length > 1 ? sectors * SECTOR : 0};
}

static gint64 count(const guint8 *marks, gint64 n)
{
    gint64 sum = 0;
    for (gint64 i = 0; i < n; i++)
        sum += marks[i];
    return sum;
}

/* Words of a warp's threads that lie apart, equal in all warps; each chain is one further on. */
static PsFootprint apart(const Walk *walk)
{
    const gint64 words = walk->launch->memory / 4, n = words * 4 / SECTOR;
    g_autofree guint8 *sectors = g_new0(guint8, n), *lines = g_new0(guint8, n), *first = NULL;
    for (gint64 i = 0; i < walk->kernel->ilp; i++) {
        for (gint64 lane = 0; lane < walk->warp; lane++) {
            const gint64 at = (i + walk->kernel->apart * lane) % words * 4;
            sectors[at / SECTOR] = lines[at / LINE] = 1;
        }
        if (i == 0)
            first = g_memdup2(sectors, (gsize)n);
    }
    return (PsFootprint){.bytes = count(sectors, n) * SECTOR,
                         .lines = count(lines, n),
                         .sectors = count(first, n),
                         .reuse = walk->launch->length > 1 ? count(sectors, n) * SECTOR : 0};
}

/* ---- all ----------------------------------------------------------------------------------- */

PsFootprint ps_bench_footprint(const PsBenchKernel *kernel, const PsDeviceInfo *info,
                               const PsBenchLaunch *launch)
{
    const gint64 warp = MAX(info->warp_size, 1), threads = launch->groups * launch->group_size;
    const gint64 warps = launch->groups * ceil_div(launch->group_size, warp);
    const Walk walk = {.kernel = kernel,
                       .launch = launch,
                       .cus = MAX(info->compute_units, 1),
                       .warp = warp,
                       .steps = launch->length * kernel->unroll,
                       .chains = warps * kernel->ilp,
                       .threads = threads,
                       .width = kernel->width};
    switch (kernel->access) {
    case PS_ACCESS_NONE:
        return (PsFootprint){0};
    case PS_ACCESS_RING:
        return ring(&walk);
    case PS_ACCESS_STREAM:
        return stream(&walk);
    case PS_ACCESS_SHARED:
        return words(&walk, kernel->ilp * warp, 1);
    case PS_ACCESS_OWN:
        return words(&walk, kernel->ilp * threads, launch->warps);
    case PS_ACCESS_TILES_A:
    case PS_ACCESS_TILES_B:
        return tiles(&walk);
    case PS_ACCESS_WALK:
        return walk_lines(&walk);
    case PS_ACCESS_FLOW:
        return flow(&walk, 1);
    case PS_ACCESS_COPY:
        return flow(&walk, 2);
    case PS_ACCESS_MISS:
        return misses(&walk);
    case PS_ACCESS_SAME:
        return same(&walk);
    case PS_ACCESS_APART:
        return apart(&walk);
    case PS_ACCESS_POINT:
    case PS_ACCESS_SECTOR:
        return solid(walk.width, 1, launch->length > 1 ? SECTOR : 0);
    case PS_ACCESS_LINE:
        return solid(LINE, LINE / SECTOR, launch->length > 1 ? LINE : 0);
    case PS_ACCESS_LINES:
        return solid(MIN(warps, LINES) * LINE, MIN(launch->warps, LINES) * LINE / SECTOR,
                     launch->length > 1 ? MIN(warps, LINES) * LINE : 0);
    case PS_ACCESS_SECTORS:
        return around(&walk, walk.width);
    case PS_ACCESS_PARTIAL:
        return around(&walk, SECTOR);
    }
    return (PsFootprint){0};
}

gboolean ps_bench_is_cold(const PsBenchKernel *kernel, const PsBenchLaunch *launch)
{
    /* A walk through part of a buffer meets lines that nothing has met since the buffer was
     * filled. */
    return kernel->kind == PS_BENCH_LEVEL ? kernel->access == PS_ACCESS_WALK && launch->step == 0
                                          : kernel->level == PS_LEVEL_DEVICE;
}
