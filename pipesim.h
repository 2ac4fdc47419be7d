/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libpipesim: how long a GPU kernel takes, and what limits it. This header is the whole public
 * interface; the parts that it includes say what each thing is, its units, who owns it, and which
 * rule or section it implements.
 */
#ifndef PIPESIM_H
#define PIPESIM_H

#include "advice/ask.h"
#include "answer/question.h"
#include "base/error.h"
#include "base/monitor.h"
#include "base/progress.h"
#include "code/code.h"
#include "gpu/find.h"
#include "gpu/load.h"
#include "idg/load.h"
#include "sweep/question.h"
#include "tell/answer-json.h"
#include "tell/answer-text.h"
#include "tell/compare-json.h"
#include "tell/gpus-json.h"
#include "tell/roofline-json.h"

#endif
