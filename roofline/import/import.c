/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts that importers share: rows and fields. See import.h. */
#include "roofline/import/import.h"

#include <math.h>
#include <string.h>

/* ---- rows ---------------------------------------------------------------------------------- */

int ps_header_find(const PsHeader *header, const char *name)
{
    for (guint i = 0; i < header->n; i++)
        if (strcmp(header->names[i], name) == 0)
            return (int)i;
    return -1;
}

int ps_import_column(const PsImport *import, const char *name, GError **error)
{
    const int column = ps_header_find(&import->header, name);
    if (column < 0)
        ps_error_at(error, PS_ERROR_SYNTAX, (PsPlace){import->csv->name, import->header_line},
                    "the column \"%s\" is missing in this header of %s", name,
                    import->profile->kind);
    return column;
}

/* "==1234== ...", "==PROF== ...", "======== ..." */
static void note_talk(PsImport *import, const char *text)
{
    static const char *const words[] = {"ERROR", "Error", "No kernels", "No events", "WARNING"};
    g_free(import->talk);
    import->talk = g_strndup(text, 500);
    for (guint i = 0; !import->complaint && i < G_N_ELEMENTS(words); i++)
        if (strstr(text, words[i]))
            import->complaint = g_strdup(import->talk);
}

gboolean ps_import_is_talk(PsImport *import)
{
    const char *text = import->csv->text;
    while (g_ascii_isspace(*text))
        text++;
    if (!*text)
        return TRUE;
    if (!g_str_has_prefix(text, "=="))
        return FALSE;
    note_talk(import, text);
    return TRUE;
}

static void skip(PsImport *import)
{
    if (import->n_skipped++ == 0)
        import->skipped_line = import->csv->line;
}

PsCsvState ps_import_row(PsImport *import, GError **error)
{
    PsCsv *csv = import->csv;
    for (;;) {
        const PsCsvState state = ps_csv_line(csv, error);
        if (state != PS_CSV_ROW)
            return state;
        if ((*csv->text == '=' || g_ascii_isspace(*csv->text) || !*csv->text) &&
            ps_import_is_talk(import))
            continue;
        if (!ps_csv_split(csv, error))
            return PS_CSV_ERROR;
        if (csv->is_cut && !csv->fields[csv->n_fields - 1].quoted)
            import->cut_line = csv->line;
        if (csv->n_fields > 1 || csv->is_cut || csv->fields[0].quoted)
            return PS_CSV_ROW;
        skip(import);
    }
}

gboolean ps_import_is_prose(PsImport *import)
{
    const PsCsv *csv = import->csv;
    const gboolean is_prose = csv->n_fields != import->header.n && !csv->is_cut &&
                              !csv->fields[0].quoted && !g_ascii_isdigit(*csv->fields[0].text);
    if (is_prose)
        skip(import);
    return is_prose;
}

gboolean ps_import_check_width(const PsImport *import, GError **error)
{
    const PsCsv *csv = import->csv;
    if (csv->n_fields == import->header.n)
        return TRUE;
    ps_csv_error(csv, csv->n_fields - 1, PS_ERROR_SYNTAX, error,
                 "this row has %u field%s, and the header in line %d has %u%s", csv->n_fields,
                 csv->n_fields == 1 ? "" : "s", import->header_line, import->header.n,
                 csv->is_cut ? ": the file is cut off" : "");
    return FALSE;
}

/* ---- fields -------------------------------------------------------------------------------- */

const char *ps_import_text(const PsImport *import, int column)
{
    return column >= 0 && (guint)column < import->csv->n_fields ? import->csv->fields[column].text
                                                                : "";
}

static void bad_field(const PsImport *import, int column, const char *why, GError **error)
{
    const char *text = ps_import_text(import, column);
    const char *name = (guint)column < import->header.n ? import->header.names[column] : "";
    if (*text)
        ps_csv_error(import->csv, (guint)column, PS_ERROR_VALUE, error, "%s: '%.100s' %s", name,
                     text, why);
    else
        ps_csv_error(import->csv, (guint)column, PS_ERROR_VALUE, error, "%s %s", name, why);
}

PsNumberState ps_import_number(const PsImport *import, int column, PsNumber *number, GError **error)
{
    const char *why;
    const PsNumberState state =
        ps_number_parse(ps_import_text(import, column), import->decimal_comma, number, &why);
    if (state == PS_NUMBER_BAD)
        bad_field(import, column, why, error);
    return state;
}

static const char *wanted_unit(PsUnit unit)
{
    static const char *const wanted[] = {[PS_UNIT_COUNT] = "a count, such as 1 or inst",
                                         [PS_UNIT_BYTES] = "one of bytes, such as byte or Kbyte",
                                         [PS_UNIT_SECONDS] = "one of time, such as ns or usecond"};
    return wanted[unit];
}

PsNumberState ps_import_count(const PsImport *import, int column, PsUnit unit,
                              const char *unit_name, double *value, GError **error)
{
    PsNumber number;
    const PsNumberState state = ps_import_number(import, column, &number, error);
    if (state != PS_NUMBER_OK)
        return state;
    const char *name = *number.unit || !unit_name ? number.unit : unit_name;
    const double scale = ps_unit_scale(unit, name);
    /* divided by the inverse if the scale is below 1, since 1e-9 is no binary fraction and 1e9 is a
     * whole number */
    *value = scale < 1 ? number.value / rint(1 / scale) : number.value * scale;
    if (isnan(scale)) {
        g_autofree char *is =
            *name ? g_strdup_printf("is of the unit '%.30s'", name) : g_strdup("has no unit");
        g_autofree char *why =
            g_strdup_printf("%s, and its unit must be %s", is, wanted_unit(unit));
        bad_field(import, column, why, error);
    } else if (number.value < 0) {
        bad_field(import, column, "is negative, and no count or duration can be", error);
    } else if (isinf(*value)) {
        bad_field(import, column, "is too large for a number", error);
    } else {
        return PS_NUMBER_OK;
    }
    return PS_NUMBER_BAD;
}

gint64 ps_import_integer(const PsImport *import, int column, gint64 least, GError **error)
{
    PsNumber number;
    const PsNumberState state = ps_import_number(import, column, &number, error);
    if (state == PS_NUMBER_BAD)
        return -1;
    const gboolean fits = state == PS_NUMBER_OK && number.value >= (double)least &&
                          number.value <= 0x1p53 && number.value == floor(number.value);
    if (fits && !*number.unit)
        return (gint64)number.value;
    g_autofree char *why =
        g_strdup_printf("is no whole number of at least %" G_GINT64_FORMAT, least);
    bad_field(import, column, why, error);
    return -1;
}

gboolean ps_import_put(const PsImport *import, PsCollector *collector, int counter, int column,
                       const char *unit_name, GError **error)
{
    double value;
    const PsUnit unit = ps_collector_unit(collector, counter);
    switch (ps_import_count(import, column, unit, unit_name, &value, error)) {
    case PS_NUMBER_BAD:
        return FALSE;
    case PS_NUMBER_MISSING:
        ps_collect_missing(collector, counter, import->csv->line);
        return TRUE;
    case PS_NUMBER_OK:
        break;
    }
    if (value == 0 && unit == PS_UNIT_SECONDS) {
        bad_field(import, column, "is no duration: a kernel takes more than 0", error);
        return FALSE;
    }
    ps_collect_put(collector, counter, value);
    return TRUE;
}
