/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The graph in memory: building it and freeing it.
 */
#include "idg/edit.h"
#include "idg/internal.h"

#include "base/class-name.h"

#include <string.h>

static void param_free(gpointer data)
{
    PsIdgParam *param = data;
    ps_fields_free(&ps_idg_fields_param, param);
    g_free(param->text);
    g_free(param);
}

void ps_idg_free_guess(void *data)
{
    PsIdgGuess *guess = data;
    ps_fields_free(&ps_idg_fields_guess, guess);
    g_free(guess->text);
    g_free(guess);
}

const char *ps_idg_sure_word(PsIdgSure sure)
{
    static const char *const words[PS_IDG_N_SURE] = {"code", "likely", "weak"};
    return words[sure];
}

/* Recursive; the readers let no loops nest deeper than PS_IDG_MAX_DEPTH. */
void ps_idg_free_item(void *data)
{
    PsIdgItem *item = data;
    ps_fields_free(ps_idg_item_fields(item), item);
    g_clear_pointer(&item->body, g_ptr_array_unref);
    g_free(item->file);
    g_free(item->comment);
    g_free(item);
}

static void code_free(gpointer data)
{
    PsIdgCode *code = data;
    g_clear_pointer(&code->warps, g_ptr_array_unref);
    g_free(code->name);
    g_ptr_array_unref(code->body);
    g_free(code);
}

static void kind_free(gpointer data)
{
    PsIdgGroups *kind = data;
    ps_fields_free(&ps_idg_fields_kind, kind);
    g_free(kind);
}

PsIdg *ps_idg_new(const char *name)
{
    PsIdg *idg = g_new0(PsIdg, 1);
    idg->name = g_strdup(name);
    idg->launch.work_error = idg->launch.unseen = PS_RATIONAL_INT(0);
    idg->launch.hidden = idg->launch.executed = PS_RATIONAL_INT(0);
    idg->sources = ps_sources_new();
    idg->guesses = g_ptr_array_new_with_free_func(ps_idg_free_guess);
    idg->params = g_ptr_array_new_with_free_func(param_free);
    idg->kinds = g_ptr_array_new_with_free_func(kind_free);
    idg->codes = g_ptr_array_new_with_free_func(code_free);
    return idg;
}

void ps_idg_free(PsIdg *idg)
{
    if (!idg)
        return;
    g_free(idg->path);
    g_free(idg->name);
    for (guint i = 0; ps_idg_fields[i]; i++)
        ps_fields_free(ps_idg_fields[i], idg);
    g_ptr_array_unref(idg->sources);
    g_ptr_array_unref(idg->guesses);
    g_ptr_array_unref(idg->params);
    g_ptr_array_unref(idg->kinds);
    g_ptr_array_unref(idg->codes);
    g_clear_pointer(&idg->stated_paths, g_hash_table_unref);
    g_free(idg->made_of);
    g_clear_pointer(&idg->warnings, g_ptr_array_unref);
    g_free(idg);
}

PsIdgParam *ps_idg_add_param(PsIdg *idg, const char *name, PsExpr *value)
{
    PsIdgParam *param = g_new0(PsIdgParam, 1);
    param->name = g_strdup(name);
    param->value = value;
    g_ptr_array_add(idg->params, param);
    return param;
}

PsIdgGroups *ps_idg_add_kind(PsIdg *idg, const char *name, PsExpr *share)
{
    PsIdgGroups *kind = g_new0(PsIdgGroups, 1);
    kind->name = g_strdup(name);
    kind->share = share;
    g_ptr_array_add(idg->kinds, kind);
    return kind;
}

PsIdgCode *ps_idg_add_code(PsIdg *idg)
{
    PsIdgCode *code = g_new0(PsIdgCode, 1);
    code->kind = idg->kinds->len > 0 ? idg->kinds->len - 1 : 0;
    code->body = g_ptr_array_new_with_free_func(ps_idg_free_item);
    g_ptr_array_add(idg->codes, code);
    return code;
}

static PsIdgItem *add_item(GPtrArray *body, PsIdgKind kind, const char *name)
{
    PsIdgItem *item = g_new0(PsIdgItem, 1);
    item->kind = kind;
    item->name = g_strdup(name);
    g_ptr_array_add(body, item);
    return item;
}

PsIdgItem *ps_idg_add_node(GPtrArray *body, const char *name, const char *class_name)
{
    PsIdgItem *node = add_item(body, PS_IDG_NODE, name);
    node->class_name = g_strdup(class_name);
    node->after = ps_idg_new_deps();
    return node;
}

PsIdgItem *ps_idg_add_loop(GPtrArray *body, const char *name, PsExpr *times)
{
    PsIdgItem *loop = add_item(body, PS_IDG_LOOP, name);
    loop->times = times;
    loop->body = g_ptr_array_new_with_free_func(ps_idg_free_item);
    return loop;
}

const char *ps_idg_partial(const PsIdg *idg)
{
    for (guint i = 0; i < idg->sources->len; i++) {
        const PsSource *source = idg->sources->pdata[i];
        if (g_str_has_prefix(source->text, PS_IDG_PARTIAL))
            return source->text + strlen(PS_IDG_PARTIAL);
    }
    return NULL;
}

PsPlace ps_idg_place(const PsIdg *idg, int line)
{
    return (PsPlace){idg->path ? idg->path : idg->name, line};
}

gboolean ps_idg_is_barrier(const PsIdgItem *node)
{
    return ps_class_covers("barrier", node->class_name);
}

static void forget_lines(GPtrArray *body)
{
    for (guint i = 0; i < body->len; i++) {
        PsIdgItem *item = body->pdata[i];
        item->line = 0;
        if (item->kind == PS_IDG_LOOP)
            forget_lines(item->body);
    }
}

void ps_idg_forget_lines(PsIdg *idg)
{
    idg->launch.line = 0;
    for (guint i = 0; i < idg->params->len; i++)
        ((PsIdgParam *)idg->params->pdata[i])->line = 0;
    for (guint i = 0; i < idg->kinds->len; i++)
        ((PsIdgGroups *)idg->kinds->pdata[i])->line = 0;
    for (guint i = 0; i < idg->codes->len; i++) {
        PsIdgCode *code = idg->codes->pdata[i];
        code->line = 0;
        forget_lines(code->body);
    }
}
