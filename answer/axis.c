/* SPDX-License-Identifier: BSD-3-Clause */
/* The axes of a sweep. Arithmetic is exact, so that 0.1..0.3+0.1 has three values on every
 * machine. */
#include "answer/sweep.h"

#include "base/class-name.h"
#include "base/count.h"
#include "base/nearest.h"
#include "idg/words.h"

#include <string.h>

/* Values of a list that are measured for the width of its column. */
#define MAX_MEASURED 1000

/* Values from, from + by, ... or from, from * by, ... up to the end. A single value is a range,
 * too. */
typedef struct {
    PsRational from, to, by;
    gboolean from_max, to_max; /* the word max, which means the occupancy */
    gboolean factor;
} Range;

/* Sets an error that begins with the caller's name of the axis. */
static gboolean refuse(GError **error, PsErrorCode code, const char *option, const char *format,
                       ...) G_GNUC_PRINTF(4, 5);

static gboolean refuse(GError **error, PsErrorCode code, const char *option, const char *format,
                       ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error(error, PS_ERROR, code, "%s %s", option, text);
    return FALSE;
}

/* ---- reading ------------------------------------------------------------------------------- */

static gboolean malformed(GError **error, const PsSweepAxis *axis, const char *why)
{
    return refuse(error, PS_ERROR_USAGE, axis->option,
                  "%s=%s: %s; write a list such as 1..32, 1,2,4, 32..1024*2 or 4..16+4", axis->name,
                  axis->list, why);
}

/* Why a value is impossible for what is varied; NULL: it is possible. */
static const char *bad_value(const PsSweepAxis *axis, PsRational value)
{
    if (axis->kind == PS_SWEEP_AXIS_PARAM || ps_sweep_axis_is_code(axis))
        return NULL;
    if (value.num <= 0)
        return "each value must be above 0";
    if (axis->kind < PS_SWEEP_AXIS_PARAM && !ps_rational_is_int(value))
        return "each value must be a whole number";
    return NULL;
}

/* TRUE if the text begins with a needless zero, as "024" of "1,024" does. */
static gboolean begins_with_zero(const char *text)
{
    return text[0] == '0' && g_ascii_isdigit(text[1]);
}

static gboolean parse_value(const PsSweepAxis *axis, const char *text, PsRational *value,
                            gboolean *max, GError **error)
{
    *max = strcmp(text, "max") == 0;
    if (*max && axis->kind != PS_SWEEP_AXIS_ACTIVE)
        return malformed(error, axis, "only active has a max");
    if (*max)
        return TRUE;
    if (begins_with_zero(text)) {
        g_autofree char *why = g_strdup_printf("%s begins with 0; a comma divides values, so that "
                                               "a number has none in it",
                                               text);
        return malformed(error, axis, why);
    }
    if (!ps_count_parse_rational(text, value)) {
        g_autofree char *why = *text ? g_strdup_printf("'%s' is no plain decimal number", text)
                                     : g_strdup("a value is missing");
        return malformed(error, axis, why);
    }
    const char *why = bad_value(axis, *value);
    return !why || malformed(error, axis, why);
}

/* Cuts the step off a range's end: "+4" or "*2". */
static gboolean parse_step(const PsSweepAxis *axis, char *end, Range *range, GError **error)
{
    char *sign = strpbrk(end, "*+");
    if (!sign)
        return TRUE;
    range->factor = *sign == '*';
    *sign = '\0';
    if (!ps_count_parse_rational(sign + 1, &range->by))
        return malformed(error, axis, "the step is no plain decimal number");
    if (ps_rational_cmp(range->by, PS_RATIONAL_INT(range->factor)) <= 0)
        return malformed(error, axis,
                         range->factor ? "it is endless: a factor must be above 1"
                                       : "it is endless: a step must be above 0");
    return TRUE;
}

static gboolean check_range(const PsSweepAxis *axis, const Range *range, GError **error)
{
    if (range->factor && !range->from_max && range->from.num <= 0)
        return malformed(error, axis, "a factor needs a start above 0");
    if (range->from_max || range->to_max)
        return TRUE;
    return ps_rational_cmp(range->from, range->to) <= 0 ||
           malformed(error, axis, "it is empty: a range goes up from its lower end");
}

static gboolean parse_range(PsSweepAxis *axis, const char *text, GError **error)
{
    g_autofree char *start = g_strdup(text);
    Range range = {.by = PS_RATIONAL_INT(1)};
    char *end = strstr(start, "..");
    if (end) {
        *end = '\0';
        end += strlen("..");
        if (!parse_step(axis, end, &range, error))
            return FALSE;
    }
    if (!parse_value(axis, start, &range.from, &range.from_max, error) ||
        !parse_value(axis, end ? end : start, &range.to, &range.to_max, error) ||
        !check_range(axis, &range, error))
        return FALSE;
    axis->uses_max |= range.from_max || range.to_max;
    g_array_append_val(axis->ranges, range);
    return TRUE;
}

/* Axes that every graph has. */
static const struct {
    const char *name;
    PsSweepAxisKind kind;
} LAUNCH[] = {{"active", PS_SWEEP_AXIS_ACTIVE},
              {"groups", PS_SWEEP_AXIS_GROUPS},
              {"group-size", PS_SWEEP_AXIS_GROUP_SIZE}};

static gboolean parse_name(PsSweepAxis *axis, GError **error)
{
    for (guint i = 0; i < G_N_ELEMENTS(LAUNCH); i++)
        if (strcmp(axis->name, LAUNCH[i].name) == 0) {
            axis->kind = LAUNCH[i].kind;
            return TRUE;
        }
    g_autofree char *class_name = g_strdup(axis->name);
    const char *latency = ps_class_cut_last(class_name);
    if (g_strcmp0(latency, "issue") == 0 || g_strcmp0(latency, "completion") == 0) {
        axis->kind = g_str_equal(latency, "issue") ? PS_SWEEP_AXIS_ISSUE : PS_SWEEP_AXIS_COMPLETION;
        axis->class_name = ps_class_of_cuda(class_name);
        return TRUE;
    }
    axis->kind = PS_SWEEP_AXIS_PARAM;
    return ps_expr_is_name(axis->name) ||
           refuse(error, PS_ERROR_USAGE, axis->option,
                  "'%s': there is nothing of that name; it is active, groups, group-size, a "
                  "parameter of the graph, CLASS.issue or CLASS.completion; of code it is also "
                  "block (16x16,32x8), grid, a kernel's argument or a macro",
                  axis->name);
}

/* Columns of the longest value; of a long list, of the values at its begin and at the ends of
 * ranges. */
static int longest(const PsSweepAxis *axis)
{
    gsize width = 0;
    PsSweepAxisAt at;
    ps_sweep_axis_first(axis, 0, &at);
    for (guint i = 0; i < MAX_MEASURED; i++) {
        g_autofree char *text = ps_sweep_axis_text(axis, at.value);
        width = MAX(width, strlen(text));
        if (!ps_sweep_axis_next(axis, &at))
            return (int)width;
    }
    for (guint i = 0; i < axis->ranges->len; i++) {
        g_autofree char *text = ps_sweep_axis_text(axis, g_array_index(axis->ranges, Range, i).to);
        width = MAX(width, strlen(text));
    }
    return (int)width;
}

/* Takes "NAME=LIST" apart. NULL and *error. */
static PsSweepAxis *axis_new(const char *option, const char *text, GError **error)
{
    const char *equals = strchr(text, '=');
    if (!equals) {
        refuse(error, PS_ERROR_USAGE, option, "'%s': write NAME=LIST, such as active=1..max", text);
        return NULL;
    }
    PsSweepAxis *axis = g_new0(PsSweepAxis, 1);
    axis->option = g_strdup(option);
    axis->name = g_strndup(text, (gsize)(equals - text));
    axis->list = g_strdup(equals + 1);
    axis->ranges = g_array_new(FALSE, FALSE, sizeof(Range));
    return axis;
}

static gboolean parse_list(PsSweepAxis *axis, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(axis->list, ",", 0);
    if (!parts[0])
        return malformed(error, axis, "it is empty");
    for (guint i = 0; parts[i]; i++)
        if (!parse_range(axis, parts[i], error))
            return FALSE;
    if (axis->uses_max)
        return TRUE;
    if (!ps_sweep_axis_count(axis, 0, &axis->length, error))
        return FALSE;
    axis->width = longest(axis);
    return TRUE;
}

PsSweepAxis *ps_sweep_axis_parse(const char *option, const char *text, GError **error)
{
    g_autoptr(PsSweepAxis) axis = axis_new(option, text, error);
    return axis && parse_name(axis, error) && parse_list(axis, error) ? g_steal_pointer(&axis)
                                                                      : NULL;
}

/* ---- lists of code ------------------------------------------------------------------------- */

static gboolean is_argument(const char *name, const char *const *arguments)
{
    g_autofree char *start = g_strconcat(name, "=", NULL);
    for (; arguments && *arguments; arguments++)
        if (g_str_has_prefix(*arguments, start))
            return TRUE;
    return FALSE;
}

/* FALSE: the name is none of the code's. */
static gboolean parse_code_name(PsSweepAxis *axis, const char *const *arguments, gboolean source)
{
    const gboolean launch = strcmp(axis->name, "active") == 0 || strcmp(axis->name, "groups") == 0;
    const gboolean argument = is_argument(axis->name, arguments);
    axis->kind = strcmp(axis->name, "grid") == 0    ? PS_SWEEP_AXIS_GRID
                 : strcmp(axis->name, "block") == 0 ? PS_SWEEP_AXIS_BLOCK
                 : argument                         ? PS_SWEEP_AXIS_ARGUMENT
                                                    : PS_SWEEP_AXIS_MACRO;
    return axis->kind != PS_SWEEP_AXIS_MACRO || (source && !launch && ps_expr_is_name(axis->name));
}

/* Takes each part as a word, unless it looks like a malformed range. */
static gboolean take_words(PsSweepAxis *axis)
{
    g_auto(GStrv) parts = g_strsplit(axis->list, ",", 0);
    axis->words = g_ptr_array_new_with_free_func(g_free);
    if (!parts[0])
        return FALSE;
    for (guint i = 0; parts[i]; i++) {
        if (!*parts[i] || begins_with_zero(parts[i]) || strstr(parts[i], ".."))
            return FALSE;
        g_ptr_array_add(axis->words, g_strdup(parts[i]));
    }
    const Range all = {.from = PS_RATIONAL_INT(0),
                       .to = PS_RATIONAL_INT((gint64)axis->words->len - 1),
                       .by = PS_RATIONAL_INT(1)};
    axis->length = axis->words->len;
    g_array_set_size(axis->ranges, 0);
    g_array_append_val(axis->ranges, all);
    axis->width = longest(axis);
    return TRUE;
}

PsSweepAxis *ps_sweep_axis_parse_code(const char *option, const char *text,
                                      const char *const *arguments, gboolean source, GError **error)
{
    g_autoptr(PsSweepAxis) axis = axis_new(option, text, error);
    g_autoptr(GError) why = NULL;
    if (!axis)
        return NULL;
    if (!parse_code_name(axis, arguments, source))
        return ps_sweep_axis_parse(option, text, error);
    if (parse_list(axis, &why) || take_words(axis))
        return g_steal_pointer(&axis);
    g_propagate_error(error, g_steal_pointer(&why));
    return NULL;
}

gboolean ps_sweep_axis_is_code(const PsSweepAxis *axis)
{
    return axis->kind >= PS_SWEEP_AXIS_GRID;
}

char *ps_sweep_axis_text(const PsSweepAxis *axis, PsRational value)
{
    return axis->words ? g_strdup(axis->words->pdata[value.num]) : ps_rational_format(value);
}

void ps_sweep_axis_free(PsSweepAxis *axis)
{
    if (!axis)
        return;
    g_free(axis->option);
    g_free(axis->name);
    g_free(axis->class_name);
    g_free(axis->list);
    g_clear_pointer(&axis->words, g_ptr_array_unref);
    g_array_unref(axis->ranges);
    g_free(axis);
}

/* ---- what a graph has ---------------------------------------------------------------------- */

/* Adds the classes of nodes. */
static void add_classes(const GPtrArray *body, GPtrArray *classes)
{
    for (guint i = 0; i < body->len; i++) {
        const PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_LOOP)
            add_classes(item->body, classes);
        else if (!g_ptr_array_find_with_equal_func(classes, item->class_name, g_str_equal, NULL))
            g_ptr_array_add(classes, g_strdup(item->class_name));
    }
}

static char *join(const GPtrArray *names)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < names->len; i++)
        g_string_append_printf(text, "%s%s", i ? ", " : "", (const char *)names->pdata[i]);
    return g_string_free(text, FALSE);
}

/* Replaces names of classes, which the array owns, by the words for them. */
static void name_in_words(const PsIdg *idg, GPtrArray *names)
{
    for (guint i = 0; i < names->len; i++) {
        g_autofree char *name = names->pdata[i];
        names->pdata[i] = ps_idg_class_words(idg, name);
    }
}

static gboolean check_class(const PsSweepAxis *axis, const PsIdg *idg, GError **error)
{
    g_autoptr(GPtrArray) classes = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < idg->codes->len; i++)
        add_classes(((const PsIdgCode *)idg->codes->pdata[i])->body, classes);
    for (guint i = 0; i < classes->len; i++)
        ps_class_add_names(classes->pdata[i], names);
    if (g_ptr_array_find_with_equal_func(names, axis->class_name, g_str_equal, NULL))
        return TRUE;
    name_in_words(idg, classes);
    name_in_words(idg, names);
    g_autofree char *words = ps_idg_class_words(idg, axis->class_name);
    g_autofree char *known = join(classes), *near = ps_did_you_mean(words, names);
    return refuse(error, PS_ERROR_USAGE, axis->option,
                  "%s: no node of graph '%s' is of class '%s'; it asks for: %s%s", axis->name,
                  idg->name, words, known, near);
}

static gboolean check_param(const PsSweepAxis *axis, const PsIdg *idg, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < idg->params->len; i++)
        g_ptr_array_add(names, ((const PsIdgParam *)idg->params->pdata[i])->name);
    if (g_ptr_array_find_with_equal_func(names, axis->name, g_str_equal, NULL))
        return TRUE;
    g_autofree char *known = join(names);
    for (guint i = 0; i < G_N_ELEMENTS(LAUNCH); i++)
        g_ptr_array_add(names, (gpointer)LAUNCH[i].name);
    g_autofree char *near = ps_did_you_mean(axis->name, names);
    return refuse(error, PS_ERROR_USAGE, axis->option,
                  "%s: graph '%s' has no parameter of that name; it can be active, "
                  "groups, group-size, CLASS.issue, CLASS.completion%s%s%s",
                  axis->name, idg->name, *known ? " or a parameter: " : "", known, near);
}

gboolean ps_sweep_axis_check(const PsSweepAxis *axis, const PsIdg *idg, GError **error)
{
    if (axis->class_name)
        return check_class(axis, idg, error);
    return axis->kind != PS_SWEEP_AXIS_PARAM || check_param(axis, idg, error);
}

/* ---- values -------------------------------------------------------------------------------- */

/* The begin and the end of a range, with this value for max. */
static PsRational first_of(const Range *range, gint64 max)
{
    return range->from_max ? PS_RATIONAL_INT(max) : range->from;
}

static PsRational last_of(const Range *range, gint64 max)
{
    return range->to_max ? PS_RATIONAL_INT(max) : range->to;
}

/* Values that cannot be represented count as beyond the end. */
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

/* The limit of counting: the range's end, or one step more than is allowed. */
static PsRational counted_until(const Range *range, gint64 max)
{
    const PsRational end = last_of(range, max);
    PsRational most;
    return ps_rational_mul(range->by, PS_RATIONAL_INT(PS_SWEEP_MAX_POINTS + 1), &most) &&
                   ps_rational_add(first_of(range, max), most, &most) &&
                   ps_rational_cmp(most, end) < 0
               ? most
               : end;
}

/* Counts the steps of an adding range without walking it, or returns one more than is allowed: all
 * its values are multiples of one unit, 1 / den. FALSE if a value might not be representable: then
 * walking must tell. */
static gboolean count_steps(const Range *range, gint64 max, gint64 *steps)
{
    const PsRational start = first_of(range, max), end = counted_until(range, max);
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

/* Counts by walking, up to one step beyond the allowed number. *why: a value is impossible. */
static gint64 walk_steps(const PsSweepAxis *axis, const Range *range, gint64 max, const char **why)
{
    PsRational value = first_of(range, max);
    gint64 steps = 0;
    while (!(*why = bad_value(axis, value)) && steps <= PS_SWEEP_MAX_POINTS &&
           step(range, max, &value))
        steps++;
    return steps;
}

/* Adds the values of a range to *n. */
static gboolean count_range(const PsSweepAxis *axis, const Range *range, gint64 max, guint *n,
                            GError **error)
{
    const char *why = NULL;
    gint64 steps;
    PsRational second;
    if (ps_rational_cmp(first_of(range, max), last_of(range, max)) > 0)
        return TRUE;
    if (!count_steps(range, max, &steps))
        steps = walk_steps(axis, range, max, &why);
    else if (steps > 0 && ps_rational_add(first_of(range, max), range->by, &second))
        why = bad_value(axis, second);
    if (why)
        return malformed(error, axis, why);
    if (steps >= PS_SWEEP_MAX_POINTS - (gint64)*n)
        return refuse(error, PS_ERROR_USAGE, axis->option,
                      "%s=%s: it has more than %d values, the most allowed", axis->name, axis->list,
                      PS_SWEEP_MAX_POINTS);
    *n += (guint)steps + 1;
    return TRUE;
}

gboolean ps_sweep_axis_count(const PsSweepAxis *axis, gint64 max, guint *n, GError **error)
{
    *n = 0;
    for (guint i = 0; i < axis->ranges->len; i++)
        if (!count_range(axis, &g_array_index(axis->ranges, Range, i), max, n, error))
            return FALSE;
    if (*n)
        return TRUE;
    return refuse(error, PS_ERROR_VALUE, axis->option,
                  "%s=%s: there is no such value where max is %" G_GINT64_FORMAT, axis->name,
                  axis->list, max);
}

/* Enters the first value of the next range that is not empty, from this range on. */
static gboolean enter(const PsSweepAxis *axis, guint range, PsSweepAxisAt *at)
{
    for (; range < axis->ranges->len; range++) {
        const Range *next = &g_array_index(axis->ranges, Range, range);
        at->range = range;
        at->value = first_of(next, at->max);
        if (ps_rational_cmp(at->value, last_of(next, at->max)) <= 0)
            return TRUE;
    }
    return FALSE;
}

void ps_sweep_axis_first(const PsSweepAxis *axis, gint64 max, PsSweepAxisAt *at)
{
    at->max = max;
    enter(axis, 0, at);
}

gboolean ps_sweep_axis_next(const PsSweepAxis *axis, PsSweepAxisAt *at)
{
    return step(&g_array_index(axis->ranges, Range, at->range), at->max, &at->value) ||
           enter(axis, at->range + 1, at);
}
