/* SPDX-License-Identifier: BSD-3-Clause */
/* See gnuplot.h. */
#include "cli/system/gnuplot.h"

#include "cli/fail.h"
#include "cli/system/draft.h"
#include "cli/system/output.h"

#include <string.h>

/* A type of picture: gnuplot's terminal before and after the height, and the bytes that end a whole
 * file. */
typedef struct {
    const char *ending, *terminal;
    double height;
    const char *rest, *last;
} Type;

struct Gnuplot {
    Output *output; /* NULL when it is drawn */
    const Type *type;
};

static const Type *type_of(const char *path)
{
    static const Type types[] = {
        {".svg", "svg size 900,", 560, " dynamic background rgb 'white'", "</svg>"},
        {".png", "pngcairo size 1200,", 750, " fontscale 1.25", "IEND"},
        {".pdf", "pdfcairo size 18cm,", 11.2, "cm", "%%EOF"}};
    for (guint i = 0; i < G_N_ELEMENTS(types); i++)
        if (g_str_has_suffix(path, types[i].ending))
            return &types[i];
    return NULL;
}

gboolean gnuplot_check(const char *path, GError **error)
{
    return type_of(path) ||
           usage_error(error, "--chart '%s': a chart's name ends in .svg, .png or .pdf", path);
}

static gboolean have_gnuplot(GError **error)
{
    g_autofree char *program = g_find_program_in_path("gnuplot");
    if (!program)
        g_set_error(error, PS_ERROR, PS_ERROR_READ,
                    "a chart needs the program gnuplot, which is not installed "
                    "(Debian's package gnuplot-nox has it)");
    return program != NULL;
}

Gnuplot *gnuplot_open(const char *path, GError **error)
{
    if (!have_gnuplot(error))
        return NULL;
    Output *output = output_open(path, error);
    if (!output)
        return NULL;
    Gnuplot *gnuplot = g_new(Gnuplot, 1);
    *gnuplot = (Gnuplot){output, type_of(path)};
    return gnuplot;
}

void gnuplot_free(Gnuplot *gnuplot)
{
    if (!gnuplot)
        return;
    output_drop(gnuplot->output);
    g_free(gnuplot);
}

/* Terminal, then plot. An SVG file's title allows letters and digits alone. */
static char *make_script(const Type *type, const char *title, const char *drawing, double height)
{
    GString *script = g_string_new(NULL);
    g_string_append_printf(script, "set terminal %s%.10g%s", type->terminal, type->height * height,
                           type->rest);
    if (strcmp(type->ending, ".svg") == 0 && *title) {
        g_autofree char *name = g_strdup(title);
        g_strcanon(name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS, '_');
        g_string_append_printf(script, " name '%s'", name);
    }
    g_string_append_printf(script, "\n%s", drawing);
    return g_string_free(script, FALSE);
}

/* TRUE if the last bytes end a whole picture: gnuplot does not notice a lack of room. */
static gboolean is_whole(const GString *picture, const Type *type)
{
    const gsize length = strlen(type->last);
    for (gsize back = length; back <= MIN(picture->len, 16); back++)
        if (memcmp(picture->str + picture->len - back, type->last, length) == 0)
            return TRUE;
    return FALSE;
}

static gboolean gnuplot_error(GError **error, const char *why, GString *said)
{
    const char *text = g_strstrip(said->str);
    g_set_error(error, PS_ERROR, PS_ERROR_READ, "gnuplot failed: %s%s%s", why, *text ? ": " : "",
                text);
    return FALSE;
}

/* Runs gnuplot without the user's settings, and in a UTF-8 locale: in another one it cannot write
 * its own characters, and warns. We write its output, since it does not report a full disk. A
 * script named "-" ends at its first error. */
static gboolean run_gnuplot(const Type *type, const char *script, GString *picture, GError **error)
{
    char *argv[] = {(char[]){"gnuplot"}, (char[]){"-d"}, (char[]){"-"}, NULL};
    g_auto(GStrv) environment = g_environ_setenv(g_get_environ(), "LC_ALL", "C.UTF-8", TRUE);
    g_autoptr(GString) said = g_string_new(NULL);
    g_autoptr(GError) why = NULL;
    const PsTool tool = {.host = &draft_host,
                         .argv = argv,
                         .environment = environment,
                         .input = script,
                         .written = picture,
                         .said = said};
    if (!ps_tool_run(&tool, &why))
        return gnuplot_error(error, why->message, said);
    return is_whole(picture, type) || gnuplot_error(error, "its picture is cut off", said);
}

gboolean gnuplot_draw(Gnuplot *gnuplot, const char *title, const char *drawing, double height,
                      GError **error)
{
    g_autofree char *script = make_script(gnuplot->type, title, drawing, height);
    g_autoptr(GString) picture = g_string_new(NULL);
    return run_gnuplot(gnuplot->type, script, picture, error) &&
           output_put_bytes(gnuplot->output, picture->str, picture->len, error) &&
           output_commit(g_steal_pointer(&gnuplot->output), error);
}
