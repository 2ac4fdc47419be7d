/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The places of instructions in the source: .loc. For an inlined function .loc names the place of
 * the call, by the file, line and column of another .loc, which may belong to an inlined function
 * itself.
 */
#include "ptx/parser.h"

/* A .loc, with the key by which others refer to it. */
typedef struct {
    guint64 place[3];
    guint caller; /* number of the call that its function was inlined at; 0: it was not inlined */
    guint call;   /* number of the call for functions that are inlined there; 0: none yet */
} PsPtxLocation;

static guint hash_location(gconstpointer location)
{
    const guint64 *place = ((const PsPtxLocation *)location)->place;
    return (guint)(place[0] * 31 * 31 * 31 + place[1] * 31 + place[2]);
}

static gboolean equal_locations(gconstpointer a, gconstpointer b)
{
    const guint64 *x = ((const PsPtxLocation *)a)->place, *y = ((const PsPtxLocation *)b)->place;
    return x[0] == y[0] && x[1] == y[1] && x[2] == y[2];
}

GHashTable *ps_ptx_locations_new(void)
{
    return g_hash_table_new_full(hash_location, equal_locations, g_free, NULL);
}

void ps_ptx_loc_begin(PsPtxParser *parser)
{
    parser->file = 0;
    parser->source_line = 0;
    parser->near = FALSE;
    parser->call = 0;
    g_hash_table_remove_all(parser->locations);
}

static PsPtxLocation *location_at(PsPtxParser *parser, const guint64 place[3])
{
    const PsPtxLocation wanted = {.place = {place[0], place[1], place[2]}};
    PsPtxLocation *location = g_hash_table_lookup(parser->locations, &wanted);
    if (!location) {
        location = g_memdup2(&wanted, sizeof wanted);
        g_hash_table_add(parser->locations, location);
    }
    return location;
}

static gboolean is_good(PsPtxParser *parser, const guint64 place[3])
{
    if (place[0] <= G_MAXUINT16 && place[1] <= G_MAXINT32)
        return TRUE;
    ps_ptx_complain(parser, PS_ERROR_LIMIT, parser->token_line,
                    "a .loc has a file up to %u and a line up to %d", (guint)G_MAXUINT16,
                    G_MAXINT32);
    return FALSE;
}

void ps_ptx_loc_inlined(PsPtxParser *parser, const guint64 place[3])
{
    GArray *calls = parser->module->calls;
    if (!is_good(parser, place))
        return;
    PsPtxLocation *location = location_at(parser, place);
    if (location->call == 0) {
        const PsPtxCallSite call = {(guint16)place[0], (int)place[1], location->caller};
        location->call = calls->len;
        g_array_append_val(calls, call);
    }
    parser->caller = location->call;
}

/* An instruction without a line of its own has the line of the one before it. */
void ps_ptx_loc(PsPtxParser *parser, const guint64 place[3])
{
    const guint caller = parser->caller;
    parser->caller = 0;
    if (!is_good(parser, place))
        return;
    PsPtxLocation *location = location_at(parser, place);
    if (location->caller != caller) {
        location->caller = caller;
        location->call = 0;
    }
    parser->near = place[1] == 0;
    if (parser->near)
        return;
    parser->file = (guint16)place[0];
    parser->source_line = (int)place[1];
    parser->call = caller;
}

/* ---- places -------------------------------------------------------------------------------- */

static const char *name_of(const PsPtxModule *module, guint16 file)
{
    return file ? g_hash_table_lookup(module->files, GUINT_TO_POINTER((guint)file)) : NULL;
}

const char *ps_ptx_file(const PsPtxModule *module, const PsPtxInstruction *instruction)
{
    return name_of(module, instruction->file);
}

PsPtxPlace ps_ptx_place_in(const PsPtxModule *module, const PsPtxInstruction *instruction,
                           const char *file)
{
    PsPtxPlace place = {name_of(module, instruction->file), instruction->source_line};
    for (guint at = instruction->call; at > 0 && g_strcmp0(place.file, file) != 0;) {
        const PsPtxCallSite *call = &g_array_index(module->calls, PsPtxCallSite, at);
        place = (PsPtxPlace){name_of(module, call->file), call->line};
        at = call->call;
    }
    return place;
}
