/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What all launches of the corpus share: buffers, comparison, and the text that tells the program's
 * command line about a launch.
 */
#include "tests/help/corpus.h"

#include <math.h>
#include <string.h>

static const guint sizes[CORPUS_N_TYPES] = {1, 2, 4, 8, 4, 8};

const CorpusLaunch *corpus_launch(guint n)
{
    const CorpusLaunch *const tables[] = {corpus_linear, corpus_group, corpus_plane, corpus_float,
                                          corpus_code};
    for (guint t = 0; t < G_N_ELEMENTS(tables); t++)
        for (const CorpusLaunch *launch = tables[t]; launch->name; launch++)
            if (n-- == 0)
                return launch;
    return NULL;
}

gsize corpus_buffer_size(const CorpusArgument *argument)
{
    return (gsize)argument->count * sizes[argument->type];
}

gpointer *corpus_buffers_new(const CorpusLaunch *launch)
{
    gpointer *buffers = g_new0(gpointer, CORPUS_MOST_ARGUMENTS);
    for (guint i = 0; launch->arguments[i].name; i++) {
        const CorpusArgument *argument = &launch->arguments[i];
        if (argument->count == 0)
            continue;
        buffers[i] = g_malloc0(corpus_buffer_size(argument));
        if (argument->fill)
            argument->fill(buffers[i], argument->count, i + 1);
    }
    return buffers;
}

void corpus_buffers_free(gpointer *buffers)
{
    for (guint i = 0; i < CORPUS_MOST_ARGUMENTS; i++)
        g_free(buffers[i]);
    g_free(buffers);
}

guint64 corpus_scalar(const CorpusArgument *argument)
{
    const float single = (float)argument->value;
    guint32 bits = 0;
    switch (argument->type) {
    case CORPUS_F32:
        memcpy(&bits, &single, sizeof bits);
        return bits;
    case CORPUS_U64:
        return (guint64)argument->value;
    default:
        return (guint32)(gint32)argument->value;
    }
}

int corpus_int(const CorpusLaunch *launch, guint argument)
{
    return (int)launch->arguments[argument].value;
}

float corpus_float_value(const CorpusLaunch *launch, guint argument)
{
    return (float)launch->arguments[argument].value;
}

/* "5" or "3x2" or "3x2x4" */
static void append_size(GString *text, const char *option, const guint size[3])
{
    g_string_append_printf(text, "%s %u", option, size[0]);
    if (size[1] > 1 || size[2] > 1)
        g_string_append_printf(text, "x%u", size[1]);
    if (size[2] > 1)
        g_string_append_printf(text, "x%u", size[2]);
}

char *corpus_data_file(const CorpusLaunch *launch, const CorpusArgument *argument)
{
    const int length = (int)(strrchr(launch->ptx, '.') - launch->ptx);
    return g_strdup_printf("data/%.*s-%s.bin", length, launch->ptx, argument->name);
}

char *corpus_launch_text(const CorpusLaunch *launch)
{
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_append_printf(text, "%s --kernel %s\n", launch->ptx, launch->kernel);
    append_size(text, "--grid", launch->grid);
    append_size(text, " --block", launch->block);
    if (launch->dynamic_shared > 0)
        g_string_append_printf(text, " --shared %u", launch->dynamic_shared);
    g_string_append_c(text, '\n');
    for (const CorpusArgument *argument = launch->arguments; argument->name; argument++) {
        g_autofree char *file = corpus_data_file(launch, argument);
        char value[G_ASCII_DTOSTR_BUF_SIZE];
        if (launch->nameless)
            g_string_append_printf(text, "--arg %u=", (guint)(argument - launch->arguments));
        else
            g_string_append_printf(text, "--arg %s=", argument->name);
        if (argument->count == 0)
            g_string_append(text, g_ascii_formatd(value, sizeof value, "%.9g", argument->value));
        else if (argument->fill)
            g_string_append_printf(text, "@%s", file);
        else
            g_string_append_printf(text, "zero:%" G_GSIZE_FORMAT, corpus_buffer_size(argument));
        g_string_append_c(text, '\n');
    }
    return g_string_free(g_steal_pointer(&text), FALSE);
}

/* How far two floats are apart, in ulps of the expected one or of scale. */
static double distance(float actual, float expected, float scale)
{
    if (isnan(actual) && isnan(expected))
        return 0.0;
    if (actual == expected)
        return 0.0;
    if (!isfinite(actual) || !isfinite(expected))
        return INFINITY;
    const float magnitude = fmaxf(fmaxf(fabsf(expected), scale), 0x1p-126f);
    const double ulp = (double)nextafterf(magnitude, INFINITY) - (double)magnitude;
    return fabs((double)actual - (double)expected) / ulp;
}

char *corpus_difference(const CorpusLaunch *launch, guint argument, gconstpointer actual,
                        gconstpointer expected, guint i)
{
    const CorpusType type = launch->arguments[argument].type;
    const guint size = sizes[type];
    const guint8 *a = (const guint8 *)actual + (gsize)i * size;
    const guint8 *e = (const guint8 *)expected + (gsize)i * size;
    if (memcmp(a, e, size) == 0)
        return NULL;
    guint64 a_bits = 0;
    guint64 e_bits = 0;
    memcpy(&a_bits, a, size);
    memcpy(&e_bits, e, size);
    if (type != CORPUS_F32)
        return g_strdup_printf("0x%" G_GINT64_MODIFIER "x, expected 0x%" G_GINT64_MODIFIER "x",
                               a_bits, e_bits);
    float a_value = 0.0f;
    float e_value = 0.0f;
    memcpy(&a_value, a, sizeof a_value);
    memcpy(&e_value, e, sizeof e_value);
    const double ulps = distance(a_value, e_value, launch->scale);
    if (ulps <= launch->ulps)
        return NULL;
    return g_strdup_printf("%.9g, expected %.9g: %.1f ulps apart, %u are allowed", (double)a_value,
                           (double)e_value, ulps, launch->ulps);
}
