/* SPDX-License-Identifier: BSD-3-Clause */
/* The least time of a kernel that does some work, whoever wrote it. */
#ifndef PIPESIM_CARD_BOUND_H
#define PIPESIM_CARD_BOUND_H

#include "gpu/gpu.h"
#include "roofline/roofline.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The work of a kernel that stands in for one of another library. */
typedef struct {
    const char *of;         /* the other library, a static text: "cuBLAS"; NULL: none */
    double operations;      /* a multiply-add is two */
    PsPeakKind units;       /* which may do them, */
    PsProductKind products; /* or these tensor cores; PS_N_PRODUCTS: none may */
    double read, written;   /* bytes of the matrices, each of them once */
} PsCardStandIn;

/* Seconds by the roofline: the longer of operations at the units' highest rate that the description
 * has, and bytes at device memory's rate. Bytes that caches may hold when the kernel ends do not
 * count, nor does the launch. NaN: the rate is not known. */
double ps_card_bound(const PsGpu *gpu, const PsCardStandIn *what);

#pragma GCC visibility pop
G_END_DECLS
#endif
