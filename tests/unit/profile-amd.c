/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Profiles of AMD's tools: a real one, whose kernel is known; each version's form, in small; and
 * what is wrong with a file, with its place.
 */
#include "tests/help/profile.h"
#include <math.h>
#include <string.h>

static PsProfile *load_apart(const char *text)
{
    const PsProfileOptions apart = {.apart = TRUE};
    return profile_text(text, &apart);
}

/* ---- the real one -------------------------------------------------------------------------- */

/* A thread copies a double: 8 MiB are read and written, and a few requests are of others; 16 384
 * waves load once and store once. SQ_INSTS are 24 for a wave, 7 of them integer; no other type. */
static void test_veccopy(void)
{
    g_autoptr(PsProfile) profile = profile_file(PROFILES "mi200-veccopy-pmc_perf.csv", NULL);
    const double threads = 1048576, waves = threads / 64, mib = 1048576;
    const PsProfileKernel *kernel = profile_kernel(profile, 0);
    g_assert_cmpstr(kernel->name, ==, "vecCopy(double*, double*, double*, int, int) [clone .kd]");
    g_assert_cmpstr(kernel->device, ==, "GPU 2");
    g_assert_cmpint(kernel->launches, ==, 1);
    g_assert_cmpint(kernel->line, ==, 2);
    profile_near(kernel->seconds, 20160e-9);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_TRAN_R), ==, 8 * mib + 8 * 64);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_TRAN_W), ==, 8 * mib);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_BEHIND_L2), ==, 16 * mib + 8 * 64);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_L2), ==, 16 * mib);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_L1), ==, 64 * 524288.0);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_LDST), ==, 2 * threads);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_INST), ==, 24 * waves * 64);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_INT), ==, 7 * threads);
    static const PsMetric none[] = {PS_M_FP64, PS_M_FMA64, PS_M_FP32,   PS_M_FMA32,
                                    PS_M_FP16, PS_M_OPS16, PS_M_TENSOR, PS_M_OPS_TENSOR};
    for (guint i = 0; i < G_N_ELEMENTS(none); i++)
        g_assert_cmpfloat(profile_metric(profile, 0, none[i]), ==, 0);
    g_assert_cmpint(kernel->params.K_type, ==, PS_K_INT);
    g_assert_cmpfloat(kernel->params.W_traf, ==, 16 * mib + 512);
    profile_near(kernel->params.D_ops, 7.0 / 24);
    profile_near(kernel->params.D_ldst, 2.0 / 24);
    g_assert_cmpuint(profile ? profile->warnings->len : 1, ==, 0);
}

/* Only times, which go with another file. */
static void test_timestamps(void)
{
    g_autoptr(PsProfile) profile = profile_file(PROFILES "mi200-veccopy-timestamps.csv", NULL);
    profile_near(profile_kernel(profile, 0)->seconds, 20160e-9);
    g_assert_true(isnan(profile_kernel(profile, 0)->params.W_traf));
    g_assert_true(profile_warns(profile, "there are durations and no metrics", ""));
}

static void test_unknown(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsProfile) peaks = ps_profile_load(PROFILES "mi200-peaks.csv", NULL, &error);
    g_assert_null(peaks);
    g_assert_error(error, PS_ERROR, PS_ERROR_SYNTAX);
    g_assert_nonnull(strstr(error ? error->message : "", ":1: this is no profile of a kind"));
    g_assert_nonnull(strstr(error ? error->message : "", "rocprofv3"));
    static const char *const others[] = {
        "workload_name,command,timestamp,gpu_model,cu_per_gpu,wave_size\nd,./c,1,MI200,104,64\n",
        "\"Kind\",\"Direction\",\"Start_Timestamp\",\"End_Timestamp\"\n\"MEMORY_COPY\",\"x\",1,2\n",
        "\"Domain\",\"Function\",\"Process_Id\",\"Start_Timestamp\"\n\"HIP\",\"hipMalloc\",1,2\n"};
    for (guint i = 0; i < G_N_ELEMENTS(others); i++) {
        g_autoptr(GError) other = NULL;
        g_autoptr(PsProfile) profile = profile_bytes(others[i], strlen(others[i]), NULL, &other);
        g_assert_null(profile);
        g_assert_true(other &&
                      g_str_has_prefix(other->message, "F:1: this is no profile of a kind"));
    }
}

/* ---- a row per launch ---------------------------------------------------------------------- */

#define V1 "Index,KernelName,gpu-id,queue-id,grd,wgr,lds,wave_size,sig,obj,"
#define V1_TIMES ",DispatchNs,BeginNs,EndNs,CompleteNs\n"
#define V1_ROW "0,\"k(int, int) [clone .kd]\",3,0,64,64,0,64,0x0,0x7f,"

static void test_v1(void)
{
    static const char text[] =
        V1 "FetchSize,WriteSize,SQ_INSTS_VALU_FMA_F32" V1_TIMES V1_ROW
           "1.5000000000,2,10,90,100,200,300\n" V1_ROW "2.5,2.0,30,90,1000,1200,1300\n";
    g_autoptr(PsProfile) sum = profile_text(text, NULL);
    g_assert_cmpstr(sum ? sum->kind : "", ==, "rocprof");
    g_assert_cmpstr(profile_kernel(sum, 0)->device, ==, "GPU 3");
    g_assert_cmpint(profile_kernel(sum, 0)->launches, ==, 2);
    profile_near(profile_kernel(sum, 0)->seconds, 300e-9);
    g_assert_cmpfloat(profile_metric(sum, 0, PS_M_TRAN_R), ==, 4096);
    g_assert_cmpfloat(profile_metric(sum, 0, PS_M_TRAN_W), ==, 4096);
    g_assert_cmpfloat(profile_metric(sum, 0, PS_M_FMA32), ==, 40 * 64);
    g_assert_true(profile_warns(sum, "M_fp64", ""));
    g_assert_true(profile_warns(sum, "pmc: SQ_INSTS", ""));
    g_autoptr(PsProfile) apart = load_apart(text);
    g_assert_cmpint(profile_kernel(apart, 1)->launch, ==, 2);
    g_assert_cmpint(profile_kernel(apart, 1)->line, ==, 3);
    g_assert_cmpfloat(profile_metric(apart, 1, PS_M_TRAN_R), ==, 2560);
}

static void test_v2(void)
{
    g_autoptr(PsProfile) profile = profile_text(
        "Dispatch_ID,GPU_ID,Queue_ID,PID,TID,Grid_Size,Workgroup_Size,Wave_Size,Kernel_Name,"
        "Start_Timestamp,End_Timestamp,Correlation_ID,SQ_INSTS,FETCH_SIZE\n\n"
        "1,4,1,1,2,10,10,32,\"hello(char*, char*) (.kd)\",9223372036854775800,"
        "9223372036854775807,33,100.000000,12.500000\n",
        NULL);
    g_assert_cmpstr(profile_kernel(profile, 0)->name, ==, "hello(char*, char*) (.kd)");
    profile_near(profile_kernel(profile, 0)->seconds, 7e-9);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_INST), ==, 3200);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_TRAN_R), ==, 12800);
}

/* Channels are summed, unless their sum is there; the same counter twice counts once. */
static void test_channels(void)
{
    g_autoptr(PsProfile) profile =
        profile_text(V1 "TCC_EA_RDREQ[0],TCC_EA_RDREQ[1],TCC_EA_RDREQ_32B[0],TCC_EA_RDREQ_32B[1],"
                        "TCC_EA_WRREQ[0],TCC_EA_WRREQ_sum,TCC_EA_WRREQ_64B_sum,"
                        "TCC_EA_WRREQ_sum" V1_TIMES V1_ROW "10,20,5,6,4,8,6,8,90,100,200,300\n",
                     NULL);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_TRAN_R), ==, 64 * (30 - 11) + 32 * 11);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_TRAN_W), ==, 64 * 6 + 32 * 2);
}

/* MI300 and MI350 read up to 128 bytes at a time, and tell so each in its own way. */
static void test_large_reads(void)
{
    g_autoptr(PsProfile) blind =
        profile_text(V1 "TCC_EA0_RDREQ_sum,TCC_EA0_RDREQ_32B_sum,TCC_EA0_WRREQ_sum,"
                        "TCC_EA0_WRREQ_64B_sum" V1_TIMES V1_ROW "100,10,5,3,90,100,200,300\n",
                     NULL);
    g_assert_cmpfloat(profile_metric(blind, 0, PS_M_TRAN_R), ==, 64 * 90 + 32 * 10);
    g_assert_cmpfloat(profile_metric(blind, 0, PS_M_TRAN_W), ==, 64 * 3 + 32 * 2);
    g_assert_true(profile_warns(blind, "reads of 128 bytes are not told apart", ""));
    g_autoptr(PsProfile) mi300 =
        profile_text(V1 "TCC_EA0_RDREQ_sum,TCC_EA0_RDREQ_32B_sum,TCC_BUBBLE_sum" V1_TIMES V1_ROW
                        "100,10,50,90,100,200,300\n",
                     NULL);
    g_assert_cmpfloat(profile_metric(mi300, 0, PS_M_TRAN_R), ==, 128 * 50 + 64 * 40 + 32 * 10);
    g_assert_false(profile_warns(mi300, "128 bytes", ""));
    g_autoptr(PsProfile) mi350 =
        profile_text(V1 "TCC_EA0_RDREQ_sum,TCC_EA0_RDREQ_32B_sum,TCC_EA0_RDREQ_64B_sum,"
                        "TCC_EA0_RDREQ_128B_sum,TCC_BUBBLE_sum" V1_TIMES V1_ROW
                        "100,10,40,50,0,90,100,200,300\n",
                     NULL);
    g_assert_cmpfloat(profile_metric(mi350, 0, PS_M_TRAN_R), ==, 128 * 50 + 64 * 40 + 32 * 10);
}

#define VALU(type)                                                                                 \
    "SQ_INSTS_VALU_ADD_" type ",SQ_INSTS_VALU_MUL_" type ",SQ_INSTS_VALU_FMA_" type                \
    ",SQ_INSTS_VALU_TRANS_" type ","

static void test_types(void)
{
    g_autoptr(PsProfile) profile = profile_text(
        V1 VALU("F16") VALU("F32")
            VALU("F64") "SQ_INSTS_VALU_INT32,SQ_INSTS_VALU_INT64,"
                        "SQ_INSTS_MFMA,SQ_INSTS_VALU_MFMA_MOPS_F16,SQ_INSTS_VALU_MFMA_MOPS_F8,SQ_"
                        "INSTS_VMEM_RD,"
                        "SQ_INSTS_VMEM_WR,SQ_INSTS_LDS,SQ_INSTS_FLAT_LDS_ONLY,SQ_INSTS_VALU,SQ_"
                        "INSTS_SALU,"
                        "SQ_INSTS_SMEM,TCC_REQ_sum" V1_TIMES V1_ROW
                        "1,2,4,8,10,20,40,80,100,200,400,800,3,5,7,11,13,30,20,10,1,900,70,60,17,"
                        "90,100,200,300\n",
        NULL);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_FP16), ==, 64 * 15);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_OPS16), ==, 64 * 19);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_FP32), ==, 64 * 150);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_FMA32), ==, 64 * 40);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_FMA_PIPE), ==, 64 * 70);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_SPECIAL), ==, 64 * 80);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_FP64), ==, 64 * 1500);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_FMA64), ==, 64 * 400);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_INT), ==, 64 * 8);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_TENSOR), ==, 64 * 7);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_OPS_TENSOR), ==, 512 * (11 + 13));
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_LDST), ==, 64 * (30 + 20 + 10 - 1));
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_INST), ==,
                      64 * (900 + 70 + 60 + 30 + 20 + 10));
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_L2), ==, 128 * 17);
    g_assert_true(profile_warns(profile, "upper bound", ""));
    g_assert_cmpint(profile_kernel(profile, 0)->params.K_type, ==, PS_K_FP64);
}

static double amd_metric(const char *counters, const char *values, PsMetric metric)
{
    g_autofree char *text =
        g_strconcat(V1, counters, V1_TIMES V1_ROW, values, ",90,100,200,300\n", NULL);
    g_autoptr(PsProfile) profile = profile_text(text, NULL);
    return profile_metric(profile, 0, metric);
}

/* What each architecture counts of loads and stores, and of matrix instructions: of waves. */
static void test_other_counters(void)
{
    static const struct {
        const char *counters, *values;
        PsMetric metric;
        double expected;
    } cases[] = {
        {"SQ_INSTS_VMEM,SQ_INSTS_LDS,SQ_INSTS_FLAT_LDS_ONLY", "50,10,4", PS_M_LDST, 64 * 56},
        {"SQ_INSTS_VMEM,SQ_INSTS_LDS", "50,10", PS_M_LDST, 64 * 60},
        {"SQ_INSTS_VMEM_RD,SQ_INSTS_VMEM_WR,SQ_INSTS_LDS", "30,20,10", PS_M_LDST, 64 * 60},
        {"SQ_INSTS_VALU_MFMA_F16,SQ_INSTS_VALU_MFMA_I8", "3,4", PS_M_TENSOR, 64 * 7},
        {"SQ_INSTS_VALU_MFMA_F6F4", "5", PS_M_TENSOR, 64 * 5},
        {"SQ_INSTS_VALU_MFMA_MOPS_I8", "5", PS_M_OPS_TENSOR, 512 * 5}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        g_assert_cmpfloat(amd_metric(cases[i].counters, cases[i].values, cases[i].metric), ==,
                          cases[i].expected);
}

/* What a join of tables left blank, and what the profiler could not tell. */
static void test_missing(void)
{
    g_autoptr(PsProfile) profile = profile_text(
        V1 "SQ_INSTS,FETCH_SIZE,WRITE_SIZE" V1_TIMES V1_ROW ",n/a,1,90,100,200,300\n", NULL);
    g_assert_true(isnan(profile_metric(profile, 0, PS_M_INST)));
    g_assert_true(isnan(profile_metric(profile, 0, PS_M_TRAN_R)));
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_TRAN_W), ==, 1024);
    g_assert_true(profile_warns(profile, "M_inst (SQ_INSTS has no value in line 2)", ""));
    g_assert_true(profile_warns(profile, "M_tran-r (FETCH_SIZE has no value in line 2)", ""));
}

/* ---- rocprofv3 ----------------------------------------------------------------------------- */

#define V3                                                                                         \
    "\"Correlation_Id\",\"Dispatch_Id\",\"Agent_Id\",\"Process_Id\",\"Kernel_Name\","              \
    "\"Counter_Name\",\"Counter_Value\",\"Start_Timestamp\",\"End_Timestamp\"\n"
#define K1 "1,1,\"Agent 4\",7,\"k(int, int)\","
#define K2 "2,2,\"Agent 4\",7,\"k(int, int)\","
#define M3 "3,3,\"Agent 4\",7,\"m\","
#define T1 ",100,200\n"
#define T2 ",1000,1200\n"

static void assert_two_kernels(const char *text)
{
    g_autoptr(PsProfile) profile = profile_text(text, NULL);
    g_assert_cmpstr(profile ? profile->kind : "", ==, "rocprofv3");
    g_assert_cmpstr(profile_kernel(profile, 0)->name, ==, "k(int, int)");
    g_assert_cmpstr(profile_kernel(profile, 0)->device, ==, "Agent 4");
    g_assert_cmpint(profile_kernel(profile, 0)->launches, ==, 2);
    profile_near(profile_kernel(profile, 0)->seconds, 300e-9);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_INST), ==, 64 * 30);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_TRAN_W), ==, 3072);
    g_assert_cmpint(profile_kernel(profile, 1)->launches, ==, 1);
    profile_near(profile_kernel(profile, 1)->seconds, 200e-9);
    g_assert_cmpfloat(profile_metric(profile, 1, PS_M_INST), ==, 64 * 5);
    g_assert_cmpfloat(profile_metric(profile, 1, PS_M_TRAN_W), ==, 4096);
    g_assert_true(profile_warns(profile, "the wave size is not told", ""));
}

static const char by_launch[] =
    V3 K1 "\"SQ_INSTS\",10.000000" T1 K1 "\"WRITE_SIZE\",1" T1 K2 "\"SQ_INSTS\",20" T2 K2
          "\"WRITE_SIZE\",2.0" T2 M3 "\"SQ_INSTS\",5" T2 M3 "\"WRITE_SIZE\",4" T2;
static const char by_counter[] =
    V3 K1 "\"SQ_INSTS\",10" T1 K2 "\"SQ_INSTS\",20" T2 M3 "\"SQ_INSTS\",5" T2 K1
          "\"WRITE_SIZE\",1" T1 K2 "\"WRITE_SIZE\",2" T2 M3 "\"WRITE_SIZE\",4" T2;

static void test_v3(void)
{
    assert_two_kernels(by_launch);
    assert_two_kernels(by_counter);
    assert_two_kernels(V3 K1 "\"SQ_INSTS\",10" T1 K2 "\"SQ_INSTS\",20" T2 M3
                             "\"SQ_INSTS\",5" T2 V3 K1 "\"WRITE_SIZE\",1" T1 K2
                             "\"WRITE_SIZE\",2" T2 M3 "\"WRITE_SIZE\",4" T2);
}

static void test_v3_apart(void)
{
    g_autoptr(PsProfile) profile = load_apart(by_launch);
    g_assert_cmpuint(profile ? profile->kernels->len : 0, ==, 3);
    g_assert_cmpint(profile_kernel(profile, 1)->launch, ==, 2);
    g_assert_cmpfloat(profile_metric(profile, 1, PS_M_TRAN_W), ==, 2048);
    const PsProfileOptions apart = {.apart = TRUE};
    g_autoptr(GError) error = NULL;
    g_assert_null(profile_bytes(by_counter, strlen(by_counter), &apart, &error));
    g_assert_cmpstr(error ? error->message : NULL, ==,
                    "F:5:3: launches cannot be kept apart, for the rows of one do not stand "
                    "together; sort the file by Dispatch_Id, or have the launches summed");
}

/* Processes side by side have the same counters: these are other launches. */
static void test_v3_processes(void)
{
    g_autoptr(PsProfile) profile =
        profile_text(V3 K1 "\"SQ_INSTS\",10" T1 K2 "\"SQ_INSTS\",20" T2 V3
                           "1,1,\"Agent 4\",8,\"k(int, int)\",\"SQ_INSTS\",40" T1,
                     NULL);
    g_assert_cmpint(profile_kernel(profile, 0)->launches, ==, 3);
    profile_near(profile_kernel(profile, 0)->seconds, 400e-9);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_INST), ==, 64 * 70);
}

/* The same where there is one counter, and no times. */
static void test_v3_processes_alone(void)
{
#define ONE_COUNTER "\"Dispatch_Id\",\"Kernel_Name\",\"Counter_Name\",\"Counter_Value\"\n"
    g_autoptr(PsProfile) profile = profile_text(
        ONE_COUNTER
        "1,\"k\",\"SQ_INSTS_VALU_ADD_F64\",1\n2,\"k\",\"SQ_INSTS_VALU_ADD_F64\",2\n" ONE_COUNTER
        "1,\"k\",\"SQ_INSTS_VALU_ADD_F64\",4\n",
        NULL);
    g_assert_cmpint(profile_kernel(profile, 0)->launches, ==, 3);
}

/* Instances of a counter in rows of their own; a launch without its last counter; no times. */
static void test_v3_odd(void)
{
    g_autoptr(PsProfile) instances =
        profile_text(V3 K1 "\"TCC_EA0_RDREQ\",10" T1 K1 "\"TCC_EA0_RDREQ\",20" T1 K1
                           "\"TCC_EA0_RDREQ_32B\",0" T1,
                     NULL);
    g_assert_cmpfloat(profile_metric(instances, 0, PS_M_TRAN_R), ==, 30 * 64);
    g_autoptr(PsProfile) sum = profile_text(V3 K1 "\"SQ_INSTS_sum\",10" T1, NULL);
    g_assert_cmpfloat(profile_metric(sum, 0, PS_M_INST), ==, 64 * 10);
    g_autoptr(PsProfile) cut = profile_text(
        V3 K1 "\"SQ_INSTS\",10" T1 K1 "\"WRITE_SIZE\",1" T1 K2 "\"SQ_INSTS\",20" T2, NULL);
    g_assert_true(isnan(profile_metric(cut, 0, PS_M_TRAN_W)));
    g_assert_true(profile_warns(cut, "(WRITE_SIZE is there for 1 of 2 launches)", ""));
    g_autoptr(PsProfile) timeless = profile_text(
        "\xEF\xBB\xBF\"Dispatch_Id\",\"Kernel_Name\",\"Counter_Name\",\"Counter_Value\"\r\n"
        "\"6\",\"k\",\"FETCH_SIZE\",\"2048\"\r\n",
        NULL);
    g_assert_cmpfloat(profile_metric(timeless, 0, PS_M_TRAN_R), ==, 2048 * 1024);
    g_assert_true(isnan(profile_kernel(timeless, 0)->seconds));
}

/* ---- durations ----------------------------------------------------------------------------- */

/* A trace and statistics, each lent to the kernels of a file that has no times. */
static void test_durations(void)
{
    static const char *const durations[] = {
        "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Kernel_Id\",\"Kernel_Name\",\"Correlation_Id\","
        "\"Start_Timestamp\",\"End_Timestamp\",\"Grid_Size_X\"\n"
        "\"KERNEL_DISPATCH\",4,13,15,\"k(int, int)\",0,671599758568,671599825328,4\n"
        "\"KERNEL_DISPATCH\",4,13,15,\"k(int, int)\",0,671599858568,671599925328,4\n",
        "\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\",\"Percentage\"\n"
        "\"k(int, int)\",4,267040,66760.0,100.0\n"};
    static const char *const kinds[] = {"rocprofv3 kernel trace", "rocprof statistics"};
    for (guint i = 0; i < G_N_ELEMENTS(durations); i++) {
        g_autoptr(PsProfile) profile =
            profile_text("\"Dispatch_Id\",\"Agent_Id\",\"Kernel_Name\",\"Counter_Name\","
                         "\"Counter_Value\"\n1,4,\"k(int, int)\",\"FETCH_SIZE\",1\n"
                         "2,4,\"k(int, int)\",\"FETCH_SIZE\",1\n",
                         NULL);
        g_autoptr(PsProfile) times = profile_text(durations[i], NULL);
        g_assert_cmpstr(times ? times->kind : "", ==, kinds[i]);
        if (!profile || !times)
            return;
        g_assert_cmpuint(ps_profile_join(profile, times), ==, 1);
        profile_near(profile_kernel(profile, 0)->seconds, 133520e-9);
    }
}

/* Version 1's names have commas and no quotes, and what its copies do stands among the kernels. */
static void test_plain_names(void)
{
    g_autoptr(PsProfile) profile = profile_text(
        "\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\",\"Percentage\"\n"
        "void add<float, 3, std::less<int>>(int, float*) [clone .kd],4,8000,2000,80.0\n"
        "Unknown command type,3\n"
        "Unknown command type,2,500,250,5.0\n"
        "plain,1,1500,1500,15.0\n",
        NULL);
    g_assert_cmpuint(profile->kernels->len, ==, 2);
    g_assert_cmpstr(profile_kernel(profile, 0)->name, ==,
                    "void add<float, 3, std::less<int>>(int, float*) [clone .kd]");
    g_assert_cmpint(profile_kernel(profile, 0)->launches, ==, 4);
    g_assert_cmpuint(profile_kernel(profile, 0)->capability, ==, 0); /* which is NVIDIA's */
    profile_near(profile_kernel(profile, 0)->seconds, 8e-6);
    profile_near(profile_kernel(profile, 1)->seconds, 1.5e-6);
    profile_bad("\"Name\",\"Calls\",\"TotalDurationNs\"\n\"k, l\",2,5,7\n",
                "F:2:12: this row has 4 fields, and the header in line 1 has 3");
}

/* Times may have decimals. Where a spreadsheet rounded them, counters are as good as ever. */
static void test_times(void)
{
    g_autoptr(PsProfile) exact = profile_text(
        V1 "SQ_INSTS" V1_TIMES V1_ROW "5,90,41551790928449.54,41551790929450.04,300\n", NULL);
    profile_near(profile_kernel(exact, 0)->seconds, 1000.5e-9);
    g_autoptr(PsProfile) rounded =
        profile_text(V1 "SQ_INSTS" V1_TIMES V1_ROW "5,90,1.62068E+14,1.62068E+14,300\n", NULL);
    g_assert_true(isnan(profile_kernel(rounded, 0)->seconds));
    g_assert_cmpfloat(profile_metric(rounded, 0, PS_M_INST), ==, 5 * 64);
    g_assert_true(profile_warns(rounded, "times are rounded (line 2 is the first)", ""));
    profile_bad(V1 "SQ_INSTS" V1_TIMES V1_ROW "5,90,100.75,100.5,300\n",
                "F:2:65: EndNs is 100.5, but BeginNs 100.75: a kernel takes more than 0");
    profile_bad(V1 "SQ_INSTS" V1_TIMES V1_ROW "5,90,1.5.2,200,300\n",
                "F:2:58: BeginNs: '1.5.2' is no time; it must be a number of nanoseconds");
    profile_bad(V1 "SQ_INSTS" V1_TIMES V1_ROW "5,90,1e5x,200,300\n",
                "F:2:58: BeginNs: '1e5x' is no time; it must be a number of nanoseconds");
}

/* ---- bad files ----------------------------------------------------------------------------- */

static void test_bad_times(void)
{
    profile_bad(V1 "SQ_INSTS" V1_TIMES V1_ROW "5,90,300,200,300\n",
                "F:2:62: EndNs is 200, but BeginNs 300: a kernel takes more than 0");
    profile_bad(V1 "SQ_INSTS" V1_TIMES V1_ROW "5,90,200,200,300\n",
                "F:2:62: EndNs is 200, but BeginNs 200: a kernel takes more than 0");
    profile_bad(V1 "SQ_INSTS" V1_TIMES V1_ROW "5,90,-1,200,300\n",
                "F:2:58: BeginNs: '-1' is no time; it must be a number of nanoseconds");
    profile_bad(V1 "SQ_INSTS" V1_TIMES V1_ROW "5,90,1,99999999999999999999,300\n",
                "F:2:60: EndNs: '99999999999999999999' is no time; it must be a number of "
                "nanoseconds");
    profile_bad("\"Name\",\"Calls\",\"TotalDurationNs\"\n\"k\",2,0\n",
                "F:2:7: TotalDurationNs: '0' is no duration: a kernel takes more than 0");
    profile_bad("\"Name\",\"Calls\",\"TotalDurationNs\"\n\"k\",0,5\n",
                "F:2:5: Calls: '0' is no whole number of at least 1");
}

static void test_bad_numbers(void)
{
    profile_bad(V1 "SQ_INSTS" V1_TIMES V1_ROW "-5,90,100,200,300\n",
                "F:2:53: SQ_INSTS: '-5' is negative, and no count or duration can be");
    profile_bad(V1 "SQ_INSTS" V1_TIMES V1_ROW "1e999,90,100,200,300\n",
                "F:2:53: SQ_INSTS: '1e999' is too large for a number");
    profile_bad(V1 "SQ_INSTS" V1_TIMES V1_ROW "1e308,90,100,200,300\n",
                "F:2: M_inst of the kernel that begins here is too large for a number");
    profile_bad(V1 "SQ_INSTS" V1_TIMES V1_ROW "abc,90,100,200,300\n",
                "F:2:53: SQ_INSTS: 'abc' is no number");
    profile_bad(V1 "SQ_INSTS" V1_TIMES "0,\"k\",3,0,64,64,0,48,0x0,0x7f,5,90,100,200,300\n",
                "F:2:19: a wave of 48 threads; waves have 32 or 64");
    profile_bad(V3 "1,x,4,7,\"k\",\"SQ_INSTS\",5" T1, "F:2:3: Dispatch_Id: 'x' is no number");
}

static void test_bad_tables(void)
{
    profile_bad(V1 "SQ_INSTS" V1_TIMES V1_ROW "5,90,100,200,300\n" V1_ROW "5,90",
                "F:3:55: this row has 12 fields, and the header in line 1 has 15: the file is cut "
                "off");
    profile_bad(V1 "SQ_INSTS" V1_TIMES "0,\"\",3,0,64,64,0,64,0x0,0x7f,5,90,100,200,300\n",
                "F:2:3: a launch without its kernel's name");
    profile_bad(V1 "SQ_INSTS" V1_TIMES,
                "F:1: no kernel stands below this header: was one launched and profiled?");
    profile_bad("Index,gpu-id,grd,SQ_INSTS\n0,0,64,5\n",
                "F:1: the column \"KernelName\" is missing in this header of rocprof");
    profile_bad(V1 "SQ_INSTS,BeginNs\n" V1_ROW "5,100\n",
                "F:1: the column \"EndNs\" is missing in this header of rocprof");
    profile_bad("Dispatch_ID,GPU_ID,Kernel_Name,End_Timestamp\n0,0,k,5\n",
                "F:1: the column \"Start_Timestamp\" is missing in this header of rocprof");
    profile_bad("\"Dispatch_Id\",\"Kernel_Name\",\"Counter_Value\"\n1,k,5\n",
                "F:1: the column \"Counter_Name\" is missing in this header of rocprofv3");
    profile_bad("\"Name\",\"TotalDurationNs\"\n\"k\",5\n",
                "F:1: the column \"Calls\" is missing in this header of rocprof statistics");
    profile_bad("\"Kind\",\"Kernel_Id\",\"Start_Timestamp\",\"End_Timestamp\"\n\"D\",1,2,3\n",
                "F:1: the column \"Kernel_Name\" is missing in this header of rocprofv3 kernel "
                "trace");
}

/* Very many columns, none of them of use. */
static void test_wide(void)
{
    g_autoptr(GString) text = g_string_new(V1 "x");
    for (guint i = 0; i < 20000; i++)
        g_string_append(text, ",TCC_HIT[1]");
    g_string_append(text, "\n");
    profile_bad(text->str,
                "F:1: no kernel stands below this header: was one launched and profiled?");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/profile-amd/veccopy", test_veccopy);
    g_test_add_func("/profile-amd/timestamps", test_timestamps);
    g_test_add_func("/profile-amd/unknown", test_unknown);
    g_test_add_func("/profile-amd/v1", test_v1);
    g_test_add_func("/profile-amd/v2", test_v2);
    g_test_add_func("/profile-amd/channels", test_channels);
    g_test_add_func("/profile-amd/large-reads", test_large_reads);
    g_test_add_func("/profile-amd/types", test_types);
    g_test_add_func("/profile-amd/other-counters", test_other_counters);
    g_test_add_func("/profile-amd/missing", test_missing);
    g_test_add_func("/profile-amd/v3", test_v3);
    g_test_add_func("/profile-amd/v3-apart", test_v3_apart);
    g_test_add_func("/profile-amd/v3-processes", test_v3_processes);
    g_test_add_func("/profile-amd/v3-processes-alone", test_v3_processes_alone);
    g_test_add_func("/profile-amd/v3-odd", test_v3_odd);
    g_test_add_func("/profile-amd/durations", test_durations);
    g_test_add_func("/profile-amd/plain-names", test_plain_names);
    g_test_add_func("/profile-amd/times", test_times);
    g_test_add_func("/profile-amd/bad-times", test_bad_times);
    g_test_add_func("/profile-amd/bad-numbers", test_bad_numbers);
    g_test_add_func("/profile-amd/bad-tables", test_bad_tables);
    g_test_add_func("/profile-amd/wide", test_wide);
    return g_test_run();
}
