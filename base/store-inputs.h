/* SPDX-License-Identifier: BSD-3-Clause */
/* The contents of files that the store's results were made from. Private to base/store*.c. */
#ifndef PIPESIM_BASE_STORE_INPUTS_H
#define PIPESIM_BASE_STORE_INPUTS_H

#include "base/store.h"

/* The contents of files, each read once. Threads may share them. */
typedef struct PsStoreStates PsStoreStates;

PsStoreStates *ps_store_states_new(void);
void ps_store_states_free(PsStoreStates *states);

/* A digest of what the files hold now, and of the names in folders that matter (g_free). */
char *ps_store_inputs_state(PsStoreStates *states, const PsStoreInputs *inputs);

/* TRUE if none of the files was changed after inputs->since. */
gboolean ps_store_inputs_are_older(const PsStoreInputs *inputs);

#endif
