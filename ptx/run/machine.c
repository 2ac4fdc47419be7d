/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A machine: the checked launch, the code, memory and warps.
 */
#include "base/usage.h"
#include "ptx/form.h"
#include "ptx/run/phase.h"
#include "ptx/run/products.h"
#include "ptx/run/watch.h"
#include <string.h>

#define MOST_THREADS 1024
#define MOST_CLUSTER 8          /* most groups of a cluster */
#define MOST_CLUSTER_ALLOWED 16 /* if the host allows the kernel more */
#define DEFAULT_INSTRUCTIONS G_GUINT64_CONSTANT(1000000000)

/* ---- the launch ----------------------------------------------------------------------------- */

gboolean ps_ptx_block_check(const guint block[3], GError **error)
{
    const guint threads = block[0] * block[1] * block[2];
    return threads <= MOST_THREADS ||
           ps_value_error(error, "a group of %ux%ux%u is %u threads, and %d are the most", block[0],
                          block[1], block[2], threads, MOST_THREADS);
}

static gboolean check_size(const PsPtxLaunch *launch, GError **error)
{
    static const guint most_block[] = {1024, 1024, 64};
    static const guint most_grid[] = {G_MAXINT32, 65535, 65535};
    const guint *block = launch->block, *grid = launch->grid;
    for (guint i = 0; i < 3; i++) {
        if (block[i] < 1 || block[i] > most_block[i])
            return ps_value_error(error, "a group of %ux%ux%u threads: %c must be from 1 to %u",
                                  block[0], block[1], block[2], "xyz"[i], most_block[i]);
        if (grid[i] < 1 || grid[i] > most_grid[i])
            return ps_value_error(error, "a grid of %ux%ux%u groups: %c must be from 1 to %u",
                                  grid[0], grid[1], grid[2], "xyz"[i], most_grid[i]);
    }
    return ps_ptx_block_check(block, error);
}

/* FALSE and *error where .reqntid or .maxntid of the kernel does not allow that many threads. */
static gboolean check_threads(const PsPtxLaunch *launch, GError **error)
{
    const PsPtxFunction *kernel = launch->kernel;
    const guint *block = launch->block;
    const guint *need = kernel->required;
    guint most = 1;
    for (guint i = 0; i < 3; i++)
        most = (guint)MIN((guint64)most * kernel->most[i], G_MAXUINT32);
    if (need[0] > 0 && memcmp(need, block, sizeof kernel->required) != 0)
        return ps_value_error(
            error, "kernel \"%s\" requires groups of %ux%ux%u threads (.reqntid), not %ux%ux%u",
            kernel->name, need[0], need[1], need[2], block[0], block[1], block[2]);
    if (most > 0 && block[0] * block[1] * block[2] > most)
        return ps_value_error(error, "kernel \"%s\" allows groups of %u threads (.maxntid), not %u",
                              kernel->name, most, block[0] * block[1] * block[2]);
    return TRUE;
}

/* Finds the groups of a cluster, from the launch or the kernel; FALSE and *error where the two
 * differ. */
static gboolean find_cluster(const PsPtxLaunch *launch, guint cluster[3], GError **error)
{
    const PsPtxFunction *kernel = launch->kernel;
    const guint *asked = launch->cluster, *own = kernel->cluster;
    const gboolean asks = asked[0] > 0 || asked[1] > 0 || asked[2] > 0;
    const gboolean needs = own[0] > 0;
    for (guint i = 0; i < 3; i++)
        cluster[i] = asks ? MAX(asked[i], 1) : needs ? MAX(own[i], 1) : 0;
    for (guint i = 0; asks && needs && i < 3; i++)
        if (cluster[i] != MAX(own[i], 1))
            return ps_value_error(error,
                                  "kernel \"%s\" requires clusters of %ux%ux%u groups "
                                  "(.reqnctapercluster), not %ux%ux%u",
                                  kernel->name, own[0], MAX(own[1], 1), MAX(own[2], 1), cluster[0],
                                  cluster[1], cluster[2]);
    return TRUE;
}

/* FALSE and *error where the groups do not make whole clusters, which the driver refuses to launch
 * (cudaErrorInvalidClusterSize). */
static gboolean check_clusters(const PsPtxLaunch *launch, GError **error)
{
    const guint *grid = launch->grid;
    const gboolean asks = launch->cluster[0] > 0;
    const guint most = asks ? MOST_CLUSTER_ALLOWED : MOST_CLUSTER;
    const char *by = asks ? "" : " (.reqnctapercluster)";
    gboolean whole = TRUE;
    guint cluster[3];
    guint64 size = 1;
    if (!find_cluster(launch, cluster, error))
        return FALSE;
    for (guint i = 0; i < 3; i++) {
        whole = whole && grid[i] % MAX(cluster[i], 1) == 0;
        size = MIN(size * MAX(cluster[i], 1), G_MAXUINT32);
    }
    if (size > most)
        return ps_value_error(error,
                              "kernel \"%s\" has clusters of %ux%ux%u groups%s, and %u groups are "
                              "the most that a GPU launches%s",
                              launch->kernel->name, cluster[0], cluster[1], cluster[2], by, most,
                              asks ? ""
                                   : ", unless the host allows this kernel more, which its code "
                                     "does not tell");
    if (launch->kernel->in_clusters && size > 1)
        return ps_value_error(
            error,
            "kernel \"%s\" has its grid counted in clusters (.blocksareclusters), of "
            "%ux%ux%u groups, and only grids that count groups are executed",
            launch->kernel->name, cluster[0], cluster[1], cluster[2]);
    return whole ||
           ps_value_error(error,
                          "kernel \"%s\" has clusters of %ux%ux%u groups%s, of which a grid of "
                          "%ux%ux%u groups is no multiple, so that no GPU launches it",
                          launch->kernel->name, cluster[0], cluster[1], cluster[2], by, grid[0],
                          grid[1], grid[2]);
}

/* The parameters with their types, "out (.u64), n (.u32)". g_free. */
static char *list_params(const PsPtxFunction *kernel)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < kernel->params->len; i++) {
        const PsPtxVariable *param = kernel->params->pdata[i];
        guint element = MAX(ps_ptx_type_size(param->type), 1);
        g_string_append_printf(text, "%s%s (.%s", i > 0 ? ", " : "", param->name,
                               ps_ptx_type_name(param->type));
        if (param->size > element)
            g_string_append_printf(text, ", %" G_GUINT64_FORMAT " bytes", param->size);
        g_string_append(text, param->pointer ? ", a pointer)" : ")");
    }
    if (text->len == 0)
        g_string_append(text, "none");
    return g_string_free(text, FALSE);
}

/* FALSE and *error where an address is to replace part of a struct or of a given buffer, and lies
 * outside of it. */
static gboolean check_fields(const PsPtxArgument *argument, const PsPtxVariable *param,
                             guint address_size, GError **error)
{
    for (guint i = 0; i < argument->n_fields; i++) {
        const guint64 offset = argument->fields[i].offset;
        const guint64 size = argument->data ? argument->size : param->size;
        if (argument->blocks || size < address_size || offset > size - address_size)
            return ps_value_error(error,
                                  "\"%s\", a buffer at byte %" G_GUINT64_FORMAT
                                  " of a parameter of %" G_GUINT64_FORMAT
                                  " bytes: an address of %u bytes does not fit there",
                                  argument->fields[i].name, offset, size, address_size);
    }
    return TRUE;
}

static gboolean check_arguments(const PsPtxModule *module, const PsPtxLaunch *launch,
                                GError **error)
{
    const PsPtxFunction *kernel = launch->kernel;
    g_autofree char *params = list_params(kernel);
    if (launch->n_arguments != kernel->params->len)
        return ps_value_error(error,
                              "kernel \"%s\" takes %u arguments, not %u; its parameters are: %s",
                              kernel->name, kernel->params->len, launch->n_arguments, params);
    for (guint i = 0; i < launch->n_arguments; i++) {
        const PsPtxVariable *param = kernel->params->pdata[i];
        const PsPtxArgument *argument = &launch->arguments[i];
        if (argument->data && param->size != 8 && param->size != 4)
            return ps_value_error(
                error,
                "argument %u, \"%s\", is a buffer, but the parameter is no address; the "
                "parameters of kernel \"%s\" are: %s",
                i + 1, argument->name ? argument->name : param->name, kernel->name, params);
        if (!argument->data && (param->size > 8 || argument->bytes) &&
            (!argument->bytes || argument->size != param->size))
            return ps_value_error(error,
                                  "argument %u, \"%s\", must be %" G_GUINT64_FORMAT
                                  " bytes; the parameters of kernel \"%s\" are: %s",
                                  i + 1, argument->name ? argument->name : param->name, param->size,
                                  kernel->name, params);
        if (!check_fields(argument, param, module->address_size / 8, error))
            return FALSE;
    }
    return TRUE;
}

static PsPtxField *copy_fields(const PsPtxArgument *argument)
{
    PsPtxField *fields = g_new0(PsPtxField, (gsize)argument->n_fields + 1);
    for (guint i = 0; i < argument->n_fields; i++) {
        fields[i] = argument->fields[i];
        fields[i].name = g_strdup(fields[i].name);
    }
    return fields;
}

static void free_argument(PsPtxArgument *argument)
{
    for (guint i = 0; i < argument->n_fields; i++)
        g_free((char *)argument->fields[i].name);
    g_free((PsPtxField *)argument->fields);
    g_free((char *)argument->name);
}

static void copy_launch(PsPtxMachine *machine, const PsPtxLaunch *launch)
{
    machine->launch = *launch;
    find_cluster(launch, machine->launch.cluster, NULL);
    if (launch->workspace)
        memcpy(machine->launch.cluster, launch->grid, sizeof launch->grid);
    machine->arguments = g_new0(PsPtxArgument, (gsize)launch->n_arguments + 1);
    for (guint i = 0; i < launch->n_arguments; i++) {
        const PsPtxVariable *param = launch->kernel->params->pdata[i];
        machine->arguments[i] = launch->arguments[i];
        machine->arguments[i].name =
            g_strdup(launch->arguments[i].name ? launch->arguments[i].name : param->name);
        machine->arguments[i].fields = copy_fields(&launch->arguments[i]);
    }
    machine->launch.arguments = machine->arguments;
    if (machine->launch.most_instructions == 0)
        machine->launch.most_instructions = DEFAULT_INSTRUCTIONS;
    machine->limit = machine->launch.most_instructions;
}

/* ---- what an assembler would not take ------------------------------------------------------- */

/* FALSE and *error at the first instruction of PTX whose operand types or modifiers no assembler
 * takes. */
static gboolean check_forms(const PsPtxCode *code, GError **error)
{
    g_autoptr(GHashTable) forms = g_hash_table_new(NULL, NULL);
    for (guint p = 0; !code->module->machine && p < code->n_points; p++) {
        const PsPtxInstruction *instruction = code->points[p].instruction;
        const PsPtxMnemonic *mnemonic = instruction->mnemonic;
        const PsPtxForm *form = g_hash_table_lookup(forms, mnemonic);
        g_autofree char *wrong = NULL;
        if (!mnemonic->known)
            continue;
        if (!form) {
            form = ps_ptx_form(mnemonic);
            g_hash_table_insert(forms, (gpointer)mnemonic, (gpointer)form);
            wrong = ps_ptx_form_too_new(form, code->module, mnemonic);
        }
        if (!wrong)
            wrong = ps_ptx_form_wrong(form, code->points[p].in->function, instruction);
        if (!wrong)
            continue;
        g_autofree char *where = ps_ptx_code_where(code, p);
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE, "%s: %s", where, wrong);
        return FALSE;
    }
    return TRUE;
}

/* ---- the whole ------------------------------------------------------------------------------ */

PsPtxVectors ps_ptx_vectors(void)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return PS_PTX_AVX2;
#endif
    return PS_PTX_PLAIN;
}

PsPtxMachine *ps_ptx_machine_new(const PsPtxModule *module, const PsPtxLaunch *launch,
                                 GError **error)
{
    return ps_ptx_machine_with(module, launch, ps_ptx_vectors(), error);
}

PsPtxMachine *ps_ptx_machine_with(const PsPtxModule *module, const PsPtxLaunch *launch,
                                  PsPtxVectors vectors, GError **error)
{
    if (!check_size(launch, error) || !check_threads(launch, error) ||
        !check_clusters(launch, error) || !check_arguments(module, launch, error))
        return NULL;
    PsPtxMachine *machine = g_new0(PsPtxMachine, 1);
    machine->module = module;
    machine->vectors = vectors;
    machine->set_lanes = ps_ptx_set_lanes[vectors];
    machine->warnings = g_ptr_array_new_with_free_func(g_free);
    machine->warned = g_hash_table_new(g_str_hash, g_str_equal);
    machine->warned_of = g_array_new(FALSE, FALSE, sizeof(PsPtxWarned));
    machine->warned_points = g_hash_table_new(NULL, NULL);
    copy_launch(machine, launch);
    machine->cluster = ps_ptx_cluster_new(machine);
    machine->code = launch->assembled ? ps_ptx_code_assembled(module, launch->kernel, error)
                                      : ps_ptx_code_new(module, launch->kernel, error);
    if (!machine->code || !check_forms(machine->code, error) ||
        !ps_ptx_memory_new(machine, error)) {
        ps_ptx_machine_free(machine);
        return NULL;
    }
    machine->no_products =
        launch->way_only && !ps_ptx_products_decide(machine->code, launch->all_issue);
    ps_ptx_decode(machine);
    ps_ptx_spin_others(machine);
    ps_ptx_meeting_prepare(machine);
    machine->phases = ps_ptx_phases_new(machine);
    if (!ps_ptx_warps_make(machine, error) || !ps_ptx_cluster_fill(machine, error)) {
        ps_ptx_machine_free(machine);
        return NULL;
    }
    return machine;
}

void ps_ptx_machine_free(PsPtxMachine *machine)
{
    if (!machine)
        return;
    for (guint i = 0; machine->steps && i < machine->code->n_points; i++) {
        g_free(machine->steps[i].more);
        g_free(machine->steps[i].both);
        g_free(machine->steps[i].tally);
        g_free(machine->misuses[i]);
    }
    g_free(machine->steps);
    g_free(machine->misuses);
    g_clear_pointer(&machine->preludes, g_hash_table_unref);
    g_clear_pointer(&machine->bringers, g_hash_table_unref);
    g_clear_pointer(&machine->fixed, g_array_unref);
    ps_ptx_watch_free(machine);
    ps_ptx_memory_clear(machine);
    ps_ptx_phases_free(machine->phases);
    g_clear_error(&machine->unmade);
    for (guint i = 0; i < machine->launch.n_arguments; i++)
        free_argument(&machine->arguments[i]);
    g_free(machine->arguments);
    if (machine->cluster)
        ps_ptx_cluster_free(machine);
    ps_ptx_warps_free(machine);
    g_hash_table_unref(machine->warned);
    g_array_unref(machine->warned_of);
    g_hash_table_unref(machine->warned_points);
    g_ptr_array_unref(machine->warnings);
    ps_ptx_code_free(machine->code);
    g_free(machine);
}

const PsPtxCode *ps_ptx_machine_code(const PsPtxMachine *machine)
{
    return machine->code;
}

const GPtrArray *ps_ptx_machine_warnings(const PsPtxMachine *machine)
{
    return machine->warnings;
}

guint ps_ptx_machine_wait(const PsPtxMachine *machine, guint point)
{
    return ps_ptx_phases_kind(machine->phases, point);
}

PsPtxWay ps_ptx_machine_way(const PsPtxMachine *machine, guint point)
{
    const PsPtxTally *tally = machine->steps[point].tally;
    if (!tally)
        return PS_PTX_WAY_SHORT;
    const guint64 special = tally->ways[PS_PTX_WAY_SPECIAL],
                  scaled = tally->ways[PS_PTX_WAY_SCALED];
    if (special + scaled == 0 || special + scaled < tally->ways[PS_PTX_WAY_SHORT])
        return PS_PTX_WAY_SHORT;
    return special >= scaled ? PS_PTX_WAY_SPECIAL : PS_PTX_WAY_SCALED;
}

guint64 ps_ptx_machine_skipped(const PsPtxMachine *machine, guint point)
{
    const PsPtxTally *tally = machine->steps[point].tally;
    return tally ? tally->skipped : 0;
}

void ps_ptx_machine_limit(PsPtxMachine *machine, guint64 instructions)
{
    const guint64 most = machine->launch.most_instructions;
    machine->limit = instructions > 0 ? MIN(instructions, most) : most;
}

PsPtxFault ps_ptx_machine_fault(const PsPtxMachine *machine)
{
    return machine->fault;
}

void ps_ptx_machine_stop(PsPtxMachine *machine)
{
    machine->stopped = TRUE;
}

guint64 ps_ptx_machine_most(const PsPtxMachine *machine)
{
    return machine->launch.most_instructions;
}

void ps_ptx_machine_counts(const PsPtxMachine *machine, guint64 *warps, guint64 *threads)
{
    if (warps)
        *warps = machine->warp_instructions;
    if (threads)
        *threads = machine->thread_instructions;
}
