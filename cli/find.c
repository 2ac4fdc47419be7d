/* SPDX-License-Identifier: BSD-3-Clause */
/* The search path and the two kinds of files; see find.h. */
#include "cli/find.h"

#include "cli/build/options.h"
#include "cli/fail.h"
#include "pipesim-private.h"

#include <glib/gstdio.h>
#include <string.h>

/* Names in a message, at most. */
#define MAX_NAMES 5

/* Which of the data folders a name belongs to. */
typedef enum { FIND_GRAPH, FIND_GPU, FIND_EITHER, FIND_PROFILE } FindKind;

static const char *const KIND_NAME[] = {"graph", "GPU description", "graph or GPU description",
                                        "profile or graph"};

/* The folder of the program; NULL: the system does not tell. */
static char *program_folder(void)
{
    g_autofree char *exe = g_file_read_link("/proc/self/exe", NULL);
    return exe ? g_path_get_dirname(exe) : NULL;
}

static void add_data_folders(GPtrArray *folders, const char *data)
{
    static const char *const base[] = {"../share/pipesim", "."};
    g_autofree char *program = program_folder();
    for (guint i = 0; program && i < G_N_ELEMENTS(base); i++) {
        g_autofree char *path = g_build_filename(program, base[i], data, NULL);
        g_ptr_array_add(folders, g_canonicalize_filename(path, NULL));
    }
}

/* The folder of pipesim's own families of GPUs, which any description may extend. */
#define FAMILIES "gpus/families"

/* NULL ends the list. */
static GPtrArray *family_folders(void)
{
    GPtrArray *folders = g_ptr_array_new_with_free_func(g_free);
    add_data_folders(folders, FAMILIES);
    g_ptr_array_add(folders, NULL);
    return folders;
}

PsGpu *find_parse_gpu(const char *text, gsize length, const char *path, GError **error)
{
    g_autoptr(GPtrArray) folders = family_folders();
    return ps_gpu_parse_with(text, length, path, (const char *const *)folders->pdata, error);
}

/* Every folder to look in, in order. */
static GPtrArray *search_path(FindKind kind)
{
    GPtrArray *folders = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(folders, g_strdup("."));
    g_auto(GStrv) own =
        g_strsplit(g_getenv("PIPESIM_PATH") ? g_getenv("PIPESIM_PATH") : "", ":", 0);
    for (guint i = 0; own[i]; i++)
        if (*own[i])
            g_ptr_array_add(folders, g_strdup(own[i]));
    if (kind != FIND_GPU)
        add_data_folders(folders, "graphs");
    if (kind != FIND_GRAPH && kind != FIND_PROFILE)
        add_data_folders(folders, "gpus");
    return folders;
}

GPtrArray *find_folders(const char *data)
{
    GPtrArray *folders = search_path(strcmp(data, "gpus") == 0 ? FIND_GPU : FIND_GRAPH);
    g_ptr_array_remove_index(folders, 0); /* the current folder */
    g_ptr_array_add(folders, NULL);
    return folders;
}

/* The endings of files of a kind. */
static const char *const *endings_of(FindKind kind)
{
    static const char *const graph[] = {".idg", NULL}, *const gpu[] = {".xml", NULL},
                             *const either[] = {".idg", ".xml", NULL};
    return kind == FIND_GPU ? gpu : kind == FIND_EITHER ? either : graph;
}

/* The name without an ending of the kind (g_free). */
static char *stem_of(const char *name, FindKind kind)
{
    for (const char *const *ending = endings_of(kind); *ending; ending++)
        if (g_str_has_suffix(name, *ending))
            return g_strndup(name, strlen(name) - strlen(*ending));
    return g_strdup(name);
}

/* Adds the names of a folder's files of a kind. */
static void add_names(const char *folder, FindKind kind, GPtrArray *names)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *name;
    while (dir && (name = g_dir_read_name(dir)) != NULL) {
        g_autofree char *stem = stem_of(name, kind);
        if (*stem && strlen(stem) < strlen(name) &&
            !g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
            g_ptr_array_add(names, g_strdup(name));
    }
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names of all files of a kind in these folders, without endings. */
static GPtrArray *stems_in(const GPtrArray *folders, FindKind kind)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    GPtrArray *stems = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < folders->len; i++)
        add_names(folders->pdata[i], kind, names);
    g_ptr_array_sort(names, by_name);
    for (guint i = 0; i < names->len; i++)
        g_ptr_array_add(stems, stem_of(names->pdata[i], kind));
    return stems;
}

GPtrArray *find_graph_stems(void)
{
    g_autoptr(GPtrArray) folders = search_path(FIND_GRAPH);
    return stems_in(folders, FIND_GRAPH);
}

static int by_file(const void *a, const void *b)
{
    g_autofree char *first = g_path_get_basename(*(const char *const *)a),
                    *second = g_path_get_basename(*(const char *const *)b),
                    *stem = stem_of(first, FIND_EITHER), *other = stem_of(second, FIND_EITHER);
    return strcmp(stem, other);
}

/* Paths of files in the data folders; for each name the first folder counts. */
static GPtrArray *find_all(FindKind kind)
{
    g_autoptr(GPtrArray) folders = search_path(kind);
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 1; i < folders->len; i++) {
        const guint before = names->len;
        add_names(folders->pdata[i], kind, names);
        for (guint n = before; n < names->len; n++) {
            g_autofree char *path = g_build_filename(folders->pdata[i], names->pdata[n], NULL);
            if (g_file_test(path, G_FILE_TEST_IS_REGULAR))
                g_ptr_array_add(paths, g_steal_pointer(&path));
        }
    }
    g_ptr_array_sort(paths, by_file);
    return paths;
}

GPtrArray *find_all_gpus(void)
{
    return find_all(FIND_GPU);
}

GPtrArray *find_all_graphs(void)
{
    return find_all(FIND_GRAPH);
}

static gboolean is_file(const char *path)
{
    return g_file_test(path, G_FILE_TEST_EXISTS) && !g_file_test(path, G_FILE_TEST_IS_DIR);
}

/* The file at this path, with or without an ending of the kind (g_free); NULL: there is none. */
static char *complete(const char *path, FindKind kind)
{
    if (is_file(path))
        return g_strdup(path);
    for (const char *const *ending = endings_of(kind); *ending; ending++) {
        g_autofree char *whole = g_strconcat(path, *ending, NULL);
        if (is_file(whole))
            return g_steal_pointer(&whole);
    }
    return NULL;
}

/* The path of the file of that name (g_free), "-" for "-"; NULL: there is none. */
static char *look_for(const char *name, const GPtrArray *folders, FindKind kind)
{
    if (strcmp(name, "-") == 0)
        return g_strdup(name);
    if (strchr(name, '/')) {
        char *path = complete(name, kind);
        return path ? path : g_strdup(name); /* reading it gives the message */
    }
    for (guint i = 0; *name && i < folders->len; i++) {
        const char *folder = folders->pdata[i];
        g_autofree char *path =
            strcmp(folder, ".") == 0 ? g_strdup(name) : g_build_filename(folder, name, NULL);
        char *found = complete(path, kind);
        if (found)
            return found;
    }
    return NULL;
}

gboolean find_has_file(const char *name)
{
    g_autoptr(GPtrArray) folders = search_path(FIND_EITHER);
    g_autofree char *path = look_for(name, folders, FIND_EITHER);
    return path != NULL;
}

gboolean find_is_gpu(const char *name)
{
    g_autoptr(GPtrArray) folders = search_path(FIND_EITHER);
    g_autofree char *path = look_for(name, folders, FIND_EITHER);
    return path && g_str_has_suffix(path, ".xml");
}

/* ---- GPUs by what people call them --------------------------------------------------------- */

/* The path of the description meant by a name that no file has (g_free). NULL: none; with *error if
 * several are meant, or a known card without a description. */
static char *find_card(const char *name, GError **error)
{
    g_autoptr(GPtrArray) paths = find_all_gpus(), families = family_folders();
    return ps_gpu_called(name, paths, (const char *const *)families->pdata, error);
}

/* Only the digits of a name (g_free). */
static char *digits_of(const char *name)
{
    GString *digits = g_string_new(NULL);
    for (; *name; name++)
        if (g_ascii_isdigit(*name))
            g_string_append_c(digits, *name);
    return g_string_free(digits, FALSE);
}

/* The text behind the last digit: "s" of "4070s", which is another card than 4070. */
static const char *behind_digits(const char *name)
{
    const char *end = name;
    for (const char *at = name; *at; at++)
        end = g_ascii_isdigit(*at) ? at + 1 : end;
    return end;
}

/* The GPUs' names with the same digits and the same letters behind them, since other letters mean
 * another card. For graphs, all names. */
static GPtrArray *alike(const char *name, const GPtrArray *stems, FindKind kind)
{
    GPtrArray *names = g_ptr_array_new();
    g_autofree char *own = digits_of(name);
    const char *behind = behind_digits(name);
    for (guint i = 0; i < stems->len; i++) {
        const char *stem = stems->pdata[i];
        g_autofree char *digits = digits_of(stem);
        const char *theirs = behind_digits(stem);
        if (kind != FIND_GPU ||
            (strcmp(own, digits) == 0 &&
             (!*own || !*behind || (*theirs && strlen(theirs) >= strlen(behind)))))
            g_ptr_array_add(names, (gpointer)stem);
    }
    return names;
}

/* "; names that begin so: rtx2060, rtx2070" (g_free): the first of these names; empty if there are
 * none. */
static char *longer_names(const char *stem, const GPtrArray *stems)
{
    GString *text = g_string_new(NULL);
    const gsize length = strlen(stem);
    guint n = 0;
    for (guint i = 0; i < stems->len && length > 1; i++)
        if (g_ascii_strncasecmp(stems->pdata[i], stem, length) == 0 && n++ < MAX_NAMES)
            g_string_append_printf(text, "%s%s", n == 1 ? "; names that begin so: " : ", ",
                                   (const char *)stems->pdata[i]);
    if (n > MAX_NAMES)
        g_string_append_printf(text, " and %u more", n - MAX_NAMES);
    return g_string_free(text, FALSE);
}

/* Code or profiles in the current folder, by their file names. */
static GPtrArray *files_here(FindKind kind)
{
    static const char *const code[] = {".cu", ".ptx", ".cl", ".cubin", NULL},
                             *const profiles[] = {".csv", ".json", ".sqlite", ".db", NULL},
                             *const none[] = {NULL};
    const char *const *endings = kind == FIND_GRAPH ? code : kind == FIND_PROFILE ? profiles : none;
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GDir) folder = g_dir_open(".", 0, NULL);
    const char *name;
    while (folder && (name = g_dir_read_name(folder)) != NULL)
        for (const char *const *ending = endings; *ending; ending++)
            if (g_str_has_suffix(name, *ending))
                g_ptr_array_add(names, g_strdup(name));
    return names;
}

GPtrArray *find_code_called(const char *name)
{
    GPtrArray *files = files_here(FIND_GRAPH);
    for (guint i = files->len; i > 0; i--) {
        const char *file = files->pdata[i - 1];
        if (strncmp(file, name, strlen(name)) != 0 || file[strlen(name)] != '.')
            g_ptr_array_remove_index(files, i - 1);
    }
    g_ptr_array_sort(files, by_name);
    return files;
}

/* "; did you mean ...?", or else how to list all names (g_free). */
static char *suggest(const char *name, const GPtrArray *folders, FindKind kind)
{
    static const char *const lists[] = {[FIND_GRAPH] = " --graphs",
                                        [FIND_GPU] = " --gpus",
                                        [FIND_EITHER] = "",
                                        [FIND_PROFILE] = " --graphs"};
    g_autoptr(GPtrArray) stems = stems_in(folders, kind), files = files_here(kind);
    g_autofree char *stem = stem_of(name, kind);
    g_autoptr(GPtrArray) names_alike = alike(stem, stems, kind);
    for (guint i = 0; i < files->len; i++)
        g_ptr_array_add(names_alike, files->pdata[i]);
    g_autofree char *near = ps_did_you_mean(stem, names_alike);
    g_autofree char *longer = longer_names(stem, stems);
    return *near ? g_steal_pointer(&near)
                 : g_strdup_printf("%s; pipesim list%s lists what there is", longer, lists[kind]);
}

/* Finds files of the other kind and families, too: their readers have a better message than that
 * there is no such file. */
static char *find_file(const char *name, FindKind kind, GError **error)
{
    g_autoptr(GPtrArray) folders = search_path(kind), all = search_path(FIND_EITHER);
    add_data_folders(all, FAMILIES);
    char *path = look_for(name, folders, kind);
    if (path || (path = look_for(name, all, FIND_EITHER)))
        return path;
    if (kind == FIND_GPU || kind == FIND_EITHER) {
        g_autofree char *stem = stem_of(name, FIND_GPU);
        GError *why = NULL;
        if ((path = find_card(stem, &why)) || why) {
            if (why)
                g_propagate_error(error, why);
            return path;
        }
    }
    if (g_file_test(name, G_FILE_TEST_IS_DIR)) {
        g_set_error(error, PS_ERROR, PS_ERROR_READ, "%s is a folder, and a %s is asked for", name,
                    KIND_NAME[kind]);
        return NULL;
    }
    if (g_str_has_suffix(name, ".pst")) {
        g_set_error(error, PS_ERROR, PS_ERROR_READ, "there is no recording \"%s\"", name);
        return NULL;
    }
    g_autoptr(GString) looked = g_string_new("the current folder");
    for (guint i = 1; i < folders->len; i++)
        g_string_append_printf(looked, ", %s", (const char *)folders->pdata[i]);
    g_autofree char *near = suggest(name, folders, kind);
    g_set_error(error, PS_ERROR, PS_ERROR_READ, "there is no %s \"%s\"; looked in %s%s",
                KIND_NAME[kind], name, looked->str, near);
    return NULL;
}

static gboolean is_same_file(const char *one, const char *other)
{
    GStatBuf a, b;
    return g_stat(one, &a) == 0 && g_stat(other, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

/* A file of the current folder precedes pipesim's own of the same name: says so, lest one is taken
 * for the other. */
static void say_which(const char *name, const char *path, FindKind kind)
{
    g_autoptr(GPtrArray) folders = search_path(kind);
    if (strchr(path, '/') || strcmp(path, "-") == 0)
        return;
    g_ptr_array_remove_index(folders, 0);
    g_autofree char *other = look_for(name, folders, kind);
    if (!other || is_same_file(path, other))
        return;
    g_autofree char *text = g_strdup_printf(
        "%s of the current folder is taken, and not %s, which has the same name", path, other);
    note(text);
}

/* Reads a file and finds its kind by its root element; *kind is FIND_EITHER for another root. */
static char *find_text(const char *name, char **path, FindKind *kind, gsize *length, GError **error)
{
    *path = find_file(name, *kind, error);
    if (*path)
        say_which(name, *path, *kind);
    char *text = *path ? ps_file_read(*path, PS_FILE_MAX_BYTES, length, error) : NULL;
    g_autofree char *root = text ? ps_root_element(text, *length) : NULL;
    const gboolean gpu = g_strcmp0(root, "gpu") == 0 || g_strcmp0(root, "family") == 0;
    *kind = gpu ? FIND_GPU : g_strcmp0(root, "idg") == 0 ? FIND_GRAPH : FIND_EITHER;
    return text;
}

/* TRUE if a file of that name, other than a pipe, is a graph. */
static gboolean is_graph(const char *name)
{
    g_autofree char *path = find_file(name, FIND_EITHER, NULL);
    if (!path || !g_file_test(path, G_FILE_TEST_IS_REGULAR))
        return FALSE;
    FindKind kind = FIND_EITHER;
    g_autofree char *same = NULL;
    gsize length = 0;
    g_autofree char *text = find_text(path, &same, &kind, &length, NULL);
    return text && kind == FIND_GRAPH;
}

/* TRUE if the file is most likely a profile, which another verb reads. */
static gboolean is_profile(const char *path)
{
    return (g_str_has_suffix(path, ".csv") || g_str_has_suffix(path, ".json")) &&
           !ps_peek_is_xml(path);
}

gboolean find_no_space(const char *path, GError **error)
{
    static const char *const members[] = {"\"ConfigurationSpace\"", "\"KernelSpecification\""};
    g_autofree char *text = NULL;
    if (!g_str_has_suffix(path, ".json") || !g_file_get_contents(path, &text, NULL, NULL))
        return TRUE;
    for (guint i = 0; i < G_N_ELEMENTS(members); i++)
        if (!strstr(text, members[i]))
            return TRUE;
    g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                "%s is a space of Kernel Tuner's, in its format T1, whose conditions are "
                "expressions of Python; the package (pip install pipesim) reads it: python3 -m "
                "pipesim sweep %s --gpu GPU",
                path, path);
    return FALSE;
}

PsIdg *find_graph(const char *name, const char *gpu, GError **error)
{
    FindKind kind = FIND_GRAPH;
    g_autofree char *path = NULL;
    gsize length = 0;
    g_autofree char *text = find_text(name, &path, &kind, &length, error);
    if (!text || !find_no_space(path, error))
        return NULL;
    PsIdg *idg = NULL;
    if (kind == FIND_GPU && is_graph(gpu))
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                    "%s is a GPU description and %s a graph: are they swapped?", name, gpu);
    else if (kind == FIND_GPU)
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                    "%s is a GPU description, and a graph is asked for", name);
    else if (is_profile(path))
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                    "%s is no graph; profiles are for the verb: pipesim roofline %s --gpu %s", name,
                    name, gpu);
    else if (ps_peek_no_other(name, text, length, error))
        idg = ps_idg_parse(text, length, path, error);
    return idg;
}

static PsGpu *load_gpu(const char *name, GError **error)
{
    FindKind kind = FIND_GPU;
    g_autofree char *path = NULL;
    gsize length = 0;
    g_autofree char *text = find_text(name, &path, &kind, &length, error);
    if (!text)
        return NULL;
    PsGpu *gpu = NULL;
    if (kind == FIND_GRAPH)
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                    "%s is a graph, and a GPU description is asked for", name);
    else if (ps_kernel_code_is(path))
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                    "%s is a kernel's code, and a GPU description is asked for: pipesim %s --gpu "
                    "pascal",
                    name, name);
    else if (ps_card_recording_is(path))
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                    "%s is a recording of a program, and a GPU description is asked for", name);
    else if (is_profile(path))
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                    "%s is no GPU description, which is an .xml file such as pascal.xml; profiles "
                    "stand without --gpu: pipesim roofline %s --gpu pascal.xml",
                    name, name);
    else if (*text && text[strspn(text, " \t\r\n\xEF\xBB\xBF")] != '<')
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                    "%s is no GPU description, which is an .xml file such as pascal.xml", name);
    else
        gpu = find_parse_gpu(text, length, path, error);
    return gpu;
}

PsGpu *find_gpu(const char *name, GError **error)
{
    const char *modes = ps_gpu_modes_of(name);
    g_autofree char *file = modes ? g_strndup(name, (gsize)(modes - name)) : g_strdup(name);
    g_autoptr(PsGpu) gpu = load_gpu(file, error);
    return gpu && ps_gpu_take_modes(gpu, name, error) ? g_steal_pointer(&gpu) : NULL;
}

/* The first description in a folder that is of that device. */
static PsGpu *called_in(const char *folder, const char *device)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    add_names(folder, FIND_GPU, names);
    g_ptr_array_sort(names, by_name);
    for (guint i = 0; i < names->len; i++) {
        g_autofree char *path = g_build_filename(folder, names->pdata[i], NULL);
        gsize length;
        g_autofree char *text = ps_file_read(path, PS_FILE_MAX_BYTES, &length, NULL);
        g_autoptr(PsGpu) gpu = text ? find_parse_gpu(text, length, path, NULL) : NULL;
        if (gpu && strcmp(gpu->name, device) == 0)
            return g_steal_pointer(&gpu);
    }
    return NULL;
}

PsGpu *find_gpu_called(const char *device)
{
    g_autoptr(GPtrArray) folders = g_ptr_array_new_with_free_func(g_free);
    PsGpu *found = NULL;
    add_data_folders(folders, "gpus");
    for (guint i = 0; !found && i < folders->len; i++)
        found = called_in(folders->pdata[i], device);
    return found;
}

gboolean find_any(const char *name, PsIdg **idg, PsGpu **gpu, GError **error)
{
    FindKind kind = FIND_EITHER;
    g_autofree char *path = NULL;
    gsize length = 0;
    if (ps_gpu_modes_of(name))
        return (*gpu = find_gpu(name, error)) != NULL;
    g_autofree char *text = find_text(name, &path, &kind, &length, error);
    if (!text)
        return FALSE;
    if (kind == FIND_GPU)
        *gpu = find_parse_gpu(text, length, path, error);
    else if (ps_peek_no_other(name, text, length, error))
        *idg = ps_idg_parse(text, length, path, error);
    return *idg || *gpu;
}

gboolean find_profile(const char *name, char **path, PsIdg **idg, GError **error)
{
    g_autofree char *found = find_file(name, FIND_PROFILE, error);
    if (!found)
        return FALSE;
    say_which(name, found, FIND_PROFILE);
    if (!ps_peek_is_xml(found)) {
        *path = g_steal_pointer(&found);
        return TRUE;
    }
    gsize length = 0;
    g_autofree char *text = ps_file_read(found, PS_FILE_MAX_BYTES, &length, error);
    g_autofree char *root = text ? ps_root_element(text, length) : NULL;
    if (g_strcmp0(root, "gpu") == 0)
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE, "%s is a GPU description; write --gpu %s",
                    name, name);
    else if (text)
        *idg = ps_idg_parse(text, length, found, error);
    return *idg != NULL;
}
