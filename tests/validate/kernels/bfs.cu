// SPDX-License-Identifier: BSD-3-Clause
// A level of a breadth-first search: nodes of the front look at their neighbours, then those that were found become the next
// front. Masks are bytes; a node is where its edges begin, and how many it has, which are two loads, as in the measured program:
// an int2 would be one, of which L1 finds fewer sectors.
struct Node {
  int x, y;
};

extern "C" __global__ void expand(const Node *nodes, const int *edges, bool *front, bool *found, const bool *visited, int *cost, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || !front[i]) return;
  front[i] = false;
  for (int e = nodes[i].x; e < nodes[i].x + nodes[i].y; e++) {
    int other = edges[e];
    if (visited[other]) continue;
    cost[other] = cost[i] + 1;
    found[other] = true;
  }
}

extern "C" __global__ void advance(bool *front, bool *found, bool *visited, bool *again, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || !found[i]) return;
  front[i] = true;
  visited[i] = true;
  *again = true;
  found[i] = false;
}
