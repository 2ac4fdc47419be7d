// SPDX-License-Identifier: BSD-3-Clause
// A product of matrices with the parameters of CLBlast's tuner: a group makes a tile of MWG x NWG with MDIMC x NDIMC threads,
// KWG deep, of which KWI steps are unrolled. SA and SB: A and B come to shared memory first, brought by threads that lie MDIMA
// (NDIMB) beside each other; VWM and VWN: widths of vectors in both directions; STRM and STRN: a thread's vectors are a
// group's apart, not beside each other. A is stored by columns, B and C by rows.
//
// "here" is 0. The compiler does not know that, and so not how shared arrays are aligned: it merges no neighbouring loads of them.
#define MWI (MWG / MDIMC)
#define NWI (NWG / NDIMC)
#define THREADS (MDIMC * NDIMC)
#define KDIMA (THREADS / MDIMA)
#define KDIMB (THREADS / NDIMB)

template <int WIDTH> struct alignas(4 * WIDTH) Vector {
  float of[WIDTH];
};
typedef Vector<VWM> VectorM;
typedef Vector<VWN> VectorN;

// The place, in vectors, of a thread's vector of that number in the tile.
__device__ int place(int thread, int number, int vectors, int threads, bool strided) {
  return strided ? thread + number * threads : thread * vectors + number;
}

// A piece of DEPTH rows of WIDE vectors comes to shared memory, by SIDE threads beside each other in DOWN rows.
template <int WIDE, int DEPTH, int SIDE, int DOWN, bool STRIDED, class V>
__device__ void fetch(V *to, const V *from, int row, int thread) {
  const int column = thread % SIDE, first = thread / SIDE;
#pragma unroll
  for (int i = 0; i < WIDE / SIDE; i++)
#pragma unroll
    for (int k = 0; k < DEPTH / DOWN; k++) {
      const int x = place(column, i, WIDE / SIDE, SIDE, STRIDED), y = k + first * (DEPTH / DOWN);
      to[y * WIDE + x] = from[y * row + x];
    }
}

extern "C" __global__ void __launch_bounds__(THREADS)
    gemm(const VectorM *a, const VectorN *b, VectorM *c, int m, int n, int depth, int here) {
  __shared__ float left[SA ? KWG * MWG : VWM], right[SB ? KWG * NWG : VWN];
  VectorM *sa = (VectorM *)left + here;
  VectorN *sb = (VectorN *)right + here;
  const int thread = threadIdx.y * MDIMC + threadIdx.x;
  const VectorM *ga = a + blockIdx.x * (MWG / VWM);
  const VectorN *gb = b + blockIdx.y * (NWG / VWN);
  float sum[NWI][MWI] = {};
  for (int deep = 0; deep < depth; deep += KWG) {
    if (SA) fetch<MWG / VWM, KWG, MDIMA, KDIMA, STRM>(sa, ga + deep * (m / VWM), m / VWM, thread);
    if (SB) fetch<NWG / VWN, KWG, NDIMB, KDIMB, STRN>(sb, gb + deep * (n / VWN), n / VWN, thread);
    if (SA || SB) __syncthreads();
    for (int block = 0; block < KWG; block += KWI) {
#pragma unroll
      for (int step = 0; step < KWI; step++) {
        const int k = block + step;
        VectorM mine[MWI / VWM];
        VectorN other[NWI / VWN];
#pragma unroll
        for (int i = 0; i < MWI / VWM; i++) {
          const int at = place(threadIdx.x, i, MWI / VWM, MDIMC, STRM);
          mine[i] = SA ? sa[k * (MWG / VWM) + at] : ga[(deep + k) * (m / VWM) + at];
        }
#pragma unroll
        for (int j = 0; j < NWI / VWN; j++) {
          const int at = place(threadIdx.y, j, NWI / VWN, NDIMC, STRN);
          other[j] = SB ? sb[k * (NWG / VWN) + at] : gb[(deep + k) * (n / VWN) + at];
        }
#pragma unroll
        for (int j = 0; j < NWI; j++)
#pragma unroll
          for (int i = 0; i < MWI; i++) sum[j][i] += mine[i / VWM].of[i % VWM] * other[j / VWN].of[j % VWN];
      }
    }
    if (SA || SB) __syncthreads();
  }
#pragma unroll
  for (int j = 0; j < NWI; j++)
#pragma unroll
    for (int i = 0; i < MWI / VWM; i++) {
      const int x = blockIdx.x * (MWG / VWM) + place(threadIdx.x, i, MWI / VWM, MDIMC, STRM);
      const int y = blockIdx.y * NWG + place(threadIdx.y, j / VWN, NWI / VWN, NDIMC, STRN) * VWN + j % VWN;
      VectorM out;
#pragma unroll
      for (int v = 0; v < VWM; v++) out.of[v] = sum[j][i * VWM + v];
      c[y * (m / VWM) + x] = out;
    }
}
