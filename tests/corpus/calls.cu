/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions that are called, not inlined: with parameters and a result by value, with a structure,
 * and with a pointer to the caller's array (local memory), in a small stack machine. Its program is
 * the same for all threads, the data are not.
 */
struct Pair {
    int quotient, rest;
};

__device__ __noinline__ Pair divide(int a, int b)
{
    const Pair pair = {a / b, a % b};
    return pair;
}

__device__ __noinline__ int pop(const int *stack, int *height)
{
    return stack[--*height];
}

extern "C" __global__ void calls(int n, int length, const unsigned char *program, const int *in,
                                 int *out)
{
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int stack[8] = {};
    int height = 0;

    if (thread >= n)
        return;
    for (int i = 0; i < length; i++) {
        int a = height > 0 ? stack[height - 1] : 0;
        switch (program[i]) {
        case 0: /* push the thread's input */
            stack[height++] = in[thread];
            break;
        case 1: /* push the place in the program */
            stack[height++] = i;
            break;
        case 2: /* add */
            a = pop(stack, &height);
            stack[height - 1] += a;
            break;
        case 3: /* multiply */
            a = pop(stack, &height);
            stack[height - 1] *= a;
            break;
        case 4: { /* quotient and rest take the place of two */
            const Pair pair = divide(stack[height - 2], a | 1);
            stack[height - 2] = pair.quotient;
            stack[height - 1] = pair.rest;
            break;
        }
        case 5: /* exclusive or of all */
            for (int j = 0; j + 1 < height; j++)
                stack[height - 1] ^= stack[j];
            break;
        case 6: /* if odd, negate */
            if (a % 2 != 0)
                stack[height - 1] = -a;
            break;
        default:
            break;
        }
    }
    out[thread] = pop(stack, &height);
}
