/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The causes that hold runs up, and the kinds of advice that are tried on them: a line each.
 */
#ifndef PIPESIM_ANSWER_CAUSES_H
#define PIPESIM_ANSWER_CAUSES_H

/* PS_CAUSE_id, and its name in JSON, as advice.kind of tell/facts.table has it. what-if: a latency
 * that the question sets in place of the GPU's. unroll: iterations one after the other that could
 * be under way at once. order: loads that could be issued earlier. nothing: no cause is known. */
#define PS_CAUSES(X)                                                                               \
    X(BANK_CONFLICT, "bank-conflict")                                                              \
    X(UNCOALESCED, "uncoalesced")                                                                  \
    X(WHAT_IF, "what-if")                                                                          \
    X(OCCUPANCY, "occupancy")                                                                      \
    X(LATENCY, "latency")                                                                          \
    X(BANDWIDTH, "bandwidth")                                                                      \
    X(THROUGHPUT, "throughput")                                                                    \
    X(BARRIER, "barrier")                                                                          \
    X(ISSUE_PORT, "issue-port")                                                                    \
    X(TAIL, "tail")                                                                                \
    X(LAUNCH, "launch")                                                                            \
    X(SHAPE, "launch-shape")                                                                       \
    X(NARROW_ACCESS, "narrow-access")                                                              \
    X(MISALIGNED, "misaligned")                                                                    \
    X(ONE_ADDRESS, "one-address")                                                                  \
    X(REUSE, "reuse")                                                                              \
    X(DIVISION, "division")                                                                        \
    X(EXACT_MATH, "exact-math")                                                                    \
    X(DOUBLE_PRECISION, "double-precision")                                                        \
    X(WIDE_INDEX, "wide-index")                                                                    \
    X(CONVERSION, "conversion")                                                                    \
    X(DIVERGENCE, "divergence")                                                                    \
    X(IMBALANCE, "imbalance")                                                                      \
    X(TENSOR, "tensor")                                                                            \
    X(UNROLL, "unroll")                                                                            \
    X(ORDER, "order")                                                                              \
    X(READ_ONLY, "read-only")                                                                      \
    X(STAGES, "stages")                                                                            \
    X(MULTICAST, "multicast")                                                                      \
    X(CONSUMERS, "consumers")                                                                      \
    X(TILE_SIZE, "tile-size")                                                                      \
    X(NOTHING, "nothing")

/* The cause that holds a run up, or that advice is about: PS_CAUSE_BANK_CONFLICT and so on. */
typedef enum {
#define PS_CAUSE_ID(id, name) PS_CAUSE_##id, /* one of the list's */
    PS_CAUSES(PS_CAUSE_ID)
#undef PS_CAUSE_ID
        PS_N_CAUSES
} PsCause;

/* The kinds of advice, in the order in which they are tried: the file advice/NAME.c, with '-' for
 * '_', defines ps_advice_kind_NAME. */
#define PS_ADVICE_KINDS(X)                                                                         \
    X(conflict)                                                                                    \
    X(occupancy)                                                                                   \
    X(barrier)                                                                                     \
    X(port)                                                                                        \
    X(pipeline)                                                                                    \
    X(level)                                                                                       \
    X(latency)                                                                                     \
    X(tail)                                                                                        \
    X(overhead)                                                                                    \
    X(shape)                                                                                       \
    X(division)                                                                                    \
    X(exact_math)                                                                                  \
    X(double_precision)                                                                            \
    X(index)                                                                                       \
    X(counter)                                                                                     \
    X(wide)                                                                                        \
    X(align)                                                                                       \
    X(spot)                                                                                        \
    X(reuse)                                                                                       \
    X(tile)                                                                                        \
    X(divergence)                                                                                  \
    X(imbalance)                                                                                   \
    X(tensor)                                                                                      \
    X(loop)                                                                                        \
    X(straight)                                                                                    \
    X(read_only)                                                                                   \
    X(stages)                                                                                      \
    X(multicast)                                                                                   \
    X(consumers)                                                                                   \
    X(tile_size)

#endif
