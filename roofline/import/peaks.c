/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Peaks that other benchmarks measured, in place of a description's:
 *
 *     rocprof-compute's roofline.csv    a row per device, a column per peak
 *     mixbench                          a row per experiment, four columns per type: the highest
 *
 * Both in 10^9 per second. A description states peaks at its base clock, and these were measured at
 * the clock that a GPU usually holds.
 */
#include "roofline/import/import.h"

#include <math.h>
#include <string.h>

/* A column of rocprof-compute's, and the peaks of a description that it is. */
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

/* What precedes the four columns of a type in mixbench's first row. */
static const struct {
    const char *heading, *peak;
} types[] = {{"Single Precision ops", "T_SP"},
             {"Double precision ops", "T_DP"},
             {"Half precision ops", "T_HP"},
             {"Integer operations", "T_int"}};

/* Above it, no peak is one: 10^21 per second. */
#define MOST 1e12

/* Of a type: its intensity, its time, and these. */
enum { GOPS = 2, GBPS = 3 };

static void set_peak(PsGpu *gpu, const char *name, double value)
{
    const double usual = ps_rational_to_double(ps_gpu_usual_clock(gpu));
    const double scale = name[0] == 'T' ? ps_rational_to_double(gpu->clock) / usual
                                        : 1; /* bandwidths do not follow */
    PsRational exact;
    if (!ps_rational_make((gint64)rint(1e3 * value * scale), 1000, &exact))
        return;
    PsPeak *peak = (PsPeak *)ps_gpu_peak(gpu, name);
    if (!peak) {
        peak = g_new0(PsPeak, 1);
        peak->name = g_strdup(name);
        peak->datasheet = PS_RATIONAL_INT(0);
        g_ptr_array_add(gpu->peaks, peak);
    }
    peak->value = exact;
}

/* A field's number; NaN where it is none. */
static double number_of(const PsImport *import, int column)
{
    PsNumber number;
    const char *why;
    const char *text = ps_import_text(import, column);
    return ps_number_parse(text, FALSE, &number, &why) == PS_NUMBER_OK ? number.value : NAN;
}

static guint bad_peak(const PsImport *import, int column, GError **error)
{
    ps_csv_error(import->csv, (guint)column, PS_ERROR_VALUE, error,
                 "'%.40s' is no peak: it must be a number above 0", ps_import_text(import, column));
    return 0;
}

/* The first device's; the others are of its kind. Returns how many there are. */
static guint read_rocprof(PsImport *import, PsGpu *gpu, GError **error)
{
    guint n = 0;
    const PsCsvState state = ps_import_row(import, error);
    if (state != PS_CSV_ROW || !ps_import_check_width(import, error))
        return 0;
    for (guint i = 0; i < G_N_ELEMENTS(columns); i++) {
        const int column = ps_header_find(&import->header, columns[i].column);
        if (column < 0)
            continue;
        const double value = number_of(import, column);
        if (!(value > 0 && value < MOST))
            return bad_peak(import, column, error);
        set_peak(gpu, columns[i].peak, value);
        n++;
    }
    return n;
}

/* The highest of all rows; rows of other texts, such as the second of the header, are none. */
static guint read_mixbench(PsImport *import, PsGpu *gpu, GError **error)
{
    double highest[G_N_ELEMENTS(types)] = {0}, bandwidth = 0;
    PsCsvState state;
    while ((state = ps_import_row(import, error)) == PS_CSV_ROW)
        for (guint i = 0; i < G_N_ELEMENTS(types); i++) {
            const int first = ps_header_find(&import->header, types[i].heading);
            const double rate = number_of(import, first + GOPS),
                         bytes = number_of(import, first + GBPS);
            if (first < 0 || !(rate < MOST && bytes < MOST))
                continue;
            highest[i] = fmax(highest[i], rate);
            bandwidth = fmax(bandwidth, bytes);
        }
    guint n = 0;
    for (guint i = 0; i < G_N_ELEMENTS(types) && state == PS_CSV_END; i++)
        if (highest[i] > 0) {
            set_peak(gpu, types[i].peak, highest[i]);
            n++;
        }
    if (n > 0)
        set_peak(gpu, "B_mem", bandwidth);
    return n;
}

static guint read_peaks(PsImport *import, PsGpu *gpu, GError **error)
{
    PsCsvState state;
    while ((state = ps_import_row(import, error)) == PS_CSV_ROW) {
        if (!ps_import_header(import, error))
            return 0;
        if (ps_header_find(&import->header, columns[0].column) >= 0)
            return read_rocprof(import, gpu, error);
        if (ps_header_find(&import->header, types[0].heading) >= 0)
            return read_mixbench(import, gpu, error);
    }
    return 0;
}

gboolean ps_peaks_load(PsGpu *gpu, const char *path, GError **error)
{
    static const PsProfileOptions none = {.apart = FALSE};
    g_autoptr(GError) why = NULL;
    g_autoptr(PsCsv) csv = ps_csv_open(path, error);
    if (!csv)
        return FALSE;
    PsImport import = {.csv = csv, .options = &none};
    const guint n = read_peaks(&import, gpu, &why);
    g_strfreev(import.header.names);
    g_free(import.talk);
    g_free(import.complaint);
    if (n > 0)
        return TRUE;
    if (why)
        g_propagate_error(error, g_steal_pointer(&why));
    else
        ps_error_at(error, PS_ERROR_SYNTAX, (PsPlace){path, 0},
                    "there are no peaks here; they may be rocprof-compute's roofline.csv or what "
                    "mixbench prints");
    return FALSE;
}
