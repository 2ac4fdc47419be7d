/* SPDX-License-Identifier: BSD-3-Clause */
/* See guess.h. */
#include "launch/guess.h"

#include "base/usage.h"
#include "launch/arguments-private.h"
#include "launch/guess-shape.h"
#include "launch/value.h"
#include "ptx/names.h"

#include <string.h>

/* Bytes of a guessed buffer if the GPU's memory is unknown, and their upper limit. Only touched
 * blocks take memory. */
#define USUAL_BYTES ((guint64)1 << 30)
#define MOST_BYTES ((guint64)1 << 33)

typedef struct {
    const PsLaunchGuessOf *of;
    PsTaking *taking;
    const PsPtxUses *uses;
    const PsGuessShape *shape;
    guint64 bytes; /* for each buffer */
    PsLaunchGuess *guess;
    GPtrArray *arguments; /* char *: texts */
} Guessing;

/* ---- what cannot be guessed ------------------------------------------------------------------ */

static gboolean refuse(const Guessing *guessing, guint p, GError **error)
{
    const PsPtxUse *use = &guessing->uses->params[p];
    const PsPtxVariable *param = ps_launch_param(guessing->taking->arguments, p);
    const char *name = guessing->taking->arguments->names[p], *word = guessing->taking->word;
    const char *guess = guessing->taking->given->guess_name;
    const gboolean loops = use->loop != PS_PTX_NOWHERE;
    g_autofree char *where = loops ? ps_ptx_code_where(guessing->of->code, use->loop)
                             : use->chased != PS_PTX_NOWHERE
                                 ? ps_ptx_code_where(guessing->of->code, use->chased)
                                 : NULL;
    if (ps_ptx_is_struct(param))
        g_set_error(error, PS_ERROR, PS_ERROR_USAGE,
                    "%s: %s is a struct, whose fields nobody can guess; give them: %s "
                    "%s+0=VALUE, or all by %s %s=@FILE",
                    guess, name, word, name, word, name);
    else if (param->to_shared)
        g_set_error(error, PS_ERROR, PS_ERROR_USAGE,
                    "%s: %s is a place in the memory that a group shares, of whose size the "
                    "code says nothing; give %s %s=OFFSET, and how much there is of it",
                    guess, name, word, name);
    else if (loops)
        g_set_error(error, PS_ERROR, PS_ERROR_USAGE,
                    "%s: %s: a loop ends by what is in %s, which nobody knows; give that: %s "
                    "%s=@FILE, or zero:, ramp: or random:BYTES if that is like it",
                    guess, where, name, word, name);
    else if (where)
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                    "%s: %s: the kernel goes to an address that it reads from %s, and nobody "
                    "can guess pointers to pointers; give them: %s %s=pointers:COUNT:zero:BYTES "
                    "is the addresses of so many buffers",
                    guess, where, name, word, name);
    return !where && !ps_ptx_is_struct(param) && !param->to_shared;
}

/* ---- values ---------------------------------------------------------------------------------- */

static gboolean is_pointer(const Guessing *guessing, guint p)
{
    return ps_launch_param(guessing->taking->arguments, p)->pointer ||
           guessing->uses->params[p].pointer;
}

/* Takes ownership of value and because. */
static void add(PsLaunchGuess *guess, const char *name, char *value, char *option, PsIdgSure sure,
                char *because)
{
    PsIdgGuess *one = g_new0(PsIdgGuess, 1);
    *one = (PsIdgGuess){g_strdup(name), value, option, because, sure};
    g_ptr_array_add(guess->guesses, one);
}

/* The parts of an argument's explanation: its value, the text that replaces it, how sure it is, and
 * why. */
typedef struct {
    const char *value, *instead;
    PsIdgSure sure;
    const char *because;
} Telling;

/* Sets the argument to that text. */
static void add_argument(const Guessing *guessing, guint p, const char *text, const Telling *as)
{
    const PsTaking *taking = guessing->taking;
    const char *name = taking->arguments->names[p];
    add(guessing->guess, name, g_strdup(as->value),
        g_strdup_printf("%s %s=%s", taking->word, name, as->instead), as->sure,
        g_strdup(as->because));
    g_ptr_array_add(guessing->arguments, g_strdup_printf("%u=%s", p, text));
}

/* Whole numbers as wide as the kernel's loads; for other uses as addresses, of 32 bits. */
static const char *ramp_type(PsPtxType type)
{
    switch (ps_ptx_type_size(type)) {
    case 1:
        return "u8";
    case 2:
        return "u16";
    case 8:
        return "u64";
    default:
        return "u32";
    }
}

static void guess_buffer(const Guessing *guessing, guint p)
{
    const PsPtxUse *use = &guessing->uses->params[p];
    const char *type = ramp_type(use->type);
    g_autofree char *text =
        use->indexes ? g_strdup_printf("ramp:%" G_GUINT64_FORMAT ":%s", guessing->bytes, type)
                     : g_strdup_printf("zero:%" G_GUINT64_FORMAT, guessing->bytes);
    g_autofree char *value =
        use->indexes ? g_strdup_printf("0, 1, 2, ... (%s)", type) : g_strdup("zeros");
    const char *because =
        use->indexes    ? "what is read there becomes part of an address; others give other times"
        : use->branches ? "what is read there decides a branch; others may give other times"
        : use->loaded   ? "what is read there decides neither an address nor a branch"
                        : "it is only written";
    const Telling as = {value, use->indexes ? "ramp:BYTES:TYPE or @FILE" : "zero:BYTES or @FILE",
                        use->indexes || use->branches ? PS_IDG_SURE_WEAK
                        : use->loaded || use->stored  ? PS_IDG_SURE_CODE
                                                      : PS_IDG_SURE_LIKELY,
                        because};
    add_argument(guessing, p, text, &as);
}

static void guess_number(const Guessing *guessing, guint p)
{
    const PsPtxUse *use = &guessing->uses->params[p];
    const PsPtxType type = ps_launch_type(guessing->taking->arguments, p);
    const PsGuessNumber number = ps_guess_number(guessing->shape, use);
    const guint size = ps_ptx_type_size(type);
    const gint64 most = size >= 8 ? G_MAXINT64 : ((gint64)1 << (8 * MAX(size, 1) - 1)) - 1;
    g_autofree char *value = g_strdup_printf("%" G_GINT64_FORMAT, MIN(number.value, most));
    const Telling as = {value, "NUMBER", number.sure, number.because};
    add_argument(guessing, p, value, &as);
}

static void guess_fraction(const Guessing *guessing, guint p)
{
    const PsPtxType type = ps_launch_type(guessing->taking->arguments, p);
    const char *text = ps_value_is_float(type)       ? "1"
                       : ps_ptx_type_size(type) == 8 ? "0x3ff0000000000000"
                                                     : "0x3f800000";
    const Telling as = {"1", "NUMBER", PS_IDG_SURE_LIKELY,
                        "fractions are seldom what a time depends on"};
    add_argument(guessing, p, text, &as);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static gboolean lacks(const PsTaking *taking, guint p)
{
    return !taking->texts[p] && !taking->in_parts[p];
}

static gboolean guess_arguments(const Guessing *guessing, GError **error)
{
    for (guint p = 0; p < guessing->uses->n; p++) {
        if (!lacks(guessing->taking, p))
            continue;
        if (!refuse(guessing, p, error))
            return FALSE;
        if (is_pointer(guessing, p))
            guess_buffer(guessing, p);
        else if (guessing->uses->params[p].fraction ||
                 ps_value_is_float(ps_launch_type(guessing->taking->arguments, p)))
            guess_fraction(guessing, p);
        else
            guess_number(guessing, p);
    }
    return TRUE;
}

/* The bytes of each buffer: buffers share the GPU's memory. */
static guint64 bytes_of(const Guessing *guessing)
{
    const PsTaking *taking = guessing->taking;
    guint n = 0;
    for (guint p = 0; p < guessing->uses->n; p++)
        n += lacks(taking, p) && is_pointer(guessing, p);
    const guint64 memory = guessing->of->gpu ? (guint64)guessing->of->gpu->device_memory << 20 : 0;
    return memory ? MIN(memory / MAX(n, 1), MOST_BYTES) >> 20 << 20 : USUAL_BYTES;
}

static void add_shape(PsLaunchGuess *guess, const PsGuessShape *shape, const PsLaunchTexts *texts)
{
    const char *grid = texts->grid_name ? texts->grid_name : "grid",
               *block = texts->block_name ? texts->block_name : "block";
    if (shape->grid_because) {
        guess->grid = ps_guess_extent(shape->groups);
        add(guess, "grid", g_strdup(guess->grid), g_strdup_printf("%s GROUPS", grid),
            shape->grid_sure, g_strdup(shape->grid_because));
    }
    if (shape->block_because) {
        guess->block = ps_guess_extent(shape->threads);
        add(guess, "block", g_strdup(guess->block), g_strdup_printf("%s THREADS", block),
            shape->block_sure, g_strdup(shape->block_because));
    }
}

static void add_given(GPtrArray *arguments, const PsLaunchTexts *texts)
{
    for (const char *const *text = texts->arguments; text && *text; text++)
        g_ptr_array_add(arguments, g_strdup(*text));
}

static gboolean make(Guessing *guessing, const PsLaunchTexts *texts, GError **error)
{
    PsGuessShape shape;
    if (!ps_guess_shape(&shape, guessing->taking, guessing->uses, guessing->of->gpu, error))
        return FALSE;
    guessing->shape = &shape;
    guessing->bytes = bytes_of(guessing);
    add_shape(guessing->guess, &shape, texts);
    return guess_arguments(guessing, error);
}

PsLaunchGuess *ps_launch_guess(const PsLaunchGuessOf *of, const PsLaunchTexts *texts,
                               GError **error)
{
    PsPtxUses uses;
    g_auto(PsTaking) taking = ps_taking_new(of->module, of->kernel, texts);
    if (!ps_taking_take_texts(&taking, error))
        return NULL;
    ps_taking_fill_missing(&taking);
    if (!ps_ptx_uses(of->code, of->dynamic, &uses, error))
        return NULL;
    g_autoptr(PsLaunchGuess) guess = g_new0(PsLaunchGuess, 1);
    guess->guesses = g_ptr_array_new_with_free_func(ps_idg_free_guess);
    GPtrArray *arguments = g_ptr_array_new();
    Guessing guessing = {
        .of = of, .taking = &taking, .uses = &uses, .guess = guess, .arguments = arguments};
    const gboolean made = make(&guessing, texts, error);
    add_given(arguments, texts);
    g_ptr_array_add(arguments, NULL);
    guess->arguments = (char **)g_ptr_array_free(arguments, FALSE);
    g_free(uses.params);
    return made ? g_steal_pointer(&guess) : NULL;
}

void ps_launch_guess_free(PsLaunchGuess *guess)
{
    if (!guess)
        return;
    g_ptr_array_unref(guess->guesses);
    g_strfreev(guess->arguments);
    g_free(guess->grid);
    g_free(guess->block);
    g_free(guess);
}
