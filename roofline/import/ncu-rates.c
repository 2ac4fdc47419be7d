/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts from rates. The roofline sections of Nsight Compute (--set roofline, --set full) print no
 * sums of instructions and bytes, but their number per elapsed cycle or per second:
 *
 *     X.sum.per_cycle_elapsed     times the launch's elapsed cycles
 *     derived__smsp__X_x2, _x4    the same, multiplied by the section
 *     X.sum.per_second            times the launch's duration
 *     Memory Throughput           the same for device memory's bytes, on the details page
 *
 * A launch without a duration gets it from its cycles and their number per second.
 *
 * "derived__sm__X_x2" has a similar name and is the GPU's peak, so it is none of these. The result
 * goes to the counter X.sum as an estimate, since exact counts have precedence. Tensor metrics also
 * come in parts, for sparse and for dense matrices, or as a whole for several types of results.
 */
#include "roofline/import/ncu.h"

#include <math.h>
#include <string.h>

typedef enum { PER_LAUNCH, PER_CYCLE, PER_SECOND } Per;

/* Metrics that a launch's cycles come from; their slots are the first ones. The units of an SM
 * count the same clock as the SM, which is also the clock of its cluster. */
enum { CYCLES_AVG, CYCLES_MAX, FREQUENCY, GPC_CYCLES, GPC_FREQUENCY, N_CLOCKS };

static const struct {
    const char *name;
    int slot;
} clocks[] = {{"smsp__cycles_elapsed.avg", CYCLES_AVG},
              {"sm__cycles_elapsed.avg", CYCLES_AVG},
              {"smsp__cycles_elapsed.max", CYCLES_MAX},
              {"sm__cycles_elapsed.max", CYCLES_MAX},
              {"smsp__cycles_elapsed.avg.per_second", FREQUENCY},
              {"sm__cycles_elapsed.avg.per_second", FREQUENCY},
              {"gpc__cycles_elapsed.max", GPC_CYCLES},
              {"Elapsed Cycles", GPC_CYCLES},
              {"gpc__cycles_elapsed.avg.per_second", GPC_FREQUENCY},
              {"SM Frequency", GPC_FREQUENCY}};

/* A metric that a counter can be computed from. A counter has several in a row, the best first. */
typedef struct {
    int counter; /* -1: a clock */
    int other;   /* a counter that is a part of this one as well; -1: none */
    guint rank;  /* slots of one rank add up */
    Per per;
    double factor;  /* factor of the value that the file prints */
    double value;   /* value in base units, */
    guint64 launch; /* in this launch */
} Slot;

struct PsNcu {
    const PsImport *import;
    PsCollector *collector;
    int n_counters;    /* the number of counters; larger numbers are slots */
    GHashTable *names; /* number + 1 of each name */
    GArray *slots;
    guint64 launch;
    gboolean has_rates; /* this launch has rates */
    int seconds[3];     /* counters of seconds */
    int cycles;         /* a counter */
    gboolean no_clock;  /* a launch has rates, but neither cycles nor time */
    char *no_unit;      /* the first rate whose unit is not known */
};

/* ---- names --------------------------------------------------------------------------------- */

static void add_name(PsNcu *ncu, const char *name, int number)
{
    g_hash_table_insert(ncu->names, g_strdup(name), GINT_TO_POINTER(number + 1));
}

/* Adds a name, and the other one of the same sum: over all SMs, and over all their parts. */
static void add_both_names(PsNcu *ncu, const char *name, int number)
{
    const gboolean is_sm = g_str_has_prefix(name, "sm__");
    add_name(ncu, name, number);
    if (!is_sm && !g_str_has_prefix(name, "smsp__"))
        return;
    g_autofree char *other = g_strconcat(is_sm ? "smsp" : "sm", strstr(name, "__"), NULL);
    add_name(ncu, other, number);
}

static int add_slot(PsNcu *ncu, const Slot *slot)
{
    g_array_append_vals(ncu->slots, slot, 1);
    return ncu->n_counters + (int)ncu->slots->len - 1;
}

/* Adds the rates of a sum. *slot has the counter; each rate takes the next rank. */
static void add_rates(PsNcu *ncu, const char *sum, Slot *slot)
{
    g_autofree char *cycle = g_strconcat(sum, ".per_cycle_elapsed", NULL);
    g_autofree char *second = g_strconcat(sum, ".per_second", NULL);
    slot->per = PER_CYCLE;
    if (g_str_has_prefix(sum, "sm__") || g_str_has_prefix(sum, "smsp__"))
        add_both_names(ncu, cycle, add_slot(ncu, slot));
    slot->rank++;
    slot->per = PER_SECOND;
    const int per_second = add_slot(ncu, slot);
    add_both_names(ncu, second, per_second);
    if (strcmp(sum, "dram__bytes.sum") == 0)
        add_name(ncu, "Memory Throughput", per_second);
    slot->rank++;
}

static void add_derived(PsNcu *ncu, const char *stem, Slot *slot)
{
    static const struct {
        const char *end;
        double factor;
    } derived[] = {{"_x2", 0.5}, {"_x4", 0.25}};
    slot->per = PER_CYCLE;
    for (guint i = 0; i < G_N_ELEMENTS(derived); i++) {
        g_autofree char *name = g_strconcat("derived__", stem, derived[i].end, NULL);
        slot->factor = derived[i].factor;
        add_name(ncu, name, add_slot(ncu, slot));
        slot->rank++;
    }
    slot->factor = 1;
}

/* Adds sums in two parts, and the rates of both. */
static void add_parts(PsNcu *ncu, const char *stem, const Slot *slot)
{
    static const char *const ends[] = {"_sparsity_off.sum", "_sparsity_on.sum"};
    for (guint rank = 0; rank < 3; rank++)
        for (guint i = 0; i < G_N_ELEMENTS(ends); i++) {
            static const char *const suffixes[] = {"", ".per_cycle_elapsed", ".per_second"};
            g_autofree char *name = g_strconcat(stem, ends[i], suffixes[rank], NULL);
            Slot part = *slot;
            part.rank += rank;
            part.per = (Per)rank;
            add_both_names(ncu, name, add_slot(ncu, &part));
        }
}

#define TENSOR_OPS "sm__ops_path_tensor_src_"

static void add_counter(PsNcu *ncu, int counter)
{
    const char *name = ps_collector_counter_name(ncu->collector, counter);
    add_both_names(ncu, name, counter);
    if (!g_str_has_suffix(name, ".sum") ||
        ps_collector_unit(ncu->collector, counter) == PS_UNIT_SECONDS)
        return;
    g_autofree char *stem = g_strndup(name, strlen(name) - strlen(".sum"));
    Slot slot = {.counter = counter, .other = -1, .factor = 1};
    add_rates(ncu, name, &slot);
    if (g_str_has_prefix(name, "smsp__sass_thread_inst_executed_op_"))
        add_derived(ncu, stem, &slot);
    if (g_str_has_prefix(name, TENSOR_OPS))
        add_parts(ncu, stem, &slot);
}

/* Adds wholes behind all others, since they count only where none of their parts is there. */
static void add_wholes(PsNcu *ncu)
{
    static const struct {
        const char *whole, *part, *other;
    } wholes[] = {{"fp16", "fp16_dst_fp32", "fp16_dst_fp16"},
                  {"fp8", "fp8_dst_fp32", "fp8_dst_fp16"},
                  {"fp16_bf16_tf32_dst_fp32", "fp16_dst_fp32", "bf16_dst_fp32"}};
    for (guint i = 0; i < G_N_ELEMENTS(wholes); i++) {
        g_autofree char *stem = g_strconcat(TENSOR_OPS, wholes[i].whole, NULL);
        g_autofree char *sum = g_strconcat(stem, ".sum", NULL);
        g_autofree char *part = g_strconcat(TENSOR_OPS, wholes[i].part, ".sum", NULL);
        g_autofree char *other = g_strconcat(TENSOR_OPS, wholes[i].other, ".sum", NULL);
        Slot slot = {.counter = ps_collector_counter(ncu->collector, part),
                     .other = ps_collector_counter(ncu->collector, other),
                     .factor = 1};
        add_both_names(ncu, sum, add_slot(ncu, &slot));
        slot.rank++;
        add_rates(ncu, sum, &slot);
        add_parts(ncu, stem, &slot);
    }
}

PsNcu *ps_ncu_new(const PsImport *import, PsCollector *collector)
{
    PsNcu *ncu = g_new0(PsNcu, 1);
    ncu->import = import;
    ncu->collector = collector;
    ncu->n_counters = ps_collector_n_counters(collector);
    ncu->names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    ncu->slots = g_array_new(FALSE, FALSE, sizeof(Slot));
    ncu->launch = 1;
    ncu->seconds[0] = ps_collector_counter(collector, "gpu__time_duration.sum");
    ncu->seconds[1] = ps_collector_counter(collector, "gpu__time_duration.avg");
    ncu->seconds[2] = ps_collector_counter(collector, "Duration");
    ncu->cycles = ps_collector_counter(collector, PS_NCU_CYCLES);
    for (int i = 0; i < N_CLOCKS; i++) {
        const gboolean is_rate = i == FREQUENCY || i == GPC_FREQUENCY;
        add_slot(ncu, &(Slot){.counter = -1,
                              .other = -1,
                              .per = is_rate ? PER_SECOND : PER_LAUNCH,
                              .factor = 1});
    }
    for (guint i = 0; i < G_N_ELEMENTS(clocks); i++)
        add_name(ncu, clocks[i].name, ncu->n_counters + clocks[i].slot);
    for (int i = 0; i < ncu->n_counters; i++)
        add_counter(ncu, i);
    add_wholes(ncu);
    return ncu;
}

void ps_ncu_free(PsNcu *ncu)
{
    if (!ncu)
        return;
    g_hash_table_destroy(ncu->names);
    g_array_free(ncu->slots, TRUE);
    g_free(ncu->no_unit);
    g_free(ncu);
}

int ps_ncu_find(const PsNcu *ncu, const char *name)
{
    return GPOINTER_TO_INT(g_hash_table_lookup(ncu->names, name)) - 1;
}

gboolean ps_ncu_is_counter(const PsNcu *ncu, int metric)
{
    return metric >= 0 && metric < ncu->n_counters;
}

/* ---- units --------------------------------------------------------------------------------- */

/* "Ghz": the hertz of a clock's unit. */
static double hertz(const char *name)
{
    static const struct {
        const char *name;
        double scale;
    } units[] = {{"hz", 1}, {"Khz", 1e3}, {"Mhz", 1e6}, {"Ghz", 1e9}};
    for (guint i = 0; i < G_N_ELEMENTS(units); i++)
        if (g_ascii_strcasecmp(name, units[i].name) == 0)
            return units[i].scale;
    return NAN;
}

/* The base units of one "inst/cycle", "Gbyte/second" or "cycle/nsecond"; NaN for other units.
 * Derived metrics per cycle have the unit of the count. */
static double rate_scale(const Slot *slot, PsUnit unit, const char *name)
{
    const char *slash = strchr(name, '/');
    if (!slash && slot->per == PER_SECOND)
        return slot->counter < 0 ? hertz(name) : NAN;
    if (!slash)
        return ps_unit_scale(unit, name);
    g_autofree char *above = g_strndup(name, (gsize)(slash - name));
    const double scale = strcmp(above, "1") == 0 ? 1 : ps_unit_scale(unit, above);
    if (slot->per == PER_CYCLE)
        return strcmp(slash + 1, "cycle") == 0 ? scale : NAN;
    return slot->per == PER_SECOND ? scale * rint(1 / ps_unit_scale(PS_UNIT_SECONDS, slash + 1))
                                   : NAN;
}

/* ---- a launch ------------------------------------------------------------------------------ */

static gboolean is_negative(const PsNcu *ncu, int column, GError **error)
{
    ps_csv_error(ncu->import->csv, (guint)column, PS_ERROR_VALUE, error,
                 "%s: '%.100s' is negative, and no rate or number of cycles can be",
                 ncu->import->header.names[column], ps_import_text(ncu->import, column));
    return FALSE;
}

static gboolean put_rate(PsNcu *ncu, Slot *slot, int column, const char *unit_name, GError **error)
{
    PsNumber number;
    switch (ps_import_number(ncu->import, column, &number, error)) {
    case PS_NUMBER_BAD:
        return FALSE;
    case PS_NUMBER_MISSING:
        return TRUE;
    case PS_NUMBER_OK:
        break;
    }
    if (number.value < 0)
        return is_negative(ncu, column, error);
    if (slot->launch == ncu->launch)
        return TRUE;
    const PsUnit unit =
        slot->counter < 0 ? PS_UNIT_COUNT : ps_collector_unit(ncu->collector, slot->counter);
    const char *name = *number.unit || !unit_name ? number.unit : unit_name;
    if (strcmp(name, "%") == 0)
        return TRUE; /* the details page has the same label for the share of a peak */
    const double scale = rate_scale(slot, unit, name);
    if (isnan(scale)) {
        if (!ncu->no_unit)
            ncu->no_unit = g_strdup_printf("the rate in line %d, column %d is of the unit '%.30s'",
                                           ncu->import->csv->line, column + 1, name);
        return TRUE;
    }
    slot->value = number.value * scale * slot->factor;
    slot->launch = ncu->launch;
    ncu->has_rates = ncu->has_rates || slot->counter >= 0;
    return TRUE;
}

gboolean ps_ncu_put(PsNcu *ncu, int metric, int column, const char *unit_name, GError **error)
{
    if (ps_ncu_is_counter(ncu, metric))
        return ps_import_put(ncu->import, ncu->collector, metric, column, unit_name, error);
    Slot *slot = &g_array_index(ncu->slots, Slot, metric - ncu->n_counters);
    return put_rate(ncu, slot, column, unit_name, error);
}

static double launch_seconds(const PsNcu *ncu)
{
    for (guint i = 0; i < G_N_ELEMENTS(ncu->seconds); i++) {
        const double seconds = ps_collect_value(ncu->collector, ncu->seconds[i]);
        if (!isnan(seconds))
            return seconds;
    }
    return NAN;
}

static double clock_value(const PsNcu *ncu, int clock)
{
    const Slot *slot = &g_array_index(ncu->slots, Slot, clock);
    return slot->launch == ncu->launch ? slot->value : NAN;
}

/* Puts the seconds from cycles and the clock's frequency, where only these give the time. */
static double put_clocked_seconds(PsNcu *ncu)
{
    static const int pairs[][2] = {{CYCLES_AVG, FREQUENCY}, {GPC_CYCLES, GPC_FREQUENCY}};
    for (guint i = 0; i < G_N_ELEMENTS(pairs); i++) {
        const double seconds = clock_value(ncu, pairs[i][0]) / clock_value(ncu, pairs[i][1]);
        if (seconds > 0 && isfinite(seconds)) {
            ps_collect_estimate(ncu->collector, ncu->seconds[0], seconds);
            return seconds;
        }
    }
    return NAN;
}

static double launch_cycles(const PsNcu *ncu, double seconds)
{
    for (guint i = 0; i < N_CLOCKS; i++) {
        const Slot *slot = &g_array_index(ncu->slots, Slot, i);
        const double cycles = slot->value * (slot->per == PER_SECOND ? seconds : 1);
        if (slot->launch == ncu->launch && !isnan(cycles))
            return cycles;
    }
    return NAN;
}

/* Hands a sum on; it is exact if all parts are exact. */
static void hand_on(PsNcu *ncu, const Slot *slot, double total)
{
    if (ps_collect_has(ncu->collector, slot->counter) ||
        (slot->other >= 0 && ps_collect_has(ncu->collector, slot->other)))
        return;
    if (slot->per == PER_LAUNCH)
        ps_collect_put(ncu->collector, slot->counter, total);
    else
        ps_collect_estimate(ncu->collector, slot->counter, total);
}

void ps_ncu_end_launch(PsNcu *ncu)
{
    double seconds = launch_seconds(ncu);
    if (isnan(seconds))
        seconds = put_clocked_seconds(ncu);
    const double cycles = launch_cycles(ncu, seconds);
    if (!isnan(cycles))
        ps_collect_put(ncu->collector, ncu->cycles, cycles);
    const double times[] = {[PER_LAUNCH] = 1, [PER_CYCLE] = cycles, [PER_SECOND] = seconds};
    const Slot *best = NULL;
    double total = 0;
    for (guint i = N_CLOCKS; ncu->has_rates && i < ncu->slots->len; i++) {
        const Slot *slot = &g_array_index(ncu->slots, Slot, i);
        if (slot->launch != ncu->launch)
            continue;
        const double amount = slot->value * times[slot->per];
        if (isnan(amount)) {
            ncu->no_clock = ncu->no_clock || !ps_collect_has(ncu->collector, slot->counter);
        } else if (best && best->counter == slot->counter && best->other == slot->other) {
            total += best->rank == slot->rank ? amount : 0;
        } else {
            if (best)
                hand_on(ncu, best, total);
            best = slot;
            total = amount;
        }
    }
    if (best)
        hand_on(ncu, best, total);
    ncu->has_rates = FALSE;
    ncu->launch++;
}

gboolean ps_ncu_finish(PsNcu *ncu, GError **error)
{
    ps_ncu_end_launch(ncu);
    if (ncu->no_unit)
        ps_import_warn(ncu->import->profile,
                       "%s, which is none of a rate, such as inst/cycle or Gbyte/second: it does "
                       "not count",
                       ncu->no_unit);
    if (ncu->no_clock)
        ps_import_warn(ncu->import->profile,
                       "there are rates without the cycles or the time of their launches, and they "
                       "do not count; to collect: ncu --csv --metrics "
                       "smsp__cycles_elapsed.avg,gpu__time_duration.sum");
    return ps_collector_finish(ncu->collector, error);
}
