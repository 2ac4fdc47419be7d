/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that uses CUDA, by the driver's own functions. Its arguments are what it does, in
 * order:
 *
 *     launch:KERNEL:GRID   fail:KERNEL   graph:KERNEL   device:N   say:TEXT   complain:TEXT
 *     read (prints how many bytes came in)   wait:FILE   exit:STATUS   kill:SIGNAL   end (a
 * context) again:FILE (the rest only if there is no such file, which is then made)
 * new:FILE (the rest only if there is one; else it is made)
 */
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct {
    int (*init)(unsigned flags);
    int (*create)(void **context, unsigned flags, int device);
    int (*destroy)(void *context);
    int (*launch)(void *function, unsigned grid, unsigned grid_y, unsigned grid_z, unsigned block,
                  unsigned block_y, unsigned block_z, unsigned memory, void *stream, void **values,
                  void **extra);
    int (*graph)(void *graph, void *stream);
    void *context;
} Cuda;

static void find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    if (!symbol) {
        fprintf(stderr, "the driver lacks %s\n", name);
        exit(70);
    }
    memcpy(function, &symbol, sizeof symbol);
}

static Cuda *cuda_of(Cuda *cuda)
{
    if (cuda->init)
        return cuda;
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        exit(70);
    }
    find(library, "cuInit", &cuda->init);
    find(library, "cuCtxCreate_v2", &cuda->create);
    find(library, "cuCtxDestroy_v2", &cuda->destroy);
    find(library, "cuLaunchKernel", &cuda->launch);
    find(library, "cuGraphLaunch", &cuda->graph);
    cuda->init(0);
    cuda->create(&cuda->context, 0, 0);
    return cuda;
}

/* The grid 0 is one that the driver refuses. */
static void launch(Cuda *cuda, const char *text, int fails)
{
    char kernel[500];
    snprintf(kernel, sizeof kernel, "%s", text);
    char *colon = strrchr(kernel, ':');
    const unsigned grid = fails ? 0 : colon ? (unsigned)strtoul(colon + 1, NULL, 10) : 1;
    if (colon)
        *colon = '\0';
    cuda_of(cuda)->launch(kernel, grid, 1, 1, 64, 1, 1, 512, NULL, NULL, NULL);
}

/* Until there is such a file. */
static void wait_for(const char *path)
{
    const struct timespec time = {0, 10000000};
    while (access(path, F_OK) != 0)
        nanosleep(&time, NULL);
}

static void read_all(void)
{
    int n = 0;
    while (getchar() != EOF)
        n++;
    printf("read %d\n", n);
}

/* Whether the program is here for the first time. */
static int is_first(const char *path)
{
    FILE *file = fopen(path, "wbx");
    if (file)
        fclose(file);
    return file != NULL;
}

static void act(Cuda *cuda, const char *what, const char *how)
{
    if (strcmp(what, "launch") == 0)
        launch(cuda, how, 0);
    else if (strcmp(what, "fail") == 0)
        launch(cuda, how, 1);
    else if (strcmp(what, "graph") == 0)
        cuda_of(cuda)->graph((void *)how, NULL);
    else if (strcmp(what, "device") == 0)
        cuda_of(cuda)->create(&cuda->context, 0, (int)strtol(how, NULL, 10));
    else if (strcmp(what, "end") == 0)
        cuda_of(cuda)->destroy(cuda->context);
    else if (strcmp(what, "wait") == 0)
        wait_for(how);
    else if (strcmp(what, "read") == 0)
        read_all();
    else if (strcmp(what, "say") == 0)
        printf("%s\n", how);
    else if (strcmp(what, "complain") == 0)
        fprintf(stderr, "%s\n", how);
    else if (strcmp(what, "exit") == 0)
        exit((int)strtol(how, NULL, 10));
    else if (strcmp(what, "kill") == 0)
        raise((int)strtol(how, NULL, 10));
}

int main(int argc, char **argv)
{
    Cuda cuda = {0};
    for (int i = 1; i < argc; i++) {
        char *colon = strchr(argv[i], ':');
        if (colon)
            *colon = '\0';
        if (colon && strcmp(argv[i], "again") == 0 && !is_first(colon + 1))
            return 0;
        if (colon && strcmp(argv[i], "new") == 0 && is_first(colon + 1))
            return 0;
        act(&cuda, argv[i], colon ? colon + 1 : "");
    }
    return 0;
}
