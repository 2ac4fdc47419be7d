/* SPDX-License-Identifier: BSD-3-Clause */
/* See text-params.h. */
#include "sass/text-params.h"

#include <string.h>

/* How the code reads a word. */
typedef enum {
    READ = 1 << 0,
    WIDE = 1 << 1, /* with the one behind it */
    HIGH = 1 << 2, /* as the upper half of a number */
} PsTextWord;

void ps_text_params_init(PsTextParams *params, guint architecture)
{
    enum { HOPPER = 90, BLACKWELL = 100 };
    *params = (PsTextParams){.first = architecture >= BLACKWELL ? 0x380
                                      : architecture >= HOPPER  ? 0x210
                                                                : 0x160,
                             .words = g_array_new(FALSE, TRUE, sizeof(guint8)),
                             .targets = g_array_new(FALSE, TRUE, sizeof(int))};
}

void ps_text_params_clear(PsTextParams *params)
{
    g_array_unref(params->words);
    g_array_unref(params->targets);
}

/* Whether a modifier of the opcode begins so: "X" of "IADD3.X". */
static gboolean has_modifier(const char *opcode, const char *modifier)
{
    const gsize length = strcspn(opcode, " ");
    for (const char *at = memchr(opcode, '.', length); at && at < opcode + length;
         at = memchr(at + 1, '.', (gsize)(opcode + length - at - 1)))
        if (g_str_has_prefix(at + 1, modifier))
            return TRUE;
    return FALSE;
}

static void take(PsTextParams *params, guint64 at, guint bits, int target)
{
    enum { MOST = 1 << 16 };
    const guint n = (guint)(at / 4);
    if (at < params->first || at % 4 || at >= MOST)
        return;
    while (params->words->len <= n + 1) {
        const guint8 none = 0;
        const int nowhere = -1;
        g_array_append_val(params->words, none);
        g_array_append_val(params->targets, nowhere);
    }
    g_array_index(params->words, guint8, n) |= (guint8)bits;
    if (target >= 0)
        g_array_index(params->targets, int, n) = target;
}

/* The register that a move writes, "MOV R2, ..."; -1: the instruction is no move, or writes no
 * register. */
static int target_of(const char *opcode)
{
    const gboolean moves = g_str_has_prefix(opcode, "MOV ") || has_modifier(opcode, "MOV");
    const char *behind = strchr(opcode, ' ');
    return moves && behind && behind[1] == 'R' && g_ascii_isdigit(behind[2])
               ? (int)g_ascii_strtoull(behind + 2, NULL, 10)
               : -1;
}

/* Takes the handle of a texture or surface, of 64 bits, whose operands are bank 0 and the number of
 * a word: "TEX.SCR.LL RZ, R5, R4, R7, 0x0, 0x58, 2D". */
static void take_handle(PsTextParams *params, const char *opcode)
{
    static const char *const opcodes[] = {"TEX", "TLD", "TXD", "TXQ", "SULD", "SUST"};
    static const char bank[] = ", 0x0, 0x";
    const char *at = strstr(opcode, bank);
    for (guint i = 0; at && i < G_N_ELEMENTS(opcodes); i++)
        if (g_str_has_prefix(opcode, opcodes[i]))
            take(params, 4 * g_ascii_strtoull(at + strlen(bank), NULL, 16), READ | WIDE, -1);
}

void ps_text_params_add(PsTextParams *params, const char *instruction)
{
    static const char bank[] = "c[0x0][0x";
    const char *opcode = instruction;
    if (opcode[0] == '@') /* a guard */
        opcode += strcspn(opcode, " ");
    opcode += strspn(opcode, " ");
    const gboolean four = has_modifier(opcode, "128"), two = four || has_modifier(opcode, "64"),
                   product = has_modifier(opcode, "WIDE"), /* plus a number of 64 bits, the last */
        high =
            has_modifier(opcode, "X") || has_modifier(opcode, "EX") || has_modifier(opcode, "HI");
    take_handle(params, opcode);
    for (const char *at = strstr(opcode, bank); at; at = strstr(at + 1, bank)) {
        const guint64 offset = g_ascii_strtoull(at + strlen(bank), NULL, 16);
        const gboolean wide = two || (product && !strchr(at, ','));
        take(params, offset, READ | (wide ? WIDE : 0) | (high ? HIGH : 0), target_of(opcode));
        if (four)
            take(params, offset + 8, READ | WIDE, -1);
    }
}

static gboolean is_pair(const PsTextParams *params, guint n)
{
    if (n + 1 >= params->words->len || n % 2)
        return FALSE;
    const guint8 low = g_array_index(params->words, guint8, n),
                 high = g_array_index(params->words, guint8, n + 1);
    const int *targets = (const int *)(void *)params->targets->data + n;
    return (low & WIDE) != 0 || (low && (high & HIGH) != 0) ||
           (low && high && targets[0] >= 0 && targets[0] % 2 == 0 && targets[1] == targets[0] + 1);
}

/* An unread word in front of a pair fills up to where that may lie. */
static gboolean is_padding(const PsTextParams *params, guint n)
{
    return n % 2 == 1 && !g_array_index(params->words, guint8, n) && is_pair(params, n + 1);
}

GArray *ps_text_params_list(const PsTextParams *params)
{
    GArray *list = g_array_new(FALSE, FALSE, sizeof(PsSassParam));
    guint end = params->words->len;
    while (end > 0 && !g_array_index(params->words, guint8, end - 1))
        end--;
    for (guint n = params->first / 4; n < end;) {
        const gboolean unread = !g_array_index(params->words, guint8, n) && n % 2 == 0 &&
                                n + 1 < end && !g_array_index(params->words, guint8, n + 1);
        const PsSassParam param = {4 * n - params->first, is_pair(params, n) || unread ? 8 : 4};
        if (!is_padding(params, n))
            g_array_append_val(list, param);
        n += param.size / 4;
    }
    return list;
}
