/* SPDX-License-Identifier: BSD-3-Clause */
/* See options.h. */
#include "cli/build/options.h"

#include "cli/build/recorded.h"
#include "cli/fail.h"
#include "cli/profile/child.h"
#include "cli/system/draft.h"
#include "cli/system/interrupt.h"

#include <string.h>

static void add_list(GPtrArray *words, const char *option, char **list, guint from)
{
    for (guint i = from; list && i < g_strv_length(list); i++)
        g_ptr_array_add(words, g_strconcat(option, list[i], NULL));
}

/* The further options of "run k.cu --gpu GPU", quoted for a shell (g_free): other files and GPUs,
 * and all options except those of a launch, which the message states anew. */
static char *other_options(const Value *given)
{
    static const OptionId later[] = {OPTION_KERNEL, OPTION_GRID,     OPTION_THREADS,
                                     OPTION_BLOCK,  OPTION_ARG,      OPTION_GPU,
                                     OPTION_COUNT,  OPTION_LAUNCHES, OPTION_FILES};
    g_autoptr(GPtrArray) others = g_ptr_array_new_with_free_func(g_free);
    GString *text = g_string_new(NULL);
    add_list(others, "", given[OPTION_FILES].list, 1);
    add_list(others, "--gpu=", given[OPTION_GPU].list, 1);
    given_add_all(given, later, others);
    for (guint i = 0; i < others->len; i++) {
        g_autofree char *quoted = ps_code_quote(others->pdata[i]);
        g_string_append_printf(text, " %s", quoted);
    }
    return g_string_free(text, FALSE);
}

/* ---- who hears of it ------------------------------------------------------------------------- */

static void tell(const char *text, gboolean warning, gpointer progress)
{
    (void)progress;
    (warning ? warn : note)(text);
}

static void begin(const char *what, const char *name, gpointer progress)
{
    progress_begin(progress, what, name);
}

static void end(int signal)
{
    interrupt_die(signal);
}

static const PsCodeHost HOST = {.tools = &draft_host,
                                .compile = child_run_apart,
                                .end = end,
                                .tell = tell,
                                .show = show_command,
                                .begin = begin};

void code_options_set_progress(PsCodeOptions *code, Progress *progress)
{
    code->host.data = progress;
    code->host.hearer = progress_hearer(progress);
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* Options with one value, in the order in which they are checked. */
static const struct {
    OptionId id;
    const char *name;
} SINGLE[] = {{OPTION_SHARED, "shared"},
              {OPTION_REGISTERS, "registers"},
              {OPTION_MAX_INSTRUCTIONS, "max-instructions"},
              {OPTION_MEMORY, "memory"},
              {OPTION_KERNEL, "kernel"},
              {OPTION_GRID, "grid"},
              {OPTION_THREADS, "threads"},
              {OPTION_BLOCK, "block"},
              {OPTION_SAMPLE, "sample"},
              {OPTION_ARCH, "arch"},
              {OPTION_FROM, "from"},
              {OPTION_NVDISASM, "nvdisasm"}};

static const struct {
    OptionId id;
    const char *name;
} SWITCHES[] = {{OPTION_PARTIAL, "partial"},
                {OPTION_GUESS, "guess"},
                {OPTION_NO_MOVES, "no-moves"},
                {OPTION_NO_ADDRESSES, "no-addresses"},
                {OPTION_NO_MERGE_LOADS, "no-merge-loads"},
                {OPTION_NO_LOOPS, "no-loops"},
                {OPTION_NO_PARAMETERS, "no-parameters"},
                {OPTION_NO_SPECIALS, "no-specials"},
                {OPTION_NO_DEAD, "no-dead"},
                {OPTION_NO_CONSTANTS, "no-constants"},
                {OPTION_NO_FRAME, "no-frame"},
                {OPTION_NO_SCHEDULE, "no-schedule"},
                {OPTION_NO_UNROLL, "no-unroll"}};

static gboolean set_all(const Value *given, PsCodeOptions *code, GError **error)
{
    for (guint i = 0; i < G_N_ELEMENTS(SINGLE); i++)
        if (!ps_code_set(code, SINGLE[i].name, given[SINGLE[i].id].text, error))
            return FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(SWITCHES); i++)
        if (!ps_code_set(code, SWITCHES[i].name, given[SWITCHES[i].id].on ? "" : NULL, error))
            return FALSE;
    return TRUE;
}

gboolean code_options_parse(const Value *given, PsCodeOptions *code, GError **error)
{
    code->host = HOST;
    code->prefix = "--";
    if (!set_all(given, code, error) ||
        !ps_code_words(code, given[OPTION_COMPILER_OPTIONS].text, &code->compiler, error) ||
        !ps_code_check(code, error) ||
        (!given[OPTION_NO_CACHE].on && !(code->store = ps_code_store(error))))
        return FALSE;
    if (!code->compiler)
        code->compiler = g_new0(char *, 1);
    code->said = g_ptr_array_new_with_free_func(g_free);
    code->program = g_get_prgname();
    code->gpu = given[OPTION_GPU].list ? given[OPTION_GPU].list[0] : NULL;
    code->more = other_options(given);
    code->arguments = given[OPTION_ARG].list;
    return TRUE;
}

void code_options_clear(PsCodeOptions *code)
{
    g_strfreev(code->common);
    g_strfreev(code->compiler);
    g_free((char *)code->more);
    g_clear_pointer(&code->said, g_ptr_array_unref);
    g_clear_pointer(&code->store, ps_store_free);
}

gboolean code_options_check(Verb verb, const Value *given, char **files, GError **error)
{
    const char *name = given_for_code(verb, given);
    /* With profile, launches are those of the running program. */
    if (verb != VERB_PROFILE && !recorded_options_check(given, files, error))
        return FALSE;
    for (guint i = 0; files && files[i]; i++)
        if (ps_kernel_code_is(files[i]))
            return TRUE;
    return !name || !files ||
           usage_error(error,
                       "--%s is for the code of a kernel, a file that ends in .ptx, .cu, .cl or "
                       ".cubin, and '%s' is none%s",
                       name, files[0],
                       strcmp(files[0], "-") == 0 ? ": copy standard input to such a file, and "
                                                    "name that"
                                                  : "");
}
