/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The writer of .idg files: elements in the schema's order, attributes in that of idg.fields, so
 * that equal graphs give equal texts.
 */
#include "idg/internal.h"
#include "base/source-xml.h"

static void write_param(xmlTextWriter *writer, const PsIdgParam *param)
{
    ps_xml_start(writer, "param");
    ps_fields_write(&ps_idg_fields_param, writer, param);
    if (param->text)
        xmlTextWriterWriteString(writer, BAD_CAST param->text);
    ps_xml_end(writer);
}

static void write_guess(xmlTextWriter *writer, const PsIdgGuess *guess)
{
    ps_xml_start(writer, "guess");
    ps_fields_write(&ps_idg_fields_guess, writer, guess);
    ps_xml_put_text(writer, "sure", ps_idg_sure_word(guess->sure));
    xmlTextWriterWriteString(writer, BAD_CAST guess->text);
    ps_xml_end(writer);
}

/* XML allows neither "--" in a comment nor "-" at its end, nor most control characters; invisible
 * characters would make comments look alike that differ. */
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
        const PsFields *fields = ps_idg_item_fields(item);
        ps_xml_start(writer, fields->element);
        ps_fields_write(fields, writer, item);
        if (item->kind == PS_IDG_LOOP)
            write_body(writer, item->body);
        ps_xml_end(writer);
    }
}

static void write_code(xmlTextWriter *writer, const PsIdgCode *code)
{
    ps_xml_start(writer, "code");
    if (code->name)
        ps_xml_put_text(writer, "name", code->name);
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
        ps_fields_write(&ps_idg_fields_kind, writer, kind);
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
    ps_fields_write(&ps_idg_fields_idg, writer, idg);
    for (guint i = 0; i < idg->sources->len; i++)
        ps_source_write(writer, g_ptr_array_index(idg->sources, i));
    for (guint i = 0; i < idg->guesses->len; i++)
        write_guess(writer, g_ptr_array_index(idg->guesses, i));
    for (guint i = 0; i < idg->params->len; i++)
        write_param(writer, g_ptr_array_index(idg->params, i));
    ps_xml_start(writer, "launch");
    ps_fields_write(&ps_idg_fields_launch, writer, idg);
    ps_xml_end(writer);
    if (idg->kinds->len > 0)
        write_kinds(writer, idg);
    else
        write_codes(writer, idg, 0);
    return ps_xml_writer_finish(writer, buffer);
}
