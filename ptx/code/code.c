/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Expands a kernel's calls in place. The functions that are being expanded are a list, not a
 * recursion of C, since a module's calls may be as deep as it has functions.
 */
#include "ptx/code/expand.h"
#include "ptx/code/pointers.h"
#include "ptx/code/rewrite.h"
#include "ptx/code/swaps.h"
#include <string.h>

/* A copy of a function that is being expanded. */
typedef struct {
    PsPtxInline *in;
    const PsPtxFunction *called; /* the function as the module has it */
    guint next;                  /* number of the next instruction */
    guint *point_of;             /* point of each instruction, and of the end behind the last one */
    guint call;                  /* point of the call */
} Frame;

typedef struct {
    PsPtxCode *code;
    GArray *points;
    GArray *frames;      /* Frame, the kernel first */
    GHashTable *open;    /* functions that are being expanded */
    GHashTable *scanned; /* functions whose shared variables are in `shared` already */
    GHashTable *shared;  /* shared variables */
    GArray *shared_at;   /* guint64 */
    GHashTable *bodies;  /* name -> function with a body, made when one is needed */
    GHashTable *written; /* function -> its version with calls and loops written out */
    gboolean loops;      /* loops are written out, not only calls through pointers */
    GError **error;
} Expansion;

/* The ret that is added to a function that ends without one. */
static const char *const no_parts[] = {NULL};
static const PsPtxMnemonic ret_mnemonic = {
    .text = "ret", .opcode = "ret", .parts = no_parts, .vector = 1, .known = TRUE};
static const PsPtxInstruction implicit_ret = {.mnemonic = &ret_mnemonic, .guard = -1};

static gboolean is(const PsPtxInstruction *instruction, const char *opcode)
{
    return strcmp(instruction->mnemonic->opcode, opcode) == 0;
}

/* ---- errors --------------------------------------------------------------------------------- */

/* Sets the error: the place of the instruction, and the text. */
static gboolean refuse(Expansion *x, const PsPtxInstruction *instruction, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

static gboolean refuse(Expansion *x, const PsPtxInstruction *instruction, const char *format, ...)
{
    g_autofree char *location = ps_ptx_where(x->code->module, instruction);
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error(x->error, PS_ERROR, PS_ERROR_VALUE, "%s: %s", location, text);
    return FALSE;
}

/* ---- expanding ------------------------------------------------------------------------------ */

static void frame_clear(gpointer data)
{
    g_free(((Frame *)data)->point_of);
}

static void inline_free(gpointer data)
{
    PsPtxInline *in = data;
    g_clear_pointer(&in->addresses, g_hash_table_unref);
    g_free(in);
}

/* The function to expand in place of `function`, made once for all its copies: calls through
 * pointers are written out, and loops where assemblers make them. */
static const PsPtxFunction *written_out(Expansion *x, const PsPtxFunction *function)
{
    PsPtxCode *code = x->code;
    const PsPtxFunction *known = g_hash_table_lookup(x->written, function);
    if (known)
        return known;
    const PsPtxFunction *whole = function;
    PsPtxFunction *made = ps_ptx_pointers_expand(code->module, whole, code->texts);
    if (made)
        g_ptr_array_add(code->looped, made);
    whole = made ? made : whole;
    made = x->loops ? ps_ptx_swaps_expand(code->module, whole, code->texts) : NULL;
    if (made)
        g_ptr_array_add(code->looped, made);
    whole = made ? made : whole;
    g_hash_table_insert(x->written, (gpointer)function, (gpointer)whole);
    return whole;
}

static gboolean enter(Expansion *x, const PsPtxFunction *called, guint call)
{
    PsPtxCode *code = x->code;
    const PsPtxFunction *function = written_out(x, called);
    const PsPtxPoint *point =
        call == PS_PTX_NOWHERE ? NULL : &g_array_index(x->points, PsPtxPoint, call);
    PsPtxInline *in = g_new0(PsPtxInline, 1);
    g_ptr_array_add(code->inlines, in);
    in->function = function;
    in->caller = point ? point->in : NULL;
    in->call = call;
    in->first_register = code->n_registers;
    code->n_registers += function->registers->len;
    if (code->n_registers > PS_PTX_MAX_SLOTS || code->inlines->len > PS_PTX_MAX_INLINES) {
        g_set_error(x->error, PS_ERROR, PS_ERROR_LIMIT,
                    "kernel \"%s\" with its calls expanded has more than %u registers or %u calls",
                    code->kernel->name, PS_PTX_MAX_SLOTS, PS_PTX_MAX_INLINES);
        return FALSE;
    }
    if (!ps_ptx_layout_inline(code, in, point, x->error))
        return FALSE;
    if (g_hash_table_add(x->scanned, (gpointer)function) &&
        !ps_ptx_layout_shared(code, function, x->shared, x->shared_at, x->error))
        return FALSE;
    Frame frame = {in, called, 0, g_new0(guint, (gsize)function->instructions->len + 2), call};
    g_array_append_val(x->frames, frame);
    g_hash_table_add(x->open, (gpointer)called);
    return TRUE;
}

static gboolean add_point(Expansion *x, const PsPtxInstruction *instruction, const PsPtxInline *in)
{
    PsPtxPoint point = {.instruction = instruction,
                        .in = in,
                        .target = PS_PTX_NOWHERE,
                        .meet = PS_PTX_NOWHERE,
                        .loop = PS_PTX_NOWHERE};
    if (x->points->len >= PS_PTX_MAX_POINTS) {
        g_set_error(x->error, PS_ERROR, PS_ERROR_LIMIT,
                    "kernel \"%s\" with its calls expanded has more than %u instructions",
                    x->code->kernel->name, PS_PTX_MAX_POINTS);
        return FALSE;
    }
    g_array_append_val(x->points, point);
    return TRUE;
}

/* The function, or a declaration of the same name that has a body; NULL: none has a body. */
static const PsPtxFunction *with_body(Expansion *x, const PsPtxFunction *function)
{
    const PsPtxModule *module = x->code->module;
    if (function->body)
        return function;
    if (!x->bodies) {
        x->bodies = g_hash_table_new(g_str_hash, g_str_equal);
        for (guint i = 0; i < module->functions->len; i++) {
            PsPtxFunction *other = module->functions->pdata[i];
            if (other->body)
                g_hash_table_insert(x->bodies, other->name, other);
        }
    }
    return g_hash_table_lookup(x->bodies, function->name);
}

/* The driver's function that sets conditions. */
static const PsPtxFunction *set_condition(Expansion *x)
{
    static const char text[] =
        ".version 8.6\n.target sm_70\n.address_size 64\n"
        ".visible .func " PS_PTX_SET_CONDITION "(.param .b64 handle, .param .b32 value) {\n"
        ".reg .b64 %h;\n.reg .b32 %v;\nld.param.b64 %h, [handle];\nld.param.b32 %v, [value];\n"
        "st.global.b32 [%h], %v;\nret;\n}\n";
    PsPtxModule *made = ps_ptx_parse(text, strlen(text), "condition", NULL);
    g_assert(made);
    g_ptr_array_add(x->code->texts, made);
    return made->functions->pdata[0];
}

static gboolean expand_call(Expansion *x, const PsPtxInstruction *instruction, guint point)
{
    PsPtxCall parts = ps_ptx_call_parts(instruction);
    const PsPtxOperand *callee = parts.callee < 0 ? NULL : &instruction->operands[parts.callee];
    if (ps_ptx_pointers_calls(instruction)) /* the calls that this instruction stands for follow */
        return TRUE;
    if (!callee || callee->kind != PS_PTX_OPERAND_FUNCTION)
        return refuse(x, instruction, "a call of no function");
    const PsPtxFunction *function = with_body(x, callee->function);
    if (!function && strcmp(callee->function->name, PS_PTX_SET_CONDITION) == 0)
        return enter(x, set_condition(x), point);
    if (!function && ps_ptx_call_known(callee->function->name))
        return TRUE;
    if (!function && ps_ptx_call_launches(callee->function->name))
        return refuse(x, instruction, PS_PTX_LAUNCHES);
    if (!function)
        return refuse(
            x, instruction,
            strstr(callee->function->name, "image") || strstr(callee->function->name, "sampler")
                ? "images are not known to pipesim, which \"%s\" reads or writes; a buffer "
                  "in place of the image is"
                : "function \"%s\" is called, but the module has no body of it",
            callee->function->name);
    const gboolean runs = g_hash_table_contains(x->open, function);
    if (runs && ps_ptx_pointers_made(instruction)) /* an error only if a lane comes to it */
        return TRUE;
    if (runs)
        return refuse(x, instruction, "recursion is not supported: \"%s\" is called while it runs",
                      function->name);
    return enter(x, function, point);
}

static gboolean ends_itself(const PsPtxFunction *function)
{
    if (function->instructions->len == 0)
        return FALSE;
    const PsPtxInstruction *last =
        &g_array_index(function->instructions, PsPtxInstruction, function->instructions->len - 1);
    return last->guard < 0 && (is(last, "ret") || is(last, "exit") || is(last, "trap"));
}

/* ---- targets -------------------------------------------------------------------------------- */

static guint point_at(const Frame *frame, gint64 label)
{
    const guint n = frame->in->function->instructions->len;
    return frame->point_of[label < 0 || label > n ? n : (guint)label];
}

static void resolve_table(const Frame *frame, PsPtxPoint *point)
{
    const PsPtxInstruction *instruction = point->instruction;
    const PsPtxFunction *function = frame->in->function;
    GArray *table = NULL;
    for (guint i = 0; i < instruction->n_operands; i++)
        if (instruction->operands[i].kind == PS_PTX_OPERAND_OTHER && function->tables)
            table = g_hash_table_lookup(function->tables, instruction->operands[i].name);
    point->targets = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; table && i < table->len; i++) {
        guint target = point_at(frame, g_array_index(table, guint, i));
        g_array_append_val(point->targets, target);
    }
}

/* Sets the targets of branches; the frame's instructions all have their points now. */
static void resolve(Expansion *x, const Frame *frame)
{
    const guint n = frame->in->function->instructions->len, end = x->points->len;
    for (guint i = 0; i <= n; i++) {
        if (frame->point_of[i] >= end)
            continue;
        PsPtxPoint *point = &g_array_index(x->points, PsPtxPoint, frame->point_of[i]);
        if (point->in != frame->in) /* behind the last instruction: a point of the caller */
            continue;
        const PsPtxInstruction *instruction = point->instruction;
        if (is(instruction, "bra")) {
            if (instruction->n_operands > 0 &&
                instruction->operands[0].kind == PS_PTX_OPERAND_LABEL)
                point->target = point_at(frame, instruction->operands[0].value);
        } else if (is(instruction, "brx")) {
            resolve_table(frame, point);
        } else if (ps_ptx_leaves(point) == PS_PTX_LEAVES) {
            point->target = end;
        }
    }
    if (frame->call == PS_PTX_NOWHERE)
        return;
    PsPtxPoint *call = &g_array_index(x->points, PsPtxPoint, frame->call);
    if (call->instruction->guard >= 0)
        call->target = end; /* lanes that do not call go there */
}

static gboolean leave(Expansion *x)
{
    Frame frame = g_array_index(x->frames, Frame, x->frames->len - 1);
    const guint n = frame.in->function->instructions->len;
    frame.point_of[n] = x->points->len;
    if (frame.in->caller && !ends_itself(frame.in->function) &&
        !add_point(x, &implicit_ret, frame.in))
        return FALSE;
    resolve(x, &frame);
    g_hash_table_remove(x->open, frame.called);
    g_array_set_size(x->frames, x->frames->len - 1);
    return TRUE;
}

static gboolean expand(Expansion *x)
{
    if (!enter(x, x->code->kernel, PS_PTX_NOWHERE))
        return FALSE;
    while (x->frames->len > 0) {
        Frame *frame = &g_array_index(x->frames, Frame, x->frames->len - 1);
        const GArray *instructions = frame->in->function->instructions;
        if (frame->next == instructions->len) {
            if (!leave(x))
                return FALSE;
            continue;
        }
        const PsPtxInstruction *instruction =
            &g_array_index(instructions, PsPtxInstruction, frame->next);
        const guint point = x->points->len;
        frame->point_of[frame->next++] = point;
        if (!add_point(x, instruction, frame->in))
            return FALSE;
        if (is(instruction, "call") && !expand_call(x, instruction, point))
            return FALSE;
    }
    return TRUE;
}

/* ---- the whole ------------------------------------------------------------------------------ */

static PsPtxCode *expanded(const PsPtxModule *module, const PsPtxFunction *kernel, gboolean loops,
                           GError **error)
{
    PsPtxCode *code = g_new0(PsPtxCode, 1);
    Expansion x = {.code = code,
                   .points = g_array_new(FALSE, FALSE, sizeof(PsPtxPoint)),
                   .frames = g_array_new(FALSE, FALSE, sizeof(Frame)),
                   .open = g_hash_table_new(NULL, NULL),
                   .scanned = g_hash_table_new(NULL, NULL),
                   .shared = g_hash_table_new(NULL, NULL),
                   .shared_at = g_array_new(FALSE, FALSE, sizeof(guint64)),
                   .written = g_hash_table_new(NULL, NULL),
                   .loops = loops,
                   .error = error};
    code->module = module;
    code->kernel = kernel;
    code->shared = g_ptr_array_new();
    code->inlines = g_ptr_array_new_with_free_func(inline_free);
    code->texts = g_ptr_array_new_with_free_func((GDestroyNotify)ps_ptx_free);
    code->looped = g_ptr_array_new_with_free_func(ps_ptx_rewrite_free);
    g_array_set_clear_func(x.frames, frame_clear);
    gboolean good = expand(&x);
    code->n_points = x.points->len;
    code->points = (PsPtxPoint *)(gpointer)g_array_free(x.points, FALSE);
    ps_ptx_layout_dynamic(code, x.shared_at);
    g_array_unref(x.frames);
    g_hash_table_unref(x.open);
    g_hash_table_unref(x.scanned);
    g_hash_table_unref(x.shared);
    g_clear_pointer(&x.bodies, g_hash_table_unref);
    g_hash_table_unref(x.written);
    if (!good) {
        ps_ptx_code_free(code);
        return NULL;
    }
    ps_ptx_flow(code);
    return code;
}

PsPtxCode *ps_ptx_code_new(const PsPtxModule *module, const PsPtxFunction *kernel, GError **error)
{
    return expanded(module, kernel, FALSE, error);
}

PsPtxCode *ps_ptx_code_assembled(const PsPtxModule *module, const PsPtxFunction *kernel,
                                 GError **error)
{
    return expanded(module, kernel, !module->machine, error);
}

void ps_ptx_code_free(PsPtxCode *code)
{
    if (!code)
        return;
    for (guint i = 0; i < code->n_points; i++)
        g_clear_pointer(&code->points[i].targets, g_array_unref);
    g_free(code->points);
    g_free(code->loops);
    g_free(code->shared_at);
    g_ptr_array_unref(code->shared);
    g_ptr_array_unref(code->inlines);
    g_ptr_array_unref(code->looped);
    g_ptr_array_unref(code->texts);
    g_free(code);
}
