/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes back what latency-bench/kernels/pattern.h defines, so that it can be included again. */
#undef NAME
#undef TILE
#undef MATRIX_A
#undef ORDER
#undef TILES
#undef BLOCK
#undef INSIDE
#undef DELTA
#undef AT
#undef FIRST
#undef TURN
#undef DECLARE
#undef ADVANCE
#undef REACHED
#undef STEP
