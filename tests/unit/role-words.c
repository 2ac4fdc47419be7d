/* SPDX-License-Identifier: BSD-3-Clause */
/* What is said of roles of warps, by hand. */
#include "tell/words.h"

/* A role of these warps, until the last 0, which are so long at work together. */
static PsRole role_of(guint does, double ticks, const guint *warps, guint n)
{
    PsRole role = {.does = does,
                   .ticks = ticks,
                   .warps = g_array_new(FALSE, FALSE, sizeof(guint)),
                   .waits = g_array_new(FALSE, FALSE, sizeof(PsRoleWait))};
    g_array_append_vals(role.warps, warps, n);
    return role;
}

static void role_clear(PsRole *role)
{
    g_array_unref(role->warps);
    g_array_unref(role->waits);
}

/* Numbers that follow each other are told by the first and the last. */
static void test_warps(void)
{
    static const struct {
        guint warps[6], n;
        const char *text;
    } cases[] = {{{3}, 1, "copies (warp 3)"},
                 {{0, 1}, 2, "copies (warps 0 to 1)"},
                 {{0, 2}, 2, "copies (warps 0, 2)"},
                 {{4, 5, 6, 7}, 4, "copies (warps 4 to 7)"},
                 {{0, 2, 3, 4, 9}, 5, "copies (warps 0, 2 to 4, 9)"},
                 {{1, 2, 4, 6, 7, 8}, 6, "copies (warps 1 to 2, 4, 6 to 8)"}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        PsRole role = role_of(PS_ROLE_COPIES, 1, cases[i].warps, cases[i].n);
        g_autoptr(GPtrArray) roles = g_ptr_array_new();
        g_ptr_array_add(roles, &role);
        const PsRoleTable table = {.roles = roles};
        g_autofree char *name = ps_role_name(&table, 0);
        g_assert_cmpstr(name, ==, cases[i].text);
        role_clear(&role);
    }
}

/* The time of each warp counts, and only what takes time is told. */
static void test_sentences(void)
{
    static const struct {
        double ticks;
        const char *text;
    } cases[] = {{0.3, "copies (warp 0): done at once"},
                 {49, "copies (warp 0): done after 4.9 % of the time"},
                 {60, "copies (warp 0): waits 50.0 % for an empty stage (products), 1.0 % for each "
                      "other"}};
    static const PsRoleWait waits[] = {{PS_ROLE_FOR_STAGES, 1, 0.5},
                                       {PS_ROLE_FOR_WARPS, 0, 0.01},
                                       {PS_ROLE_FOR_BARRIER, G_MAXUINT, 0.0004}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        PsRole both[] = {role_of(PS_ROLE_COPIES, cases[i].ticks, (const guint[]){0}, 1),
                         role_of(PS_ROLE_PRODUCTS, 4000, (const guint[]){1, 2, 3, 4}, 4)};
        g_autoptr(GPtrArray) roles = g_ptr_array_new();
        g_array_append_vals(both[0].waits, waits, G_N_ELEMENTS(waits));
        g_ptr_array_add(roles, &both[0]);
        g_ptr_array_add(roles, &both[1]);
        const PsRoleTable table = {.roles = roles};
        g_autofree char *sentence = ps_role_sentence(&table, 0);
        g_assert_cmpstr(sentence, ==, cases[i].text);
        role_clear(&both[0]);
        role_clear(&both[1]);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/role-words/warps", test_warps);
    g_test_add_func("/role-words/sentences", test_sentences);
    return g_test_run();
}
