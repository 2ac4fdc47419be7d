/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program of cuBLASLt's interface: products with what is done to their results, held against sums
 * in double precision. Compiled with NVIDIA's headers (-DHEADERS) it shows that these declare the
 * same as what is declared here.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifdef HEADERS
#include <cublasLt.h>
#include <cuda_runtime_api.h>
#else
typedef int cublasStatus_t, cudaError_t, cudaDataType, cublasComputeType_t, cublasOperation_t;
typedef int cublasLtMatmulDescAttributes_t, cublasLtMatrixLayoutAttribute_t, cublasLtOrder_t;
typedef int cublasLtEpilogue_t;
typedef struct cublasLtContext *cublasLtHandle_t;
typedef struct {
    uint64_t data[32];
} * cublasLtMatmulDesc_t;
typedef struct {
    uint64_t data[8];
} * cublasLtMatrixLayout_t, *cublasLtMatmulPreference_t, cublasLtMatmulAlgo_t;
typedef struct {
    cublasLtMatmulAlgo_t algo;
    size_t workspaceSize;
    cublasStatus_t state;
    float wavesCount;
    int reserved[4];
} cublasLtMatmulHeuristicResult_t;
typedef struct CUstream_st *cudaStream_t;
enum { CUBLAS_OP_N, CUBLAS_OP_T };
enum { CUDA_R_32F = 0, CUDA_R_64F = 1, CUDA_R_16F = 2, CUDA_R_8I = 3, CUDA_R_16BF = 14 };
enum { CUBLAS_COMPUTE_32F = 68, CUBLAS_COMPUTE_64F = 70 };
enum { CUBLASLT_ORDER_COL, CUBLASLT_ORDER_ROW };
enum {
    CUBLASLT_EPILOGUE_DEFAULT = 1,
    CUBLASLT_EPILOGUE_RELU = 2,
    CUBLASLT_EPILOGUE_BIAS = 4,
    CUBLASLT_EPILOGUE_RELU_BIAS = 6,
    CUBLASLT_EPILOGUE_GELU = 32,
    CUBLASLT_EPILOGUE_GELU_BIAS = 36,
    CUBLASLT_EPILOGUE_GELU_AUX = 160
};
enum { CUBLASLT_MATRIX_LAYOUT_ORDER = 1, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5 };
enum { CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6 };
enum {
    CUBLASLT_MATMUL_DESC_TRANSA = 3,
    CUBLASLT_MATMUL_DESC_TRANSB = 4,
    CUBLASLT_MATMUL_DESC_EPILOGUE = 7,
    CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8,
    CUBLASLT_MATMUL_DESC_A_SCALE_POINTER = 17
};
enum { CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1 };
enum { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2 };

cudaError_t cudaMalloc(void **to, size_t bytes);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, int way);
cublasStatus_t cublasLtCreate(cublasLtHandle_t *lt);
cublasStatus_t cublasLtDestroy(cublasLtHandle_t lt);
const char *cublasLtGetStatusName(cublasStatus_t status);
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *product, cublasComputeType_t compute,
                                        cudaDataType scale);
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t product);
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t product,
                                              cublasLtMatmulDescAttributes_t attribute,
                                              const void *value, size_t bytes);
cublasStatus_t cublasLtMatmulDescGetAttribute(cublasLtMatmulDesc_t product,
                                              cublasLtMatmulDescAttributes_t attribute, void *value,
                                              size_t bytes, size_t *written);
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *layout, cudaDataType type,
                                          uint64_t rows, uint64_t columns, int64_t lead);
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout);
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute,
                                                const void *value, size_t bytes);
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *preference);
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference);
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    int attribute, const void *value, size_t bytes);
cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t lt, cublasLtMatmulDesc_t product,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int wanted,
                                              cublasLtMatmulHeuristicResult_t found[], int *n);
cublasStatus_t cublasLtMatmul(cublasLtHandle_t lt, cublasLtMatmulDesc_t product, const void *alpha,
                              const void *a, cublasLtMatrixLayout_t of_a, const void *b,
                              cublasLtMatrixLayout_t of_b, const void *beta, const void *c,
                              cublasLtMatrixLayout_t of_c, void *d, cublasLtMatrixLayout_t of_d,
                              const cublasLtMatmulAlgo_t *algorithm, void *workspace, size_t bytes,
                              cudaStream_t stream);
#endif

enum { M = 70, N = 45, K = 37, MOST = 2 * 80 * 80, LEAD = 80 };

static double a[MOST], b[MOST], c[MOST], bias[LEAD], got[MOST];
static void *place[5]; /* A, B, C, D, bias */
static cublasLtHandle_t lt;

/* ---- numbers of each type ------------------------------------------------------------------- */

static size_t bytes_of(cudaDataType type)
{
    return type == CUDA_R_64F ? 8 : type == CUDA_R_32F ? 4 : 2;
}

/* All numbers here are multiples of 1/8 below 16, which each type has. */
static uint16_t half_of(double value)
{
    int power;
    const double part = frexp(fabs(value), &power);
    const unsigned int sign = value < 0 ? 0x8000 : 0;
    return (uint16_t)(value == 0 ? sign
                                 : sign | (unsigned int)(power + 14) << 10 |
                                       (unsigned int)((part * 2 - 1) * 1024));
}

static double of_half(uint16_t bits)
{
    const int power = bits >> 10 & 31, part = bits & 1023;
    const double value = power ? ldexp(1 + part / 1024.0, power - 15) : ldexp((double)part, -24);
    return bits & 0x8000 ? -value : value;
}

static void put(void *to, cudaDataType type, int i, double value)
{
    const float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    if (type == CUDA_R_64F)
        ((double *)to)[i] = value;
    else if (type == CUDA_R_32F)
        ((float *)to)[i] = single;
    else
        ((uint16_t *)to)[i] = type == CUDA_R_16F ? half_of(value) : (uint16_t)(bits >> 16);
}

static double get(const void *from, cudaDataType type, int i)
{
    float single;
    if (type == CUDA_R_64F)
        return ((const double *)from)[i];
    if (type == CUDA_R_32F)
        return ((const float *)from)[i];
    const uint16_t half = ((const uint16_t *)from)[i];
    const uint32_t bits = (uint32_t)half << 16;
    memcpy(&single, &bits, sizeof single);
    return type == CUDA_R_16F ? of_half(half) : single;
}

static void send(const double *values, int n, cudaDataType type, void *to)
{
    static double buffer[MOST];
    for (int i = 0; i < n; i++)
        put(buffer, type, i, values[i]);
    cudaMemcpy(to, buffer, (size_t)n * bytes_of(type), cudaMemcpyHostToDevice);
}

/* ---- products ------------------------------------------------------------------------------- */

typedef struct {
    cudaDataType type, result;
    cublasComputeType_t compute;
    cublasOperation_t op[2];
    cublasLtOrder_t order;
    cublasLtEpilogue_t then;
    int count;
    double beta;
} Case;

static cublasLtMatrixLayout_t layout_of(const Case *what, cudaDataType type, int rows, int columns)
{
    const int64_t stride = LEAD * LEAD;
    cublasLtMatrixLayout_t layout;
    cublasLtMatrixLayoutCreate(&layout, type, (uint64_t)rows, (uint64_t)columns, LEAD);
    cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_ORDER, &what->order,
                                     sizeof what->order);
    cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &what->count,
                                     sizeof what->count);
    cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride,
                                     sizeof stride);
    return layout;
}

static int at(const Case *what, int batch, int row, int column)
{
    return batch * LEAD * LEAD +
           (what->order == CUBLASLT_ORDER_ROW ? row * LEAD + column : column * LEAD + row);
}

static double wanted(const Case *what, int batch, int row, int column)
{
    double sum = what->beta * c[at(what, batch, row, column)];
    for (int k = 0; k < K; k++)
        sum +=
            0.5 *
            a[what->op[0] == CUBLAS_OP_N ? at(what, batch, row, k) : at(what, batch, k, row)] *
            b[what->op[1] == CUBLAS_OP_N ? at(what, batch, k, column) : at(what, batch, column, k)];
    if (what->then & CUBLASLT_EPILOGUE_BIAS)
        sum += bias[row];
    if (what->then & CUBLASLT_EPILOGUE_RELU)
        sum = fmax(sum, 0);
    if (what->then & CUBLASLT_EPILOGUE_GELU)
        sum = 0.5 * sum * (1 + tanh(0.7978845608028654 * (sum + 0.044715 * sum * sum * sum)));
    return sum;
}

static cublasStatus_t multiply(const Case *what, int *found)
{
    const int plain_a = what->op[0] == CUBLAS_OP_N, plain_b = what->op[1] == CUBLAS_OP_N;
    cublasLtMatrixLayout_t of_a = layout_of(what, what->type, plain_a ? M : K, plain_a ? K : M),
                           of_b = layout_of(what, what->type, plain_b ? K : N, plain_b ? N : K),
                           of_c = layout_of(what, what->result, M, N);
    const size_t room = 1 << 20;
    double alpha = 0, beta = 0;
    cublasLtMatmulDesc_t product;
    cublasLtMatmulPreference_t preference;
    cublasLtMatmulHeuristicResult_t result;
    put(&alpha, what->type == CUDA_R_64F ? CUDA_R_64F : CUDA_R_32F, 0, 0.5);
    put(&beta, what->type == CUDA_R_64F ? CUDA_R_64F : CUDA_R_32F, 0, what->beta);
    cublasLtMatmulDescCreate(&product, what->compute,
                             what->type == CUDA_R_64F ? CUDA_R_64F : CUDA_R_32F);
    cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_TRANSA, &what->op[0],
                                   sizeof what->op[0]);
    cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_TRANSB, &what->op[1],
                                   sizeof what->op[1]);
    cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_EPILOGUE, &what->then,
                                   sizeof what->then);
    cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &place[4],
                                   sizeof place[4]);
    cublasLtMatmulPreferenceCreate(&preference);
    cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                         &room, sizeof room);
    cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(lt, product, of_a, of_b, of_c, of_c,
                                                           preference, 1, &result, found);
    if (!status)
        status = cublasLtMatmul(lt, product, &alpha, place[0], of_a, place[1], of_b, &beta,
                                place[2], of_c, place[3], of_c, &result.algo, NULL, 0, NULL);
    cublasLtMatmulPreferenceDestroy(preference);
    cublasLtMatmulDescDestroy(product);
    cublasLtMatrixLayoutDestroy(of_a);
    cublasLtMatrixLayoutDestroy(of_b);
    cublasLtMatrixLayoutDestroy(of_c);
    return status;
}

/* The number of elements that are wrong. */
static int run(const Case *what, double tolerance)
{
    static double back[MOST];
    int wrong = 0, found = 0;
    send(a, MOST, what->type, place[0]);
    send(b, MOST, what->type, place[1]);
    send(c, MOST, what->result, place[2]);
    send(got, MOST, what->result, place[3]);
    send(bias, LEAD, what->result, place[4]);
    if (multiply(what, &found) || found != 1)
        return MOST;
    cudaMemcpy(back, place[3], MOST * bytes_of(what->result), cudaMemcpyDeviceToHost);
    for (int batch = 0; batch < what->count; batch++)
        for (int row = 0; row < M; row++)
            for (int column = 0; column < N; column++) {
                const double is = get(back, what->result, at(what, batch, row, column)),
                             should = wanted(what, batch, row, column);
                wrong += !(fabs(is - should) <= tolerance * (1 + fabs(should)));
            }
    return wrong;
}

static void products(const char *name, Case what, double tolerance)
{
    static const cublasLtEpilogue_t all[] = {
        CUBLASLT_EPILOGUE_DEFAULT,   CUBLASLT_EPILOGUE_RELU, CUBLASLT_EPILOGUE_BIAS,
        CUBLASLT_EPILOGUE_RELU_BIAS, CUBLASLT_EPILOGUE_GELU, CUBLASLT_EPILOGUE_GELU_BIAS};
    int wrong = 0, n = 0;
    for (int i = 0; i < (what.type == CUDA_R_64F ? 4 : 6); i++, n++) {
        what.then = all[i];
        what.op[0] = i & 1 ? CUBLAS_OP_T : CUBLAS_OP_N;
        what.op[1] = i & 2 ? CUBLAS_OP_T : CUBLAS_OP_N;
        what.beta = i % 3 == 1 ? -1.5 : 0;
        what.count = 1 + i % 2;
        wrong += run(&what, tolerance);
    }
    what.order = CUBLASLT_ORDER_ROW;
    what.then = CUBLASLT_EPILOGUE_RELU;
    what.beta = 2;
    for (int i = 0; i < 2; i++, n++) {
        what.op[0] = i ? CUBLAS_OP_T : CUBLAS_OP_N;
        wrong += run(&what, tolerance);
    }
    printf("%s: %d products, %d wrong\n", name, n, wrong);
}

/* ---- what is not there ---------------------------------------------------------------------- */

static void refused(const char *name, const Case *what)
{
    int found = 7;
    const cublasStatus_t status = multiply(what, &found);
    printf("%s: %s, found %d\n", name, cublasLtGetStatusName(status), found);
}

static void errors(void)
{
    const float scale = 1;
    const float *pointer = &scale;
    const cublasLtEpilogue_t then = CUBLASLT_EPILOGUE_RELU;
    cublasLtEpilogue_t is = CUBLASLT_EPILOGUE_DEFAULT;
    size_t bytes = 0;
    cublasLtMatmulDesc_t product;
    Case what = {CUDA_R_8I,
                 CUDA_R_32F,
                 CUBLAS_COMPUTE_32F,
                 {CUBLAS_OP_N, CUBLAS_OP_N},
                 CUBLASLT_ORDER_COL,
                 CUBLASLT_EPILOGUE_DEFAULT,
                 1,
                 0};
    refused("integers", &what);
    what.type = CUDA_R_32F;
    what.then = CUBLASLT_EPILOGUE_GELU_AUX;
    refused("what the next layer needs", &what);
    what.then = CUBLASLT_EPILOGUE_BIAS;
    what.order = CUBLASLT_ORDER_ROW;
    refused("a bias of columns", &what);
    cublasLtMatmulDescCreate(&product, CUBLAS_COMPUTE_32F, CUDA_R_32F);
    printf("wrong size: %s\n",
           cublasLtGetStatusName(cublasLtMatmulDescSetAttribute(
               product, CUBLASLT_MATMUL_DESC_EPILOGUE, &then, sizeof then - 1)));
    cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_EPILOGUE, &then, sizeof then);
    cublasLtMatmulDescGetAttribute(product, CUBLASLT_MATMUL_DESC_EPILOGUE, &is, sizeof is, &bytes);
    printf("is %d of %d bytes\n", (int)is, (int)bytes);
    printf("scales: %s\n",
           cublasLtGetStatusName(cublasLtMatmulDescSetAttribute(
               product, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, &pointer, sizeof pointer)));
    cublasLtMatrixLayout_t layout = layout_of(&what, CUDA_R_32F, M, M);
    printf("a product with scales: %s\n",
           cublasLtGetStatusName(cublasLtMatmul(lt, product, &scale, place[0], layout, place[1],
                                                layout, &scale, place[2], layout, place[3], layout,
                                                NULL, NULL, 0, NULL)));
    cublasLtMatrixLayoutDestroy(layout);
    cublasLtMatmulDescDestroy(product);
    printf("no handle: %s\n",
           cublasLtGetStatusName(cublasLtMatmul(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                                                NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL)));
}

int main(void)
{
    for (int i = 0; i < 5; i++)
        cudaMalloc(&place[i], sizeof a);
    for (int i = 0; i < MOST; i++) {
        a[i] = (i * 7 % 23 - 11) / 8.0;
        b[i] = (i * 5 % 19 - 9) / 8.0;
        c[i] = (i * 3 % 17 - 8) / 8.0;
        got[i] = 9;
        bias[i % LEAD] = (i % LEAD * 11 % 31 - 15) / 8.0;
    }
    if (cublasLtCreate(&lt))
        return 1;
    products("singles", (Case){.compute = CUBLAS_COMPUTE_32F}, 1e-5);
    products("doubles",
             (Case){.type = CUDA_R_64F, .result = CUDA_R_64F, .compute = CUBLAS_COMPUTE_64F},
             1e-13);
    products("halves",
             (Case){.type = CUDA_R_16F, .result = CUDA_R_16F, .compute = CUBLAS_COMPUTE_32F}, 1e-3);
    products("halves to singles", (Case){.type = CUDA_R_16F, .compute = CUBLAS_COMPUTE_32F}, 1e-5);
    products("bfloats",
             (Case){.type = CUDA_R_16BF, .result = CUDA_R_16BF, .compute = CUBLAS_COMPUTE_32F},
             8e-3);
    errors();
    return cublasLtDestroy(lt);
}
