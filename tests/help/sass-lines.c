/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/help/sass-lines.h"

#include <string.h>

static void put_word(guint8 *bytes, const SassLine *line)
{
    const guint64 no_scoreboard = (guint64)7 << (110 - 64) | (guint64)7 << (113 - 64);
    const guint64 low = (guint64)line->at[0] << 24 | (guint64)line->at[1] << 32;
    const guint64 high = line->at[2] | no_scoreboard | (guint64)line->marks << (122 - 64);
    memcpy(bytes, &low, sizeof low);
    memcpy(bytes + sizeof low, &high, sizeof high);
}

PsSassCode *sass_code_of_json(const PsSassKernel *of, const SassBeside *beside, const char *json)
{
    PsSassImage image = {.name = (char *)"x.cubin", .capability = beside->capability};
    PsSassKernel kernel = *of;
    g_autoptr(GError) error = NULL;
    image.variables = g_array_new(FALSE, FALSE, sizeof(PsSassVariable));
    image.addresses = g_array_new(FALSE, FALSE, sizeof(PsSassAddress));
    kernel.params = g_array_new(FALSE, FALSE, sizeof(PsSassParam));
    if (beside->param)
        g_array_append_vals(kernel.params, beside->param, 1);
    kernel.jumps = g_array_new(FALSE, FALSE, sizeof(PsSassJump));
    kernel.subroutines = g_hash_table_new(g_str_hash, g_str_equal);
    kernel.apart = g_hash_table_new(NULL, NULL);
    kernel.halves = g_hash_table_new(NULL, NULL);
    g_hash_table_insert(kernel.subroutines, (gpointer) "k", GSIZE_TO_POINTER(1));
    if (beside->subroutine > 0)
        g_hash_table_insert(kernel.subroutines, (gpointer) "s",
                            GSIZE_TO_POINTER(beside->subroutine + 1));
    PsSassListing *listing = ps_sass_listing_new(json, -1, &kernel, &error);
    g_assert_no_error(error);
    PsSassCode *code = ps_sass_code_new(&image, &kernel, listing, NULL, &error);
    g_assert_no_error(error);
    g_array_unref(image.variables);
    g_array_unref(image.addresses);
    g_array_unref(kernel.params);
    g_array_unref(kernel.jumps);
    g_hash_table_unref(kernel.subroutines);
    g_hash_table_unref(kernel.apart);
    g_hash_table_unref(kernel.halves);
    return code;
}

PsSassCode *sass_code_of_lines(const SassLine *lines)
{
    static guint8 bytes[SASS_LINES_MOST * PS_SASS_BYTES];
    static const guint8 constants[] = {0x11, 0x82, 0x93, 0xf4, 0x05, 0x06};
    const PsSassParam param = {0, 8};
    PsSassKernel kernel = {
        .name = (char *)"k", .text = {bytes, 0}, .parameters_at = 0x160, .parameters_size = 8};
    kernel.banks[3] = (PsSassBytes){constants, sizeof constants};
    g_autoptr(GString) json = g_string_new("[{},[{\"function-name\":\"k\",\"sass-instructions\":[");
    for (guint i = 0; lines[i].opcode; i++) {
        g_assert_cmpuint(i, <, SASS_LINES_MOST);
        g_string_append_printf(json, "%s{\"opcode\":\"%s\",\"operands\":\"%s\"}", i ? "," : "",
                               lines[i].opcode, lines[i].operands);
        put_word(bytes + kernel.text.size, &lines[i]);
        kernel.text.size += PS_SASS_BYTES;
    }
    g_string_append(json, "]}]]");
    return sass_code_of_json(&kernel, &(SassBeside){.capability = 86, .param = &param}, json->str);
}
