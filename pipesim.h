/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libpipesim: how long a GPU kernel takes, and what limits it. This header is the whole public
 * interface; the parts that it includes say what each thing is, its units, who owns it, and which
 * rule or section it implements.
 */
#ifndef PIPESIM_H
#define PIPESIM_H

#include "advice/advice.h"
#include "answer/advised.h"
#include "answer/answer.h"
#include "answer/causes.h"
#include "answer/compare.h"
#include "answer/explain.h"
#include "answer/launch-roofline.h"
#include "answer/sensitivity.h"
#include "answer/sweep.h"
#include "base/error.h"
#include "base/level.h"
#include "base/progress.h"
#include "base/rational.h"
#include "base/source.h"
#include "code/code.h"
#include "gpu/gpu.h"
#include "idg/expr.h"
#include "idg/idg.h"
#include "idg/program.h"
#include "launch/launch.h"
#include "lift/build.h"
#include "ptx/ptx.h"
#include "ptx/run/launch.h"
#include "roofline/roofline.h"
#include "sim/listen/path.h"
#include "sim/listen/stats.h"
#include "sim/listen/waits.h"
#include "sim/sim.h"
#include "tell/answer-json.h"

#endif
