/* SPDX-License-Identifier: BSD-3-Clause */
/* A kernel runs on a GPU with and without fast-forward, and both say the same. */
#ifndef PIPESIM_TESTS_FUZZ_SIMULATE_H
#define PIPESIM_TESTS_FUZZ_SIMULATE_H

#include "pipesim-private.h"

/* Warps on a CU, and instructions, so that an input takes milliseconds. */
#define MOST_WARPS 2048
#define MOST_INSTRUCTIONS 10000

/* Bits that differ for texts of different lengths, so that an input needs none of its own and any
 * file can be one. */
static inline guint32 bits_of(gsize size)
{
    return (guint32)size * 2654435761U >> 7;
}

/* Which refinements an input gets. */
static inline PsRefinementOptions refinements_of(guint32 bits)
{
    return (PsRefinementOptions){.published = (bits & 1) != 0,
                                 .schedulers = (bits >> 1 & 3) == 0 ? bits >> 3 & 7 : 0,
                                 .has_order = (bits >> 6 & 1) != 0,
                                 .order = bits >> 7 & 1 ? PS_ORDER_PROGRAM : PS_ORDER_DATAFLOW,
                                 .has_policy = (bits >> 8 & 1) != 0,
                                 .policy = (PsPolicy)(bits >> 9 & 3),
                                 .contention = (PsChoice)((bits >> 11 & 3) % 3),
                                 .overheads = (PsChoice)((bits >> 13 & 3) % 3),
                                 .all_cus = (PsChoice)((bits >> 15 & 3) % 3)};
}

/* Where warps waited, as text; NULL where the run fails, or is too long. */
static inline char *waits_of(const PsMachine *machine, gboolean every_one)
{
    g_autoptr(PsWaits) waits = ps_waits_new(machine);
    g_autoptr(GError) error = NULL;
    const PsListener listener = ps_waits_listener(waits);
    const PsSimOptions options = {.listeners = &listener,
                                  .n_listeners = 1,
                                  .no_fast_forward = every_one,
                                  .most_instructions = MOST_INSTRUCTIONS};
    PsSimResult result;

    const gboolean good = ps_sim_run(machine, &options, &result, &error);
    g_assert_true(good == (error == NULL));
    if (!good)
        return NULL;
    g_autoptr(GPtrArray) rows = ps_waits_rows(waits, result.ticks);
    GString *text = g_string_new(NULL);
    g_string_printf(text, "%" G_GINT64_FORMAT " ticks, %" G_GINT64_FORMAT " instructions\n",
                    result.ticks, result.instructions);
    for (guint i = 0; i < rows->len; i++) {
        const PsWaitRow *row = rows->pdata[i];
        g_string_append_printf(text, "%s %u: %.17g\n", ps_wait_kind_name(row->kind), row->which,
                               row->ticks);
    }
    return g_string_free(text, FALSE);
}

static inline void simulate_both(const PsMachine *machine)
{
    g_autofree char *hurried = waits_of(machine, FALSE);
    g_autofree char *every = hurried ? waits_of(machine, TRUE) : NULL;
    if (every)
        g_assert_cmpstr(hurried, ==, every);
}

/* NULL and *error where the kernel cannot run there. */
static inline PsMachine *bind(const PsKernel *kernel, const PsGpu *gpu,
                              const PsLaunchOptions *options, guint32 bits, GError **error)
{
    const PsRefinementOptions refine = refinements_of(bits);
    g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
    PsMachineOptions machine = {.what_if = NULL};
    PsLaunch launch;
    if (!ps_refinements_resolve(gpu, &refine, &machine.refinements, error) ||
        !ps_launch_resolve(kernel, gpu, options, &launch, warnings, error))
        return NULL;
    if (launch.active_groups > MOST_WARPS / MAX(launch.warps_per_group, 1)) {
        g_set_error_literal(error, PS_ERROR, PS_ERROR_LIMIT, "too large for an input");
        return NULL;
    }
    return ps_machine_new(kernel, gpu, &launch, &machine, warnings, error);
}

static inline void simulate(const PsKernel *kernel, const PsGpu *gpu,
                            const PsLaunchOptions *options, guint32 bits)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsMachine) machine = bind(kernel, gpu, options, bits, &error);
    g_assert_true((machine == NULL) == (error != NULL));
    if (machine)
        simulate_both(machine);
}

#endif
