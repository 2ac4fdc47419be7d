/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares the compiler's code for `#pragma unroll` with advice on several iterations at once: the
 * compiler may keep the order of iterations, or may already have several in one. See pragma.h.
 */
#include "advice/pragma.h"

#include "advice/loop-way.h"

#include <math.h>
#include <string.h>

static guint common_factor(guint a, guint b)
{
    while (b > 0) {
        const guint rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static gboolean is_alike(const PsProgramNode *a, const PsProgramNode *b)
{
    return a->item->source_line == b->item->source_line &&
           g_strcmp0(a->item->file, b->item->file) == 0 &&
           strcmp(a->item->class_name, b->item->class_name) == 0;
}

/* Iterations of the source in one iteration of the code, by accesses to memory: each line and class
 * has a multiple of so many. */
static guint count_iterations(const PsAnswer *answer, const PsAdvice *advice)
{
    const PsProgram *program = &answer->kernel->programs[advice->program];
    const guint last = ((const PsLoopWays *)advice->data)->loop;
    const PsProgramNode *end = &program->nodes[last];
    guint iterations = 0, first = last;
    while (first > 0 && program->nodes[first - 1].n_loops == end->n_loops && end->n_loops > 0 &&
           program->nodes[first - 1].loops[0].number == end->loops[0].number)
        first--;
    for (guint i = first; i <= last; i++) {
        guint n = 0;
        if (!program->nodes[i].item->bytes || program->nodes[i].item->source_line == 0)
            continue;
        for (guint k = first; k <= last; k++)
            n += is_alike(&program->nodes[i], &program->nodes[k]);
        iterations = common_factor(n, iterations);
    }
    return MAX(iterations, 1);
}

gboolean ps_advice_is_pragma(const PsAnswer *answer, const PsAdvice *advice, const char **file,
                             guint *line, guint *times)
{
    if (!ps_advice_is_loop(advice) || !answer->idg->of_ptx)
        return FALSE;
    const PsLoopWay *way = ps_loop_way(advice, 0);
    const PsIdgItem *item = answer->kernel->programs[advice->program]
                                .nodes[((const PsLoopWays *)advice->data)->loop]
                                .item;
    *line = item->source_line > 0 ? (guint)item->source_line : 0;
    *file = !*line ? NULL : item->via ? item->via : item->file ? item->file : answer->idg->file;
    *times = MIN(way->times * count_iterations(answer, advice), PS_PRAGMA_MOST);
    return way->times > 1;
}

gboolean ps_advice_set_pragma(PsAdvice *advice, const PsAnswer *answer, const PsQuestion *question,
                              const PsIdg *idg, guint times)
{
    g_autoptr(GError) error = NULL;
    PsQuestion other = *question;
    PsPragma *pragma = &((PsLoopWays *)advice->data)->pragma;
    g_free(pragma->why);
    *pragma = (PsPragma){.times = times, .same = !idg, .seconds = NAN};
    if (idg) {
        other.idg = idg;
        pragma->seconds = ps_answer_seconds(&other, &error);
        pragma->same = pragma->seconds == answer->seconds;
    }
    if (error)
        pragma->why = g_strdup(error->message);
    ps_advice_phrase(answer, advice);
    return pragma->same;
}

void ps_advice_set_no_pragma(PsAdvice *advice, const PsAnswer *answer, const char *why)
{
    PsPragma *pragma = &((PsLoopWays *)advice->data)->pragma;
    g_free(pragma->why);
    *pragma = (PsPragma){.seconds = NAN, .why = g_strdup(why)};
    ps_advice_phrase(answer, advice);
}
