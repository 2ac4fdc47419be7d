/* SPDX-License-Identifier: BSD-3-Clause */
/* See source-ptx.h. */
#include "code/source-ptx.h"

#include "code/clang.h"
#include "code/kept.h"
#include "base/folder.h"

#include <string.h>

/* Variables of the environment that compilers and preprocessors read. */
static const char *const VARIABLES[] = {
    "NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS",  "NVCC_CCBIN",          "CUDA_HOME", "CPATH",
    "C_INCLUDE_PATH",     "CPLUS_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS"};

/* ---- the key ------------------------------------------------------------------------------- */

/* nvcc runs other programs: its own, in its own folder, and the host's. */
static void add_nvcc(GChecksum *key)
{
    static const char *const own[] = {"nvcc.profile", "cudafe++", "cicc", "../nvvm/bin/cicc"};
    static const char *const hosts[] = {"gcc", "g++"};
    g_autofree char *nvcc = ps_toolchain_find("nvcc"),
                    *folder = nvcc ? g_path_get_dirname(nvcc) : NULL;
    ps_store_key_add_program(key, nvcc);
    for (guint i = 0; folder && i < G_N_ELEMENTS(own); i++) {
        g_autofree char *path = g_build_filename(folder, own[i], NULL);
        ps_store_key_add_program(key, path);
    }
    for (guint i = 0; i < G_N_ELEMENTS(hosts); i++) {
        g_autofree char *path = g_find_program_in_path(hosts[i]);
        ps_store_key_add_program(key, path);
    }
}

static void add_clang(GChecksum *key)
{
    g_autoptr(GPtrArray) all = ps_clang_all();
    g_autofree char *libclc = ps_clang_libclc();
    for (guint i = 0; i < all->len; i++)
        ps_store_key_add_program(key, all->pdata[i]);
    ps_store_key_add_program(key, libclc);
}

void ps_source_ptx_add_to_key(const PsCodeSource *source, GChecksum *key)
{
    const PsCodeOptions *build = source->build;
    g_autofree char *architecture = g_strdup_printf("%u", ps_toolchain_architecture(source->gpu)),
                    *here = g_get_current_dir();
    ps_store_key_add(key, source->path);
    ps_store_key_add(key, here);
    ps_store_key_add(key, architecture);
    ps_store_key_add(key, source->gpu ? source->gpu->name : NULL);
    ps_store_key_add(key, build->arch);
    ps_store_key_add_list(key, (const char *const *)build->compiler);
    for (guint i = 0; i < G_N_ELEMENTS(VARIABLES); i++)
        ps_store_key_add(key, g_getenv(VARIABLES[i]));
    (g_str_has_suffix(source->path, ".cl") ? add_clang : add_nvcc)(key);
}

/* ---- the files ----------------------------------------------------------------------------- */

/* Adds what an option may name: "-Ifolder", "-include=file", "-I,folder" of -Xcompiler. A changed
 * file or folder of that name would give other PTX; most names are none. */
static void add_word(PsStoreInputs *inputs, const char *word)
{
    g_auto(GStrv) parts = g_strsplit_set(word, "=,", -1);
    for (char **part = parts; *part; part++) {
        const char *name = g_str_has_prefix(*part, "-I") ? *part + 2 : *part;
        g_ptr_array_add(inputs->files, g_strdup(name));
        g_ptr_array_add(inputs->folders, g_strdup(name));
    }
}

/* A file of options may name another one. */
static gboolean is_told_by_file(char *const *options)
{
    for (; options && *options; options++)
        if (**options == '@' || g_str_has_prefix(*options, "-optf") ||
            g_str_has_prefix(*options, "--options-file") || g_str_has_prefix(*options, "--config"))
            return TRUE;
    return FALSE;
}

/* The files that source and options name, before included files are known. NULL if names do not
 * matter: the copy of a source is gone when its rule is read. */
static PsStoreInputs *stated_inputs(const PsCodeSource *source)
{
    static const char *const paths[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"};
    char *const *options = source->build->compiler;
    if (!source->build->store || !ps_folder_is_plain(source->path) || is_told_by_file(options))
        return NULL;
    PsStoreInputs *inputs = ps_store_inputs_new();
    g_ptr_array_add(inputs->files, g_strdup(source->path));
    g_ptr_array_add(inputs->folders, g_path_get_dirname(source->path));
    for (; options && *options; options++)
        add_word(inputs, *options);
    for (guint i = 0; i < G_N_ELEMENTS(paths); i++) {
        const char *path = g_getenv(paths[i]);
        g_auto(GStrv) folders = g_strsplit(path ? path : "", ":", -1);
        for (char **folder = folders; *folder; folder++)
            g_ptr_array_add(inputs->folders, g_strdup(*folder));
    }
    return inputs;
}

/* Adds the inputs of make's rule "x.ptx : a.cu b.h \", read as a shell would. FALSE: it is no
 * rule. */
static gboolean add_rule(PsStoreInputs *inputs, const char *rule)
{
    const char *colon = rule ? strstr(rule, ": ") : NULL;
    g_auto(GStrv) words = NULL;
    g_autoptr(GString) files = g_string_new(colon ? colon + 1 : NULL);
    g_string_replace(files, "$$", "$", 0);
    g_string_replace(files, "\\\n", " ", 0);
    if (!g_shell_parse_argv(files->str, NULL, &words, NULL))
        return FALSE;
    for (char **word = words; *word; word++)
        g_ptr_array_add(inputs->files, g_strdup(*word));
    return TRUE;
}

/* ---- all of it ----------------------------------------------------------------------------- */

/* Prints kept messages of the compiler again. They stand before the PTX, and end with a line. NULL:
 * the data are damaged. */
static char *take_kept(const PsCodeSource *source, GBytes *kept, gsize *length)
{
    gsize size = 0;
    const char *data = kept ? g_bytes_get_data(kept, &size) : NULL;
    const char *end = size ? memchr(data, '\n', size) : NULL;
    if (!end)
        return NULL;
    g_autofree char *told = g_strndup(data, (gsize)(end - data));
    if (*told)
        ps_code_tell(source->build, told);
    *length = size - (gsize)(end + 1 - data);
    return g_strndup(end + 1, *length);
}

static void keep(const PsCodeSource *source, GChecksum *key, const PsStoreInputs *inputs,
                 const GPtrArray *told, const char *text)
{
    g_autofree char *all = g_strconcat(told->len ? told->pdata[0] : "", "\n", text, NULL);
    g_autoptr(GBytes) bytes = g_bytes_new(all, strlen(all));
    ps_kept_put(source->build, key, inputs, bytes);
}

char *ps_source_ptx(const PsCodeSource *source, gsize *length, PsStoreInputs **inputs,
                    GError **error)
{
    g_autoptr(PsStoreInputs) stated = stated_inputs(source);
    if (!stated)
        return ps_toolchain_make_ptx(source, length, NULL, error);
    g_autoptr(GChecksum) key = ps_store_key_new("ptx 2");
    ps_source_ptx_add_to_key(source, key);
    g_autoptr(PsStoreInputs) found = ps_store_inputs_new();
    g_autoptr(GBytes) kept = ps_kept_find(source->build, key, found);
    char *known = take_kept(source, kept, length);
    if (known) {
        *inputs = g_steal_pointer(&found);
        return known;
    }
    PsCodeOptions listening = *source->build;
    g_autoptr(GPtrArray) told = listening.told = g_ptr_array_new_with_free_func(g_free);
    const PsCodeSource heard = {.path = source->path, .gpu = source->gpu, .build = &listening};
    g_autofree char *rule = NULL;
    char *text = ps_toolchain_make_ptx(&heard, length, &rule, error);
    for (guint i = 0; source->build->told && i < told->len; i++)
        g_ptr_array_add(source->build->told, g_strdup(told->pdata[i]));
    if (text && strlen(text) == *length && add_rule(stated, rule)) {
        keep(source, key, stated, told, text);
        *inputs = g_steal_pointer(&stated);
    }
    return text;
}
