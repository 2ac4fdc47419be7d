/* SPDX-License-Identifier: BSD-3-Clause */
/* See mix.h. Each form of an instruction (registers, numbers, constants) has other upper bits. */
#include "sass/mix.h"

#include <string.h>

enum { FIRST = PS_SASS_OLDEST, LAST = PS_SASS_NEWEST, NUMBER_BITS = 0x1ff };

/* The classes by opcode number, for code of sm_`first` to sm_`last`. tests/unit/sass-mix.c compares
 * the table with all stored listings. */
typedef struct {
    guint16 number;
    guint8 first, last;
    PsSassMixClass mix_class;
    const char *name; /* without modifiers */
} Row;

static const Row rows[] = {
    {0x002, FIRST, LAST, PS_SASS_MIX_MOVE, "MOV"},
    {0x003, FIRST, LAST, PS_SASS_MIX_MOVE, "P2R"},
    {0x004, FIRST, LAST, PS_SASS_MIX_MOVE, "R2P"},
    {0x005, FIRST, LAST, PS_SASS_MIX_MOVE, "CS2R"},
    {0x006, FIRST, LAST, PS_SASS_MIX_MOVE, "VOTE"},
    {0x007, FIRST, LAST, PS_SASS_MIX_MOVE, "SEL"},
    {0x008, FIRST, LAST, PS_SASS_MIX_SINGLE, "FSEL"},
    {0x009, FIRST, LAST, PS_SASS_MIX_SINGLE, "FMNMX"},
    {0x00a, FIRST, LAST, PS_SASS_MIX_SINGLE, "FSET"},
    {0x00b, FIRST, LAST, PS_SASS_MIX_SINGLE, "FSETP"},
    {0x00c, FIRST, LAST, PS_SASS_MIX_INTEGER, "ISETP"},
    {0x010, FIRST, LAST, PS_SASS_MIX_INTEGER, "IADD3"},
    {0x011, FIRST, LAST, PS_SASS_MIX_INTEGER, "LEA"},
    {0x012, FIRST, LAST, PS_SASS_MIX_INTEGER, "LOP3"},
    {0x013, FIRST, LAST, PS_SASS_MIX_INTEGER, "IABS"},
    {0x014, FIRST, LAST, PS_SASS_MIX_INTEGER, "VABSDIFF"},
    {0x015, FIRST, LAST, PS_SASS_MIX_INTEGER, "VABSDIFF4"},
    {0x016, FIRST, LAST, PS_SASS_MIX_MOVE, "PRMT"},
    {0x017, FIRST, LAST, PS_SASS_MIX_INTEGER, "IMNMX"},
    {0x019, FIRST, LAST, PS_SASS_MIX_INTEGER, "SHF"},
    {0x01a, FIRST, LAST, PS_SASS_MIX_INTEGER, "SGXT"},
    {0x01c, FIRST, LAST, PS_SASS_MIX_INTEGER, "PLOP3"},
    {0x01f, FIRST, LAST, PS_SASS_MIX_INTEGER, "PLOP3"},
    {0x020, FIRST, LAST, PS_SASS_MIX_SINGLE, "FMUL"},
    {0x021, FIRST, LAST, PS_SASS_MIX_SINGLE, "FADD"},
    {0x023, FIRST, LAST, PS_SASS_MIX_SINGLE, "FFMA"},
    {0x024, FIRST, LAST, PS_SASS_MIX_INTEGER, "IMAD"},
    {0x025, FIRST, LAST, PS_SASS_MIX_INTEGER, "IMAD"},
    {0x026, FIRST, LAST, PS_SASS_MIX_INTEGER, "IDP"},
    {0x027, FIRST, LAST, PS_SASS_MIX_INTEGER, "IMAD"},
    {0x028, FIRST, LAST, PS_SASS_MIX_DOUBLE, "DMUL"},
    {0x029, FIRST, LAST, PS_SASS_MIX_DOUBLE, "DADD"},
    {0x02a, FIRST, LAST, PS_SASS_MIX_DOUBLE, "DSETP"},
    {0x02b, FIRST, LAST, PS_SASS_MIX_DOUBLE, "DFMA"},
    {0x02f, FIRST, LAST, PS_SASS_MIX_MOVE, "ELECT"},
    {0x030, FIRST, LAST, PS_SASS_MIX_HALF, "HADD2"},
    {0x031, FIRST, LAST, PS_SASS_MIX_HALF, "HFMA2"},
    {0x032, FIRST, LAST, PS_SASS_MIX_HALF, "HMUL2"},
    {0x033, FIRST, LAST, PS_SASS_MIX_HALF, "HSET2"},
    {0x034, FIRST, LAST, PS_SASS_MIX_HALF, "HSETP2"},
    {0x035, 80, 90, PS_SASS_MIX_HALF, "HFMA2"},
    {0x035, 120, LAST, PS_SASS_MIX_INTEGER, "IADD"},
    {0x036, FIRST, 72, PS_SASS_MIX_TENSOR, "HMMA"},
    {0x036, 90, LAST, PS_SASS_MIX_INTEGER, "VIADD"},
    {0x037, FIRST, LAST, PS_SASS_MIX_TENSOR, "IMMA"},
    {0x039, FIRST, LAST, PS_SASS_MIX_CONVERSION, "I2IP"},
    {0x03a, FIRST, LAST, PS_SASS_MIX_MOVE, "MOVM"},
    {0x03b, FIRST, LAST, PS_SASS_MIX_SHARED, "LDSM"},
    {0x03c, FIRST, LAST, PS_SASS_MIX_TENSOR, "HMMA"},
    {0x03d, FIRST, LAST, PS_SASS_MIX_TENSOR, "BMMA"},
    {0x03e, FIRST, LAST, PS_SASS_MIX_CONVERSION, "F2FP"},
    {0x03f, FIRST, LAST, PS_SASS_MIX_TENSOR, "DMMA"},
    {0x043, FIRST, LAST, PS_SASS_MIX_CONVERSION, "F2IP"},
    {0x044, 90, LAST, PS_SASS_MIX_SHARED, "STSM"},
    {0x045, FIRST, LAST, PS_SASS_MIX_CONVERSION, "I2FP"},
    {0x048, FIRST, LAST, PS_SASS_MIX_INTEGER, "VIMNMX"},
    {0x049, FIRST, LAST, PS_SASS_MIX_SINGLE, "FFMA2"},
    {0x04a, FIRST, LAST, PS_SASS_MIX_SINGLE, "FMUL2"},
    {0x04b, FIRST, LAST, PS_SASS_MIX_SINGLE, "FADD2"},
    {0x04c, 100, LAST, PS_SASS_MIX_MOVE, "UVIRTCOUNT"},
    {0x05a, FIRST, LAST, PS_SASS_MIX_CONVERSION, "UI2F"},
    {0x076, FIRST, LAST, PS_SASS_MIX_SINGLE, "FMNMX3"},
    {0x07a, FIRST, LAST, PS_SASS_MIX_TENSOR, "QMMA"},
    {0x07f, FIRST, LAST, PS_SASS_MIX_TENSOR, "OMMA"},
    {0x082, FIRST, LAST, PS_SASS_MIX_MOVE, "UMOV"},
    {0x086, FIRST, LAST, PS_SASS_MIX_MOVE, "VOTEU"},
    {0x087, FIRST, LAST, PS_SASS_MIX_MOVE, "USEL"},
    {0x08c, FIRST, LAST, PS_SASS_MIX_INTEGER, "UISETP"},
    {0x090, FIRST, LAST, PS_SASS_MIX_INTEGER, "UIADD3"},
    {0x091, FIRST, LAST, PS_SASS_MIX_INTEGER, "ULEA"},
    {0x092, FIRST, LAST, PS_SASS_MIX_INTEGER, "ULOP3"},
    {0x096, FIRST, LAST, PS_SASS_MIX_MOVE, "UPRMT"},
    {0x097, FIRST, LAST, PS_SASS_MIX_INTEGER, "UIADD3"},
    {0x099, FIRST, LAST, PS_SASS_MIX_INTEGER, "USHF"},
    {0x09a, FIRST, LAST, PS_SASS_MIX_INTEGER, "USGXT"},
    {0x09c, FIRST, LAST, PS_SASS_MIX_INTEGER, "UPLOP3"},
    {0x0a4, FIRST, LAST, PS_SASS_MIX_INTEGER, "UIMAD"},
    {0x0a5, FIRST, LAST, PS_SASS_MIX_INTEGER, "UIMAD"},
    {0x0b9, FIRST, LAST, PS_SASS_MIX_CONSTANT, "ULDC"},
    {0x0bb, FIRST, LAST, PS_SASS_MIX_CONSTANT, "ULDC"},
    {0x0bd, FIRST, LAST, PS_SASS_MIX_INTEGER, "UFLO"},
    {0x0bf, FIRST, LAST, PS_SASS_MIX_INTEGER, "UPOPC"},
    {0x0ca, FIRST, LAST, PS_SASS_MIX_MOVE, "R2UR"},
    {0x0cc, FIRST, LAST, PS_SASS_MIX_MOVE, "CREDUX"},
    {0x100, FIRST, LAST, PS_SASS_MIX_INTEGER, "FLO"},
    {0x101, FIRST, LAST, PS_SASS_MIX_INTEGER, "BREV"},
    {0x102, FIRST, LAST, PS_SASS_MIX_SINGLE, "FCHK"},
    {0x104, FIRST, LAST, PS_SASS_MIX_CONVERSION, "F2F"},
    {0x105, FIRST, LAST, PS_SASS_MIX_CONVERSION, "F2I"},
    {0x106, FIRST, LAST, PS_SASS_MIX_CONVERSION, "I2F"},
    {0x107, FIRST, LAST, PS_SASS_MIX_CONVERSION, "FRND"},
    {0x108, FIRST, LAST, PS_SASS_MIX_SPECIAL, "MUFU"},
    {0x109, FIRST, LAST, PS_SASS_MIX_INTEGER, "POPC"},
    {0x110, FIRST, LAST, PS_SASS_MIX_CONVERSION, "F2F"},
    {0x111, FIRST, LAST, PS_SASS_MIX_CONVERSION, "F2I"},
    {0x112, FIRST, LAST, PS_SASS_MIX_CONVERSION, "I2F"},
    {0x118, FIRST, LAST, PS_SASS_MIX_PADDING, "NOP"},
    {0x119, FIRST, LAST, PS_SASS_MIX_MOVE, "S2R"},
    {0x11a, FIRST, LAST, PS_SASS_MIX_BARRIER, "DEPBAR"},
    {0x11d, FIRST, LAST, PS_SASS_MIX_BARRIER, "BAR"},
    {0x141, FIRST, LAST, PS_SASS_MIX_BRANCH, "BSYNC"},
    {0x143, FIRST, LAST, PS_SASS_MIX_BRANCH, "CALL"},
    {0x144, FIRST, LAST, PS_SASS_MIX_BRANCH, "CALL"},
    {0x145, FIRST, LAST, PS_SASS_MIX_BRANCH, "BSSY"},
    {0x146, FIRST, LAST, PS_SASS_MIX_BARRIER, "YIELD"},
    {0x147, FIRST, LAST, PS_SASS_MIX_BRANCH, "BRA"},
    {0x148, FIRST, LAST, PS_SASS_MIX_BARRIER, "WARPSYNC"},
    {0x149, FIRST, LAST, PS_SASS_MIX_BRANCH, "BRX"},
    {0x14d, FIRST, LAST, PS_SASS_MIX_BRANCH, "EXIT"},
    {0x14e, FIRST, LAST, PS_SASS_MIX_MOVE, "LEPC"},
    {0x150, FIRST, LAST, PS_SASS_MIX_BRANCH, "RET"},
    {0x155, FIRST, LAST, PS_SASS_MIX_MOVE, "BMOV"},
    {0x15c, FIRST, LAST, PS_SASS_MIX_BRANCH, "BPT"},
    {0x15d, FIRST, LAST, PS_SASS_MIX_BARRIER, "NANOSLEEP"},
    {0x177, 100, LAST, PS_SASS_MIX_GLOBAL, "USTGR"},
    {0x178, 100, LAST, PS_SASS_MIX_GLOBAL, "UREDGR"},
    {0x17e, FIRST, LAST, PS_SASS_MIX_GLOBAL, "LDG"},
    {0x17f, FIRST, LAST, PS_SASS_MIX_GLOBAL, "STG"},
    {0x180, FIRST, LAST, PS_SASS_MIX_GLOBAL, "LD"},
    {0x181, FIRST, LAST, PS_SASS_MIX_GLOBAL, "LDG"},
    {0x182, FIRST, LAST, PS_SASS_MIX_CONSTANT, "LDC"},
    {0x183, FIRST, LAST, PS_SASS_MIX_LOCAL, "LDL"},
    {0x184, FIRST, LAST, PS_SASS_MIX_SHARED, "LDS"},
    {0x185, FIRST, LAST, PS_SASS_MIX_GLOBAL, "ST"},
    {0x186, FIRST, LAST, PS_SASS_MIX_GLOBAL, "STG"},
    {0x187, FIRST, LAST, PS_SASS_MIX_LOCAL, "STL"},
    {0x188, FIRST, LAST, PS_SASS_MIX_SHARED, "STS"},
    {0x189, FIRST, LAST, PS_SASS_MIX_MOVE, "SHFL"},
    {0x18a, FIRST, LAST, PS_SASS_MIX_GLOBAL, "ATOM"},
    {0x18b, FIRST, LAST, PS_SASS_MIX_GLOBAL, "ATOM"},
    {0x18c, FIRST, LAST, PS_SASS_MIX_SHARED, "ATOMS"},
    {0x18d, FIRST, LAST, PS_SASS_MIX_SHARED, "ATOMS"},
    {0x18e, FIRST, 89, PS_SASS_MIX_GLOBAL, "RED"},
    {0x18e, 90, LAST, PS_SASS_MIX_GLOBAL, "REDG"},
    {0x18f, FIRST, LAST, PS_SASS_MIX_BARRIER, "CCTL"},
    {0x192, FIRST, LAST, PS_SASS_MIX_BARRIER, "MEMBAR"},
    {0x1a1, FIRST, LAST, PS_SASS_MIX_MOVE, "MATCH"},
    {0x1a2, FIRST, LAST, PS_SASS_MIX_GLOBAL, "ATOM"},
    {0x1a3, FIRST, LAST, PS_SASS_MIX_GLOBAL, "ATOMG"},
    {0x1a4, 90, LAST, PS_SASS_MIX_GLOBAL, "LDGMC"},
    {0x1a5, 90, LAST, PS_SASS_MIX_GLOBAL, "LDGMC"},
    {0x1a6, FIRST, LAST, PS_SASS_MIX_GLOBAL, "REDG"},
    {0x1a7, FIRST, LAST, PS_SASS_MIX_BARRIER, "SYNCS"},
    {0x1a8, FIRST, LAST, PS_SASS_MIX_GLOBAL, "ATOMG"},
    {0x1a9, FIRST, LAST, PS_SASS_MIX_GLOBAL, "ATOMG"},
    {0x1aa, FIRST, LAST, PS_SASS_MIX_MOVE, "QSPC"},
    {0x1ab, FIRST, LAST, PS_SASS_MIX_BARRIER, "ERRBAR"},
    {0x1ac, FIRST, LAST, PS_SASS_MIX_CONSTANT, "LDCU"},
    {0x1ae, FIRST, LAST, PS_SASS_MIX_GLOBAL, "LDGSTS"},
    {0x1af, FIRST, LAST, PS_SASS_MIX_BARRIER, "LDGDEPBAR"},
    {0x1b0, FIRST, LAST, PS_SASS_MIX_BARRIER, "ARRIVES"},
    {0x1b0, FIRST, LAST, PS_SASS_MIX_BARRIER, "SYNCS"},
    {0x1b1, FIRST, LAST, PS_SASS_MIX_BARRIER, "SYNCS"},
    {0x1b2, FIRST, LAST, PS_SASS_MIX_BARRIER, "SYNCS"},
    {0x1b4, FIRST, LAST, PS_SASS_MIX_GLOBAL, "UTMALDG"},
    {0x1b5, FIRST, LAST, PS_SASS_MIX_GLOBAL, "UTMASTG"},
    {0x1b6, FIRST, LAST, PS_SASS_MIX_GLOBAL, "UTMAREDG"},
    {0x1b7, FIRST, LAST, PS_SASS_MIX_BARRIER, "UTMACMDFLUSH"},
    {0x1b8, FIRST, LAST, PS_SASS_MIX_GLOBAL, "UTMAPF"},
    {0x1b9, FIRST, LAST, PS_SASS_MIX_BARRIER, "UTMACCTL"},
    {0x1ba, FIRST, LAST, PS_SASS_MIX_GLOBAL, "UBLKCP"},
    {0x1bb, FIRST, LAST, PS_SASS_MIX_GLOBAL, "UBLKRED"},
    {0x1bc, FIRST, LAST, PS_SASS_MIX_GLOBAL, "UBLKPF"},
    {0x1bd, FIRST, LAST, PS_SASS_MIX_SHARED, "STAS"},
    {0x1be, FIRST, LAST, PS_SASS_MIX_SHARED, "REDAS"},
    {0x1c3, FIRST, LAST, PS_SASS_MIX_MOVE, "S2UR"},
    {0x1c4, FIRST, LAST, PS_SASS_MIX_MOVE, "REDUX"},
    {0x1c5, FIRST, LAST, PS_SASS_MIX_BARRIER, "WARPGROUP"},
    {0x1c6, FIRST, LAST, PS_SASS_MIX_BARRIER, "FENCE"},
    {0x1c7, FIRST, LAST, PS_SASS_MIX_BARRIER, "UCGABAR_WAIT"},
    {0x1c8, FIRST, LAST, PS_SASS_MIX_BARRIER, "USETMAXREG"},
    {0x1ca, FIRST, LAST, PS_SASS_MIX_BARRIER, "UGETNEXTWORKID"},
    {0x1e3, FIRST, LAST, PS_SASS_MIX_BARRIER, "UTCATOMSWS"},
    {0x1e9, FIRST, LAST, PS_SASS_MIX_BARRIER, "UTCBAR"},
    {0x1ea, FIRST, LAST, PS_SASS_MIX_TENSOR, "UTCHMMA"},
    {0x1ed, FIRST, LAST, PS_SASS_MIX_MOVE, "STTM"},
    {0x1ee, FIRST, LAST, PS_SASS_MIX_MOVE, "LDTM"},
    {0x1f0, FIRST, LAST, PS_SASS_MIX_TENSOR, "HGMMA"},
    {0x1f1, FIRST, LAST, PS_SASS_MIX_TENSOR, "IGMMA"},
    {0x1f2, FIRST, LAST, PS_SASS_MIX_TENSOR, "BGMMA"},
    {0x1f3, FIRST, LAST, PS_SASS_MIX_TENSOR, "QGMMA"},
};

static const char *const names[PS_SASS_N_MIX] = {
    [PS_SASS_MIX_SINGLE] = "single",
    [PS_SASS_MIX_DOUBLE] = "double",
    [PS_SASS_MIX_HALF] = "half",
    [PS_SASS_MIX_TENSOR] = "tensor",
    [PS_SASS_MIX_SPECIAL] = "special",
    [PS_SASS_MIX_INTEGER] = "integer",
    [PS_SASS_MIX_CONVERSION] = "conversion",
    [PS_SASS_MIX_MOVE] = "move",
    [PS_SASS_MIX_GLOBAL] = "global",
    [PS_SASS_MIX_LOCAL] = "local",
    [PS_SASS_MIX_SHARED] = "shared",
    [PS_SASS_MIX_CONSTANT] = "constant",
    [PS_SASS_MIX_BARRIER] = "barrier",
    [PS_SASS_MIX_BRANCH] = "branch",
    [PS_SASS_MIX_UNKNOWN] = "unknown",
};

const char *ps_sass_mix_name(PsSassMixClass mix_class)
{
    return names[mix_class];
}

/* The first row of the number; rows are sorted. */
static guint first_row(guint number)
{
    guint from = 0, to = G_N_ELEMENTS(rows);
    while (from < to) {
        const guint middle = (from + to) / 2;
        if (rows[middle].number < number)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

PsSassMixClass ps_sass_mix_class(guint64 word, int capability, const char **name)
{
    const guint number = (guint)(word & NUMBER_BITS);
    if (name)
        *name = NULL;
    for (guint i = first_row(number); i < G_N_ELEMENTS(rows) && rows[i].number == number; i++)
        if (capability >= rows[i].first && capability <= rows[i].last) {
            if (name)
                *name = rows[i].name;
            return rows[i].mix_class;
        }
    return PS_SASS_MIX_UNKNOWN;
}

PsSassMixClass ps_sass_mix_at(const PsSassImage *image, const PsSassKernel *kernel, gsize i)
{
    guint64 word = 0;
    memcpy(&word, kernel->text.bytes + i * PS_SASS_BYTES, sizeof word);
    return ps_sass_mix_class(GUINT64_FROM_LE(word), image->capability, NULL);
}

PsSassMix ps_sass_mix(const PsSassImage *image, const PsSassKernel *kernel)
{
    PsSassMix mix = {0, {0}};
    const gsize n = kernel->text.size / PS_SASS_BYTES;
    for (gsize i = 0; i < n; i++) {
        const PsSassMixClass mix_class = ps_sass_mix_at(image, kernel, i);
        mix.of[mix_class]++;
        mix.all += mix_class != PS_SASS_MIX_PADDING;
    }
    return mix;
}
