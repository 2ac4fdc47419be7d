/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Types of 64 bits: a linear congruential generator per thread, the rest of a part of its state by
 * a modulus that is known only at run time (short operands take a shorter way), and the root of its
 * numbers' mean in double precision; the greatest last number of all threads, by an atomic maximum.
 */
extern "C" __global__ void wide(int n, int length, unsigned long long modulus, double *means,
                                unsigned long long *rests, unsigned long long *greatest)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long state = i;
    double sum = 0.0;

    if (i >= n)
        return;
    for (int j = 0; j < length; j++) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        sum += (double)state;
    }
    means[i] = sqrt(sum / length);
    rests[i] = (state >> i % 64) % modulus;
    atomicMax(greatest, state);
}
