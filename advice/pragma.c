/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a compiler makes of `#pragma unroll`, beside what advice on a loop says of several
 * iterations at once: it may keep their order, or already have several in one. See advice.h.
 */
#include "advice/kind.h"
#include "advice/words.h"

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

/* Iterations of the source that one of the code has, as far as its accesses to memory tell: of each
 * line and class there are a multiple of so many. */
static guint count_iterations(const PsAnswer *answer, const PsAdvice *advice)
{
    const PsProgram *program = &answer->kernel->programs[advice->program];
    const PsProgramNode *end = &program->nodes[advice->loop];
    guint iterations = 0, first = advice->loop;
    while (first > 0 && program->nodes[first - 1].n_loops == end->n_loops && end->n_loops > 0 &&
           program->nodes[first - 1].loops[0].number == end->loops[0].number)
        first--;
    for (guint i = first; i <= advice->loop; i++) {
        guint n = 0;
        if (!program->nodes[i].item->bytes || program->nodes[i].item->source_line == 0)
            continue;
        for (guint k = first; k <= advice->loop; k++)
            n += is_alike(&program->nodes[i], &program->nodes[k]);
        iterations = common_factor(n, iterations);
    }
    return MAX(iterations, 1);
}

gboolean ps_advice_is_pragma(const PsAnswer *answer, const PsAdvice *advice, const char **file,
                             guint *line, guint *times)
{
    if (advice->change != PS_CHANGE_LOOP || !answer->idg->of_ptx)
        return FALSE;
    const PsLoopWay *way = &g_array_index(advice->ways, PsLoopWay, 0);
    const PsIdgItem *item = answer->kernel->programs[advice->program].nodes[advice->loop].item;
    *line = item->source_line > 0 ? (guint)item->source_line : 0;
    *file = !*line ? NULL : item->via ? item->via : item->file ? item->file : answer->idg->file;
    *times = MIN(way->times * count_iterations(answer, advice), PS_PRAGMA_MOST);
    return way->times > 1;
}

void ps_advice_set_pragma(PsAdvice *advice, const PsAnswer *answer, const PsQuestion *question,
                          const PsIdg *idg, guint times)
{
    g_autoptr(GError) error = NULL;
    PsQuestion other = *question;
    g_free(advice->pragma.why);
    advice->pragma = (PsPragma){.times = times, .same = !idg, .seconds = NAN};
    if (idg) {
        other.idg = idg;
        advice->pragma.seconds = ps_answer_seconds(&other, &error);
        advice->pragma.same = advice->pragma.seconds == answer->seconds;
    }
    if (error)
        advice->pragma.why = g_strdup(error->message);
    ps_advice_phrase(answer, advice);
}

void ps_advice_set_no_pragma(PsAdvice *advice, const PsAnswer *answer, const char *why)
{
    g_free(advice->pragma.why);
    advice->pragma = (PsPragma){.seconds = NAN, .why = g_strdup(why)};
    ps_advice_phrase(answer, advice);
}
