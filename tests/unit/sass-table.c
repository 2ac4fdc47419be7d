/* SPDX-License-Identifier: BSD-3-Clause */
/* How rows of the table are found: by the opcode, its modifiers in order, and the operands. */
#include "sass/table.h"
#include "tests/help/sass.h"

#include <string.h>

/* What is found, and which operands its letters stand for: "IADD3 oiii 0 1 2 3"; NULL: nothing. */
static char *find(const char *opcode, const char *text)
{
    guint at[PS_SASS_MOST_OPERANDS];
    g_auto(GStrv) kept = NULL, parts = g_strsplit(opcode, ".", -1);
    g_autoptr(GArray) operands = ps_sass_operands(text, &kept);
    const PsSassRow *row = ps_sass_row(parts, operands, at);
    if (!row)
        return NULL;
    GString *found = g_string_new_len(row->opcode, (gssize)strcspn(row->opcode, " "));
    g_string_append_printf(found, " %s", row->shape);
    for (guint i = 0; row->shape[i]; i++)
        g_string_append_printf(found, " %u", at[i]);
    return g_string_free(found, FALSE);
}

/* Rows of the table that instructions come to; NULL: none is theirs. */
static const struct {
    const char *opcode, *operands, *row;
} found_rows[] = {
    {"FFMA", "R0,R1,R2,R3", "FFMA offf 0 1 2 3"},
    {"FFMA.FTZ.RZ", "R0,R1,R2,R3", "FFMA offf 0 1 2 3"},
    /* Pairs of singles say so; in another form nobody knows what they are. */
    {"FFMA2.FTZ.RZ", "R2,R4.reuse.F32x2.HI_LO,UR6.F32,0x3", "FFMA2 Osss 0 1 2 3"},
    {"FADD2", "R2,-R4.F32x2.LO_HI.NP,|R6|.F32x2.HI_LO", "FADD2 Oss 0 1 2"},
    {"FMUL2", "R2,R4.F32x2.HI_HI,R6.F32", NULL},
    {"FMUL2", "R2,R4.F32x2.HI_LO.PN,R6.F32", NULL},
    {"FMUL2", "R2,R4,R6.F32", NULL},
    /* The more special row stands first; its modifiers may have others between them. */
    {"IMAD.MOV.U32", "R0,RZ,RZ,R3", "IMAD.MOV oiii 0 1 2 3"},
    {"IMAD", "R0,R1,R2,R3", "IMAD oiii 0 1 2 3"},
    {"IMAD.WIDE.U32", "R0,R1,R2,R4", "IMAD.WIDE.U32 OiiI 0 1 2 3"},
    {"IMAD.WIDE", "R0,R1,R2,R4", "IMAD.WIDE OiiI 0 1 2 3"},
    {"MUFU.RCP", "R0,R1", "MUFU.RCP of 0 1"},
    /* Those that change nothing may be there; what nobody knows makes it another instruction.
     */
    {"IMAD.SHL.U32", "R0,R1,0x4,RZ", "IMAD oiii 0 1 2 3"},
    {"LDG.E.64.STRONG.SM", "R0,[R2.64]", "LDG VA 0 1"},
    {"MOV.SPILL", "R4,UR7", "MOV oi 0 1"},
    {"R2UR.FILL", "UR7,R4", "R2UR oi 0 1"},
    /* What has no effect but on time is known whatever it is about. */
    {"MEMBAR.SC.VC", "", "MEMBAR * 0"},
    {"MEMBAR.ALL.CTA", "", "MEMBAR.CTA * 0"},
    {"FENCE.VIEW.ASYNC.S", "", "FENCE * 0"},
    {"FENCE.VIEW.ASYNC.T", "", "FENCE.VIEW.ASYNC.T "},
    {"UTMACCTL.PF", "[UR4]", "UTMACCTL.PF * 0"},
    {"CCTL.IVALL", "", "CCTL * 0"},
    {"CCTL.E.PF2", "[R4.64]", "CCTL.PF2 * 0"},
    {"PMTRIG", "0x2", "PMTRIG * 0"},
    {"NANOSLEEP", "R4", "NANOSLEEP * 0"},
    {"NANOSLEEP.SYNCS", "0x989680", "NANOSLEEP.SYNCS * 0"},
    {"WARPGROUP.DEPBAR.LE", "gsb0,0x0", "WARPGROUP.DEPBAR.LE xn 0 1"},
    {"ERRBAR", "", "ERRBAR * 0"},
    {"FFMA.NEW", "R0,R1,R2,R3", NULL},
    {"VIADD.16x2", "R0,R1,R2", "VIADD.16x2 oii 0 1 2"},
    {"VIMNMX.S16x2", "R0,R1,R2,!PT", "VIMNMX.S16x2 oiip 0 1 2 3"},
    {"DSETP.MAX.AND", "P0,P1,R2,R4,PT", "DSETP.MAX PPFFp 0 1 2 3 4"},
    {"DSETP.MAX.OR", "P0,P1,R2,R4,PT", NULL},
    {"F2I.F16.NTZ", "R17,R0", "F2I.F16 oh 0 1"},
    {"ULDC.64", "UR4,c[0x0][0x118]", "ULDC Vc 0 1"},
    {"LDCU.64", "UR4,c[0x0][0x358]", "LDC Vc 0 1"},
    {"QSPC.E.S", "P0,RZ,[R4]", "QSPC.S PoG 0 1 2"},
    {"UBLKCP.S.G", "[UR10],[UR4],UR6", "UBLKCP.S.G bAi 0 1 2"},
    {"UBLKCP.S.G.MULTICAST", "[UR10],[UR4],UR6", "UBLKCP.S.G.MULTICAST bAi 0 1 2"},
    {"UBLKRED.G.S.ADD.F16.RN", "[UR6],[UR4],UR5", "UBLKRED.G.S.ADD Aai 0 1 2"},
    {"UTMALDG.2D.MULTICAST", "[UR4],[UR10],UR9", "UTMALDG.2D.MULTICAST xxx 0 1 2"},
    {"UTCHMMA", "gdesc[UR4],gdesc[UR6],tmem[UR33],tmem[UR26],idesc[UR27],!UPT",
     "UTCHMMA IIaxip 0 1 2 3 4 5"},
    {"UTCHMMA.2CTA", "gdesc[UR4],gdesc[UR6],tmem[UR33],tmem[UR26],idesc[UR27],!UPT",
     "UTCHMMA.2CTA IIaxip 0 1 2 3 4 5"},
    {"UTCHMMA.2CTA", "gdesc[UR4],gdesc[UR6],tmem[UR33],tmem[UR26],idesc[UR27],UR8,UP0,0x2",
     "UTCHMMA.2CTA IIaximpn 0 1 2 3 4 5 6 7"},
    {"UTMALDG.2D.2CTA", "[UR8],[UR4],desc[UR6]", "UTMALDG.2D xxx 0 1 2"},
    {"UTMALDG.3D.MULTICAST.2CTA", "[UR8],[UR4],UR13,desc[UR6]",
     "UTMALDG.3D.MULTICAST xxxx 0 1 2 3"},
    {"UTMAREDG.2D.ADD", "[UR8],[UR4],desc[UR6]", "UTMAREDG.2D.ADD xxx 0 1 2"},
    {"UBLKCP.S.G", "[UR16],[UR4],UR8,desc[UR6]", "UBLKCP.S.G bAix 0 1 2 3"},
    {"UBLKRED.G.S.ADD.F32.RN", "[UR4],[UR16],UR8,desc[UR6]", "UBLKRED.G.S.ADD Aaix 0 1 2 3"},
    {"OMMA.SF.16864.F32.E2M1.E2M1.E8", "R8,R8,R6,RZ,R0,R13,URZ",
     "OMMA.SF.16864.F32.E8 Qqdqiii 0 1 2 3 4 5 6"},
    {"OMMA.SF.16864.F32.E2M1.E2M1.UE4M3.4X", "R8,R8,R6,RZ,R0,R13,UR6",
     "OMMA.SF.16864.F32.UE4M3.4X Qqdqiii 0 1 2 3 4 5 6"},
    {"OMMA.SF.16864.F32.E2M1.E2M1.UE4M3", "R8,R8,R6,RZ,R0,R13,UR6", NULL},
    {"QMMA.16832.F32.E2M3.E3M2", "R8,R8,R6,RZ", "QMMA.16832.F32 Qqdq 0 1 2 3"},
    {"UTCQMMA", "tmem[UR4],gdesc[UR6].A_KEEP,tmem[UR33],tmem[UR26],idesc[UR27],UP0,0x3",
     "UTCQMMA aIaxipn 0 1 2 3 4 5 6"},
    {"UTCQMMA", "gdesc[UR4],gdesc[UR6],tmem[UR33],tmem[UR26],idesc[UR27],tmem[UR8],UP0",
     "UTCQMMA IIaxibp 0 1 2 3 4 5 6"},
    {"UTCOMMA.4X", "tmem[UR4],gdesc[UR6],tmem[UR33],tmem[UR26],idesc[UR27],tmem[UR8],UP0",
     "UTCOMMA.4X aIaxibp 0 1 2 3 4 5 6"},
    /* Products of two groups, and weight stationary ones, are not told. */
    {"UTCHMMA.WS", "gdesc[UR4],gdesc[UR6],tmem[UR33],tmem[UR26],idesc[UR27],!UPT", NULL},
    {"UTCHMMA.ASHIFT", "tmem[UR4],gdesc[UR6],tmem[UR33],tmem[UR26],idesc[UR27],!UPT", NULL},
    {"UTMALDG.4D.IM2COL", "[UR8],[UR4],UR7,desc[UR10]", "UTMALDG.4D.IM2COL xxxx 0 1 2 3"},
    {"UTMALDG.4D.W", "[UR8],[UR4],UR7,desc[UR10]", NULL},
    {"UTCCP.T.S.4dp256bit", "tmem[UR16],gdesc[UR18]", NULL},
    {"LDTM.x2.PACK16BIT", "R14,tmem[UR4+0x20]", "LDTM Ta 0 1"},
    /* Only numbers without a sign are told by 64. */
    {"ATOMG.E.MIN.S64.STRONG.GPU", "PT,R4,[R8],R6", "ATOMG.S64 OAI 1 2 3"},
    {"ATOMG.E.ADD.F64.RN.STRONG.GPU", "PT,R4,[R8],R6", "ATOMG.F64 OAI 1 2 3"},
    {"ATOM.E.MIN.S64.STRONG.GPU", "PT,R4,[R8],R6", "ATOM.S64 OAI 1 2 3"},
    {"ATOM.E.MIN.S64.STRONG.GPU", "P0,R4,[R8],R6", "ATOM.S64 POGI 0 1 2 3"},
    {"ATOMG.E.MIN.S64.STRONG.GPU", "P0,R4,[R8],R6", NULL},
    {"RED.E.MIN.S64.STRONG.GPU", "[R8],R6", "RED.S64 AI 0 1"},
    {"REDG.E.ADD.F64.RN.STRONG.GPU", "[R8],R6", "REDG.F64 AI 0 1"},
    {"REDG.E.MAX.64.STRONG.GPU", "[R8],R6", "REDG.64 AI 0 1"},
    {"F2FP.PACK_AB.RZ", "R0,RZ,R8", "F2FP.PACK_AB off 0 1 2"},
    {"DMMA.884", "R8,R4,R6,R8", "DMMA.884 EFFg 0 1 2 3"},
    {"STSM.16.MT88.2", "[R5+0x200],R8", "STSM.16.MT88.2 ad 0 1"},
    {"BREAK", "B2,P3", "BREAK xp 0 1"},
    /* A barrier's number and its threads, each in a register or not. */
    {"BAR.SYNC.DEFER_BLOCKING", "R9,R9", "BAR.SYNC ii 0 1"},
    {"BAR.SYNC", "0x3,R9", "BAR.SYNC ni 0 1"},
    {"BAR.ARV", "R0,0x40", "BAR.ARV in 0 1"},
    /* nvdisasm 13 forgets the comma before a descriptor, or puts it behind. */
    {"LDG.E", "R2desc,[UR4][R2.64+0x8]", "LDG VA 0 1"},
    {"STG.E", "desc[UR4][R2.64],R5", "STG AW 0 1"},
    {"LDGSTS.E.BYPASS.128", "[R23]desc[UR6][R8.64]", "LDGSTS aA 0 1"},
    {"LDGSTS.E.128", "[R23+0x10],desc[UR6][R8.64],P1", "LDGSTS aAp 0 1 2"},
    {"LDGSTS.E.BYPASS.LTC128B.128", "!P0[R121+0x800][R134.64]", "LDGSTS paA 0 1 2"},
    {"SYNCS.EXCH.64", "URZ[UR8+0x1000],UR4", "SYNCS.EXCH.64 OaI 0 1 2"},
    {"LDGSTS.E.BYPASS.128", "desc[UR10][R6.64],P0[R96+0x800]", "LDGSTS Apa 0 1 2"},
    /* !PT copies nothing, and is not passed over. */
    {"LDGSTS.E.BYPASS.128", "desc[UR14][R38.64],!PT[R7+0x14000]", "LDGSTS Apa 0 1 2"},
    {"LDGSTS.E.128", "[R23+0x10],desc[UR6][R8.64],!PT", "LDGSTS aAp 0 1 2"},
    {"LDGSTS.E.64", "desc[UR8][R4.64][R11]", "LDGSTS Aa 0 1"},
    {"LDGSTS.E.64", "[R11],desc[UR8][R4.64]", "LDGSTS aA 0 1"},
    {"CREDUX.MAX", "UR7,R0", "CREDUX oi 0 1"},
    {"RPCMOV.32", "Rpc.HI,R7", "RPCMOV.32 xi 0 1"},
    {"RPCMOV.32", "R7,Rpc.LO", "RPCMOV.32 ox 0 1"},
    {"UP2UR", "UR50,UPR,URZ,0x4", "UP2UR oxin 0 1 2 3"},
    /* PT where no predicate is asked for is passed over. */
    {"IADD3", "R0,PT,PT,R1,R2,R3", "IADD3 oiii 0 3 4 5"},
    {"IADD3", "R0,R1,R2,R3", "IADD3 oiii 0 1 2 3"},
    {"NOSUCH", "R0,R1", NULL},
    {"VIADD.8x4", "R0,R1,R2", NULL},
    {"FFMA", "R0,R1", NULL},
    {"MUFU", "R0,R1", NULL},
    /* Two halves that are numbers are two operands, of which the second may lack. */
    {"HFMA2", "R0,-RZ,RZ,1.875,0", "HFMA2 ohhh 0 1 2 3"},
    {"HFMA2", "R0,R1,1.875,0,R3", "HFMA2 ohhh 0 1 2 4"},
    {"HFMA2", "R0,R1,1.875", NULL},
    {"HFMA2", "R0,R1,R2,1.875", NULL},
};

static void test_found(void)
{
    for (guint i = 0; i < G_N_ELEMENTS(found_rows); i++) {
        g_autofree char *row = find(found_rows[i].opcode, found_rows[i].operands);
        g_test_message("%s %s", found_rows[i].opcode, found_rows[i].operands);
        g_assert_cmpstr(row, ==, found_rows[i].row);
    }
}

/* ---- latencies ------------------------------------------------------------------------------ */

typedef struct {
    char *opcode;
    guint n, boards; /* instructions with a result; those that name a scoreboard for it */
} Opcode;

static void opcode_free(gpointer data)
{
    Opcode *opcode = data;
    g_free(opcode->opcode);
    g_free(opcode);
}

/* Nothing of fixed latency has a scoreboard. What is waited for by scoreboard need not have its own
 * each time, so that it is enough if one has. */
static void note_latency(const PsSassCode *code, guint i, GHashTable *boards)
{
    const PsSassInstruction *instruction =
        &g_array_index(code->listing->instructions, PsSassInstruction, i);
    const PsSassUse *use = &g_array_index(code->uses, PsSassUse, i);
    const gboolean board = instruction->control.write != PS_SASS_NO_BARRIER;
    if (!use->row)
        return;
    if (ps_sass_latency(use->row, instruction->opcode, code->capability) == PS_SASS_FIXED) {
        if (board)
            g_test_message("sm_%d: %s", code->capability, instruction->opcode);
        g_assert_false(board);
    } else if (use->n_to > 0) {
        char *name = g_strndup(instruction->opcode, strcspn(instruction->opcode, "."));
        Opcode *opcode = g_hash_table_lookup(boards, name);
        if (!opcode) {
            opcode = g_new0(Opcode, 1);
            opcode->opcode = g_strdup(name);
            g_hash_table_insert(boards, opcode->opcode, opcode);
        }
        opcode->n++;
        opcode->boards += board;
        g_free(name);
    }
}

/* Notes the latencies of all kernels of one stored cubin. */
static void note_latencies(const char *file, GHashTable *boards)
{
    g_autofree char *cubin_name = g_strconcat(file, ".cubin", NULL);
    g_autofree char *json_name = g_strconcat(file, ".json", NULL);
    g_autoptr(GBytes) cubin = sass_file(cubin_name), json = sass_file(json_name);
    guint n = 1;
    for (guint k = 0; k < n; k++) {
        g_autoptr(GError) error = NULL;
        PsSassImage *image = ps_sass_image_new(cubin, cubin_name, &error);
        g_assert_no_error(error);
        n = image->kernels->len;
        const PsSassKernel *kernel = image->kernels->pdata[k];
        gsize size = 0;
        const char *text = g_bytes_get_data(json, &size);
        PsSassListing *listing = ps_sass_listing_new(text, (gssize)size, kernel, &error);
        PsSassCode *code = ps_sass_code_new(image, kernel, listing, NULL, &error);
        g_assert_no_error(error);
        for (guint i = 0; i < code->listing->instructions->len; i++)
            note_latency(code, i, boards);
        ps_sass_code_free(code);
        ps_sass_image_free(image);
    }
}

/* The table against the control bits of all stored listings. */
static void test_latencies(void)
{
    enum { FEW = 10 }; /* so many results may all go unread */
    g_autoptr(GHashTable) boards =
        g_hash_table_new_full(g_str_hash, g_str_equal, NULL, opcode_free);
    g_autoptr(GDir) dir = g_dir_open("tests/sass", 0, NULL);
    guint n = 0;
    const char *name;
    while ((name = g_dir_read_name(dir))) {
        if (!g_str_has_suffix(name, ".json"))
            continue;
        g_autofree char *file = g_strndup(name, strlen(name) - strlen(".json"));
        note_latencies(file, boards);
        n++;
    }
    g_assert_cmpuint(n, >, 40);
    g_assert_cmpuint(g_hash_table_size(boards), >, 20);
    GHashTableIter iter;
    gpointer value;
    g_hash_table_iter_init(&iter, boards);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        const Opcode *opcode = value;
        g_test_message("%s: %u of %u", opcode->opcode, opcode->boards, opcode->n);
        if (opcode->n >= FEW)
            g_assert_cmpuint(opcode->boards, >, 0);
    }
}

static PsSassLatency latency(const char *name, const char *operands, int capability)
{
    guint at[PS_SASS_MOST_OPERANDS];
    g_auto(GStrv) kept = NULL, parts = g_strsplit(name, ".", -1);
    g_autoptr(GArray) list = ps_sass_operands(operands, &kept);
    const PsSassRow *row = ps_sass_row(parts, list, at);
    g_assert_nonnull(row);
    return ps_sass_latency(row, name, capability);
}

/* Opcodes that the stored listings do not have. */
static void test_rare(void)
{
    g_assert_cmpint(latency("B2R.RESULT", "R2,P0", 80), ==, PS_SASS_SCOREBOARD);
    g_assert_cmpint(latency("R2UR", "UR4,R2", 75), ==, PS_SASS_SCOREBOARD);
    g_assert_cmpint(latency("R2UR", "UR4,R2", 89), ==, PS_SASS_SCOREBOARD);
    g_assert_cmpint(latency("R2UR", "UR4,R2", 90), ==, PS_SASS_FIXED);
    /* chips for computing have full units for doubles */
    static const struct {
        int capability;
        PsSassLatency latency;
    } doubles[] = {{86, PS_SASS_SCOREBOARD}, {89, PS_SASS_SCOREBOARD},  {90, PS_SASS_FIXED},
                   {100, PS_SASS_FIXED},     {103, PS_SASS_SCOREBOARD}, {120, PS_SASS_SCOREBOARD}};
    for (gsize i = 0; i < G_N_ELEMENTS(doubles); i++)
        g_assert_cmpint(latency("DFMA", "R2,R4,R6,R8", doubles[i].capability), ==,
                        doubles[i].latency);
}

/* A scoreboard where the table says that none is needed is told, once. */
static void test_disagreement(void)
{
    g_autoptr(GBytes) cubin = sass_file("mmul16-80.cubin"), json = sass_file("mmul16-80.json");
    g_autoptr(GError) error = NULL;
    PsSassImage *image = ps_sass_image_new(cubin, "mmul.cubin", &error);
    const PsSassKernel *kernel = image->kernels->pdata[0];
    gsize size = 0;
    const char *text = g_bytes_get_data(json, &size);
    PsSassListing *listing = ps_sass_listing_new(text, (gssize)size, kernel, &error);
    for (guint at = 0x2d0; at <= 0x2f0; at += 0x20)
        g_array_index(listing->instructions, PsSassInstruction, at / PS_SASS_BYTES).control.write =
            1;
    PsSassCode *code = ps_sass_code_new(image, kernel, listing, NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(code->module->warnings->len, ==, 1);
    g_assert_cmpstr(code->module->warnings->pdata[0], ==,
                    "mmul.cubin at 0x2d0: FFMA has a scoreboard for its result, though its latency "
                    "counts as fixed");
    ps_sass_code_free(code);
    ps_sass_image_free(image);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/sass-table/found", test_found);
    g_test_add_func("/sass-table/latencies", test_latencies);
    g_test_add_func("/sass-table/rare", test_rare);
    g_test_add_func("/sass-table/disagreement", test_disagreement);
    return g_test_run();
}
