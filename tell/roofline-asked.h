/* SPDX-License-Identifier: BSD-3-Clause */
/* The roofline of a question, for its document and for others that tell it. */
#ifndef PIPESIM_TELL_ROOFLINE_ASKED_H
#define PIPESIM_TELL_ROOFLINE_ASKED_H

#include "answer/question.h"
#include "tell/roofline-kernel.h"

G_BEGIN_DECLS

/* The question's launch on its GPU, which joins gpus (PsRooflineGpu); messages for a reader go to
 * notes. Arguments and errors are those of ps_question_roofline_json. Ends with
 * ps_roofline_kernel_unref. */
PsRooflineKernel *ps_question_roofline(PsQuestion *question, double measured, GArray *gpus,
                                       PsNotes *notes, GError **error);

G_END_DECLS
#endif
