/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How much code a scheduler has at hand: its own cache of instructions (L0).
 *
 * Sources: V100 12 KiB (Z. Jia, M. Maggioni, B. Staiger, D. Scarpazza: Dissecting the NVIDIA Volta
 * GPU Architecture via Microbenchmarking, 2018), T4 16 KiB (the same on Turing, 2019), A100 32 KiB
 * (Z. Jia, P. Van Sandt: Dissecting the Ampere GPU Architecture through Microbenchmarking, GTC
 * 2021, as others quote it), RTX 3060 16 KiB (AmpereArchViaMicroBenchMark: one warp takes 4.0
 * cycles for an instruction of such a sequence up to 15.75 KiB, 8.3 from 20 KiB on, 17.8 from 40
 * KiB on). Other chips are assumed to be as those of their kind before.
 */
#include "sass/sass.h"

guint ps_sass_code_cache(int capability, gboolean *measured)
{
    enum { KIB = 1024 };
    static const struct {
        int capability;
        guint kib;
        gboolean measured;
    } chips[] = {{120, 16, FALSE}, {90, 32, FALSE}, {87, 16, FALSE}, {86, 16, TRUE},
                 {80, 32, TRUE},   {75, 16, TRUE},  {72, 12, FALSE}, {0, 12, TRUE}};
    guint i = 0;
    while (capability < chips[i].capability)
        i++;
    *measured = chips[i].measured;
    return chips[i].kib * KIB;
}
