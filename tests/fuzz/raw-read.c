/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Any file is a campaign's raw CSV, or has one clear error that names it. What it describes is a
 * description that can be read, and what was measured of whole kernels has its parameters.
 */
#define _GNU_SOURCE /* memfd_create */
#include "tests/fuzz/file.h"

#include "latency-bench/validate.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size);

static void describe(const PsRaw *raw)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsBenchResult) result = ps_bench_describe(raw, &error);
    g_assert_true((result == NULL) == (error != NULL));
    if (!result)
        return;
    g_autofree char *text = ps_gpu_write(result->gpu);
    g_autoptr(PsGpu) again = ps_gpu_parse(text, strlen(text), "again.xml", &error);
    g_assert_no_error(error);
    g_assert_nonnull(again);
}

static void read_raw(const char *path)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsRaw) raw = ps_raw_load(path, &error);
    fuzz_check(raw != NULL, error);
    if (raw)
        describe(raw);
}

static void read_validation(const char *path)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsValidation) validation = ps_validation_load(path, &error);
    fuzz_check(validation != NULL, error);
    for (guint i = 0; validation && i < validation->points->len; i++)
        ps_scope_free(
            ps_validation_params(&g_array_index(validation->points, PsValidationPoint, i)));
}

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size)
{
    g_auto(FuzzFile) file = fuzz_file(data, size);
    read_raw(file.path);
    read_validation(file.path);
    return 0;
}
