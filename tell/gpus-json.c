/* SPDX-License-Identifier: BSD-3-Clause */
/* See gpus-json.h and gpus-listed.h. */
#include "tell/gpus-json.h"

#include "base/file.h"
#include "base/root.h"
#include "gpu/folders.h"
#include "gpu/rows.h"
#include "tell/gpus-facts.h"
#include "tell/gpus-listed.h"
#include "tell/json.h"

#include <string.h>

/* Files other than descriptions may end in .xml. */
static PsGpu *load(const char *path, const char *const *families, GError **error)
{
    gsize length = 0;
    g_autofree char *text = ps_file_read(path, PS_FILE_MAX_BYTES, &length, error);
    g_autofree char *root = text ? ps_root_element(text, length) : NULL;
    return !text || (root && strcmp(root, "gpu") != 0)
               ? NULL
               : ps_gpu_parse_with(text, length, path, families, error);
}

GPtrArray *ps_gpus_listed(const char *const *folders, GPtrArray *warnings)
{
    g_autoptr(GPtrArray) paths = ps_gpu_files(folders), families = ps_gpu_families(folders);
    GPtrArray *gpus = g_ptr_array_new_with_free_func((GDestroyNotify)(void (*)(void))ps_gpu_free);
    for (guint i = 0; i < paths->len; i++) {
        g_autoptr(GError) why = NULL;
        PsGpu *gpu = load(paths->pdata[i], (const char *const *)families->pdata, &why);
        if (gpu)
            g_ptr_array_add(gpus, gpu);
        else if (why)
            g_ptr_array_add(warnings, g_strdup_printf("left out: %s", why->message));
    }
    return gpus;
}

char *ps_gpus_listed_json(const GPtrArray *gpus, const GPtrArray *warnings)
{
    g_autoptr(PsTold) facts = ps_told_new();
    ps_tell(facts, PS_FACT_LIST_PIPESIM, PIPESIM_VERSION);
    ps_tell_gpus(gpus, facts);
    ps_tell_open(facts, PS_FACT_LIST_WARNINGS);
    for (guint i = 0; i < warnings->len; i++)
        ps_tell_item_text(facts, warnings->pdata[i]);
    ps_tell_close(facts);
    GString *out = g_string_new(NULL);
    ps_json_told_document(out, facts);
    return g_string_free(out, FALSE);
}

char *ps_gpus_json(const char *const *folders)
{
    g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) gpus = ps_gpus_listed(folders, warnings);
    return ps_gpus_listed_json(gpus, warnings);
}
