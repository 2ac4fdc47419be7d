/* SPDX-License-Identifier: BSD-3-Clause */
/* See making.h. */
#include "code/making.h"

#include "base/usage.h"
#include "sass/file.h"
#include "sass/mix.h"

/* Kernels that are shown; a file may have thousands. */
#define MOST_SHOWN 20

/* TRUE if an access to shared memory goes to memory of the launch's size: the machine code has no
 * array of its own there. If it has one, its size is unknown. */
static gboolean is_dynamic(const PsCodeModule *module, const PsPtxFunction *kernel)
{
    PsSassImage *image = NULL;
    const PsSassKernel *of =
        module->machine ? ps_sass_images_kernel(module->machine, kernel->name, &image) : NULL;
    return of && of->shared <= ps_sass_system_bytes(image) &&
           ps_sass_mix(image, of).of[PS_SASS_MIX_SHARED] > 0;
}

/* Shows command lines that would ask about the kernels, and returns their number. */
static guint show_commands(const PsMaking *making, const char *name)
{
    PsPtxModule *module = making->built->module->module;
    g_auto(GStrv) names = ps_ptx_kernel_names(module);
    PsLaunchTexts texts = making->texts;
    guint n = 0;
    texts.common = texts.arguments; /* each may be another kernel's */
    for (guint i = 0; i < module->functions->len; i++) {
        if (!*names[i] || ++n > MOST_SHOWN)
            continue;
        const PsPtxFunction *kernel = module->functions->pdata[i];
        g_autofree char *command = ps_making_command(making->options, name, names[i]);
        texts.command = command;
        texts.dynamic = is_dynamic(making->built->module, kernel);
        g_autofree char *line = ps_launch_command(module, kernel, &texts);
        making->options->host.show(line);
    }
    return n;
}

const PsPtxFunction *ps_making_kernel(PsMaking *making, const char *name, GError **error)
{
    const PsCodeOptions *options = making->options;
    const PsCodeModule *module = making->built->module;
    const char *shown = ps_code_shown(options, name);
    g_autoptr(GError) why = NULL;
    const PsPtxFunction *kernel = ps_ptx_kernel(module->module, options->kernel, &why);
    const gboolean shows = !kernel && !options->kernel && options->host.show && options->program;
    const guint n = shows ? show_commands(making, name) : 0;
    if (why && !n)
        g_propagate_error(error, g_steal_pointer(&why));
    if (!n) {
        making->texts.dynamic = kernel && is_dynamic(module, kernel);
        return kernel;
    }
    g_autofree char *more =
        n > MOST_SHOWN ? g_strdup_printf("; these are %d, and pipesim build --list %s has all",
                                         MOST_SHOWN, shown)
                       : g_strdup("");
    ps_usage_error(error,
                   "%s: has %u kernels; choose one by a command line above, with what it lacks "
                   "(buffers are zero:BYTES, ramp:BYTES, random:BYTES or @FILE)%s",
                   shown, n, more);
    return NULL;
}
