/* SPDX-License-Identifier: BSD-3-Clause */
/* The attribute `awaits` says what a node needs from other warps; idg.h has its spelling. */
#include "idg/internal.h"

#include <string.h>

#define WHITE_SPACE " \t\r\n"
#define TO_ALL "..all"

static void await_free(gpointer data)
{
    PsIdgAwait *await = data;
    g_free(await->role);
    g_free(await->on);
    ps_expr_free(await->per);
    ps_expr_free(await->every);
    ps_expr_free(await->before);
    g_free(await);
}

PsIdgAwait *ps_idg_add_await(PsIdgItem *node, const char *role, const char *on)
{
    PsIdgAwait *await = g_new0(PsIdgAwait, 1);
    if (!node->awaits.list)
        node->awaits.list = g_ptr_array_new_with_free_func(await_free);
    await->role = g_strdup(role);
    await->on = g_strdup(on);
    g_ptr_array_add(node->awaits.list, await);
    return await;
}

static gboolean body_has_awaits(const GPtrArray *body)
{
    for (guint i = 0; i < body->len; i++) {
        const PsIdgItem *item = body->pdata[i];
        if (item->awaits.list || (item->kind == PS_IDG_LOOP && body_has_awaits(item->body)))
            return TRUE;
    }
    return FALSE;
}

gboolean ps_idg_has_awaits(const PsIdg *idg)
{
    for (guint i = 0; i < idg->codes->len; i++)
        if (body_has_awaits(((const PsIdgCode *)idg->codes->pdata[i])->body))
            return TRUE;
    return FALSE;
}

/* ---- reading ------------------------------------------------------------------------------- */

/* Cuts the word before the sign and returns the text behind it; NULL: no sign stands outside of
 * brackets. */
static char *cut(char *word, const char *sign)
{
    char *at = word + (ps_idg_outside_brackets(word, sign) - word);
    if (*at == '\0')
        return NULL;
    *at = '\0';
    return at + 1;
}

static gboolean read_number(PsExpr **expr, const char *text, PsPlace place, GError **error)
{
    if (text)
        *expr = ps_expr_new(text, place, error);
    return !text || *expr;
}

static gboolean is_name(const char *text)
{
    return text && ps_expr_is_name(text);
}

/* Cuts the end off the word if the word has it. */
static gboolean cut_end(char *word, const char *end)
{
    if (!word || !g_str_has_suffix(word, end))
        return FALSE;
    word[strlen(word) - strlen(end)] = '\0';
    return TRUE;
}

/* Reads one wait: "role:x", "role:x*P/E@D", "role:x@D..all", "role:x@all". */
static gboolean read_await(PsIdgItem *node, char *word, PsPlace place, GError **error)
{
    g_autofree char *whole = g_strdup(word);
    char *before = cut(word, "@");
    const char *every = cut(word, "/"), *per = cut(word, "*"), *on = cut(word, ":");
    const gboolean to_all = cut_end(before, TO_ALL);
    const gboolean all = before && strcmp(before, "all") == 0;
    if (!is_name(word) || !is_name(on) || (all && (per || every))) {
        ps_error_at(error, PS_ERROR_SYNTAX, place,
                    "awaits: \"%s\" is not written ROLE:NODE; write role:x, role:x@3, role:x*4, "
                    "role:x/8, role:x*4/8@2, role:x@3..all or role:x@all",
                    whole);
        return FALSE;
    }
    PsIdgAwait *await = ps_idg_add_await(node, word, on);
    await->all = all;
    await->to_all = to_all;
    return read_number(&await->per, per, place, error) &&
           read_number(&await->every, every, place, error) &&
           read_number(&await->before, all ? NULL : before, place, error);
}

static gboolean read_awaits(const PsField *field, const xmlNode *element, void *at, GError **error)
{
    g_autofree char *text = ps_xml_text(element, field->name);
    const PsPlace place = ps_xml_place(element);
    PsIdgItem *node = G_STRUCT_MEMBER_P(at, -(glong)field->offset);
    const char *next = text + strspn(text, WHITE_SPACE);
    guint n = 0;
    if (*next == '\0')
        ps_error_at(error, PS_ERROR_SYNTAX, place,
                    "awaits is empty; name the nodes of other warps that this one needs, or leave "
                    "it out");
    for (; *next != '\0' && n < PS_IDG_MAX_AFTER; n++) {
        const char *end = ps_idg_outside_brackets(next, WHITE_SPACE);
        g_autofree char *word = g_strndup(next, (gsize)(end - next));
        if (!read_await(node, word, place, error))
            return FALSE;
        next = end + strspn(end, WHITE_SPACE);
    }
    if (*next != '\0')
        ps_error_at(error, PS_ERROR_LIMIT, place, "awaits: node \"%s\" has more than %d, the most",
                    node->name, PS_IDG_MAX_AFTER);
    return n > 0 && *next == '\0';
}

/* ---- writing ------------------------------------------------------------------------------- */

static void spell_number(GString *text, char sign, const PsExpr *expr)
{
    if (!expr)
        return;
    const char *number = ps_expr_text(expr);
    const gboolean bare =
        *ps_idg_outside_brackets(number, WHITE_SPACE "@/*") == '\0' && strcmp(number, "all") != 0;
    g_string_append_printf(text, bare ? "%c%s" : "%c(%s)", sign, number);
}

static void write_awaits(const PsField *field, xmlTextWriter *writer, const void *at)
{
    const GPtrArray *list = ((const PsIdgAwaits *)at)->list;
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; list && i < list->len; i++) {
        const PsIdgAwait *await = list->pdata[i];
        g_string_append_printf(text, "%s%s:%s", i > 0 ? " " : "", await->role, await->on);
        spell_number(text, '*', await->per);
        spell_number(text, '/', await->every);
        spell_number(text, '@', await->before);
        if (await->to_all)
            g_string_append(text, await->before ? TO_ALL : "@0" TO_ALL);
        if (await->all)
            g_string_append(text, "@all");
    }
    if (text->len > 0)
        ps_xml_put_text(writer, field->name, text->str);
}

static void free_awaits(void *at)
{
    g_clear_pointer(&((PsIdgAwaits *)at)->list, g_ptr_array_unref);
}

/* Copies the list alone: a member that is a struct of one pointer is copied like that pointer. */
static void *copy_awaits(const void *at)
{
    const GPtrArray *list = ((const PsIdgAwaits *)at)->list;
    PsIdgItem copies = {.kind = PS_IDG_NODE};
    for (guint i = 0; list && i < list->len; i++) {
        const PsIdgAwait *await = list->pdata[i];
        PsIdgAwait *copy = ps_idg_add_await(&copies, await->role, await->on);
        copy->all = await->all;
        copy->to_all = await->to_all;
        copy->per = ps_idg_copy_expr(await->per);
        copy->every = ps_idg_copy_expr(await->every);
        copy->before = ps_idg_copy_expr(await->before);
    }
    return copies.awaits.list;
}

const PsFieldType ps_idg_field_awaits = {NULL, read_awaits, write_awaits, free_awaits, copy_awaits};
