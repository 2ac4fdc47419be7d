/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Headers, and whether the table below one writes 1,234.5 or 1.234,5. Nsight Compute writes numbers
 * as in the user's language, and does not name the language. But most numbers can only be read in
 * one way: those with two separators, or with one that is not before just three digits. 117.344
 * alone can be read in both ways, and so can 117,344 where semicolons are between fields, as
 * spreadsheets write them.
 */
#include "roofline/import/import.h"

#include <string.h>

/* If at least this many numbers have a point before just three digits, and none has another number
 * of decimals, they are no decimals. */
#define SURE 3

/* Bytes that numbers are written with: digits, and the separators between them (number.c). */
#define OF_NUMBERS "0123456789.,' \u00A0\u202F\u2009\u2019"

typedef struct {
    guint point, comma, maybe; /* counts of numbers that can only be 1,234.5; only 1.234,5; either,
                                  with a point, */
    guint maybe_comma;         /* or either, with a comma, which counts with semicolons alone */
    char point_example[40];    /* the first number with a point before decimals, */
    char example[40];          /* the first with a comma, */
    char maybe_example[40];    /* and the first that may be either */
} Evidence;

static gboolean is_number(const char *text, gboolean decimal_comma)
{
    PsNumber number;
    const char *why;
    return ps_number_parse(text, decimal_comma, &number, &why) == PS_NUMBER_OK && !*number.unit;
}

static void weigh(const char *text, Evidence *evidence)
{
    const gboolean point = is_number(text, FALSE),
                   comma = is_number(text, TRUE) && !g_str_has_prefix(text, "0.");
    if (!strpbrk(text, ".,"))
        return;
    if (point && comma && !(strchr(text, '.') ? evidence->maybe++ : evidence->maybe_comma++))
        g_strlcpy(evidence->maybe_example, text, sizeof evidence->maybe_example);
    if (comma && !point && !evidence->comma++)
        g_strlcpy(evidence->example, text, sizeof evidence->example);
    if (point && !comma && !evidence->point++)
        g_strlcpy(evidence->point_example, text, sizeof evidence->point_example);
}

/* Weighs the text between quotes that begins behind this one; returns its end. */
static const char *weigh_field(const char *text, gboolean counts, Evidence *evidence)
{
    const gsize length = strspn(text, OF_NUMBERS);
    g_autofree char *field = g_strndup(text, text[length] == '"' && counts ? length : 0);
    weigh(field, evidence);
    while (*(text += strcspn(text, "\"")) && text[1] == '"')
        text += 2;
    return text + (*text == '"');
}

/* Weighs the text without quotes that begins here, up to the separator; returns its end. */
static const char *weigh_plain(const char *text, char separator, gboolean counts,
                               Evidence *evidence)
{
    const char ends[] = {separator, '\r', '\n', '\0'};
    const gsize length = strcspn(text, ends);
    g_autofree char *field = g_strndup(text, counts ? length : 0);
    weigh(field, evidence);
    return text + length;
}

/* Gathers evidence from all quoted texts of characters that numbers have, except the compute
 * capability, which is written 8.6 everywhere; with semicolons or tabs from all other fields, too.
 * It ends before the next table. */
static Evidence gather(const PsHeader *header, char separator, const char *text)
{
    const int capability = ps_header_find(header, "CC");
    g_autofree char *next = g_strdup_printf("\"%s\"%c", header->names[0], separator);
    Evidence evidence = {0};
    int column = 0;
    while (*text && !(column == 0 && g_str_has_prefix(text, next)))
        if (*text == '"')
            text = weigh_field(text + 1, column != capability, &evidence);
        else if (separator != ',' && *text != separator && !strchr("\r\n", *text))
            text = weigh_plain(text, separator, column != capability, &evidence);
        else
            column = *text == '\n' ? 0 : column + (*text == separator), text++;
    return evidence;
}

static gboolean refuse(const PsImport *import, const Evidence *evidence, GError **error)
{
    const PsPlace place = {import->csv->name, import->header_line};
    if (evidence->comma > 0)
        ps_error_at(error, PS_ERROR_VALUE, place,
                    "below this header '%s' has a comma before decimals and '%s' a point, and "
                    "numbers of one table are written in one way; export it anew with LC_ALL=C "
                    "before the profiler",
                    evidence->example, evidence->point_example);
    else
        ps_error_at(error, PS_ERROR_VALUE, place,
                    "below this header '%s' may be a number of thousands or have decimals, and no "
                    "other number tells; export it anew with LC_ALL=C before the profiler",
                    evidence->maybe_example);
    return FALSE;
}

gboolean ps_import_decimals(PsImport *import, GError **error)
{
    const char *ahead = ps_csv_ahead(import->csv, error);
    if (!ahead)
        return FALSE;
    const char separator = import->csv->separator;
    Evidence evidence = gather(&import->header, separator, ahead);
    if (separator == ',' || evidence.comma || evidence.point)
        evidence.maybe_comma = 0;
    const gboolean is_comma = evidence.comma > 0 || (evidence.maybe >= SURE && evidence.point == 0);
    if ((evidence.comma > 0 && evidence.point > 0) || evidence.maybe_comma > 0 ||
        (evidence.point == 0 && evidence.maybe > 0 && !is_comma))
        return refuse(import, &evidence, error);
    if (is_comma && !import->decimal_comma)
        ps_import_warn(import->profile,
                       "numbers are read as written with a comma before decimals and points "
                       "between thousands, as '%s' is",
                       evidence.comma ? evidence.example : evidence.maybe_example);
    import->decimal_comma = is_comma;
    return TRUE;
}

gboolean ps_import_header(PsImport *import, GError **error)
{
    PsCsv *csv = import->csv;
    if (csv->n_fields == 0 && !ps_csv_split(csv, error))
        return FALSE;
    g_strfreev(import->header.names);
    import->header = (PsHeader){g_new0(char *, csv->n_fields + 1), csv->n_fields};
    for (guint i = 0; i < csv->n_fields; i++)
        import->header.names[i] = g_strstrip(g_strdup(csv->fields[i].text));
    import->header_line = csv->line;
    return csv->separator == ',' || ps_import_decimals(import, error);
}
