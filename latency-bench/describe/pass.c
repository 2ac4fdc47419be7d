/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Constant memory by lanes: a load with a different address in each lane takes as many passes. The
 * cost of each further pass is an attribute of the class, not a class of its own.
 */
#include "base/class-name.h"
#include "latency-bench/describe/describe.h"

#include <string.h>

#define CLASS "constant"

gboolean ps_describe_is_pass(const char *class_name)
{
    return ps_class_covers(CLASS, class_name) && ps_class_access(class_name).conflicts > 1;
}

static PsClass *find(const PsGpu *gpu)
{
    for (guint i = 0; i < gpu->classes->len; i++)
        if (strcmp(((const PsClass *)gpu->classes->pdata[i])->name, CLASS) == 0)
            return gpu->classes->pdata[i];
    return NULL;
}

void ps_describe_passes(PsDescribe *describe)
{
    PsClass *class = find(describe->gpu);
    for (guint i = 0; class && i < describe->fits->len; i++) {
        const char *name = g_array_index(describe->fits, PsBenchFit, i).class_name;
        const double more = ps_describe_issue(describe, name) - ps_describe_issue(describe, CLASS);
        if (ps_describe_is_pass(name) && more > 0)
            class->pass = ps_describe_figure(more / (double)(ps_class_access(name).conflicts - 1));
    }
}
