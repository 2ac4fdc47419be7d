/* SPDX-License-Identifier: BSD-3-Clause */
/* The source line of the cause. See gate.h. */
#include "gate/gate.h"

#include "sass/lines.h"

/* A source line, and its number of accesses to local memory. */
typedef struct {
    guint file;
    int line;
    guint n;
} Spot;

static Spot *spot_at(GArray *spots, const PsSassPlace *place)
{
    for (guint i = 0; i < spots->len; i++) {
        Spot *spot = &g_array_index(spots, Spot, i);
        if (spot->file == place->file && spot->line == place->line)
            return spot;
    }
    const Spot spot = {place->file, place->line, 0};
    g_array_append_val(spots, spot);
    return &g_array_index(spots, Spot, spots->len - 1);
}

/* The line with most accesses; of several, the first. */
static Spot most_local(const PsGateKernel *kernel, const PsSassLines *lines)
{
    g_autoptr(GArray) spots = g_array_new(FALSE, FALSE, sizeof(Spot));
    Spot most = {0, 0, 0};
    for (guint i = 0; i < lines->n; i++)
        if (lines->places[i].line &&
            ps_sass_mix_at(kernel->image, kernel->kernel, i) == PS_SASS_MIX_LOCAL) {
            Spot *spot = spot_at(spots, &lines->places[i]);
            if (++spot->n > most.n)
                most = *spot;
        }
    return most;
}

static Spot first_line(const PsSassLines *lines)
{
    for (guint i = 0; i < lines->n; i++)
        if (lines->places[i].line)
            return (Spot){lines->places[i].file, lines->places[i].line, 0};
    return (Spot){0, 0, 0};
}

int ps_gate_line(const PsGateKernel *kernel, PsGateFigure figure, char **file, guint *n)
{
    g_autoptr(PsSassLines) lines = ps_sass_lines_new(kernel->image, kernel->kernel);
    Spot spot = {0, 0, 0};
    if (figure == PS_GATE_STACK || figure == PS_GATE_LOCAL)
        spot = most_local(kernel, lines);
    if (!spot.line)
        spot = first_line(lines);
    *n = spot.n;
    *file = spot.file ? g_strdup(lines->files->pdata[spot.file - 1]) : NULL;
    return spot.line;
}
