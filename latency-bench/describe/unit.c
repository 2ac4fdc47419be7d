/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which pipeline serves a class. That two classes share one is not measured: it is what GPUs have
 * in common, and the name of the pipeline says what it stands for.
 */
#include "latency-bench/describe/describe.h"

#include <string.h>

static const struct {
    const char *klass; /* with its subclasses */
    const char *unit;
} UNITS[] = {
    {"fadd", "fp32"},       {"fmul", "fp32"},         {"fmadd", "fp32"},
    {"ffma", "fp32"},       {"fsetp", "fp32"},        {"fdiv", "fp32"},
    {"dadd", "fp64"},       {"dmul", "fp64"},         {"dfma", "fp64"},
    {"dsetp", "fp64"},      {"ddiv", "fp64"},         {"hadd", "fp16"},
    {"hmul", "fp16"},       {"hfma", "fp16"},         {"iadd", "int"},
    {"imul", "int"},        {"imad", "int"},          {"isetp", "int"},
    {"idiv", "int"},        {"logic", "int"},         {"shift", "int"},
    {"popc", "int"},        {"integer", "int"},       {"index", "int"},
    {"loop", "int"},        {"branch", "branch"},     {"conversion", "conversion"},
    {"rcp", "sfu"},         {"rsqrt", "sfu"},         {"sqrt", "sfu"},
    {"sin", "sfu"},         {"cos", "sfu"},           {"exp2", "sfu"},
    {"log2", "sfu"},        {"mufu", "sfu"},          {"tensor", "tensor"},
    {"barrier", "barrier"}, {"local", "local"},       {"atomic.local", "local"},
    {"shuffle", "local"},   {"constant", "constant"}, {"memory", "global"},
    {"global", "global"},   {"atomic", "global"},
};

/* Any other class has a pipeline of its own, named after the first part of its own name. */
const char *ps_describe_unit(const char *klass)
{
    for (guint i = 0; i < G_N_ELEMENTS(UNITS); i++)
        if (ps_class_covers(UNITS[i].klass, klass))
            return UNITS[i].unit;
    return NULL;
}
