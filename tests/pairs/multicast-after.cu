// SPDX-License-Identifier: BSD-3-Clause
// The same in clusters of two groups, of which each copies half of a tile of B to both.
#define CLUSTER
#include "multicast.cu"
