/* SPDX-License-Identifier: BSD-3-Clause */
/* The search path and the two kinds of files; see find.h. */
#include "cli/find.h"

#include "cli/root.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The longest file that is read at all; the library has the same limit for its formats. */
#define MAX_BYTES (64 * 1024 * 1024)

/* Which of the data folders a name belongs to. */
typedef enum { FIND_GRAPH, FIND_GPU, FIND_EITHER } FindKind;

static const char *const KIND_NAME[] = {"graph", "GPU description", "graph or GPU description"};

/* The folder of the program; NULL where the system does not tell. */
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
    if (kind != FIND_GRAPH)
        add_data_folders(folders, "gpus");
    return folders;
}

/* The path of the file of that name (g_free); "-" for "-". */
static char *find_file(const char *name, FindKind kind, GError **error)
{
    if (strcmp(name, "-") == 0 || strchr(name, '/'))
        return g_strdup(name);
    g_autoptr(GPtrArray) folders = search_path(kind);
    g_autoptr(GString) looked = g_string_new(NULL);
    for (guint i = 0; i < folders->len; i++) {
        const char *folder = folders->pdata[i];
        g_autofree char *path =
            strcmp(folder, ".") == 0 ? g_strdup(name) : g_build_filename(folder, name, NULL);
        if (*name && g_file_test(path, G_FILE_TEST_EXISTS) &&
            !g_file_test(path, G_FILE_TEST_IS_DIR))
            return g_steal_pointer(&path);
        g_string_append_printf(looked, "%s%s", i ? ", " : "", i ? folder : "the current folder");
    }
    g_set_error(error, PS_ERROR, PS_ERROR_READ, "there is no %s \"%s\"; looked in %s",
                KIND_NAME[kind], name, looked->str);
    return NULL;
}

PsIdg *find_graph(const char *name, GError **error)
{
    g_autofree char *path = find_file(name, FIND_GRAPH, error);
    return path ? ps_idg_load(path, error) : NULL;
}

PsGpu *find_gpu(const char *name, GError **error)
{
    g_autofree char *path = find_file(name, FIND_GPU, error);
    return path ? ps_gpu_load(path, error) : NULL;
}

/* The whole of a file or of standard input, which can be read only once; no more than the limit. */
static GString *read_all(const char *path, GError **error)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    g_autoptr(GString) text = g_string_new(NULL);
    char part[65536];
    gsize n;
    while (file && text->len <= MAX_BYTES && (n = fread(part, 1, sizeof part, file)) > 0)
        g_string_append_len(text, part, (gssize)n);
    const gboolean bad = !file || ferror(file);
    const int why = errno;
    if (file && file != stdin)
        fclose(file);
    if (bad) {
        g_set_error(error, PS_ERROR, PS_ERROR_READ, "%s: cannot be read: %s", path,
                    g_strerror(why));
        return NULL;
    }
    return g_steal_pointer(&text);
}

gboolean find_any(const char *name, PsIdg **idg, PsGpu **gpu, GError **error)
{
    g_autofree char *path = find_file(name, FIND_EITHER, error);
    if (!path)
        return FALSE;
    GString *text = read_all(path, error);
    if (!text)
        return FALSE;
    g_autofree char *root = root_element(text->str, text->len);
    if (g_strcmp0(root, "gpu") == 0)
        *gpu = ps_gpu_parse(text->str, text->len, path, error);
    else
        *idg = ps_idg_parse(text->str, text->len, path, error);
    g_string_free(text, TRUE);
    return *idg || *gpu;
}
