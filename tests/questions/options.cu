// SPDX-License-Identifier: BSD-3-Clause
// Prices of options by Black and Scholes: a structure of nine words a thread, of which seven are needed.
struct Option {
    int put;
    float strike, spot, dividend, rate, years, volatility, value, tolerance;
};

__device__ float normal(float x)
{
    return 0.5f * (1 + erff(x * 0.70710678f));
}

extern "C" __global__ void price(const Option *options, float *prices, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const Option o = options[i];
    const float deviation = sqrtf(o.volatility * o.volatility * o.years);
    const float rate = 1 / expf(o.rate * o.years), forward = o.spot * (1 / expf(o.dividend * o.years)) / rate;
    const float first = logf(forward / o.strike) / deviation + 0.5f * deviation, second = first - deviation;
    const float sign = o.put ? -1 : 1;
    prices[i] = rate * sign * (forward * normal(sign * first) - o.strike * normal(sign * second));
}
