/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The loops are what ptxas of CUDA 12.9 writes for compute capabilities 8.0 and 9.0, told in PTX.
 * Each is a small module whose instructions take the place of the atomic operation: its registers
 * get numbers behind the function's own, and %a, %b, %d and %g are the operation's own operands and
 * its guard. The instruction trap stands for the operation itself.
 */
#include "ptx/code/swaps.h"
#include "ptx/arena.h"
#include <string.h>

static const char *const operations[] = {"add", "min", "max", "and", "or", "xor"};

/* Which kinds of numbers a loop is about, and in what registers they are. */
static const struct {
    PsPtxType type;
    const char *add; /* how PTX calls it in an instruction that computes */
    guint bits;
} numbers[] = {
    {PS_PTX_F32, "f32", 32},       {PS_PTX_F64, "f64", 64}, {PS_PTX_F16X2, "f16x2", 32},
    {PS_PTX_BF16X2, "bf16x2", 32}, {PS_PTX_F16, "f16", 16}, {PS_PTX_BF16, "bf16", 16},
    {PS_PTX_U64, "u64", 64},       {PS_PTX_S64, "s64", 64}, {PS_PTX_B64, "b64", 64},
};

/* An operation, and the function that it becomes part of. */
typedef struct {
    PsPtxFunction *to;
    const PsPtxInstruction *atomic;
    const PsPtxFunction *loop; /* of the small module */
    guint first_register;      /* of the loop's in the function */
    guint first;               /* of its instructions there */
} Splice;

static gboolean is(const PsPtxMnemonic *mnemonic, const char *opcode)
{
    return strcmp(mnemonic->opcode, opcode) == 0;
}

static const char *operation_of(const PsPtxMnemonic *mnemonic)
{
    for (guint i = 0; i < G_N_ELEMENTS(operations); i++)
        if (ps_ptx_has(mnemonic, operations[i]))
            return operations[i];
    return NULL;
}

/* Index of its kind of numbers, or -1. */
static int number_of(const PsPtxMnemonic *mnemonic)
{
    for (guint i = 0; mnemonic->n_types == 1 && i < G_N_ELEMENTS(numbers); i++)
        if (numbers[i].type == mnemonic->types[0])
            return (int)i;
    return -1;
}

gboolean ps_ptx_swaps(const PsPtxMnemonic *mnemonic)
{
    const int number = number_of(mnemonic);
    if ((!is(mnemonic, "atom") && !is(mnemonic, "red")) || number < 0 || mnemonic->vector > 1 ||
        !operation_of(mnemonic) || ps_ptx_has(mnemonic, "async") ||
        ps_ptx_has(mnemonic, "shared::cluster"))
        return FALSE;
    return mnemonic->space == PS_PTX_SHARED || mnemonic->space == PS_PTX_GENERIC ||
           (mnemonic->space == PS_PTX_GLOBAL && numbers[number].bits == 16);
}

/* ---- the loop's text ------------------------------------------------------------------------ */

/* A generic address that is not in shared memory is left to the operation itself, unless it adds
 * single halves. The least and the greatest are not written where they are there already. A single
 * half keeps what the swap returned, where others read again. */
static char *text_of(const PsPtxInstruction *atomic, gboolean used)
{
    const PsPtxMnemonic *mnemonic = atomic->mnemonic;
    const char *operation = operation_of(mnemonic), *type = numbers[number_of(mnemonic)].add;
    const guint bits = numbers[number_of(mnemonic)].bits;
    const gboolean half = bits == 16, asks = mnemonic->space == PS_PTX_GENERIC && !half;
    const char *space = mnemonic->space == PS_PTX_GLOBAL           ? ".global"
                        : mnemonic->space == PS_PTX_SHARED || asks ? ".shared"
                                                                   : "";
    const char *at = asks ? "%at" : "%a";
    const gboolean stays = operation[0] == 'm';
    GString *text = g_string_new(".version 8.6\n.target sm_100\n.address_size 64\n.func loop() {\n"
                                 ".reg .pred %g, %again, %stays, %in;\n.reg .b64 %a, %at;\n");
    g_string_append_printf(text, ".reg .b%u %%b, %%d, %%old, %%new, %%got;\n", bits);
    if (atomic->guard >= 0)
        g_string_append(text, "@%g bra END;\n");
    if (asks)
        g_string_append(text, "isspacep.shared %in, %a;\n@!%in bra ELSE;\n"
                              "cvta.to.shared.u64 %at, %a;\n");
    g_string_append_printf(text, "%sld%s.b%u %%old, [%s];\n%s", half ? "" : "LOOP: ", space, bits,
                           at, half ? "LOOP: " : "");
    g_string_append_printf(text, "%s.%s %%new, %%old, %%b;\n", operation, type);
    if (stays)
        g_string_append_printf(text, "setp.eq.b%u %%stays, %%new, %%old;\n@%%stays bra DONE;\n",
                               bits);
    g_string_append_printf(text,
                           "atom%s.cas.b%u %%got, [%s], %%old, %%new;\n"
                           "setp.ne.b%u %%again, %%got, %%old;\n%s@%%again bra LOOP;\nDONE:\n",
                           space, bits, at, bits, half ? "mov.b16 %old, %got;\n" : "");
    if (used)
        g_string_append_printf(text, "mov.b%u %%d, %%old;\n", bits);
    g_string_append(text, asks ? "bra.uni END;\nELSE: trap;\nEND:\n}\n" : "END:\n}\n");
    return g_string_free(text, FALSE);
}

/* ---- putting it in place -------------------------------------------------------------------- */

static const char *name_of(const Splice *splice, gint32 reg)
{
    return g_array_index(splice->loop->registers, PsPtxRegister, reg).name;
}

/* The operation's operand of a name, "d", "a" or "b"; NULL: the register is the loop's own. */
static const PsPtxOperand *given(const Splice *splice, const char *name)
{
    static const char names[] = "dab";
    const guint without = is(splice->atomic->mnemonic, "red");
    const char *found = strchr(names, name[0]);
    return found && !name[1] ? &splice->atomic->operands[found - names - without] : NULL;
}

/* %at has the address that %a is in shared memory, but for what is added to it. */
static PsPtxOperand operand_of(const Splice *splice, const PsPtxOperand *operand)
{
    PsPtxOperand mine = *operand;
    const gboolean memory = operand->kind == PS_PTX_OPERAND_ADDRESS;
    if (operand->kind == PS_PTX_OPERAND_LABEL)
        mine.value += splice->first;
    if ((!memory && operand->kind != PS_PTX_OPERAND_REGISTER) || operand->reg < 0)
        return mine;
    const char *name = name_of(splice, operand->reg) + 1;
    const PsPtxOperand *from = given(splice, name);
    if (from) {
        mine = *from;
        if (!memory && from->kind == PS_PTX_OPERAND_ADDRESS) {
            mine.kind = PS_PTX_OPERAND_REGISTER; /* what isspacep and cvta ask about */
            mine.value = 0;
        }
        return mine;
    }
    mine.reg += (gint32)splice->first_register;
    if (memory && strcmp(name, "at") == 0)
        mine.value = given(splice, "a")->value;
    return mine;
}

static void splice_one(const Splice *splice, const PsPtxInstruction *step, PsPtxModule *storage)
{
    PsPtxInstruction mine = *splice->atomic;
    mine.guard = -1;
    mine.guard_negated = FALSE;
    if (!is(step->mnemonic, "trap")) {
        mine.mnemonic = step->mnemonic;
        mine.n_operands = step->n_operands;
        mine.pair = step->pair;
        mine.operands =
            ps_ptx_arena_get(storage->storage, step->n_operands * sizeof *mine.operands);
        for (guint i = 0; i < step->n_operands; i++)
            mine.operands[i] = operand_of(splice, &step->operands[i]);
    }
    if (step->guard >= 0 && strcmp(name_of(splice, step->guard), "%g") == 0) {
        mine.guard = splice->atomic->guard;
        mine.guard_negated = !splice->atomic->guard_negated;
    } else if (step->guard >= 0) {
        mine.guard = step->guard + (gint32)splice->first_register;
        mine.guard_negated = step->guard_negated;
    }
    g_array_append_val(splice->to->instructions, mine);
}

/* TRUE if the operation's result goes to a register. */
static gboolean is_used(const PsPtxInstruction *atomic)
{
    return is(atomic->mnemonic, "atom") && atomic->operands[0].kind == PS_PTX_OPERAND_REGISTER;
}

static void splice_loop(PsPtxFunction *to, const PsPtxInstruction *atomic, GPtrArray *storage)
{
    g_autofree char *text = text_of(atomic, is_used(atomic));
    PsPtxModule *module = ps_ptx_parse(text, strlen(text), "loop", NULL);
    g_assert(module);
    g_ptr_array_add(storage, module);
    const Splice splice = {to, atomic, module->functions->pdata[0], to->registers->len,
                           to->instructions->len};
    g_array_append_vals(to->registers, splice.loop->registers->data, splice.loop->registers->len);
    for (guint i = 0; i < splice.loop->instructions->len; i++)
        splice_one(&splice, &g_array_index(splice.loop->instructions, PsPtxInstruction, i), module);
}

/* TRUE if a loop can be written out: an address of the generic space is asked about in a register.
 */
static gboolean expands(const PsPtxInstruction *instruction)
{
    const guint at = is(instruction->mnemonic, "atom");
    return ps_ptx_swaps(instruction->mnemonic) && instruction->n_operands == 2 + at &&
           instruction->operands[at].kind == PS_PTX_OPERAND_ADDRESS &&
           (instruction->mnemonic->space != PS_PTX_GENERIC || instruction->operands[at].reg >= 0);
}

/* ---- the function --------------------------------------------------------------------------- */

/* Labels are numbers of instructions, which moved. */
static void move_labels(PsPtxInstruction *instruction, const guint *moved, PsPtxModule *storage)
{
    PsPtxOperand *own = NULL;
    for (guint i = 0; i < instruction->n_operands; i++) {
        if (instruction->operands[i].kind != PS_PTX_OPERAND_LABEL)
            continue;
        if (!own) {
            const gsize size = instruction->n_operands * sizeof *own;
            own = ps_ptx_arena_get(storage->storage, size);
            memcpy(own, instruction->operands, size);
        }
        own[i].value = moved[own[i].value];
    }
    if (own)
        instruction->operands = own;
}

static GHashTable *moved_tables(GHashTable *tables, const guint *moved)
{
    GHashTable *mine = g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
                                             (GDestroyNotify)(void (*)(void))g_array_unref);
    GHashTableIter iter;
    gpointer name, targets;
    g_hash_table_iter_init(&iter, tables);
    while (g_hash_table_iter_next(&iter, &name, &targets)) {
        GArray *table = g_array_copy(targets);
        for (guint i = 0; i < table->len; i++)
            g_array_index(table, guint, i) = moved[g_array_index(table, guint, i)];
        g_hash_table_insert(mine, name, table);
    }
    return mine;
}

static void fill(PsPtxFunction *to, const PsPtxFunction *from, GPtrArray *storage)
{
    const guint n = from->instructions->len;
    g_autofree guint *moved = g_new(guint, (gsize)n + 1);
    g_autoptr(GArray) plain = g_array_new(FALSE, FALSE, sizeof(guint)); /* these have old labels */
    for (guint i = 0; i < n; i++) {
        const PsPtxInstruction *old = &g_array_index(from->instructions, PsPtxInstruction, i);
        moved[i] = to->instructions->len;
        if (expands(old)) {
            splice_loop(to, old, storage);
        } else {
            g_array_append_val(plain, moved[i]);
            g_array_append_val(to->instructions, *old);
        }
    }
    moved[n] = to->instructions->len;
    for (guint i = 0; i < plain->len; i++)
        move_labels(
            &g_array_index(to->instructions, PsPtxInstruction, g_array_index(plain, guint, i)),
            moved, storage->pdata[0]);
    to->tables = moved_tables(from->tables, moved);
}

PsPtxFunction *ps_ptx_swaps_expand(const PsPtxFunction *function, GPtrArray *storage)
{
    gboolean any = FALSE;
    for (guint i = 0; i < function->instructions->len && !any; i++)
        any = expands(&g_array_index(function->instructions, PsPtxInstruction, i));
    if (!any)
        return NULL;
    PsPtxFunction *mine = g_memdup2(function, sizeof *function);
    mine->registers = g_array_copy(function->registers);
    mine->instructions = g_array_new(FALSE, FALSE, sizeof(PsPtxInstruction));
    fill(mine, function, storage);
    return mine;
}

void ps_ptx_swaps_free(gpointer function)
{
    PsPtxFunction *mine = function;
    g_array_unref(mine->registers);
    g_array_unref(mine->instructions);
    g_hash_table_unref(mine->tables);
    g_free(mine);
}
