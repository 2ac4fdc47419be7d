/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls through registers. Tables in constant memory have the offsets of subroutines whose address
 * the program takes, and code that was compiled apart has numbers of them; for functions of the
 * driver (vprintf), which are not in the file, a number stands that is no offset. A call compares
 * its register with each of them.
 */
#include "sass/join.h"
#include "sass/tell.h"

#include "ptx/code/expand.h"

#include <string.h>

#define OUTSIDE 0x80000000U
#define PRINTF "vprintf"

guint32 ps_sass_outside(const PsSassImage *image, const PsSassAddress *address)
{
    const gsize number = (gsize)(address - (const PsSassAddress *)(gpointer)image->addresses->data);
    return OUTSIDE + PS_SASS_BYTES * (guint32)number;
}

gboolean ps_sass_is_outside(guint32 callee)
{
    return callee >= OUTSIDE;
}

static gboolean is_in_table(const PsSassKernel *kernel, guint32 offset)
{
    const guint64 word = GUINT64_TO_LE((guint64)offset);
    for (guint bank = 1; bank < PS_SASS_BANKS; bank++) {
        const PsSassBytes *words = &kernel->banks[bank];
        for (gsize i = 0; words->bytes && i + sizeof word <= words->size; i += sizeof word)
            if (memcmp(words->bytes + i, &word, sizeof word) == 0)
                return TRUE;
    }
    return FALSE;
}

static gint by_number(gconstpointer a, gconstpointer b)
{
    const guint32 x = *(const guint32 *)a, y = *(const guint32 *)b;
    return x < y ? -1 : x > y;
}

/* Calls by an offset (CALL.REL) reach only subroutines. */
GArray *ps_sass_callees(const PsSassTeller *teller)
{
    const gboolean relative = ps_sass_has(teller, "REL");
    const GArray *addresses = teller->image->addresses;
    GArray *found = g_array_new(FALSE, FALSE, sizeof(guint32));
    GHashTableIter iter;
    gpointer at, number;
    g_hash_table_iter_init(&iter, teller->kernel->reached);
    while (g_hash_table_iter_next(&iter, &number, NULL)) {
        const guint32 value = GPOINTER_TO_UINT(number);
        g_array_append_val(found, value);
    }
    g_hash_table_iter_init(&iter, teller->kernel->subroutines);
    while (g_hash_table_iter_next(&iter, NULL, &at)) {
        const guint32 offset = GPOINTER_TO_UINT(at) - 1;
        if (offset > 0 && is_in_table(teller->kernel, offset))
            g_array_append_val(found, offset);
    }
    for (guint i = 0; i < addresses->len; i++) {
        const PsSassAddress *address = &g_array_index(addresses, PsSassAddress, i);
        const guint32 value = ps_sass_outside(teller->image, address);
        if (address->function && !relative)
            g_array_append_val(found, value);
    }
    g_array_sort(found, by_number);
    return found;
}

guint64 ps_sass_callee_at(const PsSassTeller *teller, guint32 callee)
{
    gpointer at = g_hash_table_lookup(teller->kernel->reached, GUINT_TO_POINTER(callee));
    return at ? GPOINTER_TO_SIZE(at) - 1 : callee;
}

void ps_sass_note_callee(PsSassTeller *teller, const PsSassOperand *callee, guint depth,
                         const GArray *callees)
{
    g_autofree char *none = g_strdup_printf("mov.b32 %%k%u,0", depth);
    g_autofree char *found = g_strdup_printf("setp.ne.u32 %%s8,%%k%u,0", depth);
    ps_sass_reads(teller, (guint)callee->reg, FALSE);
    ps_sass_say_to_all(teller, FALSE, none);
    ps_sass_say(teller, TRUE, "mov.b32 %%k%u,%%r%d", depth, callee->reg);
    ps_sass_say_to_all(teller, FALSE, found);
    for (guint i = 0; i < callees->len; i++) {
        g_autofree char *other = g_strdup_printf("setp.ne.and.u32 %%s8,%%k%u,%u,%%s8", depth,
                                                 g_array_index(callees, guint32, i));
        ps_sass_say_to_all(teller, FALSE, other);
    }
    ps_sass_say_to_all(teller, FALSE, "@%s8 trap");
}

void ps_sass_guard_callee(PsSassTeller *teller, guint depth, guint32 callee)
{
    g_autofree char *text = g_strdup_printf("setp.eq.u32 %%s8,%%k%u,%u", depth, callee);
    ps_sass_say_to_all(teller, FALSE, text);
    g_free(teller->guard);
    teller->guard = g_strdup("@%s8 ");
}

/* Registers 4 to 7 have the arguments: for vprintf two addresses, of the format and of its
 * arguments; register 4 gets its result. For malloc and free they are a size or an address, and
 * registers 4 and 5 get an address. */
static void call_by_name(PsSassTeller *teller, const char *name)
{
    if (!ps_ptx_call_known(name)) {
        ps_sass_say(teller, FALSE, "trap");
        return;
    }
    if (strcmp(name, PRINTF) == 0) {
        for (guint reg = 4; reg < 8; reg++)
            ps_sass_reads(teller, reg, FALSE);
        ps_sass_say(teller, FALSE, "mov.b64 %%w0,{%%r4,%%r5}");
        ps_sass_say(teller, FALSE, "mov.b64 %%w1,{%%r6,%%r7}");
        ps_sass_say(teller, FALSE, "call (%%r4),%s,(%%w0,%%w1)", name);
        return;
    }
    if (ps_ptx_call_allocates(name)) {
        for (guint reg = 4; reg < 6; reg++)
            ps_sass_reads(teller, reg, FALSE);
        ps_sass_say(teller, FALSE, "mov.b64 %%w0,{%%r4,%%r5}");
        ps_sass_say(teller, FALSE, "call (%%w1),%s,(%%w0)", name);
        ps_sass_say(teller, FALSE, "mov.b64 {%%r4,%%r5},%%w1");
        return;
    }
    if (strcmp(name, PS_PTX_SET_CONDITION) == 0) {
        for (guint reg = 4; reg < 7; reg++)
            ps_sass_reads(teller, reg, FALSE);
        ps_sass_say(teller, FALSE, "mov.b64 %%w0,{%%r4,%%r5}");
        ps_sass_say(teller, FALSE, "st.global.b32 [%%w0],%%r6");
        return;
    }
    ps_sass_say(teller, FALSE, "call %s", name);
}

void ps_sass_call_outside(PsSassTeller *teller, guint32 callee)
{
    call_by_name(teller, g_array_index(teller->image->addresses, PsSassAddress,
                                       (callee - OUTSIDE) / PS_SASS_BYTES)
                             .function);
}

/* The function outside of the kernel's code that the present instruction calls; NULL: the file
 * names none. */
static const char *name_apart(const PsSassTeller *teller)
{
    const gsize at = (gsize)teller->number * PS_SASS_BYTES;
    return g_hash_table_lookup(teller->kernel->apart, GSIZE_TO_POINTER(at));
}

gboolean ps_sass_is_apart(const PsSassTeller *teller)
{
    return name_apart(teller) != NULL;
}

gboolean ps_sass_call_named(PsSassTeller *teller)
{
    const char *name = name_apart(teller);
    if (g_strcmp0(name, PS_SASS_BARRIER) == 0)
        ps_sass_say(teller, TRUE, "bar.sync 0");
    else if (name && ps_ptx_call_known(name))
        call_by_name(teller, name);
    else
        return FALSE;
    return TRUE;
}

/* A kernel that launches others is reported as such, whatever else it calls. */
char *ps_sass_call_apart(const PsSassTeller *teller)
{
    GHashTable *apart = teller->kernel->apart;
    const char *name = name_apart(teller);
    GHashTableIter iter;
    gpointer other;
    g_hash_table_iter_init(&iter, apart);
    while (g_hash_table_iter_next(&iter, NULL, &other))
        if (ps_ptx_call_launches(other))
            return g_strdup(PS_PTX_LAUNCHES);
    return name ? g_strdup_printf("a call of \"%s\", which is not in the kernel's code: it was "
                                  "compiled apart (nvcc -rdc=true)",
                                  name)
                : g_strdup("a call of nothing");
}

static void declare(GHashTable *seen, const char *name, GString *text)
{
    if (!name || !ps_ptx_call_known(name) || !g_hash_table_add(seen, (gpointer)name))
        return;
    if (strcmp(name, PRINTF) == 0)
        g_string_append_printf(text, ".extern .func (.reg .b32 r) %s (.reg .b64 f,.reg .b64 a);\n",
                               name);
    else if (ps_ptx_call_allocates(name))
        g_string_append_printf(text, ".extern .func (.reg .b64 r) %s (.reg .b64 v);\n", name);
    else
        g_string_append_printf(text, ".extern .func %s;\n", name);
}

void ps_sass_declare_outside(const PsSassTeller *teller, GString *text)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    const GArray *addresses = teller->image->addresses;
    GHashTableIter iter;
    gpointer name;
    for (guint i = 0; i < addresses->len; i++)
        declare(seen, g_array_index(addresses, PsSassAddress, i).function, text);
    g_hash_table_iter_init(&iter, teller->kernel->apart);
    while (g_hash_table_iter_next(&iter, NULL, &name))
        declare(seen, name, text);
}

void ps_sass_put_kernel_first(PsPtxModule *module)
{
    gpointer *functions = module->functions->pdata;
    const guint last = module->functions->len - 1;
    gpointer kernel = functions[last];
    functions[last] = functions[0];
    functions[0] = kernel;
}
