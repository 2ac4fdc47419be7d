/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Nsight Compute's metrics of compute capability 7.0 and later, as metrics of Table 1 of the paper,
 * by the comparison with nvprof's metrics in its manual. See ncu.h.
 */
#include "roofline/import/ncu.h"

#include <string.h>

#define SASS(op) "smsp__sass_thread_inst_executed_op_" op "_pred_on.sum"
#define TENSOR_OPS(types) "sm__ops_path_tensor_src_" types ".sum"
#define TENSOR_INST(op) "sm__inst_executed_pipe_tensor_op_" op ".sum"

#define COUNT(metric, ...)                                                                         \
    {                                                                                              \
        metric, PS_UNIT_COUNT, {__VA_ARGS__}, FALSE, NULL                                          \
    }
#define BYTES(metric, ...)                                                                         \
    {                                                                                              \
        metric, PS_UNIT_BYTES, {__VA_ARGS__}, FALSE, NULL                                          \
    }
#define SECONDS(counter)                                                                           \
    {                                                                                              \
        PS_M_SECONDS, PS_UNIT_SECONDS, {{counter, 1}}, FALSE, NULL                                 \
    }
#define NOTED(metric, note, ...)                                                                   \
    {                                                                                              \
        metric, PS_UNIT_COUNT, {__VA_ARGS__}, FALSE, note                                          \
    }
#define ANY(metric, ...)                                                                           \
    {                                                                                              \
        metric, PS_UNIT_COUNT, {__VA_ARGS__}, TRUE, NULL                                           \
    }

#define ARITHMETIC "only additions, multiplications and multiply-adds are counted, since "

static const PsFormula formulas[] = {
    /* Instructions of threads that are not predicated off. */
    COUNT(PS_M_FP64, {SASS("fp64"), 1}),
    NOTED(PS_M_FP64, ARITHMETIC SASS("fp64") " is missing", {SASS("dadd"), 1}, {SASS("dmul"), 1},
          {SASS("dfma"), 1}),
    COUNT(PS_M_FMA64, {SASS("dfma"), 1}),
    COUNT(PS_M_FP32, {SASS("fp32"), 1}),
    NOTED(PS_M_FP32, ARITHMETIC SASS("fp32") " is missing", {SASS("fadd"), 1}, {SASS("fmul"), 1},
          {SASS("ffma"), 1}),
    COUNT(PS_M_FMA32, {SASS("ffma"), 1}),
    COUNT(PS_M_INT, {SASS("integer"), 1}),
    COUNT(PS_M_LDST, {SASS("memory"), 1}),

    /* Instructions of warps, of 32 threads each; the label is that of the details page. */
    COUNT(PS_M_INST, {"smsp__inst_executed.sum", 32}),
    COUNT(PS_M_INST, {"Executed Instructions", 32}),
    NOTED(PS_M_INST, "threads that are off are not counted, for smsp__inst_executed.sum is missing",
          {"smsp__thread_inst_executed.sum", 1}),

    /* Bytes of device memory; sectors have 32 bytes. Where only one direction and the total are
     * there, the other direction is the difference; where only the total is, it counts as read,
     * since only the sum matters. A counter has the unit of the first formula that names it. */
    BYTES(PS_M_TRAN_R, {"dram__bytes_read.sum", 1}),
    BYTES(PS_M_TRAN_R, {"dram__bytes_op_read.sum", 1}),
    COUNT(PS_M_TRAN_R, {"dram__sectors_read.sum", 32}),
    COUNT(PS_M_TRAN_R, {"dram__sectors_op_read.sum", 32}),
    BYTES(PS_M_TRAN_W, {"dram__bytes_write.sum", 1}),
    BYTES(PS_M_TRAN_W, {"dram__bytes_op_write.sum", 1}),
    COUNT(PS_M_TRAN_W, {"dram__sectors_write.sum", 32}),
    COUNT(PS_M_TRAN_W, {"dram__sectors_op_write.sum", 32}),
    BYTES(PS_M_TRAN_R, {"dram__bytes.sum", 1}, {"dram__bytes_write.sum", -1}),
    BYTES(PS_M_TRAN_R, {"dram__bytes.sum", 1}, {"dram__bytes_op_write.sum", -1}),
    BYTES(PS_M_TRAN_R, {"dram__bytes.sum", 1}, {"dram__sectors_write.sum", -32}),
    BYTES(PS_M_TRAN_R, {"dram__bytes.sum", 1}, {"dram__sectors_op_write.sum", -32}),
    BYTES(PS_M_TRAN_R, {"dram__bytes.sum", 1}),
    BYTES(PS_M_TRAN_W, {"dram__bytes.sum", 1}, {"dram__bytes_read.sum", -1}),
    BYTES(PS_M_TRAN_W, {"dram__bytes.sum", 1}, {"dram__bytes_op_read.sum", -1}),
    BYTES(PS_M_TRAN_W, {"dram__bytes.sum", 1}, {"dram__sectors_read.sum", -32}),
    BYTES(PS_M_TRAN_W, {"dram__bytes.sum", 1}, {"dram__sectors_op_read.sum", -32}),
    BYTES(PS_M_TRAN_W, {"dram__bytes.sum", 0}),

    /* Half precision. An instruction is counted once whether it does one operation or packs two,
     * and is taken for a packed one, as in Nsight Compute's own chart of half precision. */
    COUNT(PS_M_FP16, {SASS("fp16"), 1}),
    COUNT(PS_M_FP16, {SASS("hadd"), 1}, {SASS("hmul"), 1}, {SASS("hfma"), 1}),
    COUNT(PS_M_OPS16, {SASS("hadd"), 2}, {SASS("hmul"), 2}, {SASS("hfma"), 4}),

    /* Tensor cores: instructions of warps, and the operations of their matrices (multiplications
     * and additions) by the types of these. Their metrics depend on the architecture. */
    COUNT(PS_M_TENSOR, {"sm__inst_executed_pipe_tensor.sum", 32}),
    ANY(PS_M_TENSOR, {TENSOR_INST("hmma"), 32}, {TENSOR_INST("imma"), 32},
        {TENSOR_INST("dmma"), 32}, {TENSOR_INST("bmma"), 32}, {TENSOR_INST("gmma"), 32}),
    ANY(PS_M_OPS_TENSOR, {TENSOR_OPS("fp16_dst_fp32"), 1}, {TENSOR_OPS("fp16_dst_fp16"), 1},
        {TENSOR_OPS("bf16_dst_fp32"), 1}, {TENSOR_OPS("tf32_dst_fp32"), 1}, {TENSOR_OPS("fp64"), 1},
        {TENSOR_OPS("fp8_dst_fp16"), 1}, {TENSOR_OPS("fp8_dst_fp32"), 1},
        {TENSOR_OPS("fp4_dst_fp32"), 1}, {TENSOR_OPS("fp4_fp6_dst_fp16"), 1},
        {TENSOR_OPS("fp4_fp6_dst_fp32"), 1}, {TENSOR_OPS("int8"), 1}, {TENSOR_OPS("int4"), 1},
        {TENSOR_OPS("int1"), 1}),

    /* The tag stages' counters of the caches, as in Nsight Compute's hierarchical rooflines. */
    BYTES(PS_M_L1, {"l1tex__t_bytes.sum", 1}),
    COUNT(PS_M_L1, {"l1tex__t_sectors.sum", 32}),
    NOTED(PS_M_L1,
          "only loads and stores of global memory are counted, since l1tex__t_bytes.sum is missing",
          {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 32},
          {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 32}),
    /* L2's counters also count requests among its parts, and those of other units than L1. */
    COUNT(PS_M_L2, {"lts__t_sectors_srcunit_tex.sum", 32}),
    BYTES(PS_M_L2, {"lts__t_bytes.sum", 1}),
    COUNT(PS_M_L2, {"lts__t_sectors.sum", 32}),
    COUNT(PS_M_L2, {"lts__t_sectors_op_read.sum", 32}, {"lts__t_sectors_op_write.sum", 32}),

    /* Pipelines: instructions of warps, which take as long with idle lanes. */
    COUNT(PS_M_FMA_PIPE, {"sm__inst_executed_pipe_fma.sum", 32}),
    COUNT(PS_M_FMA_PIPE, {SASS("fadd"), 1}, {SASS("fmul"), 1}, {SASS("ffma"), 1}),
    COUNT(PS_M_SPECIAL, {"sm__inst_executed_pipe_xu.sum", 32}),
    COUNT(PS_M_LOCAL, {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", 128}),

    COUNT(PS_M_CYCLES, {PS_NCU_CYCLES, 1}),
    SECONDS("gpu__time_duration.sum"),
    SECONDS("gpu__time_duration.avg"),
    SECONDS("Duration"),
};

const PsFormulas ps_ncu_formulas = {formulas,
                                    G_N_ELEMENTS(formulas),
                                    "ncu --csv --metrics ",
                                    ",",
                                    "ncu --csv --metrics gpu__time_duration.sum",
                                    TRUE};

int ps_ncu_name_column(const PsHeader *header)
{
    static const char *const names[] = {"Kernel Name", "Demangled Name", "Function Name"};
    int column = -1;
    for (guint i = 0; column < 0 && i < G_N_ELEMENTS(names); i++)
        column = ps_header_find(header, names[i]);
    return column;
}

static int start_table(PsImport *import, const PsNcuTable *table, gpointer self, GError **error)
{
    const int name = ps_import_header(import, error) ? table->start(self, error) : -1;
    return name >= 0 && ps_import_decimals(import, error) ? name : -1;
}

gboolean ps_ncu_read(PsImport *import, PsNcu *ncu, const PsNcuTable *table, gpointer self,
                     GError **error)
{
    PsCsvState state;
    int name = start_table(import, table, self, error);
    if (name < 0)
        return FALSE;
    while ((state = ps_import_row(import, error)) == PS_CSV_ROW) {
        if (ps_import_is_prose(import))
            continue;
        /* the header again */
        if (strcmp(ps_import_text(import, name), import->header.names[name]) == 0)
            name = start_table(import, table, self, error);
        else if (!table->row(self, error))
            return FALSE;
        if (name < 0)
            return FALSE;
    }
    return state == PS_CSV_END && ps_ncu_finish(ncu, error);
}

guint ps_ncu_capability(const PsImport *import)
{
    const char *text = ps_import_text(import, ps_header_find(&import->header, "CC"));
    char *point, *end;
    if (!g_ascii_isdigit(*text))
        return 0;
    const guint64 major = g_ascii_strtoull(text, &point, 10);
    if (*point != '.' || !g_ascii_isdigit(point[1]))
        return 0;
    const guint64 minor = g_ascii_strtoull(point + 1, &end, 10);
    return *end || major < 1 || major > 99 || minor > 9 ? 0 : (guint)(10 * major + minor);
}

const char *ps_ncu_name(const PsImport *import, int column, GError **error)
{
    const char *name = ps_import_text(import, column);
    if (*name)
        return name;
    ps_csv_error(import->csv, (guint)column, PS_ERROR_VALUE, error, "%s is empty",
                 import->header.names[column]);
    return NULL;
}
