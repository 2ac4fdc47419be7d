/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/build/graph.h"

#include "cli/build/choice.h"
#include "cli/build/compiler.h"
#include "cli/build/kept-graph.h"
#include "cli/fail.h"
#include "cli/find.h"

#include <string.h>

/* A build in the making. */
typedef struct {
    const BuildOptions *options;
    BuiltGraph *built;
    PsBuildOptions with;
    PsLaunchTexts texts;
    PsLaunchGrid *grid;
    char *command;        /* how the command line begins */
    char *registers_from; /* where their number comes from, for provenance; NULL where not known */
    char *made_of;        /* what code is executed, and why */
    char *registers_missing; /* why not, which matters only once there is a graph */
} Making;

/* ---- the launch ---------------------------------------------------------------------------- */

/* An option with what was given for it, as a shell must be given it. */
static void add_given(GString *command, const char *option, const char *text)
{
    g_autofree char *quoted =
        text && strpbrk(text, " \t\"'$&|;<>()*?[]`\\#~") ? g_shell_quote(text) : g_strdup(text);
    if (text)
        g_string_append_printf(command, " %s%s", option, quoted);
}

/* All but what a launch may lack, which follows. */
static char *command_of(const BuildOptions *options, const char *name, const char *kernel)
{
    static const OptionId later[] = {OPTION_KERNEL, OPTION_GRID, OPTION_THREADS,
                                     OPTION_BLOCK,  OPTION_ARG,  OPTION_FILES};
    GString *command = g_string_new(g_get_prgname());
    g_autoptr(GPtrArray) others = g_ptr_array_new_with_free_func(g_free);
    add_given(command, "", name);
    add_given(command, "--gpu ", options->gpu);
    add_given(command, "--kernel ", kernel);
    given_add_code(VERB_RUN, options->given, later, others);
    for (guint i = 0; i < others->len; i++)
        add_given(command, "", others->pdata[i]);
    return g_string_free(command, FALSE);
}

static void set_texts(Making *making, const char *name)
{
    const BuildOptions *options = making->options;
    making->command = command_of(options, name, options->kernel);
    making->texts = (PsLaunchTexts){.arguments = (const char *const *)options->arguments,
                                    .common = (const char *const *)options->common,
                                    .grid = options->grid,
                                    .threads = options->threads,
                                    .block = options->block,
                                    .samples = options->samples,
                                    .argument_name = "--arg",
                                    .grid_name = "--grid",
                                    .threads_name = "--threads",
                                    .block_name = "--block",
                                    .sample_name = "--sample",
                                    .command = making->command,
                                    .lacking = options->lacking,
                                    .shared_name = options->shared ? NULL : "--shared"};
}

static gboolean find_arguments(Making *making, GError **error)
{
    BuiltGraph *built = making->built;
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
    built->arguments = ps_launch_arguments_new(built->module->module, built->kernel, &making->texts,
                                               notes, warnings, error);
    for (guint i = 0; i < notes->len; i++)
        build_note(making->options, notes->pdata[i]);
    for (guint i = 0; i < warnings->len; i++)
        build_warn(making->options, warnings->pdata[i]);
    return built->arguments != NULL;
}

/* ---- registers ----------------------------------------------------------------------------- */

/* What ptxas tells, and with which version of PTX in place of the module's. */
static gboolean ask_ptxas(Making *making, GError **error)
{
    const BuildModule *module = making->built->module;
    g_autofree char *version = NULL, *as = NULL;
    making->with.registers =
        compiler_count_registers(making->options, module->text, making->built->kernel->name,
                                 module->module->target, &version, error);
    if (!making->with.registers)
        return FALSE;
    if (version)
        as = g_strdup_printf(", read as PTX %s, the latest version that it knows", version);
    making->registers_from = g_strdup_printf("Registers: as ptxas -v reports them for %s%s.",
                                             module->module->target, as ? as : "");
    return TRUE;
}

/* Without being asked to, ptxas that is missing or cannot tell is no error. */
static gboolean find_registers(Making *making, GError **error)
{
    const BuildOptions *options = making->options;
    const PsSassCode *machine = making->built->machine;
    g_autoptr(GError) why = NULL;
    if (machine && options->registers_from != REGISTERS_GIVEN &&
        options->registers_from != REGISTERS_NONE) {
        making->with.registers = machine->registers;
        making->registers_from = g_strdup("Registers: as the machine code states them.");
        return TRUE;
    }
    if (options->registers_from == REGISTERS_GIVEN) {
        making->with.registers = options->registers;
        making->with.accumulators = options->accumulators;
        making->with.scalar_registers = options->scalar_registers;
        making->registers_from = g_strdup("Registers: given by --registers.");
    }
    if (options->registers_from == REGISTERS_GIVEN || options->registers_from == REGISTERS_NONE ||
        ask_ptxas(making, &why))
        return TRUE;
    if (options->registers_from == REGISTERS_PTXAS) {
        g_propagate_prefixed_error(error, g_steal_pointer(&why), "--registers ptxas: ");
        return FALSE;
    }
    making->registers_missing =
        g_strdup_printf("registers are not known, so they limit no occupancy: "
                        "%s; --registers N states them",
                        why->message);
    return TRUE;
}

static void add_provenance(PsIdg *idg, char *text)
{
    PsSource *source = g_new0(PsSource, 1);
    source->kind = PS_SOURCE_DERIVED;
    source->text = text;
    g_ptr_array_add(idg->sources, source);
}

/* ---- building ------------------------------------------------------------------------------ */

/* Other groups are executed after the samples, for what they share in caches. */
static void keep_dumps(gpointer data)
{
    const Making *making = data;
    const BuiltGraph *built = making->built;
    for (char **dump = making->options->dumps; dump && *dump; dump++) {
        PsLaunchBuffer buffer;
        const char *file;
        if (built_graph_find_dump(built, *dump, &buffer, &file, NULL))
            g_ptr_array_add(built->dumped, g_bytes_new(buffer.data, buffer.size));
    }
}

static gboolean execute(Making *making, const PsGpu *gpu, GError **error)
{
    progress_begin(making->options->progress, "executing", making->built->kernel->name);
    making->with.progress = progress_hearer(making->options->progress);
    making->with.sampled = keep_dumps;
    making->with.sampled_data = making;
    making->built->dumped = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
    making->built->build = ps_launch_build(&making->with, gpu, error);
    progress_begin(making->options->progress, NULL, NULL);
    return making->built->build != NULL;
}

static void set_up(Making *making)
{
    PsBuildOptions *with = &making->with;
    ps_launch_set_up(making->built->arguments, making->grid, &making->texts, with);
    if (making->built->machine) {
        with->machine = making->built->machine;
        with->module = with->machine->module;
        with->launch.kernel = with->module->functions->pdata[0];
    }
    with->launch.dynamic_shared = making->options->shared;
    with->launch.shared_name = "--shared";
    with->launch.most_instructions = making->options->most_instructions;
    with->launch.most_name = "--max-instructions";
    with->launch.most_memory = making->options->most_memory;
    with->launch.memory_name = "--memory";
    with->partial = making->options->partial;
    with->partial_name = "--partial";
    for (guint i = 0; i < PS_BUILD_N_RULES; i++)
        with->rules[i] = with->rules[i] && !making->options->no_rule[i];
}

/* NAME=FILE each: FALSE and *error for another text; the name is the caller's (g_free). */
static gboolean split_dump(const char *text, char **name, const char **file, GError **error)
{
    const char *equals = strchr(text, '=');
    *name = equals && equals > text ? g_strndup(text, (gsize)(equals - text)) : NULL;
    *file = *name && equals[1] ? equals + 1 : NULL;
    return *file || usage_error(error, "--dump '%s': write NAME=FILE", text);
}

/* Before anything is compiled. */
static gboolean check_dump_texts(const Making *making, GError **error)
{
    for (char **dump = making->options->dumps; dump && *dump; dump++) {
        g_autofree char *name = NULL;
        const char *file;
        if (!split_dump(*dump, &name, &file, error))
            return FALSE;
    }
    return TRUE;
}

/* Before anything is executed. */
static gboolean check_dumps(const Making *making, GError **error)
{
    PsLaunchBuffer buffer;
    const char *file;
    for (char **dump = making->options->dumps; dump && *dump; dump++)
        if (!built_graph_find_dump(making->built, *dump, &buffer, &file, error))
            return FALSE;
    return TRUE;
}

/* What is dumped holds what was executed. */
static void warn_of_dumps(const Making *making)
{
    const guint *grid = making->grid->groups.size;
    if (making->options->dumps && making->options->dumps[0] && !making->options->samples &&
        (grid[0] > 1 || grid[1] > 1 || grid[2] > 1))
        build_warn(
            making->options,
            "--dump: not all groups were executed, so buffers lack what the others would have "
            "written; --sample all executes all");
}

/* The machine code, where that is what is executed. */
static gboolean find_machine(Making *making, const char *name, const PsGpu *gpu, GHashTable *before,
                             GError **error)
{
    BuiltGraph *built = making->built;
    const MachineOf of = {making->options, name, built->module, built->kernel, gpu, before};
    return choose_code(&of, &built->machine, &making->made_of, error);
}

/* A file may have thousands. */
#define MOST_SHOWN 20

/* Shows the command lines that would ask about kernels, and returns how many there are. */
static guint show_commands(const Making *making, const char *name)
{
    PsPtxModule *module = making->built->module->module;
    g_auto(GStrv) names = ps_ptx_kernel_names(module);
    PsLaunchTexts texts = making->texts;
    guint n = 0;
    texts.common = texts.arguments; /* each may be another kernel's */
    for (guint i = 0; i < module->functions->len; i++) {
        if (!*names[i] || ++n > MOST_SHOWN)
            continue;
        g_autofree char *command = command_of(making->options, name, names[i]);
        texts.command = command;
        g_autofree char *line = ps_launch_command(module, module->functions->pdata[i], &texts);
        show_command(line);
    }
    return n;
}

/* The kernel that is asked for. Where there are several and none was named, what would ask about
 * each is shown, unless a sweep reads what is said. */
static const PsPtxFunction *find_kernel(const Making *making, const char *name, GError **error)
{
    g_autoptr(GError) why = NULL;
    const PsPtxFunction *kernel =
        ps_ptx_kernel(making->built->module->module, making->options->kernel, &why);
    const gboolean shows = !kernel && !making->options->kernel && !g_getenv(BUILD_HANDS_ON);
    const guint n = shows ? show_commands(making, name) : 0;
    if (why && !n)
        g_propagate_error(error, g_steal_pointer(&why));
    if (!n)
        return kernel;
    g_autofree char *more =
        n > MOST_SHOWN ? g_strdup_printf("; these are %d, and pipesim build --list %s has all",
                                         MOST_SHOWN, name)
                       : g_strdup("");
    usage_error(error,
                "%s: has %u kernels; choose one by a command line above, with what it lacks "
                "(buffers are zero:BYTES, ramp:BYTES, random:BYTES or @FILE)%s",
                name, n, more);
    return NULL;
}

/* All but what is executed of it. */
static gboolean load(Making *making, const char *name, const PsGpu *gpu, GError **error)
{
    BuiltGraph *built = making->built;
    set_texts(making, name);
    if (!ps_launch_texts_check(&making->texts, error) || !check_dump_texts(making, error))
        return FALSE;
    built->module = build_module_load(making->options, name, gpu, error);
    if (!built->module)
        return FALSE;
    making->texts.source = built->module->source;
    built->kernel = find_kernel(making, name, error);
    if (!built->kernel)
        return FALSE;
    g_autoptr(GHashTable) before = machine_values(built->module->module);
    if (!find_arguments(making, error) || !check_dumps(making, error))
        return FALSE;
    making->grid = ps_launch_grid_new(built->arguments, &making->texts, error);
    progress_begin(making->options->progress, "assembling", name);
    if (!making->grid || !find_machine(making, name, gpu, before, error) ||
        !find_registers(making, error))
        return FALSE;
    set_up(making);
    return TRUE;
}

static gboolean make(Making *making, const char *name, const PsGpu *gpu, GError **error)
{
    BuiltGraph *built = making->built;
    if (!load(making, name, gpu, error))
        return FALSE;
    warn_of_dumps(making);
    if (!execute(making, gpu, error))
        return FALSE;
    PsIdg *idg = built->build->idg;
    if (!idg->path)
        idg->path = g_strdup(name);
    idg->made_of = g_steal_pointer(&making->made_of);
    if (making->registers_from)
        add_provenance(idg, g_steal_pointer(&making->registers_from));
    if (making->registers_missing)
        g_ptr_array_insert(built->build->warnings, 0, g_steal_pointer(&making->registers_missing));
    return TRUE;
}

static void clear(Making *making)
{
    ps_launch_grid_free(making->grid);
    g_free(making->command);
    g_free(making->made_of);
    g_free(making->registers_from);
    g_free(making->registers_missing);
}

/* Warns of the PTX, but for what the error or a warning of the graph says. */
static void tell_module(const BuildOptions *options, const BuiltGraph *built, const GError *why)
{
    GString *said = g_string_new(why ? why->message : "");
    for (guint i = 0; built->build && i < built->build->warnings->len; i++)
        g_string_append_printf(said, "\n%s", (const char *)built->build->warnings->pdata[i]);
    build_module_warn(options, built->module, said->str);
    g_string_free(said, TRUE);
}

BuiltGraph *built_graph_new(const BuildOptions *options, const char *name, const PsGpu *gpu,
                            GError **error)
{
    g_autoptr(BuiltGraph) built = g_new0(BuiltGraph, 1);
    Making making = {.options = options, .built = built};
    ps_build_options_init(&making.with);
    GError *why = NULL;
    const gboolean made = make(&making, name, gpu, &why);
    if (built->module)
        tell_module(options, built, why);
    if (why)
        g_propagate_error(error, why);
    clear(&making);
    return made ? g_steal_pointer(&built) : NULL;
}

void built_graph_free(BuiltGraph *built)
{
    if (!built)
        return;
    g_clear_pointer(&built->build, ps_build_free);
    g_clear_pointer(&built->machine, ps_sass_code_free);
    g_clear_pointer(&built->dumped, g_ptr_array_unref);
    g_clear_pointer(&built->arguments, ps_launch_arguments_free);
    g_clear_pointer(&built->module, build_module_free);
    g_free(built);
}

/* ---- other launches ------------------------------------------------------------------------ */

struct BuiltCode {
    BuiltGraph *built;
    char *name;
    const PsGpu *gpu;
    Making making;
    PsLaunchCode code;
};

BuiltCode *built_code_new(const BuildOptions *options, const char *name, const PsGpu *gpu,
                          GError **error)
{
    g_autoptr(BuiltCode) code = g_new0(BuiltCode, 1);
    code->built = g_new0(BuiltGraph, 1);
    code->name = g_strdup(name);
    code->gpu = gpu;
    code->making = (Making){.options = options, .built = code->built};
    ps_build_options_init(&code->making.with);
    const gboolean loaded = load(&code->making, name, gpu, error);
    progress_begin(options->progress, NULL, NULL);
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

const PsLaunchCode *built_code_launch(const BuiltCode *code)
{
    return &code->code;
}

PsIdg *built_code_rewritten(const BuiltCode *code, const char *text, gboolean *same, GError **error)
{
    BuildOptions quiet = *code->making.options;
    const Source source = {code->name, text, code->gpu, &quiet};
    gsize length = 0;
    quiet.quiet = TRUE;
    progress_begin(quiet.progress, "compiling", code->name);
    g_autofree char *ptx = compiler_make_ptx(&source, &length, NULL, error);
    if (ptx && g_str_has_suffix(code->name, ".cl"))
        ps_ptx_drop_debug(ptx); /* as when it was read */
    *same = ptx && strcmp(ptx, code->built->module->text) == 0;
    quiet.ptx = ptx;
    g_autoptr(BuiltGraph) built =
        ptx && !*same ? built_graph_new(&quiet, code->name, code->gpu, error) : NULL;
    progress_begin(quiet.progress, NULL, NULL);
    return built ? g_steal_pointer(&built->build->idg) : NULL;
}

void built_code_free(BuiltCode *code)
{
    if (!code)
        return;
    g_free(code->name);
    clear(&code->making);
    built_graph_free(code->built);
    g_free(code);
}

/* -------------------------------------------------------------------------------------------- */

gboolean built_graph_find_dump(const BuiltGraph *built, const char *text, PsLaunchBuffer *buffer,
                               const char **file, GError **error)
{
    g_autofree char *name = NULL;
    return split_dump(text, &name, file, error) &&
           ps_launch_arguments_buffer(built->arguments, "--dump", name, buffer, error);
}

/* Builds it, and keeps it under the key. */
static PsIdg *build_graph(const BuildOptions *options, const char *name, const PsGpu *gpu,
                          GChecksum *key, PsSassCode **machine, GError **error)
{
    BuildOptions with = *options;
    g_autoptr(GPtrArray) told = g_ptr_array_new_with_free_func(g_free);
    with.told = told;
    g_autoptr(BuiltGraph) built = built_graph_new(&with, name, gpu, error);
    if (!built)
        return NULL;
    for (guint i = 0; i < built->build->warnings->len; i++)
        build_warn(&with, built->build->warnings->pdata[i]);
    kept_graph_put(&with, key, built);
    if (machine)
        *machine = g_steal_pointer(&built->machine);
    return g_steal_pointer(&built->build->idg);
}

/* The machine code of a graph that is kept, which was executed when that was built; *machine stays
 * NULL where that was PTX. What is told on the way was told with the graph. */
static gboolean read_machine(const BuildOptions *options, const char *name, const PsGpu *gpu,
                             PsSassCode **machine, GError **error)
{
    g_autoptr(BuildModule) module = build_module_load(options, name, gpu, error);
    const PsPtxFunction *kernel =
        module ? ps_ptx_kernel(module->module, options->kernel, error) : NULL;
    g_autofree char *what = NULL;
    if (!kernel)
        return FALSE;
    g_autoptr(GHashTable) before = machine_values(module->module);
    const MachineOf of = {options, name, module, kernel, gpu, before};
    const gboolean read = choose_code(&of, machine, &what, error);
    progress_begin(options->progress, NULL, NULL);
    return read;
}

gboolean say_what_lacks(const Options *options, const char *name, const char *lacking,
                        GError **error)
{
    BuildOptions with = options->build;
    with.lacking = lacking;
    g_autoptr(BuiltGraph) built = built_graph_new(&with, name, NULL, error);
    return built != NULL;
}

PsIdg *graph_of(const Options *options, const char *name, PsGpu **gpu, PsSassCode **machine,
                GError **error)
{
    const char *gpu_name = options->gpus ? options->gpus[0] : NULL;
    if (!build_is_code(name))
        return find_graph(name, gpu_name, error);
    if (!*gpu && gpu_name && !(*gpu = find_gpu(gpu_name, error)))
        return NULL;
    if (*gpu &&
        (!options_fit(options, *gpu, error) || !ps_what_if_check(options->what_if, *gpu, error)))
        return NULL;
    g_autoptr(GChecksum) key = kept_graph_key(&options->build, name, *gpu);
    g_autoptr(PsIdg) idg = kept_graph_find(&options->build, key);
    if (!idg)
        return build_graph(&options->build, name, *gpu, key, machine, error);
    return !machine || read_machine(&options->build, name, *gpu, machine, error)
               ? g_steal_pointer(&idg)
               : NULL;
}
