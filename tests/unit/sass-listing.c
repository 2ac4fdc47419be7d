/* SPDX-License-Identifier: BSD-3-Clause */
/* nvdisasm's JSON and the bits of instructions; what has another form is an error. */
#include "tests/help/sass.h"

#include <string.h>

/* A kernel of two instructions. */
static guint8 text[2 * PS_SASS_BYTES];

static const PsSassKernel kernel = {.name = (char *)"k", .text = {text, sizeof text}};

#define HEAD "{\"Producer\":\"nvdisasm V13.0.88 Build x\"}"
#define LIST(INSTRUCTIONS)                                                                         \
    "[" HEAD ",[{\"function-name\":\"k\",\"sass-instructions\":[" INSTRUCTIONS "]}]]"
#define ADD "{\"predicate\":\"@!P0\",\"opcode\":\"IADD3\",\"operands\":\"R0,R1,R2,RZ\"}"
#define EXIT "{\"opcode\":\"EXIT\"}"

static void test_read(void)
{
    static const char json[] = LIST(ADD "," EXIT);
    g_autoptr(GError) error = NULL;
    g_autoptr(PsSassListing) listing = ps_sass_listing_new(json, -1, &kernel, &error);
    g_assert_no_error(error);
    g_assert_cmpstr(listing->producer, ==, "nvdisasm V13.0.88");
    g_assert_cmpuint(listing->instructions->len, ==, 2);
    const PsSassInstruction *add = &g_array_index(listing->instructions, PsSassInstruction, 0);
    g_assert_cmpstr(add->guard, ==, "@!P0");
    g_assert_cmpstr(add->opcode, ==, "IADD3");
    g_assert_cmpstr(add->operands, ==, "R0,R1,R2,RZ");
    g_assert_null(add[1].guard);
    g_assert_null(add[1].operands);
}

static void test_control(void)
{
    /* stall 5, no yield, write 2, read none, wait 0 and 3, reuse the first */
    const guint64 high = (G_GUINT64_CONSTANT(5) << 41) | (G_GUINT64_CONSTANT(1) << 45) |
                         (G_GUINT64_CONSTANT(2) << 46) | (G_GUINT64_CONSTANT(7) << 49) |
                         (G_GUINT64_CONSTANT(9) << 52) | (G_GUINT64_CONSTANT(1) << 58);
    const guint64 word[2] = {0, high};
    const PsSassControl control = ps_sass_control(word);
    g_assert_cmpuint(control.stall, ==, 5);
    g_assert_false(control.yield);
    g_assert_cmpuint(control.write, ==, 2);
    g_assert_cmpuint(control.read, ==, PS_SASS_NO_BARRIER);
    g_assert_cmpuint(control.wait, ==, 9);
    g_assert_cmpuint(control.reuse, ==, 1);
}

static void test_refused(void)
{
    static const struct {
        const char *json, *message;
    } list[] = {
        {"", "the listing of nvdisasm is no JSON"},
        {"Usage: nvdisasm", "the listing of nvdisasm is no JSON"},
        {"[" HEAD, "the listing of nvdisasm is no JSON"},
        {"7", "the listing of nvdisasm of an unknown version has no instructions of the kernel "
              "\"k\""},
        {"{}", "the listing of nvdisasm of an unknown version has no instructions of the kernel "
               "\"k\""},
        {"[{},{}]", "the listing of nvdisasm of an unknown version has no instructions of the "
                    "kernel \"k\""},
        {"[" HEAD ",[7,{\"function-name\":3}]]",
         "the listing of nvdisasm V13.0.88 has no instructions of the kernel \"k\""},
        {"[" HEAD ",[{\"function-name\":\"k\",\"sass-instructions\":{}}]]",
         "the listing of nvdisasm V13.0.88 has no instructions of the kernel \"k\""},
        {LIST(EXIT), "the listing of nvdisasm V13.0.88 and the kernel's code differ in length"},
        {LIST(ADD "," EXIT "," EXIT),
         "the listing of nvdisasm V13.0.88 and the kernel's code differ in length"},
        {LIST(ADD ",{}"), "the listing of nvdisasm V13.0.88 has an instruction without an opcode"},
        {LIST(ADD ",7"), "the listing of nvdisasm V13.0.88 has an instruction without an opcode"},
        {LIST(ADD ",{\"opcode\":7}"),
         "the listing of nvdisasm V13.0.88 has an instruction without an opcode"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(list); i++) {
        g_autoptr(GError) error = NULL;
        g_test_message("%s", list[i].json);
        g_assert_null(ps_sass_listing_new(list[i].json, -1, &kernel, &error));
        g_assert_error(error, PS_ERROR, PS_ERROR_SYNTAX);
        g_assert_cmpstr(error->message, ==, list[i].message);
    }
}

/* What is listed as a function of its own right behind the kernel belongs to it where it begins
 * where the code before it ends; members stand in any order. */
static void test_subroutines(void)
{
    static const struct {
        const char *more;
        gboolean good;
    } list[] = {
        {"{\"sass-instructions\":[" EXIT "],\"start\":16,\"function-name\":\"sub\"}", TRUE},
        {"{\"function-name\":\"sub\",\"start\":32,\"sass-instructions\":[" EXIT "]}", FALSE},
        {"{\"function-name\":\"sub\",\"sass-instructions\":[" EXIT "]}", FALSE},
        {"7,{\"function-name\":\"sub\",\"start\":16,\"sass-instructions\":[" EXIT "]}", FALSE},
    };
    for (guint i = 0; i < G_N_ELEMENTS(list); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *json =
            g_strdup_printf("[" HEAD ",[{\"function-name\":\"other\",\"sass-instructions\":[" EXIT
                            "]},{\"function-name\":\"k\",\"sass-instructions\":[" ADD "]},%s]]",
                            list[i].more);
        g_autoptr(PsSassListing) listing = ps_sass_listing_new(json, -1, &kernel, &error);
        g_assert_true((listing != NULL) == list[i].good);
        if (listing)
            g_assert_cmpstr(g_array_index(listing->instructions, PsSassInstruction, 1).opcode, ==,
                            "EXIT");
    }
}

/* ---- code ----------------------------------------------------------------------------------- */

/* The error of a kernel with n instructions, of which the last is EXIT (g_free). `apart` names the
 * functions elsewhere that the first ones call, up to a NULL. */
static char *refusal(const char *others, guint n, const char *const *apart)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *json = g_strdup_printf(LIST("%s," EXIT), others);
    g_autofree guint8 *words = g_malloc0((gsize)n * PS_SASS_BYTES);
    PsSassImage image = {.name = (char *)"x.cubin", .capability = 80};
    PsSassKernel one = kernel;
    one.text.bytes = words;
    one.text.size = (gsize)n * PS_SASS_BYTES;
    image.variables = g_array_new(FALSE, FALSE, sizeof(PsSassVariable));
    image.addresses = g_array_new(FALSE, FALSE, sizeof(PsSassAddress));
    one.params = g_array_new(FALSE, FALSE, sizeof(PsSassParam));
    one.jumps = g_array_new(FALSE, FALSE, sizeof(PsSassJump));
    one.subroutines = g_hash_table_new(g_str_hash, g_str_equal);
    one.reached = g_hash_table_new(NULL, NULL);
    one.apart = g_hash_table_new(NULL, NULL);
    for (guint i = 0; apart && apart[i]; i++)
        g_hash_table_insert(one.apart, GSIZE_TO_POINTER(i * PS_SASS_BYTES), (gpointer)apart[i]);
    g_hash_table_insert(one.subroutines, (gpointer) "k", GSIZE_TO_POINTER(1));
    PsSassListing *listing = ps_sass_listing_new(json, -1, &one, &error);
    g_assert_no_error(error);
    one.name = (char *)"_Z1kPi";
    g_autoptr(PsSassCode) code = ps_sass_code_new(&image, &one, listing, NULL, &error);
    char *text_of = code ? g_strdup("good") : g_strdup(error->message);
    g_array_unref(image.variables);
    g_array_unref(image.addresses);
    g_array_unref(one.params);
    g_array_unref(one.jumps);
    g_hash_table_unref(one.subroutines);
    g_hash_table_unref(one.reached);
    g_hash_table_unref(one.apart);
    return text_of;
}

static void test_places(void)
{
    static const struct {
        const char *first, *message;
    } list[] = {
        {ADD, "good"},
        {"{\"opcode\":\"BRA\",\"operands\":\"0x10\"}", "good"},
        {"{\"opcode\":\"BRA\",\"operands\":\"0x20\"}",
         "kernel \"k\" at 0x0: a branch to 0x20, where the code has no instruction"},
        {"{\"opcode\":\"BRA\",\"operands\":\"0x8\"}",
         "kernel \"k\" at 0x0: a branch to 0x8, where the code has no instruction"},
        {"{\"opcode\":\"CALL.REL.NOINC\",\"operands\":\"0x40\"}",
         "kernel \"k\" at 0x0: a call of 0x40, where the code has no instruction"},
        {"{\"opcode\":\"CALL.REL.NOINC\",\"operands\":\"`(k)\"}",
         "kernel \"k\" at 0x0: a subroutine that calls itself is not supported"},
        {"{\"opcode\":\"CALL.ABS.NOINC\",\"operands\":\"`(other)\"}",
         "kernel \"k\" at 0x0: a call of \"other\", which is not in the code"},
        {"{\"opcode\":\"CALL.REL.NOINC\",\"operands\":\"R2,k\"}",
         "kernel \"k\" at 0x0: a call through R2, and the file names nothing that it may call"},
        {"{\"opcode\":\"CALL.REL.NOINC\"}", "kernel \"k\" at 0x0: a call of nothing"},
        {"{\"opcode\":\"BRX\",\"operands\":\"R2,-0x10\"}",
         "kernel \"k\" at 0x0: BRX goes to places that the file does not name"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(list); i++) {
        g_autofree char *message = refusal(list[i].first, 2, NULL);
        g_assert_cmpstr(message, ==, list[i].message);
    }
}

/* Where a call names nothing, the file may say what it calls. */
static void test_apart(void)
{
    static const char call[] = "{\"opcode\":\"CALL.ABS.NOINC\"}",
                      two[] = "{\"opcode\":\"CALL.ABS.NOINC\"},{\"opcode\":\"NOP\"}";
    const char *const far[] = {"far", NULL}, *const launch[] = {"f", "__cudaCDP2LaunchDeviceV2",
                                                                NULL};
    g_autofree char *of_function = refusal(call, 2, far), *of_kernel = refusal(two, 3, launch);
    g_assert_cmpstr(
        of_function, ==,
        "kernel \"k\" at 0x0: a call of \"far\", which is not in the kernel's code: it was "
        "compiled apart (nvcc -rdc=true)");
    g_assert_cmpstr(of_kernel, ==,
                    "kernel \"k\" at 0x0: it launches kernels itself (dynamic parallelism), which "
                    "pipesim does not do");
    const char *const barrier[] = {"__cuda_sm70_barrier_sync_0", NULL};
    g_autofree char *none = refusal(call, 2, barrier);
    g_assert_cmpstr(none, ==, "good");
}

/* A call goes on where nothing returns, and is a jump; or else it is of a subroutine without a
 * name.
 */
static void test_calls(void)
{
    static const struct {
        const char *others, *message;
    } list[] = {
        {"{\"predicate\":\"@!P0\",\"opcode\":\"CALL.REL.NOINC\",\"operands\":\"0x20\"}," EXIT
         ",{\"opcode\":\"BRA\",\"operands\":\"0x10\"}",
         "good"},
        {"{\"opcode\":\"CALL.REL.NOINC\",\"operands\":\"0x20\"}," EXIT
         ",{\"opcode\":\"RET.REL.NODEC\",\"operands\":\"R2,k\"}",
         "good"},
        {"{\"opcode\":\"CALL.REL.NOINC\",\"operands\":\"0x10\"},"
         "{\"opcode\":\"CALL.REL.NOINC\",\"operands\":\"0x10\"},"
         "{\"opcode\":\"RET.REL.NODEC\",\"operands\":\"R2,k\"}",
         "kernel \"k\" at 0x10: a subroutine that calls itself is not supported"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(list); i++) {
        g_autofree char *message = refusal(list[i].others, 4, NULL);
        g_assert_cmpstr(message, ==, list[i].message);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/sass-listing/read", test_read);
    g_test_add_func("/sass-listing/control", test_control);
    g_test_add_func("/sass-listing/refused", test_refused);
    g_test_add_func("/sass-listing/subroutines", test_subroutines);
    g_test_add_func("/sass-listing/places", test_places);
    g_test_add_func("/sass-listing/calls", test_calls);
    g_test_add_func("/sass-listing/apart", test_apart);
    return g_test_run();
}
