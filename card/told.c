/* SPDX-License-Identifier: BSD-3-Clause */
/* See told.h. */
#include "card/told.h"

#include "answer/advised.h"
#include "card/summary.h"
#include "tell/answer.h"
#include "tell/format.h"
#include "tell/words.h"

static void tell_row(const PsCardRow *row, PsTold *facts)
{
    ps_tell(facts, PS_FACT_PROGRAM_ROW_LAUNCHES, row->launches);
    ps_tell(facts, PS_FACT_PROGRAM_ROW_TOTAL_SECONDS, row->total);
    ps_tell(facts, PS_FACT_PROGRAM_ROW_SECONDS, row->mean);
    ps_tell(facts, PS_FACT_PROGRAM_ROW_LEAST_SECONDS, row->least);
    ps_tell(facts, PS_FACT_PROGRAM_ROW_MOST_SECONDS, row->most);
    ps_tell(facts, PS_FACT_PROGRAM_ROW_SHARE, row->share);
    ps_tell(facts, PS_FACT_PROGRAM_ROW_SIMULATED, row->how[PS_CARD_SIMULATED]);
    ps_tell(facts, PS_FACT_PROGRAM_ROW_INTERPOLATED, row->how[PS_CARD_INTERPOLATED]);
    ps_tell(facts, PS_FACT_PROGRAM_ROW_UNKNOWN, row->how[PS_CARD_UNKNOWN]);
}

static void tell_kernels(const GArray *rows, PsTold *facts)
{
    ps_tell_open(facts, PS_FACT_PROGRAM_KERNELS);
    for (guint i = 0; i < rows->len; i++) {
        const PsCardRow *row = &g_array_index(rows, PsCardRow, i);
        ps_tell_item(facts);
        ps_tell_taken(facts, PS_FACT_PROGRAM_KERNELS_KERNEL, ps_card_kernel_name(row->kernel));
        tell_row(row, facts);
        ps_tell(facts, PS_FACT_PROGRAM_KERNELS_LIMIT, row->limit);
        ps_tell(facts, PS_FACT_PROGRAM_KERNELS_LIMIT_WORDS, row->limit_words);
        ps_tell(facts, PS_FACT_PROGRAM_KERNELS_CODE, row->code);
        if (row->stand_in) {
            ps_tell(facts, PS_FACT_PROGRAM_KERNELS_STAND_IN, row->stand_in);
            ps_tell(facts, PS_FACT_PROGRAM_KERNELS_BOUND_SECONDS, row->bound);
        }
        ps_tell_close(facts);
    }
    ps_tell_close(facts);
}

static void tell_copies(const PsCardRead *read, PsTold *facts)
{
    static const char *const ways[] = {"to device", "to host", "on device", "set"};
    PsCardCopies copies[PS_CARD_SET + 1];
    ps_card_copies(read, copies);
    ps_tell_open(facts, PS_FACT_PROGRAM_COPIES);
    for (guint i = 0; i < G_N_ELEMENTS(ways); i++) {
        if (!copies[i].count)
            continue;
        ps_tell_item(facts);
        ps_tell(facts, PS_FACT_PROGRAM_COPIES_WAY, ways[i]);
        ps_tell(facts, PS_FACT_PROGRAM_COPIES_COUNT, (gint64)copies[i].count);
        ps_tell(facts, PS_FACT_PROGRAM_COPIES_BYTES, (gint64)copies[i].bytes);
        ps_tell(facts, PS_FACT_PROGRAM_COPIES_SECONDS, copies[i].seconds);
        ps_tell_close(facts);
    }
    ps_tell_close(facts);
}

/* ---- what would help ------------------------------------------------------------------------ */

static void tell_advised(const PsCardCloser *closer, PsTold *facts)
{
    ps_tell_item(facts);
    ps_tell_taken(facts, PS_FACT_PROGRAM_ADVISED_KERNEL, ps_card_kernel_name(closer->kernel));
    ps_tell(facts, PS_FACT_PROGRAM_ADVISED_LAUNCHES, closer->launches);
    ps_tell(facts, PS_FACT_PROGRAM_ADVISED_SHARE, closer->share);
    ps_tell_open(facts, PS_FACT_PROGRAM_ADVISED_PROGRAM_GAINS);
    for (guint i = 0; i < closer->answer->advice->len; i++) {
        const PsAdvice *advice = closer->answer->advice->pdata[i];
        ps_tell_item_number(facts, advice->gain * closer->share);
    }
    ps_tell_close(facts);
    ps_tell_open(facts, PS_FACT_PROGRAM_ADVISED_ANSWER);
    ps_tell_answer(closer->answer, 0, facts);
    ps_tell_close(facts);
    ps_tell_close(facts);
}

static void put_sentence(const PsCardCloser *closer, const PsAdvice *advice, const PsPaper *paper)
{
    g_autofree char *sentence = ps_placed_advice_sentence(closer->answer, advice);
    g_autofree char *share = ps_format_share(advice->gain * closer->share);
    g_autofree char *text = advice->gain > 0
                                ? g_strdup_printf("%s; of all launches that is %s", sentence, share)
                                : g_strdup(sentence);
    ps_paper_text(paper, "  - ", text);
}

void ps_card_put_advice(const GPtrArray *advised, const PsPaper *paper)
{
    for (guint i = 0; i < advised->len; i++) {
        const PsCardCloser *closer = advised->pdata[i];
        if (!closer->answer->advice)
            continue;
        g_autofree char *kernel = ps_card_kernel_name(closer->kernel),
                        *share = ps_format_share(closer->share);
        g_autofree char *heading =
            g_strdup_printf("Advice on %s (%s of all launches' time)", kernel, share);
        ps_paper_heading(paper, heading);
        for (guint k = 0; k < closer->answer->advice->len; k++)
            put_sentence(closer, closer->answer->advice->pdata[k], paper);
    }
}

void ps_card_put_notes(const PsCardRead *read, const PsPaper *paper)
{
    if (read->notes->len)
        ps_paper_heading(paper, "Notes");
    for (guint i = 0; i < read->notes->len; i++)
        ps_paper_text(paper, "  - ", read->notes->pdata[i]);
}

PsTold *ps_card_told(const PsCardRead *read, const char *gpu, const GPtrArray *advised)
{
    PsCardRow all;
    g_autoptr(GArray) rows = ps_card_summary(read, &all);
    PsTold *facts = ps_told_new();
    ps_tell(facts, PS_FACT_PROGRAM_PIPESIM, PIPESIM_VERSION);
    ps_tell(facts, PS_FACT_PROGRAM_GPU, gpu);
    tell_kernels(rows, facts);
    ps_tell_open(facts, PS_FACT_PROGRAM_TOTAL);
    tell_row(&all, facts);
    ps_tell_close(facts);
    tell_copies(read, facts);
    ps_tell(facts, PS_FACT_PROGRAM_END_SECONDS, ps_card_end(read));
    ps_tell_open(facts, PS_FACT_PROGRAM_NOTES);
    for (guint i = 0; i < read->notes->len; i++)
        ps_tell_item_text(facts, read->notes->pdata[i]);
    ps_tell_close(facts);
    if (advised) {
        ps_tell_open(facts, PS_FACT_PROGRAM_ADVISED);
        for (guint i = 0; i < advised->len; i++)
            if (((const PsCardCloser *)advised->pdata[i])->answer->advice)
                tell_advised(advised->pdata[i], facts);
        ps_tell_close(facts);
    }
    return facts;
}
