/* SPDX-License-Identifier: BSD-3-Clause */
/* The sources of a file's figures (PsSource), as facts. */
#ifndef PIPESIM_TELL_SOURCES_H
#define PIPESIM_TELL_SOURCES_H

#include "tell/facts.h"

void ps_tell_sources(const GPtrArray *sources, PsTold *facts);

#endif
