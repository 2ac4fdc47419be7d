/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Results that are kept in a folder, for this process and others, under a key that is a digest of
 * everything that made them:
 *
 *     ps_store_key_new, ps_store_key_add, ...     the key
 *     ps_store_find                               the result, if it is there
 *     ps_store_keep                               else it is made, and kept
 *
 * Some files that a result depends on are known only when it is made: the headers that a source
 * includes. So a result is kept with their names and a digest of their contents, and is found only
 * while they have these contents. Each PsStore reads a file once.
 *
 * Each result is a file, which is written under a temporary name and then renamed. It begins with
 * the digest of all that follows: a file that was cut off or changed is as if it were not there.
 * The folder has 16 parts by the first digit of keys; where a part takes more than a 16th of what
 * is allowed, the results that were not used for longest are removed. Many processes may share a
 * folder, and threads a PsStore.
 */
#ifndef PIPESIM_BASE_STORE_H
#define PIPESIM_BASE_STORE_H

#include "base/message.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef struct PsStore PsStore;

/* A store in a folder, which is made when something is kept. The store takes at most so many
 * bytes. */
PsStore *ps_store_new(const char *folder, guint64 most_bytes);
void ps_store_free(PsStore *store);

/* ---- keys ---------------------------------------------------------------------------------- */

/* A key begins with what the result is and the version of its form: "listing 1". Free with
 * g_checksum_free, after its end with g_checksum_get_string. */
GChecksum *ps_store_key_new(const char *kind);

/* Adds a text, which may be NULL, or so many bytes. */
void ps_store_key_add(GChecksum *key, const char *text);
void ps_store_key_add_bytes(GChecksum *key, gconstpointer bytes, gsize length);

/* Adds all texts of a list that ends with NULL, or is NULL. */
void ps_store_key_add_list(GChecksum *key, const char *const *texts);

/* Adds which program that is: its path, size, and when it was changed; or that it is not there. */
void ps_store_key_add_program(GChecksum *key, const char *path);

/* Adds the digest of this library's sources, which decide what it computes. */
void ps_store_key_add_self(GChecksum *key);

/* ---- what is kept -------------------------------------------------------------------------- */

/* What a result was made of besides its key. */
typedef struct {
    GPtrArray *files;   /* char *: paths of files, also of missing ones */
    GPtrArray *folders; /* char *: folders in which another file by the name of one of these files
                           would have been taken in its place */
    gint64 since; /* when work on the result began, in microseconds: if a file was changed after
                     that, nobody knows what the result was made of, and nothing is kept */
} PsStoreInputs;

/* No inputs yet, from now on. Free with ps_store_inputs_free. */
PsStoreInputs *ps_store_inputs_new(void);
void ps_store_inputs_free(PsStoreInputs *inputs);

/* Adds all of another's inputs. */
void ps_store_inputs_add(PsStoreInputs *inputs, const PsStoreInputs *other);

/* The result under the key (g_bytes_unref). NULL if there is none, or its files have changed. Its
 * inputs are added to `inputs`, which may be NULL. */
GBytes *ps_store_find(PsStore *store, const char *key, PsStoreInputs *inputs);

/* Keeps a result; inputs may be NULL. FALSE and *error (PS_ERROR_READ), which names the folder,
 * where it cannot be written. */
gboolean ps_store_keep(PsStore *store, const char *key, const PsStoreInputs *inputs, GBytes *bytes,
                       GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsStore, ps_store_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsStoreInputs, ps_store_inputs_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
