/* SPDX-License-Identifier: BSD-3-Clause */
/* See unroll.h. */
#include "advice/unroll.h"

#include "advice/pragma.h"
#include "answer/source-loop.h"
#include "base/file.h"

#include <string.h>

/* If the compiler's code is unchanged, it may already have so many iterations in one. */
#define TIMES_MORE 4

typedef struct {
    const char *path; /* path of the code */
    const PsBuiltCode *code;
    const PsQuestion *question;
    PsAnswer *answer;
} Trial;

/* A clause (g_free) that says why the code cannot be compiled with the pragma; NULL: it can. */
static char *find_obstacle(const Trial *trial, const char *file, guint line)
{
    const char *name = trial->path;
    g_autofree char *stated = g_path_get_basename(file ? file : ""),
                    *here = g_path_get_basename(name);
    if (!g_str_has_suffix(name, ".cu") && !g_str_has_suffix(name, ".cl"))
        return g_strdup_printf("that takes the source (.cu, .cl) in place of %s", here);
    if (!trial->code)
        return g_strdup("the code is not built again");
    if (trial->question->deadline)
        return g_strdup("a budget was given, and compilers keep to none");
    if (line == 0)
        return g_strdup("the loop's line is not known");
    return strcmp(stated, here) == 0
               ? NULL
               : g_strdup_printf("the loop is in %s, and %s is what is compiled", stated, here);
}

/* The compiler's code with the pragma. NOT_KNOWN: the two cannot be compared. */
typedef enum { NOT_KNOWN, SAME_CODE, OTHER_CODE } Made;

/* NOT_KNOWN: *error says why. */
static Made try_times(const Trial *trial, PsAdvice *advice, const char *text, guint line,
                      guint times, GError **error)
{
    gboolean same = FALSE;
    g_autofree char *unrolled = ps_source_unroll(text, line, times, error);
    g_autoptr(GError) why = NULL;
    g_autoptr(PsIdg) idg =
        unrolled ? ps_built_code_rewritten(trial->code, unrolled, &same, &why) : NULL;
    if (why)
        g_set_error(error, PS_ERROR, PS_ERROR_READ, "it does not compile, or not run, with that");
    if (!idg && !same)
        return NOT_KNOWN;
    return ps_advice_set_pragma(advice, trial->answer, trial->question, idg, times) ? SAME_CODE
                                                                                    : OTHER_CODE;
}

static void try_advice(const Trial *trial, PsAdvice *advice)
{
    const char *file;
    guint line, times;
    gsize length;
    if (!ps_advice_is_pragma(trial->answer, advice, &file, &line, &times))
        return;
    g_autoptr(GError) error = NULL;
    g_autofree char *obstacle = find_obstacle(trial, file, line);
    g_autofree char *text =
        obstacle ? NULL : ps_file_read(trial->path, PS_CODE_MOST_SOURCE, &length, &error);
    if (text && try_times(trial, advice, text, line, times, &error) == SAME_CODE &&
        times * TIMES_MORE <= PS_PRAGMA_MOST)
        try_times(trial, advice, text, line, times * TIMES_MORE, &error);
    if (obstacle || error)
        ps_advice_set_no_pragma(advice, trial->answer, obstacle ? obstacle : error->message);
}

void ps_answer_unroll(PsAnswer *answer, const PsQuestion *question, const char *path,
                      const PsBuiltCode *code)
{
    const Trial trial = {path, code, question, answer};
    for (guint i = 0; i < answer->advice->len; i++)
        try_advice(&trial, answer->advice->pdata[i]);
}
