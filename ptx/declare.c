/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Declarations: registers, parameters and variables.
 */
#include "ptx/parser.h"
#include <string.h>

#define MAX_BYTES ((guint64)1 << 48)
#define HANDLE_BYTES 8 /* bytes of a texture, sampler or surface */

void ps_ptx_declare_begin(PsPtxParser *parser, PsPtxSpace space)
{
    const gboolean external = parser->declared.external;
    parser->declared = (PsPtxDeclared){.space = space, .vector = 1, .external = external};
}

void ps_ptx_declare_align(PsPtxParser *parser, guint64 align)
{
    if (align == 0 || (align & (align - 1)) != 0 || align > G_MAXINT32)
        ps_ptx_complain(parser, PS_ERROR_VALUE, parser->token_line,
                        ".align %" G_GUINT64_FORMAT " is no power of two", align);
    else if (!parser->declared.pointer) /* else it is the alignment of what the pointer points at */
        parser->declared.align = align;
}

static gboolean has_type(PsPtxParser *parser, const PsPtxName *name)
{
    if (parser->declared.type != PS_PTX_NO_TYPE)
        return TRUE;
    ps_ptx_complain(parser, PS_ERROR_SYNTAX, parser->token_line,
                    "\"%s\" is declared without a type, such as .u32", name->text);
    return FALSE;
}

static void bind_register(PsPtxParser *parser, PsPtxName *name, gint32 index)
{
    PsPtxBinding *binding = ps_ptx_bind(parser, name, PS_PTX_BOUND_REGISTER);
    if (binding) {
        binding->index = index;
        binding->type = parser->declared.type;
    }
}

/* .reg .v4 .f32 a: the registers a.x, a.y, a.z and a.w, or a.r and so on. */
static void declare_tuple(PsPtxParser *parser, PsPtxName *name)
{
    PsPtxBinding *binding = ps_ptx_bind(parser, name, PS_PTX_BOUND_TUPLE);
    const gint32 first = (gint32)parser->function->registers->len;
    if (!binding)
        return;
    if (parser->declared.vector > 4) {
        ps_ptx_complain(parser, PS_ERROR_VALUE, parser->token_line,
                        "a vector register has 2 or 4 elements");
        return;
    }
    binding->index = first;
    binding->count = parser->declared.vector;
    for (guint i = 0; i < parser->declared.vector; i++) {
        g_autofree char *xyzw = g_strdup_printf("%s.%c", name->text, "xyzw"[i]);
        g_autofree char *rgba = g_strdup_printf("%s.%c", name->text, "rgba"[i]);
        PsPtxName *component = ps_ptx_intern(parser, xyzw, strlen(xyzw));
        ps_ptx_add_register(parser, component->text, parser->declared.type);
        bind_register(parser, component, first + (gint32)i);
        bind_register(parser, ps_ptx_intern(parser, rgba, strlen(rgba)), first + (gint32)i);
    }
}

void ps_ptx_declare_register(PsPtxParser *parser, PsPtxName *name)
{
    if (!has_type(parser, name))
        return;
    if (parser->declared.vector > 1)
        declare_tuple(parser, name);
    else
        bind_register(parser, name, ps_ptx_add_register(parser, name->text, parser->declared.type));
}

void ps_ptx_declare_series(PsPtxParser *parser, PsPtxName *stem, guint64 count)
{
    if (!has_type(parser, stem))
        return;
    if (parser->declared.vector > 1 && count <= PS_PTX_MAX_DEPTH) {
        for (guint64 i = 0; i < count; i++) {
            g_autofree char *name = g_strdup_printf("%s%" G_GUINT64_FORMAT, stem->text, i);
            declare_tuple(parser, ps_ptx_intern(parser, name, strlen(name)));
        }
    } else if (parser->declared.vector > 1) {
        ps_ptx_complain(parser, PS_ERROR_LIMIT, parser->token_line,
                        "%s<%" G_GUINT64_FORMAT "> is more than %d vector registers", stem->text,
                        count, PS_PTX_MAX_DEPTH);
    } else {
        ps_ptx_bind_series(parser, stem, parser->declared.type, count);
    }
}

/* ---- variables ------------------------------------------------------------------------------ */

static guint element_size(PsPtxType type)
{
    return type == PS_PTX_OPAQUE ? HANDLE_BYTES : MAX(ps_ptx_type_size(type), 1);
}

/* Begins the variable to which the [ ] and the initial value that follow belong. */
static void describe(PsPtxParser *parser, const PsPtxName *name, PsPtxVariable *variable)
{
    const PsPtxDeclared *declared = &parser->declared;
    const guint64 size = (guint64)element_size(declared->type) * declared->vector;
    variable->name = (char *)name->text;
    variable->space = declared->space;
    variable->type = declared->type;
    variable->vector = declared->vector;
    variable->align = declared->align ? declared->align : size;
    variable->size = size;
    variable->pointer = declared->pointer;
    variable->to_shared = declared->to_shared;
    variable->line = parser->token_line;
    parser->initial.variable = variable;
    g_array_set_size(parser->initial.dims, 0);
}

void ps_ptx_declare_param(PsPtxParser *parser, PsPtxName *name)
{
    const gboolean reg = parser->declared.space == PS_PTX_REG;
    if (!has_type(parser, name))
        return;
    PsPtxVariable *variable = ps_ptx_arena_get(parser->arena, sizeof *variable);
    describe(parser, name, variable);
    if (parser->prototype)
        return;
    g_ptr_array_add(parser->params, variable);
    if (strcmp(name->text, "_") == 0)
        return;
    if (reg) {
        ps_ptx_declare_register(parser, name);
        return;
    }
    PsPtxBinding *binding = ps_ptx_bind(parser, name, PS_PTX_BOUND_VARIABLE);
    if (binding)
        binding->variable = variable;
}

/* The earlier variable that this declaration repeats, where one of the two is just an .extern;
 * NULL: there is none. */
static PsPtxVariable *announced(const PsPtxParser *parser, const PsPtxName *name)
{
    PsPtxBinding *binding = name->binding;
    if (!binding || parser->scopes->len > 1 || binding->bound != PS_PTX_BOUND_VARIABLE ||
        (!binding->count && !parser->declared.external))
        return NULL;
    binding->count = binding->count && parser->declared.external;
    return binding->variable;
}

void ps_ptx_declare_variable(PsPtxParser *parser, PsPtxName *name)
{
    if (!has_type(parser, name))
        return;
    PsPtxVariable *variable = announced(parser, name);
    if (variable && (variable->init || variable->relocations)) /* declared again */
        variable = ps_ptx_arena_get(parser->temporary, sizeof *variable);
    if (!variable) {
        PsPtxBinding *binding = ps_ptx_bind(parser, name, PS_PTX_BOUND_VARIABLE);
        variable = ps_ptx_arena_get(parser->arena, sizeof *variable);
        g_ptr_array_add(parser->function ? parser->function->variables : parser->module->variables,
                        variable);
        if (binding) {
            binding->variable = variable;
            binding->count = parser->declared.external; /* TRUE as long as the variable is only
                                                           declared .extern */
        }
    }
    describe(parser, name, variable);
}

void ps_ptx_declare_dim(PsPtxParser *parser, guint64 elements)
{
    PsPtxVariable *variable = parser->initial.variable;
    GArray *dims = parser->initial.dims;
    if (!variable)
        return;
    if (elements == 0 && dims->len > 0) {
        ps_ptx_complain(parser, PS_ERROR_VALUE, parser->token_line,
                        "only the first [ ] of an array can be without a number above 0");
        return;
    }
    if (!g_uint64_checked_mul(&variable->size, variable->size, elements) ||
        variable->size > MAX_BYTES) {
        ps_ptx_complain(parser, PS_ERROR_LIMIT, parser->token_line,
                        "\"%s\" is larger than %" G_GUINT64_FORMAT " bytes", variable->name,
                        MAX_BYTES);
        variable->size = 0;
    }
    g_array_append_val(dims, elements);
}

void ps_ptx_variable_free(gpointer variable)
{
    g_clear_pointer(&((PsPtxVariable *)variable)->relocations, g_array_unref);
}
