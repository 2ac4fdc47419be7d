/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Goes through a kernel's machine code and writes it as PTX. The code of a subroutine is repeated
 * wherever it is called, with labels of its own.
 */
#include "sass/tell.h"

#include "ptx/instruction.h"

#include <string.h>

#define MOST_COPIES 4096
#define MOST_DEPTH 32

/* A range of code that is being translated: the kernel's own, or a copy of a subroutine. */
typedef struct {
    guint copy;
    guint64 from, to; /* offsets */
    guint caller;     /* instruction */
} Stretch;

typedef struct {
    PsSassTeller teller;
    GArray *open; /* Stretch: the kernel, the subroutine that it calls, and so on */
    guint copies;
    GHashTable *targets; /* offsets of instructions that branches go to */
} Telling;

static gboolean refuse(const Telling *telling, const char *format, ...) G_GNUC_PRINTF(2, 3);

static gboolean refuse(const Telling *telling, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error(telling->teller.error, PS_ERROR, PS_ERROR_VALUE, "kernel \"%s\" at 0x%x: %s",
                telling->teller.kernel->name, telling->teller.number * PS_SASS_BYTES, text);
    return FALSE;
}

/* The instruction may go on at that offset. */
static void add_edge(PsSassTeller *teller, guint64 target)
{
    const PsSassEdge edge = {teller->number, (guint)(target / PS_SASS_BYTES)};
    if (edge.to < teller->listing->instructions->len)
        g_array_append_val(teller->edges, edge);
}

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

static gboolean tell_stretch(Telling *telling, Stretch stretch);

/* TRUE if an instruction begins at the offset. */
static gboolean is_place(const PsSassTeller *teller, guint64 offset)
{
    return offset % PS_SASS_BYTES == 0 && offset < teller->kernel->text.size;
}

static gboolean is_open(const Telling *telling, guint64 start)
{
    for (guint i = 0; i < telling->open->len; i++)
        if (g_array_index(telling->open, Stretch, i).from == start)
            return TRUE;
    return FALSE;
}

/* Where the subroutine that begins at `start` ends: at the next one. */
static guint64 end_of_subroutine(const PsSassTeller *teller, guint64 start)
{
    guint64 end = teller->kernel->text.size;
    GHashTableIter iter;
    gpointer at;
    g_hash_table_iter_init(&iter, teller->kernel->subroutines);
    while (g_hash_table_iter_next(&iter, NULL, &at)) {
        const guint64 other = GPOINTER_TO_SIZE(at) - 1;
        if (other > start && other < end)
            end = other;
    }
    return end;
}

/* Translates a copy of the subroutine at `start`, for lanes whose guard is true. */
static gboolean expand_call(Telling *telling, guint64 start, gboolean stands)
{
    PsSassTeller *teller = &telling->teller;
    const Stretch stretch = {++telling->copies, start, end_of_subroutine(teller, start),
                             teller->number};
    if (!is_place(teller, start))
        return refuse(telling,
                      "a call of 0x%" G_GINT64_MODIFIER "x, where the code has no instruction",
                      start);
    if (is_open(telling, start))
        return refuse(telling, "a subroutine that calls itself is not supported");
    if (telling->copies > MOST_COPIES || telling->open->len > MOST_DEPTH)
        return refuse(telling, "more than %d calls, or %d within each other", MOST_COPIES,
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
    add_edge(teller, start);
    if (!tell_stretch(telling, stretch))
        return FALSE;
    teller->number = number;
    g_string_append_printf(teller->body, "E%u:\n", copy);
    return TRUE;
}

/* One after the other, each of the functions that the register may say, except those that are
 * running already. */
static gboolean tell_call_of_any(Telling *telling, const PsSassOperand *callee)
{
    PsSassTeller *teller = &telling->teller;
    const guint depth = telling->open->len;
    g_autoptr(GArray) callees = ps_sass_callees(teller);
    for (guint i = callees->len; i-- > 0;)
        if (is_open(telling, g_array_index(callees, guint32, i)))
            g_array_remove_index(callees, i);
    if (callees->len == 0 || callee->reg == PS_SASS_ZERO || depth > MOST_DEPTH)
        return refuse(telling, "a call through %s, and the file names nothing that it may call",
                      callee->text);
    ps_sass_note_callee(teller, callee, depth, callees);
    for (guint i = 0; i < callees->len; i++) {
        const guint32 one = g_array_index(callees, guint32, i);
        ps_sass_guard_callee(teller, depth, one);
        if (ps_sass_is_outside(one))
            ps_sass_call_outside(teller, one);
        else if (!expand_call(telling, one, FALSE))
            return FALSE;
    }
    return TRUE;
}

/* A call of a place in the code that is running, behind which nothing returns: compilers jump with
 * it, too, since a call notes nowhere to return to. */
static gboolean is_jump(const Telling *telling, guint64 target)
{
    const Stretch *here = &g_array_index(telling->open, Stretch, telling->open->len - 1);
    const GArray *list = telling->teller.listing->instructions;
    if (target < here->from || target >= here->to)
        return FALSE;
    for (guint64 at = target; at < here->to; at += PS_SASS_BYTES)
        if (g_str_has_prefix(g_array_index(list, PsSassInstruction, at / PS_SASS_BYTES).opcode,
                             "RET"))
            return FALSE;
    return TRUE;
}

static gboolean tell_call(Telling *telling, const GArray *operands)
{
    PsSassTeller *teller = &telling->teller;
    const PsSassOperand *last =
        operands->len > 0 ? &g_array_index(operands, PsSassOperand, operands->len - 1) : NULL;
    if (!last) {
        g_autofree char *what = ps_sass_call_apart(teller);
        return refuse(telling, "%s", what);
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
        return refuse(telling, "a call of \"%s\", which is not in the code", name);
    return expand_call(telling, GPOINTER_TO_SIZE(at) - 1, TRUE);
}

/* An indirect branch: the register has one of the targets that the file lists for it. */
static gboolean tell_jump(Telling *telling, const GArray *operands)
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
    return refuse(telling, "%s goes to places that the file does not name",
                  teller->instruction->opcode);
}

static void tell_return(Telling *telling)
{
    PsSassTeller *teller = &telling->teller;
    const Stretch *stretch = &g_array_index(telling->open, Stretch, telling->open->len - 1);
    if (teller->copy == 0) {
        ps_sass_say(teller, TRUE, "exit");
    } else {
        ps_sass_say(teller, TRUE, "bra E%u", teller->copy);
        add_edge(teller, (stretch->caller + G_GUINT64_CONSTANT(1)) * PS_SASS_BYTES);
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

static gboolean tell_control(Telling *telling, const PsSassRow *row, const GArray *operands)
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

static gboolean tell_instruction(Telling *telling, guint number)
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

static gboolean tell_stretch(Telling *telling, Stretch stretch)
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

/* ---- the whole ------------------------------------------------------------------------------ */

/* Where a branch goes: the number behind the last comma. */
static guint64 target_of(const PsSassInstruction *instruction)
{
    const char *last = instruction->operands ? strrchr(instruction->operands, ',') : NULL;
    last = last ? last + 1 : instruction->operands ? instruction->operands : "";
    return g_ascii_strtoull(last, NULL, 0);
}

/* TRUE for branches, and for calls that may be one (is_jump). */
static gboolean is_branch(const PsSassTeller *teller, const PsSassInstruction *instruction)
{
    return g_str_has_prefix(instruction->opcode, "BRA") ||
           (g_str_has_prefix(instruction->opcode, "CALL") && instruction->operands &&
            g_str_has_prefix(instruction->operands, "0x") &&
            is_place(teller, target_of(instruction)));
}

static gboolean add_target(Telling *telling, guint64 target)
{
    add_edge(&telling->teller, target);
    if (!is_place(&telling->teller, target))
        return refuse(telling,
                      "a branch to 0x%" G_GINT64_MODIFIER "x, where the code has no instruction",
                      target);
    g_hash_table_add(telling->targets, GSIZE_TO_POINTER(target));
    return TRUE;
}

/* Notes where branches go. FALSE and *error: one leaves the code. */
static gboolean find_targets(Telling *telling)
{
    PsSassTeller *teller = &telling->teller;
    const GArray *list = teller->listing->instructions;
    for (teller->number = 0; teller->number < list->len; teller->number++) {
        const PsSassInstruction *instruction =
            &g_array_index(list, PsSassInstruction, teller->number);
        if (!is_branch(teller, instruction))
            continue;
        const guint64 target = target_of(instruction);
        if (!add_target(telling, target))
            return FALSE;
    }
    for (guint i = 0; i < teller->kernel->jumps->len; i++) {
        const PsSassJump *jump = &g_array_index(teller->kernel->jumps, PsSassJump, i);
        teller->number = (guint)(jump->at / PS_SASS_BYTES);
        for (guint k = 0; k < jump->targets->len; k++)
            if (!add_target(telling, g_array_index(jump->targets, guint64, k)))
                return FALSE;
    }
    return TRUE;
}

/* TRUE if another branch goes to the instruction there. */
static gboolean is_reached(const PsSassTeller *teller, guint64 at)
{
    const GArray *list = teller->listing->instructions;
    for (guint i = 0; i < list->len; i++) {
        const PsSassInstruction *other = &g_array_index(list, PsSassInstruction, i);
        if (i != at / PS_SASS_BYTES && strcmp(other->opcode, "BRA") == 0 && target_of(other) == at)
            return TRUE;
    }
    return FALSE;
}

/* Where the code before that offset ends, without the instructions that only fill the section. An
 * endless loop of the kernel's own may be a branch to itself, too, which others reach. */
static guint64 end_of_code(const PsSassTeller *teller, guint64 end)
{
    const GArray *list = teller->listing->instructions;
    while (end > PS_SASS_BYTES) {
        const PsSassInstruction *last =
            &g_array_index(list, PsSassInstruction, end / PS_SASS_BYTES - 1);
        const gboolean stays = strcmp(last->opcode, "BRA") == 0 && !last->guard &&
                               target_of(last) == end - PS_SASS_BYTES &&
                               !is_reached(teller, end - PS_SASS_BYTES);
        if (strcmp(last->opcode, "NOP") != 0 && !stays)
            break;
        end -= PS_SASS_BYTES;
    }
    return end;
}

/* Where the kernel's own code ends: at the first subroutine, or at the instructions that only fill
 * the section. */
static guint64 end_of_kernel(const PsSassTeller *teller)
{
    guint64 end = teller->kernel->text.size;
    GHashTableIter iter;
    gpointer at;
    g_hash_table_iter_init(&iter, teller->kernel->subroutines);
    while (g_hash_table_iter_next(&iter, NULL, &at))
        if (GPOINTER_TO_SIZE(at) > 1)
            end = MIN(end, GPOINTER_TO_SIZE(at) - 1);
    return end_of_code(teller, end);
}

static void append_registers(const PsSassTeller *teller, GString *text)
{
    GHashTableIter iter;
    gpointer name;
    g_string_append(text, "    .reg .b32 %r<256>;\n    .reg .b32 %u<256>;\n"
                          "    .reg .pred %p<8>;\n    .reg .pred %q<8>;\n"
                          "    .reg .b32 %t<64>;\n    .reg .b64 %w<64>;\n"
                          "    .reg .b16 %h<4>;\n    .reg .pred %s<64>;\n"
                          "    .reg .b32 %k<40>;\n"
                          "    .reg .b32 %bar;\n    .reg .pred %barp;\n    .reg .pred %never;\n");
    g_hash_table_iter_init(&iter, teller->constants);
    while (g_hash_table_iter_next(&iter, &name, NULL))
        g_string_append_printf(text, "    .reg .b%d %s;\n",
                               ((const char *)name)[1] == 'd' ? 64 : 32, (const char *)name);
}

static guint64 shared_bytes(const PsSassTeller *teller)
{
    return MAX(teller->kernel->shared, ps_sass_system_bytes(teller->image));
}

static char *module_text(PsSassTeller *teller)
{
    GString *text = g_string_new(NULL);
    const guint64 shared = shared_bytes(teller);
    g_string_append_printf(text, ".version 8.5\n.target sm_%d\n.address_size 64\n",
                           teller->image->capability);
    ps_sass_declare(teller, text);
    ps_sass_declare_outside(teller->image, text);
    g_string_append(text, ".extern .shared .align 16 .b8 dynamic_[];\n");
    g_string_append_printf(text, ".visible .entry %s(", teller->kernel->name);
    ps_sass_append_params(teller->kernel, teller->named, text);
    g_string_append(text, ")\n");
    ps_sass_append_limits(teller->kernel, text);
    g_string_append(text, "{\n");
    append_registers(teller, text);
    if (shared > 0)
        g_string_append_printf(text, "    .shared .align 16 .b8 shared_[%" G_GUINT64_FORMAT "];\n",
                               shared);
    if (teller->kernel->frame > 0)
        g_string_append_printf(text, "    .local .align 16 .b8 stack_[%" G_GUINT64_FORMAT "];\n",
                               teller->kernel->frame);
    g_string_append_printf(text, "%s%s}\n", teller->start->str, teller->body->str);
    return g_string_free(text, FALSE);
}

/* Names the kernel's memory once, since ptx/run gives none to a variable that no instruction names.
 */
static void name_variables(PsSassTeller *teller)
{
    const PsSassOrigin origin = {G_MAXUINT, FALSE};
    guint n = 1;
    g_string_append(teller->start, "setp.ne.u32 %never,0,0;\n");
    if (shared_bytes(teller) > 0) {
        g_string_append(teller->start, "mov.u32 %t0,shared_;\n");
        n++;
    }
    g_string_append(teller->start, "mov.u32 %t0,dynamic_;\n");
    n++;
    for (; n > 0; n--)
        g_array_append_val(teller->first_origins, origin);
}

static gboolean tell_all(Telling *telling)
{
    PsSassTeller *teller = &telling->teller;
    if (!find_targets(telling))
        return FALSE;
    name_variables(teller);
    const Stretch kernel = {0, 0, end_of_kernel(teller), G_MAXUINT};
    return tell_stretch(telling, kernel);
}

/* Whether an instruction is of a subroutine that the assembler has put in, such as a division's. */
static gboolean is_internal(const PsSassKernel *kernel, guint machine)
{
    const guint64 address = (guint64)machine * PS_SASS_BYTES;
    guint64 start = 0;
    gboolean internal = FALSE;
    GHashTableIter iter;
    gpointer name, at;
    g_hash_table_iter_init(&iter, kernel->subroutines);
    while (g_hash_table_iter_next(&iter, &name, &at)) {
        const guint64 begin = GPOINTER_TO_SIZE(at) - 1;
        if (begin > address || begin < start)
            continue;
        start = begin;
        internal = g_str_has_prefix(name, "$__internal_");
    }
    return internal;
}

/* What has no line is near that of what comes before it: of a subroutine, of its call. */
static void set_near(PsPtxInstruction *instruction, const PsPtxInstruction *before)
{
    if (before->source_line == 0)
        return;
    instruction->file = before->file;
    instruction->source_line = before->source_line;
    instruction->call = before->call;
}

/* Each of PTX has the address of its machine instruction, and the line of the source that it has.
 */
static void set_lines(PsSassCode *code, const PsSassKernel *sass)
{
    const PsPtxFunction *kernel = code->module->functions->pdata[0];
    const PsSassLines *lines = code->lines;
    const guint n_files = MIN(lines->files->len, G_MAXUINT16);
    code->module->machine = TRUE;
    for (guint i = 0; i < n_files; i++)
        g_hash_table_insert(code->module->files, GUINT_TO_POINTER(i + 1),
                            g_strdup(lines->files->pdata[i]));
    for (guint i = 1; i < lines->calls->len; i++) {
        const PsSassCall *call = &g_array_index(lines->calls, PsSassCall, i);
        const PsPtxCallSite site = {call->file > n_files ? 0 : (guint16)call->file, call->line,
                                    call->call};
        g_array_append_val(code->module->calls, site);
    }
    for (guint i = 0; i < kernel->instructions->len; i++) {
        const guint machine = g_array_index(code->origins, PsSassOrigin, i).machine;
        PsPtxInstruction *instruction = &g_array_index(kernel->instructions, PsPtxInstruction, i);
        instruction->line = machine == G_MAXUINT ? 0 : (int)(machine * PS_SASS_BYTES);
        if (machine >= lines->n || lines->places[machine].file > n_files)
            continue;
        const PsSassPlace *place = &lines->places[machine];
        instruction->file = (guint16)place->file;
        instruction->source_line = place->line;
        instruction->near = (place->near || is_internal(sass, machine)) && place->line > 0;
        instruction->call = place->call;
        if (instruction->near && i > 0)
            set_near(instruction, instruction - 1);
    }
}

static gboolean parse(PsSassCode *code, PsSassTeller *teller)
{
    g_autofree char *text = module_text(teller);
    code->module = ps_ptx_parse(text, strlen(text), teller->image->name, teller->error);
    if (!code->module)
        return FALSE;
    ps_sass_put_kernel_first(code->module);
    /* What the reader says is of lines that nobody wrote. */
    g_ptr_array_set_size(code->module->warnings, 0);
    for (guint i = 0; i < teller->warnings->len; i++)
        g_ptr_array_add(code->module->warnings, g_strdup(teller->warnings->pdata[i]));
    g_array_append_vals(teller->first_origins, teller->origins->data, teller->origins->len);
    code->origins = g_array_ref(teller->first_origins);
    code->uses = g_array_ref(teller->uses);
    code->edges = g_array_ref(teller->edges);
    code->lines = ps_sass_lines_new(teller->image, teller->kernel);
    code->capability = teller->image->capability;
    code->n = (guint)(end_of_code(teller, teller->kernel->text.size) / PS_SASS_BYTES);
    code->registers = teller->kernel->registers;
    code->frame = teller->kernel->frame;
    code->system = code->module->system = ps_sass_system_bytes(teller->image);
    set_lines(code, teller->kernel);
    return TRUE;
}

PsSassCode *ps_sass_code_new(const PsSassImage *image, const PsSassKernel *kernel,
                             PsSassListing *listing, const PsPtxFunction *named, GError **error)
{
    g_autoptr(PsSassCode) code = g_new0(PsSassCode, 1);
    Telling telling = {
        .teller = {.image = image,
                   .kernel = kernel,
                   .named = named,
                   .listing = listing,
                   .start = g_string_new(NULL),
                   .body = g_string_new(NULL),
                   .first_origins = g_array_new(FALSE, FALSE, sizeof(PsSassOrigin)),
                   .origins = g_array_new(FALSE, FALSE, sizeof(PsSassOrigin)),
                   .constants = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
                   .uses = g_array_new(FALSE, TRUE, sizeof(PsSassUse)),
                   .edges = g_array_new(FALSE, FALSE, sizeof(PsSassEdge)),
                   .warnings = g_ptr_array_new_with_free_func(g_free),
                   .warned = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
                   .error = error,
                   .behind = g_string_new(NULL)},
        .open = g_array_new(FALSE, FALSE, sizeof(Stretch)),
        .targets = g_hash_table_new(NULL, NULL)};
    PsSassTeller *teller = &telling.teller;
    code->listing = listing;
    g_array_set_size(teller->uses, listing->instructions->len);
    const gboolean good = tell_all(&telling) && parse(code, teller);
    g_string_free(teller->start, TRUE);
    g_string_free(teller->body, TRUE);
    g_string_free(teller->behind, TRUE);
    g_array_unref(teller->first_origins);
    g_array_unref(teller->origins);
    g_hash_table_unref(teller->constants);
    g_array_unref(teller->uses);
    g_array_unref(teller->edges);
    g_ptr_array_unref(teller->warnings);
    g_hash_table_unref(teller->warned);
    g_free(teller->guard);
    g_array_unref(telling.open);
    g_hash_table_unref(telling.targets);
    return good ? g_steal_pointer(&code) : NULL;
}

void ps_sass_code_free(PsSassCode *code)
{
    if (!code)
        return;
    g_clear_pointer(&code->module, ps_ptx_free);
    g_clear_pointer(&code->listing, ps_sass_listing_free);
    g_clear_pointer(&code->uses, g_array_unref);
    g_clear_pointer(&code->edges, g_array_unref);
    g_clear_pointer(&code->lines, ps_sass_lines_free);
    g_clear_pointer(&code->origins, g_array_unref);
    g_free(code);
}
