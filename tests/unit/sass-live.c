/* SPDX-License-Identifier: BSD-3-Clause */
/* Registers that are live, of code written by hand, and of a kernel of the corpus. */
#include "tests/help/sass-lines.h"

#include <string.h>

#define MOST 16

/* "GUARD OPCODE OPERANDS", of which the guard and the operands may lack, as JSON. */
static void append_instruction(GString *json, const char *text)
{
    const gboolean guarded = text[0] == '@';
    g_auto(GStrv) words = g_strsplit(text, " ", guarded ? 3 : 2);
    char **word = words;
    g_string_append(json, "{");
    if (guarded)
        g_string_append_printf(json, "\"predicate\":\"%s\",", *word++);
    g_string_append_printf(json, "\"opcode\":\"%s\"", *word++);
    if (*word)
        g_string_append_printf(json, ",\"operands\":\"%s\"", *word);
    g_string_append(json, "}");
}

/* The kernel "k" at 0, and a subroutine "s" at that offset if it is not 0. */
static PsSassCode *code_of(const char *const *texts, guint64 subroutine)
{
    static guint8 bytes[MOST * PS_SASS_BYTES];
    PsSassKernel kernel = {.name = (char *)"k", .text = {bytes, 0}};
    g_autoptr(GString) json = g_string_new("[{},[{\"function-name\":\"k\",\"sass-instructions\":[");
    for (guint i = 0; texts[i]; i++) {
        g_string_append(json, i ? "," : "");
        append_instruction(json, texts[i]);
        kernel.text.size += PS_SASS_BYTES;
    }
    g_string_append(json, "]}]]");
    return sass_code_of_json(&kernel, &(SassBeside){.capability = 80, .subroutine = subroutine},
                             json->str);
}

typedef struct {
    const char *texts[MOST];
    const char *live; /* of each instruction */
    guint64 subroutine;
} Case;

static const Case cases[] = {
    /* What it reads and what it writes; RZ is none. */
    {{"MOV R0,0x1", "MOV R2,0x2", "IADD3 R4,R0,R2,RZ", "ST.E [R6.64],R4", "EXIT"}, "1 2 3 1 0", 0},
    /* A result that nobody needs is live where it is written. */
    {{"MOV R0,0x1", "MOV R9,0x1", "FADD R0,R0,R0", "STS [RZ],R0", "EXIT"}, "1 2 1 1 0", 0},
    /* Addresses of 64 bits are pairs. */
    {{"MOV R2,0x1", "MOV R3,0x0", "LDG.E.64 R4,[R2.64]", "STG.E.64 [R2.64],R4", "EXIT"},
     "1 2 4 4 0",
     0},
    /* Not all lanes write it, so that it stays live. */
    {{"MOV R0,0x1", "MOV R1,0x2", "@P0 MOV R0,R1", "STS [RZ],R0", "EXIT"}, "1 2 2 1 0", 0},
    /* Written and read under one guard: nothing is in it before. */
    {{"MOV R1,0x2", "@P0 MOV R0,R1", "@P0 STS [RZ],R0", "EXIT"}, "1 2 1 0", 0},
    /* Around a loop. */
    {{"MOV R0,0x1", "MOV R1,0x2", "IADD3 R0,R0,0x1,RZ", "@P0 BRA 0x10", "STS [RZ],R0", "EXIT"},
     "1 2 1 1 1 0",
     0},
    {{"MOV R0,0x1", "MOV R1,0x2", "IADD3 R1,R0,R1,RZ", "BRA P0,0x10", "STS [RZ],R1", "EXIT"},
     "1 2 2 2 1 0",
     0},
    /* Behind a branch that all take nothing is needed. */
    {{"MOV R0,0x1", "BRA 0x30", "STS [RZ],R0", "EXIT"}, "1 0 0 0", 0},
    {{"MOV R0,0x1", "@P1 EXIT", "STS [RZ],R0", "EXIT"}, "1 1 1 0", 0},
    {{"MOV R0,0x1", "EXIT", "STS [RZ],R0", "EXIT"}, "1 0 0 0", 0},
    /* What only asks whether lanes are apart goes on for those that are not. */
    {{"MOV R0,0x1", "BRA.DIV UR4,0x30", "STS [RZ],R0", "EXIT"}, "1 1 1 0", 0},
    {{"MOV R0,0x1", "BRA.DIV 0x30", "STS [RZ],R0", "EXIT"}, "1 1 1 0", 0},
    /* Through a subroutine and back. */
    {{"MOV R0,0x1", "MOV R1,0x2", "CALL.REL.NOINC `(s)", "STS [RZ],R0", "EXIT", "FADD R1,R1,R1",
      "STS [RZ],R1", "RET.REL.NODEC R20 `(k)"},
     "1 2 2 1 0 2 2 1",
     0x50},
};

static void test_by_hand(void)
{
    for (guint c = 0; c < G_N_ELEMENTS(cases); c++) {
        g_autoptr(PsSassCode) code = code_of(cases[c].texts, cases[c].subroutine);
        g_autofree guint *live = ps_sass_live(code);
        g_autoptr(GString) text = g_string_new(NULL);
        for (guint i = 0; cases[c].texts[i]; i++)
            g_string_append_printf(text, "%s%u", i ? " " : "", live[i]);
        g_test_message("case %u", c);
        g_assert_cmpstr(text->str, ==, cases[c].live);
    }
}

/* As nvdisasm -plr counts them, less R1, which nothing here needs. */
static void test_kernel(void)
{
    static const guint known[] = {1, 1, 2, 3, 3, 4, 4, 5, 6, 7, 7, 8, 8, 8, 8, 8, 9, 10, 9, 9};
    PsSassImage *image = NULL;
    g_autoptr(PsSassCode) code = sass_code("mmul16-80", NULL, &image);
    g_autofree guint *live = ps_sass_live(code);
    guint most = 0;
    for (guint i = 0; i < G_N_ELEMENTS(known); i++)
        g_assert_cmpuint(live[i], ==, known[i]);
    for (guint i = 0; i < code->n; i++)
        most = MAX(most, live[i]);
    g_assert_cmpuint(most, <=, code->registers);
    g_assert_cmpuint(code->n, <, code->listing->instructions->len);
    ps_sass_image_free(image);
}

/* What fills the section up behind the code is none of it; an endless loop that is one branch is.
 */
static void test_end(void)
{
    static const char *const filled[] = {"MOV R0,0x1", "EXIT", "BRA 0x20", "NOP", "NOP", NULL};
    static const char *const endless[] = {"MOV R0,0x1", "@P0 BRA 0x30", "EXIT", "BRA 0x30",
                                          "BRA 0x40",   "NOP",          NULL};
    g_autoptr(PsSassCode) code = code_of(filled, 0), loop = code_of(endless, 0);
    g_assert_cmpuint(code->n, ==, 2);
    g_assert_cmpuint(loop->n, ==, 4);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/sass-live/by-hand", test_by_hand);
    g_test_add_func("/sass-live/kernel", test_kernel);
    g_test_add_func("/sass-live/end", test_end);
    return g_test_run();
}
