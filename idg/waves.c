/* SPDX-License-Identifier: BSD-3-Clause */
/* See waves.h. */
#include "idg/waves.h"

#include "idg/edit.h"
#include "idg/internal.h"
#include "idg/waves-join.h"

/* The graph of waves while it is made. */
typedef struct {
    const PsKernel *kernel; /* the kernel, with a program per warp */
    PsIdg *idg;
    gint64 group_size, wave;
    GHashTable *known; /* "program:threads program:threads" -> number + 1 of the code of a wave */
    gboolean guessed;
} Waves;

/* The program of one warp of a wave, run by so many threads. */
typedef struct {
    guint program;
    gint64 threads;
} Warp;

static const PsIdgCode *code_of(const Waves *waves, guint program)
{
    return waves->kernel->idg->codes->pdata[program];
}

/* The warps of a wave that have a program. */
static GArray *warps_of(const Waves *waves, guint kind, gint64 wave)
{
    GArray *warps = g_array_new(FALSE, FALSE, sizeof(Warp));
    const gint64 end = MIN((wave + 1) * waves->wave, waves->group_size);
    for (gint64 at = wave * waves->wave; at < end; at += PS_IDG_WARP) {
        const int program = ps_kernel_program_of(waves->kernel, kind, at / PS_IDG_WARP);
        const Warp warp = {(guint)program, MIN(PS_IDG_WARP, end - at)};
        if (program >= 0)
            g_array_append_val(warps, warp);
    }
    return warps;
}

static guint longest_of(const Waves *waves, const GArray *warps)
{
    const PsProgram *programs = waves->kernel->programs;
    guint longest = g_array_index(warps, Warp, 0).program;
    for (guint i = 1; i < warps->len; i++) {
        const guint program = g_array_index(warps, Warp, i).program;
        if (programs[program].length > programs[longest].length)
            longest = program;
    }
    return longest;
}

/* Joins the code of the first warp with that of each further one. FALSE if they do not join. */
static gboolean join_codes(Waves *waves, const GArray *warps, PsIdgCode *code)
{
    g_autoptr(GPtrArray) made = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
    const Warp *first = &g_array_index(warps, Warp, 0);
    PsHalf halves[2] = {{code_of(waves, first->program)->body, 1, first->threads}};
    for (guint i = 1; i < warps->len; i++) {
        const Warp *warp = &g_array_index(warps, Warp, i);
        GPtrArray *body = g_ptr_array_new_with_free_func(ps_idg_free_item);
        g_ptr_array_add(made, body);
        halves[1] = (PsHalf){code_of(waves, warp->program)->body, 1, warp->threads};
        if (!ps_waves_join(halves, waves->kernel->scope, body))
            return FALSE;
        halves[0] = (PsHalf){body, i + 1, halves[0].threads + warp->threads};
    }
    GPtrArray *last = made->pdata[made->len - 1];
    while (last->len)
        g_ptr_array_add(code->body, g_ptr_array_steal_index(last, 0));
    return TRUE;
}

/* A code for warps that differ; the longest warp's code if they do not join. */
static guint joined_code(Waves *waves, guint kind, const GArray *warps)
{
    const guint added = waves->idg->codes->len;
    PsIdgCode *code = ps_idg_add_code(waves->idg);
    code->kind = kind;
    code->line = code_of(waves, g_array_index(warps, Warp, 0).program)->line;
    code->warps = ps_idg_new_warps();
    if (join_codes(waves, warps, code))
        return added;
    g_ptr_array_remove_index(waves->idg->codes, added);
    waves->guessed = TRUE;
    return longest_of(waves, warps);
}

static guint code_of_wave(Waves *waves, guint kind, const GArray *warps)
{
    GString *key = g_string_new(NULL);
    gboolean differ = FALSE;
    for (guint i = 0; i < warps->len; i++) {
        const Warp *warp = &g_array_index(warps, Warp, i);
        differ |= warp->program != g_array_index(warps, Warp, 0).program;
        g_string_append_printf(key, "%u:%" G_GINT64_FORMAT " ", warp->program, warp->threads);
    }
    g_autofree char *text = g_string_free(key, FALSE);
    if (!differ)
        return g_array_index(warps, Warp, 0).program;
    guint code = GPOINTER_TO_UINT(g_hash_table_lookup(waves->known, text));
    if (!code) {
        code = 1 + joined_code(waves, kind, warps);
        g_hash_table_insert(waves->known, g_steal_pointer(&text), GUINT_TO_POINTER(code));
    }
    return code - 1;
}

/* States that waves first..last run a code; the code that takes the rest needs no statement. */
static void claim(const Waves *waves, guint code, gint64 first, gint64 last)
{
    PsIdgCode *of = waves->idg->codes->pdata[code];
    if (of->warps)
        ps_idg_add_warps(of, ps_idg_number(first), ps_idg_number(last));
}

static void claim_kind(Waves *waves, guint kind)
{
    const gint64 n = (waves->group_size - 1) / waves->wave + 1;
    gint64 first = 0;
    int before = -1;
    for (gint64 wave = 0; wave < n; wave++) {
        g_autoptr(GArray) warps = warps_of(waves, kind, wave);
        const int code = warps->len ? (int)code_of_wave(waves, kind, warps) : -1;
        if (code == before)
            continue;
        if (before >= 0)
            claim(waves, (guint)before, first, wave - 1);
        first = wave;
        before = code;
    }
    if (before >= 0)
        claim(waves, (guint)before, first, n - 1);
}

/* A new graph, of waves in place of warps. */
static PsIdg *of_waves_new(const PsKernel *kernel, gint64 group_size, gint64 wave,
                           gboolean *guessed)
{
    g_autoptr(GHashTable) known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    Waves waves = {kernel, ps_idg_copy(kernel->idg), group_size, wave, known, FALSE};
    for (guint i = 0; i < waves.idg->codes->len; i++) {
        PsIdgCode *code = waves.idg->codes->pdata[i];
        if (code->warps)
            g_ptr_array_set_size(code->warps, 0);
    }
    for (guint kind = 0; kind < kernel->n_kinds; kind++)
        claim_kind(&waves, kind);
    ps_idg_sort_codes(waves.idg);
    waves.idg->wave = (guint)wave;
    *guessed = waves.guessed;
    return waves.idg;
}

/* TRUE if warps of a group may run different codes. */
static gboolean has_ranges(const PsKernel *kernel)
{
    for (guint k = 0; k < kernel->n_kinds; k++)
        if (kernel->kinds[k].n_warps != 1 || kernel->kinds[k].warps[0].last != G_MAXINT64)
            return TRUE;
    return FALSE;
}

PsKernel *ps_kernel_of_waves(const PsWavesOf *of, PsIdg **of_waves, GPtrArray *warnings,
                             GError **error)
{
    PsKernel *kernel = ps_kernel_new(of->idg, of->params, error);
    const gint64 wave = of->wave;
    gboolean guessed = FALSE;
    *of_waves = NULL;
    if (!kernel || !of->idg->of_ptx || wave < 2 * PS_IDG_WARP || of->idg->wave == wave ||
        !has_ranges(kernel))
        return kernel;
    *of_waves =
        of_waves_new(kernel, of->group_size ? of->group_size : kernel->group_size, wave, &guessed);
    ps_kernel_free(kernel);
    if (guessed && warnings)
        g_ptr_array_add(
            warnings,
            g_strdup_printf("the kernel is PTX, and not all warps of 32 threads do the same within "
                            "a wave of %" G_GINT64_FORMAT ", nor does what they do join: such a "
                            "wave does here what the one does that does most, for all of its "
                            "threads, so its operations, its bytes and the time may be far off",
                            wave));
    return ps_kernel_new(*of_waves, of->params, error);
}
