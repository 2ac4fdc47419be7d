/* SPDX-License-Identifier: BSD-3-Clause */
/* See modules.h. The lock is never held while the driver is called, which may call back here. */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "latency-bench/profile/modules.h"

#include "latency-bench/profile/cubin.h"

#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Module {
    const void *context;
    uint32_t id;
    const Code *code;
    struct Module *next;
} Module;

static struct {
    Module *all;
    Code *codes;
    unsigned n;
} modules;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static const Code *code_of(Parts *parts, const void *cubin, size_t size, unsigned image)
{
    for (const Code *code = modules.codes; code; code = code->next)
        if (code->size == size && memcmp(code->cubin, cubin, size) == 0)
            return code;
    Code *code = calloc(1, sizeof *code);
    void *copy = code ? malloc(size) : NULL;
    if (!copy || ps_parts_put(parts, cubin, size, "module\t%u\t%zu", image, size) != 0) {
        free(copy);
        free(code);
        return NULL;
    }
    memcpy(copy, cubin, size);
    *code = (Code){copy, size, ++modules.n, modules.codes};
    modules.codes = code;
    return code;
}

void ps_modules_add(Parts *parts, const void *context, uint32_t id, const void *cubin, size_t size,
                    unsigned image)
{
    Module *module = cubin && size ? calloc(1, sizeof *module) : NULL;
    if (!module)
        return;
    pthread_mutex_lock(&lock);
    *module = (Module){context, id, code_of(parts, cubin, size, image), modules.all};
    if (module->code)
        modules.all = module;
    else
        free(module);
    pthread_mutex_unlock(&lock);
}

void ps_modules_remove(const void *context, uint32_t id)
{
    pthread_mutex_lock(&lock);
    Module **at = &modules.all;
    while (*at && ((*at)->context != context || (*at)->id != id))
        at = &(*at)->next;
    Module *old = *at;
    if (old)
        *at = old->next;
    free(old);
    pthread_mutex_unlock(&lock);
}

const Code *ps_modules_find(const void *context, const char *kernel, const char **why)
{
    const Code *found = NULL;
    *why = "its code was not loaded before it";
    pthread_mutex_lock(&lock);
    for (const Module *module = modules.all; module; module = module->next) {
        if (module->context != context || module->code == found ||
            !ps_cubin_has(module->code->cubin, module->code->size, kernel))
            continue;
        if (found) {
            *why = "several modules have a kernel of its name";
            found = NULL;
            break;
        }
        found = module->code;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

/* ---- code as programs hand it over --------------------------------------------------------- */

enum { WRAPPER = 0x466243b1 };
#define FAT 0xba55ed50U

/* Most bytes of code in all: a program with more contains libraries, and uses little of their
 * code. */
#define MOST_BYTES ((size_t)256 << 20)

typedef struct {
    uint32_t magic, version;
    const void *data;
} Wrapper;

typedef struct {
    uint32_t magic;
    uint16_t version, size; /* version and size of the head */
    uint64_t bytes;         /* bytes behind the head */
} Fat;

static size_t size_of_elf(const unsigned char *bytes)
{
    Elf64_Ehdr elf;
    memcpy(&elf, bytes, sizeof elf);
    size_t end = elf.e_shoff + (size_t)elf.e_shnum * elf.e_shentsize;
    const size_t programs = elf.e_phoff + (size_t)elf.e_phnum * elf.e_phentsize;
    for (unsigned i = 0; i < elf.e_shnum && elf.e_shentsize == sizeof(Elf64_Shdr); i++) {
        Elf64_Shdr section;
        memcpy(&section, bytes + elf.e_shoff + i * sizeof section, sizeof section);
        if (section.sh_type != SHT_NOBITS && section.sh_offset + section.sh_size > end)
            end = section.sh_offset + section.sh_size;
    }
    return end > programs ? end : programs;
}

static unsigned put_image(Parts *parts, const void *image, size_t size)
{
    static size_t left = MOST_BYTES;
    static unsigned n;
    unsigned number = 0;
    pthread_mutex_lock(&lock);
    if (size <= left && ps_parts_put(parts, image, size, "image\t%zu", size) == 0) {
        left -= size;
        number = ++n;
    }
    pthread_mutex_unlock(&lock);
    return number;
}

unsigned ps_modules_image(Parts *parts, const void *image)
{
    Wrapper wrapper;
    Fat fat;
    uint32_t magic;
    if (!image)
        return 0;
    memcpy(&magic, image, sizeof magic);
    if (magic == WRAPPER) {
        memcpy(&wrapper, image, sizeof wrapper);
        image = wrapper.data;
        memcpy(&magic, image, sizeof magic);
    }
    size_t size = 0;
    if (magic == FAT) {
        memcpy(&fat, image, sizeof fat);
        size = fat.size + fat.bytes;
    } else if (memcmp(image, ELFMAG, SELFMAG) == 0) {
        size = size_of_elf(image);
    } else {
        size = strlen(image) + 1;
    }
    return put_image(parts, image, size);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* the program itself has no name in the list */
static int put_program(struct dl_phdr_info *file, size_t size, void *parts)
{
    char path[4000];
    (void)size;
    if (*file->dlpi_name) {
        ps_parts_put(parts, NULL, 0, "program\t%s", file->dlpi_name);
        return 0;
    }
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    if (*path)
        ps_parts_put(parts, NULL, 0, "program\t%s", path);
    return 0;
}

void ps_modules_programs(Parts *parts)
{
    dl_iterate_phdr(put_program, parts);
}
