/* SPDX-License-Identifier: BSD-3-Clause */
/* The listing as facts. */
#include "tell/answer.h"

static void tell_scoreboard(PsTold *facts, PsCountFact fact, guint number)
{
    if (number == PS_SASS_NO_BARRIER)
        ps_tell_unknown(facts, fact.n);
    else
        ps_tell(facts, fact, number);
}

/* Tells the numbers of set bits. */
static void tell_bits(PsTold *facts, PsGroupFact which, guint bits)
{
    ps_tell_open(facts, which);
    for (guint i = 0; bits >> i; i++)
        if (bits >> i & 1)
            ps_tell_item_count(facts, i);
    ps_tell_close(facts);
}

static void tell_control(const PsSassControl *control, PsTold *facts)
{
    ps_tell_open(facts, PS_FACT_LISTING_INSTRUCTIONS_CONTROL);
    ps_tell(facts, PS_FACT_LISTING_INSTRUCTIONS_CONTROL_STALL, control->stall);
    ps_tell(facts, PS_FACT_LISTING_INSTRUCTIONS_CONTROL_YIELD, control->yield);
    tell_scoreboard(facts, PS_FACT_LISTING_INSTRUCTIONS_CONTROL_WRITE, control->write);
    tell_scoreboard(facts, PS_FACT_LISTING_INSTRUCTIONS_CONTROL_READ, control->read);
    tell_bits(facts, PS_FACT_LISTING_INSTRUCTIONS_CONTROL_WAIT, control->wait);
    tell_bits(facts, PS_FACT_LISTING_INSTRUCTIONS_CONTROL_REUSE, control->reuse);
    ps_tell_close(facts);
}

static void tell_wait(const PsListing *listing, const PsListingWait *wait, PsTold *facts)
{
    const PsAnswer *answer = listing->answer;
    const gboolean named = wait->which != G_MAXUINT, queue = wait->kind == PS_WAIT_QUEUE;
    const PsPipeline *pipeline = named && queue ? answer->gpu->pipelines->pdata[wait->which] : NULL;
    ps_tell_item(facts);
    ps_tell(facts, PS_FACT_LISTING_INSTRUCTIONS_WAITS_KIND, ps_wait_kind_name(wait->kind));
    ps_tell(facts, PS_FACT_LISTING_INSTRUCTIONS_WAITS_CLASS,
            named && !queue ? answer->machine->classes[wait->which].asked : NULL);
    ps_tell(facts, PS_FACT_LISTING_INSTRUCTIONS_WAITS_PIPELINE, pipeline ? pipeline->name : NULL);
    if (wait->on == G_MAXUINT)
        ps_tell_unknown(facts, PS_FACT_LISTING_INSTRUCTIONS_WAITS_ON.n);
    else
        ps_tell(facts, PS_FACT_LISTING_INSTRUCTIONS_WAITS_ON, (gint64)wait->on * PS_SASS_BYTES);
    ps_tell(facts, PS_FACT_LISTING_INSTRUCTIONS_WAITS_LEVEL,
            wait->level < PS_N_LEVELS ? ps_level_name(wait->level) : NULL);
    ps_tell(facts, PS_FACT_LISTING_INSTRUCTIONS_WAITS_SHARE,
            ps_listing_wait_share(listing, wait->ticks));
    ps_tell_close(facts);
}

/* Tells the instruction's place in the source and in PTX, and the number of live registers. */
static void tell_source(const PsListingRow *row, PsTold *facts)
{
    ps_tell(facts, PS_FACT_LISTING_INSTRUCTIONS_LINE, row->line);
    if (row->ptx_line > 0)
        ps_tell(facts, PS_FACT_LISTING_INSTRUCTIONS_PTX_LINE, row->ptx_line);
    else
        ps_tell_unknown(facts, PS_FACT_LISTING_INSTRUCTIONS_PTX_LINE.n);
    ps_tell(facts, PS_FACT_LISTING_INSTRUCTIONS_LIVE, row->live);
}

static void tell_row(const PsListing *listing, const PsListingRow *row, PsTold *facts)
{
    const PsAnswer *answer = listing->answer;
    const double ticks = (double)answer->result.ticks;
    ps_tell_item(facts);
    ps_tell(facts, PS_FACT_LISTING_INSTRUCTIONS_ADDRESS, (gint64)row->number * PS_SASS_BYTES);
    tell_control(&row->instruction->control, facts);
    ps_tell(facts, PS_FACT_LISTING_INSTRUCTIONS_TEXT, row->text);
    ps_tell(facts, PS_FACT_LISTING_INSTRUCTIONS_EXECUTED, row->node);
    ps_tell(facts, PS_FACT_LISTING_INSTRUCTIONS_INSTRUCTIONS, row->issued);
    ps_tell(facts, PS_FACT_LISTING_INSTRUCTIONS_PER_WARP, ps_listing_per_warp(listing, row));
    ps_tell(facts, PS_FACT_LISTING_INSTRUCTIONS_CYCLES,
            ps_machine_cycles(answer->machine, row->ticks));
    ps_tell(facts, PS_FACT_LISTING_INSTRUCTIONS_SHARE, ticks > 0 ? (double)row->ticks / ticks : 0);
    ps_tell(facts, PS_FACT_LISTING_INSTRUCTIONS_TIMES, row->times);
    ps_tell_open(facts, PS_FACT_LISTING_INSTRUCTIONS_WAITS);
    for (guint i = 0; i < row->waits->len; i++)
        tell_wait(listing, &g_array_index(row->waits, PsListingWait, i), facts);
    ps_tell_close(facts);
    tell_source(row, facts);
    ps_tell_close(facts);
}

void ps_tell_listing(const PsListing *listing, PsTold *facts)
{
    const PsListingTotals totals = ps_listing_totals(listing);
    ps_tell_open(facts, PS_FACT_LISTING);
    ps_tell(facts, PS_FACT_LISTING_ARCHITECTURE, listing->code->capability);
    ps_tell(facts, PS_FACT_LISTING_REGISTERS, totals.registers);
    ps_tell(facts, PS_FACT_LISTING_LIVE, totals.live);
    ps_tell(facts, PS_FACT_LISTING_STACK, (gint64)totals.stack);
    ps_tell(facts, PS_FACT_LISTING_LOCAL_LOADS, totals.loads);
    ps_tell(facts, PS_FACT_LISTING_LOCAL_STORES, totals.stores);
    ps_tell(facts, PS_FACT_LISTING_PER_WARP, totals.issued);
    ps_tell(facts, PS_FACT_LISTING_LOCAL_PER_WARP, totals.spills);
    ps_tell_open(facts, PS_FACT_LISTING_INSTRUCTIONS);
    for (guint i = 0; i < listing->rows->len; i++)
        tell_row(listing, listing->rows->pdata[i], facts);
    ps_tell_close(facts);
    ps_tell_close(facts);
}
