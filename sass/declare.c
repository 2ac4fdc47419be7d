/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Declares what a kernel's code refers to: variables in global memory, and constant banks, some of
 * whose words are addresses.
 */
#include "sass/tell.h"

#include <string.h>

#define FUNCTIONS 0x40000000U

guint32 ps_sass_function_number(guint section)
{
    return FUNCTIONS + PS_SASS_BYTES * (guint32)section;
}

static const PsSassAddress *find_address(const PsSassImage *image, guint bank, guint in, guint64 at)
{
    for (guint i = 0; i < image->addresses->len; i++) {
        const PsSassAddress *address = &g_array_index(image->addresses, PsSassAddress, i);
        if (address->bank == bank && address->in == in && address->at == at)
            return address;
    }
    return NULL;
}

const PsSassAddress *ps_sass_address_at(const PsSassImage *image, guint bank, gint64 offset)
{
    return find_address(image, bank, 0, (guint64)offset & ~(guint64)7);
}

char *ps_sass_address_text(const PsSassImage *image, const PsSassAddress *address)
{
    if (address->function)
        return g_strdup_printf("%u", ps_sass_outside(image, address));
    if (address->section > 0)
        return g_strdup_printf("%u", ps_sass_function_number(address->section));
    const char *name = g_array_index(image->variables, PsSassVariable, address->variable).name;
    return address->added == 0
               ? g_strdup(name)
               : g_strdup_printf("%s+%" G_GINT64_FORMAT, name, (gint64)address->added);
}

static void declare_bytes(GString *text, const char *space, const char *name, PsSassBytes init,
                          guint64 size)
{
    g_string_append_printf(text, "%s .align 16 .b8 %s[%" G_GUINT64_FORMAT "]", space, name,
                           MAX(size, 1));
    for (gsize i = 0; init.bytes && i < init.size; i++)
        g_string_append_printf(text, "%s%u", i == 0 ? " = {" : ",", init.bytes[i]);
    g_string_append(text, init.bytes && init.size > 0 ? "};\n" : ";\n");
}

/* Declares memory with addresses as 64-bit numbers, some of which are names. bank: 0 for a
 * variable, whose number is `in`. */
static void declare_addresses(GString *text, const PsSassImage *image, guint bank, guint in,
                              PsSassBytes init)
{
    const char *variable = bank ? NULL : g_array_index(image->variables, PsSassVariable, in).name;
    const gsize n = (init.size + 7) / 8;
    if (variable)
        g_string_append_printf(text, ".global .align 16 .b64 %s[%" G_GSIZE_FORMAT "] = {", variable,
                               n);
    else
        g_string_append_printf(text, ".const .align 16 .b64 bank_%u[%" G_GSIZE_FORMAT "] = {", bank,
                               n);
    for (gsize at = 0; at < init.size; at += 8) {
        const PsSassAddress *address = find_address(image, bank, in, at);
        g_autofree char *value = address ? ps_sass_address_text(image, address) : NULL;
        guint64 word = 0;
        if (init.bytes)
            memcpy(&word, init.bytes + at, MIN(sizeof word, init.size - at));
        g_string_append(text, at == 0 ? "" : ",");
        if (value)
            g_string_append(text, value);
        else
            g_string_append_printf(text, "%" G_GUINT64_FORMAT, GUINT64_FROM_LE(word));
    }
    g_string_append(text, "};\n");
}

static gboolean has_addresses(const PsSassImage *image, guint bank, guint in)
{
    for (guint i = 0; i < image->addresses->len; i++) {
        const PsSassAddress *address = &g_array_index(image->addresses, PsSassAddress, i);
        if (address->bank == bank && address->in == in)
            return TRUE;
    }
    return FALSE;
}

void ps_sass_declare(const PsSassTeller *teller, GString *text)
{
    const PsSassImage *image = teller->image;
    for (guint i = 0; i < image->variables->len; i++) {
        const PsSassVariable *variable = &g_array_index(image->variables, PsSassVariable, i);
        if (has_addresses(image, 0, i))
            declare_addresses(text, image, 0, i, variable->init);
        else
            declare_bytes(text, ".global", variable->name, variable->init, variable->size);
    }
    for (guint bank = 1; bank < PS_SASS_BANKS; bank++) {
        g_autofree char *name = g_strdup_printf("bank_%u", bank);
        const PsSassBytes init = teller->kernel->banks[bank];
        if (init.size > 0 && has_addresses(image, bank, 0))
            declare_addresses(text, image, bank, 0, init);
        else if (init.size > 0)
            declare_bytes(text, ".const", name, init, init.size);
    }
}
