/* SPDX-License-Identifier: BSD-3-Clause */
/* See module.h. */
#include "card/module-private.h"

#include "code/choice.h"
#include "code/toolchain.h"
#include "card/image.h"
#include "card/repeat.h"
#include "ptx/code/expand.h"
#include "ptx/run/compiled.h"
#include "sass/file.h"

#include <stdio.h>
#include <string.h>

/* ---- variables ------------------------------------------------------------------------------ */

static gboolean is_data(const PsPtxVariable *variable)
{
    return (variable->space == PS_PTX_GLOBAL || variable->space == PS_PTX_CONST) &&
           variable->size > 0;
}

static gboolean add_variable(PsCardModule *module, const PsPtxVariable *variable, GError **error)
{
    const PsCardPiece *piece = ps_card_memory_add(module->card->memory, variable->size,
                                                  PS_CARD_VARIABLE, variable->name, error);
    if (!piece)
        return FALSE;
    if (variable->init)
        memcpy(piece->data, variable->init, variable->size);
    g_hash_table_insert(module->variables, piece->name, (gpointer)piece);
    return TRUE;
}

/* Pointers in a variable's initial value lead to other variables. */
static void relocate(const PsCardModule *module, const PsPtxVariable *variable)
{
    const PsCardPiece *piece = g_hash_table_lookup(module->variables, variable->name);
    for (guint i = 0; variable->relocations && i < variable->relocations->len; i++) {
        const PsPtxRelocation *relocation =
            &g_array_index(variable->relocations, PsPtxRelocation, i);
        const PsCardPiece *of =
            relocation->of ? g_hash_table_lookup(module->variables, relocation->of->name) : NULL;
        guint64 address = of                     ? (guint64)(gsize)of->data
                          : relocation->function ? ps_ptx_function_address(relocation->function)
                                                 : 0;
        address += (guint64)relocation->offset;
        if (relocation->size <= sizeof address &&
            relocation->at + relocation->size <= variable->size)
            memcpy(piece->data + relocation->at, &address, relocation->size);
    }
}

static const PsSassKernel *kernel_with_bank(const PsSassImage *image, guint bank)
{
    for (guint i = 0; i < image->kernels->len; i++) {
        const PsSassKernel *kernel = image->kernels->pdata[i];
        if (kernel->banks[bank].bytes)
            return kernel;
    }
    return NULL;
}

/* What machine code's variables begin with; its outline does not say it. */
static void begin_variables(const PsCardModule *module, const PsSassImage *image)
{
    for (guint i = 0; i < image->variables->len; i++) {
        const PsSassVariable *variable = &g_array_index(image->variables, PsSassVariable, i);
        const PsCardPiece *piece = g_hash_table_lookup(module->variables, variable->name);
        if (piece && variable->init.bytes)
            memcpy(piece->data, variable->init.bytes, MIN(variable->init.size, piece->size));
    }
    for (guint i = 0; i < image->constants->len; i++) {
        const PsSassConstant *constant = &g_array_index(image->constants, PsSassConstant, i);
        const PsCardPiece *piece = g_hash_table_lookup(module->variables, constant->name);
        const PsSassKernel *kernel = kernel_with_bank(image, constant->bank);
        const PsSassBytes bank = kernel ? kernel->banks[constant->bank] : (PsSassBytes){0};
        if (piece && constant->at + constant->size <= bank.size)
            memcpy(piece->data, bank.bytes + constant->at, MIN(constant->size, piece->size));
    }
}

static gboolean make_variables(PsCardModule *module, GError **error)
{
    const GPtrArray *variables = module->run->module->variables;
    const GPtrArray *images = module->run->machine;
    for (guint i = 0; i < variables->len; i++)
        if (is_data(variables->pdata[i]) && !add_variable(module, variables->pdata[i], error))
            return FALSE;
    for (guint i = 0; i < variables->len; i++)
        if (is_data(variables->pdata[i]))
            relocate(module, variables->pdata[i]);
    for (guint i = 0; images && i < images->len; i++)
        begin_variables(module, images->pdata[i]);
    return TRUE;
}

GArray *ps_card_banks(const PsCardFunction *function, const PsSassCode *code)
{
    const PsCardModule *module = function->module;
    const PsCodeModule *of = code == function->run ? module->run
                             : module->made        ? module->made
                                                   : module->timed;
    GArray *banks = g_array_new(FALSE, FALSE, sizeof(PsPtxPlaced));
    for (guint i = 0; of->machine && i < code->module->variables->len; i++) {
        const PsPtxVariable *variable = code->module->variables->pdata[i];
        guint number;
        if (variable->space != PS_PTX_CONST || sscanf(variable->name, "bank_%u", &number) != 1)
            continue;
        PsPtxPlaced placed = {.name = variable->name,
                              .is_variable = TRUE,
                              .data = g_malloc0(variable->size),
                              .size = variable->size};
        if (variable->init)
            memcpy(placed.data, variable->init, variable->size);
        const PsSassImage *image = of->machine->pdata[0];
        for (guint k = 0; k < image->constants->len; k++) {
            const PsSassConstant *constant = &g_array_index(image->constants, PsSassConstant, k);
            const PsCardPiece *piece = g_hash_table_lookup(module->variables, constant->name);
            if (piece && constant->bank == number && constant->at + constant->size <= placed.size)
                memcpy(placed.data + constant->at, piece->data, MIN(constant->size, piece->size));
        }
        g_array_append_val(banks, placed);
    }
    return banks;
}

/* ---- functions ------------------------------------------------------------------------------ */

static void free_function(gpointer data)
{
    PsCardFunction *function = data;
    g_free(function->name);
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

/* The alignment of PTX's parameters says where they lie; machine code says it itself. */
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

/* The machine code that a GPU runs: the program's own, or what the assembler makes of its PTX, as
 * the driver does. NULL: there is no assembler, or none for that GPU. */
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

static PsSassCode *disassemble(const PsCardFunction *function, const PsCodeModule *of,
                               GError **error)
{
    PsSassCode *code = NULL;
    const PsCardModule *module = function->module;
    g_autofree char *what = NULL;
    g_autoptr(GHashTable) before = ps_machine_code_values(of->module);
    const PsMachineCodeOf wanted = {.options = &module->card->options,
                                    .name = "the program",
                                    .module = of,
                                    .kernel = function->kernel,
                                    .gpu = module->card->gpu,
                                    .before = before};
    return ps_machine_code_choose(&wanted, &code, &what, error) ? code : NULL;
}

const PsPtxModule *ps_card_function_code(PsCardFunction *function, GError **error)
{
    const PsCodeModule *run = function->module->run;
    if (!run->machine)
        return run->module;
    if (!function->run)
        function->run = disassemble(function, run, error);
    return function->run ? function->run->module : NULL;
}

const PsSassCode *ps_card_function_timed(PsCardFunction *function)
{
    if (function->looked)
        return function->timed;
    function->looked = TRUE;
    const PsCodeModule *of = machine_of(function->module);
    function->timed = of ? disassemble(function, of, NULL) : NULL;
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

/* The PTX is executed where it is what the machine code was made of: it needs no disassembler. The
 * machine code is what a GPU runs, so it is simulated. */
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

PsCardModule *ps_card_module_new(PsCard *card, gconstpointer image, GError **error)
{
    PsCardImage read;
    PsCardModule *module = g_new0(PsCardModule, 1);
    module->card = card;
    module->functions = g_ptr_array_new_with_free_func(free_function);
    module->variables = g_hash_table_new(g_str_hash, g_str_equal);
    g_ptr_array_add(card->modules, module);
    gboolean good = ps_card_image_read(image, card->gpu->capability, &read, error);
    if (good) {
        good = choose(module, &read, error) && make_variables(module, error);
        ps_card_image_clear(&read);
    }
    if (!good) {
        ps_card_module_free(module);
        return NULL;
    }
    make_functions(module);
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
        g_hash_table_iter_remove(&iter); /* whose key is the piece's */
        ps_card_memory_remove(module->card->memory, ((const PsCardPiece *)piece)->data);
    }
    g_hash_table_unref(module->variables);
    g_ptr_array_unref(module->functions);
    if (module->run != module->timed)
        g_clear_pointer(&module->run, ps_code_module_free);
    g_clear_pointer(&module->timed, ps_code_module_free);
    g_clear_pointer(&module->made, ps_code_module_free);
    g_ptr_array_remove(module->card->modules, module);
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
        needs.shared = sass->shared - (timed ? timed->system : 0);
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
