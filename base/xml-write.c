/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writing XML to memory. The text writer's calls fail only where memory is short, where GLib ends
 * the program too, so their results are not asked for.
 */
#include "base/xml-write.h"

xmlTextWriter *ps_xml_writer_new(xmlBuffer *buffer, const char *root, const char *ns)
{
    xmlTextWriter *writer = xmlNewTextWriterMemory(buffer, 0);
    xmlTextWriterSetIndent(writer, 1);
    xmlTextWriterSetIndentString(writer, BAD_CAST "  ");
    xmlTextWriterStartDocument(writer, "1.0", "UTF-8", NULL);
    ps_xml_start(writer, root);
    ps_xml_put_text(writer, "xmlns", ns);
    return writer;
}

char *ps_xml_writer_finish(xmlTextWriter *writer, xmlBuffer *buffer)
{
    xmlTextWriterEndDocument(writer); /* closes the root element, too */
    xmlFreeTextWriter(writer);
    char *text = g_strdup((const char *)xmlBufferContent(buffer));
    xmlBufferFree(buffer);
    return text;
}

void ps_xml_start(xmlTextWriter *writer, const char *element)
{
    xmlTextWriterStartElement(writer, BAD_CAST element);
}

void ps_xml_end(xmlTextWriter *writer)
{
    xmlTextWriterEndElement(writer);
}

void ps_xml_put_text(xmlTextWriter *writer, const char *attribute, const char *value)
{
    if (value)
        xmlTextWriterWriteAttribute(writer, BAD_CAST attribute, BAD_CAST value);
}

void ps_xml_put_int(xmlTextWriter *writer, const char *attribute, gint64 value)
{
    ps_xml_put_decimal(writer, attribute, PS_RATIONAL_INT(value));
}

void ps_xml_put_decimal(xmlTextWriter *writer, const char *attribute, PsRational value)
{
    if (value.num == 0)
        return;
    g_autofree char *text = ps_rational_format(value);
    ps_xml_put_text(writer, attribute, text);
}
