/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A client of the installed library that asks for more than an answer: prints what `pipesim
 * roofline` and `pipesim compare` print with --format json.
 * Usage: ask-more GRAPH GPU                         the roofline
 *        ask-more GRAPH GPU B [OPTION [VALUE]]      the graph, compared with B, which alone has the
 *                                                   option
 */
#include <pipesim.h>
#include <stdio.h>
#include <string.h>

/* What the document says of the option that B has: GPUs and what-if stand apart in it. */
static char *told_option(char **option)
{
    return strcmp(option[0], "what-if") == 0
               ? NULL
               : g_strdup_printf("--%s%s%s", option[0], option[1] ? " " : "",
                                 option[1] ? option[1] : "");
}

static char *compare(PsQuestion *a, char **words, const PsGpu *gpu, GError **error)
{
    char **option = words + 1;
    g_autoptr(PsIdg) idg = ps_idg_load(words[0], error);
    g_autoptr(PsQuestion) b = idg ? ps_question_new(idg, gpu) : NULL;
    g_autofree char *told = *option ? told_option(option) : NULL;
    const char *const own[] = {told, NULL};
    if (!b || (*option && !ps_question_set(b, option[0], option[1] ? option[1] : "", error)))
        return NULL;
    return ps_compare_json(a, b, NULL, own, error);
}

static char *json(char **argv, GError **error)
{
    g_autoptr(PsGpu) gpu = ps_gpu_load(argv[2], error);
    g_autoptr(PsIdg) idg = gpu ? ps_idg_load(argv[1], error) : NULL;
    g_autoptr(PsQuestion) question = idg ? ps_question_new(idg, gpu) : NULL;
    if (!question)
        return NULL;
    return argv[3] ? compare(question, argv + 3, gpu, error)
                   : ps_question_roofline_json(question, 0, error);
}

int main(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = argc > 2 ? json(argv, &error) : NULL;
    if (text)
        fputs(text, stdout);
    else
        fprintf(stderr, "%s\n",
                error ? error->message : "usage: ask-more GRAPH GPU [B [OPTION [VALUE]]]");
    return text ? 0 : 1;
}
