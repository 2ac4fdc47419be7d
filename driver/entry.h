/* SPDX-License-Identifier: BSD-3-Clause */
/* The entries of a library, which driver/entries.awk makes of entries.table. */
#ifndef PIPESIM_DRIVER_ENTRY_H
#define PIPESIM_DRIVER_ENTRY_H

typedef struct {
    const char *name; /* as programs ask for it; NULL: the end of the list */
    int version;      /* of CUDA that it came in: 3020 */
    void *address;
    void *thread; /* its variant for a default stream of each thread, or NULL */
} Entry;

extern const Entry driver_entries[];

#endif
