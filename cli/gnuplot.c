/* SPDX-License-Identifier: BSD-3-Clause */
/* See gnuplot.h. */
#include "cli/gnuplot.h"

#include "cli/draft.h"
#include "cli/fail.h"
#include "cli/output.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

/* What a type of file is drawn with, before and after its height. */
typedef struct {
    const char *ending, *terminal;
    double height;
    const char *rest;
} Type;

struct Gnuplot {
    Output *output; /* NULL once drawn */
    const Type *type;
    double factor; /* of the height */
};

static const Type *type_of(const char *path)
{
    static const Type types[] = {{".svg", "svg size 900,", 560, " dynamic background rgb 'white'"},
                                 {".png", "pngcairo size 1200,", 750, " fontscale 1.25"},
                                 {".pdf", "pdfcairo size 18cm,", 11.2, "cm"}};
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
    if (!output_draft(output)) {
        output_drop(output);
        g_set_error(error, PS_ERROR, PS_ERROR_READ, "%s: a chart can only be written to a file",
                    path);
        return NULL;
    }
    Gnuplot *gnuplot = g_new(Gnuplot, 1);
    *gnuplot = (Gnuplot){output, type_of(path), 1};
    return gnuplot;
}

void gnuplot_free(Gnuplot *gnuplot)
{
    if (!gnuplot)
        return;
    output_drop(gnuplot->output);
    g_free(gnuplot);
}

void gnuplot_grow(Gnuplot *gnuplot, double factor)
{
    gnuplot->factor = factor;
}

/* The title of an SVG file takes letters and digits alone. */
static void put_terminal(GString *script, const Gnuplot *gnuplot, const char *title)
{
    const Type *type = gnuplot->type;
    g_string_append_printf(script, "set terminal %s%.10g%s", type->terminal,
                           type->height * gnuplot->factor, type->rest);
    if (strcmp(type->ending, ".svg") == 0 && *title) {
        g_autofree char *name = g_strdup(title);
        g_strcanon(name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS, '_');
        g_string_append_printf(script, " name '%s'", name);
    }
    g_string_append_c(script, '\n');
}

static char *make_script(const Gnuplot *gnuplot, const char *title, const char *drawing)
{
    GString *script = g_string_new(NULL);
    g_autofree char *draft = ps_draw_quote(output_draft(gnuplot->output));
    g_string_append(script, "set encoding utf8\n");
    put_terminal(script, gnuplot, title);
    g_string_append_printf(script, "set output %s\n", draft);
    g_string_append(script, drawing);
    return g_string_free(script, FALSE);
}

/* gnuplot without the user's own settings, and in a locale of UTF-8: in another one it cannot spell
 * its own characters, and warns of that. */
static gboolean run_gnuplot(char *script, GError **error)
{
    char *argv[] = {(char[]){"gnuplot"}, (char[]){"-d"}, script, NULL};
    g_auto(GStrv) environment = g_environ_setenv(g_get_environ(), "LC_ALL", "C.UTF-8", TRUE);
    g_autofree char *said = NULL;
    g_autoptr(GError) why = NULL;
    int status;
    if (!g_spawn_sync(NULL, argv, environment, G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL,
                      NULL, NULL, NULL, &said, &status, error))
        return FALSE;
    if (g_spawn_check_wait_status(status, &why))
        return TRUE;
    g_set_error(error, PS_ERROR, PS_ERROR_READ, "gnuplot failed: %s: %s", why->message,
                g_strstrip(said));
    return FALSE;
}

/* The script goes through a file, since gnuplot's own errors then name its lines. */
static gboolean draw(const char *script, GError **error)
{
    g_autofree char *name = g_build_filename(g_get_tmp_dir(), "pipesim-XXXXXX.gp", NULL);
    const int fd = draft_open(name);
    if (fd < 0) {
        const int why = errno;
        g_set_error(error, PS_ERROR, PS_ERROR_READ, "%s: cannot be written: %s", name,
                    g_strerror(why));
        return FALSE;
    }
    g_close(fd, NULL);
    const gboolean done = output_write(name, script, error) && run_gnuplot(name, error);
    draft_remove(name);
    return done;
}

gboolean gnuplot_draw(Gnuplot *gnuplot, const char *title, const char *script, GError **error)
{
    g_autofree char *whole = make_script(gnuplot, title, script);
    return draw(whole, error) && output_commit(g_steal_pointer(&gnuplot->output), error);
}
