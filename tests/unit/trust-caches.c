/* SPDX-License-Identifier: BSD-3-Clause */
/* From what share of the time on it is told that caches may keep bytes. */
#include "tell/trust-caches.h"

#include "answer/figures.h"
#include "answer/traffic.h"

#include <string.h>

/* A stream, which device memory limits. */
static PsAnswer *stream(PsIdg **idg, PsGpu **gpu)
{
    static const char text[] =
        "<idg xmlns='urn:pipesim:idg:1' version='1' name='copy'>"
        "<launch groups='65536' group-size='256'/><code>"
        "<node name='x' class='global.load' bytes='4' l1='1' l2='1' device='1'/>"
        "<node name='y' class='global.store' after='x' bytes='4' l1='1' l2='1' device='1'/>"
        "</code></idg>";
    *idg = ps_idg_parse(text, strlen(text), "copy.idg", NULL);
    *gpu = ps_gpu_load("gpus/v100.xml", NULL);
    const PsQuestion question = {.idg = *idg, .gpu = *gpu};
    PsAnswer *answer = ps_answer_new(&question, NULL, NULL);
    g_assert_cmpstr(ps_answer_limit(answer), ==, "device");
    return answer;
}

static void test_kept(void)
{
    static const double shares[] = {0, 0.09, 0.11, 0.5};
    PsIdg *idg;
    PsGpu *gpu;
    PsAnswer *answer = stream(&idg, &gpu);
    PsLaunchRoofline *roofline = &answer->roofline;
    for (guint i = 0; i < G_N_ELEMENTS(shares); i++) {
        g_autoptr(GString) told = g_string_new(NULL);
        roofline->least_traffic =
            roofline->params.W_traf - shares[i] * answer->seconds * roofline->peaks.value[PS_B_MEM];
        ps_trust_append_caches(told, answer);
        g_assert_true((strstr(told->str, "may stay in caches") != NULL) == (shares[i] > 0.1));
    }
    ps_answer_free(answer);
    ps_idg_free(idg);
    ps_gpu_free(gpu);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/trust-caches/kept", test_kept);
    return g_test_run();
}
