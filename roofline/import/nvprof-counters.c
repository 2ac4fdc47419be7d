/* SPDX-License-Identifier: BSD-3-Clause */
/* nvprof's metrics, as metrics of Table 1 of the paper. See nvprof.h. */
#include "roofline/import/nvprof.h"

#include <string.h>

#define ONE(name)                                                                                  \
    {                                                                                              \
        {                                                                                          \
            name, 1                                                                                \
        }                                                                                          \
    }

/* Table 1 of the paper; M_inst is counted per warp, and a transaction has 32 bytes. M_l1 is
 * missing: its counters, and the size of their transactions, differ from architecture to
 * architecture. */
static const PsFormula formulas[] = {
    {PS_M_FP64, PS_UNIT_COUNT, ONE("inst_fp_64"), FALSE, NULL},
    {PS_M_FP64,
     PS_UNIT_COUNT,
     {{"flop_count_dp_add", 1}, {"flop_count_dp_mul", 1}, {"flop_count_dp_fma", 1}},
     FALSE,
     "only additions, multiplications and multiply-adds are counted, since inst_fp_64 is missing"},
    {PS_M_FMA64, PS_UNIT_COUNT, ONE("flop_count_dp_fma"), FALSE, NULL},
    {PS_M_FP32, PS_UNIT_COUNT, ONE("inst_fp_32"), FALSE, NULL},
    {PS_M_FP32,
     PS_UNIT_COUNT,
     {{"flop_count_sp_add", 1}, {"flop_count_sp_mul", 1}, {"flop_count_sp_fma", 1}},
     FALSE,
     "only additions, multiplications and multiply-adds are counted, since inst_fp_32 is missing"},
    {PS_M_FMA32, PS_UNIT_COUNT, ONE("flop_count_sp_fma"), FALSE, NULL},
    {PS_M_INT, PS_UNIT_COUNT, ONE("inst_integer"), FALSE, NULL},
    {PS_M_LDST, PS_UNIT_COUNT, ONE("inst_compute_ld_st"), FALSE, NULL},
    {PS_M_INST, PS_UNIT_COUNT, {{"inst_executed", 32}}, FALSE, NULL},
    {PS_M_TRAN_R, PS_UNIT_COUNT, {{"dram_read_transactions", 32}}, FALSE, NULL},
    {PS_M_TRAN_R, PS_UNIT_BYTES, ONE("dram_read_bytes"), FALSE, NULL},
    {PS_M_TRAN_W, PS_UNIT_COUNT, {{"dram_write_transactions", 32}}, FALSE, NULL},
    {PS_M_TRAN_W, PS_UNIT_BYTES, ONE("dram_write_bytes"), FALSE, NULL},
    {PS_M_FP16, PS_UNIT_COUNT, ONE("inst_fp_16"), FALSE, NULL},
    /* flop_count_hp counts a multiply-add as two operations. */
    {PS_M_OPS16, PS_UNIT_COUNT, ONE("flop_count_hp"), FALSE, NULL},
    {PS_M_OPS16,
     PS_UNIT_COUNT,
     {{"flop_count_hp_add", 1}, {"flop_count_hp_mul", 1}, {"flop_count_hp_fma", 2}},
     FALSE,
     NULL},
    {PS_M_L2,
     PS_UNIT_COUNT,
     {{"l2_read_transactions", 32}, {"l2_write_transactions", 32}},
     FALSE,
     NULL},
    {PS_M_OPS64, PS_UNIT_COUNT, ONE("flop_count_dp"), FALSE, NULL},
    {PS_M_OPS32, PS_UNIT_COUNT, ONE("flop_count_sp"), FALSE, NULL},
    {PS_M_FMA_PIPE,
     PS_UNIT_COUNT,
     {{"flop_count_sp_add", 1}, {"flop_count_sp_mul", 1}, {"flop_count_sp_fma", 1}},
     FALSE,
     NULL},
    {PS_M_SPECIAL, PS_UNIT_COUNT, ONE("flop_count_sp_special"), FALSE, NULL},
    {PS_M_LOCAL,
     PS_UNIT_COUNT,
     {{"shared_load_transactions", 128}, {"shared_store_transactions", 128}},
     FALSE,
     NULL},
    {PS_M_SECONDS, PS_UNIT_SECONDS, ONE("Duration"), FALSE, NULL},
};

const PsFormulas ps_nvprof_formulas = {
    formulas, G_N_ELEMENTS(formulas),           "nvprof --csv --metrics ",
    ",",      "nvprof --csv --print-gpu-trace", TRUE};

/* Traces of some versions name their columns by the metrics' descriptions. */
static const struct {
    const char *description, *name;
} descriptions[] = {
    {"FP Instructions(Single)", "inst_fp_32"},
    {"FP Instructions(Double)", "inst_fp_64"},
    {"Floating Point Operations(Single Precision FMA)", "flop_count_sp_fma"},
    {"Floating Point Operations(Double Precision FMA)", "flop_count_dp_fma"},
    {"Floating Point Operations(Double Precison FMA)", "flop_count_dp_fma"},
    {"Integer Instructions", "inst_integer"},
    {"Load/Store Instructions", "inst_compute_ld_st"},
    {"Instructions Executed", "inst_executed"},
    {"Device Memory Read Transactions", "dram_read_transactions"},
    {"Device Memory Write Transactions", "dram_write_transactions"},
    {"L2 Read Transactions", "l2_read_transactions"},
    {"L2 Write Transactions", "l2_write_transactions"},
};

int ps_nvprof_counter(const PsCollector *collector, const char *column)
{
    for (guint i = 0; i < G_N_ELEMENTS(descriptions); i++)
        if (strcmp(column, descriptions[i].description) == 0)
            return ps_collector_counter(collector, descriptions[i].name);
    return ps_collector_counter(collector, column);
}
