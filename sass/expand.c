/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fills an instruction's operands and modifiers into the text of its row. Operands come first, in
 * the order of the row, since some need instructions of their own before.
 */
#include "sass/modifier.h"
#include "sass/tell.h"

#include <string.h>

/* ---- rows that are no text ------------------------------------------------------------------ */

/* An instruction that reads an unknown register is skipped, so that a message tells what depends on
 * it. */
static void say_special(PsSassTeller *teller, const GString *line, const char *name)
{
    const char *special = ps_sass_special(teller, name);
    g_autofree char *text = g_strndup(line->str, strcspn(line->str, "<"));
    if (special) {
        ps_sass_say(teller, TRUE, "%s%s", text, special);
        return;
    }
    const char *to = strchr(text, ' ');
    g_autofree char *known = g_strdup(name);
    g_strcanon(known, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_", '_');
    ps_sass_say(teller, TRUE, "%s.%s%.*s", teller->instruction->opcode, known,
                to ? (int)strcspn(to, ",") : 0, to ? to : "");
}

/* The predicates that an opcode concerns: a warp's, or those that all lanes share. */
typedef struct {
    guint first;
    char letter;
} Predicates;

static Predicates predicates_of(const PsSassTeller *teller)
{
    return teller->parts[0][0] == 'U' ? (Predicates){PS_SASS_FIRST_UNIFORM_PREDICATE, 'q'}
                                      : (Predicates){PS_SASS_FIRST_PREDICATE, 'p'};
}

/* P2R: puts the predicates in the mask into bits of a register; its other bits are those of
 * `other`. */
static void say_predicates(PsSassTeller *teller, const char *to, const char *other, gint64 mask)
{
    const Predicates are = predicates_of(teller);
    ps_sass_say(teller, FALSE, "and.b32 %%t0,%s,%u", other, ~(guint32)mask);
    for (guint i = 0; i < 7; i++)
        if ((mask >> i & 1) != 0) {
            ps_sass_reads(teller, are.first + i, FALSE);
            ps_sass_say(teller, FALSE, "selp.b32 %%t1,%u,0,%%%c%u", 1U << i, are.letter, i);
            ps_sass_say(teller, FALSE, "or.b32 %%t0,%%t0,%%t1");
        }
    ps_sass_say(teller, TRUE, "mov.b32 %s,%%t0", to);
}

static void say_set(PsSassTeller *teller, const char *from, gint64 mask)
{
    const Predicates are = predicates_of(teller);
    for (guint i = 0; i < 7; i++)
        if ((mask >> i & 1) != 0) {
            if (teller->use->n_to < PS_SASS_MOST_TO)
                teller->use->to[teller->use->n_to++] = (guint16)(are.first + i);
            ps_sass_say(teller, FALSE, "and.b32 %%t0,%s,%u", from, 1U << i);
            ps_sass_say(teller, FALSE, "setp.ne.u32 %%%c%u,%%t0,0", are.letter, i);
        }
    ps_sass_say(teller, TRUE, "pmevent 0");
}

/* RPCMOV: the two halves of the return address, which keep whatever code puts there. */
static void say_return(PsSassTeller *teller, const PsSassOperand *of, const char *to,
                       const char *from)
{
    const char *half = strstr(of->text, ".HI") ? "%rpchi" : "%rpclo";
    ps_sass_say(teller, TRUE, "mov.b32 %s,%s", to ? to : half, from ? from : half);
}

/* ---- lines ---------------------------------------------------------------------------------- */

typedef struct {
    PsSassTeller *teller;
    const GArray *operands;
    const guint *at;
    char *values[PS_SASS_MOST_OPERANDS];
} Filling;

static const PsSassOperand *operand_of(const Filling *filling, guint i)
{
    return &g_array_index(filling->operands, PsSassOperand, filling->at[i]);
}

static void append_filled(const Filling *filling, GString *text, const char *line, gsize length)
{
    for (gsize i = 0; i < length; i++) {
        const char *end = line[i] == '<' ? memchr(line + i, '>', length - i) : NULL;
        if (line[i] == '$' && i + 1 < length && g_ascii_isdigit(line[i + 1])) {
            g_string_append(text, filling->values[line[++i] - '0']);
        } else if (line[i] == '&' && i + 1 < length) {
            const PsSassOperand *matrix = operand_of(filling, (guint)(line[++i] - '0'));
            g_string_append(text, matrix->by_column ? ".col" : ".row");
        } else if (end) {
            const gsize inside = (gsize)(end - line) - i - 1;
            ps_sass_modifier_say(filling->teller->parts + 1, text, line + i + 1, inside);
            i += inside + 1;
        } else {
            g_string_append_c(text, line[i]);
        }
    }
}

/* TRUE if this line of a row's text stands for the whole instruction in a graph: it has a star, or
 * it is the last one and none has. */
static gboolean stands(const char *row, const char *line, gsize length)
{
    return *line == '*' || (line[length] == '\0' && !strchr(row, '*'));
}

static void say_lines(const Filling *filling, const char *row)
{
    for (const char *line = row; *line;) {
        const gsize length = strcspn(line, ";");
        const gsize star = *line == '*', all = line[star] == '^', begin = star + all;
        g_autoptr(GString) text = g_string_new(NULL);
        append_filled(filling, text, line + begin, length - begin);
        if (all)
            ps_sass_say_to_all(filling->teller, stands(row, line, length), text->str);
        else
            ps_sass_say(filling->teller, stands(row, line, length), "%s", text->str);
        line += length + (line[length] == ';');
    }
}

/* Translates a row that needs more than its text. FALSE: this row does not. */
static gboolean say_otherwise(const Filling *filling, const PsSassRow *row)
{
    PsSassTeller *teller = filling->teller;
    if (strstr(row->text, "<SPECIAL>")) {
        g_autoptr(GString) line = g_string_new(NULL);
        const gsize length = strcspn(row->text, "<");
        append_filled(filling, line, row->text, length);
        say_special(teller, line, operand_of(filling, 1)->text);
    } else if (strcmp(row->text, "<PREDICATES>") == 0) {
        const guint mask = (guint)strlen(row->shape) - 1;
        say_predicates(teller, filling->values[0], filling->values[mask - 1],
                       operand_of(filling, mask)->value);
    } else if (strcmp(row->text, "<SET>") == 0) {
        const guint mask = (guint)strlen(row->shape) - 1;
        say_set(teller, filling->values[mask - 1], operand_of(filling, mask)->value);
    } else if (strcmp(row->text, "<RETURN>") == 0) {
        const gboolean reads = row->shape[0] == 'o';
        say_return(teller, operand_of(filling, reads), reads ? filling->values[0] : NULL,
                   reads ? NULL : filling->values[1]);
    } else if (strcmp(row->text, "<PRODUCT>") == 0) {
        ps_sass_say_product(teller, filling->operands);
    } else if (strcmp(row->text, "<TENSOR>") == 0) {
        ps_sass_say_tensor(teller, filling->operands);
    } else if (strcmp(row->text, "<TEXTURE>") == 0) {
        ps_sass_say_texture(teller, filling->operands);
    } else if (strcmp(row->text, "<LOAD>") == 0) {
        g_autofree char *inside = g_strdup(filling->values[0]);
        g_auto(GStrv) to = g_strsplit(g_strdelimit(inside, "{}", ' '), ",", -1);
        for (guint i = 0; to[i]; i++)
            g_strstrip(to[i]);
        ps_sass_load_constant(teller, operand_of(filling, 1), to, g_strv_length(to));
    } else {
        return FALSE;
    }
    return TRUE;
}

void ps_sass_expand(PsSassTeller *teller, const PsSassRow *row, const GArray *operands,
                    const guint *at)
{
    Filling filling = {teller, operands, at, {NULL}};
    teller->use->row = row;
    teller->wanted = strcmp(row->shape, "UUAn") == 0 ? (guint)operand_of(&filling, 3)->value : 0xff;
    for (guint i = 0; row->shape[i]; i++) {
        g_autoptr(GString) value = g_string_new(NULL);
        if (row->text && !strchr("xc*", row->shape[i]))
            ps_sass_value(teller, value, row->shape[i], operand_of(&filling, i));
        filling.values[i] = g_string_free(g_steal_pointer(&value), FALSE);
    }
    if (!row->text)
        ps_sass_say(teller, TRUE, "pmevent 0");
    else if (!say_otherwise(&filling, row))
        say_lines(&filling, row->text);
    for (guint i = 0; i < PS_SASS_MOST_OPERANDS; i++)
        g_free(filling.values[i]);
}
