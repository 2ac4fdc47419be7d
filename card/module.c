/* SPDX-License-Identifier: BSD-3-Clause */
/* See module.h. */
#include "card/module-private.h"

#include "code/choice.h"
#include "code/toolchain.h"
#include "card/image.h"
#include "card/recorder.h"
#include "card/repeat.h"
#include "ptx/code/expand.h"
#include "ptx/run/compiled.h"
#include "sass/file.h"

#include <string.h>

/* ---- functions ------------------------------------------------------------------------------ */

static void free_function(gpointer data)
{
    PsCardFunction *function = data;
    g_free(function->name);
    g_free(function->made_of);
    g_array_unref(function->params);
    g_array_unref(function->kinds);
    ps_card_repeats_free(function->repeats);
    ps_ptx_compiled_free(function->compiled);
    g_clear_pointer(&function->run, ps_sass_code_free);
    g_clear_pointer(&function->timed, ps_sass_code_free);
    g_free(function);
}

static const PsSassKernel *find_sass(const GPtrArray *images, const char *name)
{
    for (guint i = 0; images && i < images->len; i++) {
        const PsSassImage *image = images->pdata[i];
        for (guint k = 0; k < image->kernels->len; k++) {
            const PsSassKernel *kernel = image->kernels->pdata[k];
            if (strcmp(kernel->name, name) == 0)
                return kernel;
        }
    }
    return NULL;
}

/* The places of parameters: PTX gives them by alignment; machine code states them. */
static GArray *params_of(const PsPtxFunction *kernel, const PsSassKernel *sass)
{
    GArray *params = g_array_new(FALSE, FALSE, sizeof(PsCardParam));
    guint64 at = 0;
    for (guint i = 0; i < kernel->params->len; i++) {
        const PsPtxVariable *param = kernel->params->pdata[i];
        const guint64 align = MAX(param->align, 1);
        at = (at + align - 1) / align * align;
        PsCardParam place = {at, param->size};
        if (sass && i < sass->params->len) {
            const PsSassParam *stated = &g_array_index(sass->params, PsSassParam, i);
            place = (PsCardParam){stated->offset, stated->size};
        }
        g_array_append_val(params, place);
        at = place.offset + place.size;
    }
    return params;
}

static void make_functions(PsCardModule *module)
{
    const GPtrArray *functions = module->run->module->functions;
    for (guint i = 0; i < functions->len; i++) {
        const PsPtxFunction *kernel = functions->pdata[i];
        if (!kernel->entry)
            continue;
        PsCardFunction *function = g_new0(PsCardFunction, 1);
        function->module = module;
        function->name = g_strdup(kernel->name);
        function->kernel = kernel;
        function->params = params_of(kernel, find_sass(module->run->machine, kernel->name));
        function->allowed = G_MAXUINT64;
        function->kinds = g_array_new(FALSE, FALSE, sizeof(PsCardLaunchKind));
        function->repeats = ps_card_repeats_new(module->card);
        function->compiled = ps_ptx_compiled_new(PS_PTX_COMPILED_AFTER);
        g_ptr_array_add(module->functions, function);
    }
}

static PsCodeModule *module_of_cubin(GBytes *cubin, GError **error)
{
    g_autoptr(PsCodeModule) module = g_new0(PsCodeModule, 1);
    module->machine = ps_sass_images_new(cubin, "the program's machine code", error);
    if (module->machine)
        module->module = ps_sass_outline(module->machine, error);
    return module->module ? g_steal_pointer(&module) : NULL;
}

/* The machine code that a GPU runs: the program's own, or the assembler's from its PTX, as the
 * driver makes it. NULL: there is no assembler, or none for that GPU. */
static const PsCodeModule *machine_of(PsCardModule *module)
{
    const PsCard *card = module->card;
    if (module->timed->machine)
        return module->timed;
    if (module->looked)
        return module->made;
    module->looked = TRUE;
    g_autofree char *target = g_strdup_printf("sm_%u", card->gpu->capability), *version = NULL;
    g_autoptr(GBytes) cubin =
        ps_toolchain_make_cubin(&card->options, module->timed->text, target, &version, NULL);
    module->made = cubin ? module_of_cubin(cubin, NULL) : NULL;
    return module->made;
}

/* *what, unless NULL, becomes the name of the code (g_free). */
static PsSassCode *disassemble(const PsCardFunction *function, const PsCodeModule *of, char **what,
                               GError **error)
{
    PsSassCode *code = NULL;
    const PsCardModule *module = function->module;
    g_autofree char *said = NULL;
    g_autoptr(GHashTable) before = ps_machine_code_values(of->module);
    const PsMachineCodeOf wanted = {.options = &module->card->options,
                                    .name = "the program",
                                    .module = of,
                                    .kernel = function->kernel,
                                    .gpu = module->card->gpu,
                                    .before = before};
    if (!ps_machine_code_choose(&wanted, &code, &said, error))
        return NULL;
    if (what)
        *what = g_steal_pointer(&said);
    return code;
}

const PsPtxModule *ps_card_function_code(PsCardFunction *function, GError **error)
{
    const PsCodeModule *run = function->module->run;
    if (!run->machine)
        return run->module;
    if (!function->run)
        function->run = disassemble(function, run, NULL, error);
    return function->run ? function->run->module : NULL;
}

const PsSassCode *ps_card_function_timed(PsCardFunction *function)
{
    if (function->looked)
        return function->timed;
    function->looked = TRUE;
    const PsCodeModule *of = machine_of(function->module);
    function->timed = of ? disassemble(function, of, &function->made_of, NULL) : NULL;
    const PsSassKernel *sass = of ? find_sass(of->machine, function->name) : NULL;
    function->registers = sass ? sass->registers : 0;
    return function->timed;
}

/* ---- modules -------------------------------------------------------------------------------- */

static PsCodeModule *module_of_ptx(GBytes *ptx, GError **error)
{
    g_autoptr(PsCodeModule) module = g_new0(PsCodeModule, 1);
    module->text = g_strdup(g_bytes_get_data(ptx, NULL));
    module->module = ps_ptx_parse(module->text, strlen(module->text), "the program's PTX", error);
    return module->module ? g_steal_pointer(&module) : NULL;
}

/* Chooses the code. If the machine code comes from PTX, the PTX is executed, since that needs no
 * disassembler. The machine code is simulated, since a GPU runs that. */
static gboolean choose(PsCardModule *module, const PsCardImage *image, GError **error)
{
    module->target = image->cubin ? image->cubin_target : image->ptx_target;
    module->ptx_target = image->ptx ? image->ptx_target : image->cubin_target;
    const gboolean same = !image->cubin || image->cubin_target == image->ptx_target;
    module->timed =
        image->cubin ? module_of_cubin(image->cubin, error) : module_of_ptx(image->ptx, error);
    if (!module->timed)
        return FALSE;
    module->run =
        image->cubin && image->ptx && same ? module_of_ptx(image->ptx, error) : module->timed;
    return module->run != NULL;
}

static PsCardModule *module_of_image(PsCard *card, const PsCardImage *image, GError **error)
{
    PsCardModule *module = g_new0(PsCardModule, 1);
    module->card = card;
    module->functions = g_ptr_array_new_with_free_func(free_function);
    module->variables = g_hash_table_new(g_str_hash, g_str_equal);
    g_ptr_array_add(card->modules, module);
    if (!choose(module, image, error) || !ps_card_variables_make(module, error)) {
        ps_card_module_free(module);
        return NULL;
    }
    make_functions(module);
    return module;
}

PsCardModule *ps_card_module_new(PsCard *card, gconstpointer image, GError **error)
{
    PsCardImage read;
    if (!ps_card_image_read(image, card->gpu->capability, &read, error))
        return NULL;
    PsCardModule *module = module_of_image(card, &read, error);
    ps_card_image_clear(&read);
    if (module)
        ps_card_recorder_look(module, image);
    return module;
}

PsCardModule *ps_card_module_of_parts(PsCard *card, const GPtrArray *parts, GError **error)
{
    PsCardImage read;
    if (!ps_card_parts_choose(parts, card->gpu->capability, &read, error))
        return NULL;
    PsCardModule *module = module_of_image(card, &read, error);
    ps_card_image_clear(&read);
    return module;
}

void ps_card_module_free(PsCardModule *module)
{
    if (!module)
        return;
    GHashTableIter iter;
    gpointer piece;
    g_hash_table_iter_init(&iter, module->variables);
    while (g_hash_table_iter_next(&iter, NULL, &piece)) {
        g_hash_table_iter_remove(&iter); /* the piece owns the key */
        ps_card_memory_remove(module->card->memory,
                              (gpointer)(gsize)((const PsCardPiece *)piece)->address);
    }
    g_hash_table_unref(module->variables);
    g_ptr_array_unref(module->functions);
    g_clear_pointer(&module->parts, g_ptr_array_unref);
    if (module->run != module->timed)
        g_clear_pointer(&module->run, ps_code_module_free);
    g_clear_pointer(&module->timed, ps_code_module_free);
    g_clear_pointer(&module->made, ps_code_module_free);
    g_ptr_array_remove(module->card->modules, module);
    g_free(module->unrecorded);
    g_free(module);
}

PsCardFunction *ps_card_module_function(PsCardModule *module, const char *name)
{
    for (guint i = 0; i < module->functions->len; i++) {
        PsCardFunction *function = module->functions->pdata[i];
        if (strcmp(function->name, name) == 0)
            return function;
    }
    return NULL;
}

guint ps_card_module_count(const PsCardModule *module)
{
    return module->functions->len;
}

PsCardFunction *ps_card_module_nth(PsCardModule *module, guint n)
{
    return n < module->functions->len ? module->functions->pdata[n] : NULL;
}

const PsCardPiece *ps_card_module_variable(const PsCardModule *module, const char *name)
{
    return g_hash_table_lookup(module->variables, name);
}

const char *ps_card_function_name(const PsCardFunction *function)
{
    return function->name;
}

PsCardModule *ps_card_function_module(const PsCardFunction *function)
{
    return function->module;
}

guint ps_card_function_params(const PsCardFunction *function, const PsCardParam **params)
{
    *params = (const PsCardParam *)(gconstpointer)function->params->data;
    return function->params->len;
}

PsCardNeeds ps_card_function_needs(PsCardFunction *function)
{
    const PsCardModule *module = function->module;
    const PsPtxFunction *kernel = function->kernel;
    const PsSassCode *timed = ps_card_function_timed(function);
    const guint *stated = kernel->required[0] ? kernel->required : kernel->most;
    PsCardNeeds needs = {.registers = (guint)function->registers,
                         .local = timed ? timed->frame : 0,
                         .target = module->target,
                         .ptx_target = module->ptx_target};
    const PsCodeModule *of = machine_of(function->module);
    const PsSassKernel *sass = of ? find_sass(of->machine, function->name) : NULL;
    for (guint i = 0; !sass && i < kernel->variables->len; i++) {
        const PsPtxVariable *variable = kernel->variables->pdata[i];
        if (variable->space == PS_PTX_SHARED)
            needs.shared += variable->size;
    }
    if (sass)
        needs.shared = sass->shared - MIN(sass->shared, timed ? timed->system : 0);
    for (guint i = 0; i < module->run->module->variables->len; i++) {
        const PsPtxVariable *variable = module->run->module->variables->pdata[i];
        if (variable->space == PS_PTX_CONST)
            needs.constant += variable->size;
        if (!sass && variable->space == PS_PTX_SHARED)
            needs.shared += variable->size;
    }
    const guint most = MAX(stated[0], 1) * MAX(stated[1], 1) * MAX(stated[2], 1);
    needs.most = stated[0] ? MIN(most, 1024) : 1024;
    return needs;
}

guint64 ps_card_function_allowed(PsCardFunction *function)
{
    enum { USUAL = 48 << 10 };
    if (function->allowed != G_MAXUINT64)
        return function->allowed;
    const guint64 own = ps_card_function_needs(function).shared;
    return USUAL - MIN(USUAL, own);
}

void ps_card_function_allow(PsCardFunction *function, guint64 bytes)
{
    function->allowed = bytes;
}
