/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What machine instructions count as is what the PTX that they are told in does on values of that
 * type, and the registers that they read and write are those of that PTX: in all listings of
 * tests/sass, of every kernel, for every instruction.
 *
 *     SASS_LISTINGS=FOLDER PROGRAM -p /sass-work/listings
 *                                   of that folder instead (tests/sass/operations.sh)
 */
#include "sass/table.h"
#include "tests/help/operations.h"
#include "tests/help/sass.h"

#include <string.h>

/* The PTX of one machine instruction. */
typedef struct {
    const PsPtxFunction *kernel;
    guint first, end;
} Telling;

static const PsPtxInstruction *ptx_at(const Telling *telling, guint i)
{
    return &g_array_index(telling->kernel->instructions, PsPtxInstruction, i);
}

static const char *name_of(const Telling *telling, const PsPtxOperand *operand)
{
    return operand->kind == PS_PTX_OPERAND_REGISTER
               ? g_array_index(telling->kernel->registers, PsPtxRegister, operand->reg).name
               : "";
}

/* Whether the PTX only makes an operand: its sign, a half, an address. Registers for that are
 * numbered from 10 on, as are those whose 64 bits become two registers at the end. */
static gboolean makes_operand(const Telling *telling, guint at)
{
    const PsPtxInstruction *instruction = ptx_at(telling, at);
    const char *name =
        instruction->n_operands > 0 ? name_of(telling, &instruction->operands[0]) : "";
    if (name[0] != '%' || !strchr("tws", name[1]) || atoi(name + 2) < 10)
        return FALSE;
    for (guint i = at + 1; i < telling->end; i++) {
        const PsPtxInstruction *later = ptx_at(telling, i);
        if (later->n_operands == 2 && later->operands[0].kind == PS_PTX_OPERAND_VECTOR &&
            strcmp(name_of(telling, &later->operands[1]), name) == 0)
            return FALSE;
    }
    return TRUE;
}

#define ANY 99

/* Opcodes (of the table's rows) where the PTX does more than the instruction counts: up to how
 * much, of which type, and why. */
static const struct {
    const char *opcode;
    OperationType type;
    guint most;
    const char *why;
} besides[] = {
    {"IADD3.X", OF_INT, 2, "one carry or two are added with the terms"},
    {"IMAD.X", OF_INT, 1, "the carry is added with the terms"},
    {"IMAD.HI.U32.X", OF_INT, 1, "the carry is added with the terms"},
    {"IMAD.WIDE.U32.X", OF_INT, 1, "the carry is added with the terms"},
    {"LEA", OF_INT, 1, "the carry is added with the terms, or looked at"},
    {"IMAD.WIDE.U32", OF_INT, 1, "the carry is looked at"},
    {"VIADDMNMX", OF_INT, 1, "the least and the greatest are found, and one is chosen"},
    {"VIMNMX3", OF_INT, 2, "the least and the greatest are found, and one is chosen"},
    {"FMNMX3", OF_FP32, 2, "the least and the greatest are found, and one is chosen"},
    {"HFMA2", OF_FP16, 2, "a product alone is told as one with -0 added"},
    {"FFMA", OF_FP32, 1, "a product alone is told as one with -0 added"},
    {"IMNMX", OF_INT, 1, "the least and the greatest are found, and one is chosen"},
    {"VIMNMX", OF_INT, 1, "the least and the greatest are found, and one is chosen"},
    {"FMNMX", OF_FP32, 1, "the least and the greatest are found, and one is chosen"},
    {"HMNMX2", OF_FP16, 2, "the least and the greatest are found, and one is chosen"},
    {"DSETP.M", OF_FP64, 1, "a comparison that is told as the greatest of two"},
    {"FMUL.D", OF_FP32, 1, "the scale of a product on its way out"},
    {"FMUL.M", OF_FP32, 1, "the scale of a product on its way out"},
    {"MUFU.SIN", OF_FP32, 1, "the angle in turns"},
    {"MUFU.COS", OF_FP32, 1, "the angle in turns"},
    {"I2F", OF_INT, 1, "a part of a register is taken"},
    {"F2I.BF16", OF_INT, 1, "a part of a register is taken"},
    {"HADD2.F32", OF_FP32, 1, "a conversion that is told as the addition of zero"},
    {"HADD2.F32", OF_INT, 1, "the sign of a half"},
    {"HSET2", OF_INT, 1, "results are put together"},
    {"FRND.BF16", OF_INT, 1, "a bfloat16 is the upper half of a single"},
    {"OMMA.SF", OF_INT, 4, "which bytes of words have the scales is taken out of the operand"},
    {"QMMA.SF", OF_INT, 4, "which bytes of words have the scales is taken out of the operand"},
    {"BAR", OF_INT, ANY, "a register's parts are a barrier's number and how many threads"},
    {"F2IP", OF_INT, ANY, "bytes are put together"},
    {"F2FP", OF_INT, 3, "narrow numbers are put together, or taken out of a register"},
    {"LDGSTS.ZFILL", OF_INT, 4, "how many bytes are copied is taken out of the address"},
    {"FCHK", OF_INT, ANY, "exponents are looked at"},
    {"P2R", OF_INT, ANY, "predicates are put together"},
    {"R2P", OF_INT, ANY, "predicates are taken apart"},
    {"PLOP3", OF_INT, ANY, "predicates are computed with as numbers"},
    {"LDC", OF_INT, 1, "an address"},
    {"ULDC", OF_INT, 1, "an address"},
    {"LDC", OF_FP32, 1, "the reciprocal of a cluster's size"},
    {"ULDC", OF_FP32, 1, "the reciprocal of a cluster's size"},
    {"R2UR", OF_INT, ANY, "the first lane is found"},
    {"SYNCS", OF_INT, ANY, "words of mbarriers are taken apart"},
    {"UBLKCP", OF_INT, ANY, "numbers of bytes are taken out of a register"},
    {"UBLKRED", OF_INT, ANY, "numbers of bytes are taken out of a register"},
};

static guint most_besides(const char *opcode, OperationType type)
{
    for (gsize i = 0; i < G_N_ELEMENTS(besides); i++)
        if (g_str_has_prefix(opcode, besides[i].opcode) && besides[i].type == type)
            return besides[i].most;
    return 0;
}

/* Whether it makes nothing of 0, which is in a register then, or adds that. */
static gboolean is_of_zero(const Telling *telling, guint at, GHashTable *zeros)
{
    const PsPtxInstruction *instruction = ptx_at(telling, at);
    const gboolean adds = strcmp(instruction->mnemonic->opcode, "add") == 0;
    for (guint i = 1; i < instruction->n_operands; i++) {
        const PsPtxOperand *operand = &instruction->operands[i];
        const gboolean zero = operand->kind == PS_PTX_OPERAND_IMMEDIATE && operand->value == 0;
        if (!zero && !g_hash_table_contains(zeros, name_of(telling, operand)))
            continue;
        if (!adds && instruction->n_operands == 2)
            g_hash_table_add(zeros, (gpointer)name_of(telling, &instruction->operands[0]));
        return adds;
    }
    return FALSE;
}

static void count_telling(const Telling *telling, guint64 *counts)
{
    g_autoptr(GHashTable) zeros = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = telling->first; i < telling->end; i++)
        if (!is_of_zero(telling, i, zeros) && !makes_operand(telling, i)) {
            operations_add(ptx_at(telling, i), counts);
            operations_leave_idle(ptx_at(telling, i), counts);
        }
}

/* Compilers move by sums and products with RZ, and change signs so; a shift by RZ counts as one. */
static gboolean is_move(const PsSassUse *use, const char *operands, OperationType type)
{
    const gboolean sign = strpbrk(operands, "-~|") || strstr(operands, ",RZ,RZ");
    return type == OF_INT ? sign && use->ops == 1 : use->ops == 0 && strstr(operands, "RZ");
}

/* Whether all that it reads is one half of a register, so that both results are one. */
static gboolean is_of_one_half(const char *operands)
{
    g_auto(GStrv) all = g_strsplit(operands, ",", -1);
    guint halves = 0;
    for (guint i = 1; all[0] && all[i]; i++) {
        if (!strstr(all[i], ".H0_H0") && !strstr(all[i], ".H1_H1"))
            return FALSE;
        halves++;
    }
    return halves > 0;
}

static void check_instruction(const PsSassCode *code, guint machine, const Telling *telling)
{
    const PsSassUse *use = &g_array_index(code->uses, PsSassUse, machine);
    const PsSassInstruction *instruction =
        &g_array_index(code->listing->instructions, PsSassInstruction, machine);
    const char *operands = instruction->operands ? instruction->operands : "";
    guint64 counts[N_OPERATION_TYPES] = {0};
    if (!use->row || !use->row->text)
        return;
    count_telling(telling, counts);
    if (strcmp(use->row->opcode, "HADD2.F32") == 0 && !use->moves) { /* told as a sum of singles */
        counts[OF_FP16] += counts[OF_FP32];
        counts[OF_FP32] = 0;
    }
    counts[OF_FP16] /= is_of_one_half(operands) && counts[OF_FP16] > 1 ? 2 : 1;
    for (guint t = 0; t < N_OPERATION_TYPES; t++) {
        const guint stated = g_strcmp0(use->type, operation_names[t]) == 0 ? use->ops : 0;
        if (stated == counts[t] || is_move(use, operands, t) ||
            (stated < counts[t] && stated + most_besides(use->row->opcode, t) >= counts[t]))
            continue;
        g_test_message("%s %s: %u of %s, not %u", instruction->opcode, operands, stated,
                       operation_names[t], (guint)counts[t]);
        g_test_fail();
    }
}

/* One part of each machine instruction stands for it in a graph; none does for a call, in whose
 * place the subroutine is. */
static void check_stands(const PsSassCode *code, const Telling *telling)
{
    const guint machine = g_array_index(code->origins, PsSassOrigin, telling->first).machine;
    const char *opcode =
        g_array_index(code->listing->instructions, PsSassInstruction, machine).opcode;
    guint stand = 0;
    for (guint i = telling->first; i < telling->end; i++)
        stand += g_array_index(code->origins, PsSassOrigin, i).stands;
    if (stand == 1 || g_str_has_prefix(opcode, "CALL"))
        return;
    g_test_message("%s: %u parts stand for it", opcode, stand);
    g_test_fail();
}

/* Marks the machine's register that a register of the PTX is: "%r5", "%u5", "%p5" or "%q5". */
static void mark(const Telling *telling, int reg, gboolean *marks)
{
    static const struct {
        char letter;
        guint first;
    } files[] = {{'r', PS_SASS_FIRST_REGISTER},
                 {'u', PS_SASS_FIRST_UNIFORM},
                 {'p', PS_SASS_FIRST_PREDICATE},
                 {'q', PS_SASS_FIRST_UNIFORM_PREDICATE}};
    if (reg < 0)
        return;
    const char *name = g_array_index(telling->kernel->registers, PsPtxRegister, reg).name;
    for (guint i = 0; i < G_N_ELEMENTS(files); i++)
        if (name[0] == '%' && name[1] == files[i].letter && g_ascii_isdigit(name[2]))
            marks[files[i].first + (guint)atoi(name + 2)] = TRUE;
}

static void mark_operand(const Telling *telling, const PsPtxOperand *operand, gboolean *marks)
{
    if (operand->kind == PS_PTX_OPERAND_REGISTER || operand->kind == PS_PTX_OPERAND_ADDRESS)
        mark(telling, operand->reg, marks);
    for (guint i = 0; i < operand->n_members; i++)
        mark_operand(telling, &operand->members[i], marks);
}

/* Registers that a machine instruction is said to write, of which graphs make dependences, are
 * those that its PTX writes, and likewise those that it reads, but for its own results. */
static void check_registers(const PsSassCode *code, guint machine, const Telling *telling)
{
    const PsSassUse *use = &g_array_index(code->uses, PsSassUse, machine);
    const PsSassInstruction *instruction =
        &g_array_index(code->listing->instructions, PsSassInstruction, machine);
    if (!use->row || !use->row->text || g_str_has_prefix(instruction->opcode, "CALL"))
        return; /* what a function of the driver gives back is nothing that a graph waits for */
    gboolean to[PS_SASS_N_REGISTERS] = {FALSE}, from[PS_SASS_N_REGISTERS] = {FALSE};
    gboolean said_to[PS_SASS_N_REGISTERS] = {FALSE}, said_from[PS_SASS_N_REGISTERS] = {FALSE};
    for (guint i = telling->first; i < telling->end; i++) {
        const PsPtxInstruction *part = ptx_at(telling, i);
        const guint results = ps_ptx_n_destinations(part);
        /* a product of a warpgroup adds to its result, unless it begins with zeros */
        const gboolean adds = strcmp(part->mnemonic->opcode, "wgmma") == 0 &&
                              part->n_operands > 3 && !strstr(instruction->operands, ",RZ");
        gboolean reads[PS_SASS_N_REGISTERS] = {FALSE};
        mark(telling, part->guard, reads);
        for (guint k = adds ? 0 : results; k < part->n_operands; k++)
            mark_operand(telling, &part->operands[k], reads);
        for (guint r = 0; r < PS_SASS_N_REGISTERS; r++)
            from[r] = from[r] || (reads[r] && !to[r]);
        for (guint k = 0; k < results; k++)
            mark_operand(telling, &part->operands[k], to);
    }
    for (guint i = 0; i < use->n_to; i++)
        said_to[use->to[i]] = TRUE;
    for (guint i = 0; i < use->n_from; i++)
        said_from[use->from[i]] = TRUE;
    for (guint r = 0; r < PS_SASS_N_REGISTERS; r++)
        if (said_to[r] != to[r] || said_from[r] != from[r]) {
            g_test_message("sm_%d %s %s: register %u", code->capability, instruction->opcode,
                           instruction->operands ? instruction->operands : "", r);
            g_test_fail();
        }
}

static void check_kernel(const PsSassCode *code)
{
    const PsPtxFunction *kernel = code->module->functions->pdata[0];
    const GArray *origins = code->origins;
    for (guint first = 0, end; first < origins->len; first = end) {
        const guint machine = g_array_index(origins, PsSassOrigin, first).machine;
        for (end = first + 1;
             end < origins->len && g_array_index(origins, PsSassOrigin, end).machine == machine;)
            end++;
        const Telling telling = {kernel, first, end};
        if (machine == G_MAXUINT)
            continue;
        check_stands(code, &telling);
        check_instruction(code, machine, &telling);
        check_registers(code, machine, &telling);
    }
}

static GBytes *bytes_of(const char *folder, const char *file)
{
    g_autofree char *path = g_build_filename(folder, file, NULL);
    g_autoptr(GError) error = NULL;
    char *data = NULL;
    gsize size = 0;
    g_file_get_contents(path, &data, &size, &error);
    g_assert_no_error(error);
    return g_bytes_new_take(data, size);
}

/* The kernels whose listings the file has; returns how many. */
static guint check_file(const char *folder, const char *file)
{
    g_autofree char *name = g_strndup(file, strlen(file) - strlen(".json"));
    g_autofree char *other = g_strconcat(name, ".cubin", NULL);
    g_autoptr(GBytes) cubin = bytes_of(folder, other), json = bytes_of(folder, file);
    g_autoptr(GError) error = NULL;
    guint n = 0;
    PsSassImage *all = ps_sass_image_new(cubin, other, &error);
    g_assert_no_error(error);
    for (guint i = 0; i < all->kernels->len; i++) {
        const PsSassKernel *kernel = all->kernels->pdata[i];
        PsSassImage *image = NULL;
        PsSassCode *code = sass_read(cubin, json, kernel->name, &image, &error);
        g_clear_error(&error);
        if (code) {
            check_kernel(code);
            n++;
            ps_sass_code_free(code);
        }
        ps_sass_image_free(image);
    }
    ps_sass_image_free(all);
    return n;
}

static guint check_folder(const char *folder)
{
    g_autoptr(GDir) files = g_dir_open(folder, 0, NULL);
    const char *file;
    guint kernels = 0;
    while ((file = g_dir_read_name(files)))
        if (g_str_has_suffix(file, ".json"))
            kernels += check_file(folder, file);
    return kernels;
}

static void test_listings(void)
{
    const char *others = g_getenv("SASS_LISTINGS");
    const guint kernels = others ? check_folder(others)
                                 : check_folder("tests/sass") + check_folder("tests/sass/corpus");
    g_test_message("%u kernels", kernels);
    g_assert_cmpuint(kernels, >=, others ? 1 : 200);
}

/* ---- the same in PTX and in machine code ------------------------------------------------------
 */

static guint64 of_machine(const PsSassCode *code, OperationType type)
{
    guint64 sum = 0;
    for (guint i = 0; i < code->uses->len; i++) {
        const PsSassUse *use = &g_array_index(code->uses, PsSassUse, i);
        sum += g_strcmp0(use->type, operation_names[type]) == 0 ? use->ops : 0;
    }
    return sum;
}

/* Straight code of counts.ptx, of which compilers change nothing. */
static void test_counts(void)
{
    static const struct {
        const char *kernel;
        guint64 ops[N_OPERATION_TYPES];
    } kernels[] = {{"scalar_halves", {[OF_FP16] = 5}},
                   {"pairs_of_halves", {[OF_FP16] = 10}},
                   {"halves_as_a_single", {[OF_FP16] = 1}},
                   {"functions_of_singles", {[OF_FP32] = 10}},
                   {"functions_of_doubles", {[OF_FP64] = 6}}};
    static const char *const on[] = {"counts-75", "counts-86", "counts-100"};
    g_autoptr(GError) error = NULL;
    g_autoptr(PsPtxModule) module = ps_ptx_load("tests/sass/counts.ptx", &error);
    g_assert_no_error(error);
    for (guint i = 0; i < G_N_ELEMENTS(kernels); i++) {
        guint64 counts[N_OPERATION_TYPES] = {0};
        const PsPtxFunction *kernel = ps_ptx_kernel(module, kernels[i].kernel, &error);
        for (guint k = 0; k < kernel->instructions->len; k++)
            operations_add(&g_array_index(kernel->instructions, PsPtxInstruction, k), counts);
        for (guint a = 0; a < G_N_ELEMENTS(on); a++) {
            PsSassImage *image = NULL;
            PsSassCode *code = sass_code(on[a], kernels[i].kernel, &image);
            for (guint t = 0; t < OF_INT; t++) {
                g_test_message("%s %s %s", kernels[i].kernel, on[a], operation_names[t]);
                g_assert_cmpuint(counts[t], ==, kernels[i].ops[t]);
                g_assert_cmpuint(of_machine(code, t), ==, counts[t]);
            }
            ps_sass_code_free(code);
            ps_sass_image_free(image);
        }
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/sass-work/listings", test_listings);
    g_test_add_func("/sass-work/counts", test_counts);
    return g_test_run();
}
