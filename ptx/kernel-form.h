/* SPDX-License-Identifier: BSD-3-Clause */
/* The forms of a kernel's name that people write. */
#ifndef PIPESIM_PTX_KERNEL_FORM_H
#define PIPESIM_PTX_KERNEL_FORM_H

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

/* How well a name that somebody wrote fits a kernel. */
typedef enum {
    FIT_NONE,
    FIT_PART,  /* it is a part of its name */
    FIT_NAME,  /* its name, perhaps without scopes, arguments or both */
    FIT_EXACT, /* its name in PTX, or the name by which it is shown */
} NameFit;

/* shown: the kernel's name in ps_ptx_kernel_names. */
NameFit kernel_fit(const PsPtxFunction *kernel, const char *shown, const char *written);

#endif
