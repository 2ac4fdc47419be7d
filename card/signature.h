/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which memory a launch accesses, as one number: of four of its groups. Two launches that execute
 * as many instructions differ in it where they stride differently, or read other indices.
 */
#ifndef PIPESIM_CARD_SIGNATURE_H
#define PIPESIM_CARD_SIGNATURE_H

#include "card/memory.h"
#include "ptx/run/run.h"

G_BEGIN_DECLS

typedef struct {
    const PsCardMemory *memory; /* borrowed */
    const PsCardPiece *piece;   /* that was accessed last, or NULL */
    guint64 hash;
} PsCardSignature;

/* Adds to the number what a group accesses; valid as long as the signature and the memory. */
PsPtxListener ps_card_signature_listener(PsCardSignature *signature, const PsCardMemory *memory);

/* Accesses of each of these groups that are added, at least. The group's other accesses are
 * executed as fast as without a listener. */
#define PS_CARD_HEARD 65536

/* The place of the group, from 0, among those that are asked; -1: it is not asked. groups: how many
 * the launch has. */
#define PS_CARD_SAMPLES 4
gint ps_card_signature_which(guint64 group, guint64 groups);

/* The group that is asked at place i, where the launch has so many groups. */
guint64 ps_card_signature_group(guint i, guint64 groups);

/* The number of a launch: of its samples' signatures, in their order. */
guint64 ps_card_signature_of(const PsCardSignature *signatures);

G_END_DECLS

#endif
