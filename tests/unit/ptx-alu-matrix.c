/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ldmatrix, stmatrix and movmatrix: matrices of which each row is a lane's 16 bytes.
 */
#include "tests/help/ptx-rows.h"

static guint64 half_at(const guint64 *in, guint n_from, guint matrix, guint row, guint column)
{
    guint64 word = in[(gsize)(matrix * 8 + row) * n_from + column / 2];
    return word >> (column % 2 * 16) & 0xffff;
}

static void check_load(guint n, gboolean transposed)
{
    static const char *const vectors[] = {"", "{z0}", "{z0, z1}", "", "{z0, z1, z2, z3}"};
    static const char *const to[] = {"", "r", "rr", "", "rrrr"};
    g_autofree char *body =
        g_strdup_printf("{.shared .align 16 .b8 memory[1024]; .reg .b32 at, lane;\n"
                        "mov.u32 lane, %%tid.x; mov.u32 at, memory; mad.lo.u32 at, lane, 16, at;\n"
                        "st.shared.v4.b32 [at], {a0, a1, a2, a3}; bar.warp.sync -1;\n"
                        "ldmatrix.sync.aligned.m8n8.x%u%s.shared.b16 %s, [at];}",
                        n, transposed ? ".trans" : "", vectors[n]);
    g_autofree guint64 *in = ptx_rows(32, "rrrr", n);
    guint64 out[32 * 4] = {0};
    if (!ptx_run(body, to[n], "rrrr", 32, in, out))
        return;
    for (guint lane = 0; lane < 32; lane++)
        for (guint matrix = 0; matrix < n; matrix++) {
            guint row = lane / 4, column = lane % 4 * 2;
            guint64 want = transposed ? half_at(in, 4, matrix, column, row) |
                                            half_at(in, 4, matrix, column + 1, row) << 16
                                      : half_at(in, 4, matrix, row, column) |
                                            half_at(in, 4, matrix, row, column + 1) << 16;
            if (!ptx_same(body, 0, NULL, out[lane * n + matrix], want))
                return;
        }
}

/* What was loaded is stored where it came from. */
static void check_store(guint n, gboolean transposed)
{
    static const char *const vectors[] = {"", "{x0}", "{x0, x1}", "", "{x0, x1, x2, x3}"};
    const char *trans = transposed ? ".trans" : "";
    g_autofree char *body = g_strdup_printf(
        "{.shared .align 16 .b8 memory[2048]; .reg .b32 at, lane, x<4>;\n"
        "mov.u32 lane, %%tid.x; mov.u32 at, memory; mad.lo.u32 at, lane, 16, at;\n"
        "st.shared.v4.b32 [at], {a0, a1, a2, a3};\n"
        "st.shared.v4.b32 [at+1024], {0, 0, 0, 0}; bar.warp.sync -1;\n"
        "ldmatrix.sync.aligned.m8n8.x%u%s.shared.b16 %s, [at];\n"
        "stmatrix.sync.aligned.m8n8.x%u%s.shared.b16 [at+1024], %s; bar.warp.sync -1;\n"
        "ld.shared.v4.b32 {z0, z1, z2, z3}, [at+1024];}",
        n, trans, vectors[n], n, trans, vectors[n]);
    g_autofree guint64 *in = ptx_rows(32, "rrrr", n);
    guint64 out[32 * 4] = {0};
    if (!ptx_run(body, "rrrr", "rrrr", 32, in, out))
        return;
    for (guint i = 0; i < 32 * 4; i++)
        if (!ptx_same(body, 0, NULL, out[i], i < n * 32 ? in[i] : 0))
            return;
}

/* Element number `column` of a row of bytes, or of elements of fewer bits, which lie side by side.
 */
static guint64 byte_at(const guint64 *in, guint bits, guint row, guint column)
{
    guint64 code = 0;
    for (guint b = 0; b < bits; b++) {
        const guint bit = column * bits + b;
        code |= (in[row * 4 + bit / 32] >> bit % 32 & 1) << b;
    }
    return code;
}

/* Matrices of 8 x 16, or of 16 x 16 transposed: lane l has four elements of row l / 4, or of
 * columns l / 4 and, in the second register, 8 more. */
static void check_bytes(guint registers, gboolean tall, guint bits)
{
    static const char *const vectors[] = {"", "{z0}", "{z0, z1}", "", "{z0, z1, z2, z3}"};
    static const char *const to[] = {"", "r", "rr", "", "rrrr"};
    static const char *const formats[] = {
        [4] = ".b8x16.b4x16_p64", [6] = ".b8x16.b6x16_p32", [8] = ".b8"};
    const guint n = registers / (tall ? 2 : 1);
    g_autofree char *body = g_strdup_printf(
        "{.shared .align 16 .b8 memory[1024]; .reg .b32 at, lane;\n"
        "mov.u32 lane, %%tid.x; mov.u32 at, memory; mad.lo.u32 at, lane, 16, at;\n"
        "st.shared.v4.b32 [at], {a0, a1, a2, a3}; bar.warp.sync -1;\n"
        "ldmatrix.sync.aligned.%s.x%u%s.shared%s %s, [at];}",
        tall ? "m16n16" : "m8n16", n, tall ? ".trans" : "", formats[bits], vectors[registers]);
    g_autofree guint64 *in = ptx_rows(32, "rrrr", bits + registers);
    guint64 out[32 * 4] = {0};
    if (!ptx_run(body, to[registers], "rrrr", 32, in, out))
        return;
    for (guint lane = 0; lane < 32; lane++)
        for (guint k = 0; k < registers; k++) {
            guint64 want = 0;
            for (guint i = 0; i < 4; i++) {
                const guint row = tall ? k / 2 * 16 + lane % 4 * 4 + i : k * 8 + lane / 4;
                const guint column = tall ? lane / 4 + k % 2 * 8 : lane % 4 * 4 + i;
                want |= byte_at(in, bits, row, column) << i * 8;
            }
            if (!ptx_same(body, 0, NULL, out[lane * registers + k], want))
                return;
        }
}

/* Bytes of a register of lane l go to rows l % 4 * 2 and the next, columns l / 4 and 8 more. */
static void check_byte_store(guint n)
{
    static const char *const vectors[] = {"", "{a0}", "{a0, a1}", "", "{a0, a1, a2, a3}"};
    g_autofree char *body = g_strdup_printf(
        "{.shared .align 16 .b8 memory[1024]; .reg .b32 at, lane;\n"
        "mov.u32 lane, %%tid.x; mov.u32 at, memory; mad.lo.u32 at, lane, 16, at;\n"
        "st.shared.v4.b32 [at], {0, 0, 0, 0}; bar.warp.sync -1;\n"
        "stmatrix.sync.aligned.m16n8.x%u.trans.shared.b8 [at], %s; bar.warp.sync -1;\n"
        "ld.shared.v4.b32 {z0, z1, z2, z3}, [at];}",
        n, vectors[n]);
    g_autofree guint64 *in = ptx_rows(32, "rrrr", n);
    guint64 out[32 * 4] = {0};
    if (!ptx_run(body, "rrrr", "rrrr", 32, in, out))
        return;
    for (guint lane = 0; lane < 32; lane++)
        for (guint i = 0; i < n * 4; i++) {
            const guint row = i / 4 * 8 + lane % 4 * 2 + i % 2, column = lane / 4 + i / 2 % 2 * 8;
            const guint64 got = out[row * 4 + column / 4] >> column % 4 * 8 & 0xff;
            if (!ptx_same(body, 0, NULL, got, in[lane * 4 + i / 4] >> i % 4 * 8 & 0xff))
                return;
        }
}

static void test_bytes(void)
{
    for (guint bits = 4; bits <= 8; bits += 2) {
        check_bytes(2, TRUE, bits);
        check_bytes(4, TRUE, bits);
    }
    for (guint n = 1; n <= 4; n *= 2) {
        check_bytes(n, FALSE, 4);
        check_bytes(n, FALSE, 6);
        check_byte_store(n);
    }
}

static void test_movmatrix(void)
{
    const char *body = "movmatrix.sync.aligned.m8n8.trans.b16 z0, a0;";
    g_autofree guint64 *in = ptx_rows(32, "r", 3);
    guint64 out[32];
    if (!ptx_run(body, "r", "r", 32, in, out))
        return;
    for (guint i = 0; i < 64; i++) {
        guint row = i / 8, column = i % 8;
        guint64 got = out[row * 4 + column / 2] >> (column % 2 * 16) & 0xffff;
        guint64 want = in[column * 4 + row / 2] >> (row % 2 * 16) & 0xffff;
        if (!ptx_same(body, 0, NULL, got, want))
            return;
    }
}

static void test_moves(void)
{
    for (guint n = 1; n <= 4; n *= 2)
        for (guint transposed = 0; transposed < 2; transposed++) {
            check_load(n, transposed != 0);
            check_store(n, transposed != 0);
        }
    test_movmatrix();
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-alu/matrix/moves", test_moves);
    g_test_add_func("/ptx-alu/matrix/bytes", test_bytes);
    return g_test_run();
}
