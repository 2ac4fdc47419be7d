/* SPDX-License-Identifier: BSD-3-Clause */
/* Tensor memory of sm_100; blackwell.ptx is what nvcc 13.0 -ptx -arch=sm_100a made of it. */
#include <cstdint>
extern "C" __global__ void tc(uint32_t u, uint64_t d, uint32_t *o)
{
    asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 128;" ::"r"(u));
    asm volatile(
        "{.reg .pred p; setp.ne.u32 p, %3, 0; tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, "
        "{%3, %3, %3, %3}, p; tcgen05.mma.cta_group::1.kind::f16 [%0], [%0], %2, %3, p; }" ::"r"(u),
        "l"(d), "l"(d), "r"(u));
    uint32_t a, b;
    asm volatile("tcgen05.ld.sync.aligned.32x32b.x2.b32 {%0, %1}, [%2];"
                 : "=r"(a), "=r"(b)
                 : "r"(u));
    asm volatile("tcgen05.wait::ld.sync.aligned;");
    asm volatile(
        "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(u));
    asm volatile("tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale.scale_vec::4X [%0], %1, %1, "
                 "%0, [%0], [%0], 1;" ::"r"(u),
                 "l"(d));
    o[0] = a + b;
}
