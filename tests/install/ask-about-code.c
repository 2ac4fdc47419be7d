/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A client of the installed library that asks about a kernel's code, whatever it is (PTX, CUDA or
 * OpenCL source, a cubin): prints what `pipesim run --format json` prints.
 * Usage: ask-about-code CODE GPU [OPTION=VALUE...]
 *
 * An option is the program's: "grid=4x4", "arg=n=64". "advise=" asks what would help, too,
 * "buffer=NAME=FILE" gives an argument the file's bytes from memory, "stop=" ends the work as soon
 * as it says how far it is.
 */
#include <pipesim.h>
#include <stdio.h>
#include <string.h>

static gboolean stop(const PsProgress *progress, gpointer data)
{
    (void)progress;
    (void)data;
    return FALSE;
}

static gboolean set_buffer(PsKernelCode *code, const char *text, GError **error)
{
    const char *equals = strchr(text, '=');
    g_autofree char *name = equals ? g_strndup(text, (gsize)(equals - text)) : NULL, *data = NULL;
    gsize size;
    return name && g_file_get_contents(equals + 1, &data, &size, error) &&
           ps_kernel_code_set_buffer(code, name, data, size, error);
}

static gboolean set_all(PsKernelCode *code, char **words, PsHearer *hearer, gboolean *advises,
                        GError **error)
{
    for (; *words; words++) {
        g_auto(GStrv) parts = g_strsplit(*words, "=", 2);
        const char *value = parts[0] ? parts[1] : NULL;
        if (strcmp(*words, "stop=") == 0)
            hearer->func = stop;
        else if (strcmp(*words, "advise=") == 0)
            *advises = TRUE;
        else if (g_str_has_prefix(*words, "buffer=")
                     ? !set_buffer(code, value, error)
                     : !ps_kernel_code_set(code, parts[0], value, error))
            return FALSE;
    }
    return TRUE;
}

static void say(const PsKernelCode *code)
{
    const GPtrArray *told = ps_kernel_code_told(code);
    for (guint i = 0; i < told->len; i++)
        fprintf(stderr, "%s\n", (const char *)told->pdata[i]);
}

static gboolean advise(PsKernelCode *code, PsAnswer *answer, PsQuestion *question, GError **error)
{
    const guint threads = g_get_num_processors();
    if (!ps_answer_find_sensitivities(answer, question, FALSE, threads, error) ||
        !ps_answer_find_advice(answer, question, threads, error))
        return FALSE;
    ps_answer_try_pragmas(answer, question, code);
    return TRUE;
}

static char *json(char **argv, GError **error)
{
    PsHearer hearer = {0};
    gboolean advises = FALSE;
    g_autoptr(PsGpu) gpu = ps_gpu_load(argv[2], error);
    g_autoptr(PsKernelCode) code = ps_kernel_code_new(argv[1]);
    g_autoptr(PsIdg) idg = gpu && set_all(code, argv + 3, &hearer, &advises, error)
                               ? ps_kernel_code_graph(code, gpu, hearer, error)
                               : NULL;
    say(code);
    if (!idg)
        return NULL;
    PsQuestion question = {
        .idg = idg, .gpu = gpu, .precision = 0.005, .sketch = TRUE, .explain = advises};
    if (advises)
        question.code = ps_kernel_code_launch(code, gpu, hearer, NULL);
    g_autoptr(PsAnswer) answer = ps_answer_new(&question, NULL, error);
    if (!answer || (advises && !advise(code, answer, &question, error)))
        return NULL;
    return ps_answer_json(answer, 0);
}

int main(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = argc > 2 ? json(argv, &error) : NULL;
    if (text)
        fputs(text, stdout);
    else
        fprintf(stderr, "%s\n",
                error ? error->message : "usage: ask-about-code CODE GPU [OPTION=VALUE...]");
    return text ? 0 : 1;
}
