/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names and what they mean. A name knows its innermost binding, a binding the one that it hides,
 * and a scope the bindings to undo when it ends. A register of a series, such as %r<33>, is made
 * when it is first used, so the length of a series costs nothing.
 */
#include "ptx/parser.h"
#include <string.h>

PsPtxName *ps_ptx_intern(PsPtxParser *parser, const char *text, gsize length)
{
    PsPtxName *name = g_hash_table_lookup(parser->names, text);
    if (name)
        return name;
    if (length > PS_PTX_MAX_NAME) {
        ps_ptx_complain(parser, PS_ERROR_LIMIT, parser->line,
                        "the name that begins with \"%.32s\" is longer than %d characters", text,
                        PS_PTX_MAX_NAME);
        length = PS_PTX_MAX_NAME;
    }
    name = ps_ptx_arena_get(parser->arena, sizeof *name + length + 1);
    name->length = (guint)length;
    memcpy(name->text, text, length);
    g_hash_table_insert(parser->names, name->text, name);
    return name;
}

static PsPtxScope *innermost(const PsPtxParser *parser)
{
    return &g_array_index(parser->scopes, PsPtxScope, parser->scopes->len - 1);
}

void ps_ptx_scope_open(PsPtxParser *parser)
{
    const PsPtxScope scope = {.waiting = parser->waiting->len, .series = innermost(parser)->series};
    if (parser->scopes->len > PS_PTX_MAX_DEPTH)
        ps_ptx_complain(parser, PS_ERROR_LIMIT, parser->token_line,
                        "more than %d blocks are in each other", PS_PTX_MAX_DEPTH);
    g_array_append_val(parser->scopes, scope);
}

void ps_ptx_scope_close(PsPtxParser *parser)
{
    ps_ptx_labels_resolve(parser);
    for (PsPtxBinding *binding = innermost(parser)->bindings, *next; binding; binding = next) {
        next = binding->next;
        if (binding->series)
            binding->name->series = binding->outer;
        else
            binding->name->binding = binding->outer;
        binding->next = parser->unused;
        parser->unused = binding;
    }
    g_array_set_size(parser->scopes, parser->scopes->len - 1);
}

static PsPtxBinding *new_binding(PsPtxParser *parser, PsPtxName *name, guint depth)
{
    PsPtxBinding *binding = parser->unused;
    PsPtxScope *scope = &g_array_index(parser->scopes, PsPtxScope, depth);
    if (binding)
        parser->unused = binding->next;
    else
        binding = ps_ptx_arena_get(parser->temporary, sizeof *binding);
    *binding = (PsPtxBinding){.name = name, .depth = depth, .next = scope->bindings};
    scope->bindings = binding;
    return binding;
}

/* Adds a binding that hides what the name meant. */
static PsPtxBinding *lay(PsPtxParser *parser, PsPtxName *name, guint depth)
{
    PsPtxBinding *binding = new_binding(parser, name, depth);
    binding->outer = name->binding;
    name->binding = binding;
    return binding;
}

static PsPtxBinding *bind(PsPtxParser *parser, PsPtxName *name, PsPtxBound bound, guint depth)
{
    if (name->binding && name->binding->depth >= depth) {
        ps_ptx_complain(parser, PS_ERROR_VALUE, parser->token_line,
                        "\"%s\" is declared twice in the same block", name->text);
        return NULL;
    }
    PsPtxBinding *binding = lay(parser, name, depth);
    binding->bound = bound;
    return binding;
}

PsPtxBinding *ps_ptx_bind(PsPtxParser *parser, PsPtxName *name, PsPtxBound bound)
{
    return bind(parser, name, bound, parser->scopes->len - 1);
}

PsPtxBinding *ps_ptx_bind_outside(PsPtxParser *parser, PsPtxName *name, PsPtxBound bound)
{
    return bind(parser, name, bound, 0);
}

void ps_ptx_bind_series(PsPtxParser *parser, PsPtxName *stem, PsPtxType type, guint64 count)
{
    const guint depth = parser->scopes->len - 1;
    if (stem->series && stem->series->depth == depth) {
        ps_ptx_complain(parser, PS_ERROR_VALUE, parser->token_line,
                        "the registers \"%s<...>\" are declared twice in the same block",
                        stem->text);
        return;
    }
    if (count > PS_PTX_MAX_REGISTERS) {
        ps_ptx_complain(parser, PS_ERROR_LIMIT, parser->token_line,
                        "%s<%" G_GUINT64_FORMAT "> is more than %d registers", stem->text, count,
                        PS_PTX_MAX_REGISTERS);
        return;
    }
    PsPtxBinding *binding = new_binding(parser, stem, depth);
    binding->series = TRUE;
    binding->outer = stem->series;
    binding->type = type;
    binding->count = (guint)count;
    stem->series = binding;
    innermost(parser)->series = depth;
}

gint32 ps_ptx_add_register(PsPtxParser *parser, char *name, PsPtxType type)
{
    const PsPtxRegister entry = {name, type};
    if (parser->function->registers->len >= PS_PTX_MAX_REGISTERS) {
        ps_ptx_complain(parser, PS_ERROR_LIMIT, parser->token_line,
                        "the function uses more than %d registers", PS_PTX_MAX_REGISTERS);
        return 0;
    }
    g_array_append_val(parser->function->registers, entry);
    return (gint32)parser->function->registers->len - 1;
}

/* The innermost series that has a register of that name; NULL: none has. The stem may end in digits
 * itself; the number has no leading zeros. */
static PsPtxBinding *series_of(const PsPtxParser *parser, const PsPtxName *name)
{
    PsPtxBinding *best = NULL;
    guint64 number = 0, weight = 1;
    char stem[256];
    if (name->length >= sizeof stem)
        return NULL;
    for (guint at = name->length;
         at-- > 1 && g_ascii_isdigit(name->text[at]) && weight <= 100000000;) {
        number += weight * (guint64)(name->text[at] - '0');
        weight *= 10;
        if (name->text[at] == '0' && at + 1 < name->length)
            continue;
        memcpy(stem, name->text, at);
        stem[at] = 0;
        const PsPtxName *found = g_hash_table_lookup(parser->names, stem);
        PsPtxBinding *series = found ? found->series : NULL;
        while (series && number >= series->count)
            series = series->outer;
        if (series && (!best || series->depth > best->depth))
            best = series;
    }
    return best;
}

const PsPtxBinding *ps_ptx_look_up(PsPtxParser *parser, PsPtxName *name)
{
    PsPtxBinding *binding = name->binding;
    const guint deepest = innermost(parser)->series;
    if (deepest == 0 || (binding && binding->depth >= deepest))
        return binding;
    const PsPtxBinding *series = series_of(parser, name);
    if (!series || (binding && binding->depth >= series->depth))
        return binding;
    binding = lay(parser, name, series->depth);
    binding->bound = PS_PTX_BOUND_REGISTER;
    binding->type = series->type;
    binding->index = ps_ptx_add_register(parser, name->text, series->type);
    return binding;
}
