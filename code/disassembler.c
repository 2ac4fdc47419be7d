/* SPDX-License-Identifier: BSD-3-Clause */
/* See disassembler.h. */
#include "code/disassembler.h"

#include "code/kept.h"
#include "code/toolkit.h"
#include "sass/file.h"
#include "sass/together.h"

#include <string.h>

/* Seconds of processor time: a kernel in a cubin of 50 MB takes one. */
#define MOST_SECONDS 30
/* Minutes by the clock, enough for a working nvdisasm on a loaded machine. */
#define MOST_MINUTES 20
/* Size of a kernel's listing, at most: a million instructions take about half of it. */
#define MOST_MEBIBYTES 256
/* Bytes of code that is listed together: beyond that the start takes little of the time. */
#define MOST_TOGETHER ((gsize)64 << 10)

/* ---- which program -------------------------------------------------------------------------- */

char *ps_machine_code_nvdisasm(const PsCodeOptions *options)
{
    g_autoptr(GPtrArray) all = ps_toolkit_all("nvdisasm");
    if (options->nvdisasm)
        return g_find_program_in_path(options->nvdisasm);
    return all->len ? g_strdup(all->pdata[0]) : NULL;
}

char *ps_disassembler_for(const PsCodeOptions *options, guint architecture)
{
    enum { LAST_OF_ALL = 90 };
    char *other = NULL;
    if (!options->nvdisasm && architecture &&
        (architecture < PS_SASS_FIRST_OF_CUDA_13 || architecture > LAST_OF_ALL))
        other = ps_toolkit_for(options, "nvdisasm", architecture);
    return other ? other : ps_machine_code_nvdisasm(options);
}

char *ps_disassembler_find(const PsMachineCodeOf *of, guint architecture, GError **error)
{
    const char *given = of->options->nvdisasm;
    g_autofree char *own = ps_toolkit_own("nvdisasm"), *folder = ps_toolkit_folder();
    char *found = ps_disassembler_for(of->options, architecture);
    if (!found && given)
        g_set_error(error, PS_ERROR, PS_ERROR_READ, "%snvdisasm: there is no program \"%s\"",
                    of->options->prefix, given);
    else if (!found)
        g_set_error(error, PS_ERROR, PS_ERROR_READ,
                    "%s: machine code needs nvdisasm, which was looked for on PATH, in %s and as "
                    "%s (NVIDIA's CUDA toolkit, ./bootstrap --only sass, or pip install "
                    "nvidia-cuda-nvdisasm); %snvdisasm says where it is",
                    of->name, folder, own, of->options->prefix);
    return found;
}

/* TRUE and *error if the program does not know the chip. */
static gboolean fails_by_chip(const PsMachineCodeOf *of, const char *program, guint architecture,
                              GError **error)
{
    g_autofree char *known = ps_toolkit_known(of->options, program);
    if (!known || ps_toolkit_knows(of->options, program, architecture))
        return FALSE;
    g_set_error(error, PS_ERROR, PS_ERROR_READ,
                "%s: machine code for sm_%u, and %s lists that for %s; %s, which ./bootstrap "
                "--only sass gets, lists it, and %snvdisasm says where it is",
                of->name, architecture, program, known,
                architecture < PS_SASS_FIRST_OF_CUDA_13 ? "nvdisasm of CUDA 12.8"
                                                        : "nvdisasm of the latest CUDA",
                of->options->prefix);
    return TRUE;
}

static gboolean fail_to_list(const PsMachineCodeOf *of, GError *failed, char *said, GError **error)
{
    g_autoptr(GError) why = failed;
    if (g_error_matches(why, PS_ERROR, PS_ERROR_CANCELLED)) {
        g_propagate_error(error, g_steal_pointer(&why));
        return FALSE;
    }
    said[strcspn(said, "\n")] = '\0';
    g_autofree char *valid = g_utf8_make_valid(said, -1);
    if (g_error_matches(why, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED))
        g_set_error(error, PS_ERROR, PS_ERROR_READ, "%s: nvdisasm %s, and was ended", of->name,
                    why->message);
    else if (g_error_matches(why, G_SPAWN_ERROR, G_SPAWN_ERROR_TOO_BIG))
        g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                    "%s: nvdisasm wrote more than %d MiB, and was ended", of->name, MOST_MEBIBYTES);
    else
        g_set_error(error, PS_ERROR, PS_ERROR_READ, "%s: nvdisasm fails: %s", of->name,
                    *valid ? valid : why->message);
    return FALSE;
}

/* ---- one kernel ----------------------------------------------------------------------------- */

/* Its output for a cubin; number: of the one symbol to list, or NULL. NULL, *why, and its messages
 * in `said`. */
static GString *run(const PsCodeOptions *options, const char *program, GBytes *cubin,
                    const char *number, GString *said, GError **why)
{
    char *draft = ps_tool_file(options->host.tools, ".cubin", cubin, why);
    if (!draft)
        return NULL;
    g_autoptr(GString) json = g_string_new(NULL);
    const char *one[] = {program, "-json", "-fun", number, draft, NULL};
    const char *all[] = {program, "-json", draft, NULL};
    const PsTool nvdisasm = {
        .host = options->host.tools,
        .argv = (char **)(number ? one : all),
        .written = json,
        .said = said,
        .limits = {MOST_SECONDS, MOST_MINUTES * 60, (gsize)MOST_MEBIBYTES << 20},
        .hearer = options->host.hearer};
    const gboolean good = ps_tool_run(&nvdisasm, why);
    ps_tool_file_remove(options->host.tools, draft);
    return good ? g_steal_pointer(&json) : NULL;
}

/* The key of a kernel's listing, where the kernel is alone in a cubin. */
static GChecksum *key_of(const char *program, const PsSassKernel *kernel, GBytes *alone)
{
    GChecksum *key = ps_store_key_new("listing 1");
    g_autofree char *number = g_strdup_printf("%u", kernel->symbol);
    ps_store_key_add_program(key, program);
    ps_store_key_add(key, number);
    ps_store_key_add_bytes(key, g_bytes_get_data(alone, NULL), g_bytes_get_size(alone));
    return key;
}

/* The disassembler's listing, which is kept if it is readable. NULL and *error. */
static PsSassListing *list_alone(const PsMachineCodeOf *of, const char *program,
                                 const PsSassKernel *kernel, GBytes *alone, GChecksum *key,
                                 GError **error)
{
    g_autofree char *number = g_strdup_printf("%u", kernel->symbol);
    g_autoptr(GString) said = g_string_new(NULL);
    GError *why = NULL;
    g_autoptr(GString) json = run(of->options, program, alone, number, said, &why);
    if (!json) {
        fail_to_list(of, why, said->str, error);
        return NULL;
    }
    PsSassListing *listing = ps_sass_listing_new(json->str, (gssize)json->len, kernel, error);
    g_autoptr(GBytes) made = g_string_free_to_bytes(g_steal_pointer(&json));
    if (listing)
        ps_kept_put(of->options, key, NULL, made);
    return listing;
}

PsSassListing *ps_disassemble(const PsMachineCodeOf *of, const PsSassImage *image,
                              const PsSassKernel *kernel, GError **error)
{
    const guint architecture = (guint)image->capability;
    g_autofree char *program = ps_disassembler_find(of, architecture, error);
    if (!program)
        return NULL;
    g_autoptr(GBytes) alone = ps_sass_image_alone(image, kernel);
    g_autoptr(GChecksum) key = key_of(program, kernel, alone);
    g_autoptr(GBytes) kept = ps_kept_find(of->options, key, NULL);
    if (kept)
        return ps_sass_listing_new(g_bytes_get_data(kept, NULL), (gssize)g_bytes_get_size(kept),
                                   kernel, error);
    g_autoptr(GError) why = NULL;
    PsSassListing *listing = list_alone(of, program, kernel, alone, key, &why);
    if (why && (g_error_matches(why, PS_ERROR, PS_ERROR_SYNTAX) ||
                g_error_matches(why, PS_ERROR, PS_ERROR_CANCELLED) ||
                !fails_by_chip(of, program, architecture, error)))
        g_propagate_error(error, g_steal_pointer(&why));
    return listing;
}

/* ---- several -------------------------------------------------------------------------------- */

/* A kernel of an image, alone in a cubin. */
typedef struct {
    const PsCodeOptions *options;
    GPtrArray *images; /* PsSassImage, one of which has the kernel */
    const PsSassKernel *kernel;
    GBytes *alone;
    GChecksum *key;
} Item;

struct PsDisassembly {
    GPtrArray *items; /* Item */
    char *program;    /* program that lists all of them; NULL: none yet */
    guint architecture;
    gsize bytes; /* of their code */
};

static void item_free(gpointer self)
{
    Item *item = self;
    g_ptr_array_unref(item->images);
    g_bytes_unref(item->alone);
    g_checksum_free(item->key);
    g_free(item);
}

PsDisassembly *ps_disassembly_new(void)
{
    PsDisassembly *work = g_new0(PsDisassembly, 1);
    work->items = g_ptr_array_new_with_free_func(item_free);
    return work;
}

void ps_disassembly_free(PsDisassembly *work)
{
    if (!work)
        return;
    g_ptr_array_unref(work->items);
    g_free(work->program);
    g_free(work);
}

/* TRUE if a kernel with its key is there already; the key covers everything that is listed. */
static gboolean has(const PsDisassembly *work, GChecksum *key)
{
    for (guint i = 0; i < work->items->len; i++) {
        const Item *item = work->items->pdata[i];
        if (strcmp(g_checksum_get_string(item->key), g_checksum_get_string(key)) == 0)
            return TRUE;
    }
    return FALSE;
}

/* Lists what the work has for other chips, or up to its limit, first. */
static void make_room(PsDisassembly *work, const PsMachineCodeOf *of, guint architecture,
                      gsize bytes)
{
    if (work->architecture == architecture && work->bytes + bytes <= MOST_TOGETHER)
        return;
    ps_disassembly_run(work);
    if (work->architecture == architecture && work->program)
        return;
    g_free(work->program);
    work->program = ps_disassembler_find(of, architecture, NULL);
    work->architecture = architecture;
}

void ps_disassembly_add(PsDisassembly *work, const PsMachineCodeOf *of, GPtrArray *images)
{
    PsSassImage *image = NULL;
    g_autoptr(GPtrArray) own = images;
    const PsSassKernel *kernel = ps_sass_images_kernel(images, of->kernel->name, &image);
    const gsize bytes = kernel ? kernel->text.size : 0;
    if (!kernel || bytes > MOST_TOGETHER || image->capability < PS_SASS_FIRST_OF_CUDA_13)
        return;
    make_room(work, of, (guint)image->capability, bytes);
    if (!work->program)
        return;
    g_autoptr(GBytes) alone = ps_sass_image_alone(image, kernel);
    g_autoptr(GChecksum) key = key_of(work->program, kernel, alone);
    g_autoptr(GBytes) kept = ps_kept_find(of->options, key, NULL);
    if (kept || has(work, key))
        return;
    Item *item = g_new0(Item, 1);
    *item = (Item){.options = of->options,
                   .images = g_steal_pointer(&own),
                   .kernel = kernel,
                   .alone = g_steal_pointer(&alone),
                   .key = g_steal_pointer(&key)};
    g_ptr_array_add(work->items, item);
    work->bytes += bytes;
}

/* Keeps a readable listing. */
static void keep(const Item *item, GString *json)
{
    g_autoptr(PsSassListing) listing =
        ps_sass_listing_new(json->str, (gssize)json->len, item->kernel, NULL);
    g_autoptr(GBytes) made = g_bytes_new(json->str, json->len);
    if (listing)
        ps_kept_put(item->options, item->key, NULL, made);
}

void ps_disassembly_run(PsDisassembly *work)
{
    const guint n = work->items->len;
    g_autoptr(GPtrArray) cubins = g_ptr_array_new();
    const Item *first = n ? work->items->pdata[0] : NULL;
    for (guint i = 0; i < n; i++)
        g_ptr_array_add(cubins, ((const Item *)work->items->pdata[i])->alone);
    /* A single kernel is listed as quickly when it is asked for. */
    g_autoptr(GBytes) all = n > 1 ? ps_sass_together(cubins) : NULL;
    g_autoptr(GString) json =
        all ? run(first->options, work->program, all, NULL, NULL, NULL) : NULL;
    g_autoptr(GPtrArray) listings = json ? ps_sass_apart(json->str, json->len, n) : NULL;
    for (guint i = 0; listings && i < n; i++)
        if (listings->pdata[i])
            keep(work->items->pdata[i], listings->pdata[i]);
    g_ptr_array_set_size(work->items, 0);
    work->bytes = 0;
}
