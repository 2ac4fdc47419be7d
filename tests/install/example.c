/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A client of the installed library, as small as it gets: how long does this kernel take on that
 * GPU, and what would help? Prints it as JSON. Usage: example GRAPH GPU
 */
#include <pipesim.h>
#include <stdio.h>

static char *ask(const PsIdg *idg, const PsGpu *gpu, GError **error)
{
    g_autoptr(PsQuestion) question = ps_question_new(idg, gpu);
    if (!ps_question_set(question, "advise", "", error))
        return NULL;
    g_autoptr(PsAnswer) answer = ps_question_ask(question, 0, error);
    return answer ? ps_answer_json(answer, 0) : NULL;
}

int main(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsGpu) gpu = argc == 3 ? ps_gpu_load(argv[2], &error) : NULL;
    g_autoptr(PsIdg) idg = gpu ? ps_idg_load(argv[1], &error) : NULL;
    g_autofree char *json = idg ? ask(idg, gpu, &error) : NULL;
    if (json)
        fputs(json, stdout);
    else
        fprintf(stderr, "%s\n", error ? error->message : "usage: example GRAPH GPU");
    return json ? 0 : 1;
}
