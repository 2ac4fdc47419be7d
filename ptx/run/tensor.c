/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies by tensor maps: boxes of tensors of 1 to 5 dimensions between global and shared memory,
 * tiled. Like other asynchronous copies they are executed at once.
 */
#include "ptx/run/copy.h"
#include "ptx/run/descriptor.h"
#include "ptx/run/mbarrier.h"
#include "ptx/run/phase.h"
#include "ptx/run/warp.h"
#include "ptx/tensor-map.h"
#include <string.h>

typedef enum { LOAD, STORE, REDUCE, PREFETCH } Does;

#define SINGLE_ROWS 4U

typedef struct {
    Does does;
    guint rank;
    guint map, shared, barrier; /* numbers of sources; coordinates follow the map */
    guint groups;               /* number of the source with the groups that get the copy; 0:
                                   only its own group */
    gboolean pair;   /* the mbarrier of the group or of the other one of its pair gets the bytes */
    gboolean single; /* rows are given by numbers (gather4, scatter4) */
    gboolean im2col;
    guint offsets; /* number of the source that is the first offset of im2col; 0: none */
    gint64 map_offset, shared_offset, barrier_offset;
    PsTensorChange change; /* the change of REDUCE */
} Tensor;

/* The copy of one lane. */
typedef struct {
    PsPtxRunner *runner;
    const PsPtxStep *step;
    guint lane;
    PsTensorMap map;
    gint32 first[PS_TENSOR_MAX_RANK]; /* coordinates; for single rows the rows' numbers from 1 on */
    guint count[PS_TENSOR_MAX_RANK];  /* number of elements that are copied; 1 in dimensions that
                                         are not copied */
    gint64 pixel[PS_TENSOR_MAX_RANK]; /* im2col: the present pixel ... */
    guint offset[PS_TENSOR_MAX_RANK]; /* ... and the offset from it to the element that is read */
    guint64 shared;                   /* address of the box */
    guint8 *box;                      /* memory of the box */
} Box;

static gboolean fail(const Box *box, const char *why)
{
    ps_ptx_fail(&box->runner->open, box->step, box->lane, "copies by a tensor map, but %s", why);
    return FALSE;
}

/* ---- the map -------------------------------------------------------------------------------- */

static gboolean read_map(Box *box, guint64 address)
{
    const Tensor *tensor = box->step->more;
    guint8 bytes[PS_TENSOR_MAP_BYTES];
    const gboolean touched = box->runner->touched;
    if (address % 64 != 0)
        return fail(box, "its map is at no multiple of 64 bytes");
    for (guint i = 0; i < PS_TENSOR_MAP_BYTES; i += 16) {
        guint64 at[PS_PTX_LANES] = {0};
        guint8 *memory[PS_PTX_LANES] = {NULL};
        const PsPtxTouched piece = {PS_PTX_GENERIC, 16, at, TRUE, 0};
        at[box->lane] = address + i;
        if (!ps_ptx_reach(box->runner, box->step, (guint32)1 << box->lane, &piece, memory))
            return FALSE;
        memcpy(bytes + i, memory[box->lane], 16);
    }
    box->runner->touched = touched; /* the listener counts the tensor's bytes, not the map's */
    ps_tensor_map_decode(bytes, &box->map);
    if (memcmp(bytes, (guint8[PS_TENSOR_MAP_BYTES]){0}, sizeof bytes) == 0)
        return fail(box, "its map is 128 bytes of zeros, which no driver made");
    g_autofree char *wrong = ps_tensor_map_wrong(&box->map);
    if (!wrong && box->map.rank != tensor->rank)
        wrong = g_strdup_printf("the map has %u dimensions, the instruction %u", box->map.rank,
                                tensor->rank);
    if (!wrong && tensor->single && (box->map.box[1] != 1 || box->map.step[1] != 1))
        wrong =
            g_strdup("its box has more than one row, and the instruction takes four by themselves");
    if (!wrong && box->map.im2col && !tensor->im2col)
        wrong = g_strdup("the map is for im2col, and the instruction is not");
    if (!wrong && tensor->im2col && !box->map.im2col)
        wrong =
            g_strdup("it does so by im2col, and the map is none that pipesim made for that (how "
                     "the driver's maps say so is not known)");
    if (!wrong && box->map.interleave != 0)
        wrong = g_strdup("the map is interleaved, which is not executed");
    return !wrong || fail(box, wrong);
}

static guint64 bytes_of(const Box *box)
{
    guint64 bytes = ps_tensor_element_bytes(box->map.element);
    for (guint i = 0; i < PS_TENSOR_MAX_RANK; i++)
        bytes *= box->count[i];
    return bytes;
}

/* ---- rows ----------------------------------------------------------------------------------- */

/* The part of a row that lies in the tensor: elements from `begin` to before `end`. */
typedef struct {
    guint64 address; /* address of element 0 of the row, which may lie outside of the tensor */
    guint begin, end;
} Row;

static Row row_of(const Box *box, const guint index[PS_TENSOR_MAX_RANK])
{
    const PsTensorMap *map = &box->map;
    Row row = {.address = map->address, .end = box->count[0]};
    const Tensor *tensor = box->step->more;
    for (guint i = 1; i < map->rank; i++) {
        const gint64 at = tensor->im2col ? box->pixel[i] + box->offset[i]
                          : tensor->single
                              ? box->first[i + index[i]]
                              : (gint64)box->first[i] + (gint64)index[i] * map->step[i];
        if (at < 0 || (guint64)at >= map->size[i])
            row.end = 0;
        row.address += (guint64)at * map->stride[i];
    }
    const gint64 first = box->first[0], step = map->step[0];
    if (first < 0)
        row.begin = (guint)MIN((-first + step - 1) / step, (gint64)row.end);
    const gint64 fit = ((gint64)map->size[0] - first + step - 1) / step;
    row.end = (guint)CLAMP(fit, (gint64)row.begin, (gint64)MAX(row.end, row.begin));
    row.address += (guint64)(first * (gint64)map->stride[0]);
    return row;
}

static guint8 *reach(const Box *box, guint64 address, guint bytes, gboolean reads)
{
    guint64 at[PS_PTX_LANES] = {0};
    guint8 *memory[PS_PTX_LANES] = {NULL};
    const PsPtxTouched piece = {PS_PTX_GLOBAL, bytes, at, reads, 0};
    at[box->lane] = address;
    return ps_ptx_reach(box->runner, box->step, (guint32)1 << box->lane, &piece, memory)
               ? memory[box->lane]
               : NULL;
}

/* The place of an element of the box in shared memory. */
static guint8 *shared_at(const Box *box, guint number)
{
    const guint64 offset = (guint64)number * ps_tensor_element_bytes(box->map.element);
    const guint64 place = box->shared & box->runner->machine->place[PS_PTX_SHARED];
    return box->box + (ps_ptx_swizzled(place + offset, box->map.swizzle) - place);
}

static void fill(const Box *box, guint8 *to)
{
    static const guint8 half[] = {0xff, 0x7f}, brain[] = {0xff, 0x7f},
                        single[] = {0xff, 0xff, 0xff, 0x7f};
    const PsTensorElement element = box->map.element;
    const guint bytes = ps_tensor_element_bytes(element);
    memset(to, 0, bytes);
    if (!box->map.nan)
        return;
    if (element == PS_TENSOR_F16 || element == PS_TENSOR_BF16)
        memcpy(to, element == PS_TENSOR_F16 ? half : brain, bytes);
    else if (bytes == 4 && element >= PS_TENSOR_F32)
        memcpy(to, single, bytes);
    else if (element == PS_TENSOR_F64)
        memcpy(to, "\xff\xff\xff\xff\xff\xff\xff\x7f", bytes);
}

/* Moves n elements; a reduction moves one. */
static gboolean move(const Box *box, guint number, guint n, guint64 address)
{
    const Tensor *tensor = box->step->more;
    const guint bytes = n * ps_tensor_element_bytes(box->map.element);
    guint8 *global = reach(box, address, bytes, tensor->does == LOAD);
    guint8 *shared = shared_at(box, number);
    if (!global)
        return FALSE;
    if (tensor->does == LOAD)
        memcpy(shared, global, bytes);
    else if (tensor->does == STORE)
        memcpy(global, shared, bytes);
    else if (!ps_ptx_tensor_change(box->map.element, tensor->change, global, shared))
        return fail(box, "its elements cannot be reduced so");
    return TRUE;
}

/* The number of elements that are moved at once from number `i` of a row on: a whole piece that a
 * swizzle keeps together, or one. */
static guint run_of(const Box *box, const Row *row, guint number, guint i)
{
    const Tensor *tensor = box->step->more;
    const guint bytes = ps_tensor_element_bytes(box->map.element);
    const guint64 place = box->shared + (guint64)(number + i) * bytes;
    const gboolean whole = tensor->does != REDUCE && box->map.step[0] == 1 &&
                           box->map.stride[0] == bytes && i >= row->begin &&
                           i + PS_PTX_SWIZZLE_ATOM / bytes <= row->end;
    return whole && (place | (row->address + (guint64)i * bytes)) % PS_PTX_SWIZZLE_ATOM == 0
               ? PS_PTX_SWIZZLE_ATOM / bytes
               : 1;
}

static gboolean move_row(const Box *box, const Row *row, guint number)
{
    const Tensor *tensor = box->step->more;
    for (guint i = 0, n; i < box->count[0]; i += n) {
        const guint64 at = row->address + (guint64)i * box->map.step[0] * box->map.stride[0];
        n = run_of(box, row, number, i);
        if (i < row->begin || i >= row->end) {
            if (tensor->does == LOAD)
                fill(box, shared_at(box, number + i));
        } else if (!move(box, number + i, n, at)) {
            return FALSE;
        }
    }
    return TRUE;
}

/* Notes a row for the listener, as a part of the copy's bytes. */
static void note_row(const Box *box, const Row *row)
{
    const PsPtxPiece piece = {
        row->address + (guint64)row->begin * box->map.step[0] * box->map.stride[0],
        (row->end - row->begin) * box->map.step[0] * (guint)box->map.stride[0]};
    if (row->end > row->begin)
        g_array_append_val(box->runner->pieces, piece);
}

/* ---- im2col --------------------------------------------------------------------------------- */

/* The last place that a pixel may have in a dimension. */
static gint64 last_of(const Box *box, guint i)
{
    return (gint64)box->map.size[i] - 1 + box->map.upper[i];
}

/* Pixels follow each other along dimension 1, then along the next from its lower corner on. */
static void next_pixel(Box *box)
{
    const guint last = box->map.rank - 1;
    for (guint i = 1; i < last; i++) {
        box->pixel[i] += box->map.step[i];
        if (box->pixel[i] <= last_of(box, i))
            return;
        box->pixel[i] = box->map.lower[i];
    }
    box->pixel[last]++;
}

static gboolean begin_pixels(Box *box)
{
    const Tensor *tensor = box->step->more;
    const PsPtxWarp *warp = &box->runner->open;
    for (guint i = 1; i < box->map.rank; i++) {
        const gboolean walked = i + 1 < box->map.rank;
        box->count[i] = i == 1 ? box->map.pixels : 1;
        if (walked && tensor->offsets > 0)
            box->offset[i] =
                (guint16)warp->slots[box->step->from[tensor->offsets + i - 1]][box->lane];
        if (walked && (box->first[i] < box->map.lower[i] || box->first[i] > last_of(box, i))) {
            g_autofree char *why =
                g_strdup_printf("it begins at %d in dimension %u, where the map's pixels are %d to "
                                "%" G_GINT64_FORMAT,
                                box->first[i], i, box->map.lower[i], last_of(box, i));
            return fail(box, why);
        }
    }
    return TRUE;
}

static gboolean move_all(Box *box)
{
    const Tensor *tensor = box->step->more;
    for (guint i = 1; tensor->im2col && i < box->map.rank; i++)
        box->pixel[i] = box->first[i]; /* a copy to several groups begins again */
    guint index[PS_TENSOR_MAX_RANK] = {0};
    const guint rows =
        (guint)bytes_of(box) / ps_tensor_element_bytes(box->map.element) / box->count[0];
    for (guint r = 0; r < rows; r++) {
        const Row row = row_of(box, index);
        if (!move_row(box, &row, r * box->count[0]))
            return FALSE;
        note_row(box, &row);
        if (tensor->im2col)
            next_pixel(box);
        for (guint i = 1; i < PS_TENSOR_MAX_RANK && ++index[i] == box->count[i]; i++)
            index[i] = 0;
    }
    return TRUE;
}

/* ---- the box -------------------------------------------------------------------------------- */

static gboolean reach_box(Box *box)
{
    const Tensor *tensor = box->step->more;
    const PsPtxMachine *machine = box->runner->machine;
    const guint bytes = (guint)MIN(bytes_of(box), G_MAXUINT32);
    const guint64 place = box->shared & machine->place[PS_PTX_SHARED];
    const PsPtxMany whole = {PS_PTX_SHARED, box->shared, bytes, tensor->does != LOAD};
    const guint align = box->map.swizzle > 0 ? box->map.swizzle * 8 : 128;
    if (box->shared % 128 != 0)
        return fail(box, "the box in shared memory is at no multiple of 128 bytes");
    /* a pattern that begins inside of a box with fewer rows would go beyond the box */
    if (place % align != 0 && bytes % align != 0)
        return fail(box, "the box in shared memory is at no multiple of the swizzle's pattern");
    if (bytes > machine->shared_bytes) {
        g_autofree char *why =
            g_strdup_printf("its box has more bytes (%" G_GUINT64_FORMAT
                            ") than the group has shared memory (%" G_GUINT64_FORMAT ")",
                            bytes_of(box), machine->shared_bytes);
        return fail(box, why);
    }
    const gboolean touched = box->runner->touched;
    box->box = ps_ptx_reach_many(box->runner, box->step, box->lane, &whole);
    box->runner->touched = touched;
    return box->box != NULL;
}

static gboolean pay(const Box *box, guint64 barrier, guint bytes)
{
    PsPtxWarp *warp = &box->runner->open;
    guint64 word[PS_PTX_LANES] = {0};
    guint8 *memory[PS_PTX_LANES] = {NULL};
    word[box->lane] = barrier;
    if (!ps_ptx_reach(box->runner, box->step, (guint32)1 << box->lane,
                      &(PsPtxTouched){PS_PTX_SHARED, 8, word, FALSE, 0}, memory))
        return FALSE;
    ps_ptx_phase_counts(box->runner, memory[box->lane], box->step->point, TRUE);
    ps_ptx_mbarrier_pay(warp, memory[box->lane], bytes);
    return TRUE;
}

static void tell(const Box *box)
{
    PsPtxRunner *runner = box->runner;
    guint bytes = 0;
    for (guint i = 0; i < runner->pieces->len; i++)
        bytes += g_array_index(runner->pieces, PsPtxPiece, i).bytes;
    runner->touched = FALSE;
    runner->address[box->lane] = runner->pieces->len > 0
                                     ? g_array_index(runner->pieces, PsPtxPiece, 0).address
                                     : box->map.address;
    ps_ptx_note(runner, PS_PTX_GLOBAL, bytes);
    runner->idle = bytes == 0 ? (guint32)1 << box->lane : 0;
}

/* Copies to (or from) shared memory of the box's group, and informs the mbarrier of that group. */
static gboolean copy_to(Box *box, guint64 barrier)
{
    const Tensor *tensor = box->step->more;
    if (!reach_box(box) || !move_all(box))
        return FALSE;
    tell(box);
    return tensor->does != LOAD || pay(box, barrier, (guint)bytes_of(box));
}

/* Copies to several groups: global memory is read once; each group gets the copy, and its mbarrier
 * the bytes. */
static gboolean copy_to_all(Box *box)
{
    const Tensor *tensor = box->step->more;
    const guint64(*slots)[PS_PTX_LANES] = (const guint64(*)[PS_PTX_LANES])box->runner->open.slots;
    const guint *from = box->step->from;
    const guint64 barrier = tensor->does == LOAD ? slots[from[tensor->barrier]][box->lane] +
                                                       (guint64)tensor->barrier_offset
                                                 : 0;
    const guint parity = (guint)(barrier >> PS_PTX_RANK_AT) & 1; /* parity of the group that has
                                                                    the mbarrier */
    if (tensor->groups == 0)
        return copy_to(box, barrier);
    const guint64 ranks = slots[from[tensor->groups]][box->lane] & G_MAXUINT16;
    const guint64 shared = box->shared;
    if (!ps_ptx_cluster_has(&box->runner->open, box->step, box->lane, ranks))
        return FALSE;
    for (guint64 rest = ranks; rest != 0; rest &= rest - 1) {
        const guint rank = (guint)__builtin_ctzll(rest);
        box->shared = ps_ptx_cluster_at(box->runner->machine, shared, rank);
        g_array_set_size(box->runner->pieces, 0);
        const guint64 told = tensor->pair ? (rank & ~1U) | parity : rank;
        if (!copy_to(box, ps_ptx_cluster_at(box->runner->machine, barrier, told)))
            return FALSE;
    }
    return TRUE;
}

static guint coordinates_of(const Tensor *tensor)
{
    return tensor->single ? 1 + SINGLE_ROWS : tensor->rank;
}

static gboolean copy_lane(Box *box)
{
    const PsPtxWarp *warp = &box->runner->open;
    const PsPtxStep *step = box->step;
    const Tensor *tensor = step->more;
    if (!read_map(box,
                  warp->slots[step->from[tensor->map]][box->lane] + (guint64)tensor->map_offset))
        return FALSE;
    for (guint i = 0; i < PS_TENSOR_MAX_RANK; i++) {
        const gboolean is = i < tensor->rank;
        box->first[i] = i < coordinates_of(tensor)
                            ? (gint32)warp->slots[step->from[tensor->map + 1 + i]][box->lane]
                            : 0;
        box->count[i] = is ? (box->map.box[i] + box->map.step[i] - 1) / box->map.step[i] : 1;
    }
    if (tensor->single)
        box->count[1] = SINGLE_ROWS;
    if (box->map.nibbles && box->first[0] % 2 != 0)
        return fail(box, "it begins in the middle of a byte of elements of 4 bits");
    if (box->map.nibbles)
        box->first[0] /= 2;
    if (tensor->does == PREFETCH)
        return TRUE;
    if (tensor->im2col && !begin_pixels(box))
        return FALSE;
    box->shared =
        warp->slots[step->from[tensor->shared]][box->lane] + (guint64)tensor->shared_offset;
    guint64 inside;
    if (ps_ptx_window(box->runner->machine, box->shared, &inside) == PS_PTX_SHARED)
        box->shared = inside;
    return copy_to_all(box);
}

static void copy(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    PsPtxRunner *runner = ps_ptx_runner(warp);
    ps_ptx_phase_executes(runner, step->point, FALSE);
    g_array_set_size(runner->pieces, 0);
    for (guint32 rest = mask; rest != 0; rest &= rest - 1) {
        Box box = {.runner = runner, .step = step, .lane = (guint)__builtin_ctz(rest)};
        if (!copy_lane(&box))
            return;
    }
}

/* ---- decoding ------------------------------------------------------------------------------- */

static gboolean decode_address(PsPtxDecode *decode, PsPtxStep *step, guint operand, guint *source,
                               gint64 *offset)
{
    *source = step->n_from;
    step->offset = 0;
    if (!ps_ptx_decode_from(decode, step, operand, PS_PTX_U64) || step->n_from != *source + 1)
        return FALSE;
    *offset = step->offset;
    return TRUE;
}

/* [map, {c0, c1}] */
static gboolean decode_map(PsPtxDecode *decode, PsPtxStep *step, guint operand)
{
    Tensor *tensor = step->more;
    tensor->map = step->n_from;
    step->offset = 0;
    if (!ps_ptx_decode_from(decode, step, operand, PS_PTX_B64))
        return FALSE;
    tensor->map_offset = step->offset;
    return step->n_from == tensor->map + 1 + coordinates_of(tensor);
}

/* Decodes the groups of the cluster that get the copy. */
static gboolean decode_groups(PsPtxDecode *decode, PsPtxStep *step)
{
    Tensor *tensor = step->more;
    const guint operand = tensor->im2col ? 4 : 3;
    tensor->groups = step->n_from;
    return decode->instruction->n_operands > operand &&
           ps_ptx_decode_from(decode, step, operand, PS_PTX_U16) &&
           step->n_from == tensor->groups + 1;
}

/* {offset of dimension 1, ...} */
static gboolean decode_offsets(PsPtxDecode *decode, PsPtxStep *step, guint operand)
{
    Tensor *tensor = step->more;
    tensor->offsets = step->n_from;
    return decode->instruction->n_operands > operand &&
           ps_ptx_decode_from(decode, step, operand, PS_PTX_U16) &&
           step->n_from == tensor->offsets + tensor->rank - 2;
}

/* Finds the shape of a copy by its mnemonic; FALSE where that has no shape, or one that is not
 * executed. */
static gboolean decode_shape(const PsPtxMnemonic *mnemonic, Tensor *tensor)
{
    static const char *const ranks[] = {"1d", "2d", "3d", "4d", "5d"};
    for (guint i = 0; i < G_N_ELEMENTS(ranks); i++)
        if (ps_ptx_has(mnemonic, ranks[i]))
            tensor->rank = i + 1;
    if (ps_ptx_has(mnemonic, "im2col::w") || ps_ptx_has(mnemonic, "im2col::w::128"))
        return FALSE;
    tensor->single =
        ps_ptx_has(mnemonic, "tile::gather4") || ps_ptx_has(mnemonic, "tile::scatter4");
    tensor->im2col = ps_ptx_has(mnemonic, "im2col") || ps_ptx_has(mnemonic, "im2col_no_offs");
    return (!tensor->single || tensor->rank == 2) && (!tensor->im2col || tensor->rank >= 3);
}

gboolean ps_ptx_decode_tensor(PsPtxDecode *decode, PsPtxStep *step)
{
    const PsPtxMnemonic *mnemonic = decode->mnemonic;
    Tensor *tensor = g_new0(Tensor, 1);
    step->more = tensor;
    step->execute = copy;
    if (!decode_shape(mnemonic, tensor))
        return FALSE;
    tensor->pair = ps_ptx_has(mnemonic, "cta_group::2");
    tensor->does = ps_ptx_has(mnemonic, "prefetch")   ? PREFETCH
                   : ps_ptx_has(mnemonic, "reduce")   ? REDUCE
                   : mnemonic->space == PS_PTX_SHARED ? LOAD
                                                      : STORE;
    if (tensor->does == REDUCE && !ps_ptx_change_called(mnemonic, &tensor->change))
        return FALSE;
    if (tensor->does == PREFETCH)
        return decode_map(decode, step, 0);
    if (tensor->does == LOAD)
        return decode_address(decode, step, 0, &tensor->shared, &tensor->shared_offset) &&
               decode_map(decode, step, 1) &&
               decode_address(decode, step, 2, &tensor->barrier, &tensor->barrier_offset) &&
               (!tensor->im2col || decode_offsets(decode, step, 3)) &&
               (!ps_ptx_has(mnemonic, "multicast::cluster") || decode_groups(decode, step));
    return decode_map(decode, step, 0) &&
           decode_address(decode, step, 1, &tensor->shared, &tensor->shared_offset);
}
