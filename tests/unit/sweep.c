/* SPDX-License-Identifier: BSD-3-Clause */
/* A sweep as a program asks for it: its rows, parts of it, going on with it, the best of it. */
#include "advice/kind.h"
#include "idg/edit.h"
#include "sweep/budget.h"
#include "sweep/configuration.h"
#include "sweep/label.h"
#include "sweep/macro.h"
#include "sweep/merge.h"
#include "sweep/question.h"
#include "sweep/sweep.h"
#include "tests/help/ask.h"

#include <glib/gstdio.h>
#include <string.h>

#define CODE "<code><loop times='9'><node name='x' class='a' after='x'/></loop></code>"

/* A sweep of one graph on one GPU, and what it has put and told. */
typedef struct {
    Asked of;
    GPtrArray *axes;
    char *files[2], *gpus[2];
    PsSweepAsked asked;
    GString *rows, *told;
    FILE *stream;
    PsSweepResult result;
} Swept;

static void swept_clear(Swept *swept)
{
    asked_clear(&swept->of);
    g_ptr_array_unref(swept->axes);
    g_string_free(swept->rows, TRUE);
    g_string_free(swept->told, TRUE);
    g_assert_null(swept->stream);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Swept, swept_clear)

static void swept_init(Swept *swept, const char *const *lists)
{
    *swept = (Swept){.of = asked_new("", "groups='8' group-size='32'", CODE),
                     .axes = g_ptr_array_new_with_free_func((GDestroyNotify)ps_sweep_axis_free),
                     .files = {(char *)"toy.idg", NULL},
                     .gpus = {(char *)"toy.xml", NULL},
                     .rows = g_string_new(NULL),
                     .told = g_string_new(NULL)};
    for (; *lists; lists++)
        g_ptr_array_add(swept->axes, ps_sweep_axis_parse("--vary", *lists, NULL));
    swept->asked = (PsSweepAsked){.prefix = "--",
                                  .question = swept->of.question,
                                  .axes = swept->axes,
                                  .files = swept->files,
                                  .gpus = swept->gpus,
                                  .signature = "",
                                  .threads = 2};
}

static gboolean put(const char *text, gpointer data, GError **error)
{
    Swept *swept = data;
    (void)error;
    if (swept->stream)
        fputs(text, swept->stream);
    g_string_append(swept->rows, text);
    return TRUE;
}

static void goes_on(FILE *stream, gpointer data)
{
    ((Swept *)data)->stream = stream;
}

static void tell(const char *text, gboolean warning, gpointer data)
{
    g_string_append_printf(((Swept *)data)->told, "%s%s\n", warning ? "warning: " : "", text);
}

/* Runs it; path: a file to go on with, or NULL. */
static gboolean run(Swept *swept, PsSweepForm form, const char *path, GError **error)
{
    g_autoptr(PsSweepPlan) plan = ps_sweep_plan_new(&swept->asked);
    ps_sweep_plan_add_gpu(plan, g_steal_pointer(&swept->of.gpu));
    ps_sweep_plan_add_graph(plan, g_steal_pointer(&swept->of.idg), NULL);
    ps_sweep_plan_pair(plan, plan->graphs->pdata[0], plan->gpus->pdata[0]);
    if (!ps_sweep_plan_check(plan, error))
        return FALSE;
    g_autoptr(PsSweepCsv) csv = ps_sweep_csv_new(plan);
    g_autoptr(PsSweepResume) resume = path ? ps_sweep_resume_open(path, csv, error) : NULL;
    if (path && !resume)
        return FALSE;
    const PsSweepRun what = {.plan = plan,
                             .form = form,
                             .csv = csv,
                             .resume = resume,
                             .put = put,
                             .goes_on = goes_on,
                             .tell = tell,
                             .data = swept};
    const gboolean done = ps_sweep_run(&what, &swept->result, error);
    if (swept->stream)
        fclose(g_steal_pointer(&swept->stream));
    return done;
}

/* The CSV of these lists, as one uninterrupted sweep writes it (g_free). */
static char *whole_of(const char *const *lists)
{
    g_auto(Swept) swept;
    g_autoptr(GError) error = NULL;
    swept_init(&swept, lists);
    g_assert_true(run(&swept, PS_SWEEP_CSV, NULL, &error));
    g_assert_no_error(error);
    return g_strdup(swept.rows->str);
}

static const char *const LISTS[] = {"groups=1..4", "a.issue=1,2", NULL};

/* Rows are in order, the last list fastest. */
static void test_rows(void)
{
    g_autofree char *rows = whole_of(LISTS);
    g_auto(GStrv) lines = g_strsplit(rows, "\n", 0);
    g_assert_cmpuint(g_strv_length(lines), ==, 1 + 4 * 2 + 1);
    g_assert_true(g_str_has_prefix(lines[0], "kernel,gpu,groups,a.issue,"));
    g_assert_true(g_str_has_suffix(lines[0], ",check,sweep"));
    for (guint i = 0; i < 8; i++) {
        g_autofree char *begin = g_strdup_printf(",%u,%u,", i / 2 + 1, i % 2 + 1);
        g_assert_nonnull(strstr(lines[i + 1], begin));
    }
}

/* A point that cannot be is told, and its row has no results; the others go on. */
static void test_failed(void)
{
    static const char *const lists[] = {"group-size=32,100000", NULL};
    g_auto(Swept) swept;
    swept_init(&swept, lists);
    g_assert_true(run(&swept, PS_SWEEP_CSV, NULL, NULL));
    g_assert_cmpuint(swept.result.done, ==, 2);
    g_assert_cmpuint(swept.result.failed, ==, 1);
    g_assert_true(swept.result.begun);
    g_assert_nonnull(strstr(swept.told->str, "group-size=100000)\n"));
    g_assert_nonnull(strstr(swept.rows->str, ",100000,,"));
}

/* Where all points fail, and that leaves nothing to write, nothing is kept. */
static void test_all_failed(void)
{
    static const char *const lists[] = {"group-size=100000", NULL};
    g_auto(Swept) swept;
    swept_init(&swept, lists);
    g_assert_true(run(&swept, PS_SWEEP_JSON, NULL, NULL));
    g_assert_false(swept.result.begun);
    g_assert_cmpuint(swept.result.failed, ==, 1);
}

/* A name that the graph lacks ends it before anything is put. */
static void test_wrong(void)
{
    static const char *const lists[] = {"nothing=1", NULL};
    g_autoptr(GError) error = NULL;
    g_auto(Swept) swept;
    swept_init(&swept, lists);
    g_assert_false(run(&swept, PS_SWEEP_CSV, NULL, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_USAGE);
    g_assert_cmpstr(swept.rows->str, ==, "");
}

/* The best are the fastest points of all, and what is left out is told. */
static void test_best(void)
{
    static const char *const lists[] = {"groups=64,1,32", NULL};
    g_auto(Swept) swept;
    swept_init(&swept, lists);
    swept.asked.best = 1;
    g_assert_true(run(&swept, PS_SWEEP_CSV, NULL, NULL));
    g_auto(GStrv) lines = g_strsplit(swept.rows->str, "\n", 0);
    g_assert_cmpuint(g_strv_length(lines), ==, 3);
    g_assert_nonnull(strstr(lines[1], ",1,"));
    g_assert_nonnull(
        strstr(swept.told->str, "the best 1 of 3 points: 1 was simulated, 2 were not"));
}

/* With time enough a budget leaves nothing out, and rows are in their order; with none there is no
 * answer. */
static void test_budget(void)
{
    g_autofree char *rows = whole_of(LISTS);
    g_autoptr(GError) error = NULL;
    for (guint i = 0; i < 2; i++) {
        g_auto(Swept) swept;
        swept_init(&swept, LISTS);
        swept.asked.budget = "100";
        swept.asked.question.deadline =
            g_get_monotonic_time() + (i ? -G_USEC_PER_SEC : 100 * G_USEC_PER_SEC);
        g_assert_true(run(&swept, PS_SWEEP_CSV, NULL, &error) == !i);
        if (!i)
            g_assert_cmpstr(swept.rows->str, ==, rows);
    }
    g_assert_error(error, PS_ERROR, PS_ERROR_TIME);
    g_assert_nonnull(strstr(error->message, "--budget 100: time was out before"));
}

/* Checks the order in which a sweep with a budget simulates the points of one or two lists, by
 * their numbers, for one pair of graph and GPU or two. */
static void assert_order(const guint sizes[2], guint graphs, guint gpus, const char *expected)
{
    static const char *const lists[] = {"groups=1..9", "a.issue=1..9", NULL};
    g_autoptr(GString) order = g_string_new(NULL);
    g_auto(Swept) swept;
    swept_init(&swept, sizes[1] ? lists : (const char *const[]){lists[0], NULL});
    g_autoptr(PsSweepGathered) gathered = ps_sweep_gathered_new(&swept.asked);
    PsIdg *idgs[] = {swept.of.idg, ps_idg_copy(swept.of.idg)};
    PsGpu *both[] = {swept.of.gpu, ps_gpu_load("gpus/v100.xml", NULL)};
    const guint inner = MAX(sizes[1], 1), of_pair = sizes[0] * inner;
    for (guint i = 0; i < graphs * gpus * of_pair; i++) {
        PsRational values[] = {PS_RATIONAL_INT(i % of_pair / inner), PS_RATIONAL_INT(i % inner)};
        const PsSweepPoint point = {.idg = idgs[i / of_pair / gpus],
                                    .gpu = both[i / of_pair % gpus],
                                    .values = values,
                                    .known = sizes[1] ? 2 : 1,
                                    .number = i + 1};
        g_assert_true(
            ps_sweep_gathered_add(gathered, ps_sweep_job_new(&swept.asked, &point, NULL), NULL));
    }
    g_autoptr(GPtrArray) jobs = ps_sweep_gathered_jobs(gathered);
    for (guint i = 0; i < jobs->len; i++)
        g_string_append_printf(order, "%s%u", i ? " " : "",
                               ((const PsSweepJob *)jobs->pdata[i])->point.number);
    g_assert_cmpstr(order->str, ==, expected);
    ps_idg_free(idgs[1]);
    ps_gpu_free(both[1]);
}

/* Ends come first, then middles, then quarters, of the coarser list of two; every pair has
 * its own. */
static void test_budget_order(void)
{
    assert_order((guint[]){5, 0}, 1, 1, "1 5 3 2 4");
    assert_order((guint[]){3, 2}, 1, 1, "1 2 5 6 3 4");
    assert_order((guint[]){3, 2}, 1, 2, "1 7 2 5 6 8 11 12 3 4 9 10");
    assert_order((guint[]){3, 2}, 2, 1, "1 7 2 5 6 8 11 12 3 4 9 10");
}

/* ---- parts ----------------------------------------------------------------------------------- */

static char *in_folder(const char *folder, const char *name)
{
    return g_build_filename(folder, name, NULL);
}

static char *part_of(const char *folder, guint shard, guint shards)
{
    g_autofree char *name = g_strdup_printf("%u.csv", shard);
    char *path = in_folder(folder, name);
    g_auto(Swept) swept;
    swept_init(&swept, LISTS);
    swept.asked.shard = shard;
    swept.asked.shards = shards;
    g_assert_true(run(&swept, PS_SWEEP_CSV, NULL, NULL));
    g_assert_true(g_file_set_contents(path, swept.rows->str, -1, NULL));
    return path;
}

static gboolean begin(gpointer data, GError **error)
{
    (void)data;
    (void)error;
    return TRUE;
}

/* Shards join to what one sweep writes, whatever their order; one that is there twice or is missing
 * does not. */
static void test_merge(void)
{
    g_autofree char *folder = g_dir_make_tmp("pipesim-sweep-XXXXXX", NULL), *rows = whole_of(LISTS);
    g_autofree char *one = part_of(folder, 1, 3), *two = part_of(folder, 2, 3),
                    *three = part_of(folder, 3, 3);
    const struct {
        char *files[4];
        const char *why; /* NULL: they join */
    } cases[] = {{{three, one, two, NULL}, NULL},
                 {{one, two, NULL}, "shard 3/3 is missing"},
                 {{one, one, three, NULL}, "are both shard 1/3"}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_auto(Swept) merged;
        swept_init(&merged, LISTS);
        const PsSweepMerge merge = {.files = (char **)cases[i].files,
                                    .begin = begin,
                                    .put = put,
                                    .data = &merged,
                                    .prefix = "--"};
        g_assert_true(ps_sweep_merge(&merge, &error) == !cases[i].why);
        if (!cases[i].why)
            g_assert_cmpstr(merged.rows->str, ==, rows);
        else
            g_assert_nonnull(strstr(error->message, cases[i].why));
    }
    for (guint i = 0; i < 3; i++)
        g_unlink(cases[0].files[i]);
    g_rmdir(folder);
}

/* A file that was cut off anywhere ends with the bytes of one uninterrupted sweep; one that was
 * changed, or has a row too many, is left as it is. */
static void test_resume(void)
{
    g_autofree char *folder = g_dir_make_tmp("pipesim-sweep-XXXXXX", NULL), *rows = whole_of(LISTS);
    g_autofree char *path = in_folder(folder, "rows.csv");
    const gsize length = strlen(rows);
    g_autofree char *changed = g_strdup(rows), *longer = g_strconcat(rows, "x\n", NULL);
    g_autofree char *zeros = g_malloc0(length + 9);
    memcpy(zeros, rows, length);
    char *figure = strstr(changed, ",72,");
    g_assert_nonnull(figure);
    figure[2] = '3'; /* which is a figure, so that only the sum tells */
    const struct {
        const char *there;
        gsize length;
        gboolean good;
    } cases[] = {{rows, 0, TRUE},
                 {rows, 10, TRUE},
                 {rows, length / 2, TRUE},
                 {rows, length - 1, TRUE},
                 {rows, length, TRUE},
                 {changed, length, FALSE},
                 {zeros, length + 9, TRUE}, /* remains of a power cut */
                 {longer, length + 1, FALSE},
                 {longer, length + 2, FALSE}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *after = NULL;
        g_auto(Swept) swept;
        swept_init(&swept, LISTS);
        g_assert_true(g_file_set_contents(path, cases[i].there, (gssize)cases[i].length, NULL));
        g_assert_true(run(&swept, PS_SWEEP_CSV, path, NULL) == cases[i].good);
        g_assert_true(g_file_get_contents(path, &after, NULL, NULL));
        g_autofree char *there = g_strndup(cases[i].there, cases[i].length);
        g_assert_cmpstr(after, ==, cases[i].good ? rows : there);
    }
    g_unlink(path);
    g_rmdir(folder);
}

/* ---- by a question --------------------------------------------------------------------------- */

/* The public function gives what the sweep gives, in each format, and says what is left out. */
static void test_question(void)
{
    static const char *const lists[] = {"groups=1,2,64", "a.issue=1,2", NULL};
    static const struct {
        const char *format, *begin;
        guint best, lines;
    } cases[] = {{"csv", "kernel,gpu,groups,a.issue,active_groups", 0, 7},
                 {"csv:1", "kernel,gpu,groups,a.issue,active_groups", 1, 2},
                 {"json", "[\n", 0, 0},
                 {"text", "small on ", 0, 0},
                 {"markdown", "#", 0, 0}};
    g_auto(Asked) of = asked_new("", "groups='8' group-size='32'", CODE);
    g_autoptr(PsQuestion) question = ps_question_new(of.idg, of.gpu);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_auto(GStrv) told = NULL;
        g_autofree char *rows =
            ps_question_sweep(question, lists, cases[i].format, 2, &told, &error);
        g_assert_no_error(error);
        g_assert_true(g_str_has_prefix(rows, cases[i].begin));
        g_auto(GStrv) lines = g_strsplit(rows, "\n", 0);
        g_assert_true(!cases[i].lines || g_strv_length(lines) == cases[i].lines + 1);
        g_assert_true(!cases[i].best ||
                      g_str_has_prefix(told[g_strv_length(told) - 1], "the best 1 of 6 points"));
    }
}

static gboolean ends(const PsProgress *progress, gpointer data)
{
    (void)data;
    return progress->done < 2;
}

/* Lists that cannot be, another format, a point that cannot be, and a hearer that ends it. */
static void test_question_wrong(void)
{
    static const struct {
        const char *lists[3], *format, *why; /* NULL: it is fine, and says what is wrong */
    } cases[] = {{{"nothing=1", NULL}, "json", "nothing"},
                 {{"active=1", "active=2", NULL}, "json", "vary active: it is set already"},
                 {{"groups=1", NULL}, "json", "vary groups: it is set already"},
                 {{NULL}, "json", "say what to vary"},
                 {{"active=1", NULL}, "xml", "format: 'xml' is none of"},
                 {{"active=1", NULL}, "jso:1", "format: 'jso:1' is none of"},
                 {{"active=1", NULL}, "json:", "says no number of rows"},
                 {{"active=1", NULL}, "json:0", "says no number of rows"},
                 {{"group-size=32,100000", NULL}, "json", NULL}};
    g_auto(Asked) of = asked_new("", "groups='8' group-size='32'", CODE);
    g_autoptr(PsQuestion) question = ps_question_new(of.idg, of.gpu);
    g_assert_true(ps_question_set(question, "groups", "64", NULL));
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_auto(GStrv) told = NULL;
        g_autofree char *rows =
            ps_question_sweep(question, cases[i].lists, cases[i].format, 2, &told, &error);
        g_assert_true((rows != NULL) == !cases[i].why);
        if (cases[i].why)
            g_assert_nonnull(strstr(error->message, cases[i].why));
        else
            g_assert_true(g_str_has_suffix(told[0], "group-size=100000)"));
    }
    g_autoptr(GError) error = NULL;
    const char *const many[] = {"a.issue=1..64", NULL};
    ps_question_set_hearer(question, (PsHearer){ends, NULL});
    g_assert_null(ps_question_sweep(question, many, "json", 2, NULL, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_CANCELLED);
}

/* ---- names and code -------------------------------------------------------------------------- */

/* The horizontal axis is the last list of numbers; what else varies names the curve. */
static void test_labels(void)
{
    static const char *const lists[] = {"groups=1..4", "a.issue=1,2", NULL};
    g_auto(Swept) swept;
    swept_init(&swept, lists);
    const PsRational values[] = {PS_RATIONAL_INT(3), PS_RATIONAL_INT(2)};
    g_autofree char *all = ps_sweep_point_label(swept.axes, values, 2),
                    *first = ps_sweep_point_label(swept.axes, values, 1),
                    *x = ps_sweep_x_label(swept.axes);
    g_assert_cmpstr(all, ==, "groups=3, a.issue=2");
    g_assert_cmpstr(first, ==, "groups=3");
    g_assert_cmpstr(x, ==, "a.issue");
    const PsAnswer *answer = ask(&swept.of);
    const PsSweepNaming naming = {swept.axes, FALSE, TRUE};
    g_autofree char *curve = ps_sweep_curve_label(&naming, answer, values);
    g_assert_true(g_str_has_suffix(curve, ", groups=3"));
    g_assert_cmpfloat(ps_sweep_x(swept.axes, answer, values), ==, 2);
}

/* A macro is one that the source or the launch names, and no parameter of a kernel. */
static void test_macros(void)
{
    static const char source[] = "__global__ void k(float *x, int n) { x[TILE] = n; }\n";
    static const struct {
        const char *list, *why; /* NULL: it is fine */
    } cases[] = {{"TILE=1,2", NULL},
                 {"WIDE=1,2", NULL},
                 {"TILES=1,2", "neither"},
                 {"n=1,2", "is a parameter of a kernel"},
                 {"gpu=a,b", "; several GPUs are --gpu A --gpu B"},
                 {"blok=1,2", "; did you mean block?"},
                 {"threads=1,2", "; --threads is not varied"}};
    g_autofree char *folder = g_dir_make_tmp("pipesim-sweep-XXXXXX", NULL),
                    *path = in_folder(folder, "k.cu");
    const PsCodeOptions code = {.prefix = "--", .grid = (char *)"WIDE*2"};
    const PsSweepAsked asked = {.prefix = "--", .code = &code};
    g_assert_true(g_file_set_contents(path, source, -1, NULL));
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(PsSweepAxis) axis =
            ps_sweep_axis_parse_code("--vary", cases[i].list, NULL, TRUE, &error);
        g_assert_no_error(error);
        g_assert_true(ps_sweep_macro_check(&asked, path, axis, &error) == !cases[i].why);
        if (cases[i].why)
            g_assert_nonnull(strstr(error->message, cases[i].why));
    }
    g_unlink(path);
    g_rmdir(folder);
}

/* What a point of code hands to its builder: macros are replaced in the launch, an argument's list
 * replaces its value, and what the builder says last is the error. */
static void test_builder(void)
{
    static const char *const lists[] = {"T=4,8", "n=64,128", "block=32,T", NULL};
    const char *const arguments[] = {"n=1", "a=zero:4*n*T", NULL};
    char *compiler[] = {(char *)"-O3", NULL};
    char *builder[] = {(char *)"sh", (char *)"-c", (char *)"echo \"pipesim: $*\" >&2; exit 1",
                       (char *)"sh", NULL};
    g_autoptr(GPtrArray) axes = g_ptr_array_new_with_free_func((GDestroyNotify)ps_sweep_axis_free);
    for (guint i = 0; lists[i]; i++)
        g_ptr_array_add(axes, ps_sweep_axis_parse_code("--vary", lists[i], arguments, TRUE, NULL));
    const PsCodeOptions code = {.prefix = "--",
                                .grid = (char *)"T*2",
                                .arguments = (char **)arguments,
                                .compiler = compiler};
    const PsSweepAsked asked = {.prefix = "--", .axes = axes, .code = &code, .builder = builder};
    PsRational values[] = {PS_RATIONAL_INT(8), PS_RATIONAL_INT(64), PS_RATIONAL_INT(1)};
    g_auto(Asked) of = asked_new("", "groups='8' group-size='32'", CODE);
    const PsSweepPoint point = {
        .name = "k", .file = "k.ptx", .gpu = of.gpu, .gpu_name = "toy", .values = values};
    g_autoptr(GPtrArray) told = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    g_assert_null(ps_sweep_code_graph(&asked, &point, told, &error));
    g_assert_cmpstr(error->message, ==,
                    "--gpu=toy --grid=8*2 --block=8 --arg=n=64 --arg=a=zero:4*n*8 "
                    "--compiler-options='-O3' '-DT=8' -- k.ptx");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/sweep/rows", test_rows);
    g_test_add_func("/sweep/failed", test_failed);
    g_test_add_func("/sweep/all-failed", test_all_failed);
    g_test_add_func("/sweep/wrong", test_wrong);
    g_test_add_func("/sweep/best", test_best);
    g_test_add_func("/sweep/budget", test_budget);
    g_test_add_func("/sweep/budget/order", test_budget_order);
    g_test_add_func("/sweep/merge", test_merge);
    g_test_add_func("/sweep/resume", test_resume);
    g_test_add_func("/sweep/question", test_question);
    g_test_add_func("/sweep/question-wrong", test_question_wrong);
    g_test_add_func("/sweep/labels", test_labels);
    g_test_add_func("/sweep/macros", test_macros);
    g_test_add_func("/sweep/builder", test_builder);
    return g_test_run();
}
