// SPDX-License-Identifier: BSD-3-Clause
// The same with as many stages as shared memory has room for.
#define STAGES 7
#include "stages.cu"
