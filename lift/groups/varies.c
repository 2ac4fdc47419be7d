/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each register has a level at each point: how its value may differ from group to group, and a bit
 * that says whether it differs from lane to lane. Where paths meet, the higher level stays. See
 * varies.h.
 */
#include "lift/groups/varies.h"

#include "ptx/code/expand.h"
#include "ptx/code/walk.h"

#include <string.h>

typedef enum {
    SAME,  /* equal in all groups, or not written yet */
    ALONG, /* rises or falls along the grid: comparing it makes a border */
    ANY,
    LOADED,  /* the same for loaded values */
    GATHERED /* the same for values that each lane loads from a place of its own */
} Level;

/* Besides its level: the value differs from lane to lane; what a group's number adds to it may
 * differ from lane to lane, since it is not only added to or multiplied. */
#define OF_LANE 0x100U
#define BENT 0x200U
#define LEVEL (OF_LANE - 1)

typedef struct {
    PsPtxWalk walk; /* walk of levels */
    const guint8 *decided;
    gboolean looks, may_vary; /* for branches on values that may be ANY; there is one */
    gboolean may_stray;       /* an address may be LOADED */
    guint picks;              /* the point that ps_groups_pick returns */
    guint8 *varying;          /* the result of ps_groups_varying, or NULL */
} Search;

static Level level_in(const Search *search, const PsPtxPoint *at, gint reg)
{
    return (Level)(search->walk.now[ps_ptx_code_register(at, reg)] & LEVEL);
}

static Level level_of(const Search *search, const PsPtxPoint *at, const PsPtxOperand *operand)
{
    Level level = SAME;
    if (operand->kind == PS_PTX_OPERAND_SPECIAL && operand->value >= PS_PTX_CLUSTERID_X &&
        operand->value <= PS_PTX_CLUSTER_CTARANK)
        return ANY;
    if (operand->kind == PS_PTX_OPERAND_SPECIAL)
        return operand->value >= PS_PTX_CTAID_X && operand->value <= PS_PTX_CTAID_Z ? ALONG : SAME;
    for (guint i = 0; i < operand->n_members; i++)
        level = MAX(level, level_of(search, at, &operand->members[i]));
    if ((operand->kind == PS_PTX_OPERAND_REGISTER || operand->kind == PS_PTX_OPERAND_ADDRESS) &&
        operand->reg >= 0)
        level = MAX(level, level_in(search, at, operand->reg));
    return level;
}

/* OF_LANE and BENT, as far as they are true of the operand. */
static guint bits_of(const Search *search, const PsPtxPoint *at, const PsPtxOperand *operand)
{
    guint bits = 0;
    if (operand->kind == PS_PTX_OPERAND_SPECIAL)
        bits = (operand->value >= PS_PTX_TID_X && operand->value <= PS_PTX_TID_Z) ||
                       operand->value == PS_PTX_LANEID
                   ? OF_LANE
                   : 0;
    for (guint i = 0; i < operand->n_members; i++)
        bits |= bits_of(search, at, &operand->members[i]);
    if ((operand->kind == PS_PTX_OPERAND_REGISTER || operand->kind == PS_PTX_OPERAND_ADDRESS) &&
        operand->reg >= 0)
        bits |= search->walk.now[ps_ptx_code_register(at, operand->reg)] & ~LEVEL;
    return bits;
}

static gboolean is_one_of(const char *word, const char *const *words)
{
    for (guint i = 0; words[i]; i++)
        if (strcmp(word, words[i]) == 0)
            return TRUE;
    return FALSE;
}

/* Loaded values are equal in all groups if all of them load from one address. */
static Level loaded(const PsPtxPoint *at, Level address, guint lane)
{
    const PsPtxSpace space = at->instruction->mnemonic->space;
    if (space == PS_PTX_PARAM)
        return at->in->caller ? ANY : SAME;
    if (address == SAME && (space == PS_PTX_GLOBAL || space == PS_PTX_CONST))
        return SAME;
    return lane ? GATHERED : LOADED;
}

static gboolean compares_order(const PsPtxMnemonic *mnemonic)
{
    static const char *const orders[] = {"lt", "le",  "gt",  "ge",  "lo",  "ls", "hi",
                                         "hs", "ltu", "leu", "gtu", "geu", NULL};
    for (guint i = 0; mnemonic->parts[i]; i++)
        if (is_one_of(mnemonic->parts[i], orders))
            return TRUE;
    return FALSE;
}

/* TRUE if the result of an operand that rises or falls along the grid does so, too. */
static gboolean keeps_order(const PsPtxMnemonic *mnemonic, guint n_along)
{
    static const char *const any[] = {"mov",  "add", "sub", "neg", "cvt",
                                      "cvta", "min", "max", NULL};
    static const char *const one[] = {"mul", "mad", "shl", "shr", "mul24", "mad24", "div", NULL};
    const char *opcode = mnemonic->opcode;
    if (mnemonic->types[0] == PS_PTX_PRED || is_one_of(opcode, any))
        return strcmp(opcode, "setp") != 0;
    if (strcmp(opcode, "setp") == 0)
        return compares_order(mnemonic);
    return n_along == 1 && is_one_of(opcode, one) && !ps_ptx_has(mnemonic, "hi");
}

/* BENT where the point makes of values that differ from group to group what does so otherwise for
 * each lane. */
static guint bends(const Search *search, const PsPtxPoint *at)
{
    static const char *const sums[] = {"mov", "add",  "addc", "sub", "subc", "neg",
                                       "cvt", "cvta", "min",  "max", "shf",  NULL};
    static const char *const products[] = {"mul", "mad", "shl", "mul24", "mad24", "madc", NULL};
    const PsPtxInstruction *instruction = at->instruction;
    const char *opcode = instruction->mnemonic->opcode;
    const guint first = ps_ptx_n_destinations(instruction);
    guint varying = 0, moving = 0;
    for (guint i = first; i < instruction->n_operands; i++) {
        const PsPtxOperand *operand = &instruction->operands[i];
        const gboolean varies = level_of(search, at, operand) > SAME;
        varying += varies;
        moving += i < first + 2 && (varies || (bits_of(search, at, operand) & OF_LANE) != 0);
    }
    if (varying == 0 || is_one_of(opcode, sums) || (is_one_of(opcode, products) && moving < 2))
        return 0;
    return BENT;
}

/* The level of a point's result, and OF_LANE where each lane has its own. */
static guint level_at(const Search *search, const PsPtxPoint *at)
{
    const PsPtxInstruction *instruction = at->instruction;
    const PsPtxMnemonic *mnemonic = instruction->mnemonic;
    Level level = SAME;
    guint n_along = 0, bits = bends(search, at);
    for (guint i = ps_ptx_n_destinations(instruction); i < instruction->n_operands; i++) {
        const Level one = level_of(search, at, &instruction->operands[i]);
        level = MAX(level, one);
        n_along += one == ALONG;
        bits |= bits_of(search, at, &instruction->operands[i]);
    }
    if (strcmp(mnemonic->opcode, "ld") == 0)
        return loaded(at, level, bits & OF_LANE) | (bits & OF_LANE);
    if (strcmp(mnemonic->opcode, "atom") == 0 || strcmp(mnemonic->opcode, "ldmatrix") == 0)
        return GATHERED | OF_LANE;
    return (level == ALONG && !keeps_order(mnemonic, n_along) ? ANY : level) | bits;
}

static guint higher(guint a, guint b)
{
    return MAX(a & LEVEL, b & LEVEL) | ((a | b) & ~LEVEL);
}

/* A guard keeps the former value in some groups, and perhaps not in others. */
static void write_level(Search *search, const PsPtxPoint *at, const PsPtxOperand *operand,
                        guint level)
{
    for (guint i = 0; i < operand->n_members; i++)
        write_level(search, at, &operand->members[i], level);
    if (operand->kind != PS_PTX_OPERAND_REGISTER || operand->reg < 0)
        return;
    guint *now = &search->walk.now[ps_ptx_code_register(at, operand->reg)];
    const gint guard = at->instruction->guard;
    if (guard >= 0)
        level = higher(higher(level, *now), search->walk.now[ps_ptx_code_register(at, guard)]);
    *now = level;
}

/* How the path from a point on may differ from group to group. */
static Level level_of_way(const Search *search, const PsPtxPoint *at)
{
    static const char *const ends[] = {"exit", "ret", NULL};
    const PsPtxInstruction *instruction = at->instruction;
    const gboolean parts = at->target != PS_PTX_NOWHERE || at->targets ||
                           is_one_of(instruction->mnemonic->opcode, ends);
    Level level = SAME;
    if (!parts)
        return SAME;
    if (instruction->guard >= 0)
        level = level_in(search, at, instruction->guard);
    for (guint i = 0; at->targets && i < instruction->n_operands; i++)
        level = level_of(search, at, &instruction->operands[i]) == SAME ? level : ANY;
    return level;
}

#define MOST_DETOUR 256 /* instructions; a division's path for special numbers has up to 180 */

typedef struct {
    const PsPtxCode *code;
    const PsPtxPoint *branch;
    guint n, points[MOST_DETOUR]; /* points that were found */
} Detour;

static gboolean only_computes(const PsPtxPoint *at)
{
    const PsPtxInstruction *instruction = at->instruction;
    const char *opcode = instruction->mnemonic->opcode;
    for (guint i = 0; i < instruction->n_operands; i++)
        if (instruction->operands[i].kind == PS_PTX_OPERAND_ADDRESS)
            return FALSE;
    return ps_ptx_leaves(at) == PS_PTX_STAYS && !g_str_has_prefix(opcode, "bar") &&
           strcmp(opcode, "call") != 0;
}

/* Adds a point before the meeting of paths; FALSE if it makes the path more than a detour. */
static gboolean add_point(Detour *detour, guint point)
{
    if (point == detour->branch->meet)
        return TRUE;
    for (guint i = 0; i < detour->n; i++)
        if (detour->points[i] == point)
            return TRUE;
    if (point >= detour->code->n_points || detour->n == MOST_DETOUR)
        return FALSE;
    const PsPtxPoint *at = &detour->code->points[point];
    detour->points[detour->n++] = point;
    return at != detour->branch && at->loop == detour->branch->loop && !at->targets &&
           only_computes(at);
}

static gboolean add_followers(Detour *detour, guint point)
{
    const PsPtxPoint *at = &detour->code->points[point];
    const gboolean jumps = at->target != PS_PTX_NOWHERE;
    return (!jumps || add_point(detour, at->target)) &&
           ((jumps && at->instruction->guard < 0) || add_point(detour, point + 1));
}

/* TRUE for a branch around instructions that only compute, such as a division's path for special
 * numbers: groups that take it make no kind of their own. */
static gboolean is_detour(const PsPtxCode *code, guint point)
{
    Detour detour = {.code = code, .branch = &code->points[point]};
    gboolean good = detour.branch->meet != PS_PTX_NOWHERE && !detour.branch->targets &&
                    detour.branch->target != PS_PTX_NOWHERE && add_followers(&detour, point);
    for (guint i = 0; good && i < detour.n; i++)
        good = add_followers(&detour, detour.points[i]);
    return good;
}

static guint join(gpointer user, guint there, guint here)
{
    (void)user;
    return higher(there, here);
}

static gboolean strays(const Search *search, const PsPtxPoint *at)
{
    const PsPtxInstruction *instruction = at->instruction;
    const gint guard = instruction->guard;
    const gboolean odd = guard >= 0 && level_in(search, at, guard) >= ANY;
    if (odd && strcmp(instruction->mnemonic->opcode, "trap") == 0)
        return TRUE;
    if (instruction->mnemonic->space == PS_PTX_PARAM)
        return FALSE;
    for (guint i = 0; i < instruction->n_operands; i++)
        if (instruction->operands[i].kind == PS_PTX_OPERAND_ADDRESS &&
            (odd || level_of(search, at, &instruction->operands[i]) >= LOADED))
            return TRUE;
    return FALSE;
}

/* TRUE if a value that rises or falls along the grid is compared for equality with another
 * value. */
static gboolean picks(const Search *search, const PsPtxPoint *at)
{
    const PsPtxInstruction *instruction = at->instruction;
    guint n_along = 0, n_same = 0;
    if (strcmp(instruction->mnemonic->opcode, "setp") != 0 ||
        !(ps_ptx_has(instruction->mnemonic, "eq") || ps_ptx_has(instruction->mnemonic, "ne")))
        return FALSE;
    for (guint i = ps_ptx_n_destinations(instruction); i < instruction->n_operands; i++) {
        const Level level = level_of(search, at, &instruction->operands[i]);
        n_along += level == ALONG;
        n_same += level == SAME;
    }
    return n_along == 1 && n_same >= 1;
}

/* What may differ at the point. */
static guint8 varying_at(const Search *search, guint point)
{
    const PsPtxPoint *at = &search->walk.code->points[point];
    const PsPtxInstruction *instruction = at->instruction;
    const gint guard = instruction->guard;
    const gboolean odd = guard >= 0 && level_in(search, at, guard) >= ANY;
    const gboolean of_data = guard >= 0 && level_in(search, at, guard) >= LOADED;
    guint8 what = level_of_way(search, at) >= LOADED ? PS_GROUPS_UNEVEN : 0;
    if (level_of_way(search, at) >= ANY)
        what |= is_detour(search->walk.code, point) ? PS_GROUPS_DETOUR : PS_GROUPS_WAY;
    if (odd && strcmp(instruction->mnemonic->opcode, "trap") == 0)
        what |= PS_GROUPS_GUARD;
    for (guint i = 0; i < instruction->n_operands; i++) {
        const PsPtxOperand *operand = &instruction->operands[i];
        if (operand->kind != PS_PTX_OPERAND_ADDRESS || instruction->mnemonic->space == PS_PTX_PARAM)
            continue;
        what |= odd ? PS_GROUPS_GUARD : 0;
        what |= level_of(search, at, operand) >= ANY ? PS_GROUPS_ADDRESS : 0;
        what |= level_of(search, at, operand) == GATHERED ? PS_GROUPS_DATA | PS_GROUPS_UNEVEN : 0;
        what |= bits_of(search, at, operand) & BENT || of_data ? PS_GROUPS_UNEVEN : 0;
    }
    return what;
}

static void pass(gpointer user, guint point)
{
    Search *search = user;
    const PsPtxPoint *at = &search->walk.code->points[point];
    if (search->looks && !(search->decided && search->decided[point]))
        search->may_vary |= level_of_way(search, at) >= ANY && !is_detour(search->walk.code, point);
    search->may_stray |= search->looks && strays(search, at);
    if (search->looks && search->picks == PS_PTX_NOWHERE && picks(search, at))
        search->picks = point;
    if (search->looks && search->varying)
        search->varying[point] = varying_at(search, point);
    const guint level = level_at(search, at);
    for (guint i = 0; i < ps_ptx_n_destinations(at->instruction); i++)
        write_level(search, at, &at->instruction->operands[i], level);
}

/* FALSE: the code is too large. */
static gboolean look_at(Search *search, const PsPtxCode *code)
{
    const PsPtxWalker walker = {pass, join, search};
    if (!ps_ptx_walk_init(&search->walk, code, walker))
        return FALSE;
    ps_ptx_walk_all(&search->walk, TRUE);
    ps_ptx_walk_settle(&search->walk);
    search->looks = TRUE;
    ps_ptx_walk_all(&search->walk, FALSE);
    ps_ptx_walk_clear(&search->walk);
    return TRUE;
}

gboolean ps_groups_may_vary(const PsPtxCode *code, const guint8 *decided)
{
    Search search = {.decided = decided, .picks = PS_PTX_NOWHERE};
    return !look_at(&search, code) || search.may_vary;
}

gboolean ps_groups_may_stray(const PsPtxCode *code)
{
    Search search = {0};
    return !look_at(&search, code) || search.may_stray;
}

guint ps_groups_pick(const PsPtxCode *code)
{
    Search search = {.picks = PS_PTX_NOWHERE};
    return look_at(&search, code) ? search.picks : PS_PTX_NOWHERE;
}

gboolean ps_groups_may_guard(const PsPtxCode *code, const guint8 *decided)
{
    g_autofree guint8 *varying = ps_groups_varying(code);
    gboolean may = !varying;
    for (guint p = 0; varying && p < code->n_points; p++)
        may = may || ((varying[p] & PS_GROUPS_GUARD) != 0 && !(decided && decided[p]));
    return may;
}

guint8 ps_groups_vary_in(const PsPtxCode *code)
{
    g_autofree guint8 *varying = ps_groups_varying(code);
    guint8 what = varying ? 0 : G_MAXUINT8;
    for (guint p = 0; varying && p < code->n_points; p++)
        what |= varying[p];
    return what;
}

guint8 *ps_groups_varying(const PsPtxCode *code)
{
    Search search = {.picks = PS_PTX_NOWHERE, .varying = g_new0(guint8, (gsize)code->n_points + 1)};
    if (!look_at(&search, code))
        g_clear_pointer(&search.varying, g_free);
    return search.varying;
}
