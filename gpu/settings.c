/* SPDX-License-Identifier: BSD-3-Clause */
/* See settings.h. */
#include "gpu/settings.h"
#include "gpu/internal.h"
#include "gpu/rows.h"

#include <string.h>

static void add(GArray *settings, const PsGpu *gpu, const char *element, const PsField *field)
{
    const gboolean whole = field->type == &ps_field_whole;
    PsGpuSetting setting = {field->label, field->unit, PS_RATIONAL_INT(0), whole,
                            ps_gpu_setting_source(gpu, element, field->name)};
    if (whole)
        setting.value = PS_RATIONAL_INT(G_STRUCT_MEMBER(gint64, gpu, field->offset));
    else
        setting.value = G_STRUCT_MEMBER(PsRational, gpu, field->offset);
    if (field->always || ps_rational_cmp(setting.value, PS_RATIONAL_INT(field->absent)) != 0)
        g_array_append_val(settings, setting);
}

GArray *ps_gpu_settings(const PsGpu *gpu, const char *element)
{
    GArray *settings = g_array_new(FALSE, FALSE, sizeof(PsGpuSetting));
    for (guint i = 0; ps_gpu_fields[i]; i++) {
        const PsFields *fields = ps_gpu_fields[i];
        for (guint j = 0; strcmp(fields->element, element) == 0 && j < fields->n; j++)
            if (fields->fields[j].label)
                add(settings, gpu, element, &fields->fields[j]);
    }
    return settings;
}
