/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What registers of constant banks are set to: values of the launch by their place, words of a bank
 * up to its last byte, and addresses in it, whole and by halves.
 */
#include "sass/tell.h"

#include <string.h>

/* A kernel whose bank 3 has 16 bytes, the second 8 of which are the address of the variable v, on a
 * chip of that capability. */
typedef struct {
    PsSassImage image;
    PsSassKernel kernel;
    PsSassTeller teller;
} Told;

static void told_init(Told *told, int capability)
{
    static const PsSassAddress address = {.bank = 4, .at = 8};
    const PsSassVariable variable = {.name = (char *)"v", .size = 4};
    memset(told, 0, sizeof *told);
    told->image.capability = capability;
    told->image.addresses = g_array_new(FALSE, FALSE, sizeof(PsSassAddress));
    told->image.variables = g_array_new(FALSE, FALSE, sizeof(PsSassVariable));
    g_array_append_val(told->image.addresses, address);
    g_array_append_val(told->image.variables, variable);
    told->kernel.parameters_at = capability < 100 ? 0x160 : 0x380;
    told->kernel.frame = 64;
    told->kernel.banks[3].size = told->kernel.banks[4].size = 16;
    told->teller =
        (PsSassTeller){.image = &told->image,
                       .kernel = &told->kernel,
                       .start = g_string_new(NULL),
                       .first_origins = g_array_new(FALSE, FALSE, sizeof(PsSassOrigin)),
                       .constants = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL)};
}

static void told_clear(Told *told)
{
    g_array_unref(told->image.addresses);
    g_array_unref(told->image.variables);
    g_string_free(told->teller.start, TRUE);
    g_array_unref(told->teller.first_origins);
    g_hash_table_unref(told->teller.constants);
}

/* What is said of so many bytes there, with "; " between instructions (g_free). */
static char *said_of(int capability, guint bank, gint64 offset, guint bytes)
{
    Told told;
    told_init(&told, capability);
    g_free(ps_sass_constant(&told.teller, bank, offset, bytes));
    g_strchomp(told.teller.start->str);
    g_auto(GStrv) lines = g_strsplit(told.teller.start->str, ";\n", -1);
    char *said = g_strjoinv("; ", lines);
    told_clear(&told);
    return said;
}

static void test_bank(void)
{
    static const struct {
        guint offset, bytes;
        const char *said;
    } cases[] = {{0, 4, "ld.const.b32 %c4_0,[bank_4+0];"},
                 {4, 4, "ld.const.b32 %c4_4,[bank_4+4];"},
                 {0, 8, "ld.const.b64 %d4_0,[bank_4+0];"},
                 {8, 8, "mov.b64 %d4_8,v;"},
                 {8, 4, "mov.b64 %w0,v; mov.b64 {%c4_8,_},%w0;"},
                 {12, 4, "mov.b64 %w0,v; mov.b64 {_,%c4_12},%w0;"},
                 {16, 4, "mov.b32 %c4_16,0;"},
                 {16, 8, "mov.b64 %d4_16,0;"}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *said = said_of(75, 4, cases[i].offset, cases[i].bytes);
        g_assert_cmpstr(said, ==, cases[i].said);
    }
    g_autofree char *own = said_of(75, 3, 8, 8); /* the program may have written it */
    g_assert_cmpstr(own, ==, "ld.const.b64 %d3_8,[bank_3+8];");
}

/* Windows are halves of one address each, on chips that have them there. */
static void test_launch(void)
{
    static const struct {
        int capability;
        guint offset, bytes;
        const char *said;
    } cases[] = {
        {75, 0x00, 4, "mov.u32 %c0_0,%ntid.x;"},
        {75, 0x14, 4, "mov.u32 %c0_20,%nctaid.z;"},
        {75, 0x18, 8, "mov.b64 %w0,0; cvta.shared.u64 %d0_24,%w0;"},
        {75, 0x18, 4, "mov.b64 %w0,0; cvta.shared.u64 %w0,%w0; mov.b64 {%c0_24,_},%w0;"},
        {75, 0x1c, 4, "mov.b64 %w0,0; cvta.shared.u64 %w0,%w0; mov.b64 {_,%c0_28},%w0;"},
        {75, 0x20, 8, "mov.b64 %w0,stack_; cvta.local.u64 %d0_32,%w0;"},
        {75, 0x20, 4, "mov.b64 %w0,stack_; cvta.local.u64 %w0,%w0; mov.b64 {%c0_32,_},%w0;"},
        {75, 0x24, 4, "mov.b64 %w0,stack_; cvta.local.u64 %w0,%w0; mov.b64 {_,%c0_36},%w0;"},
        {75, 0x28, 4, "mov.u32 %c0_40,64;"},
        {75, 0x2c, 4, "mov.b32 %c0_44,0;"},
        {75, 0x50, 8, "mov.u64 %w0,bank_3; cvta.const.u64 %d0_80,%w0;"},
        {90, 0xd4, 4, "mov.u64 %w0,bank_3; cvta.const.u64 %w0,%w0; mov.b64 {_,%c0_212},%w0;"},
        {100, 0x120, 8, "mov.u64 %w0,bank_3; cvta.const.u64 %d0_288,%w0;"},
        {100, 0x2f8, 8, "mov.b64 %w0,stack_; cvta.local.u64 %d0_760,%w0;"},
        {100, 0x360, 4, "mov.u32 %c0_864,%ntid.x;"},
        {100, 0x378, 4, "mov.u32 %c0_888,%nctaid.z;"},
        {100, 0x37c, 4, "mov.u32 %c0_892,64;"},
        {100, 0x18, 4, "mov.b32 %c0_24,0;"},
        {100, 0x20, 4, "mov.b32 %c0_32,0;"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *said = said_of(cases[i].capability, 0, cases[i].offset, cases[i].bytes);
        g_assert_cmpstr(said, ==, cases[i].said);
    }
}

/* Two tensor maps with 24 bytes of numbers between them: where the first lies, how both are
 * aligned, so that they are as far from each other as on the device, and what has their generic
 * address. */
static void test_maps(void)
{
    static const struct {
        int capability;
        guint parameters_at, first, at;
        const char *aligned, *said;
    } cases[] = {{90, 0x210, 0x30, 0x198, "64",
                  "mov.b64 %w0,param_0; sub.u64 %w0,%w0,48; cvta.param.u64 %d0_408,%w0;"},
                 {90, 0x200, 0, 0x198, "64",
                  "mov.b64 %w0,param_0; sub.u64 %w0,%w0,0; cvta.param.u64 %d0_408,%w0;"},
                 {100, 0x380, 0, 0x348, "64",
                  "mov.b64 %w0,param_0; sub.u64 %w0,%w0,0; cvta.param.u64 %d0_840,%w0;"}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const PsSassParam params[] = {{.offset = cases[i].first, .size = 128},
                                      {.offset = cases[i].first + 128, .size = 8},
                                      {.offset = cases[i].first + 192, .size = 128}};
        g_autoptr(GString) text = g_string_new(NULL);
        Told told;
        told_init(&told, cases[i].capability);
        told.kernel.parameters_at = cases[i].parameters_at;
        told.kernel.params = g_array_new(FALSE, FALSE, sizeof(PsSassParam));
        g_array_append_vals(told.kernel.params, params, G_N_ELEMENTS(params));
        ps_sass_append_params(&told.kernel, NULL, text);
        g_autofree char *declared =
            g_strdup_printf("\n    .param .align %s .b8 param_0[128],\n    .param .b64 param_1,"
                            "\n    .param .align %s .b8 param_2[128]",
                            cases[i].aligned, cases[i].aligned);
        g_assert_cmpstr(text->str, ==, declared);
        g_free(ps_sass_constant(&told.teller, 0, cases[i].at, 8));
        g_strchomp(told.teller.start->str);
        g_auto(GStrv) lines = g_strsplit(told.teller.start->str, ";\n", -1);
        g_autofree char *said = g_strjoinv("; ", lines);
        g_assert_cmpstr(said, ==, cases[i].said);
        g_array_unref(told.kernel.params);
        told_clear(&told);
    }
}

/* Structs of 416 bytes, which lie behind each other: before Hopper none is a tensor map, wherever
 * it lies in the bank, and so none is moved. Code with registers among its addresses would else
 * read beside the third one. */
static void test_structs(void)
{
    const PsSassParam params[] = {{.offset = 0, .size = 416},     {.offset = 0x1a0, .size = 416},
                                  {.offset = 0x340, .size = 416}, {.offset = 0x4e0, .size = 1},
                                  {.offset = 0x4e1, .size = 3},   {.offset = 0x4f0, .size = 16}};
    g_autoptr(GString) text = g_string_new(NULL);
    Told told;
    told_init(&told, 80);
    told.kernel.parameters_at = 0x160;
    told.kernel.params = g_array_new(FALSE, FALSE, sizeof(PsSassParam));
    g_array_append_vals(told.kernel.params, params, G_N_ELEMENTS(params));
    ps_sass_append_params(&told.kernel, NULL, text);
    g_assert_cmpstr(
        text->str, ==,
        "\n    .param .align 8 .b8 param_0[416],\n    .param .align 32 .b8 param_1[416],"
        "\n    .param .align 64 .b8 param_2[416],\n    .param .b8 param_3,"
        "\n    .param .align 1 .b8 param_4[3],\n    .param .align 16 .b8 param_5[16]");
    g_array_unref(told.kernel.params);
    told_clear(&told);
}

/* A register is set once, however often it is asked for. */
static void test_once(void)
{
    Told told;
    told_init(&told, 75);
    for (guint i = 0; i < 3; i++) {
        g_autofree char *name = ps_sass_constant(&told.teller, 3, 0, 4);
        g_assert_cmpstr(name, ==, "%c3_0");
    }
    g_assert_cmpstr(told.teller.start->str, ==, "ld.const.b32 %c3_0,[bank_3+0];\n");
    told_clear(&told);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/sass-constants/bank", test_bank);
    g_test_add_func("/sass-constants/launch", test_launch);
    g_test_add_func("/sass-constants/maps", test_maps);
    g_test_add_func("/sass-constants/structs", test_structs);
    g_test_add_func("/sass-constants/once", test_once);
    return g_test_run();
}
