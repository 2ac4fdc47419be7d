/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The step to more warps at once, on GPUs of two vendors: at that step more of them fit, and with
 * one register or byte more they do not.
 */
#include "gpu/next-step.h"
#include "tell/next-step.h"

static PsGpu *gpu_of(const char *path)
{
    g_autoptr(GError) error = NULL;
    PsGpu *gpu = ps_gpu_load(path, &error);
    g_assert_no_error(error);
    return gpu;
}

static gint64 warps_of(const PsGpu *gpu, const PsGroupNeeds *needs)
{
    PsOccupancy occupancy;
    g_assert_true(ps_gpu_occupancy(gpu, needs, &occupancy, NULL));
    return occupancy.groups * occupancy.warps_per_group;
}

static gboolean step_of(const PsGpu *gpu, const PsGroupNeeds *needs, PsNextStep *step)
{
    PsOccupancy occupancy;
    g_assert_true(ps_gpu_occupancy(gpu, needs, &occupancy, NULL));
    return ps_gpu_next_step(gpu, needs, &occupancy, step);
}

/* Holds the step against the occupancy; FALSE: there is none. */
static gboolean hold(const PsGpu *gpu, const PsGroupNeeds *needs)
{
    PsNextStep step;
    if (!step_of(gpu, needs, &step))
        return FALSE;
    PsGroupNeeds then = *needs;
    if (step.registers >= 0)
        then.registers = step.registers;
    if (step.local_memory >= 0)
        then.local_memory = step.local_memory;
    if (step.group_size >= 0)
        then.group_size = step.group_size;
    g_assert_cmpint(warps_of(gpu, &then), ==, step.warps);
    g_assert_cmpint(step.warps, >, warps_of(gpu, needs));
    PsGroupNeeds more = then;
    more.registers++;
    if (step.registers >= 0)
        g_assert_cmpint(warps_of(gpu, &more), <, step.warps);
    more = then;
    more.local_memory++;
    if (step.local_memory >= 0)
        g_assert_cmpint(warps_of(gpu, &more), <, step.warps);
    return TRUE;
}

static void test_held(void)
{
    static const char *const files[] = {"gpus/a100.xml", "gpus/h100-sxm.xml", "gpus/mi250.xml",
                                        "gpus/rx7900xtx.xml"};
    guint steps = 0, read = 0;
    for (guint i = 0; i < G_N_ELEMENTS(files); i++) {
        if (!g_file_test(files[i], G_FILE_TEST_EXISTS))
            continue;
        g_autoptr(PsGpu) gpu = gpu_of(files[i]);
        read++;
        for (gint64 registers = 16; registers <= 128; registers += 7)
            for (gint64 size = 64; size <= 512; size += 64)
                for (gint64 bytes = 0; bytes <= 32768; bytes += 8192) {
                    const PsGroupNeeds needs = {
                        .group_size = size, .registers = registers, .local_memory = bytes};
                    steps += hold(gpu, &needs);
                }
    }
    g_assert_cmpuint(read, >=, 3);
    g_assert_cmpuint(steps, >, 1000);
}

/* Worked by hand for the A100: 65 536 registers, a warp's from 256 to 256, warps in fours. */
static void test_by_hand(void)
{
    g_autoptr(PsGpu) gpu = gpu_of("gpus/a100.xml");
    const PsGroupNeeds registers = {.group_size = 384, .registers = 47};
    const PsGroupNeeds full = {.group_size = 256, .registers = 32};
    PsNextStep step;
    g_assert_true(step_of(gpu, &registers, &step));
    g_assert_cmpint(step.registers, ==, 40); /* 48 warps of 1 280 */
    g_assert_cmpint(step.groups, ==, 4);
    g_assert_cmpint(step.local_memory, ==, -1);
    g_autofree char *words = ps_next_step_words(&step, gpu);
    g_assert_cmpstr(words, ==,
                    "40 registers of a thread at most: 4 groups at once, 75.0 % of the warps");
    g_assert_false(step_of(gpu, &full, &step));
    const PsGroupNeeds memory = {.group_size = 128, .registers = 16, .local_memory = 49152};
    g_assert_true(step_of(gpu, &memory, &step));
    g_assert_cmpint(step.local_memory, ==, 40960); /* 167 936 / 4 - 1 024 */
    const PsGroupNeeds warps = {.group_size = 768, .registers = 16};
    g_assert_true(step_of(gpu, &warps, &step));
    g_assert_cmpint(step.group_size, ==, 800); /* 2 groups of 25 warps */
    g_autofree char *limits = ps_occupancy_limit_words(PS_LIMIT_REGISTERS | PS_LIMIT_WARPS);
    g_assert_cmpstr(limits, ==, "registers and warps");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/next-step/held", test_held);
    g_test_add_func("/next-step/by-hand", test_by_hand);
    return g_test_run();
}
