/* SPDX-License-Identifier: BSD-3-Clause */
/* See code.h. */
#include "code/code.h"

#include "base/usage.h"
#include "code/built.h"
#include "code/choice.h"
#include "code/disassembler.h"
#include "code/peek.h"
#include "code/set.h"
#include "launch/lent.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

struct PsKernelCode {
    char *path;
    PsCodeOptions options; /* its texts belong to `given` */
    GHashTable *given;     /* option -> its text, for options that can be set once */
    GPtrArray *arguments;  /* char *: NAME=VALUE */
    GPtrArray *defines;    /* char *: words for the compiler, -DNAME=VALUE, -IFOLDER */
    GHashTable *buffers;   /* text of an argument in memory, "NAME=@FILE" -> its file */
    GHashTable *lent;      /* lent memory, "@lent:NUMBER" -> PsLent */
    guint n_lent;          /* numbers given so far */
    gboolean no_cache;
    GPtrArray *told;
    /* The options of what is launched: its PsBuiltCode borrows from them. */
    PsCodeOptions launched;
    PsBuiltCode *built;
};

gboolean ps_kernel_code_is(const char *path)
{
    static const char *const endings[] = {".ptx", ".cu", ".cl", ".cubin"};
    for (guint i = 0; i < G_N_ELEMENTS(endings); i++)
        if (g_str_has_suffix(path, endings[i]) && strlen(path) > strlen(endings[i]))
            return TRUE;
    return ps_peek_is_machine_code(path);
}

/* ---- files of buffers ------------------------------------------------------------------------ */

static void close_file(gpointer fd)
{
    g_close(GPOINTER_TO_INT(fd), NULL);
}

/* A file without a name with these bytes; -1 and *error. */
static int open_bytes(gconstpointer data, gsize size, GError **error)
{
    g_autoptr(GBytes) bytes = g_bytes_new_static(data, size);
    char *path = ps_tool_file(NULL, ".bin", bytes, error);
    const int fd = path ? g_open(path, O_RDONLY | O_CLOEXEC, 0) : -1;
    const int why = errno;
    if (path && fd < 0)
        g_set_error(error, PS_ERROR, PS_ERROR_READ, "%s: cannot be read: %s", path,
                    g_strerror(why));
    ps_tool_file_remove(NULL, path);
    return fd;
}

/* ---- making ---------------------------------------------------------------------------------- */

static void hear(const char *text, gboolean warning, gpointer code)
{
    PsKernelCode *self = code;
    g_ptr_array_add(self->told, g_strconcat(warning ? "warning: " : "", text, NULL));
}

PsKernelCode *ps_kernel_code_new(const char *path)
{
    PsKernelCode *code = g_new0(PsKernelCode, 1);
    code->path = g_strdup(path);
    code->options.prefix = "";
    code->options.host.tell = hear;
    code->options.host.data = code;
    code->given = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    code->arguments = g_ptr_array_new_with_free_func(g_free);
    code->defines = g_ptr_array_new_with_free_func(g_free);
    code->buffers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, close_file);
    code->lent = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    code->told = g_ptr_array_new_with_free_func(g_free);
    return code;
}

/* Frees the options of the last work. */
static void clear_options(PsCodeOptions *options)
{
    g_clear_pointer(&options->grid, g_free);
    g_clear_pointer(&options->threads, g_free);
    g_clear_pointer(&options->block, g_free);
    g_clear_pointer(&options->store, ps_store_free);
    g_clear_pointer(&options->compiler, g_strfreev);
    g_clear_pointer(&options->arguments, g_strfreev);
    g_clear_pointer(&options->said, g_ptr_array_unref);
}

void ps_kernel_code_free(PsKernelCode *code)
{
    if (!code)
        return;
    g_clear_pointer(&code->built, ps_built_code_free);
    clear_options(&code->launched);
    g_hash_table_unref(code->given);
    g_hash_table_unref(code->buffers);
    g_hash_table_unref(code->lent);
    g_ptr_array_unref(code->arguments);
    g_ptr_array_unref(code->defines);
    g_ptr_array_unref(code->told);
    g_free(code->path);
    g_free(code);
}

/* ---- options --------------------------------------------------------------------------------- */

/* Drops the present text of an argument: one that begins alike up to "=". */
static void drop_argument(PsKernelCode *code, const char *text)
{
    const gsize length = strcspn(text, "=") + 1;
    for (guint i = code->arguments->len; i-- > 0;) {
        char *has = code->arguments->pdata[i];
        if (text[length - 1] != '=' || strncmp(has, text, length) != 0)
            continue;
        g_hash_table_remove(code->buffers, has);
        g_hash_table_remove(code->lent, has + length);
        g_ptr_array_remove_index(code->arguments, i);
    }
}

static void set_argument(PsKernelCode *code, const char *text)
{
    if (!text) {
        g_hash_table_remove_all(code->buffers);
        g_hash_table_remove_all(code->lent);
        g_ptr_array_set_size(code->arguments, 0);
        return;
    }
    drop_argument(code, text);
    g_ptr_array_add(code->arguments, g_strdup(text));
}

/* Sets a word such as "-D" or "-I". */
static void set_word(PsKernelCode *code, const char *option, const char *text)
{
    for (guint i = code->defines->len; !text && i-- > 0;)
        if (g_str_has_prefix(code->defines->pdata[i], option))
            g_ptr_array_remove_index(code->defines, i);
    if (text)
        g_ptr_array_add(code->defines, g_strconcat(option, text, NULL));
}

/* Sets an option that has one value: its text is kept, since the options borrow it. */
static gboolean set_text(PsKernelCode *code, const char *option, const char *value, GError **error)
{
    g_autofree char *text = g_strdup(value);
    g_auto(GStrv) words = NULL;
    if (strcmp(option, "compiler-options") == 0
            ? !ps_code_words(&code->options, text, &words, error)
            : !ps_code_set(&code->options, option, text, error))
        return FALSE;
    g_hash_table_replace(code->given, g_strdup(option), g_steal_pointer(&text));
    return TRUE;
}

gboolean ps_kernel_code_set(PsKernelCode *code, const char *option, const char *value,
                            GError **error)
{
    if (strcmp(option, "arg") == 0)
        set_argument(code, value);
    else if (strcmp(option, "define") == 0)
        set_word(code, "-D", value);
    else if (strcmp(option, "include") == 0)
        set_word(code, "-I", value);
    else if (strcmp(option, "no-cache") == 0)
        code->no_cache = value != NULL;
    else
        return set_text(code, option, value, error);
    return TRUE;
}

gboolean ps_kernel_code_set_buffer(PsKernelCode *code, const char *argument, gconstpointer data,
                                   gsize size, GError **error)
{
    const int fd = open_bytes(data, size, error);
    if (fd < 0)
        return FALSE;
    g_autofree char *text = g_strdup_printf("%s=@/dev/fd/%d", argument, fd);
    set_argument(code, text);
    g_hash_table_insert(code->buffers, g_steal_pointer(&text), GINT_TO_POINTER(fd));
    return TRUE;
}

void ps_kernel_code_lend_buffer(PsKernelCode *code, const char *argument, gconstpointer data,
                                gsize size, gboolean read_only)
{
    const PsLent lent = {data, size, read_only};
    char *value = g_strdup_printf("@lent:%u", code->n_lent++);
    g_autofree char *text = g_strconcat(argument, strchr(argument, '=') ? ":" : "=", value, NULL);
    set_argument(code, text);
    g_hash_table_insert(code->lent, value, g_memdup2(&lent, sizeof lent));
}

/* ---- work ------------------------------------------------------------------------------------ */

static char **copy_words(const GPtrArray *first, char **words)
{
    GPtrArray *all = g_ptr_array_new();
    for (; words && *words; words++)
        g_ptr_array_add(all, g_strdup(*words));
    for (guint i = 0; i < first->len; i++)
        g_ptr_array_add(all, g_strdup(first->pdata[i]));
    g_ptr_array_add(all, NULL);
    return (char **)g_ptr_array_free(all, FALSE);
}

static void substitute(char **text, const char *name, const char *value)
{
    char *with = *text ? ps_launch_substitute(*text, name, value) : NULL;
    g_free(*text);
    *text = with;
}

/* A macro also replaces its name in the launch, except in an argument's name, in the kind of a
 * buffer's content ("zero:"), and in a file's name. */
static void set_macro(PsCodeOptions *options, const char *name, const char *value)
{
    substitute(&options->grid, name, value);
    substitute(&options->threads, name, value);
    substitute(&options->block, name, value);
    for (char **argument = options->arguments; *argument; argument++) {
        const char *equals = strchr(*argument, '=');
        if (!equals || equals[1] == '@')
            continue;
        const char *colon = strchr(equals, ':'), *size = (colon ? colon : equals) + 1;
        g_autofree char *before = g_strndup(*argument, (gsize)(size - *argument));
        g_autofree char *with = ps_launch_substitute(size, name, value);
        g_free(*argument);
        *argument = g_strconcat(before, with, NULL);
    }
}

/* Copies the launch's texts, which the options own. */
static void copy_launch(const PsKernelCode *code, PsCodeOptions *options)
{
    options->grid = g_strdup(options->grid);
    options->threads = g_strdup(options->threads);
    options->block = g_strdup(options->block);
    options->arguments = copy_words(code->arguments, NULL);
    for (guint i = 0; i < code->defines->len; i++) {
        const char *word = code->defines->pdata[i], *equals = strchr(word, '=');
        g_autofree char *name = equals ? g_strndup(word, (gsize)(equals - word)) : NULL;
        if (name && g_str_has_prefix(name, "-D"))
            set_macro(options, name + strlen("-D"), equals + 1);
    }
}

/* The options for one work, until clear_options. Each work has its own store, which checks files
 * anew. FALSE and *error. */
static gboolean begin(PsKernelCode *code, PsHearer hearer, PsCodeOptions *options, GError **error)
{
    g_auto(GStrv) words = NULL;
    *options = code->options;
    options->host.hearer = hearer;
    copy_launch(code, options);
    if (!ps_code_check(options, error) ||
        !ps_code_words(options, g_hash_table_lookup(code->given, "compiler-options"), &words,
                       error) ||
        (!code->no_cache && !(options->store = ps_code_store(error))))
        return FALSE;
    options->compiler = copy_words(code->defines, words);
    options->lent = g_hash_table_size(code->lent) ? code->lent : NULL;
    options->said = g_ptr_array_new_with_free_func(g_free);
    return TRUE;
}

char **ps_kernel_code_kernels(PsKernelCode *code, const PsGpu *gpu, PsHearer hearer, GError **error)
{
    PsCodeOptions options;
    g_ptr_array_set_size(code->told, 0);
    g_autoptr(PsCodeModule) module = begin(code, hearer, &options, error)
                                         ? ps_code_module_load(&options, code->path, gpu, error)
                                         : NULL;
    clear_options(&options);
    if (!module)
        return NULL;
    g_auto(GStrv) names = ps_ptx_kernel_names(module->module);
    GPtrArray *kernels = g_ptr_array_new();
    for (char **name = names; *name; name++)
        if (**name)
            g_ptr_array_add(kernels, g_strdup(*name));
    g_ptr_array_add(kernels, NULL);
    return (char **)g_ptr_array_free(kernels, FALSE);
}

PsIdg *ps_kernel_code_graph(PsKernelCode *code, const PsGpu *gpu, PsHearer hearer, GError **error)
{
    PsCodeOptions options;
    g_ptr_array_set_size(code->told, 0);
    PsIdg *idg = begin(code, hearer, &options, error)
                     ? ps_code_graph(&options, code->path, gpu, NULL, error)
                     : NULL;
    clear_options(&options);
    return idg;
}

/* FALSE: the caller ends the work. */
static gboolean prepare(const PsCodeOptions *options, const char *path, const PsGpu *gpu,
                        PsDisassembly *work)
{
    g_autoptr(GError) why = NULL;
    g_autoptr(PsCodeModule) module = ps_code_module_load(options, path, gpu, &why);
    const PsPtxFunction *kernel =
        module ? ps_ptx_kernel(module->module, options->kernel, NULL) : NULL;
    const PsMachineCodeOf of = {options, path, module, kernel, gpu, NULL, FALSE};
    if (kernel)
        ps_machine_code_ahead(&of, work);
    return !g_error_matches(why, PS_ERROR, PS_ERROR_CANCELLED);
}

void ps_kernel_code_prepare(PsKernelCode *const *codes, guint n, const PsGpu *gpu, PsHearer hearer)
{
    g_autofree PsCodeOptions *options = g_new0(PsCodeOptions, n);
    g_autoptr(PsDisassembly) work = ps_disassembly_new();
    gboolean goes_on = TRUE;
    for (guint i = 0; goes_on && i < n; i++) {
        if (!begin(codes[i], hearer, &options[i], NULL) || !options[i].store)
            continue;
        options[i].quiet = TRUE; /* warnings come with the graph */
        goes_on = prepare(&options[i], codes[i]->path, gpu, work);
    }
    if (goes_on)
        ps_disassembly_run(work);
    for (guint i = 0; i < n; i++)
        clear_options(&options[i]);
}

const struct PsLaunchCode *ps_kernel_code_launch(PsKernelCode *code, const PsGpu *gpu,
                                                 PsHearer hearer, GError **error)
{
    g_clear_pointer(&code->built, ps_built_code_free);
    clear_options(&code->launched);
    if (!begin(code, hearer, &code->launched, error))
        return NULL;
    code->launched.quiet = TRUE; /* warnings came with the graph */
    code->built = ps_built_code_new(&code->launched, code->path, gpu, error);
    return code->built ? ps_built_code_launch(code->built) : NULL;
}

const char *ps_kernel_code_path(const PsKernelCode *code)
{
    return code->path;
}

const PsBuiltCode *ps_kernel_code_built(const PsKernelCode *code)
{
    return code->built;
}

char **ps_kernel_code_told(const PsKernelCode *code)
{
    return copy_words(code->told, NULL);
}
