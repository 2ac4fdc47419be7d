/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See named.h. A name is taken apart: "NVIDIA GeForce RTX 4090" is the model "4090" of the series
 * "rtx", "A100-SXM4-80GB" the model "a100" on the board "sxm" with "80gb". Two names agree if their
 * models are equal, and all other parts that both state.
 */
#include "gpu/named.h"

#include "base/nearest.h"

#include <math.h>
#include <string.h>

#define MOST 48 /* letters of each part */

typedef struct {
    char model[MOST], series[MOST], board[MOST], memory[MOST];
    char behind[MOST]; /* the letters that stood before the model's number */
} Parts;

/* ---- architectures ------------------------------------------------------------------------- */

/* Models, as patterns, by NVIDIA's compute capability (CUDA GPUs, developer.nvidia.com), and by
 * LLVM's name of an AMD GPU (User Guide for AMDGPU Backend). The first that fits counts. */
static const struct {
    const char *models;
    guint capability;
    const char *target;
} architectures[] = {
    {"c2050 c2070 c2075 m2050 m2070 m2090 470 480", 20, NULL},
    {"650 660 660ti 670 680 690 760 770 k10 quadrok5000", 30, NULL},
    {"k20 k20x k20c k20m k40 k40c k40m 780 780ti titanblack", 35, NULL},
    {"k80", 37, NULL},
    {"750 750ti m10", 50, NULL},
    {"950 960 970 980 980ti m4 m40 m60 quadrom6000 960m 970m 980m", 52, NULL},
    {"p100 quadrogp100", 60, NULL},
    {"1030 1050 1050ti 1060 1070 1070ti 1080 1080ti titanxp p4 p6 p40 quadrop?000", 61, NULL},
    {"v100 v100s titanv quadrogv100", 70, NULL},
    {"1630 1650 1650super 1650ti 1660 1660super 1660ti t4 t4g t400 t600 t1000", 75, NULL},
    {"quadrortx3000 quadrortx4000 quadrortx5000 quadrortx6000 quadrortx8000 titan titanrtx", 75,
     NULL},
    {"2060 2060super 2070 2070super 2080 2080super 2080ti", 75, NULL},
    {"a100 a100x a30 a30x a800", 80, NULL},
    {"3050 3050ti 3060 3060ti 3070 3070ti 3080 3080ti 3090 3090ti", 86, NULL},
    {"a2 a10 a10g a10m a16 a40 a400 a1000 a2000 a4000 a4500 a5000 a5500 a6000", 86, NULL},
    {"xavier xaviernx", 72, NULL},
    {"orin orinnx orinnano orinnanosuper", 87, NULL},
    {"4050 4060 4060ti 4070 4070super 4070ti 4070tisuper 4080 4080super 4090 4090d", 89, NULL},
    {"l2 l4 l20 l40 l40s l40g 2000ada 4000ada 4000sffada 4500ada 5000ada 6000ada", 89, NULL},
    {"h100 h200 h20 h203e h800 gh200", 90, NULL},
    {"b100 b200 gb200", 100, NULL},
    {"b300 gb300", 103, NULL},
    {"5050 5060 5060ti 5070 5070ti 5080 5090 5090d", 120, NULL},
    {"pro?000 pro?500 pro?000blackwell pro?500blackwell", 120, NULL},
    {"gb10 dgxspark", 121, NULL},
    {"mi25", 0, "gfx900"},
    {"mi50 mi60 vii provii", 0, "gfx906"},
    {"mi100", 0, "gfx908"},
    {"mi210 mi250 mi250x", 0, "gfx90a"},
    {"mi300a mi300x mi308x mi325x", 0, "gfx942"},
    {"mi350x mi355x", 0, "gfx950"},
    {"5600xt 5700 5700xt", 0, "gfx1010"},
    {"6800 6800xt 6900xt 6950xt prow6800", 0, "gfx1030"},
    {"6700 6700xt 6750xt", 0, "gfx1031"},
    {"6600 6600xt 6650xt", 0, "gfx1032"},
    {"7900xt 7900xtx 7900gre prow7800 prow7900", 0, "gfx1100"},
    {"7700xt 7800xt", 0, "gfx1101"},
    {"7600 7600xt", 0, "gfx1102"},
    {"9060xt", 0, "gfx1200"},
    {"9070 9070xt", 0, "gfx1201"},
};

/* Models by the name of their architecture, as patterns over the compute capabilities and LLVM
 * names above; and by their chip's (vendors' data sheets and white papers). */
static const struct {
    const char *name, *of;
} architecture_names[] = {{"kepler", "30 35 37"}, {"maxwell", "50 52"},
                          {"volta", "70"},        {"turing", "75"},
                          {"ampere", "80 86 87"}, {"ada", "89"},
                          {"adalovelace", "89"},  {"lovelace", "89"},
                          {"hopper", "90"},       {"blackwell", "100 103 120"},
                          {"cdna", "gfx908"},     {"cdna2", "gfx90a"},
                          {"cdna3", "gfx942"},    {"cdna4", "gfx950"},
                          {"rdna2", "gfx103?"},   {"rdna3", "gfx110?"},
                          {"rdna4", "gfx120?"},   {"arcturus", "gfx908"},
                          {"aldebaran", "gfx90a"}},
  chips[] = {{"gp100", "p100 quadrogp100"},
             {"gp102", "1080ti titanxp p40"},
             {"gp104", "1070 1070ti 1080 p4"},
             {"gp106", "1060"},
             {"gm206", "950 960"},
             {"gv100", "v100 v100s titanv"},
             {"tu102", "2080ti titanrtx"},
             {"tu104", "2080 2080super 2070super quadrortx4000 t4"},
             {"tu106", "2060 2070"},
             {"tu117", "1650"},
             {"ga100", "a100 a100x a30 a800"},
             {"ga102", "3080 3080ti 3090 3090ti a10 a40 a5000 a6000"},
             {"ga104", "3060ti 3070 3070laptop 3070ti a4000"},
             {"ga106", "3060 3060laptop a2000"},
             {"ga107", "a2"},
             {"ad102", "4090 4090d 6000ada l40 l40s l40g l20"},
             {"ad103", "4080 4080super"},
             {"ad104", "4070 4070super 4070ti l4"},
             {"ad106", "4060ti 4070laptop"},
             {"ad107", "4060 4060laptop"},
             {"gh100", "h100 h200 h20 h800 gh200"},
             {"gb202", "5090 pro6000*"},
             {"gb203", "5080 5070ti"},
             {"gb205", "5070"},
             {"gb206", "5060ti"},
             {"navi21", "6800 6800xt 6900xt 6950xt"},
             {"navi31", "7900xt 7900xtx 7900gre"},
             {"navi32", "7700xt 7800xt"},
             {"navi48", "9070 9070xt"}};

/* ---- taking names apart -------------------------------------------------------------------- */

/* Words that name the maker, or say what everybody knows. */
static gboolean says_nothing(const char *word)
{
    static const char *const words[] = {
        "nvidia",  "geforce", "tesla",    "amd",       "instinct",   "radeon", "gpu",
        "tm",      "r",       "graphics", "card",      "generation", "hbm2",   "hbm3",
        "hbm2e",   "hbm3e",   "gddr5",    "gddr6",     "ddr",        "gddr6x", "workstation",
        "edition", "jetson",  "agx",      "developer", "kit",        "ac",     NULL};
    return g_strv_contains(words, word);
}

/* Words that stand behind a model's number, and that some write before it: "Ti 2080". */
static gboolean is_behind_number(const char *word)
{
    static const char *const words[] = {"ti", "super", "xt", "xtx", "gre", NULL};
    return g_strv_contains(words, word);
}

static gboolean is_board(const char *word)
{
    static const char *const words[] = {"pcie", "oam", "mxm", NULL};
    return g_str_has_prefix(word, "sxm") || g_str_has_prefix(word, "nvl") ||
           g_strv_contains(words, word);
}

static gboolean is_memory(const char *word)
{
    const gsize digits = strspn(word, "0123456789");
    return digits > 0 && (strcmp(word + digits, "gb") == 0 || strcmp(word + digits, "g") == 0);
}

/* The series that a word begins with, if a number, an "a" or "pro" follows it; NULL: none. */
static const char *series_of(const char *word)
{
    static const char *const series[] = {"rtx", "gtx", "rx"};
    for (guint i = 0; i < G_N_ELEMENTS(series); i++) {
        const gsize length = strlen(series[i]);
        if (g_str_has_prefix(word, series[i]) &&
            (!word[length] || g_ascii_isdigit(word[length]) || word[length] == 'a' ||
             g_str_has_prefix(word + length, "pro")))
            return series[i];
    }
    return NULL;
}

/* "0:" of "GPU 0: NVIDIA A100". */
static gboolean is_device_number(const char *word)
{
    const gsize digits = strspn(word, "0123456789");
    return digits > 0 && strcmp(word + digits, ":") == 0;
}

static void take_word(const char *word, Parts *parts)
{
    const char *series = series_of(word);
    if (says_nothing(word) || is_device_number(word))
        return;
    if (strcmp(word, "hgx") == 0)
        word = "sxm"; /* the boards of SXM modules */
    if (strcmp(word, "mobile") == 0)
        word = "laptop"; /* NVIDIA's word for it */
    if (!*parts->model && is_behind_number(word)) {
        g_strlcpy(parts->behind, word, MOST);
        return;
    }
    if (series) {
        g_strlcpy(parts->series, series, MOST);
        word += strlen(series);
    }
    if (is_board(word))
        g_strlcpy(parts->board, g_str_has_prefix(word, "sxm") ? "sxm" : word, MOST);
    else if (is_memory(word))
        g_snprintf(parts->memory, MOST, "%.*s", (int)strspn(word, "0123456789"), word);
    else
        g_strlcat(parts->model, word, MOST);
}

/* NVIDIA no longer calls the RTX A4000 and its like Quadro, but many people do. A Quadro RTX 4000
 * is not the older Quadro 4000. */
static void tell_quadro(Parts *parts)
{
    static const char quadro[] = "quadro";
    if (!g_str_has_prefix(parts->model, quadro))
        return;
    g_autofree char *number = g_strdup(parts->model + strlen(quadro));
    if (number[0] == 'a' && g_ascii_isdigit(number[1]))
        g_strlcpy(parts->model, number, MOST);
    else if (g_ascii_isdigit(number[0]) && strcmp(parts->series, "rtx") == 0)
        g_snprintf(parts->model, MOST, "%srtx%s", quadro, number);
}

/* "2070s" is a 2070 Super, "3070m" a laptop's. */
static void tell_last_letter(Parts *parts)
{
    char *behind = parts->model + strspn(parts->model, "0123456789");
    const gsize digits = (gsize)(behind - parts->model);
    if (digits == 4 && strcmp(behind, "s") == 0)
        g_strlcpy(behind, "super", MOST - digits);
    else if (digits == 4 && strcmp(behind, "m") == 0)
        g_strlcpy(behind, "laptop", MOST - digits);
}

/* Text in brackets behind a name is a remark, but for "(TM)". */
static Parts parts_of(const char *written)
{
    Parts parts = {{0}, {0}, {0}, {0}, {0}};
    g_autoptr(GRegex) gigabytes = g_regex_new("(?<=[0-9]) GB\\b", G_REGEX_RAW, 0, NULL);
    g_autofree char *joined = g_regex_replace_literal(gigabytes, written, -1, 0, "GB", 0, NULL),
                    *lower = g_ascii_strdown(joined ? joined : "", -1);
    char *remark = strstr(lower, " (");
    if (remark)
        *remark = '\0';
    g_auto(GStrv) words = g_strsplit_set(lower, " \t-_,()/", -1);
    for (guint i = 0; words[i]; i++)
        if (*words[i])
            take_word(words[i], &parts);
    if (!g_str_has_suffix(parts.model, parts.behind))
        g_strlcat(parts.model, parts.behind, MOST);
    tell_quadro(&parts);
    tell_last_letter(&parts);
    return parts;
}

/* ---- architectures by name ----------------------------------------------------------------- */

/* The row of a model; a laptop's card and other forms have the row of their model. -1: it is not
 * known. */
static int architecture_of(const char *written)
{
    static const char *const forms[] = {"laptop", "mobile", "maxq", "server"};
    g_autofree char *model = g_strdup(written);
    for (guint i = 0; i < G_N_ELEMENTS(forms); i++)
        if (g_str_has_suffix(model, forms[i]))
            model[strlen(model) - strlen(forms[i])] = '\0';
    for (guint i = 0; i < G_N_ELEMENTS(architectures); i++) {
        g_auto(GStrv) patterns = g_strsplit(architectures[i].models, " ", -1);
        for (guint k = 0; *model && patterns[k]; k++)
            if (g_pattern_match_simple(patterns[k], model))
                return (int)i;
    }
    return -1;
}

/* 86 for "8.6", "cc 8.6" and "compute capability 8.6"; 0 for other texts. */
static guint dotted_in(const char *written)
{
    static const char pattern[] = "^(?:(?:cc|compute capability) *)?([0-9]{1,2})\\.([0-9])$";
    g_autoptr(GRegex) regex = g_regex_new(pattern, G_REGEX_CASELESS, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    if (!g_utf8_validate(written, -1, NULL) || !g_regex_match(regex, written, 0, &match))
        return 0;
    g_autofree char *major = g_match_info_fetch(match, 1), *minor = g_match_info_fetch(match, 2);
    return (guint)(10 * g_ascii_strtoull(major, NULL, 10) + g_ascii_strtoull(minor, NULL, 10));
}

/* 90 for "sm_90", "sm_90a", "compute_90" and "9.0"; 0 for other texts. */
static guint capability_in(const char *written)
{
    static const char *const before[] = {"sm_", "compute_", "sm", "compute"};
    for (guint i = 0; i < G_N_ELEMENTS(before); i++) {
        if (g_ascii_strncasecmp(written, before[i], strlen(before[i])) != 0)
            continue;
        const char *number = written + strlen(before[i]);
        char *end;
        const guint64 value = g_ascii_isdigit(*number) ? g_ascii_strtoull(number, &end, 10) : 0;
        if (value > 0 && value < 1000 && (!*end || ((*end == 'a' || *end == 'f') && !end[1])))
            return (guint)value;
    }
    return dotted_in(written);
}

static gboolean fits_any(const char *patterns, const char *text)
{
    g_auto(GStrv) all = g_strsplit(patterns, " ", -1);
    for (guint i = 0; all[i]; i++)
        if (g_pattern_match_simple(all[i], text))
            return TRUE;
    return FALSE;
}

/* TRUE if the name is that of the card's architecture, or of its chip ("AD102", "AD102-300"). */
static gboolean is_kind_of(const char *model, const PsGpuCard *card)
{
    const Parts own = parts_of(card->name);
    const int row = architecture_of(own.model);
    g_autofree char *capability = g_strdup_printf("%u", card->capability);
    const char *number =
        row >= 0 && architectures[row].target ? architectures[row].target : capability;
    for (guint i = 0; i < G_N_ELEMENTS(architecture_names); i++)
        if (strcmp(model, architecture_names[i].name) == 0)
            return fits_any(architecture_names[i].of, number);
    for (guint i = 0; i < G_N_ELEMENTS(chips); i++)
        if (g_str_has_prefix(model, chips[i].name))
            return fits_any(chips[i].of, own.model);
    return FALSE;
}

static gboolean is_target(const char *written)
{
    return g_ascii_strncasecmp(written, "gfx", 3) == 0 && g_ascii_isxdigit(written[3]);
}

/* TRUE for the card's target as HIP writes it: "gfx90a:sramecc+:xnack-" is gfx90a. */
static gboolean has_target(const PsGpuCard *card, const char *target)
{
    const Parts parts = parts_of(card->name);
    const int row = architecture_of(parts.model);
    const char *own = row < 0 ? NULL : architectures[row].target;
    const gsize length = strcspn(target, ":");
    return own && strlen(own) == length && g_ascii_strncasecmp(own, target, length) == 0;
}

/* ---- fitting ------------------------------------------------------------------------------- */

/* Two words agree where either is missing; *same counts those that both state. */
static gboolean agree(const char *written, const char *card, guint *same)
{
    if (!*written || !*card)
        return TRUE;
    ++*same;
    return strcmp(written, card) == 0;
}

/* Cards of one name with different memory differ in more: an RTX 3080 with 12 GB has other compute
 * units. Gigabytes may be decimal or binary, and drivers reserve some. */
static gboolean has_memory(const Parts *written, const PsGpuCard *card)
{
    const double asked = 1024 * g_ascii_strtod(written->memory, NULL);
    return !*written->memory || card->memory == 0 || fabs((double)card->memory / asked - 1) < 0.08;
}

static gboolean is_same(const Parts *a, const Parts *b)
{
    return strcmp(a->model, b->model) == 0 && strcmp(a->board, b->board) == 0 &&
           strcmp(a->memory, b->memory) == 0;
}

static gboolean is_called_so(const PsGpuCard *card)
{
    const Parts file = parts_of(card->file), name = parts_of(card->name);
    return strcmp(file.model, name.model) == 0;
}

/* How well a name fits a card; 0: not at all. A description whose own name it is fits best. */
static guint fit(const Parts *written, const PsGpuCard *card)
{
    const Parts file = parts_of(card->file), name = parts_of(card->name);
    const gboolean is_file = strcmp(written->model, file.model) == 0,
                   is_name = strcmp(written->model, name.model) == 0;
    guint same = 1;
    if (!*written->model || (!is_file && !is_name) || !agree(written->series, name.series, &same) ||
        !agree(written->board, *name.board ? name.board : file.board, &same) ||
        !agree(written->memory, name.memory, &same) ||
        (!*name.memory && !has_memory(written, card)))
        return 0;
    return is_same(written, &file) ? G_MAXUINT : same;
}

/* If two files describe one card, the one with the card's name remains: gtx1060.xml, not
 * pascal.xml. */
static void drop_doubles(const PsGpuCard *cards, guint n, GArray *found)
{
    for (guint i = found->len; i-- > 0;) {
        const PsGpuCard *card = &cards[g_array_index(found, guint, i)];
        gboolean is_double = FALSE;
        for (guint k = 0; k < n; k++)
            is_double |= strcmp(cards[k].name, card->name) == 0 && is_called_so(&cards[k]);
        if (is_double && !is_called_so(card))
            g_array_remove_index(found, i);
    }
}

GArray *ps_gpu_named(const char *written, const PsGpuCard *cards, guint n)
{
    GArray *found = g_array_new(FALSE, FALSE, sizeof(guint));
    const Parts parts = parts_of(written);
    const guint capability = capability_in(written);
    guint best = 1;
    for (guint i = 0; i < n; i++) {
        const gboolean is_asked_for = capability           ? cards[i].capability == capability
                                      : is_target(written) ? has_target(&cards[i], written)
                                                           : FALSE;
        const guint own = is_asked_for ? 1 : fit(&parts, &cards[i]);
        if (own > best)
            g_array_set_size(found, 0);
        best = MAX(best, own);
        if (own == best)
            g_array_append_val(found, i);
    }
    if (best < G_MAXUINT)
        drop_doubles(cards, n, found);
    return found;
}

char *ps_gpu_family_of(const char *written, const PsGpuCard *cards, guint n, GArray **cards_of)
{
    const Parts parts = parts_of(written);
    const int row = architecture_of(parts.model);
    const guint capability = row < 0 ? capability_in(written) : architectures[row].capability;
    const char *target = row < 0 ? NULL : architectures[row].target;
    *cards_of = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < n; i++)
        if (target ? has_target(&cards[i], target)
                   : capability && cards[i].capability == capability)
            g_array_append_val(*cards_of, i);
    drop_doubles(cards, n, *cards_of);
    if (target)
        return g_strdup(target);
    return capability
               ? g_strdup_printf("compute capability %u.%u", capability / 10, capability % 10)
               : NULL;
}

GArray *ps_gpu_of_kind(const char *written, const PsGpuCard *cards, guint n)
{
    GArray *found = g_array_new(FALSE, FALSE, sizeof(guint));
    const Parts parts = parts_of(written);
    for (guint i = 0; i < n; i++)
        if (is_kind_of(parts.model, &cards[i]))
            g_array_append_val(found, i);
    drop_doubles(cards, n, found);
    return found;
}

/* ---- parts of cards ------------------------------------------------------------------------- */

/* Parts of cards as drivers write them: "MIG 1g.5gb", "1c.3g.40gb+me"; "GRID A100-40C", "L40S-48Q"
 * (NVIDIA's guides of MIG and of virtual GPUs). The cards GRID K1 to K520 are whole ones. */
static const struct {
    const char *pattern, *what;
    const char *board; /* of cards whose parts have such names */
} part_names[] = {
    {"(?:\\bMIG\\b[ -]*)?\\b(?:[0-9]c\\.)?[0-9]g\\.[0-9]+gb(?:\\+[a-z.]+)*|\\bMIG\\b.*",
     "an instance of MIG, which is a part of a card", ""},
    {"^(?:NVIDIA +)?GRID +(?!K[0-9])|-[0-9]+[CQAB]$", "a virtual GPU, which has a share of a card",
     " PCIe"}};

char *ps_gpu_whole_of(const char *written, const char **what)
{
    for (guint i = 0; i < G_N_ELEMENTS(part_names); i++) {
        g_autoptr(GRegex) regex =
            g_regex_new(part_names[i].pattern, G_REGEX_CASELESS | G_REGEX_RAW, 0, NULL);
        *what = part_names[i].what;
        if (!g_regex_match(regex, written, 0, NULL))
            continue;
        g_autofree char *rest = g_regex_replace_literal(regex, written, -1, 0, "", 0, NULL);
        return g_strconcat(g_strstrip(rest), part_names[i].board, NULL);
    }
    return NULL;
}

/* ---- slips in words ------------------------------------------------------------------------- */

char *ps_gpu_without_slips(const char *written)
{
    static const char *const makers[] = {"nvidia", "geforce",  "tesla",   "radeon",
                                         "quadro", "instinct", "graphics"};
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    g_autoptr(GString) rest = g_string_new(NULL);
    g_auto(GStrv) words = g_strsplit_set(written, " -_", -1);
    gboolean slipped = FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(makers); i++)
        g_ptr_array_add(names, (gpointer)makers[i]);
    for (char **word = words; *word; word++) {
        g_autofree char *lower = g_ascii_strdown(*word, -1),
                        *near = strlen(lower) > 4 && !says_nothing(lower)
                                    ? ps_did_you_mean(lower, names)
                                    : g_strdup("");
        slipped |= *near != '\0';
        if (!*near)
            g_string_append_printf(rest, "%s ", *word);
    }
    return slipped ? g_strdup(rest->str) : NULL;
}
