/* SPDX-License-Identifier: BSD-3-Clause */
/* What instructions read of the banks of registers, of code written by hand: the words are as
 * ptxas writes them, with other registers. */
#include "tests/help/sass-lines.h"

/* "even odd", and behind a stroke what is kept of them, of each line. */
static void check(const SassLine *lines, const char *expected)
{
    g_autoptr(PsSassCode) code = sass_code_of_lines(lines);
    g_autofree PsSassReads *reads = ps_sass_bank_reads(code);
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; lines[i].opcode; i++) {
        g_string_append_printf(text, "%s%u %u", i ? ", " : "", reads[i].of[0], reads[i].of[1]);
        if (reads[i].kept[0] + reads[i].kept[1] > 0)
            g_string_append_printf(text, "/%u %u", reads[i].kept[0], reads[i].kept[1]);
    }
    g_assert_cmpstr(text->str, ==, expected);
}

/* A register that stands twice is read once; RZ, numbers and constants are not registers; of pairs,
 * addresses and what goes to a queue nothing is said. */
static void test_places(void)
{
    static const SassLine lines[] = {{"FFMA", "R16,R8,R16,-R5", {8, 16, 5}, 0},
                                     {"FFMA", "R9,R7,R7,R6", {7, 7, 6}, 0},
                                     {"FADD", "R3,R2,1", {2, 0, 0}, 0},
                                     {"IMAD.MOV.U32", "R3,RZ,RZ,R5", {255, 255, 5}, 0},
                                     {"DADD", "R2,R4,R6", {4, 0, 6}, 0},
                                     {"LDS", "R2,[R5]", {5, 0, 0}, 0},
                                     SASS_END};
    check(lines, "2 1, 1 1, 1 0, 0 1, 0 0, 0 0");
}

/* The four examples of the dissection, of IADD3 and FFMA. */
static void test_kept(void)
{
    static const SassLine once[] = {{"IADD3", "R1,R2,R3,R4", {2, 3, 4}, 1},
                                    {"FFMA", "R5,R2,R7,R8", {2, 7, 8}, 0},
                                    {"IADD3", "R10,R2,R12,R13", {2, 12, 13}, 0},
                                    SASS_END};
    static const SassLine again[] = {{"IADD3", "R1,R2,R3,R4", {2, 3, 4}, 1},
                                     {"FFMA", "R5,R2,R7,R8", {2, 7, 8}, 1},
                                     {"IADD3", "R10,R2,R12,R13", {2, 12, 13}, 0},
                                     SASS_END};
    static const SassLine other_place[] = {{"IADD3", "R1,R2,R3,R4", {2, 3, 4}, 1},
                                           {"FFMA", "R5,R7,R2,R8", {7, 2, 8}, 0},
                                           {"IADD3", "R10,R2,R12,R13", {2, 12, 13}, 0},
                                           SASS_END};
    static const SassLine other_register[] = {{"IADD3", "R1,R2,R3,R4", {2, 3, 4}, 1},
                                              {"FFMA", "R5,R4,R7,R8", {4, 7, 8}, 0},
                                              {"IADD3", "R10,R2,R12,R13", {2, 12, 13}, 0},
                                              SASS_END};
    check(once, "2 1, 2 1/1 0, 2 1");
    check(again, "2 1, 2 1/1 0, 2 1/1 0");
    check(other_place, "2 1, 2 1, 2 1/1 0");
    check(other_register, "2 1, 2 1, 2 1");
}

/* A mark is one place's: what stands at another place is not kept. Of a register that stands twice
 * the second place may be the one that is marked. */
static void test_marks(void)
{
    static const SassLine other_mark[] = {
        {"IADD3", "R1,R2,R3,R4", {2, 3, 4}, 1}, {"FFMA", "R5,R6,R3,R8", {6, 3, 8}, 0}, SASS_END};
    static const SassLine second[] = {
        {"FFMA", "R9,R7,R7,R6", {7, 7, 6}, 2}, {"FADD", "R3,R2,R7", {2, 7, 0}, 0}, SASS_END};
    check(other_mark, "2 1, 2 1");
    check(second, "1 1, 1 1/0 1");
}

/* An address leaves nothing at the place of its register, and other places as they are. */
static void test_addresses(void)
{
    static const SassLine same[] = {{"FADD", "R1,R5,R4", {5, 4, 0}, 1},
                                    {"LDS", "R2,[R5]", {5, 0, 0}, 0},
                                    {"FADD", "R6,R5,R4", {5, 4, 0}, 0},
                                    SASS_END};
    static const SassLine other[] = {{"FADD", "R1,R5,R4", {5, 4, 0}, 1},
                                     {"LDS", "R2,[R9]", {0, 9, 0}, 0},
                                     {"FADD", "R6,R5,R4", {5, 4, 0}, 0},
                                     SASS_END};
    check(same, "1 1, 0 0, 1 1");
    check(other, "1 1, 0 0, 1 1/0 1");
}

/* Where ways of the program meet, nothing is kept. */
static void test_joints(void)
{
    static const SassLine lines[] = {{"FADD", "R1,R2,R3", {2, 3, 0}, 3},
                                     {"FADD", "R4,R2,R3", {2, 3, 0}, 3},
                                     {"BRA", "P0,0x10", {0}, 0},
                                     {"FADD", "R1,R2,R3", {2, 3, 0}, 0},
                                     {"EXIT", "", {0}, 0},
                                     SASS_END};
    check(lines, "1 1, 1 1, 0 0, 1 1, 0 0");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/sass-reads/places", test_places);
    g_test_add_func("/sass-reads/kept", test_kept);
    g_test_add_func("/sass-reads/marks", test_marks);
    g_test_add_func("/sass-reads/addresses", test_addresses);
    g_test_add_func("/sass-reads/joints", test_joints);
    return g_test_run();
}
