/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The quantitative roofline of a kernel, without simulation.
 *
 * Since: 0.1.0
 */
#ifndef PIPESIM_TELL_ROOFLINE_JSON_H
#define PIPESIM_TELL_ROOFLINE_JSON_H

#include "answer/question.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Compares the question's graph and launch with the roofline of its GPU (equations 1 to 19,
 * docs/reference/model.md, section 6), as the JSON document that `pipesim roofline --format json`
 * prints (g_free). The question's options param, groups, group-size and clock count, and no others.
 * measured: measured seconds of the kernel on that GPU, or 0. NULL and *error (PS_ERROR_VALUE) if
 * the graph's parameters make no launch, or the GPU lacks a peak that the kernel needs. */
char *ps_question_roofline_json(PsQuestion *question, double measured, GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
