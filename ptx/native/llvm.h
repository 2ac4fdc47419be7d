/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part of LLVM's library that is used here, through its interface for C. It is loaded on
 * demand, and needed neither to build nor to run. So the used declarations of its headers are
 * repeated here.
 */
#ifndef PIPESIM_PTX_NATIVE_LLVM_H
#define PIPESIM_PTX_NATIVE_LLVM_H

#include <glib.h>

G_BEGIN_DECLS

typedef struct PsLlvmType *PsLlvmType;
typedef struct PsLlvmValue *PsLlvmValue;
typedef struct PsLlvmBlock *PsLlvmBlock;

/* The options of LLVM's compiler in memory (LLVMMCJITCompilerOptions). */
typedef struct {
    guint level;
    int code_model;
    int no_frame_pointer, fast_selection;
    gpointer memory;
} PsLlvmOptions;

/* LLVM's numbers of comparisons. */
enum {
    PS_LLVM_EQ = 32,
    PS_LLVM_NE,
    PS_LLVM_UGT,
    PS_LLVM_UGE,
    PS_LLVM_ULT,
    PS_LLVM_ULE,
    PS_LLVM_SGT,
    PS_LLVM_SGE,
    PS_LLVM_SLT,
    PS_LLVM_SLE
};
enum {
    PS_LLVM_OEQ = 1,
    PS_LLVM_OGT,
    PS_LLVM_OGE,
    PS_LLVM_OLT,
    PS_LLVM_OLE,
    PS_LLVM_ONE,
    PS_LLVM_ORD,
    PS_LLVM_UNO,
    PS_LLVM_FUEQ,
    PS_LLVM_FUGT,
    PS_LLVM_FUGE,
    PS_LLVM_FULT,
    PS_LLVM_FULE,
    PS_LLVM_FUNE
};
/* LLVMAtomicOrderingAcquire */
#define PS_LLVM_ACQUIRE 4

/* LLVM's functions: result, name behind "LLVM", parameters. */
#define PS_LLVM_OF_TWO(F, NAME)                                                                    \
    F(PsLlvmValue, NAME, (gpointer builder, PsLlvmValue a, PsLlvmValue b, const char *name))
#define PS_LLVM_OF_ONE(F, NAME)                                                                    \
    F(PsLlvmValue, NAME, (gpointer builder, PsLlvmValue a, PsLlvmType type, const char *name))
#define PS_LLVM_FUNCTIONS(F)                                                                       \
    F(gpointer, ContextCreate, (void))                                                             \
    F(void, ContextDispose, (gpointer context))                                                    \
    F(gpointer, ModuleCreateWithNameInContext, (const char *name, gpointer context))               \
    F(void, DisposeModule, (gpointer module))                                                      \
    F(gpointer, CreateBuilderInContext, (gpointer context))                                        \
    F(void, DisposeBuilder, (gpointer builder))                                                    \
    F(PsLlvmType, IntTypeInContext, (gpointer context, guint bits))                                \
    F(PsLlvmType, HalfTypeInContext, (gpointer context))                                           \
    F(PsLlvmType, FloatTypeInContext, (gpointer context))                                          \
    F(PsLlvmType, DoubleTypeInContext, (gpointer context))                                         \
    F(PsLlvmType, VoidTypeInContext, (gpointer context))                                           \
    F(PsLlvmType, VectorType, (PsLlvmType element, guint n))                                       \
    F(PsLlvmType, PointerType, (PsLlvmType to, guint space))                                       \
    F(PsLlvmType, FunctionType, (PsLlvmType result, PsLlvmType * parameters, guint n, int more))   \
    F(PsLlvmType, TypeOf, (PsLlvmValue value))                                                     \
    F(PsLlvmValue, AddFunction, (gpointer module, const char *name, PsLlvmType type))              \
    F(void, AddTargetDependentFunctionAttr,                                                        \
      (PsLlvmValue function, const char *name, const char *value))                                 \
    F(PsLlvmValue, GetParam, (PsLlvmValue function, guint which))                                  \
    F(PsLlvmBlock, AppendBasicBlockInContext,                                                      \
      (gpointer context, PsLlvmValue function, const char *name))                                  \
    F(PsLlvmBlock, GetInsertBlock, (gpointer builder))                                             \
    F(void, PositionBuilderAtEnd, (gpointer builder, PsLlvmBlock block))                           \
    F(PsLlvmValue, ConstInt, (PsLlvmType type, guint64 value, int sign_extend))                    \
    F(PsLlvmValue, ConstNull, (PsLlvmType type))                                                   \
    F(PsLlvmValue, ConstAllOnes, (PsLlvmType type))                                                \
    F(PsLlvmValue, ConstVector, (PsLlvmValue * values, guint n))                                   \
    F(PsLlvmValue, GetUndef, (PsLlvmType type))                                                    \
    F(guint, LookupIntrinsicID, (const char *name, gsize length))                                  \
    F(PsLlvmValue, GetIntrinsicDeclaration,                                                        \
      (gpointer module, guint id, PsLlvmType * types, gsize n))                                    \
    F(PsLlvmType, IntrinsicGetType, (gpointer context, guint id, PsLlvmType * types, gsize n))     \
    PS_LLVM_OF_TWO(F, BuildAdd)                                                                    \
    PS_LLVM_OF_TWO(F, BuildSub)                                                                    \
    PS_LLVM_OF_TWO(F, BuildMul)                                                                    \
    PS_LLVM_OF_TWO(F, BuildAnd)                                                                    \
    PS_LLVM_OF_TWO(F, BuildOr)                                                                     \
    PS_LLVM_OF_TWO(F, BuildXor)                                                                    \
    PS_LLVM_OF_TWO(F, BuildShl)                                                                    \
    PS_LLVM_OF_TWO(F, BuildLShr)                                                                   \
    PS_LLVM_OF_TWO(F, BuildAShr)                                                                   \
    PS_LLVM_OF_TWO(F, BuildFAdd)                                                                   \
    PS_LLVM_OF_TWO(F, BuildFSub)                                                                   \
    PS_LLVM_OF_TWO(F, BuildFMul)                                                                   \
    PS_LLVM_OF_TWO(F, BuildFDiv)                                                                   \
    PS_LLVM_OF_TWO(F, BuildExtractElement)                                                         \
    PS_LLVM_OF_ONE(F, BuildTrunc)                                                                  \
    PS_LLVM_OF_ONE(F, BuildZExt)                                                                   \
    PS_LLVM_OF_ONE(F, BuildSExt)                                                                   \
    PS_LLVM_OF_ONE(F, BuildBitCast)                                                                \
    PS_LLVM_OF_ONE(F, BuildIntToPtr)                                                               \
    PS_LLVM_OF_ONE(F, BuildFPTrunc)                                                                \
    PS_LLVM_OF_ONE(F, BuildFPExt)                                                                  \
    PS_LLVM_OF_ONE(F, BuildSIToFP)                                                                 \
    PS_LLVM_OF_ONE(F, BuildUIToFP)                                                                 \
    PS_LLVM_OF_ONE(F, BuildFPToSI)                                                                 \
    PS_LLVM_OF_ONE(F, BuildFPToUI)                                                                 \
    F(PsLlvmValue, BuildICmp,                                                                      \
      (gpointer builder, int how, PsLlvmValue a, PsLlvmValue b, const char *name))                 \
    F(PsLlvmValue, BuildFCmp,                                                                      \
      (gpointer builder, int how, PsLlvmValue a, PsLlvmValue b, const char *name))                 \
    F(PsLlvmValue, BuildSelect,                                                                    \
      (gpointer builder, PsLlvmValue which, PsLlvmValue a, PsLlvmValue b, const char *name))       \
    F(PsLlvmValue, BuildShuffleVector,                                                             \
      (gpointer builder, PsLlvmValue a, PsLlvmValue b, PsLlvmValue lanes, const char *name))       \
    F(PsLlvmValue, BuildInsertElement,                                                             \
      (gpointer builder, PsLlvmValue to, PsLlvmValue one, PsLlvmValue at, const char *name))       \
    F(PsLlvmValue, BuildAlloca, (gpointer builder, PsLlvmType type, const char *name))             \
    F(PsLlvmValue, BuildLoad2,                                                                     \
      (gpointer builder, PsLlvmType type, PsLlvmValue from, const char *name))                     \
    F(PsLlvmValue, BuildStore, (gpointer builder, PsLlvmValue value, PsLlvmValue to))              \
    F(void, SetAlignment, (PsLlvmValue access, guint bytes))                                       \
    F(void, SetOrdering, (PsLlvmValue access, int ordering))                                       \
    F(PsLlvmValue, BuildGEP2,                                                                      \
      (gpointer builder, PsLlvmType type, PsLlvmValue from, PsLlvmValue * by, guint n,             \
       const char *name))                                                                          \
    F(PsLlvmValue, BuildCall2,                                                                     \
      (gpointer builder, PsLlvmType type, PsLlvmValue function, PsLlvmValue * with, guint n,       \
       const char *name))                                                                          \
    F(PsLlvmValue, BuildPhi, (gpointer builder, PsLlvmType type, const char *name))                \
    F(void, AddIncoming, (PsLlvmValue phi, PsLlvmValue * values, PsLlvmBlock * blocks, guint n))   \
    F(PsLlvmValue, BuildBr, (gpointer builder, PsLlvmBlock to))                                    \
    F(PsLlvmValue, BuildCondBr,                                                                    \
      (gpointer builder, PsLlvmValue which, PsLlvmBlock yes, PsLlvmBlock no))                      \
    F(PsLlvmValue, BuildSwitch, (gpointer builder, PsLlvmValue on, PsLlvmBlock other, guint n))    \
    F(void, AddCase, (PsLlvmValue on, PsLlvmValue value, PsLlvmBlock to))                          \
    F(PsLlvmValue, BuildRetVoid, (gpointer builder))                                               \
    F(PsLlvmValue, BuildUnreachable, (gpointer builder))                                           \
    F(void, LinkInMCJIT, (void))                                                                   \
    F(void, InitializeX86TargetInfo, (void))                                                       \
    F(void, InitializeX86Target, (void))                                                           \
    F(void, InitializeX86TargetMC, (void))                                                         \
    F(void, InitializeX86AsmPrinter, (void))                                                       \
    F(char *, GetHostCPUName, (void))                                                              \
    F(char *, GetHostCPUFeatures, (void))                                                          \
    F(void, DisposeMessage, (char *message))                                                       \
    F(void, InitializeMCJITCompilerOptions, (PsLlvmOptions * options, gsize size))                 \
    F(int, CreateMCJITCompilerForModule,                                                           \
      (gpointer * engine, gpointer module, PsLlvmOptions * options, gsize size, char **error))     \
    F(gpointer, GetExecutionEngineTargetMachine, (gpointer engine))                                \
    F(guint64, GetFunctionAddress, (gpointer engine, const char *name))                            \
    F(void, DisposeExecutionEngine, (gpointer engine))                                             \
    F(gpointer, CreatePassBuilderOptions, (void))                                                  \
    F(void, DisposePassBuilderOptions, (gpointer options))                                         \
    F(gpointer, RunPasses,                                                                         \
      (gpointer module, const char *passes, gpointer machine, gpointer options))                   \
    F(void, ConsumeError, (gpointer error))                                                        \
    F(int, VerifyModule, (gpointer module, int how, char **message))

/* Parentheses would make something else of it. NOLINTNEXTLINE(bugprone-macro-parentheses) */
#define PS_LLVM_MEMBER(RESULT, NAME, PARAMETERS) RESULT(*NAME) PARAMETERS;
typedef struct {
    PS_LLVM_FUNCTIONS(PS_LLVM_MEMBER)
} PsLlvm;
#undef PS_LLVM_MEMBER

/* Loads the newest library that is known to work. FALSE: there is none. A loaded library stays
 * loaded. */
gboolean ps_llvm_load(PsLlvm *llvm);

G_END_DECLS
#endif
