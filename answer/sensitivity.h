/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The time with another latency, launch or kernel. Every figure is another simulation; many run at
 * a time.
 */
#ifndef PIPESIM_ANSWER_SENSITIVITY_H
#define PIPESIM_ANSWER_SENSITIVITY_H

#include "answer/explain.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The input that is changed. */
typedef enum {
    PS_VARIES_ISSUE,
    PS_VARIES_COMPLETION,
    PS_VARIES_LEVEL_LATENCY,
    PS_VARIES_LEVEL_BANDWIDTH,
    PS_VARIES_LEVEL_PORT,
    PS_VARIES_ACTIVE,
    PS_VARIES_GROUPS,
    PS_VARIES_REGISTERS,
    PS_VARIES_LOCAL_MEMORY,
    PS_VARIES_CLOCK
} PsVaries;

const char *ps_varies_name(PsVaries varies); /* "issue" */

/* TRUE for an input of a level of memory. */
gboolean ps_varies_of_level(PsVaries varies);

#define PS_SENSITIVITY_FACTORS 3 /* half, 10 % more, double */

/* The results for other values of one input. */
typedef struct {
    PsVaries varies;
    char *class_name;  /* ISSUE, COMPLETION: the class that the graph asks for, clean; of a LEVEL:
                     its  name; else NULL */
    guint class_index; /* the same: the machine's number of the class or the level; else 0 */
    PsRational value;  /* now: cycles, 10^9 bytes per second, bytes per cycle, groups, registers,
                          bytes, MHz */
    /* values that were tried; of a whole number, half is rounded down and 10 % more up */
    PsRational tried[PS_SENSITIVITY_FACTORS];
    double seconds[PS_SENSITIVITY_FACTORS];     /* NaN if that cannot be simulated */
    double half_widths[PS_SENSITIVITY_FACTORS]; /* of their 95 % intervals; 0: exact */
    char *why[PS_SENSITIVITY_FACTORS];          /* why it cannot be; else NULL */
    double elasticity; /* share by which the time grows per share by which the value does, at 10 %
                          more; NaN where that is not known */
    double effect;     /* largest relative change of the time among the factors; 0: none is known */
} PsSensitivity;

/* The avoidable cost of a class, and the result without it. */
typedef struct {
    PsCause cause;      /* BANK_CONFLICT, UNCOALESCED or WHAT_IF */
    char *class_name;   /* that the graph asks for, or that a what-if names */
    char *plain;        /* the class that does not; NULL: it is a what-if that goes */
    PsLatency from, to; /* of equal parts {0, 1} */
    PsRational degree;  /* of a bank conflict; 0: this is no conflict */
    gint64 sectors;     /* that a request touches; 0: this is no access that is not coalesced */
    gint64 least;       /* that would do for a full warp; 0: the graph does not say */
    /* Their bytes of device memory; NaN if not known. */
    double traffic_from, traffic_to;
    gboolean by_levels; /* its latencies follow from its bytes (R7), and are no cause */
    double seconds;     /* NaN if that cannot be simulated */
    double half_width;  /* of their 95 % interval; 0: exact */
    char *why;          /* why not, or NULL */
} PsAvoidable;

struct PsSensitivities {
    /* Seconds with the nearest other choices of registers (registers.h), NaN if nobody tried. */
    double fewer_registers, more_registers;
    GPtrArray *rows;       /* PsSensitivity, largest effect first */
    GPtrArray *avoidables; /* PsAvoidable, most helpful first */
    double chance; /* the largest change of the time in the wrong direction, as a share: a longer
                      latency that makes the run faster, for example. Work then meets by another
                      chance, so changes up to this size tell nothing; 0: there is none */
    guint runs;    /* simulations that it took, with those of advice */
    gint64 instructions;        /* of warps, that these simulated */
    gint64 cost;                /* private: of what advice may cost, is spent */
    guint untried;              /* that it would have taken, had time, or what advice may take, not
                                   been out */
    struct PsCycleCache *cache; /* private: times of other questions */
};

/* Finds answer->sensitivities, on that many threads; the question is the answer's. Unless the whole
 * table is wanted, it is what advice needs alone: half of each latency that may matter, and no
 * other row. FALSE and *error where a thread cannot be had. */
gboolean ps_answer_find_sensitivities(PsAnswer *answer, const PsQuestion *question, gboolean whole,
                                      guint threads, GError **error);

/* The least gain that is told, and the least that two intervals cannot explain. */
#define PS_ADVICE_LEAST 0.02

#pragma GCC visibility pop
G_END_DECLS
#endif
