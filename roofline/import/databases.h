/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Profiles that are SQLite databases: their kinds, and the interface between their readers.
 */
#ifndef PIPESIM_ROOFLINE_IMPORT_DATABASES_H
#define PIPESIM_ROOFLINE_IMPORT_DATABASES_H

#include "roofline/import/database.h"
#include "roofline/import/import.h"

/* For a database of SQLite in import->csv: the first of these readers that knows its tables reads
 * it. */
gboolean ps_import_database(PsImport *import, GError **error);

/* nsys export --type sqlite; rocprofv3 --output-format rocpd */
gboolean ps_import_nsys_database(PsImport *import, PsDatabase *database, GError **error);
gboolean ps_import_rocpd(PsImport *import, PsDatabase *database, GError **error);

#endif
