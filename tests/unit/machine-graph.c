/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Graphs of machine code: the compiler's stall counts become holds, its scoreboards dependences.
 * Where no kernel that is at hand has something, its control bits are changed.
 */
#include "answer/stalls.h"
#include "lift/build.h"
#include "tests/help/corpus.h"
#include "tests/help/sass.h"

#include <string.h>

typedef struct {
    const CorpusLaunch *launch;
    gpointer *buffers;
    PsSassImage *image;
    PsSassCode *code;
    PsBuild *build;
    char *text; /* of the graph */
} Machine;

static Machine machine_of(const CorpusLaunch *launch, const char *file)
{
    Machine machine = {.launch = launch};
    machine.buffers = corpus_buffers_new(machine.launch);
    machine.code = sass_code(file, NULL, &machine.image);
    return machine;
}

static Machine machine_begin(const char *launch, const char *file)
{
    const CorpusLaunch *found = NULL;
    for (guint n = 0; (found = corpus_launch(n)); n++)
        if (strcmp(found->name, launch) == 0)
            break;
    return machine_of(found, file);
}

static void machine_build(Machine *machine)
{
    const CorpusLaunch *launch = machine->launch;
    PsPtxArgument arguments[CORPUS_MOST_ARGUMENTS];
    PsBuildOptions options;
    g_autoptr(GError) error = NULL;
    ps_build_options_init(&options);
    options.module = machine->code->module;
    options.machine = machine->code;
    options.launch =
        (PsPtxLaunch){.kernel = ps_ptx_kernel(machine->code->module, launch->kernel, &error),
                      .dynamic_shared = launch->dynamic_shared,
                      .n_arguments = corpus_fill_arguments(launch, machine->buffers, arguments),
                      .arguments = arguments};
    memcpy(options.launch.grid, launch->grid, sizeof launch->grid);
    memcpy(options.launch.block, launch->block, sizeof launch->block);
    machine->build = ps_build(&options, &error);
    g_assert_no_error(error);
    machine->text = ps_idg_write(machine->build->idg);
}

static void machine_clear(Machine *machine)
{
    ps_build_free(machine->build);
    ps_sass_code_free(machine->code);
    ps_sass_image_free(machine->image);
    corpus_buffers_free(machine->buffers);
    g_free(machine->text);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Machine, machine_clear)

static PsSassControl *control_at(const Machine *machine, guint offset)
{
    return &g_array_index(machine->code->listing->instructions, PsSassInstruction,
                          offset / PS_SASS_BYTES)
                .control;
}

/* No scoreboards at all. */
static void release_all(const Machine *machine)
{
    for (guint i = 0; i < machine->code->listing->instructions->len; i++) {
        PsSassControl *control = control_at(machine, i * PS_SASS_BYTES);
        control->wait = 0;
        control->write = control->read = PS_SASS_NO_BARRIER;
    }
}

static void assert_has(const Machine *machine, const char *text)
{
    if (!strstr(machine->text, text))
        g_test_message("%s", machine->text);
    g_assert_nonnull(strstr(machine->text, text));
}

/* The loop stays one. Its products wait for the loads whose scoreboards they name, not for each
 * other; stores to shared memory for the loads of global memory; nothing for addresses. A stall
 * count of 1 is what each instruction takes. */
static void test_product(void)
{
    g_auto(Machine) machine = machine_begin("mmul16", "mmul16-80");
    machine_build(&machine);
    assert_has(&machine, "<loop times=\"2\">\n      <node name=\"R29\" class=\"global.load\" "
                         "hold=\"4\" reads=\"R12_2\" bytes");
    assert_has(&machine, "<node name=\"R16_2\" class=\"iadd\" hold=\"4\" reads=\"R16_2\" "
                         "banks=\"1 0\" ops");
    assert_has(&machine, "<node name=\"P0_2\" class=\"iadd.setp\" reads=\"R16_2\" banks=\"1 0\"/>");
    assert_has(&machine,
               "<node name=\"store\" class=\"local.store\" after=\"R29\" hold=\"4\" bytes");
    assert_has(&machine, "<node name=\"barrier\" class=\"barrier\" hold=\"6\"/>");
    assert_has(&machine, "<node name=\"R4_5\" class=\"fmadd\" after=\"R20 R25_2\" hold=\"2\" "
                         "reads=\"R4_3 R4_4\" banks=\"2 1\" ops");
    assert_has(&machine, "<node name=\"R4_6\" class=\"fmadd\" hold=\"2\" "
                         "reads=\"R4_3 R25_2 R4_5\" banks=\"2 1\" ops");
    assert_has(&machine, "<node name=\"store_3\" class=\"global.store\" bytes");
}

/* The load of the loop's end, at 0x400, is waited for at its beginning, by the addition at 0x1c0:
 * in the next iteration, that is. The last iteration's is waited for behind the loop. */
static void test_next_iteration(void)
{
    g_auto(Machine) machine = machine_begin("mmul16", "mmul16-80");
    release_all(&machine);
    control_at(&machine, 0x400)->write = 3;
    control_at(&machine, 0x1c0)->wait = control_at(&machine, 0x4a0)->wait = 1 << 3;
    machine_build(&machine);
    assert_has(&machine,
               "<node name=\"R16_2\" class=\"iadd\" after=\"R8_6\" hold=\"4\" reads=\"R16_2\" "
               "banks=\"1 0\" ops");
    assert_has(&machine, "<node name=\"store_3\" class=\"global.store\" after=\"R8_6\" bytes");
}

/* All of several instructions that hold a scoreboard have to release it; who waits once more finds
 * it released. A read barrier holds nobody: what has issued has read its operands. */
static void test_shared(void)
{
    g_auto(Machine) machine = machine_begin("saxpy", "saxpy-80");
    release_all(&machine);
    control_at(&machine, 0x10)->write = control_at(&machine, 0x20)->write = 5;
    control_at(&machine, 0xa0)->read = 4;
    control_at(&machine, 0x30)->wait = control_at(&machine, 0x40)->wait = 1 << 5;
    control_at(&machine, 0xd0)->wait = 1 << 4;
    machine_build(&machine);
    assert_has(&machine, "<node name=\"R4_2\" class=\"imad\" after=\"R4 R3\" hold=\"5\"");
    const char *first = strstr(machine.text, "after="), *next = strstr(first + 1, "after=");
    g_assert_true(!next || next > strstr(first, "</code>")); /* of the next kind of groups */
}

/* What ends a group of copies and what waits for one are instructions as all others: the wait is
 * for the copies of the group before the last. Then a barrier that names the group's scoreboard
 * waits for the last. */
static void test_copies(void)
{
    g_auto(Machine) machine = machine_begin("gemm-async", "gemm-async-80");
    control_at(&machine, 0x2f0)->wait = 1 << 0;
    machine_build(&machine);
    assert_has(&machine, "<node name=\"commit_2\" class=\"logic.mov\" hold=\"12\"/>");
    assert_has(&machine, "<node name=\"wait\" class=\"logic.mov\" after=\"copy copy_2 copy_3@2 "
                         "copy_4@2\" hold=\"4\"/>");
    assert_has(&machine,
               "<node name=\"barrier\" class=\"barrier\" after=\"copy copy_2 commit copy_3 "
               "copy_4 commit_2\"");
}

/* What ends a group of bulk copies moves nothing itself, either: it is a move by its class, of
 * whose bytes nobody asks which share reaches device memory. */
static void test_bulk_copies(void)
{
    static const CorpusLaunch launch = {
        .name = "bulk",
        .kernel = "bulk",
        .grid = {3, 1, 1},
        .block = {64, 1, 1},
        .arguments = {CORPUS_BUFFER("out", CORPUS_U64, 3 * 64 * 24, NULL),
                      CORPUS_BUFFER("in", CORPUS_U64, 3 * 64, corpus_fill_words)}};
    g_auto(Machine) machine = {.launch = &launch};
    machine.buffers = corpus_buffers_new(&launch);
    machine.code = sass_code("hopper-90", launch.kernel, &machine.image);
    machine_build(&machine);
    assert_has(&machine, "<node name=\"commit\" class=\"logic.mov\"");
}

/* A constant that all threads read into a uniform register is a move by its class: it says of no
 * bytes, so that nothing is wanted for a share of them, and of no pattern. */
static void test_uniform_constants(void)
{
    static const CorpusLaunch launch = {.name = "weighed",
                                        .kernel = "weighed",
                                        .grid = {1, 1, 1},
                                        .block = {32, 1, 1},
                                        .arguments = {CORPUS_BUFFER("out", CORPUS_F32, 32, NULL),
                                                      CORPUS_BUFFER("in", CORPUS_F32, 64, NULL),
                                                      CORPUS_INT("n", 8)}};
    g_auto(Machine) machine = {.launch = &launch};
    machine.buffers = corpus_buffers_new(&launch);
    machine.code = sass_code("outside-75", launch.kernel, &machine.image);
    machine_build(&machine);
    assert_has(&machine, "<node name=\"UR5_2\" class=\"logic.mov\"");
    for (const char *at = machine.text; (at = strstr(at, "class=\"logic.mov")); at++) {
        const char *end = strstr(at, "/>");
        g_assert_true(g_str_has_prefix(at, "class=\"logic.mov\""));
        g_assert_null(g_strstr_len(at, end - at, "bytes="));
    }
}

static const PsBuildStall *stall_of(const Machine *machine, const char *class_name)
{
    const GPtrArray *stalls = machine->build->stalls;
    for (guint i = 0; i < stalls->len; i++)
        if (g_str_equal(((const PsBuildStall *)stalls->pdata[i])->class_name, class_name))
            return stalls->pdata[i];
    return NULL;
}

/* A product reads the one before it after four cycles, its address after five, which is where
 * another pipeline reads it. Loads have scoreboards, but for those that come before one that has,
 * and predicates are none of a description's business. */
static void test_stalls(void)
{
    g_auto(Machine) machine = machine_begin("mmul16", "mmul16-80");
    machine_build(&machine);
    const PsBuildStall *product = stall_of(&machine, "fmadd"),
                       *sum = stall_of(&machine, "iadd.lea");
    g_assert_cmpuint(product->cycles, ==, 4);
    g_assert_true(product->adjacent);
    g_assert_cmpuint(sum->cycles, ==, 5);
    g_assert_cmpuint(sum->writer, ==, 0xb0);
    g_assert_cmpuint(sum->reader, ==, 0xc0);
    g_assert_null(stall_of(&machine, "local.load"));
    g_assert_null(stall_of(&machine, "iadd.setp"));
}

/* One product is read sooner than the others. A stall count of 0 is a cycle, too. */
static void test_closest(void)
{
    g_auto(Machine) machine = machine_begin("mmul16", "mmul16-80");
    control_at(&machine, 0x450)->stall = 3;
    control_at(&machine, 0xb0)->stall = 0;
    machine_build(&machine);
    const PsBuildStall *product = stall_of(&machine, "fmadd"),
                       *sum = stall_of(&machine, "iadd.lea");
    g_assert_cmpuint(product->cycles, ==, 3);
    g_assert_cmpuint(product->writer, ==, 0x450);
    g_assert_cmpuint(product->reader, ==, 0x460);
    g_assert_cmpuint(sum->cycles, ==, 1);
}

/* ---- descriptions ---------------------------------------------------------------------------- */

/* What a description states otherwise than the compiler schedules, and why that stays. */
static const struct {
    guint capability;
    const char *class_name, *why;
} disputed[] = {
    {90, "imad.wide", "the low half is read a cycle before the high half, which the class states"},
    {100, "imad.wide", "likewise"},
    {90, "iadd.lea", "these listings have two pairs, each an address of shared memory"},
    {100, "iadd.lea", "likewise"},
    {120, "iadd.lea", "likewise"},
};

static gboolean is_disputed(guint capability, const char *class_name)
{
    for (guint i = 0; i < G_N_ELEMENTS(disputed); i++)
        if (disputed[i].capability == capability && strcmp(disputed[i].class_name, class_name) == 0)
            return TRUE;
    return FALSE;
}

static void hold_description(const Machine *machine, const PsGpu *gpu, const char *file)
{
    g_autoptr(GArray) disputes = ps_stalls_compare(machine->build->stalls, gpu);
    for (guint i = 0; i < disputes->len; i++) {
        const PsStallDispute *dispute = &g_array_index(disputes, PsStallDispute, i);
        if (is_disputed(gpu->capability, dispute->stall->class_name))
            continue;
        g_autofree char *completion = ps_rational_format(dispute->class->latency.completion);
        g_test_message("%s, %s: %s is read after %u cycles, not %s", gpu->name, file,
                       dispute->stall->class_name, dispute->stall->cycles, completion);
        g_test_fail();
    }
}

/* Descriptions of that compute capability; the caller frees them. */
static GPtrArray *gpus_of(guint capability)
{
    GPtrArray *gpus = g_ptr_array_new_with_free_func((GDestroyNotify)ps_gpu_free);
    g_autoptr(GDir) folder = g_dir_open("gpus", 0, NULL);
    for (const char *name; (name = g_dir_read_name(folder));) {
        g_autofree char *path = g_build_filename("gpus", name, NULL);
        PsGpu *gpu = g_str_has_suffix(name, ".xml") ? ps_gpu_load(path, NULL) : NULL;
        if (gpu && gpu->capability == capability)
            g_ptr_array_add(gpus, gpu);
        else
            ps_gpu_free(gpu);
    }
    return gpus;
}

/* No description has a result later than the compiler reads it, nor much sooner. */
static void test_descriptions(void)
{
    static const char *const launches[][2] = {{"histogram-shared", "histogram"},
                                              {"mmul16", "mmul16"},
                                              {"reduce-shuffle", "reduction"},
                                              {"saxpy", "saxpy"},
                                              {"votes", "votes"}};
    static const guint capabilities[] = {75, 80, 86, 89, 90, 100, 120};
    guint held = 0;
    for (guint c = 0; c < G_N_ELEMENTS(capabilities); c++) {
        g_autoptr(GPtrArray) gpus = gpus_of(capabilities[c]);
        for (guint l = 0; gpus->len && l < G_N_ELEMENTS(launches); l++) {
            g_autofree char *file = g_strdup_printf("%s-%u", launches[l][1], capabilities[c]);
            g_auto(Machine) machine = machine_begin(launches[l][0], file);
            machine_build(&machine);
            held += machine.build->stalls->len * gpus->len;
            for (guint g = 0; g < gpus->len; g++)
                hold_description(&machine, gpus->pdata[g], file);
        }
    }
    g_assert_cmpuint(held, >, 100);
}

/* Straight code says what it reads where a store stands before a load, which might come first;
 * other straight code does not. */
static void test_kept(void)
{
    static const CorpusLaunch launch = {.name = "kept",
                                        .kernel = "kept",
                                        .grid = {1, 1, 1},
                                        .block = {32, 1, 1},
                                        .arguments = {CORPUS_BUFFER("out", CORPUS_F32, 64, NULL),
                                                      CORPUS_BUFFER("in", CORPUS_F32, 64, NULL)}};
    g_auto(Machine) kept = machine_of(&launch, "kept-75");
    machine_build(&kept);
    assert_has(&kept, "<node name=\"store\" class=\"global.store\" hold=\"4\" reads=\"R2_2 R7\" b");
    assert_has(&kept, "<node name=\"R0_2\" class=\"global.load\" hold=\"2\" reads=\"R4\" bytes");
    g_auto(Machine) product = machine_begin("mmul16", "mmul16-80");
    machine_build(&product);
    const char *loop = strstr(product.text, "<loop");
    const char *first = strstr(product.text, " reads=");
    g_assert_true(first > loop);
}

/* What is built of a loop of 16.2 KiB warns of code that is more than a scheduler keeps. */
static gboolean warns_of_code(int capability)
{
    static const CorpusLaunch launch = {
        .name = "unrolled",
        .kernel = "unrolled",
        .grid = {1, 1, 1},
        .block = {32, 1, 1},
        .arguments = {CORPUS_BUFFER("out", CORPUS_F32, 1, NULL), CORPUS_FLOAT("x", 1)}};
    g_auto(Machine) machine = machine_of(&launch, "unrolled-75");
    machine.code->capability = capability;
    machine_build(&machine);
    const GPtrArray *warnings = machine.build->warnings;
    for (guint i = 0; i < warnings->len; i++)
        if (strstr(warnings->pdata[i], "16 KiB of machine code are executed"))
            return TRUE;
    return FALSE;
}

static void test_code_kept(void)
{
    gboolean measured;
    g_assert_true(warns_of_code(75));
    g_assert_false(warns_of_code(80));
    g_assert_cmpuint(ps_sass_code_cache(80, &measured), ==, 32768);
    g_assert_true(measured);
    g_assert_cmpuint(ps_sass_code_cache(89, &measured), ==, 16384);
    g_assert_false(measured);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/machine-graph/product", test_product);
    g_test_add_func("/machine-graph/next-iteration", test_next_iteration);
    g_test_add_func("/machine-graph/shared", test_shared);
    g_test_add_func("/machine-graph/descriptions", test_descriptions);
    g_test_add_func("/machine-graph/copies", test_copies);
    g_test_add_func("/machine-graph/bulk-copies", test_bulk_copies);
    g_test_add_func("/machine-graph/uniform-constants", test_uniform_constants);
    g_test_add_func("/machine-graph/stalls", test_stalls);
    g_test_add_func("/machine-graph/closest", test_closest);
    g_test_add_func("/machine-graph/kept", test_kept);
    g_test_add_func("/machine-graph/code-kept", test_code_kept);
    return g_test_run();
}
