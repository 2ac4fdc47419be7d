/* SPDX-License-Identifier: BSD-3-Clause */
/* A graph with values: parameters, launch, kinds of groups, one program per code, and which warps
 * run which. */
#include "idg/program-private.h"
#include "base/nearest.h"

/* Evaluates parameters in order; each may use those before it, and overrides go first. */
static gboolean evaluate_params(PsKernel *kernel, const PsScope *overrides, GError **error)
{
    const PsIdg *idg = kernel->idg;
    for (guint i = 0; i < idg->params->len; i++) {
        const PsIdgParam *param = idg->params->pdata[i];
        PsRational value;
        if ((!overrides || !ps_scope_get(overrides, param->name, &value)) &&
            !ps_expr_eval(param->value, kernel->scope, ps_idg_place(idg, param->line), &value,
                          error))
            return FALSE;
        ps_scope_set(kernel->scope, param->name, value);
    }
    return TRUE;
}

static gboolean check_overrides(const PsKernel *kernel, const PsScope *overrides, GError **error)
{
    if (!overrides)
        return TRUE;
    g_autoptr(GPtrArray) names = ps_scope_names(overrides);
    for (guint i = 0; i < names->len; i++) {
        const char *name = names->pdata[i];
        PsRational unused;
        if (ps_scope_get(kernel->scope, name, &unused))
            continue;
        g_autoptr(GPtrArray) own = ps_scope_names(kernel->scope);
        g_autofree char *known = ps_scope_describe(kernel->scope),
                        *near = ps_did_you_mean(name, own);
        g_set_error(error, PS_ERROR, PS_ERROR_USAGE,
                    "graph '%s' has no parameter '%s'; it has: %s%s", kernel->idg->name, name,
                    known, near);
        return FALSE;
    }
    return TRUE;
}

static gboolean evaluate_launch(PsKernel *kernel, GError **error)
{
    const PsIdgLaunch *launch = &kernel->idg->launch;
    const PsPlace place = ps_idg_place(kernel->idg, launch->line);
    const struct {
        const PsExpr *expr;
        PsIntRange range;
        gint64 *value;
    } parts[] = {
        {launch->groups, {"number of groups", 1, PS_MAX_INSTANCES}, &kernel->groups},
        {launch->group_size, {"group size", 1, G_MAXINT32}, &kernel->group_size},
        {launch->registers, {"number of registers", 0, G_MAXINT32}, &kernel->registers},
        {launch->alive, {"number of registers in use", 0, G_MAXINT32}, &kernel->alive},
        {launch->accumulators,
         {"number of accumulation registers", 0, G_MAXINT32},
         &kernel->accumulators},
        {launch->scalar_registers,
         {"number of scalar registers", 0, G_MAXINT32},
         &kernel->scalar_registers},
        {launch->local_memory, {"local memory", 0, G_MAXINT32}, &kernel->local_memory},
        {launch->tensor_memory, {"tensor memory", 0, G_MAXINT32}, &kernel->tensor_memory},
    };
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
        if (parts[i].expr && !ps_expr_eval_int(parts[i].expr, kernel->scope, place, &parts[i].range,
                                               parts[i].value, error))
            return FALSE;
    return TRUE;
}

static gboolean evaluate_range(const PsKernel *kernel, const PsIdgCode *code,
                               const PsIdgWarps *range, PsKernelWarps *warps, GError **error)
{
    const PsPlace place = ps_idg_place(kernel->idg, code->line);
    if (!ps_expr_eval_int(range->first, kernel->scope, place,
                          &(PsIntRange){"warp number", 0, G_MAXINT32}, &warps->first, error))
        return FALSE;
    warps->last = warps->first;
    return !range->last ||
           ps_expr_eval_int(range->last, kernel->scope, place,
                            &(PsIntRange){"last warp of a range", warps->first, G_MAXINT32},
                            &warps->last, error);
}

static int compare_warps(const void *a, const void *b)
{
    const gint64 x = ((const PsKernelWarps *)a)->first;
    const gint64 y = ((const PsKernelWarps *)b)->first;
    return (x > y) - (x < y);
}

/* Appends the ranges of warps that a code claims; *rest becomes the code's number if it claims
 * none. */
static gboolean claim_of_code(const PsKernel *kernel, guint i, GArray *claims, int *rest,
                              GError **error)
{
    const PsIdg *idg = kernel->idg;
    const PsIdgCode *code = idg->codes->pdata[i];
    if (!code->warps && *rest >= 0) {
        ps_error_at(error, PS_ERROR_VALUE, ps_idg_place(idg, code->line),
                    "two codes without 'warps': only one can run all warps that no other "
                    "claims");
        return FALSE;
    }
    if (!code->warps)
        *rest = (int)i;
    for (guint j = 0; code->warps && j < code->warps->len; j++) {
        PsKernelWarps warps = {0, 0, i};
        if (!evaluate_range(kernel, code, code->warps->pdata[j], &warps, error))
            return FALSE;
        g_array_append_val(claims, warps);
    }
    return TRUE;
}

static gboolean check_claims(const PsKernel *kernel, const GArray *claims, GError **error)
{
    for (guint i = 1; i < claims->len; i++) {
        const PsKernelWarps *claim = &g_array_index(claims, PsKernelWarps, i);
        const PsIdgCode *code = kernel->idg->codes->pdata[claim->program];
        if (claim->first > (claim - 1)->last)
            continue;
        ps_error_at(error, PS_ERROR_VALUE, ps_idg_place(kernel->idg, code->line),
                    "warp %" G_GINT64_FORMAT " is claimed by more than one range", claim->first);
        return FALSE;
    }
    return TRUE;
}

/* Appends the ranges that codes of a kind claim, sorted. A code without a claim takes the rest and
 * stands last. */
static gboolean claim_warps(PsKernel *kernel, guint kind, GArray *all, GError **error)
{
    const PsIdg *idg = kernel->idg;
    g_autoptr(GArray) claims = g_array_new(FALSE, FALSE, sizeof(PsKernelWarps));
    int rest = -1;
    for (guint i = 0; i < idg->codes->len; i++)
        if (((const PsIdgCode *)idg->codes->pdata[i])->kind == kind &&
            !claim_of_code(kernel, i, claims, &rest, error))
            return FALSE;
    g_array_sort(claims, compare_warps);
    if (!check_claims(kernel, claims, error))
        return FALSE;
    if (rest >= 0) {
        const PsKernelWarps warps = {0, G_MAXINT64, (guint)rest};
        g_array_append_val(claims, warps);
    }
    kernel->kinds[kind].n_warps = claims->len;
    g_array_append_vals(all, claims->data, claims->len);
    return TRUE;
}

static gint64 common_divisor(gint64 a, gint64 b)
{
    while (b > 0) {
        const gint64 rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The shares of all kinds and their sum, reduced to the smallest whole numbers. */
static gboolean evaluate_shares(PsKernel *kernel, GError **error)
{
    const GPtrArray *kinds = kernel->idg->kinds;
    gint64 divisor = 0;
    PsPlace place = {NULL, 0};
    for (guint k = 0; k < kinds->len; k++) {
        const PsIdgGroups *kind = kinds->pdata[k];
        place = ps_idg_place(kernel->idg, kind->line);
        if (!ps_expr_eval_int(kind->share, kernel->scope, place,
                              &(PsIntRange){"share", 0, G_MAXINT32}, &kernel->kinds[k].share,
                              error))
            return FALSE;
        kernel->kinds[k].name = kind->name;
        kernel->parts += kernel->kinds[k].share;
        divisor = common_divisor(divisor, kernel->kinds[k].share);
    }
    if (kinds->len > 0 && (kernel->parts == 0 || kernel->parts > G_MAXINT32)) {
        ps_error_at(error, PS_ERROR_VALUE, place,
                    "the shares of all kinds of groups sum to %" G_GINT64_FORMAT
                    ", which must be at least 1 and at most %d",
                    kernel->parts, G_MAXINT32);
        return FALSE;
    }
    for (guint k = 0; k < kinds->len; k++)
        kernel->kinds[k].share /= divisor;
    kernel->parts /= MAX(divisor, 1);
    return TRUE;
}

static gboolean build_kinds(PsKernel *kernel, GError **error)
{
    g_autoptr(GArray) warps = g_array_new(FALSE, FALSE, sizeof(PsKernelWarps));
    kernel->n_kinds = MAX(kernel->idg->kinds->len, 1);
    kernel->kinds = g_new0(PsKernelKind, kernel->n_kinds);
    if (!evaluate_shares(kernel, error))
        return FALSE;
    if (kernel->idg->kinds->len == 0)
        kernel->kinds[0].share = kernel->parts = 1;
    for (guint k = 0; k < kernel->n_kinds; k++)
        if (!claim_warps(kernel, k, warps, error))
            return FALSE;
    kernel->n_warps = warps->len;
    kernel->warps = g_memdup2(warps->data, warps->len * sizeof(PsKernelWarps));
    for (guint k = 0, at = 0; k < kernel->n_kinds; at += kernel->kinds[k++].n_warps)
        kernel->kinds[k].warps = kernel->warps + at;
    return TRUE;
}

static gboolean build_programs(PsKernel *kernel, GError **error)
{
    const GPtrArray *codes = kernel->idg->codes;
    kernel->n_programs = codes->len;
    kernel->programs = g_new0(PsProgram, codes->len);
    for (guint i = 0; i < codes->len; i++) {
        const PsIdgCode *code = codes->pdata[i];
        kernel->programs[i].kind = code->kind;
        kernel->programs[i].role = code->name;
        if (!ps_program_build(&kernel->programs[i], kernel->idg, code, kernel->scope, error))
            return FALSE;
    }
    return TRUE;
}

PsKernel *ps_kernel_new(const PsIdg *idg, const PsScope *overrides, GError **error)
{
    g_autoptr(PsKernel) kernel = g_new0(PsKernel, 1);
    kernel->idg = idg;
    kernel->scope = ps_scope_new();
    if (!evaluate_params(kernel, overrides, error) || !check_overrides(kernel, overrides, error) ||
        !evaluate_launch(kernel, error) || !build_kinds(kernel, error) ||
        !build_programs(kernel, error) || !ps_program_resolve_awaits(kernel, error))
        return NULL;
    return g_steal_pointer(&kernel);
}

void ps_kernel_free(PsKernel *kernel)
{
    if (!kernel)
        return;
    for (guint i = 0; i < kernel->n_programs; i++)
        ps_program_clear(&kernel->programs[i]);
    g_free(kernel->programs);
    g_free(kernel->warps);
    g_free(kernel->kinds);
    ps_scope_free(kernel->scope);
    g_free(kernel);
}
