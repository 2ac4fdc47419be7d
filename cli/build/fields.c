/* SPDX-License-Identifier: BSD-3-Clause */
/* See build-fields.h. */
#include "cli/build/fields.h"

#include "cli/build/blocks.h"
#include "cli/build/fill.h"
#include "cli/fail.h"

#include <string.h>

gboolean fields_has(const PsPtxVariable *param)
{
    return param->size != ps_ptx_type_size(param->type) || param->vector > 1;
}

/* ---- what the kernel reads ----------------------------------------------------------------- */

static int by_offset(gconstpointer a, gconstpointer b)
{
    const FieldUse *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static void add_use(GArray *uses, guint64 offset, PsPtxType type)
{
    const FieldUse use = {offset, type};
    for (guint i = 0; i < uses->len; i++)
        if (g_array_index(uses, FieldUse, i).offset == offset)
            return;
    g_array_append_val(uses, use);
}

GArray *fields_used(const PsPtxFunction *kernel, const PsPtxVariable *param)
{
    GArray *uses = g_array_new(FALSE, FALSE, sizeof(FieldUse));
    for (guint i = 0; i < kernel->instructions->len; i++) {
        const PsPtxInstruction *instruction =
            &g_array_index(kernel->instructions, PsPtxInstruction, i);
        const PsPtxMnemonic *mnemonic = instruction->mnemonic;
        const PsPtxOperand *from = instruction->n_operands > 1 ? &instruction->operands[1] : NULL;
        if (!from || strcmp(mnemonic->opcode, "ld") != 0 || mnemonic->n_types == 0 ||
            from->kind != PS_PTX_OPERAND_ADDRESS || from->variable != param || from->reg >= 0 ||
            from->value < 0)
            continue;
        const guint size = ps_ptx_type_size(mnemonic->types[0]);
        for (guint k = 0; k < MAX(mnemonic->vector, 1); k++)
            add_use(uses, (guint64)from->value + (guint64)k * size, mnemonic->types[0]);
    }
    g_array_sort(uses, by_offset);
    return uses;
}

/* ---- texts --------------------------------------------------------------------------------- */

gboolean fields_split(const char *text, char **name, guint64 *offset, const char **rest)
{
    const gsize length = strspn(text, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_$%.");
    char *end;
    if (!length || text[length] != '+' || !g_ascii_isdigit(text[length + 1]))
        return FALSE;
    *offset = g_ascii_strtoull(text + length + 1, &end, 10);
    if (*end != '=')
        return FALSE;
    *name = g_strndup(text, length);
    *rest = end + 1;
    return TRUE;
}

/* ---- filling ------------------------------------------------------------------------------- */

static gboolean fits(const FieldsOf *of, const char *what, guint64 offset, guint size,
                     GError **error)
{
    return (size <= of->param->size && offset <= of->param->size - size) ||
           usage_error(error,
                       "%s: %u bytes from there on do not fit into this argument, which has "
                       "%" G_GUINT64_FORMAT,
                       what, size, of->param->size);
}

static void make_room(const FieldsOf *of, PsPtxArgument *argument)
{
    if (argument->bytes)
        return;
    argument->bytes = g_malloc0(of->param->size);
    argument->size = of->param->size;
}

static gboolean set_buffer(const FieldsOf *of, PsPtxArgument *argument, const char *what,
                           PsPtxField field, const char *text, GError **error)
{
    if (!fits(of, what, field.offset, of->address_size, error))
        return FALSE;
    field.data = fill_make_later(what, text, of->scope, &field.size, &field.blocks, error);
    if (!field.data)
        return FALSE;
    make_room(of, argument);
    field.name = g_strdup(what + strlen("--arg "));
    argument->fields =
        g_renew(PsPtxField, (PsPtxField *)argument->fields, (gsize)argument->n_fields + 1);
    ((PsPtxField *)argument->fields)[argument->n_fields++] = field;
    return TRUE;
}

/* By the suffix ":u32", else by what the kernel loads there. */
static gboolean type_of(const FieldsOf *of, const char *what, guint64 offset, const char *suffix,
                        PsPtxType *type, GError **error)
{
    g_autoptr(GArray) uses = fields_used(of->kernel, of->param);
    for (PsPtxType each = PS_PTX_NO_TYPE; suffix && each < PS_PTX_N_TYPES; each++)
        if (strcmp(suffix, ps_ptx_type_name(each)) == 0 && ps_ptx_type_size(each) > 0) {
            *type = each;
            return TRUE;
        }
    for (guint i = 0; !suffix && i < uses->len; i++)
        if (g_array_index(uses, FieldUse, i).offset == offset) {
            *type = g_array_index(uses, FieldUse, i).type;
            return TRUE;
        }
    return suffix ? usage_error(error, "%s: there is no type '%s'", what, suffix)
                  : usage_error(error,
                                "%s: the kernel loads nothing from there, so nobody knows of what "
                                "type it is; say it, such as 5:u32 or 2.5:f64",
                                what);
}

static gboolean is_number(const char *text)
{
    return g_ascii_isdigit(*text) || strchr("+-.", *text) || g_str_has_prefix(text, "nan") ||
           g_str_has_prefix(text, "inf");
}

static gboolean set_number(const FieldsOf *of, PsPtxArgument *argument, const char *what,
                           guint64 offset, const char *text, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, ":", 2);
    PsPtxType type = PS_PTX_NO_TYPE;
    guint64 bits;
    if (!type_of(of, what, offset, parts[0] ? parts[1] : NULL, &type, error) ||
        !fits(of, what, offset, ps_ptx_type_size(type), error) ||
        !fill_number(what, parts[0] ? parts[0] : "", type, &bits, error))
        return FALSE;
    make_room(of, argument);
    for (guint i = 0; i < ps_ptx_type_size(type); i++)
        ((guint8 *)argument->bytes)[offset + i] = (guint8)(bits >> (8 * i));
    return TRUE;
}

gboolean fields_set(const FieldsOf *of, PsPtxArgument *argument, const char *what, guint64 offset,
                    const char *text, GError **error)
{
    if (!fields_has(of->param))
        return usage_error(error, "%s: this argument is no struct", what);
    if (fill_is(text) && !is_number(text))
        return set_buffer(of, argument, what, (PsPtxField){.offset = offset}, text, error);
    return set_number(of, argument, what, offset, text, error);
}

const PsPtxField *fields_find(const PsPtxArgument *argument, guint64 offset)
{
    for (guint i = 0; i < argument->n_fields; i++)
        if (argument->fields[i].offset == offset)
            return &argument->fields[i];
    return NULL;
}

void fields_clear(PsPtxArgument *argument)
{
    for (guint i = 0; i < argument->n_fields; i++) {
        g_free((char *)argument->fields[i].name);
        blocks_free(argument->fields[i].blocks);
        g_free(argument->fields[i].data);
    }
    g_clear_pointer((PsPtxField **)&argument->fields, g_free);
    argument->n_fields = 0;
}
