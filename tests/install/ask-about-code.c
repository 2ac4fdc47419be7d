/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A client of the installed library that asks about a kernel, be it code (PTX, CUDA or OpenCL
 * source, a cubin) or a graph: prints what `pipesim run --format json` prints.
 * Usage: ask-about-code CODE|GRAPH GPU [OPTION=VALUE...]
 *
 * An option is the program's: "grid=4x4", "arg=n=64", "advise=". "buffer=NAME=FILE" gives an
 * argument the file's bytes from memory, "stop=" ends the work as soon as it says how far it is.
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

/* Sets the options of the question, or where that is NULL those of the code. */
static gboolean set_all(char **words, PsKernelCode *code, PsQuestion *question, GError **error)
{
    for (; *words; words++) {
        g_auto(GStrv) parts = g_strsplit(*words, "=", 2);
        const char *option = parts[0], *value = option ? parts[1] : NULL;
        if (!option || strcmp(option, "stop") == 0 || ps_question_has(option) != !!question)
            continue;
        if (question                        ? !ps_question_set(question, option, value, error)
            : strcmp(option, "buffer") == 0 ? !set_buffer(code, value, error)
                                            : !ps_kernel_code_set(code, option, value, error))
            return FALSE;
    }
    return TRUE;
}

static void say(const PsKernelCode *code)
{
    g_auto(GStrv) told = ps_kernel_code_told(code);
    for (char **text = told; *text; text++)
        fprintf(stderr, "%s\n", *text);
}

static PsIdg *graph_of(char **argv, PsKernelCode *code, const PsGpu *gpu, PsHearer hearer,
                       GError **error)
{
    if (!ps_kernel_code_is(argv[1]))
        return ps_idg_load(argv[1], error);
    PsIdg *idg = set_all(argv + 3, code, NULL, error)
                     ? ps_kernel_code_graph(code, gpu, hearer, error)
                     : NULL;
    say(code);
    return idg;
}

static char *json(char **argv, GError **error)
{
    PsHearer hearer = {0};
    if (g_strv_contains((const char *const *)argv, "stop="))
        hearer.func = stop;
    g_autoptr(PsGpu) gpu = ps_gpu_load(argv[2], error);
    g_autoptr(PsKernelCode) code = ps_kernel_code_new(argv[1]);
    g_autoptr(PsIdg) idg = gpu ? graph_of(argv, code, gpu, hearer, error) : NULL;
    g_autoptr(PsQuestion) question = idg ? ps_question_new(idg, gpu) : NULL;
    if (!question || !set_all(argv + 3, NULL, question, error))
        return NULL;
    if (ps_kernel_code_is(argv[1]))
        ps_question_set_code(question, code);
    ps_question_set_hearer(question, hearer);
    g_autoptr(PsAnswer) answer = ps_question_ask(question, 0, error);
    return answer ? ps_answer_json(answer, 0) : NULL;
}

int main(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = argc > 2 ? json(argv, &error) : NULL;
    if (text)
        fputs(text, stdout);
    else
        fprintf(stderr, "%s\n",
                error ? error->message : "usage: ask-about-code CODE|GRAPH GPU [OPTION=VALUE...]");
    return text ? 0 : 1;
}
