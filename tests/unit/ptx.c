/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The reader of PTX: what the forms of the language become.
 */
#include "ptx/instruction.h"
#include <string.h>

#define HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"

static PsPtxModule *parse(const char *text)
{
    g_autoptr(GError) error = NULL;
    PsPtxModule *module = ps_ptx_parse(text, strlen(text), "x.ptx", &error);
    g_assert_no_error(error);
    return module;
}

static PsPtxModule *load(const char *path)
{
    g_autoptr(GError) error = NULL;
    PsPtxModule *module = ps_ptx_load(path, &error);
    g_assert_no_error(error);
    return module;
}

static const PsPtxVariable *variable(const GPtrArray *variables, const char *name)
{
    for (guint i = 0; i < variables->len; i++) {
        const PsPtxVariable *one = variables->pdata[i];
        if (strcmp(one->name, name) == 0)
            return one;
    }
    g_error("there is no variable %s", name);
    return NULL;
}

static const PsPtxFunction *function(const PsPtxModule *module, const char *name)
{
    for (guint i = 0; i < module->functions->len; i++) {
        const PsPtxFunction *one = module->functions->pdata[i];
        if (strcmp(one->name, name) == 0)
            return one;
    }
    g_error("there is no function %s", name);
    return NULL;
}

static const PsPtxInstruction *instruction(const PsPtxFunction *of, guint index)
{
    g_assert_cmpuint(index, <, of->instructions->len);
    return &g_array_index(of->instructions, PsPtxInstruction, index);
}

/* The spelling of the only instruction (index 0) of a kernel with some registers. */
static char *spelled(const char *text)
{
    g_autofree char *whole =
        g_strconcat(HEAD ".global .b32 x[4]; .entry k(.param .b32 a) { .reg .pred p, q; .reg .b32 "
                         "%r<9>; .reg .f32 f; .reg .f64 d; .reg .b128 w; .reg .v2 .b32 V;\n",
                    text, ";\nend: }", NULL);
    g_autoptr(PsPtxModule) module = parse(whole);
    return module ? ps_ptx_spell(function(module, "k"), instruction(function(module, "k"), 0))
                  : g_strdup("nothing");
}

/* An instruction, and how it is spelled. */
static const char *const spellings[][2] = {
    {"mov.u32 %r1, 0x10", "mov.u32 %r1, 16"},
    {"mov.u32 %r1, 010", "mov.u32 %r1, 8"},
    {"mov.u32 %r1, 0b101U", "mov.u32 %r1, 5"},
    {"mov.u32 %r1, -1", "mov.u32 %r1, -1"},
    {"mov.u64 %r1, 0xFFFFFFFFFFFFFFFF", "mov.u64 %r1, -1"},
    {"mov.f32 f, 0f3f800000", "mov.f32 f, 0f3F800000"},
    {"mov.f32 f, -0f3f800000", "mov.f32 f, 0fBF800000"},
    {"mov.f64 d, 1.5", "mov.f64 d, 0d3FF8000000000000"},
    {"mov.f64 d, -1.5e0", "mov.f64 d, 0dBFF8000000000000"},
    {"mov.f64 d, 1.0/4.0+.25", "mov.f64 d, 0d3FE0000000000000"},
    {"mov.u32 %r1, (1+2)*3-1", "mov.u32 %r1, 8"},
    {"mov.u32 %r1, (7)", "mov.u32 %r1, 7"},
    {"mov.u32 %r1, 1<<4|3^1&~0", "mov.u32 %r1, 18"},
    {"mov.u32 %r1, -8>>1", "mov.u32 %r1, -4"},
    {"mov.u32 %r1, -8/3", "mov.u32 %r1, -2"},
    {"mov.u64 %r1, (0-8U)/0x8000000000000000", "mov.u64 %r1, 1"},
    {"mov.u32 %r1, -1 < 1U", "mov.u32 %r1, 0"},
    {"mov.u32 %r1, (.s64)-1 < (.s64)1U", "mov.u32 %r1, 1"},
    {"mov.u32 %r1, !0 && 3 ? 4 : 5", "mov.u32 %r1, 4"},
    {"mov.u32 %r1, 1 == 2 || 3 != 3", "mov.u32 %r1, 0"},
    {"mov.u32 %r1, WARP_SZ", "mov.u32 %r1, 32"},
    {"mov.u32 %r1, x", "mov.u32 %r1, x"},
    {"mov.u32 %r1, x+4", "mov.u32 %r1, x+4"},
    {"mov.u32 %r1, x[2]", "mov.u32 %r1, x+8"},
    {"mov.u32 %r1, %clusterid.x", "mov.u32 %r1, %clusterid.x"},
    {"mov.u32 %r1, %envreg3", "mov.u32 %r1, %envreg3"},
    {"mov.v4.u32 {%r1,%r2,%r3,_}, %tid",
     "mov.v4.u32 {%r1, %r2, %r3, _}, {%tid.x, %tid.y, %tid.z, %tid.w}"},
    {"mov.b64 V, %r1", "mov.b64 {V.x, V.y}, %r1"},
    {"mov.b32 V.g, %r1", "mov.b32 V.y, %r1"},
    {"ld.global.u32 %r1, [x]", "ld.global.u32 %r1, [x]"},
    {"ld.global.u32 %r1, x[1]", "ld.global.u32 %r1, [x+4]"},
    {"st.global.u32 x, %r1", "st.global.u32 [x], %r1"},
    {"atom.global.add.u32 %r1, x, %r2", "atom.global.add.u32 %r1, [x], %r2"},
    {"red.global.add.u32 x, %r1", "red.global.add.u32 [x], %r1"},
    {"ld.global.u32 %r1, [%r2+-4]", "ld.global.u32 %r1, [%r2+-4]"},
    {"ld.global.u32 %r1, [%r2-4]", "ld.global.u32 %r1, [%r2+-4]"},
    {"ld.global.u32 %r1, [8+8]", "ld.global.u32 %r1, [16]"},
    {"ld .global .u32 %r1, [a]", "ld.global.u32 %r1, [a]"},
    {"ld.const[3].u32 %r1, [a]", "ld.const[3].u32 %r1, [a]"},
    {"st.global.b128 [x], w", "st.global.b128 [x], w"},
    {"@p bra end", "@p bra $L_1"},
    {"@!p bra end", "@!p bra $L_1"},
    {"setp.eq.and.u32 p|q, %r1, %r2, !p", "setp.eq.and.u32 p|q, %r1, %r2, !p"},
    {"elect.sync _|p, -1", "elect.sync _|p, -1"},
    {"tex.base.2d.v4.u32.f32 {%r1,%r2,%r3,%r4}|p, [x, {f, f}]",
     "tex.base.2d.v4.u32.f32 {%r1, %r2, %r3, %r4}|p, [x, {f, f}]"},
    {"foo.bar %r1, -%r2", "foo.bar %r1, -%r2"},
    {"foo a, b, [c], {d}", "foo a, b, [c], {d}"},
    {"cp.async.bulk [x], [%r1+16, {%r2, 3}], [x+8]",
     "cp.async.bulk [x], [%r1+16, {%r2, 3}], [x+8]"},
    {"call (%r1), %r2, (%r3, 4), k", "call (%r1), %r2, (%r3, 4), k"},
    {"call k, (5)", "call k, (5)"},
    {"call (), k, ()", "call (), k, ()"},
    {"ret", "ret"},
};

static void test_operands(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(spellings); i++) {
        g_autofree char *text = spelled(spellings[i][0]);
        g_assert_cmpstr(text, ==, spellings[i][1]);
    }
}

static void test_mnemonic(void)
{
    g_autoptr(PsPtxModule) module = parse(
        HEAD
        ".entry k() { .reg .b32 %r<9>;\n ld.global.nc.L1::no_allocate.v4.f32 %r1, [%r2];\n"
        "cvt.rn.f16x2.f32 %r1, %r2, %r3; add.u16x2 %r1, %r2, %r3;\n"
        "frob.shared::cta.x\n %r1; frob.y; twist; .newthing 1, 2\n .other { a; { } b; }\n ret; }");
    const PsPtxFunction *k = function(module, "k");
    const PsPtxMnemonic *load = instruction(k, 0)->mnemonic;
    const PsPtxMnemonic *convert = instruction(k, 1)->mnemonic;
    g_assert_cmpstr(load->opcode, ==, "ld");
    g_assert_cmpstr(load->parts[2], ==, "L1::no_allocate");
    g_assert_null(load->parts[5]);
    g_assert_true(ps_ptx_has(load, "nc") && !ps_ptx_has(load, "ld") && load->known);
    g_assert_cmpint(load->space, ==, PS_PTX_GLOBAL);
    g_assert_cmpuint(load->vector, ==, 4);
    g_assert_cmpuint(load->n_types, ==, 1);
    g_assert_cmpint(load->types[0], ==, PS_PTX_F32);
    g_assert_cmpint(convert->types[0], ==, PS_PTX_F16X2);
    g_assert_cmpint(convert->types[1], ==, PS_PTX_F32);
    g_assert_cmpint(convert->types[2], ==, PS_PTX_NO_TYPE);
    g_assert_cmpint(instruction(k, 2)->mnemonic->types[0], ==, PS_PTX_OPAQUE);
    g_assert_false(instruction(k, 3)->mnemonic->known);
    g_assert_cmpint(instruction(k, 3)->mnemonic->space, ==, PS_PTX_SHARED);
    g_assert_cmpuint(k->instructions->len, ==, 7);

    g_assert_cmpuint(module->warnings->len, ==, 4);
    g_assert_cmpstr(module->warnings->pdata[0], ==,
                    "x.ptx:7: \"frob\" is no instruction that pipesim knows");
    g_assert_cmpstr(module->warnings->pdata[2], ==,
                    "x.ptx:8: \".newthing\" is no directive that pipesim knows; it is ignored");
    g_assert_cmpstr(module->warnings->pdata[3], ==,
                    "x.ptx:9: \".other\" is no directive that pipesim knows; it is ignored");
}

static void check_header(const char *version, const char *target, const char *warning)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text =
        g_strdup_printf(".version %s\n.target %s\n.address_size 64\n", version, target);
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, strlen(text), "x.ptx", &error);
    g_assert_no_error(error);
    if (!module)
        return;
    g_assert_cmpuint(module->warnings->len, ==, warning ? 1 : 0);
    if (warning && module->warnings->len > 0)
        g_assert_cmpstr(module->warnings->pdata[0], ==, warning);
}

/* The word debug of .target, which keeps assemblers from optimising, may be taken out. */
static void test_debug(void)
{
    static const struct {
        const char *text, *without;
    } rows[] = {
        {".version 8.0\n.target sm_75, texmode_independent, debug\n.address_size 64\n",
         ".version 8.0\n.target sm_75, texmode_independent       \n.address_size 64\n"},
        {".version 8.0\n.target sm_75\n.address_size 64\n// , debug\n",
         ".version 8.0\n.target sm_75\n.address_size 64\n// , debug\n"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *text = g_strdup(rows[i].text);
        g_autoptr(PsPtxModule) before = parse(text);
        g_assert_cmpint(before->debug, ==, strcmp(rows[i].text, rows[i].without) != 0);
        ps_ptx_drop_debug(text);
        g_assert_cmpstr(text, ==, rows[i].without);
        g_autoptr(PsPtxModule) after = parse(text);
        g_assert_false(after->debug);
    }
    char section[] = ".section .debug_info\n{\n.b64 k.array\n.b64 Lfunc_begin0\n.b64 12\n"
                     ".b32 .debug_abbrev\n.b64 .debug_line\n.b64 other.array // 1\n}\n";
    ps_ptx_drop_debug(section);
    g_assert_cmpstr(section, ==,
                    ".section .debug_info\n{\n.b64 0      \n.b64 Lfunc_begin0\n.b64 12\n"
                    ".b32 .debug_abbrev\n.b64 .debug_line\n.b64 0               \n}\n");
}

/* What is newer than this program is read, and said. */
static void test_newer(void)
{
    check_header("9.0", "sm_121", NULL);
    check_header("1.4", "sm_13, map_f64_to_f32", NULL);
    check_header("8.8", "sm_120f, debug", NULL);
    check_header("8.0", "sm_90a", NULL);
    check_header("9.99", "sm_80", NULL);
    check_header("99.0", "sm_80",
                 "x.ptx:1: PTX 99.0 is newer than 9.0, the newest version that pipesim knows; what "
                 "is new in it may be read wrongly");
    check_header("8.0", "sm_999",
                 "x.ptx:2: sm_999 is no architecture that pipesim knows; the newest known one is "
                 "sm_121");
    check_header("8.0", "sm_80x",
                 "x.ptx:2: sm_80x is no architecture that pipesim knows; the newest known one is "
                 "sm_121");
    check_header("8.0", "gfx90a",
                 "x.ptx:2: gfx90a is no architecture that pipesim knows; the newest known one is "
                 "sm_121");
}

/* A version of the same major number is said where an instruction is not known. */
static void test_newer_instruction(void)
{
    g_autoptr(GError) error = NULL;
    static const char text[] = ".version 9.99\n.target sm_80\n.address_size 64\n"
                               ".entry k() {\nfrob;\nfrobs;\nret;\n}\n";
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, strlen(text), "x.ptx", &error);
    g_assert_no_error(error);
    g_assert_cmpuint(module->warnings->len, ==, 3);
    g_assert_cmpstr(module->warnings->pdata[1], ==,
                    "x.ptx:1: PTX 9.99 is newer than 9.0, the newest version that pipesim knows; "
                    "what is new in it may be read wrongly");
}

/* From all ends of the table of opcodes. */
static void test_opcodes(void)
{
    static const char *const known[] = {
        "abs.s32",     "add.u32",     "clmad",  "ex2.approx.f32", "exit",  "mad24.lo.u32",
        "madc.lo.u32", "setp.eq.u32", "st.u32", "stacksave",      "vmax4", "wgmma",
        "xor.b32",     "shl.b32",     "sured",  "tcgen05",        "tex",   "vadd"};
    GString *text = g_string_new(HEAD ".entry k() {\n");
    for (gsize i = 0; i < G_N_ELEMENTS(known); i++)
        g_string_append_printf(text, "%s; x%s;\n", known[i], known[i]);
    g_string_append(text, "}");
    g_autoptr(PsPtxModule) module = parse(text->str);
    for (guint i = 0; i < 2 * G_N_ELEMENTS(known); i++)
        g_assert_cmpint(instruction(function(module, "k"), i)->mnemonic->known, ==, i % 2 == 0);
    g_string_free(text, TRUE);
}

static double float_at(const PsPtxVariable *of, gsize index)
{
    float value;
    memcpy(&value, of->init + index * sizeof value, sizeof value);
    return (double)value;
}

static void test_variables(void)
{
    g_autoptr(PsPtxModule) module = load("tests/ptx/forms.ptx");
    const PsPtxVariable *f = variable(module->variables, "f");
    const PsPtxVariable *matrix = variable(module->variables, "matrix");
    const PsPtxVariable *packed = variable(module->variables, "packed");
    const PsPtxVariable *dynamic = variable(module->variables, "dynamic");
    const PsPtxVariable *p = variable(module->variables, "p");
    g_assert_cmpuint(f->size, ==, 12);
    g_assert_cmpfloat(float_at(f, 0), ==, 1.5);
    g_assert_cmpfloat(float_at(f, 1), ==, 2);
    g_assert_cmpfloat(float_at(f, 2), ==, -2);
    g_assert_cmpuint(matrix->size, ==, 24);
    g_assert_cmpuint(matrix->init[4], ==, 2);
    g_assert_cmpuint(matrix->init[8], ==, 0); /* the rest of the first row */
    g_assert_cmpuint(matrix->init[12], ==, 16);
    g_assert_cmpuint(matrix->init[16], ==, 8);
    g_assert_cmpuint(matrix->init[20], ==, 3);
    g_assert_cmpuint(variable(module->variables, "small")->size, ==, 3);
    g_assert_cmpuint(variable(module->variables, "v")->size, ==, 32);
    g_assert_cmpfloat(float_at(variable(module->variables, "v"), 4), ==, 5);
    g_assert_cmpuint(dynamic->size, ==, 0);
    g_assert_cmpuint(dynamic->align, ==, 16);
    g_assert_cmpint(dynamic->space, ==, PS_PTX_SHARED);

    g_assert_cmpuint(p->relocations->len, ==, 3);
    const PsPtxRelocation *second = &g_array_index(p->relocations, PsPtxRelocation, 1);
    g_assert_true(second->of == f && second->generic);
    g_assert_cmpint(second->offset, ==, 8);
    g_assert_cmpuint(second->at, ==, 8);
    g_assert_cmpuint(second->size, ==, 8);

    /* Eight masked bytes are one address. */
    g_assert_cmpuint(packed->relocations->len, ==, 1);
    const PsPtxRelocation *whole = &g_array_index(packed->relocations, PsPtxRelocation, 0);
    g_assert_true(whole->of == f);
    g_assert_cmpuint(whole->size, ==, 8);
    g_assert_cmpuint(whole->shift, ==, 0);
    g_assert_cmpuint(packed->init[whole->at + 8], ==, 9);
}

static void test_functions(void)
{
    g_autoptr(PsPtxModule) module = load("tests/ptx/forms.ptx");
    const PsPtxFunction *k = function(module, "k");
    const PsPtxVariable *table = variable(module->variables, "table");
    g_assert_cmpuint(module->functions->len, ==, 3);
    g_assert_true(k->entry && k->body && !function(module, "rec")->entry);
    g_assert_cmpuint(k->params->len, ==, 3);
    g_assert_true(variable(k->params, "data")->pointer);
    g_assert_cmpuint(variable(k->params, "data")->align, ==, 8);
    g_assert_cmpuint(variable(k->params, "s")->size, ==, 24);
    g_assert_cmpuint(k->most[0], ==, 16);
    g_assert_cmpuint(k->most[1], ==, 16);
    g_assert_cmpuint(k->most[2], ==, 1);
    g_assert_cmpuint(k->required[0], ==, 0);
    g_assert_cmpuint(function(module, "add1")->returns->len, ==, 1);
    g_assert_true(g_array_index(table->relocations, PsPtxRelocation, 0).function ==
                  function(module, "add1"));

    const GArray *targets = g_hash_table_lookup(k->tables, "list");
    g_assert_cmpuint(targets->len, ==, 3);
    g_assert_cmpuint(g_array_index(targets, guint, 1), ==, g_array_index(targets, guint, 2));
    g_assert_cmpstr(ps_ptx_file(module, instruction(k, 0)), ==, "dir/a file.cu");
    g_assert_cmpint(instruction(k, 0)->source_line, ==, 12);
    g_assert_cmpstr(ps_ptx_file(module, instruction(k, 1)), ==, "b.h");
    g_assert_cmpint(instruction(k, 1)->source_line, ==, 13);
    g_assert_null(ps_ptx_file(module, instruction(function(module, "rec"), 0)));
}

/* "k.cu:9": where an instruction is in that file. */
static void check_place(const PsPtxModule *module, guint i, const char *file, const char *should_be)
{
    const PsPtxInstruction *is = instruction(function(module, "k"), i);
    const PsPtxPlace place = ps_ptx_place_in(module, is, file);
    g_autofree char *text = g_strdup_printf("%s:%d", place.file ? place.file : "?", place.line);
    g_test_message("instruction %u", i);
    g_assert_cmpstr(text, ==, should_be);
}

/* Calls lead outwards, to the innermost place in the file; what has no line is near that of what is
 * before it, unless that is another function's. */
static void test_places(void)
{
    g_autoptr(PsPtxModule) module = parse(HEAD ".entry first() { .loc 1 3 0\n ret; }\n"
                                               ".entry k() {\n"
                                               "ret;\n"
                                               ".loc 1 9 9\n ret;\n"
                                               ".loc 1 2 31, function_name $L, inlined_at 1 9 9\n"
                                               "ret;\n"
                                               ".loc 2 6 5, function_name $L, inlined_at 1 2 31\n"
                                               "ret;\n"
                                               ".loc 3 134 49, function_name $L, inlined_at 2 6 5\n"
                                               "ret;\n"
                                               ".loc 1 0 5\n ret;\n"
                                               ".loc 1 2 31, function_name $L, inlined_at 1 11 9\n"
                                               ".loc 2 6 5, function_name $L, inlined_at 1 2 31\n"
                                               "ret;\n"
                                               ".loc 1 12 1\n ret; }\n"
                                               ".file 1 \"k.cu\"\n.file 2 \"help.h\"\n"
                                               ".file 3 \"intrinsics.hpp\"\n");
    static const char *const inner[] = {"?:0",    "k.cu:9", "k.cu:2", "k.cu:2",
                                        "k.cu:2", "k.cu:2", "k.cu:2", "k.cu:12"};
    static const char *const outer[] = {"?:0",    "k.cu:9", "k.cu:9",  "k.cu:9",
                                        "k.cu:9", "k.cu:9", "k.cu:11", "k.cu:12"};
    for (guint i = 0; i < G_N_ELEMENTS(inner); i++) {
        check_place(module, i, "k.cu", inner[i]);
        check_place(module, i, NULL, outer[i]);
        g_assert_cmpint(instruction(function(module, "k"), i)->near, ==, i == 5);
    }
    check_place(module, 4, "help.h", "help.h:6");
    check_place(module, 4, "intrinsics.hpp", "intrinsics.hpp:134");
}

/* A block's registers and labels are its own; series count across blocks. */
static void test_scopes(void)
{
    g_autoptr(PsPtxModule) module =
        parse(HEAD ".entry k() { .reg .b32 %r<4000000>, %r1<3>;\n mov.b32 %r5, %r3999999;\n"
                   "{ .reg .f32 %r<4>; mov.b32 %r5, %r3; bra L; L: }\n"
                   "{ bra L; mov.b32 %r12, %r3; L: }\n L: bra L; }");
    const PsPtxFunction *k = function(module, "k");
    g_assert_cmpuint(k->registers->len, ==, 5);
    g_assert_cmpint(instruction(k, 0)->operands[0].reg, ==,
                    instruction(k, 1)->operands[0].reg); /* %r5 */
    g_assert_cmpint(instruction(k, 1)->operands[1].reg, !=, instruction(k, 4)->operands[1].reg);
    g_assert_cmpint(g_array_index(k->registers, PsPtxRegister, 2).type, ==, PS_PTX_F32);
    g_assert_cmpint(instruction(k, 2)->operands[0].value, ==, 3);
    g_assert_cmpint(instruction(k, 3)->operands[0].value, ==, 5);
    g_assert_cmpint(instruction(k, 5)->operands[0].value, ==, 5);
}

static void test_line_ends(void)
{
    g_autoptr(PsPtxModule) module =
        parse("\xEF\xBB\xBF" HEAD "#line 3\r\n@@DWARF .b8 1\r\n.entry k()\r\n{\r\n\tret;\r\n}\r\n");
    g_assert_cmpint(instruction(function(module, "k"), 0)->line, ==, 8);
}

static void test_alias(void)
{
    g_autoptr(PsPtxModule) module =
        parse(HEAD ".func a(); .func b() { ret; } .entry k() { call a; }\n.alias a, b;");
    g_assert_true(instruction(function(module, "k"), 0)->operands[0].function ==
                  function(module, "b"));
}

/* ---- names ---------------------------------------------------------------------------------- */

static void test_plain_names(void)
{
    static const char *const cases[][2] = {
        {"saxpy", "saxpy"},
        {"_Z2trPf", "tr"},
        {"_ZL2trPf", "tr"},
        {"_ZN5outer5inner1kIfLi4EEEvPT_i", "k"},
        {"_ZN5outer5inner1kIdLin2EEEvPT_i", "k"},
        {"_Z1kIN2ns1AIiEELb1EEvv", "k"},
        {"_ZN12_GLOBAL__N_13sumIfEEvPT_", "sum"},
        {"_ZN3cub6DeviceIXsr1T1vEE4scanIJifEEEvv", "scan"},
        {"_ZNSt6vectorIiSaIiEE4pushEi", "push"},
        {"_ZN1a4sortINS_3keyELNS_5orderE0EiyNS_3endEEEvv", "sort"}, /* a literal of a named type */
        {"_ZN1a4sortILNS_5orderIiE4kindE1ELi3EEEvv", "sort"},
        {"_ZN1a4sortILNS_5orderE", "sort"},
        {"_ZN1a4sortINS_5otherELNS_5orderE0", "sort"},
        {"_ZNK1A1fEv", "f"},
        {"_ZZ2trPfE4tile", "tile"}, /* variables of functions */
        {"_ZZN2ns2trIfEEvPT_E4tile_0", "tile"},
        {"_ZZ2trPfE4tile__12_", "tile"},
        {"_ZZ2trPfE6tile_1", "tile_1"},
        {"_ZZN1A4E5funEvE6x1E2ab", "x1E2ab"},
        {"_ZZ2trPfE9tile", "_ZZ2trPfE9tile"},
        {"_ZZ", "_ZZ"},
        {"_ZZ_", "_ZZ_"},
        {"_ZZ2trPfE0_1", "_ZZ2trPfE0_1"},
        {"__cuda_local_var_34342_30_non_const_tile", "tile"},
        {"__cuda_local_var_34342", "__cuda_local_var_34342"},
        {"_Z", "_Z"},
        {"_Z99x", "_Z99x"},
        {"_ZN", "_ZN"},
        {"_ZN1aI", "a"},
        {"_ZN1aIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIII",
         "a"},
        {"", ""},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *plain = ps_ptx_plain_name(cases[i][0]);
        g_assert_cmpstr(plain, ==, cases[i][1]);
    }
}

static void check_no_kernel(const char *text, const char *name, const char *message)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsPtxModule) module = parse(text);
    g_assert_null(ps_ptx_kernel(module, name, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
    g_assert_cmpstr(error->message, ==, message);
}

static void test_kernels(void)
{
    static const char three[] =
        HEAD ".entry _Z1aPf() { ret; } .entry _Z1bPf() { ret; } .entry _Z1bPi() { ret; }";
    g_autoptr(PsPtxModule) module = parse(three);
    g_autoptr(PsPtxModule) one = parse(HEAD ".func f() { ret; } .entry only() { ret; }");
    g_assert_true(ps_ptx_kernel(module, "a", NULL) == function(module, "_Z1aPf"));
    g_assert_true(ps_ptx_kernel(module, "_Z1bPi", NULL) == function(module, "_Z1bPi"));
    g_assert_true(ps_ptx_kernel(one, NULL, NULL) == function(one, "only"));
    check_no_kernel(three, "b",
                    "x.ptx: has several kernels \"b\"; give more of the name of one of b(float*), "
                    "b(int*)");
    check_no_kernel(three, NULL, "x.ptx: has several kernels; choose one of a, b(float*), b(int*)");
    check_no_kernel(three, "c", "x.ptx: has no kernel \"c\"; there are: a, b(float*), b(int*)");
    check_no_kernel(HEAD, NULL, "x.ptx: has no kernel, which is an .entry with a body");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx/operands", test_operands);
    g_test_add_func("/ptx/mnemonic", test_mnemonic);
    g_test_add_func("/ptx/opcodes", test_opcodes);
    g_test_add_func("/ptx/variables", test_variables);
    g_test_add_func("/ptx/functions", test_functions);
    g_test_add_func("/ptx/places", test_places);
    g_test_add_func("/ptx/scopes", test_scopes);
    g_test_add_func("/ptx/line-ends", test_line_ends);
    g_test_add_func("/ptx/alias", test_alias);
    g_test_add_func("/ptx/plain-names", test_plain_names);
    g_test_add_func("/ptx/newer", test_newer);
    g_test_add_func("/ptx/newer-instruction", test_newer_instruction);
    g_test_add_func("/ptx/debug", test_debug);
    g_test_add_func("/ptx/kernels", test_kernels);
    return g_test_run();
}
