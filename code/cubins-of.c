/* SPDX-License-Identifier: BSD-3-Clause */
/* See cubins-of.h. */
#include "code/cubins-of.h"

#include "base/file.h"
#include "code/cubins.h"
#include "code/machine.h"
#include "code/module.h"
#include "code/toolchain.h"
#include "sass/file.h"

/* The architecture for which ptxas compiles (g_free): the one that was asked for, otherwise the
 * GPU's; if the PTX is for a later one, or for a single one such as sm_90a, the PTX's. */
static char *target_for(const PsCodeOptions *build, const PsPtxModule *module, const PsGpu *gpu)
{
    const guint wanted = gpu ? ps_toolchain_architecture(gpu) : 0;
    const guint least = ps_machine_code_architecture(module->target);
    if (build->arch)
        return g_strdup(build->arch);
    return least && wanted >= least ? g_strdup_printf("sm_%u", wanted) : g_strdup(module->target);
}

static GPtrArray *assemble(const PsCodeOptions *build, const char *name, const PsGpu *gpu,
                           GError **error)
{
    g_autoptr(PsCodeModule) module = ps_code_module_load(build, name, gpu, error);
    if (!module)
        return NULL;
    if (module->machine)
        return g_ptr_array_ref(module->machine);
    g_autofree char *target = target_for(build, module->module, gpu), *version = NULL;
    g_autoptr(GBytes) cubin = ps_toolchain_make_cubin(build, module->text, target, &version, error);
    return cubin ? ps_sass_images_new(cubin, name, error) : NULL;
}

GPtrArray *ps_code_cubins_of(const PsCodeOptions *build, const char *name, const PsGpu *gpu,
                             GError **error)
{
    if (g_str_has_suffix(name, ".ptx") || g_str_has_suffix(name, ".cu"))
        return assemble(build, name, gpu, error);
    gsize length = 0;
    char *text = ps_file_read(name, PS_CODE_MOST_PTX, &length, error);
    if (!text)
        return NULL;
    g_autoptr(GBytes) bytes = g_bytes_new_take(text, length);
    g_autoptr(GPtrArray) images = ps_code_cubins_in(build, name, bytes, error);
    if (images && gpu)
        g_free(ps_sass_images_choose(images, ps_toolchain_architecture(gpu)));
    return g_steal_pointer(&images);
}
