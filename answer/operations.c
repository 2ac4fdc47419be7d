/* SPDX-License-Identifier: BSD-3-Clause */
/* The operations of a launch. See answer-private.h. */
#include "answer/answer-private.h"

#include <string.h>

double *ps_threads_by_program(const PsMachine *machine)
{
    const PsLaunch *launch = &machine->launch;
    const PsKernel *kernel = machine->kernel;
    const gint64 warp_size = machine->gpu->warp_size;
    double *threads = g_new0(double, kernel->n_programs);
    for (guint k = 0; k < kernel->n_kinds; k++) {
        const double groups =
            (double)launch->groups * (double)kernel->kinds[k].share / (double)kernel->parts;
        for (gint64 warp = 0; warp < launch->warps_per_group; warp++)
            threads[ps_kernel_program_of(kernel, k, warp)] +=
                (double)MIN(warp_size, launch->group_size - warp * warp_size) * groups;
    }
    return threads;
}

static void add_operations(GArray *operations, const char *type, double count)
{
    for (guint i = 0; i < operations->len; i++) {
        PsOperations *known = &g_array_index(operations, PsOperations, i);
        if (strcmp(known->type, type) == 0) {
            known->count += count;
            return;
        }
    }
    const PsOperations first = {type, count};
    g_array_append_val(operations, first);
}

GArray *ps_operations_count(const PsMachine *machine)
{
    GArray *operations = g_array_new(FALSE, FALSE, sizeof(PsOperations));
    g_autofree double *threads = ps_threads_by_program(machine);
    for (guint p = 0; p < machine->kernel->n_programs; p++) {
        const PsProgram *program = &machine->kernel->programs[p];
        for (guint n = 0; n < program->n_nodes; n++) {
            const PsProgramNode *node = &program->nodes[n];
            const double runs = (double)node->count * ps_rational_to_double(node->lanes);
            if (node->ops && node->item->type && threads[p] > 0)
                add_operations(operations, node->item->type, (double)node->ops * runs * threads[p]);
        }
    }
    return operations;
}

double ps_operations_flops(const GArray *operations)
{
    double flops = 0;
    for (guint i = 0; i < operations->len; i++) {
        const PsOperations *some = &g_array_index(operations, PsOperations, i);
        if (strcmp(some->type, "int") != 0)
            flops += some->count;
    }
    return flops;
}
