/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * AMD's counters as metrics of Table 1. Definitions are those of the ROCm documentation
 * (performance counters of MI200, MI300 and MI350; ROCm Compute Profiler's metrics), checked on
 * vecCopy of 1 048 576 doubles on MI200, whose counts are known beforehand.
 *
 * SQ_INSTS_* count instructions of waves, for any number of active lanes: times the wave size they
 * are the paper's thread instructions. Scalar instructions, one for a wave, count in the same way,
 * in M_inst only, as uniform instructions of NVIDIA do: they take a slot for issue.
 *
 * A packed instruction counts as one of its type, and no counter separates packed instructions:
 * operations in half precision may be up to twice as many (and in single precision on MI200 and
 * later).
 */
#include "roofline/import/rocprof.h"
#include <string.h>

/* Counters as the documentation defines them: VMEM has global and flat instructions, also flat ones
 * that turn out to access local memory only, which LDS (except on MI300 and later) counts once
 * more.
 *
 * Matrix instructions are a part of VALU. MOPS are operations of whole waves in units of 512;
 * ps_rocprof_counter adds kinds that this table lacks to those here.
 *
 * A request to device memory has 64 bytes, if not 32 (reads), 32 if not 64 (writes). Some of
 * MI300's reads have 128; these are in TCC_BUBBLE, too, on MI350 in TCC_EA0_RDREQ_128B. The
 * profiler, which knows the architecture, computes FETCH_SIZE and WRITE_SIZE, in 1024 bytes, from
 * the same counters; they exist on all architectures. All of these are requests of L2, and an
 * Infinity Cache serves them where there is one: no counter has the rest that reaches device memory
 * then.
 *
 * The L1 caches ask L2 for 64 bytes at a time. TCC_REQ also counts requests of other units than L1;
 * with lines of 128 bytes for each it gives an upper bound. L1 serves lines of 64 bytes, as AMD's
 * rooflines count and measure it: more bytes than the lanes asked for. */
#define SUM(metric, ...)                                                                           \
    {                                                                                              \
        metric, PS_UNIT_COUNT, {__VA_ARGS__}, FALSE, NULL                                          \
    }
#define ANY(metric, ...)                                                                           \
    {                                                                                              \
        metric, PS_UNIT_COUNT, {__VA_ARGS__}, TRUE, NULL                                           \
    }
#define VALU(type, fma)                                                                            \
    {"SQ_INSTS_VALU_ADD_" type, 1}, {"SQ_INSTS_VALU_MUL_" type, 1},                                \
        {"SQ_INSTS_VALU_FMA_" type, fma},                                                          \
    {                                                                                              \
        "SQ_INSTS_VALU_TRANS_" type, 1                                                             \
    }
#define READ                                                                                       \
    {"TCC_EA_RDREQ_sum", 64},                                                                      \
    {                                                                                              \
        "TCC_EA_RDREQ_32B_sum", -32                                                                \
    }
#define READ_AS_BUBBLES                                                                            \
    READ,                                                                                          \
    {                                                                                              \
        "TCC_BUBBLE_sum", 64                                                                       \
    }
#define WRITTEN                                                                                    \
    {"TCC_EA_WRREQ_sum", 32},                                                                      \
    {                                                                                              \
        "TCC_EA_WRREQ_64B_sum", 32                                                                 \
    }
#define MATRIX(prefix, factor)                                                                     \
    {prefix "I8", factor}, {prefix "F16", factor}, {prefix "BF16", factor},                        \
        {prefix "F32", factor}, {prefix "F64", factor}, {prefix "F8", factor},                     \
        {prefix "XF32", factor},                                                                   \
    {                                                                                              \
        prefix "F6F4", factor                                                                      \
    }

static const PsFormula formulas[] = {
    SUM(PS_M_FP64, VALU("F64", 1)),
    SUM(PS_M_FMA64, {"SQ_INSTS_VALU_FMA_F64", 1}),
    SUM(PS_M_FP32, VALU("F32", 1)),
    SUM(PS_M_FMA32, {"SQ_INSTS_VALU_FMA_F32", 1}),
    SUM(PS_M_INT, {"SQ_INSTS_VALU_INT32", 1}, {"SQ_INSTS_VALU_INT64", 1}),
    SUM(PS_M_LDST, {"SQ_INSTS_VMEM", 1}, {"SQ_INSTS_LDS", 1}, {"SQ_INSTS_FLAT_LDS_ONLY", -1}),
    SUM(PS_M_LDST, {"SQ_INSTS_VMEM_RD", 1}, {"SQ_INSTS_VMEM_WR", 1}, {"SQ_INSTS_LDS", 1},
        {"SQ_INSTS_FLAT_LDS_ONLY", -1}),
    SUM(PS_M_LDST, {"SQ_INSTS_VMEM", 1}, {"SQ_INSTS_LDS", 1}),
    SUM(PS_M_LDST, {"SQ_INSTS_VMEM_RD", 1}, {"SQ_INSTS_VMEM_WR", 1}, {"SQ_INSTS_LDS", 1}),
    SUM(PS_M_INST, {"SQ_INSTS", 1}),
    SUM(PS_M_INST, {"SQ_INSTS_VALU", 1}, {"SQ_INSTS_SALU", 1}, {"SQ_INSTS_SMEM", 1},
        {"SQ_INSTS_VMEM", 1}, {"SQ_INSTS_LDS", 1}, {"SQ_INSTS_BRANCH", 1}),
    SUM(PS_M_INST, {"SQ_INSTS_VALU", 1}, {"SQ_INSTS_SALU", 1}, {"SQ_INSTS_SMEM", 1},
        {"SQ_INSTS_VMEM_RD", 1}, {"SQ_INSTS_VMEM_WR", 1}, {"SQ_INSTS_LDS", 1}),
    SUM(PS_M_TRAN_R, {"FETCH_SIZE", 1024}),
    SUM(PS_M_TRAN_R, READ_AS_BUBBLES),
    SUM(PS_M_TRAN_R, READ),
    SUM(PS_M_TRAN_W, {"WRITE_SIZE", 1024}),
    SUM(PS_M_TRAN_W, WRITTEN),
    SUM(PS_M_FP16, VALU("F16", 1)),
    SUM(PS_M_OPS16, VALU("F16", 2)),
    SUM(PS_M_TENSOR, {"SQ_INSTS_MFMA", 1}),
    ANY(PS_M_TENSOR, MATRIX("SQ_INSTS_VALU_MFMA_", 1)),
    ANY(PS_M_OPS_TENSOR, MATRIX("SQ_INSTS_VALU_MFMA_MOPS_", 512)),
    SUM(PS_M_L1, {"TCP_TOTAL_CACHE_ACCESSES_sum", 64}),
    SUM(PS_M_L2, {"TCP_TCC_READ_REQ_sum", 64}, {"TCP_TCC_WRITE_REQ_sum", 64},
        {"TCP_TCC_ATOMIC_WITH_RET_REQ_sum", 64}, {"TCP_TCC_ATOMIC_WITHOUT_RET_REQ_sum", 64}),
    SUM(PS_M_L2, {"TCP_TCC_READ_REQ_sum", 64}, {"TCP_TCC_WRITE_REQ_sum", 64}),
    {PS_M_L2,
     PS_UNIT_COUNT,
     {{"TCC_REQ_sum", 128}},
     FALSE,
     "traffic of L2 is an upper bound, 128 bytes for each TCC_REQ, and not all of these are L1's"},
    SUM(PS_M_FMA_PIPE, {"SQ_INSTS_VALU_ADD_F32", 1}, {"SQ_INSTS_VALU_MUL_F32", 1},
        {"SQ_INSTS_VALU_FMA_F32", 1}),
    SUM(PS_M_SPECIAL, {"SQ_INSTS_VALU_TRANS_F32", 1}),
    SUM(PS_M_BEHIND_L2, {"FETCH_SIZE", 1024}, {"WRITE_SIZE", 1024}),
    SUM(PS_M_BEHIND_L2, READ_AS_BUBBLES, WRITTEN),
    SUM(PS_M_BEHIND_L2, READ, WRITTEN),
    {PS_M_SECONDS, PS_UNIT_SECONDS, {{PS_ROCPROF_DURATION, 1}}, FALSE, NULL},
};

const PsFormulas ps_rocprof_formulas = {
    formulas, G_N_ELEMENTS(formulas),   "rocprof -i FILE, where FILE has the line pmc: ",
    " ",      "rocprof --timestamp on", FALSE};
const PsFormulas ps_rocprofv3_formulas = {formulas, G_N_ELEMENTS(formulas),     "rocprofv3 --pmc ",
                                          " ",      "rocprofv3 --kernel-trace", FALSE};

/* Other names for counters of the formulas, and for parts of them. */
static const struct {
    const char *name, *as;
} others[] = {
    {"FetchSize", "FETCH_SIZE"},
    {"WriteSize", "WRITE_SIZE"},
    {"TCC_EA_RDREQ_128B_sum", "TCC_BUBBLE_sum"},
};

/* Joins parts of a sum: "TCC_HIT[7]" and, in raw lists, "TCC_HIT" are parts of "TCC_HIT_sum". */
static gboolean complete_sum(GString *name)
{
    if (!g_str_has_prefix(name->str, "TCC_") && !g_str_has_prefix(name->str, "TCP_"))
        return FALSE;
    if (g_str_has_suffix(name->str, "_sum"))
        return FALSE;
    const char *index = strchr(name->str, '[');
    if (index)
        g_string_truncate(name, (gsize)(index - name->str));
    g_string_append(name, "_sum");
    return TRUE;
}

/* Strips "_sum": "SQ_INSTS_VALU_sum", over the engines of the device, is SQ_INSTS_VALU
 * elsewhere. */
static void strip_sum(GString *name)
{
    if (g_str_has_prefix(name->str, "SQ_") && g_str_has_suffix(name->str, "_sum"))
        g_string_truncate(name, name->len - strlen("_sum"));
}

/* Renames the ports to device memory, where an architecture has two: their requests add up. */
static gboolean rename_port(GString *name)
{
    if (!g_str_has_prefix(name->str, "TCC_EA0_") && !g_str_has_prefix(name->str, "TCC_EA1_"))
        return FALSE;
    g_string_erase(name, (gssize)strlen("TCC_EA"), 1);
    return TRUE;
}

PsRocprofCounter ps_rocprof_counter(const PsCollector *collector, const char *name)
{
    g_autoptr(GString) known = g_string_new(name);
    gboolean adds = complete_sum(known);
    strip_sum(known);
    adds |= rename_port(known);
    for (guint i = 0; i < G_N_ELEMENTS(others); i++) {
        if (strcmp(known->str, others[i].name) == 0) {
            g_string_assign(known, others[i].as);
            adds |= !g_str_has_suffix(name, "Size");
        }
    }
    adds |= strcmp(known->str, "TCC_BUBBLE_sum") == 0;
    return (PsRocprofCounter){.counter = ps_collector_counter(collector, known->str),
                              .adds = adds,
                              .per_wave = g_str_has_prefix(known->str, "SQ_INSTS") &&
                                          !strstr(known->str, "_MOPS_")};
}
