/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the command line asks for: values of its options, checked.
 */
#ifndef PIPESIM_CLI_OPTIONS_H
#define PIPESIM_CLI_OPTIONS_H

#include "cli/build/options.h"
#include "cli/command-line.h"
#include "cli/run/window.h"
#include "cli/system/progress.h"
#include "pipesim-private.h"

typedef enum {
    FORMAT_TEXT,
    FORMAT_JSON,
    FORMAT_CSV,
    FORMAT_MARKDOWN,
    FORMAT_GNUPLOT,
    FORMAT_NOTES,
    FORMAT_SARIF,
    FORMAT_JUNIT,
    FORMAT_GITHUB
} Format;

/* Text and Markdown: pages, with rounded figures. */
#define format_is_for_people(format) ((format) == FORMAT_TEXT || (format) == FORMAT_MARKDOWN)

/* What only the verb roofline takes. */
typedef struct {
    gboolean apart;      /* launches of a kernel are kept apart */
    gboolean trajectory; /* kernels are versions of one */
    PsDrawKind kind;     /* of chart */
    char *discounted;    /* a kernel's name or number; borrowed, as the next */
    char *kernel;        /* a pattern of names */
    char *peaks;         /* a file of measured ones; borrowed, NULL: none */
    guint top;           /* number of the longest kernels shown; 0: all, in files' order */
} RooflineOptions;

/* What the verbs that measure take, bench and validate. */
typedef struct {
    /* Texts are borrowed. */
    const char *backend; /* "cuda", "hip", "opencl"; NULL: the first that is there, or a model's */
    const char *model; /* the GPU's description whose latencies a model has; NULL: a real device */
    guint device;
    char *cubins; /* a folder: kernels compiled beforehand; NULL: the driver's compiler */
    char **
        precompile; /* architectures to compile for, and nothing else; NULL: a device is measured */
    char **code;    /* architectures whose machine code is looked at, and nothing else; or NULL */
    const char *compiler; /* an architecture whose assembler is asked; NULL: a device is measured */
    PsBenchGrid grid;
    gboolean grid_given; /* else a processor gets the reduced one */
    char *classes;       /* a pattern of names */
    char *raw;           /* where measurements are kept; NULL: beside the description */
    char *from;          /* measurements that are there; NULL: a device is measured */
    gboolean resume, force;
    double noise;
    guint32 seed;
} BenchOptions;

/* What the user asked for. Numbers that were not given are 0, texts and lists NULL unless said
 * otherwise. Values that need no more than the table's checks, and no name of their own here, are
 * asked of `given`: options->given[OPTION_DOT].on. */
typedef struct Options Options;

struct Options {
    Progress *progress; /* of the whole program; borrowed */
    Value *given;       /* by OptionId; never NULL; texts and lists below are borrowed from it */
    const char *source; /* of which the program that is run was compiled for that; NULL: it was
                           there; borrowed */
    char *input;        /* owned: the passing file that has standard input; NULL: there is none */
    char **files; /* graphs, profiles, or what to show; at least one unless help is asked for, or
                     the verb is bench or list */
    char **gpus;
    PsLaunchOptions launch;
    PsScope *params;    /* never NULL */
    GPtrArray *what_if; /* PsWhatIf, in order */
    char *what_if_text; /* owned: the same as given */
    PsAskedClock clock; /* options_clock computes the clock */
    PsClamp clamp;
    double measured; /* seconds */
    PsRefinementOptions refinements;
    gboolean no_fast_forward;
    gint64 deadline;                       /* by --budget, as of PsQuestion */
    double precision;                      /* as of PsQuestion */
    gboolean explain, sensitivity, advise; /* of run */
    char *report;                          /* of run: the page to share */
    Format format;
    char *output;
    GPtrArray *vary; /* PsSweepAxis, never NULL */
    char *chart;
    guint jobs; /* never 0 */
    char *resume;
    guint shard, shards; /* shards is 0 where all points are one machine's */
    gboolean merge;      /* files are CSVs then */
    char *signature;     /* owned; options that decide the results, without files and GPUs */
    RooflineOptions roofline;
    BenchOptions bench;
    PsCodeOptions code; /* for files that are a kernel's code */
    PsWindow timeline_window, trace_window;
    GPtrArray *launches; /* of run: Options of each launch; NULL: a single launch's */
    char *where;         /* owned; of a launch: where it stands, for messages; NULL: nowhere */
    Options *versus;     /* of compare: B's; each of the two has one file and one GPU */
    char **apart; /* owned; of compare: options that the other side has not: "--block 128" each */
};

/* Reads the command line; argv lacks the verb, and still starts with the program's name. NULL and
 * *error for wrong usage. If help is asked for, only `given` is filled in. */
Options *options_parse(Verb verb, char **argv, GError **error);
void options_free(Options *options);

/* Sets the receiver of progress. */
void options_set_progress(Options *options, Progress *progress);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Options, options_free)

/* The clock that the options ask for on that GPU, in MHz. FALSE and *error where it is the boost
 * clock, which the description does not state. */
gboolean options_clock(const Options *options, const PsGpu *gpu, PsRational *clock, GError **error);

/* TRUE if the GPU has what the options need: a clock, and figures for refinements. */
gboolean options_fit(const Options *options, const PsGpu *gpu, GError **error);

/* TRUE if a compiler would make the same PTX of both files, each for one GPU. */
gboolean options_have_one_ptx(const Options *a, const Options *b);

#endif
