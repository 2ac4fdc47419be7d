/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A client of the installed library that starts from compiled code: how many cycles does this
 * kernel take on that GPU, launched like this?
 * Usage: build-from-ptx PTX GPU GRID BLOCK [NAME=VALUE...]
 */
#include <pipesim.h>
#include <stdio.h>

static PsIdg *graph(const char *ptx, const PsGpu *gpu, const PsLaunchTexts *texts,
                    GPtrArray *warnings, GError **error)
{
    PsBuildOptions options;
    g_autoptr(PsPtxModule) module = ps_ptx_load(ptx, error);
    const PsPtxFunction *kernel = module ? ps_ptx_kernel(module, NULL, error) : NULL;
    g_autoptr(PsLaunchArguments) arguments =
        kernel ? ps_launch_arguments_new(module, kernel, texts, warnings, warnings, error) : NULL;
    g_autoptr(PsLaunchGrid) grid = arguments ? ps_launch_grid_new(arguments, texts, error) : NULL;
    if (!grid)
        return NULL;

    ps_build_options_init(&options);
    ps_launch_set_up(arguments, grid, texts, &options);
    g_autoptr(PsBuild) build = ps_launch_build(&options, gpu, error);
    return build ? g_steal_pointer(&build->idg) : NULL;
}

static char *cycles(char **words, GError **error)
{
    const PsLaunchTexts texts = {
        .grid = words[3], .block = words[4], .arguments = (const char *const *)words + 5};
    g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(PsGpu) gpu = ps_gpu_load(words[2], error);
    g_autoptr(PsIdg) idg = gpu ? graph(words[1], gpu, &texts, warnings, error) : NULL;
    g_autoptr(PsKernel) kernel = idg ? ps_kernel_new(idg, NULL, error) : NULL;
    PsLaunch launch;
    PsSimResult result;
    if (!kernel || !ps_launch_resolve(kernel, gpu, &(PsLaunchOptions){0}, &launch, warnings, error))
        return NULL;
    g_autoptr(PsMachine) machine = ps_machine_new(kernel, gpu, &launch, NULL, warnings, error);
    if (!machine || !ps_sim_run(machine, NULL, &result, error))
        return NULL;
    return ps_rational_format(result.cycles);
}

int main(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = argc > 4 ? cycles(argv, &error) : NULL;
    if (text)
        printf("%s\n", text);
    else
        fprintf(stderr, "%s\n",
                error ? error->message
                      : "usage: build-from-ptx PTX GPU GRID BLOCK [NAME=VALUE...]");
    return text ? 0 : 1;
}
