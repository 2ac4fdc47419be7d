/* SPDX-License-Identifier: BSD-3-Clause */
#include "tell/answer-json.h"

#include "tell/answer.h"
#include "tell/json.h"

char *ps_answer_json(const PsAnswer *answer, double measured)
{
    g_autoptr(PsTold) facts = ps_answer_told(answer, measured);
    PsJson json = {.out = g_string_new(NULL)};
    ps_json_told_object(&json, facts);
    g_string_append_c(json.out, '\n');
    return g_string_free(json.out, FALSE);
}
