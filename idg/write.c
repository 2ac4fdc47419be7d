/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The writer of .idg files: elements in the schema's order, attributes in a fixed order, so that
 * equal graphs give equal texts.
 */
#include "idg/internal.h"
#include "base/source-xml.h"

static void put_expr(xmlTextWriter *writer, const char *attribute, const PsExpr *expr)
{
    if (expr)
        ps_xml_put_text(writer, attribute, ps_expr_text(expr));
}

static void write_param(xmlTextWriter *writer, const PsIdgParam *param)
{
    ps_xml_start(writer, "param");
    ps_xml_put_text(writer, "name", param->name);
    put_expr(writer, "value", param->value);
    if (param->text)
        xmlTextWriterWriteString(writer, BAD_CAST param->text);
    ps_xml_end(writer);
}

static void write_launch(xmlTextWriter *writer, const PsIdgLaunch *launch)
{
    ps_xml_start(writer, "launch");
    put_expr(writer, "groups", launch->groups);
    put_expr(writer, "group-size", launch->group_size);
    put_expr(writer, "registers", launch->registers);
    put_expr(writer, "accumulators", launch->accumulators);
    put_expr(writer, "scalar-registers", launch->scalar_registers);
    put_expr(writer, "local-memory", launch->local_memory);
    ps_xml_end(writer);
}

static void put_source_line(xmlTextWriter *writer, const PsIdgItem *node)
{
    if (node->file && node->source_line > 0) {
        g_autofree char *line = g_strdup_printf("%s:%d", node->file, node->source_line);
        ps_xml_put_text(writer, "line", line);
    } else {
        ps_xml_put_int(writer, "line", node->source_line);
    }
    ps_xml_put_text(writer, "via", node->via);
    ps_xml_put_text(writer, "near", node->near ? "true" : NULL);
}

static void put_neighbours(xmlTextWriter *writer, const PsIdgItem *node)
{
    ps_xml_put_text(writer, "beside", node->beside);
    ps_xml_put_int(writer, "vector", (int)node->vector);
    put_expr(writer, "distinct", node->distinct);
    put_expr(writer, "read-only", node->read_only);
    if (node->offset == PS_IDG_ANY_OFFSET)
        ps_xml_put_text(writer, "offset", "varies");
    else
        ps_xml_put_int(writer, "offset", (int)node->offset);
    ps_xml_put_int(writer, "invariant", (int)node->invariant);
}

static void put_deps(xmlTextWriter *writer, const char *attribute, const GPtrArray *deps)
{
    if (!deps || deps->len == 0)
        return;
    g_autofree char *text = ps_idg_spell_deps(deps);
    ps_xml_put_text(writer, attribute, text);
}

static void put_banks(xmlTextWriter *writer, const char *attribute, const guint8 *of)
{
    g_autofree char *text = g_strdup_printf("%u %u", of[0], of[1]);
    if (of[0] > 0 || of[1] > 0)
        ps_xml_put_text(writer, attribute, text);
}

static void write_node(xmlTextWriter *writer, const PsIdgItem *node)
{
    ps_xml_start(writer, "node");
    ps_xml_put_text(writer, "name", node->name);
    ps_xml_put_text(writer, "class", node->class_name);
    put_deps(writer, "after", node->after);
    put_expr(writer, "hold", node->hold);
    put_deps(writer, "reads", node->reads);
    put_banks(writer, "banks", node->banks);
    put_banks(writer, "kept", node->kept);
    put_expr(writer, "bytes", node->bytes);
    for (int level = 0; level < PS_N_LEVELS; level++)
        put_expr(writer, ps_level_name((PsLevel)level), node->share[level]);
    put_expr(writer, "lines", node->lines);
    put_expr(writer, "wavefronts", node->wavefronts);
    ps_xml_put_text(writer, "spot", node->spot);
    put_expr(writer, "turns", node->turns);
    ps_xml_put_int(writer, "meet", (int)node->meet);
    ps_xml_put_int(writer, "serial", (int)node->serial);
    put_neighbours(writer, node);
    put_expr(writer, "ops", node->ops);
    ps_xml_put_text(writer, "type", node->type);
    ps_xml_put_text(writer, "op", node->op);
    ps_xml_put_text(writer, "part", node->part);
    ps_xml_put_text(writer, "by", node->by);
    put_expr(writer, "lanes", node->lanes);
    ps_xml_put_int(writer, "side", (int)node->side);
    put_source_line(writer, node);
    ps_xml_end(writer);
}

/* XML allows neither "--" in a comment nor "-" at its end, nor most control characters; hidden ones
 * would make a comment look like another. */
static void write_comment(xmlTextWriter *writer, const char *comment)
{
    g_autofree char *valid = g_utf8_make_valid(comment, -1);
    g_autoptr(GString) text = g_string_new(" ");
    for (const char *at = valid; *at != '\0'; at = g_utf8_next_char(at)) {
        const gunichar c = g_utf8_get_char(at);
        if (c == '-' && text->str[text->len - 1] == '-')
            g_string_append_c(text, ' ');
        const gboolean blank =
            g_unichar_iscntrl(c) || ps_char_is_hidden(c) || c == 0xfffe || c == 0xffff;
        g_string_append_unichar(text, blank ? ' ' : c);
    }
    g_string_append_c(text, ' ');
    xmlTextWriterWriteComment(writer, BAD_CAST text->str);
}

static void write_body(xmlTextWriter *writer, const GPtrArray *body)
{
    for (guint i = 0; i < body->len; i++) {
        const PsIdgItem *item = g_ptr_array_index(body, i);
        if (item->comment)
            write_comment(writer, item->comment);
        if (item->kind == PS_IDG_NODE) {
            write_node(writer, item);
            continue;
        }
        ps_xml_start(writer, "loop");
        ps_xml_put_text(writer, "name", item->name);
        put_expr(writer, "times", item->times);
        write_body(writer, item->body);
        ps_xml_end(writer);
    }
}

static void write_code(xmlTextWriter *writer, const PsIdgCode *code)
{
    ps_xml_start(writer, "code");
    if (code->warps) {
        g_autofree char *warps = ps_idg_spell_warps(code);
        ps_xml_put_text(writer, "warps", warps);
    }
    write_body(writer, code->body);
    ps_xml_end(writer);
}

static void write_codes(xmlTextWriter *writer, const PsIdg *idg, guint kind)
{
    for (guint i = 0; i < idg->codes->len; i++) {
        const PsIdgCode *code = g_ptr_array_index(idg->codes, i);
        if (code->kind == kind)
            write_code(writer, code);
    }
}

static void write_kinds(xmlTextWriter *writer, const PsIdg *idg)
{
    for (guint i = 0; i < idg->kinds->len; i++) {
        const PsIdgGroups *kind = g_ptr_array_index(idg->kinds, i);
        ps_xml_start(writer, "kind");
        ps_xml_put_text(writer, "name", kind->name);
        put_expr(writer, "share", kind->share);
        write_codes(writer, idg, i);
        ps_xml_end(writer);
    }
}

char *ps_idg_write(const PsIdg *idg)
{
    xmlBuffer *buffer = xmlBufferCreate();
    xmlTextWriter *writer = ps_xml_writer_new(buffer, "idg", PS_IDG_NAMESPACE);
    ps_xml_put_text(writer, "version", "1");
    ps_xml_put_text(writer, "name", idg->name);
    ps_xml_put_text(writer, "title", idg->title);
    ps_xml_put_text(writer, "file", idg->file);
    ps_xml_put_text(writer, "digest", idg->digest);
    ps_xml_put_text(writer, "code", idg->of_ptx ? "ptx" : NULL);
    for (guint i = 0; i < idg->sources->len; i++)
        ps_source_write(writer, g_ptr_array_index(idg->sources, i));
    for (guint i = 0; i < idg->params->len; i++)
        write_param(writer, g_ptr_array_index(idg->params, i));
    write_launch(writer, &idg->launch);
    if (idg->kinds->len > 0)
        write_kinds(writer, idg);
    else
        write_codes(writer, idg, 0);
    return ps_xml_writer_finish(writer, buffer);
}
