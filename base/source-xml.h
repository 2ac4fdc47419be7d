/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * <source> elements, read and written in the same way by both file formats. Internal to the
 * library.
 */
#ifndef PIPESIM_BASE_SOURCE_XML_H
#define PIPESIM_BASE_SOURCE_XML_H

#include "base/source.h"
#include "base/xml-write.h"
#include "base/xml.h"

/* Most sources of a file. */
#define PS_SOURCES_MOST 1000

/* Appends the <source> element to sources (PsSource). FALSE and *error when its id is taken, or
 * when there are PS_SOURCES_MOST already. */
gboolean ps_source_read(const xmlNode *element, GPtrArray *sources, GError **error);

/* The source of that id, borrowed; NULL if there is none. */
const PsSource *ps_source_find(const GPtrArray *sources, const char *id);

/* TRUE when id is NULL or one of sources; else FALSE and *error, which lists the sources. */
gboolean ps_source_check(const GPtrArray *sources, const char *id, PsPlace place, GError **error);

/* Writes one <source> element. */
void ps_source_write(xmlTextWriter *writer, const PsSource *source);

#endif
