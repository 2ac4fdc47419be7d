/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/explain.h"
void sensitivity_free(Sensitivities *sensitivities)
{
    g_free(sensitivities);
}
