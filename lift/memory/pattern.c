/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Describes one access of a warp: the sectors that its lanes touch, and the passes in which banks
 * serve it. Lanes at consecutive addresses, and all at one address, are most of what there is and
 * take a short way.
 *
 * A part of the warp that is served at once takes as many passes as the fullest bank has words; an
 * access's degree is the mean over its parts that have lanes, rounded up. Lanes that read or write
 * the same word share a pass, but not where each updates it (atomics that do more than to count
 * lanes). Of wide loads twice as many lanes are served at once where they ask for the same by twos.
 * Constant memory serves one address at a time: the degree is the number of different ones.
 *
 * Threads' own memory (.local) is laid out so that a word of all lanes is one line: lane l's word w
 * is at (32 w + l) * 4, in a range of addresses that the warp has for itself.
 */
#include "base/class-name.h"
#include "lift/memory/cache.h"

#include <string.h>

#define PRIVATE_BASE (G_GUINT64_CONSTANT(1) << 63)
#define PRIVATE_WARP 40 /* bits of a warp's range */

PsClassAccess ps_pattern_access(const PsPattern *pattern)
{
    if (pattern->broadcast)
        return (PsClassAccess){.broadcast = TRUE};
    if (pattern->pairs && pattern->bytes > 4)
        return (PsClassAccess){.conflicts = pattern->degree, .pairs = 2};
    if (pattern->degree > 1)
        return (PsClassAccess){.conflicts = pattern->degree};
    if (pattern->sectors > pattern->least)
        return (PsClassAccess){.sectors = pattern->sectors};
    return (PsClassAccess){.broadcast = FALSE};
}

void ps_pattern_demand(const PsPattern *pattern, PsDemand *sum)
{
    if (pattern->space == PS_PTX_GLOBAL)
        sum->sectors += pattern->spread > 0 ? pattern->spread : pattern->sectors * PS_SECTOR;
    else if (pattern->space != PS_PTX_LOCAL)
        sum->passes += (guint64)pattern->degree * pattern->passes;
}

PsAccess ps_access_of(const PsPtxMnemonic *mnemonic)
{
    static const char *const atomics[] = {"atom", "red", "mbarrier", "multimem", NULL};
    const gboolean map = strcmp(mnemonic->opcode, "tensormap") == 0;
    const char *opcode = mnemonic->opcode;
    if (ps_ptx_has(mnemonic, "test_wait") || ps_ptx_has(mnemonic, "try_wait"))
        return PS_ACCESS_LOAD;
    if (g_strv_contains(atomics, opcode) || (map && !ps_ptx_has(mnemonic, "replace")))
        return PS_ACCESS_ATOMIC;
    if (!strcmp(opcode, "cp"))
        return ps_ptx_has(mnemonic, "reduce")     ? PS_ACCESS_ATOMIC
               : ps_ptx_has(mnemonic, "prefetch") ? PS_ACCESS_LOAD
                                                  : PS_ACCESS_STORE;
    if (map || !strcmp(opcode, "st") || !strcmp(opcode, "stmatrix") ||
        ps_ptx_has(mnemonic, "store"))
        return PS_ACCESS_STORE;
    return PS_ACCESS_LOAD;
}

/* ---- addresses ----------------------------------------------------------------------------- */

/* The order of lanes' addresses. */
typedef enum { ONE, CONSECUTIVE, ASCENDING, ANY } Order;

/* Copies the addresses of the lanes in mask (at least one) to `list`; returns their order. */
static Order gather(const PsPtxEvent *event, guint64 list[PS_PTX_LANES], guint *n)
{
    guint count = 0;
    list[0] = 0;
    gboolean one = TRUE;
    gboolean consecutive = TRUE;
    gboolean ascending = TRUE;
    for (guint32 rest = event->mask; rest; rest &= rest - 1) {
        guint64 address = event->address[__builtin_ctz(rest)];
        if (count > 0) {
            one = one && address == list[0];
            consecutive = consecutive && address == list[count - 1] + event->bytes;
            ascending = ascending && address >= list[count - 1];
        }
        list[count++] = address;
    }
    *n = count;
    return one ? ONE : consecutive ? CONSECUTIVE : ascending ? ASCENDING : ANY;
}

static void sort(guint64 *list, guint n)
{
    for (guint i = 1; i < n; i++) {
        guint64 value = list[i];
        guint k = i;
        for (; k > 0 && list[k - 1] > value; k--)
            list[k] = list[k - 1];
        list[k] = value;
    }
}

/* ---- sectors ------------------------------------------------------------------------------- */

/* The words of a line between two of its bytes, as bits. */
static guint words_of(guint64 first, guint64 last)
{
    return (2U << last % PS_LINE / PS_WORD) - (1U << first % PS_LINE / PS_WORD);
}

/* The sectors of a line that the bytes from begin to end fill, as bits. */
static guint whole_sectors(guint64 begin, guint64 end)
{
    const guint first = (guint)((begin % PS_LINE + PS_SECTOR - 1) / PS_SECTOR);
    const guint last = (guint)((begin % PS_LINE + (end - begin)) / PS_SECTOR);
    return last > first ? (1U << last) - (1U << first) : 0;
}

/* Adds the sectors of the bytes from begin to end. Ranges of other calls are not adjacent; later
 * calls must not be in an earlier line. */
static void touch(GArray *touches, guint64 begin, guint64 end)
{
    guint64 last = (end - 1) / PS_SECTOR;
    for (guint64 sector = begin / PS_SECTOR; sector <= last;) {
        guint64 line = sector / PS_LINE_SECTORS;
        guint64 stop = MIN(last, line * PS_LINE_SECTORS + PS_LINE_SECTORS - 1);
        guint from = (guint)(sector % PS_LINE_SECTORS);
        guint sectors = ((1U << (stop - sector + 1)) - 1) << from;
        if (touches->len == 0 || g_array_index(touches, PsTouch, touches->len - 1).line != line) {
            PsTouch next = {.line = line};
            g_array_append_val(touches, next);
        }
        PsTouch *last_line = &g_array_index(touches, PsTouch, touches->len - 1);
        const guint64 low = MAX(begin, sector * PS_SECTOR), high = MIN(end, (stop + 1) * PS_SECTOR);
        last_line->sectors |= sectors;
        last_line->whole |= whole_sectors(low, high);
        last_line->words |= words_of(low, high - 1);
        sector = stop + 1;
    }
}

/* Adds the sectors of ascending addresses; returns how many different bytes they hold. *spread: the
 * mean number of sectors over all places in a sector where the access could begin, times the bytes
 * of a sector. For each address, the chance to begin a new sector grows with its distance from the
 * one before, up to a sector's bytes. */
static guint64 touch_all(GArray *touches, const guint64 *list, guint n, guint bytes, guint *spread)
{
    guint64 unique = 0;
    *spread = PS_SECTOR + (bytes > PS_SECTOR ? bytes - PS_SECTOR : 0);
    guint64 begin = list[0];
    guint64 end = begin + bytes;
    for (guint i = 1; i < n; i++) {
        if (list[i] > end) {
            touch(touches, begin, end);
            unique += end - begin;
            begin = list[i];
        }
        end = MAX(end, list[i] + bytes);
        *spread += (guint)MIN(list[i] - list[i - 1], PS_SECTOR);
    }
    touch(touches, begin, end);
    return unique + (end - begin);
}

static void measure_sectors(PsPattern *pattern, GArray *touches, guint64 unique)
{
    pattern->lines = touches->len;
    for (guint i = 0; i < touches->len; i++)
        pattern->sectors += ps_count_sectors(g_array_index(touches, PsTouch, i).sectors);
    pattern->least = (guint)((unique + PS_SECTOR - 1) / PS_SECTOR);
}

static int by_address(gconstpointer a, gconstpointer b)
{
    const guint64 x = ((const PsPtxPiece *)a)->address, y = ((const PsPtxPiece *)b)->address;
    return x < y ? -1 : x > y;
}

/* Measures the rows of a box that a tensor map copies. */
static void measure_pieces(const PsPtxEvent *event, PsPattern *pattern, GArray *touches)
{
    g_autoptr(GArray) list = g_array_sized_new(FALSE, FALSE, sizeof(PsPtxPiece), event->n_pieces);
    guint64 unique = 0;
    g_array_append_vals(list, event->pieces, event->n_pieces);
    g_array_sort(list, by_address);
    for (guint i = 0, next; i < list->len; i = next) {
        const guint64 begin = g_array_index(list, PsPtxPiece, i).address;
        guint64 end = begin;
        for (next = i; next < list->len; next++) {
            const PsPtxPiece *piece = &g_array_index(list, PsPtxPiece, next);
            if (piece->address > end)
                break;
            end = MAX(end, piece->address + piece->bytes);
            unique += piece->bytes;
        }
        touch(touches, begin, end);
    }
    measure_sectors(pattern, touches, unique);
}

static void measure_global(const PsPtxEvent *event, PsPattern *pattern, GArray *touches)
{
    guint64 list[PS_PTX_LANES];
    guint n = 0;
    Order order = gather(event, list, &n);
    pattern->broadcast = order == ONE && n > 1;
    if (order == ANY)
        sort(list, n);
    guint bytes = event->bytes;
    if (order == CONSECUTIVE) {
        bytes *= n;
        n = 1;
    }
    measure_sectors(pattern, touches, touch_all(touches, list, n, bytes, &pattern->spread));
}

static int by_number(gconstpointer a, gconstpointer b)
{
    guint64 x = *(const guint64 *)a;
    guint64 y = *(const guint64 *)b;
    return x < y ? -1 : x > y;
}

static void measure_private(const PsPtxEvent *event, PsPattern *pattern, PsTouches *scratch)
{
    guint n_words = MAX(event->bytes / 4, 1);
    guint bytes = MIN(event->bytes, 4);
    guint64 base = PRIVATE_BASE + ((guint64)event->warp << PRIVATE_WARP);
    gboolean ascending = TRUE;
    g_array_set_size(scratch->words, 0);
    for (guint word = 0; word < n_words; word++) {
        for (guint32 rest = event->mask; rest; rest &= rest - 1) {
            guint lane = (guint)__builtin_ctz(rest);
            guint64 at = event->address[lane] & ((G_GUINT64_CONSTANT(1) << 32) - 1);
            at = base + ((at / 4 + word) * PS_PTX_LANES + lane) * 4 + at % 4;
            guint len = scratch->words->len;
            if (len > 0 && g_array_index(scratch->words, guint64, len - 1) > at)
                ascending = FALSE;
            g_array_append_val(scratch->words, at);
        }
    }
    if (!ascending)
        g_array_sort(scratch->words, by_number);
    const guint64 *list = (const guint64 *)(gconstpointer)scratch->words->data;
    measure_sectors(
        pattern, scratch->touches,
        touch_all(scratch->touches, list, scratch->words->len, bytes, &pattern->spread));
    pattern->wavefronts = pattern->lines;
}

/* ---- banks --------------------------------------------------------------------------------- */

/* The different words of each bank that one part of the warp needs. */
typedef struct {
    guint n;
    guint64 words[PS_BANKS];
    guint8 next[PS_BANKS];  /* [word]: the next one of the same bank, plus 1 */
    guint8 heads[PS_BANKS]; /* [bank]: its first word, plus 1 */
    guint8 counts[PS_BANKS];
    guint most;
} Part;

static void want(Part *part, guint64 word, gboolean shared)
{
    guint bank = (guint)(word % PS_BANKS);
    for (guint i = part->heads[bank]; shared && i > 0; i = part->next[i - 1])
        if (part->words[i - 1] == word)
            return;
    part->words[part->n] = word;
    part->next[part->n] = part->heads[bank];
    part->heads[bank] = (guint8)(++part->n);
    part->counts[bank]++;
    part->most = MAX(part->most, part->counts[bank]);
}

/* TRUE if no bank has two of these lanes' words, nor one word twice, unless lanes can share a
 * word. */
static gboolean no_conflict(const PsPtxEvent *event, guint first, guint n, gboolean shared)
{
    guint n_words = (event->bytes + 3) / 4;
    guint64 words[PS_BANKS];
    guint32 used = 0;
    for (guint lane = first; lane < first + n; lane++) {
        for (guint i = 0; (event->mask >> lane & 1) && i < n_words; i++) {
            guint64 word = event->address[lane] / 4 + i;
            guint bank = (guint)(word % PS_BANKS);
            if ((used >> bank & 1) && (words[bank] != word || !shared))
                return FALSE;
            used |= 1U << bank;
            words[bank] = word;
        }
    }
    return TRUE;
}

/* The passes of n lanes from `first` on: the words of the fullest bank. */
static guint passes_of(const PsPtxEvent *event, guint first, guint n, gboolean shared)
{
    if (no_conflict(event, first, n, shared))
        return 1;
    guint n_words = (event->bytes + 3) / 4;
    Part part = {0};
    for (guint lane = first; lane < first + n; lane++)
        for (guint word = 0; (event->mask >> lane & 1) && word < n_words; word++)
            want(&part, event->address[lane] / 4 + word, shared);
    return part.most;
}

/* TRUE if each active lane asks for the same as the lane whose number differs in that bit, or that
 * lane is inactive. For narrow loads, which are served at once anyway, at least two lanes must do
 * so: a wide load made of several then loses nothing. */
static gboolean shared_with(const PsPtxEvent *event, guint bit)
{
    gboolean shares = event->bytes > 4;
    for (guint lane = 0; lane < PS_PTX_LANES; lane++) {
        const guint other = lane ^ bit;
        if (!(event->mask >> lane & event->mask >> other & 1))
            continue;
        if (event->address[lane] != event->address[other])
            return FALSE;
        shares = TRUE;
    }
    return shares;
}

/* Passes of all parts of the warp; *parts: parts with lanes, each served at once. */
static guint all_passes(const PsPtxEvent *event, PsAccess access, Order order, gboolean pairs,
                        guint *parts)
{
    guint lanes = PS_PTX_LANES; /* lanes that are served at once */
    while (lanes > 1 && lanes * event->bytes > PS_BANKS * 4 && event->bytes > 4)
        lanes /= 2;
    if (pairs && lanes < PS_PTX_LANES)
        lanes *= 2;
    gboolean shared = access != PS_ACCESS_ATOMIC;
    gboolean fast = (order == ONE && shared) || (order == CONSECUTIVE && event->bytes % 4 == 0);
    if (event->bytes > PS_BANKS * 4)
        fast = TRUE; /* consecutive words lie in different banks */
    guint total = 0;
    *parts = 0;
    for (guint first = 0; first < PS_PTX_LANES; first += lanes) {
        guint32 part = (guint32)(((G_GUINT64_CONSTANT(1) << lanes) - 1) << first);
        if (!(event->mask & part))
            continue;
        total += fast ? 1 : passes_of(event, first, lanes, shared);
        ++*parts;
    }
    return total;
}

static void measure_shared(const PsPtxEvent *event, PsAccess access, PsPattern *pattern)
{
    guint64 list[PS_PTX_LANES];
    guint n = 0;
    Order order = gather(event, list, &n);
    pattern->broadcast = order == ONE && n > 1 && access == PS_ACCESS_LOAD;
    pattern->pairs = access == PS_ACCESS_LOAD && (shared_with(event, 1) || shared_with(event, 2));
    const guint total = all_passes(event, access, order, pattern->pairs, &pattern->passes);
    pattern->degree = (total + pattern->passes - 1) / pattern->passes;
}

/* L1 and local memory are one memory with one set of banks. Only for local memory is it known that
 * lanes which share a wide load make fewer parts. */
static void measure_wavefronts(const PsPtxEvent *event, PsAccess access, PsPattern *pattern)
{
    guint64 list[PS_PTX_LANES];
    guint n = 0, parts;
    const Order order = gather(event, list, &n);
    pattern->wavefronts = all_passes(event, access, order, FALSE, &parts);
}

static void measure_constant(const PsPtxEvent *event, PsPattern *pattern)
{
    guint64 list[PS_PTX_LANES];
    guint n = 0;
    Order order = gather(event, list, &n);
    pattern->broadcast = order == ONE && n > 1;
    pattern->passes = 1;
    pattern->degree = 1;
    if (order == ANY)
        sort(list, n);
    for (guint i = 1; i < n; i++)
        pattern->degree += list[i] != list[i - 1];
}

void ps_pattern_measure(const PsPtxEvent *event, PsAccess access, PsPattern *pattern,
                        PsTouches *scratch)
{
    *pattern = (PsPattern){
        .point = event->point, .space = event->space, .bytes = event->bytes, .wait = event->wait};
    g_array_set_size(scratch->touches, 0);
    if (event->bytes == 0 || event->mask == 0)
        return;
    switch (event->space) {
    case PS_PTX_SHARED:
        measure_shared(event, access, pattern);
        break;
    case PS_PTX_CONST:
        measure_constant(event, pattern);
        break;
    case PS_PTX_LOCAL:
        measure_private(event, pattern, scratch);
        break;
    default:
        if (event->n_pieces > 0) {
            measure_pieces(event, pattern, scratch->touches);
            return;
        }
        measure_global(event, pattern, scratch->touches);
        measure_wavefronts(event, access, pattern);
        pattern->broadcast = pattern->broadcast && access == PS_ACCESS_LOAD;
        break;
    }
}
