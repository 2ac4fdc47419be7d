/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies by tensor maps, which are an argument of 128 bytes, against plain loops over the elements.
 */
#include "base/message.h"
#include "ptx/run/run.h"
#include "ptx/tensor-map.h"
#include <string.h>

#define SHARED 49152
#define TENSOR 200000

typedef struct {
    PsTensorMap map;
    gint32 at[PS_TENSOR_MAX_RANK];
    const char *kind;   /* "load", "store" or a reduction */
    const char *body;   /* in place of the usual one; or NULL */
    const gint32 *rows; /* four, each by itself (gather4, scatter4); or NULL */
    guint offset[3];    /* of im2col */
} Case;

typedef struct {
    guint8 tensor[TENSOR], box[SHARED];
    PsPtxPiece pieces[2000];
    guint n_pieces, bytes;
} Memory;

static void hear(gpointer data, const PsPtxEvent *event)
{
    Memory *memory = data;
    if (event->n_pieces == 0)
        return;
    g_assert_cmpuint(event->n_pieces, <=, G_N_ELEMENTS(memory->pieces));
    memcpy(memory->pieces, event->pieces, event->n_pieces * sizeof *event->pieces);
    memory->n_pieces = event->n_pieces;
    memory->bytes = event->bytes;
}

static char *coordinates(const Case *is)
{
    GString *text = g_string_new("{");
    for (guint i = 0; !is->rows && i < is->map.rank; i++)
        g_string_append_printf(text, "%s%d", i > 0 ? ", " : "", is->at[i]);
    if (is->rows)
        g_string_append_printf(text, "%d, %d, %d, %d, %d", is->at[0], is->rows[0], is->rows[1],
                               is->rows[2], is->rows[3]);
    g_string_append(text, "}");
    return g_string_free(text, FALSE);
}

/* ", {1, 2}": how far from its pixels im2col reads. */
static char *offsets(const Case *is)
{
    GString *text = g_string_new(is->map.im2col ? ", {" : "");
    for (guint i = 0; is->map.im2col && i + 2 < is->map.rank; i++)
        g_string_append_printf(text, "%s%u", i > 0 ? ", " : "", is->offset[i]);
    g_string_append(text, is->map.im2col ? "}" : "");
    return g_string_free(text, FALSE);
}

/* The kernel brings the box from memory to shared memory or back, and the copy does the rest. */
static char *kernel(const Case *is, guint bytes)
{
    static const char *const head =
        ".version 8.6\n.target sm_90a\n.address_size 64\n"
        ".visible .entry k(.param .align 64 .b8 map[128], .param .u64 box)\n{\n"
        ".reg .pred %p<3>; .reg .b32 %r<10>; .reg .b64 %rd<10>;\n"
        ".shared .align 1024 .b8 s[" G_STRINGIFY(
            SHARED) "]; .shared .align 8 .b64 full;\n"
                    "ld.param.u64 %rd1, [box]; mov.b64 %rd2, map; cvta.param.u64 %rd3, %rd2;\n"
                    "mov.u32 %r1, %tid.x; mov.u32 %r2, s; mov.u32 %r3, full; setp.eq.u32 %p1, %r1, "
                    "0;\n"
                    "@%p1 mbarrier.init.shared.b64 [%r3], 1; bar.sync 0;\n";
    g_autofree char *where = coordinates(is), *from = offsets(is);
    if (is->body)
        return g_strdup_printf("%s%s\nret;\n}\n", head, is->body);
    if (strcmp(is->kind, "load") == 0)
        return g_strdup_printf(
            "%s@!%%p1 bra WAIT; mbarrier.arrive.expect_tx.shared.b64 _, [%%r3], %u;\n"
            "cp.async.bulk.tensor.%ud.shared::cluster.global.%s%s.mbarrier::complete_tx::bytes "
            "[%%r2], [%%rd3, %s], [%%r3]%s;\n"
            "WAIT: mbarrier.try_wait.parity.shared.b64 %%p2, [%%r3], 0; @!%%p2 bra WAIT;\n"
            "shl.b32 %%r4, %%r1, 4;\n"
            "OUT: setp.lt.u32 %%p2, %%r4, %u; @!%%p2 bra DONE; add.u32 %%r5, %%r2, %%r4; "
            "ld.shared.v4.u32 {%%r6, %%r7, %%r8, %%r9}, [%%r5];\n"
            "cvt.u64.u32 %%rd4, %%r4; add.u64 %%rd4, %%rd1, %%rd4;\n"
            "st.global.v4.u32 [%%rd4], {%%r6, %%r7, %%r8, %%r9}; add.u32 %%r4, %%r4, 512;\n"
            "bra OUT; DONE: ret;\n}\n",
            head, bytes, is->map.rank, is->map.im2col ? "im2col" : "tile",
            is->rows ? "::gather4" : "", where, from, bytes);
    const gboolean store = strcmp(is->kind, "store") == 0;
    return g_strdup_printf(
        "%sshl.b32 %%r4, %%r1, 4;\n"
        "IN: add.u32 %%r5, %%r2, %%r4; cvt.u64.u32 %%rd4, %%r4; add.u64 %%rd4, %%rd1, %%rd4;\n"
        "ld.global.v4.u32 {%%r6, %%r7, %%r8, %%r9}, [%%rd4];\n"
        "st.shared.v4.u32 [%%r5], {%%r6, %%r7, %%r8, %%r9}; add.u32 %%r4, %%r4, 512;\n"
        "setp.lt.u32 %%p2, %%r4, %u; @%%p2 bra IN;\n"
        "fence.proxy.async.shared::cta; bar.sync 0;\n"
        "@%%p1 cp.%sasync.bulk.tensor.%ud.global.shared::cta%s%s.%s%s.bulk_group [%%rd3, %s], "
        "[%%r2];\n"
        "@%%p1 cp.async.bulk.commit_group; @%%p1 cp.async.bulk.wait_group 0;\nret;\n}\n",
        head, bytes, store ? "" : "reduce.", is->map.rank, store ? "" : ".", store ? "" : is->kind,
        is->map.im2col ? "im2col_no_offs" : "tile", is->rows ? "::scatter4" : "", where);
}

static guint count_of(const Case *is, guint i)
{
    const PsTensorMap *map = &is->map;
    if (is->rows && i == 1)
        return 4;
    if (map->im2col)
        return i == 0 ? map->box[0] : i == 1 ? map->pixels : 1;
    return i < map->rank ? (map->box[i] + map->step[i] - 1) / map->step[i] : 1;
}

static guint bytes_of(const Case *is)
{
    guint bytes = ps_tensor_element_bytes(is->map.element);
    for (guint i = 0; i < is->map.rank; i++)
        bytes *= count_of(is, i);
    return bytes;
}

static gboolean run(const Case *is, Memory *memory, GError **error)
{
    guint8 map[PS_TENSOR_MAP_BYTES];
    g_autofree char *text = kernel(is, bytes_of(is));
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, strlen(text), "x.ptx", error);
    const PsPtxField field = {.name = "tensor", .data = memory->tensor, .size = TENSOR};
    const PsPtxArgument arguments[2] = {
        {.name = "map", .bytes = map, .size = sizeof map, .n_fields = 1, .fields = &field},
        {.name = "box", .data = memory->box, .size = SHARED}};
    PsPtxLaunch launch = {
        .grid = {1, 1, 1}, .block = {32, 1, 1}, .n_arguments = 2, .arguments = arguments};
    const PsPtxListener listener = {.data = memory, .executed = hear};
    const guint group[3] = {0};
    g_assert_no_error(*error);
    ps_tensor_map_encode(&is->map, map);
    launch.kernel = ps_ptx_kernel(module, "k", error);
    g_autoptr(PsPtxMachine) machine = ps_ptx_machine_new(module, &launch, error);
    g_assert_no_error(*error);
    const gboolean good = ps_ptx_run_group(machine, group, &listener, error);
    for (guint i = 0; good && i < ps_ptx_machine_warnings(machine)->len; i++)
        g_assert_cmpstr(ps_ptx_machine_warnings(machine)->pdata[i], ==, NULL);
    return good;
}

/* ---- in other words ------------------------------------------------------------------------- */

/* The byte of the box where element number n lies: rows of eight pieces of 16 bytes change places.
 */
static guint swizzled(guint byte, guint swizzle)
{
    const guint row = byte / 128 % 8, piece = byte / 16 % 8;
    const guint turn = swizzle == 128 ? row : swizzle == 64 ? row % 4 : swizzle == 32 ? row % 2 : 0;
    return byte - piece * 16 + (piece ^ turn) * 16;
}

/* Where the pixel of that number lies in dimension d: all pixels of all images are numbered, and
 * the first one has a number, too. */
static gint64 pixel_at(const Case *is, guint number, guint d)
{
    const PsTensorMap *map = &is->map;
    gint64 many[PS_TENSOR_MAX_RANK] = {0}, all = number, before = 1;
    for (guint i = 1; i + 1 < map->rank; i++) {
        many[i] = ((gint64)map->size[i] + map->upper[i] - map->lower[i] + map->step[i] - 1) /
                  map->step[i];
        all += (is->at[i] - map->lower[i]) / (gint)map->step[i] * before;
        before *= many[i];
    }
    for (guint i = 1; i < d; i++)
        all /= many[i];
    if (d + 1 == map->rank)
        return is->at[d] + all;
    const guint offset = strcmp(is->kind, "load") == 0 ? is->offset[d - 1] : 0;
    return map->lower[d] + all % many[d] * map->step[d] + offset;
}

typedef void (*Visit)(Memory *memory, const Case *is, guint box, gboolean inside, gsize tensor);

/* Calls it for all elements of the box. */
static void each(Memory *memory, const Case *is, Visit visit)
{
    const PsTensorMap *map = &is->map;
    const guint bytes = ps_tensor_element_bytes(map->element);
    const guint n = bytes_of(is) / bytes;
    for (guint i = 0; i < n; i++) {
        guint rest = i;
        gint64 at = 0;
        gboolean inside = TRUE;
        for (guint d = 0; d < map->rank; d++) {
            const guint number = rest % count_of(is, d);
            const gint64 x = map->im2col && d > 0 ? pixel_at(is, i / map->box[0], d)
                             : is->rows && d == 1 ? is->rows[number]
                                                  : is->at[d] + (gint64)number * map->step[d];
            rest /= count_of(is, d);
            inside = inside && x >= 0 && x < (gint64)map->size[d];
            at += x * (gint64)(d == 0 ? bytes : map->stride[d]);
        }
        visit(memory, is, swizzled(i * bytes, map->swizzle), inside, inside ? (gsize)at : 0);
    }
}

static void check_load(Memory *memory, const Case *is, guint box, gboolean inside, gsize tensor)
{
    guint8 outside[8] = {0};
    const guint bytes = ps_tensor_element_bytes(is->map.element);
    if (is->map.nan && is->map.element == PS_TENSOR_F16)
        memcpy(outside, "\xff\x7f", 2);
    g_assert_cmpmem(memory->box + box, bytes, inside ? memory->tensor + tensor : outside, bytes);
}

static void do_store(Memory *memory, const Case *is, guint box, gboolean inside, gsize tensor)
{
    if (inside)
        memcpy(memory->tensor + tensor, memory->box + box,
               ps_tensor_element_bytes(is->map.element));
}

static void do_add(Memory *memory, const Case *is, guint box, gboolean inside, gsize tensor)
{
    guint32 a, b;
    memcpy(&a, memory->tensor + tensor, 4);
    memcpy(&b, memory->box + box, 4);
    a = strcmp(is->kind, "add") == 0 ? a + b : MAX(a, b);
    if (inside)
        memcpy(memory->tensor + tensor, &a, 4);
}

static void fill(Memory *memory)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(7);
    for (gsize i = 0; i < TENSOR; i++)
        memory->tensor[i] = (guint8)g_rand_int(rand);
    for (gsize i = 0; i < SHARED; i++)
        memory->box[i] = (guint8)g_rand_int(rand);
}

static void check_pieces(const Memory *memory)
{
    guint bytes = 0;
    for (guint i = 0; i < memory->n_pieces; i++)
        bytes += memory->pieces[i].bytes;
    g_assert_cmpuint(bytes, ==, memory->bytes);
}

static void try(const Case *is)
{
    g_autofree Memory *memory = g_new0(Memory, 1), *wanted = g_new0(Memory, 1);
    g_autoptr(GError) error = NULL;
    fill(memory);
    fill(wanted);
    run(is, memory, &error);
    g_assert_no_error(error);
    check_pieces(memory);
    if (strcmp(is->kind, "load") == 0) {
        each(memory, is, check_load);
    } else {
        each(wanted, is, strcmp(is->kind, "store") == 0 ? do_store : do_add);
    }
    g_assert_cmpmem(memory->tensor, TENSOR, wanted->tensor, TENSOR);
}

/* ---- tests ---------------------------------------------------------------------------------- */

static const PsTensorMap halves = {.rank = 2,
                                   .element = PS_TENSOR_F16,
                                   .swizzle = 128,
                                   .size = {200, 100},
                                   .stride = {2, 416},
                                   .box = {64, 32},
                                   .step = {1, 1}};
static const PsTensorMap words = {.rank = 5,
                                  .element = PS_TENSOR_U32,
                                  .size = {40, 9, 5, 4, 3},
                                  .stride = {4, 160, 1440, 7200, 28800},
                                  .box = {8, 4, 3, 2, 2},
                                  .step = {1, 1, 1, 1, 1}};

static void test_swizzles(void)
{
    for (guint w = 0; w < 4; w++) {
        PsTensorMap map = halves;
        map.swizzle = w == 0 ? 0 : 16U << w;
        map.box[0] = w == 0 ? 40 : map.swizzle / 2;
        try(&(Case){.map = map, .at = {8, 3}, .kind = "load"});
        try(&(Case){.map = map, .at = {8, 3}, .kind = "store"});
    }
}

static void test_outside(void)
{
    PsTensorMap map = halves;
    static const gint32 places[][2] = {{-5, 3}, {180, 90}, {-64, 0}, {200, 0}, {0, -40}, {7, -2}};
    for (guint nan = 0; nan < 2; nan++)
        for (guint i = 0; i < G_N_ELEMENTS(places); i++) {
            map.nan = nan != 0;
            try(&(Case){.map = map, .at = {places[i][0], places[i][1]}, .kind = "load"});
            try(&(Case){.map = map, .at = {places[i][0], places[i][1]}, .kind = "store"});
        }
}

static void test_ranks(void)
{
    for (guint rank = 1; rank <= 5; rank++) {
        PsTensorMap map = words;
        map.rank = rank;
        try(&(Case){.map = map, .at = {3, 6, 1, 3, 0}, .kind = "load"});
        try(&(Case){.map = map, .at = {3, 6, 1, 3, 0}, .kind = "add"});
        try(&(Case){.map = map, .at = {-3, 1, 1, 1, 2}, .kind = "max"});
        try(&(Case){.map = map, .at = {-3, 1, 1, 1, 2}, .kind = "store"});
    }
}

static void test_steps(void)
{
    PsTensorMap map = words;
    map.rank = 2;
    map.box[0] = 15;
    map.box[1] = 7;
    map.step[0] = 2;
    map.step[1] = 3;
    try(&(Case){.map = map, .at = {-1, 1}, .kind = "load"});
    try(&(Case){.map = map, .at = {30, 1}, .kind = "store"});
}

static void fails(const Case *is, const char *message)
{
    g_autofree Memory *memory = g_new0(Memory, 1);
    g_autoptr(GError) error = NULL;
    g_assert_false(run(is, memory, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
    if (!strstr(error->message, message))
        g_assert_cmpstr(error->message, ==, message);
}

/* Rows that lie anywhere, one of them twice, and one outside. */
static void test_rows(void)
{
    static const gint32 rows[] = {17, 3, 99, 3}, outside[] = {5, 100, -1, 0};
    for (guint w = 0; w < 4; w++) {
        PsTensorMap map = halves;
        map.swizzle = w == 0 ? 0 : 16U << w;
        map.box[0] = w == 0 ? 40 : map.swizzle / 2;
        map.box[1] = 1;
        try(&(Case){.map = map, .at = {8}, .kind = "load", .rows = rows});
        try(&(Case){.map = map, .at = {180}, .kind = "load", .rows = outside});
        try(&(Case){.map = map, .at = {-4}, .kind = "store", .rows = outside});
    }
    PsTensorMap map = halves;
    fails(&(Case){.map = map, .kind = "load", .rows = rows},
          "its box has more than one row, and the instruction takes four by themselves");
}

/* Elements of 4 bits are copied as bytes; a place counts elements, and is that of a byte. */
static void test_nibbles(void)
{
    PsTensorMap map = halves;
    map.element = PS_TENSOR_U8;
    map.stride[0] = 1;
    map.box[0] = 128;
    try(&(Case){.map = map, .at = {8, 3}, .kind = "load"});
    g_autofree Memory *bytes = g_new0(Memory, 1), *nibbles = g_new0(Memory, 1);
    g_autoptr(GError) error = NULL;
    fill(bytes);
    fill(nibbles);
    run(&(Case){.map = map, .at = {8, 3}, .kind = "load"}, bytes, &error);
    g_assert_no_error(error);
    map.nibbles = TRUE;
    run(&(Case){.map = map, .at = {16, 3}, .kind = "load"}, nibbles, &error);
    g_assert_no_error(error);
    g_assert_cmpmem(nibbles->box, SHARED, bytes->box, SHARED);
    fails(&(Case){.map = map, .at = {15, 3}, .kind = "load"},
          "it begins in the middle of a byte of elements of 4 bits");
}

#define LOAD_3D "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "

/* Convolutions of 3 x 3 with a border of 1, and others; from the middle of an image on to the next.
 */
static void test_im2col(void)
{
    PsTensorMap map = {.rank = 4,
                       .element = PS_TENSOR_F16,
                       .swizzle = 32,
                       .size = {32, 9, 7, 3},
                       .stride = {2, 64, 576, 4032},
                       .box = {16, 1, 1, 1},
                       .step = {1, 1, 1, 1},
                       .im2col = TRUE,
                       .pixels = 100,
                       .lower = {0, -1, -1},
                       .upper = {0, -1, -1}};
    for (guint i = 0; i < 9; i++)
        try(&(Case){.map = map, .at = {8, -1, -1, 0}, .kind = "load", .offset = {i % 3, i / 3}});
    try(&(Case){.map = map, .at = {16, 4, 5, 1}, .kind = "load", .offset = {2, 1}});
    try(&(Case){.map = map, .at = {16, 4, 5, 2}, .kind = "store"});
    map.step[1] = map.step[2] = 2;
    map.swizzle = 0;
    try(&(Case){.map = map, .at = {0, 3, 1, 0}, .kind = "load", .offset = {1, 2}});
    fails(&(Case){.map = map, .at = {0, 8, 1, 0}, .kind = "load"},
          "it begins at 8 in dimension 1, where the map's pixels are -1 to 7");
    map.pixels = 1025;
    fails(&(Case){.map = map, .at = {0, 0, 0, 0}, .kind = "load"}, "it copies 1025 pixels");
    map.pixels = 8;
    map.lower[1] = -129;
    fails(&(Case){.map = map, .at = {0, 0, 0, 0}, .kind = "load"},
          "its corners are -129 and -1 in dimension 1");
    PsTensorMap line = halves, deep = words;
    line.rank = 3;
    line.size[2] = 4;
    line.stride[2] = 41600;
    line.box[1] = line.box[2] = line.step[2] = 1;
    line.im2col = TRUE;
    line.pixels = 40;
    line.upper[1] = 5;
    try(&(Case){.map = line, .at = {8, 90, 1}, .kind = "load", .offset = {3}});
    deep.im2col = TRUE;
    deep.pixels = 200;
    deep.lower[1] = deep.lower[3] = -2;
    try(&(Case){.map = deep, .at = {8, 3, 1, -1, 0}, .kind = "load", .offset = {1, 0, 3}});
    try(&(Case){.map = deep, .at = {8, 3, 1, -1, 0}, .kind = "add"});
    fails(&(Case){.map = line, .body = "@%p1 " LOAD_3D "[%r2], [%rd3, {0, 0, 0}], [%r3];"},
          "the map is for im2col, and the instruction is not");
    line.im2col = FALSE;
    fails(&(Case){.map = line,
                  .body = "@%p1 cp.async.bulk.tensor.3d.shared::cluster.global.im2col."
                          "mbarrier::complete_tx::bytes [%r2], [%rd3, {0, 0, 0}], [%r3], {0};"},
          "the map is none that pipesim made for that");
}

#define LOAD_2D "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "

#define REPLACE "tensormap.replace.tile."

static void test_errors(void)
{
    PsTensorMap map = halves;
    map.swizzle = 64;
    fails(&(Case){.map = map, .kind = "load"},
          "thread (0,0,0) of group (0,0,0) copies by a tensor map, but its box has rows of 128 "
          "bytes, more than the 64 of its swizzle");
    map = halves;
    map.rank = 3;
    map.box[2] = map.step[2] = map.size[2] = 1;
    map.stride[2] = 16;
    fails(&(Case){.map = map, .body = "@%p1 " LOAD_2D "[%r2], [%rd3, {0, 0}], [%r3];"},
          "the map has 3 dimensions, the instruction 2");
    fails(&(Case){.map = halves, .body = "@%p1 " LOAD_2D "[%r2+64], [%rd3, {0, 0}], [%r3];"},
          "the box in shared memory is at no multiple of 128 bytes");
    fails(&(Case){.map = halves, .body = "@%p1 " LOAD_2D "[%r2+46080], [%rd3, {0, 0}], [%r3];"},
          "of .shared memory");
    fails(&(Case){.map = halves, .body = "@%p1 " LOAD_2D "[%r2], [%rd1, {0, 0}], [%r3];"},
          "copies by a tensor map, but its map is 128 bytes of zeros");
    map = halves;
    map.size[1] = 1000;
    fails(&(Case){.map = map, .kind = "load", .at = {0, 460}}, "of .global memory");
    map = words; /* 256 to the power of 5 elements: more than 32 bits count */
    for (guint i = 0; i < 5; i++)
        map.box[i] = 256;
    fails(&(Case){.map = map,
                  .body = "@%p1 cp.async.bulk.tensor.5d.shared::cluster.global.tile."
                          "mbarrier::complete_tx::bytes [%r2], [%rd3, {0, 0, 0, 0, 0}], [%r3];"},
          "its box has more bytes (4398046511104) than the group has shared memory");
    map = halves;
    map.interleave = 1;
    fails(&(Case){.map = map, .kind = "load"}, "the map is interleaved, which is not executed");
    fails(&(Case){.map = halves, .kind = "inc"}, "its elements cannot be reduced so");
    fails(&(Case){.map = halves, .body = "@%p1 " REPLACE "rank.shared::cta.b1024.b32 [%r2+64], 1;"},
          "thread (0,0,0) of group (0,0,0) changes a tensor map at no multiple of 128 bytes");
    fails(&(Case){.map = halves, .body = "@%p1 " REPLACE "rank.shared::cta.b1024.b32 [%r2], 5;"},
          "makes rank of a tensor map 5; it may be 0 to 4");
    fails(&(Case){.map = halves,
                  .body = "@%p1 " REPLACE "rank.shared::cta.b1024.b32 [%r2+49152], 1;"},
          "of .shared memory");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ptx-run-tensor/swizzles", test_swizzles);
    g_test_add_func("/ptx-run-tensor/outside", test_outside);
    g_test_add_func("/ptx-run-tensor/ranks", test_ranks);
    g_test_add_func("/ptx-run-tensor/steps", test_steps);
    g_test_add_func("/ptx-run-tensor/errors", test_errors);
    g_test_add_func("/ptx-run-tensor/rows", test_rows);
    g_test_add_func("/ptx-run-tensor/nibbles", test_nibbles);
    g_test_add_func("/ptx-run-tensor/im2col", test_im2col);
    return g_test_run();
}
