/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Facts about the code's points that do not need the order in which they ran: the registers that
 * they read and write, their class, and what the rules make of them. Only points that were executed
 * have facts, and only these count as readers and writers of a register.
 */
#ifndef PIPESIM_LIFT_VALUES_FACTS_H
#define PIPESIM_LIFT_VALUES_FACTS_H

#include "lift/build.h"
#include "lift/values/class.h"
#include "lift/loops/roll.h"
#include "lift/values/sequence.h"
#include "sass/sass.h"

G_BEGIN_DECLS

/* The role of a point in the graph. */
typedef enum {
    PS_ROLE_ABSENT,  /* was not executed */
    PS_ROLE_NODE,    /* an instruction */
    PS_ROLE_FORWARD, /* no node: readers of its result read its sources instead */
    PS_ROLE_PART,    /* a part of a loop's node (`loop` is that node's branch) */
    PS_ROLE_COMMIT,  /* ends a group of copies */
    PS_ROLE_WAIT,    /* waits for such groups */
    PS_ROLE_NOTHING  /* no node */
} PsRole;

typedef enum { PS_USE_DATA, PS_USE_ADDRESS, PS_USE_GUARD } PsUseKind;

typedef struct {
    guint reg; /* register of the code; above these, a parameter that a call passes */
    PsUseKind kind;
} PsUse;

/* The fate of an addition of a constant to its own result where several iterations of a loop follow
 * each other without a branch. */
typedef enum {
    PS_COUNT_NONE,
    PS_COUNT_ADDRESS, /* only addresses are made of it, which contain the constant */
    PS_COUNT_VALUE    /* a multiple of the constant is added to its first value */
} PsCount;

typedef struct {
    PsRole role;
    PsCount count;
    PsClass class;
    const char *name;           /* name of the class after the rules */
    const PsSequence *sequence; /* instructions that it becomes; NULL: one */
    guint loop;      /* PS_ROLE_PART, and the branch itself: the point of the branch back */
    gboolean joined; /* another instruction has become part of it; no further one can */
    guint n_to, n_from;
    gboolean first; /* it is the first to read a special register */
    guint under; /* register that decides whether it is executed, where no branch does any longer;
                    PS_PTX_NOWHERE: none */
    guint to, from; /* indices of its first ones in the facts' registers and uses */
} PsFact;

typedef struct {
    const PsPtxCode *code;
    const PsSassCode *machine; /* the machine code that the PTX is a translation of; NULL: none */
    PsSassReads *reads;        /* of its instructions, what they read of the banks of registers */
    const gboolean *rules;
    const guint8
        *meets; /* per point: all warps of the group meet there, at an mbarrier; borrowed */
    const guint8 *apart; /* per point: a branch that not all lanes of a warp took; borrowed; NULL:
                            there is none */
    const guint8 *ways;  /* per point: PsPtxWay; borrowed; NULL: the short ones */
    const PsPtxTensorProduct *const *products; /* per point; borrowed; NULL: there are none */
    guint8 *parted; /* per point: a barrier at which some warps waited, but not all of the group, or
                       a fence before products of four warps, at which these wait */
    guint n_registers;
    PsFact *facts;      /* per point */
    guint *unrolled;    /* per loop of the code: iterations that the assembler makes one; 0: none */
    PsFact off;         /* of an access that no lane makes (PsSpot) */
    GArray *registers;  /* guint */
    GArray *uses;       /* PsUse */
    GHashTable *passed; /* offset of a call's parameter -> register */
    GHashTable *sequences;            /* text -> PsSequence */
    guint special[PS_PTX_N_SPECIALS]; /* the register that stands for a special register; 0: it was
                                         not read */
    guint *first_writer; /* for each register the index of its first point in writers; n_registers +
                            1 of them */
    guint *writers;      /* points that write it, ascending */
    guint *first_reader; /* the same for the points that read it */
    guint *readers;
    PsUseKind *reader_use; /* and how */
} PsFacts;

/* Inputs that do not depend on the rules; borrowed. The groups (PsRollGroup) are what was executed.
 */
typedef struct {
    const PsPtxCode *code;
    const PsSassCode *machine; /* as in PsFacts */
    const GPtrArray *groups;
    const guint8 *meets, *apart, *ways; /* as in PsFacts */
    const PsPtxTensorProduct *const *products;
} PsFactsOf;

/* rules: as in PsBuildOptions; borrowed. */
PsFacts *ps_facts_new(const PsFactsOf *of, const gboolean *rules);
void ps_facts_free(PsFacts *facts);

/* TRUE if the step is machine code's access to memory, or of a slow unit (PsRollItem), whose guard
 * let no lane execute it. */
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

/* The only point that writes the register; PS_PTX_NOWHERE if there are none or several. */
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

/* The bits by which the compiler schedules the machine instruction that the point stands for. NULL:
 * the code is PTX, or the point is only a part of what an instruction does. */
const PsSassControl *ps_facts_control(const PsFacts *facts, guint point);

/* What the point reads of the banks of registers; NULL as above. Borrowed. */
const PsSassReads *ps_facts_reads(const PsFacts *facts, guint point);

/* Makes the point the sequence of instructions that the text spells; NULL: a single one. */
void ps_facts_set_sequence(PsFacts *facts, guint point, const char *text);

gboolean ps_facts_is(const PsFacts *facts, guint point, const char *opcode);

/* The register of an operand; PS_PTX_NOWHERE if it is no register. */
guint ps_facts_operand(const PsFacts *facts, guint point, guint operand);

/* The only point that writes the register in the loop, or PS_PTX_NOWHERE (also if it is in an inner
 * loop); and how many points write it in the loop, inner loops included. */
guint ps_facts_writer_in(const PsFacts *facts, guint reg, guint loop);
guint ps_facts_n_writers_in(const PsFacts *facts, guint reg, guint loop);

/* TRUE, and *value, where the assembler knows an operand's value, through moves: an immediate, or
 * the address of a variable in shared memory. */
gboolean ps_facts_constant(const PsFacts *facts, guint point, guint operand, gint64 *value);

/* The operand that is an address in memory, or NULL. */
const PsPtxOperand *ps_facts_address(const PsFacts *facts, guint point);

/* The register that an address is at an offset from, followed back through additions of constants
 * as long as a register is written in one place only; PS_PTX_NOWHERE: the address is a constant. */
guint ps_facts_base(const PsFacts *facts, guint point, const PsPtxOperand *operand, gint64 *offset);

/* Offset of a shared variable in the group's memory. FALSE: it is no shared variable. */
gboolean ps_facts_shared_at(const PsFacts *facts, const PsPtxVariable *variable, guint64 *at);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsFacts, ps_facts_free)

G_END_DECLS
#endif
