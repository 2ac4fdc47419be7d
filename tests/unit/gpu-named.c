/* SPDX-License-Identifier: BSD-3-Clause */
/* GPUs by the names that people, drivers and compilers give them: which description each means. */
#include "gpu/gpu.h"
#include "gpu/named.h"
#include <string.h>

/* Those of a family, as messages name them. */
#define SM_86                                                                                      \
    "a10 a2 a2000 a40 a4000 a5000 a6000 rtx3060 rtx3060m rtx3060ti rtx3070 rtx3070m rtx3070ti "    \
    "rtx3080 rtx3080ti rtx3090 rtx3090ti"
#define SM_120 "pro6000 pro6000mq rtx5060ti rtx5070 rtx5070ti rtx5080 rtx5090"
#define SM_89                                                                                      \
    "6000ada l4 l40 l40s rtx4060 rtx4060m rtx4060ti rtx4070 rtx4070m rtx4070s rtx4070ti rtx4080 "  \
    "rtx4080s rtx4090"
#define SM_90 "gh200 h100 h100-nvl h100-pcie h20 h200"
#define SM_75 "gtx1650 qrtx4000 rtx2060 rtx2070 rtx2070s rtx2080 rtx2080ti t4"
#define SM_61 "gtx1060 gtx1070 gtx1080 gtx1080ti"

typedef struct {
    GPtrArray *gpus, *files;
    GArray *cards; /* PsGpuCard */
} Known;

/* All descriptions that come along. */
static Known known(void)
{
    Known all = {g_ptr_array_new_with_free_func((GDestroyNotify)(void (*)(void))ps_gpu_free),
                 g_ptr_array_new_with_free_func(g_free),
                 g_array_new(FALSE, FALSE, sizeof(PsGpuCard))};
    g_autoptr(GDir) folder = g_dir_open("gpus", 0, NULL);
    g_assert_nonnull(folder);
    const char *name;
    while (folder && (name = g_dir_read_name(folder)) != NULL) {
        if (!g_str_has_suffix(name, ".xml"))
            continue;
        g_autoptr(GError) error = NULL;
        g_autofree char *path = g_build_filename("gpus", name, NULL);
        PsGpu *gpu = ps_gpu_load(path, &error);
        g_assert_no_error(error);
        char *file = g_strndup(name, strlen(name) - strlen(".xml"));
        const PsGpuCard card = {file, gpu->name, gpu->capability, gpu->device_memory};
        g_ptr_array_add(all.gpus, gpu);
        g_ptr_array_add(all.files, file);
        g_array_append_val(all.cards, card);
    }
    return all;
}

static void known_clear(Known *all)
{
    g_ptr_array_unref(all->gpus);
    g_ptr_array_unref(all->files);
    g_array_unref(all->cards);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Known, known_clear)

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* "h100 h200", sorted. */
static char *files_of(const Known *all, const GArray *which)
{
    g_autoptr(GPtrArray) files = g_ptr_array_new();
    for (guint i = 0; i < which->len; i++)
        g_ptr_array_add(files, all->files->pdata[g_array_index(which, guint, i)]);
    g_ptr_array_sort(files, by_text);
    g_ptr_array_add(files, NULL);
    return g_strjoinv(" ", (char **)files->pdata);
}

static char *meant(const Known *all, const char *written)
{
    g_autoptr(GArray) found =
        ps_gpu_named(written, (const PsGpuCard *)(void *)all->cards->data, all->cards->len);
    return files_of(all, found);
}

/* What the verb list prints: files, and names. */
static void test_round_trip(void)
{
    g_auto(Known) all = known();
    g_assert_cmpuint(all.cards->len, >=, 32);
    for (guint i = 0; i < all.cards->len; i++) {
        const PsGpuCard *card = &g_array_index(all.cards, PsGpuCard, i);
        g_autofree char *upper = g_ascii_strup(card->file, -1);
        g_autofree char *by_file = meant(&all, card->file), *by_name = meant(&all, card->name),
                        *by_upper = meant(&all, upper);
        g_assert_cmpstr(by_file, ==, card->file);
        g_assert_cmpstr(by_upper, ==, card->file);
        /* The paper's description is of a card that has one of its own. */
        g_assert_cmpstr(by_name, ==, strcmp(card->file, "pascal") == 0 ? "gtx1060" : card->file);
    }
}

static const struct {
    const char *written, *files;
} spellings[] = {
    {"A100", "a100"},
    {"NVIDIA A100", "a100"},
    {"A100-SXM4-40GB", "a100"},
    {"NVIDIA A100-SXM4-80GB", "a100-80"},
    {"a100 80gb", "a100-80"},
    {"A100 80 GB", "a100-80"},
    {"A100-80", "a100-80"},
    {"A100 SXM4", "a100 a100-80"},
    {"A100 SXM 80GB", "a100-80"},
    {"NVIDIA A40", "a40"},
    {"A4000", "a4000"},
    {"NVIDIA RTX A4000", "a4000"},
    {"rtx-a6000", "a6000"},
    {"RTXA6000", "a6000"},
    {"NVIDIA B200", "b200"},
    {"Fermi", "fermi"},
    {"C2050", "fermi"},
    {"tesla c2050", "fermi"},
    {"1080 Ti", "gtx1080ti"},
    {"GTX1080Ti", "gtx1080ti"},
    {"NVIDIA GeForce GTX 1080 Ti", "gtx1080ti"},
    {"660", "gtx660"},
    {"geforce gtx 960", "gtx960"},
    {"H100", "h100"},
    {"NVIDIA H100 80GB HBM3", "h100"},
    {"H100 SXM", "h100"},
    {"h100 sxm5", "h100"},
    {"NVIDIA H100 PCIe", "h100-pcie"},
    {"h100_pcie", "h100-pcie"},
    {"H100 PCIe 80GB", "h100-pcie"},
    {"NVIDIA H200", "h200"},
    {"H200 141GB", "h200"},
    {"NVIDIA L40", "l40"},
    {"L40S", "l40s"},
    {"AMD Instinct MI100", "mi100"},
    {"MI210", "mi210"},
    {"AMD Instinct MI250", "mi250"},
    {"mi-250x", "mi250x"},
    {"AMD Instinct MI250X / MI250", ""},
    {"AMD Instinct MI300X OAM", "mi300x"},
    {"P100", "p100"},
    {"Tesla P100-SXM2-16GB", "p100"},
    {"1060", "gtx1060"},
    {"1060 6GB", "gtx1060"},
    {"gtx1060", "gtx1060"},
    {"GTX 1060", "gtx1060"},
    {"GTX 1060 6GB", "gtx1060"},
    {"GeForce GTX 1060 6 GB", "gtx1060"},
    {"NVIDIA GeForce GTX 1060 6GB", "gtx1060"},
    {"Pascal", "pascal"},
    {"1080", "gtx1080"},
    {"GTX 1070", "gtx1070"},
    {"RTX 2070 Super", "rtx2070s"},
    {"rtx2070super", "rtx2070s"},
    {"rtx2070s", "rtx2070s"},
    {"NVIDIA GeForce RTX 2070 SUPER", "rtx2070s"},
    {"2080", "rtx2080"},
    {"Quadro RTX 4000", "qrtx4000"},
    {"RTX 3090 Ti", "rtx3090ti"},
    {"NVIDIA GeForce RTX 3070 Laptop GPU", "rtx3070m"},
    {"RTX 3070 Mobile", "rtx3070m"},
    {"3070m", "rtx3070m"},
    {"4060 laptop", "rtx4060m"},
    {"RTX 3060 Laptop GPU", "rtx3060m"},
    {"RTX 4070 Max-Q", ""},
    {"4060", "rtx4060"},
    {"RTX 4060 Ti", "rtx4060ti"},
    {"4070 Super", "rtx4070s"},
    {"4070s", "rtx4070s"},
    {"RTX 4070 Ti", "rtx4070ti"},
    {"RTX 4080 Super", "rtx4080s"},
    {"RTX 5070 Ti", "rtx5070ti"},
    {"NVIDIA RTX A2000", "a2000"},
    {"NVIDIA A2", "a2"},
    {"sm_61", SM_61},
    {"2070", "rtx2070"},
    {"NVIDIA GeForce RTX 2070", "rtx2070"},
    {"2080Ti", "rtx2080ti"},
    {"RTX 2080-Ti", "rtx2080ti"},
    {"3090", "rtx3090"},
    {"rtx 3090", "rtx3090"},
    {"4090", "rtx4090"},
    {"NVIDIA GeForce RTX 4090", "rtx4090"},
    {"5070", "rtx5070"},
    {"RTX5090", "rtx5090"},
    {"6900 XT", "rx6900xt"},
    {"AMD Radeon RX 6900 XT", "rx6900xt"},
    {"7900xtx", "rx7900xtx"},
    {"AMD Radeon(TM) RX 7900 XTX", "rx7900xtx"},
    {"Tesla T4", "t4"},
    {"V100", "v100"},
    {"Tesla V100-PCIE-16GB", "v100"},
    {"sm_70", "v100"},
    {"compute_70", "v100"},
    {"3080", "rtx3080"},
    {"RTX 3060 Ti", "rtx3060ti"},
    {"3060", "rtx3060"},
    {"NVIDIA GeForce RTX 5060 Ti", "rtx5060ti"},
    {"a10", "a10"},
    {"NVIDIA A10", "a10"},
    {"A30", "a30"},
    {"RTX A5000", "a5000"},
    {"L4", "l4"},
    {"NVIDIA RTX 6000 Ada Generation", "6000ada"},
    {"RTX PRO 6000", "pro6000"},
    {"rtxpro6000", "pro6000"},
    {"NVIDIA RTX PRO 6000 Blackwell Workstation Edition", "pro6000"},
    {"NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition", "pro6000mq"},
    {"NVIDIA H100 NVL", "h100-nvl"},
    {"NVIDIA H20", "h20"},
    {"NVIDIA GB200", "gb200"},
    {"NVIDIA GB200 NVL72", "gb200"},
    {"GH200", "gh200"},
    {"NVIDIA GH200 480GB", "gh200"},
    {"RTX 3080 10GB", "rtx3080"},
    {"B200 180GB", "b200"},
    {"NVIDIA B300 288GB", "b300"},
    {"RTX 3060 12 GB", "rtx3060"},
    {"NVIDIA B300 SXM6 AC", "b300"},
    {"Jetson Orin", "orin"},
    {"NVIDIA Jetson AGX Orin Developer Kit", "orin"},
    {"AMD Instinct MI300A", "mi300a"},
    {"RX 7800 XT", "rx7800xt"},
    {"AMD Radeon RX 9070 XT", "rx9070xt"},
    {"sm_87", "orin"},
    {"sm_103", "b300"},
    {"gfx950", "mi355x"},
    {"gfx1101", "rx7800xt"},
    {"gfx1201", "rx9070xt"},
    {"sm100", "b200 gb200"},
    {"SM_60", "p100"},
    {"sm_90a", SM_90},
    {"compute_86", SM_86},
    {"gfx90a", "mi210 mi250 mi250x"},
    {"gfx90a:sramecc+:xnack-", "mi210 mi250 mi250x"},
    {"gfx942", "mi300a mi300x mi325x"},
    {"gfx1100", "rx7900xtx"},
    {"GFX1030", "rx6900xt"},
    {"gfx908", "mi100"},
    {"RTX NVIDIA 4090", "rtx4090"},
    {"GeForce 4090 RTX", "rtx4090"},
    {"A100 NVIDIA", "a100"},
    {"Ti 2080", "rtx2080ti"},
    {"RTX Ti 2080", "rtx2080ti"},
    {"XTX 7900", "rx7900xtx"},
    {"Quadro RTX A4000", "a4000"},
    {"GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-1)", "a100"},
    {"HGX H100", "h100"},
    {"NVIDIA HGX A100 80GB", "a100-80"},
};

static void test_spellings(void)
{
    g_auto(Known) all = known();
    for (guint i = 0; i < G_N_ELEMENTS(spellings); i++) {
        g_autofree char *files = meant(&all, spellings[i].written);
        g_test_message("%s", spellings[i].written);
        g_assert_cmpstr(files, ==, spellings[i].files);
    }
}

static const struct {
    const char *written, *family, *files;
} other_cards[] = {
    {"a10g", "compute capability 8.6", SM_86},
    {"A30X", "compute capability 8.0", "a100 a100-80 a30"},
    {"A100 PCIe", "compute capability 8.0", "a100 a100-80 a30"},
    {"A100X", "compute capability 8.0", "a100 a100-80 a30"},
    {"V100-SXM2-32GB", "compute capability 7.0", "v100"},
    {"H800", "compute capability 9.0", SM_90},
    {"H200 NVL", "compute capability 9.0", SM_90},
    {"GTX 1060 3GB", "compute capability 6.1", SM_61},
    {"GTX 1070 Ti", "compute capability 6.1", SM_61},
    {"RTX 2080 Super", "compute capability 7.5", SM_75},
    {"2080s", "compute capability 7.5", SM_75},
    {"RTX 2080 Mobile", "compute capability 7.5", SM_75},
    {"RTX A2000 12GB", "compute capability 8.6", SM_86},
    {"RTX 4060 Ti 16GB", "compute capability 8.9", SM_89},
    {"RTX 4090 Laptop GPU", "compute capability 8.9", SM_89},
    {"RTX 4090 D", "compute capability 8.9", SM_89},
    {"NVIDIA RTX 5000 Ada Generation", "compute capability 8.9", SM_89},
    {"RTX 5060", "compute capability 12.0", SM_120},
    {"NVIDIA RTX PRO 6000 Blackwell Server Edition", "compute capability 12.0", SM_120},
    {"RTX PRO 4500", "compute capability 12.0", SM_120},
    {"NVIDIA GB10", "compute capability 12.1", ""},
    {"NVIDIA GeForce RTX 3080 12GB", "compute capability 8.6", SM_86},
    {"RTX 3060 8 GB", "compute capability 8.6", SM_86},
    {"RTX 2060 12GB", "compute capability 7.5", SM_75},
    {"Quadro RTX 6000", "compute capability 7.5", SM_75},
    {"NVIDIA TITAN RTX", "compute capability 7.5", SM_75},
    {"NVIDIA H20-3e", "compute capability 9.0", SM_90},
    {"Jetson AGX Orin 32GB", "compute capability 8.7", "orin"},
    {"GTX 4090", "compute capability 8.9", SM_89},
    {"7900 XT", "gfx1100", "rx7900xtx"},
    {"MI308X", "gfx942", "mi300a mi300x mi325x"},
    {"Tesla K40c", "compute capability 3.5", ""},
    {"Jetson Orin Nano", "compute capability 8.7", "orin"},
    {"sm_88", "compute capability 8.8", ""},
    {"cc 8.8", "compute capability 8.8", ""},
    {"rtx4080m", "compute capability 8.9", SM_89},
    {"Quadro 4000", NULL, ""},
    {"RTX 4000", NULL, ""},
    {"GTX 960M", "compute capability 5.2", "gtx960"},
    {"RTX 4000 SFF Ada", "compute capability 8.9", SM_89},
    {"DGX Spark", "compute capability 12.1", ""},
    {"Jetson Xavier NX", "compute capability 7.2", ""},
    {"AD102", NULL, ""},
    {"TU104", NULL, ""},
    {"Hopper", NULL, ""},
    {"100", NULL, ""},
    {"6000", NULL, ""},
    {"RTX 6000", NULL, ""},
    {"a1", NULL, ""},
    {"a1000000", NULL, ""},
    {"nvidia", NULL, ""},
    {"rtx", NULL, ""},
    {"80gb", NULL, ""},
    {"", NULL, ""},
    {"sm_", NULL, ""},
};

/* Other cards, and what is none, mean no description; of cards that are known the family is. */
static void test_other_cards(void)
{
    g_auto(Known) all = known();
    for (guint i = 0; i < G_N_ELEMENTS(other_cards); i++) {
        g_autoptr(GArray) which = NULL;
        g_autofree char *none = meant(&all, other_cards[i].written);
        g_autofree char *family =
            ps_gpu_family_of(other_cards[i].written, (const PsGpuCard *)(void *)all.cards->data,
                             all.cards->len, &which);
        g_autofree char *files = files_of(&all, which);
        g_test_message("%s", other_cards[i].written);
        g_assert_cmpstr(none, ==, "");
        g_assert_cmpstr(family, ==, other_cards[i].family);
        g_assert_cmpstr(files, ==, other_cards[i].files);
    }
}

/* Architectures and chips are told as what they are, also where one card of them is described. */
static void test_kinds(void)
{
    static const struct {
        const char *written, *files;
    } cases[] = {{"Hopper", SM_90},
                 {"ada lovelace", SM_89},
                 {"Turing", SM_75},
                 {"TU104", "qrtx4000 rtx2070s rtx2080 t4"},
                 {"AD102-300", "6000ada l40 l40s rtx4090"},
                 {"ga100", "a100 a100-80 a30"},
                 {"Navi 31", "rx7900xtx"},
                 {"CDNA3", "mi300a mi300x mi325x"},
                 {"a100", ""},
                 {"4090", ""},
                 {"GP104", "gtx1070 gtx1080"},
                 {"GP106", "gtx1060"},
                 {"", ""}};
    g_auto(Known) all = known();
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GArray) which = ps_gpu_of_kind(
            cases[i].written, (const PsGpuCard *)(void *)all.cards->data, all.cards->len);
        g_autofree char *files = files_of(&all, which);
        g_test_message("%s", cases[i].written);
        g_assert_cmpstr(files, ==, cases[i].files);
    }
}

/* Parts of cards are none that is described, and the whole is named only where it is that card. */
static void test_parts(void)
{
    static const struct {
        const char *written, *whole, *files;
    } cases[] = {{"A100 1g.5gb", "A100", "a100"},
                 {"A100-1g.5gb", "A100-", "a100"},
                 {"NVIDIA A100-SXM4-40GB MIG 3g.20gb", "NVIDIA A100-SXM4-40GB", "a100"},
                 {"NVIDIA H100 80GB HBM3 MIG 1c.3g.40gb", "NVIDIA H100 80GB HBM3", "h100"},
                 {"MIG 1g.10gb+me", "", ""},
                 {"a100 mig", "a100", "a100"},
                 {"NVIDIA A40-48Q", "NVIDIA A40 PCIe", "a40"},
                 {"L40S-48Q", "L40S PCIe", "l40s"},
                 {"GRID T4-16Q", "T4 PCIe", "t4"},
                 {"GRID A100-40C", "A100 PCIe", ""},
                 {"GRID A100DX-80C", "A100DX PCIe", ""},
                 {"A10-24B", "A10 PCIe", "a10"},
                 {"A100", NULL, NULL},
                 {"GRID K520", NULL, NULL},
                 {"RTX 3080-12GB", NULL, NULL},
                 {"rtx3080-10g", NULL, NULL},
                 {"", NULL, NULL}};
    g_auto(Known) all = known();
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const char *what = NULL;
        g_autofree char *whole = ps_gpu_whole_of(cases[i].written, &what);
        g_autofree char *files = whole ? meant(&all, whole) : NULL;
        g_test_message("%s", cases[i].written);
        g_assert_cmpstr(whole, ==, cases[i].whole);
        g_assert_cmpstr(files, ==, cases[i].files);
    }
}

/* A maker's word with a slip; no other word, and no model. */
static void test_slips(void)
{
    static const struct {
        const char *written, *rest;
    } cases[] = {{"gforce 4090", "4090 "},
                 {"nvidea rtx 4090", "rtx 4090 "},
                 {"NVIDIA 4090", NULL},
                 {"geforce rtx 4090", NULL},
                 {"gefroce-rtx-4090", "rtx 4090 "},
                 {"rtx4090", NULL},
                 {"colab t4", NULL},
                 {"", NULL}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *rest = ps_gpu_without_slips(cases[i].written);
        g_test_message("%s", cases[i].written);
        g_assert_cmpstr(rest, ==, cases[i].rest);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/gpu-named/round-trip", test_round_trip);
    g_test_add_func("/gpu-named/spellings", test_spellings);
    g_test_add_func("/gpu-named/other-cards", test_other_cards);
    g_test_add_func("/gpu-named/kinds", test_kinds);
    g_test_add_func("/gpu-named/parts", test_parts);
    g_test_add_func("/gpu-named/slips", test_slips);
    return g_test_run();
}
