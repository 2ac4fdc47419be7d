/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Graphs: every file of graphs/ and a text with all that the format has are read, written, and
 * read back as equal graphs; drawings are held against tests/dot/NAME.dot for each NAME.idg.
 */
#include "idg/edit.h"
#include <string.h>

/* ---- equality ------------------------------------------------------------------------------ */

static void same_expr(const PsExpr *a, const PsExpr *b)
{
    g_assert_cmpstr(a ? ps_expr_text(a) : NULL, ==, b ? ps_expr_text(b) : NULL);
}

static void same_deps(const GPtrArray *a, const GPtrArray *b)
{
    g_assert_cmpuint(a ? a->len : 0, ==, b ? b->len : 0);
    for (guint i = 0; a && i < MIN(a->len, b->len); i++) {
        const PsIdgDep *left = g_ptr_array_index(a, i);
        const PsIdgDep *right = g_ptr_array_index(b, i);
        g_assert_cmpstr(left->on, ==, right->on);
        g_assert_cmpint(left->all, ==, right->all);
        same_expr(left->distance, right->distance);
    }
}

static void same_node(const PsIdgItem *a, const PsIdgItem *b)
{
    g_assert_cmpstr(a->class_name, ==, b->class_name);
    same_deps(a->after, b->after);
    same_deps(a->reads, b->reads);
    same_expr(a->hold, b->hold);
    for (guint bank = 0; bank < PS_IDG_BANKS; bank++) {
        g_assert_cmpuint(a->banks[bank], ==, b->banks[bank]);
        g_assert_cmpuint(a->kept[bank], ==, b->kept[bank]);
    }
    same_expr(a->bytes, b->bytes);
    for (int level = 0; level < PS_N_LEVELS; level++)
        same_expr(a->share[level], b->share[level]);
    same_expr(a->lines, b->lines);
    same_expr(a->wavefronts, b->wavefronts);
    same_expr(a->rows, b->rows);
    same_expr(a->partial, b->partial);
    g_assert_cmpstr(a->spot, ==, b->spot);
    same_expr(a->turns, b->turns);
    g_assert_cmpuint(a->meet, ==, b->meet);
    g_assert_cmpstr(a->beside, ==, b->beside);
    g_assert_cmpuint(a->vector, ==, b->vector);
    same_expr(a->distinct, b->distinct);
    same_expr(a->read_only, b->read_only);
    g_assert_cmpuint(a->offset, ==, b->offset);
    g_assert_cmpuint(a->invariant, ==, b->invariant);
    same_expr(a->lanes, b->lanes);
    g_assert_cmpuint(a->side, ==, b->side);
    same_expr(a->ops, b->ops);
    g_assert_cmpstr(a->type, ==, b->type);
    g_assert_cmpstr(a->op, ==, b->op);
    g_assert_cmpstr(a->part, ==, b->part);
    g_assert_cmpstr(a->by, ==, b->by);
    g_assert_cmpstr(a->file, ==, b->file);
    g_assert_cmpint(a->source_line, ==, b->source_line);
    g_assert_cmpstr(a->via, ==, b->via);
    g_assert_cmpint(a->near, ==, b->near);
}

static void same_body(const GPtrArray *a, const GPtrArray *b)
{
    g_assert_cmpuint(a->len, ==, b->len);
    for (guint i = 0; i < MIN(a->len, b->len); i++) {
        const PsIdgItem *left = g_ptr_array_index(a, i), *right = g_ptr_array_index(b, i);
        g_assert_cmpint(left->kind, ==, right->kind);
        g_assert_cmpstr(left->name, ==, right->name);
        if (left->kind != right->kind)
            return;
        same_expr(left->times, right->times);
        if (left->kind == PS_IDG_LOOP)
            same_body(left->body, right->body);
        else
            same_node(left, right);
    }
}

static void same_code(const PsIdgCode *a, const PsIdgCode *b)
{
    guint n = a->warps ? a->warps->len : 0;
    g_assert_cmpuint(n, ==, b->warps ? b->warps->len : 0);
    for (guint i = 0; i < n; i++) {
        const PsIdgWarps *left = g_ptr_array_index(a->warps, i);
        const PsIdgWarps *right = g_ptr_array_index(b->warps, i);
        same_expr(left->first, right->first);
        same_expr(left->last, right->last);
    }
    same_body(a->body, b->body);
}

static void same_head(const PsIdg *a, const PsIdg *b)
{
    g_assert_cmpstr(a->name, ==, b->name);
    g_assert_cmpstr(a->title, ==, b->title);
    g_assert_cmpstr(a->file, ==, b->file);
    g_assert_cmpstr(a->digest, ==, b->digest);
    g_assert_cmpint(a->of_ptx, ==, b->of_ptx);
    g_assert_cmpuint(a->sources->len, ==, b->sources->len);
    for (guint i = 0; i < a->sources->len; i++) {
        const PsSource *left = g_ptr_array_index(a->sources, i);
        const PsSource *right = g_ptr_array_index(b->sources, i);
        g_assert_cmpstr(left->id, ==, right->id);
        g_assert_cmpint(left->kind, ==, right->kind);
        g_assert_cmpstr(left->text, ==, right->text);
    }
    g_assert_cmpuint(a->params->len, ==, b->params->len);
    for (guint i = 0; i < a->params->len; i++) {
        const PsIdgParam *left = g_ptr_array_index(a->params, i);
        const PsIdgParam *right = g_ptr_array_index(b->params, i);
        g_assert_cmpstr(left->name, ==, right->name);
        same_expr(left->value, right->value);
        g_assert_cmpstr(left->text, ==, right->text);
    }
    same_expr(a->launch.groups, b->launch.groups);
    same_expr(a->launch.group_size, b->launch.group_size);
    same_expr(a->launch.registers, b->launch.registers);
    same_expr(a->launch.accumulators, b->launch.accumulators);
    same_expr(a->launch.scalar_registers, b->launch.scalar_registers);
    same_expr(a->launch.local_memory, b->launch.local_memory);
    g_assert_cmpint(ps_rational_cmp(a->launch.work_error, b->launch.work_error), ==, 0);
    g_assert_cmpint(ps_rational_cmp(a->launch.unseen, b->launch.unseen), ==, 0);
    g_assert_cmpint(ps_rational_cmp(a->launch.hidden, b->launch.hidden), ==, 0);
    g_assert_cmpint(ps_rational_cmp(a->launch.executed, b->launch.executed), ==, 0);
}

/* Writes, reads back, compares, and writes again. */
static void check_round_trip(const PsIdg *idg)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = ps_idg_write(idg);
    g_autoptr(PsIdg) back = ps_idg_parse(text, strlen(text), "back.idg", &error);
    g_assert_no_error(error);
    if (!back)
        return;
    same_head(idg, back);
    g_assert_cmpuint(idg->codes->len, ==, back->codes->len);
    for (guint i = 0; i < MIN(idg->codes->len, back->codes->len); i++)
        same_code(g_ptr_array_index(idg->codes, i), g_ptr_array_index(back->codes, i));
    g_autofree char *again = ps_idg_write(back);
    g_assert_cmpstr(text, ==, again);
    g_autoptr(PsIdg) copy = ps_idg_copy(idg);
    g_autofree char *copied = ps_idg_write(copy);
    g_assert_cmpstr(text, ==, copied);
}

/* ---- files --------------------------------------------------------------------------------- */

static PsIdg *load(const char *path)
{
    g_autoptr(GError) error = NULL;
    PsIdg *idg = ps_idg_load(path, &error);
    g_assert_no_error(error);
    g_assert_nonnull(idg);
    return idg;
}

static int by_name(gconstpointer a, gconstpointer b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Paths in a folder that end like that, sorted. */
static GPtrArray *files(const char *folder, const char *ending)
{
    GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *name;
    g_assert_nonnull(dir);
    while (dir && (name = g_dir_read_name(dir))) {
        if (g_str_has_suffix(name, ending))
            g_ptr_array_add(paths, g_build_filename(folder, name, NULL));
    }
    g_ptr_array_sort(paths, by_name);
    return paths;
}

static void test_graphs(void)
{
    g_autoptr(GPtrArray) paths = files("graphs", ".idg");
    g_assert_cmpuint(paths->len, >=, 9);
    for (guint i = 0; i < paths->len; i++) {
        const char *path = g_ptr_array_index(paths, i);
        g_autofree char *base = g_path_get_basename(path);
        g_autoptr(PsIdg) idg = load(path);
        g_test_message("%s", path);
        if (!idg)
            continue;
        g_assert_cmpstr(idg->path, ==, path);
        g_autofree char *expected = g_strdup_printf("%s.idg", idg->name);
        g_assert_cmpstr(base, ==, expected);
        check_round_trip(idg);
    }
}

static void test_mmul(void)
{
    g_autoptr(PsIdg) idg = load("graphs/mmul08.idg");
    const PsIdgParam *size = g_ptr_array_index(idg->params, 0);
    const PsIdgCode *code = g_ptr_array_index(idg->codes, 0);
    const PsIdgItem *tiles = g_ptr_array_index(code->body, 0);
    const PsIdgItem *products = g_ptr_array_index(tiles->body, 5);
    const PsIdgItem *f = g_ptr_array_index(products->body, 2);
    const PsIdgItem *b2 = g_ptr_array_index(tiles->body, 6);
    g_assert_cmpstr(size->name, ==, "size");
    g_assert_cmpstr(ps_expr_text(size->value), ==, "1024");
    g_assert_cmpstr(size->text, ==, "order of the square matrices");
    g_assert_cmpstr(ps_expr_text(idg->launch.groups), ==, "(size/8)^2");
    g_assert_null(idg->launch.registers);
    g_assert_null(code->warps);
    g_assert_cmpint(tiles->kind, ==, PS_IDG_LOOP);
    g_assert_cmpstr(ps_expr_text(products->times), ==, "8");
    g_assert_cmpstr(f->class_name, ==, "fmadd");
    g_assert_cmpuint(f->after->len, ==, 3);
    g_assert_cmpstr(f->type, ==, "fp32");
    g_assert_cmpint(f->source_line, ==, 31);
    g_assert_true(((PsIdgDep *)g_ptr_array_index(b2->after, 1))->all);
}

/* The lines that the graphs name are those of the source that they mean. */
static void test_source_lines(void)
{
    g_autofree char *source = NULL;
    g_assert_true(g_file_get_contents("graphs/mmul.cl", &source, NULL, NULL));
    g_auto(GStrv) lines = g_strsplit(source, "\n", -1);

    g_assert_true(strstr(lines[24], "start += TILE") != NULL);
    g_assert_true(strstr(lines[25], "a_tile[i][j] = a[") != NULL);
    g_assert_true(strstr(lines[26], "b_tile[i][j] = b[") != NULL);
    g_assert_true(strstr(lines[27], "barrier(") != NULL);
    g_assert_true(strstr(lines[30], "sum += ") != NULL);
    g_assert_true(strstr(lines[31], "barrier(") != NULL);
    g_assert_true(strstr(lines[33], "c[row * size + column] = sum") != NULL);
}

/* ---- everything that the format has -------------------------------------------------------- */

static const char everything[] =
    "<?xml version='1.0'?>\n"
    "<!-- comments may stand anywhere -->\n"
    "<idg xmlns='urn:pipesim:idg:1' version='1' name='a kernel' title='&lt;&quot;&amp;' "
    "file='a.cu' digest='0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef' "
    "code='ptx'>"
    "<source id='s1' kind='vendor'> some\n  words </source><source kind='assumed'/>"
    "<param name='k' value='2'/><param name='m' value='k*3'>a <!-- note --> meaning</param>"
    "<launch groups='m' group-size='32*k' registers='40' accumulators='k' scalar-registers='96' "
    "local-memory='4*m' work-error='0.127' unseen='0.02' hidden='0.2' executed='0.001'/>"
    "<code warps=' 0 .. k-1 ,max(k,3), (7) '>"
    "<node name='a' class='global.load' hold='2*k' banks='2 1' kept='0 1' bytes='4' l1='1' "
    "l2='0.5' device='1/k' "
    "lines='k+1' wavefronts='m' rows='m/2' spot='bins_0' turns='1/m' meet='7' beside='a' "
    "distinct='1/k' "
    "offset='28' "
    "read-only='0.5/k' lanes='1/k' "
    "side='3' line='9'/>"
    "<loop times='m'><loop name='inner' times='0'>"
    "<node name='b' class='fadd' after='a&#10; b@2\tb@k a@( 2 * k ) a@all b@max(1,\n2)' "
    "reads='b@2 a' ops='1' type='fp16' op='div.u32' part='a' by='n/4' vector='4' offset='varies' "
    "invariant='2' line='C:\\x.h:12' via='y.h:7' near='true'/>"
    "</loop></loop></code>"
    "<code><node name='a' class='barrier'/>"
    "<node name='w' class='global.store' bytes='4' partial='1/k'/></code></idg>";

static void test_everything(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsIdg) idg = ps_idg_parse(everything, strlen(everything), "all.idg", &error);
    static const char *const distances[] = {NULL, "2", "k", "( 2 * k )", NULL, "max(1, 2)"};
    g_assert_no_error(error);
    g_assert_cmpstr(idg->path, ==, "all.idg");
    g_assert_cmpstr(idg->title, ==, "<\"&");
    g_assert_true(idg->of_ptx);
    g_assert_cmpstr(((PsSource *)g_ptr_array_index(idg->sources, 0))->text, ==, "some words");
    g_assert_cmpstr(((PsIdgParam *)g_ptr_array_index(idg->params, 1))->text, ==, "a meaning");

    const PsIdgCode *code = g_ptr_array_index(idg->codes, 0);
    const PsIdgWarps *first = g_ptr_array_index(code->warps, 0);
    const PsIdgWarps *second = g_ptr_array_index(code->warps, 1);
    g_assert_cmpuint(code->warps->len, ==, 3);
    g_assert_cmpstr(ps_expr_text(first->last), ==, "k-1");
    g_assert_cmpstr(ps_expr_text(second->first), ==, "max(k,3)");
    g_assert_null(second->last);

    const PsIdgItem *a = g_ptr_array_index(code->body, 0);
    g_assert_cmpstr(ps_expr_text(a->hold), ==, "2*k");
    g_assert_true(a->banks[0] == 2 && a->banks[1] == 1 && a->kept[0] == 0 && a->kept[1] == 1);
    g_assert_cmpstr(ps_expr_text(a->lines), ==, "k+1");
    g_assert_cmpstr(a->spot, ==, "bins_0");
    g_assert_cmpstr(ps_expr_text(a->turns), ==, "1/m");
    g_assert_cmpuint(a->meet, ==, 7);
    g_assert_cmpstr(a->beside, ==, "a");
    g_assert_cmpstr(ps_expr_text(a->distinct), ==, "1/k");
    g_assert_cmpstr(ps_expr_text(a->read_only), ==, "0.5/k");
    g_assert_cmpuint(a->offset, ==, 28);
    g_assert_cmpstr(ps_expr_text(a->lanes), ==, "1/k");
    g_assert_cmpuint(a->side, ==, 3);

    const PsIdgItem *outer = g_ptr_array_index(code->body, 1);
    const PsIdgItem *inner = g_ptr_array_index(outer->body, 0);
    const PsIdgItem *b = g_ptr_array_index(inner->body, 0);
    g_assert_null(outer->name);
    g_assert_cmpstr(b->file, ==, "C:\\x.h");
    g_assert_cmpint(b->source_line, ==, 12);
    g_assert_cmpstr(b->op, ==, "div.u32");
    g_assert_cmpstr(b->part, ==, "a");
    g_assert_cmpstr(b->by, ==, "n/4");
    g_assert_cmpstr(b->via, ==, "y.h:7");
    g_assert_true(b->near);
    g_assert_cmpuint(b->offset, ==, PS_IDG_ANY_OFFSET);
    g_assert_cmpuint(b->reads->len, ==, 2);
    g_assert_cmpstr(((const PsIdgDep *)b->reads->pdata[1])->on, ==, "a");
    const PsIdgCode *other = g_ptr_array_index(idg->codes, 1);
    const PsIdgItem *w = g_ptr_array_index(other->body, 1);
    g_assert_cmpstr(ps_expr_text(w->partial), ==, "1/k");
    g_assert_cmpuint(b->after->len, ==, 6);
    for (guint i = 0; i < 6; i++) {
        const PsIdgDep *dep = g_ptr_array_index(b->after, i);
        g_assert_cmpint(dep->all, ==, i == 4);
        g_assert_cmpstr(dep->distance ? ps_expr_text(dep->distance) : NULL, ==, distances[i]);
    }
    check_round_trip(idg);
}

static PsExpr *expr(const char *text)
{
    return ps_expr_new(text, (PsPlace){NULL, 0}, NULL);
}

/* A graph as a front end builds it, with texts that need escaping and distances that need
 * brackets. */
/* What XML does not allow in a comment is made harmless, and comments are no part of the graph. */
static void test_comments(void)
{
    g_autoptr(PsIdg) idg = ps_idg_new("k");
    PsIdgCode *code = ps_idg_add_code(idg);
    PsIdgItem *loop = ps_idg_add_loop(code->body, NULL, expr("2"));
    PsIdgItem *node = ps_idg_add_node(loop->body, "x", "fadd");
    idg->launch.groups = expr("1");
    idg->launch.group_size = expr("32");
    loop->comment = g_strdup("for (i--; i --> 0;) --->");
    node->comment = g_strdup("\001a < b && c;\n\xff -");
    g_autofree char *text = ps_idg_write(idg);
    g_assert_nonnull(strstr(text, "<!-- for (i- -; i - -> 0;) - - -> -->"));
    g_assert_nonnull(strstr(text, "a < b && c; "));
    g_autoptr(GError) error = NULL;
    g_autoptr(PsIdg) back = ps_idg_parse(text, strlen(text), "c", &error);
    g_assert_no_error(error);
    g_assert_null(((PsIdgItem *)code->body->pdata[0])->name);
    check_round_trip(back);
}

static void test_built(void)
{
    g_autoptr(PsIdg) idg = ps_idg_new("<k> &  \"co\" ");
    PsIdgCode *code = ps_idg_add_code(idg);
    PsIdgItem *loop = ps_idg_add_loop(code->body, NULL, expr("n"));
    PsIdgItem *node = ps_idg_add_node(loop->body, "x", "fadd");
    idg->launch.groups = expr("1");
    idg->launch.group_size = expr("32");
    ps_idg_add_param(idg, "n", expr("10"))->text = g_strdup("a < b");
    ps_idg_add_warps(code, expr("0"), NULL);
    ps_idg_add_warps(code, expr("2"), expr("n"));
    ps_idg_add_dep(node, "x")->distance = expr("2 * n");
    ps_idg_add_dep(node, "x")->distance = expr(" 3");
    ps_idg_add_dep(node, "x")->all = TRUE;
    node->source_line = 3;

    g_autofree char *text = ps_idg_write(idg);
    g_assert_nonnull(strstr(text, "after=\"x@(2 * n) x@( 3) x@all\""));
    g_assert_nonnull(strstr(text, "warps=\"0, 2..n\""));
    g_autoptr(GError) error = NULL;
    g_autoptr(PsIdg) back = ps_idg_parse(text, strlen(text), "b", &error);
    g_assert_no_error(error);
    g_assert_cmpstr(back->name, ==, idg->name);
    check_round_trip(back);
}

/* ---- drawings ------------------------------------------------------------------------------ */

static void test_dot(void)
{
    g_autoptr(GPtrArray) paths = files("tests/dot", ".idg");
    g_assert_cmpuint(paths->len, >=, 1);
    for (guint i = 0; i < paths->len; i++) {
        const char *path = g_ptr_array_index(paths, i);
        g_autoptr(PsIdg) idg = load(path);
        g_autofree char *stem = g_strndup(path, strlen(path) - strlen(".idg"));
        g_autofree char *golden = g_strconcat(stem, ".dot", NULL);
        g_autofree char *expected = NULL;
        g_autofree char *drawn = ps_idg_dot(idg);
        g_assert_true(g_file_get_contents(golden, &expected, NULL, NULL));
        g_assert_cmpstr(drawn, ==, expected);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/idg/graphs", test_graphs);
    g_test_add_func("/idg/mmul", test_mmul);
    g_test_add_func("/idg/source-lines", test_source_lines);
    g_test_add_func("/idg/everything", test_everything);
    g_test_add_func("/idg/built", test_built);
    g_test_add_func("/idg/comments", test_comments);
    g_test_add_func("/idg/dot", test_dot);
    return g_test_run();
}
