/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The process's file in the phase contents (record.h): lines with bytes behind them, and pages,
 * each content once. What cannot be written whole is taken back, and nothing is written after that.
 * Several threads may write.
 */
#ifndef PIPESIM_LATENCY_BENCH_PROFILE_PARTS_H
#define PIPESIM_LATENCY_BENCH_PROFILE_PARTS_H

#include <stddef.h>
#include <stdint.h>

typedef struct Parts Parts;

/* Writes to the file, which stays the caller's; at most so many bytes of pages. NULL: there is no
 * memory. */
Parts *ps_parts_new(int file, uint64_t most);

/* Writes a line, to which it adds the end, and bytes behind it with another line end (NULL: none).
 * -1: there is no room. */
int ps_parts_put(Parts *parts, const void *bytes, size_t size, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The number of the page that holds these bytes, of at most PS_RECORD_BLOCK. 0: it could not be
 * kept. */
uint32_t ps_parts_page(Parts *parts, const void *bytes, size_t size);

/* Why nothing more can be kept, static; NULL: it can. */
const char *ps_parts_full(Parts *parts);

#endif
