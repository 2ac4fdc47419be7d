/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a baseline. See baseline.h. */
#include "check/baseline.h"

#include "base/file.h"
#include "base/json-read.h"

#include <string.h>

typedef struct {
    const char *path;
    GPtrArray *results;
    PsCheckResult *result;
    PsCheckLine line;
    gboolean has_version;
} Reader;

static gboolean line_member(PsJson *json, const char *key, gpointer self, GError **error)
{
    PsCheckLine *line = &((Reader *)self)->line;
    if (strcmp(key, "line") == 0 && !line->line)
        return ps_json_string(json, &line->line, error);
    if (strcmp(key, "text") == 0 && !line->text)
        return ps_json_string(json, &line->text, error);
    if (strcmp(key, "cycles") == 0)
        return ps_json_number(json, &line->cycles, error);
    return ps_json_skip(json, error);
}

static gboolean read_line(PsJson *json, gpointer self, GError **error)
{
    Reader *reader = self;
    reader->line = (PsCheckLine){NULL, NULL, 0};
    const gboolean good = ps_json_object(json, line_member, reader, error) &&
                          (reader->line.line || ps_json_error(json, error, PS_ERROR_SYNTAX,
                                                              "this line has no \"line\""));
    if (good)
        ps_check_result_add(reader->result, reader->line.line, reader->line.text,
                            reader->line.cycles);
    g_free(reader->line.line);
    g_free(reader->line.text);
    return good;
}

static gboolean read_text(PsJson *json, char **text, GError **error)
{
    g_clear_pointer(text, g_free);
    return ps_json_string(json, text, error);
}

static gboolean result_member(PsJson *json, const char *key, gpointer self, GError **error)
{
    PsCheckResult *result = ((Reader *)self)->result;
    if (strcmp(key, "name") == 0)
        return read_text(json, &result->name, error);
    if (strcmp(key, "gpu") == 0)
        return read_text(json, &result->gpu, error);
    if (strcmp(key, "seconds") == 0)
        return ps_json_number(json, &result->seconds, error);
    if (strcmp(key, "bank_conflicts") == 0)
        return ps_json_number(json, &result->conflicts, error);
    if (strcmp(key, "lines") == 0)
        return ps_json_array(json, read_line, self, error);
    return ps_json_skip(json, error);
}

static gboolean read_result(PsJson *json, gpointer self, GError **error)
{
    Reader *reader = self;
    reader->result = ps_check_result_new(NULL, NULL, 0);
    g_ptr_array_add(reader->results, reader->result);
    return ps_json_object(json, result_member, reader, error) &&
           ((reader->result->name && reader->result->gpu && reader->result->seconds > 0) ||
            ps_json_error(json, error, PS_ERROR_SYNTAX,
                          "this result lacks its name, GPU or seconds"));
}

static gboolean member(PsJson *json, const char *key, gpointer self, GError **error)
{
    Reader *reader = self;
    g_autofree char *version = NULL;
    if (strcmp(key, "results") == 0)
        return ps_json_array(json, read_result, self, error);
    if (strcmp(key, "baseline") != 0)
        return ps_json_skip(json, error);
    if (!ps_json_string(json, &version, error))
        return FALSE;
    reader->has_version = TRUE;
    return strcmp(version, PIPESIM_VERSION) == 0 ||
           ps_json_error(json, error, PS_ERROR_VALUE,
                         "pipesim %s wrote this baseline, and this is pipesim %s, whose "
                         "predictions may be others; pipesim check --update writes it anew",
                         version, PIPESIM_VERSION);
}

GPtrArray *ps_check_baseline_load(const char *path, GError **error)
{
    gsize length = 0;
    g_autofree char *text = ps_file_read(path, PS_FILE_MAX_BYTES, &length, error);
    if (!text)
        return NULL;
    PsJson json;
    g_autoptr(GPtrArray) results =
        g_ptr_array_new_with_free_func((GDestroyNotify)(void (*)(void))ps_check_result_free);
    Reader reader = {.path = path, .results = results};
    ps_json_init(&json, (PsPlace){path, 1}, text, length);
    if (!ps_json_object(&json, member, &reader, error) || !ps_json_finish(&json, error))
        return NULL;
    if (reader.has_version)
        return g_steal_pointer(&results);
    ps_error_at(error, PS_ERROR_SYNTAX, (PsPlace){path, 0}, "this is no baseline of pipesim check");
    return NULL;
}
