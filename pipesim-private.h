/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the program needs of the library beyond pipesim.h: measuring GPUs, and help with reading and
 * writing texts. It may change with every release, so it is not installed, and what it declares has
 * a symbol version of its own that no other release has.
 */
#ifndef PIPESIM_PRIVATE_H
#define PIPESIM_PRIVATE_H

#include "pipesim.h"

#include "answer/launches.h"
#include "answer/listing.h"
#include "answer/source-file.h"
#include "answer/source-loop.h"
#include "answer/stalls.h"
#include "answer/timeline-cells.h"
#include "answer/validated.h"
#include "answer/window.h"
#include "answer/words.h"
#include "base/cell.h"
#include "base/file.h"
#include "base/kernel-name.h"
#include "base/nearest.h"
#include "base/store.h"
#include "base/workers.h"
#include "draw/draw.h"
#include "gpu/named.h"
#include "gpu/settings.h"
#include "idg/words.h"
#include "latency-bench/bench.h"
#include "latency-bench/code.h"
#include "latency-bench/device.h"
#include "latency-bench/fit.h"
#include "latency-bench/kernel.h"
#include "latency-bench/precompile.h"
#include "latency-bench/schedule.h"
#include "latency-bench/validate.h"
#include "launch/listed.h"
#include "launch/shape.h"
#include "launch/units.h"
#include "ptx/names.h"
#include "roofline/ceilings.h"
#include "roofline/draw.h"
#include "roofline/profile.h"
#include "sass/file.h"
#include "sass/image.h"
#include "sass/lines.h"
#include "sass/listing.h"
#include "sass/sass.h"
#include "sim/listen/log.h"
#include "sim/listen/timeline.h"
#include "tell/answer.h"
#include "tell/describe.h"
#include "tell/facts.h"
#include "tell/format.h"
#include "tell/hint.h"
#include "tell/json.h"
#include "tell/roofline-facts.h"
#include "tell/roofline.h"
#include "tell/trust.h"
#include "tell/words.h"

#endif
