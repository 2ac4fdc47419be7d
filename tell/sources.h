/* SPDX-License-Identifier: BSD-3-Clause */
/* What the figures of a file come from (PsSource), as facts. */
#ifndef PIPESIM_TELL_SOURCES_H
#define PIPESIM_TELL_SOURCES_H

#include "tell/facts.h"

void ps_tell_sources(const GPtrArray *sources, PsTold *facts);

#endif
