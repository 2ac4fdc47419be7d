/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Types of the members that graphs' attributes become (idg.fields), beside those of base/fields.h.
 * The schema has checked the form of every value.
 */
#include "idg/internal.h"

#include <string.h>

const PsFields *ps_idg_item_fields(const PsIdgItem *item)
{
    return item->kind == PS_IDG_LOOP ? &ps_idg_fields_loop : &ps_idg_fields_node;
}

/* ---- expressions --------------------------------------------------------------------------- */

PsExpr *ps_idg_copy_expr(const PsExpr *expr)
{
    return expr ? ps_expr_new(ps_expr_text(expr), (PsPlace){"copy", 0}, NULL) : NULL;
}

static gboolean read_expr(const PsField *field, const xmlNode *element, void *at, GError **error)
{
    g_autofree char *text = ps_xml_text(element, field->name);
    PsExpr **expr = at;
    *expr = ps_expr_new(text, ps_xml_place(element), error);
    return *expr != NULL;
}

static void write_expr(const PsField *field, xmlTextWriter *writer, const void *at)
{
    const PsExpr *expr = *(PsExpr *const *)at;
    if (expr)
        ps_xml_put_text(writer, field->name, ps_expr_text(expr));
}

static void free_expr(void *at)
{
    ps_expr_free(*(PsExpr **)at);
}

static void *copy_expr(const void *at)
{
    return ps_idg_copy_expr(*(PsExpr *const *)at);
}

const PsFieldType ps_idg_field_expr = {NULL, read_expr, write_expr, free_expr, copy_expr};

/* ---- small numbers ------------------------------------------------------------------------- */

static gboolean read_small(const PsField *field, const xmlNode *element, void *at,
                           G_GNUC_UNUSED GError **error)
{
    g_autofree char *text = ps_xml_text(element, field->name);
    *(guint *)at = (guint)g_ascii_strtoull(text, NULL, 10);
    return TRUE;
}

static void write_small(const PsField *field, xmlTextWriter *writer, const void *at)
{
    ps_xml_put_int(writer, field->name, *(const guint *)at);
}

const PsFieldType ps_idg_field_small = {NULL, read_small, write_small, NULL, NULL};

/* A number of bytes below PS_IDG_ANY_OFFSET, or the word that stands for that value. */
static gboolean read_offset(const PsField *field, const xmlNode *element, void *at,
                            G_GNUC_UNUSED GError **error)
{
    g_autofree char *text = ps_xml_text(element, field->name);
    *(guint8 *)at =
        g_str_equal(text, "varies") ? PS_IDG_ANY_OFFSET : (guint8)g_ascii_strtoull(text, NULL, 10);
    return TRUE;
}

static void write_offset(const PsField *field, xmlTextWriter *writer, const void *at)
{
    const guint8 offset = *(const guint8 *)at;
    if (offset == PS_IDG_ANY_OFFSET)
        ps_xml_put_text(writer, field->name, "varies");
    else
        ps_xml_put_int(writer, field->name, offset);
}

const PsFieldType ps_idg_field_offset = {NULL, read_offset, write_offset, NULL, NULL};

/* Two numbers of one digit. */
static gboolean read_banks(const PsField *field, const xmlNode *element, void *at,
                           G_GNUC_UNUSED GError **error)
{
    g_autofree char *text = ps_xml_text(element, field->name);
    guint8 *of = at;
    for (guint bank = 0; bank < PS_IDG_BANKS; bank++)
        of[bank] = (guint8)g_ascii_digit_value(text[2 * bank]);
    return TRUE;
}

static void write_banks(const PsField *field, xmlTextWriter *writer, const void *at)
{
    const guint8 *of = at;
    if (of[0] == 0 && of[1] == 0)
        return;
    const char text[] = {(char)('0' + of[0]), ' ', (char)('0' + of[1]), '\0'};
    ps_xml_put_text(writer, field->name, text);
}

const PsFieldType ps_idg_field_banks = {NULL, read_banks, write_banks, NULL, NULL};

/* ---- dependences --------------------------------------------------------------------------- */

static gboolean read_deps(const PsField *field, const xmlNode *element, void *at, GError **error)
{
    g_autofree char *text = ps_xml_text(element, field->name);
    PsIdgItem *node = G_STRUCT_MEMBER_P(at, -(glong)field->offset);
    return ps_idg_read_deps(node, field->name, text, ps_xml_place(element), error);
}

static void write_deps(const PsField *field, xmlTextWriter *writer, const void *at)
{
    const GPtrArray *deps = *(GPtrArray *const *)at;
    if (!deps || deps->len == 0)
        return;
    g_autofree char *text = ps_idg_spell_deps(deps);
    ps_xml_put_text(writer, field->name, text);
}

static void free_deps(void *at)
{
    g_clear_pointer((GPtrArray **)at, g_ptr_array_unref);
}

static void *copy_deps(const void *at)
{
    const GPtrArray *deps = *(GPtrArray *const *)at;
    GPtrArray *copy = deps ? ps_idg_new_deps() : NULL;
    for (guint i = 0; deps && i < deps->len; i++) {
        const PsIdgDep *dep = deps->pdata[i];
        PsIdgDep *more = g_new0(PsIdgDep, 1);
        more->on = g_strdup(dep->on);
        more->all = dep->all;
        more->distance = ps_idg_copy_expr(dep->distance);
        g_ptr_array_add(copy, more);
    }
    return copy;
}

const PsFieldType ps_idg_field_deps = {NULL, read_deps, write_deps, free_deps, copy_deps};

/* ---- places in the source ------------------------------------------------------------------ */

/* "LINE" or "FILE:LINE"; LINE has at most nine digits. */
static gboolean read_line(const PsField *field, const xmlNode *element, void *at,
                          G_GNUC_UNUSED GError **error)
{
    g_autofree char *text = ps_xml_text(element, field->name);
    PsIdgItem *node = G_STRUCT_MEMBER_P(at, -(glong)field->offset);
    const char *colon = strrchr(text, ':');
    *(int *)at = (int)g_ascii_strtoll(colon ? colon + 1 : text, NULL, 10);
    if (colon)
        node->file = g_strndup(text, (gsize)(colon - text));
    return TRUE;
}

static void write_line(const PsField *field, xmlTextWriter *writer, const void *at)
{
    const PsIdgItem *node = (const PsIdgItem *)((const char *)at - field->offset);
    if (node->file && node->source_line > 0) {
        g_autofree char *line = g_strdup_printf("%s:%d", node->file, node->source_line);
        ps_xml_put_text(writer, field->name, line);
    } else {
        ps_xml_put_int(writer, field->name, node->source_line);
    }
}

/* The file is copied and freed with the item, since loops and nodes own one alike. */
const PsFieldType ps_idg_field_line = {NULL, read_line, write_line, NULL, NULL};
