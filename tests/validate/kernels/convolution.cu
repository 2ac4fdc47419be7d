// SPDX-License-Identifier: BSD-3-Clause
// A convolution with a filter of FILTER x FILTER in constant memory, of the kind that tuners tune: groups of BX x BY threads,
// each of which makes TX x TY outputs, a group's apart. SHARED: the inputs come to shared memory first; PAD: in rows of so many
// columns more that rows of neighbouring warps lie in other banks; READ_ONLY: inputs are read by __ldg. Outputs are
// WIDTH x WIDTH, inputs have a border. Where groups do not divide that, inputs are only read for outputs that there are. No bound
// of threads is told to the compiler: rows are missing from the data whose code needs more registers without one than launch.
#define EDGE (FILTER - 1)
#define COLUMNS (BX * TX + EDGE)
#define ROWS (BY * TY + EDGE)
#define ROW (WIDTH + EDGE)
#define DIVIDES (WIDTH % (BX * TX) == 0 && WIDTH % (BY * TY) == 0)

__constant__ float filter[FILTER * FILTER];

#if READ_ONLY
#define INPUT(i) __ldg(in + (i))
#else
#define INPUT(i) in[i]
#endif

extern "C" __global__ void convolution(const float *in, float *out) {
  const int x = blockIdx.x * BX * TX + threadIdx.x, y = blockIdx.y * BY * TY + threadIdx.y;
  float sum[TY][TX] = {};
#if SHARED
  __shared__ float tile[ROWS][COLUMNS + (PAD && BX % 32 ? (BX - COLUMNS % 32 + 32) % 32 : 0)];
#pragma unroll
  for (int i = 0; i < ROWS; i += BY)
#pragma unroll
    for (int j = 0; j < COLUMNS; j += BX)
      if (threadIdx.y + i < ROWS && threadIdx.x + j < COLUMNS && y + i < ROW && x + j < ROW)
        tile[threadIdx.y + i][threadIdx.x + j] = INPUT((y + i) * ROW + x + j);
  __syncthreads();
#define SAMPLE(row, column) tile[threadIdx.y + (row)][threadIdx.x + (column)]
#else
#define SAMPLE(row, column) INPUT((y + (row)) * ROW + x + (column))
#endif
#pragma unroll
  for (int i = 0; i < FILTER; i++)
#pragma unroll
    for (int j = 0; j < FILTER; j++)
#pragma unroll
      for (int ty = 0; ty < TY; ty++)
#pragma unroll
        for (int tx = 0; tx < TX; tx++)
          if (SHARED || DIVIDES || (y + ty * BY < WIDTH && x + tx * BX < WIDTH))
            sum[ty][tx] += SAMPLE(i + ty * BY, j + tx * BX) * filter[i * FILTER + j];
#pragma unroll
  for (int ty = 0; ty < TY; ty++)
#pragma unroll
    for (int tx = 0; tx < TX; tx++)
      if (y + ty * BY < WIDTH && x + tx * BX < WIDTH) out[(y + ty * BY) * WIDTH + x + tx * BX] = sum[ty][tx];
}
