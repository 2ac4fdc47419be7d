/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The log of what a program did with its device, line by line while it runs, so that a program that
 * dies leaves all up to then. One process writes a log, another one reads it.
 */
#ifndef PIPESIM_CARD_LOG_H
#define PIPESIM_CARD_LOG_H

#include "base/message.h"
#include "idg/load.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* How the time of a launch was found. */
typedef enum {
    PS_CARD_SIMULATED,    /* it was simulated */
    PS_CARD_ALIKE,        /* a launch that did the same was */
    PS_CARD_INTERPOLATED, /* between launches that did more and less */
    PS_CARD_UNKNOWN       /* it is not known */
} PsCardHow;

typedef enum { PS_CARD_TO_DEVICE, PS_CARD_TO_HOST, PS_CARD_WITHIN, PS_CARD_SET } PsCardWay;

typedef struct {
    const char *kernel;
    guint grid[3], block[3], stream;
    guint64 shared;
    double begin;   /* seconds on the program's axis of time */
    double seconds; /* NaN: not known */
    PsCardHow how;
    const char *limit;       /* what limits it, one word; NULL: not known */
    const char *limit_words; /* what people call that */
    const char *code;     /* what was simulated: "sm_80", or "compute_80" for PTX; NULL: nothing */
    guint64 instructions; /* of threads */
    guint64 graph;        /* the number of what was simulated; 0: no graph was kept */
    const char *stand_in; /* the library for whose kernel it stands in; NULL: it is the program's */
    double bound;         /* seconds: where it stands in, ps_card_bound; or NaN */
} PsCardLaunched;

typedef struct {
    PsCardWay way;
    guint stream;
    guint64 bytes;
    double begin, seconds; /* as of a launch */
} PsCardCopied;

typedef struct PsCardLog PsCardLog;

/* Writes to that descriptor, which stays the caller's. graphs: what is simulated is wanted, too. */
PsCardLog *ps_card_log_new(int file, gboolean graphs);

/* Keeps what it is told, and its text so far (borrowed); graphs as above. */
PsCardLog *ps_card_log_keep(gboolean graphs);
const char *ps_card_log_text(const PsCardLog *log);
void ps_card_log_free(PsCardLog *log);

/* NULL is fine for the log. */
void ps_card_log_start(PsCardLog *log);
void ps_card_log_launch(PsCardLog *log, const PsCardLaunched *launch);
void ps_card_log_copy(PsCardLog *log, const PsCardCopied *copy);
/* Keeps a graph, if graphs are wanted. Returns its number, which no other graph of this process
 * has; 0: it was not kept. */
guint64 ps_card_log_graph(PsCardLog *log, const PsIdg *idg);
/* A message for a person, about the program or a kernel. */
void ps_card_log_note(PsCardLog *log, const char *text);
void ps_card_log_note_kernel(PsCardLog *log, const char *kernel, const char *text);

/* The name that people know: "f<32>" for "_Z1fILi32EEvPf" (g_free). */
char *ps_card_kernel_name(const char *kernel);

/* The content of a log's text. */
typedef struct {
    gboolean started;   /* some process called the driver */
    GArray *launches;   /* PsCardLaunched; texts are the log's */
    GArray *copies;     /* PsCardCopied */
    GPtrArray *notes;   /* char *, each once */
    GHashTable *graphs; /* the number (guint64 *) -> the text of an .idg */
    GStringChunk *texts;
} PsCardRead;

/* NULL and *error (PS_ERROR_SYNTAX) for a line that no log has; the last one may be cut. */
PsCardRead *ps_card_log_read(const char *text, GError **error);
void ps_card_read_free(PsCardRead *read);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsCardLog, ps_card_log_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsCardRead, ps_card_read_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
