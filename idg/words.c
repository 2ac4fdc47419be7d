/* SPDX-License-Identifier: BSD-3-Clause */
/* See words.h. */
#include "idg/words.h"

#include "base/class-name.h"

gboolean ps_idg_says_shared(const PsIdg *idg)
{
    static const char *const shared[] = {".cu", ".cuh", ".hip"};
    const char *file = idg->file;
    if (file && g_str_has_suffix(file, ".cl"))
        return FALSE;
    for (guint i = 0; file && i < G_N_ELEMENTS(shared); i++)
        if (g_str_has_suffix(file, shared[i]))
            return TRUE;
    return idg->of_ptx;
}

const char *ps_idg_local_memory(const PsIdg *idg)
{
    return ps_idg_says_shared(idg) ? "shared memory" : "local memory";
}

char *ps_idg_class_words(const PsIdg *idg, const char *class_name)
{
    g_autofree char *clean = ps_text_clean(class_name);
    return clean && ps_idg_says_shared(idg) ? ps_class_in_cuda(clean) : g_steal_pointer(&clean);
}

gboolean ps_idg_chooses_registers(const PsIdg *idg)
{
    gboolean chosen = !idg->launch.registers;
    for (guint i = 0; i < idg->sources->len; i++) {
        const char *text = ((const PsSource *)idg->sources->pdata[i])->text;
        chosen = chosen || (text && g_str_has_prefix(text, PS_IDG_REGISTERS_CHOSEN));
    }
    return idg->of_ptx && chosen;
}
