/* SPDX-License-Identifier: BSD-3-Clause */
/* See source-loop.h. */
#include "answer/source-loop.h"

#include <string.h>

/* ---- what holds no loop -------------------------------------------------------------------- */

static void blank(char *from, const char *to)
{
    for (; from < to; from++)
        if (*from != '\n')
            *from = ' ';
}

/* The place behind the string or character literal at `at`, or its line's end. */
static char *quoted_end(char *at)
{
    const char quote = *at;
    for (at++; *at && *at != quote && *at != '\n'; at++)
        if (*at == '\\' && at[1])
            at++;
    return *at == quote ? at + 1 : at;
}

/* The end of a line, with the lines that a backslash joins to it. */
static char *line_end(char *at)
{
    for (; *at && *at != '\n'; at++)
        if (*at == '\\' && at[1])
            at++;
    return at;
}

/* The place behind R"x(...)x"; `at` is its first quote. */
static char *raw_end(char *at)
{
    char *open = strchr(at, '(');
    g_autofree char *name = open ? g_strndup(at + 1, (gsize)(open - at - 1)) : NULL;
    g_autofree char *close = name ? g_strdup_printf(")%s\"", name) : NULL;
    char *end = close ? strstr(open, close) : NULL;
    return end ? end + strlen(close) : at + strlen(at);
}

static gboolean is_first_of_line(const char *text, const char *at)
{
    while (at > text && (at[-1] == ' ' || at[-1] == '\t'))
        at--;
    return at == text || at[-1] == '\n';
}

/* The end of a comment, a string or the like that begins here, in which no loop can stand; NULL:
 * none begins. */
static char *idle_end(const char *text, char *at)
{
    if (at[0] == '/' && at[1] == '/')
        return line_end(at);
    if (at[0] == '/' && at[1] == '*') {
        char *end = strstr(at + 2, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    if (*at == '#' && is_first_of_line(text, at))
        return line_end(at);
    if (*at == '"' && at > text && at[-1] == 'R')
        return raw_end(at);
    /* 1'000 is a number, not a character */
    if (*at == '"' || (*at == '\'' && !(at > text && g_ascii_isdigit(at[-1]))))
        return quoted_end(at);
    return NULL;
}

/* A copy of the same length and lines, with blanks where no loop can stand (g_free). */
static char *blanked(const char *text)
{
    char *copy = g_strdup(text);
    for (char *at = copy; *at;) {
        char *end = idle_end(copy, at);
        if (end)
            blank(at, end);
        at = end ? end : at + 1;
    }
    return copy;
}

/* ---- loops --------------------------------------------------------------------------------- */

/* A `do` whose `while` has not come yet. */
typedef struct {
    const char *at;
    guint line;
    int depth; /* number of braces around it */
} Open;

typedef struct {
    const char *code;  /* text with blanks for comments and strings */
    guint line;        /* line of the wanted loop's head */
    const char *found; /* begin of the latest such loop; NULL: none so far */
    GArray *open;      /* Open */
    int depth;
} Search;

static gboolean is_letter(char c)
{
    return g_ascii_isalnum(c) || c == '_';
}

/* The place behind the parenthesis that closes the first one, before which only blanks stand; NULL:
 * there is none. *lines grows by the lines up to there. */
static const char *head_end(const char *at, guint *lines)
{
    int depth = 0;
    for (; *at; at++) {
        *lines += *at == '\n';
        depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
        if (depth == 0 && *at == ')')
            return at + 1;
        if (depth == 0 && !g_ascii_isspace(*at))
            return NULL;
    }
    return NULL;
}

/* Takes off the list the `do` that a `while` here ends; FALSE: the `while` begins a loop of its
 * own. */
static gboolean take_open(Search *search, const char *at, Open *open)
{
    const guint n = search->open->len;
    while (at > search->code && g_ascii_isspace(at[-1]))
        at--;
    if (n == 0 || at == search->code || (at[-1] != '}' && at[-1] != ';'))
        return FALSE;
    *open = g_array_index(search->open, Open, n - 1);
    if (open->depth != search->depth)
        return FALSE;
    g_array_set_size(search->open, n - 1);
    return TRUE;
}

static void look_at_word(Search *search, const char *word, gsize length, guint line)
{
    const gboolean is_while = length == 5 && strncmp(word, "while", 5) == 0;
    Open open = {word, line, search->depth};
    guint last = line;
    if (length == 2 && strncmp(word, "do", 2) == 0)
        g_array_append_val(search->open, open);
    if ((!is_while && !(length == 3 && strncmp(word, "for", 3) == 0)) ||
        !head_end(word + length, &last))
        return;
    const gboolean closes = is_while && take_open(search, word, &open);
    if ((search->line >= line && search->line <= last) || (closes && search->line == open.line))
        search->found = open.at;
}

static void look_for_loop(Search *search)
{
    guint line = 1;
    for (const char *at = search->code; *at;) {
        const char *word = at;
        while (is_letter(*at))
            at++;
        if (at > word) {
            look_at_word(search, word, (gsize)(at - word), line);
            continue;
        }
        search->depth += *at == '{' ? 1 : *at == '}' ? -1 : 0;
        line += *at == '\n';
        at++;
    }
}

/* ---- the pragma ---------------------------------------------------------------------------- */

/* The begin of a _Pragma(...) that ends here; NULL: it is something else. */
static const char *operator_at(const char *code, const char *end)
{
    static const char name[] = "_Pragma";
    const char *open = end > code && end[-1] == ')' ? end - 1 : NULL;
    while (open && open > code && *open != '(')
        open--;
    while (open && open > code && g_ascii_isspace(open[-1]))
        open--;
    return open && open - code >= (gssize)strlen(name) &&
                   strncmp(open - strlen(name), name, strlen(name)) == 0
               ? open - strlen(name)
               : NULL;
}

/* Blanks out lines and operators about unrolling that stand between a statement and the loop behind
 * it. */
static void drop_pragmas(const char *code, char *text, gsize loop)
{
    gsize at = loop;
    for (const char *word; at > 0;) {
        while (at > 0 && g_ascii_isspace(code[at - 1]))
            at--;
        word = operator_at(code, code + at);
        if (!word)
            break;
        g_autofree char *said = g_strndup(text + (word - code), at - (gsize)(word - code));
        if (strstr(said, "unroll"))
            blank(text + (word - code), text + at);
        at = (gsize)(word - code);
    }
    for (char *line = text + at; line < text + loop; line = line_end(line) + 1) {
        g_autofree char *said = g_strndup(line, (gsize)(line_end(line) - line));
        if (*g_strchug(said) == '#' && strstr(said, "pragma") && strstr(said, "unroll"))
            blank(line, line_end(line));
    }
}

char *ps_source_unroll(const char *text, guint line, guint times, GError **error)
{
    g_autofree char *code = blanked(text), *copy = g_strdup(text);
    g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(Open));
    Search search = {.code = code, .line = line, .open = open};
    look_for_loop(&search);
    if (!search.found) {
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE, "no for, while or do begins at line %u", line);
        return NULL;
    }
    const gsize at = (gsize)(search.found - code);
    drop_pragmas(code, copy, at);
    return g_strdup_printf("%.*s_Pragma(\"unroll %u\") %s", (int)at, copy, times, copy + at);
}
