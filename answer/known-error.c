/* SPDX-License-Identifier: BSD-3-Clause */
/* How near such predictions were to measured times. See answer.h. */
#include "answer/answer.h"

#include <math.h>
#include <string.h>

/* How far predictions were off for kernels with that limit on that architecture. */
typedef struct {
    const char *architecture, *limit;
    guint rows;
    double mean, worst;
} Known;

/* clang-format off */

/* `make fidelity` makes these of measurements (tests/validate/certainty.pl). */
static const Known KNOWN[] = {
    /* begin */
    {"Ada Lovelace", "device", 16, 0.080, 0.33},
    {"Ada Lovelace", "fp32", 3, 0.323, 0.33},
    {"Ada Lovelace", "latency", 24, 0.110, 0.31},
    {"Ampere", "device", 24, 0.091, 0.24},
    {"Ampere", "fp32", 11, 0.063, 0.31},
    {"Ampere", "latency", 111, 0.098, 0.34},
    {"CDNA", "device", 20, 0.033, 0.18},
    {"CDNA", "latency", 16, 0.097, 0.32},
    {"CDNA2", "device", 3, 0.164, 0.25},
    {"CDNA2", "latency", 51, 0.068, 0.23},
    {"CDNA3", "device", 10, 0.123, 0.26},
    {"CDNA3", "latency", 51, 0.108, 0.26},
    {"CDNA3", "valu", 10, 0.542, 0.77},
    {"Hopper", "device", 5, 0.192, 0.23},
    {"Hopper", "fp32", 4, 0.318, 0.33},
    {"Hopper", "latency", 95, 0.135, 0.33},
    {"RDNA2", "latency", 21, 0.620, 1.03},
    {"Turing", "device", 18, 0.019, 0.16},
    {"Volta", "device", 7, 0.086, 0.16},
    {"Volta", "latency", 26, 0.125, 0.30},
    /* end */
};

/* clang-format on */

/* What keeps the run busy, as far as that is its limit. */
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

/* Adds the row to those that count. */
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
    return own.rows > 0 ? own : others;
}
