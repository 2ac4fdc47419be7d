/* SPDX-License-Identifier: BSD-3-Clause */
#include "code/machine.h"

#include "code/toolchain.h"
#include "code/kept.h"
#include "code/toolkit.h"
#include "sass/file.h"
#include "sass/listing.h"

#include <string.h>

/* Seconds of processor time: a kernel in a cubin of 50 MB takes one. */
#define MOST_SECONDS 30
/* Minutes by the clock, which an nvdisasm that works gets by with on a loaded machine, too. */
#define MOST_MINUTES 20
/* What is listed of a kernel: a million instructions take about half of it. */
#define MOST_MEBIBYTES 256

/* ---- variables ------------------------------------------------------------------------------ */

GHashTable *ps_machine_code_values(const PsPtxModule *module)
{
    GHashTable *values = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < module->variables->len; i++) {
        PsPtxVariable *variable = module->variables->pdata[i];
        g_hash_table_insert(values, variable, variable->init);
    }
    return values;
}

static void set_variables(const PsMachineCodeOf *of, PsSassImage *image)
{
    const GPtrArray *variables = of->module->module->variables;
    for (guint i = 0; i < variables->len; i++) {
        const PsPtxVariable *variable = variables->pdata[i];
        if (variable->init != g_hash_table_lookup(of->before, variable))
            ps_sass_image_set(image, variable->name, variable->init, variable->size);
    }
}

/* ---- nvdisasm ------------------------------------------------------------------------------- */

char *ps_machine_code_nvdisasm(const PsCodeOptions *options)
{
    g_autoptr(GPtrArray) all = ps_toolkit_all("nvdisasm");
    if (options->nvdisasm)
        return g_find_program_in_path(options->nvdisasm);
    return all->len ? g_strdup(all->pdata[0]) : NULL;
}

/* The one that lists code for that chip (g_free), as far as it is known: the first, where all of
 * CUDA 12 and 13 do. */
static char *nvdisasm_for(const PsCodeOptions *options, guint architecture)
{
    enum { LAST_OF_ALL = 90 };
    char *other = NULL;
    if (!options->nvdisasm &&
        (architecture < PS_SASS_FIRST_OF_CUDA_13 || architecture > LAST_OF_ALL))
        other = ps_toolkit_for(options->host.tools, "nvdisasm", architecture);
    return other ? other : ps_machine_code_nvdisasm(options);
}

/* The program's path (g_free). NULL and *error. */
static char *find_nvdisasm(const PsMachineCodeOf *of, guint architecture, GError **error)
{
    const char *given = of->options->nvdisasm;
    g_autofree char *own = ps_toolkit_own("nvdisasm"), *folder = ps_toolkit_folder();
    char *found = nvdisasm_for(of->options, architecture);
    if (!found && given)
        g_set_error(error, PS_ERROR, PS_ERROR_READ, "%snvdisasm: there is no program \"%s\"",
                    of->options->prefix, given);
    else if (!found)
        g_set_error(error, PS_ERROR, PS_ERROR_READ,
                    "%s: machine code needs nvdisasm, which was looked for on PATH, in %s and as "
                    "%s (NVIDIA's CUDA toolkit, ./bootstrap --only sass, or pip install "
                    "nvidia-cuda-nvdisasm); %snvdisasm says where it is",
                    of->name, folder, own, of->options->prefix);
    return found;
}

/* TRUE and *error if the program does not know the chip. */
static gboolean fails_by_chip(const PsMachineCodeOf *of, const char *program, guint architecture,
                              GError **error)
{
    g_autofree char *known = ps_toolkit_known(of->options->host.tools, program);
    if (!known || ps_toolkit_knows(of->options->host.tools, program, architecture))
        return FALSE;
    g_set_error(error, PS_ERROR, PS_ERROR_READ,
                "%s: machine code for sm_%u, and %s lists that for %s; %s, which ./bootstrap "
                "--only sass gets, lists it, and %snvdisasm says where it is",
                of->name, architecture, program, known,
                architecture < PS_SASS_FIRST_OF_CUDA_13 ? "nvdisasm of CUDA 12.8"
                                                        : "nvdisasm of the latest CUDA",
                of->options->prefix);
    return TRUE;
}

static gboolean fail_to_list(const PsMachineCodeOf *of, GError *failed, char *said, GError **error)
{
    g_autoptr(GError) why = failed;
    if (g_error_matches(why, PS_ERROR, PS_ERROR_CANCELLED)) {
        g_propagate_error(error, g_steal_pointer(&why));
        return FALSE;
    }
    said[strcspn(said, "\n")] = '\0';
    g_autofree char *valid = g_utf8_make_valid(said, -1);
    if (g_error_matches(why, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED))
        g_set_error(error, PS_ERROR, PS_ERROR_READ, "%s: nvdisasm %s, and was ended", of->name,
                    why->message);
    else if (g_error_matches(why, G_SPAWN_ERROR, G_SPAWN_ERROR_TOO_BIG))
        g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                    "%s: nvdisasm wrote more than %d MiB, and was ended", of->name, MOST_MEBIBYTES);
    else
        g_set_error(error, PS_ERROR, PS_ERROR_READ, "%s: nvdisasm fails: %s", of->name,
                    *valid ? valid : why->message);
    return FALSE;
}

/* What it writes of a kernel that is alone in a cubin is added to `json`. */
static gboolean list_alone(const PsMachineCodeOf *of, char *program, GBytes *alone, char *number,
                           GString *json, GError **error)
{
    char *draft = ps_tool_file(of->options->host.tools, ".cubin", alone, error);
    if (!draft)
        return FALSE;
    char *argv[] = {program, (char[]){"-json"}, (char[]){"-fun"}, number, draft, NULL};
    g_autoptr(GString) said = g_string_new(NULL);
    g_autoptr(GError) why = NULL;
    const PsTool nvdisasm = {
        .host = of->options->host.tools,
        .argv = argv,
        .written = json,
        .said = said,
        .limits = {MOST_SECONDS, MOST_MINUTES * 60, (gsize)MOST_MEBIBYTES << 20},
        .hearer = of->options->host.hearer};
    const gboolean good = ps_tool_run(&nvdisasm, &why);
    ps_tool_file_remove(of->options->host.tools, draft);
    return good || fail_to_list(of, g_steal_pointer(&why), said->str, error);
}

/* What is kept of it, or it writes now, which is kept if it can be read. NULL and *error. */
static PsSassListing *list_kernel(const PsMachineCodeOf *of, char *program,
                                  const PsSassImage *image, const PsSassKernel *kernel,
                                  GError **error)
{
    g_autoptr(GBytes) alone = ps_sass_image_alone(image, kernel);
    g_autofree char *number = g_strdup_printf("%u", kernel->symbol);
    g_autoptr(GChecksum) key = ps_store_key_new("listing 1");
    ps_store_key_add_program(key, program);
    ps_store_key_add(key, number);
    ps_store_key_add_bytes(key, g_bytes_get_data(alone, NULL), g_bytes_get_size(alone));
    g_autoptr(GBytes) kept = ps_kept_find(of->options, key, NULL);
    if (kept)
        return ps_sass_listing_new(g_bytes_get_data(kept, NULL), (gssize)g_bytes_get_size(kept),
                                   kernel, error);
    g_autoptr(GString) json = g_string_new(NULL);
    g_autoptr(GError) why = NULL;
    if (!list_alone(of, program, alone, number, json, &why)) {
        if (g_error_matches(why, PS_ERROR, PS_ERROR_CANCELLED) ||
            !fails_by_chip(of, program, (guint)image->capability, error))
            g_propagate_error(error, g_steal_pointer(&why));
        return NULL;
    }
    PsSassListing *listing = ps_sass_listing_new(json->str, (gssize)json->len, kernel, error);
    g_autoptr(GBytes) made = g_string_free_to_bytes(g_steal_pointer(&json));
    if (listing)
        ps_kept_put(of->options, key, NULL, made);
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

static PsSassCode *read_code(const PsMachineCodeOf *of, const GPtrArray *images, GError **error)
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
    g_autofree char *program = find_nvdisasm(of, (guint)image->capability, error);
    PsSassListing *listing = program ? list_kernel(of, program, image, kernel, error) : NULL;
    if (!listing)
        return NULL;
    set_variables(of, image);
    PsSassCode *code = ps_sass_code_new(image, kernel, listing, of->kernel, error);
    for (guint k = 0; code && k < code->module->warnings->len; k++)
        ps_code_warn(of->options, code->module->warnings->pdata[k]);
    return code;
}

/* TRUE if there are programs that make machine code for the chip, and list it: CUDA 13 has none for
 * those before sm_75. */
static gboolean is_within_reach(const PsMachineCodeOf *of, guint architecture)
{
    if (architecture >= PS_SASS_FIRST_OF_CUDA_13)
        return TRUE;
    g_autofree char *ptxas = ps_toolkit_for(of->options->host.tools, "ptxas", architecture),
                    *nvdisasm = nvdisasm_for(of->options, architecture);
    return ptxas && nvdisasm && ps_toolkit_knows(of->options->host.tools, nvdisasm, architecture);
}

/* 80 of "sm_80"; 0: it is for itself alone ("sm_90a"), or none. */
static guint architecture_in(const char *target)
{
    char *end = NULL;
    const guint64 number =
        g_str_has_prefix(target, "sm_") ? g_ascii_strtoull(target + 3, &end, 10) : 0;
    return end && !*end ? (guint)number : 0;
}

/* The architecture to assemble for (g_free): what is asked for, else the GPU's, where the PTX is
 * for that or an earlier one and for all that follow it, or was compiled here by an nvcc that knows
 * none before sm_75; else what the PTX is for, or the first of CUDA 13 where nothing makes that. */
static char *choose_target(const PsMachineCodeOf *of)
{
    const char *stated = of->module->module->target;
    const guint wanted = ps_toolchain_architecture(of->gpu), least = architecture_in(stated);
    const gboolean oldest = of->module->source && least == PS_SASS_FIRST_OF_CUDA_13;
    if (of->options->arch)
        return g_strdup(of->options->arch);
    if (wanted >= PS_SASS_OLDEST && least && (wanted >= least || oldest) &&
        is_within_reach(of, wanted))
        return g_strdup_printf("sm_%u", wanted);
    const gboolean has_own = least >= PS_SASS_OLDEST && is_within_reach(of, least);
    return least && least < PS_SASS_FIRST_OF_CUDA_13 && !has_own
               ? g_strdup_printf("sm_%d", PS_SASS_FIRST_OF_CUDA_13)
               : g_strdup(stated);
}

static PsSassCode *assemble_for(const PsMachineCodeOf *of, const char *ptx, const char *target,
                                GError **error)
{
    g_autofree char *version = NULL;
    g_autoptr(GBytes) cubin = ps_toolchain_make_cubin(of->options, ptx, target, &version, error);
    g_autoptr(GPtrArray) images = cubin ? ps_sass_images_new(cubin, of->name, error) : NULL;
    return images ? read_code(of, images, error) : NULL;
}

/* The PTX, as if nvcc had compiled it for the target (g_free). */
static char *ptx_for(const PsMachineCodeOf *of, const char *target)
{
    g_autoptr(GRegex) line =
        g_regex_new("^(\\s*\\.target\\s+)sm_[0-9]+", G_REGEX_MULTILINE | G_REGEX_RAW, 0, NULL);
    g_autofree char *by = g_strdup_printf("\\g<1>%s", target);
    return g_regex_replace(line, of->module->text, -1, 0, by, 0, NULL);
}

PsSassCode *ps_machine_code_new(const PsMachineCodeOf *of, GError **error)
{
    if (of->module->machine)
        return read_code(of, of->module->machine, error);
    g_autofree char *nvdisasm = find_nvdisasm(of, 0, error);
    if (!nvdisasm)
        return NULL;
    g_autofree char *target = choose_target(of);
    const char *stated = of->module->module->target;
    if (!of->options->arch && architecture_in(target) < architecture_in(stated)) {
        g_autofree char *ptx = ptx_for(of, target);
        PsSassCode *code = assemble_for(of, ptx, target, NULL);
        if (code)
            return code; /* else it has what came with sm_75 */
        g_free(g_steal_pointer(&target));
        target = g_strdup(stated);
    }
    return assemble_for(of, of->module->text, target, error);
}
