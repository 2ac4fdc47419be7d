/* SPDX-License-Identifier: BSD-3-Clause */
/* See chunk-launch.h. */
#include "card/chunk-launch.h"

#include "card/image.h"

GVariant *ps_chunk_launch_variant(const PsChunkLaunch *launch, GVariant *arguments,
                                  GVariant *textures, GVariant *pieces)
{
    const guint *grid = launch->grid, *block = launch->block, *cluster = launch->cluster;
    GVariantBuilder all;
    g_variant_builder_init(&all, G_VARIANT_TYPE(PS_CHUNK_LAUNCH_TYPE));
    g_variant_builder_add(&all, "s", launch->kernel);
    g_variant_builder_add(&all, "u", launch->code);
    g_variant_builder_add(&all, "(uuu)", grid[0], grid[1], grid[2]);
    g_variant_builder_add(&all, "(uuu)", block[0], block[1], block[2]);
    g_variant_builder_add(&all, "(uuu)", cluster[0], cluster[1], cluster[2]);
    g_variant_builder_add(&all, "t", launch->shared);
    g_variant_builder_add(&all, "b", launch->cooperative);
    g_variant_builder_add(&all, "u", launch->stream);
    g_variant_builder_add(&all, "(ttt)", launch->work[0], launch->work[1], launch->work[2]);
    g_variant_builder_add(&all, "b", launch->good);
    g_variant_builder_add_value(&all, arguments);
    g_variant_builder_add_value(&all, textures);
    g_variant_builder_add_value(&all, pieces);
    return g_variant_builder_end(&all);
}

void ps_chunk_add_argument(GVariantBuilder *arguments, gconstpointer data, gsize size)
{
    g_variant_builder_add(arguments, "@ay",
                          g_variant_new_fixed_array(G_VARIANT_TYPE_BYTE, data, size, 1));
}

void ps_chunk_add_piece(GVariantBuilder *pieces, const PsChunkPiece *piece)
{
    g_variant_builder_open(pieces, G_VARIANT_TYPE(PS_CHUNK_PIECE_TYPE));
    g_variant_builder_add(pieces, "t", piece->address);
    g_variant_builder_add(pieces, "t", piece->size);
    g_variant_builder_add(pieces, "u", piece->kind);
    g_variant_builder_add(pieces, "s", piece->name);
    g_variant_builder_add(pieces, "b", piece->is_variable);
    g_variant_builder_add_value(pieces,
                                g_variant_new_fixed_array(G_VARIANT_TYPE("(uu)"), piece->pairs,
                                                          piece->n, 2 * sizeof *piece->pairs));
    g_variant_builder_close(pieces);
}

GVariant *ps_chunk_left_variant(const PsChunkLeft *left)
{
    const guint *grid = left->grid, *block = left->block;
    return g_variant_new(PS_CHUNK_LEFT_TYPE, left->kernel, grid[0], grid[1], grid[2], block[0],
                         block[1], block[2], left->shared, left->stream, left->why);
}

GVariant *ps_chunk_code_variant(const GPtrArray *parts)
{
    GVariantBuilder all;
    g_variant_builder_init(&all, G_VARIANT_TYPE(PS_CHUNK_CODE_TYPE));
    for (guint i = 0; i < parts->len; i++) {
        const PsCardPart *part = parts->pdata[i];
        g_variant_builder_add(
            &all, "(bu@ay)", part->ptx, part->target,
            g_variant_new_from_bytes(G_VARIANT_TYPE_BYTESTRING, part->bytes, TRUE));
    }
    return g_variant_builder_end(&all);
}

GVariant *ps_chunk_little(GVariant *floating)
{
    g_autoptr(GVariant) native = g_variant_ref_sink(floating);
    return G_BYTE_ORDER == G_BIG_ENDIAN ? g_variant_byteswap(native) : g_variant_ref(native);
}
