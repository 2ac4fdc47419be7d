/* SPDX-License-Identifier: BSD-3-Clause */
/* Tensor memory, wgmma and clusters of sm_90 as inline assembly; hopper.ptx is what nvcc 13.0 -ptx
 * -arch=sm_90a made of it. */
#include <cstdint>
extern "C" __global__ void ten(const __grid_constant__ uint64_t map, float *o, uint32_t u,
                               uint64_t d)
{
    __shared__ uint64_t bar;
    __shared__ alignas(128) float buf[1024];
    uint32_t b = __cvta_generic_to_shared(&bar), s = __cvta_generic_to_shared(buf);
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(b));
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(b), "r"(u));
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes.L2::"
                 "cache_hint [%0], [%1, {%2, %3, %4}], [%5], %6;" ::"r"(s),
                 "l"(&map), "r"(u), "r"(u), "r"(u), "r"(b), "l"(d)
                 : "memory");
    asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::"
                 "bytes [%0], [%1, {%2, %3, %4, %4}], [%5], {%6, %6};" ::"r"(s),
                 "l"(&map), "r"(u), "r"(u), "r"(u), "r"(b), "h"((uint16_t)u)
                 : "memory");
    asm volatile(
        "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map),
        "r"(u), "r"(u), "r"(s)
        : "memory");
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
            "r"(s),
        "l"(o), "r"(u), "r"(b)
        : "memory");
    asm volatile("{\n.reg .pred P1;\nLAB_WAIT:\nmbarrier.try_wait.parity.shared::cta.b64 P1, [%0], "
                 "%1;\n@P1 bra DONE;\nbra LAB_WAIT;\nDONE:\n}" ::"r"(b),
                 "r"(u));
    asm volatile("wgmma.fence.sync.aligned;\n");
    float c[4];
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %6, "
                 "0;\nwgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, "
                 "p, 1, -1, 0, 1;\n}\n"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "l"(d), "l"(d), "r"(u));
    asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;");
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;");
    asm volatile("{ .reg .b32 r; mapa.shared::cluster.u32 r, %0, 1; "
                 "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.u32 [r], {%1, %1}, "
                 "[r+8]; }" ::"r"(s),
                 "r"(u));
    uint32_t e;
    asm volatile("{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.b32 %0, 1, 0, p; }" : "=r"(e));
    uint32_t cr;
    asm volatile("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(cr));
    asm volatile("mov.u32 %0, %%clusterid.y;" : "=r"(cr));
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(cr));
    asm volatile("prefetch.tensormap [%0];" ::"l"(&map));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%0,%0,%0}, [%1+16];"
                 : "=r"(e)
                 : "r"(s));
    asm volatile("multimem.red.relaxed.sys.global.add.f32 [%0], %1;" ::"l"(o), "f"(c[0]));
    asm volatile("{.reg .b128 q; mov.b128 q, {%0, %0}; st.global.b128 [%1], q; }" ::"l"(d), "l"(o));
    asm volatile("{ .reg .v4 .f32 V; .reg .f32 z; mov.f32 V.x, 0f3f800000; mov.f32 V.y, V.x; "
                 "ld.global.v4.f32 V, [%0]; add.f32 z, V.r, V.w;}" ::"l"(o));
    o[0] = c[0] + c[1] + e + cr;
}
