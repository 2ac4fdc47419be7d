// SPDX-License-Identifier: BSD-3-Clause
// The same in tiles of twice as many columns.
#define COLUMNS 256
#include "columns.cu"
