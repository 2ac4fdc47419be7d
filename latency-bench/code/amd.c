/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * AMD's instructions, as LLVM's disassembler writes them:
 *
 *     0000000000001900 <fadd_ilp2>:
 *     	v_add_f32_e32 v4, v4, v2               // 000000001964: 02080504
 *     	s_cbranch_scc0 65404                   // 000000001B68: BF84FF7C <fadd_ilp2+0x64>
 *
 * The first operand is written, if the instruction writes any; the others are read.
 */
#include "latency-bench/code/instruction.h"

#include <string.h>

/* Registers of lanes, their accumulators, and the wave's: 256 of each, numbered one after the
 * other. */
static const char BANKS[] = "vas";

/* TRUE for instructions without a result in a register; otherwise the first operand is the
 * result. */
static gboolean writes_nothing(const char *name)
{
    static const char *const starts[] = {
        "s_barrier", "s_branch", "s_cbranch", "s_cmp",    "s_wait", "s_nop",   "s_endpgm",
        "s_delay",   "v_cmp",    "ds_write",  "ds_store", "s_inst", "s_sleep", "s_setreg"};
    for (guint i = 0; i < G_N_ELEMENTS(starts); i++)
        if (g_str_has_prefix(name, starts[i]))
            return TRUE;
    return strstr(name, "_store_") != NULL;
}

/* An atomic operation returns the old value only if its name says so. */
static gboolean is_silent_atomic(const char *name, const char *operands)
{
    return (g_str_has_prefix(name, "ds_add_u32")) ||
           (strstr(name, "_atomic_") && !strstr(operands, " glc") && !strstr(operands, " sc0") &&
            !strstr(operands, "TH_ATOMIC_RETURN"));
}

/* "v4", "v[2:3]", "-v4", "|v4|"; n is 0 for anything else. */
static PsCodeRegisters parse_operand(const char *text)
{
    while (*text == '-' || *text == '|')
        text++;
    const char *bank = *text ? strchr(BANKS, *text) : NULL;
    const gboolean many = bank && text[1] == '[';
    char *end = NULL;
    if (!bank || !g_ascii_isdigit(text[1 + many]))
        return (PsCodeRegisters){0, 0};
    const guint64 first = g_ascii_strtoull(text + 1 + many, &end, 10);
    const guint64 last = many && *end == ':' && g_ascii_isdigit(end[1])
                             ? g_ascii_strtoull(end + 1, &end, 10)
                             : first;
    if (last < first || last > 255)
        return (PsCodeRegisters){0, 0};
    return (PsCodeRegisters){(guint16)((bank - BANKS) * 256 + (int)first),
                             (guint16)(last - first + 1)};
}

static void add_operands(const char *operands, PsInstruction *to)
{
    g_auto(GStrv) each = g_strsplit(operands, ",", -1);
    const gboolean none = writes_nothing(to->name) || is_silent_atomic(to->name, operands);
    guint n_reads = 0;
    for (guint i = 0; each[i]; i++) {
        const PsCodeRegisters one = parse_operand(g_strstrip(each[i]));
        if (i == 0 && !none)
            to->writes = one;
        else if (one.n && n_reads < PS_CODE_READS)
            to->reads[n_reads++] = one;
    }
    /* It adds to its result, which is not named again. */
    if ((strstr(to->name, "_fmac_") || strstr(to->name, "_mac_")) && n_reads < PS_CODE_READS)
        to->reads[n_reads] = to->writes;
}

/* The number behind "<function+0x" in a comment; -1: there is none. */
static gint64 parse_target(const char *name, const char *comment)
{
    const char *plus = strrchr(comment, '+');
    if ((!g_str_has_prefix(name, "s_cbranch") && !g_str_has_prefix(name, "s_branch")) ||
        !strchr(comment, '<'))
        return -1;
    return plus && g_str_has_prefix(plus, "+0x") ? (gint64)g_ascii_strtoull(plus + 3, NULL, 16) : 0;
}

/* A pair that issues together counts as two: "v_dual_mov_b32 v1, v2 :: v_dual_add_f32 v3, v3,
 * v4". */
static void add_instructions(const char *text, gint64 at, const char *comment, PsCode *to)
{
    g_auto(GStrv) each = g_strsplit(text, "::", -1);
    for (char **one = each; *one; one++) {
        char *name = g_strstrip(*one), *operands = name + strcspn(name, " ");
        if (!*name)
            continue;
        if (*operands)
            *operands++ = '\0';
        PsInstruction new = {.at = at, .name = g_string_chunk_insert_const(to->names, name)};
        new.pipe = g_str_has_prefix(name, "v_dual_") ? "dual" : NULL;
        new.paired = one[1] != NULL;
        new.target = parse_target(name, comment);
        add_operands(operands, &new);
        g_array_append_val(to->instructions, new);
    }
}

/* Does nothing if the line is no instruction. start is the function's address. */
static void add_line(const char *line, guint64 start, PsCode *to)
{
    const char *comment = strstr(line, "//");
    if (!comment)
        return;
    g_autofree char *text = g_strndup(line, (gsize)(comment - line));
    add_instructions(text, (gint64)(g_ascii_strtoull(comment + 2, NULL, 16) - start), comment, to);
}

/* TRUE for the heading of a function: "0000000000001900 <fadd_ilp2>:". */
static gboolean is_heading(const char *line, const char *function, gboolean *is_ours,
                           guint64 *start)
{
    const char *name = strstr(line, " <");
    if (!g_ascii_isxdigit(*line) || !name || !g_str_has_suffix(line, ">:"))
        return FALSE;
    *start = g_ascii_strtoull(line, NULL, 16);
    name += 2;
    *is_ours = strlen(name) == strlen(function) + 2 && g_str_has_prefix(name, function);
    return TRUE;
}

PsCode *ps_code_read_amd(const char *text, const char *function, GError **error)
{
    g_autoptr(PsCode) code = ps_code_new();
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    gboolean is_ours = FALSE;
    guint64 start = 0;
    for (char **line = lines; *line; line++) {
        if (!is_heading(*line, function, &is_ours, &start) && is_ours)
            add_line(*line, start, code);
    }
    if (code->instructions->len)
        return g_steal_pointer(&code);
    ps_error_at(error, PS_ERROR_VALUE, (PsPlace){0},
                "the machine code has no function %s with instructions", function);
    return NULL;
}
