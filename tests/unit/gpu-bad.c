/* SPDX-License-Identifier: BSD-3-Clause */
/* What is said of every kind of bad description. */
#include "gpu/gpu.h"
#include "tests/help/seeds.h"
#include "tests/help/small-gpu.h"

#include <glib/gstdio.h>
#include <string.h>

/* The small description with one thing replaced; the message begins with this. */
static void assert_bad(const char *old, const char *new, const char *message)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) text = g_string_new(small_gpu);
    g_assert_cmpuint(g_string_replace(text, old, new, 1), ==, 1);
    g_autoptr(PsGpu) gpu = small_gpu_parse(text->str, &error);
    g_assert_null(gpu);
    g_assert_true(error && error->domain == PS_ERROR);
    if (error && !g_str_has_prefix(error->message, message))
        g_assert_cmpstr(error->message, ==, message);
}

#define BAD_LATENCY "x.xml:6: <class> has issue=\""
#define LATENCY_IS                                                                                 \
    "which is not right for issue: Issue latency (lambda): cycles per warp instruction, the "      \
    "least time between this instruction and the next on the same pipeline. A decimal number "     \
    "above 0, at most 10^9."

static void test_bad_latency(void)
{
    static const char *const bad[] = {
        "-1",  "0", "0.000", "NaN", "nan", "INF",          "inf",  "-inf",
        "1e3", "x", "",      "1,5", "1/2", "1000000000.1", "0x10", "99999999999999999999999999"};
    for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autofree char *new = g_strdup_printf("issue='%s'", bad[i]);
        g_autofree char *message = g_strdup_printf(BAD_LATENCY "%s\", " LATENCY_IS, bad[i]);
        assert_bad("issue='0.5'", new, message);
    }
    assert_bad("issue='0.5'", "issue='0.0000000001'",
               "x.xml:6: issue=\"0.0000000001\" of <class> must be a decimal number");
    assert_bad("completion='3'", "completion='-3'", "x.xml:6: <class> has completion=\"-3\"");
    assert_bad("completion='2.25'", "completion='0'", "x.xml:8: <at> has completion=\"0\"");
}

static void test_bad_numbers(void)
{
    assert_bad("clock='1000.5'", "clock='0'", "x.xml:4: <chip> has clock=\"0\"");
    assert_bad("clock='1000.5'", "clock='-1'", "x.xml:4: <chip> has clock=\"-1\"");
    assert_bad("clock='1000.5'", "", "x.xml:4: <chip> needs the attribute 'clock'");
    assert_bad("units='2'", "units='0'", "x.xml:4: <chip> has compute-units=\"0\"");
    assert_bad("units='2'", "units='-2'", "x.xml:4: <chip> has compute-units=\"-2\"");
    assert_bad("units='2'", "units='2.5'", "x.xml:4: <chip> has compute-units=\"2.5\"");
    assert_bad("units='2'", "units='1000000001'", "x.xml:4: <chip> has compute-units=");
    assert_bad(" schedulers='4'", "", "x.xml:11: there is one pipeline 'q' per scheduler");
    assert_bad("warp-size='64'", "warp-size='0'", "x.xml:4: <chip> has warp-size=\"0\"");
    assert_bad("warp-size='64'", "", "x.xml:4: <chip> needs the attribute 'warp-size'");
    assert_bad("<limits warps='8'", "<limits warps='0'", "x.xml:5: <limits> has warps=\"0\"");
    assert_bad("clock='1000.5'", "clock='1000.5' boost-clock='1000'",
               "x.xml:4: <chip> has a boost clock below the base clock: correct 'clock' or "
               "'boost-clock'");
    assert_bad("<limits ", "<limits local-memory='1024' local-memory-per-group='1025' ",
               "x.xml:5: <limits> gives a group more local memory than a compute unit has: "
               "correct 'local-memory-per-group' or 'local-memory'");
    assert_bad("<limits ", "<limits registers='64' registers-per-thread='65' ",
               "x.xml:5: <limits> gives a thread more registers than a compute unit has: "
               "correct 'registers-per-thread' or 'registers'");
    assert_bad("<limits ", "<limits registers='8' ",
               "x.xml:5: <limits> gives out more registers at once than a compute unit has: "
               "correct 'register-unit' or 'registers'");
    assert_bad("value='90'", "value='0'", "x.xml:14: <peak> has value=\"0\"");
    assert_bad("value='90' datasheet='100.125'", "",
               "x.xml:14: <peak> needs the attribute 'value', 'datasheet' or 'per-cu'");
}

static void test_bad_names(void)
{
    static const char *const bad[] = {"", ".", "a.", ".a", "a..b", "a b", "a-b", "\xc3\xa9"};
    for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autofree char *new = g_strdup_printf("name='%s' pipeline='p'", bad[i]);
        assert_bad("name='a' pipeline='p'", new, "x.xml:6: <class> has name=\"");
    }
    g_autofree char *long_name = g_strnfill(300, 'a');
    g_autofree char *too_long = g_strdup_printf("name='%s' pipeline='p'", long_name);
    assert_bad("name='a' pipeline='p'", too_long, "x.xml:6: <class> has name=\"");
    assert_bad("name='B_mem'", "name='B_men'",
               "x.xml:14: <peak> has name=\"B_men\", but that must be one of: T_SP, T_DP, T_int, "
               "T_add, T_ldst, T_HP, T_tensor, T_tensor.f64, T_tensor.f32, T_tensor.tf32, "
               "T_tensor.bf16, T_tensor.f16, T_tensor.f16.f32, T_tensor.f8, T_tensor.f8.f32, "
               "T_tensor.f6, T_tensor.f6.f32, T_tensor.f4, T_tensor.f4.f32, T_tensor.s8, "
               "T_tensor.s4, T_tensor.b1, B_mem, B_L2, B_L1, B_L3, B_L4, B_local");
    assert_bad("kind='integer'", "kind='float'",
               "x.xml:13: <default> has kind=\"float\", but that must be one of: integer, "
               "conversion, atomic, unknown");
    assert_bad("per='scheduler'", "per='warp'",
               "x.xml:11: <pipeline> has per=\"warp\", but that must be one of: cu, scheduler");
    assert_bad("name='Test'", "name=''", "x.xml:2: <gpu> has name=\"\"");
}

static void test_bad_references(void)
{
    assert_bad("pipeline='p'", "pipeline='r'",
               "x.xml:6: the class 'a' is on the pipeline 'r', which is not there; the file has: "
               "p, q");
    assert_bad("class='a.b'", "class='a.c'",
               "x.xml:12: the default for the kind 'unknown' is the class 'a.c', which is not "
               "there; the file has: a, a.b");
    assert_bad("completion='7' source='s'", "completion='7' source='t'",
               "x.xml:7: there is no source with the id 't'; the file has: s");
    assert_bad("schedulers='4' source='s'", "source='t'", "x.xml:4: there is no source");
    assert_bad("per='scheduler' source='s'", "source='t'", "x.xml:11: there is no source");
    assert_bad("datasheet='100.125' source='s'", "datasheet='1' source='t'",
               "x.xml:14: there is no source");
    assert_bad("<limits ", "<limits source='t' ", "x.xml:5: there is no source");
}

static void test_bad_twins(void)
{
    assert_bad("<pipeline name='q'", "<pipeline name='p'",
               "x.xml:11: there are two pipelines with the name 'p'");
    assert_bad("name='a.b'", "name='a'",
               "x.xml:7: there are two classes with the name 'a', the first in line 6");
    assert_bad("kind='integer'", "kind='unknown'",
               "x.xml:13: there are two defaults for the kind 'unknown'");
    assert_bad("</gpu>", "<peak name='B_mem' value='1'/></gpu>",
               "x.xml:16: there are two peaks with the name 'B_mem'");
    assert_bad("<source kind='assumed'", "<source id='s' kind='assumed'",
               "x.xml:15: there are two sources with the id 's'");
    assert_bad("</gpu>", "<chip compute-units='1' clock='1' warp-size='1'/></gpu>",
               "x.xml:16: <gpu> may have only one <chip>");
    assert_bad("</gpu>", "<limits/></gpu>", "x.xml:16: <gpu> may have only one <limits>");
}

static void test_bad_table(void)
{
    assert_bad("<at warps='4'", "<at warps='1'",
               "x.xml:9: the table of the class 'a.b' goes from 1 to 1 warps; warps must increase");
    assert_bad("<at warps='1'", "<at warps='5'",
               "x.xml:9: the table of the class 'a.b' goes from 5 to 4 warps; warps must increase");
    assert_bad("<at warps='1'", "<at warps='0'", "x.xml:8: <at> has warps=\"0\"");
    assert_bad("<at warps='1'", "<at", "x.xml:8: <at> needs the attribute 'warps'");
}

static void test_bad_refinements(void)
{
    assert_bad("schedulers='4'", "schedulers='0'", "x.xml:4: <chip> has schedulers=\"0\"");
    assert_bad("schedulers='4'", "schedulers='4' issue-width='0'",
               "x.xml:4: <chip> has issue-width=\"0\"");
    assert_bad("schedulers='4'", "schedulers='4' issue-width='-0.5'",
               "x.xml:4: <chip> has issue-width=\"-0.5\"");
    assert_bad(
        "</gpu>", "<model schedulers='on'/></gpu>",
        "x.xml:16: <model> asks for schedulers, but <chip> does not state their issue width");
    assert_bad("</gpu>", "<model overheads='on'/></gpu>",
               "x.xml:16: <model> asks for overheads, but there is no <overheads>");
    assert_bad("</gpu>", "<model policy='rr'/></gpu>",
               "x.xml:16: <model> has policy=\"rr\", but that must be one of: fifo, lrr, gto, "
               "gty, oldest");
    assert_bad("</gpu>", "<model order='in'/></gpu>", "x.xml:16: <model> has order=\"in\"");
    assert_bad("</gpu>", "<model cus='1'/></gpu>", "x.xml:16: <model> has cus=\"1\"");
    assert_bad("</gpu>", "<model contention='yes'/></gpu>",
               "x.xml:16: <model> has contention=\"yes\"");
    assert_bad("</gpu>", "<model/><model/></gpu>", "x.xml:16: <gpu> may have only one <model>");
    assert_bad("</gpu>", "<overheads/><overheads/></gpu>",
               "x.xml:16: <gpu> may have only one <overheads>");
    assert_bad("</gpu>", "<overheads source='t'/></gpu>", "x.xml:16: there is no source");
    assert_bad("</gpu>", "<overheads group-launch='-1'/></gpu>",
               "x.xml:16: <overheads> has group-launch=\"-1\"");
}

static void test_bad_structure(void)
{
    assert_bad("<limits warps", "<limits warp",
               "x.xml:5: <limits> has no attribute 'warp'; it takes: warps, groups, group-size, ");
    assert_bad("<limits ", "<limits accumulators='none' ", "x.xml:5: <limits> has accumulators=");
    assert_bad("<limits", "<limit", "x.xml:5: ");
    assert_bad("<default kind='integer' class='a'/>", "<defaults/>",
               "x.xml:13: unknown element <defaults> in <gpu>; it may contain: source, chip, "
               "limits, cache, pipeline, memory, atomics, local-memory, class, default, peak");
    assert_bad("<default kind='integer' class='a'/>", "12",
               "x.xml:2: <gpu> holds text, but may hold only elements");
    assert_bad("version='1' name", "version='2' name",
               "x.xml:2: <gpu> has version=\"2\", but that must be 1");
    assert_bad("urn:pipesim:gpu:1", "urn:pipesim:gpu:2",
               "x.xml:2: <gpu> has the namespace 'urn:pipesim:gpu:2', but must have "
               "xmlns=\"urn:pipesim:gpu:1\"");
    assert_bad(" xmlns='urn:pipesim:gpu:1'", "",
               "x.xml:2: <gpu> needs the attribute xmlns=\"urn:pipesim:gpu:1\"");
    assert_bad("<chip compute-units='2' clock='1000.5' warp-size='64' schedulers='4' source='s'/>",
               "", "x.xml:2: <gpu> needs a <chip> in it");
    assert_bad("</gpu>", "", "x.xml:17: Premature end of data");
}

#define BOMB                                                                                       \
    "<!DOCTYPE gpu [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'>"                \
    "<!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;'><!ENTITY e '&c;&c;&c;&c;&c;&c;&c;&c;'>]>"

static void test_entities(void)
{
    static const char *const doctypes[] = {
        "<!DOCTYPE gpu SYSTEM 'file:///etc/passwd'>",
        "<!DOCTYPE gpu [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>",
        BOMB,
    };
    for (guint i = 0; i < G_N_ELEMENTS(doctypes); i++) {
        g_autofree char *new = g_strdup_printf("%s\n<gpu", doctypes[i]);
        assert_bad("<gpu", new,
                   "x.xml:2: a document type declaration is not allowed: entities "
                   "are never resolved");
    }
    assert_bad("Me.", "&e;", "x.xml:3: Entity 'e' not defined");
}

static void assert_broken(const char *text, gsize length)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsGpu) gpu = ps_gpu_parse(text, length, "x.xml", &error);
    g_assert_null(gpu);
    g_assert_error(error, PS_ERROR, PS_ERROR_SYNTAX);
    g_assert_true(error && g_str_has_prefix(error->message, "x.xml"));
}

static void test_broken(void)
{
    for (gsize length = 0; length < strlen(small_gpu) - 1; length++)
        assert_broken(small_gpu, length);
    g_autoptr(GString) deep = g_string_new("<gpu xmlns='urn:pipesim:gpu:1'>");
    for (int i = 0; i < 100000; i++)
        g_string_append(deep, "<class>");
    assert_broken(deep->str, deep->len);
    assert_broken("\x7f"
                  "ELF\x02\x01\x01\x00\x00\x00",
                  10);
    g_autoptr(GError) error = NULL;
    g_assert_null(ps_gpu_load("gpus/none.xml", &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_READ);
}

/* One byte of a good file changed: still good, or one error. */
static gboolean check_mutated(guint32 seed, gpointer data)
{
    (void)data;
    g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
    g_autoptr(GError) error = NULL;
    g_autofree char *text = g_strdup(small_gpu);
    const gsize length = strlen(text);
    text[g_rand_int_range(rand, 0, (int)length)] = (char)g_rand_int_range(rand, 1, 128);
    g_autoptr(PsGpu) gpu = ps_gpu_parse(text, length, "x.xml", &error);
    g_assert_true((gpu == NULL) == (error != NULL));
    return TRUE;
}

static void test_mutated(void)
{
    seeds_check((SeedCounts){2000, 100}, check_mutated, NULL);
}

/* Families that lead back to themselves: the message tells the way, of one that names itself that
 * alone. */
static void test_families_in_circles(void)
{
    static const struct {
        const char *one, *two; /* what they extend */
        const char *message;   /* with the folder as %s */
    } cases[] = {
        {"two", "one",
         "%1$s/two.xml:1: families include each other: this file extends %1$s/one.xml, which "
         "extends %1$s/two.xml; one of them must stand by itself"},
        {"one", NULL,
         "%1$s/one.xml:1: families include each other: this file extends %1$s/one.xml, itself; one "
         "of them must stand by itself"},
        {"two", "two",
         "%1$s/two.xml:1: families include each other: this file extends %1$s/two.xml, itself; one "
         "of them must stand by itself"},
    };
    g_autofree char *folder = g_dir_make_tmp("pipesim-XXXXXX", NULL);
    g_autofree char *one = g_build_filename(folder, "one.xml", NULL);
    g_autofree char *two = g_build_filename(folder, "two.xml", NULL);
    g_autofree char *card = g_build_filename(folder, "card.xml", NULL);
    const char *const format = "<%s xmlns='urn:pipesim:gpu:1' extends='%s'%s/>";
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *first = g_strdup_printf(format, "family", cases[i].one, "");
        g_autofree char *second =
            g_strdup_printf(format, "family", cases[i].two ? cases[i].two : "one", "");
        g_autofree char *gpu = g_strdup_printf(format, "gpu", "one", " version='1' name='Test'");
        g_autofree char *message = g_strdup_printf(cases[i].message, folder);
        g_assert_true(g_file_set_contents(one, first, -1, NULL));
        g_assert_true(g_file_set_contents(two, second, -1, NULL));
        g_assert_null(ps_gpu_parse(gpu, strlen(gpu), card, &error));
        g_assert_nonnull(error);
        g_assert_cmpstr(error->message, ==, message);
    }
    g_assert_cmpint(g_unlink(one), ==, 0);
    g_assert_cmpint(g_unlink(two), ==, 0);
    g_assert_cmpint(g_rmdir(folder), ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/gpu/bad/latency", test_bad_latency);
    g_test_add_func("/gpu/bad/numbers", test_bad_numbers);
    g_test_add_func("/gpu/bad/names", test_bad_names);
    g_test_add_func("/gpu/bad/refinements", test_bad_refinements);
    g_test_add_func("/gpu/bad/references", test_bad_references);
    g_test_add_func("/gpu/bad/twins", test_bad_twins);
    g_test_add_func("/gpu/bad/table", test_bad_table);
    g_test_add_func("/gpu/bad/structure", test_bad_structure);
    g_test_add_func("/gpu/bad/entities", test_entities);
    g_test_add_func("/gpu/bad/families-in-circles", test_families_in_circles);
    g_test_add_func("/gpu/bad/broken", test_broken);
    g_test_add_func("/gpu/bad/mutated", test_mutated);
    return g_test_run();
}
