/* SPDX-License-Identifier: BSD-3-Clause */
/* The listing as JSON; docs/reference/pipesim.schema.json says what each key is. */
#include "cli/report/listing.h"
#include "pipesim-private.h"

static void put_scoreboard(PsJson *json, const char *key, guint number)
{
    if (number == PS_SASS_NO_BARRIER)
        ps_json_unknown(json, key);
    else
        ps_json_int(json, key, number);
}

/* The numbers of the bits that are set. */
static void put_bits(PsJson *json, const char *key, guint bits)
{
    ps_json_open(json, key, '[', PS_JSON_LINE);
    for (guint i = 0; bits >> i; i++)
        if (bits >> i & 1)
            ps_json_int(json, NULL, i);
    ps_json_close(json, ']');
}

static void put_control(const PsSassControl *control, PsJson *json)
{
    ps_json_open(json, "control", '{', PS_JSON_LINE);
    ps_json_int(json, "stall", control->stall);
    ps_json_raw(json, "yield", control->yield ? "true" : "false");
    put_scoreboard(json, "write", control->write);
    put_scoreboard(json, "read", control->read);
    put_bits(json, "wait", control->wait);
    put_bits(json, "reuse", control->reuse);
    ps_json_close(json, '}');
}

static void put_wait(const PsListing *listing, const PsListingWait *wait, PsJson *json)
{
    const PsAnswer *answer = listing->answer;
    const gboolean named = wait->which != G_MAXUINT, queue = wait->kind == PS_WAIT_QUEUE;
    ps_json_open(json, NULL, '{', PS_JSON_LINE);
    ps_json_text(json, "kind", ps_wait_kind_name(wait->kind));
    ps_json_known_text(json, "class",
                       named && !queue ? answer->machine->classes[wait->which].asked : NULL);
    ps_json_known_text(json, "pipeline",
                       named && queue
                           ? ((const PsPipeline *)answer->gpu->pipelines->pdata[wait->which])->name
                           : NULL);
    if (wait->on == G_MAXUINT)
        ps_json_unknown(json, "on");
    else
        ps_json_int(json, "on", (gint64)wait->on * PS_SASS_BYTES);
    ps_json_known_text(json, "level",
                       wait->level < PS_N_LEVELS ? ps_level_name(wait->level) : NULL);
    ps_json_double(json, "share", ps_listing_wait_share(listing, wait->ticks));
    ps_json_close(json, '}');
}

static void put_line(PsJson *json, const char *key, int line)
{
    if (line > 0)
        ps_json_int(json, key, line);
    else
        ps_json_unknown(json, key);
}

static void put_row(const PsListing *listing, const PsListingRow *row, PsJson *json)
{
    const PsAnswer *answer = listing->answer;
    const double ticks = (double)answer->result.ticks;
    g_autofree char *cycles = ps_format_rational(ps_machine_cycles(answer->machine, row->ticks));
    ps_json_open(json, NULL, '{', PS_JSON_LINE);
    ps_json_int(json, "address", (gint64)row->number * PS_SASS_BYTES);
    put_control(&row->instruction->control, json);
    ps_json_text(json, "text", row->text);
    ps_json_raw(json, "executed", row->node ? "true" : "false");
    ps_json_int(json, "instructions", row->issued);
    ps_json_double(json, "per_warp", ps_listing_per_warp(listing, row));
    ps_json_raw(json, "cycles", cycles);
    ps_json_double(json, "share", ticks > 0 ? (double)row->ticks / ticks : 0);
    ps_json_int(json, "times", row->times);
    ps_json_open(json, "waits", '[', PS_JSON_LINE);
    for (guint i = 0; i < row->waits->len; i++)
        put_wait(listing, &g_array_index(row->waits, PsListingWait, i), json);
    ps_json_close(json, ']');
    ps_json_known_text(json, "line", row->line);
    put_line(json, "ptx_line", row->ptx_line);
    ps_json_int(json, "live", row->live);
    ps_json_close(json, '}');
}

void listing_json(const PsListing *listing, PsJson *json)
{
    const PsListingTotals totals = ps_listing_totals(listing);
    ps_json_open(json, "listing", '{', PS_JSON_LINES);
    ps_json_int(json, "architecture", listing->code->capability);
    ps_json_int(json, "registers", totals.registers);
    ps_json_int(json, "live", totals.live);
    ps_json_int(json, "stack", (gint64)totals.stack);
    ps_json_int(json, "local_loads", totals.loads);
    ps_json_int(json, "local_stores", totals.stores);
    ps_json_double(json, "per_warp", totals.issued);
    ps_json_double(json, "local_per_warp", totals.spills);
    ps_json_open(json, "instructions", '[', PS_JSON_LINES);
    for (guint i = 0; i < listing->rows->len; i++)
        put_row(listing, listing->rows->pdata[i], json);
    ps_json_close(json, ']');
    ps_json_close(json, '}');
}
