/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ldmatrix, stmatrix and movmatrix. A matrix has 8 x 8 elements of 16 bits: lane l has two
 * neighbours in row l / 4. Matrices of bytes have 8 x 16 elements, four neighbours in a lane;
 * transposed ones have 16 x 16 or 16 x 8 (8 rows in memory). The address of each row in memory
 * comes from a lane of its own; rows have 16 bytes. Elements of four or six bits become bytes that
 * begin with zeros.
 */
#include "ptx/alu/matrix.h"
#include "ptx/run/families.h"

/* A matrix in memory: its rows of 16 bytes, and the number of registers of a lane that they fill.
 * Elements of fewer than 8 bits lie at the beginning of a row, and become bytes. */
typedef struct {
    const char *name;
    gboolean transposed;
    guint bytes; /* bytes of an element in registers */
    guint rows, registers;
    gboolean store;
} Shape;

typedef struct {
    const Shape *shape;
    guint bits; /* bits of an element in memory, if it is less than a byte; else 0 */
} Move;

static const Shape shapes[] = {
    {"m8n8", FALSE, 2, 8, 1, TRUE},    {"m8n8", TRUE, 2, 8, 1, TRUE},
    {"m16n8", TRUE, 1, 8, 1, TRUE},    {"m8n16", FALSE, 1, 8, 1, FALSE},
    {"m16n16", TRUE, 1, 16, 2, FALSE},
};

/* Finds the row in memory, and the element in the row, that becomes element i of a lane's
 * register. */
static void place_of(const Shape *shape, guint lane, guint k, guint i, guint *row, guint *column)
{
    const guint each = 4 / shape->bytes, along = lane % 4 * each + i;
    *row = lane / 4;
    *column = along;
    if (!shape->transposed)
        return;
    *row = shape->rows == 16 || shape->bytes == 2 ? along : lane % 4 * 2 + i % 2;
    *column = lane / 4 + (shape->rows == 16 ? 8 * k : shape->bytes == 1 ? i / 2 * 8 : 0);
}

/* The lanes that give the addresses of that many rows. */
static guint32 speakers(guint rows)
{
    return rows >= PS_PTX_LANES ? G_MAXUINT32 : ((guint32)1 << rows) - 1;
}

/* The rows of all matrices; FALSE with the warp's error set. */
static gboolean reach(PsPtxWarp *warp, const PsPtxStep *step, guint rows,
                      guint8 *memory[PS_PTX_LANES])
{
    guint64 address[PS_PTX_LANES];
    ps_ptx_addresses(warp, step, address);
    return ps_ptx_touch(warp, step, speakers(rows), address, 16, memory);
}

/* An element of a row. */
static guint64 element_of(const Move *move, const guint8 *row, guint column)
{
    if (move->shape->bytes == 2)
        return row[column * 2] | (guint64)row[column * 2 + 1] << 8;
    if (move->bits == 0)
        return row[column];
    const guint bit = column * move->bits;
    const guint two = row[bit / 8] | (bit / 8 + 1 < 16 ? row[bit / 8 + 1] << 8 : 0);
    return two >> bit % 8 & ((1U << move->bits) - 1);
}

static void execute_load(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const Move *move = step->more;
    const Shape *shape = move->shape;
    guint8 *rows[PS_PTX_LANES] = {NULL};
    if (!reach(warp, step, step->n_to / shape->registers * shape->rows, rows))
        return;
    for (guint k = 0; k < step->n_to; k++) {
        guint64 result[PS_PTX_LANES] = {0};
        guint8 **first = rows + k / shape->registers * shape->rows;
        for (guint lane = 0; lane < PS_PTX_LANES; lane++)
            for (guint i = 0; i < 4 / shape->bytes; i++) {
                guint row, column;
                place_of(shape, lane, k % shape->registers, i, &row, &column);
                result[lane] |= element_of(move, first[row], column) << (i * 8 * shape->bytes);
            }
        ps_ptx_give(warp, step->to[k], result, mask);
    }
}

static void execute_store(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const Move *move = step->more;
    const Shape *shape = move->shape;
    guint8 *rows[PS_PTX_LANES] = {NULL};
    guint matrices = step->n_from - 1;
    if (!reach(warp, step, matrices * shape->rows, rows))
        return;
    for (guint matrix = 0; matrix < matrices; matrix++)
        for (guint lane = 0; lane < PS_PTX_LANES; lane++)
            for (guint i = 0; (mask >> lane & 1) != 0 && i < 4 / shape->bytes; i++) {
                guint row, column;
                place_of(shape, lane, 0, i, &row, &column);
                const guint64 word =
                    ps_ptx_source(warp, step, 1 + matrix)[lane] >> (i * 8 * shape->bytes);
                for (guint b = 0; b < shape->bytes; b++)
                    rows[matrix * 8 + row][column * shape->bytes + b] = (guint8)(word >> 8 * b);
            }
}

static void execute_transpose(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const guint64 *from = ps_ptx_source(warp, step, 0);
    guint64 result[PS_PTX_LANES] = {0};
    for (guint lane = 0; lane < PS_PTX_LANES; lane++)
        for (guint i = 0; i < 2; i++) {
            guint row, column;
            place_of(&shapes[1], lane, 0, i, &row, &column);
            guint64 word = from[row * 4 + column / 2] >> (column % 2 * 16);
            result[lane] |= (word & 0xffff) << (i * 16);
        }
    ps_ptx_give(warp, step->to[0], result, mask);
}

static gboolean is_matrix_count(guint n)
{
    return n == 1 || n == 2 || n == 4;
}

/* Finds the matrices that an instruction names; FALSE: there are no such matrices. */
static gboolean find_shape(const PsPtxMnemonic *mnemonic, Move *move)
{
    const gboolean transposed = ps_ptx_has(mnemonic, "trans"),
                   wider = ps_ptx_has(mnemonic, "b8x16");
    const guint bytes = ps_ptx_has(mnemonic, "b16") ? 2 : 1;
    move->bits = ps_ptx_has(mnemonic, "b4x16_p64") ? 4 : ps_ptx_has(mnemonic, "b6x16_p32") ? 6 : 0;
    for (gsize i = 0; i < G_N_ELEMENTS(shapes); i++)
        if (ps_ptx_has(mnemonic, shapes[i].name) && shapes[i].transposed == transposed &&
            shapes[i].bytes == bytes)
            move->shape = &shapes[i];
    if (!move->shape || wider != (move->bits > 0))
        return FALSE;
    return bytes == 2 ? !wider : wider || ps_ptx_has(mnemonic, "b8");
}

static gboolean decode_move(PsPtxDecode *decode, PsPtxStep *step)
{
    const char *opcode = decode->mnemonic->opcode;
    Move *move = g_new0(Move, 1);
    step->more = move;
    if (!find_shape(decode->mnemonic, move) || !ps_ptx_operands(decode, 2, 2))
        return FALSE;
    if (strcmp(opcode, "stmatrix") == 0) {
        step->execute = execute_store;
        return move->shape->store && move->bits == 0 &&
               ps_ptx_decode_from(decode, step, 0, PS_PTX_U64) && step->n_from == 1 &&
               ps_ptx_decode_from(decode, step, 1, PS_PTX_B32) && is_matrix_count(step->n_from - 1);
    }
    gboolean load = strcmp(opcode, "ldmatrix") == 0;
    step->execute = load ? execute_load : execute_transpose;
    return ps_ptx_decode_to(decode, step, 0) &&
           ps_ptx_decode_from(decode, step, 1, load ? PS_PTX_U64 : PS_PTX_B32) &&
           step->n_from == 1 && is_matrix_count(step->n_to) && step->n_to >= move->shape->registers;
}

gboolean ps_ptx_matrix_move(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    static const char *const own[] = {"ldmatrix", "stmatrix", "movmatrix", NULL};
    if (!ps_ptx_opcode_in(decode, own))
        return FALSE;
    return decode_move(decode, step) || ps_ptx_cannot(decode, step, unsupported);
}
