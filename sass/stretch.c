/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes machine code as PTX, instruction by instruction. The code of a subroutine is repeated
 * wherever it is called, with labels of its own. */
#include "sass/stretch.h"

#include <string.h>

#define MOST_COPIES 4096
#define MOST_DEPTH 32

/* ---- guards --------------------------------------------------------------------------------- */

static void set_guard(PsSassTeller *teller)
{
    const char *text = teller->instruction->guard;
    g_free(teller->guard);
    teller->guard = g_strdup("");
    if (!text || text[0] != '@')
        return;
    g_auto(GStrv) kept = NULL;
    g_autoptr(GArray) operands = ps_sass_operands(text + 1, &kept);
    const PsSassOperand *guard =
        operands->len == 1 ? &g_array_index(operands, PsSassOperand, 0) : NULL;
    if (!guard || !ps_sass_is_predicate(guard) || (guard->reg == PS_SASS_ZERO && !guard->inverted))
        return;
    const gboolean uniform = guard->kind == PS_SASS_UNIFORM_PREDICATE;
    g_free(teller->guard);
    if (guard->reg == PS_SASS_ZERO) {
        teller->guard = g_strdup("@%never ");
        return;
    }
    teller->guard =
        g_strdup_printf("@%s%%%c%d ", guard->inverted ? "!" : "", uniform ? 'q' : 'p', guard->reg);
    ps_sass_reads(teller,
                  (uniform ? PS_SASS_FIRST_UNIFORM_PREDICATE : PS_SASS_FIRST_PREDICATE) +
                      (guint)guard->reg,
                  FALSE);
}

/* ---- branches ------------------------------------------------------------------------------- */

static gboolean is_open(const PsSassTelling *telling, guint64 start)
{
    for (guint i = 0; i < telling->open->len; i++)
        if (g_array_index(telling->open, PsSassStretch, i).from == start)
            return TRUE;
    return FALSE;
}

/* Translates a copy of the subroutine at `start`, for lanes whose guard is true. */
static gboolean expand_call(PsSassTelling *telling, guint64 start, gboolean stands)
{
    PsSassTeller *teller = &telling->teller;
    const PsSassStretch stretch = {++telling->copies, start,
                                   ps_sass_end_of_subroutine(teller, start), teller->number};
    if (!ps_sass_is_place(teller, start))
        return ps_sass_refuse(
            telling, "a call of 0x%" G_GINT64_MODIFIER "x, where the code has no instruction",
            start);
    if (is_open(telling, start))
        return ps_sass_refuse(telling, "a subroutine that calls itself is not supported");
    if (telling->copies > MOST_COPIES || telling->open->len > MOST_DEPTH)
        return ps_sass_refuse(telling, "more than %d calls, or %d within each other", MOST_COPIES,
                              MOST_DEPTH);
    g_autofree char *guard = g_steal_pointer(&teller->guard);
    const guint number = teller->number;
    const guint copy = stretch.copy;
    if (guard[0]) /* lanes whose guard is false jump behind the copy */
        g_string_append_printf(teller->body, "@%s%s bra E%u;\n", guard[1] == '!' ? "" : "!",
                               guard + 1 + (guard[1] == '!'), copy);
    else
        g_string_append(teller->body, "pmevent 0;\n");
    ps_sass_add_origin(teller, stands);
    ps_sass_add_edge(teller, start);
    if (!ps_sass_tell_stretch(telling, stretch))
        return FALSE;
    teller->number = number;
    g_string_append_printf(teller->body, "E%u:\n", copy);
    return TRUE;
}

/* One after the other, each of the functions that the register may say, except those that are
 * running already. */
static gboolean tell_call_of_any(PsSassTelling *telling, const PsSassOperand *callee)
{
    PsSassTeller *teller = &telling->teller;
    const guint depth = telling->open->len;
    g_autoptr(GArray) callees = ps_sass_callees(teller);
    for (guint i = callees->len; i-- > 0;)
        if (is_open(telling, ps_sass_callee_at(teller, g_array_index(callees, guint32, i))))
            g_array_remove_index(callees, i);
    if (callees->len == 0 || callee->reg == PS_SASS_ZERO || depth > MOST_DEPTH)
        return ps_sass_refuse(telling,
                              "a call through %s, and the file names nothing that it may call",
                              callee->text);
    ps_sass_note_callee(teller, callee, depth, callees);
    for (guint i = 0; i < callees->len; i++) {
        const guint32 one = g_array_index(callees, guint32, i);
        ps_sass_guard_callee(teller, depth, one);
        if (ps_sass_is_outside(one))
            ps_sass_call_outside(teller, one);
        else if (!expand_call(telling, ps_sass_callee_at(teller, one), FALSE))
            return FALSE;
    }
    return TRUE;
}

/* A call of a place in the code that is running, behind which nothing returns: compilers jump with
 * it, too, since a call notes nowhere to return to. */
static gboolean is_jump(const PsSassTelling *telling, guint64 target)
{
    const PsSassStretch *here =
        &g_array_index(telling->open, PsSassStretch, telling->open->len - 1);
    const GArray *list = telling->teller.listing->instructions;
    if (target < here->from || target >= here->to)
        return FALSE;
    for (guint64 at = target; at < here->to; at += PS_SASS_BYTES)
        if (g_str_has_prefix(g_array_index(list, PsSassInstruction, at / PS_SASS_BYTES).opcode,
                             "RET"))
            return FALSE;
    return TRUE;
}

static gboolean tell_call(PsSassTelling *telling, const GArray *operands)
{
    PsSassTeller *teller = &telling->teller;
    const PsSassOperand *last =
        operands->len > 0 ? &g_array_index(operands, PsSassOperand, operands->len - 1) : NULL;
    const gboolean nowhere = !last || (last->kind == PS_SASS_NUMBER && ps_sass_is_apart(teller));
    if (ps_sass_call_named(teller))
        return TRUE;
    if (nowhere) {
        g_autofree char *what = ps_sass_call_apart(teller);
        return ps_sass_refuse(telling, "%s", what);
    }
    if (last->kind == PS_SASS_NUMBER && is_jump(telling, (guint64)last->value)) {
        g_autofree char *label = ps_sass_label(teller, last->value);
        ps_sass_say(teller, TRUE, "bra %s", label);
        return TRUE;
    }
    const PsSassOperand *first = &g_array_index(operands, PsSassOperand, 0);
    if (first->kind == PS_SASS_REGISTER)
        return tell_call_of_any(telling, first);
    if (last->kind == PS_SASS_NUMBER)
        return expand_call(telling, (guint64)last->value, TRUE);
    g_autofree char *name = g_strdup(last->text);
    g_strdelimit(name, "`()", ' ');
    gpointer at = g_hash_table_lookup(teller->kernel->subroutines, g_strstrip(name));
    if (!at)
        return ps_sass_refuse(telling, "a call of \"%s\", which is not in the code", name);
    return expand_call(telling, GPOINTER_TO_SIZE(at) - 1, TRUE);
}

/* An indirect branch: the register has one of the targets that the file lists for it. */
static gboolean tell_jump(PsSassTelling *telling, const GArray *operands)
{
    PsSassTeller *teller = &telling->teller;
    const guint64 at = (guint64)teller->number * PS_SASS_BYTES;
    const PsSassOperand *base =
        operands->len > 0 ? &g_array_index(operands, PsSassOperand, 0) : NULL;
    const gint64 offset = operands->len > 1 ? g_array_index(operands, PsSassOperand, 1).value : 0;
    for (guint i = 0; i < teller->kernel->jumps->len; i++) {
        const PsSassJump *jump = &g_array_index(teller->kernel->jumps, PsSassJump, i);
        if (jump->at != at || !base || base->reg < 0 ||
            (base->kind != PS_SASS_REGISTER && base->kind != PS_SASS_UNIFORM))
            continue;
        const gboolean uniform = base->kind == PS_SASS_UNIFORM;
        for (guint k = 0; k < jump->targets->len; k++) {
            const gint64 target = (gint64)g_array_index(jump->targets, guint64, k);
            g_autofree char *label = ps_sass_label(teller, target);
            ps_sass_say(teller, FALSE, "setp.eq.s32 %%s0,%%%c%d,%" G_GINT64_FORMAT,
                        uniform ? 'u' : 'r', base->reg,
                        target - offset - (gint64)at - PS_SASS_BYTES);
            ps_sass_say(teller, k == jump->targets->len - 1, "@%%s0 bra %s", label);
        }
        ps_sass_reads(teller,
                      (uniform ? PS_SASS_FIRST_UNIFORM : PS_SASS_FIRST_REGISTER) + (guint)base->reg,
                      FALSE);
        return TRUE;
    }
    return ps_sass_refuse(telling, "%s goes to places that the file does not name",
                          teller->instruction->opcode);
}

static void tell_return(PsSassTelling *telling)
{
    PsSassTeller *teller = &telling->teller;
    const PsSassStretch *stretch =
        &g_array_index(telling->open, PsSassStretch, telling->open->len - 1);
    if (teller->copy == 0) {
        ps_sass_say(teller, TRUE, "exit");
    } else {
        ps_sass_say(teller, TRUE, "bra E%u", teller->copy);
        ps_sass_add_edge(teller, (stretch->caller + G_GUINT64_CONSTANT(1)) * PS_SASS_BYTES);
    }
}

/* ---- instructions --------------------------------------------------------------------------- */

/* Instructions that are translated here, without a row of the table. */
static const PsSassRow control_rows[] = {{"CALL", "", NULL, "branch"}, {"RET", "", NULL, "branch"},
                                         {"BRX", "", NULL, "branch"},  {"BRXU", "", NULL, "branch"},
                                         {"JMP", "", NULL, "branch"},  {"JMX", "", NULL, "branch"},
                                         {"JMXU", "", NULL, "branch"}};

static const PsSassRow *control_row(const char *opcode)
{
    for (gsize i = 0; i < G_N_ELEMENTS(control_rows); i++)
        if (strcmp(control_rows[i].opcode, opcode) == 0)
            return &control_rows[i];
    return NULL;
}

static gboolean tell_control(PsSassTelling *telling, const PsSassRow *row, const GArray *operands)
{
    telling->teller.use->row = row;
    if (strcmp(row->opcode, "CALL") == 0)
        return tell_call(telling, operands);
    if (strcmp(row->opcode, "RET") == 0) {
        tell_return(telling);
        return TRUE;
    }
    return tell_jump(telling, operands);
}

/* A register, or the address that one is part of, as PTX; NULL: the operand has none. g_free. */
static char *plain_operand(const PsSassOperand *operand)
{
    static const char letters[] = "rupq";
    const gboolean address = operand->kind == PS_SASS_ADDRESS;
    if (address)
        return operand->reg == PS_SASS_ZERO ? g_strdup("[0]")
                                            : g_strdup_printf("[%%r%d]", operand->reg);
    if (operand->kind > PS_SASS_UNIFORM_PREDICATE)
        return NULL;
    return operand->reg == PS_SASS_ZERO
               ? g_strdup("_")
               : g_strdup_printf("%%%c%d", letters[operand->kind], operand->reg);
}

/* Under its own name, so that the executor meets what PTX has and nobody knows. A listing may have
 * anything for a name. Its registers are only there to tell what its results decide. */
static void tell_unknown(PsSassTeller *teller, const GArray *operands)
{
    const char *opcode = teller->instruction->opcode;
    const gboolean named =
        g_ascii_isupper(opcode[0]) &&
        opcode[strspn(opcode, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_.")] == '\0' &&
        !strstr(opcode, "..") && !g_str_has_suffix(opcode, ".");
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < operands->len; i++) {
        g_autofree char *one = plain_operand(&g_array_index(operands, PsSassOperand, i));
        if (one)
            g_string_append_printf(text, "%s%s", text->len ? "," : " ", one);
    }
    ps_sass_say(teller, TRUE, "%s%s", named ? opcode : "UNNAMED", text->str);
}

static gboolean is_zero(const PsSassOperand *operand)
{
    return operand->kind == PS_SASS_REGISTER && operand->reg == PS_SASS_ZERO;
}

/* TRUE where an arithmetic instruction only moves a value. Compilers move with whichever pipeline
 * is free: RZ is one of two factors, or a term of a sum of two. */
static gboolean only_moves(char *const *parts, const GArray *operands)
{
    static const char *const opcodes[] = {"FADD", "FFMA", "HADD2", "HFMA2", "IMAD", NULL};
    return g_strv_contains(opcodes, parts[0]) && operands->len > 2 &&
           (is_zero(&g_array_index(operands, PsSassOperand, 1)) ||
            is_zero(&g_array_index(operands, PsSassOperand, 2)));
}

/* The compiler knows better: a scoreboard where the table says that none is needed. */
static void check_latency(PsSassTeller *teller, const PsSassRow *row)
{
    const PsSassInstruction *instruction = teller->instruction;
    if (instruction->control.write == PS_SASS_NO_BARRIER ||
        ps_sass_latency(row, instruction->opcode, teller->image->capability) != PS_SASS_FIXED ||
        !g_hash_table_add(teller->warned, g_strdup(row->opcode)))
        return;
    g_ptr_array_add(teller->warnings,
                    g_strdup_printf("%s at 0x%x: %s has a scoreboard for its result, though its "
                                    "latency counts as fixed",
                                    teller->image->name, teller->number * PS_SASS_BYTES,
                                    instruction->opcode));
}

/* A number that a loader would fill in, as none does here: "32@lo(factors)". */
static gboolean needs_unknown_address(const PsSassTeller *teller)
{
    const char *operands = teller->instruction->operands;
    const gsize at = (gsize)teller->number * PS_SASS_BYTES;
    return operands && (strstr(operands, "@lo(") || strstr(operands, "@hi(")) &&
           !ps_sass_is_apart(teller) &&
           !g_hash_table_contains(teller->kernel->halves, GSIZE_TO_POINTER(at));
}

static gboolean tell_instruction(PsSassTelling *telling, guint number)
{
    PsSassTeller *teller = &telling->teller;
    g_auto(GStrv) kept = NULL, parts = NULL;
    guint at[PS_SASS_MOST_OPERANDS];
    enum { TEMPORARIES = 10 };
    teller->number = number;
    teller->instruction = &g_array_index(teller->listing->instructions, PsSassInstruction, number);
    teller->use = &g_array_index(teller->uses, PsSassUse, number);
    memset(teller->use, 0, sizeof *teller->use);
    teller->temporaries = TEMPORARIES;
    teller->parts = parts = g_strsplit(teller->instruction->opcode, ".", -1);
    g_autoptr(GArray) operands = ps_sass_operands(teller->instruction->operands, &kept);
    set_guard(teller);
    const PsSassRow *control = control_row(parts[0]);
    if (control)
        return tell_control(telling, control, operands);
    if (needs_unknown_address(teller))
        return ps_sass_refuse(telling, "%s needs an address that the file does not name",
                              teller->instruction->opcode);
    const PsSassRow *row = ps_sass_row(parts, operands, at);
    teller->use->moves = only_moves(parts, operands);
    if (row) {
        check_latency(teller, row);
        ps_sass_expand(teller, row, operands, at);
        ps_sass_count(teller, row, operands, at);
    } else {
        tell_unknown(teller, operands);
    }
    g_string_append(teller->body, teller->behind->str);
    for (; teller->n_behind > 0; teller->n_behind--)
        ps_sass_add_origin(teller, FALSE);
    g_string_truncate(teller->behind, 0);
    return TRUE;
}

gboolean ps_sass_tell_stretch(PsSassTelling *telling, PsSassStretch stretch)
{
    PsSassTeller *teller = &telling->teller;
    const guint outer = teller->copy;
    teller->copy = stretch.copy;
    g_array_append_val(telling->open, stretch);
    for (guint64 at = stretch.from; at < stretch.to; at += PS_SASS_BYTES) {
        if (g_hash_table_contains(telling->targets, GSIZE_TO_POINTER(at))) {
            g_autofree char *label = ps_sass_label(teller, (gint64)at);
            g_string_append_printf(teller->body, "%s:\n", label);
        }
        if (!tell_instruction(telling, (guint)(at / PS_SASS_BYTES)))
            return FALSE;
    }
    g_array_set_size(telling->open, telling->open->len - 1);
    teller->copy = outer;
    return TRUE;
}
