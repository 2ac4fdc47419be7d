/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A client of the installed library, as small as it gets: how many cycles does this kernel take on
 * that GPU? Usage: example GRAPH GPU
 */
#include <pipesim.h>
#include <stdio.h>

static char *cycles(const char *graph, const char *gpu_file, GError **error)
{
    g_autoptr(PsGpu) gpu = ps_gpu_load(gpu_file, error);
    g_autoptr(PsIdg) idg = gpu ? ps_idg_load(graph, error) : NULL;
    g_autoptr(PsKernel) kernel = idg ? ps_kernel_new(idg, NULL, error) : NULL;
    g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
    PsLaunch launch;
    if (!kernel || !ps_launch_resolve(kernel, gpu, &(PsLaunchOptions){0}, &launch, warnings, error))
        return NULL;

    g_autoptr(PsMachine) machine = ps_machine_new(kernel, gpu, &launch, NULL, warnings, error);
    PsSimResult result;
    if (!machine || !ps_sim_run(machine, NULL, &result, error))
        return NULL;
    return ps_rational_format(result.cycles);
}

int main(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = argc == 3 ? cycles(argv[1], argv[2], &error) : NULL;
    if (text)
        printf("%s\n", text);
    else
        fprintf(stderr, "%s\n", error ? error->message : "usage: example GRAPH GPU");
    return text ? 0 : 1;
}
