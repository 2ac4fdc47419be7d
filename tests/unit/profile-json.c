/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernel parameters in JSON: what is accepted, that nothing passes silently that is not, and that a
 * hostile file gets one error that names its place.
 */
#include "tests/help/profile.h"
#include <math.h>
#include <string.h>

/* One kernel with these parameters. */
static void assert_bad_parameters(const char *parameters, const char *expected)
{
    g_autofree char *text = g_strdup_printf("{\"name\": \"k\",\n\"parameters\": {%s}}", parameters);
    profile_bad(text, expected);
}

/* ---- what is read -------------------------------------------------------------------------- */

/* What pipesim roofline --format json prints, of the published example. */
static void test_printed(void)
{
    g_autoptr(PsProfile) profile = profile_text(
        "{\"kernels\": [\n"
        "  {\"name\": \"matrixMul(float*, float*, float*, int, int)\", \"launches\": 2,\n"
        "   \"measured_seconds\": 0.0029151, \"device\": \"GTX\",\n"
        "   \"parameters\": {\"K_type\": \"fp32\", \"beyond_paper\": false,\n"
        "     \"W_comp\": 1048576000, \"W_traf\": 72716160,\n"
        "     \"E_mix\": 1.0, \"D_ops\": 0.3473, \"D_ldst\": 0.478, \"D_other\": 0.1747,\n"
        "     \"O_krn\": 14.420125, \"ops_per_instruction\": 2,\n"
        "     \"traffic\": {\"L1\": 1e9, \"L2\": null, \"device\": 72716160}},\n"
        "   \"predictions\": [{\"gpu\": \"GTX 660\", \"bound\": \"compute\", \"error\": null}]},\n"
        "  {\"name\": \"other\", \"launches\": null, \"measured_seconds\": null,\n"
        "   \"parameters\": {\"K_type\": null, \"W_comp\": null, \"W_traf\": 0}}],\n"
        " \"warnings\": [\"a\", {\"b\": [true, false, null, -1.5e-3, \"\\u00e9\\n\"]}]}\n",
        NULL);
    g_assert_cmpstr(profile->kind, ==, "JSON");
    g_assert_cmpuint(profile->kernels->len, ==, 2);
    const PsProfileKernel *kernel = profile_kernel(profile, 0);
    const PsParams *params = &kernel->params;
    g_assert_cmpstr(kernel->name, ==, "matrixMul(float*, float*, float*, int, int)");
    g_assert_cmpstr(kernel->device, ==, "GTX");
    g_assert_cmpint(kernel->launches, ==, 2);
    g_assert_cmpint(kernel->line, ==, 2);
    g_assert_false(kernel->has_metrics);
    g_assert_cmpfloat(kernel->seconds, ==, 0.0029151);
    g_assert_cmpint(params->K_type, ==, PS_K_FP32);
    g_assert_cmpfloat(params->W_comp, ==, 1048576000);
    g_assert_cmpfloat(params->W_traf, ==, 72716160);
    g_assert_cmpfloat(params->E_mix, ==, 1);
    g_assert_cmpfloat(params->D_ops, ==, 0.3473);
    g_assert_cmpfloat(params->D_ldst, ==, 0.478);
    g_assert_cmpfloat(params->D_other, ==, 0.1747);
    g_assert_cmpfloat(params->O_krn, ==, 1048576000.0 / 72716160);
    g_assert_cmpfloat(params->traffic[PS_LEVEL_L1], ==, 1e9);
    g_assert_true(isnan(params->traffic[PS_LEVEL_L2]));
    g_assert_cmpfloat(params->traffic[PS_LEVEL_DEVICE], ==, 72716160);
    kernel = profile_kernel(profile, 1);
    g_assert_cmpint(kernel->launches, ==, 0);
    g_assert_cmpint(kernel->line, ==, 10);
    g_assert_true(isnan(kernel->seconds));
    g_assert_cmpint(kernel->params.K_type, ==, PS_K_UNKNOWN);
    g_assert_true(isnan(kernel->params.W_comp));
    g_assert_cmpfloat(kernel->params.W_traf, ==, 0);
}

/* A list of kernels alone, one kernel alone, a byte order mark, blank lines. */
static void test_forms(void)
{
    g_autoptr(PsProfile) list =
        profile_text("\xEF\xBB\xBF\n\n [ {\"parameters\": {}, \"name\": \"a\"} ]", NULL);
    g_assert_cmpstr(profile_kernel(list, 0)->name, ==, "a");
    g_assert_cmpint(profile_kernel(list, 0)->line, ==, 3);
    g_autoptr(PsProfile) one =
        profile_text("{\"x\": 1, \"name\": \"\\\"\\\\\\/\\u00E4\\uD83D\\uDE00\", \"parameters\": "
                     "{\"K_type\": \"fp16\"}}",
                     NULL);
    g_assert_cmpstr(profile_kernel(one, 0)->name, ==, "\"\\/\xC3\xA4\xF0\x9F\x98\x80");
    g_assert_cmpfloat(profile_kernel(one, 0)->params.ops_per_instruction, ==, 4);
}

/* What follows from the others, or goes by another name. */
static void test_completed(void)
{
    g_autoptr(PsProfile) profile = profile_text(
        "[{\"name\": \"a\", \"parameters\": {\"W_comp\": 10, \"O_krn\": 5}},"
        " {\"name\": \"b\", \"parameters\": {\"W_comp\": 9, \"traffic\": {\"device\": 3}}},"
        " {\"name\": \"c\", \"parameters\": {\"W_comp\": 9, \"W_traf\": 0, \"O_krn\": null}},"
        " {\"name\": \"d\", \"parameters\": {\"D_ops\": 0.25, \"D_ldst\": 0.5}}]",
        NULL);
    g_assert_cmpfloat(profile_kernel(profile, 0)->params.W_traf, ==, 2);
    g_assert_cmpfloat(profile_kernel(profile, 1)->params.O_krn, ==, 3);
    g_assert_cmpfloat(profile_kernel(profile, 2)->params.O_krn, ==, INFINITY);
    g_assert_cmpfloat(profile_kernel(profile, 3)->params.D_other, ==, 0.25);
}

static gboolean count_kernel(void *self, const PsProfileKernel *kernel, GError **error)
{
    int *left = self;
    g_assert_cmpstr(kernel->name, ==, "k");
    if ((*left)-- > 0)
        return TRUE;
    g_set_error_literal(error, PS_ERROR, PS_ERROR_LIMIT, "enough");
    return FALSE;
}

/* More than fits in a row of a table, on one line, and kernels taken one by one. */
static void test_each(void)
{
    enum { KERNELS = 40000 };
    g_autoptr(GString) text = g_string_new("[");
    for (int i = 0; i < KERNELS; i++)
        g_string_append(text, "{\"name\": \"k\", \"parameters\": {}},");
    g_string_overwrite(text, text->len - 1, "]");
    g_assert_cmpuint(text->len, >, 1 << 20);
    for (int left = KERNELS - 1; left <= KERNELS; left++) {
        int calls = left;
        const PsProfileOptions options = {.each = count_kernel, .self = &calls};
        g_autoptr(GError) error = NULL;
        g_autoptr(PsProfile) profile = profile_bytes(text->str, text->len, &options, &error);
        g_assert_true((profile != NULL) == (left >= KERNELS));
        g_assert_cmpstr(error ? error->message : "none", ==, profile ? "none" : "enough");
        g_assert_cmpuint(profile ? profile->kernels->len : 0, ==, 0);
        g_assert_cmpint(calls, ==, left - KERNELS);
    }
}

/* ---- what is not --------------------------------------------------------------------------- */

static void test_values(void)
{
    assert_bad_parameters("\"E_mix\": 92.7",
                          "F:2:25: E_mix is 92.7; it must be a fraction from 0 to 1 (34.7 % is "
                          "0.347)");
    assert_bad_parameters("\"W_comp\": -3", "F:2:26: W_comp is -3; it must not be negative");
    assert_bad_parameters("\"D_ops\": -0.1", "F:2:25: D_ops is -0.1; it must be a fraction from 0 "
                                             "to 1 (34.7 % is 0.347)");
    assert_bad_parameters("\"W_traf\": 1e999", "F:2:26: 1e999 is too large");
    assert_bad_parameters("\"ops_per_instruction\": 0",
                          "F:2:39: ops_per_instruction is 0; it must be above 0");
    assert_bad_parameters("\"K_type\": \"fp8\"",
                          "F:2:26: K_type is \"fp8\"; there are \"fp64\", \"fp32\", \"int\", "
                          "\"fp16\" and \"tensor\"");
    assert_bad_parameters("\"D_ops\": 0.7, \"D_ldst\": 0.7",
                          "F:1:1: kernel \"k\": the sum of D_ops and D_ldst is 1.4; it must be at "
                          "most 1");
    assert_bad_parameters("\"W_comp\": 10, \"W_traf\": 10, \"O_krn\": 3",
                          "F:1:1: kernel \"k\": O_krn and W_comp / W_traf, which it stands for, "
                          "differ: 3 and 1");
    assert_bad_parameters("\"W_traf\": 3, \"traffic\": {\"device\": 5}",
                          "F:1:1: kernel \"k\": W_traf and the traffic of \"device\", the same "
                          "bytes, differ: 3 and 5");
    profile_bad("{\"name\": \"k\", \"measured_seconds\": 0, \"parameters\": {}}",
                "F:1:35: measured_seconds must be above 0, or null where it is not known");
    profile_bad("{\"name\": \"k\", \"launches\": 2.5, \"parameters\": {}}",
                "F:1:27: launches must be a whole number, or null where it is not known");
    profile_bad("{\"name\": \"k\", \"launches\": -1, \"parameters\": {}}",
                "F:1:27: launches must be a whole number, or null where it is not known");
}

static void test_names(void)
{
    assert_bad_parameters("\"W_komp\": 3",
                          "F:2:16: no parameter is called \"W_komp\"; there are K_type, W_comp, "
                          "W_traf, E_mix, D_ops, D_ldst, D_other, O_krn, traffic and "
                          "ops_per_instruction");
    assert_bad_parameters("\"traffic\": {\"L3\": 3}",
                          "F:2:28: no level of memory is \"L3\"; there are \"L1\", \"L2\" and "
                          "\"device\"");
    assert_bad_parameters("\"W_comp\": 3, \"W_comp\": 3", "F:2:29: \"W_comp\" is stated twice");
    profile_bad("{\"name\": \"k\", \"name\": \"k\", \"parameters\": {}}",
                "F:1:15: \"name\" is stated twice");
    profile_bad("{\"kernels\": [{\"name\": \"k\"}]}",
                "F:1:14: kernel \"k\" has no \"parameters\", such as {\"K_type\": \"fp32\", "
                "\"W_comp\": 2e9, \"W_traf\": 12e6}");
    profile_bad("{\"kernels\": [{\"parameters\": {}}]}", "F:1:14: a kernel without a \"name\"");
    profile_bad("{\"kernels\": []}", "F:1:13: there is no kernel in this list");
    profile_bad("{\"pipesim\": \"0.1\"}",
                "F:1:1: neither \"kernels\" nor \"parameters\"; there should be {\"kernels\": "
                "[{\"name\": ..., \"parameters\": {\"K_type\": ...}}]}");
    profile_bad("{\"kernels\": [{\"name\": \"k\", \"parameters\": {}}], \"parameters\": {}}",
                "F:1:1: \"kernels\" and \"parameters\" side by side; there is either a list of "
                "kernels or one kernel");
}

static void test_syntax(void)
{
    assert_bad_parameters("\"W_comp\": 017",
                          "F:2:26: a malformed number; JSON's are like 12, -0.5 and 6.02e23");
    assert_bad_parameters("\"W_comp\": 1.",
                          "F:2:26: a malformed number; JSON's are like 12, -0.5 and 6.02e23");
    assert_bad_parameters("\"W_comp\": 0x10",
                          "F:2:26: a malformed number; JSON's are like 12, -0.5 and 6.02e23");
    assert_bad_parameters("\"W_comp\": NaN",
                          "F:2:26: NaN is no JSON number; what is not known is null");
    assert_bad_parameters("\"W_comp\": \"3\"", "F:2:26: '\"' where a number should be");
    assert_bad_parameters("\"W_comp\": 3 \"W_traf\": 4", "F:2:28: '\"' where ',' or '}' should be");
    assert_bad_parameters("\"W_comp\" 3", "F:2:25: '3' where ':' should be");
    profile_bad("{\"name\": \"k\", \"parameters\": {}",
                "F:1:31: the file ends where ',' or '}' should follow; it may be cut off");
    profile_bad(
        "{\"name\": \"k",
        "F:1:12: the file ends where the closing quote of a string should follow; it may be "
        "cut off");
    profile_bad("{\"name\": \"k\", \"parameters\": {}} x",
                "F:1:33: 'x' where the end of the file should be");
    profile_bad("{\"name\": \"k\nk\"}",
                "F:1:12: byte 0x0A where the closing quote of a string should be");
    profile_bad(
        "{\"\xC3\xA4\": \"\\q\"}",
        "F:1:8: an unknown escape; there are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\uXXXX, "
        "two of these for a character beyond U+FFFF");
    profile_bad("{\"a\": \"\\u0000\"}", "F:1:8: a zero character has no place here");
    profile_bad("{\"a\": \"\xFF\"}", "F:1:7: a string that is no UTF-8");
    profile_bad("{\"a\": nul}", "F:1:7: 'n' where a value should be");
}

/* A file whose nesting would fill the stack. */
static void test_deep(void)
{
    g_autoptr(GString) text = g_string_new("{\"a\": ");
    for (int i = 0; i < 1000000; i++)
        g_string_append_c(text, '[');
    profile_bad(text->str, "F:1:70: nested more than 64 deep");
}

/* Every beginning of a good file is bad in one place. */
static void test_cut(void)
{
    static const char text[] = "{\"kernels\": [{\"name\": \"a\\u00e9\", \"launches\": 1, \"x\": "
                               "[true], \"parameters\": {\"W_comp\": -0.0e-5, \"E_mix\": null}}]}";
    for (gsize length = 1; length < sizeof text - 1; length++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(PsProfile) profile = profile_bytes(text, length, NULL, &error);
        g_assert_null(profile);
        g_assert_true(error && g_str_has_prefix(error->message, "F:1:"));
    }
    g_autoptr(PsProfile) whole = profile_text(text, NULL);
    g_assert_nonnull(whole);
}

/* What a report counted beside the parameters is read back. */
static void test_json_metrics(void)
{
    g_autoptr(PsProfile) profile =
        profile_text("{\"name\": \"k\", \"parameters\": {\"K_type\": \"fp32\", \"W_comp\": 8}, "
                     "\"metrics\": {\"M_inst\": 640, \"M_special\": 32, \"M_l1\": null}}",
                     NULL);
    g_assert_true(profile_kernel(profile, 0)->has_metrics);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_INST), ==, 640);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_SPECIAL), ==, 32);
    g_assert_true(isnan(profile_metric(profile, 0, PS_M_L1)));
    profile_bad("{\"name\": \"k\", \"parameters\": {}, \"metrics\": {\"M_instr\": 1}}",
                "F:1:45: no metric is called \"M_instr\"; they are those that a report has");
    profile_bad("{\"name\": \"k\", \"parameters\": {}, \"metrics\": {\"M_inst\": -1}}",
                "F:1:55: M_inst is below 0, and no count is");
}

/* A number may have 400 characters. */
static void test_long_numbers(void)
{
    g_autofree char *zeros = g_strnfill(398, '0');
    g_autofree char *fits = g_strdup_printf("\"W_comp\": 1.%s, \"W_traf\": 1", zeros);
    g_autofree char *text = g_strdup_printf("{\"name\": \"k\", \"parameters\": {%s}}", fits);
    g_autofree char *longer = g_strdup_printf("\"W_comp\": 1.%s0, \"W_traf\": 1", zeros);
    g_autoptr(PsProfile) profile = profile_text(text, NULL);
    g_assert_cmpfloat(profile_kernel(profile, 0)->params.W_comp, ==, 1);
    assert_bad_parameters(longer, "F:2:26: a number of 401 characters; at most 400 are read");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/profile-json/printed", test_printed);
    g_test_add_func("/profile-json/forms", test_forms);
    g_test_add_func("/profile-json/completed", test_completed);
    g_test_add_func("/profile-json/each", test_each);
    g_test_add_func("/profile-json/values", test_values);
    g_test_add_func("/profile-json/names", test_names);
    g_test_add_func("/profile-json/syntax", test_syntax);
    g_test_add_func("/profile-json/deep", test_deep);
    g_test_add_func("/profile-json/cut", test_cut);
    g_test_add_func("/profile/json/metrics", test_json_metrics);
    g_test_add_func("/profile-json/long-numbers", test_long_numbers);
    return g_test_run();
}
