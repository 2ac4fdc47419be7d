/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups, threads, and the groups that are executed. */
#include "tests/help/launch.h"

static const LaunchCase sized = {.params = ".param .u32 n, .param .u32 x2",
                                 .body = "ld.param.u32 r1, [n]; ld.param.u32 r2, [x2];"};

/* The grid of a kernel with n = 96 and x2 = 2. */
static PsLaunchGrid *grid_of(const char *grid, const char *block, const char *samples,
                             GError **error)
{
    g_autoptr(Launched) launched = launch_with(sized, TEXTS("96", "2"));
    g_assert_no_error(launched->error);
    const PsLaunchTexts texts = {.grid = grid, .block = block, .samples = samples};
    return ps_launch_grid_new(launched->arguments, &texts, error);
}

static void check(const char *text, guint x, guint y, guint z)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsLaunchGrid) grid = grid_of(text, "1", NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(grid->groups.size[0], ==, x);
    g_assert_cmpuint(grid->groups.size[1], ==, y);
    g_assert_cmpuint(grid->groups.size[2], ==, z);
}

static void check_fails(const char *grid, const char *block, const char *samples,
                        const char *message)
{
    g_autoptr(GError) error = NULL;
    g_assert_null(grid_of(grid, block, samples, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_USAGE);
    g_assert_cmpstr(error->message, ==, message);
}

static void test_numbers(void)
{
    check("7", 7, 1, 1);
    check("32x8", 32, 8, 1);
    check("32,8", 32, 8, 1);
    check(" 4 x 3 , 2 ", 4, 3, 2);
    check("2147483647x65535x65535", 2147483647, 65535, 65535);
}

/* As CUDA has sizes, and other signs between them. */
static void test_spellings(void)
{
    check("dim3(4096,1,1)", 4096, 1, 1);
    check("dim3(4096)", 4096, 1, 1);
    check("dim3{n/16, 2}", 6, 2, 1);
    check(" dim3 ( (n+32)/16, max(n, x2) ) ", 8, 96, 1);
    check("(4096,1,1)", 4096, 1, 1);
    check("{64, 2}", 64, 2, 1);
    check("[64,2,3]", 64, 2, 3);
    check("(4096)", 4096, 1, 1);
    check("(n/16)x(n/32)", 6, 3, 1);
    check("(n/16),(n/32)", 6, 3, 1);
    check("4096*1", 4096, 1, 1);
    check("64X2", 64, 2, 1);
    check("64 X 2X3", 64, 2, 3);
    check("(n/16)X2", 6, 2, 1);
    check("64\303\2272\303\2273", 64, 2, 3);
    check_fails("dim3(2,2,2,2)", "1", NULL,
                "grid: 'dim3(2,2,2,2)' has more than three directions; write 32x32 or 64x8x2");
}

/* Three digits behind a comma may be thousands; the message has what runs, with either meaning. */
static void test_thousands(void)
{
    static const struct {
        const char *grid, *threads, *block, *message;
    } cases[] = {
        {"16,384", NULL, "1",
         "--grid: 16,384 may be a number or several directions; write 16384 or 16x384, whichever "
         "is "
         "meant"},
        {" 1,048,576 ", NULL, "1",
         "--grid: a comma divides directions, so that 1,048,576 is no number; write 1048576"},
        {NULL, "2x16,384", "1",
         "--threads: 16,384 may be a number or several directions; write 16384 or 16x384, "
         "whichever "
         "is meant"},
        {"16,384X2", NULL, "1",
         "--grid: 16,384 may be a number or several directions; write 16384 or 16x384, whichever "
         "is "
         "meant"},
        {"(n/2)x1,128", NULL, "1",
         "--grid: 1,128 may be a number or several directions; write 1128 or 1x128, whichever is "
         "meant"},
        {"1", NULL, "1,024",
         "--block: a comma divides directions, so that 1,024 is no number; write 1024"},
        {"64,128,4", NULL, "2,128", NULL},
        {"dim3(16,384)", NULL, "1,128", NULL},
        {"(16,384)", NULL, "{1,128}", NULL},
        {"16, 384", NULL, "16,16", NULL},
        {"max(16,384)", NULL, "1", NULL},
        {"n,16,384", NULL, "1", NULL},
        {"x2,384", NULL, "1", NULL},
        {"64,100,4", NULL, "1", NULL},
        {"16,384,2", NULL, "1", NULL}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        const PsLaunchTexts texts = {.grid = cases[i].grid,
                                     .threads = cases[i].threads,
                                     .block = cases[i].block,
                                     .argument_name = "--arg",
                                     .grid_name = "--grid",
                                     .threads_name = "--threads",
                                     .block_name = "--block"};
        (void)ps_launch_texts_check(&texts, &error);
        g_assert_cmpstr(error ? error->message : NULL, ==, cases[i].message);
    }
}

/* A grid and a block at once. */
static void test_whole_launches(void)
{
    static const struct {
        const char *grid, *block, *message;
    } cases[] = {
        {"<<<4096,256>>>", "1",
         "--grid: '<<<4096,256>>>' is all of a launch; write --grid 4096 --block 256"},
        {"k<<<dim3(64, 64), dim3(16,16), 0, stream>>>(a)", "1",
         "--grid: 'k<<<dim3(64, 64), dim3(16,16), 0, stream>>>(a)' is all of a launch; write "
         "--grid '64, 64' --block 16,16"},
        {"1", "<<< (n + 255) / 256, 256, 1024",
         "--block: '<<< (n + 255) / 256, 256, 1024' is all of a launch; write --grid '(n + 255) / "
         "256' --block 256 --shared 1024"},
        {"<<<dim3(16,384), 256>>>", "1",
         "--grid: '<<<dim3(16,384), 256>>>' is all of a launch; write --grid 16x384 --block 256"}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        const PsLaunchTexts texts = {.grid = cases[i].grid,
                                     .block = cases[i].block,
                                     .argument_name = "--arg",
                                     .grid_name = "--grid",
                                     .block_name = "--block",
                                     .shared_name = "--shared"};
        g_assert_false(ps_launch_texts_check(&texts, &error));
        g_assert_error(error, PS_ERROR, PS_ERROR_USAGE);
        g_assert_cmpstr(error->message, ==, cases[i].message);
    }
}

static void test_formulas(void)
{
    check("n", 96, 1, 1);
    check("n/16", 6, 1, 1);
    check("(n/16)x(n/32)", 6, 3, 1);
    check("n/16xn/32", 6, 3, 1);
    check("x2 x x2", 2, 2, 1);
    check("2*(n-90),x2,n", 12, 2, 96);
    check("max(n,x2)xmin(n,x2)", 96, 2, 1);
}

/* Names need no parentheses around them where an x divides them; a name that has an x stays one. */
static void test_names(void)
{
    check("nxn", 96, 96, 1);
    check("nx16", 96, 16, 1);
    check("nxx2", 96, 2, 1);
    check("x2xn", 2, 96, 1);
    check("x2", 2, 1, 1);
    check("n/16xn/32x2", 6, 3, 2);
    check("ceil(n/100)xmax(n,x2)", 1, 96, 1);
    check_fails("nxm", "1", NULL,
                "grid: \"nxm\": there is no parameter \"nxm\"; known here: n, x2");
}

/* block.x to block.z in the grid are the threads of a group; so is CUDA's blockDim. */
static void test_block_in_grid(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsLaunchGrid) grid =
        grid_of("ceil(n/block.x)x1000/block.yxblock.z", "10xx2x4", NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(grid->groups.size[0], ==, 10);
    g_assert_cmpuint(grid->groups.size[1], ==, 500);
    g_assert_cmpuint(grid->groups.size[2], ==, 4);
    g_assert_cmpstr(grid->groups.text[0], ==, "ceil(n/10)");
    g_assert_cmpstr(grid->groups.text[1], ==, "1000/(x2)");
    g_autoptr(PsLaunchGrid) cuda =
        grid_of("ceil(n/blockDim.x)xx2*blockDim.yxblock.z", "10xx2x4", NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpstr(cuda->groups.text[0], ==, "ceil(n/10)");
    g_assert_cmpstr(cuda->groups.text[1], ==, "x2*(x2)");
    g_assert_cmpuint(cuda->groups.size[2], ==, 4);
    check_fails("n/blockDim.w", "1", NULL,
                "grid: \"n/blockDim.w\": \".\" at character 11 has no meaning in an expression"
                "; write 4096, 64x64, or a formula such as ceil(n/256)");
}

/* As many groups as cover the threads. */
static void test_threads(void)
{
    static const struct {
        const char *threads, *block;
        guint x, y, z;
        const char *text;
    } cases[] = {{"4096x4096", "16x8", 256, 512, 1, NULL},
                 {"1000", "256", 4, 1, 1, NULL},
                 {"16M", "256", 65536, 1, 1, NULL},
                 {"(16M + 1K) / 2", "256", 32770, 1, 1, "ceil(((16777216 + 1024) / 2)/256)"},
                 {"1K, 2K", "32x8", 32, 256, 1, NULL},
                 {"1024", "256", 4, 1, 1, NULL},
                 {"1", "256x4x2", 1, 1, 1, NULL},
                 {"n*11", "x2*16", 33, 1, 1, "ceil((n*11)/(x2*16))"},
                 {"n", "64", 2, 1, 1, "ceil((n)/64)"},
                 {"4294967295", "2", 2147483648U, 0, 0, NULL}};
    g_autoptr(Launched) launched = launch_with(sized, TEXTS("96", "2"));
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        const PsLaunchTexts texts = {.threads = cases[i].threads, .block = cases[i].block};
        g_autoptr(PsLaunchGrid) grid = ps_launch_grid_new(launched->arguments, &texts, &error);
        if (cases[i].x > G_MAXINT32) {
            g_assert_cmpstr(error ? error->message : "", ==,
                            "threads: 4294967295 threads in direction x are 2147483648 groups of "
                            "2, and a grid has at most 2147483647 there");
            continue;
        }
        g_assert_no_error(error);
        g_assert_cmpuint(grid->groups.size[0], ==, cases[i].x);
        g_assert_cmpuint(grid->groups.size[1], ==, cases[i].y);
        g_assert_cmpuint(grid->groups.size[2], ==, cases[i].z);
        g_assert_cmpstr(grid->groups.text[0], ==, cases[i].text);
    }
}

/* What is wrong whatever the code is, and what may be right for some. */
static void test_before_code(void)
{
    static const struct {
        const char *grid, *threads, *block, *samples, *argument, *message;
    } cases[] = {
        {"4x", NULL, "1", NULL, "n=1", "--grid: '4x' lacks a number; write 32x32 or 64x8x2"},
        {"4*(", NULL, "1", NULL, "n=1",
         "--grid: \"4*(\": ends where a value is expected"
         "; write 4096, 64x64, or a formula such as ceil(n/256)"},
        {NULL, "0", "1", NULL, "n=1",
         "--threads: the 0 in direction x must be a number from 1 to 4294967295"},
        {"1", NULL, "2048", NULL, "n=1",
         "--block: the 2048 in direction x must be a number from 1 to 1024"},
        {"1", NULL, "32x64", NULL, "n=1",
         "a group of 32x64x1 is 2048 threads, and 1024 are the most"},
        {"1", NULL, "1", "1;2y", "n=1", "--sample: '2y' is no group; write X,Y,Z, each from 0"},
        {"1", NULL, "1", NULL, "a=zreo:4K",
         "--arg a: a buffer cannot be filled with 'zreo'; it is zero:BYTES, ramp:BYTES[:TYPE], "
         "random:BYTES[:SEED[:TYPE[:BELOW]]] or @FILE"},
        {"1", NULL, "1", NULL, "zero:4*(n",
         "--arg zero:4*(n: '4*(n' is no number of bytes; write 4096, 4K, 4M, 1G, or a formula of "
         "other arguments such as 4*n"},
        {"1", NULL, "1", NULL, "s+8=@no-such-file",
         "no-such-file: cannot be read: No such file or directory"},
        {"n/block.xxTILE", NULL, "TILE", "all", "a=zero:4*n*TILE", NULL},
        {"nxm", NULL, NULL, "0,1;7", "anything", NULL},
        {NULL, "wxh", "16x16", NULL, NULL, NULL},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        const char *const arguments[] = {cases[i].argument, NULL};
        const PsLaunchTexts texts = {.grid = cases[i].grid,
                                     .threads = cases[i].threads,
                                     .block = cases[i].block,
                                     .samples = cases[i].samples,
                                     .arguments = arguments,
                                     .argument_name = "--arg",
                                     .grid_name = "--grid",
                                     .threads_name = "--threads",
                                     .block_name = "--block",
                                     .sample_name = "--sample"};
        const gboolean good = ps_launch_texts_check(&texts, &error);
        g_test_message("%s %s", cases[i].grid, cases[i].argument);
        g_assert_true(good == !cases[i].message);
        g_assert_cmpstr(error ? error->message : NULL, ==, cases[i].message);
    }
}

/* What numbers alone tell of a block. */
static void test_blocks(void)
{
    static const char *const good[] = {"32x32", "(64/2)x(64/2)", "n", "nx1024x64", "2000", "x"};
    static const char *const bad[] = {"33x32", "(64/1)x(64/2)", "2,16,33"};
    static const char *const messages[] = {
        "a group of 33x32x1 is 1056 threads, and 1024 are the most",
        "a group of 64x32x1 is 2048 threads, and 1024 are the most",
        "a group of 2x16x33 is 1056 threads, and 1024 are the most"};
    for (guint i = 0; i < G_N_ELEMENTS(good); i++)
        g_assert_true(ps_launch_block_check(good[i], NULL));
    for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) error = NULL;
        g_assert_false(ps_launch_block_check(bad[i], &error));
        g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
        g_assert_cmpstr(error->message, ==, messages[i]);
    }
}

/* Expressions stay as they were written, numbers leave none. */
static void test_texts(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsLaunchGrid) grid = grid_of("n/16 x 4", "x2", NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpstr(grid->groups.text[0], ==, "n/16");
    g_assert_null(grid->groups.text[1]);
    g_assert_null(grid->groups.text[2]);
    g_assert_cmpstr(grid->threads.text[0], ==, "x2");
    g_assert_cmpuint(grid->n_samples, ==, 0);
}

static void test_wrong(void)
{
    check_fails(NULL, "1", NULL, "say how many groups there are, such as grid 32x32");
    check_fails("1", NULL, NULL, "say how many threads a group has, such as block 32x8");
    check_fails("0", "1", NULL, "grid: the 0 in direction x must be a number from 1 to 2147483647");
    check_fails("2147483648", "1", NULL,
                "grid: the 2147483648 in direction x must be a number from 1 to 2147483647");
    check_fails("1x65536", "1", NULL,
                "grid: the 65536 in direction y must be a number from 1 to 65535");
    check_fails("1x1x65536", "1", NULL,
                "grid: the 65536 in direction z must be a number from 1 to 65535");
    check_fails("1", "1025", NULL,
                "block: the 1025 in direction x must be a number from 1 to 1024");
    check_fails("1", "1x1x65", NULL, "block: the 65 in direction z must be a number from 1 to 64");
    check_fails("1x2x3x4", "1", NULL,
                "grid: '1x2x3x4' has more than three directions; write 32x32 or 64x8x2");
    check_fails("1,,2", "1", NULL, "grid: '1,,2' lacks a number; write 32x32 or 64x8x2");
    check_fails("", "1", NULL, "grid: '' lacks a number; write 32x32 or 64x8x2");
    check_fails("n-96", "1", NULL,
                "grid: the number in each direction \"n-96\" is 0; it must be at least 1");
    check_fails("m", "1", NULL, "grid: \"m\": there is no parameter \"m\"; known here: n, x2");
    check_fails("n/block", "1", NULL,
                "grid: \"n/block\": there is no parameter \"block\"; known here: n, x2, block.x, "
                "block.y, block.z");
    check_fails("n/blockdim", "1", NULL,
                "grid: \"n/blockdim\": there is no parameter \"blockdim\"; known here: n, x2, "
                "block.x, block.y, block.z");
}

/* What the kernel requires need not be given, and what is given counts. */
static void test_required(void)
{
    const LaunchCase requires = {.required = "32, 8"};
    const PsLaunchTexts none = {.grid = "1"}, given = {.grid = "1", .block = "64"};
    g_autoptr(GError) error = NULL;
    g_autoptr(Launched) launched = launch_new(&requires);
    g_autoptr(PsLaunchGrid) required = ps_launch_grid_new(launched->arguments, &none, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(required->threads.size[0], ==, 32);
    g_assert_cmpuint(required->threads.size[1], ==, 8);
    g_assert_cmpuint(required->threads.size[2], ==, 1);
    g_autoptr(Launched) line = launch_new(&(LaunchCase){.required = "64"});
    g_autoptr(PsLaunchGrid) flat = ps_launch_grid_new(line->arguments, &none, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(flat->threads.size[0], ==, 64);
    g_autoptr(PsLaunchGrid) other = ps_launch_grid_new(launched->arguments, &given, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(other->threads.size[0], ==, 64);
    g_assert_cmpuint(other->threads.size[1], ==, 1);
}

/* ---- samples -------------------------------------------------------------------------------- */

static void test_samples(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsLaunchGrid) some = grid_of("4x3x2", "1", " 3,2,1; 1 ;0,2;", &error);
    g_assert_no_error(error);
    static const guint expected[3][3] = {{3, 2, 1}, {1, 0, 0}, {0, 2, 0}};
    g_assert_cmpmem(some->samples, some->n_samples * sizeof *some->samples, expected,
                    sizeof expected);
    g_autoptr(PsLaunchGrid) all = grid_of("4x3x2", "1", "all", &error);
    g_assert_no_error(error);
    g_assert_cmpuint(all->n_samples, ==, 24);
    for (guint i = 0; i < 24; i++)
        g_assert_cmpuint(all->samples[i][0] + 4 * all->samples[i][1] + 12 * all->samples[i][2], ==,
                         i);
    g_assert_cmpuint(all->samples[23][1], ==, 2);
}

static void test_wrong_samples(void)
{
    static const char GROUP[] = " is no group of a grid of 4x3x1; write X,Y,Z, each from 0";
    static const char *const texts[] = {"4,0", "0,3", "0,0,1", "0,0,0,0", "-1", "x", "1,"};
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autofree char *message = g_strdup_printf("sample: '%s'%s", texts[i], GROUP);
        check_fails("4x3", "1", texts[i], message);
    }
    check_fails("4x3", "1", " ; ",
                "sample: it names no group; write X,Y[,Z], several of them with "
                ";, or all");
    check_fails("2048x2048x2", "1", "all",
                "sample all: the grid has more than 4194304 groups; execute a smaller grid, or a "
                "few of its groups");
    g_autoptr(GError) error = NULL;
    g_autoptr(PsLaunchGrid) most = grid_of("2048x2048", "1", "all", &error);
    g_assert_no_error(error);
    g_assert_cmpuint(most->n_samples, ==, 4194304);
}

/* Messages call the texts what the user does. */
static void test_words(void)
{
    g_autoptr(Launched) launched = launch_with(sized, TEXTS("96", "2"));
    const PsLaunchTexts words = {
        .grid_name = "--grid", .block_name = "--block", .sample_name = "--sample"};
    static const struct {
        const char *grid, *block, *samples, *message;
    } cases[] = {
        {NULL, "1", NULL, "say how many groups there are, such as --grid 32x32"},
        {"0", "1", NULL, "--grid: the 0 in direction x must be a number from 1 to 2147483647"},
        {"1", NULL, NULL, "say how many threads a group has, such as --block 32x8"},
        {"1", "0", NULL, "--block: the 0 in direction x must be a number from 1 to 1024"},
        {"1", "1", "1", "--sample: '1' is no group of a grid of 1x1x1; write X,Y,Z, each from 0"},
        {"1", "1", "",
         "--sample: it names no group; write X,Y[,Z], several of them with ;, or all"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        PsLaunchTexts texts = words;
        texts.grid = cases[i].grid;
        texts.block = cases[i].block;
        texts.samples = cases[i].samples;
        g_assert_null(ps_launch_grid_new(launched->arguments, &texts, &error));
        g_assert_cmpstr(error->message, ==, cases[i].message);
    }
}

/* A name is replaced where it is a word of its own. */
static void test_substitute(void)
{
    static const struct {
        const char *text, *with;
    } cases[] = {{"(n/TILE)x(n/TILE)", "(n/16)x(n/16)"},
                 {"TILE", "16"},
                 {"TILES+MY_TILE+TILE2", "TILES+MY_TILE+TILE2"},
                 {"zero:4*TILE*TILE", "zero:4*16*16"},
                 {"", ""}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = ps_launch_substitute(cases[i].text, "TILE", "16");
        g_assert_cmpstr(text, ==, cases[i].with);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/launch/grid/numbers", test_numbers);
    g_test_add_func("/launch/grid/spellings", test_spellings);
    g_test_add_func("/launch/grid/thousands", test_thousands);
    g_test_add_func("/launch/grid/whole-launches", test_whole_launches);
    g_test_add_func("/launch/grid/formulas", test_formulas);
    g_test_add_func("/launch/grid/blocks", test_blocks);
    g_test_add_func("/launch/grid/texts", test_texts);
    g_test_add_func("/launch/grid/wrong", test_wrong);
    g_test_add_func("/launch/grid/required", test_required);
    g_test_add_func("/launch/grid/samples", test_samples);
    g_test_add_func("/launch/grid/wrong-samples", test_wrong_samples);
    g_test_add_func("/launch/grid/words", test_words);
    g_test_add_func("/launch/substitute", test_substitute);
    g_test_add_func("/launch/grid/names", test_names);
    g_test_add_func("/launch/grid/block-in-grid", test_block_in_grid);
    g_test_add_func("/launch/grid/threads", test_threads);
    g_test_add_func("/launch/grid/before-code", test_before_code);
    return g_test_run();
}
