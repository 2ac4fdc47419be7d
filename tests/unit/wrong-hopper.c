/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels for Hopper and Blackwell that do something wrong (wrong.cu in tests/hopper and
 * tests/blackwell), in PTX and in machine code: each ends with one error, with a line of the
 * source.
 */
#include "base/message.h"
#include "ptx/run/run.h"
#include "ptx/tensor-map.h"
#include "tests/help/sass.h"
#include <string.h>

typedef struct {
    const char *path, *kernel;
    gboolean blackwell;
    guint threads;
    guint64 shared;      /* bytes that the launch gives */
    const char *says[3]; /* parts of the message; NULL at first: nothing is wrong */
} Wrong;

static const Wrong cases[] = {
    {"/wrong-hopper/bytes",
     "bytes",
     FALSE,
     128,
     16384,
     {"its threads wait for each other; warps 0 to 3: 32 of 32 threads wait for the mbarrier ",
      ", where 0 arrivals and 8192 bytes are missing (wrong.cu:20, in hopper.cuh:30"}},
    {"/wrong-hopper/roles",
     "roles",
     FALSE,
     160,
     16384,
     {", where 1 arrival and 0 bytes are missing, and no warp has arrived (wrong.cu:36, in ",
      "; warp 4: 1 of 32 threads wait for the mbarrier ",
      ", where 128 arrivals and 0 bytes are missing, and no warp has arrived (wrong.cu:40, in "}},
    {"/wrong-hopper/leaves",
     "leaves",
     FALSE,
     128,
     65536,
     {"wrong.cu:53, in hopper.cuh:104", " multiplies a matrix B whose descriptor 0x",
      " of shared memory"}},
    {"/wrong-hopper/part",
     "part",
     FALSE,
     128,
     65536,
     {"; warps 0 to 1: 32 of 32 threads wait for warp 2 and warp 3 of its warpgroup to multiply, "
      "too (wrong.cu:68, in ",
      "; warps 2 to 3: has ended"}},
    {"/wrong-hopper/place",
     "place",
     FALSE,
     128,
     16384,
     {"wrong.cu:85, in hopper.cuh:53",
      " copies by a tensor map, but the box in shared memory is at no multiple of 128 bytes"}},
    {"/wrong-hopper/registers",
     "registers",
     FALSE,
     384,
     0,
     {"; warps 0 to 11: 32 of 32 threads wait for 240 registers each, of which they have 168 and "
      "other warps have left 0 (setmaxnreg) (wrong.cu:95"}},
    {"/wrong-hopper/moves", "moves", FALSE, 384, 0, {NULL}},
    {"/wrong-hopper/kept",
     "kept",
     TRUE,
     32,
     0,
     {"wrong.cu:10", ": group (0,0,0) ended without freeing 128 columns of tensor memory that it "
                     "allocates here (tcgen05.dealloc)"}},
    {"/wrong-hopper/fewer", "fewer", TRUE, 32, 0, {"wrong.cu:", " 64 columns of tensor memory"}},
    {"/wrong-hopper/alone",
     "alone",
     TRUE,
     32,
     0,
     {"wrong.cu:42", " asks for a pair of groups (cta_group::2), but its cluster has 1 group"}},
    {"/wrong-hopper/never",
     "never",
     TRUE,
     32,
     16384,
     {"; warp 0: 32 of 32 threads wait for the mbarrier ",
      ", where 1 arrival and 0 bytes are missing, and no warp has arrived (wrong.cu:68, in "}},
};

/* Executes the kernel; the error, if there is one. */
static GError *run(const Wrong *wrong, const PsPtxModule *module)
{
    g_autofree guint8 *out = g_malloc0(65536), *tile = g_malloc0(8192);
    guint8 map[PS_TENSOR_MAP_BYTES];
    GError *error = NULL;
    ps_tensor_map_encode(&(PsTensorMap){.rank = 2,
                                        .element = PS_TENSOR_F16,
                                        .swizzle = 128,
                                        .size = {64, 64},
                                        .stride = {2, 128},
                                        .box = {64, 64},
                                        .step = {1, 1}},
                         map);
    const PsPtxField field = {.name = "tile", .data = tile, .size = 8192};
    const PsPtxArgument arguments[] = {
        {.data = out, .size = 65536},
        {.bytes = map, .size = sizeof map, .n_fields = 1, .fields = &field}};
    PsPtxLaunch launch = {.kernel = ps_ptx_kernel(module, wrong->kernel, &error),
                          .grid = {1, 1, 1},
                          .block = {wrong->threads, 1, 1},
                          .dynamic_shared = wrong->shared,
                          .arguments = arguments};
    g_assert_no_error(error);
    launch.n_arguments = launch.kernel->params->len;
    g_autoptr(PsPtxMachine) machine = ps_ptx_machine_new(module, &launch, &error);
    g_assert_no_error(error);
    ps_ptx_run_group(machine, (const guint[3]){0}, NULL, &error);
    return error;
}

static void check(const Wrong *wrong, const PsPtxModule *module)
{
    g_autoptr(GError) error = run(wrong, module);
    if (!wrong->says[0])
        g_assert_no_error(error);
    for (guint i = 0; i < G_N_ELEMENTS(wrong->says) && wrong->says[i]; i++) {
        g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
        g_assert_nonnull(strstr(error->message, wrong->says[i]));
        g_assert_null(strchr(error->message, '\n'));
    }
}

static void test(gconstpointer data)
{
    const Wrong *wrong = data;
    PsSassImage *image = NULL;
    g_autoptr(GError) error = NULL;
    g_autoptr(PsPtxModule) module = ps_ptx_load(
        wrong->blackwell ? "tests/blackwell/wrong.ptx" : "tests/hopper/wrong.ptx", &error);
    g_assert_no_error(error);
    check(wrong, module);
    PsSassCode *code =
        sass_code(wrong->blackwell ? "wrong-100" : "wrong-90", wrong->kernel, &image);
    check(wrong, code->module);
    ps_sass_code_free(code);
    ps_sass_image_free(image);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
        g_test_add_data_func(cases[i].path, &cases[i], test);
    return g_test_run();
}
