/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A client of the installed library that varies a question: prints what `pipesim sweep --format
 * json` prints. Usage: ask-sweep GRAPH GPU LIST...
 */
#include <pipesim.h>
#include <stdio.h>

static char *sweep(char **argv, GError **error)
{
    g_auto(GStrv) told = NULL;
    g_autoptr(PsGpu) gpu = ps_gpu_load(argv[2], error);
    g_autoptr(PsIdg) idg = gpu ? ps_idg_load(argv[1], error) : NULL;
    g_autoptr(PsQuestion) question = idg ? ps_question_new(idg, gpu) : NULL;
    char *json = question ? ps_question_sweep(question, (const char *const *)argv + 3, "json", 0,
                                              &told, error)
                          : NULL;
    for (char **text = told; text && *text; text++)
        fprintf(stderr, "%s\n", *text);
    return json;
}

int main(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *json = argc > 3 ? sweep(argv, &error) : NULL;
    if (json)
        fputs(json, stdout);
    else
        fprintf(stderr, "%s\n", error ? error->message : "usage: ask-sweep GRAPH GPU LIST...");
    return json ? 0 : 1;
}
