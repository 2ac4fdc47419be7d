/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The loops are those that ptxas of CUDA 12.9 writes for compute capabilities 8.0 and 9.0, as PTX.
 * Each is a small module whose instructions take the place of the atomic operation: its registers
 * get numbers behind the function's own, and %a, %b, %d and %g are the operation's own operands and
 * its guard. The instruction trap stands for the operation itself.
 */
#include "ptx/code/swaps.h"
#include "ptx/arena.h"
#include "ptx/code/rewrite.h"
#include "ptx/form.h"
#include <string.h>

static const char *const operations[] = {"add", "min", "max", "and", "or", "xor", "cas"};

/* The kinds of numbers that loops are for, and the types of their registers. */
static const struct {
    const char *add; /* name of the type in an instruction that computes */
    PsPtxType type;
    guint bits;
} numbers[] = {
    {"f32", PS_PTX_F32, 32},       {"f64", PS_PTX_F64, 64}, {"f16x2", PS_PTX_F16X2, 32},
    {"bf16x2", PS_PTX_BF16X2, 32}, {"f16", PS_PTX_F16, 16}, {"bf16", PS_PTX_BF16, 16},
    {"u64", PS_PTX_U64, 64},       {"s64", PS_PTX_S64, 64}, {"b64", PS_PTX_B64, 64},
    {"b16", PS_PTX_B16, 16},
};

/* An operation, and the function that gets its loop. */
typedef struct {
    PsPtxFunction *to;
    const PsPtxInstruction *atomic;
    const PsPtxFunction *loop; /* the function of the small module */
    guint first_register;      /* number of the loop's first register in the function */
    guint first;               /* number of its first instruction in the function */
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

/* Index of the operation's kind of numbers, or -1. */
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
        !operation_of(mnemonic) || ps_ptx_has(mnemonic, "async"))
        return FALSE;
    if (numbers[number].bits == 16)
        return TRUE;
    return (mnemonic->space == PS_PTX_SHARED || mnemonic->space == PS_PTX_GENERIC) &&
           !ps_ptx_has(mnemonic, "cas"); /* a compare-and-swap of these is one instruction */
}

/* ---- the loop's text ------------------------------------------------------------------------ */

/* The values that the texts are made from. */
typedef struct {
    const PsPtxInstruction *atomic;
    const char *operation, *type;
    guint bits;       /* bits of a number */
    guint place_bits; /* bits of the register that has the address */
    gboolean used;    /* the operation's result goes to a register */
    gboolean far;     /* the address may lie in shared memory of other groups, where the
                         operation is a loop, too */
} Loop;

/* The memory that the operation names, in the form of accesses. */
static const char *space_of(const PsPtxMnemonic *mnemonic)
{
    if (ps_ptx_has(mnemonic, "shared::cluster"))
        return ".shared::cluster";
    return mnemonic->space == PS_PTX_GLOBAL   ? ".global"
           : mnemonic->space == PS_PTX_SHARED ? ".shared"
                                              : "";
}

/* Appends a loop that reads, computes and swaps until no other write came between. A least or
 * greatest value that is there already is not written. */
static void add_loop(GString *text, const Loop *loop, const char *label, const char *space,
                     const char *at)
{
    g_string_append_printf(text, "%s: ld%s.b%u %%old, [%s];\n", label, space, loop->bits, at);
    g_string_append_printf(text, "%s.%s %%new, %%old, %%b;\n", loop->operation, loop->type);
    if (loop->operation[0] == 'm')
        g_string_append_printf(text, "setp.eq.b%u %%stays, %%new, %%old;\n@%%stays bra DONE;\n",
                               loop->bits);
    g_string_append_printf(text,
                           "atom%s.cas.b%u %%got, [%s], %%old, %%new;\n"
                           "setp.ne.b%u %%again, %%got, %%old;\n@%%again bra %s;\n",
                           space, loop->bits, at, loop->bits, label);
}

/* Appends the test whether the address lies in the group's own shared memory, and the computation
 * of its place there. */
static void add_question(GString *text, const Loop *loop)
{
    if (loop->atomic->mnemonic->space == PS_PTX_GENERIC)
        g_string_append(text, "isspacep.shared %in, %a;\n@!%in bra ELSE;\n"
                              "cvta.to.shared.u64 %at, %a;\n");
    else
        g_string_append_printf(text,
                               "getctarank.shared::cluster.u%u %%rank, %%a;\n"
                               "mov.u32 %%mine, %%cluster_ctarank;\n"
                               "setp.eq.u32 %%in, %%rank, %%mine;\n@!%%in bra ELSE;\n",
                               loop->place_bits);
}

/* Appends the way for other addresses: the operation itself, or a loop for singles and doubles in
 * shared memory of other groups of a cluster, where they have no such operation. */
static void add_elsewhere(GString *text, const Loop *loop)
{
    const gboolean asks = loop->atomic->mnemonic->space == PS_PTX_GENERIC;
    g_string_append(text, "bra.uni DONE;\nELSE:\n");
    if (loop->far && asks)
        g_string_append(text, "isspacep.shared::cluster %in, %a;\n@!%in bra ITSELF;\n");
    if (loop->far)
        add_loop(text, loop, "FAR", asks ? "" : ".shared::cluster", "%a");
    if (loop->far && asks)
        g_string_append(text, "bra.uni DONE;\n");
    if (!loop->far || asks)
        g_string_append(text, "ITSELF: trap;\nbra.uni END;\n");
}

static void add_numbers(GString *text, const Loop *loop)
{
    const PsPtxMnemonic *mnemonic = loop->atomic->mnemonic;
    const char *space = space_of(mnemonic);
    const gboolean asks = mnemonic->space == PS_PTX_GENERIC || strstr(space, "cluster");
    g_string_append_printf(text, ".reg .b%u %%b, %%d, %%old, %%new, %%got;\n", loop->bits);
    if (asks)
        add_question(text, loop);
    add_loop(text, loop, "LOOP", asks ? ".shared" : space, *space == 0 ? "%at" : "%a");
    if (asks)
        add_elsewhere(text, loop);
    g_string_append(text, "DONE:\n");
    if (loop->used)
        g_string_append_printf(text, "mov.b%u %%d, %%old;\n", loop->bits);
}

/* Appends the loop for single halves: it swaps the word with the half, so that lanes meet at
 * neighbouring halves, too. The value that a failed swap found is not read again. */
static void add_halves(GString *text, const Loop *loop)
{
    const char *space = space_of(loop->atomic->mnemonic);
    const guint at = strcmp(loop->atomic->mnemonic->opcode, "atom") == 0, w = loop->place_bits;
    const PsPtxOperand *place = &loop->atomic->operands[at];
    const gboolean compares = loop->operation[0] == 'c';
    g_string_append_printf(text,
                           ".reg .b16 %%b, %%c, %%d, %%one;\n.reg .b32 %%old, %%new, %%got, "
                           "%%value, %%bits, %%is, %%other, %%pick, %%half;\n"
                           ".reg .b%u %%from, %%word, %%odd;\n",
                           w);
    g_string_append_printf(text, "add.u%u %%from, %%a, %" G_GINT64_FORMAT ";\n", w,
                           place->reg >= 0 ? place->value : 0);
    g_string_append_printf(text, "and.b%u %%word, %%from, -3;\nand.b%u %%odd, %%from, 2;\n", w, w);
    g_string_append_printf(text,
                           "setp.eq.u%u %%in, %%odd, 0;\nselp.b32 %%pick, 0x3254, 0x7610, %%in;\n"
                           "cvt.u32.u%u %%half, %%odd;\nmov.b16 %%one, %%b;\n"
                           "cvt.u32.u16 %%value, %%one;\nprmt.b32 %%value, %%value, 0, 0x1010;\n"
                           "ld%s.b32 %%old, [%%word];\n",
                           w, w, space);
    if (compares)
        g_string_append(text, "mov.b16 %one, %c;\ncvt.u32.u16 %bits, %one;\n"
                              "prmt.b32 %bits, %bits, 0, 0x1010;\n"
                              "LOOP: prmt.b32 %is, %old, %value, %pick;\n"
                              "prmt.b32 %new, %old, %bits, %pick;\n");
    else
        g_string_append_printf(text,
                               "LOOP: add.%sx2 %%new, %%old, %%value;\n"
                               "prmt.b32 %%new, %%old, %%new, %%pick;\nmov.b32 %%is, %%old;\n",
                               loop->type);
    g_string_append_printf(text, "atom%s.cas.b32 %%got, [%%word], %%is, %%new;\n", space);
    if (compares) /* tests whether the other half is unchanged */
        g_string_append(text, "prmt.b32 %is, %is, 0, %pick;\nprmt.b32 %other, %got, 0, %pick;\n"
                              "setp.ne.b32 %again, %other, %is;\n");
    else
        g_string_append(text, "setp.ne.b32 %again, %got, %is;\n");
    g_string_append(text, "mov.b32 %old, %got;\n@%again bra LOOP;\n");
    if (loop->used)
        g_string_append(text, "shl.b32 %half, %half, 3;\nshr.u32 %old, %old, %half;\n"
                              "cvt.u16.u32 %one, %old;\nmov.b16 %d, %one;\n");
}

static char *text_of(const Loop *loop)
{
    GString *text = g_string_new(".version 8.6\n.target sm_100\n.address_size 64\n.func loop() {\n"
                                 ".reg .pred %g, %again, %stays, %in;\n.reg .b64 %at;\n"
                                 ".reg .b32 %rank, %mine;\n");
    g_string_append_printf(text, ".reg .b%u %%a;\n", loop->place_bits);
    if (loop->atomic->guard >= 0)
        g_string_append(text, "@%g bra END;\n");
    (loop->bits == 16 ? add_halves : add_numbers)(text, loop);
    g_string_append(text, "END:\n}\n");
    return g_string_free(text, FALSE);
}

/* ---- putting it in place -------------------------------------------------------------------- */

static const char *name_of(const Splice *splice, gint32 reg)
{
    return g_array_index(splice->loop->registers, PsPtxRegister, reg).name;
}

/* The operation's operand with the name "d", "a", "b" or "c"; NULL: the register is the loop's
 * own. */
static const PsPtxOperand *given(const Splice *splice, const char *name)
{
    static const char names[] = "dabc";
    const guint without = is(splice->atomic->mnemonic, "red");
    const char *found = strchr(names, name[0]);
    return found && !name[1] ? &splice->atomic->operands[found - names - without] : NULL;
}

/* The operand in the loop. %at has the address of %a in shared memory, without its offset. An
 * address that is computed with is its register, without the offset, or the place of a variable. */
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
            mine.kind = from->reg >= 0 ? PS_PTX_OPERAND_REGISTER : PS_PTX_OPERAND_VARIABLE;
            mine.value = from->reg >= 0 ? 0 : from->value;
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

/* Bits of the register that has the address, or that a variable's address is put in. */
static guint place_bits(const PsPtxFunction *function, const PsPtxInstruction *atomic)
{
    const gint32 reg = atomic->operands[is(atomic->mnemonic, "atom")].reg;
    if (reg < 0)
        return atomic->mnemonic->space == PS_PTX_SHARED ? 32 : 64;
    return 8 * ps_ptx_type_size(g_array_index(function->registers, PsPtxRegister, reg).type);
}

/* TRUE for operations on shared memory of other groups of a cluster that no GPU has an instruction
 * for. */
static gboolean is_far(int number)
{
    return numbers[number].type == PS_PTX_F32 || numbers[number].type == PS_PTX_F64;
}

static void splice_loop(const PsPtxRewrite *rewrite, PsPtxFunction *to,
                        const PsPtxInstruction *atomic)
{
    const int number = number_of(atomic->mnemonic);
    const Loop loop = {.atomic = atomic,
                       .operation = operation_of(atomic->mnemonic),
                       .type = numbers[number].add,
                       .bits = numbers[number].bits,
                       .place_bits = place_bits(to, atomic),
                       .used = is_used(atomic),
                       .far = ps_ptx_target(rewrite->module) >= 90 && is_far(number)};
    g_autofree char *text = text_of(&loop);
    PsPtxModule *made = ps_ptx_parse(text, strlen(text), "loop", NULL);
    g_assert(made);
    g_ptr_array_add(rewrite->storage, made);
    const Splice splice = {to, atomic, made->functions->pdata[0], to->registers->len,
                           to->instructions->len};
    g_array_append_vals(to->registers, splice.loop->registers->data, splice.loop->registers->len);
    for (guint i = 0; i < splice.loop->instructions->len; i++)
        splice_one(&splice, &g_array_index(splice.loop->instructions, PsPtxInstruction, i), made);
}

/* TRUE if a loop can be written out: the address is in a register, or it is that of a variable in
 * the group's own or global memory. */
static gboolean expands(const PsPtxRewrite *rewrite, const PsPtxInstruction *instruction)
{
    (void)rewrite;
    const PsPtxMnemonic *mnemonic = instruction->mnemonic;
    if (!ps_ptx_swaps(mnemonic))
        return FALSE;
    const guint at = is(mnemonic, "atom"), n = (ps_ptx_has(mnemonic, "cas") ? 3U : 2U) + at;
    const PsPtxOperand *place = &instruction->operands[at];
    if (instruction->n_operands != n || place->kind != PS_PTX_OPERAND_ADDRESS)
        return FALSE;
    return place->reg >= 0 || (place->variable && mnemonic->space != PS_PTX_GENERIC &&
                               !ps_ptx_has(mnemonic, "shared::cluster"));
}

PsPtxFunction *ps_ptx_swaps_expand(const PsPtxModule *module, const PsPtxFunction *function,
                                   GPtrArray *storage)
{
    const PsPtxRewrite rewrite = {module, storage, expands, splice_loop};
    return ps_ptx_rewrite(&rewrite, function);
}
