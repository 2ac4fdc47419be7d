/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What importers of profiles share. An importer turns rows into counters of kernels; what these
 * mean, and what is missing, is the same for all of them:
 *
 *     ps_csv_line    a row                                  base/csv.h
 *     PsImporter     which files are mine, how they read    one file for each kind
 *     PsCollector    sums per kernel, launches, n/a         collect.c
 *     PsFormula      from counters to the metrics           formula.c
 *     ps_number_*    "53,261,312", "1.5Kbyte", "n/a"        number.c
 *
 * profile.c looks for the header row of a known kind behind whatever stands before it, and hands
 * the rest of the file to its importer. What is no table has readers of its own: JSON (json.c,
 * rocprof-json.c) and SQLite (databases.h).
 */
#ifndef PIPESIM_ROOFLINE_IMPORT_H
#define PIPESIM_ROOFLINE_IMPORT_H

#include "base/csv.h"
#include "roofline/profile.h"

/* ---- formulas ------------------------------------------------------------------------------ */

/* What a counter counts, and so which units its values may have. In base units: 1, bytes, seconds.
 */
typedef enum { PS_UNIT_COUNT, PS_UNIT_BYTES, PS_UNIT_SECONDS } PsUnit;

#define PS_FORMULA_TERMS 16

typedef struct {
    const char *counter; /* NULL ends the terms */
    double factor;
} PsTerm;

/* metric = sum of factor * counter, if all of the counters are there, or with `any` those that are.
 * Formulas of one metric stand together, the best first; a message recommends to collect the
 * first. */
typedef struct {
    PsMetric metric;
    PsUnit unit; /* of all its counters */
    PsTerm terms[PS_FORMULA_TERMS];
    gboolean any;
    const char *note; /* the warning if this formula is taken; NULL: none */
} PsFormula;

typedef struct {
    const PsFormula *formulas;
    guint n_formulas;
    const char *collect;   /* how a user collects a counter: "nvprof --metrics " */
    const char *separator; /* between two counters there: "," */
    const char *duration;  /* how one collects durations: "nvprof --print-gpu-trace"; may be NULL */
    gboolean says_shared;  /* the profiler's word for the memory of a group, else "local" */
} PsFormulas;

/* ---- numbers ------------------------------------------------------------------------------- */

/* A number, and the text behind it without blanks: "" or a unit. */
typedef struct {
    double value;
    const char *unit; /* in the text that was parsed */
} PsNumber;

typedef enum {
    PS_NUMBER_OK,
    PS_NUMBER_MISSING, /* "n/a", "(!) nan" and the like */
    PS_NUMBER_BAD
} PsNumberState;

/* Decimal, with thousands separators or an exponent, 1,234.5 or with decimal_comma 1.234,5; nan is
 * a missing value, inf and hexadecimal are no numbers. `*why` says what is wrong with a bad one:
 * "is no number", "is too large". */
PsNumberState ps_number_parse(const char *text, gboolean decimal_comma, PsNumber *number,
                              const char **why);

/* The size of a unit in base units: 1e-6 for "usecond" of PS_UNIT_SECONDS, 1 for "". NaN if the
 * unit has no such name. */
double ps_unit_scale(PsUnit unit, const char *name);

/* ---- collecting ---------------------------------------------------------------------------- */

/* Sums counters per kernel and device, in memory that grows with these only. Where launches are
 * kept apart, a launch is handed on when the next one begins.
 *
 *     c = ps_collector_new(...);
 *     counter = ps_collector_counter(c, "inst_fp_32");       once for each column, or name
 *     for each launch:
 *         ps_collect_launch(c, &(PsKernelKey){name, device}, line, &error)
 *         ps_collect_put(c, counter, value)
 *     ps_collector_finish(c, &error)
 */
typedef struct PsCollector PsCollector;

typedef struct {
    const char *name;
    const char *device; /* NULL: not known */
    guint capability;   /* of the device: 86 for "8.6"; 0: not known */
} PsKernelKey;

/* Both borrowed, for the life of the collector. */
typedef struct PsImport PsImport;
PsCollector *ps_collector_new(const PsImport *import, const PsFormulas *formulas);
void ps_collector_free(PsCollector *collector);

/* The number of a counter that some formula uses, else -1: it is not needed. */
int ps_collector_counter(const PsCollector *collector, const char *name);
const char *ps_collector_counter_name(const PsCollector *collector, int counter);
PsUnit ps_collector_unit(const PsCollector *collector, int counter);

/* Counters have the numbers from 0 on. */
int ps_collector_n_counters(const PsCollector *collector);

/* Begins a table, which may have the same launches as earlier tables (durations after metrics).
 * Launches are counted anew for each table, and the largest number counts. */
void ps_collect_section(PsCollector *collector);

/* Begins one launch. FALSE and *error if `each` wants no more. */
gboolean ps_collect_launch(PsCollector *collector, const PsKernelKey *key, int line,
                           GError **error);

/* Begins `launches` launches of a kernel all together, as summaries have them; they are never kept
 * apart. Several rows may be of the same launches. */
gboolean ps_collect_kernel(PsCollector *collector, const PsKernelKey *key, gint64 launches,
                           int line, GError **error);

/* Sets the value of a counter for the launch or launches that were begun, in base units and not
 * negative. A second value in the same launch does not count; if it differs, the end warns of
 * it. */
void ps_collect_put(PsCollector *collector, int counter, double value);

/* Sets an estimated value. It counts if formulas find nothing exact, and the end warns of that. It
 * is ignored if the launch has the counter. */
void ps_collect_estimate(PsCollector *collector, int counter, double value);

/* The value that was put in the launch that was begun, NaN for none. The other one says whether it
 * was put or estimated. */
double ps_collect_value(const PsCollector *collector, int counter);
gboolean ps_collect_has(const PsCollector *collector, int counter);

/* Adds a value, for counters that a launch has several of. */
void ps_collect_add(PsCollector *collector, int counter, double value);

/* Notes that the profiler says it has no value for this counter. */
void ps_collect_missing(PsCollector *collector, int counter, int line);

/* Hands on the remaining kernels, and warns of what is missing. A file without a kernel is an
 * error. */
gboolean ps_collector_finish(PsCollector *collector, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsCollector, ps_collector_free)

/* ---- importers ----------------------------------------------------------------------------- */

/* The names of a header row's columns. */
typedef struct {
    char **names; /* NULL-terminated */
    guint n;
} PsHeader;

/* The column of that name, -1 if there is none. */
int ps_header_find(const PsHeader *header, const char *name);

struct PsImport {
    PsCsv *csv; /* its present line is the header row, not split */
    PsHeader header;
    int header_line;
    gboolean decimal_comma;          /* of the rows below the header */
    const PsProfileOptions *options; /* never NULL */
    PsProfile *profile;              /* kernels and warnings go here */
    char *talk;                      /* the last line of the profiler's own, "==1234== ..." */
    char *complaint;         /* the first of them that says that something failed or is missing */
    const char *passed_over; /* the name of a table in the file of which nothing was taken */
    int skipped_line;        /* the first line that is no row, 0: none */
    guint n_skipped;
    int cut_line; /* a row that ends the file without a line end, 0: none */
};

typedef struct {
    const char *kind; /* "Nsight Compute": PsProfile.kind */
    const char *what; /* for the list of kinds: "Nsight Compute --csv (long, and --page raw)" */
    gboolean (*matches)(const PsHeader *header);
    gboolean (*read)(PsImport *import, GError **error);
} PsImporter;

extern const PsImporter ps_import_nvprof_metrics, ps_import_nvprof_trace, ps_import_nvprof_summary;
extern const PsImporter ps_import_nsys_summary, ps_import_nsys_trace;
extern const PsImporter ps_import_ncu_long, ps_import_ncu_wide, ps_import_ncu_summary;

/* All of them, in the order in which they are tried; NULL-terminated. See importers.c. */
extern const PsImporter *const ps_importers[];

/* JSON is known by its first character, not by a header. Everything else as read above. */
gboolean ps_import_json(PsImport *import, GError **error);

/* Takes the present line as the header of what follows; splits it if it is not split yet. */
gboolean ps_import_header(PsImport *import, GError **error);

/* Finds out, before a row is read, how numbers below the header are written, and warns of the
 * unusual way. For tables with semicolons ps_import_header has done so. FALSE and *error if nothing
 * tells. */
gboolean ps_import_decimals(PsImport *import, GError **error);

/* The column that must be there; -1 and *error, which names the column and the header's line. */
int ps_import_column(const PsImport *import, const char *name, GError **error);

/* Whether the present line, not split, is blank or the profiler's own message, which is kept. */
gboolean ps_import_is_talk(PsImport *import);

/* The next line that is neither blank, nor the profiler's talk ("==PROF==", "==1234=="), nor a
 * single word of the profiled program, split; its number of fields is not checked. */
PsCsvState ps_import_row(PsImport *import, GError **error);

/* TRUE if the line is no row but output of the profiled program, in tables whose rows begin with a
 * quote or a digit. It is counted, and the end of the import warns of it. */
gboolean ps_import_is_prose(PsImport *import);

/* Checks that the row has as many fields as the header; else *error. */
gboolean ps_import_check_width(const PsImport *import, GError **error);

/* The text of a field; "" if the row has no such field. */
const char *ps_import_text(const PsImport *import, int column);

/* A number in a field. PS_NUMBER_BAD and *error, which names the column, if it is none. */
PsNumberState ps_import_number(const PsImport *import, int column, PsNumber *number,
                               GError **error);

/* A number that must not be negative, in base units: behind it may stand a unit, else `unit_name`
 * is its unit (NULL or "": none given). */
PsNumberState ps_import_count(const PsImport *import, int column, PsUnit unit,
                              const char *unit_name, double *value, GError **error);

/* A whole number of at least `least`; -1 and *error if it is none. */
gint64 ps_import_integer(const PsImport *import, int column, gint64 least, GError **error);

/* Puts the field's value of a counter to the collector, as ps_import_count; "n/a" is a missing one.
 * A duration must be more than 0. */
gboolean ps_import_put(const PsImport *import, PsCollector *collector, int counter, int column,
                       const char *unit_name, GError **error);

/* Warnings of the profile begin with the file's name. */
void ps_import_warn(PsProfile *profile, const char *format, ...) G_GNUC_PRINTF(2, 3);

#endif
