/* SPDX-License-Identifier: BSD-3-Clause */
/* See print.h. C's printf prints each conversion, with an argument from the thread's memory. */
#include "ptx/code/expand.h"
#include "ptx/run/families.h"
#include "ptx/run/print.h"

#include <string.h>

/* Widths and precisions are limited, so that no kernel asks for memory without end. */
#define MOST_WIDTH 65535

typedef struct {
    PsPtxRunner *runner;
    const PsPtxStep *step;
    guint lane;
    guint64 next; /* where the next argument begins, if its size fits */
    gint taken;   /* number of arguments that were read, or should have been */
} Printing;

/* ---- memory --------------------------------------------------------------------------------- */

/* The byte at a generic address, or NULL. *left: the number of bytes from it to the end of its
 * memory. */
static const guint8 *byte_at(const Printing *printing, guint64 address, guint64 *left)
{
    const PsPtxRunner *runner = printing->runner;
    const guint64 own = runner->machine->code->thread_bytes;
    guint64 at;
    const PsPtxSpace space = ps_ptx_window(runner->machine, address, &at);
    if (space == PS_PTX_LOCAL || (space == PS_PTX_PARAM && at >= PS_PTX_OWN_PARAM)) {
        at -= space == PS_PTX_PARAM ? PS_PTX_OWN_PARAM : 0;
        *left = at < own ? own - at : 0;
        return at < own ? runner->local + printing->lane * own + at : NULL;
    }
    const PsPtxBuffer *buffer = ps_ptx_buffer_at(runner->machine, space, at);
    if (!buffer || at - buffer->address >= buffer->size)
        return NULL;
    at -= buffer->address;
    *left = buffer->size - at;
    if (buffer->blocks) {
        ps_ptx_make_block(runner->machine, buffer->blocks, at / PS_PTX_BLOCK, FALSE);
        *left = MIN(*left, PS_PTX_BLOCK - at % PS_PTX_BLOCK);
    }
    return buffer->data + at;
}

/* Reads a string of the kernel's memory (g_string_free); NULL with the warp's error set. */
static GString *read_string(const Printing *printing, guint64 address)
{
    GString *text = g_string_new(NULL);
    for (guint64 left;;) {
        const guint8 *bytes = byte_at(printing, address, &left);
        if (!bytes) {
            ps_ptx_fail(&printing->runner->open, printing->step, printing->lane,
                        "prints a string that does not end before address 0x%" G_GINT64_MODIFIER
                        "x, where no memory is",
                        address);
            g_string_free(text, TRUE);
            return NULL;
        }
        const guint8 *end = memchr(bytes, 0, (gsize)left);
        g_string_append_len(text, (const char *)bytes, end ? (gssize)(end - bytes) : (gssize)left);
        if (end)
            return text;
        address += left;
    }
}

/* Reads the next argument. FALSE: it lies in no memory. */
static gboolean take(Printing *printing, guint size, guint64 *value)
{
    guint64 left = 0;
    const guint64 at = (printing->next + size - 1) / size * size;
    const guint8 *bytes = printing->next ? byte_at(printing, at, &left) : NULL;
    printing->taken++;
    if (!bytes || left < size)
        return FALSE;
    *value = 0;
    memcpy(value, bytes, size);
    printing->next = at + size;
    return TRUE;
}

/* ---- conversions ---------------------------------------------------------------------------- */

typedef struct {
    char flags[8];        /* each flag once */
    int width, precision; /* -1: the conversion has none */
    gboolean wide;        /* the integer has 8 bytes */
    guint shorter;        /* the number of low bytes of an integer of 4 bytes that count; 0: all */
    char letter;
} Conversion;

/* Reads a number, or the argument that * stands for. */
static gboolean read_number(Printing *printing, const char **at, int *number)
{
    guint64 value = 0;
    if (**at == '*') {
        ++*at;
        if (!take(printing, sizeof(gint32), &value))
            return FALSE;
        *number = CLAMP((gint32)value, -MOST_WIDTH, MOST_WIDTH);
        return TRUE;
    }
    for (; g_ascii_isdigit(**at); ++*at)
        value = MIN(value * 10 + (guint64)(**at - '0'), MOST_WIDTH);
    *number = (int)value;
    return TRUE;
}

static void read_length(const char **at, Conversion *conversion)
{
    for (; **at && strchr("hlLqjzt", **at); ++*at) {
        conversion->wide = **at != 'h';
        conversion->shorter = **at != 'h' ? 0 : conversion->shorter ? 1 : 2;
    }
}

/* Reads a conversion. *at is behind the %, and becomes the place behind the conversion. FALSE: a
 * width lies in no memory. */
static gboolean read_conversion(Printing *printing, const char **at, Conversion *conversion)
{
    gboolean good = TRUE;
    *conversion = (Conversion){.precision = -1};
    for (; **at && strchr("-+ #0", **at); ++*at)
        if (!strchr(conversion->flags, **at))
            conversion->flags[strlen(conversion->flags)] = **at;
    good = read_number(printing, at, &conversion->width);
    if (**at == '.') {
        ++*at;
        good = read_number(printing, at, &conversion->precision) && good;
    }
    read_length(at, conversion);
    conversion->letter = **at;
    *at += **at != '\0';
    return good;
}

static guint64 narrow(const Conversion *conversion, guint64 value)
{
    const gboolean is_signed = strchr("di", conversion->letter) != NULL;
    switch (conversion->shorter) {
    case 1:
        return is_signed ? (guint64)(gint8)value : (guint8)value;
    case 2:
        return is_signed ? (guint64)(gint16)value : (guint16)value;
    default:
        return conversion->wide ? value : is_signed ? (guint64)(gint32)value : (guint32)value;
    }
}

/* Prints the text of a value; string: the text for %s. */
static void put(const Conversion *conversion, guint64 value, const char *string, GString *out)
{
    const char letter = conversion->letter;
    const int width = conversion->width, precision = conversion->precision;
    g_autofree char *start = g_strdup_printf("%%%s*.*", conversion->flags);
    g_autofree char *integer = g_strdup_printf("%s%s%c", start, G_GINT64_MODIFIER, letter);
    g_autofree char *other = g_strdup_printf("%s%c", start, letter);
    double real;
    memcpy(&real, &value, sizeof real);
    /* Each format has one value behind its width and precision, with the type that its letter
     * says. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    if (strchr("diouxX", letter))
        g_string_append_printf(out, integer, width, precision, narrow(conversion, value));
    else if (letter == 's')
        g_string_append_printf(out, other, width, precision, string);
    else if (letter == 'p')
        g_string_append_printf(out, other, width, precision, (gpointer)(gsize)value);
    else if (letter == 'c')
        g_string_append_printf(out, other, width, precision, (int)value);
    else
        g_string_append_printf(out, other, width, precision, real);
#pragma GCC diagnostic pop
}

/* Prints a conversion. FALSE: it stays as it is written, or the warp has an error. */
static gboolean convert(Printing *printing, const Conversion *conversion, GString *out)
{
    const char letter = conversion->letter;
    const gboolean integer = letter && strchr("diouxXc", letter);
    guint64 value;
    if (!letter || !strchr("diouxXcspneEfFgGaA", letter) ||
        !take(printing, integer && (letter == 'c' || !conversion->wide) ? 4 : 8, &value))
        return FALSE;
    GString *string = letter == 's' && value ? read_string(printing, value) : NULL;
    if (printing->runner->open.error)
        return FALSE;
    if (letter != 'n') /* devices do not execute %n, which would write */
        put(conversion, value, string ? string->str : "(null)", out);
    if (string)
        g_string_free(string, TRUE);
    return TRUE;
}

gint ps_ptx_print(PsPtxRunner *runner, const PsPtxStep *step, const PsPtxPrint *print)
{
    Printing printing = {runner, step, print->lane, print->arguments, 0};
    GString *out = runner->machine->launch.printed;
    GString *format = print->format ? read_string(&printing, print->format) : NULL;
    if (!format)
        return -1;
    for (const char *at = format->str; *at && !runner->open.error;) {
        const char *begin = at;
        Conversion conversion;
        at += strcspn(at, "%");
        g_string_append_len(out, begin, at - begin);
        if (!*at)
            break;
        begin = at++;
        const gboolean good = read_conversion(&printing, &at, &conversion);
        if (good && conversion.letter == '%')
            g_string_append_c(out, '%');
        else if (!good || !convert(&printing, &conversion, out))
            g_string_append_len(out, begin, at - begin);
    }
    g_string_free(format, TRUE);
    return printing.taken;
}
