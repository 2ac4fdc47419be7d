/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A kernel's launch: groups, threads, and a value for each parameter.
 */
#ifndef PIPESIM_PTX_RUN_LAUNCH_H
#define PIPESIM_PTX_RUN_LAUNCH_H

#include "ptx/ptx.h"
#include "ptx/run/texture.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef struct PsPtxCompiled PsPtxCompiled; /* compiled.h */

/* Memory that is made in blocks of this many bytes, each when it is first touched. */
#define PS_PTX_BLOCK 16384

/* The state of a block, as bits. */
enum { PS_PTX_BLOCK_MADE = 1, PS_PTX_BLOCK_WRITTEN = 2, PS_PTX_BLOCK_EARLIER = 4 };

/* Memory of the device whose blocks are filled when they are first touched. */
typedef struct {
    gsize n;
    gboolean whole; /* all are made from the beginning, and stay so */
    guint8
        *made; /* of each block of PS_PTX_BLOCK bytes: MADE, and WRITTEN once a kernel wrote it; or
                  EARLIER in place of WRITTEN while ps_ptx_machine_try keeps what blocks hold */
    /* Fills the block and sets its `made`. Sets *error where that fails; the block counts as made
     * nevertheless. */
    void (*make)(gpointer data, gsize block, GError **error);
    /* Called before a kernel writes a block that none has written; NULL: nobody wants to know. */
    void (*write)(gpointer data, gsize block);
    /* Gives back the memory of a block that nobody wrote, which is then no longer made; FALSE: it
     * cannot. NULL: no block can. */
    gboolean (*drop)(gpointer data, gsize block);
    gpointer data;
} PsPtxBlocks;

/* A buffer whose address is a field of a struct that is passed by value, or stands in a buffer. */
typedef struct {
    const char *name; /* for messages */
    guint64 offset;   /* in the struct or the buffer */
    guint8 *data;     /* size bytes, read and written; the caller's */
    gsize size;
    PsPtxBlocks *blocks; /* NULL: all bytes are there from the beginning */
} PsPtxField;

/* The value of one parameter: if data is not NULL, the address of that buffer; else `bits`, as many
 * bytes as the parameter has, or for a struct by value of more than 8 bytes, `bytes`. */
typedef struct {
    const char *name; /* for messages: what the user called it */
    guint64 bits;
    const guint8 *bytes; /* size bytes of a struct, else NULL */
    guint8 *data;        /* a buffer of size bytes, read and written; the caller's */
    gsize size;
    PsPtxBlocks *blocks; /* of the buffer; NULL: all bytes are there from the beginning */
    guint n_fields;      /* addresses that replace parts of a struct's bytes or bits, or of the
                            buffer, which is then there from the beginning */
    const PsPtxField *fields;
    gboolean address; /* the bits lead to memory that is placed */
} PsPtxArgument;

/* Memory of the device at an address that somebody has chosen: a buffer, or a variable of the
 * module. */
typedef struct {
    const char *name;     /* for messages; of a variable its own */
    gboolean is_variable; /* in global or constant memory, and all of it; the data replace its first
                             bytes, and constant memory gets a copy */
    gboolean
        is_heap; /* a heap, from which malloc of kernels takes; it has ps_ptx_heap_bytes() in all */
    guint64 address; /* of constant memory: 0 */
    guint8 *data;    /* size bytes; the caller's */
    gsize size;
    PsPtxBlocks *blocks; /* NULL: all bytes are there from the beginning */
} PsPtxPlaced;

/* The bytes that malloc of kernels has on a device whose program asks for no other size, and in a
 * launch that has no heap. */
#define PS_PTX_HEAP ((guint64)8 << 20)

/* Bytes of a heap that has room for a piece of `size` bytes. A heap of zeros is empty. */
guint64 ps_ptx_heap_bytes(guint64 size);

/* Whether kernels of the module may call malloc or free. */
gboolean ps_ptx_module_allocates(const PsPtxModule *module);

/* Brings other groups' writes, for groups that are executed one by one. If no warp of a group can
 * go on, the points that read in loops join `points`, and the memory that they read is brought. The
 * group's work meanwhile differs from that on a device, so the launch begins again, and these
 * points then bring memory before they read it. */
typedef struct {
    GArray *points;                                                 /* guint, of the code */
    gboolean (*bring)(gpointer data, guint64 address, guint bytes); /* TRUE: it was not there */
    gpointer data;
} PsPtxOthers;

/* What is launched: a kernel with its arguments, on a grid. */
typedef struct {
    const PsPtxFunction *kernel;
    guint grid[3], block[3]; /* groups, and threads per group, in x, y, z */
    guint cluster[3];        /* groups of a cluster in x, y, z; 0: what the kernel says */
    guint64 dynamic_shared;  /* bytes */
    guint n_arguments;       /* one per parameter of the kernel */
    const PsPtxArgument *arguments;
    guint n_placed;
    const PsPtxPlaced *placed; /* by address, none over another, and above 2^35; borrowed */
    guint64 workspace; /* of a cooperative launch, whose groups all run together: the address of the
                          memory by which they meet; 0: it is none */
    const PsPtxTexture *const *textures; /* what handle i + 1 refers to, or NULL; borrowed */
    guint n_textures;
    guint64 most_instructions; /* warp instructions per group; 0: 10^9 */
    guint64 most_memory;       /* bytes of buffers' blocks that are kept at once; 0: 256 MiB */
    const char *memory_name; /* for messages: what the user calls most_memory, or NULL; borrowed */
    const char
        *most_name; /* for messages: what the user calls most_instructions, or NULL; borrowed */
    const char
        *shared_name; /* for messages: what the user calls dynamic_shared, or NULL; borrowed */
    gboolean partial; /* instructions that the executor does not know are skipped; else the first
                         one ends the run */
    const char *partial_name; /* for messages: what the user calls partial, or NULL; borrowed */
    gboolean clocks;          /* loops may end by a clock, which counts instructions here; else one
                                 that does ends the run */
    gboolean watches_some; /* values that nobody wrote are followed in the first groups and in some
                              of the others (watch.h); else in all */
    gboolean way_only;     /* results do not matter: products of tensor cores are not computed where
                              they decide neither ways nor addresses (products.h) */
    gboolean assembled;    /* atomic operations that are loops in machine code are executed as
                              these (ptx/code/swaps.h) */
    gboolean all_issue;    /* as of ps_ptx_products_decide */
    const PsPtxOthers *others; /* NULL: waiting for other groups ends the run; borrowed */
    PsPtxCompiled *compiled;   /* of the kernel; NULL: it is executed step by step; borrowed */
    GString *printed;          /* gets what threads print; NULL: they print nothing; borrowed */
} PsPtxLaunch;

/* The kind of mistake of a thread; devices have numbers for them. */
typedef enum {
    PS_PTX_FAULT_OTHER,
    PS_PTX_FAULT_ADDRESS, /* no memory lies there, and it is not shared memory */
    PS_PTX_FAULT_MISALIGNED,
    PS_PTX_FAULT_ASSERTION,
    PS_PTX_FAULT_ENDLESS, /* it comes to no end, or to none within most_instructions */
    PS_PTX_FAULT_UNKNOWN  /* the executor does not know an instruction */
} PsPtxFault;

#pragma GCC visibility pop
G_END_DECLS
#endif
