/* SPDX-License-Identifier: BSD-3-Clause */
/* See options.h. */
#include "cli/compare/options.h"

#include "cli/build/options.h"
#include "cli/build/recorded.h"
#include "cli/fail.h"
#include "cli/system/input.h"

#include <string.h>

/* Options of output, which belong to neither side. */
#define OF_OUTPUT OPTION_OUTPUT, OPTION_FORMAT, OPTION_LISTING, OPTION_HELP

/* ---- the command line in parts ------------------------------------------------------------- */

/* The place of --versus; the end if there is none. */
static guint find_versus(char **argv)
{
    guint at = 0;
    while (argv[at] && strcmp(argv[at], "--versus") != 0)
        at++;
    return at;
}

/* The program's name and the words between two places; borrowed (g_free). */
static char **words_between(char **argv, guint from, guint to)
{
    GPtrArray *words = g_ptr_array_new();
    g_ptr_array_add(words, argv[0]);
    for (guint i = from; i < to; i++)
        g_ptr_array_add(words, argv[i]);
    g_ptr_array_add(words, NULL);
    return (char **)g_ptr_array_free(words, FALSE);
}

static Value *read_words(char **argv, guint from, guint to, GError **error)
{
    g_autofree char **words = words_between(argv, from, to);
    return values_read(VERB_COMPARE, words, error);
}

/* Elsewhere the last of repeated options counts. Here two are most likely meant for the two
 * sides. */
static gboolean check_repeated(char **argv, guint from, guint to, GError **error)
{
    static const OptionId may_be[] = {OF_OUTPUT, OPTION_FILES};
    g_autofree char **words = words_between(argv, from, to);
    const char *name = given_twice(VERB_COMPARE, words, may_be);
    if (!name)
        return TRUE;
    return usage_error(error,
                       from > 1 ? "--%s: it is there twice after --versus, and B has one"
                                : "--%s: it is there twice, and what stands before --versus is "
                                  "both sides'; write B's own after it: --versus --%s ...",
                       name, name);
}

static gboolean check_own(const Value *own, GError **error)
{
    static const OptionId others[] = {OF_OUTPUT, OPTION_FILES};
    return own[OPTION_FILES].list || given_other_than(own, others) ||
           usage_error(error, "--versus: nothing after it is B's own; say there what differs, such "
                              "as --versus --active 8");
}

/* ---- which graph and which GPU ------------------------------------------------------------- */

/* Values of one kind: those given for both sides, and those for B alone. */
typedef struct {
    char **both, **own;
    guint n_both, n_own;
} Given;

static Given given_of(char **both, char **own)
{
    return (Given){both, own, both ? g_strv_length(both) : 0, own ? g_strv_length(own) : 0};
}

static const char *given_to(const Given *given, guint side)
{
    if (!side)
        return given->both[0];
    return given->n_own ? given->own[0] : given->both[given->n_both - 1];
}

/* The third value of a kind; NULL: there is none. */
static const char *third(const Given *given)
{
    if (given->n_both > 2)
        return given->both[2];
    return given->n_both + given->n_own > 2 ? given->own[2 - given->n_both] : NULL;
}

static gboolean check_given(const Given *files, const Given *gpus, gboolean versus, GError **error)
{
    if (!files->n_both)
        return usage_error(error, versus
                                      ? "with --versus, A lacks its graph, which stands before it"
                                      : "say which graphs to compare");
    if (!gpus->n_both)
        return usage_error(
            error, versus ? "with --versus, A lacks its GPU, which stands before it, such as "
                            "--gpu pascal.xml"
                          : "say on which GPU, such as --gpu pascal.xml");
    const char *const one_more = third(files) ? third(files) : third(gpus);
    if (one_more)
        return usage_error(error, "'%s': two things are compared, and this is the third", one_more);
    return files->n_both < 2 || gpus->n_both < 2 ||
           usage_error(error, "two graphs and two GPUs: say which graph is on which, as in "
                              "compare A.idg --gpu A.xml --versus B.idg --gpu B.xml");
}

/* Standard input can be read once; both sides may share it. */
static gboolean check_input(const Given *files, const Given *gpus, GError **error)
{
    gboolean graph = FALSE, gpu = FALSE;
    for (guint side = 0; side < 2; side++) {
        graph |= strcmp(given_to(files, side), "-") == 0;
        gpu |= strcmp(given_to(gpus, side), "-") == 0;
    }
    return !graph || !gpu || usage_error(error, "standard input (-) can be read only once");
}

static void set_list(Value *value, char *text)
{
    g_strfreev(value->list);
    value->list = g_new0(char *, 2);
    value->list[0] = text;
}

static gboolean choose(Value *a, Value *b, const Value *own, gboolean versus, GError **error)
{
    const Given files = given_of(a[OPTION_FILES].list, own[OPTION_FILES].list),
                gpus = given_of(a[OPTION_GPU].list, own[OPTION_GPU].list);
    if (!check_given(&files, &gpus, versus, error) || !check_input(&files, &gpus, error))
        return FALSE;
    if (!versus && files.n_both == 1 && gpus.n_both == 1) {
        if (!a[OPTION_WHAT_IF].list)
            return usage_error(
                error, "one graph on one GPU is nothing to compare: name a second graph, a second "
                       "--gpu, a --what-if, or --versus and the options of B");
        g_clear_pointer(&a[OPTION_WHAT_IF].list, g_strfreev);
    }
    /* All of them are read before the lists that own them are freed. */
    char *const file_a = g_strdup(given_to(&files, 0)), *const gpu_a = g_strdup(given_to(&gpus, 0));
    set_list(&b[OPTION_FILES], g_strdup(given_to(&files, 1)));
    set_list(&b[OPTION_GPU], g_strdup(given_to(&gpus, 1)));
    set_list(&a[OPTION_FILES], file_a);
    set_list(&a[OPTION_GPU], gpu_a);
    return TRUE;
}

/* ---- arguments of kernels ------------------------------------------------------------------ */

/* The length of the name in a value of --arg, with its end sign; 0: the value has no name. */
static gsize length_of_name(const char *text)
{
    const gsize length = strspn(text, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_$%.+");
    return length && text[length] == '=' ? length + 1 : 0;
}

/* TRUE if B's text replaces A's: it has the same name, or the whole struct of a field, or, without
 * names, the same place. */
static gboolean is_for_the_same(const char *own, const char *text)
{
    const gsize length = length_of_name(own);
    return strncmp(own, text, length) == 0
               ? length > 0 || !length_of_name(text)
               : length && strncmp(own, text, length - 1) == 0 && text[length - 1] == '+';
}

/* Puts B's values in the places of A's that they replace: where arguments have no known names,
 * their order counts. */
static char **join_arguments(char **both, char **own)
{
    GPtrArray *joined = g_ptr_array_new();
    g_autoptr(GHashTable) used = g_hash_table_new(g_direct_hash, g_direct_equal);
    for (; both && *both; both++) {
        gboolean replaced = FALSE;
        for (char **text = own; *text; text++) {
            if (!is_for_the_same(*text, *both))
                continue;
            /* The first remaining value without a name takes this place. */
            const gboolean put = g_hash_table_add(used, *text);
            replaced = TRUE;
            if (put)
                g_ptr_array_add(joined, g_strdup(*text));
            if (put && !length_of_name(*text))
                break;
        }
        if (!replaced)
            g_ptr_array_add(joined, g_strdup(*both));
    }
    for (; *own; own++)
        if (!g_hash_table_contains(used, *own))
            g_ptr_array_add(joined, g_strdup(*own));
    g_ptr_array_add(joined, NULL);
    return (char **)g_ptr_array_free(joined, FALSE);
}

/* The texts in both lists (g_strfreev). */
static char **in_both(char **a, char **b)
{
    GPtrArray *texts = g_ptr_array_new();
    for (; a && b && *a; a++)
        if (g_strv_contains((const char *const *)b, *a))
            g_ptr_array_add(texts, g_strdup(*a));
    g_ptr_array_add(texts, NULL);
    return (char **)g_ptr_array_free(texts, FALSE);
}

/* ---- both sides ---------------------------------------------------------------------------- */

/* B's lists replace A's; other options were joined by reading both parts. */
static void replace(Value *b, Value *own)
{
    Value *const what_if = &b[OPTION_WHAT_IF], *const arg = &b[OPTION_ARG];
    if (own[OPTION_WHAT_IF].list) {
        g_strfreev(what_if->list);
        what_if->list = g_steal_pointer(&own[OPTION_WHAT_IF].list);
    }
    if (own[OPTION_ARG].list) {
        const guint before = g_strv_length(arg->list) - g_strv_length(own[OPTION_ARG].list);
        g_autofree char **both = g_memdup2(arg->list, (before + 1) * sizeof *both);
        both[before] = NULL;
        char **joined = join_arguments(both, own[OPTION_ARG].list);
        g_strfreev(arg->list);
        arg->list = joined;
    }
}

/* Writes kernel code from standard input to a file, one for both sides. */
static gboolean take_input(CompareSide sides[2], GError **error)
{
    for (guint side = 0; side < 2; side++) {
        char **files = sides[side].given[OPTION_FILES].list;
        char **const input = &sides[0].input;
        if (strcmp(files[0], "-") != 0)
            continue;
        if (!*input && !input_take(files, input, error))
            return FALSE;
        sides[side].from_input = *input != NULL;
        if (*input)
            set_list(&sides[side].given[OPTION_FILES], g_strdup(*input));
    }
    return TRUE;
}

static gboolean check_code(const CompareSide sides[2], const Value *own, GError **error)
{
    char *files[] = {sides[0].given[OPTION_FILES].list[0], sides[1].given[OPTION_FILES].list[0],
                     NULL};
    const char *name = given_for_code(VERB_COMPARE, own);
    if (name && !ps_kernel_code_is(files[1]))
        return usage_error(error,
                           "--%s after --versus is for the code of a kernel, a file that ends in "
                           ".ptx, .cu, .cl or .cubin, and B, '%s', is none",
                           name, files[1]);
    return recorded_options_check(own, files + 1, error) &&
           code_options_check(VERB_COMPARE, sides[0].given, files, error);
}

static void tell_apart(CompareSide sides[2])
{
    static const OptionId without[] = {OPTION_GPU, OPTION_WHAT_IF, OF_OUTPUT, OPTION_FILES};
    const Value *a = sides[0].given, *b = sides[1].given;
    sides[0].apart = given_differences(VERB_COMPARE, a, b, without);
    sides[1].apart = given_differences(VERB_COMPARE, b, a, without);
    if (!ps_kernel_code_is(a[OPTION_FILES].list[0]) || !ps_kernel_code_is(b[OPTION_FILES].list[0]))
        return;
    sides[0].common = in_both(a[OPTION_ARG].list, b[OPTION_ARG].list);
    sides[1].common = g_strdupv(sides[0].common);
}

/* The command line without one word; borrowed. */
static GPtrArray *words_without(char **argv, guint at)
{
    GPtrArray *words = g_ptr_array_new();
    for (guint i = 0; argv[i]; i++)
        if (i != at)
            g_ptr_array_add(words, argv[i]);
    g_ptr_array_add(words, NULL);
    return words;
}

gboolean compare_sides_read(char **argv, CompareSide sides[2], GError **error)
{
    const guint at = find_versus(argv), n = g_strv_length(argv), after = MIN(at + 1, n);
    const gboolean versus = at < n;
    if (find_versus(argv + after) < n - after)
        return usage_error(error, "--versus: two things are compared, so it is there once");
    g_autoptr(GPtrArray) all = words_without(argv, at);
    Value *const a = sides[0].given = read_words(argv, 1, at, error);
    g_autoptr(Value) own = a ? read_words(argv, after, n, error) : NULL;
    Value *const b = sides[1].given =
        own ? values_read(VERB_COMPARE, (char **)all->pdata, error) : NULL;
    if (!b)
        return FALSE;
    a[OPTION_HELP].on = b[OPTION_HELP].on;
    if (a[OPTION_HELP].on)
        return TRUE;
    if ((versus && !check_own(own, error)) || !check_repeated(argv, 1, at, error) ||
        !check_repeated(argv, after, n, error) || !choose(a, b, own, versus, error))
        return FALSE;
    replace(b, own);
    if (!take_input(sides, error))
        return FALSE;
    tell_apart(sides);
    return check_code(sides, own, error);
}

void compare_sides_clear(CompareSide sides[2])
{
    for (guint side = 0; side < 2; side++) {
        values_free(sides[side].given);
        g_strfreev(sides[side].apart);
        g_strfreev(sides[side].common);
        input_remove(sides[side].input);
    }
}
