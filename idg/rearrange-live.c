/* SPDX-License-Identifier: BSD-3-Clause */
/* The number of registers that a body's values take. See rearrange-private.h. */
#include "idg/rearrange-private.h"

#include "base/class-name.h"

#include <string.h>

#define MOST_BYTES 1024

/* Registers of 32 bits for a node's result; a predicate takes none. */
static gint64 words_of(const PsIdgItem *item, const PsScope *scope)
{
    gint64 bytes = 4;
    if (strstr(item->class_name, "setp"))
        return 0;
    if (item->class_name[0] == 'd' || strstr(item->class_name, ".wide"))
        return 2;
    if (item->bytes)
        ps_expr_eval_int(item->bytes, scope, (PsPlace){"bytes", 0},
                         &(PsIntRange){"bytes", 0, MOST_BYTES}, &bytes, NULL);
    return MAX(1, (bytes + 3) / 4);
}

/* The values of a body, while live ones are counted place by place. */
typedef struct {
    const GPtrArray *items;
    const PsScope *scope;
    GHashTable *places; /* name -> place + 1 */
    guint *until;       /* [place]: where the value is read last, perhaps by the next trip */
    guint *from_start;  /* [place]: where the value of the trip before is read last */
} Live;

static void read_at(const Live *live, guint place, const GPtrArray *deps)
{
    for (guint i = 0; deps && i < deps->len; i++) {
        const PsIdgDep *dep = deps->pdata[i];
        const guint on = GPOINTER_TO_UINT(g_hash_table_lookup(live->places, dep->on));
        if (on == 0)
            continue;
        if (on - 1 < place && !dep->distance) {
            live->until[on - 1] = MAX(live->until[on - 1], place);
        } else {
            live->until[on - 1] = live->items->len;
            live->from_start[on - 1] = MAX(live->from_start[on - 1], place + 1);
        }
    }
}

/* The most registers that are live at one place. */
static gint64 most_words(const Live *live)
{
    gint64 most = 0;
    for (guint place = 0; place < live->items->len; place++) {
        gint64 words = 0;
        for (guint i = 0; i < live->items->len; i++)
            if ((i <= place && place < live->until[i]) || place < live->from_start[i])
                words += words_of(live->items->pdata[i], live->scope);
        most = MAX(most, words);
    }
    return most;
}

gint64 ps_body_words(const GPtrArray *items, const PsScope *scope, GHashTable *lasting)
{
    g_autoptr(GHashTable) places = g_hash_table_new(g_str_hash, g_str_equal);
    g_autofree guint *until = g_new0(guint, items->len);
    g_autofree guint *from_start = g_new0(guint, items->len);
    const Live live = {items, scope, places, until, from_start};
    for (guint i = 0; i < items->len; i++)
        g_hash_table_insert(places, ((const PsIdgItem *)items->pdata[i])->name,
                            GUINT_TO_POINTER(i + 1));
    for (guint i = 0; lasting && i < items->len; i++)
        if (g_hash_table_contains(lasting, ((const PsIdgItem *)items->pdata[i])->name))
            until[i] = items->len;
    for (guint i = 0; i < items->len; i++) {
        read_at(&live, i, ((const PsIdgItem *)items->pdata[i])->after);
        read_at(&live, i, ((const PsIdgItem *)items->pdata[i])->reads);
    }
    return most_words(&live);
}
