/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tensor maps: 128 bytes that state the place of a tensor in global memory, and the box, a piece of
 * it, that one copy moves. The driver encodes them (CUtensorMap). NVIDIA keeps the layout to
 * itself, but its assembler writes these fields for tensormap.replace, which is how they are known.
 * The other bits are not known; they are zeros here and ignored. How the driver's maps for im2col
 * say so is not known, either: such a map is pipesim's own, with fields from byte 64 on.
 *
 * Dimension 0 is the one whose elements lie side by side.
 */
#ifndef PIPESIM_PTX_TENSOR_MAP_H
#define PIPESIM_PTX_TENSOR_MAP_H

#include "ptx/ptx.h"

G_BEGIN_DECLS

#define PS_TENSOR_MAP_BYTES 128
#define PS_TENSOR_MAX_RANK 5

/* As tensormap.replace numbers them. */
typedef enum {
    PS_TENSOR_U8,
    PS_TENSOR_U16,
    PS_TENSOR_U32,
    PS_TENSOR_S32,
    PS_TENSOR_U64,
    PS_TENSOR_S64,
    PS_TENSOR_F16,
    PS_TENSOR_F32,
    PS_TENSOR_F32_FTZ,
    PS_TENSOR_F64,
    PS_TENSOR_BF16,
    PS_TENSOR_TF32,
    PS_TENSOR_TF32_FTZ,
    PS_TENSOR_N_ELEMENTS
} PsTensorElement;

typedef struct {
    guint64 address;
    guint rank; /* 1 to 5 */
    PsTensorElement element;
    gboolean nibbles; /* elements of 4 bits: two are one of `element`, U8; places count each */
    guint interleave; /* 0: none; 1, 2: of 16, 32 bytes */
    guint swizzle;    /* bytes: 32, 64, 128; 0: none */
    gboolean nan;     /* what lies outside is read as NaN, else as 0 */
    guint64 size[PS_TENSOR_MAX_RANK];   /* of the tensor, in elements */
    guint64 stride[PS_TENSOR_MAX_RANK]; /* bytes between neighbours; of dimension 0: an element */
    guint box[PS_TENSOR_MAX_RANK];      /* 1 to 256 elements of the tensor that a copy reaches */
    /* A copy by a map for im2col takes box[0] channels of pixels, one pixel behind the other.
     * Pixels follow dimensions 1 and on, but for the last, from `lower` to what `upper` adds to the
     * size. */
    gboolean im2col;
    guint pixels; /* 1 to 1024 */
    gint lower[PS_TENSOR_MAX_RANK], upper[PS_TENSOR_MAX_RANK];
    guint step[PS_TENSOR_MAX_RANK]; /* 1 to 8: every so many of these are copied */
} PsTensorMap;

#pragma GCC visibility push(default)

guint ps_tensor_element_bytes(PsTensorElement element);
/* "f16"; fp16 and float16 are that, too. FALSE: there is no such element. */
gboolean ps_tensor_element_called(const char *name, PsTensorElement *element);

void ps_tensor_map_encode(const PsTensorMap *map, guint8 bytes[PS_TENSOR_MAP_BYTES]);
void ps_tensor_map_decode(const guint8 bytes[PS_TENSOR_MAP_BYTES], PsTensorMap *map);

/* What makes it no map that the driver would encode, as a sentence without an end (g_free); NULL:
 * nothing. */
char *ps_tensor_map_wrong(const PsTensorMap *map);

#pragma GCC visibility pop

G_END_DECLS
#endif
