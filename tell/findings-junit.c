/* SPDX-License-Identifier: BSD-3-Clause */
/* Findings as a test report in JUnit's XML: each kernel is a test case. */
#include "tell/findings-formats.h"

#include "tell/html.h"

/* The text of an item's fact with that number; "": there is none. */
static const char *text_within(const PsTold *facts, guint at, guint end, PsTextFact text)
{
    for (guint i = at; i < end; i++) {
        const PsFact *fact = ps_told_at(facts, i);
        if (fact->fact == text.n && fact->known)
            return fact->value.text;
    }
    return "";
}

/* The end of the innermost item that contains fact i. */
static guint item_end(const PsTold *facts, guint i)
{
    for (guint k = i; k-- > 0;) {
        const PsFact *fact = ps_told_at(facts, k);
        if (!fact->key && fact->end > i)
            return fact->end;
    }
    return ps_told_length(facts);
}

static void put_attribute(GString *out, const char *name, const char *text)
{
    g_string_append_printf(out, " %s=\"", name);
    ps_html_text(out, text);
    g_string_append_c(out, '"');
}

static gboolean is_of(const PsFinding *finding, const char *name, const char *on)
{
    return finding->fails && g_strcmp0(finding->kernel, name) == 0 &&
           g_strcmp0(finding->on, on) == 0;
}

static void put_failures(GString *out, const GArray *all, const char *name, const char *on)
{
    for (guint i = 0; i < all->len; i++) {
        const PsFinding *finding = &g_array_index(all, PsFinding, i);
        g_autofree char *words = ps_finding_words(finding);
        if (!is_of(finding, name, on))
            continue;
        g_string_append(out, "      <failure");
        put_attribute(out, "type", finding->figure);
        put_attribute(out, "message", finding->sentence);
        g_string_append_c(out, '>');
        if (finding->line) {
            ps_html_text(out, finding->file);
            g_string_append_printf(out, ":%" G_GINT64_FORMAT ": ", finding->line);
        }
        ps_html_text(out, words);
        g_string_append(out, "</failure>\n");
    }
}

static gboolean fails(const GArray *all, const char *name, const char *on)
{
    for (guint i = 0; i < all->len; i++)
        if (is_of(&g_array_index(all, PsFinding, i), name, on))
            return TRUE;
    return FALSE;
}

void ps_findings_junit(GString *out, const PsTold *facts, const char *suite, PsTextFact name,
                       PsTextFact on)
{
    g_autoptr(GArray) all = ps_findings(facts);
    g_autoptr(GString) cases = g_string_new(NULL);
    guint tests = 0, failures = 0;
    for (guint i = 0; i < ps_told_length(facts); i++) {
        const PsFact *fact = ps_told_at(facts, i);
        if (fact->fact != name.n || !fact->known)
            continue;
        const char *where = text_within(facts, i, item_end(facts, i), on);
        tests++;
        failures += fails(all, fact->value.text, where);
        g_string_append(cases, "    <testcase");
        put_attribute(cases, "classname", where);
        put_attribute(cases, "name", fact->value.text);
        g_string_append(cases, ">\n");
        put_failures(cases, all, fact->value.text, where);
        g_string_append(cases, "    </testcase>\n");
    }
    g_string_append(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite");
    put_attribute(out, "name", suite);
    g_string_append_printf(out, " tests=\"%u\" failures=\"%u\">\n%s  </testsuite>\n</testsuites>\n",
                           tests, failures, cases->str);
}
