/* SPDX-License-Identifier: BSD-3-Clause */
/* See idiom.h. Other instructions may stand between those of an operation, so each operation is
 * found from an instruction that only it has, along registers. */
#include "lift/values/idiom.h"

#include "base/class-name.h"
#include "lift/values/function.h"

#include <string.h>

#define MOST_PARTS 40

static PsCodeStep *at(const PsIdiomSearch *search, guint i)
{
    return ps_step_in(search, i);
}

typedef gboolean (*Ends)(const PsIdiomSearch *search, guint step);

/* Adds the steps of these classes before `end` that follow from one along registers. The search
 * does not go beyond steps that end the operation, nor does it take results of others. */
static void follow(const PsIdiomSearch *search, guint from, guint end, const char *const *classes,
                   Ends ends, GArray *set)
{
    ps_idiom_add(set, from);
    for (guint k = set->len - 1; k < set->len && set->len < MOST_PARTS; k++) {
        const guint i = g_array_index(set, guint, k);
        const GArray *readers = at(search, i)->to;
        for (guint r = 0; r < readers->len && !(ends && i != from && ends(search, i)); r++) {
            const guint reader = g_array_index(readers, guint, r);
            if (reader < end && !at(search, reader)->op &&
                ps_class_is_one_of(at(search, reader)->name, classes))
                ps_idiom_add(set, reader);
        }
    }
}

static guint last_of(const GArray *set)
{
    guint last = 0;
    for (guint i = 0; i < set->len; i++)
        last = MAX(last, g_array_index(set, guint, i));
    return last;
}

/* The nearest step with that opcode that reads the same operand. */
static guint near_by(const PsIdiomSearch *search, guint i, const char *opcode, const char *operand)
{
    guint nearest = PS_NO_STEP;
    const guint begin = i > PS_IDIOM_MOST_APART ? i - PS_IDIOM_MOST_APART : 0;
    for (guint k = begin; operand && k < MIN(search->steps->len, i + PS_IDIOM_MOST_APART); k++) {
        const PsCodeStep *step = at(search, k);
        if (!ps_step_is(step, opcode) || g_strcmp0(step->operands[1], operand) != 0)
            continue;
        const GArray *from = step->from;
        if ((from->len == 0 ||
             ps_idiom_contains(at(search, i)->from, g_array_index(from, guint, 0))) &&
            (nearest == PS_NO_STEP || k < i || k - i < i - nearest))
            nearest = k;
    }
    return nearest;
}

static const char *operand_of(const PsCodeStep *step, guint n)
{
    return g_strv_length(step->operands) > n ? step->operands[n] : NULL;
}

/* The step with one of two opcodes that it reads. */
static guint either_source(const PsIdiomSearch *search, guint i, const char *one, const char *other)
{
    const guint source = ps_step_source(search->steps, i, one);
    return source != PS_NO_STEP ? source : ps_step_source(search->steps, i, other);
}

/* ---- singles ------------------------------------------------------------------------------- */

/* FCHK tests whether x / y needs the subroutine. */
static void find_division(const PsIdiomSearch *search, guint check)
{
    static const char *const classes[] = {"fmadd", NULL};
    g_autoptr(GArray) set = ps_idiom_set_new();
    const guint branch = ps_step_reader(search->steps, check, "BRA");
    const guint rcp = near_by(search, check, "MUFU.RCP", operand_of(at(search, check), 2));
    if (branch == PS_NO_STEP || rcp == PS_NO_STEP)
        return;
    follow(search, rcp, branch, classes, NULL, set);
    const guint result = last_of(set);
    if (result == rcp)
        return;
    ps_idiom_add(set, check);
    (void)ps_idiom_add_branch(search, branch, set);
    ps_idiom_mark(search, set, result, "div.rn.f32");
}

/* Comparisons with these test whether a root, or 1 / x, needs a subroutine; x and the constant are
 * written in one of two orders. */
typedef struct {
    const char *limit, *added, *likewise, *opcode, *op;
} Checked;

static void find_checked(const PsIdiomSearch *search, guint check, const Checked *checked)
{
    static const char *const classes[] = {"fmadd", "fmul", "fadd", NULL};
    g_autoptr(GArray) set = ps_idiom_set_new();
    const guint branch = ps_step_reader(search->steps, check, "BRA");
    const guint mask = ps_step_source(search->steps, check, "LOP3");
    const guint from = mask != PS_NO_STEP ? mask : check;
    const guint sum = either_source(search, from, "IADD3", "VIADD");
    if (branch == PS_NO_STEP || sum == PS_NO_STEP ||
        !(ps_step_has(at(search, sum), checked->added) ||
          ps_step_has(at(search, sum), checked->likewise)))
        return;
    const guint end = ps_idiom_add_branch(search, branch, set);
    const char *x = operand_of(at(search, sum), 1);
    x = g_strcmp0(x, "PT") == 0 ? operand_of(at(search, sum), 3) : x;
    const guint special = near_by(search, sum, checked->opcode, x);
    if (end == PS_NO_STEP || special == PS_NO_STEP)
        return;
    const guint before = set->len;
    follow(search, special, end, classes, NULL, set);
    guint result = special;
    for (guint i = before; i < set->len; i++)
        result = MAX(result, g_array_index(set, guint, i));
    ps_idiom_add(set, check);
    ps_idiom_add(set, sum);
    ps_idiom_add(set, mask);
    ps_idiom_mark(search, set, result, checked->op);
}

static void find_single(const PsIdiomSearch *search, guint i)
{
    static const Checked checked[] = {
        {"0x727fffff", "-0xd000000", "0xf3000000", "MUFU.RSQ", "sqrt.rn.f32"},
        {"0x1ffffff", "0x1800000", "0x1800000", "MUFU.RCP", "rcp.rn.f32"}};
    if (ps_step_is(at(search, i), "FCHK"))
        find_division(search, i);
    for (gsize c = 0; c < G_N_ELEMENTS(checked); c++)
        if (ps_step_is(at(search, i), "ISETP") && ps_step_has(at(search, i), checked[c].limit))
            find_checked(search, i, &checked[c]);
}

/* ---- integers ------------------------------------------------------------------------------ */

/* The last step of a division sets all bits if the divisor is 0, or chooses them. */
static gboolean ends_division(const PsIdiomSearch *search, guint i)
{
    const PsCodeStep *step = at(search, i);
    if (ps_step_is(step, "LOP3"))
        return step->guarded && ps_step_has(step, "0x33");
    for (guint f = 0; ps_step_is(step, "SEL") && f < step->from->len; f++) {
        const PsCodeStep *from = at(search, g_array_index(step->from, guint, f));
        if (ps_step_is(from, "LOP3") && ps_step_has(from, "0x33"))
            return TRUE;
    }
    return FALSE;
}

/* The steps from the divisor's conversion to its inverse, of which a step is the last; FALSE: it is
 * none. The conversion is the first of the set. */
static gboolean find_inverse(const PsIdiomSearch *search, guint last, GArray *set)
{
    const GPtrArray *steps = search->steps;
    const guint product = ps_step_source(steps, last, "IMAD");
    const guint whole = ps_step_source(steps, last, "F2I");
    const guint sum = either_source(search, whole, "IADD3", "VIADD");
    const guint rcp = ps_step_source(steps, sum, "MUFU.RCP");
    const guint conversion = either_source(search, rcp, "I2F", "UI2F");
    if (product == PS_NO_STEP || conversion == PS_NO_STEP ||
        !ps_step_has(at(search, sum), "0xffffffe") ||
        !strstr(at(search, conversion)->opcode, ".RP"))
        return FALSE;
    const guint list[] = {conversion, rcp, sum, whole, product, last};
    for (gsize i = 0; i < G_N_ELEMENTS(list); i++)
        ps_idiom_add(set, list[i]);
    return TRUE;
}

/* The quotient is raised by one if the remainder is too large; for a remainder, the remainder is
 * lowered. */
static gboolean is_quotient(const PsIdiomSearch *search, const GArray *set)
{
    for (guint i = 0; i < set->len; i++) {
        const PsCodeStep *step = at(search, g_array_index(set, guint, i));
        if (step->guarded && ps_step_has(step, "0x1") &&
            (ps_step_is(step, "IADD3") || ps_step_is(step, "VIADD")))
            return TRUE;
    }
    return FALSE;
}

/* Adds steps that only the operation reads: operands without signs, signs, and whether the divisor
 * is 0. */
static void add_inputs(const PsIdiomSearch *search, GArray *set)
{
    for (guint i = 0; i < set->len && set->len < MOST_PARTS; i++) {
        const GArray *from = at(search, g_array_index(set, guint, i))->from;
        for (guint f = 0; f < from->len; f++) {
            const guint input = g_array_index(from, guint, f);
            const PsCodeStep *step = at(search, input);
            gboolean own = ps_step_is(step, "IABS") || ps_step_is(step, "ISETP");
            for (guint r = 0; own && r < step->to->len; r++)
                own = ps_idiom_contains(set, g_array_index(step->to, guint, r));
            if (own)
                ps_idiom_add(set, input);
        }
    }
}

static const char *argument_in(const PsIdiomSearch *search, guint point,
                               const PsPtxOperand *operand)
{
    if (operand->kind != PS_PTX_OPERAND_REGISTER)
        return NULL;
    const guint reg = ps_ptx_code_register(&search->facts->code->points[point], operand->reg);
    return g_hash_table_lookup(search->arguments, GUINT_TO_POINTER(reg));
}

/* The argument that an instruction reads from its constant bank, interned; NULL: none; PS_UNIFORM:
 * it reads two. */
static const char *argument_of(const PsIdiomSearch *search, guint i)
{
    const PsFacts *facts = search->facts;
    const GArray *origins = facts->machine->origins;
    const guint machine = g_array_index(origins, PsSassOrigin, at(search, i)->point).machine;
    const char *name = NULL;
    for (guint p = at(search, i)->point + 1; p-- > 0;) {
        const PsPtxInstruction *instruction = ps_facts_instruction(facts, p);
        if (g_array_index(origins, PsSassOrigin, p).machine != machine)
            break;
        for (guint o = 1; o < instruction->n_operands; o++) {
            const char *other = argument_in(search, p, &instruction->operands[o]);
            if (other && name && other != name)
                return PS_UNIFORM;
            name = other ? other : name;
        }
    }
    return name;
}

/* The argument behind a value, without its sign. */
static const char *divisor_of(const PsIdiomSearch *search, guint i)
{
    static const char *const passing[] = {"IABS", "MOV", "IMAD.MOV", "ULDC", "LDC", "LDCU", NULL};
    const char *name = argument_of(search, i);
    const GArray *from = at(search, i)->from;
    for (guint depth = 0; !name && depth < 4 && from->len == 1; depth++) {
        i = g_array_index(from, guint, 0);
        gboolean passes = FALSE;
        for (const char *const *opcode = passing; *opcode; opcode++)
            passes |= ps_step_is(at(search, i), *opcode);
        if (!passes)
            return NULL;
        name = argument_of(search, i);
        from = at(search, i)->from;
    }
    return name;
}

static void find_integer(const PsIdiomSearch *search, guint i)
{
    static const char *const classes[] = {"iadd", "imad", "logic", "shift", NULL};
    if (!ps_step_is(at(search, i), "IMAD.HI"))
        return;
    const GArray *from = at(search, i)->from;
    for (guint f = 0; f < from->len; f++) {
        g_autoptr(GArray) set = ps_idiom_set_new(), inverse = ps_idiom_set_new();
        if (!find_inverse(search, g_array_index(from, guint, f), inverse))
            continue;
        follow(search, i, search->steps->len, classes, ends_division, set);
        const guint result = last_of(set);
        if (!ends_division(search, result))
            return;
        const gboolean plain =
            strstr(at(search, g_array_index(inverse, guint, 0))->opcode, ".U32") != NULL;
        const char *op = is_quotient(search, set) ? plain ? "div.u32" : "div.s32"
                         : plain                  ? "rem.u32"
                                                  : "rem.s32";
        at(search, result)->by = divisor_of(search, g_array_index(inverse, guint, 0));
        g_array_append_vals(set, inverse->data, inverse->len);
        add_inputs(search, set);
        ps_idiom_mark(search, set, result, op);
        return;
    }
}

/* Divisions of 64-bit integers are subroutines, counted where they are called. */
static void find_call(const PsIdiomSearch *search, guint i)
{
    static const char *const names[][2] = {{"__cuda_sm20_div_s64", "div.s64"},
                                           {"__cuda_sm20_div_u64", "div.u64"},
                                           {"__cuda_sm20_rem_s64", "rem.s64"},
                                           {"__cuda_sm20_rem_u64", "rem.u64"}};
    const char *name = operand_of(at(search, i), 0), *op = NULL;
    for (gsize n = 0; ps_step_is(at(search, i), "CALL") && name && n < G_N_ELEMENTS(names); n++)
        op = strstr(name, names[n][0]) ? names[n][1] : op;
    g_autoptr(GArray) set = ps_idiom_set_new();
    guint end = i;
    while (op && end < search->steps->len && end - i < PS_IDIOM_MOST_SUBROUTINE &&
           !ps_step_is(at(search, end), "RET"))
        ps_idiom_add(set, end++);
    if (!op || end == search->steps->len || !ps_step_is(at(search, end), "RET"))
        return;
    guint result = PS_NO_STEP;
    for (guint k = i; k < end; k++) {
        const GArray *to = at(search, k)->to;
        for (guint r = 0; r < to->len && at(search, k)->from->len > 0; r++)
            result = g_array_index(to, guint, r) > end ? k : result;
    }
    ps_idiom_add(set, end);
    if (result != PS_NO_STEP)
        ps_idiom_mark(search, set, result, op);
}

/* -------------------------------------------------------------------------------------------- */

/* Machine code loads arguments before its first instruction. */
static GHashTable *find_arguments(const PsFacts *facts, const PsPtxLaunch *launch)
{
    GHashTable *arguments = g_hash_table_new(NULL, NULL);
    const GArray *origins = facts->machine->origins;
    for (guint p = 0; p < facts->code->n_points; p++) {
        const PsPtxInstruction *load = ps_facts_instruction(facts, p);
        guint number;
        if (g_array_index(origins, PsSassOrigin, p).machine != G_MAXUINT)
            break;
        if (load->mnemonic->space == PS_PTX_PARAM && load->n_operands > 1 &&
            load->operands[1].value == 0 &&
            g_ptr_array_find(launch->kernel->params, load->operands[1].variable, &number) &&
            number < launch->n_arguments && launch->arguments[number].name)
            g_hash_table_insert(arguments,
                                GUINT_TO_POINTER(ps_ptx_code_register(&facts->code->points[p],
                                                                      load->operands[0].reg)),
                                (gpointer)g_intern_string(launch->arguments[number].name));
    }
    return arguments;
}

GPtrArray *ps_idioms_find(const PsFacts *facts, const PsPtxLaunch *launch)
{
    g_autoptr(GHashTable) arguments = facts->machine ? find_arguments(facts, launch) : NULL;
    const PsIdiomSearch search = {facts, ps_steps_new(facts), arguments};
    for (guint i = 0; facts->machine && i < search.steps->len; i++) {
        find_single(&search, i);
        find_integer(&search, i);
        find_call(&search, i);
    }
    ps_functions_find(&search);
    return search.steps;
}
