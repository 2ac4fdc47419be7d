/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Textures and surfaces. What an instruction on a texture reads is a row of words: coordinates,
 * then the handle where no operand has it (.B), then the level of detail (.LL), which chooses among
 * smaller copies that the executor does not have. SCR parts the words in two equal rows of
 * registers; else the second row has what is no coordinate. A layer comes before the other
 * coordinates, but for slopes (TXD) and surfaces, where it is the last.
 * Nothing says the type of the values: it is the texture's own, which PTX has as .b32 here.
 */
#include "sass/tell.h"

#include <string.h>

enum { MOST_WORDS = 4, CHANNELS = 4, BANK = 0 };

typedef struct {
    const char *name, *surface; /* in listings; NULL: there is no such surface */
    const char *is;             /* in PTX */
    guint rank;
    gboolean layer;
} Shape;

static const Shape shapes[] = {{"1D", "1D", "1d", 1, FALSE},
                               {"2D", "2D", "2d", 2, FALSE},
                               {"3D", "3D", "3d", 3, FALSE},
                               {"ARRAY_1D", "1D_ARRAY", "a1d", 1, TRUE},
                               {"ARRAY_2D", "2D_ARRAY", "a2d", 2, TRUE},
                               {"CUBE", NULL, "cube", 3, FALSE},
                               {"ARRAY_CUBE", NULL, "acube", 3, TRUE}};

/* The operands of an instruction. */
typedef struct {
    const Shape *shape;
    const PsSassOperand *values[2]; /* the first two, and the third and fourth */
    const PsSassOperand *words[2];  /* the rows of words, the second one or NULL */
    const PsSassOperand *handle;    /* a register, or a number of 4 bytes of bank 0; NULL: a word */
    guint mask;                     /* the channels that values has, from the lowest bit on */
} Form;

/* ---- operands ------------------------------------------------------------------------------- */

static const PsSassOperand *operand_at(const GArray *operands, guint i)
{
    return i < operands->len ? &g_array_index(operands, PsSassOperand, i) : NULL;
}

static const PsSassOperand *take(const GArray *operands, guint *next, PsSassKind kind)
{
    const PsSassOperand *operand = operand_at(operands, *next);
    if (!operand || operand->kind != kind)
        return NULL;
    (*next)++;
    return operand;
}

static gboolean take_text(const GArray *operands, guint *next, const char *text)
{
    const PsSassOperand *operand = operand_at(operands, *next);
    const gboolean is = operand && strcmp(operand->text, text) == 0;
    *next += is;
    return is;
}

/* UR4, on sm_90 with 0x0 behind it, or 0x0 and the number of a word of bank 0. */
static const PsSassOperand *take_handle(const GArray *operands, guint *next)
{
    const PsSassOperand *handle = take(operands, next, PS_SASS_UNIFORM);
    const gboolean zero = take_text(operands, next, "0x0");
    return !handle && zero ? take(operands, next, PS_SASS_NUMBER) : handle;
}

static const Shape *take_shape(const GArray *operands, guint *next)
{
    for (gsize i = 0; i < G_N_ELEMENTS(shapes); i++)
        if (take_text(operands, next, shapes[i].name))
            return &shapes[i];
    return NULL;
}

/* TRUE if there is a second row of words exactly where something stands in it. */
static gboolean has_rows(char *const *parts, const Form *form)
{
    const char *const *modifiers = (const char *const *)parts + 1;
    const gboolean slopes = strcmp(parts[0], "TXD") == 0;
    const guint more = !form->handle + (guint)g_strv_contains(modifiers, "LL");
    const guint coordinates = form->shape->rank + form->shape->layer;
    const gboolean second = g_strv_contains(modifiers, "SCR") ? coordinates + more > 1 : more > 0;
    return slopes ? form->words[1] && form->shape->rank < 3 : second == (form->words[1] != NULL);
}

/* Reads the operands of TEX, TLD, TLD4, TXD and TXQ. FALSE: they have another form. */
static gboolean read_texture(char *const *parts, const GArray *operands, Form *form)
{
    const gboolean asks = strcmp(parts[0], "TXQ") == 0;
    guint next = 0;
    *form = (Form){.values[1] = take(operands, &next, PS_SASS_REGISTER)};
    form->values[0] = take(operands, &next, PS_SASS_REGISTER);
    form->words[0] = take(operands, &next, PS_SASS_REGISTER);
    if (asks && !take_text(operands, &next, "TEX_HEADER_DIMENSION"))
        return FALSE;
    form->words[1] = asks ? NULL : take(operands, &next, PS_SASS_REGISTER);
    form->handle = take_handle(operands, &next);
    form->shape = asks ? &shapes[0] : take_shape(operands, &next);
    const PsSassOperand *mask = take(operands, &next, PS_SASS_NUMBER);
    form->mask = mask ? (guint)mask->value : asks ? 0 : (1 << CHANNELS) - 1;
    return form->words[0] && form->shape && form->mask > 0 && form->mask < 1 << CHANNELS &&
           (asks ? form->handle && form->mask < 8 : has_rows(parts, form)) && next == operands->len;
}

/* Reads the operands of SULD and SUST, whose shape stands among the modifiers. */
static gboolean read_surface(char *const *parts, const GArray *operands, Form *form)
{
    const gboolean load = strcmp(parts[0], "SULD") == 0;
    guint next = 0;
    *form = (Form){.values[0] = load ? take(operands, &next, PS_SASS_REGISTER) : NULL};
    form->words[0] = take(operands, &next, PS_SASS_ADDRESS);
    if (!load)
        form->values[0] = take(operands, &next, PS_SASS_REGISTER);
    form->handle = take(operands, &next, PS_SASS_REGISTER);
    if (!form->handle)
        form->handle = take_handle(operands, &next);
    for (gsize i = 0; i < G_N_ELEMENTS(shapes); i++)
        if (shapes[i].surface && g_strv_contains((const char *const *)parts + 1, shapes[i].surface))
            form->shape = &shapes[i];
    return form->values[0] && form->words[0] && form->words[0]->uniform == PS_SASS_ZERO &&
           form->words[0]->value == 0 && form->handle && form->shape && next == operands->len;
}

static gboolean read_form(char *const *parts, const GArray *operands, Form *form)
{
    return (parts[0][0] == 'T' ? read_texture : read_surface)(parts, operands, form);
}

gboolean ps_sass_is_texture(char *const *parts, const GArray *operands)
{
    Form form;
    return read_form(parts, operands, &form);
}

/* ---- words ---------------------------------------------------------------------------------- */

/* Appends the register behind an operand's first, or the zero that all of RZ are. */
static void add_register(PsSassTeller *teller, GString *text, const PsSassOperand *operand, guint i)
{
    if (operand->reg == PS_SASS_ZERO) {
        g_string_append(text, "0");
        return;
    }
    const gboolean uniform = operand->kind == PS_SASS_UNIFORM;
    const guint reg = (guint)operand->reg + i;
    ps_sass_reads(teller, (uniform ? PS_SASS_FIRST_UNIFORM : PS_SASS_FIRST_REGISTER) + reg, TRUE);
    g_string_append_printf(text, uniform ? "%%u%u" : "%%r%u", reg);
}

/* Appends a word of the instruction: `n` are there, of which `first` are in the first row. */
static void add_word(PsSassTeller *teller, GString *text, const Form *form, guint i, guint first)
{
    if (i < first)
        add_register(teller, text, form->words[0], i);
    else if (form->words[1])
        add_register(teller, text, form->words[1], i - first);
}

/* Puts the handle in %w0. `word` is its place if it is a word. */
static void say_handle(PsSassTeller *teller, const Form *form, guint word, guint first)
{
    g_autoptr(GString) text = g_string_new(NULL);
    if (!form->handle)
        add_word(teller, text, form, word, first);
    else if (form->handle->kind != PS_SASS_NUMBER)
        add_register(teller, text, form->handle, 0);
    g_autofree char *constant =
        text->len == 0 ? ps_sass_constant(teller, BANK, 4 * form->handle->value, 4) : NULL;
    ps_sass_say(teller, FALSE, "cvt.u64.u32 %%w0,%s", constant ? constant : text->str);
}

/* "[%w0,{%r4,%r5}]", with the layer first. PTX has no list of three, so the last one comes again.
 */
static void add_place(PsSassTeller *teller, GString *text, const Form *form, guint at, guint first,
                      gboolean layer_last)
{
    const guint n = form->shape->rank + form->shape->layer;
    const guint listed = n == 3 ? MOST_WORDS : n;
    g_string_append(text, "[%w0,{");
    for (guint i = 0; i < listed; i++) {
        const guint word = MIN(i, n - 1);
        const guint turned = form->shape->layer && layer_last ? (word + n - 1) % n : word;
        g_string_append(text, i > 0 ? "," : "");
        add_word(teller, text, form, at + turned, first);
    }
    g_string_append(text, "}]");
}

/* Appends the registers of n values. Those of the first operand come first, two in all, unless it
 * has all. Channels without a bit in `mask` are not kept. */
static void add_values(PsSassTeller *teller, GString *text, const Form *form, guint n, guint mask)
{
    guint kept = 0;
    g_string_append(text, "{");
    for (guint i = 0; i < n; i++) {
        const PsSassOperand *row = form->values[form->values[1] && kept >= 2];
        const guint reg = (guint)row->reg + (form->values[1] ? kept % 2 : kept);
        const gboolean keeps = (mask >> i & 1) != 0 && row->reg != PS_SASS_ZERO;
        g_string_append(text, i > 0 ? "," : "");
        if (keeps)
            g_string_append_printf(text, "%%r%u", reg);
        else
            g_string_append(text, "_");
        if (keeps && teller->use->n_to < PS_SASS_MOST_TO)
            teller->use->to[teller->use->n_to++] = (guint16)(PS_SASS_FIRST_REGISTER + reg);
        kept += mask >> i & 1;
    }
    g_string_append(text, "}");
}

/* ---- textures ------------------------------------------------------------------------------- */

/* The channel that TLD4 gathers stands before a B for a handle that is a word. */
static char channel_of(const PsSassTeller *teller)
{
    for (char **part = teller->parts + 1; *part; part++)
        if (strchr("RGBA", **part) && !(*part)[1])
            return g_ascii_tolower(**part);
    return 'r';
}

/* Appends one of the two vectors of slopes, of which PTX has four in three dimensions. */
static void add_slopes(PsSassTeller *teller, GString *text, const Form *form, guint which)
{
    const guint rank = form->shape->rank;
    g_string_append(text, ",{");
    for (guint i = 0; i < rank; i++) {
        g_string_append(text, i > 0 ? "," : "");
        add_register(teller, text, form->words[1], rank == 1 ? which : 2 * i + which);
    }
    g_string_append(text, "}");
}

static void say_look_up(PsSassTeller *teller, const Form *form)
{
    const char *opcode = teller->parts[0];
    const gboolean slopes = strcmp(opcode, "TXD") == 0, level = ps_sass_has(teller, "LL");
    const guint coordinates = form->shape->rank + form->shape->layer;
    const guint n = coordinates + !form->handle + (guint)level;
    const guint first = slopes ? n : ps_sass_has(teller, "SCR") ? (n + 1) / 2 : coordinates;
    const guint at = slopes && !form->handle; /* the handle comes first there */
    g_autoptr(GString) text = g_string_new(NULL);
    if (strcmp(opcode, "TLD4") == 0)
        g_string_append_printf(text, "tld4.%c", channel_of(teller));
    else
        g_string_append(text, level ? "tex.level" : slopes ? "tex.grad" : "tex");
    g_string_append_printf(text, ".%s.v4.b32.%s ", form->shape->is,
                           strcmp(opcode, "TLD") == 0 ? "s32" : "f32");
    say_handle(teller, form, at ? 0 : coordinates, first);
    add_values(teller, text, form, CHANNELS, form->mask);
    g_string_append(text, ",");
    add_place(teller, text, form, at, first, slopes);
    if (level) {
        g_string_append(text, ",");
        add_word(teller, text, form, n - 1, first);
    }
    for (guint i = 0; slopes && i < 2; i++)
        add_slopes(teller, text, form, i);
    ps_sass_say(teller, TRUE, "%s", text->str);
}

static void say_question(PsSassTeller *teller, const Form *form)
{
    static const char *const asked[] = {"width", "height", "depth"};
    say_handle(teller, form, 0, 0);
    for (guint i = 0; i < G_N_ELEMENTS(asked); i++) {
        const guint bit = 1U << i;
        g_autoptr(GString) text = g_string_new(NULL);
        Form one = *form;
        PsSassOperand moved = *form->values[0];
        if ((form->mask & bit) == 0)
            continue;
        moved.reg += form->mask & (bit - 1) ? 1 : 0;
        one.values[0] = &moved;
        add_values(teller, text, &one, 1, 1);
        ps_sass_say(teller, form->mask < 2 * bit, "txq.%s.b32 %.*s,[%%w0]", asked[i],
                    (int)text->len - 2, text->str + 1);
    }
}

/* ---- surfaces ------------------------------------------------------------------------------- */

static void say_surface(PsSassTeller *teller, const Form *form)
{
    const gboolean load = strcmp(teller->parts[0], "SULD") == 0;
    const guint n = ps_sass_has(teller, "128") ? 4 : ps_sass_has(teller, "64") ? 2 : 1;
    const char *bits = ps_sass_has(teller, "U8")    ? "b8"
                       : ps_sass_has(teller, "U16") ? "b16"
                                                    : "b32";
    const char *beyond = ps_sass_has(teller, "TRAP")  ? "trap"
                         : ps_sass_has(teller, "IGN") ? "zero"
                                                      : "clamp";
    const char *vector = n == 4 ? ".v4" : n == 2 ? ".v2" : "";
    g_autoptr(GString) place = g_string_new(NULL), values = g_string_new(NULL);
    say_handle(teller, form, 0, 0);
    add_place(teller, place, form, 0, MOST_WORDS, TRUE);
    if (load)
        add_values(teller, values, form, n, (1U << n) - 1);
    for (guint i = 0; !load && i < n; i++) {
        g_string_append(values, i > 0 ? "," : "{");
        add_register(teller, values, form->values[0], i);
    }
    if (!load)
        g_string_append(values, "}");
    ps_sass_say(teller, TRUE, "%s.b.%s%s.%s.%s %s,%s", load ? "suld" : "sust", form->shape->is,
                vector, bits, beyond, load ? values->str : place->str,
                load ? place->str : values->str);
}

void ps_sass_say_texture(PsSassTeller *teller, const GArray *operands)
{
    Form form;
    read_form(teller->parts, operands, &form);
    if (teller->parts[0][0] == 'S')
        say_surface(teller, &form);
    else if (strcmp(teller->parts[0], "TXQ") == 0)
        say_question(teller, &form);
    else
        say_look_up(teller, &form);
}
