/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A prelude (kernels/common.h) for this machine's C compiler: the kernels of the micro-benchmarks,
 * thread by thread, with every access to their buffer told to whoever listens. What is in the
 * buffer is not there: where a word leads says `follow`.
 */
typedef unsigned int U32;
typedef unsigned long long U64;
typedef struct {
    U32 x, y;
} U32X2;
typedef struct {
    U32 x, y, z, w;
} U32X4;

/* As in tests/help/host-kernels.c. */
typedef struct {
    U32 thread, group, group_size, groups, warp_size;
    U32 (*follow)(U32 word);
    U64 (*link)(U64 place);
    U64 *addresses; /* of n accesses so far, in bytes from the start of the buffer */
    U32 n, most;
} Host;
extern Host host;

static inline void *touch(U64 address)
{
    static U32X4 word;
    if (host.n < host.most)
        host.addresses[host.n] = address;
    host.n++;
    return &word;
}

#define GLOBAL
#define LOCAL
/* Nobody asks for local memory. */
#define LOCAL_WORDS static U32 local_words[1024];
#define LOCAL_ADDRESS(word) (word)
#define OP_local_load(x, y) x = local_words[x];
#define KERNEL(name)                                                                               \
    void name(U32 *memory, U32 elements, U32 step, U32 length, U64 *times, U32 *cus, U32 *sink)
#define THREAD host.thread
#define GROUP host.group
#define GROUP_SIZE host.group_size
#define GROUPS host.groups
#define WARP_SIZE host.warp_size
#define BARRIER
#define COUNTER 0
#define STAMP(begin, end)
#define HIDE(x)

#define MEMORY_AT(buffer, at) (*(__typeof__((buffer)[0]) *)touch((U64)(at) * sizeof((buffer)[0])))

#define POINTER U32
#define POINTER_TO(word) (word)
#define PUT_POINTER(pointer)
#define FOLLOW(x) x = (touch(4ULL * (x)), host.follow(x));
#define OP_pointer_l1(x, y) FOLLOW(x)
#define OP_pointer_l2(x, y) FOLLOW(x)
#define OP_pointer_v2(x, y) FOLLOW(x)
#define OP_pointer_v4(x, y) FOLLOW(x)
#define OP_global_atomic(x, y) FOLLOW(x)
#define OP_link(x) x = (touch(x), host.link(x));
#define OP_reduce(at) touch(4ULL * (at));
#define OP_put(at) touch(4ULL * (at));

#define OP_fadd(x, y) x += a;
#define OP_fmadd(x, y) x = x * a + b;
