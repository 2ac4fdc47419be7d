/* SPDX-License-Identifier: BSD-3-Clause */
/* The listing as JSON; docs/pipesim.schema.json says what each key is. */
#include "cli/report/listing.h"

#include "cli/report/format.h"

static void put_scoreboard(Json *json, const char *key, guint number)
{
    if (number == PS_SASS_NO_BARRIER)
        json_null(json, key);
    else
        json_int(json, key, number);
}

/* The numbers of the bits that are set. */
static void put_bits(Json *json, const char *key, guint bits)
{
    json_open(json, key, '[', JSON_LINE);
    for (guint i = 0; bits >> i; i++)
        if (bits >> i & 1)
            json_int(json, NULL, i);
    json_close(json, ']');
}

static void put_control(const PsSassControl *control, Json *json)
{
    json_open(json, "control", '{', JSON_LINE);
    json_int(json, "stall", control->stall);
    json_raw(json, "yield", control->yield ? "true" : "false");
    put_scoreboard(json, "write", control->write);
    put_scoreboard(json, "read", control->read);
    put_bits(json, "wait", control->wait);
    put_bits(json, "reuse", control->reuse);
    json_close(json, '}');
}

static void put_wait(const PsListing *listing, const PsListingWait *wait, Json *json)
{
    const PsAnswer *answer = listing->answer;
    const gboolean named = wait->which != G_MAXUINT, queue = wait->kind == PS_WAIT_QUEUE;
    json_open(json, NULL, '{', JSON_LINE);
    json_text(json, "kind", ps_wait_kind_name(wait->kind));
    json_known_text(json, "class",
                    named && !queue ? answer->machine->classes[wait->which].asked : NULL);
    json_known_text(json, "pipeline",
                    named && queue
                        ? ((const PsPipeline *)answer->gpu->pipelines->pdata[wait->which])->name
                        : NULL);
    if (wait->on == G_MAXUINT)
        json_null(json, "on");
    else
        json_int(json, "on", (gint64)wait->on * PS_SASS_BYTES);
    json_known_text(json, "level", wait->level < PS_N_LEVELS ? ps_level_name(wait->level) : NULL);
    json_double(json, "share", ps_listing_wait_share(listing, wait->ticks));
    json_close(json, '}');
}

static void put_line(Json *json, const char *key, int line)
{
    if (line > 0)
        json_int(json, key, line);
    else
        json_null(json, key);
}

static void put_row(const PsListing *listing, const PsListingRow *row, Json *json)
{
    const PsAnswer *answer = listing->answer;
    const double ticks = (double)answer->result.ticks;
    g_autofree char *cycles = format_rational(ps_machine_cycles(answer->machine, row->ticks));
    json_open(json, NULL, '{', JSON_LINE);
    json_int(json, "address", (gint64)row->number * PS_SASS_BYTES);
    put_control(&row->instruction->control, json);
    json_text(json, "text", row->text);
    json_raw(json, "executed", row->node ? "true" : "false");
    json_int(json, "instructions", row->issued);
    json_double(json, "per_warp", ps_listing_per_warp(listing, row));
    json_raw(json, "cycles", cycles);
    json_double(json, "share", ticks > 0 ? (double)row->ticks / ticks : 0);
    json_int(json, "times", row->times);
    json_open(json, "waits", '[', JSON_LINE);
    for (guint i = 0; i < row->waits->len; i++)
        put_wait(listing, &g_array_index(row->waits, PsListingWait, i), json);
    json_close(json, ']');
    json_known_text(json, "line", row->line);
    put_line(json, "ptx_line", row->ptx_line);
    json_int(json, "live", row->live);
    json_close(json, '}');
}

void listing_json(const PsListing *listing, Json *json)
{
    const PsListingTotals totals = ps_listing_totals(listing);
    json_open(json, "listing", '{', JSON_LINES);
    json_int(json, "architecture", listing->code->capability);
    json_int(json, "registers", totals.registers);
    json_int(json, "live", totals.live);
    json_int(json, "stack", (gint64)totals.stack);
    json_int(json, "local_loads", totals.loads);
    json_int(json, "local_stores", totals.stores);
    json_double(json, "per_warp", totals.issued);
    json_double(json, "local_per_warp", totals.spills);
    json_open(json, "instructions", '[', JSON_LINES);
    for (guint i = 0; i < listing->rows->len; i++)
        put_row(listing, listing->rows->pdata[i], json);
    json_close(json, ']');
    json_close(json, '}');
}
