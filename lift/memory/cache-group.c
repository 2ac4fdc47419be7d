/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The caches of one group after another, and the sectors that each group is the first to touch for
 * itself.
 *
 * First level: loads that are kept there bring their sectors; other loads pass. Stores write
 * through, to L1 as well where it has the sector, and bring nothing; atomics are done in L2 and
 * take their sectors out of L1. Without a first level every request's sectors reach L2. Threads'
 * own memory is kept and written back: a sector that comes will leave once, and while L2 has room
 * for it, it never reaches device memory, since the groups that follow use the same. A group alone
 * has the part of L1 that is left to one of those that a compute unit holds; what they share is
 * seen in cache-unit.c.
 *
 * Second level: the first of a group to read a sector fetches it, with the others that L2 fetches
 * at once, unless the group has written it; sectors that are read again come from L2, unless the
 * group alone touches more than L2 holds and lost it (least recently used, as in L1). Stores of
 * parts of a sector fetch nothing; sectors that lack words when the group ends are counted, a word
 * of which a byte was written as a whole one. An atomic reads and writes.
 *
 * What groups touched is kept for cache-launch.c, up to a number of lines in all.
 */
#include "lift/memory/cache-private.h"

#include <string.h>

#define MOST_LINES (1 << 22) /* of all groups that are kept; one alone may have more */

static PsLineGroup *group_new(const guint group[3])
{
    PsLineGroup *fresh = g_new0(PsLineGroup, 1);
    memcpy(fresh->group, group, sizeof(fresh->group));
    fresh->key = ps_group_key(group);
    fresh->what = g_array_new(FALSE, FALSE, sizeof(PsLineUse));
    return fresh;
}

static void group_free(gpointer data)
{
    PsLineGroup *group = data;
    if (!group)
        return;
    ps_lines_clear(&group->lines);
    g_array_unref(group->what);
    g_array_unref(group->sums);
    g_free(group);
}

PsGroups *ps_groups_new(const PsPatternRules *rules)
{
    PsGroups *groups = g_new0(PsGroups, 1);
    groups->rules = *rules;
    for (guint d = 0; d < 3; d++)
        groups->rules.grid[d] = MAX(rules->grid[d], 1);
    groups->rules.resident = MAX(rules->resident, 1);
    g_queue_init(&groups->kept);
    groups->by_key = g_hash_table_new(g_int64_hash, g_int64_equal);
    groups->footprints = g_array_new(FALSE, TRUE, sizeof(PsFootprint));
    return groups;
}

static void end_caches(PsGroups *groups)
{
    g_clear_pointer(&groups->now, group_free);
    g_clear_pointer(&groups->again, g_ptr_array_unref);
    g_clear_pointer(&groups->l1, ps_cache_free);
    g_clear_pointer(&groups->l2, ps_cache_free);
}

void ps_groups_free(PsGroups *groups)
{
    if (!groups)
        return;
    end_caches(groups);
    g_hash_table_destroy(groups->by_key);
    g_queue_clear_full(&groups->kept, group_free);
    g_array_unref(groups->footprints);
    g_free(groups->extents);
    g_free(groups);
}

void ps_groups_begin(PsGroups *groups, const guint group[3], gboolean strewn)
{
    end_caches(groups);
    groups->now = group_new(group);
    groups->now->strewn = strewn;
    groups->now->sums = g_array_new(FALSE, TRUE, sizeof(PsSums));
    groups->first_loop = PS_PTX_NOWHERE;
    groups->again = ps_again_new();
    if (groups->rules.l1 > 0)
        groups->l1 = ps_cache_new(groups->rules.l1 / groups->rules.resident, 0);
    if (groups->rules.l2 > 0)
        groups->l2 = ps_cache_new(groups->rules.l2, 0);
}

PsFootprint *ps_footprint_of(const PsGroups *groups, guint number)
{
    if (number >= groups->footprints->len)
        g_array_set_size(groups->footprints, number + 1);
    return &g_array_index(groups->footprints, PsFootprint, number);
}

/* ---- accesses ------------------------------------------------------------------------------ */

static PsSums *sums_of(const PsLineGroup *group, guint number)
{
    if (number >= group->sums->len)
        g_array_set_size(group->sums, number + 1);
    return &g_array_index(group->sums, PsSums, number);
}

static PsLineUse *line_of(PsLineGroup *group, guint64 line, guint pattern)
{
    guint number = ps_lines_find(&group->lines, line);
    if (number == PS_NO_LINE) {
        PsLineUse fresh = {.first = pattern};
        for (guint i = 0; i < PS_LINE_SECTORS; i++)
            fresh.readers[i] = fresh.writers[i] = PS_NOBODY;
        number = ps_lines_add(&group->lines, line);
        g_array_append_val(group->what, fresh);
        sums_of(group, pattern)->lines++;
    }
    return &g_array_index(group->what, PsLineUse, number);
}

static void name_first(guint32 first[PS_LINE_SECTORS], guint sectors, guint number)
{
    for (guint i = 0; i < PS_LINE_SECTORS; i++)
        if (sectors >> i & 1)
            first[i] = number;
}

/* TRUE if the group's lines know what the request's loop has loaded before. */
static gboolean loads_first(const PsGroups *groups, const PsRequest *request)
{
    return request->loop == groups->first_loop && request->loop != PS_PTX_NOWHERE;
}

static void read_l2(const PsGroups *groups, const PsRequest *request, PsTouch touch, guint lost)
{
    PsLineUse *line = line_of(groups->now, touch.line, request->number);
    PsSums *sums = sums_of(groups->now, request->number);
    const guint missing = touch.sectors & ~(line->read | line->written);
    const guint fetched =
        ps_parts_of(missing, groups->rules.fetch) & ~(guint)(line->read | line->written);
    if (loads_first(groups, request)) {
        sums->first += ps_count_sectors(touch.sectors & ~(guint)line->loaded);
        line->loaded |= (guint8)touch.sectors;
    }
    sums->again += ps_count_sectors(lost & (line->read | line->written));
    sums->missed += ps_count_sectors(missing);
    sums->read += ps_count_sectors(fetched);
    name_first(line->readers, fetched, request->number);
    line->read |= (guint8)fetched;
}

static void write_l2(const PsGroups *groups, guint number, PsTouch touch)
{
    PsLineUse *line = line_of(groups->now, touch.line, number);
    PsSums *sums = sums_of(groups->now, number);
    const guint fresh = touch.sectors & ~(guint)line->written;
    sums->written += ps_count_sectors(fresh);
    sums->only += ps_count_sectors(fresh & ~(guint)line->read);
    name_first(line->writers, fresh, number);
    line->written |= (guint8)fresh;
    line->words |= touch.words;
}

/* Brings sectors to L2, if there is one; a read also brings those that are fetched along, out of
 * those that L2 does not hold. */
static guint bring_l2(const PsGroups *groups, PsAccess access, PsTouch touch)
{
    if (!groups->l2)
        return 0;
    const guint lost = ps_cache_bring(groups->l2, touch, NULL);
    if (access == PS_ACCESS_STORE)
        return lost;
    touch.sectors = ps_parts_of(lost, groups->rules.fetch);
    return lost | ps_cache_bring(groups->l2, touch, NULL);
}

/* Passes the sectors to L2. */
static void reach_l2(const PsGroups *groups, const PsRequest *request, PsTouch touch)
{
    const guint lost = bring_l2(groups, request->access, touch);
    if (request->access != PS_ACCESS_STORE)
        read_l2(groups, request, touch, lost);
    if (request->access != PS_ACCESS_LOAD)
        write_l2(groups, request->number, touch);
}

/* The sectors of a load that go on to L2, with those that L1 reads at the same time. */
static guint fill_l1(const PsPatternRules *rules, PsCache *l1, gboolean keep, PsTouch touch)
{
    const gboolean kept = l1 && keep;
    const guint missing = kept ? ps_cache_bring(l1, touch, NULL) : touch.sectors;
    touch.sectors = ps_parts_of(missing, MAX(rules->fill, rules->sector));
    return kept && touch.sectors != missing ? missing | ps_cache_bring(l1, touch, NULL)
                                            : touch.sectors;
}

guint ps_pass_l1(const PsPatternRules *rules, PsCache *l1, const PsRequest *request, PsTouch touch,
                 PsPassed *passed)
{
    const PsAccess access = request->access;
    const guint moved =
        access == PS_ACCESS_STORE ? ps_parts_of(touch.sectors, rules->sector) : touch.sectors;
    passed->l1 += ps_count_sectors(moved);
    if (access == PS_ACCESS_LOAD) {
        touch.sectors = fill_l1(rules, l1, request->keep, touch);
        passed->l2 += ps_count_sectors(touch.sectors);
        return touch.sectors;
    }
    passed->l2 += ps_count_sectors(moved);
    passed->partial += ps_count_sectors(touch.sectors & ~touch.whole);
    if (l1 && access == PS_ACCESS_STORE)
        passed->found += ps_count_sectors(ps_cache_look(l1, touch.line) & touch.sectors);
    if (l1 && access == PS_ACCESS_ATOMIC)
        ps_cache_drop(l1, touch);
    return touch.sectors;
}

/* Counts what is new to a loop that is not the first one to load it; L1 may hold it. */
static void note_again(PsGroups *groups, const PsRequest *request, const GArray *touches)
{
    if (request->private || request->access == PS_ACCESS_STORE)
        return;
    if (groups->first_loop == PS_PTX_NOWHERE)
        groups->first_loop = request->loop;
    if (loads_first(groups, request))
        return;
    guint fresh = 0;
    for (guint i = 0; i < touches->len; i++)
        fresh += ps_count_sectors(
            ps_again_fresh(groups->again, request->loop, g_array_index(touches, PsTouch, i)));
    sums_of(groups->now, request->number)->first += fresh;
}

void ps_groups_access(PsGroups *groups, const PsRequest *request, const GArray *touches,
                      PsPassed *passed)
{
    note_again(groups, request, touches);
    for (guint i = 0; i < touches->len; i++) {
        PsTouch touch = g_array_index(touches, PsTouch, i);
        touch.sectors = ps_pass_l1(&groups->rules, groups->l1, request, touch, passed);
        if (touch.sectors != 0 && !request->private)
            reach_l2(groups, request, touch);
    }
}

/* ---- the end of a group -------------------------------------------------------------------- */

/* Counts the sectors of which the group neither read nor wrote all words. */
static void count_torn(PsLineGroup *group)
{
    for (guint i = 0; i < group->what->len; i++) {
        const PsLineUse *line = &g_array_index(group->what, PsLineUse, i);
        for (guint k = 0; k < PS_LINE_SECTORS; k++) {
            const guint words = line->words >> k * PS_SECTOR_WORDS & PS_ALL_WORDS;
            if (line->written & ~(guint)line->read & 1U << k && words != PS_ALL_WORDS)
                sums_of(group, line->writers[k])->torn++;
        }
    }
}

static void add_up(PsSums *sum, const PsSums *one)
{
    sum->read += one->read;
    sum->missed += one->missed;
    sum->written += one->written;
    sum->lines += one->lines;
    sum->only += one->only;
    sum->torn += one->torn;
    sum->again += one->again;
    sum->first += one->first;
}

static void keep(PsGroups *groups, PsLineGroup *group)
{
    groups->kept_lines += group->lines.n;
    g_queue_push_head(&groups->kept, group);
    if (!group->strewn)
        g_hash_table_replace(groups->by_key, &group->key, group);
    while (groups->kept_lines > MOST_LINES && groups->kept.length > 1) {
        PsLineGroup *oldest = g_queue_pop_tail(&groups->kept);
        groups->kept_lines -= oldest->lines.n;
        if (g_hash_table_lookup(groups->by_key, &oldest->key) == oldest)
            g_hash_table_remove(groups->by_key, &oldest->key);
        group_free(oldest);
    }
}

void ps_groups_end(PsGroups *groups)
{
    PsLineGroup *now = g_steal_pointer(&groups->now);
    if (!now)
        return;
    count_torn(now);
    for (guint i = 0; i < now->sums->len; i++)
        add_up(&ps_footprint_of(groups, i)->sums, &g_array_index(now->sums, PsSums, i));
    groups->n_ended++;
    keep(groups, now);
    end_caches(groups);
}
