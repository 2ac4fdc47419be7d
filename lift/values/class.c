/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From mnemonics to classes: a table of opcodes and the family of the type that they work on. The
 * first parts of the names are what latency-bench measures, so that a GPU that knows nothing finer
 * serves a special one with the general one.
 */
#include "lift/values/class.h"

#include <string.h>

/* Families of types, as letters in the table: i integers of up to 32 bits, l of 64 bits, h halves,
 * b bf16 (rows of halves serve these, too), f singles, d doubles, p predicates. */
typedef struct {
    const char *opcode;
    const char *families; /* families of types for this row; NULL: all */
    const char *part;     /* a part that the mnemonic must have, or NULL */
    const char *name;
    const char *type;
    guint8 ops;
} Row;

/* The first row that fits counts. An instruction that becomes several also has a sequence
 * (sequence.c); then this class only describes it as a whole. */
static const Row rows[] = {
    {"add", "il", "cc", "iadd.carry", "int", 1},
    {"sub", "il", "cc", "iadd.carry", "int", 1},
    {"add", "il", NULL, "iadd", "int", 1},
    {"sub", "il", NULL, "iadd", "int", 1},
    {"addc", NULL, NULL, "iadd.carry", "int", 1},
    {"subc", NULL, NULL, "iadd.carry", "int", 1},
    {"add", "f", NULL, "fadd", "fp32", 1},
    {"sub", "f", NULL, "fadd", "fp32", 1},
    {"add", "d", NULL, "dadd", "fp64", 1},
    {"sub", "d", NULL, "dadd", "fp64", 1},
    {"add", "b", NULL, "hadd.bf16", "fp16", 1},
    {"sub", "b", NULL, "hadd.bf16", "fp16", 1},
    {"add", "h", NULL, "hadd", "fp16", 1},
    {"sub", "h", NULL, "hadd", "fp16", 1},
    {"mul", NULL, "wide", "imad.wide", "int", 1},
    {"mul", "i", "hi", "imad.high", "int", 1},
    {"mul", "i", NULL, "imad.mul", "int", 1},
    {"mul", "l", "hi", "imad.high", "int", 1},
    {"mul", "l", NULL, "imad.mul", "int", 1},
    {"mul", "f", NULL, "fmul", "fp32", 1},
    {"mul", "d", NULL, "dmul", "fp64", 1},
    {"mul", "b", NULL, "hmul.bf16", "fp16", 1},
    {"mul", "h", NULL, "hmul", "fp16", 1},
    {"mul24", NULL, NULL, "imad.mul", "int", 1},
    {"mad", NULL, "wide", "imad.wide", "int", 2},
    {"mad", "i", NULL, "imad", "int", 2},
    {"mad", "l", NULL, "imad", "int", 2},
    {"madc", NULL, NULL, "imad", "int", 2},
    {"mad24", NULL, NULL, "imad", "int", 2},
    {"mad", "f", NULL, "fmadd", "fp32", 2},
    {"fma", "f", NULL, "fmadd", "fp32", 2},
    {"mad", "d", NULL, "dfma", "fp64", 2},
    {"fma", "d", NULL, "dfma", "fp64", 2},
    {"fma", "b", NULL, "hfma.bf16", "fp16", 2},
    {"fma", "h", NULL, "hfma", "fp16", 2},
    {"div", "il", NULL, "idiv", "int", 1},
    {"rem", "il", NULL, "idiv", "int", 1},
    {"div", "f", NULL, "fdiv", "fp32", 1},
    {"div", "d", NULL, "ddiv", "fp64", 1},
    {"rcp", "d", NULL, "rcp", "fp64", 1},
    {"rcp", NULL, NULL, "rcp", "fp32", 1},
    {"sqrt", "d", NULL, "sqrt", "fp64", 1},
    {"sqrt", NULL, NULL, "sqrt", "fp32", 1},
    {"rsqrt", "d", NULL, "rsqrt", "fp64", 1},
    {"rsqrt", NULL, NULL, "rsqrt", "fp32", 1},
    {"sin", NULL, NULL, "sin", "fp32", 1},
    {"cos", NULL, NULL, "cos", "fp32", 1},
    {"ex2", "h", NULL, "exp2", "fp16", 1},
    {"ex2", NULL, NULL, "exp2", "fp32", 1},
    {"lg2", NULL, NULL, "log2", "fp32", 1},
    {"tanh", "h", NULL, "exp2.tanh", "fp16", 1},
    {"tanh", NULL, NULL, "exp2.tanh", "fp32", 1},
    {"abs", "f", NULL, "fadd.sign", NULL, 0},
    {"neg", "f", NULL, "fadd.sign", NULL, 0},
    {"abs", "d", NULL, "dadd.sign", NULL, 0},
    {"neg", "d", NULL, "dadd.sign", NULL, 0},
    {"abs", "h", NULL, "hadd.sign", NULL, 0},
    {"neg", "h", NULL, "hadd.sign", NULL, 0},
    {"abs", NULL, NULL, "iadd.sign", "int", 1},
    {"neg", NULL, NULL, "iadd.sign", "int", 1},
    {"min", "il", NULL, "iadd.minmax", "int", 1},
    {"max", "il", NULL, "iadd.minmax", "int", 1},
    {"min", "f", NULL, "fadd.minmax", "fp32", 1},
    {"max", "f", NULL, "fadd.minmax", "fp32", 1},
    {"min", "d", NULL, "dadd.minmax", "fp64", 1},
    {"max", "d", NULL, "dadd.minmax", "fp64", 1},
    {"min", "h", NULL, "hadd.minmax", "fp16", 1},
    {"max", "h", NULL, "hadd.minmax", "fp16", 1},
    {"sad", NULL, NULL, "iadd.sad", "int", 1},
    {"dp4a", NULL, NULL, "imad.dot", "int", 8},
    {"dp2a", NULL, NULL, "imad.dot", "int", 4},
    {"set", "f", NULL, "fadd.setp", NULL, 0},
    {"setp", "f", NULL, "fadd.setp", NULL, 0},
    {"set", "d", NULL, "dadd.setp", NULL, 0},
    {"setp", "d", NULL, "dadd.setp", NULL, 0},
    {"set", "h", NULL, "hadd.setp", NULL, 0},
    {"setp", "h", NULL, "hadd.setp", NULL, 0},
    {"set", NULL, NULL, "iadd.setp", NULL, 0},
    {"setp", NULL, NULL, "iadd.setp", NULL, 0},
    {"testp", NULL, NULL, "fadd.setp", NULL, 0},
    {"copysign", NULL, NULL, "logic", NULL, 0},
    {"selp", NULL, NULL, "logic.select", NULL, 0},
    {"slct", NULL, NULL, "logic.select", NULL, 0},
    {"and", "p", NULL, "logic.predicate", NULL, 0},
    {"or", "p", NULL, "logic.predicate", NULL, 0},
    {"xor", "p", NULL, "logic.predicate", NULL, 0},
    {"not", "p", NULL, "logic.predicate", NULL, 0},
    {"and", NULL, NULL, "logic", "int", 1},
    {"or", NULL, NULL, "logic", "int", 1},
    {"xor", NULL, NULL, "logic", "int", 1},
    {"not", NULL, NULL, "logic", "int", 1},
    {"cnot", NULL, NULL, "logic", "int", 1},
    {"lop3", NULL, NULL, "logic", "int", 1},
    {"shl", NULL, NULL, "shift", "int", 1},
    {"shr", NULL, NULL, "shift", "int", 1},
    {"shf", NULL, NULL, "shift", "int", 1},
    {"bfe", NULL, NULL, "shift.field", "int", 1},
    {"bfi", NULL, NULL, "shift.field", "int", 1},
    {"bmsk", NULL, NULL, "shift.field", "int", 1},
    {"szext", NULL, NULL, "shift.field", "int", 1},
    {"popc", NULL, NULL, "conversion.bits", "int", 1},
    {"clz", NULL, NULL, "conversion.bits", "int", 1},
    {"bfind", NULL, NULL, "conversion.bits", "int", 1},
    {"fns", NULL, NULL, "conversion.bits", "int", 1},
    {"brev", NULL, NULL, "conversion.bits", "int", 1},
    {"prmt", NULL, NULL, "logic.permute", NULL, 0},
    {"mov", NULL, NULL, "logic.mov", NULL, 0},
    {"cvta", NULL, NULL, "logic.mov", NULL, 0},
    {"isspacep", NULL, NULL, "logic.predicate", NULL, 0},
    {"mapa", NULL, NULL, "logic.permute", NULL, 0},
    {"getctarank", NULL, NULL, "logic.permute", NULL, 0},
    {"createpolicy", NULL, NULL, "logic.mov", NULL, 0},
    {"shfl", NULL, NULL, "shuffle", NULL, 0},
    {"vote", NULL, NULL, "logic.vote", NULL, 0},
    {"match", NULL, NULL, "shuffle.match", NULL, 0},
    {"redux", NULL, "min", "shuffle.reduce.minmax", NULL, 0},
    {"redux", NULL, "max", "shuffle.reduce.minmax", NULL, 0},
    {"redux", NULL, NULL, "shuffle.reduce", NULL, 0},
    {"activemask", NULL, NULL, "logic.vote", NULL, 0},
    {"elect", NULL, NULL, "logic.vote", NULL, 0},
    {"movmatrix", NULL, NULL, "shuffle.matrix", NULL, 0},
};

static char family_of(PsPtxType type)
{
    switch (type) {
    case PS_PTX_PRED:
        return 'p';
    case PS_PTX_B64:
    case PS_PTX_U64:
    case PS_PTX_S64:
    case PS_PTX_B128:
        return 'l';
    case PS_PTX_F16:
    case PS_PTX_F16X2:
    case PS_PTX_BF16:
    case PS_PTX_BF16X2:
        return 'h';
    case PS_PTX_F32:
    case PS_PTX_TF32:
        return 'f';
    case PS_PTX_F64:
        return 'd';
    default:
        return 'i';
    }
}

/* The type that an instruction works on; for set the second one, its sources'. */
static PsPtxType main_type(const PsPtxMnemonic *mnemonic)
{
    const gboolean second = strcmp(mnemonic->opcode, "set") == 0 && mnemonic->n_types > 1;
    return mnemonic->types[second ? 1 : 0];
}

static const Row *find_row(const PsPtxMnemonic *mnemonic, char family)
{
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        const Row *row = &rows[i];
        if (strcmp(row->opcode, mnemonic->opcode) == 0 &&
            (!row->families || strchr(row->families, family) ||
             (family == 'b' && strchr(row->families, 'h'))) &&
            (!row->part || ps_ptx_has(mnemonic, row->part)))
            return row;
    }
    return NULL;
}

/* ---- conversions --------------------------------------------------------------------------- */

static PsClass compute(const char *name)
{
    return (PsClass){name, PS_CLASS_COMPUTE, 0, NULL, TRUE, NULL, 0};
}

/* TRUE for conversions from 32-bit integers to the nearest single, which newer chips do in the
 * pipeline of additions, older ones in that of special functions. */
static gboolean is_quick_conversion(const PsPtxMnemonic *mnemonic, PsPtxType to, PsPtxType from)
{
    return to == PS_PTX_F32 && (from == PS_PTX_S32 || from == PS_PTX_U32) &&
           ps_ptx_has(mnemonic, "rn");
}

/* TRUE for conversions from singles to halves, and from or to shorter numbers, which newer chips do
 * in the pipeline of integers: they pack two. */
static gboolean is_packing(const PsPtxMnemonic *mnemonic, PsPtxType last)
{
    const PsPtxType to = mnemonic->types[0];
    return to == PS_PTX_OPAQUE || last == PS_PTX_OPAQUE ||
           (family_of(to) == 'h' && family_of(last) == 'f');
}

static PsClass of_conversion(const PsPtxMnemonic *mnemonic)
{
    const PsPtxType last = mnemonic->types[mnemonic->n_types > 1 ? 1 : 0];
    const char to = family_of(mnemonic->types[0]), from = family_of(last);
    if (strchr("il", to) && strchr("il", from))
        return compute("logic.extend");
    if (to == 'd' || from == 'd')
        return compute("conversion.f64");
    if (is_packing(mnemonic, last))
        return compute("conversion.pack");
    if (to == 'f' && from == 'h') /* an addition of zero with a single result */
        return compute("hadd.convert");
    if (to == 'h' || from == 'h')
        return compute("conversion.f16");
    if (to == 'i' && from == 'f' && mnemonic->types[0] != PS_PTX_OPAQUE)
        return compute("conversion.f2i");
    return compute(is_quick_conversion(mnemonic, mnemonic->types[0], last) ? "conversion.i2f"
                                                                           : "conversion");
}

/* ---- memory -------------------------------------------------------------------------------- */

typedef enum { LOADS, STORES, ATOMICS, NO_ACCESS } Access;

static Access access_of(const PsPtxMnemonic *mnemonic)
{
    static const struct {
        const char *opcode;
        const char *part;
        Access access;
    } list[] = {
        {"ld", NULL, LOADS},
        {"ldu", NULL, LOADS},
        {"ldmatrix", NULL, LOADS},
        {"wmma", "load", LOADS},
        {"st", NULL, STORES},
        {"stmatrix", NULL, STORES},
        {"wmma", "store", STORES},
        {"tex", NULL, LOADS},
        {"tld4", NULL, LOADS},
        {"suld", NULL, LOADS},
        {"sust", NULL, STORES},
        {"sured", NULL, ATOMICS},
        {"atom", NULL, ATOMICS},
        {"red", NULL, ATOMICS},
        {"multimem", NULL, ATOMICS},
        {"mbarrier", NULL, ATOMICS},
        {"tensormap", "replace", STORES},
        {"tensormap", NULL, ATOMICS},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(list); i++)
        if (strcmp(list[i].opcode, mnemonic->opcode) == 0 &&
            (!list[i].part || ps_ptx_has(mnemonic, list[i].part)))
            return list[i].access;
    return NO_ACCESS;
}

static const char *name_of_shared(const PsPtxMnemonic *mnemonic, Access access)
{
    const gboolean matrix = strstr(mnemonic->opcode, "matrix") || mnemonic->opcode[0] == 'w';
    if (access == ATOMICS)
        return ps_ptx_has(mnemonic, "cas") ? "atomic.local.cas" : "atomic.local";
    if (matrix)
        return access == LOADS ? "local.load.matrix" : "local.store.matrix";
    return access == LOADS ? "local.load" : "local.store";
}

/* Floating-point additions may take L2 more than a cycle, unlike integer ones; those of multimem
 * are done by the switch. */
static const char *name_of_atomic(const PsPtxMnemonic *mnemonic)
{
    const char family = family_of(mnemonic->types[0]);
    const gboolean is_float = family == 'h' || family == 'f' || family == 'd';
    return is_float && ps_ptx_has(mnemonic, "add") && strcmp(mnemonic->opcode, "multimem") != 0
               ? "atomic.global.float"
               : "atomic.global";
}

/* TRUE for tex and tld4. */
static gboolean is_texture(const PsPtxMnemonic *mnemonic)
{
    return strcmp(mnemonic->opcode, "tex") == 0 || strcmp(mnemonic->opcode, "tld4") == 0;
}

static const char *name_of_access(const PsPtxMnemonic *mnemonic, Access access, PsPtxSpace space)
{
    if (space == PS_PTX_CONST || space == PS_PTX_PARAM)
        return "constant";
    if (strcmp(mnemonic->opcode, "mbarrier") == 0)
        return ps_ptx_has(mnemonic, "test_wait") || ps_ptx_has(mnemonic, "try_wait")
                   ? "local.load.mbarrier"
                   : "atomic.local.mbarrier";
    if (is_texture(mnemonic) || strncmp(mnemonic->opcode, "su", 2) == 0)
        return access == STORES ? "global.store.surface" : "global.load.texture";
    if (space == PS_PTX_SHARED)
        return name_of_shared(mnemonic, access);
    if (access == ATOMICS)
        return name_of_atomic(mnemonic);
    if (space == PS_PTX_LOCAL)
        return access == LOADS ? "global.load.own" : "global.store.own";
    return access == LOADS ? "global.load" : "global.store";
}

static PsClass of_access(const PsPtxMnemonic *mnemonic, Access access, PsPtxSpace space)
{
    static const PsClassKind kinds[] = {PS_CLASS_LOAD, PS_CLASS_STORE, PS_CLASS_ATOMIC};
    if (space == PS_PTX_GENERIC)
        space = mnemonic->space;
    return (PsClass){
        name_of_access(mnemonic, access, space), kinds[access], 0, NULL, TRUE, NULL, 0};
}

/* The class of cp.async and its relatives, also cp.reduce.async. */
static PsClass of_copy(const PsPtxMnemonic *mnemonic)
{
    PsClass result = {"global.load.async", PS_CLASS_COPY, 0, NULL, TRUE, NULL, 0};
    if (ps_ptx_has(mnemonic, "commit_group"))
        result = (PsClass){"logic.mov", PS_CLASS_COMMIT, 0, NULL, TRUE, NULL, 0};
    else if (ps_ptx_has(mnemonic, "wait_group") || ps_ptx_has(mnemonic, "wait_all"))
        result = (PsClass){"logic.mov", PS_CLASS_WAIT, 0, NULL, TRUE, NULL, 0};
    else if (ps_ptx_has(mnemonic, "mbarrier"))
        result = (PsClass){"atomic.local.mbarrier", PS_CLASS_EFFECT, 0, NULL, TRUE, NULL, 0};
    else if (ps_ptx_has(mnemonic, "prefetch"))
        result = (PsClass){"global.load.prefetch", PS_CLASS_EFFECT, 0, NULL, TRUE, NULL, 0};
    else if (ps_ptx_has(mnemonic, "bulk"))
        result.name = mnemonic->space == PS_PTX_SHARED ? "copy.load" : "copy.store";
    return result;
}

/* wgmma's own order: products continue beside their warp, which waits for groups of them. */
static gboolean of_products(const PsPtxMnemonic *mnemonic, PsClass *result)
{
    static const struct {
        const char *part;
        PsClassKind kind;
    } kinds_of[] = {{"fence", PS_CLASS_EFFECT},
                    {"commit_group", PS_CLASS_COMMIT},
                    {"wait_group", PS_CLASS_WAIT}};
    for (gsize i = 0; i < G_N_ELEMENTS(kinds_of); i++)
        if (ps_ptx_has(mnemonic, kinds_of[i].part)) {
            *result = (PsClass){"logic.mov", kinds_of[i].kind, 0, NULL, TRUE, NULL, 0};
            return TRUE;
        }
    return FALSE;
}

/* ---- control ------------------------------------------------------------------------------- */

gboolean ps_class_is_barrier(const PsPtxInstruction *instruction)
{
    const PsPtxMnemonic *mnemonic = instruction->mnemonic;
    return (strcmp(mnemonic->opcode, "bar") == 0 || strcmp(mnemonic->opcode, "barrier") == 0) &&
           !ps_ptx_has(mnemonic, "warp") && !ps_ptx_has(mnemonic, "cluster");
}

PsClass ps_class_barrier(void)
{
    return (PsClass){"barrier", PS_CLASS_BARRIER, 0, NULL, TRUE, NULL, 0};
}

PsClass ps_class_barrier_in_part(void)
{
    return (PsClass){"atomic.local.barrier", PS_CLASS_EFFECT, 0, NULL, TRUE, NULL, 0};
}

PsClass ps_class_exit(void)
{
    return (PsClass){"branch", PS_CLASS_BRANCH, 0, NULL, TRUE, NULL, 0};
}

/* Groups of a cluster meet at the wait, and so do the warps of each. An arrival costs no more than
 * its instruction, unless it releases writes, for which it waits first. */
static PsClass of_cluster(const PsPtxMnemonic *mnemonic)
{
    if (ps_ptx_has(mnemonic, "wait"))
        return (PsClass){"barrier.cluster", PS_CLASS_BARRIER, 0, NULL, TRUE, NULL, 0};
    if (ps_ptx_has(mnemonic, "relaxed"))
        return ps_class_barrier_in_part();
    return (PsClass){"memory.fence", PS_CLASS_EFFECT, 0, NULL, TRUE, NULL, 0};
}

/* A barrier at which all warps of a group meet is one of the model. An instruction that only
 * arrives, or at which a part of the group meets, counts as an atomic operation. */
static PsClass of_barrier(const PsPtxInstruction *instruction)
{
    const PsPtxMnemonic *mnemonic = instruction->mnemonic;
    if (ps_ptx_has(mnemonic, "warp"))
        return (PsClass){"logic.vote", PS_CLASS_NOTHING, 0, NULL, TRUE, NULL, 0};
    if (ps_ptx_has(mnemonic, "cluster"))
        return of_cluster(mnemonic);
    if (ps_ptx_has(mnemonic, "arrive"))
        return ps_class_barrier_in_part();
    return ps_class_barrier();
}

static gboolean is_one_of(const char *opcode, const char *const *list)
{
    return g_strv_contains(list, opcode);
}

/* A fence is for all threads of the GPU, unless it names the group or its memory. */
static const char *fence_of(const PsPtxMnemonic *mnemonic)
{
    return ps_ptx_has(mnemonic, "cta") || ps_ptx_has(mnemonic, "shared::cta") ? "memory.fence.group"
                                                                              : "memory.fence";
}

static gboolean of_control(const PsPtxInstruction *instruction, PsClass *result)
{
    static const char *const branches[] = {"bra", "brx", NULL};
    static const char *const ends[] = {"ret", "exit", "call", "pragma", "trap", "brkpt", NULL};
    static const char *const fences[] = {"membar", "fence", "griddepcontrol",
                                         "clusterlaunchcontrol", NULL};
    static const char *const controls[] = {"nanosleep", "setmaxnreg", "pmevent", NULL};
    const gboolean launches = ps_ptx_has(instruction->mnemonic, "launch_dependents");
    static const char *const hints[] = {"prefetch", "prefetchu", "applypriority", "discard", NULL};
    const char *opcode = instruction->mnemonic->opcode;
    if (strcmp(opcode, "wgmma") == 0)
        return of_products(instruction->mnemonic, result);
    if (is_one_of(opcode, branches))
        *result = (PsClass){"branch", PS_CLASS_BRANCH, 0, NULL, TRUE, NULL, 0};
    else if (is_one_of(opcode, ends)) /* an end is a branch only if not all lanes take it */
        *result = (PsClass){"branch", instruction->guard >= 0 ? PS_CLASS_BRANCH : PS_CLASS_NOTHING,
                            0,        NULL,
                            TRUE,     NULL,
                            0};
    else if (is_one_of(opcode, controls) || launches)
        *result = (PsClass){"branch.sync", PS_CLASS_EFFECT, 0, NULL, TRUE, NULL, 0};
    else if (is_one_of(opcode, fences))
        *result =
            (PsClass){fence_of(instruction->mnemonic), PS_CLASS_EFFECT, 0, NULL, TRUE, NULL, 0};
    else if (is_one_of(opcode, hints))
        *result = (PsClass){"global.load.prefetch", PS_CLASS_EFFECT, 0, NULL, TRUE, NULL, 0};
    else if (strcmp(opcode, "bar") == 0 || strcmp(opcode, "barrier") == 0)
        *result = of_barrier(instruction);
    else if (strcmp(opcode, "cp") == 0)
        *result = of_copy(instruction->mnemonic);
    else
        return FALSE;
    return TRUE;
}

/* ---- all ----------------------------------------------------------------------------------- */

static gboolean reads_special(const PsPtxInstruction *instruction)
{
    return strcmp(instruction->mnemonic->opcode, "mov") == 0 && instruction->n_operands == 2 &&
           instruction->operands[1].kind == PS_PTX_OPERAND_SPECIAL;
}

/* TRUE for two singles in 64 bits, which have no type of their own. */
static gboolean has_pairs(const PsPtxMnemonic *mnemonic)
{
    return ps_ptx_has(mnemonic, "f32x2");
}

static gboolean is_packed(const PsPtxMnemonic *mnemonic, PsPtxType type)
{
    return type == PS_PTX_F16X2 || type == PS_PTX_BF16X2 || has_pairs(mnemonic);
}

/* TRUE for a left shift by a number, which newer assemblers write as a product (IMAD.SHL). */
static gboolean is_product_by_shift(const PsPtxInstruction *instruction)
{
    return strcmp(instruction->mnemonic->opcode, "shl") == 0 && instruction->n_operands > 2 &&
           instruction->operands[2].kind == PS_PTX_OPERAND_IMMEDIATE &&
           ps_ptx_type_size(instruction->mnemonic->types[0]) == 4;
}

PsClass ps_class_of(const PsPtxInstruction *instruction, PsPtxSpace space)
{
    const PsPtxMnemonic *mnemonic = instruction->mnemonic;
    PsClass result;
    if (of_control(instruction, &result) || ps_class_tensor(mnemonic, &result))
        return result;
    const Access access = access_of(mnemonic);
    if (access != NO_ACCESS)
        return of_access(mnemonic, access, space);
    if (ps_class_is_matrix(mnemonic))
        return ps_class_matrix(instruction);
    if (strcmp(mnemonic->opcode, "cvt") == 0)
        return of_conversion(mnemonic);
    if (reads_special(instruction))
        return compute("logic.special");
    const PsPtxType type = main_type(mnemonic);
    char family = family_of(type);
    if (type == PS_PTX_BF16 || type == PS_PTX_BF16X2)
        family = 'b';
    if (has_pairs(mnemonic))
        family = 'f';
    if (is_product_by_shift(instruction))
        return (PsClass){"shift.left", PS_CLASS_COMPUTE, 1, "int", TRUE, NULL, 0};
    const Row *row = find_row(mnemonic, family);
    if (!row)
        return (PsClass){"unknown", PS_CLASS_EFFECT, 0, NULL, FALSE, NULL, 0};
    const guint ops = row->ops * (is_packed(mnemonic, type) ? 2U : 1U);
    /* A pair of singles takes its pipeline like two singles: NVIDIA's peak is no higher. */
    if (has_pairs(mnemonic))
        return (PsClass){row->name, PS_CLASS_COMPUTE, ops, row->type, TRUE, row->name, 2};
    return (PsClass){row->name, PS_CLASS_COMPUTE, ops, row->type, TRUE, NULL, 0};
}

PsClass ps_class_named(const char *name)
{
    static const struct {
        const char *name;
        PsClassKind kind;
    } others[] = {{"barrier", PS_CLASS_BARRIER},
                  {"branch", PS_CLASS_BRANCH},
                  {"memory.fence", PS_CLASS_EFFECT},
                  {"memory.fence.group", PS_CLASS_EFFECT}};
    if (!name)
        return (PsClass){"unknown", PS_CLASS_EFFECT, 0, NULL, FALSE, NULL, 0};
    for (gsize i = 0; i < G_N_ELEMENTS(others); i++)
        if (strcmp(others[i].name, name) == 0)
            return (PsClass){name, others[i].kind, 0, NULL, TRUE, NULL, 0};
    return compute(name);
}
