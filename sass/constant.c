/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Constant banks and special registers. Bank 0 has the launch's dimensions at its beginning and,
 * from an offset that the kernel states, the parameters; bank 4 has addresses of variables; the
 * other banks hold the program's and the compiler's constants. A constant that the kernel needs is
 * loaded into a register before its first instruction: there PTX has no operand that is a constant.
 */
#include "sass/modifier.h"
#include "sass/tell.h"

#include <string.h>

/* The values that a launch puts into bank 0. Their offsets differ between architectures. */
typedef struct {
    guint at; /* offset from the begin of the launch's values, on chips up to sm_90 */
    const char *is;
} Launched;

static const Launched launched[] = {
    {0x00, "%ntid.x"},   {0x04, "%ntid.y"},   {0x08, "%ntid.z"},
    {0x0c, "%nctaid.x"}, {0x10, "%nctaid.y"}, {0x14, "%nctaid.z"},
};
static const Launched launched_later[] = {
    {0x360, "%ntid.x"},   {0x364, "%ntid.y"},   {0x368, "%ntid.z"},
    {0x370, "%nctaid.x"}, {0x374, "%nctaid.y"}, {0x378, "%nctaid.z"},
};

enum {
    STACK = 0x28,
    STACK_LATER = 0x37c,
    SHARED_WINDOW = 0x18,
    OWN_WINDOW = 0x20,
    OWN_WINDOW_LATER = 0x2f8,
    PARAMETERS = 0x198, /* the generic address of the first byte of parameters */
    PARAMETERS_LATER = 0x348,
    CONSTANTS = 0x50, /* the generic address of the program's constants, bank 3 */
    CONSTANTS_OF_CLUSTERS = 0xd0,
    CONSTANTS_LATER = 0x120,
    CONSTANT_BANK = 3,
    IN_CLUSTERS = 0x140, /* 1: the kernel asks for clusters */
    IN_CLUSTERS_LATER = 0x36c,
    CLUSTER_WORDS = 0x144,
    CLUSTER_SIZE = 0x188,
    CLUSTER_WORDS_LATER = 0x2a0, /* beside SR_CgaSize times -0xa0 */
    CLUSTER_END_LATER = 0x2d0,
    FIRST_CLUSTERS = 90, /* compute capability */
    FIRST_LATER = 100
};

/* The place where all groups of a cooperative launch meet: the halves of its address, the upper one
 * first. On later chips a special register gives its offset, as for words of clusters. */
enum {
    MEETING = 0x8c,
    MEETING_OF_CLUSTERS = 0x44, /* sm_90 */
    MEETING_LATER = 0x254
};

static gboolean is_later(const PsSassTeller *teller)
{
    return teller->image->capability >= FIRST_LATER;
}

static const char *launch_value(const PsSassTeller *teller, gint64 offset)
{
    const Launched *list = is_later(teller) ? launched_later : launched;
    for (guint i = 0; i < G_N_ELEMENTS(launched); i++)
        if (list[i].at == offset)
            return list[i].is;
    if (is_later(teller))
        return NULL;
    const gint64 meeting =
        offset - (teller->image->capability >= FIRST_CLUSTERS ? MEETING_OF_CLUSTERS : MEETING);
    return meeting == 0 ? "%envreg1" : meeting == 4 ? "%envreg2" : NULL;
}

/* TRUE if groups may run in clusters: the kernel asks for them, or has a barrier for them. */
static gboolean in_clusters(const PsSassTeller *teller)
{
    const GArray *code = teller->listing->instructions;
    for (guint i = 0; teller->kernel->cluster[0] == 0 && i < code->len; i++)
        if (strcmp(g_array_index(code, PsSassInstruction, i).opcode, "UCGABAR_ARV") == 0)
            return TRUE;
    return teller->kernel->cluster[0] > 0;
}

/* The word of bank 0 about clusters (g_free); NULL: none, or a reciprocal. There are three words
 * each for x, y and z: the groups of a cluster, their reciprocals as 32-bit numbers, and the number
 * of clusters. */
static char *cluster_value(const PsSassTeller *teller, gint64 offset)
{
    const guint word = (guint)((offset - CLUSTER_WORDS) / 4), direction = word % 3;
    if (teller->image->capability < FIRST_CLUSTERS)
        return NULL;
    if (offset == (is_later(teller) ? IN_CLUSTERS_LATER : IN_CLUSTERS))
        return g_strdup(in_clusters(teller) ? "%is_explicit_cluster" : "0");
    if (is_later(teller))
        return NULL;
    if (offset == CLUSTER_SIZE)
        return g_strdup("%cluster_nctarank");
    if (offset < CLUSTER_WORDS || word >= 9 || word / 3 == 1 || offset % 4 != 0)
        return NULL;
    return g_strdup_printf(word < 3 ? "%%cluster_nctaid.%c" : "%%nclusterid.%c", "xyz"[direction]);
}

/* The direction whose reciprocal is at an offset, 'x' to 'z'; 0: none. */
static char cluster_reciprocal(const PsSassTeller *teller, gint64 offset)
{
    const gint64 word = (offset - CLUSTER_WORDS) / 4;
    if (teller->image->capability < FIRST_CLUSTERS || is_later(teller) || offset < CLUSTER_WORDS ||
        offset % 4 != 0 || word / 3 != 1)
        return 0;
    return "xyz"[word % 3];
}

/* Turns a number of groups, %t0, into its reciprocal. The product with a group's number is
 * truncated, so the reciprocal must not be too small. */
#define TO_NUMBER "cvt.rn.f32.u32 %%t0,%%t0"
#define RECIPROCAL "rcp.rp.f32 %s,%%t0"

/* Appends an instruction of PTX before the kernel's first. */
static void say_first(PsSassTeller *teller, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void say_first(PsSassTeller *teller, const char *format, ...)
{
    const PsSassOrigin origin = {G_MAXUINT, FALSE};
    va_list arguments;
    va_start(arguments, format);
    g_string_append_vprintf(teller->start, format, arguments);
    va_end(arguments);
    g_string_append(teller->start, ";\n");
    g_array_append_val(teller->first_origins, origin);
}

/* ---- parameters ----------------------------------------------------------------------------- */

static char *name_of_param(const PsSassTeller *teller, guint i)
{
    const PsPtxVariable *named =
        teller->named && i < teller->named->params->len ? teller->named->params->pdata[i] : NULL;
    return named ? g_strdup(named->name) : g_strdup_printf("param_%u", i);
}

/* The number of the parameter that contains these bytes; -1: none does. */
static int param_at(const PsSassKernel *kernel, gint64 offset, guint bytes)
{
    for (guint i = 0; i < kernel->params->len; i++) {
        const PsSassParam *param = &g_array_index(kernel->params, PsSassParam, i);
        if (offset >= param->offset && offset + bytes <= (gint64)param->offset + param->size)
            return (int)i;
    }
    return -1;
}

/* type: as in a load: b32, u8. */
static void load_of_param(PsSassTeller *teller, const char *type, const char *to, guint number,
                          gint64 offset)
{
    const PsSassParam *param = &g_array_index(teller->kernel->params, PsSassParam, number);
    g_autofree char *name = name_of_param(teller, number);
    say_first(teller, "ld.param.%s %s,[%s+%" G_GINT64_FORMAT "]", type, to, name,
              offset - param->offset);
}

/* Small parameters share a word, which is built from their bytes. */
static void first_of_params(PsSassTeller *teller, const char *to, gint64 offset, guint bytes)
{
    say_first(teller, "mov.b%u %s,0", 8 * bytes, to);
    for (guint i = 0; i < bytes; i++) {
        const int number = param_at(teller->kernel, offset + i, 1);
        if (number < 0)
            continue;
        load_of_param(teller, "u8", "%t0", (guint)number, offset + i);
        if (bytes == 8)
            say_first(teller, "cvt.u64.u32 %%w0,%%t0");
        const char *byte = bytes == 8 ? "%w0" : "%t0";
        say_first(teller, "shl.b%u %s,%s,%u", 8 * bytes, byte, byte, 8 * i);
        say_first(teller, "or.b%u %s,%s,%s", 8 * bytes, to, to, byte);
    }
}

static void first_of_param(PsSassTeller *teller, const char *to, gint64 offset, guint bytes)
{
    const gint64 at = offset - teller->kernel->parameters_at;
    const int number = param_at(teller->kernel, at, bytes);
    if (number < 0)
        first_of_params(teller, to, at, bytes);
    else
        load_of_param(teller, bytes == 8 ? "b64" : "b32", to, (guint)number, at);
}

/* ---- banks ---------------------------------------------------------------------------------- */

static void first_of_bank(PsSassTeller *teller, const char *to, guint bank, gint64 offset,
                          guint bytes)
{
    const PsSassAddress *address = bank == CONSTANT_BANK
                                       ? NULL /* the program may write another value there */
                                       : ps_sass_address_at(teller->image, bank, offset);
    if (!address) {
        say_first(teller, "ld.const.b%u %s,[bank_%u+%" G_GINT64_FORMAT "]", 8 * bytes, to, bank,
                  offset);
        return;
    }
    g_autofree char *value = ps_sass_address_text(teller->image, address);
    say_first(teller, "mov.b64 %s,%s", bytes == 8 ? to : "%w0", value);
    if (bytes == 4)
        say_first(teller, "mov.b64 {%s,%s},%%w0", offset % 8 ? "_" : to, offset % 8 ? to : "_");
}

/* The generic address of %w0 in that space, or one of its halves. */
static void first_of_window(PsSassTeller *teller, const char *space, const char *to, gint64 half,
                            guint bytes)
{
    say_first(teller, "cvta.%s.u64 %s,%%w0", space, bytes == 8 ? to : "%w0");
    if (bytes == 4)
        say_first(teller, "mov.b64 {%s,%s},%%w0", half ? "_" : to, half ? to : "_");
}

/* The generic address of the parameters, by structs among them: other parameters may lie elsewhere
 * than on the device. FALSE: there is no struct. */
static gboolean first_of_parameters(PsSassTeller *teller, const char *to, gint64 half, guint bytes)
{
    const GArray *params = teller->kernel->params;
    for (guint i = 0; i < params->len; i++) {
        const PsSassParam *param = &g_array_index(params, PsSassParam, i);
        g_autofree char *name = name_of_param(teller, i);
        if (param->size <= 8)
            continue;
        say_first(teller, "mov.b64 %%w0,%s", name);
        say_first(teller, "sub.u64 %%w0,%%w0,%u", param->offset);
        first_of_window(teller, "param", to, half, bytes);
        return TRUE;
    }
    return FALSE;
}

/* The place in bank 0 of the generic address of the program's constants. */
static gint64 constants_at(const PsSassTeller *teller)
{
    if (is_later(teller))
        return CONSTANTS_LATER;
    return teller->image->capability >= FIRST_CLUSTERS ? CONSTANTS_OF_CLUSTERS : CONSTANTS;
}

/* The words of bank 0 other than parameters: 4 bytes, or the lower half of 8 if the upper is
 * unknown. */
static void first_of_launch(PsSassTeller *teller, const char *to, gint64 offset, guint bytes)
{
    g_autofree char *of_clusters = bytes == 4 ? cluster_value(teller, offset) : NULL;
    const char *value = of_clusters  ? of_clusters
                        : bytes == 4 ? launch_value(teller, offset)
                                     : NULL;
    const gint64 own = offset - (is_later(teller) ? OWN_WINDOW_LATER : OWN_WINDOW);
    const gint64 shared = offset - SHARED_WINDOW;
    const gint64 parameters = offset - (is_later(teller) ? PARAMETERS_LATER : PARAMETERS);
    if (teller->image->capability >= 90 && (parameters == 0 || parameters == 4) &&
        first_of_parameters(teller, to, parameters, bytes))
        return;
    const gint64 constants = offset - constants_at(teller);
    const char direction = cluster_reciprocal(teller, offset);
    if ((constants == 0 || constants == 4) && teller->kernel->banks[CONSTANT_BANK].size > 0) {
        say_first(teller, "mov.u64 %%w0,bank_%d", CONSTANT_BANK);
        first_of_window(teller, "const", to, constants, bytes);
    } else if (bytes == 4 && direction) {
        say_first(teller, "mov.u32 %%t0,%%cluster_nctaid.%c", direction);
        say_first(teller, TO_NUMBER);
        say_first(teller, RECIPROCAL, to);
    } else if (value)
        say_first(teller, "mov.u32 %s,%s", to, value);
    else if (offset == (is_later(teller) ? STACK_LATER : STACK) && bytes == 4)
        say_first(teller, "mov.u32 %s,%" G_GUINT64_FORMAT, to, teller->kernel->frame);
    else if ((own == 0 || own == 4) && teller->kernel->frame > 0) {
        say_first(teller, "mov.b64 %%w0,stack_");
        first_of_window(teller, "local", to, own, bytes);
    } else if (!is_later(teller) && (shared == 0 || shared == 4)) {
        say_first(teller, "mov.b64 %%w0,0");
        first_of_window(teller, "shared", to, shared, bytes);
    } else
        say_first(teller, "mov.b%u %s,0", 8 * bytes, to);
}

char *ps_sass_constant(PsSassTeller *teller, guint bank, gint64 offset, guint bytes)
{
    char *name = g_strdup_printf("%%%c%u_%" G_GINT64_FORMAT, bytes == 8 ? 'd' : 'c', bank, offset);
    if (!g_hash_table_add(teller->constants, g_strdup(name)))
        return name;
    if (bank > 0 && bank < PS_SASS_BANKS &&
        teller->kernel->banks[bank].size >= (guint64)offset + bytes)
        first_of_bank(teller, name, bank, offset, bytes);
    else if (bank == 0 && teller->kernel->parameters_at > 0 &&
             offset >= teller->kernel->parameters_at)
        first_of_param(teller, name, offset, bytes);
    else if (bank == 0)
        first_of_launch(teller, name, offset, bytes);
    else
        say_first(teller, "mov.b%u %s,0", 8 * bytes, name);
    return name;
}

/* The register (g_free) with 1 or 2 bytes of a bank, extended to 32 bits; type: as in a load:
 * s8. */
static char *narrow_constant(PsSassTeller *teller, guint bank, gint64 offset, const char *type)
{
    const PsSassKernel *kernel = teller->kernel;
    const gint64 at = offset - kernel->parameters_at;
    const guint bytes = type[1] == '8' ? 1 : 2;
    const int number = bank == 0 && kernel->parameters_at > 0 ? param_at(kernel, at, bytes) : -1;
    char *name = g_strdup_printf("%%c%u_%" G_GINT64_FORMAT "_%s", bank, offset, type);
    if (!g_hash_table_add(teller->constants, g_strdup(name)))
        return name;
    if (number >= 0) {
        load_of_param(teller, type, name, (guint)number, at);
    } else if (bank > 0 && bank < PS_SASS_BANKS &&
               kernel->banks[bank].size >= (guint64)offset + bytes &&
               !ps_sass_address_at(teller->image, bank, offset)) {
        say_first(teller, "ld.const.%s %s,[bank_%u+%" G_GINT64_FORMAT "]", type, name, bank,
                  offset);
    } else {
        g_autofree char *word = ps_sass_constant(teller, bank, offset & ~(gint64)3, 4);
        say_first(teller, "bfe.%c32 %s,%s,%u,%u", type[0], name, word, 8 * (guint)(offset & 3),
                  8 * bytes);
    }
    return name;
}

/* Later chips have the words of clusters, four in a row, at a place that a special register gives.
 * Loads the word there into one of the registers. */
static void say_cluster_word(PsSassTeller *teller, guint word, const char *to, gboolean stands)
{
    enum { GROUPS, RECIPROCALS, CLUSTERS };
    const guint kind = word / 4, direction = word % 4;
    if (direction == 3) {
        ps_sass_say(teller, stands, "mov.u32 %s,%s", to,
                    kind == CLUSTERS ? "%cluster_nctarank" : "0");
    } else if (kind == RECIPROCALS) {
        ps_sass_say(teller, FALSE, "mov.u32 %%t0,%%cluster_nctaid.%c", "xyz"[direction]);
        ps_sass_say(teller, FALSE, TO_NUMBER);
        ps_sass_say(teller, stands, RECIPROCAL, to);
    } else {
        ps_sass_say(teller, stands, "mov.u32 %s,%s.%c", to,
                    kind == GROUPS ? "%cluster_nctaid" : "%nclusterid", "xyz"[direction]);
    }
}

static gboolean has_cluster_words(const PsSassTeller *teller, const PsSassOperand *operand)
{
    return operand->bank == 0 && is_later(teller) && operand->value >= CLUSTER_WORDS_LATER &&
           operand->value < CLUSTER_END_LATER && operand->value % 4 == 0;
}

void ps_sass_load_constant(PsSassTeller *teller, const PsSassOperand *operand, char *const *to,
                           guint n)
{
    const gint64 offset =
        operand->value - (operand->bank == 0 ? (gint64)teller->kernel->parameters_at : 0);
    g_autoptr(GString) type = g_string_new(NULL);
    ps_sass_modifier_say(teller->parts + 1, type, "LOAD", strlen("LOAD"));
    if (operand->reg == PS_SASS_ZERO && operand->uniform == PS_SASS_ZERO) {
        for (guint i = 0; i < n; i++) {
            const gint64 at = operand->value + 4 * i;
            g_autofree char *value = type->str[0] == 'b'
                                         ? ps_sass_constant(teller, operand->bank, at, 4)
                                         : narrow_constant(teller, operand->bank, at, type->str);
            ps_sass_say(teller, i == n - 1, "mov.b32 %s,%s", to[i], value);
        }
        return;
    }
    const gboolean uniform = operand->reg == PS_SASS_ZERO;
    const guint reg = (guint)(uniform ? operand->uniform : operand->reg);
    ps_sass_reads(teller, (uniform ? PS_SASS_FIRST_UNIFORM : PS_SASS_FIRST_REGISTER) + reg, TRUE);
    if (n == 1 && is_later(teller) && operand->bank == 0 &&
        (operand->value == MEETING_LATER || operand->value == MEETING_LATER + 4)) {
        ps_sass_say(teller, TRUE, "mov.u32 %s,%%envreg%d", to[0],
                    operand->value == MEETING_LATER ? 1 : 2);
        return;
    }
    if (has_cluster_words(teller, operand)) {
        ps_sass_say(teller, FALSE, "mov.b32 %%t1,%%%c%u", uniform ? 'u' : 'r', reg);
        for (guint i = 0; i < n; i++)
            say_cluster_word(teller, (guint)(operand->value - CLUSTER_WORDS_LATER) / 4 + i, to[i],
                             i == n - 1);
        return;
    }
    ps_sass_say(teller, FALSE, "cvt.u64.u32 %%w0,%%%c%u", uniform ? 'u' : 'r', reg);
    if (operand->bank != 0) {
        ps_sass_say(teller, FALSE, "mov.u64 %%w1,bank_%u", operand->bank);
        ps_sass_say(teller, FALSE, "add.u64 %%w0,%%w0,%%w1");
    }
    const char *space = operand->bank == 0 ? "param" : "const";
    for (guint i = 0; i < n; i++)
        ps_sass_say(teller, i == n - 1, "ld.%s.%s %s,[%%w0+%" G_GINT64_FORMAT "]", space, type->str,
                    to[i], offset + 4 * i);
}

/* ---- special registers ---------------------------------------------------------------------- */

const char *ps_sass_special(const PsSassTeller *teller, const char *name)
{
    static const struct {
        const char *name, *is;
    } list[] = {
        {"SRZ", "0"},
        {"SR_TID.X", "%tid.x"},
        {"SR_TID.Y", "%tid.y"},
        {"SR_TID.Z", "%tid.z"},
        {"SR_CTAID.X", "%ctaid.x"},
        {"SR_CTAID.Y", "%ctaid.y"},
        {"SR_CTAID.Z", "%ctaid.z"},
        {"SR_LANEID", "%laneid"},
        {"SR_EQMASK", "%lanemask_eq"},
        {"SR_LTMASK", "%lanemask_lt"},
        {"SR_LEMASK", "%lanemask_le"},
        {"SR_GTMASK", "%lanemask_gt"},
        {"SR_GEMASK", "%lanemask_ge"},
        {"SR_CLOCKLO", "%clock"},
        {"SR_CLOCKHI", "%clock_hi"},
        {"SR_GLOBALTIMERLO", "%globaltimer_lo"},
        {"SR_VIRTUALSMID", "%smid"},
        {"SR_NTID", "%ntid.x"},
        {"SR_SMEMSZ", "%total_smem_size"},
        {"SR_CgaSize", "1"},
        {"SR_LMEMHIOFF", "0"},  /* below which code for debuggers takes its stack for full */
        {"SR_SWINHI", "65536"}, /* the upper half of shared memory's window (ptx/run/memory.c) */
    };
    if (strcmp(name, "SR_CgaCtaId") == 0)
        return in_clusters(teller) ? "%cluster_ctarank" : "0";
    for (gsize i = 0; i < G_N_ELEMENTS(list); i++)
        if (strcmp(list[i].name, name) == 0)
            return list[i].is;
    return NULL;
}
