/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mnemonics: the opcodes of PTX (ISA versions up to 9.x), and the types and spaces that the parts
 * behind them mean. Each spelling in a module is looked up once.
 */
#include "ptx/form.h"
#include "ptx/parser.h"

#include <stdlib.h>
#include <string.h>

/* In the order of strcmp. */
static const char *const opcodes[] = {
    "abs",
    "activemask",
    "add",
    "addc",
    "alloca",
    "and",
    "applypriority",
    "atom",
    "bar",
    "barrier",
    "bfe",
    "bfi",
    "bfind",
    "bmsk",
    "bra",
    "brev",
    "brkpt",
    "brx",
    "call",
    "clmad",
    "clusterlaunchcontrol",
    "clz",
    "cnot",
    "copysign",
    "cos",
    "cp",
    "createpolicy",
    "cvt",
    "cvta",
    "discard",
    "div",
    "dp2a",
    "dp4a",
    "elect",
    "ex2",
    "exit",
    "fence",
    "fma",
    "fns",
    "getctarank",
    "griddepcontrol",
    "isspacep",
    "istypep",
    "ld",
    "ldmatrix",
    "ldu",
    "lg2",
    "lop3",
    "mad",
    "mad24",
    "madc",
    "mapa",
    "match",
    "max",
    "mbarrier",
    "membar",
    "min",
    "mma",
    "mov",
    "movmatrix",
    "mul",
    "mul24",
    "multimem",
    "nanosleep",
    "neg",
    "not",
    "or",
    "pmevent",
    "popc",
    "prefetch",
    "prefetchu",
    "prmt",
    "rcp",
    "red",
    "redux",
    "rem",
    "ret",
    "rsqrt",
    "sad",
    "selp",
    "set",
    "setmaxnreg",
    "setp",
    "shf",
    "shfl",
    "shl",
    "shr",
    "sin",
    "slct",
    "spcompress",
    "spdecompress",
    "sqrt",
    "st",
    "stackrestore",
    "stacksave",
    "stmatrix",
    "sub",
    "subc",
    "suld",
    "suq",
    "sured",
    "sust",
    "szext",
    "tanh",
    "tcgen05",
    "tensormap",
    "testp",
    "tex",
    "tld4",
    "trap",
    "txq",
    "vabsdiff",
    "vabsdiff2",
    "vabsdiff4",
    "vadd",
    "vadd2",
    "vadd4",
    "vavrg2",
    "vavrg4",
    "vmad",
    "vmax",
    "vmax2",
    "vmax4",
    "vmin",
    "vmin2",
    "vmin4",
    "vote",
    "vset",
    "vset2",
    "vset4",
    "vshl",
    "vshr",
    "vsub",
    "vsub2",
    "vsub4",
    "wgmma",
    "wmma",
    "xor",
};

static const struct {
    const char *part;
    PsPtxSpace space;
} spaces[] = {
    {"global", PS_PTX_GLOBAL},      {"shared", PS_PTX_SHARED},
    {"shared::cta", PS_PTX_SHARED}, {"shared::cluster", PS_PTX_SHARED},
    {"local", PS_PTX_LOCAL},        {"const", PS_PTX_CONST},
    {"param", PS_PTX_PARAM},        {"param::entry", PS_PTX_PARAM},
    {"param::func", PS_PTX_PARAM},
};

static int compare(const void *key, const void *element)
{
    return strcmp(key, *(const char *const *)element);
}

gboolean ps_ptx_opcode_known(const char *opcode)
{
    return bsearch(opcode, opcodes, G_N_ELEMENTS(opcodes), sizeof opcodes[0], compare) != NULL;
}

static PsPtxSpace space_of(const char *part)
{
    for (gsize i = 0; i < G_N_ELEMENTS(spaces); i++)
        if (strcmp(part, spaces[i].part) == 0)
            return spaces[i].space;
    return g_str_has_prefix(part, "const[") ? PS_PTX_CONST : PS_PTX_GENERIC;
}

/* Notes the meaning of one part. */
static void note_part(PsPtxMnemonic *mnemonic, const char *part)
{
    const PsPtxType type = ps_ptx_type_find(part);
    if (mnemonic->space == PS_PTX_GENERIC)
        mnemonic->space = space_of(part);
    if (type != PS_PTX_NO_TYPE && mnemonic->n_types < G_N_ELEMENTS(mnemonic->types))
        mnemonic->types[mnemonic->n_types++] = type;
    if (mnemonic->vector == 1 && part[0] == 'v' && part[1] && strchr("248", part[1]) && !part[2])
        mnemonic->vector = (guint)(part[1] - '0');
}

static PsPtxMnemonic *make(PsPtxParser *parser, const char *text)
{
    g_auto(GStrv) pieces = g_strsplit(text, ".", -1);
    const guint n = g_strv_length(pieces);
    PsPtxMnemonic *mnemonic = ps_ptx_arena_get(parser->arena, sizeof *mnemonic);
    const char **parts = ps_ptx_arena_get(parser->arena, n * sizeof *parts);
    mnemonic->text = text;
    mnemonic->opcode = ps_ptx_intern(parser, pieces[0], strlen(pieces[0]))->text;
    mnemonic->parts = parts;
    mnemonic->vector = 1;
    const gboolean opcode = ps_ptx_opcode_known(mnemonic->opcode);
    for (guint i = 1; i < n; i++) {
        parts[i - 1] = ps_ptx_intern(parser, pieces[i], strlen(pieces[i]))->text;
        note_part(mnemonic, parts[i - 1]);
    }
    mnemonic->known = opcode && ps_ptx_form(mnemonic) != NULL;
    if (!mnemonic->known) {
        const char *what = opcode ? mnemonic->text : mnemonic->opcode;
        ps_ptx_warn(parser, parser->instruction_line, what,
                    "\"%s\" is no instruction that pipesim knows", what);
        ps_ptx_tell_newer(parser);
    }
    return mnemonic;
}

const PsPtxMnemonic *ps_ptx_mnemonic(PsPtxParser *parser, PsPtxName *name)
{
    if (!name->mnemonic)
        name->mnemonic = make(parser, name->text);
    return name->mnemonic;
}

gboolean ps_ptx_has(const PsPtxMnemonic *mnemonic, const char *part)
{
    for (const char *const *at = mnemonic->parts; *at; at++)
        if (strcmp(*at, part) == 0)
            return TRUE;
    return FALSE;
}
