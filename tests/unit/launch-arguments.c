/* SPDX-License-Identifier: BSD-3-Clause */
/* Which parameter each text is for, and what a parameter takes. */
#include "launch/hint.h"
#include "tests/help/launch.h"

#include <string.h>

/* y[i] = a * x[i], n of them. */
#define SAXPY                                                                                      \
    ".param .u64 k_param_0, .param .u64 k_param_1, .param .f32 k_param_2, .param .u32 k_param_3"
#define READS                                                                                      \
    "ld.param.u64 d1, [k_param_0]; ld.param.u64 d2, [k_param_1];"                                  \
    "ld.param.f32 r1, [k_param_2]; ld.param.u32 r2, [k_param_3];"

static const LaunchCase saxpy = {.params = SAXPY,
                                 .body = READS,
                                 .source =
                                     "__global__ void k(float *x, float *y, float alpha, int n)"};
static const LaunchCase nameless = {.params = SAXPY, .body = READS};

/* ---- whose text it is ----------------------------------------------------------------------- */

static void check_values(const Launched *launched)
{
    g_assert_no_error(launched->error);
    const PsPtxArgument *values = launched->arguments->values;
    g_assert_cmpuint(launched->arguments->n, ==, 4);
    g_assert_cmpuint(values[0].size, ==, 16);
    g_assert_nonnull(values[0].data);
    g_assert_cmpuint(values[1].size, ==, 32);
    g_assert_cmphex(values[2].bits, ==, 0x3fc00000);
    g_assert_cmpuint(values[3].bits, ==, 8);
    g_assert_null(values[3].data);
}

static void test_names(void)
{
    g_autoptr(Launched) named =
        launch_with(saxpy, TEXTS("n=8", "y=zero:32", "alpha=1.5", "x=zero:16"));
    g_autoptr(Launched) own = launch_with(
        saxpy, TEXTS("k_param_3=8", "k_param_1=zero:32", "k_param_2=1.5", "k_param_0=zero:16"));
    g_autoptr(Launched) numbered =
        launch_with(saxpy, TEXTS("3=8", "1=zero:32", "2=1.5", "0=zero:16"));
    g_autoptr(Launched) ordered = launch_with(saxpy, TEXTS("zero:16", "zero:32", "1.5", "8"));
    g_autoptr(Launched) mixed = launch_with(saxpy, TEXTS("zero:16", "alpha=1.5", "zero:32", "8"));
    check_values(named);
    check_values(own);
    check_values(numbered);
    check_values(ordered);
    check_values(mixed);
    g_assert_cmpstr(named->arguments->values[1].name, ==, "y");
    launch_tells(named->notes, NULL);
    launch_tells(mixed->warnings, NULL);
}

#define NOBODY_KNOWS(TEXT, NAME)                                                                   \
    "--arg " TEXT ": nobody knows which argument of kernel k is '" NAME "', since no source "      \
    "was found that declares it in one way; write --arg 0=VALUE, --arg 1=VALUE and so on, "        \
    "or values without names, in order; "                                                          \
    "the arguments are: k_param_0 (.u64), k_param_1 (.u64), k_param_2 (.f32), k_param_3 (.u32)"

/* Names that nobody knows are refused, be they in the right order: nobody knows that either. */
static void test_nameless(void)
{
    LaunchCase option = nameless;
    option.texts.argument_name = "--arg";
    launch_fails(option, TEXTS("x=zero:16", "y=zero:32", "alpha=1.5", "n=8"),
                 NOBODY_KNOWS("x=zero:16", "x"));
    launch_fails(option, TEXTS("zero:16", "1=zero:32", "f=1.5", "8"), NOBODY_KNOWS("f=1.5", "f"));
    launch_fails(option, TEXTS("4=1"),
                 "--arg: kernel k has no argument '4'; its arguments are: k_param_0 (.u64), "
                 "k_param_1 (.u64), k_param_2 (.f32), k_param_3 (.u32)");
    g_autoptr(Launched) mixed =
        launch_with(nameless, TEXTS("zero:16", "3=8", "k_param_1=zero:32", "1.5"));
    check_values(mixed);
    launch_tells(mixed->warnings, NULL);
}

static void test_wrong_names(void)
{
    LaunchCase option = saxpy;
    option.texts.argument_name = "--arg";
    launch_fails(option, TEXTS("zero:16", "z=zero:32"),
                 "--arg: kernel k has no argument 'z'; its arguments are: x (.u64), y (.u64), "
                 "alpha (.f32), n (.u32)");
    launch_fails(
        saxpy, TEXTS("alhpa=4"),
        "argument: kernel k has no argument 'alhpa'; its arguments are: x (.u64), y (.u64), "
        "alpha (.f32), n (.u32); did you mean alpha?");
    launch_fails(saxpy, TEXTS("n=4", "3=5"), "argument 3=5: n has a value already");
    launch_fails(
        option, TEXTS("zero:16", "zero:32", "1.5", "8", "9"),
        "--arg 9: kernel k has no more arguments; they are: x (.u64), y (.u64), alpha (.f32), "
        "n (.u32)");
    launch_fails(saxpy, TEXTS("4=1"),
                 "argument: kernel k has no argument '4'; its arguments are: x (.u64), y (.u64), "
                 "alpha (.f32), n (.u32)");
}

static void test_missing(void)
{
    LaunchCase option = saxpy;
    option.texts.argument_name = "--arg";
    launch_fails(
        option, TEXTS("n=4", "x=zero:4"),
        "kernel k lacks values for y, alpha; its arguments are: x (.u64), y (.u64), alpha (.f32), "
        "n (.u32). Fill in (buffers are zero:BYTES, ramp:BYTES, random:BYTES or @FILE): --arg n=4 "
        "--arg x=zero:4 --arg y=zero:BYTES --arg alpha=NUMBER");
    option.texts.command = "pipesim k.cu --kernel 'k<1>'";
    option.texts.lacking = "--gpu GPU";
    option.texts.grid_name = "--grid";
    option.texts.block_name = "--block";
    option.texts.grid = "(n/4)x1";
    launch_fails(
        option, TEXTS("x=zero:4*n", "y=zero:4", "alpha=1"),
        "kernel k lacks values for n, and --gpu, --block; its arguments are: x (.u64), y (.u64), "
        "alpha (.f32), n (.u32). Fill in (buffers are zero:BYTES, ramp:BYTES, random:BYTES or "
        "@FILE): pipesim k.cu --kernel 'k<1>' --gpu GPU --grid '(n/4)x1' --block THREADS --arg "
        "'x=zero:4*n' --arg y=zero:4 --arg alpha=1 --arg n=NUMBER");
    launch_fails(option, TEXTS("x=zero:4", "y=zero:4", "alpha=1", "n=4K"),
                 "kernel k lacks --gpu, --block; its arguments are: x (.u64), y (.u64), alpha "
                 "(.f32), n (.u32). Fill in (buffers are zero:BYTES, ramp:BYTES, random:BYTES or "
                 "@FILE): pipesim k.cu --kernel 'k<1>' --gpu GPU --grid '(n/4)x1' --block THREADS "
                 "--arg x=zero:4 --arg y=zero:4 --arg alpha=1 --arg n=4K");
    g_autoptr(Launched) none = launch_new(&saxpy);
    g_assert_error(none->error, PS_ERROR, PS_ERROR_USAGE);
    g_autoptr(Launched) nothing = launch_new(&(LaunchCase){0});
    g_assert_no_error(nothing->error);
    g_assert_cmpuint(nothing->arguments->n, ==, 0);
    launch_fails((LaunchCase){0}, TEXTS("1"),
                 "argument 1: kernel k has no more arguments; they are: none");
}

/* A pointer to local memory is a place there, whose bytes are the launch's. */
static void test_local(void)
{
    LaunchCase local = {.params = ".param .u64 .ptr .global .align 4 x, "
                                  ".param .u64 .ptr .shared .align 4 s, "
                                  ".param .u64 .ptr .shared .align 4 t",
                        .body =
                            "ld.param.u64 d1, [x]; ld.param.u64 d2, [s]; ld.param.u64 d1, [t];"};
    local.texts.argument_name = "--arg";
    local.texts.shared_name = "--shared";
    launch_fails(local, TEXTS("0=zero:4"),
                 "kernel k lacks values for s, t; its arguments are: x (.u64), s (.u64), t (.u64). "
                 "Fill in (buffers are zero:BYTES, ramp:BYTES, random:BYTES or @FILE; s is where "
                 "an array begins in the launch's local memory): --arg 0=zero:4 --arg s=0 --arg "
                 "t=OFFSET --shared BYTES");
    local.texts.shared_name = NULL;
    launch_fails(local, TEXTS("0=zero:4", "1=0"),
                 "kernel k lacks values for t; its arguments are: x (.u64), s (.u64), t (.u64). "
                 "Fill in (buffers are zero:BYTES, ramp:BYTES, random:BYTES or @FILE; s is where "
                 "an array begins in the launch's local memory): --arg 0=zero:4 --arg 1=0 --arg "
                 "t=OFFSET");
    launch_fails(local, TEXTS("0=zero:4", "1=0", "2=zero:1K"),
                 "--arg t: this argument points to local memory, which the launch gives the "
                 "kernel; give the place where its array begins there, 0 for the first");
}

static void command_is(LaunchCase of, const char *expected)
{
    g_autoptr(Launched) launched = launch_new(&of);
    g_assert_cmpstr(launched->command, ==, expected);
}

/* Machine code tells sizes of arguments only: 8 bytes are taken for an address. */
static void test_command_of_sizes(void)
{
    LaunchCase sizes = {.params = ".param .b64 k_param_0, .param .b32 k_param_1",
                        .body = "ld.param.u64 d1, [k_param_0]; ld.param.u32 r1, [k_param_1];"};
    sizes.texts.argument_name = "--arg";
    command_is(sizes, "--arg k_param_0=zero:BYTES --arg k_param_1=NUMBER");
}

/* The code tells numbers of 64 bits from addresses, and which fields of a struct it reads. */
static void test_command_of_uses(void)
{
    LaunchCase uses = {
        .before = ".extern .shared .align 4 .b8 room[];",
        .params = ".param .u64 to, .param .u64 n, .param .align 8 .b8 s[24]",
        .body =
            "ld.param.u64 d1, [to]; ld.param.u64 d2, [n]; ld.param.v2.u32 {r1, r2}, [s];"
            "ld.param.u64 d3, [s+8]; ld.param.f64 d4, [s+16]; cvta.to.global.u64 d5, d1;"
            "cvta.to.global.u64 d6, d3; cvt.u64.u32 d7, r1; .reg .pred p1; setp.ge.s64 p1, d7, d2;"
            "@p1 bra end; ld.global.f64 d8, [d6]; st.global.f64 [d5], d8;"
            "mov.u32 r3, room; st.shared.u32 [r3], r2; end: st.global.f64 [d5], d4;"};
    uses.texts.argument_name = "--arg";
    command_is(uses, "--arg to=zero:BYTES --arg n=NUMBER --arg s+0=NUMBER --arg s+4=NUMBER "
                     "--arg s+8=zero:BYTES --arg s+16=NUMBER");
    uses.texts.shared_name = "--shared";
    uses.texts.rest = "--versus --block 64";
    uses.texts.arguments = TEXTS("s+8=zero:64", "to=zero:64");
    command_is(uses, "--arg s+8=zero:64 --arg to=zero:64 --arg n=NUMBER --shared BYTES "
                     "--versus --block 64");
}

/* Two fields that one instruction loads are each what its own register is used for, and a field
 * is not what the one before it is. */
static void test_command_of_members(void)
{
    LaunchCase members = {
        .params = ".param .align 8 .b8 s[40]",
        .body = "ld.param.v2.u64 {d1, d2}, [s]; cvta.to.global.u64 d3, d2;"
                "st.global.u64 [d3], d1; ld.param.u64 d4, [s+24]; ld.param.u64 d5, [s+16];"
                "cvta.to.global.u64 d6, d5; st.global.u64 [d6], d4;"
                "ld.param.u64 d7, [s+32]; st.global.u64 [d6+8], d7;"};
    members.texts.argument_name = "--arg";
    command_is(members, "--arg s+0=NUMBER --arg s+8=zero:BYTES --arg s+16=zero:BYTES "
                        "--arg s+24=NUMBER --arg s+32=NUMBER");
}

/* Where only sizes are known, a mangled name tells, and else 8 bytes are taken for an address. */
static void test_command_of_mangled(void)
{
    LaunchCase mangled = {.name = "_Z1kPddx",
                          .params = ".param .b64 a, .param .b64 b, .param .b64 c",
                          .body = "ld.param.b64 d1, [a]; ld.param.b64 d2, [b];"
                                  "ld.param.b64 d3, [c];"};
    mangled.texts.argument_name = "--arg";
    command_is(mangled, "--arg a=zero:BYTES --arg b=NUMBER --arg c=NUMBER");
}

/* What is given stays, what lacks is to be filled in, and what is another kernel's is left out. */
static void test_command(void)
{
    LaunchCase option = saxpy;
    option.texts.argument_name = "--arg";
    command_is(option, "--arg x=zero:BYTES --arg y=zero:BYTES --arg alpha=NUMBER --arg n=NUMBER");
    option.texts.command = "pipesim k.cu --kernel k";
    option.texts.lacking = "--gpu GPU";
    option.texts.grid_name = "--grid";
    option.texts.block_name = "--block";
    option.texts.block = "256";
    option.texts.arguments = option.texts.common = TEXTS("n=4", "x=zero:4*n", "m=2");
    command_is(option, "pipesim k.cu --kernel k --gpu GPU --grid GROUPS --block 256 --arg n=4 "
                       "--arg 'x=zero:4*n' --arg y=zero:BYTES --arg alpha=NUMBER");
    option.texts.arguments = option.texts.common = TEXTS("1", "2", "3", "4", "5");
    command_is(option, "pipesim k.cu --kernel k --gpu GPU --grid GROUPS --block 256 "
                       "--arg x=zero:BYTES --arg y=zero:BYTES --arg alpha=NUMBER --arg n=NUMBER");
    option.texts.lacking = NULL;
    option.texts.grid = "n/256";
    option.texts.arguments = TEXTS("x=zero:4", "y=zero:4", "alpha=1", "n=4K");
    command_is(option, "pipesim k.cu --kernel k --grid n/256 --block 256 --arg x=zero:4 "
                       "--arg y=zero:4 --arg alpha=1 --arg n=4K");
}

/* What two kernels are given, one may lack, if it is certain that it does. */
static void test_common(void)
{
    LaunchCase both = saxpy, unknown = nameless;
    const char *const *texts = TEXTS("x=zero:16", "y=zero:32", "alpha=1.5", "n=8", "m=4", "s+8=1");
    both.texts.common = TEXTS("m=4", "n=8", "s+8=1");
    unknown.texts.common = both.texts.common;
    g_autoptr(Launched) launched = launch_with(both, texts);
    check_values(launched);
    g_assert_cmpuint(launched->arguments->lacking->len, ==, 2);
    g_assert_cmpstr(launched->arguments->lacking->pdata[0], ==, "m=4");
    g_assert_cmpstr(launched->arguments->lacking->pdata[1], ==, "s+8=1");
    unknown.texts.argument_name = "--arg";
    launch_fails(unknown, TEXTS("zero:16", "zero:32", "1", "2", "m=4"), NOBODY_KNOWS("m=4", "m"));
    unknown.texts.common = TEXTS("s+8=1"); /* a field is certain */
    g_autoptr(Launched) field =
        launch_with(unknown, TEXTS("zero:16", "zero:32", "1.5", "8", "s+8=1"));
    check_values(field);
    g_assert_cmpuint(field->arguments->lacking->len, ==, 1);
    both.texts.common = TEXTS("n=8");
    launch_fails(both, TEXTS("m=4"),
                 "argument: kernel k has no argument 'm'; its arguments are: x (.u64), y (.u64), "
                 "alpha (.f32), n (.u32)");
}

/* ---- zeros ---------------------------------------------------------------------------------- */

static void test_never_read(void)
{
    const LaunchCase unread = {.params = ".param .u64 a, .param .u32 b, .param .align 8 .b8 c[24]",
                               .body = "ld.param.u32 r1, [b];"};
    g_autoptr(Launched) launched = launch_with(unread, TEXTS("b=3"));
    g_assert_no_error(launched->error);
    launch_tells(launched->notes, "arguments that were not given are zeros: a, c");
    g_assert_cmpuint(launched->arguments->values[0].bits, ==, 0);
    g_assert_cmpuint(launched->arguments->values[1].bits, ==, 3);
    g_assert_cmpuint(launched->arguments->values[2].size, ==, 24);
    g_assert_cmpuint(launched->arguments->values[2].bytes[23], ==, 0);
    launch_fails(unread, TEXTS("a=3"),
                 "kernel k lacks values for b; its arguments are: a (.u64), b (.u32), "
                 "c (24 bytes). Fill in (buffers are zero:BYTES, ramp:BYTES, random:BYTES or "
                 "@FILE): argument a=3 argument b=NUMBER");
}

/* Memory that Triton adds is there without being asked for. */
static void test_scratch(void)
{
    const LaunchCase triton = {
        .params = ".param .u64 .ptr .global .align 1 a, .param .u64 .ptr .global .align 1 b, "
                  ".param .u64 .ptr .global .align 1 c",
        .body = "ld.param.u64 d1, [a]; ld.param.u64 d2, [b];",
        .source = "def k(x): pass\n",
        .extension = "py"};
    g_autoptr(Launched) launched = launch_with(triton, TEXTS("x=zero:4"));
    g_assert_no_error(launched->error);
    launch_tells(launched->notes,
                 "arguments that were not given are zeros: global_scratch (16M), profile_scratch");
    g_assert_cmpuint(launched->arguments->values[1].size, ==, 16 * 1024 * 1024);
}

/* ---- values --------------------------------------------------------------------------------- */

/* Sizes of buffers are expressions over numbers, wherever these stand. */
static void test_expressions(void)
{
    PsRational value;
    g_autoptr(Launched) launched =
        launch_with(saxpy, TEXTS("x=zero:2*n", "y=ramp:4*n:u32", "alpha=1.5", "n=0x8"));
    check_values(launched);
    g_assert_true(ps_scope_get(launched->arguments->scope, "n", &value));
    g_assert_cmpint(ps_rational_cmp(value, PS_RATIONAL_INT(8)), ==, 0);
    g_assert_true(ps_scope_get(launched->arguments->scope, "alpha", &value));
    g_assert_false(ps_scope_get(launched->arguments->scope, "x", &value));
    PsLaunchBuffer buffer;
    g_assert_true(ps_launch_arguments_buffer(launched->arguments, "what", "y", &buffer, NULL));
    g_assert_cmpuint(((const guint32 *)buffer.data)[7], ==, 7);
}

static void test_wrong_types(void)
{
    const LaunchCase small = {.params = ".param .u8 a, .param .u16 b",
                              .body = "ld.param.u8 r1, [a]; ld.param.u16 r2, [b];"};
    const LaunchCase pointer = {.params = ".param .u32 .ptr .global .align 4 a",
                                .body = "ld.param.u32 r1, [a];",
                                .address_size = 32};
    launch_fails(saxpy, TEXTS("zero:16", "zero:16", "1", "2.5"),
                 "argument n: '2.5' is no whole number of the type .u32 (such as 1000 or 16M), and "
                 "no zero:BYTES, "
                 "ramp:BYTES, random:BYTES or @FILE");
    launch_fails(
        saxpy, TEXTS("zero:16", "zero:16", "zero:16", "2"),
        "argument alpha: an argument of the type .f32 is no address of a buffer; give a number");
    launch_fails(
        saxpy, TEXTS("zero:16", "zero:16", "1", "zero:4"),
        "argument n: an argument of the type .u32 is no address of a buffer; give a number");
    launch_fails(
        small, TEXTS("a=zero:1", "b=1"),
        "argument a: an argument of the type .u8 is no address of a buffer; give a number");
    launch_fails(
        small, TEXTS("a=1", "b=zero:1"),
        "argument b: an argument of the type .u16 is no address of a buffer; give a number");
    g_autoptr(Launched) launched = launch_with(pointer, TEXTS("zero:8"));
    g_assert_no_error(launched->error);
    g_assert_cmpuint(launched->arguments->values[0].size, ==, 8);
}

/* Only what points to pointers may lack the buffers that these point to, and only what is a number
 * may lack its own. */
static void test_hints(void)
{
    LaunchCase named = nameless;
    static const char *const outside = "thread 0 reads 4 bytes at 0x0, where it has no memory";
    const PsLaunchTexts texts = {.argument_name = "--arg"};
    named.name = "_Z1kPfPdfj";
    g_autoptr(Launched) plain = launch_with(named, TEXTS("zero:16", "zero:16", "1", "8"));
    named.name = "_Z1kPPfPdfj";
    g_autoptr(Launched) twice = launch_with(named, TEXTS("zero:16", "zero:16", "1", "8"));
    g_assert_no_error(twice->error);
    g_autofree char *none = ps_launch_hint(plain->arguments, &texts, outside),
                    *some = ps_launch_hint(twice->arguments, &texts, outside),
                    *number = ps_launch_hint(plain->arguments, &texts,
                                             "\"k_param_3\" is the number 8, no address");
    g_assert_cmpstr(none, ==, NULL);
    g_assert_cmpstr(some, ==,
                    "; k_param_0 points to pointers: --arg k_param_0=pointers:COUNT:zero:BYTES "
                    "gives it the addresses of so many buffers");
    g_assert_cmpstr(number, ==, "; --arg k_param_3=zero:BYTES gives it one");
}

/* ---- structs -------------------------------------------------------------------------------- */

#define STRUCT ".param .align 8 .b8 s[24]"
static const LaunchCase by_value = {
    .params = STRUCT,
    .body = "ld.param.u64 d1, [s]; ld.param.u32 r1, [s+8]; ld.param.v2.f32 {r2, r3}, [s+16];"};

static void test_fields(void)
{
    g_autoptr(Launched) launched =
        launch_with(by_value, TEXTS("s+0=ramp:70000:u8", "s+8=0x11223344", "s+20=1", "s+12=258:u16",
                                    "s+1=0:u8"));
    g_assert_no_error(launched->error);
    const PsPtxArgument *value = launched->arguments->values;
    static const guint8 bytes[24] = {0,    0,    0, 0, 0, 0, 0, 0, 0x44, 0x33, 0x22, 0x11,
                                     0x02, 0x01, 0, 0, 0, 0, 0, 0, 0,    0,    0x80, 0x3f};
    g_assert_cmpmem(value->bytes, value->size, bytes, sizeof bytes);
    g_assert_cmpuint(value->n_fields, ==, 1);
    g_assert_cmpuint(value->fields[0].offset, ==, 0);
    g_assert_cmpstr(value->fields[0].name, ==, "s+0");
    PsLaunchBuffer buffer;
    g_assert_true(ps_launch_arguments_buffer(launched->arguments, "what", "s+0", &buffer, NULL));
    g_assert_cmpuint(buffer.size, ==, 70000);
    g_assert_cmpuint(buffer.data[69999], ==, 69999 & 0xff);
}

/* A struct of which fields are given is no parameter that values without a name go to. */
static void test_fields_and_values(void)
{
    const LaunchCase two = {.params = STRUCT ", .param .u32 n",
                            .body = "ld.param.u32 r1, [s+8]; ld.param.u32 r2, [n];"};
    g_autoptr(Launched) launched = launch_with(two, TEXTS("7", "s+8=5"));
    g_assert_no_error(launched->error);
    g_assert_cmpuint(launched->arguments->values[0].bytes[8], ==, 5);
    g_assert_cmpuint(launched->arguments->values[1].bits, ==, 7);
}

static void test_wrong_fields(void)
{
    launch_fails(by_value, TEXTS("s+4=1"),
                 "argument s+4: the kernel loads nothing from there, so nobody knows of what type "
                 "it is; say it, such as 5:u32 or 2.5:f64");
    launch_fails(by_value, TEXTS("s+8=1:u33"), "argument s+8: there is no type 'u33'");
    launch_fails(
        by_value, TEXTS("s+21=1:u32"),
        "argument s+21: 4 bytes from there on do not fit into this argument, which has 24");
    launch_fails(
        by_value, TEXTS("s+17=zero:4"),
        "argument s+17: 8 bytes from there on do not fit into this argument, which has 24");
    launch_fails(by_value, TEXTS("s+18446744073709551615=zero:4"),
                 "argument s+18446744073709551615: 8 bytes from there on do not fit into this "
                 "argument, which has 24");
    launch_fails(by_value, TEXTS("s+8=1", "s+8=2"),
                 "argument s+8=2: this field has a value already");
    launch_fails(saxpy, TEXTS("n+0=1", "zero:4", "zero:4", "1"),
                 "argument n+0: this argument is no struct");
    launch_fails(by_value, TEXTS("t+0=1"),
                 "argument: kernel k has no argument 't'; its arguments are: s (24 bytes)");
}

static void test_small_struct(void)
{
    const LaunchCase tiny = {.params = ".param .align 1 .b8 s[2]", .body = "ld.param.u8 r1, [s];"};
    launch_fails(tiny, TEXTS("s+0=1:u32"),
                 "argument s+0: 4 bytes from there on do not fit into this argument, which has 2");
}

/* For each struct and each type, the last byte that may be given is that of the struct, and the
 * next is one too far. */
static void test_fits(void)
{
    for (guint size = 2; size <= 17; size++)
        for (guint width = 1; width <= 8; width *= 2)
            for (guint at = 0; at <= size; at++) {
                g_autofree char *params = g_strdup_printf(".param .align 8 .b8 s[%u]", size);
                g_autofree char *value = g_strdup_printf("s+%u=1:u%u", at, 8 * width);
                const LaunchCase one = {.params = params, .body = "ld.param.u8 r1, [s];"};
                g_autoptr(Launched) launched = launch_with(one, TEXTS(value));
                g_test_message("%s of %u: %s", value, size,
                               launched->error ? launched->error->message : "fits");
                g_assert_cmpint(!launched->error, ==, at + width <= size);
            }
}

/* Addresses have the module's size. */
static void test_narrow_addresses(void)
{
    const LaunchCase narrow = {.params = ".param .align 4 .b8 s[8]",
                               .body = "ld.param.u32 r1, [s+4];",
                               .address_size = 32};
    g_autoptr(Launched) launched = launch_with(narrow, TEXTS("s+4=zero:16"));
    g_assert_no_error(launched->error);
    launch_fails(narrow, TEXTS("s+5=zero:16"),
                 "argument s+5: 4 bytes from there on do not fit into this argument, which has 8");
}

static void test_whole_structs(void)
{
    const LaunchCase pair = {.params = ".param .align 4 .b8 s[8]", .body = "ld.param.u32 r1, [s];"};
    launch_fails(
        by_value, TEXTS("s=3"),
        "argument s: this argument is a struct of 24 bytes; give them by @FILE, zero:BYTES "
        "or ramp:BYTES:TYPE, or each field by its place, such as s+0=VALUE");
    launch_fails(by_value, TEXTS("s=zero:20"),
                 "argument s: this argument has 24 bytes, and 20 were given");
    g_autoptr(Launched) launched = launch_with(by_value, TEXTS("s=ramp:24:u64"));
    g_assert_no_error(launched->error);
    g_assert_cmpuint(launched->arguments->values[0].bytes[16], ==, 2);
    g_assert_null(launched->arguments->values[0].data);
    g_autoptr(Launched) small = launch_with(pair, TEXTS("s=ramp:8:u32"));
    g_assert_no_error(small->error);
    g_assert_cmphex(small->arguments->values[0].bits, ==, G_GUINT64_CONSTANT(1) << 32);
}

/* ---- buffers -------------------------------------------------------------------------------- */

static void check_no_buffer(const Launched *launched, const char *name, const char *message)
{
    g_autoptr(GError) error = NULL;
    PsLaunchBuffer buffer;
    g_assert_false(
        ps_launch_arguments_buffer(launched->arguments, "--dump", name, &buffer, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_USAGE);
    g_assert_cmpstr(error->message, ==, message);
}

static void test_buffers(void)
{
    PsLaunchBuffer buffer;
    g_autoptr(Launched) launched = launch_with(saxpy, TEXTS("ramp:1M", "zero:32", "1.5", "8"));
    g_assert_no_error(launched->error);
    g_assert_true(ps_launch_arguments_buffer(launched->arguments, "what", "0", &buffer, NULL));
    g_assert_cmpuint(buffer.size, ==, 1 << 20);
    float element;
    memcpy(&element, buffer.data + 200000 * sizeof element, sizeof element);
    g_assert_cmpfloat(element, ==, 200000);
    check_no_buffer(launched, "n", "--dump n: this argument is no buffer");
    check_no_buffer(launched, "x+8", "--dump x+8: this field is no buffer");
    check_no_buffer(launched, "q",
                    "--dump: kernel k has no argument 'q'; its arguments are: x (.u64), y (.u64), "
                    "alpha (.f32), n (.u32)");
}

/* ---- types ---------------------------------------------------------------------------------- */

/* A kernel of machine code has .b32 for int and float; its mangled name tells which. */
static void test_types_of_mangled_names(void)
{
    static const struct {
        const char *name;
        guint64 bits[3];
    } cases[] = {
        {"_Z1ffid", {0xc0000000, 0xfffffffe, 0xc000000000000000}},      /* f(float, int, double) */
        {"_Z1fIfEvT_jl", {0xc0000000, 0xfffffffe, 0xfffffffffffffffe}}, /* void f<float>(T, ...) */
        {"_Z1fIfEvNS_2ofIS0_iEEid",
         {0xfffffffe, 0xfffffffe, 0xc000000000000000}}, /* (a struct, ...) */
        {"_Z1ffi",
         {0xfffffffe, 0xfffffffe, 0xfffffffffffffffe}}, /* of another number of parameters */
        {"f", {0xfffffffe, 0xfffffffe, 0xfffffffffffffffe}}};
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        const LaunchCase bits = {.name = cases[i].name,
                                 .params = ".param .b32 p0, .param .b32 p1, .param .b64 p2"};
        g_autoptr(Launched) launched = launch_with(bits, TEXTS("-2", "-2", "-2"));
        g_assert_no_error(launched->error);
        for (guint n = 0; n < 3; n++)
            g_assert_cmphex(launched->arguments->values[n].bits, ==, cases[i].bits[n]);
    }
    const LaunchCase whole = {.name = "_Z1fi", .params = ".param .b32 p0"};
    launch_fails(whole, TEXTS("2.5"),
                 "argument p0: '2.5' is no whole number of the type .s32 (such as 1000 or 16M), "
                 "and no zero:BYTES, "
                 "ramp:BYTES, random:BYTES or @FILE");
}

/* Where no name tells, what is computed first does: a copy is followed, but for what another value
 * has taken the place of, and for code that is come to from elsewhere. */
static void test_types_of_uses(void)
{
#define LOADS ".reg .f32 f<4>; .reg .b32 i<4>; .reg .pred p; ld.param.b32 i1, [p0]; "
    static const struct {
        const char *body;
        guint64 bits;
    } cases[] = {
        {LOADS "add.f32 f1, i1, f2; ret;", 0xc0000000},
        {LOADS "mov.b32 i2, i1; fma.rn.f32 f1, f2, f3, i2; ret;", 0xc0000000},
        {LOADS "setp.gt.f32 p, i1, f2; ret;", 0xc0000000},
        {LOADS "add.s32 i2, i1, i3; add.f32 f1, i1, f2; ret;", 0xfffffffe},
        {LOADS "cvt.rn.f32.s32 f1, i1; add.f32 f1, f1, f2; ret;", 0xfffffffe},
        {LOADS "mov.b32 i1, i3; add.f32 f1, i1, f2; ret;", 0xfffffffe},
        {LOADS "bra away; add.f32 f1, i1, f2; away: ret;", 0xfffffffe},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        const LaunchCase bits = {.params = ".param .b32 p0", .body = cases[i].body};
        g_test_message("%s", cases[i].body);
        g_autoptr(Launched) launched = launch_with(bits, TEXTS("-2"));
        g_assert_no_error(launched->error);
        g_assert_cmphex(launched->arguments->values[0].bits, ==, cases[i].bits);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/launch-arguments/hints", test_hints);
    g_test_add_func("/launch/arguments/names", test_names);
    g_test_add_func("/launch/arguments/nameless", test_nameless);
    g_test_add_func("/launch/arguments/wrong-names", test_wrong_names);
    g_test_add_func("/launch/arguments/missing", test_missing);
    g_test_add_func("/launch/arguments/local", test_local);
    g_test_add_func("/launch/arguments/command", test_command);
    g_test_add_func("/launch/arguments/command-of-sizes", test_command_of_sizes);
    g_test_add_func("/launch/arguments/command-of-uses", test_command_of_uses);
    g_test_add_func("/launch/arguments/command-of-members", test_command_of_members);
    g_test_add_func("/launch/arguments/command-of-mangled", test_command_of_mangled);
    g_test_add_func("/launch/arguments/common", test_common);
    g_test_add_func("/launch/arguments/never-read", test_never_read);
    g_test_add_func("/launch/arguments/scratch", test_scratch);
    g_test_add_func("/launch/arguments/expressions", test_expressions);
    g_test_add_func("/launch/arguments/wrong-types", test_wrong_types);
    g_test_add_func("/launch/arguments/mangled", test_types_of_mangled_names);
    g_test_add_func("/launch/arguments/types-of-uses", test_types_of_uses);
    g_test_add_func("/launch/arguments/fields", test_fields);
    g_test_add_func("/launch/arguments/fields-and-values", test_fields_and_values);
    g_test_add_func("/launch/arguments/wrong-fields", test_wrong_fields);
    g_test_add_func("/launch/arguments/fits", test_fits);
    g_test_add_func("/launch/arguments/small-struct", test_small_struct);
    g_test_add_func("/launch/arguments/narrow-addresses", test_narrow_addresses);
    g_test_add_func("/launch/arguments/whole-structs", test_whole_structs);
    g_test_add_func("/launch/arguments/buffers", test_buffers);
    return g_test_run();
}
