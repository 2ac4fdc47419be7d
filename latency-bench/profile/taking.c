/* SPDX-License-Identifier: BSD-3-Clause */
/* See taking.h. Copies use a stream of their own, which waits for no other stream, and no stream
 * waits for it. */
#include "latency-bench/profile/taking.h"

#include "latency-bench/profile/cubin.h"
#include "latency-bench/profile/record.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_PIECES = 4096,
    MOST_BYTES = 1 << 16,  /* bytes of all arguments, at most */
    COPY_BYTES = 1 << 20,  /* bytes that are copied at once: whole blocks */
    TABLE_BYTES = 1 << 20, /* bytes of a table of pointers, at most */
    LEAST_ADDRESS = 1 << 16
};

enum { KIND_DEVICE, KIND_MANAGED, KIND_HOST, KIND_VARIABLE };

typedef struct {
    uint64_t address, size;
    int kind;
    const char *name;
} Piece;

typedef struct {
    const Driver *driver;
    Parts *parts;
    void *module, *stream;
    Piece pieces[MOST_PIECES];
    unsigned n;
    unsigned char buffer[COPY_BYTES];
    CubinParam params[CUBIN_MOST_PARAMS];
    int n_params;
    const unsigned char *values[CUBIN_MOST_PARAMS];
    const char *why;
} Taking;

static int fail(Taking *taking, const char *why)
{
    taking->why = why;
    return -1;
}

/* ---- arguments ----------------------------------------------------------------------------- */

/* Finds the arguments: each by its own address, or all of them as they lie in memory. */
static int find_values(Taking *taking, const Code *code, const TakenCall *call)
{
    const unsigned char *all = NULL;
    size_t size = 0;
    taking->n_params = ps_cubin_params(code->cubin, code->size, call->kernel, taking->params);
    if (taking->n_params < 0)
        return fail(taking, "its code does not tell its parameters");
    for (void **extra = call->launch.extra; extra && *extra; extra += 2) {
        if (*extra == DRIVER_BUFFER)
            all = extra[1];
        else if (*extra == DRIVER_BUFFER_SIZE && extra[1])
            memcpy(&size, extra[1], sizeof size);
    }
    for (int i = 0; i < taking->n_params; i++) {
        const CubinParam *param = taking->params + i;
        const int is_there = param->offset <= size && param->size <= size - param->offset;
        taking->values[i] = all                   ? is_there ? all + param->offset : NULL
                            : call->launch.values ? call->launch.values[i]
                                                  : NULL;
        if (!taking->values[i] || param->size > MOST_BYTES)
            return fail(taking, "it has too few arguments");
    }
    return 0;
}

static int put_arguments(Taking *taking)
{
    for (int i = 0; i < taking->n_params; i++)
        if (ps_parts_put(taking->parts, taking->values[i], taking->params[i].size,
                         "argument\t%" PRIu32, taking->params[i].size) != 0)
            return fail(taking, ps_parts_full(taking->parts));
    return 0;
}

/* ---- pieces of memory ---------------------------------------------------------------------- */

static int overlaps(const Taking *taking, uint64_t address, uint64_t size)
{
    for (unsigned i = 0; i < taking->n; i++) {
        const Piece *piece = taking->pieces + i;
        if (address < piece->address + piece->size && piece->address < address + size)
            return 1;
    }
    return 0;
}

static int kind_of(const Driver *driver, uint64_t address)
{
    uint32_t type = 0, managed = 0;
    if (driver->pointer_attribute(&managed, DRIVER_IS_MANAGED, address) == 0 && managed)
        return KIND_MANAGED;
    return driver->pointer_attribute(&type, DRIVER_MEMORY_TYPE, address) == 0 && type == DRIVER_HOST
               ? KIND_HOST
               : KIND_DEVICE;
}

/* Adds the piece that the pointer leads to, if there is one and it was not added yet. */
static int add_pointed(Taking *taking, uint64_t pointer)
{
    const Driver *driver = taking->driver;
    uint64_t address = 0;
    size_t size = 0;
    if (pointer < LEAST_ADDRESS || pointer >> 48 != 0 || overlaps(taking, pointer, 1) ||
        driver->pointer_attribute(&address, DRIVER_RANGE_START, pointer) != 0 ||
        driver->pointer_attribute(&size, DRIVER_RANGE_SIZE, pointer) != 0 || size == 0 ||
        pointer < address || pointer - address >= size || overlaps(taking, address, size))
        return 0;
    if (taking->n == MOST_PIECES)
        return fail(taking, "it leads to too many pieces of memory");
    taking->pieces[taking->n++] = (Piece){address, size, kind_of(driver, address), ""};
    return 0;
}

static int add_all_pointed(Taking *taking, const unsigned char *bytes, size_t size)
{
    uint64_t word;
    for (size_t at = 0; at + sizeof word <= size; at += sizeof word) {
        memcpy(&word, bytes + at, sizeof word);
        if (add_pointed(taking, word) != 0)
            return -1;
    }
    return 0;
}

static void add_variable(void *self, const char *name)
{
    Taking *taking = self;
    uint64_t address = 0;
    size_t size = 0;
    if (!taking->module || taking->driver->variable(&address, &size, taking->module, name) != 0)
        ps_parts_put(taking->parts, NULL, 0, "failed\tvariable\t%s", name);
    else if (size && taking->n < MOST_PIECES && !overlaps(taking, address, size))
        taking->pieces[taking->n++] = (Piece){address, size, KIND_VARIABLE, name};
}

/* ---- what they hold ------------------------------------------------------------------------ */

static int put_pages(Taking *taking, size_t size, uint32_t *pages)
{
    for (size_t at = 0; at < size; at += PS_RECORD_BLOCK) {
        const size_t bytes = size - at < PS_RECORD_BLOCK ? size - at : PS_RECORD_BLOCK;
        const uint32_t number = ps_parts_page(taking->parts, taking->buffer + at, bytes);
        if (!number)
            return fail(taking, ps_parts_full(taking->parts));
        *pages++ = number;
    }
    return 0;
}

/* Copies a piece part by part; pages gets a number for each block. */
static int copy(Taking *taking, const Piece *piece, uint32_t *pages)
{
    const Driver *driver = taking->driver;
    for (uint64_t at = 0; at < piece->size; at += COPY_BYTES) {
        const size_t size = piece->size - at < COPY_BYTES ? piece->size - at : COPY_BYTES;
        if (driver->copy((uintptr_t)taking->buffer, piece->address + at, size, taking->stream) !=
                0 ||
            driver->stream_wait(taking->stream) != 0)
            return fail(taking, "memory that its arguments lead to cannot be read");
        if (put_pages(taking, size, pages + at / PS_RECORD_BLOCK) != 0 ||
            (piece->size <= TABLE_BYTES && add_all_pointed(taking, taking->buffer, size) != 0))
            return -1;
    }
    return 0;
}

static int put_piece(Taking *taking, const Piece *piece)
{
    const size_t n = (piece->size + PS_RECORD_BLOCK - 1) / PS_RECORD_BLOCK;
    uint32_t *pages = calloc(n, sizeof *pages);
    if (!pages)
        return fail(taking, "there is no memory for it");
    int result = copy(taking, piece, pages);
    if (result == 0 && ps_parts_put(taking->parts, pages, n * sizeof *pages,
                                    "piece\t%" PRIu64 "\t%" PRIu64 "\t%d\t%zu\t%s", piece->address,
                                    piece->size, piece->kind, n * sizeof *pages, piece->name) != 0)
        result = fail(taking, ps_parts_full(taking->parts));
    free(pages);
    return result;
}

/* Writes the pieces, also those that are found on the way. */
static int put_pieces(Taking *taking)
{
    for (int i = 0; i < taking->n_params; i++)
        if (add_all_pointed(taking, taking->values[i], taking->params[i].size) != 0)
            return -1;
    for (unsigned i = 0; i < taking->n; i++)
        if (put_piece(taking, &taking->pieces[i]) != 0)
            return -1;
    return 0;
}

/* ---- the launch ---------------------------------------------------------------------------- */

/* The module of a function. A kernel that belongs to no context stands for a function of the
 * current one. */
static void *module_of(const Driver *driver, void *function)
{
    void *of_context = NULL, *module = NULL;
    if (driver->kernel_function(&of_context, function) == 0 && of_context)
        function = of_context;
    return driver->function_module(&module, function) == 0 ? module : NULL;
}

static int put_launch(Taking *taking, const Code *code, const TakenCall *call)
{
    const DriverLaunch *launch = &call->launch;
    const uint32_t *grid = launch->grid, *block = launch->block, *cluster = call->cluster;
    if (ps_parts_put(taking->parts, NULL, 0,
                     "taken\t%" PRIu32 "\t%" PRIu32 "\t%u\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32
                     "\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32
                     "\t%" PRIu32 "\t%" PRIu32 "\t%d\t%s",
                     call->call, call->nth, code->number, call->device, grid[0], grid[1], grid[2],
                     block[0], block[1], block[2], cluster[0], cluster[1], cluster[2],
                     launch->shared, call->cooperative, call->kernel) != 0)
        return fail(taking, ps_parts_full(taking->parts));
    return 0;
}

static int take(Taking *taking, const Code *code, const TakenCall *call)
{
    if (find_values(taking, code, call) != 0)
        return -1;
    if (taking->driver->wait() != 0 ||
        taking->driver->stream_create(&taking->stream, DRIVER_NON_BLOCKING) != 0)
        return fail(taking, "the driver reports an earlier error");
    taking->module = module_of(taking->driver, call->launch.function);
    ps_cubin_variables(code->cubin, code->size, add_variable, taking);
    int result = ps_parts_put(taking->parts, NULL, 0, "begin");
    if (result != 0)
        result = fail(taking, ps_parts_full(taking->parts));
    if (result == 0)
        result = put_arguments(taking);
    if (result == 0)
        result = put_pieces(taking);
    if (result == 0)
        result = put_launch(taking, code, call);
    taking->driver->stream_destroy(taking->stream);
    return result;
}

int ps_taking_take(const Driver *driver, Parts *parts, const Code *code, const TakenCall *call,
                   const char **why)
{
    Taking *taking = calloc(1, sizeof *taking);
    *why = "there is no memory for it";
    if (!taking)
        return -1;
    taking->driver = driver;
    taking->parts = parts;
    const int result = take(taking, code, call);
    *why = taking->why ? taking->why : "it could not be written";
    free(taking);
    return result;
}
