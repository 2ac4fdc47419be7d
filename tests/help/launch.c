/* SPDX-License-Identifier: BSD-3-Clause */
/* See launch.h. */
#include "tests/help/launch.h"

#include <glib/gstdio.h>
#include <string.h>

static char *text_of(const LaunchCase *launch)
{
    return g_strdup_printf(
        ".version 8.0\n.target sm_80\n.address_size %u\n%s\n.visible .entry %s(%s)\n%s%s\n{\n"
        ".reg .b32 r<10>;\n.reg .b64 d<10>;\n%s\nret;\n}\n",
        launch->address_size ? launch->address_size : 64, launch->before ? launch->before : "",
        launch->name ? launch->name : "k", launch->params ? launch->params : "",
        launch->required ? ".reqntid " : "", launch->required ? launch->required : "",
        launch->body ? launch->body : "");
}

/* The path (g_free) of a file that holds the source; NULL where there is none. */
static char *write_source(const LaunchCase *launch)
{
    g_autoptr(GError) error = NULL;
    if (!launch->source)
        return NULL;
    g_autofree char *name =
        g_strdup_printf("launch-XXXXXX.%s", launch->extension ? launch->extension : "cu");
    char *path = NULL;
    const int file = g_file_open_tmp(name, &path, &error);
    g_assert_no_error(error);
    g_close(file, NULL);
    g_file_set_contents(path, launch->source, -1, &error);
    g_assert_no_error(error);
    return path;
}

Launched *launch_new(const LaunchCase *launch)
{
    Launched *launched = g_new0(Launched, 1);
    g_autofree char *text = text_of(launch), *source = write_source(launch);
    PsLaunchTexts texts = launch->texts;
    launched->notes = g_ptr_array_new_with_free_func(g_free);
    launched->warnings = g_ptr_array_new_with_free_func(g_free);
    launched->module = ps_ptx_parse(text, strlen(text), "k.ptx", &launched->error);
    g_assert_no_error(launched->error);
    const PsPtxFunction *kernel = ps_ptx_kernel(launched->module, NULL, &launched->error);
    g_assert_no_error(launched->error);
    texts.source = source;
    launched->command = ps_launch_command(launched->module, kernel, &texts);
    launched->arguments = ps_launch_arguments_new(launched->module, kernel, &texts, launched->notes,
                                                  launched->warnings, &launched->error);
    g_assert_true((launched->arguments == NULL) == (launched->error != NULL));
    if (source)
        g_unlink(source);
    return launched;
}

void launch_free(Launched *launched)
{
    ps_launch_arguments_free(launched->arguments);
    ps_ptx_free(launched->module);
    g_ptr_array_unref(launched->notes);
    g_ptr_array_unref(launched->warnings);
    g_clear_error(&launched->error);
    g_free(launched->command);
    g_free(launched);
}

Launched *launch_with(LaunchCase launch, const char *const *texts)
{
    launch.texts.arguments = texts;
    return launch_new(&launch);
}

void launch_fails(LaunchCase launch, const char *const *texts, const char *message)
{
    g_autoptr(Launched) launched = launch_with(launch, texts);
    g_assert_error(launched->error, PS_ERROR, PS_ERROR_USAGE);
    g_assert_cmpstr(launched->error->message, ==, message);
}

void launch_tells(const GPtrArray *array, const char *text)
{
    g_assert_cmpuint(array->len, ==, text ? 1 : 0);
    if (text)
        g_assert_cmpstr(array->pdata[0], ==, text);
}
