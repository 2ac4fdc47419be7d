/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From machine code to latencies. The wait of a warp between two instructions is the sum of the
 * stall counts from the first to the one before the second. The shortest such wait counts, since
 * longer ones have further reasons. Between the two there are at most instructions that fill the
 * time: where a step has several instructions, they do not belong to the class.
 */
#include "latency-bench/schedule.h"

#include "latency-bench/code/instruction.h"
#include "latency-bench/device/nvrtc.h"
#include "latency-bench/schedule/probe.h"
#include "sass/image.h"

#include <string.h>

/* ---- instructions -------------------------------------------------------------------------- */

static const PsInstruction *get(const PsCode *code, guint i)
{
    return &g_array_index(code->instructions, PsInstruction, i);
}

/* TRUE if the instruction has one of these names, which are separated by blanks. */
static gboolean is_one(const PsInstruction *instruction, const char *names)
{
    g_auto(GStrv) words = g_strsplit(names, " ", -1);
    return g_strv_contains((const char *const *)words, instruction->name);
}

/* TRUE for instructions that do nothing for the chain: they are there where stall counts, which are
 * below 16, are not enough. */
static gboolean fills(const PsInstruction *instruction)
{
    return strcmp(instruction->name, "NOP") == 0 || g_strcmp0(instruction->pipe, "uniform") == 0;
}

/* Least cycles from an instruction in `from` to the next in `to`; 0 where no such two follow each
 * other. */
static gint64 least_wait(const PsCode *code, const char *from, const char *to)
{
    gint64 least = 0, passed = 0;
    gboolean open = FALSE;
    for (guint i = 0; i < code->instructions->len; i++) {
        const PsInstruction *instruction = get(code, i);
        if (open && is_one(instruction, to))
            least = least ? MIN(least, passed) : passed;
        if (is_one(instruction, from)) {
            open = TRUE;
            passed = 0;
        } else if (!fills(instruction)) {
            open = FALSE;
        }
        passed += instruction->control.stall;
    }
    return least;
}

static gboolean has_scoreboard(const PsCode *code, const char *from)
{
    for (guint i = 0; i < code->instructions->len; i++)
        if (is_one(get(code, i), from) && get(code, i)->control.write != PS_SASS_NO_BARRIER)
            return TRUE;
    return FALSE;
}

/* The names, as in "HADD2, HFMA2.MMA", in the order of the code (g_free). */
static char *names_in(const PsCode *code, const char *from)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < code->instructions->len; i++) {
        const char *name = get(code, i)->name; /* equal names are one pointer */
        if (is_one(get(code, i), from) && !g_ptr_array_find(names, name, NULL))
            g_ptr_array_add(names, (gpointer)name);
    }
    g_ptr_array_add(names, NULL);
    return g_strjoinv(", ", (char **)names->pdata);
}

/* ---- probes -------------------------------------------------------------------------------- */

/* TRUE where ptxas uses another architecture's schedule: for compute capability 8.6 to 8.9 it
 * schedules these pipelines as for 8.0, which has more units. By the CUDA C++ Programming Guide
 * sm_86 and sm_89 start 2 operations of double precision in a cycle where sm_80 starts 32, and by
 * the white papers their tensor cores do half as much. */
static gboolean is_borrowed(int capability, const char *unit)
{
    static const char *const units[] = {"fp64", "sfu", "tensor", NULL};
    return capability >= 86 && capability <= 89 && g_strv_contains(units, unit);
}

static PsCode *read_kernel(GBytes *cubin, const PsProbe *probe, guint chains, GError **error)
{
    g_autofree char *kernel = ps_probe_kernel(probe, chains);
    return ps_code_read(cubin, kernel, NULL, error);
}

static gboolean add_class(PsSchedule *schedule, const PsProbe *probe, const PsCode *chain,
                          GBytes *cubin, GError **error)
{
    g_autoptr(PsCode) many = read_kernel(cubin, probe, ps_probe_chains(probe), error);
    if (!many)
        return FALSE;
    const gboolean scoreboard = has_scoreboard(chain, probe->from);
    PsScheduled class = {
        .class_name = probe->name,
        .instructions = names_in(chain, probe->from),
        .issue = least_wait(many, probe->from, probe->from),
        .completion =
            scoreboard ? 0 : least_wait(chain, probe->from, probe->to ? probe->to : probe->from)};
    class.by = !class.issue || (!scoreboard && !class.completion) ? PS_SCHEDULED_ABSENT
               : is_borrowed(schedule->capability, probe->unit)   ? PS_SCHEDULED_BORROWED
               : scoreboard                                       ? PS_SCHEDULED_SCOREBOARD
                                                                  : PS_SCHEDULED_FIXED;
    g_array_append_val(schedule->classes, class);
    return TRUE;
}

/* Adds a forward, unless the architecture does not have its instructions, such as a second pipe of
 * half precision. */
static void add_forward(PsSchedule *schedule, const PsProbe *probe, const PsCode *chain)
{
    const PsForward forward = {.what = probe->name,
                               .from = names_in(chain, probe->from),
                               .to = names_in(chain, probe->to),
                               .cycles = least_wait(chain, probe->from, probe->to)};
    if (forward.cycles) {
        g_array_append_val(schedule->forwards, forward);
        return;
    }
    g_free(forward.from);
    g_free(forward.to);
}

static gboolean read_probe(PsSchedule *schedule, const PsProbe *probe, GBytes *cubin,
                           GError **error)
{
    g_autoptr(PsCode) chain = read_kernel(cubin, probe, 1, error);
    if (!chain)
        return FALSE;
    if (probe->unit)
        return add_class(schedule, probe, chain, cubin, error);
    add_forward(schedule, probe, chain);
    return TRUE;
}

/* ---- the whole ----------------------------------------------------------------------------- */

static const char *family_of(int capability)
{
    static const struct {
        int capability;
        const char *name;
    } families[] = {{75, "turing"}, {80, "ga100"},  {86, "ga10x"}, {89, "ada"},
                    {90, "hopper"}, {100, "gb100"}, {120, "gb20x"}};
    for (guint i = 0; i < G_N_ELEMENTS(families); i++)
        if (families[i].capability == capability)
            return families[i].name;
    return NULL;
}

static gboolean parse(const char *architecture, int *capability, GError **error)
{
    if (ps_nvrtc_parse(architecture, capability) && *capability >= PS_SASS_FIRST_OF_CUDA_13 &&
        *capability <= PS_SASS_NEWEST)
        return TRUE;
    ps_error_at(error, PS_ERROR_USAGE, (PsPlace){0},
                "'%s' is no architecture whose machine code can be read; such are sm_%d to sm_%d",
                architecture, PS_SASS_FIRST_OF_CUDA_13, PS_SASS_NEWEST);
    return FALSE;
}

char *ps_schedule_source(const char *architecture, GError **error)
{
    int capability;
    return parse(architecture, &capability, error) ? ps_probe_module(capability) : NULL;
}

static void clear_class(void *class)
{
    g_free(((PsScheduled *)class)->instructions);
}

static void clear_forward(void *forward)
{
    g_free(((PsForward *)forward)->from);
    g_free(((PsForward *)forward)->to);
}

PsSchedule *ps_schedule_read(GBytes *cubin, const char *architecture, GError **error)
{
    g_autoptr(PsSchedule) schedule = g_new0(PsSchedule, 1);
    schedule->classes = g_array_new(FALSE, FALSE, sizeof(PsScheduled));
    schedule->forwards = g_array_new(FALSE, FALSE, sizeof(PsForward));
    g_array_set_clear_func(schedule->classes, clear_class);
    g_array_set_clear_func(schedule->forwards, clear_forward);
    if (!parse(architecture, &schedule->capability, error))
        return NULL;
    schedule->family = family_of(schedule->capability);
    for (guint i = 0; i < ps_n_probes; i++)
        if (schedule->capability >= ps_probes[i].least &&
            !read_probe(schedule, &ps_probes[i], cubin, error))
            return NULL;
    return g_steal_pointer(&schedule);
}

void ps_schedule_free(PsSchedule *schedule)
{
    if (!schedule)
        return;
    g_array_unref(schedule->classes);
    g_array_unref(schedule->forwards);
    g_free(schedule);
}
