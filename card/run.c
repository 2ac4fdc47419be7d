/* SPDX-License-Identifier: BSD-3-Clause */
/* A launch for the executor: its arguments, all of memory, all groups. See launch.h. */
#include "card/launch.h"
#include "card/signature.h"
#include "ptx/run/together.h"

#include <string.h>

/* ---- arguments ------------------------------------------------------------------------------ */

static gboolean refuse(const PsCardLaunch *launch, const char *why, GError **error)
{
    g_autofree char *name = ps_card_kernel_name(launch->function->name);
    g_set_error(error, PS_ERROR, PS_ERROR_USAGE, "kernel \"%s\": %s", name, why);
    return FALSE;
}

/* The value of parameter i; NULL: the launch has none. */
static const guint8 *value_at(const PsCardLaunch *launch, guint i)
{
    const PsCardParam *param = &g_array_index(launch->function->params, PsCardParam, i);
    if (launch->params)
        return launch->params[i];
    return launch->packed && param->offset + param->size <= launch->packed_size
               ? (const guint8 *)launch->packed + param->offset
               : NULL;
}

gboolean ps_card_run_arguments(PsCardRun *run, GError **error)
{
    const PsCardLaunch *launch = run->launch;
    const GArray *params = launch->function->params;
    run->arguments = g_new0(PsPtxArgument, (gsize)params->len + 1);
    for (guint i = 0; i < params->len; i++) {
        const PsCardParam *param = &g_array_index(params, PsCardParam, i);
        const guint8 *value = value_at(launch, i);
        PsPtxArgument *argument = &run->arguments[i];
        if (!value)
            return refuse(launch, "the launch has fewer arguments than it takes", error);
        argument->size = param->size;
        if (param->size > sizeof argument->bits)
            argument->bytes = value;
        else
            memcpy(&argument->bits, value, param->size);
        argument->address =
            param->size == sizeof(gpointer) &&
            ps_card_memory_find(run->card->memory, (gpointer)(gsize)argument->bits) != NULL;
    }
    return TRUE;
}

/* ---- memory --------------------------------------------------------------------------------- */

static const PsPtxVariable *find_variable(const PsPtxModule *code, const char *name)
{
    for (guint i = 0; i < code->variables->len; i++)
        if (strcmp(((const PsPtxVariable *)code->variables->pdata[i])->name, name) == 0)
            return code->variables->pdata[i];
    return NULL;
}

/* The executor copies constant memory when a launch begins, so all of it must be filled in. */
static void fill(const PsPtxPlaced *placed)
{
    const PsPtxBlocks *blocks = placed->blocks;
    for (gsize i = 0; blocks && i < blocks->n; i++)
        if (!blocks->made[i])
            blocks->make(blocks->data, i, NULL);
}

/* All memory of the device; pieces of the module's variables carry the variables that the code
 * knows. */
GArray *ps_card_place(const PsCardRun *run, const PsPtxModule *code, const PsSassCode *machine,
                      gboolean live)
{
    const GPtrArray *pieces = ps_card_memory_pieces(run->card->memory);
    const PsCardFunction *function = run->launch->function;
    GArray *all =
        machine ? ps_card_banks(function, machine) : g_array_new(FALSE, FALSE, sizeof(PsPtxPlaced));
    for (guint i = 0; i < pieces->len; i++) {
        const PsCardPiece *piece = pieces->pdata[i];
        PsPtxPlaced placed = live ? ps_card_snapshot_live(run->snapshot, i)
                                  : ps_card_snapshot_before(run->snapshot, i);
        const PsPtxVariable *variable = find_variable(code, piece->name);
        placed.is_heap = piece->kind == PS_CARD_HEAP;
        placed.is_variable =
            variable && g_hash_table_lookup(function->module->variables, piece->name) == piece;
        if (placed.is_variable && variable->space == PS_PTX_CONST && !live)
            fill(&placed);
        g_array_append_val(all, placed);
    }
    return all;
}

void ps_card_place_free(GArray *placed, const PsSassCode *machine)
{
    for (guint i = 0; machine && i < placed->len; i++) {
        PsPtxPlaced *one = &g_array_index(placed, PsPtxPlaced, i);
        if (one->is_variable && !one->address)
            g_free(one->data);
    }
    g_array_unref(placed);
}

/* ---- execution ------------------------------------------------------------------------------ */

PsPtxLaunch ps_card_launch_of(const PsCardRun *run, const PsPtxModule *code, const GArray *placed)
{
    const PsCardLaunch *launch = run->launch;
    PsPtxLaunch made = {.kernel =
                            code->machine ? code->functions->pdata[0] : launch->function->kernel,
                        .dynamic_shared = launch->shared,
                        .n_arguments = launch->function->params->len,
                        .arguments = run->arguments,
                        .n_placed = placed->len,
                        .placed = (const PsPtxPlaced *)(gconstpointer)placed->data,
                        .workspace = run->workspace,
                        .textures = (const PsPtxTexture *const *)run->card->textures->pdata,
                        .n_textures = run->card->textures->len,
                        .most_memory = G_MAXINT64,
                        .most_instructions = run->card->options.most_instructions,
                        .most_name = "--max-instructions"};
    memcpy(made.grid, launch->grid, sizeof made.grid);
    memcpy(made.block, launch->block, sizeof made.block);
    memcpy(made.cluster, launch->cluster, sizeof made.cluster);
    return made;
}

static void be_fault(GError **error, PsPtxFault fault)
{
    if (error && *error) {
        (*error)->domain = PS_CARD_FAULT;
        (*error)->code = (gint)fault;
    }
}

/* The listeners of a launch, one for each sample. */
typedef struct {
    PsCardSignature signatures[PS_CARD_SAMPLES];
    PsPtxListener listeners[PS_CARD_SAMPLES];
    guint64 groups;
} Samples;

static void begin_samples(Samples *samples, const PsCardRun *run)
{
    const guint *grid = run->launch->grid;
    samples->groups = (guint64)grid[0] * grid[1] * grid[2];
    for (guint i = 0; i < PS_CARD_SAMPLES; i++)
        samples->listeners[i] =
            ps_card_signature_listener(&samples->signatures[i], run->card->memory);
}

static const PsPtxListener *listener_of(gpointer data, guint64 group)
{
    const Samples *samples = data;
    const gint which = ps_card_signature_which(group, samples->groups);
    return which < 0 ? NULL : &samples->listeners[which];
}

/* The workspace in which the groups of a cooperative grid meet: its size, and the word in which
 * they count, as in cooperative groups' own header. */
gboolean ps_card_run_workspace(PsCardRun *run, GError **error)
{
    const guint32 bytes = 2 * sizeof bytes;
    if (!run->launch->cooperative)
        return TRUE;
    const PsCardPiece *piece =
        ps_card_memory_add(run->card->memory, bytes, PS_CARD_VARIABLE, "cooperative grid", error);
    if (!piece)
        return FALSE;
    memcpy(piece->data, &bytes, sizeof bytes);
    run->workspace = piece->address;
    return TRUE;
}

/* printf takes a device's threads long, and no measurement says how long. */
static void note_printf(const PsCardRun *run)
{
    ps_card_log_note_kernel(run->card->log, run->launch->function->name,
                            "the time of its printf is not known, and not in its time");
}

gboolean ps_card_run(PsCardRun *run, GError **error)
{
    PsCardFunction *function = run->launch->function;
    const PsPtxModule *code = ps_card_function_code(function, error);
    if (!code)
        return FALSE;
    GArray *placed = ps_card_place(run, code, function->run, TRUE);
    PsPtxLaunch launch = ps_card_launch_of(run, code, placed);
    launch.printed = run->card->printed;
    launch.compiled = run->card->steps ? NULL : function->compiled;
    launch.watches_some = TRUE;
    launch.clocks = TRUE; /* the launch ends, and has no time: it is simulated without */
    const gsize printed = launch.printed->len;
    Samples samples;
    begin_samples(&samples, run);
    const PsPtxCrew crew = {run->card->threads, listener_of, &samples, PS_CARD_HEARD};
    PsPtxDone done;
    const gboolean good = ps_ptx_run_all(code, &launch, &crew, &done, error);
    if (!good && done.crew)
        be_fault(error, done.fault);
    run->work.warps = done.warps;
    run->work.threads = done.threads;
    run->work.memory = ps_card_signature_of(samples.signatures);
    if (launch.printed->len > printed)
        note_printf(run);
    for (guint i = 0; i < done.warnings->len; i++)
        ps_card_log_note(run->card->log, done.warnings->pdata[i]);
    g_ptr_array_unref(done.warnings);
    ps_card_place_free(placed, function->run);
    return good;
}
