/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The interface between the parts that make a kernel's code: code.c expands calls, layout.c places
 * variables, flow.c finds blocks, loops and the points where lanes meet again, point.c tells what a
 * point is.
 */
#ifndef PIPESIM_PTX_CODE_EXPAND_H
#define PIPESIM_PTX_CODE_EXPAND_H

#include "ptx/code/code.h"

G_BEGIN_DECLS

#define PS_PTX_MAX_POINTS (1U << 22)
#define PS_PTX_MAX_INLINES (1U << 18)
#define PS_PTX_MAX_SLOTS (1U << 24)          /* registers of all copies */
#define PS_PTX_MAX_MEMORY ((guint64)1 << 32) /* bytes of a thread, and of a group */

/* Whether a thread goes on behind an instruction, leaves the copy at the call's end, or ends. */
typedef enum { PS_PTX_STAYS, PS_PTX_LEAVES, PS_PTX_ENDS } PsPtxLeave;

/* layout.c: gives the copy's own .local and .param variables a place, and the parameters that the
 * call at this point binds. call is NULL for the kernel. FALSE and *error: too much memory. */
gboolean ps_ptx_layout_inline(PsPtxCode *code, PsPtxInline *in, const PsPtxPoint *call,
                              GError **error);

/* layout.c: gives places to the shared variables that the function's instructions name. seen: a set
 * of PsPtxVariable; at: their places, guint64. */
gboolean ps_ptx_layout_shared(PsPtxCode *code, const PsPtxFunction *function, GHashTable *seen,
                              GArray *at, GError **error);
/* layout.c: called after all functions; places the dynamic memory behind the variables. Takes `at`.
 */
void ps_ptx_layout_dynamic(PsPtxCode *code, GArray *at);

/* Offset in the thread's own memory of a variable that the copy can name; FALSE: it does not lie
 * there. */
gboolean ps_ptx_layout_find(const PsPtxInline *in, const PsPtxVariable *variable, gsize *offset);

/* A thread's own memory, where it is addressed as .param, comes after all kernel parameters. */
#define PS_PTX_OWN_PARAM ((guint64)1 << 31)

/* Address of a variable in its own space, as a copy of a function names it (in; NULL: the module
 * does). addresses: PsPtxVariable of the module -> its address. FALSE: it has none. */
gboolean ps_ptx_variable_address(const PsPtxCode *code, GHashTable *addresses,
                                 const PsPtxInline *in, const PsPtxVariable *variable,
                                 guint64 *address);
/* A number that stands for the address of a function, which code can only compare. */
guint64 ps_ptx_function_address(const PsPtxFunction *function);

/* Which operands of a call are its arguments (in), its results (out) and its function (callee); -1:
 * none. */
typedef struct {
    int out, callee, in;
} PsPtxCall;
PsPtxCall ps_ptx_call_parts(const PsPtxInstruction *instruction);

/* The effect of a call of a device's built-in function here, as a sentence without an end; "" if
 * the call warns by itself. NULL: it is no such function. */
const char *ps_ptx_call_known(const char *name);

/* Whether the function is malloc or free. */
#define PS_PTX_MALLOC "malloc"
#define PS_PTX_FREE "free"
gboolean ps_ptx_call_allocates(const char *name);

/* Sets the condition of a graph's node: the handle is the address of a word, and the value is
 * stored there. */
#define PS_PTX_SET_CONDITION "cudaGraphSetConditional"

/* What a message says of a kernel that launches kernels; TRUE for a function that does so. */
#define PS_PTX_LAUNCHES                                                                            \
    "it launches kernels itself (dynamic parallelism), which pipesim does not do"
gboolean ps_ptx_call_launches(const char *name);

/* The copy of the function that a call enters; NULL: none. */
const PsPtxInline *ps_ptx_code_callee(const PsPtxCode *code, guint call);

/* ret, exit and trap end a way; in a callee ret goes back. */
PsPtxLeave ps_ptx_leaves(const PsPtxPoint *point);

/* "FILE:LINE" of the source (", in FILE:LINE" of another file that was inlined there) or of the
 * PTX, or the place in machine code, as ps_ptx_code_where. Free with g_free. */
char *ps_ptx_where(const PsPtxModule *module, const PsPtxInstruction *instruction);

/* flow.c: fills in leaders, meets and loops. */
void ps_ptx_flow(PsPtxCode *code);

/* dominate.c: a graph of n nodes in which node i's followers are to[at[i]] to to[at[i + 1] - 1]. */
typedef struct {
    guint n;
    guint *at;
    guint *to;
} PsPtxGraph;

typedef struct {
    guint from, to;
} PsPtxEdge;

PsPtxGraph ps_ptx_graph(guint n, const PsPtxEdge *edges, guint n_edges, gboolean reversed);
void ps_ptx_graph_clear(PsPtxGraph *graph);

/* The immediate dominator of each node; G_MAXUINT for root and what it does not reach. */
guint *ps_ptx_dominators(const PsPtxGraph *forward, const PsPtxGraph *backward, guint root);

/* Nodes of the dominator tree in an order in which each node's subtree follows it: number[i] is
 * node i's place, size[i] its subtree's nodes. A node that root does not reach has size 0. */
void ps_ptx_dominator_tree(const guint *dominators, guint n, guint root, guint *number,
                           guint *size);

G_END_DECLS
#endif
