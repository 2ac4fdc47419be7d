/* SPDX-License-Identifier: BSD-3-Clause */
/* What a database is: database.c opens it, database-rows.c reads it. See database.h. */
#ifndef PIPESIM_ROOFLINE_IMPORT_DATABASE_PRIVATE_H
#define PIPESIM_ROOFLINE_IMPORT_DATABASE_PRIVATE_H

#include "roofline/import/database.h"

#include "base/message.h"

#include <sqlite3.h>

struct PsDatabase {
    char *path;
    sqlite3 *handle;
    const PsHearer *hearer;
    PsProgress progress;
    gint64 told;
    guint64 page; /* bytes */
    guint64 steps, most_steps;
    GError *stop; /* why reading was ended from outside */
};

PsPlace ps_database_place(const PsDatabase *database);

/* What SQLite says of its last call; in its messages may be names of the file. FALSE. */
gboolean ps_database_fail(PsDatabase *database, GError **error);

/* NULL and *error. */
sqlite3_stmt *ps_database_prepare(PsDatabase *database, const char *query, GError **error);

/* Whether there is something of that name, and where its rows begin: 0 where it has none itself, as
 * views and virtual tables. FALSE and *error. */
gboolean ps_database_find(PsDatabase *database, const char *name, gboolean *has, int *root,
                          GError **error);

#endif
