/* SPDX-License-Identifier: BSD-3-Clause */
/* See pick.h. */
#include "serve/pick.h"

/* The number of a fact between `at` and `end`; `end`: it is not there. */
static guint find(const PsTold *from, guint at, guint end, guint16 fact)
{
    while (at < end && ps_told_at(from, at)->fact != fact)
        at++;
    return at;
}

/* The same among siblings alone: members of groups are left out. */
static guint find_beside(const PsTold *from, guint at, guint end, guint16 fact)
{
    while (at < end && ps_told_at(from, at)->fact != fact)
        at = ps_told_at(from, at)->end;
    return at;
}

void ps_pick(PsTold *facts, const PsTold *from, PsPicks picks)
{
    const guint length = ps_told_length(from);
    for (guint i = 0; i < picks.n; i++) {
        const guint at = find(from, 0, length, picks.facts[i]);
        if (at < length)
            ps_tell_again(facts, from, at);
    }
}

gboolean ps_pick_has(const PsTold *from, guint16 fact)
{
    const guint length = ps_told_length(from);
    return find(from, 0, length, fact) < length;
}

static void pick_item(PsTold *facts, const PsTold *from, guint item, PsPicks picks)
{
    const guint end = ps_told_at(from, item)->end;
    ps_tell_item(facts);
    for (guint i = 0; i < picks.n; i++) {
        const guint at = find_beside(from, item + 1, end, picks.facts[i]);
        if (at < end)
            ps_tell_again(facts, from, at);
    }
    ps_tell_close(facts);
}

void ps_pick_items(PsTold *facts, PsGroupFact as, const PsTold *from, PsGroupFact list, guint most,
                   PsPicks picks)
{
    const guint length = ps_told_length(from), at = find(from, 0, length, list.n);
    if (at == length || !ps_told_at(from, at)->known)
        return;
    const guint end = ps_told_at(from, at)->end;
    ps_tell_open(facts, as);
    for (guint item = at + 1; item < end && most > 0; item = ps_told_at(from, item)->end, most--)
        pick_item(facts, from, item, picks);
    ps_tell_close(facts);
}

guint ps_pick_count(const PsTold *from, PsGroupFact list)
{
    const guint length = ps_told_length(from), at = find(from, 0, length, list.n);
    guint n = 0;
    if (at == length || !ps_told_at(from, at)->known)
        return 0;
    for (guint item = at + 1; item < ps_told_at(from, at)->end; n++)
        item = ps_told_at(from, item)->end;
    return n;
}
