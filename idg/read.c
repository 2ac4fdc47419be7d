/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The reader of .idg files. The schema (idg.fields) has checked elements, attributes and the form
 * of names; the table's types read attributes. This file checks what takes more than one attribute:
 * names that occur twice, attributes that need each other, depth.
 */
#include "idg/internal.h"
#include "base/class-name.h"
#include "base/source-xml.h"
#include <string.h>

static PsXmlSchema schema(void)
{
    return (PsXmlSchema){.name = "idg", .text = ps_idg_rng, .root = "idg", .ns = PS_IDG_NAMESPACE};
}

/* ---- parameters and launch ----------------------------------------------------------------- */

static gboolean is_reserved(const char *name)
{
    static const char *const reserved[] = {"ceil", "floor", "log2", "max", "min", "all", NULL};
    return g_strv_contains(reserved, name);
}

/* TRUE if the name is new; then it is remembered. `what` names its kind in the message. */
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
    PsIdgParam *param = ps_idg_add_param(idg, NULL, NULL);
    param->line = place.line;
    if (!ps_fields_read(&ps_idg_fields_param, element, param, error))
        return FALSE;
    if (is_reserved(param->name)) {
        ps_error_at(error, PS_ERROR_VALUE, place,
                    "a parameter cannot be named \"%s\": the word has a meaning of its own",
                    param->name);
        return FALSE;
    }
    if (!is_new(names, param->name, "parameters", place, error))
        return FALSE;
    g_autofree char *text = ps_xml_content(element);
    if (*text != '\0')
        param->text = g_steal_pointer(&text);
    return TRUE;
}

/* ---- guesses ------------------------------------------------------------------------------- */

static gboolean read_guess(PsIdg *idg, const xmlNode *element, GError **error)
{
    PsIdgGuess *guess = g_new0(PsIdgGuess, 1);
    g_autofree char *sure = ps_xml_text(element, "sure");
    g_ptr_array_add(idg->guesses, guess);
    guess->text = ps_xml_content(element);
    while (guess->sure < PS_IDG_N_SURE - 1 && strcmp(sure, ps_idg_sure_word(guess->sure)) != 0)
        guess->sure++;
    return ps_fields_read(&ps_idg_fields_guess, element, guess, error);
}

/* ---- code ---------------------------------------------------------------------------------- */

static gboolean complain(PsPlace place, GError **error, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

static gboolean complain(PsPlace place, GError **error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *message = g_strdup_vprintf(format, args);
    va_end(args);
    ps_error_at(error, PS_ERROR_VALUE, place, "%s", message);
    return FALSE;
}

/* Checks attributes of a node that need another attribute. */
static gboolean check_needs(const PsIdgItem *node, PsPlace place, GError **error)
{
    for (int level = 0; level < PS_N_LEVELS; level++)
        if (node->share[level] && !node->bytes)
            return complain(
                place, error,
                "%s is a share of bytes, but node \"%s\" has no bytes; add bytes=\"...\"",
                ps_level_name((PsLevel)level), node->name);
    if (node->partial && !ps_class_writes(node->class_name))
        return complain(place, error,
                        "node \"%s\" writes no memory, so that nothing of it is partial; remove "
                        "that, or correct its class",
                        node->name);
    if (node->partial && !node->bytes)
        return complain(place, error,
                        "partial is a share of bytes, but node \"%s\" has no bytes; add "
                        "bytes=\"...\"",
                        node->name);
    if (node->turns && !node->spot)
        return complain(place, error,
                        "node \"%s\" has turns without the place where they are taken; add "
                        "spot=\"NAME\"",
                        node->name);
    if (node->ops && !node->type)
        return complain(place, error,
                        "node \"%s\" has ops without a type; add type=\"fp32\" (or fp16, fp64, "
                        "int, tensor)",
                        node->name);
    return TRUE;
}

static gboolean check_banks(const PsIdgItem *node, PsPlace place, GError **error)
{
    for (guint bank = 0; bank < PS_IDG_BANKS; bank++)
        if (node->kept[bank] > node->banks[bank])
            return complain(
                place, error,
                "node \"%s\" reads %u registers of bank %u, so no %u of them are kept; state "
                "at most as many in kept as in banks",
                node->name, node->banks[bank], bank, node->kept[bank]);
    return TRUE;
}

/* names: the name of each earlier node in this code, to its line. */
static gboolean read_node(GPtrArray *body, GHashTable *names, const xmlNode *element,
                          GError **error)
{
    const PsPlace place = ps_xml_place(element);
    PsIdgItem *node = ps_idg_add_node(body, NULL, NULL);
    node->line = place.line;
    if (!ps_fields_read(&ps_idg_fields_node, element, node, error) ||
        !is_new(names, node->name, "nodes in this code named", place, error))
        return FALSE;
    if (node->source_line == 0) { /* both attributes give the line */
        g_clear_pointer(&node->via, g_free);
        node->near = FALSE;
    }
    return check_banks(node, place, error) && check_needs(node, place, error);
}

static gboolean read_body(GPtrArray *body, GHashTable *names, const xmlNode *parent, int depth,
                          GError **error);

static gboolean read_loop(GPtrArray *body, GHashTable *names, const xmlNode *element, int depth,
                          GError **error)
{
    PsPlace place = ps_xml_place(element);
    if (depth > PS_IDG_MAX_DEPTH) {
        ps_error_at(error, PS_ERROR_LIMIT, place, "loops are nested more than %d deep",
                    PS_IDG_MAX_DEPTH);
        return FALSE;
    }
    PsIdgItem *loop = ps_idg_add_loop(body, NULL, NULL);
    loop->line = place.line;
    return ps_fields_read(&ps_idg_fields_loop, element, loop, error) &&
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
    g_autofree char *warps = ps_xml_text(element, "warps"), *role = ps_xml_text(element, "name");
    g_autoptr(GHashTable) names = names_new();
    PsIdgCode *code = ps_idg_add_code(idg);
    code->line = place.line;
    code->name = g_steal_pointer(&role);
    if (warps && !ps_idg_read_warps(code, warps, place, error))
        return FALSE;
    return read_body(code->body, names, element, 0, error);
}

/* kinds: names of the earlier kinds. */
static gboolean read_kind(PsIdg *idg, GHashTable *kinds, const xmlNode *element, GError **error)
{
    const PsPlace place = ps_xml_place(element);
    PsIdgGroups *kind = ps_idg_add_kind(idg, NULL, NULL);
    kind->line = place.line;
    if (!ps_fields_read(&ps_idg_fields_kind, element, kind, error) ||
        !is_new(kinds, kind->name, "kinds of groups named", place, error))
        return FALSE;
    for (const xmlNode *code = ps_xml_first(element); code; code = ps_xml_next(code))
        if (!read_code(idg, code, error))
            return FALSE;
    return TRUE;
}

/* ---- the whole ----------------------------------------------------------------------------- */

/* Names that were read, to their lines. */
typedef struct {
    GHashTable *params, *kinds;
} Names;

static gboolean read_part(PsIdg *idg, const Names *names, const xmlNode *element, GError **error)
{
    if (ps_xml_is(element, "source"))
        return ps_source_read(element, idg->sources, error);
    if (ps_xml_is(element, "guess"))
        return read_guess(idg, element, error);
    if (ps_xml_is(element, "param"))
        return read_param(idg, names->params, element, error);
    if (ps_xml_is(element, "launch")) {
        idg->launch.line = ps_xml_place(element).line;
        return ps_fields_read(&ps_idg_fields_launch, element, idg, error);
    }
    if (ps_xml_is(element, "kind"))
        return read_kind(idg, names->kinds, element, error);
    return read_code(idg, element, error);
}

/* Takes ownership of the document, which may be NULL with *error set. */
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
    idg->path = g_strdup(ps_xml_place(root).file);
    gboolean good = ps_fields_read(&ps_idg_fields_idg, root, idg, error);
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
