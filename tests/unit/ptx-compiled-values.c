/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All that compiled code computes by itself, on all pairs of values at the edges of their types:
 * each instruction gives what its step gives. Where nothing compiles
 * there is nothing to test.
 */
#include "ptx/native/native.h"
#include "ptx/run/compiled.h"
#include "ptx/run/together.h"

#include <string.h>

/* Ends of integers and fields, shifts by and beyond 32; numbers of both signs, halves, too small
 * for a normal one or for a normal single, too large for an integer, infinite, and NaN. */
static const guint64 edges[] = {
    0,
    1,
    31,
    32,
    G_GUINT64_CONSTANT(0xb7f0000000000021),
    0x7fff,
    0xffff8000,
    0x7fffffff,
    0x80000000,
    0x80000021,
    0xffffffff,
    0x7f800000,
    0xffc12345,
    0x3f000000,
    0x80000123,
    0x4f7fffff,
    G_GUINT64_CONSTANT(0x3fe0000000000000),
    G_GUINT64_CONSTANT(0xc1e0000000200000),
    G_GUINT64_CONSTANT(0x43e0000000000000),
    G_GUINT64_CONSTANT(0x7ff0000000000000),
    G_GUINT64_CONSTANT(0x7ff8000000abcdef),
    G_GUINT64_CONSTANT(0xfff4000000000001),
    G_GUINT64_CONSTANT(0x8000000000000000),
    G_GUINT64_CONSTANT(0xffffffffffffffff),
};

enum {
    EDGES = G_N_ELEMENTS(edges),
    GROUPS = EDGES * EDGES / 64,
    THREADS = 64,
    ALL = GROUPS * THREADS,
    AT_ONCE = 24 /* instructions of a kernel */
};

/* a, b and c are %r4 to %r6 as words, %rd5 to %rd7, %f4 to %f6, %d4 to %d6; %h4 is a half of a, %p3
 * says that a is odd, %p4 that b is. Results are %r7, %rd8, %f7, %d7, %h7, %p1 and %p2. */
static const char *const instructions[] = {
    "add.u32 %r7, %r4, %r5",
    "add.s32 %r7, %r4, %r5",
    "sub.u32 %r7, %r4, %r5",
    "sub.s32 %r7, %r4, %r5",
    "mul.lo.u32 %r7, %r4, %r5",
    "mul.lo.s32 %r7, %r4, %r5",
    "min.u32 %r7, %r4, %r5",
    "min.s32 %r7, %r4, %r5",
    "max.u32 %r7, %r4, %r5",
    "max.s32 %r7, %r4, %r5",
    "and.b32 %r7, %r4, %r5",
    "or.b32 %r7, %r4, %r5",
    "xor.b32 %r7, %r4, %r5",
    "not.b32 %r7, %r4",
    "neg.s32 %r7, %r4",
    "abs.s32 %r7, %r4",
    "mad.lo.s32 %r7, %r4, %r5, %r6",
    "shl.b32 %r7, %r4, %r5",
    "shr.u32 %r7, %r4, %r5",
    "shr.s32 %r7, %r4, %r5",
    "mul.hi.u32 %r7, %r4, %r5",
    "mul.hi.s32 %r7, %r4, %r5",
    "mul.wide.u32 %rd8, %r4, %r5",
    "mul.wide.s32 %rd8, %r4, %r5",
    "mad.wide.u32 %rd8, %r4, %r5, %rd7",
    "mad.wide.s32 %rd8, %r4, %r5, %rd7",
    "add.u64 %rd8, %rd5, %rd6",
    "add.s64 %rd8, %rd5, %rd6",
    "sub.u64 %rd8, %rd5, %rd6",
    "sub.s64 %rd8, %rd5, %rd6",
    "mul.lo.u64 %rd8, %rd5, %rd6",
    "mul.lo.s64 %rd8, %rd5, %rd6",
    "min.u64 %rd8, %rd5, %rd6",
    "min.s64 %rd8, %rd5, %rd6",
    "max.u64 %rd8, %rd5, %rd6",
    "max.s64 %rd8, %rd5, %rd6",
    "and.b64 %rd8, %rd5, %rd6",
    "not.b64 %rd8, %rd5",
    "neg.s64 %rd8, %rd5",
    "abs.s64 %rd8, %rd5",
    "mad.lo.u64 %rd8, %rd5, %rd6, %rd7",
    "shl.b64 %rd8, %rd5, %r5",
    "shr.u64 %rd8, %rd5, %r5",
    "shr.s64 %rd8, %rd5, %r5",
    "add.s16 %h7, %h4, %h5",
    "sub.u16 %h7, %h4, %h5",
    "mul.lo.s16 %h7, %h4, %h5",
    "min.s16 %h7, %h4, %h5",
    "max.s16 %h7, %h4, %h5",
    "min.u16 %h7, %h4, %h5",
    "max.u16 %h7, %h4, %h5",
    "xor.b16 %h7, %h4, %h5",
    "neg.s16 %h7, %h4",
    "abs.s16 %h7, %h4",
    "not.b16 %h7, %h4",
    "shl.b16 %h7, %h4, %r5",
    "shr.s16 %h7, %h4, %r5",
    "shr.u16 %h7, %h4, %r5",
    "mad.lo.s16 %h7, %h4, %h5, %h4",
    "div.u32 %r7, %r4, %r5",
    "div.s32 %r7, %r4, %r5",
    "rem.u32 %r7, %r4, %r5",
    "rem.s32 %r7, %r4, %r5",
    "div.u64 %rd8, %rd5, %rd6",
    "rem.s64 %rd8, %rd5, %rd6",
    "fma.rm.f32 %f7, %f4, %f5, %f6",
    "fma.rz.ftz.f32 %f7, %f4, %f5, %f6",
    "add.rp.f32 %f7, %f4, %f5",
    "mul.rm.f32 %f7, %f4, %f5",
    "ex2.approx.ftz.f32 %f7, %f4",
    "lg2.approx.f32 %f7, %f4",
    "setp.eq.u32 %p1, %r4, %r5",
    "setp.eq.s32 %p1, %r4, %r5",
    "setp.eq.s64 %p1, %rd5, %rd6",
    "setp.eq.u64 %p1, %rd5, %rd6",
    "setp.eq.s16 %p1, %h4, %h5",
    "setp.ne.u32 %p1, %r4, %r5",
    "setp.ne.s32 %p1, %r4, %r5",
    "setp.ne.s64 %p1, %rd5, %rd6",
    "setp.ne.u64 %p1, %rd5, %rd6",
    "setp.ne.s16 %p1, %h4, %h5",
    "setp.lt.u32 %p1, %r4, %r5",
    "setp.lt.s32 %p1, %r4, %r5",
    "setp.lt.s64 %p1, %rd5, %rd6",
    "setp.lt.u64 %p1, %rd5, %rd6",
    "setp.lt.s16 %p1, %h4, %h5",
    "setp.le.u32 %p1, %r4, %r5",
    "setp.le.s32 %p1, %r4, %r5",
    "setp.le.s64 %p1, %rd5, %rd6",
    "setp.le.u64 %p1, %rd5, %rd6",
    "setp.le.s16 %p1, %h4, %h5",
    "setp.gt.u32 %p1, %r4, %r5",
    "setp.gt.s32 %p1, %r4, %r5",
    "setp.gt.s64 %p1, %rd5, %rd6",
    "setp.gt.u64 %p1, %rd5, %rd6",
    "setp.gt.s16 %p1, %h4, %h5",
    "setp.ge.u32 %p1, %r4, %r5",
    "setp.ge.s32 %p1, %r4, %r5",
    "setp.ge.s64 %p1, %rd5, %rd6",
    "setp.ge.u64 %p1, %rd5, %rd6",
    "setp.ge.s16 %p1, %h4, %h5",
    "setp.lo.u32 %p1, %r4, %r5",
    "setp.ls.u32 %p1, %r4, %r5",
    "setp.hi.u32 %p1, %r4, %r5",
    "setp.hs.u32 %p1, %r4, %r5",
    "setp.eq.f32 %p1, %f4, %f5",
    "setp.eq.f64 %p1, %d4, %d5",
    "setp.ne.f32 %p1, %f4, %f5",
    "setp.ne.f64 %p1, %d4, %d5",
    "setp.lt.f32 %p1, %f4, %f5",
    "setp.lt.f64 %p1, %d4, %d5",
    "setp.le.f32 %p1, %f4, %f5",
    "setp.le.f64 %p1, %d4, %d5",
    "setp.gt.f32 %p1, %f4, %f5",
    "setp.gt.f64 %p1, %d4, %d5",
    "setp.ge.f32 %p1, %f4, %f5",
    "setp.ge.f64 %p1, %d4, %d5",
    "setp.equ.f32 %p1, %f4, %f5",
    "setp.equ.f64 %p1, %d4, %d5",
    "setp.neu.f32 %p1, %f4, %f5",
    "setp.neu.f64 %p1, %d4, %d5",
    "setp.ltu.f32 %p1, %f4, %f5",
    "setp.ltu.f64 %p1, %d4, %d5",
    "setp.leu.f32 %p1, %f4, %f5",
    "setp.leu.f64 %p1, %d4, %d5",
    "setp.gtu.f32 %p1, %f4, %f5",
    "setp.gtu.f64 %p1, %d4, %d5",
    "setp.geu.f32 %p1, %f4, %f5",
    "setp.geu.f64 %p1, %d4, %d5",
    "setp.num.f32 %p1, %f4, %f5",
    "setp.num.f64 %p1, %d4, %d5",
    "setp.nan.f32 %p1, %f4, %f5",
    "setp.nan.f64 %p1, %d4, %d5",
    "setp.eq.ftz.f32 %p1, %f4, %f5",
    "setp.lt.ftz.f32 %p1, %f4, %f5",
    "setp.geu.ftz.f32 %p1, %f4, %f5",
    "setp.lt.and.s32 %p1|%p2, %r4, %r5, %p4",
    "setp.lt.or.s32 %p1|%p2, %r4, %r5, %p4",
    "setp.lt.xor.s32 %p1|%p2, %r4, %r5, %p4",
    "setp.gt.or.ftz.f32 %p1|%p2, %f4, %f5, %p4",
    "setp.eq.u32 %p1|%p2, %r4, %r5",
    "selp.u32 %r7, %r4, %r5, %p4",
    "selp.f64 %d7, %d4, %d5, %p4",
    "selp.b16 %h7, %h4, %h5, %p4",
    "and.pred %p1, %p3, %p4",
    "xor.pred %p1, %p3, %p4",
    "not.pred %p1, %p4",
    "mov.b32 %r7, {%h4, %h5}",
    "mov.b64 %rd8, {%r4, %r5}",
    "mov.b32 {%h7, _}, %r4",
    "mov.b64 {%r7, _}, %rd5",
    "cvta.to.global.u64 %rd8, %rd5",
    "lop3.b32 %r7, %r4, %r5, %r6, 0x00",
    "lop3.b32 %r7, %r4, %r5, %r6, 0xff",
    "lop3.b32 %r7, %r4, %r5, %r6, 0x96",
    "lop3.b32 %r7, %r4, %r5, %r6, 0xca",
    "lop3.b32 %r7, %r4, %r5, %r6, 0x0f",
    "lop3.b32 %r7, %r4, %r5, %r6, 0xf1",
    "lop3.b32 %r7, %r4, %r5, %r6, 0x1e",
    "lop3.b32 %r7, %r4, %r5, %r6, 0x80",
    "shf.l.wrap.b32 %r7, %r4, %r5, %r6",
    "shf.l.clamp.b32 %r7, %r4, %r5, %r6",
    "shf.r.wrap.b32 %r7, %r4, %r5, %r6",
    "shf.r.clamp.b32 %r7, %r4, %r5, %r6",
    "bfe.u32 %r7, %r4, 0, 32",
    "bfe.s32 %r7, %r4, 0, 32",
    "bfi.b32 %r7, %r4, %r5, 0, 32",
    "bfe.u32 %r7, %r4, 0, 1",
    "bfe.s32 %r7, %r4, 0, 1",
    "bfi.b32 %r7, %r4, %r5, 0, 1",
    "bfe.u32 %r7, %r4, 31, 1",
    "bfe.s32 %r7, %r4, 31, 1",
    "bfi.b32 %r7, %r4, %r5, 31, 1",
    "bfe.u32 %r7, %r4, 5, 11",
    "bfe.s32 %r7, %r4, 5, 11",
    "bfi.b32 %r7, %r4, %r5, 5, 11",
    "bfe.u32 %r7, %r4, 20, 12",
    "bfe.s32 %r7, %r4, 20, 12",
    "bfi.b32 %r7, %r4, %r5, 20, 12",
    "bfe.u32 %r7, %r4, 3, 0",
    "bfe.s32 %r7, %r4, 3, 0",
    "bfi.b32 %r7, %r4, %r5, 3, 0",
    "bfe.u32 %r7, %r4, 20, 20",
    "bfe.s32 %r7, %r4, 20, 20",
    "bfi.b32 %r7, %r4, %r5, 20, 20",
    "popc.b32 %r7, %r4",
    "popc.b64 %r7, %rd5",
    "clz.b32 %r7, %r4",
    "clz.b64 %r7, %rd5",
    "brev.b32 %r7, %r4",
    "brev.b64 %rd8, %rd5",
    "prmt.b32 %r7, %r4, %r5, 0x3210",
    "prmt.b32 %r7, %r4, %r5, 0x7654",
    "prmt.b32 %r7, %r4, %r5, 0x5140",
    "prmt.b32 %r7, %r4, %r5, 0x0000",
    "prmt.b32 %r7, %r4, %r5, 0x8888",
    "prmt.b32 %r7, %r4, %r5, 0x6a27",
    "div.u32 %r7, %r4, 1",
    "div.u32 %r7, %r4, 7",
    "div.u32 %r7, %r4, 0x7fffffff",
    "div.u32 %r7, %r4, 0x80000000",
    "div.u32 %r7, %r4, 0xffffffff",
    "div.s32 %r7, %r4, 1",
    "div.s32 %r7, %r4, 7",
    "div.s32 %r7, %r4, -1",
    "div.s32 %r7, %r4, -13",
    "div.s32 %r7, %r4, 0x80000000",
    "rem.u32 %r7, %r4, 1",
    "rem.u32 %r7, %r4, 7",
    "rem.u32 %r7, %r4, 0x7fffffff",
    "rem.u32 %r7, %r4, 0x80000000",
    "rem.u32 %r7, %r4, 0xffffffff",
    "rem.s32 %r7, %r4, 1",
    "rem.s32 %r7, %r4, 7",
    "rem.s32 %r7, %r4, -1",
    "rem.s32 %r7, %r4, -13",
    "rem.s32 %r7, %r4, 0x80000000",
    "cvt.rn.f32.s8 %f7, %r4",
    "cvt.rn.f64.s8 %d7, %r4",
    "cvt.s16.s8 %h7, %r4",
    "cvt.u16.s8 %h7, %r4",
    "cvt.s32.s8 %r7, %r4",
    "cvt.u32.s8 %r7, %r4",
    "cvt.s64.s8 %rd8, %r4",
    "cvt.u64.s8 %rd8, %r4",
    "cvt.rn.f32.u8 %f7, %r4",
    "cvt.rn.f64.u8 %d7, %r4",
    "cvt.s16.u8 %h7, %r4",
    "cvt.u16.u8 %h7, %r4",
    "cvt.s32.u8 %r7, %r4",
    "cvt.u32.u8 %r7, %r4",
    "cvt.s64.u8 %rd8, %r4",
    "cvt.u64.u8 %rd8, %r4",
    "cvt.rn.f32.s16 %f7, %h4",
    "cvt.rn.f64.s16 %d7, %h4",
    "cvt.s16.s16 %h7, %h4",
    "cvt.u16.s16 %h7, %h4",
    "cvt.s32.s16 %r7, %h4",
    "cvt.u32.s16 %r7, %h4",
    "cvt.s64.s16 %rd8, %h4",
    "cvt.u64.s16 %rd8, %h4",
    "cvt.rn.f32.u16 %f7, %h4",
    "cvt.rn.f64.u16 %d7, %h4",
    "cvt.s16.u16 %h7, %h4",
    "cvt.u16.u16 %h7, %h4",
    "cvt.s32.u16 %r7, %h4",
    "cvt.u32.u16 %r7, %h4",
    "cvt.s64.u16 %rd8, %h4",
    "cvt.u64.u16 %rd8, %h4",
    "cvt.rn.f32.s32 %f7, %r4",
    "cvt.rn.f64.s32 %d7, %r4",
    "cvt.s16.s32 %h7, %r4",
    "cvt.u16.s32 %h7, %r4",
    "cvt.s32.s32 %r7, %r4",
    "cvt.u32.s32 %r7, %r4",
    "cvt.s64.s32 %rd8, %r4",
    "cvt.u64.s32 %rd8, %r4",
    "cvt.rn.f32.u32 %f7, %r4",
    "cvt.rn.f64.u32 %d7, %r4",
    "cvt.s16.u32 %h7, %r4",
    "cvt.u16.u32 %h7, %r4",
    "cvt.s32.u32 %r7, %r4",
    "cvt.u32.u32 %r7, %r4",
    "cvt.s64.u32 %rd8, %r4",
    "cvt.u64.u32 %rd8, %r4",
    "cvt.rn.f32.s64 %f7, %rd5",
    "cvt.rn.f64.s64 %d7, %rd5",
    "cvt.s16.s64 %h7, %rd5",
    "cvt.u16.s64 %h7, %rd5",
    "cvt.s32.s64 %r7, %rd5",
    "cvt.u32.s64 %r7, %rd5",
    "cvt.s64.s64 %rd8, %rd5",
    "cvt.u64.s64 %rd8, %rd5",
    "cvt.rn.f32.u64 %f7, %rd5",
    "cvt.rn.f64.u64 %d7, %rd5",
    "cvt.s16.u64 %h7, %rd5",
    "cvt.u16.u64 %h7, %rd5",
    "cvt.s32.u64 %r7, %rd5",
    "cvt.u32.u64 %r7, %rd5",
    "cvt.s64.u64 %rd8, %rd5",
    "cvt.u64.u64 %rd8, %rd5",
    "cvt.u8.u32 %r7, %r4",
    "cvt.s8.s32 %r7, %r4",
    "cvt.s8.s64 %rd8, %rd5",
    "cvt.sat.u8.s32 %r7, %r4",
    "cvt.sat.s16.s32 %h7, %r4",
    "cvt.rni.s32.f32 %r7, %f4",
    "cvt.rni.u32.f32 %r7, %f4",
    "cvt.rni.s64.f32 %rd8, %f4",
    "cvt.rni.u64.f32 %rd8, %f4",
    "cvt.rzi.s32.f32 %r7, %f4",
    "cvt.rzi.u32.f32 %r7, %f4",
    "cvt.rzi.s64.f32 %rd8, %f4",
    "cvt.rzi.u64.f32 %rd8, %f4",
    "cvt.rmi.s32.f32 %r7, %f4",
    "cvt.rmi.u32.f32 %r7, %f4",
    "cvt.rmi.s64.f32 %rd8, %f4",
    "cvt.rmi.u64.f32 %rd8, %f4",
    "cvt.rpi.s32.f32 %r7, %f4",
    "cvt.rpi.u32.f32 %r7, %f4",
    "cvt.rpi.s64.f32 %rd8, %f4",
    "cvt.rpi.u64.f32 %rd8, %f4",
    "cvt.rni.s32.f64 %r7, %d4",
    "cvt.rni.u32.f64 %r7, %d4",
    "cvt.rni.s64.f64 %rd8, %d4",
    "cvt.rni.u64.f64 %rd8, %d4",
    "cvt.rzi.s32.f64 %r7, %d4",
    "cvt.rzi.u32.f64 %r7, %d4",
    "cvt.rzi.s64.f64 %rd8, %d4",
    "cvt.rzi.u64.f64 %rd8, %d4",
    "cvt.rmi.s32.f64 %r7, %d4",
    "cvt.rmi.u32.f64 %r7, %d4",
    "cvt.rmi.s64.f64 %rd8, %d4",
    "cvt.rmi.u64.f64 %rd8, %d4",
    "cvt.rpi.s32.f64 %r7, %d4",
    "cvt.rpi.u32.f64 %r7, %d4",
    "cvt.rpi.s64.f64 %rd8, %d4",
    "cvt.rpi.u64.f64 %rd8, %d4",
    "cvt.rzi.ftz.s32.f32 %r7, %f4",
    "cvt.rpi.ftz.u32.f32 %r7, %f4",
    "cvt.rmi.ftz.s64.f32 %rd8, %f4",
    "cvt.rmi.ftz.f32.f32 %f7, %f4",
    "cvt.rpi.ftz.f32.f32 %f7, %f4",
    "cvt.rn.ftz.f32.f64 %f7, %d4",
    "cvt.rzi.s16.f32 %h7, %f4",
    "cvt.rzi.u16.f64 %h7, %d4",
    "cvt.rni.f32.f32 %f7, %f4",
    "cvt.rzi.f32.f32 %f7, %f4",
    "cvt.rmi.f32.f32 %f7, %f4",
    "cvt.rpi.f32.f32 %f7, %f4",
    "cvt.f64.f32 %d7, %f4",
    "cvt.rn.f32.f64 %f7, %d4",
    "cvt.ftz.f64.f32 %d7, %f4",
    "add.f32 %f7, %f4, %f5",
    "sub.f32 %f7, %f4, %f5",
    "mul.f32 %f7, %f4, %f5",
    "div.rn.f32 %f7, %f4, %f5",
    "min.f32 %f7, %f4, %f5",
    "max.f32 %f7, %f4, %f5",
    "fma.rn.f32 %f7, %f4, %f5, %f6",
    "neg.f32 %f7, %f4",
    "abs.f32 %f7, %f4",
    "rcp.rn.f32 %f7, %f4",
    "sqrt.rn.f32 %f7, %f4",
    "rsqrt.approx.f32 %f7, %f4",
    "add.f64 %d7, %d4, %d5",
    "sub.f64 %d7, %d4, %d5",
    "mul.f64 %d7, %d4, %d5",
    "div.rn.f64 %d7, %d4, %d5",
    "min.f64 %d7, %d4, %d5",
    "max.f64 %d7, %d4, %d5",
    "fma.rn.f64 %d7, %d4, %d5, %d6",
    "neg.f64 %d7, %d4",
    "abs.f64 %d7, %d4",
    "rcp.rn.f64 %d7, %d4",
    "sqrt.rn.f64 %d7, %d4",
    "rsqrt.approx.f64 %d7, %d4",
    "add.ftz.f32 %f7, %f4, %f5",
    "sub.ftz.f32 %f7, %f4, %f5",
    "mul.ftz.f32 %f7, %f4, %f5",
    "min.ftz.f32 %f7, %f4, %f5",
    "max.ftz.f32 %f7, %f4, %f5",
    "add.sat.f32 %f7, %f4, %f5",
    "mul.ftz.sat.f32 %f7, %f4, %f5",
    "div.approx.f32 %f7, %f4, %f5",
    "div.full.ftz.f32 %f7, %f4, %f5",
    "fma.rn.ftz.f32 %f7, %f4, %f5, %f6",
    "fma.rn.sat.f32 %f7, %f4, %f5, %f6",
    "neg.ftz.f32 %f7, %f4",
    "abs.ftz.f32 %f7, %f4",
    "rcp.approx.ftz.f32 %f7, %f4",
    "sqrt.approx.f32 %f7, %f4",
    "rsqrt.approx.ftz.f32 %f7, %f4",
    "sqrt.rn.ftz.f32 %f7, %f4",
    "min.NaN.f32 %f7, %f4, %f5",
    "min.xorsign.abs.f32 %f7, %f4, %f5",
    "max.xorsign.abs.f32 %f7, %f4, %f5",
    "rcp.approx.ftz.f64 %d7, %d4",
    "rsqrt.approx.ftz.f64 %d7, %d4",
    "cvt.pack.sat.s16.s32 %r7, %r4, %r5",
    "cvt.pack.sat.u8.s32.b32 %r7, %r4, %r5, %r6",
};

static const char head[] =
    ".version 8.6\n.target sm_90\n.address_size 64\n"
    ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
    ".reg .b32 %r<20>; .reg .b64 %rd<12>; .reg .f32 %f<12>; .reg .f64 %d<12>; .reg .pred %p<6>;\n"
    ".reg .b16 %h<9>;\n"
    "mov.u32 %r2, %ctaid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r1, %r2, 64, %r3;\n"
    "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];\n"
    "mul.wide.u32 %rd3, %r1, 24; add.u64 %rd3, %rd1, %rd3;\n"
    "mul.wide.u32 %rd4, %r1, RESULTS; add.u64 %rd4, %rd2, %rd4;\n"
    "ld.global.u64 %rd5, [%rd3]; ld.global.u64 %rd6, [%rd3+8]; ld.global.u64 %rd7, [%rd3+16];\n"
    "cvt.u32.u64 %r4, %rd5; cvt.u32.u64 %r5, %rd6; cvt.u32.u64 %r6, %rd7;\n"
    "mov.b32 %f4, %r4; mov.b32 %f5, %r5; mov.b32 %f6, %r6;\n"
    "mov.b64 %d4, %rd5; mov.b64 %d5, %rd6; mov.b64 %d6, %rd7; cvt.u16.u32 %h4, %r4;\n"
    "cvt.u16.u32 %h5, %r5; and.b32 %r8, %r4, 1; setp.ne.u32 %p3, %r8, 0; and.b32 %r8, %r5, 1;\n"
    "setp.ne.u32 %p4, %r8, 0;\n";

/* What a result may be in, by what the instruction names first: it is set before, since a guard may
 * leave it, and stored behind. */
static const struct {
    const char *result, *before, *behind;
} results[] = {
    {"%r7", "mov.u32 %r7, 5;", "st.global.u32 [%rd4+AT], %r7;"},
    {"%rd8", "mov.u64 %rd8, 6;", "st.global.u64 [%rd4+AT], %rd8;"},
    {"%f7", "mov.f32 %f7, 0f40e00000;", "st.global.f32 [%rd4+AT], %f7;"},
    {"%d7", "mov.f64 %d7, 0d4020000000000000;", "st.global.f64 [%rd4+AT], %d7;"},
    {"%h7", "mov.u16 %h7, 9;", "st.global.u16 [%rd4+AT], %h7;"},
    {"{%h7", "mov.u16 %h7, 9;", "st.global.u16 [%rd4+AT], %h7;"},
    {"{%r7", "mov.u32 %r7, 9;", "st.global.u32 [%rd4+AT], %r7;"},
    {"%p1|", "setp.ne.u32 %p1, %r4, %r4; setp.ne.u32 %p2, %r4, %r4;",
     "selp.u32 %r11, 3, 4, %p1; selp.u32 %r11, 5, %r11, %p2; st.global.u32 [%rd4+AT], %r11;"},
    {"%p1", "setp.ne.u32 %p1, %r4, %r4;",
     "selp.u32 %r11, 3, 4, %p1; st.global.u32 [%rd4+AT], %r11;"},
};

typedef struct {
    guint64 in[ALL][3], out[ALL][AT_ONCE];
} Values;

static guint result_of(const char *instruction)
{
    guint i = 0;
    while (!g_str_has_prefix(strchr(instruction, ' ') + 1, results[i].result))
        i++;
    return i;
}

/* Each third instruction is for lanes of an odd a alone. */
static char *text_of(guint first)
{
    g_autofree char *size = g_strdup_printf("%u", AT_ONCE * 8);
    GString *text = g_string_new(head);
    g_string_replace(text, "RESULTS", size, 1);
    for (guint i = first; i < MIN(first + AT_ONCE, G_N_ELEMENTS(instructions)); i++) {
        const guint result = result_of(instructions[i]);
        g_autofree char *at = g_strdup_printf("%u]", (i - first) * 8);
        g_string_append_printf(text, "%s\n%s%s;\n%s\n", results[result].before,
                               i % 3 == 2 ? "@%p3 " : "", instructions[i], results[result].behind);
        g_string_replace(text, "AT]", at, 1);
    }
    g_string_append(text, "ret;\n}\n");
    return g_string_free(text, FALSE);
}

static Values *run(const PsPtxModule *module, PsPtxCompiled *compiled)
{
    g_autoptr(GError) error = NULL;
    Values *values = g_new0(Values, 1);
    for (guint i = 0; i < ALL; i++) {
        values->in[i][0] = edges[i % EDGES];
        values->in[i][1] = edges[i / EDGES];
        values->in[i][2] = edges[(i + i / EDGES * 5) % EDGES];
    }
    const PsPtxArgument arguments[] = {{.data = (guint8 *)values->in, .size = sizeof values->in},
                                       {.data = (guint8 *)values->out, .size = sizeof values->out}};
    const PsPtxLaunch launch = {.kernel = ps_ptx_kernel(module, "k", NULL),
                                .grid = {GROUPS, 1, 1},
                                .block = {THREADS, 1, 1},
                                .n_arguments = 2,
                                .arguments = arguments,
                                .compiled = compiled};
    const PsPtxCrew crew = {.threads = 1};
    PsPtxDone done = {0};
    g_assert_true(ps_ptx_run_all(module, &launch, &crew, &done, &error));
    g_assert_no_error(error);
    g_ptr_array_unref(done.warnings);
    return values;
}

static void compare(guint first, const Values *steps, const Values *native)
{
    for (guint i = 0; i < ALL; i++)
        for (guint k = 0; k < AT_ONCE; k++) {
            if (steps->out[i][k] == native->out[i][k])
                continue;
            g_test_message(
                "%s of %" G_GINT64_MODIFIER "x, %" G_GINT64_MODIFIER "x, %" G_GINT64_MODIFIER "x",
                instructions[first + k], steps->in[i][0], steps->in[i][1], steps->in[i][2]);
            g_test_fail();
            return;
        }
}

static void test_values(void)
{
    if (g_strcmp0(g_getenv("PIPESIM_CHECKER"), "valgrind") == 0 || !ps_ptx_native_there()) {
        g_test_skip("there is no LLVM, or no AVX2, or valgrind, which finds fault with glibc then");
        return;
    }
    for (guint first = 0; first < G_N_ELEMENTS(instructions); first += AT_ONCE) {
        g_autoptr(GError) error = NULL;
        g_autofree char *text = text_of(first);
        g_autoptr(PsPtxModule) module = ps_ptx_parse(text, strlen(text), "x.ptx", &error);
        g_assert_no_error(error);
        g_autoptr(PsPtxCompiled) compiled = ps_ptx_compiled_new(0);
        g_autofree Values *steps = run(module, NULL), *native = run(module, compiled);
        g_assert_cmpuint(ps_ptx_compiled_executed(compiled), >, 0);
        compare(first, steps, native);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ptx-compiled/values", test_values);
    return g_test_run();
}
