/* SPDX-License-Identifier: BSD-3-Clause */
/* See making.h. */
#include "code/making.h"

static void set_names(PsMaking *making)
{
    const char *prefix = making->options->prefix;
    making->names = (PsMakingNames){.argument = g_strconcat(prefix, "arg", NULL),
                                    .grid = g_strconcat(prefix, "grid", NULL),
                                    .threads = g_strconcat(prefix, "threads", NULL),
                                    .block = g_strconcat(prefix, "block", NULL),
                                    .sample = g_strconcat(prefix, "sample", NULL),
                                    .shared = g_strconcat(prefix, "shared", NULL),
                                    .most = g_strconcat(prefix, "max-instructions", NULL),
                                    .memory = g_strconcat(prefix, "memory", NULL),
                                    .partial = g_strconcat(prefix, "partial", NULL),
                                    .dump = g_strconcat(prefix, "dump", NULL),
                                    .guess = g_strconcat(prefix, "guess", NULL)};
}

static void clear_names(PsMakingNames *names)
{
    char *const all[] = {names->argument, names->grid,   names->threads, names->block,
                         names->sample,   names->shared, names->most,    names->memory,
                         names->partial,  names->dump,   names->guess};
    for (guint i = 0; i < G_N_ELEMENTS(all); i++)
        g_free(all[i]);
}

/* An option with its value, quoted for a shell. */
static void add_given(GString *command, const char *option, const char *text)
{
    g_autofree char *quoted = text ? ps_code_quote(text) : NULL;
    if (text)
        g_string_append_printf(command, " %s%s", option, quoted);
}

char *ps_making_command(const PsCodeOptions *options, const char *name, const char *kernel)
{
    if (!options->program)
        return NULL;
    GString *command = g_string_new(options->program);
    add_given(command, "", ps_code_shown(options, name));
    add_given(command, "--gpu ", options->gpu);
    add_given(command, "--kernel ", kernel);
    if (options->more)
        g_string_append(command, options->more);
    return g_string_free(command, FALSE);
}

static void set_texts(PsMaking *making, const char *name)
{
    const PsCodeOptions *options = making->options;
    const PsMakingNames *names = &making->names;
    making->command = ps_making_command(options, name, options->kernel);
    making->texts = (PsLaunchTexts){.arguments = (const char *const *)options->arguments,
                                    .common = (const char *const *)options->common,
                                    .grid = options->grid,
                                    .threads = options->threads,
                                    .block = options->block,
                                    .samples = options->samples,
                                    .argument_name = names->argument,
                                    .grid_name = options->other_grid ? NULL : names->grid,
                                    .threads_name = names->threads,
                                    .block_name = options->other_block ? NULL : names->block,
                                    .sample_name = names->sample,
                                    .command = making->command,
                                    .lacking = options->lacking,
                                    .rest = options->rest,
                                    .shared_name = options->shared ? NULL : names->shared,
                                    .guess_name = names->guess,
                                    .lent = options->lent};
}

void ps_making_begin(PsMaking *making, const char *name)
{
    set_names(making);
    set_texts(making, name);
}

void ps_making_clear(PsMaking *making)
{
    ps_launch_grid_free(making->grid);
    ps_launch_guess_free(making->guess);
    clear_names(&making->names);
    g_free(making->command);
    g_free(making->made_of);
    g_free(making->registers_from);
    g_free(making->registers_missing);
}
