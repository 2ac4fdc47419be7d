/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints findings as text. See gate.h. */
#include "cli/gate/gate.h"

static void print_finding(const PsFinding *finding, const PsPaper *paper)
{
    g_autofree char *words = ps_finding_words(finding);
    g_autofree char *place =
        finding->line ? g_strdup_printf("%s:%" G_GINT64_FORMAT ": ", finding->file, finding->line)
                      : g_strdup("");
    g_autofree char *text = g_strconcat(place, finding->kernel, ": ", words, NULL);
    g_autofree char *clean = ps_text_clean(text);
    ps_paper_text(paper, "- ", clean);
}

static void print_warnings(const PsTold *facts, const PsPaper *paper)
{
    for (guint i = 0; i < ps_told_length(facts); i++) {
        const PsFact *list = ps_told_at(facts, i);
        if (list->fact != PS_FACT_GATE_WARNINGS.n)
            continue;
        for (guint k = i + 1; k < list->end; k++)
            ps_paper_text(paper, "Note: ", ps_told_at(facts, k)->value.text);
    }
}

void findings_text(const PsTold *facts, const char *heading, const PsPaper *paper)
{
    g_autoptr(GArray) findings = ps_findings(facts);
    if (findings->len)
        ps_paper_heading(paper, heading);
    for (guint i = 0; i < findings->len; i++)
        print_finding(&g_array_index(findings, PsFinding, i), paper);
}

void gate_text(const PsTold *facts, const PsPaper *paper)
{
    const char *gpu = ps_told_text(facts, PS_FACT_GATE_GPU);
    g_autofree char *rest = gpu ? g_strdup_printf(" (%s)", gpu) : g_strdup("");
    ps_paper_title(paper, ps_told_text(facts, PS_FACT_GATE_WORDS), rest);
    ps_paper_gap(paper);
    ps_paper_view(paper, PS_VIEW_GATE_PAGE, facts, NULL, NULL);
    if (ps_told_find(facts, PS_FACT_GATE_KERNELS_LIMITED_WORDS.n))
        ps_paper_view(paper, PS_VIEW_GATE_STEPS_PAGE, facts, NULL, NULL);
    findings_text(facts, "Worse than is allowed", paper);
    print_warnings(facts, paper);
}
