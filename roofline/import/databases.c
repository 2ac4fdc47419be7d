/* SPDX-License-Identifier: BSD-3-Clause */
/* See databases.h. */
#include "roofline/import/databases.h"

#include <string.h>

/* A table that each database of the kind has, and the function that reads the database. */
static const struct {
    const char *table; /* the table's name, or the begin of its name */
    const char *kind;
    gboolean (*read)(PsImport *import, PsDatabase *database, GError **error);
} kinds[] = {{"StringIds", "Nsight Systems database", ps_import_nsys_database},
             {"rocpd_kernel_dispatch", "rocpd", ps_import_rocpd}};

static gboolean unknown_database(const PsImport *import, PsDatabase *database, GError **error)
{
    gboolean is_nvprof;
    if (!ps_database_has(database, "StringTable", &is_nvprof, error))
        return FALSE;
    ps_error_at(error, PS_ERROR_SYNTAX, (PsPlace){import->csv->name, 0},
                is_nvprof ? "of a report of nvprof pipesim reads what it exports: nvprof "
                            "--import-profile FILE --csv"
                          : "this SQLite database is no profile that pipesim knows; it reads those "
                            "of nsys export --type sqlite and of rocprofv3 (rocpd)");
    return FALSE;
}

gboolean ps_import_database(PsImport *import, GError **error)
{
    if (strcmp(import->csv->name, "-") == 0) {
        ps_error_at(error, PS_ERROR_READ, (PsPlace){import->csv->name, 0},
                    "a SQLite database cannot be read from standard input: give its file's name");
        return FALSE;
    }
    g_autoptr(PsDatabase) database =
        ps_database_open(import->csv->name, &import->options->progress, error);
    for (guint i = 0; database && i < G_N_ELEMENTS(kinds); i++) {
        g_auto(GStrv) found = ps_database_suffixes(database, kinds[i].table, error);
        if (!found)
            return FALSE;
        if (!found[0])
            continue;
        import->profile->kind = kinds[i].kind;
        return kinds[i].read(import, database, error);
    }
    return database && unknown_database(import, database, error);
}
