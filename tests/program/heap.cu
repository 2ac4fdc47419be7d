/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels that allocate memory. An argument: what is done wrong at the end. */
#include <cstdio>
#include <cstdlib>

#define THREADS 64
#define NODES 5

struct Node {
    int value;
    Node *next;
};

__device__ Node *lists[THREADS];
__device__ int *freed;

/* A list for each thread, which outlives the launch. */
__global__ void make()
{
    const int t = threadIdx.x;
    Node *list = NULL;
    for (int i = 0; i < NODES; i++) {
        Node *node = i % 2 ? new Node : (Node *)malloc(sizeof(Node));
        node->value = 100 * t + i;
        node->next = list;
        list = node;
    }
    lists[t] = list;
}

__global__ void sum(int *out)
{
    int total = 0;
    for (const Node *node = lists[threadIdx.x]; node; node = node->next)
        total += node->value;
    out[threadIdx.x] = total;
}

__global__ void drop()
{
    for (Node *node = lists[threadIdx.x]; node;) {
        Node *next = node->next;
        free(node);
        node = next;
    }
}

/* How many pieces there are, all of which are given back. */
__global__ void count(int *out, size_t bytes)
{
    void **last = NULL;
    int n = 0;
    for (;;) {
        void **piece = (void **)malloc(bytes);
        if (!piece)
            break;
        *piece = last;
        last = piece;
        n++;
    }
    while (last) {
        void **before = (void **)*last;
        free(last);
        last = before;
    }
    *out = n;
}

__global__ void beyond(int n)
{
    int *piece = (int *)malloc(n * sizeof(int));
    piece[n] = 1;
}

__global__ void twice()
{
    freed = (int *)malloc(8);
    free(freed);
    free(freed);
}

int main(int argc, char **argv)
{
    int *out, host[THREADS], wrong = 0;
    size_t limit = 0;
    cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize);
    printf("%zu bytes\n", limit);
    cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20);
    cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize);
    printf("%zu bytes\n", limit);
    cudaMalloc(&out, sizeof host);
    make<<<1, THREADS>>>();
    sum<<<1, THREADS>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int t = 0; t < THREADS; t++)
        wrong += host[t] != NODES * 100 * t + NODES * (NODES - 1) / 2;
    printf("%d wrong\n", wrong);
    drop<<<1, THREADS>>>();
    for (int i = 0; i < 2; i++) {
        count<<<1, 1>>>(out, 100 * 1024);
        cudaMemcpy(host, out, sizeof(int), cudaMemcpyDeviceToHost);
        printf("%d pieces\n", *host);
    }
    printf("%s\n", cudaGetErrorName(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 2 << 20)));
    if (argc > 1 && argv[1][0] == 'b')
        beyond<<<1, 1>>>(10);
    if (argc > 1 && argv[1][0] == 't')
        twice<<<1, 1>>>();
    return cudaDeviceSynchronize();
}
