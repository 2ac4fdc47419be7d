/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The reader of .idg files. The schema (idg.rng) has checked elements, attributes and the form of
 * names before anything here runs; what it cannot say is checked here: names that occur twice,
 * expressions, lists, depth.
 */
#include "idg/internal.h"
#include "base/source-xml.h"
#include <string.h>

/* Written by the build from idg.rng. */
extern const char ps_idg_rng[];

static PsXmlSchema schema(void)
{
    return (PsXmlSchema){.name = "idg", .text = ps_idg_rng, .root = "idg", .ns = PS_IDG_NAMESPACE};
}

/* An attribute that holds an expression; *expr stays NULL where it is absent. */
static gboolean read_expr(const xmlNode *element, const char *attribute, PsExpr **expr,
                          GError **error)
{
    g_autofree char *text = ps_xml_text(element, attribute);
    if (!text)
        return TRUE;
    *expr = ps_expr_new(text, ps_xml_place(element), error);
    return *expr != NULL;
}

/* ---- parameters and launch ----------------------------------------------------------------- */

static gboolean is_reserved(const char *name)
{
    static const char *const reserved[] = {"ceil", "floor", "log2", "max", "min", "all", NULL};
    return g_strv_contains(reserved, name);
}

/* TRUE, and remembers the name, where it is new; what it names is for the message. */
static gboolean is_new(GHashTable *names, const char *name, const char *what, PsPlace place,
                       GError **error)
{
    gpointer line;
    if (g_hash_table_lookup_extended(names, name, NULL, &line)) {
        ps_error_at(error, PS_ERROR_VALUE, place,
                    "there are two %s \"%s\"; the first is in line %d", what, name,
                    GPOINTER_TO_INT(line));
        return FALSE;
    }
    g_hash_table_insert(names, g_strdup(name), GINT_TO_POINTER(place.line));
    return TRUE;
}

static GHashTable *names_new(void)
{
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

static gboolean read_param(PsIdg *idg, GHashTable *names, const xmlNode *element, GError **error)
{
    PsPlace place = ps_xml_place(element);
    g_autofree char *name = ps_xml_text(element, "name");
    PsExpr *value = NULL;
    if (is_reserved(name)) {
        ps_error_at(error, PS_ERROR_VALUE, place,
                    "a parameter cannot be named \"%s\": the word has a meaning of its own", name);
        return FALSE;
    }
    if (!is_new(names, name, "parameters", place, error))
        return FALSE;
    if (!read_expr(element, "value", &value, error))
        return FALSE;
    PsIdgParam *param = ps_idg_add_param(idg, name, value);
    param->line = place.line;
    g_autofree char *text = ps_xml_content(element);
    if (*text != '\0')
        param->text = g_steal_pointer(&text);
    return TRUE;
}

static gboolean read_launch(PsIdgLaunch *launch, const xmlNode *element, GError **error)
{
    launch->line = ps_xml_place(element).line;
    return read_expr(element, "groups", &launch->groups, error) &&
           read_expr(element, "group-size", &launch->group_size, error) &&
           read_expr(element, "registers", &launch->registers, error) &&
           read_expr(element, "accumulators", &launch->accumulators, error) &&
           read_expr(element, "scalar-registers", &launch->scalar_registers, error) &&
           read_expr(element, "local-memory", &launch->local_memory, error);
}

/* ---- code ---------------------------------------------------------------------------------- */

/* "LINE" or "FILE:LINE"; the schema keeps LINE within nine digits. */
static void read_source_line(PsIdgItem *node, const xmlNode *element)
{
    g_autofree char *text = ps_xml_text(element, "line");
    if (!text)
        return;
    const char *colon = strrchr(text, ':');
    node->source_line = (int)g_ascii_strtoll(colon ? colon + 1 : text, NULL, 10);
    if (colon)
        node->file = g_strndup(text, (gsize)(colon - text));
    g_autofree char *near = ps_xml_text(element, "near");
    node->near = near != NULL;
    node->via = ps_xml_text(element, "via");
}

/* The schema keeps it within four digits; 0: there is none. */
static guint read_small(const xmlNode *element, const char *name)
{
    g_autofree char *text = ps_xml_text(element, name);
    return text ? (guint)g_ascii_strtoull(text, NULL, 10) : 0;
}

/* How its access lies to others. */
static gboolean read_neighbours(PsIdgItem *node, const xmlNode *element, GError **error)
{
    g_autofree char *offset = ps_xml_text(element, "offset");
    node->beside = ps_xml_text(element, "beside");
    node->vector = read_small(element, "vector");
    node->meet = read_small(element, "meet");
    node->serial = read_small(element, "serial");
    node->invariant = read_small(element, "invariant");
    node->offset =
        g_strcmp0(offset, "varies") == 0 ? PS_IDG_ANY_OFFSET : read_small(element, "offset");
    return read_expr(element, "distinct", &node->distinct, error) &&
           read_expr(element, "read-only", &node->read_only, error);
}

/* Which threads of a warp come to it; the schema keeps the side within six digits. */
static gboolean read_lanes(PsIdgItem *node, const xmlNode *element, GError **error)
{
    g_autofree char *side = ps_xml_text(element, "side");
    node->side = side ? (guint)g_ascii_strtoull(side, NULL, 10) : 0;
    return read_expr(element, "lanes", &node->lanes, error);
}

/* What the instruction moves and counts as. */
static gboolean read_work(PsIdgItem *node, const xmlNode *element, GError **error)
{
    PsPlace place = ps_xml_place(element);
    node->type = ps_xml_text(element, "type");
    node->op = ps_xml_text(element, "op");
    node->part = ps_xml_text(element, "part");
    node->by = ps_xml_text(element, "by");
    node->spot = ps_xml_text(element, "spot");
    if (!read_neighbours(node, element, error) ||
        !read_expr(element, "lines", &node->lines, error) ||
        !read_expr(element, "wavefronts", &node->wavefronts, error) ||
        !read_expr(element, "turns", &node->turns, error) ||
        !read_expr(element, "bytes", &node->bytes, error) ||
        !read_expr(element, "ops", &node->ops, error))
        return FALSE;
    for (int level = 0; level < PS_N_LEVELS; level++) {
        const char *name = ps_level_name((PsLevel)level);
        if (!read_expr(element, name, &node->share[level], error))
            return FALSE;
        if (node->share[level] && !node->bytes) {
            ps_error_at(error, PS_ERROR_VALUE, place,
                        "%s is a share of bytes, but node \"%s\" has no bytes; add bytes=\"...\"",
                        name, node->name);
            return FALSE;
        }
    }
    if (node->turns && !node->spot) {
        ps_error_at(error, PS_ERROR_VALUE, place,
                    "node \"%s\" has turns without the place where they are taken; add "
                    "spot=\"NAME\"",
                    node->name);
        return FALSE;
    }
    if (node->ops && !node->type) {
        ps_error_at(error, PS_ERROR_VALUE, place,
                    "node \"%s\" has ops without a type; add type=\"fp32\" (or fp16, fp64, int, "
                    "tensor)",
                    node->name);
        return FALSE;
    }
    return TRUE;
}

/* Two numbers of one digit, as the schema says; zeros where there are none. */
static void read_banks(const xmlNode *element, const char *attribute, guint8 *of)
{
    g_autofree char *text = ps_xml_text(element, attribute);
    g_auto(GStrv) words = g_strsplit_set(text ? text : "", " ", -1);
    for (guint bank = 0; words[0] && bank < PS_IDG_BANKS; bank++)
        of[bank] = (guint8)g_ascii_digit_value(words[bank][0]);
}

static gboolean read_all_banks(PsIdgItem *node, const xmlNode *element, GError **error)
{
    read_banks(element, "banks", node->banks);
    read_banks(element, "kept", node->kept);
    for (guint bank = 0; bank < PS_IDG_BANKS; bank++)
        if (node->kept[bank] > node->banks[bank]) {
            ps_error_at(
                error, PS_ERROR_VALUE, ps_xml_place(element),
                "node \"%s\" reads %u registers of bank %u, so no %u of them are kept; state "
                "at most as many in kept as in banks",
                node->name, node->banks[bank], bank, node->kept[bank]);
            return FALSE;
        }
    return TRUE;
}

/* names: every node's name in this code so far, to the line that it is in. */
static gboolean read_node(GPtrArray *body, GHashTable *names, const xmlNode *element,
                          GError **error)
{
    PsPlace place = ps_xml_place(element);
    g_autofree char *name = ps_xml_text(element, "name");
    g_autofree char *class_name = ps_xml_text(element, "class");
    g_autofree char *after = ps_xml_text(element, "after");
    g_autofree char *reads = ps_xml_text(element, "reads");
    if (!is_new(names, name, "nodes in this code named", place, error))
        return FALSE;
    PsIdgItem *node = ps_idg_add_node(body, name, class_name);
    node->line = place.line;
    read_source_line(node, element);
    return (!after || ps_idg_read_deps(node, "after", after, place, error)) &&
           (!reads || ps_idg_read_deps(node, "reads", reads, place, error)) &&
           read_expr(element, "hold", &node->hold, error) && read_all_banks(node, element, error) &&
           read_lanes(node, element, error) && read_work(node, element, error);
}

static gboolean read_body(GPtrArray *body, GHashTable *names, const xmlNode *parent, int depth,
                          GError **error);

static gboolean read_loop(GPtrArray *body, GHashTable *names, const xmlNode *element, int depth,
                          GError **error)
{
    PsPlace place = ps_xml_place(element);
    g_autofree char *name = ps_xml_text(element, "name");
    if (depth > PS_IDG_MAX_DEPTH) {
        ps_error_at(error, PS_ERROR_LIMIT, place, "loops are nested more than %d deep",
                    PS_IDG_MAX_DEPTH);
        return FALSE;
    }
    PsIdgItem *loop = ps_idg_add_loop(body, name, NULL);
    loop->line = place.line;
    return read_expr(element, "times", &loop->times, error) &&
           read_body(loop->body, names, element, depth, error);
}

static gboolean read_body(GPtrArray *body, GHashTable *names, const xmlNode *parent, int depth,
                          GError **error)
{
    for (const xmlNode *child = ps_xml_first(parent); child; child = ps_xml_next(child)) {
        gboolean good = ps_xml_is(child, "loop") ? read_loop(body, names, child, depth + 1, error)
                                                 : read_node(body, names, child, error);
        if (!good)
            return FALSE;
    }
    return TRUE;
}

static gboolean read_code(PsIdg *idg, const xmlNode *element, GError **error)
{
    PsPlace place = ps_xml_place(element);
    g_autofree char *warps = ps_xml_text(element, "warps");
    g_autoptr(GHashTable) names = names_new();
    PsIdgCode *code = ps_idg_add_code(idg);
    code->line = place.line;
    if (warps && !ps_idg_read_warps(code, warps, place, error))
        return FALSE;
    return read_body(code->body, names, element, 0, error);
}

/* kinds: the names of those before it. */
static gboolean read_kind(PsIdg *idg, GHashTable *kinds, const xmlNode *element, GError **error)
{
    const PsPlace place = ps_xml_place(element);
    g_autofree char *name = ps_xml_text(element, "name");
    PsExpr *share = NULL;
    if (!is_new(kinds, name, "kinds of groups named", place, error) ||
        !read_expr(element, "share", &share, error))
        return FALSE;
    ps_idg_add_kind(idg, name, share)->line = place.line;
    for (const xmlNode *code = ps_xml_first(element); code; code = ps_xml_next(code))
        if (!read_code(idg, code, error))
            return FALSE;
    return TRUE;
}

/* ---- the whole ----------------------------------------------------------------------------- */

/* Names that were read, to the lines that they are in. */
typedef struct {
    GHashTable *params, *kinds;
} Names;

static gboolean read_part(PsIdg *idg, const Names *names, const xmlNode *element, GError **error)
{
    if (ps_xml_is(element, "source"))
        return ps_source_read(element, idg->sources, error);
    if (ps_xml_is(element, "param"))
        return read_param(idg, names->params, element, error);
    if (ps_xml_is(element, "launch"))
        return read_launch(&idg->launch, element, error);
    if (ps_xml_is(element, "kind"))
        return read_kind(idg, names->kinds, element, error);
    return read_code(idg, element, error);
}

/* Takes the document, which may be NULL with *error set. */
static PsIdg *read_document(xmlDoc *document, GError **error)
{
    if (!document)
        return NULL;
    const xmlNode *root = xmlDocGetRootElement(document);
    g_autofree char *name = ps_xml_text(root, "name");
    g_autoptr(GHashTable) params = names_new();
    g_autoptr(GHashTable) kinds = names_new();
    const Names names = {params, kinds};
    g_autoptr(PsIdg) idg = ps_idg_new(name);
    gboolean good = TRUE;

    idg->path = g_strdup(ps_xml_place(root).file);
    idg->title = ps_xml_text(root, "title");
    idg->file = ps_xml_text(root, "file");
    idg->digest = ps_xml_text(root, "digest");
    g_autofree char *code = ps_xml_text(root, "code");
    idg->of_ptx = code != NULL; /* the schema knows no other word than "ptx" */
    for (const xmlNode *part = ps_xml_first(root); part && good; part = ps_xml_next(part))
        good = read_part(idg, &names, part, error);
    ps_xml_free(document);
    return good ? g_steal_pointer(&idg) : NULL;
}

PsIdg *ps_idg_load(const char *path, GError **error)
{
    PsXmlSchema idg = schema();
    return read_document(ps_xml_load(path, &idg, error), error);
}

PsIdg *ps_idg_parse(const char *text, gsize length, const char *name, GError **error)
{
    PsXmlSchema idg = schema();
    return read_document(ps_xml_load_memory(text, length, name, &idg, error), error);
}
