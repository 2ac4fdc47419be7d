# SPDX-License-Identifier: BSD-3-Clause
# The source of numba.ptx.
from numba import cuda


@cuda.jit
def row_sums(sums, table, factor):
    row = cuda.grid(1)
    if row < sums.shape[0]:
        total = 0
        for column in range(table.shape[1]):
            total += table[row, column]
        sums[row] = total * factor
