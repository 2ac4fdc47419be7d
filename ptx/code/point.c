/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Describes a point of a kernel's code: a call, the end of a way, a part of a loop, a line of a
 * source.
 */
#include "ptx/code/expand.h"
#include <string.h>

PsPtxCall ps_ptx_call_parts(const PsPtxInstruction *instruction)
{
    PsPtxCall parts = {-1, -1, -1};
    for (int i = 0; i < instruction->n_operands; i++) {
        if (instruction->operands[i].kind != PS_PTX_OPERAND_LIST) {
            if (parts.callee < 0)
                parts.callee = i;
        } else if (parts.callee < 0) {
            parts.out = i;
        } else if (parts.in < 0) {
            parts.in = i;
        }
    }
    return parts;
}

const char *ps_ptx_call_known(const char *name)
{
    static const struct {
        const char *name, *does;
    } known[] = {
        {"vprintf", "printf prints nothing and returns 0, and its time is not in the answer"},
        {PS_PTX_MALLOC, "malloc takes no time here: how long it takes, and where its memory lies "
                        "on a device, is not known"},
        {PS_PTX_FREE, "free takes no time here: how long it takes is not known"},
        {PS_PTX_SET_CONDITION, ""},
        {"__assertfail", ""}};
    for (gsize i = 0; i < G_N_ELEMENTS(known); i++)
        if (strcmp(name, known[i].name) == 0)
            return known[i].does;
    return NULL;
}

gboolean ps_ptx_call_allocates(const char *name)
{
    return strcmp(name, PS_PTX_MALLOC) == 0 || strcmp(name, PS_PTX_FREE) == 0;
}

gboolean ps_ptx_call_launches(const char *name)
{
    return g_str_has_prefix(name, "__cudaCDP") || g_str_has_prefix(name, "cudaLaunchDevice") ||
           g_str_has_prefix(name, "cudaGetParameterBuffer");
}

const PsPtxInline *ps_ptx_code_callee(const PsPtxCode *code, guint call)
{
    /* a copy has at least one point, and the first one is its own, not a callee's */
    const PsPtxInline *next = call + 1 < code->n_points ? code->points[call + 1].in : NULL;

    return next && next->caller && next->call == call ? next : NULL;
}

static gboolean is(const PsPtxPoint *point, const char *opcode)
{
    return strcmp(point->instruction->mnemonic->opcode, opcode) == 0;
}

PsPtxLeave ps_ptx_leaves(const PsPtxPoint *point)
{
    if (is(point, "exit") || is(point, "trap"))
        return PS_PTX_ENDS;
    if (is(point, "ret"))
        return point->in->caller ? PS_PTX_LEAVES : PS_PTX_ENDS;
    return PS_PTX_STAYS;
}

gboolean ps_ptx_code_in_loop(const PsPtxCode *code, guint point, guint loop)
{
    /* Inner loops have larger numbers. */
    guint at = point < code->n_points ? code->points[point].loop : PS_PTX_NOWHERE;

    while (at != PS_PTX_NOWHERE && at > loop)
        at = code->loops[at].parent;
    return at == loop;
}

gboolean ps_ptx_code_may_leave(const PsPtxCode *code, guint point, guint loop)
{
    return !ps_ptx_code_in_loop(code, code->points[point].target, loop) ||
           !ps_ptx_code_in_loop(code, point + 1, loop);
}

/* "FILE:LINE" of the source. Code that was inlined from another file, as from a compiler's header,
 * says little by itself: the line that calls it comes first. */
static char *source_where(const PsPtxModule *module, const PsPtxInstruction *instruction)
{
    const char *file = ps_ptx_file(module, instruction);
    const PsPtxPlace kernel = ps_ptx_place_in(module, instruction, NULL);
    const PsPtxPlace place = ps_ptx_place_in(module, instruction, kernel.file);
    if (!place.file || strcmp(place.file, file) == 0)
        return g_strdup_printf("%s:%d", file, instruction->source_line);
    return g_strdup_printf("%s:%d, in %s:%d", place.file, place.line, file,
                           instruction->source_line);
}

char *ps_ptx_where(const PsPtxModule *module, const PsPtxInstruction *instruction)
{
    const char *path = module->path ? module->path : module->machine ? "machine code" : "PTX";
    const gboolean has_source = instruction->source_line > 0 && ps_ptx_file(module, instruction);
    if (!has_source)
        return module->machine ? g_strdup_printf("%s at 0x%x", path, (guint)instruction->line)
                               : g_strdup_printf("%s:%d", path, instruction->line);
    g_autofree char *source = source_where(module, instruction);
    return module->machine ? g_strdup_printf("%s (at 0x%x)", source, (guint)instruction->line)
                           : g_steal_pointer(&source);
}

char *ps_ptx_code_where(const PsPtxCode *code, guint point)
{
    if (point >= code->n_points)
        return g_strdup("the kernel's end");
    return ps_ptx_where(code->module, code->points[point].instruction);
}
