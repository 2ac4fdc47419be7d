/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the traffic of an access's node: bytes, shares of the levels, lines, neighbours. */
#include "lift/emit/emit-private.h"

#include "base/class-name.h"
#include "idg/internal.h"
#include "lift/memory/beside.h"
#include "lift/values/uniform.h"

#include <math.h>
#include <string.h>

PsExpr *ps_share_expr(double share, const char *what)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(text, sizeof text, "%.6f", CLAMP(share, 0, 1e9));
    char *end = text + strlen(text);
    while (end[-1] == '0')
        *--end = '\0';
    if (end[-1] == '.')
        *--end = '\0';
    return ps_expr_new(text, (PsPlace){what, 0}, NULL);
}

/* TRUE if compilers add up the values of a warp's lanes before one atomic: they do if they know
 * that the lanes share one integer. */
static gboolean is_added_up(const PsFacts *facts, guint point, const PsMeeting *meeting)
{
    const PsPtxMnemonic *mnemonic = ps_facts_instruction(facts, point)->mnemonic;
    const PsPtxType type = mnemonic->types[0];
    return !facts->machine && meeting->lanes == PS_PTX_LANES && ps_ptx_has(mnemonic, "add") &&
           (type == PS_PTX_U32 || type == PS_PTX_S32) && ps_uniform_address(facts, point);
}

/* Names the line at which all groups meet and take turns, by its buffer and its number there. */
static void add_spot(const PsFacts *facts, const PsPattern *pattern, PsIdgItem *node)
{
    PsMeeting meeting;
    if (!ps_pattern_meeting(pattern, &meeting))
        return;
    node->spot = g_strdup_printf("%s_%" G_GUINT64_FORMAT, meeting.buffer, meeting.line);
    g_strcanon(node->spot, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_", '_');
    if (g_ascii_isdigit(node->spot[0]))
        node->spot[0] = '_';
    node->meet = meeting.lanes > 1 ? meeting.lanes : 0;
    if (meeting.serial > 1 && !is_added_up(facts, pattern->point, &meeting))
        node->serial = meeting.serial;
    if (meeting.share < 1)
        node->turns = ps_share_expr(meeting.share, "turns");
}

/* The share of a warp's lanes that have threads: the mean over the warps of a group. */
double ps_emit_fullness(const PsSymbols *symbols)
{
    const guint *block = symbols->options->launch.block;
    const double threads = (double)block[0] * block[1] * block[2];
    return threads / (ceil(threads / PS_PTX_LANES) * PS_PTX_LANES);
}

/* Levels that keep lines take time for each line. The number of lines is stated if it is larger
 * than the sectors suggest: if sectors lie apart. */
static void add_lines(const PsPattern *pattern, PsIdgItem *node)
{
    if (pattern->lines > 1 && 2 * pattern->lines > pattern->sectors)
        node->lines = ps_number_expr(pattern->lines);
}

/* Engines that copy on their own have no lanes; atomics are counted in another way. */
static void add_wavefronts(const PsPattern *pattern, const PsTraffic *traffic, PsIdgItem *node)
{
    if (traffic->wavefronts > 0 && pattern->bytes <= PS_SECTOR &&
        !ps_class_covers("atomic", node->class_name))
        node->wavefronts = ps_share_expr(traffic->wavefronts / traffic->requests, "wavefronts");
}

/* The least number of rows of a request that is stated. */
#define LEAST_ROWS 0.01

/* What engines copy on their own comes in lines beside each other. */
static void add_rows(const PsTraffic *traffic, PsIdgItem *node)
{
    const double rows = traffic->rows / traffic->requests;
    if (rows >= LEAST_ROWS)
        node->rows = ps_share_expr(fmin(rows, 1024), "rows");
}

/* The least share of loads by the read-only path that L1 must keep for it to be stated. */
#define LEAST_KEPT 0.01

/* Adds the access's place relative to others. all: bytes that its threads asked for, in sectors. */
static void add_neighbours(const PsSpots *spots, const PsSpot *spot, double all, PsIdgItem *node)
{
    const PsTraffic traffic = ps_pattern_traffic(spot->pattern);
    if (spot->beside != PS_NO_SPOT)
        node->beside = g_strdup(ps_spot(spots, spot->beside)->name);
    node->vector = spot->vector;
    node->invariant = spot->invariant;
    if (ps_pattern_is_reused(spot->pattern))
        node->distinct = ps_share_expr(traffic.distinct / all, "distinct");
    if (traffic.read_only < (1 - LEAST_KEPT) * traffic.l2)
        node->read_only = ps_share_expr(traffic.read_only / all, "read-only");
    if (traffic.l1 > all)
        node->offset = ps_pattern_begin(spot->pattern);
}

/* The sectors of which the node's shares are parts: those that a copy of many bytes touches,
 * otherwise the bytes of each lane with a thread. */
static double asked_for(const PsEmit *emit, const PsPattern *pattern, const PsTraffic *traffic,
                        const PsIdgItem *node)
{
    if (ps_class_covers("copy", node->class_name))
        return traffic->l1 > 0 ? traffic->l1 : 1;
    return traffic->requests * pattern->bytes * ps_emit_fullness(emit->symbols);
}

/* TRUE if a graph without a statement would mean that all of the node's sectors are written in
 * part. */
static gboolean seems_partial(const PsEmit *emit, const PsIdgItem *node)
{
    const double l2 = g_ascii_strtod(ps_expr_text(node->share[PS_LEVEL_L2]), NULL);
    const double lanes = node->lanes ? g_ascii_strtod(ps_expr_text(node->lanes), NULL)
                                     : 1 / ps_emit_fullness(emit->symbols);
    return !ps_class_covers("copy", node->class_name) && l2 > lanes + 1e-9;
}

void ps_emit_partial(const PsEmit *emit, const PsSpot *spot, PsIdgItem *node)
{
    const PsExpr *l2 = node->share[PS_LEVEL_L2];
    if (!l2 || spot->pattern->space != PS_PTX_GLOBAL || !ps_class_writes(node->class_name))
        return;
    const PsTraffic traffic = ps_pattern_traffic(spot->pattern);
    PsExpr *partial =
        ps_share_expr(traffic.partial / asked_for(emit, spot->pattern, &traffic, node), "partial");
    if (strcmp(ps_expr_text(partial), seems_partial(emit, node) ? ps_expr_text(l2) : "0") != 0)
        node->partial = partial;
    else
        ps_expr_free(partial);
}

/* A copy of many bytes bypasses L1: a few lanes ask for them, and each thread of the warp counts a
 * part. */
static void add_copied(const PsPattern *pattern, const PsTraffic *traffic, double all,
                       PsIdgItem *node)
{
    const guint64 lanes = (guint64)(pattern->lanes / pattern->requests);
    ps_expr_free(node->bytes);
    node->bytes =
        ps_number_expr((gint64)(MAX(lanes, 1) * pattern->bytes + PS_PTX_LANES - 1) / PS_PTX_LANES);
    node->share[PS_LEVEL_L2] = ps_share_expr(traffic->l2 / all, "share");
    node->share[PS_LEVEL_DEVICE] = ps_share_expr(traffic->device / all, "share");
}

void ps_emit_traffic(const PsEmit *emit, const PsSpot *spot, PsIdgItem *node)
{
    const PsPattern *pattern = spot->pattern;
    node->bytes = ps_number_expr(spot->bytes > 0 ? spot->bytes : pattern->bytes);
    if ((pattern->space != PS_PTX_GLOBAL && pattern->space != PS_PTX_LOCAL) ||
        pattern->requests == 0 || pattern->bytes == 0)
        return;
    const PsTraffic traffic = ps_pattern_traffic(pattern);
    const double all = asked_for(emit, pattern, &traffic, node);
    if (ps_class_covers("copy", node->class_name)) {
        add_copied(pattern, &traffic, all, node);
        return;
    }
    node->share[PS_LEVEL_L1] = ps_share_expr(traffic.l1 / all, "share");
    node->share[PS_LEVEL_L2] = ps_share_expr(traffic.l2 / all, "share");
    node->share[PS_LEVEL_DEVICE] = ps_share_expr(traffic.device / all, "share");
    add_lines(pattern, node);
    add_wavefronts(pattern, &traffic, node);
    add_rows(&traffic, node);
    add_neighbours(emit->spots, spot, all, node);
    add_spot(emit->spots->facts, pattern, node);
}
