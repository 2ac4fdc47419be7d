/* SPDX-License-Identifier: BSD-3-Clause */
/* The forms of a kernel's name that people write. */
#ifndef PIPESIM_PTX_KERNEL_FORM_H
#define PIPESIM_PTX_KERNEL_FORM_H

#include "base/kernel-name.h"
#include "ptx/instruction.h"

typedef enum {
    FORM_BARE,   /* f<32> */
    FORM_SCOPED, /* a::f<32> */
    FORM_WHOLE,  /* a::f<32>(float*) */
    FORM_MANGLED,
    N_FORMS
} NameForm;

/* g_free */
char *kernel_form(const PsPtxFunction *kernel, NameForm form);

/* shown: the kernel's name in ps_ptx_kernel_names. */
PsKernelFit kernel_fit(const PsPtxFunction *kernel, const char *shown, const char *written);

#endif
