/* SPDX-License-Identifier: BSD-3-Clause */
/* Classes of groups, divided by one number after another (samples-decide.h). */
#include "lift/samples-decide.h"

gboolean ps_decide_put(PsParting *parting, const guint8 *old, guint64 place, guint64 number)
{
    guint class = parting->last;
    if (class >= parting->n || parting->old[class] != old[place] ||
        parting->numbers[class] != number)
        for (class = 0; class < parting->n; class ++)
            if (parting->old[class] == old[place] && parting->numbers[class] == number)
                break;
    if (class == parting->most)
        return FALSE;
    if (class == parting->n) {
        parting->old[class] = old[place];
        parting->numbers[class] = number;
        parting->n++;
    }
    parting->last = class;
    parting->of[place] = (guint8) class;
    return TRUE;
}

gboolean ps_decide_take(PsDecide *decide, PsParting *parting, gboolean good)
{
    if (good) {
        g_free(decide->of);
        decide->of = g_steal_pointer(&parting->of);
        decide->n = parting->n;
    }
    g_free(parting->of);
    return good;
}

gboolean ps_decide_part(PsDecide *decide, const guint8 *parts)
{
    PsParting parting = {.most = PS_DECIDE_PARTED, .of = g_new(guint8, decide->all)};
    gboolean good = TRUE;
    for (guint64 i = 0; good && i < decide->all; i++)
        good = ps_decide_put(&parting, decide->of, i, parts[i]);
    return ps_decide_take(decide, &parting, good);
}

gboolean ps_decide_has_time(PsDecide *decide, guint64 numbers, guint64 times)
{
    decide->length = ps_ptx_slice_length(decide->slice, numbers) + 1;
    return decide->spent + times * decide->length <= decide->budget;
}

gboolean ps_decide_spend(PsDecide *decide)
{
    decide->spent += decide->length;
    return decide->spent <= decide->budget;
}
