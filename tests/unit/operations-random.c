/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random kernels, as PTX and as the machine code that ptxas made of them: results are the same, and
 * graphs of both state the operations by type that the executor did. Where compilers change nothing
 * but what is named here, both did the same: on floats in what tests/sass/straight.pl makes, on all
 * types in what tests/sass/integers.pl makes.
 *
 *     OPERATIONS_FOLDER=FOLDER PROGRAM
 *                                   of all NAME.ptx there, with NAME.cubin and what nvdisasm lists
 * of it, NAME.json (tests/random-operations.t)
 *
 * Without a folder there is nothing to look at: no machine needs ptxas.
 */
#include "idg/program.h"
#include "lift/build.h"
#include "ptx/run/run.h"
#include "tests/help/corpus.h"
#include "tests/help/operations.h"
#include "tests/help/sass.h"

#include <string.h>

static const guint first_group[3] = {0, 0, 0};

/* Kernels of `straight` read beyond their group's part of the input. */
static const CorpusLaunch random_launch = {
    .name = "random",
    .grid = {3, 1, 1},
    .block = {64, 1, 1},
    .arguments = {CORPUS_BUFFER("out", CORPUS_U64, 3 * 64 * 24, NULL),
                  CORPUS_BUFFER("in", CORPUS_U64, 4 * 64, corpus_fill_words)}};

/* ---- what the assembler changes ------------------------------------------------------------- */

/* Capabilities; the workstations' Blackwell has instructions of 64 bits. */
#define ON_ALL 0, G_MAXINT
#define BEFORE_BLACKWELL 0, 119
#define ON_BLACKWELL 120, G_MAXINT

/* Instructions of PTX in whose place others stand: how many operations of that type a lane does
 * more, where numbers are ordinary, and on which capabilities, if not on all. */
static const struct {
    const char *mnemonic;
    OperationType type;
    gint64 more;
    int first, last; /* capabilities */
    const char *why;
} sequences[] = {
    {"div.rn.f32", OF_FP32, 10, ON_ALL, "a reciprocal and five multiply-adds"},
    {"rcp.rn.f32", OF_FP32, 4, ON_ALL, "a reciprocal and two multiply-adds"},
    {"sqrt.rn.f32", OF_FP32, 6, ON_ALL, "a reciprocal root, two products, two multiply-adds"},
    {"div.rn.f64", OF_FP64, 15, ON_ALL, "a reciprocal, seven multiply-adds, a product"},
    {"sqrt.rn.f64", OF_FP64, 13, ON_ALL, "a reciprocal root, five multiply-adds, three products"},
    {"sin.approx.ftz.f32", OF_FP32, 1, ON_ALL, "a product makes turns of the angle"},
    {"cos.approx.ftz.f32", OF_FP32, 1, ON_ALL, "a product makes turns of the angle"},
    {"clz.b32", OF_INT, 1, ON_ALL, "the first bit's place, and a difference"},
    {"bfe.u32", OF_INT, 1, ON_ALL, "a shift and a mask"},
    {"bfe.s32", OF_INT, 1, ON_ALL, "a shift and the sign's bits"},
    {"bfi.b32", OF_INT, 1, ON_ALL, "a shift and a choice of bits"},
    {"sad.u32", OF_INT, 3, ON_BLACKWELL, "the larger less the smaller, and a sum"},
    {"sad.s32", OF_INT, 3, ON_BLACKWELL, "the larger less the smaller, and a sum"},
    {"mad.wide.u32", OF_INT, 1, BEFORE_BLACKWELL, "halves"},
    {"mad.wide.s32", OF_INT, 1, BEFORE_BLACKWELL, "halves"},
    {"add.s64", OF_INT, 1, BEFORE_BLACKWELL, "halves"},
    {"sub.s64", OF_INT, 1, BEFORE_BLACKWELL, "halves"},
    {"and.b64", OF_INT, 1, ON_ALL, "halves"},
    {"or.b64", OF_INT, 1, ON_ALL, "halves"},
    {"xor.b64", OF_INT, 1, ON_ALL, "halves"},
    {"not.b64", OF_INT, 1, ON_ALL, "halves"},
    {"brev.b64", OF_INT, 1, ON_ALL, "halves"},
    {"neg.s64", OF_INT, 1, ON_ALL, "halves"},
    {"abs.s64", OF_INT, 1, ON_ALL, "halves"},
    {"mul.lo.s64", OF_INT, 4, ON_ALL, "products of halves, and sums"},
    {"mul.hi.u64", OF_INT, 7, ON_ALL, "products of halves, and sums"},
    {"mad.lo.s64", OF_INT, 4, ON_ALL, "products of halves, and sums"},
    {"min.s64", OF_INT, -1, BEFORE_BLACKWELL, "comparisons of halves, and choices"},
    {"max.u64", OF_INT, -1, BEFORE_BLACKWELL, "comparisons of halves, and choices"},
    {"shl.b64", OF_INT, 1, ON_ALL, "halves"},
    {"shr.u64", OF_INT, 1, ON_ALL, "halves"},
    {"shr.s64", OF_INT, 1, ON_ALL, "halves"},
    {"popc.b64", OF_INT, 2, ON_ALL, "halves, and a sum"},
    {"clz.b64", OF_INT, 2, ON_ALL, "halves, and a choice of a sum"},
};

/* What the assembler computes twice rather than keep it in a register, across a call above all: an
 * instruction with the opcode and the values that one before it had, or a product of halves as a
 * multiply-add of the other pipeline. Marks them. */
typedef struct {
    guint numbers[PS_SASS_N_REGISTERS], last;
    GHashTable *done; /* text of an instruction with its values -> something */
} Values;

static char *text_with_values(const Values *values, const PsSassInstruction *instruction,
                              const PsSassUse *use)
{
    const char *operands = instruction->operands ? instruction->operands : "";
    const char *sources = strchr(operands, ',');
    GString *text = g_string_new(instruction->opcode);
    const char *alone = strstr(instruction->opcode, "HFMA2") ? strstr(operands, ",-RZ") : NULL;
    g_string_replace(text, ".MMA", "", 1);
    if (alone && alone[strlen(",-RZ")] == '\0')
        g_string_replace(text, "HFMA2", "HMUL2", 1);
    for (const char *c = sources ? sources : ""; *c && c != alone; c++) {
        if (c[0] == 'R' && g_ascii_isdigit(c[1])) {
            char *end = NULL;
            const guint64 at = g_ascii_strtoull(c + 1, &end, 10);
            g_string_append_printf(text, "#%u", values->numbers[PS_SASS_FIRST_REGISTER + at]);
            c = end - 1;
        } else if (g_str_has_prefix(c, ".reuse")) {
            c += strlen(".reuse") - 1;
        } else {
            g_string_append_c(text, *c);
        }
    }
    for (guint i = 0; i < use->n_from; i++)
        if (use->from[i] >= PS_SASS_FIRST_UNIFORM)
            g_string_append_printf(text, " %u", values->numbers[use->from[i]]);
    return g_string_free(text, FALSE);
}

static GArray *computed_twice(const PsSassCode *code)
{
    Values values = {.done = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL)};
    GArray *twice = g_array_new(FALSE, TRUE, sizeof(gboolean));
    for (guint i = 0; i < code->uses->len; i++) {
        const PsSassUse *use = &g_array_index(code->uses, PsSassUse, i);
        char *text = text_with_values(
            &values, &g_array_index(code->listing->instructions, PsSassInstruction, i), use);
        const guint before = GPOINTER_TO_UINT(g_hash_table_lookup(values.done, text));
        const gboolean known = before > 0 && use->ops > 0;
        const guint number = known ? before : values.last + 1;
        values.last += known ? 0 : MAX(use->n_to, 1);
        for (guint k = 0; k < use->n_to; k++)
            values.numbers[use->to[k]] = number + k;
        g_hash_table_insert(values.done, text, GUINT_TO_POINTER(number));
        g_array_append_val(twice, known);
    }
    g_hash_table_destroy(values.done);
    return twice;
}

/* ---- executed ------------------------------------------------------------------------------- */

/* Operations of the first group: those of lanes, those of lanes that compilers add, and those of
 * warps. Of an instruction with a guard, graphs count what a warp passes or what it does (and then
 * say for which lanes); of a reciprocal that may begin a division of whole numbers, one or none. */
typedef struct {
    const PsPtxFunction *kernel;
    const PsPtxCode *code;     /* while it runs */
    const PsSassCode *machine; /* or NULL: PTX */
    int capability;            /* that the machine code is for */
    GArray *twice;             /* of machine code: of each instruction, whether one has its value */
    gint64 lanes[N_OPERATION_TYPES], more[N_OPERATION_TYPES];
    guint64 least[N_OPERATION_TYPES], most[N_OPERATION_TYPES];
    gpointer *buffers;
} Executed;

static gboolean writes(const PsSassUse *use, guint reg)
{
    for (guint i = 0; i < use->n_to; i++)
        if (use->to[i] == reg)
            return TRUE;
    return FALSE;
}

/* Whether a reciprocal may be of a whole number, rounded up above it: it begins a division of such,
 * and graphs count nothing of singles there. */
static gboolean is_of_integer(const PsSassCode *code, guint at)
{
    const PsSassInstruction *all =
        &g_array_index(code->listing->instructions, PsSassInstruction, 0);
    const PsSassUse *uses = &g_array_index(code->uses, PsSassUse, 0);
    if (strcmp(all[at].opcode, "MUFU.RCP") != 0)
        return FALSE;
    for (guint i = at; i-- > 0;)
        for (guint k = 0; k < uses[at].n_from; k++)
            if (uses[at].from[k] < PS_SASS_FIRST_UNIFORM && writes(&uses[i], uses[at].from[k]) &&
                strstr(all[i].opcode, "I2F") && strstr(all[i].opcode, ".RP"))
                return TRUE;
    return FALSE;
}

static void add_machine(const Executed *all, guint at, guint64 *counts, gint64 *more)
{
    const PsSassUse *use = &g_array_index(all->machine->uses, PsSassUse, at);
    for (guint t = 0; t < N_OPERATION_TYPES; t++)
        if (g_strcmp0(use->type, operation_names[t]) == 0) {
            counts[t] += use->ops;
            more[t] += g_array_index(all->twice, gboolean, at) ? use->ops : 0;
        }
}

/* The machine instruction that a part of the PTX stands for, or G_MAXUINT. */
static guint machine_at(const Executed *all, const PsPtxInstruction *instruction)
{
    const PsPtxInstruction *first = &g_array_index(all->kernel->instructions, PsPtxInstruction, 0);
    const PsSassOrigin *origin =
        &g_array_index(all->machine->origins, PsSassOrigin, (gsize)(instruction - first));
    return origin->stands ? origin->machine : G_MAXUINT;
}

static void add_ptx(const PsPtxInstruction *instruction, int capability, guint64 *counts,
                    gint64 *more)
{
    operations_add(instruction, counts);
    for (guint i = 0; i < G_N_ELEMENTS(sequences); i++)
        if (strcmp(instruction->mnemonic->text, sequences[i].mnemonic) == 0 &&
            capability >= sequences[i].first && capability <= sequences[i].last)
            more[sequences[i].type] += sequences[i].more;
}

static void executed(gpointer data, const PsPtxEvent *event)
{
    Executed *all = data;
    const PsPtxInstruction *instruction = all->code->points[event->point].instruction;
    const gint64 lanes = __builtin_popcount(event->mask);
    guint64 counts[N_OPERATION_TYPES] = {0};
    gint64 more[N_OPERATION_TYPES] = {0};
    const guint at = all->machine ? machine_at(all, instruction) : G_MAXUINT;
    const gboolean of_integer = at != G_MAXUINT && is_of_integer(all->machine, at);
    if (at != G_MAXUINT)
        add_machine(all, at, counts, more);
    else if (!all->machine)
        add_ptx(instruction, all->capability, counts, more);
    for (guint t = 0; t < N_OPERATION_TYPES; t++) {
        all->lanes[t] += (gint64)counts[t] * lanes;
        all->more[t] += more[t] * lanes;
        all->most[t] += counts[t];
        all->least[t] += lanes > 0 && !of_integer ? counts[t] : 0;
    }
}

static PsPtxLaunch launch_of(const PsPtxFunction *kernel, gpointer *buffers,
                             PsPtxArgument *arguments)
{
    PsPtxLaunch launch = {.kernel = kernel,
                          .n_arguments = corpus_fill_arguments(&random_launch, buffers, arguments),
                          .arguments = arguments};
    memcpy(launch.grid, random_launch.grid, sizeof launch.grid);
    memcpy(launch.block, random_launch.block, sizeof launch.block);
    return launch;
}

/* All groups run; the first one is counted. */
static gboolean execute(const PsPtxModule *module, const char *name, Executed *all, GError **error)
{
    PsPtxArgument arguments[CORPUS_MOST_ARGUMENTS];
    all->buffers = corpus_buffers_new(&random_launch);
    all->kernel = ps_ptx_kernel(module, name, error);
    g_assert_nonnull(all->kernel);
    const PsPtxLaunch launch = launch_of(all->kernel, all->buffers, arguments);
    PsPtxMachine *machine = ps_ptx_machine_new(module, &launch, error);
    const PsPtxListener listener = {.data = all, .executed = executed}, none = {0};
    gboolean ok = machine != NULL;
    if (!ok)
        return FALSE;
    all->code = ps_ptx_machine_code(machine);
    for (guint g = 0; ok && g < random_launch.grid[0]; g++) {
        const guint group[3] = {g, 0, 0};
        ok = ps_ptx_run_group(machine, group, g == 0 ? &listener : &none, error);
    }
    ps_ptx_machine_free(machine);
    return ok;
}

/* ---- stated --------------------------------------------------------------------------------- */

static void check_graph(const PsPtxModule *module, const Executed *all)
{
    PsPtxArgument arguments[CORPUS_MOST_ARGUMENTS];
    PsBuildOptions options;
    g_autoptr(GError) error = NULL;
    guint64 stated[N_OPERATION_TYPES] = {0};
    gpointer *buffers = corpus_buffers_new(&random_launch);
    ps_build_options_init(&options);
    options.module = module;
    options.machine = all->machine;
    options.launch = launch_of(all->kernel, buffers, arguments);
    options.n_samples = 1;
    options.samples = &first_group;
    for (guint i = 0; i < PS_BUILD_N_RULES; i++)
        options.rules[i] = FALSE;
    PsBuild *built = ps_build(&options, &error);
    g_assert_no_error(error);
    g_autoptr(PsKernel) kernel = ps_kernel_new(built->idg, NULL, &error);
    g_assert_no_error(error);
    operations_of_graph(kernel, random_launch.block[0] / 32, stated);
    for (guint t = 0; t < N_OPERATION_TYPES; t++) {
        if (stated[t] >= all->least[t] && stated[t] <= all->most[t])
            continue;
        g_test_message("%s, %s: %u of %s stated, %u to %u done", all->kernel->name,
                       all->machine ? "machine code" : "PTX", (guint)stated[t], operation_names[t],
                       (guint)all->least[t], (guint)all->most[t]);
        g_test_fail();
    }
    ps_build_free(built);
    corpus_buffers_free(buffers);
}

/* ---- compared ------------------------------------------------------------------------------- */

static gboolean is_named(const PsPtxFunction *kernel, const char *prefix)
{
    return g_str_has_prefix(kernel->name, prefix);
}

static void compare(const Executed *ptx, const Executed *machine)
{
    const gsize size = corpus_buffer_size(&random_launch.arguments[0]);
    if (!is_named(ptx->kernel, "fused") &&
        memcmp(ptx->buffers[0], machine->buffers[0], size) != 0) {
        g_test_message("%s: results differ", ptx->kernel->name);
        g_test_fail();
    }
    const guint n_types = is_named(ptx->kernel, "integers") ? N_OPERATION_TYPES : OF_INT;
    for (guint t = 0; t < n_types && !is_named(ptx->kernel, "random"); t++) {
        const gint64 wanted = ptx->lanes[t] + ptx->more[t];
        if (machine->lanes[t] == wanted || machine->lanes[t] == wanted + machine->more[t])
            continue;
        g_test_message("%s: %d of %s, not %d, with %d that are computed twice", ptx->kernel->name,
                       (int)machine->lanes[t], operation_names[t], (int)wanted,
                       (int)machine->more[t]);
        g_test_fail();
    }
}

static void check_kernel(const PsPtxModule *module, const char *name, const PsSassCode *code)
{
    g_autoptr(GError) error = NULL;
    Executed of_ptx = {.capability = code->capability},
             of_machine = {.machine = code, .twice = computed_twice(code)};
    g_test_message("%s", name);
    if (execute(module, name, &of_ptx, &error) &&
        execute(code->module, name, &of_machine, &error)) {
        compare(&of_ptx, &of_machine);
        check_graph(module, &of_ptx);
        check_graph(code->module, &of_machine);
    }
    g_assert_no_error(error);
    g_clear_pointer(&of_ptx.buffers, corpus_buffers_free);
    g_clear_pointer(&of_machine.buffers, corpus_buffers_free);
    g_array_unref(of_machine.twice);
}

static GBytes *bytes_of(const char *base, const char *ending)
{
    g_autofree char *path = g_strconcat(base, ending, NULL);
    g_autoptr(GError) error = NULL;
    char *data = NULL;
    gsize size = 0;
    g_file_get_contents(path, &data, &size, &error);
    g_assert_no_error(error);
    return g_bytes_new_take(data, size);
}

static void test_file(gconstpointer data)
{
    g_autofree char *ptx = g_strconcat(data, ".ptx", NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(PsPtxModule) module = ps_ptx_load(ptx, &error);
    g_assert_no_error(error);
    g_autoptr(GBytes) cubin = bytes_of(data, ".cubin"), json = bytes_of(data, ".json");
    for (guint i = 0; i < module->functions->len; i++) {
        const PsPtxFunction *function = module->functions->pdata[i];
        PsSassImage *image = NULL;
        PsSassCode *code = sass_read(cubin, json, function->name, &image, &error);
        g_assert_no_error(error);
        check_kernel(module, function->name, code);
        ps_sass_code_free(code);
        ps_sass_image_free(image);
    }
}

static void test_none(void)
{
    g_test_skip("OPERATIONS_FOLDER names no folder");
}

int main(int argc, char **argv)
{
    const char *folder = g_getenv("OPERATIONS_FOLDER"), *file;
    g_autoptr(GDir) files = folder ? g_dir_open(folder, 0, NULL) : NULL;
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    if (!files)
        g_test_add_func("/operations-random", test_none);
    while (files && (file = g_dir_read_name(files))) {
        if (!g_str_has_suffix(file, ".ptx"))
            continue;
        g_autofree char *path = g_strconcat("/operations-random/", file, NULL);
        char *base = g_strdup_printf("%s/%.*s", folder, (int)(strlen(file) - strlen(".ptx")), file);
        g_test_add_data_func_full(path, base, test_file, g_free);
    }
    return g_test_run();
}
