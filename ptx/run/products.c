/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values that were made from a product's result are followed forward through registers. Memory is
 * followed as a whole: a group's own, and global memory. Once such a value was stored there, every
 * load from there gives one.
 */
#include "ptx/run/products.h"

#include "ptx/code/walk.h"

#include <string.h>

/* The content of a register: 1 where a product's result is in it. */
typedef struct {
    const PsPtxCode *code;
    PsPtxWalk walk;
    gboolean own, global; /* kinds of memory that such a value was stored to */
    gboolean grows;       /* one of the two has just become so */
    gboolean all_issue;   /* the parameter of ps_ptx_products_decide */
    gboolean decides;
} Search;

static gboolean is(const PsPtxInstruction *instruction, const char *opcode)
{
    return strcmp(instruction->mnemonic->opcode, opcode) == 0;
}

static gboolean is_one_of(const PsPtxInstruction *instruction, const char *const *opcodes)
{
    return g_strv_contains(opcodes, instruction->mnemonic->opcode);
}

static gboolean is_product(const PsPtxInstruction *instruction)
{
    static const char *const opcodes[] = {"mma", "wgmma", "tcgen05", NULL};
    return is_one_of(instruction, opcodes) ||
           (is(instruction, "wmma") && ps_ptx_has(instruction->mnemonic, "mma"));
}

static guint *register_of(const Search *search, guint point, gint32 reg)
{
    return &search->walk.now[ps_ptx_code_register(&search->code->points[point], reg)];
}

/* TRUE if a product's result is in the value that an operand reads; for an address, in the
 * address. */
static gboolean reads(const Search *search, guint point, const PsPtxOperand *operand)
{
    if (operand->kind == PS_PTX_OPERAND_REGISTER || operand->kind == PS_PTX_OPERAND_ADDRESS)
        return operand->reg >= 0 && *register_of(search, point, operand->reg) != 0;
    const gboolean has_members =
        operand->kind == PS_PTX_OPERAND_VECTOR || operand->kind == PS_PTX_OPERAND_LIST;
    for (guint i = 0; has_members && i < operand->n_members; i++)
        if (reads(search, point, &operand->members[i]))
            return TRUE;
    return FALSE;
}

static void write(const Search *search, guint point, const PsPtxOperand *to, gboolean value)
{
    const gboolean guarded = search->code->points[point].instruction->guard >= 0;
    if (to->kind == PS_PTX_OPERAND_REGISTER) {
        guint *now = register_of(search, point, to->reg);
        *now = (guarded && *now) || value;
    }
    for (guint i = 0; to->kind == PS_PTX_OPERAND_VECTOR && i < to->n_members; i++)
        write(search, point, &to->members[i], value);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static gboolean in_global(PsPtxSpace space)
{
    return space == PS_PTX_GLOBAL || space == PS_PTX_GENERIC;
}

static gboolean in_own(PsPtxSpace space)
{
    return space != PS_PTX_GLOBAL && space != PS_PTX_CONST && space != PS_PTX_PARAM;
}

static void mark(Search *search, gboolean own, gboolean global)
{
    search->grows |= (own && !search->own) || (global && !search->global);
    search->own |= own;
    search->global |= global;
}

/* A copy takes the value from one memory to another. The order of the spaces says in which
 * direction; here each direction is assumed. */
static void copy(Search *search)
{
    mark(search, search->global, search->own);
}

static void load(const Search *search, guint point)
{
    const PsPtxInstruction *instruction = search->code->points[point].instruction;
    const PsPtxSpace space = instruction->mnemonic->space;
    const gboolean constant = ps_ptx_has(instruction->mnemonic, "nc");
    const gboolean value =
        (search->own && in_own(space)) || (search->global && in_global(space) && !constant);
    for (guint i = 0; i < ps_ptx_n_destinations(instruction); i++)
        write(search, point, &instruction->operands[i], value);
}

/* ---- instructions ---------------------------------------------------------------------------- */

/* Registers of a product hold data; a register that stands alone is a descriptor. */
static void multiply(Search *search, guint point)
{
    const PsPtxInstruction *instruction = search->code->points[point].instruction;
    const gboolean by_descriptor = is(instruction, "wgmma") || is(instruction, "tcgen05");
    const guint n = ps_ptx_n_destinations(instruction);
    for (guint i = n; by_descriptor && i < instruction->n_operands; i++)
        if (instruction->operands[i].kind != PS_PTX_OPERAND_VECTOR)
            search->decides |= reads(search, point, &instruction->operands[i]);
    for (guint i = 0; i < n; i++)
        write(search, point, &instruction->operands[i], TRUE);
}

static gboolean reads_data(const Search *search, guint point)
{
    const PsPtxInstruction *instruction = search->code->points[point].instruction;
    for (guint i = ps_ptx_n_destinations(instruction); i < instruction->n_operands; i++)
        if (instruction->operands[i].kind != PS_PTX_OPERAND_ADDRESS &&
            reads(search, point, &instruction->operands[i]))
            return TRUE;
    return FALSE;
}

static gboolean guard_follows(const Search *search, guint point)
{
    const gint32 guard = search->code->points[point].instruction->guard;
    return guard >= 0 && *register_of(search, point, guard) != 0;
}

/* TRUE if the instruction takes as long with a guard that lets no lane through: it computes where
 * it issues, and accesses no memory. A guard spares the work of other pipelines, so it is FALSE for
 * their instructions. */
static gboolean only_issues(const PsPtxInstruction *instruction)
{
    static const char *const opcodes[] = {
        "abs", "add", "and",  "fma",  "lop3", "mad", "max", "min", "mov", "mul", "neg",
        "not", "or",  "prmt", "selp", "setp", "shf", "shl", "shr", "sub", "xor", NULL};
    return is_one_of(instruction, opcodes) && !ps_ptx_has(instruction->mnemonic, "f64");
}

/* Follows any other instruction: its result depends on all that it reads, and on whether it was
 * executed. An instruction without a result acts on what it reads, and sums with a carry have a
 * result that no operand shows. */
static void compute(Search *search, guint point)
{
    const PsPtxInstruction *instruction = search->code->points[point].instruction;
    const guint n = ps_ptx_n_destinations(instruction);
    const gboolean value = reads_data(search, point) || guard_follows(search, point);
    search->decides |= value && (n == 0 || ps_ptx_has(instruction->mnemonic, "cc"));
    for (guint i = 0; i < n; i++)
        write(search, point, &instruction->operands[i], value);
}

static void pass(gpointer user, guint point)
{
    static const char *const stores[] = {"st", "red", "stmatrix", "atom", "sust", NULL};
    static const char *const loads[] = {"ld", "ldu", "ldmatrix", "atom", NULL};
    Search *search = user;
    const PsPtxInstruction *instruction = search->code->points[point].instruction;
    const PsPtxSpace space = instruction->mnemonic->space;
    search->decides |=
        guard_follows(search, point) && !(search->all_issue && only_issues(instruction));
    for (guint i = 0; i < instruction->n_operands; i++)
        if (instruction->operands[i].kind == PS_PTX_OPERAND_ADDRESS)
            search->decides |= reads(search, point, &instruction->operands[i]);
    if (is_product(instruction))
        multiply(search, point);
    else if (is(instruction, "cp"))
        copy(search);
    else if (is_one_of(instruction, stores) && reads_data(search, point))
        mark(search, in_own(space), in_global(space));
    if (is_one_of(instruction, loads))
        load(search, point);
    else if (!is_product(instruction) && !is_one_of(instruction, stores))
        compute(search, point);
}

static guint join(gpointer user, guint there, guint here)
{
    (void)user;
    return there | here;
}

gboolean ps_ptx_products_decide(const PsPtxCode *code, gboolean all_issue)
{
    Search search = {.code = code, .all_issue = all_issue};
    if (!ps_ptx_walk_init(&search.walk, code, (PsPtxWalker){pass, join, &search}))
        return TRUE;
    do {
        search.grows = FALSE;
        (void)ps_ptx_walk_settle(&search.walk);
        ps_ptx_walk_all(&search.walk, TRUE);
    } while (search.grows || ps_ptx_walk_settle(&search.walk));
    ps_ptx_walk_clear(&search.walk);
    return search.decides;
}
