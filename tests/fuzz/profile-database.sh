#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# profile-database.sh PROGRAM FOLDER: databases for the fuzzer to begin with, in small pages, and one
# whose statistics SQLite has.
set -eu
folder=$2
for sql in nsys rocpd; do
    for size in 512 4096; do
        database=$folder/$sql-$size.db
        rm -f "$database"
        { echo "PRAGMA page_size = $size;"; cat "tests/profiles/$sql.sql"; } | sqlite3 "$database"
    done
done
sqlite3 "$folder/nsys-4096.db" 'ANALYZE'
