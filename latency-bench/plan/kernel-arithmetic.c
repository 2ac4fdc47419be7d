/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chains of arithmetic, and of other instructions without memory: barrier, shuffle, loop. Each
 * class has kernels of one, two, four and eight chains per warp, or of fewer of these.
 */
#include "base/class-name.h"
#include "latency-bench/plan/kernel-private.h"

#include <string.h>

static const PsChain CHAINS[] = {
    {"fadd", "fadd", 'f', 1, 64, 1, "fp32", NULL},
    {"fmul", "fmul", 'f', 1, 64, 1, "fp32", NULL},
    {"fmadd", "fmadd", 'f', 1, 64, 2, "fp32", NULL},
    {"dadd", "dadd", 'd', 1, 64, 1, "fp64", NULL},
    {"dmul", "dmul", 'd', 1, 64, 1, "fp64", NULL},
    {"dfma", "dfma", 'd', 1, 64, 2, "fp64", NULL},
    {"hadd", "hadd", 'h', 1, 64, 2, "fp16", NULL},
    {"hmul", "hmul", 'h', 1, 64, 2, "fp16", NULL},
    {"hfma", "hfma", 'h', 1, 64, 4, "fp16", NULL},
    {"iadd", "iadd", 'i', 2, 32, 1, "int", NULL},
    {"imad", "imad", 'i', 1, 64, 2, "int", NULL},
    {"logic", "logic", 'i', 2, 32, 1, "int", NULL},
    {"shift", "shift", 'i', 1, 64, 1, "int", NULL},
    /* The newest chips have two units for conversions: only the first is also that of special
     * functions. */
    {"conversion.f2i", "f2i", 'f', 1, 32, 0, NULL, NULL},
    {"conversion.i2f", "i2f", 'i', 1, 32, 0, NULL, NULL},
    {"conversion.pack", "pack", 'f', 1, 32, 0, NULL, "CUDA"},
    /* Converts to double precision, and back. */
    {"conversion.f64", "f64", 'f', 2, 16, 0, NULL, "CUDA"},
    {"fadd.minmax", "fminmax", 'f', 2, 32, 1, "fp32", "CUDA"},
    {"iadd.minmax", "iminmax", 'i', 2, 32, 1, "int", "CUDA"},
    /* Alternates with as many other instructions of the same unit, since a reciprocal alone undoes
     * itself: exp2, or on NVIDIA tanh, or before sm_75 an addition. */
    {"rcp", "rcp", 'f', 2, 16, 1, "fp32", NULL},
    {"rsqrt", "rsqrt", 'f', 1, 32, 1, "fp32", NULL},
    {"sqrt", "sqrt", 'f', 1, 32, 1, "fp32", NULL},
    {"sin", "sin", 'f', 1, 32, 1, "fp32", NULL},
    {"cos", "cos", 'f', 1, 32, 1, "fp32", NULL},
    {"exp2", "exp2", 'f', 1, 32, 1, "fp32", NULL},
    {"log2", "log2", 'f', 1, 32, 1, "fp32", NULL},
    {"fdiv", "fdiv", 'f', 1, 8, 1, "fp32", NULL},
    {"shuffle", "shuffle", 'i', 1, 32, 0, NULL, "CUDA HIP"},
    {"shuffle.reduce", "reduce_add", 'i', 1, 32, 0, NULL, "CUDA"},
    {"shuffle.reduce.minmax", "reduce_max", 'i', 1, 32, 0, NULL, "CUDA"},
    /* Each vote asks for the result of the one before; before sm_80 with a comparison between the
     * two. */
    {"logic.vote", "vote", 'i', 1, 32, 0, NULL, "CUDA"},
    {"barrier", "barrier", 'i', 1, 16, 0, NULL, NULL},
    /* One trip of a rolled loop, which has an addition in it. */
    {"loop", "loop", 'f', 1, 1, 0, NULL, NULL},
};

const PsChain *ps_bench_arithmetic(const char *class_name)
{
    for (guint i = 0; i < G_N_ELEMENTS(CHAINS); i++)
        if (strcmp(CHAINS[i].class_name, class_name) == 0)
            return &CHAINS[i];
    return NULL;
}

/* Most chains. Several chains measure nothing where a warp cannot have two steps under way: a
 * division has a call in it, and the next chain's division waits behind it. Eight votes would take
 * more predicates than there are, and for eight conversions to double precision the assembler
 * undoes the order. */
static gint64 most_chains(const PsChain *chain)
{
    static const char *const alone[] = {"barrier", "loop", "fdiv", NULL};
    if (g_strv_contains(alone, chain->class_name))
        return 1;
    static const char *const four[] = {"conversion.f64", "logic.vote", NULL};
    return ps_class_covers("shuffle", chain->class_name) || g_strv_contains(four, chain->class_name)
               ? 4
               : 8;
}

/* The next number of chains. Half precision has two pipes on some chips of NVIDIA. The assembler
 * assigns chains to them in turns, and undoes the order of two or four chains; a single chain goes
 * through both in turns, and eight fill both. */
static gint64 next_chains(const PsChain *chain, gint64 chains)
{
    return chains * (chain->type == 'h' ? 8 : 2);
}

/* TRUE for classes that need sm_80 or later. */
static gboolean is_newer(const char *class_name)
{
    return ps_class_covers("shuffle.reduce", class_name) ||
           strcmp(class_name, "conversion.pack") == 0;
}

/* Integer multiply-adds in turns with as many in single precision, each in a chain of its own: the
 * rate tells whether both share one pipe. Before sm_70 NVIDIA had other instructions for products
 * of integers. */
static const PsChain BESIDE = {"imad.beside", "beside", 'i', 1, 32, 0, NULL, "CUDA"};

static PsIdg *beside_graph(const char *name, gint64 ilp)
{
    GPtrArray *trip;
    PsIdg *idg = ps_bench_graph(name, &trip);
    GPtrArray *steps = ps_bench_loop(trip, BESIDE.steps);
    for (gint64 i = 0; i < ilp; i++) {
        g_autofree char *integer = g_strdup_printf("x%" G_GINT64_FORMAT, i);
        g_autofree char *single = g_strdup_printf("y%" G_GINT64_FORMAT, i);
        ps_bench_count(ps_bench_node(steps, integer, "imad", integer), 2, "int");
        ps_bench_count(ps_bench_node(steps, single, "fmadd", single), 2, "fp32");
    }
    return idg;
}

static void add_beside(GPtrArray *all)
{
    for (gint64 ilp = 1; ilp <= 4; ilp *= 2) {
        char *name = g_strdup_printf("imad-beside-ilp%" G_GINT64_FORMAT, ilp);
        PsBenchKernel *kernel = ps_bench_add(all, name, PS_BENCH_CHAIN, BESIDE.class_name);
        ps_bench_chain(kernel, &BESIDE, ilp, ps_text_arithmetic);
        ps_idg_free(kernel->graph);
        kernel->graph = beside_graph(name, ilp);
        kernel->since = 70;
    }
}

void ps_bench_add_arithmetic(GPtrArray *all)
{
    for (guint i = 0; i < G_N_ELEMENTS(CHAINS); i++)
        for (gint64 ilp = 1; ilp <= most_chains(&CHAINS[i]); ilp = next_chains(&CHAINS[i], ilp)) {
            char *name = g_strdup_printf("%s-ilp%" G_GINT64_FORMAT, CHAINS[i].class_name, ilp);
            g_strdelimit(name, ".", '-');
            PsBenchKernel *kernel = ps_bench_add(all, name, PS_BENCH_CHAIN, CHAINS[i].class_name);
            ps_bench_chain(kernel, &CHAINS[i], ilp, ps_text_arithmetic);
            kernel->since = is_newer(kernel->class_name) ? 80 : 0;
        }
    add_beside(all);
}
