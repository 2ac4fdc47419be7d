/* SPDX-License-Identifier: BSD-3-Clause */
/* Chains in a buffer whose elements hold their own index: each thread has an element of its own. */
#define SETUP
#define START(i) ((NUMBER * ILP + (i) + zero) % elements)
