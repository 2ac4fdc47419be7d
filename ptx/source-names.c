/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names of parameters from CUDA or OpenCL source. This is no parser of C++: comments and literals
 * are made blank, then __global__, __kernel or a macro of the source that has one of them, the
 * kernel's name and a list in ( ) are looked for, and the last identifier of each parameter is its
 * name. Where something does not fit, there are no
 * names, which is always a correct answer.
 */
#include "ptx/source-names.h"
#include <string.h>

/* TRUE for characters of a name; bytes of UTF-8 beyond ASCII count as letters. */
static gboolean is_word(char c)
{
    return g_ascii_isalnum(c) || c == '_' || (guint8)c >= 0x80;
}

/* The end of the comment or literal that begins at `at`; `at` where none begins. */
static const char *blank_end(const char *at, const char *end)
{
    const char quote = *at;
    if (end - at >= 2 && at[0] == '/' && at[1] == '/') {
        const char *line = memchr(at, '\n', (gsize)(end - at));
        return line ? line : end;
    }
    if (end - at >= 2 && at[0] == '/' && at[1] == '*') {
        const char *close = g_strstr_len(at + 2, end - at - 2, "*/");
        return close ? close + 2 : end;
    }
    if (quote != '"' && quote != '\'')
        return at;
    for (at++; at < end && *at != quote && *at != '\n'; at++)
        if (*at == '\\' && at + 1 < end)
            at++;
    return at < end ? at + 1 : end;
}

char *ps_ptx_plain_source(const char *source, gsize length)
{
    const char *end = source + length;
    char *text = g_malloc0(length + 1);
    char *to = text;
    for (const char *at = source; at < end;) {
        const char *next = blank_end(at, end);
        if (next > at || !*at)
            *to++ = ' ';
        else
            *to++ = *at;
        at = next > at ? next : at + 1;
    }
    return text;
}

/* The place behind the bracket that closes the one at `at`; NULL where it is not closed. */
static const char *behind(const char *at)
{
    guint depth = 0;
    for (; *at; at++) {
        if (strchr("([{", *at))
            depth++;
        else if (strchr(")]}", *at) && --depth == 0)
            return at + 1;
    }
    return NULL;
}

static const char *blanks(const char *at)
{
    return at + strspn(at, " \t\r\n\f\v\\");
}

/* TRUE if the word at `at` is this one. */
static gboolean word_is(const char *at, const char *word)
{
    const gsize length = strlen(word);
    return strncmp(at, word, length) == 0 && !is_word(at[length]);
}

static gboolean is_opener(const char *at)
{
    return word_is(at, "__global__") || word_is(at, "__kernel") || word_is(at, "kernel");
}

static gboolean begins_word(const char *text, const char *at)
{
    return is_word(*at) && (at == text || !is_word(at[-1]));
}

static const char *word_end(const char *at)
{
    while (is_word(*at))
        at++;
    return at;
}

/* Adds the macro that a line "#define WORD ..." defines, if kernels are declared by it. */
static void add_macro(const char *at, GPtrArray *openers)
{
    static const char define[] = "define";
    const char *word = blanks(at + 1);
    if (!word_is(word, define))
        return;
    word = blanks(word + strlen(define));
    for (const char *in = word_end(word); *in && (*in != '\n' || in[-1] == '\\'); in++)
        if (begins_word(word, in) && is_opener(in)) {
            g_ptr_array_add(openers, g_strndup(word, (gsize)(word_end(word) - word)));
            return;
        }
}

/* The macros with which the source declares kernels. */
static GPtrArray *find_macros(const char *text)
{
    GPtrArray *openers = g_ptr_array_new_with_free_func(g_free);
    for (const char *at = text; (at = strchr(at, '#')); at++)
        add_macro(at, openers);
    return openers;
}

static gboolean opens_kernel(const char *at, const GPtrArray *macros)
{
    for (guint i = 0; i < macros->len; i++)
        if (word_is(at, macros->pdata[i]))
            return TRUE;
    return is_opener(at);
}

/* The "(" of a list of parameters at `at`, behind a kernel's name or behind the template arguments
 * of a specialisation, whose parameters may have other names; NULL: there is none. */
static const char *list_at(const char *at)
{
    at = blanks(at);
    if (*at != '<')
        return *at == '(' ? at : NULL;
    for (guint depth = 0; at && *at && !strchr(";{", *at);) {
        depth += *at == '<';
        depth -= *at == '>';
        at = strchr("([", *at) ? behind(at) : at + 1;
        if (depth == 0)
            return at && *blanks(at) == '(' ? blanks(at) : NULL;
    }
    return NULL;
}

/* The "(" of the parameters of a declaration that begins at `at`; NULL if it is not the kernel's.
 * Words, and attributes in brackets, may come before its name. */
static const char *parameters(const char *at, const char *kernel)
{
    while (*(at = blanks(at))) {
        if (*at == '(' || *at == '[') {
            const gboolean named = word_is(blanks(at + 1), kernel); /* the macro names the kernel */
            at = behind(at);
            if (!at)
                return NULL;
            if (named && *blanks(at) == '(')
                return blanks(at);
        } else if (is_word(*at)) {
            const gboolean named = word_is(at, kernel);
            at = word_end(at);
            if (named && list_at(at))
                return list_at(at);
        } else if (strchr("*&:<>,", *at)) {
            at++;
        } else {
            return NULL;
        }
    }
    return NULL;
}

/* TRUE for words that cannot be the name of a parameter. */
static gboolean is_type_word(const char *word)
{
    static const char *const words[] = {
        "int",  "unsigned", "signed", "char",     "short",        "long",     "float",     "double",
        "bool", "half",     "const",  "restrict", "__restrict__", "volatile", "__restrict"};
    for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
        if (word_is(word, words[i]))
            return TRUE;
    return FALSE;
}

/* The name of a parameter: the last identifier before = and [ ]; in (*f)(int) or (&a)[4] the first
 * one in the brackets. NULL: there is only a type. */
static char *parameter_name(const char *from, const char *to)
{
    const char *name = NULL;
    gsize length = 0;
    guint words = 0;
    for (const char *at = from; at < to; at++) {
        if (*at == '=' || *at == '[')
            break;
        if (*at == '(') {
            const char *inner = blanks(at + 1);
            if (*inner == '*' || *inner == '&') {
                name = blanks(inner + 1);
                length =
                    strspn(name, "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
                break;
            }
            at = behind(at); /* an attribute */
            if (!at || at > to)
                return NULL;
            at--;
        } else if (is_word(*at)) {
            name = at;
            while (at < to && is_word(*at))
                at++;
            length = (gsize)(at - name);
            at--;
            words++;
        } else if (strchr("*&>", *at)) {
            words = MAX(words, 1);
            name = NULL;
        }
    }
    if (!name || !length || g_ascii_isdigit(*name) || (words == 1 && name == from) ||
        is_type_word(name))
        return NULL;
    return g_strndup(name, length);
}

/* Adds the names in the list that `open` begins; FALSE if a parameter has none. */
static gboolean read_names(const char *open, GPtrArray *names)
{
    const char *close = behind(open);
    guint brackets = 0, angles = 0;
    if (!close)
        return FALSE;
    close--;
    const char *from = open + 1;
    if (blanks(from) == close ||
        (word_is(blanks(from), "void") && blanks(blanks(from) + 4) == close))
        return TRUE;
    for (const char *at = from; at <= close; at++) {
        if (at < close && strchr("([{", *at))
            brackets++;
        else if (at < close && strchr(")]}", *at))
            brackets--;
        else if (*at == '<')
            angles++;
        else if (*at == '>' && angles > 0)
            angles--;
        if (at < close && (*at != ',' || brackets > 0 || angles > 0))
            continue;
        char *name = parameter_name(blanks(from), at);
        if (!name)
            return FALSE;
        g_ptr_array_add(names, name);
        from = at + 1;
    }
    return TRUE;
}

static gboolean same(const GPtrArray *a, const GPtrArray *b)
{
    for (guint i = 0; i < a->len; i++)
        if (strcmp(a->pdata[i], b->pdata[i]) != 0)
            return FALSE;
    return TRUE;
}

char **ps_ptx_source_names(const char *kernel, guint n, const char *source, gsize length)
{
    g_autofree char *text = ps_ptx_plain_source(source, length);
    g_autoptr(GPtrArray) found = NULL;
    g_autoptr(GPtrArray) macros = find_macros(text);
    for (const char *at = text; *at; at++) {
        if (!begins_word(text, at) || !opens_kernel(at, macros))
            continue;
        const char *open = parameters(word_end(at), kernel);
        g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
        if (!open || !read_names(open, names) || names->len != n)
            continue;
        if (found && !same(found, names))
            return NULL;
        g_clear_pointer(&found, g_ptr_array_unref);
        found = g_steal_pointer(&names);
    }
    if (!found)
        return NULL;
    g_ptr_array_add(found, NULL);
    return (char **)g_ptr_array_free(g_steal_pointer(&found), FALSE);
}
