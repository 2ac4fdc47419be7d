/* SPDX-License-Identifier: BSD-3-Clause */
/* The entries of a library; driver/entries.awk makes them from entries.table. */
#ifndef PIPESIM_DRIVER_ENTRY_H
#define PIPESIM_DRIVER_ENTRY_H

typedef struct {
    const char *name; /* name that programs ask for; NULL ends the list */
    int version;      /* version of CUDA that introduced it: 3020 */
    void *address;
    void *thread; /* its variant for a default stream of each thread, or NULL */
} Entry;

extern const Entry driver_entries[];

#endif
