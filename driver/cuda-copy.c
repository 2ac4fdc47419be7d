/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries that copy and set memory. Device pointers belong to this process, so every copy is one in
 * memory; the places of both sides decide how it is counted. */
#include "card/copy.h"
#include "driver/graph.h"

#include <math.h>
#include <string.h>

static gpointer pointer_to(CUdeviceptr address)
{
    return (gpointer)(gsize)address;
}

static const PsCardPiece *piece_at(gconstpointer address)
{
    return ps_card_memory_find(ps_card_memory(driver.card), address);
}

static gboolean is_on_device(gconstpointer address)
{
    const PsCardPiece *piece = piece_at(address);
    return piece && piece->kind != PS_CARD_HOST;
}

/* TRUE if the bytes lie within one piece, or in none: then they are the program's own. */
static gboolean fits(gconstpointer address, gsize bytes)
{
    const PsCardPiece *piece = piece_at(address);
    return !piece || bytes <= piece->size - (gsize)((const guint8 *)address - piece->data);
}

/* ---- copies --------------------------------------------------------------------------------- */

/* Where a side of a box begins, and the distances of its rows and planes. */
typedef struct {
    guint8 *at;
    gsize pitch, plane;
} Side;

static Side side_of(const CopySide *side, const CUDA_MEMCPY3D *box)
{
    Side is = {.at = side->type == MEMORY_HOST ? (guint8 *)side->host : pointer_to(side->device),
               .pitch = side->pitch ? side->pitch : box->width};
    is.plane = is.pitch * (side->height ? side->height : box->height);
    if (side->type == MEMORY_ARRAY) {
        is.at = side->array->piece->data;
        is.pitch = side->array->pitch;
        is.plane = is.pitch * MAX(side->array->is.height, 1);
    }
    is.at += side->z * is.plane + side->y * is.pitch + side->x;
    return is;
}

static gsize last_byte(const Side *side, const CUDA_MEMCPY3D *box)
{
    return (box->depth - 1) * side->plane + (box->height - 1) * side->pitch + box->width;
}

/* Copies of memory that is not pinned go through a buffer of the driver, at a rate that depends on
 * the host. Small ones take next to nothing either way. */
static void note_pageable(guint64 bytes)
{
    if (bytes >= 1 << 20)
        ps_card_log_note(driver.log, "copies of host memory that is not pinned are timed as if it "
                                     "were (cudaMallocHost); they may take twice as long");
}

/* Adds the time of the stream's next work. Copies over the link follow one another, separately in
 * each direction. */
static void take_time(struct Stream *stream, PsCardWay way, guint64 bytes)
{
    const gboolean link = way == PS_CARD_TO_DEVICE || way == PS_CARD_TO_HOST;
    PsCardCopied copy = {.way = way,
                         .stream = stream->number,
                         .bytes = bytes,
                         .begin = driver_stream_at(stream),
                         .seconds = ps_card_copy_seconds(driver.gpu, way, bytes)};
    if (link)
        copy.begin = MAX(copy.begin, driver.link[way]);
    stream->at = copy.begin + (isnan(copy.seconds) ? 0 : copy.seconds);
    if (link)
        driver.link[way] = stream->at;
    ps_card_log_copy(driver.log, &copy);
}

/* The direction of a copy. FALSE: from host to host. */
static gboolean find_way(gconstpointer to, gconstpointer from, PsCardWay *way)
{
    const gboolean in = is_on_device(to), out = is_on_device(from);
    *way = in && out ? PS_CARD_WITHIN : in ? PS_CARD_TO_DEVICE : PS_CARD_TO_HOST;
    return in || out;
}

static gboolean has_array(const CopySide *side)
{
    return side->type != MEMORY_ARRAY || (side->array && !side->array->levels);
}

CUresult driver_copy(const CUDA_MEMCPY3D *what, struct Stream *stream)
{
    if (what->width == 0 || what->height == 0 || what->depth == 0)
        return CUDA_SUCCESS;
    if (!has_array(&what->from) || !has_array(&what->to))
        return CUDA_ERROR_INVALID_VALUE;
    const Side from = side_of(&what->from, what), to = side_of(&what->to, what);
    if (!to.at || !from.at || !fits(to.at, last_byte(&to, what)) ||
        !fits(from.at, last_byte(&from, what)))
        return CUDA_ERROR_INVALID_VALUE;
    for (gsize z = 0; z < what->depth; z++)
        for (gsize y = 0; y < what->height; y++)
            memmove(to.at + z * to.plane + y * to.pitch, from.at + z * from.plane + y * from.pitch,
                    what->width);
    ps_card_copied(driver.card, to.at, from.at, last_byte(&to, what));
    PsCardWay way;
    if (!find_way(to.at, from.at, &way)) {
        driver_stream_add(stream, 0);
        return CUDA_SUCCESS;
    }
    take_time(stream, way, what->width * what->height * what->depth);
    if (way != PS_CARD_WITHIN && !piece_at(way == PS_CARD_TO_HOST ? to.at : from.at))
        note_pageable(what->width * what->height * what->depth);
    return CUDA_SUCCESS;
}

/* TRUE if the host waits: for copies without a stream, except those within the device, and for all
 * copies with host memory that is not pinned. */
static gboolean waits_for(const CUDA_MEMCPY3D *what, gboolean alone)
{
    const guint8 *to = side_of(&what->to, what).at, *from = side_of(&what->from, what).at;
    PsCardWay way;
    if (!find_way(to, from, &way))
        return alone;
    return way != PS_CARD_WITHIN && (alone || !piece_at(way == PS_CARD_TO_HOST ? to : from));
}

/* Copies, in a stream or while the host waits. */
static CUresult copy_box(const CUDA_MEMCPY3D *what, const CUstream *in)
{
    DRIVER_ENTER;
    struct Stream *stream = driver_stream(in ? *in : NULL);
    if (!stream)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!what)
        return CUDA_ERROR_INVALID_VALUE;
    if (stream->capture)
        return graph_capture(stream, &(Node){.type = NODE_COPY, .copy = *what});
    const CUresult result = driver_copy(what, stream);
    if (result)
        return result;
    if (waits_for(what, !in))
        driver.host = MAX(driver.host, stream->at);
    if (!in)
        driver_print();
    return CUDA_SUCCESS;
}

static CUresult copy(gpointer to, gconstpointer from, gsize bytes, const CUstream *in)
{
    const CUDA_MEMCPY3D what = {.from = {.type = MEMORY_HOST, .host = from},
                                .to = {.type = MEMORY_HOST, .host = to},
                                .width = bytes,
                                .height = 1,
                                .depth = 1};
    return copy_box(&what, in);
}

/* Copies bytes of an array, counted along its rows. */
static CUresult copy_array(const CopySide *to, const CopySide *from, gsize bytes,
                           const CUstream *in)
{
    const CUDA_MEMCPY3D what = {*from, *to, bytes, 1, 1};
    return copy_box(&what, in);
}

static CopySide in_array(CUarray array, gsize at)
{
    return (CopySide){.type = MEMORY_ARRAY, .array = array, .x = at};
}

static CopySide in_memory(gconstpointer at)
{
    return (CopySide){.type = MEMORY_HOST, .host = at};
}

#pragma GCC visibility push(default)

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    return copy(pointer_to(to), pointer_to(from), bytes, NULL);
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    return copy(pointer_to(to), pointer_to(from), bytes, &stream);
}

CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes)
{
    return copy(pointer_to(to), from, bytes, NULL);
}

CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes)
{
    return copy(to, pointer_to(from), bytes, NULL);
}

CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    return copy(pointer_to(to), pointer_to(from), bytes, NULL);
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream stream)
{
    return copy(pointer_to(to), from, bytes, &stream);
}

CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    return copy(to, pointer_to(from), bytes, &stream);
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    return copy(pointer_to(to), pointer_to(from), bytes, &stream);
}

/* There is one device, which is both sides. */
CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                      CUcontext from_context, size_t bytes)
{
    (void)to_context;
    (void)from_context;
    return cuMemcpy(to, from, bytes);
}

CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                           CUcontext from_context, size_t bytes, CUstream stream)
{
    (void)to_context;
    (void)from_context;
    return cuMemcpyAsync(to, from, bytes, stream);
}

CUresult cuMemcpyHtoA_v2(CUarray to, size_t at, const void *from, size_t bytes)
{
    const CopySide there = in_array(to, at), here = in_memory(from);
    return copy_array(&there, &here, bytes, NULL);
}

CUresult cuMemcpyAtoH_v2(void *to, CUarray from, size_t at, size_t bytes)
{
    const CopySide there = in_memory(to), here = in_array(from, at);
    return copy_array(&there, &here, bytes, NULL);
}

CUresult cuMemcpyDtoA_v2(CUarray to, size_t at, CUdeviceptr from, size_t bytes)
{
    return cuMemcpyHtoA_v2(to, at, pointer_to(from), bytes);
}

CUresult cuMemcpyAtoD_v2(CUdeviceptr to, CUarray from, size_t at, size_t bytes)
{
    return cuMemcpyAtoH_v2(pointer_to(to), from, at, bytes);
}

CUresult cuMemcpyAtoA_v2(CUarray to, size_t to_at, CUarray from, size_t from_at, size_t bytes)
{
    const CopySide there = in_array(to, to_at), here = in_array(from, from_at);
    return copy_array(&there, &here, bytes, NULL);
}

CUresult cuMemcpyHtoAAsync_v2(CUarray to, size_t at, const void *from, size_t bytes,
                              CUstream stream)
{
    const CopySide there = in_array(to, at), here = in_memory(from);
    return copy_array(&there, &here, bytes, &stream);
}

CUresult cuMemcpyAtoHAsync_v2(void *to, CUarray from, size_t at, size_t bytes, CUstream stream)
{
    const CopySide there = in_memory(to), here = in_array(from, at);
    return copy_array(&there, &here, bytes, &stream);
}

CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D *what)
{
    return copy_box(what, NULL);
}

CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *what, CUstream stream)
{
    return copy_box(what, &stream);
}

#pragma GCC visibility pop

static CUDA_MEMCPY3D box_of(const CUDA_MEMCPY2D *what)
{
    return (CUDA_MEMCPY3D){.from = {.x = what->from_x,
                                    .y = what->from_y,
                                    .type = what->from_type,
                                    .host = what->from_host,
                                    .device = what->from_device,
                                    .array = what->from_array,
                                    .pitch = what->from_pitch},
                           .to = {.x = what->to_x,
                                  .y = what->to_y,
                                  .type = what->to_type,
                                  .host = what->to_host,
                                  .device = what->to_device,
                                  .array = what->to_array,
                                  .pitch = what->to_pitch},
                           .width = what->width,
                           .height = what->height,
                           .depth = 1};
}

#pragma GCC visibility push(default)

CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *what, CUstream stream)
{
    const CUDA_MEMCPY3D box = box_of(what);
    return copy_box(&box, &stream);
}

CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D *what)
{
    const CUDA_MEMCPY3D box = box_of(what);
    return copy_box(&box, NULL);
}

CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *what)
{
    return cuMemcpy2D_v2(what);
}

#pragma GCC visibility pop

/* ---- sets ----------------------------------------------------------------------------------- */

CUresult driver_set(const Fill *fill, struct Stream *stream)
{
    const gsize row = fill->width * fill->size;
    if (row == 0 || fill->height == 0)
        return CUDA_SUCCESS;
    if (!piece_at(fill->to) || !fits(fill->to, (fill->height - 1) * fill->pitch + row))
        return CUDA_ERROR_INVALID_VALUE;
    for (gsize y = 0; y < fill->height; y++) {
        guint8 *to = (guint8 *)fill->to + y * fill->pitch;
        if (fill->size == 1)
            memset(to, (int)fill->value, row);
        else
            for (gsize x = 0; x < fill->width; x++)
                memcpy(to + x * fill->size, &fill->value, fill->size);
    }
    ps_card_copied(driver.card, fill->to, NULL, (fill->height - 1) * fill->pitch + row);
    take_time(stream, PS_CARD_SET, row * fill->height);
    return CUDA_SUCCESS;
}

static CUresult set(const Fill *fill, CUstream in)
{
    DRIVER_ENTER;
    struct Stream *stream = driver_stream(in);
    if (!stream)
        return CUDA_ERROR_INVALID_HANDLE;
    if (stream->capture)
        return graph_capture(stream, &(Node){.type = NODE_SET, .set = *fill});
    return driver_set(fill, stream);
}

#pragma GCC visibility push(default)

#define SETS(BITS, TYPE)                                                                           \
    CUresult cuMemsetD##BITS##Async(CUdeviceptr to, TYPE value, size_t n, CUstream stream);        \
    CUresult cuMemsetD##BITS##Async(CUdeviceptr to, TYPE value, size_t n, CUstream stream)         \
    {                                                                                              \
        return set(&(Fill){pointer_to(to), 0, value, sizeof value, n, 1}, stream);                 \
    }                                                                                              \
    CUresult cuMemsetD##BITS##_v2(CUdeviceptr to, TYPE value, size_t n);                           \
    CUresult cuMemsetD##BITS##_v2(CUdeviceptr to, TYPE value, size_t n)                            \
    {                                                                                              \
        return cuMemsetD##BITS##Async(to, value, n, NULL);                                         \
    }                                                                                              \
    CUresult cuMemsetD2D##BITS##Async(CUdeviceptr to, size_t pitch, TYPE value, size_t width,      \
                                      size_t height, CUstream stream);                             \
    CUresult cuMemsetD2D##BITS##Async(CUdeviceptr to, size_t pitch, TYPE value, size_t width,      \
                                      size_t height, CUstream stream)                              \
    {                                                                                              \
        return set(&(Fill){pointer_to(to), pitch, value, sizeof value, width, height}, stream);    \
    }                                                                                              \
    CUresult cuMemsetD2D##BITS##_v2(CUdeviceptr to, size_t pitch, TYPE value, size_t width,        \
                                    size_t height);                                                \
    CUresult cuMemsetD2D##BITS##_v2(CUdeviceptr to, size_t pitch, TYPE value, size_t width,        \
                                    size_t height)                                                 \
    {                                                                                              \
        return cuMemsetD2D##BITS##Async(to, pitch, value, width, height, NULL);                    \
    }

SETS(8, unsigned char)
SETS(16, unsigned short)
SETS(32, unsigned int)

#pragma GCC visibility pop
