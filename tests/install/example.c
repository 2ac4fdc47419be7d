/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A client of the installed library, as small as it gets: how many cycles does this kernel take on
 * that GPU, and what would help most? Usage: example GRAPH GPU
 */
#include <pipesim.h>
#include <stdio.h>

static PsAnswer *ask(const PsIdg *idg, const PsGpu *gpu, GError **error)
{
    const PsQuestion question = {.idg = idg, .gpu = gpu, .explain = TRUE};
    g_autoptr(PsAnswer) answer = ps_answer_new(&question, NULL, error);
    const guint threads = g_get_num_processors();
    if (!answer || !ps_answer_find_sensitivities(answer, &question, FALSE, threads, error) ||
        !ps_answer_find_advice(answer, &question, threads, error))
        return NULL;
    return g_steal_pointer(&answer);
}

int main(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsGpu) gpu = argc == 3 ? ps_gpu_load(argv[2], &error) : NULL;
    g_autoptr(PsIdg) idg = gpu ? ps_idg_load(argv[1], &error) : NULL;
    g_autoptr(PsAnswer) answer = idg ? ask(idg, gpu, &error) : NULL;
    if (answer) {
        const PsAdvice *best = answer->advice->pdata[0];
        g_autofree char *cycles = ps_rational_format(answer->result.cycles);
        printf("%s cycles; %s of %s, gain %.1f %%\n", cycles, ps_cause_name(best->cause),
               best->class_name ? best->class_name : "the launch", 100 * best->gain);
    } else {
        fprintf(stderr, "%s\n", error ? error->message : "usage: example GRAPH GPU");
    }
    return answer ? 0 : 1;
}
