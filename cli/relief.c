/* SPDX-License-Identifier: BSD-3-Clause */
/* See relief.h. A bank conflict goes by asking for the plain class in a copy of the graph: just
 * what whoever writes the kernel would do. */
#include "cli/relief.h"

#include "cli/trial.h"

#include <math.h>
#include <string.h>

static void free_relief(void *data)
{
    Relief *relief = data;
    g_free(relief->klass);
    g_free(relief->plain);
    g_free(relief->why);
    g_free(relief);
}

/* ---- bank conflicts ------------------------------------------------------------------------ */

/* Where ".conflict" stands in it, as a whole part; NULL where it does not. */
static const char *conflict_in(const char *klass)
{
    static const char part[] = ".conflict";
    const char *at = strstr(klass, part);
    while (at && at[sizeof part - 1] != '\0' && at[sizeof part - 1] != '.')
        at = strstr(at + 1, part);
    return at != klass ? at : NULL;
}

/* Where the last part begins that may say how wide an access is, as ".v4" does; else the end. */
static const char *width_in(const char *klass)
{
    const char *at = strrchr(klass, '.');
    return at && at[1] == 'v' && g_ascii_isdigit(at[2]) ? at : klass + strlen(klass);
}

/* Where the last part before that says a degree, as ".c4" does; NULL where it does not. */
static const char *degree_in(const char *klass, PsRational *degree)
{
    g_autofree char *narrow = g_strndup(klass, (gsize)(width_in(klass) - klass));
    const char *at = strrchr(narrow, '.');
    if (at && at[1] == 'c' && g_ascii_isdigit(at[2]) && ps_rational_parse(at + 2, degree) &&
        ps_rational_is_int(*degree) && degree->num > 1)
        return klass + (at - narrow);
    *degree = PS_RATIONAL_INT(0);
    return NULL;
}

/* Graphs made of code have the degree alone, and the width: "local.load.c4.v2". That of an atomic
 * is no bank conflict that another layout would end: its threads may want the same word. */
char *relief_plain(const char *klass)
{
    PsRational degree;
    const char *at = conflict_in(klass);
    if (!at && ps_class_covers("local", klass))
        at = degree_in(klass, &degree);
    return at ? g_strdup_printf("%.*s%s", (int)(at - klass), klass, width_in(klass)) : NULL;
}

/* What the class says of its degree, "c4"; 0 where it says nothing. */
static PsRational stated_degree(const char *klass)
{
    PsRational degree;
    return degree_in(klass, &degree) ? degree : PS_RATIONAL_INT(0);
}

/* Nodes of that class ask for the other one. */
static void rename_class(GPtrArray *body, const char *klass, const char *other)
{
    for (guint i = 0; i < body->len; i++) {
        PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_LOOP) {
            rename_class(item->body, klass, other);
        } else if (strcmp(item->klass, klass) == 0) {
            g_free(item->klass);
            item->klass = g_strdup(other);
        }
    }
}

/* A copy of the graph, NULL where it cannot be had. */
static PsIdg *copy_graph(const PsIdg *idg)
{
    g_autofree char *text = ps_idg_write(idg);
    return ps_idg_parse(text, strlen(text), idg->path ? idg->path : "graph", NULL);
}

static gboolean any_covered(const Answer *answer, const char *without, const char *plain,
                            const char *klass)
{
    if (ps_class_covers(klass, plain))
        return TRUE;
    for (guint i = 0; i < answer->machine->n_classes; i++) {
        const char *asked = answer->machine->classes[i].asked;
        if (strcmp(asked, without) != 0 && ps_class_covers(klass, asked))
            return TRUE;
    }
    return FALSE;
}

/* What-ifs of classes that nobody asks for any more would be an error. */
static void drop_what_ifs(Trial *trial, const Answer *answer, const char *klass, const char *plain)
{
    for (guint i = trial->latencies->len; i > 0; i--) {
        const PsWhatIf *what_if = trial->latencies->pdata[i - 1];
        if (!any_covered(answer, klass, plain, what_if->klass))
            g_ptr_array_remove_index(trial->latencies, i - 1);
    }
}

static void plan_conflict(const Question *question, const Answer *answer, guint class_,
                          GPtrArray *reliefs, GPtrArray *trials)
{
    const char *asked = answer->machine->classes[class_].asked;
    g_autofree char *plain = relief_plain(asked);
    PsMatch match;
    if (!plain || !ps_gpu_class(answer->gpu, plain, &match) || match == PS_MATCH_DEFAULT)
        return;
    PsIdg *idg = copy_graph(question->idg);
    if (!idg)
        return;
    Trial *trial = trial_new(question);
    for (guint i = 0; i < idg->codes->len; i++)
        rename_class(((PsIdgCode *)idg->codes->pdata[i])->body, asked, plain);
    trial->question.idg = trial->idg = idg;
    trial->keep = TRUE;
    drop_what_ifs(trial, answer, asked, plain);
    Relief *relief = g_new0(Relief, 1);
    *relief = (Relief){.klass = g_strdup(asked),
                       .plain = g_steal_pointer(&plain),
                       .from = trial_latency(answer->machine, class_),
                       .degree = stated_degree(asked),
                       .seconds = NAN};
    g_ptr_array_add(reliefs, relief);
    g_ptr_array_add(trials, trial);
}

/* ---- what-ifs ------------------------------------------------------------------------------ */

static void plan_what_if(const Question *question, const Answer *answer, guint number,
                         GPtrArray *reliefs, GPtrArray *trials)
{
    const PsWhatIf *what_if = question->latencies->pdata[number];
    Trial *trial = trial_new(question);
    g_ptr_array_remove_index(trial->latencies, number);
    trial->keep = TRUE;
    Relief *relief = g_new0(Relief, 1);
    *relief = (Relief){.klass = g_strdup(what_if->klass), .seconds = NAN};
    for (guint i = answer->machine->n_classes; i > 0; i--)
        if (ps_class_covers(what_if->klass, answer->machine->classes[i - 1].asked))
            relief->from = trial_latency(answer->machine, i - 1);
    g_ptr_array_add(reliefs, relief);
    g_ptr_array_add(trials, trial);
}

GPtrArray *reliefs_plan(const Question *question, const Answer *answer, GPtrArray *trials)
{
    GPtrArray *reliefs = g_ptr_array_new_with_free_func(free_relief);
    if (answer->result.ticks == 0)
        return reliefs;
    for (guint i = 0; i < answer->machine->n_classes; i++)
        plan_conflict(question, answer, i, reliefs, trials);
    for (guint i = 0; question->latencies && i < question->latencies->len; i++)
        plan_what_if(question, answer, i, reliefs, trials);
    return reliefs;
}

/* ---- what they gave ------------------------------------------------------------------------ */

/* The degree of a conflict is how much longer it keeps the pipeline, unless the class says it. */
static void find_degree(Relief *relief)
{
    PsRational ratio;
    if (relief->degree.num > 0 || (!relief->plain && !ps_class_covers("local", relief->klass)))
        return;
    if (ps_rational_div(relief->from.issue, relief->to.issue, &ratio) &&
        ps_rational_cmp(ratio, PS_RATIONAL_INT(1)) > 0 &&
        (relief->plain || ps_rational_is_int(ratio)))
        relief->degree = ratio;
}

static void conclude(Relief *relief, Trial *trial)
{
    relief->seconds = trial->seconds;
    relief->why = g_steal_pointer(&trial->why);
    if (!trial->answer)
        return;
    const PsMachine *machine = trial->answer->machine;
    for (guint i = machine->n_classes; i > 0; i--) {
        const char *asked = machine->classes[i - 1].asked;
        if (relief->plain ? strcmp(relief->plain, asked) == 0
                          : ps_class_covers(relief->klass, asked))
            relief->to = trial_latency(machine, i - 1);
    }
    if (relief->to.issue.num > 0)
        find_degree(relief);
}

/* Those that are not known last. */
static int fastest_first(gconstpointer a, gconstpointer b)
{
    const Relief *x = *(Relief *const *)a, *y = *(Relief *const *)b;
    if (isnan(x->seconds) || isnan(y->seconds))
        return isnan(x->seconds) - isnan(y->seconds);
    return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

void reliefs_conclude(GPtrArray *reliefs, const GPtrArray *trials)
{
    for (guint i = 0; i < reliefs->len; i++)
        conclude(reliefs->pdata[i], trials->pdata[i]);
    g_ptr_array_sort(reliefs, fastest_first);
}
