/* SPDX-License-Identifier: BSD-3-Clause */
/* GPUs by name in folders, as bindings find and list them. */
#include "base/folder.h"
#include "gpu/find.h"
#include "gpu/internal.h"
#include "tell/gpus-json.h"

#include <glib/gstdio.h>
#include <string.h>

static const char *const OURS[] = {"gpus", NULL};

static void check_found(const char *written, const char *name)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsGpu) gpu = ps_gpu_find(written, OURS, &error);
    g_assert_no_error(error);
    g_assert_cmpstr(gpu->name, ==, name);
}

static void test_found(void)
{
    check_found("pascal", "GeForce GTX 1060 6GB");
    check_found("pascal.xml", "GeForce GTX 1060 6GB");
    check_found("gpus/pascal.xml", "GeForce GTX 1060 6GB");
    check_found("RTX 4090", "GeForce RTX 4090");
    check_found("rx7900xtx:wave64", "Radeon RX 7900 XTX, wave64");
    check_found("rx7900xtx:wave32", "Radeon RX 7900 XTX");
    check_found("rx6900xt:wgp", "Radeon RX 6900 XT, wgp");
    check_found("rx6900xt:wave64:wgp", "Radeon RX 6900 XT, wave64, wgp");
    check_found("rx6900xt.xml:wgp:wave32", "Radeon RX 6900 XT, wgp");
    check_found("rx6900xt:cu", "Radeon RX 6900 XT");
    check_found("rx6900xt:wave64:cu", "Radeon RX 6900 XT, wave64");
}

static void check_refused(const char *written, const char *message)
{
    g_autoptr(GError) error = NULL;
    g_assert_null(ps_gpu_find(written, OURS, &error));
    g_assert_nonnull(error);
    g_assert_cmpuint(error->domain, ==, PS_ERROR);
    if (!strstr(error->message, message))
        g_assert_cmpstr(error->message, ==, message);
}

#define WAYS "what may stand behind rx6900xt is :wave32, :wave64, :cu or :wgp"

static void test_refused(void)
{
    check_refused("pascall", "there is no GPU description \"pascall\"; did you mean pascal?");
    check_refused("nothing", "there is no GPU description \"nothing\"");
    check_refused("", "there is no GPU description \"\"");
    check_refused("gpus/none.xml", "gpus/none.xml: ");
    check_refused("a100-sxm", "\"a100-sxm\" fits several GPU descriptions; give one of these: ");
    check_refused("pascal:wave64", "pascal:wave64: what may stand behind pascal is :wave32");
    check_refused("mi300x:wgp", "mi300x:wgp: what may stand behind mi300x is :wave64");
    check_refused("rx6900xt:wgp:wgp", WAYS);
    check_refused("rx6900xt:cu:wgp", WAYS);
    check_refused("mi300x:cu", "mi300x:cu: what may stand behind mi300x is :wave64");
    check_refused("rx6900xt:wg", "there is no GPU description \"rx6900xt:wg\"");
    check_refused(":wgp", "there is no GPU description \":wgp\"");
}

/* A file of the first folder hides one of the same name in the next; families come from any. */
static void test_folders(void)
{
    g_autofree char *folder = g_dir_make_tmp("gpu-find-XXXXXX", NULL);
    g_autofree char *own = g_build_filename(folder, "gtx960.xml", NULL),
                    *bad = g_build_filename(folder, "bad.xml", NULL), *text = NULL;
    const char *const folders[] = {folder, "gpus", NULL};
    g_autoptr(GError) error = NULL;
    g_assert_true(g_file_get_contents("gpus/a100.xml", &text, NULL, NULL));
    g_assert_true(g_file_set_contents(own, text, -1, NULL));
    g_assert_true(g_file_set_contents(bad, "<gpu>", -1, NULL));
    g_autoptr(PsGpu) gpu = ps_gpu_find("gtx960", folders, &error);
    g_assert_no_error(error);
    g_assert_cmpstr(gpu->name, ==, "A100 SXM4 40GB");
    g_autofree char *all = ps_gpus_json(folders), *ours = ps_gpus_json(OURS);
    g_assert_nonnull(strstr(ours, "\"name\": \"gtx960\""));
    g_assert_nonnull(strstr(ours, "GeForce GTX 960"));
    g_assert_nonnull(strstr(ours, "\"warnings\": []"));
    g_assert_null(strstr(all, "GeForce GTX 960"));
    g_assert_nonnull(strstr(all, "left out: "));
    ps_folder_remove(g_steal_pointer(&folder));
}

/* What a GPU is known by is what its whole description says. */
static void test_titles(void)
{
    g_autoptr(GDir) dir = g_dir_open("gpus", 0, NULL);
    const char *name;
    guint n = 0;
    while ((name = g_dir_read_name(dir))) {
        g_autofree char *path = g_build_filename("gpus", name, NULL), *text = NULL;
        gsize length;
        PsGpuTitle title;
        if (!g_str_has_suffix(name, ".xml"))
            continue;
        g_autoptr(PsGpu) gpu = ps_gpu_load(path, NULL);
        g_assert_true(g_file_get_contents(path, &text, &length, NULL));
        g_assert_true(ps_gpu_read_title(text, length, path, NULL, &title));
        g_autofree char *called = title.name;
        g_assert_cmpstr(called, ==, gpu->name);
        g_assert_cmpuint(title.capability, ==, gpu->capability);
        g_assert_cmpint(title.memory, ==, gpu->device_memory);
        n++;
    }
    g_assert_cmpuint(n, >, 50);
}

/* A description with a wrong figure is found by its name, and its reader says what is wrong. */
static void test_wrong(void)
{
    g_autofree char *folder = g_dir_make_tmp("gpu-find-XXXXXX", NULL);
    g_autofree char *file = g_build_filename(folder, "mine.xml", NULL);
    const char *const folders[] = {folder, "gpus", NULL};
    g_autoptr(GError) error = NULL;
    g_assert_true(g_file_set_contents(file,
                                      "<gpu xmlns=\"urn:pipesim:gpu:1\" version=\"1\" "
                                      "extends=\"ga100\" name=\"GeForce GTX 999\"/>",
                                      -1, NULL));
    g_assert_null(ps_gpu_find("gtx 999", folders, &error));
    g_assert_nonnull(strstr(error->message, "mine.xml:1: "));
    ps_folder_remove(g_steal_pointer(&folder));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/gpu-find/found", test_found);
    g_test_add_func("/gpu-find/refused", test_refused);
    g_test_add_func("/gpu-find/folders", test_folders);
    g_test_add_func("/gpu-find/titles", test_titles);
    g_test_add_func("/gpu-find/wrong", test_wrong);
    return g_test_run();
}
