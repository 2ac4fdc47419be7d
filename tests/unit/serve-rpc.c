/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of JSON-RPC: what each is, that any bytes at all are one, and which paths may be read.
 */
#include "serve/rpc.h"

#include "serve/below.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static void test_kinds(void)
{
    static const struct {
        const char *text;
        PsRpcKind kind;
        const char *id, *method;
        int code;
    } list[] = {
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}", PS_RPC_REQUEST, "1", "ping", 0},
        {"{\"jsonrpc\":\"2.0\",\"id\":\"a\\u0041\",\"method\":\"m\",\"params\":{\"x\":[1]}}",
         PS_RPC_REQUEST, "\"a\\u0041\"", "m", 0},
        {"{\"jsonrpc\":\"2.0\",\"method\":\"n\"}", PS_RPC_NOTIFICATION, NULL, "n", 0},
        {"{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}", PS_RPC_RESPONSE, "3", NULL, 0},
        {"{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"m\"}", PS_RPC_WRONG, "1", NULL,
         PS_RPC_NO_REQUEST},
        {"{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"m\"}", PS_RPC_WRONG, NULL, NULL,
         PS_RPC_NO_REQUEST},
        {"{\"jsonrpc\":\"2.0\",\"id\":4,\"error\":{}}", PS_RPC_RESPONSE, "4", NULL, 0},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":[1]}", PS_RPC_WRONG, NULL, NULL,
         PS_RPC_NO_PARAMS},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,", PS_RPC_WRONG, NULL, NULL, PS_RPC_NO_JSON},
        {"17", PS_RPC_WRONG, NULL, NULL, PS_RPC_NO_REQUEST},
        {"", PS_RPC_WRONG, NULL, NULL, PS_RPC_NO_JSON},
    };
    for (guint i = 0; i < G_N_ELEMENTS(list); i++) {
        g_autoptr(PsRpcMessage) message = ps_rpc_read(list[i].text, strlen(list[i].text));
        g_test_message("%s", list[i].text);
        g_assert_cmpint(message->kind, ==, list[i].kind);
        if (list[i].kind != PS_RPC_WRONG) {
            g_assert_cmpstr(message->id, ==, list[i].id);
            g_assert_cmpstr(message->method, ==, list[i].method);
        } else {
            g_assert_cmpint(message->code, ==, list[i].code);
            g_assert_nonnull(message->wrong);
        }
    }
}

/* An id has at most 256 bytes. */
static void test_long_ids(void)
{
    for (guint n = 256; n <= 257; n++) {
        g_autofree char *digits = g_strnfill(n, '7');
        g_autofree char *text =
            g_strconcat("{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"id\":", digits, "}", NULL);
        g_autoptr(PsRpcMessage) message = ps_rpc_read(text, strlen(text));
        g_assert_cmpint(message->kind, ==, n == 256 ? PS_RPC_REQUEST : PS_RPC_WRONG);
        g_assert_cmpstr(message->id, ==, n == 256 ? digits : NULL);
    }
}

/* Bytes of a good message, some of them changed. What is read never fails, and what is answered is
 * one line, whose text comes back. */
static void test_any_bytes(void)
{
    static const char good[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{}}";
    enum { TIMES = 20000 };
    for (guint i = 0; i < TIMES; i++) {
        char text[sizeof good];
        memcpy(text, good, sizeof good);
        for (gint n = g_test_rand_int_range(0, 8); n > 0; n--)
            text[g_test_rand_int_range(0, sizeof good - 1)] = (char)g_test_rand_int_range(0, 256);
        g_autoptr(PsRpcMessage) message = ps_rpc_read(text, sizeof good - 1);
        g_assert_true(message->kind != PS_RPC_WRONG || message->wrong);
        g_autofree char *line =
            message->wrong ? ps_rpc_error(message->id, message->code, message->wrong) : NULL;
        g_assert_true(!line || (!strchr(line, '\n') && g_utf8_validate(line, -1, NULL)));
    }
}

static void test_text(void)
{
    static const char *const texts[] = {"", "a\"b\\c", "\n\t\x01", "\xc3\xa9", NULL};
    for (guint i = 0; texts[i]; i++) {
        g_autofree char *quoted = ps_rpc_quote(texts[i]), *back = ps_rpc_string(quoted);
        g_assert_cmpstr(back, ==, texts[i]);
    }
    g_autofree char *broken = ps_rpc_quote("a\xff"), *number = ps_rpc_string("7");
    g_assert_true(g_utf8_validate(broken, -1, NULL));
    g_assert_null(number);
}

static void test_batch(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) batch = ps_rpc_batch("[{\"a\": [1, 2]}, 3]", 18, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(batch->len, ==, 2);
    g_assert_cmpstr(batch->pdata[1], ==, "3");
    g_assert_null(ps_rpc_batch("[]", 2, &error));
    g_assert_nonnull(error);
    g_clear_error(&error);
    g_assert_null(ps_rpc_batch("{}", 2, &error));
    g_assert_nonnull(error);
}

/* Paths below the current folder, given in any way, and all others. */
static void test_below(void)
{
    g_autofree char *before = g_get_current_dir(),
                    *outer = g_dir_make_tmp("pipesim-below-XXXXXX", NULL),
                    *folder = g_build_filename(outer, "in", NULL),
                    *outside = g_build_filename(outer, "secret", NULL),
                    *inside = g_build_filename(folder, "a.ptx", NULL);
    static const char *const refused[] = {"../secret",   "link", "none", ".",
                                          "/etc/passwd", "",     NULL};
    g_assert_cmpint(g_mkdir(folder, 0700), ==, 0);
    g_assert_true(g_file_set_contents(outside, "x", 1, NULL));
    g_assert_true(g_file_set_contents(inside, "x", 1, NULL));
    g_assert_cmpint(g_chdir(folder), ==, 0);
    g_assert_cmpint(symlink("../secret", "link"), ==, 0);
    g_autofree char *plain = ps_below("path", "a.ptx", PS_BELOW_FILE, NULL),
                    *dotted = ps_below("path", "././/a.ptx", PS_BELOW_FILE, NULL),
                    *whole = ps_below("path", inside, PS_BELOW_FILE, NULL);
    g_assert_cmpstr(plain, ==, whole);
    g_assert_cmpstr(plain, ==, dotted);
    g_assert_true(plain && plain[0] != '-');
    for (guint i = 0; refused[i]; i++) {
        g_autoptr(GError) error = NULL;
        g_test_message("'%s'", refused[i]);
        g_assert_null(ps_below("path", refused[i], PS_BELOW_FILE, &error));
        g_assert_error(error, PS_ERROR, PS_ERROR_READ);
        g_assert_true(g_str_has_prefix(error->message, "path"));
    }
    g_unlink("link");
    g_unlink(inside);
    g_unlink(outside);
    g_assert_cmpint(g_chdir(before), ==, 0);
    g_rmdir(folder);
    g_rmdir(outer);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/serve-rpc/kinds", test_kinds);
    g_test_add_func("/serve-rpc/long-ids", test_long_ids);
    g_test_add_func("/serve-rpc/any-bytes", test_any_bytes);
    g_test_add_func("/serve-rpc/text", test_text);
    g_test_add_func("/serve-rpc/batch", test_batch);
    g_test_add_func("/serve-rpc/below", test_below);
    return g_test_run();
}
