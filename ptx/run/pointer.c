/* SPDX-License-Identifier: BSD-3-Clause */
/* See pointer.h. */
#include "ptx/run/pointer.h"
#include "ptx/code/expand.h"
#include "ptx/code/pointers.h"

/* The addresses of the functions that a pointer may lead to. */
typedef struct {
    guint n;
    guint64 addresses[];
} Callees;

static gboolean leads_to_one(const Callees *callees, guint64 address)
{
    for (guint i = 0; i < callees->n; i++)
        if (callees->addresses[i] == address)
            return TRUE;
    return FALSE;
}

/* The calls are executed by the steps that follow, each by its own lanes. */
static void test_pointer(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const guint64 *address = warp->slots[step->from[0]];
    for (guint32 rest = mask; rest != 0; rest &= rest - 1) {
        const guint lane = (guint)__builtin_ctz(rest);
        if (!leads_to_one(step->more, address[lane])) {
            ps_ptx_fail(warp, step, lane,
                        "calls what 0x%" G_GINT64_MODIFIER
                        "x leads to, where the code has no function with these parameters",
                        address[lane]);
            return;
        }
    }
}

void ps_ptx_pointer_recursion(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    ps_ptx_fail(warp, step, (guint)__builtin_ctz(mask),
                "calls a function through a pointer while that runs, and recursion is not "
                "supported");
}

gboolean ps_ptx_pointer_decode(PsPtxDecode *decode, PsPtxStep *step, guint callee)
{
    g_autoptr(GPtrArray) found = ps_ptx_pointers_callees(decode->code->module, decode->instruction);
    Callees *callees = g_malloc(sizeof *callees + found->len * sizeof *callees->addresses);
    callees->n = 0;
    step->more = callees;
    step->execute = test_pointer;
    for (guint i = 0; i < found->len; i++) {
        const guint64 address = ps_ptx_function_address(found->pdata[i]);
        if (leads_to_one(callees, address))
            return FALSE;
        callees->addresses[callees->n++] = address;
    }
    return ps_ptx_decode_from(decode, step, callee, PS_PTX_U64);
}
