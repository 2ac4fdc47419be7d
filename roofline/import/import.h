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

/* metric = sum of factor * counter, if all of the counters are there, or for `any` those that are.
 * Formulas of one metric stand together, the best first; the first is what a message recommends to
 * collect. */
typedef struct {
    PsMetric metric;
    PsUnit unit; /* of all its counters */
    PsTerm terms[PS_FORMULA_TERMS];
    gboolean any;
    const char *note; /* what a warning says where this formula is taken; NULL: nothing */
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

/* A number and what stands behind it, blanks apart: "" or a unit. */
typedef struct {
    double value;
    const char *unit; /* in the text that was parsed */
} PsNumber;

typedef enum {
    PS_NUMBER_OK,
    PS_NUMBER_MISSING, /* "n/a", "(!) nan" and the like */
    PS_NUMBER_BAD
} PsNumberState;

/* Decimal, with thousands separators or an exponent, 1,234.5 or with decimal_comma 1.234,5; nan
 * is a missing value, inf and hexadecimal are no numbers. `*why` says of a bad one what is wrong:
 * "is no number", "is too large".
 */
PsNumberState ps_number_parse(const char *text, gboolean decimal_comma, PsNumber *number,
                              const char **why);

/* What one `name` is in base units: 1e-6 for "usecond" of PS_UNIT_SECONDS, 1 for "". NaN for what
 * is none. */
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

/* A table begins, which may speak of the same launches as those before it did (durations after
 * metrics): launches are counted anew, and the most counts. */
void ps_collect_section(PsCollector *collector);

/* One launch begins. FALSE and *error where `each` wants no more. */
gboolean ps_collect_launch(PsCollector *collector, const PsKernelKey *key, int line,
                           GError **error);

/* What follows is of `launches` launches of a kernel all together, as summaries tell it; never
 * apart. More than one row may say so of the same launches. */
gboolean ps_collect_kernel(PsCollector *collector, const PsKernelKey *key, gint64 launches,
                           int line, GError **error);

/* The value of a counter for the launch or the launches that were begun, in base units and not
 * negative. A second one in the same launch does not count: it is the same again, or the end warns
 * of it. */
void ps_collect_put(PsCollector *collector, int counter, double value);

/* As put, for a value that is not exact: it counts where formulas find nothing exact, and the end
 * warns of that. Only where the launch does not have the counter. */
void ps_collect_estimate(PsCollector *collector, int counter, double value);

/* What was put in the launch that was begun, NaN for nothing; that it was put or estimated. */
double ps_collect_value(const PsCollector *collector, int counter);
gboolean ps_collect_has(const PsCollector *collector, int counter);

/* As put, but a second one adds to the first: counters that a launch has several of. */
void ps_collect_add(PsCollector *collector, int counter, double value);

/* The profiler says that it has no value here. */
void ps_collect_missing(PsCollector *collector, int counter, int line);

/* Hands on what is left, and warns of what is missing. No kernel at all is an error. */
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
    const char *passed_over; /* what of the file is a table that nothing was taken of */
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

/* All of them, in the order in which they are asked; NULL-terminated. See importers.c. */
extern const PsImporter *const ps_importers[];

/* JSON is known by its first character, not by a header. Everything else as read above. */
gboolean ps_import_json(PsImport *import, GError **error);

/* Takes the present line, which is split if it is not yet, for the header of what follows. */
gboolean ps_import_header(PsImport *import, GError **error);

/* Finds by what follows the header, which is split, how its numbers are written, and warns where it
 * is not the usual way. Of tables with semicolons ps_import_header has done so. FALSE and *error
 * where nothing tells. No row was read yet. */
gboolean ps_import_decimals(PsImport *import, GError **error);

/* The column that must be there; -1 and *error, which names the column and the header's line. */
int ps_import_column(const PsImport *import, const char *name, GError **error);

/* Whether the present line, not split, is blank or of the profiler's own, which is kept as talk. */
gboolean ps_import_is_talk(PsImport *import);

/* The next line that is neither blank, nor the profiler's talk ("==PROF==", "==1234=="), nor a
 * single word of the profiled program, split; its number of fields is not checked. */
PsCsvState ps_import_row(PsImport *import, GError **error);

/* Whether the row cannot be one, for tables whose rows begin with a quote or a digit: a line that
 * the profiled program printed between them. It is counted, and the end of the import warns of it.
 */
gboolean ps_import_is_prose(PsImport *import);

/* Checks that the row has as many fields as the header; else *error. */
gboolean ps_import_check_width(const PsImport *import, GError **error);

/* The text of a field; "" where the row has no such field. */
const char *ps_import_text(const PsImport *import, int column);

/* A number in a field. PS_NUMBER_BAD and *error for what is none; it names the column. */
PsNumberState ps_import_number(const PsImport *import, int column, PsNumber *number,
                               GError **error);

/* A number that must not be negative, in base units: behind it may stand a unit, else `unit_name`
 * is its unit (NULL or "": none given). */
PsNumberState ps_import_count(const PsImport *import, int column, PsUnit unit,
                              const char *unit_name, double *value, GError **error);

/* A whole number of at least `least`; -1 and *error for what is none. */
gint64 ps_import_integer(const PsImport *import, int column, gint64 least, GError **error);

/* Puts the field's value of a counter to the collector, as ps_import_count; "n/a" is a missing one.
 * A duration must be more than 0. */
gboolean ps_import_put(const PsImport *import, PsCollector *collector, int counter, int column,
                       const char *unit_name, GError **error);

/* Warnings of the profile begin with the file's name. */
void ps_import_warn(PsProfile *profile, const char *format, ...) G_GNUC_PRINTF(2, 3);

#endif
