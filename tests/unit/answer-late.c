/* SPDX-License-Identifier: BSD-3-Clause */
/* A run that is ended before it could tell anything: because time is out, or since nobody wants it.
 */
#include "answer/answer-private.h"
#include "base/error.h"
#include "gpu/load.h"
#include "idg/load.h"

#include <string.h>

static void test_at_once(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsGpu) gpu = ps_gpu_load("gpus/v100.xml", &error);
    g_autoptr(PsIdg) idg = ps_idg_load("graphs/mmul08.idg", &error);
    g_assert_no_error(error);
    const PsQuestion question = {.idg = idg, .gpu = gpu, .no_fast_forward = TRUE};
    const gint yes = 1, no = 0;
    PsRunAids aids = {.hurry = &yes, .cancel = &yes};
    g_assert_null(ps_answer_run(&question, &aids, NULL, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_TIME);
    g_assert_nonnull(strstr(error->message, "by the ceiling of the roofline it is at least "));
    g_clear_error(&error);
    aids.hurry = &no;
    g_assert_null(ps_answer_run(&question, &aids, NULL, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_CANCELLED);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/answer-late/at-once", test_at_once);
    return g_test_run();
}
