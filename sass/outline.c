/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program without its code: its kernels, their parameters, its variables.
 */
#include "sass/tell.h"

#include <string.h>

/* Kernels before Hopper, whose parameters begin further down in the bank, have no tensor maps. */
static gboolean may_be_map(const PsSassKernel *kernel, const PsSassParam *param)
{
    enum { LEAST_WITH_MAPS = 0x200 };
    return kernel->parameters_at >= LEAST_WITH_MAPS && param->size >= 128 &&
           (kernel->parameters_at + param->offset) % 64 == 0;
}

/* The power of two that the parameter's place is a multiple of. It is no less than the alignment
 * that the compiler saw, so the parameter comes to lie where it lies on the device. Code that
 * calculates its address finds it there. */
static guint alignment_of_place(const PsSassParam *param)
{
    enum { MOST = 128, USUAL = 8 };
    return param->offset ? MIN(param->offset & -param->offset, MOST) : USUAL;
}

/* Tensor maps are aligned to 64 or 128 bytes in the bank, and so among the parameters. All maps of
 * a kernel are aligned alike, so that they are as far apart as on the device. */
static guint alignment(const PsSassKernel *kernel, const PsSassParam *param)
{
    if (!may_be_map(kernel, param))
        return alignment_of_place(param);
    for (guint i = 0; i < kernel->params->len; i++) {
        const PsSassParam *other = &g_array_index(kernel->params, PsSassParam, i);
        if (may_be_map(kernel, other) && (kernel->parameters_at + other->offset) % 128 != 0)
            return 64;
    }
    return 128;
}

void ps_sass_append_params(const PsSassKernel *kernel, const PsPtxFunction *named, GString *text)
{
    for (guint i = 0; i < kernel->params->len; i++) {
        const PsSassParam *param = &g_array_index(kernel->params, PsSassParam, i);
        const PsPtxVariable *other =
            named && i < named->params->len ? named->params->pdata[i] : NULL;
        g_autofree char *name = other ? g_strdup(other->name) : g_strdup_printf("param_%u", i);
        const gboolean simple =
            param->size == 1 || param->size == 2 || param->size == 4 || param->size == 8;
        g_string_append(text, i == 0 ? "\n    .param " : ",\n    .param ");
        const char *to = other && other->to_shared ? " .ptr .shared .align 1" : "";
        if (simple)
            g_string_append_printf(text, ".b%u%s %s", 8 * param->size, to, name);
        else
            g_string_append_printf(text, ".align %u .b8 %s[%u]", alignment(kernel, param), name,
                                   MAX(param->size, 1));
    }
}

static void append_sizes(GString *text, const char *directive, const guint sizes[3])
{
    if (sizes[0] > 0)
        g_string_append_printf(text, ".%s %u, %u, %u\n", directive, sizes[0], sizes[1], sizes[2]);
}

void ps_sass_append_limits(const PsSassKernel *kernel, GString *text)
{
    append_sizes(text, "reqntid", kernel->required);
    append_sizes(text, "maxntid", kernel->most);
    append_sizes(text, "reqnctapercluster", kernel->cluster);
    if (kernel->registers > 0 && kernel->registers <= 256)
        g_string_append_printf(text, ".maxnreg %u\n", kernel->registers);
}

/* Names each parameter, since the outline counts the kernel as reading all. */
static void append_kernel(const PsSassKernel *kernel, GString *text)
{
    g_string_append_printf(text, ".visible .entry %s(", kernel->name);
    ps_sass_append_params(kernel, NULL, text);
    g_string_append(text, ")\n");
    ps_sass_append_limits(kernel, text);
    g_string_append(text, "{\n    .reg .b64 %w;\n");
    for (guint i = 0; i < kernel->params->len; i++)
        g_string_append_printf(text, "    mov.b64 %%w,param_%u;\n", i);
    g_string_append(text, "    ret;\n}\n");
}

/* Parts of a program that were compiled separately may have variables with one name. */
static void append_variable(GString *text, GHashTable *names, const char *space, const char *name,
                            guint64 size)
{
    if (g_hash_table_add(names, (gpointer)name))
        g_string_append_printf(text, ".%s .align 16 .b8 %s[%" G_GUINT64_FORMAT "];\n", space, name,
                               MAX(size, 1));
}

static void append_image(const PsSassImage *image, GHashTable *names, GString *text)
{
    for (guint i = 0; i < image->variables->len; i++) {
        const PsSassVariable *variable = &g_array_index(image->variables, PsSassVariable, i);
        append_variable(text, names, "global", variable->name, variable->size);
    }
    for (guint i = 0; i < image->constants->len; i++) {
        const PsSassConstant *constant = &g_array_index(image->constants, PsSassConstant, i);
        append_variable(text, names, "const", constant->name, constant->size);
    }
    for (guint i = 0; i < image->kernels->len; i++) {
        const PsSassKernel *kernel = image->kernels->pdata[i];
        if (g_hash_table_add(names, kernel->name))
            append_kernel(kernel, text);
    }
}

/* Adds files that line tables name: they may be sources, which have names of parameters. */
static void add_files(PsPtxModule *module, const GPtrArray *images)
{
    for (guint i = 0; i < images->len; i++) {
        g_autoptr(GPtrArray) files = ps_sass_files(images->pdata[i], module->stamps);
        for (guint k = 0; k < files->len; k++)
            g_hash_table_insert(module->files,
                                GUINT_TO_POINTER(g_hash_table_size(module->files) + 1),
                                g_strdup(files->pdata[k]));
    }
}

PsPtxModule *ps_sass_outline(const GPtrArray *images, GError **error)
{
    const PsSassImage *first = images->pdata[0];
    g_autoptr(GString) text = g_string_new(NULL);
    g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
    g_string_append_printf(text, ".version 8.5\n.target sm_%d\n.address_size 64\n",
                           first->capability);
    for (guint i = 0; i < images->len; i++)
        append_image(images->pdata[i], names, text);
    PsPtxModule *module = ps_ptx_parse(text->str, text->len, first->name, error);
    if (module)
        add_files(module, images);
    return module;
}
