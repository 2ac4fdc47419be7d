/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Roles of warps (R12): a ring of stages that a producer fills and consumers empty, what waits for
 * ever, and graphs that say what there is not.
 */
#include "idg/edit.h"
#include "idg/program.h"
#include "sim/listen/path.h"
#include "tests/help/build-graph.h"
#include "tests/help/engine.h"

#include <string.h>

/* The ring of docs/reference/model.md. */
static const char ring[] = "<idg xmlns='urn:pipesim:idg:1' version='1' name='ring'>\n"
                           "<param name='n' value='3'>what</param>\n"
                           "<launch groups='1' group-size='64'/>\n"
                           "<code name='producer' warps='0'>\n"
                           "<loop times='n'>\n"
                           "<node name='copy' class='copy' awaits='consumer:use@2'/>\n"
                           "</loop>\n"
                           "</code>\n"
                           "<code name='consumer'>\n"
                           "<loop times='n'>\n"
                           "<node name='use' class='use' awaits='producer:copy'/>\n"
                           "</loop>\n"
                           "</code>\n"
                           "</idg>\n";

static PsGpu *make_gpu(void)
{
    PsGpu *gpu = build_gpu(1, 2);
    build_class(gpu, "copy", 0, PS_RATIONAL_INT(3), PS_RATIONAL_INT(10));
    build_class(gpu, "use", 1, PS_RATIONAL_INT(1), PS_RATIONAL_INT(4));
    build_class(gpu, "barrier", 1, PS_RATIONAL_INT(1), PS_RATIONAL_INT(2));
    return gpu;
}

/* The ring with another text in one place. */
static PsIdg *ring_with(const char *old, const char *new)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) text = g_string_new(ring);
    g_assert_cmpuint(g_string_replace(text, old, new, 1), ==, 1);
    PsIdg *idg = ps_idg_parse(text->str, text->len, "x.idg", &error);
    g_assert_no_error(error);
    return idg;
}

/* How many ticks, of a cycle each, it takes; -1 where it fails. */
static gint64 run(const PsIdg *idg, GError **error)
{
    PsGpu *gpu = make_gpu();
    PsSimResult result = {.ticks = -1};
    const EngineRun engine_run_ = {.idg = idg, .gpu = gpu, .options = {.active = 1}};
    const gboolean done = engine_run(&engine_run_, &result, error);
    build_gpu_free(gpu);
    return done ? result.ticks : -1;
}

static void expect(const char *old, const char *new, gint64 ticks)
{
    g_autoptr(GError) error = NULL;
    PsIdg *idg = ring_with(old, new);
    g_assert_cmpint(run(idg, &error), ==, ticks);
    g_assert_no_error(error);
    ps_idg_free(idg);
}

/* Copies begin at 0 and 3; the third waits for the first stage to be used, until 14. With a stage
 * more it begins at 6, with one alone each waits for the one before. */
static void test_stages(void)
{
    expect("value='3'", "value='3'", 28);
    expect("use@2", "use@3", 20);
    expect("use@2", "use@1", 42);
}

/* A use for each two copies: the first at 13, when both are there, so that the third copy begins at
 * 17, the fourth at 20, and the last use at 30. All copies: the only use at 16. */
static void test_numbers(void)
{
    expect("<param name='n' value='3'>what</param>\n<launch groups='1' group-size='64'/>\n"
           "<code name='producer' warps='0'>\n<loop times='n'>\n"
           "<node name='copy' class='copy' awaits='consumer:use@2'/>\n</loop>\n</code>\n"
           "<code name='consumer'>\n<loop times='n'>\n"
           "<node name='use' class='use' awaits='producer:copy'/>",
           "<param name='n' value='2'>what</param>\n<launch groups='1' group-size='64'/>\n"
           "<code name='producer' warps='0'>\n<loop times='2*n'>\n"
           "<node name='copy' class='copy' awaits='consumer:use/2@1'/>\n</loop>\n</code>\n"
           "<code name='consumer'>\n<loop times='n'>\n"
           "<node name='use' class='use' awaits='producer:copy*2'/>",
           34);
    expect("<loop times='n'>\n<node name='copy' class='copy' awaits='consumer:use@2'/>\n</loop>\n"
           "</code>\n<code name='consumer'>\n<loop times='n'>\n"
           "<node name='use' class='use' awaits='producer:copy'/>",
           "<loop times='n'>\n<node name='copy' class='copy'/>\n</loop>\n"
           "</code>\n<code name='consumer'>\n<loop times='1'>\n"
           "<node name='use' class='use' awaits='producer:copy@all'/>",
           20);
}

/* Where copies come from two nodes: the use waits for the two of the first, and for the third, of
 * the second, from its third time on. That one issues when a stage is free, at 14, as with one
 * node. With a D below 0 the first use waits for all three. */
static void test_limits(void)
{
    expect("<loop times='n'>\n<node name='copy' class='copy' awaits='consumer:use@2'/>\n</loop>\n"
           "</code>\n<code name='consumer'>\n<loop times='n'>\n"
           "<node name='use' class='use' awaits='producer:copy'/>",
           "<loop times='2'>\n<node name='first' class='copy'/>\n</loop>\n"
           "<node name='copy' class='copy' awaits='consumer:use'/>\n"
           "</code>\n<code name='consumer'>\n<loop times='n'>\n"
           "<node name='use' class='use' awaits='producer:first@0..all producer:copy@2..all'/>",
           28);
    expect("<loop times='n'>\n<node name='copy' class='copy' awaits='consumer:use@2'/>\n</loop>\n"
           "</code>\n<code name='consumer'>\n<loop times='n'>\n"
           "<node name='use' class='use' awaits='producer:copy'/>",
           "<loop times='n'>\n<node name='copy' class='copy'/>\n</loop>\n"
           "</code>\n<code name='consumer'>\n<loop times='1'>\n"
           "<node name='use' class='use' awaits='producer:copy@(-2)'/>",
           20);
}

/* A use that runs USES times awaits so many of so many copies. */
typedef struct {
    gint64 copies, per, every, before;
    gboolean to_all;
} Needs;

enum { USES = 5 };

/* What idg.h says of it: instance k waits for the first P (floor(k / E) + 1 - D) copies. */
static gint64 needed(const Needs *needs, gint64 k)
{
    const gint64 first = needs->per * (k / needs->every + 1 - needs->before);
    return MAX(needs->to_all ? MIN(first, needs->copies) : first, 0);
}

static PsKernel *kernel_of(const PsIdg *idg)
{
    g_autoptr(GError) error = NULL;
    PsKernel *kernel = ps_kernel_new(idg, NULL, &error);
    g_assert_true(kernel || strstr(error->message, "it would wait for ever"));
    return kernel;
}

/* Each instance waits for as many, and one that waits for more than there are is an error. */
static void check_needs(const Needs *needs)
{
    g_autofree char *text = g_strdup_printf(
        "<idg xmlns='urn:pipesim:idg:1' version='1' name='x'>"
        "<launch groups='1' group-size='64'/><code name='producer' warps='0'>"
        "<loop times='%d'><node name='copy' class='copy'/></loop></code><code name='consumer'>"
        "<loop times='%d'><node name='use' class='use' awaits='producer:copy*%d/%d@(%d)%s'/>"
        "</loop></code></idg>",
        (int)needs->copies, USES, (int)needs->per, (int)needs->every, (int)needs->before,
        needs->to_all ? "..all" : "");
    g_autoptr(PsIdg) idg = ps_idg_parse(text, strlen(text), "x.idg", NULL);
    g_autoptr(PsIdg) copy = ps_idg_copy(idg);
    g_autoptr(PsKernel) kernel = kernel_of(idg);
    g_autofree char *written = ps_idg_write(idg), *again = ps_idg_write(copy);
    g_assert_cmpstr(written, ==, again);
    g_assert_true((kernel != NULL) == (needed(needs, USES - 1) <= needs->copies));
    for (gint64 k = 0; kernel && k < USES; k++) {
        const PsProgramNode *use = &kernel->programs[1].nodes[0];
        const gint64 is = use->n_waits ? ps_program_wait_needs(&use->waits[0], k) : 0;
        g_assert_cmpint(MAX(is, 0), ==, needed(needs, k));
    }
}

static void test_needs(void)
{
    for (gint64 copies = 1; copies <= 12; copies++)
        for (gint64 per = 1; per <= 3; per++)
            for (gint64 every = 1; every <= 3; every++)
                for (gint64 before = -2; before <= 3; before++)
                    for (gboolean to_all = FALSE; to_all <= TRUE; to_all++)
                        check_needs(&(Needs){copies, per, every, before, to_all});
}

/* ---- what cannot be ------------------------------------------------------------------------ */

static void check_error(const char *old, const char *new, const char *message)
{
    g_autoptr(GError) error = NULL;
    PsIdg *idg = ring_with(old, new);
    g_assert_cmpint(run(idg, &error), ==, -1);
    g_assert_nonnull(error);
    g_assert_cmpstr(error->message, ==, message);
    ps_idg_free(idg);
}

static void test_errors(void)
{
    check_error(
        "consumer:use@2", "reader:use@2",
        "x.idg:6: node 'copy' awaits 'reader:use', but no code has the name 'reader'; there "
        "are: producer, consumer");
    check_error("producer:copy", "producer:load",
                "x.idg:11: node 'use' awaits 'producer:load', but the code 'producer' has no node "
                "of that name");
    check_error(
        "producer:copy", "producer:copy*2",
        "x.idg:11: node 'use' awaits 6 instances of 'producer:copy' in its last of 3, but a "
        "warp has only 3 of these: it would wait for ever");
    check_error("name='consumer'", "name='producer'",
                "x.idg:9: two codes are named 'producer'; a role is one code");
    check_error("group-size='64'", "group-size='32'",
                "x.idg:6: node 'copy' awaits warps of the role 'consumer', but no warp of a group, "
                "which has 1, runs that code");
    check_error("use@2", "use*0",
                "x.idg:6: the number of instances \"0\" is 0; it must be at least 1");
}

/* The message says who waits for whom: each for the other's first, or one for a barrier that the
 * other never comes to. */
static void test_deadlock(void)
{
    check_error(
        "consumer:use@2", "consumer:use",
        "x.idg:6: the warps of a group wait for each other for ever: warp 0 ('producer') "
        "stands at 'copy' and awaits 'consumer:use' of warp 1; warp 1 ('consumer') stands at "
        "'use' and awaits 'producer:copy' of warp 0");
    check_error(
        "<loop times='n'>\n<node name='copy'",
        "<node name='all' class='barrier'/>\n<loop times='n'>\n<node name='copy'",
        "x.idg:5: the warps of a group wait for each other for ever: warp 0 ('producer') "
        "stands at 'all' and waits for all warps of its group; warp 1 ('consumer') stands at "
        "'use' and awaits 'producer:copy' of warp 0");
}

static void test_syntax(void)
{
    static const char *const bad[] = {"use@2",
                                      "consumer:",
                                      ":use",
                                      "a b:c",
                                      "consumer:use@",
                                      "consumer:3",
                                      "consumer:use*2@all",
                                      "consumer:use/2@all"};
    for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(GString) text = g_string_new(ring);
        g_string_replace(text, "consumer:use@2", bad[i], 1);
        PsIdg *idg = ps_idg_parse(text->str, text->len, "x.idg", &error);
        g_assert_null(idg);
        g_assert_true(error && g_str_has_prefix(error->message, "x.idg:6: "));
    }
}

/* What is written is what was read. */
static void test_written(void)
{
    static const char *const good[] = {"consumer:use", "consumer:use@all", "consumer:use*2/3@4",
                                       "consumer:use*(2*n)/(n-1)@(n+1) producer:copy@1"};
    for (guint i = 0; i < G_N_ELEMENTS(good); i++) {
        PsIdg *idg = ring_with("consumer:use@2", good[i]);
        g_autofree char *text = ps_idg_write(idg);
        g_autofree char *awaits = g_strdup_printf(" awaits=\"%s\"", good[i]);
        g_assert_nonnull(strstr(text, awaits));
        g_assert_nonnull(strstr(text, "<code name=\"producer\" warps=\"0\">"));
        ps_idg_free(idg);
    }
}

/* ---- the critical path --------------------------------------------------------------------- */

/* It goes from warp to warp: the last use, the copy before it, the first use, the first copy. */
static void test_path(void)
{
    PsGpu *gpu = make_gpu();
    PsIdg *idg = ring_with("value='3'", "value='3'");
    g_autoptr(GError) error = NULL;
    const EngineRun engine_run_ = {.idg = idg, .gpu = gpu, .options = {.active = 1}};
    Engine engine;
    g_assert_true(engine_open(&engine, &engine_run_, &error));
    PsPath *path = ps_path_new(engine.machine);
    const PsListener listener = ps_path_listener(path);
    PsSimResult result;
    g_assert_true(ps_sim_run(engine.machine,
                             &(PsSimOptions){.listeners = &listener, .n_listeners = 1}, &result,
                             &error));
    g_autoptr(GPtrArray) rows = ps_path_rows(path, result.ticks, &error);
    gint64 copies = 0, uses = 0;
    for (guint i = 0; i < rows->len; i++) {
        const PsPathRow *row = rows->pdata[i];
        if (row->kind != PS_PATH_COMPLETION)
            continue;
        *(row->program == 0 ? &copies : &uses) += row->ticks;
    }
    g_assert_cmpint(copies, ==, 20);
    g_assert_cmpint(uses, ==, 8);
    ps_path_free(path);
    engine_close(&engine);
    ps_idg_free(idg);
    build_gpu_free(gpu);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/roles/stages", test_stages);
    g_test_add_func("/roles/numbers", test_numbers);
    g_test_add_func("/roles/limits", test_limits);
    g_test_add_func("/roles/needs", test_needs);
    g_test_add_func("/roles/errors", test_errors);
    g_test_add_func("/roles/deadlock", test_deadlock);
    g_test_add_func("/roles/syntax", test_syntax);
    g_test_add_func("/roles/written", test_written);
    g_test_add_func("/roles/path", test_path);
    return g_test_run();
}
