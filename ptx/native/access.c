/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loads and stores. Usually lanes' bytes lie one behind the other, or are the same, or at least all
 * lie in the memory that the point accessed last. Where that is so, and nothing has to be noted,
 * compiled code accesses them. The step does everything else.
 */
#include "ptx/native/emit.h"

#define MOST_VECTOR 8

#define WINDOW 64 /* bytes, as many as a vector of the processor has */

/* The lanes that read within one window: a number of lanes from number `first` on. */
typedef struct {
    guint first, n;
    PsLlvmValue base;  /* the offset of the window */
    PsLlvmValue which; /* for each of its lanes, the number of its element in the window */
} Window;

#define MOST_WINDOWS (PS_PTX_LANES / 8)

typedef struct {
    PsNativeEmit *emit;
    gboolean reads;
    guint size, bytes;              /* bytes of an element, and of a lane's vector of elements */
    PsLlvmValue address;            /* address of each lane */
    PsLlvmValue buffer;             /* the buffer that was found, and of it: */
    PsLlvmValue data, room, offset; /* its bytes, their number, and each lane's offset from the
                                       first byte */
    PsLlvmValue first;              /* the first lane's offset */
    PsLlvmValue row;      /* the row of the address, before the offset that accesses have is
                             added */
    PsLlvmValue relative; /* distance of each lane from the first one */
    PsLlvmValue beside, same, close; /* TRUE if lanes are regular, the same, or near each other */
    Window windows[MOST_WINDOWS];
    PsLlvmValue lanes, off; /* the lanes that access it, and the bits of the others */
    PsLlvmBlock slow, done;
    guint n;                             /* ways to a result: */
    PsLlvmBlock from[5];                 /* the block where each ends ... */
    PsLlvmValue results[MOST_VECTOR][5]; /* ... and its results */
} Access;

static guint bits_of(guint size)
{
    return size == 8 ? 64 : 32;
}

static const PsPtxNativePlaces *places(const Access *access)
{
    return &access->emit->plan->source->places;
}

/* ---- conditions ----------------------------------------------------------------------------- */

/* TRUE if the comparison holds in all lanes that count. */
static PsLlvmValue all(const Access *access, PsLlvmValue holds)
{
    const PsNativeEmit *emit = access->emit;
    PsLlvmValue bits = PS_NATIVE_ONE(emit, BitCast, holds, emit->word);
    bits = PS_NATIVE_TWO(emit, Or, bits, access->off);
    return ps_native_compare(emit, PS_LLVM_EQ, bits, ps_native_word(emit, G_MAXUINT32));
}

static PsLlvmValue both(const Access *access, PsLlvmValue a, PsLlvmValue b)
{
    return PS_NATIVE_TWO(access->emit, And, a, b);
}

/* TRUE if that many bytes at the offset lie in the memory. */
static PsLlvmValue fits(const Access *access, PsLlvmValue offset, guint64 bytes)
{
    const PsNativeEmit *emit = access->emit;
    PsLlvmValue has =
        ps_native_compare(emit, PS_LLVM_UGE, access->room, ps_native_wide(emit, bytes));
    PsLlvmValue span = PS_NATIVE_TWO(emit, Sub, access->room, ps_native_wide(emit, bytes));
    return both(access, has, ps_native_compare(emit, PS_LLVM_ULE, offset, span));
}

/* Goes on where the condition holds, else to the other block. */
static void need(const Access *access, PsLlvmValue condition, PsLlvmBlock other)
{
    const PsNativeEmit *emit = access->emit;
    PsLlvmBlock goes = ps_native_block(emit, "has");
    emit->llvm->BuildCondBr(emit->builder, condition, goes, other);
    ps_native_begin(emit, goes);
}

static PsLlvmValue is_null(const Access *access, PsLlvmValue pointer)
{
    return ps_native_compare(access->emit, PS_LLVM_EQ, pointer,
                             access->emit->llvm->ConstNull(access->emit->pointer));
}

/* Goes on where no block has to be made; begins the way to another block of the function where one
 * has. */
static PsLlvmValue begin_blocks(const Access *access, PsLlvmBlock goes)
{
    const PsNativeEmit *emit = access->emit;
    PsLlvmBlock with = ps_native_block(emit, "blocks"), some = ps_native_block(emit, "some");
    PsLlvmValue blocks =
        ps_native_load(emit, emit->pointer, access->buffer, places(access)->blocks);
    emit->llvm->BuildCondBr(emit->builder, is_null(access, blocks), goes, with);
    ps_native_begin(emit, with);
    PsLlvmValue whole = ps_native_load(emit, emit->word, blocks, places(access)->whole);
    PsLlvmValue all_are = ps_native_compare(emit, PS_LLVM_NE, whole, ps_native_word(emit, 0));
    if (access->reads)
        emit->llvm->BuildCondBr(emit->builder, all_are, goes, some);
    else
        emit->llvm->BuildBr(emit->builder, some);
    ps_native_begin(emit, some);
    return blocks;
}

/* TRUE if the blocks that hold the bytes at two offsets are there, and for stores are written
 * already. */
static void end_blocks(const Access *access, PsLlvmValue blocks, const PsLlvmValue *offsets,
                       PsLlvmBlock goes)
{
    const PsNativeEmit *emit = access->emit;
    PsLlvmValue made = ps_native_load(emit, emit->pointer, blocks, places(access)->made);
    PsLlvmValue set = emit->llvm->ConstInt(
        emit->byte, access->reads ? places(access)->made_there : places(access)->made_written, 0);
    PsLlvmValue shift = ps_native_wide(emit, (guint)__builtin_ctz(places(access)->block));
    for (guint i = 0; i < 2; i++) {
        PsLlvmValue which = PS_NATIVE_TWO(emit, LShr, offsets[i], shift);
        PsLlvmValue byte = ps_native_load(emit, emit->byte, ps_native_at(emit, made, which), 0);
        emit->llvm->SetOrdering(byte, PS_LLVM_ACQUIRE);
        emit->llvm->SetAlignment(byte, 1);
        set = both(access, set, byte);
    }
    PsLlvmValue good =
        ps_native_compare(emit, PS_LLVM_NE, set, emit->llvm->ConstInt(emit->byte, 0, 0));
    emit->llvm->BuildCondBr(emit->builder, good, goes, access->slow);
    ps_native_begin(emit, goes);
}

/* Needs the blocks of that many bytes from the first lane's on. */
static void need_blocks(const Access *access, guint64 bytes)
{
    const PsNativeEmit *emit = access->emit;
    PsLlvmBlock goes = ps_native_block(emit, "made");
    PsLlvmValue blocks = begin_blocks(access, goes);
    PsLlvmValue ends[] = {access->first,
                          PS_NATIVE_TWO(emit, Add, access->first, ps_native_wide(emit, bytes - 1))};
    end_blocks(access, blocks, ends, goes);
}

/* ---- what is known of the memory ------------------------------------------------------------ */

static PsLlvmValue of_buffer(const Access *access, PsLlvmType type, gsize offset)
{
    return ps_native_load(access->emit, type, access->buffer, offset);
}

/* Needs enough looks at loads from shared memory: until then the step does the load, and looks. */
static void need_looked_at(const Access *access)
{
    const PsNativeEmit *emit = access->emit;
    PsLlvmValue looks = ps_native_load(emit, emit->byte, emit->looks, emit->step->point);
    PsLlvmValue often = ps_native_compare(
        emit, PS_LLVM_UGE, looks, emit->llvm->ConstInt(emit->byte, places(access)->most_looks, 0));
    PsLlvmValue all_known = ps_native_compare(
        emit, PS_LLVM_EQ, of_buffer(access, emit->wide, places(access)->known), access->room);
    PsLlvmValue none = is_null(access, of_buffer(access, emit->pointer, places(access)->written));
    need(access, PS_NATIVE_TWO(emit, Or, PS_NATIVE_TWO(emit, Or, often, all_known), none),
         access->slow);
}

static void find_memory(Access *access)
{
    PsNativeEmit *emit = access->emit;
    const PsPtxStep *step = emit->step;
    const guint64 entry = (2 * (guint64)step->point + (guint64)access->reads) * sizeof(gpointer);
    PsLlvmValue lane = ps_native_word(emit, 0);
    access->buffer = ps_native_load(emit, emit->pointer, emit->last, entry);
    need(access,
         PS_NATIVE_TWO(emit, Xor, is_null(access, access->buffer),
                       emit->llvm->ConstInt(emit->bit, 1, 0)),
         access->slow);
    PsLlvmValue start = of_buffer(access, emit->wide, places(access)->address);
    access->data = of_buffer(access, emit->pointer, places(access)->data);
    access->room = of_buffer(access, emit->wide, places(access)->size);
    access->offset = PS_NATIVE_TWO(emit, Sub, access->address, ps_native_spread(emit, start));
    access->first = PS_NATIVE_TWO(emit, ExtractElement, access->offset, lane);
    if (step->space == PS_PTX_SHARED && access->reads)
        need_looked_at(access);
}

/* TRUE if each lane lies `stride` bytes behind the one before. */
static PsLlvmValue is_regular(const Access *access, guint stride)
{
    const PsNativeEmit *emit = access->emit;
    PsLlvmValue lanes[PS_PTX_LANES];
    for (guint i = 0; i < PS_PTX_LANES; i++)
        lanes[i] = ps_native_wide(emit, (guint64)i * stride);
    PsLlvmValue want = emit->llvm->ConstVector(lanes, PS_PTX_LANES);
    return all(access, ps_native_compare(emit, PS_LLVM_EQ, access->relative, want));
}

/* TRUE if the first lane counts, and its address is a multiple of the bytes. */
static PsLlvmValue is_even(const Access *access)
{
    const PsNativeEmit *emit = access->emit;
    PsLlvmValue lane = ps_native_word(emit, 0);
    PsLlvmValue low =
        PS_NATIVE_TWO(emit, And, PS_NATIVE_TWO(emit, ExtractElement, access->address, lane),
                      ps_native_wide(emit, access->bytes - 1));
    return both(access, PS_NATIVE_TWO(emit, ExtractElement, access->lanes, lane),
                ps_native_compare(emit, PS_LLVM_EQ, low, ps_native_wide(emit, 0)));
}

/* ---- results -------------------------------------------------------------------------------- */

/* An element of all lanes' vectors, in the form that a register holds. */
static PsLlvmValue in_register(const Access *access, PsLlvmValue value)
{
    const PsNativeEmit *emit = access->emit;
    const guint wide = emit->step->kind >> 8, bits = bits_of(access->size);
    PsLlvmType to = ps_native_integers(emit, wide == 8 ? 64 : bits);
    if (wide == 0)
        return ps_native_fit(emit, value, access->size * 8, bits, FALSE);
    value = PS_NATIVE_ONE(emit, SExt, value, to);
    return wide == 2 ? PS_NATIVE_TWO(emit, And, value, ps_native_splat(emit, 32, G_MAXUINT16))
                     : value;
}

static guint register_bits(const Access *access)
{
    return access->emit->step->kind >> 8 == 8 ? 64 : bits_of(access->size);
}

/* Ends a way to a result. */
static void finish(Access *access)
{
    PsNativeEmit *emit = access->emit;
    access->from[access->n++] = emit->llvm->GetInsertBlock(emit->builder);
    emit->llvm->BuildBr(emit->builder, access->done);
}

static void give(Access *access, guint which, PsLlvmValue value)
{
    access->results[which][access->n] = in_register(access, value);
}

static PsLlvmValue stored(const Access *access, guint which)
{
    PsNativeEmit *emit = access->emit;
    const guint bits = bits_of(access->size);
    return ps_native_fit(emit, ps_native_source(emit, 1 + which, bits), bits, access->size * 8,
                         FALSE);
}

/* ---- lanes beside each other ---------------------------------------------------------------- */

/* The indices of elements number `which` in 32 vectors one behind the other; or the reverse. */
static PsLlvmValue pattern(const Access *access, guint which, gboolean back)
{
    const PsNativeEmit *emit = access->emit;
    const guint n = emit->step->vector, size = back ? n * PS_PTX_LANES : PS_PTX_LANES;
    PsLlvmValue at[MOST_VECTOR * PS_PTX_LANES];
    for (guint i = 0; i < size; i++)
        at[i] = ps_native_word(emit, back ? i % n * PS_PTX_LANES + i / n : i * n + which);
    return emit->llvm->ConstVector(at, size);
}

static PsLlvmType whole_type(const Access *access)
{
    const PsNativeEmit *emit = access->emit;
    PsLlvmType element = emit->llvm->IntTypeInContext(emit->context, access->size * 8);
    return emit->llvm->VectorType(element, emit->step->vector * PS_PTX_LANES);
}

static void load_beside(Access *access, PsLlvmValue at)
{
    PsNativeEmit *emit = access->emit;
    if (emit->step->vector == 1) {
        give(access, 0, ps_native_load_masked(emit, whole_type(access), at, access->lanes));
        return;
    }
    PsLlvmValue whole = ps_native_load(emit, whole_type(access), at, 0);
    emit->llvm->SetAlignment(whole, 1);
    for (guint i = 0; i < emit->step->vector; i++)
        give(access, i,
             emit->llvm->BuildShuffleVector(emit->builder, whole,
                                            emit->llvm->GetUndef(whole_type(access)),
                                            pattern(access, i, FALSE), ""));
}

/* Vectors of two and four elements, one behind the other, as a single vector. */
static PsLlvmValue interleaved(const Access *access)
{
    const PsNativeEmit *emit = access->emit;
    PsLlvmValue values[MOST_VECTOR], at[MOST_VECTOR * PS_PTX_LANES];
    guint n = emit->step->vector, size = PS_PTX_LANES;
    for (guint i = 0; i < n; i++)
        values[i] = stored(access, i);
    for (; n > 1; n /= 2, size *= 2) {
        for (guint i = 0; i < 2 * size; i++)
            at[i] = ps_native_word(emit, i);
        for (guint i = 0; i < n / 2; i++)
            values[i] =
                emit->llvm->BuildShuffleVector(emit->builder, values[2 * i], values[2 * i + 1],
                                               emit->llvm->ConstVector(at, 2 * size), "");
    }
    return emit->llvm->BuildShuffleVector(emit->builder, values[0],
                                          emit->llvm->GetUndef(whole_type(access)),
                                          pattern(access, 0, TRUE), "");
}

/* Notes that these bytes of shared memory are written. */
static void note_written(const Access *access, PsLlvmValue at, PsLlvmValue ones)
{
    const PsNativeEmit *emit = access->emit;
    if (emit->step->space != PS_PTX_SHARED)
        return;
    PsLlvmBlock notes = ps_native_block(emit, "notes"), goes = ps_native_block(emit, "noted");
    PsLlvmValue written = of_buffer(access, emit->pointer, places(access)->written);
    PsLlvmValue known = of_buffer(access, emit->wide, places(access)->known);
    PsLlvmValue need_not = PS_NATIVE_TWO(emit, Or, is_null(access, written),
                                         ps_native_compare(emit, PS_LLVM_EQ, known, access->room));
    emit->llvm->BuildCondBr(emit->builder, need_not, goes, notes);
    ps_native_begin(emit, notes);
    PsLlvmValue to = ps_native_at(emit, written, at);
    if (emit->step->vector == 1) {
        ps_native_store_masked(emit, ones, to, access->lanes, 1);
    } else {
        emit->llvm->SetAlignment(ps_native_store(emit, ones, to, 0), 1);
    }
    emit->llvm->BuildBr(emit->builder, goes);
    ps_native_begin(emit, goes);
}

/* As many bytes of ones as the lanes' vectors have. */
static PsLlvmValue ones_of(const Access *access)
{
    const PsNativeEmit *emit = access->emit;
    const guint bits = access->size * 8, n = emit->step->vector * PS_PTX_LANES;
    PsLlvmValue one[MOST_VECTOR * PS_PTX_LANES];
    for (guint i = 0; i < n; i++)
        one[i] = emit->llvm->ConstInt(emit->llvm->IntTypeInContext(emit->context, bits),
                                      G_GUINT64_CONSTANT(0x0101010101010101) >> (64 - bits), 0);
    return emit->llvm->ConstVector(one, n);
}

/* Accesses lanes that lie one behind the other. A vector of several elements needs all lanes: a
 * mask would be slow. */
static void go_beside(Access *access, PsLlvmBlock other)
{
    PsNativeEmit *emit = access->emit;
    const guint64 bytes = (guint64)access->bytes * PS_PTX_LANES;
    PsLlvmValue good = both(access, both(access, access->beside, is_even(access)),
                            fits(access, access->first, bytes));
    if (emit->step->vector > 1)
        good = both(access, good,
                    ps_native_compare(emit, PS_LLVM_EQ, access->off, ps_native_word(emit, 0)));
    need(access, good, other);
    need_blocks(access, bytes);
    PsLlvmValue at = ps_native_at(emit, access->data, access->first);
    if (access->reads) {
        load_beside(access, at);
    } else {
        note_written(access, access->first, ones_of(access));
        if (emit->step->vector == 1) {
            ps_native_store_masked(emit, stored(access, 0), at, access->lanes, 1);
        } else {
            emit->llvm->SetAlignment(ps_native_store(emit, interleaved(access), at, 0), 1);
        }
    }
    finish(access);
}

/* ---- lanes at the same place ---------------------------------------------------------------- */

static void go_same(Access *access, PsLlvmBlock other)
{
    PsNativeEmit *emit = access->emit;
    PsLlvmType element = emit->llvm->IntTypeInContext(emit->context, access->size * 8);
    need(access,
         both(access, both(access, access->same, is_even(access)),
              fits(access, access->first, access->bytes)),
         other);
    need_blocks(access, access->bytes);
    PsLlvmValue at = ps_native_at(emit, access->data, access->first);
    for (guint i = 0; i < emit->step->vector; i++) {
        PsLlvmValue one = ps_native_load(emit, element, at, (guint64)i * access->size);
        emit->llvm->SetAlignment(one, 1);
        give(access, i, ps_native_spread(emit, one));
    }
    finish(access);
}

/* The smallest or the largest offset of the lanes that count. */
static PsLlvmValue extreme(const Access *access, gboolean largest)
{
    const PsNativeEmit *emit = access->emit;
    PsLlvmType types[] = {ps_native_integers(emit, 64)};
    PsLlvmValue among = ps_native_choose(emit, access->lanes, access->offset,
                                         ps_native_splat(emit, 64, largest ? 0 : G_MAXUINT64));
    return ps_native_intrinsic(
        emit, largest ? "llvm.vector.reduce.umax" : "llvm.vector.reduce.umin", types, 1, &among, 1);
}

/* Needs lanes that are at most a block's bytes apart, and their two blocks. Where no lane counts,
 * the first offset is larger than the last. */
static void need_near(const Access *access)
{
    const PsNativeEmit *emit = access->emit;
    PsLlvmBlock goes = ps_native_block(emit, "any");
    PsLlvmValue blocks = begin_blocks(access, goes);
    PsLlvmValue ends[] = {extreme(access, FALSE), extreme(access, TRUE)};
    PsLlvmValue apart = PS_NATIVE_TWO(emit, Sub, ends[1], ends[0]);
    PsLlvmValue some = ps_native_compare(emit, PS_LLVM_ULE, ends[0], ends[1]);
    PsLlvmValue near =
        ps_native_compare(emit, PS_LLVM_ULT, apart, ps_native_wide(emit, places(access)->block));
    need(access, both(access, some, near), access->slow);
    end_blocks(access, blocks, ends, goes);
}

/* ---- lanes near each other ------------------------------------------------------------------ */

static PsLlvmValue some_lanes(const Access *access, PsLlvmValue vector, const Window *window)
{
    const PsNativeEmit *emit = access->emit;
    PsLlvmValue at[PS_PTX_LANES];
    for (guint i = 0; i < window->n; i++)
        at[i] = ps_native_word(emit, window->first + i);
    return emit->llvm->BuildShuffleVector(emit->builder, vector, vector,
                                          emit->llvm->ConstVector(at, window->n), "");
}

/* Finds where the window's lanes read, from the address of the first of them. Returns each lane's
 * distance from it. */
static PsLlvmValue find_window(const Access *access, Window *window)
{
    const PsNativeEmit *emit = access->emit;
    PsLlvmType narrow =
        emit->llvm->VectorType(access->size == 8 ? emit->wide : emit->word, window->n);
    PsLlvmValue power = ps_native_wide(emit, access->size == 8 ? 3 : 2), by[PS_PTX_LANES];
    PsLlvmValue own = some_lanes(access, access->row, window), zeros[PS_PTX_LANES];
    for (guint i = 0; i < window->n; i++) {
        by[i] = power;
        zeros[i] = ps_native_word(emit, 0);
    }
    PsLlvmValue bases = emit->llvm->BuildShuffleVector(
        emit->builder, own, own, emit->llvm->ConstVector(zeros, window->n), "");
    PsLlvmValue behind = PS_NATIVE_TWO(emit, Sub, own, bases);
    window->which = PS_NATIVE_TWO(emit, LShr, behind, emit->llvm->ConstVector(by, window->n));
    if (access->size == 4)
        window->which = PS_NATIVE_ONE(emit, Trunc, window->which, narrow);
    return behind;
}

static PsLlvmValue read_window(const Access *access, const Window *window)
{
    const PsNativeEmit *emit = access->emit;
    PsLlvmValue at = ps_native_at(emit, access->data, window->base);
    PsLlvmValue whole = ps_native_load(emit, emit->llvm->TypeOf(window->which), at, 0);
    emit->llvm->SetAlignment(whole, 1);
    PsLlvmValue with[] = {whole, window->which};
    return ps_native_intrinsic(emit,
                               access->size == 8 ? "llvm.x86.avx512.permvar.di.512"
                                                 : "llvm.x86.avx512.permvar.si.512",
                               NULL, 0, with, 2);
}

/* Joins two vectors of n elements, one behind the other. */
static PsLlvmValue joined(const PsNativeEmit *emit, PsLlvmValue a, PsLlvmValue b, guint n)
{
    PsLlvmValue at[PS_PTX_LANES];
    for (guint i = 0; i < 2 * n; i++)
        at[i] = ps_native_word(emit, i);
    return emit->llvm->BuildShuffleVector(emit->builder, a, b, emit->llvm->ConstVector(at, 2 * n),
                                          "");
}

static gboolean permutes(const Access *access)
{
    return access->emit->permutes && access->emit->step->vector == 1 &&
           (access->size == 4 || access->size == 8) && access->reads &&
           (access->emit->step->offset & (access->size - 1)) == 0;
}

/* TRUE if each lane's element lies in its window, at a whole number of elements from the window's
 * beginning: the first lane of the window may access nothing, and have any address. */
static PsLlvmValue are_close(Access *access)
{
    const PsNativeEmit *emit = access->emit;
    PsLlvmValue behind[MOST_WINDOWS];
    guint lanes = WINDOW / access->size, n = PS_PTX_LANES / lanes;
    for (guint i = 0; i < n; i++) {
        access->windows[i] = (Window){.first = i * lanes, .n = lanes};
        behind[i] = find_window(access, &access->windows[i]);
    }
    for (; n > 1; n /= 2, lanes *= 2)
        for (guint i = 0; i < n / 2; i++)
            behind[i] = joined(emit, behind[2 * i], behind[2 * i + 1], lanes);
    PsLlvmValue rest = ps_native_splat(emit, 64, ~(guint64)(WINDOW - access->size));
    PsLlvmValue low =
        PS_NATIVE_TWO(emit, And, access->row, ps_native_splat(emit, 64, access->size - 1));
    low = PS_NATIVE_TWO(emit, Or, low, PS_NATIVE_TWO(emit, And, behind[0], rest));
    return all(access, ps_native_compare(emit, PS_LLVM_EQ, low, ps_native_splat(emit, 64, 0)));
}

/* Accesses elements of 4 and 8 bytes in windows, where the processor permutes vectors of 64
 * bytes. */
static void go_near(Access *access, PsLlvmBlock other)
{
    PsNativeEmit *emit = access->emit;
    PsLlvmValue values[MOST_WINDOWS], good = access->close;
    guint lanes = WINDOW / access->size, n = PS_PTX_LANES / lanes;
    for (guint i = 0; i < n; i++) {
        Window *window = &access->windows[i];
        window->base = PS_NATIVE_TWO(emit, ExtractElement, access->offset,
                                     ps_native_word(emit, window->first));
        good = both(access, good, fits(access, window->base, WINDOW));
    }
    need(access, good, other);
    need_near(access);
    for (guint i = 0; i < n; i++)
        values[i] = read_window(access, &access->windows[i]);
    for (; n > 1; n /= 2, lanes *= 2)
        for (guint i = 0; i < n / 2; i++)
            values[i] = joined(emit, values[2 * i], values[2 * i + 1], lanes);
    give(access, 0, values[0]);
    finish(access);
}

/* ---- lanes anywhere ------------------------------------------------------------------------- */

/* A pointer for each lane to element number `which`. */
static PsLlvmValue pointers(const Access *access, guint which)
{
    const PsNativeEmit *emit = access->emit;
    PsLlvmType element = emit->llvm->IntTypeInContext(emit->context, access->size * 8);
    PsLlvmType type = ps_native_vector(emit, emit->llvm->PointerType(element, 0));
    PsLlvmValue by = PS_NATIVE_TWO(emit, Add, access->offset,
                                   ps_native_splat(emit, 64, (guint64)which * access->size));
    return PS_NATIVE_ONE(emit, BitCast, ps_native_at(emit, access->data, by), type);
}

static void gather(Access *access)
{
    PsNativeEmit *emit = access->emit;
    PsLlvmType vector = ps_native_integers(emit, access->size * 8);
    for (guint i = 0; i < emit->step->vector; i++) {
        PsLlvmValue at = pointers(access, i);
        PsLlvmType types[] = {vector, emit->llvm->TypeOf(at)};
        PsLlvmValue with[] = {at, ps_native_word(emit, 1), access->lanes,
                              emit->llvm->ConstNull(vector)};
        give(access, i, ps_native_intrinsic(emit, "llvm.masked.gather", types, 2, with, 4));
    }
}

static void scatter(const Access *access)
{
    PsNativeEmit *emit = access->emit;
    for (guint i = 0; i < emit->step->vector; i++) {
        PsLlvmValue at = pointers(access, i), value = stored(access, i);
        PsLlvmType types[] = {emit->llvm->TypeOf(value), emit->llvm->TypeOf(at)};
        PsLlvmValue with[] = {value, at, ps_native_word(emit, 1), access->lanes};
        ps_native_intrinsic(emit, "llvm.masked.scatter", types, 2, with, 4);
    }
}

/* Needs arrays in shared memory that are all written: for others the step notes the bytes. */
static void need_noted(const Access *access)
{
    const PsNativeEmit *emit = access->emit;
    PsLlvmValue none = is_null(access, of_buffer(access, emit->pointer, places(access)->written));
    PsLlvmValue known = of_buffer(access, emit->wide, places(access)->known);
    if (emit->step->space == PS_PTX_SHARED)
        need(
            access,
            PS_NATIVE_TWO(emit, Or, none, ps_native_compare(emit, PS_LLVM_EQ, known, access->room)),
            access->slow);
}

static void go_anywhere(Access *access)
{
    PsNativeEmit *emit = access->emit;
    PsLlvmValue bytes = ps_native_wide(emit, access->bytes);
    PsLlvmValue span = PS_NATIVE_TWO(emit, Sub, access->room, bytes);
    PsLlvmValue low =
        PS_NATIVE_TWO(emit, And, access->address, ps_native_splat(emit, 64, access->bytes - 1));
    PsLlvmValue in =
        ps_native_compare(emit, PS_LLVM_ULE, access->offset, ps_native_spread(emit, span));
    PsLlvmValue even = ps_native_compare(emit, PS_LLVM_EQ, low, ps_native_splat(emit, 64, 0));
    PsLlvmValue good = all(access, both(access, in, even));
    need(access, both(access, good, ps_native_compare(emit, PS_LLVM_UGE, access->room, bytes)),
         access->slow);
    need_near(access);
    if (access->reads) {
        gather(access);
    } else {
        need_noted(access);
        scatter(access);
    }
    finish(access);
}

/* ---- the whole ------------------------------------------------------------------------------ */

static void go_slow(Access *access)
{
    PsNativeEmit *emit = access->emit;
    ps_native_begin(emit, access->slow);
    ps_native_call_step(emit, access->reads && (emit->step->space == PS_PTX_SHARED ||
                                                emit->step->space == PS_PTX_LOCAL ||
                                                emit->step->space == PS_PTX_GENERIC));
    for (guint i = 0; i < emit->step->n_to; i++)
        access->results[i][access->n] =
            ps_native_fetch(emit, emit->step->to[i], register_bits(access));
    finish(access);
}

static void merge(Access *access)
{
    PsNativeEmit *emit = access->emit;
    const guint bits = register_bits(access);
    PsLlvmValue values[MOST_VECTOR];
    ps_native_begin(emit, access->done);
    for (guint i = 0; i < emit->step->n_to; i++) {
        values[i] = emit->llvm->BuildPhi(emit->builder, ps_native_integers(emit, bits), "");
        emit->llvm->AddIncoming(values[i], access->results[i], access->from, access->n);
    }
    for (guint i = 0; i < emit->step->n_to; i++)
        ps_native_put(emit, emit->step->to[i], values[i], bits);
}

/* TRUE where only the step can do it. A store to constant memory is an error, which the step
 * reports. The step also knows where lanes have memory of their own, and which of its bytes they
 * wrote. */
static gboolean is_only_slow(const PsPtxStep *step)
{
    return step->space == PS_PTX_LOCAL || (step->space == PS_PTX_CONST && step->n_to == 0);
}

/* Reads all sources first, since every way needs them. Conditions on the row alone are computed
 * before ways part, so that they are computed once where several points access memory around the
 * same row. */
static void read_sources(Access *access)
{
    PsNativeEmit *emit = access->emit;
    const guint64 offset = (guint64)emit->step->offset;
    access->lanes = emit->guard ? emit->guard : emit->lanes;
    access->off = PS_NATIVE_TWO(emit, Xor, emit->on, ps_native_word(emit, G_MAXUINT32));
    access->row = ps_native_source(emit, 0, 64);
    access->address = PS_NATIVE_TWO(emit, Add, access->row, ps_native_splat(emit, 64, offset));
    for (guint i = 1; i < emit->step->n_from; i++)
        ps_native_source(emit, i, bits_of(access->size));
    if (is_only_slow(emit->step))
        return;
    PsLlvmValue first = PS_NATIVE_TWO(emit, ExtractElement, access->row, ps_native_word(emit, 0));
    access->relative = PS_NATIVE_TWO(emit, Sub, access->row, ps_native_spread(emit, first));
    access->beside = is_regular(access, access->bytes);
    access->same = is_regular(access, 0);
    if (permutes(access))
        access->close = are_close(access);
}

void ps_native_access(PsNativeEmit *emit, gboolean reads)
{
    const guint size = emit->step->kind & 0xff;
    Access access = {.emit = emit,
                     .reads = reads,
                     .size = size,
                     .bytes = size * emit->step->vector,
                     .slow = ps_native_block(emit, "slow"),
                     .done = ps_native_block(emit, "done")};
    PsLlvmBlock same = ps_native_block(emit, "same"), near = ps_native_block(emit, "near");
    PsLlvmBlock any = ps_native_block(emit, "anywhere");
    read_sources(&access);
    if (is_only_slow(emit->step)) {
        emit->llvm->BuildBr(emit->builder, access.slow);
        ps_native_begin(emit, same);
        emit->llvm->BuildUnreachable(emit->builder);
        ps_native_begin(emit, near);
        emit->llvm->BuildUnreachable(emit->builder);
        ps_native_begin(emit, any);
        emit->llvm->BuildUnreachable(emit->builder);
    } else {
        find_memory(&access);
        go_beside(&access, same);
        ps_native_begin(emit, same);
        if (reads)
            go_same(&access, near);
        else
            emit->llvm->BuildBr(emit->builder, near);
        ps_native_begin(emit, near);
        if (permutes(&access))
            go_near(&access, any);
        else
            emit->llvm->BuildBr(emit->builder, any);
        ps_native_begin(emit, any);
        go_anywhere(&access);
    }
    go_slow(&access);
    merge(&access);
}
