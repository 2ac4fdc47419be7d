/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice in words: threads, warps and units that have less to do than others. See words.h. */
#include "advice/words.h"

#include "idg/words.h"
#include "tell/describe.h"
#include "tell/format.h"

#include <math.h>
#include <string.h>

/* "where lines 14 to 18 run" */
static char *where_words(const PsAdvice *advice)
{
    if (advice->first_line == 0)
        return g_strdup("in code without lines");
    return advice->first_line == advice->last_line
               ? g_strdup_printf("where line %u runs", advice->first_line)
               : g_strdup_printf("where lines %u to %u run", advice->first_line, advice->last_line);
}

/* " at line 7" */
static char *part_words(const PsAdvice *advice)
{
    return advice->part_line ? g_strdup_printf(" at line %u", advice->part_line) : g_strdup("");
}

char *ps_sorted_sentence(const PsAnswer *answer, const PsAdvice *advice)
{
    const double lanes = (double)answer->gpu->warp_size;
    g_autofree char *idle = ps_format_number(advice->share * lanes);
    g_autofree char *where = where_words(advice);
    g_autofree char *part = part_words(advice);
    g_autofree char *gives = ps_would_give(answer, advice);
    return g_strdup_printf("%s of %g lanes idle in the mean %s, since threads of a warp "
                           "%s%s%s: threads sorted so that those of a warp %s, with as much "
                           "traffic in all, %s",
                           idle, lanes, where, advice->alike ? "run the loop" : "part", part,
                           advice->alike ? " more or less often" : " and the others wait",
                           advice->alike ? "run it equally often" : "go one way", gives);
}

/* " of a group of the kind edge": where there are several. */
static char *kind_words(const PsAnswer *answer, guint kind)
{
    const PsKernel *kernel = answer->kernel;
    return kernel->n_kinds > 1
               ? g_strdup_printf(" of each group of the kind %s", kernel->kinds[kind].name)
               : g_strdup("");
}

char *ps_shared_out_sentence(const PsAnswer *answer, const PsAdvice *advice)
{
    g_autofree char *share = ps_format_share(advice->share);
    g_autofree char *at = part_words(advice);
    g_autofree char *of = kind_words(answer, advice->kind);
    g_autofree char *gives = ps_would_give(answer, advice);
    return g_strdup_printf(
        "warp %u%s comes last, and its group holds its place until then: in the "
        "mean its warps run the loop%s only %s as often, and all of them that often "
        "%s",
        advice->warp, of, at, share, gives);
}

/* Factors in fp32 lose digits. */
char *ps_tensor_sentence(const PsAnswer *answer, const PsAdvice *advice)
{
    const PsIdgItem *node = answer->kernel->programs[advice->program].nodes[advice->node].item;
    const gboolean coarser = strcmp(node->class_name, "fmadd") == 0;
    const char *type = strstr(advice->class_name, "tf32") ? "TF32" : "half";
    g_autofree char *gives = ps_would_give(answer, advice);
    const char *local = ps_idg_local_memory(answer->idg);
    g_autofree char *precision =
        coarser ? g_strdup_printf(", with factors in the lower precision of %s,", type)
                : g_strdup(",");
    return g_strdup_printf("an iteration's %u multiply-adds of tiles in %s are a product of "
                           "matrices, which matrix units could do: %u of %s with %u loads of "
                           "fragments%s %s",
                           advice->multiply_adds, local, advice->products, advice->class_name,
                           advice->loads, precision, gives);
}
