/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Profiles: finds out the kind of a file, and its kernels' durations where another file has them.
 * See profile.h.
 */
#include "base/kernel-name.h"
#include "roofline/import/databases.h"
#include "roofline/import/import.h"
#include "roofline/import/rocprof.h"

#include <math.h>
#include <string.h>

/* Most text that a program may print before its profiler's table begins: longer input without a
 * table, which may have no end, is given up. */
#define MAX_MIB_BEFORE 16

/* ---- the profile --------------------------------------------------------------------------- */

void ps_profile_kernel_free(PsProfileKernel *kernel)
{
    if (!kernel)
        return;
    g_free(kernel->name);
    g_free(kernel->device);
    g_free(kernel);
}

static PsProfile *profile_new(const char *path)
{
    PsProfile *profile = g_new0(PsProfile, 1);
    profile->path = g_strdup(path);
    profile->kernels =
        g_ptr_array_new_with_free_func((GDestroyNotify)(void (*)(void))ps_profile_kernel_free);
    profile->warnings = g_ptr_array_new_with_free_func(g_free);
    return profile;
}

void ps_profile_free(PsProfile *profile)
{
    if (!profile)
        return;
    g_free(profile->path);
    g_ptr_array_free(profile->kernels, TRUE);
    g_ptr_array_free(profile->warnings, TRUE);
    g_free(profile);
}

/* ---- finding out --------------------------------------------------------------------------- */

/* Reads a line as a header with that character between its columns. Names of columns have neither
 * this character nor quotes, so quotes do not matter. */
static gboolean guess_header(const char *line, char separator, PsHeader *header)
{
    const char between[] = {separator, '\0'};
    if (!strchr(line, separator))
        return FALSE;
    header->names = g_strsplit(line, between, -1);
    header->n = g_strv_length(header->names);
    for (guint i = 0; i < header->n; i++) {
        char *name = g_strstrip(header->names[i]);
        const gsize length = strlen(name);
        if (length >= 2 && name[0] == '"' && name[length - 1] == '"') {
            name[length - 1] = '\0';
            memmove(name, name + 1, length - 1);
        }
    }
    return TRUE;
}

static const PsImporter *find_importer_by(const char *line, char separator)
{
    PsHeader header = {NULL, 0};
    const PsImporter *found = NULL;
    if (!guess_header(line, separator, &header))
        return NULL;
    for (const PsImporter *const *importer = ps_importers; *importer && !found; importer++)
        if ((*importer)->matches(&header))
            found = *importer;
    g_strfreev(header.names);
    return found;
}

/* The importer of a line. Spreadsheets write semicolons where a comma is before decimals, and tabs
 * as text. */
static const PsImporter *find_importer(PsCsv *csv, const char *line)
{
    const PsImporter *found = NULL;
    for (const char *separator = ",;\t"; *separator && !found; separator++)
        if ((found = find_importer_by(line, *separator)))
            csv->separator = *separator;
    return found;
}

/* TRUE for an object, or an array of objects; "[info] ..." is printed by programs. */
static gboolean is_json(const char *text)
{
    if (*text == '{')
        return TRUE;
    if (*text++ != '[')
        return FALSE;
    while (g_ascii_isspace(*text))
        text++;
    return *text == '{' || *text == ']' || !*text;
}

static void unknown_kind(const PsImport *import, int line, GError **error)
{
    const PsPlace place = {import->csv->name, line};
    g_autoptr(GString) kinds = g_string_new(NULL);
    for (const PsImporter *const *importer = ps_importers; *importer; importer++)
        g_string_append_printf(kinds, "%s; ", (*importer)->what);
    g_string_append(kinds, "nsys export --type sqlite; rocprofv3 --output-format rocpd or json; ");
    if (line == 0)
        ps_error_at(error, PS_ERROR_SYNTAX, place, "the file is empty");
    else if (import->complaint)
        ps_error_at(error, PS_ERROR_SYNTAX, place, "there is no table here; the profiler says: %s",
                    import->complaint);
    else if (import->talk)
        ps_error_at(error, PS_ERROR_SYNTAX, place,
                    "a profiler wrote this, and there is no table that pipesim knows: give the "
                    "profiler --csv; it reads %sJSON with \"kernels\"",
                    kinds->str);
    else
        ps_error_at(error, PS_ERROR_SYNTAX, place,
                    "this is no profile of a kind that pipesim knows: %sJSON with \"kernels\"; a "
                    "kernel's code is read from a file that ends in .ptx, .cu, .cl or .cubin",
                    kinds->str);
}

static gboolean read_as(PsImport *import, const PsImporter *importer, GError **error)
{
    import->profile->kind = importer->kind;
    return importer->read(import, error);
}

static gboolean read_json(PsImport *import, GError **error)
{
    import->profile->kind = "JSON";
    return ps_import_json(import, error);
}

static gboolean read_rocprof_json(PsImport *import, GError **error)
{
    import->profile->kind = "rocprofv3 JSON";
    return ps_import_rocprof_json(import, error);
}

/* Characters that need no quotes in a shell. */
#define PLAIN_CSET G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_,.+-/"

/* Reports of profilers that people take for a profile: how each is exported, by its ending. */
static const struct {
    const char *ending, *command;
} reports[] = {{".ncu-rep", "ncu --import FILE --csv --page raw"},
               {".nsys-rep", "nsys export --type sqlite FILE"},
               {".qdrep", "nsys export --type sqlite FILE"},
               {".nvvp", "nvprof --import-profile FILE --csv"}};

static gboolean explain_binary(const PsImport *import, GError *why, GError **error)
{
    const char *name = import->csv->name, *file = strcmp(name, "-") == 0 ? "FILE" : name;
    g_autofree char *quoted = file[strspn(file, PLAIN_CSET)] ? g_shell_quote(file) : g_strdup(file);
    const char *command = "ncu --import FILE --csv --page raw, nsys export --type sqlite FILE, "
                          "nvprof --import-profile FILE --csv, rocprofv3 --output-format csv";
    for (guint i = 0; i < G_N_ELEMENTS(reports); i++)
        if (g_str_has_suffix(name, reports[i].ending))
            command = reports[i].command;
    g_auto(GStrv) around = g_strsplit(command, "FILE", -1);
    g_autofree char *whole = g_strjoinv(quoted, around);
    if (import->csv->is_binary)
        ps_error_at(error, why->code, (PsPlace){NULL, 0},
                    "%s; export a profiler's report first: %s", why->message, whole);
    else
        g_set_error_literal(error, PS_ERROR, why->code, why->message);
    return FALSE;
}

static gboolean no_table(const PsImport *import, GError **error)
{
    ps_error_at(error, PS_ERROR_LIMIT, (PsPlace){import->csv->name, import->csv->line},
                "up to here, %d MiB, there is no table of a profiler: take what a program printed "
                "before it away",
                MAX_MIB_BEFORE);
    return FALSE;
}

static gboolean read_any(PsImport *import, GError **error)
{
    PsCsv *csv = import->csv;
    g_autoptr(GError) why = NULL;
    PsCsvState state;
    int first = 0;
    gsize before = 0;
    const char *ahead = ps_csv_ahead(csv, error); /* JSON may be one line of any length */
    if (!ahead)
        return FALSE;
    while (g_ascii_isspace(*ahead))
        ahead++;
    if (csv->is_binary && strcmp(ahead, "SQLite format 3") == 0)
        return ps_import_database(import, error);
    if (ps_import_is_rocprof_json(ahead))
        return read_rocprof_json(import, error);
    if (is_json(ahead))
        return read_json(import, error);
    while ((state = ps_csv_line(csv, &why)) == PS_CSV_ROW) {
        const char *text = csv->text;
        while (g_ascii_isspace(*text))
            text++;
        if (first == 0 && *text) {
            first = csv->line;
            if (is_json(text))
                return read_json(import, error);
        }
        const PsImporter *importer = ps_import_is_talk(import) ? NULL : find_importer(csv, text);
        if (importer)
            return read_as(import, importer, error);
        before += csv->length + 1;
        if (before > (gsize)MAX_MIB_BEFORE << 20)
            return no_table(import, error);
    }
    if (state == PS_CSV_ERROR)
        return explain_binary(import, why, error);
    unknown_kind(import, first, error);
    return FALSE;
}

/* Warns of doubts that are no reason to give up. */
static void warn(const PsImport *import)
{
    if (import->n_skipped > 0)
        ps_import_warn(
            import->profile,
            "%u line%s, the first of them line %d, %s no row of the table and %s skipped",
            import->n_skipped, import->n_skipped > 1 ? "s" : "", import->skipped_line,
            import->n_skipped > 1 ? "are" : "is", import->n_skipped > 1 ? "were" : "was");
    if (import->complaint)
        ps_import_warn(import->profile, "the profiler says: %s", import->complaint);
    if (import->cut_line > 0)
        ps_import_warn(import->profile,
                       "the file ends in line %d without a line end: if it was cut off there, the "
                       "last number of that line is wrong",
                       import->cut_line);
}

PsProfile *ps_profile_load(const char *path, const PsProfileOptions *options, GError **error)
{
    static const PsProfileOptions none = {.apart = FALSE};
    g_autoptr(PsCsv) csv = ps_csv_open(path, error);
    if (!csv)
        return NULL;
    g_autoptr(PsProfile) profile = profile_new(path);
    PsImport import = {.csv = csv, .options = options ? options : &none, .profile = profile};
    csv->progress = import.options->progress;
    const gboolean ok = read_any(&import, error);
    if (ok)
        warn(&import);
    g_strfreev(import.header.names);
    g_free(import.talk);
    g_free(import.complaint);
    return ok ? g_steal_pointer(&profile) : NULL;
}

/* ---- durations of another file ------------------------------------------------------------- */

/* A kernel's durations in another profile. */
typedef struct {
    double seconds;
    gint64 launches;
    gboolean is_unknown; /* the number of launches is not known */
} Durations;

/* Indexes kernels by name: as it is written, or with is_plain as ps_kernel_plain writes it. */
static GHashTable *index_names(const PsProfile *profile, gboolean is_plain)
{
    GHashTable *names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
                                              (GDestroyNotify)(void (*)(void))g_ptr_array_unref);
    for (guint i = 0; i < profile->kernels->len; i++) {
        PsProfileKernel *kernel = profile->kernels->pdata[i];
        g_autofree char *name = is_plain ? ps_kernel_plain(kernel->name) : g_strdup(kernel->name);
        GPtrArray *same = g_hash_table_lookup(names, name);
        if (!same) {
            same = g_ptr_array_new();
            g_hash_table_insert(names, g_steal_pointer(&name), same);
        }
        if (!isnan(kernel->seconds))
            g_ptr_array_add(same, kernel);
    }
    return names;
}

/* The durations of that launch if they are known, else of all launches. */
static Durations find_durations(const PsProfileKernel *kernel, const GPtrArray *same)
{
    Durations all = {0, 0, FALSE};
    for (guint i = 0; same && i < same->len; i++) {
        const PsProfileKernel *other = same->pdata[i];
        if (kernel->device && other->device && strcmp(kernel->device, other->device) != 0)
            continue;
        if (kernel->launch > 0 && kernel->launch == other->launch)
            return (Durations){other->seconds, 1, FALSE};
        all.seconds += other->seconds;
        all.launches += other->launches;
        all.is_unknown = all.is_unknown || other->launches == 0;
    }
    return all;
}

/* Scales durations to the launches. Where one file does not give the number of launches, they are
 * the same ones. */
static double scale_durations(const Durations *found, gint64 launches)
{
    if (launches == 0 || found->is_unknown || launches == found->launches)
        return found->seconds;
    return found->seconds / (double)found->launches * (double)launches;
}

/* Finds a kernel whose name two profilers write in two ways. */
static const GPtrArray *find_same(const char *name, const PsProfile *durations, GHashTable *names,
                                  GHashTable **plain)
{
    const GPtrArray *same = g_hash_table_lookup(names, name);
    if (same)
        return same;
    if (!*plain)
        *plain = index_names(durations, TRUE);
    g_autofree char *written = ps_kernel_plain(name);
    return g_hash_table_lookup(*plain, written);
}

guint ps_profile_join(PsProfile *profile, const PsProfile *durations)
{
    g_autoptr(GHashTable) names = index_names(durations, FALSE);
    g_autoptr(GHashTable) plain = NULL;
    guint n = 0;
    for (guint i = 0; i < profile->kernels->len; i++) {
        PsProfileKernel *kernel = profile->kernels->pdata[i];
        if (!isnan(kernel->seconds))
            continue;
        const GPtrArray *same = find_same(kernel->name, durations, names, &plain);
        const Durations found = find_durations(kernel, same);
        if (found.seconds <= 0)
            continue;
        kernel->seconds = scale_durations(&found, kernel->launches);
        kernel->metrics.value[PS_M_SECONDS] = kernel->seconds;
        n++;
    }
    return n;
}
