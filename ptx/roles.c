/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parameters that Python compilers pass besides a kernel's own. Numba states the types of the
 * arguments in the kernel's name, in the form of C++ (the Itanium ABI), and passes an array as
 * seven values and two more for each axis. Triton's parameters are known only from the source.
 */
#include "ptx/instruction.h"
#include "ptx/python.h"

#include <string.h>

static const char NUMBA[] = "_ZN6cudapy";

/* No array has more axes. */
#define MOST_AXES 32

static const struct {
    const char *suffix, *text;
} roles[] = {
    [PS_PTX_ROLE_NONE] = {"", ""},
    [PS_PTX_ROLE_SCRATCH] = {"", "Triton's own: global scratch memory"},
    [PS_PTX_ROLE_PROFILE] = {"", "Triton's own: its profiler's memory"},
    [PS_PTX_ROLE_MEMINFO] = {"_meminfo", "array: who owns its memory"},
    [PS_PTX_ROLE_PARENT] = {"_parent", "array: the object of Python"},
    [PS_PTX_ROLE_NITEMS] = {"_nitems", "array: how many elements"},
    [PS_PTX_ROLE_ITEMSIZE] = {"_itemsize", "array: bytes of an element"},
    [PS_PTX_ROLE_DATA] = {"_data", "array: its elements"},
    [PS_PTX_ROLE_SHAPE] = {"_shape", "array: elements along the axis"},
    [PS_PTX_ROLE_STRIDES] = {"_strides", "array: bytes from one to the next"},
};

const char *ps_ptx_role_text(PsPtxRole role)
{
    return roles[role].text;
}

static gboolean reads(const PsPtxOperand *operand, const PsPtxVariable *param)
{
    switch (operand->kind) {
    case PS_PTX_OPERAND_VARIABLE:
    case PS_PTX_OPERAND_ADDRESS:
        return operand->variable == param;
    case PS_PTX_OPERAND_VECTOR:
    case PS_PTX_OPERAND_LIST:
        for (guint i = 0; i < operand->n_members; i++)
            if (reads(&operand->members[i], param))
                return TRUE;
        return FALSE;
    default:
        return FALSE;
    }
}

gboolean ps_ptx_is_read(const PsPtxFunction *kernel, const PsPtxVariable *param)
{
    for (guint i = 0; i < kernel->instructions->len; i++) {
        const PsPtxInstruction *instruction =
            &g_array_index(kernel->instructions, PsPtxInstruction, i);
        for (guint k = 0; k < instruction->n_operands; k++)
            if (reads(&instruction->operands[k], param))
                return TRUE;
    }
    return FALSE;
}

/* ---- Numba: the name ------------------------------------------------------------------------ */

/* The end of an identifier with its length, 3foo; *name (if not NULL) is the identifier. NULL:
 * there is none. */
static const char *identifier(const char *at, char **name)
{
    char *end;
    if (!g_ascii_isdigit(*at))
        return NULL;
    const guint64 length = g_ascii_strtoull(at, &end, 10);
    if (length == 0 || length > strlen(end))
        return NULL;
    if (name) {
        g_free(*name);
        *name = g_strndup(end, length);
    }
    return end + length;
}

/* The begin of the types of the arguments: behind the scopes, the function's name, and the mark of
 * its version (B2v1). */
static const char *arguments_of(const char *kernel, char **function)
{
    const char *at = kernel + strlen("_ZN");
    if (!g_str_has_prefix(kernel, NUMBA))
        return NULL;
    while (at && *at && *at != 'E')
        at = *at == 'B' ? identifier(at + 1, NULL) : identifier(at, function);
    return at && *at == 'E' ? at + 1 : NULL;
}

/* The end of a type; NULL: this reader does not know it. *axes: number of an array's axes; -1 for a
 * single value. */
static const char *type(const char *at, int *axes)
{
    static const char array[] = "5ArrayI", axis[] = "Li";
    char *end;
    *axes = -1;
    if (g_str_has_prefix(at, "Dh"))
        return at + 2;
    if (*at && strchr("bhatsjiyxfdlm", *at))
        return at + 1;
    if (!g_str_has_prefix(at, array))
        return NULL;
    int none;
    at = type(at + strlen(array), &none);
    if (!at || none >= 0 || !g_str_has_prefix(at, axis))
        return NULL;
    const guint64 n = g_ascii_strtoull(at + strlen(axis), &end, 10);
    if (n > MOST_AXES || *end != 'E')
        return NULL;
    *axes = (int)n;
    /* the layout of the elements, and whether they may be written */
    for (at = end + 1; at && *at != 'E';)
        at = identifier(at, NULL);
    return at ? at + 1 : NULL;
}

typedef struct {
    guint argument; /* index of the argument in Python */
    PsPtxRole role;
    guint axis;
} Part;

static void add_part(GArray *parts, guint argument, PsPtxRole role, guint axis)
{
    const Part part = {argument, role, axis};
    g_array_append_val(parts, part);
}

static void add_array(GArray *parts, guint argument, guint axes)
{
    for (PsPtxRole role = PS_PTX_ROLE_MEMINFO; role <= PS_PTX_ROLE_DATA; role++)
        add_part(parts, argument, role, 0);
    for (guint axis = 0; axis < axes; axis++)
        add_part(parts, argument, PS_PTX_ROLE_SHAPE, axis);
    for (guint axis = 0; axis < axes; axis++)
        add_part(parts, argument, PS_PTX_ROLE_STRIDES, axis);
}

/* The role of each parameter of a Numba kernel (Part); NULL where its name does not say. */
static GArray *read_parts(const PsPtxFunction *kernel)
{
    g_autofree char *function = NULL;
    const char *at = arguments_of(kernel->name, &function);
    g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(Part));
    int axes;
    for (guint argument = 0; at && *at && parts->len <= kernel->params->len; argument++) {
        at = type(at, &axes);
        if (at && axes < 0)
            add_part(parts, argument, PS_PTX_ROLE_NONE, 0);
        else if (at)
            add_array(parts, argument, (guint)axes);
    }
    return at && parts->len == kernel->params->len ? g_steal_pointer(&parts) : NULL;
}

char *ps_ptx_numba_function(const PsPtxFunction *kernel)
{
    char *function = NULL;
    g_autoptr(GArray) parts = read_parts(kernel);
    if (parts)
        arguments_of(kernel->name, &function);
    return function;
}

static char *name_of(const Part *part, const GPtrArray *arguments)
{
    const gboolean axis = part->role == PS_PTX_ROLE_SHAPE || part->role == PS_PTX_ROLE_STRIDES;
    g_autofree char *number = g_strdup_printf("arg%u", part->argument),
                    *axis_number = g_strdup_printf("%u", part->axis);
    return g_strconcat(arguments ? arguments->pdata[part->argument] : number,
                       roles[part->role].suffix, axis ? axis_number : NULL, NULL);
}

char **ps_ptx_numba_names(const PsPtxFunction *kernel, const GPtrArray *arguments)
{
    g_autoptr(GArray) parts = read_parts(kernel);
    const guint n = parts->len;
    const guint last = n ? g_array_index(parts, Part, n - 1).argument + 1 : 0;
    if (arguments && arguments->len != last)
        return NULL;
    char **names = g_new0(char *, n + 1);
    for (guint i = 0; i < n; i++)
        names[i] = name_of(&g_array_index(parts, Part, i), arguments);
    return names;
}

PsPtxRole ps_ptx_role(const PsPtxFunction *kernel, char *const *names, guint number)
{
    g_autoptr(GArray) parts = read_parts(kernel);
    const char *name = names ? names[number] : "";
    if (parts)
        return g_array_index(parts, Part, number).role;
    if (number + 2 < kernel->params->len)
        return PS_PTX_ROLE_NONE;
    return strcmp(name, PS_PTX_GLOBAL_SCRATCH) == 0    ? PS_PTX_ROLE_SCRATCH
           : strcmp(name, PS_PTX_PROFILE_SCRATCH) == 0 ? PS_PTX_ROLE_PROFILE
                                                       : PS_PTX_ROLE_NONE;
}
