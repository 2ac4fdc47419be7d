/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors of similar predictions against measured times. See answer.h. */
#include "answer/answer.h"
#include "answer/figures.h"
#include "answer/words.h"

#include <math.h>
#include <string.h>

/* Errors of predictions for kernels with that limit on that architecture. */
typedef struct {
    const char *architecture, *limit;
    guint rows;
    double mean, worst;
} Known;

/* clang-format off */

/* `make fidelity` makes these rows from measurements (tests/validate/certainty.pl). */
static const Known KNOWN[] = {
    /* begin */
    {"Ada Lovelace", "device", 12, 0.014, 0.07},
    {"Ada Lovelace", "dispatch", 2, 0.064, 0.10},
    {"Ada Lovelace", "latency", 23, 0.038, 0.10},
    {"Ampere", "device", 13, 0.040, 0.14},
    {"Ampere", "dispatch", 10, 0.023, 0.06},
    {"Ampere", "fp32", 9, 0.008, 0.03},
    {"Ampere", "latency", 82, 0.037, 0.09},
    {"CDNA", "device", 20, 0.035, 0.18},
    {"CDNA", "latency", 16, 0.161, 0.26},
    {"CDNA2", "device", 1, 0.092, 0.09},
    {"CDNA2", "latency", 53, 0.065, 0.16},
    {"CDNA3", "device", 9, 0.113, 0.25},
    {"CDNA3", "latency", 54, 0.093, 0.21},
    {"CDNA3", "valu", 8, 0.182, 0.27},
    {"Hopper", "device", 2, 0.064, 0.11},
    {"Hopper", "dispatch", 11, 0.069, 0.10},
    {"Hopper", "latency", 85, 0.032, 0.09},
    {"RDNA2", "dispatch", 2, 0.018, 0.02},
    {"RDNA2", "latency", 19, 0.084, 0.24},
    {"Turing", "device", 18, 0.016, 0.12},
    {"Volta", "device", 3, 0.031, 0.04},
    {"Volta", "latency", 30, 0.069, 0.27},
    /* end */
};

/* clang-format on */

/* The unit that keeps the run busy, if it limits the run. */
static const char *busy_limit(const PsBusiest *busiest)
{
    if (busiest->load < PS_SATURATED)
        return "latency";
    if (busiest->kind == PS_BUSY_DISPATCH)
        return "dispatch";
    if (busiest->kind == PS_BUSY_PORTS)
        return "issue";
    return g_str_has_prefix(busiest->name, "spot ") ? "spot" : busiest->name;
}

const char *ps_answer_limit(const PsAnswer *answer)
{
    const PsBusiest busiest = ps_answer_busiest_part(answer);
    if (busiest.kind == PS_BUSY_NOTHING)
        return NULL;
    if (answer->clamped)
        return "ceiling";
    if (busiest.load < PS_NEARLY_SATURATED && ps_starts_share(answer) >= PS_STARTS_MOST)
        return "dispatch";
    return busy_limit(&busiest);
}

char *ps_answer_limit_words(const PsAnswer *answer)
{
    const char *limit = ps_answer_limit(answer);
    return limit ? ps_answer_pipeline_words(answer, limit) : NULL;
}

/* Adds the row to the sums. */
static void add(PsKnownError *error, const Known *row)
{
    const double sum = error->mean * error->rows + row->mean * row->rows;
    error->rows += row->rows;
    error->mean = sum / error->rows;
    error->worst = fmax(error->worst, row->worst);
}

PsKnownError ps_answer_known_error(const PsAnswer *answer)
{
    const char *limit = ps_answer_limit(answer);
    PsKnownError own = {.same = TRUE}, others = {0};
    for (guint i = 0; i < G_N_ELEMENTS(KNOWN) && limit; i++)
        if (strcmp(KNOWN[i].limit, limit) == 0)
            add(g_strcmp0(KNOWN[i].architecture, answer->gpu->architecture) == 0 ? &own : &others,
                &KNOWN[i]);
    if (own.rows == 0)
        return others;
    if (own.rows < PS_KNOWN_ENOUGH && others.rows > 0) {
        PsKnownError all = own;
        for (guint i = 0; i < G_N_ELEMENTS(KNOWN); i++)
            if (strcmp(KNOWN[i].limit, limit) == 0 &&
                g_strcmp0(KNOWN[i].architecture, answer->gpu->architecture) != 0)
                add(&all, &KNOWN[i]);
        own.rows_of_all = all.rows;
        own.mean_of_all = all.mean;
        own.worst_of_all = all.worst;
    }
    return own;
}
