/* SPDX-License-Identifier: BSD-3-Clause */
#include "launch/fields.h"

#include "base/usage.h"
#include "launch/fill.h"
#include "launch/lent.h"
#include "launch/value.h"
#include "ptx/instruction.h"
#include "ptx/names.h"

#include <string.h>

/* ---- texts --------------------------------------------------------------------------------- */

const char *ps_fields_name(const char *text, char **name, guint64 *offset)
{
    const gsize length = strspn(text, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_$%.");
    char *end;
    if (!length || text[length] != '+' || !g_ascii_isdigit(text[length + 1]))
        return NULL;
    *offset = g_ascii_strtoull(text + length + 1, &end, 10);
    *name = g_strndup(text, length);
    return end;
}

const char *ps_fields_value(const char *text, char **name, guint64 *offset)
{
    const char *end = ps_fields_name(text, name, offset);
    if (end && *end == '=')
        return end + 1;
    g_clear_pointer(name, g_free);
    return NULL;
}

/* ---- filling ------------------------------------------------------------------------------- */

static gboolean fits(const PsFieldsOf *of, guint64 offset, guint size, GError **error)
{
    return (size <= of->param->size && offset <= of->param->size - size) ||
           ps_usage_error(error,
                          "%s: %u bytes from there on do not fit into this %s, which has "
                          "%" G_GUINT64_FORMAT,
                          of->what, size, of->noun, of->param->size);
}

static void make_room(const PsFieldsOf *of, PsPtxArgument *argument)
{
    if (argument->bytes)
        return;
    argument->bytes = g_malloc0(of->param->size);
    argument->size = of->param->size;
}

static gboolean set_buffer(const PsFieldsOf *of, PsPtxArgument *argument, PsPtxField field,
                           const char *text, GError **error)
{
    if (!fits(of, field.offset, of->address_size, error))
        return FALSE;
    const PsLent *lent = ps_lent_find(of->lent, text);
    field.data =
        lent ? ps_lent_make(lent, &field.size, &field.blocks, error)
             : ps_fill_make_later(of->what, text, of->scope, &field.size, &field.blocks, error);
    if (!field.data)
        return FALSE;
    make_room(of, argument);
    field.name = g_strdup(of->name);
    argument->fields =
        g_renew(PsPtxField, (PsPtxField *)argument->fields, (gsize)argument->n_fields + 1);
    ((PsPtxField *)argument->fields)[argument->n_fields++] = field;
    return TRUE;
}

/* The field's type: by the suffix ":u32", otherwise by the kernel's load from its offset. */
static gboolean type_of(const PsFieldsOf *of, guint64 offset, const char *suffix, PsPtxType *type,
                        GError **error)
{
    g_autoptr(GArray) uses = ps_ptx_fields_used(of->kernel, of->param);
    for (PsPtxType each = PS_PTX_NO_TYPE; suffix && each < PS_PTX_N_TYPES; each++)
        if (strcmp(suffix, ps_ptx_type_name(each)) == 0 && ps_ptx_type_size(each) > 0) {
            *type = each;
            return TRUE;
        }
    for (guint i = 0; !suffix && i < uses->len; i++)
        if (g_array_index(uses, PsPtxFieldUse, i).offset == offset) {
            *type = g_array_index(uses, PsPtxFieldUse, i).type;
            return TRUE;
        }
    return suffix
               ? ps_usage_error(error, "%s: there is no type '%s'", of->what, suffix)
               : ps_usage_error(error,
                                "%s: the kernel loads nothing from there, so nobody knows of what "
                                "type it is; say it, such as 5:u32 or 2.5:f64",
                                of->what);
}

static gboolean is_number(const char *text)
{
    return g_ascii_isdigit(*text) || strchr("+-.", *text) || g_str_has_prefix(text, "nan") ||
           g_str_has_prefix(text, "inf");
}

/* The bytes of the number; *size is how many. */
static gboolean read_number(const PsFieldsOf *of, guint64 offset, const char *text,
                            guint8 bytes[sizeof(guint64)], guint *size, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, ":", 2);
    PsPtxType type = PS_PTX_NO_TYPE;
    guint64 bits;
    if (!ps_ptx_is_struct(of->param))
        return ps_usage_error(error, "%s: this %s is no struct", of->what, of->noun);
    if (!type_of(of, offset, parts[0] ? parts[1] : NULL, &type, error) ||
        !fits(of, offset, ps_ptx_type_size(type), error) ||
        !ps_value_parse(of->what, parts[0] ? parts[0] : "", type, &bits, error))
        return FALSE;
    *size = ps_ptx_type_size(type);
    for (guint i = 0; i < *size; i++)
        bytes[i] = (guint8)(bits >> (8 * i));
    return TRUE;
}

gboolean ps_fields_set(const PsFieldsOf *of, PsPtxArgument *argument, guint64 offset,
                       const char *text, GError **error)
{
    guint8 bytes[sizeof(guint64)];
    guint size;
    if (ps_ptx_is_struct(of->param) && ps_fill_is(text) && !is_number(text))
        return set_buffer(of, argument, (PsPtxField){.offset = offset}, text, error);
    if (!read_number(of, offset, text, bytes, &size, error))
        return FALSE;
    make_room(of, argument);
    memcpy((guint8 *)argument->bytes + offset, bytes, size);
    return TRUE;
}

gboolean ps_fields_put(const PsFieldsOf *of, PsPtxModule *module, PsPtxVariable *variable,
                       guint64 offset, const char *text, GError **error)
{
    guint8 bytes[sizeof(guint64)];
    guint size;
    if (ps_fill_is(text) && !is_number(text))
        return ps_usage_error(error,
                              "%s: a field of a variable takes a number; only arguments of the "
                              "kernel take buffers",
                              of->what);
    if (!read_number(of, offset, text, bytes, &size, error))
        return FALSE;
    ps_ptx_variable_put(module, variable, offset, bytes, size);
    return TRUE;
}

const PsPtxField *ps_fields_find(const PsPtxArgument *argument, guint64 offset)
{
    for (guint i = 0; i < argument->n_fields; i++)
        if (argument->fields[i].offset == offset)
            return &argument->fields[i];
    return NULL;
}

void ps_fields_clear(PsPtxArgument *argument)
{
    for (guint i = 0; i < argument->n_fields; i++) {
        g_free((char *)argument->fields[i].name);
        ps_fill_free(argument->fields[i].data, argument->fields[i].blocks);
    }
    g_clear_pointer((PsPtxField **)&argument->fields, g_free);
    argument->n_fields = 0;
}
