/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Facts of points: the registers that each point reads and writes.
 */
#include "lift/values/facts.h"

#include "sass/table.h"

#include <string.h>

#define MOST_HOPS 16 /* additions that are followed back from an address, at most */

gboolean ps_facts_is(const PsFacts *facts, guint point, const char *opcode)
{
    return strcmp(ps_facts_instruction(facts, point)->mnemonic->opcode, opcode) == 0;
}

/* The machine instruction for which the point stands; G_MAXUINT: none. */
static guint machine_at(const PsFacts *facts, guint point)
{
    if (!facts->machine)
        return G_MAXUINT;
    const PsSassOrigin *origin = &g_array_index(facts->machine->origins, PsSassOrigin, point);
    return origin->stands ? origin->machine : G_MAXUINT;
}

const PsSassControl *ps_facts_control(const PsFacts *facts, guint point)
{
    const guint at = machine_at(facts, point);
    if (at == G_MAXUINT)
        return NULL;
    return &g_array_index(facts->machine->listing->instructions, PsSassInstruction, at).control;
}

const PsSassReads *ps_facts_reads(const PsFacts *facts, guint point)
{
    const guint at = machine_at(facts, point);
    return at == G_MAXUINT ? NULL : &facts->reads[at];
}

void ps_facts_set_sequence(PsFacts *facts, guint point, const char *text)
{
    PsSequence *sequence = text ? g_hash_table_lookup(facts->sequences, text) : NULL;
    if (text && !sequence) {
        sequence = ps_sequence_new(text);
        g_hash_table_insert(facts->sequences, (gpointer)text, sequence);
    }
    facts->facts[point].sequence = sequence;
}

guint ps_facts_operand(const PsFacts *facts, guint point, guint operand)
{
    const PsPtxPoint *at = &facts->code->points[point];
    if (operand >= at->instruction->n_operands)
        return PS_PTX_NOWHERE;
    const PsPtxOperand *op = &at->instruction->operands[operand];
    return op->kind == PS_PTX_OPERAND_REGISTER ? ps_ptx_code_register(at, op->reg) : PS_PTX_NOWHERE;
}

gboolean ps_facts_shared_at(const PsFacts *facts, const PsPtxVariable *variable, guint64 *at)
{
    for (guint i = 0; i < facts->code->shared->len; i++)
        if (facts->code->shared->pdata[i] == variable) {
            *at = facts->code->shared_at[i];
            return TRUE;
        }
    return FALSE;
}

gboolean ps_facts_constant(const PsFacts *facts, guint point, guint operand, gint64 *value)
{
    guint64 at;
    for (int hops = 0; hops < 8; hops++) {
        const PsPtxInstruction *instruction = ps_facts_instruction(facts, point);
        if (operand >= instruction->n_operands)
            return FALSE;
        const PsPtxOperand *op = &instruction->operands[operand];
        *value = op->value;
        if (op->kind == PS_PTX_OPERAND_IMMEDIATE)
            return op->literal == PS_PTX_INTEGER;
        if (op->kind == PS_PTX_OPERAND_VARIABLE && ps_facts_shared_at(facts, op->variable, &at)) {
            *value += (gint64)at;
            return TRUE;
        }
        const guint reg = ps_facts_operand(facts, point, operand);
        point = reg == PS_PTX_NOWHERE ? reg : ps_facts_definition(facts, reg);
        if (point == PS_PTX_NOWHERE || !ps_facts_is(facts, point, "mov"))
            return FALSE;
        operand = 1;
    }
    return FALSE;
}

/* ---- addresses ------------------------------------------------------------------------------ */

const PsPtxOperand *ps_facts_address(const PsFacts *facts, guint point)
{
    const PsPtxInstruction *instruction = ps_facts_instruction(facts, point);
    for (guint i = 0; i < instruction->n_operands; i++)
        if (instruction->operands[i].kind == PS_PTX_OPERAND_ADDRESS)
            return &instruction->operands[i];
    return NULL;
}

guint ps_facts_base(const PsFacts *facts, guint point, const PsPtxOperand *operand, gint64 *offset)
{
    guint64 at = 0;
    *offset = operand->value;
    if (operand->reg < 0) {
        if (operand->variable && ps_facts_shared_at(facts, operand->variable, &at))
            *offset += (gint64)at;
        return PS_PTX_NOWHERE;
    }
    guint base = ps_ptx_code_register(&facts->code->points[point], operand->reg);
    for (int hops = 0; hops < MOST_HOPS; hops++) {
        const guint from = ps_facts_definition(facts, base);
        gint64 constant;
        if (from == PS_PTX_NOWHERE || !ps_facts_is(facts, from, "add") ||
            ps_facts_instruction(facts, from)->guard >= 0)
            break;
        const guint side = ps_facts_constant(facts, from, 2, &constant)   ? 1
                           : ps_facts_constant(facts, from, 1, &constant) ? 2
                                                                          : 0;
        const guint reg = side ? ps_facts_operand(facts, from, side) : PS_PTX_NOWHERE;
        if (reg == PS_PTX_NOWHERE || ps_facts_definition(facts, reg) == PS_PTX_NOWHERE)
            break;
        base = reg;
        *offset += constant;
    }
    return base;
}

/* ---- registers ------------------------------------------------------------------------------ */

/* The point whose registers are gathered. */
typedef struct {
    PsFacts *facts;
    PsFact *fact;
    const PsPtxPoint *at;
} Gather;

static void add_to(Gather *gather, guint reg)
{
    g_array_append_val(gather->facts->registers, reg);
    gather->fact->n_to++;
}

static void add_from(Gather *gather, guint reg, PsUseKind kind)
{
    const PsUse use = {reg, kind};
    g_array_append_val(gather->facts->uses, use);
    gather->fact->n_from++;
}

static gboolean has_members(const PsPtxOperand *operand)
{
    return operand->kind == PS_PTX_OPERAND_VECTOR || operand->kind == PS_PTX_OPERAND_LIST;
}

static void add_destination(Gather *gather, const PsPtxOperand *operand)
{
    if (operand->kind == PS_PTX_OPERAND_REGISTER)
        add_to(gather, ps_ptx_code_register(gather->at, operand->reg));
    for (guint i = 0; has_members(operand) && i < operand->n_members; i++)
        if (operand->members[i].kind == PS_PTX_OPERAND_REGISTER)
            add_to(gather, ps_ptx_code_register(gather->at, operand->members[i].reg));
}

/* Adds the registers of a source. Members may have members in addresses of tensors: [map, {x,
 * y}]. */
static void add_source(Gather *gather, const PsPtxOperand *operand, int depth)
{
    if (operand->kind == PS_PTX_OPERAND_REGISTER)
        add_from(gather, ps_ptx_code_register(gather->at, operand->reg), PS_USE_DATA);
    if (operand->kind == PS_PTX_OPERAND_ADDRESS && operand->reg >= 0)
        add_from(gather, ps_ptx_code_register(gather->at, operand->reg), PS_USE_ADDRESS);
    for (guint i = 0; depth < 2 && has_members(operand) && i < operand->n_members; i++)
        add_source(gather, &operand->members[i], depth + 1);
}

/* ---- parameters of calls --------------------------------------------------------------------- */

/* For a parameter of a call: its offset among the parameters of calls, for which registers stand,
 * one for each element. FALSE: it is a parameter of the kernel, or no parameter. */
static gboolean passed_at(const Gather *gather, const PsPtxOperand *operand, guint64 *offset)
{
    const PsPtxInline *in = gather->at->in;
    gpointer at;
    if (operand->kind != PS_PTX_OPERAND_ADDRESS || operand->reg >= 0 || !operand->variable ||
        operand->variable->space != PS_PTX_PARAM || !in->addresses ||
        (!in->caller && g_ptr_array_find(in->function->params, operand->variable, NULL)) ||
        !g_hash_table_lookup_extended(in->addresses, operand->variable, NULL, &at))
        return FALSE;
    *offset = GPOINTER_TO_SIZE(at) + (guint64)operand->value;
    return TRUE;
}

static guint passed_register(PsFacts *facts, guint64 offset)
{
    gpointer reg;
    if (g_hash_table_lookup_extended(facts->passed, GSIZE_TO_POINTER(offset), NULL, &reg))
        return GPOINTER_TO_UINT(reg);
    g_hash_table_insert(facts->passed, GSIZE_TO_POINTER(offset),
                        GUINT_TO_POINTER(facts->n_registers));
    return facts->n_registers++;
}

static void add_passed(Gather *gather, gboolean store)
{
    const PsPtxInstruction *instruction = gather->at->instruction;
    const PsPtxMnemonic *mnemonic = instruction->mnemonic;
    guint64 offset;
    if (instruction->n_operands < 2 ||
        !passed_at(gather, &instruction->operands[store ? 0 : 1], &offset))
        return;
    for (guint i = 0; i < mnemonic->vector; i++) {
        const guint reg =
            passed_register(gather->facts, offset + i * ps_ptx_type_size(mnemonic->types[0]));
        if (store)
            add_to(gather, reg);
        else
            add_from(gather, reg, PS_USE_DATA);
    }
}

/* ---- special registers ------------------------------------------------------------------------
 */

/* Under the rule "frame" a special register is read once, and later reads count as reads of a
 * register. */
static void add_special(Gather *gather, PsPtxSpecial special)
{
    PsFacts *facts = gather->facts;
    if (!facts->rules[PS_BUILD_FRAME] || special >= PS_PTX_OTHER_SPECIAL)
        return;
    gather->fact->first = facts->special[special] == 0;
    if (gather->fact->first) {
        facts->special[special] = facts->n_registers++;
        add_to(gather, facts->special[special]);
    } else {
        add_from(gather, facts->special[special], PS_USE_DATA);
    }
}

/* ---- a point -------------------------------------------------------------------------------- */

static void gather_point(PsFacts *facts, guint point)
{
    Gather gather = {facts, &facts->facts[point], &facts->code->points[point]};
    const PsPtxInstruction *instruction = gather.at->instruction;
    const guint n_to = ps_ptx_n_destinations(instruction);
    gather.fact->to = facts->registers->len;
    gather.fact->from = facts->uses->len;
    for (guint i = 0; i < n_to; i++)
        add_destination(&gather, &instruction->operands[i]);
    for (guint i = n_to; i < instruction->n_operands; i++)
        add_source(&gather, &instruction->operands[i], 0);
    if (strcmp(instruction->mnemonic->opcode, "wgmma") == 0 && instruction->n_operands > 3)
        add_source(&gather, &instruction->operands[0], 0); /* the product is added to it */
    if (instruction->n_operands > 1 && instruction->operands[1].kind == PS_PTX_OPERAND_SPECIAL)
        add_special(&gather, (PsPtxSpecial)instruction->operands[1].value);
    if (instruction->mnemonic->space == PS_PTX_PARAM)
        add_passed(&gather, strcmp(instruction->mnemonic->opcode, "st") == 0);
    if (instruction->guard >= 0)
        add_from(&gather, ps_ptx_code_register(gather.at, instruction->guard), PS_USE_GUARD);
}

/* TRUE for the end of a warp, which is a branch under the rule "frame". */
static gboolean is_exit(const PsFacts *facts, guint point)
{
    return facts->rules[PS_BUILD_FRAME] &&
           (ps_facts_is(facts, point, "exit") ||
            (ps_facts_is(facts, point, "ret") && !facts->code->points[point].in->caller));
}

/* The sequence of a matrix product that counts as several: so many independent instructions. */
static const char *units_text(const PsClass *class)
{
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 1; i <= class->units; i++)
        g_string_append_printf(text, "%s%s%s:*", i > 1 ? " " : "", i == class->units ? "=" : "",
                               class->unit);
    return g_intern_string(text->str);
}

/* A wait for copies of some bytes per lane counts where their bytes are read; another wait is a
 * node. */
static gboolean waits_alone(const PsFacts *facts, guint point)
{
    return ps_class_beside(ps_facts_instruction(facts, point)->mnemonic) == PS_BESIDE_COPIES;
}

static PsClass class_of(const PsFacts *facts, guint point, PsPtxSpace space)
{
    const PsPtxTensorProduct *product = facts->products ? facts->products[point] : NULL;
    return product ? ps_class_tensor_product(product)
                   : ps_class_of(ps_facts_instruction(facts, point), space);
}

/* The fact of a point before any rule. */
static void begin_fact(PsFacts *facts, guint point, PsPtxSpace space)
{
    PsFact *fact = &facts->facts[point];
    const PsPtxWay way = facts->ways ? (PsPtxWay)facts->ways[point] : PS_PTX_WAY_SHORT;
    fact->class = facts->meets[point]     ? ps_class_barrier()
                  : is_exit(facts, point) ? ps_class_exit()
                                          : class_of(facts, point, space);
    fact->name = fact->class.name;
    ps_facts_set_sequence(facts, point,
                          fact->class.unit
                              ? units_text(&fact->class)
                              : ps_sequence_text(ps_facts_instruction(facts, point), way, FALSE));
    fact->loop = fact->under = PS_PTX_NOWHERE;
    fact->role = fact->class.kind == PS_CLASS_NOTHING                             ? PS_ROLE_NOTHING
                 : fact->class.kind == PS_CLASS_COMMIT                            ? PS_ROLE_COMMIT
                 : fact->class.kind == PS_CLASS_WAIT && waits_alone(facts, point) ? PS_ROLE_WAIT
                                                                                  : PS_ROLE_NODE;
    gather_point(facts, point);
}

/* ---- machine code --------------------------------------------------------------------------- */

/* The class of a machine instruction: its row's, otherwise that of its memory access or matrix
 * product. Instructions that end groups of copies, or wait for them, are recognised by what they do
 * and counted by their opcode. */
static PsClass machine_class(const PsFacts *facts, guint point, const PsSassUse *use,
                             PsPtxSpace space)
{
    const PsSassRow *row = use->row;
    const PsClass does = class_of(facts, point, space);
    if (row && !row->class)
        return does;
    PsClass class = ps_class_named(row ? row->class : NULL);
    if (does.kind == PS_CLASS_COMMIT || does.kind == PS_CLASS_WAIT)
        class.kind = does.kind;
    class.ops = use->ops;
    class.type = use->type;
    return class;
}

gboolean ps_facts_is_off(const PsFacts *facts, const PsRollItem *step)
{
    if (!facts->machine || step->pattern)
        return FALSE;
    if (step->off)
        return g_array_index(facts->machine->origins, PsSassOrigin, step->point).stands;
    const PsClass class = ps_class_of(ps_facts_instruction(facts, step->point), PS_PTX_GENERIC);
    return strcmp(class.name, "constant") != 0 &&
           (class.kind == PS_CLASS_LOAD || class.kind == PS_CLASS_STORE ||
            class.kind == PS_CLASS_ATOMIC || class.kind == PS_CLASS_COPY);
}

/* A machine instruction counts once, at the PTX instruction that stands for it; its other PTX
 * instructions count nothing. */
static void begin_machine_fact(PsFacts *facts, guint point, PsPtxSpace space)
{
    PsFact *fact = &facts->facts[point];
    const PsSassOrigin *origin = &g_array_index(facts->machine->origins, PsSassOrigin, point);
    fact->loop = fact->under = PS_PTX_NOWHERE;
    fact->role = PS_ROLE_NOTHING;
    fact->class = (PsClass){"branch", PS_CLASS_NOTHING, 0, NULL, TRUE, NULL, 0};
    fact->name = fact->class.name;
    fact->to = facts->registers->len;
    fact->from = facts->uses->len;
    if (!origin->stands) {
        const PsPtxInstruction *instruction = ps_facts_instruction(facts, point);
        if (ps_class_of(instruction, space).kind == PS_CLASS_COMMIT)
            fact->role = PS_ROLE_COMMIT; /* a product that ends its group */
        return;
    }
    const PsSassUse *use = &g_array_index(facts->machine->uses, PsSassUse, origin->machine);
    Gather gather = {facts, fact, &facts->code->points[point]};
    fact->class = machine_class(facts, point, use, space);
    fact->name = fact->class.name;
    fact->role = PS_ROLE_NODE;
    for (guint i = 0; i < use->n_to; i++)
        add_to(&gather, use->to[i]);
    for (guint i = 0; i < use->n_from; i++)
        add_from(&gather, use->from[i], use->address[i] ? PS_USE_ADDRESS : PS_USE_DATA);
}

/* Begins the facts of all points in a sequence. A sequence that occurs often is looked at once. */
static void begin_sequence(PsFacts *facts, const PsRollSequence *sequence, GHashTable *seen)
{
    if (!g_hash_table_add(seen, (gpointer)sequence))
        return;
    for (guint i = 0; i < sequence->n_items; i++) {
        const PsRollItem *item = &sequence->items[i];
        for (guint r = 0; item->kind == PS_ROLL_LOOP && r < item->n_runs; r++)
            begin_sequence(facts, item->runs[r].body, seen);
        if (item->kind == PS_ROLL_STEP && facts->facts[item->point].role == PS_ROLE_ABSENT &&
            !ps_facts_is_off(facts, item))
            (facts->machine ? begin_machine_fact : begin_fact)(
                facts, item->point, item->pattern ? item->pattern->space : PS_PTX_GENERIC);
    }
}

/* ---- who reads, who writes --------------------------------------------------------------------
 */

static void count_users(PsFacts *facts)
{
    const guint n = facts->n_registers;
    facts->first_writer = g_new0(guint, n + 2);
    facts->first_reader = g_new0(guint, n + 2);
    for (guint p = 0; p < facts->code->n_points; p++) {
        const PsFact *fact = &facts->facts[p];
        for (guint i = 0; i < fact->n_to; i++)
            facts->first_writer[ps_fact_to(facts, fact)[i] + 1]++;
        for (guint i = 0; i < fact->n_from; i++)
            facts->first_reader[ps_fact_from(facts, fact)[i].reg + 1]++;
    }
    for (guint r = 0; r < n; r++) {
        facts->first_writer[r + 1] += facts->first_writer[r];
        facts->first_reader[r + 1] += facts->first_reader[r];
    }
}

static void list_users(PsFacts *facts)
{
    const guint n = facts->n_registers;
    g_autofree guint *writer = g_memdup2(facts->first_writer, (n + 1) * sizeof(guint));
    g_autofree guint *reader = g_memdup2(facts->first_reader, (n + 1) * sizeof(guint));
    facts->writers = g_new(guint, facts->registers->len + 1);
    facts->readers = g_new(guint, facts->uses->len + 1);
    facts->reader_use = g_new(PsUseKind, facts->uses->len + 1);
    for (guint p = 0; p < facts->code->n_points; p++) {
        const PsFact *fact = &facts->facts[p];
        for (guint i = 0; i < fact->n_to; i++)
            facts->writers[writer[ps_fact_to(facts, fact)[i]]++] = p;
        for (guint i = 0; i < fact->n_from; i++) {
            const PsUse *use = &ps_fact_from(facts, fact)[i];
            facts->reader_use[reader[use->reg]] = use->kind;
            facts->readers[reader[use->reg]++] = p;
        }
    }
}

guint ps_facts_n_writers_in(const PsFacts *facts, guint reg, guint loop)
{
    guint n = 0;
    for (guint i = facts->first_writer[reg]; i < facts->first_writer[reg + 1]; i++)
        n += ps_ptx_code_in_loop(facts->code, facts->writers[i], loop);
    return n;
}

guint ps_facts_writer_in(const PsFacts *facts, guint reg, guint loop)
{
    guint found = PS_PTX_NOWHERE;
    for (guint i = facts->first_writer[reg]; i < facts->first_writer[reg + 1]; i++) {
        const guint point = facts->writers[i];
        if (!ps_ptx_code_in_loop(facts->code, point, loop))
            continue;
        if (found != PS_PTX_NOWHERE || facts->code->points[point].loop != loop)
            return PS_PTX_NOWHERE;
        found = point;
    }
    return found;
}

/* ---- all ------------------------------------------------------------------------------------ */

static gboolean is_fence_of_products(const PsPtxInstruction *instruction)
{
    return strcmp(instruction->mnemonic->opcode, "wgmma") == 0 &&
           ps_ptx_has(instruction->mnemonic, "fence");
}

/* Finds the barriers at which not all warps met: these are none of the model. A wait for an
 * mbarrier is no barrier, whoever waits. Four warps that multiply meet at the fence before the
 * product. */
static void find_parted(PsFacts *facts, const GPtrArray *groups)
{
    for (guint g = 0; g < groups->len; g++) {
        const GArray *waits = ((const PsRollGroup *)groups->pdata[g])->waits;
        for (guint i = 0; waits && i < waits->len; i++) {
            const guint point = g_array_index(waits, PsRollWait, i).point;
            const PsPtxInstruction *instruction = ps_facts_instruction(facts, point);
            facts->parted[point] =
                ps_class_is_barrier(instruction) || is_fence_of_products(instruction);
        }
    }
    for (guint i = 0; i < facts->code->n_points; i++)
        if (facts->parted[i] && facts->facts[i].role == PS_ROLE_NODE &&
            ps_class_is_barrier(ps_facts_instruction(facts, i))) {
            facts->facts[i].class = ps_class_barrier_in_part();
            facts->facts[i].name = facts->facts[i].class.name;
        }
}

static void begin_group(PsFacts *facts, const PsRollGroup *group, GHashTable *seen)
{
    for (guint i = 0; i < group->warps->len; i++) {
        const PsRollWarps *warps = group->warps->pdata[i];
        begin_sequence(facts, warps->sequence, seen);
    }
}

PsFacts *ps_facts_new(const PsFactsOf *of, const gboolean *rules)
{
    const PsPtxCode *code = of->code;
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    PsFacts *facts = g_new0(PsFacts, 1);
    facts->code = code;
    facts->machine = of->machine;
    facts->reads = of->machine ? ps_sass_bank_reads(of->machine) : NULL;
    facts->rules = rules;
    facts->meets = of->meets;
    facts->apart = of->apart;
    facts->ways = of->ways;
    facts->products = of->products;
    facts->n_registers = of->machine ? PS_SASS_N_REGISTERS : code->n_registers;
    facts->facts = g_new0(PsFact, code->n_points + 1);
    facts->parted = g_new0(guint8, code->n_points + 1);
    facts->unrolled = g_new0(guint, code->n_loops + 1);
    facts->off = (PsFact){.role = PS_ROLE_NODE,
                          .class = {"logic.mov", PS_CLASS_COMPUTE, 0, NULL, TRUE, NULL, 0},
                          .name = "logic.mov",
                          .loop = PS_PTX_NOWHERE,
                          .under = PS_PTX_NOWHERE};
    facts->registers = g_array_new(FALSE, FALSE, sizeof(guint));
    facts->uses = g_array_new(FALSE, FALSE, sizeof(PsUse));
    facts->passed = g_hash_table_new(NULL, NULL);
    facts->sequences =
        g_hash_table_new_full(g_str_hash, g_str_equal, NULL, (GDestroyNotify)ps_sequence_free);
    for (guint i = 0; i < of->groups->len; i++)
        begin_group(facts, of->groups->pdata[i], seen);
    count_users(facts);
    list_users(facts);
    find_parted(facts, of->groups);
    return facts;
}

void ps_facts_free(PsFacts *facts)
{
    if (!facts)
        return;
    g_free(facts->reads);
    g_free(facts->facts);
    g_free(facts->parted);
    g_free(facts->unrolled);
    g_array_unref(facts->registers);
    g_array_unref(facts->uses);
    g_hash_table_unref(facts->passed);
    g_hash_table_unref(facts->sequences);
    g_free(facts->first_writer);
    g_free(facts->writers);
    g_free(facts->first_reader);
    g_free(facts->readers);
    g_free(facts->reader_use);
    g_free(facts);
}
