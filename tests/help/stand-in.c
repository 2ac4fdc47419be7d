/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stand-ins are beside the tests' folder; a folder of our own holds links to them.
 */
#include "tests/help/stand-in.h"
#include <dlfcn.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static char *library_of(const char *kind)
{
    g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
    g_assert_nonnull(program);
    g_autofree char *folder = g_path_get_dirname(program);
    g_autofree char *name = g_strconcat(kind, ".so", NULL);
    return g_build_filename(folder, "..", "stand-in", name, NULL);
}

static void find(void *library, const char *name, void *function)
{
    void *found = dlsym(library, name);
    g_assert_nonnull(found);
    memcpy(function, &found, sizeof found);
}

static void load(StandIn *stand, const char *file)
{
    stand->library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!stand->library)
        g_error("no stand-in: %s", dlerror());
    find(stand->library, "stand_in_reset", &stand->reset);
    find(stand->library, "stand_in_fail", &stand->fail);
    find(stand->library, "stand_in_set", &stand->set);
    find(stand->library, "stand_in_get", &stand->get);
    find(stand->library, "stand_in_arch", &stand->arch);
    find(stand->library, "stand_in_image", &stand->image);
    stand->reset();
}

StandIn *stand_in_new(const char *kind, const char *const *names)
{
    StandIn *stand = g_new0(StandIn, 1);
    stand->folder = g_dir_make_tmp("pipesim-XXXXXX", NULL);
    g_autofree char *file = kind ? library_of(kind) : NULL;
    if (file)
        load(stand, file);
    for (guint i = 0; file && names[i]; i++) {
        g_autofree char *link = g_build_filename(stand->folder, names[i], NULL);
        g_assert_cmpint(symlink(file, link), ==, 0);
    }
    g_setenv("PIPESIM_DRIVERS", stand->folder, TRUE);
    return stand;
}

StandIn *stand_in_cuda(void)
{
    static const char *const names[] = {"libcuda.so.1", "libnvrtc.so.13", NULL};
    return stand_in_new("cuda", names);
}

StandIn *stand_in_hip(void)
{
    static const char *const names[] = {"libamdhip64.so.6", "libhiprtc.so.6", NULL};
    return stand_in_new("hip", names);
}

StandIn *stand_in_opencl(void)
{
    static const char *const names[] = {"libOpenCL.so.1", NULL};
    return stand_in_new("opencl", names);
}

void stand_in_free(StandIn *stand)
{
    g_autoptr(GDir) folder = g_dir_open(stand->folder, 0, NULL);
    for (const char *name = g_dir_read_name(folder); name; name = g_dir_read_name(folder)) {
        g_autofree char *file = g_build_filename(stand->folder, name, NULL);
        g_unlink(file);
    }
    g_rmdir(stand->folder);
    g_unsetenv("PIPESIM_DRIVERS");
    if (stand->library)
        dlclose(stand->library);
    g_free(stand->folder);
    g_free(stand);
}
