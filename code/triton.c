/* SPDX-License-Identifier: BSD-3-Clause */
/* See triton.h. A cubin does not tell the bytes of an extern array: they are the launch's. */
#include "code/triton.h"

#include "base/file.h"
#include "base/json-read.h"

#include <string.h>

#define CUBIN ".cubin"
/* Bytes of a file; Triton writes about a thousand. */
#define MOST_BYTES (1024 * 1024)
/* Bytes of shared memory; no GPU has as many. */
#define MOST_SHARED (64 * 1024 * 1024)

char *ps_triton_beside(const char *path, char **json)
{
    if (!g_str_has_suffix(path, CUBIN))
        return NULL;
    gsize length = 0;
    g_autofree char *name = g_strndup(path, strlen(path) - strlen(CUBIN)),
                    *beside = g_strconcat(name, ".json", NULL);
    char *text = ps_file_read(beside, MOST_BYTES, &length, NULL);
    if (text && json)
        *json = g_steal_pointer(&beside);
    return text;
}

typedef struct {
    char *name;
    guint64 shared; /* bytes */
} Said;

static gboolean take(PsJson *json, const char *key, gpointer self, GError **error)
{
    Said *said = self;
    if (strcmp(key, "name") == 0 && !said->name)
        return ps_json_string(json, &said->name, error);
    if (strcmp(key, "shared") == 0)
        return ps_json_unsigned(json, &said->shared, error);
    return ps_json_skip(json, error);
}

guint64 ps_triton_shared(const char *text, const char *kernel)
{
    PsJson json;
    Said said = {NULL, 0};
    ps_json_init(&json, (PsPlace){"triton", 1}, text, strlen(text));
    const gboolean read = ps_json_object(&json, take, &said, NULL) && ps_json_finish(&json, NULL);
    g_autofree char *name = said.name;
    return read && g_strcmp0(name, kernel) == 0 && said.shared <= MOST_SHARED ? said.shared : 0;
}
