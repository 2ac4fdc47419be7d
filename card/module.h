/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Code that a program has loaded: its kernels, and its variables, which lie in the device's memory
 * from then on.
 */
#ifndef PIPESIM_CARD_MODULE_H
#define PIPESIM_CARD_MODULE_H

#include "code/module.h"
#include "card/memory.h"
#include "sass/sass.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef struct PsCard PsCard;             /* card.h */
typedef struct PsCardModule PsCardModule; /* module-private.h */
typedef struct PsCardFunction PsCardFunction;

/* A parameter: where it is among the bytes of all, and how long. */
typedef struct {
    guint64 offset, size;
} PsCardParam;

/* The device outlives the module. NULL and *error as ps_card_image_read, and where the code
 * cannot be read. */
PsCardModule *ps_card_module_new(PsCard *card, gconstpointer image, GError **error);
void ps_card_module_free(PsCardModule *module);

/* The kernel of that name, borrowed; NULL: there is none. */
PsCardFunction *ps_card_module_function(PsCardModule *module, const char *name);
guint ps_card_module_count(const PsCardModule *module);
PsCardFunction *ps_card_module_nth(PsCardModule *module, guint n);

/* The variable of that name; NULL: there is none. */
const PsCardPiece *ps_card_module_variable(const PsCardModule *module, const char *name);

const char *ps_card_function_name(const PsCardFunction *function);
PsCardModule *ps_card_function_module(const PsCardFunction *function);
guint ps_card_function_params(const PsCardFunction *function, const PsCardParam **params);

/* The needs of a group; 0: not known. */
typedef struct {
    guint registers;  /* of a thread */
    guint64 shared;   /* bytes that the code itself asks for */
    guint64 constant; /* bytes of the module */
    guint64 local;    /* bytes of a thread */
    guint most;       /* threads of a group that it allows */
    guint target;     /* 80 of sm_80: what the code is for */
    guint ptx_target; /* what it was compiled from */
} PsCardNeeds;
PsCardNeeds ps_card_function_needs(PsCardFunction *function);

/* Bytes of shared memory that launches may add to a group's: what 48 KiB leave, unless more was
 * allowed. */
guint64 ps_card_function_allowed(PsCardFunction *function);
void ps_card_function_allow(PsCardFunction *function, guint64 bytes);

#pragma GCC visibility pop
G_END_DECLS
#endif
