/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What card/ itself knows of code that is loaded.
 */
#ifndef PIPESIM_CARD_MODULE_PRIVATE_H
#define PIPESIM_CARD_MODULE_PRIVATE_H

#include "code/options.h"
#include "card/card.h"
#include "ptx/run/run.h"

G_BEGIN_DECLS

typedef struct PsCardRepeats PsCardRepeats; /* repeat.h */
typedef struct PsCardResults PsCardResults;
typedef struct PsCardRecorder PsCardRecorder; /* recorder.h */

/* What the groups of a launch did. */
typedef struct {
    guint64 warps, threads; /* instructions of these */
    guint64 memory;         /* which memory they accessed: PsCardSignature */
} PsCardWork;

/* Launches that did the same are of one kind. */
typedef struct {
    guint grid[3], block[3];
    guint64 shared;
    PsCardWork work;
    double seconds;          /* NaN: they could not be simulated */
    const char *limit;       /* interned, or NULL */
    const char *limit_words; /* likewise */
    const char *code;        /* interned: PsCardLaunched.code */
    guint64 graph;           /* PsCardLaunched.graph */
    enum {
        PS_CARD_NOT_ASKED, /* it lies beyond the kinds of its shape that were known before */
        PS_CARD_FORETOLD,  /* these kinds had foretold its time */
        PS_CARD_MISSED     /* these kinds had foretold another time */
    } foretold;
} PsCardLaunchKind;

struct PsCardFunction {
    PsCardModule *module;
    char *name;
    const PsPtxFunction *kernel; /* of module->run: has the parameters */
    GArray *params;              /* PsCardParam */
    PsSassCode *run;             /* machine code that is executed; NULL: the kernel's PTX */
    PsSassCode *timed;           /* machine code that is simulated; NULL: not yet, or none */
    gboolean looked;             /* ... which it is */
    char *made_of;               /* what is simulated, for people; NULL: not known */
    gint64 registers;            /* of what is simulated; 0: not known */
    guint64 allowed;             /* shared memory that a launch may add; G_MAXUINT64: as usual */
    GArray *kinds;               /* PsCardLaunchKind */
    PsCardRepeats *repeats;      /* launches that need not be executed again */
    PsPtxCompiled *compiled;     /* the kernel's PTX, for this processor */
};

struct PsCardModule {
    PsCard *card;
    PsCodeModule *run;   /* what is executed */
    PsCodeModule *timed; /* what is simulated, which may be the same */
    PsCodeModule *made;  /* in place of that, machine code that an assembler made of it; or NULL */
    gboolean looked;     /* ... which was tried */
    guint target, ptx_target;
    GPtrArray *functions;  /* PsCardFunction */
    GHashTable *variables; /* name -> const PsCardPiece * */
    GPtrArray *parts;      /* PsCardPart, for the recorder, until it has them; or NULL */
    guint recorded;        /* the recorder's number of the module; 0: it has none ... */
    char *unrecorded;      /* ... why, for people; NULL: that is not known */
};

struct PsCard {
    const PsGpu *gpu;
    PsCardMemory *memory;
    PsCardLog *log;
    PsCardRecorder *recorder; /* or NULL */
    GHashTable *given;        /* name -> PsCardPiece: variables that a recording has; or NULL */
    GString *printed;         /* by kernels, since it was emptied last */
    guint64 heap;             /* bytes of a heap that is to be made; 0: the usual ones */
    PsCardResults *results;   /* that PsCardRepeats keep */
    gboolean some;            /* of a launch, only some groups are executed (some.h) ... */
    GHashTable *untrue_read;  /* ... and kernels, interned, whose results the host read; or NULL */
    gboolean steps;           /* kernels are executed step by step */
    guint threads;            /* that execute the groups of a launch, at most */
    PsCodeOptions options;    /* for compilers of PTX */
    GPtrArray *modules;       /* PsCardModule that are loaded; borrowed */
    GPtrArray *textures;      /* PsPtxTexture by handle less 1; NULL where it was given back */
};

/* Code of those parts (PsCardPart), as ps_card_module_new takes an image. */
PsCardModule *ps_card_module_of_parts(PsCard *card, const GPtrArray *parts, GError **error);

/* Makes the module's variables, which must have none: those that the card is given, and pieces of
 * memory for the others. FALSE and *error. */
gboolean ps_card_variables_make(PsCardModule *module, GError **error);

/* The code that is executed. NULL and *error: it is machine code that cannot be had. */
const PsPtxModule *ps_card_function_code(PsCardFunction *function, GError **error);

/* The machine code that is simulated, or NULL: the PTX is. */
const PsSassCode *ps_card_function_timed(PsCardFunction *function);

/* Banks of constants as a launch of machine code sees them: variables hold what they hold now. An
 * array of PsPtxPlaced, whose data are its own. */
GArray *ps_card_banks(const PsCardFunction *function, const PsSassCode *code);

G_END_DECLS
#endif
