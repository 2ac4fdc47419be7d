/* SPDX-License-Identifier: BSD-3-Clause */
/* The heap of a device, which kernels of several launches share. */
#include "card/card.h"

#include <string.h>

/* In take a thread puts the address of a piece of 1000 bytes with a number in it; in look it puts
 * what is there, a piece's address, in its place; in drop it frees that. */
static const char code[] =
    ".version 7.0\n.target sm_60\n.address_size 64\n"
    ".extern .func (.param .b64 r) malloc(.param .b64 n);\n.extern .func free(.param .b64 p);\n"
    ".visible .entry take(.param .u64 out, .param .u32 what)\n{\n.reg .b64 %d<3>; .reg .b32 %r;\n"
    ".reg .pred %p; ld.param.u64 %d0, [out]; ld.param.u32 %r, [what];\n"
    "{ .param .b64 a; .param .b64 b; st.param.b64 [a], 1000;\ncall.uni (b), malloc, (a);\n"
    "ld.param.b64 %d1, [b]; } st.global.u64 [%d0], %d1;\n"
    "setp.eq.u64 %p, %d1, 0; @%p ret; st.u32 [%d1], %r; ret;\n}\n"
    ".visible .entry look(.param .u64 out, .param .u32 at)\n{\n.reg .b64 %d<3>; .reg .b32 %r;\n"
    "ld.param.u64 %d0, [out]; ld.global.u64 %d1, [%d0]; ld.param.u32 %r, [at];\n"
    "cvt.u64.u32 %d2, %r; add.u64 %d1, %d1, %d2; ld.u32 %r, [%d1];\n"
    "st.global.u32 [%d0], %r; ret;\n}\n"
    ".visible .entry drop(.param .u64 out, .param .u32 what)\n{\n.reg .b64 %d<3>;\n"
    "ld.param.u64 %d0, [out]; ld.global.u64 %d1, [%d0];\n"
    "{ .param .b64 a; st.param.b64 [a], %d1; call.uni free, (a); } ret;\n}\n";

typedef struct {
    PsGpu *gpu;
    PsCard *card;
    PsCardModule *module;
    const PsCardPiece *out;
} Fixture;

static void set_up(Fixture *fixture, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    (void)data;
    fixture->gpu = ps_gpu_load("gpus/pascal.xml", &error);
    g_assert_no_error(error);
    fixture->card = ps_card_new(fixture->gpu, 16 << 20, NULL);
    fixture->module = ps_card_module_new(fixture->card, code, &error);
    g_assert_no_error(error);
    fixture->out = ps_card_memory_add(ps_card_memory(fixture->card), 8, PS_CARD_PLAIN, NULL, NULL);
}

static void tear_down(Fixture *fixture, gconstpointer data)
{
    (void)data;
    ps_card_free(fixture->card);
    ps_gpu_free(fixture->gpu);
}

/* Returns what is in `out` then, which held `before`; 1: the launch failed, with *error. */
static guint64 launch(const Fixture *fixture, const char *kernel, guint64 before, guint32 what,
                      GError **error)
{
    gconstpointer params[] = {&fixture->out->address, &what};
    const PsCardLaunch launch = {.function = ps_card_module_function(fixture->module, kernel),
                                 .grid = {1, 1, 1},
                                 .block = {1, 1, 1},
                                 .params = params};
    guint64 after;
    double seconds;
    memcpy(fixture->out->data, &before, sizeof before);
    ps_card_copied(fixture->card, fixture->out->data, NULL, sizeof before);
    if (!ps_card_launch(fixture->card, &launch, &seconds, error))
        return 1;
    g_assert_cmpfloat(seconds, >, 0);
    memcpy(&after, fixture->out->data, sizeof after);
    return after;
}

/* Launches that are the same but for what the heap holds get pieces of their own. */
static void test_kept(Fixture *fixture, gconstpointer data)
{
    guint64 pieces[5];
    (void)data;
    for (guint i = 0; i < G_N_ELEMENTS(pieces); i++) {
        pieces[i] = launch(fixture, "take", 0, 5, NULL);
        g_assert_cmpuint(pieces[i], >, i ? pieces[i - 1] : 1);
    }
    for (guint i = 0; i < G_N_ELEMENTS(pieces); i++)
        g_assert_cmpuint(launch(fixture, "look", pieces[i], 0, NULL) & G_MAXUINT32, ==, 5);
}

/* It is told in a kernel that allocates nothing, too. */
static void test_wrong(Fixture *fixture, gconstpointer data)
{
    g_autoptr(GError) outside = NULL;
    g_autoptr(GError) freed = NULL;
    g_autoptr(GError) twice = NULL;
    (void)data;
    const guint64 piece = launch(fixture, "take", 0, 5, NULL);
    g_assert_cmpuint(launch(fixture, "look", piece, 1000, &outside), ==, 1);
    g_assert_error(outside, PS_CARD_FAULT, PS_PTX_FAULT_ADDRESS);
    g_assert_nonnull(
        strstr(outside->message, "in the heap, right behind the end of what malloc gave (1000 by"));
    g_assert_cmpuint(launch(fixture, "drop", piece, 0, NULL), ==, piece);
    g_assert_cmpuint(launch(fixture, "look", piece, 0, &freed), ==, 1);
    g_assert_nonnull(strstr(freed->message, "in the heap"));
    g_assert_cmpuint(launch(fixture, "drop", piece, 0, &twice), ==, 1);
    g_assert_nonnull(strstr(twice->message, "thread (0,0,0) of group (0,0,0) frees 0x"));
}

/* The size can be set until a kernel is launched that may use the heap. */
static void test_size(Fixture *fixture, gconstpointer data)
{
    (void)data;
    g_assert_cmpuint(ps_card_heap(fixture->card), ==, 8 << 20);
    g_assert_false(ps_card_set_heap(fixture->card, 0));
    g_assert_false(ps_card_set_heap(fixture->card, G_MAXUINT64));
    g_assert_true(ps_card_set_heap(fixture->card, 2000));
    g_assert_cmpuint(ps_card_heap(fixture->card), ==, 2000);
    g_assert_cmpuint(launch(fixture, "take", 7, 5, NULL), >, 1);
    g_assert_cmpuint(launch(fixture, "take", 7, 5, NULL), ==, 0);
    g_assert_false(ps_card_set_heap(fixture->card, 4000));
}

static void test_no_room(Fixture *fixture, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    (void)data;
    g_assert_true(ps_card_set_heap(fixture->card, 16 << 20));
    g_assert_cmpuint(launch(fixture, "take", 0, 5, &error), ==, 1);
    g_assert_error(error, PS_ERROR, PS_ERROR_LIMIT);
    g_assert_nonnull(strstr(error->message, "for which there must be a heap: there is no room"));
}

#define ADD(name, test) g_test_add("/card-heap/" name, Fixture, NULL, set_up, test, tear_down)

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    ADD("kept", test_kept);
    ADD("wrong", test_wrong);
    ADD("size", test_size);
    ADD("no-room", test_no_room);
    return g_test_run();
}
