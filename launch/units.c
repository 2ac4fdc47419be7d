/* SPDX-License-Identifier: BSD-3-Clause */
/* Compute capabilities: which code a GPU of NVIDIA can run. */
#include "launch/units.h"

#include "base/message.h"
#include "gpu/rows.h"
#include "ptx/instruction.h"

#include <string.h>

#define OLDEST_ASSEMBLED 75
#define FIRST_CLUSTERS 90

#define MEBIBYTE (1024 * 1024)

/* Bytes of static shared memory that a kernel may have: ptxas says "0xc000 max" for every
 * target. */
#define MOST_STATIC 49152

/* PTX becomes code of every later GPU; machine code is for GPUs with the same number before the
 * point. A target that ends in "a" is for one GPU, one that ends in "f" for GPUs of its family. */
static gboolean runs(guint64 wanted, const char *end, PsCodeForm code, guint has)
{
    if (wanted <= OLDEST_ASSEMBLED && has < OLDEST_ASSEMBLED && code != PS_CODE_FORM_MACHINE)
        return TRUE;
    if (strcmp(end, "a") == 0)
        return wanted == has;
    return wanted <= has &&
           (wanted / 10 == has / 10 || !(code != PS_CODE_FORM_PTX || strcmp(end, "f") == 0));
}

char *ps_launch_target_wrong(const PsGpu *gpu, const char *target, PsCodeForm code)
{
    char *end = NULL;
    const guint64 wanted =
        g_str_has_prefix(target, "sm_") ? g_ascii_strtoull(target + 3, &end, 10) : 0;
    const guint has = gpu->capability;
    if (wanted && code == PS_CODE_FORM_MACHINE && ps_gpu_is_amd(gpu))
        return g_strdup_printf("machine code for %s is for GPUs of NVIDIA and does not run on %s; "
                               "the answer is that of such instructions on it",
                               target, gpu->name);
    if (!has || !wanted || runs(wanted, end, code, has))
        return NULL;
    return g_strdup_printf("%s for %s does not run on %s, whose compute capability is %u.%u; the "
                           "answer is that of such instructions on it",
                           code == PS_CODE_FORM_PTX ? "code" : "machine code", target, gpu->name,
                           has / 10, has % 10);
}

char *ps_launch_clusters_wrong(const PsGpu *gpu, const PsPtxFunction *kernel)
{
    gboolean found = FALSE;
    for (guint i = 0; !found && i < kernel->instructions->len; i++) {
        const PsPtxMnemonic *mnemonic =
            g_array_index(kernel->instructions, PsPtxInstruction, i).mnemonic;
        found = strcmp(mnemonic->opcode, "mapa") == 0 ||
                ps_ptx_has(mnemonic, "multicast::cluster") ||
                (strcmp(mnemonic->opcode, "barrier") == 0 && ps_ptx_has(mnemonic, "cluster"));
    }
    if (!found || !gpu->capability || gpu->capability >= FIRST_CLUSTERS)
        return NULL;
    return g_strdup_printf("the groups of kernel \"%s\" form clusters, which came with compute "
                           "capability %d.%d, and %s has %u.%u; the answer is that of such "
                           "instructions on it",
                           kernel->name, FIRST_CLUSTERS / 10, FIRST_CLUSTERS % 10, gpu->name,
                           gpu->capability / 10, gpu->capability % 10);
}

/* The bytes of all buffers, and those of the largest, with its name; sums stop at the largest
 * number. */
typedef struct {
    guint64 all, largest;
    const char *name;
} Bytes;

static void add(Bytes *bytes, guint64 size, const char *name)
{
    bytes->all = size > G_MAXUINT64 - bytes->all ? G_MAXUINT64 : bytes->all + size;
    if (size > bytes->largest) {
        bytes->largest = size;
        bytes->name = name;
    }
}

static Bytes bytes_of(const PsPtxModule *module, const PsPtxLaunch *launch)
{
    Bytes bytes = {0, 0, NULL};
    for (guint i = 0; i < module->variables->len; i++) {
        const PsPtxVariable *variable = module->variables->pdata[i];
        if (variable->space == PS_PTX_GLOBAL)
            add(&bytes, variable->size, variable->name);
    }
    for (guint i = 0; i < launch->n_arguments; i++) {
        const PsPtxArgument *argument = &launch->arguments[i];
        if (argument->data)
            add(&bytes, argument->size, argument->name);
        for (guint k = 0; k < argument->n_fields; k++)
            add(&bytes, argument->fields[k].size, argument->fields[k].name);
    }
    return bytes;
}

/* Rounds up. */
static guint64 mebibytes(guint64 bytes)
{
    return bytes / MEBIBYTE + (bytes % MEBIBYTE > 0);
}

char *ps_launch_memory_short(const PsGpu *gpu, const PsPtxModule *module, const PsPtxLaunch *launch)
{
    const Bytes bytes = bytes_of(module, launch);
    const guint64 needed = mebibytes(bytes.all), has = (guint64)gpu->device_memory;
    if (!has || needed <= has)
        return NULL;
    return g_strdup_printf("the launch's buffers have %" G_GUINT64_FORMAT
                           " MiB (%s alone %" G_GUINT64_FORMAT "), and %s has %" G_GUINT64_FORMAT
                           " MiB of memory, so that they do not fit; the answer is "
                           "that of such a GPU with more memory",
                           needed, bytes.name, mebibytes(bytes.largest), gpu->name, has);
}

gboolean ps_launch_check_static(const PsBuild *build, const PsGpu *gpu, const char *dynamic_name,
                                GError **error)
{
    if (!gpu->capability || build->static_local <= MOST_STATIC)
        return TRUE;
    g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                "kernel \"%s\" has %" G_GUINT64_FORMAT " bytes of .shared memory of its own, and "
                "no assembler takes more than %d; declare the array extern, and its bytes are "
                "those of the launch%s%s",
                build->idg->name, build->static_local, MOST_STATIC, dynamic_name ? ": " : "",
                dynamic_name ? dynamic_name : "");
    return FALSE;
}

gboolean ps_launch_check_units(const PsBuild *build, const PsGpu *gpu, GError **error)
{
    for (guint i = 0; i < build->mix->len; i++) {
        const PsBuildMix *mix = build->mix->pdata[i];
        g_autofree char *lacking =
            mix->after > 0 ? ps_gpu_product_lacking(gpu, mix->class_name) : NULL;
        if (!lacking)
            continue;
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                    "kernel \"%s\" multiplies matrices (%s), for which %s", build->idg->name,
                    mix->class_name, lacking);
        return FALSE;
    }
    return TRUE;
}
