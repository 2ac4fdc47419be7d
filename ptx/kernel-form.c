/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See kernel-form.h. People write a name as their source has it, f<float, 32, true>, and C++ says
 * "void a::f<float, 32u, true>(float const*)": blanks, the order of const and the suffixes of
 * numbers are no difference, and scopes, template arguments and arguments may be left out.
 */
#include "ptx/kernel-form.h"
#include "base/kernel-name.h"
#include <string.h>

static const char RESULT[] = "void ";

char *kernel_form(const PsPtxFunction *kernel, NameForm form)
{
    g_autofree char *name = form == FORM_MANGLED ? NULL : ps_kernel_demangle(kernel->name);
    if (!name)
        return form == FORM_MANGLED ? g_strdup(kernel->name) : ps_ptx_plain_name(kernel->name);
    if (form != FORM_WHOLE)
        return ps_kernel_short_name(name, form == FORM_SCOPED);
    return g_strdup(g_str_has_prefix(name, RESULT) ? name + strlen(RESULT) : name);
}

/* ---- what is no difference ----------------------------------------------------------------- */

static gboolean is_letter(char c)
{
    return g_ascii_isalnum(c) || c == '_' || c == '$';
}

/* TRUE for words that may be left out: const, which may stand before or after a type, and the int
 * of unsigned int. */
static gboolean says_nothing(const char *word, const GString *before)
{
    static const char *const longer[] = {"unsigned", "long", "short"};
    if (strcmp(word, "const") == 0)
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
    g_string_append(text, word);
}

/* The name without everything that makes no difference (g_free). */
static char *squeeze(const char *name)
{
    GString *text = g_string_new(NULL);
    for (const char *c = name; *c;) {
        const char *end = c;
        while (is_letter(*end))
            end++;
        if (end > c) {
            g_autofree char *word = g_strndup(c, (gsize)(end - c));
            add_word(text, word);
            c = end;
        } else {
            if (!g_ascii_isspace(*c))
                g_string_append_c(text, *c);
            c++;
        }
    }
    return g_string_free(text, FALSE);
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

NameFit kernel_fit(const PsPtxFunction *kernel, const char *shown, const char *written)
{
    if (strcmp(kernel->name, written) == 0 || strcmp(shown, written) == 0)
        return FIT_EXACT;
    if (g_str_has_prefix(written, RESULT))
        written += strlen(RESULT);
    g_autofree char *scoped = kernel_form(kernel, FORM_SCOPED),
                    *whole = kernel_form(kernel, FORM_WHOLE);
    g_autofree char *name = squeeze(scoped), *signature = squeeze(whole), *asked = squeeze(written);
    g_autofree char *without = g_strdup(name);
    drop_template(without);
    const char *arguments = g_str_has_prefix(signature, name) ? signature + strlen(name) : "";
    g_autofree char *plain = g_strconcat(without, arguments, NULL);
    if (!*asked)
        return FIT_NONE;
    if (is_name(signature, asked) || is_name(name, asked) || is_name(without, asked) ||
        is_name(plain, asked))
        return FIT_NAME;
    return strstr(strchr(asked, '(') ? signature : name, asked) || has_more_arguments(name, asked)
               ? FIT_PART
               : FIT_NONE;
}
