/* SPDX-License-Identifier: BSD-3-Clause */
/* A kernel's machine code as a module of PTX, whose instructions have their places in the machine
 * code. */
#include "sass/stretch.h"

#include "ptx/instruction.h"

#include <stdio.h>
#include <string.h>

static void append_registers(const PsSassTeller *teller, GString *text)
{
    GHashTableIter iter;
    gpointer name;
    g_string_append(
        text,
        "    .reg .b32 %r<256>;\n    .reg .b32 %u<256>;\n"
        "    .reg .pred %p<8>;\n    .reg .pred %q<8>;\n"
        "    .reg .b32 %t<64>;\n    .reg .b64 %w<64>;\n"
        "    .reg .b16 %h<4>;\n    .reg .pred %s<64>;\n"
        "    .reg .b32 %k<40>;\n"
        "    .reg .b32 %bar, %rpclo, %rpchi;\n    .reg .pred %barp;\n    .reg .pred %never;\n");
    g_hash_table_iter_init(&iter, teller->constants);
    while (g_hash_table_iter_next(&iter, &name, NULL))
        g_string_append_printf(text, "    .reg .b%d %s;\n",
                               ((const char *)name)[1] == 'd' ? 64 : 32, (const char *)name);
}

static guint64 shared_bytes(const PsSassTeller *teller)
{
    return MAX(teller->kernel->shared, ps_sass_system_bytes(teller->image));
}

static char *module_text(PsSassTeller *teller)
{
    GString *text = g_string_new(NULL);
    const guint64 shared = shared_bytes(teller);
    g_string_append_printf(text, ".version 8.5\n.target sm_%d\n.address_size 64\n",
                           teller->image->capability);
    ps_sass_declare(teller, text);
    ps_sass_declare_outside(teller, text);
    g_string_append(text, ".extern .shared .align 16 .b8 dynamic_[];\n");
    g_string_append_printf(text, ".visible .entry %s(", teller->kernel->name);
    ps_sass_append_params(teller->kernel, teller->named, text);
    g_string_append(text, ")\n");
    ps_sass_append_limits(teller->kernel, text);
    g_string_append(text, "{\n");
    append_registers(teller, text);
    if (shared > 0)
        g_string_append_printf(text, "    .shared .align 16 .b8 shared_[%" G_GUINT64_FORMAT "];\n",
                               shared);
    if (teller->kernel->frame > 0)
        g_string_append_printf(text, "    .local .align 16 .b8 stack_[%" G_GUINT64_FORMAT "];\n",
                               teller->kernel->frame);
    g_string_append_printf(text, "%s%s}\n", teller->start->str, teller->body->str);
    return g_string_free(text, FALSE);
}

/* Names the kernel's memory once, since ptx/run gives none to a variable that no instruction names.
 */
static void name_variables(PsSassTeller *teller)
{
    const PsSassOrigin origin = {G_MAXUINT, FALSE};
    guint n = 1;
    g_string_append(teller->start, "setp.ne.u32 %never,0,0;\n");
    if (shared_bytes(teller) > 0) {
        g_string_append(teller->start, "mov.u32 %t0,shared_;\n");
        n++;
    }
    g_string_append(teller->start, "mov.u32 %t0,dynamic_;\n");
    n++;
    for (; n > 0; n--)
        g_array_append_val(teller->first_origins, origin);
}

/* The uniform register by which code of sm_87 knows that the barriers of convergence are as they
 * must be; -1: it asks none. ptxas begins each kernel there with
 *     ISETP.NE.U32.AND P0, PT, RZ, UR2, PT;  @P0 BRA code;  ...;  UMOV UR2, 0x1;  code:
 * and no kernel writes the register elsewhere, so it is 1 from the first warp of a place on. */
static int find_prepared(const PsSassTeller *teller)
{
    const GArray *all = teller->listing->instructions;
    const PsSassInstruction *first =
        all->len > 1 ? &g_array_index(all, PsSassInstruction, 0) : NULL;
    int predicate = 0, reg = 0, end = 0;
    if (!first || strcmp(first->opcode, "ISETP.NE.U32.AND") != 0 || !first->operands ||
        sscanf(first->operands, "P%d , PT , RZ , UR%d , PT%n", &predicate, &reg, &end) != 2 ||
        end == 0)
        return -1;
    return reg;
}

/* Sets it, as on a device on which other warps ran before: no register of it is without a value. */
static void prepare(PsSassTeller *teller)
{
    const PsSassOrigin origin = {G_MAXUINT, FALSE};
    const int reg = find_prepared(teller);
    if (reg < 0)
        return;
    g_string_append_printf(teller->start, "mov.u32 %%u%d,1;\n", reg);
    g_array_append_val(teller->first_origins, origin);
}

static gboolean tell_all(PsSassTelling *telling)
{
    PsSassTeller *teller = &telling->teller;
    if (!ps_sass_find_targets(telling))
        return FALSE;
    name_variables(teller);
    prepare(teller);
    const PsSassStretch kernel = {0, 0, ps_sass_end_of_kernel(teller), G_MAXUINT};
    return ps_sass_tell_stretch(telling, kernel);
}

/* TRUE if an instruction belongs to a subroutine that the assembler has added, such as a
 * division's. */
static gboolean is_internal(const PsSassKernel *kernel, guint machine)
{
    const guint64 address = (guint64)machine * PS_SASS_BYTES;
    guint64 start = 0;
    gboolean internal = FALSE;
    GHashTableIter iter;
    gpointer name, at;
    g_hash_table_iter_init(&iter, kernel->subroutines);
    while (g_hash_table_iter_next(&iter, &name, &at)) {
        const guint64 begin = GPOINTER_TO_SIZE(at) - 1;
        if (begin > address || begin < start)
            continue;
        start = begin;
        internal = g_str_has_prefix(name, "$__internal_");
    }
    return internal;
}

/* An instruction without a line is near the line before it; in a subroutine, near its call's. */
static void set_near(PsPtxInstruction *instruction, const PsPtxInstruction *before)
{
    if (before->source_line == 0)
        return;
    instruction->file = before->file;
    instruction->source_line = before->source_line;
    instruction->call = before->call;
}

/* Gives each instruction of PTX the address of its machine instruction, and that one's source
 * line. */
static void set_lines(PsSassCode *code, const PsSassKernel *sass)
{
    const PsPtxFunction *kernel = code->module->functions->pdata[0];
    const PsSassLines *lines = code->lines;
    const guint n_files = MIN(lines->files->len, G_MAXUINT16);
    code->module->machine = TRUE;
    for (guint i = 0; i < n_files; i++)
        g_hash_table_insert(code->module->files, GUINT_TO_POINTER(i + 1),
                            g_strdup(lines->files->pdata[i]));
    for (guint i = 1; i < lines->calls->len; i++) {
        const PsSassCall *call = &g_array_index(lines->calls, PsSassCall, i);
        const PsPtxCallSite site = {call->file > n_files ? 0 : (guint16)call->file, call->line,
                                    call->call};
        g_array_append_val(code->module->calls, site);
    }
    for (guint i = 0; i < kernel->instructions->len; i++) {
        const guint machine = g_array_index(code->origins, PsSassOrigin, i).machine;
        PsPtxInstruction *instruction = &g_array_index(kernel->instructions, PsPtxInstruction, i);
        instruction->line = machine == G_MAXUINT ? 0 : (int)(machine * PS_SASS_BYTES);
        if (machine >= lines->n || lines->places[machine].file > n_files)
            continue;
        const PsSassPlace *place = &lines->places[machine];
        instruction->file = (guint16)place->file;
        instruction->source_line = place->line;
        instruction->near = (place->near || is_internal(sass, machine)) && place->line > 0;
        instruction->call = place->call;
        if (instruction->near && i > 0)
            set_near(instruction, instruction - 1);
    }
}

static gboolean parse(PsSassCode *code, PsSassTeller *teller)
{
    g_autofree char *text = module_text(teller);
    code->module = ps_ptx_parse(text, strlen(text), teller->image->name, teller->error);
    if (!code->module)
        return FALSE;
    ps_sass_put_kernel_first(code->module);
    /* The reader's messages refer to lines that nobody wrote. */
    g_ptr_array_set_size(code->module->warnings, 0);
    for (guint i = 0; i < teller->warnings->len; i++)
        g_ptr_array_add(code->module->warnings, g_strdup(teller->warnings->pdata[i]));
    g_array_append_vals(teller->first_origins, teller->origins->data, teller->origins->len);
    code->origins = g_array_ref(teller->first_origins);
    code->uses = g_array_ref(teller->uses);
    code->edges = g_array_ref(teller->edges);
    code->lines = ps_sass_lines_new(teller->image, teller->kernel);
    code->capability = teller->image->capability;
    code->n = (guint)(ps_sass_end_of_code(teller, teller->kernel->text.size) / PS_SASS_BYTES);
    code->registers = teller->kernel->registers;
    code->frame = teller->kernel->frame;
    code->system = code->module->system = ps_sass_system_bytes(teller->image);
    set_lines(code, teller->kernel);
    return TRUE;
}

PsSassCode *ps_sass_code_new(const PsSassImage *image, const PsSassKernel *kernel,
                             PsSassListing *listing, const PsPtxFunction *named, GError **error)
{
    g_autoptr(PsSassCode) code = g_new0(PsSassCode, 1);
    PsSassTelling telling = {
        .teller = {.image = image,
                   .kernel = kernel,
                   .named = named,
                   .listing = listing,
                   .start = g_string_new(NULL),
                   .body = g_string_new(NULL),
                   .first_origins = g_array_new(FALSE, FALSE, sizeof(PsSassOrigin)),
                   .origins = g_array_new(FALSE, FALSE, sizeof(PsSassOrigin)),
                   .constants = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
                   .uses = g_array_new(FALSE, TRUE, sizeof(PsSassUse)),
                   .edges = g_array_new(FALSE, FALSE, sizeof(PsSassEdge)),
                   .warnings = g_ptr_array_new_with_free_func(g_free),
                   .warned = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
                   .error = error,
                   .behind = g_string_new(NULL)},
        .open = g_array_new(FALSE, FALSE, sizeof(PsSassStretch)),
        .targets = g_hash_table_new(NULL, NULL)};
    PsSassTeller *teller = &telling.teller;
    code->listing = listing;
    g_array_set_size(teller->uses, listing->instructions->len);
    const gboolean good = tell_all(&telling) && parse(code, teller);
    g_string_free(teller->start, TRUE);
    g_string_free(teller->body, TRUE);
    g_string_free(teller->behind, TRUE);
    g_array_unref(teller->first_origins);
    g_array_unref(teller->origins);
    g_hash_table_unref(teller->constants);
    g_array_unref(teller->uses);
    g_array_unref(teller->edges);
    g_ptr_array_unref(teller->warnings);
    g_hash_table_unref(teller->warned);
    g_free(teller->guard);
    g_array_unref(telling.open);
    g_hash_table_unref(telling.targets);
    return good ? g_steal_pointer(&code) : NULL;
}

void ps_sass_code_free(PsSassCode *code)
{
    if (!code)
        return;
    g_clear_pointer(&code->module, ps_ptx_free);
    g_clear_pointer(&code->listing, ps_sass_listing_free);
    g_clear_pointer(&code->uses, g_array_unref);
    g_clear_pointer(&code->edges, g_array_unref);
    g_clear_pointer(&code->lines, ps_sass_lines_free);
    g_clear_pointer(&code->origins, g_array_unref);
    g_free(code);
}
