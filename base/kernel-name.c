/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Short names of kernels, and the kernel that a name means. Profilers give demangled signatures,
 * "void a::f<32>(float const*, int)", each in a spelling of its own. Parameters and namespaces take
 * more room in them than what distinguishes the kernels.
 */
#include "base/kernel-name.h"

#include <string.h>

/* Nsight's spellings of a namespace without a name (at the begin of a line of Nsight Compute the
 * first bracket is missing), and the one that all become. */
#define UNNAMED "<unnamed>"
#define CUT_UNNAMED "unnamed>::"
#define NAMELESS "{}"

/* Where the list of parameters begins; NULL if the name has none. A suffix behind the list, such as
 * " const" or " [clone .kd]", begins with a blank. */
static const char *parameters_of(const char *name)
{
    const char *end = strrchr(name, ')');
    if (!end || (end[1] && end[1] != ' '))
        return NULL;
    guint depth = 0;
    for (const char *c = end; c > name; c--) {
        if (*c == ')')
            depth++;
        if (*c == '(' && --depth == 0)
            return c[-1] == ' ' || g_str_has_suffix(name, "operator()") ? NULL : c;
    }
    return NULL;
}

/* The text behind the last "::" that is outside of all brackets. */
static const char *behind_scopes(const char *name)
{
    const char *last = name;
    guint depth = 0;
    for (const char *c = name; *c; c++) {
        if (strchr("<({", *c))
            depth++;
        else if (strchr(">)}", *c) && depth > 0)
            depth--;
        else if (depth == 0 && g_str_has_prefix(c, "::") && c[2])
            last = c + 2;
    }
    return g_str_has_prefix(last, "operator") ? name : last;
}

/* Where the name begins behind its return type, "void " or "std::enable_if<...>::type ": at the
 * last blank outside of all brackets that has a type before it and a name behind it. */
static const char *behind_result(const char *name)
{
    const char *start = name;
    guint depth = 0;
    for (const char *c = name; *c && !g_str_has_prefix(c, "operator"); c++) {
        if (strchr("<({[", *c))
            depth++;
        else if (strchr(">)}]", *c) && depth > 0)
            depth--;
        else if (depth == 0 && *c == ' ' && c > name && !strchr(" :<,", c[-1]) &&
                 (g_ascii_isalpha(c[1]) || strchr("_({", c[1]) || g_str_has_prefix(c + 1, UNNAMED)))
            start = c + 1;
    }
    return start;
}

char *ps_kernel_short_name(const char *name, gboolean with_scopes)
{
    const char *parameters = parameters_of(name);
    if (!parameters)
        return g_strdup(name);
    g_autofree char *bare = g_strndup(name, (gsize)(parameters - name));
    const char *start = behind_result(bare);
    return g_strdup(with_scopes ? start : behind_scopes(start));
}

/* ---- what is no difference ----------------------------------------------------------------- */

static gboolean is_letter(char c)
{
    return g_ascii_isalnum(c) || c == '_' || c == '$';
}

/* TRUE for words that may be left out: const, which may stand before or after a type, and the int
 * in unsigned int. */
static gboolean says_nothing(const char *word, const GString *before)
{
    static const char *const nothing[] = {"const", "__restrict__", "__restrict", "restrict"};
    static const char *const longer[] = {"unsigned", "long", "short"};
    for (guint i = 0; i < G_N_ELEMENTS(nothing); i++)
        if (strcmp(word, nothing[i]) == 0)
            return TRUE;
    for (guint i = 0; i < G_N_ELEMENTS(longer); i++)
        if (strcmp(word, "int") == 0 && g_str_has_suffix(before->str, longer[i]))
            return TRUE;
    return FALSE;
}

static void add_word(GString *text, char *word)
{
    if (g_ascii_isdigit(*word))
        word[strspn(word, "0123456789")] = '\0'; /* 32u is 32 */
    if (says_nothing(word, text))
        return;
    if (text->len && is_letter(text->str[text->len - 1]))
        g_string_append_c(text, ' ');
    g_string_append(text, strcmp(word, "true") == 0    ? "1"
                          : strcmp(word, "false") == 0 ? "0"
                                                       : word);
}

/* The text behind the bracket that closes the one at `at`; NULL: none closes it. */
static const char *behind_bracket(const char *at)
{
    guint depth = 0;
    for (; *at; at++) {
        depth += strchr("<({[", *at) != NULL;
        if (strchr(">)}]", *at) && depth > 0 && --depth == 0)
            return at + 1;
    }
    return NULL;
}

/* The text behind the "(int)" of "<float, (int)8>", profilers' spelling of a number as an argument;
 * `at` itself where there is no such cast. */
static const char *behind_cast(const char *at, const GString *before)
{
    const gboolean is_first = g_str_has_suffix(before->str, "<"),
                   follows = g_str_has_suffix(before->str, ",");
    const char *end = *at == '(' && (is_first || follows) ? behind_bracket(at) : NULL;
    return end && g_ascii_isdigit(*end == '-' ? end[1] : *end) ? end : at;
}

/* The text without everything that makes no difference (g_free). */
static char *squeeze(const char *from)
{
    GString *text = g_string_new(NULL);
    for (const char *c = from; *c;) {
        const char *end = c;
        while (is_letter(*end))
            end++;
        if (end > c) {
            g_autofree char *word = g_strndup(c, (gsize)(end - c));
            add_word(text, word);
            c = end;
        } else if (behind_cast(c, text) > c) {
            c = behind_cast(c, text);
        } else {
            if (!g_ascii_isspace(*c))
                g_string_append_c(text, *c);
            c++;
        }
    }
    return g_string_free(text, FALSE);
}

/* ---- a signature and its parts ------------------------------------------------------------- */

/* A squeezed name: "a::f<float,32>", and its list, "(T1*)", or "" without a list. */
typedef struct {
    char *name, *parameters;
} Signature;

static void signature_clear(Signature *signature)
{
    g_free(signature->name);
    g_free(signature->parameters);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Signature, signature_clear)

static void replace(char **text, const char *what, const char *by)
{
    g_auto(GStrv) parts = g_strsplit(*text, what, -1);
    g_free(*text);
    *text = g_strjoinv(by, parts);
}

/* Removes the suffixes of a signature: " [clone .kd]", " (.kd)", ".kd", " const". */
static void strip_end(char *text)
{
    static const char *const ends[] = {"(.kd)", ".kd", " const"};
    char *clone = strstr(text, " [clone ");
    if (clone)
        *clone = '\0';
    for (guint i = 0; i < G_N_ELEMENTS(ends); i++) {
        g_strchomp(text);
        if (g_str_has_suffix(text, ends[i]))
            text[strlen(text) - strlen(ends[i])] = '\0';
    }
    g_strstrip(text);
}

/* Where the list of parameters begins, which may be cut off; the text's end if there is none. A
 * list with "::" behind it is that of a function in which the kernel stands. */
static const char *list_in(const char *text)
{
    const char *c = text;
    while (*c) {
        if (g_str_has_prefix(c, "operator()"))
            c += strlen("operator()");
        if (!*c || !strchr("<({[", *c)) {
            c += *c != '\0';
            continue;
        }
        const char *end = behind_bracket(c);
        if (*c == '(' && c > text && (!end || !g_str_has_prefix(end, "::")))
            return c;
        c = end ? end : c + strlen(c);
    }
    return c;
}

/* The template arguments at the name's end, "<float,32>", each by itself (g_strfreev); NULL: none.
 */
static char **arguments_of(const char *name)
{
    g_autoptr(GPtrArray) arguments = g_ptr_array_new();
    const char *begin = name + strlen(name), *from;
    guint depth = 0;
    if (!g_str_has_suffix(name, ">"))
        return NULL;
    do {
        begin--;
        depth += *begin == '>';
        depth -= *begin == '<';
    } while (depth > 0 && begin > name);
    from = begin + 1;
    for (const char *c = from; *c; c++) {
        const gboolean ends = depth == 0 && (*c == ',' || !c[1]);
        depth += strchr("<({[", *c) != NULL;
        depth -= strchr(">)}]", *c) != NULL && depth > 0;
        if (!ends)
            continue;
        g_ptr_array_add(arguments, g_strndup(from, (gsize)(c - from)));
        from = c + 1;
    }
    g_ptr_array_add(arguments, NULL);
    return (char **)g_ptr_array_free(g_steal_pointer(&arguments), FALSE);
}

/* TRUE at a "T2", profilers' name of the second template argument. */
static gboolean is_numbered(const char *text, const char *at)
{
    return *at == 'T' && g_ascii_isdigit(at[1]) && (at == text || !is_letter(at[-1])) &&
           !is_letter(at[1 + strspn(at + 1, "0123456789")]);
}

static gboolean has_numbered(const char *text)
{
    for (const char *c = text; *c; c++)
        if (is_numbered(text, c))
            return TRUE;
    return FALSE;
}

/* Replaces numbers of template arguments by the arguments, as far as there are any. "T2..." means
 * any number of them, and stays. */
static void resolve_numbered(Signature *signature)
{
    g_auto(GStrv) arguments = arguments_of(signature->name);
    const guint n = arguments ? g_strv_length(arguments) : 0;
    GString *text = g_string_new(NULL);
    for (const char *c = signature->parameters; *c; c++) {
        char *end = NULL;
        const guint64 number =
            is_numbered(signature->parameters, c) ? g_ascii_strtoull(c + 1, &end, 10) : 0;
        if (number > 0 && number <= n && !g_str_has_prefix(end, "...")) {
            g_string_append(text, arguments[number - 1]);
            c = end - 1;
        } else {
            g_string_append_c(text, *c);
        }
    }
    g_free(signature->parameters);
    signature->parameters = g_string_free(text, FALSE);
}

/* Lambdas are "[lambda(int) (instance 1)]" in profilers' names and "{lambda(int)#1}" in C++'s. */
static void rename_lambdas(char **text)
{
    replace(text, "[lambda(", "{lambda(");
    replace(text, ") (instance ", ")#");
    for (char *c = strstr(*text, ")#"); c; c = strstr(c + 1, ")#")) {
        char *end = c + 2 + strspn(c + 2, "0123456789");
        if (end[0] == ')' && end[1] == ']')
            memmove(end, end + 1, strlen(end)), *end = '}';
    }
}

static Signature signature_of(const char *written)
{
    g_autofree char *text = g_strdup(written);
    strip_end(text);
    char *plain = ps_kernel_demangle(text);
    if (plain) {
        g_free(text);
        text = plain;
    }
    replace(&text, "(anonymous namespace)", NAMELESS);
    replace(&text, "(anonymous_namespace)", NAMELESS);
    if (g_str_has_prefix(text, CUT_UNNAMED)) {
        char *whole = g_strconcat("<", text, NULL);
        g_free(text);
        text = whole;
    }
    replace(&text, UNNAMED, NAMELESS);
    rename_lambdas(&text);
    const char *list = list_in(text);
    g_autofree char *name = g_strndup(text, (gsize)(list - text));
    g_strstrip(name);
    Signature signature = {squeeze(behind_result(name)), squeeze(list)};
    resolve_numbered(&signature);
    return signature;
}

/* ---- fitting ------------------------------------------------------------------------------- */

/* TRUE if the text is the whole name, or what follows one of its scopes. */
static gboolean is_name(const char *name, const char *written)
{
    const gsize length = strlen(name), own = strlen(written);
    if (own > length || strcmp(name + length - own, written) != 0)
        return FALSE;
    const char *before = name + length - own;
    return before == name || (before - name >= 2 && before[-1] == ':' && before[-2] == ':');
}

/* Removes "<...>" at the end of the name. */
static void drop_template(char *name)
{
    guint depth = 0;
    char *c = name + strlen(name);
    if (!g_str_has_suffix(name, ">"))
        return;
    do {
        c--;
        depth += *c == '>';
        depth -= *c == '<';
    } while (depth > 0 && c > name);
    *c = '\0';
}

/* TRUE if the kernel's name has the written template arguments and more: f<float> may mean f<float,
 * 128>. */
static gboolean has_more_arguments(const char *name, const char *asked)
{
    g_autofree char *open = g_strdup(asked);
    char *end = open + strlen(open) - 1;
    if (*end != '>')
        return FALSE;
    *end = ',';
    return strstr(name, open) != NULL;
}

/* Parameters that are not written match any; so do those with a template argument that is not
 * known. */
static gboolean have_same_parameters(const Signature *is, const Signature *asked)
{
    return !*asked->parameters || strcmp(is->parameters, asked->parameters) == 0 ||
           has_numbered(asked->parameters) || has_numbered(is->parameters);
}

PsKernelFit ps_kernel_fit(const char *name, const char *written)
{
    if (strcmp(name, written) == 0)
        return PS_KERNEL_FIT_EXACT;
    g_auto(Signature) is = signature_of(name), asked = signature_of(written);
    if (!strstr(asked.name, NAMELESS))
        replace(&is.name, NAMELESS "::", "");
    g_autofree char *without = g_strdup(is.name);
    drop_template(without);
    if (!*asked.name)
        return PS_KERNEL_FIT_NONE;
    if ((is_name(is.name, asked.name) || is_name(without, asked.name)) &&
        have_same_parameters(&is, &asked))
        return PS_KERNEL_FIT_NAME;
    g_autofree char *all = g_strconcat(is.name, is.parameters, NULL),
                    *part = g_strconcat(asked.name, asked.parameters, NULL);
    return strstr(*asked.parameters ? all : is.name, part) || has_more_arguments(is.name, part)
               ? PS_KERNEL_FIT_PART
               : PS_KERNEL_FIT_NONE;
}

char *ps_kernel_plain(const char *name)
{
    g_auto(Signature) signature = signature_of(name);
    return g_strconcat(signature.name, signature.parameters, NULL);
}
