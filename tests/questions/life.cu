// SPDX-License-Identifier: BSD-3-Clause
// A step of the game of life on a square of ints with a border of one cell, a cell a thread.
extern "C" __global__ void life(int side, const int *now, int *next)
{
    const int y = blockIdx.y * blockDim.y + threadIdx.y + 1, x = blockIdx.x * blockDim.x + threadIdx.x + 1;
    const int pitch = side + 2, at = y * pitch + x;
    if (y > side || x > side)
        return;
    const int around = now[at + pitch] + now[at - pitch] + now[at + 1] + now[at - 1] + now[at + pitch + 1] +
                       now[at - pitch - 1] + now[at - pitch + 1] + now[at + pitch - 1];
    const int cell = now[at];
    if (cell == 1 && around < 2)
        next[at] = 0;
    else if (cell == 1 && (around == 2 || around == 3))
        next[at] = 1;
    else if (cell == 1 && around > 3)
        next[at] = 0;
    else if (cell == 0 && around == 3)
        next[at] = 1;
    else
        next[at] = cell;
}
