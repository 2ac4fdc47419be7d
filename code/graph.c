/* SPDX-License-Identifier: BSD-3-Clause */
#include "code/making.h"

#include "code/choice.h"
#include "code/toolchain.h"
#include "code/kept-graph.h"
#include "code/triton.h"
#include "base/kernel-name.h"
#include "base/usage.h"
#include "launch/hint.h"
#include "launch/lent.h"
#include "ptx/instruction.h"

#include <string.h>

/* ---- the launch ---------------------------------------------------------------------------- */

static gboolean find_arguments(PsMaking *making, GError **error)
{
    PsBuiltGraph *built = making->built;
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
    built->arguments = ps_launch_arguments_new(built->module->module, built->kernel, &making->texts,
                                               notes, warnings, error);
    for (guint i = 0; i < notes->len; i++)
        ps_code_note(making->options, notes->pdata[i]);
    for (guint i = 0; i < warnings->len; i++)
        ps_code_warn(making->options, warnings->pdata[i]);
    return built->arguments != NULL;
}

static void add_provenance(PsIdg *idg, char *text)
{
    PsSource *source = g_new0(PsSource, 1);
    source->kind = PS_SOURCE_DERIVED;
    source->text = text;
    g_ptr_array_add(idg->sources, source);
}

/* ---- building ------------------------------------------------------------------------------ */

static gboolean find_dump(const PsMaking *making, const char *name, PsLaunchBuffer *buffer,
                          GError **error)
{
    return ps_launch_arguments_buffer(making->built->arguments, making->names.dump, name, buffer,
                                      error);
}

/* Further groups are executed behind the samples, to learn what they share in caches. */
static void keep_dumps(gpointer data)
{
    const PsMaking *making = data;
    const PsBuiltGraph *built = making->built;
    for (char **dump = making->options->dumps; dump && *dump; dump++) {
        PsLaunchBuffer buffer;
        if (find_dump(making, *dump, &buffer, NULL))
            g_ptr_array_add(built->dumped, g_bytes_new(buffer.data, buffer.size));
    }
}

static gboolean execute(PsMaking *making, const PsGpu *gpu, GError **error)
{
    g_autofree char *plain = ps_ptx_plain_name(making->built->kernel->name);
    ps_code_begin(making->options, "executing", plain);
    making->with.progress = making->options->host.hearer;
    making->with.sampled = making->options->dumps && making->options->dumps[0] ? keep_dumps : NULL;
    making->with.sampled_data = making;
    making->built->dumped = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
    making->built->build = ps_launch_build(&making->with, gpu, error);
    ps_code_begin(making->options, NULL, NULL);
    return making->built->build && ps_lent_check(making->built->arguments, &making->texts, error);
}

/* Instructions of a group's warps on guessed values, unless the user sets a limit: a loop that a
 * wrong guess makes endless is refused after seconds, where the library's limit takes minutes. */
#define MOST_GUESSED ((guint64)1 << 24)

/* TRUE if buffers have made-up contents, and none those of a file or a program. */
static gboolean is_made_up(const char *const *arguments)
{
    static const char *const choices[] = {"=zero:", "=ramp:", "=random:"};
    gboolean chosen = FALSE;
    for (guint a = 0; arguments && arguments[a]; a++) {
        if (strstr(arguments[a], "=@"))
            return FALSE;
        for (guint i = 0; i < G_N_ELEMENTS(choices); i++)
            chosen |= strstr(arguments[a], choices[i]) != NULL;
    }
    return chosen;
}

static void set_up(PsMaking *making)
{
    PsBuildOptions *with = &making->with;
    ps_launch_set_up(making->built->arguments, making->grid, &making->texts, with);
    if (making->built->machine) {
        with->machine = making->built->machine;
        with->made = !making->built->module->machine;
        with->module = with->machine->module;
        with->launch.kernel = with->module->functions->pdata[0];
    }
    with->launch.dynamic_shared = making->shared;
    with->launch.shared_name = making->names.shared;
    const guint64 most = making->options->most_instructions;
    with->launch.most_instructions = !most && making->guess ? MOST_GUESSED : most;
    with->launch.most_name = making->names.most;
    with->launch.most_memory = making->options->most_memory;
    with->launch.memory_name = making->names.memory;
    with->made_up = is_made_up(making->texts.arguments);
    with->content_name = making->texts.argument_name;
    with->partial = making->options->partial;
    with->partial_name = making->names.partial;
    for (guint i = 0; i < PS_BUILD_N_RULES; i++)
        with->rules[i] = with->rules[i] && !making->options->no_rule[i];
}

/* Called before anything is executed. */
static gboolean check_dumps(const PsMaking *making, GError **error)
{
    PsLaunchBuffer buffer;
    for (char **dump = making->options->dumps; dump && *dump; dump++)
        if (!find_dump(making, *dump, &buffer, error))
            return FALSE;
    return TRUE;
}

/* Dumps hold only what was executed. */
static void warn_of_dumps(const PsMaking *making)
{
    const guint *grid = making->grid->groups.size;
    g_autofree char *text = g_strdup_printf(
        "%s: not all groups were executed, so buffers lack what the others would have written; "
        "%s all executes all",
        making->names.dump, making->names.sample);
    if (making->options->dumps && making->options->dumps[0] && !making->options->samples &&
        (grid[0] > 1 || grid[1] > 1 || grid[2] > 1))
        ps_code_warn(making->options, text);
}

/* Finds the machine code, if it is to be executed. */
static gboolean find_machine(PsMaking *making, const char *name, const PsGpu *gpu,
                             GHashTable *before, GError **error)
{
    PsBuiltGraph *built = making->built;
    const PsMachineCodeOf of = {making->options, name, built->module, built->kernel, gpu,
                                before,          TRUE};
    return ps_machine_code_choose(&of, &built->machine, &making->made_of, error);
}

/* ---- guesses ------------------------------------------------------------------------------- */

/* The code for guesses: the machine code of a file that has nothing else, otherwise the PTX. */
static PsPtxCode *code_to_guess_by(PsMaking *making, const char *name, const PsGpu *gpu,
                                   GHashTable *before, PsSassCode **machine, GError **error)
{
    PsBuiltGraph *built = making->built;
    g_autofree char *what = NULL;
    const PsMachineCodeOf of = {making->options, name, built->module, built->kernel, gpu,
                                before,          FALSE};
    if (!built->module->machine)
        return ps_ptx_code_new(built->module->module, built->kernel, error);
    if (!ps_machine_code_choose(&of, machine, &what, error))
        return NULL;
    const PsPtxModule *module = (*machine)->module;
    return ps_ptx_code_new(module, module->functions->pdata[0], error);
}

/* TRUE if only the machine code tells which parameters are floats, since no mangled name does.
 * Missing arguments are reported before anything is disassembled. */
static gboolean is_typed_by_code(const PsMaking *making)
{
    const PsBuiltGraph *built = making->built;
    g_autofree char *signature = ps_kernel_demangle(built->kernel->name);
    const char *const *texts = making->texts.arguments;
    return built->module->machine && !signature && texts &&
           g_strv_length((char **)texts) >= built->kernel->params->len;
}

/* Gives the parameters values. Machine code that is read for types alone is of no use later, since
 * arguments make variables that it lacks. Its own faults are reported later, too: an error of the
 * arguments comes first. */
static gboolean type_arguments(PsMaking *making, const char *name, const PsGpu *gpu,
                               GHashTable *before, GError **error)
{
    PsBuiltGraph *built = making->built;
    PsSassCode *machine = NULL;
    g_autofree char *what = NULL;
    const PsMachineCodeOf of = {making->options, name, built->module, built->kernel, gpu,
                                before,          FALSE};
    if (is_typed_by_code(making))
        (void)ps_machine_code_choose(&of, &machine, &what, NULL);
    making->texts.code = machine ? machine->module->functions->pdata[0] : NULL;
    const gboolean ok = find_arguments(making, error);
    making->texts.code = NULL;
    if (built->arguments)
        built->arguments->code = NULL;
    g_clear_pointer(&machine, ps_sass_code_free);
    return ok;
}

/* Guesses what the launch lacks, if guesses are wanted. */
static gboolean guess(PsMaking *making, const char *name, const PsGpu *gpu, GHashTable *before,
                      GError **error)
{
    PsLaunchTexts *texts = &making->texts;
    PsBuiltGraph *built = making->built;
    g_autoptr(PsSassCode) machine = NULL;
    if (!making->options->guess)
        return TRUE;
    g_autoptr(PsPtxCode) code = code_to_guess_by(making, name, gpu, before, &machine, error);
    if (!code)
        return FALSE;
    const PsLaunchGuessOf of = {built->module->module, built->kernel, code, making->shared, gpu};
    making->guess = ps_launch_guess(&of, texts, error);
    if (!making->guess)
        return FALSE;
    texts->arguments = (const char *const *)making->guess->arguments;
    texts->grid = making->guess->grid ? making->guess->grid : texts->grid;
    texts->block = making->guess->block ? making->guess->block : texts->block;
    texts->guess_name = NULL;
    return TRUE;
}

/* Adds to an error of a kernel that went astray which argument may be the cause. */
static void add_hint(const PsMaking *making, GError **error)
{
    g_autofree char *hint =
        g_error_matches(*error, PS_ERROR, PS_ERROR_VALUE)
            ? ps_launch_hint(making->built->arguments, &making->texts, (*error)->message)
            : NULL;
    if (!hint)
        return;
    GError *with = g_error_new(PS_ERROR, PS_ERROR_VALUE, "%s%s", (*error)->message, hint);
    g_clear_error(error);
    *error = with;
}

/* Adds to an error of a kernel with guessed values what these were. */
static void add_guesses(const PsMaking *making, GError **error)
{
    const GPtrArray *guesses = making->guess ? making->guess->guesses : NULL;
    g_autoptr(GString) list = g_string_new(NULL);
    if (!guesses || !guesses->len || g_error_matches(*error, PS_ERROR, PS_ERROR_CANCELLED))
        return;
    for (guint i = 0; i < guesses->len; i++) {
        const PsIdgGuess *one = guesses->pdata[i];
        g_string_append_printf(list, "%s%s = %s", i ? ", " : "", one->name, one->value);
    }
    g_autofree char *message =
        g_strdup_printf("%s; these were guessed (%sguess), so that it may be them: %s",
                        (*error)->message, making->options->prefix, list->str);
    const GError *was = *error;
    GError *with = g_error_new_literal(was->domain, was->code, message);
    g_clear_error(error);
    *error = with;
}

static void keep_guesses(const PsMaking *making, PsIdg *idg)
{
    GPtrArray *guesses = making->guess ? making->guess->guesses : NULL;
    while (guesses && guesses->len)
        g_ptr_array_add(idg->guesses, g_ptr_array_steal_index(guesses, 0));
}

/* The user's value, otherwise Triton's, with a message. */
static void find_shared(PsMaking *making, const char *name)
{
    g_autofree char *path = NULL, *text = ps_triton_beside(name, &path);
    const char *kernel = making->built->kernel->name;
    const guint64 said = text ? ps_triton_shared(text, kernel) : 0;
    making->shared = making->options->shared ? making->options->shared : said;
    if (making->options->shared || !said)
        return;
    g_autofree char *line = g_strdup_printf("%s: a launch of \"%s\" has %" G_GUINT64_FORMAT
                                            " bytes of shared memory, as Triton wrote "
                                            "there; %s takes other ones",
                                            path, kernel, said, making->names.shared);
    ps_code_note(making->options, line);
}

/* Loads everything except what is executed. */
static gboolean load(PsMaking *making, const char *name, const PsGpu *gpu, GError **error)
{
    PsBuiltGraph *built = making->built;
    ps_making_begin(making, name);
    if (!ps_launch_texts_check(&making->texts, error))
        return FALSE;
    built->module = ps_code_module_load(making->options, name, gpu, error);
    if (!built->module)
        return FALSE;
    making->texts.source = built->module->source;
    built->kernel = ps_making_kernel(making, name, error);
    if (!built->kernel)
        return FALSE;
    find_shared(making, name);
    g_autoptr(GHashTable) before = ps_machine_code_values(built->module->module);
    if (!guess(making, name, gpu, before, error) ||
        !type_arguments(making, name, gpu, before, error) || !check_dumps(making, error))
        return FALSE;
    making->grid = ps_launch_grid_new(built->arguments, &making->texts, error);
    ps_code_begin(making->options, "assembling", name);
    if (!making->grid || !find_machine(making, name, gpu, before, error) ||
        !ps_making_registers(making, gpu, error))
        return FALSE;
    set_up(making);
    return TRUE;
}

static gboolean make(PsMaking *making, const char *name, const PsGpu *gpu, GError **error)
{
    PsBuiltGraph *built = making->built;
    if (!load(making, name, gpu, error))
        return FALSE;
    warn_of_dumps(making);
    if (!execute(making, gpu, error)) {
        add_hint(making, error);
        add_guesses(making, error);
        return FALSE;
    }
    PsIdg *idg = built->build->idg;
    keep_guesses(making, idg);
    if (!idg->path)
        idg->path = g_strdup(ps_code_shown(making->options, name));
    idg->made_of = g_steal_pointer(&making->made_of);
    if (making->registers_from)
        add_provenance(idg, g_steal_pointer(&making->registers_from));
    if (making->registers_missing)
        g_ptr_array_insert(built->build->warnings, 0, g_steal_pointer(&making->registers_missing));
    return TRUE;
}

/* Reads the code up to its kernel. */
static gboolean find(PsMaking *making, const char *name, const PsGpu *gpu, GError **error)
{
    PsBuiltGraph *built = making->built;
    ps_making_begin(making, name);
    built->module = ps_code_module_load(making->options, name, gpu, error);
    if (built->module)
        making->texts.source = built->module->source;
    built->kernel = built->module ? ps_making_kernel(making, name, error) : NULL;
    ps_code_begin(making->options, NULL, NULL);
    return built->kernel != NULL;
}

gboolean ps_code_check_launch(const PsCodeOptions *options, const char *name, const PsGpu *gpu,
                              GError **error)
{
    g_autoptr(PsBuiltGraph) built = g_new0(PsBuiltGraph, 1);
    PsMaking making = {.options = options, .built = built};
    const gboolean ok =
        find(&making, name, gpu, error) &&
        ps_launch_check_missing(built->module->module, built->kernel, &making.texts, error);
    ps_making_clear(&making);
    return ok;
}

char *ps_code_launch_line(const PsCodeOptions *options, const char *name, const PsGpu *gpu)
{
    g_autoptr(PsBuiltGraph) built = g_new0(PsBuiltGraph, 1);
    PsMaking making = {.options = options, .built = built};
    g_autofree char *kernel = options->kernel ? ps_code_quote(options->kernel) : NULL;
    char *line = NULL;
    if (find(&making, name, gpu, NULL)) {
        making.texts.command = kernel;
        line = ps_launch_command(built->module->module, built->kernel, &making.texts);
    }
    ps_making_clear(&making);
    return line;
}

GPtrArray *ps_code_untaken(const PsCodeOptions *options, const char *name, const PsGpu *gpu)
{
    g_autoptr(PsBuiltGraph) built = g_new0(PsBuiltGraph, 1);
    PsMaking making = {.options = options, .built = built};
    GPtrArray *untaken =
        find(&making, name, gpu, NULL)
            ? ps_launch_untaken(built->module->module, built->kernel, &making.texts)
            : NULL;
    ps_making_clear(&making);
    return untaken;
}

/* Prints warnings of the PTX, except those that the error or a warning of the graph repeats. */
static void tell_module(const PsCodeOptions *options, const PsBuiltGraph *built, const GError *why)
{
    GString *said = g_string_new(why ? why->message : "");
    for (guint i = 0; built->build && i < built->build->warnings->len; i++)
        g_string_append_printf(said, "\n%s", (const char *)built->build->warnings->pdata[i]);
    ps_code_module_warn(options, built->module, said->str);
    g_string_free(said, TRUE);
}

/* Messages about the code, and then the build's warnings, which its caller prints. */
static GPtrArray *warnings_of(const GPtrArray *told, const PsBuild *build)
{
    GPtrArray *warnings = ps_code_warnings(told);
    for (guint i = 0; i < build->warnings->len; i++)
        g_ptr_array_add(warnings, g_strdup(build->warnings->pdata[i]));
    return warnings;
}

static void hand_on(const GPtrArray *told, GPtrArray *to)
{
    for (guint i = 0; to && i < told->len; i++)
        g_ptr_array_add(to, g_strdup(told->pdata[i]));
}

PsBuiltGraph *ps_built_graph_new(const PsCodeOptions *options, const char *name, const PsGpu *gpu,
                                 GError **error)
{
    g_autoptr(PsBuiltGraph) built = g_new0(PsBuiltGraph, 1);
    g_autoptr(GPtrArray) told = g_ptr_array_new_with_free_func(g_free);
    PsCodeOptions with = *options;
    with.told = told;
    PsMaking making = {.options = &with, .built = built};
    ps_build_options_init(&making.with);
    GError *why = NULL;
    const gboolean made = make(&making, name, gpu, &why);
    if (built->module)
        tell_module(&with, built, why);
    if (made)
        built->build->idg->warnings = warnings_of(told, built->build);
    hand_on(told, options->told);
    if (why)
        g_propagate_error(error, why);
    ps_making_clear(&making);
    return made ? g_steal_pointer(&built) : NULL;
}

void ps_built_graph_free(PsBuiltGraph *built)
{
    if (!built)
        return;
    g_clear_pointer(&built->build, ps_build_free);
    g_clear_pointer(&built->machine, ps_sass_code_free);
    g_clear_pointer(&built->dumped, g_ptr_array_unref);
    g_clear_pointer(&built->arguments, ps_launch_arguments_free);
    g_clear_pointer(&built->module, ps_code_module_free);
    g_free(built);
}

/* ---- other launches ------------------------------------------------------------------------ */

struct PsBuiltCode {
    PsBuiltGraph *built;
    char *name;
    const PsGpu *gpu;
    PsMaking making;
    PsLaunchCode code;
};

PsBuiltCode *ps_built_code_new(const PsCodeOptions *options, const char *name, const PsGpu *gpu,
                               GError **error)
{
    g_autoptr(PsBuiltCode) code = g_new0(PsBuiltCode, 1);
    code->built = g_new0(PsBuiltGraph, 1);
    code->name = g_strdup(name);
    code->gpu = gpu;
    code->making = (PsMaking){.options = options, .built = code->built};
    ps_build_options_init(&code->making.with);
    const gboolean loaded = load(&code->making, name, gpu, error);
    ps_code_begin(options, NULL, NULL);
    if (!loaded)
        return NULL;
    code->code = (PsLaunchCode){.module = code->built->module->module,
                                .kernel = code->built->kernel,
                                .outlined = code->built->module->machine != NULL,
                                .system = code->built->machine ? code->built->machine->system : 0,
                                .texts = code->making.texts,
                                .options = code->making.with};
    return g_steal_pointer(&code);
}

const PsLaunchCode *ps_built_code_launch(const PsBuiltCode *code)
{
    return &code->code;
}

PsIdg *ps_built_code_rewritten(const PsBuiltCode *code, const char *text, gboolean *same,
                               GError **error)
{
    PsCodeOptions quiet = *code->making.options;
    const PsCodeSource source = {code->name, text, code->gpu, &quiet};
    gsize length = 0;
    quiet.quiet = TRUE;
    ps_code_begin(&quiet, "compiling", code->name);
    g_autofree char *ptx = ps_toolchain_make_ptx(&source, &length, NULL, error);
    if (ptx && g_str_has_suffix(code->name, ".cl"))
        ps_ptx_drop_debug(ptx); /* as when it was read */
    *same = ptx && strcmp(ptx, code->built->module->text) == 0;
    quiet.ptx = ptx;
    g_autoptr(PsBuiltGraph) built =
        ptx && !*same ? ps_built_graph_new(&quiet, code->name, code->gpu, error) : NULL;
    ps_code_begin(&quiet, NULL, NULL);
    return built ? g_steal_pointer(&built->build->idg) : NULL;
}

void ps_built_code_free(PsBuiltCode *code)
{
    if (!code)
        return;
    g_free(code->name);
    ps_making_clear(&code->making);
    ps_built_graph_free(code->built);
    g_free(code);
}

/* ---- kept graphs --------------------------------------------------------------------------- */

/* Builds the graph, and keeps it under the key. */
static PsIdg *build_graph(const PsCodeOptions *options, const char *name, const PsGpu *gpu,
                          GChecksum *key, PsSassCode **machine, GError **error)
{
    PsCodeOptions with = *options;
    g_autoptr(GPtrArray) told = g_ptr_array_new_with_free_func(g_free);
    with.told = told;
    g_autoptr(PsBuiltGraph) built = ps_built_graph_new(&with, name, gpu, error);
    if (!built)
        return NULL;
    for (guint i = 0; i < built->build->warnings->len; i++)
        ps_code_warn(&with, built->build->warnings->pdata[i]);
    ps_kept_graph_put(&with, key, built);
    if (machine)
        *machine = g_steal_pointer(&built->machine);
    return g_steal_pointer(&built->build->idg);
}

/* The executed machine code of a kept graph; *machine stays NULL if that was PTX. Messages on the
 * way came with the graph. */
static gboolean read_machine(const PsCodeOptions *options, const char *name, const PsGpu *gpu,
                             PsSassCode **machine, GError **error)
{
    g_autoptr(PsCodeModule) module = ps_code_module_load(options, name, gpu, error);
    const PsPtxFunction *kernel =
        module ? ps_ptx_kernel(module->module, options->kernel, error) : NULL;
    g_autofree char *what = NULL;
    if (!kernel)
        return FALSE;
    g_autoptr(GHashTable) before = ps_machine_code_values(module->module);
    const PsMachineCodeOf of = {options, name, module, kernel, gpu, before, FALSE};
    const gboolean read = ps_machine_code_choose(&of, machine, &what, error);
    ps_code_begin(options, NULL, NULL);
    return read;
}

PsIdg *ps_code_graph(const PsCodeOptions *options, const char *name, const PsGpu *gpu,
                     PsSassCode **machine, GError **error)
{
    g_autoptr(GChecksum) key = ps_kept_graph_key(options, name, gpu);
    g_autoptr(PsIdg) idg = ps_kept_graph_find(options, key);
    if (!idg)
        return build_graph(options, name, gpu, key, machine, error);
    return !machine || read_machine(options, name, gpu, machine, error) ? g_steal_pointer(&idg)
                                                                        : NULL;
}
