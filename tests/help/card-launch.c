/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/help/card-launch.h"

#include <unistd.h>

/* In f each thread adds 1 to a word of its own, `rounds` times, which is read through two pointers:
 * one is in a variable. In pick it reads the word that its own word says. In chain a group waits
 * for the word of the group before it, and sets the next one's; in turns all wait for one word,
 * to which each adds 1. In look a group sets the next one's word before it waits, and again after
 * that. In meet each group adds 1 to a word, and waits until all have. high is like chain, of words
 * of 8 bytes, of which a group waits for the second half. */
static const char code[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".global .align 8 .u64 at;\n.const .align 4 .u32 one = 1;\n"
    ".visible .entry f(.param .u64 out, .param .u32 rounds)\n{\n"
    ".reg .pred %p;\n.reg .b32 %r<6>;\n.reg .b64 %d<6>;\n"
    "ld.param.u64 %d0, [out];\nld.param.u32 %r0, [rounds];\nld.const.u32 %r5, [one];\n"
    "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmad.lo.u32 %r1, %r2, 32, %r1;\n"
    "mul.wide.u32 %d1, %r1, 4;\nadd.u64 %d0, %d0, %d1;\n"
    "NEXT:\nld.global.u32 %r3, [%d0];\nadd.u32 %r3, %r3, %r5;\nst.global.u32 [%d0], %r3;\n"
    "sub.u32 %r0, %r0, 1;\nsetp.ne.u32 %p, %r0, 0;\n@%p bra NEXT;\n"
    "st.global.u64 [at], %d0;\nret;\n}\n"
    ".visible .entry pick(.param .u64 from, .param .u64 which)\n{\n"
    ".reg .b32 %r<4>;\n.reg .b64 %d<4>;\nld.param.u64 %d0, [from];\n"
    "ld.param.u64 %d1, [which];\nmov.u32 %r0, %tid.x;\nmul.wide.u32 %d2, %r0, 4;\n"
    "add.u64 %d1, %d1, %d2;\nld.global.u32 %r1, [%d1];\nmul.wide.u32 %d2, %r1, 4;\n"
    "add.u64 %d2, %d0, %d2;\nld.global.u32 %r2, [%d2];\nst.global.u32 [%d1], %r2;\nret;\n}\n"
    ".visible .entry chain(.param .u64 out)\n{\n"
    ".reg .pred %p;\n.reg .b32 %r<4>;\n.reg .b64 %d<3>;\nld.param.u64 %d0, [out];\n"
    "mov.u32 %r0, %ctaid.x;\nmul.wide.u32 %d1, %r0, 4;\nadd.u64 %d0, %d0, %d1;\n"
    "WAIT:\nld.volatile.global.u32 %r1, [%d0];\nsetp.eq.u32 %p, %r1, 0;\n@%p bra WAIT;\n"
    "add.u32 %r1, %r1, 1;\nst.volatile.global.u32 [%d0+4], %r1;\nret;\n}\n"
    ".visible .entry turns(.param .u64 out)\n{\n"
    ".reg .pred %p;\n.reg .b32 %r<4>;\n.reg .b64 %d<3>;\nld.param.u64 %d0, [out];\n"
    "mov.u32 %r0, %tid.x;\nsetp.ne.u32 %p, %r0, 0;\n@%p bra END;\nmov.u32 %r0, %ctaid.x;\n"
    "WAIT:\nld.volatile.global.u32 %r1, [%d0];\nsetp.ne.u32 %p, %r1, %r0;\n@%p bra WAIT;\n"
    "add.u32 %r1, %r1, 1;\nst.volatile.global.u32 [%d0], %r1;\nEND:\nret;\n}\n"
    ".visible .entry look(.param .u64 out)\n{\n"
    ".reg .pred %p;\n.reg .b32 %r<4>;\n.reg .b64 %d<3>;\nld.param.u64 %d0, [out];\n"
    "mov.u32 %r0, %ctaid.x;\nmul.wide.u32 %d1, %r0, 4;\nadd.u64 %d0, %d0, %d1;\n"
    "mov.u32 %r2, 7;\nst.volatile.global.u32 [%d0+4], %r2;\n"
    "WAIT:\nld.volatile.global.u32 %r1, [%d0];\nsetp.eq.u32 %p, %r1, 0;\n@%p bra WAIT;\n"
    "add.u32 %r1, %r1, 1;\nst.volatile.global.u32 [%d0+4], %r1;\nret;\n}\n"
    ".visible .entry meet(.param .u64 out)\n{\n"
    ".reg .pred %p;\n.reg .b32 %r<4>;\n.reg .b64 %d<3>;\nld.param.u64 %d0, [out];\n"
    "mov.u32 %r0, %tid.x;\nsetp.ne.u32 %p, %r0, 0;\n@%p bra END;\nmov.u32 %r0, %nctaid.x;\n"
    "red.global.add.u32 [%d0], 1;\n"
    "WAIT:\nld.volatile.global.u32 %r1, [%d0];\nsetp.ne.u32 %p, %r1, %r0;\n@%p bra WAIT;\n"
    "END:\nret;\n}\n"
    ".visible .entry high(.param .u64 out)\n{\n"
    ".reg .pred %p;\n.reg .b32 %r<4>;\n.reg .b64 %d<3>;\nld.param.u64 %d0, [out];\n"
    "mov.u32 %r0, %ctaid.x;\nmul.wide.u32 %d1, %r0, 8;\nadd.u64 %d0, %d0, %d1;\n"
    "WAIT:\nld.volatile.global.u64 %d2, [%d0];\nsetp.eq.u64 %p, %d2, 0;\n@%p bra WAIT;\n"
    "mov.u32 %r1, 1;\nst.volatile.global.u32 [%d0+12], %r1;\nret;\n}\n";

void card_set_up(CardFixture *fixture, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    (void)data;
    fixture->gpu = ps_gpu_load("gpus/v100.xml", &error);
    g_assert_no_error(error);
    g_assert_cmpint(pipe(fixture->pipe), ==, 0);
    fixture->log = ps_card_log_new(fixture->pipe[1], FALSE);
    fixture->card = ps_card_new(fixture->gpu, 16 << 20, fixture->log);
    fixture->module = ps_card_module_new(fixture->card, code, &error);
    g_assert_no_error(error);
    fixture->function = ps_card_module_function(fixture->module, "f");
    fixture->out = ps_card_memory_add(ps_card_memory(fixture->card), CARD_GROUPS * CARD_THREADS * 4,
                                      PS_CARD_PLAIN, NULL, &error);
    g_assert_no_error(error);
}

void card_tear_down(CardFixture *fixture, gconstpointer data)
{
    (void)data;
    ps_card_free(fixture->card);
    ps_card_log_free(fixture->log);
    ps_gpu_free(fixture->gpu);
    close(fixture->pipe[0]);
}

gboolean card_launch(const CardFixture *fixture, guint groups, guint32 rounds, double *seconds,
                     GError **error)
{
    const guint8 *out = fixture->out->data;
    gconstpointer params[] = {&out, &rounds};
    const PsCardLaunch what = {.function = fixture->function,
                               .grid = {groups, 1, 1},
                               .block = {CARD_THREADS, 1, 1},
                               .params = params};
    return ps_card_launch(fixture->card, &what, seconds, error);
}

PsCardRead *card_read_log(const CardFixture *fixture)
{
    char text[8192] = "";
    close(fixture->pipe[1]);
    const gssize n = read(fixture->pipe[0], text, sizeof text - 1);
    g_assert_cmpint(n, >, 0);
    g_autoptr(GError) error = NULL;
    PsCardRead *log = ps_card_log_read(text, &error);
    g_assert_no_error(error);
    return log;
}
