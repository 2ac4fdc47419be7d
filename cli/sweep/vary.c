/* SPDX-License-Identifier: BSD-3-Clause */
/* See vary.h. Arithmetic is exact, so that 0.1..0.3+0.1 has three values on every machine. */
#include "cli/sweep/vary.h"

#include "cli/fail.h"

#include <string.h>

/* Values of a list that are measured for the width of its column. */
#define MAX_MEASURED 1000

/* from, from + by, ... or from, from * by, ... up to the end. A single value is a range, too. */
typedef struct {
    PsRational from, to, by;
    gboolean from_max, to_max; /* the occupancy instead */
    gboolean factor;
} Range;

/* ---- reading ------------------------------------------------------------------------------- */

static gboolean malformed(GError **error, const Vary *vary, const char *why)
{
    return usage_error(error,
                       "--vary %s=%s: %s; write a list such as 1..32, 1,2,4, 32..1024*2 or 4..16+4",
                       vary->name, vary->list, why);
}

/* The values that make sense for what is varied. */
static const char *bad_value(const Vary *vary, PsRational value)
{
    if (vary->kind == VARY_PARAM)
        return NULL;
    if (value.num <= 0)
        return "each value must be above 0";
    if (vary->kind < VARY_PARAM && !ps_rational_is_int(value))
        return "each value must be a whole number";
    return NULL;
}

static gboolean parse_value(const Vary *vary, const char *text, PsRational *value, gboolean *max,
                            GError **error)
{
    *max = strcmp(text, "max") == 0;
    if (*max && vary->kind != VARY_ACTIVE)
        return malformed(error, vary, "only active has a max");
    if (*max)
        return TRUE;
    if (!ps_rational_parse(text, value)) {
        g_autofree char *why = *text ? g_strdup_printf("'%s' is no plain decimal number", text)
                                     : g_strdup("a value is missing");
        return malformed(error, vary, why);
    }
    const char *why = bad_value(vary, *value);
    return !why || malformed(error, vary, why);
}

/* The step behind the end of a range, cut off from it: "+4" or "*2". */
static gboolean parse_step(const Vary *vary, char *end, Range *range, GError **error)
{
    char *sign = strpbrk(end, "*+");
    if (!sign)
        return TRUE;
    range->factor = *sign == '*';
    *sign = '\0';
    if (!ps_rational_parse(sign + 1, &range->by))
        return malformed(error, vary, "the step is no plain decimal number");
    if (ps_rational_cmp(range->by, PS_RATIONAL_INT(range->factor)) <= 0)
        return malformed(error, vary,
                         range->factor ? "it is endless: a factor must be above 1"
                                       : "it is endless: a step must be above 0");
    return TRUE;
}

static gboolean check_range(const Vary *vary, const Range *range, GError **error)
{
    if (range->factor && !range->from_max && range->from.num <= 0)
        return malformed(error, vary, "a factor needs a start above 0");
    if (range->from_max || range->to_max)
        return TRUE;
    return ps_rational_cmp(range->from, range->to) <= 0 ||
           malformed(error, vary, "it is empty: a range goes up from its lower end");
}

static gboolean parse_range(Vary *vary, const char *text, GError **error)
{
    g_autofree char *start = g_strdup(text);
    Range range = {.by = PS_RATIONAL_INT(1)};
    char *end = strstr(start, "..");
    if (end) {
        *end = '\0';
        end += strlen("..");
        if (!parse_step(vary, end, &range, error))
            return FALSE;
    }
    if (!parse_value(vary, start, &range.from, &range.from_max, error) ||
        !parse_value(vary, end ? end : start, &range.to, &range.to_max, error) ||
        !check_range(vary, &range, error))
        return FALSE;
    vary->uses_max |= range.from_max || range.to_max;
    g_array_append_val(vary->ranges, range);
    return TRUE;
}

/* What every graph has. */
static const struct {
    const char *name;
    VaryKind kind;
} LAUNCH[] = {{"active", VARY_ACTIVE}, {"groups", VARY_GROUPS}, {"group-size", VARY_GROUP_SIZE}};

static gboolean parse_name(Vary *vary, GError **error)
{
    for (guint i = 0; i < G_N_ELEMENTS(LAUNCH); i++)
        if (strcmp(vary->name, LAUNCH[i].name) == 0) {
            vary->kind = LAUNCH[i].kind;
            return TRUE;
        }
    g_autofree char *klass = g_strdup(vary->name);
    const char *latency = ps_class_cut_last(klass);
    if (g_strcmp0(latency, "issue") == 0 || g_strcmp0(latency, "completion") == 0) {
        vary->kind = g_str_equal(latency, "issue") ? VARY_ISSUE : VARY_COMPLETION;
        vary->klass = g_steal_pointer(&klass);
        return TRUE;
    }
    vary->kind = VARY_PARAM;
    return ps_expr_is_name(vary->name) ||
           usage_error(error,
                       "--vary '%s': there is nothing of that name; it is active, groups, "
                       "group-size, a parameter of the graph, CLASS.issue or CLASS.completion",
                       vary->name);
}

/* Columns of the longest value; of a long list, of those at its beginning and of its ends. */
static int longest(const Vary *vary)
{
    gsize width = 0;
    VaryAt at;
    vary_first(vary, 0, &at);
    for (guint i = 0; i < MAX_MEASURED; i++) {
        g_autofree char *text = ps_rational_format(at.value);
        width = MAX(width, strlen(text));
        if (!vary_next(vary, &at))
            return (int)width;
    }
    for (guint i = 0; i < vary->ranges->len; i++) {
        g_autofree char *text = ps_rational_format(g_array_index(vary->ranges, Range, i).to);
        width = MAX(width, strlen(text));
    }
    return (int)width;
}

Vary *vary_parse(const char *text, GError **error)
{
    const char *equals = strchr(text, '=');
    if (!equals) {
        usage_error(error, "--vary '%s': write NAME=LIST, such as active=1..max", text);
        return NULL;
    }
    g_autoptr(Vary) vary = g_new0(Vary, 1);
    vary->name = g_strndup(text, (gsize)(equals - text));
    vary->list = g_strdup(equals + 1);
    vary->ranges = g_array_new(FALSE, FALSE, sizeof(Range));
    if (!parse_name(vary, error))
        return NULL;
    g_auto(GStrv) parts = g_strsplit(vary->list, ",", 0);
    if (!parts[0]) {
        malformed(error, vary, "it is empty");
        return NULL;
    }
    for (guint i = 0; parts[i]; i++)
        if (!parse_range(vary, parts[i], error))
            return NULL;
    if (!vary->uses_max) {
        if (!vary_count(vary, 0, &vary->length, error))
            return NULL;
        vary->width = longest(vary);
    }
    return g_steal_pointer(&vary);
}

void vary_free(Vary *vary)
{
    if (!vary)
        return;
    g_free(vary->name);
    g_free(vary->klass);
    g_free(vary->list);
    g_array_unref(vary->ranges);
    g_free(vary);
}

/* ---- what a graph has ---------------------------------------------------------------------- */

/* Adds the classes of the nodes. */
static void add_classes(const GPtrArray *body, GPtrArray *classes)
{
    for (guint i = 0; i < body->len; i++) {
        const PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_LOOP)
            add_classes(item->body, classes);
        else if (!g_ptr_array_find_with_equal_func(classes, item->klass, g_str_equal, NULL))
            g_ptr_array_add(classes, item->klass);
    }
}

static char *join(const GPtrArray *names)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < names->len; i++)
        g_string_append_printf(text, "%s%s", i ? ", " : "", (const char *)names->pdata[i]);
    return g_string_free(text, FALSE);
}

static gboolean check_class(const Vary *vary, const PsIdg *idg, GError **error)
{
    g_autoptr(GPtrArray) classes = g_ptr_array_new();
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < idg->codes->len; i++)
        add_classes(((const PsIdgCode *)idg->codes->pdata[i])->body, classes);
    for (guint i = 0; i < classes->len; i++)
        ps_class_add_names(classes->pdata[i], names);
    if (g_ptr_array_find_with_equal_func(names, vary->klass, g_str_equal, NULL))
        return TRUE;
    g_autofree char *known = join(classes), *near = ps_did_you_mean(vary->klass, names);
    return usage_error(error,
                       "--vary %s: no node of graph '%s' is of class '%s'; it asks for: %s%s",
                       vary->name, idg->name, vary->klass, known, near);
}

static gboolean check_param(const Vary *vary, const PsIdg *idg, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < idg->params->len; i++)
        g_ptr_array_add(names, ((const PsIdgParam *)idg->params->pdata[i])->name);
    if (g_ptr_array_find_with_equal_func(names, vary->name, g_str_equal, NULL))
        return TRUE;
    g_autofree char *known = join(names);
    for (guint i = 0; i < G_N_ELEMENTS(LAUNCH); i++)
        g_ptr_array_add(names, (gpointer)LAUNCH[i].name);
    g_autofree char *near = ps_did_you_mean(vary->name, names);
    return usage_error(error,
                       "--vary %s: graph '%s' has no parameter of that name; it can be active, "
                       "groups, group-size, CLASS.issue, CLASS.completion%s%s%s",
                       vary->name, idg->name, *known ? " or a parameter: " : "", known, near);
}

gboolean vary_check(const Vary *vary, const PsIdg *idg, GError **error)
{
    if (vary->klass)
        return check_class(vary, idg, error);
    return vary->kind != VARY_PARAM || check_param(vary, idg, error);
}

/* ---- values -------------------------------------------------------------------------------- */

/* The ends of a range, with this for max. */
static PsRational first_of(const Range *range, gint64 max)
{
    return range->from_max ? PS_RATIONAL_INT(max) : range->from;
}

static PsRational last_of(const Range *range, gint64 max)
{
    return range->to_max ? PS_RATIONAL_INT(max) : range->to;
}

/* What cannot be represented any more lies beyond the end, too. */
static gboolean step(const Range *range, gint64 max, PsRational *value)
{
    PsRational next = *value;
    if (!(range->factor ? ps_rational_mul : ps_rational_add)(*value, range->by, &next) ||
        ps_rational_cmp(next, last_of(range, max)) > 0)
        return FALSE;
    *value = next;
    return TRUE;
}

static gboolean scale(PsRational value, gint64 by, gint64 *result)
{
    PsRational product;
    if (!ps_rational_mul(value, PS_RATIONAL_INT(by), &product))
        return FALSE;
    *result = ps_rational_floor(product);
    return TRUE;
}

/* How many steps a range that adds has, without walking it: all its values are multiples of one
 * unit, 1 / den. FALSE where one of them might not be representable; then only walking tells. */
static gboolean count_steps(const Range *range, gint64 max, gint64 *steps)
{
    const PsRational start = first_of(range, max), end = last_of(range, max);
    gint64 den = 1, from, to, by;
    PsRational distance;
    if (range->factor || !ps_rational_common_denominator(start, &den) ||
        !ps_rational_common_denominator(range->by, &den) || !scale(start, den, &from) ||
        !scale(end, den, &to) || !scale(range->by, den, &by) ||
        !ps_rational_sub(PS_RATIONAL_INT(to), PS_RATIONAL_INT(from), &distance))
        return FALSE;
    *steps = distance.num / by;
    return TRUE;
}

/* The same by walking, at most one step more than may be. *why where a value makes no sense. */
static gint64 walk_steps(const Vary *vary, const Range *range, gint64 max, const char **why)
{
    PsRational value = first_of(range, max);
    gint64 steps = 0;
    while (!(*why = bad_value(vary, value)) && steps <= VARY_MAX_POINTS && step(range, max, &value))
        steps++;
    return steps;
}

/* Adds the values of a range to *n. */
static gboolean count_range(const Vary *vary, const Range *range, gint64 max, guint *n,
                            GError **error)
{
    const char *why = NULL;
    gint64 steps;
    PsRational second;
    if (ps_rational_cmp(first_of(range, max), last_of(range, max)) > 0)
        return TRUE;
    if (!count_steps(range, max, &steps))
        steps = walk_steps(vary, range, max, &why);
    else if (steps > 0 && ps_rational_add(first_of(range, max), range->by, &second))
        why = bad_value(vary, second);
    if (why)
        return malformed(error, vary, why);
    if (steps >= VARY_MAX_POINTS - (gint64)*n)
        return usage_error(error, "--vary %s=%s: it has more than %d values, the most allowed",
                           vary->name, vary->list, VARY_MAX_POINTS);
    *n += (guint)steps + 1;
    return TRUE;
}

gboolean vary_count(const Vary *vary, gint64 max, guint *n, GError **error)
{
    *n = 0;
    for (guint i = 0; i < vary->ranges->len; i++)
        if (!count_range(vary, &g_array_index(vary->ranges, Range, i), max, n, error))
            return FALSE;
    if (*n)
        return TRUE;
    g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                "--vary %s=%s: there is no such value where max is %" G_GINT64_FORMAT, vary->name,
                vary->list, max);
    return FALSE;
}

/* Goes to the first value of the next range that has one, from this range on. */
static gboolean enter(const Vary *vary, guint range, VaryAt *at)
{
    for (; range < vary->ranges->len; range++) {
        const Range *next = &g_array_index(vary->ranges, Range, range);
        at->range = range;
        at->value = first_of(next, at->max);
        if (ps_rational_cmp(at->value, last_of(next, at->max)) <= 0)
            return TRUE;
    }
    return FALSE;
}

void vary_first(const Vary *vary, gint64 max, VaryAt *at)
{
    at->max = max;
    enter(vary, 0, at);
}

gboolean vary_next(const Vary *vary, VaryAt *at)
{
    return step(&g_array_index(vary->ranges, Range, at->range), at->max, &at->value) ||
           enter(vary, at->range + 1, at);
}
