/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Comparisons, and what lanes tell each other. A test's rows are threads, 32 of which are a warp.
 */
#include "tests/help/exact.h"
#include "tests/help/ptx-rows.h"
#include <math.h>
#include <string.h>

#define ROWS 1024

/* -- comparisons -- */

enum { LESS = 1, EQUAL = 2, GREATER = 4, UNORDERED = 8 };

static const struct {
    const char *name;
    guint holds; /* in which cases */
    const char *types;
} operators[] = {
    {"eq", EQUAL, "b16 b32 b64 u16 u32 u64 s16 s32 s64 f16 bf16 f32 f64"},
    {"ne", LESS | GREATER, "b16 b32 b64 u16 u32 u64 s16 s32 s64 f16 bf16 f32 f64"},
    {"lt", LESS, "u16 u32 u64 s16 s32 s64 f16 bf16 f32 f64"},
    {"le", LESS | EQUAL, "u16 u32 u64 s16 s32 s64 f16 bf16 f32 f64"},
    {"gt", GREATER, "u16 u32 u64 s16 s32 s64 f16 bf16 f32 f64"},
    {"ge", GREATER | EQUAL, "u16 u32 u64 s16 s32 s64 f16 bf16 f32 f64"},
    {"lo", LESS, "u16 u32 u64"},
    {"ls", LESS | EQUAL, "u16 u32 u64"},
    {"hi", GREATER, "u16 u32 u64"},
    {"hs", GREATER | EQUAL, "u16 u32 u64"},
    {"equ", EQUAL | UNORDERED, "f16 bf16 f32 f64"},
    {"neu", LESS | GREATER | UNORDERED, "f16 bf16 f32 f64"},
    {"ltu", LESS | UNORDERED, "f16 bf16 f32 f64"},
    {"leu", LESS | EQUAL | UNORDERED, "f16 bf16 f32 f64"},
    {"gtu", GREATER | UNORDERED, "f16 bf16 f32 f64"},
    {"geu", GREATER | EQUAL | UNORDERED, "f16 bf16 f32 f64"},
    {"num", LESS | EQUAL | GREATER, "f16 bf16 f32 f64"},
    {"nan", UNORDERED, "f16 bf16 f32 f64"},
};

static const ExactFormat *format_called(const char *type)
{
    return strcmp(type, "f16") == 0    ? &exact_half
           : strcmp(type, "bf16") == 0 ? &exact_bfloat
           : strcmp(type, "f32") == 0  ? &exact_single
                                       : &exact_double;
}

static double value_of(const ExactFormat *format, guint64 code)
{
    guint64 bits = exact_convert(&exact_double, format, code, EXACT_NEAREST);
    double value;
    memcpy(&value, &bits, sizeof value);
    return exact_is_nan(format, code) ? (double)NAN : value;
}

static guint relation(const char *type, guint64 a, guint64 b, gboolean ftz)
{
    if (strchr(type, 'f')) {
        const ExactFormat *format = format_called(type);
        double x = value_of(format, ftz ? exact_flush(format, a) : a);
        double y = value_of(format, ftz ? exact_flush(format, b) : b);
        return x < y ? LESS : x > y ? GREATER : x == y ? EQUAL : UNORDERED;
    }
    guint bits = (guint)g_ascii_strtoull(type + 1, NULL, 10);
    if (type[0] == 's') {
        guint64 sign = (guint64)1 << (bits - 1);
        a ^= sign;
        b ^= sign;
    }
    return a < b ? LESS : a > b ? GREATER : EQUAL;
}

static char letter_of(const char *type)
{
    return "hrd"[strstr(type, "16") ? 0 : strstr(type, "32") ? 1 : 2];
}

/* setp with both destinations and a predicate that is combined; how: 0 none, 1 and, 2 or, 3 xor,
 * and 4 more to negate it. */
static void check_setp(guint i, const char *type, guint how, gboolean ftz)
{
    static const char *const names[] = {"", ".and", ".or", ".xor"};
    g_autofree char *body = g_strdup_printf("setp.%s%s%s.%s z0|z1, a0, a1%s;", operators[i].name,
                                            names[how & 3], ftz ? ".ftz" : "", type,
                                            how == 0         ? ""
                                            : (how & 4) != 0 ? ", !a2"
                                                             : ", a2");
    char letter = letter_of(type);
    const char from[] = {letter, letter, 'p', '\0'};
    g_autofree guint64 *in = ptx_rows(ROWS, from, i * 8 + how);
    g_autofree guint64 *out = g_new0(guint64, (gsize)ROWS * 2);
    for (guint row = 0; row < ROWS; row += 3)
        in[row * 3 + 1] = in[row * 3];
    if (!ptx_run(body, "pp", from, ROWS, in, out))
        return;
    for (guint row = 0; row < ROWS; row++) {
        guint t = (operators[i].holds & relation(type, in[row * 3], in[row * 3 + 1], ftz)) != 0;
        guint c = (guint)in[row * 3 + 2] ^ how >> 2;
        guint p[2] = {t, !t};
        for (guint j = 0; j < 2; j++) {
            guint all[] = {p[j], p[j] & c, p[j] | c, p[j] ^ c};
            if (!ptx_same(body, 3, &in[row * 3], out[row * 2 + j], all[how & 3]))
                return;
        }
    }
}

static void test_setp(void)
{
    for (guint i = 0; i < G_N_ELEMENTS(operators); i++) {
        g_auto(GStrv) types = g_strsplit(operators[i].types, " ", -1);
        for (guint j = 0; types[j] != NULL; j++) {
            check_setp(i, types[j], 0, FALSE);
            check_setp(i, types[j], 1 + (i + j) % 3, FALSE);
            check_setp(i, types[j], 5 + (i + j) % 3, FALSE);
            if (strcmp(types[j], "f32") == 0 || strcmp(types[j], "f16") == 0)
                check_setp(i, types[j], 0, TRUE);
        }
    }
}

/* option: what stands for TRUE, if a < b as words with sign, or as singles where it has bit 30 */
static guint64 set_less(const guint64 *in, gint option)
{
    gboolean less = (gint32)(guint32)in[0] < (gint32)(guint32)in[1];
    return less ? (guint32)option : 0;
}

static guint64 set_half(const guint64 *in, gint option)
{
    gboolean holds = relation("f16", in[0], in[1], FALSE) == GREATER;
    return holds ? (guint32)option : 0;
}

static guint64 set_halves(const guint64 *in, gint option)
{
    guint64 result = 0;
    for (guint shift = 0; shift < 32; shift += 16)
        if (relation("f16", in[0] >> shift & 0xffff, in[1] >> shift & 0xffff, FALSE) == GREATER)
            result |= (guint64)option << shift;
    return result;
}

static guint64 less_and(const guint64 *in, gint option)
{
    return in[2] == 0 ? set_less(in, option) : 0;
}

/* The lower, or upper, halves of two pairs. */
static guint64 half_is_less(const guint64 *in, gint shift)
{
    return relation("bf16", in[0] >> shift & 0xffff, in[1] >> shift & 0xffff, FALSE) == LESS;
}

/* The number is one of the compared type, and not of the result's. */
static guint64 set_below(const guint64 *in, gint option)
{
    return (gint32)(guint32)in[0] < option ? 0x3f800000 : 0;
}

static void test_set(void)
{
    static const PtxCase cases[] = {
        {"set.lt.u32.s32 z0, a0, a1;", "r", "rr", set_less, -1},
        {"set.lt.f32.s32 z0, a0, a1;", "r", "rr", set_less, 0x3f800000},
        {"set.lt.f32.s32 z0, a0, -5;", "r", "r", set_below, -5},
        {"set.lt.and.s32.s32 z0, a0, a1, !a2;", "r", "rrp", less_and, -1},
        {"set.gt.f16.f16 z0, a0, a1;", "h", "hh", set_half, 0x3c00},
        {"set.gt.u16.f16 z0, a0, a1;", "h", "hh", set_half, 0xffff},
        {"set.gt.u32.f16 z0, a0, a1;", "r", "hh", set_half, -1},
        {"set.gt.f16x2.f16x2 z0, a0, a1;", "r", "rr", set_halves, 0x3c00},
        {"set.gt.u32.f16x2 z0, a0, a1;", "r", "rr", set_halves, 0xffff},
        {"setp.lt.bf16x2 z0|_, a0, a1;", "p", "rr", half_is_less, 0},
        {"setp.lt.bf16x2 _|z0, a0, a1;", "p", "rr", half_is_less, 16},
    };
    ptx_check(cases, G_N_ELEMENTS(cases));
}

/* -- lanes -- */

/* Results of a warp's lanes from their operands. */
typedef void (*WarpReference)(const guint64 *in, guint n_from, guint64 *out, guint n_to,
                              gint option);

typedef struct {
    const char *body, *to, *from;
    WarpReference reference;
    gint option;
} WarpCase;

static void check_warps(const WarpCase *one, const guint64 *in)
{
    guint n_from = (guint)strlen(one->from), n_to = (guint)strlen(one->to);
    g_autofree guint64 *out = g_new0(guint64, (gsize)ROWS * n_to);
    if (!ptx_run(one->body, one->to, one->from, ROWS, in, out))
        return;
    for (guint first = 0; first < ROWS; first += 32) {
        guint64 want[32 * 4] = {0};
        one->reference(&in[first * n_from], n_from, want, n_to, one->option);
        for (guint i = 0; i < 32 * n_to; i++)
            if (!ptx_same(one->body, n_from, &in[(first + i / n_to) * n_from],
                          out[first * n_to + i], want[i]))
                return;
    }
}

static void check_cases(const WarpCase *cases, gsize n)
{
    for (gsize i = 0; i < n; i++) {
        g_autofree guint64 *in = ptx_rows(ROWS, cases[i].from, (guint32)i);
        check_warps(&cases[i], in);
    }
}

/* As CUDA's __shfl_sync and its siblings say it, for segments of `width` lanes. option: the mode in
 * the lowest two bits (up, down, bfly, idx), above it the width. */
static void shuffle(const guint64 *in, guint n_from, guint64 *out, guint n_to, gint option)
{
    guint mode = (guint)option & 3, width = (guint)option >> 2;
    for (guint lane = 0; lane < 32; lane++) {
        guint by = in[lane * n_from + 1] & 31;
        guint segment = lane / width * width;
        gint at[] = {(gint)(lane - segment) - (gint)by, (gint)(lane - segment + by),
                     (gint)(lane ^ by) - (gint)segment, (gint)(by % width)};
        gboolean inside = at[mode] < (gint)width && (mode == 2 || at[mode] >= 0);
        guint from = inside ? (guint)((gint)segment + at[mode]) : lane;
        out[lane * n_to] = in[from * n_from];
        if (n_to > 1)
            out[lane * n_to + 1] = inside;
    }
}

static void test_shuffle(void)
{
    static const WarpCase cases[] = {
        {"shfl.sync.up.b32 z0|z1, a0, a1, 0, -1;", "rp", "rr", shuffle, 0 | 32 << 2},
        {"shfl.sync.down.b32 z0|z1, a0, a1, 0x1f, -1;", "rp", "rr", shuffle, 1 | 32 << 2},
        {"shfl.sync.bfly.b32 z0|z1, a0, a1, 0x1f, -1;", "rp", "rr", shuffle, 2 | 32 << 2},
        {"shfl.sync.idx.b32 z0|z1, a0, a1, 0x1f, -1;", "rp", "rr", shuffle, 3 | 32 << 2},
        {"shfl.sync.up.b32 z0, a0, a1, 0x1800, -1;", "r", "rr", shuffle, 0 | 8 << 2},
        {"shfl.sync.down.b32 z0|z1, a0, a1, 0x181f, -1;", "rp", "rr", shuffle, 1 | 8 << 2},
        {"shfl.sync.idx.b32 z0|z1, a0, a1, 0x1c1f, -1;", "rp", "rr", shuffle, 3 | 4 << 2},
        {"shfl.up.b32 z0|z1, a0, a1, 0x1000;", "rp", "rr", shuffle, 0 | 16 << 2},
        {"shfl.bfly.b32 z0, a0, a1, 0x1f;", "r", "rr", shuffle, 2 | 32 << 2},
    };
    check_cases(cases, G_N_ELEMENTS(cases));
}

/* option: 0 all, 1 any, 2 uni, 3 ballot; 4: the predicate is negated; 8: lanes of a1 alone execute
 * it. The members are lanes 0 to 15 or 16 to 31, as the lane's own number. */
static void vote(const guint64 *in, guint n_from, guint64 *out, guint n_to, gint option)
{
    guint32 set = 0, here = 0;
    for (guint lane = 0; lane < 32; lane++) {
        guint value = (guint)in[lane * n_from] ^ ((guint)option >> 2 & 1);
        set |= (guint32)value << lane;
        if ((option & 8) == 0 || in[lane * n_from + 1] != 0)
            here |= (guint32)1 << lane;
    }
    for (guint lane = 0; lane < 32; lane++) {
        guint32 members =
            here & ((option & 16) != 0 ? lane < 16 ? 0xffff : 0xffff0000 : G_MAXUINT32);
        guint32 results[] = {(set & members) == members, (set & members) != 0,
                             (set & members) == members || (set & members) == 0, set & members};
        out[lane * n_to] = (here >> lane & 1) != 0 ? results[option & 3] : 0;
    }
}

static void test_vote(void)
{
    static const WarpCase cases[] = {
        {"vote.sync.all.pred z0, a0, -1;", "p", "p", vote, 0},
        {"vote.sync.any.pred z0, a0, -1;", "p", "p", vote, 1},
        {"vote.sync.uni.pred z0, a0, -1;", "p", "p", vote, 2},
        {"vote.sync.ballot.b32 z0, a0, -1;", "r", "p", vote, 3},
        {"vote.sync.all.pred z0, !a0, -1;", "p", "p", vote, 4},
        {"vote.ballot.b32 z0, !a0;", "r", "p", vote, 7},
        {"mov.b32 z0, 0; @a1 vote.sync.ballot.b32 z0, a0, -1;", "r", "pp", vote, 3 | 8},
        {"{.reg .pred l; .reg .b32 m; mov.u32 m, %laneid; setp.lt.u32 l, m, 16;"
         "selp.b32 m, 0xffff, 0xffff0000, l; vote.sync.any.pred z0, a0, m;}",
         "p", "p", vote, 1 | 16},
    };
    check_cases(cases, G_N_ELEMENTS(cases));
    /* All agree. */
    for (guint i = 0; i < 6; i++)
        for (guint value = 0; value < 2; value++) {
            g_autofree guint64 *in = g_new0(guint64, ROWS);
            for (guint row = 0; row < ROWS; row++)
                in[row] = value;
            check_warps(&cases[i], in);
        }
}

static void match(const guint64 *in, guint n_from, guint64 *out, guint n_to, gint option)
{
    for (guint lane = 0; lane < 32; lane++) {
        guint32 same = 0;
        for (guint other = 0; other < 32; other++)
            same |= (guint32)(in[lane * n_from] == in[other * n_from]) << other;
        out[lane * n_to] = option == 0 || same == G_MAXUINT32 ? same : 0;
        if (n_to > 1)
            out[lane * n_to + 1] = same == G_MAXUINT32;
    }
}

static void test_match(void)
{
    static const WarpCase cases[] = {
        {"match.any.sync.b32 z0, a0, -1;", "r", "r", match, 0},
        {"match.any.sync.b64 z0, a0, -1;", "r", "d", match, 0},
        {"match.all.sync.b32 z0|z1, a0, -1;", "rp", "r", match, 1},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree guint64 *in = ptx_rows(ROWS, cases[i].from, (guint32)i);
        for (guint row = 0; row < ROWS; row++)
            in[row] = row / 32 % 4 == 0 ? 5 : in[row] & 3;
        check_warps(&cases[i], in);
    }
}

/* option: 0 to 5 add min max and or xor; 8 signed, 16 singles, 32 abs, 64 NaN */
static void reduce(const guint64 *in, guint n_from, guint64 *out, guint n_to, gint option)
{
    gboolean singles = (option & 16) != 0;
    gint64 sum = 0;
    guint32 all = G_MAXUINT32, any = 0, odd = 0;
    double least = INFINITY, most = -INFINITY;
    guint numbers = 0;
    for (guint lane = 0; lane < 32; lane++) {
        guint32 word = (guint32)in[lane * n_from];
        double value = (option & 8) != 0 ? (double)(gint32)word : (double)word;
        if (singles)
            value = value_of(&exact_single, (option & 32) != 0 ? word & G_MAXINT32 : word);
        sum += word;
        all &= word;
        any |= word;
        odd ^= word;
        numbers += isnan(value) ? 0 : 1;
        least = value < least ? value : least;
        most = value > most ? value : most;
    }
    double extreme = (option & 7) == 1 ? least : most;
    guint64 bits;
    memcpy(&bits, &extreme, sizeof bits);
    guint64 extreme_code = singles
                               ? exact_convert(&exact_single, &exact_double, bits, EXACT_NEAREST)
                               : (guint32)(gint64)extreme;
    if (singles && (numbers == 0 || ((option & 64) != 0 && numbers < 32)))
        extreme_code = 0x7fffffff;
    guint64 results[] = {(guint32)sum, extreme_code, extreme_code, all, any, odd};
    for (guint lane = 0; lane < 32; lane++)
        out[lane * n_to] = results[option & 7];
}

static void test_reduce(void)
{
    static const WarpCase cases[] = {
        {"redux.sync.add.u32 z0, a0, -1;", "r", "r", reduce, 0},
        {"redux.sync.add.s32 z0, a0, -1;", "r", "r", reduce, 0},
        {"redux.sync.min.u32 z0, a0, -1;", "r", "r", reduce, 1},
        {"redux.sync.max.u32 z0, a0, -1;", "r", "r", reduce, 2},
        {"redux.sync.min.s32 z0, a0, -1;", "r", "r", reduce, 1 | 8},
        {"redux.sync.max.s32 z0, a0, -1;", "r", "r", reduce, 2 | 8},
        {"redux.sync.and.b32 z0, a0, -1;", "r", "r", reduce, 3},
        {"redux.sync.or.b32 z0, a0, -1;", "r", "r", reduce, 4},
        {"redux.sync.xor.b32 z0, a0, -1;", "r", "r", reduce, 5},
        {"redux.sync.min.f32 z0, a0, -1;", "r", "r", reduce, 1 | 16},
        {"redux.sync.max.abs.f32 z0, a0, -1;", "r", "r", reduce, 2 | 16 | 32},
        {"redux.sync.max.NaN.f32 z0, a0, -1;", "r", "r", reduce, 2 | 16 | 64},
    };
    check_cases(cases, G_N_ELEMENTS(cases));
}

/* The lowest of the lanes that execute it leads; activemask are all of them. */
static void elect(const guint64 *in, guint n_from, guint64 *out, guint n_to, gint option)
{
    guint32 here = 0;
    for (guint lane = 0; lane < 32; lane++)
        here |= (guint32)in[lane * n_from] << lane;
    for (guint lane = 0; lane < 32; lane++) {
        gboolean first = (here & (((guint32)2 << lane) - 1)) == (guint32)1 << lane;
        gboolean executes = (here >> lane & 1) != 0;
        if (option == 0) {
            out[lane * n_to] = executes ? here : 7;
        } else {
            out[lane * n_to] = executes ? (guint64)__builtin_ctz(here) : 7;
            out[lane * n_to + 1] = executes && first;
        }
    }
}

static void test_elect(void)
{
    static const WarpCase cases[] = {
        {"mov.b32 z0, 7; @a0 activemask.b32 z0;", "r", "p", elect, 0},
        {"mov.b32 z0, 7; mov.pred z1, 0; @a0 elect.sync z0|z1, -1;", "rp", "p", elect, 1},
    };
    check_cases(cases, G_N_ELEMENTS(cases));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-alu/lanes/setp", test_setp);
    g_test_add_func("/ptx-alu/lanes/set", test_set);
    g_test_add_func("/ptx-alu/lanes/shuffle", test_shuffle);
    g_test_add_func("/ptx-alu/lanes/vote", test_vote);
    g_test_add_func("/ptx-alu/lanes/match", test_match);
    g_test_add_func("/ptx-alu/lanes/reduce", test_reduce);
    g_test_add_func("/ptx-alu/lanes/elect", test_elect);
    return g_test_run();
}
