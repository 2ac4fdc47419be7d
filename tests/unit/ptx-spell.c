/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Round trip: the instructions of real modules, spelled, stand in a module that is made for them,
 * and are the same again. And what authors called parameters.
 */
#include "ptx/instruction.h"
#include "ptx/source-names.h"
#include <string.h>

/* ---- a module around spelled instructions ---------------------------------------------------- */

typedef struct {
    GString *text;
    GHashTable *declared; /* names, borrowed */
} Frame;

static gboolean first_time(const Frame *frame, const char *name)
{
    return g_hash_table_add(frame->declared, (gpointer)name);
}

static void declare_variables(const Frame *frame, const GPtrArray *variables)
{
    for (guint i = 0; i < variables->len; i++) {
        const PsPtxVariable *variable = variables->pdata[i];
        if (variable->space != PS_PTX_REG && first_time(frame, variable->name))
            g_string_append_printf(frame->text, ".%s .b8 %s[8];\n",
                                   ps_ptx_space_name(variable->space), variable->name);
    }
}

static void declare_registers(const Frame *frame, const GArray *registers)
{
    for (guint i = 0; i < registers->len; i++) {
        const PsPtxRegister *reg = &g_array_index(registers, PsPtxRegister, i);
        const char *dot = strchr(reg->name, '.');
        if (!first_time(frame, reg->name))
            continue;
        if (!dot)
            g_string_append_printf(frame->text, ".reg .%s %s;\n", ps_ptx_type_name(reg->type),
                                   reg->name);
        else if (dot[1] == 'x')
            g_string_append_printf(frame->text, ".reg .v4 .%s %.*s;\n", ps_ptx_type_name(reg->type),
                                   (int)(dot - reg->name), reg->name);
    }
}

/* Names that are neither: prototypes and tables. */
static void declare_others(const Frame *frame, const PsPtxOperand *operands, guint n)
{
    for (guint i = 0; i < n; i++) {
        if (operands[i].kind == PS_PTX_OPERAND_OTHER && first_time(frame, operands[i].name))
            g_string_append_printf(frame->text, "%s: .callprototype _;\n", operands[i].name);
        if (operands[i].kind == PS_PTX_OPERAND_VECTOR || operands[i].kind == PS_PTX_OPERAND_LIST)
            declare_others(frame, operands[i].members, operands[i].n_members);
    }
}

static char *frame(const PsPtxModule *module, const PsPtxFunction *of)
{
    const Frame frame = {g_string_new(".version 9.0\n.target sm_100\n.address_size 64\n"),
                         g_hash_table_new(g_str_hash, g_str_equal)};
    for (guint i = 0; i < module->functions->len; i++) {
        const PsPtxFunction *function = module->functions->pdata[i];
        g_string_append_printf(frame.text, ".func %s;\n", function->name);
    }
    declare_variables(&frame, module->variables);
    g_string_append(frame.text, ".entry spelled() {\n");
    g_hash_table_remove_all(frame.declared); /* the function's names hide the module's */
    declare_variables(&frame, of->params);
    declare_variables(&frame, of->returns);
    declare_variables(&frame, of->variables);
    declare_registers(&frame, of->registers);
    for (guint i = 0; i < of->instructions->len; i++) {
        const PsPtxInstruction *instruction = &g_array_index(of->instructions, PsPtxInstruction, i);
        declare_others(&frame, instruction->operands, instruction->n_operands);
    }
    for (guint i = 0; i < of->instructions->len; i++) {
        g_autofree char *text =
            ps_ptx_spell(of, &g_array_index(of->instructions, PsPtxInstruction, i));
        g_string_append_printf(frame.text, "$L_%u: %s;\n", i, text);
    }
    g_string_append_printf(frame.text, "$L_%u: }\n", of->instructions->len);
    g_hash_table_unref(frame.declared);
    return g_string_free(frame.text, FALSE);
}

/* ---- comparison ------------------------------------------------------------------------------ */

typedef struct {
    const PsPtxFunction *a, *b;
} Pair;

static const char *name_of(const PsPtxFunction *function, const PsPtxOperand *operand)
{
    if (operand->reg >= 0)
        return g_array_index(function->registers, PsPtxRegister, operand->reg).name;
    switch (operand->kind) {
    case PS_PTX_OPERAND_ADDRESS:
    case PS_PTX_OPERAND_VARIABLE:
        return operand->variable ? operand->variable->name : "";
    case PS_PTX_OPERAND_FUNCTION:
        return operand->function->name;
    case PS_PTX_OPERAND_OTHER:
    case PS_PTX_OPERAND_SPECIAL:
        return operand->name;
    default:
        return "";
    }
}

static void compare(const Pair *pair, const PsPtxOperand *a, const PsPtxOperand *b)
{
    g_assert_cmpint(a->kind, ==, b->kind);
    g_assert_cmpint(a->negated, ==, b->negated);
    g_assert_cmpint(a->literal, ==, b->literal);
    g_assert_cmpint(a->value, ==, b->value);
    g_assert_cmpint(a->n_members, ==, b->n_members);
    g_assert_cmpstr(name_of(pair->a, a), ==, name_of(pair->b, b));
    for (guint i = 0; i < MIN(a->n_members, b->n_members); i++)
        compare(pair, &a->members[i], &b->members[i]);
}

static void check_function(const PsPtxModule *module, const PsPtxFunction *of)
{
    g_autofree char *text = frame(module, of);
    g_autoptr(GError) error = NULL;
    g_autoptr(PsPtxModule) again = ps_ptx_parse(text, strlen(text), "spelled.ptx", &error);
    g_assert_no_error(error);
    if (!again)
        return;
    const Pair pair = {of, ps_ptx_kernel(again, "spelled", NULL)};
    g_assert_cmpuint(pair.b->instructions->len, ==, of->instructions->len);
    for (guint i = 0; i < MIN(of->instructions->len, pair.b->instructions->len); i++) {
        const PsPtxInstruction *a = &g_array_index(of->instructions, PsPtxInstruction, i);
        const PsPtxInstruction *b = &g_array_index(pair.b->instructions, PsPtxInstruction, i);
        g_assert_cmpstr(a->mnemonic->text, ==, b->mnemonic->text);
        g_assert_cmpint(a->pair, ==, b->pair);
        g_assert_cmpint(a->guard >= 0, ==, b->guard >= 0);
        g_assert_cmpint(a->guard_negated, ==, b->guard_negated);
        g_assert_cmpuint(a->n_operands, ==, b->n_operands);
        for (guint k = 0; k < MIN(a->n_operands, b->n_operands); k++)
            compare(&pair, &a->operands[k], &b->operands[k]);
    }
}

static void check_module(const char *path)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsPtxModule) module = ps_ptx_load(path, &error);
    g_assert_no_error(error);
    for (guint i = 0; module && i < module->functions->len; i++)
        check_function(module, module->functions->pdata[i]);
    for (guint i = 0; module && i < module->warnings->len; i++)
        g_assert_cmpstr("no warning", ==, module->warnings->pdata[i]);
}

/* The PTX files of a folder; how many there are. */
static guint check_folder(const char *folder)
{
    g_autoptr(GDir) files = g_dir_open(folder, 0, NULL);
    guint n = 0;
    for (const char *file; files && (file = g_dir_read_name(files));) {
        g_autofree char *path = g_build_filename(folder, file, NULL);
        if (!g_str_has_suffix(file, ".ptx"))
            continue;
        g_test_message("%s", path);
        check_module(path);
        n++;
    }
    return n;
}

static void test_round_trip(void)
{
    g_assert_cmpuint(check_folder("tests/ptx"), >=, 4);
    check_folder("tests/corpus");
}

/* ---- names of parameters --------------------------------------------------------------------- */

static char *names(const char *kernel, guint n, const char *source)
{
    g_auto(GStrv) list = ps_ptx_source_names(kernel, n, source, strlen(source));
    return list ? g_strjoinv(",", list) : g_strdup("none");
}

static const struct {
    guint n;
    const char *source, *names;
} named[] = {
    {2, "__global__ void k(int n, float *x) {}", "n,x"},
    {2, "extern \"C\" __global__ void __launch_bounds__(256, 2) k(int n, float *x);", "n,x"},
    {2, "template <typename T, int N>\n__global__ void k(const T *__restrict__ a, N b) {}", "a,b"},
    {2, "static __global__\nvoid k(thrust::pair<int, float> a, float (*f)(int, int)) {}", "a,f"},
    {2,
     "__kernel __attribute__((reqd_work_group_size(8, 8, 1))) void k(__global float *a, uint "
     "b) {}",
     "a,b"},
    {2, "kernel void k(global float4 *a, local int b[4]) {}", "a,b"},
    {1, "__global__ void k(const __grid_constant__ Params p) {}", "p"},
    {1, "__global__ void other(int a) {}\n__global__ void k(int b) {}", "b"},
    {1,
     "// __global__ void k(int a)\n/* __global__ void k(int c) */ __global__ void k(int b /* , "
     "*/ = 3) {}",
     "b"},
    {1, "const char *s = \"__global__ void k(int a)\"; __global__ void k(int b) {}", "b"},
    {1, "__global__ void k(int a); __global__ void k(int b) { }", "none"},
    {1, "__global__ void k(int a); __global__ void k(int a) { }", "a"},
    {1, "__global__ void k(int a, int b); __global__ void k(float c) { }", "c"},
    {1,
     "template <class T> __global__ void k(T a) {}\ntemplate <> __global__ void k<int>(int b) "
     "{}",
     "none"},
    {1,
     "template <class T> __global__ void k(T a) {}\ntemplate <> __global__ void\n"
     "k < V<int[sizeof(int) > 2]> >(int b) {}",
     "none"},
    {1, "template <class T> __global__ void k(T a) {}\ntemplate __global__ void k<int>(int);", "a"},
    {1, "template <> __global__ void k<int(int b) {}", "none"},
    {1, "__global__ void k(int, int); __global__ void k(float);", "none"},
    {1, "__global__ void k(unsigned int);", "none"},
    {1, "__global__ void k(float *);", "none"},
    {0, "__global__ void k(void) {}", ""},
    {0, "__global__ void k() {}", ""},
    {1, "void k(int a) {}", "none"},
    {2, "#define K extern \"C\" __global__ void\nK f(int b) {}\nK k(int n, float *x) {}", "n,x"},
    {1, "# define KERNEL \\\n __global__ \\\n void\nKERNEL k(int n) {}", "n"},
    {1, "#define KERNEL(name) __global__ void name\nKERNEL(f)(int a) {}\nKERNEL(k)(int n) {}", "n"},
    {1, "#define K void\nK k(int n) {}", "none"},
    {1, "#define K void\n__global__ void f();\nK k(int n) {}", "none"},
    {1, "#define K __global__ void\n#define KK void\nKK k(int n) {}", "none"},
    {1, "__global__ void k(int a", "none"},
    {1, "__global__ void k", "none"},
    {1, "__global__", "none"},
    {1, "__global__ void f() { k(3); } __device__ void k(int a);", "none"},
    {1, "", "none"},
};

static void test_source_names(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(named); i++) {
        g_autofree char *found = names("k", named[i].n, named[i].source);
        g_test_message("%s", named[i].source);
        g_assert_cmpstr(found, ==, named[i].names);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-spell/round-trip", test_round_trip);
    g_test_add_func("/ptx-spell/source-names", test_source_names);
    return g_test_run();
}
