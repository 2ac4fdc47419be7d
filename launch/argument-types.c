/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the type of a number where the code states only its width. Machine code and the PTX of
 * newer compilers have .b32 for int and float alike, and the bits of -2 differ between the two. A
 * kernel's mangled name has the types of its parameters. Without such a name, the kernel's
 * computations with the parameter show its type (argument-uses.c).
 */
#include "base/kernel-name.h"
#include "launch/arguments-private.h"

#include <string.h>

/* The bracket that the signature's last one closes, where its parameters begin; NULL: there is
 * none. */
static const char *list_of(const char *signature)
{
    const char *end = strrchr(signature, ')');
    guint depth = 0;
    for (const char *at = end; at && at >= signature; at--) {
        depth += *at == ')';
        depth -= *at == '(';
        if (!depth)
            return at;
    }
    return NULL;
}

/* The parameters of a signature, such as "f(float*, int)" (g_strfreev); NULL: it has no list. */
static char **split_signature(const char *signature)
{
    const char *at = list_of(signature);
    GPtrArray *types = g_ptr_array_new();
    GString *type = g_string_new(NULL);
    guint depth = 0;
    for (; at && *at; at++) {
        const gboolean inside = depth > 0;
        depth += strchr("(<[{", *at) != NULL;
        depth -= strchr(")>]}", *at) != NULL;
        if (depth == 0 || (depth == 1 && *at == ',')) {
            g_ptr_array_add(types, g_strdup(g_strstrip(type->str)));
            g_string_truncate(type, 0);
        } else if (inside) {
            g_string_append_c(type, *at);
        }
        if (depth == 0)
            break;
    }
    g_string_free(type, TRUE);
    g_ptr_array_add(types, NULL);
    return (char **)g_ptr_array_free(types, FALSE);
}

static PsPtxType type_called(const char *name, PsPtxType otherwise)
{
    static const struct {
        const char *name;
        PsPtxType type;
    } known[] = {{"float", PS_PTX_F32},     {"double", PS_PTX_F64},
                 {"__half", PS_PTX_F16},    {"__nv_bfloat16", PS_PTX_BF16},
                 {"short", PS_PTX_S16},     {"unsigned short", PS_PTX_U16},
                 {"int", PS_PTX_S32},       {"unsigned int", PS_PTX_U32},
                 {"long", PS_PTX_S64},      {"unsigned long", PS_PTX_U64},
                 {"long long", PS_PTX_S64}, {"unsigned long long", PS_PTX_U64}};
    for (gsize i = 0; i < G_N_ELEMENTS(known); i++)
        if (strcmp(known[i].name, name) == 0)
            return known[i].type;
    return otherwise;
}

guint ps_launch_pointers(const PsLaunchArguments *arguments, guint number)
{
    g_autofree char *signature = ps_kernel_demangle(arguments->kernel->name);
    g_auto(GStrv) types = signature ? split_signature(signature) : NULL;
    guint depth = 0;
    if (!types || g_strv_length(types) != arguments->n)
        return ps_launch_param(arguments, number)->pointer ? 1 : 0;
    const char *type = types[number];
    for (gsize i = strlen(type); i > 0 && !strchr(">)]", type[i - 1]); i--)
        depth += type[i - 1] == '*';
    return depth;
}

PsPtxType ps_launch_type(const PsLaunchArguments *arguments, guint number)
{
    const PsPtxVariable *param = ps_launch_param(arguments, number);
    if (param->type != PS_PTX_B16 && param->type != PS_PTX_B32 && param->type != PS_PTX_B64)
        return param->type;
    g_autofree char *signature = ps_kernel_demangle(arguments->kernel->name);
    g_auto(GStrv) types = signature ? split_signature(signature) : NULL;
    if (!types)
        return ps_launch_type_used(arguments->code ? arguments->code : arguments->kernel, number);
    if (g_strv_length(types) != arguments->n)
        return param->type;
    const PsPtxType type = type_called(types[number], param->type);
    return ps_ptx_type_size(type) == ps_ptx_type_size(param->type) ? type : param->type;
}
