/* SPDX-License-Identifier: BSD-3-Clause */
/* What instructions read of the banks of registers, of code written by hand: the words are as
 * ptxas writes them, with other registers. */
#include "tests/help/sass.h"

#include <string.h>

#define MOST 8

/* Registers at the three places, which also stand in the text; marks: a bit for each place that
 * .reuse stands at. */
typedef struct {
    const char *opcode, *operands;
    guint8 at[3], marks;
} Line;

static void put_word(guint8 *bytes, const Line *line)
{
    const guint64 no_scoreboard = (guint64)7 << (110 - 64) | (guint64)7 << (113 - 64);
    const guint64 low = (guint64)line->at[0] << 24 | (guint64)line->at[1] << 32;
    const guint64 high = line->at[2] | no_scoreboard | (guint64)line->marks << (122 - 64);
    memcpy(bytes, &low, sizeof low);
    memcpy(bytes + sizeof low, &high, sizeof high);
}

static PsSassCode *code_of(const Line *lines)
{
    static guint8 bytes[MOST * PS_SASS_BYTES];
    PsSassImage image = {.name = (char *)"x.cubin", .capability = 86};
    PsSassKernel kernel = {.name = (char *)"k", .text = {bytes, 0}};
    g_autoptr(GString) json = g_string_new("[{},[{\"function-name\":\"k\",\"sass-instructions\":[");
    g_autoptr(GError) error = NULL;
    for (guint i = 0; lines[i].opcode; i++) {
        g_string_append_printf(json, "%s{\"opcode\":\"%s\",\"operands\":\"%s\"}", i ? "," : "",
                               lines[i].opcode, lines[i].operands);
        put_word(bytes + kernel.text.size, &lines[i]);
        kernel.text.size += PS_SASS_BYTES;
    }
    g_string_append(json, "]}]]");
    image.variables = g_array_new(FALSE, FALSE, sizeof(PsSassVariable));
    image.addresses = g_array_new(FALSE, FALSE, sizeof(PsSassAddress));
    kernel.params = g_array_new(FALSE, FALSE, sizeof(PsSassParam));
    kernel.jumps = g_array_new(FALSE, FALSE, sizeof(PsSassJump));
    kernel.subroutines = g_hash_table_new(g_str_hash, g_str_equal);
    kernel.apart = g_hash_table_new(NULL, NULL);
    g_hash_table_insert(kernel.subroutines, (gpointer) "k", GSIZE_TO_POINTER(1));
    PsSassListing *listing = ps_sass_listing_new(json->str, -1, &kernel, &error);
    g_assert_no_error(error);
    PsSassCode *code = ps_sass_code_new(&image, &kernel, listing, NULL, &error);
    g_assert_no_error(error);
    g_array_unref(image.variables);
    g_array_unref(image.addresses);
    g_array_unref(kernel.params);
    g_array_unref(kernel.jumps);
    g_hash_table_unref(kernel.subroutines);
    g_hash_table_unref(kernel.apart);
    return code;
}

/* "even odd", and behind a stroke what is kept of them, of each line. */
static void check(const Line *lines, const char *expected)
{
    g_autoptr(PsSassCode) code = code_of(lines);
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
    static const Line lines[] = {{"FFMA", "R16,R8,R16,-R5", {8, 16, 5}, 0},
                                 {"FFMA", "R9,R7,R7,R6", {7, 7, 6}, 0},
                                 {"FADD", "R3,R2,1", {2, 0, 0}, 0},
                                 {"IMAD.MOV.U32", "R3,RZ,RZ,R5", {255, 255, 5}, 0},
                                 {"DADD", "R2,R4,R6", {4, 0, 6}, 0},
                                 {"LDS", "R2,[R5]", {5, 0, 0}, 0},
                                 {NULL, NULL, {0}, 0}};
    check(lines, "2 1, 1 1, 1 0, 0 1, 0 0, 0 0");
}

/* The four examples of the dissection, of IADD3 and FFMA. */
static void test_kept(void)
{
    static const Line once[] = {{"IADD3", "R1,R2,R3,R4", {2, 3, 4}, 1},
                                {"FFMA", "R5,R2,R7,R8", {2, 7, 8}, 0},
                                {"IADD3", "R10,R2,R12,R13", {2, 12, 13}, 0},
                                {NULL, NULL, {0}, 0}};
    static const Line again[] = {{"IADD3", "R1,R2,R3,R4", {2, 3, 4}, 1},
                                 {"FFMA", "R5,R2,R7,R8", {2, 7, 8}, 1},
                                 {"IADD3", "R10,R2,R12,R13", {2, 12, 13}, 0},
                                 {NULL, NULL, {0}, 0}};
    static const Line other_place[] = {{"IADD3", "R1,R2,R3,R4", {2, 3, 4}, 1},
                                       {"FFMA", "R5,R7,R2,R8", {7, 2, 8}, 0},
                                       {"IADD3", "R10,R2,R12,R13", {2, 12, 13}, 0},
                                       {NULL, NULL, {0}, 0}};
    static const Line other_register[] = {{"IADD3", "R1,R2,R3,R4", {2, 3, 4}, 1},
                                          {"FFMA", "R5,R4,R7,R8", {4, 7, 8}, 0},
                                          {"IADD3", "R10,R2,R12,R13", {2, 12, 13}, 0},
                                          {NULL, NULL, {0}, 0}};
    check(once, "2 1, 2 1/1 0, 2 1");
    check(again, "2 1, 2 1/1 0, 2 1/1 0");
    check(other_place, "2 1, 2 1, 2 1/1 0");
    check(other_register, "2 1, 2 1, 2 1");
}

/* Where ways of the program meet, nothing is kept. */
static void test_joints(void)
{
    static const Line lines[] = {{"FADD", "R1,R2,R3", {2, 3, 0}, 3},
                                 {"FADD", "R4,R2,R3", {2, 3, 0}, 3},
                                 {"BRA", "P0,0x10", {0}, 0},
                                 {"FADD", "R1,R2,R3", {2, 3, 0}, 0},
                                 {"EXIT", "", {0}, 0},
                                 {NULL, NULL, {0}, 0}};
    check(lines, "1 1, 1 1, 0 0, 1 1, 0 0");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/sass-reads/places", test_places);
    g_test_add_func("/sass-reads/kept", test_kept);
    g_test_add_func("/sass-reads/joints", test_joints);
    return g_test_run();
}
