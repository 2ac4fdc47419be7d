/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table. A row's shape has a letter for each operand, as listings order them:
 *
 *     o   a register of 32 bits that is written       i f   one that is read, an integer, a single
 *     O   a pair of them, a number of 64 bits         I F   an integer, a double
 *     V   one, two or four, as .64 and .128 say       W     likewise
 *     D Q two, four of a matrix                       d q   likewise
 *     U   four of eight                               u   likewise
 *     E B two, four doubles of a matrix               g H M two, four, eight
 *     m   eight words that are read
 *     T   as many as go to tensor memory              t     likewise
 *     P   a predicate that is written                 p     one that is read
 *     R   one that is read and written
 *     h   two halves that are read (a number: both)   n     a number, as it stands
 *     s   two singles that are read (a number: both)
 *     A   an address of 64 bits                       a     one of 32 bits, of shared or own memory
 *     G   as A, as a number
 *     b   one of shared memory and, in the next register, that of an mbarrier, as 64 bits
 *     c   a constant of the launch or the program     l     where a branch goes
 *     e   32 bits that are read as 64, a negated      x     what does not matter
 *         one as 2^32 less it: what carries need      *     alone: whatever operands there are
 *     k   one that is negated, without its sign         N     a predicate that never holds (!PT)
 *
 * Where a letter is none for predicates, PT is passed over: whoever carries nothing names it. The
 * same holds for what follows the last letter.
 *
 * Its text is PTX, in which $0 is the first operand, %t0 and so on are registers of 32 bits for
 * what lies between, %w0 of 64, %s0 predicates, %h0 of 16. &1 is the order in which the matrix of
 * the second operand lies, .row or .col. <A:x|B:y|z> is x where the opcode has
 * the modifier A, y where it has B, else z. <COMPARE>, <COMBINE>, <ROUND> and <SPACE> stand for
 * what the modifiers say. A star marks the instruction that stands for the whole in a graph, where
 * it is not the last; a caret one that all lanes execute, whatever the guard.
 *
 * Whether its result comes after a fixed time follows from a row's class, but for the few opcodes
 * that ps_sass_latency names, and for some from the architecture.
 *
 * Rows with more modifiers stand before those with fewer: the first that fits counts. A row fits
 * no instruction with a modifier that nobody knows: one that it neither has nor makes a difference
 * of, that does not stand behind its opcode ("IMAD U32 SHL"), and that is not one of those which
 * change nothing in any row (table-find.c). Where the text is NULL no modifier matters. NVIDIA's
 * documentation of its binary utilities names the opcodes; what they do follows from what the
 * assembler makes of PTX, and tests hold both against each other.
 */
#include "sass/table.h"

/* Says which lanes take part in what follows. Nothing happens, but a mask without a lane that
 * executes it is told (ptx/run/misuse.c). */
#define LANES "pmevent.mask $0"

/* A step of Volta's product of halves: two of a lane's registers of the result. What the others
 * would hold is computed, too, from zeros, and dropped. */
#define STEP(type, result, sum, mine)                                                              \
    "mov.b64 {%t0,%t1},$3;*mma.sync.aligned.m8n8k4&1&2." type ".f16.f16." type " {" result         \
    "},$1,$2,{" sum "};mov.b64 $0,{" mine "}"
#define STEP_F32(sum, mine) STEP("f32", "%t2,%t3,%t4,%t5,%t6,%t7,%t8,%t9", sum, mine)
#define STEP_F16(sum, mine) STEP("f16", "%t2,%t3,%t4,%t5", sum, mine)

/* %s0: the address leads neither to the thread's own memory nor to the group's. */
#define NOT_OWN "isspacep.local %s0,$2;isspacep.shared %s1,$2;or.pred %s0,%s0,%s1;not.pred %s0,%s0;"

/* A product, times a power of two on its way out. */
#define SCALED(factor)                                                                             \
    "mul<ROUND><FTZ:.ftz|>.f32 %t0,$1,$2;mul<FTZ:.ftz|><SAT:.sat|>.f32 $0,%t0,0f" factor

/* A function of one half, which is the lower one where none is named. */
#define HALF(function) "mov.b32 {%h0,_},$1;" function " %h0,%h0;mov.b32 $0,{%h0,0}"

/* Two singles as narrow numbers, beside the lower half of a third register; two narrow numbers as
 * halves. */
#define MERGED "mov.b32 {%h1,_},$3;mov.b32 $0,{%h0,%h1}"
#define NARROWED(name, type)                                                                       \
    {"F2FP." name ".F32 SATFINITE PACK_AB_MERGE_C", "offi",                                        \
     "cvt.rn.satfinite<RELU:.relu|>." type ".f32 %h0,$1,$2;" MERGED, "conversion.pack"},           \
    {                                                                                              \
        "F2FP." name ".F16 SATFINITE UNPACK_B_MERGE_C", "oii",                                     \
            "cvt.rn.satfinite<RELU:.relu|>." type ".f16x2 %h0,$1;mov.b32 {%h1,_},$2;"              \
            "mov.b32 $0,{%h0,%h1}",                                                                \
            "conversion.pack"                                                                      \
    }
#define WIDENED(name, type)                                                                        \
    {                                                                                              \
        "F2FP.F16." name " UNPACK_B", "oi",                                                        \
            "mov.b32 {%h0,_},$1;cvt.rn<RELU:.relu|>.f16x2." type " $0,%h0", "conversion.pack"      \
    }
/* Matrices of bytes, or of elements of fewer bits that become bytes. */
#define NARROW_MATRICES(name, type)                                                                \
    {"LDSM." name ".M816.4", "Qa", "*ldmatrix.sync.aligned.m8n16.x4.shared" type " $0,$1", NULL},  \
        {"LDSM." name ".M816.2", "Da", "*ldmatrix.sync.aligned.m8n16.x2.shared" type " $0,$1",     \
         NULL},                                                                                    \
        {"LDSM." name ".M816", "oa", "*ldmatrix.sync.aligned.m8n16.x1.shared" type " {$0},$1",     \
         NULL},                                                                                    \
        {"LDSM." name ".MT1616.2", "Qa",                                                           \
         "*ldmatrix.sync.aligned.m16n16.x2.trans.shared" type " $0,$1", NULL},                     \
    {                                                                                              \
        "LDSM." name ".MT1616", "Da",                                                              \
            "*ldmatrix.sync.aligned.m16n16.x1.trans.shared" type " $0,$1", NULL                    \
    }
#define PAIRED(type) "cvt<ROUND><RELU:.relu|><SATFINITE:.satfinite|>." type ".f32 $0,$1,$2"

/* Words of several GPUs' memory, of which there is one here. */
#define OF_ALL(name, shape, type)                                                                  \
    {                                                                                              \
        "LDGMC." name, shape,                                                                      \
            "*multimem.ld_reduce.relaxed.sys.global<ADD:.add|F32ADD:.add.acc::f32|HPADD:.add.acc:" \
            ":f32|MIN:.min|"                                                                       \
            "MAX:.max|AND:.and|OR:.or|XOR:.xor|.add>." type " $0,$1",                              \
            NULL                                                                                   \
    }
#define OF_ALL_HALVES(name, type)                                                                  \
    OF_ALL(name "x8", "QA", "v4." type), OF_ALL(name "x4", "DA", "v2." type),                      \
        OF_ALL(name "x2", "oA", type)

/* A sum of two terms of 64 bits, in $0, whose bit 32 is the carry, in $1; the first one of 32. */
#define SUM_OF(first, second)                                                                      \
    "add.u64 %w0," first "," second ";setp.gt.u64 $1,%w0,4294967295;mov.b64 {$0,_},%w0"
#define ADD_TO(first, second) "cvt.u64.u32 %w0," first ";" SUM_OF("%w0", second)

/* Integers as halves of one type, or as those of a part of a register. */
#define TO(half, type, from) "cvt<ROUND>." half "." type " %h0," from ";mov.b32 $0,{%h0,0}"
#define INTEGERS_TO(name, half)                                                                    \
    {"I2F." name ".U64", "oI", TO(half, "u64", "$1"), "conversion.f16"},                           \
        {"I2F." name ".S64", "oI", TO(half, "s64", "$1"), "conversion.f16"},                       \
        {"I2F." name ".U32", "oi", TO(half, "u32", "$1"), "conversion.f16"},                       \
        {"I2F." name ".U16", "oi", "and.b32 %t0,$1,65535;" TO(half, "u32", "%t0"),                 \
         "conversion.f16"},                                                                        \
        {"I2F." name ".S16", "oi", "bfe.s32 %t0,$1,0,16;" TO(half, "s32", "%t0"),                  \
         "conversion.f16"},                                                                        \
        {"I2F." name ".U8", "oi", "and.b32 %t0,$1,255;" TO(half, "u32", "%t0"), "conversion.f16"}, \
        {"I2F." name ".S8", "oi", "bfe.s32 %t0,$1,0,8;" TO(half, "s32", "%t0"), "conversion.f16"}, \
    {                                                                                              \
        "I2F." name, "oi", TO(half, "s32", "$1"), "conversion.f16"                                 \
    }

/* The least or greatest single of a warp's lanes. */
#define LEAST(name, of)                                                                            \
    {                                                                                              \
        name, "of", "activemask.b32 %t0;redux.sync." of "<NAN:.NaN|>.f32 $0,$1,%t0",               \
            "shuffle.reduce.minmax"                                                                \
    }

/* Copies by tensor maps of that many dimensions, and reductions, with a hint to the cache behind or
 * without. */
#define BY_MAP(opcode, operands)                                                                   \
    {opcode, operands, "<TENSOR>", NULL},                                                          \
    {                                                                                              \
        opcode, operands "x", "<TENSOR>", NULL                                                     \
    }
#define TENSOR(rank)                                                                               \
    BY_MAP("UTMALDG." rank ".IM2COL.MULTICAST 2CTA", "xxx"),                                       \
        BY_MAP("UTMALDG." rank ".IM2COL 2CTA", "xxx"),                                             \
        BY_MAP("UTMALDG." rank ".MULTICAST 2CTA GATHER4", "xxx"),                                  \
        BY_MAP("UTMALDG." rank " 2CTA GATHER4", "xx"),                                             \
        BY_MAP("UTMASTG." rank " SCATTER4 IM2COL", "xx"),                                          \
        BY_MAP("UTMAREDG." rank ".ADD IM2COL", "xx"),                                              \
        BY_MAP("UTMAREDG." rank ".MIN IM2COL", "xx"),                                              \
        BY_MAP("UTMAREDG." rank ".MAX IM2COL", "xx"),                                              \
        BY_MAP("UTMAREDG." rank ".INC IM2COL", "xx"),                                              \
        BY_MAP("UTMAREDG." rank ".DEC IM2COL", "xx"),                                              \
        BY_MAP("UTMAREDG." rank ".AND IM2COL", "xx"), BY_MAP("UTMAREDG." rank ".OR IM2COL", "xx"), \
        BY_MAP("UTMAREDG." rank ".XOR IM2COL", "xx")

/* Reductions of many bytes: one lane executes them. half: what stands before the type of halves. */
#define MANY                                                                                       \
    "and.b32 %t2,$2,65535;shl.b32 %t2,%t2,4;activemask.b32 %t3;elect.sync %t3|%s0,%t3;*@%s0 "
#define ONE_GROUP                                                                                  \
    "mov.b64 {%t0,%t1},$0;" MANY                                                                   \
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%t0],$1,%t2,[%t1]"
#define SEVERAL                                                                                    \
    "mov.b64 {%t0,%t1},$0;shr.u32 %t4,$2,16;cvt.u16.u32 %h0,%t4;" MANY                             \
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "        \
    "[%t0],$1,%t2,[%t1],%h0"
#define OF_TYPE(change, half)                                                                      \
    change "<F32:.f32|F64:.f64|F16:" half ".f16|BF16:" half ".bf16|S32:.s32|S64:.s64|U64:.u64|."   \
           "u32>"
#define TO_GLOBAL(change, half)                                                                    \
    MANY "cp.reduce.async.bulk.global.shared::cta.bulk_group." OF_TYPE(change, half) " $0,$1,%t2"
#define REDUCTION(name, change, half)                                                              \
    {"UBLKRED.G.S." name, "Aai", TO_GLOBAL(change, half), NULL},                                   \
        {"UBLKRED.G.S." name, "Aaix", TO_GLOBAL(change, half), NULL},                              \
    {                                                                                              \
        "UBLKRED.S.S." name, "bai",                                                                \
            "mov.b64 {%t0,%t1},$0;" MANY                                                           \
            "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::"             \
            "bytes." OF_TYPE(change, half) " [%t0],$1,%t2,[%t1]",                                  \
            NULL                                                                                   \
    }

/* A product with tensor memory, of an A in shared memory or there, by a group or a pair: lanes that
 * are not written, and a scale, may be told. One lane executes it, whichever have come. */
#define ONE "activemask.b32 %t0;elect.sync %t0|%s0,%t0;*@%s0 "
#define WITH_A(opcode, a, lanes, kind)                                                             \
    {opcode, a "Iaxip", ONE "tcgen05.mma." kind " $2,$0,$1,$4,$5", NULL},                          \
        {opcode, a "Iaxipn", ONE "tcgen05.mma." kind " $2,$0,$1,$4,$5,$6", NULL},                  \
        {opcode, a "Iaxi" lanes "p", ONE "tcgen05.mma." kind " $2,$0,$1,$4,$5,$6", NULL},          \
    {                                                                                              \
        opcode, a "Iaxi" lanes "pn", ONE "tcgen05.mma." kind " $2,$0,$1,$4,$5,$6,$7", NULL         \
    }
/* With scales of blocks, whose places are a pair of registers. */
#define SCALED_BY(opcode, a, kind)                                                                 \
    {                                                                                              \
        opcode, a "Iaxibp",                                                                        \
            "mov.b64 {%t1,%t2},$5;" ONE "tcgen05.mma." kind " $2,$0,$1,$4,[%t1],[%t2],$6", NULL    \
    }
#define WITH_SCALES(opcode, more, kind)                                                            \
    SCALED_BY(opcode more, "I", "cta_group::1." kind),                                             \
        SCALED_BY(opcode more, "a", "cta_group::1." kind),                                         \
        SCALED_BY(opcode ".2CTA" more, "I", "cta_group::2." kind),                                 \
        SCALED_BY(opcode ".2CTA" more, "a", "cta_group::2." kind)
#define TO_TENSOR(opcode, kind)                                                                    \
    WITH_A(opcode, "I", "q", "cta_group::1." kind),                                                \
        WITH_A(opcode, "a", "q", "cta_group::1." kind),                                            \
        WITH_A(opcode ".2CTA", "I", "m", "cta_group::2." kind),                                    \
        WITH_A(opcode ".2CTA", "a", "m", "cta_group::2." kind)

/* A product with scales of blocks. The last operand's bits say which byte of which lane's word has
 * the scales: two and one of A's, then two and two of B's. */
#define SCALED_PRODUCT(opcode, kind, type)                                                         \
    {                                                                                              \
        opcode, "Qqdqiii",                                                                         \
            "and.b32 %t0,$6,3;cvt.u16.u32 %h0,%t0;bfe.u32 %t0,$6,2,1;cvt.u16.u32 %h1,%t0;"         \
            "bfe.u32 %t0,$6,3,2;cvt.u16.u32 %h2,%t0;bfe.u32 %t0,$6,5,2;cvt.u16.u32 %h3,%t0;"       \
            "*mma.sync.aligned." kind ".f32<FACTORS>.f32." type                                    \
            " $0,$1,$2,$3,$4,{%h0,%h1},$5,{%h2,%h3}",                                              \
            NULL                                                                                   \
    }

/* A sparse product: which elements of A there are, and whose lanes' words say so. */
#define SPARSE(opcode, shape, product)                                                             \
    {                                                                                              \
        opcode, shape, "mma.sp.sync.aligned." product " $0,$1,$2,$3,$4,$5", NULL                   \
    }

/* Several halves that are changed at once. */
#define HALVES_TO(name, type)                                                                      \
    {"REDG." name "x4", "Ad", "*red.global<OPERATION>.noftz.v2." type " $0,$1", NULL},             \
    {                                                                                              \
        "REDG." name "x8", "Aq", "*red.global<OPERATION>.noftz.v4." type " $0,$1", NULL            \
    }
#define HALVES_FROM(name, type)                                                                    \
    {"ATOMG." name "x4", "DAd", "*atom.global<OPERATION>.noftz.v2." type " $0,$1,$2", NULL},       \
    {                                                                                              \
        "ATOMG." name "x8", "QAq", "*atom.global<OPERATION>.noftz.v4." type " $0,$1,$2", NULL      \
    }

/* A copy of fewer bytes than it writes, zeros behind them: the address is as many bytes too far as
 * are not copied, and the predicate is false where none are. */
#define ZEROS_FROM(shape, to, from, some)                                                          \
    {                                                                                              \
        "LDGSTS.ZFILL", shape,                                                                     \
            "sub.u32 %t1,<BYTES>,1;cvt.u32.u64 %t0," from ";and.b32 %t0,%t0,%t1;"                  \
            "cvt.u64.u32 %w0,%t0;sub.u64 %w0," from ",%w0;sub.u32 %t0,<BYTES>,%t0;"                \
            "selp.b32 %t0,%t0,0," some ";"                                                         \
            "*cp.async<BYPASS:.cg|.ca>.shared.global " to ",[%w0],<BYTES>,%t0",                    \
            NULL                                                                                   \
    }

/* How words lie in tensor memory, and how often. */
#define MOVED                                                                                      \
    "<16dp64bit:16x64b|16dp128bit:16x128b|16dp256bit:16x256b|16dp32bit_t0_t15:16dp32bit_t0_t15|"   \
    "16dp32bit_t16_t31:16dp32bit_t16_t31|32x32b>"                                                  \
    "<x2:.x2|x4:.x4|x8:.x8|x16:.x16|x32:.x32|x64:.x64|x128:.x128|.x1>"

/* The type of integers that a conversion makes, where that has less than 64 bits. */
#define SHORT "<U32:u32|U16:u16|S16:s16|U8:u8|S8:s8|s32>"

const PsSassRow ps_sass_rows[] = {
    /* ---- singles ---- */
    {"FADD", "off", "add<ROUND><FTZ:.ftz|><SAT:.sat|>.f32 $0,$1,$2", "fadd"},
    {"FMUL.D2", "off", SCALED("3F000000"), "fmul"},
    {"FMUL.D4", "off", SCALED("3E800000"), "fmul"},
    {"FMUL.D8", "off", SCALED("3E000000"), "fmul"},
    {"FMUL.M2", "off", SCALED("40000000"), "fmul"},
    {"FMUL.M4", "off", SCALED("40800000"), "fmul"},
    {"FMUL.M8", "off", SCALED("41000000"), "fmul"},
    {"FMUL", "off", "mul<ROUND><FTZ:.ftz|><SAT:.sat|>.f32 $0,$1,$2", "fmul"},
    {"FFMA", "offf", "fma<ROUND><FTZ:.ftz|><SAT:.sat|>.f32 $0,$1,$2,$3", "fmadd"},
    {"FADD2", "Oss", "add<ROUND><FTZ:.ftz|>.f32x2 $0,$1,$2", "fadd.pair"},
    {"FMUL2", "Oss", "mul<ROUND><FTZ:.ftz|>.f32x2 $0,$1,$2", "fmul.pair"},
    {"FFMA2", "Osss", "fma<ROUND><FTZ:.ftz|>.f32x2 $0,$1,$2,$3", "fmadd.pair"},
    {"FMNMX", "offp",
     "min<FTZ:.ftz|><NAN:.NaN|>.f32 %t0,$1,$2;max<FTZ:.ftz|><NAN:.NaN|>.f32 "
     "%t1,$1,$2;selp.b32 $0,%t0,%t1,$3",
     "fadd.minmax"},
    {"FMNMX3", "offfp",
     "min<FTZ:.ftz|><NAN:.NaN|>.f32 %t0,$1,$2;min<FTZ:.ftz|><NAN:.NaN|>.f32 "
     "%t0,%t0,$3;max<FTZ:.ftz|><NAN:.NaN|>.f32 %t1,$1,$2;max<FTZ:.ftz|><NAN:.NaN|>.f32 "
     "%t1,%t1,$3;selp.b32 $0,%t0,%t1,$4",
     "fadd.minmax"},
    {"FSEL", "offp", "selp.b32 $0,$1,$2,$3", "logic.select"},
    {"FSETP", "PPffp", "setp<COMPARE><COMBINE><FTZ:.ftz|>.f32 $0|$1,$2,$3,$4", "fadd.setp"},
    {"FSET", "offp",
     "setp<COMPARE><COMBINE><FTZ:.ftz|>.f32 %s0,$1,$2,$3;selp.b32 $0,<BF:1065353216|-1>,0,%s0",
     "fadd.setp"},
    {"FSWZADD", "offx", NULL, "fadd"},
    /* as ptx/alu/slow.c */
    {"FCHK", "Pff",
     "bfe.u32 %t0,$1,23,8;bfe.u32 %t1,$2,23,8;sub.u32 %t2,%t1,1;setp.gt.u32 %s0,%t2,251;"
     "sub.u32 %t2,%t0,25;setp.gt.or.u32 %s0,%t2,229,%s0;sub.u32 %t2,%t0,%t1;add.u32 "
     "%t2,%t2,125;setp.gt.or.u32 $0,%t2,251,%s0",
     "rcp.check"},
    {"MUFU.RCP", "of", "rcp.approx.ftz.f32 $0,$1", "rcp"},
    {"MUFU.RSQ", "of", "rsqrt.approx.ftz.f32 $0,$1", "rsqrt"},
    {"MUFU.SQRT", "of", "sqrt.approx.ftz.f32 $0,$1", "sqrt"},
    {"MUFU.EX2.F16", "oh", HALF("ex2.approx.f16"), "exp2"},
    {"MUFU.EX2.BF16", "oh", HALF("ex2.approx.ftz.bf16"), "exp2"},
    {"MUFU.EX2", "of", "ex2.approx.ftz.f32 $0,$1", "exp2"},
    {"MUFU.LG2", "of", "lg2.approx.ftz.f32 $0,$1", "log2"},
    {"MUFU.SIN", "of", "mul.f32 %t0,$1,0f40C90FDB;sin.approx.ftz.f32 $0,%t0", "sin"},
    {"MUFU.COS", "of", "mul.f32 %t0,$1,0f40C90FDB;cos.approx.ftz.f32 $0,%t0", "cos"},
    {"MUFU.TANH.F16", "oh", HALF("tanh.approx.f16"), "exp2.tanh"},
    {"MUFU.TANH.BF16", "oh", HALF("tanh.approx.bf16"), "exp2.tanh"},
    {"MUFU.TANH", "of", "tanh.approx.f32 $0,$1", "exp2.tanh"},
    {"MUFU.RCP64H", "of", "mov.b64 %w0,{0,$1};rcp.approx.ftz.f64 %w1,%w0;mov.b64 {_,$0},%w1",
     "rcp"},
    {"MUFU.RSQ64H", "of", "mov.b64 %w0,{0,$1};rsqrt.approx.ftz.f64 %w1,%w0;mov.b64 {_,$0},%w1",
     "rsqrt"},
    {"FRND.F64", "OF", "cvt<TRUNC:.rzi|FLOOR:.rmi|CEIL:.rpi|.rni>.f64.f64 $0,$1", "conversion.f64"},
    {"FRND.F16", "oh",
     "mov.b32 {%h0,_},$1;cvt.f32.f16 %t0,%h0;cvt<TRUNC:.rzi|FLOOR:.rmi|CEIL:.rpi|.rni>.f32.f32 "
     "%t0,%t0;cvt.rn.f16.f32 %h0,%t0;mov.b32 $0,{%h0,0}",
     "conversion.f16"},
    {"FRND.BF16", "oh",
     "shl.b32 %t0,$1,16;cvt<TRUNC:.rzi|FLOOR:.rmi|CEIL:.rpi|.rni>.f32.f32 %t0,%t0;cvt.rn.bf16.f32 "
     "%h0,%t0;mov.b32 $0,{%h0,0}",
     "conversion.f16"},
    {"FRND", "of", "cvt<TRUNC:.rzi|FLOOR:.rmi|CEIL:.rpi|.rni><FTZ:.ftz|>.f32.f32 $0,$1",
     "conversion"},

    /* ---- doubles ---- */
    {"DADD", "OFF", "add<ROUND>.f64 $0,$1,$2", "dadd"},
    {"DMUL", "OFF", "mul<ROUND>.f64 $0,$1,$2", "dmul"},
    {"DFMA", "OFFF", "fma<ROUND>.f64 $0,$1,$2,$3", "dfma"},
    {"DSETP.MAX AND", "PPFFp",
     "max.f64 %w0,$2,$3;setp.eq.and.s64 %s0,%w0,$2,$4;setp.nan.and.f64 %s1,$2,$2,$4;"
     "setp.nan.and.f64 $1,$3,$3,%s1;mov.pred $0,%s0",
     "dadd.setp"},
    {"DSETP.MIN AND", "PPFFp",
     "min.f64 %w0,$2,$3;setp.eq.and.s64 %s0,%w0,$2,$4;setp.nan.and.f64 %s1,$2,$2,$4;"
     "setp.nan.and.f64 $1,$3,$3,%s1;mov.pred $0,%s0",
     "dadd.setp"},
    {"DSETP", "PPFFp", "setp<COMPARE><COMBINE>.f64 $0|$1,$2,$3,$4", "dadd.setp"},

    /* ---- halves ---- */
    {"FHADD.BF16", "ohf", "mov.b32 {%h0,_},$1;add<ROUND><SAT:.sat|>.f32.bf16 $0,%h0,$2", "fadd"},
    {"FHADD", "ohf", "mov.b32 {%h0,_},$1;add<ROUND><SAT:.sat|>.f32.f16 $0,%h0,$2", "fadd"},
    {"FHFMA.BF16", "ohhf",
     "mov.b32 {%h0,_},$1;mov.b32 {%h1,_},$2;fma<ROUND><SAT:.sat|>.f32.bf16 $0,%h0,%h1,$3", "fmadd"},
    {"FHFMA", "ohhf",
     "mov.b32 {%h0,_},$1;mov.b32 {%h1,_},$2;fma<ROUND><SAT:.sat|>.f32.f16 $0,%h0,%h1,$3", "fmadd"},
    {"HADD2.F32", "ohh",
     "mov.b32 {%h0,_},$1;cvt.f32.f16 %t0,%h0;mov.b32 {%h1,_},$2;cvt.f32.f16 %t1,%h1;add.f32 "
     "$0,%t0,%t1",
     "hadd.convert"},
    {"HADD2.BF16_V2", "ohh", "fma.rn.bf16x2 $0,$1,1065369472,$2", "hadd.bf16"},
    {"HADD2", "ohh", "add.rn<FTZ:.ftz|><SAT:.sat|>.f16x2 $0,$1,$2", "hadd"},
    {"HMUL2.BF16_V2", "ohh", "fma.rn.bf16x2 $0,$1,$2,-2147450880", "hmul.bf16"},
    {"HMUL2", "ohh", "mul.rn<FTZ:.ftz|><SAT:.sat|>.f16x2 $0,$1,$2", "hmul"},
    {"HFMA2.BF16_V2 MMA", "ohhh", "fma.rn<RELU:.relu|>.bf16x2 $0,$1,$2,$3", "hfma.bf16"},
    {"HFMA2 MMA", "ohhh", "fma.rn<FTZ:.ftz|><SAT:.sat|><RELU:.relu|>.f16x2 $0,$1,$2,$3", "hfma"},
    {"HMNMX2", "ohhp",
     "min<NAN:.NaN|><BF16_V2:.bf16x2|.f16x2> %t0,$1,$2;max<NAN:.NaN|><BF16_V2:.bf16x2|.f16x2> "
     "%t1,$1,$2;selp.b32 $0,%t0,%t1,$3",
     "hadd.minmax"},
    {"HSETP2.BF16_V2", "PPhhp", "setp<COMPARE><COMBINE>.bf16x2 $0|$1,$2,$3,$4", "hadd.setp"},
    {"HSETP2", "PPhhp", "setp<COMPARE><COMBINE><FTZ:.ftz|>.f16x2 $0|$1,$2,$3,$4", "hadd.setp"},

    {"HSET2.BF16_V2", "ohhp",
     "setp<COMPARE><COMBINE>.bf16x2 %s0|%s1,$1,$2,$3;selp.b32 %t0,<BF:16256|65535>,0,%s0;"
     "selp.b32 %t1,<BF:1065353216|4294901760>,0,%s1;or.b32 $0,%t0,%t1",
     "hadd.setp"},
    {"HSET2", "ohhp",
     "setp<COMPARE><COMBINE><FTZ:.ftz|>.f16x2 %s0|%s1,$1,$2,$3;selp.b32 %t0,<BF:15360|65535>,0,%s0;"
     "selp.b32 %t1,<BF:1006632960|4294901760>,0,%s1;or.b32 $0,%t0,%t1",
     "hadd.setp"},

    /* ---- conversions ---- */
    NARROWED("E4M3", "e4m3x2"),
    NARROWED("E5M2", "e5m2x2"),
    NARROWED("E2M3", "e2m3x2"),
    NARROWED("E3M2", "e3m2x2"),
    WIDENED("E4M3", "e4m3x2"),
    WIDENED("E5M2", "e5m2x2"),
    WIDENED("E2M3", "e2m3x2"),
    WIDENED("E3M2", "e3m2x2"),
    {"F2FP.E2M1.F32 SATFINITE PACK_AB_MERGE_C", "offi",
     "cvt.rn.satfinite<RELU:.relu|>.e2m1x2.f32 %t0,$1,$2;and.b32 %t0,%t0,255;shl.b32 %t1,$3,8;"
     "or.b32 $0,%t0,%t1",
     "conversion.pack"},
    {"F2FP.E2M1.F16 SATFINITE UNPACK_B_MERGE_C", "oii",
     "cvt.rn.satfinite<RELU:.relu|>.e2m1x2.f16x2 %t0,$1;and.b32 %t0,%t0,255;shl.b32 %t1,$2,8;"
     "or.b32 $0,%t0,%t1",
     "conversion.pack"},
    {"F2FP.F16.E2M1 UNPACK_B", "oi", "and.b32 %t0,$1,255;cvt.rn<RELU:.relu|>.f16x2.e2m1x2 $0,%t0",
     "conversion.pack"},
    {"F2FP.E8.F32 PACK_AB_MERGE_C", "offi",
     "cvt<RP:.rp|RZ:.rz|.rz><SATFINITE:.satfinite|>.ue8m0x2.f32 %h0,$1,$2;" MERGED,
     "conversion.pack"},
    {"F2FP.E8.BF16 UNPACK_B_MERGE_C", "oii",
     "cvt<RP:.rp|RZ:.rz|.rz><SATFINITE:.satfinite|>.ue8m0x2.bf16x2 %h0,$1;mov.b32 {%h1,_},$2;"
     "mov.b32 $0,{%h0,%h1}",
     "conversion.pack"},
    {"F2FP.BF16.E8 UNPACK_B", "oi", "mov.b32 {%h0,_},$1;cvt.rn.bf16x2.ue8m0x2 $0,%h0",
     "conversion.pack"},
    {"F2FP.TF32.F32 PACK_B", "of", "cvt<ROUND><RELU:.relu|><SATFINITE:.satfinite|>.tf32.f32 $0,$1",
     "conversion.pack"},
    {"F2F.F32.F64", "oF", "cvt<ROUND>.f32.f64 $0,$1", "conversion.f64"},
    {"F2F.F64.F32", "Of", "cvt.f64.f32 $0,$1", "conversion.f64"},
    {"F2F.F16.F64", "oF", "cvt<ROUND>.f16.f64 %h0,$1;mov.b32 $0,{%h0,0}", "conversion.f64"},
    {"F2F.BF16.F64", "oF", "cvt<ROUND>.bf16.f64 %h0,$1;mov.b32 $0,{%h0,0}", "conversion.f64"},
    {"F2F.F16.F32", "of", "cvt<ROUND>.f16.f32 %h0,$1;mov.b32 $0,{%h0,0}", "conversion.f16"},
    {"F2F.BF16.F32", "of", "cvt<ROUND>.bf16.f32 %h0,$1;mov.b32 $0,{%h0,0}", "conversion.f16"},
    {"F2F.BF16.F16", "oh", "mov.b32 {%h0,_},$1;cvt<ROUND>.bf16.f16 %h0,%h0;mov.b32 $0,{%h0,0}",
     "conversion.f16"},
    {"F2FP.F16.F32", "off", PAIRED("f16x2"), "conversion.pack"},
    {"F2FP.BF16.F32", "off", PAIRED("bf16x2"), "conversion.pack"},
    {"F2FP.F16", "off", PAIRED("f16x2"), "conversion.pack"},
    {"F2FP.PACK_AB", "off", PAIRED("f16x2"), "conversion.pack"},
    {"F2FP.BF16", "off", PAIRED("bf16x2"), "conversion.pack"},
    INTEGERS_TO("F16", "f16"),
    INTEGERS_TO("BF16", "bf16"),
    {"I2F.F64.U64", "OI", "cvt<ROUND>.f64.u64 $0,$1", "conversion.f64"},
    {"I2F.F64.S64", "OI", "cvt<ROUND>.f64.s64 $0,$1", "conversion.f64"},
    {"I2F.F64.U16", "Oi", "and.b32 %t0,$1,65535;cvt.rn.f64.u32 $0,%t0", "conversion.f64"},
    {"I2F.F64.S16", "Oi", "bfe.s32 %t0,$1,0,16;cvt.rn.f64.s32 $0,%t0", "conversion.f64"},
    {"I2F.F64.U8", "Oi", "and.b32 %t0,$1,255;cvt.rn.f64.u32 $0,%t0", "conversion.f64"},
    {"I2F.F64.S8", "Oi", "bfe.s32 %t0,$1,0,8;cvt.rn.f64.s32 $0,%t0", "conversion.f64"},
    {"I2F.F64.U32", "Oi", "cvt.rn.f64.u32 $0,$1", "conversion.f64"},
    {"I2F.F64", "Oi", "cvt.rn.f64.s32 $0,$1", "conversion.f64"},
    {"I2F.U64", "oI", "cvt<ROUND>.f32.u64 $0,$1", "conversion"},
    {"I2F.S64", "oI", "cvt<ROUND>.f32.s64 $0,$1", "conversion"},
    {"I2F.U32", "oi", "cvt<ROUND>.f32.u32 $0,$1", "conversion"},
    {"I2F.U16", "oi", "and.b32 %t0,$1,65535;cvt<ROUND>.f32.u32 $0,%t0", "conversion"},
    {"I2F.S16", "oi", "bfe.s32 %t0,$1,0,16;cvt<ROUND>.f32.s32 $0,%t0", "conversion"},
    {"I2F.U8", "oi", "and.b32 %t0,$1,255;cvt<ROUND>.f32.u32 $0,%t0", "conversion"},
    {"I2F.S8", "oi", "bfe.s32 %t0,$1,0,8;cvt<ROUND>.f32.s32 $0,%t0", "conversion"},
    {"I2F", "oi", "cvt<ROUND>.f32.s32 $0,$1", "conversion"},
    {"I2FP.F32.U32", "oi", "cvt<ROUND>.f32.u32 $0,$1", "conversion.i2f"},
    {"I2FP.F32.S32", "oi", "cvt<ROUND>.f32.s32 $0,$1", "conversion.i2f"},
    {"F2IP.U8.F32 NTZ", "offi",
     "cvt<INTEGER>.u8.f32 %t0,$1;cvt<INTEGER>.u8.f32 %t1,$2;shl.b32 %t0,%t0,8;or.b32 "
     "%t0,%t0,%t1;shl.b32 %t1,$3,16;or.b32 $0,%t0,%t1",
     "conversion.pack"},
    {"I2IP.S16.S32 SAT", "oiii", "cvt.pack.sat.s16.s32 $0,$1,$2", "shift.field"},
    {"I2IP.U16.S32 SAT", "oiii", "cvt.pack.sat.u16.s32 $0,$1,$2", "shift.field"},
    {"I2IP.S8.S32 SAT", "oiii", "cvt.pack.sat.s8.s32.b32 $0,$1,$2,$3", "shift.field"},
    {"I2IP.U8.S32 SAT", "oiii", "cvt.pack.sat.u8.s32.b32 $0,$1,$2,$3", "shift.field"},
    {"F2I.S64.F16 NTZ", "Oh", "mov.b32 {%h0,_},$1;cvt.f32.f16 %t0,%h0;cvt<INTEGER>.s64.f32 $0,%t0",
     "conversion.f2i"},
    {"F2I.U64.F16 NTZ", "Oh", "mov.b32 {%h0,_},$1;cvt.f32.f16 %t0,%h0;cvt<INTEGER>.u64.f32 $0,%t0",
     "conversion.f2i"},
    {"F2I.F16 NTZ", "oh",
     "mov.b32 {%h0,_},$1;cvt.f32.f16 %t0,%h0;cvt<INTEGER>." SHORT ".f32 $0,%t0", "conversion.f2i"},
    {"F2I.S64.BF16 NTZ", "Oh", "shl.b32 %t0,$1,16;cvt<INTEGER>.s64.f32 $0,%t0", "conversion.f2i"},
    {"F2I.U64.BF16 NTZ", "Oh", "shl.b32 %t0,$1,16;cvt<INTEGER>.u64.f32 $0,%t0", "conversion.f2i"},
    {"F2I.BF16 NTZ", "oh", "shl.b32 %t0,$1,16;cvt<INTEGER>." SHORT ".f32 $0,%t0", "conversion.f2i"},
    {"F2I.S64.F64 NTZ", "OF", "cvt<INTEGER>.s64.f64 $0,$1", "conversion.f64"},
    {"F2I.U64.F64 NTZ", "OF", "cvt<INTEGER>.u64.f64 $0,$1", "conversion.f64"},
    {"F2I.F64 NTZ", "oF", "cvt<INTEGER>." SHORT ".f64 $0,$1", "conversion.f64"},
    {"F2I.U64 NTZ", "Of", "cvt<INTEGER><FTZ:.ftz|>.u64.f32 $0,$1", "conversion.f2i"},
    {"F2I.S64 NTZ", "Of", "cvt<INTEGER><FTZ:.ftz|>.s64.f32 $0,$1", "conversion.f2i"},
    {"F2I NTZ", "of", "cvt<INTEGER><FTZ:.ftz|>." SHORT ".f32 $0,$1", "conversion.f2i"},

    /* ---- integers ---- */
    {"IADD3.64", "OPPIIIpp",
     "add.u64 %w0,$3,$4;setp.lt.u64 %s0,%w0,$3;add.u64 %w1,%w0,$5;setp.lt.u64 "
     "%s1,%w1,%w0;or.pred $1,%s0,%s1;mov.b64 $0,%w1",
     "iadd"},
    {"IADD3.64", "OPPIII",
     "add.u64 %w0,$3,$4;setp.lt.u64 %s0,%w0,$3;add.u64 %w1,%w0,$5;setp.lt.u64 "
     "%s1,%w1,%w0;or.pred $1,%s0,%s1;mov.b64 $0,%w1",
     "iadd"},
    {"IADD3.64", "OIII", "add.u64 %w0,$1,$2;add.u64 $0,%w0,$3", "iadd"},
    {"IADD3.X", "oiiipp",
     "selp.b32 %t0,1,0,$4;selp.b32 %t1,1,0,$5;add.u32 %t0,%t0,%t1;add.u32 %t0,%t0,$1;add.u32 "
     "%t0,%t0,$2;add.u32 $0,%t0,$3",
     "iadd.carry"},
    {"IADD3.X", "oiiip",
     "selp.b32 %t0,1,0,$4;add.u32 %t0,%t0,$1;add.u32 %t0,%t0,$2;add.u32 $0,%t0,$3", "iadd.carry"},
    {"IADD3.X", "oPiiipp",
     "selp.b64 %w0,1,0,$5;selp.b64 %w1,1,0,$6;add.u64 %w0,%w0,%w1;cvt.u64.u32 %w1,$2;add.u64 "
     "%w0,%w0,%w1;cvt.u64.u32 %w1,$3;add.u64 %w0,%w0,%w1;cvt.u64.u32 %w1,$4;add.u64 "
     "%w0,%w0,%w1;setp.gt.u64 $1,%w0,4294967295;mov.b64 {$0,_},%w0",
     "iadd.carry"},
    {"IADD3.X", "oPPiiipp",
     "selp.b64 %w0,1,0,$6;selp.b64 %w1,1,0,$7;add.u64 %w0,%w0,%w1;cvt.u64.u32 %w1,$3;add.u64 "
     "%w0,%w0,%w1;cvt.u64.u32 %w1,$4;add.u64 %w0,%w0,%w1;cvt.u64.u32 %w1,$5;add.u64 "
     "%w0,%w0,%w1;setp.gt.u64 $1,%w0,4294967295;setp.gt.u64 $2,%w0,8589934591;mov.b64 "
     "{$0,_},%w0",
     "iadd.carry"},
    {"IADD3", "oiii", "add.u32 %t0,$1,$2;add.u32 $0,%t0,$3", "iadd"},
    {"IADD3", "oPeee",
     "add.u64 %w0,$2,$3;add.u64 %w0,%w0,$4;setp.gt.u64 $1,%w0,4294967295;mov.b64 {$0,_},%w0",
     "iadd.carry"},
    {"IADD3", "oPPeee",
     "add.u64 %w0,$3,$4;add.u64 %w0,%w0,$5;setp.gt.u64 $1,%w0,4294967295;setp.gt.u64 "
     "$2,%w0,8589934591;mov.b64 {$0,_},%w0",
     "iadd.carry"},
    {"IADD.64.X", "OIIp", "selp.b64 %w0,1,0,$3;add.u64 %w0,%w0,$1;add.u64 $0,%w0,$2", "iadd.carry"},
    {"IADD.64", "OPII", "add.u64 %w0,$2,$3;setp.lt.u64 $1,%w0,$2;mov.b64 $0,%w0", "iadd.wide"},
    {"IADD.64", "OII", "add.u64 $0,$1,$2", "iadd.wide"},
    {"IADD", "oii", "add.u32 $0,$1,$2", "iadd"},
    {"VIADD.16x2", "oii", "add.u16x2 $0,$1,$2", "iadd"},
    {"VIADD.ISAT", "oii", "add.sat.s32 $0,$1,$2", "iadd"},
    {"VIADD", "oii", "add.u32 $0,$1,$2", "iadd"},
    {"IMAD.WIDE.U32.X", "OPiiIp",
     "mul.wide.u32 %w0,$2,$3;selp.b64 %w1,1,0,$5;add.u64 %w1,%w1,$4;add.u64 "
     "%w2,%w0,%w1;setp.lt.u64 $1,%w2,%w0;mov.b64 $0,%w2",
     "imad.wide"},
    {"IMAD.WIDE.U32.X", "OiiIp",
     "mul.wide.u32 %w0,$1,$2;selp.b64 %w1,1,0,$4;add.u64 %w1,%w1,$3;add.u64 $0,%w0,%w1",
     "imad.wide"},
    {"IMAD.WIDE.U32", "OPiiI",
     "mul.wide.u32 %w0,$2,$3;add.u64 %w1,%w0,$4;setp.lt.u64 $1,%w1,%w0;mov.b64 $0,%w1",
     "imad.wide"},
    {"IMAD.WIDE.U32", "OiiI", "mad.wide.u32 $0,$1,$2,$3", "imad.wide"},
    {"IMAD.WIDE", "OPiiI",
     "mul.wide.s32 %w0,$2,$3;add.u64 %w1,%w0,$4;setp.lt.u64 $1,%w1,%w0;mov.b64 $0,%w1",
     "imad.wide"},
    {"IMAD.WIDE", "OiiI", "mad.wide.s32 $0,$1,$2,$3", "imad.wide"},
    {"IMAD.HI.U32.X", "oiiIp",
     "mul.wide.u32 %w0,$1,$2;selp.b64 %w1,1,0,$4;add.u64 %w1,%w1,$3;add.u64 %w0,%w0,%w1;mov.b64 "
     "{_,$0},%w0",
     "imad.high"},
    {"IMAD.HI.U32", "oPiiI",
     "mul.wide.u32 %w0,$2,$3;add.u64 %w1,%w0,$4;setp.lt.u64 $1,%w1,%w0;mov.b64 {_,$0},%w1",
     "imad.high"},
    {"IMAD.HI.U32", "oiiI", "mad.wide.u32 %w0,$1,$2,$3;mov.b64 {_,$0},%w0", "imad.high"},
    {"IMAD.HI", "oPiiI",
     "mul.wide.s32 %w0,$2,$3;add.u64 %w1,%w0,$4;setp.lt.u64 $1,%w1,%w0;mov.b64 {_,$0},%w1",
     "imad.high"},
    {"IMAD.HI", "oiiI", "mad.wide.s32 %w0,$1,$2,$3;mov.b64 {_,$0},%w0", "imad.high"},
    {"IMAD.X U32", "oiiip", "selp.b32 %t0,1,0,$4;mad.lo.u32 %t1,$1,$2,$3;add.u32 $0,%t0,%t1",
     "imad"},
    {"IMAD.X U32", "oPiiip",
     "selp.b64 %w0,1,0,$5;mad.lo.u32 %t1,$2,$3,0;cvt.u64.u32 %w1,%t1;add.u64 "
     "%w0,%w0,%w1;cvt.u64.u32 %w1,$4;add.u64 %w0,%w0,%w1;setp.gt.u64 "
     "$1,%w0,4294967295;mov.b64 {$0,_},%w0",
     "imad"},
    {"IMAD.MOV U32", "oiii", "mov.b32 $0,$3", "imad"},
    {"IMAD U32 SHL IADD", "oiii", "mad.lo.u32 $0,$1,$2,$3", "imad"},
    {"IMUL", "oii", "mul.lo.u32 $0,$1,$2", "imad"},
    {"LEA.HI.X.SX32", "oiinp",
     "cvt.s64.s32 %w0,$1;shl.b64 %w0,%w0,$3;mov.b64 {_,%t0},%w0;selp.b32 %t1,1,0,$4;add.u32 "
     "%t0,%t0,%t1;add.u32 $0,%t0,$2",
     "iadd.lea"},
    {"LEA.HI.X", "oiiinp",
     "mov.b64 %w0,{$1,$3};shl.b64 %w0,%w0,$4;mov.b64 {_,%t0},%w0;selp.b32 %t1,1,0,$5;add.u32 "
     "%t0,%t0,%t1;add.u32 $0,%t0,$2",
     "iadd.lea"},
    {"LEA.HI.SX32", "oPien",
     "cvt.s64.s32 %w0,$2;shl.b64 %w0,%w0,$4;mov.b64 {_,%t0},%w0;" ADD_TO("%t0", "$3"), "iadd.lea"},
    {"LEA.HI.SX32", "oiin",
     "cvt.s64.s32 %w0,$1;shl.b64 %w0,%w0,$3;mov.b64 {_,%t0},%w0;add.u32 $0,%t0,$2", "iadd.lea"},
    {"LEA.HI", "oPiein",
     "mov.b64 %w0,{$2,$4};shl.b64 %w0,%w0,$5;mov.b64 {_,%t0},%w0;" ADD_TO("%t0", "$3"), "iadd.lea"},
    {"LEA.HI", "oiiin",
     "mov.b64 %w0,{$1,$3};shl.b64 %w0,%w0,$4;mov.b64 {_,%t0},%w0;add.u32 $0,%t0,$2", "iadd.lea"},
    {"LEA", "oPken",
     "shl.b32 %t0,$2,$4;cvt.u64.u32 %w0,%t0;sub.s64 %w0,4294967296,%w0;" SUM_OF("%w0", "$3"),
     "iadd.lea"},
    {"LEA", "oPien", "shl.b32 %t0,$2,$4;" ADD_TO("%t0", "$3"), "iadd.lea"},
    {"LEA", "oiin", "shl.b32 %t0,$1,$3;add.u32 $0,%t0,$2", "iadd.lea"},
    {"LOP3.LUT", "Poiiinp", "lop3.b32 %t0,$2,$3,$4,$5;setp.ne.or.u32 $0,%t0,0,$6;mov.b32 $1,%t0",
     "logic"},
    {"LOP3.LUT", "oiiinp", "lop3.b32 $0,$1,$2,$3,$4", "logic"},
    {"LOP3.LUT", "oiiin", "lop3.b32 $0,$1,$2,$3,$4", "logic"},
    {"PLOP3.LUT", "PPpppnn",
     "selp.b32 %t0,-1,0,$2;selp.b32 %t1,-1,0,$3;selp.b32 %t2,-1,0,$4;lop3.b32 "
     "%t3,%t0,%t1,%t2,$5;lop3.b32 %t4,%t0,%t1,%t2,$6;setp.ne.u32 $1,%t4,0;setp.ne.u32 $0,%t3,0",
     "logic.predicate"},
    {"SHF.L.U64.HI", "oiii", "mov.b64 %w0,{$1,$3};shl.b64 %w0,%w0,$2;mov.b64 {_,$0},%w0", "shift"},
    {"SHF.L.U64", "oiii", "mov.b64 %w0,{$1,$3};shl.b64 %w0,%w0,$2;mov.b64 {$0,_},%w0", "shift"},
    {"SHF.R.U64.HI", "oiii", "mov.b64 %w0,{$1,$3};shr.u64 %w0,%w0,$2;mov.b64 {_,$0},%w0", "shift"},
    {"SHF.R.U64", "oiii", "mov.b64 %w0,{$1,$3};shr.u64 %w0,%w0,$2;mov.b64 {$0,_},%w0", "shift"},
    {"SHF.R.S64.HI", "oiii", "mov.b64 %w0,{$1,$3};shr.s64 %w0,%w0,$2;mov.b64 {_,$0},%w0", "shift"},
    {"SHF.R.S64", "oiii", "mov.b64 %w0,{$1,$3};shr.s64 %w0,%w0,$2;mov.b64 {$0,_},%w0", "shift"},
    {"SHF.L.W.U32.HI", "oiii", "shf.l.wrap.b32 $0,$1,$3,$2", "shift"},
    {"SHF.R.W.U32.HI", "oiii", "shr.b32 $0,$3,$2", "shift"},
    {"SHF.R.W.U32", "oiii", "shf.r.wrap.b32 $0,$1,$3,$2", "shift"},
    {"SHF.L.W.U32", "oiii", "and.b32 %t0,$2,31;shl.b32 $0,$1,%t0", "shift"},
    {"SHF.L.U32.HI", "oiii", "shf.l.clamp.b32 $0,$1,$3,$2", "shift"},
    {"SHF.L.U32", "oiii", "shl.b32 $0,$1,$2", "shift"},
    {"SHF.R.U32.HI", "oiii", "shr.u32 $0,$3,$2", "shift"},
    {"SHF.R.S32.HI", "oiii", "shr.s32 $0,$3,$2", "shift"},
    {"SHF.R.U32", "oiii", "shf.r.clamp.b32 $0,$1,$3,$2", "shift"},
    {"SEL.64", "OIIp", "selp.b64 $0,$1,$2,$3", "logic.select"},
    {"SEL", "oiip", "selp.b32 $0,$1,$2,$3", "logic.select"},
    {"ISETP.U64", "PPIIp", "setp<COMPARE><COMBINE>.u64 $0|$1,$2,$3,$4", "iadd.setp"},
    {"ISETP.S64", "PPIIp", "setp<COMPARE><COMBINE>.s64 $0|$1,$2,$3,$4", "iadd.setp"},
    {"ISETP.EQ.EX U32", "PPiipp",
     "setp.eq.and.u32 %s0,$2,$3,$5;not.pred %s1,%s0;<COMBINED> $1,%s1,$4;<COMBINED> $0,%s0,$4",
     "iadd.setp"},
    {"ISETP.NE.EX U32", "PPiipp",
     "setp.ne.or.u32 %s0,$2,$3,$5;not.pred %s1,%s0;<COMBINED> $1,%s1,$4;<COMBINED> $0,%s0,$4",
     "iadd.setp"},
    {"ISETP.EX", "PPiipp",
     "setp.eq.and.u32 %s0,$2,$3,$5;setp<STRICT>.or.<U32:u32|s32> %s0,$2,$3,%s0;not.pred "
     "%s1,%s0;<COMBINED> $1,%s1,$4;<COMBINED> $0,%s0,$4",
     "iadd.setp"},
    {"ISETP", "PPiip", "setp<COMPARE><COMBINE>.<U32:u32|s32> $0|$1,$2,$3,$4", "iadd.setp"},
    {"IMNMX.S64", "OIIp", "min.s64 %w0,$1,$2;max.s64 %w1,$1,$2;selp.b64 $0,%w0,%w1,$3",
     "iadd.minmax"},
    {"IMNMX.U64", "OIIp", "min.u64 %w0,$1,$2;max.u64 %w1,$1,$2;selp.b64 $0,%w0,%w1,$3",
     "iadd.minmax"},
    {"IMNMX", "oiip",
     "min.<U32:u32|s32> %t0,$1,$2;max.<U32:u32|s32> %t1,$1,$2;selp.b32 $0,%t0,%t1,$3",
     "iadd.minmax"},
    {"VIMNMX.S16x2", "oiip",
     "min<RELU:.relu|>.s16x2 %t0,$1,$2;max<RELU:.relu|>.s16x2 %t1,$1,$2;selp.b32 $0,%t0,%t1,$3",
     "iadd.minmax"},
    {"VIMNMX.U16x2", "oiip", "min.u16x2 %t0,$1,$2;max.u16x2 %t1,$1,$2;selp.b32 $0,%t0,%t1,$3",
     "iadd.minmax"},
    {"VIMNMX.RELU", "oiip", "min.relu.s32 %t0,$1,$2;max.relu.s32 %t1,$1,$2;selp.b32 $0,%t0,%t1,$3",
     "iadd.minmax"},
    {"VIMNMX", "oiip",
     "min.<U32:u32|s32> %t0,$1,$2;max.<U32:u32|s32> %t1,$1,$2;selp.b32 $0,%t0,%t1,$3",
     "iadd.minmax"},
    {"VIMNMX3", "oiiip",
     "min.<U32:u32|s32> %t0,$1,$2;min.<U32:u32|s32> %t0,%t0,$3;max.<U32:u32|s32> "
     "%t1,$1,$2;max.<U32:u32|s32> %t1,%t1,$3;selp.b32 $0,%t0,%t1,$4",
     "iadd.minmax"},
    {"VIADDMNMX", "oiiip",
     "add.u32 %t2,$1,$2;min.<U32:u32|s32> %t0,%t2,$3;max.<U32:u32|s32> %t1,%t2,$3;selp.b32 "
     "$0,%t0,%t1,$4",
     "iadd.minmax"},
    {"IABS", "oi", "abs.s32 $0,$1", "iadd.sign"},
    {"VABSDIFF.U32", "oiii", "sad.u32 $0,$1,$2,$3", "iadd.sad"},
    {"VABSDIFF", "oiii", "sad.s32 $0,$1,$2,$3", "iadd.sad"},
    {"VABSDIFF4.U8.ACC", "oiii", "vabsdiff4.u32.u32.u32.add $0,$1,$2,$3", "iadd.sad"},
    {"VABSDIFF4.U8", "oiii", "vabsdiff4.u32.u32.u32 $0,$1,$2,$3", "iadd.sad"},
    {"IDP.2A LO S16 S8", "oiii", "dp2a<HI:.hi|.lo><U16:.u32|.s32><U8:.u32|.s32> $0,$1,$2,$3",
     "imad.dot"},
    {"IDP.4A.U8.U8", "oiii", "dp4a.u32.u32 $0,$1,$2,$3", "imad.dot"},
    {"IDP.4A.U8.S8", "oiii", "dp4a.u32.s32 $0,$1,$2,$3", "imad.dot"},
    {"IDP.4A.S8.U8", "oiii", "dp4a.s32.u32 $0,$1,$2,$3", "imad.dot"},
    {"IDP.4A.S8.S8", "oiii", "dp4a.s32.s32 $0,$1,$2,$3", "imad.dot"},
    {"POPC", "oi", "popc.b32 $0,$1", "conversion.bits"},
    {"FLO.U32.SH", "oi", "bfind.shiftamt.u32 $0,$1", "conversion.bits"},
    {"FLO.U32", "oi", "bfind.u32 $0,$1", "conversion.bits"},
    {"FLO.SH", "oi", "bfind.shiftamt.s32 $0,$1", "conversion.bits"},
    {"FLO", "oi", "bfind.s32 $0,$1", "conversion.bits"},
    {"BREV", "oi", "brev.b32 $0,$1", "conversion.bits"},
    {"SGXT.W.U32", "oii", "szext.wrap.u32 $0,$1,$2", "shift.field"},
    {"SGXT.W", "oii", "szext.wrap.s32 $0,$1,$2", "shift.field"},
    {"SGXT.U32", "oii", "bfe.u32 $0,$1,0,$2", "shift.field"},
    {"SGXT", "oii", "bfe.s32 $0,$1,0,$2", "shift.field"},
    {"BMSK", "oii", "bmsk.<W:wrap|clamp>.b32 $0,$1,$2", "shift.field"},
    {"PRMT", "oiii",
     "prmt.b32<F4E:.f4e|B4E:.b4e|RC8:.rc8|ECL:.ecl|ECR:.ecr|RC16:.rc16|> $0,$1,$3,$2",
     "logic.permute"},

    /* ---- moves ---- */
    {"MOV.64", "OI", "mov.b64 $0,$1", "logic.mov"},
    {"MOV", "oi", "mov.b32 $0,$1", "logic.mov"},
    {"MOV", "oin", "mov.b32 $0,$1", "logic.mov"},
    {"R2UR BROADCAST", "oi",
     "^setp.ne.u32 %s0,0,0;setp.eq.u32 %s0,0,0;^vote.ballot.b32 %t0,%s0;^setp.ne.u32 %s1,%t0,0;^"
     "brev.b32 %t0,%t0;^bfind.shiftamt.u32 %t0,%t0;^@%s1 shfl.idx.b32 $0,$1,%t0,31",
     "logic.mov"},
    {"R2UR.OR", "Roi",
     "^setp.ne.u32 %s0,0,0;setp.eq.u32 %s0,0,0;^vote.ballot.b32 %t0,%s0;^setp.ne.u32 %s1,%t0,0;^"
     "brev.b32 %t0,%t0;^bfind.shiftamt.u32 %t0,%t0;*^@%s1 shfl.idx.b32 $1,$2,%t0,31;setp.ne.or.u32 "
     "$0,$1,$2,$0",
     "logic.mov"},
    {"R2UR", "Poi",
     "^setp.ne.u32 %s0,0,0;setp.eq.u32 %s0,0,0;^vote.ballot.b32 %t0,%s0;^setp.ne.u32 %s1,%t0,0;^"
     "brev.b32 %t0,%t0;^bfind.shiftamt.u32 %t0,%t0;*^@%s1 shfl.idx.b32 $1,$2,%t0,31;setp.ne.u32 "
     "$0,$1,$2",
     "logic.mov"},
    {"S2R", "ox", "mov.u32 $0,<SPECIAL>", "logic.special"},
    {"S2UR", "ox", "mov.u32 $0,<SPECIAL>", "logic.special"},
    {"CS2UR", "ox", "mov.u32 $0,<SPECIAL>", "logic.special"},
    {"CS2UR.32", "ox", "mov.u32 $0,<SPECIAL>", "logic.special"},
    {"CS2R.32", "ox", "mov.u32 $0,<SPECIAL>", "logic.special"},
    {"CS2R", "Ox", "mov.u64 $0,<SPECIAL>", "logic.special"},
    {"LEPC", "On", "mov.u64 $0,$1", "logic.mov"},
    {"LEPC", "O", "mov.u64 $0,0", "logic.mov"},
    {"P2R", "oin", "<PREDICATES>", "logic.predicate"},
    {"UP2UR", "oxin", "<PREDICATES>", "logic.predicate"},
    {"UR2UP", "xin", "<SET>", "logic.predicate"},
    {"R2P", "in", "<SET>", "logic.predicate"},
    {"R2P", "xin", "<SET>", "logic.predicate"},

    /* ---- memory ---- */
    {"LDC", "Vc", "<LOAD>", "constant"},
    {"ULDC", "Vc", "<LOAD>", "logic.mov"}, /* its result is there as soon as that of a move */
    /* what is loaded last is named first; a number says which of the eight are wanted */
    {"LDG.256", "UUAn", "*ld<STRONG:.relaxed.gpu|>.global<CONSTANT:.nc|>.v8.b32 {$1,$0},$2", NULL},
    {"LDG.256", "UUA", "*ld<STRONG:.relaxed.gpu|>.global<CONSTANT:.nc|>.v8.b32 {$1,$0},$2", NULL},
    OF_ALL("F32x4", "QA", "v4.f32"),
    OF_ALL("F32x2", "DA", "v2.f32"),
    OF_ALL("F32", "oA", "f32"),
    OF_ALL_HALVES("F16", "f16x2"),
    OF_ALL_HALVES("BF16", "bf16x2"),
    OF_ALL("64", "OA", "u64"),
    OF_ALL("S64", "OA", "u64"),
    OF_ALL("F64", "OA", "f64"),
    OF_ALL("32", "oA", "u32"),
    OF_ALL("S32", "oA", "u32"),
    OF_ALL("U32", "oA", "u32"),
    {"USTGR", "AW", ONE "st.global<WIDTH> $0,$1", NULL},
    {"UREDGR", "Ai", ONE "red.global<OPERATION><TYPE> $0,$1", NULL},
    {"STG.256", "Auu", "*st<STRONG:.relaxed.gpu|>.global.v8.b32 $0,{$1,$2}", NULL},
    {"LDG", "VA", "*ld<STRONG:.relaxed.gpu|>.global<CONSTANT:.nc|><WIDTH> $0,$1", NULL},
    {"LD", "VA", "*ld<STRONG:.relaxed.gpu|><WIDTH> $0,$1", NULL},
    {"LDS", "Va", "*ld.shared<WIDTH> $0,$1", NULL},
    {"LDL", "Va", "*ld.local<LU:.lu|><WIDTH> $0,$1", NULL},
    {"STG", "AW", "*st<STRONG:.relaxed.gpu|>.global<WIDTH> $0,$1", NULL},
    {"ST", "AW", "*st<STRONG:.relaxed.gpu|><WIDTH> $0,$1", NULL},
    {"STS", "aW", "*st.shared<WIDTH> $0,$1", NULL},
    {"STL", "aW", "*st.local<WIDTH> $0,$1", NULL},
    {"ATOMG.CAS.64", "OAII", "*atom.global.cas.b64 $0,$1,$2,$3", NULL},
    {"ATOMG.CAS", "oAii", "*atom.global.cas.b32 $0,$1,$2,$3", NULL},
    {"ATOM.CAS.64", "OAII", "*atom.cas.b64 $0,$1,$2,$3", NULL},
    {"ATOM.CAS", "oAii", "*atom.cas.b32 $0,$1,$2,$3", NULL},
    {"ATOM.CAST.SPIN.64", "OAII",
     "*atom.cas.b64 %w0,$1,$2,$3;setp.eq.u64 %s0,%w0,$2;selp.b64 $0,1,0,%s0", NULL},
    {"ATOM.CAST.SPIN", "oAii",
     "*atom.cas.b32 %t0,$1,$2,$3;setp.eq.u32 %s0,%t0,$2;selp.b32 $0,1,0,%s0", NULL},
    {"ATOMG.S64", "OAI", "*atom.global<OPERATION>.s64 $0,$1,$2", NULL},
    {"ATOMG.F64", "OAI", "*atom.global<OPERATION>.f64 $0,$1,$2", NULL},
    {"ATOMG.64", "OAI", "*atom.global<OPERATION>.u64 $0,$1,$2", NULL},
    HALVES_FROM("BF16", "bf16x2"),
    HALVES_FROM("F16", "f16x2"),
    {"ATOMG.F32x2 FTZ", "DAd", "*atom.global.v2.f32<OPERATION> $0,$1,$2", NULL},
    {"ATOMG.F32x4 FTZ", "QAq", "*atom.global.v4.f32<OPERATION> $0,$1,$2", NULL},
    {"ATOMG FTZ", "oAi", "*atom.global<OPERATION><TYPE> $0,$1,$2", NULL},
    {"ATOM.S64", "OAI", "*atom<OPERATION>.s64 $0,$1,$2", NULL},
    {"ATOM.F64", "OAI", "*atom<OPERATION>.f64 $0,$1,$2", NULL},
    {"ATOM.64", "OAI", "*atom<OPERATION>.u64 $0,$1,$2", NULL},
    {"ATOM FTZ", "oAi", "*atom<OPERATION><TYPE> $0,$1,$2", NULL},
    /* with a predicate: FALSE, and nothing done, in memory that has no such unit. What ptxas then
     * does tells where: none has own memory; the group's shared memory has none for 64 bits, but to
     * exchange, and for numbers with a fraction; that of other groups of a cluster has none for
     * singles and doubles. */
    {"ATOM.EXCH.64", "POGI",
     "isspacep.local %s0,$2;not.pred %s0,%s0;*@%s0 atom.exch.b64 $1,[$2],$3;mov.pred $0,%s0", NULL},
    {"ATOM.CAS.64", "POGII",
     "isspacep.local %s0,$2;not.pred %s0,%s0;*@%s0 atom.cas.b64 $1,[$2],$3,$4;mov.pred $0,%s0",
     NULL},
    {"ATOM.CAS", "PoGii",
     "isspacep.local %s0,$2;not.pred %s0,%s0;*@%s0 atom.cas.b32 $1,[$2],$3,$4;mov.pred $0,%s0",
     NULL},
    {"ATOM.F64", "POGI",
     "isspacep.global %s0,$2;*@%s0 atom<OPERATION>.f64 $1,[$2],$3;mov.pred $0,%s0", NULL},
    {"ATOM.F32 FTZ", "PoGi",
     "isspacep.global %s0,$2;*@%s0 atom<OPERATION><TYPE> $1,[$2],$3;mov.pred $0,%s0", NULL},
    {"ATOM.F16x2", "PoGi", NOT_OWN "*@%s0 atom<OPERATION><TYPE> $1,[$2],$3;mov.pred $0,%s0", NULL},
    {"ATOM.BF16x2", "PoGi", NOT_OWN "*@%s0 atom<OPERATION><TYPE> $1,[$2],$3;mov.pred $0,%s0", NULL},
    {"ATOM.S64", "POGI", NOT_OWN "*@%s0 atom<OPERATION>.s64 $1,[$2],$3;mov.pred $0,%s0", NULL},
    {"ATOM.64", "POGI", NOT_OWN "*@%s0 atom<OPERATION>.u64 $1,[$2],$3;mov.pred $0,%s0", NULL},
    {"ATOM", "PoGi",
     "isspacep.local %s0,$2;not.pred %s0,%s0;*@%s0 atom<OPERATION><TYPE> $1,[$2],$3;mov.pred "
     "$0,%s0",
     NULL},
    {"QSPC.S", "PoG", "isspacep.shared $0,$2", "iadd.setp"},
    {"QSPC.L", "PoG", "isspacep.local $0,$2", "iadd.setp"},
    {"QSPC.G", "PoG", "isspacep.global $0,$2", "iadd.setp"},
    {"QSPC.D", "PoG", "isspacep.shared::cluster $0,$2", "iadd.setp"}, /* of all groups */
    {"ATOMS.CAS.64", "OaII", "*atom.shared.cas.b64 $0,$1,$2,$3", NULL},
    {"ATOMS.CAS", "oaii", "*atom.shared.cas.b32 $0,$1,$2,$3", NULL},
    {"ATOMS.CAST.SPIN.64", "PaII", "*atom.shared.cas.b64 %w0,$1,$2,$3;setp.eq.u64 $0,%w0,$2", NULL},
    {"ATOMS.CAST.SPIN.64", "OaII",
     "*atom.shared.cas.b64 %w0,$1,$2,$3;setp.eq.u64 %s0,%w0,$2;selp.b64 $0,1,0,%s0", NULL},
    {"ATOMS.CAST.SPIN", "Paii", "*atom.shared.cas.b32 %t0,$1,$2,$3;setp.eq.u32 $0,%t0,$2", NULL},
    {"ATOMS.CAST.SPIN", "oaii",
     "*atom.shared.cas.b32 %t0,$1,$2,$3;setp.eq.u32 %s0,%t0,$2;selp.b32 $0,1,0,%s0", NULL},
    {"ATOMS.POPC.INC.32", "oa", "*atom.shared.add.u32 $0,$1,1", NULL},
    {"ATOMS.64", "OaI", "*atom.shared<OPERATION>.u64 $0,$1,$2", NULL},
    {"ATOMS", "oai", "*atom.shared<OPERATION><TYPE> $0,$1,$2", NULL},
    {"REDG.S64", "AI", "*red.global<OPERATION>.s64 $0,$1", NULL},
    {"REDG.F64", "AI", "*red.global<OPERATION>.f64 $0,$1", NULL},
    {"REDG.64", "AI", "*red.global<OPERATION>.u64 $0,$1", NULL},
    HALVES_TO("BF16", "bf16x2"),
    HALVES_TO("F16", "f16x2"),
    {"REDG.F32x2 FTZ", "Ad", "*red.global.v2.f32<OPERATION> $0,$1", NULL},
    {"REDG.F32x4 FTZ", "Aq", "*red.global.v4.f32<OPERATION> $0,$1", NULL},
    {"REDG FTZ", "Ai", "*red.global<OPERATION><TYPE> $0,$1", NULL},
    {"RED.S64", "AI", "*red.global<OPERATION>.s64 $0,$1", NULL},
    {"RED.F64", "AI", "*red.global<OPERATION>.f64 $0,$1", NULL},
    {"RED.64", "AI", "*red.global<OPERATION>.u64 $0,$1", NULL},
    {"RED FTZ", "Ai", "*red.global<OPERATION><TYPE> $0,$1", NULL},
    /* The rows with a predicate stand first: those without pass over PT and !PT, and !PT copies
     * nothing. nvdisasm 12.8 to 13.1 writes the predicate first, or behind a place with a
     * descriptor, which it moves to the front. */
    ZEROS_FROM("aGp", "$0", "$1", "$2"),
    ZEROS_FROM("paG", "$1", "$2", "$0"),
    ZEROS_FROM("Gpa", "$2", "$0", "$1"),
    ZEROS_FROM("aG", "$0", "$1", "1"),
    ZEROS_FROM("Ga", "$1", "$0", "1"),
    {"LDGSTS", "aAp",
     "selp.b32 %t0,<BYTES>,0,$2;*cp.async<BYPASS:.cg|.ca>.shared.global $0,$1,<BYTES>,%t0", NULL},
    {"LDGSTS", "paA",
     "selp.b32 %t0,<BYTES>,0,$0;*cp.async<BYPASS:.cg|.ca>.shared.global $1,$2,<BYTES>,%t0", NULL},
    {"LDGSTS", "Apa",
     "selp.b32 %t0,<BYTES>,0,$1;*cp.async<BYPASS:.cg|.ca>.shared.global $2,$0,<BYTES>,%t0", NULL},
    {"LDGSTS", "aA", "*cp.async<BYPASS:.cg|.ca>.shared.global $0,$1,<BYTES>", NULL},
    {"LDGSTS", "Aa", "*cp.async<BYPASS:.cg|.ca>.shared.global $1,$0,<BYTES>", NULL},
    {"LDGDEPBAR", "", "cp.async.commit_group", "logic.mov"},
    {"DEPBAR.LE", "xn", "cp.async.wait_group $1", "logic.mov"},
    {"DEPBAR", "*", NULL, "logic.mov"},
    {"UTMACMDFLUSH", "", "cp.async.bulk.commit_group", NULL},
    {"UBLKCP.S.G.MULTICAST", "bAi", SEVERAL, NULL},
    {"UBLKCP.S.G.MULTICAST", "bAix", SEVERAL, NULL},
    {"UBLKCP.S.G", "bAi", ONE_GROUP, NULL},
    {"UBLKCP.S.G", "bAix", ONE_GROUP, NULL},
    {"UBLKCP.S.S", "bai",
     "mov.b64 {%t0,%t1},$0;and.b32 %t2,$2,65535;shl.b32 %t2,%t2,4;activemask.b32 %t3;elect.sync "
     "%t3|%s0,%t3;*@%s0 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes "
     "[%t0],$1,%t2,[%t1]",
     NULL},
    {"UBLKCP.G.S", "Aai", MANY "cp.async.bulk.global.shared::cta.bulk_group $0,$1,%t2", NULL},
    {"UBLKCP.G.S", "Aaix", MANY "cp.async.bulk.global.shared::cta.bulk_group $0,$1,%t2", NULL},
    REDUCTION("ADD", "add", ".noftz"),
    REDUCTION("MIN", "min", ""),
    REDUCTION("MAX", "max", ""),
    REDUCTION("INC", "inc", ""),
    REDUCTION("DEC", "dec", ""),
    REDUCTION("AND", "and", ""),
    REDUCTION("OR", "or", ""),
    REDUCTION("XOR", "xor", ""),
    {"STAS", "bW",
     "mov.b64 {%t0,%t1},$0;*st.async.shared::cluster.mbarrier::complete_tx::bytes<WIDTH> "
     "[%t0],$1,[%t1]",
     NULL},
    {"REDAS.64", "bI",
     "mov.b64 {%t0,%t1},$0;*red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes"
     "<OPERATION>.u64 [%t0],$1,[%t1]",
     NULL},
    {"REDAS", "bi",
     "mov.b64 {%t0,%t1},$0;*red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes"
     "<OPERATION><TYPE> [%t0],$1,[%t1]",
     NULL},
    TENSOR("1D"),
    TENSOR("2D"),
    TENSOR("3D"),
    TENSOR("4D"),
    TENSOR("5D"),
    {"UBLKPF.L2", "Ai", "cp.async.bulk.prefetch.L2.global $0,$1", NULL},
    /* Order, and hints to caches and schedulers: steps are in order, so these do nothing. */
    {"MEMBAR.CTA", "*", NULL, "memory.fence.group"},
    {"MEMBAR", "*", NULL, "memory.fence"},
    {"ERRBAR", "*", NULL, "branch.sync"},
    {"CGAERRBAR", "*", NULL, "branch.sync"},
    {"FENCE.VIEW.ASYNC.T", "", "tcgen05.wait::st.sync.aligned", "logic.mov"},
    {"FENCE", "*", NULL, "memory.fence.group"},
    {"CCTL.PF1", "*", NULL, "global.load.prefetch"},
    {"CCTL.PF2", "*", NULL, "global.load.prefetch"},
    {"CCTL", "*", NULL, "memory.fence.group"},
    {"CCTLL", "*", NULL, "memory.fence.group"},
    {"CCTLT", "*", NULL, "memory.fence.group"},
    {"UTMACCTL.PF", "*", NULL, "global.load.prefetch"},
    {"UTMACCTL", "*", NULL, "memory.fence.group"},
    {"UTMAPF", "*", NULL, "global.load.prefetch"},
    {"WARPGROUP.ARRIVE", "", "wgmma.fence.sync.aligned", "logic.mov"},
    {"WARPGROUP.DEPBAR.LE", "xn", "wgmma.wait_group.sync.aligned $1", "logic.mov"},
    {"WARPGROUPSET", "*", NULL, "logic.mov"},
    /* it tries again until there are enough: here it waits */
    {"USETMAXREG.TRY_ALLOC.CTAPOOL", "Pn", "setmaxnreg.inc.sync.aligned.u32 $1;setp.eq.u32 $0,0,0",
     "branch.sync"},
    {"USETMAXREG.DEALLOC.CTAPOOL", "n", "setmaxnreg.dec.sync.aligned.u32 $0", "branch.sync"},
    {"ACQBULK", "*", NULL, "memory.fence"},
    {"ACQSHMINIT", "*", NULL, "memory.fence"},
    {"PREEXIT", "*", NULL, "branch.sync"},
    {"PMTRIG", "*", NULL, "branch.sync"},
    {"UCGABAR_ARV", "*", "barrier.cluster.arrive.relaxed.aligned", NULL},
    {"UCGABAR_WAIT", "*", "barrier.cluster.wait.aligned", NULL},

    /* ---- mbarriers: words as ptx/run/mbarrier.c has them ---- */
    {"SYNCS.EXCH.64", "OaI",
     "mov.b64 {%t0,%t1},$2;shr.u32 %t0,%t0,1;sub.u32 %t0,1048576,%t0;activemask.b32 "
     "%t1;elect.sync %t1|%s0,%t1;*@%s0 mbarrier.init.shared.b64 $1,%t0",
     NULL},
    {"SYNCS.CCTL.IV", "a", "mbarrier.inval.shared.b64 $0", NULL},
    {"SYNCS.ARRIVE.TRANS64.RED.A0TR", "oai",
     "mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64 $1,$2", NULL},
    {"SYNCS.ARRIVE.TRANS64.RED.A0TX", "oai",
     "mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 $1,$2", NULL},
    {"SYNCS.ARRIVE.TRANS64.RED.A0T1", "oai",
     "mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64 $1,1", NULL},
    {"SYNCS.ARRIVE.TRANS64.RED.A1T0", "oai",
     "mbarrier.arrive.release.cluster.shared::cluster.b64 _,$1", NULL},
    {"SYNCS.ARRIVE.TRANS64.RED.OPTOUT.A1T0", "oai",
     "mbarrier.arrive_drop.release.cluster.shared::cluster.b64 _,$1", NULL},
    {"SYNCS.ARRIVE.TRANS64.RED.OPTOUT.ART0", "oai",
     "mbarrier.arrive_drop.release.cluster.shared::cluster.b64 _,$1,$2", NULL},
    {"SYNCS.ARRIVE.TRANS64.RED.OPTOUT", "oai",
     "mbarrier.arrive_drop.expect_tx.release.cluster.shared::cluster.b64 _,$1,$2", NULL},
    {"SYNCS.ARRIVE.TRANS64.RED.ART0", "oai",
     "mbarrier.arrive.release.cluster.shared::cluster.b64 _,$1,$2", NULL},
    {"SYNCS.ARRIVE.TRANS64.RED", "oai",
     "mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _,$1,$2", NULL},
    {"SYNCS.ARRIVE.TRANS64.OPTOUT.A1T0", "Oai",
     "*mbarrier.arrive_drop.shared.b64 %w0,$1;mov.b64 $0,%w0", NULL},
    {"SYNCS.ARRIVE.TRANS64.OPTOUT.ART0", "Oai",
     "*mbarrier.arrive_drop.shared.b64 %w0,$1,$2;mov.b64 $0,%w0", NULL},
    {"SYNCS.ARRIVE.TRANS64.OPTOUT", "Oai",
     "*mbarrier.arrive_drop.expect_tx.shared.b64 %w0,$1,$2;mov.b64 $0,%w0", NULL},
    {"SYNCS.ARRIVE.TRANS64.A1T0", "Oai", "*mbarrier.arrive.shared.b64 %w0,$1;mov.b64 $0,%w0", NULL},
    {"SYNCS.ARRIVE.TRANS64.ART0", "Oai", "*mbarrier.arrive.shared.b64 %w0,$1,$2;mov.b64 $0,%w0",
     NULL},
    {"SYNCS.ARRIVE.TRANS64", "Oai",
     "*mbarrier.arrive.expect_tx.shared.b64 %w0,$1,$2;mov.b64 $0,%w0", NULL},
    {"SYNCS.PHASECHK.TRANS64.TRYWAIT", "Pai",
     "mov.b64 %w0,{0,$2};mbarrier.try_wait.shared.b64 $0,$1,%w0", NULL},
    {"SYNCS.PHASECHK.TRANS64", "Pai", "mov.b64 %w0,{0,$2};mbarrier.test_wait.shared.b64 $0,$1,%w0",
     NULL},
    {"ARRIVES.LDGSTSBAR.64.TRANSCNT", "a",
     "*cp.async.mbarrier.arrive.shared.b64 $0;mbarrier.complete_tx.relaxed.cta.shared::cta.b64 "
     "$0,1",
     NULL},
    {"ARRIVES.LDGSTSBAR.64.ARVCNT", "a", "cp.async.mbarrier.arrive.noinc.shared.b64 $0", NULL},

    {"UGETNEXTWORKID.SELFCAST", "aa",
     ONE "clusterlaunchcontrol.try_cancel.async.mbarrier::complete_tx::bytes.b128 $0,$1",
     "memory.fence"},
    {"UGETNEXTWORKID.BROADCAST", "aa",
     ONE "clusterlaunchcontrol.try_cancel.async.mbarrier::complete_tx::bytes."
         "multicast::cluster::all.b128 $0,$1",
     "memory.fence"},

    /* ---- lanes ---- */
    {"ELECT", "Po", "activemask.b32 %t0;elect.sync %t1|$0,%t0;mov.b32 $1,%t1", "logic.vote"},
    {"SHFL", "Poiii", "shfl<UP:.up|DOWN:.down|BFLY:.bfly|.idx>.b32 $1|$0,$2,$3,$4", "shuffle"},
    {"VOTE.ALL", "Pp", "vote.all.pred $0,$1", "logic.vote"},
    {"VOTE.ANY", "Pp", "vote.any.pred $0,$1", "logic.vote"},
    {"VOTE.EQ", "Pp", "vote.uni.pred $0,$1", "logic.vote"},
    {"VOTE.ALL", "oPp", "vote.ballot.b32 $0,$2;vote.all.pred $1,$2", "logic.vote"},
    {"VOTE.ANY", "oPp", "vote.ballot.b32 $0,$2;vote.any.pred $1,$2", "logic.vote"},
    {"VOTE.EQ", "oPp", "vote.ballot.b32 $0,$2;vote.uni.pred $1,$2", "logic.vote"},
    {"MATCH.ANY.U64", "oI", "activemask.b32 %t0;match.any.sync.b64 $0,$1,%t0", "shuffle.match"},
    {"MATCH.ALL.U64", "PoI", "activemask.b32 %t0;match.all.sync.b64 $1|$0,$2,%t0", "shuffle.match"},
    {"MOVM.16.MT88", "oi", "movmatrix.sync.aligned.m8n8.trans.b16 $0,$1", "shuffle.matrix"},
    {"MATCH.ANY", "oi", "activemask.b32 %t0;match.any.sync.b32 $0,$1,%t0", "shuffle.match"},
    {"MATCH.ALL", "Poi", "activemask.b32 %t0;match.all.sync.b32 $1|$0,$2,%t0", "shuffle.match"},
    {"REDUX.MIN", "oi", "activemask.b32 %t0;redux.sync.min<S32:.s32|.u32> $0,$1,%t0",
     "shuffle.reduce.minmax"},
    {"REDUX.MAX", "oi", "activemask.b32 %t0;redux.sync.max<S32:.s32|.u32> $0,$1,%t0",
     "shuffle.reduce.minmax"},
    {"REDUX", "oi", /* of no name: and */
     "activemask.b32 %t0;redux.sync<SUM:.add|OR:.or|XOR:.xor|.and><S32:.s32|SUM:.u32|.b32> "
     "$0,$1,%t0",
     "shuffle.reduce"},
    LEAST("CREDUX.MIN.F32", "min"),
    LEAST("CREDUX.MAX.F32", "max"),
    LEAST("CREDUX.MINABS.F32", "min.abs"),
    LEAST("CREDUX.MAXABS.F32", "max.abs"),
    {"CREDUX", "oi",
     "activemask.b32 %t0;redux.sync<SUM:.add|OR:.or|XOR:.xor|MIN:.min|MAX:.max|.and>"
     "<S32:.s32|SUM:.u32|MIN:.u32|MAX:.u32|.b32> $0,$1,%t0",
     "shuffle.reduce.minmax"},

    /* ---- matrices ---- */
    {"TEX SCR B LL LZ", "*", "<TEXTURE>", NULL},
    {"TLD SCR B LZ", "*", "<TEXTURE>", NULL},
    {"TLD4 SCR R G B A", "*", "<TEXTURE>", NULL},
    {"TXD B", "*", "<TEXTURE>", NULL},
    {"TXQ", "*", "<TEXTURE>", NULL},
    {"SULD.D.BA 1D 2D 3D 1D_ARRAY 2D_ARRAY U8 U16 64 128 TRAP IGN", "*", "<TEXTURE>", NULL},
    {"SUST.D.BA 1D 2D 3D 1D_ARRAY 2D_ARRAY U8 U16 64 128 TRAP IGN", "*", "<TEXTURE>", NULL},
    {"HGMMA", "*", "<PRODUCT>", NULL},
    {"QGMMA", "*", "<PRODUCT>", NULL},
    {"IGMMA", "*", "<PRODUCT>", NULL},
    {"BGMMA", "*", "<PRODUCT>", NULL},
    TO_TENSOR("UTCHMMA", "kind::f16_tf32"),
    TO_TENSOR("UTCQMMA", "kind::f8f6f4"),
    TO_TENSOR("UTCIMMA", "kind::i8"),
    WITH_SCALES("UTCQMMA", "", "kind::mxf8f6f4.block_scale.scale_vec::1X"),
    WITH_SCALES("UTCOMMA", ".4X", "kind::mxf4nvf4.block_scale.scale_vec::4X"),
    WITH_SCALES("UTCOMMA", "", "kind::mxf4.block_scale.scale_vec::2X"),
    {"UTCCP.T.S", "aI",
     ONE "tcgen05.cp.cta_group::<2CTA:2|1>.<128dp128bit:128x128b|4x32dp128bit:32x128b.warpx4|"
         "2x64dp128bit_lw02_lw13:64x128b.warpx2::02_13|"
         "2x64dp128bit_lw01_lw23:64x128b.warpx2::01_23|128x256b> $0,$1",
     NULL},
    {"UTCBAR.MULTICAST", "axi",
     "cvt.u16.u32 %h0,$2;" ONE "tcgen05.commit.cta_group::<2CTA:2|1>.mbarrier::arrive::one."
     "shared::cluster.multicast::cluster.b64 $0,%h0",
     NULL},
    {"UTCBAR", "ax",
     ONE "tcgen05.commit.cta_group::<2CTA:2|1>.mbarrier::arrive::one.shared::cluster.b64 $0", NULL},
    {"LDTM", "Ta", "tcgen05.ld.sync.aligned." MOVED "<PACK16BIT:.pack::16b|>.b32 $0,$1", NULL},
    {"STTM", "at",
     "mov.b32 %t0,0;*tcgen05.st.sync.aligned." MOVED "<EXPAND16BIT:.unpack::16b|>.b32 $0,$1", NULL},
    {"UTCATOMSWS.FIND_AND_SET.ALIGN", "Poi",
     "*tcgen05.alloc.cta_group::<2CTA:2|1>.units %t1|$0,$2;mov.b32 $1,%t1", "memory.fence.group"},
    {"UTCATOMSWS.AND", "xi", "tcgen05.dealloc.units $1", "memory.fence.group"},
    {"UVIRTCOUNT", "*", NULL, "branch.sync"},
    {"HMMA.16816.F32.BF16", "Qqdq",
     "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 $0,$1,$2,$3", NULL},
    {"HMMA.16816.F32", "Qqdq", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 $0,$1,$2,$3",
     NULL},
    {"HMMA.16816.F16", "Dqdd", "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 $0,$1,$2,$3",
     NULL},
    {"HMMA.1688.F32.TF32", "Qqdq", "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 $0,$1,$2,$3",
     NULL},
    {"HMMA.1684.F32.TF32", "Qdiq",
     "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 $0,$1,{$2},$3", NULL},
    {"HMMA.1688.F32.BF16", "Qdiq",
     "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 $0,$1,{$2},$3", NULL},
    {"HMMA.1688.F32", "Qdiq", "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 $0,$1,{$2},$3",
     NULL},
    {"HMMA.1688.F16", "Ddid", "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 $0,$1,{$2},$3",
     NULL},
    {"HMMA.884.F32.F32.STEP0", "OddI", STEP_F32("%t0,%t1,0,0,0,0,0,0", "%t2,%t3"),
     "tensor.f16.f32.step"},
    {"HMMA.884.F32.F32.STEP1", "OddI", STEP_F32("0,0,%t0,%t1,0,0,0,0", "%t4,%t5"),
     "tensor.f16.f32.step"},
    {"HMMA.884.F32.F32.STEP2", "OddI", STEP_F32("0,0,0,0,%t0,%t1,0,0", "%t6,%t7"),
     "tensor.f16.f32.step"},
    {"HMMA.884.F32.F32.STEP3", "OddI", STEP_F32("0,0,0,0,0,0,%t0,%t1", "%t8,%t9"),
     "tensor.f16.f32.step"},
    {"HMMA.884.F16.F16.STEP0", "OddI", STEP_F16("%t0,%t1,0,0", "%t2,%t3"), "tensor.f16.f16.step"},
    {"HMMA.884.F16.F16.STEP1", "OddI", STEP_F16("0,0,%t0,%t1", "%t4,%t5"), "tensor.f16.f16.step"},
    SCALED_PRODUCT("OMMA.SF.16864.F32.UE4M3.4X",
                   "m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X", "ue4m3"),
    SCALED_PRODUCT("OMMA.SF.16864.F32.E8", "m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X",
                   "ue8m0"),
    SCALED_PRODUCT("QMMA.SF.16832.F32.E8",
                   "m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X", "ue8m0"),
    SPARSE("HMMA.SP.16816.F32.TF32", "Qqqqin", "m16n8k16.row.col.f32.tf32.tf32.f32"),
    SPARSE("HMMA.SP.1688.F32.TF32", "Qddqin", "m16n8k8.row.col.f32.tf32.tf32.f32"),
    SPARSE("HMMA.SP.16816.F32.BF16", "Qddqin", "m16n8k16.row.col.f32.bf16.bf16.f32"),
    SPARSE("HMMA.SP.16816.F32", "Qddqin", "m16n8k16.row.col.f32.f16.f16.f32"),
    SPARSE("HMMA.SP.16816.F16", "Ddddin", "m16n8k16.row.col.f16.f16.f16.f16"),
    SPARSE("HMMA.SP.16832.F32.BF16", "Qqqqin", "m16n8k32.row.col.f32.bf16.bf16.f32"),
    SPARSE("HMMA.SP.16832.F32", "Qqqqin", "m16n8k32.row.col.f32.f16.f16.f32"),
    SPARSE("HMMA.SP.16832.F16", "Dqqdin", "m16n8k32.row.col.f16.f16.f16.f16"),
    SPARSE("QMMA.SP.16864.F32", "Qqqqin", "m16n8k64.row.col.f32<FACTORS>.f32"),
    SPARSE("QMMA.SP.16864.F16", "Dqqdin", "m16n8k64.row.col.f16<FACTORS>.f16"),
    SPARSE("IMMA.SP.168128", "Qqqqin", "m16n8k128.row.col<SAT:.satfinite|>.s32<FACTORS>.s32"),
    SPARSE("IMMA.SP.16864.S4", "Qddqin", "m16n8k64.row.col<SAT:.satfinite|>.s32<FACTORS>.s32"),
    SPARSE("IMMA.SP.16864.U4", "Qddqin", "m16n8k64.row.col<SAT:.satfinite|>.s32<FACTORS>.s32"),
    SPARSE("IMMA.SP.16864", "Qqqqin", "m16n8k64.row.col<SAT:.satfinite|>.s32<FACTORS>.s32"),
    SPARSE("IMMA.SP.16832", "Qddqin", "m16n8k32.row.col<SAT:.satfinite|>.s32<FACTORS>.s32"),
    {"QMMA.16816.F32", "Qdiq", "mma.sync.aligned.m16n8k16.row.col.f32<FACTORS>.f32 $0,$1,{$2},$3",
     NULL},
    {"QMMA.16816.F16", "Ddid", "mma.sync.aligned.m16n8k16.row.col.f16<FACTORS>.f16 $0,$1,{$2},$3",
     NULL},
    {"QMMA.16832.F32", "Qqdq", "mma.sync.aligned.m16n8k32.row.col.f32<FACTORS>.f32 $0,$1,$2,$3",
     NULL},
    {"QMMA.16832.F16", "Dqdd", "mma.sync.aligned.m16n8k32.row.col.f16<FACTORS>.f16 $0,$1,$2,$3",
     NULL},
    {"IMMA.16864", "Qqdq",
     "mma.sync.aligned.m16n8k64.row.col<SAT:.satfinite|>.s32<FACTORS>.s32 $0,$1,$2,$3", NULL},
    {"IMMA.16832.S4", "Qdiq",
     "mma.sync.aligned.m16n8k32.row.col<SAT:.satfinite|>.s32<FACTORS>.s32 $0,$1,{$2},$3", NULL},
    {"IMMA.16832.U4", "Qdiq",
     "mma.sync.aligned.m16n8k32.row.col<SAT:.satfinite|>.s32<FACTORS>.s32 $0,$1,{$2},$3", NULL},
    {"IMMA.8832", "Diid",
     "mma.sync.aligned.m8n8k32.row.col<SAT:.satfinite|>.s32<FACTORS>.s32 $0,{$1},{$2},$3", NULL},
    {"BMMA.168256 POPC XOR", "Qqdq",
     "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32<AND:.and|.xor>.popc $0,$1,$2,$3", NULL},
    {"BMMA.168128 POPC XOR", "Qdiq",
     "mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32<AND:.and|.xor>.popc $0,$1,{$2},$3", NULL},
    {"BMMA.88128 POPC XOR", "Diid",
     "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32<AND:.and|.xor>.popc $0,{$1},{$2},$3", NULL},
    {"IMMA.16832", "Qqdq",
     "mma.sync.aligned.m16n8k32.row.col<SAT:.satfinite|>.s32<FACTORS>.s32 $0,$1,$2,$3", NULL},
    {"IMMA.16816", "Qdiq",
     "mma.sync.aligned.m16n8k16.row.col<SAT:.satfinite|>.s32<FACTORS>.s32 $0,$1,{$2},$3", NULL},
    {"IMMA.8816", "Diid",
     "mma.sync.aligned.m8n8k16.row.col<SAT:.satfinite|>.s32<FACTORS>.s32 $0,{$1},{$2},$3", NULL},
    {"DMMA.16x8x4", "BgFH", "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 $0,$1,{$2},$3", NULL},
    {"DMMA.16x8x8", "BHgH", "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 $0,$1,$2,$3", NULL},
    {"DMMA.16x8x16", "BMHH", "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 $0,$1,$2,$3", NULL},
    {"DMMA.884", "EFFg", "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 $0,{$1},{$2},$3", NULL},
    {"DMMA.8x8x4", "EFFg", "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 $0,{$1},{$2},$3", NULL},
    NARROW_MATRICES("8", ".b8"),
    NARROW_MATRICES("U4x16P64TO8", ".b8x16.b4x16_p64"),
    NARROW_MATRICES("U6x16P32TO8", ".b8x16.b6x16_p32"),
    {"LDSM.16.M88.4", "Qa", "*ldmatrix.sync.aligned.m8n8.x4.shared.b16 $0,$1", NULL},
    {"LDSM.16.M88.2", "Da", "*ldmatrix.sync.aligned.m8n8.x2.shared.b16 $0,$1", NULL},
    {"LDSM.16.M88", "oa", "*ldmatrix.sync.aligned.m8n8.x1.shared.b16 {$0},$1", NULL},
    {"LDSM.16.MT88.4", "Qa", "*ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 $0,$1", NULL},
    {"LDSM.16.MT88.2", "Da", "*ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 $0,$1", NULL},
    {"LDSM.16.MT88", "oa", "*ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {$0},$1", NULL},
    {"STSM.8.MT168.4", "aq", "*stmatrix.sync.aligned.m16n8.x4.trans.shared.b8 $0,$1", NULL},
    {"STSM.8.MT168.2", "ad", "*stmatrix.sync.aligned.m16n8.x2.trans.shared.b8 $0,$1", NULL},
    {"STSM.8.MT168", "ai", "*stmatrix.sync.aligned.m16n8.x1.trans.shared.b8 $0,{$1}", NULL},
    {"STSM.16.M88.4", "aq", "*stmatrix.sync.aligned.m8n8.x4.shared.b16 $0,$1", NULL},
    {"STSM.16.M88.2", "ad", "*stmatrix.sync.aligned.m8n8.x2.shared.b16 $0,$1", NULL},
    {"STSM.16.M88", "ai", "*stmatrix.sync.aligned.m8n8.x1.shared.b16 $0,{$1}", NULL},
    {"STSM.16.MT88.4", "aq", "*stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 $0,$1", NULL},
    {"STSM.16.MT88.2", "ad", "*stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 $0,$1", NULL},
    {"STSM.16.MT88", "ai", "*stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 $0,{$1}", NULL},

    /* ---- where a warp goes ---- */
    {"BRA.DIV", "il", LANES, "branch"},
    {"BRA.DIV", "xl", NULL, "branch"},
    {"BRA.DIV", "l", NULL, "branch"},
    {"BRA.U.ANY", "l",
     "^setp.ne.u32 %s0,0,0;setp.eq.u32 %s0,0,0;^vote.any.pred %s0,%s0;^@%s0 bra $0", "branch"},
    {"BRA.CONV", "il", LANES ";bra $1", "branch"},
    {"BRA.CONV", "l", "bra $0", "branch"},
    {"BRA", "Nl", NULL, "branch"},
    {"BRA", "l", "bra $0", "branch"},
    {"BRA", "pl", "@$0 bra $1", "branch"},
    {"EXIT", "", "exit", "branch"},
    {"EXIT", "p", "@$0 exit", "branch"},
    {"BPT.TRAP", "x", "trap", "branch"},
    {"BAR.SYNC", "n", "bar.sync $0", "barrier"},
    {"BAR.SYNC", "nn", "bar.sync $0,$1", "barrier"},
    /* a register that is both has the number below, the threads above */
    {"BAR.SYNC", "ni", "bar.sync $0,$1", "barrier"},
    {"BAR.SYNC", "i", "and.b32 %t0,$0,15;bar.sync %t0", "barrier"},
    {"BAR.SYNC", "in", "and.b32 %t0,$0,15;bar.sync %t0,$1", "barrier"},
    {"BAR.SYNC", "ii", "and.b32 %t0,$0,15;shr.u32 %t1,$1,16;bar.sync %t0,%t1", "barrier"},
    {"BAR.ARV", "ni", "bar.arrive $0,$1", NULL},
    {"BAR.ARV", "in", "and.b32 %t0,$0,15;bar.arrive %t0,$1", NULL},
    {"BAR.ARV", "ii", "and.b32 %t0,$0,15;shr.u32 %t1,$1,16;bar.arrive %t0,%t1", NULL},
    {"BAR.ARV", "nn", "bar.arrive $0,$1", NULL},
    {"BAR.RED.POPC", "np", "bar.red.popc.u32 %bar,$0,$1", "barrier"},
    {"BAR.RED.AND", "np", "bar.red.and.pred %barp,$0,$1", "barrier"},
    {"BAR.RED.OR", "np", "bar.red.or.pred %barp,$0,$1", "barrier"},
    {"RPCMOV.32", "ox", "<RETURN>", "logic.mov"},
    {"RPCMOV.32", "xi", "<RETURN>", "logic.mov"},
    {"B2R.RESULT", "oP", "mov.pred $1,%barp;mov.b32 $0,%bar", "logic.special"},
    {"B2R.RESULT", "o", "mov.b32 $0,%bar", "logic.special"},
    {"BSSY", "xl", NULL, "branch.sync"},
    {"BSSY", "xxl", NULL, "branch.sync"},
    {"BSYNC", "x", NULL, "branch.sync"},
    {"BREAK", "x", NULL, "branch.sync"},
    {"BREAK", "px", NULL, "branch.sync"},
    {"BREAK", "xp", NULL, "branch.sync"},
    {"BMOV", "xx", NULL, "branch.sync"},
    {"WARPSYNC", "", NULL, "branch.sync"},
    {"WARPSYNC", "i", LANES, "branch.sync"},
    {"WARPSYNC", "x", NULL, "branch.sync"},
    {"WARPSYNC.COLLECTIVE", "xx", NULL, "branch.sync"},
    {"ENDCOLLECTIVE", "", NULL, "branch.sync"},
    {"YIELD", "", NULL, "branch.sync"},
    {"YIELD", "x", NULL, "branch.sync"},
    /* until the mbarrier that was tested before it changes */
    {"NANOSLEEP.SYNCS", "*", NULL, "branch.sync"},
    {"NANOSLEEP WARP", "*", "nanosleep.u32 1", "branch.sync"},
    {"NOP", "", NULL, "logic.mov"},
};

const gsize ps_sass_n_rows = G_N_ELEMENTS(ps_sass_rows);
