/* SPDX-License-Identifier: BSD-3-Clause */
#include "sass/modifier.h"

#include <string.h>

/* A list that rows share: the first of its modifiers that the instruction has counts; NULL matches
 * an instruction without any of them. */
typedef struct {
    const char *modifier, *is;
} Choice;

static const Choice rounds[] = {
    {"RM", ".rm"}, {"RP", ".rp"}, {"RZ", ".rz"}, {"RN", ".rn"}, {NULL, ".rn"}};
static const Choice to_integers[] = {
    {"TRUNC", ".rzi"}, {"FLOOR", ".rmi"}, {"CEIL", ".rpi"}, {NULL, ".rni"}};
static const Choice comparisons[] = {
    {"LT", ".lt"},   {"EQ", ".eq"},   {"LE", ".le"},   {"GT", ".gt"},   {"NE", ".ne"},
    {"GE", ".ge"},   {"NUM", ".num"}, {"NAN", ".nan"}, {"LTU", ".ltu"}, {"EQU", ".equ"},
    {"LEU", ".leu"}, {"GTU", ".gtu"}, {"NEU", ".neu"}, {"GEU", ".geu"}, {NULL, ".ne"}};
static const Choice stricts[] = {
    {"LT", ".lt"}, {"LE", ".lt"}, {"GT", ".gt"}, {"GE", ".gt"}, {NULL, ".lt"}};
static const Choice combines[] = {{"AND", ".and"}, {"OR", ".or"}, {"XOR", ".xor"}, {NULL, ".and"}};
static const Choice combined[] = {
    {"AND", "and.pred"}, {"OR", "or.pred"}, {"XOR", "xor.pred"}, {NULL, "and.pred"}};
static const Choice widths[] = {{"U8", ".u8"},   {"S8", ".s8"},     {"U16", ".u16"},
                                {"S16", ".s16"}, {"64", ".v2.b32"}, {"128", ".v4.b32"},
                                {NULL, ".b32"}};
static const Choice loads[] = {{"U8", "u8"},  {"S8", "s8"},   {"U16", "u16"}, {"S16", "s16"},
                               {"64", "b32"}, {"128", "b32"}, {NULL, "b32"}};
static const Choice operations[] = {
    {"ADD", ".add"}, {"MIN", ".min"}, {"MAX", ".max"}, {"INC", ".inc"},   {"DEC", ".dec"},
    {"AND", ".and"}, {"OR", ".or"},   {"XOR", ".xor"}, {"EXCH", ".exch"}, {NULL, ".add"}};
static const Choice types[] = {{"AND", ".b32"},
                               {"OR", ".b32"},
                               {"XOR", ".b32"},
                               {"EXCH", ".b32"},
                               {"S32", ".s32"},
                               {"F32", ".f32"},
                               {"F16x2", ".noftz.f16x2"},
                               {"BF16_V2", ".noftz.bf16x2"},
                               {"BF16x2", ".noftz.bf16x2"},
                               {NULL, ".u32"}};
static const Choice bytes[] = {{"64", "8"}, {"128", "16"}, {NULL, "4"}};
static const Choice factors[] = {
    {"U8", ".u8"},     {"S8", ".s8"},     {"U4", ".u4"},     {"S4", ".s4"},     {"E4M3", ".e4m3"},
    {"E5M2", ".e5m2"}, {"E2M1", ".e2m1"}, {"E2M3", ".e2m3"}, {"E3M2", ".e3m2"}, {NULL, ".s8"}};

static const struct {
    const char *name;
    const Choice *choices;
} lists[] = {{"ROUND", rounds},   {"INTEGER", to_integers}, {"COMPARE", comparisons},
             {"STRICT", stricts}, {"COMBINE", combines},    {"COMBINED", combined},
             {"WIDTH", widths},   {"LOAD", loads},          {"OPERATION", operations},
             {"TYPE", types},     {"BYTES", bytes},         {"FACTORS", factors}};

static gboolean has(char *const *parts, const char *modifier)
{
    return g_strv_contains((const char *const *)parts, modifier);
}

static const Choice *list_called(const char *name, gsize length)
{
    for (gsize i = 0; i < G_N_ELEMENTS(lists); i++)
        if (strlen(lists[i].name) == length && strncmp(name, lists[i].name, length) == 0)
            return lists[i].choices;
    return NULL;
}

static const char *find(const Choice *list, const char *modifier)
{
    while (list->modifier && strcmp(list->modifier, modifier) != 0)
        list++;
    return list->modifier ? list->is : NULL;
}

/* The types of a product's two factors, in order; if the modifiers have one type, it is both
 * factors'. */
static void say_factors(char *const *parts, GString *text)
{
    const char *last = ".s8";
    guint n = 0;
    for (guint i = 0; parts[i]; i++)
        if (find(factors, parts[i])) {
            last = find(factors, parts[i]);
            g_string_append(text, last);
            n++;
        }
    for (; n < 2; n++)
        g_string_append(text, last);
}

/* A row's own choice, A:x|B:y|z. */
static void say_own(char *const *parts, GString *text, const char *at, gsize length)
{
    g_autofree char *all = g_strndup(at, length);
    g_auto(GStrv) choices = g_strsplit(all, "|", -1);
    for (guint i = 0; choices[i]; i++) {
        char *colon = strchr(choices[i], ':');
        if (colon)
            *colon = '\0';
        if (!colon || has(parts, choices[i])) {
            g_string_append(text, colon ? colon + 1 : choices[i]);
            return;
        }
    }
}

void ps_sass_modifier_say(char *const *parts, GString *text, const char *at, gsize length)
{
    const Choice *list = list_called(at, length);
    if (list == factors) {
        say_factors(parts, text);
    } else if (list) {
        while (list->modifier && !has(parts, list->modifier))
            list++;
        g_string_append(text, list->is);
    } else {
        say_own(parts, text, at, length);
    }
}

static gboolean is_in_own(const char *at, gsize length, const char *modifier)
{
    const gsize own = strlen(modifier);
    for (const char *choice = at; choice;) {
        if (choice + own < at + length && strncmp(choice, modifier, own) == 0 && choice[own] == ':')
            return TRUE;
        choice = memchr(choice, '|', length - (gsize)(choice - at));
        choice = choice ? choice + 1 : NULL;
    }
    return FALSE;
}

gboolean ps_sass_modifier_matters(const char *text, const char *modifier)
{
    for (const char *at = strchr(text, '<'); at; at = strchr(at, '<')) {
        const gsize length = strcspn(++at, ">");
        const Choice *list = list_called(at, length);
        if (list ? find(list, modifier) != NULL : is_in_own(at, length, modifier))
            return TRUE;
    }
    return FALSE;
}
