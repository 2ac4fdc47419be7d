// SPDX-License-Identifier: BSD-3-Clause
// O = softmax(Q * K^T * scale) * V of halves, heads of 128 columns, no mask, each group 128 rows of
// a head. One warp brings keys and values by tensor maps, two warpgroups have 64 rows each. It is
// written in three ways: each warpgroup goes its way; both take turns at the tensor cores, so that
// one raises to powers while the other multiplies; and each multiplies by the next keys meanwhile.
#include "hopper.cuh"

#define HEAD 128
#define ROWS 128 /* of Q in a group, and of keys in a stage */
#define STAGES 2
#define BOX (ROWS * 64 * 2) /* bytes: 64 columns, rows of 128 bytes, swizzled likewise */
#define TILE (HEAD / 64 * BOX)

struct Tiles {
    uint8_t *q, *k, *v;
    uint64_t *q_full, *k_full, *k_empty, *v_full, *v_empty; /* but for the first, of each stage */
};

/* What a thread knows of its two rows: outputs, the greatest score, the sum of powers. */
struct Rows {
    float o[64], most[2], sum[2];
};

/* d = A * B, or d += A * B where KEEPS, for 64 rows of A and 128 columns of B. */
template <int KEEPS> __device__ void multiply_scores(float (&d)[64], uint64_t a, uint64_t b)
{
    asm volatile(
        "{\n.reg .pred p;\nsetp.ne.b32 p, %66, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, "
        "%19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, "
        "%36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, "
        "%53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, %64, %65, p, 1, 1, 0, 0;\n}"
        : D8(0), D8(8), D8(16), D8(24), D8(32), D8(40), D8(48), D8(56)
        : "l"(a), "l"(b), "n"(KEEPS));
}

/* d += A * B, A in registers, B with its rows together. */
__device__ void multiply_powers(float (&d)[64], const uint32_t *a, uint64_t b)
{
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, "
        "%19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, "
        "%36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, "
        "%53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, {%64, %65, %66, %67}, %68, 1, 1, "
        "1, 1;"
        : D8(0), D8(8), D8(16), D8(24), D8(32), D8(40), D8(48), D8(56)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}

/* Of values: 64 columns lie together, the next 64 a box behind. */
__device__ uint64_t descriptor_of_rows(uint32_t address)
{
    return (uint64_t)1 << 62 | (uint64_t)(1024 / 16) << 32 | (uint64_t)(BOX / 16) << 16 |
           (address & 0x3ffff) >> 4;
}

__device__ void scores_begin(float (&s)[64], const uint8_t *q, const uint8_t *k)
{
    const uint32_t at_q = shared_address(q), at_k = shared_address(k);
    products_begin();
    multiply_scores<0>(s, descriptor(at_q), descriptor(at_k));
#pragma unroll
    for (int i = 16; i < HEAD; i += 16) {
        const int at = i / 64 * BOX + i % 64 * 2;
        multiply_scores<1>(s, descriptor(at_q + at), descriptor(at_k + at));
    }
    products_end();
}

__device__ void outputs_begin(float (&o)[64], const uint32_t (&p)[32], const uint8_t *v)
{
    const uint32_t at = shared_address(v);
    products_begin();
#pragma unroll
    for (int i = 0; i < ROWS / 16; i++)
        multiply_powers(o, &p[4 * i], descriptor_of_rows(at + i * 16 * 128));
    products_end();
}

__device__ float power(float x)
{
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

/* Scores become powers; factor: what outputs of so far are to be multiplied by. */
__device__ void soften(float (&s)[64], Rows &rows, float (&factor)[2], float scale)
{
#pragma unroll
    for (int r = 0; r < 2; r++) {
        float most = rows.most[r], sum = 0;
        for (int i = 2 * r; i < 64; i += 4)
            most = fmaxf(most, fmaxf(s[i], s[i + 1]));
        most = fmaxf(most, __shfl_xor_sync(~0u, most, 1));
        most = fmaxf(most, __shfl_xor_sync(~0u, most, 2));
        factor[r] = power((rows.most[r] - most) * scale);
        for (int i = 2 * r; i < 64; i += 4) {
            s[i] = power(fmaf(s[i], scale, -most * scale));
            s[i + 1] = power(fmaf(s[i + 1], scale, -most * scale));
            sum += s[i] + s[i + 1];
        }
        rows.most[r] = most;
        rows.sum[r] = fmaf(rows.sum[r], factor[r], sum);
    }
}

__device__ void scale_outputs(Rows &rows, const float (&factor)[2])
{
#pragma unroll
    for (int i = 0; i < 64; i++)
        rows.o[i] *= factor[i / 2 % 2];
}

/* Powers as halves: what a thread has of a product is what it gives to the next one. */
__device__ void narrow(uint32_t (&p)[32], const float (&s)[64])
{
#pragma unroll
    for (int i = 0; i < 32; i++) {
        const __half2 pair = __floats2half2_rn(s[2 * i], s[2 * i + 1]);
        p[i] = *(const uint32_t *)&pair;
    }
}

__device__ void bring(uint8_t *to, const CUtensorMap *map, uint64_t *full, int row)
{
    barrier_expect(full, TILE);
    for (int i = 0; i < HEAD; i += 64)
        load(to + i / 64 * BOX, map, full, i, row);
}

/* The producer's part: all keys and values of a head, whose first row is given. */
__device__ void produce(const Tiles &tiles, const CUtensorMap *q, const CUtensorMap *k,
                        const CUtensorMap *v, int first, int n)
{
    bring(tiles.q, q, tiles.q_full, first + blockIdx.x * ROWS);
#pragma unroll 1
    for (int i = 0; i < n / ROWS; i++) {
        const int stage = i % STAGES, parity = (i / STAGES - 1) & 1;
        if (i >= STAGES)
            barrier_wait(&tiles.k_empty[stage], parity);
        bring(tiles.k + stage * TILE, k, &tiles.k_full[stage], first + i * ROWS);
        if (i >= STAGES)
            barrier_wait(&tiles.v_empty[stage], parity);
        bring(tiles.v + stage * TILE, v, &tiles.v_full[stage], first + i * ROWS);
    }
}

__device__ void release(uint64_t *empty)
{
    if (threadIdx.x % 128 == 0)
        barrier_arrive(empty);
}

/* Turns of two warpgroups, at barriers 1 and 2: the one that is named may go on. */
__device__ void turn_wait(int who)
{
    asm volatile("bar.sync %0, 256;" ::"r"(1 + who) : "memory");
}

__device__ void turn_give(int who)
{
    asm volatile("bar.arrive %0, 256;" ::"r"(1 + who) : "memory");
}

/* Scores of the i-th keys begin. */
__device__ void scores_of(float (&s)[64], const Tiles &tiles, int who, int i)
{
    const int stage = i % STAGES;
    barrier_wait(&tiles.k_full[stage], i / STAGES & 1);
    scores_begin(s, tiles.q + who * 64 * 128, tiles.k + stage * TILE);
}

/* Outputs by the i-th values begin. */
__device__ void outputs_of(Rows &rows, const uint32_t (&p)[32], const Tiles &tiles, int i)
{
    const int stage = i % STAGES;
    barrier_wait(&tiles.v_full[stage], i / STAGES & 1);
    outputs_begin(rows.o, p, tiles.v + stage * TILE);
}

/* The first scores become powers. Turns begin with the first warpgroup. */
template <bool TURNS>
__device__ void begin_rows(const Tiles &tiles, Rows &rows, uint32_t (&p)[32], int who, float scale)
{
    float s[64], factor[2];
    if (TURNS && who == 1)
        turn_give(0);
    if (TURNS)
        turn_wait(who);
    scores_of(s, tiles, who, 0);
    products_wait<0>();
    release(&tiles.k_empty[0]);
    if (TURNS)
        turn_give(1 - who);
    soften(s, rows, factor, scale);
    narrow(p, s);
}

/* Products by values and by the next keys, then powers. */
template <bool TURNS>
__device__ void consume(const Tiles &tiles, Rows &rows, int who, int n, float scale)
{
    const int steps = n / ROWS;
    float s[64], factor[2];
    uint32_t p[32];
    begin_rows<TURNS>(tiles, rows, p, who, scale);
#pragma unroll 1
    for (int i = 1; i < steps; i++) {
        if (TURNS)
            turn_wait(who);
        outputs_of(rows, p, tiles, i - 1);
        scores_of(s, tiles, who, i);
        products_wait<0>();
        release(&tiles.v_empty[(i - 1) % STAGES]);
        release(&tiles.k_empty[i % STAGES]);
        if (TURNS && (who == 0 || i + 1 < steps))
            turn_give(1 - who);
        soften(s, rows, factor, scale);
        scale_outputs(rows, factor);
        narrow(p, s);
    }
    outputs_of(rows, p, tiles, steps - 1);
    products_wait<0>();
}

/* Powers of these scores, while outputs by the last ones are multiplied. */
__device__ void consume_ahead(const Tiles &tiles, Rows &rows, int who, int n, float scale)
{
    const int steps = n / ROWS;
    float s[64], factor[2];
    uint32_t p[32];
    begin_rows<true>(tiles, rows, p, who, scale);
#pragma unroll 1
    for (int i = 1; i < steps; i++) {
        turn_wait(who);
        scores_of(s, tiles, who, i);
        outputs_of(rows, p, tiles, i - 1);
        if (who == 0 || i + 1 < steps)
            turn_give(1 - who);
        products_wait<1>();
        release(&tiles.k_empty[i % STAGES]);
        soften(s, rows, factor, scale);
        products_wait<0>();
        release(&tiles.v_empty[(i - 1) % STAGES]);
        scale_outputs(rows, factor);
        narrow(p, s);
    }
    outputs_of(rows, p, tiles, steps - 1);
    products_wait<0>();
}

__device__ void store(const Rows &rows, __half *o, int row)
{
    const int warp = threadIdx.x % 128 / 32, lane = threadIdx.x % 32;
    float share[2];
    for (int r = 0; r < 2; r++) {
        float sum = rows.sum[r];
        sum += __shfl_xor_sync(~0u, sum, 1);
        sum += __shfl_xor_sync(~0u, sum, 2);
        share[r] = 1 / sum;
    }
#pragma unroll
    for (int i = 0; i < 64; i += 2) {
        const int r = i / 2 % 2, y = row + warp * 16 + lane / 4 + r * 8,
                  x = i / 4 * 8 + lane % 4 * 2;
        *(__half2 *)&o[(size_t)y * HEAD + x] =
            __floats2half2_rn(rows.o[i] * share[r], rows.o[i + 1] * share[r]);
    }
}

__device__ Tiles begin(uint64_t *barriers)
{
    extern __shared__ __align__(1024) uint8_t bytes[];
    const Tiles tiles = {bytes,
                         bytes + TILE,
                         bytes + (1 + STAGES) * TILE,
                         barriers,
                         barriers + 1,
                         barriers + 1 + STAGES,
                         barriers + 1 + 2 * STAGES,
                         barriers + 1 + 3 * STAGES};
    if (threadIdx.x == 0) {
        barrier_init(tiles.q_full, 1);
        for (int i = 0; i < STAGES; i++) {
            barrier_init(&tiles.k_full[i], 1);
            barrier_init(&tiles.v_full[i], 1);
            barrier_init(&tiles.k_empty[i], 2);
            barrier_init(&tiles.v_empty[i], 2);
        }
        barriers_are_there();
    }
    __syncthreads();
    return tiles;
}

enum Way { ALONE, TURNS, AHEAD };

template <Way WAY>
__device__ void attend(const CUtensorMap *q, const CUtensorMap *k, const CUtensorMap *v, __half *o,
                       int n, float scale)
{
    __shared__ uint64_t barriers[1 + 4 * STAGES];
    const Tiles tiles = begin(barriers);
    const int who = (int)threadIdx.x / 128 - 1, first = blockIdx.y * n;
    if (who < 0) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
        if (threadIdx.x == 0)
            produce(tiles, q, k, v, first, n);
        return;
    }
    asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
    Rows rows = {{0}, {-INFINITY, -INFINITY}, {0, 0}};
    barrier_wait(tiles.q_full, 0);
    if (WAY == AHEAD)
        consume_ahead(tiles, rows, who, n, scale);
    else
        consume<WAY == TURNS>(tiles, rows, who, n, scale);
    store(rows, o, first + blockIdx.x * ROWS + who * 64);
}

extern "C" __global__ void __launch_bounds__(384)
    alone(const __grid_constant__ CUtensorMap q, const __grid_constant__ CUtensorMap k,
          const __grid_constant__ CUtensorMap v, __half *o, int n, float scale)
{
    attend<ALONE>(&q, &k, &v, o, n, scale);
}

extern "C" __global__ void __launch_bounds__(384)
    turns(const __grid_constant__ CUtensorMap q, const __grid_constant__ CUtensorMap k,
          const __grid_constant__ CUtensorMap v, __half *o, int n, float scale)
{
    attend<TURNS>(&q, &k, &v, o, n, scale);
}

extern "C" __global__ void __launch_bounds__(384)
    ahead(const __grid_constant__ CUtensorMap q, const __grid_constant__ CUtensorMap k,
          const __grid_constant__ CUtensorMap v, __half *o, int n, float scale)
{
    attend<AHEAD>(&q, &k, &v, o, n, scale);
}
