/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of a database: database.c opens it, database-rows.c reads it. See database.h. */
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

/* Sets SQLite's error of its last call, whose message may have names of the file. FALSE. */
gboolean ps_database_fail(PsDatabase *database, GError **error);

/* NULL and *error. */
sqlite3_stmt *ps_database_prepare(PsDatabase *database, const char *query, GError **error);

/* TRUE if there is a table or view of that name; and the place where its rows begin: 0 if it has
 * none itself, as views and virtual tables. FALSE and *error if that cannot be read. */
gboolean ps_database_find(PsDatabase *database, const char *name, gboolean *has, int *root,
                          GError **error);

#endif
