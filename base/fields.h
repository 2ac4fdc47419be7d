/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Attributes of XML elements as rows of a table, each with the member of a struct that it becomes:
 * reading, writing, copying and freeing walk it. The tables are made of gpu/gpu.fields, which says
 * what each column means, and idg/idg.fields (make/fields.awk). Internal to the library.
 */
#ifndef PIPESIM_BASE_FIELDS_H
#define PIPESIM_BASE_FIELDS_H

#include "base/rational.h"
#include "base/xml-write.h"
#include "base/xml.h"

typedef struct PsField PsField;

/* The treatment of attributes whose members have one C type; `at` is the member. */
typedef struct {
    /* Sets the member's default, for a file that does not state the attribute. NULL: all bytes are
     * zero. */
    void (*init)(const PsField *field, void *at);
    /* Reads the member from an attribute. The schema has checked its form; FALSE and *error, at the
     * element, where anything else is wrong. */
    gboolean (*read)(const PsField *field, const xmlNode *element, void *at, GError **error);
    void (*write)(const PsField *field, xmlTextWriter *writer, const void *at);
    void (*free)(void *at); /* NULL: it owns nothing */
    /* Copies what a member owns; at is another struct's member. NULL: the member's bytes are its
     * whole value. */
    void *(*copy)(const void *at);
} PsFieldType;

struct PsField {
    const char *name;
    const PsFieldType *type;
    gsize offset, size;       /* of the member in its struct, in bytes */
    gint64 absent;            /* the default */
    gboolean always;          /* the attribute is written and shown even if it has its default */
    gint64 least, most;       /* of whole numbers */
    const char *const *words; /* by the values of the member; NULL: one that is never written */
    guint n_words;
    const char
        *label; /* what people read before the figure, and behind it; NULL: it is not shown */
    const char *unit;
};

/* The attributes of an element, but for those that code of its own reads. */
typedef struct {
    const char *element;
    const PsField *fields;
    guint n;
} PsFields;

extern const PsFieldType ps_field_whole;   /* gint64 */
extern const PsFieldType ps_field_decimal; /* PsRational */
extern const PsFieldType ps_field_word;    /* an enum or gboolean, by the words */
extern const PsFieldType ps_field_text;    /* char *, NULL if it is not stated */

/* The type and offset of a row. A member whose C type is not the table's does not compile. A format
 * may add types of its own by PS_FIELD_OWN_TYPES, further associations of _Generic. */
#define PS_FIELD_OF(S, m, ...)                                                                     \
    .type = _Generic(((S *)0)->m, __VA_ARGS__), .offset = G_STRUCT_OFFSET(S, m),                   \
    .size = sizeof((S *)0)->m
#define PS_FIELD_WHOLE(S, m) PS_FIELD_OF(S, m, gint64 : &ps_field_whole)
#define PS_FIELD_DECIMAL(S, m) PS_FIELD_OF(S, m, PsRational : &ps_field_decimal)
#define PS_FIELD_WORD(S, m)                                                                        \
    PS_FIELD_OF(S, m, char * : &ps_field_text, gint : &ps_field_word, guint : &ps_field_word)
#define PS_FIELD_TEXT(S, m) PS_FIELD_OF(S, m, char * : &ps_field_text PS_FIELD_OWN_TYPES)

/* Gives a struct whose bytes are all zero its defaults. */
void ps_fields_init(const PsFields *fields, void *of);

/* Reads an element's attributes into a struct that has its defaults. FALSE and *error, with the
 * element's place, at the first that is wrong. */
gboolean ps_fields_read(const PsFields *fields, const xmlNode *element, void *to, GError **error);

/* Writes the attributes of the element that was started last. */
void ps_fields_write(const PsFields *fields, xmlTextWriter *writer, const void *of);

/* Copies another struct's members into a struct. Nothing that the struct owned before is freed. */
void ps_fields_copy(const PsFields *fields, const void *from, void *to);

/* Frees what the members own; the struct itself stays. */
void ps_fields_free(const PsFields *fields, void *of);

/* The attribute of that name; NULL if the table has none. */
const PsField *ps_field_find(const PsFields *fields, const char *name);

#endif
