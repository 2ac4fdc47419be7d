/* SPDX-License-Identifier: BSD-3-Clause */
/* See compiled.h. */
#include "ptx/run/compiled.h"

#include "ptx/native/native.h"
#include "ptx/run/watch.h"

#include <string.h>

/* Versions that are kept of a kernel whose steps differ from launch to launch, as where variables
 * have other addresses. */
#define MOST_VARIANTS 8

/* Code that stops at watched steps gains less, so it is compiled this many times later. */
#define WATCHED_LATER 8

typedef struct {
    guint64 digest; /* digest of the steps */
    PsPtxNativeCode *code;
} Variant;

struct PsPtxCompiled {
    guint64 after;
    guint64 executed;  /* atomic: warp instructions executed in all */
    guint64 native;    /* atomic: 0: compiled code has executed none of them */
    gboolean hopeless; /* atomic: the code cannot be compiled */
    GMutex lock;       /* protects the members below */
    guint n_variants;
    Variant variants[MOST_VARIANTS];
};

PsPtxCompiled *ps_ptx_compiled_new(guint64 after)
{
    PsPtxCompiled *compiled = g_new0(PsPtxCompiled, 1);
    compiled->after = after;
    g_mutex_init(&compiled->lock);
    return compiled;
}

void ps_ptx_compiled_free(PsPtxCompiled *compiled)
{
    if (!compiled)
        return;
    for (guint i = 0; i < compiled->n_variants; i++)
        ps_ptx_native_free(compiled->variants[i].code);
    g_mutex_clear(&compiled->lock);
    g_free(compiled);
}

guint64 ps_ptx_compiled_executed(const PsPtxCompiled *compiled)
{
    return __atomic_load_n(&compiled->native, __ATOMIC_RELAXED);
}

/* ---- what is compiled ----------------------------------------------------------------------- */

static gboolean execute_step(PsPtxWarp *warp, guint point, guint32 mask)
{
    PsPtxRunner *runner = ps_ptx_runner(warp);
    const PsPtxStep *steps = warp->steps, *step = &steps[point];
    if (mask == 0)
        return FALSE;
    runner->touched = FALSE;
    runner->remote = 0;
    step->execute(warp, step, mask);
    if (runner->machine->trouble)
        ps_ptx_settle(runner);
    return warp->error != NULL || runner->machine->notes || warp->steps != steps ||
           !runner->machine->native[steps == runner->machine->plain].code;
}

static guint bits_of_type(PsPtxType type)
{
    return type == PS_PTX_PRED ? 1 : ps_ptx_type_size(type) <= 4 ? 32 : 64;
}

static guint8 *bits_of_registers(const PsPtxCode *code)
{
    guint8 *bits = g_malloc0((gsize)code->n_registers + 1);
    for (guint i = 0; i < code->inlines->len; i++) {
        const PsPtxInline *copy = code->inlines->pdata[i];
        const GArray *registers = copy->function->registers;
        for (guint k = 0; k < registers->len; k++)
            bits[copy->first_register + k] =
                (guint8)bits_of_type(g_array_index(registers, PsPtxRegister, k).type);
    }
    return bits;
}

/* TRUE if places of threads and groups fit into 32 bits. */
static gboolean is_short(const PsPtxFixed *fixed)
{
    return fixed->special && fixed->value <= PS_PTX_WARPID;
}

static guint8 *bits_of_slots(const PsPtxMachine *machine)
{
    guint8 *bits = g_malloc((gsize)machine->n_slots + 1);
    g_autofree guint8 *registers = bits_of_registers(machine->code);
    const guint n_fixed = machine->fixed->len;
    memset(bits, 64, machine->n_slots);
    for (guint i = 0; i < n_fixed; i++)
        if (is_short(&g_array_index(machine->fixed, PsPtxFixed, i)))
            bits[i] = 32;
    for (guint i = 0; i < machine->n_kept; i++)
        if (machine->kept_registers[i] > 0)
            bits[n_fixed + i] = registers[machine->kept_registers[i] - 1];
    return bits;
}

/* A step with a prelude is not compiled, so compiled code stops there. */
static void note_preludes(const PsPtxMachine *machine, guint8 *stops, guint8 *shared)
{
    GHashTableIter iter;
    gpointer point, value;
    g_hash_table_iter_init(&iter, machine->preludes);
    while (g_hash_table_iter_next(&iter, &point, &value)) {
        const PsPtxPrelude *prelude = value;
        stops[GPOINTER_TO_UINT(point)] = 1;
        for (guint i = 0; i < prelude->n; i++)
            shared[prelude->before[i].from] = shared[prelude->before[i].to] = 1;
    }
}

/* Watched steps are not compiled, so compiled code stops there. */
static void note_watches(const PsPtxMachine *machine, guint8 *stops)
{
    for (guint i = 0; machine->watches && i < machine->code->n_points; i++)
        stops[i] |= machine->watches[i] != NULL;
}

static PsPtxNativeCode *compile(const PsPtxMachine *machine, const PsPtxStep *steps)
{
    g_autofree guint8 *bits = bits_of_slots(machine);
    g_autofree guint8 *stops = g_malloc0((gsize)machine->code->n_points + 1);
    g_autofree guint8 *shared = g_malloc0((gsize)machine->n_slots + 1);
    note_preludes(machine, stops, shared);
    if (steps != machine->plain)
        note_watches(machine, stops);
    const PsPtxNativeSource source = {.code = machine->code,
                                      .steps = steps,
                                      .n_slots = machine->n_slots,
                                      .n_fixed = machine->fixed->len,
                                      .n_kept = machine->n_kept,
                                      .fixed =
                                          (const PsPtxFixed *)(gconstpointer)machine->fixed->data,
                                      .bits = bits,
                                      .shared = shared,
                                      .stops = stops,
                                      .step = execute_step,
                                      .places = {.address = G_STRUCT_OFFSET(PsPtxBuffer, address),
                                                 .size = G_STRUCT_OFFSET(PsPtxBuffer, size),
                                                 .data = G_STRUCT_OFFSET(PsPtxBuffer, data),
                                                 .written = G_STRUCT_OFFSET(PsPtxBuffer, written),
                                                 .known = G_STRUCT_OFFSET(PsPtxBuffer, known),
                                                 .blocks = G_STRUCT_OFFSET(PsPtxBuffer, blocks),
                                                 .whole = G_STRUCT_OFFSET(PsPtxBlocks, whole),
                                                 .made = G_STRUCT_OFFSET(PsPtxBlocks, made),
                                                 .block = PS_PTX_BLOCK,
                                                 .made_there = PS_PTX_BLOCK_MADE,
                                                 .made_written = PS_PTX_BLOCK_WRITTEN,
                                                 .most_looks = PS_PTX_MOST_LOOKS}};
    return ps_ptx_native_compile(&source);
}

/* ---- which code ----------------------------------------------------------------------------- */

static void mix(guint64 *digest, gconstpointer data, gsize bytes)
{
    const guint8 *at = data;
    for (gsize i = 0; i < bytes; i++)
        *digest = (*digest ^ at[i]) * G_GUINT64_CONSTANT(0x100000001b3);
}

/* Digest of all that compiled code was made from and that may differ in another launch. */
static guint64 digest_of(const PsPtxMachine *machine, const PsPtxStep *steps)
{
    guint64 digest = G_GUINT64_CONSTANT(0xcbf29ce484222325);
    const guint sizes[] = {machine->n_slots, machine->n_kept, machine->code->n_points};
    mix(&digest, sizes, sizeof sizes);
    for (guint i = 0; i < machine->fixed->len; i++) {
        const PsPtxFixed *fixed = &g_array_index(machine->fixed, PsPtxFixed, i);
        mix(&digest, &fixed->special, sizeof fixed->special);
        mix(&digest, &fixed->value, sizeof fixed->value);
    }
    for (guint i = 0; i < machine->code->n_points; i++) {
        const PsPtxStep *step = &steps[i];
        mix(&digest, &step->execute, sizeof step->execute);
        mix(&digest, &step->watched, sizeof step->watched);
        mix(&digest, &step->guard, sizeof step->guard);
        mix(&digest, &step->kind, sizeof step->kind);
        mix(&digest, &step->space, sizeof step->space);
        mix(&digest, step->to, step->n_to * sizeof *step->to);
        mix(&digest, step->from, step->n_from * sizeof *step->from);
        mix(&digest, &step->offset, sizeof step->offset);
    }
    return digest;
}

/* Returns NULL where there is no compiled code, and none can be made. */
static const PsPtxNativeCode *find(PsPtxCompiled *compiled, const PsPtxMachine *machine,
                                   const PsPtxStep *steps)
{
    const guint64 digest = digest_of(machine, steps);
    for (guint i = 0; i < compiled->n_variants; i++)
        if (compiled->variants[i].digest == digest)
            return compiled->variants[i].code;
    if (compiled->n_variants == MOST_VARIANTS)
        return NULL;
    PsPtxNativeCode *code = compile(machine, steps);
    if (code)
        compiled->variants[compiled->n_variants++] = (Variant){digest, code};
    else
        __atomic_store_n(&compiled->hopeless, TRUE, __ATOMIC_RELAXED);
    return code;
}

static gboolean suits(const PsPtxMachine *machine)
{
    return machine->vectors == PS_PTX_AVX2 && machine->cluster->n == 1 &&
           !machine->module->machine && machine->module->address_size == 64;
}

/* ---- executing ------------------------------------------------------------------------------ */

void ps_ptx_compiled_look(PsPtxRunner *runner)
{
    PsPtxMachine *machine = runner->machine;
    const gboolean plain = runner->open.steps == machine->plain;
    PsPtxCompiled *compiled = machine->launch.compiled;
    const guint64 now = machine->warp_instructions;
    if (!suits(machine) || __atomic_load_n(&compiled->hopeless, __ATOMIC_RELAXED)) {
        machine->launch.compiled = NULL;
        return;
    }
    const guint64 executed =
        __atomic_add_fetch(&compiled->executed, now - machine->counted, __ATOMIC_RELAXED);
    machine->counted = now;
    const guint64 times = machine->watches && !plain ? WATCHED_LATER : 1;
    if (executed < times * compiled->after * machine->code->n_points ||
        !g_mutex_trylock(&compiled->lock))
        return; /* too early, or another thread compiles it */
    const PsPtxNativeCode *code = find(compiled, machine, runner->open.steps);
    g_mutex_unlock(&compiled->lock);
    machine->native[plain].code = code;
    if (code)
        machine->native[plain].segments = ps_ptx_native_lengths(code);
    else
        machine->launch.compiled = NULL;
}

/* Notes once that compiled code was executed: threads would wait for each other if all of them
 * wrote at each call. */
static void note_executed(PsPtxCompiled *compiled, guint64 done)
{
    if (done > 0 && __atomic_load_n(&compiled->native, __ATOMIC_RELAXED) == 0)
        __atomic_store_n(&compiled->native, done, __ATOMIC_RELAXED);
}

gboolean ps_ptx_go_compiled(PsPtxRunner *runner, guint64 budget)
{
    PsPtxMachine *machine = runner->machine;
    PsPtxNativeCall call = {.slots = runner->open.slots,
                            .last = (gpointer *)machine->last,
                            .looks = machine->looks,
                            .warp = &runner->open,
                            .budget = budget,
                            .mask = runner->open.active,
                            .pc = runner->pc,
                            .meet = runner->meet};
    ps_ptx_native_run(machine->native[runner->open.steps == machine->plain].code, &call);
    const guint64 done = budget - call.budget;
    runner->pc = call.pc;
    runner->executed += done;
    runner->accesses += call.accesses;
    machine->thread_instructions += call.threads;
    note_executed(machine->launch.compiled, done);
    return done > 0;
}
