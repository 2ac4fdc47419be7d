/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The forms of instructions, by the PTX ISA (9.0). Letters of operands:
 *
 *     0 1 2 3  of the instruction's first, second, ... type
 *     w        of twice as many bits as the first type
 *     r s      a register of the first, second type or a wider one
 *     p        a predicate         u  32 bits, no number with a fraction      a  an address
 *     P        a predicate, or two of them, p|q            D  as 0, and perhaps |p behind it
 *     x        anything            +  anything from here on
 *     ?        those behind it may lack
 *
 * A part or type with :80 behind it needs .target sm_80 or later. The first
 * form with all parts of an instruction is its form.
 */
#include "ptx/form.h"

#define ROUND "rn rz rm rp "
#define COMPARE "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan "
#define SPACES                                                                                     \
    "global shared shared::cta shared::cluster:90 local const param param::entry param::func "
#define SCOPES "cta cluster:90 gpu sys "
#define ORDERS "weak relaxed acquire release acq_rel sc volatile mmio "
#define CACHES                                                                                     \
    "ca cg cs lu cv wb wt nc L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last " \
    "L1::no_allocate L2::cache_hint:80 L2::64B L2::128B L2::256B L2::evict_last:80 "               \
    "L2::evict_normal:80 L2::evict_first:80 unified v2 v4 v8:100 "
#define INTEGERS "u16 s16 u32 s32 u64 s64 "
#define BITS "b16 b32 b64 "
#define HALVES "f16 f16x2 bf16 bf16x2 "
#define HALVES_OF_90 "f16 f16x2 bf16:90 bf16x2:90 "
#define HALVES_OF_80 "f16 f16x2 bf16:80 bf16x2:80 "
#define NUMBERS "f32 f64 "
#define MOVED "b8 b16 b32 b64 b128 u8 s8 " INTEGERS NUMBERS
#define ANY MOVED "pred tf32:80 " HALVES
#define VIDEO                                                                                      \
    "u32 s32 u8 s8 u16 s16 b0 b1 b2 b3 h0 h1 b10 h10 sat add min max po shr7 shr15 wrap clamp "

#define LOGIC(opcode)                                                                              \
    {                                                                                              \
        opcode, "000", 0, "", "pred " BITS                                                         \
    }
#define MATRIX                                                                                     \
    "sync aligned row col satfinite load store mma a b c d global shared shared::cta m16n16k16 "   \
    "m8n32k16 m32n8k16 m8n8k4 m16n8k8:75 m8n8k16:75 m8n8k32:75 m8n8k128:75 m16n8k16:80 "           \
    "m16n8k4:80 m16n8k32:80 m16n8k64:80 m16n8k128:80 m16n8k256:80 m16n16k8:80 xor:75 and:80 popc " \
    "f16 f32 s32 u8 s8 u4 s4 b1 bf16:80 tf32:80 f64:80 e4m3:89 e5m2:89 "                           \
    "rn:80 rz:80 rm:80 rp:80 "

const PsPtxForm ps_ptx_forms[] = {
    /* ---- whole numbers ---- */
    {"add", "000", 0, "sat cc", INTEGERS "u16x2:90 s16x2:90"},
    {"add", "000", 0, ROUND "ftz sat", NUMBERS HALVES_OF_90 "f32x2:100"},
    {"add", "010", 100, ROUND "sat", "f32|f16 bf16"},
    {"addc", "000", 0, "cc", "u32 s32 u64 s64 b32 b64"},
    {"sub", "000", 0, "sat cc", INTEGERS "u16x2:120 s16x2:120"},
    {"sub", "000", 0, ROUND "ftz sat", NUMBERS HALVES_OF_90 "f32x2:100"},
    {"sub", "010", 100, ROUND "sat", "f32|f16 bf16"},
    {"subc", "000", 0, "cc", "u32 s32 u64 s64 b32 b64"},
    {"mul", "w00", 0, "wide", "u16 s16 u32 s32"},
    {"mul", "000", 0, "lo hi", INTEGERS},
    {"mul", "000", 0, ROUND "ftz sat", NUMBERS HALVES_OF_90 "f32x2:100"},
    {"mad", "w00w", 0, "wide", "u16 s16 u32 s32"},
    {"mad", "0000", 0, "lo hi sat cc", INTEGERS},
    {"mad", "0000", 0, ROUND "ftz sat", NUMBERS},
    {"madc", "0000", 0, "lo hi cc", "u32 s32 u64 s64 b32 b64"},
    {"mul24", "000", 0, "lo hi", "u32 s32"},
    {"mad24", "0000", 0, "lo hi sat", "u32 s32"},
    {"sad", "0000", 0, "", INTEGERS},
    {"div", "000", 0, "", INTEGERS},
    {"div", "000", 0, "approx full ftz " ROUND, NUMBERS},
    {"rem", "000", 0, "", INTEGERS},
    {"abs", "00", 0, "", "s16 s32 s64"},
    {"abs", "00", 0, "ftz", NUMBERS HALVES_OF_80},
    {"neg", "00", 0, "", "s16 s32 s64"},
    {"neg", "00", 0, "ftz", NUMBERS HALVES_OF_80},
    {"min", "000", 0, "relu:90", INTEGERS "u16x2:90 s16x2:90"},
    {"min", "000?0", 0, "ftz NaN xorsign:86 abs", NUMBERS "f16:80 f16x2:80 bf16:80 bf16x2:80"},
    {"max", "000", 0, "relu:90", INTEGERS "u16x2:90 s16x2:90"},
    {"max", "000?0", 0, "ftz NaN xorsign:86 abs", NUMBERS "f16:80 f16x2:80 bf16:80 bf16x2:80"},
    {"popc", "u0", 0, "", "b32 b64"},
    {"clz", "u0", 0, "", "b32 b64"},
    {"bfind", "u0", 0, "shiftamt", "u32 s32 u64 s64"},
    {"brev", "00", 0, "", "b32 b64"},
    {"bfe", "00uu", 0, "", "u32 s32 u64 s64"},
    {"bfi", "000uu", 0, "", "b32 b64"},
    {"fns", "00uu", 0, "", "b32"},
    {"szext", "00u", 0, "clamp wrap", "u32 s32"},
    {"bmsk", "0uu", 0, "clamp wrap", "b32"},
    {"dp4a", "uuuu", 0, "", "u32 s32|u32 s32"},
    {"dp2a", "uuuu", 0, "lo hi", "u32 s32|u32 s32"},

    /* ---- numbers with fractions ---- */
    {"testp", "p0", 0, "finite infinite number notanumber normal subnormal", NUMBERS},
    {"copysign", "000", 0, "", NUMBERS},
    {"fma", "0000", 0, ROUND "ftz sat relu:80 oob:90", NUMBERS HALVES_OF_80 "f32x2:100"},
    {"fma", "0110", 100, ROUND "sat", "f32|f16 bf16"},
    {"rcp", "00", 0, "approx ftz " ROUND, NUMBERS},
    {"sqrt", "00", 0, "approx ftz " ROUND, NUMBERS},
    {"rsqrt", "00", 0, "approx ftz", NUMBERS},
    {"sin", "00", 0, "approx ftz", "f32"},
    {"cos", "00", 0, "approx ftz", "f32"},
    {"lg2", "00", 0, "approx ftz", "f32"},
    {"ex2", "00", 0, "approx ftz", "f32 f16:75 f16x2:75 bf16:90 bf16x2:90"},
    {"tanh", "00", 75, "approx", "f32 f16 f16x2 bf16:90 bf16x2:90"},

    /* ---- comparing and choosing ---- */
    {"set", "011?p", 0, COMPARE "and or xor ftz",
     "u32 s32 f32 u16 s16 " HALVES "|" BITS INTEGERS NUMBERS HALVES},
    {"setp", "P00?p", 0, COMPARE "and or xor ftz", BITS INTEGERS NUMBERS HALVES},
    {"selp", "000p", 0, "", BITS INTEGERS NUMBERS},
    {"slct", "0001", 0, "ftz", BITS INTEGERS NUMBERS "|s32 f32"},

    /* ---- bits ---- */
    LOGIC("and"),
    LOGIC("or"),
    LOGIC("xor"),
    {"not", "00", 0, "", "pred " BITS},
    {"cnot", "00", 0, "", BITS},
    {"lop3", "0000x", 0, "", "b32"},
    {"lop3", "+", 0, "and or", "b32"},
    {"shf", "000u", 0, "l r clamp wrap", "b32"},
    {"shl", "00u", 0, "", BITS},
    {"shr", "00u", 0, "", BITS INTEGERS},
    {"prmt", "0000", 0, "f4e b4e rc8 ecl ecr rc16", "b32"},

    /* ---- moving and converting ---- */
    {"mov", "00", 0, "", "pred b128:70 " BITS INTEGERS NUMBERS},
    {"mov", "+", 0, "v2 v4", BITS INTEGERS NUMBERS},
    {"cvta", "00", 0, "to " SPACES, "u32 u64"},
    {"isspacep", "px", 0, SPACES, NULL},
    {"cvt", "rs", 0, ROUND "rni rzi rmi rpi rna:80 ftz sat relu:80 satfinite:80",
     "u8 s8 " INTEGERS NUMBERS "f16 bf16:80 tf32:80|u8 s8 " INTEGERS NUMBERS "f16 bf16:80"},
    {"cvt", "+", 80,
     ROUND "rs rna ftz sat relu satfinite pack scaled::n2::ue8m0 f16x2 bf16x2 tf32 e4m3x2:89 "
           "e5m2x2:89 e4m3x4:100 e5m2x4:100 e2m1x2:100 e2m3x2:100 e3m2x2:100 e2m1x4:100 "
           "e2m3x4:100 e3m2x4:100 ue8m0x2:100 f32 f16 bf16 u16 s16 s2 s4 u2 u4 u8 s8 s32 b32 "
           "s2f6x2:100",
     NULL},
    {"ld", "va?+", 0, SPACES SCOPES ORDERS CACHES, MOVED},
    {"ldu", "va", 0, "global v2 v4", MOVED},
    {"st", "av?+", 0,
     SPACES SCOPES ORDERS CACHES "async:90 mbarrier::complete_tx::bytes:90 bulk:100", MOVED},
    {"st", "+", 100, "bulk weak shared::cta", NULL},
    {"prefetch", "+", 0, SPACES "L1 L2 L2::evict_last L2::evict_normal tensormap:90", NULL},
    {"prefetchu", "+", 0, "L1", NULL},
    {"tex", "+", 0, NULL, NULL},
    {"tld4", "+", 0, NULL, NULL},
    {"txq", "+", 0, NULL, NULL},
    {"suld", "+", 0, NULL, NULL},
    {"sust", "+", 0, NULL, NULL},
    {"suq", "+", 0, NULL, NULL},
    {"applypriority", "+", 80, "global L2::evict_normal", NULL},
    {"discard", "+", 80, "global L2", NULL},
    {"createpolicy", "+", 80,
     "fractional range global cvt L2 L2::evict_last L2::evict_normal L2::evict_first "
     "L2::evict_unchanged b64",
     NULL},
    {"mapa", "+", 90, SPACES "u32 u64", NULL},
    {"getctarank", "+", 90, SPACES "u32 u64", NULL},
    {"cp", "+", 80,
     SPACES CACHES
     "async mbarrier arrive noinc b64 commit_group wait_group wait_all bulk:90 tensor reduce read "
     "prefetch L2 bulk_group mbarrier::complete_tx::bytes multicast::cluster 1d 2d 3d 4d 5d tile "
     "im2col im2col_no_offs im2col::w im2col::w::128 tile::gather4 tile::scatter4 cta_group::1 "
     "cta_group::2 add min max inc dec and or xor noftz cp_mask ignore_oob f16 bf16 b32 u32 s32 "
     "u64 s64 f32 f64",
     NULL},
    {"multimem", "+", 90, NULL, NULL},
    {"tensormap", "+", 90, NULL, NULL},

    /* ---- other lanes ---- */
    {"shfl", "D0uu?u", 0, "sync up down bfly idx", "b32"},
    {"vote", "+", 0, "sync all any uni ballot pred b32", NULL},
    {"match", "+", 70, "sync any all b32 b64", NULL},
    {"redux", "00u", 80, "sync add min max and or xor abs NaN", "u32 s32 b32 f32:100"},
    {"activemask", "0", 0, "", "b32"},
    {"elect", "+", 90, "sync", NULL},
    {"ldmatrix", "+", 75,
     "sync aligned m8n8 m16n16:100 m8n16:100 x1 x2 x4 trans shared shared::cta b16 b8:100 b8x16 "
     "b6x16_p32 b4x16_p64",
     NULL},
    {"stmatrix", "+", 90,
     "sync aligned m8n8 m16n8:100 x1 x2 x4 trans shared shared::cta b16 b8:100", NULL},
    {"movmatrix", "+", 75, "sync aligned m8n8 trans b16", NULL},
    {"mma", "+", 70, MATRIX, NULL},
    {"mma", "+", 80, NULL, NULL}, /* sparse products, scaled blocks, and kinds of later targets */
    {"wmma", "+", 70, MATRIX, NULL},
    {"wgmma", "+", 90, NULL, NULL},
    {"tcgen05", "+", 100, NULL, NULL},
    {"setmaxnreg", "+", 90, "inc dec sync aligned u32", NULL},

    /* ---- barriers, atomic operations, order ---- */
    {"bar", "+", 0, "sync arrive red popc and or warp cta u32 pred", NULL},
    {"barrier", "+", 0,
     "sync arrive red popc and or cta cluster:90 aligned wait release acquire relaxed u32 pred",
     NULL},
    {"membar", "", 0, "cta gl sys proxy alias", NULL},
    {"fence", "+", 70, NULL, NULL},
    {"mbarrier", "+", 80,
     "init inval arrive arrive_drop expect_tx:90 complete_tx:90 test_wait try_wait:90 "
     "pending_count noComplete shared shared::cta shared::cluster:90 b64 release acquire relaxed "
     "parity cta cluster:90 phaseParity",
     NULL},
    {"griddepcontrol", "", 90, "launch_dependents wait", NULL},
    {"nanosleep", "u", 70, "", "u32"},
    {"pmevent", "+", 0, "mask", NULL},
    {"atom", "0a00+", 0, SPACES SCOPES ORDERS "cas L2::cache_hint:80",
     "b16:70 b32 b64 b128:90 u32 s32 u64 s64"},
    {"atom", "0a0+", 0,
     SPACES SCOPES ORDERS
     "and or xor exch add inc dec min max noftz L2::cache_hint:80 v2:90 v4:90 v8:90",
     BITS "b128:90 u32 s32 u64 s64 f16:70 f16x2 bf16:90 bf16x2:90 " NUMBERS},
    {"red", "a0?+", 0,
     SPACES SCOPES ORDERS "and or xor add inc dec min max noftz L2::cache_hint:80 v2:90 v4:90 "
                          "v8:90 async:90 mbarrier::complete_tx::bytes:90",
     BITS "u32 s32 u64 s64 f16:70 f16x2 bf16:90 bf16x2:90 " NUMBERS},
    {"clusterlaunchcontrol", "+", 100, NULL, NULL},

    /* ---- video, control ---- */
    {"vadd", "+", 0, VIDEO, NULL},
    {"vsub", "+", 0, VIDEO, NULL},
    {"vabsdiff", "+", 0, VIDEO, NULL},
    {"vmin", "+", 0, VIDEO, NULL},
    {"vmax", "+", 0, VIDEO, NULL},
    {"vshl", "+", 0, VIDEO, NULL},
    {"vshr", "+", 0, VIDEO, NULL},
    {"vmad", "+", 0, VIDEO, NULL},
    {"vset", "+", 0, VIDEO COMPARE, NULL},
    {"bra", "+", 0, "uni", NULL},
    {"brx", "+", 0, "idx uni", NULL},
    {"call", "+", 0, "uni", NULL},
    {"ret", "", 0, "uni", NULL},
    {"exit", "", 0, "", NULL},
    {"trap", "", 0, "", NULL},
    {"brkpt", "", 0, "", NULL},
};
const guint ps_ptx_n_forms = G_N_ELEMENTS(ps_ptx_forms);
