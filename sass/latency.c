/* SPDX-License-Identifier: BSD-3-Clause */
/* How readers know that an instruction's result is ready, as the control bits in code by NVIDIA's
 * assembler show. See table.h. */
#include "sass/table.h"

#include "base/class-name.h"

#include <string.h>

/* TRUE for opcodes whose few units are shared, and for those that wait for memory: by class, except
 * for opcodes with units of their own. */
static gboolean is_shared(const PsSassRow *row)
{
    static const char *const classes[] = {"constant", "conversion",    "cos", "exp2",
                                          "log2",     "logic.special", "rcp", "rsqrt",
                                          "shuffle",  "sin",           "sqrt"};
    static const char *const own[] = {"CS2R", "F2FP", "F2IP", "I2FP", "VOTE"};
    for (gsize i = 0; i < G_N_ELEMENTS(own); i++)
        if (g_str_has_prefix(row->opcode, own[i]))
            return FALSE;
    for (gsize i = 0; i < G_N_ELEMENTS(classes); i++)
        if (ps_class_covers(classes[i], row->class))
            return TRUE;
    return FALSE;
}

PsSassLatency ps_sass_latency(const PsSassRow *row, const char *opcode, int capability)
{
    /* Chips for computing have full units for doubles; those for half products came with sm_80. */
    const gboolean doubles = capability == 90 || capability == 100, products = capability >= 80;
    gboolean fixed;
    if (strcmp(row->opcode, "LDGDEPBAR") == 0 || g_str_has_prefix(row->opcode, "QSPC") ||
        g_str_has_prefix(row->opcode, "FENCE") || g_str_has_prefix(row->opcode, "CCTL") ||
        g_str_has_prefix(row->opcode, "USETMAXREG") || g_str_has_prefix(row->opcode, "UTC"))
        fixed = FALSE; /* they ask memory or other warps */
    else if (g_str_has_prefix(row->opcode, "R2UR"))
        fixed = capability >= 90;
    else if (!row->class || g_str_has_prefix(row->opcode, "HMMA"))
        fixed = products && strstr(row->opcode, "MMA") && row->opcode[0] != 'D';
    else if (ps_class_covers("dadd", row->class) || ps_class_covers("dmul", row->class) ||
             ps_class_covers("dfma", row->class))
        fixed = doubles;
    else /* the uniform datapath has units of its own */
        fixed = !is_shared(row) || (opcode[0] == 'U' && row->opcode[0] != 'U');
    return fixed ? PS_SASS_FIXED : PS_SASS_SCOREBOARD;
}
