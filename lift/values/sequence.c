/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What ptxas (CUDA 13, sm_75) makes of instructions that the hardware does not have, on the way
 * that usual operands take, and (slow_rows) with the subroutines for zeros, infinities, very small
 * numbers and the like. tests/validate/sass.pl --opcodes holds the tables against ptxas.
 *
 * A sequence is its instructions' classes in the order of SASS. After the colon stands what an
 * instruction waits for: * is what the PTX instruction reads, a number an earlier step, counted
 * from 0. "=" marks the step that has the result. branch.sync is BSSY and BSYNC, which hold lanes
 * together around a branch; rcp.check is FCHK, which asks whether a division needs its subroutine.
 * Of moves those are listed that no operand can stand for. iadd.product is a move, a negation or a
 * sum that newer assemblers write as a product (IMAD.MOV, IMAD.IADD).
 */
#include "lift/values/sequence.h"

#include <string.h>

typedef struct {
    const char *words; /* the opcode, then parts that the mnemonic has, too; the first row that fits
                          counts */
    const char *steps; /* NULL: one instruction */
} Row;

static const Row rows[] = {
    {"div approx ftz f32", "rcp:* =fmul:*,0"},
    {"div approx f32", "fadd.setp:* fmul:*,0 fmul:*,0 rcp:1 =fmul:2,3"},
    {"div full ftz f32", "fadd.setp:* fmul:*,0 fmul:*,0 rcp:1 =fmul:2,3"},
    {"div full f32", "fadd.setp:* fadd.setp:* fmul:*,0 fmul:*,0 fmul:1,2 fmul:1,3 rcp:4 =fmul:5,6"},
    {"div f32", "branch.sync rcp:* rcp.check:* fmadd:*,1 fmadd:1,3 fmadd:*,4 fmadd:*,5 "
                "=fmadd:4,5,6 branch:2 branch.sync"},
    {"rcp approx ftz f32", NULL},
    {"rcp approx f32",
     "logic.mov fadd.setp:* fadd.setp:* logic.select:0,1 logic.select:2,3 fmul:*,4 "
     "rcp:5 =fmul:4,6"},
    {"rcp f32", "branch.sync iadd:* logic:1 iadd.setp:2 branch:3 rcp:* fmadd:*,5 fadd:6 "
                "=fmadd:5,7 branch.sync"},
    {"sqrt approx ftz f32", NULL},
    {"sqrt approx f32", "fadd.setp:* fmul:*,0 sqrt:1 =fmul:0,2"},
    {"sqrt f32", "branch.sync iadd:* rsqrt:* iadd.setp:1 branch:3 fmul:*,2 fmul:2 fmadd:*,5 "
                 "=fmadd:5,6,7 branch.sync"},
    {"rsqrt ftz f32", NULL},
    {"rsqrt f32", "fadd.setp:* fmul:*,0 rsqrt:1 =fmul:0,2"},
    {"sin f32", "fmul:* =sin:0"},
    {"cos f32", "fmul:* =cos:0"},
    {"ex2 ftz f32", NULL},
    {"ex2 f32", "fadd.setp:* fmul:*,0 exp2:1 =fmul:0,2"},
    {"lg2 ftz f32", NULL},
    {"lg2 f32", "fadd.setp:* fmul:*,0 log2:1 =fadd:0,2"},
    {"testp f32", "logic:* =iadd.setp:0"},
    {"set u32 f32", "fadd.setp:* =logic.select:0"},
    {"set s32 f32", "fadd.setp:* =logic.select:0"},
    {"div f64", "logic.mov branch.sync rcp:* fadd.setp:* dfma:*,0,2 dfma:4 dfma:0,2,5 "
                "dfma:*,6 dfma:6,7 dmul:*,8 dfma:*,9 =dfma:8,9,10 fmadd:*,11 fadd.setp:12 "
                "branch:3,13 branch.sync"},
    {"rcp approx f64", "rcp:* =logic.mov"},
    {"rcp f64", "branch.sync rcp:* iadd:* fadd.setp:2 dfma:*,1,2 dfma:4 dfma:1,2,5 dfma:*,6 "
                "=dfma:6,7 branch:3 branch.sync"},
    {"sqrt f64", "logic.mov logic.mov branch.sync rsqrt:* iadd:* iadd.setp:4 dmul:3,4 dfma:*,6 "
                 "dfma:0,1,7 dmul:3,4,7 dfma:3,4,8,9 dmul:*,10 iadd:10 logic.mov:10 dfma:*,11 "
                 "=dfma:11,12,13,14 branch:5 branch.sync"},
    {"rsqrt ftz f64", NULL},
    {"rsqrt f64", "logic.mov logic.mov logic.mov branch.sync rsqrt:* iadd:* iadd.setp:5 "
                  "dmul:0,4 dfma:*,7 dfma:1,2,8 dmul:0,4,8 =dfma:0,4,9,10 branch:6 branch.sync"},
    {"min f64", "logic.mov:* dadd.setp:* logic.mov:* logic.select:0,1,2 logic.select:*,1 "
                "logic:1,2,3 =logic.mov:5"},
    {"max f64", "logic.mov:* dadd.setp:* logic.mov:* logic.select:0,1,2 logic.select:*,1 "
                "logic:1,2,3 =logic.mov:5"},
    {"selp f64", "logic.select:* =logic.select:*"},
    {"set f64", "dadd.setp:* =logic.select:0"},
    {"testp f64", "iadd.setp:* logic:* iadd.setp:* iadd.setp:0,1 iadd.setp:* iadd.setp:1,2,3 "
                  "=iadd.setp:1,4,5"},
    {"div u16", "logic.mov branch conversion:* logic.mov conversion:* fadd.setp:2 fadd.setp:2 "
                "logic.select:3,5 logic.select:6,7 iadd.setp:* logic.mov:0 fmul:2,8 rcp:11 "
                "fmul:8,12 iadd:13 fmul:4,14 logic.mov conversion:15 logic:17 =logic.mov:9,18 "
                "branch:10"},
    {"div s16", "logic.mov logic.permute:* logic.permute:* branch iadd.sign:2 logic.mov "
                "conversion:4 fadd.setp:6 fadd.setp:6 logic.select:5,7 logic.select:8,9 "
                "iadd.setp:2 fmul:6,10 iadd.sign:1 logic:1,2 rcp:12 shift:14 logic.mov:16 "
                "conversion:13 fmul:10,15 iadd:19 fmul:18,20 logic.mov:0 conversion:21 "
                "logic:17,23 iadd:16,24 logic.mov =logic.mov:11,25 branch:22"},
    {"rem u16", "logic.mov branch conversion:* logic.mov fadd.setp:2 fadd.setp:2 "
                "logic.select:3,4 logic.select:5,6 iadd.setp:* fmul:2,7 conversion:* rcp:9 "
                "fmul:7,11 iadd:12 fmul:10,13 conversion:14 logic:15 logic.mov:16 imad:*,17 "
                "logic.mov logic.mov:0 =logic.mov:8,18 branch:20"},
    {"rem s16", "logic.mov logic.permute:* logic.permute:* branch iadd.sign:2 logic.mov "
                "iadd.sign:1 shift:1 conversion:4 fadd.setp:8 fadd.setp:8 logic.select:5,9 "
                "logic.select:10,11 iadd.setp:2 fmul:8,12 conversion:6 rcp:14 fmul:12,16 "
                "logic.mov:7 iadd:17 fmul:15,19 iadd.sign:2 logic.mov:0 conversion:20 "
                "logic.mov:21 logic:23 logic.mov imad:6,24,25 logic:18,27 iadd:7,28 "
                "=logic.mov:13,29 branch:22"},
    {"div u32", "conversion:* iadd.product:* iadd.setp:* rcp:0 iadd:3 conversion:4 "
                "iadd.product imad:1,5 imad.high:5,6,7 imad.high:*,8 iadd.product:9 "
                "imad:*,10 iadd.setp:*,11 iadd.product:*,11,12 iadd:9,12 iadd.setp:*,13 "
                "iadd:14,15 =logic:*,2,16"},
    {"div s32", "iadd.sign:* iadd.sign:* conversion:0 rcp:2 iadd:3 iadd.sign:* logic:* "
                "conversion:4 iadd.setp:6 iadd.product iadd.product:7 imad:0,10 "
                "iadd.product:1 imad.high:7,9,11 imad.high:5,13 imad:5,12,14 iadd.setp:0,15 "
                "iadd.product:0,15,16 iadd:14,16 iadd.setp:* iadd.setp:0,17 iadd:18,20 "
                "iadd.product:8,21 =logic:*,19,22"},
    {"rem u32", "conversion:* iadd.product:* iadd.setp:* rcp:0 iadd:3 conversion:4 "
                "iadd.product imad:1,5 imad.high:5,6,7 imad.high:*,8 iadd.product:9 "
                "imad:*,10 iadd.setp:*,11 iadd:*,11,12 iadd.setp:*,13 iadd:*,13,14 "
                "=logic:*,2,15"},
    {"rem s32", "iadd.sign:* iadd.sign:* iadd.sign:* conversion:0 iadd.setp:* rcp:3 iadd:5 "
                "iadd.product:1 conversion:6 iadd.product iadd.product:8 imad:0,10 "
                "imad.high:8,9,11 imad.high:2,12 imad:2,7,13 iadd.setp:0,14 "
                "iadd.product:0,14,15 iadd.setp:* iadd.setp:0,16 iadd:0,16,18 "
                "iadd.product:4,19 =logic:*,17,20"},
    {"div u64", "logic.mov branch conversion.f64:* rcp:2 iadd:3 conversion.f64:4 "
                "imad.wide:*,5 imad:*,5,6 iadd:6 imad:*,5,7 imad.high:5,8 iadd.carry:8,9 "
                "logic.mov:5 imad.wide:5,10,11,12 imad:5,11 imad.high:5,8,13 imad.high:5,11 "
                "iadd:14,15 iadd.carry:5,13,16 imad.wide:*,17 iadd.carry:15,17,18 "
                "imad:*,17,19 iadd:19 imad:*,20,21 imad.high:17,22 iadd.carry:22,23 logic.mov "
                "imad.wide:17,24,25 imad:20,25 imad.high:20,22,27 imad.high:20,25 iadd:28,29 "
                "iadd.carry:20,27,30 imad.high:*,31 iadd.carry:29,31,32 imad.wide:*,26,31,33 "
                "imad:*,34 imad.high:*,34,35 imad.high:*,34 iadd:36,37 iadd.carry:37,38 "
                "imad.wide:*,39 iadd.carry:39,40 iadd:*,41 imad:*,39,41 iadd.setp:*,43 "
                "imad:*,42,44 iadd.carry:*,43,46 iadd:*,43 iadd:39 iadd.setp:*,45,47 "
                "iadd.carry:*,47,48 iadd.carry:42,49 logic.select:39,49,50 "
                "logic.select:43,48,50 logic.select:47,50,51 logic.select:42,50,52 iadd:53 "
                "iadd.setp:*,54 iadd.setp:* iadd.carry:56,57 iadd.setp:*,55,58 iadd.setp:*,59 "
                "logic.mov logic.mov:0 logic.select:53,57,61 logic.select:56,60,61 "
                "logic.select:62,65 logic.select:62,66 branch:64 logic.mov:67 =logic.mov:68"},
    {"div s64", "logic.mov branch iadd:* iadd.setp:* iadd.setp:* iadd.carry:*,2 "
                "logic.select:*,2,3 logic.select:*,3,5 conversion.f64:6,7 rcp:8 iadd:9 "
                "conversion.f64:10 imad.wide:6,11 imad:7,11,12 iadd:12 imad:6,11,13 "
                "imad.high:11,14 iadd.carry:14,15 logic.mov:11 imad.wide:11,16,17,18 "
                "imad:11,17 imad.high:11,14,19 imad.high:11,17 iadd:20,21 iadd:* "
                "iadd.carry:11,19,22 imad.wide:6,23 logic.select:*,4,24 iadd.carry:21,23,25 "
                "imad:7,23,26 iadd:26 iadd.carry:*,24 imad:6,28,29 imad.high:23,30 "
                "iadd.carry:30,32 logic.mov imad.wide:23,33,34 imad.high:28,30,36 imad:28,34 "
                "imad.high:28,34 iadd:37,38 iadd.carry:28,36,39 logic.select:*,4,31 "
                "imad.high:27,40 iadd.carry:37,40,41 imad.wide:35,40,42,43 imad:42,44 "
                "imad.high:27,44,45 imad.high:42,44 iadd:46,47 iadd.carry:47,48 "
                "imad.wide:6,49 iadd.carry:49,50 iadd:27,51 imad:7,49,51 iadd.setp:6,53 "
                "imad:6,52,54 iadd.carry:42,53,56 iadd:6,53 iadd:49 iadd.setp:7,55,57 "
                "iadd.carry:7,57,58 iadd.carry:52,59 logic.select:53,58,60 "
                "logic.select:49,59,60 logic.select:57,60,61 iadd.setp:6,63 "
                "logic.select:52,60,62 iadd:64 iadd.setp:7,65,66 logic:* iadd.carry:67,68 "
                "logic.select:64,68,69 iadd.setp:70 logic.select:67,69,71 iadd:72 iadd.setp:* "
                "iadd.carry:74,75 iadd.setp:*,76 logic.select:73,74,77 logic.mov:0 "
                "logic.select:72,73,75 logic.mov logic.select:78,79 logic.select:78,81 "
                "branch:80 logic.mov:84 =logic.mov:83"},
    {"rem u64", "logic.mov branch conversion.f64:* rcp:2 iadd:3 conversion.f64:4 "
                "imad.wide:*,5 imad:*,5,6 iadd:6 imad:*,5,7 imad.high:5,8 iadd.carry:8,9 "
                "logic.mov:5 imad:5,11 imad.wide:5,10,11,12 imad.high:5,11 imad.high:5,8,14 "
                "iadd:13,16 iadd.carry:5,14,15 imad.wide:*,17 iadd.carry:16,17,18 "
                "imad:*,17,19 iadd:19 imad:*,20,21 imad.high:17,22 iadd.carry:22,23 logic.mov "
                "imad.wide:17,24,25 imad:20,25 imad.high:20,22,27 imad.high:20,25 iadd:28,29 "
                "iadd.carry:20,27,30 imad.high:*,31 iadd.carry:29,31,32 imad.wide:*,26,31,33 "
                "imad:*,34 imad.high:*,34,35 imad.high:*,34 iadd:36,37 iadd.carry:37,38 "
                "imad.wide:*,39 iadd.carry:39,40 imad:*,39,41 iadd:*,41 imad:*,42,43 "
                "iadd.setp:*,44 iadd.carry:*,44,45 iadd:*,44 iadd.setp:*,46,47 "
                "iadd.carry:*,47,48 logic.select:44,48,49 logic.select:47,49,50 iadd:*,51 "
                "iadd.setp:*,51 iadd.setp:* iadd.carry:*,52,53 iadd.setp:*,52,54 "
                "iadd.setp:*,55 logic.mov logic.mov:0 logic.select:51,53,57 "
                "logic.select:52,56,57 logic.select:58,61 logic.select:58,62 branch:60 "
                "logic.mov:63 =logic.mov:64"},
    {"rem s64", "logic.mov branch iadd:* iadd.setp:* iadd.carry:*,2 logic.select:*,2,3 "
                "logic.select:*,3,4 conversion.f64:5,6 rcp:7 iadd:8 conversion.f64:9 "
                "imad.wide:5,10 imad:6,10,11 iadd:11 imad:5,10,12 imad.high:10,13 "
                "iadd.carry:13,14 logic.mov:10 imad:10,16 imad.wide:10,15,16,17 "
                "imad.high:10,16 imad.high:10,13,19 iadd:18,21 iadd.carry:10,19,20 iadd:* "
                "imad.wide:5,22 iadd.carry:21,22,23 iadd.setp:* imad:6,22,25 iadd:25 "
                "imad:5,26,28 imad.high:22,29 iadd.carry:29,30 imad.wide:22,31,32 imad:26,32 "
                "imad.high:26,29,33 logic.select:*,24,27 iadd.carry:*,24 imad.high:26,32 "
                "iadd:34,35 logic.select:*,27,37 iadd.carry:26,33,38 imad.high:36,39 "
                "iadd.carry:35,39,41 logic.mov imad.wide:39,40,42,44 imad:40,43 "
                "imad.high:36,43,45 imad.high:40,43 iadd:46,47 iadd.carry:47,48 "
                "imad.wide:5,49 iadd.carry:49,50 iadd:36,51 imad:6,49,51 iadd.setp:5,53 "
                "imad:5,52,54 iadd.carry:40,53,56 iadd:5,53 iadd.setp:6,55,57 "
                "iadd.carry:6,57,58 logic.select:53,58,59 logic.select:57,59,60 "
                "iadd.setp:5,61 iadd:5,61 iadd.setp:6,62,63 iadd.carry:6,62,64 "
                "logic.select:61,64,65 logic.select:62,65,66 iadd:67 iadd.setp:* "
                "logic.select:27,67,69 iadd.carry:68,69 iadd.setp:*,70 logic.mov:0 "
                "logic.select:27,68,72 logic.mov logic.select:71,73 logic.select:73,75 "
                "branch:74 logic.mov:77 =logic.mov:78"},
    {"clz b32", "conversion.bits:* =iadd:0"},
    {"cnot b32", "iadd.setp:* =logic.select:0"},
    {"bfe u32", "shift:* =shift.field:0"},
    {"bfe s32", "shift:* =shift.field:0"},
    {"bfi b32", "shift:* =logic:*,0"},
    {"mul24", "shift.field:* shift.field:* =imad:0,1"},
};

/* The same instructions where a lane needs the subroutine: those up to the branch, the call, what
 * the subroutine executes, and the way back. The subroutine has two ways here: one for a zero (the
 * numerator of a division), with which infinities and the like share all but a few instructions,
 * and one for numbers that are scaled before the computation. */
typedef struct {
    const char *words; /* as above */
    const char *special, *scaled;
} SlowRow;

static const SlowRow slow_rows[] = {
    {"div f32",
     "branch.sync rcp:* rcp.check:* fmadd:*,1 fmadd:1,3 fmadd:*,4 fmadd:*,5 "
     "fmadd:4,5,6 branch:2 logic.mov branch shift:* shift:* branch.sync "
     "logic:11 logic.mov:* logic:12 logic.mov:* iadd:14 iadd:16 iadd.setp:18 "
     "iadd.setp:19,20 logic.mov:21 branch:21 fadd.setp:* fadd.setp:* "
     "logic.predicate:24,25 branch:26 logic:15,17 branch:28 fadd.setp:* "
     "fadd.setp:* fadd.setp:* branch:30,31 logic:15 logic.predicate:31,34 "
     "branch:35 logic:15,17 branch branch.sync logic.mov:9 logic.mov "
     "branch:40 =logic.mov:37 branch.sync",
     "branch.sync rcp:* rcp.check:* fmadd:*,1 fmadd:1,3 fmadd:*,4 fmadd:*,5 "
     "fmadd:4,5,6 branch:2 logic.mov branch shift:* shift:* branch.sync "
     "logic:11 logic.mov:* logic:12 logic.mov:* iadd:14 iadd:16 iadd.setp:18 "
     "iadd.setp:19,20 logic.mov:21 branch:21 iadd.lea:14 iadd:16 branch.sync "
     "iadd:17,24 imad:15,25 iadd:14,25 fadd:27 rcp:27 iadd:22,29 fmadd:30,31 "
     "fmadd:31,33 fmadd:28,34 fmadd:28,30,35 fmadd:34,35,36 fmadd:28,30,37 "
     "fmadd:34,37,38 shift:39 logic:40 iadd:32,41 iadd:42 iadd.setp:43 "
     "branch:44 imad:32,39 branch.sync branch branch.sync logic.mov:9 "
     "logic.mov branch:50 =logic.mov:46 branch.sync"},
    {"rcp f32",
     "branch.sync iadd:* logic:1 iadd.setp:2 branch:3 logic.mov branch "
     "shift:* branch.sync shift:7 iadd.setp:9 branch:10 shift:* iadd.setp:12 "
     "fmadd:*,13 rcp:*,13 rcp:13 fmadd:13 fadd:13 fmadd:13 fmadd:13 branch "
     "branch.sync logic.mov:5 logic.mov branch:23 =logic.mov:15 branch "
     "branch.sync",
     "branch.sync iadd:* logic:1 iadd.setp:2 branch:3 logic.mov branch "
     "shift:* branch.sync shift:7 iadd.setp:9 branch:10 iadd:9 iadd.setp:12 "
     "branch:13 logic:* logic.mov logic:15 shift:12,16 rcp:17 fmadd:17,19 "
     "fadd:20 fmadd:19,21 fmadd:19,21 logic:22 fadd.setp:22,23 logic:24 "
     "logic.select:25 logic:18,26 iadd.sign:27 shift:12,28 logic:12,26,29 "
     "logic:30 logic:30 logic.predicate:31,32,33 logic:* logic.select:34 "
     "iadd.sign:36 iadd.setp:37 iadd:9 shift:26,39 iadd:38,40 shift:35,41 "
     "logic:*,42 branch branch.sync logic.mov:5 logic.mov branch:46 "
     "=logic.mov:43 branch branch.sync"},
    {"sqrt f32",
     "branch.sync iadd:* rsqrt:* iadd.setp:1 branch:3 logic.mov branch "
     "logic:* logic.mov:*,7 branch:7 logic.mov:5 logic.mov branch:10 "
     "=logic.mov:8 branch branch.sync",
     "branch.sync iadd:* rsqrt:* iadd.setp:1 branch:3 logic.mov branch "
     "logic:* logic.mov:*,7 branch:7 fadd.setp:* logic.mov:10 branch:10 "
     "fadd.setp:* fadd:*,13 branch:13 fadd.setp:* fmadd:*,16 rsqrt:16,17 "
     "fmul:16,17,18 fmul:16,18 logic.mov:*,16 fadd:16,19 fmadd:16,17,19,22 "
     "fmadd:16,19,20,23 fmul:16,24 logic.mov:5 logic.mov branch:26 "
     "=logic.mov:25 branch branch.sync"},
    {"div f64",
     "logic.mov branch.sync rcp:* fadd.setp:* dfma:*,0,2 dfma:4 dfma:0,2,5 "
     "dfma:*,6 dfma:6,7 dmul:*,8 dfma:*,9 dfma:8,9,10 fmadd:*,11 fadd.setp:12 "
     "branch:3,13 logic.mov branch fadd.setp:* logic.mov logic:* logic.mov "
     "fadd.setp:* logic:19 logic.mov:* logic:* branch.sync logic:* dmul:*,17 "
     "iadd.setp:24,26 logic.mov:24 logic:*,21 iadd.setp:21,24,30 rcp:22 "
     "logic:17,22 iadd:26 dfma:18,22,23,32 dfma:35 dfma:18,32,36 "
     "logic.select:20,21,31 logic.mov:* logic.select:20,28 logic.mov:21 "
     "logic:*,21,38 logic:*,40 dfma:22,23,37 logic:21,42 dfma:21,39,41,43,45 "
     "dfma:37,44 logic:21,46 dmul:46,47 iadd:48 iadd.setp:50 dfma:22,23,46,49 "
     "iadd.setp:34,51 dfma:47,49,52 branch:53 dadd.setp:* branch:56 "
     "dadd.setp:* branch:58 iadd.setp:26,48 logic.mov logic.mov branch:60 "
     "iadd.setp:48 logic:* iadd.setp:26,64 logic:65,66 logic.mov:66 "
     "logic.mov:66 logic.mov:23,66 branch branch.sync logic.mov branch:15 "
     "logic.mov:69 =logic.mov:65 branch.sync",
     "logic.mov branch.sync rcp:* fadd.setp:* dfma:*,0,2 dfma:4 dfma:0,2,5 "
     "dfma:*,6 dfma:6,7 dmul:*,8 dfma:*,9 dfma:8,9,10 fmadd:*,11 fadd.setp:12 "
     "branch:3,13 logic.mov branch fadd.setp:* logic.mov logic:* logic.mov "
     "fadd.setp:* logic:19 logic.mov:* logic:* branch.sync logic:* dmul:*,17 "
     "iadd.setp:24,26 logic.mov:24 logic:*,21 iadd.setp:21,24 rcp:22 "
     "logic:17,22 iadd:26 dfma:18,22,23,32 dfma:35 dfma:18,32,36 "
     "logic.select:20,21 logic.mov:* logic.select:20,28 logic.mov:21 "
     "logic:*,21,36 logic:*,40 dfma:22,23,37 logic:21,36 dfma:21,36,39,43 "
     "dfma:37,44 logic:21,43 dmul:39,43,47 iadd:29 iadd.setp:50 "
     "dfma:22,23,39,43,49 iadd.setp:34,51 dfma:47,49,52 branch:53 logic:* "
     "iadd.setp:24,56 iadd:24,56 logic.select:20,57 iadd.minmax:58 "
     "iadd.minmax:60 iadd:59,61 logic.mov iadd:62 dmul:54,63,64 fadd.setp:65 "
     "branch:66 branch.sync logic.mov branch:15 logic.mov:65 =logic.mov:65 "
     "branch.sync"},
    {"rcp f64",
     "branch.sync rcp:* iadd:* fadd.setp:2 dfma:*,1,2 dfma:4 dfma:1,2,5 "
     "dfma:*,6 dfma:6,7 branch:3 logic:* logic.mov iadd:10 branch dadd.setp:* "
     "branch.sync branch:14 logic:* iadd:17 iadd.setp:18 logic:*,19 "
     "logic.mov:19 branch:19 branch.sync logic.mov:11 logic.mov logic.mov:21 "
     "=logic.mov:20 branch:24 branch.sync",
     "branch.sync rcp:* iadd:* fadd.setp:2 dfma:*,1,2 dfma:4 dfma:1,2,5 "
     "dfma:*,6 dfma:6,7 branch:3 logic:* logic.mov iadd:10 branch dadd.setp:* "
     "branch.sync branch:14 logic:* iadd:17 iadd.setp:18 logic:*,19 "
     "logic.mov:19 branch:19 iadd.setp:17 branch:23 iadd:* logic.mov:* rcp:25 "
     "dfma:12,25,26,27 dfma:28 dfma:12,27,29 dfma:25,26,30 dfma:30,31 dmul:32 "
     "dfma:*,33 dfma:34 dfma:33,35 branch branch.sync logic.mov:11 logic.mov "
     "logic.mov:36 =logic.mov:36 branch:39 branch.sync"},
    {"sqrt f64",
     "logic.mov logic.mov branch.sync rsqrt:* iadd:* iadd.setp:4 dmul:3,4 "
     "dfma:*,6 dfma:0,1,7 dmul:3,4,7 dfma:3,4,8,9 dmul:*,10 iadd:10 "
     "logic.mov:10 dfma:*,11 dfma:11,12,13,14 branch:5 logic.mov branch "
     "iadd.setp:4 branch.sync logic.mov:12 branch:19 dadd.setp:* branch:23 "
     "dadd:* branch.sync logic.mov:17 logic.mov logic.mov:25 =logic.mov:25 "
     "branch:27 branch.sync",
     "logic.mov logic.mov branch.sync rsqrt:* iadd:* iadd.setp:4 dmul:3,4 "
     "dfma:*,6 dfma:0,1,7 dmul:3,4,7 dfma:3,4,8,9 dmul:*,10 iadd:10 "
     "logic.mov:10 dfma:*,11 dfma:11,12,13,14 branch:5 logic.mov branch "
     "iadd.setp:4 branch.sync logic.mov:12 branch:19 dfma:10,11,14,21 iadd:23 "
     "iadd.carry:23,24 dfma:*,23,24,25 dadd.setp:26 logic.select:23,24,27 "
     "logic.select:23,25,27 branch branch.sync logic.mov:17 logic.mov "
     "logic.mov:28 =logic.mov:29 branch:32 branch.sync"},
    {"rsqrt f64",
     "logic.mov logic.mov logic.mov branch.sync rsqrt:* iadd:* iadd.setp:5 "
     "dmul:0,4 dfma:*,7 dfma:1,2,8 dmul:0,4,8 dfma:0,4,9,10 branch:6 "
     "logic.mov branch dadd.setp:* branch.sync logic:* branch:15 logic:17 "
     "=logic.mov branch.sync logic.mov:13 logic.mov branch:22 branch.sync",
     "logic.mov logic.mov logic.mov branch.sync rsqrt:* iadd:* iadd.setp:5 "
     "dmul:0,4 dfma:*,7 dfma:1,2,8 dmul:0,4,8 dfma:0,4,9,10 branch:6 "
     "logic.mov branch dadd.setp:* branch.sync logic:* branch:15 dadd.setp:* "
     "branch:19 iadd.setp:17 logic.mov:21 logic.mov:21 branch:21 dadd.setp:* "
     "logic.mov:25 branch:25 dmul:* logic.mov logic.mov logic.mov rsqrt:28 "
     "dmul:29,32 dfma:28,33 dfma:30,31,34 dmul:29,32,34 dfma:29,32,35,36 "
     "=dmul:37 branch branch.sync logic.mov:13 logic.mov branch:41 "
     "branch.sync"},
};

/* Divisions by the divisor of a division just before: its inverse is known (sm_75). */
static const Row again_rows[] = {
    {"div u32", "imad.high:* imad:0 imad:*,1 iadd.setp:2 iadd:2,3 iadd:0,3 iadd.setp:4 iadd:5,6 "
                "=logic:7"},
    {"div s32", "iadd.sign:* logic:* imad.high:0 iadd.setp:1 imad:2 imad:0,4 iadd.setp:5 imad:5,6 "
                "iadd:2,6 iadd.setp:7 iadd:8,9 imad:3,10 =logic:11"},
    {"rem u32", "imad.high:* imad:0 imad:*,1 iadd.setp:2 iadd:2,3 iadd.setp:4 iadd:4,5 =logic:6"},
    {"rem s32", "iadd.sign:* imad.high:0 imad:1 imad:0,2 iadd.setp:3 iadd:3,4 iadd.setp:* "
                "iadd.setp:5 iadd:5,7 iadd:6,8 =logic:9"},
};

/* 64-bit integer instructions, since registers have 32 bits. */
static const Row wide_rows[] = {
    {"add", "iadd:* =iadd.carry:*,0"},
    {"sub", "iadd:* =iadd.carry:*,0"},
    {"addc", "iadd:* =iadd.carry:*,0"},
    {"subc", "iadd:* =iadd.carry:*,0"},
    {"neg", "iadd:* =iadd.carry:*,0"},
    {"abs", "iadd:* iadd.setp:* iadd.carry:*,0 logic.select:*,0,1 =logic.select:*,1,2"},
    {"min", "iadd.setp:* iadd.setp:*,0 logic.select:*,1 =logic.select:*,1"},
    {"max", "iadd.setp:* iadd.setp:*,0 logic.select:*,1 =logic.select:*,1"},
    {"setp", "iadd.setp:* =iadd.setp:*,0"},
    {"set", "iadd.setp:* iadd.setp:*,0 =logic.select:1"},
    {"selp", "logic.select:* =logic.select:*"},
    {"slct", "iadd.setp:* logic.select:*,0 =logic.select:*,0"},
    {"and", "logic:* =logic:*"},
    {"or", "logic:* =logic:*"},
    {"xor", "logic:* =logic:*"},
    {"not", "logic:* =logic:*"},
    {"cnot", "iadd.setp:* iadd.setp:*,0 logic.select:1 logic.mov:2 =shift:3"},
    {"shl", "shift:* =shift:*"},
    {"shr", "shift:* =shift:*"},
    {"bfe", "logic.mov shift:*,0 shift:*,0 iadd:1 shift:* shift:* iadd.carry:2,3 "
            "logic:3,4 =logic:5,6"},
    {"bfi", "logic.mov shift:*,0 shift:*,0 iadd:1 iadd.carry:2,3 logic:*,3 logic:*,4 "
            "shift:*,3,4 shift:*,3 shift:*,5 shift:*,5,6 logic:*,8,9 =logic:*,7,10"},
    {"bfind", "branch.sync conversion.bits:* iadd.setp:1 iadd:*,1,2 branch:2 "
              "=conversion.bits:* branch.sync"},
    {"popc", "conversion.bits:* conversion.bits:* =iadd:0,1"},
    {"clz", "iadd.setp:* logic.select:*,0 conversion.bits:1 iadd:2 iadd:2 "
            "=logic.mov:0,3,4"},
    {"brev", "conversion.bits:* =conversion.bits:*"},
    {"mul hi s64", "iadd.setp:* imad.wide:* imad.wide:*,1 imad.wide:* logic.mov:2 iadd.carry:2 "
                   "iadd:2,3 imad.wide:*,4,6 iadd:*,7 logic.select:0,7,8 iadd.carry:*,7,8 "
                   "iadd:*,9 logic.select:0,7,10 iadd.setp:* iadd.carry:*,11,12 "
                   "logic.select:9,11,13 =logic.select:12,13,14"},
    {"mul hi u64", "imad.wide:* imad.wide:*,0 imad.wide:* iadd.carry:1 logic.mov:1 iadd:1,2 "
                   "=imad.wide:*,4,5"},
    {"mul lo", "imad:* imad.wide:* imad:*,0 =iadd:1,2"},
    {"mad lo", "imad:* imad.wide:* imad:*,0 =iadd:1,2"},
    {"mov", "logic.mov:* =logic.mov:*"},
};

static gboolean fits(const PsPtxMnemonic *mnemonic, const char *words)
{
    g_auto(GStrv) list = g_strsplit(words, " ", -1);
    if (strcmp(list[0], mnemonic->opcode) != 0)
        return FALSE;
    for (char **word = list + 1; *word; word++)
        if (!ps_ptx_has(mnemonic, *word))
            return FALSE;
    return TRUE;
}

static const Row *find(const Row *list, gsize n, const PsPtxMnemonic *mnemonic)
{
    for (gsize i = 0; i < n; i++)
        if (fits(mnemonic, list[i].words))
            return &list[i];
    return NULL;
}

/* TRUE for a 64-bit integer instruction; for set the type of the sources counts. */
static gboolean is_wide(const PsPtxMnemonic *mnemonic)
{
    const gboolean second = strcmp(mnemonic->opcode, "set") == 0 && mnemonic->n_types > 1;
    const PsPtxType type = mnemonic->types[second ? 1 : 0];
    return type == PS_PTX_B64 || type == PS_PTX_U64 || type == PS_PTX_S64;
}

/* The sequence with the subroutine; NULL: the instruction has none. */
static const char *find_slow(const PsPtxMnemonic *mnemonic, PsPtxWay way)
{
    for (gsize i = 0; way != PS_PTX_WAY_SHORT && i < G_N_ELEMENTS(slow_rows); i++)
        if (fits(mnemonic, slow_rows[i].words))
            return way == PS_PTX_WAY_SPECIAL ? slow_rows[i].special : slow_rows[i].scaled;
    return NULL;
}

const char *ps_sequence_text(const PsPtxInstruction *instruction, PsPtxWay way, gboolean wide)
{
    const PsPtxMnemonic *mnemonic = instruction->mnemonic;
    const char *slow = find_slow(mnemonic, way);
    if (slow)
        return slow;
    const Row *row = find(rows, G_N_ELEMENTS(rows), mnemonic);
    if (!row && wide && is_wide(mnemonic))
        row = find(wide_rows, G_N_ELEMENTS(wide_rows), mnemonic);
    return row ? row->steps : NULL;
}

const char *ps_sequence_again(const PsPtxInstruction *instruction)
{
    const Row *row = find(again_rows, G_N_ELEMENTS(again_rows), instruction->mnemonic);
    return row ? row->steps : NULL;
}

const char *ps_sequence_of(const char *op)
{
    g_auto(GStrv) words = g_strsplit(op, ".", -1);
    const PsPtxMnemonic mnemonic = {.opcode = words[0], .parts = (const char *const *)words + 1};
    const Row *row = find(rows, G_N_ELEMENTS(rows), &mnemonic);
    return row ? row->steps : NULL;
}

/* ---- from text --------------------------------------------------------------------------------
 */

static void parse_after(PsStep *step, const char *text)
{
    g_auto(GStrv) list = g_strsplit(text, ",", -1);
    for (char **word = list; *word; word++) {
        if (strcmp(*word, "*") == 0)
            step->reads = TRUE;
        else if (step->n_after < PS_STEP_MOST_AFTER)
            step->after[step->n_after++] = (guint)g_ascii_strtoull(*word, NULL, 10);
    }
}

static void add_step(PsSequence *sequence, const char *word)
{
    PsStep step = {0};
    if (*word == '=') {
        sequence->result = sequence->steps->len;
        word++;
    }
    g_auto(GStrv) halves = g_strsplit(word, ":", 2);
    step.class_name = g_strdup(halves[0]);
    if (halves[1])
        parse_after(&step, halves[1]);
    g_array_append_val(sequence->steps, step);
}

static void step_clear(gpointer data)
{
    g_free(((PsStep *)data)->class_name);
}

PsSequence *ps_sequence_new(const char *text)
{
    PsSequence *sequence = g_new0(PsSequence, 1);
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    sequence->steps = g_array_new(FALSE, FALSE, sizeof(PsStep));
    g_array_set_clear_func(sequence->steps, step_clear);
    for (char **word = words; *word; word++)
        add_step(sequence, *word);
    return sequence;
}

void ps_sequence_free(PsSequence *sequence)
{
    if (!sequence)
        return;
    g_array_unref(sequence->steps);
    g_free(sequence);
}
