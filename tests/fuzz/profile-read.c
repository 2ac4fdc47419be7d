/* SPDX-License-Identifier: BSD-3-Clause */
/* Profiles that are tables or JSON: see profile.h. */
#define _GNU_SOURCE /* memfd_create */
#include "tests/fuzz/profile.h"

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size);

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size)
{
    g_auto(FuzzFile) file = fuzz_file(data, size);
    fuzz_profile(file.path);
    return 0;
}
