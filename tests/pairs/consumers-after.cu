// SPDX-License-Identifier: BSD-3-Clause
// The same with two warpgroups that multiply, and tiles that are twice as high.
#define CONSUMERS 2
#include "consumers.cu"
