/* SPDX-License-Identifier: BSD-3-Clause */
/* See native.h. */
#include "ptx/native/native.h"

#include "ptx/native/emit.h"

#include <string.h>

/* Most points of code that is compiled: longer code takes long. */
#define MOST_POINTS 20000

/* Most rows that are kept in registers between segments. Such rows are read where the function is
 * entered and written where it is left, which is at every segment. Where there are more, they stay
 * in memory between segments: otherwise 1 400 points took ten times as long to compile. */
#define MOST_CARRIED 400

/* Most points of code that is compiled with all passes. Longer code is compiled in less time, and
 * runs a little slower. */
#define MOST_IMPROVED 500

typedef void (*Run)(PsPtxNativeCall *call);

struct PsPtxNativeCode {
    PsLlvm llvm[1];
    gpointer context, engine;
    guint *lengths;
    Run run;
};

static gboolean suits(void)
{
#ifdef __x86_64__
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return FALSE;
#endif
}

static gboolean permutes(void)
{
#ifdef __x86_64__
    return __builtin_cpu_supports("avx512f");
#else
    return FALSE;
#endif
}

gboolean ps_ptx_native_there(void)
{
    PsLlvm llvm;
    return suits() && ps_llvm_load(&llvm);
}

/* ---- the function --------------------------------------------------------------------------- */

static void make_types(PsNativeEmit *emit)
{
    PsLlvm *llvm = emit->llvm;
    emit->bit = llvm->IntTypeInContext(emit->context, 1);
    emit->byte = llvm->IntTypeInContext(emit->context, 8);
    emit->word = llvm->IntTypeInContext(emit->context, 32);
    emit->wide = llvm->IntTypeInContext(emit->context, 64);
    emit->pointer = llvm->PointerType(emit->byte, 0);
    PsLlvmType of_step[] = {emit->pointer, emit->word, emit->word};
    emit->step_type = llvm->FunctionType(emit->word, of_step, 3, 0);
}

/* Sets the target to this processor. */
static void suit(const PsNativeEmit *emit)
{
    PsLlvm const *llvm = emit->llvm;
    char *name = llvm->GetHostCPUName(), *features = llvm->GetHostCPUFeatures();
    llvm->AddTargetDependentFunctionAttr(emit->function, "target-cpu", name);
    llvm->AddTargetDependentFunctionAttr(emit->function, "target-features", features);
    llvm->AddTargetDependentFunctionAttr(emit->function, "prefer-vector-width", "512");
    llvm->AddTargetDependentFunctionAttr(emit->function, "min-legal-vector-width", "512");
    llvm->DisposeMessage(name);
    llvm->DisposeMessage(features);
}

static void make_function(PsNativeEmit *emit)
{
    PsLlvm *llvm = emit->llvm;
    PsLlvmType nothing = llvm->VoidTypeInContext(emit->context);
    PsLlvmType type = llvm->FunctionType(nothing, &emit->pointer, 1, 0);
    emit->module = llvm->ModuleCreateWithNameInContext("kernel", emit->context);
    emit->builder = llvm->CreateBuilderInContext(emit->context);
    emit->function = llvm->AddFunction(emit->module, "run", type);
    suit(emit);
    ps_native_emit(emit);
    llvm->DisposeBuilder(emit->builder);
}

/* ---- machine code --------------------------------------------------------------------------- */

/* FALSE: LLVM does not know one of the passes. */
static gboolean run_passes(const PsLlvm *llvm, gpointer module, gpointer engine, const char *passes)
{
    gpointer options = llvm->CreatePassBuilderOptions();
    gpointer error =
        llvm->RunPasses(module, passes, llvm->GetExecutionEngineTargetMachine(engine), options);
    llvm->DisposePassBuilderOptions(options);
    if (error)
        llvm->ConsumeError(error);
    return !error;
}

/* Passes that make registers of variables, and remove what is computed twice or in vain. From
 * version 18 on LLVM ends the process where one turn of instcombine is not enough, unless an option
 * forbids it, which earlier versions do not understand. */
static gboolean improve(const PsLlvm *llvm, gpointer module, gpointer engine)
{
    return run_passes(llvm, module, engine,
                      "function(mem2reg,early-cse,instcombine<no-verify-fixpoint>,simplifycfg)") ||
           run_passes(llvm, module, engine, "function(mem2reg,early-cse,instcombine,simplifycfg)");
}

static gboolean make_code(PsPtxNativeCode *code, gpointer module, guint level)
{
    const PsLlvm *llvm = code->llvm;
    PsLlvmOptions options;
    char *why = NULL;
    llvm->InitializeMCJITCompilerOptions(&options, sizeof options);
    options.level = level;
    if (llvm->CreateMCJITCompilerForModule(&code->engine, module, &options, sizeof options, &why)) {
        llvm->DisposeMessage(why);
        llvm->DisposeModule(module);
        code->engine = NULL;
        return FALSE;
    }
    if (!improve(llvm, module, code->engine))
        return FALSE;
    const guint64 address = llvm->GetFunctionAddress(code->engine, "run");
    memcpy(&code->run, &address, sizeof code->run);
    return address != 0;
}

/* The number of rows that all segments together read. */
static guint64 carried(const PsNativePlan *plan)
{
    const PsPtxNativeSource *source = plan->source;
    guint64 sum = 0;
    for (guint i = 0; i < source->code->n_points; i++)
        for (guint slot = 0; plan->lengths[i] > 0 && slot < source->n_fixed + source->n_kept;
             slot++)
            sum += ps_native_lives(plan, i, slot) ? 1 : 0;
    return sum;
}

PsPtxNativeCode *ps_ptx_native_compile(const PsPtxNativeSource *source)
{
    PsPtxNativeCode *code = g_new0(PsPtxNativeCode, 1);
    PsNativePlan plan;
    if (!suits() || source->code->n_points > MOST_POINTS || !ps_llvm_load(code->llvm)) {
        g_free(code);
        return NULL;
    }
    ps_native_plan(&plan, source);
    code->context = code->llvm->ContextCreate();
    PsNativeEmit emit = {.llvm = {*code->llvm},
                         .context = code->context,
                         .plan = &plan,
                         .permutes = permutes(),
                         .stays = carried(&plan) > MOST_CARRIED};
    make_types(&emit);
    make_function(&emit);
    code->lengths = g_steal_pointer(&plan.lengths);
    ps_native_plan_clear(&plan);
    if (make_code(code, emit.module, source->code->n_points > MOST_IMPROVED ? 0 : 1))
        return code;
    ps_ptx_native_free(code);
    return NULL;
}

void ps_ptx_native_free(PsPtxNativeCode *code)
{
    if (!code)
        return;
    if (code->engine)
        code->llvm->DisposeExecutionEngine(code->engine);
    code->llvm->ContextDispose(code->context);
    g_free(code->lengths);
    g_free(code);
}

const guint *ps_ptx_native_lengths(const PsPtxNativeCode *code)
{
    return code->lengths;
}

void ps_ptx_native_run(const PsPtxNativeCode *code, PsPtxNativeCall *call)
{
    code->run(call);
}
