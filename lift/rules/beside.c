/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds accesses to global memory that one wider access could replace: those of one straight piece
 * of a body whose bytes were adjacent in every execution (memory/beside.h) and fill an aligned
 * piece of memory. Unlike "merge-loads" the compiler does not do this: it knows neither the
 * alignment of pointers nor what else they point to.
 */
#include "lift/memory/beside.h"
#include "lift/rules/rules.h"

#include <string.h>

/* An access by its place relative to another one, the leader. */
typedef struct {
    guint spot, leader;
    guint around; /* as in spots */
    gint64 from;  /* bytes */
    guint bytes;
    gboolean taken; /* it is part of a piece */
} Access;

typedef struct {
    PsSpots *spots;
    GArray *accesses; /* Access, of the present straight piece, in program order */
} Search;

static const PsPtxMnemonic *mnemonic_of(const PsSpots *spots, const PsSpot *spot)
{
    return ps_facts_instruction(spots->facts, spot->point)->mnemonic;
}

/* TRUE for an access about which something was found. */
static gboolean is_known(const PsSpots *spots, const PsSpot *spot)
{
    return spot->kind == PS_SPOT_STEP && spot->role == PS_ROLE_NODE && spot->alive &&
           spot->pattern && ps_pattern_beside(spot->pattern) &&
           !ps_ptx_has(mnemonic_of(spots, spot), "acquire") &&
           !ps_ptx_has(mnemonic_of(spots, spot), "release");
}

static gboolean is_plain(const PsSpots *spots, const PsSpot *spot)
{
    const PsPtxMnemonic *mnemonic = mnemonic_of(spots, spot);
    static const char *const ordered[] = {"volatile", "relaxed", "mmio"};
    for (gsize i = 0; i < G_N_ELEMENTS(ordered); i++)
        if (ps_ptx_has(mnemonic, ordered[i]))
            return FALSE;
    return is_known(spots, spot) &&
           (strcmp(mnemonic->opcode, "ld") == 0 || strcmp(mnemonic->opcode, "st") == 0);
}

/* TRUE for an atomic that adds: several become one of their sum. */
static gboolean is_sum(const PsSpots *spots, const PsSpot *spot)
{
    const PsPtxMnemonic *mnemonic = mnemonic_of(spots, spot);
    return is_known(spots, spot) && ps_ptx_has(mnemonic, "add") &&
           (strcmp(mnemonic->opcode, "atom") == 0 || strcmp(mnemonic->opcode, "red") == 0);
}

/* The latest access of that point in the same body; NULL: there is none. */
static const Access *latest_of(const Search *search, guint point, guint around)
{
    for (guint i = search->accesses->len; i-- > 0;) {
        const Access *access = &g_array_index(search->accesses, Access, i);
        if (access->around == around && ps_spot(search->spots, access->spot)->point == point)
            return access;
    }
    return NULL;
}

static void add_access(Search *search, guint i)
{
    const PsSpot *spot = ps_spot(search->spots, i);
    const PsBeside *beside = ps_pattern_beside(spot->pattern);
    const Access *other = latest_of(search, beside->other, spot->around);
    const Access access = {.spot = i,
                           .leader = other ? other->leader : i,
                           .around = spot->around,
                           .from = other ? other->from + beside->distance : 0,
                           .bytes = spot->pattern->bytes};
    g_array_append_val(search->accesses, access);
}

/* The access with the same leader at that distance that is not taken; NULL: there is none. */
static Access *access_at(const Search *search, const Access *first, gint64 from)
{
    for (guint i = 0; i < search->accesses->len; i++) {
        Access *access = &g_array_index(search->accesses, Access, i);
        if (access->leader == first->leader && access->from == from &&
            access->bytes == first->bytes && !access->taken)
            return access;
    }
    return NULL;
}

/* TRUE if that many bytes from the access's on are a piece: aligned, and accessed completely. */
static gboolean is_piece(const Search *search, const Access *first, guint bytes)
{
    const PsSpot *spot = ps_spot(search->spots, first->spot);
    const PsBeside *beside = ps_pattern_beside(spot->pattern);
    if (beside->unit < bytes || beside->low % bytes != 0)
        return FALSE;
    for (guint at = first->bytes; at < bytes; at += first->bytes)
        if (!access_at(search, first, first->from + at))
            return FALSE;
    return TRUE;
}

static void join(const Search *search, const Access *first, guint bytes)
{
    guint leader = first->spot;
    const gint64 from = first->from;
    for (guint at = 0; at < bytes; at += first->bytes)
        leader = MIN(leader, access_at(search, first, from + at)->spot);
    for (guint at = 0; at < bytes; at += first->bytes) {
        Access *access = access_at(search, first, from + at);
        ps_spot(search->spots, access->spot)->beside = leader;
        access->taken = TRUE;
    }
}

static void end_straight(Search *search)
{
    for (guint bytes = PS_WIDEST; bytes >= 2; bytes /= 2)
        for (guint i = 0; i < search->accesses->len; i++) {
            Access *access = &g_array_index(search->accesses, Access, i);
            if (!access->taken && access->bytes < bytes && is_piece(search, access, bytes))
                join(search, access, bytes);
        }
    g_array_set_size(search->accesses, 0);
}

/* A load does not move before a place where others may write its data. */
static gboolean ends_straight(const PsSpots *spots, const PsSpot *spot)
{
    if (spot->kind != PS_SPOT_STEP || spot->role == PS_ROLE_WAIT)
        return TRUE;
    const PsClassKind kind = spots->facts->facts[spot->point].class.kind;
    return kind == PS_CLASS_BARRIER || kind == PS_CLASS_EFFECT || kind == PS_CLASS_ATOMIC;
}

/* ---- loops --------------------------------------------------------------------------------- */

static gboolean has_barrier(const PsSpots *spots, guint loop)
{
    for (guint i = loop + 1; i < ps_spot(spots, loop)->partner; i++)
        if (ps_spot(spots, i)->kind == PS_SPOT_STEP &&
            ps_spot_fact(spots, i)->class.kind == PS_CLASS_BARRIER)
            return TRUE;
    return FALSE;
}

/* The number of consecutive accesses of a load in a loop that fill a piece; 0: none do. */
static guint vector_of(const PsSpots *spots, guint i)
{
    const PsSpot *spot = ps_spot(spots, i);
    const gint64 n = PS_WIDEST / MAX(spot->pattern->bytes, 1);
    if (n < 2 || spot->around == PS_NO_SPOT || spot->beside != PS_NO_SPOT ||
        ps_spot_fact(spots, i)->class.kind != PS_CLASS_LOAD || has_barrier(spots, spot->around))
        return 0;
    const gboolean fills = ps_pattern_beside(spot->pattern)->walks % n == 0;
    const PsSpot *loop = ps_spot(spots, spot->around);
    return fills && loop->times * loop->copies % n == 0 ? (guint)n : 0;
}

/* The number of loops around it in which its address stays; without a barrier in them, other
 * threads did not write there. */
static guint invariant_of(const PsSpots *spots, guint i)
{
    const gint64 stays = ps_pattern_beside(ps_spot(spots, i)->pattern)->stays;
    gint64 times = 1;
    guint n = 0;
    for (guint loop = ps_spot(spots, i)->around; loop != PS_NO_SPOT;
         loop = ps_spot(spots, loop)->around, n++) {
        if (has_barrier(spots, loop) ||
            __builtin_mul_overflow(
                times, ps_spot(spots, loop)->times * ps_spot(spots, loop)->copies, &times) ||
            times == 0 || stays % times != 0)
            break;
    }
    return n;
}

void ps_spots_find_beside(PsSpots *spots)
{
    g_autoptr(GArray) accesses = g_array_new(FALSE, FALSE, sizeof(Access));
    Search search = {spots, accesses};
    for (guint i = 0; i < spots->spots->len; i++) {
        if (ends_straight(spots, ps_spot(spots, i)))
            end_straight(&search);
        if (is_plain(spots, ps_spot(spots, i)))
            add_access(&search, i);
    }
    end_straight(&search);
    for (guint i = 0; i < spots->spots->len; i++) {
        PsSpot *spot = ps_spot(spots, i);
        if (is_plain(spots, spot))
            spot->vector = vector_of(spots, i);
        if (is_plain(spots, spot) || is_sum(spots, spot))
            spot->invariant = invariant_of(spots, i);
    }
}
