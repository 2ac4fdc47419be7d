/* SPDX-License-Identifier: BSD-3-Clause */
/* See fields.h. */
#include "base/fields.h"

#include <string.h>

static void init_whole(const PsField *field, void *at)
{
    *(gint64 *)at = field->absent;
}

static gboolean read_whole(const PsField *field, const xmlNode *element, void *at, GError **error)
{
    return ps_xml_int(element, field->name, field->least, field->most, at, error);
}

static void write_whole(const PsField *field, xmlTextWriter *writer, const void *at)
{
    const gint64 value = *(const gint64 *)at;
    if (field->always || value != field->absent)
        ps_xml_put_int(writer, field->name, value);
}

const PsFieldType ps_field_whole = {init_whole, read_whole, write_whole, NULL, NULL};

static void init_decimal(const PsField *field, void *at)
{
    *(PsRational *)at = PS_RATIONAL_INT(field->absent);
}

static gboolean read_decimal(const PsField *field, const xmlNode *element, void *at, GError **error)
{
    return ps_xml_decimal(element, field->name, at, error);
}

static void write_decimal(const PsField *field, xmlTextWriter *writer, const void *at)
{
    ps_xml_put_decimal(writer, field->name, *(const PsRational *)at);
}

const PsFieldType ps_field_decimal = {init_decimal, read_decimal, write_decimal, NULL, NULL};

static void init_word(const PsField *field, void *at)
{
    *(int *)at = (int)field->absent;
}

/* The schema has made sure that the word is one of the field's. */
static gboolean read_word(const PsField *field, const xmlNode *element, void *at,
                          G_GNUC_UNUSED GError **error)
{
    g_autofree char *text = ps_xml_text(element, field->name);
    int word = 0;
    while (g_strcmp0(field->words[word], text) != 0)
        word++;
    *(int *)at = word;
    return TRUE;
}

static void write_word(const PsField *field, xmlTextWriter *writer, const void *at)
{
    const int word = *(const int *)at;
    if (field->always || word != field->absent)
        ps_xml_put_text(writer, field->name, field->words[word]);
}

const PsFieldType ps_field_word = {init_word, read_word, write_word, NULL, NULL};

static gboolean read_text(const PsField *field, const xmlNode *element, void *at,
                          G_GNUC_UNUSED GError **error)
{
    char **text = at;
    g_free(*text);
    *text = ps_xml_text(element, field->name);
    return TRUE;
}

static void write_text(const PsField *field, xmlTextWriter *writer, const void *at)
{
    ps_xml_put_text(writer, field->name, *(char *const *)at);
}

static void free_text(void *at)
{
    g_free(*(char **)at);
}

static void *copy_text(const void *at)
{
    return g_strdup(*(char *const *)at);
}

const PsFieldType ps_field_text = {NULL, read_text, write_text, free_text, copy_text};

/* ---- tables -------------------------------------------------------------------------------- */

void ps_fields_init(const PsFields *fields, void *of)
{
    for (guint i = 0; i < fields->n; i++) {
        const PsField *field = &fields->fields[i];
        if (field->type->init)
            field->type->init(field, (char *)of + field->offset);
    }
}

gboolean ps_fields_read(const PsFields *fields, const xmlNode *element, void *to, GError **error)
{
    for (guint i = 0; i < fields->n; i++) {
        const PsField *field = &fields->fields[i];
        if (xmlHasProp(element, BAD_CAST field->name) &&
            !field->type->read(field, element, (char *)to + field->offset, error))
            return FALSE;
    }
    return TRUE;
}

void ps_fields_write(const PsFields *fields, xmlTextWriter *writer, const void *of)
{
    for (guint i = 0; i < fields->n; i++) {
        const PsField *field = &fields->fields[i];
        field->type->write(field, writer, (const char *)of + field->offset);
    }
}

void ps_fields_copy(const PsFields *fields, const void *from, void *to)
{
    for (guint i = 0; i < fields->n; i++) {
        const PsField *field = &fields->fields[i];
        const void *const at = (const char *)from + field->offset;
        void *const owned = field->type->copy ? field->type->copy(at) : NULL;
        memcpy((char *)to + field->offset, field->type->copy ? (const void *)&owned : at,
               field->size);
    }
}

void ps_fields_free(const PsFields *fields, void *of)
{
    for (guint i = 0; i < fields->n; i++) {
        const PsField *field = &fields->fields[i];
        if (field->type->free)
            field->type->free((char *)of + field->offset);
    }
}

const PsField *ps_field_find(const PsFields *fields, const char *name)
{
    for (guint i = 0; i < fields->n; i++)
        if (strcmp(fields->fields[i].name, name) == 0)
            return &fields->fields[i];
    return NULL;
}
