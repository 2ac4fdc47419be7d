/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The quantitative roofline: how long a kernel must take by its operations, its instruction mix and
 * its memory traffic, and which of them bounds it. Equations 2 to 19 of E. Konstantinidis and Y.
 * Cotronis, A GPU performance estimation model based on micro-benchmarks and black-box kernel
 * profiling; symbols are theirs.
 *
 *     metrics (a profile, or ps_metrics_count of a graph)  ->  ps_params_from_metrics  ->  PsParams
 *     a GPU's description                                  ->  ps_peaks_resolve        ->  PsPeaks
 *     both                                                 ->  ps_predict              ->
 * PsPrediction
 *
 * Everything is in base units (operations, bytes, seconds, fractions of 1) and NaN where it is not
 * known. Beyond the paper: half precision and tensor cores, and traffic of the caches.
 */
#ifndef PIPESIM_ROOFLINE_ROOFLINE_H
#define PIPESIM_ROOFLINE_ROOFLINE_H

#include "gpu/gpu.h"
#include "idg/program.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* ---- metrics ------------------------------------------------------------------------------- */

/* Table 1 of the paper. Instructions are those of threads (a warp instruction counts as one per
 * thread that it is executed for), but for M_inst. */
typedef enum {
    PS_M_FP64,       /* double-precision instructions */
    PS_M_FMA64,      /* multiply-adds among them */
    PS_M_FP32,       /* single precision */
    PS_M_FMA32,      /* multiply-adds among them */
    PS_M_INT,        /* integer instructions */
    PS_M_LDST,       /* loads and stores */
    PS_M_INST,       /* all instructions: I_total, thus the warp size times the paper's M_inst */
    PS_M_TRAN_R,     /* bytes read from device memory: 32 times the paper's transactions */
    PS_M_TRAN_W,     /* bytes written */
    PS_M_FP16,       /* beyond the paper: half-precision instructions */
    PS_M_OPS16,      /* operations that they do: up to 4 each, two multiply-adds */
    PS_M_TENSOR,     /* tensor-core instructions */
    PS_M_OPS_TENSOR, /* operations that they do */
    PS_M_L1,         /* bytes between the compute units and their L1 caches, both ways */
    PS_M_L2,         /* bytes between L1 and L2, both ways */
    PS_M_OPS64,      /* double-precision operations, if nobody counted instructions */
    PS_M_OPS32,      /* single-precision ones */
    PS_M_FMA_PIPE,   /* instructions of the pipeline that T_SP is of; beside others of single
                        precision (minima, comparisons), which have a pipeline of their own */
    PS_M_SPECIAL,    /* instructions of the special function units */
    PS_M_LOCAL,      /* bytes of local memory, 128 for each of the passes that an access takes */
    PS_M_CYCLES,     /* cycles per second of the CUs' clock, from begin to end */
    PS_M_SECONDS,    /* duration */
    PS_M_L3,         /* bytes between L2 and L3, both ways, if a GPU has one */
    PS_M_L4,         /* bytes between L3 and L4 */
    PS_M_BEHIND_L2,  /* bytes between L2 and what lies behind it: on a GPU without L3 those of
                        device memory, as which a profiler counts them that knows no L3 */
    PS_N_METRICS
} PsMetric;

/* Kinds of matrix products, which have peaks of their own: the factors' type, and the result's
 * where that may be half or single precision. */
typedef enum {
    PS_PRODUCT_F64,
    PS_PRODUCT_F32,
    PS_PRODUCT_TF32,
    PS_PRODUCT_BF16,
    PS_PRODUCT_F16_F16,
    PS_PRODUCT_F16_F32,
    PS_PRODUCT_F8_F16,
    PS_PRODUCT_F8_F32,
    PS_PRODUCT_F6_F16,
    PS_PRODUCT_F6_F32,
    PS_PRODUCT_F4_F16,
    PS_PRODUCT_F4_F32,
    PS_PRODUCT_S8,
    PS_PRODUCT_S4,
    PS_PRODUCT_B1,
    PS_PRODUCT_SPARSE, /* the same again, with a factor half of which is zeros, which count */
    PS_N_PRODUCTS = 2 * PS_PRODUCT_SPARSE
} PsProductKind;

/* Sums over all launches; NaN if not known. */
typedef struct {
    double value[PS_N_METRICS];
    double products[PS_N_PRODUCTS]; /* operations of matrix products that are known to be of that
                                       kind; 0 where nobody tells. A part of PS_M_OPS_TENSOR */
    /* Figures that a graph states and no profiler does; 0 if not stated. */
    double special64; /* special functions that PS_M_FP64 has */
    double atomics;   /* loads and stores of PS_M_LDST beyond a group's own memory */
    double conflicts; /* bytes of PS_M_LOCAL that accesses take more for conflicts of banks */
    double
        replays; /* waves that accesses of PS_M_LOCAL take for conflicts, times their work-items */
    double stored;  /* bytes of PS_M_TRAN_W that need not get there before the kernel ends */
    gboolean graph; /* TRUE: a graph's, which only what the model simulates can limit */
} PsMetrics;

/* Metrics with nothing known. */
void ps_metrics_init(PsMetrics *metrics);

/* The metrics of a launch of so many groups of group_size threads, from the graph: instances times
 * threads. A node counts as a compute instruction of its `type` if it states `ops`. A multiply-add
 * states two; a node that states more than its type's largest instruction does counts as so many of
 * these. A node counts as load or store if it states bytes, or if the first part of its class is
 * global, local, memory or atomic. Every node counts in M_inst, for whole warps. A level's traffic
 * is the sum of the memory nodes' traffic; it is not known (with a warning, char * owned by the
 * array, that names the node) if a node of global memory does not state it; accesses to local
 * memory and to constants without a statement move nothing there. The duration is not known. */
void ps_metrics_count(const PsKernel *kernel, gint64 groups, gint64 group_size, gint64 warp_size,
                      PsMetrics *metrics, GPtrArray *warnings);

/* ---- kernel parameters --------------------------------------------------------------------- */

/* The type of the operations that a kernel is about. */
typedef enum {
    PS_K_UNKNOWN,
    PS_K_FP64,
    PS_K_FP32,
    PS_K_INT,
    PS_K_FP16,  /* beyond the paper */
    PS_K_TENSOR /* beyond the paper */
} PsKType;

/* "fp64", "fp32", "int", "fp16", "tensor"; NULL for PS_K_UNKNOWN. And back (UNKNOWN if there is no
 * such type). */
const char *ps_k_type_name(PsKType type);
PsKType ps_k_type_of(const char *name);

/* Table 2 of the paper, and what goes with it. */
typedef struct {
    PsKType K_type;
    double W_comp;               /* (2) operations */
    double W_traf;               /* (3) bytes of device memory */
    double E_mix;                /* (4) */
    double D_ops;                /* (5) */
    double D_ldst;               /* (6) */
    double D_other;              /* (7) */
    double O_krn;                /* W_comp / W_traf; INFINITY for work without traffic */
    double traffic[PS_N_LEVELS]; /* bytes at each level; device memory's are W_traf */
    double ops_per_instruction;  /* most operations of one thread's instruction of K_type: 2, a
                                    multiply-add; beyond the paper 4 (fp16), or what the tensor
                                    cores' do */
    double instructions;         /* instructions of K_type, of threads */
    double elsewhere; /* operations in a graph for another unit than T_op's: special functions of
                         doubles; 0 if not stated */
    double stored;    /* bytes of W_traf that a graph stores, so that caches may hold them when the
                         kernel ends; 0 where the traffic was measured */
} PsParams;

/* Equations 2 to 9. K_type is the type of most operations among fp64, fp32, and beyond the paper
 * tensor and fp16; int if there are none of these. (The paper's rule, fp64 if there is one such
 * instruction, would let that one decide for a kernel of 10^10 others.) */
void ps_params_from_metrics(const PsMetrics *metrics, PsParams *params);

/* Sets O_krn, D_other, the instructions and traffic of device memory from the other parameters,
 * when these came from elsewhere. FALSE and *error (PS_ERROR_VALUE; the message names the
 * parameter) if one is out of range: a fraction outside 0..1, a negative count, densities that sum
 * up to more than 1. */
gboolean ps_params_complete(PsParams *params, GError **error);

/* ---- a GPU's peaks ------------------------------------------------------------------------- */

/* Peaks, of operations or bytes per second. */
typedef enum {
    PS_T_SP,
    PS_T_DP,
    PS_T_HP,
    PS_T_TENSOR,
    PS_T_INT,
    PS_T_ADD,
    PS_T_LDST,
    PS_B_MEM,
    PS_B_L2,
    PS_B_L1,
    PS_B_LOCAL,
    PS_B_L3,
    PS_B_L4,
    PS_N_PEAKS
} PsPeakKind;

/* How a peak is known. */
typedef enum {
    PS_PEAK_UNKNOWN,
    PS_PEAK_STATED,   /* the description's value, or what it says of a level of memory */
    PS_PEAK_DERIVED,  /* from an issue latency */
    PS_PEAK_DATASHEET /* the vendor's figure */
} PsPeakOrigin;

/* Table 3 of the paper and what goes beyond it. */
typedef struct {
    double value[PS_N_PEAKS]; /* operations or bytes per second; NaN if not known */
    PsPeakOrigin origin[PS_N_PEAKS];
} PsPeaks;

/* docs/reference/model.md, section 5: the description's value, else (of B_mem and B_L1 to B_L4) the
 * level's bandwidth, of L1 port * CUs * clock, else warp size * CUs * clock / lambda of a class,
 * twice that for multiply-adds (T_SP from fmadd, T_DP from dfma, T_HP from hfma, which does two of
 * them, T_int from imad, T_add from iadd, else fadd, T_ldst from local.load, B_mem from memory: 4
 * bytes per thread, 128 per warp of 32), else the data sheet's. clock in MHz, {0, 1} for the usual
 * one; stated and data sheet's figures follow another clock, too, but for B_mem, B_L3, B_L4 and
 * what levels that CUs share state, which have clocks of their own. */
void ps_peaks_resolve(const PsGpu *gpu, PsRational clock, PsPeaks *peaks);

/* ---- the prediction ------------------------------------------------------------------------ */

/* What bounds a kernel. */
typedef enum {
    PS_BOUND_UNKNOWN,
    PS_BOUND_COMPUTE,
    PS_BOUND_MEMORY,
    PS_BOUND_COMPUTE_ONLY,  /* "compute (memory unknown)" */
    PS_BOUND_MEMORY_ONLY,   /* "memory (compute unknown)" */
    PS_BOUND_COMPUTE_LEAST, /* "compute (instructions unknown)": E_instr is not known, and even
                               without it operations take longer than bytes (or there are none);
                               seconds and T_predicted are the ceiling's, if that is known */
    PS_BOUND_CEILING /* "ceiling": a unit or level of memory takes longer than the equations say,
                        which know few of them: ps_prediction_raise (ceilings.h) */
} PsBound;

/* "compute", "memory", "memory (compute unknown)", ...; NULL for PS_BOUND_UNKNOWN. */
const char *ps_bound_name(PsBound bound);

/* How long a kernel takes by the roofline, and why. */
typedef struct {
    double T_op;                  /* (10) operations per second */
    double W_op, W_ldst, W_other; /* (11) to (13) */
    double C_op, C_ldst, C_other; /* (14) to (16) */
    double E_instr;               /* (17) */
    double T_adjusted;            /* (18), T'_op */
    double O_dev;                 /* T'_op / B_mem */
    double T_predicted;           /* (19); NaN if operations are not known, though their time is */
    PsBound bound;                /* which case of (19) */
    double seconds;               /* W_comp / T_predicted */
    double compute_seconds;       /* W_comp / T'_op */
    double memory_seconds;        /* W_traf / B_mem */
    double ceiling; /* min(E_mix * T_op, O_krn * B_mem) of docs/reference/model.md, section 6; for
                       integers what sums and products may do together */
    double ceiling_seconds;   /* W_comp / ceiling: no kernel is faster */
    double attainable;        /* min(T_op, O_krn * B_mem): the plain roofline */
    double equations_seconds; /* where the bound is PS_BOUND_CEILING: the seconds without the
                                 ceiling, */
    PsBound equations_bound;  /* and the bound without it */
} PsPrediction;

/* Equations 10 to 19. A peak that the kernel needs and the GPU lacks is an error (PS_ERROR_VALUE,
 * with the description's file, the peak, what it is for, and how to state it); what the kernel's
 * own parameters leave open is NaN, and the bound says so. Nothing is divided by zero: without
 * traffic the kernel is compute bound, without operations memory bound. */
gboolean ps_predict(const PsParams *params, const PsPeaks *peaks, const PsGpu *gpu,
                    PsPrediction *prediction, GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
