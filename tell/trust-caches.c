/* SPDX-License-Identifier: BSD-3-Clause */
/* See trust-caches.h. */
#include "tell/trust-caches.h"

#include "answer/figures.h"
#include "answer/traffic.h"
#include "answer/words.h"
#include "idg/words.h"
#include "tell/format.h"

#include <math.h>
#include <string.h>

/* The least share of the time at which the sentence mentions data that caches may keep. */
#define KEPT_LEAST 0.1

/* "; 16 777 216 bytes may stay in caches while the kernel runs, so it may take up to 9.4 us less",
 * if device memory decides; otherwise nothing. */
static void append_kept(GString *out, const PsAnswer *answer)
{
    const PsLaunchRoofline *roofline = &answer->roofline;
    const double kept = roofline->params.W_traf - roofline->least_traffic;
    const double seconds = kept / roofline->peaks.value[PS_B_MEM];
    if (g_strcmp0(ps_answer_limit(answer), "device") != 0 ||
        !(seconds >= KEPT_LEAST * answer->seconds))
        return;
    g_autofree char *bytes = ps_format_number(kept), *time = ps_format_time(seconds);
    g_string_append_printf(out,
                           "; %s bytes may stay in caches while the kernel runs, so it may take up "
                           "to %s less",
                           bytes, time);
}

/* "; L1 has lost 1 212 416 000 bytes when their group asks for them again, as warps take turns
 * here: hardware's may find them, so it may take up to 563 us less", if L2 or its slices are
 * busiest; otherwise nothing. */
static void append_lost(GString *out, const PsAnswer *answer)
{
    const PsServerRow *l2 = ps_server_called(answer, "l2");
    const PsBusiest busiest = ps_answer_busiest_part(answer);
    const double lost = ps_traffic_lost(answer);
    if (!l2 || !busiest.name || !(lost > 0) ||
        (strcmp(busiest.name, l2->name) != 0 &&
         g_strcmp0(busiest.name, answer->machine->slices) != 0))
        return;
    const double share = busiest.load * fmin(1, lost / ps_server_bytes(answer, l2));
    if (!(share >= KEPT_LEAST))
        return;
    g_autofree char *bytes = ps_format_number(lost);
    g_autofree char *time = ps_format_time(share * answer->seconds);
    g_string_append_printf(
        out,
        "; L1 loses %s bytes before their group loads them again, since warps take "
        "turns here; the hardware's L1 may still have them, so it may take up to "
        "%s less",
        bytes, time);
}

/* "; how long caches keep the lines of global.load.s32, one for each lane, is not known:
 * it may take up to 68 ms", or nothing. */
static void append_unkept(GString *out, const PsAnswer *answer)
{
    const char *class_name = NULL;
    const double seconds = ps_answer_unkept(answer, &class_name);
    if (isnan(seconds))
        return;
    g_autofree char *words = ps_idg_class_words(answer->idg, class_name);
    g_autofree char *time = ps_format_time(seconds);
    g_string_append_printf(
        out,
        "; how long caches keep the lines of %s, one for each lane, is not known: "
        "it may take up to %s",
        words, time);
}

/* "; how many cycles L2 takes to add a floating-point number to the sum before it, at one address,
 * is not known (an integer: 1, a compute unit: 4): it may take up to 79 ms", or nothing. */
static void append_turns(GString *out, const PsAnswer *answer)
{
    const PsTurns turns = ps_answer_turns(answer);
    if (isnan(turns.seconds))
        return;
    g_autofree char *time = ps_format_time(turns.seconds);
    if (turns.why == PS_TURNS_FLOATS)
        g_string_append_printf(out,
                               "; how many cycles L2 takes to add a floating-point number to the "
                               "sum before it, at one address, is not known (an integer: %.3g, a "
                               "compute unit: %.3g): it may take up to %s",
                               turns.now, turns.most, time);
    else
        g_string_append_printf(out,
                               "; how long an operation at one address takes is not known: where "
                               "each goes to the last cache and back, it may take up to %s",
                               time);
}

/* Tells that a cached access limits the run where the description has no such row: that of another
 * access stands in, whose data come from device memory. */
static void append_uncached(GString *out, const PsAnswer *answer)
{
    if (answer->gpu->memory.levels || !ps_answer_limit(answer))
        return;
    const guint index = ps_answer_hint(answer).class_index;
    if (index == G_MAXUINT)
        return;
    const PsMachineClass *class = &answer->machine->classes[index];
    if (class->match == PS_MATCH_EXACT || !ps_traffic_may_be(class->asked) ||
        ps_traffic_is_of_class(answer, index))
        return;
    g_autofree char *name = ps_answer_class_words(answer, index);
    g_string_append_printf(
        out,
        "; the description has no caches, so %s takes as long as from device "
        "memory, though caches serve most of it: the time may be several times "
        "too long, and a description of that architecture with caches tells more",
        name);
}

void ps_trust_append_caches(GString *out, const PsAnswer *answer)
{
    append_kept(out, answer);
    append_lost(out, answer);
    append_unkept(out, answer);
    append_turns(out, answer);
    append_uncached(out, answer);
}
