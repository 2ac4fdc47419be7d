// SPDX-License-Identifier: BSD-3-Clause
// A matrix times a vector, of doubles, a thread a row.
extern "C" __global__ void rows(double alpha, const double *a, const double *x, double beta, double *y, long long n,
                                long long columns)
{
    const long long i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double sum = 0;
    for (long long j = 0; j < columns; ++j)
        sum += a[i * columns + j] * x[j];
    y[i] = alpha * sum + beta * y[i];
}
