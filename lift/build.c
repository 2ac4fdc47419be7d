/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Builds a graph of a kernel: groups run, one of each kind that matters is laid out, and the work
 * of each of its warps becomes a code.
 */
#include "lift/build-private.h"

#include "base/xml.h"

#include <math.h>
#include <string.h>

void ps_build_options_init(PsBuildOptions *options)
{
    *options = (PsBuildOptions){0};
    for (int i = 0; i < PS_BUILD_N_RULES; i++)
        options->rules[i] = TRUE;
}

static void add_source(PsIdg *idg, char *text)
{
    PsSource *source = g_new0(PsSource, 1);
    source->kind = PS_SOURCE_DERIVED;
    source->text = text;
    g_ptr_array_add(idg->sources, source);
}

static void append_caches(GString *text, const PsSamples *samples)
{
    const PsBuildOptions *options = samples->options;
    const guint64 l1 = ps_samples_l1(options, ps_ptx_machine_code(samples->machine));
    if (l1 > 0)
        g_string_append_printf(text, "%" G_GUINT64_FORMAT " bytes of L1 per compute unit", l1);
    else
        g_string_append(text, "no L1");
    if (options->l2 > 0)
        g_string_append_printf(text, " and %" G_GUINT64_FORMAT " bytes of L2.", options->l2);
    else
        g_string_append(text, " and an L2 that keeps everything.");
}

static char *dimensions(const guint n[3])
{
    return g_strdup_printf("%u x %u x %u", n[0], n[1], n[2]);
}

static void add_provenance(PsIdg *idg, const PsSamples *samples)
{
    const PsBuildOptions *options = samples->options;
    const PsPtxLaunch *launch = &options->launch;
    g_autofree char *base =
        g_path_get_basename(options->module->path ? options->module->path : "-");
    g_autofree char *file = ps_valid_text(base);
    g_autofree char *grid = dimensions(launch->grid);
    g_autofree char *block = dimensions(launch->block);
    g_autoptr(GString) text = g_string_new(NULL);
    idg->of_ptx = TRUE;
    g_autofree char *what =
        options->machine ? g_strdup_printf("machine code of the kernel %s", launch->kernel->name)
                         : g_strdup_printf("kernel %s", launch->kernel->name);
    g_autofree char *by =
        options->machine ? g_strdup_printf(", as %s lists it", options->machine->listing->producer)
                         : g_strdup("");
    add_source(idg, g_strdup_printf("Built from the %s of %s (%s%s), launched with %s groups of %s "
                                    "threads.",
                                    what, file, options->module->target, by, grid, block));
    g_autofree char *chosen = ps_kinds_names(samples->chosen);
    g_string_append_printf(text,
                           "Executed: %u group%s, of which %s this graph. Shares of "
                           "traffic from a model of caches with ",
                           samples->groups->len, samples->groups->len == 1 ? "" : "s", chosen);
    append_caches(text, samples);
    add_source(idg, g_strdup(text->str));
    g_autofree char *kinds = ps_kinds_text(samples->kinds);
    if (samples->kinds->len > 1)
        add_source(idg, g_strdup_printf("Kinds of groups: %s.", kinds));
}

/* ---- launch --------------------------------------------------------------------------------- */

/* The product of three dimensions, "(a)*(b)", each in the user's words where they are known;
 * factors of 1 are left out. */
static char *product_text(const char *const text[3], const guint value[3])
{
    g_autoptr(GString) product = g_string_new(NULL);
    gboolean any = FALSE;
    for (int d = 0; d < 3; d++) {
        if (!text[d] && value[d] == 1)
            continue;
        if (product->len > 0)
            g_string_append_c(product, '*');
        if (text[d])
            g_string_append_printf(product, "(%s)", text[d]);
        else
            g_string_append_printf(product, "%u", value[d]);
        any = any || text[d];
    }
    return any ? g_strdup(product->str) : NULL;
}

/* A dimension in the user's words, without brackets around the whole. */
static char *dimension_text(const char *const text[3], const guint value[3])
{
    int only = -1, n = 0;
    for (int d = 0; d < 3; d++) {
        n += value[d] != 1 || (text[d] && strcmp(text[d], "1") != 0);
        only = value[d] != 1 ? d : only;
    }
    if (n == 1 && only >= 0 && text[only])
        return g_strdup(text[only]);
    return product_text(text, value);
}

static PsExpr *dimension_expr(PsSymbols *symbols, const char *const text[3], const guint value[3])
{
    g_autofree char *stated = dimension_text(text, value);
    gint64 product = 1;
    for (int d = 0; d < 3; d++)
        product *= value[d];
    return ps_symbols_expression(symbols, stated, product);
}

/* Shares of groups that are not known are stated in such parts, rounded up. */
#define PER_MILLE 1000
#define PER_BILLION 1000000000

static double share_executed(const PsSamples *samples)
{
    const guint *grid = samples->options->launch.grid;
    return g_hash_table_size(samples->numbers) / ((double)grid[0] * grid[1] * grid[2]);
}

static gint64 most_alive(const PsSassCode *machine)
{
    g_autofree guint *live = ps_sass_live(machine);
    guint most = 0;
    for (guint i = 0; i < machine->listing->instructions->len; i++)
        most = MAX(most, live[i]);
    return most;
}

static void add_launch(PsIdg *idg, const PsSamples *samples, PsSymbols *symbols,
                       const PsPtxCode *code)
{
    const PsBuildOptions *options = symbols->options;
    const PsPtxLaunch *launch = &options->launch;
    idg->launch.groups = dimension_expr(symbols, options->grid_text, launch->grid);
    idg->launch.group_size = dimension_expr(symbols, options->block_text, launch->block);
    if (options->registers > 0)
        idg->launch.registers = ps_number_expr(options->registers);
    if (options->registers > 0 && options->machine)
        idg->launch.alive = ps_number_expr(most_alive(options->machine));
    if (options->accumulators > 0)
        idg->launch.accumulators = ps_number_expr(options->accumulators);
    if (options->scalar_registers > 0)
        idg->launch.scalar_registers = ps_number_expr(options->scalar_registers);
    ps_rational_make((gint64)ceil(PER_MILLE * samples->sure.error), PER_MILLE,
                     &idg->launch.work_error);
    ps_rational_make((gint64)ceil(PER_MILLE * samples->sure.unseen), PER_MILLE,
                     &idg->launch.unseen);
    ps_rational_make((gint64)ceil(PER_MILLE * samples->sure.hidden), PER_MILLE,
                     &idg->launch.hidden);
    if (samples->sure.error > 0 || samples->sure.unseen > 0 || samples->sure.hidden > 0)
        ps_rational_make((gint64)ceil(PER_BILLION * share_executed(samples)), PER_BILLION,
                         &idg->launch.executed);
    const guint64 local = ps_samples_local_memory(options, code);
    if (local > 0)
        idg->launch.local_memory = ps_number_expr((gint64)local);
    const guint columns = ps_ptx_machine_columns(samples->machine);
    if (columns > 0)
        idg->launch.tensor_memory = ps_number_expr(columns);
}

/* ---- codes ---------------------------------------------------------------------------------- */

static void add_ranges(PsIdgCode *code, const GArray *warps)
{
    for (guint i = 0; i < warps->len;) {
        const guint first = g_array_index(warps, guint, i);
        guint last = first;
        while (++i < warps->len && g_array_index(warps, guint, i) == last + 1)
            last++;
        ps_idg_add_warps(code, ps_number_expr(first), last > first ? ps_number_expr(last) : NULL);
    }
}

/* Adds the folders of the source files that the module names. */
static void add_paths(PsIdg *idg, const PsPtxModule *module)
{
    GHashTableIter iter;
    gpointer file, known;
    idg->stated_paths = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    g_hash_table_iter_init(&iter, module->files);
    while (g_hash_table_iter_next(&iter, NULL, &file)) {
        char *name = ps_valid_text(ps_plain_file(file));
        const gboolean other =
            g_hash_table_lookup_extended(idg->stated_paths, name, NULL, &known) &&
            g_strcmp0(known, file) != 0;
        g_hash_table_replace(idg->stated_paths, name, other ? NULL : g_strdup(file));
    }
}

/* Adds the codes of a group. Warps without any node have none, but a graph needs at least one
 * code. */
static void add_codes(PsIdg *idg, const PsRoles *roles, PsSymbols *symbols,
                      const PsSourceText *text)
{
    const guint before = idg->codes->len;
    for (guint i = 0; i < roles->list->len; i++) {
        const PsWarpRole *role = roles->list->pdata[i];
        PsIdgCode *code = ps_idg_add_code(idg);
        code->name = g_strdup(role->name);
        if (roles->list->len > 1)
            add_ranges(code, role->warps);
        ps_role_emit(roles, i, symbols, text, code->body);
    }
    if (roles->list->len == 0) /* a kernel without instructions */
        ps_idg_add_code(idg);
    for (guint i = idg->codes->len; i-- > before;) {
        PsIdgCode *code = idg->codes->pdata[i];
        if (code->body->len == 0 && idg->codes->len > before + 1)
            g_ptr_array_remove_index(idg->codes, i);
        else if (code->body->len == 0)
            ps_idg_add_node(code->body, "end", "branch");
    }
}

static void add_kinds(PsIdg *idg, const PsSamples *samples, const PsLayout *layout,
                      PsSymbols *symbols)
{
    g_autoptr(PsSourceText) text = ps_source_text_new(samples->options);
    idg->file = ps_valid_text(text->name);
    idg->digest = g_strdup(text->digest);
    add_paths(idg, samples->options->module);
    for (guint k = 0; k < samples->chosen->len; k++) {
        const PsKind *kind = &g_array_index(samples->chosen, PsKind, k);
        const guint *at = kind->group->group;
        g_autofree char *name = g_strdup_printf("group_%u_%u_%u", at[0], at[1], at[2]);
        if (samples->chosen->len > 1)
            ps_idg_add_kind(idg, name, ps_number_expr(kind->parts));
        const PsRoles *roles = ps_layout_roles(layout, kind->group);
        symbols->fixed = !roles->regular;
        add_codes(idg, roles, symbols, text);
    }
}

/* If all groups were executed, their operations are counted, and the graph has as many. */
static void fit_counts(const PsSamples *samples, const PsLayout *layout)
{
    const guint *block = samples->options->launch.block;
    const guint64 all = ps_samples_groups(samples);
    g_autoptr(GPtrArray) kinds = g_ptr_array_new();
    g_autofree double *groups = g_new(double, samples->chosen->len);
    double parts = 0;
    if (g_hash_table_size(samples->numbers) < all)
        return;
    for (guint k = 0; k < samples->chosen->len; k++)
        parts += (double)g_array_index(samples->chosen, PsKind, k).parts;
    for (guint k = 0; k < samples->chosen->len; k++) {
        const PsKind *kind = &g_array_index(samples->chosen, PsKind, k);
        groups[k] = (double)all * (double)kind->parts / parts;
        g_ptr_array_add(kinds, (gpointer)ps_layout_roles(layout, kind->group));
    }
    ps_roles_fit_counts(kinds, groups, block[0] * block[1] * block[2], samples->tally->all);
}

static PsIdg *make_idg(const PsSamples *samples, const PsLayout *layout)
{
    const PsBuildOptions *options = samples->options;
    g_autoptr(PsSymbols) symbols = ps_symbols_new(options);
    g_autofree char *plain = ps_ptx_plain_name(options->launch.kernel->name);
    PsIdg *idg = ps_idg_new(options->name ? options->name : plain);
    symbols->facts = layout->facts;
    add_provenance(idg, samples);
    add_launch(idg, samples, symbols, layout->facts->code);
    fit_counts(samples, layout);
    add_kinds(idg, samples, layout, symbols);
    ps_symbols_add_params(symbols, idg);
    return idg;
}

/* ---- all ------------------------------------------------------------------------------------ */

static void add_warnings(PsBuild *build, const GPtrArray *texts)
{
    for (guint i = 0; texts && i < texts->len; i++)
        g_ptr_array_add(build->warnings, g_strdup(texts->pdata[i]));
}

/* Warns of what the graph leaves out. */
static void tell_skipped(PsBuild *build, const PsSamples *samples)
{
    g_autofree char *skipped = ps_build_skipped(samples);
    if (!skipped)
        return;
    g_ptr_array_add(build->warnings, g_strdup_printf("partial answer, %s", skipped));
    add_source(build->idg, g_strdup_printf(PS_IDG_PARTIAL "%s.", skipped));
}

static gboolean build_all(PsBuild *build, const PsSamples *samples, PsLayout *before,
                          PsLayout *after, GError **error)
{
    static const gboolean none[PS_BUILD_N_RULES] = {FALSE};
    const PsBuildOptions *options = samples->options;
    if (!ps_layout_init(before, samples, none, error) ||
        !ps_layout_init(after, samples, options->machine ? none : options->rules, error) ||
        !ps_build_check_queues(samples, after->facts, error) ||
        !ps_build_check_retries(samples, after, error) ||
        !ps_build_check_sleeps(samples, after->facts, error))
        return FALSE;
    ps_roll_unroll(samples->roll, after->facts->unrolled);
    build->idg = make_idg(samples, after);
    build->mix = ps_mix_new(samples, before, after);
    build->stalls = ps_build_stalls(after->facts);
    build->warnings = g_ptr_array_new_with_free_func(g_free);
    add_warnings(build, ps_ptx_machine_warnings(samples->machine));
    ps_build_warn(samples, after, build->warnings);
    const PsHitRates rates = ps_roll_rates(samples->roll);
    build->rates = (PsBuildRates){rates.l1, rates.l1_hits, rates.l2, rates.l2_hits};
    ps_ptx_machine_counts(samples->machine, &build->warp_instructions, &build->thread_instructions);
    build->groups = g_hash_table_size(samples->numbers);
    build->static_local = options->machine ? 0 : after->facts->code->shared_bytes;
    tell_skipped(build, samples);
    return TRUE;
}

/* Adds to an error what was executed differently than on the device, since that may be its
 * cause. */
static void explain(const PsSamples *samples, GError **error)
{
    const GPtrArray *texts = samples->machine ? ps_ptx_machine_warnings(samples->machine) : NULL;
    for (guint i = 0; texts && error && *error && i < texts->len; i++) {
        g_autoptr(GError) first = g_steal_pointer(error);
        g_set_error(error, first->domain, first->code, "%s; %s %s", first->message,
                    i ? "and" : "before that,", (const char *)texts->pdata[i]);
    }
}

PsBuild *ps_build(const PsBuildOptions *options, GError **error)
{
    g_autoptr(PsBuild) build = g_new0(PsBuild, 1);
    PsSamples samples;
    PsLayout before = {0}, after = {0};
    const gint64 start = g_get_monotonic_time();
    gboolean good = ps_samples_run(&samples, options, error);
    if (!good)
        explain(&samples, error);
    build->seconds = (double)(g_get_monotonic_time() - start) / G_USEC_PER_SEC;
    good = good && build_all(build, &samples, &before, &after, error);
    ps_layout_clear(&before);
    ps_layout_clear(&after);
    ps_samples_clear(&samples);
    return good ? g_steal_pointer(&build) : NULL;
}

char *ps_build_write(const PsBuild *build, GError **error)
{
    g_autofree char *text = ps_idg_write(build->idg);
    const gsize length = strlen(text);
    if (ps_xml_fits(text, length))
        return g_steal_pointer(&text);
    g_set_error(
        error, PS_ERROR, PS_ERROR_LIMIT,
        "the graph of kernel \"%.60s\" would be a file of %.0f MiB, too long to be read again; "
        "what reads graphs takes the kernel's code itself, too",
        build->idg->name, (double)length / (1024 * 1024));
    return NULL;
}

void ps_build_free(PsBuild *build)
{
    if (!build)
        return;
    ps_idg_free(build->idg);
    g_clear_pointer(&build->mix, g_ptr_array_unref);
    g_clear_pointer(&build->stalls, g_ptr_array_unref);
    g_clear_pointer(&build->warnings, g_ptr_array_unref);
    g_free(build);
}
