/* SPDX-License-Identifier: BSD-3-Clause */
/* See line.h. */
#include "cli/compare/line.h"

#include <string.h>

/* Options that messages leave out: those of a launch, which are stated anew, and those of output,
 * which belong to neither side. */
#define OF_LAUNCH                                                                                  \
    OPTION_KERNEL, OPTION_GRID, OPTION_THREADS, OPTION_BLOCK, OPTION_ARG, OPTION_GPU,              \
        OPTION_OUTPUT, OPTION_FORMAT, OPTION_LISTING, OPTION_HELP

static void add_quoted(GString *line, const char *before, const char *word)
{
    g_autofree char *quoted = ps_code_quote(word);
    g_string_append_printf(line, " %s%s", before, quoted);
}

/* Adds B's "FILE --gpu GPU" where it differs from A's. */
static void add_own(GString *line, const Options *a, const Options *b)
{
    if (strcmp(a->files[0], b->files[0]) != 0)
        add_quoted(line, "", ps_code_shown(&b->code, b->files[0]));
    if (strcmp(a->gpus[0], b->gpus[0]) != 0)
        add_quoted(line, "--gpu ", b->gpus[0]);
}

char *compare_line_rest(const Options *const sides[2])
{
    GString *line = g_string_new("--versus");
    add_own(line, sides[0], sides[1]);
    for (char **option = sides[1]->apart; *option; option++)
        g_string_append_printf(line, " %s", *option);
    return g_string_free(line, FALSE);
}

char *compare_line_begin(const Options *const sides[2])
{
    static const OptionId without[] = {OPTION_FILES};
    GString *line = g_string_new(g_get_prgname());
    g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);
    given_add_all(sides[0]->given, without, words);
    add_quoted(line, "", ps_code_shown(&sides[0]->code, sides[0]->files[0]));
    for (guint i = 0; i < words->len; i++)
        add_quoted(line, "", words->pdata[i]);
    g_string_append(line, " --versus");
    return g_string_free(line, FALSE);
}

char *compare_line_more(const Options *const sides[2])
{
    static const OptionId without[] = {OF_LAUNCH, OPTION_FILES};
    g_auto(GStrv) more = given_differences(VERB_COMPARE, sides[1]->given, sides[0]->given, without);
    g_autofree char *joined = g_strjoinv(" ", more);
    return *joined ? g_strconcat(" ", joined, NULL) : g_strdup("");
}
