/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Says which uses depend on undefined values: each origin once for each kind of use.
 */
#include "ptx/run/watch.h"
#include <string.h>

static const PsPtxRegister *register_of(const PsPtxCode *code, guint number)
{
    for (guint i = 0; i < code->inlines->len; i++) {
        const PsPtxInline *in = code->inlines->pdata[i];
        if (number - in->first_register < in->function->registers->len)
            return &g_array_index(in->function->registers, PsPtxRegister,
                                  number - in->first_register);
    }
    return NULL;
}

guint64 ps_ptx_watch_bits(const PsPtxCode *code, guint number)
{
    const PsPtxType type = register_of(code, number)->type;
    const guint size = ps_ptx_type_size(type);
    return type == PS_PTX_PRED      ? 1
           : size == 0 || size >= 8 ? G_MAXUINT64
                                    : ((guint64)1 << (8 * size)) - 1;
}

/* The register's name (g_free). Registers of machine code have their own names, R5, not those of
 * the lifted PTX, %r5. */
static char *name_of(const PsPtxCode *code, guint number)
{
    static const struct {
        char told;
        const char *is;
    } names[] = {{'r', "R"}, {'u', "UR"}, {'p', "P"}, {'q', "UP"}};
    const char *name = register_of(code, number)->name;
    for (gsize i = 0; code->module->machine && i < G_N_ELEMENTS(names); i++)
        if (name[0] == '%' && name[1] == names[i].told && g_ascii_isdigit(name[2]))
            return g_strconcat(names[i].is, name + 2, NULL);
    return g_strdup(name);
}

const char *ps_ptx_watch_special(const PsPtxCode *code, guint point)
{
    const PsPtxInstruction *instruction = code->points[point].instruction;
    for (int i = 0; i < instruction->n_operands; i++) {
        const PsPtxOperand *operand = &instruction->operands[i];
        if (operand->kind == PS_PTX_OPERAND_SPECIAL &&
            (operand->value == PS_PTX_SMID || operand->value == PS_PTX_NSMID ||
             operand->value == PS_PTX_OTHER_SPECIAL))
            return operand->name ? operand->name
                                 : ps_ptx_special_name((PsPtxSpecial)operand->value);
    }
    return NULL;
}

static char *text_of(const PsPtxCode *code, const PsPtxOrigin *origin)
{
    if (origin->shared || origin->own) {
        g_autofree char *where = ps_ptx_code_where(code, origin->where);
        return g_strdup_printf("%s that nobody wrote, which is read at %s",
                               origin->shared ? "shared memory" : "the thread's local memory",
                               where);
    }
    if (origin->clock) {
        g_autofree char *where = ps_ptx_code_where(code, origin->where);
        const char *special = ps_ptx_watch_special(code, origin->where);
        return special ? g_strdup_printf("%s, which is read at %s and which a device fills",
                                         special, where)
                       : g_strdup_printf("a clock, which is read at %s and goes otherwise on a "
                                         "device",
                                         where);
    }
    if (origin->lane) {
        g_autofree char *where = ps_ptx_code_where(code, origin->where);
        return g_strdup_printf(
            "what the shuffle at %s takes of a lane that is not in its mask, has "
            "ended or does not execute it",
            where);
    }
    g_autofree char *name = name_of(code, origin->where);
    return g_strdup_printf("%s, which nothing wrote", name);
}

/* The key of a message that is given once: loads in one line of the source share a key. */
static guint64 key_of(const PsPtxMachine *machine, PsPtxTell what, const PsPtxOrigin *origin)
{
    const PsPtxInstruction *load = origin->shared || origin->own || origin->clock || origin->lane
                                       ? machine->code->points[origin->where].instruction
                                       : NULL;
    const guint where = load && load->source_line > 0 ? (guint)load->source_line : origin->where;
    return (guint64)where << 8 | (guint64)what << 1 | (guint64)(load != NULL);
}

gboolean ps_ptx_watch_is_new(const PsPtxMachine *group, guint64 key)
{
    PsPtxMachine *machine = ps_ptx_first(group);
    if (!machine->told)
        machine->told = g_hash_table_new(NULL, NULL);
    return g_hash_table_add(machine->told, GSIZE_TO_POINTER(key + 1));
}

/* Lets the clock run ahead for a loop that waits for it, more with each turn; else a wait of a
 * millisecond would take a million turns. The first turns see it go as it does. */
static void hasten(PsPtxRunner *runner)
{
    const guint64 turns = ++runner->waits;
    if (runner->machine->launch.clocks)
        runner->machine->ahead += turns * turns / 4096;
}

void ps_ptx_watch_tell(PsPtxRunner *runner, const PsPtxStep *step, guint lane, PsPtxTell what,
                       const PsPtxOrigin *origin)
{
    static const struct {
        const char *before, *behind;
    } texts[] = {[PS_PTX_TELL_ADDRESS] = {"uses an address that", ""},
                 [PS_PTX_TELL_LOOP] = {"goes on in a loop or leaves it by what", ""},
                 [PS_PTX_TELL_INDEX] = {"branches to a target that", ""},
                 [PS_PTX_TELL_BRANCH] = {"the way that threads take",
                                         ", so on a device it may be another one, with another "
                                         "time"},
                 [PS_PTX_TELL_GUARD] = {"whether memory is accessed",
                                        ", so on a device it may be otherwise, with another time"},
                 [PS_PTX_TELL_STORED] = {"the value that is stored", ", so on a device it may be "
                                                                     "any"}};
    PsPtxMachine *machine = runner->machine;
    const guint64 key = key_of(machine, what, origin);
    const gboolean ends = origin->clock ? what == PS_PTX_TELL_LOOP && !machine->launch.clocks
                                        : what <= PS_PTX_TELL_INDEX && !origin->mixed;
    if (origin->clock && what == PS_PTX_TELL_LOOP)
        hasten(runner);
    if (runner->open.error || ((origin->clock || origin->lane) && what == PS_PTX_TELL_STORED) ||
        (!ends && !ps_ptx_watch_is_new(machine, key)))
        return;
    g_autofree char *of = text_of(machine->code, origin);
    g_autofree char *text =
        g_strdup_printf("%s %s %s%s", texts[what].before,
                        origin->mixed ? "may depend on" : "depends on", of, texts[what].behind);
    g_autofree char *where = ps_ptx_code_where(machine->code, step->point);
    if (!ends)
        ps_ptx_machine_warn(
            machine, PS_PTX_WARNS(PS_PTX_WARNS_VALUES, key),
            g_strdup_printf("%s: %s%s", where, what <= PS_PTX_TELL_INDEX ? "a thread " : "", text));
    else
        ps_ptx_fail(&runner->open, step, lane, "%s", text);
}
