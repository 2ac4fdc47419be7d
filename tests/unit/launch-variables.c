/* SPDX-License-Identifier: BSD-3-Clause */
/* What variables and constants of a module hold in a launch. */
#include "tests/help/launch.h"

#include <string.h>

#define VARIABLES                                                                                  \
    ".const .align 4 .f32 c; .global .align 4 .b8 table[12]; .const .align 4 .u32 n;"              \
    ".const .align 4 .u32 _Z1z; .shared .align 4 .b8 tile[64];"

static const LaunchCase constants = {.before = VARIABLES,
                                     .params = ".param .u32 n",
                                     .body = "ld.param.u32 r1, [n]; ld.const.f32 r2, [c];"};

static const PsPtxVariable *variable(const Launched *launched, const char *name)
{
    for (guint i = 0; i < launched->module->variables->len; i++) {
        const PsPtxVariable *each = launched->module->variables->pdata[i];
        if (strcmp(each->name, name) == 0)
            return each;
    }
    g_assert_not_reached();
}

static void test_variables(void)
{
    g_autoptr(Launched) launched =
        launch_with(constants, TEXTS("c=2", "table=ramp:4*n:u32", "n=2"));
    g_assert_no_error(launched->error);
    static const guint8 table[12] = {0, 0, 0, 0, 1};
    g_assert_cmpmem(variable(launched, "c")->init, 4, "\0\0\0\x40", 4);
    g_assert_cmpmem(variable(launched, "table")->init, 12, table, 12);
    g_assert_null(variable(launched, "n")->init); /* the parameter comes first */
    launch_tells(launched->warnings, NULL);
    LaunchCase shared = constants, twins = constants;
    shared.source = "__global__ void k(int n)";
    shared.texts.common = TEXTS("c=2", "m=2");
    g_autoptr(Launched) common = launch_with(shared, TEXTS("n=1", "c=2", "m=2"));
    g_assert_no_error(common->error);
    g_assert_cmpuint(common->arguments->lacking->len, ==, 1); /* c is this kernel's */
    g_assert_cmpstr(common->arguments->lacking->pdata[0], ==, "m=2");
    twins.before = ".const .align 4 .f32 c; .const .align 4 .f32 _Z1c;";
    g_autoptr(Launched) exact = launch_with(twins, TEXTS("n=1", "c=2"));
    g_assert_no_error(exact->error);
    g_assert_nonnull(variable(exact, "c")->init);
    g_assert_null(variable(exact, "_Z1c")->init);
    launch_fails(constants, TEXTS("n=1", "c=x"),
                 "argument c: 'x' is no number of the type .f32 (such as 2.5), and no zero:BYTES, "
                 "ramp:BYTES, "
                 "random:BYTES or @FILE");
    launch_fails(constants, TEXTS("n=1", "table=zero:13"),
                 "argument table: this variable has 12 bytes, and 13 were given");
    launch_fails(constants, TEXTS("n=1", "tile=zero:4"),
                 "argument: kernel k has no argument 'tile'; its arguments are: n (.u32)");
}

static const LaunchCase fields = {
    .before = ".const .align 8 .b8 s[16]; .global .align 8 .b64 p[3] = {p, 7, p};",
    .params = ".param .u32 n",
    .body = "ld.param.u32 r1, [n]; ld.const.u32 r2, [s+4];"};

/* Numbers in variables: the other bytes, and addresses, stay. */
static void test_fields_of_variables(void)
{
    g_autoptr(Launched) launched = launch_with(
        fields, TEXTS("n=1", "s+4=258", "s+8=1.5:f64", "s=ramp:16:u8", "p+20=9:u32", "p+0=3:u64"));
    g_assert_no_error(launched->error);
    static const guint8 bytes[16] = {0, 1, 2, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f};
    const PsPtxVariable *pointers = variable(launched, "p");
    g_assert_cmpmem(variable(launched, "s")->init, 16, bytes, 16);
    g_assert_cmpuint(pointers->init[0], ==, 3);
    g_assert_cmpuint(pointers->init[8], ==, 7);
    g_assert_cmpuint(pointers->relocations->len, ==, 0);
    g_autoptr(Launched) first = launch_with(fields, TEXTS("n=1", "p+0=3:u64"));
    g_assert_no_error(first->error);
    g_assert_cmpuint(variable(first, "p")->relocations->len, ==, 1);
    launch_tells(first->warnings, "constants that the host sets are zeros here: s; give what they "
                                  "hold like an argument, such as argument s=@FILE");
    launch_fails(
        fields, TEXTS("n=1", "s+13=5:u32"),
        "argument s+13: 4 bytes from there on do not fit into this variable, which has 16");
    launch_fails(fields, TEXTS("n=1", "s+0=5"),
                 "argument s+0: the kernel loads nothing from there, so nobody knows of what type "
                 "it is; say it, such as 5:u32 or 2.5:f64");
    launch_fails(fields, TEXTS("n=1", "s+4=5", "s+4=6"),
                 "argument s+4=6: this field has a value already");
    launch_fails(fields, TEXTS("n=1", "s+8=zero:4"),
                 "argument s+8: a field of a variable takes a number; only arguments of the kernel "
                 "take buffers");
    launch_fails(constants, TEXTS("n=1", "c+0=5"), "argument c+0: this variable is no struct");
}

static void test_constants_that_nobody_gave(void)
{
    g_autoptr(Launched) one = launch_with(constants, TEXTS("n=1"));
    g_assert_no_error(one->error);
    launch_tells(one->warnings, "constants that the host sets are zeros here: c; give what they "
                                "hold like an argument, such as argument c=@FILE");
    LaunchCase calls = constants;
    calls.before = VARIABLES ".func f() { .reg .b32 q; ld.const.u32 q, [_Z1z]; ret; }";
    g_autoptr(Launched) called = launch_with(calls, TEXTS("n=1", "c=2"));
    g_assert_no_error(called->error);
    launch_tells(called->warnings, "constants that the host sets are zeros here: z; give what "
                                   "they hold like an argument, such as argument z=@FILE");
    g_autoptr(Launched) given = launch_with(calls, TEXTS("n=1", "c=2", "z=5"));
    g_assert_no_error(given->error);
    launch_tells(given->warnings, NULL);
    g_assert_cmpuint(variable(given, "_Z1z")->init[0], ==, 5);
    GString *before = g_string_new(NULL), *body = g_string_new(NULL);
    for (guint i = 0; i < 10; i++) {
        g_string_append_printf(before, ".const .align 4 .u32 c%u;\n", i);
        g_string_append_printf(body, "ld.const.u32 r1, [c%u]; ld.const.u32 r1, [c%u];\n", i, i);
    }
    LaunchCase ten = {.before = before->str, .body = body->str};
    ten.texts.argument_name = "--arg";
    g_autoptr(Launched) many = launch_new(&ten);
    g_assert_no_error(many->error);
    launch_tells(many->warnings,
                 "constants that the host sets are zeros here: c0, c1, c2, c3, c4, c5, c6, c7 and "
                 "2 more; give what they hold like an argument, such as --arg c0=@FILE");
    g_string_free(before, TRUE);
    g_string_free(body, TRUE);
}

/* What the kernel only loads; not what it writes, or passes on where it may be written. */
static void test_variables_that_nobody_gave(void)
{
    LaunchCase reads = {.before = ".global .align 4 .u32 g; .global .align 4 .u32 w;"
                                  ".global .align 4 .u32 t; .global .align 4 .u32 i = 5;"
                                  ".global .align 4 .u32 unused;",
                        .body = "ld.global.u32 r1, [g]; ld.global.u32 r1, [w];"
                                "ld.global.u32 r1, [t]; ld.global.u32 r1, [i];"
                                "st.global.u32 [w], r1; mov.u64 d1, t;"};
    reads.texts.argument_name = "--arg";
    g_autoptr(Launched) read = launch_new(&reads);
    g_assert_no_error(read->error);
    launch_tells(read->warnings, "variables that this kernel only reads are zeros here: g; give "
                                 "what they hold like an argument, such as --arg g=@FILE");
    g_autoptr(Launched) given = launch_with(reads, TEXTS("g=2"));
    g_assert_no_error(given->error);
    launch_tells(given->warnings, NULL);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/launch/arguments/variables", test_variables);
    g_test_add_func("/launch/arguments/variables/fields", test_fields_of_variables);
    g_test_add_func("/launch/arguments/constants", test_constants_that_nobody_gave);
    g_test_add_func("/launch/arguments/only-read", test_variables_that_nobody_gave);
    return g_test_run();
}
