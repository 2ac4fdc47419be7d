/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A device for tests that plays the part of a driver's. Its memory is the
 * host's, its "kernels" run at once: each warp writes when it began and ended and on which of four
 * compute units, which take the groups in turn; a link of a chain takes 8 cycles, and the clock is
 * 1000 MHz. What it shall do wrong is said with stand_in_fail and stand_in_set, or to a program
 * that knows nothing of it by the environment: PIPESIM_STAND_IN="no-code=1 driver=12040".
 *
 * It is included by one file per driver, which gives the functions their names.
 */
#ifndef PIPESIM_TESTS_STAND_IN_DEVICE_H
#define PIPESIM_TESTS_STAND_IN_DEVICE_H

#include <glib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
enum { CUS = 4, WARP = 32, CYCLES_PER_TRIP = 8, START_CYCLES = 100, LAUNCH_CYCLES = 5000 };

/* What the test wants, and what happened. One thread, one device at a time. */
static struct {
    char call[64]; /* that fails */
    int at, code;  /* when it is called for the at-th time (from 1), with that error */
    int still, uneven, one_by_one, wrap, no_code, no_time, devices; /* what is wrong */
    int ends;    /* the process when its devices are asked for: 1 aborts, 2 exits */
    int live;    /* objects that were made and not given back */
    int written; /* calls that wrote memory */
    int launches;
    int attribute[2]; /* of the last function: 8 and 9 */
    double seconds;   /* of the last launch */
    char arch[64];    /* the compiler's option */
    char image[8];    /* the start of what was loaded last */
    int driver;       /* CUDA's version of the driver; 0: 13000 */
    int cycles;       /* of a trip; 0: those of a link */
    int no_l2;        /* the driver does not tell of it */
} state = {.devices = 1};

EXPORT void stand_in_reset(void);
EXPORT void stand_in_fail(const char *call, int at, int code);
EXPORT void stand_in_set(const char *what, int value);
EXPORT int stand_in_get(const char *what);
EXPORT const char *stand_in_arch(void);
EXPORT const char *stand_in_image(void);

void stand_in_reset(void)
{
    memset(&state, 0, sizeof state);
    state.devices = 1;
}

void stand_in_fail(const char *call, int at, int code)
{
    g_strlcpy(state.call, call, sizeof state.call);
    state.at = at;
    state.code = code;
}

static int *variable(const char *what)
{
    const struct {
        const char *name;
        int *value;
    } all[] = {
        {"still", &state.still},
        {"uneven", &state.uneven},
        {"one-by-one", &state.one_by_one},
        {"wrap", &state.wrap},
        {"no-code", &state.no_code},
        {"no-time", &state.no_time},
        {"devices", &state.devices},
        {"ends", &state.ends},
        {"live", &state.live},
        {"written", &state.written},
        {"launches", &state.launches},
        {"driver", &state.driver},
        {"cycles", &state.cycles},
        {"no-l2", &state.no_l2},
        {"max-dynamic", &state.attribute[0]},
        {"carveout", &state.attribute[1]},
    };
    for (guint i = 0; i < G_N_ELEMENTS(all); i++)
        if (strcmp(all[i].name, what) == 0)
            return all[i].value;
    g_error("the stand-in has no %s", what);
}

void stand_in_set(const char *what, int value)
{
    *variable(what) = value;
}

int stand_in_get(const char *what)
{
    return *variable(what);
}

__attribute__((constructor)) static void take_environment(void)
{
    const char *wanted = g_getenv("PIPESIM_STAND_IN");
    g_auto(GStrv) words = g_strsplit(wanted ? wanted : "", " ", 0);
    for (guint i = 0; words[i]; i++) {
        g_auto(GStrv) pair = g_strsplit(words[i], "=", 2);
        stand_in_set(pair[0], (int)g_ascii_strtoll(pair[1], NULL, 10));
    }
}

const char *stand_in_arch(void)
{
    return state.arch;
}

const char *stand_in_image(void)
{
    return state.image;
}

/* The error that this call shall return. */
static int enter(const char *call)
{
    if (state.at > 0 && strcmp(state.call, call) == 0 && --state.at == 0)
        return state.code;
    return 0;
}

#define ENTER()                                                                                    \
    do {                                                                                           \
        int code_ = enter(__func__);                                                               \
        if (code_ != 0)                                                                            \
            return code_;                                                                          \
    } while (0)

/* The caller has asked for the size before. */
static void put_text(char *to, const char *text)
{
    memcpy(to, text, strlen(text) + 1);
}

/* ---- objects ------------------------------------------------------------------------------- */

static void *make(gsize bytes)
{
    state.live++;
    return g_malloc0(bytes);
}

static void give_back(void *object)
{
    state.live--;
    g_free(object);
}

/* ---- the kernel ---------------------------------------------------------------------------- */

/* The kernel's parameters, as a launch hands them over. */
typedef struct {
    guint32 *memory, elements, step, length;
    guint64 *times;
    guint32 *cus, *sink;
} Parameters;

static Parameters take(void **parameters)
{
    return (Parameters){*(guint32 **)parameters[0], *(guint32 *)parameters[1],
                        *(guint32 *)parameters[2],  *(guint32 *)parameters[3],
                        *(guint64 **)parameters[4], *(guint32 **)parameters[5],
                        *(guint32 **)parameters[6]};
}

/* Follows a ring from element 0: words hold the lower half of an address. */
static guint32 chase(const Parameters *p)
{
    guint32 at = 0;
    for (guint32 i = 0; i < p->length && at < p->elements; i++)
        at = (p->memory[at] - (guint32)(gsize)p->memory) / (guint32)sizeof *p->memory;
    return at;
}

static int run_kernel(unsigned groups, unsigned group_size, void **parameters)
{
    Parameters p = take(parameters);
    unsigned warps = (group_size + WARP - 1) / WARP;
    guint64 took =
        START_CYCLES + (guint64)(state.cycles ? state.cycles : CYCLES_PER_TRIP) * p.length;
    for (unsigned g = 0; g < groups; g++)
        for (unsigned w = 0; w < warps; w++) {
            guint32 cu = state.uneven ? 0 : g % CUS;
            guint64 origin = (state.wrap ? G_MAXUINT64 - took / 2 : 1000) + 1000000 * (guint64)cu;
            guint64 start = origin + g / CUS + (state.one_by_one ? g / CUS * (took + 10) : 0);
            gsize at = (gsize)g * warps + w;
            p.times[2 * at] = start;
            p.times[2 * at + 1] = state.still ? start : start + took;
            p.cus[at] = 7 * cu;
        }
    p.sink[0] = chase(&p);
    state.launches++;
    state.seconds = state.no_time ? 0 : (double)(LAUNCH_CYCLES + took) / 1e9;
    return 0;
}

#endif
