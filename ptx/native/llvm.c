/* SPDX-License-Identifier: BSD-3-Clause */
/* See llvm.h. */
#include "ptx/native/llvm.h"

#include <dlfcn.h>
#include <string.h>

/* Later versions have other parameters where memory is accessed under a mask. */
static const char *const names[] = {"libLLVM.so.20.1", "libLLVM.so.19.1", "libLLVM-19.so.1",
                                    "libLLVM.so.18.1", "libLLVM-18.so.1", "libLLVM-17.so.1",
                                    "libLLVM-16.so.1", "libLLVM-15.so.1", "libLLVM-14.so.1"};

static gpointer open_any(void)
{
    gpointer library = NULL;
    for (guint i = 0; i < G_N_ELEMENTS(names) && !library; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    return library;
}

/* POSIX lets dlsym's pointer be a function; ISO C has no such conversion. */
static gboolean find(gpointer library, const char *name, gpointer function)
{
    gpointer found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

gboolean ps_llvm_load(PsLlvm *llvm)
{
    gpointer library = open_any();
    gboolean all = library != NULL;
#define FIND(RESULT, NAME, PARAMETERS) all = all && find(library, "LLVM" #NAME, &llvm->NAME);
    PS_LLVM_FUNCTIONS(FIND)
#undef FIND
    if (!all)
        return FALSE;
    llvm->LinkInMCJIT();
    llvm->InitializeX86TargetInfo();
    llvm->InitializeX86Target();
    llvm->InitializeX86TargetMC();
    llvm->InitializeX86AsmPrinter();
    return TRUE;
}
