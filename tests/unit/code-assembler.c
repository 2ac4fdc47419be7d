/* SPDX-License-Identifier: BSD-3-Clause */
/* Which of a compiler's options the assembler gets, and what it says of spilled registers. */
#include "code/assembler.h"

static void test_options(void)
{
    static const struct {
        const char *given, *taken;
    } cases[] = {
        {"-O3 -DTILE=16 -use_fast_math", ""},
        {"-maxrregcount 32", "-maxrregcount=32"},
        {"-maxrregcount=32 -lineinfo", "-maxrregcount=32"},
        {"--maxrregcount 40 --maxrregcount=32", "-maxrregcount=40 -maxrregcount=32"},
        {"-Xptxas -dlcm=cg,-O1 -DX", "-dlcm=cg -O1"},
        {"-Xptxas=-O1 --ptxas-options=-v --ptxas-options -dlcm=ca", "-O1 -v -dlcm=ca"},
        {"-Xptxas", ""},
        {"-maxrregcounts=3 -X ptxas -Xcompiler -maxrregcountry", ""},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(GStrv) given = g_strsplit(cases[i].given, " ", -1);
        g_auto(GStrv) taken = ps_assembler_options(given);
        g_autofree char *joined = g_strjoinv(" ", taken);
        g_assert_cmpstr(joined, ==, cases[i].taken);
    }
    g_auto(GStrv) none = ps_assembler_options(NULL);
    g_assert_null(none[0]);
}

#define SAYS(NAME, STORES, LOADS)                                                                  \
    "ptxas info    : Compiling entry function '" NAME "' for 'sm_80'\n"                            \
    "ptxas info    : Function properties for " NAME "\n"                                           \
    "    256 bytes stack frame, " STORES " bytes spill stores, " LOADS " bytes spill loads\n"      \
    "ptxas info    : Used 32 registers, 364 bytes cmem[0]\n"

static void test_spills(void)
{
    static const char said[] = SAYS("first", "0", "0") SAYS("second", "124", "96");
    g_autofree char *first = ps_assembler_spills(said, "first"),
                    *second = ps_assembler_spills(said, "second"),
                    *third = ps_assembler_spills(said, "third");
    g_assert_null(first);
    g_assert_cmpstr(second, ==, "124 bytes of stores and 96 of loads");
    g_assert_null(third);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/code/assembler/options", test_options);
    g_test_add_func("/code/assembler/spills", test_spills);
    return g_test_run();
}
