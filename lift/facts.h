/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is known of the code's points before the order in which they ran is looked at: registers
 * that they read and write, their class, and what the rules make of them. Only points that were
 * executed have facts; readers and writers of a register are searched among these alone.
 */
#ifndef PIPESIM_LIFT_FACTS_H
#define PIPESIM_LIFT_FACTS_H

#include "lift/build.h"
#include "lift/class.h"
#include "lift/roll.h"
#include "lift/sequence.h"
#include "sass/sass.h"

G_BEGIN_DECLS

/* What becomes of a point. */
typedef enum {
    PS_ROLE_ABSENT,  /* was not executed */
    PS_ROLE_NODE,    /* an instruction */
    PS_ROLE_FORWARD, /* none: readers of its result read what it reads */
    PS_ROLE_PART,    /* a part of a loop's node (`loop` is that branch) */
    PS_ROLE_COMMIT,  /* ends a group of copies */
    PS_ROLE_WAIT,    /* waits for such groups */
    PS_ROLE_NOTHING  /* nothing at all */
} PsRole;

typedef enum { PS_USE_DATA, PS_USE_ADDRESS, PS_USE_GUARD } PsUseKind;

typedef struct {
    guint reg; /* of the code, or beyond these a parameter that a call passes */
    PsUseKind kind;
} PsUse;

typedef struct {
    PsRole role;
    PsClass class;
    const char *name;           /* of the class, after the rules */
    const PsSequence *sequence; /* instructions that it becomes; NULL: one */
    guint loop;                 /* PS_ROLE_PART, and the branch itself: point of the branch back */
    gboolean joined; /* it has taken in another instruction, and cannot take in one more */
    guint n_to, n_from;
    gboolean first; /* it reads a special register that none before it has read */
    guint to, from; /* first of them in the facts' registers and uses */
} PsFact;

typedef struct {
    const PsPtxCode *code;
    const PsSassCode *machine; /* the code is told of this machine code; NULL: it is PTX */
    const gboolean *rules;
    const guint8
        *meets; /* per point: all warps of the group meet there, at an mbarrier; borrowed */
    const guint8 *apart; /* per point: a branch that not all lanes of a warp took; borrowed; NULL:
                            there are none */
    const guint8 *ways;  /* per point: PsPtxWay; borrowed; NULL: the short ones */
    guint n_registers;
    PsFact *facts;                    /* per point */
    PsFact off;                       /* of an access that no lane makes (PsSpot) */
    GArray *registers;                /* guint */
    GArray *uses;                     /* PsUse */
    GHashTable *passed;               /* offset of a call's parameter -> register */
    GHashTable *sequences;            /* text -> PsSequence */
    guint special[PS_PTX_N_SPECIALS]; /* register that stands for it; 0: nobody read it */
    guint *first_writer;              /* per register, in writers; n_registers + 1 of them */
    guint *writers;                   /* points that write it, ascending */
    guint *first_reader;              /* the same for those that read it */
    guint *readers;
    PsUseKind *reader_use; /* and how */
} PsFacts;

/* What stays when the rules change; borrowed. The groups (PsRollGroup) tell what was executed. */
typedef struct {
    const PsPtxCode *code;
    const PsSassCode *machine; /* as in PsFacts */
    const GPtrArray *groups;
    const guint8 *meets, *apart, *ways; /* as in PsFacts */
} PsFactsOf;

/* rules: as in PsBuildOptions; borrowed. */
PsFacts *ps_facts_new(const PsFactsOf *of, const gboolean *rules);
void ps_facts_free(PsFacts *facts);

/* TRUE if the step is machine code's access to memory whose guard let no lane execute it. */
gboolean ps_facts_is_off(const PsFacts *facts, const PsRollItem *step);

static inline const guint *ps_fact_to(const PsFacts *facts, const PsFact *fact)
{
    return (const guint *)(gpointer)facts->registers->data + fact->to;
}

static inline const PsUse *ps_fact_from(const PsFacts *facts, const PsFact *fact)
{
    return (const PsUse *)(gpointer)facts->uses->data + fact->from;
}

static inline const PsPtxInstruction *ps_facts_instruction(const PsFacts *facts, guint point)
{
    return facts->code->points[point].instruction;
}

static inline guint ps_facts_n_writers(const PsFacts *facts, guint reg)
{
    return facts->first_writer[reg + 1] - facts->first_writer[reg];
}

/* The one point that writes the register, or PS_PTX_NOWHERE if there are none or several. */
static inline guint ps_facts_definition(const PsFacts *facts, guint reg)
{
    return ps_facts_n_writers(facts, reg) == 1 ? facts->writers[facts->first_writer[reg]]
                                               : PS_PTX_NOWHERE;
}

static inline guint ps_facts_n_readers(const PsFacts *facts, guint reg)
{
    return facts->first_reader[reg + 1] - facts->first_reader[reg];
}

static inline guint ps_facts_reader(const PsFacts *facts, guint reg, guint i)
{
    return facts->readers[facts->first_reader[reg] + i];
}

static inline PsUseKind ps_facts_reader_use(const PsFacts *facts, guint reg, guint i)
{
    return facts->reader_use[facts->first_reader[reg] + i];
}

/* Makes the point what the assembler makes of its instruction: that of the text, or one (NULL). */
void ps_facts_set_sequence(PsFacts *facts, guint point, const char *text);

gboolean ps_facts_is(const PsFacts *facts, guint point, const char *opcode);

/* Register of an operand that is one, else PS_PTX_NOWHERE. */
guint ps_facts_operand(const PsFacts *facts, guint point, guint operand);

/* The one point in the loop that writes the register, not inside an inner loop, or PS_PTX_NOWHERE;
 * and how many points in the loop, inner loops too, write it. */
guint ps_facts_writer_in(const PsFacts *facts, guint reg, guint loop);
guint ps_facts_n_writers_in(const PsFacts *facts, guint reg, guint loop);

/* TRUE and its value where an operand is a number that the assembler knows, through moves: an
 * immediate, or the address of a variable in shared memory. */
gboolean ps_facts_constant(const PsFacts *facts, guint point, guint operand, gint64 *value);

/* The operand that is an address in memory, or NULL. */
const PsPtxOperand *ps_facts_address(const PsFacts *facts, guint point);

/* What an address is an offset of, through additions of constants to registers that are only ever
 * written in one place: a register, or PS_PTX_NOWHERE for an address that is a constant. */
guint ps_facts_base(const PsFacts *facts, guint point, const PsPtxOperand *operand, gint64 *offset);

/* Offset of a shared variable in the group's memory. FALSE where it is none of these. */
gboolean ps_facts_shared_at(const PsFacts *facts, const PsPtxVariable *variable, guint64 *at);

/* ---- rules: each looks at all points and changes roles ----------------------------------------
 */

void ps_rule_moves(PsFacts *facts);
void ps_rule_parameters(PsFacts *facts);
void ps_rule_specials(PsFacts *facts);
void ps_rule_addresses(PsFacts *facts);
void ps_rule_loops(PsFacts *facts);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsFacts, ps_facts_free)

G_END_DECLS
#endif
