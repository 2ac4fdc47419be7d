/* SPDX-License-Identifier: BSD-3-Clause */
/* See recorded.h. */
#include "profile/recorded.h"

#include "base/usage.h"
#include "card/taken.h"

#include <math.h>
#include <string.h>

/* Launches of a kernel that are recorded for each grid and block, if none is named. */
#define FIRST_OF_KIND 3

/* ---- which launches ------------------------------------------------------------------------- */

/* Calls back for each part of "12,20..30". FALSE: it is no such list. */
static gboolean each_range(const char *text, void (*use)(guint64 first, guint64 last, void *data),
                           void *data)
{
    g_auto(GStrv) parts = g_strsplit(text, ",", 0);
    for (char **part = parts; *part; part++) {
        guint64 first, last;
        char *dots = strstr(*part, "..");
        if (dots)
            *dots = '\0';
        if (!g_ascii_string_to_unsigned(*part, 10, 1, G_MAXUINT, &first, NULL) ||
            !g_ascii_string_to_unsigned(dots ? dots + 2 : *part, 10, first, G_MAXUINT, &last, NULL))
            return FALSE;
        if (use)
            use(first, last, data);
    }
    return parts[0] != NULL;
}

gboolean ps_traced_launches_check(const char *launches, GError **error)
{
    return !launches || each_range(launches, NULL, NULL) ||
           ps_usage_error(error, "'%s' names no launches; say for example 12, or 1,5,20..30",
                          launches);
}

typedef struct {
    guint8 *wanted;
    guint n;
} Wanted;

static void want_range(guint64 first, guint64 last, void *data)
{
    const Wanted *all = data;
    for (guint64 i = first; i <= MIN(last, all->n); i++)
        all->wanted[i - 1] = TRUE;
}

static const PsTracedLaunch *at(const PsTraced *times, guint i)
{
    return &g_array_index(times->launches, PsTracedLaunch, i);
}

/* Wants the first launches of each kernel with the same grid and block, in each process. */
static void want_first(const PsTraced *times, const Wanted *all)
{
    g_autoptr(GHashTable) counts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < all->n; i++) {
        const PsTracedLaunch *launch = at(times, i);
        const gint64 *grid = launch->grid, *block = launch->block;
        char *kind = g_strdup_printf("%u %d,%d,%d %d,%d,%d %s", launch->process, (int)grid[0],
                                     (int)grid[1], (int)grid[2], (int)block[0], (int)block[1],
                                     (int)block[2], launch->symbol);
        const guint n = GPOINTER_TO_UINT(g_hash_table_lookup(counts, kind)) + 1;
        all->wanted[i] = !launch->graph && n <= FIRST_OF_KIND;
        g_hash_table_replace(counts, kind, GUINT_TO_POINTER(n));
    }
}

/* The library's list of wanted launches, each by its number among those of its kernel and
 * process. */
static char *list_wanted(const PsTraced *times, const Wanted *all, guint *n)
{
    GString *list = g_string_new(NULL);
    g_autoptr(GHashTable) counts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = *n = 0; i < all->n; i++) {
        const PsTracedLaunch *launch = at(times, i);
        if (launch->graph)
            continue;
        char *kernel = g_strdup_printf("%u %s", launch->process, launch->symbol);
        const guint nth = GPOINTER_TO_UINT(g_hash_table_lookup(counts, kernel)) + 1;
        g_hash_table_replace(counts, kernel, GUINT_TO_POINTER(nth));
        if (all->wanted[i])
            g_string_append_printf(list, "%u %s\n", nth, launch->symbol);
        *n += all->wanted[i];
    }
    return g_string_free(list, FALSE);
}

guint8 *ps_traced_choose(const PsTraced *times, const char *launches, const char *option,
                         const char *path, GError **error)
{
    guint n;
    const Wanted all = {g_new0(guint8, times->launches->len + 1), times->launches->len};
    g_autofree guint8 *wanted = all.wanted;
    if (launches)
        each_range(launches, want_range, (gpointer)&all);
    else
        want_first(times, &all);
    g_autofree char *list = list_wanted(times, &all, &n);
    if (n)
        return g_file_set_contents(path, list, -1, error) ? g_steal_pointer(&wanted) : NULL;
    g_set_error(
        error, PS_ERROR, PS_ERROR_VALUE,
        "no launch can be recorded: of %u launches%s%s%s%s none is one that the program makes "
        "itself, without a CUDA graph",
        all.n, launches ? ", " : "", launches ? option : "", launches ? " " : "",
        launches ? launches : "");
    return NULL;
}

/* ---- what was taken ------------------------------------------------------------------------- */

static void free_taken(gpointer taken)
{
    ps_card_taken_free(taken);
}

static int by_start(gconstpointer a, gconstpointer b)
{
    const gint64 x = ps_card_taken_start(*(PsCardTaken *const *)a),
                 y = ps_card_taken_start(*(PsCardTaken *const *)b);
    return (x > y) - (x < y);
}

static GPtrArray *read_taken(const char *folder, GError **error)
{
    g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func(free_taken);
    g_autoptr(GDir) dir = g_dir_open(folder, 0, error);
    const char *name;
    if (!dir)
        return NULL;
    while ((name = g_dir_read_name(dir)) != NULL) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        if (!g_str_has_prefix(name, "contents."))
            continue;
        g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, error);
        if (!file)
            return NULL;
        g_autoptr(GBytes) bytes = g_mapped_file_get_bytes(file);
        PsCardTaken *taken = ps_card_taken_read(bytes);
        if (taken)
            g_ptr_array_add(all, taken);
    }
    g_ptr_array_sort(all, by_start);
    return g_steal_pointer(&all);
}

/* ---- what was measured ---------------------------------------------------------------------- */

/* The number 90 for "9.0"; 0: unknown. */
static guint capability_of(const char *text)
{
    const char *point = text ? strchr(text, '.') : NULL;
    return point ? (guint)(10 * g_ascii_strtoull(text, NULL, 10) +
                           g_ascii_strtoull(point + 1, NULL, 10))
                 : 0;
}

/* The device's place in the array, from 1; it is added if it is missing. 0: unknown. */
static guint device_of(const PsTraced *times, const GPtrArray *taken, const PsTracedLaunch *launch,
                       GArray *devices)
{
    const PsTracedProcess *process = times->processes->pdata[launch->process];
    PsCardDevice device = {0};
    for (guint i = 0; i < process->devices->len; i++) {
        const PsTracedDevice *one = &g_array_index(process->devices, PsTracedDevice, i);
        if (one->device == launch->device)
            device = (PsCardDevice){one->name, capability_of(one->capability), 0};
    }
    if (!device.name)
        return 0;
    if (launch->process < taken->len && launch->device >= 0)
        device.compute_units =
            ps_card_taken_units(taken->pdata[launch->process], (guint)launch->device);
    for (guint i = 0; i < devices->len; i++) {
        const PsCardDevice *other = &g_array_index(devices, PsCardDevice, i);
        if (strcmp(other->name, device.name) == 0 && other->capability == device.capability &&
            other->compute_units == device.compute_units)
            return i + 1;
    }
    g_array_append_val(devices, device);
    return devices->len;
}

/* Streams get numbers, from 0 in each process. */
static guint stream_of(GHashTable *streams, const PsTracedLaunch *launch)
{
    g_autofree char *process = g_strdup_printf("%u", launch->process);
    char *key =
        g_strdup_printf("%u/%d/%d", launch->process, (int)launch->context, (int)launch->stream);
    if (!g_hash_table_contains(streams, key)) {
        const guint n = GPOINTER_TO_UINT(g_hash_table_lookup(streams, process));
        g_hash_table_insert(streams, g_strdup(key), GUINT_TO_POINTER(n));
        g_hash_table_replace(streams, g_steal_pointer(&process), GUINT_TO_POINTER(n + 1));
    }
    const guint stream = GPOINTER_TO_UINT(g_hash_table_lookup(streams, key));
    g_free(key);
    return stream;
}

static GArray *measured_of(const PsTraced *times, const GPtrArray *taken, const guint8 *wanted,
                           GArray *devices)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(PsCardMeasured));
    g_autoptr(GHashTable) streams = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < times->launches->len; i++) {
        const PsTracedLaunch *launch = at(times, i);
        PsCardMeasured measured = {.kernel = launch->symbol,
                                   .process = launch->process,
                                   .stream = stream_of(streams, launch),
                                   .shared = (guint64)launch->dynamic_memory,
                                   .device = device_of(times, taken, launch, devices),
                                   .graph = launch->graph,
                                   .wanted = wanted[i],
                                   .seconds = launch->start > 0 && launch->end > launch->start
                                                  ? (double)(launch->end - launch->start) * 1e-9
                                                  : NAN};
        for (guint k = 0; k < 3; k++) {
            measured.grid[k] = (guint)launch->grid[k];
            measured.block[k] = (guint)launch->block[k];
        }
        g_array_append_val(all, measured);
    }
    return all;
}

/* ---- the recording -------------------------------------------------------------------------- */

static void doubt_taken(const GPtrArray *taken, GPtrArray *doubts)
{
    g_autoptr(GPtrArray) variables = g_ptr_array_new();
    gboolean done = TRUE;
    for (guint i = 0; i < taken->len; i++) {
        const GPtrArray *own = ps_card_taken_variables(taken->pdata[i]);
        done = done && ps_card_taken_done(taken->pdata[i]);
        for (guint k = 0; k < own->len; k++)
            if (!g_ptr_array_find_with_equal_func(variables, own->pdata[k], g_str_equal, NULL))
                g_ptr_array_add(variables, own->pdata[k]);
    }
    if (!done)
        g_ptr_array_add(doubts, g_strdup("the program did not end by itself when it was recorded: "
                                         "what it launched last may be missing"));
    g_ptr_array_add(variables, NULL);
    g_autofree char *names = g_strjoinv(", ", (char **)variables->pdata);
    g_autofree char *text = g_strdup_printf(
        "the driver does not tell where variables of the code are, so they are recorded as they "
        "begin: %s",
        names);
    if (*names)
        g_ptr_array_add(doubts, g_steal_pointer(&text));
}

static const char *failure_of(const GPtrArray *taken)
{
    for (guint i = 0; i < taken->len; i++)
        if (ps_card_taken_failure(taken->pdata[i]))
            return ps_card_taken_failure(taken->pdata[i]);
    return NULL;
}

/* A recording without a launch that can be asked about is an error. */
static gboolean check_count(const PsCardTakenCount *count, const GPtrArray *taken,
                            const PsTracedOutput *output, GPtrArray *doubts, GError **error)
{
    const char *failure = failure_of(taken), *why = failure ? failure : count->why,
               *cure = count->too_large ? output->cure : "";
    if (!count->whole) {
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE, "no launch was recorded: %s%s", why, cure);
        return FALSE;
    }
    g_autofree char *text =
        g_strdup_printf("%u of %u launches could not be recorded: %s%s", count->missing,
                        count->missing + count->whole, why, cure);
    if (count->missing)
        g_ptr_array_add(doubts, g_steal_pointer(&text));
    return TRUE;
}

gboolean ps_traced_record(const PsTracedWanted *launches, const char *folder,
                          const PsTracedOutput *output, guint *whole, GPtrArray *doubts,
                          GError **error)
{
    g_autoptr(GPtrArray) taken = read_taken(folder, error);
    PsCardTakenCount count = {0};
    if (!taken)
        return FALSE;
    g_autoptr(GArray) devices = g_array_new(FALSE, FALSE, sizeof(PsCardDevice));
    g_autoptr(GArray) measured = measured_of(launches->times, taken, launches->wanted, devices);
    const gboolean good = ps_card_taken_write(&(PsCardTakenAll){taken, measured, devices},
                                              output->put, output->data, &count, error) &&
                          check_count(&count, taken, output, doubts, error);
    g_free(count.why);
    if (good)
        doubt_taken(taken, doubts);
    *whole = count.whole;
    return good;
}
