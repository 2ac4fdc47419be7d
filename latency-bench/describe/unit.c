/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The pipeline of a class, and classes that two pipelines serve in turn. That two classes share one
 * is not measured: GPUs have it in common, and the name of the pipeline says so.
 */
#include "base/class-name.h"
#include "latency-bench/describe/describe.h"

#include <string.h>

static const struct {
    const char *class_name; /* with its subclasses */
    const char *unit;
} UNITS[] = {
    {"fadd.minmax", "int"},
    {"conversion.f64", "fp64"},
    {"shuffle.reduce", "constant"},
    {"fadd", "fp32"},
    {"fmul", "fp32"},
    {"fmadd", "fp32"},
    {"ffma", "fp32"},
    {"fsetp", "fp32"},
    {"fdiv", "fp32"},
    {"dadd", "fp64"},
    {"dmul", "fp64"},
    {"dfma", "fp64"},
    {"dsetp", "fp64"},
    {"ddiv", "fp64"},
    {"hadd", "fp16"},
    {"hmul", "fp16"},
    {"hfma", "fp16"},
    {"iadd", "int"},
    {"imul", "int"},
    {"imad", "int"},
    {"isetp", "int"},
    {"idiv", "int"},
    {"logic", "int"},
    {"shift", "int"},
    {"popc", "int"},
    {"integer", "int"},
    {"index", "int"},
    {"loop", "int"},
    {"branch", "branch"},
    {"conversion", "conversion"},
    {"tensor", "tensor"},
    {"barrier", "barrier"},
    {"local", "local"},
    {"atomic.local", "local"},
    {"shuffle", "local"},
    {"constant", "constant"},
    {"memory", "global"},
    {"global", "global"},
    {"atomic", "global"},
};

/* Halves of a chain whose operation the compiler gives to two units in turn. It does so in other
 * kernels, too, so a class of both is what these get. From the machine code of CUDA 13. */
static const struct {
    const char *class_name, *halves;
    const char *architectures; /* separated by blanks */
} MIXTURES[] = {
    {"iadd", "IADD3, half IMAD.IADD", " sm_75 sm_80 sm_86 sm_87 sm_89 sm_90 sm_100 sm_103 sm_110 "},
    {"hadd", "HADD2, half HFMA2.MMA", " sm_80 sm_87 sm_90 "},
    {"hmul", "HMUL2, half HFMA2.MMA", " sm_80 sm_87 sm_90 "},
    {"hfma", "HFMA2, half HFMA2.MMA", " sm_80 sm_87 sm_90 "},
    {"hadd", "HADD2, half HFMA2", " sm_100 sm_103 sm_110 sm_120 sm_121 "},
    {"hmul", "HMUL2, half HFMA2", " sm_100 sm_103 sm_110 sm_120 sm_121 "},
};

const char *ps_describe_mixture(const char *class_name, const char *architecture)
{
    g_autofree char *word = g_strdup_printf(" %s ", architecture ? architecture : "");
    for (guint i = 0; i < G_N_ELEMENTS(MIXTURES); i++)
        if (strcmp(MIXTURES[i].class_name, class_name) == 0 &&
            strstr(MIXTURES[i].architectures, word))
            return MIXTURES[i].halves;
    return NULL;
}

/* Any other class has its own pipeline, with the first part of its name. */
const char *ps_describe_unit(const char *class_name)
{
    if (ps_class_is_special(class_name))
        return "sfu";
    for (guint i = 0; i < G_N_ELEMENTS(UNITS); i++)
        if (ps_class_covers(UNITS[i].class_name, class_name))
            return UNITS[i].unit;
    return NULL;
}
