/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Products of warpgroups (HGMMA, QGMMA, IGMMA, BGMMA), told as wgmma. Their shape stands among the
 * modifiers, as 64x128x16, and says how many registers the result has. gdesc[UR8] is two
 * descriptors of 64 bits, that of A in UR8 and UR9, which nobody reads where A is in registers, and
 * that of B in the next two. gsb0 behind it all ends a group of products.
 */
#include "sass/tell.h"

#include <string.h>

/* The type of PTX for a part of a listing. */
static const char *type_of(const char *part)
{
    static const char *const types[][2] = {{"F32", "f32"},   {"F16", "f16"},   {"BF16", "bf16"},
                                           {"TF32", "tf32"}, {"E4M3", "e4m3"}, {"E5M2", "e5m2"},
                                           {"S8", "s8"},     {"U8", "u8"}};
    for (gsize i = 0; i < G_N_ELEMENTS(types); i++)
        if (strcmp(part, types[i][0]) == 0)
            return types[i][1];
    return NULL;
}

gboolean ps_sass_is_of_product(const char *part)
{
    static const char *const others[] = {"SAT", "AND", "POPC", "SP", NULL};
    return g_ascii_isdigit(*part) || type_of(part) || g_strv_contains(others, part);
}

/* "m64n128k16.f32.f16.f16", and the number of registers of the result (g_free). */
static char *kind_of(const PsSassTeller *teller, guint *registers)
{
    const char *types[3] = {NULL};
    guint m = 0, n = 0, k = 0, count = 0;
    const char *opcode = teller->parts[0];
    if (strcmp(opcode, "IGMMA") == 0 || strcmp(opcode, "BGMMA") == 0)
        types[count++] = "s32";
    for (char **part = teller->parts + 1; *part; part++)
        if (g_ascii_isdigit(**part)) {
            char *end;
            m = (guint)g_ascii_strtoull(*part, &end, 10);
            n = *end == 'x' ? (guint)g_ascii_strtoull(end + 1, &end, 10) : 0;
            k = *end == 'x' ? (guint)g_ascii_strtoull(end + 1, &end, 10) : 0;
        } else if (type_of(*part) && count < G_N_ELEMENTS(types)) {
            types[count++] = type_of(*part);
        }
    for (; count < G_N_ELEMENTS(types); count++) /* A of the only type, or of halves; B like A */
        types[count] = strcmp(opcode, "BGMMA") == 0 ? "b1" : count == 2 ? types[1] : "f16";
    *registers = strcmp(types[0], "f16") == 0 ? n / 4 : n / 2;
    return g_strdup_printf("m%un%uk%u%s.%s.%s.%s%s", m, n, k,
                           ps_sass_has(teller, "SAT") ? ".satfinite" : "", types[0], types[1],
                           types[2], strcmp(opcode, "BGMMA") == 0 ? ".and.popc" : "");
}

/* "{%r24,%r25}" */
static char *list_of(guint first, guint n)
{
    GString *text = g_string_new("{");
    for (guint i = 0; i < n; i++)
        g_string_append_printf(text, "%s%%r%u", i > 0 ? "," : "", first + i);
    g_string_append(text, "}");
    return g_string_free(text, FALSE);
}

/* Puts a descriptor together from uniform registers. */
static void say_descriptor(PsSassTeller *teller, const char *to, guint first)
{
    for (guint i = 0; i < 2; i++)
        ps_sass_reads(teller, PS_SASS_FIRST_UNIFORM + first + i, FALSE);
    ps_sass_say(teller, FALSE, "mov.b64 %s,{%%u%u,%%u%u}", to, first, first + 1);
}

/* Makes %s0 say whether C is added: not if it is RZ, or if a predicate forbids it. */
static void say_scale(PsSassTeller *teller, const PsSassOperand *c, const PsSassOperand *predicate)
{
    const gboolean never = c->reg == PS_SASS_ZERO;
    if (never || !predicate || predicate->reg == PS_SASS_ZERO) {
        const gboolean adds = !never && !(predicate && predicate->inverted);
        ps_sass_say(teller, FALSE, "setp.ne.u32 %%s0,%d,0", adds);
        return;
    }
    const gboolean uniform = predicate->kind == PS_SASS_UNIFORM_PREDICATE;
    ps_sass_reads(teller,
                  (uniform ? PS_SASS_FIRST_UNIFORM_PREDICATE : PS_SASS_FIRST_PREDICATE) +
                      (guint)predicate->reg,
                  FALSE);
    ps_sass_say(teller, FALSE, "%s.pred %%s0,%%%c%d", predicate->inverted ? "not" : "mov",
                uniform ? 'q' : 'p', predicate->reg);
}

/* The immediates behind the scale (g_free). */
static char *immediates(const PsSassTeller *teller, const char *types, const PsSassOperand *a,
                        const char *gdesc)
{
    const gboolean of_a = a->minus || strstr(gdesc, ".negA") != NULL;
    const char *opcode = teller->parts[0];
    if (strcmp(opcode, "IGMMA") == 0 || strcmp(opcode, "BGMMA") == 0)
        return g_strdup("");
    g_autofree char *signs =
        g_strdup_printf(",%d,%d", of_a ? -1 : 1, strstr(gdesc, ".negB") ? -1 : 1);
    if (strcmp(opcode, "QGMMA") == 0 || strstr(types, "tf32"))
        return g_steal_pointer(&signs);
    g_autofree char *transpose_a = a->kind == PS_SASS_REGISTER
                                       ? g_strdup("")
                                       : g_strdup_printf(",%d", strstr(gdesc, ".tnspA") != NULL);
    return g_strdup_printf("%s%s,%d", signs, transpose_a, strstr(gdesc, ".tnspB") != NULL);
}

static void note_registers(PsSassTeller *teller, guint d, guint n)
{
    PsSassUse *use = teller->use;
    for (guint i = 0; i < n && use->n_to < PS_SASS_MOST_TO; i++)
        use->to[use->n_to++] = (guint16)(PS_SASS_FIRST_REGISTER + d + i);
}

/* ",%r28,1": the register that selects elements of A, and the lanes it is for, if there is a choice
 * (g_free). */
static char *which_there(PsSassTeller *teller, const GArray *operands, guint at)
{
    const PsSassOperand *word = &g_array_index(operands, PsSassOperand, at);
    const PsSassOperand *lanes =
        at + 1 < operands->len ? &g_array_index(operands, PsSassOperand, at + 1) : NULL;
    ps_sass_reads(teller, PS_SASS_FIRST_REGISTER + (guint)word->reg, FALSE);
    return g_strdup_printf(",%%r%d,%d", word->reg,
                           lanes && lanes->kind == PS_SASS_NUMBER ? (int)lanes->value : 0);
}

void ps_sass_say_product(PsSassTeller *teller, const GArray *operands)
{
    const PsSassOperand *d = &g_array_index(operands, PsSassOperand, 0);
    const PsSassOperand *a = &g_array_index(operands, PsSassOperand, 1);
    const gboolean registers = a->kind == PS_SASS_REGISTER;
    const guint next = registers ? 2 : 1;
    const char *gdesc = g_array_index(operands, PsSassOperand, next).text;
    const PsSassOperand *c = &g_array_index(operands, PsSassOperand, next + 1);
    const PsSassOperand *predicate =
        operands->len > next + 2 ? &g_array_index(operands, PsSassOperand, next + 2) : NULL;
    g_autofree char *kept = NULL;
    const guint first = (guint)g_ascii_strtoull(gdesc + strlen("gdesc[UR"), NULL, 10);
    guint n;
    g_autofree char *kind = kind_of(teller, &n);
    if (predicate && !ps_sass_is_predicate(predicate))
        predicate = NULL;
    if (ps_sass_has(teller, "SP"))
        kept = which_there(teller, operands, next + 2 + (predicate != NULL));
    say_scale(teller, c, predicate);
    for (guint i = 0; c->reg != PS_SASS_ZERO && i < n; i++) {
        ps_sass_reads(teller, PS_SASS_FIRST_REGISTER + (guint)c->reg + i, FALSE);
        if (c->reg != d->reg)
            ps_sass_say(teller, FALSE, "mov.b32 %%r%u,%%r%u", (guint)d->reg + i, (guint)c->reg + i);
    }
    if (!registers)
        say_descriptor(teller, "%w0", first);
    say_descriptor(teller, "%w1", first + 2);
    for (guint i = 0; registers && i < 4; i++)
        ps_sass_reads(teller, PS_SASS_FIRST_REGISTER + (guint)a->reg + i, FALSE);
    note_registers(teller, (guint)d->reg, n);
    g_autofree char *result = list_of((guint)d->reg, n),
                    *left = registers ? list_of((guint)a->reg, 4) : g_strdup("%w0"),
                    *rest = immediates(teller, kind, a, gdesc);
    ps_sass_say(teller, TRUE, "wgmma.mma_async%s.sync.aligned.%s %s,%s,%%w1%s,%%s0%s",
                kept ? ".sp" : "", kind, result, left, kept ? kept : "", rest);
    if (strcmp(g_array_index(operands, PsSassOperand, operands->len - 1).text, "gsb0") == 0)
        ps_sass_say(teller, FALSE, "wgmma.commit_group.sync.aligned");
}
