/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/help/ask.h"

#include <math.h>
#include <string.h>

static const char GPU[] =
    "<gpu xmlns='urn:pipesim:gpu:1' version='1' name='Small'>"
    "<source id='me' kind='measured'>Made up.</source><source id='no' "
    "kind='assumed'>Guessed.</source>"
    "<chip compute-units='2' clock='1000' warp-size='32'/>"
    "<limits warps='16' groups='8' group-size='256' registers='8192' register-unit='256' "
    "local-memory='8192'/>"
    "<overheads kernel-launch='2' group-launch='100' group-interval='400'/>"
    "<pipeline name='a'/><pipeline name='b'/><pipeline name='c'/><pipeline name='local'/>"
    "<pipeline name='global'/><pipeline name='barrier'/>"
    "<class name='a' pipeline='a' issue='1' completion='8' source='me'/>"
    "<class name='local' pipeline='local' issue='2' completion='20' source='me'/>"
    "<class name='local.load.c4' pipeline='local' issue='8' completion='40' source='me'/>"
    "<class name='global' pipeline='global' issue='8' completion='200' source='no'/>"
    "<class name='memory' pipeline='global' issue='8' completion='200' source='me'/>"
    "<class name='global.store.s32' pipeline='global' issue='64' completion='256'/>"
    "<class name='barrier' pipeline='barrier' issue='1' completion='4' source='me'/>"
    "%s</gpu>";

static const char GRAPH[] =
    "<idg xmlns='urn:pipesim:idg:1' version='1' name='small' file='small.cl'>"
    "<launch %s/>%s</idg>";

Asked asked_new(const char *rows, const char *launch, const char *codes)
{
    Asked asked = {0};
    g_autoptr(GError) error = NULL;
    GString *gpu = g_string_new(GPU), *graph = g_string_new(GRAPH);
    g_string_replace(gpu, "%s", rows, 0);
    g_string_replace(graph, "%s", launch, 1);
    g_string_replace(graph, "%s", codes, 1);
    asked.gpu = ps_gpu_parse(gpu->str, gpu->len, "small.xml", &error);
    g_assert_no_error(error);
    asked.idg = ps_idg_parse(graph->str, graph->len, "small.idg", &error);
    g_assert_no_error(error);
    g_string_free(gpu, TRUE);
    g_string_free(graph, TRUE);
    asked.question = (PsQuestion){.idg = asked.idg, .gpu = asked.gpu};
    return asked;
}

void asked_clear(Asked *asked)
{
    ps_answer_free(asked->answer);
    ps_idg_free(asked->idg);
    ps_gpu_free(asked->gpu);
}

const PsAnswer *ask(Asked *asked)
{
    g_autoptr(GError) error = NULL;
    ps_answer_free(asked->answer);
    asked->answer = ps_answer_new(&asked->question, NULL, &error);
    g_assert_no_error(error);
    return asked->answer;
}

const PsAnswer *ask_why(Asked *asked)
{
    asked->question.explain = TRUE;
    return ask(asked);
}

const PsAnswer *ask_advice(Asked *asked)
{
    g_autoptr(GError) error = NULL;
    ask_why(asked);
    ps_answer_find_sensitivities(asked->answer, &asked->question, TRUE, 2, &error);
    g_assert_no_error(error);
    ps_answer_find_advice(asked->answer, &asked->question, 2, &error);
    g_assert_no_error(error);
    return asked->answer;
}

double ask_if(const Asked *asked, const char *what_if)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) latencies = ps_what_if_parse(what_if, &error);
    g_assert_no_error(error);
    PsQuestion question = asked->question;
    question.latencies = latencies;
    question.clamp = PS_CLAMP_NONE;
    g_autoptr(PsAnswer) answer = ps_answer_new(&question, NULL, &error);
    g_assert_no_error(error);
    return answer->seconds;
}

const PsAdvice *advice_by(const PsAnswer *answer, const char *change)
{
    for (guint i = 0; i < answer->advice->len; i++) {
        const PsAdvice *advice = answer->advice->pdata[i];
        if (strcmp(advice->change->name, change) == 0)
            return advice;
    }
    return NULL;
}

/* The figure of that name; NULL: there is none. */
static const PsFact *find_figure(const PsAdvice *advice, const char *key)
{
    for (guint i = 0; i < ps_told_length(advice->facts); i++)
        if (g_strcmp0(ps_told_at(advice->facts, i)->key, key) == 0)
            return ps_told_at(advice->facts, i);
    return NULL;
}

gboolean advice_has(const PsAdvice *advice, const char *key)
{
    return find_figure(advice, key) != NULL;
}

double advice_figure(const PsAdvice *advice, const char *key)
{
    const PsFact *fact = find_figure(advice, key);
    g_assert_true(fact && fact->known);
    return fact->type == PS_FACT_IS_FLAG    ? fact->value.flag
           : fact->type == PS_FACT_IS_EXACT ? ps_rational_to_double(fact->value.exact)
                                            : fact->value.number;
}

const char *advice_text(const PsAdvice *advice, const char *key)
{
    const PsFact *fact = find_figure(advice, key);
    g_assert_true(fact && fact->known && fact->type == PS_FACT_IS_NAME);
    return fact->value.text;
}

void assert_close(double is, double should_be)
{
    if (fabs(is - should_be) > 1e-9 * fabs(should_be))
        g_assert_cmpfloat(is, ==, should_be);
}
