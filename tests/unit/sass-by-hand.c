/* SPDX-License-Identifier: BSD-3-Clause */
/* What machine code computes that no stored listing has: lines written by hand, executed by one
 * thread, and the words that they leave in its buffer. */
#include "ptx/run/run.h"
#include "tests/help/sass-lines.h"

#include <string.h>

#define WORDS 8

/* R2 is the buffer's address. */
#define BEGIN                                                                                      \
    {"MOV", "R2,c[0x0][0x160]", {0}, 0},                                                           \
    {                                                                                              \
        "MOV", "R3,c[0x0][0x164]", {0}, 0                                                          \
    }
#define SET(REGISTER, VALUE)                                                                       \
    {                                                                                              \
        "MOV", REGISTER "," VALUE, {0}, 0                                                          \
    }
#define LINE(OPCODE, OPERANDS)                                                                     \
    {                                                                                              \
        OPCODE, OPERANDS, {0}, 0                                                                   \
    }
#define END LINE("EXIT", ""), SASS_END

#define WORKSPACE 0x123456789a0 /* of a cooperative launch */

static void run(const SassLine *lines, guint32 words[WORDS])
{
    static const PsPtxListener silent;
    const guint group[3] = {0, 0, 0};
    g_autoptr(GError) error = NULL;
    g_autoptr(PsSassCode) code = sass_code_of_lines(lines);
    const PsPtxFunction *kernel = code->module->functions->pdata[0];
    const PsPtxVariable *param = kernel->params->pdata[0];
    const PsPtxArgument argument = {
        .name = param->name, .data = (guint8 *)words, .size = WORDS * sizeof *words};
    const PsPtxLaunch launch = {.kernel = kernel,
                                .grid = {1, 1, 1},
                                .block = {1, 1, 1},
                                .workspace = WORKSPACE,
                                .n_arguments = 1,
                                .arguments = &argument};
    PsPtxMachine *machine = ps_ptx_machine_new(code->module, &launch, &error);
    g_assert_no_error(error);
    ps_ptx_run_group(machine, group, &silent, &error);
    g_assert_no_error(error);
    ps_ptx_machine_free(machine);
}

/* Predicates go into the bits of the mask; the others are those of the register. */
static void test_predicates(void)
{
    static const SassLine lines[] = {BEGIN,
                                     SET("R4", "0xffffff06"),
                                     SET("R5", "0x1"),
                                     LINE("ISETP.EQ.AND", "P0,PT,R5,0x1,PT"),
                                     LINE("ISETP.EQ.AND", "P1,PT,R5,0x2,PT"),
                                     LINE("ISETP.EQ.AND", "P2,PT,R5,0x1,PT"),
                                     LINE("P2R", "R6,R4,0x3"),
                                     LINE("STG.E", "[R2.64],R6"),
                                     LINE("P2R", "R7,RZ,0x7f"),
                                     LINE("STG.E", "[R2.64+0x4],R7"),
                                     END};
    guint32 words[WORDS] = {0};
    run(lines, words);
    g_assert_cmphex(words[0], ==, 0xffffff05);
    g_assert_cmphex(words[1] & 7, ==, 5);
}

/* Code of sm_87 begins with the barriers of convergence, unless the warp's place had another warp,
 * by a register that nothing else writes: it is 1. */
static void test_prepared(void)
{
    static const SassLine lines[] = {LINE("ISETP.NE.U32.AND", "P0,PT,RZ,UR2,PT"),
                                     {"MOV", "R2,c[0x0][0x160]", {0}, 0},
                                     {"MOV", "R3,c[0x0][0x164]", {0}, 0},
                                     LINE("SEL", "R4,RZ,0x1,!P0"),
                                     LINE("STG.E", "[R2.64],R4"),
                                     LINE("UMOV", "UR2,0x1"),
                                     LINE("MOV", "R5,UR2"),
                                     LINE("STG.E", "[R2.64+0x4],R5"),
                                     END};
    guint32 words[WORDS] = {0};
    run(lines, words);
    g_assert_cmphex(words[0], ==, 1);
    g_assert_cmphex(words[1], ==, 1);
}

/* Code for debuggers asks whether its stack reaches below where it may, and ends the launch if so:
 * it does not. */
static void test_stack(void)
{
    static const SassLine lines[] = {BEGIN,
                                     SET("R1", "0x8"),
                                     LINE("S2R", "R0,SR_LMEMHIOFF"),
                                     LINE("ISETP.GE.U32.AND", "P0,PT,R1,R0,PT"),
                                     LINE("SEL", "R4,RZ,0x1,!P0"),
                                     LINE("STG.E", "[R2.64],R4"),
                                     END};
    guint32 words[WORDS] = {0};
    run(lines, words);
    g_assert_cmphex(words[0], ==, 1);
}

/* Predicates that all lanes share; and both halves of the place to return to, which keep values. */
static void test_shared(void)
{
    static const SassLine lines[] = {BEGIN,
                                     SET("R5", "0x1"),
                                     LINE("R2UR", "UR5,R5"),
                                     LINE("UISETP.EQ.AND", "UP0,UPT,UR5,0x2,UPT"),
                                     LINE("UISETP.EQ.AND", "UP2,UPT,UR5,0x1,UPT"),
                                     LINE("UP2UR", "UR6,UPR,URZ,0x5"),
                                     LINE("MOV", "R6,UR6"),
                                     LINE("STG.E", "[R2.64],R6"),
                                     LINE("RPCMOV.32", "Rpc.HI,R6"),
                                     LINE("RPCMOV.32", "Rpc.LO,R5"),
                                     LINE("RPCMOV.32", "R7,Rpc.HI"),
                                     LINE("RPCMOV.32", "R8,Rpc.LO"),
                                     LINE("STG.E", "[R2.64+0x4],R7"),
                                     LINE("STG.E", "[R2.64+0x8],R8"),
                                     END};
    guint32 words[WORDS] = {0};
    run(lines, words);
    g_assert_cmphex(words[0], ==, 4);
    g_assert_cmphex(words[1], ==, 4);
    g_assert_cmphex(words[2], ==, 1);
}

/* A register beside a uniform pair has no sign. */
static void test_narrow_address(void)
{
    static const SassLine lines[] = {BEGIN,
                                     LINE("IADD3", "R4,P0,R2,-0x80000000,RZ"),
                                     LINE("IADD3.X", "R5,R3,-0x1,RZ,P0,!PT"),
                                     LINE("R2UR", "UR4,R4"),
                                     LINE("R2UR", "UR5,R5"),
                                     SET("R6", "0x80000008"),
                                     SET("R7", "0x11"),
                                     LINE("STG.E", "[R6.U32+UR4],R7"),
                                     END};
    guint32 words[WORDS] = {0};
    run(lines, words);
    g_assert_cmpuint(words[2], ==, 0x11);
}

/* A difference carries where the first is no less than what is taken from it: also by nothing. So
 * does one of shifted terms. */
static void test_carries(void)
{
    static const SassLine lines[] = {BEGIN,
                                     SET("R4", "0x9"),
                                     SET("R5", "0x0"),
                                     SET("R6", "0x1"),
                                     LINE("LEA", "R8,P0,-R5,R4,0x1e"),
                                     LINE("IADD3.X", "R9,~R5,R5,RZ,P0,!PT"),
                                     LINE("LEA", "R10,P1,-R6,R4,0x3"),
                                     LINE("IADD3.X", "R11,~R5,R5,RZ,P1,!PT"),
                                     LINE("LEA", "R12,P2,-R6,R4,0x4"),
                                     LINE("IADD3.X", "R13,~R5,R5,RZ,P2,!PT"),
                                     LINE("LEA", "R14,P3,R4,-R5,0x1"),
                                     LINE("IADD3.X", "R15,R5,~R5,RZ,P3,!PT"),
                                     LINE("STG.E.64", "[R2.64],R8"),
                                     LINE("STG.E.64", "[R2.64+0x8],R10"),
                                     LINE("STG.E.64", "[R2.64+0x10],R12"),
                                     LINE("STG.E.64", "[R2.64+0x18],R14"),
                                     END};
    static const guint32 left[WORDS] = {9, 0, 1, 0, 0xfffffff9, 0xffffffff, 18, 0};
    guint32 words[WORDS] = {0};
    run(lines, words);
    for (guint i = 0; i < WORDS; i++)
        g_assert_cmphex(words[i], ==, left[i]);
}

/* A narrow load takes its bytes alone, wherever they lie. Two words that no parameter fills have
 * the bytes of those that lie there. */
static void test_narrow_constants(void)
{
    static const SassLine lines[] = {BEGIN,
                                     LINE("LDC.U8", "R4,c[0x3][0x1]"),
                                     LINE("ULDC.S8", "UR4,c[0x3][0x3]"),
                                     SET("R5", "UR4"),
                                     LINE("LDC.S16", "R6,c[0x3][0x2]"),
                                     LINE("LDC.U16", "R7,c[0x3][0x4]"),
                                     LINE("LDC.U8", "R8,c[0x0][0x164]"),
                                     LINE("ULDC.U16", "UR4,c[0x0][0x2]"),
                                     SET("R9", "UR4"),
                                     LINE("I2F.F64.U64", "R10,c[0x0][0x164]"),
                                     LINE("STG.E.64", "[R2.64],R4"),
                                     LINE("STG.E.64", "[R2.64+0x8],R6"),
                                     LINE("STG.E.64", "[R2.64+0x10],R8"),
                                     LINE("STG.E.64", "[R2.64+0x18],R10"),
                                     END};
    static const guint32 left[WORDS] = {0x82, 0xfffffff4, 0xfffff493, 0x605, 7, 0, 0, 0x401c0000};
    guint32 words[WORDS] = {0};
    run(lines, words);
    for (guint i = 0; i < WORDS; i++)
        g_assert_cmphex(words[i], ==, left[i]);
}

/* Where all groups of a cooperative launch meet. */
static void test_meeting(void)
{
    static const SassLine lines[] = {BEGIN, SET("R4", "c[0x0][0x90]"), SET("R5", "c[0x0][0x8c]"),
                                     LINE("STG.E.64", "[R2.64],R4"), END};
    guint32 words[WORDS] = {0};
    run(lines, words);
    g_assert_cmphex(words[0], ==, WORKSPACE & G_MAXUINT32);
    g_assert_cmphex(words[1], ==, WORKSPACE >> 32);
}

/* The instructions that nobody knows, of lines. */
static guint count_unknown(const SassLine *lines)
{
    g_autoptr(PsSassCode) code = sass_code_of_lines(lines);
    const PsPtxFunction *kernel = code->module->functions->pdata[0];
    guint n = 0;
    for (guint i = 0; i < kernel->instructions->len; i++)
        n += !g_array_index(kernel->instructions, PsPtxInstruction, i).mnemonic->known;
    return n;
}

/* What reads a special register that nobody knows is skipped, and gives no zero. */
static void test_special(void)
{
    static const SassLine known[] = {BEGIN, LINE("S2R", "R4,SR_SMEMSZ"), END};
    static const SassLine unknown[] = {BEGIN, LINE("S2R", "R4,SR_NOBODY.X"), END};
    g_assert_cmpuint(count_unknown(known), ==, 0);
    g_assert_cmpuint(count_unknown(unknown), ==, 1);
}

/* What restores a spilled register says that nobody needs the memory any more. */
static void test_last_use(void)
{
    static const SassLine lines[] = {BEGIN, LINE("LDL.LU", "R4,[R1]"),
                                     LINE("LDL.LU.64", "R6,[R1+0x8]"), LINE("LDL", "R5,[R1]"), END};
    g_autoptr(PsSassCode) code = sass_code_of_lines(lines);
    const PsPtxFunction *kernel = code->module->functions->pdata[0];
    guint loads = 0, last = 0;
    for (guint i = 0; i < kernel->instructions->len; i++) {
        const PsPtxMnemonic *mnemonic =
            g_array_index(kernel->instructions, PsPtxInstruction, i).mnemonic;
        loads += strcmp(mnemonic->opcode, "ld") == 0 && mnemonic->space == PS_PTX_LOCAL;
        last += ps_ptx_has(mnemonic, "lu");
    }
    g_assert_cmpuint(loads, ==, 3);
    g_assert_cmpuint(last, ==, 2);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/sass-by-hand/predicates", test_predicates);
    g_test_add_func("/sass-by-hand/carries", test_carries);
    g_test_add_func("/sass-by-hand/narrow-constants", test_narrow_constants);
    g_test_add_func("/sass-by-hand/meeting", test_meeting);
    g_test_add_func("/sass-by-hand/special", test_special);
    g_test_add_func("/sass-by-hand/narrow-address", test_narrow_address);
    g_test_add_func("/sass-by-hand/last-use", test_last_use);
    g_test_add_func("/sass-by-hand/prepared", test_prepared);
    g_test_add_func("/sass-by-hand/stack", test_stack);
    g_test_add_func("/sass-by-hand/shared", test_shared);
    return g_test_run();
}
