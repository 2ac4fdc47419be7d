/* SPDX-License-Identifier: BSD-3-Clause */
/* The environment in which a program finds our driver. See program.h. */
#define _GNU_SOURCE /* memmem */
#include "cli/program/program.h"

#include "cli/system/beside.h"
#include "cli/system/draft.h"
#include "pipesim-private.h"

#include <string.h>
#include <sys/stat.h>

#define FOLDER "libpipesim-driver"

char *program_libraries(GError **error)
{
    g_autofree char *beside = NULL;
    char *path = beside_library(FOLDER, G_FILE_TEST_IS_DIR, &beside);
    if (path)
        return path;
    g_set_error(error, PS_ERROR, PS_ERROR_READ,
                "the libraries that CUDA programs find, %s, are not beside libpipesim (%s); `make` "
                "builds them, `make install` installs them",
                FOLDER, beside);
    return NULL;
}

static gboolean has_text(const char *path, const char *text)
{
    g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, NULL);
    const char *data = file ? g_mapped_file_get_contents(file) : NULL;
    return data && memmem(data, g_mapped_file_get_length(file), text, strlen(text));
}

gboolean program_has_blas(const char *command)
{
    g_autofree char *path = g_find_program_in_path(command);
    return path && has_text(path, "libcublas.so.");
}

/* TRUE if a file contains NVIDIA's runtime: it has the names of all errors, and asks its driver for
 * a table by name. A program with the shared runtime may have these names, too: the part with which
 * kernels launch kernels (libcudadevrt) has them. */
static gboolean has_runtime(const char *path)
{
    return has_text(path, "cudaErrorSoftwareValidityNotEstablished") &&
           has_text(path, "cuGetExportTable");
}

gboolean program_check(const char *command, GError **error)
{
    g_autofree char *path = g_find_program_in_path(command);
    struct stat status;
    if (!path || stat(path, &status) != 0)
        return TRUE;
    if ((status.st_mode & (S_ISUID | S_ISGID)) != 0)
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                    "%s is set-uid or set-gid, and such a program takes its libraries from no "
                    "environment",
                    command);
    else if (has_runtime(path))
        g_set_error(
            error, PS_ERROR, PS_ERROR_VALUE,
            "%s has NVIDIA's own runtime inside, which works with NVIDIA's own driver alone; "
            "build it again with nvcc -cudart shared, or by: pipesim program%s --build 'make "
            "-B' -- %s",
            command, program_has_blas(command) ? " --stand-in blas" : "", command);
    else
        return TRUE;
    return FALSE;
}

static char **put_first(char **environment, const char *name, const char *what, const char *between)
{
    const char *old = g_environ_getenv(environment, name);
    g_autofree char *all = old && *old ? g_strconcat(what, between, old, NULL) : g_strdup(what);
    return g_environ_setenv(environment, name, all, TRUE);
}

/* Makes the linker look in this folder first. */
static char **search_first(char **environment, const char *folder)
{
    g_autofree char *search = g_strconcat("-L", folder, NULL);
    environment = put_first(environment, "LIBRARY_PATH", folder, ":");
    return put_first(environment, "NVCC_PREPEND_FLAGS", search, " ");
}

/* The folder of libraries that stand in for others. */
#define BLAS "blas"

static char **libraries_first(const char *libraries, gboolean blas)
{
    g_autofree char *before = g_build_filename(libraries, BLAS, NULL);
    char **environment = put_first(g_get_environ(), "LD_LIBRARY_PATH", libraries, ":");
    environment = search_first(environment, libraries);
    if (blas) {
        environment = put_first(environment, "LD_LIBRARY_PATH", before, ":");
        environment = search_first(environment, before);
    }
    environment = put_first(environment, "NVCC_APPEND_FLAGS", "-cudart shared", " ");
    return g_environ_setenv(environment, "CMAKE_CUDA_RUNTIME_LIBRARY", "Shared", TRUE);
}

/* A library with a search path of its own does not look into LD_LIBRARY_PATH first, so the loader
 * is told as well (driver/search.c). */
#define SEARCH "libpipesim-search.so"

char **program_environment(const char *libraries, gboolean blas)
{
    char **environment = libraries_first(libraries, blas);
    g_autofree char *search = g_build_filename(libraries, SEARCH, NULL),
                    *before = g_build_filename(libraries, BLAS, NULL),
                    *folders = g_strjoin(":", libraries, blas ? before : NULL, NULL);
    environment = g_environ_setenv(environment, "PIPESIM_PROGRAM_LIBRARIES", folders, TRUE);
    return put_first(environment, "LD_AUDIT", search, ":");
}

/* The folder of the runtime under CUDA 12's names. */
#define OF_12 "12"

static gboolean is_nvcc_12(void)
{
    enum { RELEASE = 12 };
    g_autofree char *nvcc = ps_toolchain_find("nvcc");
    return nvcc && ps_toolchain_release(&draft_host, nvcc) == RELEASE;
}

char **program_build_environment(const char *libraries, gboolean blas)
{
    char **environment = libraries_first(libraries, blas);
    g_autofree char *older = g_build_filename(libraries, OF_12, NULL),
                    *before = g_build_filename(libraries, BLAS, OF_12, NULL);
    if (is_nvcc_12()) {
        environment = search_first(environment, older);
        if (blas)
            environment = search_first(environment, before);
    }
    g_autofree char *beside = g_path_get_dirname(libraries), *above = g_path_get_dirname(beside);
    g_autofree char *all =
        g_strjoin(":", g_environ_getenv(environment, "LD_LIBRARY_PATH"), beside, above, NULL);
    return g_environ_setenv(environment, "LD_LIBRARY_PATH", all, TRUE);
}
