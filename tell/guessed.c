/* SPDX-License-Identifier: BSD-3-Clause */
/* See guessed.h. */
#include "tell/guessed.h"

#include <string.h>

/* TRUE if two guesses differ in name alone. */
static gboolean is_alike(const PsIdgGuess *one, const PsIdgGuess *other)
{
    return one->sure == other->sure && strcmp(one->value, other->value) == 0 &&
           strcmp(one->text, other->text) == 0;
}

/* Appends "a, b = zeros (weak: ...; what replaces a, b likewise)" for the guesses that equal the
 * first, and returns their number. */
static guint append_alike(GString *text, const GPtrArray *guesses, guint first)
{
    static const char *const words[PS_IDG_N_SURE] = {"any value would do", "likely", "weak"};
    const PsIdgGuess *guess = guesses->pdata[first];
    g_autoptr(GString) others = g_string_new(NULL);
    guint n = 1;
    for (; first + n < guesses->len && is_alike(guess, guesses->pdata[first + n]); n++)
        g_string_append_printf(others, ", %s",
                               ((const PsIdgGuess *)guesses->pdata[first + n])->name);
    g_string_append_printf(text, "%s%s%s = %s (%s: %s; %s%s%s)", first ? "; " : "", guess->name,
                           others->str, guess->value, words[guess->sure], guess->text,
                           guess->option, others->str, n > 1 ? " likewise" : "");
    return n;
}

char *ps_sentence_guessed(const PsAnswer *answer)
{
    const GPtrArray *guesses = answer->idg->guesses;
    GString *text = guesses->len ? g_string_new(NULL) : NULL;
    for (guint i = 0; i < guesses->len;)
        i += append_alike(text, guesses, i);
    return text ? g_string_free(text, FALSE) : NULL;
}
