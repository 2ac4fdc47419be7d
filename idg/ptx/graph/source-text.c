/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel's source: which file it is, and its lines, for comments. */
#include "idg/ptx/graph/emit.h"

#include <string.h>

#define MOST_BYTES (16 << 20)

const char *ps_plain_file(const char *file)
{
    const char *slash = file ? strrchr(file, '/') : NULL;
    return slash ? slash + 1 : file;
}

/* The file that most of the executed instructions are of, or NULL. */
static const char *main_file(const PsFacts *facts)
{
    guint counts[256] = {0};
    guint best = 0;
    const PsPtxInstruction *of = NULL;
    for (guint p = 0; p < facts->code->n_points; p++) {
        const PsPtxInstruction *instruction = ps_facts_instruction(facts, p);
        if (facts->facts[p].role == PS_ROLE_ABSENT || instruction->source_line <= 0 ||
            instruction->file == 0 || instruction->file >= G_N_ELEMENTS(counts))
            continue;
        if (++counts[instruction->file] > best) {
            best = counts[instruction->file];
            of = instruction;
        }
    }
    return of ? ps_ptx_file(facts->code->module, of) : NULL;
}

static gboolean is_readable(const char *path)
{
    return path && g_file_test(path, G_FILE_TEST_IS_REGULAR);
}

PsSourceText *ps_source_text_new(const PsBuildOptions *options, const PsFacts *facts)
{
    PsSourceText *text = g_new0(PsSourceText, 1);
    const char *file = main_file(facts);
    const char *path = options->source ? options->source : file;
    g_autofree char *all = NULL;
    gsize length = 0;
    text->name = g_strdup(ps_plain_file(file ? file : options->source));
    if (!is_readable(path) || !g_file_get_contents(path, &all, &length, NULL) ||
        length > MOST_BYTES)
        return text;
    text->lines = g_strsplit(all, "\n", -1);
    text->n_lines = g_strv_length(text->lines);
    return text;
}

void ps_source_text_free(PsSourceText *text)
{
    if (!text)
        return;
    g_free(text->name);
    g_strfreev(text->lines);
    g_free(text);
}
