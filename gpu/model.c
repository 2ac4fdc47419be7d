/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The words for refinements that files, the command line and reports share.
 */
#include "gpu/gpu.h"
#include "gpu/rows.h"

const char *ps_policy_name(PsPolicy policy)
{
    static const char *const names[] = {[PS_POLICY_FIFO] = "fifo",
                                        [PS_POLICY_LRR] = "lrr",
                                        [PS_POLICY_GTO] = "gto",
                                        [PS_POLICY_GTY] = "gty",
                                        [PS_POLICY_OLDEST] = "oldest"};
    return names[policy];
}

const char *ps_order_name(PsOrder order)
{
    return order == PS_ORDER_PROGRAM ? "program" : "dataflow";
}
