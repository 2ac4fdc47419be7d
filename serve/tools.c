/* SPDX-License-Identifier: BSD-3-Clause */
/* See tools.h. A tool is a row here and a file of its own; tell/facts.table has the contents of its
 * short answer. */
#include "serve/tools.h"

#include "tell/json.h"

#define KERNEL (PS_TAKES_KERNEL | PS_TAKES_QUESTION)
#define RUN (KERNEL | PS_TAKES_MEASURED | PS_TAKES_DETAIL)

const PsServedTool ps_served_tools[] = {
    {"run", "Time of a GPU kernel by simulation, its bound, what limits it, three changes",
     RUN | PS_TAKES_BUDGET | PS_TAKES_CHANGES, "path gpu", ps_serve_run},
    {"advise", "All changes that would help, each with its gain and source line",
     RUN | PS_TAKES_BUDGET, "path gpu", ps_serve_advise},
    {"explain", "Where the time goes: source lines, instructions, waits", RUN, "path gpu",
     ps_serve_explain},
    {"compare", "Two kernels, launches or GPUs, and which lines make the difference",
     KERNEL | PS_TAKES_SIDES | PS_TAKES_MORE, "a b", ps_serve_compare},
    {"sweep", "All combinations of values of arguments, the fastest first",
     KERNEL | PS_TAKES_VARY | PS_TAKES_MORE, "vary", ps_serve_sweep},
    {"gate",
     "Kernels of two files: registers, stack, local memory, instructions, and which are worse",
     PS_TAKES_GATE | PS_TAKES_MORE, "before after", ps_serve_gate},
    {"roofline", "The bound alone, without a simulation: no run is faster",
     PS_TAKES_KERNEL | PS_TAKES_MEASURED | PS_TAKES_MORE, "path gpu", ps_serve_roofline},
    {"gpus", "GPUs that are described", PS_TAKES_FIND | PS_TAKES_MORE, "", ps_serve_gpus},
    {NULL, NULL, 0, NULL, NULL}};

static void put_tool(PsJson *json, const PsServedTool *tool)
{
    g_autofree char *schema = ps_arguments_schema(tool->groups, tool->required);
    ps_json_open(json, NULL, '{', PS_JSON_LINE);
    ps_json_text(json, "name", tool->name);
    ps_json_text(json, "description", tool->description);
    ps_json_raw(json, "inputSchema", schema);
    ps_json_raw(json, "annotations", "{\"readOnlyHint\": true, \"openWorldHint\": false}");
    ps_json_close(json, '}');
}

char *ps_tools_json(void)
{
    PsJson json = {.out = g_string_new(NULL)};
    ps_json_open(&json, NULL, '{', PS_JSON_LINE);
    ps_json_open(&json, "tools", '[', PS_JSON_LINE);
    for (const PsServedTool *tool = ps_served_tools; tool->name; tool++)
        put_tool(&json, tool);
    ps_json_close(&json, ']');
    ps_json_close(&json, '}');
    return g_string_free(json.out, FALSE);
}
