/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel's source: its file, and its lines for comments. */
#include "lift/emit/emit.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_BYTES (16 << 20)

const char *ps_plain_file(const char *file)
{
    const char *slash = file ? strrchr(file, '/') : NULL;
    return slash ? slash + 1 : file;
}

char *ps_valid_text(const char *text)
{
    g_autofree char *valid = text ? g_utf8_make_valid(text, -1) : NULL;
    if (!valid)
        return NULL;
    GString *out = g_string_new(NULL);
    for (const char *at = valid; *at; at = g_utf8_next_char(at)) {
        const gunichar c = g_utf8_get_char(at);
        g_string_append_unichar(out, g_unichar_iscntrl(c) || ps_char_is_hidden(c) ? '?' : c);
    }
    return g_string_free(out, FALSE);
}

/* The file that has the kernel, or NULL. Most instructions may come from a library's headers. What
 * they were inlined into is in the kernel's own file; if tables do not tell that, so are the
 * instructions before the first inlined function. */
static const char *main_file(const PsBuildOptions *options)
{
    const GArray *instructions = options->launch.kernel->instructions;
    for (guint i = 0; i < instructions->len; i++) {
        const PsPtxInstruction *instruction = &g_array_index(instructions, PsPtxInstruction, i);
        if (instruction->file != 0)
            return ps_ptx_place_in(options->module, instruction, NULL).file;
    }
    return NULL;
}

/* The content of a file, if it is a text of a source's size; else NULL. */
static char *read_text(const char *path, gsize *length)
{
    GStatBuf status;
    char *text = NULL;
    if (path && g_stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
        status.st_size <= MOST_BYTES)
        g_file_get_contents(path, &text, length, NULL);
    return text;
}

/* The text of the source that was just compiled to this PTX, or of the file that the PTX names,
 * beside the PTX or at its own path. */
static char *read_source(const PsBuildOptions *options, const char *file, gsize *length)
{
    const char *base = ps_plain_file(file), *source = options->source;
    /* compilers are given such a name in valid UTF-8 */
    g_autofree char *valid = source ? g_utf8_make_valid(ps_plain_file(source), -1) : NULL;
    if (source && (!base || strcmp(base, ps_plain_file(source)) == 0 || strcmp(base, valid) == 0))
        return read_text(source, length);
    if (!base)
        return NULL;
    g_autofree char *folder = g_path_get_dirname(options->module->path),
                    *beside = g_build_filename(folder, base, NULL);
    char *text = read_text(beside, length);
    return text ? text : read_text(file, length);
}

PsSourceText *ps_source_text_new(const PsBuildOptions *options)
{
    PsSourceText *text = g_new0(PsSourceText, 1);
    const char *file = main_file(options);
    gsize length = 0;
    g_autofree char *all = read_source(options, file, &length);
    text->file = file;
    text->name = g_strdup(ps_plain_file(file ? file : options->source));
    if (!all)
        return text;
    text->digest = g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)all, length);
    text->lines = g_strsplit(all, "\n", -1);
    text->n_lines = g_strv_length(text->lines);
    return text;
}

void ps_source_text_free(PsSourceText *text)
{
    if (!text)
        return;
    g_free(text->name);
    g_free(text->digest);
    g_strfreev(text->lines);
    g_free(text);
}
