/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens the driver by its whole path, as libraries of Python do with what lies beside them. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
    int (*init)(unsigned int) = library ? (int (*)(unsigned int))dlsym(library, "cuInit") : NULL;
    printf("%s\n", !library ? dlerror() : !init ? "another library" : init(0) ? "failed" : "ok");
    return 0;
}
