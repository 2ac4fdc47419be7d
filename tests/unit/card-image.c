/* SPDX-License-Identifier: BSD-3-Clause */
/* Images that programs register: which code of one a device takes. */
#include "card/image.h"

#include <string.h>

typedef struct {
    guint16 kind, version;
    guint32 head;
    guint64 size;
    guint32 packed, others[2], target, more[2];
    guint64 flags, last, raw;
} Entry;

static void add_entry(GByteArray *fat, guint kind, guint target, const char *content)
{
    const Entry entry = {.kind = (guint16)kind,
                         .version = 0x101,
                         .head = sizeof entry,
                         .size = strlen(content),
                         .target = target};
    g_byte_array_append(fat, (const guint8 *)&entry, sizeof entry);
    g_byte_array_append(fat, (const guint8 *)content, (guint)strlen(content));
}

enum { PTX = 1, CUBIN = 2 };

/* Two cubins, and PTX for two chips. */
static void begin_fat(GByteArray *fat)
{
    const guint32 head[] = {0xba55ed50U, 16U << 16 | 1, 0, 0};
    g_byte_array_append(fat, (const guint8 *)head, sizeof head);
}

static void end_fat(GByteArray *fat)
{
    const guint64 size = fat->len - 16;
    memcpy(fat->data + 8, &size, sizeof size);
}

static GByteArray *fat_binary(void)
{
    GByteArray *fat = g_byte_array_new();
    begin_fat(fat);
    add_entry(fat, CUBIN, 75, "cubin 75");
    add_entry(fat, CUBIN, 80, "cubin 80");
    add_entry(fat, PTX, 70, "ptx 70");
    add_entry(fat, PTX, 80, "ptx 80");
    end_fat(fat);
    return fat;
}

static const char *text_of(GBytes *bytes)
{
    return bytes ? g_bytes_get_data(bytes, NULL) : "";
}

static void test_choice(void)
{
    static const struct {
        guint capability;
        const char *cubin, *ptx;
    } cases[] = {{70, "", "ptx 70"},
                 {75, "cubin 75", "ptx 70"},
                 {80, "cubin 80", "ptx 80"},
                 {86, "cubin 80", "ptx 80"},
                 {90, "", "ptx 80"}};
    g_autoptr(GByteArray) fat = fat_binary();
    const struct {
        guint32 magic, version;
        const void *data, *others;
    } wrapper = {0x466243b1, 1, fat->data, NULL};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        PsCardImage read;
        g_assert_true(ps_card_image_read(i % 2 ? (const void *)&wrapper : fat->data,
                                         cases[i].capability, &read, NULL));
        g_assert_cmpstr(text_of(read.cubin), ==, cases[i].cubin);
        g_assert_cmpstr(text_of(read.ptx), ==, cases[i].ptx);
        ps_card_image_clear(&read);
    }
}

/* What was linked of pieces: these are not linked, and one alone has PTX that is whole. */
static void test_pieces(void)
{
    g_autoptr(GByteArray) linked = g_byte_array_new(), none = g_byte_array_new(),
                          piece = fat_binary();
    begin_fat(linked);
    add_entry(linked, CUBIN, 80, "linked 80");
    end_fat(linked);
    begin_fat(none);
    end_fat(none);
    static const struct {
        guint capability, pieces;
        gboolean linked;
        const char *cubin, *ptx;
    } cases[] = {{80, 0, TRUE, "linked 80", ""}, {80, 1, TRUE, "linked 80", "ptx 80"},
                 {80, 2, TRUE, "linked 80", ""}, {90, 1, TRUE, "", "ptx 80"},
                 {80, 1, FALSE, "", "ptx 80"},   {80, 2, FALSE, NULL, NULL},
                 {90, 2, TRUE, NULL, NULL}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        PsCardImage read;
        g_autoptr(GError) error = NULL;
        const void *pieces[3] = {cases[i].pieces > 0 ? piece->data : NULL,
                                 cases[i].pieces > 1 ? piece->data : NULL, NULL};
        const struct {
            guint32 magic, version;
            const void *data, *const *pieces;
        } wrapper = {0x466243b1, 2, cases[i].linked ? linked->data : none->data, pieces};
        const gboolean good = ps_card_image_read(&wrapper, cases[i].capability, &read, &error);
        g_assert_cmpint(good, ==, cases[i].cubin != NULL);
        if (!good) {
            g_assert_nonnull(strstr(error->message, "in several pieces"));
            continue;
        }
        g_assert_cmpstr(text_of(read.cubin), ==, cases[i].cubin);
        g_assert_cmpstr(text_of(read.ptx), ==, cases[i].ptx);
        ps_card_image_clear(&read);
    }
}

static void test_bad_images(void)
{
    g_autoptr(GByteArray) fat = fat_binary();
    g_autoptr(GError) error = NULL;
    PsCardImage read;
    g_assert_false(ps_card_image_read(fat->data, 61, &read, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
    g_assert_nonnull(strstr(error->message, "machine code for sm_75, machine code for sm_80, PTX"));
    g_clear_error(&error);
    g_assert_false(ps_card_image_read("no code", 80, &read, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_SYNTAX);
    g_clear_error(&error);
    const guint64 too_much = 1 << 20;
    memcpy(fat->data + 16 + 8, &too_much, sizeof too_much);
    g_assert_false(ps_card_image_read(fat->data, 80, &read, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_SYNTAX);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/card-image/choice", test_choice);
    g_test_add_func("/card-image/pieces", test_pieces);
    g_test_add_func("/card-image/bad", test_bad_images);
    return g_test_run();
}
