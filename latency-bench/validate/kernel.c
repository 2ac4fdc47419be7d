/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernels for validation: a table of the differences between them, and a function that makes a
 * kernel of one of its rows. Their graphs are files of graphs/, with parameters of their own. Here
 * these follow from `length` and `step`, which the launch gives.
 */
#include "latency-bench/plan/kernel-private.h"
#include "latency-bench/validate/private.h"

#include <string.h>

extern const char ps_text_whole[], ps_text_mmul[], ps_text_saxpy[], ps_text_transpose[],
    ps_text_reduction[], ps_text_stencil[];
extern const char ps_graph_mmul08[], ps_graph_mmul16[], ps_graph_mmul08_conflict[],
    ps_graph_mmul16_conflict[], ps_graph_memory[], ps_graph_volkov[], ps_graph_saxpy[],
    ps_graph_transpose[], ps_graph_transpose_conflict[], ps_graph_reduction[], ps_graph_stencil[];

/* clang-format off */
#define MMUL(name, graph, tile, pitch, more, grids)                                                \
    {name, graph, PS_SHAPE_MATRIX, tile, (tile) * (tile), 8 * (tile) * (pitch),                        \
     "#define TILE " #tile "u\n#define PITCH " #pitch "u\n" more, {ps_text_mmul},                  \
     {"size", #tile "*length"}, FALSE, grids}
#define VOLKOV(fmas, grids)                                                                        \
    {"volkov-" #fmas, ps_graph_volkov, PS_SHAPE_MIX, 0, 64, 0, "#define FMAS S" #fmas "\n",        \
     {ps_text_mix}, {"n", "length", "fmas", #fmas}, FALSE, grids}
#define TRANSPOSE(name, graph, pitch, grids)                                                       \
    {name, graph, PS_SHAPE_TRANSPOSE, 32, 256, 128 * (pitch), "#define PITCH " #pitch "u\n",      \
     {ps_text_transpose}, {"n", "32*ceil(step/32)"}, TRUE, grids}
/* clang-format on */

static const PsWhole all[] = {
    MMUL("mmul08", ps_graph_mmul08, 8, 8, "", PS_GRID_REDUCED),
    MMUL("mmul16", ps_graph_mmul16, 16, 16, "", PS_GRID_REDUCED),
    MMUL("mmul08-conflict", ps_graph_mmul08_conflict, 8, 32, "#define CONFLICT 1\n",
         PS_GRID_REDUCED),
    MMUL("mmul16-conflict", ps_graph_mmul16_conflict, 16, 16, "#define CONFLICT 1\n",
         PS_GRID_QUICK),
    {"stream-read",
     ps_graph_memory,
     PS_SHAPE_STREAM,
     0,
     64,
     0,
     "#define ILP 1\n#define WORDS 1\n",
     {ps_text_each, ps_text_stream},
     {"n", "length"},
     FALSE,
     PS_GRID_REDUCED},
    VOLKOV(0, PS_GRID_FULL),
    VOLKOV(1, PS_GRID_FULL),
    VOLKOV(2, PS_GRID_FULL),
    VOLKOV(4, PS_GRID_QUICK),
    VOLKOV(8, PS_GRID_FULL),
    VOLKOV(16, PS_GRID_REDUCED),
    VOLKOV(32, PS_GRID_FULL),
    VOLKOV(64, PS_GRID_QUICK),
    VOLKOV(128, PS_GRID_FULL),
    VOLKOV(256, PS_GRID_FULL),
    {"saxpy",
     ps_graph_saxpy,
     PS_SHAPE_VECTOR,
     0,
     0,
     0,
     "",
     {ps_text_saxpy},
     {NULL},
     TRUE,
     PS_GRID_REDUCED},
    TRANSPOSE("transpose", ps_graph_transpose, 33, PS_GRID_REDUCED),
    TRANSPOSE("transpose-conflict", ps_graph_transpose_conflict, 32, PS_GRID_REDUCED),
    {"reduction",
     ps_graph_reduction,
     PS_SHAPE_SUM,
     0,
     0,
     0,
     "",
     {ps_text_reduction},
     {"trips", "length", "steps", "log2(step)"},
     FALSE,
     PS_GRID_REDUCED},
    {"stencil",
     ps_graph_stencil,
     PS_SHAPE_VOLUME,
     0,
     256,
     0,
     "",
     {ps_text_stencil},
     {"width", "step-2", "planes", "length"},
     FALSE,
     PS_GRID_REDUCED},
};

const PsWhole *ps_whole_all(guint *n)
{
    *n = G_N_ELEMENTS(all);
    return all;
}

/* ---- graphs -------------------------------------------------------------------------------- */

/* Parses an expression of the table, which is always valid. */
static PsExpr *expression(const char *text)
{
    PsExpr *expr = ps_expr_new(text, (PsPlace){"kernel", 0}, NULL);
    g_assert(expr);
    return expr;
}

/* Adds a parameter before all others. */
static void prepend_param(PsIdg *graph, const char *name, const char *value)
{
    ps_idg_add_param(graph, name, expression(value));
    PsIdgParam *param = g_ptr_array_steal_index(graph->params, graph->params->len - 1);
    g_ptr_array_insert(graph->params, 0, param);
}

static void bind(PsIdg *graph, const char *name, const char *value)
{
    for (guint i = 0; i < graph->params->len; i++) {
        PsIdgParam *param = graph->params->pdata[i];
        if (strcmp(param->name, name) != 0)
            continue;
        ps_expr_free(param->value);
        param->value = expression(value);
        return;
    }
    g_assert_not_reached();
}

static PsIdg *make_graph(const PsWhole *whole)
{
    PsIdg *graph = ps_idg_parse(whole->graph, strlen(whole->graph), whole->name, NULL);
    g_assert(graph);
    prepend_param(graph, "length", "16");
    prepend_param(graph, "step", "64");
    for (guint i = 0; i + 1 < G_N_ELEMENTS(whole->bind) && whole->bind[i]; i += 2)
        bind(graph, whole->bind[i], whole->bind[i + 1]);
    return graph;
}

/* ---- kernels ------------------------------------------------------------------------------- */

GPtrArray *ps_validation_kernels(void)
{
    GPtrArray *kernels = g_ptr_array_new_with_free_func((GDestroyNotify)ps_bench_kernel_free);
    for (guint i = 0; i < G_N_ELEMENTS(all); i++) {
        const PsWhole *whole = &all[i];
        PsBenchKernel *kernel =
            ps_bench_add(kernels, g_strdup(whole->name), PS_BENCH_WHOLE, "whole");
        kernel->memory = PS_MEMORY_FLOATS;
        kernel->level = PS_LEVEL_DEVICE;
        kernel->untimed = whole->untimed;
        kernel->source =
            g_strconcat(whole->defines, ps_text_whole, whole->piece[0], whole->piece[1], NULL);
        kernel->graph = make_graph(whole);
    }
    return kernels;
}
