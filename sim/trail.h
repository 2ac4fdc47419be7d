/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PIPESIM_SIM_TRAIL_H
#define PIPESIM_SIM_TRAIL_H
#include "sim/engine.h"
#include "sim/queue.h"
typedef struct { int x; } PsTrail;
#define ps_trail_time(a,b,c) ((a)!=NULL&&(b)!=NULL)
#define ps_trail_queue(a,b,c) TRUE
#define ps_trail_items(a,b,c,d) TRUE
#define ps_trail_shift_queue(a,b) (void)(a)
#define ps_trail_shift_items(a,b,c) (void)(a)
#endif
