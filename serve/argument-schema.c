/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of arguments as a JSON schema; see arguments.h. */
#include "serve/arguments.h"

#include "tell/json.h"

#include <string.h>

/* The JSON types that the values of each type of argument may have. */
static const char *const TYPES[] = {[PS_ARGUMENT_TEXT] = "[\"string\", \"number\"]",
                                    [PS_ARGUMENT_FILE] = "\"string\"",
                                    [PS_ARGUMENT_GPU] = "\"string\"",
                                    [PS_ARGUMENT_FOLDER] = "[\"string\", \"array\"]",
                                    [PS_ARGUMENT_SHAPE] = "[\"integer\", \"string\", \"array\"]",
                                    [PS_ARGUMENT_VALUES] = "[\"array\", \"object\"]",
                                    [PS_ARGUMENT_PAIRS] = "\"object\"",
                                    [PS_ARGUMENT_WORD] = "\"string\"",
                                    [PS_ARGUMENT_FLAG] = "\"boolean\"",
                                    [PS_ARGUMENT_OBJECT] = "\"object\"",
                                    [PS_ARGUMENT_LISTS] = "\"object\""};

static void put_words(PsJson *json, const char *key, const char *words)
{
    g_auto(GStrv) each = g_strsplit(words, " ", -1);
    ps_json_open(json, key, '[', PS_JSON_LINE);
    for (char **word = each; *word; word++)
        ps_json_text(json, NULL, *word);
    ps_json_close(json, ']');
}

static void put_row(PsJson *json, const PsArgumentRow *row)
{
    ps_json_open(json, row->name, '{', PS_JSON_LINE);
    ps_json_raw(json, "type", TYPES[row->type]);
    if (row->type == PS_ARGUMENT_VALUES)
        ps_json_raw(json, "items", "{\"type\": [\"string\", \"number\"]}");
    if (row->words)
        put_words(json, "enum", row->words);
    ps_json_text(json, "description", row->meaning);
    ps_json_close(json, '}');
}

char *ps_arguments_schema(guint groups, const char *required)
{
    PsJson json = {.out = g_string_new(NULL)};
    ps_json_open(&json, NULL, '{', PS_JSON_LINE);
    ps_json_text(&json, "type", "object");
    ps_json_open(&json, "properties", '{', PS_JSON_LINE);
    for (const PsArgumentRow *row = ps_argument_rows; row->name; row++)
        if (row->group & groups)
            put_row(&json, row);
    ps_json_close(&json, '}');
    if (*required)
        put_words(&json, "required", required);
    ps_json_raw(&json, "additionalProperties", "false");
    ps_json_close(&json, '}');
    return g_string_free(json.out, FALSE);
}
