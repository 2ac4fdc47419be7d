/* SPDX-License-Identifier: BSD-3-Clause */
/* Two listings as one: what stands beside each other, and what of it is the same. */
#include "answer/listing.h"

#include <string.h>

#define MOST 64

/* A listing of such instructions, "OPCODE OPERANDS" each; no answer, and no more than aligning
 * asks for. */
typedef struct {
    PsListing listing;
    PsSassInstruction instructions[MOST];
    PsListingRow rows[MOST];
    char *opcodes[MOST];
} Made;

static void made_init(Made *made, char **texts)
{
    *made = (Made){.listing = {.rows = g_ptr_array_new()}};
    for (guint i = 0; i < MOST && texts[i]; i++) {
        const char *opcode = texts[i] + (texts[i][0] == '@' ? strcspn(texts[i], " ") + 1 : 0);
        made->opcodes[i] = g_strndup(opcode, strcspn(opcode, " "));
        made->instructions[i].opcode = made->opcodes[i];
        made->rows[i] =
            (PsListingRow){.instruction = &made->instructions[i], .number = i, .text = texts[i]};
        g_ptr_array_add(made->listing.rows, &made->rows[i]);
    }
}

static void made_clear(Made *made)
{
    for (guint i = 0; i < made->listing.rows->len; i++)
        g_free(made->opcodes[i]);
    g_ptr_array_unref(made->listing.rows);
}

/* "0=0 1~2 3- +4 5>5": the pairs of two listings whose instructions ";" parts (g_free). */
static char *align(const char *a, const char *b, guint *n_both)
{
    g_auto(GStrv) first = g_strsplit(a, ";", MOST), second = g_strsplit(b, ";", MOST);
    g_autoptr(GString) text = g_string_new(NULL);
    Made x, y;
    made_init(&x, first);
    made_init(&y, second);
    g_autoptr(GArray) pairs = ps_listing_align(&x.listing, &y.listing);
    for (guint i = 0; i < pairs->len; i++) {
        const PsListingPair *pair = &g_array_index(pairs, PsListingPair, i);
        g_string_append(text, i ? " " : "");
        if (pair->rows[0])
            g_string_append_printf(text, "%u", pair->rows[0]->number);
        g_string_append_c(text, "=~>-+"[pair->change]);
        if (pair->rows[1])
            g_string_append_printf(text, "%u", pair->rows[1]->number);
        *n_both += pair->rows[0] && pair->rows[1] && pair->change != PS_LISTING_MOVED;
    }
    made_clear(&x);
    made_clear(&y);
    return g_strdup(text->str);
}

static void test_by_hand(void)
{
    static const struct {
        const char *a, *b, *pairs;
    } list[] = {
        {"", "", ""},
        {"MOV R1,R2;EXIT", "MOV R1,R2;EXIT", "0=0 1=1"},
        {"MOV R1,R2;EXIT", "", "0- 1-"},
        {"", "MOV R1,R2;EXIT", "+0 +1"},
        /* In other registers it is the same, also for the next instruction's sake. */
        {"@!P0 IMAD R1,R2.reuse,UR4,R255", "@!P1 IMAD R3,R12,UR14,R3", "0=0"},
        {"MOV R1,R2", "MOV R1,UR2", "0~0"},
        {"MOV R1,0x10", "MOV R1,0x20", "0~0"},
        {"@P0 EXIT", "@!P0 EXIT", "0~0"},
        {"S2R R0,SR_TID.X", "S2R R0,SR_TID.Y", "0~0"},
        /* Modifiers are of the opcode. */
        {"IMAD R1,R2,R3,R4", "IMAD.WIDE R1,R2,R3,R4", "0- +0"},
        /* What comes in between, at the ends, and what changes its place. */
        {"A;B;C", "A;X;B;C", "0=0 +1 1=2 2=3"},
        {"A;B;C", "B", "0- 1=0 2-"},
        {"A;B", "B;A", "1=0 0>1"},
        /* One that is left out in front leaves the others what they are. */
        {"MOV R1,0x10;MOV R1,0x20;MOV R1,0x30", "MOV R2,0x20;MOV R2,0x30", "0- 1=0 2=1"},
        {"MOV R1,0x20;MOV R1,0x30", "MOV R1,0x10;MOV R1,0x20;A;MOV R1,0x30", "+0 0=1 +2 1=3"},
        {"MOV R1,0x10;A;MOV R1,0x20", "MOV R1,0x40;A;MOV R1,0x50", "0~0 1=1 2~2"},
        /* A block that changes its place goes as one, in other registers perhaps. */
        {"P;Q R1,R2;Q R3,R4;A;B;C;D", "A;B;C;D;P;Q R5,R6;Q R7,R8", "3=0 4=1 5=2 6=3 0>4 1>5 2>6"},
        {"A;B;C;A;B;B;A", "C;B;A;B;A;C", NULL},
    };
    for (guint i = 0; i < G_N_ELEMENTS(list); i++) {
        guint n = 0;
        g_autofree char *pairs = align(list[i].a, list[i].b, &n);
        g_test_message("%s | %s", list[i].a, list[i].b);
        if (list[i].pairs)
            g_assert_cmpstr(pairs, ==, list[i].pairs);
        else
            g_assert_cmpuint(n, ==, 4);
    }
}

/* The longest common subsequence's length, by the table. */
static guint longest(const char *a, const char *b)
{
    guint table[MOST][MOST] = {{0}};
    for (gsize i = strlen(a); i-- > 0;)
        for (gsize j = strlen(b); j-- > 0;)
            table[i][j] =
                a[i] == b[j] ? table[i + 1][j + 1] + 1 : MAX(table[i + 1][j], table[i][j + 1]);
    return table[0][0];
}

static void draw(GRand *rand, char *letters, char *text)
{
    const gint32 n = g_rand_int_range(rand, 0, MOST / 4), n_letters = g_rand_int_range(rand, 1, 6);
    for (gint32 i = 0; i < n; i++) {
        letters[i] = (char)('A' + g_rand_int_range(rand, 0, n_letters));
        *text++ = letters[i];
        *text++ = ';';
    }
    letters[n] = '\0';
    text[n > 0 ? -1 : 0] = '\0';
}

static void test_random(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(1);
    for (guint i = 0; i < 2000; i++) {
        char letters[2][MOST], texts[2][2 * MOST];
        guint n = 0;
        draw(rand, letters[0], texts[0]);
        draw(rand, letters[1], texts[1]);
        g_free(align(texts[0], texts[1], &n));
        g_assert_cmpuint(n, ==, longest(letters[0], letters[1]));
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/listing/by-hand", test_by_hand);
    g_test_add_func("/listing/random", test_random);
    return g_test_run();
}
