/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chains in a buffer whose elements hold their own index: each thread has an element of its own for
 * each chain, and those of a warp's threads lie side by side.
 */
#define SETUP
#define START(i) (((i)*THREADS + NUMBER + zero) % elements)
