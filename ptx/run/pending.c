/* SPDX-License-Identifier: BSD-3-Clause */
/* See pending.h. */
#include "ptx/run/pending.h"

#include "ptx/run/watch.h"

#include <string.h>

/* The key that distinguishes the warnings of this file from those of watch-tell.c at the same
 * point. */
#define ITS_KEY 0xff

struct PsPtxPending {
    guint64 place;
    guint bytes;
    guint64 group;
};

void ps_ptx_pending_add(PsPtxRunner *runner, guint64 place, guint bytes)
{
    PsPtxMachine *machine = runner->machine;
    const PsPtxPending pending = {place, bytes, runner->copy_groups};
    if (place > machine->shared_bytes || bytes > machine->shared_bytes - place)
        return; /* in memory of another group of the cluster */
    memset(machine->written + place, PS_PTX_UNDER_WAY, bytes);
    if (!runner->pending)
        runner->pending = g_array_new(FALSE, FALSE, sizeof(PsPtxPending));
    g_array_append_val(runner->pending, pending);
}

void ps_ptx_pending_commit(PsPtxRunner *runner)
{
    runner->copy_groups++;
}

/* Ends the pending copies of the groups before this one. */
static void end_before(PsPtxRunner *runner, guint64 group)
{
    guint n = 0;
    for (guint i = 0; runner->pending && i < runner->pending->len; i++) {
        const PsPtxPending *pending = &g_array_index(runner->pending, PsPtxPending, i);
        if (pending->group >= group)
            g_array_index(runner->pending, PsPtxPending, n++) = *pending;
        else
            memset(runner->machine->written + pending->place, 1, pending->bytes);
    }
    if (runner->pending)
        g_array_set_size(runner->pending, n);
}

void ps_ptx_pending_wait(PsPtxRunner *runner, guint64 but)
{
    if (but < runner->copy_groups)
        end_before(runner, runner->copy_groups - but);
}

void ps_ptx_pending_end(PsPtxRunner *runner)
{
    end_before(runner, G_MAXUINT64);
    runner->copy_groups = 0;
}

void ps_ptx_pending_look(PsPtxRunner *runner, const PsPtxStep *step, guint lane,
                         const guint8 *written, gsize bytes)
{
    PsPtxMachine *machine = runner->machine;
    if (!memchr(written, PS_PTX_UNDER_WAY, bytes) ||
        !ps_ptx_watch_is_new(machine, (guint64)step->point << 8 | ITS_KEY))
        return;
    g_autofree char *where = ps_ptx_code_where(machine->code, step->point);
    g_autofree char *thread = ps_ptx_thread_text(runner, lane);
    ps_ptx_machine_warn(
        machine, PS_PTX_WARNS(PS_PTX_WARNS_PENDING, step->point),
        g_strdup_printf("%s: %s reads shared memory to which an asynchronous copy is under way "
                        "that nobody has waited for (cp.async.wait_group, "
                        "__pipeline_wait_prior), so on a device it may read what was there before",
                        where, thread));
}
