/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The executor: random programs of mbarriers, of one group or of a cluster, against what they must
 * come to. In each phase of an mbarrier its participants write words and arrive, some expect bytes
 * that others bring, and those who wait add up the words. In some programs an arrival is missing:
 * these must end with an error that names the mbarrier.
 */
#include "base/message.h"
#include "tests/help/ptx-launch.h"
#include "tests/help/seeds.h"
#include <string.h>

#define MOST_GROUPS 4
#define MOST_WARPS 4
#define MOST_ALL (MOST_GROUPS * MOST_WARPS)
#define MOST_BARRIERS 3

typedef struct {
    guint home; /* rank of the group that has it */
    guint32 participants;
    guint arrivals[MOST_ALL]; /* of each of them in a phase */
    guint phases;             /* that are over */
} Barrier;

typedef struct {
    GRand *rand;
    guint groups, warps, n_barriers;
    Barrier barriers[MOST_BARRIERS];
    GString *text[MOST_ALL]; /* by rank and warp */
    guint32 sum[MOST_ALL];
    gboolean broken; /* an arrival is missing */
} Program;

static gboolean one_of(const Program *program, guint n)
{
    return g_rand_int_range(program->rand, 0, (gint32)n) == 0;
}

static guint rank_of(const Program *program, guint who)
{
    return who / program->warps;
}

/* Makes %r20 the address of a word or an mbarrier in the group that has it. */
static void at(const Program *program, guint who, const Barrier *barrier, const char *name,
               guint offset)
{
    g_string_append_printf(program->text[who], "mov.u32 %%r20, %s; add.u32 %%r20, %%r20, %u;", name,
                           offset);
    if (program->groups > 1)
        g_string_append_printf(program->text[who], "mapa.shared::cluster.u32 %%r20, %%r20, %u;",
                               barrier->home);
}

static Barrier make_barrier(const Program *program)
{
    const guint all = program->groups * program->warps;
    Barrier barrier = {.home = (guint)g_rand_int_range(program->rand, 0, (gint32)program->groups)};
    for (guint i = 0; i < all; i++) {
        barrier.participants |= (guint32)one_of(program, 2) << i;
        barrier.arrivals[i] = (guint)g_rand_int_range(program->rand, 1, 4);
    }
    if (barrier.participants == 0)
        barrier.participants = 1;
    return barrier;
}

static guint count_of(const Barrier *barrier)
{
    guint count = 0;
    for (guint i = 0; i < MOST_ALL; i++)
        count += (barrier->participants >> i & 1) != 0 ? barrier->arrivals[i] : 0;
    return count;
}

/* Where a participant's word lies: of two phases in turn, since who has waited may write the next
 * while others still read. */
static guint place_of(const Barrier *barrier, guint number, guint who)
{
    return 4 * ((barrier->phases % 2 * MOST_BARRIERS + number) * MOST_ALL + who);
}

/* A participant writes its word and arrives; perhaps it expects bytes, which *owed gets. */
static void arrive(Program *program, guint number, guint who, guint32 word, guint *owed)
{
    const Barrier *barrier = &program->barriers[number];
    GString *text = program->text[who];
    const guint bytes = one_of(program, 3) ? 16 * (guint)g_rand_int_range(program->rand, 1, 9) : 0;
    at(program, who, barrier, "words", place_of(barrier, number, who));
    g_string_append_printf(text, "@%%p1 st.shared::cluster.u32 [%%r20], %u;", word);
    at(program, who, barrier, "bars", 8 * number);
    if (bytes > 0)
        g_string_append_printf(
            text, "@%%p1 mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64 [%%r20], %u;",
            bytes);
    g_string_append_printf(
        text, "@%%p1 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%%r20], %u;\n",
        barrier->arrivals[who]);
    *owed += bytes;
}

static void pay(const Program *program, guint number, guint who, guint bytes)
{
    at(program, who, &program->barriers[number], "bars", 8 * number);
    g_string_append_printf(
        program->text[who],
        "@%%p1 mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%%r20], %u;\n", bytes);
}

/* A warp that waits adds up the words of all participants. */
static void wait_for(Program *program, guint number, guint who, guint32 sum)
{
    const Barrier *barrier = &program->barriers[number];
    GString *text = program->text[who];
    g_string_append_printf(text,
                           "mov.u32 %%r20, bars; L%u_%u_%u: mbarrier.try_wait.parity.shared.b64 "
                           "%%p2, [%%r20+%u], %u; @!%%p2 bra L%u_%u_%u; mov.u32 %%r21, 0;",
                           number, who, barrier->phases, 8 * number, barrier->phases % 2, number,
                           who, barrier->phases);
    for (guint i = 0; i < MOST_ALL; i++)
        if ((barrier->participants >> i & 1) != 0)
            g_string_append_printf(text,
                                   "mov.u32 %%r20, words; ld.shared.u32 %%r22, [%%r20+%u]; "
                                   "add.u32 %%r21, %%r21, %%r22;",
                                   place_of(barrier, number, i));
    g_string_append(text, "mad.lo.u32 %r10, %r10, 3, %r21;\n");
    program->sum[who] = program->sum[who] * 3 + sum;
}

/* Warps of the group that has the mbarrier wait: participants always, so that no phase begins
 * before; in clusters, which meet after each phase, others may. */
static gboolean waits(const Program *program, const Barrier *barrier, guint who)
{
    if (rank_of(program, who) != barrier->home)
        return FALSE;
    return (barrier->participants >> who & 1) != 0 ||
           (program->groups > 1 && (who % program->warps == 0 || one_of(program, 2)));
}

/* The warp that brings the bytes must not run ahead: a participant, or anybody where all meet. */
static guint payer_of(const Program *program, const Barrier *barrier)
{
    const guint all = program->groups * program->warps;
    guint who;
    do
        who = (guint)g_rand_int_range(program->rand, 0, (gint32)all);
    while (program->groups == 1 && (barrier->participants >> who & 1) == 0);
    return who;
}

static void add_phase(Program *program, gboolean breaks)
{
    const guint number = (guint)g_rand_int_range(program->rand, 0, (gint32)program->n_barriers);
    const guint all = program->groups * program->warps;
    Barrier *barrier = &program->barriers[number];
    guint32 sum = 0;
    guint owed = 0;
    const guint payer = payer_of(program, barrier);
    const gsize before = program->text[payer]->len;
    for (guint who = 0; who < all; who++) {
        const guint32 word = g_rand_int(program->rand) % 1000;
        if ((barrier->participants >> who & 1) == 0)
            continue;
        if (breaks && !program->broken)
            program->broken = TRUE;
        else
            arrive(program, number, who, word, &owed);
        sum += word;
    }
    if (owed > 0 && one_of(program, 2)) { /* the bytes come before or after the own arrival */
        GString *text = program->text[payer];
        g_autofree char *own = g_strdup(text->str + before);
        g_string_truncate(text, before);
        pay(program, number, payer, owed);
        g_string_append(text, own);
    } else if (owed > 0) {
        pay(program, number, payer, owed);
    }
    for (guint who = 0; who < all; who++) {
        if (waits(program, barrier, who))
            wait_for(program, number, who, sum);
        if (program->groups > 1)
            g_string_append(program->text[who], "barrier.cluster.arrive; barrier.cluster.wait;\n");
    }
    barrier->phases++;
}

static char *body_of(const Program *program)
{
    GString *text = g_string_new(".shared .align 8 .b64 bars[4]; .shared .b32 words[96];\n"
                                 "mov.u32 %r10, 0; mov.u32 %r11, %laneid; setp.eq.u32 %p1, %r11, 0;"
                                 "mov.u32 %r12, %cluster_ctarank; shr.u32 %r13, %r1, 5;"
                                 "setp.ne.u32 %p3, %r1, 0; @%p3 bra READY; mov.u32 %r20, bars;\n");
    const guint all = program->groups * program->warps;
    for (guint i = 0; i < program->n_barriers; i++)
        g_string_append_printf(text, "mbarrier.init.shared.b64 [%%r20+%u], %u;", 8 * i,
                               count_of(&program->barriers[i]));
    g_string_append_printf(text,
                           "READY: barrier.cluster.arrive; barrier.cluster.wait;\n"
                           "mad.lo.u32 %%r14, %%r12, %u, %%r13;\n",
                           program->warps);
    for (guint i = 0; i < all; i++)
        g_string_append_printf(text, "setp.eq.u32 %%p4, %%r14, %u; @%%p4 bra W%u;\n", i, i);
    for (guint i = 0; i < all; i++)
        g_string_append_printf(text, "W%u: %s bra DONE;\n", i, program->text[i]->str);
    g_string_append_printf(text,
                           "DONE: barrier.cluster.arrive; barrier.cluster.wait;"
                           "mov.u32 %%r15, %%ctaid.x; mul.lo.u32 %%r15, %%r15, %u;"
                           "mul.wide.u32 %%rd5, %%r15, 4; add.u64 %%rd5, %%rd2, %%rd5;"
                           "st.global.u32 [%%rd5], %%r10; ret;",
                           program->warps * 32);
    return g_string_free(text, FALSE);
}

/* TRUE if it came to what it must. */
static gboolean check(const Program *program, guint32 seed)
{
    const guint all = program->groups * program->warps;
    g_autofree char *body = body_of(program);
    g_autofree char *directives = g_strdup_printf(" .reqnctapercluster %u", program->groups);
    g_autoptr(GError) error = NULL;
    const PtxLaunch launch = {.directives = directives,
                              .grid = {program->groups, 1, 1},
                              .block = {program->warps * 32, 1, 1},
                              .words = all * 32,
                              .body = body};
    g_autofree guint32 *out = ptx_launch(&launch, &error);
    if (program->broken) {
        const gboolean told = error && strstr(error->message, "its threads wait for each other") &&
                              strstr(error->message, "for the mbarrier bars+");
        if (!told)
            g_test_message("seed %u: %s", seed, error ? error->message : "no error");
        return told;
    }
    if (error)
        g_test_message("seed %u: %s", seed, error->message);
    for (guint i = 0; out && i < all * 32; i++)
        if (out[i] != program->sum[i / 32]) {
            g_test_message("seed %u: thread %u has %u, not %u", seed, i, out[i],
                           program->sum[i / 32]);
            return FALSE;
        }
    return out != NULL;
}

static gboolean run_seed(guint32 seed, gpointer data)
{
    Program program = {.rand = g_rand_new_with_seed(seed)};
    (void)data;
    program.groups = 1U << g_rand_int_range(program.rand, 0, 3);
    program.warps = (guint)g_rand_int_range(program.rand, 1, MOST_WARPS + 1);
    program.n_barriers = (guint)g_rand_int_range(program.rand, 1, MOST_BARRIERS + 1);
    for (guint i = 0; i < MOST_ALL; i++)
        program.text[i] = g_string_new(NULL);
    for (guint i = 0; i < program.n_barriers; i++)
        program.barriers[i] = make_barrier(&program);
    const guint phases = (guint)g_rand_int_range(program.rand, 1, 9);
    const gboolean breaks = one_of(&program, 4);
    for (guint i = 0; i < phases; i++)
        add_phase(&program, breaks && i + 1 == phases);
    const gboolean good = check(&program, seed);
    for (guint i = 0; i < MOST_ALL; i++)
        g_string_free(program.text[i], TRUE);
    g_rand_free(program.rand);
    return good;
}

static void test_random(void)
{
    seeds_check((SeedCounts){400, 10}, run_seed, NULL);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ptx-run-mbarriers/random", test_random);
    return g_test_run();
}
