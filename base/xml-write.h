/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writing the project's XML files, to memory: a thin layer over libxml2's text writer that leaves
 * out attributes without a value. Internal to the library.
 */
#ifndef PIPESIM_BASE_XML_WRITE_H
#define PIPESIM_BASE_XML_WRITE_H

#include "base/rational.h"
#include <libxml/xmlwriter.h>

/* Starts a document in buffer, with its root element in that namespace. */
xmlTextWriter *ps_xml_writer_new(xmlBuffer *buffer, const char *root, const char *ns);

/* Ends the document and the writer; returns the text (g_free) and frees the buffer. */
char *ps_xml_writer_finish(xmlTextWriter *writer, xmlBuffer *buffer);

void ps_xml_start(xmlTextWriter *writer, const char *element);
void ps_xml_end(xmlTextWriter *writer);

/* Attributes of the element that was started last. Nothing is written for NULL and for zero. A
 * decimal must be one: ps_rational_format writes other fractions in a way that no reader takes. */
void ps_xml_put_text(xmlTextWriter *writer, const char *attribute, const char *value);
void ps_xml_put_int(xmlTextWriter *writer, const char *attribute, gint64 value);
void ps_xml_put_decimal(xmlTextWriter *writer, const char *attribute, PsRational value);

#endif
