/* SPDX-License-Identifier: BSD-3-Clause */
/* How rows of the table are found: by the opcode, its modifiers in order, and the operands. */
#include "sass/table.h"

#include <string.h>

/* What is found, and which operands its letters stand for: "IADD3 oiii 0 1 2 3"; NULL: nothing. */
static char *find(const char *opcode, const char *text)
{
    guint at[PS_SASS_MOST_OPERANDS];
    g_auto(GStrv) kept = NULL, parts = g_strsplit(opcode, ".", -1);
    g_autoptr(GArray) operands = ps_sass_operands(text, &kept);
    const PsSassRow *row = ps_sass_row(parts, operands, at);
    if (!row)
        return NULL;
    GString *found = g_string_new_len(row->opcode, (gssize)strcspn(row->opcode, " "));
    g_string_append_printf(found, " %s", row->shape);
    for (guint i = 0; row->shape[i]; i++)
        g_string_append_printf(found, " %u", at[i]);
    return g_string_free(found, FALSE);
}

static void test_found(void)
{
    static const struct {
        const char *opcode, *operands, *row;
    } list[] = {
        {"FFMA", "R0,R1,R2,R3", "FFMA offf 0 1 2 3"},
        {"FFMA.FTZ.RZ", "R0,R1,R2,R3", "FFMA offf 0 1 2 3"},
        /* The more special row stands first; its modifiers may have others between them. */
        {"IMAD.MOV.U32", "R0,RZ,RZ,R3", "IMAD.MOV oiii 0 1 2 3"},
        {"IMAD", "R0,R1,R2,R3", "IMAD oiii 0 1 2 3"},
        {"IMAD.WIDE.U32", "R0,R1,R2,R4", "IMAD.WIDE.U32 OiiI 0 1 2 3"},
        {"IMAD.WIDE", "R0,R1,R2,R4", "IMAD.WIDE OiiI 0 1 2 3"},
        {"MUFU.RCP", "R0,R1", "MUFU.RCP of 0 1"},
        /* Those that change nothing may be there; what nobody knows makes it another instruction.
         */
        {"IMAD.SHL.U32", "R0,R1,0x4,RZ", "IMAD oiii 0 1 2 3"},
        {"LDG.E.64.STRONG.SM", "R0,[R2.64]", "LDG VA 0 1"},
        {"MEMBAR.SC.VC", "", NULL},
        {"FENCE.VIEW.ASYNC.S", "", "FENCE "},
        {"FFMA.NEW", "R0,R1,R2,R3", NULL},
        {"VIADD.16x2", "R0,R1,R2", NULL},
        {"VIMNMX.S16x2", "R0,R1,R2,!PT", NULL},
        {"DSETP.MAX.AND", "P0,P1,R2,R4,PT", "DSETP.MAX PPFFp 0 1 2 3 4"},
        {"DSETP.MAX.OR", "P0,P1,R2,R4,PT", NULL},
        {"F2I.F16.NTZ", "R17,R0", "F2I.F16 oh 0 1"},
        {"ULDC.64", "UR4,c[0x0][0x118]", "ULDC Vc 0 1"},
        {"LDCU.64", "UR4,c[0x0][0x358]", "LDC Vc 0 1"},
        {"QSPC.E.S", "P0,RZ,[R4]", "QSPC.S PoG 0 1 2"},
        {"UBLKCP.S.G", "[UR10],[UR4],UR6", "UBLKCP.S.G bAi 0 1 2"},
        {"UBLKCP.S.G.MULTICAST", "[UR10],[UR4],UR6", NULL},
        /* Only numbers without a sign are told by 64. */
        {"ATOMG.E.MIN.S64.STRONG.GPU", "PT,R4,[R8],R6", "ATOMG.S64 OAI 1 2 3"},
        {"ATOMG.E.ADD.F64.RN.STRONG.GPU", "PT,R4,[R8],R6", "ATOMG.F64 OAI 1 2 3"},
        {"ATOM.E.MIN.S64.STRONG.GPU", "PT,R4,[R8],R6", "ATOM.S64 OAI 1 2 3"},
        {"ATOM.E.MIN.S64.STRONG.GPU", "P0,R4,[R8],R6", "ATOM.S64 POGI 0 1 2 3"},
        {"ATOMG.E.MIN.S64.STRONG.GPU", "P0,R4,[R8],R6", NULL},
        {"RED.E.MIN.S64.STRONG.GPU", "[R8],R6", "RED.S64 AI 0 1"},
        {"REDG.E.ADD.F64.RN.STRONG.GPU", "[R8],R6", "REDG.F64 AI 0 1"},
        {"REDG.E.MAX.64.STRONG.GPU", "[R8],R6", "REDG.64 AI 0 1"},
        {"F2FP.PACK_AB.RZ", "R0,RZ,R8", "F2FP.PACK_AB off 0 1 2"},
        {"DMMA.884", "R8,R4,R6,R8", "DMMA.884 EFFg 0 1 2 3"},
        {"STSM.16.MT88.2", "[R5+0x200],R8", "STSM.16.MT88.2 ad 0 1"},
        {"CREDUX.MAX", "UR7,R0", "CREDUX oi 0 1"},
        /* PT where no predicate is asked for is passed over. */
        {"IADD3", "R0,PT,PT,R1,R2,R3", "IADD3 oiii 0 3 4 5"},
        {"IADD3", "R0,R1,R2,R3", "IADD3 oiii 0 1 2 3"},
        {"NOSUCH", "R0,R1", NULL},
        {"FFMA", "R0,R1", NULL},
        {"MUFU", "R0,R1", NULL},
        /* Two halves that are numbers are two operands, of which the second may lack. */
        {"HFMA2", "R0,-RZ,RZ,1.875,0", "HFMA2 ohhh 0 1 2 3"},
        {"HFMA2", "R0,R1,1.875,0,R3", "HFMA2 ohhh 0 1 2 4"},
        {"HFMA2", "R0,R1,1.875", NULL},
        {"HFMA2", "R0,R1,R2,1.875", NULL},
    };
    for (guint i = 0; i < G_N_ELEMENTS(list); i++) {
        g_autofree char *row = find(list[i].opcode, list[i].operands);
        g_test_message("%s %s", list[i].opcode, list[i].operands);
        g_assert_cmpstr(row, ==, list[i].row);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/sass-table/found", test_found);
    return g_test_run();
}
