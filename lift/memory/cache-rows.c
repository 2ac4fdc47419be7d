/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts the rows of device memory that groups open for one line alone. A bank gives what lies in
 * its open row at the speed of the bus, and opening another row takes it longer than to send a
 * sector: accesses at random places pay for that, accesses in order do not notice. A group opens a
 * row for itself if it touches one line of that, and the groups beside it touch none. Groups of
 * which no neighbour was executed say nothing.
 *
 * Rows have 1 KB in HBM's pseudo channels (JESD235, JESD238). A controller may well spread 1 KB of
 * addresses over several rows: what is alone in 1 KB is alone in any case.
 */
#include "lift/memory/cache-private.h"

#define ROW_LINES 8 /* 1 KB */

/* Sectors that one pattern touched first in its group, and lines of these that are alone in their
 * row: a line counts for the pattern of its first sector. */
typedef struct {
    gint64 sectors, alone;
} Seen;

/* The rows that a group touches, each with the number of its lines. */
typedef struct {
    PsLines rows;
    GArray *lines; /* guint */
} Rows;

typedef struct {
    const PsGroups *groups;
    GHashTable *rows;       /* PsLineGroup -> Rows, of those that were asked for */
    GArray *read, *written; /* Seen, by pattern */
} Looking;

static void rows_free(gpointer data)
{
    Rows *rows = data;
    ps_lines_clear(&rows->rows);
    g_array_unref(rows->lines);
    g_free(rows);
}

static const Rows *rows_of(const Looking *looking, const PsLineGroup *group)
{
    Rows *rows = g_hash_table_lookup(looking->rows, group);
    if (rows)
        return rows;
    rows = g_new0(Rows, 1);
    rows->lines = g_array_new(FALSE, TRUE, sizeof(guint));
    for (guint i = 0; i < group->lines.n; i++) {
        const guint64 row = group->lines.lines[i] / ROW_LINES;
        guint number = ps_lines_find(&rows->rows, row);
        if (number == PS_NO_LINE) {
            number = ps_lines_add(&rows->rows, row);
            g_array_set_size(rows->lines, number + 1);
        }
        g_array_index(rows->lines, guint, number)++;
    }
    g_hash_table_insert(looking->rows, (gpointer)group, rows);
    return rows;
}

static const PsLineGroup *neighbour(const PsGroups *groups, const PsLineGroup *group, guint d,
                                    gint step)
{
    guint at[3] = {group->group[0], group->group[1], group->group[2]};
    at[d] += (guint)step; /* below 0 it is beyond every grid */
    const gint64 key = ps_group_key(at);
    return at[d] < groups->rules.grid[d] ? g_hash_table_lookup(groups->by_key, &key) : NULL;
}

/* Sets the group and those beside it; returns how many these are, 0 if a direction has none. */
static guint find_beside(const PsGroups *groups, const PsLineGroup *group,
                         const PsLineGroup *beside[7])
{
    guint n = 0;
    beside[n++] = group;
    for (guint d = 0; d < 3; d++) {
        const guint before = n;
        for (gint step = -1; step <= 1; step += 2) {
            const PsLineGroup *other = neighbour(groups, group, d, step);
            if (other)
                beside[n++] = other;
        }
        if (n == before && groups->rules.grid[d] > 1)
            return 0;
    }
    return n;
}

/* TRUE if the first of these groups touches one line of the row, and the others none. */
static gboolean is_alone(const Looking *looking, const PsLineGroup *const *beside, guint n,
                         guint64 row)
{
    for (guint g = 0; g < n; g++) {
        const Rows *rows = rows_of(looking, beside[g]);
        const guint number = ps_lines_find(&rows->rows, row);
        if (number != PS_NO_LINE && (g > 0 || g_array_index(rows->lines, guint, number) > 1))
            return FALSE;
    }
    return TRUE;
}

static Seen *seen_of(GArray *seen, guint number)
{
    if (number >= seen->len)
        g_array_set_size(seen, number + 1);
    return &g_array_index(seen, Seen, number);
}

static void count(GArray *seen, const guint32 by[PS_LINE_SECTORS], guint sectors, gboolean alone)
{
    guint32 first = PS_NOBODY;
    for (guint i = 0; i < PS_LINE_SECTORS; i++) {
        if (!(sectors >> i & 1) || by[i] == PS_NOBODY)
            continue;
        seen_of(seen, by[i])->sectors++;
        first = first == PS_NOBODY ? by[i] : first;
    }
    if (first != PS_NOBODY && alone)
        seen_of(seen, first)->alone++;
}

static void look_at(const Looking *looking, const PsLineGroup *group)
{
    const PsLineGroup *beside[7];
    const guint n = group->strewn ? 0 : find_beside(looking->groups, group, beside);
    for (guint i = 0; n > 0 && i < group->what->len; i++) {
        const PsLineUse *use = &g_array_index(group->what, PsLineUse, i);
        const gboolean alone = is_alone(looking, beside, n, group->lines.lines[i] / ROW_LINES);
        count(looking->read, use->readers, use->read, alone);
        count(looking->written, use->writers, use->written, alone);
    }
}

static double rows_by_sector(const GArray *seen, guint number)
{
    const Seen none = {0, 0};
    const Seen *one = number < seen->len ? &g_array_index(seen, Seen, number) : &none;
    return one->sectors > 0 ? (double)one->alone / (double)one->sectors : 0;
}

void ps_rows_find(PsGroups *groups)
{
    const Looking looking = {groups, g_hash_table_new_full(NULL, NULL, NULL, rows_free),
                             g_array_new(FALSE, TRUE, sizeof(Seen)),
                             g_array_new(FALSE, TRUE, sizeof(Seen))};
    for (const GList *at = groups->kept.head; at; at = at->next)
        look_at(&looking, at->data);
    for (guint i = 0; i < groups->footprints->len; i++) {
        PsFootprint *footprint = ps_footprint_of(groups, i);
        footprint->rows_read = rows_by_sector(looking.read, i);
        footprint->rows_written = rows_by_sector(looking.written, i);
    }
    g_hash_table_destroy(looking.rows);
    g_array_unref(looking.read);
    g_array_unref(looking.written);
}
