/* SPDX-License-Identifier: BSD-3-Clause */
/* printf in kernels, against C's own. */
#include "ptx/run/run.h"

#include <string.h>

static const char text[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                           ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
                           ".entry k(.param .u64 f, .param .u64 a, .param .u64 o)\n{\n"
                           ".reg .b64 %f, %a, %o; .reg .b32 %r;\n"
                           "ld.param.u64 %f, [f]; ld.param.u64 %a, [a]; ld.param.u64 %o, [o];\n"
                           "{ .param .b64 p; .param .b64 q; .param .b32 n;\n"
                           "st.param.b64 [p], %f; st.param.b64 [q], %a;\n"
                           "call.uni (n), vprintf, (p, q);\n"
                           "ld.param.b32 %r, [n]; }\n"
                           "st.global.u32 [%o], %r; ret;\n}\n";

typedef struct {
    gint result;
    GString *printed;
    char *error, *warning; /* or NULL */
} Printed;

/* format NULL: none. The arguments' buffer has exactly n bytes. */
static void print(Printed *printed, const char *format, gconstpointer arguments, gsize n)
{
    static const PsPtxListener nobody;
    const guint group[3] = {0};
    g_autoptr(GError) error = NULL;
    g_autofree guint8 *buffer = n ? g_memdup2(arguments, n) : NULL;
    g_autofree char *copy = g_strdup(format);
    const PsPtxArgument all[] = {
        {.data = (guint8 *)copy, .size = copy ? strlen(copy) + 1 : 0},
        {.data = buffer, .size = n},
        {.data = (guint8 *)&printed->result, .size = sizeof printed->result}};
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, strlen(text), "x.ptx", &error);
    g_assert_no_error(error);
    const PsPtxLaunch launch = {.kernel = ps_ptx_kernel(module, NULL, NULL),
                                .grid = {1, 1, 1},
                                .block = {1, 1, 1},
                                .n_arguments = G_N_ELEMENTS(all),
                                .arguments = all,
                                .printed = printed->printed};
    PsPtxMachine *machine = ps_ptx_machine_new(module, &launch, &error);
    g_assert_no_error(error);
    if (!ps_ptx_run_group(machine, group, &nobody, &error))
        printed->error = g_strdup(error->message);
    if (ps_ptx_machine_warnings(machine)->len)
        printed->warning = g_strdup(ps_ptx_machine_warnings(machine)->pdata[0]);
    ps_ptx_machine_free(machine);
}

static void printed_clear(Printed *printed)
{
    if (printed->printed)
        g_string_free(printed->printed, TRUE);
    g_free(printed->error);
    g_free(printed->warning);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Printed, printed_clear)

static void check(const char *format, gconstpointer arguments, gsize n, const char *want,
                  gint result)
{
    g_auto(Printed) printed = {.printed = g_string_new(NULL)};
    print(&printed, format, arguments, n);
    g_assert_cmpstr(printed.error, ==, NULL);
    g_assert_cmpstr(printed.warning, ==, NULL);
    g_assert_cmpstr(printed.printed->str, ==, want);
    g_assert_cmpint(printed.result, ==, result);
}

/* ---- conversions ---------------------------------------------------------------------------- */

static void test_integers(void)
{
    static const gint32 four[] = {-7, 7, 255, 255, 65535 + 3, 8};
    static const gint64 eight[] = {-1234567890123, 1234567890123, 255};
    static const gint32 narrow[] = {0x1ff, 0x18000, 300};
    check("%d|%5u|%-6x|%#X|%hd|%o", four, sizeof four, "-7|    7|ff    |0XFF|2|10", 6);
    check("%lld %20lu %lx", eight, sizeof eight, "-1234567890123        1234567890123 ff", 3);
    check("%hhd %hd %hhu", narrow, sizeof narrow, "-1 -32768 44", 3);
    check("100 %%\n", NULL, 0, "100 %\n", 0);
}

/* An argument lies at a multiple of its size. */
static void test_alignment(void)
{
    struct {
        gint32 a;
        double b;
        gint32 c;
        gint64 d;
        gint32 e;
    } mixed = {1, -2.5, 'c', 4, 5};
    check("%d %.3f %c %lld %+d", &mixed, sizeof mixed, "1 -2.500 c 4 +5", 5);
}

static void test_floats(void)
{
    static const double values[] = {1.5, 12345.678, 1e-10, 0.0 / 1.0, 255.0};
    check("%f %10.2f %g %e %a", values, sizeof values,
          "1.500000   12345.68 1e-10 0.000000e+00 0x1.fep+7", 5);
}

static void test_strings(void)
{
    g_auto(Printed) printed = {.printed = g_string_new(NULL)};
    guint64 none[2] = {0, 16};
    check("%s %p", none, sizeof none, "(null) 0x10", 2);
    none[0] = 64;
    print(&printed, "before %s", none, sizeof none);
    g_assert_nonnull(printed.error);
    g_assert_nonnull(
        strstr(printed.error, "prints a string that does not end before address 0x40"));
}

static void test_width_from_arguments(void)
{
    static const gint32 values[] = {6, 42, -6, 42};
    check("%*d|%*d|", values, sizeof values, "    42|42    |", 4);
}

/* ---- what is wrong -------------------------------------------------------------------------- */

static void test_bad_formats(void)
{
    static const gint32 one[] = {5};
    check("%d %d %s", one, sizeof one, "5 %d %s", 3); /* nothing behind the buffer is read */
    check("%lld", one, sizeof one, "%lld", 1);
    check("%*d", one, sizeof one, "%*d", 2);
    check("%d%", one, sizeof one, "5%", 1);
    check("%y %d", one, sizeof one, "%y 5", 1);
    check("%d", NULL, 0, "%d", 1);
    check(NULL, one, sizeof one, "", -1);
}

static void test_width_has_an_end(void)
{
    static const gint32 one[] = {5};
    g_auto(Printed) printed = {.printed = g_string_new(NULL)};
    print(&printed, "%99999999999999999999d", one, sizeof one);
    g_assert_cmpuint(printed.printed->len, ==, 65535);
}

/* Where nobody takes it, it is said once, and the result is 0. */
static void test_nobody_listens(void)
{
    static const gint32 one[] = {5};
    g_auto(Printed) printed = {.result = 9};
    print(&printed, "%d", one, sizeof one);
    g_assert_cmpstr(
        printed.warning, ==,
        "x.ptx:11: printf prints nothing and returns 0, and its time is not in the answer");
    g_assert_cmpint(printed.result, ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ptx-run-print/integers", test_integers);
    g_test_add_func("/ptx-run-print/alignment", test_alignment);
    g_test_add_func("/ptx-run-print/floats", test_floats);
    g_test_add_func("/ptx-run-print/strings", test_strings);
    g_test_add_func("/ptx-run-print/width-from-arguments", test_width_from_arguments);
    g_test_add_func("/ptx-run-print/bad-formats", test_bad_formats);
    g_test_add_func("/ptx-run-print/width-has-an-end", test_width_has_an_end);
    g_test_add_func("/ptx-run-print/nobody-listens", test_nobody_listens);
    return g_test_run();
}
