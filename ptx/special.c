/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Special registers. Those with components (%tid) are vectors of four; the last component is 0.
 */
#include "ptx/parser.h"
#include <string.h>

static const char *const specials[PS_PTX_N_SPECIALS] = {
    [PS_PTX_TID_X] = "%tid.x",
    [PS_PTX_TID_Y] = "%tid.y",
    [PS_PTX_TID_Z] = "%tid.z",
    [PS_PTX_NTID_X] = "%ntid.x",
    [PS_PTX_NTID_Y] = "%ntid.y",
    [PS_PTX_NTID_Z] = "%ntid.z",
    [PS_PTX_CTAID_X] = "%ctaid.x",
    [PS_PTX_CTAID_Y] = "%ctaid.y",
    [PS_PTX_CTAID_Z] = "%ctaid.z",
    [PS_PTX_NCTAID_X] = "%nctaid.x",
    [PS_PTX_NCTAID_Y] = "%nctaid.y",
    [PS_PTX_NCTAID_Z] = "%nctaid.z",
    [PS_PTX_LANEID] = "%laneid",
    [PS_PTX_WARPID] = "%warpid",
    [PS_PTX_NWARPID] = "%nwarpid",
    [PS_PTX_SMID] = "%smid",
    [PS_PTX_NSMID] = "%nsmid",
    [PS_PTX_GRIDID] = "%gridid",
    [PS_PTX_LANEMASK_EQ] = "%lanemask_eq",
    [PS_PTX_LANEMASK_LE] = "%lanemask_le",
    [PS_PTX_LANEMASK_LT] = "%lanemask_lt",
    [PS_PTX_LANEMASK_GE] = "%lanemask_ge",
    [PS_PTX_LANEMASK_GT] = "%lanemask_gt",
    [PS_PTX_CLOCK] = "%clock",
    [PS_PTX_CLOCK_HI] = "%clock_hi",
    [PS_PTX_CLOCK64] = "%clock64",
    [PS_PTX_GLOBALTIMER] = "%globaltimer",
    [PS_PTX_DYNAMIC_SMEM_SIZE] = "%dynamic_smem_size",
    [PS_PTX_TOTAL_SMEM_SIZE] = "%total_smem_size",
    [PS_PTX_CLUSTERID_X] = "%clusterid.x",
    [PS_PTX_CLUSTERID_Y] = "%clusterid.y",
    [PS_PTX_CLUSTERID_Z] = "%clusterid.z",
    [PS_PTX_NCLUSTERID_X] = "%nclusterid.x",
    [PS_PTX_NCLUSTERID_Y] = "%nclusterid.y",
    [PS_PTX_NCLUSTERID_Z] = "%nclusterid.z",
    [PS_PTX_CLUSTER_CTAID_X] = "%cluster_ctaid.x",
    [PS_PTX_CLUSTER_CTAID_Y] = "%cluster_ctaid.y",
    [PS_PTX_CLUSTER_CTAID_Z] = "%cluster_ctaid.z",
    [PS_PTX_CLUSTER_NCTAID_X] = "%cluster_nctaid.x",
    [PS_PTX_CLUSTER_NCTAID_Y] = "%cluster_nctaid.y",
    [PS_PTX_CLUSTER_NCTAID_Z] = "%cluster_nctaid.z",
    [PS_PTX_CLUSTER_CTARANK] = "%cluster_ctarank",
    [PS_PTX_CLUSTER_NCTARANK] = "%cluster_nctarank",
    [PS_PTX_IS_EXPLICIT_CLUSTER] = "%is_explicit_cluster",
    [PS_PTX_ENVREG1] = "%envreg1",
    [PS_PTX_ENVREG2] = "%envreg2",
    [PS_PTX_OTHER_SPECIAL] = "?",
};

/* Registers that read as 0. A name that ends in a digit stands for the same name with any
 * number. */
static const char *const others[] = {
    "%globaltimer_lo",
    "%globaltimer_hi",
    "%aggr_smem_size",
    "%current_graph_exec",
    "%reserved_smem_offset_begin",
    "%reserved_smem_offset_end",
    "%reserved_smem_offset_cap",
    "%perctamemoryoffset",
    "%perctamemorysize",
};
static const char *const numbered[] = {"%pm", "%envreg", "%reserved_smem_offset_"};
static const char *const vectors[] = {
    "%tid",       "%ntid",       "%ctaid",         "%nctaid",
    "%clusterid", "%nclusterid", "%cluster_ctaid", "%cluster_nctaid",
};

const char *ps_ptx_special_name(PsPtxSpecial special)
{
    return (guint)special < PS_PTX_N_SPECIALS ? specials[special] : "?";
}

static gboolean one_of(const char *text, gsize length, const char *const *list, gsize n)
{
    for (gsize i = 0; i < n; i++)
        if (strlen(list[i]) == length && strncmp(text, list[i], length) == 0)
            return TRUE;
    return FALSE;
}

/* %pm3, %pm3_64, %envreg31 */
static gboolean is_numbered(const char *text)
{
    for (gsize i = 0; i < G_N_ELEMENTS(numbered); i++) {
        const gsize length = strlen(numbered[i]);
        if (strncmp(text, numbered[i], length) != 0 || !g_ascii_isdigit(text[length]))
            continue;
        const char *rest = text + length + strspn(text + length, "0123456789");
        if (!*rest || strcmp(rest, "_64") == 0)
            return TRUE;
    }
    return FALSE;
}

static gboolean is_component(const char *text)
{
    const char *dot = strchr(text, '.');
    return dot && strchr("xyzw", dot[1]) && dot[1] && !dot[2] &&
           one_of(text, (gsize)(dot - text), vectors, G_N_ELEMENTS(vectors));
}

static gboolean scalar(const PsPtxName *name, PsPtxOperand *operand)
{
    for (int special = 0; special < PS_PTX_OTHER_SPECIAL; special++) {
        if (strcmp(name->text, specials[special]) == 0) {
            operand->kind = PS_PTX_OPERAND_SPECIAL;
            operand->value = special;
            operand->name = specials[special];
            return TRUE;
        }
    }
    if (!is_numbered(name->text) && !is_component(name->text) &&
        !one_of(name->text, name->length, others, G_N_ELEMENTS(others)))
        return FALSE;
    operand->kind = PS_PTX_OPERAND_SPECIAL;
    operand->value = PS_PTX_OTHER_SPECIAL;
    operand->name = name->text;
    return TRUE;
}

gboolean ps_ptx_special(PsPtxParser *parser, PsPtxName *name, PsPtxValue *value)
{
    if (name->text[0] != '%')
        return FALSE;
    if (!one_of(name->text, name->length, vectors, G_N_ELEMENTS(vectors)))
        return scalar(name, &value->operand);

    value->operand.kind = PS_PTX_OPERAND_VECTOR;
    value->operand.n_members = 4;
    value->operand.members = ps_ptx_arena_get(parser->arena, 4 * sizeof(PsPtxOperand));
    for (int i = 0; i < 4; i++) {
        char component[32];
        g_snprintf(component, sizeof component, "%s.%c", name->text, "xyzw"[i]);
        value->operand.members[i].reg = -1;
        scalar(ps_ptx_intern(parser, component, strlen(component)), &value->operand.members[i]);
    }
    return TRUE;
}
