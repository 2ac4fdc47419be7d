/* SPDX-License-Identifier: BSD-3-Clause */
/* What a point of a sweep has in the places that axes vary, as facts. */
#ifndef PIPESIM_TELL_VARIED_H
#define PIPESIM_TELL_VARIED_H

#include "answer/sweep.h"
#include "tell/facts.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The first n of the values, by the names of their axes (PsSweepAxis): entries of what is open. */
void ps_tell_varied(const GPtrArray *axes, const PsRational *values, guint n, PsTold *facts);

#pragma GCC visibility pop
G_END_DECLS
#endif
