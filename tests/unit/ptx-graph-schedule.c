/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The order of an assembler around products of matrices and barriers (lift/rules/schedule.c), and
 * the registers that it counts for that.
 */
#include "tests/help/graph-text.h"

#include <string.h>

/* How an assembler is told to order. */
typedef struct {
    PsBuildApart apart;
    gint64 registers; /* 0: not known */
    GString *lines;   /* what comes of it */
} Ordering;

static void order(const PsBuildOptions *options, gpointer data)
{
    g_autoptr(GError) error = NULL;
    Ordering *ordering = data;
    PsBuildOptions with = *options;
    with.apart = ordering->apart;
    with.registers = ordering->registers;
    g_autoptr(PsBuild) build = ps_build(&with, &error);
    g_assert_no_error(error);
    if (!build)
        return;
    g_autofree char *lines = graph_lines(build->idg);
    g_string_append(ordering->lines, lines);
}

/* The names of the nodes in their order, with a blank behind each. */
static char *names(const char *ptx, PsBuildApart apart, gint64 registers)
{
    const GraphCase graph = {
        .ptx = ptx, .arguments = "in:4096", .block = {32}, .with = "schedule", .target = "sm_80"};
    g_autoptr(GString) text = g_string_new(NULL);
    Ordering ordering = {apart, registers, text};
    graph_with_options(&graph, order, &ordering);
    GString *result = g_string_new(NULL);
    g_auto(GStrv) lines = g_strsplit(text->str, "\n", -1);
    for (guint i = 0; lines[i]; i++)
        g_string_append_printf(result, "%.*s ", (int)strcspn(lines[i], " "), lines[i]);
    return g_strchomp(g_string_free(result, FALSE));
}

/* A product of 16 x 8 x 16 that adds to the four registers from %f<to> on. */
#define PRODUCT(to, a, b)                                                                          \
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f" #to "0, %f" #to "1, %f" #to            \
    "2, %f" #to "3}, {%r" #a "0, %r" #a "1, %r" #a "2, %r" #a "3}, {%r" #b "0, %r" #b              \
    "1}, {%f" #to "0, %f" #to "1, %f" #to "2, %f" #to "3};\n"
#define MATRIX(to, at)                                                                             \
    "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r" #to "0, %r" #to "1, %r" #to "2, %r" #to         \
    "3}, [s+" #at "];\n"

/* Three products of a matrix from before the loop, a barrier with a store behind it, two matrices,
 * and products of these. */
static const char products[] =
    MATRIX(1, 0) "mov.u32 %r9, %tid.x;\nmov.u32 %r8, 0;\nL1:\n" PRODUCT(1, 1, 1) PRODUCT(2, 1, 1)
        PRODUCT(3, 1, 1) "bar.sync 0;\nst.shared.u32 [s+2048], %r9;\n" MATRIX(2, 512)
            MATRIX(3, 1024) PRODUCT(1, 2, 2) PRODUCT(2, 2, 3)
                PRODUCT(3, 3, 3) "add.u32 %r8, %r8, 1;\nsetp.lt.u32 %p1, %r8, 3;\n@%p1 bra "
                                 "L1;\nst.shared.f32 [t], %f10;\n"
                                 "st.shared.f32 [t+4], %f20;\nst.shared.f32 [t+8], %f30;\n";

/* Products go to the other side of a barrier, and accesses do not; a load of a matrix comes between
 * two products. */
static void test_products(void)
{
    const PsBuildApart apart = {.tensor = 8, .matrices = 8};
    g_autofree char *near = names(products, (PsBuildApart){0}, 0);
    g_autofree char *far = names(products, apart, 0);
    g_assert_cmpstr(near, ==,
                    "r10 loop f10 f20 f30 barrier r20 r30 store f10_2 f20_2 f30_2 loop } store_2 "
                    "store_3");
    g_assert_cmpstr(far, ==,
                    "r10 loop f10 barrier r20 store f20 r30 f30 f10_2 f20_2 f30_2 loop } store_2 "
                    "store_3");
}

/* Nothing waits for a barrier at the end, so all work comes before it. */
static void test_last_barrier(void)
{
    g_autofree char *text = names("mov.f32 %f5, 0f00000000;\nmov.u32 %r6, 0;\nL1:\n"
                                  "ld.shared.f32 %f4, [s];\nadd.f32 %f5, %f5, %f4;\n"
                                  "add.f32 %f5, %f5, %f4;\nbar.sync 0;\nadd.u32 %r6, %r6, 1;\n"
                                  "setp.lt.u32 %p1, %r6, 3;\n@%p1 bra L1;\n"
                                  "st.shared.f32 [t], %f5;\n",
                                  (PsBuildApart){0}, 0);
    g_assert_cmpstr(text, ==, "loop f4 f5 f5_2 barrier loop } store");
}

/* The halves of a register make it again without an instruction; halves of two registers do not,
 * and those of a loop are moved where they get another value. */
static void test_halves(void)
{
    static const char ptx[] = "ld.shared.b32 %r1, [s];\nld.shared.b32 %r2, [s+4];\n"
                              "mov.b32 {%h1, %h2}, %r1;\nmov.b32 {%h3, %h4}, %r2;\n"
                              "mov.b32 %r3, {%h1, %h2};\nmov.b32 %r4, {%h1, %h4};\n"
                              "mov.b32 %r5, {%h2, %h1};\nst.shared.b32 [t], %r3;\n"
                              "st.shared.b32 [t+4], %r4;\nst.shared.b32 [t+8], %r5;\n";
    static const char loop[] =
        "ld.shared.b32 %r1, [s];\nmov.b32 {%h1, %h2}, %r1;\nmov.u32 %r6, 0;\n"
        "L1:\nmov.b32 %r3, {%h1, %h2};\nst.shared.b32 [t], %r3;\n"
        "ld.shared.b32 %r2, [s+4];\nmov.b32 {%h1, %h2}, %r2;\n"
        "add.u32 %r6, %r6, 1;\nsetp.lt.u32 %p1, %r6, 3;\n@%p1 bra L1;\n";
    graph_assert(&(GraphCase){.ptx = ptx, .block = {32}, .without = "merge-loads"},
                 "r1 local.load.broadcast\nr2 local.load.broadcast\nr4 logic.mov r1 r2\n"
                 "r5 logic.mov r1\nstore local.store r1\nstore_2 local.store r4\n"
                 "store_3 local.store r5\n");
    graph_assert(&(GraphCase){.ptx = loop, .block = {32}},
                 "r1 local.load.broadcast\nh1 logic.mov r1\nloop 3 {\nstore local.store h1 h1_2\n"
                 "r2 local.load.broadcast\nh1_2 logic.mov r2\nloop loop loop\n}\n");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-graph-schedule/products", test_products);
    g_test_add_func("/ptx-graph-schedule/last-barrier", test_last_barrier);
    g_test_add_func("/ptx-graph-schedule/halves", test_halves);
    return g_test_run();
}
