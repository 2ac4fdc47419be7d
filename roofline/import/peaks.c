/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Peaks that other benchmarks measured, in place of a description's:
 *
 *     rocprof-compute's roofline.csv    a row per device, a column per peak
 *     mixbench                          a row per experiment, four columns per type: the highest
 *     ERT                               see peaks-ert.c
 *     a description                     as pipesim's own benchmarks write it
 *
 * All figures are in 10^9 per second. A description states peaks at its base clock; the others were
 * measured at the clock that a GPU usually holds.
 */
#include "roofline/import/peaks.h"

#include "base/file.h"
#include "roofline/terms.h"

#include <math.h>
#include <string.h>

/* A column of rocprof-compute's file, and the peaks of a description that it gives. */
static const struct {
    const char *column, *peak;
} columns[] = {{"HBMBw", "B_mem"},
               {"L2Bw", "B_L2"},
               {"L1Bw", "B_L1"},
               {"LDSBw", "B_local"},
               {"FP16Flops", "T_HP"},
               {"FP32Flops", "T_SP"},
               {"FP64Flops", "T_DP"},
               {"MFMAF8Flops", "T_tensor.f8"},
               {"MFMAF16Flops", "T_tensor.f16"},
               {"MFMABF16Flops", "T_tensor.bf16"},
               {"MFMAF32Flops", "T_tensor.f32"},
               {"MFMAF64Flops", "T_tensor.f64"},
               {"MFMAI8Ops", "T_tensor.s8"}};

/* The texts before the four columns of a type in mixbench's first row. */
static const struct {
    const char *heading, *peak;
} types[] = {{"Single Precision ops", "T_SP"},
             {"Double precision ops", "T_DP"},
             {"Half precision ops", "T_HP"},
             {"Integer operations", "T_int"}};

/* Columns of a type, behind its intensity and its time. */
enum { GOPS = 2, GBPS = 3 };

/* A field's number; NaN where it is none. */
static double number_of(const PsImport *import, int column)
{
    PsNumber number;
    const char *why;
    const char *text = ps_import_text(import, column);
    return ps_number_parse(text, FALSE, &number, &why) == PS_NUMBER_OK ? number.value : NAN;
}

static gboolean bad_peak(const PsImport *import, int column, GError **error)
{
    ps_csv_error(import->csv, (guint)column, PS_ERROR_VALUE, error,
                 "'%.40s' is no peak: it must be a number above 0", ps_import_text(import, column));
    return FALSE;
}

/* Reads the first device; the others are of the same kind. FALSE where there is none. */
static gboolean read_rocprof(PsImport *import, PsGpu *gpu, GError **error)
{
    guint n = 0;
    const PsCsvState state = ps_import_row(import, error);
    if (state != PS_CSV_ROW || !ps_import_check_width(import, error))
        return FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(columns); i++) {
        const int column = ps_header_find(&import->header, columns[i].column);
        if (column < 0)
            continue;
        const double value = number_of(import, column);
        if (!ps_peak_is_one(value))
            return bad_peak(import, column, error);
        ps_peak_set(gpu, columns[i].peak, value, ps_gpu_usual_clock(gpu));
        n++;
    }
    return n > 0;
}

/* Takes the rates of one type in a row; FALSE and *error where a field is no rate. */
static gboolean take_rates(const PsImport *import, int first, double *rate, double *bytes,
                           GError **error)
{
    static const int wanted[] = {GOPS, GBPS};
    double *highest[] = {rate, bytes};
    for (guint i = 0; i < G_N_ELEMENTS(wanted); i++) {
        const double value = number_of(import, first + wanted[i]);
        if (!ps_peak_is_one(value))
            return bad_peak(import, first + wanted[i], error);
        *highest[i] = fmax(*highest[i], value);
    }
    return TRUE;
}

/* Reads the highest rates of all rows. Rows that begin with text, such as the second of the header,
 * are passed over. */
static gboolean read_mixbench(PsImport *import, PsGpu *gpu, GError **error)
{
    double highest[G_N_ELEMENTS(types)] = {0}, bandwidth = 0;
    PsCsvState state;
    while ((state = ps_import_row(import, error)) == PS_CSV_ROW)
        for (guint i = 0; i < G_N_ELEMENTS(types); i++) {
            const int first = ps_header_find(&import->header, types[i].heading);
            if (first >= 0 && !isnan(number_of(import, 0)) &&
                !take_rates(import, first, &highest[i], &bandwidth, error))
                return FALSE;
        }
    guint n = 0;
    for (guint i = 0; i < G_N_ELEMENTS(types) && state == PS_CSV_END; i++)
        if (highest[i] > 0) {
            ps_peak_set(gpu, types[i].peak, highest[i], ps_gpu_usual_clock(gpu));
            n++;
        }
    if (n > 0)
        ps_peak_set(gpu, "B_mem", bandwidth, ps_gpu_usual_clock(gpu));
    return n > 0;
}

/* Copies a description's peaks, except those of data sheets, with those of matrix products by
 * type. */
static gboolean copy_peaks(const PsGpu *from, PsGpu *gpu, GError **error)
{
    PsPeaks peaks;
    guint n = 0;
    ps_peaks_resolve(from, from->clock, &peaks);
    for (PsPeakKind kind = 0; kind < PS_N_PEAKS; kind++)
        if (peaks.origin[kind] == PS_PEAK_STATED || peaks.origin[kind] == PS_PEAK_DERIVED) {
            ps_peak_set(gpu, ps_peak_kind_name(kind), peaks.value[kind] / 1e9, from->clock);
            n++;
        }
    for (guint i = 0; i < from->peaks->len; i++) {
        const PsPeak *peak = from->peaks->pdata[i];
        if (peak->value.num && g_str_has_prefix(peak->name, "T_tensor.")) {
            ps_peak_set(gpu, peak->name, ps_rational_to_double(peak->value), from->clock);
            n++;
        }
    }
    if (n == 0)
        ps_error_at(error, PS_ERROR_VALUE, (PsPlace){from->path, 0},
                    "this description has no peaks but those of data sheets; measure some with "
                    "pipesim bench");
    return n > 0;
}

static gboolean read_description(PsCsv *csv, PsGpu *gpu, GError **error)
{
    gsize length;
    g_autofree char *text = ps_csv_rest(csv, PS_FILE_MAX_BYTES, &length, error);
    g_autoptr(PsGpu) from = text ? ps_gpu_parse(text, length, csv->name, error) : NULL;
    return from && copy_peaks(from, gpu, error);
}

/* Explains the file where it has samples of pipesim's own benchmarks, from which no description is
 * made yet. */
static gboolean explain_samples(const PsImport *import, GError **error)
{
    ps_error_at(error, PS_ERROR_VALUE, (PsPlace){import->csv->name, import->csv->line},
                "these are samples of pipesim bench; make a description of them with it, and "
                "give that");
    return FALSE;
}

static gboolean read_table(PsImport *import, PsGpu *gpu, GError **error)
{
    while (ps_csv_line(import->csv, error) == PS_CSV_ROW) {
        if (ps_peaks_is_ert(import->csv->text))
            return ps_peaks_ert_text(import->csv, gpu, error);
        if (!ps_import_header(import, error))
            return FALSE;
        if (strcmp(import->header.names[0], "record") == 0)
            return explain_samples(import, error);
        if (ps_header_find(&import->header, columns[0].column) >= 0)
            return read_rocprof(import, gpu, error);
        if (ps_header_find(&import->header, types[0].heading) >= 0)
            return read_mixbench(import, gpu, error);
    }
    return FALSE;
}

static gboolean read_peaks(PsImport *import, PsGpu *gpu, GError **error)
{
    const char *ahead = ps_csv_ahead(import->csv, error);
    while (ahead && g_ascii_isspace(*ahead))
        ahead++;
    return !ahead          ? FALSE
           : *ahead == '{' ? ps_peaks_ert_json(import->csv, gpu, error)
           : *ahead == '<' ? read_description(import->csv, gpu, error)
                           : read_table(import, gpu, error);
}

gboolean ps_peaks_load(PsGpu *gpu, const char *path, GError **error)
{
    static const PsProfileOptions none = {.apart = FALSE};
    g_autoptr(GError) why = NULL;
    g_autoptr(PsCsv) csv = ps_csv_open(path, error);
    if (!csv)
        return FALSE;
    PsImport import = {.csv = csv, .options = &none};
    const gboolean ok = read_peaks(&import, gpu, &why);
    g_strfreev(import.header.names);
    g_free(import.talk);
    g_free(import.complaint);
    if (ok)
        return TRUE;
    if (why)
        g_propagate_error(error, g_steal_pointer(&why));
    else
        ps_error_at(error, PS_ERROR_SYNTAX, (PsPlace){path, 0},
                    "there are no peaks here; they may be rocprof-compute's roofline.csv, what "
                    "mixbench prints, ERT's roofline.json or a description that pipesim bench "
                    "wrote");
    return FALSE;
}
