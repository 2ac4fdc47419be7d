/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/build/machine.h"

#include "cli/build/compiler.h"
#include "cli/build/kept.h"
#include "cli/fail.h"
#include "cli/system/tool.h"

#include <string.h>

/* A kernel in a cubin of 50 MB takes one. */
#define MOST_SECONDS 30
/* What is listed of a kernel: a million instructions take about half of it. */
#define MOST_MEBIBYTES 256

/* ---- variables ------------------------------------------------------------------------------ */

GHashTable *machine_values(const PsPtxModule *module)
{
    GHashTable *values = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < module->variables->len; i++) {
        PsPtxVariable *variable = module->variables->pdata[i];
        g_hash_table_insert(values, variable, variable->init);
    }
    return values;
}

static void set_variables(const MachineOf *of, PsSassImage *image)
{
    const GPtrArray *variables = of->module->module->variables;
    for (guint i = 0; i < variables->len; i++) {
        const PsPtxVariable *variable = variables->pdata[i];
        if (variable->init != g_hash_table_lookup(of->before, variable))
            ps_sass_image_set(image, variable->name, variable->init, variable->size);
    }
}

/* ---- nvdisasm ------------------------------------------------------------------------------- */

/* Where ./bootstrap --only sass puts it (g_free). */
static char *own_nvdisasm(void)
{
    return g_build_filename(g_get_user_data_dir(), "pipesim", "sass", "bin", "nvdisasm", NULL);
}

char *machine_nvdisasm(const BuildOptions *options)
{
    if (options->nvdisasm)
        return g_find_program_in_path(options->nvdisasm);
    g_autofree char *own = own_nvdisasm();
    char *found = compiler_find("nvdisasm");
    return found || !g_file_test(own, G_FILE_TEST_IS_EXECUTABLE) ? found : g_steal_pointer(&own);
}

/* The program's path (g_free). NULL and *error. */
static char *find_nvdisasm(const MachineOf *of, GError **error)
{
    const char *given = of->options->nvdisasm;
    g_autofree char *own = own_nvdisasm(), *folder = compiler_folder();
    char *found = machine_nvdisasm(of->options);
    if (!found && given)
        g_set_error(error, PS_ERROR, PS_ERROR_READ, "--nvdisasm: there is no program \"%s\"",
                    given);
    else if (!found)
        g_set_error(error, PS_ERROR, PS_ERROR_READ,
                    "%s: machine code needs nvdisasm, which was looked for on PATH, in %s and as "
                    "%s (NVIDIA's CUDA toolkit, ./bootstrap --only sass, or pip install "
                    "nvidia-cuda-nvdisasm); --nvdisasm says where it is",
                    of->name, folder, own);
    return found;
}

static gboolean fail_to_list(const MachineOf *of, const GError *why, char *said, GError **error)
{
    said[strcspn(said, "\n")] = '\0';
    g_autofree char *valid = g_utf8_make_valid(said, -1);
    if (g_error_matches(why, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED))
        g_set_error(error, PS_ERROR, PS_ERROR_READ,
                    "%s: nvdisasm had not listed it after %d seconds, and was ended", of->name,
                    MOST_SECONDS);
    else if (g_error_matches(why, G_SPAWN_ERROR, G_SPAWN_ERROR_TOO_BIG))
        g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                    "%s: nvdisasm wrote more than %d MiB, and was ended", of->name, MOST_MEBIBYTES);
    else
        g_set_error(error, PS_ERROR, PS_ERROR_READ, "%s: nvdisasm fails: %s", of->name,
                    *valid ? valid : why->message);
    return FALSE;
}

/* What it writes of a kernel that is alone in a cubin is added to `json`. */
static gboolean list_alone(const MachineOf *of, char *program, GBytes *alone, char *number,
                           GString *json, GError **error)
{
    char *draft = compiler_draft(".cubin", alone, error);
    if (!draft)
        return FALSE;
    char *argv[] = {program, (char[]){"-json"}, (char[]){"-fun"}, number, draft, NULL};
    g_autoptr(GString) said = g_string_new(NULL);
    g_autoptr(GError) why = NULL;
    const gboolean good =
        tool_run_within(argv, MOST_SECONDS, (gsize)MOST_MEBIBYTES << 20, json, said, &why);
    compiler_remove_draft(draft);
    return good || fail_to_list(of, why, said->str, error);
}

/* What is kept of it, or it writes now, which is kept if it can be read. NULL and *error. */
static PsSassListing *list_kernel(const MachineOf *of, char *program, const PsSassImage *image,
                                  const PsSassKernel *kernel, GError **error)
{
    g_autoptr(GBytes) alone = ps_sass_image_alone(image, kernel);
    g_autofree char *number = g_strdup_printf("%u", kernel->symbol);
    g_autoptr(GChecksum) key = ps_store_key_new("listing 1");
    ps_store_key_add_program(key, program);
    ps_store_key_add(key, number);
    ps_store_key_add_bytes(key, g_bytes_get_data(alone, NULL), g_bytes_get_size(alone));
    g_autoptr(GBytes) kept = kept_find(of->options, key, NULL);
    if (kept)
        return ps_sass_listing_new(g_bytes_get_data(kept, NULL), (gssize)g_bytes_get_size(kept),
                                   kernel, error);
    g_autoptr(GString) json = g_string_new(NULL);
    if (!list_alone(of, program, alone, number, json, error))
        return NULL;
    PsSassListing *listing = ps_sass_listing_new(json->str, (gssize)json->len, kernel, error);
    g_autoptr(GBytes) made = g_string_free_to_bytes(g_steal_pointer(&json));
    if (listing)
        kept_put(of->options, key, NULL, made);
    return listing;
}

/* ---- code ----------------------------------------------------------------------------------- */

static const PsSassKernel *find_kernel(const PsSassImage *image, const char *name)
{
    for (guint i = 0; i < image->kernels->len; i++) {
        const PsSassKernel *kernel = image->kernels->pdata[i];
        if (strcmp(kernel->name, name) == 0)
            return kernel;
    }
    return NULL;
}

static PsSassCode *read_code(const MachineOf *of, char *program, const GPtrArray *images,
                             GError **error)
{
    const PsSassKernel *kernel = NULL;
    guint i = 0;
    while (i < images->len && !(kernel = find_kernel(images->pdata[i], of->kernel->name)))
        i++;
    if (!kernel) {
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE, "%s: the machine code has no kernel \"%s\"",
                    of->name, of->kernel->name);
        return NULL;
    }
    PsSassImage *image = images->pdata[i];
    PsSassListing *listing = list_kernel(of, program, image, kernel, error);
    if (!listing)
        return NULL;
    set_variables(of, image);
    PsSassCode *code = ps_sass_code_new(image, kernel, listing, of->kernel, error);
    for (guint k = 0; code && k < code->module->warnings->len; k++)
        build_warn(of->options, code->module->warnings->pdata[k]);
    return code;
}

/* The architecture to assemble for (g_free): what is asked for, else the GPU's, where the PTX is
 * for that or an earlier one, and for all that follow it ("sm_90a" is for itself alone). */
static char *choose_target(const MachineOf *of)
{
    const char *stated = of->module->module->target;
    const guint wanted = compiler_architecture(of->gpu);
    char *end = NULL;
    const guint64 least =
        g_str_has_prefix(stated, "sm_") ? g_ascii_strtoull(stated + 3, &end, 10) : 0;
    if (of->options->arch)
        return g_strdup(of->options->arch);
    if (wanted >= PS_SASS_OLDEST && wanted >= least && end && !*end)
        return g_strdup_printf("sm_%u", wanted);
    return least < PS_SASS_OLDEST ? g_strdup_printf("sm_%d", PS_SASS_OLDEST) : g_strdup(stated);
}

/* The assembler takes it for code to be looked at step by step. */
static void warn_of_debug(const MachineOf *of)
{
    g_autofree char *text = g_strdup_printf(
        "%s: its .target says debug, so ptxas does not optimise it; compiled without -G (nvcc) or "
        "-g (clang), or with that word taken out, it is other code",
        of->name);
    if (of->module->module->debug)
        build_warn(of->options, text);
}

PsSassCode *machine_code_new(const MachineOf *of, GError **error)
{
    g_autofree char *program = find_nvdisasm(of, error);
    if (!program)
        return NULL;
    if (of->module->machine)
        return read_code(of, program, of->module->machine, error);
    g_autofree char *target = choose_target(of), *version = NULL;
    warn_of_debug(of);
    g_autoptr(GBytes) cubin =
        compiler_make_cubin(of->options, of->module->text, target, &version, error);
    g_autoptr(GPtrArray) images = cubin ? ps_sass_images_new(cubin, of->name, error) : NULL;
    return images ? read_code(of, program, images, error) : NULL;
}
