/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Launches of the corpus: what the other kernels' code lacks. Calls, tables of branches, types of
 * 64 bits, and less usual integer instructions.
 */
#include "tests/help/corpus.h"

#include <math.h>

/* Every instruction of the stack machine, so that between one and three numbers are on the stack.
 */
static const guint8 program[] = {0, 0, 1, 3, 6, 1, 2, 6, 0, 4, 5, 7, 3, 6, 0, 1, 2, 3};

static void fill_program(gpointer data, guint count, G_GNUC_UNUSED guint32 seed)
{
    guint8 *instructions = data;
    for (guint i = 0; i < count; i++)
        instructions[i] = program[i];
}

typedef struct {
    gint32 stack[8];
    int height;
} Machine;

static void machine_step(Machine *machine, guint8 instruction, gint32 input, gint32 place)
{
    gint32 *top =
        &machine->stack[MAX(machine->height, 1) - 1]; /* of an empty one nobody takes it */
    switch (instruction) {
    case 0:
    case 1:
        machine->stack[machine->height++] = instruction == 0 ? input : place;
        break;
    case 2:
    case 3:
        top[-1] = instruction == 2 ? top[-1] + top[0] : top[-1] * top[0];
        machine->height--;
        break;
    case 4: {
        const gint32 divisor = top[0] | 1;
        top[0] = top[-1] % divisor;
        top[-1] = top[-1] / divisor;
        break;
    }
    case 5:
        for (int i = 0; i + 1 < machine->height; i++)
            *top ^= machine->stack[i];
        break;
    case 6:
        if (*top % 2 != 0)
            *top = -*top;
        break;
    default:
        break;
    }
}

static void expect_calls(const CorpusLaunch *launch, gpointer const buffers[])
{
    const guint8 *instructions = buffers[2];
    const gint32 *in = buffers[3];
    gint32 *out = buffers[4];
    for (int thread = 0; thread < corpus_int(launch, 0); thread++) {
        Machine machine = {.height = 0};
        for (int i = 0; i < corpus_int(launch, 1); i++)
            machine_step(&machine, instructions[i], in[thread], i);
        out[thread] = machine.stack[machine.height - 1];
    }
}

static void expect_wide(const CorpusLaunch *launch, gpointer const buffers[])
{
    const int length = corpus_int(launch, 1);
    const guint64 modulus = corpus_scalar(&launch->arguments[2]);
    double *means = buffers[3];
    guint64 *rests = buffers[4];
    guint64 *greatest = buffers[5];
    for (int i = 0; i < corpus_int(launch, 0); i++) {
        guint64 state = (guint64)i;
        double sum = 0.0;
        for (int j = 0; j < length; j++) {
            state = state * G_GUINT64_CONSTANT(6364136223846793005) +
                    G_GUINT64_CONSTANT(1442695040888963407);
            sum += (double)state;
        }
        means[i] = sqrt(sum / length);
        rests[i] = (state >> i % 64) % modulus;
        *greatest = MAX(*greatest, state);
    }
}

/* Bits from `first` on, `count` of them. */
static guint32 bit_field(guint32 value, guint first, guint count)
{
    return value >> first & ((1u << count) - 1);
}

/* The entry of the table of branches: prime is 2, 3, 5, 7 for them. */
static guint32 table_entry(guint32 i, guint32 prime)
{
    const guint32 origin = 1000;
    switch (i % 4) {
    case 0:
        return (i & 0xffffff) * prime;
    case 1: /* the lower two bytes of each */
        return (i & 0xffff) | origin << 16;
    case 2: /* four bits of origin's in the place of i's from bit 8 on */
        return (i & ~0xf00u) | (bit_field(origin, 3, prime) & 15) << 8;
    default: { /* i was shifted in from below as origin's upper half */
        const gint64 sum = (gint64)2147483640 + i;
        return (guint32)MIN(sum, G_MAXINT32) ^ (i << 8 | origin >> 24);
    }
    }
}

static guint32 ones(guint32 value)
{
    guint32 count = 0;
    for (; value != 0; value &= value - 1)
        count++;
    return count;
}

/* The place of the highest bit that is set; all ones if there is none. */
static guint32 highest(guint32 value)
{
    guint32 place = G_MAXUINT32;
    for (; value != 0; value >>= 1)
        place++;
    return place;
}

static void expect_table(const CorpusLaunch *launch, gpointer const buffers[])
{
    static const guint32 primes[] = {2, 3, 5, 7};
    guint64 *out = buffers[0];
    for (guint32 i = 0; i < (guint32)corpus_int(launch, 1); i++) {
        const guint32 entry = table_entry(i, primes[i % 4]);
        const guint32 mixed = entry ^ 1000 ^ i;
        const guint32 chosen = ones(mixed) != 16 ? 31 - highest(mixed) : highest(entry);
        const guint32 apart = MAX(ones(mixed), chosen) - MIN(ones(mixed), chosen);
        out[i] = ((guint64)G_MAXUINT32 + entry) ^ (guint64)(guint32)(apart + mixed) << 32;
    }
}

const CorpusLaunch corpus_code[] = {
    {CORPUS_LAUNCH("calls", "calls.ptx", "calls", 2, 1, 64, 1),
     .arguments = {CORPUS_INT("n", 100), CORPUS_INT("length", sizeof program),
                   CORPUS_BUFFER("program", CORPUS_U8, sizeof program, fill_program),
                   CORPUS_BUFFER("in", CORPUS_I32, 100, corpus_fill_ints),
                   CORPUS_BUFFER("out", CORPUS_I32, 100, NULL)},
     .expect = expect_calls},
    {CORPUS_LAUNCH("wide", "wide.ptx", "wide", 3, 1, 32, 1),
     .arguments = {CORPUS_INT("n", 70), CORPUS_INT("length", 9), CORPUS_LONG("modulus", 1000003),
                   CORPUS_BUFFER("means", CORPUS_F64, 70, NULL),
                   CORPUS_BUFFER("rests", CORPUS_U64, 70, NULL),
                   CORPUS_BUFFER("greatest", CORPUS_U64, 1, NULL)},
     .expect = expect_wide},
    {CORPUS_LAUNCH("table", "table.ptx", "table", 2, 1, 64, 1), .nameless = TRUE,
     .arguments = {CORPUS_BUFFER("out", CORPUS_U64, 100, NULL), CORPUS_INT("n", 100)},
     .expect = expect_table},
    {.name = NULL}};
