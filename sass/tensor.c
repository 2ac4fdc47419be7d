/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies by tensor maps. The first place is a row of uniform registers: the address in shared
 * memory, for loads then that of the mbarrier, and the coordinates; the second is the address of
 * the map. One lane executes them, whichever have come.
 */
#include "sass/tell.h"

#include <string.h>

static void reads(PsSassTeller *teller, guint reg, gboolean address)
{
    ps_sass_reads(teller, PS_SASS_FIRST_UNIFORM + reg, address);
}

/* "{%u6,%u7}": the coordinates (g_free). */
static char *coordinates(PsSassTeller *teller, guint first, guint n)
{
    GString *text = g_string_new("{");
    for (guint i = 0; i < n; i++) {
        reads(teller, first + i, FALSE);
        g_string_append_printf(text, "%s%%u%u", i > 0 ? "," : "", first + i);
    }
    g_string_append(text, "}");
    return g_string_free(text, FALSE);
}

/* Makes %h0 the groups of the cluster that a copy goes to, from the upper half of a register. */
static void say_groups(PsSassTeller *teller, guint reg)
{
    reads(teller, reg, FALSE);
    ps_sass_say(teller, FALSE, "shr.u32 %%t1,%%u%u,16", reg);
    ps_sass_say(teller, FALSE, "cvt.u16.u32 %%h0,%%t1");
}

/* The offsets of im2col lie in the lower half of a register: one of 16 bits, two of 8 or three
 * of 5. Returns "{%h1,...}" (g_free). */
static char *say_offsets(PsSassTeller *teller, guint reg, guint n)
{
    const guint bits = n == 1 ? 16 : n == 2 ? 8 : 5;
    GString *text = g_string_new("{");
    reads(teller, reg, FALSE);
    for (guint i = 0; i < n; i++) {
        ps_sass_say(teller, FALSE, "bfe.u32 %%t1,%%u%u,%u,%u", reg, i * bits, bits);
        ps_sass_say(teller, FALSE, "cvt.u16.u32 %%h%u,%%t1", i + 1);
        g_string_append_printf(text, "%s%%h%u", i > 0 ? "," : "", i + 1);
    }
    g_string_append(text, "}");
    return g_string_free(text, FALSE);
}

/* What a reduction does. */
static const char *change_of(const PsSassTeller *teller)
{
    static const char *const changes[] = {"add", "min", "max", "inc", "dec", "and", "or", "xor"};
    for (gsize i = 0; i < G_N_ELEMENTS(changes); i++)
        for (guint k = 2; teller->parts[k - 1] && teller->parts[k]; k++)
            if (g_ascii_strcasecmp(changes[i], teller->parts[k]) == 0)
                return changes[i];
    return "add";
}

/* A load to shared memory: its barrier stands behind the address. */
static void say_load(PsSassTeller *teller, const GArray *operands, guint rank, const char *where)
{
    const guint to = (guint)g_array_index(operands, PsSassOperand, 0).uniform;
    const guint counted = (guint)g_array_index(operands, PsSassOperand, 2).reg;
    const gboolean several = ps_sass_has(teller, "MULTICAST");
    const gboolean im2col = ps_sass_has(teller, "IM2COL");
    if (several)
        say_groups(teller, counted);
    g_autofree char *offsets = im2col ? say_offsets(teller, counted, rank - 2) : g_strdup("");
    ps_sass_say(teller, TRUE,
                "@%%s0 cp.async.bulk.tensor.%ud.shared::cluster.global.%s%s"
                ".mbarrier::complete_tx::bytes%s%s [%%u%u],[%%w0,%s],[%%u%u]%s%s%s",
                rank, im2col ? "im2col" : "tile", ps_sass_has(teller, "GATHER4") ? "::gather4" : "",
                several ? ".multicast::cluster" : "",
                ps_sass_has(teller, "2CTA") ? ".cta_group::2" : "", to, where, to + 1,
                im2col ? "," : "", offsets, several ? ",%h0" : "");
}

/* A store, or a reduction, from shared memory. */
static void say_store(PsSassTeller *teller, guint from, guint rank, const char *where)
{
    const gboolean reduces = strcmp(teller->parts[0], "UTMAREDG") == 0;
    ps_sass_say(teller, TRUE,
                "@%%s0 cp.%sasync.bulk.tensor.%ud.global.shared::cta%s%s.%s%s.bulk_group "
                "[%%w0,%s],[%%u%u]",
                reduces ? "reduce." : "", rank, reduces ? "." : "",
                reduces ? change_of(teller) : "",
                ps_sass_has(teller, "IM2COL") ? "im2col_no_offs" : "tile",
                ps_sass_has(teller, "SCATTER4") ? "::scatter4" : "", where, from);
}

void ps_sass_say_tensor(PsSassTeller *teller, const GArray *operands)
{
    const guint shared = (guint)g_array_index(operands, PsSassOperand, 0).uniform;
    const guint map = (guint)g_array_index(operands, PsSassOperand, 1).uniform;
    const guint rank = (guint)(teller->parts[1][0] - '0');
    const gboolean load = strcmp(teller->parts[0], "UTMALDG") == 0;
    const gboolean single = /* four rows by their numbers */
        ps_sass_has(teller, "GATHER4") || ps_sass_has(teller, "SCATTER4");
    g_autofree char *where = coordinates(teller, shared + 1 + (guint)load, single ? 5 : rank);
    for (guint i = 0; i < 2; i++) {
        reads(teller, map + i, TRUE);
        if (i == 0 || load)
            reads(teller, shared + i, TRUE);
    }
    ps_sass_say(teller, FALSE, "mov.b64 %%w0,{%%u%u,%%u%u}", map, map + 1);
    ps_sass_say(teller, FALSE, "activemask.b32 %%t0");
    ps_sass_say(teller, FALSE, "elect.sync %%t0|%%s0,%%t0");
    if (load)
        say_load(teller, operands, rank, where);
    else
        say_store(teller, shared, rank, where);
}
