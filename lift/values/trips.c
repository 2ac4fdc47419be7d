/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How often a loop runs, from the comparison at its exit: up to the first iteration in which the
 * counter is beyond its bound. The result is compared with the number of iterations that were
 * executed; if they differ, that number is used.
 */
#include "lift/values/induction.h"
#include "lift/values/symbol.h"

#include <string.h>

PsExpr *ps_number_expr(gint64 value)
{
    g_autofree char *text = g_strdup_printf("%" G_GINT64_FORMAT, value);
    return ps_expr_new(text, (PsPlace){"number", 0}, NULL);
}

/* ---- names ---------------------------------------------------------------------------------- */

/* Marks each parameter named in an expression's text as used. */
static void mark_used(const PsSymbols *symbols, const char *text)
{
    g_autoptr(GPtrArray) names = ps_scope_names(symbols->scope);
    for (const char *at = text; *at;) {
        gsize n = strspn(at, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_");
        for (guint i = 0; n > 0 && i < names->len; i++) {
            const char *name = names->pdata[i];
            if (strlen(name) == n && strncmp(name, at, n) == 0)
                g_hash_table_add(symbols->used, (gpointer)name);
        }
        at += MAX(1, n);
    }
}

PsExpr *ps_symbols_expression(PsSymbols *symbols, const char *text, gint64 value)
{
    const PsPlace place = {"launch", 0};
    PsRational result;
    PsExpr *expr = text ? ps_expr_new(text, place, NULL) : NULL;
    if (expr && ps_expr_eval(expr, symbols->scope, place, &result, NULL) &&
        ps_rational_cmp(result, PS_RATIONAL_INT(value)) == 0) {
        mark_used(symbols, text);
        return expr;
    }
    ps_expr_free(expr);
    return ps_number_expr(value);
}

void ps_symbols_add_params(const PsSymbols *symbols, PsIdg *idg)
{
    g_autoptr(GPtrArray) names = ps_scope_names(symbols->scope);
    for (guint i = 0; i < names->len; i++) {
        PsRational value;
        if (!g_hash_table_contains(symbols->used, names->pdata[i]) ||
            !ps_scope_get(symbols->scope, names->pdata[i], &value))
            continue;
        PsIdgParam *param = ps_idg_add_param(idg, names->pdata[i], ps_number_expr(value.num));
        param->text = g_strdup("argument of the kernel");
    }
}

/* ---- trips ---------------------------------------------------------------------------------- */

typedef enum { LESS, LESS_EQUAL, GREATER, GREATER_EQUAL, EQUAL, DIFFERENT, OTHER } Relation;

static Relation relation_of(const PsPtxMnemonic *mnemonic)
{
    static const struct {
        const char *part;
        Relation relation;
    } list[] = {{"lt", LESS},    {"lo", LESS},     {"le", LESS_EQUAL},    {"ls", LESS_EQUAL},
                {"gt", GREATER}, {"hi", GREATER},  {"ge", GREATER_EQUAL}, {"hs", GREATER_EQUAL},
                {"eq", EQUAL},   {"ne", DIFFERENT}};
    for (gsize i = 0; i < G_N_ELEMENTS(list); i++)
        if (ps_ptx_has(mnemonic, list[i].part))
            return list[i].relation;
    return OTHER;
}

/* The relation between counter and bound while the loop goes on. */
static Relation goes_on(const PsFacts *facts, const PsInduction *induction)
{
    static const Relation swapped[] = {GREATER, GREATER_EQUAL, LESS, LESS_EQUAL,
                                       EQUAL,   DIFFERENT,     OTHER};
    static const Relation negated[] = {GREATER_EQUAL, GREATER, LESS_EQUAL, LESS,
                                       DIFFERENT,     EQUAL,   OTHER};
    Relation relation = relation_of(ps_facts_instruction(facts, induction->compare)->mnemonic);
    if (induction->side == 2)
        relation = swapped[relation];
    return induction->repeats ? relation : negated[relation];
}

static PsSymbol nothing(void)
{
    return (PsSymbol){NULL, 0, FALSE, FALSE};
}

/* The smallest k for which init + k * step is beyond the bound, less what is added to *more; takes
 * ownership of init and bound. */
static PsSymbol first_beyond(Relation relation, PsSymbol init, PsSymbol bound, gint64 step,
                             gint64 *more)
{
    const gboolean up = step > 0;
    PsSymbol way = up ? ps_symbol_combine('-', bound, init) : ps_symbol_combine('-', init, bound);
    PsSymbol length = ps_symbol_number(up ? step : -step);
    if (relation == DIFFERENT)
        return ps_symbol_combine('/', way, length);
    if (relation == (up ? LESS : GREATER))
        return ps_symbol_combine('c', way, length);
    if (relation == (up ? LESS_EQUAL : GREATER_EQUAL)) {
        *more += 1;
        return ps_symbol_combine('d', way, length);
    }
    ps_symbol_clear(&way);
    ps_symbol_clear(&length);
    return nothing();
}

/* The same for a step that is an expression, for counters that grow. */
static PsSymbol first_beyond_symbolic(Relation relation, PsSymbol init, PsSymbol bound,
                                      PsSymbol step)
{
    PsSymbol way = ps_symbol_combine('-', bound, init);
    if (relation == LESS)
        return ps_symbol_combine('c', way, step);
    ps_symbol_clear(&way);
    ps_symbol_clear(&step);
    return nothing();
}

/* How often the loop's header is reached each time that the loop is entered, plus `more`. */
static PsSymbol trips_of(const PsSymbols *symbols, const PsInduction *induction, gint64 more)
{
    const PsFacts *facts = symbols->facts;
    const guint loop = induction->loop;
    PsSymbol init = ps_symbol_of_register(symbols, induction->counter, loop);
    PsSymbol bound =
        ps_symbol_of_operand(symbols, induction->compare, 3 - induction->side, PS_PTX_NOWHERE);
    PsSymbol step = ps_symbol_of_operand(symbols, induction->add, induction->step, PS_PTX_NOWHERE);
    const gboolean down = ps_facts_is(facts, induction->add, "sub");
    const Relation relation = goes_on(facts, induction);
    PsSymbol result;
    if (!init.text || !bound.text || !step.text || step.value == 0 || (down && !step.constant)) {
        ps_symbol_clear(&init);
        ps_symbol_clear(&bound);
        ps_symbol_clear(&step);
        return nothing();
    }
    if (!step.constant)
        result = first_beyond_symbolic(relation, init, bound, step);
    else
        result = first_beyond(relation, init, bound, down ? -step.value : step.value, &more);
    if (step.constant)
        ps_symbol_clear(&step);
    more += induction->after ? 0 : 1;
    return more < 0 ? ps_symbol_combine('-', result, ps_symbol_number(-more))
                    : ps_symbol_combine('+', result, ps_symbol_number(more));
}

static gint64 iterations_of(const PsSpot *spot)
{
    return spot->all > 0 ? spot->all : spot->times * spot->copies;
}

static PsSymbol try_branch(const PsSymbols *symbols, const PsSpot *spot, guint point)
{
    PsInduction induction;
    if (symbols->facts->facts[point].class.kind != PS_CLASS_BRANCH ||
        !ps_induction_find(symbols->facts, point, &induction) || induction.loop != spot->loop)
        return nothing();
    PsSymbol trips = trips_of(symbols, &induction, -spot->others);
    if (trips.text && !trips.constant && trips.value == iterations_of(spot))
        return trips;
    ps_symbol_clear(&trips);
    return nothing();
}

/* The iterations of the run that is the loop's. A repeating pattern, or a loop of one, has fewer
 * iterations than the loop in the code, so nothing is found for it. */
static PsSymbol run_of(const PsSymbols *symbols, const PsSpots *spots, guint loop)
{
    const PsSpot *spot = ps_spot(spots, loop);
    const PsPtxCode *code = symbols->facts->code;
    if (symbols->fixed || spot->loop == PS_PTX_NOWHERE || spot->others > spot->times ||
        (spot->copies > 1 && spot->all == 0))
        return nothing();
    for (guint p = code->loops[spot->loop].header;
         p < code->n_points && ps_ptx_code_in_loop(code, p, spot->loop); p++) {
        PsSymbol result = try_branch(symbols, spot, p);
        if (result.text)
            return result;
    }
    return nothing();
}

PsExpr *ps_symbols_trips(PsSymbols *symbols, const PsSpots *spots, guint loop)
{
    const PsSpot *spot = ps_spot(spots, loop);
    PsSymbol trips = run_of(symbols, spots, loop);
    if (trips.text && spot->rest)
        trips = ps_symbol_combine('%', trips, ps_symbol_number(2 * (gint64)spot->copies));
    if (trips.text && spot->copies > 1)
        trips = ps_symbol_combine('d', trips, ps_symbol_number(spot->copies));
    PsExpr *result = ps_symbols_expression(symbols, trips.text, spot->times);
    ps_symbol_clear(&trips);
    return result;
}

void ps_symbols_settle_rests(const PsSymbols *symbols, PsSpots *spots)
{
    for (guint i = 0; i < spots->spots->len; i++) {
        PsSpot *loop = ps_spot(spots, i);
        if (loop->kind != PS_SPOT_LOOP || !loop->rest)
            continue;
        PsSymbol run = run_of(symbols, spots, i);
        loop->rest = run.text != NULL;
        for (guint s = i + 1; loop->times == 0 && !loop->rest && s < loop->partner; s++)
            ps_spot(spots, s)->role = PS_ROLE_ABSENT;
        ps_symbol_clear(&run);
    }
}
