/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The texture or surface that a handle refers to. Elements lie row by row, plane by plane (or layer
 * by layer) in global memory, where a GPU has an order of its own.
 */
#ifndef PIPESIM_PTX_RUN_TEXTURE_H
#define PIPESIM_PTX_RUN_TEXTURE_H

#include "base/message.h"

G_BEGIN_DECLS

typedef enum { PS_PTX_TEXEL_UNSIGNED, PS_PTX_TEXEL_SIGNED, PS_PTX_TEXEL_FLOAT } PsPtxTexel;

/* Addressing beyond the edge. The first and the third one are for normalized coordinates, and mean
 * the second one for others. */
typedef enum {
    PS_PTX_BEYOND_WRAP,
    PS_PTX_BEYOND_CLAMP,
    PS_PTX_BEYOND_MIRROR,
    PS_PTX_BEYOND_BORDER
} PsPtxBeyond;

typedef struct {
    guint64 address;       /* of the first element */
    guint64 pitch, plane;  /* bytes from one row to the next, and from one plane */
    guint size[3];         /* elements in x, y, z; 1 for a missing dimension */
    guint layers;          /* of a layered one; a cube has six */
    guint channels, bytes; /* of an element: how many, and of how many bytes each */
    PsPtxTexel texel;
    gboolean fraction;   /* whole numbers are read as fractions of the largest one */
    gboolean linear;     /* values between elements are interpolated */
    gboolean normalized; /* coordinates go from 0 to 1 */
    gboolean plain;      /* linear memory, which reads as 0 beyond its end */
    PsPtxBeyond edge[3];
    float border[4];
} PsPtxTexture;

G_END_DECLS
#endif
