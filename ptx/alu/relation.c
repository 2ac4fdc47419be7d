/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The operators of setp and set. Values have zeros above their size, so one operator serves all
 * integers without sign.
 */
#include "ptx/alu/compare.h"

#define INTEGERS(NAME, TYPE)                                                                       \
    PS_PTX_COMPUTE(eq_##NAME, (TYPE)a == (TYPE)b)                                                  \
    PS_PTX_COMPUTE(ne_##NAME, (TYPE)a != (TYPE)b)                                                  \
    PS_PTX_COMPUTE(lt_##NAME, (TYPE)a < (TYPE)b)                                                   \
    PS_PTX_COMPUTE(le_##NAME, (TYPE)a <= (TYPE)b)                                                  \
    PS_PTX_COMPUTE(gt_##NAME, (TYPE)a > (TYPE)b)                                                   \
    PS_PTX_COMPUTE(ge_##NAME, (TYPE)a >= (TYPE)b)

INTEGERS(unsigned, guint64)
INTEGERS(s16, gint16)
INTEGERS(s32, gint32)
INTEGERS(s64, gint64)

/* An operator with u at its end is true where one of the numbers is NaN. */
#define NUMBERS(NAME, VALUE)                                                                       \
    PS_PTX_COMPUTE(eq_##NAME, VALUE(a) == VALUE(b))                                                \
    PS_PTX_COMPUTE(ne_##NAME, VALUE(a) < VALUE(b) || VALUE(a) > VALUE(b))                          \
    PS_PTX_COMPUTE(lt_##NAME, VALUE(a) < VALUE(b))                                                 \
    PS_PTX_COMPUTE(le_##NAME, VALUE(a) <= VALUE(b))                                                \
    PS_PTX_COMPUTE(gt_##NAME, VALUE(a) > VALUE(b))                                                 \
    PS_PTX_COMPUTE(ge_##NAME, VALUE(a) >= VALUE(b))                                                \
    PS_PTX_COMPUTE(equ_##NAME, !(VALUE(a) < VALUE(b) || VALUE(a) > VALUE(b)))                      \
    PS_PTX_COMPUTE(neu_##NAME, !(VALUE(a) == VALUE(b)))                                            \
    PS_PTX_COMPUTE(ltu_##NAME, !(VALUE(a) >= VALUE(b)))                                            \
    PS_PTX_COMPUTE(leu_##NAME, !(VALUE(a) > VALUE(b)))                                             \
    PS_PTX_COMPUTE(gtu_##NAME, !(VALUE(a) <= VALUE(b)))                                            \
    PS_PTX_COMPUTE(geu_##NAME, !(VALUE(a) < VALUE(b)))                                             \
    PS_PTX_COMPUTE(num_##NAME, VALUE(a) == VALUE(a) && VALUE(b) == VALUE(b))                       \
    PS_PTX_COMPUTE(nan_##NAME, VALUE(a) != VALUE(a) || VALUE(b) != VALUE(b))

NUMBERS(f32, ps_ptx_single)
NUMBERS(f64, ps_ptx_double)

static const struct {
    const char *name;
    const PsPtxOperation *of_unsigned, *of_s16, *of_s32, *of_s64, *of_f32, *of_f64;
} relations[] = {
    {"eq", eq_unsigned, eq_s16, eq_s32, eq_s64, eq_f32, eq_f64},
    {"ne", ne_unsigned, ne_s16, ne_s32, ne_s64, ne_f32, ne_f64},
    {"lt", lt_unsigned, lt_s16, lt_s32, lt_s64, lt_f32, lt_f64},
    {"le", le_unsigned, le_s16, le_s32, le_s64, le_f32, le_f64},
    {"gt", gt_unsigned, gt_s16, gt_s32, gt_s64, gt_f32, gt_f64},
    {"ge", ge_unsigned, ge_s16, ge_s32, ge_s64, ge_f32, ge_f64},
    {"lo", lt_unsigned, NULL, NULL, NULL, NULL, NULL},
    {"ls", le_unsigned, NULL, NULL, NULL, NULL, NULL},
    {"hi", gt_unsigned, NULL, NULL, NULL, NULL, NULL},
    {"hs", ge_unsigned, NULL, NULL, NULL, NULL, NULL},
    {"equ", NULL, NULL, NULL, NULL, equ_f32, equ_f64},
    {"neu", NULL, NULL, NULL, NULL, neu_f32, neu_f64},
    {"ltu", NULL, NULL, NULL, NULL, ltu_f32, ltu_f64},
    {"leu", NULL, NULL, NULL, NULL, leu_f32, leu_f64},
    {"gtu", NULL, NULL, NULL, NULL, gtu_f32, gtu_f64},
    {"geu", NULL, NULL, NULL, NULL, geu_f32, geu_f64},
    {"num", NULL, NULL, NULL, NULL, num_f32, num_f64},
    {"nan", NULL, NULL, NULL, NULL, nan_f32, nan_f64},
};

const PsPtxOperation *ps_ptx_relation(const char *name, PsPtxType type)
{
    guint i = 0;
    while (i < G_N_ELEMENTS(relations) && strcmp(relations[i].name, name) != 0)
        i++;
    if (i == G_N_ELEMENTS(relations))
        return NULL;
    switch (type) {
    case PS_PTX_B16:
    case PS_PTX_B32:
    case PS_PTX_B64:
    case PS_PTX_U16:
    case PS_PTX_U32:
    case PS_PTX_U64:
        return relations[i].of_unsigned;
    case PS_PTX_S16:
        return relations[i].of_s16;
    case PS_PTX_S32:
        return relations[i].of_s32;
    case PS_PTX_S64:
        return relations[i].of_s64;
    case PS_PTX_F16:
    case PS_PTX_F16X2:
    case PS_PTX_BF16:
    case PS_PTX_BF16X2:
    case PS_PTX_F32:
        return relations[i].of_f32;
    case PS_PTX_F64:
        return relations[i].of_f64;
    default:
        return NULL;
    }
}
